//! Rows: what came of a sweep as a plain table, one row a run.

use super::{Cell, SweepOutcome};
use crate::analysis::estimate::EstimateError;
use crate::analysis::estimate::rate::Rate;
use crate::analysis::outcome::Outcome;
use crate::chance::seed::Seed;
use crate::simulation::Ended;
use serde::{Deserialize, Serialize};

/// What came of a sweep as a plain table: one row for each run that was made.
///
/// This is what goes into files and data frames. The scenarios are not in it, only the settings of
/// the knobs.
///
/// ```
/// use fencing::prelude::*;
///
/// let base = Scenario::baseline();
/// let sweep = Sweep::of(&base).lease([5, 10].map(secs)).repeats(2).grants(500).run(Seed(1))?;
/// let rows = sweep.rows();
/// assert_eq!(rows.columns()[..4], ["cell", "lease_s", "repeat", "seed"]);
/// assert_eq!(rows.rows.len(), 4);
/// assert_eq!(rows.rows[3].settings, ["10"]);
/// # Ok::<(), ScenarioError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SweepRows {
    /// The columns of the knobs, by name; those of spans are in seconds and end in `_s`.
    pub knobs: Vec<String>,
    /// The rows, cell by cell in the order of the grid, and in each repeat by repeat.
    pub rows: Vec<SweepRow>,
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepRow {
    /// The number of its cell in the order of the grid, from 0.
    pub cell: usize,
    /// The settings of the knobs as they are written: numbers and spans as numbers.
    pub settings: Vec<String>,
    /// The number of the repeat, from 0.
    pub repeat: u32,
    /// The seed of the run.
    pub seed: Seed,
    /// What was counted.
    pub counts: Counts,
}

/// Writes out what belongs to the list of what is counted: the fields, their columns, and where
/// they come from.
macro_rules! counts {
    ($($name:ident: $kind:ty,)*) => {
        /// What was counted in one run: all of an [`Outcome`] but the scenario and seed, whose
        /// fields say what each is.
        #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "each field is that of the outcome with the same name")]
        pub struct Counts {
            $(pub $name: $kind,)*
        }

        impl Counts {
            /// The columns, in their order.
            pub const COLUMNS: &'static [&'static str] = &[$(stringify!($name)),*];
        }

        impl From<&Outcome> for Counts {
            fn from(outcome: &Outcome) -> Counts {
                // Every field is named, so that one that is new is not forgotten here.
                let Outcome { $($name,)* seed: _, scenario: _ } = *outcome;
                Counts { $($name),* }
            }
        }
    };
}

counts! {
    grants: u64,
    expiries: u64,
    renewals: u64,
    gave_up: u64,
    accepted_writes: u64,
    refused_writes: u64,
    refused_reads: u64,
    zombie_writes: u64,
    lost_updates: u64,
    false_conflicts: u64,
    overlaps: u64,
    overlap_s: f64,
    crashes: u64,
    recovery_mean_s: Option<f64>,
    recovery_max_s: Option<f64>,
    wait_mean_s: Option<f64>,
    wait_p99_s: Option<f64>,
    held_share: f64,
    end_s: f64,
    ended: Ended,
}

impl Counts {
    /// Why the run ended, as it is written.
    #[must_use]
    pub fn ended_name(&self) -> String {
        let value = serde_json::to_value(self.ended).unwrap_or_default();
        value.as_str().unwrap_or_default().to_owned()
    }
}

/// The rows of one cell together: how often it went wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct CellSummary {
    /// The number of the cell in the order of the grid, from 0.
    pub cell: usize,
    /// The settings of the knobs as they are written.
    pub settings: Vec<String>,
    /// How many of its runs there are.
    pub runs: usize,
    /// Zombie writes a grant.
    pub zombie_writes: Rate,
    /// Lost updates a grant.
    pub lost_updates: Rate,
}

impl SweepOutcome {
    /// What came of the sweep as a plain table, one row for each run that was made.
    #[must_use]
    pub fn rows(&self) -> SweepRows {
        let mut rows = Vec::new();
        for (number, cell) in self.cells.iter().enumerate() {
            let mut repeats = 0..self.repeats;
            for outcome in &cell.outcomes {
                // A run that was not made leaves a gap; the seed tells which repeat each is.
                let is_this = |repeat: &u32| self.seed.repeat((*repeat).into()) == outcome.seed;
                if let Some(repeat) = repeats.find(is_this) {
                    rows.push(SweepRow::of(number, cell, repeat, outcome));
                }
            }
        }
        SweepRows { knobs: knob_columns(&self.knobs, &self.cells), rows }
    }
}

impl SweepRow {
    fn of(number: usize, cell: &Cell, repeat: u32, outcome: &Outcome) -> SweepRow {
        let written = cell.settings.iter().map(|setting| match setting.number {
            Some(number) => number.to_string(),
            None => setting.label.clone(),
        });
        SweepRow {
            cell: number,
            settings: written.collect(),
            repeat,
            seed: outcome.seed,
            counts: Counts::from(outcome),
        }
    }
}

/// The names of the knobs' columns: a knob of spans is in seconds, and says so at its end.
fn knob_columns(names: &[String], cells: &[Cell]) -> Vec<String> {
    let column = |(place, name): (usize, &String)| {
        let settings = || cells.iter().map(|cell| &cell.settings[place]);
        let is_span = settings()
            .all(|setting| setting.number.is_some() && setting.label.parse::<f64>().is_err());
        let has_unit = name.ends_with("_s");
        if is_span && !cells.is_empty() && !has_unit { format!("{name}_s") } else { name.clone() }
    };
    names.iter().enumerate().map(column).collect()
}

impl SweepRows {
    /// The names of all columns, in their order.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        let own = |name: &&str| (*name).to_owned();
        let knobs = self.knobs.iter().cloned();
        std::iter::once("cell".to_owned())
            .chain(knobs)
            .chain(["repeat", "seed"].iter().map(own))
            .chain(Counts::COLUMNS.iter().map(own))
            .collect()
    }

    /// The settings of a knob as numbers, row by row, where all of them are numbers.
    #[must_use]
    pub fn numbers(&self, knob: usize) -> Option<Vec<f64>> {
        self.rows.iter().map(|row| row.settings.get(knob)?.parse().ok()).collect()
    }

    /// How often it went wrong in each cell, in the order of the grid.
    ///
    /// # Errors
    /// [`EstimateError`], where a cell had no grant at all.
    pub fn summary(&self) -> Result<Vec<CellSummary>, EstimateError> {
        let cells = self.rows.chunk_by(|one, next| one.cell == next.cell);
        let summary = cells.map(|rows| {
            let rate = |events: fn(&Counts) -> u64| {
                Rate::of_repeats(rows.iter().map(|row| (events(&row.counts), row.counts.grants)))
            };
            Ok(CellSummary {
                cell: rows[0].cell,
                settings: rows[0].settings.clone(),
                runs: rows.len(),
                zombie_writes: rate(|counts| counts.zombie_writes)?,
                lost_updates: rate(|counts| counts.lost_updates)?,
            })
        });
        summary.collect()
    }
}
