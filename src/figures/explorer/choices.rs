//! The controls of an explorer, where none are named.

use crate::analysis::sweep::Knob;
use crate::chance::delay::Delay;
use crate::protocol::store::TokenCheck;
use crate::simulation::scenario::Scenario;
use std::time::Duration;

/// Lease, renewal, token check and, where there is a pause, its length.
pub(super) fn usual(base: &Scenario) -> Vec<Knob> {
    let lease = base.lease;
    let mut knobs = vec![leases([lease, 4 * lease]), renewal(), token_check()];
    let (script, random) = (base.pauses.script.first(), &base.pauses.critical_section);
    if script.is_some() || random.is_some() {
        // One that no lease minds, one that renewal survives, one that it does not; and, longer by
        // what the long lease is longer, one that is too long for it.
        let own = script.map_or(lease.mul_f64(1.1), |pause| pause.length);
        let mut lengths = vec![lease.mul_f64(0.3), lease.mul_f64(0.8), own, own + 3 * lease];
        lengths.sort_unstable();
        lengths.dedup();
        knobs.push(pauses(lengths));
    }
    knobs
}

pub(super) fn leases(leases: impl IntoIterator<Item = Duration>) -> Knob {
    Knob::of_spans("lease", leases, |scenario, lease| scenario.lease = lease)
}

/// It follows the lease, of which it therefore must come behind.
fn renewal() -> Knob {
    let off: fn(&mut Scenario) = |scenario| scenario.renew_every = None;
    let on: fn(&mut Scenario) = |scenario| scenario.renew_every = Some(scenario.lease / 2);
    Knob::of_changes("renewal", [("off", off), ("every half lease", on)])
}

fn token_check() -> Knob {
    let never: fn(&mut Scenario) = |scenario| scenario.token_check = TokenCheck::Never;
    let on_write: fn(&mut Scenario) = |scenario| scenario.token_check = TokenCheck::OnWrite;
    let always: fn(&mut Scenario) = |scenario| scenario.token_check = TokenCheck::OnEveryRequest;
    let settings = [("never", never), ("on write", on_write), ("on every request", always)];
    Knob::of_changes("token check", settings)
}

/// The length of the first pause of a script, or else of those in critical sections.
pub(super) fn pauses(lengths: impl IntoIterator<Item = Duration>) -> Knob {
    Knob::of_spans("pause", lengths, |scenario, length| {
        if let Some(pause) = scenario.pauses.script.first_mut() {
            let longer = length.saturating_sub(pause.length);
            pause.length = length;
            // What the story shows after the pause is still seen.
            scenario.stop.time = scenario.stop.time.map(|time| time + longer);
        } else if let Some(pause) = &mut scenario.pauses.critical_section {
            pause.length = Delay::constant(length);
        }
    })
}
