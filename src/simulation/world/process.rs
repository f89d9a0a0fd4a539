//! A client's process: the client itself, and what the world does to it.

use crate::chance::seed::{Purpose, Seed, Stream};
use crate::protocol::client::Client;
use crate::simulation::event::Event;
use crate::simulation::scenario::Rules;
use crate::time::Time;
use crate::time::clock::Clock;
use rand::RngExt;

/// A client's process: the client itself, and what the world does to it.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) client: Client,
    pub(super) chance: Chance,
    /// What it reads the time from.
    pub(super) clock: Clock,
    /// The number of the grant under which it acts, which it does not know.
    pub(super) grant: u64,
    /// What the step timer is for.
    pub(super) step: Step,
    /// Set while the process is paused.
    pub(super) paused_until: Option<Time>,
    /// When the pause began.
    pub(super) paused_since: Time,
    /// What became due during a pause, in order.
    pub(super) waiting: Vec<Event>,
    pub(super) is_alive: bool,
    /// Until then nothing that it sends to the lock service arrives.
    pub(super) cut_off_until: Time,
    /// The chances of the critical section it is in.
    pub(super) section: Section,
}

/// What a client's step timer is for. Work and commit make no progress in a pause, while the end of
/// thinking comes when it comes and waits for the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Think,
    Work,
    Commit,
}

/// The spans of one critical section, drawn at once at its beginning, in nanoseconds. So the n-th
/// critical section of a client is the same whatever becomes of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Section {
    pub(super) work: u64,
    pub(super) commit: u64,
    /// After so much work and commit there is a pause of this length.
    pub(super) pause: Option<(u64, u64)>,
}

/// The streams of one client.
#[derive(Debug)]
pub(super) struct Chance {
    pub(super) think: Stream,
    pub(super) latency: Stream,
    pub(super) poisson: Stream,
    pub(super) crash: Stream,
    pub(super) network: Stream,
    pub(super) cut_off: Stream,
    work: Stream,
    commit: Stream,
    critical_section: Stream,
}

impl Process {
    /// A process at the start of a run.
    pub(super) fn new(rules: &Rules, seed: Seed, number: u32) -> Process {
        Process {
            client: Process::client(rules),
            chance: Chance::new(seed, number),
            clock: rules.clocks.clients,
            grant: 0,
            step: Step::Think,
            paused_until: None,
            paused_since: Time::START,
            waiting: Vec::new(),
            is_alive: true,
            cut_off_until: Time::START,
            section: Section::default(),
        }
    }

    /// A client that knows nothing yet.
    pub(super) fn client(rules: &Rules) -> Client {
        let client = Client::new(rules.lease, rules.look, rules.on_lost);
        client.with_measure(rules.clocks.measure)
    }
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
            network: stream(Purpose::Network),
            cut_off: stream(Purpose::CutOff),
        }
    }

    pub(super) fn section(&mut self, rules: &Rules) -> Section {
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
