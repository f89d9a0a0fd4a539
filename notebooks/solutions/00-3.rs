fn accepted_writes(run: &Trace) -> usize {
    let mut count = 0;
    for entry in &run.entries {
        if let Happening::WriteAccepted { .. } = entry.happening {
            count += 1;
        }
    }
    count
}

check_00_3(accepted_writes)
