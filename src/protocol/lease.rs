//! Clients, tokens and leases.

use crate::time::Time;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A client, counted from 0 and called A, B, C, …
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClientId(pub u32);

impl ClientId {
    /// The place of this client in a list of all.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A to Z, then by number: `client 27`.
impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match u8::try_from(self.0) {
            Ok(number @ 0..26) => write!(f, "{}", char::from(b'A' + number)),
            _ => write!(f, "client {}", self.0 + 1),
        }
    }
}

/// The number on a grant. Every grant's token is higher than all before, so of two tokens a store
/// can tell which lease is the newer one.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Token(pub u64);

impl Token {
    /// Below every token that is granted.
    pub const NONE: Token = Token(0);

    /// The token of the next grant.
    #[must_use]
    pub fn next(self) -> Token {
        Token(self.0 + 1)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A grant with an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    /// Who was granted the lock.
    pub holder: ClientId,
    /// The number on the grant.
    pub token: Token,
    /// When it ends, by the clock of the lock service, which knows nothing of the holder.
    pub expires: Time,
}
