//! Gathering: the parts of a sweep, put together to exactly what one machine computes.

use super::part::{Origin, PartError, SweepPart};
use super::rows::SweepRow;
use super::shard::Shard;
use std::fmt;
use std::path::{Path, PathBuf};

/// A whole sweep from its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathered {
    /// The sweep, as one machine would have computed it.
    pub whole: SweepPart,
    /// What was odd and did no harm, a sentence each: a shard that was there twice.
    pub remarks: Vec<String>,
}

/// Why parts do not make a sweep: one sentence that says what to do.
#[derive(Clone, PartialEq, Eq)]
pub enum GatherError {
    /// No part was given.
    NoParts,
    /// A file is no part.
    Part(PartError),
    /// Two parts are of different sweeps.
    OfAnother {
        /// The first part.
        one: PathBuf,
        /// The part that does not go with it.
        other: PathBuf,
        /// In what they differ, and how.
        difference: String,
    },
    /// The same run is in two parts, and came out differently.
    Contradiction {
        /// One part.
        one: PathBuf,
        /// The other.
        other: PathBuf,
        /// Which run.
        run: String,
    },
    /// Runs are in none of the parts.
    Missing {
        /// How many.
        runs: usize,
        /// How many there should be.
        of: usize,
        /// What is missing, and what to do.
        what: String,
    },
}

impl fmt::Display for GatherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GatherError::NoParts => {
                f.write_str("no parts were given: name the files that `cargo lab sweep` wrote")
            }
            GatherError::Part(error) => error.fmt(f),
            GatherError::OfAnother { one, other, difference } => write!(
                f,
                "{} and {} are parts of different sweeps: {difference}",
                one.display(),
                other.display()
            ),
            GatherError::Contradiction { one, other, run } => write!(
                f,
                "{run} came out differently in {} and in {}: at least one of the files was \
                 changed, or made by another program; make both again",
                one.display(),
                other.display()
            ),
            GatherError::Missing { runs, of, what } => {
                write!(f, "{runs} of {of} runs are missing: {what}")
            }
        }
    }
}

/// The same sentence: a cell that unwraps an error shows this form.
impl fmt::Debug for GatherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for GatherError {}

/// Reads parts and puts them together.
///
/// # Errors
/// As [`gather`], and where a file is no part.
pub fn gather_files<P: AsRef<Path>>(
    files: impl IntoIterator<Item = P>,
) -> Result<Gathered, GatherError> {
    let parts = files.into_iter().map(|file| {
        let file = file.as_ref();
        SweepPart::read(file).map(|part| (file.to_owned(), part)).map_err(GatherError::Part)
    });
    gather(&parts.collect::<Result<Vec<_>, _>>()?)
}

/// Puts parts together, each with the name it is called by in messages. Their order does not count.
///
/// ```
/// use fencing::analysis::sweep::gather::gather;
/// use fencing::prelude::*;
///
/// let sweep = Sweep::of(&Scenario::baseline()).lease([5, 10].map(secs)).repeats(3).grants(200);
/// let shard = |text: &str| sweep.run_shard(Seed(1), text.parse().expect("a shard"));
/// let gathered = gather(&[("b".into(), shard("2/2")?), ("a".into(), shard("1/2")?)]);
/// assert_eq!(gathered.expect("both parts").whole, shard("1/1")?);
/// # Ok::<(), ScenarioError>(())
/// ```
///
/// # Errors
/// [`GatherError`], where parts are of different sweeps, contradict each other, or lack a run.
pub fn gather(parts: &[(PathBuf, SweepPart)]) -> Result<Gathered, GatherError> {
    let Some((first_name, first)) = parts.first() else { return Err(GatherError::NoParts) };
    for (name, part) in parts {
        let error = |error| GatherError::Part(PartError { file: name.clone(), ..error });
        part.check().map_err(error)?;
        if let Some(difference) = difference(first, part) {
            let (one, other) = (first_name.clone(), name.clone());
            return Err(GatherError::OfAnother { one, other, difference });
        }
    }
    let mut remarks = Vec::new();
    let found = find_runs(parts, &mut remarks)?;
    if let Some(error) = missing(parts, &found) {
        return Err(error);
    }
    let mut whole = first.clone();
    whole.shard = Shard::WHOLE;
    whole.rows.rows = found.into_iter().flatten().map(|(_, row)| row.clone()).collect();
    Ok(Gathered { whole, remarks })
}

/// For every run of the sweep the part that has it, by its place among the parts, and its row.
type Found<'a> = Vec<Option<(usize, &'a SweepRow)>>;

