//! The kernelspec: how Jupyter starts our kernel.

use crate::paths::Lab;
use crate::steps::{Step, write_whole};
use anyhow::{Context, Result};
use serde_json::json;
use std::env;
use std::fs;
use std::path::PathBuf;

/// The name by which a notebook asks for the kernel.
pub const NAME: &str = "fencing";

/// Changed whenever [`work`] does something else than before.
const RECIPE: u32 = 1;

/// The step.
///
/// # Errors
///
/// If this program's own file cannot be found.
pub fn step(lab: &Lab) -> Result<Step> {
    Ok(Step {
        name: "kernelspec",
        what: "Kernel \"Rust (Fencing)\" for Jupyter",
        // The environment is part of it: the kernelspec lies in there and goes with it.
        fingerprint: format!(
            "recipe {RECIPE}\nprogram {}\n{}",
            program()?.display(),
            super::python::step(lab)?.fingerprint
        ),
        makes: file(lab),
    })
}

/// The file that Jupyter reads.
#[must_use]
pub fn file(lab: &Lab) -> PathBuf {
    lab.kernelspec().join("kernel.json")
}

/// Writes the file.
///
/// # Errors
///
/// If it cannot be written.
pub fn work(lab: &Lab) -> Result<()> {
    fs::create_dir_all(lab.kernelspec())
        .with_context(|| format!("could not create the folder {}", lab.kernelspec().display()))?;
    write_whole(&file(lab), &spec()?)
}

fn program() -> Result<PathBuf> {
    env::current_exe().context("could not find this program's own file")
}

fn spec() -> Result<String> {
    let spec = json!({
        "argv": [program()?.to_string_lossy(), "--control_file", "{connection_file}"],
        "display_name": "Rust (Fencing)",
        "language": "rust",
        // evcxr does not handle the signal that Jupyter would send otherwise.
        "interrupt_mode": "message",
    });
    Ok(format!("{spec:#}\n"))
}
