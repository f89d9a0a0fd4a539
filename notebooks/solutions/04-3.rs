fn upper_bound(seen: u64, trials: u64) -> f64 {
    let seen = seen as f64;
    (seen + 2.0 * seen.sqrt() + 3.0) / trials as f64
}

check_04_3(upper_bound)
