//! Wrong answers, each with a part of the explanation that it must get: `notebooks/wrong.toml`.

use crate::paths::Lab;
use anyhow::{Context, Result, bail};
use fencing::workbook::exercise::Exercise;
use serde::Deserialize;
use std::fs;

/// So many wrong answers there must be for an exercise in which code is written.
pub const AT_LEAST: usize = 3;

/// A wrong answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// The exercise's id.
    pub exercise: String,
    /// What is wrong, in a few words.
    pub name: String,
    /// A part of what the verdict must say.
    pub explained_by: String,
    /// Parts of the solution, and what stands there instead.
    pub change: Vec<(String, String)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    wrong: Vec<Wrong>,
}

impl Wrong {
    /// The cell with this answer.
    ///
    /// # Errors
    ///
    /// If the solution does not have what should be changed.
    pub fn cell(&self, exercise: &Exercise) -> Result<String> {
        let mut cell = exercise.solution().to_owned();
        for (old, new) in &self.change {
            if !cell.contains(old) {
                bail!("wrong.toml, {} ({}): no `{old}` in it", self.exercise, self.name);
            }
            cell = cell.replace(old, new);
        }
        Ok(cell)
    }
}

/// All wrong answers.
///
/// # Errors
///
/// If the file cannot be read.
pub fn all(lab: &Lab) -> Result<Vec<Wrong>> {
    let path = lab.notebooks().join("wrong.toml");
    let text = fs::read_to_string(&path);
    let text = text.with_context(|| format!("could not read {}", path.display()))?;
    let list: List =
        toml::from_str(&text).with_context(|| format!("{} is no such list", path.display()))?;
    Ok(list.wrong)
}

/// Whether code is written in an exercise, rather than a value found.
#[must_use]
pub fn is_code(exercise: &Exercise) -> bool {
    exercise.solution().lines().filter(|line| !line.trim().is_empty()).count() > 3
}
