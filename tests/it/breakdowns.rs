//! What breaks down, one scenario file each, told event by event; and how often each does.

use crate::story::story;
use expect_test::expect_file;
use fencing::prelude::*;
use std::path::{Path, PathBuf};

/// The scenario files of a folder, by name.
fn files(folder: &str) -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let name = |file: &PathBuf| file.file_stem().expect("a name").to_string_lossy().into_owned();
    files.into_iter().map(|file| (name(&file), file)).collect()
}

/// What becomes of every scenario of a folder, event by event.
fn stories(folder: &str) -> String {
    let story = |(name, file): (String, PathBuf)| {
        let scenario = Scenario::read(file).expect(&name);
        let outcome = run(&scenario, Seed(1)).expect(&name);
        let Outcome { zombie_writes, lost_updates, false_conflicts, .. } = outcome;
        let Outcome { refused_writes, refused_reads, .. } = outcome;
        format!(
            "{name}: zombie writes {zombie_writes}, lost updates {lost_updates}, refused writes \
             {refused_writes} (false conflicts {false_conflicts}), refused reads {refused_reads}\n\
             {}\n",
            story(&scenario)
        )
    };
    files(folder).into_iter().map(story).collect()
}

#[test]
fn every_breakdown_is_told_as_it_was() {
    expect_file!["breakdowns.txt"].assert_eq(&stories("breakdowns"));
}

#[test]
fn every_incident_is_told_as_it_was() {
    expect_file!["incidents.txt"].assert_eq(&stories("incidents"));
}

/// So many grants a run.
const GRANTS: u64 = 10_000;
const REPEATS: u64 = 10;

/// The counts of several runs, as the sweep's rows have them.
fn counts(scenario: &Scenario) -> Vec<Counts> {
    let seeds = (0..REPEATS).map(|number| Seed(1).repeat(number));
    seeds.map(|seed| Counts::from(&run(scenario, seed).expect("a valid scenario"))).collect()
}

/// How often something happened a grant, with its interval of 95 %.
fn rate(scenario: &Scenario, of: fn(&Counts) -> u64) -> Rate {
    let repeats = counts(scenario).into_iter().map(|counts| (of(&counts), GRANTS));
    Rate::of_repeats(repeats).expect("there are grants")
}

fn zombies(scenario: &Scenario) -> Rate {
    rate(scenario, |counts| counts.zombie_writes)
}

/// Two rates that may be the same: their intervals meet.
fn agree(one: &Rate, other: &Rate) -> bool {
    let (one, other) = (one.interval(), other.interval());
    one.low <= other.high && other.low <= one.high
}

fn checked(token_check: TokenCheck) -> Scenario {
    Scenario { token_check, ..Scenario::baseline() }
}

fn without_pauses() -> Scenario {
    Scenario { pauses: Pauses::none(), ..Scenario::baseline() }
}

fn with_store(scenario: Scenario, store: StoreSetup) -> Scenario {
    Scenario { store, ..scenario }
}

fn with_lock(scenario: Scenario, lock: LockSetup) -> Scenario {
    Scenario { lock, ..scenario }
}

fn with_clocks(scenario: Scenario, clocks: Clocks) -> Scenario {
    Scenario { clocks, ..scenario }
}

fn with_network(scenario: Scenario, network: Network) -> Scenario {
    Scenario { network, ..scenario }
}

fn asking(condition: Condition) -> StoreSetup {
    StoreSetup { condition, ..StoreSetup::default() }
}

// The store.

#[test]
fn a_plain_file_is_a_store_without_a_check_and_says_that_it_cannot_have_one() {
    let file = StoreSetup { kind: StoreKind::PlainFile, ..StoreSetup::default() };
    let plain = with_store(Scenario::baseline(), file.clone());
    assert_eq!(counts(&plain), counts(&Scenario::baseline()));
    let wished = with_store(checked(TokenCheck::OnWrite), file);
    let error = run(&wished, Seed(1)).expect_err("a file cannot check").to_string();
    assert!(error.contains("fencing is unavailable"), "{error}");
}

