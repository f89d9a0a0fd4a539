//! A notebook as a file: its code cells are read, their outputs written.
//!
//! The file is kept as the JSON that it is, so that nothing in it gets lost on the way, and written
//! as Jupyter writes it: keys sorted, indented by one space.

use super::output::{Output, Ran};
use crate::steps::write_whole;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};
use std::fs;
use std::path::Path;

/// The tag of a cell that must show a picture.
pub const PICTURE: &str = "picture";
/// Jupyter's own tag for a cell that may fail, because it shows what a failure looks like.
pub const MAY_FAIL: &str = "raises-exception";

/// The tag of a cell that the reader is to solve, and the field of its metadata with the exercise's
/// id.
pub const EXERCISE: &str = "exercise";

/// A notebook.
#[derive(Debug, Clone)]
pub struct Notebook {
    content: Value,
}

/// A code cell.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Its place among the code cells, from 1.
    pub number: usize,
    /// What is run.
    pub source: String,
    /// The tags that it carries.
    pub tags: Vec<String>,
    /// The exercise that it is for.
    pub exercise: Option<String>,
    /// Its place among all cells of the file.
    index: usize,
}

impl Notebook {
    /// Reads a notebook.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it is no notebook.
    pub fn read(path: &Path) -> Result<Notebook> {
        let text = fs::read_to_string(path)
            .with_context(|| format!("could not read the notebook {}", path.display()))?;
        let content: Value = serde_json::from_str(&text)
            .with_context(|| format!("{} is not a notebook", path.display()))?;
        if content["nbformat"].as_u64() != Some(4) || !content["cells"].is_array() {
            bail!("{} is not a notebook of format 4", path.display());
        }
        Ok(Notebook { content })
    }

    /// The name of the kernel that it asks for, if any.
    #[must_use]
    pub fn kernel(&self) -> Option<&str> {
        self.content["metadata"]["kernelspec"]["name"].as_str()
    }

    /// The code cells that have something to run.
    #[must_use]
    pub fn code_cells(&self) -> Vec<Cell> {
        let cells = self.content["cells"].as_array().into_iter().flatten().enumerate();
        let code = cells.filter(|(_, cell)| cell["cell_type"] == "code");
        (1..)
            .zip(code)
            .map(|(number, (index, cell))| Cell {
                number,
                source: text(&cell["source"]),
                tags: texts(&cell["metadata"]["tags"]),
                exercise: cell["metadata"][EXERCISE].as_str().map(str::to_owned),
                index,
            })
            .filter(|cell| !cell.source.trim().is_empty())
            .collect()
    }

    /// The texts between the code cells, in order.
    #[must_use]
    pub fn prose(&self) -> Vec<String> {
        let cells = self.content["cells"].as_array().into_iter().flatten();
        let prose = cells.filter(|cell| cell["cell_type"] == "markdown");
        prose.map(|cell| text(&cell["source"])).collect()
    }

    /// Whether there is an output, or the number of a run, in the file.
    #[must_use]
    pub fn has_outputs(&self) -> bool {
        let cells = self.content["cells"].as_array().into_iter().flatten();
        let mut code = cells.filter(|cell| cell["cell_type"] == "code");
        code.any(|cell| {
            let outputs = cell["outputs"].as_array();
            !outputs.is_some_and(Vec::is_empty) || !cell["execution_count"].is_null()
        })
    }

    /// The text of the first cell, if that is Markdown: what the notebook is about.
    #[must_use]
    pub fn introduction(&self) -> String {
        let first = &self.content["cells"][0];
        let is_text = first["cell_type"] == "markdown";
        if is_text { text(&first["source"]) } else { String::new() }
    }

    /// Puts something else to run into a cell.
    pub fn set_source(&mut self, cell: &Cell, source: &str) {
        self.content["cells"][cell.index]["source"] = Value::from(source);
    }

    /// Notes what a cell gave.
    pub fn set_outputs(&mut self, cell: &Cell, ran: &Ran) {
        let cell = &mut self.content["cells"][cell.index];
        cell["outputs"] = ran.outputs.iter().map(Output::to_json).collect();
        cell["execution_count"] = ran.execution_count.map_or(Value::Null, Value::from);
    }

    /// Writes the notebook to another file.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut bytes = Vec::new();
        let formatter = PrettyFormatter::with_indent(b" ");
        self.content
            .serialize(&mut Serializer::with_formatter(&mut bytes, formatter))
            .context("could not write the notebook as JSON")?;
        bytes.push(b'\n');
        write_whole(path, &String::from_utf8_lossy(&bytes))
    }
}

/// A notebook's text is a string or a list of lines.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| texts(value).concat(), str::to_owned)
}

fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}
