//! The sheet: a picture with its title, axes, key and notes, and room for what is drawn.
//!
//! From top to bottom: the title, a question; what the upright axis counts; the plot, with labels
//! at its right side; what the level axis says; the key; notes. All words stand outside the plot,
//! so none can be behind or before data.

use super::super::output::Still;
use super::super::svg::{Area, text_width, wrapped};
use super::axis::{Axis, Scale};
use super::canvas::{Canvas, Font, GRID, INK, Pixel, SOFT, Side, Stroke, picture};
use super::labels::spread;
use super::marks::Mark;
use super::plot::Plot;

const WIDTH: f64 = 760.0;
const MARGIN: f64 = 18.0;
/// Room for the small picture before the words of a key.
const GLYPH: f64 = 30.0;
/// The longest words that stand beside the plot, before they are broken.
const BESIDE: f64 = 150.0;
/// The longest name at the upright axis, before it is cut.
const NAMES: f64 = 300.0;

pub(super) const TITLE: Font = Font { size: 16.0, colour: INK, is_bold: true };
pub(super) const PLAIN: Font = Font { size: 12.5, colour: INK, is_bold: false };
pub(super) const TICK: Font = Font { size: 12.0, colour: INK, is_bold: false };
pub(super) const MINOR: Font = Font { size: 12.0, colour: SOFT, is_bold: false };

const TITLE_LINE: f64 = 21.0;
const LINE: f64 = 16.0;
const KEY_LINE: f64 = 21.0;

/// See the head of the file.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) x_title: String,
    pub(super) y_title: String,
    /// Which lines of the grid are drawn.
    pub(super) grid: Grid,
    /// Of the plot, in pixels.
    pub(super) height: f64,
    /// Words at the right side of the plot, each at the height of what it names.
    pub(super) beside: Vec<Beside>,
    /// What all of these are.
    pub(super) beside_title: String,
    /// Below the axis: what lines and marks mean.
    pub(super) key: Vec<Entry>,
    /// Sentences at the foot.
    pub(super) notes: Vec<String>,
}

/// Which lines of the grid are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grid {
    Level,
    Upright,
    Both,
}

/// A label beside the plot.
#[derive(Clone, Debug)]
pub(super) struct Beside {
    /// On the upright axis.
    pub(super) at: f64,
    pub(super) entry: Entry,
}

/// What a line or a mark means.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) stroke: Option<Stroke>,
    pub(super) mark: Option<Mark>,
    pub(super) words: String,
}

/// What the layout comes to: where everything stands.
struct Layout {
    title: Vec<String>,
    plot: Plot,
    x_labels: Vec<(f64, Vec<String>)>,
    x_title: f64,
    key: Vec<(Pixel, Vec<String>)>,
    notes: Vec<(f64, String)>,
    height: f64,
}

