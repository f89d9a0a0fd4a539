fn lease_for(recorded: &[Duration]) -> Option<Duration> {
    if recorded.len() < 3_000 {
        return None;
    }
    recorded.iter().max().copied()
}

check_04_4(lease_for)
