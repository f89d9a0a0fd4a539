//! Simulated time: whole nanoseconds from the start of a run.
//!
//! Integers, so that a run is the same on every machine. A span between two moments is a
//! [`std::time::Duration`]; [`secs`], [`millis`] and [`micros`] write one shortly.

pub mod clock;
pub mod span;

use std::fmt;
use std::ops::{Add, AddAssign, Sub};
use std::time::Duration;

/// A moment of a run, in whole nanoseconds from its start.
///
/// ```
/// use fencing::time::{Time, millis, secs};
///
/// let granted = Time::START + secs(2);
/// assert_eq!(granted + millis(500) - granted, millis(500));
/// assert_eq!((granted + millis(500)).to_string(), "2.5 s");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

impl Time {
    /// The start of every run.
    pub const START: Time = Time(0);

    /// A moment that no run reaches, some 584 years after the start.
    pub const NEVER: Time = Time(u64::MAX);

    /// The moment `nanos` nanoseconds from the start.
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Time {
        Time(nanos)
    }

    /// Nanoseconds from the start.
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// The moment `nanos` nanoseconds later; what the event loop uses, where spans are drawn as
    /// numbers.
    #[must_use]
    pub(crate) const fn later(self, nanos: u64) -> Time {
        Time(self.0.saturating_add(nanos))
    }

    /// Seconds from the start, for axes and tables. Exact to a nanosecond for the first 100 days.
    #[must_use]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

/// Addition stops at [`Time::NEVER`] instead of overflowing: a pause may be absurdly long.
impl Add<Duration> for Time {
    type Output = Time;

    fn add(self, span: Duration) -> Time {
        Time(self.0.saturating_add(nanos(span)))
    }
}

impl AddAssign<Duration> for Time {
    fn add_assign(&mut self, span: Duration) {
        *self = *self + span;
    }
}

/// The span from `earlier` to `self`; zero where `earlier` is the later one.
impl Sub for Time {
    type Output = Duration;

    fn sub(self, earlier: Time) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

/// Seconds with as many decimals as there are, at most nine: `12 s`, `12.5 s`.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 1_000_000_000, self.0 % 1_000_000_000);
        if rest == 0 {
            return write!(f, "{whole} s");
        }
        let decimals = format!("{rest:09}");
        write!(f, "{whole}.{} s", decimals.trim_end_matches('0'))
    }
}

/// A span of whole seconds.
#[must_use]
pub const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A span of whole milliseconds.
#[must_use]
pub const fn millis(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A span of whole microseconds.
#[must_use]
pub const fn micros(microseconds: u64) -> Duration {
    Duration::from_micros(microseconds)
}

/// The longest span that the model knows: 100 years of 365 days. Longer ones are cut to it, so that
/// sums of a few stay far from the end of [`Time`].
pub const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// A span as moments are written: `1.5 s`.
pub(crate) fn in_words(span: Duration) -> String {
    (Time::START + span).to_string()
}

/// A moment as a reader says it: to the millisecond.
pub(crate) fn about(at: Time) -> String {
    let written = format!("{:.3}", at.as_secs_f64());
    format!("{} s", written.trim_end_matches('0').trim_end_matches('.'))
}

/// A span in nanoseconds, cut to what [`Time`] can hold.
pub(crate) fn nanos(span: Duration) -> u64 {
    span.as_secs().saturating_mul(1_000_000_000).saturating_add(u64::from(span.subsec_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_written_without_trailing_zeros() {
        assert_eq!(Time::START.to_string(), "0 s");
        assert_eq!((Time::START + millis(12_340)).to_string(), "12.34 s");
        assert_eq!(Time::from_nanos(1).to_string(), "0.000000001 s");
    }

    #[test]
    fn sums_stop_at_never() {
        assert_eq!(Time::NEVER + secs(1), Time::NEVER);
        assert_eq!(Time::START + Duration::MAX, Time::NEVER);
    }

    #[test]
    fn a_span_backwards_is_zero() {
        assert_eq!(Time::START - (Time::START + secs(1)), Duration::ZERO);
    }
}
