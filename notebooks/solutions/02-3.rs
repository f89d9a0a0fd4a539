fn believers(entries: &[Entry], at: Time) -> usize {
    let mut count = 0;
    for entry in entries.iter().take_while(|entry| entry.at <= at) {
        match entry.happening {
            Happening::Believes { .. } => count += 1,
            Happening::StopsBelieving { .. } => count -= 1,
            _ => {}
        }
    }
    count
}

check_02_3(believers)
