//! The checks of notebook 02, lease expiry.

use super::answer::Answer;
use super::attempt::{of_choice, of_code, of_value};
use super::trials::{Failing, Trial, random, schedules, smallest};
use super::verdict::{Finding, Shortfall, Verdict};
use crate::analysis::run;
use crate::chance::pause::{Pauses, ScriptedPause};
use crate::chance::seed::Seed;
use crate::protocol::lease::Token;
use crate::simulation::scenario::{Scenario, Stop};
use crate::simulation::trace;
use crate::simulation::trace::{Entry, Happening, Trace};
use crate::time::{Time, in_words, secs};
use std::time::Duration;

/// The incident with another pause of A, and time enough to its end.
fn incident(length: Duration) -> Scenario {
    Scenario {
        pauses: Pauses::script([ScriptedPause::new(0, secs(3), length)]),
        stop: Stop::at_time(length + secs(8)),
        ..Scenario::incident()
    }
}

/// Exercise 02-1: A is paused for nine seconds instead of eleven. `"a"` all is well, `"b"` a zombie
/// write, and B's update is lost, `"c"` a zombie write, and A's own update is lost.
pub fn check_02_1(answer: impl Answer<String>) -> Verdict {
    of_choice("02-1", answer, &["a", "b", "c"], |letter| {
        let run = match trace(&incident(secs(9)), Seed(1)) {
            Ok(run) => run,
            Err(error) => return Finding::NotAttempted(error.to_string()),
        };
        let zombie = run.first_zombie_write().map(|zombie| zombie.token);
        let last = run.entries.iter().rev().find_map(|entry| match entry.happening {
            Happening::WriteAccepted { write, .. } => Some(write.token),
            _ => None,
        });
        let right = match zombie {
            None => "a",
            Some(token) if last == Some(token) => "b",
            Some(_) => "c",
        };
        if letter == right {
            return Finding::Solved(
                "A's write arrives after B's read and before B's write. It is a zombie write, and \
                 B, which knows nothing of it, writes over it: now it is A's update that is lost."
                    .to_owned(),
            );
        }
        let explanation = match letter {
            "a" => {
                "The lease expired before A woke, and B has read by the time A writes. That the \
                 pause is shorter than the lease does not help: A had used up some of it before."
            }
            _ => "Look which of the two writes comes last: that one stands.",
        };
        let sentence = "A's write comes between B's read and B's write.";
        Finding::NotYet(Shortfall::new(sentence, explanation).seen_in(run.sequence()))
    })
}

/// Exercise 02-2: a pause of A after which its lease has expired, and yet there is no zombie write.
pub fn check_02_2(answer: impl Answer<Duration>) -> Verdict {
    of_value("02-2", answer, |length| {
        if secs(3_600) < length {
            let explanation = "B has had the lock for long by then. Try less than the lease.";
            return Finding::NotYet(Shortfall::new("That is more than an hour.", explanation));
        }
        let scenario = incident(length);
        let (run, outcome) = match (trace(&scenario, Seed(1)), run(&scenario, Seed(1))) {
            (Ok(run), Ok(outcome)) => (run, outcome),
            (Err(error), _) | (_, Err(error)) => return Finding::NotAttempted(error.to_string()),
        };
        let given = in_words(length);
        if outcome.expiries == 0 {
            let sentence = format!("After a pause of {given} no lease expires.");
            let explanation = "The lease of A ends at 12.1 s, unless its release arrives before.";
            return Finding::NotYet(Shortfall::new(sentence, explanation).seen_in(run.sequence()));
        }
        if outcome.zombie_writes > 0 {
            let sentence = format!("After a pause of {given} there is a zombie write.");
            let explanation = "It is a zombie write because the store has served B before. When \
                               does B's read reach the store? A's write must come before that.";
            return Finding::NotYet(Shortfall::new(sentence, explanation).seen_in(run.sequence()));
        }
        Finding::Solved(format!(
            "After a pause of {given} the lease expires, and A's write still reaches the store \
             before B's first request. It is late, and does no harm: a zombie write needs somebody \
             whom the store has served meanwhile."
        ))
    })
}

/// Exercise 02-3: how many clients believe at a moment?
pub fn check_02_3(count: impl Fn(&[Entry], Time) -> usize + Send + 'static) -> Verdict {
    check_02_3_of(Box::new(count))
}

type Count = dyn Fn(&[Entry], Time) -> usize + Send;

