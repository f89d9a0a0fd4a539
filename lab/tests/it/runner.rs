//! `cargo lab run` reports every cell that fails, and nothing else.

use crate::environment::{all_text, cargo_lab, fixture};
use std::fs;

/// Goal: no kind of failure passes for success. Method: a notebook with one cell of each kind.
#[test]
fn every_kind_of_failure_is_reported_with_its_cell() {
    let output = cargo_lab(["run", fixture("failing.ipynb").to_str().expect("it is UTF-8")]);
    let text = all_text(&output);
    assert!(!output.status.success(), "{text}");
    let failures = [
        ("cell 2 (let wrong: i32 = \"text\";): error", "mismatched types"),
        ("cell 3 (Err::<i32, &str>(\"boom <b>\").unwrap();): panic", "\"boom <b>\""),
        ("cell 4 (let number: i32 = \"x\".parse()?;): error at a `?`", "invalid digit"),
        ("cell 5 (1 + 1): no picture", "tagged `picture`"),
        ("cell 7 (std::process::abort();): error", "Subprocess terminated"),
    ];
    for (cell, message) in failures {
        let (_, after) = text.split_once(cell).unwrap_or_else(|| panic!("no `{cell}` in\n{text}"));
        assert!(after.contains(message), "no `{message}` after `{cell}` in\n{text}");
    }
    assert!(text.contains(&format!("{} cells failed", failures.len())), "{text}");
}

#[test]
fn a_cell_without_an_end_is_stopped() {
    let fixture = fixture("endless.ipynb");
    let fixture = fixture.to_str().expect("it is UTF-8");
    let output = cargo_lab(["run", "--cell-seconds", "3", fixture]);
    let text = all_text(&output);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("cell 1 (loop {}): took too long"), "{text}");
}

#[test]
fn a_copy_with_outputs_is_saved_and_the_notebook_left_alone() {
    let folder = tempfile::tempdir().expect("a folder for the copy");
    let source = fixture("passing.ipynb");
    let before = fs::read(&source).expect("the notebook is there");
    let [run, save] = ["run", "--save"].map(std::ffi::OsStr::new);
    let output = cargo_lab([run, save, folder.path().as_os_str(), source.as_os_str()]);
    assert!(output.status.success(), "{}", all_text(&output));
    assert_eq!(fs::read(&source).expect("the notebook is there"), before);
    let copy = fs::read_to_string(folder.path().join("passing.ipynb")).expect("a copy");
    let copy: serde_json::Value = serde_json::from_str(&copy).expect("a notebook");
    let cells = copy["cells"].as_array().expect("cells");
    let outputs = |cell: usize| cells[cell]["outputs"].to_string();
    assert!(outputs(2).contains("<b>a picture</b>"), "{copy}");
    assert!(outputs(3).contains("on standard error"), "{copy}");
}

#[test]
fn a_copy_never_overwrites_the_notebook() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("passing.ipynb");
    fs::copy(fixture("passing.ipynb"), &source).expect("a copy of the notebook");
    let [run, save] = ["run", "--save"].map(std::ffi::OsStr::new);
    let output = cargo_lab([run, save, folder.path().as_os_str(), source.as_os_str()]);
    let text = all_text(&output);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("would overwrite"), "{text}");
}

#[test]
fn what_is_no_notebook_is_said_in_a_sentence() {
    let output = cargo_lab(["run", "no-such.ipynb"]);
    let text = all_text(&output);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("could not read the notebook no-such.ipynb"), "{text}");
    assert!(!text.contains("panicked"), "{text}");
}
