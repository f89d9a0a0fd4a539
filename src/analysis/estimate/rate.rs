//! A rate: how often something happens, out of so many trials.

use super::EstimateError;
use super::interval::{Interval, all_seen, clopper_pearson, none_seen, wilson, wilson_over_runs};
use super::method::Method;
use super::writing::{decimals, number, with_commas};
use crate::analysis::outcome::Outcome;
use std::fmt;

/// How often something happens: events, trials, and an interval of 95 %.
///
/// It is written with its interval, and with `{:#}` also with what it was made from:
///
/// ```
/// use fencing::prelude::*;
///
/// let rate = Rate::of(178, 10_000)?;
/// assert_eq!(format!("{rate}"), "0.0178, 95 % 0.0154 to 0.0206");
/// assert_eq!(
///     format!("{rate:#}"),
///     "0.0178, 95 % 0.0154 to 0.0206 (178 of 10,000; Wilson, as if events were independent)"
/// );
///
/// // Nothing seen is not nothing.
/// let none = Rate::of(0, 10_000)?;
/// assert_eq!(none.to_string(), "0 of 10,000, below 3/n = 0.0003 with 95 %");
/// # Ok::<(), EstimateError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    events: u64,
    trials: u64,
    repeats: Vec<Repeat>,
    method: Method,
    interval: Interval,
}

/// What one run adds to a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// Trials in which it happened.
    pub events: u64,
    /// All trials.
    pub trials: u64,
}

impl From<(u64, u64)> for Repeat {
    fn from((events, trials): (u64, u64)) -> Repeat {
        Repeat { events, trials }
    }
}

/// Up to so many events in all (or trials without one) the exact formula is used.
const FEW: u64 = 10;

/// From so many runs on that each have seen it happen, and not happen, their spread is used.
const ENOUGH_REPEATS: usize = 10;

impl Rate {
    /// A rate from one count. The interval takes the trials for independent: events that come in
    /// clusters are better counted run by run, see [`Rate::of_repeats`].
    ///
    /// # Errors
    /// [`EstimateError`] where there is no trial, or there are more events than trials.
    pub fn of(events: u64, trials: u64) -> Result<Rate, EstimateError> {
        Rate::new(events, trials, Vec::new())
    }

    /// A rate from (events, trials) of each of several runs with different seeds.
    ///
    /// The rate is all events by all trials. The interval comes from how far the runs lie apart, if
    /// ten of them or more have seen it happen: then it does not matter that within a run one pause
    /// can cause several events.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// let runs = (1..=10).map(|seed| run(&Scenario::baseline(), Seed(seed)).expect("valid"));
    /// let rate = Rate::of_repeats(runs.map(|outcome| (outcome.zombie_writes, outcome.grants)))?;
    /// assert_eq!(rate.method(), Method::Repeats(10));
    /// assert!(rate.interval().contains(0.018), "{rate}");
    /// # Ok::<(), EstimateError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Rate::of`].
    pub fn of_repeats<R: Into<Repeat>>(
        repeats: impl IntoIterator<Item = R>,
    ) -> Result<Rate, EstimateError> {
        let repeats: Vec<Repeat> = repeats.into_iter().map(Into::into).collect();
        for Repeat { events, trials } in repeats.iter().copied() {
            if trials < events {
                return Err(EstimateError::MoreEventsThanTrials { events, trials });
            }
        }
        let sum = |part: fn(&Repeat) -> u64| repeats.iter().map(part).sum();
        Rate::new(sum(|repeat| repeat.events), sum(|repeat| repeat.trials), repeats)
    }

