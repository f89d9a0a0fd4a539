//! The tail of pauses: how often is one longer than so long?

use super::axis::{Axis, ends};
use super::marks::{LEASE, Style};
use super::sheet::{Entry, Grid, Sheet};
use super::words::{length_mark, length_text, one_in, span};
use crate::analysis::estimate::writing::with_commas;
use crate::figures::output::Still;
use crate::figures::table::Table;
use std::fmt;
use std::time::Duration;

/// For each set of lengths a falling line: the share of them that is longer than the length below.
/// Both axes are logarithmic, so that a heavy tail is a straight line and a light one bends down.
///
/// ```
/// use fencing::prelude::*;
///
/// let light = Delay::exponential(secs(1)).samples(Seed(1), 10_000)?;
/// let heavy = Delay::pareto(millis(300), 1.2).samples(Seed(1), 10_000)?;
/// let chart = TailChart::new("How often is a pause longer than a lease?")
///     .curve("exponential", light)
///     .curve("Pareto", heavy)
///     .lease(secs(10));
/// assert!(chart.to_string().contains("Pareto"));
/// # Ok::<(), DelayError>(())
/// ```
#[derive(Clone)]
pub struct TailChart {
    title: String,
    curves: Vec<Curve>,
    lease: Option<Duration>,
}

/// The lengths of one curve, sorted, with its name.
#[derive(Clone, Debug)]
struct Curve {
    name: String,
    lengths: Vec<Duration>,
}

/// More points than this make no visible difference to a curve.
const MOST_POINTS: usize = 400;

/// Of the plot, in pixels.
const HEIGHT: f64 = 300.0;

/// Shorter lengths than this are drawn here: a logarithmic axis has no zero.
const SHORTEST_S: f64 = 1e-6;

impl TailChart {
    /// A chart without a curve; the title is the question that it answers.
    #[must_use]
    pub fn new(title: impl Into<String>) -> TailChart {
        TailChart { title: title.into(), curves: Vec::new(), lease: None }
    }

    /// The same chart with one more curve. Without lengths there is no curve.
    #[must_use]
    pub fn curve(
        mut self,
        name: impl Into<String>,
        lengths: impl IntoIterator<Item = Duration>,
    ) -> TailChart {
        let mut lengths: Vec<Duration> = lengths.into_iter().collect();
        lengths.sort_unstable();
        if !lengths.is_empty() {
            self.curves.push(Curve { name: name.into(), lengths });
        }
        self
    }

    /// The same chart with a line at this lease.
    #[must_use]
    pub fn lease(mut self, lease: Duration) -> TailChart {
        self.lease = Some(lease);
        self
    }

    /// What the chart shows, in numbers.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut headings = vec!["pauses of", "how many", "median", "99 of 100 up to", "longest"];
        let beyond = self.lease.map(|lease| format!("longer than {}", span(lease)));
        headings.extend(beyond.as_deref());
        let mut table = Table::new(headings).captioned(&self.title);
        for curve in &self.curves {
            let mut row = vec![
                curve.name.clone(),
                with_commas(curve.lengths.len() as u64),
                length_text(curve.quantile(0.5)),
                length_text(curve.quantile(0.99)),
                length_text(curve.quantile(1.0)),
            ];
            row.extend(self.lease.map(|lease| with_commas(curve.longer_than(lease) as u64)));
            table = table.row(row);
        }
        table
    }

    /// The picture.
    #[must_use]
    pub fn still(&self) -> Still {
        let curves = self.curves.iter().map(|curve| {
            let (half, longest) = (curve.quantile(0.5), curve.quantile(1.0));
            let (half, longest) = (length_text(half), length_text(longest));
            format!("{}: half longer than {half}, longest {longest}", curve.name)
        });
        let description = format!("{} {}.", self.title, curves.collect::<Vec<_>>().join("; "));
        let sheet = self.sheet();
        sheet.still(description, self.to_string(), |canvas, plot| {
            if let Some(lease) = self.lease {
                plot.upright(canvas, seconds_of(lease), LEASE);
            }
            for (place, curve) in self.curves.iter().enumerate() {
                let points = curve.points();
                // What is shorter than the axis is the same share of all: a level line.
                let points = points.into_iter().map(|(at, share)| (at.max(plot.x.low), share));
                let points: Vec<(f64, f64)> =
                    std::iter::once((plot.x.low, 1.0)).chain(points).collect();
                plot.line(canvas, &points, Style::of(place).stroke(2.0));
            }
        })
    }

    fn sheet(&self) -> Sheet {
        // The shortest pause of a hundred: what is shorter would only take room.
        let reach = |curve: &Curve| [curve.quantile(0.01), curve.quantile(1.0)];
        let across = ends(self.curves.iter().flat_map(reach).chain(self.lease).map(seconds_of));
        let most = self.curves.iter().map(|curve| curve.lengths.len()).max().unwrap_or(1);
        let lease = self.lease.map(|lease| {
            let words = format!("a lease of {}", span(lease));
            Entry { stroke: Some(LEASE), mark: None, words }
        });
        let curves = self.curves.iter().enumerate().map(|(place, curve)| {
            let stroke = Some(Style::of(place).stroke(2.0));
            Entry { stroke, mark: None, words: curve.name.clone() }
        });
        Sheet {
            title: self.title.clone(),
            x: Axis::decades(across, length_mark),
            y: Axis::decades((1.0 / most as f64, 1.0), one_in),
            x_title: "length of the pause".to_owned(),
            y_title: "share of pauses that are longer".to_owned(),
            grid: Grid::Both,
            height: HEIGHT,
            beside: Vec::new(),
            beside_title: String::new(),
            key: curves.chain(lease).collect(),
            notes: Vec::new(),
        }
    }
}

