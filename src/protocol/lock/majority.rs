//! A lock of several independent instances, held by whoever holds most of them (Redlock).

use super::numbering::Numbering;
use super::{Ended, Renewal};
use crate::protocol::lease::{ClientId, Lease, Token};
use crate::time::Time;
use crate::time::clock::Clock;
use std::collections::VecDeque;
use std::time::Duration;

/// Several instances that know nothing of one another, each with a clock of its own. A client has
/// the lock when a majority has granted it: two majorities have an instance in common, and that one
/// will not grant the lock twice. Unless it takes the first lease for over too early.
///
/// ```
/// use fencing::protocol::{lease::*, lock::{majority::*, numbering::*}};
/// use fencing::time::{Time, clock::Clock, secs};
///
/// let (a, b, now) = (ClientId(0), ClientId(1), Time::START);
/// let numbers = Numbering::new(TokenKind::Random, Token(1), 7);
/// let mut lock = Majority::new(secs(10), numbers, vec![Clock::TRUE; 5]);
///
/// // Two instances are out of reach: A is granted the lock by the other three.
/// lock.is_out_of_reach(3, now + secs(1));
/// lock.is_out_of_reach(4, now + secs(1));
/// assert!(lock.ask(a, now).is_some());
/// assert_eq!(lock.ask(b, now + secs(2)), None);
///
/// // The clock of one of these is set forward: now three of five have no lease.
/// lock.clock_is_set_forward(2, secs(60), now + secs(3));
/// let ended = lock.expire(now + secs(3)).expect("A is left with two of five");
/// assert_eq!(ended.next.map(|lease| lease.holder), Some(b));
/// ```
#[derive(Clone, Debug)]
pub struct Majority {
    /// L, how long a lease lasts on the clock of an instance.
    lease: Duration,
    numbering: Numbering,
    instances: Vec<Instance>,
    /// The lease that a majority of instances holds.
    current: Option<Lease>,
    waiting: VecDeque<ClientId>,
}

/// One of the instances: a key, whose it is, and when it is free again.
#[derive(Clone, Debug)]
struct Instance {
    clock: Clock,
    held: Option<Held>,
    /// Nobody reaches it until then.
    away_until: Time,
}

/// What an instance has granted.
#[derive(Clone, Copy, Debug)]
struct Held {
    token: Token,
    /// By the clock of the instance.
    expires: Time,
}

impl Instance {
    fn is_in_reach(&self, now: Time) -> bool {
        self.away_until <= now
    }

    fn holds(&self, token: Token) -> bool {
        self.held.is_some_and(|held| held.token == token)
    }

    fn hold(&mut self, token: Token, lease: Duration, now: Time) {
        self.held = Some(Held { token, expires: self.clock.shows(now) + lease });
    }

    /// When it is free again, in true time.
    fn ends(&self) -> Option<Time> {
        self.held.map(|held| self.clock.when_it_shows(held.expires))
    }
}

impl Majority {
    /// A free lock of as many instances as there are clocks.
    #[must_use]
    pub fn new(lease: Duration, numbering: Numbering, clocks: Vec<Clock>) -> Majority {
        let instance = |clock| Instance { clock, held: None, away_until: Time::START };
        let instances = clocks.into_iter().map(instance).collect();
        Majority { lease, numbering, instances, current: None, waiting: VecDeque::new() }
    }

    /// How many instances make a majority.
    #[must_use]
    pub fn majority(&self) -> usize {
        self.instances.len() / 2 + 1
    }

    /// The lease that a majority holds.
    #[must_use]
    pub fn current(&self) -> Option<Lease> {
        self.current
    }

    /// A client asks all instances. It waits until a majority grants it the lock.
    pub fn ask(&mut self, client: ClientId, now: Time) -> Option<Lease> {
        if !self.waiting.contains(&client) {
            self.numbering.asked(client);
            self.waiting.push_back(client);
        }
        self.let_go(now);
        self.grant_next(now)
    }

