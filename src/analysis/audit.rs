//! The audit: counts what happens, and judges writes.
//!
//! It watches from outside and takes constant memory. The protocol counts nothing, and no one in it
//! knows what the audit knows.

use super::outcome::Outcome;
use crate::chance::seed::Seed;
use crate::protocol::client::Ending;
use crate::protocol::lease::{ClientId, Token};
use crate::protocol::message::Body;
use crate::protocol::store::Write;
use crate::simulation::Ended;
use crate::simulation::scenario::Scenario;
use crate::simulation::trace::{Happening, Observer};
use crate::time::Time;
use hdrhistogram::Histogram;
use std::time::Duration;

/// Judges accepted writes by the order of what the store served, and by that alone: no clock, and
/// not what the store says of itself. Which of two grants is the newer one it knows from their
/// numbers, which are those of the tokens as long as tokens increase. Without a lock turns have
/// numbers too, but none is newer than another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WriteJudge {
    /// The newest grant under which a read or write was served.
    newest_served: u64,
    /// How many writes were accepted.
    version: u64,
    clients: Vec<Known>,
}

/// What a judge knows of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Known {
    /// The grant, or the turn, and the version of its last read that was served.
    read: (u64, u64),
    /// Token and read version of its last write that was accepted.
    accepted: Option<(Token, u64)>,
}

/// What a [`WriteJudge`] says of an accepted write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The store had already served a read or a write of a newer grant.
    pub is_zombie: bool,
    /// It replaces a value that its client had not read.
    pub is_lost_update: bool,
}

impl WriteJudge {
    /// A judge of a store that has served nothing yet.
    #[must_use]
    pub fn new(clients: u32) -> WriteJudge {
        let clients = vec![Known::default(); clients as usize];
        WriteJudge { newest_served: 0, version: 0, clients }
    }

    /// Takes note of what happens, and judges it if it is an accepted write.
    #[inline(always)]
    pub fn judge(&mut self, happening: &Happening) -> Option<Judgement> {
        match *happening {
            Happening::ReadServed { client, token, grant, .. } => {
                self.newest_served = self.newest_served.max(place(token, grant));
                self.clients[client.index()].read = (grant, self.version);
                None
            }
            Happening::WriteAccepted { client, grant, write } => {
                let known = &mut self.clients[client.index()];
                // A late write may arrive after the first read of its client's next turn: then only
                // the write itself can say what it had read.
                let (read_under, version) = known.read;
                let has_read = if read_under == grant { version } else { write.read_version };
                known.accepted = Some((write.token, write.read_version));
                let place = place(write.token, grant);
                let judgement = Judgement {
                    is_zombie: place < self.newest_served,
                    is_lost_update: has_read != self.version,
                };
                self.newest_served = self.newest_served.max(place);
                self.version += 1;
                Some(judgement)
            }
            _ => None,
        }
    }

    /// The number of the newest grant under which a read or write was served, 0 for none.
    #[must_use]
    pub fn newest_served(&self) -> u64 {
        self.newest_served
    }

    /// A client's turn is over: what it has read and written does not matter any more.
    pub fn forget(&mut self, client: ClientId) {
        self.clients[client.index()] = Known::default();
    }

    /// True if the store refuses the write that it has accepted last from this client: sent again,
    /// or copied on the way. Success now looks like a conflict.
    #[must_use]
    pub fn is_false_conflict(&self, client: ClientId, refused: &Write) -> bool {
        let refused = (refused.token, refused.read_version);
        self.clients[client.index()].accepted == Some(refused)
    }
}

/// The place of a grant among all, 0 for a turn without a lock.
#[inline(always)]
fn place(token: Token, grant: u64) -> u64 {
    if token == Token::NONE { 0 } else { grant }
}

