//! The story of a trace: what there is to draw, in rows.
//!
//! A row is a moment, or one of several steps of a moment: without latency a write, its answer, the
//! release, the next grant and its first read all happen at one instant, and are drawn below one
//! another in their order.

use super::incident::Judged;
use crate::analysis::audit::Judgement;
use crate::protocol::client::Ending;
use crate::protocol::lease::{ClientId, Lease, Token};
use crate::protocol::message::{Body, Message, Party};
use crate::simulation::trace::Happening;
use crate::time::Time;

/// All there is to draw.
#[derive(Clone, Debug)]
pub(super) struct Story {
    /// The time of each row: first the upper edge, last the lower one, the same time more than
    /// once where a moment has several steps.
    pub(super) rows: Vec<Time>,
    pub(super) clients: Vec<ClientId>,
    pub(super) leases: Vec<LeaseBar>,
    pub(super) beliefs: Vec<Belief>,
    pub(super) pauses: Vec<Pause>,
    pub(super) outages: Vec<Outage>,
    pub(super) arrows: Vec<Arrow>,
    pub(super) marks: Vec<Mark>,
    pub(super) stalls: Vec<Stall>,
    pub(super) signs: Vec<Sign>,
    /// Whether the store looks at the keys of writes, so that they are named.
    pub(super) shows_keys: bool,
}

/// From one row to another, and when that really was: it may have begun above the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) began: Time,
    /// Absent where it goes on below the picture.
    pub(super) ended: Option<Time>,
}

impl Stretch {
    pub(super) fn covers(&self, row: usize) -> bool {
        self.from <= row && row <= self.to
    }
}

/// A lease, in the lane of the lock service.
#[derive(Clone, Debug)]
pub(super) struct LeaseBar {
    pub(super) lease: Lease,
    pub(super) stretch: Stretch,
    pub(super) expired: bool,
    /// The rows in which it was extended.
    pub(super) renewed: Vec<usize>,
}

/// A client believes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Belief {
    pub(super) client: ClientId,
    pub(super) token: Token,
    pub(super) stretch: Stretch,
    /// From this row on its lease is over and it does not know.
    pub(super) over: Option<usize>,
    /// Absent where it goes on, or the client has crashed.
    pub(super) ending: Option<Ending>,
}

/// A client stands still.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pause {
    pub(super) client: ClientId,
    pub(super) stretch: Stretch,
    pub(super) until: Time,
}

/// A client's process is gone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outage {
    pub(super) client: ClientId,
    pub(super) stretch: Stretch,
}

/// The lock service stands still.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stall {
    pub(super) stretch: Stretch,
    pub(super) until: Time,
}

/// Something that happens to a service, a clock or the store.
#[derive(Clone, Debug)]
pub(super) struct Sign {
    pub(super) row: usize,
    pub(super) lane: Party,
    /// A few words, line by line.
    pub(super) words: Vec<String>,
    /// The whole sentence, with the time.
    pub(super) told: String,
}

/// A message on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrow {
    pub(super) message: Message,
    pub(super) sent: Time,
    pub(super) arrives: Time,
    pub(super) from_row: usize,
    pub(super) to_row: usize,
    /// How much of its way it has come at the upper edge and at the lower one, from 0 to 1.
    pub(super) shown: (f64, f64),
    /// It never arrives.
    pub(super) is_lost: bool,
    /// It was made by the network.
    pub(super) is_copy: bool,
}

/// Something that the store does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) row: usize,
    pub(super) at: Time,
    pub(super) client: ClientId,
    pub(super) token: Token,
    pub(super) kind: MarkKind,
    pub(super) is_lost_update: bool,
    /// The highest token the store had served, or the mark on which it refused.
    pub(super) seen: Token,
}

/// What the store does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    ReadServed,
    ReadRefused,
    WriteAccepted,
    WriteRefused,
    ZombieWrite,
}

