//! What can happen to messages on their way, beside the latency that they all have.

use super::moments::Spells;
use super::{ScenarioError, not_zero, probability, sampler};
use crate::chance::delay::{Delay, Sampler};
use crate::time::{secs, span};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What can happen to messages on their way, beside the latency that they all have.
///
/// ```
/// use fencing::prelude::*;
///
/// // No pause at all: now and then a write is late.
/// let late_writes = Mishap { probability: 0.01, delay: Delay::constant(secs(30)) };
/// let network = Network { late_writes, ..Network::default() };
/// let scenario = Scenario { network, pauses: Pauses::none(), ..Scenario::baseline() };
/// assert!(run(&scenario, Seed(1))?.zombie_writes > 0);
/// # Ok::<(), ScenarioError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Network {
    /// A write arrives so much later than its latency.
    pub late_writes: Mishap,
    /// A write arrives twice, the second time so much later than the first.
    pub duplicate_writes: Mishap,
    /// How often the answer to a write is lost, from 0 to 1.
    pub lost_answers: f64,
    /// How long a client waits for the answer to its write before it sends the write again, above
    /// zero, in true time. It does so where the answer is only late, too. Where `lost_answers` is 0
    /// it never sends again.
    #[serde(with = "span")]
    pub retry_after: Duration,
    /// When what a client sends to the lock service does not arrive. All else does: the client
    /// hears the lock service, and reaches the store. Renewals and releases sent meanwhile are
    /// lost. An ask or a look is sent until it arrives, one latency after the end. By chance, each
    /// client has partitions of its own.
    #[serde(skip_serializing_if = "Spells::is_never")]
    pub partitions: Spells,
}

/// Something that happens to a message now and then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mishap {
    /// How often, from 0 to 1.
    pub probability: f64,
    /// How much later.
    pub delay: Delay,
}

impl Mishap {
    /// Never.
    #[must_use]
    pub fn never() -> Mishap {
        Mishap { probability: 0.0, delay: Delay::ZERO }
    }

    fn check(&self, field: &str) -> Result<Option<(f64, Sampler)>, ScenarioError> {
        probability(&format!("{field}.probability"), self.probability)?;
        let delay = sampler(&format!("{field}.delay"), &self.delay)?;
        Ok((self.probability > 0.0).then_some((self.probability, delay)))
    }
}

impl Default for Mishap {
    fn default() -> Mishap {
        Mishap::never()
    }
}

impl Default for Network {
    fn default() -> Network {
        Network {
            late_writes: Mishap::never(),
            duplicate_writes: Mishap::never(),
            lost_answers: 0.0,
            retry_after: secs(1),
            partitions: Spells::never(),
        }
    }
}

/// What a run needs of it.
#[derive(Debug)]
pub(crate) struct NetworkRules {
    /// True if anything at all can happen to a write or its answer.
    pub(crate) is_eventful: bool,
    pub(crate) late_writes: Option<(f64, Sampler)>,
    pub(crate) duplicate_writes: Option<(f64, Sampler)>,
    pub(crate) lost_answers: f64,
    pub(crate) retry_after: Duration,
    pub(crate) partitions: Option<(Duration, Sampler)>,
}

impl Network {
    pub(super) fn check(&self) -> Result<NetworkRules, ScenarioError> {
        probability("network.lost_answers", self.lost_answers)?;
        not_zero("network.retry_after", Some(self.retry_after))?;
        let late_writes = self.late_writes.check("network.late_writes")?;
        let duplicate_writes = self.duplicate_writes.check("network.duplicate_writes")?;
        let is_eventful =
            late_writes.is_some() || duplicate_writes.is_some() || self.lost_answers > 0.0;
        Ok(NetworkRules {
            is_eventful,
            late_writes,
            duplicate_writes,
            lost_answers: self.lost_answers,
            retry_after: self.retry_after,
            partitions: self.partitions.check("network.partitions")?,
        })
    }
}
