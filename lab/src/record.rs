//! `cargo lab record`: the pause meter.
//!
//! A thread that wants to wake every millisecond notes by how much it wakes too late. That is a
//! pause as a client sees it, whatever the reason: other programs, a suspended machine, a debugger.

use anyhow::{Context, Result};
use clap::Args;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// How often the thread wants to wake.
const PERIOD: Duration = Duration::from_millis(1);

/// What to record, and where.
#[derive(Debug, Args)]
pub struct Options {
    /// How long to measure
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub seconds: u32,
    /// The CSV file to write [default: the terminal]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The shortest pause to write down, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1.0, value_parser = shortest)]
    pub at_least_ms: f64,
    /// Replace the file if it is there already
    #[arg(long)]
    pub force: bool,
}

/// One pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// When the thread should have woken, from the start of the recording.
    pub start: Duration,
    /// By how much it woke too late.
    pub length: Duration,
}

fn shortest(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.01..=60_000.0).contains(&value) => Ok(value),
        _ => Err("it must be a number from 0.01 to 60000".to_owned()),
    }
}

/// Records pauses into a file, or prints them.
///
/// # Errors
///
/// If the file cannot be written, or is there already.
pub fn main(options: &Options) -> Result<()> {
    let (mut out, place): (Box<dyn Write>, String) = match &options.out {
        Some(file) => (Box::new(open(file, options.force)?), file.display().to_string()),
        None => (Box::new(std::io::stdout().lock()), "the output".to_owned()),
    };
    let place = place.as_str();
    let written = |error: std::io::Error| anyhow::anyhow!("could not write {place}: {error}");
    write_header(&mut out, options).map_err(written)?;
    // Not on the standard output, which may be the recording itself.
    eprintln!("Measuring for {} s ...", options.seconds);
    let span = Duration::from_secs(options.seconds.into());
    let at_least = Duration::from_secs_f64(options.at_least_ms / 1e3);
    let (mut number, mut longest) = (0_u64, Duration::ZERO);
    // Another thread writes: waiting for the disk would itself look like a pause.
    let (sender, pauses) = mpsc::channel();
    let meter = thread::spawn(move || measure(span, at_least, |pause| sender.send(pause).is_ok()));
    for pause in pauses {
        write_pause(&mut out, pause).map_err(written)?;
        number += 1;
        longest = longest.max(pause.length);
    }
    meter.join().map_err(|_| anyhow::Error::msg("the meter's thread died"))?;
    out.flush().map_err(written)?;
    eprintln!("{number} pauses, the longest {:.3} ms, in {place}", longest.as_secs_f64() * 1e3);
    Ok(())
}

/// Notes every wake that comes too late by `at_least` or more, until `span` is over or nobody
/// listens any more.
pub fn measure(span: Duration, at_least: Duration, mut note: impl FnMut(Pause) -> bool) {
    let start = Instant::now();
    let mut due = start + PERIOD;
    while due < start + span {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let now = Instant::now();
        let length = now.saturating_duration_since(due);
        if length >= at_least && !note(Pause { start: due - start, length }) {
            return;
        }
        // A long pause is one pause, and not a missed wake for each of its milliseconds.
        due = now.max(due) + PERIOD;
    }
}

fn open(path: &Path, replace: bool) -> Result<BufWriter<File>> {
    let mut how = File::options();
    how.write(true).create(true).truncate(replace).create_new(!replace);
    let file = how.open(path).with_context(|| {
        if path.exists() {
            format!("{} is there already: name another file, or add --force", path.display())
        } else {
            format!("could not write {}: does its folder exist?", path.display())
        }
    })?;
    Ok(BufWriter::new(file))
}

/// Says what it was measured on: without that, the numbers mean little. The machine's name is no
/// part of it.
fn write_header(out: &mut impl Write, options: &Options) -> std::io::Result<()> {
    let system = rustix::system::uname();
    let cores = thread::available_parallelism().map_or(0, usize::from);
    writeln!(out, "# by how much a thread woke too late that wants to wake every millisecond")?;
    writeln!(
        out,
        "# system: {} {} {}",
        system.sysname().to_string_lossy(),
        version(&system.release().to_string_lossy()),
        system.machine().to_string_lossy()
    )?;
    writeln!(out, "# processor: {} ({cores} cores)", processor())?;
    writeln!(out, "# date: {}", humantime::format_rfc3339_seconds(SystemTime::now()))?;
    writeln!(out, "# measured for: {} s", options.seconds)?;
    writeln!(out, "# pauses of at least: {} ms", options.at_least_ms)?;
    writeln!(out, "start_s,length_ms")
}

/// The version of a kernel release, without what the builder of the kernel added to it.
fn version(release: &str) -> &str {
    release.split('-').next().unwrap_or(release)
}

fn write_pause(out: &mut impl Write, pause: Pause) -> std::io::Result<()> {
    writeln!(out, "{:.6},{:.3}", pause.start.as_secs_f64(), pause.length.as_secs_f64() * 1e3)
}

fn processor() -> String {
    let linux = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let mac = || {
        let output =
            Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    linux.or_else(mac).filter(|name| !name.is_empty()).unwrap_or_else(|| "unknown".to_owned())
}
