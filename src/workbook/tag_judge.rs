//! A reader's entity tag, in a store that accepts a write if its tag is still what was read.

use super::attempt::beat;
use super::trials::{Failing, Trial, random, schedules, smallest};
use super::verdict::{Finding, Shortfall};
use crate::analysis::estimate::writing::with_commas;
use crate::protocol::lease::{ClientId, Token};
use crate::protocol::store::{Record, Refused, Store, Write};
use crate::simulation::trace::{Entry, Happening, Trace};
use crate::simulation::trace_with_store;
use std::collections::BTreeMap;

/// What is judged: a tag, from the content, from how often the object was written, and from the
/// token of whoever wrote it last.
pub(crate) type Tag = Box<dyn Fn(u64, u64, Token) -> u64 + Send>;

/// How many contents there are.
const CONTENTS: u64 = 2;

/// So many writes in a row must not bring a tag back.
const MANY_WRITES: u64 = 100_000;

/// A store that compares tags.
struct Tagged<'a> {
    tag: &'a Tag,
    record: Record,
    writer: Token,
    /// The tag that was read under each token.
    read: BTreeMap<Token, u64>,
}

impl Tagged<'_> {
    fn now(&self) -> u64 {
        (self.tag)(self.record.value % CONTENTS, self.record.version, self.writer)
    }
}

impl Store for Tagged<'_> {
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        let tag = self.now();
        self.read.insert(token, tag);
        Ok(self.record)
    }

    fn write(&mut self, write: Write) -> Result<(), Refused> {
        if self.read.get(&write.token) != Some(&self.now()) {
            return Err(Refused::CHANGED);
        }
        self.record = Record { value: write.value, version: self.record.version + 1 };
        self.writer = write.token;
        Ok(())
    }
}

/// What such a store must not do.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// It accepts a write although so many others came after the read.
    Overwrites { client: ClientId, since: u64 },
    /// It refuses a write although nobody has written since the read.
    Refuses { client: ClientId },
}

/// Whether a write passes where nobody has written since the read, and nowhere else.
pub(crate) fn judge(tag: &Tag) -> Finding {
    let mut trials = schedules();
    trials.extend(random(200));
    match smallest(&trials, |trial| first_fault(tag, trial)) {
        Some(failing) => Finding::NotYet(shortfall(tag, &failing)),
        None => many_writes(tag).map_or_else(
            || Finding::Solved(solved(trials.len() as u64)),
            |(first, again)| Finding::NotYet(comes_back(first, again)),
        ),
    }
}

fn solved(runs: u64) -> String {
    format!(
        "In {} runs, scripted and random, no write has replaced a value that its client had not \
         read, and none was refused where nobody else had written. And in {} writes in a row no \
         tag came back.",
        with_commas(runs),
        with_commas(MANY_WRITES)
    )
}

/// Two versions with the same tag, where each write has a new token and contents take turns.
fn many_writes(tag: &Tag) -> Option<(u64, u64)> {
    let mut seen = BTreeMap::new();
    (0..=MANY_WRITES).find_map(|version| {
        beat();
        let tag = tag(version % CONTENTS, version, Token(version));
        seen.insert(tag, version).map(|first| (first, version))
    })
}

fn comes_back(first: u64, again: u64) -> Shortfall {
    let sentence =
        format!("After {first} writes and after {again} writes the object has the same tag.");
    let explanation = "Whoever has read it the first time and comes back then overwrites all that \
                       was written in between. Every accepted write has to give a tag that was \
                       never there before.";
    Shortfall::new(sentence, explanation)
}

fn first_fault(tag: &Tag, trial: &Trial) -> Option<Failing<Fault>> {
    let read = BTreeMap::new();
    let mut store = Tagged { tag, record: Record::default(), writer: Token::NONE, read };
    // The scenarios are ours and valid.
    let run = trace_with_store(&trial.scenario, trial.seed, &mut store).ok()?;
    let (entry, fault) = first_in(&run)?;
    Some(Failing::at(trial, run, entry, fault))
}

fn first_in(run: &Trace) -> Option<(usize, Fault)> {
    let mut version = 0;
    run.entries.iter().enumerate().find_map(|(number, Entry { happening, .. })| {
        let fault = match *happening {
            Happening::WriteAccepted { client, write, .. } => {
                let since = version - write.read_version;
                version += 1;
                (since > 0).then_some(Fault::Overwrites { client, since })
            }
            Happening::WriteRefused { client, write, .. } => {
                (write.read_version == version).then_some(Fault::Refuses { client })
            }
            _ => None,
        };
        fault.map(|fault| (number, fault))
    })
}

fn shortfall(tag: &Tag, failing: &Failing<Fault>) -> Shortfall {
    let when = failing.when();
    let sentence = match failing.fault {
        Fault::Overwrites { client, since: 1 } => format!(
            "At {when} {client}'s write is accepted, although another one came since its read: \
             the tag is the same."
        ),
        Fault::Overwrites { client, since } => format!(
            "At {when} {client}'s write is accepted, although {since} others came since its read: \
             the tag is the same."
        ),
        Fault::Refuses { client } => format!(
            "At {when} {client}'s write is refused, although nobody has written since its read: \
             the tag is another one."
        ),
    };
    let picture = failing.picture("The smallest run in which it fails");
    Shortfall::new(sentence, explanation(tag, failing.fault)).seen_in(picture)
}

/// What such a tag overlooks, found by asking for some.
fn explanation(tag: &Tag, fault: Fault) -> &'static str {
    let states = || (0..8).flat_map(|version| (33..36).map(move |token| (version, Token(token))));
    let is_constant = |content: u64| {
        let first = tag(content, 0, Token(33));
        states().all(|(version, token)| tag(content, version, token) == first)
    };
    let ignores_version =
        states().all(|(version, token)| tag(0, version, token) == tag(0, 0, token));
    match fault {
        Fault::Refuses { .. } => {
            "One and the same state of the object must have one and the same tag, whenever it is \
             asked for."
        }
        _ if is_constant(0) && tag(0, 0, Token(33)) == tag(1, 0, Token(33)) => {
            "It is the same for every state of the object, so it shows no change at all."
        }
        _ if is_constant(0) && is_constant(1) => {
            "It depends on the content alone, and a content can come back. What does not?"
        }
        _ if ignores_version => {
            "It depends on the token, but two tokens can give the same tag. Every accepted write \
             has to give one that was never there before."
        }
        _ => {
            "The tag comes back after some writes. Every accepted write has to give one that was \
             never there before."
        }
    }
}
