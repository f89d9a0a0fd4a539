//! The checks of notebooks 04 and 05: any answer that works is solved, wrong ones get the
//! explanation that fits, and nothing that a reader writes does any harm.

use crate::verdicts::{self, assert_solved};
use fencing::prelude::*;
use fencing::workbook::verdict::Evidence;

/// What a verdict must show beside its words.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shows {
    Run,
    Numbers,
    Nothing,
}

#[track_caller]
fn assert_not_yet(verdict: &Verdict, part: &str, shows: Shows) {
    let evidence = match verdicts::assert_not_yet(verdict, part) {
        Some(Evidence::Run(_)) => Shows::Run,
        Some(Evidence::Numbers(_)) => Shows::Numbers,
        None => Shows::Nothing,
    };
    assert_eq!(evidence, shows, "{verdict}");
}

#[test]
fn starters_are_not_attempted() {
    let starters = [
        check_04_1(YOUR_TURN),
        check_04_2(YOUR_TURN),
        check_04_3(|seen, trials| {
            your_turn();
            seen as f64 / trials as f64
        }),
        check_04_4(|recorded| {
            your_turn();
            Some(2 * recorded.iter().max().copied()?)
        }),
        check_05_1(YOUR_TURN),
        check_05_2(YOUR_TURN),
        check_05_3(|_, _, _, _| {
            your_turn();
            true
        }),
        check_05_4(|_, _, _| {
            your_turn();
            true
        }),
    ];
    for verdict in starters {
        assert_eq!(verdict.finding().name(), "not attempted", "{verdict}");
    }
}

#[test]
fn a_heavy_tail_leaves_a_third_or_more_at_twice_the_lease() {
    assert_solved(&check_04_1("b"));
    assert_not_yet(&check_04_1("a"), "2^1.5 times smaller", Shows::Numbers);
    assert_not_yet(&check_04_1("d"), "where the tail is light", Shows::Numbers);
    assert_eq!(check_04_1("e").finding().name(), "not attempted");
}

/// A tenth too long is near enough; more than that is not, and neither is what is not sure.
#[test]
fn the_shortest_lease_is_found_within_a_tenth_and_fails_with_another_tail() {
    let solved = check_04_2(secs(21));
    assert_solved(&solved);
    let said = solved.to_string();
    assert!(said.contains("Log-normal pauses: 0.003") && said.contains("Pareto pauses: 0.003"));
    assert_solved(&check_04_2(secs(22)));
    assert_not_yet(&check_04_2(secs(20)), "not surely below 0.001", Shows::Run);
    assert_not_yet(&check_04_2(secs(24)), "longer than it has to be", Shows::Numbers);
    assert_not_yet(&check_04_2(Duration::from_nanos(1)), "not surely below", Shows::Run);
    assert_not_yet(&check_04_2(secs(0)), "`lease` is 0s", Shows::Nothing);
    assert_not_yet(&check_04_2(Duration::MAX), "more than an hour", Shows::Nothing);
}

/// The upper end of Wilson's interval, z standard errors up, and 3/n where nothing was seen.
fn wilson(seen: f64, trials: f64, z: f64) -> f64 {
    if seen == 0.0 {
        return 3.0 / trials;
    }
    let half = z * (seen * (1.0 - seen / trials) + z * z / 4.0).sqrt();
    (seen + z * z / 2.0 + half) / (trials + z * z)
}

type Bound = fn(f64, f64) -> f64;

fn bound(bound: Bound) -> Verdict {
    check_04_3(move |seen, trials| bound(seen as f64, trials as f64))
}

#[test]
fn several_formulas_are_good_bounds() {
    let good: [Bound; 4] = [
        |seen, trials| (seen + 2.0 * seen.sqrt() + 3.0) / trials,
        |seen, trials| wilson(seen, trials, 1.645),
        |seen, trials| wilson(seen, trials, 1.96),
        |seen, trials| {
            let rate = Rate::of(seen as u64, trials as u64).expect("valid");
            rate.interval().high
        },
    ];
    for good in good {
        assert_solved(&bound(good));
    }
}

