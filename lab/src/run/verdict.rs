//! Whether a cell did what it should.

use super::client::Stop;
use super::notebook::{Cell, MAY_FAIL, PICTURE};
use super::output::{Output, Ran};
use crate::cells::QUESTION_MARK_BOX;
use std::fmt;

/// Marks the box that the kernel's panic hook shows; see `setup/prelude.rs`.
pub const PANIC_BOX: &str = "data-panic";

/// What a panic without our hook prints.
const PANIC_TEXT: &str = "panicked at";

/// What is wrong with a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The compiler refused it, or the kernel could not run it.
    Error,
    /// It panicked.
    Panic,
    /// An error ended it at a `?`.
    QuestionMark,
    /// It should have shown a picture, by its tag, and did not.
    NoPicture,
    /// It took longer than it may.
    TooLong,
    /// The kernel died.
    KernelDied,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Error => "error",
            Kind::Panic => "panic",
            Kind::QuestionMark => "error at a `?`",
            Kind::NoPicture => "no picture",
            Kind::TooLong => "took too long",
            Kind::KernelDied => "the kernel died",
        })
    }
}

/// One thing that is wrong with one cell.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The cell's place among the code cells, from 1.
    pub cell: usize,
    /// What is wrong.
    pub kind: Kind,
    /// What the kernel or the cell itself said about it.
    pub message: String,
    /// How the cell begins, to find it by.
    pub first_line: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "cell {} ({}): {}", self.cell, self.first_line, self.kind)?;
        for line in self.message.trim_end().lines() {
            writeln!(f, "    {line}")?;
        }
        Ok(())
    }
}

/// All that is wrong with a cell.
#[must_use]
pub fn judge(cell: &Cell, ran: &Ran, stop: Option<&Stop>) -> Vec<Failure> {
    if cell.has_tag(MAY_FAIL) && matches!(stop, None | Some(Stop::CellsLost)) {
        return Vec::new();
    }
    let mut failures: Vec<(Kind, String)> = Vec::new();
    match stop {
        Some(Stop::TooLong(limit)) => {
            failures.push((Kind::TooLong, format!("no end after {} s", limit.as_secs())));
        }
        Some(Stop::KernelDied) => failures.push((Kind::KernelDied, String::new())),
        Some(Stop::CellsLost) | None => {}
    }
    failures.extend(ran.outputs.iter().filter_map(|output| judge_output(output, &ran.outputs)));
    if failures.is_empty() && cell.has_tag(PICTURE) && ran.picture_at.is_none() {
        let message = format!("the cell is tagged `{PICTURE}`, and shows neither HTML nor image");
        failures.push((Kind::NoPicture, message));
    }
    let first_line = cell.source.trim_start().lines().next().unwrap_or_default().to_owned();
    failures
        .into_iter()
        .map(|(kind, message)| Failure {
            cell: cell.number,
            kind,
            message,
            first_line: first_line.clone(),
        })
        .collect()
}

fn judge_output(output: &Output, all: &[Output]) -> Option<(Kind, String)> {
    match output {
        Output::Error { message, traceback } if traceback.is_empty() => {
            Some((Kind::Error, message.clone()))
        }
        Output::Error { traceback, .. } => Some((Kind::Error, traceback.join("\n"))),
        Output::Stream { text, .. } => {
            text.contains(PANIC_TEXT).then(|| (Kind::Panic, text.clone()))
        }
        Output::Shown { .. } => {
            let text = output.shown("text/plain").unwrap_or_default();
            match box_in(output.shown("text/html").unwrap_or_default())? {
                Kind::QuestionMark => Some((Kind::QuestionMark, printed(all))),
                kind => Some((kind, text.to_owned())),
            }
        }
    }
}

/// Which of our error boxes an HTML output is, if any.
#[must_use]
pub fn box_in(html: &str) -> Option<Kind> {
    if html.contains(PANIC_BOX) {
        Some(Kind::Panic)
    } else if html.contains(QUESTION_MARK_BOX) {
        Some(Kind::QuestionMark)
    } else {
        None
    }
}

/// The error that a `?` met is what the cell printed last.
fn printed(outputs: &[Output]) -> String {
    let printed = outputs.iter().rev().find_map(|output| match output {
        Output::Stream { text, .. } => Some(text.clone()),
        _ => None,
    });
    printed.unwrap_or_default()
}

impl Cell {
    pub(crate) fn has_tag(&self, tag: &str) -> bool {
        self.tags.iter().any(|has| has == tag)
    }
}
