fn merge(stops: &[RecordedPause]) -> Vec<RecordedPause> {
    let mut merged: Vec<RecordedPause> = Vec::new();
    for stop in stops {
        if let Some(last) = merged.last_mut() {
            let end = last.start + last.length;
            if stop.start < end + millis(50) {
                let later = end.max(stop.start + stop.length);
                last.length = later - last.start;
                continue;
            }
        }
        merged.push(*stop);
    }
    merged
}

check_09_1(merge)
