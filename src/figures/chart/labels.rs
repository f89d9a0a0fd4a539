//! Labels: where words find room.

use super::super::svg::{Area, text_width};
use super::canvas::Pixel;
use super::marks::{ARROW, REACH};

/// Centres for boxes of these heights, one below the other in the order of the wishes, each near
/// where it is wished for, and within `top` and `bottom` if there is room at all.
pub(super) fn spread(wishes: &[(f64, f64)], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wishes.len()).collect();
    order.sort_by(|one, other| wishes[*one].0.total_cmp(&wishes[*other].0));
    let mut centres = vec![0.0; wishes.len()];
    let mut free_from = top;
    for &place in &order {
        let (wish, height) = wishes[place];
        centres[place] = wish.max(free_from + height / 2.0);
        free_from = centres[place] + height / 2.0;
    }
    let mut free_to = bottom;
    for &place in order.iter().rev() {
        let height = wishes[place].1;
        centres[place] = centres[place].min(free_to - height / 2.0);
        free_to = centres[place] - height / 2.0;
    }
    centres
}

/// The size of a mark, in pixels.
const CLOSE: f64 = 11.0;
/// They are moved apart by so much.
const APART: f64 = 10.0;
/// And by so much at least, however many there are.
const LEAST_APART: f64 = 3.0;

/// Marks that would hide one another, side by side: in their order, and no farther than there is
/// room before the next ones and before the edges of the plot. Each is given with how far it
/// reaches down.
fn move_apart(marks: &[(Pixel, f64)], plot: Area) -> Vec<Pixel> {
    let points: Vec<Pixel> = marks.iter().map(|(at, _)| *at).collect();
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|one, other| {
        let (one, other) = (points[*one], points[*other]);
        one.0.round().total_cmp(&other.0.round()).then(one.1.total_cmp(&other.1))
    });
    let is_one_column = |one: usize, other: usize| points[one].0.round() == points[other].0.round();
    let gaps = order.windows(2).filter(|pair| !is_one_column(pair[0], pair[1]));
    let gaps = gaps.map(|pair| points[pair[1]].0 - points[pair[0]].0);
    let edges = points.iter().map(|point| 2.0 * (point.0 - plot.left).min(plot.right - point.0));
    let gap = gaps.chain(edges).fold(f64::INFINITY, f64::min);
    let mut apart = points.clone();
    let is_close = |one: &usize, other: &usize| {
        is_one_column(*one, *other)
            && points[*other].1 - points[*one].1 < marks[*one].1 + CLOSE / 2.0
    };
    for group in order.chunk_by(is_close) {
        let mut group = group.to_vec();
        group.sort_unstable();
        let count = group.len() as f64;
        let step = APART.min((gap - CLOSE) / count).max(LEAST_APART);
        for (turn, place) in group.into_iter().enumerate() {
            apart[place].0 += step * (turn as f64 - (count - 1.0) / 2.0);
        }
    }
    apart
}

/// Moves apart the places of marks that would hide one another. Of each, `mark` gives the place and
/// whether it is a bound, with an arrow down.
pub(super) fn set_apart<P>(
    places: &mut [P],
    plot: Area,
    mark: impl Fn(&mut P) -> (&mut Pixel, bool),
) {
    let reach = |is_bound| if is_bound { ARROW } else { REACH };
    let marks = places.iter_mut().map(&mark).map(|(at, is_bound)| (*at, reach(is_bound)));
    let apart = move_apart(&marks.collect::<Vec<_>>(), plot);
    for (place, to) in places.iter_mut().zip(apart) {
        *mark(place).0 = to;
    }
}

/// Finds room for one line of words beside points, so that no words cover others, or a mark.
#[derive(Clone, Debug)]
pub(super) struct Room {
    within: Area,
    taken: Vec<Area>,
    lines: Vec<(Pixel, Pixel)>,
}

impl Room {
    /// Nothing is taken yet.
    pub(super) fn new(within: Area) -> Room {
        Room { within, taken: Vec::new(), lines: Vec::new() }
    }

    /// No words may stand here.
    pub(super) fn take(&mut self, area: Area) {
        self.taken.push(area);
    }

    /// Words had better not stand on this line, and may where there is no other place.
    pub(super) fn avoid(&mut self, from: Pixel, to: Pixel) {
        self.lines.push((from, to));
    }

