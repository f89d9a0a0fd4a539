//! The rehearsal: six designs drawn by a seed. Is each of them safe? If not, why?
//!
//! Nobody has written the answers down. A design is run as it is; if something goes wrong in it,
//! the cause that was named is taken away, and the same seed is run again.

use super::attempt::beat;
use super::cure::{self, Cure};
use super::situations::{Draw, SAFE, Situation, UNSAFE};
use super::verdict::{Finding, Shortfall};
use crate::analysis::estimate::writing::with_commas;
use crate::analysis::run;
use crate::chance::seed::{Purpose, Seed};
use crate::figures::output::{Figure, debug_is_text, show};
use crate::figures::svg::escape;
use crate::figures::table::Table;
use crate::simulation::scenario::{Scenario, ScenarioError};
use rand::RngExt;
use rand::seq::SliceRandom;
use std::fmt;

/// How many designs there are in a rehearsal.
const DESIGNS: usize = 6;
/// So many of them are safe.
const SAFE_ONES: std::ops::RangeInclusive<usize> = 1..=3;
/// The seed of every run.
const RUN: Seed = Seed(1);

/// What is asked of each design.
const QUESTION: &str = "Is it safe, and does the store serve whoever holds the lock? If not, why?";

/// An answer to choose.
struct Reason {
    letter: char,
    says: &'static str,
    /// Absent for "it is safe".
    cure: Option<Cure>,
}

const fn reason(letter: char, says: &'static str, cure: Option<Cure>) -> Reason {
    Reason { letter, says, cure }
}

/// One of them is right for each design.
const REASONS: [Reason; 11] = [
    reason('a', "Yes: safe, and the holder is served.", None),
    reason('b', "Nothing at the store looks at a token.", Some(cure::a_check)),
    reason(
        'c',
        "The store does not hear of a newer holder until it writes.",
        Some(cure::a_check_of_reads),
    ),
    reason(
        'd',
        "The number on a grant does not say which grant is newer.",
        Some(cure::increasing_tokens),
    ),
    reason('e', "The store forgets what it has seen.", Some(cure::a_lasting_mark)),
    reason('f', "Check and write are two steps.", Some(cure::one_step)),
    reason('g', "The lock service forgets what it has granted.", Some(cure::a_lock_that_remembers)),
    reason(
        'h',
        "The condition does not see what changed and changed back.",
        Some(cure::a_condition_on_the_version),
    ),
    reason('i', "The lease is too short: six times as long would do.", Some(cure::a_longer_lease)),
    reason('j', "Too few renewals: six a lease would do.", Some(cure::more_renewals)),
    reason('k', "No look at the clock before the write.", Some(cure::a_last_look)),
];

/// Six designs, and the answers to choose from.
///
/// ```
/// use fencing::prelude::*;
///
/// let rehearsal = Rehearsal::of(Seed(1));
/// assert!(rehearsal.to_string().starts_with("1. "));
/// assert!(run(rehearsal.scenario(1).expect("there are six"), Seed(1)).is_ok());
/// ```
#[derive(Clone, PartialEq)]
pub struct Rehearsal {
    situations: Vec<Situation>,
}

impl Rehearsal {
    /// The six that this seed draws. The same seed draws the same ones.
    #[must_use]
    pub fn of(seed: Seed) -> Rehearsal {
        let mut stream = seed.stream(Purpose::Rehearsal, 0);
        let safe_ones = stream.random_range(SAFE_ONES);
        let (mut safe, mut not_safe) = (SAFE.to_vec(), UNSAFE.to_vec());
        safe.shuffle(&mut stream);
        not_safe.shuffle(&mut stream);
        safe.truncate(safe_ones);
        not_safe.truncate(DESIGNS - safe_ones);
        let mut draws: Vec<Draw> = safe.into_iter().chain(not_safe).collect();
        draws.shuffle(&mut stream);
        Rehearsal { situations: draws.into_iter().map(|draw| draw(&mut stream)).collect() }
    }

