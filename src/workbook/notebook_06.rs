//! The checks of notebook 06, where it breaks down.

use super::answer::Answer;
use super::attempt::{of_choice, of_code, of_value};
use super::copy_judge;
use super::tag_judge;
use super::token_choice;
use super::verdict::{Finding, Shortfall, Verdict};
use crate::chance::pause::{Pauses, ScriptedPause};
use crate::chance::seed::Seed;
use crate::protocol::lease::{ClientId, Token};
use crate::protocol::store::Condition;
use crate::simulation::scenario::Scenario;
use crate::simulation::scenario::store::StoreSetup;
use crate::simulation::trace;
use crate::simulation::trace::{Happening, Trace};
use crate::time::{millis, secs};

/// Exercise 06-1: A's write comes after B's read and before B's write, and the store asks for the
/// version that was read. Which is refused? `"a"` A's, `"b"` B's, `"c"` both, `"d"` neither.
pub fn check_06_1(answer: impl Answer<String>) -> Verdict {
    of_choice("06-1", answer, &["a", "b", "c", "d"], |letter| {
        match trace(&first_write_under_condition(), Seed(1)) {
            Ok(run) => who_is_refused(letter, &run),
            Err(error) => Finding::NotAttempted(error.to_string()),
        }
    })
}

/// The first-write gap, at a store with compare-and-set.
fn first_write_under_condition() -> Scenario {
    let store = StoreSetup { condition: Condition::SameVersion, ..StoreSetup::default() };
    let pauses = Pauses::script([ScriptedPause::new(0, secs(3), millis(9_500))]);
    Scenario { store, pauses, ..Scenario::incident() }
}

fn who_is_refused(letter: &str, run: &Trace) -> Finding {
    let is_refused = |who: ClientId| {
        let mut entries = run.entries.iter().map(|entry| entry.happening);
        entries.any(|it| matches!(it, Happening::WriteRefused { client, .. } if client == who))
    };
    let right = match (is_refused(ClientId(0)), is_refused(ClientId(1))) {
        (true, false) => "a",
        (false, true) => "b",
        (true, true) => "c",
        (false, false) => "d",
    };
    if letter == right {
        return Finding::Solved(
            "A's write comes first, and finds the version that A has read. B's finds another one \
             and is refused, although B is the rightful holder. Nothing is lost: B reads again \
             and starts over."
                .to_owned(),
        );
    }
    let (sentence, explanation) = match letter {
        "a" => (
            "A's write is accepted.",
            "The condition does not know who holds the lock. It asks for the version that was \
             read, and when A's write arrives nobody has written since A's read.",
        ),
        "c" => (
            "One of the two writes is accepted.",
            "One of the two comes first, and nothing has changed until then.",
        ),
        _ => (
            "One of the two writes is refused.",
            "Each write makes a new version. Both have read the same one, so the second of the \
             two does not find it any more.",
        ),
    };
    let picture = run.sequence().titled("The first write wins");
    Finding::NotYet(Shortfall::new(sentence, explanation).seen_in(picture))
}

/// Exercise 06-2: how the entity tag of an object is made, from its content, from how often it was
/// written, and from the token of whoever wrote it last.
pub fn check_06_2(tag: impl Fn(u64, u64, Token) -> u64 + Send + 'static) -> Verdict {
    let tag: tag_judge::Tag = Box::new(tag);
    of_code("06-2", move || tag_judge::judge(&tag))
}

/// Exercise 06-3: which of these numbers can be a token? All their letters in one: `"ace"`.
pub fn check_06_3(answer: impl Answer<String>) -> Verdict {
    of_value("06-3", answer, |letters| token_choice::judge(&letters))
}

/// Exercise 06-4: whether a store accepts a write. Both are token and count: those of the last
/// write that was accepted, and those of the write that arrives.
pub fn check_06_4(
    accepts: impl Fn((Token, u64), (Token, u64)) -> bool + Send + 'static,
) -> Verdict {
    let accepts: Box<copy_judge::Accepts> = Box::new(accepts);
    of_code("06-4", move || copy_judge::judge(&accepts))
}
