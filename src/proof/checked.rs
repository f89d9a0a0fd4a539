//! What a proof amounts to, property by property.

use super::property::Property;
use super::rules::Rules;
use super::search::Found;
use crate::analysis::estimate::writing::with_commas;
use crate::figures::output::{Figure, debug_is_text};
use crate::figures::sequence::SequenceDiagram;
use crate::figures::table::Table;
use crate::simulation::trace::Trace;
use std::fmt;
use std::time::Duration;

/// Whether each [`Property`] holds in every interleaving within the bounds, and where one does not,
/// a shortest run that breaks it. In a notebook, a cell that ends in one shows it.
#[derive(Clone, PartialEq)]
pub struct Checked {
    bounds: String,
    /// In the order of [`Property::ALL`].
    counterexamples: Vec<Option<Trace>>,
    lengths: Vec<usize>,
    steps: u64,
    states: u64,
    depth: u64,
    is_complete: bool,
    took: Duration,
}

impl Checked {
    pub(super) fn new(
        rules: &Rules,
        found: &Found,
        retell: impl Fn(&[super::state::Step]) -> Trace,
    ) -> Checked {
        let length = |path: &Option<Vec<_>>| path.as_ref().map_or(0, Vec::len);
        Checked {
            bounds: bounds(rules),
            counterexamples: found.paths.iter().map(|path| path.as_deref().map(&retell)).collect(),
            lengths: found.paths.iter().map(length).collect(),
            steps: found.steps,
            states: found.states,
            depth: found.depth,
            is_complete: found.is_complete,
            took: found.took,
        }
    }

    /// True if this property holds in every interleaving within the bounds. False also where the
    /// search was cut short, and so has shown nothing: see [`is_complete`](Checked::is_complete).
    #[must_use]
    pub fn holds(&self, property: Property) -> bool {
        self.is_complete && self.counterexamples[property.index()].is_none()
    }

    /// True if every property holds.
    #[must_use]
    pub fn all_hold(&self) -> bool {
        Property::ALL.into_iter().all(|property| self.holds(property))
    }

    /// A shortest run that breaks this property; absent if there is none.
    #[must_use]
    pub fn counterexample(&self, property: Property) -> Option<SequenceDiagram> {
        Some(self.trace(property)?.sequence().titled(format!("Breaks: {property}")))
    }

    /// The same run, to be looked at entry by entry. Its seconds mean nothing but an order: there
    /// is one step a second.
    #[must_use]
    pub fn trace(&self, property: Property) -> Option<&Trace> {
        self.counterexamples[property.index()].as_ref()
    }

    /// How many different states there are.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.states
    }

    /// How many steps from state to state there are; the start counts as one.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How many steps the farthest state is away from the start.
    #[must_use]
    pub fn depth(&self) -> u64 {
        self.depth
    }

    /// How long the search took, by the reader's clock.
    #[must_use]
    pub fn took(&self) -> Duration {
        self.took
    }

    /// True if nothing was left to search. Otherwise there are more states than the search may
    /// take, and a property without a counterexample is not proved.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// What is shown: a line for each property.
    #[must_use]
    pub fn table(&self) -> Table {
        self.table_of(&Property::ALL)
    }

    /// The same with the lines of these properties alone.
    pub(crate) fn table_of(&self, properties: &[Property]) -> Table {
        let table = Table::new(["property", "within these bounds"]).captioned(self.caption());
        properties.iter().fold(table, |table, &property| {
            let result = match (self.trace(property), self.lengths[property.index()]) {
                (Some(_), length) => format!("broken, in {length} steps"),
                (None, _) if self.is_complete => "holds".to_owned(),
                (None, _) => "not shown: the search was cut short".to_owned(),
            };
            table.row([property.name().to_owned(), result])
        })
    }

    fn caption(&self) -> String {
        let (states, steps) = (with_commas(self.states), with_commas(self.steps));
        let seconds = self.took.as_secs_f64();
        let every = if self.is_complete { "Every interleaving" } else { "Not every interleaving" };
        format!(
            "{every} of {}: {states} states, {steps} steps between them, none farther than {} \
             from the start; {seconds:.1} s.",
            self.bounds, self.depth
        )
    }

    /// Shows the result in a notebook.
    pub fn evcxr_display(&self) {
        self.table().evcxr_display();
    }
}

/// The bounds in words: "2 clients with 2 turns each".
fn bounds(rules: &Rules) -> String {
    let count = |number: u32, noun: &str| {
        let plural = if number == 1 { "" } else { "s" };
        format!("{number} {noun}{plural}")
    };
    let each = if rules.clients == 1 { "" } else { " each" };
    let mut bounds =
        format!("{} with {}{each}", count(rules.clients, "client"), count(rules.turns, "turn"));
    if rules.restarts > 0 {
        bounds += &format!(", {} of the store", count(rules.restarts, "restart"));
    }
    if rules.crashes > 0 {
        bounds += &format!(", {}", count(rules.crashes, "crash"));
    }
    bounds
}

debug_is_text!(Checked);

impl Figure for Checked {
    fn html(&self) -> String {
        self.table().to_html()
    }
}

/// The table.
impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)
    }
}
