//! The checks of notebook 05, the limits of renewal.

use super::answer::Answer;
use super::attempt::{beat, of_code, of_value};
use super::look_judge;
use super::renewal_judge;
use super::verdict::{Finding, Shortfall, Verdict};
use crate::analysis::run;
use crate::analysis::theory::renewal::survives_renewal;
use crate::chance::delay::Delay;
use crate::chance::pause::{Pauses, ScriptedPause};
use crate::chance::seed::Seed;
use crate::figures::sequence::SequenceDiagram;
use crate::simulation::scenario::{Scenario, ScenarioError, Stop};
use crate::simulation::trace;
use crate::simulation::trace::{Happening, Trace};
use crate::time::{Time, in_words, millis, secs};
use std::time::Duration;

/// The lease, the interval of renewal and the pause of exercise 05-1.
const LUCK: [Duration; 3] = [secs(30), secs(10), secs(24)];

/// So many of a hundred the answer may be off: the simulation is by two, and a guess is welcome.
const OFF: f64 = 5.0;

/// Exercise 05-1: of a hundred pauses of 24 s, how many does a lease of 30 s survive that is
/// renewed every 10 s?
pub fn check_05_1(answer: impl Answer<i128>) -> Verdict {
    of_value("05-1", answer, |answer| match survivors_of_100() {
        Ok(seen) => luck(answer, seen),
        Err(error) => Finding::NotAttempted(error.to_string()),
    })
}

/// In two thousand critical sections with one pause each, at a moment of its own.
fn survivors_of_100() -> Result<f64, ScenarioError> {
    const SECTIONS: u64 = 2_000;
    let [lease, renew_every, pause] = LUCK;
    let scenario = Scenario {
        clients: 1,
        lease,
        renew_every: Some(renew_every),
        work: Delay::constant(12 * renew_every),
        pauses: Pauses::critical_section(1.0, Delay::constant(pause)),
        stop: Stop::at_grants(SECTIONS + 1),
        ..Scenario::baseline()
    };
    let outcome = run(&scenario, Seed(1))?;
    Ok(100.0 * (SECTIONS.saturating_sub(outcome.expiries)) as f64 / SECTIONS as f64)
}

fn luck(answer: i128, seen: f64) -> Finding {
    let [lease, renew_every, pause] = LUCK;
    let formula = 100.0 * survives_renewal(pause, lease, renew_every);
    let given = answer as f64;
    if (given - seen).abs() <= OFF {
        return Finding::Solved(format!(
            "In the simulation the lease survives {seen:.0} of 100, and by the closed form \
             {formula:.0}. When the pause begins, the lease has between 20 and 30 s left, each as \
             likely as the other, and 24 s must fit in."
        ));
    }
    let is_near = |other: f64| (given - other).abs() <= 3.0;
    let explanation = if !(0..=100).contains(&answer) {
        "It is asked how many of a hundred, so the answer is a number from 0 to 100."
    } else if is_near(100.0 - formula) {
        "That is how many it does not survive."
    } else if is_near(80.0) {
        "The moment in the whole lease is not what counts, since the lease is renewed: when the \
         pause begins, no more than 10 s of it are used up."
    } else if is_near(100.0) {
        "The lease is longer than the pause, and yet it is not whole when the pause begins: up to \
         10 s of it are used up, as in this run."
    } else if is_near(0.0) {
        "For certain it survives no more than L − R, 20 s. But for pauses up to L there is luck: \
         in this run the lease has just been renewed."
    } else {
        "When the pause begins, the lease has between L − R and L left, 20 to 30 s, each as likely \
         as the other. In how many of these cases is that 24 s or more?"
    };
    let how = if given > seen { "fewer" } else { "more" };
    let sentence = format!("The lease survives {how} of 100 pauses than {answer}.");
    let shortfall = Shortfall::new(sentence, explanation);
    Finding::NotYet(match one_pause(seen < given) {
        Ok(run) => shortfall.seen_in(run),
        Err(_) => shortfall,
    })
}

/// One such pause: just before a renewal is due, where the lease does not survive, or just after.
fn one_pause(is_unlucky: bool) -> Result<SequenceDiagram, ScenarioError> {
    let [lease, renew_every, pause] = LUCK;
    let (at, title) = match is_unlucky {
        true => (secs(21), "A pause just before a renewal is due"),
        false => (secs(13), "A pause just after a renewal"),
    };
    let scenario = Scenario {
        lease,
        renew_every: Some(renew_every),
        work: Delay::constant(secs(20)),
        pauses: Pauses::script([ScriptedPause::new(0, at, pause)]),
        stop: Stop::at_time(secs(54)),
        ..Scenario::incident()
    };
    Ok(trace(&scenario, Seed(1))?.sequence().titled(title))
}

