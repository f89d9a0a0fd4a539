//! A reader's store in many runs: what it must never do, and the smallest run in which it does.

use super::attempt::panic_sentence;
use super::store_under_test::{Make, Request, RequestKind, Subject};
use super::trials::{Failing, Trial, smallest};
use crate::protocol::lease::{ClientId, Token};
use crate::protocol::message::{Body, Message};
use crate::protocol::store::{Record, Refused, Store, Write};
use crate::simulation::observe_with_store;
use crate::simulation::trace::{Entry, Happening, Observer, Trace};
use crate::time::Time;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// What a store must not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It accepts a write although it has served a higher token, and whether that one has written.
    Zombie { client: ClientId, token: Token, served: Token, has_written: bool },
    /// The same for a copy of a write that it has accepted before.
    Repeated { client: ClientId, token: Token, served: Token },
    /// It refuses a request of the holder, whose lease is current.
    TurnsAway { client: ClientId, token: Token, served: Token, kind: RequestKind },
    /// It gives another record than the one that was written.
    Forgets { client: ClientId, gives: Record, written: Record },
    /// The reader's code panics.
    Panics(String),
}

/// The smallest of these runs in which a store does what it must not.
pub(crate) fn smallest_fault(make: &Make, trials: &[Trial]) -> Option<Failing<Fault>> {
    let mut panics = 0;
    smallest(trials, |trial| {
        // A panic takes its time, and the others will be no different.
        let failing = if panics < MANY_PANICS { run(make, trial) } else { None };
        let has_panicked = |failing: &Failing<Fault>| matches!(failing.fault, Fault::Panics(_));
        panics += usize::from(failing.as_ref().is_some_and(has_panicked));
        failing
    })
}

/// After so many there is no need for more.
const MANY_PANICS: usize = 10;

/// One run: what goes wrong first, if anything does.
fn run(make: &Make, trial: &Trial) -> Option<Failing<Fault>> {
    let mut trace = Trace::new(&trial.scenario, trial.seed);
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let wires = Rc::new(RefCell::new(Wires::new(make(), trial)));
        let mut store = UnderTest(Rc::clone(&wires));
        let observer = (&mut trace, Ear(Rc::clone(&wires)));
        // The scenarios are ours and valid; if one is not, there is nothing to find in it.
        let _ = observe_with_store(&trial.scenario, trial.seed, &mut store, observer);
        wires.borrow_mut().copies_served.split_off(0)
    }));
    match ran {
        Ok(copies) => {
            insert(&mut trace, copies);
            let (entry, fault) = first_fault(&trace)?;
            Some(Failing::at(trial, trace, entry, fault))
        }
        Err(payload) => {
            let last = trace.entries.len().saturating_sub(1);
            Some(Failing::at(trial, trace, last, Fault::Panics(panic_sentence(payload.as_ref()))))
        }
    }
}

/// Goes through a run from its beginning to the first thing that a store must not do.
fn first_fault(trace: &Trace) -> Option<(usize, Fault)> {
    let mut watch = Watch::default();
    trace
        .entries
        .iter()
        .enumerate()
        .find_map(|(number, entry)| watch.fault(&entry.happening).map(|fault| (number, fault)))
}

/// What a store has served so far.
#[derive(Debug, Default)]
struct Watch {
    served: Option<Token>,
    /// Whether the highest token has written.
    has_written: bool,
    record: Record,
    /// Who has written under which token.
    writers: Vec<Token>,
    /// The token that is current at the lock service.
    current: Option<Token>,
}

impl Watch {
    fn fault(&mut self, happening: &Happening) -> Option<Fault> {
        match *happening {
            Happening::ReadServed { client, token, record, .. } => {
                self.serve(token, false);
                let written = self.record;
                (record != written).then_some(Fault::Forgets { client, gives: record, written })
            }
            Happening::WriteAccepted { client, write, .. } => {
                let token = write.token;
                let (served, has_written) = (self.highest(), self.has_written);
                let is_copy = self.writers.contains(&token);
                self.writers.push(token);
                self.serve(token, true);
                self.record = Record { value: write.value, version: self.record.version + 1 };
                match token < served {
                    true if is_copy => Some(Fault::Repeated { client, token, served }),
                    true => Some(Fault::Zombie { client, token, served, has_written }),
                    false => None,
                }
            }
            Happening::ReadRefused { client, token, .. } => {
                self.turned_away(client, token, RequestKind::Read)
            }
            Happening::WriteRefused { client, write, .. } => {
                self.turned_away(client, write.token, RequestKind::Write)
            }
            Happening::Granted { lease } => {
                self.current = Some(lease.token);
                None
            }
            Happening::Released { .. } | Happening::Expired { .. } => {
                self.current = None;
                None
            }
            _ => None,
        }
    }

    fn turned_away(&self, client: ClientId, token: Token, kind: RequestKind) -> Option<Fault> {
        let served = self.highest();
        let is_right = self.current == Some(token);
        is_right.then_some(Fault::TurnsAway { client, token, served, kind })
    }

    fn highest(&self) -> Token {
        self.served.unwrap_or(Token::NONE)
    }

    fn serve(&mut self, token: Token, writes: bool) {
        if self.highest() < token {
            self.has_written = false;
        }
        if self.highest() <= token {
            self.served = Some(token);
            self.has_written |= writes;
        }
    }
}

