//! The store: the resource that the lock is there to protect, and the only place that can tell a
//! late request from a timely one.
//!
//! - [`register`]: a store of one value, with the check that the scenario asks for.
//! - [`several`]: several stores, each with a mark of its own.
//! - [`keys`]: which operations were answered before, and how.

pub mod keys;
pub mod register;
pub mod several;

use super::lease::Token;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a store holds: one value, and how often it was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Record {
    /// The value. Clients write the value they have read plus one, so it counts the updates that
    /// are still in it.
    pub value: u64,
    /// The number of accepted writes so far.
    pub version: u64,
}

/// A write as it reaches the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Write {
    /// The token of the lease under which the client writes.
    pub token: Token,
    /// The version that the client has read.
    pub read_version: u64,
    /// The value that the client has read.
    pub read_value: u64,
    /// The new value.
    pub value: u64,
}

/// A request was turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Refused {
    /// The highest token that the store has seen. Another reason has a number that no token has:
    /// [`Refused::CHANGED`].
    pub mark: Token,
}

/// Why a request was turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The store has seen this token, which is a higher one. (One that has a flaw may refuse an
    /// equal one.)
    SeenToken(Token),
    /// The store does not hold any more what the client had read.
    Changed,
}

impl Refused {
    /// The store does not hold any more what the client had read.
    pub const CHANGED: Refused = Refused { mark: Token(u64::MAX) };

    /// Why a request with this token was turned away; nothing if the mark does not tell, which is
    /// then a lower one.
    #[must_use]
    pub fn reason(self, token: Token) -> Option<Reason> {
        match self {
            Refused::CHANGED => Some(Reason::Changed),
            Refused { mark } => (token <= mark).then_some(Reason::SeenToken(mark)),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::SeenToken(mark) => write!(f, "it has seen token {mark}"),
            Reason::Changed => f.write_str("the value is no longer the one that was read"),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Refused::CHANGED => write!(f, "refused: {}", Reason::Changed),
            Refused { mark: Token::NONE } => f.write_str("refused"),
            Refused { mark } => write!(f, "refused: the store has seen token {mark}"),
        }
    }
}

impl std::error::Error for Refused {}

/// A store that clients read and write. Bring your own to
/// [`run_with_store`](crate::analysis::run_with_store).
pub trait Store {
    /// A client reads under `token`.
    ///
    /// # Errors
    /// [`Refused`], if the store does not serve this token any more.
    fn read(&mut self, token: Token) -> Result<Record, Refused>;

    /// A client writes.
    ///
    /// # Errors
    /// [`Refused`], if the store does not serve this token any more.
    fn write(&mut self, write: Write) -> Result<(), Refused>;

    /// The first of two steps, for a store that checks and writes in two: may this write be done?
    /// A store that does not say otherwise has nothing to check in this step.
    ///
    /// # Errors
    /// [`Refused`], if it may not.
    fn check(&mut self, _write: &Write) -> Result<(), Refused> {
        Ok(())
    }

    /// The second of two steps: a write that was checked some time ago is done.
    fn put(&mut self, write: Write) -> Result<(), Refused> {
        self.write(write)
    }

    /// The store starts again, or was deleted and made anew, and has lost what it compares with. A
    /// store that does not say otherwise loses nothing.
    fn forget(&mut self) {}
}

/// Which requests a store checks for their token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenCheck {
    /// None: the store takes what it gets.
    #[default]
    Never,
    /// Writes. An old write still passes until the new holder has written.
    OnWrite,
    /// Reads and writes. The new holder's first request, its read, raises the mark.
    OnEveryRequest,
}

/// What a write asks of the value that it replaces. The holder needs no lock for it: what has
/// changed since it was read is refused, whoever changed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Condition {
    /// Nothing.
    #[default]
    None,
    /// Its version is the one that was read: compare-and-set, or optimistic concurrency.
    SameVersion,
    /// Its entity tag is the one that was read: `If-Match`. The tag is made of the content alone,
    /// and there are `contents` different ones, so that what went from one content to another and
    /// back looks as if nobody had touched it.
    SameEntityTag {
        /// How many different contents there are, 1 or more: values that leave the same remainder
        /// are the same content.
        contents: u64,
    },
    /// There is no object yet for the version that it makes: `If-None-Match: *` on a name with the
    /// number of the version in it.
    IfAbsent,
}
