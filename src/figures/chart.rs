//! Charts, drawn with plotters.

pub mod reported;
pub mod tail;

use super::output::{Figure, Still};
use crate::analysis::estimate::writing::with_commas;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::time::Duration;

/// Colours that colour-blind readers can tell apart, from dark to light in grey print too (after
/// Okabe and Ito).
pub(crate) const PALETTE: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// Text and axes.
pub(crate) const INK: RGBColor = RGBColor(40, 40, 40);
/// The lines of the grid.
pub(crate) const GRID: RGBColor = RGBColor(225, 225, 225);

/// What drawing a chart can fail with; on paper that is a text, nothing can.
pub(crate) type DrawResult = Result<(), Box<dyn std::error::Error>>;

/// Draws a chart of this size on a white ground with round corners, and makes a still picture of
/// it.
pub(crate) fn draw(
    (width, height): (u32, u32),
    description: String,
    text: String,
    paint: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> DrawResult,
) -> Still {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        // Nothing here reads or writes outside memory; were a range empty, the picture would be
        // empty, and the text beside it still says all.
        let _ = paint(&area).and_then(|()| Ok(area.present()?));
    }
    let ground = format!("<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"white\"/>");
    if let Some(end) = svg.find("<svg").and_then(|start| Some(start + svg[start..].find('>')?)) {
        svg.insert_str(end + 1, &ground);
    }
    Still { description, svg, text }
}

/// A length as a mark on an axis: `10 ms`, `2 s`.
pub(crate) fn length_mark(seconds: f64) -> String {
    let (number, unit) = match seconds {
        s if s < 0.999_999e-3 => (s * 1e6, "µs"),
        s if s < 0.999_999 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    let rounded = (number * 100.0).round() / 100.0;
    if rounded >= 1e3 {
        return format!("{} {unit}", with_commas(rounded as u64));
    }
    format!("{rounded} {unit}")
}

/// A length for a table, to three digits.
pub(crate) fn length_text(length: Duration) -> String {
    let seconds = length.as_secs_f64();
    let (number, unit) = if seconds < 1.0 { (seconds * 1e3, "ms") } else { (seconds, "s") };
    let decimals = if number < 10.0 {
        2
    } else if number < 100.0 {
        1
    } else {
        0
    };
    format!("{number:.decimals$} {unit}")
}

/// The powers of ten around these numbers, both above zero.
pub(crate) fn decades(least: f64, most: f64) -> std::ops::Range<f64> {
    let (low, high) = (least.log10().floor(), most.log10().ceil());
    10f64.powf(low)..10f64.powf(high.max(low + 1.0))
}

impl Figure for tail::TailChart {
    fn html(&self) -> String {
        self.still().to_html()
    }

    fn is_picture(&self) -> bool {
        true
    }
}

impl Figure for reported::ReportedPauseChart {
    fn html(&self) -> String {
        self.still().to_html()
    }

    fn is_picture(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{micros, millis, secs};

    #[test]
    fn lengths_are_written_in_the_unit_that_fits() {
        let marks = [0.000_1, 0.001, 0.1, 1.0, 100.0, 6_000.0].map(length_mark);
        assert_eq!(marks, ["100 µs", "1 ms", "100 ms", "1 s", "100 s", "6,000 s"]);
        let texts = [micros(12_340), millis(950), millis(1_234), secs(54)].map(length_text);
        assert_eq!(texts, ["12.3 ms", "950 ms", "1.23 s", "54.0 s"]);
    }

    #[test]
    fn decades_hold_what_they_are_made_for() {
        assert_eq!(decades(0.002, 5.0), 0.001..10.0);
        assert_eq!(decades(1.0, 1.0), 1.0..10.0);
    }
}