/// Counts a run as it goes.
#[derive(Clone, Debug)]
pub struct Audit {
    judge: WriteJudge,
    counts: Counts,
    believers: Believers,
    recovery: Recovery,
    wait: Wait,
    held: Stopwatch,
    end: Time,
}

/// What is simply counted.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    grants: u64,
    expiries: u64,
    renewals: u64,
    gave_up: u64,
    accepted_writes: u64,
    refused_writes: u64,
    refused_reads: u64,
    zombie_writes: u64,
    lost_updates: u64,
    false_conflicts: u64,
    crashes: u64,
}

impl Audit {
    /// An audit of a run that is to come, with this many clients.
    #[must_use]
    pub fn new(clients: u32) -> Audit {
        Audit {
            judge: WriteJudge::new(clients),
            counts: Counts::default(),
            believers: Believers::new(clients),
            recovery: Recovery::default(),
            wait: Wait::new(clients),
            held: Stopwatch::default(),
            end: Time::START,
        }
    }

    /// What it has counted, with what repeats the run.
    #[must_use]
    pub fn outcome(&self, scenario: &Scenario, seed: Seed, ended: Ended) -> Outcome {
        let counts = self.counts;
        Outcome {
            grants: counts.grants,
            expiries: counts.expiries,
            renewals: counts.renewals,
            gave_up: counts.gave_up,
            accepted_writes: counts.accepted_writes,
            refused_writes: counts.refused_writes,
            refused_reads: counts.refused_reads,
            zombie_writes: counts.zombie_writes,
            lost_updates: counts.lost_updates,
            false_conflicts: counts.false_conflicts,
            overlaps: self.believers.overlaps,
            overlap_s: self.believers.overlap.total_s(),
            crashes: counts.crashes,
            recovery_mean_s: self.recovery.mean_s(),
            recovery_max_s: self.recovery.max.map(|longest| longest.as_secs_f64()),
            wait_mean_s: self.wait.mean_s(),
            wait_p99_s: self.wait.p99_s(),
            held_share: share(&self.held, self.end),
            end_s: self.end.as_secs_f64(),
            ended,
            scenario: scenario.clone(),
            seed,
        }
    }
}

impl Observer for Audit {
    // At each place in the world that tells something it is known what; inlined there, all but one
    // arm of the match goes away.
    #[inline(always)]
    fn observe(&mut self, at: Time, happening: &Happening) {
        let counts = &mut self.counts;
        match *happening {
            Happening::Sent { message, .. } => {
                if matches!(message.body, Body::Ask) {
                    self.wait.asks(message.client, at);
                }
            }
            Happening::Granted { lease } => {
                counts.grants += 1;
                self.believers.grant(lease.holder);
                self.recovery.grant(lease.holder, at);
                self.held.start(at);
            }
            Happening::Released { .. } => self.held.stop(at),
            Happening::Expired { .. } => {
                counts.expiries += 1;
                self.held.stop(at);
            }
            Happening::Renewed { .. } => counts.renewals += 1,
            Happening::Believes { client, .. } => {
                self.wait.is_granted(client, at);
                self.believers.begins(client, at);
            }
            Happening::StopsBelieving { client, ending, .. } => {
                counts.gave_up += u64::from(ending == Ending::GaveUp);
                self.believers.ends(client, at);
            }
            Happening::Crashed { client, .. } => {
                counts.crashes += 1;
                self.believers.ends(client, at);
                self.recovery.crash(client, at, self.held.is_running());
            }
            Happening::ReadServed { .. } => {
                self.judge.judge(happening);
            }
            Happening::ReadRefused { .. } => counts.refused_reads += 1,
            Happening::WriteAccepted { .. } => {
                counts.accepted_writes += 1;
                let judgement = self.judge.judge(happening).unwrap_or_default();
                counts.zombie_writes += u64::from(judgement.is_zombie);
                counts.lost_updates += u64::from(judgement.is_lost_update);
            }
            Happening::WriteRefused { client, write, .. } => {
                counts.refused_writes += 1;
                counts.false_conflicts += u64::from(self.judge.is_false_conflict(client, &write));
            }
            // The lock service takes the lock for free.
            Happening::LockFailsOver { .. } => self.held.stop(at),
            Happening::Copied { .. }
            | Happening::Lost { .. }
            | Happening::CutOff { .. }
            | Happening::LockStalls { .. }
            | Happening::LockGoesOn
            | Happening::LockForgetsNumbers
            | Happening::ClockIsSet { .. }
            | Happening::InstanceIsAway { .. }
            | Happening::InstanceClockIsSet { .. }
            | Happening::StoreForgets
            | Happening::StoreRestarts
            | Happening::WriteChecked { .. }
            | Happening::WriteRepeated { .. }
            | Happening::Works { .. }
            | Happening::Commits { .. }
            | Happening::Paused { .. }
            | Happening::Resumed { .. }
            | Happening::Restarted { .. } => {}
        }
    }

