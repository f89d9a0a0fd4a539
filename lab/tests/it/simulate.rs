//! `cargo lab simulate`, as a person or a script calls it.

use crate::environment::{PROGRAM, all_text};
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

fn simulate(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).arg("simulate").args(arguments).output().expect("the program starts")
}

fn json(arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--format", "json"]].concat();
    let output = simulate(&arguments);
    assert!(output.status.success(), "{}", all_text(&output));
    serde_json::from_slice(&output.stdout).expect("the output is JSON")
}

#[test]
fn the_outcome_has_every_key_and_can_be_run_again() {
    let outcome = json(&["--grants", "2000", "--seed", "5", "--set", "renew_every=4s"]);
    for key in [
        "scenario",
        "seed",
        "grants",
        "expiries",
        "renewals",
        "gave_up",
        "accepted_writes",
        "refused_writes",
        "refused_reads",
        "zombie_writes",
        "lost_updates",
        "overlaps",
        "overlap_s",
        "crashes",
        "recovery_mean_s",
        "recovery_max_s",
        "wait_mean_s",
        "wait_p99_s",
        "held_share",
        "end_s",
    ] {
        assert!(outcome.get(key).is_some(), "there is no {key}");
    }
    assert_eq!(outcome["grants"], 2000);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("scenario.json");
    fs::write(&file, outcome["scenario"].to_string()).expect("a scenario file");
    let again = json(&["--scenario", &file.display().to_string(), "--seed", "5"]);
    assert_eq!(again, outcome);
}

#[test]
fn the_table_says_how_to_repeat_the_run() {
    let output = simulate(&["--grants", "100", "--seed", "3", "--set", "look=own_clock"]);
    let text = all_text(&output);
    assert!(text.contains("zombie writes"), "{text}");
    let origin = "seed 3, the baseline with look = \"own_clock\", stop.grants = 100";
    assert!(text.contains(origin), "{text}");
}

/// Each gets one sentence that says what to change, and nothing panics.
#[test]
fn mistakes_get_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let misspelt = folder.path().join("misspelt.toml");
    fs::write(&misspelt, "clients = 3\nleese = \"10s\"\n").expect("a scenario file");
    let misspelt = misspelt.display().to_string();
    for (arguments, part) in [
        (["--set", "lease=0s"], "`lease` is 0s: it must be longer than 0s"),
        (["--set", "lease=-1s"], "cannot be negative"),
        (["--set", "lease=10"], "write a number and a unit"),
        (["--set", "clients=0"], "`clients` is 0: it must be a whole number from 1 to 1000"),
        (["--set", "clients=-1"], "clients = -1"),
        (["--set", "pauses.critical_section.probability=nan"], "must be a number from 0 to 1"),
        (["--set", "work.log_normal={median=\"1s\",sigma=nan}"], "`work.log_normal.sigma` is NaN"),
        (["--set", "leese=10s"], "did you mean `lease`?"),
        (["--set", "lease"], "--set lease has no value"),
        (["--set", "work.recorded.file=no-such.csv"], "no-such.csv"),
        (["--scenario", "no-such.toml"], "no-such.toml: No such file"),
        (["--scenario", &misspelt], "line 2: unknown field `leese`"),
        (["--grants", "0"], "`stop.grants` is 0"),
        (["--seed", "-1"], "invalid value '-1'"),
        (["--format", "xml"], "[possible values: table, json]"),
    ] {
        let output = simulate(&arguments);
        let text = all_text(&output);
        assert!(!output.status.success(), "{arguments:?}: {text}");
        assert!(text.contains(part), "{arguments:?}: {text}");
        assert!(!text.contains("panicked"), "{arguments:?}: {text}");
    }
}
