//! The tail of a distribution: how often is a span longer than so long?
//!
//! What [`Delay::samples`] comes near to, the formulas in here say exactly.

use super::delay::{Delay, DelayError, lengths};
use crate::time::{LONGEST, nanos};
use statrs::distribution::{ContinuousCDF, Normal};
use std::time::Duration;

/// A checked [`Delay`] that can be asked for its tail, its quantiles and its mean.
///
/// Made by [`Delay::tail`], which reads a recording's file once; for a curve of many points ask
/// this, and not the [`Delay`] again and again. The formulas are those of the distributions without
/// the cut at [`LONGEST`].
///
/// ```
/// use fencing::prelude::*;
///
/// let pause = Delay::log_normal(secs(3), 1.2).tail()?;
/// assert_eq!(pause.survival(secs(3)), 0.5);
/// assert_eq!(pause.quantile(0.5), secs(3));
/// assert!((pause.mean_s() - 6.16).abs() < 0.01, "the mean lies far above the median");
/// # Ok::<(), DelayError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tail(Kind);

/// Spans in seconds, save those of a list.
#[derive(Clone, Debug)]
enum Kind {
    /// In nanoseconds, in the order of length, each as likely as the other. A distribution without
    /// any spread is a list of one.
    Listed(Vec<u64>),
    Uniform {
        from: f64,
        to: f64,
    },
    Exponential {
        mean: f64,
    },
    LogNormal {
        median: f64,
        sigma: f64,
    },
    Pareto {
        at_least: f64,
        shape: f64,
    },
}

impl Delay {
    /// Checks the numbers, reads a recording's file, and makes what knows the tail.
    ///
    /// # Errors
    /// As [`Delay::sampler`].
    pub fn tail(&self) -> Result<Tail, DelayError> {
        if let Delay::Recorded(recording) = self {
            let mut lengths = lengths(recording)?.to_vec();
            lengths.sort_unstable();
            return Ok(Tail(Kind::Listed(lengths)));
        }
        self.sampler()?;
        let always = |span: Duration| Kind::Listed(vec![nanos(span.min(LONGEST))]);
        Ok(Tail(match *self {
            Delay::Uniform { from, to } if from < to => {
                Kind::Uniform { from: from.as_secs_f64(), to: to.as_secs_f64() }
            }
            Delay::Exponential(mean) if !mean.is_zero() => {
                Kind::Exponential { mean: mean.as_secs_f64() }
            }
            Delay::LogNormal { median, sigma } if sigma > 0.0 => {
                Kind::LogNormal { median: median.as_secs_f64(), sigma }
            }
            Delay::Pareto { at_least, shape } => {
                Kind::Pareto { at_least: at_least.as_secs_f64(), shape }
            }
            Delay::Constant(span)
            | Delay::Uniform { from: span, .. }
            | Delay::Exponential(span)
            | Delay::LogNormal { median: span, .. } => always(span),
            Delay::Recorded(_) => Kind::Listed(Vec::new()),
        }))
    }

    /// The probability of a span longer than `span`, from 0 to 1.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// assert_eq!(Delay::pareto(secs(1), 2.0).survival(secs(2))?, 0.25);
    /// # Ok::<(), DelayError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Delay::sampler`].
    pub fn survival(&self, span: Duration) -> Result<f64, DelayError> {
        Ok(self.tail()?.survival(span))
    }

    /// The span that a share of all, from 0 to 1, do not exceed: 0.5 asks for the median.
    ///
    /// # Errors
    /// As [`Delay::sampler`].
    pub fn quantile(&self, share: f64) -> Result<Duration, DelayError> {
        Ok(self.tail()?.quantile(share))
    }

    /// The mean in seconds; infinite for a Pareto whose shape is 1 or less.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// assert_eq!(Delay::pareto(secs(1), 1.5).mean_s()?, 3.0);
    /// assert_eq!(Delay::pareto(secs(1), 1.0).mean_s()?, f64::INFINITY);
    /// # Ok::<(), DelayError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Delay::sampler`].
    pub fn mean_s(&self) -> Result<f64, DelayError> {
        Ok(self.tail()?.mean_s())
    }
}

