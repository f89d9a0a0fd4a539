//! What a reader's store answers to a few requests, put to it by hand: what the search does not
//! tell, since it looks for harm that is done and not for what led to it.

use super::verdict::Shortfall;
use crate::protocol::lease::Token;
use crate::protocol::store::{Record, Store, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Makes a new store for each row of questions.
pub(crate) type Make = Box<dyn Fn() -> Box<dyn Store> + Send>;

/// Something that is done to a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// A read with this token.
    Read(u64),
    /// A write with this token, of what was read before it.
    Write(u64),
    /// Its process stops, and a new one starts.
    Restart,
}

/// What is asked, in every order and as often as one likes.
const REQUESTS: [Question; 6] = [
    Question::Read(1),
    Question::Read(2),
    Question::Read(3),
    Question::Write(1),
    Question::Write(2),
    Question::Write(3),
];
/// So long are the longest rows of questions.
const MOST_QUESTIONS: u32 = 5;

/// Whether a read gives what was written, by the first holder alone.
pub(crate) fn gives_back(make: &Make) -> Result<(), Shortfall> {
    let (mut store, token) = (make(), Token(1));
    let wrong = |sentence, explanation: &str| Err(Shortfall::new(sentence, explanation));
    let Ok(Record { value: read_value, version: read_version }) = store.read(token) else {
        return wrong(
            "Your store refuses the very first read.",
            "It has served nobody yet, so there is nothing that this read could be older than.",
        );
    };
    let write = Write { token, read_version, read_value, value: read_value + 7 };
    if store.write(write).is_err() {
        return wrong(
            "Your store refuses the very first write.",
            "Its token is that of the read before it. Refuse a write only if its token is below \
             the mark: an equal one is the holder's own.",
        );
    }
    match store.read(token) {
        Ok(record) if record == (Record { value: write.value, version: read_version + 1 }) => {
            Ok(())
        }
        _ => wrong("A read after the first write does not give back what was written.", IS_TRUE),
    }
}

const IS_TRUE: &str = "Whoever is served a read is given the value that was accepted last, and \
                       the version counts the accepted writes. That holds for an old token as for \
                       a new one: somebody goes by what is read.";

/// Whether every read that is served gives the record that the store holds, whatever was asked
/// before it. The shortest row of questions after which it does not is told.
pub(crate) fn gives_what_it_holds(make: &Make, restarts: bool) -> Result<(), Shortfall> {
    let mut questions = REQUESTS.to_vec();
    questions.extend(restarts.then_some(Question::Restart));
    // A store that panics is shown by the search, with the run that leads to it.
    let found = catch_unwind(AssertUnwindSafe(|| first_untrue(make, &questions)));
    found.ok().flatten().map_or(Ok(()), Err)
}

fn first_untrue(make: &Make, questions: &[Question]) -> Option<Shortfall> {
    let rows = |length| (0..questions.len().pow(length)).map(move |number| (length, number));
    (1..=MOST_QUESTIONS).flat_map(rows).find_map(|(length, mut number)| {
        let row = (0..length).map(|_| {
            let question = questions[number % questions.len()];
            number /= questions.len();
            question
        });
        untrue(make, &row.collect::<Vec<_>>())
    })
}

/// What is wrong if the last of these is a read that is served something else than the store holds.
fn untrue(make: &Make, row: &[Question]) -> Option<Shortfall> {
    let (Question::Read(token), before) = row.split_last()? else { return None };
    let mut asked = Asked::new(make);
    for question in before {
        asked.ask(*question);
    }
    let held = asked.held;
    let given = asked.store.read(Token(*token)).ok().filter(|given| *given != held)?;
    let said = |record: Record| format!("value {} of version {}", record.value, record.version);
    let sentence = format!("{} gives {}, not {}.", told(row), said(given), said(held));
    Some(Shortfall::new(sentence, IS_TRUE))
}

/// What was asked of a new store, in words; the last of it is what is in question.
fn told(row: &[Question]) -> String {
    let words = |question: &Question| match question {
        Question::Read(token) => format!("a read with token {token}"),
        Question::Write(token) => format!("a write with token {token}"),
        Question::Restart => "a restart".to_owned(),
    };
    format!("To a new store: {}. The last", row.iter().map(words).collect::<Vec<_>>().join(", "))
}

/// Whether a new store serves the last of these. One that panics serves nobody.
pub(crate) fn serves(make: &Make, questions: &[Question]) -> bool {
    let ask_all = || {
        let mut asked = Asked::new(make);
        questions.iter().map(|question| asked.ask(*question)).last()
    };
    catch_unwind(AssertUnwindSafe(ask_all)).ok().flatten() == Some(true)
}

/// A store, and what it should hold.
struct Asked {
    store: Box<dyn Store>,
    held: Record,
}

impl Asked {
    fn new(make: &Make) -> Asked {
        let held = make().read(Token(1)).unwrap_or_default();
        Asked { store: make(), held }
    }

    /// Whether it is served.
    fn ask(&mut self, question: Question) -> bool {
        match question {
            Question::Read(token) => self.store.read(Token(token)).is_ok(),
            Question::Write(token) => {
                let Record { value: read_value, version: read_version } = self.held;
                let value = read_value + 10;
                let write = Write { token: Token(token), read_version, read_value, value };
                let is_served = self.store.write(write).is_ok();
                if is_served {
                    self.held = Record { value, version: read_version + 1 };
                }
                is_served
            }
            Question::Restart => {
                self.store.forget();
                true
            }
        }
    }
}
