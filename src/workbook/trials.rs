//! The runs that an answer is put to, and the smallest of those in which it fails.
//!
//! Two kinds. Schedules are scripted: pauses at awkward places, one after another. Random runs have
//! a seed each, and more of what the schedules did not think of. All are short, and fixed: the same
//! answer gets the same verdict with the same run, always.

use super::attempt::beat;
use crate::chance::delay::Delay;
use crate::chance::pause::{Pauses, ScriptedPause};
use crate::chance::seed::Seed;
use crate::figures::sequence::SequenceDiagram;
use crate::simulation::scenario::{Scenario, Stop};
use crate::simulation::trace::{Happening, Trace};
use crate::time::{Time, about, millis, secs};
use std::time::Duration;

/// A run that an answer is put to.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    pub(crate) scenario: Scenario,
    pub(crate) seed: Seed,
    /// The store is restarted before it hears this request, counted from 0.
    pub(crate) restart_before: Option<usize>,
    /// Each write reaches the store once more, after the next one.
    pub(crate) repeats_writes: bool,
}

impl Trial {
    pub(crate) fn of(scenario: Scenario, seed: u64) -> Trial {
        Trial { scenario, seed: Seed(seed), restart_before: None, repeats_writes: false }
    }
}

/// Scripted pauses: A in its work or in its commit, for this long, and then perhaps B as well.
pub(crate) fn schedules() -> Vec<Trial> {
    let mut trials = Vec::new();
    for clients in [2, 3] {
        for (at, commit) in [(secs(3), Duration::ZERO), (millis(4_600), millis(500))] {
            for length in [1, 8, 9, 10, 11, 12, 14, 21].map(secs) {
                for second in [None, Some(secs(12))] {
                    let first = ScriptedPause::new(0, at, length);
                    let second = second.map(|length| ScriptedPause::new(1, secs(13), length));
                    let scenario = Scenario {
                        clients,
                        commit: Delay::constant(commit),
                        pauses: Pauses::script([first].into_iter().chain(second)),
                        stop: Stop::at_time(secs(40)),
                        ..Scenario::incident()
                    };
                    trials.push(Trial::of(scenario, 1));
                }
            }
        }
    }
    trials
}

/// Runs with a seed each: pauses anywhere, messages that take their time and overtake one another.
pub(crate) fn random(runs: u64) -> Vec<Trial> {
    let trial = |seed| {
        let latency = match seed % 3 {
            0 => Delay::ZERO,
            1 => Delay::exponential(millis(100)),
            _ => Delay::exponential(secs(1)),
        };
        let scenario = Scenario {
            clients: 2 + (seed % 3) as u32,
            latency,
            commit: Delay::exponential(millis(300)),
            pauses: Pauses::critical_section(0.3, Delay::log_normal(secs(6), 1.0)),
            stop: Stop::at_grants(30),
            ..Scenario::baseline()
        };
        Trial::of(scenario, seed)
    };
    (1..=runs).map(trial).collect()
}

/// The same with a restart of the store before one of its first requests.
pub(crate) fn with_restarts(trials: &[Trial]) -> Vec<Trial> {
    let places = 0..10;
    let with = |trial: &Trial, place| Trial { restart_before: Some(place), ..trial.clone() };
    trials.iter().flat_map(|trial| places.clone().map(move |place| with(trial, place))).collect()
}

/// The same with every write reaching the store twice.
pub(crate) fn with_repeats(trials: &[Trial]) -> Vec<Trial> {
    trials.iter().map(|trial| Trial { repeats_writes: true, ..trial.clone() }).collect()
}

/// A run in which an answer fails: up to the failure, which is its last entry.
#[derive(Clone, Debug)]
pub(crate) struct Failing<F> {
    pub(crate) trial: Trial,
    pub(crate) trace: Trace,
    /// What fails.
    pub(crate) fault: F,
}

impl<F> Failing<F> {
    /// A run that fails with its entry of this number. The rest of it is of no interest.
    pub(crate) fn at(trial: &Trial, mut trace: Trace, entry: usize, fault: F) -> Failing<F> {
        trace.entries.truncate(entry + 1);
        trace.end = trace.entries.last().map_or(Time::START, |entry| entry.at);
        Failing { trial: trial.clone(), trace, fault }
    }

    /// When it fails, in words.
    pub(crate) fn when(&self) -> String {
        about(self.trace.end)
    }

    /// The picture: from the first grant that has to do with it to the failure.
    pub(crate) fn picture(&self, title: &str) -> SequenceDiagram {
        let mut trace = self.trace.clone();
        let from = self.beginning();
        let margin = (trace.end - from) / 16;
        trace.end += margin;
        let start = Time::START + (from - Time::START).saturating_sub(margin);
        let end = trace.end;
        trace.sequence().between(start, end).titled(title)
    }

    /// The grant under which the last of all was sent.
    fn beginning(&self) -> Time {
        let token = self.trace.entries.iter().rev().find_map(|entry| match entry.happening {
            Happening::ReadServed { token, .. } | Happening::ReadRefused { token, .. } => {
                Some(token)
            }
            Happening::WriteAccepted { write, .. } | Happening::WriteRefused { write, .. } => {
                Some(write.token)
            }
            _ => None,
        });
        let granted = self.trace.entries.iter().find_map(|entry| match entry.happening {
            Happening::Granted { lease } if Some(lease.token) == token => Some(entry.at),
            _ => None,
        });
        granted.unwrap_or(Time::START)
    }
}

/// The failing run with the fewest entries; of several, the first. A schedule, if one fails: its
/// times are round numbers, and what happens in it was meant to.
pub(crate) fn smallest<F>(
    trials: &[Trial],
    run: impl FnMut(&Trial) -> Option<Failing<F>>,
) -> Option<Failing<F>> {
    let is_random = |failing: &Failing<F>| failing.trial.scenario.pauses.script.is_empty();
    let size = |failing: &Failing<F>| (is_random(failing), failing.trace.entries.len());
    // Each run is a sign of life.
    let run = trials.iter().inspect(|_| beat()).filter_map(run);
    run.min_by_key(size)
}
