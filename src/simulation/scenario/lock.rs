//! What kind of lock service there is, and what can go wrong in it.

use super::clocks::pace;
use super::moments::{Moments, Spells};
use super::{ScenarioError, at_most_a_life, between};
use crate::chance::delay::Sampler;
use crate::protocol::lock::numbering::TokenKind;
use crate::time::clock::Clock;
use crate::time::span;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What kind of lock service there is, and what can go wrong in it.
///
/// ```
/// use fencing::prelude::*;
///
/// // A store can check random values as often as it likes: they do not say which grant is newer.
/// let lock = LockSetup { tokens: TokenKind::Random, ..LockSetup::default() };
/// let token_check = TokenCheck::OnEveryRequest;
/// let outcome = run(&Scenario { lock, token_check, ..Scenario::baseline() }, Seed(1))?;
/// assert!(outcome.refused_reads > outcome.accepted_writes);
/// # Ok::<(), ScenarioError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LockSetup {
    /// What hands out the lock.
    pub kind: LockKind,
    /// What the number on a grant is.
    pub tokens: TokenKind,
    /// How long nobody is granted the lock after a lease has expired (Chubby's and Consul's
    /// lock-delay), by the service's clock. After a release it is granted at once.
    #[serde(with = "span")]
    pub takeover_delay: Duration,
    /// When the service stands still: it hears nothing and ends no lease. Afterwards it first looks
    /// at its clock, and then hears what has waited. A stall takes true time.
    #[serde(skip_serializing_if = "Spells::is_never")]
    pub stalls: Spells,
    /// When another server takes the service's place that has not heard of the last grant: it knows
    /// neither the lease nor its number. Where nobody holds the lock, nothing is forgotten.
    #[serde(skip_serializing_if = "Moments::is_never")]
    pub fails_over: Moments,
    /// When the counter of tokens is lost and starts again. The leases are still known.
    #[serde(skip_serializing_if = "Moments::is_never")]
    pub forgets_numbers: Moments,
}

/// What hands out the lock.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum LockKind {
    /// One lock service.
    #[default]
    Service,
    /// Nothing: clients go ahead without a lock. Their token is 0, and no run ends at a number of
    /// grants. A client believes from its read to the end of its turn, and has no wait.
    None,
    /// Several independent instances, of which a majority has to grant the lock (Redlock). A
    /// renewal extends the lease at every instance in reach that holds it, and is answered "lost"
    /// if those are fewer than a majority.
    Majority(MajoritySetup),
}

/// Several independent instances with a clock each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MajoritySetup {
    /// How many, 1 to [`MOST_INSTANCES`].
    pub instances: u32,
    /// How fast the clock of each goes, as [`ClockSetup::rate`](super::clocks::ClockSetup::rate).
    /// Empty: as fast as time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<f64>,
    /// When an instance is out of reach; where not in the script, any of them.
    #[serde(skip_serializing_if = "Spells::is_never")]
    pub outages: Spells,
    /// When the clock of an instance is set forward, and by how much: the `length`. A step takes no
    /// time: by chance, the next is counted from it.
    #[serde(skip_serializing_if = "Spells::is_never")]
    pub steps: Spells,
}

/// The most instances that a majority may be of.
pub const MOST_INSTANCES: u32 = 99;

impl Default for MajoritySetup {
    fn default() -> MajoritySetup {
        MajoritySetup {
            instances: 5,
            rates: Vec::new(),
            outages: Spells::never(),
            steps: Spells::never(),
        }
    }
}

impl MajoritySetup {
    fn check(&self) -> Result<MajorityRules, ScenarioError> {
        between("lock.kind.majority.instances", self.instances, 1..=MOST_INSTANCES.into())?;
        let given = self.rates.len() as u64;
        if !self.rates.is_empty() && given != u64::from(self.instances) {
            let allowed = format!("be one for each of the {} instances, or none", self.instances);
            return Err(ScenarioError::field("lock.kind.majority.rates", given, &allowed));
        }
        let paced = |(number, rate): (usize, &f64)| {
            let pace = pace(&format!("lock.kind.majority.rates[{number}]"), *rate)?;
            Ok(Clock::new(Duration::ZERO, pace))
        };
        let mut clocks =
            self.rates.iter().enumerate().map(paced).collect::<Result<Vec<_>, ScenarioError>>()?;
        clocks.resize(self.instances as usize, Clock::TRUE);
        Ok(MajorityRules {
            clocks,
            outages: self.outages.check("lock.kind.majority.outages")?,
            steps: self.steps.check("lock.kind.majority.steps")?,
        })
    }
}

/// What a run needs of a majority.
#[derive(Debug)]
pub(crate) struct MajorityRules {
    pub(crate) clocks: Vec<Clock>,
    pub(crate) outages: Option<(Duration, Sampler)>,
    pub(crate) steps: Option<(Duration, Sampler)>,
}

/// What a run needs of it.
#[derive(Debug)]
pub(crate) struct LockRules {
    /// True if clients go ahead without a lock.
    pub(crate) is_absent: bool,
    /// Absent, where there is one lock service.
    pub(crate) majority: Option<MajorityRules>,
    pub(crate) tokens: TokenKind,
    pub(crate) takeover_delay: Duration,
    pub(crate) stalls: Option<(Duration, Sampler)>,
    pub(crate) fails_over_every: Option<Duration>,
    pub(crate) forgets_numbers_every: Option<Duration>,
}

impl LockSetup {
    pub(super) fn check(&self) -> Result<LockRules, ScenarioError> {
        if let TokenKind::Wrapping { highest } = self.tokens {
            between("lock.tokens.wrapping.highest", highest, 1..=1 << 62)?;
        }
        at_most_a_life("lock.takeover_delay", self.takeover_delay)?;
        let majority = match &self.kind {
            LockKind::Majority(majority) => {
                self.fits_a_majority()?;
                Some(majority.check()?)
            }
            LockKind::Service | LockKind::None => None,
        };
        self.fails_over.check("lock.fails_over")?;
        self.forgets_numbers.check("lock.forgets_numbers")?;
        Ok(LockRules {
            is_absent: self.kind == LockKind::None,
            majority,
            tokens: self.tokens,
            takeover_delay: self.takeover_delay,
            stalls: self.stalls.check("lock.stalls")?,
            fails_over_every: self.fails_over.every,
            forgets_numbers_every: self.forgets_numbers.every,
        })
    }

    /// What happens to one service does not happen to a majority of instances.
    fn fits_a_majority(&self) -> Result<(), ScenarioError> {
        let allowed = "be left out where the lock is a majority of instances";
        if !self.takeover_delay.is_zero() {
            let given = span::write(self.takeover_delay);
            return Err(ScenarioError::field("lock.takeover_delay", given, allowed));
        }
        if !self.fails_over.is_never() {
            return Err(ScenarioError::field("lock.fails_over", "set", allowed));
        }
        if !self.forgets_numbers.is_never() {
            return Err(ScenarioError::field("lock.forgets_numbers", "set", allowed));
        }
        Ok(())
    }
}