impl Sheet {
    /// Draws everything; `paint` draws the data.
    pub(super) fn still(
        &self,
        description: String,
        text: String,
        paint: impl FnOnce(&Canvas<'_>, &Plot),
    ) -> Still {
        let layout = self.layout();
        let svg = picture((WIDTH, layout.height), |canvas| {
            self.paint_grid(canvas, &layout);
            paint(canvas, &layout.plot);
            self.paint_words(canvas, &layout);
            self.paint_beside(canvas, &layout.plot);
            self.paint_key(canvas, &layout);
        });
        Still { description, svg, text }
    }

    fn layout(&self) -> Layout {
        let title = wrapped(&self.title, TITLE.size * 1.06, WIDTH - 2.0 * MARGIN);
        let has_heads = !self.y_title.is_empty() || !self.beside_title.is_empty();
        let heads = if has_heads { 32.0 } else { 12.0 };
        let top = MARGIN + TITLE_LINE * title.len() as f64 + heads;
        let area = Area {
            left: self.left(),
            top,
            right: WIDTH - self.right(),
            bottom: top + self.height.max(self.beside_height()),
        };
        let plot = Plot { area, x: self.x.clone(), y: self.y.clone() };
        let x_labels = self.x_labels(&plot);
        let rows = x_labels.iter().map(|(_, lines)| lines.len()).max().unwrap_or(1);
        let x_title = area.bottom + 19.0 + LINE * (rows.max(1) - 1) as f64 + 22.0;
        let mut down = x_title + if self.key.is_empty() { 0.0 } else { 28.0 };
        let key = self.flow(&mut down);
        down += if self.notes.is_empty() { 0.0 } else { 10.0 };
        let mut notes = Vec::new();
        for note in &self.notes {
            for line in wrapped(note, MINOR.size, WIDTH - 2.0 * MARGIN) {
                down += LINE;
                notes.push((down, line));
            }
        }
        Layout { title, plot, x_labels, x_title, key, notes, height: (down + MARGIN).ceil() }
    }

    /// Where the plot begins: after the words at the upright axis.
    fn left(&self) -> f64 {
        let widths = self.y.ticks.iter().map(|(_, words)| text_width(words, TICK.size));
        MARGIN + widths.fold(20.0, f64::max).min(NAMES) + 10.0
    }

    /// What the plot leaves at the right: room for the labels, and half of the last number below.
    fn right(&self) -> f64 {
        let widest = self.beside.iter().flat_map(|label| beside_lines(&label.entry.words));
        let widest = widest.map(|line| text_width(&line, PLAIN.size)).fold(0.0, f64::max);
        if self.beside.is_empty() {
            let last = self.x.ticks.last().map_or(0.0, |(_, words)| text_width(words, TICK.size));
            let is_name = self.x.scale == Scale::Names;
            return MARGIN + if is_name { 0.0 } else { last / 2.0 };
        }
        let title = text_width(&self.beside_title, MINOR.size).min(GLYPH + BESIDE) - GLYPH;
        MARGIN + GLYPH + 10.0 + widest.max(title)
    }

    fn beside_height(&self) -> f64 {
        self.beside.iter().map(|label| beside_room(&label.entry.words)).sum()
    }

    /// The words below the level axis: names broken into lines, numbers left out where they would
    /// stand on one another.
    fn x_labels(&self, plot: &Plot) -> Vec<(f64, Vec<String>)> {
        if self.x.scale == Scale::Names {
            let slot = plot.area.width() / self.x.ticks.len().max(1) as f64;
            let lines = |words: &str| wrapped(words, TICK.size, slot - 8.0);
            return self.x.ticks.iter().map(|(at, words)| (*at, lines(words))).collect();
        }
        let mut labels: Vec<(f64, Vec<String>)> = Vec::new();
        let mut free = Vec::new();
        // The ends first: they say how far the axis goes.
        let (first, rest) = self.x.ticks.split_at(self.x.ticks.len().min(1));
        let (between, last) = rest.split_at(rest.len().saturating_sub(1));
        for (at, words) in first.iter().chain(last).chain(between) {
            let half = text_width(words, TICK.size) / 2.0 + 5.0;
            let area = Area::around((plot.across(*at), 0.0), half, 1.0);
            if !free.iter().any(|other: &Area| other.overlaps(&area)) {
                free.push(area);
                labels.push((*at, vec![words.clone()]));
            }
        }
        labels
    }

    /// Where the entries of the key stand, row by row, with their lines; `down` is moved on to the
    /// last row.
    fn flow(&self, down: &mut f64) -> Vec<(Pixel, Vec<String>)> {
        let mut across = MARGIN;
        let mut places = Vec::new();
        for entry in &self.key {
            let lines = wrapped(&entry.words, PLAIN.size, WIDTH - 2.0 * MARGIN - GLYPH);
            let widths = lines.iter().map(|line| text_width(line, PLAIN.size));
            let width = GLYPH + widths.fold(0.0, f64::max);
            if across > MARGIN && across + width > WIDTH - MARGIN {
                across = MARGIN;
                *down += KEY_LINE;
            }
            let more = lines.len().saturating_sub(1);
            places.push(((across, *down), lines));
            across += width + 22.0;
            if more > 0 {
                // What is longer than a row has the rows to itself.
                across = WIDTH;
                *down += LINE * more as f64;
            }
        }
        places
    }

    fn paint_grid(&self, canvas: &Canvas<'_>, layout: &Layout) {
        let (plot, area) = (&layout.plot, layout.plot.area);
        let grid = Stroke::of(GRID, 1.0);
        if self.grid != Grid::Upright {
            for (at, _) in &self.y.ticks {
                let y = plot.down(*at);
                canvas.line(&[(area.left, y), (area.right, y)], grid);
            }
        }
        if self.grid != Grid::Level {
            self.x.ticks.iter().for_each(|(at, _)| plot.upright(canvas, *at, grid));
        }
        let axis = Stroke::of(INK, 1.0);
        canvas.line(&[(area.left, area.bottom), (area.right, area.bottom)], axis);
        if self.x.scale != Scale::Names {
            for (at, _) in &layout.x_labels {
                let x = plot.across(*at);
                canvas.line(&[(x, area.bottom), (x, area.bottom + 4.0)], axis);
            }
        }
    }

    fn paint_words(&self, canvas: &Canvas<'_>, layout: &Layout) {
        let area = layout.plot.area;
        for (row, line) in layout.title.iter().enumerate() {
            let down = MARGIN + 14.0 + TITLE_LINE * row as f64;
            canvas.text((MARGIN, down), Side::Start, TITLE, line);
        }
        let to = if self.beside.is_empty() { WIDTH - MARGIN } else { area.right };
        let y_title = shortened(&self.y_title, MINOR.size, to - MARGIN);
        canvas.text((MARGIN, area.top - 14.0), Side::Start, MINOR, &y_title);
        for (at, words) in &self.y.ticks {
            let down = layout.plot.down(*at) + 4.0;
            let words = shortened(words, TICK.size, NAMES);
            canvas.text((area.left - 8.0, down), Side::End, TICK, &words);
        }
        for (at, lines) in &layout.x_labels {
            for (row, line) in lines.iter().enumerate() {
                let down = area.bottom + 19.0 + LINE * row as f64;
                canvas.text((layout.plot.across(*at), down), Side::Middle, TICK, line);
            }
        }
        let middle = (area.left + area.right) / 2.0;
        let x_title = shortened(&self.x_title, MINOR.size, area.width());
        canvas.text((middle, layout.x_title), Side::Middle, MINOR, &x_title);
        for (down, note) in &layout.notes {
            canvas.text((MARGIN, *down), Side::Start, MINOR, note);
        }
    }

    /// Labels that are wished for at the same height are moved apart.
    fn paint_beside(&self, canvas: &Canvas<'_>, plot: &Plot) {
        let left = plot.area.right + 8.0;
        if !self.beside.is_empty() {
            let title = shortened(&self.beside_title, MINOR.size, GLYPH + BESIDE);
            canvas.text((left, plot.area.top - 14.0), Side::Start, MINOR, &title);
        }
        let wish = |label: &Beside| (plot.held_down(label.at), beside_room(&label.entry.words));
        let wishes: Vec<(f64, f64)> = self.beside.iter().map(wish).collect();
        let centres = spread(&wishes, plot.area.top, plot.area.bottom);
        for (label, centre) in self.beside.iter().zip(centres) {
            let lines = beside_lines(&label.entry.words);
            let first = centre - LINE * (lines.len() - 1) as f64 / 2.0;
            label.entry.paint_glyph(canvas, (left, first));
            for (row, line) in lines.iter().enumerate() {
                let at = (left + GLYPH, first + 4.0 + LINE * row as f64);
                canvas.text(at, Side::Start, PLAIN, line);
            }
        }
    }

    fn paint_key(&self, canvas: &Canvas<'_>, layout: &Layout) {
        for (entry, (at, lines)) in self.key.iter().zip(&layout.key) {
            entry.paint_glyph(canvas, (at.0, at.1 - 4.0));
            for (row, line) in lines.iter().enumerate() {
                let at = (at.0 + GLYPH, at.1 + LINE * row as f64);
                canvas.text(at, Side::Start, PLAIN, line);
            }
        }
    }
}

impl Entry {
    /// A small picture of the line and the mark, from `at` to the right.
    fn paint_glyph(&self, canvas: &Canvas<'_>, at: Pixel) {
        if let Some(stroke) = self.stroke {
            canvas.line(&[at, (at.0 + GLYPH - 7.0, at.1)], stroke);
        }
        if let Some(mark) = self.mark {
            mark.paint(canvas, (at.0 + (GLYPH - 7.0) / 2.0, at.1));
        }
    }
}

/// As many words as fit in one line; three dots stand for the rest.
fn shortened(words: &str, size: f64, width: f64) -> String {
    if text_width(words, size) <= width {
        return words.to_owned();
    }
    let lines = wrapped(words, size, width - text_width("…", size));
    lines.first().map_or_else(String::new, |line| format!("{line}…"))
}

fn beside_lines(words: &str) -> Vec<String> {
    wrapped(words, PLAIN.size, BESIDE)
}

/// The height of a label beside the plot.
fn beside_room(words: &str) -> f64 {
    LINE * beside_lines(words).len() as f64 + 4.0
}
