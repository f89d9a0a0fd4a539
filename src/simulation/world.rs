//! The world: the one loop that moves time.
//!
//! It lets things happen in their order, tells the observer, and does what the protocol's methods
//! return. It decides nothing itself but what chance and the clock decide: how long something takes
//! and who is paused.

use super::event::{Event, Timer};
use super::queue::Agenda;
use super::scenario::{Rules, ScriptLine};
use super::trace::{Happening, Observer};
use crate::chance::seed::{Purpose, Seed, Stream};
use crate::protocol::client::{Action, Client, Ending};
use crate::protocol::lease::{ClientId, Lease, Token};
use crate::protocol::lock::{LockService, Renewal};
use crate::protocol::message::{Body, Message};
use crate::protocol::store::Store;
use crate::time::{Time, nanos};
use rand::RngExt;
use rand_distr::{Distribution, Exp1};
use serde::{Deserialize, Serialize};
use std::time::Duration;

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
    now: Time,
    agenda: Agenda,
    lock: LockService,
    clients: Vec<Process>,
    store: &'a mut S,
    /// The first line of the script that has not happened yet.
    script_line: usize,
    grants: u64,
    observer: O,
}

/// A client's process: the client itself, and what the world does to it.
#[derive(Debug)]
struct Process {
    client: Client,
    chance: Chance,
    /// What the step timer is for.
    step: Step,
    /// Set while the process is paused.
    paused_until: Option<Time>,
    /// What became due during a pause, in order.
    waiting: Vec<Event>,
    is_alive: bool,
    /// The chances of the critical section it is in.
    section: Section,
}

/// What a client's step timer is for. Work and commit make no progress in a pause, while the end of
/// thinking comes when it comes and waits for the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Think,
    Work,
    Commit,
}

/// The spans of one critical section, drawn at once at its beginning, in nanoseconds. So the n-th
/// critical section of a client is the same whatever becomes of it.
#[derive(Clone, Copy, Debug, Default)]
struct Section {
    work: u64,
    commit: u64,
    /// After so much work and commit there is a pause of this length.
    pause: Option<(u64, u64)>,
}

/// The streams of one client.
#[derive(Debug)]
struct Chance {
    think: Stream,
    work: Stream,
    commit: Stream,
    latency: Stream,
    critical_section: Stream,
    poisson: Stream,
    crash: Stream,
}

impl Chance {
    fn new(seed: Seed, client: u32) -> Chance {
        let stream = |purpose| seed.stream(purpose, client);
        Chance {
            think: stream(Purpose::Think),
            work: stream(Purpose::Work),
            commit: stream(Purpose::Commit),
            latency: stream(Purpose::Latency),
            critical_section: stream(Purpose::CriticalSection),
            poisson: stream(Purpose::Poisson),
            crash: stream(Purpose::Crash),
        }
    }

    fn section(&mut self, rules: &Rules) -> Section {
        let work = rules.work.nanos(&mut self.work);
        let commit = rules.commit.nanos(&mut self.commit);
        let Some(pause) = &rules.critical_section else {
            return Section { work, commit, pause: None };
        };
        let chance: f64 = self.critical_section.random();
        let pause = (chance < pause.probability).then(|| {
            let point: f64 = self.critical_section.random();
            let length = pause.length.nanos(&mut self.critical_section);
            (((work + commit) as f64 * point) as u64, length)
        });
        Section { work, commit, pause }
    }
}

impl<'a, S: Store, O: Observer> World<'a, S, O> {
    /// The start of a run: every client thinks.
    pub(crate) fn new(rules: &'a Rules, seed: Seed, store: &'a mut S, observer: O) -> Self {
        let process = |number| Process {
            client: Client::new(rules.lease, rules.look, rules.on_lost),
            chance: Chance::new(seed, number),
            step: Step::Think,
            paused_until: None,
            waiting: Vec::new(),
            is_alive: true,
            section: Section::default(),
        };
        let mut world = World {
            rules,
            now: Time::START,
            agenda: Agenda::new(rules.clients as usize),
            lock: LockService::new(rules.lease, rules.first_token),
            clients: (0..rules.clients).map(process).collect(),
            store,
            script_line: 0,
            grants: 0,
            observer,
        };
        world.set_script_timer();
        for number in 0..rules.clients {
            world.set_poisson_timer(ClientId(number));
            world.set_crash_timer(ClientId(number));
            world.think(ClientId(number));
        }
        world
    }