    /// The scenario that is meant by the design of this number, from 1 to 6.
    #[must_use]
    pub fn scenario(&self, number: usize) -> Option<&Scenario> {
        let index = number.checked_sub(1)?;
        self.situations.get(index).map(|situation| &situation.scenario)
    }

    /// The designs and the answers as HTML.
    #[must_use]
    pub fn to_html(&self) -> String {
        let designs = self.situations.iter().map(|it| format!("<li>{}</li>", escape(&it.text)));
        let reasons = REASONS.iter().map(|it| {
            format!(
                "<li style=\"list-style:none\"><strong>{}</strong> {}</li>",
                it.letter,
                escape(it.says)
            )
        });
        format!(
            "<ol style=\"max-width:52em\">{}</ol><p>{QUESTION}</p>\
             <ul style=\"padding-left:1em\">{}</ul>",
            designs.collect::<String>(),
            reasons.collect::<String>()
        )
    }

    /// Shows the designs and the answers in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.to_html(), &self.to_string());
    }
}

debug_is_text!(Rehearsal);

impl Figure for Rehearsal {
    fn html(&self) -> String {
        self.to_html()
    }
}

impl fmt::Display for Rehearsal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, situation) in (1..).zip(&self.situations) {
            writeln!(f, "{number}. {}", situation.text)?;
        }
        writeln!(f, "\n{QUESTION}")?;
        for Reason { letter, says, .. } in &REASONS {
            writeln!(f, "{letter} {says}")?;
        }
        Ok(())
    }
}

/// What came of one design with one answer.
enum Judged {
    Right,
    /// A sentence and what it overlooks.
    Wrong(String, String),
}

/// Judges six letters, one for each design.
pub(crate) fn judge(seed: Seed, letters: &str) -> Finding {
    let letters = letters.chars().filter(|letter| letter.is_alphabetic());
    let given: Option<Vec<&Reason>> =
        letters.map(|letter| REASONS.iter().find(|reason| reason.letter == letter)).collect();
    let Some(given) = given.filter(|given| given.len() == DESIGNS) else {
        let how = "Answer with six letters from a to k, one for each design, such as \"abacad\".";
        return Finding::NotAttempted(how.to_owned());
    };
    let rehearsal = Rehearsal::of(seed);
    let judged: Result<Vec<Judged>, ScenarioError> = rehearsal
        .situations
        .iter()
        .zip(&given)
        .map(|(situation, reason)| judge_one(&situation.scenario, reason))
        .collect();
    match judged {
        Ok(judged) => finding(&judged, &given),
        Err(error) => Finding::NotAttempted(error.to_string()),
    }
}

fn finding(judged: &[Judged], given: &[&Reason]) -> Finding {
    let first = judged.iter().position(|judged| matches!(judged, Judged::Wrong(..)));
    let Some((number, Judged::Wrong(sentence, explanation))) =
        first.and_then(|index| Some((index + 1, judged.get(index)?)))
    else {
        let said = "All six. What you called safe has lost nothing, and each of the others is safe \
                    without the one cause that you named. Another seed draws another six.";
        return Finding::Solved(said.to_owned());
    };
    let mut table = Table::new(["design", "your answer", ""]);
    for (number, (judged, reason)) in (1..).zip(judged.iter().zip(given)) {
        let mark = if matches!(judged, Judged::Right) { "right" } else { "not yet" };
        table = table.row([
            number.to_string(),
            format!("{} {}", reason.letter, reason.says),
            mark.to_owned(),
        ]);
    }
    let sentence = format!("Design {number}: {sentence}");
    Finding::NotYet(Shortfall::new(sentence, explanation.clone()).seen_from(table))
}

