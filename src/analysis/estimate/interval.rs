//! Intervals of 95 %, and the formulas that make them.

use super::writing::{decimals, number};
use statrs::distribution::{ContinuousCDF, StudentsT};
use std::fmt;

/// From where to where the true value lies, with 95 %.
///
/// ```
/// use fencing::prelude::*;
///
/// let interval = Interval { low: 0.01723, high: 0.01854 };
/// assert!(interval.contains(0.018));
/// assert_eq!(interval.to_string(), "0.0172 to 0.0185");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// True if `value` lies within, the ends included.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// From the lower to the upper end.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    /// The same interval of that which did not happen.
    fn turned_over(self) -> Interval {
        Interval { low: 1.0 - self.high, high: 1.0 - self.low }
    }
}

/// Both ends, to two digits of the width.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = decimals(*self);
        write!(f, "{} to {}", number(self.low, decimals), number(self.high, decimals))
    }
}

/// The probability with which an interval misses the true value on one of its two sides.
const MISS_ON_A_SIDE: f64 = 0.025;

/// Values that differ by less than this share of them are the same.
const ROUNDING: f64 = 1e-14;

/// Student's interval about `centre`, the mean of values of which each deviates from it by one of
/// `deviations`, two of them at least.
///
/// With k values whose deviations d add up to zero, the standard error of their mean is
/// √(Σd²/(k(k − 1))). The interval goes t standard errors to both sides, t being the 0.975 quantile
/// of Student's distribution with k − 1 degrees of freedom ("Student" 1908).
#[must_use]
pub fn student(centre: f64, deviations: &[f64]) -> Interval {
    let count = deviations.len() as f64;
    let squares: f64 = deviations.iter().map(|deviation| deviation * deviation).sum();
    let half = t(count - 1.0) * (squares / (count * (count - 1.0))).sqrt();
    let half = if half <= ROUNDING * centre.abs() { 0.0 } else { half };
    Interval { low: centre - half, high: centre + half }
}

/// The 0.975 quantile of Student's distribution: 12.7 for one degree of freedom, 2.09 for 19, and
/// 1.96 in the limit. Beyond ten thousand it no longer changes in the fourth digit, and statrs does
/// not find it.
fn t(freedom: f64) -> f64 {
    let student = StudentsT::new(0.0, 1.0, freedom.clamp(1.0, 10_000.0));
    student.map_or(f64::INFINITY, |student| student.inverse_cdf(1.0 - MISS_ON_A_SIDE))
}

/// Wilson's interval for `events` of `trials` that have nothing to do with one another: the rates r
/// for which the share of events s is no more than z = 1.96 standard errors away, and these are
/// √(r(1 − r)/n) at the rate r, not at s. So it is not of the same length to both sides, and never
/// leaves 0 to 1 (Wilson 1927; recommended by Brown, Cai and DasGupta 2001). `trials` must be above
/// zero.
#[must_use]
pub fn wilson(events: u64, trials: u64) -> Interval {
    const Z: f64 = 1.959_963_984_540_054;
    let n = trials as f64;
    rates_within(Z * Z / n, events as f64 / n)
}

/// Wilson's interval about a share of events `s`, above 0 and below 1, with the spread over runs in
/// the place of chance in independent trials.
///
/// Student's interval reaches h = t standard errors to both sides. Independent trials would have
/// h² = q·s(1 − s) with q = z²/n; here q is what h² is by s(1 − s), and with that q the interval is
/// Wilson's (Franco, Little, Louis and Slud 2019). For many events it is Student's; for few it
/// reaches farther up than down, as the spread of a count does, and holds the true rate more often.
#[must_use]
pub fn wilson_over_runs(share: f64, deviations: &[f64]) -> Interval {
    let half = student(share, deviations).width() / 2.0;
    rates_within(half * half / (share * (1.0 - share)), share)
}

/// The rates r with (s − r)² ≤ q·r(1 − r), where s is the share that was seen. The ends solve a
/// quadratic equation: (s + q/2 ± √(q·s(1 − s) + q²/4))/(1 + q).
fn rates_within(q: f64, s: f64) -> Interval {
    let half = (q * s * (1.0 - s) + q * q / 4.0).sqrt();
    let end = |half: f64| ((s + q / 2.0 + half) / (1.0 + q)).clamp(0.0, 1.0);
    Interval { low: end(-half), high: end(half) }
}

/// The exact interval of Clopper and Pearson (1934): its upper end is the rate at which so few
/// events or fewer would come with a probability of 2.5 %, its lower end the rate at which so many
/// or more would.
///
/// It holds the true value with 95 % or more, whatever the rate: it errs on the side of width.
/// Found by halving, with as many terms of the binomial distribution as there are events (or trials
/// without one, if these are fewer), so it is meant for few. `trials` must be above zero.
#[must_use]
pub fn clopper_pearson(events: u64, trials: u64) -> Interval {
    if trials - events < events {
        return clopper_pearson(trials - events, trials).turned_over();
    }
    let at_most = |count: u64, rate: f64| binomial_at_most(count, trials, rate);
    let high = halve(|rate| MISS_ON_A_SIDE < at_most(events, rate));
    let low = match events.checked_sub(1) {
        Some(fewer) => halve(|rate| 1.0 - MISS_ON_A_SIDE < at_most(fewer, rate)),
        None => 0.0,
    };
    Interval { low, high }
}

