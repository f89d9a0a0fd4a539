//! The critical section: how often do work and pause together outlast a lease?

use super::integral;
use crate::chance::delay::{Delay, DelayError};
use crate::chance::pause::Pauses;
use crate::chance::tail::Tail;
use crate::simulation::scenario::ScenarioError;
use std::time::Duration;

/// The probability that a critical section is still under way when its lease ends, from 0 to 1:
/// work W, and with probability p one pause P in it, against a lease of L that is not renewed.
///
/// A pause within the work ends the work later by its own length, so the critical section lasts
/// W + P or W alone:
///
/// probability = (1 − p) · P(W ≥ L) + p · P(W + P ≥ L).
///
/// W and P are independent. Where one of them is a list of lengths (a recording, or a constant, a
/// list of one) P(W + P ≥ L) is the mean, over the lengths a of the list, of the probability that
/// the other is L − a or longer. Otherwise, with S for the probability of W to be longer than so
/// long, and with q(v) for the length that a share v of all pauses exceed,
///
/// P(W + P ≥ L) = v₀ + the integral of S(L − q(v)) over v from v₀ to 1, v₀ = P(P ≥ L),
///
/// that is: each pause at its quantile, those beyond the lease counted whole. The integral is
/// numerical, to an absolute error below 1e-9.
///
/// In a run without renewal, latency, commit or crashes this is the expected number of expiries a
/// grant. What ends together with its lease has outlived it: at one instant the lease ends first,
/// since its end was scheduled first.
///
/// ```
/// use fencing::prelude::*;
///
/// let Scenario { work, pauses, lease, .. } = Scenario::baseline();
/// let expected = outlives_lease(&work, &pauses, lease)?;
///
/// let outcome = run(&Scenario::baseline(), Seed(1))?;
/// let seen = outcome.expiries as f64 / outcome.grants as f64;
/// assert!((seen - expected).abs() < 0.005, "seen {seen}, expected {expected}");
/// # Ok::<(), ScenarioError>(())
/// ```
///
/// # Errors
/// [`ScenarioError`] where work, pauses or probability are impossible, and for pauses of another
/// kind than those of the critical section: this formula does not know them.
pub fn outlives_lease(
    work: &Delay,
    pauses: &Pauses,
    lease: Duration,
) -> Result<f64, ScenarioError> {
    only_of_the_critical_section(pauses)?;
    let work = checked("work", work.tail())?;
    let unpaused = at_least(&work, lease);
    let Some(pause) = &pauses.critical_section else { return Ok(unpaused) };
    let p = pause.probability;
    if !(0.0..=1.0).contains(&p) {
        let field = "pauses.critical_section.probability";
        return Err(ScenarioError::field(field, p, "be a number from 0 to 1"));
    }
    let pause = checked("pauses.critical_section.length", pause.length.tail())?;
    Ok((1.0 - p) * unpaused + p * sum_at_least(&work, &pause, lease))
}

fn only_of_the_critical_section(pauses: &Pauses) -> Result<(), ScenarioError> {
    let allowed = "be absent: the formula knows only the pauses of the critical section";
    if pauses.poisson.is_some() {
        return Err(ScenarioError::field("pauses.poisson", "set", allowed));
    }
    if !pauses.script.is_empty() {
        return Err(ScenarioError::field("pauses.script", "set", allowed));
    }
    Ok(())
}

fn checked(field: &str, tail: Result<Tail, DelayError>) -> Result<Tail, ScenarioError> {
    tail.map_err(|error| {
        ScenarioError::field(&format!("{field}.{}", error.field), error.given, &error.allowed)
    })
}

/// The probability of `lease` or longer. Spans are whole nanoseconds: that is longer than one less.
fn at_least(tail: &Tail, lease: Duration) -> f64 {
    match lease.checked_sub(Duration::from_nanos(1)) {
        Some(less) => tail.survival(less),
        None => 1.0,
    }
}

/// The probability that a draw of each add up to `lease` or more.
fn sum_at_least(work: &Tail, pause: &Tail, lease: Duration) -> f64 {
    match (work.listed(), pause.listed()) {
        (Some(lengths), _) => mean_over(lengths, pause, lease),
        (None, Some(lengths)) => mean_over(lengths, work, lease),
        (None, None) => both_smooth(work, pause, lease.as_secs_f64()),
    }
}

fn mean_over(
    lengths: impl ExactSizeIterator<Item = Duration>,
    other: &Tail,
    lease: Duration,
) -> f64 {
    let count = lengths.len() as f64;
    lengths.map(|length| at_least(other, lease.saturating_sub(length))).sum::<f64>() / count
}

