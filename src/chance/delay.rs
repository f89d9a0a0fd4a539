//! How long something takes: the distributions of the scenario.

use super::recording::Recording;
use super::seed::Stream;
use crate::time::{LONGEST, nanos, span};
use rand::RngExt;
use rand::distr::Uniform;
use rand_distr::{Distribution, Exp1, LogNormal, Pareto};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// How long something takes, as a distribution of spans.
///
/// In a scenario file: `think = { exponential = "100ms" }`. Draws longer than
/// [`LONGEST`] are cut to it.
///
/// ```
/// use fencing::prelude::*;
///
/// let pause = Delay::log_normal(secs(3), 1.2);
/// let lengths = pause.samples(Seed(1), 10_000)?;
/// let longer_than_the_median = lengths.iter().filter(|length| **length > secs(3)).count();
/// assert!((4_800..5_200).contains(&longer_than_the_median));
/// # Ok::<(), DelayError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Delay {
    /// Always the same span.
    Constant(#[serde(with = "span")] Duration),
    /// Any span from `from` up to `to`, each as likely as the other.
    Uniform {
        /// The shortest.
        #[serde(with = "span")]
        from: Duration,
        /// The longest.
        #[serde(with = "span")]
        to: Duration,
    },
    /// Without memory, given by its mean: density exp(−t/mean)/mean.
    Exponential(#[serde(with = "span")] Duration),
    /// Its logarithm is normal with mean ln(median) and standard deviation `sigma`: a long tail, as
    /// measured pauses often have.
    LogNormal {
        /// Half of all draws are longer.
        #[serde(with = "span")]
        median: Duration,
        /// Spread, 0 (constant) and up; the mean is median·exp(sigma²/2).
        sigma: f64,
    },
    /// A heavy tail: longer than t with probability (at_least/t)^shape. The mean is infinite where
    /// shape is 1 or less.
    Pareto {
        /// The shortest, above zero.
        #[serde(with = "span")]
        at_least: Duration,
        /// How fast the tail falls, above 0; smaller is heavier.
        shape: f64,
    },
    /// One of the lengths that were measured, each as likely as the other.
    Recorded(Recording),
}

/// What makes a distribution impossible: which of its numbers, what was given, what is allowed.
#[derive(Clone, Debug, PartialEq)]
pub struct DelayError {
    /// The part of the distribution, such as `log_normal.sigma`.
    pub field: String,
    /// What was given.
    pub given: String,
    /// What is allowed, as the end of a sentence that begins "it must".
    pub allowed: String,
}

impl std::fmt::Display for DelayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is {}: it must {}", self.field, self.given, self.allowed)
    }
}

impl std::error::Error for DelayError {}

impl DelayError {
    fn new(field: &str, given: &impl ToString, allowed: &str) -> DelayError {
        DelayError { field: field.into(), given: given.to_string(), allowed: allowed.into() }
    }
}

impl Delay {
    /// Takes no time at all.
    pub const ZERO: Delay = Delay::Constant(Duration::ZERO);

    /// Always `span`.
    #[must_use]
    pub fn constant(span: Duration) -> Delay {
        Delay::Constant(span)
    }

    /// Any span from `from` up to `to`, each as likely as the other.
    #[must_use]
    pub fn uniform(from: Duration, to: Duration) -> Delay {
        Delay::Uniform { from, to }
    }

    /// Exponential with this mean.
    #[must_use]
    pub fn exponential(mean: Duration) -> Delay {
        Delay::Exponential(mean)
    }

    /// Log-normal with this median, and `sigma` as the standard deviation of its logarithm.
    #[must_use]
    pub fn log_normal(median: Duration, sigma: f64) -> Delay {
        Delay::LogNormal { median, sigma }
    }

    /// Pareto: longer than t with probability (at_least/t)^shape.
    #[must_use]
    pub fn pareto(at_least: Duration, shape: f64) -> Delay {
        Delay::Pareto { at_least, shape }
    }

