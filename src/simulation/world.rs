//! The world: the one loop that moves time.
//!
//! It lets things happen in their order, tells the observer, and does what the protocol's methods
//! return. It decides nothing itself but what chance and the clock decide: how long something takes
//! and who is paused. What happens at whom is in files of their own:
//!
//! - `client`, `lock`, `store`: what each hears and does.
//! - `post`: messages on their way.
//! - `process`, `pauses`: a client's process, and what happens to it.
//! - `script`: what happens at given times.

mod client;
mod lock;
mod pauses;
mod post;
mod process;
mod script;
mod store;

use super::event::{Event, ServiceTimer, Timer};
use super::queue::Agenda;
use super::scenario::{Rules, ScriptLine};
use super::trace::{Happening, Observer};
use crate::chance::seed::{Seed, Stream};
use crate::protocol::client::Client;
use crate::protocol::lease::ClientId;
use crate::protocol::message::{Body, Message};
use crate::protocol::store::Store;
use crate::time::{Time, nanos};
use lock::{Lock, Surroundings};
use process::Process;
use rand_distr::{Distribution, Exp1};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use store::Storeroom;

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// The number of grants was reached.
    AtGrants,
    /// The time was reached.
    AtTime,
    /// Nothing could happen any more, for example since every client had crashed for good.
    NothingLeft,
    /// The bound on events was reached, far above what the scenario should need: time or grants
    /// hardly move, for example since every client is always paused.
    TooManyEvents,
}

/// All there is in one run.
#[derive(Debug)]
pub(crate) struct World<'a, S, O> {
    rules: &'a Rules,
    agenda: Agenda,
    lock: Lock,
    surroundings: Surroundings,
    clients: Vec<Process>,
    store: &'a mut S,
    storeroom: Storeroom,
    /// True if anything but latency can happen to messages.
    is_network_eventful: bool,
    /// The first line of the script that has not happened yet.
    script_line: usize,
    grants: u64,
    /// Turns that went ahead without a lock.
    turns: u64,
    /// How many events there were.
    events: u64,
    observer: O,
}

impl<'a, S: Store, O: Observer> World<'a, S, O> {
    /// The start of a run: every client thinks.
    pub(crate) fn new(rules: &'a Rules, seed: Seed, store: &'a mut S, observer: O) -> Self {
        let mut world = World {
            rules,
            agenda: Agenda::new(rules.clients as usize, rules.stop_time),
            lock: Lock::new(rules, seed),
            surroundings: Surroundings::new(seed),
            clients: (0..rules.clients).map(|number| Process::new(rules, seed, number)).collect(),
            store,
            storeroom: Storeroom::new(&rules.store, seed),
            is_network_eventful: is_network_eventful(rules),
            script_line: 0,
            grants: 0,
            turns: 0,
            events: 0,
            observer,
        };
        world.set_script_timer();
        world.set_lock_timers();
        world.set_store_timer();
        for client in (0..rules.clients).map(ClientId) {
            world.set_poisson_timer(client);
            world.set_crash_timer(client);
            world.set_cut_off_timer(client, Time::START);
            world.think(client);
        }
        world
    }

    /// Lets things happen until the run ends.
    pub(crate) fn run(mut self) -> Ended {
        let ended = loop {
            let Some(event) = self.agenda.next() else {
                break self.nothing_is_left();
            };
            self.happen(event);
            self.events += 1;
            if self.rules.stop_grants <= self.grants {
                break Ended::AtGrants;
            }
            if self.rules.most_events <= self.events {
                break Ended::TooManyEvents;
            }
        };
        self.observer.end(self.agenda.now());
        ended
    }

    /// Time still goes on to the end that was asked for, if there is one.
    fn nothing_is_left(&mut self) -> Ended {
        if self.rules.stop_time == Time::NEVER {
            return Ended::NothingLeft;
        }
        self.agenda.end();
        Ended::AtTime
    }

    /// The single match over all that can happen.
    #[inline(always)]
    fn happen(&mut self, event: Event) {
        match event {
            Event::LeaseEnds => self.lock_looks_at_its_clock(),
            Event::Script => self.script(),
            Event::Service(timer) => self.happen_to_a_service(timer),
            Event::Due(client, timer) => match timer {
                Timer::Step | Timer::Renew | Timer::Retry if self.is_held_up(client, event) => {}
                Timer::Step => self.step_is_over(client),
                Timer::Renew => self.renewal_is_due(client),
                Timer::CriticalPause => self.critical_section_pauses(client),
                Timer::PoissonPause => self.poisson_pauses(client),
                Timer::Resume => self.resume(client),
                Timer::CrashOrRestart => self.crash_or_restart(client),
                Timer::Retry => self.retry_is_due(client),
                Timer::CutOff => self.cut_off_by_chance(client),
            },
            Event::Arrives(message) => self.arrives(message),
        }
    }

