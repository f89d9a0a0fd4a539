//! The sources of Rust's standard library, which the kernel reads to know the types of variables.
//!
//! Without them evcxr asks rustup for them by itself, silently, at every start of a kernel. They
//! are the one part that lies outside the checkout: in the folder of the Rust toolchain.

use crate::steps::Step;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Command;

/// What mends missing sources.
pub const REMEDY: &str = "rustup component add rust-src";

/// The step, or nothing if no step is needed because the sources are there.
///
/// # Errors
///
/// If there is no Rust compiler.
pub fn step() -> Result<Option<Step>> {
    let folder = folder()?;
    if folder.exists() {
        return Ok(None);
    }
    Ok(Some(Step {
        name: "rust-sources",
        what: "Sources of Rust's standard library (rustup component rust-src)",
        fingerprint: folder.display().to_string(),
        makes: folder,
    }))
}

/// Where the sources are, or would be.
///
/// # Errors
///
/// If there is no Rust compiler.
pub fn folder() -> Result<PathBuf> {
    let output = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .context("there is no `rustc`: install Rust, see https://rustup.rs")?;
    let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(PathBuf::from(sysroot).join("lib/rustlib/src/rust/library"))
}

/// Asks rustup for the sources.
///
/// # Errors
///
/// If there is no rustup, or it fails.
pub fn work() -> Result<()> {
    let status = Command::new("rustup").args(["component", "add", "rust-src"]).status().context(
        "this Rust was not installed by rustup: install the package with the sources of its \
         standard library (often called rust-src), then run `cargo lab setup` again",
    )?;
    if !status.success() {
        bail!("rustup could not add the component: see above, then run `{REMEDY}`");
    }
    Ok(())
}
