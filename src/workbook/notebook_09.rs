//! The checks of notebook 09, your own data.

use super::answer::Answer;
use super::attempt::{beat, of_code, of_value};
use super::verdict::{Finding, Shortfall, Verdict};
use crate::analysis::estimate::rate::Rate;
use crate::analysis::estimate::writing::with_commas;
use crate::analysis::outcome::Outcome;
use crate::analysis::run;
use crate::chance::delay::Delay;
use crate::chance::pause::Pauses;
use crate::chance::recording::{RecordedPause, merge_close, read_recording};
use crate::chance::seed::Seed;
use crate::figures::table::Table;
use crate::simulation::scenario::{Scenario, ScenarioError, Stop};
use crate::time::{in_words, millis, secs};
use std::error::Error;
use std::time::Duration;

/// The recording that the exercises ask about, whatever file the reader has put into the notebook.
const RECORDING: &str = "data/pauses/scheduler-loaded.csv";
/// Stops that are less apart act as one.
const GAP: Duration = millis(50);
/// The rate that exercises 09-3 and 09-4 ask for.
const TARGET: f64 = 1e-3;

/// Exercise 09-1: stops that are less than 50 ms apart act as one.
pub fn check_09_1(
    merge: impl Fn(&[RecordedPause]) -> Vec<RecordedPause> + Send + 'static,
) -> Verdict {
    check_09_1_of(Box::new(merge))
}

type Merge = fn(&[RecordedPause]) -> Vec<RecordedPause>;
type ReadersMerge = dyn Fn(&[RecordedPause]) -> Vec<RecordedPause> + Send;

fn check_09_1_of(merge: Box<ReadersMerge>) -> Verdict {
    of_code("09-1", move || {
        let lists = lists_of_stops();
        let right = |stops: &[RecordedPause]| merge_close(stops, GAP);
        let Some(failing) = lists.iter().find(|stops| merge(stops) != right(stops)) else {
            return Finding::Solved(format!(
                "It is right for {} lists of stops, among them stops within stops, and stops that \
                 are 50 ms apart and no less.",
                with_commas(lists.len() as u64)
            ));
        };
        let always = |does: Merge| lists.iter().all(|stops| merge(stops) == does(stops));
        let explanation = what_merges_amiss(&always);
        let (given, right) = (merge(failing), right(failing));
        let mut table = Table::new(["", "begins", "lasts", "ends"]);
        let lists = [("given", failing), ("right", &right), ("your code", &given)];
        for (what, stop) in
            lists.iter().flat_map(|(what, stops)| stops.iter().map(move |s| (what, s)))
        {
            let times = [stop.start, stop.length, stop.start.saturating_add(stop.length)];
            let times = times.map(in_words);
            table = table.row(std::iter::once((*what).to_owned()).chain(times));
        }
        let sentence = format!(
            "The smallest list in which it is wrong has {}: {} when merged, and your code says {}.",
            counted(failing.len()),
            counted(right.len()),
            counted(given.len()),
        );
        Finding::NotYet(Shortfall::new(sentence, explanation).seen_from(table))
    })
}

fn counted(stops: usize) -> String {
    match stops {
        0 => "no stop".to_owned(),
        1 => "one stop".to_owned(),
        stops => format!("{stops} stops"),
    }
}

/// All lists of up to three stops with awkward starts and lengths, the short ones first, then long
/// ones that are drawn.
fn lists_of_stops() -> Vec<Vec<RecordedPause>> {
    let steps = [0, 30, 100, 130, 149, 150, 151, 300].map(millis);
    let lengths = [30, 100, 400].map(millis);
    let mut lists = vec![Vec::new()];
    let mut longest = lists.clone();
    for _ in 0..3 {
        let longer = |list: &Vec<RecordedPause>| {
            let before = list.last().map_or(millis(500), |last| last.start);
            let steps = if list.is_empty() { &steps[..1] } else { &steps[..] };
            let ends = steps.iter().flat_map(|step| lengths.map(|length| (before + *step, length)));
            let with = |(start, length)| [&list[..], &[RecordedPause { start, length }]].concat();
            ends.map(with).collect::<Vec<_>>()
        };
        longest = longest.iter().flat_map(longer).collect();
        lists.extend(longest.iter().cloned());
    }
    lists.extend((1..=100).map(drawn_stops));
    lists
}

/// Stops in the order of their starts; some lie within others.
fn drawn_stops(seed: u64) -> Vec<RecordedPause> {
    let draw = |mean, label: u64| {
        let drawn = Delay::exponential(millis(mean)).samples(Seed(1_000 * label + seed), 40);
        drawn.unwrap_or_default().into_iter().map(|span| millis(span.as_millis() as u64))
    };
    let mut start = Duration::ZERO;
    let stops = draw(120, 3).zip(draw(80, 4)).map(|(step, length)| {
        start += step;
        RecordedPause { start, length }
    });
    stops.collect()
}

