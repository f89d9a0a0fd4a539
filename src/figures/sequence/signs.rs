//! Signs: what happens to a service, a clock or the store, beside what they do themselves.
//! A sign is a diamond on the lane of whom it happens to.

use super::layout::Layout;
use super::story::Sign;
use super::tell::{span, way_words};
use crate::figures::svg::{Element, path};
use crate::protocol::message::Party;
use crate::simulation::trace::Happening;
use crate::time::about;

/// Half the height of a diamond.
pub(super) const HALF: f64 = 5.5;

/// To whom something happens, and a few words for it, line by line; nothing where it is not of this
/// kind.
pub(super) fn sign(happening: &Happening) -> Option<(Party, Vec<String>)> {
    let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
    Some(match *happening {
        Happening::CutOff { client, until } => {
            (Party::Client(client), vec!["cut off".to_owned(), format!("until {}", about(until))])
        }
        Happening::LockFailsOver { .. } => {
            (Party::LockService, lines(&["fails over,", "grant unknown"]))
        }
        Happening::LockForgetsNumbers => (Party::LockService, lines(&["counter", "starts again"])),
        Happening::ClockIsSet { client, by, way } => {
            let whose = client.map_or(Party::LockService, Party::Client);
            (whose, vec!["clock set".to_owned(), format!("{} {}", way_words(way), span(by))])
        }
        Happening::InstanceIsAway { instance, .. } => {
            (Party::LockService, vec![format!("instance {}", instance + 1), "away".to_owned()])
        }
        Happening::InstanceClockIsSet { instance, by } => {
            let (number, by) = (instance + 1, span(by));
            (Party::LockService, vec![format!("clock of {number}"), format!("forward {by}")])
        }
        Happening::StoreForgets => (Party::Store, lines(&["forgets its mark"])),
        Happening::StoreRestarts => (Party::Store, lines(&["restarts"])),
        Happening::WriteChecked { write, .. } => {
            (Party::Store, vec![format!("{} checked", super::words::short(write.token))])
        }
        Happening::WriteRepeated { write, .. } => (
            Party::Store,
            vec![format!("{} known:", super::words::short(write.token)), "not done".to_owned()],
        ),
        _ => return None,
    })
}

/// All signs of a picture.
pub(super) fn draw(layout: &Layout) -> Element {
    let signs = layout.story.signs.iter().map(|sign| diamond(layout.sign_at(sign)));
    Element::new("g").with_all(signs)
}

/// One sign.
pub(super) fn diamond((x, y): (f64, f64)) -> Element {
    let corners = vec![(x, y - HALF), (x + HALF, y), (x, y + HALF), (x - HALF, y), (x, y - HALF)];
    path(&[corners]).set("class", "fz-sign").set("data-mark", "sign")
}

impl Layout {
    /// The place of a sign.
    pub(super) fn sign_at(&self, sign: &Sign) -> (f64, f64) {
        (self.x(sign.lane), self.axis.row(sign.row))
    }
}
