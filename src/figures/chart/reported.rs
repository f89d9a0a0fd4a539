//! Published pause figures side by side.

use super::axis::{Axis, Scale, ends};
use super::canvas::{GRID, Stroke};
use super::marks::{LEASE, Mark, Style};
use super::sheet::{Entry, Grid, Sheet};
use super::words::{length_mark, length_text, span};
use crate::chance::reported::ReportedPause;
use crate::figures::output::Still;
use crate::figures::table::Table;
use std::fmt;
use std::time::Duration;

/// One line a cause: a dot at what is typical, a triangle at the longest that was reported. The
/// axis is logarithmic.
#[derive(Clone)]
pub struct ReportedPauseChart {
    title: String,
    causes: Vec<Cause>,
    sources: Vec<ReportedPause>,
    lease: Option<Duration>,
}

/// The height of a row, in pixels.
const ROW: f64 = 26.0;

/// What was reported of one cause.
#[derive(Clone, Debug)]
struct Cause {
    name: String,
    typical_s: Option<f64>,
    longest_s: Option<f64>,
}

impl ReportedPauseChart {
    /// A chart of these figures, the longest pauses at the top; the title is the question that it
    /// answers.
    #[must_use]
    pub fn new(title: impl Into<String>, reported: &[ReportedPause]) -> ReportedPauseChart {
        let mut causes: Vec<Cause> = Vec::new();
        for pause in reported {
            let typical_s = pause.typical.as_ref().map(|(length, _)| length.as_secs_f64());
            let longest_s = pause.tail.as_ref().map(|(length, _)| length.as_secs_f64());
            match causes.iter_mut().find(|cause| cause.name == pause.cause) {
                Some(cause) => {
                    let all = [cause.typical_s, typical_s, cause.longest_s, longest_s];
                    cause.typical_s = cause.typical_s.or(typical_s);
                    cause.longest_s = all.into_iter().flatten().reduce(f64::max);
                }
                None => causes.push(Cause { name: pause.cause.clone(), typical_s, longest_s }),
            }
        }
        causes.sort_by(|one, other| one.longest().total_cmp(&other.longest()));
        ReportedPauseChart { title: title.into(), causes, sources: reported.to_vec(), lease: None }
    }

    /// The same chart with a line at this lease.
    #[must_use]
    pub fn lease(mut self, lease: Duration) -> ReportedPauseChart {
        self.lease = Some(lease);
        self
    }

    /// Every figure with its source.
    #[must_use]
    pub fn table(&self) -> Table {
        let headings = ["cause", "typical", "long", "source", "standing"];
        let length = |figure: &Option<(Duration, String)>| match figure {
            Some((length, kind)) => format!("{kind} {}", length_text(*length)),
            None => String::new(),
        };
        self.sources.iter().fold(Table::new(headings).captioned(&self.title), |table, pause| {
            table.row([
                pause.cause.clone(),
                length(&pause.typical),
                length(&pause.tail),
                pause.source.clone(),
                pause.standing.to_string(),
            ])
        })
    }

    /// The picture.
    #[must_use]
    pub fn still(&self) -> Still {
        let causes = self
            .causes
            .iter()
            .rev()
            .map(|cause| format!("{} up to {}", cause.name, length_mark(cause.longest())));
        let description = format!("{} {}.", self.title, causes.collect::<Vec<_>>().join("; "));
        let sheet = self.sheet();
        sheet.still(description, self.to_string(), |canvas, plot| {
            if let Some(lease) = self.lease {
                plot.upright(canvas, lease.as_secs_f64(), LEASE);
            }
            for (row, cause) in self.causes.iter().enumerate() {
                let at = |seconds: f64| plot.at(seconds, row as f64);
                if let (Some(from), Some(to)) = (cause.typical_s, cause.longest_s) {
                    canvas.line(&[at(from), at(to)], Stroke::of(GRID, 4.0));
                }
                let (typical, longest) = (cause.typical_s, cause.longest_s);
                typical.into_iter().for_each(|seconds| typical_mark().paint(canvas, at(seconds)));
                longest.into_iter().for_each(|seconds| longest_mark().paint(canvas, at(seconds)));
            }
        })
    }

    fn sheet(&self) -> Sheet {
        let lengths = self.causes.iter().flat_map(|cause| [cause.typical_s, cause.longest_s]);
        let lease = self.lease.map(|lease| lease.as_secs_f64());
        let (least, most) = ends(lengths.chain([lease]).flatten());
        // Of the reported lengths none is shorter than a microsecond.
        let across = (least.max(1e-6), most);
        let mark = |mark: Mark, words: &str| Entry {
            stroke: None,
            mark: Some(mark),
            words: words.to_owned(),
        };
        let lease = self.lease.map(|lease| {
            let words = format!("a lease of {}", span(lease));
            Entry { stroke: Some(LEASE), mark: None, words }
        });
        let key = [mark(typical_mark(), "typical"), mark(longest_mark(), "long")];
        Sheet {
            title: self.title.clone(),
            x: Axis::holding(Scale::Log, across, length_mark),
            y: Axis::of_names(self.causes.iter().map(|cause| cause.name.clone())),
            x_title: "length of the pause".to_owned(),
            y_title: String::new(),
            grid: Grid::Upright,
            height: ROW * self.causes.len() as f64,
            beside: Vec::new(),
            beside_title: String::new(),
            key: key.into_iter().chain(lease).collect(),
            notes: Vec::new(),
        }
    }
}

impl fmt::Display for ReportedPauseChart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)
    }
}

fn typical_mark() -> Mark {
    Style::of(0).mark()
}

fn longest_mark() -> Mark {
    Style::of(1).mark()
}

impl Cause {
    fn longest(&self) -> f64 {
        self.longest_s.or(self.typical_s).unwrap_or(0.0)
    }
}
