//! Sweeps: the same question asked of many scenarios, with the same bad luck for all.
//!
//! - `knob`: what is varied.
//! - `jobs`: the runs, spread over the cores, and how far they are.
//! - [`rows`]: what came of it as a plain table, one row a run.
//! - [`file`](mod@file): a sweep that a file describes.
//! - [`shard`]: a sweep shared out among machines.
//! - [`part`]: the file that a shard leaves.
//! - [`gather`](mod@gather): the parts put together again.

pub mod file;
pub mod gather;
mod jobs;
mod knob;
pub mod part;
pub mod rows;
pub mod shard;

pub use knob::{Knob, Setting};

use super::outcome::Outcome;
use crate::chance::seed::Seed;
use crate::protocol::client::{Look, OnLost};
use crate::protocol::store::TokenCheck;
use crate::simulation::scenario::{Scenario, ScenarioError, Stop};
use shard::Shard;
use std::time::Duration;

/// A grid of scenarios: every setting of every knob with every setting of the others, each run
/// several times with different seeds.
///
/// All cells of the grid meet the same pauses: the seed of a run follows from the seed of the sweep
/// and the number of the repeat, not from the cell. So what differs between two cells is what their
/// settings do, and not their luck.
///
/// ```
/// use fencing::prelude::*;
///
/// let sweep = Sweep::of(&Scenario::baseline())
///     .lease([5, 10, 20].map(secs))
///     .token_check([TokenCheck::Never, TokenCheck::OnWrite, TokenCheck::OnEveryRequest])
///     .repeats(3)
///     .grants(1_000)
///     .run(Seed(1))?;
/// assert_eq!(sweep.cells.len(), 9);
/// assert_eq!(sweep.cells[0].settings[0].label, "5s");
/// assert!(sweep.is_complete());
/// # Ok::<(), ScenarioError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sweep {
    base: Scenario,
    knobs: Vec<Knob>,
    repeats: u32,
    at_most: Option<Duration>,
    threads: Option<usize>,
    tell: fn(&str),
}

/// One cell of the grid: a setting of every knob, and what came of its runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The settings, in the order of the knobs.
    pub settings: Vec<Setting>,
    /// The scenario with these settings.
    pub scenario: Scenario,
    /// What came of its runs, in the order of the repeats: the n-th run of every cell has the same
    /// seed.
    pub outcomes: Vec<Outcome>,
}

/// What came of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepOutcome {
    /// The names of the knobs.
    pub knobs: Vec<String>,
    /// The cells in the order of the grid: the last knob changes fastest.
    pub cells: Vec<Cell>,
    /// How many runs of each cell were asked for.
    pub repeats: u32,
    /// The seed of the sweep.
    pub seed: Seed,
}

impl Sweep {
    /// A sweep of one cell, the scenario itself, run ten times.
    #[must_use]
    pub fn of(base: &Scenario) -> Sweep {
        Sweep {
            base: base.clone(),
            knobs: Vec::new(),
            repeats: 10,
            at_most: None,
            threads: None,
            tell: |line| println!("{line}"),
        }
    }

    /// Another knob, of any kind.
    #[must_use]
    pub fn knob(mut self, knob: Knob) -> Sweep {
        self.knobs.push(knob);
        self
    }

    /// Varies the lease.
    #[must_use]
    pub fn lease(self, leases: impl IntoIterator<Item = Duration>) -> Sweep {
        self.knob(Knob::of_spans("lease", leases, |scenario, lease| scenario.lease = lease))
    }

    /// Varies how often a holder renews.
    #[must_use]
    pub fn renew_every(self, spans: impl IntoIterator<Item = Duration>) -> Sweep {
        self.knob(Knob::of_spans("renew_every", spans, |scenario, span| {
            scenario.renew_every = Some(span);
        }))
    }

    /// Varies which requests the store checks for their token.
    #[must_use]
    pub fn token_check(self, checks: impl IntoIterator<Item = TokenCheck>) -> Sweep {
        self.knob(Knob::of_names("token_check", checks, |scenario, check| {
            scenario.token_check = check;
        }))
    }

    /// Varies the last look before the write.
    #[must_use]
    pub fn look(self, looks: impl IntoIterator<Item = Look>) -> Sweep {
        self.knob(Knob::of_names("look", looks, |scenario, look| scenario.look = look))
    }

