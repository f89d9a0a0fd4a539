//! The checks of notebook 04, the lease-tuning non-fix.

use super::answer::Answer;
use super::attempt::{beat, of_choice, of_code, of_value};
use super::bound_judge;
use super::recorded_lease;
use super::verdict::{Finding, Shortfall, Verdict};
use crate::analysis::estimate::rate::Rate;
use crate::analysis::run;
use crate::analysis::sweep::Sweep;
use crate::chance::delay::Delay;
use crate::chance::pause::{Crashes, Pauses};
use crate::chance::seed::Seed;
use crate::figures::sequence::{SequenceDiagram, ZombieWrite};
use crate::figures::table::Table;
use crate::simulation::scenario::{Scenario, Stop};
use crate::simulation::trace;
use crate::time::{in_words, millis, secs};
use std::error::Error;
use std::time::Duration;

/// The baseline with pauses of these lengths.
fn with_pauses(length: &Delay, lease: Duration) -> Scenario {
    let pauses = Pauses::critical_section(0.05, length.clone());
    Scenario { lease, pauses, ..Scenario::baseline() }
}

/// Zombie writes a grant, in so many runs of ten thousand grants.
fn zombies(length: &Delay, lease: Duration, repeats: u32) -> Result<Rate, Box<dyn Error>> {
    let sweep = Sweep::of(&with_pauses(length, lease)).repeats(repeats).grants(10_000);
    let sweep = sweep.quiet().run(Seed(1))?;
    beat();
    Ok(Rate::a_grant(&sweep.cells[0].outcomes, |run| run.zombie_writes)?)
}

/// A finding, or why the scenario of an answer cannot be run.
fn or_error(finding: Result<Finding, Box<dyn Error>>) -> Finding {
    finding.unwrap_or_else(|error| {
        let explanation = "Write a value with which a scenario can be run.";
        Finding::NotYet(Shortfall::new(format!("{error}."), explanation))
    })
}

/// Exercise 04-1: pauses have a Pareto tail of shape 1.5, and the lease is doubled. What is left of
/// the zombie writes? `"a"` nearly all, `"b"` between a third and a half, `"c"` about a tenth,
/// `"d"` less than a hundredth.
pub fn check_04_1(answer: impl Answer<String>) -> Verdict {
    of_choice("04-1", answer, &["a", "b", "c", "d"], |letter| or_error(doubled(letter)))
}

fn doubled(letter: &str) -> Result<Finding, Box<dyn Error>> {
    // With shape 1.5 this shortest pause makes a median of 3 s.
    let pause = Delay::pareto(millis(1_890), 1.5);
    let leases = [secs(40), secs(80)];
    let mut numbers = Table::new(["lease", "pauses longer than that", "zombie writes a grant"]);
    let mut rates = Vec::new();
    for lease in leases {
        let rate = zombies(&pause, lease, 200)?;
        let longer = format!("{:.4}", pause.survival(lease)?);
        numbers = numbers.row([in_words(lease), longer, rate.to_string()]);
        rates.push(rate.value());
    }
    let left = rates[1] / rates[0];
    let right = match left {
        0.7.. => "a",
        0.2.. => "b",
        0.02.. => "c",
        _ => "d",
    };
    if letter == right {
        return Ok(Finding::Solved(format!(
            "Of the zombie writes {left:.2} are left, counted in two million grants with each \
             lease. The share of the pauses that are longer falls to 1/2^1.5 = 0.35, from any \
             lease to twice that lease, and the zombie writes fall about as much. Each further \
             doubling buys the same again, and none buys an end."
        )));
    }
    let explanation = match letter {
        "a" => {
            "It does help. What counts is the share of the pauses that are longer than the lease, \
             and with twice the lease that is 2^1.5 times smaller."
        }
        _ => {
            "So much it helps where the tail is light. Here the share of the pauses that are \
             longer than t goes with 1/t^1.5: with twice the lease it is 2^1.5 times smaller, no \
             more, however long the lease was before."
        }
    };
    let sentence = format!("With twice the lease {left:.2} of the zombie writes are left.");
    Ok(Finding::NotYet(Shortfall::new(sentence, explanation).seen_from(numbers)))
}

/// The rate that exercise 04-2 asks for.
const BOUND: f64 = 1e-3;

/// So many runs of ten thousand grants tell whether a lease is long enough.
const REPEATS: u32 = 100;

/// Exercise 04-2: the shortest lease with which the rate of zombie writes is surely below 10⁻³,
/// where pauses are exponential with a median of 3 s. A tenth too long is near enough.
pub fn check_04_2(answer: impl Answer<Duration>) -> Verdict {
    of_value("04-2", answer, |lease| {
        if secs(3_600) < lease {
            let explanation = "After a crash of the holder nobody could work for an hour or more. \
                               Look for the shortest lease that will do.";
            return Finding::NotYet(Shortfall::new("That is more than an hour.", explanation));
        }
        or_error(long_enough(lease))
    })
}

