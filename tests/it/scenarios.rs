//! Random scenarios, for laws that hold in every run.

use fencing::prelude::*;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

/// So many random cases, always the same ones: what passes once passes again.
/// `PROPTEST_RNG_SEED` draws others.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let chosen = ProptestConfig::default();
    let rng_seed = match chosen.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        fixed => fixed,
    };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..chosen }
}

/// Any scenario that uses any part of the model, small enough to run in a moment. Spans are whole
/// tenths of a second, so that much falls on the same instant.
pub(crate) fn any_scenario() -> impl Strategy<Value = Scenario> {
    let times = (any_delay(0), any_delay(1), any_delay(0), select(vec![0u64, 0, 1, 5]));
    let choices = (
        select(vec![OnLost::Ignore, OnLost::GiveUp]),
        select(vec![Look::Never, Look::OwnClock, Look::AskService]),
        select(vec![TokenCheck::Never, TokenCheck::OnWrite, TokenCheck::OnEveryRequest]),
    );
    let lease = (5u64..60, option::of(1u64..40));
    (1u32..6, times, lease, choices, any_pauses(), any_crashes()).prop_map(
        |(clients, times, (lease, renew_every), choices, pauses, crashes)| {
            let (think, work, commit, latency) = times;
            let (on_lost, look, token_check) = choices;
            Scenario {
                clients,
                think,
                backoff: None,
                work,
                commit,
                latency: Delay::constant(tenths(latency)),
                lease: tenths(lease),
                renew_every: renew_every.map(tenths),
                on_lost,
                look,
                token_check,
                first_token: Token(1),
                pauses: within(pauses, clients),
                crashes,
                lock: LockSetup::default(),
                store: StoreSetup::default(),
                network: Network::default(),
                clocks: Clocks::default(),
                stop: Stop { grants: Some(60), time: Some(secs(600)) },
            }
        },
    )
}

fn tenths(tenths: u64) -> Duration {
    millis(100 * tenths)
}

fn any_delay(least: u64) -> impl Strategy<Value = Delay> {
    let span = move || (least..50).prop_map(tenths);
    prop_oneof![
        span().prop_map(Delay::constant),
        (span(), 0u64..30).prop_map(|(from, more)| Delay::uniform(from, from + tenths(more))),
        span().prop_map(Delay::exponential),
        ((1u64..40), 0.0..2.0).prop_map(|(median, sigma)| Delay::log_normal(tenths(median), sigma)),
        ((1u64..40), 0.5..3.0).prop_map(|(least, shape)| Delay::pareto(tenths(least), shape)),
        prop::collection::vec(span(), 1..5).prop_map(Delay::recorded),
    ]
}

fn any_pauses() -> impl Strategy<Value = Pauses> {
    let critical_section = (0.0..=1.0, any_delay(0))
        .prop_map(|(probability, length)| CriticalSectionPause { probability, length });
    let poisson = ((50u64..400), any_delay(0))
        .prop_map(|(every, length)| PoissonPause { every: tenths(every), length });
    let line = (0u32..6, 0u64..300, 0u64..200)
        .prop_map(|(client, at, length)| ScriptedPause::new(client, tenths(at), tenths(length)));
    (option::of(critical_section), option::of(poisson), prop::collection::vec(line, 0..4)).prop_map(
        |(critical_section, poisson, script)| Pauses { critical_section, poisson, script },
    )
}

/// Leaves out the lines of a script that name a client which is not there.
fn within(mut pauses: Pauses, clients: u32) -> Pauses {
    pauses.script.retain(|line| line.client < clients);
    pauses
}

fn any_crashes() -> impl Strategy<Value = Crashes> {
    let span = || option::of((100u64..900).prop_map(tenths));
    (span(), span()).prop_map(|(every, restart_after)| Crashes {
        every,
        restart_after,
        script: Vec::new(),
    })
}

/// Any scenario, with any kind of lock service, store, network and clocks.
pub(crate) fn any_eventful_scenario() -> impl Strategy<Value = Scenario> {
    let tables = (any_lock(), any_store(), any_network(), any_clocks());
    (any_scenario(), tables).prop_map(|(scenario, (lock, store, network, clocks))| {
        let known = |spell: &Spell| spell.of.is_none_or(|client| client < scenario.clients);
        let mut network = network;
        network.partitions.script.retain(known);
        let mut clocks = clocks;
        clocks.steps.retain(|step| step.client.is_none_or(|client| client < scenario.clients));
        Scenario { lock, store, network, clocks, ..scenario }
    })
}

fn any_moments() -> impl Strategy<Value = Moments> {
    let at = prop::collection::vec((0u64..300).prop_map(tenths), 0..3);
    (option::of((50u64..900).prop_map(tenths)), at).prop_map(|(every, at)| Moments { every, at })
}

