//! The template: the folder that every new kernel starts from, with the library compiled in it.
//!
//! evcxr compiles a notebook's `:dep` lines by itself, without our `Cargo.lock`, in a folder of the
//! kernel's own, for minutes. So the set-up lets it do that once, and kernels start from what it
//! left.

use crate::environment;
use crate::kernel::{files, folder};
use crate::paths::{Lab, Library};
use crate::steps::{Step, remove_folder_if_there, write_whole};
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Changed whenever [`work`] does something else than before.
const RECIPE: u32 = 3;

/// What the library is compiled from, relative to the checkout.
const SOURCES: [&str; 6] = [
    "Cargo.toml",
    "Cargo.lock",
    "src",
    "notebooks/exercises.toml",
    "notebooks/follow_ups.toml",
    "notebooks/solutions",
];

/// What single notebooks ask for in their first cell beside the library, word for word. Each is
/// compiled for the template as well. Its version is the one in our `Cargo.lock`, so something in
/// this workspace must depend on it.
pub const MORE: [&str; 1] = [concat!(
    ":dep rusqlite = { version = \"0.43\", default-features = false, ",
    "features = [\"bundled\", \"fallible_uint\"] }"
)];

/// The first cell of every kernel, and the second of those that find the library compiled. evcxr
/// looks for them under these names.
const FIRST_CELL: (&str, &str) = ("init.evcxr", include_str!("first_cell.rs"));
const SECOND_CELL: (&str, &str) = ("prelude.rs", include_str!("second_cell.rs"));

/// What kernels call in the place of cargo, and of rustup, which they ask for cargo's place.
const TOOLS: [(&str, &str); 2] =
    [("cargo", include_str!("cargo.sh")), ("rustup", include_str!("rustup.sh"))];

/// In the template: which versions the library was compiled with. Whenever evcxr compiles a cell
/// without the library, cargo strikes them from `Cargo.lock`; the first cell puts them back.
/// Without them cargo would look for newer ones at every start, which takes a network, and compile
/// anew.
const LIBRARY_LOCK: &str = "library.lock";
/// In the template: which toolchain compiled it.
const TOOLCHAIN_FILE: &str = "toolchain";

/// The step.
///
/// # Errors
///
/// If the library's sources cannot be read, or there is no Rust compiler.
pub fn step(lab: &Lab) -> Result<Step> {
    Ok(Step {
        name: lab.named("template", "template-frames"),
        what: lab.named(
            "The library, compiled for the kernel",
            "The library with data frames, compiled for the kernel",
        ),
        fingerprint: format!(
            "recipe {RECIPE}\n{}library source {:016x}\nfirst cells {:016x}\n",
            toolchain()?,
            sources_hash(lab.root())?,
            hash_of(&(FIRST_CELL, SECOND_CELL, MORE, TOOLS)),
        ),
        makes: lab.template(),
    })
}

/// Compiles the library as a kernel would, in a folder beside the template, then exchanges the two.
///
/// # Errors
///
/// If the library cannot be compiled.
pub fn work(lab: &Lab) -> Result<()> {
    write_first_cells(lab)?;
    write_tools(lab)?;
    let unfinished = lab.template().with_extension("unfinished");
    remove_folder_if_there(&unfinished)?;
    start_from_what_there_is(lab, &unfinished)?;
    warm_up(lab, &unfinished)?;
    files::remove_kernels_own(&unfinished)?;
    copy(&unfinished.join("Cargo.lock"), &unfinished.join(LIBRARY_LOCK))?;
    write_whole(&unfinished.join(TOOLCHAIN_FILE), &toolchain()?)?;
    exchange(lab, &unfinished)
}

/// Writes the cells that kernels begin with, in the two folders from which evcxr takes them.
fn write_first_cells(lab: &Lab) -> Result<()> {
    let (plain, with_library) = (lab.first_cells(), lab.first_cells_with_library());
    let empty_core = lab.empty_library().join("core");
    for folder in [&plain, &with_library, &empty_core.join("src")] {
        fs::create_dir_all(folder)
            .with_context(|| format!("could not create the folder {}", folder.display()))?;
    }
    write_whole(
        &empty_core.join("Cargo.toml"),
        "[package]\nname = \"core\"\nedition = \"2024\"\n",
    )?;
    write_whole(&empty_core.join("src/lib.rs"), "")?;
    write_whole(&plain.join(FIRST_CELL.0), FIRST_CELL.1)?;
    let sources = super::rust_sources::folder()?;
    let first = format!(":env RUST_SRC_PATH={}\n{}", sources.display(), FIRST_CELL.1);
    let second = format!("{}\n{}", dependency(lab), SECOND_CELL.1);
    write_whole(&with_library.join(FIRST_CELL.0), &first)?;
    write_whole(&with_library.join(SECOND_CELL.0), &second)
}

