//! The post: messages leave, and most of them arrive.

use super::{World, set_by_chance};
use crate::chance::delay::Sampler;
use crate::protocol::lease::ClientId;
use crate::protocol::message::{Body, Message, Party};
use crate::protocol::store::Store;
use crate::simulation::event::{Event, Timer};
use crate::simulation::trace::{Happening, Observer};
use crate::time::Time;
use rand::RngExt;
use std::time::Duration;

impl<S: Store, O: Observer> World<'_, S, O> {
    /// Sends a message about the client's own grant.
    pub(super) fn send(&mut self, client: ClientId, body: Body) {
        self.send_about(None, client, body);
    }

    /// Sends a message about a grant, or the client's own.
    pub(super) fn send_about(&mut self, grant: Option<u64>, client: ClientId, body: Body) {
        if let Some((message, arrives)) = self.leaves(client, grant, body) {
            let number = self.agenda.next_number();
            self.agenda.send(number, message, arrives);
        }
    }

    /// Sends a message about the client's own grant as the last thing that an event brings about.
    #[inline(always)]
    pub(super) fn send_last(&mut self, client: ClientId, body: Body) {
        self.send_last_about(None, client, body);
    }

    /// Sends a message about a grant, or the client's own, as the last thing that an event brings
    /// about. If it arrives at once, and nothing comes before it, then it is what happens next: let
    /// it, without the way through the agenda. Without latency nearly all are of this kind.
    #[inline(always)]
    pub(super) fn send_last_about(&mut self, grant: Option<u64>, client: ClientId, body: Body) {
        let Some((message, arrives)) = self.leaves(client, grant, body) else { return };
        if self.agenda.would_be_next(arrives) {
            self.arrives_next(message);
        } else {
            let number = self.agenda.next_number();
            self.agenda.send(number, message, arrives);
        }
    }

    /// A message leaves. Says when it arrives, if it does.
    #[inline(always)]
    pub(super) fn leaves(
        &mut self,
        client: ClientId,
        grant: Option<u64>,
        body: Body,
    ) -> Option<(Message, Time)> {
        let process = &mut self.clients[client.index()];
        let latency = self.rules.latency.nanos(&mut process.chance.latency);
        let message = Message { client, grant: grant.unwrap_or(process.grant), body };
        let mut arrives = self.agenda.now().later(latency);
        if self.is_network_eventful {
            // Only the time comes back: what the message is stays known here, and with it most of
            // what follows.
            arrives = self.on_an_eventful_way(message, arrives)?;
        } else {
            self.tell(Happening::Sent { message, arrives });
        }
        Some((message, arrives))
    }

    #[inline(always)]
    pub(super) fn arrives_next(&mut self, message: Message) {
        self.events += 1;
        self.arrives(message);
    }

    /// As a message leaves, chance decides when it arrives, and whether it does.
    #[inline(never)]
    fn on_an_eventful_way(&mut self, message: Message, arrives: Time) -> Option<Time> {
        let arrives = match message.body {
            Body::Write(_) => self.write_leaves(message, arrives),
            Body::WriteAnswer(..) => (!self.is_answer_lost(message.client)).then_some(arrives),
            _ if message.to() == Party::LockService => self.past_partition(message, arrives),
            _ => Some(arrives),
        };
        match arrives {
            Some(arrives) => self.tell(Happening::Sent { message, arrives }),
            None => self.tell(Happening::Lost { message }),
        }
        arrives
    }

    /// A write may be late, and may come twice.
    fn write_leaves(&mut self, message: Message, arrives: Time) -> Option<Time> {
        let network = &self.rules.network;
        let stream = &mut self.clients[message.client.index()].chance.network;
        let mut later = |mishap: &Option<(f64, Sampler)>| {
            let (probability, delay) = mishap.as_ref()?;
            let (chance, delay): (f64, u64) = (stream.random(), delay.nanos(stream));
            (chance < *probability).then_some(delay)
        };
        let (late, again) = (later(&network.late_writes), later(&network.duplicate_writes));
        let arrives = arrives.later(late.unwrap_or_default());
        if let Some(again) = again {
            let arrives = arrives.later(again);
            self.tell(Happening::Copied { message, arrives });
            let number = self.agenda.next_number();
            self.agenda.send(number, message, arrives);
        }
        if 0.0 < network.lost_answers {
            let at = self.agenda.now() + network.retry_after;
            self.agenda.set(Event::Due(message.client, Timer::Retry), at);
        }
        Some(arrives)
    }

    fn is_answer_lost(&mut self, client: ClientId) -> bool {
        let chance: f64 = self.clients[client.index()].chance.network.random();
        chance < self.rules.network.lost_answers
    }

    /// While a client is cut off from the lock service, its questions are tried again until they
    /// get through; its renewals and releases are lost.
    fn past_partition(&mut self, message: Message, arrives: Time) -> Option<Time> {
        let now = self.agenda.now();
        let until = self.clients[message.client.index()].cut_off_until;
        if until <= now {
            return Some(arrives);
        }
        let is_question = matches!(message.body, Body::Ask | Body::AskIfCurrent(_));
        is_question.then(|| until + (arrives - now))
    }

    /// From now on, for so long, nothing that this client sends to the lock service arrives.
    pub(super) fn cut_off(&mut self, id: ClientId, length: Duration) {
        let until = self.agenda.now() + length;
        let cut_off_until = &mut self.clients[id.index()].cut_off_until;
        if *cut_off_until < until {
            *cut_off_until = until;
            self.tell(Happening::CutOff { client: id, until });
        }
    }

    pub(super) fn cut_off_by_chance(&mut self, id: ClientId) {
        if let Some((_, length)) = &self.rules.network.partitions {
            let length = length.nanos(&mut self.clients[id.index()].chance.cut_off);
            self.cut_off(id, Duration::from_nanos(length));
            let until = self.clients[id.index()].cut_off_until;
            self.set_cut_off_timer(id, until);
        }
    }

    pub(super) fn set_cut_off_timer(&mut self, id: ClientId, from: Time) {
        let every = self.rules.network.partitions.as_ref().map(|partitions| partitions.0);
        let stream = &mut self.clients[id.index()].chance.cut_off;
        set_by_chance(&mut self.agenda, Event::Due(id, Timer::CutOff), from, every, stream);
    }
}
