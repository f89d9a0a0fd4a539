//! The explorer: one story under every choice of a few controls, to be clicked through.
//!
//! - `choices`: the controls, where none are named.
//! - `state`: what is shown of one state, and what it amounts to in a sentence.
//! - `page`: all states as HTML.
//! - `style`: how the page looks, and which state it shows.

mod choices;
mod page;
mod state;
mod style;

use super::output::{Figure, debug_is_text, show};
use super::table::Table;
use crate::analysis::estimate::writing::with_commas;
use crate::analysis::outcome::Outcome;
use crate::analysis::run;
use crate::analysis::sweep::{Cell, Knob, Setting, Sweep};
use crate::chance::seed::Seed;
use crate::simulation::scenario::{Scenario, ScenarioError};
use crate::time::span;
use std::fmt;
use std::time::Duration;

/// One story under every choice of a few controls: the sequence diagram, the counts, and what they
/// amount to. All runs are made beforehand, so a click shows another one at once, also where there
/// is no kernel: in an export, or long after the notebook was run.
///
/// Every control is a [`Knob`]. Where none are named there are four: the lease (as it is, and four
/// times as long), renewal (off, on), the token check (never, on write, on every request), and the
/// length of the first pause. All states have the same seed.
///
/// ```
/// use fencing::prelude::*;
///
/// let explorer = Explorer::of(&Scenario::incident(), Seed(1))?;
/// assert_eq!(explorer.states().len(), 48);
/// // It opens with the scenario as it was given.
/// assert_eq!(explorer.first().scenario, Scenario::incident());
/// # Ok::<(), ScenarioError>(())
/// ```
#[derive(Clone)]
pub struct Explorer {
    base: Scenario,
    seed: Seed,
    knobs: Vec<Knob>,
    states: Vec<Cell>,
    first: usize,
}

/// More states make an output of several megabytes, and more than one clicks through.
pub const MOST_STATES: usize = 100;

impl Explorer {
    /// The story with the usual controls. A scenario without a pause gets none for its length.
    ///
    /// # Errors
    /// [`ScenarioError`], if the scenario of a state cannot be run.
    pub fn of(base: &Scenario, seed: Seed) -> Result<Explorer, ScenarioError> {
        Explorer::of_knobs(base, choices::usual(base), seed)
    }

    /// The story with controls of your own.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// let looks = Knob::of_names("look", [Look::Never, Look::OwnClock], |story, look| {
    ///     story.look = look;
    /// });
    /// let commits = Knob::of_spans("commit", [secs(0), secs(3)], |story, commit| {
    ///     story.commit = Delay::constant(commit);
    /// });
    /// let explorer = Explorer::of_knobs(&Scenario::incident(), [looks, commits], Seed(1))?;
    /// assert_eq!(explorer.states().len(), 4);
    /// # Ok::<(), ScenarioError>(())
    /// ```
    ///
    /// # Errors
    /// [`ScenarioError`], if the scenario of a state cannot be run, or if there are no states or
    /// more than [`MOST_STATES`].
    pub fn of_knobs(
        base: &Scenario,
        knobs: impl IntoIterator<Item = Knob>,
        seed: Seed,
    ) -> Result<Explorer, ScenarioError> {
        let knobs: Vec<Knob> = knobs.into_iter().collect();
        let sweep = Sweep::of(base);
        let mut states = knobs.iter().cloned().fold(sweep, Sweep::knob).grid();
        if !(1..=MOST_STATES).contains(&states.len()) {
            let allowed = format!("be 1 to {MOST_STATES}: name other settings of its controls");
            let field = "the number of an explorer's states";
            return Err(ScenarioError::field(field, states.len(), &allowed));
        }
        for state in &mut states {
            state.outcomes = vec![run(&state.scenario, seed)?];
        }
        let first = states.iter().position(|state| state.scenario == *base).unwrap_or(0);
        Ok(Explorer { base: base.clone(), seed, knobs, states, first })
    }