#[test]
fn a_bound_that_misses_too_often_or_says_too_little_is_told_why() {
    let wrong: [(Bound, &str); 8] = [
        (|seen, trials| seen / trials, "the rate that was seen"),
        (|seen, trials| 2.0 * seen / trials, "Where nothing was seen it says zero"),
        (|_, trials| 3.0 / trials, "the same whatever was seen"),
        (|seen, trials| (seen + 3.0) / trials, "adds the same to every count"),
        (|seen, trials| (seen + seen.sqrt() + 3.0) / trials, "nearly two of these roots"),
        (|seen, trials| (seen + 2.0 * seen.sqrt()).max(3.0) / trials, "After few"),
        (|_, _| 1.0, "says little"),
        (|_, _| f64::INFINITY, "says little"),
    ];
    for (number, (wrong, part)) in wrong.into_iter().enumerate() {
        let shows = if number < 6 { Shows::Numbers } else { Shows::Nothing };
        assert_not_yet(&bound(wrong), part, shows);
    }
    for none in [f64::NAN, -1.0, f64::NEG_INFINITY] {
        let verdict = check_04_3(move |_, _| none);
        assert_not_yet(&verdict, "a number from 0 to 1", Shows::Nothing);
    }
}

fn longest(recorded: &[Duration], at_least: usize) -> Option<Duration> {
    recorded.iter().max().copied().filter(|_| at_least <= recorded.len())
}

#[test]
fn a_lease_comes_from_three_thousand_pauses_or_not_at_all() {
    assert_solved(&check_04_4(|recorded| longest(recorded, 3_000)));
    assert_solved(&check_04_4(|recorded| Some(2 * longest(recorded, 3_000)?)));
    let few = "the factor is a guess";
    assert_not_yet(&check_04_4(|recorded| Some(2 * longest(recorded, 1)?)), few, Shows::Run);
    assert_not_yet(&check_04_4(|recorded| longest(recorded, 100)), few, Shows::Run);
    let some = "there must be 3,000 pauses";
    assert_not_yet(&check_04_4(|recorded| longest(recorded, 1_000)), some, Shows::Run);
    assert_not_yet(&check_04_4(|recorded| longest(recorded, 2_000)), some, Shows::Run);
    assert_not_yet(&check_04_4(|recorded| Some(2 * longest(recorded, 1_000)?)), some, Shows::Run);
    let estimate = |recorded: &[Duration]| {
        let mut sorted = recorded.to_vec();
        sorted.sort_unstable();
        (3_000 <= sorted.len()).then(|| sorted[sorted.len() - 1 - sorted.len() / 1_000])
    };
    assert_not_yet(&check_04_4(estimate), "as often as too long", Shows::Run);
    assert_not_yet(&check_04_4(|_| None), "So many are enough", Shows::Nothing);
    assert_not_yet(&check_04_4(|_| Some(secs(60))), "nothing is known", Shows::Nothing);
    let absurd = |recorded: &[Duration]| (!recorded.is_empty()).then_some(Duration::MAX);
    assert_not_yet(&check_04_4(absurd), "more than twice the longest", Shows::Nothing);
    assert_not_yet(&check_04_4(|recorded| Some(recorded[0])), "Your code panics", Shows::Nothing);
}

#[test]
fn luck_is_six_of_ten() {
    for near in [60, 57, 64] {
        assert_solved(&check_05_1(near));
    }
    for (answer, part) in [
        (100, "not whole when the pause begins"),
        (0, "there is luck"),
        (40, "how many it does not survive"),
        (80, "no more than 10 s of it are used up"),
        (50, "each as likely"),
        (-5, "from 0 to 100"),
    ] {
        assert_not_yet(&check_05_1(answer), part, Shows::Run);
    }
    assert_not_yet(&check_05_1(u64::MAX), "from 0 to 100", Shows::Run);
}

