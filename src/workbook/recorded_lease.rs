//! A reader's lease from recorded pauses, put to many recordings of which the true tail is known.

use super::attempt::beat;
use super::verdict::{Finding, Shortfall};
use crate::analysis::estimate::writing::with_commas;
use crate::chance::delay::Delay;
use crate::chance::pause::{Pauses, ScriptedPause};
use crate::chance::seed::Seed;
use crate::figures::sequence::SequenceDiagram;
use crate::simulation::scenario::{Scenario, Stop};
use crate::simulation::trace;
use crate::time::{in_words, millis, secs};
use std::time::Duration;

/// What is judged: from recorded pauses a lease, or none.
pub(crate) type LeaseFor = dyn Fn(&[Duration]) -> Option<Duration> + Send;

/// The share of the pauses that may outlast the lease.
const SHARE: f64 = 1e-3;

/// Pauses in a recording.
const SIZES: [usize; 7] = [0, 10, 100, 1_000, 2_000, 3_000, 6_000];

/// From so many pauses on a lease must be given: 3/0.001.
const ENOUGH: usize = 3_000;

/// Recordings of each size and tail.
const RECORDINGS: u64 = 150;

/// So many of a hundred must be right. 95 can be reached, and 150 recordings scatter.
const AT_LEAST: usize = 90;

/// A lease may be so many times the longest pause.
const OF_USE: u32 = 2;