fn find_runs<'a>(
    parts: &'a [(PathBuf, SweepPart)],
    remarks: &mut Vec<String>,
) -> Result<Found<'a>, GatherError> {
    let origin = &parts[0].1.origin;
    let mut found: Found<'a> = vec![None; origin.cells * origin.repeats as usize];
    for (place, (name, part)) in parts.iter().enumerate() {
        let mut again: Option<usize> = None;
        for row in &part.rows.rows {
            let run = &mut found[part.run_number(row)];
            match *run {
                None => *run = Some((place, row)),
                Some((earlier, known)) if known == row => again = Some(earlier),
                Some((earlier, _)) => {
                    return Err(GatherError::Contradiction {
                        one: parts[earlier].0.clone(),
                        other: name.clone(),
                        run: called(row),
                    });
                }
            }
        }
        if let Some(earlier) = again {
            remarks.push(repeated(&parts[earlier], &parts[place]));
        }
    }
    Ok(found)
}

fn called(row: &SweepRow) -> String {
    format!("repeat {} of cell {} ({})", row.repeat, row.cell, row.settings.join(", "))
}

fn repeated(one: &(PathBuf, SweepPart), other: &(PathBuf, SweepPart)) -> String {
    let (one_name, other_name) = (one.0.display(), other.0.display());
    if one.1.shard == other.1.shard {
        return format!(
            "shard {} is there twice, in {one_name} and in {other_name}, and came out alike: it \
             is counted once",
            one.1.shard
        );
    }
    format!(
        "{one_name} and {other_name} have runs in common, which came out alike: each counts once"
    )
}

const PROGRAM: &str = "the program that ran them, by the fingerprint of a short run,";

/// In what the origins of two parts differ.
fn difference(one: &SweepPart, other: &SweepPart) -> Option<String> {
    let (a, b) = (&one.origin, &other.origin);
    let written = |origin: &Origin| match origin.scenario.is_empty() {
        true => "the baseline".to_owned(),
        false => format!("the baseline with {}", origin.scenario.join(", ")),
    };
    let knobs = |origin: &Origin| {
        let knob = |knob: &super::part::KnobOrigin| {
            format!("{} = {}", knob.name, knob.settings.join(", "))
        };
        origin.knobs.iter().map(knob).collect::<Vec<_>>().join("; ")
    };
    let recordings = |origin: &Origin| {
        let recording = |(file, print): (&String, &String)| format!("{file} ({print})");
        origin.recordings.iter().map(recording).collect::<Vec<_>>().join(", ")
    };
    let compared = [
        ("the version of fencing", a.fencing.clone(), b.fencing.clone()),
        ("the seed", a.seed.clone(), b.seed.clone()),
        ("the number of repeats", a.repeats.to_string(), b.repeats.to_string()),
        ("the scenario", written(a), written(b)),
        ("what the knobs are set to", knobs(a), knobs(b)),
        ("the content of the recorded pauses", recordings(a), recordings(b)),
        ("the fingerprint of the grid", a.grid.clone(), b.grid.clone()),
        (PROGRAM, a.model.clone(), b.model.clone()),
        ("the columns", one.rows.columns().join(","), other.rows.columns().join(",")),
    ];
    let (what, one, other) = compared.into_iter().find(|(_, one, other)| one != other)?;
    Some(format!("{what} is {one} in the first and {other} in the second"))
}

/// What no part has: whole shards where the parts agree on their number, else single runs.
fn missing(parts: &[(PathBuf, SweepPart)], found: &Found<'_>) -> Option<GatherError> {
    let lacking: Vec<usize> = (0..found.len()).filter(|run| found[*run].is_none()).collect();
    let first = *lacking.first()?;
    let part = &parts[0].1;
    let of = part.shard.of();
    let what = if parts.iter().all(|(_, part)| part.shard.of() == of) {
        let numbers = (1..=of).filter_map(|number| Shard::new(number, of).ok());
        let told = numbers
            .filter(|shard| lacking.iter().any(|run| shard.has(*run)))
            .map(|shard| told(parts, shard));
        told.collect::<Vec<_>>().join("; ")
    } else {
        let repeats = part.origin.repeats as usize;
        format!(
            "the first is repeat {} of cell {}; run the shards that have them",
            first % repeats,
            first / repeats
        )
    };
    Some(GatherError::Missing { runs: lacking.len(), of: found.len(), what })
}

fn told(parts: &[(PathBuf, SweepPart)], shard: Shard) -> String {
    match parts.iter().find(|(_, part)| part.shard == shard) {
        Some((name, _)) => format!("{} does not have all of shard {shard}", name.display()),
        None => format!("shard {shard} is not there (run it with --shard {shard})"),
    }
}
