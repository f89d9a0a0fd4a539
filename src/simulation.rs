//! The simulation: a scenario goes in, and what happens comes out.
//!
//! - [`scenario`]: all that can be set, with checks in plain words.
//! - [`mod@file`]: scenarios in TOML and JSON.
//! - [`mod@trace`]: what happens, and those who watch it.
//! - `event`, `queue`: what can happen next, and when.
//! - `world`: the one loop that moves time.
//!
//! # Rules of order
//! 1. Events happen in the order of their times; at one instant, in the order they were scheduled.
//! 2. The end of a run comes before everything else at its instant.
//! 3. A lease's end is an event like others: what was scheduled for the same instant before the
//!    lease was granted or renewed comes before it.
//! 4. What becomes due for a paused client waits, and is handled on resuming in its old order.

pub(crate) mod event;
pub mod file;
pub(crate) mod queue;
pub mod scenario;
pub mod trace;
pub(crate) mod world;

use crate::chance::seed::Seed;
use crate::protocol::store::Store;
use scenario::{Rules, Scenario, ScenarioError};
use trace::{Observer, Trace};

pub use world::Ended;

/// Runs a scenario and lets `observer` watch it. Says why the run ended.
///
/// # Errors
/// [`ScenarioError`], if the scenario cannot be run; it names the field and what is allowed.
pub fn observe<O: Observer>(
    scenario: &Scenario,
    seed: Seed,
    observer: O,
) -> Result<Ended, ScenarioError> {
    observe_with_store(scenario, seed, &mut scenario.new_store(), observer)
}

/// As [`observe`], with a store of your own. The scenario's token check then means nothing, nor
/// does its [`StoreSetup`](scenario::store::StoreSetup) beside the times in it.
///
/// # Errors
/// As [`observe`].
pub fn observe_with_store<S: Store, O: Observer>(
    scenario: &Scenario,
    seed: Seed,
    store: &mut S,
    observer: O,
) -> Result<Ended, ScenarioError> {
    Ok(run_rules(&scenario.check()?, seed, store, observer))
}

/// Runs a scenario that was checked before.
pub(crate) fn run_rules<S: Store, O: Observer>(
    rules: &Rules,
    seed: Seed,
    store: &mut S,
    observer: O,
) -> Ended {
    world::World::new(rules, seed, store, observer).run()
}

/// Runs a scenario and keeps all that happens. Meant for short runs: a trace grows with its run.
///
/// ```
/// use fencing::prelude::*;
///
/// let trace = trace(&Scenario::incident(), Seed(1))?;
/// assert!(trace.entries.len() < 60);
/// # Ok::<(), ScenarioError>(())
/// ```
///
/// # Errors
/// As [`observe`].
pub fn trace(scenario: &Scenario, seed: Seed) -> Result<Trace, ScenarioError> {
    trace_with_store(scenario, seed, &mut scenario.new_store())
}

/// As [`trace`](fn@trace), with a store of your own.
///
/// # Errors
/// As [`observe`].
pub fn trace_with_store<S: Store>(
    scenario: &Scenario,
    seed: Seed,
    store: &mut S,
) -> Result<Trace, ScenarioError> {
    let mut trace = Trace::new(scenario, seed);
    observe_with_store(scenario, seed, store, &mut trace)?;
    Ok(trace)
}
