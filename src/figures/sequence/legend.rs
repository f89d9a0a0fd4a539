//! The legend: the shapes that occur, and notes.

use super::bars::{cap, lease_shape, segment, stall_shape};
use super::layout::{BAR, Layout, PAUSED, Segment};
use super::story::MarkKind;
use super::{marks, signs};
use crate::figures::svg::{Area, Element, path, text, text_width, wrapped};
use crate::protocol::lease::ClientId;

const FONT: f64 = 10.5;
const LEFT: f64 = 14.0;
const ROW: f64 = 20.0;
/// Half the height of a shape.
const HALF: f64 = 6.5;
/// Shapes take no client's colour here: they mean the same in every lane.
const NEUTRAL: &str = "currentColor";
const PAUSED_OVER: &str = "paused, lease over";
const ELASTIC: &str =
    "Time runs down; quiet stretches are drawn shorter, as the marks in seconds show.";

/// The legend below the lanes, and the height of the whole picture.
pub(super) fn draw(layout: &Layout, note: Option<&str>) -> (Element, f64) {
    let mut legend = Element::new("g");
    let (mut x, mut y) = (LEFT, layout.bottom + 20.0);
    for Item { half_width, shapes, words } in items(layout) {
        let width = 2.0 * half_width + 6.0 + text_width(words, FONT);
        if x + width > layout.width && x > LEFT {
            (x, y) = (LEFT, y + ROW);
        }
        let shapes = shapes(Area::around((x + half_width, y), half_width, HALF));
        let words = text(x + 2.0 * half_width + 6.0, y + 3.5, "start", words);
        legend = legend.with_all(shapes).with(words.set("class", "fz-legend"));
        x += width + 13.0;
    }
    for words in [ELASTIC].into_iter().chain(note) {
        for line in wrapped(words, FONT, layout.width - 2.0 * LEFT) {
            y += ROW - 2.0;
            legend = legend.with(text(LEFT, y + 3.5, "start", &line).set("class", "fz-small"));
        }
    }
    (legend, (y + 14.0).ceil())
}

/// A shape with what it means.
struct Item {
    half_width: f64,
    shapes: Shapes,
    words: &'static str,
}

/// Draws into the area it is given.
type Shapes = Box<dyn Fn(Area) -> Vec<Element>>;

/// What occurs in this picture.
fn items(layout: &Layout) -> Vec<Item> {
    let story = &layout.story;
    let has_part = |is_wanted: fn(&Segment) -> bool| layout.segments.iter().any(is_wanted);
    let has_mark = |kind: MarkKind| story.marks.iter().any(|mark| mark.kind == kind);
    let bar = |occurs: bool, is_over: bool, is_paused: bool, words: &'static str| {
        let half_width = if is_paused { PAUSED } else { BAR };
        occurs.then(|| item(half_width, words, move |area| client_bar(area, is_over, is_paused)))
    };
    let mark = |kind: MarkKind, words: &'static str| {
        has_mark(kind).then(|| item(8.0, words, move |area| vec![marks::shape(kind, centre(area))]))
    };
    let believes = if layout.has_lock { "believes" } else { "takes its turn" };
    let crash = |area: Area| vec![marks::crash(centre(area))];
    let sign = |area: Area| vec![signs::diamond(centre(area))];
    let lost = |area: Area| vec![marks::lost(centre(area))];
    let candidates = [
        (!story.leases.is_empty()).then(|| item(BAR, "lease", |area| lease_shape(area, NEUTRAL))),
        story.leases.iter().any(|bar| bar.expired).then(|| item(BAR + 3.0, "expires", expiry)),
        bar(has_part(|part| part.belief.is_some()), false, false, believes),
        bar(has_part(|part| part.is_lease_over), true, false, "believes, lease over"),
        bar(has_part(|part| part.is_paused && !part.is_lease_over), false, true, "paused"),
        bar(has_part(|part| part.is_paused && part.is_lease_over), true, true, PAUSED_OVER),
        mark(MarkKind::ReadServed, "read"),
        mark(MarkKind::ReadRefused, "read refused"),
        mark(MarkKind::WriteAccepted, "write accepted"),
        mark(MarkKind::WriteRefused, "write refused"),
        mark(MarkKind::ZombieWrite, "zombie write"),
        (!story.outages.is_empty()).then(|| item(6.0, "crash", crash)),
        (!story.stalls.is_empty()).then(|| item(BAR, "service stands still", stall_shape)),
        (!story.signs.is_empty()).then(|| item(6.0, "mishap", sign)),
        story.arrows.iter().any(|arrow| arrow.is_lost).then(|| item(6.0, "message lost", lost)),
        (!layout.axis.instants().is_empty()).then(|| item(2.0, "one instant", instant)),
    ];
    candidates.into_iter().flatten().collect()
}

fn item(
    half_width: f64,
    words: &'static str,
    shapes: impl Fn(Area) -> Vec<Element> + 'static,
) -> Item {
    Item { half_width, shapes: Box::new(shapes), words }
}

fn client_bar(area: Area, is_lease_over: bool, is_paused: bool) -> Vec<Element> {
    let client = ClientId(0);
    let part = Segment { client, from: 0, to: 0, belief: None, is_lease_over, is_paused };
    segment(area, &part, NEUTRAL)
}

fn expiry(area: Area) -> Vec<Element> {
    let Area { left, top, right, bottom } = area;
    let bar = Area { left: left + 3.0, top, right: right - 3.0, bottom: bottom - 2.0 };
    lease_shape(bar, NEUTRAL).into_iter().chain([cap(bar)]).collect()
}

fn instant(Area { left, top, right, bottom }: Area) -> Vec<Element> {
    let bracket = vec![(right, top), (left, top), (left, bottom), (right, bottom)];
    vec![path(&[bracket]).set("class", "fz-instant")]
}

fn centre(area: Area) -> (f64, f64) {
    ((area.left + area.right) / 2.0, (area.top + area.bottom) / 2.0)
}