fn check_02_3_of(count: Box<Count>) -> Verdict {
    of_code("02-3", move || {
        let trials = trials();
        // Two believers at once are what matters; any other mistake is looked for afterwards.
        let find = |least| smallest(&trials, |trial| believers(&count, trial, least));
        let failing = find(2).or_else(|| find(0));
        let Some(failing) = failing else {
            return Finding::Solved(format!(
                "It is right at every moment of {} runs.",
                trials.len()
            ));
        };
        let (given, right) = failing.fault;
        let explanation = if counts_leases(&count, &trials[0]) {
            "It counts leases. A lease is what the lock service knows, and there is never more \
             than one; a client goes on believing when its lease has expired."
        } else if right < given {
            "It counts somebody who does not believe any more. A client stops believing at the end \
             of its turn."
        } else {
            "Every client that has begun to believe and has not stopped believes."
        };
        let when = failing.when();
        let sentence = format!("At {when} {right} believe, and your code says {given}.");
        let picture = failing.picture("The smallest run in which it is wrong, up to that moment");
        Finding::NotYet(Shortfall::new(sentence, explanation).seen_in(picture))
    })
}

fn trials() -> Vec<Trial> {
    let mut trials = schedules();
    trials.extend(random(40));
    trials
}

/// Whether it gives the number of leases, at any moment of a run.
fn counts_leases(count: &Count, trial: &Trial) -> bool {
    let Ok(run) = trace(&trial.scenario, trial.seed) else { return false };
    let mut leases = 0_usize;
    run.entries.iter().enumerate().all(|(number, entry)| {
        match entry.happening {
            Happening::Granted { .. } => leases += 1,
            Happening::Expired { .. } | Happening::Released { .. } => leases -= 1,
            _ => {}
        }
        let goes_on = run.entries.get(number + 1).is_some_and(|next| next.at == entry.at);
        goes_on || count(&run.entries, entry.at) == leases
    })
}

/// Where the answer is wrong while at least so many believe: what it says, and what is right.
fn believers(count: &Count, trial: &Trial, least: usize) -> Option<Failing<(usize, usize)>> {
    let run = trace(&trial.scenario, trial.seed).ok()?;
    let (mut right, mut asks) = (0_usize, false);
    for number in 0..run.entries.len() {
        let Entry { at, happening } = run.entries[number];
        match happening {
            Happening::Believes { .. } => right += 1,
            Happening::StopsBelieving { .. } => right -= 1,
            _ => {}
        }
        asks |= matches!(
            happening,
            Happening::Believes { .. }
                | Happening::StopsBelieving { .. }
                | Happening::Expired { .. }
        );
        // At one instant several things may happen: it is asked about when the last of them has.
        let is_last = run.entries.get(number + 1).is_none_or(|next| next.at != at);
        if !is_last || !std::mem::take(&mut asks) || right < least {
            continue;
        }
        let given = count(&run.entries, at);
        if given != right {
            return Some(Failing::at(trial, run, number, (given, right)));
        }
    }
    None
}

/// Exercise 02-4: how many zombie writes are there in a run?
pub fn check_02_4(count: impl Fn(&Trace) -> usize + Send + 'static) -> Verdict {
    check_02_4_of(Box::new(count))
}

fn check_02_4_of(count: Box<dyn Fn(&Trace) -> usize + Send>) -> Verdict {
    of_code("02-4", move || {
        let trials = trials();
        let Some(failing) = smallest(&trials, |trial| zombies(&count, trial)) else {
            return Finding::Solved(format!(
                "It counts as the audit does, in {} runs.",
                trials.len()
            ));
        };
        let (given, right) = failing.fault;
        let explanation = if right < given {
            "A write is late when its lease is over, and a zombie write only if the store has \
             served a higher token before. Reads count: what has the store served so far?"
        } else {
            "A zombie write need not be the last, nor come after another write: it is enough that \
             the store has served a read of a higher token. And the highest counts, not the last."
        };
        let sentence =
            format!("In this run there are {right} zombie writes; your code says {given}.");
        let picture = failing.picture("The smallest run in which it is wrong");
        Finding::NotYet(Shortfall::new(sentence, explanation).seen_in(picture))
    })
}

/// The run up to the first write after which the answer is wrong.
fn zombies(count: &dyn Fn(&Trace) -> usize, trial: &Trial) -> Option<Failing<(usize, usize)>> {
    let run = trace(&trial.scenario, trial.seed).ok()?;
    let (mut highest, mut right) = (Token::NONE, 0);
    let mut part = Trace { entries: Vec::new(), ..run.clone() };
    for (number, entry) in run.entries.iter().enumerate() {
        part.entries.push(*entry);
        match entry.happening {
            Happening::ReadServed { token, .. } => highest = highest.max(token),
            Happening::WriteAccepted { write, .. } => {
                right += usize::from(write.token < highest);
                highest = highest.max(write.token);
                part.end = entry.at;
                let given = count(&part);
                if given != right {
                    return Some(Failing::at(trial, run, number, (given, right)));
                }
            }
            _ => {}
        }
    }
    None
}
