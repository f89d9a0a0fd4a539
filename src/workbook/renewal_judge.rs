//! A reader's renewing thread, beside workers that work and workers that hang.
//!
//! A small world of its own: A holds the lock, its thread comes round every 3 s and asks the
//! reader's function whether to renew, and B waits. The lock service is that of the protocol.
//! Messages take no time.

use super::attempt::beat;
use super::verdict::{Finding, Shortfall};
use crate::chance::delay::Delay;
use crate::chance::pause::Pauses;
use crate::chance::seed::Seed;
use crate::protocol::lease::{ClientId, Lease, Token};
use crate::protocol::lock::{LockService, Renewal};
use crate::protocol::message::{Body, Message};
use crate::simulation::scenario::Scenario;
use crate::simulation::trace::{Entry, Happening, Trace};
use crate::time::{Time, millis, secs};
use std::time::Duration;

/// What is judged: whether to renew, from now, the grant, and the worker's last sign of progress.
pub(crate) type Renews = dyn Fn(Time, Time, Time) -> bool + Send;

const LEASE: Duration = secs(10);
const EVERY: Duration = secs(3);

/// A worker that works makes progress at least as often as this.
const QUIET: Duration = secs(10);

/// So long after its last progress a worker that hangs must have lost the lock.
const AT_MOST: Duration = secs(30);

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);

/// A worker: how long it works before its first sign of progress, between two of them, and in all.
#[derive(Clone, Copy, Debug)]
struct Worker {
    first: Duration,
    step: Duration,
    works: Duration,
    /// Whether it hangs at the end instead of being done.
    hangs: bool,
}

/// What a renewing thread must not do.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The lock is still held, so long after the worker's last progress.
    HoldsOn { progress: Time, at: Time },
    /// The lease of a worker that works has expired.
    Loses { progress: Time, at: Time },
}

/// Short jobs first. Half a second puts the signs of progress beside the thread's rounds.
fn workers() -> Vec<Worker> {
    let mut workers = Vec::new();
    for works in [0, 6, 40, 100, 400, 3_600].map(secs) {
        for step in [secs(1), secs(4), QUIET] {
            for first in [step, millis(500)] {
                for hangs in [true, false] {
                    workers.push(Worker { first, step, works, hangs });
                }
            }
        }
    }
    workers
}

/// Whether a worker that works keeps the lock, and one that hangs does not.
pub(crate) fn judge(renews: &Renews) -> Finding {
    let workers = workers();
    let failing = workers.iter().inspect(|_| beat()).filter_map(|worker| run(renews, *worker));
    let Some((fault, trace)) = failing.min_by_key(|(_, trace)| trace.entries.len()) else {
        return Finding::Solved(format!(
            "Of {} workers those that work keep the lock to the end, for an hour if they must, and \
             those that hang have lost it half a minute after their last progress. So it is \
             bounded again how long the others wait. Zombie writes are another matter: a worker \
             that hung can come back, and only the store can refuse what it writes.",
            workers.len()
        ));
    };
    let picture = trace.sequence().titled("The smallest run in which it is wrong");
    Finding::NotYet(Shortfall::new(sentence(fault), oversight(renews, fault)).seen_in(picture))
}

fn sentence(fault: Fault) -> String {
    match fault {
        Fault::HoldsOn { progress, at } => format!(
            "The worker hangs: its last progress was at {progress}. At {at} A still holds the \
             lock, and B waits."
        ),
        Fault::Loses { progress, at } => format!(
            "A's lease expires at {at}, although its worker works: it made progress at {progress}."
        ),
    }
}

/// What such a thread overlooks.
fn oversight(renews: &Renews, fault: Fault) -> &'static str {
    let at = |seconds: u64| Time::START + secs(seconds);
    // At the beginning; with progress this very moment, after a day of it; and with none all day.
    let (begins, goes_on) = (renews(at(1), at(1), at(1)), renews(at(86_400), at(1), at(86_400)));
    let hangs = renews(at(86_400), at(1), at(1));
    match fault {
        _ if begins && !goes_on => {
            "It bounds how long the work may take. Then a long job loses the lock in the midst of \
             its work. What tells a worker that hangs is how long it has made no progress."
        }
        Fault::HoldsOn { .. } if hangs => {
            "It renews for as long as the process lives, and a process can live while its worker \
             waits for something that never comes. Renew only while the worker makes progress."
        }
        Fault::HoldsOn { .. } => {
            "It waits too long. From the last progress to the last renewal, and from there to the \
             end of the lease, no more than half a minute may pass."
        }
        Fault::Loses { .. } if !begins => {
            "It does not even renew for a worker that has just made progress."
        }
        Fault::Loses { .. } => {
            "It is impatient: a worker may go on for 10 s between two signs of progress, and its \
             lease must last that long."
        }
    }
}