fn judge_one(scenario: &Scenario, reason: &Reason) -> Result<Judged, ScenarioError> {
    let before = Fared::of(scenario)?;
    let wrong = |sentence: String, explanation: String| Ok(Judged::Wrong(sentence, explanation));
    let Some(cure) = reason.cure else {
        if before.is_well() {
            return Ok(Judged::Right);
        }
        return wrong(format!("it is not: {before}."), before.question().to_owned());
    };
    if before.is_well() {
        return wrong(
            format!("nothing goes wrong in it: {before}."),
            "Whether what you name is so or not: what arrives too late is refused, and it does not \
             matter why it is late."
                .to_owned(),
        );
    }
    let Some(cured) = cure(scenario) else {
        return wrong(
            "it is not safe, but not for this reason.".to_owned(),
            "What you name is not so in this design. Read it once more.".to_owned(),
        );
    };
    let after = Fared::of(&cured)?;
    if after.is_well() {
        return Ok(Judged::Right);
    }
    wrong(
        "it is not safe, but what you name is not why.".to_owned(),
        format!("With that made otherwise it is still so that {after}."),
    )
}

/// How a design fares in a long run.
struct Fared {
    /// Writes that should not have been accepted.
    wrong: u64,
    accepted: u64,
    grants: u64,
    refused_reads: u64,
}

impl Fared {
    fn of(scenario: &Scenario) -> Result<Fared, ScenarioError> {
        let outcome = run(scenario, RUN)?;
        beat();
        Ok(Fared {
            wrong: outcome.zombie_writes.max(outcome.lost_updates),
            accepted: outcome.accepted_writes,
            grants: outcome.grants,
            refused_reads: outcome.refused_reads,
        })
    }

    /// Whether the lock is of use: of those who are granted it, some have been paused for too long,
    /// but far from half.
    fn is_of_use(&self) -> bool {
        self.refused_reads * 2 < self.grants.max(1)
    }

    fn is_well(&self) -> bool {
        self.wrong == 0 && self.is_of_use()
    }

    fn question(&self) -> &'static str {
        if self.is_of_use() {
            "They were zombie writes, or replaced a value that their client had not read. Which \
             part of the design lets them through?"
        } else {
            "Nothing wrong is written, and hardly anything right. Why does the store take rightful \
             holders for late ones?"
        }
    }
}

impl fmt::Display for Fared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wrong, accepted) = (with_commas(self.wrong), with_commas(self.accepted));
        if self.is_of_use() {
            return write!(f, "{wrong} of {accepted} writes should not have been accepted");
        }
        let (refused, grants) = (with_commas(self.refused_reads), with_commas(self.grants));
        write!(f, "the store refuses the holder in {refused} of {grants} grants")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The letters that are right for a scenario.
    fn right(scenario: &Scenario) -> String {
        let is_right = |reason: &&Reason| {
            matches!(judge_one(scenario, reason).expect("it runs"), Judged::Right)
        };
        REASONS.iter().filter(is_right).map(|reason| reason.letter).collect()
    }

    /// However a design is drawn, there is one right answer to it, and always the same.
    #[test]
    fn every_design_has_exactly_one_answer() {
        let expected =
            ["a", "a", "a", "a", "a", "b", "b", "b", "b", "c", "d", "d", "e", "f", "g", "h"];
        let draws = SAFE.iter().chain(&UNSAFE);
        let mut faults = Vec::new();
        for (number, (draw, expected)) in (0..).zip(draws.zip(expected)) {
            for seed in 1..=6 {
                let situation = draw(&mut Seed(seed).stream(Purpose::Rehearsal, number));
                let right = right(&situation.scenario);
                if right != expected {
                    faults.push(format!("{right}, not {expected}: {}", situation.text));
                }
            }
        }
        assert!(faults.is_empty(), "{faults:#?}");
    }

    #[test]
    fn a_rehearsal_is_six_different_designs_of_both_kinds() {
        for seed in (1..=100).map(Seed) {
            let rehearsal = Rehearsal::of(seed);
            assert_eq!(rehearsal, Rehearsal::of(seed));
            let mut texts: Vec<&str> =
                rehearsal.situations.iter().map(|it| it.text.as_str()).collect();
            texts.sort_unstable();
            texts.dedup();
            assert_eq!(texts.len(), DESIGNS);
        }
    }
}
