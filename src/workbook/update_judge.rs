//! A reader's update without a lock, of a counter that others change at awkward moments.

use super::attempt::beat;
use super::verdict::{Finding, Shortfall};
use crate::figures::table::Table;
use crate::protocol::store::{Record, Refused};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What is judged: it adds 1 to the counter, once.
pub(crate) type Update = dyn FnMut(&mut SharedCounter) + Send;

/// The most writes of others that come after one read.
const MOST_OTHERS: u32 = 3;
/// In the longest run, somebody else is faster so many times in a row.
const MOST_REFUSALS: usize = 20;
/// An update that has asked so often is not getting anywhere.
const MOST_REQUESTS: usize = 100;

/// A counter in a store with a conditional write, shared with others.
///
/// ```
/// use fencing::prelude::*;
///
/// let mut counter = SharedCounter::alone(7);
/// let seen = counter.read();
/// assert_eq!(counter.write_if(seen.version, seen.value + 1), Ok(()));
/// assert_eq!(counter.write_if(seen.version, 100), Err(Refused::CHANGED));
/// assert_eq!(counter.read().value, 8);
/// ```
#[derive(Clone, Debug)]
pub struct SharedCounter {
    record: Record,
    /// How many others write after each of the reads that are to come.
    others: VecDeque<u32>,
    happened: Vec<[String; 3]>,
    own_writes: u32,
    requests: usize,
    refusals: usize,
}

impl SharedCounter {
    /// A counter that nobody else changes.
    #[must_use]
    pub fn alone(value: u64) -> SharedCounter {
        SharedCounter::shared(value, VecDeque::new())
    }

    fn shared(value: u64, others: VecDeque<u32>) -> SharedCounter {
        let record = Record { value, version: 5 };
        SharedCounter {
            record,
            others,
            happened: Vec::new(),
            own_writes: 0,
            requests: 0,
            refusals: 0,
        }
    }

    /// What the counter holds, and its version.
    pub fn read(&mut self) -> Record {
        self.count_request();
        let seen = self.record;
        self.note("you read", format!("value {}, version {}", seen.value, seen.version));
        for _ in 0..self.others.pop_front().unwrap_or_default() {
            self.record = Record { value: self.record.value + 1, version: self.record.version + 1 };
            self.note("somebody else adds 1", String::new());
        }
        seen
    }

    /// Writes `value`, if the counter still has this version.
    ///
    /// # Errors
    /// [`Refused`], if it has another one. Nothing is written then.
    pub fn write_if(&mut self, version: u64, value: u64) -> Result<(), Refused> {
        self.count_request();
        let is_unchanged = version == self.record.version;
        if is_unchanged {
            self.record = Record { value, version: version + 1 };
            self.own_writes += 1;
        } else {
            self.refusals += 1;
        }
        let said = if is_unchanged { "accepted" } else { "refused" };
        self.note(&format!("you write {value} if version {version}"), said.to_owned());
        if is_unchanged { Ok(()) } else { Err(Refused::CHANGED) }
    }

    fn note(&mut self, what: &str, answer: String) {
        let holds = format!("{} (version {})", self.record.value, self.record.version);
        self.happened.push([what.to_owned(), answer, holds]);
    }

    /// Ends an update that does not come to an end.
    fn count_request(&mut self) {
        beat();
        self.requests += 1;
        if self.is_asked_too_often() {
            resume_unwind(Box::new("it does not come to an end"));
        }
    }

    fn is_asked_too_often(&self) -> bool {
        self.requests > MOST_REQUESTS
    }

    /// How many others are still to come.
    fn to_come(&self) -> u64 {
        self.others.iter().map(|others| u64::from(*others)).sum()
    }

    /// The first things that happened.
    fn table(&self, most: usize) -> Table {
        let heading = ["what happens", "answer", "the counter then holds"];
        let rows = self.happened.iter().take(most).cloned();
        rows.fold(Table::new(heading), Table::row)
    }
}

/// Whether it adds exactly 1, whoever writes in between.
pub(crate) fn judge(update: &mut Update) -> Finding {
    let mut tried = 0;
    for others in schedules() {
        for value in [0, 7] {
            let mut counter = SharedCounter::shared(value, others.clone());
            let all = counter.to_come();
            let ended = catch_unwind(AssertUnwindSafe(|| update(&mut counter)));
            if counter.is_asked_too_often() {
                return Finding::NotYet(no_end(&counter));
            }
            ended.unwrap_or_else(|payload| resume_unwind(payload));
            tried += 1;
            let came = all - counter.to_come();
            if counter.record.value != value + came + 1 || counter.own_writes != 1 {
                return Finding::NotYet(shortfall(&counter, value, came));
            }
        }
    }
    Finding::Solved(format!(
        "In {tried} runs, in which others came between read and write up to {MOST_REFUSALS} times \
         in a row, the counter had exactly 1 more than without you."
    ))
}

/// After the first reads, so many others each; the shortest first.
fn schedules() -> Vec<VecDeque<u32>> {
    let first = 0..=MOST_OTHERS;
    let mut schedules: Vec<VecDeque<u32>> = first
        .flat_map(|one| (0..=MOST_OTHERS).map(move |two| VecDeque::from([one, two])))
        .collect();
    schedules.sort_by_key(|others| others.iter().sum::<u32>());
    // Nobody is always the last one.
    schedules.push(VecDeque::from([1; MOST_REFUSALS]));
    schedules
}

/// What went wrong with a counter that began with this value, while so many others wrote.
fn shortfall(counter: &SharedCounter, value: u64, came: u64) -> Shortfall {
    let (holds, expected) = (counter.record.value, value + came + 1);
    let explanation = match counter.own_writes {
        0 if counter.happened.is_empty() => "It does not ask the counter for anything.",
        0 if counter.refusals == 0 => "It has read, and has sent no write.",
        0 if counter.refusals > 1 => {
            "It gives up. Each refusal says that somebody else got on, and the next try may be \
             yours: go on until a write is accepted."
        }
        0 => {
            "Your write was refused, and that was all. A refusal says that somebody was faster: \
             read again, and try again with what is there now."
        }
        1 if 0 < came && holds < expected => {
            "Your write has replaced a value that somebody else had written after your read. The \
             version must be the one of the same read as the value."
        }
        1 => "The value that is written must be the one that was read, and 1 more.",
        _ => "It has written more than once. Once accepted, it is done.",
    };
    let sentence = match holds == expected {
        true => format!("It has written {} times.", counter.own_writes),
        false => format!("The counter should hold {expected}, and holds {holds}."),
    };
    let shortfall = Shortfall::new(sentence, explanation);
    match counter.happened.is_empty() {
        true => shortfall,
        false => {
            shortfall.seen_from(counter.table(usize::MAX).captioned("The shortest run that fails"))
        }
    }
}

/// Of an update that has not come to an end.
fn no_end(counter: &SharedCounter) -> Shortfall {
    let explanation = match counter.own_writes {
        0 => {
            "Nothing that it wrote was accepted. Each try must begin with a new read, and its \
             write must name the version of that read."
        }
        _ => "Its write was accepted, and it has gone on. Once accepted, it is done.",
    };
    let sentence = format!("After {MOST_REQUESTS} requests to the counter it is not done.");
    Shortfall::new(sentence, explanation).seen_from(counter.table(8).captioned("How it begins"))
}
