//! A reader's upper bound for a rate, put to many samples of which the true rate is known.

use super::attempt::beat;
use super::verdict::{Finding, Shortfall};
use crate::analysis::estimate::interval::clopper_pearson;
use crate::analysis::estimate::writing::with_commas;
use crate::chance::seed::{Purpose, Seed};
use crate::figures::table::Table;
use rand_distr::{Binomial, Distribution};
use std::collections::BTreeMap;

/// What is judged: from what was seen in how many trials, a bound.
pub(crate) type Bound = dyn Fn(u64, u64) -> f64 + Send;

/// Grants in a sample.
const TRIALS: [u64; 4] = [100, 1_000, 10_000, 200_000];

/// Zombie writes that a sample has on average.
const EXPECTED: [f64; 11] = [0.5, 1.0, 1.5, 2.0, 3.5, 5.0, 8.0, 12.0, 20.0, 35.0, 50.0];

/// Samples of each kind.
const SAMPLES: u64 = 2_000;

/// So many of a hundred must hold. 95 are asked for; the samples scatter, and a formula that is
/// short may miss by a little.
const AT_LEAST: u64 = 93;

/// So many times the exact bound is still of use.
const OF_USE: f64 = 1.5;

/// Samples of one kind.
struct Samples {
    trials: u64,
    rate: f64,
    /// How often so many were seen.
    seen: BTreeMap<u64, u64>,
}

impl Samples {
    fn draw(trials: u64, expected: f64, label: u64) -> Samples {
        let rate = expected / trials as f64;
        let mut stream = Seed(label).stream(Purpose::Work, 0);
        let mut seen = BTreeMap::new();
        if let Ok(binomial) = Binomial::new(trials, rate) {
            for _ in 0..SAMPLES {
                *seen.entry(binomial.sample(&mut stream)).or_default() += 1;
            }
        }
        Samples { trials, rate, seen }
    }

    /// In how many the bound is below the rate.
    fn misses(&self, bound: &Bound) -> u64 {
        let too_low = self.seen.iter().filter(|(seen, _)| bound(**seen, self.trials) < self.rate);
        too_low.map(|(_, samples)| samples).sum()
    }
}

/// All kinds of samples, the small ones first. Zombie writes are rare: where there are few trials,
/// few are expected.
fn all_samples() -> Vec<Samples> {
    let kinds = TRIALS.iter().flat_map(|trials| {
        let expected = EXPECTED.iter().filter(|expected| 5.0 * **expected <= *trials as f64);
        expected.map(|expected| (*trials, *expected))
    });
    let labelled = kinds.zip(1..);
    labelled.map(|((trials, expected), label)| Samples::draw(trials, expected, label)).collect()
}

/// Whether the bound holds as often as it says, and is of use.
pub(crate) fn judge(bound: &Bound) -> Finding {
    let all = all_samples();
    for samples in &all {
        beat();
        if let Some(shortfall) = no_number(bound, samples) {
            return Finding::NotYet(shortfall);
        }
    }
    for samples in &all {
        let misses = samples.misses(bound);
        if SAMPLES * (100 - AT_LEAST) < misses * 100 {
            return Finding::NotYet(too_low(bound, samples, misses));
        }
    }
    if let Some(shortfall) = all.iter().find_map(|samples| too_high(bound, samples)) {
        return Finding::NotYet(shortfall);
    }
    let worst = all.iter().map(|samples| samples.misses(bound)).max().unwrap_or_default();
    let share = 100.0 - 100.0 * worst as f64 / SAMPLES as f64;
    Finding::Solved(format!(
        "In {} kinds of samples, {} of each, it holds in {share:.1} of 100 at the least, also \
         where nothing was seen.",
        all.len(),
        with_commas(SAMPLES)
    ))
}

fn no_number(bound: &Bound, samples: &Samples) -> Option<Shortfall> {
    let trials = samples.trials;
    let (seen, given) = samples.seen.keys().find_map(|seen| {
        let given = bound(*seen, trials);
        (given.is_nan() || given < 0.0).then_some((*seen, given))
    })?;
    let sentence = format!("After {seen} in {} grants your bound is {given}.", with_commas(trials));
    let explanation = "A rate is a number from 0 to 1. Convert with `as f64` before you divide, \
                       and look at what stands under a root.";
    Some(Shortfall::new(sentence, explanation))
}

fn too_low(bound: &Bound, samples: &Samples, misses: u64) -> Shortfall {
    let trials = samples.trials;
    let share = 100.0 * misses as f64 / SAMPLES as f64;
    let sentence = format!(
        "Where the true rate is {}, your bound is below it in {share:.0} of 100 samples of {} \
         grants.",
        samples.rate,
        with_commas(trials)
    );
    let mut numbers = Table::new(["seen", "samples", "your bound", ""]).captioned(format!(
        "{} samples of {} grants; the true rate is {}",
        with_commas(SAMPLES),
        with_commas(trials),
        samples.rate
    ));
    // The counts about the one from which on the bound holds.
    let low = samples.seen.keys().take_while(|seen| bound(**seen, trials) < samples.rate).count();
    for (seen, number) in samples.seen.iter().skip(low.saturating_sub(5)).take(8) {
        let given = bound(*seen, trials);
        let holds = if given < samples.rate { "too low" } else { "holds" };
        let number = with_commas(*number);
        let cells = [seen.to_string(), number, format!("{given:.6}"), holds.to_owned()];
        numbers = numbers.row(cells);
    }
    Shortfall::new(sentence, oversight(bound)).seen_from(numbers)
}

/// What a bound overlooks that is too low.
fn oversight(bound: &Bound) -> &'static str {
    // What it adds to the count, a thousand grants being one.
    let added = |seen: u64| bound(seen, 10_000) * 10_000.0 - seen as f64;
    let is_near = |one: f64, other: f64| (one - other).abs() < 0.01;
    if [0, 5, 40].iter().all(|seen| is_near(added(*seen), 0.0)) {
        "That is the rate that was seen. The true rate is above it as often as below, and where \
         nothing was seen it says zero."
    } else if is_near(added(0), 0.0) {
        "Where nothing was seen it says zero, so that every true rate is above it. Nothing seen in \
         n grants is a rate below 3/n."
    } else if is_near(added(5), added(0) - 5.0) {
        "It says the same whatever was seen. 3/n is for the case that nothing was."
    } else if is_near(added(0), added(40)) {
        "It adds the same to every count. A count of many scatters more than one of few: by about \
         the root of itself."
    } else if added(40) < 11.0 {
        "A count of many scatters by about the root of itself, and 95 % need nearly two of these \
         roots."
    } else {
        "After few it says too little: a count of one or two knows little of how far it can be \
         off. Where nothing was seen three must be added, and where a few were, more than that."
    }
}

/// A bound that says much more than it has to.
fn too_high(bound: &Bound, samples: &Samples) -> Option<Shortfall> {
    let trials = samples.trials;
    let (seen, given, exact) = samples.seen.keys().find_map(|seen| {
        let (given, exact) = (bound(*seen, trials), clopper_pearson(*seen, trials).high);
        (OF_USE * exact < given).then_some((*seen, given, exact))
    })?;
    let sentence = format!(
        "After {seen} in {} grants your bound is {given:.6}, where {exact:.6} is enough.",
        with_commas(trials)
    );
    let explanation = "It holds, and says little. A rate is always below 1; what is asked for is a \
                       bound that is at most one and a half times as high as it has to be.";
    Some(Shortfall::new(sentence, explanation))
}
