//! At the store: what it hears and does, and what happens to it.

use super::{World, set_by_chance};
use crate::chance::seed::{Purpose, Seed, Stream};
use crate::protocol::lease::{ClientId, Token};
use crate::protocol::message::{Body, Message};
use crate::protocol::store::keys::Keys;
use crate::protocol::store::{Refused, Store, Write};
use crate::simulation::event::{Event, ServiceTimer};
use crate::simulation::scenario::store::StoreRules;
use crate::simulation::trace::{Happening, Observer};
use crate::time::Time;

/// What is around the store.
#[derive(Debug)]
pub(super) struct Storeroom {
    /// Writes that are checked and not yet done, the next one last.
    landing: Vec<(Time, Message)>,
    /// Absent where the store has no keys. A turn writes once, so its number is the key.
    keys: Option<Keys>,
    check_to_write: Stream,
    forgetting: Stream,
}

impl Storeroom {
    pub(super) fn new(rules: &StoreRules, seed: Seed) -> Storeroom {
        let stream = |purpose| seed.stream(purpose, 0);
        Storeroom {
            landing: Vec::new(),
            keys: rules.remembers_keys.map(Keys::remembered_for),
            check_to_write: stream(Purpose::CheckToWrite),
            forgetting: stream(Purpose::StoreForgets),
        }
    }
}

impl<S: Store, O: Observer> World<'_, S, O> {
    pub(super) fn store_reads(&mut self, client: ClientId, grant: u64, token: Token) {
        let answer = self.store.read(token);
        match answer {
            Ok(record) => self.tell(Happening::ReadServed { client, token, grant, record }),
            Err(refused) => self.tell(Happening::ReadRefused { client, token, refused }),
        }
        self.send_last_about(Some(grant), client, Body::ReadAnswer(token, answer));
    }

    pub(super) fn store_writes(&mut self, client: ClientId, grant: u64, write: Write) {
        if self.storeroom.keys.is_some() && self.is_answered_again(client, grant, write) {
            return;
        }
        if self.rules.store.check_to_write.is_some() {
            return self.store_checks(client, grant, write);
        }
        let answer = self.store.write(write);
        self.answer_write(client, grant, write, answer);
    }

    /// The same, for the rare store with two steps: what follows is not compiled into each place.
    #[inline(never)]
    fn answer_in_two_steps(
        &mut self,
        client: ClientId,
        grant: u64,
        write: Write,
        answer: Result<(), Refused>,
    ) {
        self.answer_write(client, grant, write, answer);
    }

    /// Whether the store knows the write by its key, and has answered it as it did the first time.
    #[inline(never)]
    fn is_answered_again(&mut self, client: ClientId, grant: u64, write: Write) -> bool {
        let Some(answer) = self.storeroom.keys.as_ref().and_then(|keys| keys.answer(grant)) else {
            return false;
        };
        self.tell(Happening::WriteRepeated { client, write });
        self.send_about(Some(grant), client, Body::WriteAnswer(write.token, answer));
        true
    }

    #[inline(never)]
    fn note_key(&mut self, grant: u64, answer: Result<(), Refused>) {
        let now = self.agenda.now();
        if let Some(keys) = &mut self.storeroom.keys {
            keys.note(grant, answer, now);
        }
    }

    #[inline(always)]
    fn answer_write(
        &mut self,
        client: ClientId,
        grant: u64,
        write: Write,
        answer: Result<(), Refused>,
    ) {
        if self.storeroom.keys.is_some() {
            self.note_key(grant, answer);
        }
        match answer {
            Ok(()) => self.tell(Happening::WriteAccepted { client, grant, write }),
            Err(refused) => self.tell(Happening::WriteRefused { client, write, refused }),
        }
        self.send_last_about(Some(grant), client, Body::WriteAnswer(write.token, answer));
    }

    /// The first of two steps. What it finds may not be so any more when the write is done.
    fn store_checks(&mut self, client: ClientId, grant: u64, write: Write) {
        if let Err(refused) = self.store.check(&write) {
            return self.answer_in_two_steps(client, grant, write, Err(refused));
        }
        self.tell(Happening::WriteChecked { client, write });
        let Some(check_to_write) = &self.rules.store.check_to_write else { return };
        let span = check_to_write.nanos(&mut self.storeroom.check_to_write);
        let at = self.agenda.now().later(span);
        let landing = &mut self.storeroom.landing;
        let place = landing.partition_point(|(lands, _)| at < *lands);
        landing.insert(place, (at, Message { client, grant, body: Body::Write(write) }));
        self.set_landing_timer();
    }

    /// The second step.
    pub(super) fn write_lands(&mut self) {
        if let Some((_, Message { client, grant, body: Body::Write(write) })) =
            self.storeroom.landing.pop()
        {
            let answer = self.store.put(write);
            self.answer_in_two_steps(client, grant, write, answer);
        }
        self.set_landing_timer();
    }

    fn set_landing_timer(&mut self) {
        if let Some((at, _)) = self.storeroom.landing.last() {
            self.agenda.set(Event::Service(ServiceTimer::WriteLands), *at);
        }
    }

    pub(super) fn store_forgets(&mut self) {
        self.store.forget();
        if let Some(keys) = &mut self.storeroom.keys {
            keys.forget();
        }
        self.tell(Happening::StoreForgets);
    }

    pub(super) fn set_store_timer(&mut self) {
        let every = self.rules.store.forgets_every;
        let (event, now) = (Event::Service(ServiceTimer::StoreForgets), self.agenda.now());
        set_by_chance(&mut self.agenda, event, now, every, &mut self.storeroom.forgetting);
    }
}
