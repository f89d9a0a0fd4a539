//! What a failing store overlooks, and how it is told.
//!
//! A run shows that a store fails; why it does, a few questions tell that are put to a new store of
//! the same make: is the same token served twice, does a newer one get in, does a restart matter.

use super::store_judge::{Fault, is_answered};
use super::store_under_test::{Make, Request, RequestKind};
use super::trials::Failing;
use super::verdict::Shortfall;
use crate::protocol::lease::{ClientId, Token};
use crate::protocol::store::Write;
use crate::simulation::trace::Trace;
use crate::time::{Time, about};
use std::panic::{AssertUnwindSafe, catch_unwind};

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);
const OLD: Token = Token(33);
const NEW: Token = Token(34);

/// What is typically overlooked, each with the explanation that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Oversight {
    RefusesEverything,
    RefusesAfterRestart,
    OwnTokenAgain,
    NewerToken,
    AsksLockService,
    MarkPerClient,
    LostAtRestart,
    WritesOnly,
    MarkGoesDown,
    ChecksOnTheWay,
    WrongWayRound,
    ServesEverything,
}

impl Oversight {
    fn explanation(self) -> &'static str {
        match self {
            Oversight::RefusesEverything => {
                "It refuses the very first request it gets. A store that serves nobody is safe, \
                 and of no use: it must refuse only what is older than something it has served."
            }
            Oversight::RefusesAfterRestart => {
                "After a restart it refuses what it would have served before. A new process must \
                 go on with the mark that the old one had: no lower, and no higher."
            }
            Oversight::OwnTokenAgain => {
                "A holder sends more than one request under one token: it reads, and later it \
                 writes. An equal token is the holder's own. Compare with >=, not with >: refuse \
                 only what is below the mark."
            }
            Oversight::NewerToken => {
                "A higher token is a newer grant, and must always be let in: that is how the store \
                 learns of it. Only a lower one is to be refused. A comparison for equality cannot \
                 tell newer from older."
            }
            Oversight::AsksLockService => {
                "It relies on what the lock service said when the client asked. That was true \
                 then. Between the answer and the arrival at the store there is time, and a pause \
                 fits into it. The store must compare with what it has served itself."
            }
            Oversight::MarkPerClient => {
                "It remembers a mark for each client. A's own tokens only ever go up; it is B's \
                 token that makes A's too old. There must be one mark for all who use this value."
            }
            Oversight::LostAtRestart => {
                "The mark is lost when the store restarts: the new process has seen no token yet, \
                 and the first to come is let in, however old. The mark belongs on the disk, with \
                 the value that it protects, and a new process must begin with it."
            }
            Oversight::WritesOnly => {
                "It looks at the tokens of writes only. The newer holder has read and not written \
                 yet, so the store has not heard of its token, and the old write still passes. The \
                 first request of a new holder is its read: that must raise the mark."
            }
            Oversight::MarkGoesDown => {
                "The mark goes down again. A late request with a lower token must leave it where \
                 it is: first compare, then raise the mark, and only ever upwards."
            }
            Oversight::ChecksOnTheWay => {
                "The check and the write are two steps, and time passes between them. What was \
                 good when it was checked can be too old when it is carried out: a newer token was \
                 served in between. Compare where the write happens, in the same step."
            }
            Oversight::WrongWayRound => {
                "The comparison is the wrong way round: it refuses a newer token and lets an older \
                 one in. Refuse what is below the mark."
            }
            Oversight::ServesEverything => {
                "It lets an old token in as if it were a new one. If there is a comparison in it: \
                 does anything ever raise the mark that it compares with? And is the mark, when it \
                 compares, not yet this request's own token?"
            }
        }
    }
}

