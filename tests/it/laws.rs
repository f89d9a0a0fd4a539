//! What holds in every run, whatever the scenario and the seed.

use crate::scenarios::{any_eventful_scenario, any_scenario};
use fencing::prelude::*;
use fencing::protocol::message::Party;
use proptest::prelude::*;

fn traced(scenario: &Scenario, seed: u64) -> Trace {
    trace(scenario, Seed(seed)).expect("a valid scenario")
}

fn counted(scenario: &Scenario, seed: u64) -> Outcome {
    run(scenario, Seed(seed)).expect("a valid scenario")
}

proptest! {
    #![proptest_config(crate::scenarios::cases(300))]

    #[test]
    fn every_grant_has_a_higher_token_than_all_before(scenario in any_scenario(), seed: u64) {
        let mut last = None;
        for entry in traced(&scenario, seed).entries {
            if let Happening::Granted { lease } = entry.happening {
                prop_assert!(last < Some(lease.token));
                last = Some(lease.token);
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_trace(scenario in any_eventful_scenario(), seed: u64) {
        prop_assert_eq!(traced(&scenario, seed), traced(&scenario, seed));
    }

    /// Watching changes nothing, and the counts are those of the trace.
    #[test]
    fn the_audit_counts_what_the_trace_shows(scenario in any_eventful_scenario(), seed: u64) {
        let trace = traced(&scenario, seed);
        let outcome = counted(&scenario, seed);
        let count = |matches: fn(&Happening) -> bool| {
            trace.entries.iter().filter(|entry| matches(&entry.happening)).count() as u64
        };
        prop_assert_eq!(outcome.grants, count(|what| matches!(what, Happening::Granted { .. })));
        prop_assert_eq!(outcome.expiries, count(|what| matches!(what, Happening::Expired { .. })));
        prop_assert_eq!(outcome.renewals, count(|what| matches!(what, Happening::Renewed { .. })));
        prop_assert_eq!(outcome.crashes, count(|what| matches!(what, Happening::Crashed { .. })));
        prop_assert_eq!(
            (outcome.accepted_writes, outcome.refused_writes, outcome.refused_reads),
            (
                count(|what| matches!(what, Happening::WriteAccepted { .. })),
                count(|what| matches!(what, Happening::WriteRefused { .. })),
                count(|what| matches!(what, Happening::ReadRefused { .. })),
            )
        );
        prop_assert_eq!(outcome.end_s, trace.end.as_secs_f64());
        prop_assert!(outcome.zombie_writes <= outcome.accepted_writes);
        prop_assert!((0.0..=1.0).contains(&outcome.held_share));
    }

    #[test]
    fn a_check_on_every_request_admits_no_zombie_write_and_no_lost_update(
        scenario in any_scenario(), seed: u64,
    ) {
        let outcome =
            counted(&Scenario { token_check: TokenCheck::OnEveryRequest, ..scenario }, seed);
        prop_assert_eq!((outcome.zombie_writes, outcome.lost_updates), (0, 0));
    }

    /// The same whatever happens to messages and clocks, and however the lock service stalls: all
    /// that the check needs is increasing tokens, and a store that remembers its mark.
    #[test]
    fn no_network_and_no_clock_makes_a_checked_store_accept_a_zombie_write(
        scenario in any_eventful_scenario(), seed: u64,
    ) {
        let lock = match scenario.lock.kind {
            LockKind::None => LockSetup::default(),
            _ => LockSetup {
                tokens: TokenKind::Increasing,
                fails_over: Moments::never(),
                forgets_numbers: Moments::never(),
                ..scenario.lock.clone()
            },
        };
        let token_check = TokenCheck::OnEveryRequest;
        let store = StoreSetup::default();
        let outcome = counted(&Scenario { token_check, lock, store, ..scenario }, seed);
        prop_assert_eq!(outcome.zombie_writes, 0);
    }

    /// With or without a lock: a write that finds its version unchanged replaces what was read.
    #[test]
    fn a_condition_on_the_version_loses_no_update(scenario in any_eventful_scenario(), seed: u64) {
        let condition = Condition::SameVersion;
        let store = StoreSetup { condition, ..StoreSetup::default() };
        prop_assert_eq!(counted(&Scenario { store, ..scenario }, seed).lost_updates, 0);
    }

    /// Where tokens are checked on writes, the tokens of accepted writes never fall.
    #[test]
    fn a_check_on_writes_keeps_accepted_tokens_in_order(scenario in any_scenario(), seed: u64) {
        let mut last = Token::NONE;
        let checked = Scenario { token_check: TokenCheck::OnWrite, ..scenario };
        for entry in traced(&checked, seed).entries {
            if let Happening::WriteAccepted { write, .. } = entry.happening {
                prop_assert!(last <= write.token);
                last = write.token;
            }
        }
    }

    /// A client that is paused or down sends nothing, begins nothing and ends nothing.
    #[test]
    fn a_paused_client_does_nothing_until_it_resumes(
        scenario in any_eventful_scenario(), seed: u64,
    ) {
        let mut stands_still = vec![false; scenario.clients as usize];
        for entry in traced(&scenario, seed).entries {
            let acts = match entry.happening {
                Happening::Sent { message, .. } => match message.from() {
                    Party::Client(client) => Some(client),
                    Party::LockService | Party::Store => None,
                },
                Happening::Believes { client, .. }
                | Happening::StopsBelieving { client, .. }
                | Happening::Works { client, .. }
                | Happening::Commits { client, .. } => Some(client),
                Happening::Paused { client, .. } | Happening::Crashed { client, .. } => {
                    stands_still[client.index()] = true;
                    None
                }
                Happening::Resumed { client } | Happening::Restarted { client } => {
                    stands_still[client.index()] = false;
                    None
                }
                _ => None,
            };
            if let Some(client) = acts {
                prop_assert!(!stands_still[client.index()], "{entry:?}");
            }
        }
    }

    /// A pause of P in a critical section ends its work and commit P later.
    #[test]
    fn a_pause_takes_its_length_from_nobody_but_the_clock(
        work in 1u64..50, point in 0u64..50, length in 1u64..500,
    ) {
        prop_assume!(point < work);
        let ends = |pauses| {
            let scenario = Scenario {
                clients: 1,
                think: Delay::ZERO,
                work: Delay::constant(secs(work)),
                pauses,
                stop: Stop::at_time(secs(1_000)),
                ..Scenario::baseline()
            };
            let first = traced(&scenario, 1).entries.into_iter().find(|entry| {
                matches!(entry.happening, Happening::StopsBelieving { .. })
            });
            first.expect("the turn ends within the run").at
        };
        let pause = ScriptedPause::new(0, secs(point), secs(length));
        prop_assert_eq!(ends(Pauses::script([pause])), ends(Pauses::none()) + secs(length));
    }

    #[test]
    fn times_never_go_back_and_every_run_ends(scenario in any_eventful_scenario(), seed: u64) {
        let trace = traced(&scenario, seed);
        prop_assert!(trace.entries.is_sorted_by_key(|entry| entry.at));
        prop_assert!(trace.entries.last().is_none_or(|last| last.at <= trace.end));
        prop_assert!(trace.end <= Time::START + secs(600));
    }

    /// At every moment at most one lease is current, and it is the one that was granted last.
    #[test]
    fn the_lock_service_has_one_holder_at_a_time(scenario in any_scenario(), seed: u64) {
        let mut current: Option<Token> = None;
        for entry in traced(&scenario, seed).entries {
            match entry.happening {
                Happening::Granted { lease } => {
                    prop_assert_eq!(current, None);
                    current = Some(lease.token);
                }
                Happening::Renewed { lease } => prop_assert_eq!(current, Some(lease.token)),
                Happening::Released { lease } => prop_assert_eq!(current.take(), Some(lease.token)),
                Happening::Expired { lease } => {
                    prop_assert_eq!(current.take(), Some(lease.token));
                    prop_assert_eq!(lease.expires, entry.at);
                }
                _ => {}
            }
        }
    }

    /// Whatever a scenario is, it can be written down and read back, also setting by setting.
    #[test]
    fn a_scenario_survives_its_file(scenario in any_eventful_scenario()) {
        let toml = scenario.to_toml().expect("a scenario is TOML");
        prop_assert_eq!(Scenario::from_toml(&toml), Ok(scenario.clone()));
        let json = scenario.to_json().expect("a scenario is JSON");
        prop_assert_eq!(Scenario::from_json(&json), Ok(scenario.clone()));
        let from_settings = scenario.settings().iter().try_fold(Scenario::baseline(), |base, line| {
            let (path, value) = line.split_once('=').expect("a setting is path = value");
            base.with(path.trim(), value.trim())
        });
        prop_assert_eq!(from_settings, Ok(scenario));
    }
}

/// Runs that can never reach their stop end all the same, and say why.
#[test]
fn hopeless_runs_end() {
    let nothing_takes_time = Scenario {
        think: Delay::ZERO,
        work: Delay::ZERO,
        pauses: Pauses::none(),
        stop: Stop::at_grants(1_000),
        ..Scenario::baseline()
    };
    assert_eq!(counted(&nothing_takes_time, 1).end_s, 0.0);

    let never_awake = Scenario {
        pauses: Pauses::poisson(millis(1), Delay::constant(secs(100))),
        stop: Stop::at_grants(1),
        ..Scenario::baseline()
    };
    let ended = |scenario: &Scenario| counted(scenario, 1).ended;
    assert_eq!(ended(&never_awake), fencing::simulation::Ended::TooManyEvents);

    let all_die = Scenario {
        crashes: Crashes { every: Some(secs(10)), ..Crashes::none() },
        ..Scenario::baseline()
    };
    assert_eq!(ended(&all_die), fencing::simulation::Ended::NothingLeft);

    let pauses_without_end = Scenario {
        work: Delay::pareto(secs(1), 0.01),
        pauses: Pauses::critical_section(1.0, Delay::pareto(secs(1), 0.01)),
        ..Scenario::baseline()
    };
    assert!(counted(&pauses_without_end, 1).end_s > 0.0);
}
