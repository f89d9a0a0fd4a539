//! Chapters become pages.
//!
//! nbconvert knows what is in a notebook, mistune its Markdown, pygments its code; so the pages
//! are made by a Python program that runs in the environment of JupyterLab. It is told what to do
//! in one JSON file.

use super::chapter::Chapter;
use super::exercises::Exercises;
use crate::jupyter;
use crate::paths::Lab;
use crate::steps::write_whole;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// The program and what it reads, which are written beside one another.
const PROGRAM: &str = "export.py";
const FILES: [(&str, &str); 10] = [
    (PROGRAM, include_str!("export.py")),
    ("book_markdown.py", include_str!("book_markdown.py")),
    ("book_pages.py", include_str!("book_pages.py")),
    ("cells.html.j2", include_str!("cells.html.j2")),
    ("exercise.html.j2", include_str!("exercise.html.j2")),
    ("base.html.j2", include_str!("base.html.j2")),
    ("page.html.j2", include_str!("page.html.j2")),
    ("index.html.j2", include_str!("index.html.j2")),
    ("style.css", include_str!("style.css")),
    ("page.js", include_str!("page.js")),
];

/// The picture on the first page, where the checkout has it.
const PICTURE: &str = "docs/incident.svg";

/// Writes the pages into `site`; `work` is an empty folder to work in.
///
/// # Errors
///
/// If a page cannot be made, in the words of the program.
pub fn export(
    lab: &Lab,
    chapters: &[Chapter],
    exercises: &Exercises,
    work: &Path,
    site: &Path,
) -> Result<()> {
    for (name, text) in FILES {
        write_whole(&work.join(name), text)?;
    }
    let chapters: Vec<Value> =
        chapters.iter().map(|chapter| put_down(chapter, work)).collect::<Result<_>>()?;
    let task = json!({
        "site": site,
        "chapters": chapters,
        "exercises": exercises,
        "picture": PICTURE,
    });
    let task_file = work.join("task.json");
    write_whole(&task_file, &task.to_string())?;
    let mut command = Command::new(lab.python_program());
    jupyter::set_folders(&mut command, lab);
    // Nothing of the user's own Python, no compiled files beside the program.
    command.env_remove("PYTHONPATH").args(["-s", "-B"]).arg(work.join(PROGRAM)).arg(&task_file);
    if !command.status().context("could not start Python")?.success() {
        bail!("the pages could not be made: see above");
    }
    Ok(())
}

/// Writes a chapter's notebooks into `work`; what the program is told of it.
fn put_down(chapter: &Chapter, work: &Path) -> Result<Value> {
    let plain = work.join(format!("{}.ipynb", chapter.name));
    chapter.plain.write(&plain)?;
    let solved = work.join(format!("{}.solved.ipynb", chapter.name));
    if let Some(notebook) = &chapter.solved {
        notebook.write(&solved)?;
    }
    Ok(json!({
        "name": chapter.name,
        "folder": chapter.folder,
        "summary": chapter.summary(),
        "plain": plain,
        "solved": chapter.solved.as_ref().map(|_| &solved),
    }))
}