    /// Lets things happen until the run ends.
    pub(crate) fn run(mut self) -> Ended {
        let mut events = 0;
        let ended = loop {
            let Some((at, event)) = self.agenda.next(self.now) else {
                break self.nothing_is_left();
            };
            if self.rules.stop_time <= at {
                self.now = self.rules.stop_time;
                break Ended::AtTime;
            }
            self.now = at;
            self.happen(event);
            events += 1;
            if self.rules.stop_grants <= self.grants {
                break Ended::AtGrants;
            }
            if events == self.rules.most_events {
                break Ended::TooManyEvents;
            }
        };
        self.observer.end(self.now);
        ended
    }

    /// Time still goes on to the end that was asked for, if there is one.
    fn nothing_is_left(&mut self) -> Ended {
        if self.rules.stop_time == Time::NEVER {
            return Ended::NothingLeft;
        }
        self.now = self.rules.stop_time;
        Ended::AtTime
    }

    /// The single match over all that can happen.
    fn happen(&mut self, event: Event) {
        match event {
            Event::LeaseEnds => self.lease_ends(),
            Event::Script => self.script(),
            Event::Due(client, timer) => match timer {
                Timer::Step | Timer::Renew if self.is_held_up(client, event) => {}
                Timer::Step => self.step_is_over(client),
                Timer::Renew => self.renewal_is_due(client),
                Timer::CriticalPause => self.critical_section_pauses(client),
                Timer::PoissonPause => self.poisson_pauses(client),
                Timer::Resume => self.resume(client),
                Timer::CrashOrRestart => self.crash_or_restart(client),
            },
            Event::Arrives(Message { client, body }) => match body {
                Body::Ask | Body::Renew(..) | Body::AskIfCurrent(_) | Body::Release(_) => {
                    self.lock_service_hears(client, body);
                }
                Body::Read(_) | Body::Write(_) => self.store_hears(client, body),
                _ if self.is_held_up(client, event) => {}
                _ => self.client_hears(client, body),
            },
        }
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

    // What the three kinds of parties do with what they hear.

    fn lock_service_hears(&mut self, client: ClientId, body: Body) {
        match body {
            Body::Ask => {
                let lease = self.lock.ask(client, self.now);
                self.tell_grant(lease);
            }
            Body::Renew(token, asked) => match self.lock.renew(token, self.now) {
                Renewal::Extended(lease) => {
                    self.tell(Happening::Renewed { lease });
                    self.agenda.set(Event::LeaseEnds, lease.expires);
                    self.send(client, Body::Renewed(token, asked));
                }
                Renewal::Lost => self.send(client, Body::Lost(token)),
            },
            Body::AskIfCurrent(token) => {
                let is_current = self.lock.is_current(token);
                self.send(client, Body::IfCurrent(token, is_current));
            }
            Body::Release(token) => {
                if let Some(ended) = self.lock.release(token, self.now) {
                    self.tell(Happening::Released { lease: ended.over });
                    self.agenda.cancel(Event::LeaseEnds);
                    self.tell_grant(ended.next);
                }
            }
            _ => unreachable!("not a message to the lock service"),
        }
    }

    fn lease_ends(&mut self) {
        if let Some(ended) = self.lock.expire(self.now) {
            self.tell(Happening::Expired { lease: ended.over });
            self.tell_grant(ended.next);
        }
    }

    fn tell_grant(&mut self, lease: Option<Lease>) {
        let Some(lease) = lease else { return };
        self.grants += 1;
        self.tell(Happening::Granted { lease });
        self.agenda.set(Event::LeaseEnds, lease.expires);
        self.send(lease.holder, Body::Granted(lease));
    }

    fn store_hears(&mut self, client: ClientId, body: Body) {
        match body {
            Body::Read(token) => {
                let answer = self.store.read(token);
                self.tell(match answer {
                    Ok(record) => Happening::ReadServed { client, token, record },
                    Err(refused) => Happening::ReadRefused { client, token, refused },
                });
                self.send(client, Body::ReadAnswer(token, answer));
            }
            Body::Write(write) => {
                let answer = self.store.write(write);
                self.tell(match answer {
                    Ok(()) => Happening::WriteAccepted { client, write },
                    Err(refused) => Happening::WriteRefused { client, write, refused },
                });
                self.send(client, Body::WriteAnswer(write.token, answer));
            }
            _ => unreachable!("not a message to the store"),
        }
    }

    fn client_hears(&mut self, id: ClientId, body: Body) {
        let client = &mut self.clients[id.index()].client;
        let action = match body {
            Body::Granted(lease) => {
                let action = client.granted(lease.token, self.now);
                if action != Action::Nothing {
                    self.begin_critical_section(id, lease.token);
                }
                action
            }
            Body::Renewed(token, asked) => {
                client.renewed(token, asked);
                Action::Nothing
            }
            Body::Lost(token) => {
                if client.believes() == Some(token) {
                    self.agenda.cancel(Event::Due(id, Timer::Renew));
                }
                client.lost(token)
            }
            Body::IfCurrent(token, is_current) => client.told_if_current(token, is_current),
            Body::ReadAnswer(token, answer) => client.read_answered(token, answer),
            Body::WriteAnswer(token, answer) => client.write_answered(token, answer),
            _ => unreachable!("not a message to a client"),
        };
        self.act(id, action);
    }

    // What a client wants done.

    fn act(&mut self, id: ClientId, action: Action) {
        match action {
            Action::Nothing => {}
            Action::Ask => self.send(id, Body::Ask),
            Action::Read(token) => self.send(id, Body::Read(token)),
            Action::Work => self.work(id),
            Action::AskIfCurrent(token) => self.send(id, Body::AskIfCurrent(token)),
            Action::Commit => self.commit(id),
            Action::Write(write) => self.send(id, Body::Write(write)),
            Action::StartOver(token, ending) => self.start_over(id, token, ending),
        }
    }

    fn begin_critical_section(&mut self, id: ClientId, token: Token) {
        self.tell(Happening::Believes { client: id, token });
        let process = &mut self.clients[id.index()];
        process.section = process.chance.section(self.rules);
        if let Some(every) = self.rules.renew_every {
            self.agenda.set(Event::Due(id, Timer::Renew), self.now + every);
        }
    }

    fn work(&mut self, id: ClientId) {
        let Section { work, commit, pause } = self.clients[id.index()].section;
        if let Some(token) = self.clients[id.index()].client.believes() {
            self.tell(Happening::Works { client: id, token });
        }
        // Work and commit of no length at all can still be paused, before the work is over.
        if let Some((after, _)) = pause.filter(|(after, _)| *after < work || work + commit == 0) {
            self.agenda.set(Event::Due(id, Timer::CriticalPause), self.now.later(after));
        }
        self.set_step(id, Step::Work, work);
    }

    fn commit(&mut self, id: ClientId) {
        let Section { work, commit, pause } = self.clients[id.index()].section;
        if let Some(token) = self.clients[id.index()].client.believes() {
            self.tell(Happening::Commits { client: id, token });
        }
        if commit == 0 {
            // The write leaves at the very instant of the look: nothing can come between.
            let action = self.clients[id.index()].client.commit_over();
            return self.act(id, action);
        }
        if let Some((after, _)) = pause.filter(|(after, _)| work <= *after) {
            self.agenda.set(Event::Due(id, Timer::CriticalPause), self.now.later(after - work));
        }
        self.set_step(id, Step::Commit, commit);
    }

    fn start_over(&mut self, id: ClientId, token: Token, ending: Ending) {
        self.tell(Happening::StopsBelieving { client: id, token, ending });
        for timer in [Timer::Step, Timer::Renew, Timer::CriticalPause] {
            self.agenda.cancel(Event::Due(id, timer));
        }
        self.send(id, Body::Release(token));
        self.think(id);
    }

    fn think(&mut self, id: ClientId) {
        let think = self.rules.think.nanos(&mut self.clients[id.index()].chance.think);
        self.set_step(id, Step::Think, think);
    }

    fn set_step(&mut self, id: ClientId, step: Step, nanos: u64) {
        self.clients[id.index()].step = step;
        self.agenda.set(Event::Due(id, Timer::Step), self.now.later(nanos));
    }

    fn step_is_over(&mut self, id: ClientId) {
        let Process { client, step, .. } = &mut self.clients[id.index()];
        let action = match step {
            Step::Think => client.think_over(),
            Step::Work => client.work_over(self.now),
            Step::Commit => client.commit_over(),
        };
        self.act(id, action);
    }

    fn renewal_is_due(&mut self, id: ClientId) {
        let believes = self.clients[id.index()].client.believes();
        if let (Some(token), Some(every)) = (believes, self.rules.renew_every) {
            self.send(id, Body::Renew(token, self.now));
            self.agenda.set(Event::Due(id, Timer::Renew), self.now + every);
        }
    }

    // Pauses.

    /// The process stops. Work and commit will end so much later; all else that becomes due waits.
    fn pause(&mut self, id: ClientId, length: u64) {
        let process = &mut self.clients[id.index()];
        let until = self.now.later(length);
        let stands_until = process.paused_until.unwrap_or(self.now);
        if !process.is_alive || until <= stands_until {
            return;
        }
        process.paused_until = Some(until);
        let is_working = process.client.believes().is_some();
        let longer = until - stands_until;
        self.tell(Happening::Paused { client: id, until });
        self.agenda.set(Event::Due(id, Timer::Resume), until);
        if is_working {
            self.put_off(Event::Due(id, Timer::CriticalPause), longer);
            self.put_off(Event::Due(id, Timer::Step), longer);
        }
    }

    fn put_off(&mut self, event: Event, span: Duration) {
        if let Some(due) = self.agenda.due(event) {
            self.agenda.set(event, due + span);
        }
    }

    /// The process goes on where it stopped, first with what has waited for it.
    fn resume(&mut self, id: ClientId) {
        self.clients[id.index()].paused_until = None;
        self.tell(Happening::Resumed { client: id });
        let mut waiting = std::mem::take(&mut self.clients[id.index()].waiting);
        for event in waiting.drain(..) {
            self.happen(event);
        }
        self.clients[id.index()].waiting = waiting;
    }

    fn critical_section_pauses(&mut self, id: ClientId) {
        if let Some((_, length)) = self.clients[id.index()].section.pause {
            self.pause(id, length);
        }
    }

    fn poisson_pauses(&mut self, id: ClientId) {
        if let Some((_, length)) = &self.rules.poisson {
            let length = length.nanos(&mut self.clients[id.index()].chance.poisson);
            self.pause(id, length);
        }
        self.set_poisson_timer(id);
    }

    fn set_poisson_timer(&mut self, id: ClientId) {
        if let Some((every, _)) = &self.rules.poisson {
            let gap = exponential(*every, &mut self.clients[id.index()].chance.poisson);
            self.agenda.set(Event::Due(id, Timer::PoissonPause), self.now.later(gap));
        }
    }

    // Crashes.

    fn crash_or_restart(&mut self, id: ClientId) {
        if self.clients[id.index()].is_alive {
            self.crash(id);
        } else {
            self.restart(id);
        }
    }

    /// The process is gone with all it knew; what arrives while it is down is lost. The lock
    /// service does not learn of it: what it held stays held, and where it waited it still waits.
    fn crash(&mut self, id: ClientId) {
        let process = &mut self.clients[id.index()];
        if !process.is_alive {
            return;
        }
        let token = process.client.believes();
        process.is_alive = false;
        process.paused_until = None;
        process.waiting.clear();
        process.client = Client::new(self.rules.lease, self.rules.look, self.rules.on_lost);
        for timer in Timer::ALL {
            self.agenda.cancel(Event::Due(id, timer));
        }
        self.tell(Happening::Crashed { client: id, token });
        if let Some(restart_after) = self.rules.restart_after {
            self.agenda.set(Event::Due(id, Timer::CrashOrRestart), self.now + restart_after);
        }
    }

    fn restart(&mut self, id: ClientId) {
        self.clients[id.index()].is_alive = true;
        self.tell(Happening::Restarted { client: id });
        self.set_poisson_timer(id);
        self.set_crash_timer(id);
        self.think(id);
    }

    fn set_crash_timer(&mut self, id: ClientId) {
        if let Some(every) = self.rules.crash_every {
            let gap = exponential(every, &mut self.clients[id.index()].chance.crash);
            self.agenda.set(Event::Due(id, Timer::CrashOrRestart), self.now.later(gap));
        }
    }

    // The script.

    fn script(&mut self) {
        match self.rules.script[self.script_line].1 {
            ScriptLine::Pause(client, length) => self.pause(client, nanos(length)),
            ScriptLine::Crash(client) => self.crash(client),
        }
        self.script_line += 1;
        self.set_script_timer();
    }

    fn set_script_timer(&mut self) {
        if let Some((at, _)) = self.rules.script.get(self.script_line) {
            self.agenda.set(Event::Script, *at);
        }
    }

    // Telling and sending.

    #[inline]
    fn tell(&mut self, happening: Happening) {
        self.observer.observe(self.now, &happening);
    }

    fn send(&mut self, client: ClientId, body: Body) {
        let latency = self.rules.latency.nanos(&mut self.clients[client.index()].chance.latency);
        let (message, arrives) = (Message { client, body }, self.now.later(latency));
        self.tell(Happening::Sent { message, arrives });
        self.agenda.send(message, self.now, arrives);
    }
}

fn exponential(mean: Duration, stream: &mut Stream) -> u64 {
    let unit: f64 = Exp1.sample(stream);
    (nanos(mean) as f64 * unit).round() as u64
}
