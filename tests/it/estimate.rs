use fencing::prelude::*;
use rand_distr::{Binomial, Distribution};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

fn cov(p: f64, reps: usize, n: u64, reps_n: usize) -> (f64, f64, f64, [usize; 4]) {
    let mut g = Pcg64Mcg::seed_from_u64(1);
    let b = Binomial::new(n, p).unwrap();
    let (mut c, mut lo, mut hi) = (0, 0, 0);
    let mut m = [0; 4];
    for _ in 0..reps_n {
        let r = if reps == 1 {
            Rate::of(b.sample(&mut g), n).unwrap()
        } else {
            Rate::of_repeats((0..reps).map(|_| (b.sample(&mut g), n))).unwrap()
        };
        m[match r.method() {
            Method::Repeats(_) => 0,
            Method::Wilson => 1,
            Method::ClopperPearson => 2,
            Method::RuleOfThree => 3,
        }] += 1;
        if r.interval().contains(p) {
            c += 1
        } else if r.interval().low > p {
            lo += 1
        } else {
            hi += 1
        }
    }
    let s = |x: i32| x as f64 / reps_n as f64;
    (s(c), s(lo), s(hi), m)
}
#[test]
fn explore() {
    for (p, reps, n) in [
        (0.0178, 1, 10_000),
        (0.0178, 1, 1000),
        (0.0178, 1, 200),
        (0.5, 1, 30),
        (0.5, 1, 100),
        (0.1, 1, 30),
        (0.1, 1, 100),
        (0.1, 1, 200),
        (0.001, 1, 1000),
        (0.001, 1, 4000),
        (0.98, 1, 500),
        (0.001, 1, 20_000),
        (0.3, 1, 50),
        (0.0178, 10, 1000),
        (0.0178, 10, 200),
        (0.0178, 10, 100),
        (0.0178, 20, 100),
        (0.0178, 20, 50),
        (0.0178, 20, 1000),
        (0.3, 10, 100),
        (0.3, 20, 5),
        (0.001, 20, 1000),
        (0.001, 20, 2000),
        (0.001, 20, 500),
        (0.001, 40, 500),
    ] {
        println!("{p} x{reps} n{n}: {:?}", cov(p, reps, n, 100_000));
    }
}
#[test]
fn explore_baseline() {
    let t = std::time::Instant::now();
    let long =
        run(&Scenario { stop: Stop::at_grants(20_000_000), ..Scenario::baseline() }, Seed(1))
            .unwrap();
    let truth = long.zombie_rate();
    println!(
        "truth {truth} {:?} {:?}",
        t.elapsed(),
        Rate::of(long.zombie_writes, long.grants).unwrap()
    );
    for (reps, n) in [(10, 1000), (20, 500), (20, 2000), (1, 10_000)] {
        let (mut c, mut lo, mut hi) = (0, 0, 0);
        let mut sum = (0, 0);
        let mut sq = 0.0;
        let mut w = 0;
        let count = |seed: u64| {
            let o = run(&Scenario { stop: Stop::at_grants(n), ..Scenario::baseline() }, Seed(seed))
                .unwrap();
            sum.0 += o.zombie_writes;
            sum.1 += o.grants;
            sq += (o.zombie_writes as f64 - n as f64 * truth).powi(2);
            (o.zombie_writes, o.grants)
        };
        let mut count = count;
        for k in 0..1000u64 {
            let pairs: Vec<_> = (0..reps).map(|i| count(1_000_000 + k * reps + i)).collect();
            let r = Rate::of_repeats(pairs).unwrap();
            let ww = Rate::of(r.events(), r.trials()).unwrap();
            if ww.interval().contains(truth) {
                w += 1
            }
            if r.interval().contains(truth) {
                c += 1
            } else if r.interval().low > truth {
                lo += 1
            } else {
                hi += 1
            }
        }
        println!(
            "{reps} x {n}: {c} lo {lo} hi {hi}; wilson {w}; pooled {} var ratio {} {:?}",
            sum.0 as f64 / sum.1 as f64,
            sq / (1000 * reps) as f64 / (n as f64 * truth * (1.0 - truth)),
            t.elapsed()
        );
    }
}
