//! The lock service: one holder at a time, as far as it knows.
//!
//! - [`numbering`]: what the number on a grant is.
//! - [`majority`]: a lock of several independent instances (Redlock).

pub mod majority;
pub mod numbering;

use super::lease::{ClientId, Lease, Token};
use crate::time::Time;
use numbering::{Numbering, TokenKind};
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LockService {
    /// L, how long a lease lasts from its grant or last renewal.
    lease: Duration,
    /// The tokens of the grants to come.
    numbering: Numbering,
    /// After a lease has expired, nobody is granted the lock for so long.
    takeover_delay: Duration,
    /// When such a delay is over.
    free_from: Time,
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
        LockService {
            lease,
            numbering: Numbering::new(TokenKind::Increasing, first_token, 0),
            takeover_delay: Duration::ZERO,
            free_from: Time::START,
            current: None,
            waiting: VecDeque::new(),
        }
    }

    /// The same service with another kind of numbers on its grants.
    #[must_use]
    pub fn with_numbering(self, numbering: Numbering) -> LockService {
        LockService { numbering, ..self }
    }

    /// The same service, which waits so long after a lease has expired before it grants the lock
    /// again (Chubby's and Consul's lock-delay). After a release it does not wait.
    #[must_use]
    pub fn with_takeover_delay(self, takeover_delay: Duration) -> LockService {
        LockService { takeover_delay, ..self }
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
    #[inline]
    pub fn ask(&mut self, client: ClientId, now: Time) -> Option<Lease> {
        if !self.waiting.contains(&client) {
            self.numbering.asked(client);
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
    #[inline]
    pub fn release(&mut self, token: Token, now: Time) -> Option<Ended> {
        let over = self.current.take_if(|lease| lease.token == token)?;
        Some(Ended { over, next: self.grant_next(now) })
    }

    /// Ends the current lease if its time is up.
    pub fn expire(&mut self, now: Time) -> Option<Ended> {
        let over = self.current.take_if(|lease| lease.expires <= now)?;
        self.numbering.session_is_over(over.holder);
        self.free_from = now + self.takeover_delay;
        Some(Ended { over, next: self.grant_next(now) })
    }

    /// When a lease has expired and its takeover delay is over: the next grant, if somebody waits.
    pub fn take_over(&mut self, now: Time) -> Option<Lease> {
        self.grant_next(now)
    }

    /// When the service has to look at its clock again, as it stands: when the current lease ends,
    /// or the takeover delay if somebody waits for it.
    #[must_use]
    pub fn next_look(&self) -> Option<Time> {
        match self.current {
            Some(lease) => Some(lease.expires),
            None => (!self.waiting.is_empty()).then_some(self.free_from),
        }
    }

    /// Another server takes its place, and the last grant has not reached it yet: it knows neither
    /// the lease nor its number, and grants the lock again. Nobody was paused, and nothing expired.
    /// Where nobody holds the lock, nothing is forgotten.
    pub fn fail_over(&mut self, now: Time) -> Option<Ended> {
        let over = self.current.take()?;
        self.numbering.take_back();
        Some(Ended { over, next: self.grant_next(now) })
    }

    /// The counter of tokens is lost and starts again; the lease is still known.
    pub fn forget_numbers(&mut self) {
        self.numbering.start_again();
    }

    /// Grants a free lock to the client that has waited longest.
    #[inline]
    fn grant_next(&mut self, now: Time) -> Option<Lease> {
        if self.current.is_some() || now < self.free_from {
            return None;
        }
        let holder = self.waiting.pop_front()?;
        let token = self.numbering.next(holder);
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

    #[test]
    fn after_an_expiry_a_takeover_delay_holds_the_lock_back() {
        let mut lock = LockService::new(secs(10), Token(1)).with_takeover_delay(secs(15));
        lock.ask(A, at(0));
        assert_eq!(lock.next_look(), Some(at(10)));
        assert_eq!(lock.ask(B, at(1)), None);
        assert_eq!(lock.expire(at(10)).map(|end| end.next), Some(None));
        assert_eq!(lock.next_look(), Some(at(25)));
        assert_eq!(lock.take_over(at(24)), None);
        let b = lock.take_over(at(25)).expect("B waited long enough");
        lock.ask(C, at(26));
        let c = lock.release(b.token, at(27)).and_then(|end| end.next).expect("no delay");
        assert_eq!((c.holder, c.token), (C, Token(3)));
    }

    #[test]
    fn a_server_that_has_not_heard_of_the_last_grant_gives_its_number_out_again() {
        let (mut lock, token) = held_by_a();
        lock.ask(B, at(1));
        let b = lock.fail_over(at(2)).and_then(|end| end.next).expect("B waited");
        assert_eq!((b.holder, b.token), (B, token));
        lock.forget_numbers();
        assert!(lock.is_current(token), "the lease is still known");
    }
}
