//! The client: one turn from asking for the lock to the answer of its write.

use super::lease::{Lease, Token};
use super::store::{Record, Refused, Write};
use crate::time::Time;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A last look before the write: is the lease over?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// None.
    #[default]
    Never,
    /// At the client's own clock, against the lease's end as the client knows it.
    OwnClock,
    /// By asking the lock service whether the token is still current.
    AskService,
}

/// What a client does on hearing that its lease is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnLost {
    /// Nothing. A thread in the background has learnt it, and the worker is never told: so it is
    /// with most client libraries.
    #[default]
    Ignore,
    /// It gives up at once, if its write has not left yet.
    GiveUp,
}

/// How lock service and client measure a lease.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Each as a span on its own clock, whatever that shows: how far two clocks are apart does not
    /// matter.
    #[default]
    Spans,
    /// By the time of day: the lock service names the moment when the lease ends, and the client
    /// compares it with its own clock.
    WallClock,
}

/// What a client wants done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing: it waits, or what it heard is of no use any more.
    Nothing,
    /// Ask the lock service for the lock.
    Ask,
    /// Read the store under this token.
    Read(Token),
    /// Work for a while.
    Work,
    /// Ask the lock service whether this token is still current.
    AskIfCurrent(Token),
    /// Take the time from the look to the moment the write leaves.
    Commit,
    /// Write the store.
    Write(Write),
    /// Stop believing, release this token, think, and start over.
    StartOver(Token, Ending),
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The store has accepted the write.
    Wrote,
    /// The store has refused the read or the write.
    WasRefused,
    /// The client learnt in time that its lease was over, and has not written.
    GaveUp,
}

/// Where a client is in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Thinking,
    Waiting,
    Reading,
    Working,
    AskingIfCurrent,
    Committing,
    Writing,
}

/// A client of the lock.
///
/// From the grant to the end of its turn it believes that it holds the lock. Nothing in here can
/// know better: between two lines of this file the process may have stood still for a minute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Client {
    /// L, as client and lock service have agreed.
    lease: Duration,
    look: Look,
    on_lost: OnLost,
    measure: Measure,
    phase: Phase,
    /// The token of the grant it acts under, from the grant to the end of the turn.
    token: Token,
    /// When the lease ends, as far as the client knows.
    lease_ends: Time,
    /// What it has read.
    record: Record,
}

impl Client {
    /// A client that thinks.
    #[must_use]
    pub fn new(lease: Duration, look: Look, on_lost: OnLost) -> Client {
        Client {
            lease,
            look,
            on_lost,
            measure: Measure::Spans,
            phase: Phase::Thinking,
            token: Token::NONE,
            lease_ends: Time::START,
            record: Record::default(),
        }
    }

    /// The same client, which measures its lease in this way.
    #[must_use]
    pub fn with_measure(self, measure: Measure) -> Client {
        Client { measure, ..self }
    }

    /// The token under which the client acts as holder, while it does.
    #[must_use]
    pub fn believes(&self) -> Option<Token> {
        (!matches!(self.phase, Phase::Thinking | Phase::Waiting)).then_some(self.token)
    }

    /// It has thought, and now wants the lock.
    pub fn think_over(&mut self) -> Action {
        self.phase = Phase::Waiting;
        Action::Ask
    }

    /// It is granted the lock: from now on it believes. It may have waited long in the queue, and
    /// counts the lease from the receipt of the grant, which is later than the grant itself.
    pub fn granted(&mut self, lease: Lease, now: Time) -> Action {
        if self.phase != Phase::Waiting {
            return Action::Nothing;
        }
        self.phase = Phase::Reading;
        self.token = lease.token;
        self.lease_ends = match self.measure {
            Measure::Spans => now + self.lease,
            Measure::WallClock => lease.expires,
        };
        Action::Read(lease.token)
    }

