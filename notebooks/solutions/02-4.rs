fn zombie_writes(run: &Trace) -> usize {
    let mut highest = Token(0);
    let mut count = 0;
    for entry in &run.entries {
        match entry.happening {
            Happening::ReadServed { token, .. } => highest = highest.max(token),
            Happening::WriteAccepted { write, .. } => {
                if write.token < highest {
                    count += 1;
                }
                highest = highest.max(write.token);
            }
            _ => {}
        }
    }
    count
}

check_02_4(zombie_writes)
