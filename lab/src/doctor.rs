//! `cargo lab doctor`: looks at everything that the environment needs, and names the command that
//! mends what is wrong.

use crate::paths::{Lab, Library};
use crate::setup::python::{self, Interpreter, OLDEST, VENV_REMEDY};
use crate::setup::{self, kernelspec, rust_sources, template};
use crate::steps::{State, Step};
use anyhow::Result;
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, ExitCode, Stdio};

/// The oldest Rust that compiles the workbook; the same as in `Cargo.toml`.
const OLDEST_RUST: (u32, u32) = (1, 95);
/// What the environment and a few kernels take, beside what is there already.
const NEEDED_BYTES: u64 = 2 * 1024 * 1024 * 1024;

const SETUP: &str = "cargo lab setup";

/// What a check found: in order, or what is wrong and what mends it.
type Finding = Result<String, Fault>;

struct Fault {
    what: String,
    remedy: String,
}

/// Looks at everything and prints a line for each; fails if anything is wrong.
///
/// # Errors
///
/// None so far; what is wrong is printed.
pub fn main(lab: &Lab) -> Result<ExitCode> {
    let mut findings = vec![
        ("Rust", rust()),
        ("Rust's sources", sources()),
        ("C linker", linker()),
        ("Python", interpreter()),
        ("disk", disk(lab)),
        ("port", port()),
        ("JupyterLab", step(lab, python::step(lab))),
        ("kernel", step(lab, kernelspec::step(lab))),
        ("template", step(lab, template::step(lab))),
    ];
    let frames = lab.with(Library::Frames);
    if setup::has_frames(lab).unwrap_or(false) {
        findings.push(("kernel with data frames", step(lab, kernelspec::step(&frames))));
        findings.push(("template with data frames", step(lab, template::step(&frames))));
    }
    let mut faults = 0;
    for (name, finding) in findings {
        match finding {
            Ok(detail) => println!("ok     {name}: {detail}"),
            Err(Fault { what, remedy }) => {
                faults += 1;
                println!("FAULT  {name}: {what}\n       to mend it: {remedy}");
            }
        }
    }
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn fault(what: impl Into<String>, remedy: impl Into<String>) -> Finding {
    Err(Fault { what: what.into(), remedy: remedy.into() })
}

fn rust() -> Finding {
    let Some(version) = first_line("rustc", "--version") else {
        return fault("there is no `rustc`", "install Rust, see https://rustup.rs");
    };
    let number = version.split(' ').nth(1).unwrap_or_default();
    let mut parts = number.split('.').map_while(|part| part.parse().ok());
    let number: (u32, u32) = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if number < OLDEST_RUST {
        let (major, minor) = OLDEST_RUST;
        return fault(format!("{version} is older than {major}.{minor}"), "rustup update stable");
    }
    Ok(version)
}

fn sources() -> Finding {
    match rust_sources::folder() {
        Ok(folder) if folder.exists() => Ok("the standard library's sources are there".to_owned()),
        Ok(_) => fault("the standard library's sources are missing", rust_sources::REMEDY),
        Err(error) => fault(error.to_string(), "install Rust, see https://rustup.rs"),
    }
}

fn linker() -> Finding {
    first_line("cc", "--version").map_or_else(
        || {
            let remedy = if cfg!(target_os = "macos") {
                "xcode-select --install"
            } else {
                "install a C compiler (on Debian and Ubuntu: sudo apt install build-essential)"
            };
            fault("there is no `cc`, which Rust links with", remedy)
        },
        Ok,
    )
}

fn interpreter() -> Finding {
    let (major, minor) = OLDEST;
    let Some(python) = Interpreter::find() else {
        return fault("there is no `python3`", format!("install Python {major}.{minor} or later"));
    };
    if !python.is_recent() {
        let what = format!("{} is older than {major}.{minor}", python.version);
        return fault(what, format!("install Python {major}.{minor} or later"));
    }
    if !python.has_venv() {
        return fault(format!("{} has no `venv` module", python.version), VENV_REMEDY);
    }
    Ok(format!("{} with venv", python.version))
}

fn disk(lab: &Lab) -> Finding {
    let free = match rustix::fs::statvfs(lab.root()) {
        Ok(data) => data.f_bavail * data.f_frsize,
        Err(error) => return fault(format!("could not ask for its free space: {error}"), "df -h"),
    };
    let gigabytes = free as f64 / 1e9;
    if free < NEEDED_BYTES {
        let remedy =
            "make room; `cargo clean` and removing .lab/ give back what this workbook took";
        return fault(format!("only {gigabytes:.1} GB are free, 2 are needed"), remedy);
    }
    Ok(format!("{gigabytes:.0} GB free"))
}

fn port() -> Finding {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, 0)) {
        Ok(_) => Ok("one can be opened on 127.0.0.1".to_owned()),
        Err(error) => fault(
            format!("none can be opened on 127.0.0.1: {error}"),
            "allow local connections, or end programs that listen on very many ports",
        ),
    }
}

fn step(lab: &Lab, step: Result<Step>) -> Finding {
    let step = match step {
        Ok(step) => step,
        Err(error) => return fault(error.to_string(), format!("mend that first, then {SETUP}")),
    };
    match step.state(&lab.steps()) {
        State::Done => Ok("set up, and up to date".to_owned()),
        State::Missing => fault("not set up", SETUP),
        State::OutOfDate(changed) => fault(format!("out of date: {changed}"), SETUP),
    }
}

fn first_line(program: &str, argument: &str) -> Option<String> {
    let output = Command::new(program).arg(argument).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then(|| text.lines().next().unwrap_or_default().to_owned())
}
