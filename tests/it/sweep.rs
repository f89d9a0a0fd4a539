//! Sweeps: their order, their luck, their bounds.

use fencing::prelude::*;

fn small() -> Sweep {
    let checks = [TokenCheck::Never, TokenCheck::OnWrite, TokenCheck::OnEveryRequest];
    Sweep::of(&Scenario::baseline())
        .lease([5, 10, 20].map(secs))
        .token_check(checks)
        .grants(500)
        .repeats(4)
        .quiet()
}

#[test]
fn cells_come_in_the_order_of_the_grid() {
    let sweep = small().repeats(1).run(Seed(1)).expect("a valid sweep");
    let labels = |cell: &Cell| {
        cell.settings.iter().map(|setting| setting.label.clone()).collect::<Vec<_>>().join(" ")
    };
    let order: Vec<String> = sweep.cells.iter().map(labels).collect();
    assert_eq!(sweep.knobs, ["lease", "token_check"]);
    assert_eq!(order[0], "5s never");
    assert_eq!(order[1], "5s on_write");
    assert_eq!(order[3], "10s never");
    assert_eq!(order[8], "20s on_every_request");
    assert_eq!(sweep.cells[3].scenario.lease, secs(10));
    assert_eq!(sweep.cells_with("token_check", "on_write").count(), 3);
}

#[test]
fn the_outcome_is_the_same_at_any_number_of_threads() {
    let with = |threads| small().threads(threads).run(Seed(1)).expect("a valid sweep");
    let one = with(1);
    assert_eq!(one, with(2));
    assert_eq!(one, with(5));
    assert!(one.is_complete());
}

#[test]
fn every_run_of_a_sweep_can_be_repeated_alone() {
    let sweep = small().run(Seed(9)).expect("a valid sweep");
    for cell in &sweep.cells {
        for (number, outcome) in cell.outcomes.iter().enumerate() {
            assert_eq!(outcome.seed, Seed(9).repeat(number as u64));
            assert_eq!(&run(&cell.scenario, outcome.seed).expect("it ran before"), outcome);
        }
    }
}

fn variance(numbers: impl Iterator<Item = f64>) -> f64 {
    let numbers: Vec<f64> = numbers.collect();
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (numbers.len() as f64 - 1.0)
}

/// Both cells meet the same pauses. So the difference of their zombie writes, run by run, varies
/// less than that of runs with luck of their own. The variance of a difference of independent runs
/// is the sum of both variances; here it must be less than two thirds of that.
#[test]
fn common_luck_makes_differences_sharp() {
    let sweep = Sweep::of(&Scenario::baseline())
        .lease([10, 12].map(secs))
        .grants(2_000)
        .repeats(60)
        .quiet()
        .run(Seed(4))
        .expect("a valid sweep");
    let zombies =
        |cell: usize| sweep.cells[cell].outcomes.iter().map(|run| run.zombie_writes as f64);
    let paired = variance(zombies(0).zip(zombies(1)).map(|(short, long)| short - long));
    let independent = variance(zombies(0)) + variance(zombies(1));
    assert!(paired < independent * 2.0 / 3.0, "paired {paired}, independent {independent}");
}

#[test]
fn a_sweep_that_runs_out_of_time_says_so() {
    let sweep = small().at_most(Duration::ZERO).run(Seed(1)).expect("a valid sweep");
    assert_eq!(sweep.cells.len(), 9);
    assert!(!sweep.is_complete());
    assert_eq!(sweep.missing(), 36);
}

#[test]
fn any_field_can_be_swept() {
    let sweep = Sweep::of(&Scenario::baseline())
        .field("pauses.critical_section.probability", ["0", "0.5"])
        .expect("there is such a field")
        .field("work", ["{ constant = \"1s\" }", "{ constant = \"9s\" }"])
        .expect("there is such a field")
        .grants(200)
        .repeats(1)
        .quiet()
        .run(Seed(1))
        .expect("a valid sweep");
    let expiries = |cell: usize| sweep.cells[cell].outcomes[0].expiries;
    assert_eq!([expiries(0), expiries(1)], [0, 0]);
    assert!(0 < expiries(2) && expiries(2) < expiries(3));
    let error = small().field("leese", ["1s"]).expect_err("no such field");
    assert!(error.to_string().contains("did you mean `lease`"), "{error}");
}

#[test]
fn a_cell_that_cannot_be_run_is_named_before_anything_runs() {
    let error = small().lease([secs(0)]).run(Seed(1)).expect_err("a lease of nothing");
    assert!(error.to_string().contains("`lease` is 0s"), "{error}");
}
