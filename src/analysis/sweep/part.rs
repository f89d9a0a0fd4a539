//! Parts: the file that a shard of a sweep leaves.
//!
//! A CSV file with one row a run. Before it stand lines that begin with `#` and say, as TOML, what
//! it came from; so a part can be told from one of another sweep, and made again. The file of a
//! whole sweep looks the same and has no `shard` among those lines.

use super::file::MOST_RUNS;
use super::rows::{Counts, SweepRow, SweepRows};
use super::shard::Shard;
use super::{Cell, Sweep};
use crate::analysis::run;
use crate::chance::recording::find;
use crate::chance::seed::Seed;
use crate::simulation::scenario::{Scenario, ScenarioError, Stop};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// What came of one shard of a sweep, or of the whole, and what it came from.
///
/// ```
/// use fencing::prelude::*;
///
/// let sweep = Sweep::of(&Scenario::baseline()).lease([5, 10].map(secs)).repeats(2).grants(500);
/// let part = sweep.run_shard(Seed(1), "2/3".parse().expect("a shard"))?;
/// assert_eq!(part.rows.rows.len(), 1);
/// assert!(part.to_csv().contains("# shard = \"2/3\""));
/// # Ok::<(), ScenarioError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPart {
    /// What it came from.
    pub origin: Origin,
    /// Which share of the runs it is.
    pub shard: Shard,
    /// The runs.
    pub rows: SweepRows,
}

/// What a sweep's runs follow from. Parts with the same origin add up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The version of this library.
    pub fencing: String,
    /// The seed of the sweep, as text: TOML's numbers do not go as far.
    pub seed: String,
    /// Runs of each cell.
    pub repeats: u32,
    /// How many cells the grid has.
    pub cells: usize,
    /// What the scenario changes of the baseline.
    pub scenario: Vec<String>,
    /// Files of recorded pauses, each with a fingerprint of what is in it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub recordings: BTreeMap<String, String>,
    /// A fingerprint of the scenarios of all cells.
    pub grid: String,
    /// A fingerprint of a short run: another program that counts otherwise has another.
    pub model: String,
    /// What is varied, in the order of the grid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub knobs: Vec<KnobOrigin>,
}

/// One knob, with its settings as they were given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnobOrigin {
    /// Its name.
    pub name: String,
    /// Its settings.
    pub settings: Vec<String>,
}

/// The lines before the table.
#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
    #[serde(flatten)]
    origin: Origin,
}

/// Why a file is no part of a sweep: the file, the line where there is one, and the reason.
#[derive(Clone, PartialEq, Eq)]
pub struct PartError {
    /// The file as it was given.
    pub file: PathBuf,
    /// Its line, from 1.
    pub line: Option<u64>,
    /// What is wrong and what to do.
    pub reason: String,
}

impl fmt::Display for PartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// The same sentence: a cell that unwraps an error shows this form.
impl fmt::Debug for PartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for PartError {}

impl Sweep {
    /// Runs one shard of the sweep. All shards together are exactly what [`Sweep::run`] runs, on
    /// however many machines, in whatever order.
    ///
    /// # Errors
    /// [`ScenarioError`], if the scenario of a cell cannot be run.
    pub fn run_shard(&self, seed: Seed, shard: Shard) -> Result<SweepPart, ScenarioError> {
        let outcome = self.run_only(seed, shard)?;
        Ok(SweepPart { origin: self.origin(seed)?, shard, rows: outcome.rows() })
    }

    /// What the runs with this seed follow from.
    ///
    /// # Errors
    /// [`ScenarioError`], if the first cell cannot be run.
    pub fn origin(&self, seed: Seed) -> Result<Origin, ScenarioError> {
        let grid = self.grid();
        let mut scenarios = String::new();
        let mut recordings = BTreeMap::new();
        for cell in &grid {
            let json = cell.scenario.to_json()?;
            if let Ok(value) = serde_json::from_str(&json) {
                find_recordings(&value, &mut recordings);
            }
            scenarios.push_str(&json);
        }
        Ok(Origin {
            fencing: env!("CARGO_PKG_VERSION").to_owned(),
            seed: seed.to_string(),
            repeats: self.repeats,
            cells: grid.len(),
            scenario: self.base.settings(),
            recordings,
            grid: fingerprint(scenarios.as_bytes()),
            model: model(&grid, seed)?,
            knobs: self.knobs.iter().map(KnobOrigin::of).collect(),
        })
    }
}

