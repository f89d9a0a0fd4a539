//! `cargo lab gather`: puts the shards of a sweep together.

use crate::sweep::{give, look_at, must_be_of};
use anyhow::Result;
use clap::Args;
use fencing::prelude::gather_files;
use std::path::PathBuf;

/// Which files, and where to write the whole.
#[derive(Debug, Args)]
pub struct Options {
    /// The files that `cargo lab sweep --shard I/N --out FILE` wrote, in any order
    #[arg(value_name = "PART", required = true)]
    pub parts: Vec<PathBuf>,
    /// The CSV file to write, exactly as one machine would have written it [default: a table of the
    /// cells, in the terminal]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace the file, whatever is in it
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// Puts the parts together, and writes or prints the whole.
///
/// # Errors
///
/// If a file is no part, the parts do not go together, or a run is missing; the message names it.
pub fn main(options: &Options) -> Result<()> {
    let gathered = gather_files(&options.parts)?;
    for remark in &gathered.remarks {
        eprintln!("note: {remark}");
    }
    let (parts, runs) = (options.parts.len(), gathered.whole.rows.rows.len());
    eprintln!("{runs} runs from {parts} files: the sweep is complete");
    if let Some(out) = &options.out
        && let Some(old) = look_at(out, options.force)?
    {
        must_be_of(&old, &gathered.whole.origin, gathered.whole.shard, out)?;
    }
    give(&gathered.whole, options.out.as_deref())
}
