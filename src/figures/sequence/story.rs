//! The story of a trace: what there is to draw, in rows.
//!
//! A row is a moment, or one of several steps of a moment: without latency a write, its answer, the
//! release, the next grant and its first read all happen at one instant, and are drawn below one
//! another in their order.

use super::incident::{Judged, judged};
use crate::analysis::audit::Judgement;
use crate::protocol::client::Ending;
use crate::protocol::lease::{ClientId, Lease, Token};
use crate::protocol::message::{Body, Message, Party};
use crate::simulation::trace::{Happening, Trace};
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

    fn draws(self, body: &Body, takes_time: bool) -> bool {
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

/// Reads the part of a trace between two moments.
pub(super) fn read(trace: &Trace, (from, to): (Time, Time), detail: Detail) -> Story {
    let mut reader = Reader::new(trace, from, to.min(trace.end).max(from), detail);
    for entry in judged(trace) {
        if reader.to < entry.at {
            break;
        }
        reader.take(&entry);
    }
    reader.finish()
}

/// What is open while a trace is read, by place in the lists of the story.
struct Reader {
    story: Story,
    from: Time,
    to: Time,
    detail: Detail,
    /// Times at which a message arrives and nothing else may happen, latest first.
    arrivals: Vec<Time>,
    current_lease: Option<usize>,
    open: Vec<Open>,
    /// A message without latency takes the whole row.
    row_has_arrow: bool,
    row_has_mark: bool,
}

/// What is open for one client.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    belief: Option<usize>,
    pause: Option<usize>,
    outage: Option<usize>,
}

impl Reader {
    fn new(trace: &Trace, from: Time, to: Time, detail: Detail) -> Reader {
        let mut arrivals: Vec<Time> = trace
            .entries
            .iter()
            .filter_map(|entry| match entry.happening {
                Happening::Sent { message, arrives } if arrives > entry.at => {
                    detail.draws(&message.body, true).then_some(arrives)
                }
                _ => None,
            })
            .filter(|arrives| from < *arrives && *arrives <= to)
            .collect();
        arrivals.sort_unstable_by(|one, other| other.cmp(one));
        let clients = (0..trace.scenario.clients).map(ClientId).collect();
        let story = Story {
            rows: vec![from],
            clients,
            leases: Vec::new(),
            beliefs: Vec::new(),
            pauses: Vec::new(),
            outages: Vec::new(),
            arrows: Vec::new(),
            marks: Vec::new(),
        };
        let open = vec![Open::default(); trace.scenario.clients as usize];
        let current_lease = None;
        let (row_has_arrow, row_has_mark) = (false, false);
        Reader { story, from, to, detail, arrivals, current_lease, open, row_has_arrow, row_has_mark }
    }

    /// The row for something that happens now. A step that must not share its row gets a new one.
    fn row(&mut self, at: Time, needs_new: bool) -> usize {
        if at < self.from {
            return 0;
        }
        while self.arrivals.last().is_some_and(|arrives| *arrives < at) {
            let arrives = self.arrivals.pop().unwrap_or(at);
            self.push_row(arrives);
        }
        if self.story.rows.last().is_some_and(|last| *last < at) || needs_new {
            self.story.rows.push(at);
            (self.row_has_arrow, self.row_has_mark) = (false, false);
        }
        self.story.rows.len() - 1
    }

    fn push_row(&mut self, at: Time) {
        if self.story.rows.last().is_some_and(|last| *last < at) {
            self.story.rows.push(at);
            (self.row_has_arrow, self.row_has_mark) = (false, false);
        }
    }

    fn is_at_last_row(&self, at: Time) -> bool {
        self.story.rows.last() == Some(&at)
    }

    /// A row that no message without latency has taken yet.
    fn row_for_a_step(&mut self, at: Time) -> usize {
        let needs_new = self.is_at_last_row(at) && self.row_has_arrow;
        self.row(at, needs_new)
    }

