//! The canvas: what the parts of a chart are drawn on, in pixels from the upper left corner.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Text and axes.
pub(super) const INK: RGBColor = RGBColor(40, 40, 40);
/// Words that matter less.
pub(super) const SOFT: RGBColor = RGBColor(95, 95, 95);
/// The lines of the grid.
pub(super) const GRID: RGBColor = RGBColor(228, 228, 228);
/// The ground.
pub(super) const PAPER: RGBColor = RGBColor(255, 255, 255);

/// A point, in pixels.
pub(super) type Pixel = (f64, f64);

/// plotters counts in whole units. With ten of them a pixel a slanting line is straight.
const FINE: f64 = 10.0;

/// plotters divides the size of a font by this before it writes it.
const FONT_SCALE: f64 = 1.24;

/// As in the sequence diagrams.
const FAMILY: &str = "Helvetica Neue, Arial, Liberation Sans, sans-serif";

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stroke {
    pub(super) colour: RGBColor,
    /// In pixels.
    pub(super) width: f64,
    /// How long it is drawn and left out in turn, in pixels; empty for a whole line.
    pub(super) dash: &'static [f64],
}

impl Stroke {
    /// A whole line.
    pub(super) const fn of(colour: RGBColor, width: f64) -> Stroke {
        Stroke { colour, width, dash: &[] }
    }
}

/// Which part of the words stands at the point that is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Start,
    Middle,
    End,
}

/// How words are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    /// In pixels.
    pub(super) size: f64,
    pub(super) colour: RGBColor,
    pub(super) is_bold: bool,
}

/// Draws a chart of this size on a white ground with round corners, and returns the SVG text.
pub(super) fn picture((width, height): (f64, f64), paint: impl FnOnce(&Canvas<'_>)) -> String {
    let mut drawn = String::new();
    {
        let area = SVGBackend::with_string(&mut drawn, (fine(width) as u32, fine(height) as u32));
        let canvas = Canvas { area: area.into_drawing_area() };
        paint(&canvas);
        // Nothing here reads or writes outside memory, so nothing can fail: as in all below.
        let _ = canvas.area.present();
    }
    let body = drawn.find('>').map_or("", |end| &drawn[end + 1..]);
    let (fine_width, fine_height, corner) = (fine(width), fine(height), fine(8.0));
    format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {fine_width} {fine_height}\" \
         xmlns=\"http://www.w3.org/2000/svg\">\n<rect width=\"{fine_width}\" \
         height=\"{fine_height}\" rx=\"{corner}\" fill=\"white\"/>{body}"
    )
}

/// See the head of the file.
pub(super) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

fn fine(pixels: f64) -> i32 {
    (pixels * FINE).round() as i32
}

fn unit((x, y): Pixel) -> (i32, i32) {
    (fine(x), fine(y))
}

impl Canvas<'_> {
    /// A line through these points.
    pub(super) fn line(&self, points: &[Pixel], stroke: Stroke) {
        let style = stroke.colour.stroke_width(fine(stroke.width) as u32);
        for piece in dashed(points, stroke.dash) {
            let piece: Vec<(i32, i32)> = piece.into_iter().map(unit).collect();
            let _ = self.area.draw(&PathElement::new(piece, style));
        }
    }

    /// A filled shape with these corners.
    pub(super) fn polygon(&self, corners: &[Pixel], colour: RGBColor) {
        let corners: Vec<(i32, i32)> = corners.iter().copied().map(unit).collect();
        let _ = self.area.draw(&Polygon::new(corners, colour.filled()));
    }

    /// A filled circle.
    pub(super) fn disc(&self, centre: Pixel, radius: f64, colour: RGBColor) {
        let _ = self.area.draw(&Circle::new(unit(centre), fine(radius), colour.filled()));
    }

    /// An upright box, filled.
    pub(super) fn block(&self, from: Pixel, to: Pixel, colour: RGBColor) {
        let _ = self.area.draw(&Rectangle::new([unit(from), unit(to)], colour.filled()));
    }

    /// Words in one line, whose letters stand on the height of `at`.
    pub(super) fn text(&self, at: Pixel, side: Side, font: Font, words: &str) {
        let style = if font.is_bold { FontStyle::Bold } else { FontStyle::Normal };
        let written = (FAMILY, font.size * FINE * FONT_SCALE, style).into_font();
        let anchor = match side {
            Side::Start => HPos::Left,
            Side::Middle => HPos::Center,
            Side::End => HPos::Right,
        };
        let written = written.color(&font.colour).pos(Pos::new(anchor, VPos::Top));
        // plotters puts the letters 0.76 of the font size below what it calls the top.
        let top = (at.0, at.1 - 0.76 * font.size);
        let _ = self.area.draw_text(words, &written, unit(top));
    }
}

/// The pieces of a line that a pattern of dashes leaves.
fn dashed(points: &[Pixel], dash: &[f64]) -> Vec<Vec<Pixel>> {
    if dash.is_empty() {
        return vec![points.to_vec()];
    }
    let mut pieces: Vec<Vec<Pixel>> = vec![points.first().copied().into_iter().collect()];
    let (mut turn, mut left) = (0, dash[0]);
    for ends in points.windows(2) {
        let (way_x, way_y) = (ends[1].0 - ends[0].0, ends[1].1 - ends[0].1);
        let length = way_x.hypot(way_y);
        let mut gone = 0.0;
        while length - gone >= left {
            gone += left;
            let share = gone / length;
            let cut = (ends[0].0 + way_x * share, ends[0].1 + way_y * share);
            if turn % 2 == 0 {
                pieces.last_mut().into_iter().for_each(|piece| piece.push(cut));
            } else {
                pieces.push(vec![cut]);
            }
            turn += 1;
            left = dash[turn % dash.len()];
        }
        left -= length - gone;
        if turn % 2 == 0 && length > gone {
            pieces.last_mut().into_iter().for_each(|piece| piece.push(ends[1]));
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dashed_line_is_drawn_and_left_out_in_turn() {
        let pieces = dashed(&[(0.0, 0.0), (10.0, 0.0), (10.0, 5.0)], &[4.0, 2.0]);
        assert_eq!(pieces[0], [(0.0, 0.0), (4.0, 0.0)]);
        // Around the corner.
        assert_eq!(pieces[1], [(6.0, 0.0), (10.0, 0.0)]);
        assert_eq!(pieces[2], [(10.0, 2.0), (10.0, 5.0)]);
        assert_eq!(pieces.len(), 3);
        assert_eq!(dashed(&[(0.0, 0.0), (1.0, 1.0)], &[]), [[(0.0, 0.0), (1.0, 1.0)]]);
    }

    #[test]
    fn a_picture_has_a_white_ground_and_tenths_of_pixels() {
        let svg = picture((20.0, 10.0), |canvas| canvas.disc((1.23, 2.0), 3.0, INK));
        assert!(
            svg.starts_with("<svg width=\"20\" height=\"10\" viewBox=\"0 0 200 100\""),
            "{svg}"
        );
        assert!(svg.contains("rx=\"80\" fill=\"white\""), "{svg}");
        assert!(svg.contains("cx=\"12\" cy=\"20\" r=\"30\""), "{svg}");
    }
}