fn long_enough(lease: Duration) -> Result<Finding, Box<dyn Error>> {
    let light = Delay::exponential(millis(4_328));
    let given = in_words(lease);
    let rate = zombies(&light, lease, REPEATS)?;
    if !is_below(&rate) {
        let sentence =
            format!("With a lease of {given} the rate is {rate}: not surely below 0.001.");
        let explanation = "There are too many zombie writes such as this one. The interval's upper \
                           end must be below 0.001, too. The tail is light: a few seconds more \
                           make a great difference.";
        let shortfall = Shortfall::new(sentence, explanation);
        return Ok(Finding::NotYet(match smallest_zombie(&light, lease) {
            Some(run) => shortfall.seen_in(run),
            None => shortfall,
        }));
    }
    let shorter = lease * 9 / 10;
    let rate_of_shorter = zombies(&light, shorter, REPEATS)?;
    if is_below(&rate_of_shorter) {
        return too_long([(shorter, &rate_of_shorter), (lease, &rate)]);
    }
    let log_normal = zombies(&Delay::log_normal(secs(3), 1.2), lease, REPEATS)?;
    let pareto = zombies(&Delay::pareto(millis(1_597), 1.1), lease, REPEATS)?;
    Ok(Finding::Solved(format!(
        "With a lease of {given} the rate is {rate}, in a million grants. Now change the tail and \
         leave the median where it is. Log-normal pauses: {log_normal}. Pareto pauses: {pareto}. \
         Both are far above the bound. The lease was long enough for one tail, and which tail it \
         is, the median does not say."
    )))
}

fn is_below(rate: &Rate) -> bool {
    rate.interval().high < BOUND
}

/// A lease that is longer than it has to be is paid for with recovery.
fn too_long(leases: [(Duration, &Rate); 2]) -> Result<Finding, Box<dyn Error>> {
    let mut numbers = Table::new(["lease", "zombie writes a grant", "recovery s, on average"]);
    for (lease, rate) in leases {
        let crashes = Crashes::with_restart(secs(600), secs(20));
        let outcome = run(&Scenario { lease, crashes, ..Scenario::baseline() }, Seed(1))?;
        let recovery_s = format!("{:.1}", outcome.recovery_mean_s.unwrap_or_default());
        numbers = numbers.row([in_words(lease), rate.to_string(), recovery_s]);
    }
    let [shorter, given] = leases.map(|(lease, _)| in_words(lease));
    let sentence = format!(
        "A lease of {given} is longer than it has to be. One of {shorter} does, or a shorter one."
    );
    let explanation = "Whatever a lease is too long, all others wait for after each crash of a \
                       holder. Go on looking for the shortest.";
    Ok(Finding::NotYet(Shortfall::new(sentence, explanation).seen_from(numbers)))
}

/// Of the zombie writes of a few short runs, the one to which the fewest steps led.
fn smallest_zombie(length: &Delay, lease: Duration) -> Option<SequenceDiagram> {
    const GRANTS: u64 = 3_000;
    let stop = Stop::at_grants(GRANTS);
    let scenario = Scenario { stop, ..with_pauses(length, lease) };
    let runs = (1..=3).filter_map(|seed| trace(&scenario, Seed(seed)).ok());
    let zombies = runs.filter_map(|run| {
        let steps = |zombie: &ZombieWrite| {
            let before = |at| run.entries.partition_point(|entry| entry.at < at);
            before(zombie.at) - before(zombie.granted)
        };
        let smallest = run.zombie_writes().into_iter().min_by_key(steps)?;
        Some((steps(&smallest), run.sequence().around(smallest)))
    });
    let (_, diagram) = zombies.min_by_key(|(steps, _)| *steps)?;
    Some(diagram.titled("The smallest of its zombie writes"))
}

/// Exercise 04-3: a bound that the rate stays below with 95 %, after so many were seen in so many
/// trials.
pub fn check_04_3(bound: impl Fn(u64, u64) -> f64 + Send + 'static) -> Verdict {
    let bound: Box<bound_judge::Bound> = Box::new(bound);
    of_code("04-3", move || bound_judge::judge(&bound))
}

/// Exercise 04-4: a lease that no more than one pause in a thousand outlasts, as far as recorded
/// pauses can tell; or none, where they cannot.
pub fn check_04_4(lease: impl Fn(&[Duration]) -> Option<Duration> + Send + 'static) -> Verdict {
    let lease: Box<recorded_lease::LeaseFor> = Box::new(lease);
    of_code("04-4", move || recorded_lease::judge(&lease))
}
