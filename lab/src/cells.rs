//! The process that runs cells, and what stands between it and the kernel.
//!
//! evcxr's kernel starts this program a second time to run what it has compiled, reads that
//! process's standard output line by line for results, and its standard error by the way. Two
//! things get lost like that: lines on standard error that arrive after the cell has ended, and the
//! end of the cell itself if the last line that it printed was not complete.
//!
//! So the process that the kernel starts is only a relay. It starts the program once more, as the
//! one that does run the cells, with standard output and standard error joined in a single pipe,
//! and passes on complete lines in the order in which they were written.

use crate::environment::REAL_PATH;
use crate::family;
use anyhow::{Context, Result};
use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, PipeReader, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Set by evcxr for the process that is to run cells.
const EVCXR_WANTS_CELLS: &str = "EVCXR_IS_RUNTIME";
/// Set by the relay for the process that does: the relay's own process number.
const RELAY: &str = "LAB_RELAY";

/// How evcxr orders a cell to be run.
const RUN: &str = "LOAD_AND_RUN ";
/// In a kernel's folder: the order that ran its first cell.
pub const FIRST_CELL: &str = "first-cell";
/// What evcxr reads on a line of its own: a cell has ended, it panicked, it met an error at a `?`,
/// it shows something.
const END_OF_CELL: &str = "EVCXR_EXECUTION_COMPLETE";
const PANIC: &str = "EVCXR_PANIC_NOTIFICATION";
const QUESTION_MARK: &str = "EVCXR_ERROR_OCCURRED";
const SHOW: &str = "EVCXR_BEGIN_CONTENT ";
const END_OF_SHOW: &str = "EVCXR_END_CONTENT";

/// Marks the box that says that a cell was ended by a `?`; the notebook runner looks for it.
pub const QUESTION_MARK_BOX: &str = "data-question-mark";

/// How long the last output may take to arrive once the process has ended. Something else that a
/// cell started may still hold the pipe, so its end is no sign.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Whether evcxr has started this process to run cells.
#[must_use]
pub fn is_wanted() -> bool {
    env::var_os(EVCXR_WANTS_CELLS).is_some()
}

/// Runs cells, or stands between them and the kernel.
#[must_use]
pub fn main() -> ExitCode {
    if let Some(relay) = env::var(RELAY).ok().and_then(|number| number.parse().ok()) {
        family::end_with(relay);
        // Runs cells until the kernel closes standard input, and does not come back.
        evcxr::runtime_hook();
    }
    relay().unwrap_or_else(|error| {
        println!("{}", crate::in_words(&error));
        ExitCode::FAILURE
    })
}

fn relay() -> Result<ExitCode> {
    family::end_with(std::os::unix::process::parent_id());
    let (reader, writer) = io::pipe().context("could not make a pipe")?;
    let mut child = Command::new(env::current_exe().context("this program's file is gone")?)
        .args(env::args_os().skip(1))
        .env(RELAY, std::process::id().to_string())
        // evcxr asks for backtraces, but they show its own machinery, not the reader's code.
        .env("RUST_BACKTRACE", "0")
        .env("PATH", env::var_os(REAL_PATH).or_else(|| env::var_os("PATH")).unwrap_or_default())
        .stdin(Stdio::piped())
        .stdout(writer.try_clone().context("could not share a pipe")?)
        .stderr(writer)
        .spawn()
        .context("could not start the process that runs cells")?;
    let mut orders = child.stdin.take().context("the process that runs cells is deaf")?;
    let first_cell = FirstCell::of_this_kernel();
    let repeated = first_cell.repeat(&mut orders);
    let (all_passed_on, wait) = mpsc::channel();
    thread::spawn(move || {
        let _ = pass_on(reader, &mut io::stdout().lock(), repeated);
        let _ = all_passed_on.send(());
    });
    thread::spawn(move || pass_on_orders(orders, first_cell));
    let status = child.wait().context("could not wait for the process that runs cells")?;
    let _ = wait.recv_timeout(LAST_WORDS);
    Ok(exit_code(status))
}

/// Passes on what the kernel orders. When the kernel closes its end, so does this.
fn pass_on_orders(mut orders: ChildStdin, mut first_cell: FirstCell) -> io::Result<()> {
    for line in io::stdin().lines() {
        let line = line?;
        first_cell.remember(&line);
        writeln!(orders, "{line}")?;
        orders.flush()?;
    }
    Ok(())
}

/// The cell that installs the panic hook. An interrupt ends the process that runs cells and evcxr
/// starts another, but does not run this cell again; so the relay does.
struct FirstCell {
    /// Where the order to run it is kept.
    file: Option<PathBuf>,
    /// How many orders to run something came so far.
    orders: u32,
}

impl FirstCell {
    /// evcxr runs a cell of its own before it, to see whether all is well.
    const NUMBER: u32 = 2;

    fn of_this_kernel() -> FirstCell {
        let folder = env::var_os("EVCXR_TMPDIR").map(PathBuf::from);
        FirstCell { file: folder.map(|folder| folder.join(FIRST_CELL)), orders: 0 }
    }

    /// Runs it again, if it has run before; whether it does.
    fn repeat(&self, orders: &mut ChildStdin) -> bool {
        let order = self.file.as_ref().and_then(|file| fs::read_to_string(file).ok());
        order.is_some_and(|order| writeln!(orders, "{order}").is_ok())
    }

