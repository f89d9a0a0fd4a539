//! The hover texts: for everything drawn, what happened and when.
//!
//! They lie over the picture as areas that cannot be seen, in front of all else, so that no text is
//! covered by a shape drawn later. Each can be reached by the tab key too, and is named for those
//! who hear the page. An SVG title would name it as well, but browsers show that beside our text.

use super::layout::{Layout, MARK, Segment};
use super::signs::HALF;
use super::story::{Arrow, Belief, LeaseBar};
use super::tell::{copied, ending_words, said, served, span};
use crate::figures::svg::{Area, Element, line, rect, text, text_width, wrapped};
use crate::protocol::lease::Token;
use crate::protocol::message::Party;
use crate::time::about;
use std::time::Duration;

const FONT: f64 = 11.0;
const WIDEST: f64 = 260.0;
const LINE: f64 = 14.0;

/// All hover texts. None reaches out of `page`.
pub(super) fn draw(layout: &Layout, page: &Area) -> Element {
    let story = &layout.story;
    let mut tips = Element::new("g");
    for bar in &story.leases {
        let area = layout.lease_area(bar);
        tips = tips.with(tip(rect(area), area, &lease_tip(bar), page));
    }
    for part in &layout.segments {
        let area = layout.segment_area(part);
        tips = tips.with(tip(rect(area), area, &segment_tip(layout, part), page));
    }
    for (arrow, (from, to)) in story.arrows.iter().zip(&layout.arrows) {
        let hit = line(*from, *to).set("stroke-width", 9);
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        tips = tips.with(tip(hit, Area::around(middle, 1.0, 1.0), &arrow_tip(arrow), page));
    }
    for mark in &story.marks {
        let area = Area::around(layout.mark_at(mark.row), MARK + 1.0, MARK + 1.0);
        let told = format!("{}: {}", about(mark.at), served(mark));
        tips = tips.with(tip(rect(area).set("rx", 4), area, &told, page));
    }
    for stall in &story.stalls {
        // Only its edge: what it surrounds is for the leases.
        let whole = layout.stall_area(stall);
        let area = Area { right: whole.left + 4.0, ..whole };
        let (began, until) = (about(stall.stretch.began), about(stall.until));
        let told = format!("the lock service stands still from {began} to {until}");
        tips = tips.with(tip(rect(area), area, &told, page));
    }
    for sign in &story.signs {
        let area = Area::around(layout.sign_at(sign), HALF + 2.0, HALF + 2.0);
        tips = tips.with(tip(rect(area).set("rx", 4), area, &sign.told, page));
    }
    for outage in &story.outages {
        let x = layout.x(Party::Client(outage.client));
        let area = Area::around((x, layout.axis.row(outage.stretch.from)), MARK, MARK);
        let client = outage.client;
        let restart = match outage.stretch.ended {
            Some(ended) => format!("; at {} it starts anew, and knows nothing", about(ended)),
            None => String::new(),
        };
        let told = format!("{}: {client} crashes{restart}", about(outage.stretch.began));
        tips = tips.with(tip(rect(area).set("rx", 4), area, &told, page));
    }
    tips
}

/// A text beside an area, and the shape that one has to point at to see it.
fn tip(hit: Element, near: Area, told: &str, page: &Area) -> Element {
    let lines = wrapped(told, FONT, WIDEST);
    let width = lines.iter().map(|line| text_width(line, FONT)).fold(0.0, f64::max) + 16.0;
    let height = lines.len() as f64 * LINE + 8.0;
    let left = (near.right + 10.0).min(page.right - width - 2.0).max(2.0);
    let top = ((near.top + near.bottom) / 2.0 + 10.0).min(page.bottom - height - 2.0).max(2.0);
    let ground = Area { left, top, right: left + width, bottom: top + height };
    let words = lines
        .iter()
        .enumerate()
        .map(|(index, line)| text(left + 8.0, top + LINE * (index as f64 + 1.0), "start", line));
    let ground = rect(ground).set("rx", 4);
    let tip = Element::new("g").set("class", "fz-tip").with(ground).with_all(words);
    Element::new("g")
        .set("class", "fz-event")
        .set("tabindex", 0)
        .set("role", "img")
        .set("aria-label", told)
        .with(hit.set("class", "fz-hit"))
        .with(tip)
}

fn lease_tip(bar: &LeaseBar) -> String {
    let (holder, token) = (bar.lease.holder, bar.lease.token);
    let granted = about(bar.stretch.began);
    let renewed = match bar.renewed.len() {
        0 => String::new(),
        1 => ", extended once".to_owned(),
        times => format!(", extended {times} times"),
    };
    match (bar.stretch.ended, bar.expired) {
        (Some(ended), true) => {
            format!(
                "lease of {holder}, token {token}: granted at {granted}{renewed}, expires at {}",
                about(ended)
            )
        }
        (Some(ended), false) => {
            format!(
                "lease of {holder}, token {token}: granted at {granted}{renewed}, released at {}",
                about(ended)
            )
        }
        (None, _) => format!(
            "lease of {holder}, token {token}: granted at {granted}{renewed}, would expire at {}",
            about(bar.lease.expires)
        ),
    }
}

fn segment_tip(layout: &Layout, part: &Segment) -> String {
    let client = part.client;
    let pause =
        layout.story.pauses.iter().find(|pause| {
            part.is_paused && pause.client == client && pause.stretch.covers(part.from)
        });
    let pause = pause.map(|pause| {
        let (began, until) = (pause.stretch.began, pause.until);
        let length: Duration = until - began;
        format!("{client} is paused from {} to {} ({})", about(began), about(until), span(length))
    });
    let belief = part.belief.map(|index| belief_tip(&layout.story.beliefs[index]));
    let over = if part.is_lease_over { ". Its lease is over, and it does not know" } else { "" };
    let told: Vec<String> = pause.into_iter().chain(belief).collect();
    format!("{}{over}", told.join("; "))
}

fn belief_tip(belief: &Belief) -> String {
    let Belief { client, token, stretch, ending, .. } = belief;
    let began = about(stretch.began);
    let ended = match (stretch.ended, ending) {
        (Some(ended), Some(ending)) => format!(" to {}: {}", about(ended), ending_words(*ending)),
        (Some(ended), None) => format!(" to {}: it crashes", about(ended)),
        (None, _) => String::new(),
    };
    match *token {
        Token::NONE => format!("{client} takes its turn from {began}{ended}"),
        token => {
            format!("{client} believes that it holds the lock (token {token}) from {began}{ended}")
        }
    }
}

fn arrow_tip(arrow: &Arrow) -> String {
    if arrow.is_lost {
        return format!("{}: {}: the message is lost", about(arrow.sent), said(&arrow.message));
    }
    let (sent, arrives) = (about(arrow.sent), about(arrow.arrives));
    let when = if sent == arrives { sent } else { format!("{sent} to {arrives}") };
    let told = if arrow.is_copy { copied(&arrow.message) } else { said(&arrow.message) };
    format!("{when}: {told}")
}