#[test]
fn a_condition_on_the_version_or_on_absence_loses_nothing_and_an_entity_tag_little() {
    let base = Scenario::baseline;
    let version = with_store(base(), asking(Condition::SameVersion));
    let absent = with_store(base(), asking(Condition::IfAbsent));
    assert_eq!(counts(&version), counts(&absent));
    assert!(counts(&version).iter().all(|counts| counts.lost_updates == 0));
    assert!(counts(&version).iter().all(|counts| counts.refused_writes > 0));
    let lost = |contents| {
        let tag = Condition::SameEntityTag { contents };
        rate(&with_store(base(), asking(tag)), |counts| counts.lost_updates)
    };
    let (never_same, two) = (lost(u64::MAX), lost(2));
    assert_eq!(never_same.value(), 0.0);
    assert!(two.interval().low > 0.0, "{two}");
}

/// What one store has seen, the other does not know: as if reads were not checked at all.
#[test]
fn a_store_that_nobody_registered_with_is_one_that_checks_writes_only() {
    let two = StoreSetup { count: 2, registers_with: 1, ..StoreSetup::default() };
    let one_registered = with_store(checked(TokenCheck::OnEveryRequest), two.clone());
    let both = StoreSetup { registers_with: 2, ..two };
    let both_registered = with_store(checked(TokenCheck::OnEveryRequest), both);
    let on_write = zombies(&checked(TokenCheck::OnWrite));
    assert!(agree(&zombies(&one_registered), &on_write));
    assert_eq!(zombies(&both_registered).value(), 0.0);
}

/// About a third of the zombie writes of the baseline pass a store that checks writes only.
#[test]
fn the_first_write_gap_is_a_third_of_all_and_closed_by_a_check_of_reads() {
    let all = zombies(&checked(TokenCheck::Never)).value();
    let gap = zombies(&checked(TokenCheck::OnWrite)).value();
    assert!((0.30..0.38).contains(&(gap / all)), "{gap} of {all}");
    assert_eq!(zombies(&checked(TokenCheck::OnEveryRequest)).value(), 0.0);
}

#[test]
fn a_store_that_forgets_its_mark_or_writes_after_its_check_lets_zombies_through() {
    let base = || checked(TokenCheck::OnEveryRequest);
    let forgets = |every| {
        let store = StoreSetup { forgets: Moments::every(every), ..StoreSetup::default() };
        zombies(&with_store(base(), store))
    };
    let apart = |span| {
        let check_to_write = Delay::constant(span);
        zombies(&with_store(base(), StoreSetup { check_to_write, ..StoreSetup::default() }))
    };
    for (rarely, often) in
        [(forgets(secs(600)), forgets(secs(10))), (apart(millis(1)), apart(secs(2)))]
    {
        assert!(rarely.interval().high < often.interval().low, "{rarely} and {often}");
    }
}

// The lock service.

/// Numbers that do not order grants make a check useless in both directions.
#[test]
fn without_an_order_a_check_refuses_rightful_holders() {
    let wrapping = TokenKind::Wrapping { highest: 100 };
    for tokens in [TokenKind::Random, TokenKind::SessionId, wrapping] {
        let lock = LockSetup { tokens, ..LockSetup::default() };
        let scenario = with_lock(checked(TokenCheck::OnEveryRequest), lock.clone());
        let refused = rate(&scenario, |counts| counts.refused_reads);
        let rightful = rate(&checked(TokenCheck::OnEveryRequest), |counts| counts.refused_reads);
        assert!(rightful.interval().high < refused.interval().low, "{tokens:?}: {refused}");
        // To tell one grant from another they all do: the lock itself works as before.
        let unchecked = with_lock(Scenario::baseline(), lock);
        let (own, base) = (zombies(&unchecked), zombies(&Scenario::baseline()));
        assert!(agree(&own, &base), "{tokens:?}: {own} and {base}");
    }
}