/// The failure in words and as a picture.
pub(crate) fn shortfall(make: &Make, failing: &Failing<Fault>) -> Shortfall {
    let sentence = sentence(failing);
    let explanation = match &failing.fault {
        Fault::Panics(_) => {
            "The run is shown up to that moment. Nothing is lost: mend it and run the cell again."
        }
        Fault::Forgets { .. } => {
            "Whatever a store refuses, what it serves must be right: a read gives the last value \
             that was accepted, and the version counts the accepted writes."
        }
        fault => {
            // A reader's code that panics or is whimsical gets the general explanation.
            let found = catch_unwind(AssertUnwindSafe(|| oversight(make, failing)));
            found.ok().flatten().map_or(general(fault), Oversight::explanation)
        }
    };
    let picture = failing.picture("The smallest run in which it fails");
    Shortfall::new(sentence, explanation).seen_in(picture)
}

fn general(fault: &Fault) -> &'static str {
    match fault {
        Fault::TurnsAway { .. } => {
            "Refuse only what is below the highest token served so far. Everything else has a \
             right to be served, or the lock is of no use to its holder."
        }
        _ => {
            "Once a token is served, by a read or a write, no write with a lower one may be \
             accepted any more."
        }
    }
}

fn sentence(failing: &Failing<Fault>) -> String {
    let when = failing.when();
    let restart = failing.trial.restart_before.map_or_else(String::new, |request| {
        let (after, before) = around_request(&failing.trace, request);
        let (after, before) = (about(after), about(before));
        format!(" The store was restarted between {after} and {before}.")
    });
    match &failing.fault {
        Fault::Zombie { client, token, served, has_written } => {
            let done = if *has_written { "written" } else { "read" };
            format!(
                "At {when} your store accepts {client}'s write with token {token}, although the \
                 holder of token {served} has already {done}.{restart}"
            )
        }
        Fault::Repeated { client, token, served } => format!(
            "At {when} a copy of {client}'s write with token {token} arrives, delayed on its way, \
             and your store accepts it, although it has served token {served}."
        ),
        Fault::TurnsAway { client, token, served, kind } => {
            let seen = match served {
                &Token::NONE => "has served nobody yet".to_owned(),
                _ => format!("has served no token above {served}"),
            };
            format!(
                "At {when} your store refuses {client}'s {kind} with token {token}, although \
                 {client} is the holder, and the store {seen}.{restart}"
            )
        }
        Fault::Forgets { client, gives, written } => format!(
            "At {when} {client} reads value {} of version {}, but value {} of version {} was \
             written.{restart}",
            gives.value, gives.version, written.value, written.version
        ),
        Fault::Panics(what) => what.clone(),
    }
}

/// When the request before this one reached the store, and when this one did.
fn around_request(trace: &Trace, request: usize) -> (Time, Time) {
    let at = |number: usize| {
        let mut answered = trace.entries.iter().filter(|entry| is_answered(&entry.happening));
        answered.nth(number).map_or(trace.end, |entry| entry.at)
    };
    (request.checked_sub(1).map_or(Time::START, at), at(request))
}

/// The first oversight whose questions are answered as such a store would.
fn oversight(make: &Make, failing: &Failing<Fault>) -> Option<Oversight> {
    match failing.fault {
        Fault::TurnsAway { .. } => too_strict(make),
        Fault::Zombie { .. } | Fault::Repeated { .. } => too_lenient(make),
        Fault::Forgets { .. } | Fault::Panics(_) => None,
    }
}

/// What makes a store refuse those who are in the right.
fn too_strict(make: &Make) -> Option<Oversight> {
    let refuses = |questions: &[Question]| !serves(make, questions);
    if refuses(&[reads(A, OLD)]) {
        Some(Oversight::RefusesEverything)
    } else if refuses(&[Question::Restart, reads(A, OLD)])
        || refuses(&[reads(A, OLD), Question::Restart, writes(A, OLD)])
            && serves(make, &[reads(A, OLD), writes(A, OLD)])
    {
        Some(Oversight::RefusesAfterRestart)
    } else if refuses(&[reads(A, OLD), writes(A, OLD)]) {
        Some(Oversight::OwnTokenAgain)
    } else if refuses(&[reads(A, OLD), writes(A, OLD), reads(B, NEW)]) {
        Some(Oversight::NewerToken)
    } else {
        None
    }
}

