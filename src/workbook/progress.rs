//! What has been solved, kept in a file so that it outlives the kernel.
//!
//! The kernel is told where the file is by its environment. In a kernel that is not ours there is
//! none, and nothing is kept.

use super::verdict::{Finding, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The environment variable that names the file. Empty or absent: nothing is kept.
pub const PROGRESS_FILE: &str = "FENCING_PROGRESS";

/// What is known of the attempts, by exercise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Progress {
    exercises: BTreeMap<String, Attempts>,
}

/// What is known of the attempts at one exercise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Attempts {
    /// Whether it was ever solved.
    pub solved: bool,
    /// Attempts up to the first that solved it.
    pub tries: u32,
    /// Hints that were shown.
    pub hints: u32,
    /// Whether the solution was shown.
    pub solution: bool,
}

impl Progress {
    /// Reads a progress file. One that is not there, or is none, is an empty one.
    #[must_use]
    pub fn read(file: &Path) -> Progress {
        let text = fs::read_to_string(file).unwrap_or_default();
        toml::from_str(&text).unwrap_or_default()
    }

    /// What is known of the attempts at an exercise.
    #[must_use]
    pub fn of(&self, id: &str) -> Attempts {
        self.exercises.get(id).cloned().unwrap_or_default()
    }

    /// Changes what is known of an exercise, in the file; the new state of it.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn change(
        file: &Path,
        id: &str,
        change: impl FnOnce(&mut Attempts),
    ) -> io::Result<Attempts> {
        // Two notebooks may be open.
        let alone = File::create(beside(file, "lock"))?;
        alone.lock()?;
        keep_what_is_unreadable(file)?;
        let mut progress = Progress::read(file);
        let attempts = progress.exercises.entry(id.to_owned()).or_default();
        change(attempts);
        let attempts = attempts.clone();
        let text = toml::to_string(&progress).map_err(io::Error::other)?;
        let new = beside(file, "new");
        fs::write(&new, text)?;
        fs::rename(new, file)?;
        Ok(attempts)
    }
}

/// A file that somebody has edited by hand is put aside rather than overwritten.
fn keep_what_is_unreadable(file: &Path) -> io::Result<()> {
    match fs::read_to_string(file) {
        Ok(text) if toml::from_str::<Progress>(&text).is_err() => {
            fs::rename(file, beside(file, "unreadable"))
        }
        _ => Ok(()),
    }
}

fn beside(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(end);
    PathBuf::from(name)
}

/// The file that the environment names.
pub(crate) fn file() -> Option<PathBuf> {
    std::env::var_os(PROGRESS_FILE).filter(|name| !name.is_empty()).map(PathBuf::from)
}

/// Notes something of an exercise, where there is a file. That it cannot be written must not keep a
/// reader from the verdict.
pub(crate) fn note_of(id: &str, change: impl FnOnce(&mut Attempts)) -> Option<Attempts> {
    Progress::change(&file()?, id, change).ok()
}

/// Notes a verdict.
pub(crate) fn note(verdict: &Verdict) {
    let solves = match verdict.finding() {
        Finding::NotAttempted(_) => return,
        Finding::NotYet(_) => false,
        Finding::Solved(_) => true,
    };
    note_of(&verdict.exercise().id, |attempts| {
        attempts.tries += u32::from(!attempts.solved);
        attempts.solved |= solves;
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("fencing-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn what_is_noted_is_read_again() {
        let folder = folder("noted");
        let file = folder.join("progress");
        assert_eq!(Progress::read(&file).of("03-2"), Attempts::default());
        for hints in 1..=2 {
            let attempts = Progress::change(&file, "03-2", |attempts| attempts.hints += 1);
            assert_eq!(attempts.expect("it can be written").hints, hints);
        }
        Progress::change(&file, "03-1", |attempts| attempts.solved = true).expect("written");
        let read = Progress::read(&file);
        assert_eq!((read.of("03-2").hints, read.of("03-1").solved), (2, true));
        fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn a_file_that_is_none_is_put_aside() {
        let folder = folder("unreadable");
        let file = folder.join("progress");
        fs::write(&file, "what is this?").expect("written");
        Progress::change(&file, "03-1", |attempts| attempts.solved = true).expect("written");
        assert!(Progress::read(&file).of("03-1").solved);
        assert_eq!(fs::read_to_string(beside(&file, "unreadable")).expect("kept"), "what is this?");
        fs::remove_dir_all(folder).expect("removed");
    }
}
