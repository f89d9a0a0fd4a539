//! What is shown of one state.

use crate::analysis::outcome::Outcome;
use crate::analysis::sweep::Cell;
use crate::chance::seed::Seed;
use crate::figures::sequence::{Picture, SequenceDiagram};
use crate::simulation::trace;

/// The pictures and words of one state.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) picture: Picture,
    pub(super) telling: String,
}

impl Shown {
    /// Runs the state once more, and draws what happens.
    pub(super) fn of(state: &Cell, seed: Seed) -> Option<Shown> {
        let diagram = diagram(state, seed)?;
        Some(Shown { picture: diagram.picture(), telling: diagram.telling() })
    }
}

/// The run from its start; if it is too long for that, what led to its first zombie write. It is
/// absent where the state cannot be run, which was tried before.
pub(super) fn diagram(state: &Cell, seed: Seed) -> Option<SequenceDiagram> {
    let run = trace(&state.scenario, seed).ok()?;
    let whole = run.sequence();
    let shows_incident = whole.is_cut() && run.first_zombie_write().is_some();
    Some(if shows_incident { whole.around_first_zombie() } else { whole })
}

/// What a run amounts to, in one sentence.
pub(super) fn verdict(outcome: &Outcome) -> String {
    let lost = match outcome.lost_updates {
        0 => String::new(),
        1 => ", and an update is lost".to_owned(),
        many => format!(", and {many} updates are lost"),
    };
    let Outcome { zombie_writes, refused_writes, refused_reads, .. } = *outcome;
    match (zombie_writes, refused_writes, refused_reads) {
        (0, 0, 0) if !lost.is_empty() => format!("No zombie write{lost}."),
        (0, 0, 0) => harmless(outcome).to_owned(),
        (0, 0, _) => format!("A lease expires, and the store refuses the late read{lost}."),
        (0, _, _) => format!("A lease expires, and the store refuses the late write{lost}."),
        (1, ..) => format!("The store accepts a zombie write{lost}."),
        (many, ..) => format!("The store accepts {many} zombie writes{lost}."),
    }
}

fn harmless(outcome: &Outcome) -> &'static str {
    if outcome.gave_up > 0 {
        "A lease expires; its holder notices, gives up, and does no harm."
    } else if outcome.expiries > 0 {
        "A lease expires, and this time it does no harm."
    } else {
        "No lease expires, and nothing goes wrong."
    }
}
