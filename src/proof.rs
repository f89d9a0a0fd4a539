//! The proof: a small model of the same lock service, clients and store, of which every
//! interleaving is tried.
//!
//! A simulation draws some of the orders in which things can happen, and counts what it sees. Here
//! nothing is drawn. From a state the search follows every step that can be next: any message on
//! its way arrives, any client goes on, the lease ends. It does so from each state that it reaches,
//! until there is none that it has not seen.
//!
//! # What the model leaves out
//!
//! - **Time.** A client may be paused at any moment, for any length; a request may take any time;
//!   a lease may end at any moment. Whatever a clock could do to a run is among that. What a clock
//!   could rule out is not ruled out.
//! - **Late answers.** Answers arrive at once, and are handled at once. A late answer, a receiver
//!   that is paused, and a late next request look the same to lock service and store, so one of
//!   them is enough. A client thinks for as long as it likes, and then its request for the lock
//!   arrives at once.
//! - **Size.** There are so many clients, with so many turns each. What needs more of either is not
//!   found: the property holds *within these bounds*.
//! - **Some faults.** No message is lost or comes twice, leases are not renewed, clients do not
//!   crash and stores do not restart, unless asked for.
//! - **Names.** The client that is first to ask is called A, the next one B: clients are alike.
//! - States are told apart by hashes of 64 bits. That two states of a million have the same one has
//!   a probability below one in ten million.
//!
//! Read in this order:
//!
//! - `property`: what is to hold.
//! - `state`: all that matters for what can happen next, and what can.
//! - `happen`: what a step brings about.
//! - `rules`, `flaw`, `any_store`: what is checked, within which bounds, and how it can be broken.
//! - `search`: the search itself, by the model checker stateright.
//! - `retelling`: a counterexample as a trace.
//! - `checked`: the result.

mod any_store;
mod checked;
mod flaw;
mod happen;
mod property;
mod retelling;
mod rules;
mod search;
mod state;

pub use checked::Checked;
pub use flaw::Flaw;
pub use property::Property;

use crate::figures::sequence::SequenceDiagram;
use crate::protocol::client::Look;
use crate::protocol::lock::numbering::TokenKind;
use crate::protocol::store::register::Register;
use crate::protocol::store::{Store, TokenCheck};
use crate::simulation::scenario::Scenario;
use crate::simulation::trace::{Happening, Trace};
use any_store::{AnyStore, Ordinary};
use flaw::{MarkPerClient, RefusesEqual};
use rules::Rules;
use search::BrokenOff;
use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::RangeInclusive;

/// What is to be proved, and within which bounds.
///
/// ```
/// use fencing::prelude::*;
///
/// let checked = Proof::of(TokenCheck::OnWrite).clients(2).turns(1).check()?;
/// assert!(checked.holds(Property::TokensNeverFall));
/// assert!(!checked.holds(Property::NoZombieWrite));
/// let run = checked.counterexample(Property::NoZombieWrite).expect("a shortest one");
/// assert!(run.to_string().contains("ZOMBIE WRITE"));
/// # Ok::<(), ProofError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a proof does nothing until it is asked to `check()`"]
pub struct Proof {
    rules: Rules,
    token_check: TokenCheck,
    most_steps: u64,
}

/// How many clients a proof may have.
const CLIENTS: RangeInclusive<u32> = 1..=4;
/// How many turns each client may have.
const TURNS: RangeInclusive<u32> = 1..=4;
/// How many turns a single client may have: each turn more only doubles its states.
const TURNS_ALONE: RangeInclusive<u32> = 1..=12;
/// How often the store may restart.
const RESTARTS: RangeInclusive<u32> = 0..=4;
/// A search that has taken so many steps is cut short.
const MOST_STEPS: u64 = 10_000_000;

impl Proof {
    /// Of the store that has this token check, with 2 clients and 2 turns each.
    pub fn of(check: TokenCheck) -> Proof {
        let mut proof = Proof::with(AnyStore::new(Ordinary(Register::new(check))));
        proof.rules.restart_is = Happening::StoreForgets;
        Proof { token_check: check, ..proof }
    }

    /// Of a store of your own, with 2 clients and 2 turns each. It is copied, compared and hashed
    /// whole: whatever it remembers must be among its fields, and nothing must be outside of it.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    /// struct TakesAll(Record);
    ///
    /// impl Store for TakesAll {
    ///     fn read(&mut self, _token: Token) -> Result<Record, Refused> {
    ///         Ok(self.0)
    ///     }
    ///     fn write(&mut self, write: Write) -> Result<(), Refused> {
    ///         self.0 = Record { value: write.value, version: self.0.version + 1 };
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let checked = Proof::of_store(TakesAll::default()).turns(1).check()?;
    /// assert!(!checked.holds(Property::NoLostUpdate));
    /// # Ok::<(), ProofError>(())
    /// ```
    pub fn of_store<S>(store: S) -> Proof
    where
        S: Store + Clone + Debug + Eq + Hash + Send + Sync + 'static,
    {
        Proof::with(AnyStore::new(Ordinary(store)))
    }

