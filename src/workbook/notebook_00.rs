//! The checks of notebook 00, start here.

use super::answer::Answer;
use super::attempt::{of_code, of_value};
use super::trials::{random, schedules};
use super::verdict::{Finding, Shortfall, Verdict};
use crate::chance::delay::Delay;
use crate::chance::pause::Pauses;
use crate::chance::seed::Seed;
use crate::protocol::lease::ClientId;
use crate::protocol::message::Body;
use crate::protocol::store::TokenCheck;
use crate::simulation::scenario::{Scenario, Stop};
use crate::simulation::trace;
use crate::simulation::trace::{Happening, Trace};
use crate::time::{millis, secs};

/// The notebook's scenario in which nothing goes wrong.
fn calm() -> Scenario {
    let stop = Stop::at_time(secs(8));
    Scenario { pauses: Pauses::none(), stop, ..Scenario::incident() }
}

/// Exercise 00-1: how many grants are there in eight seconds, if the work takes half a second?
pub fn check_00_1(answer: impl Answer<i128>) -> Verdict {
    of_value("00-1", answer, |answer| {
        let scenario = Scenario { work: Delay::constant(millis(500)), ..calm() };
        let run = match trace(&scenario, Seed(1)) {
            Ok(run) => run,
            Err(error) => return Finding::NotAttempted(error.to_string()),
        };
        let is_grant = |happening: &Happening| matches!(happening, Happening::Granted { .. });
        let grants = run.entries.iter().filter(|entry| is_grant(&entry.happening)).count();
        if answer == grants as i128 {
            return Finding::Solved(format!(
                "A simulation of the eight seconds has {grants} grants. A turn takes longer than \
                 its work: messages are on their way, and each client thinks before it asks again."
            ));
        }
        let (how, explanation) = match answer > grants as i128 {
            true => (
                "fewer",
                "A turn takes more than its work. Each message takes a tenth of a second, and a \
                 client thinks for two seconds before it asks for the lock again.",
            ),
            false => (
                "more",
                "While one client thinks, the other can have the lock. Count the bars under the \
                 lock service.",
            ),
        };
        let sentence = format!("There are {how} grants than {answer}.");
        Finding::NotYet(Shortfall::new(sentence, explanation).seen_in(run.sequence()))
    })
}

/// Exercise 00-2: a scenario in which three clients each write within the eight seconds.
pub fn check_00_2(scenario: &Scenario) -> Verdict {
    let scenario = scenario.clone();
    of_code("00-2", move || {
        if scenario == calm() {
            return Finding::NotAttempted(
                "The scenario is still the calm one. Change a field or two of it.".to_owned(),
            );
        }
        three_write(&scenario)
    })
}

fn three_write(scenario: &Scenario) -> Finding {
    let given = calm();
    if scenario.stop != given.stop {
        let explanation = "Leave `stop` as it is; find another way to make room.";
        return Finding::NotYet(Shortfall::new("The run is not eight seconds long.", explanation));
    }
    let run = match trace(scenario, Seed(1)) {
        Ok(run) => run,
        Err(error) => {
            let explanation = "A scenario that cannot be run is answered with what to change.";
            return Finding::NotYet(Shortfall::new(format!("{error}."), explanation));
        }
    };
    let has_written = |client| {
        run.entries.iter().any(|entry| {
            matches!(entry.happening, Happening::WriteAccepted { client: who, .. } if who == client)
        })
    };
    if let Some(client) = [0, 1, 2].map(ClientId).into_iter().find(|client| !has_written(*client)) {
        let explanation = if scenario.clients < 3 {
            "There are only two clients in the calm scenario: `clients` says how many."
        } else {
            "They wait for one another. What takes the lock's time in a turn?"
        };
        let sentence = format!("{client} has not written within the eight seconds.");
        let shortfall = Shortfall::new(sentence, explanation);
        return Finding::NotYet(shortfall.seen_in(run.sequence()));
    }
    Finding::Solved("A, B and C have each written within the eight seconds.".to_owned())
}

/// Exercise 00-3: how many writes has the store accepted in a run?
pub fn check_00_3(count: impl Fn(&Trace) -> usize + Send + 'static) -> Verdict {
    check_00_3_of(Box::new(count))
}

fn check_00_3_of(count: Box<dyn Fn(&Trace) -> usize + Send>) -> Verdict {
    of_code("00-3", move || {
        let runs = runs();
        let is_wrong = |run: &&Trace| count(run) != Writes::of(run).accepted;
        // A picture says more, where there is room for one.
        let wrong: Vec<&Trace> = runs.iter().filter(is_wrong).collect();
        let Some(smallest) = wrong.iter().min_by_key(|run| run.entries.len()) else {
            return Finding::Solved(format!(
                "It counts the writes as the store does, in {} runs.",
                runs.len()
            ));
        };
        let is_always = |part: fn(&Writes) -> usize| {
            runs.iter().all(|run| count(run) == part(&Writes::of(run)))
        };
        let explanation = if is_always(|writes| writes.sent) {
            "It counts the writes that were sent. One that is sent may be refused, and one that is \
             still on its way when the run ends has not arrived."
        } else if is_always(|writes| writes.accepted + writes.refused) {
            "It counts the writes that reached the store. Those that the store refuses are not \
             accepted."
        } else {
            "Look at the marks under the store: each is a write, and its word says what became of \
             it."
        };
        Finding::NotYet(miscounted(smallest, count(smallest), explanation))
    })
}

/// Short runs with refused writes and without.
fn runs() -> Vec<Trace> {
    let mut trials = schedules();
    trials.extend(random(60));
    let checks = [TokenCheck::OnEveryRequest, TokenCheck::Never];
    let runs = trials.iter().flat_map(|trial| {
        checks.into_iter().filter_map(|token_check| {
            trace(&Scenario { token_check, ..trial.scenario.clone() }, trial.seed).ok()
        })
    });
    runs.collect()
}

/// What became of the writes of a run.
struct Writes {
    sent: usize,
    refused: usize,
    accepted: usize,
}

impl Writes {
    fn of(run: &Trace) -> Writes {
        let number = |is: fn(&Happening) -> bool| {
            run.entries.iter().filter(|entry| is(&entry.happening)).count()
        };
        let is_sent = |happening: &Happening| {
            matches!(happening, Happening::Sent { message, .. }
                if matches!(message.body, Body::Write(_)))
        };
        Writes {
            sent: number(is_sent),
            refused: number(|happening| matches!(happening, Happening::WriteRefused { .. })),
            accepted: number(|happening| matches!(happening, Happening::WriteAccepted { .. })),
        }
    }
}

fn miscounted(run: &Trace, counted: usize, explanation: &str) -> Shortfall {
    let Writes { accepted, .. } = Writes::of(run);
    let sentence =
        format!("Your code counts {counted} in this run; the store has accepted {accepted}.");
    Shortfall::new(sentence, explanation).seen_in(run.sequence())
}
