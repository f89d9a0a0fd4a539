//! A part of a run in a sentence, for those who cannot see the picture.

use super::incident::{Judged, judged};
use super::tell::span;
use crate::protocol::client::Ending;
use crate::protocol::lease::{ClientId, Token};
use crate::simulation::trace::{Happening, Trace};
use crate::time::{Time, about};

/// More clauses than this make no sentence.
const MOST_CLAUSES: usize = 9;

/// What matters between two moments. Of a longer part, what led to the first zombie write or
/// refusal, or else how it begins; then what it amounts to.
pub(super) fn sentence(trace: &Trace, (from, to): (Time, Time)) -> String {
    let entries: Vec<Judged> = judged(trace)
        .skip_while(|entry| entry.at < from)
        .take_while(|entry| entry.at <= to)
        .collect();
    let mut clauses: Vec<Clause> = entries.iter().filter_map(clause).collect();
    if clauses.is_empty() {
        return format!("From {} to {} no lock is granted.", about(from), about(to));
    }
    if clauses.len() <= MOST_CLAUSES {
        return format!("{}.", join(&clauses));
    }
    if let Some((client, token)) = entries.iter().find_map(culprit) {
        clauses = leading_to(clauses, client, token);
    }
    clauses.truncate(MOST_CLAUSES);
    let whole = from == Time::START && trace.end <= to;
    format!(
        "{}. {} {}.",
        join(&clauses),
        if whole { "In all:" } else { "In this part:" },
        counts(&entries)
    )
}

/// Something a client does or that is done to what is its own.
#[derive(Clone, Debug)]
struct Clause {
    client: ClientId,
    /// What of the client's it is about, such as its lease.
    own: Option<&'static str>,
    verb: String,
    /// Under which token, where that is known.
    token: Option<Token>,
}

fn clause(entry: &Judged) -> Option<Clause> {
    let (client, token, own, verb) = match entry.happening {
        Happening::Granted { lease } => {
            let verb = format!("is granted the lock with token {}", lease.token);
            (lease.holder, Some(lease.token), None, verb)
        }
        Happening::Paused { client, until } => {
            (client, None, None, format!("is paused for {}", span(until - entry.at)))
        }
        Happening::Resumed { client } => (client, None, None, "wakes".to_owned()),
        Happening::Expired { lease } => {
            (lease.holder, Some(lease.token), Some("lease"), "expires".to_owned())
        }
        Happening::StopsBelieving { client, token, ending: Ending::GaveUp } => {
            (client, Some(token), None, "gives up, since its lease is over".to_owned())
        }
        Happening::Crashed { client, token } => (client, token, None, "crashes".to_owned()),
        Happening::Restarted { client } => (client, None, None, "starts anew".to_owned()),
        Happening::ReadRefused { client, token, .. } => {
            (client, Some(token), Some("read"), "is refused by the store".to_owned())
        }
        Happening::WriteRefused { client, write, .. } => {
            (client, Some(write.token), Some("write"), "is refused by the store".to_owned())
        }
        Happening::WriteAccepted { client, write, .. } if entry.judgement.is_zombie => {
            let verb = "is accepted by the store: a zombie write".to_owned();
            (client, Some(write.token), Some("write"), verb)
        }
        Happening::WriteAccepted { client, write, .. } => {
            (client, Some(write.token), None, "writes".to_owned())
        }
        Happening::CutOff { client, .. } => {
            (client, None, None, "is cut off from the lock service".to_owned())
        }
        Happening::LockFailsOver { forgotten } => {
            let verb = "is unknown to the server that takes over".to_owned();
            (forgotten.holder, Some(forgotten.token), Some("grant"), verb)
        }
        _ => return None,
    };
    Some(Clause { client, own, verb, token })
}

/// Who does what should not have been done, and under which token.
fn culprit(entry: &Judged) -> Option<(ClientId, Token)> {
    match entry.happening {
        Happening::WriteAccepted { client, write, .. } if entry.judgement.is_zombie => {
            Some((client, write.token))
        }
        Happening::WriteRefused { client, write, .. } => Some((client, write.token)),
        Happening::ReadRefused { client, token, .. } => Some((client, token)),
        _ => None,
    }
}

/// What is about this token, from its grant to its write, and about the next one.
fn leading_to(clauses: Vec<Clause>, client: ClientId, token: Token) -> Vec<Clause> {
    let is_its_write = |clause: &Clause| clause.token == Some(token) && clause.own == Some("write");
    let granted = clauses.iter().position(|clause| clause.token == Some(token)).unwrap_or_default();
    let written = clauses.iter().position(is_its_write).unwrap_or(clauses.len() - 1);
    let part = clauses.into_iter().take(written + 1).skip(granted);
    part.filter(|clause| match clause.token {
        Some(other) => other == token || other == token.next(),
        None => clause.client == client,
    })
    .collect()
}

/// Clauses as one sentence: who goes on acting is not named again.
fn join(clauses: &[Clause]) -> String {
    let mut told = String::new();
    // Who acted last. What happens to what is a client's own is no act of the client.
    let mut last = None;
    for Clause { client, own, verb, .. } in clauses {
        let is_same =
            last == Some((*client, false)) || (own.is_some() && last == Some((*client, true)));
        let next = match (own, is_same) {
            _ if told.is_empty() && own.is_none() => format!("{client} {verb}"),
            (None, false) => format!("; {client} {verb}"),
            (None, true) => format!(" and {verb}"),
            (Some(own), true) => format!("; its {own} {verb}"),
            (Some(own), false) if told.is_empty() => format!("{client}'s {own} {verb}"),
            (Some(own), false) => format!("; {client}'s {own} {verb}"),
        };
        told.push_str(&next);
        last = Some((*client, own.is_some()));
    }
    told
}

/// What a part of a run amounts to.
fn counts(entries: &[Judged]) -> String {
    let count = |is_counted: fn(&Judged) -> bool| entries.iter().filter(|e| is_counted(e)).count();
    let counts = [
        (count(|e| matches!(e.happening, Happening::Granted { .. })), "grant"),
        (count(|e| matches!(e.happening, Happening::Expired { .. })), "expired lease"),
        (count(|e| e.judgement.is_zombie), "zombie write"),
        (count(|e| matches!(e.happening, Happening::WriteRefused { .. })), "refused write"),
        (count(|e| matches!(e.happening, Happening::ReadRefused { .. })), "refused read"),
    ];
    let told = counts.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| {
        let plural = if *count == 1 { "" } else { "s" };
        format!("{count} {noun}{plural}")
    });
    told.collect::<Vec<_>>().join(", ")
}
