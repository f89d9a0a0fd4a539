//! A state of the model: all that matters for what can happen next.
//!
//! Lock service, clients, messages and store are those of [`protocol`](crate::protocol) itself.

use super::any_store::AnyStore;
use super::property::{Properties, Property};
use super::rules::Rules;
use crate::analysis::audit::WriteJudge;
use crate::protocol::client::Client;
use crate::protocol::lease::{ClientId, Token};
use crate::protocol::lock::LockService;
use crate::protocol::message::Message;

/// All that matters for what can happen next, and the judge of what has happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) lock: LockService,
    pub(super) store: AnyStore,
    pub(super) clients: Vec<Process>,
    /// Requests on their way, by client and grant. Any of them may arrive next.
    pub(super) in_flight: Vec<Message>,
    /// Writes that the store has checked and not yet done.
    pub(super) landing: Vec<Message>,
    pub(super) grants: u64,
    pub(super) restarts_left: u32,
    pub(super) crashes_left: u32,
    pub(super) judge: WriteJudge,
    /// The highest token of an accepted write.
    pub(super) highest_accepted: Token,
    /// The properties that the very last step has broken.
    pub(super) broken: Properties,
    /// In the very last step the store has panicked: nothing happens any more.
    pub(super) has_panicked: bool,
}

/// A client, and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Process {
    pub(super) client: Client,
    /// The number of the grant that it acts under, 0 for none.
    pub(super) grant: u64,
    /// The turns that it has not finished.
    pub(super) turns_left: u32,
    /// What it does by itself; nothing where it waits for a message.
    pub(super) doing: Option<Doing>,
    pub(super) is_alive: bool,
}

/// What a client does by itself. It may be paused in it, for however long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Doing {
    Think,
    Work,
    Commit,
}

/// Something that can happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A client is done with what it does by itself.
    GoesOn(ClientId),
    /// A request reaches the lock service or the store.
    Arrives(Message),
    /// The lock service ends the current lease.
    LeaseEnds,
    /// The store starts again.
    StoreRestarts,
    /// A client crashes.
    Crashes(ClientId),
    /// The store does a write that it has checked.
    WriteLands(Message),
}

impl State {
    /// All that can happen next.
    ///
    /// Of counterexamples of the same length, the search finds the one whose steps come first in
    /// these lists. So what makes a story stands late: first everybody acts, then the lease ends,
    /// and last somebody who was paused goes on.
    pub(super) fn steps(&self, rules: &Rules) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.has_panicked {
            return steps;
        }
        let ids = || (0..rules.clients).map(ClientId);
        let thinking = ids().filter(|id| self.may_ask(*id, rules));
        steps.extend(thinking.map(Step::GoesOn));
        steps.extend(self.in_flight.iter().copied().map(Step::Arrives));
        if rules.leases_end && self.lock.current().is_some() {
            steps.push(Step::LeaseEnds);
        }
        if self.restarts_left > 0 {
            steps.push(Step::StoreRestarts);
        }
        if self.crashes_left > 0 {
            let believing = ids().filter(|id| self.clients[id.index()].client.believes().is_some());
            steps.extend(believing.map(Step::Crashes));
        }
        steps.extend(self.landing.iter().rev().copied().map(Step::WriteLands));
        let busy = |id: &ClientId| {
            matches!(self.clients[id.index()].doing, Some(Doing::Work | Doing::Commit))
        };
        steps.extend(ids().rev().filter(busy).map(Step::GoesOn));
        steps
    }

    /// Clients are alike, so it is no loss to call A the one that is first to ask, B the next. It
    /// saves looking at every order of their names.
    fn may_ask(&self, id: ClientId, rules: &Rules) -> bool {
        let is_before = |process: &Process| {
            process.doing == Some(Doing::Think) && process.turns_left == rules.turns
        };
        let thinks = self.clients[id.index()].doing == Some(Doing::Think);
        thinks && !self.clients[..id.index()].iter().any(is_before)
    }

    /// Whether this state is one that must not be.
    pub(super) fn breaks(&self, property: Property, rules: &Rules) -> bool {
        match property {
            Property::NoDeadlock => self.is_stuck(rules),
            _ => self.broken.has(property),
        }
    }

    /// True where nothing can happen any more, and a client has not finished.
    fn is_stuck(&self, rules: &Rules) -> bool {
        let is_unfinished = |process: &Process| process.is_alive && process.turns_left > 0;
        let is_waiting = !self.has_panicked && self.clients.iter().any(is_unfinished);
        is_waiting && self.steps(rules).is_empty()
    }

    /// Puts a message on its way. The order of the list is that of clients and grants, not that of
    /// sending: which of two messages was sent first must not make two states of one.
    pub(super) fn put_in_flight(&mut self, message: Message) {
        // Of one grant, a client has at most one request on its way.
        let key = |message: &Message| (message.client, message.grant);
        let place = self.in_flight.partition_point(|other| key(other) <= key(&message));
        self.in_flight.insert(place, message);
    }

    /// Takes a message that arrives out of those on their way.
    pub(super) fn take_out(&mut self, message: &Message) {
        if let Some(place) = self.in_flight.iter().position(|other| other == message) {
            self.in_flight.remove(place);
        }
    }
}
