//! The scenario: all that can be set about a run.
//!
//! A plain struct of public fields with named baselines; the module [`file`](mod@super::file) reads
//! and writes it. What goes beyond lease, times and pauses is in tables of its own:
//!
//! - [`lock`]: what kind of lock service there is.
//! - [`mod@store`]: what kind of store.
//! - [`network`]: what happens to messages.
//! - [`clocks`]: which clocks are not right.
//! - [`moments`]: when such things happen.

pub mod clocks;
pub mod lock;
pub mod moments;
pub mod network;
pub mod store;

use crate::chance::delay::{Delay, DelayError, Sampler};
use crate::chance::pause::{Crashes, CriticalSectionPause, Pauses, PoissonPause, ScriptedPause};
use crate::protocol::client::{Look, OnLost};
use crate::protocol::lease::{ClientId, Token};
use crate::protocol::store::TokenCheck;
use crate::time::{LONGEST, Time, millis, secs, span};
use clocks::{ClockRules, ClockStep, Clocks, Way};
use lock::{LockKind, LockRules, LockSetup};
use network::{Network, NetworkRules};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;
use store::{ScenarioStore, StoreRules, StoreSetup};

/// All that can be set about a run.
///
/// ```
/// use fencing::prelude::*;
///
/// let longer_lease = Scenario { lease: secs(40), ..Scenario::baseline() };
/// let outcome = run(&longer_lease, Seed(1))?;
/// assert_eq!(outcome.grants, 10_000);
/// # Ok::<(), ScenarioError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scenario {
    /// How many clients want the lock, 1 to [`MOST_CLIENTS`].
    pub clients: u32,
    /// L, how long a lease lasts from its grant or last renewal, above zero.
    #[serde(with = "span")]
    pub lease: Duration,
    /// R, how often a holder renews its lease, above zero. Absent: never.
    #[serde(with = "span::optional", skip_serializing_if = "Option::is_none")]
    pub renew_every: Option<Duration>,
    /// What a client does on hearing that its lease is lost.
    pub on_lost: OnLost,
    /// The last look before the write.
    pub look: Look,
    /// Which requests the store checks for their token.
    pub token_check: TokenCheck,
    /// The token of the first grant, 1 to 2⁶². Each grant's is one higher.
    pub first_token: Token,
    /// Time between two turns of a client.
    pub think: Delay,
    /// How long a client waits after a refusal before it starts over. Absent: it thinks, as after
    /// every turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backoff: Option<Delay>,
    /// Time from the read to the look before the write.
    pub work: Delay,
    /// Time from that look to the moment the write leaves.
    pub commit: Delay,
    /// Time that each message is on its way, one way.
    pub latency: Delay,
    /// When clients are paused.
    pub pauses: Pauses,
    /// When clients crash.
    pub crashes: Crashes,
    /// What kind of lock service there is, and what can go wrong in it.
    pub lock: LockSetup,
    /// What kind of store there is, beside its token check, and what can go wrong in it.
    pub store: StoreSetup,
    /// What can happen to messages on their way.
    pub network: Network,
    /// Which clocks are not right.
    pub clocks: Clocks,
    /// When the run ends.
    pub stop: Stop,
}

/// The most clients that a scenario may have.
pub const MOST_CLIENTS: u32 = 1_000;

/// When a run ends: at a number of grants or at a time, whichever comes first. At least one is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stop {
    /// At the moment of this grant, 1 and up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grants: Option<u64>,
    /// So long after the start.
    #[serde(with = "span::optional", skip_serializing_if = "Option::is_none")]
    pub time: Option<Duration>,
}

impl Stop {
    /// The run ends at the moment of this grant.
    #[must_use]
    pub fn at_grants(grants: u64) -> Stop {
        Stop { grants: Some(grants), time: None }
    }

