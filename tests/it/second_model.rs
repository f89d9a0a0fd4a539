//! The library against a second model of the same description, in tests/independent.

use fencing::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the second model counted: mean, standard error, and over how many runs.
#[derive(Debug, serde::Deserialize)]
struct Row {
    scenario: String,
    figure: String,
    mean: f64,
    standard_error: f64,
    runs: u64,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/independent")
}

fn rows() -> BTreeMap<String, Vec<Row>> {
    let mut by_scenario: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    let mut table = csv::Reader::from_path(folder().join("results.csv")).expect("the results");
    for row in table.deserialize() {
        let row: Row = row.expect("a row of the results");
        by_scenario.entry(row.scenario.clone()).or_default().push(row);
    }
    by_scenario
}

fn mean_and_error(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}

/// Some 600 comparisons, each of means over the runs of both models. A true difference of zero lies
/// within 4.5 standard errors of the difference in all but 7 of a million, so the bound hardly ever
/// fails by chance; seeds are fixed, so it fails always or never. The histogram of waits is exact
/// to one part in a thousand, which is added. What is not random has to be met exactly.
#[test]
fn the_library_agrees_with_a_second_model() {
    let mut compared = 0;
    for (name, rows) in rows() {
        let file = folder().join("scenarios").join(format!("{name}.toml"));
        let scenario = Scenario::read(file).expect("a scenario");
        let most = rows.iter().map(|row| row.runs).max().unwrap_or(1);
        let outcomes: Vec<serde_json::Value> = (0..most)
            .map(|number| run(&scenario, Seed(7_000 + number)).expect("a valid scenario"))
            .map(|outcome| serde_json::to_value(outcome).expect("an outcome is JSON"))
            .collect();
        for Row { figure, mean, standard_error, .. } in rows {
            let numbers: Vec<f64> =
                outcomes.iter().filter_map(|outcome| outcome[&figure].as_f64()).collect();
            assert!(!numbers.is_empty(), "{name}: no run has {figure}");
            let (ours, error) = mean_and_error(&numbers);
            let rounding = if figure == "wait_p99_s" { 1e-3 } else { 1e-8 } * mean.abs();
            let bound = 4.5 * standard_error.hypot(error) + rounding;
            assert!(
                (ours - mean).abs() <= bound,
                "{name}, {figure}: {ours} here, {mean} in the second model, bound {bound}"
            );
            compared += 1;
        }
    }
    assert!(compared > 550, "only {compared} figures were compared");
}