    fn end(&mut self, at: Time) {
        self.end = at;
        self.held.stop(at);
        self.believers.overlap.stop(at);
    }
}

/// Adds up the time during which something is so.
#[derive(Clone, Copy, Debug, Default)]
struct Stopwatch {
    total_ns: u64,
    since: Option<Time>,
}

impl Stopwatch {
    fn start(&mut self, at: Time) {
        self.since.get_or_insert(at);
    }

    fn stop(&mut self, at: Time) {
        if let Some(since) = self.since.take() {
            self.total_ns += at.as_nanos() - since.as_nanos();
        }
    }

    fn total_s(&self) -> f64 {
        self.total_ns as f64 / 1e9
    }

    fn is_running(&self) -> bool {
        self.since.is_some()
    }
}

/// Who believes to hold the lock, and for how long there are two or more of them.
#[derive(Clone, Debug)]
struct Believers {
    believes: Vec<bool>,
    count: usize,
    overlaps: u64,
    overlap: Stopwatch,
}

impl Believers {
    fn new(clients: u32) -> Believers {
        let believes = vec![false; clients as usize];
        Believers { believes, count: 0, overlaps: 0, overlap: Stopwatch::default() }
    }

    /// A grant overlaps where somebody else believes. The new holder itself does not believe now:
    /// it waits.
    fn grant(&mut self, holder: ClientId) {
        let others = self.count - usize::from(self.believes[holder.index()]);
        self.overlaps += u64::from(others > 0);
    }

    fn begins(&mut self, client: ClientId, at: Time) {
        self.believes[client.index()] = true;
        self.count += 1;
        if self.count == 2 {
            self.overlap.start(at);
        }
    }

    fn ends(&mut self, client: ClientId, at: Time) {
        if std::mem::take(&mut self.believes[client.index()]) {
            self.count -= 1;
            if self.count == 1 {
                self.overlap.stop(at);
            }
        }
    }
}

/// Time from the death of the client that the lock service takes for the holder to the next grant.
#[derive(Clone, Copy, Debug, Default)]
struct Recovery {
    holder: Option<ClientId>,
    died: Option<Time>,
    count: u64,
    total: Duration,
    max: Option<Duration>,
}

impl Recovery {
    fn crash(&mut self, client: ClientId, at: Time, is_held: bool) {
        if is_held && self.holder == Some(client) {
            self.died.get_or_insert(at);
        }
    }

    fn grant(&mut self, holder: ClientId, at: Time) {
        self.holder = Some(holder);
        if let Some(died) = self.died.take() {
            self.count += 1;
            self.total += at - died;
            self.max = self.max.max(Some(at - died));
        }
    }

    fn mean_s(&self) -> Option<f64> {
        (self.count > 0).then(|| self.total.as_secs_f64() / self.count as f64)
    }
}

