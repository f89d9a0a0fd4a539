//! The checks of notebook 07: any store that is right is solved, a wrong one is shown a shortest
//! run with the explanation that fits, and no store does any harm.

use crate::verdicts::{assert_not_yet, assert_solved};
use fencing::prelude::*;
use fencing::workbook::verdict::Evidence;
use std::collections::BTreeSet;

/// How a store of the tests goes wrong, if it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Way {
    Sound,
    RefusesReads,
    Starter,
    ForgetsValues,
    NeverRefuses,
    Panics,
    NeverEnds,
    RemembersAll,
    SavesOnWritesOnly,
    SavesBeforeComparing,
    StartsWithoutMark,
    LosesValues,
    InventsOldReads,
    RefusesEqual,
}

/// A store that serves every read, or does what its way says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Trial {
    way: Way,
    record: Record,
    mark: Token,
    saved: Token,
    past: Vec<u64>,
    all: BTreeSet<Vec<u64>>,
}

impl Trial {
    fn new(way: Way) -> Trial {
        let (past, all) = (Vec::new(), BTreeSet::new());
        Trial { way, record: Record::default(), mark: Token::NONE, saved: Token::NONE, past, all }
    }
}

impl Store for Trial {
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        if self.way == Way::SavesBeforeComparing {
            self.saved = token;
        }
        match self.way {
            Way::Starter => your_turn(),
            Way::InventsOldReads if token < self.mark => {
                return Ok(Record { value: 77, version: 5 });
            }
            Way::RefusesReads | Way::SavesOnWritesOnly | Way::SavesBeforeComparing
                if token < self.mark =>
            {
                return Err(Refused { mark: self.mark });
            }
            Way::NeverEnds if token == Token(2) => loop {
                std::thread::sleep(millis(1));
            },
            Way::RemembersAll => {
                self.past.push(token.0);
                self.all.insert(self.past.clone());
            }
            _ => {}
        }
        if !matches!(self.way, Way::NeverRefuses | Way::Starter) {
            self.mark = self.mark.max(token);
        }
        Ok(self.record)
    }

    fn write(&mut self, write: Write) -> Result<(), Refused> {
        if self.way == Way::RemembersAll {
            self.past.push(write.read_version + 100 * write.value);
        }
        assert!(self.way != Way::Panics || write.token < Token(2), "two is too many");
        let is_own = self.way == Way::RefusesEqual && write.token == self.mark;
        if write.token < self.mark || is_own {
            return Err(Refused { mark: self.mark });
        }
        (self.mark, self.saved) = (write.token, write.token);
        if self.way != Way::ForgetsValues {
            self.record = Record { value: write.value, version: self.record.version + 1 };
        }
        Ok(())
    }
}

impl Restart for Trial {
    type Disk = Trial;

    fn disk(&self) -> &Trial {
        self
    }

    fn start(disk: Trial) -> Trial {
        let mark = match disk.way {
            Way::SavesOnWritesOnly | Way::SavesBeforeComparing => disk.saved,
            Way::StartsWithoutMark => Token::NONE,
            _ => disk.mark,
        };
        let mut started = Trial { mark, ..disk };
        if started.way == Way::LosesValues {
            started.record = Record::default();
        }
        if started.way == Way::RemembersAll {
            started.past.push(0);
        }
        started
    }
}

fn is_run(evidence: Option<&Evidence>) -> bool {
    matches!(evidence, Some(Evidence::Run(_)))
}

#[test]
fn starters_are_not_attempted() {
    let starters = [
        check_07_1(YOUR_TURN),
        check_07_2(Trial::new(Way::Starter)),
        check_07_3(Trial::new(Way::Starter)),
        check_07_4(YOUR_TURN),
        check_07_1(""),
        check_07_1("xyz"),
    ];
    for verdict in starters {
        assert_eq!(verdict.finding().name(), "not attempted", "{verdict}");
    }
}

