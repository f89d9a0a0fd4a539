//! Which clocks are not right, and how leases are measured by them.

use super::{ScenarioError, at_most_a_life, client_number};
use crate::protocol::client::Measure;
use crate::time::clock::{Clock, Pace};
use crate::time::span;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Which clocks are not right, and how leases are measured by them. Work, latency, pauses, stalls
/// and `retry_after` take true time; leases, renewals, looks and the takeover delay go by these
/// clocks.
///
/// ```
/// use fencing::prelude::*;
///
/// // The clients' clocks are an hour ahead: spans are as long as ever.
/// let clients = ClockSetup { ahead: secs(3_600), ..ClockSetup::default() };
/// let clocks = Clocks { clients, ..Clocks::default() };
/// let scenario = Scenario { clocks, look: Look::OwnClock, ..Scenario::baseline() };
/// let right = Scenario { look: Look::OwnClock, ..Scenario::baseline() };
/// assert_eq!(run(&scenario, Seed(1))?.gave_up, run(&right, Seed(1))?.gave_up);
/// # Ok::<(), ScenarioError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clocks {
    /// How a lease is measured.
    pub measure: Measure,
    /// The clock of the lock service.
    pub lock: ClockSetup,
    /// The clock of every client.
    pub clients: ClockSetup,
    /// True if the clocks of clients stand still in a pause, as a clock does that does not count
    /// the time while its machine is suspended.
    pub stand_still_in_pauses: bool,
    /// When a clock is set to another time. Only leases that are measured by the time of day take
    /// notice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<ClockStep>,
}

/// A clock at the start of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClockSetup {
    /// How far it is ahead of true time. To have one clock behind, have the others ahead.
    #[serde(with = "span")]
    pub ahead: Duration,
    /// So many seconds of its own in one true second, from 0.01 to 100.
    pub rate: f64,
}

impl Default for ClockSetup {
    fn default() -> ClockSetup {
        ClockSetup { ahead: Duration::ZERO, rate: 1.0 }
    }
}

/// A clock is set to another time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockStep {
    /// That of this client, counted from 0. Absent: that of the lock service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<u32>,
    /// When, from the start of the run.
    #[serde(with = "span")]
    pub at: Duration,
    /// By how much.
    #[serde(with = "span")]
    pub by: Duration,
    /// Which way.
    #[serde(default)]
    pub way: Way,
}

/// Which way a clock is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// To a later time.
    #[default]
    Forward,
    /// To an earlier time.
    Back,
}

impl ClockStep {
    /// The clock of the lock service is set forward.
    #[must_use]
    pub fn of_lock(at: Duration, by: Duration) -> ClockStep {
        ClockStep { client: None, at, by, way: Way::Forward }
    }

    /// The clock of a client, counted from 0, is set forward.
    #[must_use]
    pub fn of_client(client: u32, at: Duration, by: Duration) -> ClockStep {
        ClockStep { client: Some(client), ..ClockStep::of_lock(at, by) }
    }

    /// The same step the other way.
    #[must_use]
    pub fn back(self) -> ClockStep {
        ClockStep { way: Way::Back, ..self }
    }
}

/// What a run needs of it.
#[derive(Debug)]
pub(crate) struct ClockRules {
    pub(crate) measure: Measure,
    pub(crate) lock: Clock,
    pub(crate) clients: Clock,
    pub(crate) stand_still_in_pauses: bool,
}

impl Clocks {
    pub(super) fn check(&self) -> Result<ClockRules, ScenarioError> {
        Ok(ClockRules {
            measure: self.measure,
            lock: self.clock("clocks.lock", self.lock)?,
            clients: self.clock("clocks.clients", self.clients)?,
            stand_still_in_pauses: self.stand_still_in_pauses,
        })
    }

    /// A span is the same on a clock that is ahead.
    fn clock(&self, field: &str, setup: ClockSetup) -> Result<Clock, ScenarioError> {
        let pace = pace(&format!("{field}.rate"), setup.rate)?;
        at_most_a_life(&format!("{field}.ahead"), setup.ahead)?;
        let ahead = match self.measure {
            Measure::Spans => Duration::ZERO,
            Measure::WallClock => setup.ahead,
        };
        Ok(Clock::new(ahead, pace))
    }

    /// The steps that leases take notice of.
    pub(super) fn steps(&self, clients: u32) -> Result<&[ClockStep], ScenarioError> {
        for (line, step) in self.steps.iter().enumerate() {
            let field = format!("clocks.steps[{line}]");
            step.client.map(|number| client_number(&field, number, clients)).transpose()?;
            at_most_a_life(&format!("{field}.by"), step.by)?;
        }
        Ok(match self.measure {
            Measure::Spans => &[],
            Measure::WallClock => &self.steps,
        })
    }
}

pub(super) fn pace(field: &str, rate: f64) -> Result<Pace, ScenarioError> {
    let error = || ScenarioError::field(field, rate, "be a number from 0.01 to 100");
    Pace::new(rate).ok_or_else(error)
}
