//! A notebook and its exercises in a kernel.

use super::{Named, wrong};
use crate::paths::Lab;
use crate::run::client::{Kernel, Stop};
use crate::run::library;
use crate::run::output::{Output, Ran};
use crate::run::verdict::judge;
use anyhow::Result;
use fencing::workbook::exercise::{Exercise, exercises};
use fencing::workbook::progress::Progress;
use std::path::PathBuf;
use std::time::Duration;

/// How long a cell may take.
const LIMIT: Duration = Duration::from_secs(120);

/// All that is wrong with a notebook, as it is seen when it runs.
///
/// # Errors
///
/// If its kernel does not start, or a wrong answer cannot be made.
pub async fn faults(lab: &Lab, named: &Named) -> Result<Vec<String>> {
    let lab = &lab.with(library(&named.notebook));
    let progress = ProgressFile::new(lab, named.number());
    let mut session = Session {
        kernel: Kernel::start_with(lab, &lab.notebooks(), Some(&progress.0)).await?,
        name: &named.name,
        shown: String::new(),
        faults: Vec::new(),
        is_over: false,
    };
    session.unsolved(named).await;
    session.numbers(&named.notebook.prose());
    let all_wrong = wrong::all(lab)?;
    for exercise in exercises().iter().filter(|exercise| exercise.notebook() == named.number()) {
        session.attempt(exercise, exercise.solution(), "the solution", "solved", "").await;
        for wrong in all_wrong.iter().filter(|wrong| wrong.exercise == exercise.id) {
            let (cell, part) = (wrong.cell(exercise)?, &wrong.explained_by);
            session.attempt(exercise, &cell, &wrong.name, "not yet", part).await;
        }
        if !Progress::read(&progress.0).of(&exercise.id).solved {
            session.fault(&format!("{} is solved, and the progress lacks it", exercise.id));
        }
    }
    let faults = std::mem::take(&mut session.faults);
    session.kernel.end().await;
    Ok(faults)
}

/// A progress file for one check, removed afterwards.
struct ProgressFile(PathBuf);

impl ProgressFile {
    fn new(lab: &Lab, number: &str) -> ProgressFile {
        ProgressFile(lab.folder().join(format!("check-{}-{number}.progress", std::process::id())))
    }
}

impl Drop for ProgressFile {
    fn drop(&mut self) {
        for end in ["progress", "progress.lock", "progress.new"] {
            let _ = std::fs::remove_file(self.0.with_extension(end));
        }
    }
}

/// A notebook's kernel while it is checked.
struct Session<'a> {
    kernel: Kernel,
    name: &'a str,
    /// All that the notebook's cells have shown, as text.
    shown: String,
    faults: Vec<String>,
    /// The kernel is gone.
    is_over: bool,
}

impl Session<'_> {
    fn fault(&mut self, fault: &str) {
        self.faults.push(format!("{}: {fault}", self.name));
    }

    async fn execute(&mut self, source: &str) -> (Ran, Option<Stop>) {
        if self.is_over {
            return (Ran::default(), Some(Stop::KernelDied));
        }
        let (ran, stop) = self.kernel.execute(source, LIMIT).await;
        self.is_over = !matches!(stop, None | Some(Stop::CellsLost));
        (ran, stop)
    }

    /// The notebook as it is: no cell fails, and no exercise is attempted.
    async fn unsolved(&mut self, named: &Named) {
        for cell in named.notebook.code_cells() {
            let (ran, stop) = self.execute(&cell.source).await;
            for failure in judge(&cell, &ran, stop.as_ref()) {
                self.fault(&failure.to_string());
            }
            if let Some(id) = &cell.exercise
                && verdict(&ran, id) != Some("not attempted")
            {
                self.fault(&format!("the starter of {id} is judged {:?}", verdict(&ran, id)));
            }
            self.shown += &text(&ran);
        }
    }

    /// Every number in the prose that is marked as one of an output is in an output.
    fn numbers(&mut self, prose: &[String]) {
        for marked in prose.iter().flat_map(|text| marked(text)) {
            let parts = self.shown.split(|c: char| !(c.is_alphanumeric() || ".,-".contains(c)));
            let mut parts = parts.map(|part| part.trim_end_matches(['.', ',']).replace(',', ""));
            if !parts.any(|part| part == marked.replace(',', "")) {
                self.fault(&format!("no cell shows the {marked} of the text"));
            }
        }
    }

    /// An answer in the place of the starter gets the verdict that it must.
    async fn attempt(
        &mut self,
        exercise: &Exercise,
        cell: &str,
        what: &str,
        expected: &str,
        part: &str,
    ) {
        let (ran, _) = self.execute(cell).await;
        let (found, text, id) = (verdict(&ran, &exercise.id), text(&ran), &exercise.id);
        if found != Some(expected) {
            self.fault(&format!("{id}, {what}: judged {found:?}, not {expected:?}\n{text}"));
        } else if !text.contains(part) {
            self.fault(&format!("{id}, {what}: no `{part}` in what is said\n{text}"));
        }
    }
}

/// The verdict on an exercise that a cell has shown.
fn verdict<'a>(ran: &'a Ran, id: &str) -> Option<&'a str> {
    let html = ran.outputs.iter().filter_map(|output| output.shown("text/html"));
    let of_it = format!("data-exercise=\"{id}\"");
    let mut verdicts = html.filter(|html| html.contains(&of_it));
    verdicts.next()?.split_once("data-verdict=\"")?.1.split('"').next()
}

/// What a cell has printed and shown, as text.
fn text(ran: &Ran) -> String {
    let texts = ran.outputs.iter().map(|output| match output {
        Output::Stream { text, .. } => text.clone(),
        Output::Error { message, .. } => message.clone(),
        Output::Shown { .. } => output.shown("text/plain").unwrap_or_default().to_owned(),
    });
    texts.map(|text| text + "\n").collect()
}

/// What stands in `<span>…</span>`.
fn marked(text: &str) -> Vec<&str> {
    text.split("<span>").skip(1).filter_map(|rest| rest.split("</span>").next()).collect()
}
