//! An axis: where a number stands, and which numbers are written beside it.

/// How an axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// The same way for the same difference.
    Linear,
    /// The same way for the same factor. Knows no zero.
    Log,
    /// One place a name, from 0 on.
    Names,
}

/// See the head of the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) scale: Scale,
    pub(super) low: f64,
    pub(super) high: f64,
    /// The numbers that are written, with how they are written.
    pub(super) ticks: Vec<(f64, String)>,
}

/// Numbers that lie farther apart than this factor are better seen on a logarithmic axis.
const FAR_APART: f64 = 10.0;

/// The marks of a linear axis are about so many steps at most.
const STEPS: f64 = 6.0;

/// Room at both ends of a logarithmic axis, as a share of the way between: a mark on the edge would
/// look cut.
const MARGIN: f64 = 0.04;

/// A number this close to a mark, in shares of a step, is on it.
const ROUNDING: f64 = 1e-9;

impl Scale {
    /// The scale on which these numbers are best seen: logarithmic where all are above zero and the
    /// largest is ten times the smallest or more.
    pub(super) fn fit_for(numbers: impl IntoIterator<Item = f64>) -> Scale {
        let (least, most) = ends(numbers);
        if least > 0.0 && most >= FAR_APART * least { Scale::Log } else { Scale::Linear }
    }

    /// The scale on which these numbers lie farthest apart: logarithmic for 5, 10, 20, 40, and
    /// linear for 5, 10, 15, 20.
    pub(super) fn that_spreads(numbers: impl IntoIterator<Item = f64>) -> Scale {
        let mut numbers: Vec<f64> =
            numbers.into_iter().filter(|number| number.is_finite()).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        let (Some(least), Some(most)) = (numbers.first(), numbers.last()) else {
            return Scale::Linear;
        };
        if *least <= 0.0 || numbers.len() < 3 {
            return Scale::fit_for(numbers);
        }
        let narrowest = |gap: &dyn Fn(f64, f64) -> f64| {
            let gaps = numbers.windows(2).map(|pair| gap(pair[0], pair[1]));
            gaps.fold(f64::INFINITY, f64::min) / gap(*least, *most)
        };
        let linear = narrowest(&|from, to| to - from);
        let log = narrowest(&|from, to| (to / from).ln());
        if log > linear { Scale::Log } else { Scale::Linear }
    }

    /// True if the number has a place on such an axis.
    pub(super) fn has(self, number: f64) -> bool {
        number.is_finite() && (self != Scale::Log || number > 0.0)
    }
}

/// The smallest and the largest of some numbers.
pub(super) fn ends(numbers: impl IntoIterator<Item = f64>) -> (f64, f64) {
    numbers.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), number| {
        (least.min(number), most.max(number))
    })
}

impl Axis {
    /// An axis that holds both numbers. A linear one begins and ends at a mark, a logarithmic one
    /// where it must, with some room.
    pub(super) fn holding(scale: Scale, (low, high): (f64, f64), write: fn(f64) -> String) -> Axis {
        if scale != Scale::Log {
            return Axis::from_mark_to_mark(scale, (low, high), write);
        }
        let (low, high) = sane(scale, low, high);
        let room = (high / low).powf(MARGIN);
        let (mut low, mut high) = (low / room, high * room);
        let marks = log_marks(low, high);
        let within = |low: f64, high: f64| {
            marks.iter().filter(move |mark| low <= **mark && **mark <= high).count()
        };
        if within(low, high) < 2 {
            // One mark says nothing of how the numbers grow.
            let (first, last) = (marks[0], marks[marks.len() - 1]);
            let is_near_below = low / first < last / high;
            (low, high) = if is_near_below { (first, high) } else { (low, last) };
            if within(low, high) < 2 {
                (low, high) = (first, last);
            }
        }
        let ticks = marks.iter().filter(|mark| low <= **mark && **mark <= high);
        let ticks = ticks.map(|mark| (*mark, write(*mark))).collect();
        Axis { scale, low, high, ticks }
    }

    /// An axis that holds both numbers and begins and ends at a mark.
    pub(super) fn from_mark_to_mark(
        scale: Scale,
        (low, high): (f64, f64),
        write: fn(f64) -> String,
    ) -> Axis {
        let (low, high) = sane(scale, low, high);
        let marks = match scale {
            Scale::Log => log_marks(low, high),
            Scale::Linear | Scale::Names => linear_marks(low, high),
        };
        let (first, last) = (marks[0], marks[marks.len() - 1]);
        let ticks = marks.into_iter().map(|mark| (mark, write(mark))).collect();
        Axis { scale, low: first, high: last, ticks }
    }

