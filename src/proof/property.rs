//! What is to hold, whatever the order in which things happen.

use std::fmt;

/// What is to hold in every interleaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// Of the writes that the store accepts, none has a lower token than one before it.
    TokensNeverFall,
    /// The store accepts no write of a grant after it has served a read or a write of a newer one.
    NoZombieWrite,
    /// No accepted write replaces a value that its client had not read.
    NoLostUpdate,
    /// The store refuses nobody who acts under the newest grant that it has served, or under a
    /// newer one. A store that refuses everything would have all the other properties.
    NewestIsServed,
    /// It never comes to a standstill before every client that is alive has finished all its turns.
    NoDeadlock,
}

impl Property {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Property; 5] = [
        Property::TokensNeverFall,
        Property::NoZombieWrite,
        Property::NoLostUpdate,
        Property::NewestIsServed,
        Property::NoDeadlock,
    ];

    /// The property in a few words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Property::TokensNeverFall => "accepted tokens never fall",
            Property::NoZombieWrite => "no zombie write",
            Property::NoLostUpdate => "no lost update",
            Property::NewestIsServed => "the newest grant is served",
            Property::NoDeadlock => "no deadlock",
        }
    }

    /// Its place in [`Property::ALL`].
    pub(super) fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Properties([bool; Property::ALL.len()]);

impl Properties {
    pub(super) fn add_if(&mut self, property: Property, is_so: bool) {
        self.0[property.index()] |= is_so;
    }

    pub(super) fn has(self, property: Property) -> bool {
        self.0[property.index()]
    }
}
