//! The checks of notebook 01, the pause.

use super::answer::Answer;
use super::attempt::{of_choice, of_code, of_value};
use super::verdict::{Finding, Shortfall, Verdict};
use crate::chance::delay::Delay;
use crate::chance::pause::{Pauses, ScriptedPause};
use crate::chance::recording::{RecordedPause, merge_close};
use crate::chance::seed::Seed;
use crate::figures::table::Table;
use crate::protocol::lease::ClientId;
use crate::simulation::scenario::{Scenario, Stop};
use crate::simulation::trace;
use crate::simulation::trace::Happening;
use crate::time::{in_words, millis, secs};
use std::time::Duration;

/// Exercise 01-1: B is paused while it waits for the lock, and sleeps through its whole lease. What
/// does it do when it wakes? `"a"` it asks again, `"b"` it gives up, `"c"` it acts as holder.
pub fn check_01_1(answer: impl Answer<String>) -> Verdict {
    of_choice("01-1", answer, &["a", "b", "c"], |letter| {
        let scenario = Scenario {
            pauses: Pauses::script([ScriptedPause::new(1, secs(3), secs(14))]),
            stop: Stop::at_time(secs(22)),
            ..Scenario::incident()
        };
        let run = match trace(&scenario, Seed(1)) {
            Ok(run) => run,
            Err(error) => return Finding::NotAttempted(error.to_string()),
        };
        let b = ClientId(1);
        let acts = run.entries.iter().skip_while(
            |entry| !matches!(entry.happening, Happening::Resumed { client } if client == b),
        );
        let mut acts = acts.filter(
            |entry| matches!(entry.happening, Happening::ReadServed { client, .. } if client == b),
        );
        let reads = acts.next().is_some();
        if reads == (letter == "c") {
            return Finding::Solved(
                "B wakes, finds the grant among its messages, believes, and reads the store under \
                 a lease that is long over. The grant says nothing of when it was sent."
                    .to_owned(),
            );
        }
        let explanation = match letter {
            "a" => {
                "B has asked once and is waiting for an answer. The answer is there when it wakes: \
                 the grant, which came while it slept."
            }
            _ => {
                "To give up, B would have to know that the lease is over. It handles the grant as \
                 if it had come that very moment."
            }
        };
        let sentence = "B acts as holder: it reads the store.";
        Finding::NotYet(Shortfall::new(sentence, explanation).seen_in(run.sequence()))
    })
}

/// Exercise 01-2: the longest pause, in steps of 100 ms, after which A still releases its lease in
/// time.
pub fn check_01_2(answer: impl Answer<Duration>) -> Verdict {
    of_value("01-2", answer, |length| {
        let step = millis(100);
        if secs(3_600) < length {
            let explanation = "A lease of ten seconds is long over by then.";
            return Finding::NotYet(Shortfall::new("That is more than an hour.", explanation));
        }
        let longer = length + step;
        let (shorter, longer) = (pause_of_a(length), pause_of_a(longer));
        let has_expired = |run: &trace::Trace| {
            let mut entries = run.entries.iter();
            entries.any(|entry| matches!(entry.happening, Happening::Expired { .. }))
        };
        let given = in_words(length);
        if has_expired(&shorter) {
            let sentence = format!("After a pause of {given} the lease of A expires.");
            let explanation = "The lease runs from the grant at the lock service. Before and after \
                               the pause A has work to do, and messages take time: all of it must \
                               fit into ten seconds.";
            let shortfall = Shortfall::new(sentence, explanation);
            return Finding::NotYet(shortfall.seen_in(shorter.sequence()));
        }
        if !has_expired(&longer) {
            let sentence = format!("The pause can be longer than {given}: no lease expires yet.");
            let explanation = "Look how much of the lease is left when A's release reaches the \
                               lock service.";
            let shortfall = Shortfall::new(sentence, explanation);
            return Finding::NotYet(shortfall.seen_in(shorter.sequence()));
        }
        Finding::Solved(format!(
            "A pause of {given} leaves the lease whole, and one that is 100 ms longer does not. A \
             lease of ten seconds does not survive a pause of ten seconds: it must hold the work \
             and the messages, too."
        ))
    })
}