/// Exercise 05-2: the longest interval of renewal, in steps of 100 ms, with which a lease of 10 s
/// surely survives a pause of 7 s, where each message takes 200 ms.
pub fn check_05_2(answer: impl Answer<Duration>) -> Verdict {
    of_value("05-2", answer, |renew_every| {
        let given = in_words(renew_every);
        if renew_every < millis(20) {
            let sentence = format!("To renew every {given} is more than fifty times a second.");
            let explanation = "The lock service has more to do than that. Look for the longest \
                               interval that will do.";
            return Finding::NotYet(Shortfall::new(sentence, explanation));
        }
        if secs(10) < renew_every {
            let sentence = format!("With {given} the first renewal comes after the lease's end.");
            let explanation =
                "A lease of 10 s must be renewed before it is over, pause or no pause.";
            return Finding::NotYet(Shortfall::new(sentence, explanation));
        }
        if let Some(run) = lost_lease(renew_every) {
            return Finding::NotYet(lost(renew_every, &run));
        }
        let longer = renew_every + millis(100);
        if lost_lease(longer).is_none() {
            let sentence =
                format!("Every {given} will do, and so will every {}.", in_words(longer));
            let explanation = "Each renewal is one more message for the lock service. Look for the \
                               longest interval that will do.";
            return Finding::NotYet(Shortfall::new(sentence, explanation));
        }
        Finding::Solved(format!(
            "With a renewal every {given} the lease survives the pause wherever it falls, and with \
             100 ms more it does not. L − P alone would be 3 s. But the grant takes its time to \
             reach A, which counts R from there, and the renewal takes its time to the lock \
             service: a round trip less."
        ))
    })
}

/// A with a pause of 7 s that begins so long after the start, in work of 12 s.
fn paused_at(at: Duration, renew_every: Duration) -> Scenario {
    Scenario {
        renew_every: Some(renew_every),
        work: Delay::constant(secs(12)),
        latency: Delay::constant(millis(200)),
        pauses: Pauses::script([ScriptedPause::new(0, at, secs(7))]),
        stop: Stop::at_time(secs(26)),
        ..Scenario::incident()
    }
}

/// Moves the pause through A's critical section: the smallest run in which A's lease expires.
fn lost_lease(renew_every: Duration) -> Option<Trace> {
    // A hears of its grant at 2.4 s, and its work is over 12.4 s later. No step of the reader's
    // falls on these moments, so that nothing hangs on the order within an instant.
    // The last moments first: of two runs as small, the pause of the later one is closer before a
    // renewal.
    let moments = (0..620).rev().map(|step| millis(2_405 + 20 * step));
    let runs = moments.inspect(|_| beat()).filter_map(|at| {
        let mut run = trace(&paused_at(at, renew_every), Seed(1)).ok()?;
        let is_end = |happening: &Happening| matches!(happening, Happening::Expired { .. });
        let end = run.entries.iter().position(|entry| is_end(&entry.happening))?;
        run.end = run.entries[end].at + secs(1);
        run.entries.retain(|entry| entry.at <= run.end);
        Some(run)
    });
    runs.min_by_key(|run| run.entries.len())
}

fn lost(renew_every: Duration, run: &Trace) -> Shortfall {
    let mut entries = run.entries.iter();
    let from = entries.find(|entry| matches!(entry.happening, Happening::Paused { .. }));
    let from = from.map_or(Time::START, |entry| entry.at);
    let sentence = format!(
        "With a renewal every {} A's lease expires if the pause begins at {from}.",
        in_words(renew_every)
    );
    let explanation = if renew_every <= secs(3) {
        "L − P is 3 s, and leaves out the messages. The lease runs from the grant at the lock \
         service; A hears of it later and counts R from there, and its renewal takes time to \
         arrive, too."
    } else {
        "The pause begins just before a renewal is due. Then the renewal comes R and the pause \
         after the one before it, or after the grant, and that must fit into the lease."
    };
    let picture = run.sequence().titled("The smallest run in which the lease is lost");
    Shortfall::new(sentence, explanation).seen_in(picture)
}

/// Exercise 05-3: a client's look before its write. `asked` and `answered` are when it sent its
/// last request for the lease that was granted, and when it handled the answer.
pub fn check_05_3(
    may_write: impl Fn(Time, Time, Time, Duration) -> bool + Send + 'static,
) -> Verdict {
    let look: Box<look_judge::MayWrite> = Box::new(may_write);
    of_code("05-3", move || look_judge::judge(&look))
}

/// Exercise 05-4: whether the thread that renews goes on: from now, the grant, and the worker's
/// last sign of progress.
pub fn check_05_4(renews: impl Fn(Time, Time, Time) -> bool + Send + 'static) -> Verdict {
    let renews: Box<renewal_judge::Renews> = Box::new(renews);
    of_code("05-4", move || renewal_judge::judge(&renews))
}
