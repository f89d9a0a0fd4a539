//! `cargo lab record`, the pause meter.

use crate::environment::{PROGRAM, all_text};
use lab::record::measure;
use std::fs;
use std::process::{Command, Output};
use std::time::Duration;

fn record(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).arg("record").args(arguments).output().expect("the program starts")
}

#[test]
fn a_recording_says_what_it_was_measured_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pauses.csv");
    let name = file.to_str().expect("it is UTF-8");
    let output = record(&["--seconds", "1", "--at-least-ms", "0.01", "--out", name]);
    assert!(output.status.success(), "{}", all_text(&output));
    let text = fs::read_to_string(&file).expect("a recording");
    for part in
        ["# system: ", "# processor: ", "# date: ", "# measured for: 1 s", "start_s,length_ms"]
    {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    let rows = text.lines().skip_while(|line| *line != "start_s,length_ms").skip(1);
    let mut last = 0.0;
    for row in rows {
        let (start, length) = row.split_once(',').expect("two columns");
        let start: f64 = start.parse().expect("a number");
        let length: f64 = length.parse().expect("a number");
        assert!(start > last && length >= 0.009, "{row}");
        last = start;
    }

    let again = record(&["--seconds", "1", "--out", name]);
    assert!(!again.status.success());
    assert!(all_text(&again).contains("is there already"), "{}", all_text(&again));
}

#[test]
fn without_a_file_the_recording_is_printed_and_nothing_else() {
    let output = record(&["--seconds", "1"]);
    let text = String::from_utf8(output.stdout).expect("it is text");
    let is_row =
        |line: &str| line.starts_with('#') || line.starts_with(|c: char| c.is_ascii_digit());
    assert!(text.lines().all(|line| line == "start_s,length_ms" || is_row(line)), "{text}");
    assert!(text.contains("start_s,length_ms"), "{text}");
}

#[test]
fn nonsense_is_refused_in_a_sentence() {
    for arguments in [
        ["--seconds", "0", "--out", "x.csv"].as_slice(),
        &["--seconds", "-5", "--out", "x.csv"],
        &["--seconds", "1", "--at-least-ms", "NaN", "--out", "x.csv"],
        &["--seconds", "1", "--out", "no/such/folder/x.csv"],
    ] {
        let output = record(arguments);
        let text = all_text(&output);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(text.contains("error: ") && !text.contains("panicked"), "{text}");
    }
}

#[test]
fn the_meter_ends_in_time_and_pauses_follow_one_another() {
    let mut pauses = Vec::new();
    let span = Duration::from_millis(300);
    measure(span, Duration::ZERO, |pause| {
        pauses.push(pause);
        true
    });
    assert!(!pauses.is_empty());
    for pair in pauses.windows(2) {
        assert!(pair[1].start > pair[0].start + pair[0].length, "{pair:?}");
    }
    assert!(pauses.iter().all(|pause| pause.start < span));
}
