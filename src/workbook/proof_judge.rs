//! A reader's store in every interleaving: the first thing that it does wrong, in the fewest steps.

use super::attempt::beat;
use super::verdict::Shortfall;
use crate::proof::{Checked, Proof, ProofError, Property};
use crate::simulation::trace::Trace;

/// Clients and turns, from small to large, so that what goes wrong early is found early.
/// With three clients two can be late at once.
const BOUNDS: [(u32, u32); 4] = [(1, 1), (2, 1), (3, 1), (2, 2)];
/// A store that remembers no more than it needs takes less than half of them.
const MOST_STEPS: u64 = 100_000;

/// Judges the proof within each bounds: what was searched last, or what is wrong, with the
/// explanation that the exercise has for that property.
pub(crate) fn judge(
    proof: &Proof,
    explained: impl Fn(Property, &Trace) -> &'static str,
) -> Result<Checked, Shortfall> {
    let mut last = None;
    for (clients, turns) in BOUNDS {
        beat();
        let proof = proof.clone().clients(clients).turns(turns).at_most(MOST_STEPS);
        let checked = proof.check().map_err(|error| unsearchable(&error))?;
        if let Some((property, run)) = first_broken(&checked) {
            return Err(shortfall(property, run, explained(property, run)));
        }
        if !checked.is_complete() {
            return Err(too_large().seen_from(checked.table()));
        }
        last = Some(checked);
    }
    last.ok_or_else(too_large)
}

/// The property that is broken in the fewest steps.
fn first_broken(checked: &Checked) -> Option<(Property, &Trace)> {
    let broken = Property::ALL.into_iter().filter_map(|it| Some((it, checked.trace(it)?)));
    broken.min_by_key(|(_, run)| run.end)
}

fn shortfall(property: Property, run: &Trace, explanation: &str) -> Shortfall {
    let sentence = match property {
        Property::TokensNeverFall => "Your store accepts a lower token after a higher one.",
        Property::NoZombieWrite => "Your store accepts a zombie write.",
        Property::NoLostUpdate => "With your store an update is lost.",
        Property::NewestIsServed => {
            "Your store refuses somebody whose grant is the newest that it has served, or newer."
        }
        Property::NoDeadlock => "With your store everything comes to a standstill.",
    };
    let picture = run.sequence().titled(format!("A shortest run that breaks: {property}"));
    Shortfall::new(sentence, explanation).seen_in(picture)
}

fn unsearchable(error: &ProofError) -> Shortfall {
    let sentence = format!("The search was broken off: {error}.");
    let explanation = "Nothing is lost. Mend it and run the cell again.";
    let shortfall = Shortfall::new(sentence, explanation);
    match error.run() {
        Some(run) => shortfall.seen_in(run),
        None => shortfall,
    }
}

fn too_large() -> Shortfall {
    Shortfall::new(
        "The search was cut short: with your store there are too many states.",
        "Nothing wrong was found, and nothing is proved. Whatever a store remembers of its past \
         makes two states of one that could have been the same. What does it have to know, to \
         decide about the next request?",
    )
}