/// Time from asking for the lock to handling the grant. Who goes ahead without a lock waits for
/// none.
#[derive(Clone, Debug)]
struct Wait {
    asked: Vec<Option<Time>>,
    count: u64,
    /// 128 bits, since a long run has many waits.
    total_ns: u128,
    /// In microseconds, to three digits.
    spread: Histogram<u64>,
}

impl Wait {
    fn new(clients: u32) -> Wait {
        let asked = vec![None; clients as usize];
        let spread = Histogram::new(3).expect("three digits are among the five that it knows");
        Wait { asked, count: 0, total_ns: 0, spread }
    }

    fn asks(&mut self, client: ClientId, at: Time) {
        self.asked[client.index()] = Some(at);
    }

    fn is_granted(&mut self, client: ClientId, at: Time) {
        let Some(asked) = self.asked[client.index()].take() else { return };
        let wait = at.as_nanos() - asked.as_nanos();
        self.count += 1;
        self.total_ns += u128::from(wait);
        self.spread.record(wait / 1_000).expect("the histogram grows to any number of 64 bits");
    }

    fn mean_s(&self) -> Option<f64> {
        (self.count > 0).then(|| self.total_ns as f64 / 1e9 / self.count as f64)
    }

    fn p99_s(&self) -> Option<f64> {
        let middle = |micros| self.spread.median_equivalent(micros) as f64 / 1e6;
        (self.count > 0).then(|| middle(self.spread.value_at_quantile(0.99)))
    }
}

fn share(part: &Stopwatch, end: Time) -> f64 {
    if end == Time::START { 0.0 } else { part.total_s() / end.as_secs_f64() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::store::Record;

    fn read(client: u32, token: u64) -> Happening {
        let (client, grant) = (ClientId(client), token);
        let (token, record) = (Token(token), Record::default());
        Happening::ReadServed { client, token, grant, record }
    }

    fn write(client: u32, token: u64) -> Happening {
        let write = Write { token: Token(token), read_version: 0, read_value: 0, value: 0 };
        Happening::WriteAccepted { client: ClientId(client), grant: token, write }
    }

    /// Judges the happenings one after the other and keeps what is said of the writes, as
    /// (zombie, lost update).
    fn judge(happenings: &[Happening]) -> Vec<(bool, bool)> {
        let mut judge = WriteJudge::new(2);
        let judgements = happenings.iter().filter_map(|happening| judge.judge(happening));
        judgements.map(|said| (said.is_zombie, said.is_lost_update)).collect()
    }

    #[test]
    fn a_write_after_a_newer_read_is_a_zombie_and_loses_nothing_yet() {
        let story = [read(0, 33), read(1, 34), write(0, 33), write(1, 34)];
        // B then replaces what A wrote without having read it.
        assert_eq!(judge(&story), [(true, false), (false, true)]);
    }

    #[test]
    fn a_write_after_a_newer_write_is_both() {
        let story = [read(0, 33), read(1, 34), write(1, 34), write(0, 33)];
        assert_eq!(judge(&story), [(false, false), (true, true)]);
    }

    #[test]
    fn a_second_write_of_the_same_holder_replaces_a_value_it_has_not_read() {
        assert_eq!(judge(&[read(0, 1), write(0, 1), write(0, 1)]), [(false, false), (false, true)]);
    }

    #[test]
    fn without_a_lock_there_are_no_zombies_and_a_late_copy_is_known_by_its_turn() {
        let without_lock = |happening| match happening {
            Happening::ReadServed { client, grant, record, .. } => {
                Happening::ReadServed { client, token: Token::NONE, grant, record }
            }
            Happening::WriteAccepted { client, grant, write } => {
                let write = Write { token: Token::NONE, ..write };
                Happening::WriteAccepted { client, grant, write }
            }
            other => other,
        };
        let story = [read(0, 1), write(0, 1), read(0, 2), write(0, 1)].map(without_lock);
        assert_eq!(judge(&story), [(false, false), (false, true)]);
    }
}