/// Two holders under one number: the only thing that a check on every request cannot tell apart.
#[test]
fn a_fail_over_that_forgets_the_last_grant_defeats_the_check() {
    let lock = LockSetup { fails_over: Moments::every(secs(60)), ..LockSetup::default() };
    let base = Scenario { token_check: TokenCheck::OnEveryRequest, ..without_pauses() };
    let rate = zombies(&with_lock(base.clone(), lock));
    assert!(rate.interval().low > 0.005, "{rate}");
    // Work alone outlives the lease now and then, and then the check holds.
    assert_eq!(zombies(&base).value(), 0.0);
}

#[test]
fn a_counter_that_starts_again_makes_holders_wait_until_it_has_caught_up() {
    let lock = LockSetup { forgets_numbers: Moments::every(secs(600)), ..LockSetup::default() };
    let scenario = with_lock(checked(TokenCheck::OnEveryRequest), lock);
    let refused = rate(&scenario, |counts| counts.refused_reads);
    assert!(refused.interval().low > 0.1, "{refused}");
}

/// A stall shorter than L - R passes; a longer one ends healthy leases.
#[test]
fn a_stall_of_the_service_ends_the_leases_of_healthy_holders() {
    let stalled = |length| {
        let stalls = Spells::every(secs(30), Delay::constant(length));
        let renewing = Scenario {
            renew_every: Some(secs(2)),
            work: Delay::constant(secs(5)),
            ..without_pauses()
        };
        rate(&with_lock(renewing, LockSetup { stalls, ..LockSetup::default() }), |counts| {
            counts.expiries
        })
    };
    assert_eq!(stalled(secs(8)).value(), 0.0);
    assert!(stalled(secs(12)).interval().low > 0.0);
}

/// Nobody else begins before lease and delay are over: as with a lease of both.
#[test]
fn a_takeover_delay_is_as_good_as_a_longer_lease() {
    let lock = LockSetup { takeover_delay: secs(5), ..LockSetup::default() };
    let delayed = zombies(&with_lock(Scenario::baseline(), lock));
    let longer = zombies(&Scenario { lease: secs(15), ..Scenario::baseline() });
    assert!(agree(&delayed, &longer), "{delayed} and {longer}");
    assert!(delayed.interval().high < zombies(&Scenario::baseline()).interval().low);
}

#[test]
fn a_majority_with_true_clocks_is_one_lock_service() {
    let lock =
        LockSetup { kind: LockKind::Majority(MajoritySetup::default()), ..LockSetup::default() };
    for renew_every in [None, Some(secs(3))] {
        let one = Scenario { renew_every, ..Scenario::baseline() };
        assert_eq!(counts(&with_lock(one.clone(), lock.clone())), counts(&one));
    }
}

#[test]
fn a_majority_trusts_its_clocks() {
    let zombies_of = |majority: MajoritySetup| {
        let lock = LockSetup { kind: LockKind::Majority(majority), ..LockSetup::default() };
        zombies(&with_lock(without_pauses(), lock))
    };
    let sound = zombies_of(MajoritySetup::default());
    let drifting =
        MajoritySetup { rates: vec![2.0, 2.0, 2.0, 1.0, 1.0], ..MajoritySetup::default() };
    let two_drift =
        MajoritySetup { rates: vec![2.0, 2.0, 1.0, 1.0, 1.0], ..MajoritySetup::default() };
    let stepping = MajoritySetup {
        outages: Spells::every(secs(20), Delay::constant(secs(10))),
        steps: Spells::every(secs(10), Delay::constant(secs(60))),
        ..MajoritySetup::default()
    };
    assert_eq!(zombies_of(two_drift).value(), sound.value());
    for broken in [zombies_of(drifting), zombies_of(stepping)] {
        assert!(sound.interval().high < broken.interval().low, "{sound} and {broken}");
    }
}

/// What happens by chance begins only when the last of its kind has ended.
fn never_meet(scenario: &Scenario, end: fn(&Happening) -> Option<(usize, Time)>) {
    let trace = trace(scenario, Seed(1)).expect("a valid scenario");
    let (mut count, mut ended) = (0, [Time::START; 3]);
    for Entry { at, happening } in trace.entries {
        if let Some((of, until)) = end(&happening) {
            assert!(ended[of] <= at, "at {at}: {happening:?}");
            (count, ended[of]) = (count + 1, until);
        }
    }
    assert!(count > 20, "only {count}");
}

