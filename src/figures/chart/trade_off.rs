//! The trade-off of a lease: how soon the lock is free again after its holder's death, against how
//! often it goes wrong.

use super::ChartError;
use super::axis::{Axis, Scale, ends};
use super::canvas::{Canvas, Pixel, Side};
use super::labels::{Room, move_apart};
use super::marks::{ARROW, NOT_SEEN, REACH, Style, paint_arrow, paint_bar};
use super::policy::{Split, missing};
use super::sheet::{Beside, Entry, Grid, Plot, Sheet, TICK};
use super::value::Estimate;
use super::words::{length_mark, rate_mark};
use crate::analysis::estimate::EstimateError;
use crate::analysis::estimate::interval::Interval;
use crate::analysis::estimate::mean::Mean;
use crate::analysis::estimate::rate::Rate;
use crate::analysis::sweep::{Cell, SweepOutcome};
use crate::figures::output::Still;
use crate::figures::svg::Area;
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
#[derive(Clone, Debug)]
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

/// Where a point is drawn.
struct Place<'a> {
    line: usize,
    point: &'a Point,
    at: Pixel,
}

/// Of the plot, in pixels.
const HEIGHT: f64 = 320.0;

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
        self.sheet().still(self.description(), self.to_string(), |canvas, plot| {
            let places = self.places(plot);
            for run in places.chunk_by(go_on).filter(|run| run.len() > 1) {
                let points: Vec<Pixel> = run.iter().map(|place| place.at).collect();
                canvas.line(&points, Style::of(run[0].line).stroke(1.5));
            }
            places.iter().for_each(|place| place.paint(canvas, plot));
            paint_labels(canvas, plot, &places);
        })
    }

    fn sheet(&self) -> Sheet {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let recovery = |point: &Point| {
            let (mean, interval) = (point.recovery.mean_s, point.recovery.interval);
            let interval = interval.map(|interval| [interval.low.max(mean / 10.0), interval.high]);
            std::iter::once(mean).chain(interval.into_iter().flatten())
        };
        let scale = Scale::that_spreads(points().map(|point| point.recovery.mean_s));
        let across = ends(points().flat_map(recovery));
        Sheet {
            title: self.title.clone(),
            x: Axis::holding(scale, across, length_mark),
            y: self.y_axis(),
            x_title: "recovery: from a holder's death to the next grant, mean".to_owned(),
            y_title: "zombie writes a grant".to_owned(),
            grid: Grid::Both,
            height: HEIGHT,
            beside: self.lines.iter().enumerate().filter_map(label).collect(),
            beside_title: self.lines_are.clone(),
            key: Vec::new(),
            notes: self.all_notes(),
        }
    }

    /// Logarithmic: what was not seen once has a bound above zero.
    fn y_axis(&self) -> Axis {
        let zombies =
            || self.lines.iter().flat_map(|line| &line.points).map(|point| &point.zombies);
        let reach = |zombies: &Estimate| {
            let low = zombies.interval.low.max(zombies.value / 30.0);
            [if zombies.is_bound { zombies.value } else { low }, zombies.interval.high]
        };
        let range = ends(zombies().flat_map(reach));
        let mut axis = Axis::holding(Scale::Log, range, rate_mark);
        let (lowest, _) = ends(zombies().filter(|own| own.is_bound).map(|own| own.value));
        if lowest.is_finite() {
            axis.leave_below(lowest, (ARROW + 18.0) / HEIGHT);
        }
        axis
    }

    fn all_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let points = || self.lines.iter().flat_map(|line| &line.points);
        if points().next().is_some() {
            let label = if self.labels_are.is_empty() { "setting" } else { &self.labels_are };
            notes.push(format!(
                "One mark a {label}. Farther left the lock is free sooner, farther down less goes \
                 wrong. Bars are intervals of 95 %."
            ));
        }
        if points().any(|point| point.zombies.is_bound) {
            notes.push(NOT_SEEN.to_owned());
        }
        notes.extend(self.notes.clone());
        notes
    }

    fn places(&self, plot: &Plot) -> Vec<Place<'_>> {
        let mut places: Vec<Place<'_>> = Vec::new();
        for (line, of) in self.lines.iter().enumerate() {
            places.extend(of.points.iter().map(|point| {
                let at = plot.at(point.recovery.mean_s, point.zombies.value);
                Place { line, point, at }
            }));
        }
        let reach = |place: &Place<'_>| if place.point.zombies.is_bound { ARROW } else { REACH };
        let marks: Vec<(Pixel, f64)> =
            places.iter().map(|place| (place.at, reach(place))).collect();
        let apart = move_apart(&marks, plot.area);
        for (place, at) in places.iter_mut().zip(apart) {
            place.at = at;
        }
        places
    }

    /// Shows the chart in a notebook.
    pub fn evcxr_display(&self) {
        self.still().evcxr_display();
    }
}

