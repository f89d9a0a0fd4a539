//! A kernel's own folder: claimed at its start, removed at its end.
//!
//! Two kernels in one folder would compile into each other's way. A kernel that was killed cannot
//! remove its folder, so the next one to start does. Beside each folder lies a file that the
//! kernel's guard holds locked. The operating system lets go of the lock whatever the guard dies
//! of, so a folder whose file is not locked has no kernel any more.

use super::files;
use crate::paths::Lab;
use crate::steps::{remove_file_if_there, remove_folder_if_there};
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// The folder of one running kernel; dropping it removes the folder.
#[derive(Debug)]
pub struct KernelFolder {
    path: PathBuf,
    _in_use: File,
}

impl KernelFolder {
    /// Makes a new, empty folder for this process, after removing those of dead kernels.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub fn claim(lab: &Lab) -> Result<KernelFolder> {
        let _alone = lock(lab)?;
        remove_dead(lab)?;
        let number = Uuid::new_v4().simple().to_string();
        let path = lab.kernels().join(format!("{}-{}", std::process::id(), &number[..8]));
        let in_use = File::create(in_use_file(&path))
            .and_then(|file| file.lock().map(|()| file))
            .with_context(|| format!("could not claim {}", path.display()))?;
        fs::create_dir(&path)
            .with_context(|| format!("could not create the folder {}", path.display()))?;
        Ok(KernelFolder { path, _in_use: in_use })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for KernelFolder {
    fn drop(&mut self) {
        // What fails here is done by the next kernel.
        let _ = remove(&self.path);
    }
}

/// Removes the folders of dead kernels.
///
/// # Errors
///
/// If the folders cannot be listed.
pub fn sweep(lab: &Lab) -> Result<()> {
    let _alone = lock(lab)?;
    remove_dead(lab)
}

/// Fills a folder with what the template has compiled.
///
/// # Errors
///
/// If there is no template, or it cannot be copied.
pub fn fill(lab: &Lab, folder: &Path) -> Result<()> {
    let lock = File::create(lab.template_lock()).context("could not open the template's lock")?;
    lock.lock_shared().context("could not lock the template")?;
    if !lab.template().exists() {
        let setup = lab.named("cargo lab setup", "cargo lab setup --frames");
        bail!("the environment is not set up: run `{setup}`");
    }
    files::copy_template(&lab.template(), folder)
}

/// Claiming and sweeping exclude each other: between them a folder may exist whose file is not
/// locked yet.
fn lock(lab: &Lab) -> Result<File> {
    fs::create_dir_all(lab.kernels())
        .with_context(|| format!("could not create the folder {}", lab.kernels().display()))?;
    let lock = File::create(lab.kernels_lock()).context("could not open the kernels' lock")?;
    lock.lock().context("could not lock the kernels' folders")?;
    Ok(lock)
}

fn remove_dead(lab: &Lab) -> Result<()> {
    let entries = fs::read_dir(lab.kernels()).context("could not list the kernels' folders")?;
    for entry in entries.flatten() {
        let folder = entry.path().with_extension("");
        if !is_alive(&folder) {
            // A compiler may still be writing there; then it is removed next time.
            let _ = remove(&folder);
        }
    }
    Ok(())
}

fn is_alive(folder: &Path) -> bool {
    File::open(in_use_file(folder)).is_ok_and(|file| file.try_lock().is_err())
}

fn in_use_file(folder: &Path) -> PathBuf {
    folder.with_extension("in-use")
}

fn remove(folder: &Path) -> Result<()> {
    remove_folder_if_there(folder)?;
    remove_file_if_there(&in_use_file(folder))
}