/// Merges as a reader might: what is close, given the last merged stop, the stop before and this
/// one; and how long the merged stop is then.
fn merged_by(
    stops: &[RecordedPause],
    is_close: fn(&RecordedPause, &RecordedPause, &RecordedPause) -> bool,
    length: fn(&RecordedPause, &RecordedPause) -> Duration,
) -> Vec<RecordedPause> {
    let mut merged: Vec<RecordedPause> = Vec::new();
    let mut before: Option<&RecordedPause> = None;
    for stop in stops {
        match (merged.last_mut(), before) {
            (Some(last), Some(before)) if is_close(last, before, stop) => {
                last.length = length(last, stop);
            }
            _ => merged.push(*stop),
        }
        before = Some(stop);
    }
    merged
}

fn to_the_later_end(last: &RecordedPause, stop: &RecordedPause) -> Duration {
    end(last).max(end(stop)) - last.start
}

fn end(stop: &RecordedPause) -> Duration {
    stop.start + stop.length
}

/// What an answer overlooks that always merges like this.
fn what_merges_amiss(always: &dyn Fn(Merge) -> bool) -> &'static str {
    if always(<[RecordedPause]>::to_vec) {
        "It merges nothing. Between two stops less than 50 ms apart a program gets nothing done."
    } else if always(|stops| {
        merged_by(stops, |last, _, stop| stop.start <= end(last) + GAP, to_the_later_end)
    }) {
        "Less than 50 ms apart is less: two stops that are exactly 50 ms apart stay two. Compare \
         with <, not with <=."
    } else if always(|stops| {
        merged_by(
            stops,
            |last, _, stop| stop.start < end(last) + GAP,
            |last, stop| end(stop).saturating_sub(last.start),
        )
    }) {
        "A stop can lie within the one before, and end before it does. The merged stop ends when \
         the later of the two ends."
    } else if always(|stops| {
        merged_by(
            stops,
            |last, _, stop| stop.start < end(last) + GAP,
            |last, stop| last.length + stop.length,
        )
    }) {
        "It adds up the lengths. A merged stop lasts from the start of the first to the end of the \
         last: the time between belongs to it, and what two stops share counts once."
    } else if always(|stops| {
        merged_by(stops, |last, _, stop| stop.start < last.start + GAP, to_the_later_end)
    }) {
        "It compares the start of a stop with the start of the one before. What lies between two \
         stops begins where the first ends."
    } else if always(|stops| {
        merged_by(stops, |_, before, stop| stop.start < end(before) + GAP, to_the_later_end)
    }) {
        "It measures the gap from the stop before alone. That one may lie within a longer one, \
         which ends later: measure from the end of what is merged so far."
    } else {
        "Go through the stops in their order, with the merged one that was begun last. A stop that \
         begins less than 50 ms after its end belongs to it, and moves its end if it ends later."
    }
}

/// Exercise 09-2: how long did a program stand still in all, by the lines of its collector and the
/// safepoint lines of the same log?
pub fn check_09_2(
    total: impl Fn(&[RecordedPause], &[RecordedPause]) -> Duration + Send + 'static,
) -> Verdict {
    check_09_2_of(Box::new(total))
}

type Total = fn(&Log) -> Duration;
type ReadersTotal = dyn Fn(&[RecordedPause], &[RecordedPause]) -> Duration + Send;

/// The lines of a log: what the collector did, and when the program stood still.
struct Log {
    collections: Vec<RecordedPause>,
    stopped: Vec<RecordedPause>,
}

fn sum(lines: &[RecordedPause]) -> Duration {
    lines.iter().map(|line| line.length).sum()
}

fn check_09_2_of(total: Box<ReadersTotal>) -> Verdict {
    of_code("09-2", move || {
        let logs = logs();
        let given = |log: &Log| total(&log.collections, &log.stopped);
        let Some(failing) = logs.iter().find(|log| given(log) != sum(&log.stopped)) else {
            return Finding::Solved(format!("It is right for {} logs.", logs.len()));
        };
        let always = |does: Total| logs.iter().all(|log| given(log) == does(log));
        let explanation = if always(|log| sum(&log.collections) + sum(&log.stopped)) {
            "It counts a collection twice: once in its own line, and once in the safepoint line of \
             the stop in which it happened."
        } else if always(|log| sum(&log.collections)) {
            "It counts what the collector did. A program also stops for other reasons; and until \
             all its threads stand, it waits, which is in the safepoint line alone."
        } else if always(|log| sum(&merge_close(&both(log), Duration::ZERO))) {
            "It counts what no safepoint line covers. Such a line is of a collection that ran \
             beside the program, which went on."
        } else if always(|log| sum(&log.collections).max(sum(&log.stopped))) {
            "The larger of two sums is right only by chance. Which lines say that the program \
             stood still?"
        } else {
            "Each safepoint line is one stop from its beginning to its end, whatever happened in \
             it. What do the lines of the collector add to that?"
        };
        let sentence = format!(
            "The program of this log stood still for {} in all, and your code says {}.",
            in_words(sum(&failing.stopped)),
            in_words(given(failing))
        );
        Finding::NotYet(Shortfall::new(sentence, explanation).seen_from(lines(failing)))
    })
}