/// The name of a line, at the height of its last point.
fn label((place, line): (usize, &Line)) -> Option<Beside> {
    let (style, last) = (Style::of(place), line.points.last()?);
    let mark = if last.zombies.is_bound { style.mark().open() } else { style.mark() };
    let (stroke, mark) = (Some(style.stroke(1.5)), Some(mark));
    let entry = Entry { stroke, mark, words: line.name.clone() };
    (!line.name.is_empty()).then_some(Beside { at: last.zombies.value, entry })
}

/// A line joins what was seen.
fn go_on(one: &Place<'_>, other: &Place<'_>) -> bool {
    one.line == other.line && !one.point.zombies.is_bound && !other.point.zombies.is_bound
}

impl Place<'_> {
    /// The bars of the mark: how far each is from its middle.
    fn bars(&self, plot: &Plot) -> Vec<(Pixel, Pixel)> {
        let (at, zombies) = (self.at, &self.point.zombies);
        let upright = (!zombies.is_bound).then(|| {
            let ends = [zombies.interval.low, zombies.interval.high];
            let [low, high] = ends.map(|end| (at.0, plot.held_down(end)));
            (low, high)
        });
        let level = self.point.recovery.interval.map(|interval| {
            let shift = at.0 - plot.across(self.point.recovery.mean_s);
            let [low, high] = [interval.low, interval.high].map(|end| {
                let end = if plot.x.scale.has(end) { plot.across(end) } else { plot.area.left };
                ((end + shift).clamp(plot.area.left, plot.area.right), at.1)
            });
            (low, high)
        });
        upright.into_iter().chain(level).collect()
    }

    fn paint(&self, canvas: &Canvas<'_>, plot: &Plot) {
        let style = Style::of(self.line);
        for (from, to) in self.bars(plot) {
            paint_bar(canvas, from, to, style.colour);
        }
        if self.point.zombies.is_bound {
            paint_arrow(canvas, self.at, style.colour);
            style.mark().open().paint(canvas, self.at);
        } else {
            style.mark().paint(canvas, self.at);
        }
    }
}

/// The lease beside its mark, where there is room.
fn paint_labels(canvas: &Canvas<'_>, plot: &Plot, places: &[Place<'_>]) {
    // Not close to the axis, where a label could be taken for a number of it.
    let mut room = Room::new(Area { left: plot.area.left + 10.0, ..plot.area });
    for place in places {
        room.take(Area::around(place.at, REACH + 1.5, REACH + 1.5));
        if place.point.zombies.is_bound {
            let middle = (place.at.0, place.at.1 + ARROW / 2.0);
            room.take(Area::around(middle, 4.5, ARROW / 2.0));
        }
        for (from, to) in place.bars(plot) {
            // With the short lines across its ends, and a little more.
            let (x, y) = if from.0 == to.0 { (0.0, 5.0) } else { (5.0, 0.0) };
            room.avoid((from.0 - x, from.1 + y), (to.0 + x, to.1 - y));
        }
    }
    for ends in places.windows(2).filter(|ends| go_on(&ends[0], &ends[1])) {
        room.avoid(ends[0].at, ends[1].at);
    }
    for place in places {
        let words = &place.point.label;
        if let Some(centre) = room.place(place.at, words, TICK.size) {
            let baseline = (centre.0, centre.1 + 0.35 * TICK.size);
            canvas.text(baseline, Side::Middle, TICK, words);
        }
    }
}

impl fmt::Display for TradeOffChart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}