#[test]
fn outages_by_chance_do_not_meet() {
    let outages = Spells::every(secs(10), Delay::constant(secs(30)));
    let majority = LockKind::Majority(MajoritySetup { outages, ..MajoritySetup::default() });
    let stop = Stop::at_time(secs(2_000));
    let scenario = with_lock(
        Scenario { stop, ..without_pauses() },
        LockSetup { kind: majority, ..LockSetup::default() },
    );
    never_meet(&scenario, |happening| match *happening {
        Happening::InstanceIsAway { until, .. } => Some((0, until)),
        _ => None,
    });
}

// Clocks.

#[test]
fn an_offset_is_nothing_to_a_lease_measured_as_a_span() {
    let looks =
        Scenario { look: Look::OwnClock, renew_every: Some(secs(4)), ..Scenario::baseline() };
    let clients = ClockSetup { ahead: secs(3_600), ..ClockSetup::default() };
    let ahead = Clocks { clients, ..Clocks::default() };
    assert_eq!(counts(&with_clocks(looks.clone(), ahead)), counts(&looks));
}

/// By the time of day, a service that is ahead makes its clients believe too long.
#[test]
fn an_offset_misleads_a_look_at_the_time_of_day() {
    let looks = |ahead| {
        let lock = ClockSetup { ahead, ..ClockSetup::default() };
        let clocks = Clocks { measure: Measure::WallClock, lock, ..Clocks::default() };
        zombies(&with_clocks(Scenario { look: Look::OwnClock, ..Scenario::baseline() }, clocks))
    };
    assert_eq!(looks(secs(0)).value(), 0.0);
    assert!(looks(secs(5)).interval().low > 0.0);
    let believed = zombies(&Scenario::baseline());
    assert!(agree(&looks(secs(3_600)), &believed));
}

/// To the service, a lease of 10 s on a clock that goes a quarter too fast is one of 8 s.
#[test]
fn a_rate_is_another_lease() {
    let lock = ClockSetup { rate: 1.25, ..ClockSetup::default() };
    let fast = with_clocks(Scenario::baseline(), Clocks { lock, ..Clocks::default() });
    assert_eq!(counts(&fast), counts(&Scenario { lease: secs(8), ..Scenario::baseline() }));
}

#[test]
fn a_clock_that_sleeps_with_its_machine_sees_no_pause() {
    let looks = Scenario { look: Look::OwnClock, ..Scenario::baseline() };
    let clocks = Clocks { stand_still_in_pauses: true, ..Clocks::default() };
    let (awake, asleep) = (zombies(&looks), zombies(&with_clocks(looks, clocks)));
    assert_eq!(awake.value(), 0.0);
    // It still sees work that takes longer than the lease.
    let never = zombies(&Scenario::baseline());
    assert!(asleep.interval().low > 0.5 * never.value(), "{asleep} of {never}");
}

/// It hears of its grant at 2.2 s and is paused from 3 to 7: at 9.2 s its clock has counted R.
#[test]
fn a_renewal_goes_by_a_clock_that_stands_still() {
    let pauses = Pauses::script([ScriptedPause::new(0, secs(3), secs(4))]);
    let scenario = Scenario {
        clients: 1,
        think: Delay::constant(secs(2)),
        work: Delay::constant(secs(6)),
        latency: Delay::constant(millis(100)),
        renew_every: Some(secs(3)),
        pauses,
        stop: Stop::at_time(secs(12)),
        ..Scenario::baseline()
    };
    let first_renewal = |stand_still_in_pauses| {
        let clocks = Clocks { stand_still_in_pauses, ..Clocks::default() };
        let trace = trace(&with_clocks(scenario.clone(), clocks), Seed(1)).expect("valid");
        let is_renewal = |entry: &&Entry| match entry.happening {
            Happening::Sent { message, .. } => matches!(message.body, Body::Renew(..)),
            _ => false,
        };
        trace.entries.iter().find(is_renewal).map(|entry| entry.at)
    };
    assert_eq!(first_renewal(true), Some(Time::START + millis(9_200)));
    assert_eq!(first_renewal(false), Some(Time::START + secs(7)), "it waited for the client");
}

