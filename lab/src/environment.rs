//! The environment variables that a kernel gets.
//!
//! `cargo run` and `cargo test` hand many variables down to what they start, and a person may have
//! set others for their own builds. Some would change how cells are compiled, so that nothing that
//! was compiled for the template fits any more.

use crate::paths::Lab;
use fencing::workbook::progress::PROGRESS_FILE;
use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// Names the real cargo to the script that stands before it: see `setup/cargo.sh`.
const REAL_CARGO: &str = "LAB_CARGO";
/// What the search path was before that script was put there. Cells get it back.
pub const REAL_PATH: &str = "LAB_PATH";

/// Variables that change how cargo builds.
const DISTURBING: [&str; 11] = [
    "CARGO",
    "CARGO_CRATE_NAME",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_INCREMENTAL",
    "CARGO_PRIMARY_PACKAGE",
    "CARGO_TARGET_DIR",
    "CARGO_TARGET_TMPDIR",
    "RUSTC",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "RUSTFLAGS",
];

/// The same for whole families of variables.
const DISTURBING_FAMILIES: [&str; 6] =
    ["CARGO_BIN_", "CARGO_BUILD_", "CARGO_MANIFEST_", "CARGO_PKG_", "CARGO_PROFILE_", "EVCXR_"];

/// Whether a variable would change how cells are compiled.
#[must_use]
pub fn disturbs(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    DISTURBING.contains(&&*name)
        || DISTURBING_FAMILIES.iter().any(|family| name.starts_with(family))
}

/// Gives `command` the environment of a kernel that works in `folder`.
pub fn of_a_kernel(command: &mut Command, lab: &Lab, folder: &Path) {
    for (name, _) in env::vars_os().filter(|(name, _)| disturbs(name)) {
        command.env_remove(name);
    }
    command.env("EVCXR_TMPDIR", folder).env("EVCXR_CONFIG_DIR", lab.first_cells());
    // evcxr_jupyter brings an installed kernelspec named `rust` up to date whenever it starts. This
    // is where it looks for one, and here there is none: a user's own must not be touched.
    command.env("JUPYTER_PATH", lab.jupyter());
    // Whoever runs notebooks without a reader names another file, or none by an empty name.
    if env::var_os(PROGRESS_FILE).is_none() {
        command.env(PROGRESS_FILE, lab.progress());
    }
    name_the_tools(command);
    stand_before_cargo(command, lab);
}

/// Lets the kernel load the library while it starts, so that the reader need not wait for it later.
///
/// Before it runs its first cell, evcxr reads the sources of Rust's standard library, to know the
/// types of variables, and once more when it has loaded another library. The first reading, of two
/// seconds, is wasted; so at first it finds a standard library that is empty. The first cell then
/// tells it where the real one is.
pub fn with_library(command: &mut Command, lab: &Lab) {
    command.env("EVCXR_CONFIG_DIR", lab.first_cells_with_library());
    command.env("RUST_SRC_PATH", lab.empty_library());
}

/// Lets evcxr find the script in the place of cargo.
fn stand_before_cargo(command: &mut Command, lab: &Lab) {
    let real = env::var_os(REAL_PATH).or_else(|| env::var_os("PATH")).unwrap_or_default();
    let tools = std::iter::once(lab.tools()).chain(env::split_paths(&real));
    if let Ok(path) = env::join_paths(tools) {
        command.env("PATH", path).env(REAL_PATH, real);
    }
}

/// Names cargo and rustc by their own paths. Otherwise rustup's stand-ins look the toolchain up at
/// every call, of which the kernel's start has dozens.
fn name_the_tools(command: &mut Command) {
    let Ok(output) = Command::new("rustc").args(["--print", "sysroot"]).output() else { return };
    let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    for (variable, tool) in [("CARGO", "bin/cargo"), ("RUSTC", "bin/rustc")] {
        let path = Path::new(&sysroot).join(tool);
        if path.is_file() {
            command.env(variable, &path);
        }
        if variable == "CARGO" {
            command.env(REAL_CARGO, path);
        }
    }
}