    fn remember(&mut self, line: &str) {
        self.orders += u32::from(line.starts_with(RUN));
        if let Some(file) = self.file.take_if(|file| self.orders == Self::NUMBER && !file.exists())
        {
            let _ = fs::write(file, line);
        }
    }
}

/// Passes on line by line until the pipe's end. The kernel knows nothing of a repeated first cell.
fn pass_on(reader: PipeReader, kernel: &mut impl Write, mut repeated: bool) -> io::Result<()> {
    let mut reader = BufReader::new(reader);
    let mut relay = Relay::default();
    let mut line = Vec::new();
    while repeated && reader.read_until(b'\n', &mut line)? > 0 {
        repeated = !line.starts_with(END_OF_CELL.as_bytes());
        line.clear();
    }
    while reader.read_until(b'\n', &mut line)? > 0 {
        // The kernel gives up on text that is not UTF-8.
        let text = String::from_utf8_lossy(&line);
        kernel.write_all(relay.translate(text.trim_end_matches('\n')).as_bytes())?;
        kernel.flush()?;
        line.clear();
    }
    Ok(())
}

/// Turns what the cells' process printed into what the kernel understands.
#[derive(Debug, Default)]
struct Relay {
    /// Inside what a cell shows, such as a picture, lines are passed on as they are.
    showing: bool,
    /// The last line of ordinary text: if a `?` ends the cell, this is the error.
    last_text: String,
}

impl Relay {
    fn translate(&mut self, line: &str) -> String {
        if self.showing {
            self.showing = line != END_OF_SHOW;
            return format!("{line}\n");
        }
        let (text, signal) = split_signal(line);
        let mut out = String::new();
        if !text.is_empty() || signal.is_empty() {
            self.last_text = text.to_owned();
            out = format!("{text}\n");
        }
        if signal == QUESTION_MARK {
            out.push_str(&question_mark_box(&self.last_text));
        }
        if !signal.is_empty() {
            self.showing = signal.starts_with(SHOW);
            out.push_str(signal);
            out.push('\n');
        }
        out
    }
}

/// Splits a line in the text before a signal to the kernel, and that signal. Both may be empty.
///
/// A cell that ends with `print!("done")` puts its text on the line of the signal, which the kernel
/// would then wait for in vain.
fn split_signal(line: &str) -> (&str, &str) {
    let whole = [END_OF_CELL, PANIC, QUESTION_MARK];
    if let Some(signal) = whole.iter().find(|signal| line.ends_with(**signal)) {
        return line.split_at(line.len() - signal.len());
    }
    match line.find(SHOW) {
        Some(start) => line.split_at(start),
        None => (line, ""),
    }
}

/// What a cell shows when a `?` has ended it. The error itself stands above, as text: it can have
/// several lines, and only the last one is known here.
fn question_mark_box(error: &str) -> String {
    let error = escape_html(error);
    format!(
        "{SHOW}text/html\n\
         <div {QUESTION_MARK_BOX} style=\"border-left:4px solid #d55e00;padding:.4em .8em;\
         background:rgba(213,94,0,.12)\"><strong>An error ended this cell at a \
         <code>?</code>:</strong> {error}</div>\n\
         {END_OF_SHOW}\n\
         {SHOW}text/plain\n\
         An error ended this cell at a `?`; it is printed above.\n\
         {END_OF_SHOW}\n"
    )
}

fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The kernel reports a status, not a reason, so the reason is told here.
fn exit_code(status: ExitStatus) -> ExitCode {
    use std::os::unix::process::ExitStatusExt;
    if let Some(signal) = status.signal() {
        println!(
            "The process that runs cells has crashed (signal {signal}). All variables are lost: \
             run the cells above again."
        );
        return ExitCode::FAILURE;
    }
    ExitCode::from(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translate(lines: &[&str]) -> String {
        let mut relay = Relay::default();
        lines.iter().map(|line| relay.translate(line)).collect()
    }

    #[test]
    fn whole_lines_are_passed_on_as_they_are() {
        assert_eq!(translate(&["a", "", "b"]), "a\n\nb\n");
    }

    #[test]
    fn the_end_of_a_cell_is_seen_behind_an_unfinished_line() {
        assert_eq!(
            translate(&["doneEVCXR_EXECUTION_COMPLETE"]),
            "done\nEVCXR_EXECUTION_COMPLETE\n"
        );
    }

    #[test]
    fn a_picture_behind_an_unfinished_line_is_still_a_picture() {
        assert_eq!(
            translate(&["...EVCXR_BEGIN_CONTENT text/html", "<b>", "EVCXR_END_CONTENT"]),
            "...\nEVCXR_BEGIN_CONTENT text/html\n<b>\nEVCXR_END_CONTENT\n"
        );
    }

    #[test]
    fn a_question_mark_becomes_a_box_with_the_error_in_it() {
        let out = translate(&["no <such> file", "EVCXR_ERROR_OCCURRED"]);
        assert!(out.starts_with("no <such> file\nEVCXR_BEGIN_CONTENT text/html\n"), "{out}");
        assert!(out.contains("no &lt;such&gt; file</div>"), "{out}");
        assert!(out.ends_with("EVCXR_END_CONTENT\nEVCXR_ERROR_OCCURRED\n"), "{out}");
    }
}
