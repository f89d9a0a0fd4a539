//! When a client is paused, and when it crashes.
//!
//! A pause stops the whole process and later lets it go on where it stopped. It is not a crash (all
//! is lost) and not a delay (one message is late).

use super::delay::Delay;
use crate::time::span;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Where pauses come from: any of three sources, or none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pauses {
    /// Now and then one in a critical section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critical_section: Option<CriticalSectionPause>,
    /// At any time, whatever the client is doing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub poisson: Option<PoissonPause>,
    /// At given times, for stories.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub script: Vec<ScriptedPause>,
}

impl Pauses {
    /// No pause, ever.
    #[must_use]
    pub fn none() -> Pauses {
        Pauses::default()
    }

    /// With this probability, one pause in a critical section.
    #[must_use]
    pub fn critical_section(probability: f64, length: Delay) -> Pauses {
        let pause = CriticalSectionPause { probability, length };
        Pauses { critical_section: Some(pause), ..Pauses::default() }
    }

    /// At any time, on average once in `every` of each client's time.
    #[must_use]
    pub fn poisson(every: Duration, length: Delay) -> Pauses {
        Pauses { poisson: Some(PoissonPause { every, length }), ..Pauses::default() }
    }

    /// At given times.
    #[must_use]
    pub fn script(script: impl IntoIterator<Item = ScriptedPause>) -> Pauses {
        Pauses { script: script.into_iter().collect(), ..Pauses::default() }
    }
}

/// With a probability, one pause in a critical section, at a uniform point of its work and commit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CriticalSectionPause {
    /// From 0 to 1, for each critical section.
    pub probability: f64,
    /// How long.
    pub length: Delay,
}

/// Pauses of each client as a Poisson process: at any time, on average once in `every`. One that
/// begins during another goes on to the later of the two ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoissonPause {
    /// Mean time from the start of one to the start of the next, above zero.
    #[serde(with = "span")]
    pub every: Duration,
    /// How long.
    pub length: Delay,
}

/// One pause at a given time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedPause {
    /// Which client, counted from 0.
    pub client: u32,
    /// When, from the start of the run.
    #[serde(with = "span")]
    pub at: Duration,
    /// How long.
    #[serde(with = "span")]
    pub length: Duration,
}

impl ScriptedPause {
    /// Client `client` (counted from 0) stops `at` after the start, for `length`.
    #[must_use]
    pub fn new(client: u32, at: Duration, length: Duration) -> ScriptedPause {
        ScriptedPause { client, at, length }
    }
}

/// When clients crash. A crashed client has lost all it knew; the lock service does not learn of
/// it, so what the client held stays held until it expires.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Crashes {
    /// Mean of the exponential time from a client's start to its crash, above zero. Absent: none
    /// but those of the script.
    #[serde(with = "span::optional", skip_serializing_if = "Option::is_none")]
    pub every: Option<Duration>,
    /// From a crash to the start of the new process. Absent: it stays down for good.
    #[serde(with = "span::optional", skip_serializing_if = "Option::is_none")]
    pub restart_after: Option<Duration>,
    /// At given times, for stories.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub script: Vec<ScriptedCrash>,
}

/// One crash at a given time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedCrash {
    /// Which client, counted from 0.
    pub client: u32,
    /// When, from the start of the run.
    #[serde(with = "span")]
    pub at: Duration,
}

impl Crashes {
    /// No crash, ever.
    #[must_use]
    pub fn none() -> Crashes {
        Crashes::default()
    }

    /// Each client crashes on average `every` after its start, and starts again `restart_after`
    /// later.
    #[must_use]
    pub fn with_restart(every: Duration, restart_after: Duration) -> Crashes {
        Crashes { every: Some(every), restart_after: Some(restart_after), script: Vec::new() }
    }

    /// At given times, and for good.
    #[must_use]
    pub fn script(script: impl IntoIterator<Item = ScriptedCrash>) -> Crashes {
        Crashes { script: script.into_iter().collect(), ..Crashes::default() }
    }
}

impl ScriptedCrash {
    /// Client `client` (counted from 0) crashes `at` after the start.
    #[must_use]
    pub fn new(client: u32, at: Duration) -> ScriptedCrash {
        ScriptedCrash { client, at }
    }
}