    /// A rate a grant, from the outcomes of several runs: of `|run| run.zombie_writes`, say.
    ///
    /// # Errors
    /// As [`Rate::of`].
    pub fn a_grant<'a>(
        outcomes: impl IntoIterator<Item = &'a Outcome>,
        events: impl Fn(&Outcome) -> u64,
    ) -> Result<Rate, EstimateError> {
        Rate::of_repeats(outcomes.into_iter().map(|outcome| (events(outcome), outcome.grants)))
    }

    fn new(events: u64, trials: u64, repeats: Vec<Repeat>) -> Result<Rate, EstimateError> {
        if trials == 0 {
            return Err(EstimateError::NoTrials);
        }
        if trials < events {
            return Err(EstimateError::MoreEventsThanTrials { events, trials });
        }
        let unknown = Interval { low: 0.0, high: 1.0 };
        let mut rate = Rate { events, trials, repeats, method: Method::Wilson, interval: unknown };
        rate.method = rate.choose();
        rate.interval = rate.interval_by(rate.method);
        Ok(rate)
    }

    fn choose(&self) -> Method {
        let telling = |repeat: &&Repeat| 0 < repeat.events && repeat.events < repeat.trials;
        match self.events.min(self.trials - self.events) {
            0 => Method::RuleOfThree,
            1..=FEW => Method::ClopperPearson,
            _ if self.repeats.iter().filter(telling).count() < ENOUGH_REPEATS => Method::Wilson,
            _ if self.all_alike() => Method::Wilson,
            _ => Method::Repeats(self.repeats.len()),
        }
    }

    /// True if every run has the rate of all, to the last digit: a spread that says nothing.
    fn all_alike(&self) -> bool {
        let wide = |one: u64, other: u64| u128::from(one) * u128::from(other);
        let is_alike =
            |repeat: &Repeat| wide(repeat.events, self.trials) == wide(self.events, repeat.trials);
        self.repeats.iter().all(is_alike)
    }

    fn interval_by(&self, method: Method) -> Interval {
        match method {
            Method::RuleOfThree if self.events == 0 => none_seen(self.trials),
            Method::RuleOfThree => all_seen(self.trials),
            Method::ClopperPearson => clopper_pearson(self.events, self.trials),
            Method::Wilson => wilson(self.events, self.trials),
            Method::Repeats(_) => {
                wilson_over_runs(self.value(), &self.deviations().collect::<Vec<_>>())
            }
        }
    }

    /// For each run, what it has too many or too few of events, by the mean number of trials a run.
    /// They add up to zero, and their spread is that of the rate, also where one run has more
    /// trials than another: the ratio estimator (Cochran, Sampling Techniques, 1977, chapter 6).
    pub(super) fn deviations(&self) -> impl Iterator<Item = f64> {
        let trials_a_run = self.trials as f64 / self.repeats.len() as f64;
        let deviation = move |repeat: &Repeat| {
            (repeat.events as f64 - self.value() * repeat.trials as f64) / trials_a_run
        };
        self.repeats.iter().map(deviation)
    }

    /// Events a trial, from 0 to 1.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.events as f64 / self.trials as f64
    }

    /// Where the true rate lies, with 95 %.
    #[must_use]
    pub fn interval(&self) -> Interval {
        self.interval
    }

    /// How the interval was made.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// Trials in which it happened.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events
    }

    /// All trials.
    #[must_use]
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// As it fits in a table: the rate, and its interval of 95 % in parentheses. Where something
    /// never happened, or always, its bound alone.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// assert_eq!(Rate::of(17_800, 1_000_000)?.brief(), "0.01780 (0.01754–0.01806)");
    /// assert_eq!(Rate::of(0, 10_000)?.brief(), "< 0.0003");
    /// # Ok::<(), EstimateError>(())
    /// ```
    #[must_use]
    pub fn brief(&self) -> String {
        if self.method == Method::RuleOfThree {
            let side = if self.events == 0 { "<" } else { ">" };
            return format!("{side} {}", self.bound());
        }
        let (Interval { low, high }, decimals) = (self.interval, decimals(self.interval));
        let [value, low, high] = [self.value(), low, high].map(|value| number(value, decimals));
        format!("{value} ({low}–{high})")
    }

    /// The bound of something that never happened, or always, as it is written.
    fn bound(&self) -> String {
        let bound = if self.events == 0 { self.interval.high } else { self.interval.low };
        let bound = number(bound, decimals(self.interval));
        bound.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    /// What each run adds; empty where only the whole was given.
    #[must_use]
    pub fn repeats(&self) -> &[Repeat] {
        &self.repeats
    }
}