/// How much is drawn: the longer the part of the run, the less of what matters least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// Grants, writes, and what ends a turn.
    Bare,
    /// Also who asks and who releases.
    Turns,
    /// Also reads and renewals.
    Requests,
    /// Also their answers.
    All,
}

impl Detail {
    /// From the most detail to the least.
    pub(super) const DOWN: [Detail; 4] =
        [Detail::All, Detail::Requests, Detail::Turns, Detail::Bare];

    pub(super) fn draws(self, body: &Body, takes_time: bool) -> bool {
        match body {
            // Without latency an answer would be drawn over its request.
            Body::ReadAnswer(..) | Body::WriteAnswer(..) | Body::Renewed(..) => {
                self >= Detail::All && takes_time
            }
            Body::Read(_) | Body::Renew(..) => self >= Detail::Requests,
            Body::Ask | Body::Release(_) => self >= Detail::Turns,
            Body::Granted(_)
            | Body::Write(_)
            | Body::AskIfCurrent(_)
            | Body::IfCurrent(..)
            | Body::Lost(_) => true,
        }
    }
}

impl Story {
    /// Whether clients work without a lock: nothing is said of leases, tokens or the lock service.
    pub(super) fn is_without_lock(&self) -> bool {
        let mut tokens = self.beliefs.iter().map(|belief| belief.token);
        self.leases.is_empty()
            && !self.beliefs.is_empty()
            && tokens.all(|token| token == Token::NONE)
    }

    /// Leaves out clients until so many are left: those that do least here go first.
    pub(super) fn keep_lanes(&mut self, most: usize) {
        let mut by_weight = self.clients.clone();
        by_weight.sort_by_key(|client| std::cmp::Reverse(self.weight(*client)));
        by_weight.truncate(most);
        let kept = |client: &ClientId| by_weight.contains(client);
        self.clients.retain(kept);
        self.beliefs.retain(|belief| kept(&belief.client));
        self.pauses.retain(|pause| kept(&pause.client));
        self.outages.retain(|outage| kept(&outage.client));
        self.arrows.retain(|arrow| kept(&arrow.message.client));
        self.signs.retain(|sign| match sign.lane {
            Party::Client(client) => kept(&client),
            Party::LockService | Party::Store => true,
        });
    }

    /// How much a client does: what is done under a token counts most.
    fn weight(&self, client: ClientId) -> usize {
        let beliefs = self.beliefs.iter().filter(|belief| belief.client == client).count();
        let leases = self.leases.iter().filter(|bar| bar.lease.holder == client).count();
        let pauses = self.pauses.iter().filter(|pause| pause.client == client).count();
        let arrows = self.arrows.iter().filter(|arrow| arrow.message.client == client).count();
        100 * (beliefs + leases) + 10 * pauses + arrows
    }
}

impl Stretch {
    pub(super) fn end(&mut self, row: usize, at: Time) {
        self.to = row;
        self.ended = Some(at);
    }
}

impl Mark {
    /// What the store does in this entry, if it does something. The row is yet to be found.
    pub(super) fn of(entry: &Judged) -> Option<Mark> {
        let Judgement { is_zombie, is_lost_update } = entry.judgement;
        let (client, token, kind, seen) = match entry.happening {
            Happening::ReadServed { client, token, .. } => {
                (client, token, MarkKind::ReadServed, entry.highest_served)
            }
            Happening::ReadRefused { client, token, refused } => {
                (client, token, MarkKind::ReadRefused, refused.mark)
            }
            Happening::WriteAccepted { client, write, .. } if is_zombie => {
                (client, write.token, MarkKind::ZombieWrite, entry.highest_served)
            }
            Happening::WriteAccepted { client, write, .. } => {
                (client, write.token, MarkKind::WriteAccepted, entry.highest_served)
            }
            Happening::WriteRefused { client, write, refused } => {
                (client, write.token, MarkKind::WriteRefused, refused.mark)
            }
            _ => return None,
        };
        Some(Mark { row: 0, at: entry.at, client, token, kind, is_lost_update, seen })
    }
}
