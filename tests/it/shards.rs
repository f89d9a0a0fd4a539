//! Sweeps from files, in shards, and gathered: parts add up to exactly what one machine computes.

use fencing::analysis::sweep::gather::gather;
use fencing::prelude::*;
use std::path::PathBuf;

const FILE: &str = r#"
    seed = 7
    repeats = 5
    grants = 300

    [scenario]
    clients = 4
    crashes = { every = "10m", restart_after = "5s" }

    [knobs]
    lease = ["5s", "10s", "1m 30s"]
    look = ["never", "own_clock"]
    pauses.critical_section.length = [
        { constant = "8s" },
        { recorded = { file = "data/pauses/jvm-g1.csv" } },
    ]
"#;

fn sweep() -> Sweep {
    let file = SweepFile::from_toml(FILE).expect("a sweep");
    assert_eq!(file.seed, Seed(7));
    file.sweep.quiet()
}

fn shard(text: &str) -> SweepPart {
    sweep().run_shard(Seed(7), text.parse().expect("a shard")).expect("it runs")
}

/// A part through its file, as another machine would read it.
fn part(name: &str, part: &SweepPart) -> (PathBuf, SweepPart) {
    let read = SweepPart::from_csv(&part.to_csv()).expect("a part is read as it was written");
    assert_eq!(&read, part);
    (name.into(), read)
}

fn refused(parts: &[(PathBuf, SweepPart)]) -> String {
    let error = gather(parts).expect_err("they do not go together").to_string();
    assert!(!error.contains('\n'), "{error}");
    error
}

#[test]
fn shards_add_up_to_the_last_byte() {
    let whole = shard("1/1").to_csv();
    for of in [2, 3, 7, 60, 64] {
        // Any order will do.
        let parts = (1..=of).rev().map(|i| part(&i.to_string(), &shard(&format!("{i}/{of}"))));
        let gathered = gather(&parts.collect::<Vec<_>>()).expect("all shards are there");
        assert_eq!(gathered.whole.to_csv(), whole, "of {of} shards");
        assert_eq!(gathered.remarks, [""; 0]);
    }
    assert!(whole.starts_with("# fencing = "), "{whole}");
    assert!(!whole.contains("shard"), "{whole}");
}

#[test]
fn shards_of_different_sizes_add_up_as_well() {
    let parts = ["1/2", "2/4", "4/4"].map(|text| part(text, &shard(text)));
    assert_eq!(gather(&parts).expect("every run is there").whole, shard("1/1"));
}

#[test]
fn the_rows_are_those_of_the_sweep() {
    let outcome = sweep().run(Seed(7)).expect("it runs");
    let rows = outcome.rows();
    assert_eq!(rows, shard("1/1").rows);
    let runs = outcome.cells.iter().flat_map(|cell| &cell.outcomes);
    for (row, run) in rows.rows.iter().zip(runs) {
        assert_eq!((row.seed, row.counts), (run.seed, Counts::from(run)));
    }
    let lengths = rows.rows.iter().map(|row| row.settings[0].as_str());
    assert_eq!(lengths.step_by(20).collect::<Vec<_>>(), ["5", "10", "90"]);
    assert_eq!(rows.knobs, ["lease_s", "look", "pauses.critical_section.length"]);
    // 3 leases × 2 looks × 2 lengths, 5 repeats each.
    assert_eq!(rows.rows.len(), 60);
}

/// The columns are those of the outcome's JSON, but for the scenario.
#[test]
fn the_columns_are_the_keys_of_an_outcome() {
    let outcome = run(&Scenario::baseline(), Seed(1)).expect("the baseline runs");
    let json = serde_json::to_value(&outcome).expect("it is JSON");
    let mut keys: Vec<&String> = json.as_object().expect("an object").keys().collect();
    keys.retain(|key| !["scenario", "seed"].contains(&key.as_str()));
    let mut columns = Counts::COLUMNS.to_vec();
    columns.sort_unstable();
    keys.sort_unstable();
    assert_eq!(keys, columns);
    let counts = serde_json::to_value(Counts::from(&outcome)).expect("it is JSON");
    for column in Counts::COLUMNS {
        assert_eq!(counts[column], json[column], "{column}");
    }
}

