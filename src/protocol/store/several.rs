//! Several stores that one lock protects.

use super::register::Register;
use super::{Record, Refused, Store, Write};
use crate::protocol::lease::Token;

/// Several stores, each with a mark of its own. A turn writes all of them. It reads, and so
/// registers its token, with the first few only: what one store has seen, the others do not know.
///
/// ```
/// use fencing::protocol::{lease::Token, store::{*, register::*, several::*}};
///
/// let checked = || Register::new(TokenCheck::OnEveryRequest);
/// let mut stores = SeveralStores::new(vec![checked(), checked()], 1);
/// stores.read(Token(34))?;
/// let late = Write { token: Token(33), read_version: 0, read_value: 0, value: 1 };
/// assert_eq!(stores.write(late), Ok(()), "the second store has never heard of 34");
/// # Ok::<(), Refused>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SeveralStores {
    stores: Vec<Register>,
    registers_with: usize,
}

impl SeveralStores {
    /// These stores, of which a turn reads the first `registers_with`. The value that it goes on
    /// from is that of the last store.
    #[must_use]
    pub fn new(stores: Vec<Register>, registers_with: usize) -> SeveralStores {
        SeveralStores { stores, registers_with }
    }
}

impl Store for SeveralStores {
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        for store in self.stores.iter_mut().take(self.registers_with) {
            store.read(token)?;
        }
        Ok(self.stores.last().map(Register::record).unwrap_or_default())
    }

    /// A write is done by every store that does not refuse it. Where one has done it, it counts as
    /// accepted: something has been overwritten.
    fn write(&mut self, write: Write) -> Result<(), Refused> {
        let answers = self.stores.iter_mut().map(|store| store.write(write));
        answers.reduce(Result::or).unwrap_or(Ok(()))
    }

    fn forget(&mut self) {
        self.stores.iter_mut().for_each(Store::forget);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::store::TokenCheck;

    fn write(token: u64) -> Write {
        Write { token: Token(token), read_version: 0, read_value: 0, value: token }
    }

    fn two(registers_with: usize) -> SeveralStores {
        let checked = || Register::new(TokenCheck::OnEveryRequest);
        SeveralStores::new(vec![checked(), checked()], registers_with)
    }

    #[test]
    fn one_that_has_registered_with_all_is_safe_in_all() {
        let mut stores = two(2);
        assert!(stores.read(Token(34)).is_ok());
        assert_eq!(stores.write(write(33)), Err(Refused { mark: Token(34) }));
    }

    #[test]
    fn a_store_that_nobody_registered_with_takes_the_late_write() {
        let mut stores = two(1);
        assert!(stores.read(Token(34)).is_ok());
        assert_eq!(stores.write(write(33)), Ok(()));
        assert_eq!(stores.read(Token(34)).map(|record| record.value), Ok(33));
        assert_eq!(stores.write(write(34)), Ok(()));
        assert_eq!(stores.write(write(33)), Err(Refused { mark: Token(34) }));
    }
}
