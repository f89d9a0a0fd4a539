//! The exercises as the notebooks' folder has them: `exercises.toml` and `solutions/ID.rs`.
//!
//! They are read from the files, not taken from the library, so that a book can be made of any
//! folder of notebooks, also of one without exercises.

use crate::run::notebook::{EXERCISE, Notebook};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// All exercises of a folder, by their ids.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub struct Exercises(BTreeMap<String, Exercise>);

/// One exercise.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Exercise {
    #[serde(skip_serializing)]
    id: String,
    title: String,
    minutes: u32,
    hints: Vec<String>,
    why: String,
    /// From its own file.
    #[serde(skip_deserializing)]
    solution: String,
}

/// The file that lists them.
#[derive(Deserialize)]
struct List {
    #[serde(default)]
    exercise: Vec<Exercise>,
}

impl Exercises {
    /// Reads the exercises of a folder of notebooks. Without `exercises.toml` there are none.
    ///
    /// # Errors
    ///
    /// If the list is none, or a solution is missing.
    pub fn read(notebooks: &Path) -> Result<Exercises> {
        let path = notebooks.join("exercises.toml");
        if !path.exists() {
            return Ok(Exercises::default());
        }
        let text = fs::read_to_string(&path)
            .with_context(|| format!("could not read {}", path.display()))?;
        let list: List = toml::from_str(&text)
            .with_context(|| format!("{} is no list of exercises", path.display()))?;
        let mut exercises = BTreeMap::new();
        for mut exercise in list.exercise {
            let id = exercise.id.clone();
            let path = notebooks.join("solutions").join(format!("{id}.rs"));
            let solution = fs::read_to_string(&path).with_context(|| {
                format!("could not read the solution of exercise {id}, {}", path.display())
            })?;
            solution.trim_end().clone_into(&mut exercise.solution);
            exercises.insert(id, exercise);
        }
        Ok(Exercises(exercises))
    }

    /// The notebook with a solution in the place of every starter; nothing if it has no exercises.
    ///
    /// # Errors
    ///
    /// If a cell belongs to an exercise that is not in the list.
    pub fn solve(&self, notebook: &Notebook) -> Result<Option<Notebook>> {
        let mut solved = notebook.clone();
        let mut found = false;
        for cell in notebook.code_cells().iter().filter(|cell| cell.has_tag(EXERCISE)) {
            let Some(id) = &cell.exercise else {
                bail!(
                    "code cell {} is tagged `{EXERCISE}`, but its metadata has no field \
                     `{EXERCISE}` with the exercise's id",
                    cell.number
                );
            };
            let Some(exercise) = self.0.get(id) else {
                bail!(
                    "there is no exercise {id} in exercises.toml, but code cell {} is one",
                    cell.number
                );
            };
            solved.set_source(cell, &exercise.solution);
            found = true;
        }
        Ok(found.then_some(solved))
    }
}
