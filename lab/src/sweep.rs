//! `cargo lab sweep`: runs a sweep that a file describes, or one shard of it.

use crate::steps::write_whole;
use anyhow::{Context, Result, bail};
use clap::Args;
use fencing::analysis::sweep::part::Origin;
use fencing::prelude::{Seed, Shard, Sweep, SweepFile, SweepPart};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What to run, and where to write what came of it.
#[derive(Debug, Args)]
pub struct Options {
    /// The sweep file, TOML: a scenario, knobs with their values, repeats, seed
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Run only one of N shares of the runs, the I-th from 1; `cargo lab gather` puts them together
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    pub shard: Shard,
    /// The CSV file to write, a line a run [default: a table of the cells, in the terminal]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// How many threads to use [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Replace the file, whatever is in it; a file that has these runs already is kept otherwise
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// Runs the sweep or the shard, and writes or prints what came of it.
///
/// # Errors
///
/// If the file is no sweep, a scenario cannot be run, or the result cannot be written.
pub fn main(options: &Options) -> Result<()> {
    let SweepFile { sweep, seed } = SweepFile::read(&options.file)?;
    // Not on the standard output, which may be the table itself.
    let mut sweep = sweep.telling(|line| eprintln!("{line}"));
    if let Some(threads) = options.threads {
        sweep = sweep.threads(threads.into());
    }
    if let Some(out) = &options.out
        && is_done(&sweep, seed, options, out)?
    {
        eprintln!("{} has all these runs already: nothing to do", out.display());
        return Ok(());
    }
    let start = Instant::now();
    let part = sweep.run_shard(seed, options.shard)?;
    let (runs, seconds) = (part.rows.rows.len(), start.elapsed().as_secs_f64());
    eprintln!("{}: {runs} runs in {seconds:.1} s", named(options.shard));
    give(&part, options.out.as_deref())
}

/// Writes the rows into the file, or prints a table of the cells.
///
/// # Errors
///
/// If the file cannot be written.
pub fn give(part: &SweepPart, out: Option<&Path>) -> Result<()> {
    match out {
        Some(out) => write_whole(out, &part.to_csv()),
        None if part.rows.rows.is_empty() => {
            println!("no runs");
            Ok(())
        }
        None => {
            print!("{}", part.rows.table()?);
            Ok(())
        }
    }
}

/// Looks at what is in the file already, before anything is run: a job that was started again need
/// not do its work again.
fn is_done(sweep: &Sweep, seed: Seed, options: &Options, out: &Path) -> Result<bool> {
    let Some(old) = look_at(out, options.force)? else { return Ok(false) };
    must_be_of(&old, &sweep.origin(seed)?, options.shard, out)?;
    Ok(old.is_complete())
}

/// The part that the file to be written holds already, if it may not simply be replaced.
///
/// # Errors
///
/// If the file cannot be written, or holds something else, which is not to be lost.
pub fn look_at(out: &Path, force: bool) -> Result<Option<SweepPart>> {
    let file = out.display();
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("could not write {file}: there is no folder {}", folder.display());
    }
    if out.is_dir() {
        bail!("could not write {file}: it is a folder");
    }
    if force || !out.exists() {
        return Ok(None);
    }
    let old = SweepPart::read(out).with_context(|| {
        format!("{file} is there already: name another file, or add --force to replace it")
    })?;
    Ok(Some(old))
}

/// What is in the file already must be of the same sweep, and the same share of it.
///
/// # Errors
///
/// If it is not.
pub fn must_be_of(old: &SweepPart, origin: &Origin, shard: Shard, out: &Path) -> Result<()> {
    if old.origin == *origin && old.shard == shard {
        return Ok(());
    }
    let (file, old) = (out.display(), named(old.shard));
    bail!(
        "{file} is there already and holds {old} of this or another sweep: name another file, or \
         add --force to replace it"
    )
}

fn named(shard: Shard) -> String {
    if shard == Shard::WHOLE { "the whole sweep".into() } else { format!("shard {shard}") }
}
