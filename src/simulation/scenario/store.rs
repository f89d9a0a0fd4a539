//! What kind of store there is, beside its token check.

use super::moments::Moments;
use super::{ScenarioError, between, not_zero, sampler};
use crate::chance::delay::{Delay, Sampler};
use crate::protocol::lease::Token;
use crate::protocol::store::register::Register;
use crate::protocol::store::several::SeveralStores;
use crate::protocol::store::{Condition, Record, Refused, Store, TokenCheck, Write};
use crate::time::span;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What kind of store there is, beside its token check, and what can go wrong in it.
///
/// ```
/// use fencing::prelude::*;
///
/// // Optimistic concurrency: no token, but the version that was read must still be there.
/// let condition = Condition::SameVersion;
/// let store = StoreSetup { condition, ..StoreSetup::default() };
/// let outcome = run(&Scenario { store, ..Scenario::baseline() }, Seed(1))?;
/// assert_eq!(outcome.lost_updates, 0);
/// # Ok::<(), ScenarioError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StoreSetup {
    /// Whether the store can compare at all.
    pub kind: StoreKind,
    /// What a write asks of the value that it replaces.
    pub condition: Condition,
    /// How many stores the lock protects, 1 to [`MOST_STORES`]. A turn writes all of them.
    pub count: u32,
    /// With how many of them a turn registers its token by its read, 1 to their number.
    pub registers_with: u32,
    /// Time from the check of a write to the write itself. At zero they are one step.
    pub check_to_write: Delay,
    /// For how long the store remembers the idempotency key of a write, above zero: a write that it
    /// knows it answers as it did the first time, and does not do again. Absent: it has no keys.
    #[serde(with = "span::optional", skip_serializing_if = "Option::is_none")]
    pub remembers_keys: Option<Duration>,
    /// When the store starts again, or is deleted and made anew, and has lost its mark. Under
    /// [`Condition::IfAbsent`] names become free again, while versions go on.
    #[serde(skip_serializing_if = "Moments::is_never")]
    pub forgets: Moments,
}

/// The most stores that one lock may protect.
pub const MOST_STORES: u32 = 100;

/// Whether a store can compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoreKind {
    /// It can: a database, an object store, a service of one's own.
    #[default]
    Comparing,
    /// It cannot: it takes what it is given. Fencing is then unavailable.
    PlainFile,
}

impl Default for StoreSetup {
    fn default() -> StoreSetup {
        StoreSetup {
            kind: StoreKind::Comparing,
            condition: Condition::None,
            count: 1,
            registers_with: 1,
            check_to_write: Delay::ZERO,
            remembers_keys: None,
            forgets: Moments::never(),
        }
    }
}

/// What a run needs of it.
#[derive(Debug)]
pub(crate) struct StoreRules {
    /// Absent where check and write are one step.
    pub(crate) check_to_write: Option<Sampler>,
    pub(crate) remembers_keys: Option<Duration>,
    pub(crate) forgets_every: Option<Duration>,
}

impl StoreSetup {
    pub(super) fn check(&self, check: TokenCheck) -> Result<StoreRules, ScenarioError> {
        between("store.count", self.count, 1..=MOST_STORES.into())?;
        between("store.registers_with", self.registers_with, 1..=self.count.into())?;
        if let Condition::SameEntityTag { contents } = self.condition {
            between("store.condition.same_entity_tag.contents", contents, 1..=u64::MAX)?;
        }
        if self.kind == StoreKind::PlainFile {
            let allowed = "be left at \"never\": a plain file cannot compare, so fencing is \
                           unavailable. Put the value into a store that can";
            if check != TokenCheck::Never {
                return Err(ScenarioError::field("token_check", "set", allowed));
            }
            if self.condition != Condition::None {
                let allowed = allowed.replace("never", "none");
                return Err(ScenarioError::field("store.condition", "set", &allowed));
            }
        }
        not_zero("store.remembers_keys", self.remembers_keys)?;
        self.forgets.check("store.forgets")?;
        let check_to_write = sampler("store.check_to_write", &self.check_to_write)?;
        let is_one_step = self.check_to_write == Delay::ZERO;
        if !is_one_step && self.count > 1 {
            let allowed = "be 1 where the check and the write are two steps";
            return Err(ScenarioError::field("store.count", self.count, allowed));
        }
        Ok(StoreRules {
            check_to_write: (!is_one_step).then_some(check_to_write),
            remembers_keys: self.remembers_keys,
            forgets_every: self.forgets.every,
        })
    }
}

/// The store that a scenario asks for.
#[derive(Clone, Debug)]
pub(crate) enum ScenarioStore {
    One(Register),
    Several(SeveralStores),
}

impl ScenarioStore {
    pub(crate) fn new(setup: &StoreSetup, check: TokenCheck) -> ScenarioStore {
        let register = || Register::new(check).with_condition(setup.condition);
        match setup.count {
            1 => ScenarioStore::One(register()),
            count => {
                let stores = (0..count).map(|_| register()).collect();
                let registers_with = setup.registers_with as usize;
                ScenarioStore::Several(SeveralStores::new(stores, registers_with))
            }
        }
    }
}

impl Store for ScenarioStore {
    #[inline(always)]
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        match self {
            ScenarioStore::One(store) => store.read(token),
            ScenarioStore::Several(stores) => stores.read(token),
        }
    }

    #[inline(always)]
    fn write(&mut self, write: Write) -> Result<(), Refused> {
        match self {
            ScenarioStore::One(store) => store.write(write),
            ScenarioStore::Several(stores) => stores.write(write),
        }
    }

    fn check(&mut self, write: &Write) -> Result<(), Refused> {
        match self {
            ScenarioStore::One(store) => store.check(write),
            ScenarioStore::Several(stores) => stores.check(write),
        }
    }

    fn put(&mut self, write: Write) -> Result<(), Refused> {
        match self {
            ScenarioStore::One(store) => store.put(write),
            ScenarioStore::Several(stores) => stores.put(write),
        }
    }

    fn forget(&mut self) {
        match self {
            ScenarioStore::One(store) => store.forget(),
            ScenarioStore::Several(stores) => stores.forget(),
        }
    }
}