impl Worker {
    /// Its last sign of progress until a moment; the grant, before there is one.
    fn progress(&self, granted: Time, until: Time) -> Time {
        let worked = (until - granted).min(self.works);
        let Some(since_first) = worked.checked_sub(self.first) else { return granted };
        let steps = since_first.as_nanos() / self.step.as_nanos();
        granted + self.first + self.step * u32::try_from(steps).unwrap_or(u32::MAX)
    }
}

/// A run, up to the fault if there is one.
struct Run {
    lock: LockService,
    trace: Trace,
}

fn run(renews: &Renews, worker: Worker) -> Option<(Fault, Trace)> {
    let granted = Time::START + secs(2);
    let mut run = Run::begin(granted)?;
    let (mut now, end) = (granted, granted + worker.works);
    loop {
        now += EVERY;
        let progress = worker.progress(granted, now);
        let free_by = worker.progress(granted, end) + AT_MOST;
        if worker.hangs && free_by < now && run.is_held_at(free_by) {
            return Some((Fault::HoldsOn { progress, at: free_by }, run.end(free_by)));
        }
        if let Some(expires) = run.expire(now) {
            let is_at_work = !worker.hangs && expires < end;
            let fault = Fault::Loses { progress: worker.progress(granted, expires), at: expires };
            // A second more, to see who holds the lock now.
            return is_at_work.then(|| (fault, run.end(expires + secs(1))));
        }
        if !worker.hangs && end <= now {
            return None;
        }
        if renews(now, granted, progress) {
            run.renew(now);
        }
    }
}

impl Run {
    /// A is granted the lock, and B waits for it.
    fn begin(granted: Time) -> Option<Run> {
        let scenario = Scenario {
            lease: LEASE,
            renew_every: Some(EVERY),
            work: Delay::constant(secs(3_600)),
            latency: Delay::ZERO,
            pauses: Pauses::none(),
            ..Scenario::incident()
        };
        let trace = Trace::new(&scenario, Seed(1));
        let mut run = Run { lock: LockService::new(LEASE, Token(33)), trace };
        run.sent(granted, A, Body::Ask);
        let lease = run.lock.ask(A, granted)?;
        run.granted(granted, lease);
        run.sent(granted + secs(1), B, Body::Ask);
        run.lock.ask(B, granted + secs(1));
        Some(run)
    }

    fn tell(&mut self, at: Time, happening: Happening) {
        self.trace.entries.push(Entry { at, happening });
    }

    fn sent(&mut self, at: Time, client: ClientId, body: Body) {
        let message = Message { client, grant: 0, body };
        self.tell(at, Happening::Sent { message, arrives: at });
    }

    fn granted(&mut self, at: Time, lease: Lease) {
        self.tell(at, Happening::Granted { lease });
        self.sent(at, lease.holder, Body::Granted(lease));
        self.tell(at, Happening::Believes { client: lease.holder, token: lease.token });
    }

    fn renew(&mut self, now: Time) {
        let Some(Lease { token, .. }) = self.lock.current() else { return };
        self.sent(now, A, Body::Renew(token, now));
        if let Renewal::Extended(lease) = self.lock.renew(token, now) {
            self.tell(now, Happening::Renewed { lease });
            self.sent(now, A, Body::Renewed(lease, now));
        }
    }

    /// Whether A's lease, as it was last renewed, lasts beyond this moment.
    fn is_held_at(&self, at: Time) -> bool {
        self.lock.current().is_some_and(|lease| lease.holder == A && at < lease.expires)
    }

    /// Ends the lease if its time is up, and says when that was.
    fn expire(&mut self, now: Time) -> Option<Time> {
        let expires = self.lock.current()?.expires;
        if now < expires {
            return None;
        }
        let ended = self.lock.expire(expires)?;
        self.tell(expires, Happening::Expired { lease: ended.over });
        if let Some(lease) = ended.next {
            self.granted(expires, lease);
        }
        Some(expires)
    }

    fn end(mut self, at: Time) -> Trace {
        self.trace.end = at;
        self.trace
    }
}
