//! What can be seen in a notebook without running it.

use super::{Named, wrong};
use crate::paths::Lab;
use crate::setup::template::{MORE, WITH_PROOF};
use anyhow::{Context, Result};
use fencing::workbook::exercise::{Exercise, exercises};
use std::fs;

/// Other words for what has one in the glossary.
const OTHER_WORDS: [(&str, &str); 8] = [
    ("stale write", "zombie write"),
    ("fencing-token", "fencing token"),
    ("heartbeat", "renewal"),
    ("lock server", "lock service"),
    ("lock manager", "lock service"),
    ("high-water mark", "mark"),
    ("lock holder", "holder"),
    ("race condition", "what happens, step by step"),
];

/// All that is wrong with the texts.
///
/// # Errors
///
/// If the glossary or the wrong answers cannot be read.
pub fn faults(lab: &Lab, notebooks: &[Named]) -> Result<Vec<String>> {
    let exercises = exercises();
    let spellings = wrong_spellings(lab)?;
    let mut faults = Vec::new();
    for named in notebooks {
        let prose = named.notebook.prose();
        let own: Vec<&Exercise> =
            exercises.iter().filter(|exercise| exercise.notebook() == named.number()).collect();
        let mut found = outputs(named);
        found.extend(prose.iter().flat_map(|text| dead_links(lab, text)));
        found.extend(prose.iter().flat_map(|text| other_words(&spellings, text)));
        found.extend(cells(named, &own, &prose.join("\n")));
        found.extend(minutes(&own, &prose));
        found.extend(promised(named, notebooks));
        faults.extend(found.into_iter().map(|fault| format!("{}: {fault}", named.name)));
    }
    let all_wrong = wrong::all(lab)?;
    for exercise in exercises.iter().filter(|exercise| wrong::is_code(exercise)) {
        let number = all_wrong.iter().filter(|wrong| wrong.exercise == exercise.id).count();
        if number < wrong::AT_LEAST {
            faults.push(format!("wrong.toml: {number} wrong answers to {}", exercise.id));
        }
    }
    Ok(faults)
}

fn outputs(named: &Named) -> Vec<String> {
    let fault = "it holds outputs: clear them before it is committed";
    named.notebook.has_outputs().then(|| fault.to_owned()).into_iter().collect()
}

/// Links of the form `[…](…)` to files that are not there. A folder is none: the book has no page
/// for it.
fn dead_links(lab: &Lab, text: &str) -> Vec<String> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let local = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    let dead = local.filter(|target| {
        let file = target.split('#').next().unwrap_or(target);
        !lab.notebooks().join(file).is_file()
    });
    dead.map(|target| format!("there is no file at {target}")).collect()
}

/// For each word of the glossary in two parts, the two joined in another way.
fn wrong_spellings(lab: &Lab) -> Result<Vec<(String, String)>> {
    let glossary = fs::read_to_string(lab.root().join("GLOSSARY.md"));
    let glossary = glossary.context("could not read GLOSSARY.md")?;
    let words = glossary.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let parted = words.filter(|word| word.contains(' '));
    let mut spellings: Vec<(String, String)> = parted
        .flat_map(|word| ["-", ""].map(|join| (word.replace(' ', join), word.to_owned())))
        .collect();
    spellings.extend(OTHER_WORDS.map(|(other, word)| (other.to_owned(), word.to_owned())));
    Ok(spellings)
}

/// Code and addresses are no prose.
fn other_words(spellings: &[(String, String)], text: &str) -> Vec<String> {
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let prose: Vec<&str> =
        prose.split("](").map(|part| part.split_once(')').map_or(part, |(_, r)| r)).collect();
    let prose = prose.join(" ").to_lowercase();
    let used = spellings.iter().filter(|(other, _)| prose.contains(other.as_str()));
    used.map(|(other, word)| format!("`{other}` is written; the word is `{word}`")).collect()
}

/// Each exercise has its cell, with id and tag, and a heading with its title and minutes; each
/// `:dep` is one that the set-up compiles.
fn cells(named: &Named, own: &[&Exercise], prose: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let code = named.notebook.code_cells();
    for exercise in own {
        let Exercise { id, title, minutes, .. } = exercise;
        let heading = format!("### Exercise {id} · {title} ({minutes} min)");
        if !prose.lines().any(|line| line == heading) {
            faults.push(format!("there is no heading `{heading}`"));
        }
        if !code.iter().any(|cell| cell.exercise.as_ref() == Some(id)) {
            faults.push(format!("no cell has `exercise: {id}` in its metadata"));
        }
    }
    for cell in &code {
        let is_known =
            cell.exercise.as_ref().is_none_or(|id| own.iter().any(|exercise| exercise.id == *id));
        if !is_known || cell.exercise.is_some() != cell.has_tag("exercise") {
            faults.push(format!("cell {}: its exercise or its tag is missing", cell.number));
        }
        let deps = cell.source.lines().filter(|line| line.starts_with(":dep"));
        for line in deps.filter(|line| !is_compiled(line)) {
            faults.push(format!("`{line}` is not in MORE, so the set-up does not compile it"));
        }
    }
    faults
}

/// Whether the set-up compiles what this line asks for.
fn is_compiled(line: &str) -> bool {
    let is_library = line.starts_with(":dep fencing") && !line.contains("proof");
    is_library || line == WITH_PROOF || MORE.contains(&line)
}

/// The minutes that a notebook names: for itself, and for its exercises.
fn named_minutes(prose: &[String]) -> Option<(u32, u32)> {
    let (_, after) = prose.first()?.split_once("**Time:** about ")?;
    let (reading, after) = after.split_once(" minutes, and ")?;
    let (solving, _) = after.split_once(" for the exercises")?;
    Some((reading.parse().ok()?, solving.parse().ok()?))
}

fn minutes(own: &[&Exercise], prose: &[String]) -> Vec<String> {
    let sum: u32 = own.iter().map(|exercise| exercise.minutes).sum();
    match named_minutes(prose) {
        Some((_, solving)) if solving == sum => Vec::new(),
        Some((_, solving)) => {
            vec![format!("it names {solving} minutes for its exercises; they take {sum}")]
        }
        None if own.is_empty() => Vec::new(),
        None => vec!["no line `**Time:** about N minutes, and M for the exercises`".to_owned()],
    }
}

/// What notebook 00 says of each, in a table: a link, minutes, minutes for the exercises.
fn promised(named: &Named, notebooks: &[Named]) -> Vec<String> {
    if named.number() != "00" {
        return Vec::new();
    }
    let prose = named.notebook.prose().join("\n");
    let mut faults = Vec::new();
    for other in notebooks {
        let minutes = named_minutes(&other.notebook.prose());
        let Some((reading, solving)) = minutes else { continue };
        let row = format!("({}) | {reading} | {solving} |", other.name);
        if !prose.contains(&row) {
            faults.push(format!("its table has no row with `{row}`"));
        }
    }
    faults
}
