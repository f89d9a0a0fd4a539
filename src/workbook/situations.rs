//! Situations for the rehearsal: each a design in plain words, with the scenario that is meant.
//!
//! Spans and numbers are drawn, so that a situation that comes again is not the same one.

use crate::chance::delay::Delay;
use crate::chance::pause::Pauses;
use crate::chance::seed::Stream;
use crate::protocol::client::{Look, OnLost};
use crate::protocol::lock::numbering::TokenKind;
use crate::protocol::store::{Condition, TokenCheck};
use crate::simulation::scenario::lock::{LockKind, LockSetup};
use crate::simulation::scenario::moments::Moments;
use crate::simulation::scenario::network::{Mishap, Network};
use crate::simulation::scenario::store::StoreSetup;
use crate::simulation::scenario::{Scenario, Stop};
use crate::time::{in_words, millis, secs};
use rand::RngExt;
use std::time::Duration;

/// A design in words, and the scenario that is meant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Situation {
    pub(crate) text: String,
    pub(crate) scenario: Scenario,
}

/// How a situation is drawn.
pub(crate) type Draw = fn(&mut Stream) -> Situation;

/// Those that are safe.
pub(crate) const SAFE: [Draw; 5] =
    [checked, checked_and_late, checked_and_long, lockless, checked_and_delayed];

/// Those that are not, each for one reason.
pub(crate) const UNSAFE: [Draw; 11] = [
    unchecked,
    renewing,
    looking,
    long_lease,
    checked_on_write,
    random_tokens,
    session_ids,
    forgetting_store,
    two_steps,
    fail_over,
    there_and_back,
];

/// A run that is long enough for whatever can go wrong.
const GRANTS: u64 = 20_000;

/// Some workers, and a lease: the baseline with other numbers. Between the end of the work and the
/// write's arrival there is some time, in which nobody looks at anything any more.
fn drawn(stream: &mut Stream) -> Scenario {
    Scenario {
        clients: stream.random_range(3..=8),
        lease: secs([8, 10, 12, 15][stream.random_range(0..4)]),
        commit: Delay::constant(millis(200)),
        latency: Delay::constant(millis(20)),
        pauses: Pauses::critical_section(0.1, Delay::pareto(secs(2), 0.8)),
        stop: Stop::at_grants(GRANTS),
        ..Scenario::baseline()
    }
}

/// How every situation with a lock begins.
fn workers(scenario: &Scenario) -> String {
    let lease = in_words(scenario.lease);
    format!("{} workers share a lock with a lease of {lease}.", number_word(scenario.clients))
}

const PAUSED: &str = "About one turn in ten is paused for some seconds, now and then for minutes.";
const CHECKED: &str = "The store compares the token of every request, read or write, with the \
                       highest that it has seen, and refuses a lower one.";

fn number_word(number: u32) -> &'static str {
    ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight"]
        .get(number as usize)
        .copied()
        .unwrap_or("Many")
}

fn calm(scenario: Scenario) -> Scenario {
    Scenario { pauses: Pauses::none(), ..scenario }
}

fn with_check(scenario: Scenario, token_check: TokenCheck) -> Scenario {
    Scenario { token_check, ..scenario }
}

// Safe.

fn checked(stream: &mut Stream) -> Situation {
    let scenario = with_check(drawn(stream), TokenCheck::OnEveryRequest);
    let text = format!("{} Nobody renews. {PAUSED} {CHECKED}", workers(&scenario));
    Situation { text, scenario }
}

fn checked_and_late(stream: &mut Stream) -> Situation {
    let delay = secs([20, 30, 40][stream.random_range(0..3)]);
    let late_writes = Mishap { probability: 0.01, delay: Delay::constant(delay) };
    let scenario = calm(with_check(drawn(stream), TokenCheck::OnEveryRequest));
    let network = Network { late_writes, ..Network::default() };
    let text = format!(
        "{} Nobody is ever paused, but one write in a hundred is {} late in the network. {CHECKED}",
        workers(&scenario),
        in_words(delay)
    );
    Situation { text, scenario: Scenario { network, ..scenario } }
}