/// What the store under test and the world around it share.
struct Wires {
    subject: Box<dyn Subject>,
    restart_before: Option<usize>,
    repeats_writes: bool,
    /// Requests that reached the store so far.
    requests: usize,
    /// The token that is current at the lock service.
    current: Option<Token>,
    /// Who holds or held which token, and what the lock service told it at its look.
    holders: BTreeMap<Token, (ClientId, Option<Token>)>,
    /// What the gateway said of a request that is on its way.
    passed: BTreeMap<(Token, RequestKind), bool>,
    /// The last write that was accepted, to be repeated.
    copy: Option<(Request, Write)>,
    /// Copies that were accepted as well, each after so many requests.
    copies_served: Vec<(usize, ClientId, Write)>,
}

impl Wires {
    fn new(subject: Box<dyn Subject>, trial: &Trial) -> Wires {
        Wires {
            subject,
            restart_before: trial.restart_before,
            repeats_writes: trial.repeats_writes,
            requests: 0,
            current: None,
            holders: BTreeMap::new(),
            passed: BTreeMap::new(),
            copy: None,
            copies_served: Vec::new(),
        }
    }

    fn request(&self, token: Token, kind: RequestKind) -> Request {
        let (client, looked) = self.holders.get(&token).copied().unwrap_or((ClientId(0), None));
        Request { client, token, kind, current: looked }
    }

    fn leaves(&mut self, token: Token, kind: RequestKind) {
        let request = self.request(token, kind);
        let passes = self.subject.passes(&request);
        self.passed.insert((token, kind), passes);
    }

    /// A request reaches the store: what it is, unless the gateway has turned it away.
    fn arrives(&mut self, token: Token, kind: RequestKind) -> Result<Request, Refused> {
        if self.restart_before == Some(self.requests) {
            self.subject.restart();
        }
        self.requests += 1;
        match self.passed.remove(&(token, kind)) {
            Some(false) => Err(Refused { mark: self.highest_granted() }),
            _ => Ok(self.request(token, kind)),
        }
    }

    fn highest_granted(&self) -> Token {
        self.holders.last_key_value().map_or(Token::NONE, |(token, _)| *token)
    }

    /// A copy of the write before this one, delayed on its way, reaches the store now.
    fn repeat(&mut self, request: Request, write: Write) {
        if let Some((of, copy)) = self.copy.replace((request, write))
            && self.repeats_writes
            && self.subject.write(&of, copy).is_ok()
        {
            self.copies_served.push((self.requests, of.client, copy));
        }
    }
}

/// The store as the world knows it.
struct UnderTest(Rc<RefCell<Wires>>);

impl Store for UnderTest {
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        let mut wires = self.0.borrow_mut();
        let request = wires.arrives(token, RequestKind::Read)?;
        wires.subject.read(&request)
    }

    fn write(&mut self, write: Write) -> Result<(), Refused> {
        let mut wires = self.0.borrow_mut();
        let request = wires.arrives(write.token, RequestKind::Write)?;
        wires.subject.write(&request, write)?;
        wires.repeat(request, write);
        Ok(())
    }
}

/// Hears what happens around the store.
struct Ear(Rc<RefCell<Wires>>);

impl Observer for Ear {
    fn observe(&mut self, _at: Time, happening: &Happening) {
        let mut wires = self.0.borrow_mut();
        match *happening {
            Happening::Granted { lease } => {
                wires.current = Some(lease.token);
                wires.holders.insert(lease.token, (lease.holder, Some(lease.token)));
            }
            Happening::Released { lease } | Happening::Expired { lease }
                if wires.current == Some(lease.token) =>
            {
                wires.current = None;
            }
            Happening::Commits { client, token } => {
                let current = wires.current;
                wires.holders.insert(token, (client, current));
            }
            Happening::Sent { message: Message { body: Body::Read(token), .. }, .. } => {
                wires.leaves(token, RequestKind::Read);
            }
            Happening::Sent { message: Message { body: Body::Write(write), .. }, .. } => {
                wires.leaves(write.token, RequestKind::Write);
            }
            _ => {}
        }
    }
}

/// Puts accepted copies in the trace, each right behind the request after which it came.
fn insert(trace: &mut Trace, copies: Vec<(usize, ClientId, Write)>) {
    let mut copies = copies.into_iter().peekable();
    let mut requests = 0;
    let mut entries = Vec::with_capacity(trace.entries.len());
    for entry in trace.entries.drain(..) {
        entries.push(entry);
        requests += usize::from(is_answered(&entry.happening));
        while let Some((_, client, write)) =
            copies.next_if(|(after, ..)| *after <= requests && is_answered(&entry.happening))
        {
            // Tokens count the grants here.
            let happening = Happening::WriteAccepted { client, grant: write.token.0, write };
            entries.push(Entry { at: entry.at, happening });
        }
    }
    trace.entries = entries;
}

/// Whether a request has reached the store.
pub(super) fn is_answered(happening: &Happening) -> bool {
    matches!(
        happening,
        Happening::ReadServed { .. }
            | Happening::ReadRefused { .. }
            | Happening::WriteAccepted { .. }
            | Happening::WriteRefused { .. }
    )
}