// The network.

#[test]
fn a_late_write_needs_no_pause() {
    let late_writes = Mishap { probability: 0.01, delay: Delay::constant(secs(30)) };
    let late = with_network(without_pauses(), Network { late_writes, ..Network::default() });
    // Every write that is so late comes after a newer holder's read.
    let (late, work_alone) = (zombies(&late), zombies(&without_pauses()));
    let due_to_it = late.value() - work_alone.value();
    assert!((0.008..0.012).contains(&due_to_it), "{late} and {work_alone}");
}

#[test]
fn a_duplicate_that_comes_late_is_a_zombie_write_unless_it_is_checked() {
    let duplicate_writes = Mishap { probability: 0.1, delay: Delay::constant(secs(20)) };
    let network = Network { duplicate_writes, ..Network::default() };
    let scenario = with_network(without_pauses(), network);
    assert!(zombies(&scenario).interval().low > 0.09);
    let checked = Scenario { token_check: TokenCheck::OnEveryRequest, ..scenario };
    assert_eq!(zombies(&checked).value(), 0.0);
}

/// As often as the answer is lost, the same write is refused: p / (1 - p) times a turn.
#[test]
fn after_a_lost_answer_success_looks_like_a_conflict() {
    let network = Network { lost_answers: 0.2, ..Network::default() };
    let one = Scenario { clients: 1, ..without_pauses() };
    let scenario = with_network(with_store(one, asking(Condition::SameVersion)), network);
    let conflicts = rate(&scenario, |counts| counts.false_conflicts);
    assert!(conflicts.interval().contains(0.25), "{conflicts}");
    assert_eq!(conflicts, rate(&scenario, |counts| counts.refused_writes));
}

/// A client that restarts is where it was in the network.
#[test]
fn partitions_by_chance_do_not_meet_whoever_crashes() {
    let partitions = Spells::every(secs(10), Delay::constant(secs(30)));
    let (every, restart_after) = (Some(secs(10)), Some(secs(1)));
    let crashes = Crashes { every, restart_after, ..Crashes::default() };
    let stop = Stop::at_time(secs(1_000));
    let scenario = with_network(
        Scenario { crashes, stop, ..without_pauses() },
        Network { partitions, ..Network::default() },
    );
    never_meet(&scenario, |happening| match *happening {
        Happening::CutOff { client, until } => Some((client.index(), until)),
        _ => None,
    });
}

/// A renewal that is lost is not sent again before the next is due. So a lease of 10 s, renewed
/// every three, needs one of three renewals to arrive: a partition of 6 s is survived for sure, one
/// of 7 s where it begins within 2 s of a renewal, one of 9 s never.
#[test]
fn a_partition_is_survived_as_long_as_one_of_three_renewals_arrives() {
    let expiries = |begins: u64, length| {
        let partition = Spell::new(secs(30) + millis(begins), length).of(0);
        let network = Network { partitions: Spells::script([partition]), ..Network::default() };
        let renewing = Scenario {
            clients: 2,
            think: Delay::ZERO,
            renew_every: Some(secs(3)),
            work: Delay::constant(secs(60)),
            stop: Stop::at_time(secs(59)),
            ..without_pauses()
        };
        run(&with_network(renewing, network), Seed(1)).expect("a valid scenario").expiries
    };
    // Between two renewals, and not at the instant of one.
    for begins in (50..3_000).step_by(100) {
        assert_eq!(expiries(begins, secs(6)), 0, "begins {begins} ms after a renewal");
        assert_eq!(expiries(begins, secs(7)), u64::from(2_000 < begins), "{begins} ms");
        assert_eq!(expiries(begins, secs(9)), 1, "{begins} ms");
    }
}

