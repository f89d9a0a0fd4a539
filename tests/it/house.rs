//! The house: which file may use which, and the form of the source.

use std::fs;
use std::path::{Path, PathBuf};

/// The floors from the ground up. A file may use its own floor and those before it.
const FLOORS: [&str; 9] = [
    "time",
    "chance",
    "protocol",
    "simulation",
    "analysis",
    "figures",
    "frame",
    "proof",
    "workbook",
];

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn sources(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in folders.iter().map(|folder| root.join(folder)).filter(|folder| folder.exists()) {
        rust_files(&folder, &mut files);
    }
    let named = files.into_iter().map(|file| {
        let text = fs::read_to_string(&file).expect("a source file");
        (file.strip_prefix(root).expect("within the checkout").to_owned(), text)
    });
    named.collect()
}

/// The floor of a file of the library: `src/chance/seed.rs` and `src/chance.rs` are on `chance`.
fn floor_of(file: &Path) -> Option<usize> {
    let name = file.components().nth(1)?.as_os_str().to_str()?;
    FLOORS.iter().position(|floor| *floor == name.trim_end_matches(".rs"))
}

/// The code of a file without its comments and without its tests, which may use everything.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_file_uses_only_the_floors_below_its_own() {
    let mut checked = 0;
    for (file, text) in sources(&["src"]) {
        let Some(own) = floor_of(&file) else { continue };
        checked += 1;
        let code = code(&text);
        for above in &FLOORS[own + 1..] {
            let used = format!("crate::{above}");
            assert!(!code.contains(&used), "{} uses {used}, a floor above", file.display());
        }
        assert!(!code.contains("crate::prelude"), "{} uses the prelude", file.display());
    }
    assert!(checked > 15, "only {checked} files were found");
}

/// The protocol can be read beside the explanation: it draws nothing, schedules nothing, counts
/// nothing.
#[test]
fn the_protocol_knows_nothing_of_chance_or_queues() {
    for (file, text) in sources(&["src/protocol"]) {
        for word in ["crate::chance", "rand", "BinaryHeap", "Stream"] {
            assert!(!code(&text).contains(word), "{} uses {word}", file.display());
        }
    }
}

/// Whoever does without data frames need not compile polars.
#[test]
fn only_frames_know_of_polars() {
    let mut knowing: Vec<PathBuf> = Vec::new();
    for (file, text) in sources(&["src", "lab/src"]) {
        if code(&text).to_lowercase().contains("polars") {
            knowing.push(file);
        }
    }
    assert_eq!(knowing, [Path::new("src/frame.rs")]);
}

/// Whoever does without proofs need not compile the model checker.
#[test]
fn only_the_search_knows_of_stateright() {
    let sources = sources(&["src", "lab/src"]);
    let knowing = sources.iter().filter(|(_, text)| code(text).contains("stateright"));
    let knowing: Vec<&Path> = knowing.map(|(file, _)| file.as_path()).collect();
    assert_eq!(knowing, [Path::new("src/proof/search.rs")]);
}

/// No wall clock decides anything in a simulation. Two files may look at it, about the reader's
/// time: how far a sweep is, and whether its time is up; how long a search took.
#[test]
fn simulations_have_no_wall_clock() {
    let exceptions = ["src/analysis/sweep/jobs.rs", "src/proof/search.rs"].map(Path::new);
    for (file, text) in sources(&["src"]) {
        if !exceptions.contains(&file.as_path()) {
            for word in ["SystemTime", "Instant"] {
                assert!(!code(&text).contains(word), "{} uses {word}", file.display());
            }
        }
    }
}

#[test]
fn lines_and_functions_are_short() {
    for (file, text) in sources(&["src", "lab", "tests", "benches"]) {
        let mut function: Option<(usize, &str)> = None;
        for (number, line) in text.lines().enumerate() {
            let width = line.chars().count();
            assert!(width <= 100, "{}:{} is {width} columns wide", file.display(), number + 1);
            let indent = line.len() - line.trim_start().len();
            if starts_a_function(line.trim_start()) && line.ends_with(['{', '(']) {
                function = Some((number, &line[..indent]));
            }
            if let Some((start, margin)) = function
                && line.strip_prefix(margin) == Some("}")
            {
                let length = number - start + 1;
                let place = format!("{}:{}", file.display(), start + 1);
                assert!(length <= 70, "the function at {place} has {length} lines");
                function = None;
            }
        }
    }
}

fn starts_a_function(line: &str) -> bool {
    let line = line.trim_start_matches("pub ").trim_start_matches("pub(crate) ");
    line.trim_start_matches("const ").trim_start_matches("async ").starts_with("fn ")
}
