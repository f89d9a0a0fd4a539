//! Bars: leases in the lane of the lock service, beliefs and pauses in those of the clients.

use super::layout::{BAR, Layout, Segment};
use super::story::{LeaseBar, Stretch};
use super::style::colour;
use crate::figures::svg::{Area, Element, line, path, rect};
use crate::protocol::message::Party;

/// All bars, and where they go on above and below the picture.
pub(super) fn draw(layout: &Layout) -> Element {
    let story = &layout.story;
    let leases = story.leases.iter().flat_map(|bar| lease(layout, bar));
    let segments = layout.segments.iter().flat_map(|part| {
        let colour = if part.belief.is_some() { colour(part.client) } else { "currentColor" };
        segment(layout.segment_area(part), part, colour)
    });
    let signs = story.pauses.iter().flat_map(|pause| {
        let length = layout.axis.row(pause.stretch.to) - layout.axis.row(pause.stretch.from);
        if length > 22.0 { pause_sign(layout.pause_sign(pause)) } else { Vec::new() }
    });
    let open_leases = story.leases.iter().flat_map(|bar| {
        open_ends(layout, Party::LockService, &bar.stretch, colour(bar.lease.holder))
    });
    let open_beliefs = story.beliefs.iter().flat_map(|belief| {
        open_ends(layout, Party::Client(belief.client), &belief.stretch, colour(belief.client))
    });
    let stalls = story.stalls.iter().flat_map(|stall| stall_shape(layout.stall_area(stall)));
    let leases = leases.chain(stalls);
    let bars = Element::new("g").with_all(leases).with_all(segments).with_all(signs);
    bars.with_all(open_leases).with_all(open_beliefs)
}

/// A lease: pale in the colour of its holder, with a heavy line where it expires.
fn lease(layout: &Layout, bar: &LeaseBar) -> Vec<Element> {
    let area = layout.lease_area(bar);
    let colour = colour(bar.lease.holder);
    let mut drawn = lease_shape(area, colour);
    for row in &bar.renewed {
        let y = layout.axis.row(*row);
        let notch = line((area.left, y), (area.right, y));
        drawn.push(notch.set("stroke", colour).set("stroke-width", 2));
    }
    if bar.expired {
        drawn.push(cap(area));
    }
    drawn
}

pub(super) fn lease_shape(area: Area, colour: &str) -> Vec<Element> {
    let outline = rect(area).set("fill", "none").set("stroke", colour);
    vec![
        rect(area).set("class", "fz-paper"),
        rect(area).set("fill", colour).set("fill-opacity", ".28"),
        outline.set("stroke-opacity", ".9"),
    ]
}

/// The end of a lease whose time is up: a heavy line, wider than the bar.
pub(super) fn cap(area: Area) -> Element {
    let y = area.bottom;
    line((area.left - 3.0, y), (area.right + 3.0, y)).set("class", "fz-cap")
}

/// Full while the client runs and its lease does too; hatched where the lease is over; narrow and
/// dashed while it is paused.
pub(super) fn segment(area: Area, part: &Segment, colour: &str) -> Vec<Element> {
    let outline = rect(area).set("fill", "none").set("stroke", colour).set("stroke-width", 1.5);
    let mut drawn = vec![rect(area).set("class", "fz-paper")];
    match (part.is_lease_over, part.is_paused) {
        (false, false) => drawn.push(rect(area).set("fill", colour)),
        (false, true) => drawn.push(rect(area).set("fill", colour).set("fill-opacity", ".15")),
        (true, _) => drawn.push(hatch(area).set("stroke", colour).set("stroke-width", 2)),
    }
    drawn.push(if part.is_paused { outline.set("stroke-dasharray", "3 3") } else { outline });
    drawn
}

/// The lock service stands still: a dashed frame around what it holds for true.
pub(super) fn stall_shape(area: Area) -> Vec<Element> {
    let frame = rect(area).set("fill", "none").set("stroke", "currentColor");
    let sign = pause_sign(((area.left + area.right) / 2.0, area.bottom - 10.0));
    let is_high = area.height() > 40.0;
    let frame = frame.set("stroke-width", 1.5).set("stroke-dasharray", "4 3");
    [frame].into_iter().chain(sign.into_iter().filter(|_| is_high)).collect()
}

/// Two short bars side by side, on a bit of paper.
fn pause_sign((x, y): (f64, f64)) -> Vec<Element> {
    let bar = |dx: f64| {
        let bar = line((x + dx, y - 4.5), (x + dx, y + 4.5));
        bar.set("stroke", "currentColor").set("stroke-width", 2.6)
    };
    let paper = rect(Area::around((x, y), 8.5, 8.5)).set("class", "fz-paper");
    vec![paper, bar(-2.6), bar(2.6)]
}

/// Slanted lines that fill an area. They are cut to it here rather than by a clip path, which would
/// need an id that no other picture of the page may have.
fn hatch(area: Area) -> Element {
    const STEP: f64 = 6.0;
    let mut strokes = Vec::new();
    // Each line is x + y = sum; it enters the area above or at the right, and leaves it opposite.
    let mut sum = area.left + area.top + STEP / 2.0;
    while sum < area.right + area.bottom {
        let right = area.right.min(sum - area.top);
        let left = area.left.max(sum - area.bottom);
        if left < right {
            strokes.push(vec![(left, sum - left), (right, sum - right)]);
        }
        sum += STEP;
    }
    path(&strokes)
}

/// Stripes that fade out, where a bar goes on beyond the picture.
fn open_ends(layout: &Layout, lane: Party, stretch: &Stretch, colour: &str) -> Vec<Element> {
    let x = layout.x(lane);
    let (top, bottom) = (layout.axis.row(0), layout.axis.bottom());
    let stripes = |edge: f64, away: f64| {
        [(3.0, 2.0), (6.5, 1.5), (10.0, 1.0)].map(|(distance, width)| {
            let y = edge + away * distance;
            let stripe = line((x - BAR, y), (x + BAR, y)).set("stroke", colour);
            stripe.set("stroke-width", width).set("stroke-opacity", ".7")
        })
    };
    let mut ends = Vec::new();
    if stretch.began < layout.story.rows[0] {
        ends.extend(stripes(top, -1.0));
    }
    if stretch.ended.is_none() {
        ends.extend(stripes(bottom, 1.0));
    }
    ends
}
