//! The outcome of a run: what the audit counted, and what repeats the run.

use crate::chance::seed::Seed;
use crate::simulation::Ended;
use crate::simulation::scenario::Scenario;
use serde::{Deserialize, Serialize};

/// What one run amounts to. Spans are in seconds; what was never measured is absent.
///
/// ```
/// use fencing::prelude::*;
///
/// let outcome = run(&Scenario::baseline(), Seed(1))?;
/// println!("{outcome}");
/// assert_eq!(run(&outcome.scenario, outcome.seed)?, outcome);
/// # Ok::<(), ScenarioError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Grants of the lock.
    pub grants: u64,
    /// Leases that ended because their time was up.
    pub expiries: u64,
    /// Extensions of a lease that the lock service granted.
    pub renewals: u64,
    /// Turns that ended without a write, since the client learnt that its lease was over.
    pub gave_up: u64,
    /// Writes that the store accepted.
    pub accepted_writes: u64,
    /// Writes that the store refused.
    pub refused_writes: u64,
    /// Reads that the store refused.
    pub refused_reads: u64,
    /// Accepted writes of a grant older than one that the store had already served.
    pub zombie_writes: u64,
    /// Accepted writes that replaced a value their client had not read.
    pub lost_updates: u64,
    /// Refusals of a write that the store had accepted before, as the last of its client: it was
    /// sent again, or copied on the way. Absent in files from before this was counted.
    #[serde(default)]
    pub false_conflicts: u64,
    /// Grants made while another client still believed that it held the lock.
    pub overlaps: u64,
    /// Time with two believers or more.
    pub overlap_s: f64,
    /// Crashes of clients.
    pub crashes: u64,
    /// From a holder's death to the next grant, on average.
    pub recovery_mean_s: Option<f64>,
    /// The longest such time.
    pub recovery_max_s: Option<f64>,
    /// From asking for the lock to handling the grant, on average.
    pub wait_mean_s: Option<f64>,
    /// Nine hundred and ninety waits of a thousand are no longer than this, to three digits.
    pub wait_p99_s: Option<f64>,
    /// Share of the time during which the lock was held, from 0 to 1.
    pub held_share: f64,
    /// When the run ended.
    pub end_s: f64,
    /// Why the run ended.
    pub ended: Ended,
    /// The seed that was run.
    pub seed: Seed,
    /// The scenario that was run.
    pub scenario: Scenario,
}

impl Outcome {
    /// Zombie writes a grant.
    #[must_use]
    pub fn zombie_rate(&self) -> f64 {
        per_grant(self.zombie_writes, self.grants)
    }

    /// Lost updates a grant.
    #[must_use]
    pub fn lost_update_rate(&self) -> f64 {
        per_grant(self.lost_updates, self.grants)
    }

    /// Accepted writes a simulated second.
    #[must_use]
    pub fn accepted_per_s(&self) -> f64 {
        if self.end_s > 0.0 { self.accepted_writes as f64 / self.end_s } else { 0.0 }
    }

    /// The outcome as JSON, with scenario and seed.
    ///
    /// # Errors
    /// Where a recording's file name is not text.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }
}

fn per_grant(count: u64, grants: u64) -> f64 {
    if grants == 0 { 0.0 } else { count as f64 / grants as f64 }
}
