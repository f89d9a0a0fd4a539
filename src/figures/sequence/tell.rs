//! The telling: what happened, in plain sentences, one line an event.

use super::incident::{Judged, judged};
use super::story::{Mark, MarkKind, Story};
use crate::protocol::client::Ending;
use crate::protocol::lease::Token;
use crate::protocol::message::{Body, Message};
use crate::protocol::store::Refused;
use crate::simulation::scenario::clocks::Way;
use crate::simulation::trace::{Happening, Trace};
use crate::time::{Time, about, secs};
use std::time::Duration;

/// The part of a trace between two moments, line by line. `story` knows what began before.
pub(super) fn lines(trace: &Trace, story: &Story, (from, to): (Time, Time)) -> Vec<String> {
    let decimals = decimals_for(to - from);
    let width = moment(to, decimals).len();
    let began_before = began_before(story, from);
    let mut told: Vec<String> = began_before
        .map(|sentence| format!("{:>width$}  {sentence}", moment(from, decimals)))
        .collect();
    for entry in judged(trace) {
        if to < entry.at {
            break;
        }
        if let Some(sentence) = sentence(&entry).filter(|_| from <= entry.at) {
            told.push(format!("{:>width$}  {sentence}", moment(entry.at, decimals)));
        }
    }
    told
}

/// What is already so at the first moment.
fn began_before(story: &Story, from: Time) -> impl Iterator<Item = String> {
    let beliefs = story.beliefs.iter().filter(move |belief| belief.stretch.began < from);
    let pauses = story.pauses.iter().filter(move |pause| pause.stretch.began < from);
    let beliefs = beliefs.map(|belief| {
        let (client, token, since) = (belief.client, belief.token, about(belief.stretch.began));
        match token {
            Token::NONE => format!("{client} has been at its turn since {since}"),
            token => format!(
                "{client} has believed that it holds the lock (token {token}) since {since}"
            ),
        }
    });
    beliefs.chain(pauses.map(|pause| {
        let (client, since, until) = (pause.client, about(pause.stretch.began), pause.until);
        format!("{client} has been paused since {since}, until {}", about(until))
    }))
}

/// Decimals of a second: enough to tell messages apart in a part of this length.
fn decimals_for(span: Duration) -> usize {
    if secs(1) <= span { 3 } else { 6 }
}

fn moment(at: Time, decimals: usize) -> String {
    format!("{:.decimals$} s", at.as_secs_f64())
}

/// A span as a reader says it: at most three digits after the point.
pub(super) fn span(length: Duration) -> String {
    let (seconds, unit) = match length.as_secs_f64() {
        seconds if seconds >= 1.0 || seconds == 0.0 => (seconds, "s"),
        seconds if seconds >= 1e-3 => (seconds * 1e3, "ms"),
        seconds => (seconds * 1e6, "µs"),
    };
    let written = format!("{seconds:.2}");
    format!("{} {unit}", written.trim_end_matches('0').trim_end_matches('.'))
}

/// What an entry says; nothing if it only carries an answer or is told with what follows at once.
fn sentence(entry: &Judged) -> Option<String> {
    Some(match entry.happening {
        Happening::Sent { message, arrives } => return sent(entry.at, &message, arrives),
        Happening::Copied { message, .. } => copied(&message),
        Happening::Believes { client, token: Token::NONE } => format!("{client} begins its turn"),
        Happening::Believes { client, token } => {
            format!("{client} believes that it holds the lock (token {token})")
        }
        Happening::StopsBelieving { client, token: Token::NONE, ending } => {
            format!("{client} ends its turn: {}", ending_words(ending))
        }
        Happening::StopsBelieving { client, token, ending } => {
            format!("{client} stops believing (token {token}): {}", ending_words(ending))
        }
        Happening::Works { client, .. } => format!("{client} works"),
        Happening::Commits { .. } => return None,
        Happening::Paused { client, until } => format!("{client} is paused until {}", about(until)),
        Happening::Resumed { client } => format!("{client} wakes, and goes on where it stopped"),
        Happening::Crashed { client, token: Some(token) } if token != Token::NONE => {
            format!("{client} crashes, holding token {token} as far as it knew")
        }
        Happening::Crashed { client, .. } => format!("{client} crashes"),
        Happening::Restarted { client } => format!("{client} starts anew, and knows nothing"),
        Happening::Granted { lease } => format!(
            "the lock service grants {} the lock: token {}, lease until {}",
            lease.holder,
            lease.token,
            about(lease.expires)
        ),
        Happening::Renewed { lease } => format!(
            "the lock service extends the lease of {} (token {}) until {}",
            lease.holder,
            lease.token,
            about(lease.expires)
        ),
        Happening::Released { lease } => {
            format!("the lease of {} (token {}) ends: released", lease.holder, lease.token)
        }
        Happening::Expired { lease } => {
            format!("the lease of {} (token {}) expires", lease.holder, lease.token)
        }
        Happening::ReadServed { .. }
        | Happening::ReadRefused { .. }
        | Happening::WriteAccepted { .. }
        | Happening::WriteRefused { .. } => return Mark::of(entry).map(|mark| served(&mark)),
        _ => return mishap(&entry.happening),
    })
}

