//! The histogram of pauses: how long are they?

use super::axis::{Axis, Scale};
use super::canvas::Canvas;
use super::marks::{LEASE, LIGHT};
use super::plot::Plot;
use super::sheet::{Entry, Grid, Sheet};
use super::words::{length_mark, length_text, plain_number, span};
use crate::analysis::estimate::writing::with_commas;
use crate::chance::delay::{Delay, DelayError};
use crate::chance::recording::RecordedPause;
use crate::chance::seed::Seed;
use crate::figures::output::Still;
use crate::figures::table::Table;
use std::fmt;
use std::time::Duration;

/// How many pauses there are of each length: bars over ranges of the same width, or of the same
/// factor on a logarithmic axis. It is logarithmic where the lengths lie apart by a factor of ten
/// or more.
///
/// ```
/// use fencing::prelude::*;
///
/// let pause = Delay::log_normal(secs(3), 1.2);
/// let chart = Histogram::of_delay("How long are the pauses?", &pause, Seed(1))?.lease(secs(10));
/// assert_eq!(chart.bins().iter().map(|bin| bin.pauses).sum::<u64>(), 10_000);
///
/// let recorded = read_recording("data/pauses/scheduler-loaded.csv").expect("a recording");
/// println!("{}", Histogram::of_recording("How long was the machine away?", &recorded));
/// # Ok::<(), DelayError>(())
/// ```
#[derive(Clone)]
pub struct Histogram {
    title: String,
    /// Sorted.
    lengths: Vec<Duration>,
    scale: Option<Scale>,
    lease: Option<Duration>,
}

/// One bar: how many pauses are at least so long and shorter than so long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The shortest length that counts, in seconds.
    pub from_s: f64,
    /// The shortest length that is too long, in seconds.
    pub to_s: f64,
    /// How many there are.
    pub pauses: u64,
}

/// Of a distribution so many lengths are drawn.
const SAMPLES: usize = 10_000;
/// Of the plot, in pixels.
const HEIGHT: f64 = 260.0;
/// On a linear axis there are about so many bars.
const BARS: f64 = 25.0;
/// The axis of counts goes up to this at least: there is no half of a pause.
const STEPS: u64 = 5;
/// A length this close below a border, in shares of a bar, is on it: 0.3 is not a sum of thirds.
const ROUNDING: f64 = 1e-9;

impl Histogram {
    /// A histogram of these lengths; the title is the question that it answers.
    #[must_use]
    pub fn of(title: impl Into<String>, lengths: impl IntoIterator<Item = Duration>) -> Histogram {
        let mut lengths: Vec<Duration> = lengths.into_iter().collect();
        lengths.sort_unstable();
        Histogram { title: title.into(), lengths, scale: None, lease: None }
    }

    /// A histogram of ten thousand lengths of a distribution.
    ///
    /// # Errors
    /// [`DelayError`], where the distribution is impossible or its file cannot be read.
    pub fn of_delay(
        title: impl Into<String>,
        delay: &Delay,
        seed: Seed,
    ) -> Result<Histogram, DelayError> {
        Ok(Histogram::of(title, delay.samples(seed, SAMPLES)?))
    }

    /// A histogram of recorded pauses.
    #[must_use]
    pub fn of_recording(title: impl Into<String>, pauses: &[RecordedPause]) -> Histogram {
        Histogram::of(title, pauses.iter().map(|pause| pause.length))
    }

    /// The same chart with a line at this lease.
    #[must_use]
    pub fn lease(mut self, lease: Duration) -> Histogram {
        self.lease = Some(lease);
        self
    }

    /// The same chart with a logarithmic axis. Pauses without any length are left out, and said.
    #[must_use]
    pub fn log_x(mut self) -> Histogram {
        self.scale = Some(Scale::Log);
        self
    }

    /// The same chart with a linear axis.
    #[must_use]
    pub fn linear_x(mut self) -> Histogram {
        self.scale = Some(Scale::Linear);
        self
    }

