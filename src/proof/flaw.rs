//! Ways to break what is sound, each of them seen in the field.

use super::any_store::ToldWhoAsks;
use crate::protocol::lease::{ClientId, Token};
use crate::protocol::store::{Record, Refused, Write};
use std::collections::BTreeMap;

/// One thing that is done wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The store restarts once, at any moment, and has then lost its mark.
    MarkIsForgotten,
    /// The store refuses a token that is equal to its mark as well: it compares with `>` where it
    /// should with `>=`. It checks every request.
    EqualIsRefused,
    /// The store checks a write in one step and does it in another; anything can come between.
    CheckApart,
    /// The store keeps a mark for each client, and checks every request against the client's own.
    MarkPerClient,
    /// The tokens are not in order: they are random values, here one fixed row of them, of which
    /// the second is lower than the first.
    RandomTokens,
    /// Leases have no end, and one client may crash at any moment.
    EndlessLease,
}

impl Flaw {
    /// All of them.
    pub const ALL: [Flaw; 6] = [
        Flaw::MarkIsForgotten,
        Flaw::EqualIsRefused,
        Flaw::CheckApart,
        Flaw::MarkPerClient,
        Flaw::RandomTokens,
        Flaw::EndlessLease,
    ];
}

/// A register that refuses a token which is equal to the mark.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct RefusesEqual {
    record: Record,
    mark: Token,
}

impl RefusesEqual {
    fn admit(&mut self, token: Token) -> Result<(), Refused> {
        if token <= self.mark {
            return Err(Refused { mark: self.mark });
        }
        self.mark = token;
        Ok(())
    }
}

/// A register with a mark for each client.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct MarkPerClient {
    record: Record,
    marks: BTreeMap<ClientId, Token>,
}

impl MarkPerClient {
    fn admit(&mut self, client: ClientId, token: Token) -> Result<(), Refused> {
        let mark = self.marks.entry(client).or_default();
        if token < *mark {
            return Err(Refused { mark: *mark });
        }
        *mark = token;
        Ok(())
    }
}

fn written(record: Record, write: Write) -> Record {
    Record { value: write.value, version: record.version + 1 }
}

impl ToldWhoAsks for RefusesEqual {
    fn read(&mut self, _client: ClientId, token: Token) -> Result<Record, Refused> {
        self.admit(token)?;
        Ok(self.record)
    }

    fn write(&mut self, client: ClientId, write: Write) -> Result<(), Refused> {
        self.check(client, &write)?;
        self.put(client, write)
    }

    fn check(&mut self, _client: ClientId, write: &Write) -> Result<(), Refused> {
        self.admit(write.token)
    }

    fn put(&mut self, _client: ClientId, write: Write) -> Result<(), Refused> {
        self.record = written(self.record, write);
        Ok(())
    }

    fn forget(&mut self) {}
}

impl ToldWhoAsks for MarkPerClient {
    fn read(&mut self, client: ClientId, token: Token) -> Result<Record, Refused> {
        self.admit(client, token)?;
        Ok(self.record)
    }

    fn write(&mut self, client: ClientId, write: Write) -> Result<(), Refused> {
        self.check(client, &write)?;
        self.put(client, write)
    }

    fn check(&mut self, client: ClientId, write: &Write) -> Result<(), Refused> {
        self.admit(client, write.token)
    }

    fn put(&mut self, _client: ClientId, write: Write) -> Result<(), Refused> {
        self.record = written(self.record, write);
        Ok(())
    }

    fn forget(&mut self) {}
}
