//! Analysis: what a run amounts to.
//!
//! - [`audit`]: counts as a run goes, in constant memory, from what happens alone.
//! - [`outcome`]: the counts of one run, with the scenario and seed that repeat it.
//! - [`sweep`]: the same question asked of many scenarios.
//! - [`estimate`]: rates, means and differences over runs, with how sure they are.
//! - [`theory`]: what has a formula, to hold the runs against.

pub mod audit;
pub mod estimate;
pub mod outcome;
pub mod sweep;
pub mod theory;

use crate::chance::seed::Seed;
use crate::protocol::store::Store;
use crate::simulation::observe_with_store;
use crate::simulation::scenario::{Scenario, ScenarioError};
use audit::Audit;
use outcome::Outcome;

/// Runs a scenario and counts.
///
/// ```
/// use fencing::prelude::*;
///
/// let outcome = run(&Scenario::baseline(), Seed(1))?;
/// assert!(outcome.zombie_writes > 0, "nothing crashed, and still");
///
/// let checked = Scenario { token_check: TokenCheck::OnEveryRequest, ..Scenario::baseline() };
/// assert_eq!(run(&checked, Seed(1))?.zombie_writes, 0);
/// # Ok::<(), ScenarioError>(())
/// ```
///
/// # Errors
/// [`ScenarioError`], if the scenario cannot be run; it names the field and what is allowed.
pub fn run(scenario: &Scenario, seed: Seed) -> Result<Outcome, ScenarioError> {
    run_with_store(scenario, seed, &mut scenario.new_store())
}

/// As [`run`], with a store of your own. The scenario's token check then means nothing.
///
/// ```
/// use fencing::prelude::*;
///
/// /// Turns away whoever is not newer than all before. Even the holder's own second request!
/// struct TooStrict(Token);
///
/// impl Store for TooStrict {
///     fn read(&mut self, token: Token) -> Result<Record, Refused> {
///         let nothing = Write { token, read_version: 0, read_value: 0, value: 0 };
///         self.write(nothing).map(|()| Record::default())
///     }
///     fn write(&mut self, write: Write) -> Result<(), Refused> {
///         if write.token <= self.0 {
///             return Err(Refused { mark: self.0 });
///         }
///         self.0 = write.token;
///         Ok(())
///     }
/// }
///
/// let outcome = run_with_store(&Scenario::baseline(), Seed(1), &mut TooStrict(Token::NONE))?;
/// assert_eq!(outcome.accepted_writes, 0);
/// # Ok::<(), ScenarioError>(())
/// ```
///
/// # Errors
/// As [`run`].
pub fn run_with_store<S: Store>(
    scenario: &Scenario,
    seed: Seed,
    store: &mut S,
) -> Result<Outcome, ScenarioError> {
    let mut audit = Audit::new(scenario.clients);
    let ended = observe_with_store(scenario, seed, store, &mut audit)?;
    Ok(audit.outcome(scenario, seed, ended))
}