    /// The same with these leases to choose from.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// let explorer = Explorer::of(&Scenario::incident(), Seed(1))?
    ///     .leases([5, 10, 20].map(secs))?
    ///     .pauses([4, 11].map(secs))?
    ///     .without("renewal")?;
    /// assert_eq!(explorer.states().len(), 3 * 2 * 3);
    /// # Ok::<(), ScenarioError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Explorer::of_knobs`].
    pub fn leases(
        self,
        leases: impl IntoIterator<Item = Duration>,
    ) -> Result<Explorer, ScenarioError> {
        self.knob(choices::leases(leases))
    }

    /// The same with these lengths of the first pause to choose from. The run goes on for longer
    /// where the pause does.
    ///
    /// # Errors
    /// As [`Explorer::of_knobs`].
    pub fn pauses(
        self,
        lengths: impl IntoIterator<Item = Duration>,
    ) -> Result<Explorer, ScenarioError> {
        self.knob(choices::pauses(lengths))
    }

    /// The same with this control: instead of the one of the same name, or else as one more.
    ///
    /// # Errors
    /// As [`Explorer::of_knobs`].
    pub fn knob(mut self, knob: Knob) -> Result<Explorer, ScenarioError> {
        match self.knobs.iter_mut().find(|other| other.name() == knob.name()) {
            Some(other) => *other = knob,
            None => self.knobs.push(knob),
        }
        Explorer::of_knobs(&self.base, self.knobs, self.seed)
    }

    /// The same without the control of this name.
    ///
    /// # Errors
    /// As [`Explorer::of_knobs`].
    pub fn without(mut self, name: &str) -> Result<Explorer, ScenarioError> {
        self.knobs.retain(|knob| knob.name() != name);
        Explorer::of_knobs(&self.base, self.knobs, self.seed)
    }

    /// All states, with one outcome each; the last control changes fastest.
    #[must_use]
    pub fn states(&self) -> &[Cell] {
        &self.states
    }

    /// The state that is shown at first: the scenario as it was given if the controls have it, and
    /// the first setting of each otherwise.
    #[must_use]
    pub fn first(&self) -> &Cell {
        &self.states[self.first]
    }

    /// What was counted in every state.
    #[must_use]
    pub fn table(&self) -> Table {
        let counts = COUNTS.iter().map(|count| count.name);
        let table = Table::new(self.knobs.iter().map(Knob::name).chain(counts));
        self.states.iter().fold(table, |table, state| {
            let labels = state.settings.iter().map(label);
            let outcome = &state.outcomes[0];
            table.row(labels.chain(COUNTS.iter().map(|count| with_commas((count.of)(outcome)))))
        })
    }

    /// The explorer as HTML, of about a megabyte for the usual controls.
    #[must_use]
    pub fn to_html(&self) -> String {
        page::page(self)
    }

    /// How many settings each control has.
    fn sizes(&self) -> Vec<usize> {
        self.knobs.iter().map(|knob| knob.settings().count()).collect()
    }

    /// Shows the explorer in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.to_html(), &self.to_string());
    }
}

/// A setting as it is shown: in words, and not as a file has it; `10 s` and not `10s`.
fn label(setting: &Setting) -> String {
    let label = &setting.label;
    let unit = label.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
    match (span::parse(label), unit) {
        (Ok(_), Some(unit)) if unit > 0 => format!("{} {}", &label[..unit], &label[unit..]),
        _ => label.replace('_', " "),
    }
}

/// A count that is shown of every state.
struct Count {
    name: &'static str,
    /// In the style sheet.
    class: &'static str,
    of: fn(&Outcome) -> u64,
}

const COUNTS: [Count; 6] = [
    Count { name: "grants", class: "", of: |outcome| outcome.grants },
    Count { name: "expiries", class: "", of: |outcome| outcome.expiries },
    Count { name: "accepted writes", class: "", of: |outcome| outcome.accepted_writes },
    Count { name: "refused writes", class: "fx-refused", of: |outcome| outcome.refused_writes },
    Count { name: "zombie writes", class: "fx-bad", of: |outcome| outcome.zombie_writes },
    Count { name: "lost updates", class: "fx-bad", of: |outcome| outcome.lost_updates },
];

debug_is_text!(Explorer);

impl Figure for Explorer {
    fn html(&self) -> String {
        self.to_html()
    }
}

/// The table of all states.
impl fmt::Display for Explorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)
    }
}
