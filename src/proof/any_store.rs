//! A store of any kind, as a part of a state: it can be copied, compared and hashed. The search is
//! so compiled once, with the library, and not for each store anew in a reader's cell.

use crate::protocol::lease::{ClientId, Token};
use crate::protocol::store::{Record, Refused, Store, Write};
use std::any::Any;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};

/// A store that is told who asks, which a [`Store`] is not.
pub(super) trait ToldWhoAsks {
    fn read(&mut self, client: ClientId, token: Token) -> Result<Record, Refused>;
    fn write(&mut self, client: ClientId, write: Write) -> Result<(), Refused>;
    fn check(&mut self, client: ClientId, write: &Write) -> Result<(), Refused>;
    fn put(&mut self, client: ClientId, write: Write) -> Result<(), Refused>;
    fn forget(&mut self);
}

/// An ordinary store does not look at who asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ordinary<S>(pub(super) S);

impl<S: Store> ToldWhoAsks for Ordinary<S> {
    fn read(&mut self, _client: ClientId, token: Token) -> Result<Record, Refused> {
        self.0.read(token)
    }

    fn write(&mut self, _client: ClientId, write: Write) -> Result<(), Refused> {
        self.0.write(write)
    }

    fn check(&mut self, _client: ClientId, write: &Write) -> Result<(), Refused> {
        self.0.check(write)
    }

    fn put(&mut self, _client: ClientId, write: Write) -> Result<(), Refused> {
        self.0.put(write)
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}

/// What a state asks of its store, in a form that can stand in a box.
trait Kept: ToldWhoAsks + Any + Debug + Send + Sync {
    fn copy(&self) -> Box<dyn Kept>;
    fn is_equal(&self, other: &dyn Kept) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
}

impl<S> Kept for S
where
    S: ToldWhoAsks + Clone + Debug + Eq + Hash + Send + Sync + 'static,
{
    fn copy(&self) -> Box<dyn Kept> {
        Box::new(self.clone())
    }

    fn is_equal(&self, other: &dyn Kept) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<S>() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

/// A store of any kind.
#[derive(Debug)]
pub(super) struct AnyStore(Box<dyn Kept>);

impl AnyStore {
    pub(super) fn new<S>(store: S) -> AnyStore
    where
        S: ToldWhoAsks + Clone + Debug + Eq + Hash + Send + Sync + 'static,
    {
        AnyStore(Box::new(store))
    }

    pub(super) fn get(&mut self) -> &mut dyn ToldWhoAsks {
        &mut *self.0
    }
}

impl Clone for AnyStore {
    fn clone(&self) -> AnyStore {
        AnyStore(self.0.copy())
    }
}

impl PartialEq for AnyStore {
    fn eq(&self, other: &AnyStore) -> bool {
        self.0.is_equal(&*other.0)
    }
}

impl Eq for AnyStore {}

impl Hash for AnyStore {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_into(state);
    }
}
