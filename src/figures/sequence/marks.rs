//! Marks: what the store does with each request, and where a process ends or begins. Every mark has
//! a shape of its own.

use super::layout::{Layout, MARK};
use super::story::{MarkKind, Outage};
use super::style::colour;
use crate::figures::svg::{Element, circle, line, path};
use crate::protocol::message::Party;

/// What the store does, and where processes end and begin. Each mark says in an attribute what it
/// is, for whoever takes the picture apart.
pub(super) fn draw(layout: &Layout) -> Element {
    let story = &layout.story;
    let requests = story.marks.iter().map(|mark| {
        let shape = shape(mark.kind, layout.mark_at(mark.row));
        shape.set("data-mark", name(mark.kind)).set("data-token", mark.token)
    });
    let outages = story.outages.iter().flat_map(|outage| crash_and_restart(layout, outage));
    Element::new("g").with_all(requests).with_all(outages)
}

fn name(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::ReadServed => "read",
        MarkKind::ReadRefused => "read-refused",
        MarkKind::WriteAccepted => "accepted",
        MarkKind::WriteRefused => "refused",
        MarkKind::ZombieWrite => "zombie",
    }
}

/// A shape of its own for everything that a store can do.
pub(super) fn shape(kind: MarkKind, at: (f64, f64)) -> Element {
    let refused = |radius: f64, half_cross: f64| {
        vec![
            circle(at, radius).set("class", "fz-refused"),
            cross(at, half_cross).set("class", "fz-refused"),
        ]
    };
    Element::new("g").with_all(match kind {
        MarkKind::ReadServed => vec![circle(at, 2.5).set("class", "fz-dot")],
        MarkKind::WriteAccepted => vec![circle(at, 5.5).set("class", "fz-mark")],
        MarkKind::ReadRefused => refused(4.5, 2.2),
        MarkKind::WriteRefused => refused(MARK - 0.5, 3.2),
        MarkKind::ZombieWrite => zombie(at),
    })
}

fn cross((x, y): (f64, f64), half: f64) -> Element {
    path(&[
        vec![(x - half, y - half), (x + half, y + half)],
        vec![(x - half, y + half), (x + half, y - half)],
    ])
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

fn crash_and_restart(layout: &Layout, outage: &Outage) -> Vec<Element> {
    let x = layout.x(Party::Client(outage.client));
    let at = |row: usize| (x, layout.axis.row(row));
    let mut drawn = vec![crash(at(outage.stretch.from)).set("data-mark", "crash")];
    if outage.stretch.ended.is_some() {
        let start = circle(at(outage.stretch.to), 4.0).set("class", "fz-paper");
        drawn.push(start.set("stroke", colour(outage.client)).set("stroke-width", 2));
    }
    drawn
}

/// The end of a message that never arrives.
pub(super) fn lost(at: (f64, f64)) -> Element {
    cross(at, 4.0).set("class", "fz-lost").set("data-mark", "lost")
}

/// The end of a process.
pub(super) fn crash(at: (f64, f64)) -> Element {
    let ground = cross(at, 6.0).set("class", "fz-cross-ground");
    Element::new("g").with(ground).with(cross(at, 6.0).set("class", "fz-cross"))
}
