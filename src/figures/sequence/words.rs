//! The words of the picture, and the places where each would stand well.

use super::labels::{Anchor, Ground, Kind, Place, Wish};
use super::layout::{BAR, Layout, MARK, Segment};
use super::story::{Arrow, Mark, MarkKind};
use super::tell::span;
use crate::protocol::lease::Token;
use crate::protocol::message::{Body, Party};

/// All words that look for a place.
pub(super) fn wishes(layout: &Layout) -> Vec<Wish> {
    let story = &layout.story;
    let mut wishes = Vec::new();
    for mark in &story.marks {
        wishes.extend(verdict(layout, mark));
    }
    wishes.extend(lease_words(layout));
    wishes.extend(belief_words(layout));
    for pause in &story.pauses {
        let length = span(pause.until - pause.stretch.began);
        let wordings = vec![words(&["paused", &length]), words(&[&format!("paused {length}")])];
        let (from, to) = (pause.stretch.from, pause.stretch.to);
        let whole = (layout.axis.row(from), layout.axis.row(to));
        let lane = Party::Client(pause.client);
        let places = beside_near(layout, lane, whole, layout.pause_sign(pause).1);
        wishes.push(wish(Kind::Turn, wordings, places));
    }
    for outage in &story.outages {
        let (lane, stretch) = (Party::Client(outage.client), outage.stretch);
        let places = beside(layout, lane, stretch.from, stretch.from);
        wishes.push(wish(Kind::Turn, vec![words(&["crashes"])], places));
        if stretch.ended.is_some() {
            let places = beside(layout, lane, stretch.to, stretch.to);
            wishes.push(wish(Kind::Turn, vec![words(&["restarts"])], places));
        }
    }
    for stall in &story.stalls {
        let length = span(stall.until - stall.stretch.began);
        let wordings = vec![words(&["stands still", &length])];
        let places = beside(layout, Party::LockService, stall.stretch.from, stall.stretch.to);
        wishes.push(wish(Kind::Turn, wordings, places));
    }
    for sign in &story.signs {
        let places = beside(layout, sign.lane, sign.row, sign.row);
        let wordings = vec![sign.words.clone(), vec![sign.words.join(" ")]];
        wishes.push(wish(Kind::Turn, wordings, places));
    }
    for (index, arrow) in story.arrows.iter().enumerate() {
        wishes.extend(message(layout, index, arrow));
    }
    wishes
}

