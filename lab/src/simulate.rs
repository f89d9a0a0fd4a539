//! `cargo lab simulate`: runs a scenario without Jupyter.

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use fencing::prelude::{Scenario, Seed, run};
use std::path::PathBuf;

/// What to run, and how to show what came of it.
#[derive(Debug, Args)]
pub struct Options {
    /// A scenario file, TOML or JSON [default: the baseline]
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,
    /// Change one field: a dotted path and a value, such as lease=20s or work.constant=3s; may be
    /// given several times
    #[arg(long = "set", value_name = "FIELD=VALUE")]
    pub settings: Vec<String>,
    /// The seed; the same seed repeats the run
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// End at this many grants
    #[arg(long, value_name = "N")]
    pub grants: Option<u64>,
    /// How to print the outcome
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

/// How an outcome is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Table,
    /// For programs, with scenario and seed
    Json,
}

/// Runs the scenario and prints the outcome.
///
/// # Errors
///
/// If the scenario cannot be read or is not allowed; the message names the field.
pub fn main(options: &Options) -> Result<()> {
    let outcome = run(&scenario(options)?, Seed(options.seed))?;
    match options.format {
        Format::Table => println!("{outcome}"),
        Format::Json => println!("{}", outcome.to_json()?),
    }
    Ok(())
}

/// The file or the baseline, then the settings in their order, then the number of grants.
fn scenario(options: &Options) -> Result<Scenario> {
    let mut scenario = match &options.scenario {
        Some(file) => Scenario::read(file)?,
        None => Scenario::baseline(),
    };
    for setting in &options.settings {
        let Some((path, value)) = setting.split_once('=') else {
            bail!(
                "--set {setting} has no value: write a field and a value, such as --set lease=20s"
            );
        };
        scenario = scenario.with(path.trim(), value.trim())?;
    }
    if options.grants.is_some() {
        scenario.stop.grants = options.grants;
    }
    Ok(scenario)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(settings: &[&str], grants: Option<u64>) -> Options {
        let settings = settings.iter().map(|setting| (*setting).to_owned()).collect();
        Options { scenario: None, settings, seed: 1, grants, format: Format::Table }
    }

    #[test]
    fn settings_change_the_baseline_one_after_the_other() {
        let options = options(&["lease=20s", "work.constant = 3s", "lease=30s"], Some(7));
        let changed = scenario(&options).expect("a valid scenario");
        assert_eq!(
            changed.settings(),
            ["lease = \"30s\"", "stop.grants = 7", "work = { constant = \"3s\" }"]
        );
    }

    #[test]
    fn a_setting_without_a_value_is_refused() {
        let error = scenario(&options(&["lease"], None)).expect_err("no value").to_string();
        assert!(error.contains("--set lease=20s"), "{error}");
    }
}