/// All lines in the order of their starts.
fn both(log: &Log) -> Vec<RecordedPause> {
    let mut all = [&log.collections[..], &log.stopped].concat();
    all.sort_by_key(|line| line.start);
    all
}

fn lines(log: &Log) -> Table {
    let of = |what, lines: &[RecordedPause]| {
        lines.iter().map(|line| (line.start, what, *line)).collect::<Vec<_>>()
    };
    let mut all = of("safepoint", &log.stopped);
    all.extend(of("collection", &log.collections));
    all.sort_by_key(|(start, ..)| *start);
    let rows = all
        .iter()
        .take(8)
        .map(|(_, what, line)| [(*what).to_owned(), in_words(line.start), in_words(line.length)]);
    rows.fold(Table::new(["line", "begins", "lasts"]), Table::row)
}

/// Small logs first, then some that are drawn: stops with a collection in them and without, and
/// collections that run beside the program.
fn logs() -> Vec<Log> {
    let line = |start: u64, length| RecordedPause { start: millis(start), length: millis(length) };
    let small = |collections: &[RecordedPause], stopped: &[RecordedPause]| Log {
        collections: collections.to_vec(),
        stopped: stopped.to_vec(),
    };
    let mut logs = vec![
        small(&[], &[]),
        small(&[line(110, 80)], &[line(100, 100)]),
        small(&[], &[line(100, 100)]),
        small(&[line(300, 500)], &[line(100, 100)]),
        small(&[line(110, 80), line(300, 500)], &[line(100, 100), line(400, 50)]),
    ];
    logs.extend((1..=40).map(|seed| {
        let stopped = drawn_stops(seed);
        let stopped = merge_close(&stopped, Duration::ZERO);
        let inside = |stop: &RecordedPause| RecordedPause {
            start: stop.start + stop.length / 10,
            length: stop.length / 10 * 8,
        };
        let mut collections: Vec<_> = stopped.iter().step_by(2).map(inside).collect();
        collections.extend(drawn_stops(100 + seed).into_iter().step_by(9));
        collections.sort_by_key(|line| line.start);
        Log { collections, stopped }
    }));
    logs
}

/// Exercise 09-3: so many stops must a recording have at least, none of them longer than the lease,
/// for the bound on the share of longer stops to be one in a thousand.
pub fn check_09_3(answer: impl Answer<i128>) -> Verdict {
    of_value("09-3", answer, |answer| {
        let Ok(stops @ 1..) = u32::try_from(answer) else {
            let explanation = "Every stop that was not longer is one trial. How many are there?";
            let sentence = format!("{answer} is no number of stops.");
            return Finding::NotYet(Shortfall::new(sentence, explanation));
        };
        // 3/n is rounded: exactly, it is 2,995 stops.
        let missed = |stops| none_longer(stops, TARGET);
        let least = (1..).find(|stops| missed(*stops) <= 0.05).unwrap_or(u32::MAX);
        if (least..=least + 10).contains(&stops) {
            return Finding::Solved(format!(
                "3/n is one in a thousand at n = 3,000. If one stop in a thousand is longer, a \
                 recording of {} stops misses all of them with a probability of {:.3}.",
                with_commas(stops.into()),
                missed(stops)
            ));
        }
        let explanation = if stops < least {
            "So it can well be that one stop in a thousand is longer, and that none of them came \
             while it was recorded. What n makes 3/n that small?"
        } else {
            "That is more than enough. What n makes 3/n as small as that, and no smaller?"
        };
        let mut table =
            Table::new(["recording of so many stops", "chance that it misses all longer ones"]);
        for stops in [stops / 2, stops, stops.saturating_mul(2)].into_iter().filter(|n| 0 < *n) {
            table = table.row([with_commas(stops.into()), format!("{:.3}", missed(stops))]);
        }
        let sentence = format!(
            "If one stop in a thousand is longer, a recording of {} stops misses all of them with \
             a probability of {:.3}; 0.05 is asked for.",
            with_commas(stops.into()),
            missed(stops)
        );
        Finding::NotYet(Shortfall::new(sentence, explanation).seen_from(table))
    })
}

