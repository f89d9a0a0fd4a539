//! How a rate chart is drawn.

use super::super::axis::{Axis, Scale, ends};
use super::super::canvas::{Canvas, Pixel, Stroke};
use super::super::labels::set_apart;
use super::super::marks::{ARROW, NOT_SEEN, Style, THEORY, paint_arrow, paint_bar};
use super::super::plot::Plot;
use super::super::sheet::{Beside, Entry, Grid, Sheet};
use super::super::value::At;
use super::super::words::{plain_number, rate_mark};
use super::{Line, Point, RateChart, Theory};
use crate::figures::output::Still;

/// Of the plot, in pixels.
const HEIGHT: f64 = 300.0;
/// Room before the first and after the last setting, as a share of the way between, with one line
/// and with each more.
const ROOM: (f64, f64) = (0.05, 0.012);
/// Room above the highest point of a linear axis, as a share of the way from zero.
const HEADROOM: f64 = 0.03;
/// An interval goes no farther down than to this share of its value: the rest would be all axis.
const DEEPEST: f64 = 0.03;

/// Where a point is drawn.
struct Place<'a> {
    line: usize,
    point: &'a Point,
    at: Pixel,
}

impl RateChart {
    pub(super) fn paint(&self, description: String, text: String) -> Still {
        self.sheet().still(description, text, |canvas, plot| {
            for (place, theory) in self.theories.iter().enumerate() {
                plot.line(canvas, &theory.points, self.theory_stroke(place, theory));
            }
            let places = self.places(plot);
            self.paint_lines(canvas, &places);
            for Place { line, point, at } in &places {
                let (style, estimate) = (Style::of(*line), &point.estimate);
                if estimate.is_bound {
                    paint_arrow(canvas, *at, style.colour);
                    style.mark().open().paint(canvas, *at);
                } else {
                    let ends = [estimate.interval.low, estimate.interval.high];
                    let [low, high] = ends.map(|end| (at.0, plot.held_down(end)));
                    paint_bar(canvas, low, high, style.colour);
                    style.mark().paint(canvas, *at);
                }
            }
        })
    }

    fn sheet(&self) -> Sheet {
        let label = |(place, line): (usize, &Line)| {
            let style = Style::of(place);
            let last = line.points.iter().rfind(|point| self.is_shown(point))?;
            let mark = if last.estimate.is_bound { style.mark().open() } else { style.mark() };
            let stroke = self.is_joined(place).then(|| style.stroke(1.5));
            let mark = Some(mark);
            let entry = Entry { stroke, mark, words: line.name.clone() };
            (!line.name.is_empty()).then_some(Beside { at: last.estimate.value, entry })
        };
        Sheet {
            title: self.title.clone(),
            x: self.x_axis(),
            y: self.y_axis(),
            x_title: self.x_title.clone(),
            y_title: self.y_title.clone(),
            grid: Grid::Level,
            height: HEIGHT,
            beside: self.lines.iter().enumerate().filter_map(label).collect(),
            beside_title: self.lines_are.clone(),
            key: self.key(),
            notes: self.all_notes(),
        }
    }

    fn key(&self) -> Vec<Entry> {
        let theories = self.theories.iter().enumerate().map(|(place, theory)| {
            let stroke = Some(self.theory_stroke(place, theory));
            Entry { stroke, mark: None, words: theory.heading(&self.lines) }
        });
        theories.collect()
    }

    fn theory_stroke(&self, place: usize, theory: &Theory) -> Stroke {
        match self.lines.iter().position(|line| line.name == theory.name) {
            Some(line) => Stroke { colour: Style::of(line).colour, ..THEORY },
            None => Stroke { dash: Style::of(place).dash, ..THEORY },
        }
    }

    /// What the marks mean, and what is not shown.
    fn all_notes(&self) -> Vec<String> {
        let shown = || self.points().filter(|point| self.is_shown(point));
        let mut meaning = Vec::new();
        if shown().any(|point| !point.estimate.is_bound) {
            meaning.push("Bars are intervals of 95 %.");
        }
        if shown().any(|point| point.estimate.is_bound) {
            meaning.push(NOT_SEEN);
        }
        let mut notes = vec![meaning.join(" ")];
        let hidden: Vec<String> = self
            .points()
            .filter(|point| !self.is_shown(point))
            .map(|point| format!("{} at {}", point.estimate.words, point.at.words()))
            .collect();
        if !hidden.is_empty() {
            let hidden = hidden.join("; ");
            notes.push(format!("Left out, since a logarithmic axis has no zero: {hidden}."));
        }
        if self.points().next().is_none() {
            notes.push("There is no point to show.".to_owned());
        }
        notes.extend(self.notes.clone());
        notes.retain(|note| !note.is_empty());
        notes
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.lines.iter().flat_map(|line| &line.points)
    }

    fn has_names_below(&self) -> bool {
        self.points().any(|point| point.at.number().is_none())
    }

