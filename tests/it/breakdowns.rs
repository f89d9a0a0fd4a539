//! What breaks down, one scenario file each, told event by event.

use crate::story::story;
use expect_test::expect_file;
use fencing::prelude::*;
use std::path::{Path, PathBuf};

/// The scenario files, by name.
fn files() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/breakdowns");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let name = |file: &PathBuf| file.file_stem().expect("a name").to_string_lossy().into_owned();
    files.into_iter().map(|file| (name(&file), file)).collect()
}

fn scenario(name: &str) -> Scenario {
    let (_, file) = files().into_iter().find(|(known, _)| known == name).expect(name);
    Scenario::read(file).expect(name)
}

fn counted(name: &str) -> Outcome {
    run(&scenario(name), Seed(1)).expect(name)
}

#[test]
fn every_breakdown_is_told_as_it_was() {
    let mut told = String::new();
    for (name, file) in files() {
        let scenario = Scenario::read(file).expect(&name);
        let outcome = run(&scenario, Seed(1)).expect(&name);
        let Outcome { zombie_writes, lost_updates, refused_writes, refused_reads, .. } = outcome;
        let story = story(&scenario);
        told.push_str(&format!(
            "{name}: zombie writes {zombie_writes}, lost updates {lost_updates}, refused writes \
             {refused_writes}, refused reads {refused_reads}\n{story}\n"
        ));
    }
    expect_file!["breakdowns.txt"].assert_eq(&told);
}