fn write_tools(lab: &Lab) -> Result<()> {
    let folder = lab.tools();
    fs::create_dir_all(&folder)
        .with_context(|| format!("could not create the folder {}", folder.display()))?;
    for (name, script) in TOOLS {
        let file = folder.join(name);
        write_whole(&file, script)?;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755))
            .with_context(|| format!("could not make {} executable", file.display()))?;
    }
    Ok(())
}

/// The old template spares all but the library itself. With another compiler it is of no use.
///
/// Where there is none yet with data frames, the one without spares what both need.
fn start_from_what_there_is(lab: &Lab, to: &Path) -> Result<()> {
    let plain = lab.with(Library::Plain);
    let lab = if lab.template().exists() { lab } else { &plain };
    let compiled_by = fs::read_to_string(lab.template().join(TOOLCHAIN_FILE));
    if compiled_by.is_ok_and(|by| toolchain().is_ok_and(|now| by == now)) {
        folder::fill(lab, to)?;
    }
    fs::create_dir_all(to)
        .with_context(|| format!("could not create the folder {}", to.display()))?;
    copy(&plain.root().join("Cargo.lock"), &to.join(LIBRARY_LOCK))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("could not copy {}", from.display()))?;
    Ok(())
}

/// A process of its own, because evcxr takes its folder from the environment alone.
fn warm_up(lab: &Lab, folder: &Path) -> Result<()> {
    let mut command = Command::new(super::kernelspec::program()?);
    environment::of_a_kernel(&mut command, lab, folder);
    environment::with_library(&mut command, lab);
    let status = command.arg("warm-up").current_dir(lab.root()).status();
    if !status.context("could not start this program again")?.success() {
        bail!(
            "the library could not be compiled for the kernel: see above; if the lines speak of \
             connections, check the network, otherwise see whether `cargo build` works"
        );
    }
    Ok(())
}

/// The process that `warm_up` starts: a kernel without Jupyter, which runs the first cells, and
/// those that ask for more.
///
/// # Errors
///
/// If the library cannot be compiled.
pub fn compile_as_a_kernel() -> Result<()> {
    let fault = |error: evcxr::Error| anyhow::anyhow!("{error}");
    let (mut context, _outputs) = evcxr::CommandContext::new().map_err(fault)?;
    context.execute(":load_config --quiet").map_err(fault)?;
    for dependency in MORE {
        context.execute(&format!("{dependency}\n();")).map_err(fault)?;
    }
    Ok(())
}

/// The line with which a notebook asks for the library.
fn dependency(lab: &Lab) -> String {
    let features = lab.named("", ", features = [\"frames\"]");
    format!(":dep fencing = {{ path = {:?}{features} }}", lab.root().display().to_string())
}

fn exchange(lab: &Lab, new: &Path) -> Result<()> {
    let lock = File::create(lab.template_lock()).context("could not open the template's lock")?;
    lock.lock().context("could not lock the template")?;
    let old = lab.template().with_extension("old");
    remove_folder_if_there(&old)?;
    if lab.template().exists() {
        fs::rename(lab.template(), &old).context("could not put the old template aside")?;
    }
    fs::rename(new, lab.template()).context("could not put the new template in place")?;
    remove_folder_if_there(&old)
}

fn toolchain() -> Result<String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .output()
        .context("there is no `rustc`: install Rust, see https://rustup.rs")?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Names, sizes and times of the sources: the same that cargo looks at to tell whether what it has
/// compiled is still good.
fn sources_hash(root: &Path) -> Result<u64> {
    let mut files = Vec::new();
    for source in SOURCES {
        list_files(&root.join(source), &mut files)?;
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for path in files {
        let data =
            fs::metadata(&path).with_context(|| format!("could not look at {}", path.display()))?;
        (path.strip_prefix(root).ok(), data.len(), data.mtime(), data.mtime_nsec())
            .hash(&mut hasher);
    }
    Ok(hasher.finish())
}

fn list_files(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    for entry in entries.with_context(|| format!("could not list {}", path.display()))? {
        list_files(&entry.path(), files)?;
    }
    Ok(())
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