impl Tail {
    /// The probability of a span longer than `span`, from 0 to 1: the complementary distribution.
    #[must_use]
    pub fn survival(&self, span: Duration) -> f64 {
        match &self.0 {
            Kind::Listed(lengths) => {
                let within = lengths.partition_point(|length| *length <= nanos(span));
                (lengths.len() - within) as f64 / lengths.len() as f64
            }
            _ => self.survival_s(span.as_secs_f64()),
        }
    }

    /// The span that a share of all do not exceed: 0.5 asks for the median. A share below 0, or
    /// none at all (NaN), counts as 0, one above 1 as 1. At most [`LONGEST`].
    #[must_use]
    pub fn quantile(&self, share: f64) -> Duration {
        let share = if share > 0.0 { share.min(1.0) } else { 0.0 };
        match &self.0 {
            Kind::Listed(lengths) => {
                let place = (share * lengths.len() as f64).ceil() as usize;
                let place = place.saturating_sub(1).min(lengths.len() - 1);
                Duration::from_nanos(lengths[place])
            }
            _ => {
                let seconds = self.exceeded_s(1.0 - share);
                Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST).min(LONGEST)
            }
        }
    }

    /// The mean in seconds; infinite for a Pareto whose shape is 1 or less.
    #[must_use]
    pub fn mean_s(&self) -> f64 {
        match self.0 {
            Kind::Listed(ref lengths) => {
                lengths.iter().map(|length| *length as f64 / 1e9).sum::<f64>()
                    / lengths.len() as f64
            }
            Kind::Uniform { from, to } => (from + to) / 2.0,
            Kind::Exponential { mean } => mean,
            Kind::LogNormal { median, sigma } => median * (sigma * sigma / 2.0).exp(),
            Kind::Pareto { shape, .. } if shape <= 1.0 => f64::INFINITY,
            Kind::Pareto { at_least, shape } => at_least * shape / (shape - 1.0),
        }
    }

    /// The lengths, from the shortest to the longest, where there is only a list of them, each as
    /// likely as the other.
    pub(crate) fn listed(&self) -> Option<impl ExactSizeIterator<Item = Duration>> {
        let Kind::Listed(lengths) = &self.0 else { return None };
        Some(lengths.iter().map(|length| Duration::from_nanos(*length)))
    }

    /// As [`Tail::survival`], of seconds, for integrals. Below zero it is 1.
    pub(crate) fn survival_s(&self, seconds: f64) -> f64 {
        match self.0 {
            Kind::Listed(_) => {
                self.survival(Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(LONGEST))
            }
            Kind::Uniform { from, to } => ((to - seconds) / (to - from)).clamp(0.0, 1.0),
            Kind::Exponential { mean } => (-seconds.max(0.0) / mean).exp(),
            Kind::LogNormal { .. } if seconds <= 0.0 => 1.0,
            Kind::LogNormal { median, sigma } => {
                Normal::standard().sf((seconds / median).ln() / sigma)
            }
            Kind::Pareto { at_least, shape } => (at_least / seconds.max(at_least)).powf(shape),
        }
    }

    /// The seconds that a share of all exceed: the inverse of [`Tail::survival_s`], exact also far
    /// out, where the share is tiny.
    pub(crate) fn exceeded_s(&self, share: f64) -> f64 {
        match self.0 {
            Kind::Listed(_) => self.quantile(1.0 - share).as_secs_f64(),
            Kind::Uniform { from, to } => to - (to - from) * share,
            Kind::Exponential { mean } => -mean * share.ln(),
            Kind::LogNormal { median, sigma } => {
                median * (-sigma * Normal::standard().inverse_cdf(share)).exp()
            }
            Kind::Pareto { at_least, shape } => at_least * share.powf(-1.0 / shape),
        }
    }

    /// Where the survival function bends sharply, in seconds: integrals are cut there.
    pub(crate) fn bends_s(&self) -> Vec<f64> {
        match self.0 {
            Kind::Listed(_) => Vec::new(),
            Kind::Uniform { from, to } => vec![from, to],
            Kind::Exponential { mean } => vec![mean],
            Kind::LogNormal { median, .. } => vec![median],
            Kind::Pareto { at_least, .. } => vec![at_least],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::seed::Seed;
    use crate::time::{millis, secs};

    fn each_kind() -> [Delay; 6] {
        [
            Delay::constant(secs(2)),
            Delay::uniform(secs(1), secs(4)),
            Delay::exponential(secs(2)),
            Delay::log_normal(secs(3), 1.2),
            Delay::pareto(secs(1), 1.5),
            Delay::recorded(vec![secs(5), secs(1), secs(1), secs(2)]),
        ]
    }

    /// A share of 100,000 draws is within four standard errors of its probability.
    #[test]
    fn draws_are_longer_as_often_as_the_formula_says() {
        for delay in each_kind() {
            let draws = delay.samples(Seed(4), 100_000).expect("valid");
            for span in [500, 1_000, 1_500, 2_000, 5_000, 20_000].map(millis) {
                let probability = delay.survival(span).expect("valid");
                let longer = draws.iter().filter(|draw| **draw > span).count() as f64 / 1e5;
                let bound = 4.0 * (probability * (1.0 - probability) / 1e5).sqrt();
                assert!(
                    (longer - probability).abs() <= bound,
                    "{delay:?}, {span:?}, seed 4: drawn {longer}, formula {probability}"
                );
            }
        }
    }

    #[test]
    fn quantile_and_survival_undo_one_another() {
        for delay in &each_kind()[1..5] {
            let tail = delay.tail().expect("valid");
            for share in [0.001, 0.1, 0.5, 0.9, 0.999] {
                let back = 1.0 - tail.survival(tail.quantile(share));
                assert!((back - share).abs() < 1e-8, "{delay:?}: {share} came back as {back}");
            }
        }
    }

    #[test]
    fn a_list_has_the_quantiles_of_its_order() {
        let tail = Delay::recorded(vec![secs(5), secs(1), secs(2), secs(1)]).tail().expect("valid");
        let quantiles = [-1.0, 0.0, 0.5, 0.51, 0.75, 0.76, 1.0, 2.0, f64::NAN]
            .map(|share| tail.quantile(share).as_secs());
        assert_eq!(quantiles, [1, 1, 1, 2, 2, 5, 5, 5, 1]);
        assert_eq!(tail.mean_s(), 2.25);
    }

    #[test]
    fn no_spread_is_a_list_of_one() {
        for delay in [
            Delay::uniform(secs(3), secs(3)),
            Delay::log_normal(secs(3), 0.0),
            Delay::constant(secs(3)),
        ] {
            let tail = delay.tail().expect("valid");
            assert_eq!((tail.survival(millis(2_999)), tail.survival(secs(3))), (1.0, 0.0));
            assert_eq!(tail.listed().map(|lengths| lengths.len()), Some(1));
        }
        assert_eq!(Delay::exponential(secs(0)).survival(secs(0)), Ok(0.0));
    }

    #[test]
    fn the_ends_are_the_shortest_and_the_longest_span() {
        let heavy = Delay::pareto(secs(1), 0.5).tail().expect("valid");
        assert_eq!([heavy.quantile(0.0), heavy.quantile(1.0)], [secs(1), LONGEST]);
        let log_normal = Delay::log_normal(secs(3), 1.2).tail().expect("valid");
        assert_eq!([log_normal.quantile(0.0), log_normal.quantile(1.0)], [secs(0), LONGEST]);
        assert_eq!(log_normal.survival(secs(0)), 1.0);
    }
}