/// What makes a store accept a write from the past.
fn too_lenient(make: &Make) -> Option<Oversight> {
    let late = [reads(B, NEW), writes(B, NEW), writes(A, OLD)];
    let refuses_late = !serves(make, &late);
    let answers_late = answers(make, &[&late[..], &[writes(A, OLD), reads(A, OLD)]].concat());
    if serves(make, &[reads(B, NEW), writes(B, NEW), writes(A, OLD).told(OLD)])
        && !serves(make, &[reads(A, OLD), writes(A, OLD).told(NEW)])
    {
        Some(Oversight::AsksLockService)
    } else if !refuses_late && !serves(make, &[reads(A, NEW), writes(A, NEW), writes(A, OLD)]) {
        Some(Oversight::MarkPerClient)
    } else if !refuses_late && !serves(make, &[reads(A, OLD), writes(B, NEW)]) {
        Some(Oversight::WrongWayRound)
    } else if !refuses_late {
        Some(Oversight::ServesEverything)
    } else if serves(make, &[reads(B, NEW), writes(B, NEW), Question::Restart, writes(A, OLD)]) {
        Some(Oversight::LostAtRestart)
    } else if serves(make, &[reads(B, NEW), writes(A, OLD)]) {
        Some(Oversight::WritesOnly)
    } else if answers_late[3..].contains(&true) {
        Some(Oversight::MarkGoesDown)
    } else if serves(make, &[Question::Passes(A, OLD), reads(B, NEW), Question::Arrives(A, OLD)]) {
        Some(Oversight::ChecksOnTheWay)
    } else {
        None
    }
}

/// Whether a new store serves the last of these.
fn serves(make: &Make, questions: &[Question]) -> bool {
    answers(make, questions).last() == Some(&true)
}

fn reads(client: ClientId, token: Token) -> Question {
    Question::of(client, token, RequestKind::Read)
}

fn writes(client: ClientId, token: Token) -> Question {
    Question::of(client, token, RequestKind::Write)
}

/// Something that is done to a store to see what it does.
#[derive(Clone, Copy, Debug)]
enum Question {
    /// A request that takes no time on its way.
    Asks(Request),
    /// A write leaves, and has not arrived.
    Passes(ClientId, Token),
    /// It arrives.
    Arrives(ClientId, Token),
    Restart,
}

impl Question {
    fn of(client: ClientId, token: Token, kind: RequestKind) -> Question {
        Question::Asks(Request { client, token, kind, current: Some(token) })
    }

    /// The same, with another answer of the lock service.
    fn told(self, current: Token) -> Question {
        match self {
            Question::Asks(request) => {
                Question::Asks(Request { current: Some(current), ..request })
            }
            other => other,
        }
    }
}

/// For each question to a new store whether the request was served.
fn answers(make: &Make, questions: &[Question]) -> Vec<bool> {
    let mut subject = make();
    let subject = subject.as_mut();
    let write = |token| Write { token, read_version: 0, read_value: 0, value: 1 };
    let request =
        |client, token| Request { client, token, kind: RequestKind::Write, current: Some(token) };
    let answer = |question: &Question| match *question {
        Question::Asks(request) => {
            let passes = subject.passes(&request);
            passes
                && match request.kind {
                    RequestKind::Read => subject.read(&request).is_ok(),
                    RequestKind::Write => subject.write(&request, write(request.token)).is_ok(),
                }
        }
        Question::Passes(client, token) => subject.passes(&request(client, token)),
        Question::Arrives(client, token) => {
            subject.write(&request(client, token), write(token)).is_ok()
        }
        Question::Restart => {
            subject.restart();
            true
        }
    };
    questions.iter().map(answer).collect()
}
