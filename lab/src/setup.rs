//! `cargo lab setup`: makes the environment in `.lab/`, one step after another.

pub mod kernelspec;
pub mod python;
pub mod rust_sources;
pub mod template;

use crate::kernel::folder;
use crate::paths::{Lab, Library};
use crate::steps::{State, Step, Taken};
use anyhow::{Context, Result};
use std::fs::{self, File, TryLockError};
use std::time::Instant;

/// What the set-up says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Talk {
    /// A line for every step.
    Everything,
    /// Nothing about steps that are done already.
    WorkOnly,
}

/// The step, and the work that takes it.
type Task<'a> = (Step, Box<dyn FnOnce() -> Result<()> + 'a>);

/// Takes every step that is not done yet.
///
/// # Errors
///
/// The first step that fails, in words that say what to do.
pub fn run(lab: &Lab, talk: Talk) -> Result<()> {
    let _alone = wait_for_others(lab)?;
    folder::sweep(lab)?;
    let tasks = tasks(lab)?;
    let number_of_tasks = tasks.len();
    for (number, (step, work)) in (1..).zip(tasks) {
        let label = format!("[{number}/{number_of_tasks}] {}", step.what);
        match step.state(&lab.steps()) {
            State::Done if talk == Talk::WorkOnly => {}
            State::Done => println!("{label}: done already"),
            State::Missing => println!("{label} ..."),
            State::OutOfDate(changed) => {
                println!("{label}, again, because this has changed: {changed} ...");
            }
        }
        let start = Instant::now();
        if step.take(&lab.steps(), work)? == Taken::Worked {
            println!("{label}: done in {:.0} s", start.elapsed().as_secs_f64());
        }
    }
    Ok(())
}

fn tasks(lab: &Lab) -> Result<Vec<Task<'_>>> {
    let mut tasks: Vec<Task<'_>> = Vec::new();
    if let Some(step) = rust_sources::step()? {
        tasks.push((step, Box::new(rust_sources::work)));
    }
    tasks.push((python::step(lab)?, Box::new(|| python::work(lab))));
    let mut libraries = vec![Library::Plain];
    if lab.library() == Library::Frames || has_frames(lab)? {
        libraries.push(Library::Frames);
    }
    for library in libraries {
        let lab = lab.with(library);
        let step = kernelspec::step(&lab)?;
        tasks.push((
            step,
            Box::new({
                let lab = lab.clone();
                move || kernelspec::work(&lab)
            }),
        ));
        tasks.push((template::step(&lab)?, Box::new(move || template::work(&lab))));
    }
    Ok(tasks)
}

/// Whether the library with data frames was ever set up; then it is kept up to date.
///
/// # Errors
///
/// If the library's sources cannot be read.
pub fn has_frames(lab: &Lab) -> Result<bool> {
    Ok(template::step(&lab.with(Library::Frames))?.state(&lab.steps()) != State::Missing)
}

/// Waits until no other process sets this environment up; the lock goes with the value.
fn wait_for_others(lab: &Lab) -> Result<File> {
    let path = lab.setup_lock();
    fs::create_dir_all(lab.folder())
        .with_context(|| format!("could not create the folder {}", lab.folder().display()))?;
    let lock = File::create(&path).with_context(|| format!("could not open {}", path.display()))?;
    if let Err(TryLockError::WouldBlock) = lock.try_lock() {
        println!("Another `cargo lab` is setting up the environment; waiting for it ...");
    }
    lock.lock().with_context(|| format!("could not lock {}", path.display()))?;
    Ok(lock)
}