    fn take(&mut self, entry: &Judged) {
        let at = entry.at;
        match entry.happening {
            Happening::Sent { message, arrives } => self.sent(at, message, arrives),
            Happening::Granted { lease } => self.granted(at, lease),
            Happening::Renewed { lease } => self.renewed(at, lease),
            Happening::Released { .. } => self.lease_ends(at, false),
            Happening::Expired { .. } => self.lease_ends(at, true),
            Happening::Believes { client, token } => self.believes(at, client, token),
            Happening::StopsBelieving { client, ending, .. } => {
                let row = self.row_for_a_step(at);
                self.stops_believing(row, at, client, Some(ending));
            }
            Happening::Paused { client, until } => self.paused(at, client, until),
            Happening::Resumed { client } => {
                let row = self.row(at, false);
                self.resumes(row, at, client);
            }
            Happening::Crashed { client, .. } => self.crashed(at, client),
            Happening::Restarted { client } => {
                let row = self.row(at, false);
                if let Some(outage) = self.open[client.index()].outage.take() {
                    self.story.outages[outage].stretch.end(row, at);
                }
            }
            Happening::ReadServed { .. }
            | Happening::ReadRefused { .. }
            | Happening::WriteAccepted { .. }
            | Happening::WriteRefused { .. } => self.mark(entry),
            Happening::Works { .. } | Happening::Commits { .. } => {}
        }
    }

    fn sent(&mut self, at: Time, message: Message, arrives: Time) {
        let takes_time = at < arrives;
        if !self.detail.draws(&message.body, takes_time) || arrives < self.from {
            return;
        }
        if !takes_time && at < self.from {
            return;
        }
        let needs_new = !takes_time && self.is_at_last_row(at) && self.row_has_arrow;
        let row = self.row(at, needs_new);
        self.row_has_arrow |= !takes_time;
        let share = |time: Time| (time - at).as_secs_f64() / (arrives - at).as_secs_f64();
        let shown = if takes_time {
            (share(self.from).clamp(0.0, 1.0), share(self.to).clamp(0.0, 1.0))
        } else {
            (0.0, 1.0)
        };
        // Where it arrives later, the row is not known yet.
        let to_row = if takes_time { usize::MAX } else { row };
        let arrow = Arrow { message, sent: at, arrives, from_row: row, to_row, shown };
        self.story.arrows.push(arrow);
    }

    fn granted(&mut self, at: Time, lease: Lease) {
        let from = self.row_for_a_step(at);
        let stretch = Stretch { from, to: from, began: at, ended: None };
        self.current_lease = Some(self.story.leases.len());
        self.story.leases.push(LeaseBar { lease, stretch, expired: false, renewed: Vec::new() });
    }

    fn renewed(&mut self, at: Time, lease: Lease) {
        let row = if self.detail >= Detail::Requests { self.row(at, false) } else { 0 };
        if let Some(index) = self.current_lease {
            let bar = &mut self.story.leases[index];
            bar.lease = lease;
            if self.detail >= Detail::Requests && self.from <= at {
                bar.renewed.push(row);
            }
        }
    }

    fn lease_ends(&mut self, at: Time, expired: bool) {
        let row = self.row(at, false);
        let Some(index) = self.current_lease.take() else { return };
        let bar = &mut self.story.leases[index];
        bar.stretch.end(row, at);
        bar.expired = expired;
        for belief in self.story.beliefs.iter_mut().rev() {
            if belief.token == bar.lease.token && belief.stretch.ended.is_none() {
                belief.over = Some(row);
            }
        }
    }

    fn believes(&mut self, at: Time, client: ClientId, token: Token) {
        let from = self.row(at, false);
        // It may have been paused from before the grant until after the end of the lease.
        let mut leases = self.story.leases.iter().rev();
        let is_over = leases.any(|bar| bar.lease.token == token && bar.stretch.ended.is_some());
        let stretch = Stretch { from, to: from, began: at, ended: None };
        self.open[client.index()].belief = Some(self.story.beliefs.len());
        let over = is_over.then_some(from);
        self.story.beliefs.push(Belief { client, token, stretch, over, ending: None });
    }

    fn stops_believing(&mut self, row: usize, at: Time, client: ClientId, ending: Option<Ending>) {
        if let Some(index) = self.open[client.index()].belief.take() {
            let belief = &mut self.story.beliefs[index];
            belief.stretch.end(row, at);
            belief.ending = ending;
        }
    }

