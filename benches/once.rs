//! One run of the baseline, timed, as one line of JSON: our half of the pair with SimPy.
//!
//! `cargo bench -p fencing --bench once -- GRANTS SEED`

use fencing::prelude::*;
use std::time::Instant;

fn main() {
    // Cargo adds a flag of its own to what it is given.
    let numbers: Vec<u64> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let grants = numbers.first().copied().unwrap_or(100_000);
    let seed = Seed(numbers.get(1).copied().unwrap_or(1));
    let scenario = Scenario { stop: Stop::at_grants(grants), ..Scenario::baseline() };
    let start = Instant::now();
    let outcome = run(&scenario, seed).expect("the baseline is a valid scenario");
    let took_s = start.elapsed().as_secs_f64();
    println!(
        "{{\"grants\": {}, \"zombie_writes\": {}, \"wait_mean_s\": {}, \"took_s\": {took_s}, \
         \"grants_per_s\": {}}}",
        outcome.grants,
        outcome.zombie_writes,
        outcome.wait_mean_s.unwrap_or(f64::NAN),
        outcome.grants as f64 / took_s,
    );
}
