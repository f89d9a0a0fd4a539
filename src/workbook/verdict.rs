//! The verdict on an attempt, and how it is shown.

use super::exercise::Exercise;
use crate::figures::output::show;
use crate::figures::sequence::SequenceDiagram;
use crate::figures::svg::escape;
use crate::figures::table::Table;
use std::fmt;

/// What a check says of an attempt. In a notebook, a cell that ends in one shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    exercise: Exercise,
    finding: Finding,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// Solved; what was tried, in a sentence.
    Solved(String),
    /// Not yet; what is missing.
    NotYet(Shortfall),
    /// Not attempted; what to do, in a sentence.
    NotAttempted(String),
}

/// Why an attempt is no solution yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortfall {
    /// What went wrong, in one sentence.
    pub sentence: String,
    /// What this kind of answer overlooks.
    pub explanation: String,
    /// Where it can be seen.
    pub evidence: Option<Evidence>,
}

/// Where it can be seen that an attempt is no solution.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// The smallest run that was found.
    Run(Box<SequenceDiagram>),
    /// Numbers.
    Numbers(Table),
}

impl Shortfall {
    pub(crate) fn new(sentence: impl Into<String>, explanation: impl Into<String>) -> Shortfall {
        let (sentence, explanation) = (sentence.into(), explanation.into());
        Shortfall { sentence, explanation, evidence: None }
    }

    pub(crate) fn seen_in(self, run: SequenceDiagram) -> Shortfall {
        Shortfall { evidence: Some(Evidence::Run(Box::new(run))), ..self }
    }

    pub(crate) fn seen_from(self, numbers: Table) -> Shortfall {
        Shortfall { evidence: Some(Evidence::Numbers(numbers)), ..self }
    }
}

impl Finding {
    /// The verdict's name, as a page's script or a test finds it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Finding::Solved(_) => "solved",
            Finding::NotYet(_) => "not yet",
            Finding::NotAttempted(_) => "not attempted",
        }
    }

    /// A mark and a colour, which say nothing that the name does not.
    fn look(&self) -> (&'static str, &'static str) {
        match self {
            Finding::Solved(_) => ("✓", "0,158,115"),
            Finding::NotYet(_) => ("✗", "230,159,0"),
            Finding::NotAttempted(_) => ("…", "128,128,128"),
        }
    }
}

impl Verdict {
    pub(crate) fn new(exercise: Exercise, finding: Finding) -> Verdict {
        Verdict { exercise, finding }
    }

    /// The exercise that was attempted.
    #[must_use]
    pub fn exercise(&self) -> &Exercise {
        &self.exercise
    }

    /// What was found.
    #[must_use]
    pub fn finding(&self) -> &Finding {
        &self.finding
    }

    /// Whether the exercise is solved.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        matches!(self.finding, Finding::Solved(_))
    }

    fn title(&self) -> String {
        format!("Exercise {} · {}", self.exercise.id, self.exercise.title)
    }

    /// The verdict as a box.
    #[must_use]
    pub fn to_html(&self) -> String {
        let (mark, colour) = self.finding.look();
        let body = match &self.finding {
            Finding::Solved(tried) => format!("<p style=\"{P}\">{}</p>", with_code(tried)),
            Finding::NotAttempted(what) => {
                let id = escape(&self.exercise.id);
                format!(
                    "<p style=\"{P}\">{}</p><p style=\"{P}\">Stuck? <code>hint(\"{id}\")</code> in \
                     a cell of its own.</p>",
                    with_code(what)
                )
            }
            Finding::NotYet(shortfall) => shortfall.to_html(),
        };
        format!(
            "<div data-verdict=\"{name}\" data-exercise=\"{id}\" style=\"border-left:4px solid \
             rgb({colour});background:rgba({colour},.12);padding:.5em .9em;border-radius:3px\">\
             <strong>{mark} {capital}</strong> &nbsp; {title}{body}</div>",
            name = self.finding.name(),
            id = escape(&self.exercise.id),
            capital = capital(self.finding.name()),
            title = escape(&self.title()),
        )
    }

    /// Shows the verdict in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.to_html(), &self.to_string());
    }
}

/// The style of a paragraph in the box.
const P: &str = "margin:.4em 0";

impl Shortfall {
    fn to_html(&self) -> String {
        let mut html = format!(
            "<p style=\"{P}\"><strong>{}</strong></p><p style=\"{P}\">{}</p>",
            with_code(&self.sentence),
            with_code(&self.explanation)
        );
        match &self.evidence {
            Some(Evidence::Run(run)) => html += &run.to_html(),
            Some(Evidence::Numbers(table)) => html += &table.to_html(),
            None => {}
        }
        html
    }
}

/// The verdict in words, and below it where it can be seen.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", capital(self.finding.name()), self.title())?;
        match &self.finding {
            Finding::Solved(sentence) | Finding::NotAttempted(sentence) => f.write_str(sentence),
            Finding::NotYet(shortfall) => {
                write!(f, "{}\n{}", shortfall.sentence, shortfall.explanation)?;
                match &shortfall.evidence {
                    Some(Evidence::Run(run)) => write!(f, "\n{run}"),
                    Some(Evidence::Numbers(table)) => write!(f, "\n{table}"),
                    None => Ok(()),
                }
            }
        }
    }
}

/// Text in which `` ` `` marks code, as HTML.
pub(super) fn with_code(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(number, part)| match number % 2 {
        0 => escape(part),
        _ => format!("<code>{}</code>", escape(part)),
    });
    parts.collect()
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
