//! Marks: what the store does with each request, and where a process ends or begins. Every mark has a
//! shape of its own.

use super::layout::{Layout, MARK};
use super::story::{MarkKind, Outage};
use super::style::colour;
use crate::figures::svg::{Element, circle, line, path};
use crate::protocol::message::Party;

/// What the store does, and where processes end and begin.
pub(super) fn draw(layout: &Layout) -> Element {
    let at_the_store = layout
        .story
        .marks
        .iter()
        .map(|mark| shape(mark.kind, layout.mark_at(mark.row)).set("data-token", mark.token));
    let crashes = layout.story.outages.iter().flat_map(|outage| crash(layout, outage));
    Element::new("g").with_all(at_the_store).with_all(crashes)
}

/// A shape of its own for everything that a store can do.
pub(super) fn shape(kind: MarkKind, (x, y): (f64, f64)) -> Element {
    let cross = |class: &str, half: f64| {
        let strokes = [
            vec![(x - half, y - half), (x + half, y + half)],
            vec![(x - half, y + half), (x + half, y - half)],
        ];
        path(&strokes).set("class", class)
    };
    let (name, shapes) = match kind {
        MarkKind::ReadServed => ("read", vec![circle((x, y), 2.5).set("class", "fz-dot")]),
        MarkKind::WriteAccepted => ("accepted", vec![circle((x, y), 5.5).set("class", "fz-mark")]),
        MarkKind::ReadRefused => (
            "read-refused",
            vec![circle((x, y), 4.5).set("class", "fz-refused"), cross("fz-refused", 2.2)],
        ),
        MarkKind::WriteRefused => (
            "refused",
            vec![circle((x, y), MARK - 0.5).set("class", "fz-refused"), cross("fz-refused", 3.2)],
        ),
        MarkKind::ZombieWrite => ("zombie", zombie((x, y))),
    };
    Element::new("g").set("data-mark", name).with_all(shapes)
}

/// A warning triangle.
fn zombie((x, y): (f64, f64)) -> Vec<Element> {
    let (top, left, right) = ((x, y - 8.0), (x - 8.5, y + 6.5), (x + 8.5, y + 6.5));
    vec![
        path(&[vec![top, right, left, top]]).set("class", "fz-zombie"),
        line((x, y - 3.0), (x, y + 1.0)).set("class", "fz-bang"),
        line((x, y + 4.3), (x, y + 4.4)).set("class", "fz-bang"),
    ]
}

fn crash(layout: &Layout, outage: &Outage) -> Vec<Element> {
    let x = layout.x(Party::Client(outage.client));
    let y = layout.axis.row(outage.stretch.from);
    let mut drawn = vec![crash_shape((x, y))];
    if outage.stretch.ended.is_some() {
        let y = layout.axis.row(outage.stretch.to);
        let start = circle((x, y), 4.0).set("class", "fz-paper");
        drawn.push(start.set("stroke", colour(outage.client)).set("stroke-width", 2));
    }
    drawn
}

/// The end of a process.
pub(super) fn crash_shape((x, y): (f64, f64)) -> Element {
    const HALF: f64 = 6.0;
    let strokes = [
        vec![(x - HALF, y - HALF), (x + HALF, y + HALF)],
        vec![(x - HALF, y + HALF), (x + HALF, y - HALF)],
    ];
    let cross = |class: &str| path(&strokes).set("class", class);
    let shapes = [cross("fz-cross-ground"), cross("fz-cross")];
    Element::new("g").set("data-mark", "crash").with_all(shapes)
}
