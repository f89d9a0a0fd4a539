//! What the tests share: the environment, and the program.

use lab::paths::Lab;
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