    /// The bars, from the shortest pauses to the longest, also the empty ones between.
    #[must_use]
    pub fn bins(&self) -> Vec<Bin> {
        let seconds: Vec<f64> = self.shown().collect();
        let (Some(least), Some(most)) = (seconds.first(), seconds.last()) else {
            return Vec::new();
        };
        let borders = self.borders(*least, *most);
        let count = |below: f64| seconds.partition_point(|own| *own < below * (1.0 - ROUNDING));
        borders
            .windows(2)
            .map(|ends| Bin {
                from_s: ends[0],
                to_s: ends[1],
                pauses: (count(ends[1]) - count(ends[0])) as u64,
            })
            .collect()
    }

    /// From the border at or below the shortest to the first above the longest.
    fn borders(&self, least: f64, most: f64) -> Vec<f64> {
        if self.scale() == Scale::Log {
            let a_decade = if most / least < 1e3 { 10.0 } else { 5.0 };
            let first = (least.log10() * a_decade + ROUNDING).floor() as i64;
            let last = (most.log10() * a_decade + ROUNDING).floor() as i64 + 1;
            return (first..=last).map(|n| 10f64.powf(n as f64 / a_decade)).collect();
        }
        let range = if most > least { most - least } else { most.max(1e-9) };
        let wish = range / BARS;
        let power = 10f64.powf(wish.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|front| front * power);
        let step = steps.into_iter().find(|step| wish <= step * 1.001).unwrap_or(wish);
        let first = (least / step + ROUNDING).floor() as i64;
        let last = (most / step + ROUNDING).floor() as i64 + 1;
        (first..=last).map(|n| n as f64 * step).collect()
    }

    fn scale(&self) -> Scale {
        let seconds = self.lengths.iter().map(Duration::as_secs_f64);
        self.scale.unwrap_or(Scale::fit_for(seconds.filter(|length| *length > 0.0)))
    }

    /// The lengths that the axis has a place for, in seconds and sorted.
    fn shown(&self) -> impl Iterator<Item = f64> {
        let scale = self.scale();
        let seconds = self.lengths.iter().map(Duration::as_secs_f64);
        seconds.filter(move |length| scale.has(*length))
    }

    fn notes(&self) -> Vec<String> {
        let hidden = self.lengths.len() - self.shown().count();
        let mut notes = Vec::new();
        if hidden > 0 {
            let hidden = with_commas(hidden as u64);
            notes.push(format!("Left out, since a logarithmic axis has no zero: {hidden} of 0 s."));
        }
        if self.shown().next().is_none() {
            notes.push("There is no pause to show.".to_owned());
        }
        notes
    }

    /// What the chart shows, in numbers; empty bars are left out.
    #[must_use]
    pub fn table(&self) -> Table {
        let all = self.lengths.len().max(1) as f64;
        let headings = ["from", "to below", "pauses", "share"];
        let seen = self.bins().into_iter().filter(|bin| bin.pauses > 0);
        seen.fold(Table::new(headings).captioned(&self.title), |table, bin| {
            let share = format!("{:.2} %", 100.0 * bin.pauses as f64 / all);
            let [from, to] = [bin.from_s, bin.to_s].map(Duration::from_secs_f64).map(length_text);
            table.row([from, to, with_commas(bin.pauses), share])
        })
    }

    /// The picture.
    #[must_use]
    pub fn still(&self) -> Still {
        let bins = self.bins();
        self.sheet(&bins).still(self.description(), self.to_string(), |canvas, plot| {
            bins.iter().for_each(|bin| paint_bin(canvas, plot, bin));
            if let Some(lease) = self.lease {
                plot.upright(canvas, lease.as_secs_f64(), LEASE);
            }
        })
    }

    fn description(&self) -> String {
        let (count, seconds) = (self.lengths.len(), |place: usize| span(self.lengths[place]));
        let told = match count {
            0 => "There is no pause to show.".to_owned(),
            _ => format!(
                "{} pauses from {} to {}, half of them up to {}.",
                with_commas(count as u64),
                seconds(0),
                seconds(count - 1),
                seconds((count - 1) / 2)
            ),
        };
        format!("{} {told}", self.title)
    }

