//! Seeds and streams.
//!
//! A run is a function of its scenario and one [`Seed`]. From the seed each client gets one
//! generator a [`Purpose`]. So a change of one thing (another lease, a token check) leaves the
//! draws for all others as they were: the n-th pause of a client is the same pause under every
//! policy, and two policies can be compared on the same bad luck.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The number that, with the scenario, repeats a run exactly.
///
/// ```
/// use fencing::prelude::*;
///
/// let scenario = Scenario { stop: Stop::at_grants(100), ..Scenario::baseline() };
/// assert_eq!(run(&scenario, Seed(7))?, run(&scenario, Seed(7))?);
/// # Ok::<(), ScenarioError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Seed(pub u64);

impl Seed {
    /// The seed of the n-th repeat, counted from 0. It follows from this seed and the number alone,
    /// so that different scenarios can be repeated with the same luck.
    #[must_use]
    pub fn repeat(self, number: u64) -> Seed {
        Seed(scramble(self.0 ^ scramble(number)))
    }

    /// The generator for one purpose of one client. Streams of different purposes or clients have
    /// nothing to do with one another.
    #[must_use]
    pub fn stream(self, purpose: Purpose, client: u32) -> Stream {
        let label = (u64::from(client) << 8) | purpose as u64;
        Stream::seed_from_u64(scramble(scramble(self.0) ^ label))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The generator of all streams: PCG with 128 bits of state (O'Neill 2014), the same on every
/// machine and pinned by a test, since a change of it changes every run.
pub type Stream = Pcg64Mcg;

/// What a stream's numbers are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Time between two turns.
    Think = 1,
    /// Time between the read and the look before the write.
    Work = 2,
    /// Time between that look and the moment the write leaves.
    Commit = 3,
    /// Time that a message to or from the client is on its way.
    Latency = 4,
    /// Whether, where and how long a critical section is paused.
    CriticalSection = 5,
    /// Pauses at any time.
    Poisson = 6,
    /// Crashes.
    Crash = 7,
    /// What happens to the client's writes on their way.
    Network = 8,
    /// When the client cannot reach the lock service.
    CutOff = 9,
    /// When the lock service stands still.
    LockStall = 10,
    /// When another server takes its place.
    LockFailOver = 11,
    /// When its counter of tokens starts again.
    LockForgets = 12,
    /// Which instance of a majority is out of reach, and when.
    Outage = 13,
    /// Which instance's clock is set forward, and when.
    ClockStep = 14,
    /// When the store loses its mark.
    StoreForgets = 15,
    /// Time from the check of a write to the write itself.
    CheckToWrite = 16,
    /// Numbers on grants that are random.
    Tokens = 17,
    /// Which designs a rehearsal has.
    Rehearsal = 18,
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): neighbouring numbers come out far
/// apart, and no two numbers come out the same.
fn scramble(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn streams_are_pinned() {
        let first = |seed, purpose, client| Seed(seed).stream(purpose, client).next_u64();
        let draws = [
            first(1, Purpose::Think, 0),
            first(1, Purpose::Think, 1),
            first(1, Purpose::Work, 0),
            first(2, Purpose::Think, 0),
        ];
        expect_test::expect![[r#"
            [
                10044207859538723173,
                14392094390956876830,
                13571847433137353556,
                1000975859346717770,
            ]
        "#]]
        .assert_debug_eq(&draws);
    }
}
