//! The kernel, as Jupyter starts it.
//!
//! Two processes: a guard, which gives the kernel a folder of its own and removes it at the end,
//! and the kernel itself, which is evcxr. It takes two because evcxr learns of its folder from the
//! environment alone, and because the guard is still there when the kernel has crashed.

pub mod files;
pub mod folder;

use crate::environment;
use crate::family;
use crate::paths::{Lab, Library};
use crate::setup::{kernelspec, template};
use crate::steps::State;
use anyhow::{Context, Result};
use std::env;
use std::ffi::OsString;
use std::os::unix::process::parent_id;
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::thread;
use std::time::Duration;

/// The argument by which Jupyter's connection file is handed over; evcxr fixes its name.
pub const CONTROL_FILE: &str = "--control_file";
/// Set by the guard for the kernel: the guard's own process number.
const GUARD: &str = "LAB_GUARD";

const HOW_OFTEN: Duration = Duration::from_millis(50);

/// The connection file, if Jupyter started this process as a kernel.
#[must_use]
pub fn control_file() -> Option<OsString> {
    let mut arguments = env::args_os().skip(1);
    (arguments.next()? == CONTROL_FILE).then(|| arguments.next())?
}

/// Runs a kernel until Jupyter ends it or is gone.
///
/// # Errors
///
/// If the environment is not set up, or evcxr fails.
pub fn main(control_file: &OsString) -> Result<ExitCode> {
    let guard = env::var(GUARD).ok().and_then(|number| number.parse().ok());
    match guard.filter(|guard| *guard == parent_id()) {
        Some(guard) => {
            family::end_with(guard);
            evcxr_jupyter::main()?;
            Ok(ExitCode::SUCCESS)
        }
        None => guard_kernel(control_file),
    }
}

fn guard_kernel(control_file: &OsString) -> Result<ExitCode> {
    let jupyter = parent_id();
    let wants_frames = env::var(kernelspec::LIBRARY).is_ok_and(|name| name == kernelspec::FRAMES);
    let library = if wants_frames { Library::Frames } else { Library::Plain };
    let lab = Lab::here()?.with(library);
    let folder = folder::KernelFolder::claim(&lab)?;
    folder::fill(&lab, folder.path())?;
    let mut command = Command::new(kernelspec::program()?);
    environment::of_a_kernel(&mut command, &lab, folder.path());
    if library_is_compiled(&lab) {
        environment::with_library(&mut command, &lab);
    }
    let mut kernel = command
        .arg(CONTROL_FILE)
        .arg(control_file)
        .env(GUARD, std::process::id().to_string())
        .spawn()
        .context("could not start the kernel")?;
    let status = wait(&mut kernel, jupyter)?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether the template has the library as it is now. If it has been changed and does not compile,
/// loading it would end the kernel without a word; so then the notebook's own `:dep` loads it, and
/// the reader sees what the compiler says.
fn library_is_compiled(lab: &Lab) -> bool {
    template::step(lab).is_ok_and(|step| step.state(&lab.steps()) == State::Done)
}

/// Waits until the kernel has ended, by itself or because Jupyter is gone.
fn wait(kernel: &mut Child, jupyter: u32) -> Result<ExitStatus> {
    loop {
        if let Some(status) = kernel.try_wait().context("could not wait for the kernel")? {
            return Ok(status);
        }
        if parent_id() != jupyter {
            kernel.kill().context("could not end the kernel")?;
        }
        thread::sleep(HOW_OFTEN);
    }
}
