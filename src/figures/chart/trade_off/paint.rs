//! How the trade-off is drawn.

use super::super::axis::{Axis, Scale, ends};
use super::super::canvas::{Canvas, Pixel, Side};
use super::super::labels::{Room, set_apart};
use super::super::marks::{ARROW, NOT_SEEN, REACH, Style, paint_arrow, paint_bar};
use super::super::plot::Plot;
use super::super::sheet::{Beside, Entry, Grid, Sheet, TICK};
use super::super::value::Estimate;
use super::super::words::{length_mark, rate_mark};
use super::{Line, Point, TradeOffChart};
use crate::figures::output::Still;
use crate::figures::svg::Area;

/// Of the plot, in pixels.
const HEIGHT: f64 = 320.0;

/// Where a point is drawn.
struct Place<'a> {
    line: usize,
    point: &'a Point,
    at: Pixel,
}

impl TradeOffChart {
    pub(super) fn paint(&self, description: String, text: String) -> Still {
        self.sheet().still(description, text, |canvas, plot| {
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
        set_apart(&mut places, plot.area, |place| (&mut place.at, place.point.zombies.is_bound));
        places
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
