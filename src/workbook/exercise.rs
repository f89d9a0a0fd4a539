//! The exercises: what `notebooks/exercises.toml` and `notebooks/solutions/` say.
//!
//! Both are part of the compiled library, so that a cell needs no path to them.

use serde::Deserialize;
use std::fmt;

/// An exercise.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// Notebook and number: `03-2`.
    pub id: String,
    /// What it is about.
    pub title: String,
    /// How long it takes, in minutes.
    pub minutes: u32,
    /// From a nudge to nearly there.
    pub hints: Vec<String>,
    /// Why the solution is one.
    pub why: String,
}

/// The file that lists them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    exercise: Vec<Exercise>,
}

/// The solved cells, each embedded under its exercise's id.
macro_rules! solutions {
    ($($id:literal)*) => {
        &[$(($id, include_str!(concat!("../../notebooks/solutions/", $id, ".rs")))),*]
    };
}

/// One line for each exercise.
const SOLUTIONS: &[(&str, &str)] = solutions! {
    "00-1" "00-2" "00-3"
    "01-1" "01-2" "01-3" "01-4"
    "02-1" "02-2" "02-3" "02-4"
    "03-1" "03-2" "03-3" "03-4" "03-5"
    "04-1" "04-2" "04-3" "04-4"
    "05-1" "05-2" "05-3" "05-4"
    "06-1" "06-2" "06-3" "06-4"
    "08-1" "08-2" "08-3" "08-4"
    "09-1" "09-2" "09-3" "09-4"
};

/// All exercises, in the order of the notebooks.
///
/// # Panics
/// Where `exercises.toml` is no such list; a test sees to it that it is.
#[must_use]
pub fn exercises() -> Vec<Exercise> {
    let list: Result<List, _> = toml::from_str(include_str!("../../notebooks/exercises.toml"));
    list.expect("notebooks/exercises.toml is a list of exercises").exercise
}

/// The exercise with this id.
///
/// # Errors
/// [`NoSuchExercise`], which names the most similar one.
pub fn exercise(id: &str) -> Result<Exercise, NoSuchExercise> {
    let all = exercises();
    let nearest = all.iter().max_by(|a, b| {
        let likeness = |exercise: &Exercise| strsim::jaro(&exercise.id, id);
        likeness(a).total_cmp(&likeness(b))
    });
    let nearest = nearest.map(|exercise| exercise.id.clone()).unwrap_or_default();
    let found = all.into_iter().find(|exercise| exercise.id == id.trim());
    found.ok_or_else(|| NoSuchExercise { given: id.to_owned(), nearest })
}

/// An exercise that a check names.
pub(crate) fn known(id: &str) -> Exercise {
    exercise(id).expect("a check names an exercise that is in exercises.toml")
}

impl Exercise {
    /// The number of its notebook: `03`.
    #[must_use]
    pub fn notebook(&self) -> &str {
        self.id.split('-').next().unwrap_or_default()
    }

    /// The solved cell.
    #[must_use]
    pub fn solution(&self) -> &'static str {
        let found = SOLUTIONS.iter().find(|(id, _)| *id == self.id);
        found.map_or("", |(_, code)| code.trim_end())
    }
}

/// There is no exercise with this id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchExercise {
    given: String,
    nearest: String,
}

impl fmt::Display for NoSuchExercise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no exercise `{}`: did you mean `{}`?", self.given, self.nearest)
    }
}

impl std::error::Error for NoSuchExercise {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exercise_is_whole() {
        let all = exercises();
        assert_eq!(all.len(), SOLUTIONS.len());
        for (exercise, (id, _)) in all.iter().zip(SOLUTIONS) {
            assert_eq!(exercise.id, *id, "exercises.toml and SOLUTIONS have the same order");
            assert!((1..=3).contains(&exercise.hints.len()), "{id}: up to three hints");
            assert!((1..=20).contains(&exercise.minutes), "{id}");
            assert!(!exercise.solution().is_empty() && !exercise.why.is_empty(), "{id}");
            let lines = exercise.solution().lines().count();
            assert!(lines <= 50, "{id}: a cell of {lines} lines is long");
        }
    }

    #[test]
    fn an_unknown_id_is_answered_with_the_nearest() {
        let error = exercise("3-2").expect_err("no such id");
        assert_eq!(error.to_string(), "there is no exercise `3-2`: did you mean `03-2`?");
    }
}
