//! A mean: how long or how much, on average.

use super::EstimateError;
use super::interval::{Interval, student};
use super::writing::{decimals, number};
use std::fmt;

/// A mean with an interval of 95 %.
///
/// It is made from values that have nothing to do with one another: one of each run, or one of each
/// long stretch of a run. It is never made from the samples of a run as if they were independent:
/// where one client waits long, so does the next.
///
/// ```
/// use fencing::prelude::*;
///
/// let runs = (1..=20).map(|seed| run(&Scenario::baseline(), Seed(seed)).expect("valid"));
/// let wait_s = Mean::of_runs(runs.filter_map(|outcome| outcome.wait_mean_s))?;
/// println!("mean wait: {wait_s} s");
/// assert!(wait_s.interval().contains(4.11), "{wait_s}");
/// # Ok::<(), EstimateError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    value: f64,
    interval: Interval,
    values: usize,
}

/// One run is cut into so many stretches. Between 10 and 30 are enough: more make the interval
/// hardly narrower, and shorter stretches have more to do with one another (Schmeiser 1982).
const BATCHES: usize = 20;

impl Mean {
    /// The mean of one value a run: replication means. Two runs are the least, with which one knows
    /// little; ten are better.
    ///
    /// # Errors
    /// [`EstimateError`] where there are fewer than two values, or one is not finite.
    pub fn of_runs(values: impl IntoIterator<Item = f64>) -> Result<Mean, EstimateError> {
        let values: Vec<f64> = values.into_iter().collect();
        if let Some(given) = values.iter().copied().find(|value| !value.is_finite()) {
            return Err(EstimateError::NotANumber { given });
        }
        if values.len() < 2 {
            let given = values.len();
            return Err(EstimateError::TooFew { what: "runs", given, least: 2 });
        }
        let value = average(&values);
        let deviations: Vec<f64> = values.iter().map(|own| own - value).collect();
        Ok(Mean { value, interval: student(value, &deviations), values: values.len() })
    }

    /// The mean of the samples of one long run, in the order in which they came: batch means.
    /// The samples are cut into 20 stretches, and the interval comes from how far the means of
    /// these lie apart. A stretch must be long against the time for which a sample is felt: some
    /// hundreds of samples are a good length.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// let waits_s: Vec<f64> = (0..10_000).map(|n| f64::from(n % 7)).collect();
    /// assert!(Mean::of_one_run(&waits_s)?.interval().contains(3.0));
    /// # Ok::<(), EstimateError>(())
    /// ```
    ///
    /// # Errors
    /// [`EstimateError`] where there are fewer samples than stretches, or one is not finite.
    pub fn of_one_run(samples: &[f64]) -> Result<Mean, EstimateError> {
        if samples.len() < BATCHES {
            let given = samples.len();
            return Err(EstimateError::TooFew { what: "samples", given, least: BATCHES });
        }
        let end = |batch: usize| batch * samples.len() / BATCHES;
        let mean = Mean::of_runs((0..BATCHES).map(|n| average(&samples[end(n)..end(n + 1)])))?;
        // Stretches may differ by one sample: the interval is shifted to the mean of all of them.
        let (value, shift) = (average(samples), average(samples) - mean.value);
        let Interval { low, high } = mean.interval;
        Ok(Mean { value, interval: Interval { low: low + shift, high: high + shift }, ..mean })
    }

    /// The mean.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Where the true mean lies, with 95 %.
    #[must_use]
    pub fn interval(&self) -> Interval {
        self.interval
    }

    /// From how many values, of a run or a stretch each, it was made.
    #[must_use]
    pub fn values(&self) -> usize {
        self.values
    }
}

/// Adds in the order given, so the same on every machine.
fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = number(self.value, decimals(self.interval));
        if self.interval.width() == 0.0 {
            return write!(f, "{value}, {} times the same", self.values);
        }
        write!(f, "{value}, 95 % {}", self.interval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_as_sure_as_its_runs_agree() {
        let mean = Mean::of_runs([1.0, 2.0, 3.0, 4.0, 5.0]).expect("valid");
        assert_eq!(mean.to_string(), "3.0, 95 % 1.0 to 5.0");
        assert_eq!(Mean::of_runs([2.5; 4]).expect("valid").to_string(), "2.500, 4 times the same");
        assert_eq!(Mean::of_runs([0.1; 3]).expect("valid").to_string(), "0.1000, 3 times the same");
    }

    /// Samples that change slowly: taken for independent they would seem ten times as sure.
    #[test]
    fn slow_samples_are_not_taken_for_independent() {
        let slow: Vec<f64> = (0..20_000).map(|n| f64::from(n / 1_000 * 7 % 20)).collect();
        let by_batches = Mean::of_one_run(&slow).expect("valid");
        let as_if_independent = Mean::of_runs(slow).expect("valid");
        assert_eq!(by_batches.value(), as_if_independent.value());
        let (sure, too_sure) =
            (by_batches.interval().width(), as_if_independent.interval().width());
        assert!(10.0 * too_sure < sure, "{sure} by batches, {too_sure} as if independent");
    }

    #[test]
    fn uneven_stretches_have_the_mean_of_all_samples() {
        let samples: Vec<f64> = (0..53).map(|n| f64::from(n * n)).collect();
        let mean = Mean::of_one_run(&samples).expect("valid");
        assert_eq!(mean.value(), samples.iter().sum::<f64>() / 53.0);
        assert!(mean.interval().contains(mean.value()));
    }

    #[test]
    fn what_has_no_mean_is_refused() {
        let error = Mean::of_runs([1.0]).expect_err("one run");
        assert_eq!(error.to_string(), "there must be 2 runs or more, and there are 1");
        let error = Mean::of_runs([1.0, f64::INFINITY]).expect_err("infinite");
        assert!(error.to_string().starts_with("a value is inf"), "{error}");
        assert!(Mean::of_one_run(&[1.0; 19]).is_err());
    }
}
