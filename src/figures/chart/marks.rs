//! Marks: what tells one line from another, and what was measured from what was not seen.

use super::canvas::{Canvas, INK, PAPER, Pixel, Stroke};
use plotters::style::RGBColor;

/// Colours that colour-blind readers can tell apart (after Okabe and Ito). In grey print shape and
/// dashes tell them apart too.
const PALETTE: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

const SHAPES: [Shape; 5] =
    [Shape::Circle, Shape::Triangle, Shape::Square, Shape::Diamond, Shape::Wedge];

const DASHES: [&[f64]; 4] = [&[], &[7.0, 3.0], &[2.0, 3.0], &[9.0, 3.0, 2.0, 3.0]];

/// How far a mark reaches from its middle, in pixels.
pub(super) const REACH: f64 = 5.0;
/// How far the arrow of what was not seen reaches below the middle of its mark.
pub(super) const ARROW: f64 = 24.0;

/// What fills an area: light, so that lines can be seen on it.
pub(super) const LIGHT: RGBColor = PALETTE[4];

/// What an open mark means, at the foot of a chart.
pub(super) const NOT_SEEN: &str = "An open mark with an arrow was not seen once: with 95 % it lies \
                                   below the mark, which is at about 3/n.";

/// A lease that is shown beside pauses.
pub(super) const LEASE: Stroke = Stroke { colour: INK, width: 1.2, dash: &[5.0, 4.0] };
/// What a formula says.
pub(super) const THEORY: Stroke = Stroke::of(INK, 1.1);

/// The form of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Circle,
    Triangle,
    Square,
    Diamond,
    /// A triangle that stands on its tip.
    Wedge,
}

/// How one line of a chart looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    pub(super) colour: RGBColor,
    pub(super) shape: Shape,
    pub(super) dash: &'static [f64],
}

impl Style {
    /// The style of the n-th line, from 0. Thirty are different; more than six on one chart are too
    /// many to read.
    pub(super) fn of(n: usize) -> Style {
        Style {
            colour: PALETTE[n % PALETTE.len()],
            shape: SHAPES[n % SHAPES.len()],
            dash: DASHES[n % DASHES.len()],
        }
    }

    pub(super) fn stroke(&self, width: f64) -> Stroke {
        Stroke { colour: self.colour, width, dash: self.dash }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { colour: self.colour, shape: self.shape, is_open: false }
    }
}

/// One mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mark {
    pub(super) colour: RGBColor,
    pub(super) shape: Shape,
    /// Open is what was not seen.
    pub(super) is_open: bool,
}

impl Mark {
    /// The same mark, open.
    pub(super) fn open(self) -> Mark {
        Mark { is_open: true, ..self }
    }

    pub(super) fn paint(&self, canvas: &Canvas<'_>, at: Pixel) {
        self.fill(canvas, at, REACH, self.colour);
        if self.is_open {
            let hole = if self.shape == Shape::Circle { 1.6 } else { 2.1 };
            self.fill(canvas, at, REACH - hole, PAPER);
        }
    }

    fn fill(&self, canvas: &Canvas<'_>, at: Pixel, reach: f64, colour: RGBColor) {
        match self.corners(reach) {
            Some(corners) => {
                let corners: Vec<Pixel> =
                    corners.into_iter().map(|(x, y)| (at.0 + x, at.1 + y)).collect();
                canvas.polygon(&corners, colour);
            }
            None => canvas.disc(at, reach, colour),
        }
    }

    /// Around the middle; a circle has none. Shapes with corners reach farther, to look as large.
    fn corners(&self, r: f64) -> Option<Vec<Pixel>> {
        Some(match self.shape {
            Shape::Circle => return None,
            Shape::Triangle => vec![(0.0, -1.25 * r), (1.15 * r, 0.8 * r), (-1.15 * r, 0.8 * r)],
            Shape::Square => {
                let half = 0.9 * r;
                vec![(-half, -half), (half, -half), (half, half), (-half, half)]
            }
            Shape::Diamond => {
                let half = 1.25 * r;
                vec![(0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0)]
            }
            Shape::Wedge => vec![(0.0, 1.25 * r), (1.15 * r, -0.8 * r), (-1.15 * r, -0.8 * r)],
        })
    }
}

/// An arrow down from a mark: somewhere below it, and with no end.
pub(super) fn paint_arrow(canvas: &Canvas<'_>, from: Pixel, colour: RGBColor) {
    let (x, tip) = (from.0, from.1 + ARROW);
    canvas.line(&[(x, from.1 + REACH), (x, tip - 4.0)], Stroke::of(colour, 1.4));
    canvas.polygon(&[(x, tip), (x - 3.5, tip - 7.0), (x + 3.5, tip - 7.0)], colour);
}

/// An interval from one end to the other, with a short line across each end.
pub(super) fn paint_bar(canvas: &Canvas<'_>, from: Pixel, to: Pixel, colour: RGBColor) {
    const CAP: f64 = 3.0;
    let stroke = Stroke::of(colour, 1.2);
    canvas.line(&[from, to], stroke);
    let across = if from.0 == to.0 { (CAP, 0.0) } else { (0.0, CAP) };
    for end in [from, to] {
        let cap = [(end.0 - across.0, end.1 - across.1), (end.0 + across.0, end.1 + across.1)];
        canvas.line(&cap, stroke);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_differ_in_more_than_colour() {
        let styles: Vec<Style> = (0..6).map(Style::of).collect();
        for (place, look) in styles.iter().enumerate() {
            for other in &styles[place + 1..] {
                assert_ne!(look.colour, other.colour);
                assert!(look.shape != other.shape || look.dash != other.dash);
            }
        }
    }
}
