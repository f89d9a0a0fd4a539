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
/// The name by which a notebook asks for the kernel that has data frames.
pub const NAME_WITH_FRAMES: &str = "fencing-frames";

/// By this variable the kernelspec tells the kernel which library it is to have.
pub const LIBRARY: &str = "LAB_LIBRARY";
/// Its value for the library with data frames.
pub const FRAMES: &str = "frames";

/// Changed whenever [`work`] does something else than before.
const RECIPE: u32 = 3;

/// The step.
///
/// # Errors
///
/// If this program's own file cannot be found.
pub fn step(lab: &Lab) -> Result<Step> {
    Ok(Step {
        name: lab.named("kernelspec", "kernelspec-frames"),
        what: lab.named(
            "Kernel \"Rust (Fencing)\" for Jupyter",
            "Kernel \"Rust (Fencing, data frames)\" for Jupyter",
        ),
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
    write_whole(&file(lab), &spec(lab)?)
}

/// This program's own file. Where cargo has replaced it meanwhile, as it may during a long set-up,
/// Linux says so behind its name; the new one is there under the old name.
///
/// # Errors
///
/// If the file cannot be found.
pub fn program() -> Result<PathBuf> {
    let file = env::current_exe().context("could not find this program's own file")?;
    let name = file.to_string_lossy();
    Ok(name.strip_suffix(" (deleted)").map_or_else(|| file.clone(), PathBuf::from))
}

fn spec(lab: &Lab) -> Result<String> {
    let spec = json!({
        "argv": [program()?.to_string_lossy(), "--control_file", "{connection_file}"],
        "display_name": lab.named("Rust (Fencing)", "Rust (Fencing, data frames)"),
        "env": { LIBRARY: lab.named("plain", FRAMES) },
        "language": "rust",
        // evcxr does not handle the signal that Jupyter would send otherwise.
        "interrupt_mode": "message",
    });
    Ok(format!("{spec:#}\n"))
}
