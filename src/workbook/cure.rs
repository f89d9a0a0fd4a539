//! What takes one cause of a fault away from a scenario, and leaves all else as it is.
//!
//! To say why something goes wrong is to say what would have to be otherwise. So an answer is
//! judged by making just that otherwise, and running the same seed again.

use crate::chance::delay::Delay;
use crate::protocol::client::Look;
use crate::protocol::lock::numbering::TokenKind;
use crate::protocol::store::{Condition, TokenCheck};
use crate::simulation::scenario::Scenario;
use crate::simulation::scenario::lock::{LockKind, LockSetup};
use crate::simulation::scenario::moments::Moments;
use crate::simulation::scenario::store::StoreSetup;
use crate::time::{millis, secs};

/// The scenario without the cause, or nothing, where it has no such cause.
pub(crate) type Cure = fn(&Scenario) -> Option<Scenario>;

/// How much longer a longer lease is, and how many renewals fit into a lease.
const MANY: u32 = 6;

fn with_store(scenario: &Scenario, store: StoreSetup) -> Scenario {
    Scenario { store, ..scenario.clone() }
}

fn with_lock(scenario: &Scenario, lock: LockSetup) -> Scenario {
    Scenario { lock, ..scenario.clone() }
}

/// Nothing looked at a token; now the store checks every request.
pub(crate) fn a_check(scenario: &Scenario) -> Option<Scenario> {
    let may_check = scenario.token_check == TokenCheck::Never
        && scenario.store.condition == Condition::None
        && scenario.lock.kind != LockKind::None;
    may_check.then(|| Scenario { token_check: TokenCheck::OnEveryRequest, ..scenario.clone() })
}

/// The same, with numbers that increase where they did not.
pub(crate) fn tokens_and_a_check(scenario: &Scenario) -> Option<Scenario> {
    let numbered = increasing_tokens(scenario).unwrap_or_else(|| scenario.clone());
    a_check(&numbered)
}

/// Only writes were checked; now every request is.
pub(crate) fn a_check_of_reads(scenario: &Scenario) -> Option<Scenario> {
    (scenario.token_check == TokenCheck::OnWrite)
        .then(|| Scenario { token_check: TokenCheck::OnEveryRequest, ..scenario.clone() })
}

/// The numbers on grants had another order, or none; now they increase.
pub(crate) fn increasing_tokens(scenario: &Scenario) -> Option<Scenario> {
    let lock = LockSetup { tokens: TokenKind::Increasing, ..scenario.lock.clone() };
    (scenario.lock.tokens != TokenKind::Increasing).then(|| with_lock(scenario, lock))
}

/// The store forgot its mark; now it does not.
pub(crate) fn a_lasting_mark(scenario: &Scenario) -> Option<Scenario> {
    let store = StoreSetup { forgets: Moments::never(), ..scenario.store.clone() };
    (!scenario.store.forgets.is_never()).then(|| with_store(scenario, store))
}

/// Check and write were two steps; now they are one.
pub(crate) fn one_step(scenario: &Scenario) -> Option<Scenario> {
    let store = StoreSetup { check_to_write: Delay::ZERO, ..scenario.store.clone() };
    (scenario.store.check_to_write != Delay::ZERO).then(|| with_store(scenario, store))
}

/// The lock service forgot grants; now it does not.
pub(crate) fn a_lock_that_remembers(scenario: &Scenario) -> Option<Scenario> {
    let lock = LockSetup { fails_over: Moments::never(), ..scenario.lock.clone() };
    (!scenario.lock.fails_over.is_never()).then(|| with_lock(scenario, lock))
}

/// The condition compared contents; now it compares versions.
pub(crate) fn a_condition_on_the_version(scenario: &Scenario) -> Option<Scenario> {
    let store = StoreSetup { condition: Condition::SameVersion, ..scenario.store.clone() };
    matches!(scenario.store.condition, Condition::SameEntityTag { .. })
        .then(|| with_store(scenario, store))
}

/// A lease that is several times as long. Renewals stay as often as they were.
pub(crate) fn a_longer_lease(scenario: &Scenario) -> Option<Scenario> {
    Some(Scenario { lease: scenario.lease * MANY, ..scenario.clone() })
}

/// Several renewals a lease.
pub(crate) fn more_renewals(scenario: &Scenario) -> Option<Scenario> {
    let renew_every = Some(scenario.lease / MANY);
    Some(Scenario { renew_every, ..scenario.clone() })
}

/// A last look at the holder's own clock, a fifth of a second before the write leaves at least.
pub(crate) fn a_last_look(scenario: &Scenario) -> Option<Scenario> {
    let commit = match &scenario.commit {
        at_once if *at_once == Delay::ZERO => Delay::constant(millis(200)),
        some => some.clone(),
    };
    Some(Scenario { look: Look::OwnClock, commit, ..scenario.clone() })
}

/// A store that knows what it has answered before, for a day.
pub(crate) fn keys(scenario: &Scenario) -> Option<Scenario> {
    let store = StoreSetup { remembers_keys: Some(secs(86_400)), ..scenario.store.clone() };
    Some(with_store(scenario, store))
}