    /// The run ends so long after its start.
    #[must_use]
    pub fn at_time(time: Duration) -> Stop {
        Stop { grants: None, time: Some(time) }
    }
}

/// The baseline.
impl Default for Scenario {
    fn default() -> Scenario {
        Scenario::baseline()
    }
}

impl Scenario {
    /// The scenario that all measurements start from: three clients that hardly think, work for two
    /// seconds on average under a lease of ten, and in one critical section of twenty are paused
    /// for some seconds. No latency, no renewal, no check.
    #[must_use]
    pub fn baseline() -> Scenario {
        Scenario {
            clients: 3,
            lease: secs(10),
            renew_every: None,
            on_lost: OnLost::Ignore,
            look: Look::Never,
            token_check: TokenCheck::Never,
            first_token: Token(1),
            think: Delay::exponential(millis(100)),
            backoff: None,
            work: Delay::exponential(secs(2)),
            commit: Delay::ZERO,
            latency: Delay::ZERO,
            pauses: Pauses::critical_section(0.05, Delay::log_normal(secs(3), 1.2)),
            crashes: Crashes::none(),
            lock: LockSetup::default(),
            store: StoreSetup::default(),
            network: Network::default(),
            clocks: Clocks::default(),
            stop: Stop::at_grants(10_000),
        }
    }

    /// The story of the workbook. A is granted a lease of ten seconds with token 33 and is paused
    /// for eleven. Its lease expires; B is granted the lock with token 34, reads, works and writes.
    /// A wakes, finishes its work, and writes as well.
    #[must_use]
    pub fn incident() -> Scenario {
        Scenario {
            clients: 2,
            first_token: Token(33),
            think: Delay::constant(secs(2)),
            work: Delay::constant(secs(2)),
            latency: Delay::constant(millis(100)),
            pauses: Pauses::script([ScriptedPause::new(0, secs(3), secs(11))]),
            stop: Stop::at_time(secs(16)),
            ..Scenario::baseline()
        }
    }

    /// Checks every field, and prepares what a run needs.
    ///
    /// # Errors
    /// [`ScenarioError`] for the first field that is not allowed.
    pub(crate) fn check(&self) -> Result<Rules, ScenarioError> {
        between("clients", self.clients, 1..=MOST_CLIENTS.into())?;
        between("first_token", self.first_token.0, 1..=1 << 62)?;
        not_zero("lease", Some(self.lease))?;
        not_zero("renew_every", self.renew_every)?;
        not_zero("crashes.every", self.crashes.every)?;
        let (stop_grants, stop_time) = (self.stop.grants, self.stop.time);
        match self.stop {
            Stop { grants: None, time: None } => {
                let allowed = "name grants or time, such as grants = 10000";
                return Err(ScenarioError::field("stop", "empty", allowed));
            }
            Stop { grants: Some(0), .. } => {
                return Err(ScenarioError::field("stop.grants", 0, "be 1 or more"));
            }
            Stop { time: None, .. } if self.lock.kind == LockKind::None => {
                let allowed = "be set where there is no lock, and so no grant to count";
                return Err(ScenarioError::field("stop.time", "absent", allowed));
            }
            Stop { time, .. } => not_zero("stop.time", time)?,
        }
        Ok(Rules {
            clients: self.clients,
            lease: self.lease,
            renew_every: self.renew_every,
            on_lost: self.on_lost,
            look: self.look,
            first_token: self.first_token,
            think: sampler("think", &self.think)?,
            backoff: self.backoff.as_ref().map(|it| sampler("backoff", it)).transpose()?,
            work: sampler("work", &self.work)?,
            commit: sampler("commit", &self.commit)?,
            latency: sampler("latency", &self.latency)?,
            critical_section: self.pauses.critical_section.as_ref().map(checked).transpose()?,
            poisson: self.pauses.poisson.as_ref().map(checked_poisson).transpose()?,
            crash_every: self.crashes.every,
            restart_after: self.crashes.restart_after,
            lock: self.lock.check()?,
            store: self.store.check(self.token_check)?,
            network: self.network.check()?,
            clocks: self.clocks.check()?,
            script: self.script()?,
            stop_grants: stop_grants.unwrap_or(u64::MAX),
            stop_time: stop_time.map_or(Time::NEVER, |span| Time::START + span),
            most_events: most_events(stop_grants, self.clients),
        })
    }

