//! A difference: what a change makes of it, run by run on the same luck.

use super::EstimateError;
use super::interval::{Interval, student};
use super::mean::Mean;
use super::rate::Rate;
use super::writing::{decimals, number};
use std::fmt;

/// How much more (or, below zero, less) there is after a change than before it, with an interval of
/// 95 %.
///
/// Both sides have met the same seeds, so the same pauses. What is bad luck on one side is bad luck
/// on the other, and drops out of the difference of the two: it is surer than either side alone.
///
/// ```
/// use fencing::prelude::*;
///
/// let rate = |lease| {
///     let scenario = Scenario { lease, ..Scenario::baseline() };
///     let outcomes: Vec<_> =
///         (1..=20).map(|seed| run(&scenario, Seed(seed)).expect("valid")).collect();
///     Rate::a_grant(&outcomes, |outcome| outcome.zombie_writes)
/// };
/// let change = Difference::of_rates(&rate(secs(10))?, &rate(secs(12))?)?;
/// assert!(change.is_clear() && change.value() < 0.0, "{change}");
/// # Ok::<(), EstimateError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    value: f64,
    interval: Interval,
    pairs: usize,
}

impl Difference {
    /// From pairs (before, after) of the same seed: the paired t interval, that is [`Mean`] of
    /// after − before.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// // The two series overlap, and yet in each pair the second is about 1 more.
    /// let pairs = [(3.0, 4.1), (9.0, 9.9), (5.0, 6.0), (1.0, 2.1), (7.0, 8.0)];
    /// assert!(Difference::of_pairs(pairs)?.is_clear());
    /// # Ok::<(), EstimateError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Mean::of_runs`].
    pub fn of_pairs(
        pairs: impl IntoIterator<Item = (f64, f64)>,
    ) -> Result<Difference, EstimateError> {
        let mean = Mean::of_runs(pairs.into_iter().map(|(before, after)| after - before))?;
        Ok(Difference { value: mean.value(), interval: mean.interval(), pairs: mean.values() })
    }

    /// From two rates whose runs had the same seeds, in the same order.
    ///
    /// As [`Difference::of_pairs`] of the rates of each run; where runs differ in their number of
    /// trials, each counts by it.
    ///
    /// # Errors
    /// [`EstimateError`] where the rates have fewer than two runs, or not equally many.
    pub fn of_rates(before: &Rate, after: &Rate) -> Result<Difference, EstimateError> {
        let (first, second) = (before.repeats().len(), after.repeats().len());
        if first != second {
            return Err(EstimateError::NotPaired { before: first, after: second });
        }
        if first < 2 {
            return Err(EstimateError::TooFew { what: "runs", given: first, least: 2 });
        }
        let value = after.value() - before.value();
        let pairs = after.deviations().zip(before.deviations());
        let deviations: Vec<f64> = pairs.map(|(after, before)| after - before).collect();
        Ok(Difference { value, interval: student(value, &deviations), pairs: first })
    }

    /// After − before.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Where the true difference lies, with 95 %.
    #[must_use]
    pub fn interval(&self) -> Interval {
        self.interval
    }

    /// From how many pairs it was made.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// True if the interval leaves no doubt about the sign: zero lies outside.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        !self.interval.contains(0.0)
    }
}

/// With a sign: `+0.5, 95 % 0.3 to 0.7`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = number(self.value, decimals(self.interval));
        let sign = if self.value > 0.0 { "+" } else { "" };
        if self.interval.width() == 0.0 {
            return write!(f, "{sign}{value} in each of {} pairs", self.pairs);
        }
        write!(f, "{sign}{value}, 95 % {}", self.interval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(events: &[u64]) -> Rate {
        Rate::of_repeats(events.iter().map(|events| (*events, 100))).expect("valid")
    }

    #[test]
    fn pairs_and_rates_agree_where_runs_are_equally_long() {
        let (before, after) = (rate(&[10, 14, 9, 20]), rate(&[8, 13, 7, 16]));
        let pairs = before.repeats().iter().zip(after.repeats());
        let pairs = pairs.map(|(b, a)| (b.events as f64 / 100.0, a.events as f64 / 100.0));
        let by_pairs = Difference::of_pairs(pairs).expect("valid");
        let by_rates = Difference::of_rates(&before, &after).expect("valid");
        assert!((by_pairs.value() - by_rates.value()).abs() < 1e-12);
        assert!((by_pairs.interval().low - by_rates.interval().low).abs() < 1e-12);
        assert_eq!(by_rates.to_string(), "−0.023, 95 % −0.043 to −0.002");
    }

    #[test]
    fn no_difference_at_all_does_not_look_like_certainty() {
        let difference = Difference::of_rates(&rate(&[0; 5]), &rate(&[0; 5])).expect("valid");
        assert_eq!(difference.to_string(), "0 in each of 5 pairs");
        assert!(!difference.is_clear());
    }

    #[test]
    fn what_cannot_be_paired_is_refused() {
        let error = Difference::of_rates(&rate(&[1; 5]), &rate(&[1; 4])).expect_err("5 and 4");
        assert!(error.to_string().contains("5 runs cannot be compared with 4"), "{error}");
        assert!(Difference::of_rates(&rate(&[1]), &rate(&[1])).is_err());
        assert!(Difference::of_pairs([(1.0, f64::NAN), (1.0, 2.0)]).is_err());
    }
}
