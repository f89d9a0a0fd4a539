//! The time axis: how far down each row stands, and where the marks in seconds are.
//!
//! Time runs down, but not evenly. A message takes a tenth of a second and a pause ten: drawn to
//! one scale, either the messages fall on one another or the picture is a screen of nothing. So
//! every row gets the room that its words need, and the rest grows with the logarithm of the time
//! between two rows: longer always looks longer. The marks stand where their seconds really are, so
//! a stretch where they crowd is one that has been shortened.

use crate::time::Time;

/// The least room between two rows, for one line of words: in short pictures and in long ones.
const ROW: (f64, f64) = (19.0, 15.5);
/// From how many rows to how many a picture gets long.
const LONG: (f64, f64) = (24.0, 46.0);
/// The height that a picture should not exceed, if its rows can do with it.
const HEIGHT: f64 = 720.0;
/// The least share of the rows' room that is there for time.
const LEAST_FOR_TIME: f64 = 0.25;
/// The most room for a stretch that is e − 1 times as long as the mean.
const MOST_FOR_TIME: f64 = 46.0;
/// Marks are at least so far apart, and their words too.
const MARKS: f64 = 5.0;
const MARK_WORDS: f64 = 13.0;

/// Where rows and moments stand, in pixels from the upper edge.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    rows: Vec<(Time, f64)>,
}

/// A mark in seconds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TimeMark {
    pub(super) y: f64,
    /// Absent where marks stand too close for words.
    pub(super) words: Option<String>,
}

impl Axis {
    /// Spreads the rows, of which the first stands at `top`.
    pub(super) fn new(rows: &[Time], top: f64) -> Axis {
        let spans: Vec<f64> =
            rows.windows(2).map(|pair| (pair[1] - pair[0]).as_secs_f64()).collect();
        let longer = spans.iter().filter(|span| **span > 0.0).count().max(1);
        let mean = spans.iter().sum::<f64>() / longer as f64;
        let logarithm = |span: f64| if mean > 0.0 { (span / mean).ln_1p() } else { 0.0 };
        let least = least_gap(spans.len());
        let for_rows = least * spans.len() as f64;
        let for_time = (HEIGHT - for_rows).max(LEAST_FOR_TIME * for_rows);
        let logarithms: f64 = spans.iter().map(|span| logarithm(*span)).sum();
        let stretch = (for_time / logarithms.max(1.0)).min(MOST_FOR_TIME);
        let mut y = top;
        let mut placed = vec![(rows.first().copied().unwrap_or(Time::START), sharp(y))];
        for (span, at) in spans.iter().zip(&rows[1..]) {
            y += least + stretch * logarithm(*span);
            placed.push((*at, sharp(y)));
        }
        Axis { rows: placed }
    }

    /// How far down a row stands.
    pub(super) fn row(&self, row: usize) -> f64 {
        self.rows[row.min(self.rows.len() - 1)].1
    }

    /// How far down the last row stands.
    pub(super) fn bottom(&self) -> f64 {
        self.row(usize::MAX)
    }

    /// How far down a moment is: between the rows before and after it, in proportion.
    fn moment(&self, at: Time) -> f64 {
        let after = self.rows.partition_point(|(time, _)| *time < at).min(self.rows.len() - 1);
        let (later, below) = self.rows[after];
        if after == 0 || later <= at {
            return below;
        }
        let (earlier, above) = self.rows[after - 1];
        let share = (at - earlier).as_secs_f64() / (later - earlier).as_secs_f64();
        above + share * (below - above)
    }

    /// Moments that have several rows, from the first to the last of them.
    pub(super) fn instants(&self) -> Vec<(f64, f64)> {
        let same = self.rows.chunk_by(|one, other| one.0 == other.0);
        let ends = same.filter_map(|rows| Some((rows.first()?.1, rows.last()?.1)));
        ends.filter(|(first, last)| first < last).collect()
    }