/// The probability that none of so many stops is longer, if this share of all stops is.
fn none_longer(stops: u32, share: f64) -> f64 {
    (1.0 - share).powf(f64::from(stops))
}

/// Exercise 09-4: the shortest lease, in steps of 100 ms, with which the upper bound of the rate of
/// zombie writes is below one in a thousand, with the stops of the loaded machine.
pub fn check_09_4(answer: impl Answer<Duration>) -> Verdict {
    of_value("09-4", answer, |lease| {
        if secs(3_600) < lease {
            let explanation = "The longest stop of the recording took less than six seconds.";
            return Finding::NotYet(Shortfall::new("That is more than an hour.", explanation));
        }
        shortest_lease(lease).unwrap_or_else(|error| {
            let explanation = "A scenario that cannot be run is answered with what to change.";
            Finding::NotYet(Shortfall::new(format!("{error}."), explanation))
        })
    })
}

fn shortest_lease(lease: Duration) -> Result<Finding, Box<dyn Error>> {
    let stops = merge_close(&read_recording(RECORDING)?, GAP);
    let recorded = Delay::recorded(&stops);
    let rate = zombie_rate(lease, &recorded)?;
    let given = in_words(lease);
    if TARGET <= rate.interval().high {
        let sentence = format!(
            "With a lease of {given} the upper bound is {:.5}, which is not below 0.001.",
            rate.interval().high
        );
        let explanation = "A longer lease survives more of the stops. Look in the table which of \
                           them this one does not survive for certain.";
        return Ok(Finding::NotYet(
            Shortfall::new(sentence, explanation).seen_from(longest(&stops)),
        ));
    }
    let shorter = lease.saturating_sub(millis(100));
    // A lease that cannot be set is no shorter lease that would do.
    let before = zombie_rate(shorter, &recorded).ok();
    if let Some(before) = before.filter(|rate| rate.interval().high < TARGET) {
        let sentence = format!(
            "A shorter lease does, too: with {} the upper bound is {:.5}.",
            in_words(shorter),
            before.interval().high
        );
        let explanation = "Go down in steps of 100 ms, until the upper bound is no longer below \
                           0.001. The last lease before is the answer.";
        return Ok(Finding::NotYet(Shortfall::new(sentence, explanation)));
    }
    let heavy = zombie_rate(lease, &with_heavy_tail(&recorded)?)?;
    Ok(Finding::Solved(format!(
        "With a lease of {given} the upper bound is {:.5}, and with 100 ms less it is not below \
         0.001. It hangs on a single stop, the longest of {}. And a recording cannot tell its \
         pauses from those with the same median, the same 99th percentile and a Pareto tail: with \
         these the same lease has {heavy} zombie writes a turn.",
        rate.interval().high,
        stops.len()
    )))
}

/// The rate of zombie writes a turn, in the notebook's scenario: every turn is paused once.
fn zombie_rate(lease: Duration, pause: &Delay) -> Result<Rate, Box<dyn Error>> {
    let scenario = Scenario {
        lease,
        renew_every: Some(secs(2)),
        work: Delay::exponential(secs(20)),
        pauses: Pauses::critical_section(1.0, pause.clone()),
        stop: Stop::at_grants(10_000),
        ..Scenario::baseline()
    };
    // As `Sweep` runs them with 20 repeats and this seed; each is a sign of life.
    let runs = (0..20).map(|repeat| {
        beat();
        run(&scenario, Seed(1).repeat(repeat))
    });
    let runs = runs.collect::<Result<Vec<Outcome>, ScenarioError>>()?;
    Ok(Rate::a_grant(&runs, |run| run.zombie_writes)?)
}

/// The Pareto distribution with this median and this 99th percentile.
fn with_heavy_tail(pause: &Delay) -> Result<Delay, Box<dyn Error>> {
    let (median, p99) = (pause.quantile(0.5)?, pause.quantile(0.99)?);
    let shape = 50_f64.ln() / (p99.as_secs_f64() / median.as_secs_f64()).ln();
    Ok(Delay::pareto(median.mul_f64(0.5_f64.powf(1.0 / shape)), shape))
}

/// The longest stops, as evidence.
fn longest(stops: &[RecordedPause]) -> Table {
    let mut lengths: Vec<Duration> = stops.iter().map(|stop| stop.length).collect();
    lengths.sort_unstable_by_key(|length| std::cmp::Reverse(*length));
    let rows = lengths.iter().take(5).map(|length| [in_words(*length)]);
    let all = format!("the longest of {} stops, merged", stops.len());
    rows.fold(Table::new([all]), Table::row)
}