    fn with(store: AnyStore) -> Proof {
        let rules = Rules {
            store,
            clients: 2,
            turns: 2,
            look: Look::Never,
            tokens: TokenKind::Increasing,
            leases_end: true,
            is_check_apart: false,
            restarts: 0,
            restart_is: Happening::StoreRestarts,
            crashes: 0,
        };
        Proof { rules, token_check: TokenCheck::Never, most_steps: MOST_STEPS }
    }

    /// With so many clients, 1 to 4.
    pub fn clients(mut self, clients: u32) -> Proof {
        self.rules.clients = clients;
        self
    }

    /// With so many turns of each client, 1 to 4; of a single client 1 to 12.
    pub fn turns(mut self, turns: u32) -> Proof {
        self.rules.turns = turns;
        self
    }

    /// With so many restarts of the store, each at any moment, 0 to 4. The store then does what its
    /// [`Store::forget`] says.
    pub fn restarts(mut self, restarts: u32) -> Proof {
        self.rules.restarts = restarts;
        self
    }

    /// With clients that take a last look before the write. There is no time in the model, so they
    /// cannot look at a clock.
    pub fn look(mut self, look: Look) -> Proof {
        self.rules.look = look;
        self
    }

    /// With tokens of this kind.
    pub fn tokens(mut self, tokens: TokenKind) -> Proof {
        self.rules.tokens = tokens;
        self
    }

    /// Broken in this way. Flaws of the store replace it.
    pub fn broken(mut self, flaw: Flaw) -> Proof {
        let rules = &mut self.rules;
        match flaw {
            Flaw::MarkIsForgotten => rules.restarts = 1,
            Flaw::EqualIsRefused => rules.store = AnyStore::new(RefusesEqual::default()),
            Flaw::CheckApart => rules.is_check_apart = true,
            Flaw::MarkPerClient => rules.store = AnyStore::new(MarkPerClient::default()),
            Flaw::RandomTokens => rules.tokens = TokenKind::Random,
            Flaw::EndlessLease => (rules.leases_end, rules.crashes) = (false, 1),
        }
        self
    }

    /// Cut short after so many steps, of which the start counts as one; without this after 10
    /// million, which take some 1.5 GB of memory. A search that takes no more steps than that is
    /// not cut short.
    pub fn at_most(mut self, steps: u64) -> Proof {
        self.most_steps = steps.max(1);
        self
    }

    /// Tries every interleaving.
    ///
    /// # Errors
    /// [`ProofError`], if a bound is out of range, or the store cannot be searched since its code
    /// panics or does not do the same thing twice. It says which, and what to do.
    pub fn check(&self) -> Result<Checked, ProofError> {
        let rules = &self.rules;
        within("clients", rules.clients, &CLIENTS)?;
        let turns = if rules.clients == 1 { &TURNS_ALONE } else { &TURNS };
        within("turns", rules.turns, turns)?;
        within("restarts", rules.restarts, &RESTARTS)?;
        if rules.look == Look::OwnClock {
            return Err(ProofError::of(
                "`look` is OwnClock, but the model has no time: choose Never or AskService",
            ));
        }
        let scenario = Scenario {
            clients: rules.clients,
            token_check: self.token_check,
            ..Scenario::incident()
        };
        let retell = |path: &[state::Step]| retelling::retell(rules, path, &scenario);
        match search::search(rules, self.most_steps) {
            Ok(found) => Ok(Checked::new(rules, &found, retell)),
            Err(BrokenOff::Panics(said, path)) => Err(ProofError {
                sentence: format!("the store panics: {said}"),
                run: (!path.is_empty()).then(|| Box::new(retell(&path))),
            }),
            Err(BrokenOff::IsWhimsical) => Err(ProofError::of(
                "the store does not do the same thing twice: all that it goes by must be in its \
                 fields, and nothing elsewhere",
            )),
        }
    }
}

/// Why a proof cannot be tried, in a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofError {
    sentence: String,
    run: Option<Box<Trace>>,
}

impl ProofError {
    fn of(sentence: impl Into<String>) -> ProofError {
        ProofError { sentence: sentence.into(), run: None }
    }

    /// Where the store panics: a shortest run that leads there, up to the request in question.
    #[must_use]
    pub fn run(&self) -> Option<SequenceDiagram> {
        Some(self.run.as_ref()?.sequence().titled("And then the store panics"))
    }
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for ProofError {}

fn within(name: &str, given: u32, allowed: &RangeInclusive<u32>) -> Result<(), ProofError> {
    if allowed.contains(&given) {
        return Ok(());
    }
    let (least, most) = (allowed.start(), allowed.end());
    Err(ProofError::of(format!(
        "`{name}` is {given}, but it must be {least} to {most}: with more there are too many states"
    )))
}