fn checked_and_long(stream: &mut Stream) -> Situation {
    let scenario = calm(with_check(drawn(stream), TokenCheck::OnEveryRequest));
    let work = scenario.lease + secs(stream.random_range(1..4));
    let text = format!(
        "{} Nobody is ever paused. Work takes {} on average, often longer than the lease, and \
         nobody renews. {CHECKED}",
        workers(&scenario),
        in_words(work)
    );
    Situation { text, scenario: Scenario { work: Delay::exponential(work), ..scenario } }
}

fn lockless(stream: &mut Stream) -> Situation {
    let scenario = without_lock(stream, Condition::SameVersion);
    let text = format!(
        "{} workers update one row, without a lock. {PAUSED} Each write names the version that its \
         worker has read, and the store refuses it if the row has another one by now.",
        number_word(scenario.clients)
    );
    Situation { text, scenario }
}

fn without_lock(stream: &mut Stream, condition: Condition) -> Scenario {
    Scenario {
        lock: LockSetup { kind: LockKind::None, ..LockSetup::default() },
        store: StoreSetup { condition, ..StoreSetup::default() },
        think: Delay::exponential(secs(5)),
        stop: Stop::at_time(secs(20_000)),
        ..drawn(stream)
    }
}

fn checked_and_delayed(stream: &mut Stream) -> Situation {
    let delay = secs([15, 30, 60][stream.random_range(0..3)]);
    let scenario = with_check(drawn(stream), TokenCheck::OnEveryRequest);
    let lock = LockSetup { takeover_delay: delay, ..LockSetup::default() };
    let text = format!(
        "{} {PAUSED} After a lease has expired, nobody is granted the lock for {}. {CHECKED}",
        workers(&scenario),
        in_words(delay)
    );
    Situation { text, scenario: Scenario { lock, ..scenario } }
}

// Not safe.

fn unchecked(stream: &mut Stream) -> Situation {
    let scenario = drawn(stream);
    let text = format!(
        "{} Nobody renews. {PAUSED} The lock service gives increasing tokens, and the workers log \
         them. The store takes what it is given.",
        workers(&scenario)
    );
    Situation { text, scenario }
}

fn renewing(stream: &mut Stream) -> Situation {
    let scenario = drawn(stream);
    let renew_every = scenario.lease / 3;
    let text = format!(
        "{} A holder renews it every {} in the background, and gives up when a renewal is refused. \
         {PAUSED} The store takes what it is given.",
        workers(&scenario),
        in_words(Duration::from_secs(renew_every.as_secs()))
    );
    let renew_every = Some(Duration::from_secs(renew_every.as_secs()));
    Situation { text, scenario: Scenario { renew_every, on_lost: OnLost::GiveUp, ..scenario } }
}

fn looking(stream: &mut Stream) -> Situation {
    let commit = millis([200, 300, 500][stream.random_range(0..3)]);
    let scenario = drawn(stream);
    let text = format!(
        "{} Before it writes, a holder looks at its own clock, and gives up if the lease is over. \
         From the look to the moment the write leaves it takes {}. {PAUSED} The store takes what \
         it is given.",
        workers(&scenario),
        in_words(commit)
    );
    let (look, commit) = (Look::OwnClock, Delay::constant(commit));
    Situation { text, scenario: Scenario { look, commit, ..scenario } }
}

fn long_lease(stream: &mut Stream) -> Situation {
    let lease = secs([45, 60][stream.random_range(0..2)]);
    let scenario = Scenario { lease, ..drawn(stream) };
    let text = format!(
        "{} That is many times what work takes: two seconds on average. {PAUSED} The store takes \
         what it is given.",
        workers(&scenario)
    );
    Situation { text, scenario }
}

