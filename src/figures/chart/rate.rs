//! The rate chart: how often something happens, against what was varied.

mod from_sweep;
mod paint;

use super::axis::Scale;
use super::value::{At, Estimate};
use crate::figures::output::Still;
use crate::figures::table::Table;
use std::fmt;

/// A rate with its interval of 95 % at every setting of a knob, one line a policy.
///
/// From a sweep it is one line: [`SweepOutcome::rate_chart`] puts the first knob that varies a
/// number on the axis, and draws one line for each setting of the others.
///
/// ```
/// use fencing::prelude::*;
///
/// let sweep = Sweep::of(&Scenario::baseline())
///     .lease([5, 10, 20, 40].map(secs))
///     .token_check([TokenCheck::Never, TokenCheck::OnEveryRequest])
///     .repeats(10)
///     .grants(1_000)
///     .run(Seed(1))?;
/// let chart = sweep
///     .rate_chart("zombie writes", |run| run.zombie_writes)?
///     .titled("Does a longer lease end the zombie writes?");
///
/// let text = chart.to_string();
/// assert!(text.contains("on every request") && text.contains("0 of 10,000, below 3/n"), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// What was not seen once is not 0: it is drawn as an open mark at its bound, 3/n, with an arrow
/// down. Own numbers are added point by point, and a formula as a thin line:
///
/// ```
/// use fencing::prelude::*;
///
/// let Scenario { work, pauses, .. } = Scenario::baseline();
/// let chart = RateChart::new("How often does a critical section outlive its lease?")
///     .axes("lease", "expiries a grant")
///     .point("counted", secs(5), Rate::of(1_164, 10_000)?)
///     .point("counted", secs(10), Rate::of(233, 10_000)?)
///     .theory("formula", |lease_s| {
///         outlives_lease(&work, &pauses, Duration::from_secs_f64(lease_s)).unwrap_or(f64::NAN)
///     });
/// assert!(chart.still().svg.starts_with("<svg"));
/// # Ok::<(), EstimateError>(())
/// ```
///
/// The upright axis is logarithmic where its numbers are above zero and lie apart by a factor of
/// ten or more, the level one where that puts the settings farther apart (5, 10, 20, 40).
/// [`log_y`](RateChart::log_y) and its like say otherwise.
///
/// [`SweepOutcome::rate_chart`]: crate::analysis::sweep::SweepOutcome::rate_chart
#[derive(Clone)]
pub struct RateChart {
    title: String,
    x_title: String,
    y_title: String,
    /// What the names of the lines are.
    lines_are: String,
    lines: Vec<Line>,
    theories: Vec<Theory>,
    x_scale: Option<Scale>,
    y_scale: Option<Scale>,
    notes: Vec<String>,
}

/// The points of one policy, from left to right.
#[derive(Clone, Debug)]
struct Line {
    name: String,
    points: Vec<Point>,
}

#[derive(Clone, Debug)]
struct Point {
    at: At,
    estimate: Estimate,
}

/// What a formula says.
#[derive(Clone, Debug)]
struct Theory {
    name: String,
    points: Vec<(f64, f64)>,
}

/// So many steps of a formula make a smooth line.
const STEPS: u32 = 120;

impl RateChart {
    /// A chart without points; the title is the question that it answers.
    #[must_use]
    pub fn new(title: impl Into<String>) -> RateChart {
        RateChart {
            title: title.into(),
            x_title: String::new(),
            y_title: "rate".to_owned(),
            lines_are: String::new(),
            lines: Vec::new(),
            theories: Vec::new(),
            x_scale: None,
            y_scale: None,
            notes: Vec::new(),
        }
    }

    /// The same chart with what is varied, from left to right, and what is counted, upwards.
    #[must_use]
    pub fn axes(mut self, across: impl Into<String>, up: impl Into<String>) -> RateChart {
        self.x_title = across.into();
        self.y_title = up.into();
        self
    }

    /// The same chart with one more point on the line of this name: at a span, a number or a name,
    /// a [`Rate`](crate::prelude::Rate), a [`Mean`](crate::prelude::Mean), or a value with its
    /// [`Interval`](crate::prelude::Interval).
    #[must_use]
    pub fn point(
        mut self,
        line: impl Into<String>,
        at: impl Into<At>,
        estimate: impl Into<Estimate>,
    ) -> RateChart {
        let (name, point) = (line.into(), Point { at: at.into(), estimate: estimate.into() });
        let place = self.lines.iter().position(|line| line.name == name).unwrap_or_else(|| {
            self.lines.push(Line { name, points: Vec::new() });
            self.lines.len() - 1
        });
        let points = &mut self.lines[place].points;
        points.push(point);
        // Names keep their order; numbers go from left to right.
        points.sort_by(|one, other| match (one.at.number(), other.at.number()) {
            (Some(one), Some(other)) => one.total_cmp(&other),
            _ => std::cmp::Ordering::Equal,
        });
        self
    }