    fn sheet(&self, bins: &[Bin]) -> Sheet {
        let scale = self.scale();
        let lease = self.lease.map(|lease| lease.as_secs_f64()).filter(|lease| scale.has(*lease));
        let mut ends: Vec<f64> = bins.iter().flat_map(|bin| [bin.from_s, bin.to_s]).collect();
        if let [from, to] = ends[..] {
            // A single bar would be as wide as the plot.
            ends.push(if scale == Scale::Log { from / 10.0 } else { 0.0 });
            ends.push(if scale == Scale::Log { to * 10.0 } else { 2.0 * to });
        }
        ends.extend(lease);
        let most = bins.iter().map(|bin| bin.pauses).max().unwrap_or(1);
        let name = |lease| format!("a lease of {}", span(lease));
        Sheet {
            title: self.title.clone(),
            x: Axis::from_mark_to_mark(scale, super::axis::ends(ends), length_mark),
            y: Axis::from_mark_to_mark(Scale::Linear, (0.0, most.max(STEPS) as f64), plain_number),
            x_title: "length of the pause".to_owned(),
            y_title: "pauses".to_owned(),
            grid: Grid::Level,
            height: HEIGHT,
            beside: Vec::new(),
            beside_title: String::new(),
            key: self
                .lease
                .map(|lease| Entry { stroke: Some(LEASE), mark: None, words: name(lease) })
                .into_iter()
                .collect(),
            notes: self.notes(),
        }
    }
}

/// A bar, with a thin gap to the next. One that holds a pause can be seen.
fn paint_bin(canvas: &Canvas<'_>, plot: &Plot, bin: &Bin) {
    if bin.pauses > 0 {
        let from = (plot.across(bin.from_s) + 0.5, plot.area.bottom - 0.5);
        let top = plot.down(bin.pauses as f64).min(plot.area.bottom - 1.5);
        canvas.block(from, (plot.across(bin.to_s) - 0.5, top), LIGHT);
    }
}

impl fmt::Display for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)?;
        self.notes().iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{millis, secs};

    fn counts(chart: &Histogram) -> Vec<(String, u64)> {
        let bins = chart.bins().into_iter().filter(|bin| bin.pauses > 0);
        bins.map(|bin| (format!("{:.3}", bin.from_s), bin.pauses)).collect()
    }

    #[test]
    fn a_length_on_a_border_belongs_to_the_bar_that_begins_there() {
        let linear = Histogram::of("", (1..=100).map(|n| millis(n * 100))).linear_x();
        let bins = linear.bins();
        assert!(bins.iter().all(|bin| bin.pauses <= 5), "{bins:?}");
        assert_eq!(bins.iter().map(|bin| bin.pauses).sum::<u64>(), 100);
        let log = Histogram::of("", [millis(1), millis(10), millis(999), secs(1), secs(10)]);
        let expected = [("0.001", 1), ("0.010", 1), ("0.631", 1), ("1.000", 1), ("10.000", 1)];
        assert_eq!(counts(&log), expected.map(|(from, count)| (from.to_owned(), count)));
    }

    #[test]
    fn what_has_no_length_is_named_on_a_logarithmic_axis_and_counted_on_a_linear_one() {
        let chart = Histogram::of("", [secs(0), secs(0), secs(1), secs(50)]);
        assert_eq!(chart.bins().iter().map(|bin| bin.pauses).sum::<u64>(), 2);
        assert!(chart.to_string().contains("has no zero: 2 of 0 s"), "{chart}");
        assert_eq!(chart.linear_x().bins().iter().map(|bin| bin.pauses).sum::<u64>(), 4);
    }

    #[test]
    fn one_length_or_none_can_be_shown() {
        for lengths in [vec![], vec![secs(3); 7], vec![secs(0)]] {
            for chart in [Histogram::of("", lengths.clone()), Histogram::of("", lengths).log_x()] {
                assert!(chart.still().svg.starts_with("<svg"));
                assert!(chart.bins().len() <= 2, "{chart:?}");
            }
        }
    }
}
