//! How a sweep is shown: one row a cell, with what goes wrong a grant.

use super::output::{Figure, show};
use super::table::Table;
use crate::analysis::estimate::rate::Rate;
use crate::analysis::estimate::writing::with_commas;
use crate::analysis::outcome::Outcome;
use crate::analysis::sweep::{Cell, SweepOutcome};
use std::fmt;

/// What is counted a grant: its name, and how often it happened in a run.
type Counted = (&'static str, fn(&Outcome) -> u64);

const COUNTED: [Counted; 3] = [
    ("zombie writes", |run| run.zombie_writes),
    ("lost updates", |run| run.lost_updates),
    ("refused writes", |run| run.refused_writes),
];

impl SweepOutcome {
    /// One row a cell: its settings, its grants in all runs, and how many zombie writes, lost
    /// updates and refused writes there were a grant, each with its interval of 95 %.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// let sweep = Sweep::of(&Scenario::baseline()).lease([10, 40].map(secs)).run(Seed(1))?;
    /// let text = sweep.table().to_string();
    /// assert!(text.contains("lease   grants"), "{text}");
    /// assert!(text.contains("0 of 100,000, below 3/n = 0.00003"), "{text}");
    /// # Ok::<(), ScenarioError>(())
    /// ```
    #[must_use]
    pub fn table(&self) -> Table {
        let knobs = self.knobs.iter().map(String::as_str);
        let headings = knobs.chain(["grants"]).chain(COUNTED.map(|(name, _)| name));
        let table = Table::new(headings).captioned(self.caption());
        self.cells.iter().fold(table, |table, cell| table.row(row(cell)))
    }

    fn caption(&self) -> String {
        let (repeats, seed) = (self.repeats, self.seed);
        let runs = if repeats == 1 { "1 run".to_owned() } else { format!("{repeats} runs") };
        let missing = match self.missing() {
            0 => String::new(),
            missing => {
                let all = self.cells.len() * repeats as usize;
                let are = if missing == 1 { "is" } else { "are" };
                format!(". Not complete: {missing} of {all} runs {are} missing, since time was up")
            }
        };
        format!("{runs} a cell, seed {seed}; how often a grant, with intervals of 95 %{missing}")
    }

    /// Shows the table in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.html(), &self.to_string());
    }
}

fn row(cell: &Cell) -> Vec<String> {
    let labels = cell.settings.iter().map(|setting| setting.label.clone());
    let grants = with_commas(cell.outcomes.iter().map(|run| run.grants).sum());
    let rates = COUNTED.iter().map(|(_, count)| match Rate::a_grant(&cell.outcomes, count) {
        Ok(rate) => short(&rate),
        // More events than grants, or none of them: there is no rate, but there is a count.
        Err(_) => with_commas(cell.outcomes.iter().map(count).sum()) + " in all",
    });
    labels.chain([grants]).chain(rates).collect()
}

/// A rate, where the caption says what its interval is.
fn short(rate: &Rate) -> String {
    let long = rate.to_string();
    match long.split_once(", 95 % ") {
        Some((value, interval)) => format!("{value} ({interval})"),
        None => long.trim_end_matches(" with 95 %").to_owned(),
    }
}

impl Figure for SweepOutcome {
    fn html(&self) -> String {
        self.table().to_html()
    }
}

/// The table.
impl fmt::Display for SweepOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)
    }
}
