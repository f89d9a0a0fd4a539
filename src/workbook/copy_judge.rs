//! A reader's store that is shown writes in every order, early, late and twice.

use super::attempt::beat;
use super::verdict::{Finding, Shortfall};
use crate::analysis::estimate::writing::with_commas;
use crate::figures::table::Table;
use crate::protocol::lease::Token;
use std::cmp::Ordering;

/// The token of a write, and which write under it this is, counted from 1.
type Number = (Token, u64);

/// What is judged: whether a write is accepted, from the last one that was, and the one that comes.
pub(crate) type Accepts = dyn Fn(Number, Number) -> bool + Send;

/// The most writes in a row. Longer ones show nothing new: all that counts is the last accepted.
const LONGEST: usize = 4;

/// The holders and their writes.
const WRITES: [Number; 6] = [
    (Token(33), 1),
    (Token(33), 2),
    (Token(34), 1),
    (Token(34), 2),
    (Token(35), 1),
    (Token(35), 2),
];

/// Further apart than those, for two in a row.
const FAR_APART: [Number; 10] = [
    (Token(1), 1),
    (Token(1), 1_000),
    (Token(33), 1),
    (Token(33), 3),
    (Token(33), 10),
    (Token(33), 1_000_000),
    (Token(34), 1),
    (Token(34), 500),
    (Token(40), 1),
    (Token(1_000_000), 2),
];

/// Whether it accepts what was sent after all that it has accepted, and nothing else.
pub(crate) fn judge(accepts: &Accepts) -> Finding {
    let mut tried = 0;
    let short = (1..=LONGEST).flat_map(|length| rows(&WRITES, length));
    for row in short.chain(rows(&FAR_APART, 2)) {
        beat();
        tried += 1;
        if let Some(before) = last_before_fault(accepts, &row) {
            return Finding::NotYet(shortfall(accepts, &row, before));
        }
    }
    Finding::Solved(format!(
        "In {} orders of arrival, with copies and late ones, it accepted what was sent after all \
         that it had accepted, and nothing else.",
        with_commas(tried)
    ))
}

/// All rows of so many of these writes, each as often as it likes.
fn rows(writes: &[Number], length: usize) -> Vec<Vec<Number>> {
    let longer = |row: Vec<Number>| {
        writes.iter().map(move |write| row.iter().copied().chain([*write]).collect())
    };
    (0..length).fold(vec![Vec::new()], |rows, _| rows.into_iter().flat_map(longer).collect())
}

/// If the last write of a row is the first that is judged wrongly: what was accepted before it.
fn last_before_fault(accepts: &Accepts, row: &[Number]) -> Option<Number> {
    let (last, others) = row.split_last()?;
    let mut seen = (Token::NONE, 0);
    for write in others {
        let is_right = accepts(seen, *write) == (seen < *write);
        if !is_right {
            // A shorter row has shown it.
            return None;
        }
        seen = seen.max(*write);
    }
    (accepts(seen, *last) != (seen < *last)).then_some(seen)
}

fn shortfall(accepts: &Accepts, row: &[Number], seen: Number) -> Shortfall {
    let last = row.last().copied().unwrap_or((Token::NONE, 0));
    let sentence = match seen < last {
        true => format!("After {} your store refuses {}.", named(seen), named(last)),
        false => format!("After {} your store accepts {}.", named(seen), named(last)),
    };
    let mut table = Table::new(["arrives", "token", "count", "sent after all accepted", "yours"])
        .captioned("The shortest row of writes that it judges wrongly");
    let explanation = explanation(seen, last);
    let mut seen = (Token::NONE, 0);
    for (number, write) in row.iter().enumerate() {
        let said = |accepted: bool| if accepted { "accepted" } else { "refused" };
        table = table.row([
            (number + 1).to_string(),
            write.0.to_string(),
            write.1.to_string(),
            if seen < *write { "yes" } else { "no" }.to_owned(),
            said(accepts(seen, *write)).to_owned(),
        ]);
        seen = seen.max(*write);
    }
    Shortfall::new(sentence, explanation).seen_from(table)
}

fn named((token, count): Number) -> String {
    match (token, count) {
        (Token::NONE, _) => "nothing".to_owned(),
        (token, count) => format!("write {count} under token {token}"),
    }
}

/// What is overlooked where the second of these is judged wrongly after the first was accepted.
fn explanation(seen: Number, write: Number) -> &'static str {
    match seen.0.cmp(&write.0) {
        _ if seen.0 == Token::NONE => {
            "It refuses the very first write. `seen` begins as token 0 and count 0."
        }
        Ordering::Less => {
            "A new holder begins to count at 1, however far the one before it came. The two parts \
             must not be compared one by one: the count matters only where the tokens are the same."
        }
        Ordering::Greater => {
            "It accepts a write of an older holder. The token comes first, whatever the count."
        }
        Ordering::Equal if seen.1 < write.1 => {
            "It turns away a holder's own later write, which has the same token and a higher count."
        }
        Ordering::Equal if seen == write => {
            "A copy of the write that was accepted last passes. It was not sent after it; that is \
             what the count is for."
        }
        Ordering::Equal => {
            "Under one and the same token a late copy of an earlier write passes. That is what the \
             count is for."
        }
    }
}