    /// One of the lengths of a recording.
    #[must_use]
    pub fn recorded(recording: impl Into<Recording>) -> Delay {
        Delay::Recorded(recording.into())
    }

    /// Checks the numbers, reads a recording's file, and makes what draws from this distribution.
    ///
    /// # Errors
    /// [`DelayError`] names the number that is not allowed, or the file that cannot be read.
    pub fn sampler(&self) -> Result<Sampler, DelayError> {
        Ok(Sampler(match *self {
            Delay::Constant(span) => Kind::Constant(nanos(span.min(LONGEST))),
            Delay::Uniform { from, to } => Kind::Uniform(
                Uniform::new_inclusive(nanos(from), nanos(to)).map_err(|_| uniform_error(from))?,
            ),
            Delay::Exponential(mean) => Kind::Exponential { mean: nanos(mean) as f64 },
            Delay::LogNormal { median, sigma } => {
                if !(sigma.is_finite() && sigma >= 0.0) {
                    let allowed = "be a number from 0 up, such as 1.2";
                    return Err(DelayError::new("log_normal.sigma", &sigma, allowed));
                }
                match LogNormal::new((nanos(median) as f64).ln(), sigma) {
                    Ok(distribution) if !median.is_zero() => Kind::LogNormal(distribution),
                    _ => return Err(not_zero("log_normal.median")),
                }
            }
            Delay::Pareto { at_least, shape } => {
                if at_least.is_zero() {
                    return Err(not_zero("pareto.at_least"));
                }
                let error =
                    || DelayError::new("pareto.shape", &shape, "be a number above 0, such as 1.5");
                if !(shape.is_finite() && shape > 0.0) {
                    return Err(error());
                }
                Kind::Pareto(Pareto::new(nanos(at_least) as f64, shape).map_err(|_| error())?)
            }
            Delay::Recorded(ref recording) => Kind::Recorded(lengths(recording)?),
        }))
    }

    /// `count` draws, to look at. A scenario draws from the same distribution, but from streams of
    /// its own.
    ///
    /// # Errors
    /// As [`Delay::sampler`].
    pub fn samples(
        &self,
        seed: super::seed::Seed,
        count: usize,
    ) -> Result<Vec<Duration>, DelayError> {
        let sampler = self.sampler()?;
        let mut stream = seed.stream(super::seed::Purpose::Work, 0);
        Ok((0..count).map(|_| sampler.sample(&mut stream)).collect())
    }
}

fn uniform_error(from: Duration) -> DelayError {
    DelayError::new("uniform.from", &span::write(from), "not be longer than uniform.to")
}

fn not_zero(field: &str) -> DelayError {
    DelayError::new(field, &"0s", "be longer than 0s, such as \"3s\"")
}

/// In nanoseconds, in the order they were measured.
pub(super) fn lengths(recording: &Recording) -> Result<Arc<[u64]>, DelayError> {
    let lengths = recording
        .lengths()
        .map_err(|error| DelayError::new("recorded", &error, "be a recording that can be read"))?;
    if lengths.is_empty() {
        return Err(DelayError::new("recorded", &"empty", "hold at least one length"));
    }
    Ok(lengths.iter().map(|length| nanos(*length)).collect())
}

/// Draws spans from a checked [`Delay`].
#[derive(Clone, Debug)]
pub struct Sampler(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Constant(u64),
    Uniform(Uniform<u64>),
    Exponential { mean: f64 },
    LogNormal(LogNormal<f64>),
    Pareto(Pareto<f64>),
    Recorded(Arc<[u64]>),
}

impl Sampler {
    /// One draw.
    #[must_use]
    pub fn sample(&self, stream: &mut Stream) -> Duration {
        Duration::from_nanos(self.nanos(stream))
    }

    /// One draw, in nanoseconds. A constant takes no number from the stream.
    #[inline(always)]
    pub(crate) fn nanos(&self, stream: &mut Stream) -> u64 {
        match &self.0 {
            Kind::Constant(span) => *span,
            _ => self.drawn(stream),
        }
    }

