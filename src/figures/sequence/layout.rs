//! The layout: where lanes, bars, arrows and words stand.

use super::axis::{Axis, TimeMark, sharp};
use super::labels::{Label, Line, Obstacles, place};
use super::signs::HALF;
use super::story::{Arrow, Belief, LeaseBar, MarkKind, Pause, Stall, Story};
use super::words;
use crate::figures::svg::{Area, text_width};
use crate::protocol::lease::ClientId;
use crate::protocol::message::Party;

/// The least room for the time marks at the left.
const TIMES: f64 = 46.0;
/// From there to the lane of the lock service: room for the word at an expiry.
const EXPIRY: f64 = 78.0;
/// The same to the first lane of a client, where there is no lock.
const FIRST: f64 = 40.0;
/// Room for the words at the store.
const VERDICTS: f64 = 152.0;
const WIDTH: f64 = 790.0;
const NARROWEST_GAP: f64 = 52.0;
const WIDEST_GAP: f64 = 150.0;
const HEADER: f64 = 52.0;
/// The font size of the time marks.
const TIME_FONT: f64 = 10.5;
const FOOT: f64 = 16.0;

/// Half the width of a bar.
pub(super) const BAR: f64 = 13.0;
/// Half the width of a process that stands still.
pub(super) const PAUSED: f64 = 7.0;
/// Half the width of a mark at the store.
pub(super) const MARK: f64 = 7.0;

/// Where everything stands.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) story: Story,
    pub(super) axis: Axis,
    pub(super) time_marks: Vec<TimeMark>,
    /// The room for their words.
    pub(super) times: f64,
    /// Whether the lock service has a lane.
    pub(super) has_lock: bool,
    /// The middle of the first lane.
    first: f64,
    pub(super) width: f64,
    /// The lower edge of the lanes; the legend stands below.
    pub(super) bottom: f64,
    pub(super) top: f64,
    gap: f64,
    /// The ends of each arrow.
    pub(super) arrows: Vec<Line>,
    pub(super) segments: Vec<Segment>,
    pub(super) labels: Vec<Label>,
}

/// A part of a client's lane in which it is in one state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) client: ClientId,
    pub(super) from: usize,
    pub(super) to: usize,
    /// Set while it believes: by place in the story.
    pub(super) belief: Option<usize>,
    pub(super) is_lease_over: bool,
    pub(super) is_paused: bool,
}

impl Layout {
    /// Gives everything its place, below a title that takes so much room.
    pub(super) fn new(story: Story, title: f64) -> Layout {
        let top = title + HEADER;
        let axis = Axis::new(&story.rows, top);
        let time_marks = axis.marks();
        let words = time_marks.iter().filter_map(|mark| mark.words.as_deref());
        let widest = words.map(|words| text_width(words, TIME_FONT)).fold(0.0, f64::max);
        let times = TIMES.max(widest + 10.0);
        let has_lock = !story.is_without_lock();
        let lanes = (story.clients.len() + usize::from(has_lock)) as f64;
        let before = if has_lock { EXPIRY } else { FIRST };
        let around = times + before + VERDICTS;
        let gap = ((WIDTH - around) / lanes).clamp(NARROWEST_GAP, WIDEST_GAP);
        let mut layout = Layout {
            time_marks,
            has_lock,
            first: times + before,
            times,
            width: around + lanes * gap,
            bottom: axis.bottom() + FOOT,
            top,
            gap,
            arrows: Vec::new(),
            segments: segments(&story),
            labels: Vec::new(),
            axis,
            story,
        };
        layout.arrows = layout.story.arrows.iter().map(|arrow| layout.ends(arrow)).collect();
        layout.labels = place(words::wishes(&layout), &layout.obstacles());
        layout
    }

    /// The middle of a lane.
    pub(super) fn x(&self, party: Party) -> f64 {
        let clients = usize::from(self.has_lock);
        let place = match party {
            Party::LockService => 0,
            Party::Client(client) => clients + self.place(client),
            Party::Store => clients + self.story.clients.len(),
        };
        sharp(self.first + place as f64 * self.gap)
    }