    /// The store that it asks for.
    pub(crate) fn new_store(&self) -> ScenarioStore {
        ScenarioStore::new(&self.store, self.token_check)
    }

    /// All that happens at given times, in the order of their times; at one time, pauses first.
    fn script(&self) -> Result<Vec<(Time, ScriptLine)>, ScenarioError> {
        let mut script = Vec::new();
        let mut add = |at: Duration, line| script.push((Time::START + at, line));
        for (line, pause) in self.pauses.script.iter().enumerate() {
            let field = format!("pauses.script[{line}]");
            let who = client_number(&field, pause.client, self.clients)?;
            add(pause.at, ScriptLine::Pause(who, pause.length));
        }
        for (line, crash) in self.crashes.script.iter().enumerate() {
            let field = format!("crashes.script[{line}]");
            let who = client_number(&field, crash.client, self.clients)?;
            add(crash.at, ScriptLine::Crash(who));
        }
        for (of, spell) in
            self.network.partitions.lines("network.partitions", Some(self.clients))?
        {
            add(spell.at, ScriptLine::CutOff(ClientId(of), spell.length));
        }
        for (_, spell) in self.lock.stalls.lines("lock.stalls", None)? {
            add(spell.at, ScriptLine::LockStalls(spell.length));
        }
        for (moments, line) in [
            (&self.lock.fails_over, ScriptLine::LockFailsOver),
            (&self.lock.forgets_numbers, ScriptLine::LockForgetsNumbers),
            (&self.store.forgets, ScriptLine::StoreForgets),
        ] {
            moments.at.iter().for_each(|at| add(*at, line));
        }
        if let LockKind::Majority(majority) = &self.lock.kind {
            let known = Some(majority.instances);
            for (of, spell) in majority.outages.lines("lock.kind.majority.outages", known)? {
                add(spell.at, ScriptLine::InstanceIsAway(of, spell.length));
            }
            for (of, spell) in majority.steps.lines("lock.kind.majority.steps", known)? {
                add(spell.at, ScriptLine::InstanceClockIsSet(of, spell.length));
            }
        }
        for ClockStep { client, at, by, way } in self.clocks.steps(self.clients)? {
            add(*at, ScriptLine::ClockIsSet(client.map(ClientId), *by, *way));
        }
        script.sort_by_key(|(at, _)| *at);
        Ok(script)
    }
}

/// A checked scenario, ready to run.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) clients: u32,
    pub(crate) lease: Duration,
    pub(crate) renew_every: Option<Duration>,
    pub(crate) on_lost: OnLost,
    pub(crate) look: Look,
    pub(crate) first_token: Token,
    pub(crate) think: Sampler,
    pub(crate) backoff: Option<Sampler>,
    pub(crate) work: Sampler,
    pub(crate) commit: Sampler,
    pub(crate) latency: Sampler,
    pub(crate) critical_section: Option<CriticalSection>,
    /// Mean time between pauses, and their length.
    pub(crate) poisson: Option<(Duration, Sampler)>,
    pub(crate) crash_every: Option<Duration>,
    pub(crate) restart_after: Option<Duration>,
    pub(crate) lock: LockRules,
    pub(crate) store: StoreRules,
    pub(crate) network: NetworkRules,
    pub(crate) clocks: ClockRules,
    /// In the order of time.
    pub(crate) script: Vec<(Time, ScriptLine)>,
    /// The largest number where no number of grants was asked for.
    pub(crate) stop_grants: u64,
    /// Never, where no time was asked for.
    pub(crate) stop_time: Time,
    /// The bound that ends a run which would never reach its stop.
    pub(crate) most_events: u64,
}