/// In any order and with any marks between them; what is missing or too many is named.
#[test]
fn random_tokens_keep_three_of_five() {
    for right in ["ace", "eca", "a, c, e"] {
        assert_solved(&check_07_1(right));
    }
    for (wrong, part) in [("abce", "(b)"), ("acde", "(d)"), ("abcde", "(b)")] {
        assert!(is_run(assert_not_yet(&check_07_1(wrong), part).as_ref()));
    }
    for (wrong, part) in [("ce", "(a)"), ("ae", "(c)"), ("ac", "(e)")] {
        let evidence = assert_not_yet(&check_07_1(wrong), part);
        let Some(Evidence::Numbers(table)) = evidence else { panic!("{evidence:?}") };
        assert!(!table.to_string().contains("broken"), "nothing of the others: {table}");
    }
}

#[test]
fn a_store_may_serve_every_read() {
    let verdict = check_07_2(Trial::new(Way::Sound));
    assert_solved(&verdict);
    for way in [Way::RefusesReads, Way::SavesOnWritesOnly] {
        assert_not_yet(&check_07_2(Trial::new(way)), "must serve every read");
    }
    assert_not_yet(&check_07_2(Trial::new(Way::ForgetsValues)), "does not give back");
    assert_not_yet(&check_07_2(Trial::new(Way::RefusesEqual)), "an equal one is the holder's own");
    let unmarked = assert_not_yet(&check_07_2(Trial::new(Way::NeverRefuses)), "reads too");
    assert!(is_run(unmarked.as_ref()));
}

/// It would do no harm: what is written after such a read is refused.
#[test]
fn every_read_gives_what_the_store_holds() {
    let made_up = "To a new store: a read with token 2, a read with token 1. The last gives value \
                   77 of version 5, not value 0 of version 0.";
    assert_not_yet(&check_07_2(Trial::new(Way::InventsOldReads)), made_up);
    assert_not_yet(&check_07_3(Trial::new(Way::InventsOldReads)), made_up);
    assert_not_yet(&check_07_3(Trial::new(Way::LosesValues)), "a restart, a read with token");
    assert_solved(&check_07_2(Trial::new(Way::LosesValues)));
}

#[test]
fn a_mark_that_is_lower_after_a_restart_is_told_with_its_reason() {
    for (way, part) in [
        (Way::SavesOnWritesOnly, "a newer grant's read has raised the mark since"),
        (Way::SavesBeforeComparing, "has put its own lower token on the disk"),
        (Way::StartsWithoutMark, "`start` must go on"),
    ] {
        assert!(is_run(assert_not_yet(&check_07_3(Trial::new(way)), part).as_ref()));
    }
}

#[test]
fn what_is_saved_with_the_write_alone_is_too_old() {
    assert_solved(&check_07_3(Trial::new(Way::RefusesReads)));
    assert_solved(&check_07_3(Trial::new(Way::Sound)));
    let verdict = check_07_3(Trial::new(Way::SavesOnWritesOnly));
    assert!(is_run(assert_not_yet(&verdict, "read has raised the mark since").as_ref()));
    assert!(verdict.to_string().contains("the store restarts"), "{verdict}");
    assert_not_yet(&check_07_3(Trial::new(Way::NeverRefuses)), "goes wrong without a restart");
}

#[test]
fn a_store_does_no_harm_to_the_search() {
    let panics = check_07_2(Trial::new(Way::Panics));
    assert!(is_run(assert_not_yet(&panics, "the store panics: two is too many").as_ref()));
    let endless = check_07_2(Trial::new(Way::NeverEnds));
    assert_not_yet(&endless, "does not come to an end");
    let large = check_07_3(Trial::new(Way::RemembersAll));
    let evidence = assert_not_yet(&large, "there are too many states");
    assert!(matches!(evidence, Some(Evidence::Numbers(_))));
}

#[test]
fn four_grants_fill_two_bits() {
    assert_solved(&check_07_4("c"));
    for (wrong, part) in [("a", "until two bits"), ("b", "until two bits"), ("d", "smaller world")]
    {
        let evidence = assert_not_yet(&check_07_4(wrong), part);
        let Some(Evidence::Numbers(table)) = evidence else { panic!("{evidence:?}") };
        assert_eq!(table.to_string().lines().count(), 2, "the answer is left out: {table}");
    }
}