/// Three kinds of pauses with the same median, the heavy tail first.
fn tails() -> [(&'static str, Delay); 3] {
    [
        ("a heavy tail (Pareto)", Delay::pareto(millis(1_597), 1.1)),
        ("a middling tail (log-normal)", Delay::log_normal(secs(3), 1.2)),
        ("a light tail (exponential)", Delay::exponential(millis(4_328))),
    ]
}

/// What a lease does that is too short for its pauses.
struct TooShort {
    tail: &'static str,
    recorded: usize,
    longest: Duration,
    lease: Duration,
    /// The share of the pauses that are longer.
    longer: f64,
    /// In how many of a hundred recordings of this kind.
    of_100: usize,
}

/// Whether the leases are right as often as they can be, and given where they can be.
pub(crate) fn judge(lease_for: &LeaseFor) -> Finding {
    if let Some(lease) = lease_for(&[]) {
        let sentence = format!("Nothing was recorded, and your code says {}.", in_words(lease));
        let explanation = "No pause was seen, so nothing is known of them. Say `None`.";
        return Finding::NotYet(Shortfall::new(sentence, explanation));
    }
    let mut silent = None;
    for recorded in SIZES {
        for (tail, pause) in tails() {
            match put_to(lease_for, recorded, (tail, &pause)) {
                Ok(given) if ENOUGH <= recorded && !given => silent = silent.or(Some(recorded)),
                Ok(_) => {}
                Err(shortfall) => return Finding::NotYet(shortfall),
            }
        }
    }
    if let Some(recorded) = silent {
        let sentence =
            format!("Of {} recorded pauses your code says nothing.", with_commas(recorded as u64));
        let explanation = "So many are enough. If none of n pauses was longer than a lease, the \
                           share of those that are is below 3/n, and 3/3,000 is one in a thousand: \
                           no pause was longer than the longest.";
        return Finding::NotYet(Shortfall::new(sentence, explanation));
    }
    Finding::Solved(format!(
        "From recordings of up to {} pauses, with three kinds of tails, it gives a lease that at \
         most one pause in a thousand outlasts, in nine recordings of ten or more; and none where \
         the recording is too short to tell. One in a thousand is what it can promise. A longest \
         pause is not among its promises.",
        with_commas(SIZES[SIZES.len() - 1] as u64)
    ))
}

/// Many recordings of one kind; says whether a lease was always given.
fn put_to(
    lease_for: &LeaseFor,
    recorded: usize,
    (tail, pause): (&'static str, &Delay),
) -> Result<bool, Shortfall> {
    let Ok(law) = pause.tail() else { return Ok(true) };
    let (mut always_given, mut misses, mut first) = (true, 0, None);
    for number in 0..RECORDINGS {
        beat();
        let pauses = pause.samples(Seed(4).repeat(number), recorded).unwrap_or_default();
        let longest = pauses.iter().copied().max().unwrap_or_default();
        let Some(lease) = lease_for(&pauses) else {
            always_given = false;
            continue;
        };
        if longest.saturating_mul(OF_USE) < lease {
            return Err(too_long(recorded, longest, lease));
        }
        let longer = law.survival(lease);
        if SHARE < longer {
            misses += 1;
            let found = TooShort { tail, recorded, longest, lease, longer, of_100: 0 };
            first = first.or(Some(found));
        }
    }
    match first {
        Some(found) if (100 - AT_LEAST) * (RECORDINGS as usize) < 100 * misses => {
            let of_100 = (100 * misses).div_ceil(RECORDINGS as usize);
            Err(TooShort { of_100, ..found }.told())
        }
        _ => Ok(always_given),
    }
}

fn too_long(recorded: usize, longest: Duration, lease: Duration) -> Shortfall {
    let sentence = format!(
        "From {} recorded pauses, the longest of {}, your code says {}.",
        with_commas(recorded as u64),
        rounded(longest),
        rounded(lease)
    );
    let explanation = "That is more than twice the longest, so the recording has nothing to do \
                       with it. Give what the recording can tell, and `None` where it cannot.";
    Shortfall::new(sentence, explanation)
}

impl TooShort {
    fn told(&self) -> Shortfall {
        let TooShort { tail, recorded, longest, lease, longer, of_100 } = self;
        let sentence = format!(
            "From {} recorded pauses with {tail}, the longest of {}, your code says {}, and one \
             pause in {:.0} is longer than that.",
            with_commas(*recorded as u64),
            rounded(*longest),
            rounded(*lease),
            1.0 / longer
        );
        let explanation = format!(
            "{} It is too short in {of_100} of 100 recordings of this kind.",
            self.oversight()
        );
        let shortfall = Shortfall::new(sentence, explanation);
        match run_with_a_longer_pause(*lease) {
            Some(run) => shortfall.seen_in(run),
            None => shortfall,
        }
    }

    fn oversight(&self) -> &'static str {
        if self.recorded < 1_000 {
            "What happens once in a thousand pauses is not in a recording of fewer. The longest of \
             them is no bound for the next, and twice the longest is none either where the tail is \
             heavy: the factor is a guess at what was not seen. Say `None`."
        } else if self.recorded < ENOUGH {
            "One in a thousand comes in a thousand pauses once on average, which is to say often \
             not at all. To have it in 95 recordings of 100 there must be 3,000 pauses: the rule \
             of three. Say `None` where there are fewer."
        } else if 3.0 * SHARE < self.longer {
            "Many more than one pause in a thousand are longer, also among those that were \
             recorded."
        } else {
            "The pause that one in a thousand of the recorded ones exceeds is an estimate: too \
             short as often as too long. No pause was longer than the longest, and that is what \
             the rule of three speaks of."
        }
    }
}

/// To a tenth of a second.
fn rounded(span: Duration) -> String {
    format!("{:.1} s", span.as_secs_f64())
}

/// The smallest run in which a lease does not help: the pause is a second longer.
fn run_with_a_longer_pause(lease: Duration) -> Option<SequenceDiagram> {
    let length = lease.checked_add(secs(1))?;
    let scenario = Scenario {
        lease,
        pauses: Pauses::script([ScriptedPause::new(0, secs(3), length)]),
        stop: Stop::at_time(length.checked_add(secs(5))?),
        ..Scenario::incident()
    };
    let run = trace(&scenario, Seed(1)).ok()?;
    Some(run.sequence().titled("The smallest run with a pause that is longer, by a second"))
}
