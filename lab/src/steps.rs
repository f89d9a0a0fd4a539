//! A step of the set-up: skipped when it is done, redone when it was interrupted or when something
//! it was made from has changed.
//!
//! A step leaves a marker that holds its fingerprint: one line for each thing that the result
//! depends on. The marker is removed before the work and written, whole, after it. So an
//! interrupted step has no marker, and a step whose ingredients have changed has a marker that
//! differs.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// One step.
#[derive(Debug)]
pub struct Step {
    /// Its name, also that of its marker.
    pub name: &'static str,
    /// What it does, as a reader is told.
    pub what: &'static str,
    /// What the result depends on, one line each.
    pub fingerprint: String,
    /// What the step makes; if it is gone, the step is not done, whatever the marker says.
    pub makes: PathBuf,
}

/// Whether a step still has to be taken.
#[derive(Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing to do.
    Done,
    /// Never taken, interrupted, or its result is gone.
    Missing,
    /// Taken, but from other ingredients: those that differ, as the marker has them.
    OutOfDate(String),
}

impl Step {
    /// Whether the step still has to be taken, by its marker in `markers`.
    #[must_use]
    pub fn state(&self, markers: &Path) -> State {
        let Ok(marker) = fs::read_to_string(markers.join(self.name)) else {
            return State::Missing;
        };
        if !self.makes.exists() {
            return State::Missing;
        }
        if marker == self.fingerprint {
            return State::Done;
        }
        let changed = self.fingerprint.lines().filter(|line| !marker.lines().any(|l| l == *line));
        State::OutOfDate(changed.collect::<Vec<_>>().join("; "))
    }

    /// Does `work` unless the step is done, and leaves the marker if the work ended well.
    ///
    /// # Errors
    ///
    /// What the work reports, or a marker that cannot be written.
    pub fn take(&self, markers: &Path, work: impl FnOnce() -> Result<()>) -> Result<Taken> {
        if self.state(markers) == State::Done {
            return Ok(Taken::Skipped);
        }
        let marker = markers.join(self.name);
        fs::create_dir_all(markers)
            .with_context(|| format!("could not create the folder {}", markers.display()))?;
        remove_file_if_there(&marker)?;
        work()?;
        write_whole(&marker, &self.fingerprint)?;
        Ok(Taken::Worked)
    }
}

/// What became of a step.
#[derive(Debug, PartialEq, Eq)]
pub enum Taken {
    /// It was done already.
    Skipped,
    /// It has been done now.
    Worked,
}

/// Writes a file so that it is there whole or not at all, even if the machine stops meanwhile.
///
/// # Errors
///
/// If the file cannot be written.
pub fn write_whole(path: &Path, text: &str) -> Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(format!(".{}.unfinished", std::process::id()));
    let unfinished = PathBuf::from(unfinished);
    fs::write(&unfinished, text)
        .and_then(|()| fs::rename(&unfinished, path))
        .with_context(|| format!("could not write {}", path.display()))
}

/// Removes a file; that it is not there is no fault.
///
/// # Errors
///
/// If it is there and cannot be removed.
pub fn remove_file_if_there(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("could not remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Removes a folder and all in it; that it is not there is no fault.
///
/// # Errors
///
/// If it is there and cannot be removed.
pub fn remove_folder_if_there(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("could not remove the folder {}", path.display()))
        }
        _ => Ok(()),
    }
}
