//! The search: every state that can be reached, each once, the nearest first. It is done by the
//! model checker stateright, of which nothing else in the library knows.

use super::happen::Scene;
use super::property::Property;
use super::rules::Rules;
use super::state::{State, Step};
use stateright::{Checker, Model};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search has found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The shortest way to break each property, in the order of [`Property::ALL`].
    pub(super) paths: Vec<Option<Vec<Step>>>,
    /// How often a step was taken.
    pub(super) steps: u64,
    /// How many different states there are.
    pub(super) states: u64,
    /// The most steps that any state is away from the start, by the shortest way to it.
    pub(super) depth: u64,
    /// True if nothing was left to search.
    pub(super) is_complete: bool,
    pub(super) took: Duration,
}

/// Searches until there is nothing more to find, or until so many steps were taken.
pub(super) fn search(rules: &Rules, most_steps: u64) -> Found {
    let start = Instant::now();
    let model = Searched { rules: rules.clone(), seen_broken: Default::default() };
    // One thread: with more of them, a counterexample need not be a shortest one.
    let most = usize::try_from(most_steps).unwrap_or(usize::MAX);
    let checker = model.checker().threads(1).target_state_count(most).spawn_bfs().join();
    let (steps, states) = (checker.state_count() as u64, checker.unique_state_count() as u64);
    let mut paths = checker.discoveries();
    let mut path = |property: &Property| Some(paths.remove(property.name())?.into_actions());
    let paths: Vec<_> = Property::ALL.iter().map(&mut path).collect();
    let is_complete = steps < most_steps && paths.iter().any(Option::is_none);
    // The start counts as one step there.
    let depth = checker.max_depth() as u64 - 1;
    Found { paths, steps, states, depth, is_complete, took: start.elapsed() }
}

/// The rules, as stateright wants them.
struct Searched {
    rules: Rules,
    /// Which properties have been found broken. Stateright would go on to note each further state
    /// that breaks one, and keep the last of them, which is the farthest.
    seen_broken: [AtomicBool; Property::ALL.len()],
}

impl Searched {
    fn holds(&self, property: Property, state: &State) -> bool {
        let is_broken = match property {
            Property::NoDeadlock => state.is_stuck(&self.rules),
            _ => state.broken.has(property),
        };
        !is_broken || self.seen_broken[property.index()].swap(true, Ordering::Relaxed)
    }
}

impl Model for Searched {
    type State = State;
    type Action = Step;

    fn init_states(&self) -> Vec<State> {
        vec![self.rules.start()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Step>) {
        actions.extend(state.steps(&self.rules));
    }

    fn next_state(&self, state: &State, step: Step) -> Option<State> {
        let mut nobody = |_| {};
        let mut scene = Scene::new(state.clone(), &self.rules, &mut nobody);
        scene.happen(step);
        Some(scene.state)
    }

    fn properties(&self) -> Vec<stateright::Property<Searched>> {
        use stateright::Property as Always;
        type Condition = fn(&Searched, &State) -> bool;
        let conditions: [Condition; Property::ALL.len()] = [
            |model, state| model.holds(Property::TokensNeverFall, state),
            |model, state| model.holds(Property::NoZombieWrite, state),
            |model, state| model.holds(Property::NoLostUpdate, state),
            |model, state| model.holds(Property::NewestIsServed, state),
            |model, state| model.holds(Property::NoDeadlock, state),
        ];
        let named = Property::ALL.iter().zip(conditions);
        named.map(|(property, condition)| Always::always(property.name(), condition)).collect()
    }
}