fn both_smooth(work: &Tail, pause: &Tail, lease: f64) -> f64 {
    let beyond = pause.survival_s(lease);
    let rest = |share: f64| work.survival_s(lease - pause.exceeded_s(share));
    // The integrand bends where the rest of the lease does as the work, or as the pause itself.
    let of_work = work.bends_s().into_iter().map(|at| lease - at).filter(|at| 0.0 < *at);
    let bends: Vec<f64> =
        of_work.chain(pause.bends_s()).map(|pause_s| pause.survival_s(pause_s)).collect();
    beyond + integral(rest, beyond, 1.0, &bends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::pause::ScriptedPause;
    use crate::time::{millis, secs};

    fn always_paused(work: &Delay, pause: Delay, lease: Duration) -> f64 {
        outlives_lease(work, &Pauses::critical_section(1.0, pause), lease).expect("valid")
    }

    /// The sum of two exponentials with means a ≠ b is longer than t with probability
    /// (a·exp(−t/a) − b·exp(−t/b))/(a − b).
    #[test]
    fn two_exponentials_are_those_integrated_by_hand() {
        for (a, b) in [(2.0_f64, 3.0_f64), (3.0, 2.0), (2.0, 0.2), (0.2, 2.0), (0.01, 5.0)] {
            for lease in [0.5, 10.0, 40.0_f64] {
                let [work, pause, span] = [a, b, lease].map(Duration::from_secs_f64);
                let (work, pause) = (Delay::exponential(work), Delay::exponential(pause));
                let ours = always_paused(&work, pause, span);
                let by_hand = (a * (-lease / a).exp() - b * (-lease / b).exp()) / (a - b);
                assert!((ours - by_hand).abs() < 1e-9, "{a}, {b}, {lease}: {ours}, {by_hand}");
            }
        }
    }

    /// Two uniforms from 1 to 3 make a triangle from 2 to 6.
    #[test]
    fn two_uniforms_make_a_triangle() {
        let uniform = Delay::uniform(secs(1), secs(3));
        for (lease_s, by_hand) in [(1, 1.0), (2, 1.0), (3, 0.875), (4, 0.5), (5, 0.125), (6, 0.0)] {
            let ours = always_paused(&uniform, uniform.clone(), secs(lease_s));
            assert!((ours - by_hand).abs() < 1e-9, "{lease_s} s: {ours}, by hand {by_hand}");
        }
    }

    /// Whichever of the two is called work, the sum is the same; and the integral comes out alike
    /// from both sides.
    #[test]
    fn work_and_pause_can_change_places() {
        let kinds = [
            Delay::constant(secs(2)),
            Delay::uniform(secs(1), secs(4)),
            Delay::exponential(secs(2)),
            Delay::log_normal(secs(3), 1.2),
            Delay::log_normal(secs(6), 0.01),
            Delay::pareto(secs(1), 1.5),
            Delay::pareto(millis(1), 0.7),
            Delay::recorded(vec![secs(5), secs(1), secs(9)]),
        ];
        for one in &kinds {
            for other in &kinds {
                for lease in [millis(1_500), secs(10), secs(100)] {
                    let there = always_paused(one, other.clone(), lease);
                    let back = always_paused(other, one.clone(), lease);
                    let what = format!("{one:?} and {other:?}, {lease:?}");
                    assert!((there - back).abs() < 1e-9, "{what}: {there} and {back}");
                }
            }
        }
    }

    #[test]
    fn what_ends_with_the_lease_has_outlived_it() {
        let two = Delay::constant(secs(2));
        assert_eq!(always_paused(&two, Delay::constant(secs(8)), secs(10)), 1.0);
        assert_eq!(always_paused(&two, Delay::constant(millis(7_999)), secs(10)), 0.0);
        assert_eq!(outlives_lease(&two, &Pauses::none(), secs(2)), Ok(1.0));
        assert_eq!(outlives_lease(&two, &Pauses::none(), secs(0)), Ok(1.0));
    }

    #[test]
    fn what_the_formula_does_not_know_is_named() {
        let pauses =
            |probability| Pauses::critical_section(probability, Delay::pareto(secs(0), 1.0));
        for (pauses, part) in [
            (pauses(2.0), "`pauses.critical_section.probability` is 2: it must be a number"),
            (pauses(0.5), "`pauses.critical_section.length.pareto.at_least` is 0s: it must"),
            (Pauses::poisson(secs(1), Delay::ZERO), "`pauses.poisson` is set: it must be absent"),
            (Pauses::script([ScriptedPause::new(0, secs(1), secs(1))]), "`pauses.script` is set"),
        ] {
            let error = outlives_lease(&Delay::ZERO, &pauses, secs(1)).expect_err(part);
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}
