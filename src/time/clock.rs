//! Clocks that are not right: ahead of time, too fast or too slow, set to another time, or standing
//! still while their machine sleeps.

use super::Time;
use std::fmt;
use std::time::Duration;

/// How fast a clock goes: so many seconds of its own in one true second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    billionths: u64,
}

impl Pace {
    /// As fast as time.
    pub const TRUE: Pace = Pace { billionths: 1_000_000_000 };
    /// The slowest and the fastest that a clock may go.
    pub const RANGE: (f64, f64) = (0.01, 100.0);

    /// So many seconds of its own in one true second, from 0.01 to 100, kept in whole billionths;
    /// nothing where `factor` lies outside.
    #[must_use]
    pub fn new(factor: f64) -> Option<Pace> {
        let (slowest, fastest) = Pace::RANGE;
        let is_allowed = (slowest..=fastest).contains(&factor);
        is_allowed.then(|| Pace { billionths: (factor * 1e9).round() as u64 })
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.billionths as f64 / 1e9).fmt(f)
    }
}

/// A clock, as what it shows at any true moment.
///
/// ```
/// use fencing::time::clock::{Clock, Pace};
/// use fencing::time::{Time, millis, secs};
///
/// let fast = Clock::new(secs(0), Pace::new(1.25).expect("from 0.01 to 100"));
/// let after_eight_seconds = Time::START + secs(8);
/// assert_eq!(fast.shows(after_eight_seconds), Time::START + secs(10));
/// assert_eq!(fast.when_it_shows(Time::START + secs(10)), after_eight_seconds);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    pace: Pace,
    /// Since this true moment it has gone undisturbed, …
    since: Time,
    /// … and this is what it showed then.
    showed: Time,
}

impl Clock {
    /// A clock that shows the true time.
    pub const TRUE: Clock = Clock { pace: Pace::TRUE, since: Time::START, showed: Time::START };

    /// A clock that is `ahead` at the start of the run and goes on at `pace`.
    #[must_use]
    pub fn new(ahead: Duration, pace: Pace) -> Clock {
        Clock { pace, since: Time::START, showed: Time::START + ahead }
    }

    /// What it shows at the true moment `now`.
    #[must_use]
    #[inline(always)]
    pub fn shows(&self, now: Time) -> Time {
        if self.is_right() { now } else { self.shows_wrongly(now) }
    }

    #[inline(never)]
    fn shows_wrongly(&self, now: Time) -> Time {
        let passed = u128::from((now - self.since).as_nanos() as u64);
        let own = passed * u128::from(self.pace.billionths) / BILLION;
        self.showed.later(u64::try_from(own).unwrap_or(u64::MAX))
    }

    /// The first true moment at which it shows `reading` or later, if it is not disturbed again.
    #[must_use]
    #[inline(always)]
    pub fn when_it_shows(&self, reading: Time) -> Time {
        if self.is_right() { reading } else { self.when_it_wrongly_shows(reading) }
    }

    #[inline(never)]
    fn when_it_wrongly_shows(&self, reading: Time) -> Time {
        if reading == Time::NEVER {
            return Time::NEVER;
        }
        let own = u128::from((reading - self.showed).as_nanos() as u64);
        let passed = (own * BILLION).div_ceil(u128::from(self.pace.billionths));
        self.since.later(u64::try_from(passed).unwrap_or(u64::MAX))
    }

    /// True if it shows the true time and will go on to.
    #[inline(always)]
    fn is_right(&self) -> bool {
        self.since == self.showed && self.pace == Pace::TRUE
    }

    /// Somebody sets it forward by `span`.
    pub fn set_forward(&mut self, now: Time, span: Duration) {
        *self = Clock { pace: self.pace, since: now, showed: self.shows(now) + span };
    }

    /// Somebody sets it back by `span`, at most to the start of the run.
    pub fn set_back(&mut self, now: Time, span: Duration) {
        let shown = self.shows(now) - Time::START;
        let showed = Time::START + shown.saturating_sub(span);
        *self = Clock { pace: self.pace, since: now, showed };
    }

    /// It has stood still from one true moment to another, as a clock does that does not count the
    /// time while its machine is suspended.
    pub fn stood_still(&mut self, from: Time, to: Time) {
        let missed = self.shows(to) - self.shows(from);
        let shown = self.shows(to) - Time::START;
        *self = Clock { pace: self.pace, since: to, showed: Time::START + (shown - missed) };
    }
}

const BILLION: u128 = 1_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{millis, secs};
    use proptest::prelude::*;

    fn at(millis_from_start: u64) -> Time {
        Time::START + millis(millis_from_start)
    }

    fn pace(factor: f64) -> Pace {
        Pace::new(factor).expect("an allowed pace")
    }

    #[test]
    fn a_pace_has_bounds() {
        for factor in [0.0, -1.0, 101.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Pace::new(factor), None);
        }
        assert_eq!(Pace::new(1.0), Some(Pace::TRUE));
    }

    #[test]
    fn a_step_moves_all_that_comes_after_it() {
        let mut clock = Clock::new(secs(2), pace(0.5));
        assert_eq!(clock.shows(at(4_000)), at(4_000));
        clock.set_forward(at(4_000), secs(10));
        assert_eq!(clock.shows(at(6_000)), at(15_000));
        clock.set_back(at(6_000), secs(5));
        assert_eq!(clock.shows(at(8_000)), at(11_000));
        clock.set_back(at(8_000), secs(100));
        assert_eq!(clock.shows(at(8_000)), Time::START);
    }

    #[test]
    fn a_clock_that_stood_still_is_behind_by_so_much() {
        let mut clock = Clock::TRUE;
        clock.stood_still(at(3_000), at(14_000));
        assert_eq!(clock.shows(at(14_000)), at(3_000));
        assert_eq!(clock.when_it_shows(at(4_000)), at(15_000));
    }

    proptest! {
        /// It shows a reading first at the moment that is said, and not a nanosecond before.
        #[test]
        fn when_and_what_fit(
            ahead in 0u64..100_000, factor in 0.01f64..100.0, now in 0u64..1_000_000_000_000,
        ) {
            let clock = Clock::new(millis(ahead), pace(factor));
            let reading = clock.shows(Time::from_nanos(now));
            let first = clock.when_it_shows(reading);
            prop_assert!(first <= Time::from_nanos(now));
            prop_assert!(reading <= clock.shows(first));
            if let Some(before) = first.as_nanos().checked_sub(1) {
                prop_assert!(clock.shows(Time::from_nanos(before)) < reading);
            }
        }
    }
}