    #[inline(never)]
    fn drawn(&self, stream: &mut Stream) -> u64 {
        match &self.0 {
            Kind::Constant(span) => *span,
            Kind::Exponential { mean } => {
                let unit: f64 = Exp1.sample(stream);
                whole(mean * unit)
            }
            Kind::Uniform(distribution) => distribution.sample(stream).min(CUT),
            Kind::LogNormal(distribution) => whole(distribution.sample(stream)),
            Kind::Pareto(distribution) => whole(distribution.sample(stream)),
            Kind::Recorded(lengths) => lengths[stream.random_range(0..lengths.len())].min(CUT),
        }
    }
}

/// The longest span, in nanoseconds.
const CUT: u64 = LONGEST.as_secs() * 1_000_000_000;

/// The nearest whole number of nanoseconds, at most the longest span. The same as rounding, half
/// up, but on most machines `round` is a call into the C library; to `i64` and back is not.
#[inline]
fn whole(nanos: f64) -> u64 {
    let below = nanos.min(CUT as f64) as i64;
    let is_nearer_above = 0.5 <= nanos - below as f64;
    (below as u64 + u64::from(is_nearer_above)).min(CUT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::seed::Seed;
    use crate::time::{millis, secs};

    fn mean_s(delay: &Delay) -> f64 {
        let lengths = delay.samples(Seed(3), 200_000).expect("a valid distribution");
        lengths.iter().map(Duration::as_secs_f64).sum::<f64>() / lengths.len() as f64
    }

    /// Standard errors over 200,000 draws are 0.0022 (uniform), 0.0045 (exponential), 0.011 (the
    /// log-normal), 0.0019 (Pareto, shape 3); the bounds are four of them.
    #[test]
    fn means_are_those_of_the_formulas() {
        let listed = Delay::recorded(vec![secs(1), secs(5)]);
        for (delay, mean, bound) in [
            (Delay::constant(secs(2)), 2.0, 1e-9),
            (Delay::uniform(secs(1), secs(4)), 2.5, 0.008),
            (Delay::exponential(secs(2)), 2.0, 0.018),
            (Delay::log_normal(secs(3), 0.9), 3.0 * (0.405_f64).exp(), 0.05),
            (Delay::pareto(secs(1), 3.0), 1.5, 0.008),
            (listed, 3.0, 0.018),
        ] {
            let got = mean_s(&delay);
            assert!((got - mean).abs() < bound, "{delay:?}: mean {got}, formula {mean}");
        }
    }

    #[test]
    fn a_pareto_of_tiny_shape_stays_within_the_longest_span() {
        let draws = Delay::pareto(secs(1), 0.001).samples(Seed(1), 1_000).expect("valid");
        assert!(draws.iter().all(|length| *length <= LONGEST));
        assert!(draws.contains(&LONGEST));
    }

    #[test]
    fn impossible_numbers_are_named() {
        for (delay, part) in [
            (Delay::uniform(secs(3), secs(1)), "uniform.from"),
            (Delay::log_normal(secs(3), f64::NAN), "log_normal.sigma"),
            (Delay::log_normal(secs(3), -1.0), "log_normal.sigma"),
            (Delay::log_normal(secs(0), 1.0), "log_normal.median"),
            (Delay::pareto(secs(0), 1.0), "pareto.at_least"),
            (Delay::pareto(secs(1), 0.0), "pareto.shape"),
            (Delay::pareto(secs(1), f64::INFINITY), "pareto.shape"),
            (Delay::recorded(vec![]), "recorded"),
        ] {
            let error = delay.sampler().map(|_| ()).expect_err(part);
            assert_eq!(error.field, part);
            assert!(error.to_string().contains("it must"), "{error}");
        }
        assert!(Delay::uniform(millis(1), millis(1)).sampler().is_ok());
    }
}