/// With round trips of 400 ms, a lease of 10 s and a pause of 7 s: 2.6 s.
#[test]
fn the_interval_of_renewal_leaves_room_for_a_round_trip() {
    assert_solved(&check_05_2(millis(2_600)));
    assert_not_yet(&check_05_2(millis(2_700)), "leaves out the messages", Shows::Run);
    assert_not_yet(&check_05_2(secs(3)), "leaves out the messages", Shows::Run);
    assert_not_yet(&check_05_2(secs(5)), "just before a renewal is due", Shows::Run);
    assert_not_yet(&check_05_2(millis(2_500)), "so will every 2.6 s", Shows::Nothing);
    assert_not_yet(&check_05_2(secs(0)), "fifty times a second", Shows::Nothing);
    assert_not_yet(&check_05_2(Duration::MAX), "after the lease's end", Shows::Nothing);
}

type MayWrite = fn(Time, Time, Time, Duration) -> bool;

#[test]
fn a_look_counts_from_the_sending() {
    let good: [MayWrite; 3] = [
        |asked, _, now, lease| now < asked + lease,
        |asked, _, now, lease| now - asked < lease,
        |asked, _, now, lease| now + secs(1) < asked + lease,
    ];
    for good in good {
        assert_solved(&check_05_3(good));
    }
    let wrong: [(MayWrite, &str); 10] = [
        (|_, answered, now, lease| now < answered + lease, "from the receipt"),
        (|_, answered, now, lease| now + secs(3) < answered + lease, "no margin is enough"),
        (|asked, _, now, lease| asked + lease < now, "wrong way round"),
        (|asked, _, now, lease| now <= asked + lease, "with <, not with <="),
        (|_, _, _, _| true, "always says yes"),
        (|_, _, _, _| false, "always says no"),
        (|asked, _, now, lease| now < asked + lease / 2, "gives up too soon"),
        (|asked, _, now, _| now < asked + secs(10), "has passed since the grant"),
        (
            |asked, answered, now, lease| now < asked + (answered - asked) / 2 + lease,
            "has passed since the grant",
        ),
        (|asked, _, now, lease| now + secs(2) < asked + lease, "gives up too soon"),
    ];
    for (wrong, part) in wrong {
        assert_not_yet(&check_05_3(wrong), part, Shows::Run);
    }
    assert_not_yet(&check_05_3(|_, _, _, _| panic!("no")), "panics: no", Shows::Nothing);
}

/// Where a grant waits in a pause, the picture of the wrong look ends in a zombie write.
#[test]
fn a_look_that_counts_from_receipt_is_shown_with_a_zombie_write() {
    let verdict = check_05_3(|_, answered, now, lease| now < answered + lease);
    assert!(verdict.to_string().contains("ZOMBIE WRITE"), "{verdict}");
}

type Renews = fn(Time, Time, Time) -> bool;

#[test]
fn a_renewing_thread_watches_the_workers_progress() {
    for limit in [8, 10, 15, 20] {
        assert_solved(&check_05_4(move |now, _, progress| now - progress <= secs(limit)));
    }
    let wrong: [(Renews, &str); 7] = [
        (|_, _, _| true, "for as long as the process lives"),
        (|_, _, _| false, "just made progress"),
        (|now, granted, _| now - granted <= secs(15), "how long the work may take"),
        (|now, granted, _| now - granted <= secs(3_600), "how long the work may take"),
        (|now, _, progress| now - progress <= secs(3), "It is impatient"),
        (|now, _, progress| now - progress <= secs(21), "It waits too long"),
        (|_, granted, progress| granted < progress, "just made progress"),
    ];
    for (wrong, part) in wrong {
        assert_not_yet(&check_05_4(wrong), part, Shows::Run);
    }
}

#[test]
fn code_without_an_end_is_said_to_have_none() {
    let verdict = check_05_4(|_, _, _| {
        loop {
            std::thread::sleep(millis(1));
        }
    });
    assert_not_yet(&verdict, "does not come to an end", Shows::Nothing);
}
