//! A reader's look before the write, asked in many runs.
//!
//! In these runs nobody looks, so every client comes to the moment of its look. There the reader's
//! function is asked what it would have said, from what the client knows at that moment. Commit
//! takes no time: what lies between look and write is no fault of a look.

use super::trials::{Failing, Trial, random, smallest};
use super::verdict::{Finding, Shortfall};
use crate::analysis::estimate::writing::with_commas;
use crate::chance::delay::Delay;
use crate::chance::pause::{Pauses, ScriptedPause};
use crate::protocol::lease::{ClientId, Token};
use crate::protocol::message::{Body, Message};
use crate::simulation::scenario::{Scenario, Stop};
use crate::simulation::trace;
use crate::simulation::trace::{Entry, Happening, Trace};
use crate::time::{Time, about, in_words, millis, secs};
use std::collections::BTreeMap;
use std::time::Duration;

/// What is judged: when the client last asked for the lease with success, when it had the answer,
/// what time it is, and how long a lease lasts.
pub(crate) type MayWrite = dyn Fn(Time, Time, Time, Duration) -> bool + Send;

/// So much of the lease may be given away for safety.
const MARGIN: Duration = secs(1);

/// One look.
#[derive(Clone, Copy, Debug)]
struct Look {
    client: ClientId,
    token: Token,
    asked: Time,
    answered: Time,
    now: Time,
}

/// What a look must not say.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Yes, although the lease ended then. The write was accepted; whether it is a zombie write.
    Writes { look: Look, ended: Time, is_zombie: bool },
    /// No, although so much of the lease is left for certain.
    GivesUp { look: Look, left: Duration },
}

/// Whether the look never lets a client write whose lease is over, and lets all others.
pub(crate) fn judge(may_write: &MayWrite) -> Finding {
    let trials = trials();
    let find = |wanted: fn(&Fault) -> bool| {
        smallest(&trials, |trial| first_fault(may_write, trial, wanted))
    };
    // A zombie write is what matters; any other mistake is looked for afterwards.
    let is_zombie = |fault: &Fault| matches!(fault, Fault::Writes { is_zombie: true, .. });
    match find(is_zombie).or_else(|| find(|_| true)) {
        Some(failing) => Finding::NotYet(shortfall(may_write, &failing)),
        None => Finding::Solved(format!(
            "In {} runs, scripted and random, it lets nobody write whose lease is over at that \
             moment, and everybody who can be certain of more than a second. What happens after \
             the look, no look can see.",
            with_commas(trials.len() as u64)
        )),
    }
}

/// Pauses of the worker, and pauses through which a grant or the answer to a renewal waits, the
/// first of each of no length at all; then runs with a seed each.
fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (latency, renew_every) in [
        (Duration::ZERO, None),
        (millis(100), None),
        (secs(1), None),
        (millis(100), Some(secs(3))),
        (secs(1), Some(secs(3))),
    ] {
        for lease in [5, 10].map(secs) {
            let calm = Scenario {
                lease,
                renew_every,
                latency: Delay::constant(latency),
                work: Delay::constant(secs(4)),
                pauses: Pauses::none(),
                stop: Stop::at_time(secs(30)),
                ..Scenario::incident()
            };
            for (client, at) in [(0, millis(4_150)), (0, secs(3)), (1, secs(3))] {
                for length in (0..=30).map(|halves| millis(500 * halves)) {
                    let pauses = Pauses::script([ScriptedPause::new(client, at, length)]);
                    trials.push(Trial::of(Scenario { pauses, ..calm.clone() }, 1));
                }
            }
        }
    }
    trials.extend(random(120).into_iter().zip([None, Some(secs(3))].into_iter().cycle()).map(
        |(trial, renew_every)| {
            let scenario = Scenario { commit: Delay::ZERO, renew_every, ..trial.scenario };
            Trial { scenario, ..trial }
        },
    ));
    trials
}

/// The first look of a run that says what it must not.
fn first_fault(
    may_write: &MayWrite,
    trial: &Trial,
    wanted: fn(&Fault) -> bool,
) -> Option<Failing<Fault>> {
    let run = trace(&trial.scenario, trial.seed).ok()?;
    let lease = trial.scenario.lease;
    let mut leases = Leases::default();
    let mut known = Knowledge::default();
    for number in 0..run.entries.len() {
        let Entry { at: now, happening } = run.entries[number];
        leases.observe(now, &happening);
        known.observe(now, &happening);
        let Happening::Commits { client, token } = happening else { continue };
        let (asked, answered) = known.last(client, token, now)?;
        let look = Look { client, token, asked, answered, now };
        let says = may_write(asked, answered, now, lease);
        // From the sending, since no lease begins before it is asked for.
        let left = (asked + lease) - now;
        let (entry, fault) = match leases.ended.get(&token) {
            Some(ended) if says => {
                let (entry, is_zombie) = its_write(&run, number, token);
                (entry, Fault::Writes { look, ended: *ended, is_zombie })
            }
            None if !says && MARGIN < left => (number, Fault::GivesUp { look, left }),
            _ => continue,
        };
        if wanted(&fault) {
            return Some(Failing::at(trial, run, entry, fault));
        }
    }
    None
}

