//! What the tests of the exercises say of a verdict.

use fencing::prelude::*;
use fencing::workbook::verdict::{Evidence, Finding};

/// It is "not yet", with these words in its sentence or explanation. Gives what it shows beside.
#[track_caller]
pub(crate) fn assert_not_yet(verdict: &Verdict, part: &str) -> Option<Evidence> {
    let Finding::NotYet(shortfall) = verdict.finding() else { panic!("{verdict}") };
    let said = format!("{} {}", shortfall.sentence, shortfall.explanation);
    assert!(said.contains(part), "no `{part}` in: {verdict}");
    shortfall.evidence.clone()
}

#[track_caller]
pub(crate) fn assert_solved(verdict: &Verdict) {
    assert!(verdict.is_solved(), "{verdict}");
}
