//! Runs of the simulation, by what is asked of them: `cargo bench -p fencing --bench run`.

use criterion::{Criterion, Throughput};
use fencing::prelude::*;
use std::hint::black_box;

/// Long enough that the start of a run does not count.
const GRANTS: u64 = 100_000;

fn baseline() -> Scenario {
    Scenario { stop: Stop::at_grants(GRANTS), ..Scenario::baseline() }
}

/// Runs with the audit, as all measurements do.
fn audited(c: &mut Criterion) {
    let cases = [
        ("baseline", baseline()),
        ("latency", Scenario { latency: Delay::exponential(millis(5)), ..baseline() }),
        ("renewal", Scenario { renew_every: Some(secs(3)), ..baseline() }),
        ("1 client", Scenario { clients: 1, ..baseline() }),
        ("30 clients", Scenario { clients: 30, ..baseline() }),
        ("300 clients", Scenario { clients: 300, ..baseline() }),
        // Nearly all clients think at any time: the timers are many.
        (
            "1000 clients thinking",
            Scenario { clients: 1_000, think: Delay::exponential(secs(10_000)), ..baseline() },
        ),
    ];
    let mut group = c.benchmark_group("audited");
    group.throughput(Throughput::Elements(GRANTS)).sample_size(20);
    for (name, scenario) in cases {
        group.bench_function(name, |b| b.iter(|| run(black_box(&scenario), Seed(1))));
    }
    group.finish();
}

/// What watching costs: nothing at all, or keeping everything.
fn watched(c: &mut Criterion) {
    let mut group = c.benchmark_group("watched");
    group.throughput(Throughput::Elements(GRANTS)).sample_size(20);
    let scenario = baseline();
    group.bench_function("by nobody", |b| {
        b.iter(|| observe(black_box(&scenario), Seed(1), ()));
    });
    group.bench_function("by a trace", |b| b.iter(|| trace(black_box(&scenario), Seed(1))));
    group.finish();
}

/// The grid that a reader would ask for in a cell, on one thread and on two.
fn swept(c: &mut Criterion) {
    let sweep = |threads| {
        Sweep::of(&Scenario::baseline())
            .lease([5, 10, 15, 20, 30, 40, 60, 80].map(secs))
            .token_check([TokenCheck::Never, TokenCheck::OnWrite, TokenCheck::OnEveryRequest])
            .repeats(20)
            .grants(10_000)
            .threads(threads)
            .quiet()
    };
    let mut group = c.benchmark_group("swept");
    group.throughput(Throughput::Elements(8 * 3 * 20 * 10_000)).sample_size(10);
    for threads in [1, 2] {
        let sweep = sweep(threads);
        group.bench_function(format!("threads {threads}"), |b| b.iter(|| sweep.run(Seed(1))));
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    audited(&mut criterion);
    watched(&mut criterion);
    swept(&mut criterion);
    criterion.final_summary();
}
