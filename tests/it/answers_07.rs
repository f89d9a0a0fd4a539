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
        match self.way {
            Way::Starter => your_turn(),
            Way::RefusesReads | Way::SavesOnWritesOnly if token < self.mark => {
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
        if write.token < self.mark {
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

    fn disk(&self) -> Trial {
        self.clone()
    }

    fn start(disk: Trial) -> Trial {
        let mark = if disk.way == Way::SavesOnWritesOnly { disk.saved } else { disk.mark };
        let mut started = Trial { mark, ..disk };
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
fn a_check_on_writes_keeps_three_of_five() {
    for right in ["ade", "eda", "a, d, e"] {
        assert_solved(&check_07_1(right));
    }
    for (wrong, part) in [("abcde", "(b)"), ("acde", "(c)")] {
        assert!(is_run(assert_not_yet(&check_07_1(wrong), part).as_ref()));
    }
    for (wrong, part) in [("de", "(a)"), ("ae", "(d)"), ("ad", "(e)")] {
        assert!(!is_run(assert_not_yet(&check_07_1(wrong), part).as_ref()));
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
    let unmarked = assert_not_yet(&check_07_2(Trial::new(Way::NeverRefuses)), "reads too");
    assert!(is_run(unmarked.as_ref()));
}

#[test]
fn what_is_saved_with_the_write_alone_is_too_old() {
    assert_solved(&check_07_3(Trial::new(Way::RefusesReads)));
    assert_solved(&check_07_3(Trial::new(Way::Sound)));
    let verdict = check_07_3(Trial::new(Way::SavesOnWritesOnly));
    assert!(is_run(assert_not_yet(&verdict, "B's read has raised the mark since").as_ref()));
    assert!(verdict.to_string().contains("has lost what it compares with"), "{verdict}");
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
        assert!(matches!(evidence, Some(Evidence::Numbers(_))));
    }
}
