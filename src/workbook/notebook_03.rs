//! The checks of notebook 03, the fencing fix.

use super::answer::Answer;
use super::attempt::{of_choice, of_code};
use super::store_faults::shortfall;
use super::store_judge::smallest_fault;
use super::store_under_test::{
    Admit, Gateway, Make, Restart, of_admit, of_gateway, of_restart, of_store,
};
use super::trials::{Trial, random, schedules, with_repeats, with_restarts};
use super::verdict::{Finding, Shortfall, Verdict};
use crate::analysis::estimate::writing::with_commas;
use crate::chance::seed::Seed;
use crate::protocol::store::{Store, TokenCheck};
use crate::simulation::scenario::Scenario;
use crate::simulation::trace;
use crate::simulation::trace::Happening;

/// Exercise 03-1: how many clients believe to hold the lock when the store refuses A's write?
/// `"a"` none, `"b"` one, `"c"` two.
pub fn check_03_1(answer: impl Answer<String>) -> Verdict {
    of_choice("03-1", answer, &["a", "b", "c"], |letter| {
        let check = TokenCheck::OnEveryRequest;
        let scenario = Scenario { token_check: check, ..Scenario::incident() };
        let run = match trace(&scenario, Seed(1)) {
            Ok(run) => run,
            Err(error) => return Finding::NotAttempted(error.to_string()),
        };
        let believers = believers_when_refused(&run);
        if letter == ["a", "b", "c"][believers.min(2)] {
            return Finding::Solved(
                "When A's write arrives at the store, B has written, released and stopped \
                 believing. A still believes: the refusal is the first it hears."
                    .to_owned(),
            );
        }
        let explanation = match letter {
            "a" => {
                "Nothing has told A anything. It believes from its grant to the end of its turn, \
                 and its turn ends when the answer of the store reaches it."
            }
            _ => {
                "There were two believers a little earlier. But look at B's bar: it ends before \
                 A's write arrives."
            }
        };
        let how = if letter == "a" { "More" } else { "Fewer" };
        let sentence = format!("{how} clients believe at that moment.");
        Finding::NotYet(Shortfall::new(sentence, explanation).seen_in(run.sequence()))
    })
}

/// How many clients believe when the store first refuses a write.
fn believers_when_refused(run: &trace::Trace) -> usize {
    let mut believers = 0;
    for entry in &run.entries {
        match entry.happening {
            Happening::Believes { .. } => believers += 1,
            Happening::StopsBelieving { .. } => believers -= 1,
            Happening::WriteRefused { .. } => return believers,
            _ => {}
        }
    }
    believers
}

/// Exercise 03-2: the store's check. `make` makes a new checker for each run:
/// `check_03_2(MyCheck::default)`.
pub fn check_03_2<A: Admit + 'static>(make: impl Fn() -> A + Send + 'static) -> Verdict {
    let make = of_admit(make);
    of_code("03-2", move || judge(&make, &plain(), "accepted no write from the past"))
}

/// Exercise 03-3: the check of a store that may be restarted at any time.
pub fn check_03_3<S: Restart + 'static>(make: impl Fn() -> S + Send + 'static) -> Verdict {
    let make = of_restart(make);
    let mut trials = plain();
    trials.extend(with_restarts(&schedules()));
    trials.extend(with_restarts(&random(20)));
    of_code("03-3", move || judge(&make, &trials, "accepted no write from the past"))
}

/// Exercise 03-4: a gateway in front of a store.
pub fn check_03_4<G: Gateway + 'static>(make: impl Fn() -> G + Send + 'static) -> Verdict {
    let make = of_gateway(make);
    let mut trials = schedules();
    trials.extend(random(300));
    of_code("03-4", move || judge(&make, &trials, "accepted no write from the past"))
}

/// Exercise 03-5: a store on a real database.
pub fn check_03_5<S: Store + 'static>(make: impl Fn() -> S + Send + 'static) -> Verdict {
    let make = of_store(make);
    let mut trials = schedules();
    trials.extend(with_repeats(&schedules()));
    trials.extend(random(60));
    of_code("03-5", move || judge(&make, &trials, "accepted no write from the past"))
}

/// What every store is put to.
fn plain() -> Vec<Trial> {
    let mut trials = schedules();
    trials.extend(with_repeats(&schedules()));
    trials.extend(random(200));
    trials
}

fn judge(make: &Make, trials: &[Trial], did: &str) -> Finding {
    match smallest_fault(make, trials) {
        Some(failing) => Finding::NotYet(shortfall(make, &failing)),
        None => Finding::Solved(format!(
            "In {} runs, scripted and random, it {did}, and turned away nobody who was in the \
             right.",
            with_commas(trials.len() as u64)
        )),
    }
}