// No lock at all.

#[test]
fn without_a_lock_a_conditional_write_loses_nothing() {
    let lock = LockSetup { kind: LockKind::None, ..LockSetup::default() };
    let stop = Stop::at_time(secs(20_000));
    let lockless = Scenario { stop, ..with_lock(Scenario::baseline(), lock) };
    let plain = run(&lockless, Seed(1)).expect("a valid scenario");
    let conditional = with_store(lockless, asking(Condition::SameVersion));
    let conditional = run(&conditional, Seed(1)).expect("a valid scenario");
    assert_eq!((plain.grants, plain.zombie_writes, conditional.zombie_writes), (0, 0, 0));
    assert_eq!((plain.wait_mean_s, plain.wait_p99_s), (None, None), "there is none to wait for");
    assert!(plain.lost_updates > 1_000);
    assert_eq!(conditional.lost_updates, 0);
    assert!(conditional.refused_writes > 1_000);
}

// Idempotency keys.

fn with_keys(scenario: Scenario, remembered_for: Duration) -> Scenario {
    let store = StoreSetup { remembers_keys: Some(remembered_for), ..scenario.store.clone() };
    with_store(scenario, store)
}

/// A copy that is known is as if it had never come; one that is forgotten is done again.
#[test]
fn keys_stop_copies_for_as_long_as_they_are_remembered() {
    let duplicate_writes = Mishap { probability: 0.1, delay: Delay::constant(secs(20)) };
    let copies = Network { duplicate_writes, ..Network::default() };
    let copies = with_network(without_pauses(), copies);
    assert_eq!(counts(&with_keys(copies.clone(), secs(21))), counts(&without_pauses()));
    assert!(zombies(&with_keys(copies, secs(1))).interval().low > 0.09);
}

/// A zombie write is no copy of anything: with keys all is as it was.
#[test]
fn keys_stop_no_zombie_write() {
    let late_writes = Mishap { probability: 0.01, delay: Delay::constant(secs(30)) };
    let late = with_network(without_pauses(), Network { late_writes, ..Network::default() });
    for scenario in [Scenario::baseline(), late] {
        assert_eq!(counts(&with_keys(scenario.clone(), secs(3_600))), counts(&scenario));
    }
}

#[test]
fn with_keys_a_write_sent_again_is_no_conflict() {
    let network = Network { lost_answers: 0.2, ..Network::default() };
    let one = Scenario { clients: 1, ..without_pauses() };
    let scenario = with_network(with_store(one, asking(Condition::SameVersion)), network);
    let conflicts = |counts: &Counts| counts.false_conflicts + counts.refused_writes;
    assert_eq!(rate(&with_keys(scenario, secs(3_600)), conflicts).value(), 0.0);
}

/// Whoever may start over at once wastes no time on thinking, and is refused more often.
#[test]
fn a_backoff_takes_the_place_of_thinking_after_a_refusal_only() {
    let lock = LockSetup { kind: LockKind::None, ..LockSetup::default() };
    let lockless = Scenario {
        think: Delay::exponential(secs(20)),
        stop: Stop::at_time(secs(100_000)),
        ..with_lock(without_pauses(), lock)
    };
    let lockless = with_store(lockless, asking(Condition::SameVersion));
    let at_once = Scenario { backoff: Some(Delay::ZERO), ..lockless.clone() };
    let [thinking, hurried] =
        [lockless, at_once].map(|scenario| run(&scenario, Seed(1)).expect("a valid scenario"));
    assert!(thinking.accepted_writes < hurried.accepted_writes);
    assert!(thinking.refused_writes < hurried.refused_writes);
    assert_eq!((thinking.lost_updates, hurried.lost_updates), (0, 0));
    // Where nobody is refused, nobody backs off.
    let backoff = Some(Delay::constant(secs(1)));
    let patient = Scenario { backoff, ..Scenario::baseline() };
    assert_eq!(counts(&patient), counts(&Scenario::baseline()));
}
