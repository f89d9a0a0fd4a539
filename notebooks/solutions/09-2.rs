fn stood_still(_collections: &[RecordedPause], stopped: &[RecordedPause]) -> Duration {
    stopped.iter().map(|stop| stop.length).sum()
}

check_09_2(stood_still)