fn checked_on_write(stream: &mut Stream) -> Situation {
    let scenario = with_check(drawn(stream), TokenCheck::OnWrite);
    let text = format!(
        "{} {PAUSED} A holder reads, works, and writes. The store compares the token of every \
         write with the highest of all writes before it. Reads go to the same store and carry no \
         token.",
        workers(&scenario)
    );
    Situation { text, scenario }
}

fn random_tokens(stream: &mut Stream) -> Situation {
    let scenario = with_check(drawn(stream), TokenCheck::OnEveryRequest);
    let text = format!(
        "{} {PAUSED} The number on each grant is a random one, hardly ever the same \
         twice. {CHECKED}",
        workers(&scenario)
    );
    let lock = LockSetup { tokens: TokenKind::Random, ..LockSetup::default() };
    Situation { text, scenario: Scenario { lock, ..scenario } }
}

fn session_ids(stream: &mut Stream) -> Situation {
    let scenario = with_check(drawn(stream), TokenCheck::OnEveryRequest);
    let text = format!(
        "{} {PAUSED} The number on a grant is that of the worker's session, which it got when it \
         connected, in increasing order. {CHECKED}",
        workers(&scenario)
    );
    let lock = LockSetup { tokens: TokenKind::SessionId, ..LockSetup::default() };
    Situation { text, scenario: Scenario { lock, ..scenario } }
}

fn forgetting_store(stream: &mut Stream) -> Situation {
    let every = secs([20, 30, 40][stream.random_range(0..3)]);
    let scenario = with_check(drawn(stream), TokenCheck::OnEveryRequest);
    let text = format!(
        "{} {PAUSED} {CHECKED} It keeps that highest token in the memory of an instance, and \
         instances come and go: every {} on average another one takes over, and knows nothing.",
        workers(&scenario),
        in_words(every)
    );
    let store = StoreSetup { forgets: Moments::every(every), ..StoreSetup::default() };
    Situation { text, scenario: Scenario { store, ..scenario } }
}

fn two_steps(stream: &mut Stream) -> Situation {
    let scenario = with_check(drawn(stream), TokenCheck::OnEveryRequest);
    let gap = scenario.lease + secs(stream.random_range(1..=5));
    let text = format!(
        "{} Each worker is paused about twice a minute for some seconds, now and then for minutes. \
         {CHECKED} For a write it does so at the start: the new content is uploaded, and is in its \
         place {} later.",
        workers(&scenario),
        in_words(gap)
    );
    let store = StoreSetup { check_to_write: Delay::constant(gap), ..StoreSetup::default() };
    let pauses = Pauses::poisson(secs(30), Delay::pareto(secs(2), 1.2));
    Situation { text, scenario: Scenario { store, pauses, ..scenario } }
}

fn fail_over(stream: &mut Stream) -> Situation {
    let every = secs(60 * [2, 3, 5][stream.random_range(0..3)]);
    let scenario = calm(with_check(drawn(stream), TokenCheck::OnEveryRequest));
    let longest = scenario.lease - millis(500);
    let text = format!(
        "{} Nobody is ever paused, and no work takes longer than {}. Every {} minutes on average \
         another server takes the lock service's place; its copy of the state is a little behind. \
         {CHECKED}",
        workers(&scenario),
        in_words(longest),
        every.as_secs() / 60
    );
    let lock = LockSetup { fails_over: Moments::every(every), ..LockSetup::default() };
    let work = Delay::uniform(secs(1), longest);
    Situation { text, scenario: Scenario { lock, work, ..scenario } }
}

fn there_and_back(stream: &mut Stream) -> Situation {
    let contents = [2, 3][stream.random_range(0..2)];
    let condition = Condition::SameEntityTag { contents };
    let scenario = without_lock(stream, condition);
    let text = format!(
        "{} workers update one object, without a lock. {PAUSED} Each write carries the hash of the \
         content that its worker has read, and the store refuses it if the content has another \
         hash by now. The object is a switch with {contents} positions.",
        number_word(scenario.clients)
    );
    Situation { text, scenario }
}