    /// A logarithmic axis of whole powers of ten that holds both numbers.
    pub(super) fn decades((low, high): (f64, f64), write: fn(f64) -> String) -> Axis {
        let (low, high) = sane(Scale::Log, low, high);
        let (first, last) = (low.log10() + ROUNDING, high.log10() - ROUNDING);
        let (first, last) = (first.floor() as i32, last.ceil() as i32);
        let last = last.max(first + 1);
        Axis::from_mark_to_mark(Scale::Log, (10f64.powi(first), 10f64.powi(last)), write)
    }

    /// An axis on which these numbers are written, with some room before the first and after the
    /// last, as a share of the way between.
    pub(super) fn with_ticks(scale: Scale, ticks: Vec<(f64, String)>, room: f64) -> Axis {
        let (low, high) = ends(ticks.iter().map(|tick| tick.0));
        let (low, high) = match scale {
            Scale::Names => (low - 0.5, high + 0.5),
            Scale::Linear if low == high => (low - 0.5, high + 0.5),
            Scale::Linear => (low - room * (high - low), high + room * (high - low)),
            Scale::Log if low == high => (low / 2.0, high * 2.0),
            Scale::Log => (low / (high / low).powf(room), high * (high / low).powf(room)),
        };
        Axis { scale, low, high, ticks }
    }

    /// An axis of names, one after the other.
    pub(super) fn of_names(names: impl IntoIterator<Item = String>) -> Axis {
        let ticks: Vec<(f64, String)> =
            names.into_iter().enumerate().map(|(place, name)| (place as f64, name)).collect();
        if ticks.is_empty() {
            return Axis { scale: Scale::Names, low: -0.5, high: 0.5, ticks };
        }
        Axis::with_ticks(Scale::Names, ticks, 0.0)
    }

    /// Moves the beginning so that this share of the axis at least lies below the number.
    pub(super) fn leave_below(&mut self, number: f64, share: f64) {
        if self.share(number) >= share {
            return;
        }
        self.low = match self.scale {
            Scale::Log => ((number.ln() - share * self.high.ln()) / (1.0 - share)).exp(),
            Scale::Linear | Scale::Names => (number - share * self.high) / (1.0 - share),
        };
    }

    /// Where a number stands: 0 at the beginning of the axis, 1 at its end.
    pub(super) fn share(&self, number: f64) -> f64 {
        match self.scale {
            Scale::Log => (number / self.low).ln() / (self.high / self.low).ln(),
            Scale::Linear | Scale::Names => (number - self.low) / (self.high - self.low),
        }
    }
}

/// Both ends in order and apart, and above zero where they must be.
fn sane(scale: Scale, low: f64, high: f64) -> (f64, f64) {
    let is_usable = scale.has(low) && scale.has(high) && low <= high;
    match (is_usable, scale) {
        (false, Scale::Log) => (0.001, 1.0),
        (false, _) => (0.0, 1.0),
        (true, Scale::Log) if high < 2.0 * low => (low / 1.5, high * 1.5),
        (true, Scale::Linear | Scale::Names) if low == high => (low, low + low.abs().max(1.0)),
        _ => (low, high),
    }
}

/// A logarithmic axis has no more steps than these.
const MOST_STEPS: i32 = 8;

/// The powers of ten around these numbers, both above zero; across many of them only some, and
/// where the numbers are closer than a factor of fifty also twice and five times each.
fn log_marks(low: f64, high: f64) -> Vec<f64> {
    let is_narrow = high / low < 50.0;
    let fronts: &[f64] = if is_narrow { &[1.0, 2.0, 5.0] } else { &[1.0] };
    // A number on a mark needs none beyond it.
    let (low, high) = (low * (1.0 + ROUNDING), high * (1.0 - ROUNDING));
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let step = ((last - first + MOST_STEPS - 1) / MOST_STEPS).max(1);
    let (first, last) = (first.div_euclid(step) * step, -(-last).div_euclid(step) * step);
    let powers = (first..=last).step_by(step as usize);
    // Written and read, since a computed power of ten is not always the number that it is meant.
    let mark = |ten: i32, front: &f64| format!("{front}e{ten}").parse().unwrap_or(1.0);
    let all: Vec<f64> =
        powers.flat_map(|ten| fronts.iter().map(move |front| mark(ten, front))).collect();
    let from = all.iter().rposition(|mark| *mark <= low).unwrap_or(0);
    let to = all.iter().position(|mark| high <= *mark).unwrap_or(all.len() - 1);
    all[from..=to].to_vec()
}

