//! What `hint`, `solution` and `progress` show in a cell.

use super::exercise::{Exercise, exercise, exercises};
use super::progress::{self, Progress};
use super::verdict::with_code;
use crate::figures::output::show;
use crate::figures::svg::escape;
use crate::figures::table::Table;
use std::fmt;

/// A box with text: hints, or a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    kind: &'static str,
    html: String,
    text: String,
}

impl Card {
    pub(crate) fn of(kind: &'static str, html: String, text: String) -> Card {
        Card { kind, html, text }
    }

    /// The card as HTML.
    #[must_use]
    pub fn to_html(&self) -> String {
        format!(
            "<div data-card=\"{}\" style=\"border-left:4px solid rgb(0,114,178);background:\
             rgba(0,114,178,.12);padding:.5em .9em;border-radius:3px\">{}</div>",
            self.kind, self.html
        )
    }

    /// Shows the card in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.to_html(), &self.text);
    }

    fn no_such(error: &dyn fmt::Display) -> Card {
        let text = capital(&error.to_string());
        Card { kind: "unknown", html: escape(&text), text }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The next hint to an exercise, below those that were shown before: `hint("03-2")`.
///
/// Where no progress is kept, the first hint, and the others to fold out one after another.
#[must_use]
pub fn hint(id: &str) -> Card {
    let exercise = match exercise(id) {
        Ok(exercise) => exercise,
        Err(error) => return Card::no_such(&error),
    };
    let all = exercise.hints.len() as u32;
    let noted = progress::note_of(&exercise.id, |attempts| {
        attempts.hints = all.min(attempts.hints + 1);
    });
    match noted {
        Some(attempts) => shown(&exercise, attempts.hints as usize),
        None => folded(&exercise),
    }
}

/// The first `number` hints.
fn shown(exercise: &Exercise, number: usize) -> Card {
    let of = exercise.hints.len();
    let mut html = format!("<strong>Hints to exercise {}</strong><ol>", escape(&exercise.id));
    let mut text = format!("Hints to exercise {}\n", exercise.id);
    for (number, hint) in (1..).zip(&exercise.hints[..number]) {
        html += &format!("<li>{}</li>", with_code(hint));
        text += &format!("{number}. {hint}\n");
    }
    let more = match of - number {
        0 => format!("That is all; solution(\"{}\") shows one.", exercise.id),
        1 => "Run the cell again for the last one.".to_owned(),
        more => format!("Run the cell again for the next one; there are {more} more."),
    };
    html += &format!("</ol>{}", escape(&more));
    Card { kind: "hint", html, text: text + &more }
}

/// All hints, each folded in the one before.
fn folded(exercise: &Exercise) -> Card {
    let mut html = String::new();
    for (number, hint) in exercise.hints.iter().enumerate().rev() {
        let (open, number) = (if number == 0 { " open" } else { "" }, number + 1);
        let hint = with_code(hint);
        html = format!("<details{open}><summary>Hint {number}</summary>{hint}{html}</details>");
    }
    let html = format!("<strong>Hints to exercise {}</strong>{html}", escape(&exercise.id));
    let text = format!("Hint to exercise {}: {}", exercise.id, exercise.hints[0]);
    Card { kind: "hint", html, text }
}

/// A solution of an exercise, and why it is one: `solution("03-2")`.
#[must_use]
pub fn solution(id: &str) -> Card {
    let exercise = match exercise(id) {
        Ok(exercise) => exercise,
        Err(error) => return Card::no_such(&error),
    };
    progress::note_of(&exercise.id, |attempts| attempts.solution = true);
    let (id, title) = (&exercise.id, &exercise.title);
    let html = format!(
        "<strong>A solution of exercise {} · {}</strong><pre style=\"background:transparent;\
         margin:.5em 0;padding:0\">{}</pre><p>{}</p>",
        escape(id),
        escape(title),
        escape(exercise.solution()),
        with_code(exercise.why.trim())
    );
    let text = format!(
        "A solution of exercise {id} · {title}\n\n{}\n\n{}",
        exercise.solution(),
        exercise.why.trim()
    );
    Card { kind: "solution", html, text }
}

/// What has been solved so far: `progress()`.
#[must_use]
pub fn progress() -> Table {
    match progress::file() {
        Some(file) => table(&Progress::read(&file)),
        None => table(&Progress::default())
            .captioned("This kernel keeps no progress: open the workbook with `cargo lab`."),
    }
}

/// Progress as a table, a row an exercise.
#[must_use]
pub fn table(progress: &Progress) -> Table {
    let all = exercises();
    let solved = all.iter().filter(|exercise| progress.of(&exercise.id).solved).count();
    let caption = format!("{solved} of {} exercises are solved.", all.len());
    let headings = ["exercise", "title", "minutes", "", "tries", "hints"];
    let mut table = Table::new(headings).captioned(caption);
    for exercise in all {
        let attempts = progress.of(&exercise.id);
        let state = match (attempts.solved, attempts.tries, attempts.solution) {
            (true, _, false) => "solved",
            (true, _, true) => "solved, solution seen",
            (false, _, true) => "solution seen",
            (false, 0, false) => "",
            (false, _, false) => "not yet",
        };
        let number = |number: u32| if number == 0 { String::new() } else { number.to_string() };
        table = table.row([
            exercise.id,
            exercise.title,
            exercise.minutes.to_string(),
            state.to_owned(),
            number(attempts.tries),
            number(attempts.hints),
        ]);
    }
    table
}
