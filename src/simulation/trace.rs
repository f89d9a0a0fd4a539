//! What happens in a run, and those who watch it.

use super::scenario::Scenario;
use super::scenario::clocks::Way;
use crate::chance::seed::Seed;
use crate::protocol::client::Ending;
use crate::protocol::lease::{ClientId, Lease, Token};
use crate::protocol::message::Message;
use crate::protocol::store::{Record, Refused, Write};
use crate::time::Time;
use std::time::Duration;

/// Something that happens in a run. What happens at one instant is told in the order it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A message leaves and will arrive at `arrives`. If its receiver is a client that is paused
    /// then, the client handles it on resuming.
    Sent {
        /// What was sent.
        message: Message,
        /// When it arrives.
        arrives: Time,
    },
    /// The network makes a copy of a write that leaves at this instant. The copy arrives at
    /// `arrives`.
    Copied {
        /// What arrives a second time.
        message: Message,
        /// When the copy arrives.
        arrives: Time,
    },
    /// A client is handling its grant: from now on it believes.
    Believes {
        /// Who.
        client: ClientId,
        /// Under which token.
        token: Token,
    },
    /// A client has stopped believing: its turn is over.
    StopsBelieving {
        /// Who.
        client: ClientId,
        /// Under which token it acted.
        token: Token,
        /// How the turn ended.
        ending: Ending,
    },
    /// A client begins its work.
    Works {
        /// Who.
        client: ClientId,
        /// Under which token.
        token: Token,
    },
    /// A client has taken its last look before the write, and goes on to commit.
    Commits {
        /// Who.
        client: ClientId,
        /// Under which token.
        token: Token,
    },
    /// A client's process stops. A pause that begins during another is told again, with the later
    /// end.
    Paused {
        /// Who.
        client: ClientId,
        /// When it will go on.
        until: Time,
    },
    /// A client's process goes on where it stopped.
    Resumed {
        /// Who.
        client: ClientId,
    },
    /// A client's process is gone, with all it knew.
    Crashed {
        /// Who.
        client: ClientId,
        /// The token under which it believed.
        token: Option<Token>,
    },
    /// A client's process starts anew.
    Restarted {
        /// Who.
        client: ClientId,
    },
    /// The lock service grants the lock.
    Granted {
        /// The new lease.
        lease: Lease,
    },
    /// The lock service extends a lease.
    Renewed {
        /// The lease with its new end.
        lease: Lease,
    },
    /// The lock service ends a lease that was released.
    Released {
        /// The lease that is over.
        lease: Lease,
    },
    /// The lock service ends a lease because its time is up.
    Expired {
        /// The lease that is over.
        lease: Lease,
    },
    /// The store answers a read.
    ReadServed {
        /// Who reads.
        client: ClientId,
        /// Under which token.
        token: Token,
        /// The number of the grant behind that token, 1 for the first of the run; that of the turn
        /// where there is no lock. Only an observer knows it.
        grant: u64,
        /// What was read.
        record: Record,
    },
    /// The store refuses a read.
    ReadRefused {
        /// Who wanted to read.
        client: ClientId,
        /// Under which token.
        token: Token,
        /// Why.
        refused: Refused,
    },
    /// The store accepts a write.
    WriteAccepted {
        /// Who writes.
        client: ClientId,
        /// The number of the grant behind the write's token, as for a read.
        grant: u64,
        /// What was written.
        write: Write,
    },
    /// The store refuses a write.
    WriteRefused {
        /// Who wanted to write.
        client: ClientId,
        /// What it wanted to write.
        write: Write,
        /// Why.
        refused: Refused,
    },
    /// A message leaves and will never arrive.
    Lost {
        /// What was sent.
        message: Message,
    },
    /// From now on, what a client sends to the lock service does not arrive.
    CutOff {
        /// Who.
        client: ClientId,
        /// Until when.
        until: Time,
    },
    /// The lock service stands still: it hears nothing and ends no lease.
    LockStalls {
        /// Until when.
        until: Time,
    },
    /// The lock service goes on: it looks at its clock, and then hears what has waited.
    LockGoesOn,
    /// Another server takes the place of the lock service and has not heard of the last grant.
    LockFailsOver {
        /// The lease that it does not know of.
        forgotten: Lease,
    },
    /// The lock service has lost its counter of tokens, which starts again.
    LockForgetsNumbers,
    /// A clock is set to another time: that of a client, or of the lock service.
    ClockIsSet {
        /// Whose; absent for that of the lock service.
        client: Option<ClientId>,
        /// By how much.
        by: Duration,
        /// Which way.
        way: Way,
    },
    /// An instance of a majority is out of reach.
    InstanceIsAway {
        /// Which, counted from 0.
        instance: u32,
        /// Until when.
        until: Time,
    },
    /// The clock of an instance of a majority is set forward.
    InstanceClockIsSet {
        /// Which, counted from 0.
        instance: u32,
        /// By how much.
        by: Duration,
    },
    /// The store has lost what it compares with: its mark, or its count of versions.
    StoreForgets,
    /// The store has started again, and goes by what it has kept.
    StoreRestarts,
    /// A write reaches the store whose idempotency key it knows: it answers as it did the first
    /// time, and does nothing.
    WriteRepeated {
        /// Who writes.
        client: ClientId,
        /// What it would write.
        write: Write,
    },
    /// The store has checked a write and will do it in a second step.
    WriteChecked {
        /// Who writes.
        client: ClientId,
        /// What it will write.
        write: Write,
    },
}

