//! Knobs: what a sweep varies.

use super::Cell;
use crate::simulation::scenario::{Scenario, ScenarioError};
use crate::time::span;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Something that is varied: a name, and the settings it takes one after the other.
///
/// ```
/// use fencing::prelude::*;
///
/// // Any change of a scenario can be a knob.
/// let pause_s = Knob::of_numbers("pause_s", [5.0, 15.0], |scenario, seconds| {
///     let length = Delay::constant(Duration::from_secs_f64(seconds));
///     scenario.pauses = Pauses::critical_section(0.05, length);
/// });
/// let sweep = Sweep::of(&Scenario::baseline()).knob(pause_s).grants(1_000).run(Seed(1))?;
/// let zombies = |cell: &Cell| cell.outcomes.iter().map(|run| run.zombie_writes).sum::<u64>();
/// assert!(zombies(&sweep.cells[0]) < zombies(&sweep.cells[1]));
/// # Ok::<(), ScenarioError>(())
/// ```
#[derive(Clone)]
pub struct Knob {
    pub(super) name: String,
    settings: Vec<(Setting, Change)>,
}

/// One setting of a knob: how it is written, and its number where it is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// As it is written on axes and in tables.
    pub label: String,
    /// Where it stands on an axis: the number itself, or a span in seconds. Absent for a choice of
    /// names.
    pub number: Option<f64>,
}

type Change = Arc<dyn Fn(&mut Scenario) + Send + Sync>;

impl Knob {
    /// A knob whose settings are numbers.
    pub fn of_numbers<F>(
        name: impl Into<String>,
        numbers: impl IntoIterator<Item = f64>,
        set: F,
    ) -> Knob
    where
        F: Fn(&mut Scenario, f64) + Send + Sync + Copy + 'static,
    {
        let setting = |number: f64| Setting { label: number.to_string(), number: Some(number) };
        Knob::new(name, numbers.into_iter().map(|number| (setting(number), number)), set)
    }

    /// A knob whose settings are spans.
    pub fn of_spans<F>(
        name: impl Into<String>,
        spans: impl IntoIterator<Item = Duration>,
        set: F,
    ) -> Knob
    where
        F: Fn(&mut Scenario, Duration) + Send + Sync + Copy + 'static,
    {
        let setting = |span| Setting { label: span::write(span), number: Some(span.as_secs_f64()) };
        Knob::new(name, spans.into_iter().map(|span| (setting(span), span)), set)
    }

    /// A knob whose settings are values with names, written as in a scenario file.
    pub fn of_names<V, F>(
        name: impl Into<String>,
        values: impl IntoIterator<Item = V>,
        set: F,
    ) -> Knob
    where
        V: Serialize + Clone + Send + Sync + 'static,
        F: Fn(&mut Scenario, V) + Send + Sync + Copy + 'static,
    {
        let label = |value: &V| match serde_json::to_value(value) {
            Ok(serde_json::Value::String(name)) => name,
            Ok(other) => other.to_string(),
            Err(error) => error.to_string(),
        };
        let setting = |value: &V| Setting { label: label(value), number: None };
        Knob::new(name, values.into_iter().map(|value| (setting(&value), value)), set)
    }

    /// A knob whose settings are changes of any kind, each with its label.
    pub fn of_changes<L: Into<String>>(
        name: impl Into<String>,
        changes: impl IntoIterator<Item = (L, fn(&mut Scenario))>,
    ) -> Knob {
        let settings = changes.into_iter().map(|(label, change)| {
            (Setting { label: label.into(), number: None }, Arc::new(change) as Change)
        });
        Knob { name: name.into(), settings: settings.collect() }
    }

    /// A knob for any field, by its path and with values as in a scenario file.
    ///
    /// # Errors
    /// [`ScenarioError`], where there is no such field or it does not take one of the values.
    pub fn of_field<V: Into<String>>(
        base: &Scenario,
        path: &str,
        values: impl IntoIterator<Item = V>,
    ) -> Result<Knob, ScenarioError> {
        let settings = values.into_iter().map(|value| {
            let (path, value) = (path.to_owned(), value.into());
            base.with(&path, &value)?;
            let number = value
                .parse()
                .ok()
                .or_else(|| span::parse(&value).ok().map(|span| span.as_secs_f64()));
            let setting = Setting { label: value.clone(), number };
            // Other knobs change other fields, so what the base took every cell takes; one that
            // does not keeps the base's value and fails as that would.
            let change = move |scenario: &mut Scenario| {
                if let Ok(changed) = scenario.with(&path, &value) {
                    *scenario = changed;
                }
            };
            Ok((setting, Arc::new(change) as Change))
        });
        let settings = settings.collect::<Result<Vec<_>, ScenarioError>>()?;
        Ok(Knob { name: path.to_owned(), settings })
    }

    /// What is varied.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The settings, in their order.
    pub fn settings(&self) -> impl Iterator<Item = &Setting> {
        self.settings.iter().map(|(setting, _)| setting)
    }

    fn new<V, F>(
        name: impl Into<String>,
        values: impl Iterator<Item = (Setting, V)>,
        set: F,
    ) -> Knob
    where
        V: Clone + Send + Sync + 'static,
        F: Fn(&mut Scenario, V) + Send + Sync + Copy + 'static,
    {
        let settings = values.map(|(setting, value)| {
            let change = move |scenario: &mut Scenario| set(scenario, value.clone());
            (setting, Arc::new(change) as Change)
        });
        Knob { name: name.into(), settings: settings.collect() }
    }

    /// How the settings are written, in their order.
    pub(super) fn labels(&self) -> impl Iterator<Item = &str> {
        self.settings.iter().map(|(setting, _)| setting.label.as_str())
    }

    /// This cell with each setting in turn.
    pub(super) fn each<'a>(&'a self, cell: &'a Cell) -> impl Iterator<Item = Cell> + 'a {
        self.settings.iter().map(move |(setting, change)| {
            let mut cell = cell.clone();
            cell.settings.push(setting.clone());
            change(&mut cell.scenario);
            cell
        })
    }
}

impl fmt::Debug for Knob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = self.settings.iter().map(|(setting, _)| &setting.label);
        write!(f, "Knob({}: {:?})", self.name, labels.collect::<Vec<_>>())
    }
}
