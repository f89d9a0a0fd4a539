//! The logic of the set-up: what is done is skipped, what was interrupted or is out of date is done
//! again.

use anyhow::bail;
use lab::steps::{State, Step, Taken};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn step(folder: &Path, fingerprint: &str) -> Step {
    Step {
        name: "bread",
        what: "Bread",
        fingerprint: fingerprint.to_owned(),
        makes: folder.join("loaf"),
    }
}

fn bake(folder: &TempDir, fingerprint: &str) -> Taken {
    let loaf = folder.path().join("loaf");
    let step = step(folder.path(), fingerprint);
    step.take(folder.path(), || Ok(fs::write(&loaf, fingerprint)?)).expect("it is baked")
}

#[test]
fn a_step_is_taken_once() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(bake(&folder, "flour\nwater\n"), Taken::Worked);
    assert_eq!(bake(&folder, "flour\nwater\n"), Taken::Skipped);
}

#[test]
fn a_step_is_taken_again_when_an_ingredient_has_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    bake(&folder, "flour\nwater\n");
    let changed = step(folder.path(), "flour\nmilk\n");
    assert_eq!(changed.state(folder.path()), State::OutOfDate("milk".to_owned()));
    assert_eq!(bake(&folder, "flour\nmilk\n"), Taken::Worked);
}

#[test]
fn a_step_is_taken_again_when_its_result_is_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    bake(&folder, "flour\n");
    fs::remove_file(folder.path().join("loaf")).expect("it was there");
    assert_eq!(bake(&folder, "flour\n"), Taken::Worked);
}

/// Goal: an interrupted step counts as not taken, also if it had been taken before and its old
/// result still lies there. Method: work that fails half-way.
#[test]
fn an_interrupted_step_is_taken_again() {
    let folder = tempfile::tempdir().expect("a folder");
    bake(&folder, "flour\n");
    let step = step(folder.path(), "spelt\n");
    let interrupted = step.take(folder.path(), || bail!("the oven is off"));
    assert_eq!(interrupted.expect_err("it failed").to_string(), "the oven is off");
    assert_eq!(step.state(folder.path()), State::Missing);
    // Even if the ingredients change back.
    assert_eq!(bake(&folder, "flour\n"), Taken::Worked);
}