impl fmt::Display for TailChart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)
    }
}

impl Curve {
    /// The smallest length that this share of all do not exceed.
    fn quantile(&self, share: f64) -> Duration {
        let place = (share * self.lengths.len() as f64).ceil() as usize;
        self.lengths[place.saturating_sub(1).min(self.lengths.len() - 1)]
    }

    fn longer_than(&self, length: Duration) -> usize {
        self.lengths.len() - self.lengths.partition_point(|own| *own <= length)
    }

    /// The steps of the curve: at each length the share of all that are longer falls. Of many
    /// lengths evenly chosen ones, and the longest, which matter most.
    fn points(&self) -> Vec<(f64, f64)> {
        let count = self.lengths.len();
        let step = count.div_ceil(MOST_POINTS).max(1);
        let is_kept = |place: usize| place.is_multiple_of(step) || count - place <= MOST_POINTS;
        let share = |place: usize| (count - place) as f64 / count as f64;
        let mut points = Vec::new();
        for place in (0..count).filter(|place| is_kept(*place)) {
            let at = seconds_of(self.lengths[place]);
            let before = points.last().map_or(1.0, |(_, share): &(f64, f64)| *share);
            points.push((at, before));
            // After the longest nothing is left, which a logarithmic axis cannot show.
            if place + 1 < count {
                points.push((at, share(place + 1)));
            }
        }
        points
    }
}

fn seconds_of(length: Duration) -> f64 {
    length.as_secs_f64().max(SHORTEST_S)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::secs;

    fn one_to(count: u64) -> Vec<Duration> {
        (1..=count).map(secs).collect()
    }

    #[test]
    fn the_table_says_what_the_curve_shows() {
        let chart = TailChart::new("How long?").curve("all", one_to(200)).lease(secs(150));
        let table = chart.to_string();
        let row: Vec<&str> = table.lines().last().unwrap_or_default().split("  ").collect();
        let cells: Vec<&str> =
            row.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect();
        assert_eq!(cells, ["all", "200", "100 s", "198 s", "200 s", "50"]);
    }

    #[test]
    fn a_long_recording_keeps_its_longest_pauses() {
        let curve = Curve { name: String::new(), lengths: one_to(100_000) };
        let points = curve.points();
        assert!(points.len() <= 4 * MOST_POINTS + 2);
        assert_eq!(points[..2], [(1.0, 1.0), (1.0, 0.999_99)]);
        assert_eq!(
            points[points.len() - 3..],
            [(99_999.0, 2e-5), (99_999.0, 1e-5), (100_000.0, 1e-5),]
        );
    }

    #[test]
    fn a_chart_without_a_curve_can_be_shown() {
        let chart = TailChart::new("Nothing?").curve("none", []);
        assert!(chart.still().svg.starts_with("<svg"));
        assert_eq!(chart.to_string().lines().count(), 2);
    }
}
