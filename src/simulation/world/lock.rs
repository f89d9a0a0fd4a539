//! At the lock service: what it hears and does, and what happens to it.

use super::{World, set_by_chance};
use crate::chance::seed::{Purpose, Seed, Stream};
use crate::protocol::lease::{ClientId, Lease, Token};
use crate::protocol::lock::majority::Majority;
use crate::protocol::lock::numbering::Numbering;
use crate::protocol::lock::{Ended, LockService, Renewal};
use crate::protocol::message::{Body, Message};
use crate::protocol::store::Store;
use crate::simulation::event::{Event, ServiceTimer};
use crate::simulation::scenario::Rules;
use crate::simulation::scenario::clocks::Way;
use crate::simulation::trace::{Happening, Observer};
use crate::time::Time;
use crate::time::clock::Clock;
use rand::{Rng, RngExt};
use std::time::Duration;

/// The lock service with its clock, or a majority of instances with theirs.
#[derive(Debug)]
pub(super) enum Lock {
    Service(LockService, Clock),
    Majority(Majority),
}

/// What is around the lock service.
#[derive(Debug)]
pub(super) struct Surroundings {
    /// Set while it stands still.
    stalled_until: Option<Time>,
    /// What reached it meanwhile, in order.
    waiting: Vec<Message>,
    stalls: Stream,
    fail_overs: Stream,
    forgetting: Stream,
    outages: Stream,
    steps: Stream,
}

impl Surroundings {
    pub(super) fn new(seed: Seed) -> Surroundings {
        let stream = |purpose| seed.stream(purpose, 0);
        Surroundings {
            stalled_until: None,
            waiting: Vec::new(),
            stalls: stream(Purpose::LockStall),
            fail_overs: stream(Purpose::LockFailOver),
            forgetting: stream(Purpose::LockForgets),
            outages: stream(Purpose::Outage),
            steps: stream(Purpose::ClockStep),
        }
    }
}

/// The methods of both kinds, in true time; only what they say of a lease's end is by their clock.
impl Lock {
    pub(super) fn new(rules: &Rules, seed: Seed) -> Lock {
        let key = seed.stream(Purpose::Tokens, 0).next_u64();
        let numbering = Numbering::new(rules.lock.tokens, rules.first_token, key);
        match &rules.lock.majority {
            None => {
                let service = LockService::new(rules.lease, rules.first_token)
                    .with_numbering(numbering)
                    .with_takeover_delay(rules.lock.takeover_delay);
                Lock::Service(service, rules.clocks.lock)
            }
            Some(majority) => {
                Lock::Majority(Majority::new(rules.lease, numbering, majority.clocks.clone()))
            }
        }
    }

    #[inline(always)]
    fn ask(&mut self, client: ClientId, now: Time) -> Option<Lease> {
        match self {
            Lock::Service(lock, clock) => lock.ask(client, clock.shows(now)),
            Lock::Majority(lock) => lock.ask(client, now),
        }
    }

    #[inline(always)]
    fn renew(&mut self, token: Token, now: Time) -> Renewal {
        match self {
            Lock::Service(lock, clock) => lock.renew(token, clock.shows(now)),
            Lock::Majority(lock) => lock.renew(token, now),
        }
    }

    #[inline(always)]
    fn release(&mut self, token: Token, now: Time) -> Option<Ended> {
        match self {
            Lock::Service(lock, clock) => lock.release(token, clock.shows(now)),
            Lock::Majority(lock) => lock.release(token, now),
        }
    }

    fn expire(&mut self, now: Time) -> Option<Ended> {
        match self {
            Lock::Service(lock, clock) => lock.expire(clock.shows(now)),
            Lock::Majority(lock) => lock.expire(now),
        }
    }

    fn take_over(&mut self, now: Time) -> Option<Lease> {
        match self {
            Lock::Service(lock, clock) => lock.take_over(clock.shows(now)),
            Lock::Majority(lock) => lock.take_over(now),
        }
    }

    fn is_current(&self, token: Token) -> bool {
        match self {
            Lock::Service(lock, _) => lock.is_current(token),
            Lock::Majority(lock) => lock.current().is_some_and(|lease| lease.token == token),
        }
    }

    /// When it has to look at its clock again.
    #[inline(always)]
    fn next_look(&self, now: Time) -> Option<Time> {
        match self {
            Lock::Service(lock, clock) => lock.next_look().map(|at| clock.when_it_shows(at)),
            Lock::Majority(lock) => lock.next_look(now),
        }
    }

    /// The lease with its end in true time, as it stands.
    #[inline(always)]
    fn in_true_time(&self, lease: Lease) -> Lease {
        match self {
            Lock::Service(_, clock) => {
                Lease { expires: clock.when_it_shows(lease.expires), ..lease }
            }
            Lock::Majority(_) => lease,
        }
    }
}

