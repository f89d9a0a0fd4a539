//! The lock service: one holder at a time, as far as it knows.

use super::lease::{ClientId, Lease, Token};
use crate::time::Time;
use std::collections::VecDeque;
use std::time::Duration;

/// Hands out the lock as a lease, first come, first served.
///
/// It sees requests and its own clock, nothing else. In particular it cannot see whether a holder
/// whose lease has expired has stopped working: it takes that for granted.
///
/// ```
/// use fencing::protocol::{lease::*, lock::*};
/// use fencing::time::{Time, secs};
///
/// let (a, b) = (ClientId(0), ClientId(1));
/// let mut lock = LockService::new(secs(10), Token(33));
/// let first = lock.ask(a, Time::START).expect("the lock is free");
/// assert_eq!(first.token, Token(33));
/// assert_eq!(lock.ask(b, Time::START + secs(1)), None, "B has to wait");
///
/// // Nobody renews: at ten seconds the lease is over, and B has the lock. A is not asked.
/// let end = lock.expire(Time::START + secs(10)).expect("the lease is over");
/// assert_eq!(end.over, first);
/// assert_eq!(end.next.map(|lease| (lease.holder, lease.token)), Some((b, Token(34))));
/// ```
#[derive(Clone, Debug)]
pub struct LockService {
    /// L, how long a lease lasts from its grant or last renewal.
    lease: Duration,
    /// The token of the next grant.
    next_token: Token,
    /// The lease that the service holds as current.
    current: Option<Lease>,
    /// Clients that wait, in the order they asked, each at most once.
    waiting: VecDeque<ClientId>,
}

/// A lease that has ended, and the grant that followed at the same instant if somebody waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The lease that is over.
    pub over: Lease,
    /// The lease of the client that waited longest.
    pub next: Option<Lease>,
}

/// The answer to a renewal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// The lease now ends later.
    Extended(Lease),
    /// The token is not that of the current lease, and will not be again.
    Lost,
}

impl LockService {
    /// A free lock: leases of length `lease`, tokens from `first_token` up.
    #[must_use]
    pub fn new(lease: Duration, first_token: Token) -> LockService {
        LockService { lease, next_token: first_token, current: None, waiting: VecDeque::new() }
    }

    /// The lease that the service holds as current.
    #[must_use]
    pub fn current(&self) -> Option<Lease> {
        self.current
    }

    /// True while `token` is that of the current lease.
    #[must_use]
    pub fn is_current(&self, token: Token) -> bool {
        self.current.is_some_and(|lease| lease.token == token)
    }

    /// A client asks for the lock: granted at once if it is free, else the client waits. One that
    /// waits already keeps its place.
    pub fn ask(&mut self, client: ClientId, now: Time) -> Option<Lease> {
        if !self.waiting.contains(&client) {
            self.waiting.push_back(client);
        }
        self.grant_next(now)
    }

    /// Extends the lease of `token` to now + L, if it is still the current one.
    pub fn renew(&mut self, token: Token, now: Time) -> Renewal {
        match &mut self.current {
            Some(lease) if lease.token == token => {
                lease.expires = now + self.lease;
                Renewal::Extended(*lease)
            }
            _ => Renewal::Lost,
        }
    }

    /// Ends the lease of `token`. A token that is no longer current releases nothing: somebody
    /// else's lease is not the old holder's to end.
    pub fn release(&mut self, token: Token, now: Time) -> Option<Ended> {
        let over = self.current.take_if(|lease| lease.token == token)?;
        Some(Ended { over, next: self.grant_next(now) })
    }

    /// Ends the current lease if its time is up.
    pub fn expire(&mut self, now: Time) -> Option<Ended> {
        let over = self.current.take_if(|lease| lease.expires <= now)?;
        Some(Ended { over, next: self.grant_next(now) })
    }

    /// Grants a free lock to the client that has waited longest, with a token above all before.
    fn grant_next(&mut self, now: Time) -> Option<Lease> {
        if self.current.is_some() {
            return None;
        }
        let holder = self.waiting.pop_front()?;
        let token = self.next_token;
        self.next_token = token.next();
        self.current = Some(Lease { holder, token, expires: now + self.lease });
        self.current
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::secs;

    const A: ClientId = ClientId(0);
    const B: ClientId = ClientId(1);
    const C: ClientId = ClientId(2);

    fn at(seconds: u64) -> Time {
        Time::START + secs(seconds)
    }

    fn held_by_a() -> (LockService, Token) {
        let mut lock = LockService::new(secs(10), Token(1));
        let lease = lock.ask(A, at(0)).expect("the lock is free");
        (lock, lease.token)
    }

    #[test]
    fn waiting_clients_are_served_in_the_order_they_asked() {
        let (mut lock, token) = held_by_a();
        for client in [B, C, B] {
            assert_eq!(lock.ask(client, at(1)), None);
        }
        let b = lock.release(token, at(2)).and_then(|end| end.next).expect("B waited");
        assert_eq!((b.holder, b.token), (B, Token(2)));
        let c = lock.expire(at(12)).and_then(|end| end.next).expect("C waited");
        assert_eq!((c.holder, c.token), (C, Token(3)));
        assert_eq!(lock.release(c.token, at(13)).map(|end| end.next), Some(None));
    }

    #[test]
    fn a_renewal_counts_from_the_moment_it_arrives() {
        let (mut lock, token) = held_by_a();
        assert!(
            matches!(lock.renew(token, at(4)), Renewal::Extended(lease) if lease.expires == at(14))
        );
        assert_eq!(lock.expire(at(13)), None);
        assert!(lock.expire(at(14)).is_some());
        assert_eq!(lock.renew(token, at(14)), Renewal::Lost);
    }

    #[test]
    fn an_old_token_releases_nothing() {
        let (mut lock, old) = held_by_a();
        lock.ask(B, at(1));
        lock.expire(at(10));
        assert_eq!(lock.release(old, at(11)), None);
        assert!(lock.is_current(Token(2)));
    }
}
