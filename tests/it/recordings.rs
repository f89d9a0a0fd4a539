//! The recorded pauses in data/: they can be read from any folder, and are drawn from.

use fencing::prelude::*;
use std::path::Path;

fn recordings() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/pauses");
    let entries = std::fs::read_dir(folder).expect("data/pauses");
    let mut names: Vec<String> = entries
        .map(|entry| format!("data/pauses/{}", entry.expect("an entry").file_name().display()))
        .filter(|name| name.ends_with(".csv"))
        .collect();
    names.sort();
    names
}

#[test]
fn every_recording_can_be_read_and_drawn_from() {
    let names = recordings();
    assert!(names.len() >= 3, "{names:?}");
    for name in names {
        let pauses = read_recording(&name).expect("a recording");
        assert!(pauses.len() > 20, "{name} holds only {} pauses", pauses.len());
        assert!(pauses.is_sorted_by_key(|pause| pause.start), "{name} is not in order");
        let longest = pauses.iter().map(|pause| pause.length).max();
        let drawn = Delay::recorded(name.as_str()).samples(Seed(1), 1_000).expect("it is valid");
        assert!(drawn.iter().max().copied() <= longest);
        let scenario = Scenario {
            pauses: Pauses::critical_section(0.05, Delay::recorded(name.as_str())),
            stop: Stop::at_grants(100),
            ..Scenario::baseline()
        };
        assert_eq!(run(&scenario, Seed(1)).expect("it runs").grants, 100);
    }
}

/// Every system of the table says what to do and what to beware of, and where that comes from.
#[test]
fn every_system_in_the_table_has_its_source() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/figures/systems.csv");
    let mut systems = csv::Reader::from_path(file).expect("the table");
    let columns = ["system", "token", "check", "beware", "source"];
    assert_eq!(systems.headers().expect("headers"), &columns[..]);
    let mut count = 0;
    for row in systems.records() {
        let row = row.expect("a row");
        assert!(row.iter().all(|field| !field.trim().is_empty()), "{row:?}");
        assert!(row[4].split(' ').all(|source| source.starts_with("https://")), "{row:?}");
        count += 1;
    }
    assert_eq!(count, 11);
}
