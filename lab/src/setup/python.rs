//! JupyterLab, in a Python virtual environment of the checkout's own.

use crate::paths::Lab;
use crate::steps::{Step, remove_folder_if_there, write_whole};
use anyhow::{Context, Result, bail};
use std::fs;
use std::process::{Command, Stdio};

/// The oldest Python that the pinned JupyterLab runs on.
pub const OLDEST: (u32, u32) = (3, 10);

/// Changed whenever [`work`] does something else than before.
const RECIPE: u32 = 1;

/// No news and no offers of newer versions in the corner of the page.
const SETTINGS: &str = r#"{
  "@jupyterlab/apputils-extension:notification": {
    "fetchNews": "false",
    "checkForUpdates": false
  }
}
"#;

/// The Python that the environment is made from.
#[derive(Debug)]
pub struct Interpreter {
    /// How it is called.
    pub program: &'static str,
    /// Its version, such as `3.12.1`.
    pub version: String,
    number: (u32, u32),
}

impl Interpreter {
    /// Looks for one, whatever its version.
    #[must_use]
    pub fn find() -> Option<Interpreter> {
        ["python3", "python"].into_iter().find_map(|program| {
            let output = Command::new(program)
                .args(["-c", "import platform; print(platform.python_version())"])
                .stderr(Stdio::null())
                .output()
                .ok()?;
            let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            let mut parts = version.split('.').map_while(|part| part.parse().ok());
            let number = (parts.next()?, parts.next()?);
            Some(Interpreter { program, version, number })
        })
    }

    /// Whether the pinned JupyterLab runs on it.
    #[must_use]
    pub fn is_recent(&self) -> bool {
        self.number >= OLDEST
    }

    /// Whether it can make virtual environments; Debian and Ubuntu deliver that part by itself.
    #[must_use]
    pub fn has_venv(&self) -> bool {
        Command::new(self.program)
            .args(["-c", "import venv, ensurepip"])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }
}

/// What mends a Python without `venv`.
pub const VENV_REMEDY: &str = "install it (on Debian and Ubuntu: `sudo apt install \
                               python3-venv`), then run `cargo lab setup`";

/// The step.
///
/// # Errors
///
/// If there is no Python that will do, or the requirements cannot be read.
pub fn step(lab: &Lab) -> Result<Step> {
    let python = usable()?;
    let requirements = fs::read_to_string(lab.requirements())
        .with_context(|| format!("could not read {}", lab.requirements().display()))?;
    let packages = requirements.lines().filter(|line| !line.starts_with('#'));
    let mut fingerprint = format!("recipe {RECIPE}\nPython {}\n", python.version);
    packages.for_each(|package| fingerprint.extend([package, "\n"]));
    Ok(Step {
        name: "python",
        what: "JupyterLab in a Python environment",
        fingerprint,
        makes: lab.python_program(),
    })
}

fn usable() -> Result<Interpreter> {
    let (major, minor) = OLDEST;
    let Some(python) = Interpreter::find() else {
        bail!("there is no `python3`: install Python {major}.{minor} or later with its venv module")
    };
    if !python.is_recent() {
        let version = python.version;
        bail!("Python {version} is too old for JupyterLab: install {major}.{minor} or later");
    }
    Ok(python)
}

/// Makes the environment afresh: half of an old one would be worse than none.
///
/// # Errors
///
/// If Python or pip fails, in words that say what to do.
pub fn work(lab: &Lab) -> Result<()> {
    let python = usable()?;
    if !python.has_venv() {
        bail!("Python {} has no `venv` module: {VENV_REMEDY}", python.version);
    }
    remove_folder_if_there(&lab.python())?;
    let made = Command::new(python.program).args(["-m", "venv"]).arg(lab.python()).status();
    if !made.context("could not start Python")?.success() {
        bail!("Python could not make a virtual environment: see above; {VENV_REMEDY}");
    }
    let installed = Command::new(lab.python_program())
        .args(["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "-r"])
        .arg(lab.requirements())
        .status();
    if !installed.context("could not start pip")?.success() {
        bail!(
            "pip could not install JupyterLab: if the lines above speak of connections, check the \
             network or proxy, then run `cargo lab setup` again"
        );
    }
    let settings = lab.python().join("share/jupyter/lab/settings");
    fs::create_dir_all(&settings)
        .with_context(|| format!("could not create the folder {}", settings.display()))?;
    write_whole(&settings.join("overrides.json"), SETTINGS)
}
