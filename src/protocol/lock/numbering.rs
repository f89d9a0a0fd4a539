//! How a lock service chooses the number on a grant.

use crate::protocol::lease::{ClientId, Token};
use serde::{Deserialize, Serialize};

/// What the number on a grant is. Only the first kind orders grants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TokenKind {
    /// Every grant's is one higher than that of the grant before: a ZooKeeper zxid, an etcd
    /// revision, the generation in a Chubby sequencer.
    #[default]
    Increasing,
    /// A random value, as for `SET key value NX`: it tells grants apart, and says nothing of their
    /// order. Here it has six digits, to be read in a picture, where real ones have more: of
    /// thousands of grants, two far apart can have the same.
    Random,
    /// The id of the client's session, given when the client first asks and kept for all of its
    /// grants until one of its leases expires: an etcd lease id. It is fixed before the client
    /// queues, so a later grant can have a lower one.
    SessionId,
    /// Increasing, and back at 1 after `highest`: a counter of too few bits.
    Wrapping {
        /// The highest number, 1 or more.
        highest: u64,
    },
}

/// The numbers that are still to be given out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Numbering {
    kind: TokenKind,
    first: Token,
    next: Token,
    /// From what random numbers are made.
    key: u64,
    /// The open session of each client.
    sessions: Vec<Option<Token>>,
}

impl Numbering {
    /// TokenKind of a kind. Counted ones begin with `first`; random ones are made from `key`.
    #[must_use]
    pub fn new(kind: TokenKind, first: Token, key: u64) -> Numbering {
        Numbering { kind, first, next: first, key, sessions: Vec::new() }
    }

    /// The number of the next grant, which goes to this client.
    #[inline]
    pub fn next(&mut self, holder: ClientId) -> Token {
        if self.kind == TokenKind::Increasing { self.count() } else { self.next_unordered(holder) }
    }

    #[inline(never)]
    fn next_unordered(&mut self, holder: ClientId) -> Token {
        match self.kind {
            TokenKind::Increasing => self.count(),
            TokenKind::Random => {
                let count = self.count();
                Token(100_000 + mix(count.0 ^ self.key) % 900_000)
            }
            TokenKind::SessionId => self.session(holder),
            TokenKind::Wrapping { highest } => {
                let count = self.count();
                Token((count.0 - 1) % highest + 1)
            }
        }
    }

    /// A client asks. If it has no session yet, it is given one now, before it queues.
    pub fn asked(&mut self, client: ClientId) {
        if self.kind == TokenKind::SessionId {
            self.session(client);
        }
    }

    /// A lease of this client has expired, and its session with it.
    pub fn session_is_over(&mut self, client: ClientId) {
        if let Some(session) = self.sessions.get_mut(client.index()) {
            *session = None;
        }
    }

    /// The last grant was never made, as far as anybody remembers: a counter gives its number out
    /// again. A random number is drawn anew, and a session began before the grant.
    pub fn take_back(&mut self) {
        if matches!(self.kind, TokenKind::Increasing | TokenKind::Wrapping { .. }) {
            self.next = Token((self.next.0 - 1).max(self.first.0));
        }
    }

    /// The counter starts again.
    pub fn start_again(&mut self) {
        self.next = self.first;
        self.sessions.clear();
    }

    fn session(&mut self, client: ClientId) -> Token {
        if self.sessions.len() <= client.index() {
            self.sessions.resize(client.index() + 1, None);
        }
        if let Some(session) = self.sessions[client.index()] {
            return session;
        }
        let session = self.count();
        self.sessions[client.index()] = Some(session);
        session
    }

    fn count(&mut self) -> Token {
        let token = self.next;
        self.next = token.next();
        token
    }
}

/// The finaliser of MurmurHash3 (Appleby): no two numbers come out the same.
fn mix(number: u64) -> u64 {
    let mut mixed = number;
    mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    mixed ^ (mixed >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: ClientId = ClientId(0);
    const B: ClientId = ClientId(1);

    fn draw(kind: TokenKind, grants: usize) -> Vec<u64> {
        let mut numbering = Numbering::new(kind, Token(1), 7);
        (0..grants).map(|_| numbering.next(A).0).collect()
    }

    #[test]
    fn each_kind_counts_in_its_way() {
        assert_eq!(draw(TokenKind::Increasing, 4), [1, 2, 3, 4]);
        assert_eq!(draw(TokenKind::Wrapping { highest: 3 }, 5), [1, 2, 3, 1, 2]);
        assert_eq!(draw(TokenKind::SessionId, 3), [1, 1, 1]);
        let random = draw(TokenKind::Random, 1_000);
        assert_eq!(random, draw(TokenKind::Random, 1_000), "the same key, the same numbers");
        let rises = random.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert!((400..600).contains(&rises), "about every other one is higher than the last");
    }

    #[test]
    fn a_session_is_given_before_its_client_queues_and_ends_with_an_expiry() {
        let mut numbering = Numbering::new(TokenKind::SessionId, Token(33), 0);
        numbering.asked(A);
        numbering.asked(B);
        assert_eq!(numbering.next(B), Token(34));
        assert_eq!(numbering.next(A), Token(33), "granted later, and lower");
        numbering.session_is_over(A);
        assert_eq!(numbering.next(A), Token(35));
    }

    #[test]
    fn a_number_that_was_taken_back_or_a_counter_that_starts_again_repeats() {
        let mut numbering = Numbering::new(TokenKind::Increasing, Token(33), 0);
        assert_eq!((numbering.next(A), numbering.next(B)), (Token(33), Token(34)));
        numbering.take_back();
        assert_eq!(numbering.next(B), Token(34));
        numbering.start_again();
        assert_eq!(numbering.next(A), Token(33));
        numbering.take_back();
        numbering.take_back();
        assert_eq!(numbering.next(A), Token(33), "not below the first");
    }

    #[test]
    fn only_a_counted_number_is_taken_back() {
        let mut random = Numbering::new(TokenKind::Random, Token(1), 7);
        let first = random.next(A);
        random.take_back();
        assert_ne!(random.next(B), first, "a random value tells grants apart");

        let mut sessions = Numbering::new(TokenKind::SessionId, Token(33), 0);
        sessions.asked(A);
        sessions.asked(B);
        assert_eq!(sessions.next(A), Token(33));
        sessions.take_back();
        sessions.asked(ClientId(2));
        assert_eq!(sessions.next(ClientId(2)), Token(35), "34 is the living session of B");
    }
}
