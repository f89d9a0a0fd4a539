//! The plot: the part of a chart where data are drawn, and where a number stands in it.

use super::super::svg::Area;
use super::axis::Axis;
use super::canvas::{Canvas, Pixel, Stroke};

/// Where data are drawn.
#[derive(Clone, Debug)]
pub(super) struct Plot {
    pub(super) area: Area,
    pub(super) x: Axis,
    pub(super) y: Axis,
}

impl Plot {
    /// Where this number stands from left to right.
    pub(super) fn across(&self, x: f64) -> f64 {
        self.area.left + self.x.share(x) * self.area.width()
    }

    /// Where this number stands from top to bottom.
    pub(super) fn down(&self, y: f64) -> f64 {
        self.area.bottom - self.y.share(y) * self.area.height()
    }

    pub(super) fn at(&self, x: f64, y: f64) -> Pixel {
        (self.across(x), self.down(y))
    }

    /// As far as the plot goes.
    pub(super) fn held_down(&self, y: f64) -> f64 {
        let down = if self.y.scale.has(y) { self.down(y) } else { self.area.bottom };
        down.clamp(self.area.top, self.area.bottom)
    }

    /// The pieces of the line through these points that lie in the plot.
    pub(super) fn pieces(&self, points: &[(f64, f64)]) -> Vec<Vec<Pixel>> {
        let mut pieces: Vec<Vec<Pixel>> = Vec::new();
        let is_shown = |(x, y): &(f64, f64)| self.x.scale.has(*x) && self.y.scale.has(*y);
        for ends in points.windows(2).filter(|ends| ends.iter().all(is_shown)) {
            let [from, to] = [ends[0], ends[1]].map(|(x, y)| self.at(x, y));
            let Some((first, last)) = self.area.part_of_line(from, to) else { continue };
            let on_the_way =
                |share: f64| (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
            match pieces.last_mut() {
                Some(piece) if first == 0.0 && piece.last() == Some(&from) => {
                    piece.push(on_the_way(last));
                }
                _ => pieces.push(vec![on_the_way(first), on_the_way(last)]),
            }
        }
        pieces
    }

    /// A line through these points, as far as they are in the plot.
    pub(super) fn line(&self, canvas: &Canvas<'_>, points: &[(f64, f64)], stroke: Stroke) {
        self.pieces(points).iter().for_each(|piece| canvas.line(piece, stroke));
    }

    /// A line from the bottom to the top.
    pub(super) fn upright(&self, canvas: &Canvas<'_>, x: f64, stroke: Stroke) {
        let x = self.across(x);
        canvas.line(&[(x, self.area.bottom), (x, self.area.top)], stroke);
    }
}

#[cfg(test)]
mod tests {
    use super::super::axis::Scale;
    use super::super::words::rate_mark;
    use super::*;

    fn plot() -> Plot {
        let axis = || Axis::from_mark_to_mark(Scale::Linear, (0.0, 10.0), rate_mark);
        let area = Area { left: 100.0, top: 50.0, right: 200.0, bottom: 150.0 };
        Plot { area, x: axis(), y: axis() }
    }

    #[test]
    fn a_number_stands_where_the_axes_say() {
        assert_eq!(plot().at(0.0, 0.0), (100.0, 150.0));
        assert_eq!(plot().at(2.5, 10.0), (125.0, 50.0));
        assert_eq!([-3.0, 5.0, 99.0].map(|y| plot().held_down(y)), [150.0, 100.0, 50.0]);
    }

    #[test]
    fn a_line_is_cut_at_the_edges_and_where_it_has_no_number() {
        let up_and_out = plot().pieces(&[(0.0, 0.0), (5.0, 5.0), (10.0, 15.0)]);
        assert_eq!(up_and_out, [[(100.0, 150.0), (150.0, 100.0), (175.0, 50.0)]]);
        let broken =
            plot().pieces(&[(0.0, 1.0), (1.0, 1.0), (2.0, f64::NAN), (3.0, 1.0), (4.0, 1.0)]);
        assert_eq!(broken.len(), 2);
        assert!(plot().pieces(&[(0.0, 20.0), (10.0, 30.0)]).is_empty());
    }
}
