//! When something happens of itself: by chance, and at given times.

use super::{ScenarioError, at_most_a_life, between, not_zero, sampler};
use crate::chance::delay::{Delay, Sampler};
use crate::time::span;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Moments at which something happens: at random, and at given times. Empty: never.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Moments {
    /// Mean of the exponential time from one to the next, above zero. Absent: none but those below.
    #[serde(with = "span::optional", skip_serializing_if = "Option::is_none")]
    pub every: Option<Duration>,
    /// At these times from the start, for stories.
    #[serde(with = "span::list", skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<Duration>,
}

impl Moments {
    /// Never.
    #[must_use]
    pub fn never() -> Moments {
        Moments::default()
    }

    /// At random, on average once in `every`.
    #[must_use]
    pub fn every(every: Duration) -> Moments {
        Moments { every: Some(every), at: Vec::new() }
    }

    /// At these times from the start.
    #[must_use]
    pub fn at(at: impl IntoIterator<Item = Duration>) -> Moments {
        Moments { every: None, at: at.into_iter().collect() }
    }

    /// True if there is none.
    #[must_use]
    pub fn is_never(&self) -> bool {
        *self == Moments::never()
    }

    pub(super) fn check(&self, field: &str) -> Result<(), ScenarioError> {
        not_zero(&format!("{field}.every"), self.every)
    }
}

/// Stretches of time during which something is so: at random, and at given times. Empty: never.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Spells {
    /// Mean of the exponential time from the end of one to the start of the next, above zero.
    /// Absent: none but those of the script.
    #[serde(with = "span::optional", skip_serializing_if = "Option::is_none")]
    pub every: Option<Duration>,
    /// How long each of these lasts.
    pub length: Delay,
    /// At given times, for stories.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub script: Vec<Spell>,
}

/// One stretch of time, at a given time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spell {
    /// Which client or instance it is about, counted from 0, where it is about one of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u32>,
    /// When, from the start of the run.
    #[serde(with = "span")]
    pub at: Duration,
    /// How long.
    #[serde(with = "span")]
    pub length: Duration,
}

impl Default for Spells {
    fn default() -> Spells {
        Spells { every: None, length: Delay::ZERO, script: Vec::new() }
    }
}

impl Spells {
    /// Never.
    #[must_use]
    pub fn never() -> Spells {
        Spells::default()
    }

    /// At random, on average `every` after the last one.
    #[must_use]
    pub fn every(every: Duration, length: Delay) -> Spells {
        Spells { every: Some(every), length, script: Vec::new() }
    }

    /// At given times.
    #[must_use]
    pub fn script(script: impl IntoIterator<Item = Spell>) -> Spells {
        Spells { script: script.into_iter().collect(), ..Spells::default() }
    }

    /// True if there is none.
    #[must_use]
    pub fn is_never(&self) -> bool {
        *self == Spells::never()
    }

    /// The lines of the script, each with whom it is about: one of `known`, where there are any.
    pub(super) fn lines(
        &self,
        field: &str,
        known: Option<u32>,
    ) -> Result<Vec<(u32, &Spell)>, ScenarioError> {
        let mut lines = Vec::new();
        for (number, spell) in self.script.iter().enumerate() {
            let field = format!("{field}.script[{number}]");
            at_most_a_life(&format!("{field}.length"), spell.length)?;
            let of = match (known, spell.of) {
                (Some(known), Some(of)) => {
                    between(&format!("{field}.of"), of, 0..=known.saturating_sub(1).into())?;
                    of
                }
                (None, None) => 0,
                (Some(_), None) => {
                    let allowed = "be a number counted from 0, such as of = 0";
                    return Err(ScenarioError::field(&format!("{field}.of"), "absent", allowed));
                }
                (None, Some(of)) => {
                    let allowed = "be left out: there is only one";
                    return Err(ScenarioError::field(&format!("{field}.of"), of, allowed));
                }
            };
            lines.push((of, spell));
        }
        Ok(lines)
    }

    pub(super) fn check(&self, field: &str) -> Result<Option<(Duration, Sampler)>, ScenarioError> {
        not_zero(&format!("{field}.every"), self.every)?;
        let length = sampler(&format!("{field}.length"), &self.length)?;
        Ok(self.every.map(|every| (every, length)))
    }
}

impl Spell {
    /// From `at` after the start, for `length`.
    #[must_use]
    pub fn new(at: Duration, length: Duration) -> Spell {
        Spell { of: None, at, length }
    }

    /// The same for one client or instance, counted from 0.
    #[must_use]
    pub fn of(self, number: u32) -> Spell {
        Spell { of: Some(number), ..self }
    }
}
