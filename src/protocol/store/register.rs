//! A register: a store of one value.

use super::{Condition, Record, Refused, Store, TokenCheck, Write};
use crate::protocol::lease::Token;

/// A store of one value, with the token check of the scenario and what it asks of writes.
///
/// ```
/// use fencing::protocol::{lease::Token, store::{*, register::*}};
///
/// let mut store = Register::new(TokenCheck::OnEveryRequest);
/// let late = Write { token: Token(33), read_version: 0, read_value: 0, value: 1 };
/// store.read(Token(33))?;
/// store.read(Token(34))?;
/// assert_eq!(store.write(late), Err(Refused { mark: Token(34) }));
/// # Ok::<(), Refused>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Register {
    check: TokenCheck,
    condition: Condition,
    record: Record,
    /// The highest token seen in a request that was checked.
    mark: Token,
    /// Objects of versions up to this one are gone, and their names are free again.
    names_free_to: u64,
}

impl Register {
    /// An empty register: value 0, version 0, no token seen.
    #[must_use]
    pub fn new(check: TokenCheck) -> Register {
        Register {
            check,
            condition: Condition::None,
            record: Record::default(),
            mark: Token::NONE,
            names_free_to: 0,
        }
    }

    /// The same register, which asks this of each write as well.
    #[must_use]
    pub fn with_condition(self, condition: Condition) -> Register {
        Register { condition, ..self }
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

    /// Whether the value is still what the write takes it for.
    fn is_unchanged(&self, write: &Write) -> bool {
        match self.condition {
            Condition::None => true,
            Condition::SameVersion => write.read_version == self.record.version,
            Condition::SameEntityTag { contents } => {
                write.read_value % contents == self.record.value % contents
            }
            Condition::IfAbsent => {
                let next = write.read_version + 1;
                self.record.version < next || next <= self.names_free_to
            }
        }
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
        self.check(&write)?;
        self.put(write)
    }

    fn check(&mut self, write: &Write) -> Result<(), Refused> {
        if self.check != TokenCheck::Never {
            self.admit(write.token)?;
        }
        if self.is_unchanged(write) { Ok(()) } else { Err(Refused::CHANGED) }
    }

    fn put(&mut self, write: Write) -> Result<(), Refused> {
        self.record = Record { value: write.value, version: self.record.version + 1 };
        Ok(())
    }

    /// The value survives; the mark does not, nor does the count of versions, nor the objects of
    /// versions that are past.
    fn forget(&mut self) {
        self.mark = Token::NONE;
        self.names_free_to = self.record.version;
        if self.condition == Condition::SameVersion {
            self.record.version = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(token: u64) -> Write {
        Write { token: Token(token), read_version: 0, read_value: 0, value: 1 }
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

    /// A write by one who has read this version, with this value.
    fn after(version: u64, value: u64) -> Write {
        let (read_version, read_value) = (version, value);
        Write { token: Token(1), read_version, read_value, value: value + 1 }
    }

    fn asking(condition: Condition) -> Register {
        Register::new(TokenCheck::Never).with_condition(condition)
    }

    #[test]
    fn of_two_writes_after_one_read_a_condition_admits_the_first() {
        let tag = Condition::SameEntityTag { contents: 100 };
        for condition in [Condition::SameVersion, Condition::IfAbsent, tag] {
            let mut store = asking(condition);
            assert_eq!(store.write(after(0, 0)), Ok(()));
            assert_eq!(store.write(after(0, 0)), Err(Refused::CHANGED), "{condition:?}");
            assert_eq!(store.write(after(1, 1)), Ok(()));
        }
    }

    #[test]
    fn an_entity_tag_does_not_see_what_went_there_and_back() {
        let mut store = asking(Condition::SameEntityTag { contents: 2 });
        assert_eq!(store.write(after(0, 0)), Ok(()));
        assert_eq!(store.write(after(1, 1)), Ok(()));
        assert_eq!(store.write(after(0, 0)), Ok(()), "the content is as it was at first");
        let mut store = asking(Condition::SameVersion);
        assert_eq!(store.write(after(0, 0)), Ok(()));
        assert_eq!(store.write(after(1, 1)), Ok(()));
        assert_eq!(store.write(after(0, 0)), Err(Refused::CHANGED));
    }

    #[test]
    fn what_is_forgotten_protects_no_more() {
        let mut marked = Register::new(TokenCheck::OnEveryRequest);
        assert!(marked.read(Token(34)).is_ok());
        marked.forget();
        assert_eq!(marked.write(write(33)), Ok(()));
        for condition in [Condition::SameVersion, Condition::IfAbsent] {
            let mut store = asking(condition);
            assert_eq!(store.write(after(0, 0)), Ok(()));
            store.forget();
            assert_eq!(store.write(after(0, 0)), Ok(()), "{condition:?}");
        }
    }

    #[test]
    fn what_is_checked_first_and_written_later_is_written_whatever_came_between() {
        let mut store = Register::new(TokenCheck::OnEveryRequest);
        assert_eq!(store.check(&write(33)), Ok(()));
        assert!(store.read(Token(34)).is_ok());
        assert_eq!(store.put(write(33)), Ok(()));
        assert_eq!(store.write(write(33)), Err(Refused { mark: Token(34) }));
    }
}
