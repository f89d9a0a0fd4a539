//! Finding the incident in a run: which writes were zombie writes, and what led to them.

use crate::analysis::audit::{Judgement, WriteJudge};
use crate::protocol::lease::{ClientId, Token};
use crate::simulation::trace::{Entry, Happening, Trace};
use crate::time::Time;
use std::fmt;
use std::time::Duration;

/// An entry of a trace with what only the whole run before it can tell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    pub(super) at: Time,
    pub(super) happening: Happening,
    /// For an accepted write.
    pub(super) judgement: Judgement,
    /// The token of the newest grant that the store had served before.
    pub(super) highest_served: Token,
}

/// Goes through a trace and judges its writes.
pub(super) fn judged(trace: &Trace) -> impl Iterator<Item = Judged> {
    let mut judge = WriteJudge::new(trace.scenario.clients);
    let mut newest = (0, Token::NONE);
    trace.entries.iter().map(move |&Entry { at, happening }| {
        let judgement = judge.judge(&happening).unwrap_or_default();
        let highest_served = newest.1;
        match happening {
            Happening::ReadServed { grant, token, .. } if newest.0 < grant => {
                newest = (grant, token);
            }
            Happening::WriteAccepted { grant, write, .. } if newest.0 < grant => {
                newest = (grant, write.token);
            }
            _ => {}
        }
        Judged { at, happening, judgement, highest_served }
    })
}

/// A zombie write of a run, and how it came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZombieWrite {
    /// When the store accepted it.
    pub at: Time,
    /// Who wrote.
    pub client: ClientId,
    /// With which token.
    pub token: Token,
    /// When that token was granted.
    pub granted: Time,
    /// The highest token that the store had already served.
    pub served: Token,
}

impl ZombieWrite {
    /// From the grant to the write.
    #[must_use]
    pub fn took(&self) -> Duration {
        self.at - self.granted
    }

    /// From shortly before the grant to shortly after the write: the part of the run that tells the
    /// incident.
    #[must_use]
    pub fn window(&self) -> (Time, Time) {
        let margin = self.took() / 16;
        (Time::START + (self.granted - Time::START).saturating_sub(margin), self.at + margin)
    }
}

/// One sentence.
impl fmt::Display for ZombieWrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ZombieWrite { at, client, token, granted, served } = self;
        write!(
            f,
            "at {at} the store accepts {client}'s write with token {token}, granted at {granted}, \
             although it has already served token {served}"
        )
    }
}

impl Trace {
    /// The zombie writes of this run, in order.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// let zombies = trace(&Scenario::incident(), Seed(1))?.zombie_writes();
    /// assert_eq!(zombies.len(), 1);
    /// assert_eq!(zombies[0].token, Token(33));
    /// assert_eq!(zombies[0].at, Time::START + millis(15_500));
    /// # Ok::<(), ScenarioError>(())
    /// ```
    #[must_use]
    pub fn zombie_writes(&self) -> Vec<ZombieWrite> {
        let mut grants = Vec::new();
        let mut zombies = Vec::new();
        for Judged { at, happening, judgement, highest_served: served } in judged(self) {
            match happening {
                Happening::Granted { lease } => grants.push((lease.token, at)),
                Happening::WriteAccepted { client, write, .. } if judgement.is_zombie => {
                    let granted = grants.iter().rev().find(|(token, _)| *token == write.token);
                    let granted = granted.map_or(Time::START, |(_, at)| *at);
                    zombies.push(ZombieWrite { at, client, token: write.token, granted, served });
                }
                _ => {}
            }
        }
        zombies
    }

    /// The first zombie write of this run, if there is one.
    #[must_use]
    pub fn first_zombie_write(&self) -> Option<ZombieWrite> {
        self.zombie_writes().first().copied()
    }
}
