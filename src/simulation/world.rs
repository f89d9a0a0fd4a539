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
use crate::protocol::store::{Record, Refused, Store, Write};
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
    agenda: Agenda,
    lock: LockService,
    clients: Vec<Process>,
    store: &'a mut S,
    /// The first line of the script that has not happened yet.
    script_line: usize,
    grants: u64,
    /// How many events there were.
    events: u64,
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
            agenda: Agenda::new(rules.clients as usize, rules.stop_time),
            lock: LockService::new(rules.lease, rules.first_token),
            clients: (0..rules.clients).map(process).collect(),
            store,
            script_line: 0,
            grants: 0,
            events: 0,
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
            Event::Arrives(message) => self.arrives(message),
        }
    }

    /// A message reaches its receiver.
    #[inline(always)]
    fn arrives(&mut self, message: Message) {
        let Message { client, body } = message;
        match body {
            // The lock service hears.
            Body::Ask => self.lock_is_asked_for(client),
            Body::Renew(token, asked) => self.renewal_is_asked_for(client, token, asked),
            Body::AskIfCurrent(token) => self.token_is_asked_about(client, token),
            Body::Release(token) => self.lease_is_released(token),
            // The store hears.
            Body::Read(token) => self.store_reads(client, token),
            Body::Write(write) => self.store_writes(client, write),
            // A client hears.
            _ if self.is_held_up(client, Event::Arrives(message)) => {}
            Body::Granted(lease) => self.grant_is_heard(client, lease.token),
            Body::Renewed(token, asked) => self.client(client).renewed(token, asked),
            Body::Lost(token) => self.loss_is_heard(client, token),
            Body::IfCurrent(token, is_current) => self.look_is_answered(client, token, is_current),
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

    // What the lock service hears and does.

    fn lock_is_asked_for(&mut self, client: ClientId) {
        if let Some(lease) = self.lock.ask(client, self.agenda.now()) {
            self.grant(lease);
        }
    }

    fn renewal_is_asked_for(&mut self, client: ClientId, token: Token, asked: Time) {
        match self.lock.renew(token, self.agenda.now()) {
            Renewal::Extended(lease) => {
                self.tell(Happening::Renewed { lease });
                self.agenda.set(Event::LeaseEnds, lease.expires);
                self.send_last(client, Body::Renewed(token, asked));
            }
            Renewal::Lost => self.send_last(client, Body::Lost(token)),
        }
    }

    fn token_is_asked_about(&mut self, client: ClientId, token: Token) {
        let is_current = self.lock.is_current(token);
        self.send_last(client, Body::IfCurrent(token, is_current));
    }

    fn lease_is_released(&mut self, token: Token) {
        if let Some(ended) = self.lock.release(token, self.agenda.now()) {
            self.tell(Happening::Released { lease: ended.over });
            self.agenda.cancel(Event::LeaseEnds);
            if let Some(lease) = ended.next {
                self.grant(lease);
            }
        }
    }

    fn lease_ends(&mut self) {
        if let Some(ended) = self.lock.expire(self.agenda.now()) {
            self.tell(Happening::Expired { lease: ended.over });
            if let Some(lease) = ended.next {
                self.grant(lease);
            }
        }
    }

    fn grant(&mut self, lease: Lease) {
        self.grants += 1;
        self.tell(Happening::Granted { lease });
        self.agenda.set(Event::LeaseEnds, lease.expires);
        if self.grants < self.rules.stop_grants {
            self.send_last(lease.holder, Body::Granted(lease));
        } else {
            // The run ends here, before anybody hears of the grant.
            self.send(lease.holder, Body::Granted(lease));
        }
    }

    // What the store hears and does.

    fn store_reads(&mut self, client: ClientId, token: Token) {
        let answer = self.store.read(token);
        match answer {
            Ok(record) => self.tell(Happening::ReadServed { client, token, record }),
            Err(refused) => self.tell(Happening::ReadRefused { client, token, refused }),
        }
        self.send_last(client, Body::ReadAnswer(token, answer));
    }

    fn store_writes(&mut self, client: ClientId, write: Write) {
        let answer = self.store.write(write);
        match answer {
            Ok(()) => self.tell(Happening::WriteAccepted { client, write }),
            Err(refused) => self.tell(Happening::WriteRefused { client, write, refused }),
        }
        self.send_last(client, Body::WriteAnswer(write.token, answer));
    }

    // What a client hears.

    fn grant_is_heard(&mut self, id: ClientId, token: Token) {
        let now = self.agenda.now();
        let action = self.client(id).granted(token, now);
        if action != Action::Nothing {
            self.begin_critical_section(id, token);
        }
        self.act(id, action);
    }

    fn loss_is_heard(&mut self, id: ClientId, token: Token) {
        if self.client(id).believes() == Some(token) {
            self.agenda.cancel(Event::Due(id, Timer::Renew));
        }
        let action = self.client(id).lost(token);
        self.act(id, action);
    }

    fn look_is_answered(&mut self, id: ClientId, token: Token, is_current: bool) {
        let action = self.client(id).told_if_current(token, is_current);
        self.act(id, action);
    }

    fn read_is_answered(&mut self, id: ClientId, token: Token, answer: Result<Record, Refused>) {
        let action = self.client(id).read_answered(token, answer);
        self.act(id, action);
    }

    fn write_is_answered(&mut self, id: ClientId, token: Token, answer: Result<(), Refused>) {
        let action = self.client(id).write_answered(token, answer);
        self.act(id, action);
    }

    // What a client wants done.

    #[inline(always)]
    fn act(&mut self, id: ClientId, action: Action) {
        match action {
            Action::Nothing => {}
            Action::Ask => self.send_last(id, Body::Ask),
            Action::Read(token) => self.send_last(id, Body::Read(token)),
            Action::Work => self.work(id),
            Action::AskIfCurrent(token) => self.send_last(id, Body::AskIfCurrent(token)),
            Action::Commit => self.commit(id),
            Action::Write(write) => self.send_last(id, Body::Write(write)),
            Action::StartOver(token, ending) => self.start_over(id, token, ending),
        }
    }

    fn begin_critical_section(&mut self, id: ClientId, token: Token) {
        self.tell(Happening::Believes { client: id, token });
        let process = &mut self.clients[id.index()];
        process.section = process.chance.section(self.rules);
        if let Some(every) = self.rules.renew_every {
            self.agenda.set(Event::Due(id, Timer::Renew), self.agenda.now() + every);
        }
    }

    fn work(&mut self, id: ClientId) {
        let Section { work, commit, pause } = self.clients[id.index()].section;
        if let Some(token) = self.clients[id.index()].client.believes() {
            self.tell(Happening::Works { client: id, token });
        }
        // Work and commit of no length at all can still be paused, before the work is over.
        if let Some((after, _)) = pause.filter(|(after, _)| *after < work || work + commit == 0) {
            self.agenda.set(Event::Due(id, Timer::CriticalPause), self.agenda.now().later(after));
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
            return self.commit_is_over(id);
        }
        if let Some((after, _)) = pause.filter(|(after, _)| work <= *after) {
            self.agenda
                .set(Event::Due(id, Timer::CriticalPause), self.agenda.now().later(after - work));
        }
        self.set_step(id, Step::Commit, commit);
    }

    fn start_over(&mut self, id: ClientId, token: Token, ending: Ending) {
        self.tell(Happening::StopsBelieving { client: id, token, ending });
        for timer in [Timer::Renew, Timer::CriticalPause] {
            self.agenda.cancel(Event::Due(id, timer));
        }
        let (release, arrives) = self.leaves(id, Body::Release(token));
        let number = self.agenda.next_number();
        self.think(id);
        if ending == Ending::Wrote && self.agenda.would_be_next(arrives) {
            self.arrives_next(release);
        } else {
            // Also where every client is refused at once: there one release leads to the next, and
            // what happens without the agenda must come to an end.
            self.agenda.send(number, release, arrives);
        }
    }

    fn think(&mut self, id: ClientId) {
        let think = self.rules.think.nanos(&mut self.clients[id.index()].chance.think);
        self.set_step(id, Step::Think, think);
    }

    fn set_step(&mut self, id: ClientId, step: Step, nanos: u64) {
        self.clients[id.index()].step = step;
        self.agenda.set(Event::Due(id, Timer::Step), self.agenda.now().later(nanos));
    }

    fn step_is_over(&mut self, id: ClientId) {
        let now = self.agenda.now();
        let Process { client, step, .. } = &mut self.clients[id.index()];
        match step {
            Step::Think => {
                let action = client.think_over();
                self.act(id, action);
            }
            Step::Work => {
                let action = client.work_over(now);
                self.act(id, action);
            }
            Step::Commit => self.commit_is_over(id),
        }
    }

    fn commit_is_over(&mut self, id: ClientId) {
        let action = self.client(id).commit_over();
        self.act(id, action);
    }

    fn renewal_is_due(&mut self, id: ClientId) {
        let believes = self.clients[id.index()].client.believes();
        if let (Some(token), Some(every)) = (believes, self.rules.renew_every) {
            self.send(id, Body::Renew(token, self.agenda.now()));
            self.agenda.set(Event::Due(id, Timer::Renew), self.agenda.now() + every);
        }
    }

    // Pauses.

    /// The process stops. Work and commit will end so much later; all else that becomes due waits.
    fn pause(&mut self, id: ClientId, length: u64) {
        let process = &mut self.clients[id.index()];
        let until = self.agenda.now().later(length);
        let stands_until = process.paused_until.unwrap_or(self.agenda.now());
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
        let due = self.agenda.due(event);
        self.agenda.set(event, due + span);
    }

    /// The process goes on where it stopped, first with what has waited for it.
    fn resume(&mut self, id: ClientId) {
        self.clients[id.index()].paused_until = None;
        self.tell(Happening::Resumed { client: id });
        // What is sent meanwhile comes after all that has waited.
        self.agenda.disturb();
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
            self.agenda.set(Event::Due(id, Timer::PoissonPause), self.agenda.now().later(gap));
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
            self.agenda
                .set(Event::Due(id, Timer::CrashOrRestart), self.agenda.now() + restart_after);
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
            self.agenda.set(Event::Due(id, Timer::CrashOrRestart), self.agenda.now().later(gap));
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

    #[inline(always)]
    fn tell(&mut self, happening: Happening) {
        self.observer.observe(self.agenda.now(), &happening);
    }

    /// Sends a message.
    fn send(&mut self, client: ClientId, body: Body) {
        let (message, arrives) = self.leaves(client, body);
        let number = self.agenda.next_number();
        self.agenda.send(number, message, arrives);
    }

    /// Sends a message as the last thing that an event brings about. If it arrives at once, and
    /// nothing comes before it, then it is what happens next: let it, without the way through the
    /// agenda. Without latency nearly all messages are of this kind.
    #[inline(always)]
    fn send_last(&mut self, client: ClientId, body: Body) {
        let (message, arrives) = self.leaves(client, body);
        if self.agenda.would_be_next(arrives) {
            self.arrives_next(message);
        } else {
            let number = self.agenda.next_number();
            self.agenda.send(number, message, arrives);
        }
    }

    /// A message leaves. Says when it arrives.
    #[inline(always)]
    fn leaves(&mut self, client: ClientId, body: Body) -> (Message, Time) {
        let latency = self.rules.latency.nanos(&mut self.clients[client.index()].chance.latency);
        let (message, arrives) = (Message { client, body }, self.agenda.now().later(latency));
        self.tell(Happening::Sent { message, arrives });
        (message, arrives)
    }

    #[inline(always)]
    fn arrives_next(&mut self, message: Message) {
        self.events += 1;
        self.arrives(message);
    }
}

fn exponential(mean: Duration, stream: &mut Stream) -> u64 {
    let unit: f64 = Exp1.sample(stream);
    (nanos(mean) as f64 * unit).round() as u64
}
