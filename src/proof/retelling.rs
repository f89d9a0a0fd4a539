//! A way through the states, told as a run: so a counterexample is drawn as every run is.

use super::happen::Scene;
use super::rules::Rules;
use super::state::{Doing, Step};
use crate::chance::seed::Seed;
use crate::protocol::lease::{ClientId, Lease, Token};
use crate::simulation::scenario::Scenario;
use crate::simulation::trace::{Entry, Happening, Trace};
use crate::time::{Time, secs};

/// The steps as a trace, one a second. The model knows no time, so its seconds mean nothing but an
/// order. Nor does its scenario, beside the number of clients.
pub(super) fn retell(rules: &Rules, path: &[Step], scenario: &Scenario) -> Trace {
    let mut entries: Vec<Entry> = Vec::new();
    let mut state = rules.start();
    for (number, step) in path.iter().enumerate() {
        let at = moment(number);
        arrive(&mut entries, step, at);
        if let Step::GoesOn(client) = *step
            && state.clients[client.index()].doing != Some(Doing::Think)
        {
            let wakes = wakes(&mut entries, client, at);
            entries.extend(wakes);
        }
        let mut tell = |happening| entries.push(Entry { at, happening: told_at(at, happening) });
        let mut scene = Scene::new(state, rules, &mut tell);
        scene.happen(*step);
        state = scene.state;
    }
    let end = moment(path.len());
    // What has not arrived plays no part.
    entries.retain(|entry| {
        !matches!(entry.happening, Happening::Sent { arrives, .. } if arrives == Time::NEVER)
    });
    set_ends_of_leases(&mut entries, end);
    Trace { scenario: scenario.clone(), seed: Seed(0), entries, end }
}

fn moment(number: usize) -> Time {
    Time::START + secs(number as u64 + 1)
}

/// What arrives at once arrives at this moment.
fn told_at(at: Time, happening: Happening) -> Happening {
    match happening {
        Happening::Sent { message, arrives } if arrives != Time::NEVER => {
            Happening::Sent { message, arrives: at }
        }
        other => other,
    }
}

/// A message arrives at this moment: now it is known when, where it was sent.
fn arrive(entries: &mut [Entry], step: &Step, at: Time) {
    let Step::Arrives(arriving) = step else { return };
    let sent = entries.iter_mut().rev().find_map(|entry| match &mut entry.happening {
        Happening::Sent { message, arrives } if message == arriving => Some(arrives),
        _ => None,
    });
    if let Some(arrives) = sent {
        *arrives = at;
    }
}

/// A client whose lease has expired since it began to work, or to commit, was paused meanwhile: so
/// it is told from then on.
fn wakes(entries: &mut Vec<Entry>, client: ClientId, at: Time) -> Option<Entry> {
    let began = entries.iter().rposition(|entry| match entry.happening {
        Happening::Works { client: who, .. } | Happening::Commits { client: who, .. } => {
            who == client
        }
        _ => false,
    })?;
    let has_expired = |entry: &Entry| match entry.happening {
        Happening::Expired { lease } => lease.holder == client,
        _ => false,
    };
    if !entries[began..].iter().any(has_expired) {
        return None;
    }
    let paused = Happening::Paused { client, until: at };
    entries.insert(began + 1, Entry { at: entries[began].at, happening: paused });
    Some(Entry { at, happening: Happening::Resumed { client } })
}

/// In the model a lease has no length. It is told to be as long as it turned out.
fn set_ends_of_leases(entries: &mut [Entry], end: Time) {
    let mut ends: Vec<(Token, Time)> = Vec::new();
    for entry in entries.iter_mut().rev() {
        match &mut entry.happening {
            Happening::Expired { lease } | Happening::Released { lease } => {
                ends.push((lease.token, entry.at));
                lease.expires = entry.at;
            }
            Happening::Granted { lease } => lease.expires = end_of(lease, &mut ends, end),
            _ => {}
        }
    }
}

/// Read backwards, the last end of a token that was noted is that of the grant before it.
fn end_of(lease: &Lease, ends: &mut Vec<(Token, Time)>, end: Time) -> Time {
    let place = ends.iter().rposition(|(token, _)| *token == lease.token);
    place.map_or(end, |place| ends.remove(place).1)
}
