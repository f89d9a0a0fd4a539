//! `cargo lab`: sets the workbook up, opens it, runs its notebooks, and is their kernel.
//!
//! One program plays every part, so that `Cargo.lock` pins the kernel as it pins the rest. Which
//! part it plays is decided in [`main`], in this order:
//!
//! 1. [`cells`]: the kernel starts this program again as the process in which cells run;
//! 2. [`kernel`]: Jupyter starts it with `--control_file`;
//! 3. [`cli`]: a person types `cargo lab …`.
//!
//! Reading order:
//!
//! | file | idea |
//! |---|---|
//! | [`paths`] | where everything of the environment is: in `.lab/`, nowhere else |
//! | [`steps`] | a step of the set-up: skipped when done, redone when interrupted or out of date |
//! | [`setup`] | the four steps: Rust's sources, Python, kernelspec, template |
//! | [`kernel`] | a kernel gets a folder of its own and leaves nothing behind |
//! | [`cells`] | what a cell prints reaches that cell, whole |
//! | [`jupyter`] | opens JupyterLab |
//! | [`run`] | runs notebooks over the Jupyter protocol and judges every cell |
//! | [`check`] | whether the notebooks and their exercises keep what they promise |
//! | [`reset`] | a notebook as it was, and what has been solved |
//! | [`book`] | the notebooks as a site of pages |
//! | [`doctor`] | says what is wrong with the environment, and the command that mends it |
//! | [`record`] | the pause meter |
//! | [`simulate`] | a run without Jupyter |
//! | [`sweep`] | a sweep from a file, or one shard of it |
//! | [`gather`] | the shards' files put together |
//! | [`pipe`] | what happens when nobody reads on |

pub mod book;
pub mod cells;
pub mod check;
pub mod cli;
pub mod doctor;
pub mod environment;
pub mod family;
pub mod gather;
pub mod jupyter;
pub mod kernel;
pub mod paths;
pub mod pipe;
pub mod record;
pub mod reset;
pub mod run;
pub mod setup;
pub mod simulate;
pub mod steps;
pub mod sweep;

use std::process::ExitCode;

/// Decides which part this process plays, plays it, and says how it ended.
///
/// The parts that the kernel and Jupyter start are recognised before the command line is parsed:
/// their arguments are fixed by evcxr and by Jupyter, not by us.
#[must_use]
pub fn main() -> ExitCode {
    if cells::is_wanted() {
        return cells::main();
    }
    evcxr::runtime_hook();
    let result = match kernel::control_file() {
        Some(control_file) => kernel::main(&control_file),
        None => cli::main(),
    };
    result.unwrap_or_else(|error| {
        eprintln!("{}", in_words(&error));
        ExitCode::FAILURE
    })
}

/// An error as a reader sees it: what went wrong, then why, without types or backtraces.
#[must_use]
pub fn in_words(error: &anyhow::Error) -> String {
    let mut text = format!("error: {error}");
    for cause in error.chain().skip(1) {
        text.push_str("\n  because: ");
        text.push_str(&cause.to_string());
    }
    text
}
