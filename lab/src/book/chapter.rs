//! A notebook with its outputs, and what it says of itself in its first cell.

use crate::run::notebook::Notebook;
use serde::Serialize;
use std::path::PathBuf;

/// A notebook that has been run.
#[derive(Debug, Clone)]
pub struct Chapter {
    /// The name of its file, without the ending.
    pub name: String,
    /// The folder that its file is in.
    pub folder: PathBuf,
    /// As it is.
    pub plain: Notebook,
    /// With its exercises solved, if it has any.
    pub solved: Option<Notebook>,
}

/// What a notebook says of itself, in Markdown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Its heading.
    pub title: String,
    /// What its reader is able to do afterwards: the paragraph that begins with
    /// `**Afterwards you can**`, without these words.
    pub afterwards: Option<String>,
    /// How long it takes: the number after `**Time:**`.
    pub minutes: Option<u32>,
}

impl Chapter {
    /// What it says of itself; its name where it has no heading.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let text = self.plain.introduction();
        let heading = text.lines().find_map(|line| line.strip_prefix("# "));
        let title = heading.map_or_else(|| self.name.clone(), |title| title.trim().to_owned());
        let afterwards = text.split("\n\n").find_map(|paragraph| {
            let rest = paragraph.trim().strip_prefix("**Afterwards you can**")?;
            Some(rest.split_whitespace().collect::<Vec<_>>().join(" "))
        });
        let minutes = text.split_once("**Time:**").and_then(|(_, rest)| {
            let mut words = rest.lines().next()?.split(|letter: char| !letter.is_ascii_digit());
            words.find_map(|word| word.parse().ok())
        });
        Summary { title, afterwards, minutes }
    }
}
