//! The README's picture is that of the incident, and its scenario file can be run.

use expect_test::expect_file;
use fencing::prelude::*;

#[test]
fn the_picture_in_the_readme_is_that_of_the_incident() {
    let picture =
        trace(&Scenario::incident(), Seed(1)).expect("a valid scenario").sequence().still();
    expect_file!["../../docs/incident.svg"].assert_eq(&picture.svg);
}

#[test]
fn the_scenario_in_the_readme_runs() {
    let readme = include_str!("../../README.md");
    let toml = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let scenario = Scenario::from_toml(toml.expect("the README has a scenario"));
    assert_eq!(run(&scenario.expect("it is valid"), Seed(1)).expect("it runs").grants, 10_000);
}