impl KnobOrigin {
    fn of(knob: &super::Knob) -> KnobOrigin {
        let settings = knob.labels().map(str::to_owned).collect();
        KnobOrigin { name: knob.name.clone(), settings }
    }
}

/// What a short run of the first cell counts.
fn model(grid: &[Cell], seed: Seed) -> Result<String, ScenarioError> {
    let Some(cell) = grid.first() else { return Ok(fingerprint(b"")) };
    let short = Scenario { stop: Stop::at_grants(200), ..cell.scenario.clone() };
    let counts = Counts::from(&run(&short, seed)?);
    Ok(fingerprint(format!("{counts:?}").as_bytes()))
}

/// The files named in `{"recorded": {"file": …}}`, wherever in the scenario.
fn find_recordings(value: &Value, found: &mut BTreeMap<String, String>) {
    let Value::Object(fields) = value else { return };
    for (name, inner) in fields {
        match inner.get("file").and_then(Value::as_str) {
            Some(file) if name == "recorded" => {
                let text = std::fs::read(find(Path::new(file))).unwrap_or_default();
                found.insert(file.to_owned(), fingerprint(&text));
            }
            _ => find_recordings(inner, found),
        }
    }
}

/// FNV-1a, 64 bits (Fowler, Noll and Vo): the same on every machine and in every version. It tells
/// files apart that differ by mistake, and is no protection against malice.
fn fingerprint(bytes: &[u8]) -> String {
    let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, fold))
}

impl SweepPart {
    /// The file's text.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let shard = (self.shard != Shard::WHOLE).then(|| self.shard.to_string());
        let header = Header { shard, origin: self.origin.clone() };
        let toml = toml::to_string(&header).unwrap_or_else(|error| format!("# {error}"));
        let comment = |line: &str| format!("# {line}").trim_end().to_owned() + "\n";
        toml.lines().map(comment).collect::<String>() + &self.rows.to_csv()
    }

    /// Reads a part.
    ///
    /// # Errors
    /// [`PartError`], where there is no such file, or it is no part.
    pub fn read(file: impl AsRef<Path>) -> Result<SweepPart, PartError> {
        let file = file.as_ref();
        let text = read_text(file)?;
        SweepPart::from_csv(&text).map_err(|error| PartError { file: file.into(), ..error })
    }

    /// Reads a part from text.
    ///
    /// # Errors
    /// [`PartError`], where it is no part.
    pub fn from_csv(text: &str) -> Result<SweepPart, PartError> {
        let lines = text.lines().map_while(|line| line.strip_prefix('#'));
        let toml: String =
            lines.map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n").collect();
        let header: Header = toml::from_str(&toml).map_err(|error| {
            let lines = |at: usize| 1 + toml[..at].matches('\n').count() as u64;
            let line = error.span().map(|span| lines(span.start));
            let what = "this is no part of a sweep, as `cargo lab sweep --out` writes it";
            error_at(line, format!("{what}: {}", error.message()))
        })?;
        let shard = header.shard.map_or(Ok(Shard::WHOLE), |text| text.parse());
        let shard = shard.map_err(|reason| error_at(None, reason))?;
        let part = SweepPart { origin: header.origin, shard, rows: SweepRows::from_csv(text)? };
        part.check()?;
        Ok(part)
    }

    /// True if every run of the shard is there.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let runs = self.origin.cells * self.origin.repeats as usize;
        (0..runs).filter(|run| self.shard.has(*run)).count() == self.rows.rows.len()
    }

    /// The number of a run, counted cell by cell and in each repeat by repeat.
    pub(super) fn run_number(&self, row: &SweepRow) -> usize {
        row.cell * self.origin.repeats as usize + row.repeat as usize
    }

    /// Every row must be one of the shard's runs, in their order, and none twice.
    pub(super) fn check(&self) -> Result<(), PartError> {
        let Origin { cells, repeats, .. } = self.origin;
        let runs = (cells as u64).saturating_mul(repeats.into());
        if MOST_RUNS < runs {
            let reason = format!("{cells} cells with {repeats} repeats are too many runs");
            return Err(error_at(None, reason));
        }
        let mut last = None;
        for row in &self.rows.rows {
            let number = self.run_number(row);
            let of = format!("repeat {} of cell {}", row.repeat, row.cell);
            if cells <= row.cell || repeats <= row.repeat || !self.shard.has(number) {
                let reason = format!("{of} is no run of shard {} of this sweep", self.shard);
                return Err(error_at(None, reason));
            }
            if Some(number) <= last {
                let reason = format!("{of} is there twice, or not in its place");
                return Err(error_at(None, reason));
            }
            last = Some(number);
        }
        Ok(())
    }
}