/// The entry in which the store accepts the write that follows a look, and whether it is a zombie
/// write. The look itself, if the run ends before.
fn its_write(run: &Trace, look: usize, token: Token) -> (usize, bool) {
    let rest = run.entries.iter().enumerate().skip(look);
    let mut writes = rest.filter_map(|(number, entry)| match entry.happening {
        Happening::WriteAccepted { write, .. } if write.token == token => Some(number),
        _ => None,
    });
    let Some(number) = writes.next() else { return (look, false) };
    let before = run.entries[..number].iter().map(|entry| match entry.happening {
        Happening::ReadServed { token, .. } => token,
        Happening::WriteAccepted { write, .. } => write.token,
        _ => Token::NONE,
    });
    (number, before.max().is_some_and(|highest| token < highest))
}

/// When which lease ended at the lock service.
#[derive(Debug, Default)]
struct Leases {
    ended: BTreeMap<Token, Time>,
}

impl Leases {
    fn observe(&mut self, at: Time, happening: &Happening) {
        if let Happening::Expired { lease } | Happening::Released { lease } = happening {
            self.ended.insert(lease.token, at);
        }
    }
}

/// What clients have asked for and heard.
#[derive(Debug, Default)]
struct Knowledge {
    /// When a client last asked for the lock.
    asked: BTreeMap<ClientId, Time>,
    /// For each grant when it was asked for, and when it was handled.
    grants: BTreeMap<Token, (Time, Time)>,
    /// Answers to renewals: token, when it was asked for, when the answer arrives.
    renewals: Vec<(Token, Time, Time)>,
    /// Who is paused from when until when.
    pauses: Vec<(ClientId, Time, Time)>,
}

impl Knowledge {
    fn observe(&mut self, at: Time, happening: &Happening) {
        match *happening {
            Happening::Sent { message: Message { client, body, .. }, arrives } => match body {
                Body::Ask => {
                    self.asked.insert(client, at);
                }
                Body::Renewed(lease, asked) => self.renewals.push((lease.token, asked, arrives)),
                _ => {}
            },
            Happening::Believes { client, token } => {
                let asked = self.asked.get(&client).copied().unwrap_or(at);
                self.grants.insert(token, (asked, at));
            }
            Happening::Paused { client, until } => self.pauses.push((client, at, until)),
            _ => {}
        }
    }

    /// The last request for this lease that was granted, as far as its client knows at this moment:
    /// when it was sent, and when the answer was handled. What arrives in a pause waits.
    fn last(&self, client: ClientId, token: Token, now: Time) -> Option<(Time, Time)> {
        let handled = |arrives: Time| {
            let holds_up = |(who, from, until): &&(ClientId, Time, Time)| {
                *who == client && *from <= arrives && arrives < *until
            };
            self.pauses.iter().filter(holds_up).map(|pause| pause.2).max().unwrap_or(arrives)
        };
        let own = self.renewals.iter().filter(|renewal| renewal.0 == token);
        let renewed = own.map(|(_, asked, arrives)| (*asked, handled(*arrives)));
        let granted = self.grants.get(&token).copied();
        renewed.chain(granted).filter(|(_, answered)| *answered <= now).max()
    }
}

