//! The sequence diagram: a run, or a part of it, as a picture and told line by line.
//!
//! A lane each for the lock service, the clients and the store; time runs down. The lock service's
//! lane shows the leases as it knows them, the clients' lanes who believes to hold the lock: two
//! bars side by side are two believers at once.
//!
//! How a picture comes about: `reader` makes of the trace a `story`, which is what there is to
//! draw; `axis` says how far down each moment stands, `layout` and `labels` give everything its
//! place, and `draw` writes the SVG. `tell` and `sentence` say it in words.

mod axis;
mod bars;
mod draw;
mod incident;
mod labels;
mod layout;
mod legend;
mod marks;
mod reader;
mod sentence;
mod signs;
mod story;
mod style;
mod tell;
mod tips;
mod words;

pub use incident::ZombieWrite;
pub(crate) use style::SHEET as STYLE;

use super::output::{Figure, Still, debug_is_text, show};
use super::svg::{escape, wrapped};
use crate::simulation::trace::Trace;
use crate::time::{Time, about};
pub(crate) use draw::Picture;
use draw::{Form, Frame, TITLE_LINE};
use layout::Layout;
use std::fmt;
use story::{Detail, Story};

/// The sequence diagram of a run. In a notebook, a cell that ends in one shows it.
///
/// ```
/// use fencing::prelude::*;
///
/// let run = trace(&Scenario::incident(), Seed(1))?;
/// let diagram = run.sequence().titled("A lease fails");
/// assert!(diagram.to_svg().contains("zombie write"));
/// assert!(diagram.to_string().contains("12.100 s  the lease of A (token 33) expires"));
/// # Ok::<(), ScenarioError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct SequenceDiagram {
    trace: Trace,
    part: Part,
    title: Option<String>,
}

/// Which part of the run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// From its start, as far as a picture can show it.
    Start,
    /// Between two moments.
    Between(Time, Time),
    /// What led to a zombie write.
    Zombie(ZombieWrite),
    /// The first zombie write, of which there is none.
    NoZombie,
}

/// From so many rows on, less is drawn of what matters least.
const MANY_ROWS: usize = 46;
/// So many rows are drawn at most.
const MOST_ROWS: usize = 64;
/// No picture is narrower, so a title has this room.
const TITLE_WIDTH: f64 = 540.0;
/// So many clients are drawn at most.
const MOST_LANES: usize = 8;

impl SequenceDiagram {
    /// The diagram of a run, from its start.
    #[must_use]
    pub fn of(trace: &Trace) -> SequenceDiagram {
        SequenceDiagram { trace: trace.clone(), part: Part::Start, title: None }
    }

    /// The part of the run between two moments. What began before is drawn from the upper edge.
    #[must_use]
    pub fn between(self, from: Time, to: Time) -> SequenceDiagram {
        SequenceDiagram { part: Part::Between(from.min(to), from.max(to)), ..self }
    }

    /// The part of the run that led to its first zombie write, from shortly before the grant to
    /// shortly after the write. Where the run has none, the diagram is a sentence that says so.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// let run = trace(&Scenario::baseline(), Seed(1))?;
    /// assert!(run.sequence().around_first_zombie().to_string().contains("ZOMBIE WRITE"));
    /// # Ok::<(), ScenarioError>(())
    /// ```
    #[must_use]
    pub fn around_first_zombie(self) -> SequenceDiagram {
        let part = self.trace.first_zombie_write().map_or(Part::NoZombie, Part::Zombie);
        SequenceDiagram { part, ..self }
    }

    /// The part of the run that led to this zombie write; [`Trace::zombie_writes`] lists them.
    #[must_use]
    pub fn around(self, zombie: ZombieWrite) -> SequenceDiagram {
        SequenceDiagram { part: Part::Zombie(zombie), ..self }
    }

