//! Renewal: which pauses does a renewed lease survive?
//!
//! A holder renews its lease of L every R. So just after a renewal there is L left, just before the
//! next one L − R. A pause at a moment that knows nothing of renewals meets a lease with any rest
//! between the two, each as likely as the other. It stops renewal too. The lease survives where the
//! pause is over before the rest is: the renewal that has waited for the client goes out at once.
//!
//! Left out are the round trips of renewals, renewals that fail, and pauses that follow one another
//! so soon that no renewal fits in between. For such pauses see
//! [`merge_close`](crate::chance::recording::merge_close).

use super::integral;
use crate::chance::delay::{Delay, DelayError};
use std::time::Duration;

/// The probability that a lease of length `lease`, renewed every `renew_every`, survives one pause,
/// from 0 to 1.
///
/// With P for the pause, L for the lease and R for the interval of renewal: the rest of the lease
/// that a pause meets is uniform between L − R and L, and the lease survives where P is no longer
/// than that rest. So it survives
///
/// - surely, where P ≤ L − R,
/// - with probability (L − P)/R = 1 − (P − (L − R))/R, where L − R < P ≤ L,
/// - never, where P > L.
///
/// A lease that is renewed only after its end (R > L) survives nothing: 0.
///
/// ```
/// use fencing::prelude::*;
///
/// let survives = [5, 7, 9, 11].map(|pause_s| survives_renewal(secs(pause_s), secs(10), secs(4)));
/// assert_eq!(survives, [1.0, 0.75, 0.25, 0.0]);
/// ```
#[must_use]
pub fn survives_renewal(pause: Duration, lease: Duration, renew_every: Duration) -> f64 {
    if lease < pause || lease < renew_every {
        0.0
    } else if pause <= lease - renew_every {
        1.0
    } else {
        (lease - pause).as_secs_f64() / renew_every.as_secs_f64()
    }
}

/// The share of pauses of a distribution that a renewed lease survives, from 0 to 1.
///
/// The lease survives a pause P that is no longer than the rest of the lease, and that rest is
/// uniform between L − R and L. With F(t) for the probability of P ≤ t, the share is the mean of F
/// over all rests: 1/R times the integral of F from L − R to L. For constant and recorded pauses it
/// is the mean of [`survives_renewal`] over the list.
///
/// ```
/// use fencing::prelude::*;
///
/// let pause = Delay::log_normal(secs(3), 1.2);
/// let rare = share_that_survives(&pause, secs(10), secs(9))?;
/// let often = share_that_survives(&pause, secs(10), millis(100))?;
/// assert!(rare < often);
/// assert!(often < 1.0 - pause.survival(secs(10))?, "no renewal survives a pause above the lease");
/// # Ok::<(), DelayError>(())
/// ```
///
/// # Errors
/// [`DelayError`], where the distribution is impossible or its file cannot be read.
pub fn share_that_survives(
    pause: &Delay,
    lease: Duration,
    renew_every: Duration,
) -> Result<f64, DelayError> {
    let tail = pause.tail()?;
    if let Some(lengths) = tail.listed() {
        let count = lengths.len() as f64;
        return Ok(1.0 - expected_lapses(lengths, lease, renew_every) / count);
    }
    if lease < renew_every {
        return Ok(0.0);
    }
    if renew_every.is_zero() {
        return Ok(1.0 - tail.survival(lease));
    }
    // Over the unused part u of an interval of renewal, from 0 to 1, instead of over the rest.
    let (least, interval) = ((lease - renew_every).as_secs_f64(), renew_every.as_secs_f64());
    let bends: Vec<f64> = tail.bends_s().iter().map(|at| (at - least) / interval).collect();
    Ok(1.0 - integral(|u| tail.survival_s(least + u * interval), 0.0, 1.0, &bends))
}

/// How many of the listed pauses a renewed lease does not survive, on average over the moments at
/// which they might begin: the sum of 1 − [`survives_renewal`].
///
/// With a whole recording it says how often the lease of a program that holds its lock all the time
/// would have lapsed while it was recorded.
///
/// ```
/// use fencing::prelude::*;
///
/// let pauses = [secs(2), secs(7), secs(9), secs(30)];
/// assert_eq!(expected_lapses(pauses, secs(10), secs(4)), 0.0 + 0.25 + 0.75 + 1.0);
///
/// let recorded = read_recording("data/pauses/scheduler-loaded.csv")?;
/// let lengths = || recorded.iter().map(|pause| pause.length);
/// let shorter_lease = expected_lapses(lengths(), millis(10), millis(5));
/// assert!(expected_lapses(lengths(), millis(20), millis(10)) < shorter_lease);
/// # Ok::<(), RecordingError>(())
/// ```
#[must_use]
pub fn expected_lapses(
    pauses: impl IntoIterator<Item = Duration>,
    lease: Duration,
    renew_every: Duration,
) -> f64 {
    pauses.into_iter().map(|pause| 1.0 - survives_renewal(pause, lease, renew_every)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{millis, secs};

    #[test]
    fn renewing_at_half_the_lease_surely_survives_half_the_lease() {
        assert_eq!(survives_renewal(secs(5), secs(10), secs(5)), 1.0);
        assert!(survives_renewal(millis(5_001), secs(10), secs(5)) < 1.0);
    }

    #[test]
    fn a_lease_renewed_after_its_end_survives_nothing() {
        assert_eq!(survives_renewal(secs(0), secs(10), secs(11)), 0.0);
        assert_eq!(share_that_survives(&Delay::exponential(secs(1)), secs(1), secs(2)), Ok(0.0));
    }

    /// The integrals of F from L − R = 6 to L = 10, by hand.
    #[test]
    fn shares_are_those_integrated_by_hand() {
        let cases = [
            (Delay::uniform(secs(7), secs(9)), 0.5),
            (Delay::exponential(secs(2)), 1.0 - 0.5 * ((-3.0_f64).exp() - (-5.0_f64).exp())),
            // The integral of 1/t² from 6 to 10 is 1/6 − 1/10.
            (Delay::pareto(secs(1), 2.0), 1.0 - (1.0 / 6.0 - 1.0 / 10.0) / 4.0),
            (Delay::pareto(secs(8), 1.0), 1.0 - (2.0 + 8.0 * (10.0_f64 / 8.0).ln()) / 4.0),
            (Delay::constant(secs(9)), 0.25),
            (Delay::recorded(vec![secs(1), secs(7), secs(12)]), (1.0 + 0.75) / 3.0),
        ];
        for (pause, by_hand) in cases {
            let share = share_that_survives(&pause, secs(10), secs(4)).expect("valid");
            assert!((share - by_hand).abs() < 1e-9, "{pause:?}: {share}, by hand {by_hand}");
        }
    }

    #[test]
    fn without_time_between_renewals_only_the_lease_counts() {
        let pause = Delay::exponential(secs(2));
        let share = share_that_survives(&pause, secs(10), secs(0)).expect("valid");
        assert_eq!(share, 1.0 - pause.survival(secs(10)).expect("valid"));
        assert_eq!(survives_renewal(secs(10), secs(10), secs(0)), 1.0);
    }
}
