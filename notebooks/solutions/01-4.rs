fn outlast(stops: &[RecordedPause], lease: Duration) -> usize {
    let merged = merge_close(stops, millis(50));
    merged.iter().filter(|stop| stop.length > lease).count()
}

check_01_4(outlast)