/// A sweep that ran out of time has gaps; each row still says which repeat it is.
#[test]
fn a_gap_keeps_the_numbers_of_the_repeats() {
    let mut outcome = sweep().run(Seed(7)).expect("it runs");
    outcome.cells[3].outcomes.remove(1);
    let rows = outcome.rows();
    let repeats = rows.rows.iter().filter(|row| row.cell == 3).map(|row| row.repeat);
    assert_eq!(repeats.collect::<Vec<_>>(), [0, 2, 3, 4]);
}

#[test]
fn a_shard_twice_counts_once_if_it_came_out_alike() {
    let parts = ["1/3", "2/3", "3/3", "2/3"];
    let mut parts: Vec<_> = parts.map(|text| part(text, &shard(text))).to_vec();
    parts[3].0 = "again".into();
    let gathered = gather(&parts).expect("all is there");
    assert_eq!(gathered.whole, shard("1/1"));
    assert_eq!(
        gathered.remarks,
        ["shard 2/3 is there twice, in 2/3 and in again, and came out alike: it is counted once"]
    );
    parts[3].1.rows.rows[0].counts.zombie_writes += 1;
    let error = refused(&parts);
    assert!(error.starts_with("repeat 1 of cell 0 (5, never, "), "{error}");
    assert!(error.contains("came out differently in 2/3 and in again"), "{error}");
}

#[test]
fn what_is_missing_is_named() {
    let parts = |texts: &[&str]| -> Vec<(PathBuf, SweepPart)> {
        texts.iter().map(|text| part(text, &shard(text))).collect()
    };
    let error = refused(&parts(&["1/4", "3/4"]));
    let expected = "30 of 60 runs are missing: shard 2/4 is not there (run it with --shard 2/4); \
                    shard 4/4 is not there (run it with --shard 4/4)";
    assert_eq!(error, expected);

    let mut cut: Vec<(PathBuf, SweepPart)> = parts(&["1/2", "2/2"]);
    cut[1].1.rows.rows.pop();
    let error = refused(&cut);
    assert_eq!(error, "1 of 60 runs are missing: 2/2 does not have all of shard 2/2");

    let error = refused(&parts(&["1/2", "2/4"]));
    assert!(
        error.contains("15 of 60 runs are missing: the first is repeat 3 of cell 0"),
        "{error}"
    );
    assert!(refused(&[]).contains("no parts were given"));
}

#[test]
fn parts_of_different_sweeps_are_refused_with_the_difference() {
    let one = || part("one", &shard("1/2"));
    let other = |text: String, seed| {
        let sweep = SweepFile::from_toml(&text).expect("a sweep").sweep.quiet();
        let shard = sweep.run_shard(seed, "2/2".parse().expect("a shard")).expect("it runs");
        refused(&[one(), part("two", &shard)])
    };
    let same = || FILE.to_owned();
    for (error, difference) in [
        (other(same(), Seed(8)), "the seed is 7 in the first and 8 in the second"),
        (
            other(same().replace("repeats = 5", "repeats = 6"), Seed(7)),
            "the number of repeats is 5 in the first and 6 in the second",
        ),
        (
            other(same().replace("clients = 4", "clients = 3"), Seed(7)),
            "the scenario is the baseline with clients = 4, ",
        ),
        (
            other(same().replace("\"10s\"", "\"11s\""), Seed(7)),
            "what the knobs are set to is lease = 5s, 10s, 1m 30s; look",
        ),
    ] {
        assert!(error.starts_with("one and two are parts of different sweeps: "), "{error}");
        assert!(error.contains(difference), "{error}");
    }
    let changed = |change: fn(&mut SweepPart)| {
        let mut other = part("two", &shard("2/2"));
        change(&mut other.1);
        refused(&[one(), other])
    };
    let error = changed(|part| part.origin.fencing = "0.0.9".into());
    assert!(error.contains("the version of fencing is "), "{error}");
    let error = changed(|part| part.origin.model = "0".into());
    assert!(error.contains("the program that ran them"), "{error}");
    let error = changed(|part| {
        part.origin.recordings.insert("data/pauses/jvm-g1.csv".into(), "0".into());
    });
    assert!(
        error.contains("the content of the recorded pauses is data/pauses/jvm-g1.csv ("),
        "{error}"
    );
}

