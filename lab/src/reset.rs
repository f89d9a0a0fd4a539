//! `cargo lab reset` and `cargo lab progress`: a notebook as it was, and what has been solved.

use crate::check;
use crate::paths::Lab;
use anyhow::{Context, Result, bail};
use clap::Args;
use fencing::workbook::cards::table;
use fencing::workbook::progress::Progress;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Which notebook.
#[derive(Debug, Args)]
pub struct Options {
    /// The notebook's number, such as 03
    #[arg(value_name = "NUMBER")]
    pub number: String,
}

/// Prints what has been solved.
pub fn print_progress(lab: &Lab) {
    print!("{}", table(&Progress::read(&lab.progress())));
}

/// Puts a notebook aside and writes it anew as the last commit has it. The progress stays.
///
/// # Errors
///
/// If there is no such notebook, or git does not have it.
pub fn main(lab: &Lab, options: &Options) -> Result<()> {
    let name = notebook(lab, &options.number)?;
    let fresh = as_committed(lab, &name)?;
    let path = lab.notebooks().join(&name);
    match fs::read(&path) {
        Ok(there) if there == fresh => {
            println!("{name} is as it was; there is nothing to do.");
            return Ok(());
        }
        Ok(_) => {
            let aside = free_name(&path);
            fs::rename(&path, &aside)
                .with_context(|| format!("could not put {} aside", path.display()))?;
            println!("The notebook that was there is now {}.", aside.display());
        }
        Err(_) => {}
    }
    fs::write(&path, fresh).with_context(|| format!("could not write {}", path.display()))?;
    println!("{name} is as it was. If it is open: File > Reload Notebook from Disk.");
    Ok(())
}

/// The name of the notebook with this number, from the files there are and those of the commit.
fn notebook(lab: &Lab, number: &str) -> Result<String> {
    let mut names = committed(lab)?;
    names.extend(check::notebooks(lab)?.iter().filter_map(|path| file_name(path)));
    names.sort();
    names.dedup();
    let number = format!("{number:0>2}_");
    let known = names.iter().map(|name| name.split('_').next().unwrap_or(name).to_owned());
    let known = known.collect::<Vec<_>>().join(", ");
    let found = names.into_iter().find(|name| name.starts_with(&number));
    found.with_context(|| format!("there is no notebook {}: there are {known}", &number[..2]))
}

fn committed(lab: &Lab) -> Result<Vec<String>> {
    let list = git(lab, &["ls-tree", "--name-only", "HEAD", "notebooks/"])?;
    let list = String::from_utf8_lossy(&list);
    let names = list.lines().filter_map(|path| file_name(Path::new(path)));
    Ok(names.filter(|name| name.ends_with(".ipynb")).collect())
}

fn as_committed(lab: &Lab, name: &str) -> Result<Vec<u8>> {
    git(lab, &["show", &format!("HEAD:./notebooks/{name}")])
}

fn git(lab: &Lab, arguments: &[&str]) -> Result<Vec<u8>> {
    let output = Command::new("git").arg("-C").arg(lab.root()).args(arguments).output();
    let output = output.context("there is no `git`, from which the notebook would come")?;
    if !output.status.success() {
        bail!("git does not have it: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(output.stdout)
}

/// `03_….mine.ipynb`, or with a number if that is taken.
fn free_name(path: &Path) -> PathBuf {
    let names = (1..).map(|number| match number {
        1 => path.with_extension("mine.ipynb"),
        number => path.with_extension(format!("mine-{number}.ipynb")),
    });
    names.into_iter().find(|name| !name.exists()).unwrap_or_else(|| path.with_extension("mine"))
}

fn file_name(path: &Path) -> Option<String> {
    path.file_name().map(|name| name.to_string_lossy().into_owned())
}