/// How often, and how long, a critical section is paused.
#[derive(Debug)]
pub(crate) struct CriticalSection {
    pub(crate) probability: f64,
    pub(crate) length: Sampler,
}

/// Something that happens at a given time, because a story says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScriptLine {
    Pause(ClientId, Duration),
    Crash(ClientId),
    /// What this client sends to the lock service does not arrive for so long.
    CutOff(ClientId, Duration),
    LockStalls(Duration),
    LockFailsOver,
    LockForgetsNumbers,
    StoreForgets,
    /// The clock of a client, or of the lock service, is set to another time.
    ClockIsSet(Option<ClientId>, Duration, Way),
    /// An instance of a majority is out of reach for so long.
    InstanceIsAway(u32, Duration),
    /// The clock of an instance of a majority is set forward.
    InstanceClockIsSet(u32, Duration),
}

/// A turn takes some twelve events and a client a few more; a run that needs a thousand times that
/// is not getting anywhere. Where only a time is set, a billion events must do.
fn most_events(grants: Option<u64>, clients: u32) -> u64 {
    let for_grants = |grants: u64| {
        grants.saturating_mul(10_000).saturating_add(1_000_000 + 1_000 * u64::from(clients))
    };
    grants.map_or(1_000_000_000, for_grants)
}

fn sampler(field: &str, delay: &Delay) -> Result<Sampler, ScenarioError> {
    delay.sampler().map_err(|error| ScenarioError::within(field, error))
}

fn checked(pause: &CriticalSectionPause) -> Result<CriticalSection, ScenarioError> {
    probability("pauses.critical_section.probability", pause.probability)?;
    let length = sampler("pauses.critical_section.length", &pause.length)?;
    Ok(CriticalSection { probability: pause.probability, length })
}

fn checked_poisson(pause: &PoissonPause) -> Result<(Duration, Sampler), ScenarioError> {
    not_zero("pauses.poisson.every", Some(pause.every))?;
    Ok((pause.every, sampler("pauses.poisson.length", &pause.length)?))
}

fn probability(field: &str, given: f64) -> Result<(), ScenarioError> {
    if (0.0..=1.0).contains(&given) {
        return Ok(());
    }
    Err(ScenarioError::field(field, given, "be a number from 0 to 1"))
}

/// The client with this number, one of so many.
fn client_number(field: &str, number: u32, clients: u32) -> Result<ClientId, ScenarioError> {
    let last = clients.saturating_sub(1).into();
    between(&format!("{field}.client"), number, 0..=last).map(|()| ClientId(number))
}

fn between(
    field: &str,
    given: impl Into<u64>,
    allowed: RangeInclusive<u64>,
) -> Result<(), ScenarioError> {
    let (given, least, most) = (given.into(), *allowed.start(), *allowed.end());
    if allowed.contains(&given) {
        return Ok(());
    }
    let allowed = if least == most {
        format!("be {least}")
    } else {
        format!("be a whole number from {least} to {most}")
    };
    Err(ScenarioError::field(field, given, &allowed))
}

/// A span that is given must be longer than nothing, and no longer than the model can hold.
fn not_zero(field: &str, given: Option<Duration>) -> Result<(), ScenarioError> {
    match given {
        Some(Duration::ZERO) => Err(ScenarioError::field(field, "0s", "be longer than 0s")),
        Some(span) => at_most_a_life(field, span),
        None => Ok(()),
    }
}

/// No longer than the model can hold.
fn at_most_a_life(field: &str, given: Duration) -> Result<(), ScenarioError> {
    if LONGEST < given {
        return Err(ScenarioError::field(field, span::write(given), "be at most 100 years"));
    }
    Ok(())
}