/// The notebook's one client with a pause of this length at three seconds.
fn pause_of_a(length: Duration) -> trace::Trace {
    let scenario = Scenario {
        clients: 1,
        pauses: Pauses::script([ScriptedPause::new(0, secs(3), length)]),
        stop: Stop::at_time(length + secs(6)),
        ..Scenario::incident()
    };
    trace(&scenario, Seed(1)).unwrap_or_else(|_| trace::Trace::new(&scenario, Seed(1)))
}

/// Exercise 01-3: the share of the pauses that is longer than a given length.
pub fn check_01_3(share: impl Fn(&[Duration], Duration) -> f64 + Send + 'static) -> Verdict {
    check_01_3_of(Box::new(share))
}

type Share = dyn Fn(&[Duration], Duration) -> f64 + Send;

fn check_01_3_of(share: Box<Share>) -> Verdict {
    of_code("01-3", move || {
        let mut cases = small_lists();
        cases.extend((1..=50).map(drawn));
        for (pauses, than) in &cases {
            let longer = pauses.iter().filter(|pause| *than < **pause).count();
            let right = match pauses.len() {
                0 => 0.0,
                all => longer as f64 / all as f64,
            };
            let given = share(pauses, *than);
            if (given - right).abs() > 1e-9 || given.is_nan() {
                return wrong_share(pauses, *than, given, right);
            }
        }
        Finding::Solved(format!("It is right for {} lists of pauses.", cases.len()))
    })
}

/// Short lists first: the first that fails is the smallest.
fn small_lists() -> Vec<(Vec<Duration>, Duration)> {
    let lists: [&[u64]; 6] = [&[], &[1], &[3], &[1, 3], &[2, 2, 3], &[1, 2, 3, 4]];
    let cases = lists.iter().flat_map(|list| {
        let list: Vec<Duration> = list.iter().map(|length| secs(*length)).collect();
        [0, 2, 5].map(|than| (list.clone(), secs(than)))
    });
    cases.collect()
}

fn drawn(seed: u64) -> (Vec<Duration>, Duration) {
    let pauses = Delay::log_normal(secs(1), 1.2).samples(Seed(seed), 200);
    (pauses.unwrap_or_default(), millis(100 * seed))
}

fn wrong_share(pauses: &[Duration], than: Duration, given: f64, right: f64) -> Finding {
    let as_long = pauses.iter().filter(|pause| than <= **pause).count();
    let explanation = if pauses.is_empty() {
        "There is nothing in this list. A division by zero is no number; say 0 instead."
    } else if given == 0.0 {
        "A whole number divided by a whole number is a whole number in Rust: 1 / 3 is 0. Make both \
         an f64 first, with `as f64`."
    } else if (given - as_long as f64 / pauses.len() as f64).abs() < 1e-9 {
        "It counts a pause that is just as long. Longer is longer: compare with >, not with >=."
    } else if given > 1.0 {
        "A share is between 0 and 1: the number of those that are longer, over the number of all."
    } else if (given - (1.0 - right)).abs() < 1e-9 {
        "That is the share of those that are not longer."
    } else {
        "Count those that are longer, and divide by how many there are."
    };
    let written = match pauses.len() {
        0 => "none".to_owned(),
        1..=10 => pauses.iter().map(|pause| in_words(*pause)).collect::<Vec<_>>().join(", "),
        many => format!("{many} of them"),
    };
    let numbers = Table::new(["pauses", "longer than", "share", "your answer"]).row([
        written,
        in_words(than),
        format!("{right:.4}"),
        format!("{given:.4}"),
    ]);
    let sentence = format!("For this list the share is {right:.4}, and your code says {given:.4}.");
    Finding::NotYet(Shortfall::new(sentence, explanation).seen_from(numbers))
}