/// From so many trials on 3/n and the exact bound are the same to two digits.
const MANY: u64 = 100;

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rate { events, trials, interval, .. } = *self;
        let counts = format!("{} of {}", with_commas(events), with_commas(trials));
        match self.method {
            Method::RuleOfThree => {
                let (side, rule) =
                    if events == 0 { ("below", "3/n") } else { ("above", "1 − 3/n") };
                let rule = if trials < MANY { String::new() } else { format!("{rule} = ") };
                write!(f, "{counts}, {side} {rule}{} with 95 %", self.bound())?;
            }
            _ => write!(f, "{}, 95 % {interval}", number(self.value(), decimals(interval)))?,
        }
        match (f.alternate(), self.method) {
            (false, _) => Ok(()),
            (true, Method::RuleOfThree) => write!(f, " ({})", self.method),
            (true, _) => write!(f, " ({counts}; {})", self.method),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats(events: &[u64], trials: u64) -> Rate {
        Rate::of_repeats(events.iter().map(|events| (*events, trials))).expect("valid")
    }

    #[test]
    fn the_method_follows_from_what_was_counted() {
        let spread = [3, 5, 4, 6, 2, 5, 5, 4, 3, 6];
        for (rate, method) in [
            (repeats(&[0; 20], 100), Method::RuleOfThree),
            (repeats(&[100; 20], 100), Method::RuleOfThree),
            (repeats(&[1; 10], 100), Method::ClopperPearson),
            (repeats(&[99; 10], 100), Method::ClopperPearson),
            (repeats(&spread, 100), Method::Repeats(10)),
            (repeats(&spread[1..], 100), Method::Wilson),
            (repeats(&[4; 10], 100), Method::Wilson),
            (repeats(&[3; 11], 7), Method::Wilson),
        ] {
            assert_eq!(rate.method(), method, "{rate:?}");
        }
    }

    #[test]
    fn runs_that_lie_far_apart_make_the_rate_less_sure() {
        let apart = repeats(&[0, 30, 2, 40, 1, 3, 25, 2, 1, 50, 4, 2], 1_000);
        let independent = Rate::of(apart.events(), apart.trials()).expect("valid");
        assert!(3.0 * independent.interval().width() < apart.interval().width(), "{apart:#}");
        assert_eq!(apart.value(), independent.value());
    }

    #[test]
    fn a_run_without_trials_keeps_its_place_and_has_no_weight() {
        let rate = Rate::of_repeats([(1, 10), (0, 0), (2, 10)]).expect("valid");
        assert_eq!((rate.repeats().len(), rate.value()), (3, 0.15));
        assert_eq!(rate.deviations().nth(1), Some(0.0));
    }

    #[test]
    fn a_longer_run_has_more_weight() {
        let runs = [(1, 10), (3, 10), (40, 200), (2, 10), (1, 10), (30, 200)];
        let runs = runs.iter().cycle().take(12).copied();
        let rate = Rate::of_repeats(runs).expect("valid");
        assert_eq!((rate.value(), rate.method()), (154.0 / 880.0, Method::Repeats(12)));
        assert!(rate.deviations().sum::<f64>().abs() < 1e-12);
        // By hand: t of 11 degrees of freedom is 2.201, Σ(y − rx)² is 105.5, trials a run are 73.3.
        let half = 2.201 * (105.5_f64 / (12.0 * 11.0)).sqrt() / (880.0 / 12.0);
        assert!((rate.interval().width() / (2.0 * half) - 1.0).abs() < 0.01, "{rate:#}");
    }

    #[test]
    fn every_rate_is_written_shortly() {
        for (events, trials, plain) in [
            (0, 10_000, "0 of 10,000, below 3/n = 0.0003 with 95 %"),
            (0, 10, "0 of 10, below 0.26 with 95 %"),
            (10_000, 10_000, "10,000 of 10,000, above 1 − 3/n = 0.9997 with 95 %"),
            (3, 10_000, "0.00030, 95 % 0.00006 to 0.00088"),
            (17_800, 1_000_000, "0.01780, 95 % 0.01754 to 0.01806"),
        ] {
            assert_eq!(Rate::of(events, trials).expect("valid").to_string(), plain);
        }
        let few = Rate::of(3, 10_000).expect("valid");
        assert!(
            format!("{few:#}").ends_with("(3 of 10,000; Clopper–Pearson, exact for few events)")
        );
    }

    #[test]
    fn what_is_no_rate_is_refused() {
        assert_eq!(Rate::of(0, 0), Err(EstimateError::NoTrials));
        let none: [(u64, u64); 0] = [];
        assert_eq!(Rate::of_repeats(none), Err(EstimateError::NoTrials));
        let error = Rate::of_repeats([(0, 5), (3, 2)]).expect_err("three of two");
        assert!(error.to_string().contains("3 events in 2 trials"), "{error}");
    }
}
