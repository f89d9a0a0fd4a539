//! The trade-off of a lease: how soon the lock is free again after its holder's death, against how
//! often it goes wrong.

mod paint;

use super::ChartError;
use super::policy::{Split, missing};
use super::value::Estimate;
use crate::analysis::estimate::EstimateError;
use crate::analysis::estimate::interval::Interval;
use crate::analysis::estimate::mean::Mean;
use crate::analysis::estimate::rate::Rate;
use crate::analysis::sweep::{Cell, SweepOutcome};
use crate::figures::output::Still;
use crate::figures::table::Table;
use std::fmt;

/// One point a lease: from left to right the mean recovery, from a holder's death to the next
/// grant, and upwards the zombie writes a grant, each with its interval of 95 %. One line a policy,
/// that is a setting of the other knobs.
///
/// A longer lease goes wrong more rarely, and leaves the lock blocked for longer: its points go
/// down and to the right. A policy without zombie writes has open marks at its bound, 3/n, with
/// arrows down: with a short lease it is the best both ways.
///
/// ```
/// use fencing::prelude::*;
///
/// let crashes = Crashes::with_restart(secs(600), secs(30));
/// let chart = Sweep::of(&Scenario { crashes, ..Scenario::baseline() })
///     .lease([5, 10, 20].map(secs))
///     .token_check([TokenCheck::Never, TokenCheck::OnEveryRequest])
///     .grants(2_000)
///     .run(Seed(1))?
///     .trade_off_chart()?;
/// assert!(chart.to_string().contains("recovery"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TradeOffChart {
    title: String,
    /// What the labels of the points are.
    labels_are: String,
    /// What the names of the lines are.
    lines_are: String,
    lines: Vec<Line>,
    notes: Vec<String>,
}

/// The points of one policy, in the order of the leases.
#[derive(Clone, Debug)]
struct Line {
    name: String,
    points: Vec<Point>,
}

#[derive(Clone, Debug)]
struct Point {
    label: String,
    recovery: Recovery,
    zombies: Estimate,
}

/// From a holder's death to the next grant.
#[derive(Clone, Debug)]
struct Recovery {
    mean_s: f64,
    /// Absent where a single run has seen a death.
    interval: Option<Interval>,
    words: String,
}

impl SweepOutcome {
    /// Recovery against zombie writes, one point a lease and one line a policy: see
    /// [`TradeOffChart`]. Where the lease is not varied, the first knob that varies a number takes
    /// its place. The scenario must have crashes, since without a death there is no recovery.
    ///
    /// # Errors
    /// [`ChartError`], where what was counted makes no rate or mean.
    pub fn trade_off_chart(&self) -> Result<TradeOffChart, ChartError> {
        let split = Split::by(self, "lease").unwrap_or_else(|_| Split::by_first(self));
        let mut lines: Vec<Line> = Vec::new();
        let mut without_death = Vec::new();
        for cell in &self.cells {
            let (name, label) = (split.policy(cell), split.at(cell).words());
            let zombies = match Rate::a_grant(&cell.outcomes, |run| run.zombie_writes) {
                Err(EstimateError::NoTrials) => continue,
                rate => Estimate::from(rate?),
            };
            let Some(recovery) = Recovery::of(cell)? else {
                without_death.push(if name.is_empty() {
                    label
                } else {
                    format!("{label}, {name}")
                });
                continue;
            };
            let place = lines.iter().position(|line| line.name == name).unwrap_or_else(|| {
                lines.push(Line { name, points: Vec::new() });
                lines.len() - 1
            });
            lines[place].points.push(Point { label, recovery, zombies });
        }
        let mut notes: Vec<String> = missing(self).into_iter().collect();
        if lines.is_empty() {
            let reason = "no holder died in these runs. Set `crashes` in the scenario.";
            notes.push(format!("There is no point to show: {reason}"));
        } else if !without_death.is_empty() {
            let cells = without_death.join("; ");
            notes.push(format!("Left out, since no holder died there: {cells}."));
        }
        let title = "What does a longer lease buy, and what does it cost?".to_owned();
        let (labels_are, lines_are) = (split.axis_name, split.policies_are);
        Ok(TradeOffChart { title, labels_are, lines_are, lines, notes })
    }
}

impl Recovery {
    fn of(cell: &Cell) -> Result<Option<Recovery>, EstimateError> {
        let means: Vec<f64> = cell.outcomes.iter().filter_map(|run| run.recovery_mean_s).collect();
        Ok(match means[..] {
            [] => None,
            [mean_s] => {
                let words = format!("{mean_s:.3} s in one run");
                Some(Recovery { mean_s, interval: None, words })
            }
            _ => {
                let mean = Mean::of_runs(means)?;
                let (mean_s, interval) = (mean.value(), Some(mean.interval()));
                Some(Recovery { mean_s, interval, words: format!("{mean} s") })
            }
        })
    }
}

impl TradeOffChart {
    /// The same chart with the question that it answers.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> TradeOffChart {
        self.title = title.into();
        self
    }

    /// What the chart shows, in numbers.
    #[must_use]
    pub fn table(&self) -> Table {
        let has_names = !self.lines_are.is_empty();
        let mut headings: Vec<&str> = has_names.then_some(&*self.lines_are).into_iter().collect();
        let label = if self.labels_are.is_empty() { "at" } else { &self.labels_are };
        headings.extend([label, "recovery", "zombie writes a grant"]);
        let mut table = Table::new(headings).captioned(&self.title);
        for line in &self.lines {
            for Point { label, recovery, zombies } in &line.points {
                let mut row: Vec<&str> = has_names.then_some(&*line.name).into_iter().collect();
                row.extend([label.as_str(), &recovery.words, &zombies.words]);
                table = table.row(row);
            }
        }
        table
    }

    /// Of each line the first and the last point: all of them are in the table.
    fn description(&self) -> String {
        let told = self.lines.iter().flat_map(|line| {
            let ends = line.points.first().into_iter().chain(line.points.iter().skip(1).last());
            ends.map(|Point { label, recovery, zombies }| {
                let name = if line.name.is_empty() { "" } else { &format!("{}, ", line.name) };
                let zombies = &zombies.words;
                format!("{name}{label}: recovery {}, zombie writes {zombies}.", recovery.words)
            })
        });
        let said = std::iter::once(self.title.clone()).chain(told).chain(self.notes.clone());
        said.collect::<Vec<String>>().join(" ")
    }

    /// The picture.
    #[must_use]
    pub fn still(&self) -> Still {
        self.paint(self.description(), self.to_string())
    }
}

impl fmt::Display for TradeOffChart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}
