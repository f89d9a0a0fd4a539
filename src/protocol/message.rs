//! What clients, lock service and store say to one another.

use super::lease::{ClientId, Lease, Token};
use super::store::{Record, Refused, Write};
use crate::time::Time;

/// A message between a client and the lock service or the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// The client that sends or receives it.
    pub client: ClientId,
    /// The number of the grant that it is about, 1 for the first of a run, 0 for none; that of the
    /// turn where there is no lock. Nobody in the protocol looks at it: it is for those who judge,
    /// since a token may not tell.
    pub grant: u64,
    /// What it says.
    pub body: Body,
}

/// What a message says. The first four go from a client to the lock service and the next two to
/// the store; the others are answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// Grant me the lock, or let me wait for it.
    Ask,
    /// Extend my lease; sent at this time.
    Renew(Token, Time),
    /// Is this token still current?
    AskIfCurrent(Token),
    /// I have no more use for my lease.
    Release(Token),
    /// Read.
    Read(Token),
    /// Write.
    Write(Write),
    /// The lock is yours.
    Granted(Lease),
    /// Your lease was extended, as you asked at this time.
    Renewed(Lease, Time),
    /// Your lease is not current any more.
    Lost(Token),
    /// Whether the token is current.
    IfCurrent(Token, bool),
    /// The answer to a read.
    ReadAnswer(Token, Result<Record, Refused>),
    /// The answer to a write.
    WriteAnswer(Token, Result<(), Refused>),
}

/// One end of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Party {
    /// A client.
    Client(ClientId),
    /// The lock service.
    LockService,
    /// The store.
    Store,
}

impl Message {
    /// Who sends it.
    #[must_use]
    pub fn from(&self) -> Party {
        match self.body {
            Body::Ask
            | Body::Renew(..)
            | Body::AskIfCurrent(_)
            | Body::Release(_)
            | Body::Read(_)
            | Body::Write(_) => Party::Client(self.client),
            Body::Granted(_) | Body::Renewed(..) | Body::Lost(_) | Body::IfCurrent(..) => {
                Party::LockService
            }
            Body::ReadAnswer(..) | Body::WriteAnswer(..) => Party::Store,
        }
    }

    /// Who receives it.
    #[must_use]
    pub fn to(&self) -> Party {
        match self.body {
            Body::Ask | Body::Renew(..) | Body::AskIfCurrent(_) | Body::Release(_) => {
                Party::LockService
            }
            Body::Read(_) | Body::Write(_) => Party::Store,
            _ => Party::Client(self.client),
        }
    }
}
