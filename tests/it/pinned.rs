//! The same seed gives the same run as in the last release. A change here is a "value-breaking"
//! change and goes into CHANGELOG.md.

use expect_test::expect;
use fencing::prelude::*;

/// The counts of a run of 1,000 grants, in one line.
fn counts(scenario: &Scenario, seed: u64) -> String {
    let scenario = Scenario { stop: Stop::at_grants(1_000), ..scenario.clone() };
    let outcome = run(&scenario, Seed(seed)).expect("a valid scenario");
    format!(
        "expiries {} renewals {} gave up {} accepted {} refused {}+{} \
         zombie {}\n  lost {} overlaps {} crashes {} end {}",
        outcome.expiries,
        outcome.renewals,
        outcome.gave_up,
        outcome.accepted_writes,
        outcome.refused_writes,
        outcome.refused_reads,
        outcome.zombie_writes,
        outcome.lost_updates,
        outcome.overlaps,
        outcome.crashes,
        outcome.end_s,
    )
}

/// Scenarios that between them use every distribution and every part of the model.
fn scenarios() -> Vec<Scenario> {
    let base = Scenario::baseline();
    let renews = Scenario {
        renew_every: Some(secs(3)),
        on_lost: OnLost::GiveUp,
        latency: Delay::exponential(millis(50)),
        ..base.clone()
    };
    let looks = Scenario {
        look: Look::OwnClock,
        commit: Delay::uniform(millis(100), millis(900)),
        pauses: Pauses::critical_section(0.1, Delay::pareto(secs(1), 1.5)),
        ..base.clone()
    };
    let asks = Scenario {
        look: Look::AskService,
        token_check: TokenCheck::OnWrite,
        latency: Delay::constant(millis(200)),
        pauses: Pauses::poisson(secs(30), Delay::recorded(vec![secs(1), secs(9), secs(20)])),
        ..base.clone()
    };
    let crashes = Scenario {
        crashes: Crashes::with_restart(secs(60), secs(20)),
        token_check: TokenCheck::OnEveryRequest,
        ..base.clone()
    };
    vec![base, renews, looks, asks, crashes]
}

#[test]
fn runs_are_pinned() {
    let lines: Vec<String> =
        scenarios().iter().flat_map(|scenario| [1, 2].map(|seed| counts(scenario, seed))).collect();
    expect![[r#"
        expiries 17 renewals 0 gave up 0 accepted 999 refused 0+0 zombie 17
          lost 24 overlaps 37 crashes 0 end 2201.015903218
        expiries 17 renewals 0 gave up 0 accepted 999 refused 0+0 zombie 17
          lost 27 overlaps 75 crashes 0 end 2215.976114762
        expiries 5 renewals 362 gave up 5 accepted 994 refused 0+0 zombie 0
          lost 0 overlaps 24 crashes 0 end 2532.507461448
        expiries 9 renewals 349 gave up 8 accepted 991 refused 0+0 zombie 1
          lost 2 overlaps 44 crashes 0 end 2519.522659643
        expiries 15 renewals 0 gave up 13 accepted 986 refused 0+0 zombie 2
          lost 3 overlaps 68 crashes 0 end 2689.38050327
        expiries 10 renewals 0 gave up 8 accepted 991 refused 0+0 zombie 2
          lost 4 overlaps 17 crashes 0 end 2683.558987236
        expiries 176 renewals 0 gave up 145 accepted 849 refused 5+0 zombie 5
          lost 5 overlaps 267 crashes 0 end 4700.278126788
        expiries 191 renewals 0 gave up 162 accepted 831 refused 5+0 zombie 2
          lost 1 overlaps 269 crashes 0 end 4880.796277863
        expiries 140 renewals 0 gave up 0 accepted 859 refused 15+0 zombie 0
          lost 0 overlaps 42 crashes 126 end 3132.416326469
        expiries 146 renewals 0 gave up 0 accepted 857 refused 9+0 zombie 0
          lost 0 overlaps 29 crashes 135 end 3165.353684307"#]]
    .assert_eq(&lines.join("\n"));
}