    /// It goes ahead without a lock, if it is one that needs none.
    pub fn go_ahead(&mut self) -> Action {
        self.phase = Phase::Reading;
        self.token = Token::NONE;
        self.lease_ends = Time::NEVER;
        Action::Read(Token::NONE)
    }

    /// The store has answered its read.
    pub fn read_answered(&mut self, token: Token, answer: Result<Record, Refused>) -> Action {
        if !self.is_in(Phase::Reading, token) {
            return Action::Nothing;
        }
        match answer {
            Ok(record) => {
                self.record = record;
                self.phase = Phase::Working;
                Action::Work
            }
            Err(_) => self.end(Ending::WasRefused),
        }
    }

    /// It has worked, and takes the last look before the write, if the scenario says so.
    pub fn work_over(&mut self, now: Time) -> Action {
        match self.look {
            Look::Never => self.commit(),
            Look::OwnClock if now < self.lease_ends => self.commit(),
            Look::OwnClock => self.end(Ending::GaveUp),
            Look::AskService => {
                self.phase = Phase::AskingIfCurrent;
                Action::AskIfCurrent(self.token)
            }
        }
    }

    /// The lock service has answered whether the token is current, as of when it answered.
    pub fn told_if_current(&mut self, token: Token, current: bool) -> Action {
        if !self.is_in(Phase::AskingIfCurrent, token) {
            return Action::Nothing;
        }
        if current { self.commit() } else { self.end(Ending::GaveUp) }
    }

    /// The look is past, and now the write leaves.
    pub fn commit_over(&mut self) -> Action {
        self.phase = Phase::Writing;
        Action::Write(self.write())
    }

    /// It has waited for the answer to its write long enough, and sends the same write again.
    pub fn try_again(&mut self) -> Action {
        if self.phase == Phase::Writing { Action::Write(self.write()) } else { Action::Nothing }
    }

    /// The store has answered its write.
    pub fn write_answered(&mut self, token: Token, answer: Result<(), Refused>) -> Action {
        if !self.is_in(Phase::Writing, token) {
            return Action::Nothing;
        }
        self.end(if answer.is_ok() { Ending::Wrote } else { Ending::WasRefused })
    }

    /// The renewal that it sent at `asked` was granted. The lease is known to last L from the
    /// sending: the client cannot tell how long the answer was on its way.
    pub fn renewed(&mut self, lease: Lease, asked: Time) {
        if self.believes() == Some(lease.token) {
            let ends = match self.measure {
                Measure::Spans => asked + self.lease,
                Measure::WallClock => lease.expires,
            };
            self.lease_ends = self.lease_ends.max(ends);
        }
    }

    /// A renewal was answered "lost".
    pub fn lost(&mut self, token: Token) -> Action {
        let may_give_up = self.believes() == Some(token) && self.phase != Phase::Writing;
        match self.on_lost {
            OnLost::GiveUp if may_give_up => self.end(Ending::GaveUp),
            OnLost::GiveUp | OnLost::Ignore => Action::Nothing,
        }
    }

    fn write(&self) -> Write {
        Write {
            token: self.token,
            read_version: self.record.version,
            read_value: self.record.value,
            value: self.record.value + 1,
        }
    }

    fn commit(&mut self) -> Action {
        self.phase = Phase::Committing;
        Action::Commit
    }

    fn end(&mut self, ending: Ending) -> Action {
        self.phase = Phase::Thinking;
        Action::StartOver(self.token, ending)
    }