    /// Marks at round numbers of seconds.
    pub(super) fn marks(&self) -> Vec<TimeMark> {
        let (from, to) = (self.rows[0].0, self.rows[self.rows.len() - 1].0);
        let step = nice_step((to - from).as_nanos() as u64);
        let first = from.as_nanos().div_ceil(step);
        let last = to.as_nanos() / step;
        let mut marks: Vec<(u64, TimeMark)> = Vec::new();
        for number in first..=last {
            let y = sharp(self.moment(Time::from_nanos(number * step)));
            if marks.last().is_none_or(|(_, above)| above.y + MARKS <= y) {
                marks.push((number, TimeMark { y, words: None }));
            }
        }
        write_words(&mut marks, step);
        marks.into_iter().map(|(_, mark)| mark).collect()
    }
}

/// The middle of a pixel, where thin lines look sharp.
pub(super) fn sharp(length: f64) -> f64 {
    length.floor() + 0.5
}

/// The least room between two of so many rows.
fn least_gap(rows: usize) -> f64 {
    let share = ((rows as f64 - LONG.0) / (LONG.1 - LONG.0)).clamp(0.0, 1.0);
    ROW.0 + share * (ROW.1 - ROW.0)
}

/// Writes at the roundest numbers first, and at the others where there is room between them.
fn write_words(marks: &mut [(u64, TimeMark)], step: u64) {
    let mut written: Vec<f64> = Vec::new();
    for every in [100, 50, 10, 5, 2, 1] {
        for (number, mark) in marks.iter_mut().filter(|(number, _)| number % every == 0) {
            let has_room = written.iter().all(|y| (mark.y - y).abs() >= MARK_WORDS);
            if mark.words.is_none() && has_room {
                mark.words = Some(Time::from_nanos(*number * step).to_string());
                written.push(mark.y);
            }
        }
    }
}

/// 1, 2 or 5 times a power of ten, so that some twenty steps make up the span.
fn nice_step(span: u64) -> u64 {
    let rough = (span / 20).max(1);
    let power = 10_u64.pow(rough.ilog10());
    let factors = [1, 2, 5, 10];
    let factor = factors.into_iter().find(|factor| rough <= factor * power).unwrap_or(10);
    factor * power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{millis, secs};

    fn at(milliseconds: u64) -> Time {
        Time::START + millis(milliseconds)
    }

    #[test]
    fn longer_looks_longer_and_every_row_has_room() {
        let axis = Axis::new(&[at(0), at(100), at(100), at(11_100), at(13_000)], 10.0);
        let ys: Vec<f64> = (0..5).map(|row| axis.row(row)).collect();
        let gaps: Vec<f64> = ys.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(ys[0], 10.5);
        assert!((gaps[1] - ROW.0).abs() <= 1.0, "{gaps:?}");
        assert!(gaps[1] < gaps[0] && gaps[0] < gaps[3] && gaps[3] < gaps[2], "{gaps:?}");
    }

    #[test]
    fn marks_are_round_and_stand_where_their_seconds_are() {
        let axis = Axis::new(&[at(0), at(2_000), at(2_100), at(12_100), at(16_000)], 0.0);
        let marks = axis.marks();
        let two = marks.iter().find(|mark| mark.words.as_deref() == Some("2 s"));
        assert_eq!(two.map(|mark| mark.y), Some(axis.row(1)));
        let words: Vec<f64> =
            marks.iter().filter(|mark| mark.words.is_some()).map(|mark| mark.y).collect();
        assert!(words.windows(2).all(|pair| pair[0] + MARK_WORDS <= pair[1]), "{words:?}");
    }

    #[test]
    fn steps_are_nice() {
        assert_eq!(nice_step(secs(16).as_nanos() as u64), 1_000_000_000);
        assert_eq!(nice_step(secs(100).as_nanos() as u64), 5_000_000_000);
        assert_eq!(nice_step(0), 1);
    }
}
