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

/// The page on scenario files has every field there is, each at a value that it may have.
#[test]
fn the_page_on_scenario_files_names_every_field_and_runs() {
    let page = include_str!("../../docs/scenario-file.md");
    let blocks = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let scenarios: Vec<Scenario> =
        blocks.map(|toml| Scenario::from_toml(toml).expect("it is valid")).collect();
    assert_eq!(scenarios.len(), 2);
    for scenario in &scenarios {
        let short = Scenario { stop: Stop::at_grants(500), ..scenario.clone() };
        run(&short, Seed(1)).expect("it runs");
        let written = scenario.to_toml().expect("a scenario is TOML");
        for line in written.lines() {
            let name = line.split([' ', '=']).next().unwrap_or_default();
            let name = name.trim_matches(['[', ']']).rsplit('.').next().unwrap_or_default();
            assert!(page.contains(name), "the page does not name {name}");
        }
    }
}
