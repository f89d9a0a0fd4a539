//! Placing words so that none covers another.
//!
//! Each label names the places where it would stand well. The most important choose first; one that
//! finds no free place is left out, and what it says is still in the hover texts and the telling.

use crate::figures::svg::{Area, text_width};
use crate::protocol::lease::ClientId;

/// How far two lines of one label are apart, in shares of the font size.
const LEADING: f64 = 1.12;

/// The least room between two labels.
const APART: f64 = 1.5;

/// What a label looks like; also how soon it may choose its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A zombie write.
    Alarm,
    /// A request that the store has refused.
    Refusal,
    /// What else the store does with a request.
    Verdict,
    /// A token in its bar.
    Token,
    /// What becomes of a lease, a belief or a process.
    Turn,
    /// A further word to a verdict.
    Note,
    /// A grant, a write, a lost lease.
    Message,
    /// Any other message.
    Minor,
}

impl Kind {
    pub(super) fn font_size(self) -> f64 {
        match self {
            Kind::Alarm => 12.0,
            Kind::Refusal | Kind::Verdict | Kind::Token | Kind::Turn | Kind::Message => 11.0,
            Kind::Note | Kind::Minor => 10.0,
        }
    }

    /// Bold letters are a little wider.
    pub(super) fn width(self, words: &str) -> f64 {
        let bold = matches!(self, Kind::Alarm | Kind::Refusal | Kind::Token | Kind::Turn);
        text_width(words, self.font_size()) * if bold { 1.07 } else { 1.0 }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Kind::Alarm => "fz-alarm",
            Kind::Refusal => "fz-refusal",
            Kind::Verdict => "fz-verdict",
            Kind::Token => "fz-token",
            Kind::Turn => "fz-turn",
            Kind::Note => "fz-note",
            Kind::Message => "fz-message",
            Kind::Minor => "fz-minor",
        }
    }
}

/// Which part of a label stands at the given x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    pub(super) fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// Where the label may stand: `y` is the middle of its height.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) anchor: Anchor,
    pub(super) x: f64,
    pub(super) y: f64,
    /// Wider words do not fit here.
    pub(super) width: f64,
    /// Higher ones neither.
    pub(super) height: f64,
}

/// What a label stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// The paper, where nothing is drawn.
    Paper,
    /// The pale bar of a lease.
    Pale,
    /// A bar with slanted lines.
    Hatched,
    /// The bar of a client.
    Colour(ClientId),
}

/// A label that looks for its place.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    pub(super) kind: Kind,
    /// The same in several wordings, the best first; each a list of lines.
    pub(super) wordings: Vec<Vec<String>>,
    /// The best first.
    pub(super) places: Vec<Place>,
    /// The arrow it belongs to, by number: it may touch that one.
    pub(super) arrow: Option<usize>,
    pub(super) ground: Ground,
}

/// A label in its place.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) kind: Kind,
    pub(super) lines: Vec<String>,
    pub(super) anchor: Anchor,
    pub(super) x: f64,
    pub(super) area: Area,
    pub(super) ground: Ground,
}

/// A straight line from one point to another.
pub(super) type Line = ((f64, f64), (f64, f64));

/// What labels must not cover, and what they had better not.
#[derive(Clone, Debug)]
pub(super) struct Obstacles {
    pub(super) bounds: Area,
    pub(super) areas: Vec<Area>,
    pub(super) arrows: Vec<Line>,
}

/// Gives every label the best place that is left.
pub(super) fn place(mut wishes: Vec<Wish>, obstacles: &Obstacles) -> Vec<Label> {
    wishes.sort_by_key(|wish| wish.kind);
    let mut placed: Vec<Label> = Vec::new();
    for wish in &wishes {
        let mut best: Option<(usize, Label)> = None;
        for label in candidates(wish) {
            let is_free = obstacles.bounds.contains(&label.area)
                && placed.iter().all(|other| !other.area.overlaps(&label.area.grown(APART)))
                && (wish.ground != Ground::Paper
                    || obstacles.areas.iter().all(|area| !area.overlaps(&label.area)));
            if !is_free {
                continue;
            }
            let cost = crossings(&label, wish.arrow, &obstacles.arrows);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, label));
            }
            if cost == 0 {
                break;
            }
        }
        placed.extend(best.map(|(_, label)| label));
    }
    placed
}

/// Arrows that would run through the label.
fn crossings(label: &Label, own: Option<usize>, arrows: &[Line]) -> usize {
    let others = arrows.iter().enumerate().filter(|(index, _)| Some(*index) != own);
    others.filter(|(_, (from, to))| label.area.meets_line(*from, *to)).count()
}

fn candidates(wish: &Wish) -> impl Iterator<Item = Label> {
    wish.wordings.iter().flat_map(move |lines| {
        wish.places.iter().filter_map(move |place| {
            let area = area(wish.kind, lines, place);
            (area.width() <= place.width && area.height() <= place.height).then(|| Label {
                kind: wish.kind,
                lines: lines.clone(),
                anchor: place.anchor,
                x: place.x,
                area,
                ground: wish.ground,
            })
        })
    })
}

fn area(kind: Kind, lines: &[String], place: &Place) -> Area {
    let width = lines.iter().map(|line| kind.width(line)).fold(0.0, f64::max);
    let height = line_height(kind) * lines.len() as f64;
    let left = match place.anchor {
        Anchor::Start => place.x,
        Anchor::Middle => place.x - width / 2.0,
        Anchor::End => place.x - width,
    };
    let top = place.y - height / 2.0;
    Area { left, top, right: left + width, bottom: top + height }
}

/// The height of one line.
pub(super) fn line_height(kind: Kind) -> f64 {
    kind.font_size() * LEADING
}
