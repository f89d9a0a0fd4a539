//! A run takes memory at its start, and none for what happens in it.

use allocation_counter::{AllocationInfo, measure};
use fencing::prelude::*;

fn allocated(scenario: &Scenario, grants: u64) -> AllocationInfo {
    let scenario = Scenario { stop: Stop::at_grants(grants), ..scenario.clone() };
    measure(|| {
        run(&scenario, Seed(1)).expect("a valid scenario");
    })
}

/// Queues and the histogram of waits grow to what they ever hold at once, in a few steps. Anything
/// that an event, a grant or a pause allocated would show in the hundred thousands.
#[test]
fn a_run_of_a_million_grants_allocates_as_little_as_one_of_ten_thousand() {
    let baseline = Scenario::baseline();
    let everything = Scenario {
        latency: Delay::exponential(millis(5)),
        renew_every: Some(secs(3)),
        pauses: Pauses {
            poisson: Pauses::poisson(secs(60), Delay::exponential(secs(1))).poisson,
            ..Scenario::baseline().pauses
        },
        crashes: Crashes::with_restart(secs(600), secs(20)),
        ..Scenario::baseline()
    };
    for scenario in [baseline, everything] {
        let short = allocated(&scenario, 10_000);
        let long = allocated(&scenario, 1_000_000);
        assert!(long.count_total <= short.count_total + 10, "{short:?}, {long:?}");
        assert!(long.bytes_max <= 2 * short.bytes_max, "{short:?}, {long:?}");
    }
}
