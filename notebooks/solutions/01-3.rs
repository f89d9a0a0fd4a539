fn share_longer(pauses: &[Duration], than: Duration) -> f64 {
    if pauses.is_empty() {
        return 0.0;
    }
    let longer = pauses.iter().filter(|pause| **pause > than).count();
    longer as f64 / pauses.len() as f64
}

check_01_3(share_longer)