    fn place(&self, client: ClientId) -> usize {
        self.story.clients.iter().position(|other| *other == client).unwrap_or_default()
    }

    /// All lanes from left to right.
    pub(super) fn lanes(&self) -> Vec<Party> {
        let clients = self.story.clients.iter().map(|client| Party::Client(*client));
        let lock = self.has_lock.then_some(Party::LockService);
        lock.into_iter().chain(clients).chain([Party::Store]).collect()
    }

    /// How far from the middle of its lane a party reaches in a row.
    pub(super) fn reach(&self, party: Party, row: usize) -> f64 {
        match party {
            Party::LockService => {
                let mut leases = self.story.leases.iter();
                if leases.any(|bar| bar.stretch.covers(row)) { BAR } else { 1.0 }
            }
            Party::Client(client) => {
                let here = self.segments.iter().filter(|segment| {
                    segment.client == client && segment.from <= row && row <= segment.to
                });
                here.map(Segment::half_width).fold(1.0, f64::max)
            }
            Party::Store => {
                let mut marks = self.story.marks.iter().filter(|mark| mark.row == row);
                marks.next().map_or(1.0, |mark| match mark.kind {
                    MarkKind::ReadServed => 3.0,
                    _ => MARK + 1.0,
                })
            }
        }
    }

    fn ends(&self, arrow: &Arrow) -> Line {
        let (from, to) = (arrow.message.from(), arrow.message.to());
        let (start, end) = (self.x(from), self.x(to));
        let side = (end - start).signum();
        let at = |share: f64| start + share * (end - start);
        let (first, last) = arrow.shown;
        let reach_from = if first > 0.0 { 0.0 } else { self.reach(from, arrow.from_row) };
        let reach_to = if last < 1.0 { 0.0 } else { self.reach(to, arrow.to_row) + 1.0 };
        (
            (at(first) + side * reach_from, self.axis.row(arrow.from_row)),
            (at(last) - side * reach_to, self.axis.row(arrow.to_row)),
        )
    }

    pub(super) fn lease_area(&self, bar: &LeaseBar) -> Area {
        self.bar_area(Party::LockService, BAR, bar.stretch.from, bar.stretch.to)
    }

    /// A stall is drawn around the leases.
    pub(super) fn stall_area(&self, stall: &Stall) -> Area {
        self.bar_area(Party::LockService, BAR + 4.0, stall.stretch.from, stall.stretch.to)
    }

    pub(super) fn segment_area(&self, segment: &Segment) -> Area {
        let lane = Party::Client(segment.client);
        self.bar_area(lane, segment.half_width(), segment.from, segment.to)
    }

    /// The place of the pause sign: in the middle of the first part of a pause that is high enough,
    /// where the lane's state does not change.
    pub(super) fn pause_sign(&self, pause: &Pause) -> (f64, f64) {
        let parts = self.segments.iter().filter(|part| {
            part.is_paused && part.client == pause.client && pause.stretch.covers(part.from)
        });
        let areas: Vec<Area> = parts.map(|part| self.segment_area(part)).collect();
        let high = areas.iter().find(|area| area.height() > 22.0).or(areas.first());
        let whole = (self.axis.row(pause.stretch.from) + self.axis.row(pause.stretch.to)) / 2.0;
        let y = high.map_or(whole, |area| (area.top + area.bottom) / 2.0);
        (self.x(Party::Client(pause.client)), y)
    }

    /// A belief that begins and ends in one row is still seen.
    fn bar_area(&self, lane: Party, half_width: f64, from: usize, to: usize) -> Area {
        let x = self.x(lane);
        let (top, bottom) = (self.axis.row(from), self.axis.row(to));
        let bottom = bottom.max(top + 4.0);
        Area { left: x - half_width, top, right: x + half_width, bottom }
    }