impl SweepRows {
    /// The rows as CSV: the names of the columns, then a line a run.
    #[must_use]
    pub fn to_csv(&self) -> String {
        self.try_to_csv().unwrap_or_else(|error| format!("# {error}\n"))
    }

    fn try_to_csv(&self) -> Result<String, Box<dyn std::error::Error>> {
        let mut table = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        table.write_record(self.columns())?;
        for row in &self.rows {
            table.serialize((row.cell, &row.settings, row.repeat, row.seed, row.counts))?;
        }
        Ok(String::from_utf8(table.into_inner()?)?)
    }

    /// Reads the rows of a sweep's file; a relative path is looked for from the current folder,
    /// then from the workbook's. Lines that begin with `#` do not count.
    ///
    /// # Errors
    /// [`PartError`], where there is no such file, it has other columns, or a row is not what it
    /// should be.
    pub fn read(file: impl AsRef<Path>) -> Result<SweepRows, PartError> {
        let file = file.as_ref();
        let text = read_text(file)?;
        SweepRows::from_csv(&text).map_err(|error| PartError { file: file.into(), ..error })
    }

    /// Reads the rows from text.
    ///
    /// # Errors
    /// As [`SweepRows::read`].
    pub fn from_csv(text: &str) -> Result<SweepRows, PartError> {
        let mut table = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let headers = table.headers().map_err(|cause| error_at(None, cause.to_string()))?.clone();
        let fixed = 2 + Counts::COLUMNS.len();
        let knobs = headers.len().saturating_sub(1 + fixed);
        let names = headers.iter().skip(1).take(knobs).map(str::to_owned).collect();
        let mut read = SweepRows { knobs: names, rows: Vec::new() };
        if headers.iter().ne(read.columns()) {
            let reason = "the columns are not those of a sweep: cell, the knobs, repeat, seed, \
                          and what was counted";
            let before = text.lines().take_while(|line| line.starts_with('#')).count() as u64;
            return Err(error_at(Some(before + 1), reason.into()));
        }
        for record in table.records() {
            let record = record.map_err(|cause| {
                let line = cause.position().map(csv::Position::line);
                error_at(line, "the row does not have as many cells as there are columns".into())
            })?;
            let line = record.position().map(csv::Position::line);
            let row = SweepRow::read(&record, knobs);
            read.rows.push(row.map_err(|(at, cause)| {
                let name = headers.get(at).unwrap_or_default();
                error_at(line, format!("{name} is {:?}: {cause}", &record[at]))
            })?);
        }
        Ok(read)
    }
}

/// Where in a row a cell cannot be read, and why.
type BadCell = (usize, String);

impl SweepRow {
    fn read(record: &csv::StringRecord, knobs: usize) -> Result<SweepRow, BadCell> {
        let first = 3 + knobs;
        let counts: csv::StringRecord = record.iter().skip(first).collect();
        let counts = counts.deserialize::<Counts>(None).map_err(|error| match error.kind() {
            csv::ErrorKind::Deserialize { err, .. } => {
                let at = err.field().and_then(|field| usize::try_from(field).ok());
                (first + at.unwrap_or(0), err.kind().to_string())
            }
            _ => (first, error.to_string()),
        })?;
        Ok(SweepRow {
            cell: number(record, 0)?,
            settings: record.iter().skip(1).take(knobs).map(str::to_owned).collect(),
            repeat: number(record, 1 + knobs)?,
            seed: Seed(number(record, 2 + knobs)?),
            counts,
        })
    }
}

fn number<N: std::str::FromStr>(record: &csv::StringRecord, at: usize) -> Result<N, BadCell> {
    record[at].parse().map_err(|_| (at, "it must be a whole number from 0 up".to_owned()))
}

fn read_text(file: &Path) -> Result<String, PartError> {
    std::fs::read_to_string(find(file)).map_err(|cause| PartError {
        file: file.into(),
        line: None,
        reason: format!("{cause}; name a file that `cargo lab sweep --out` wrote"),
    })
}

fn error_at(line: Option<u64>, reason: String) -> PartError {
    PartError { file: "the text".into(), line, reason }
}