    /// Varies what a client does on hearing that its lease is lost.
    #[must_use]
    pub fn on_lost(self, choices: impl IntoIterator<Item = OnLost>) -> Sweep {
        self.knob(Knob::of_names("on_lost", choices, |scenario, choice| scenario.on_lost = choice))
    }

    /// Varies the number of clients.
    #[must_use]
    pub fn clients(self, numbers: impl IntoIterator<Item = u32>) -> Sweep {
        self.knob(Knob::of_numbers("clients", numbers.into_iter().map(f64::from), |scenario, n| {
            scenario.clients = n as u32;
        }))
    }

    /// Varies any field by its path in a scenario file, with values as a scenario file has them.
    ///
    /// # Errors
    /// [`ScenarioError`], where there is no such field or it does not take one of the values.
    pub fn field<V: Into<String>>(
        self,
        path: &str,
        values: impl IntoIterator<Item = V>,
    ) -> Result<Sweep, ScenarioError> {
        let knob = Knob::of_field(&self.base, path, values)?;
        Ok(self.knob(knob))
    }

    /// How many runs each cell gets, each with a seed of its own.
    #[must_use]
    pub fn repeats(mut self, repeats: u32) -> Sweep {
        self.repeats = repeats;
        self
    }

    /// Each run ends at this many grants.
    #[must_use]
    pub fn grants(mut self, grants: u64) -> Sweep {
        self.base.stop = Stop::at_grants(grants);
        self
    }

    /// No run is begun after this time. What was done until then is returned, and
    /// [`SweepOutcome::is_complete`] says that it is not all.
    #[must_use]
    pub fn at_most(mut self, time: Duration) -> Sweep {
        self.at_most = Some(time);
        self
    }

    /// Uses this many threads instead of one a core. The outcome is the same.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Sweep {
        self.threads = Some(threads);
        self
    }

    /// Prints no lines about how far it is.
    #[must_use]
    pub fn quiet(self) -> Sweep {
        self.telling(|_| ())
    }

    /// Says by this function how far it is, instead of printing it.
    #[must_use]
    pub fn telling(mut self, tell: fn(&str)) -> Sweep {
        self.tell = tell;
        self
    }

    /// The cells of the grid before anything was run, in its order.
    #[must_use]
    pub fn grid(&self) -> Vec<Cell> {
        let first =
            Cell { settings: Vec::new(), scenario: self.base.clone(), outcomes: Vec::new() };
        self.knobs.iter().fold(vec![first], |cells, knob| {
            let with_each = |cell: &Cell| knob.each(cell).collect::<Vec<Cell>>();
            cells.iter().flat_map(with_each).collect()
        })
    }

    /// Runs the sweep on all cores. Where it takes longer than a second it prints about every
    /// second how far it is.
    ///
    /// # Errors
    /// [`ScenarioError`], if the scenario of a cell cannot be run.
    pub fn run(&self, seed: Seed) -> Result<SweepOutcome, ScenarioError> {
        self.run_only(seed, Shard::WHOLE)
    }

    /// The runs of one shard. The others are missing from what is returned.
    fn run_only(&self, seed: Seed, shard: Shard) -> Result<SweepOutcome, ScenarioError> {
        let mut cells = self.grid();
        jobs::Jobs::of(self, &cells, seed, shard)?.run_into(&mut cells);
        let knobs = self.knobs.iter().map(|knob| knob.name.clone()).collect();
        Ok(SweepOutcome { knobs, cells, repeats: self.repeats, seed })
    }
}

impl SweepOutcome {
    /// True if every run that was asked for was made.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.missing() == 0
    }

    /// How many runs were asked for and not made, since time was up.
    #[must_use]
    pub fn missing(&self) -> usize {
        self.cells.iter().map(|cell| self.repeats as usize - cell.outcomes.len()).sum()
    }

    /// The cells whose knob of this name is set to this label.
    pub fn cells_with<'a>(&'a self, knob: &str, label: &'a str) -> impl Iterator<Item = &'a Cell> {
        let place = self.knobs.iter().position(|name| name == knob);
        let is_set = move |cell: &&Cell| place.is_some_and(|at| cell.settings[at].label == label);
        self.cells.iter().filter(is_set)
    }
}