/// What happens to services, clocks and messages.
pub(super) fn mishap(happening: &Happening) -> Option<String> {
    Some(match *happening {
        Happening::Lost { message } => format!("{}: the message is lost", said(&message)),
        Happening::CutOff { client, until } => format!(
            "what {client} sends to the lock service does not arrive any more, until {}",
            about(until)
        ),
        Happening::LockStalls { until } => {
            format!("the lock service stands still until {}", about(until))
        }
        Happening::LockGoesOn => "the lock service goes on, and looks at its clock".to_owned(),
        Happening::LockFailsOver { forgotten } => format!(
            "another server takes the place of the lock service: it knows nothing of the grant to \
             {} (token {})",
            forgotten.holder, forgotten.token
        ),
        Happening::LockForgetsNumbers => {
            "the lock service has lost its counter of tokens, which starts again".to_owned()
        }
        Happening::ClockIsSet { client, by, way } => {
            let whose =
                client.map_or_else(|| "the lock service".to_owned(), |client| client.to_string());
            format!("the clock of {whose} is set {} by {}", way_words(way), span(by))
        }
        Happening::InstanceIsAway { instance, until } => {
            format!("instance {} is out of reach until {}", instance + 1, about(until))
        }
        Happening::InstanceClockIsSet { instance, by } => {
            format!("the clock of instance {} is set forward by {}", instance + 1, span(by))
        }
        Happening::StoreForgets => "the store has lost what it compares with".to_owned(),
        Happening::StoreRestarts => "the store restarts".to_owned(),
        Happening::WriteChecked { client, write } => format!(
            "the store has checked {client}'s write{}, and will do it in a second step",
            under(write.token)
        ),
        Happening::WriteRepeated { client, write } => format!(
            "the store knows {client}'s write{}: it answers as before, and does nothing",
            under(write.token)
        ),
        _ => return None,
    })
}

pub(super) fn way_words(way: Way) -> &'static str {
    match way {
        Way::Forward => "forward",
        Way::Back => "back",
    }
}

/// A message has a line of its own if nothing else will tell of it.
fn sent(at: Time, message: &Message, arrives: Time) -> Option<String> {
    let is_told_on_arrival = match message.body {
        Body::Ask | Body::AskIfCurrent(_) | Body::IfCurrent(..) | Body::Lost(_) => false,
        Body::Write(_) => arrives == at,
        _ => true,
    };
    (!is_told_on_arrival).then(|| said(message))
}

/// What a message says.
pub(super) fn said(message: &Message) -> String {
    let client = message.client;
    match message.body {
        Body::Ask => format!("{client} asks for the lock"),
        Body::Renew(token, _) => format!("{client} asks to extend its lease (token {token})"),
        Body::AskIfCurrent(token) => {
            format!("{client} asks the lock service whether token {token} is still current")
        }
        Body::Release(token) => format!("{client} releases token {token}"),
        Body::Read(token) => format!("{client} sends its read{}", under(token)),
        Body::Write(write) => format!("{client} sends its write{}", under(write.token)),
        Body::Granted(lease) => {
            format!("the lock service tells {client} of its grant: token {}", lease.token)
        }
        Body::Renewed(lease, _) => format!(
            "the lock service tells {client} that its lease is extended (token {})",
            lease.token
        ),
        Body::Lost(token) => {
            format!("the lock service tells {client} that its lease is lost (token {token})")
        }
        Body::IfCurrent(token, true) => {
            format!("the lock service tells {client} that token {token} is still current")
        }
        Body::IfCurrent(token, false) => {
            format!("the lock service tells {client} that token {token} is not current any more")
        }
        Body::ReadAnswer(_, Ok(record)) => {
            format!("the store answers {client}'s read: version {}", record.version)
        }
        Body::WriteAnswer(_, Ok(())) => format!("the store answers {client}'s write: accepted"),
        Body::ReadAnswer(_, Err(refused)) | Body::WriteAnswer(_, Err(refused)) => {
            format!("the store answers {client}: {refused}")
        }
    }
}

/// What the network does with a write.
pub(super) fn copied(message: &Message) -> String {
    let token = match message.body {
        Body::Write(write) => write.token,
        _ => Token::NONE,
    };
    format!("the network makes a copy of {}'s write{}", message.client, under(token))
}

/// The token of a request. Without a lock there is none.
fn under(token: Token) -> String {
    match token {
        Token::NONE => String::new(),
        token => format!(" with token {token}"),
    }
}

/// What the store does.
pub(super) fn served(mark: &Mark) -> String {
    let Mark { client, seen, .. } = mark;
    let under = under(mark.token);
    let reason = Refused { mark: *seen }.reason(mark.token);
    let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
    let lost = if mark.is_lost_update { "lost update" } else { "" };
    let told = match mark.kind {
        MarkKind::ReadServed => format!("the store serves {client}'s read{under}"),
        MarkKind::ReadRefused => format!("the store refuses {client}'s read{under}{reason}"),
        MarkKind::WriteAccepted => format!("the store accepts {client}'s write{under}"),
        MarkKind::WriteRefused => format!("the store refuses {client}'s write{under}{reason}"),
        MarkKind::ZombieWrite => {
            // Where numbers do not order grants, the one that was served need not be higher.
            let served = match mark.token < *seen {
                true => format!("token {seen}"),
                false => "a later grant".to_owned(),
            };
            format!(
                "the store accepts {client}'s write{under}: ZOMBIE WRITE (it has already served \
                 {served})"
            )
        }
    };
    let separator = match (mark.is_lost_update, mark.kind) {
        (false, _) => "",
        (true, MarkKind::ZombieWrite) => ", ",
        (true, _) => ": ",
    };
    format!("{told}{separator}{lost}")
}

/// How a turn ended.
pub(super) fn ending_words(ending: Ending) -> &'static str {
    match ending {
        Ending::Wrote => "its write was accepted",
        Ending::WasRefused => "it was refused",
        Ending::GaveUp => "it gives up, since its lease is over",
    }
}