/// Somebody who watches a run. Observers see what happens and cannot change it.
///
/// ```
/// use fencing::prelude::*;
///
/// /// Counts the pauses of a run.
/// #[derive(Default)]
/// struct PauseCount(u64);
///
/// impl Observer for PauseCount {
///     fn observe(&mut self, _at: Time, happening: &Happening) {
///         if let Happening::Paused { .. } = happening {
///             self.0 += 1;
///         }
///     }
/// }
///
/// let mut pauses = PauseCount::default();
/// observe(&Scenario::baseline(), Seed(1), &mut pauses)?;
/// assert!((400..600).contains(&pauses.0), "one critical section in twenty of 10,000");
/// # Ok::<(), ScenarioError>(())
/// ```
pub trait Observer {
    /// `happening` happens at `at`. Times never go back.
    fn observe(&mut self, at: Time, happening: &Happening);

    /// The run is over.
    fn end(&mut self, _at: Time) {}
}

/// Watches nothing.
impl Observer for () {
    fn observe(&mut self, _at: Time, _happening: &Happening) {}
}

/// Two observers of one run.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn observe(&mut self, at: Time, happening: &Happening) {
        self.0.observe(at, happening);
        self.1.observe(at, happening);
    }

    fn end(&mut self, at: Time) {
        self.0.end(at);
        self.1.end(at);
    }
}

impl<O: Observer> Observer for &mut O {
    #[inline(always)]
    fn observe(&mut self, at: Time, happening: &Happening) {
        (**self).observe(at, happening);
    }

    fn end(&mut self, at: Time) {
        (**self).end(at);
    }
}

/// All that happened in one run, to be drawn or told. It grows with the run: take it of short runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// What was run.
    pub scenario: Scenario,
    /// With which seed.
    pub seed: Seed,
    /// What happened, in order.
    pub entries: Vec<Entry>,
    /// When the run ended.
    pub end: Time,
}

/// One thing that happened, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When.
    pub at: Time,
    /// What.
    pub happening: Happening,
}

impl Trace {
    /// An empty trace of a run that is to come.
    #[must_use]
    pub fn new(scenario: &Scenario, seed: Seed) -> Trace {
        Trace { scenario: scenario.clone(), seed, entries: Vec::new(), end: Time::START }
    }
}

impl Observer for Trace {
    fn observe(&mut self, at: Time, happening: &Happening) {
        self.entries.push(Entry { at, happening: *happening });
    }

    fn end(&mut self, at: Time) {
        self.end = at;
    }
}
