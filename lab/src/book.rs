//! `cargo lab book`: the notebooks as a site of pages that need neither server nor network.
//!
//! Reading order:
//!
//! | file | idea |
//! |---|---|
//! | [`chapter`] | a notebook with its outputs, and what it says of itself |
//! | [`exercises`] | titles, hints, solutions; a notebook with its exercises solved |
//! | [`export`] | chapters become pages: a Python program that uses nbconvert |
//! | [`references`] | what a page links to, and what it would load |
//! | [`site`] | all pages together: no dead link, nothing from a network |

pub mod chapter;
pub mod exercises;
pub mod export;
pub mod references;
pub mod site;

use crate::paths::Lab;
use crate::run;
use crate::run::notebook::Notebook;
use crate::steps::remove_folder_if_there;
use anyhow::{Context, Result, bail};
use chapter::Chapter;
use clap::Args;
use exercises::Exercises;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// What to publish, and where.
#[derive(Debug, Args)]
pub struct Options {
    /// The notebooks [default: all in notebooks/]
    #[arg(value_name = "NOTEBOOK")]
    pub notebooks: Vec<PathBuf>,
    /// The folder for the site; an older site in it is replaced [default: target/book]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
}

/// How long one cell and one notebook may take.
const CELL_SECONDS: u64 = 120;
const NOTEBOOK_SECONDS: u64 = 900;

/// A line that every page of a site has. By it a site is told from a folder of somebody's own.
const GENERATOR: &str = "<meta name=\"generator\" content=\"cargo lab book\">";

/// Runs the notebooks and writes the site.
///
/// # Errors
///
/// If a cell fails, a page cannot be written, or a link leads nowhere.
pub fn main(lab: &Lab, options: &Options) -> Result<()> {
    let out = options.out.clone().unwrap_or_else(|| lab.root().join("target/book"));
    may_be_replaced(&out)?;
    let paths = chosen(lab, &options.notebooks)?;
    let folder = paths[0].parent().unwrap_or(Path::new("."));
    let exercises = Exercises::read(folder)?;
    let runtime = tokio::runtime::Runtime::new().context("could not start the async runtime")?;
    let chapters: Vec<Chapter> = paths
        .iter()
        .map(|path| runtime.block_on(run_chapter(lab, path, &exercises)))
        .collect::<Result<_>>()?;
    let pages = write(lab, &chapters, &exercises, &out)?;
    let index = out.canonicalize().unwrap_or(out).join("index.html");
    println!("\nThe book is {}: {pages} pages.", index.display());
    Ok(())
}

/// Writes the site of chapters that have been run, looks through it, and puts it in the place of an
/// older one; how many pages it has.
///
/// # Errors
///
/// If a page cannot be made or written, a link leads nowhere, or a page would load something.
pub fn write(lab: &Lab, chapters: &[Chapter], exercises: &Exercises, out: &Path) -> Result<usize> {
    may_be_replaced(out)?;
    let (unfinished, work) = (beside(out, ".unfinished"), beside(out, ".work"));
    for folder in [&unfinished, &work] {
        remove_folder_if_there(folder)?;
        fs::create_dir_all(folder)
            .with_context(|| format!("could not create the folder {}", folder.display()))?;
    }
    let exported = export::export(lab, chapters, exercises, &work, &unfinished);
    remove_folder_if_there(&work)?;
    exported?;
    let pages = site::check(&unfinished)?;
    remove_folder_if_there(out)?;
    fs::rename(&unfinished, out)
        .with_context(|| format!("could not put the site at {}", out.display()))?;
    Ok(pages)
}

/// The folder `out` with an ending, beside it.
fn beside(out: &Path, ending: &str) -> PathBuf {
    let mut name: OsString = out.components().as_path().as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Refuses to replace anything but an older site.
fn may_be_replaced(out: &Path) -> Result<()> {
    if out.file_name().is_none() {
        bail!("{} cannot be the folder for the book: name one that can be made", out.display());
    }
    let is_empty = fs::read_dir(out).map_or(!out.exists(), |mut entries| entries.next().is_none());
    let index = fs::read_to_string(out.join("index.html")).unwrap_or_default();
    if !is_empty && !index.contains(GENERATOR) {
        bail!("{} is there already and is no book: name another folder", out.display());
    }
    Ok(())
}

/// The notebooks that were asked for, in the order of their names.
///
/// # Errors
///
/// If one of them is not there, or they are not in one folder.
pub fn chosen(lab: &Lab, asked_for: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut paths = asked_for.to_vec();
    if paths.is_empty() {
        let entries = fs::read_dir(lab.notebooks())
            .with_context(|| format!("could not read {}", lab.notebooks().display()))?;
        paths.extend(entries.flatten().map(|entry| entry.path()));
        paths.retain(|path| path.extension() == Some(OsStr::new("ipynb")));
    }
    for path in &mut paths {
        let found = path.canonicalize();
        *path = found.with_context(|| format!("there is no notebook {}", path.display()))?;
    }
    paths.sort();
    paths.dedup();
    if paths.is_empty() {
        bail!("there is no notebook in {}", lab.notebooks().display());
    }
    if let Some(other) = paths.iter().find(|path| path.parent() != paths[0].parent()) {
        bail!("{} and {} are not in one folder", paths[0].display(), other.display());
    }
    Ok(paths)
}

/// Runs a notebook as it is, and, if it has exercises, once more with their solutions.
async fn run_chapter(lab: &Lab, path: &Path, exercises: &Exercises) -> Result<Chapter> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    // As a person would write it, for the lines that say how far it is.
    let here = env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(path);
    let notebook = Notebook::read(path)?;
    let solved = exercises.solve(&notebook).with_context(|| path.display().to_string())?;
    let plain = run_whole(lab, notebook, path).await?;
    let solved = match solved {
        Some(notebook) => {
            println!("{}: once more, with the solutions", path.display());
            Some(run_whole(lab, notebook, path).await?)
        }
        None => None,
    };
    Ok(Chapter { name, folder, plain, solved })
}

/// Runs a notebook; a cell that fails is an error.
async fn run_whole(lab: &Lab, notebook: Notebook, path: &Path) -> Result<Notebook> {
    let options = run::Options {
        notebooks: Vec::new(),
        save: None,
        cell_seconds: CELL_SECONDS,
        notebook_seconds: NOTEBOOK_SECONDS,
        timings: false,
    };
    let report = run::executed(lab, notebook, path, &options).await?;
    match report.failures.first() {
        Some(failure) => bail!("{}, {failure}", path.display()),
        None => Ok(report.executed),
    }
}