    /// The same chart with the question that it answers.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> RateChart {
        self.title = title.into();
        self
    }

    /// The same chart with a formula as a thin line under the points. It is asked at once, from the
    /// first point to the last, so it comes after them. It is given the number on the axis, a span
    /// in seconds. What is not a number is left out. A formula with the name of a line has its
    /// colour.
    #[must_use]
    pub fn theory(self, name: impl Into<String>, formula: impl Fn(f64) -> f64) -> RateChart {
        let axis = self.x_axis();
        let share = |step: u32| f64::from(step) / f64::from(STEPS);
        let evenly = (0..=STEPS).map(|step| axis.low + share(step) * (axis.high - axis.low));
        // Also where a logarithmic axis would need it, should the reader still ask for one.
        let is_above_zero = axis.low > 0.0;
        let by_factors =
            (0..=STEPS).map(|step| axis.low * (axis.high / axis.low).powf(share(step)));
        let by_factors = by_factors.filter(|_| is_above_zero);
        let own = axis.ticks.iter().map(|(number, _)| *number);
        let mut numbers: Vec<f64> = evenly.chain(by_factors).chain(own).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        self.theory_points(name, numbers.into_iter().map(|number| (number, formula(number))))
    }

    /// As [`theory`](RateChart::theory), with the points of the line: the number on the axis, a
    /// span in seconds, and the rate.
    #[must_use]
    pub fn theory_points(
        mut self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> RateChart {
        let points = points.into_iter().filter(|(x, y)| x.is_finite() && y.is_finite());
        self.theories.push(Theory { name: name.into(), points: points.collect() });
        self
    }

    /// The same chart with a logarithmic level axis. What is not above zero is left out, and said.
    #[must_use]
    pub fn log_x(mut self) -> RateChart {
        self.x_scale = Some(Scale::Log);
        self
    }

    /// The same chart with a linear level axis.
    #[must_use]
    pub fn linear_x(mut self) -> RateChart {
        self.x_scale = Some(Scale::Linear);
        self
    }

    /// The same chart with a logarithmic upright axis. What is not above zero is left out, and
    /// said.
    #[must_use]
    pub fn log_y(mut self) -> RateChart {
        self.y_scale = Some(Scale::Log);
        self
    }

    /// The same chart with a linear upright axis, from zero on.
    #[must_use]
    pub fn linear_y(mut self) -> RateChart {
        self.y_scale = Some(Scale::Linear);
        self
    }

    /// What the chart shows, in numbers.
    #[must_use]
    pub fn table(&self) -> Table {
        let names = self.has_names().then(|| match self.lines_are.as_str() {
            "" => "line".to_owned(),
            knobs => knobs.to_owned(),
        });
        let x_title = if self.x_title.is_empty() { "at" } else { &self.x_title };
        let mut headings: Vec<String> = names.into_iter().collect();
        headings.extend([x_title.to_owned(), self.y_title.clone()]);
        headings.extend(self.theories.iter().map(|theory| theory.heading(&self.lines)));
        let mut table = Table::new(headings).captioned(&self.title);
        for line in &self.lines {
            for point in &line.points {
                let mut row: Vec<String> = Vec::new();
                row.extend(self.has_names().then(|| line.name.clone()));
                row.extend([point.at.words(), point.estimate.words.clone()]);
                row.extend(self.theories.iter().map(|theory| theory.words_at(&point.at)));
                table = table.row(row);
            }
        }
        table
    }

    /// What the chart tells, in a few sentences.
    fn description(&self) -> String {
        let lines = self.lines.iter().filter_map(|line| {
            let said = |point: &Point| format!("{} at {}", point.estimate.words, point.at.words());
            let mut told: Vec<String> = line.points.first().map(said).into_iter().collect();
            told.extend(line.points.iter().skip(1).last().map(said));
            let name = if line.name.is_empty() { &self.y_title } else { &line.name };
            (!told.is_empty()).then(|| format!("{name}: {}.", told.join("; ")))
        });
        let said = std::iter::once(self.title.clone()).chain(lines).chain(self.notes.clone());
        said.collect::<Vec<String>>().join(" ")
    }

    /// The picture.
    #[must_use]
    pub fn still(&self) -> Still {
        self.paint(self.description(), self.to_string())
    }

    fn has_names(&self) -> bool {
        self.lines.iter().any(|line| !line.name.is_empty())
    }
}

/// The table, and below it what there is to say.
impl fmt::Display for RateChart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}

impl Theory {
    fn heading(&self, lines: &[Line]) -> String {
        let is_of_a_line = lines.iter().any(|line| line.name == self.name);
        match (is_of_a_line, self.name.as_str()) {
            (_, "") => "theory".to_owned(),
            (true, name) => format!("theory: {name}"),
            (false, name) => name.to_owned(),
        }
    }

    /// What the formula says where it was asked for just this number.
    fn words_at(&self, at: &At) -> String {
        let number = at.number();
        let found = self.points.iter().find(|(x, _)| Some(*x) == number);
        found.map_or_else(String::new, |(_, y)| three_digits(*y))
    }
}

/// A number to three digits.
fn three_digits(number: f64) -> String {
    let decimals = 2.0 - number.abs().log10().floor();
    format!(
        "{number:.*}",
        if decimals.is_finite() { decimals.clamp(0.0, 12.0) as usize } else { 0 }
    )
}