#[test]
fn what_is_no_part_is_refused_with_line_and_reason() {
    let good = shard("2/3").to_csv();
    let head = good.lines().filter(|line| line.starts_with('#')).count() as u64 + 1;
    let rows: Vec<&str> = good.lines().skip(head as usize).collect();
    let without = |row: &str| good.replace(&format!("{row}\n"), "");
    for (text, line, part) in [
        (String::new(), None, "no part of a sweep"),
        ("start_s,length_ms\n1,2\n".into(), None, "no part of a sweep"),
        (good.replace("# seed = \"7\"\n", ""), None, "missing field `seed`"),
        (good.replace("2/3", "4/3"), None, "no shard 4 of 3"),
        (good.replace(",zombie_writes,", ",zombies,"), Some(head), "the columns are not those"),
        (good.replace(rows[1], "1,2,3"), Some(head + 2), "as many cells as there are columns"),
        (good.replace(rows[0], &rows[0].replacen("0,", "x,", 1)), Some(head + 1), "cell is \"x\""),
        (good.replace(",300,", ",many,"), Some(head + 1), "grants is \"many\""),
        (good.clone() + rows[0] + "\n", None, "is there twice, or not in its place"),
        (without(rows[0]) + rows[0] + "\n", None, "is there twice, or not in its place"),
        (good.replace("\"2/3\"", "\"1/3\""), None, "is no run of shard 1/3"),
        (good.replace("cells = 12", "cells = 9000000000000000"), None, "too many runs"),
        (good.replace("cells = 12", "cells = 2"), None, "is no run of shard 2/3"),
    ] {
        let error = SweepPart::from_csv(&text).expect_err(part);
        assert!(error.reason.contains(part), "{error}");
        assert!(line.is_none() || error.line == line, "{error}, not line {line:?}");
    }
    let missing = SweepPart::read("no-such-part.csv").expect_err("no such file").to_string();
    assert!(missing.starts_with("no-such-part.csv: No such file"), "{missing}");
}

#[test]
fn a_file_without_its_origin_is_still_a_table() {
    let rows = shard("1/1").rows;
    assert_eq!(SweepRows::from_csv(&rows.to_csv()).as_ref(), Ok(&rows));
    assert_eq!(SweepRows::from_csv(&shard("1/1").to_csv()), Ok(rows.clone()));
    let table = rows.table().expect("every cell has grants").to_string();
    assert_eq!(table.lines().count(), 13, "{table}");
}

#[test]
fn a_scenario_file_is_looked_for_beside_the_sweep() {
    let folder = std::env::temp_dir().join(format!("fencing-{}-sweep", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    std::fs::write(folder.join("base.toml"), "lease = \"33s\"\n").expect("a scenario file");
    std::fs::write(folder.join("sweep.toml"), "scenario = \"base.toml\"\n").expect("a sweep file");
    let read = SweepFile::read(folder.join("sweep.toml")).expect("a sweep");
    assert_eq!(read.sweep.grid()[0].scenario.lease, secs(33));
    std::fs::write(folder.join("base.toml"), "leese = \"33s\"\n").expect("a scenario file");
    let error = SweepFile::read(folder.join("sweep.toml")).expect_err("misspelt").to_string();
    assert!(error.contains("base.toml: line 1: unknown field `leese`"), "{error}");
    std::fs::remove_dir_all(&folder).expect("the folder goes again");
}

#[test]
fn the_example_in_data_is_a_sweep() {
    let file =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sweeps/lease-and-check.toml");
    let SweepFile { sweep, seed } = SweepFile::read(file).expect("a sweep");
    assert_eq!((sweep.grid().len(), seed), (12, Seed(1)));
}