impl<S: Store, O: Observer> World<'_, S, O> {
    // What it hears.

    pub(super) fn lock_is_asked_for(&mut self, client: ClientId) {
        match self.lock.ask(client, self.agenda.now()) {
            Some(lease) => self.grant(lease),
            // It may be the first to wait for a moment at which the lock is free again.
            None if self.agenda.due(Event::LeaseEnds) == Time::NEVER => self.set_lock_timer(),
            None => {}
        }
    }

    pub(super) fn renewal_is_asked_for(&mut self, client: ClientId, token: Token, asked: Time) {
        match self.lock.renew(token, self.agenda.now()) {
            Renewal::Extended(lease) => {
                self.tell(Happening::Renewed { lease: self.lock.in_true_time(lease) });
                self.set_lock_timer();
                self.send_last(client, Body::Renewed(lease, asked));
            }
            Renewal::Lost => self.send_last(client, Body::Lost(token)),
        }
    }

    pub(super) fn token_is_asked_about(&mut self, client: ClientId, token: Token) {
        let is_current = self.lock.is_current(token);
        self.send_last(client, Body::IfCurrent(token, is_current));
    }

    #[inline(always)]
    pub(super) fn lease_is_released(&mut self, token: Token) {
        match self.lock.release(token, self.agenda.now()) {
            Some(ended) => {
                self.tell(Happening::Released { lease: self.lock.in_true_time(ended.over) });
                match ended.next {
                    Some(lease) => self.grant(lease),
                    None => self.set_lock_timer(),
                }
            }
            None => self.late_release_is_heard(),
        }
    }

    /// The lease was over already. A few instances may have held it still, and now be free.
    #[inline(never)]
    fn late_release_is_heard(&mut self) {
        if matches!(self.lock, Lock::Majority(_)) {
            self.lock_looks_at_its_clock();
        }
    }

    /// True if it hears nothing now: the message waits.
    #[inline(always)]
    pub(super) fn is_lock_held_up(&mut self, message: Message) -> bool {
        let is_held_up = self.surroundings.stalled_until.is_some();
        if is_held_up {
            self.surroundings.waiting.push(message);
        }
        is_held_up
    }

    // What it does.

    /// A lease may have ended, and the lock may be free.
    pub(super) fn lock_looks_at_its_clock(&mut self) {
        if self.surroundings.stalled_until.is_some() {
            return;
        }
        let now = self.agenda.now();
        let next = match self.lock.expire(now) {
            Some(ended) => {
                self.tell(Happening::Expired { lease: self.lock.in_true_time(ended.over) });
                ended.next
            }
            None => self.lock.take_over(now),
        };
        match next {
            Some(lease) => self.grant(lease),
            None => self.set_lock_timer(),
        }
    }

    fn grant(&mut self, lease: Lease) {
        self.grants += 1;
        self.tell(Happening::Granted { lease: self.lock.in_true_time(lease) });
        self.set_lock_timer();
        if self.grants < self.rules.stop_grants {
            self.send_last_about(Some(self.grants), lease.holder, Body::Granted(lease));
        } else {
            // The run ends here, before anybody hears of the grant.
            self.leaves(lease.holder, Some(self.grants), Body::Granted(lease));
        }
    }

    #[inline(always)]
    fn set_lock_timer(&mut self) {
        match self.lock.next_look(self.agenda.now()) {
            Some(at) => self.agenda.set(Event::LeaseEnds, at.max(self.agenda.now())),
            None => self.agenda.cancel(Event::LeaseEnds),
        }
    }

    // What happens to it.

    pub(super) fn lock_stalls(&mut self, length: Duration) {
        let until = self.agenda.now() + length;
        if self.surroundings.stalled_until.is_none_or(|stands_until| stands_until < until) {
            self.surroundings.stalled_until = Some(until);
            self.tell(Happening::LockStalls { until });
            self.agenda.set(Event::Service(ServiceTimer::LockGoesOn), until);
        }
    }

    pub(super) fn lock_stalls_by_chance(&mut self) {
        if let Some((_, length)) = &self.rules.lock.stalls {
            let length = length.nanos(&mut self.surroundings.stalls);
            self.lock_stalls(Duration::from_nanos(length));
        }
    }

    /// It first looks at its clock, and only then hears who has renewed in time meanwhile.
    pub(super) fn lock_goes_on(&mut self) {
        self.surroundings.stalled_until = None;
        self.tell(Happening::LockGoesOn);
        // What is sent meanwhile comes after all that has waited.
        self.agenda.disturb();
        self.lock_looks_at_its_clock();
        let mut waiting = std::mem::take(&mut self.surroundings.waiting);
        for message in waiting.drain(..) {
            self.arrives(message);
        }
        self.surroundings.waiting = waiting;
        self.set_stall_timer();
    }

    pub(super) fn lock_fails_over(&mut self) {
        let Lock::Service(lock, clock) = &mut self.lock else { return };
        if let Some(ended) = lock.fail_over(clock.shows(self.agenda.now())) {
            let forgotten = self.lock.in_true_time(ended.over);
            self.tell(Happening::LockFailsOver { forgotten });
            match ended.next {
                Some(lease) => self.grant(lease),
                None => self.set_lock_timer(),
            }
        }
    }

    pub(super) fn lock_forgets_numbers(&mut self) {
        if let Lock::Service(lock, _) = &mut self.lock {
            lock.forget_numbers();
            self.tell(Happening::LockForgetsNumbers);
        }
    }

    pub(super) fn lock_clock_is_set(&mut self, by: Duration, way: Way) {
        let now = self.agenda.now();
        if let Lock::Service(_, clock) = &mut self.lock {
            match way {
                Way::Forward => clock.set_forward(now, by),
                Way::Back => clock.set_back(now, by),
            }
            self.tell(Happening::ClockIsSet { client: None, by, way });
            self.set_lock_timer();
        }
    }

    pub(super) fn instance_is_away(&mut self, instance: u32, length: Duration) {
        let until = self.agenda.now() + length;
        if let Lock::Majority(lock) = &mut self.lock {
            lock.is_out_of_reach(instance as usize, until);
            self.tell(Happening::InstanceIsAway { instance, until });
            self.set_lock_timer();
        }
    }

    pub(super) fn instance_clock_is_set(&mut self, instance: u32, by: Duration) {
        let now = self.agenda.now();
        if let Lock::Majority(lock) = &mut self.lock {
            lock.clock_is_set_forward(instance as usize, by, now);
            self.tell(Happening::InstanceClockIsSet { instance, by });
            self.lock_looks_at_its_clock();
        }
    }

    /// One of the instances, and for how long it is away or by how much its clock is set.
    pub(super) fn instance_mishap_by_chance(&mut self, timer: ServiceTimer) {
        let Some(majority) = &self.rules.lock.majority else { return };
        let is_outage = timer == ServiceTimer::InstanceIsAway;
        let (mishap, stream) = if is_outage {
            (&majority.outages, &mut self.surroundings.outages)
        } else {
            (&majority.steps, &mut self.surroundings.steps)
        };
        let Some((every, length)) = mishap else { return };
        let instance = stream.random_range(0..majority.clocks.len() as u32);
        let length = Duration::from_nanos(length.nanos(stream));
        // The next outage is counted from the end of this one; a step takes no time.
        let end = if is_outage { self.agenda.now() + length } else { self.agenda.now() };
        set_by_chance(&mut self.agenda, Event::Service(timer), end, Some(*every), stream);
        if is_outage {
            self.instance_is_away(instance, length);
        } else {
            self.instance_clock_is_set(instance, length);
        }
    }

    /// At the start of a run.
    pub(super) fn set_lock_timers(&mut self) {
        self.set_stall_timer();
        self.set_fail_over_timer();
        self.set_forgetting_timer();
        let Some(majority) = &self.rules.lock.majority else { return };
        let Surroundings { outages, steps, .. } = &mut self.surroundings;
        for (timer, spells, stream) in [
            (ServiceTimer::InstanceIsAway, &majority.outages, outages),
            (ServiceTimer::InstanceClockIsSet, &majority.steps, steps),
        ] {
            let every = spells.as_ref().map(|spells| spells.0);
            set_by_chance(&mut self.agenda, Event::Service(timer), Time::START, every, stream);
        }
    }

    fn set_stall_timer(&mut self) {
        let every = self.rules.lock.stalls.as_ref().map(|stalls| stalls.0);
        let (event, now) = (Event::Service(ServiceTimer::LockStalls), self.agenda.now());
        set_by_chance(&mut self.agenda, event, now, every, &mut self.surroundings.stalls);
    }

    pub(super) fn set_fail_over_timer(&mut self) {
        let every = self.rules.lock.fails_over_every;
        let (event, now) = (Event::Service(ServiceTimer::LockFailsOver), self.agenda.now());
        set_by_chance(&mut self.agenda, event, now, every, &mut self.surroundings.fail_overs);
    }

    pub(super) fn set_forgetting_timer(&mut self) {
        let every = self.rules.lock.forgets_numbers_every;
        let (event, now) = (Event::Service(ServiceTimer::LockForgetsNumbers), self.agenda.now());
        set_by_chance(&mut self.agenda, event, now, every, &mut self.surroundings.forgetting);
    }
}