    /// With a title.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> SequenceDiagram {
        SequenceDiagram { title: Some(title.into()), ..self }
    }

    /// The part of the run that is shown.
    fn window(&self) -> (Time, Time) {
        match self.part {
            Part::Start | Part::NoZombie => (Time::START, self.trace.end),
            Part::Between(from, to) => (from.min(self.trace.end), to.min(self.trace.end)),
            Part::Zombie(zombie) => {
                let (from, to) = zombie.window();
                (from, to.min(self.trace.end))
            }
        }
    }

    /// What is drawn: with less detail the longer it is, and in the end cut.
    fn story(&self) -> (Story, (Time, Time)) {
        let window = self.window();
        // Of a long run, only as much is read as can be drawn. But of an incident, the end is what
        // matters: the write itself.
        let is_zombie = matches!(self.part, Part::Zombie(_));
        let most_rows = if is_zombie { usize::MAX } else { MOST_ROWS };
        let read = |window, detail| reader::read(&self.trace, window, detail, most_rows);
        let mut stories = Detail::DOWN.into_iter().map(|detail| read(window, detail));
        let fits = |story: &Story| story.rows.len() <= MANY_ROWS;
        let mut story = stories.find(fits).unwrap_or_else(|| read(window, Detail::Bare));
        let window = match story.rows.len().checked_sub(MOST_ROWS) {
            None | Some(0) => window,
            Some(above) if is_zombie => (story.rows[above], window.1),
            Some(_) => (window.0, story.rows[MOST_ROWS - 1]),
        };
        if story.rows.len() > MOST_ROWS {
            story = read(window, Detail::Bare);
        }
        story.keep_lanes(MOST_LANES);
        (story, window)
    }

    /// What the picture leaves out, if it does.
    fn note(&self, story: &Story, window: (Time, Time)) -> Option<String> {
        let mut notes = Vec::new();
        if window != self.window() {
            let (from, to) = (about(window.0), about(window.1));
            let end = about(self.trace.end);
            notes.push(format!(
                "Shown is the part from {from} to {to} of a run of {end}; \
                 .between(…) shows another."
            ));
        }
        let hidden = self.trace.scenario.clients as usize - story.clients.len();
        if hidden > 0 {
            notes.push(format!("{hidden} clients that do least here are left out."));
        }
        (!notes.is_empty()).then(|| notes.join(" "))
    }

    fn draw(&self, form: Form) -> Picture {
        let (story, window) = self.story();
        let (note, description) = (self.note(&story, window), self.description());
        let title = wrapped(self.title.as_deref().unwrap_or_default(), 16.0, TITLE_WIDTH);
        let layout = Layout::new(story, TITLE_LINE * title.len() as f64);
        let frame = Frame { title: &title, description: &description, note: note.as_deref(), form };
        draw::draw(&layout, &frame)
    }

    /// What the picture tells, in one sentence.
    #[must_use]
    pub fn description(&self) -> String {
        match self.part {
            Part::NoZombie => self.no_zombie(),
            _ => sentence::sentence(&self.trace, self.story().1),
        }
    }

    fn no_zombie(&self) -> String {
        let (seed, end) = (self.trace.seed, about(self.trace.end));
        format!("There is no zombie write in this run of {end} (seed {seed}).")
    }

    /// The picture as a file of its own, on white ground.
    #[must_use]
    pub fn to_svg(&self) -> String {
        self.draw(Form::Still).svg
    }

    /// The picture in a page that has [`STYLE`] already, and how large it is.
    pub(crate) fn picture(&self) -> Picture {
        self.draw(Form::Unstyled)
    }

    /// The picture in a page, with hover texts, and the telling below it.
    #[must_use]
    pub fn to_html(&self) -> String {
        if self.part == Part::NoZombie {
            return format!("<p>{}</p>", escape(&self.no_zombie()));
        }
        let (picture, telling) = (self.draw(Form::Inline).svg, escape(&self.telling()));
        format!(
            "<div class=\"fencing-figure\">{picture}<details><summary>Line by line</summary>\
             <pre>{telling}</pre></details></div>"
        )
    }

    /// The same, line by line; also what `{}` writes.
    #[must_use]
    pub fn to_text(&self) -> String {
        let title = self.title.iter().map(|title| format!("{title}\n"));
        title.chain([self.telling()]).collect()
    }

    /// True if the part that is shown is longer than a picture can be.
    pub(crate) fn is_cut(&self) -> bool {
        self.part != Part::NoZombie && self.story().1 != self.window()
    }

    pub(crate) fn telling(&self) -> String {
        if self.part == Part::NoZombie {
            return self.no_zombie();
        }
        let (story, window) = self.story();
        let mut lines = tell::lines(&self.trace, &story, window);
        lines.extend(self.note(&story, window));
        lines.join("\n")
    }

    /// The picture as an image with a description, which also an untrusted notebook, a README and
    /// an export can show. It has no hover texts.
    #[must_use]
    pub fn still(&self) -> Still {
        Still { description: self.description(), svg: self.to_svg(), text: self.to_text() }
    }

    /// Shows the diagram in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.to_html(), &self.to_text());
    }
}

debug_is_text!(SequenceDiagram);

impl Figure for SequenceDiagram {
    fn html(&self) -> String {
        self.to_html()
    }

    fn is_picture(&self) -> bool {
        true
    }
}

/// The telling.
impl fmt::Display for SequenceDiagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text())
    }
}

impl Trace {
    /// This run as a sequence diagram.
    #[must_use]
    pub fn sequence(&self) -> SequenceDiagram {
        SequenceDiagram::of(self)
    }

    /// Shows the run in a notebook, as a sequence diagram.
    pub fn evcxr_display(&self) {
        self.sequence().evcxr_display();
    }
}
