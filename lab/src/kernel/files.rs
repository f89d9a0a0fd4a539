//! Which files of the template a kernel shares, and which it must have for itself.
//!
//! The template has thousands of files, most of their weight in compiled libraries that never
//! change. Those are shared, as hard links, so that a kernel starts in the blink of an eye. But a
//! file that a kernel writes to must be its own, or two kernels would write into one another: a
//! hard link is the same file under another name.

use crate::cells::FIRST_CELL;
use anyhow::{Context, Result};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The name of the package in which evcxr compiles cells.
const CELLS: &str = "ctx";
/// The one library that a kernel may compile anew, when its source has changed.
const LIBRARY: &str = "fencing";
/// What the compiler remembers of the cells.
const INCREMENTAL: &str = "incremental";

/// Compiled files that cargo and the compiler never write to again.
const COMPILED: [&str; 3] = ["rlib", "rmeta", "so"];

/// Copies the template to `to`, sharing what can be shared.
///
/// # Errors
///
/// If a file cannot be copied.
pub fn copy_template(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)
        .with_context(|| format!("could not create the folder {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("could not list {}", from.display()))? {
        let entry = entry.with_context(|| format!("could not list {}", from.display()))?;
        let name = entry.file_name();
        let (source, target) = (entry.path(), to.join(&name));
        if belongs_to_cells(&name.to_string_lossy()) {
            continue;
        }
        if source.is_dir() {
            copy_template(&source, &target)?;
        } else {
            copy_file(&source, &target)
                .with_context(|| format!("could not copy {}", source.display()))?;
        }
    }
    Ok(())
}

/// Removes from a folder in which evcxr has worked what belonged to that kernel alone.
///
/// # Errors
///
/// If something cannot be removed.
pub fn remove_kernels_own(folder: &Path) -> Result<()> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    for entry in entries.with_context(|| format!("could not list {}", folder.display()))? {
        let path = entry.path();
        match (belongs_to_cells(&entry.file_name().to_string_lossy()), path.is_dir()) {
            (true, true) => fs::remove_dir_all(&path)
                .with_context(|| format!("could not remove {}", path.display()))?,
            (true, false) => fs::remove_file(&path)
                .with_context(|| format!("could not remove {}", path.display()))?,
            (false, true) => remove_kernels_own(&path)?,
            (false, false) => {}
        }
    }
    Ok(())
}

/// Cells' code, compiled cells, and what is remembered of them, by the names that evcxr and cargo
/// give: `ctx-1f2e…`, `libctx-1f2e….so`, `ctx.d`, `libcode_3.so`.
fn belongs_to_cells(name: &str) -> bool {
    if [INCREMENTAL, FIRST_CELL].contains(&name) {
        return true;
    }
    let name = name.strip_prefix("lib").unwrap_or(name);
    let stem = name.split(['-', '.']).next().unwrap_or(name);
    stem == CELLS || stem.starts_with("code_")
}

fn copy_file(source: &Path, target: &Path) -> std::io::Result<()> {
    let data = fs::metadata(source)?;
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    let compiled = COMPILED.iter().any(|end| source.extension().is_some_and(|e| e == *end))
        || data.permissions().mode() & 0o111 != 0;
    if compiled && !name.contains(LIBRARY) && fs::hard_link(source, target).is_ok() {
        return Ok(());
    }
    fs::copy(source, target)?;
    // Cargo compares times to tell whether something is still good.
    let file = fs::File::options().write(true).open(target)?;
    file.set_modified(data.modified()?)
}

#[cfg(test)]
mod tests {
    use super::belongs_to_cells;

    #[test]
    fn what_belongs_to_cells_is_told_by_its_name() {
        for name in
            ["ctx-0a1b", "libctx-0a1b.so", "ctx.d", "libcode_12.so", "incremental", "first-cell"]
        {
            assert!(belongs_to_cells(name), "{name}");
        }
        for name in ["libserde-0a1b.rlib", "fencing-0a1b", "Cargo.toml", "context-0a1b"] {
            assert!(!belongs_to_cells(name), "{name}");
        }
    }
}
