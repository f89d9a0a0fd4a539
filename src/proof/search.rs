//! The search: every state that can be reached, each once, the nearest first. It is done by the
//! model checker stateright, of which nothing else in the library knows.

use super::happen::Scene;
use super::property::Property;
use super::rules::Rules;
use super::state::{State, Step};
use stateright::{Checker, Model};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// What a search has found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The shortest way to break each property, in the order of [`Property::ALL`].
    pub(super) paths: Vec<Option<Vec<Step>>>,
    /// How often a step was taken; the start counts as one.
    pub(super) steps: u64,
    /// How many different states there are.
    pub(super) states: u64,
    /// The most steps that any state is away from the start, by the shortest way to it.
    pub(super) depth: u64,
    /// True if nothing was left to search.
    pub(super) is_complete: bool,
    pub(super) took: Duration,
}

/// Why a search has found nothing: the store is at fault.
#[derive(Clone, Debug)]
pub(super) enum BrokenOff {
    /// Its code panics: what it says, and the shortest way to the step before.
    Panics(String, Vec<Step>),
    /// What it does is not told by what is in it.
    IsWhimsical,
}

/// Searches until there is nothing more to find, or until so many steps were taken. Whatever state
/// was reached by then is still looked at.
pub(super) fn search(rules: &Rules, most_steps: u64) -> Result<Found, BrokenOff> {
    let start = Instant::now();
    let said = Arc::new(OnceLock::new());
    let model = Searched {
        rules: rules.clone(),
        seen_broken: Default::default(),
        has_seen_panic: AtomicBool::new(false),
        said: Arc::clone(&said),
        steps_left: AtomicU64::new(most_steps.saturating_sub(1)),
        is_cut_short: AtomicBool::new(false),
    };
    // One thread: with more of them, a counterexample need not be a shortest one.
    let mut checker = model.checker().threads(1).spawn_bfs();
    for thread in checker.handles() {
        // What is left is a store that panics while it is copied, compared or hashed.
        thread.join().map_err(|payload| BrokenOff::Panics(text_of(&*payload), Vec::new()))?;
    }
    let (steps, states) = (checker.state_count() as u64, checker.unique_state_count() as u64);
    let is_complete = !checker.model().is_cut_short();
    checker.model().allow_any_number_of_steps();
    let mut paths = ways(&checker)?;
    let mut path = |name: &str| paths.remove(name);
    if let (Some(mut path), Some(said)) = (path(NO_PANIC), said.get()) {
        path.pop();
        return Err(BrokenOff::Panics(said.clone(), path));
    }
    let paths: Vec<_> = Property::ALL.iter().map(|property| path(property.name())).collect();
    if !paths.iter().zip(Property::ALL).all(|(path, property)| leads_to(rules, path, property)) {
        return Err(BrokenOff::IsWhimsical);
    }
    // The start counts as one step there.
    let depth = checker.max_depth() as u64 - 1;
    Ok(Found { paths, steps, states, depth, is_complete, took: start.elapsed() })
}

/// Whether these steps, taken once more, break the property again.
fn leads_to(rules: &Rules, path: &Option<Vec<Step>>, property: Property) -> bool {
    let Some(path) = path else { return true };
    let end = path.iter().fold(rules.start(), |state, step| next(rules, &state, *step));
    end.breaks(property, rules)
}

fn next(rules: &Rules, state: &State, step: Step) -> State {
    let mut nobody = |_| {};
    let mut scene = Scene::new(state.clone(), rules, &mut nobody);
    scene.happen(step);
    scene.state
}

/// The ways to what was found. Stateright keeps the numbers of the steps alone, and takes them once
/// more from the start: on a thread with a name like those of the search, since the kernel says
/// nothing of panics there.
fn ways(
    checker: &(impl Checker<Searched> + Sync),
) -> Result<BTreeMap<&'static str, Vec<Step>>, BrokenOff> {
    let ways = || {
        let found = checker.discoveries().into_iter();
        found.map(|(name, path)| (name, path.into_actions())).collect()
    };
    thread::scope(|scope| {
        let again = thread::Builder::new().name("checker-again".to_owned());
        let ways = again.spawn_scoped(scope, ways);
        ways.map(|thread| thread.join().ok()).ok().flatten().ok_or(BrokenOff::IsWhimsical)
    })
}

/// What is looked for beside the properties, so that a store's panic is seen with what led to it.
const NO_PANIC: &str = "the store does not panic";

fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("(no message)").to_owned()
}

/// The rules, as stateright wants them.
struct Searched {
    rules: Rules,
    /// Which properties have been found broken. Stateright would go on to note each further state
    /// that breaks one, and keep the last of them, which is the farthest.
    seen_broken: [AtomicBool; Property::ALL.len()],
    has_seen_panic: AtomicBool,
    /// What the store's first panic said.
    said: Arc<OnceLock<String>>,
    /// How many steps may still be taken. It is counted here, since stateright looks at a bound of
    /// its own only between blocks of 1,500 states.
    steps_left: AtomicU64,
    /// A step was possible and was not taken.
    is_cut_short: AtomicBool,
}

impl Searched {
    /// Whether one more step may be taken, which is then taken.
    fn takes_a_step(&self) -> bool {
        let one_less = |left: u64| left.checked_sub(1);
        let is_taken =
            self.steps_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok();
        if !is_taken {
            self.is_cut_short.store(true, Ordering::Relaxed);
        }
        is_taken
    }

    fn is_cut_short(&self) -> bool {
        self.is_cut_short.load(Ordering::Relaxed)
    }

    /// What was found is gone through once more, which is no part of the search.
    fn allow_any_number_of_steps(&self) {
        self.steps_left.store(u64::MAX, Ordering::Relaxed);
        self.is_cut_short.store(false, Ordering::Relaxed);
    }

    fn holds(&self, property: Property, state: &State) -> bool {
        let is_broken = state.breaks(property, &self.rules);
        !is_broken || self.seen_broken[property.index()].swap(true, Ordering::Relaxed)
    }

    fn has_not_panicked(&self, state: &State) -> bool {
        !state.has_panicked || self.has_seen_panic.swap(true, Ordering::Relaxed)
    }
}

impl Model for Searched {
    type State = State;
    type Action = Step;

    fn init_states(&self) -> Vec<State> {
        vec![self.rules.start()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Step>) {
        if !self.is_cut_short() {
            actions.extend(state.steps(&self.rules));
        }
    }

    fn next_state(&self, state: &State, step: Step) -> Option<State> {
        if !self.takes_a_step() {
            return None;
        }
        let next = catch_unwind(AssertUnwindSafe(|| next(&self.rules, state, step)));
        Some(next.unwrap_or_else(|payload| {
            self.said.get_or_init(|| text_of(&*payload));
            State { has_panicked: true, ..state.clone() }
        }))
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
        let named = Property::ALL.iter().map(|property| property.name()).zip(conditions);
        let panics: Condition = Searched::has_not_panicked;
        named
            .chain([(NO_PANIC, panics)])
            .map(|(name, condition)| Always::always(name, condition))
            .collect()
    }
}
