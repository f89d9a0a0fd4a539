//! `cargo lab run`: runs notebooks through the real kernel, as Jupyter does, and judges every cell.
//!
//! JupyterLab itself is no judge: evcxr reports a cell that panicked as a success.

pub mod client;
mod connect;
pub mod notebook;
pub mod output;
pub mod timings;
pub mod verdict;

use crate::paths::{Lab, Library};
use crate::setup::kernelspec;
use anyhow::{Context, Result, bail};
use clap::Args;
use client::{Kernel, Stop};
use notebook::{Cell, Notebook};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use verdict::Failure;

/// How notebooks are run.
#[derive(Debug, Args)]
pub struct Options {
    /// The notebooks, run one after another, each in a kernel of its own
    #[arg(required = true, value_name = "NOTEBOOK")]
    pub notebooks: Vec<PathBuf>,
    /// Write copies with outputs into this folder; the notebooks themselves are never changed
    #[arg(long, value_name = "FOLDER")]
    pub save: Option<PathBuf>,
    /// How long one cell may take
    #[arg(long, value_name = "N", default_value_t = 120,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub cell_seconds: u64,
    /// How long one notebook may take
    #[arg(long, value_name = "N", default_value_t = 900,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub notebook_seconds: u64,
    /// Measure, too: from the kernel's start to the first picture, and from running a changed cell
    /// to its picture
    #[arg(long)]
    pub timings: bool,
}

/// What running one notebook gave.
#[derive(Debug)]
pub struct Report {
    /// The notebook with the outputs of this run.
    pub executed: Notebook,
    /// What failed, in the order of the cells.
    pub failures: Vec<Failure>,
    /// From the kernel's start to the first picture, if there was one.
    pub first_picture: Option<Duration>,
    /// From running each cell with a picture, changed, to that picture. Empty unless asked for.
    pub changed_cells: Vec<Duration>,
}

/// Runs the notebooks, prints a line for each cell, and succeeds if no cell failed.
///
/// # Errors
///
/// If a notebook cannot be read or its copy not be written, or a kernel does not start.
pub fn main(lab: &Lab, options: &Options) -> Result<ExitCode> {
    let copies = check_copies(options)?;
    let runtime = tokio::runtime::Runtime::new().context("could not start the async runtime")?;
    let mut failures = Vec::new();
    for (path, copy) in options.notebooks.iter().zip(&copies) {
        let name = path.display().to_string();
        let report = runtime.block_on(notebook(lab, path, options))?;
        if let Some(copy) = copy {
            report.executed.write(copy)?;
            println!("{name}: the copy with outputs is {}", copy.display());
        }
        timings::print(&name, &report, options.timings);
        failures.extend(report.failures.into_iter().map(|failure| (name.clone(), failure)));
    }
    if failures.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("\n{} failed:", count(failures.len(), "cell"));
    for (name, failure) in &failures {
        eprintln!("\n{name}, {failure}");
    }
    Ok(ExitCode::FAILURE)
}

/// The library with which all notebooks can run, so that it can be set up before.
#[must_use]
pub fn library_for(notebooks: &[PathBuf]) -> Library {
    let wanted = |path: &PathBuf| Notebook::read(path).map(|notebook| library(&notebook)).ok();
    let frames = notebooks.iter().any(|path| wanted(path) == Some(Library::Frames));
    if frames { Library::Frames } else { Library::Plain }
}

/// The library that a notebook asks for, by the name of its kernel.
#[must_use]
pub fn library(notebook: &Notebook) -> Library {
    match notebook.kernel() {
        Some(kernelspec::NAME_WITH_FRAMES) => Library::Frames,
        _ => Library::Plain,
    }
}

/// Runs one notebook in a kernel of its own, which is ended whatever happens.
///
/// # Errors
///
/// If the notebook cannot be read, or its kernel does not start.
pub async fn notebook(lab: &Lab, path: &Path, options: &Options) -> Result<Report> {
    let notebook = Notebook::read(path)?;
    executed(lab, notebook, path, options).await
}