/// Exercise 01-4: how many stops of a recording outlast a lease, where stops less than 50 ms apart
/// act as one?
pub fn check_01_4(count: impl Fn(&[RecordedPause], Duration) -> usize + Send + 'static) -> Verdict {
    check_01_4_of(Box::new(count))
}

type Count = fn(&[RecordedPause], Duration) -> usize;
type ReadersCount = dyn Fn(&[RecordedPause], Duration) -> usize + Send;

fn check_01_4_of(count: Box<ReadersCount>) -> Verdict {
    of_code("01-4", move || {
        let cases = recordings();
        for (stops, lease) in &cases {
            let outlast =
                |stops: &[RecordedPause]| stops.iter().filter(|stop| *lease < stop.length).count();
            let right = outlast(&merge_close(stops, millis(50)));
            let given = count(stops, *lease);
            if given != right {
                let always = |does: Count| {
                    cases.iter().all(|(stops, lease)| count(stops, *lease) == does(stops, *lease))
                };
                let counts = [given, right];
                return wrong_count(stops, *lease, counts, oversight(&always));
            }
        }
        Finding::Solved(format!("It is right for {} recordings.", cases.len()))
    })
}

/// Small recordings first, then some that are drawn: stops with short and long gaps.
fn recordings() -> Vec<(Vec<RecordedPause>, Duration)> {
    let recording = |gaps_and_lengths: &[(u64, u64)]| {
        let mut at = Duration::ZERO;
        let stops = gaps_and_lengths.iter().map(|(gap, length)| {
            at += millis(*gap);
            let stop = RecordedPause { start: at, length: millis(*length) };
            at += millis(*length);
            stop
        });
        stops.collect::<Vec<_>>()
    };
    let lease = secs(1);
    let small: [&[(u64, u64)]; 8] = [
        &[],
        &[(10, 1_200)],
        &[(10, 900)],
        &[(10, 1_000)],
        &[(10, 600), (20, 600)],
        &[(10, 600), (500, 600)],
        &[(10, 400), (20, 400), (20, 400)],
        &[(10, 600), (20, 600), (500, 1_100)],
    ];
    let mut cases: Vec<_> = small.iter().map(|list| (recording(list), lease)).collect();
    for seed in 1..=40 {
        let draw = |mean, label: u64| {
            let drawn = Delay::exponential(millis(mean)).samples(Seed(1_000 * label + seed), 60);
            drawn.unwrap_or_default().into_iter().map(|span| span.as_millis() as u64)
        };
        let list: Vec<(u64, u64)> = draw(80, 1).zip(draw(300, 2)).collect();
        cases.push((recording(&list), lease));
    }
    cases
}

/// What an answer overlooks that always counts like this.
fn oversight(always: &dyn Fn(Count) -> bool) -> &'static str {
    if always(|stops, lease| stops.iter().filter(|stop| lease < stop.length).count()) {
        "It looks at each stop alone. Between two stops less than 50 ms apart a program gets \
         nothing done, least of all a message to the lock service: for a lease they are one. \
         `merge_close` makes one of them."
    } else if always(|stops, lease| {
        usize::from(lease < stops.iter().map(|stop| stop.length).sum::<Duration>())
    }) {
        "It adds up all stops. Where there is time enough between two of them, the program goes \
         on: only stops that are close act as one."
    } else {
        "Merge the stops that are less than 50 ms apart, and no others; then count those that are \
         longer than the lease."
    }
}

fn wrong_count(
    stops: &[RecordedPause],
    lease: Duration,
    [given, right]: [usize; 2],
    explanation: &str,
) -> Finding {
    let mut numbers = Table::new(["stop begins", "lasts"]);
    for stop in stops.iter().take(8) {
        numbers = numbers.row([in_words(stop.start), in_words(stop.length)]);
    }
    let sentence = format!(
        "In this recording of {} stops {right} outlast a lease of {}, and your code says {given}.",
        stops.len(),
        in_words(lease)
    );
    Finding::NotYet(Shortfall::new(sentence, explanation).seen_from(numbers))
}