/// Why a scenario cannot be run or read: one sentence that says what to change.
#[derive(Clone, PartialEq, Eq)]
pub enum ScenarioError {
    /// A field has a value that is not allowed.
    Field {
        /// The field by its dotted path, as in a scenario file.
        field: String,
        /// What was given.
        given: String,
        /// What is allowed, as the end of a sentence that begins "it must".
        allowed: String,
    },
    /// A text is no scenario: a field that does not exist, a value of another kind.
    Text {
        /// What is wrong and what to do.
        reason: String,
    },
    /// A file cannot be read.
    File {
        /// Which.
        file: String,
        /// What is wrong and what to do.
        reason: String,
    },
}

impl ScenarioError {
    pub(crate) fn field(field: &str, given: impl fmt::Display, allowed: &str) -> ScenarioError {
        let (given, allowed) = (given.to_string(), allowed.to_owned());
        ScenarioError::Field { field: field.to_owned(), given, allowed }
    }

    fn within(field: &str, error: DelayError) -> ScenarioError {
        ScenarioError::Field {
            field: format!("{field}.{}", error.field),
            given: error.given,
            allowed: error.allowed,
        }
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScenarioError::Field { field, given, allowed } => {
                write!(f, "`{field}` is {given}: it must {allowed}")
            }
            ScenarioError::Text { reason } => f.write_str(reason),
            ScenarioError::File { file, reason } => write!(f, "{file}: {reason}"),
        }
    }
}

/// The same sentence: a cell that unwraps an error shows this form.
impl fmt::Debug for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for ScenarioError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_baselines_are_valid() {
        for scenario in [Scenario::baseline(), Scenario::incident()] {
            assert!(scenario.check().is_ok());
        }
    }

    /// Every mistake is answered with the field, what was given, and what is allowed.
    #[test]
    fn mistakes_are_named() {
        let base = Scenario::baseline;
        let script = |client| Pauses::script([ScriptedPause::new(client, secs(1), secs(1))]);
        let cases = [
            (Scenario { clients: 0, ..base() }, "`clients` is 0: it must be a whole number from 1"),
            (Scenario { clients: 1_001, ..base() }, "from 1 to 1000"),
            (Scenario { lease: secs(0), ..base() }, "`lease` is 0s: it must be longer than 0s"),
            (Scenario { lease: Duration::MAX, ..base() }, "at most 100 years"),
            (Scenario { renew_every: Some(secs(0)), ..base() }, "`renew_every` is 0s"),
            (Scenario { first_token: Token(0), ..base() }, "`first_token` is 0"),
            (Scenario { stop: Stop::default(), ..base() }, "`stop` is empty"),
            (Scenario { stop: Stop::at_grants(0), ..base() }, "`stop.grants` is 0"),
            (Scenario { stop: Stop::at_time(secs(0)), ..base() }, "`stop.time` is 0s"),
            (Scenario { pauses: script(3), ..base() }, "`pauses.script[0].client` is 3"),
            (
                Scenario { pauses: Pauses::critical_section(f64::NAN, Delay::ZERO), ..base() },
                "`pauses.critical_section.probability` is NaN: it must be a number from 0 to 1",
            ),
            (
                Scenario { pauses: Pauses::poisson(secs(0), Delay::ZERO), ..base() },
                "`pauses.poisson.every` is 0s",
            ),
            (
                Scenario { work: Delay::pareto(secs(1), f64::NAN), ..base() },
                "`work.pareto.shape` is NaN: it must be a number above 0",
            ),
            (
                Scenario { work: Delay::recorded("data/none.csv"), ..base() },
                "`work.recorded` is data/none.csv: ",
            ),
        ];
        for (scenario, part) in cases {
            let error = scenario.check().map(|_| ()).expect_err(part);
            assert!(error.to_string().contains(part), "{error}");
            assert_eq!(format!("{error:?}"), error.to_string());
        }
    }
}