    /// The place of a mark at the store.
    pub(super) fn mark_at(&self, row: usize) -> (f64, f64) {
        (self.x(Party::Store), self.axis.row(row))
    }

    fn obstacles(&self) -> Obstacles {
        let bounds =
            Area { left: self.times, top: self.top - 8.0, right: self.width, bottom: self.bottom };
        let leases = self.story.leases.iter().map(|bar| self.lease_area(bar));
        let segments = self.segments.iter().map(|segment| self.segment_area(segment));
        let lifelines = self.lanes().into_iter().map(|lane| {
            Area::around((self.x(lane), (self.top + self.bottom) / 2.0), 1.5, self.bottom)
        });
        let marks = self.story.marks.iter();
        let marks = marks.map(|mark| Area::around(self.mark_at(mark.row), MARK, MARK));
        let crashes = self.story.outages.iter().map(|outage| {
            let x = self.x(Party::Client(outage.client));
            Area::around((x, self.axis.row(outage.stretch.from)), MARK, MARK)
        });
        let signs = self.story.signs.iter();
        let signs = signs.map(|sign| Area::around(self.sign_at(sign), HALF, HALF));
        let areas = leases.chain(segments).chain(lifelines).chain(marks).chain(crashes);
        let lost = self.story.arrows.iter().zip(&self.arrows);
        let lost = lost.filter(|(arrow, _)| arrow.is_lost);
        let lost = lost.map(|(_, (_, end))| Area::around(*end, 4.0, 4.0));
        let areas = areas.chain(signs).chain(lost).collect();
        Obstacles { bounds, areas, arrows: self.arrows.clone() }
    }
}

impl Segment {
    pub(super) fn half_width(&self) -> f64 {
        if self.is_paused { PAUSED } else { BAR }
    }
}

/// Cuts the lanes of the clients where a belief, a pause or a lease begins or ends.
fn segments(story: &Story) -> Vec<Segment> {
    let mut segments = Vec::new();
    for (index, belief) in story.beliefs.iter().enumerate() {
        let pauses: Vec<&Pause> =
            story.pauses.iter().filter(|pause| pause.client == belief.client).collect();
        segments.extend(segments_of(index, belief, &pauses));
    }
    for pause in &story.pauses {
        let Pause { client, stretch, .. } = *pause;
        let beliefs = story.beliefs.iter().filter(|belief| belief.client == client);
        let mut from = stretch.from;
        for belief in beliefs.filter(|belief| belief.stretch.from < stretch.to) {
            let to = belief.stretch.from.min(stretch.to);
            if from < to {
                segments.push(pause_alone(client, from, to));
            }
            from = from.max(belief.stretch.to);
        }
        if from < stretch.to {
            segments.push(pause_alone(client, from, stretch.to));
        }
    }
    segments
}

fn pause_alone(client: ClientId, from: usize, to: usize) -> Segment {
    Segment { client, from, to, belief: None, is_lease_over: false, is_paused: true }
}

fn segments_of(index: usize, belief: &Belief, pauses: &[&Pause]) -> Vec<Segment> {
    let (first, last) = (belief.stretch.from, belief.stretch.to);
    let mut cuts = vec![first, last];
    cuts.extend(belief.over);
    cuts.extend(pauses.iter().flat_map(|pause| [pause.stretch.from, pause.stretch.to]));
    cuts.retain(|row| first <= *row && *row <= last);
    cuts.sort_unstable();
    cuts.dedup();
    if cuts.len() == 1 {
        cuts.push(last);
    }
    let segment = |pair: &[usize]| Segment {
        client: belief.client,
        from: pair[0],
        to: pair[1],
        belief: Some(index),
        is_lease_over: belief.over.is_some_and(|over| over <= pair[0]),
        is_paused: pauses
            .iter()
            .any(|pause| pause.stretch.from <= pair[0] && pair[1] <= pause.stretch.to),
    };
    cuts.windows(2).map(segment).collect()
}
