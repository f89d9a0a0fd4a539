//! The store: the resource that the lock is there to protect, and the only place that can tell a
//! late request from a timely one.

use super::lease::Token;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a store holds: one value, and how often it was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The value. Clients write the value they have read plus one, so it counts the updates that
    /// are still in it.
    pub value: u64,
    /// The number of accepted writes so far.
    pub version: u64,
}

/// A write as it reaches the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The token of the lease under which the client writes.
    pub token: Token,
    /// The version that the client has read.
    pub read_version: u64,
    /// The new value.
    pub value: u64,
}

/// A request was turned away, since the store has seen a higher token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The highest token that the store has seen.
    pub mark: Token,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused: the store has seen token {}", self.mark)
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
}

/// Which requests a store checks for their token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// A register: a store of one value, with the token check of the scenario.
///
/// ```
/// use fencing::protocol::{lease::Token, store::*};
///
/// let mut store = Register::new(TokenCheck::OnEveryRequest);
/// let late = Write { token: Token(33), read_version: 0, value: 1 };
/// store.read(Token(33))?;
/// store.read(Token(34))?;
/// assert_eq!(store.write(late), Err(Refused { mark: Token(34) }));
/// # Ok::<(), Refused>(())
/// ```
#[derive(Clone, Debug)]
pub struct Register {
    check: TokenCheck,
    record: Record,
    /// The highest token seen in a request that was checked.
    mark: Token,
}

impl Register {
    /// An empty register: value 0, version 0, no token seen.
    #[must_use]
    pub fn new(check: TokenCheck) -> Register {
        Register { check, record: Record::default(), mark: Token::NONE }
    }

    /// What the register holds.
    #[must_use]
    pub fn record(&self) -> Record {
        self.record
    }

    /// The token check. `<`, not `<=`: the holder's second request carries the same token as its
    /// first. It is one step with the read or write that follows; nothing can come between.
    fn admit(&mut self, token: Token) -> Result<(), Refused> {
        if token < self.mark {
            return Err(Refused { mark: self.mark });
        }
        self.mark = token;
        Ok(())
    }
}

impl Store for Register {
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        if self.check == TokenCheck::OnEveryRequest {
            self.admit(token)?;
        }
        Ok(self.record)
    }

    fn write(&mut self, write: Write) -> Result<(), Refused> {
        if self.check != TokenCheck::Never {
            self.admit(write.token)?;
        }
        self.record = Record { value: write.value, version: self.record.version + 1 };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(token: u64) -> Write {
        Write { token: Token(token), read_version: 0, value: 1 }
    }

    #[test]
    fn without_a_check_every_write_is_accepted() {
        let mut store = Register::new(TokenCheck::Never);
        assert_eq!(store.write(write(34)), Ok(()));
        assert_eq!(store.write(write(33)), Ok(()));
    }

    #[test]
    fn a_check_on_writes_lets_an_old_write_through_until_the_new_holder_has_written() {
        let mut store = Register::new(TokenCheck::OnWrite);
        assert!(store.read(Token(34)).is_ok());
        assert_eq!(store.write(write(33)), Ok(()), "34 has only read");
        assert_eq!(store.write(write(34)), Ok(()));
        assert_eq!(store.write(write(33)), Err(Refused { mark: Token(34) }));
        assert!(store.read(Token(33)).is_ok(), "reads are not checked");
    }

    #[test]
    fn a_check_on_every_request_refuses_all_below_the_mark_and_nothing_else() {
        let mut store = Register::new(TokenCheck::OnEveryRequest);
        assert!(store.read(Token(34)).is_ok());
        assert_eq!(store.read(Token(33)), Err(Refused { mark: Token(34) }));
        assert_eq!(store.write(write(33)), Err(Refused { mark: Token(34) }));
        assert_eq!(store.write(write(34)), Ok(()), "an equal token is the holder's own");
        assert_eq!(store.write(write(34)), Ok(()));
    }
}