    /// Names in the order in which they came; else the numbers that were set.
    pub(super) fn x_axis(&self) -> Axis {
        if self.has_names_below() {
            let mut names: Vec<String> = Vec::new();
            for point in self.points() {
                let name = point.at.words();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            return Axis::of_names(names);
        }
        let numbers = || self.points().filter_map(|point| point.at.number());
        let scale = self.x_scale.unwrap_or(Scale::that_spreads(numbers()));
        let written = |point: &Point| Some((point.at.number()?, point.at.words()));
        let mut ticks: Vec<(f64, String)> =
            self.points().filter_map(written).filter(|(number, _)| scale.has(*number)).collect();
        ticks.sort_by(|one, other| one.0.total_cmp(&other.0));
        ticks.dedup_by(|one, other| one.0 == other.0);
        if ticks.is_empty() {
            let theory = self.theories.iter().flat_map(|theory| &theory.points);
            let range = ends(theory.map(|(x, _)| *x));
            return Axis::from_mark_to_mark(scale, range, plain_number);
        }
        let room = ROOM.0 + ROOM.1 * self.lines.len().saturating_sub(1) as f64;
        Axis::with_ticks(scale, ticks, room.min(0.2))
    }

    fn y_scale(&self) -> Scale {
        let values = self.points().map(|point| point.estimate.value);
        self.y_scale.unwrap_or(Scale::fit_for(values))
    }

    /// Holds all values and their intervals, and below what was not seen there is room for its
    /// arrow.
    fn y_axis(&self) -> Axis {
        let scale = self.y_scale();
        let reach = |point: &Point| {
            let (value, interval) = (point.estimate.value, point.estimate.interval);
            let low = if point.estimate.is_bound { value } else { interval.low };
            let low = if scale == Scale::Log { low.max(DEEPEST * value) } else { low };
            [low, value, interval.high]
        };
        let theory = self.theories.iter().flat_map(|theory| &theory.points).map(|(_, y)| *y);
        let all: Vec<f64> = match self.points().next() {
            Some(_) => self.points().flat_map(reach).collect(),
            None => theory.collect(),
        };
        let (low, high) = ends(all.into_iter().filter(|number| scale.has(*number)));
        let (low, high) = match scale {
            Scale::Log => (low, high),
            // A share ends at 1: an axis up to 1.2 would ask what lies there.
            _ if high == 1.0 => (low.min(0.0), high),
            _ => (low.min(0.0), high + HEADROOM * (high - low.min(0.0))),
        };
        let mut axis = Axis::holding(scale, (low, high), rate_mark);
        let bounds = self.points().filter(|point| point.estimate.is_bound);
        let (lowest, _) = ends(bounds.map(|point| point.estimate.value));
        if lowest.is_finite() {
            axis.leave_below(lowest, (ARROW + 6.0) / HEIGHT);
        }
        axis
    }

    fn is_shown(&self, point: &Point) -> bool {
        let has_place = point.at.number().is_none_or(|x| self.x_axis().scale.has(x));
        has_place && self.y_scale().has(point.estimate.value)
    }

    /// Where every point is drawn: at its numbers; those that would hide one another side by side.
    fn places(&self, plot: &Plot) -> Vec<Place<'_>> {
        let mut places = Vec::new();
        for (line, points) in self.lines.iter().enumerate().map(|(n, line)| (n, &line.points)) {
            for point in points.iter().filter(|point| self.is_shown(point)) {
                let Some(x) = plot.x.place_of(&point.at) else { continue };
                places.push(Place { line, point, at: plot.at(x, point.estimate.value) });
            }
        }
        set_apart(&mut places, plot.area, |place| (&mut place.at, place.point.estimate.is_bound));
        places
    }

    /// Names have no order to join them in, and where a formula says how the line goes between the
    /// points, a straight line would say otherwise.
    fn is_joined(&self, line: usize) -> bool {
        let is_explained =
            |theory: &Theory| self.lines.len() == 1 || self.lines[line].name == theory.name;
        !self.has_names_below() && !self.theories.iter().any(is_explained)
    }

    /// Only between neighbours that were both seen: where the line would go below a bound is not
    /// known.
    fn paint_lines(&self, canvas: &Canvas<'_>, places: &[Place<'_>]) {
        let go_on = |one: &Place<'_>, other: &Place<'_>| {
            let is_bound = one.point.estimate.is_bound || other.point.estimate.is_bound;
            one.line == other.line && !is_bound
        };
        let runs = places.chunk_by(go_on).filter(|run| run.len() > 1);
        for run in runs.filter(|run| self.is_joined(run[0].line)) {
            let points: Vec<Pixel> = run.iter().map(|place| place.at).collect();
            canvas.line(&points, Style::of(run[0].line).stroke(1.5));
        }
    }
}

impl Axis {
    /// The number of a point on this axis.
    fn place_of(&self, at: &At) -> Option<f64> {
        if self.scale != Scale::Names {
            return at.number();
        }
        let words = at.words();
        self.ticks.iter().find(|(_, name)| *name == words).map(|(place, _)| *place)
    }
}
