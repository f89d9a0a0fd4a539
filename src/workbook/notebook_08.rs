//! The checks of notebook 08, do you need a lock.

use super::answer::Answer;
use super::attempt::{beat, of_choice, of_code, of_value};
use super::measure_choice;
use super::rehearsal;
use super::update_judge::{self, SharedCounter, Update};
use super::verdict::{Finding, Shortfall, Verdict};
use crate::analysis::outcome::Outcome;
use crate::analysis::run;
use crate::chance::delay::Delay;
use crate::chance::seed::Seed;
use crate::figures::table::Table;
use crate::protocol::store::Condition;
use crate::simulation::scenario::lock::{LockKind, LockSetup};
use crate::simulation::scenario::store::StoreSetup;
use crate::simulation::scenario::{Scenario, ScenarioError, Stop};
use crate::time::secs;

/// Exercise 08-1: thirty-two clients with a conditional write and no lock. How many tries does an
/// update take on average? `"a"` hardly more than one, `"b"` two to five, `"c"` about ten, `"d"`
/// about twenty.
pub fn check_08_1(answer: impl Answer<String>) -> Verdict {
    of_choice("08-1", answer, &["a", "b", "c", "d"], |letter| match counted() {
        Ok(counted) => tries_finding(letter, &counted),
        Err(error) => Finding::NotAttempted(error.to_string()),
    })
}

/// For each number of clients, what came of it.
fn counted() -> Result<Vec<(u32, Outcome)>, ScenarioError> {
    let of = |clients| {
        let outcome = run(&conditional(clients), Seed(1))?;
        beat();
        Ok((clients, outcome))
    };
    [1, 2, 4, 8, 16, 32].map(of).into_iter().collect()
}

/// The scenario of the notebook: a conditional write, and no lock.
fn conditional(clients: u32) -> Scenario {
    Scenario {
        clients,
        think: Delay::exponential(secs(20)),
        backoff: Some(Delay::ZERO),
        work: Delay::constant(secs(2)),
        lock: LockSetup { kind: LockKind::None, ..LockSetup::default() },
        store: StoreSetup { condition: Condition::SameVersion, ..StoreSetup::default() },
        stop: Stop::at_time(secs(200_000)),
        ..Scenario::baseline()
    }
}

fn tries(outcome: &Outcome) -> f64 {
    let accepted = outcome.accepted_writes.max(1) as f64;
    1.0 + outcome.refused_writes as f64 / accepted
}

fn tries_finding(letter: &str, counted: &[(u32, Outcome)]) -> Finding {
    let most = counted.last().map_or(1.0, |(_, outcome)| tries(outcome));
    let right = match most {
        ..1.5 => "a",
        1.5..6.0 => "b",
        6.0..14.0 => "c",
        _ => "d",
    };
    if letter == right {
        return Finding::Solved(format!(
            "{most:.1} tries an update. While one client works, some other one writes, and then \
             all who had read before have worked for nothing."
        ));
    }
    let heading = ["clients", "accepted writes", "refused writes", "tries an update"];
    // What is asked for stays to be worked out.
    let fewer = counted.iter().filter(|(clients, _)| *clients <= 8);
    let table = fewer.fold(Table::new(heading), |table, (clients, outcome)| {
        let counts = [u64::from(*clients), outcome.accepted_writes, outcome.refused_writes];
        table.row(
            counts.map(|it| it.to_string()).into_iter().chain([format!("{:.1}", tries(outcome))]),
        )
    });
    let explanation = match letter {
        "a" => {
            "Thirty-two clients want thirty-two times two seconds of work in twenty. They are in \
             one another's way most of the time."
        }
        _ => {
            "A work of two seconds is of use only if nobody writes in these two seconds. Somebody \
             does, nearly always: one write is accepted about every two seconds."
        }
    };
    let how = if letter < right { "more" } else { "fewer" };
    let sentence = format!("With 32 clients an update takes {how} tries than that.");
    Finding::NotYet(Shortfall::new(sentence, explanation).seen_from(table))
}

/// Exercise 08-2: adds 1 to a counter that others change as well, without a lock.
pub fn check_08_2(update: impl FnMut(&mut SharedCounter) + Send + 'static) -> Verdict {
    let mut update: Box<Update> = Box::new(update);
    of_code("08-2", move || update_judge::judge(&mut update))
}

/// Exercise 08-3: which two of five measures leave none of six incidents with harm? Both letters in
/// one: `"bd"`.
pub fn check_08_3(answer: impl Answer<String>) -> Verdict {
    of_value("08-3", answer, |letters| measure_choice::judge(&letters))
}

/// Exercise 08-4: which of the six designs of this rehearsal are safe, and why are the others not?
/// Six letters in one: `"abacad"`.
pub fn check_08_4(seed: Seed, answer: impl Answer<String>) -> Verdict {
    of_value("08-4", answer, move |letters| rehearsal::judge(seed, &letters))
}