    /// A pause that begins during another makes it longer.
    fn paused(&mut self, at: Time, client: ClientId, until: Time) {
        if let Some(index) = self.open[client.index()].pause {
            self.story.pauses[index].until = until;
            return;
        }
        let from = self.row(at, false);
        let stretch = Stretch { from, to: from, began: at, ended: None };
        self.open[client.index()].pause = Some(self.story.pauses.len());
        self.story.pauses.push(Pause { client, stretch, until });
    }

    fn resumes(&mut self, row: usize, at: Time, client: ClientId) {
        if let Some(index) = self.open[client.index()].pause.take() {
            self.story.pauses[index].stretch.end(row, at);
        }
    }

    fn crashed(&mut self, at: Time, client: ClientId) {
        let from = self.row(at, false);
        self.resumes(from, at, client);
        self.stops_believing(from, at, client, None);
        let stretch = Stretch { from, to: from, began: at, ended: None };
        self.open[client.index()].outage = Some(self.story.outages.len());
        self.story.outages.push(Outage { client, stretch });
    }

    fn mark(&mut self, entry: &Judged) {
        let at = entry.at;
        let Some(mut mark) = mark_of(entry) else { return };
        let is_drawn = mark.kind != MarkKind::ReadServed || self.detail >= Detail::Requests;
        if at < self.from || !is_drawn {
            return;
        }
        let needs_new = self.is_at_last_row(at) && self.row_has_mark;
        mark.row = self.row(at, needs_new);
        self.row_has_mark = true;
        // The request that has now arrived, which is the first of its client that is still out.
        let mut arrows = self.story.arrows.iter_mut();
        let request = arrows.find(|arrow| {
            arrow.message.client == mark.client
                && arrow.message.to() == Party::Store
                && arrow.arrives == at
                && arrow.to_row == usize::MAX
        });
        if let Some(request) = request {
            request.to_row = mark.row;
        }
        self.story.marks.push(mark);
    }

    /// Closes what goes on below the picture, and leaves out what was over before it.
    fn finish(mut self) -> Story {
        self.row(self.to, false);
        let (from, mut story) = (self.from, self.story);
        let last = story.rows.len() - 1;
        let rows = &story.rows;
        for arrow in &mut story.arrows {
            if arrow.to_row == usize::MAX {
                arrow.to_row = rows.partition_point(|at| *at < arrow.arrives).min(last);
            }
        }
        let leases = story.leases.iter_mut().map(|bar| &mut bar.stretch);
        let beliefs = story.beliefs.iter_mut().map(|belief| &mut belief.stretch);
        let pauses = story.pauses.iter_mut().map(|pause| &mut pause.stretch);
        let outages = story.outages.iter_mut().map(|outage| &mut outage.stretch);
        for stretch in leases.chain(beliefs).chain(pauses).chain(outages) {
            if stretch.ended.is_none() {
                stretch.to = last;
            }
        }
        let is_seen = |stretch: &Stretch| stretch.ended.is_none_or(|ended| from <= ended);
        story.leases.retain(|bar| is_seen(&bar.stretch));
        story.beliefs.retain(|belief| is_seen(&belief.stretch));
        story.pauses.retain(|pause| is_seen(&pause.stretch));
        story.outages.retain(|outage| is_seen(&outage.stretch));
        story
    }
}

impl Stretch {
    fn end(&mut self, row: usize, at: Time) {
        self.to = row;
        self.ended = Some(at);
    }
}

fn mark_of(entry: &Judged) -> Option<Mark> {
    let Judgement { is_zombie, is_lost_update } = entry.judgement;
    let (client, token, kind, seen) = match entry.happening {
        Happening::ReadServed { client, token, .. } => {
            (client, token, MarkKind::ReadServed, entry.highest_served)
        }
        Happening::ReadRefused { client, token, refused } => {
            (client, token, MarkKind::ReadRefused, refused.mark)
        }
        Happening::WriteAccepted { client, write } if is_zombie => {
            (client, write.token, MarkKind::ZombieWrite, entry.highest_served)
        }
        Happening::WriteAccepted { client, write } => {
            (client, write.token, MarkKind::WriteAccepted, entry.highest_served)
        }
        Happening::WriteRefused { client, write, refused } => {
            (client, write.token, MarkKind::WriteRefused, refused.mark)
        }
        _ => return None,
    };
    Some(Mark { row: 0, at: entry.at, client, token, kind, is_lost_update, seen })
}