/// Runs a notebook as if it stood in the file `path`.
///
/// # Errors
///
/// If there is no such file, or the kernel does not start.
pub async fn executed(
    lab: &Lab,
    notebook: Notebook,
    path: &Path,
    options: &Options,
) -> Result<Report> {
    let folder = path.canonicalize().ok().and_then(|path| path.parent().map(Path::to_owned));
    let folder = folder.with_context(|| format!("could not find {}", path.display()))?;
    let start = Instant::now();
    let mut kernel = Kernel::start(&lab.with(library(&notebook)), &folder).await?;
    let mut session = Session {
        name: path.display().to_string(),
        options,
        start,
        report: Report {
            executed: notebook,
            failures: Vec::new(),
            first_picture: None,
            changed_cells: Vec::new(),
        },
    };
    tokio::select! {
        () = session.run(&mut kernel) => {}
        _ = tokio::signal::ctrl_c() => {
            kernel.end().await;
            bail!("stopped by Ctrl-C");
        }
    }
    kernel.end().await;
    Ok(session.report)
}

/// A notebook while it runs.
struct Session<'a> {
    name: String,
    options: &'a Options,
    start: Instant,
    report: Report,
}

impl Session<'_> {
    async fn run(&mut self, kernel: &mut Kernel) {
        let cells = self.report.executed.code_cells();
        let number_of_cells = cells.len();
        for cell in &cells {
            let goes_on = self.run_cell(kernel, cell, number_of_cells).await;
            if !goes_on {
                return;
            }
        }
        if self.options.timings && self.report.failures.is_empty() {
            let limit = Duration::from_secs(self.options.cell_seconds);
            self.report.changed_cells = timings::changed_cells(kernel, &cells, limit).await;
        }
    }

    /// Runs a cell; whether the kernel can go on with the next one.
    async fn run_cell(&mut self, kernel: &mut Kernel, cell: &Cell, of: usize) -> bool {
        let left =
            Duration::from_secs(self.options.notebook_seconds).saturating_sub(self.start.elapsed());
        let limit = left.min(Duration::from_secs(self.options.cell_seconds));
        let before = Instant::now();
        let (ran, stop) = kernel.execute(&cell.source, limit).await;
        let seconds = before.elapsed().as_secs_f64();
        if let Some(at) = ran.picture_at {
            self.report.first_picture.get_or_insert(at.duration_since(self.start));
        }
        let failures = verdict::judge(cell, &ran, stop.as_ref());
        let remark = match failures.first() {
            Some(failure) => format!("FAILED: {}", failure.kind),
            None if ran.picture_at.is_some() => "picture".to_owned(),
            None => String::new(),
        };
        println!("{}  cell {:>2} of {of}  {seconds:7.2} s  {remark}", self.name, cell.number);
        self.report.executed.set_outputs(cell, &ran);
        self.report.failures.extend(failures);
        matches!(stop, None | Some(Stop::CellsLost))
    }
}

/// Where each executed copy goes, if they are wanted; refuses what would overwrite a notebook.
fn check_copies(options: &Options) -> Result<Vec<Option<PathBuf>>> {
    let Some(folder) = &options.save else { return Ok(vec![None; options.notebooks.len()]) };
    fs::create_dir_all(folder)
        .with_context(|| format!("could not create the folder {}", folder.display()))?;
    let folder = folder
        .canonicalize()
        .with_context(|| format!("could not find the folder {}", folder.display()))?;
    let mut copies: Vec<Option<PathBuf>> = Vec::new();
    for path in &options.notebooks {
        let source = path
            .canonicalize()
            .with_context(|| format!("there is no notebook {}", path.display()))?;
        let name = path.file_name().with_context(|| format!("{} is no file", path.display()))?;
        let copy = folder.join(name);
        if copy.canonicalize().is_ok_and(|copy| copy == source) || is_same_file(&copy, &source) {
            bail!("--save would overwrite {}: name another folder", path.display());
        }
        if copies.contains(&Some(copy.clone())) {
            bail!("two notebooks are called {}: save them one by one", name.display());
        }
        copies.push(Some(copy));
    }
    Ok(copies)
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| fs::metadata(path).ok().map(|data| (data.dev(), data.ino()));
    identity(a).is_some_and(|a| identity(b) == Some(a))
}

fn count(number: usize, of: &str) -> String {
    format!("{number} {of}{}", if number == 1 { "" } else { "s" })
}
