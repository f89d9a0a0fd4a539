//! What the tests share: the environment, and the program.

use lab::paths::{Lab, Library};
use lab::run::library_for;
use lab::setup::has_frames;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The `lab` program that this test was built with.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_lab");

/// The checkout, with its environment set up. That is done once, and other processes that do the
/// same wait for one another.
pub(crate) fn lab() -> &'static Lab {
    static LAB: OnceLock<Lab> = OnceLock::new();
    LAB.get_or_init(|| {
        let lab = Lab::here().expect("the checkout is where it was");
        let setup = Command::new(PROGRAM).arg("setup").output().expect("the program starts");
        assert!(setup.status.success(), "`cargo lab setup` failed:\n{}", all_text(&setup));
        lab
    })
}

/// The workbook's notebooks, without those that ask for data frames where these are not set up: to
/// compile them takes minutes. Where nothing may be left out, all of them.
pub(crate) fn notebooks() -> Vec<PathBuf> {
    let mut notebooks = lab::check::notebooks(lab()).expect("the notebooks are there");
    let all = env::var_os("NOTHING_SKIPPED").is_some() || has_frames(lab()).expect("the sources");
    notebooks.retain(|path| {
        let goes = all || library_for(std::slice::from_ref(path)) == Library::Plain;
        if !goes {
            eprintln!("NOT TESTED: {}, for which `cargo lab setup --frames`", path.display());
        }
        goes
    });
    notebooks
}

/// Runs `cargo lab` with these arguments.
pub(crate) fn cargo_lab<I, S>(arguments: I) -> Output
where
    I: IntoIterator<Item = S>,
    S: AsRef<std::ffi::OsStr>,
{
    lab();
    Command::new(PROGRAM).args(arguments).output().expect("the program starts")
}

/// What a program printed, on both channels.
pub(crate) fn all_text(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

/// A notebook that is there for the tests.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/notebooks").join(name)
}