    /// The middle of the words' box, if they find a place near the point.
    pub(super) fn place(&mut self, point: Pixel, words: &str, size: f64) -> Option<Pixel> {
        let (half_width, half_height) = (text_width(words, size) / 2.0, 0.55 * size);
        let area = |centre| Area::around(centre, half_width, half_height);
        let is_free = |centre: &Pixel| {
            let area = area(*centre);
            self.within.contains(&area) && !self.taken.iter().any(|taken| taken.overlaps(&area))
        };
        let is_off_lines = |centre: &Pixel| {
            let area = area(*centre);
            !self.lines.iter().any(|(from, to)| area.meets_line(*from, *to))
        };
        let candidates: Vec<Pixel> = around(point, half_width, half_height).collect();
        let free: Vec<Pixel> = candidates.into_iter().filter(is_free).collect();
        let best = free.iter().copied().find(is_off_lines).or(free.first().copied())?;
        self.taken.push(area(best));
        Some(best)
    }
}

/// Places for a box beside a point, the nearest first.
fn around(point: Pixel, half_width: f64, half_height: f64) -> impl Iterator<Item = Pixel> {
    [9.0, 14.0, 21.0, 30.0].into_iter().flat_map(move |gap| {
        let (aside, up) = (half_width + gap, half_height + gap);
        let directions = [(1, -1), (1, 0), (0, -1), (-1, -1), (1, 1), (-1, 0), (-1, 1), (0, 1)];
        directions.into_iter().map(move |(x, y)| {
            let is_corner = x != 0 && y != 0;
            let nearer = if is_corner { 0.75 * gap } else { 0.0 };
            (
                point.0 + f64::from(x) * (aside - nearer.min(gap - 4.0)),
                point.1 + f64::from(y) * (up - nearer.min(gap - 4.0)),
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_moved_apart_and_stay_within() {
        assert_eq!(spread(&[(50.0, 10.0), (10.0, 10.0)], 0.0, 100.0), [50.0, 10.0]);
        assert_eq!(spread(&[(50.0, 10.0), (52.0, 10.0)], 0.0, 100.0), [50.0, 60.0]);
        assert_eq!(spread(&[(99.0, 10.0), (98.0, 10.0)], 0.0, 100.0), [95.0, 85.0]);
        assert_eq!(spread(&[(-5.0, 20.0)], 0.0, 100.0), [10.0]);
        assert!(spread(&[], 0.0, 1.0).is_empty());
    }

    #[test]
    fn marks_that_hide_one_another_are_moved_apart() {
        let points = [(50.0, 10.0), (50.0, 12.0), (50.0, 40.0), (90.0, 10.0)];
        let plot = Area { left: 0.0, top: 0.0, right: 200.0, bottom: 100.0 };
        let apart = move_apart(&points.map(|at| (at, 5.0)), plot);
        assert_eq!(apart, [(45.0, 10.0), (55.0, 12.0), (50.0, 40.0), (90.0, 10.0)]);
        let narrow = Area { right: 100.0, ..plot };
        for at in move_apart(&[((90.0, 10.0), 5.0); 4], narrow) {
            assert!(at.0 < 100.0, "{at:?}");
        }
        // An arrow reaches down to the mark below.
        let apart = move_apart(&[((50.0, 10.0), 24.0), ((50.0, 35.0), 5.0)], plot);
        assert_eq!(apart, [(45.0, 10.0), (55.0, 35.0)]);
    }

    #[test]
    fn words_stand_beside_points_and_not_on_one_another() {
        let within = Area { left: 0.0, top: 0.0, right: 200.0, bottom: 100.0 };
        let mut room = Room::new(within);
        room.take(Area::around((100.0, 50.0), 5.0, 5.0));
        let mut placed: Vec<Area> = Vec::new();
        for _ in 0..6 {
            let centre = room.place((100.0, 50.0), "10 s", 12.0).expect("there is room");
            let area = Area::around(centre, text_width("10 s", 12.0) / 2.0, 6.6);
            assert!(within.contains(&area) && !placed.iter().any(|other| other.overlaps(&area)));
            placed.push(area);
        }
        assert_eq!(Room::new(within).place((100.0, 50.0), &"long ".repeat(30), 12.0), None);
    }
}