/// Round numbers at equal distances, from the one at or below `low` to the one at or above `high`.
fn linear_marks(low: f64, high: f64) -> Vec<f64> {
    let wish = (high - low) / STEPS;
    let power = 10f64.powf(wish.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|front| front * power);
    let step = steps.into_iter().find(|step| wish <= *step * (1.0 + ROUNDING)).unwrap_or(wish);
    let (from, to) = ((low / step + ROUNDING).floor(), (high / step - ROUNDING).ceil());
    (from as i64..=to as i64).map(|count| count as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::super::words::rate_mark;
    use super::*;

    fn marks(scale: Scale, low: f64, high: f64) -> Vec<String> {
        let axis = Axis::from_mark_to_mark(scale, (low, high), rate_mark);
        axis.ticks.into_iter().map(|(_, written)| written).collect()
    }

    #[test]
    fn marks_are_round_numbers_around_what_is_shown() {
        assert_eq!(marks(Scale::Linear, 0.0, 0.047), ["0", "0.01", "0.02", "0.03", "0.04", "0.05"]);
        assert_eq!(marks(Scale::Linear, 0.0, 4.0), ["0", "1", "2", "3", "4"]);
        assert_eq!(marks(Scale::Log, 0.000_3, 0.05), ["0.0001", "0.001", "0.01", "0.1"]);
        assert_eq!(marks(Scale::Log, 0.011, 0.05), ["0.01", "0.02", "0.05"]);
        assert_eq!(marks(Scale::Log, 0.01, 0.01), ["0.005", "0.01", "0.02"]);
        let wide = marks(Scale::Log, 1e-19, 1.0);
        assert!(wide.len() <= 9 && wide.last().is_some_and(|last| last == "1"), "{wide:?}");
    }

    #[test]
    fn a_logarithmic_axis_goes_no_farther_than_it_must_and_has_two_marks() {
        for (low, high) in [(0.000_3, 0.105), (0.011, 0.012), (0.03, 0.03), (3.0, 9.0), (1e-9, 1.0)]
        {
            let axis = Axis::holding(Scale::Log, (low, high), rate_mark);
            assert!(axis.low < low && high < axis.high, "{axis:?}");
            assert!(axis.ticks.len() >= 2, "{axis:?}");
            assert!(axis.ticks.iter().all(|(at, _)| axis.low <= *at && *at <= axis.high));
        }
        assert!(Axis::holding(Scale::Log, (0.000_3, 0.105), rate_mark).high < 0.2);
    }

    #[test]
    fn what_no_axis_can_show_leaves_an_axis() {
        for (scale, low, high) in [
            (Scale::Log, 0.0, 1.0),
            (Scale::Log, -1.0, 1.0),
            (Scale::Linear, f64::INFINITY, f64::NEG_INFINITY),
            (Scale::Linear, f64::NAN, 1.0),
        ] {
            assert!(marks(scale, low, high).len() >= 2, "{scale:?} {low} {high}");
        }
        assert!(!Scale::Log.has(0.0) && !Scale::Log.has(-1.0) && Scale::Linear.has(-1.0));
    }

    #[test]
    fn a_number_stands_at_its_share() {
        let log = Axis::from_mark_to_mark(Scale::Log, (0.01, 100.0), rate_mark);
        assert!((log.share(1.0) - 0.5).abs() < 1e-12);
        for (scale, high) in [(Scale::Log, 1.0), (Scale::Linear, 0.05)] {
            let mut axis = Axis::from_mark_to_mark(scale, (0.001, high), rate_mark);
            axis.leave_below(0.001, 0.1);
            assert!((axis.share(0.001) - 0.1).abs() < 1e-12, "{axis:?}");
        }
        let names = Axis::of_names(["one", "two"].map(String::from));
        assert_eq!([0.0, 1.0].map(|place| names.share(place)), [0.25, 0.75]);
    }

    #[test]
    fn numbers_far_apart_are_seen_by_their_factors() {
        assert_eq!(Scale::fit_for([1.0, 5.0, 10.0]), Scale::Log);
        assert_eq!(Scale::fit_for([1.0, 5.0, 9.0]), Scale::Linear);
        assert_eq!(Scale::fit_for([0.0, 100.0]), Scale::Linear);
        assert_eq!(Scale::fit_for([]), Scale::Linear);
        assert_eq!(Scale::that_spreads([5.0, 10.0, 20.0, 40.0]), Scale::Log);
        assert_eq!(Scale::that_spreads([20.0, 5.0, 10.0, 15.0, 20.0]), Scale::Linear);
        assert_eq!(Scale::that_spreads([0.0, 1.0, 100.0]), Scale::Linear);
        assert_eq!(Scale::that_spreads([1.0, 100.0]), Scale::Log);
        assert_eq!(Scale::that_spreads([]), Scale::Linear);
    }
}
