//! Reported incidents, and measures against them: which ones help?
//!
//! Each incident's scenario is run as it was reported, and again with the measure.

use super::attempt::beat;
use super::cure::{self, Cure};
use super::verdict::{Finding, Shortfall};
use crate::analysis::run;
use crate::chance::recording::find;
use crate::chance::seed::Seed;
use crate::figures::table::Table;
use crate::simulation::scenario::{Scenario, ScenarioError};

/// The scenario files in `data/incidents`.
const INCIDENTS: [&str; 6] = [
    "etcd-partition",
    "etcd-stalled-server",
    "iceberg-commit-outlasts-lock",
    "redis-clock-step",
    "redisson-missed-renewals",
    "iceberg-lost-answer",
];

/// The measures to choose from.
const MEASURES: [(char, &str, Cure); 5] = [
    ('a', "tokens and a check", cure::tokens_and_a_check),
    ('b', "a longer lease", cure::a_longer_lease),
    ('c', "more renewals", cure::more_renewals),
    ('d', "a last look", cure::a_last_look),
    ('e', "idempotency keys", cure::keys),
];

/// Zombie writes, lost updates and false conflicts in an incident with a measure.
fn harm(incident: &str, measure: Cure) -> Result<u64, ScenarioError> {
    let scenario = Scenario::read(find(format!("data/incidents/{incident}.toml").as_ref()))?;
    // A measure that does not apply changes nothing.
    let outcome = run(&measure(&scenario).unwrap_or(scenario), Seed(1))?;
    beat();
    Ok(outcome.zombie_writes.max(outcome.lost_updates) + outcome.false_conflicts)
}

/// Judges a choice of two letters, in any order.
pub(crate) fn judge(letters: &str) -> Finding {
    let is_chosen = |letter: char| letters.contains(letter);
    let chosen: Vec<_> = MEASURES.iter().filter(|(letter, ..)| is_chosen(*letter)).collect();
    if chosen.len() != 2 || letters.chars().filter(|it| it.is_alphabetic()).count() != 2 {
        let how = "Answer with the letters of the two, such as \"bd\".";
        return Finding::NotAttempted(how.to_owned());
    }
    match with(&chosen) {
        Ok((_, left)) if left.is_empty() => Finding::Solved(
            "With one of the two or the other, none of the six does any harm. The check deals \
             with whatever comes too late, and asks nothing of clocks, networks or pauses. A \
             repeat does not come too late: there it is a matter of knowing it again."
                .to_owned(),
        ),
        Ok((table, left)) => {
            let sentence = format!("{} still does harm, with either of the two.", left[0]);
            Finding::NotYet(Shortfall::new(sentence, explanation(&left)).seen_from(table))
        }
        Err(error) => Finding::NotAttempted(error.to_string()),
    }
}

/// The harm that is left with each of them, and which incidents neither helps.
fn with(chosen: &[&(char, &str, Cure)]) -> Result<(Table, Vec<&'static str>), ScenarioError> {
    let headings = ["incident"].into_iter().chain(chosen.iter().map(|(_, name, _)| *name));
    let caption = "Zombie writes, or lost updates, and false conflicts that are left";
    let mut table = Table::new(headings).captioned(caption);
    let mut left = Vec::new();
    for incident in INCIDENTS {
        let harms: Result<Vec<u64>, ScenarioError> =
            chosen.iter().map(|(.., measure)| harm(incident, *measure)).collect();
        let harms = harms?;
        if !harms.contains(&0) {
            left.push(incident);
        }
        table =
            table.row([incident.to_owned()].into_iter().chain(harms.iter().map(u64::to_string)));
    }
    Ok((table, left))
}

fn explanation(left: &[&str]) -> &'static str {
    if left.contains(&"iceberg-lost-answer") {
        "In the last one there is no lock, and nothing is late: the same write comes twice. Which \
         measure knows a write again?"
    } else {
        "The lease of each ended for another reason: a network, a server, work, a clock, a pause. \
         Which measure does not ask why?"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_pair_helps_them_all() {
        let mut pairs = Vec::new();
        for (index, one) in MEASURES.iter().enumerate() {
            for other in &MEASURES[index + 1..] {
                let (_, left) = with(&[one, other]).expect("they run");
                if left.is_empty() {
                    pairs.push([one.0, other.0]);
                }
            }
        }
        assert_eq!(pairs, [['a', 'e']]);
    }

    #[test]
    fn every_incident_does_harm_as_it_was_reported() {
        for incident in INCIDENTS {
            let nothing: Cure = |scenario| Some(scenario.clone());
            assert!(0 < harm(incident, nothing).expect("it runs"), "{incident}");
        }
    }
}