fn shortfall(may_write: &MayWrite, failing: &Failing<Fault>) -> Shortfall {
    let oversight = Oversight::of(may_write);
    let (sentence, general) = match failing.fault {
        Fault::Writes { look: Look { client, now, token, .. }, ended, is_zombie } => {
            let name = if is_zombie { "a zombie write" } else { "a write" };
            let sentence = format!(
                "At {} your code lets {client} write under token {token}, although its lease \
                 ended at {}: {name} at {}.",
                about(now),
                about(ended),
                failing.when()
            );
            (sentence, Oversight::TooLate)
        }
        Fault::GivesUp { look: Look { client, now, asked, .. }, left } => {
            let sentence = format!(
                "At {} your code stops {client}, although its lease surely lasts for {} more: it \
                 asked at {}, and no lease begins before it is asked for.",
                about(now),
                about(Time::START + left),
                about(asked)
            );
            (sentence, Oversight::TooSoon)
        }
    };
    let (Fault::Writes { look, .. } | Fault::GivesUp { look, .. }) = failing.fault;
    let explanation = format!(
        "{} (It was called with `asked` {}, `answered` {}, `now` {} and a lease of {}.)",
        oversight.unwrap_or(general).explanation(),
        about(look.asked),
        about(look.answered),
        about(look.now),
        in_words(failing.trial.scenario.lease)
    );
    let picture = failing.picture("The smallest run in which it is wrong");
    Shortfall::new(sentence, explanation).seen_in(picture)
}

/// What a look typically overlooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Oversight {
    AlwaysYes,
    AlwaysNo,
    WrongWayRound,
    FromReceipt,
    FromReceiptWithMargin,
    AtTheEnd,
    TooLate,
    TooSoon,
}

impl Oversight {
    /// A few questions tell. Asked at 100 s, and a lease of 10 s, unless it says otherwise.
    fn of(may_write: &MayWrite) -> Option<Oversight> {
        let at = |after_ms: u64| Time::START + millis(after_ms);
        let says =
            |answered_ms, now_ms| may_write(at(100_000), at(answered_ms), at(now_ms), secs(10));
        let early = says(100_010, 100_020);
        let late = says(100_010, 500_000);
        match (early, late) {
            (true, true) => return Some(Oversight::AlwaysYes),
            (false, true) => return Some(Oversight::WrongWayRound),
            (false, false) if !says(100_000, 100_000) => return Some(Oversight::AlwaysNo),
            _ => {}
        }
        if says(106_000, 115_900) {
            Some(Oversight::FromReceipt)
        } else if says(140_000, 140_010) {
            Some(Oversight::FromReceiptWithMargin)
        } else if says(100_000, 110_000) {
            Some(Oversight::AtTheEnd)
        } else {
            None
        }
    }

    fn explanation(self) -> &'static str {
        match self {
            Oversight::AlwaysYes => {
                "It always says yes, however late it is. A lease lasts for `lease` and no longer."
            }
            Oversight::AlwaysNo => {
                "It always says no. Nobody writes too late, and nobody writes at all."
            }
            Oversight::WrongWayRound => {
                "The comparison is the wrong way round: it lets those write whose lease is over, \
                 and stops those who have it."
            }
            Oversight::FromReceipt => {
                "It counts the lease from the receipt of the answer. The lock service has counted \
                 from the moment at which it granted, and how long ago that was, nobody can say \
                 who only sees the answer: it was on its way, and perhaps it waited in a pause."
            }
            Oversight::FromReceiptWithMargin => {
                "It still counts from the receipt of the answer, with a margin. How long an answer \
                 was on its way or waited in a pause has no bound, so no margin is enough. Is \
                 there a moment that surely comes before the grant?"
            }
            Oversight::AtTheEnd => {
                "At the very instant at which `lease` has passed, the lease can be over already: \
                 compare with <, not with <=."
            }
            Oversight::TooLate => {
                "It says yes although `lease` has passed since the grant. When the grant was, the \
                 client does not know. But it knows of a moment that surely came before."
            }
            Oversight::TooSoon => {
                "A look that gives up too soon is safe, and its work is thrown away. A second for \
                 safety would be accepted, and no more."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::lease::Lease;

    /// An answer that arrives in a pause is known from the end of the pause on, and an earlier one
    /// until then.
    #[test]
    fn what_arrives_in_a_pause_is_known_after_it() {
        let at = |seconds| Time::START + secs(seconds);
        let (client, token) = (ClientId(0), Token(33));
        let sent = |body, arrives| {
            let message = Message { client, grant: 1, body };
            Happening::Sent { message, arrives }
        };
        let mut known = Knowledge::default();
        known.observe(at(1), &sent(Body::Ask, at(2)));
        known.observe(at(3), &Happening::Believes { client, token });
        let lease = Lease { holder: client, token, expires: at(16) };
        known.observe(at(7), &sent(Body::Renewed(lease, at(6)), at(8)));
        known.observe(at(7), &Happening::Paused { client, until: at(20) });
        assert_eq!(known.last(client, token, at(4)), Some((at(1), at(3))));
        assert_eq!(known.last(client, token, at(20)), Some((at(6), at(20))));
        assert_eq!(known.last(client, Token(34), at(20)), None);
    }
}