fn words(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

fn wish(kind: Kind, wordings: Vec<Vec<String>>, places: Vec<Place>) -> Wish {
    Wish { kind, wordings, places, arrow: None, ground: Ground::Paper }
}

/// A token as it fits in a bar: of a very long one the last digits, which are those that differ.
pub(super) fn short(token: Token) -> String {
    let digits = token.to_string();
    match digits.len() {
        0..=3 => digits,
        length => format!("…{}", &digits[length - 2..]),
    }
}

/// A word for what the store does, right of its mark, and a further word if an update is lost.
fn verdict(layout: &Layout, mark: &Mark) -> Vec<Wish> {
    let (x, y) = layout.mark_at(mark.row);
    let (kind, before, after) = match mark.kind {
        MarkKind::ReadServed => return Vec::new(),
        MarkKind::ReadRefused => (Kind::Refusal, "read ", " refused"),
        MarkKind::WriteAccepted => (Kind::Verdict, "", " accepted"),
        MarkKind::WriteRefused => (Kind::Refusal, "", " refused"),
        MarkKind::ZombieWrite => (Kind::Alarm, "", ": zombie write"),
    };
    let wordings = match mark.token {
        Token::NONE => vec![vec![format!("{before}{after}").trim_matches([' ', ':']).to_owned()]],
        token => [token.to_string(), short(token)]
            .map(|token| vec![format!("{before}{token}{after}")])
            .to_vec(),
    };
    let place = |dx: f64, dy: f64| Place {
        anchor: Anchor::Start,
        x: x + MARK + 7.0 + dx,
        y: y + dy,
        width: layout.width - x,
        height: f64::MAX,
    };
    let mut wishes = vec![wish(kind, wordings, vec![place(0.0, 0.0)])];
    if mark.is_lost_update {
        let places = vec![place(0.0, 14.0), place(0.0, -14.0), place(80.0, 0.0)];
        wishes.push(wish(Kind::Note, vec![words(&["lost update"])], places));
    }
    wishes
}

/// The token in each lease's bar, and where one expires, the word for it.
fn lease_words(layout: &Layout) -> Vec<Wish> {
    let x = layout.x(Party::LockService);
    let mut wishes = Vec::new();
    for bar in &layout.story.leases {
        let area = layout.lease_area(bar);
        let holder = bar.lease.holder;
        let token = short(bar.lease.token);
        let places = inside(x, area.top, area.bottom);
        let both = vec![holder.to_string(), token.clone()];
        wishes.push(Wish {
            ground: Ground::Pale,
            ..wish(Kind::Token, vec![both, vec![token]], places)
        });
        if bar.expired {
            let width = x - BAR - 6.0;
            let place = |dy: f64| Place {
                anchor: Anchor::End,
                x: width,
                y: area.bottom + dy,
                width,
                height: f64::MAX,
            };
            let places = [0.0, -7.0, 7.0].map(place).to_vec();
            wishes.push(wish(Kind::Turn, vec![words(&["expired"])], places));
        }
    }
    wishes
}

/// Places in a bar, from its upper end down.
fn inside(x: f64, top: f64, bottom: f64) -> Vec<Place> {
    let place = |middle: f64| Place {
        anchor: Anchor::Middle,
        x,
        y: top + middle,
        width: 2.0 * BAR,
        height: 2.0 * middle.min(bottom - top - middle),
    };
    [14.0, 8.0, 21.0, 30.0].map(place).to_vec()
}

/// The token in each belief's bar, and words where a lease is over and its client does not know.
fn belief_words(layout: &Layout) -> Vec<Wish> {
    let mut wishes = Vec::new();
    for (index, belief) in layout.story.beliefs.iter().enumerate() {
        let lane = Party::Client(belief.client);
        let has_token = belief.token != Token::NONE;
        let running = |part: &&Segment| part.belief == Some(index) && !part.is_paused && has_token;
        for part in layout.segments.iter().filter(running) {
            let area = layout.segment_area(part);
            let places = inside(layout.x(lane), area.top, area.bottom);
            let is_solid = !part.is_lease_over;
            let ground = if is_solid { Ground::Colour(belief.client) } else { Ground::Hatched };
            let token = vec![vec![short(belief.token)]];
            wishes.push(Wish { ground, ..wish(Kind::Token, token, places) });
        }
        if let Some(over) = belief.over.filter(|over| *over < belief.stretch.to) {
            let wordings = vec![
                words(&["believes,", "lease over"]),
                words(&["believes, lease over"]),
                words(&["lease", "over"]),
            ];
            let places = beside(layout, lane, over, belief.stretch.to);
            wishes.push(wish(Kind::Turn, wordings, places));
        }
    }
    wishes
}

/// Places right and left of a lane, all along from one row to another.
fn beside(layout: &Layout, lane: Party, from: usize, to: usize) -> Vec<Place> {
    let (top, bottom) = (layout.axis.row(from), layout.axis.row(to));
    beside_near(layout, lane, (top, bottom), (top + bottom) / 2.0)
}

/// The same from `top` to `bottom`, the best of them at `best`.
fn beside_near(layout: &Layout, lane: Party, (top, bottom): (f64, f64), best: f64) -> Vec<Place> {
    const STEP: f64 = 6.0;
    let lanes = layout.lanes();
    let gap = layout.x(lanes[1]) - layout.x(lanes[0]) - BAR - 8.0;
    let steps = ((bottom - top) / STEP) as usize;
    let mut ys: Vec<f64> = (0..=steps).map(|step| top + step as f64 * STEP).collect();
    ys.push(best);
    ys.sort_by(|one, other| (one - best).abs().total_cmp(&(other - best).abs()));
    // A stall has a frame around the bar.
    let has_frame = lane == Party::LockService && !layout.story.stalls.is_empty();
    let (x, away) = (layout.x(lane), BAR + if has_frame { 9.0 } else { 5.0 });
    let place = |anchor, x, y| Place { anchor, x, y, width: gap, height: f64::MAX };
    let right = |y| place(Anchor::Start, x + away, y);
    let left = |y| place(Anchor::End, x - away, y);
    ys.into_iter().flat_map(|y| [right(y), left(y)]).collect()
}

/// The word on an arrow, with the token where there is room for it. Answers go without: the mark at
/// the store has told it.
fn message(layout: &Layout, index: usize, arrow: &Arrow) -> Option<Wish> {
    let (kind, word, token) = match arrow.message.body {
        Body::Granted(lease) => (Kind::Message, "granted", lease.token),
        Body::Write(write) => (Kind::Message, "write", write.token),
        Body::Lost(token) => (Kind::Message, "lost", token),
        Body::IfCurrent(token, true) => (Kind::Minor, "current:", token),
        Body::IfCurrent(token, false) => (Kind::Message, "not current:", token),
        Body::AskIfCurrent(token) => (Kind::Minor, "current?", token),
        Body::Ask => (Kind::Minor, "ask", Token::NONE),
        Body::Release(token) => (Kind::Minor, "release", token),
        Body::Read(token) => (Kind::Minor, "read", token),
        Body::Renew(token, _) => (Kind::Minor, "renew", token),
        Body::WriteAnswer(token, _) if arrow.is_lost => (Kind::Message, "answer", token),
        Body::ReadAnswer(..) | Body::WriteAnswer(..) | Body::Renewed(..) => return None,
    };
    let word = if arrow.is_copy { "copy" } else { word };
    let lost = if arrow.is_lost { " lost" } else { "" };
    let mut wordings = vec![vec![format!("{}{lost}", word.trim_end_matches(':'))]];
    if token != Token::NONE {
        for token in [short(token), token.to_string()] {
            wordings.insert(0, vec![format!("{word} {token}{lost}")]);
        }
    }
    if layout.story.shows_keys && matches!(arrow.message.body, Body::Write(_)) {
        wordings.insert(0, vec![format!("{word} {token}, key {}", arrow.message.grant)]);
    }
    wordings.dedup();
    let width = kind.width(&wordings[0][0]);
    let places = along(layout, index, arrow, (width, kind.font_size()));
    Some(Wish { arrow: Some(index), ..wish(kind, wordings, places) })
}

/// Places above and below an arrow, in the gaps between lanes that it crosses; first in the gap
/// next to the client, which is the one it is about.
fn along(
    layout: &Layout,
    index: usize,
    arrow: &Arrow,
    (words_width, font_size): (f64, f64),
) -> Vec<Place> {
    let ((x1, y1), (x2, y2)) = layout.arrows[index];
    let (left, right) = (x1.min(x2), x1.max(x2));
    let slope = if x1 == x2 { 0.0 } else { (y2 - y1) / (x2 - x1) };
    let client = layout.x(Party::Client(arrow.message.client));
    let lanes: Vec<f64> = layout.lanes().into_iter().map(|lane| layout.x(lane)).collect();
    let mut gaps: Vec<(f64, f64)> = lanes
        .windows(2)
        .map(|pair| (pair[0] + BAR + 1.0, pair[1] - BAR - 1.0))
        .filter(|(from, to)| left < *to && *from < right)
        .collect();
    let distance = |gap: &(f64, f64)| ((gap.0 + gap.1) / 2.0 - client).abs();
    gaps.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
    let mut places = Vec::new();
    for side in [-1.0, 1.0] {
        for (from, to) in &gaps {
            for share in [0.5, 0.35, 0.65] {
                let x = from + share * (to - from);
                let width = 2.0 * (x - from).min(to - x);
                // Where a message is lost there is a cross.
                let cross = if arrow.is_lost { 3.5 } else { 0.0 };
                let away = font_size * 0.62 + 1.2 + cross + slope.abs() * words_width / 2.0;
                let y = y1 + slope * (x - x1) + side * away;
                places.push(Place { anchor: Anchor::Middle, x, y, width, height: f64::MAX });
            }
        }
    }
    places
}