    /// An answer counts only if the client still waits for it: it may belong to a turn that ended.
    fn is_in(&self, phase: Phase, token: Token) -> bool {
        self.phase == phase && self.token == token
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::lease::ClientId;
    use crate::time::{Time, secs};

    const TOKEN: Token = Token(33);

    /// As the lock service sees it: its clock is 100 s ahead.
    fn lease(token: Token, granted: u64) -> Lease {
        Lease { holder: ClientId(0), token, expires: at(100 + granted + 10) }
    }

    fn at(seconds: u64) -> Time {
        Time::START + secs(seconds)
    }

    /// A client with a lease of 10 s from the start, that has read and works.
    fn working(look: Look, on_lost: OnLost) -> Client {
        let mut client = Client::new(secs(10), look, on_lost);
        assert_eq!(client.think_over(), Action::Ask);
        assert_eq!(client.granted(lease(TOKEN, 0), at(0)), Action::Read(TOKEN));
        let record = Record { value: 7, version: 7 };
        assert_eq!(client.read_answered(TOKEN, Ok(record)), Action::Work);
        client
    }

    #[test]
    fn without_a_look_it_writes_however_late_it_is() {
        let mut client = working(Look::Never, OnLost::Ignore);
        assert_eq!(client.work_over(at(1_000)), Action::Commit);
        let write = Write { token: TOKEN, read_version: 7, read_value: 7, value: 8 };
        assert_eq!(client.commit_over(), Action::Write(write));
        assert_eq!(client.write_answered(TOKEN, Ok(())), Action::StartOver(TOKEN, Ending::Wrote));
        assert_eq!(client.believes(), None);
    }

    #[test]
    fn a_look_at_its_own_clock_counts_from_receipt_and_from_the_sending_of_renewals() {
        let gave_up = Action::StartOver(TOKEN, Ending::GaveUp);
        assert_eq!(working(Look::OwnClock, OnLost::Ignore).work_over(at(10)), gave_up);
        let mut renewed = working(Look::OwnClock, OnLost::Ignore);
        renewed.renewed(lease(TOKEN, 4), at(4));
        assert_eq!(renewed.clone().work_over(at(13)), Action::Commit);
        assert_eq!(renewed.work_over(at(14)), gave_up);
    }

    #[test]
    fn a_lost_lease_ends_the_turn_only_where_it_is_told_and_has_not_written() {
        assert_eq!(working(Look::Never, OnLost::Ignore).lost(TOKEN), Action::Nothing);
        let mut told = working(Look::Never, OnLost::GiveUp);
        assert_eq!(told.clone().lost(TOKEN), Action::StartOver(TOKEN, Ending::GaveUp));
        told.work_over(at(1));
        told.commit_over();
        assert_eq!(told.lost(TOKEN), Action::Nothing, "the write has left");
    }

    #[test]
    fn answers_to_an_earlier_turn_are_of_no_use() {
        let mut client = working(Look::AskService, OnLost::GiveUp);
        assert_eq!(client.granted(lease(Token(40), 1), at(1)), Action::Nothing);
        assert_eq!(client.work_over(at(1)), Action::AskIfCurrent(TOKEN));
        assert_eq!(client.told_if_current(Token(32), false), Action::Nothing);
        assert_eq!(client.lost(Token(32)), Action::Nothing);
        assert_eq!(client.told_if_current(TOKEN, true), Action::Commit);
    }

    #[test]
    fn by_the_time_of_day_a_client_believes_the_clock_of_another() {
        let mut client =
            Client::new(secs(10), Look::OwnClock, OnLost::Ignore).with_measure(Measure::WallClock);
        client.think_over();
        client.granted(lease(TOKEN, 0), at(0));
        client.read_answered(TOKEN, Ok(Record::default()));
        assert_eq!(client.clone().work_over(at(109)), Action::Commit, "99 s too late");
        assert_eq!(client.work_over(at(110)), Action::StartOver(TOKEN, Ending::GaveUp));
    }

    #[test]
    fn a_write_is_tried_again_until_it_is_answered() {
        let mut client = working(Look::Never, OnLost::Ignore);
        assert_eq!(client.try_again(), Action::Nothing, "it has not written yet");
        client.work_over(at(1));
        let first = client.commit_over();
        assert_eq!(client.try_again(), first);
        client.write_answered(TOKEN, Ok(()));
        assert_eq!(client.try_again(), Action::Nothing);
    }
}