/// Each about one of so many, or about nobody.
fn any_spells(known: Option<u32>) -> impl Strategy<Value = Spells> {
    let of = (0..known.unwrap_or(1)).prop_map(move |of| known.map(|_| of));
    let spell = (of, 0u64..300, 0u64..200).prop_map(|(of, at, length)| Spell {
        of,
        at: tenths(at),
        length: tenths(length),
    });
    let every = option::of((50u64..900).prop_map(tenths));
    (every, any_delay(0), prop::collection::vec(spell, 0..3))
        .prop_map(|(every, length, script)| Spells { every, length, script })
}

fn any_tokens() -> impl Strategy<Value = TokenKind> {
    prop_oneof![
        3 => Just(TokenKind::Increasing),
        1 => Just(TokenKind::Random),
        1 => Just(TokenKind::SessionId),
        1 => (1u64..9).prop_map(|highest| TokenKind::Wrapping { highest }),
    ]
}

fn any_lock() -> impl Strategy<Value = LockSetup> {
    let delay = select(vec![0u64, 0, 50]).prop_map(tenths);
    let service = (any_tokens(), delay, any_spells(None), any_moments(), any_moments()).prop_map(
        |(tokens, takeover_delay, stalls, fails_over, forgets_numbers)| LockSetup {
            kind: LockKind::Service,
            tokens,
            takeover_delay,
            stalls,
            fails_over,
            forgets_numbers,
        },
    );
    let rates = select(vec![vec![], vec![1.0, 1.0, 1.5], vec![0.5, 2.0, 2.0]]);
    let majority = (any_tokens(), rates, any_spells(Some(3)), any_spells(Some(3))).prop_map(
        |(tokens, rates, outages, steps)| {
            let majority = MajoritySetup { instances: 3, rates, outages, steps };
            LockSetup { kind: LockKind::Majority(majority), tokens, ..LockSetup::default() }
        },
    );
    let none = Just(LockSetup { kind: LockKind::None, ..LockSetup::default() });
    prop_oneof![2 => Just(LockSetup::default()), 3 => service, 2 => majority, 1 => none]
}

fn any_store() -> impl Strategy<Value = StoreSetup> {
    let condition = select(vec![
        Condition::None,
        Condition::SameVersion,
        Condition::SameEntityTag { contents: 2 },
        Condition::IfAbsent,
    ]);
    let delay = prop_oneof![Just(Delay::ZERO), any_delay(0)];
    let stores = (1u32..4, 1u32..4);
    (condition, stores, delay, option::of(1u64..200), any_moments()).prop_map(
        |(condition, (count, registers_with), check_to_write, keys, forgets)| StoreSetup {
            kind: StoreKind::Comparing,
            condition,
            count: if check_to_write == Delay::ZERO { count } else { 1 },
            registers_with: if check_to_write == Delay::ZERO {
                registers_with.min(count)
            } else {
                1
            },
            check_to_write,
            remembers_keys: keys.map(tenths),
            forgets,
        },
    )
}

fn any_network() -> impl Strategy<Value = Network> {
    let mishap = || {
        let mishap = (0.0..0.5, any_delay(0));
        prop_oneof![
            Just(Mishap::never()),
            mishap.prop_map(|(probability, delay)| Mishap { probability, delay })
        ]
    };
    let lost = select(vec![0.0, 0.0, 0.3]);
    (mishap(), mishap(), lost, 1u64..30, any_spells(Some(6))).prop_map(
        |(late_writes, duplicate_writes, lost_answers, retry_after, partitions)| Network {
            late_writes,
            duplicate_writes,
            lost_answers,
            retry_after: tenths(retry_after),
            partitions,
        },
    )
}

fn any_clocks() -> impl Strategy<Value = Clocks> {
    let clock = || {
        let rate = select(vec![1.0, 1.0, 0.9, 1.5]);
        (0u64..100, rate).prop_map(|(ahead, rate)| ClockSetup { ahead: tenths(ahead), rate })
    };
    let way = select(vec![Way::Forward, Way::Back]);
    let step =
        (option::of(0u32..6), 0u64..300, 0u64..200, way).prop_map(|(client, at, by, way)| {
            ClockStep { client, at: tenths(at), by: tenths(by), way }
        });
    let measure = select(vec![Measure::Spans, Measure::WallClock]);
    (measure, clock(), clock(), any::<bool>(), prop::collection::vec(step, 0..3)).prop_map(
        |(measure, lock, clients, stand_still_in_pauses, steps)| Clocks {
            measure,
            lock,
            clients,
            stand_still_in_pauses,
            steps,
        },
    )
}
