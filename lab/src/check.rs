//! `cargo lab check`: whether the notebooks keep what they promise.
//!
//! - [`text`]: what can be seen without running anything: links, words, minutes, no outputs.
//! - [`run`]: each notebook in a kernel of its own: it runs unsolved without an error, every
//!   starter is not attempted, every solution solves, every wrong answer is explained, and the
//!   numbers in the prose are those of the outputs.

pub mod run;
pub mod text;
pub mod wrong;

use crate::paths::Lab;
use crate::run::notebook::Notebook;
use anyhow::{Context, Result};
use clap::Args;
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// What is checked.
#[derive(Debug, Args)]
pub struct Options {
    /// Only the notebooks with these numbers, such as 03
    #[arg(value_name = "NUMBER")]
    pub numbers: Vec<String>,
    /// Only what can be seen without running anything
    #[arg(long)]
    pub text_only: bool,
}

impl Options {
    /// Whether the notebook with this number is run.
    fn runs(&self, number: &str) -> bool {
        !self.text_only && (self.numbers.is_empty() || self.numbers.iter().any(|n| n == number))
    }
}

/// A notebook with its name.
#[derive(Debug)]
pub struct Named {
    /// The name of its file.
    pub name: String,
    /// What is in it.
    pub notebook: Notebook,
}

impl Named {
    /// Its number, as in the ids of its exercises: `03`.
    #[must_use]
    pub fn number(&self) -> &str {
        number(&self.name)
    }
}

fn number(name: &str) -> &str {
    name.split('_').next().unwrap_or_default()
}

/// Checks, prints what is wrong, and succeeds if nothing is.
///
/// # Errors
///
/// If a notebook cannot be read, or a kernel does not start.
pub fn main(lab: &Lab, options: &Options) -> Result<ExitCode> {
    let all = read_all(lab)?;
    let mut faults = text::faults(lab, &all)?;
    println!("text: {} notebooks, {}", all.len(), count(faults.len()));
    let runtime = tokio::runtime::Runtime::new().context("could not start the async runtime")?;
    for named in all.iter().filter(|named| options.runs(named.number())) {
        let found = runtime.block_on(run::faults(lab, named))?;
        println!("{}: {}", named.name, count(found.len()));
        faults.extend(found);
    }
    for fault in &faults {
        eprintln!("FAULT  {fault}");
    }
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn count(faults: usize) -> String {
    match faults {
        0 => "ok".to_owned(),
        1 => "1 fault".to_owned(),
        faults => format!("{faults} faults"),
    }
}

/// The workbook's notebooks, in order; not what a reader has put beside them.
///
/// # Errors
///
/// If the folder cannot be listed.
pub fn notebooks(lab: &Lab) -> Result<Vec<PathBuf>> {
    let folder = lab.notebooks();
    let entries = fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.with_context(|| format!("could not list {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_numbered = name.starts_with(|first: char| first.is_ascii_digit());
        path.extension() == Some(OsStr::new("ipynb")) && is_numbered && !name.contains('.')
    });
    paths.sort();
    Ok(paths)
}

/// The notebooks that are run.
///
/// # Errors
///
/// If the folder cannot be listed.
pub fn chosen(lab: &Lab, options: &Options) -> Result<Vec<PathBuf>> {
    let mut paths = notebooks(lab)?;
    paths.retain(|path| {
        options.runs(number(&path.file_name().unwrap_or_default().to_string_lossy()))
    });
    Ok(paths)
}

fn read_all(lab: &Lab) -> Result<Vec<Named>> {
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Named { name, notebook: Notebook::read(&path)? })
    };
    notebooks(lab)?.into_iter().map(read).collect()
}