    /// Extends the lease of `token` in every instance that still holds it and is in reach. It is
    /// lost if those are fewer than a majority.
    pub fn renew(&mut self, token: Token, now: Time) -> Renewal {
        self.let_go(now);
        let lease = self.lease;
        let holding = self.instances.iter_mut().filter(|instance| instance.holds(token));
        let mut extended = 0;
        for instance in holding.filter(|instance| instance.is_in_reach(now)) {
            instance.hold(token, lease, now);
            extended += 1;
        }
        let ends = self.majority_ends(token);
        match &mut self.current {
            Some(current) if current.token == token && self.instances.len() / 2 < extended => {
                current.expires = ends;
                Renewal::Extended(*current)
            }
            _ => Renewal::Lost,
        }
    }

    /// Ends the lease of `token` in every instance that holds it and is in reach. Where it was no
    /// majority's any more, that can make a majority free: see [`Majority::take_over`].
    pub fn release(&mut self, token: Token, now: Time) -> Option<Ended> {
        let holding = self.instances.iter_mut().filter(|instance| instance.holds(token));
        for instance in holding.filter(|instance| instance.is_in_reach(now)) {
            instance.held = None;
        }
        self.let_go(now);
        let over = self.current.take_if(|lease| lease.token == token)?;
        Some(Ended { over, next: self.grant_next(now) })
    }

    /// Ends the current lease if no majority holds it any more.
    pub fn expire(&mut self, now: Time) -> Option<Ended> {
        self.let_go(now);
        let (holding, majority) = (self.holding(self.current?.token), self.majority());
        let over = self.current.take_if(|_| holding < majority)?;
        self.numbering.session_is_over(over.holder);
        Some(Ended { over, next: self.grant_next(now) })
    }

    /// The next grant, if somebody waits and a majority is free.
    pub fn take_over(&mut self, now: Time) -> Option<Lease> {
        self.let_go(now);
        self.grant_next(now)
    }

    /// When something may change of itself after `now`: a lease ends at an instance, or one comes
    /// within reach again.
    #[must_use]
    pub fn next_look(&self, now: Time) -> Option<Time> {
        let ends = self.instances.iter().filter_map(Instance::ends);
        let back = self.instances.iter().map(|instance| instance.away_until);
        ends.chain(back).filter(|at| now < *at).min()
    }

    /// Nobody reaches this instance until then.
    pub fn is_out_of_reach(&mut self, instance: usize, until: Time) {
        let away_until = &mut self.instances[instance].away_until;
        *away_until = until.max(*away_until);
    }

    /// Somebody sets the clock of this instance forward.
    pub fn clock_is_set_forward(&mut self, instance: usize, by: Duration, now: Time) {
        self.instances[instance].clock.set_forward(now, by);
    }

    /// Every instance ends what is over by its own clock.
    fn let_go(&mut self, now: Time) {
        for instance in &mut self.instances {
            let shows = instance.clock.shows(now);
            instance.held.take_if(|held| held.expires <= shows);
        }
    }

    /// Grants the lock to the client that has waited longest, if a majority is free and in reach.
    fn grant_next(&mut self, now: Time) -> Option<Lease> {
        let is_free = |it: &Instance| it.held.is_none() && it.is_in_reach(now);
        if self.instances.iter().filter(|it| is_free(it)).count() < self.majority() {
            return None;
        }
        let holder = self.waiting.pop_front()?;
        let token = self.numbering.next(holder);
        for instance in self.instances.iter_mut().filter(|it| is_free(it)) {
            instance.hold(token, self.lease, now);
        }
        self.current = Some(Lease { holder, token, expires: self.majority_ends(token) });
        self.current
    }

    fn holding(&self, token: Token) -> usize {
        self.instances.iter().filter(|instance| instance.holds(token)).count()
    }

    /// When the instances that hold this token become too few for a majority.
    fn majority_ends(&self, token: Token) -> Time {
        let holding = self.instances.iter().filter(|instance| instance.holds(token));
        let mut ends: Vec<Time> = holding.filter_map(Instance::ends).collect();
        ends.sort_unstable_by(|one, other| other.cmp(one));
        ends.get(self.majority() - 1).copied().unwrap_or(Time::START)
    }
}

#[cfg(test)]
mod tests {
    use super::super::numbering::TokenKind;
    use super::*;
    use crate::time::clock::Pace;
    use crate::time::secs;

