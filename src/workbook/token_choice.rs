//! Numbers that a lock service might put on a grant: which of them can be a token.
//!
//! Each is put to the baseline with a store that checks every request. One that can be a token
//! refuses no newest holder, and lets no zombie write pass.

use super::attempt::beat;
use super::verdict::{Finding, Shortfall};
use crate::analysis::estimate::writing::with_commas;
use crate::analysis::run;
use crate::chance::seed::Seed;
use crate::figures::table::Table;
use crate::protocol::lock::numbering::TokenKind;
use crate::protocol::store::TokenCheck;
use crate::simulation::scenario::lock::LockSetup;
use crate::simulation::scenario::moments::Moments;
use crate::simulation::scenario::{Scenario, ScenarioError, Stop};
use crate::time::secs;

/// Grants that each number is put to.
const GRANTS: u64 = 10_000;

/// One of the numbers to choose from.
struct Offered {
    letter: char,
    name: &'static str,
    tokens: TokenKind,
    /// Whether its counter is lost now and then.
    is_lost: bool,
    /// What to know of it.
    because: &'static str,
}

const OFFERED: [Offered; 6] = [
    Offered {
        letter: 'a',
        name: "revision of the lock key's creation",
        tokens: TokenKind::Increasing,
        is_lost: false,
        because: "The key is made anew for each grant, and each change in the whole of etcd has a \
                  higher revision than the one before.",
    },
    Offered {
        letter: 'b',
        name: "lease id",
        tokens: TokenKind::SessionId,
        is_lost: false,
        because: "It is fixed before its client queues, and stays the same over all of its grants. \
                  It does not say who was granted the lock later.",
    },
    Offered {
        letter: 'c',
        name: "random value",
        tokens: TokenKind::Random,
        is_lost: false,
        because: "It tells one grant from another, and of two grants it does not say which one is \
                  newer.",
    },
    Offered {
        letter: 'd',
        name: "zxid of the lock node's creation",
        tokens: TokenKind::Increasing,
        is_lost: false,
        because: "The node is made anew for each grant, and ZooKeeper numbers all changes in one \
                  order.",
    },
    Offered {
        letter: 'e',
        name: "version of a node made anew",
        tokens: TokenKind::Wrapping { highest: 1 },
        is_lost: false,
        because: "A node that is made anew begins its versions anew: every grant has the same \
                  number. It refuses nobody, and so it stops nobody. (Of one node that stays, \
                  and is written with each grant, the version does increase.)",
    },
    Offered {
        letter: 'f',
        name: "counter that is lost with the data",
        tokens: TokenKind::Increasing,
        is_lost: true,
        because: "After it has started again, the newest holders have low numbers, and the store \
                  still knows a high one.",
    },
];

/// What came of one of them.
struct Tried {
    refused_reads: u64,
    zombie_writes: u64,
}

impl Offered {
    fn try_it(&self) -> Result<Tried, ScenarioError> {
        let forgets_numbers = match self.is_lost {
            true => Moments::every(secs(600)),
            false => Moments::never(),
        };
        let scenario = Scenario {
            token_check: TokenCheck::OnEveryRequest,
            lock: LockSetup { tokens: self.tokens, forgets_numbers, ..LockSetup::default() },
            stop: Stop::at_grants(GRANTS),
            ..Scenario::baseline()
        };
        let outcome = run(&scenario, Seed(1))?;
        beat();
        let (refused_reads, zombie_writes) = (outcome.refused_reads, outcome.zombie_writes);
        Ok(Tried { refused_reads, zombie_writes })
    }
}

impl Tried {
    fn is_token(&self) -> bool {
        self.refused_reads == 0 && self.zombie_writes == 0
    }
}

/// Judges a choice, the letters of which may stand in any order.
pub(crate) fn judge(letters: &str) -> Finding {
    let chosen = |letter: char| letters.contains(letter);
    let is_letter = |letter: char| OFFERED.iter().any(|offered| offered.letter == letter);
    let mut given = letters.chars().filter(|letter| letter.is_alphabetic());
    if letters.is_empty() || !given.all(is_letter) {
        let how = "Answer with the letters of all that can be a token, such as \"ace\".";
        return Finding::NotAttempted(how.to_owned());
    }
    let tried: Result<Vec<Tried>, ScenarioError> = OFFERED.iter().map(Offered::try_it).collect();
    let tried = match tried {
        Ok(tried) => tried,
        Err(error) => return Finding::NotAttempted(error.to_string()),
    };
    let both = || OFFERED.iter().zip(&tried);
    let shortfall = match both().find(|(it, tried)| chosen(it.letter) && !tried.is_token()) {
        Some((it, tried)) => Shortfall::new(sentence(it, tried), it.because),
        None if both().any(|(it, tried)| !chosen(it.letter) && tried.is_token()) => {
            Shortfall::new("What you chose can be a token, and it is not all that can.", NOT_ALL)
        }
        None => {
            return Finding::Solved(format!(
                "In {} grants with each of these, no newest holder was refused, and no zombie \
                 write accepted. With each of the others one or the other happened.",
                with_commas(GRANTS)
            ));
        }
    };
    let numbers = both().filter(|(it, _)| chosen(it.letter)).fold(table(), line);
    Finding::NotYet(shortfall.seen_from(numbers))
}

const NOT_ALL: &str = "Ask of each of the others: is it made when the lock is granted, is it \
                       higher with each grant, and does it never start again?";

/// What is wrong with one that cannot be a token.
fn sentence(it: &Offered, tried: &Tried) -> String {
    let (letter, grants) = (it.letter, with_commas(GRANTS));
    match tried {
        Tried { refused_reads: 0, zombie_writes } => {
            format!("With {letter}, {zombie_writes} zombie writes pass in {grants} grants.")
        }
        Tried { refused_reads, .. } => format!(
            "With {letter}, the newest holder is refused {} times in {grants} grants.",
            with_commas(*refused_reads)
        ),
    }
}

fn table() -> Table {
    let caption = format!("The numbers you chose, in {} grants", with_commas(GRANTS));
    Table::new(["", "number", "newest holder refused", "zombie writes"]).captioned(caption)
}

fn line(table: Table, (it, tried): (&Offered, &Tried)) -> Table {
    let counts = [tried.refused_reads, tried.zombie_writes].map(with_commas);
    table.row([it.letter.to_string(), it.name.to_owned()].into_iter().chain(counts))
}
