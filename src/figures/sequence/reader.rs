//! Reading a trace: from what happens, one entry after the other, to what there is to draw.

use super::incident::{Judged, judged};
use super::signs::sign;
use super::story::{
    Arrow, Belief, Detail, LeaseBar, Mark, MarkKind, Outage, Pause, Sign, Stall, Story, Stretch,
};
use super::tell::mishap;
use crate::protocol::client::Ending;
use crate::protocol::lease::{ClientId, Lease, Token};
use crate::protocol::message::{Message, Party};
use crate::simulation::trace::{Happening, Trace};
use crate::time::{Time, about};

/// Reads the part of a trace between two moments, and stops where it has more than so many rows.
pub(super) fn read(
    trace: &Trace,
    (from, to): (Time, Time),
    detail: Detail,
    most_rows: usize,
) -> Story {
    let mut reader = Reader::new(trace, from, to.min(trace.end).max(from), detail);
    for entry in judged(trace).take_while(|entry| entry.at <= to) {
        reader.take(&entry);
        if reader.story.rows.len() > most_rows {
            reader.to = entry.at;
            break;
        }
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
    stall: Option<usize>,
    open: Vec<Open>,
    /// Arrows that are on their way to the store.
    requests: Vec<usize>,
    /// A message without latency takes the whole row.
    row_has_arrow: bool,
    row_has_mark: bool,
    row_has_sign: bool,
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
                Happening::Sent { message, arrives } | Happening::Copied { message, arrives }
                    if arrives > entry.at =>
                {
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
            stalls: Vec::new(),
            signs: Vec::new(),
            shows_keys: trace.scenario.store.remembers_keys.is_some(),
        };
        Reader {
            story,
            from,
            to,
            detail,
            arrivals,
            current_lease: None,
            stall: None,
            open: vec![Open::default(); trace.scenario.clients as usize],
            requests: Vec::new(),
            row_has_arrow: false,
            row_has_mark: false,
            row_has_sign: false,
        }
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
            self.begin_row(at);
        }
        self.story.rows.len() - 1
    }

    fn push_row(&mut self, at: Time) {
        if self.story.rows.last().is_some_and(|last| *last < at) {
            self.begin_row(at);
        }
    }

    fn begin_row(&mut self, at: Time) {
        self.story.rows.push(at);
        (self.row_has_arrow, self.row_has_mark, self.row_has_sign) = (false, false, false);
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
            Happening::Sent { message, arrives } => self.sent(at, message, arrives, false),
            Happening::Copied { message, arrives } => self.sent(at, message, arrives, true),
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
            Happening::Lost { message } => self.lost(at, message),
            Happening::LockStalls { until } => self.stalls(at, until),
            Happening::LockGoesOn => {
                let row = self.row(at, false);
                if let Some(stall) = self.stall.take() {
                    self.story.stalls[stall].stretch.end(row, at);
                }
            }
            Happening::LockFailsOver { .. } => {
                self.sign(entry);
                self.lease_ends(at, false);
            }
            Happening::CutOff { .. }
            | Happening::LockForgetsNumbers
            | Happening::ClockIsSet { .. }
            | Happening::InstanceIsAway { .. }
            | Happening::InstanceClockIsSet { .. }
            | Happening::StoreForgets
            | Happening::StoreRestarts
            | Happening::WriteChecked { .. }
            | Happening::WriteRepeated { .. } => self.sign(entry),
            Happening::Works { .. } | Happening::Commits { .. } => {}
        }
    }

    /// Two signs of one moment stand below one another.
    fn sign(&mut self, entry: &Judged) {
        let at = entry.at;
        let (Some((lane, words)), Some(told)) = (sign(&entry.happening), mishap(&entry.happening))
        else {
            return;
        };
        if at < self.from {
            return;
        }
        let needs_new = self.is_at_last_row(at) && self.row_has_sign;
        let row = self.row(at, needs_new);
        (self.row_has_arrow, self.row_has_sign) = (true, true);
        let told = format!("{}: {told}", about(at));
        self.story.signs.push(Sign { row, lane, words, told });
    }

    /// A message that never arrives is drawn half of its way.
    fn lost(&mut self, at: Time, message: Message) {
        if at < self.from {
            return;
        }
        let row = self.row_for_a_step(at);
        self.row_has_arrow = true;
        let (sent, arrives, shown) = (at, Time::NEVER, (0.0, 0.5));
        let (is_lost, is_copy) = (true, false);
        let arrow =
            Arrow { message, sent, arrives, from_row: row, to_row: row, shown, is_lost, is_copy };
        self.story.arrows.push(arrow);
    }

    /// A stall that begins during another makes it longer.
    fn stalls(&mut self, at: Time, until: Time) {
        if let Some(stall) = self.stall {
            self.story.stalls[stall].until = until;
            return;
        }
        let from = self.row(at, false);
        let stretch = Stretch { from, to: from, began: at, ended: None };
        self.stall = Some(self.story.stalls.len());
        self.story.stalls.push(Stall { stretch, until });
    }

    fn sent(&mut self, at: Time, message: Message, arrives: Time, is_copy: bool) {
        let takes_time = at < arrives;
        let is_seen = if at < self.from { self.from < arrives } else { true };
        if !is_seen || !self.detail.draws(&message.body, takes_time) {
            return;
        }
        // Many renewals that waited are answered alike and at once: one arrow says it.
        let is_same = |arrow: &Arrow| {
            (arrow.message, arrow.arrives, arrow.is_copy) == (message, arrives, is_copy)
        };
        let mut of_this_instant = self.story.arrows.iter().rev().take_while(|it| it.sent == at);
        if takes_time && of_this_instant.any(is_same) {
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
        if takes_time && message.to() == Party::Store {
            self.requests.push(self.story.arrows.len());
        }
        let (sent, is_lost) = (at, false);
        let arrow =
            Arrow { message, sent, arrives, from_row: row, to_row, shown, is_lost, is_copy };
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
        let needs_new = self.is_at_last_row(at) && self.row_has_sign;
        let row = self.row(at, needs_new);
        let Some(index) = self.current_lease.take() else { return };
        let bar = &mut self.story.leases[index];
        bar.stretch.end(row, at);
        bar.expired = expired;
        let mut beliefs = self.story.beliefs.iter_mut().rev();
        if let Some(belief) = beliefs.find(|belief| belief.token == bar.lease.token) {
            belief.over = belief.stretch.ended.is_none().then_some(row);
        }
    }

    fn believes(&mut self, at: Time, client: ClientId, token: Token) {
        let from = self.row(at, false);
        // It may have been paused from before the grant until after the end of the lease.
        let mut leases = self.story.leases.iter().rev();
        // Its latest lease under this number: where numbers are no tokens there were others.
        let own = leases.find(|bar| bar.lease.token == token && bar.lease.holder == client);
        let is_over = own.is_some_and(|bar| bar.stretch.ended.is_some());
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
        let Some(mut mark) = Mark::of(entry) else { return };
        let is_drawn = mark.kind != MarkKind::ReadServed || self.detail >= Detail::Requests;
        if at < self.from || !is_drawn {
            return;
        }
        let needs_new = self.is_at_last_row(at) && self.row_has_mark;
        mark.row = self.row(at, needs_new);
        self.row_has_mark = true;
        let arrows = &mut self.story.arrows;
        let has_arrived = |index: &usize| {
            let arrow = &arrows[*index];
            arrow.message.client == mark.client && arrow.arrives == at
        };
        if let Some(place) = self.requests.iter().position(has_arrived) {
            arrows[self.requests.remove(place)].to_row = mark.row;
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
        let stalls = story.stalls.iter_mut().map(|stall| &mut stall.stretch);
        for stretch in leases.chain(beliefs).chain(pauses).chain(outages).chain(stalls) {
            if stretch.ended.is_none() {
                stretch.to = last;
            }
        }
        let is_seen = |stretch: &Stretch| stretch.ended.is_none_or(|ended| from <= ended);
        story.leases.retain(|bar| is_seen(&bar.stretch));
        story.beliefs.retain(|belief| is_seen(&belief.stretch));
        story.pauses.retain(|pause| is_seen(&pause.stretch));
        story.outages.retain(|outage| is_seen(&outage.stretch));
        story.stalls.retain(|stall| is_seen(&stall.stretch));
        story
    }
}