    const A: ClientId = ClientId(0);
    const B: ClientId = ClientId(1);

    fn at(seconds: u64) -> Time {
        Time::START + secs(seconds)
    }

    fn lock(clocks: Vec<Clock>) -> Majority {
        Majority::new(secs(10), Numbering::new(TokenKind::Increasing, Token(1), 0), clocks)
    }

    fn paced(pace: f64) -> Clock {
        Clock::new(secs(0), Pace::new(pace).expect("an allowed pace"))
    }

    #[test]
    fn with_true_clocks_it_is_one_lock() {
        let mut lock = lock(vec![Clock::TRUE; 5]);
        let a = lock.ask(A, at(0)).expect("free");
        assert_eq!((a.token, a.expires), (Token(1), at(10)));
        assert_eq!(lock.ask(B, at(1)), None);
        assert!(
            matches!(lock.renew(a.token, at(4)), Renewal::Extended(it) if it.expires == at(14))
        );
        assert_eq!(lock.expire(at(13)), None);
        assert_eq!(lock.next_look(at(13)), Some(at(14)));
        let ended = lock.expire(at(14)).expect("over");
        assert_eq!(ended.next.map(|lease| (lease.holder, lease.token)), Some((B, Token(2))));
        assert_eq!(lock.renew(a.token, at(15)), Renewal::Lost);
        assert_eq!(lock.release(a.token, at(15)), None, "not A's any more");
        assert_eq!(lock.release(Token(2), at(16)).map(|ended| ended.next), Some(None));
    }

    #[test]
    fn a_lease_lasts_as_long_as_a_majority_of_clocks_says() {
        let mut two_fast =
            lock(vec![paced(2.0), paced(2.0), Clock::TRUE, Clock::TRUE, Clock::TRUE]);
        assert_eq!(two_fast.ask(A, at(0)).map(|lease| lease.expires), Some(at(10)));
        let mut three_fast =
            lock(vec![paced(2.0), paced(2.0), paced(2.0), Clock::TRUE, Clock::TRUE]);
        assert_eq!(three_fast.ask(A, at(0)).map(|lease| lease.expires), Some(at(5)));
        three_fast.ask(B, at(1));
        let next = three_fast.expire(at(5)).and_then(|ended| ended.next);
        assert_eq!(next.map(|lease| lease.holder), Some(B), "five seconds early by true time");
    }

    #[test]
    fn without_a_majority_in_reach_nobody_is_granted_the_lock() {
        let mut lock = lock(vec![Clock::TRUE; 3]);
        lock.is_out_of_reach(0, at(5));
        lock.is_out_of_reach(1, at(7));
        assert_eq!(lock.ask(A, at(0)), None);
        assert_eq!(lock.next_look(at(0)), Some(at(5)));
        assert_eq!(lock.take_over(at(5)).map(|lease| lease.holder), Some(A));
    }

    #[test]
    fn a_step_of_one_clock_is_not_enough_where_all_had_granted() {
        let mut lock = lock(vec![Clock::TRUE; 5]);
        lock.ask(A, at(0));
        lock.ask(B, at(1));
        lock.clock_is_set_forward(2, secs(60), at(2));
        assert_eq!(lock.expire(at(2)), None, "four of five still hold it");
    }

    #[test]
    fn a_late_release_can_make_a_majority_free() {
        let mut lock = lock(vec![Clock::TRUE; 3]);
        let a = lock.ask(A, at(0)).expect("free");
        lock.ask(B, at(1));
        lock.clock_is_set_forward(0, secs(60), at(2));
        lock.clock_is_set_forward(1, secs(60), at(2));
        let b = lock.expire(at(2)).and_then(|ended| ended.next).expect("two of three are free");
        lock.clock_is_set_forward(0, secs(60), at(3));
        assert_eq!(lock.expire(at(3)).map(|ended| ended.next), Some(None));
        assert_eq!(lock.ask(ClientId(2), at(3)), None, "the third is still A's");
        assert_eq!(lock.release(a.token, at(4)), None, "A's lease was over");
        let c = lock.take_over(at(4)).expect("the first and the third are free");
        assert_eq!((b.token, c.holder, c.token), (Token(2), ClientId(2), Token(3)));
    }
}
