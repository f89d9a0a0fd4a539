//! The same seed gives the same run as in the last release. A change here is a "value-breaking"
//! change and goes into CHANGELOG.md.

use expect_test::expect;
use fencing::prelude::*;

/// The counts of a run of 1,000 grants, in one line.
fn counts(scenario: &Scenario, seed: u64) -> String {
    let scenario = Scenario { stop: Stop::at_grants(1_000), ..scenario.clone() };
    let outcome = run(&scenario, Seed(seed)).expect("a valid scenario");
    format!(
        "expiries {} renewals {} gave up {} accepted {} refused {}+{} zombie {} lost {} overlaps {} \
         crashes {} end {}",
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
        expiries 16 renewals 0 gave up 0 accepted 999 refused 0+0 zombie 16 lost 23 overlaps 35 crashes 0 end 2186.541125067
        expiries 16 renewals 0 gave up 0 accepted 999 refused 0+0 zombie 16 lost 22 overlaps 52 crashes 0 end 2215.336013306
        expiries 5 renewals 355 gave up 4 accepted 995 refused 0+0 zombie 1 lost 2 overlaps 15 crashes 0 end 2518.634316594
        expiries 7 renewals 345 gave up 6 accepted 993 refused 0+0 zombie 1 lost 1 overlaps 31 crashes 0 end 2520.948333009
        expiries 15 renewals 0 gave up 12 accepted 987 refused 0+0 zombie 3 lost 4 overlaps 55 crashes 0 end 2694.808722321
        expiries 8 renewals 0 gave up 7 accepted 992 refused 0+0 zombie 1 lost 2 overlaps 15 crashes 0 end 2654.252900959
        expiries 176 renewals 0 gave up 145 accepted 849 refused 5+0 zombie 5 lost 5 overlaps 267 crashes 0 end 4700.278126788
        expiries 191 renewals 0 gave up 162 accepted 831 refused 5+0 zombie 2 lost 1 overlaps 269 crashes 0 end 4880.796277863
        expiries 128 renewals 0 gave up 0 accepted 872 refused 9+0 zombie 0 lost 0 overlaps 19 crashes 119 end 3028.77939307
        expiries 143 renewals 0 gave up 0 accepted 858 refused 10+0 zombie 0 lost 0 overlaps 35 crashes 135 end 3119.699587192"#]].assert_eq(&lines.join("\n"));
}