    /// What happens to the lock service or the store.
    #[inline(never)]
    fn happen_to_a_service(&mut self, timer: ServiceTimer) {
        match timer {
            ServiceTimer::LockStalls => self.lock_stalls_by_chance(),
            ServiceTimer::LockGoesOn => self.lock_goes_on(),
            ServiceTimer::LockFailsOver => {
                self.lock_fails_over();
                self.set_fail_over_timer();
            }
            ServiceTimer::LockForgetsNumbers => {
                self.lock_forgets_numbers();
                self.set_forgetting_timer();
            }
            ServiceTimer::InstanceIsAway | ServiceTimer::InstanceClockIsSet => {
                self.instance_mishap_by_chance(timer);
            }
            ServiceTimer::StoreForgets => {
                self.store_forgets();
                self.set_store_timer();
            }
            ServiceTimer::WriteLands => self.write_lands(),
        }
    }

    /// A message reaches its receiver.
    #[inline(always)]
    fn arrives(&mut self, message: Message) {
        let Message { client, grant, body } = message;
        match body {
            // The store hears.
            Body::Read(token) => self.store_reads(client, grant, token),
            Body::Write(write) => self.store_writes(client, grant, write),
            // The lock service hears.
            Body::Ask | Body::Renew(..) | Body::AskIfCurrent(_) | Body::Release(_)
                if self.is_lock_held_up(message) => {}
            Body::Ask => self.lock_is_asked_for(client),
            Body::Renew(token, asked) => self.renewal_is_asked_for(client, token, asked),
            Body::AskIfCurrent(token) => self.token_is_asked_about(client, token),
            Body::Release(token) => self.lease_is_released(token),
            // A client hears.
            _ if self.is_held_up(client, Event::Arrives(message)) => {}
            Body::Granted(lease) => self.grant_is_heard(client, grant, lease),
            Body::Renewed(lease, asked) => self.extension_is_heard(client, lease, asked),
            Body::Lost(token) => self.loss_is_heard(client, token),
            Body::IfCurrent(token, is_current) => self.look_is_answered(client, token, is_current),
            // An answer to a turn that is over is of no use.
            Body::ReadAnswer(..) | Body::WriteAnswer(..)
                if grant != self.clients[client.index()].grant => {}
            Body::ReadAnswer(token, answer) => self.read_is_answered(client, token, answer),
            Body::WriteAnswer(token, answer) => self.write_is_answered(client, token, answer),
        }
    }

    #[inline]
    fn client(&mut self, id: ClientId) -> &mut Client {
        &mut self.clients[id.index()].client
    }

    /// What a client has to handle itself waits while it is paused, and is lost while it is down.
    fn is_held_up(&mut self, client: ClientId, event: Event) -> bool {
        let process = &mut self.clients[client.index()];
        if process.paused_until.is_some() {
            process.waiting.push(event);
            return true;
        }
        !process.is_alive
    }

    #[inline(always)]
    fn tell(&mut self, happening: Happening) {
        self.observer.observe(self.agenda.now(), &happening);
    }
}

/// True if anything but latency can happen to messages.
fn is_network_eventful(rules: &Rules) -> bool {
    let is_cut_off = |line: &ScriptLine| matches!(line, ScriptLine::CutOff(..));
    rules.network.is_eventful
        || rules.network.partitions.is_some()
        || rules.script.iter().any(|(_, line)| is_cut_off(line))
}

/// Sets a timer for what happens by chance, on average so long after `from`; not, if it never does.
fn set_by_chance(
    agenda: &mut Agenda,
    event: Event,
    from: Time,
    every: Option<Duration>,
    stream: &mut Stream,
) {
    if let Some(every) = every {
        agenda.set(event, from.later(exponential(every, stream)));
    }
}

fn exponential(mean: Duration, stream: &mut Stream) -> u64 {
    let unit: f64 = Exp1.sample(stream);
    (nanos(mean) as f64 * unit).round() as u64
}