/// For none of `trials`: the rate at which none would come with a probability of 5 % is the upper
/// end, 1 − 0.05^(1/n), since (1 − rate)ⁿ = 0.05 there. As −ln 0.05 = 2.996, that is a little less
/// than 3/n: the rule of three (Hanley and Lippman-Hand 1983). `trials` must be above zero.
///
/// It takes the trials for independent. Where events come in clusters of c, what is below three is
/// the number of clusters, and the bound on events is c times as high.
#[must_use]
pub fn none_seen(trials: u64) -> Interval {
    let high = -f64::exp_m1((2.0 * MISS_ON_A_SIDE).ln() / trials as f64);
    Interval { low: 0.0, high }
}

/// For all of `trials`: as [`none_seen`] for that which did not happen.
#[must_use]
pub fn all_seen(trials: u64) -> Interval {
    none_seen(trials).turned_over()
}

/// The probability of `count` events or fewer in `trials`, each with probability `rate`. Each term
/// follows from the one before it; by logarithms, since the first may be too small for a number.
fn binomial_at_most(count: u64, trials: u64, rate: f64) -> f64 {
    let n = trials as f64;
    let odds = rate.ln() - f64::ln_1p(-rate);
    let mut logarithm = n * f64::ln_1p(-rate);
    let mut sum = logarithm.exp();
    for event in 1..=count {
        let event = event as f64;
        logarithm += ((n - event + 1.0) / event).ln() + odds;
        sum += logarithm.exp();
    }
    sum
}

/// The rate up to which something holds that holds for small rates and not for large ones.
fn halve(holds: impl Fn(f64) -> bool) -> f64 {
    const TIMES: u32 = 100;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..TIMES {
        let middle = (low + high) / 2.0;
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(interval: Interval, low: f64, high: f64) {
        let is_near = |ours: f64, theirs: f64| (ours - theirs).abs() <= 1e-4 * theirs + 1e-12;
        assert!(is_near(interval.low, low) && is_near(interval.high, high), "{interval:?}");
    }

    /// Against tables: t of 1, 9, 19 and 120 degrees of freedom.
    #[test]
    fn the_quantiles_are_those_of_the_tables() {
        for (freedom, table) in [(1.0, 12.706), (9.0, 2.262), (19.0, 2.093), (120.0, 1.980)] {
            assert!((t(freedom) - table).abs() < 5e-4, "{freedom}: {}", t(freedom));
        }
        assert!((t(1e9) - 1.96).abs() < 5e-4);
    }

    #[test]
    fn the_interval_of_1_to_5_is_that_of_a_textbook() {
        // Mean 3, standard deviation √2.5, t of 4 degrees of freedom 2.776.
        let half = 2.7764 * (2.5_f64 / 5.0).sqrt();
        assert_near(student(3.0, &[-2.0, -1.0, 0.0, 1.0, 2.0]), 3.0 - half, 3.0 + half);
    }

    /// 81 of 263 is an example of Newcombe (1998): Wilson 0.2553 to 0.3662, Clopper–Pearson 0.2527
    /// to 0.3676. Of 29 trials with one event: 0.0061 to 0.1718, and 0.0009 to 0.1776.
    #[test]
    fn the_intervals_of_newcombe_are_met() {
        for (interval, low, high) in [
            (wilson(81, 263), 0.2553, 0.3662),
            (clopper_pearson(81, 263), 0.2527, 0.3676),
            (wilson(1, 29), 0.0061, 0.1718),
            (clopper_pearson(1, 29), 0.0009, 0.1776),
        ] {
            let is_near = |ours: f64, theirs: f64| (ours - theirs).abs() <= 5.1e-5;
            assert!(is_near(interval.low, low) && is_near(interval.high, high), "{interval:?}");
        }
    }

    #[test]
    fn over_runs_it_is_students_for_many_events_and_reaches_up_for_few() {
        let deviations = [0.001, -0.002, 0.0, 0.002, -0.001];
        let half = student(0.0, &deviations).high;
        assert_near(wilson_over_runs(0.5, &deviations), 0.5 - half, 0.5 + half);
        let Interval { low, high } = wilson_over_runs(0.003, &deviations);
        assert!(0.0 < low && 1.5 * (0.003 - low) < high - 0.003, "{low} to {high}");
    }

    /// Runs that vary as independent trials do, and so many that t is 1.96.
    #[test]
    fn runs_of_independent_trials_make_no_difference() {
        let (share, runs, trials) = (0.02_f64, 10_000, 50.0);
        let one = (share * (1.0 - share) / trials).sqrt();
        let deviations: Vec<f64> = [one, -one].into_iter().cycle().take(runs).collect();
        let Interval { low, high } = wilson(10_000, 500_000);
        assert_near(wilson_over_runs(share, &deviations), low, high);
    }

    #[test]
    fn few_events_of_very_many_trials_are_those_of_poisson() {
        // The exact interval for a Poisson count of 3 is 0.6187 to 8.7673 (Garwood 1936).
        let trials = 100_000_000;
        assert_near(clopper_pearson(3, trials), 0.618_67e-8, 8.767_27e-8);
    }

    #[test]
    fn what_happens_and_what_does_not_are_turned_over() {
        for (events, trials) in [(0, 10), (1, 7), (4, 9), (5, 10)] {
            for formula in [wilson, clopper_pearson] {
                let other = formula(trials - events, trials);
                assert_near(formula(events, trials), 1.0 - other.high, 1.0 - other.low);
            }
        }
    }

    #[test]
    fn none_seen_is_the_rule_of_three() {
        let high = none_seen(10_000).high;
        assert!(high < 3.0 / 10_000.0 && 2.99 / 10_000.0 < high, "{high}");
        assert!((none_seen(1).high - 0.95).abs() < 1e-12);
        assert!((all_seen(1).low - 0.05).abs() < 1e-12);
    }
}
