//! Frames: sweeps and pauses as polars data frames, and back (feature `frames`).
//!
//! A data frame is a table that can be filtered, grouped and joined. Columns with a unit end in it:
//! `lease_s`, `overlap_s`, `pause_s`. This is the only file that knows of polars; [`polars`] is
//! exported, so that a notebook gets the version that fits without a line of its own.
//!
//! ```
//! use fencing::frame::polars::prelude::*;
//! use fencing::prelude::*;
//!
//! let base = Scenario::baseline();
//! let sweep = Sweep::of(&base).lease([5, 10].map(secs)).repeats(3).grants(500).run(Seed(1))?;
//! let runs = sweep.frame()?;
//! assert_eq!(runs.shape(), (6, 24));
//!
//! let short = runs.filter(&runs.column("lease_s")?.f64()?.lt(7.5))?;
//! assert_eq!(short.height(), 3);
//! println!("{}", short.select(["lease_s", "repeat", "zombie_writes"])?.table(10));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **In a notebook** every cell is compiled as a library of its own, with polars in it. A frame
//! remembers where its columns are, by a number that is drawn anew in each; so polars may not find
//! a column in a frame from an earlier cell, though it is there. A cell that takes such a frame
//! begins with [`Frame::fresh`]: `let runs = runs.fresh();`. What this trait offers does so itself.

pub use polars;

use crate::analysis::estimate::EstimateError;
use crate::analysis::estimate::rate::Rate;
use crate::analysis::sweep::SweepOutcome;
use crate::analysis::sweep::rows::{CellSummary, Counts, SweepRow, SweepRows};
use crate::chance::recording::RecordedPause;
use crate::chance::reported::ReportedPause;
use crate::figures::table::Table;
use polars::prelude::{
    AnyValue, Column, DataFrame, DataFrameJoinOps, DataType, JoinArgs, JoinType, NamedFrom,
    PolarsError, Series,
};
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// What can be made a data frame.
pub trait ToFrame {
    /// The data frame.
    ///
    /// # Errors
    /// [`FrameError`], where two columns would have the same name.
    fn frame(&self) -> Result<DataFrame, FrameError>;
}

/// What a notebook does with a data frame beside what polars can.
pub trait Frame {
    /// The same frame, as if it had been made in this cell: see the module. It costs next to
    /// nothing.
    #[must_use]
    fn fresh(&self) -> DataFrame;

    /// Joined with another frame on columns that both have. Polars' own joins do the same, but each
    /// cell that calls one waits many seconds for its compilation; this one is compiled already.
    ///
    /// # Errors
    /// [`FrameError`], where one of the frames has no such column, or of another kind.
    fn join_on(
        &self,
        other: &DataFrame,
        columns: &[&str],
        how: JoinType,
    ) -> Result<DataFrame, FrameError>;

    /// The frame as a table for people, with at most so many rows.
    fn table(&self, most_rows: usize) -> Table;

    /// The frame as CSV. Numbers have all their digits; what is absent is empty.
    ///
    /// # Errors
    /// [`FrameError`], where a column holds neither numbers nor texts nor yes and no.
    fn to_csv(&self) -> Result<String, FrameError>;

    /// Writes the frame as a CSV file, replacing one that is there.
    ///
    /// # Errors
    /// As [`Frame::to_csv`], and where the file cannot be written.
    fn write_csv(&self, file: impl AsRef<Path>) -> Result<(), FrameError>;

    /// For each share of all, from 0 to 1, the smallest number in a column that so many do not
    /// exceed: 0.5 asks for the median, 1.0 for the largest. A frame of two columns, `share` and
    /// the column itself. What is empty does not count.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// let stops = read_recording("data/pauses/jvm-g1.csv")?.frame()?;
    /// let quantiles = stops.quantiles("pause_s", &[0.5, 0.99])?;
    /// assert_eq!(quantiles.shape(), (2, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameError`], where there is no such column, it holds no number, or a share is not from 0
    /// to 1.
    fn quantiles(&self, column: &str, shares: &[f64]) -> Result<DataFrame, FrameError>;

    /// How often something happens, from the rows of runs: the column `events` by the column
    /// `trials`, with an interval of 95 % from how far the rows lie apart, as
    /// [`Rate::of_repeats`] has it.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// let sweep = Sweep::of(&Scenario::baseline()).grants(500).run(Seed(1))?;
    /// let rate = sweep.frame()?.rate("zombie_writes", "grants")?;
    /// assert_eq!(rate, Rate::a_grant(&sweep.cells[0].outcomes, |run| run.zombie_writes)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameError`], where there is no such column, a row of it is not a whole number from 0 up,
    /// or the rows make no rate.
    fn rate(&self, events: &str, trials: &str) -> Result<Rate, FrameError>;

    /// The pauses in the column `pause_s`, row by row, with their starts from `start_s` where there
    /// is such a column. They can be drawn from: `Delay::recorded(&frame.pauses()?)`.
    ///
    /// # Errors
    /// [`FrameError`], where there is no column `pause_s`, or a row is not a number from 0 up.
    fn pauses(&self) -> Result<Vec<RecordedPause>, FrameError>;
}

/// Why there is no frame, or nothing can be made of one.
pub enum FrameError {
    /// Polars says so.
    Polars(PolarsError),
    /// There is no estimate of a cell.
    Estimate(EstimateError),
    /// A column is not what it should be: one sentence that says what to do.
    Column {
        /// The column.
        column: String,
        /// What is wrong, and what is allowed.
        reason: String,
    },
    /// A file cannot be written.
    File {
        /// Which.
        file: String,
        /// Why not.
        reason: String,
    },
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameError::Polars(error) => error.fmt(f),
            FrameError::Estimate(error) => error.fmt(f),
            FrameError::Column { column, reason } => write!(f, "the column `{column}` {reason}"),
            FrameError::File { file, reason } => write!(f, "{file}: {reason}"),
        }
    }
}

/// The same sentence: a cell that unwraps an error shows this form.
impl fmt::Debug for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for FrameError {}

impl From<PolarsError> for FrameError {
    fn from(error: PolarsError) -> FrameError {
        FrameError::Polars(error)
    }
}

impl From<EstimateError> for FrameError {
    fn from(error: EstimateError) -> FrameError {
        FrameError::Estimate(error)
    }
}

/// What polars calls, as for each group, answers with polars' own error.
impl From<FrameError> for PolarsError {
    fn from(error: FrameError) -> PolarsError {
        match error {
            FrameError::Polars(error) => error,
            other => PolarsError::ComputeError(other.to_string().into()),
        }
    }
}

fn column<T, P: ?Sized>(name: &str, values: T) -> Column
where
    Series: NamedFrom<T, P>,
{
    Series::new(name.into(), values).into()
}

/// The frame of a sweep: one row a run, the columns of [`SweepRows::columns`].
impl ToFrame for SweepRows {
    fn frame(&self) -> Result<DataFrame, FrameError> {
        let mut columns = vec![column("cell", self.each(|row| row.cell as u64))];
        for (place, name) in self.knobs.iter().enumerate() {
            columns.push(settings(name, self.rows.iter().map(|row| row.settings[place].as_str())));
        }
        columns.push(column("repeat", self.each(|row| row.repeat)));
        columns.push(column("seed", self.each(|row| row.seed.0)));
        columns.extend(self.counts());
        Ok(DataFrame::new(self.rows.len(), columns)?)
    }
}

impl ToFrame for SweepOutcome {
    fn frame(&self) -> Result<DataFrame, FrameError> {
        self.rows().frame()
    }
}

impl SweepOutcome {
    /// The frame of its cells: see [`SweepRows::summary_frame`].
    ///
    /// # Errors
    /// As there.
    pub fn summary_frame(&self) -> Result<DataFrame, FrameError> {
        self.rows().summary_frame()
    }
}

impl SweepRows {
    /// One row a cell: the settings of the knobs, the number of runs and of grants, and for zombie
    /// writes and lost updates how many there were, their rate a grant and the ends of its 95 %
    /// interval.
    ///
    /// # Errors
    /// [`FrameError`], where a cell had no grant at all, or two columns would have the same name.
    pub fn summary_frame(&self) -> Result<DataFrame, FrameError> {
        let cells = self.summary()?;
        let mut columns = vec![column("cell", of_all(&cells, |cell| cell.cell as u64))];
        for (place, name) in self.knobs.iter().enumerate() {
            columns.push(settings(name, cells.iter().map(|cell| cell.settings[place].as_str())));
        }
        columns.push(column("runs", of_all(&cells, |cell| cell.runs as u64)));
        columns.push(column("grants", of_all(&cells, |cell| cell.zombie_writes.trials())));
        columns.extend(rates("zombie", &cells, |cell| &cell.zombie_writes));
        columns.extend(rates("lost_update", &cells, |cell| &cell.lost_updates));
        Ok(DataFrame::new(cells.len(), columns)?)
    }

    fn each<T>(&self, of: impl Fn(&SweepRow) -> T) -> Vec<T> {
        of_all(&self.rows, of)
    }

    /// The columns of what was counted, in the order of [`Counts::COLUMNS`].
    fn counts(&self) -> Vec<Column> {
        let count = |name, of: fn(&Counts) -> u64| column(name, self.each(|row| of(&row.counts)));
        let span = |name, of: fn(&Counts) -> f64| column(name, self.each(|row| of(&row.counts)));
        let maybe =
            |name, of: fn(&Counts) -> Option<f64>| column(name, self.each(|row| of(&row.counts)));
        vec![
            count("grants", |counts| counts.grants),
            count("expiries", |counts| counts.expiries),
            count("renewals", |counts| counts.renewals),
            count("gave_up", |counts| counts.gave_up),
            count("accepted_writes", |counts| counts.accepted_writes),
            count("refused_writes", |counts| counts.refused_writes),
            count("refused_reads", |counts| counts.refused_reads),
            count("zombie_writes", |counts| counts.zombie_writes),
            count("lost_updates", |counts| counts.lost_updates),
            count("false_conflicts", |counts| counts.false_conflicts),
            count("overlaps", |counts| counts.overlaps),
            span("overlap_s", |counts| counts.overlap_s),
            count("crashes", |counts| counts.crashes),
            maybe("recovery_mean_s", |counts| counts.recovery_mean_s),
            maybe("recovery_max_s", |counts| counts.recovery_max_s),
            maybe("wait_mean_s", |counts| counts.wait_mean_s),
            maybe("wait_p99_s", |counts| counts.wait_p99_s),
            span("held_share", |counts| counts.held_share),
            span("end_s", |counts| counts.end_s),
            column("ended", self.each(|row| row.counts.ended_name())),
        ]
    }
}

fn of_all<R, T>(rows: &[R], of: impl Fn(&R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

/// The column of a knob: of numbers if all its settings are numbers, else of texts.
fn settings<'a>(name: &str, written: impl Iterator<Item = &'a str>) -> Column {
    let written: Vec<&str> = written.collect();
    match written.iter().map(|text| text.parse().ok()).collect::<Option<Vec<f64>>>() {
        Some(numbers) => column(name, numbers),
        None => column(name, written),
    }
}

fn rates(name: &str, cells: &[CellSummary], of: fn(&CellSummary) -> &Rate) -> Vec<Column> {
    let events = if name == "zombie" { "zombie_writes" } else { "lost_updates" };
    vec![
        column(events, of_all(cells, |cell| of(cell).events())),
        column(&format!("{name}_rate"), of_all(cells, |cell| of(cell).value())),
        column(&format!("{name}_rate_low"), of_all(cells, |cell| of(cell).interval().low)),
        column(&format!("{name}_rate_high"), of_all(cells, |cell| of(cell).interval().high)),
    ]
}

/// The frame of a recording: one row a pause, with the columns `start_s` and `pause_s`.
impl ToFrame for [RecordedPause] {
    fn frame(&self) -> Result<DataFrame, FrameError> {
        let start = column("start_s", of_all(self, |pause| pause.start.as_secs_f64()));
        let length = column("pause_s", of_all(self, |pause| pause.length.as_secs_f64()));
        Ok(DataFrame::new(self.len(), vec![start, length])?)
    }
}

/// The frame of published figures: one row a figure, with the columns `cause`, `typical_s`,
/// `typical_kind`, `tail_s`, `tail_kind`, `standing` and `source`.
impl ToFrame for [ReportedPause] {
    fn frame(&self) -> Result<DataFrame, FrameError> {
        type Given = Option<(Duration, String)>;
        let seconds = |given: &Given| given.as_ref().map(|(length, _)| length.as_secs_f64());
        let kind = |given: &Given| given.as_ref().map(|(_, kind)| kind.clone());
        let columns = vec![
            column("cause", of_all(self, |pause| pause.cause.clone())),
            column("typical_s", of_all(self, |pause| seconds(&pause.typical))),
            column("typical_kind", of_all(self, |pause| kind(&pause.typical))),
            column("tail_s", of_all(self, |pause| seconds(&pause.tail))),
            column("tail_kind", of_all(self, |pause| kind(&pause.tail))),
            column("standing", of_all(self, |pause| pause.standing.to_string())),
            column("source", of_all(self, |pause| pause.source.clone())),
        ];
        Ok(DataFrame::new(self.len(), columns)?)
    }
}

impl Frame for DataFrame {
    fn fresh(&self) -> DataFrame {
        // These columns were a frame before.
        DataFrame::new(self.height(), self.columns().to_vec()).unwrap_or_else(|_| self.clone())
    }

    fn join_on(
        &self,
        other: &DataFrame,
        columns: &[&str],
        how: JoinType,
    ) -> Result<DataFrame, FrameError> {
        let (own, other) = (self.fresh(), other.fresh());
        let on = || columns.iter().copied();
        Ok(own.join(&other, on(), on(), JoinArgs::new(how), None)?)
    }

    fn table(&self, most_rows: usize) -> Table {
        let names = self.get_column_names();
        let mut table = Table::new(names.into_iter().map(ToString::to_string));
        for row in 0..self.height().min(most_rows) {
            table = table.row(self.columns().iter().map(|column| shown(&at(column, row))));
        }
        match self.height() {
            height if height <= most_rows => table,
            height => table.captioned(format!("the first {most_rows} of {height} rows")),
        }
    }

    fn to_csv(&self) -> Result<String, FrameError> {
        let fault = |reason: String| FrameError::File { file: "CSV".into(), reason };
        let mut table = csv::Writer::from_writer(Vec::new());
        let names = self.get_column_names().into_iter().map(|name| name.as_bytes());
        table.write_record(names).map_err(|error| fault(error.to_string()))?;
        for row in 0..self.height() {
            let cells = self.columns().iter().map(|column| written(column, row));
            let cells = cells.collect::<Result<Vec<String>, FrameError>>()?;
            table.write_record(cells).map_err(|error| fault(error.to_string()))?;
        }
        let bytes = table.into_inner().map_err(|error| fault(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| fault(error.to_string()))
    }

    fn write_csv(&self, file: impl AsRef<Path>) -> Result<(), FrameError> {
        let (file, text) = (file.as_ref(), self.to_csv()?);
        std::fs::write(file, text).map_err(|error| FrameError::File {
            file: file.display().to_string(),
            reason: format!("{error}; name a file that can be written"),
        })
    }

    fn quantiles(&self, name: &str, shares: &[f64]) -> Result<DataFrame, FrameError> {
        let fault = |reason: String| FrameError::Column { column: name.into(), reason };
        let numbers = numbers(&self.fresh(), name, "numbers")?;
        let mut numbers: Vec<f64> = numbers.into_iter().flatten().collect();
        numbers.sort_by(f64::total_cmp);
        let Some(last) = numbers.len().checked_sub(1) else {
            return Err(fault("holds no number, so it has no quantiles".into()));
        };
        if let Some(share) = shares.iter().find(|share| !(0.0..=1.0).contains(*share)) {
            return Err(fault(format!("has no quantile {share}: a share is from 0 to 1")));
        }
        let quantile = |share: &f64| {
            let place = (share * numbers.len() as f64).ceil() as usize;
            numbers[place.saturating_sub(1).min(last)]
        };
        let quantiles = of_all(shares, quantile);
        Ok(DataFrame::new(shares.len(), vec![column("share", shares), column(name, quantiles)])?)
    }

    fn rate(&self, events: &str, trials: &str) -> Result<Rate, FrameError> {
        let frame = self.fresh();
        let (events, trials) = (counts(&frame, events)?, counts(&frame, trials)?);
        Ok(Rate::of_repeats(events.into_iter().zip(trials))?)
    }

    fn pauses(&self) -> Result<Vec<RecordedPause>, FrameError> {
        let frame = self.fresh();
        let lengths = spans(&frame, "pause_s")?;
        let starts = match frame.column("start_s") {
            Ok(_) => spans(&frame, "start_s")?,
            Err(_) => vec![Duration::ZERO; lengths.len()],
        };
        let pauses = starts.into_iter().zip(lengths);
        Ok(pauses.map(|(start, length)| RecordedPause { start, length }).collect())
    }
}

fn at(column: &Column, row: usize) -> AnyValue<'_> {
    // Only a row beyond the end is an error.
    column.get(row).unwrap_or(AnyValue::Null)
}

/// For people: numbers to five digits.
fn shown(value: &AnyValue<'_>) -> String {
    let number = match value {
        AnyValue::Null => return String::new(),
        AnyValue::String(text) => return (*text).to_owned(),
        AnyValue::StringOwned(text) => return text.to_string(),
        AnyValue::Float64(number) => *number,
        AnyValue::Float32(number) => f64::from(*number),
        other => return other.to_string(),
    };
    let digits_before = number.abs().log10().floor() as i32 + 1;
    if number == number.trunc() || !number.is_finite() || 5 <= digits_before {
        return format!("{number:.0}");
    }
    let text = format!("{number:.*}", (5 - digits_before) as usize);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// For programs: all digits.
fn written(column: &Column, row: usize) -> Result<String, FrameError> {
    Ok(match at(column, row) {
        AnyValue::Null => String::new(),
        AnyValue::String(text) => text.to_owned(),
        AnyValue::StringOwned(text) => text.to_string(),
        AnyValue::Boolean(value) => value.to_string(),
        AnyValue::Float64(number) => number.to_string(),
        AnyValue::Float32(number) => number.to_string(),
        AnyValue::Int32(number) => number.to_string(),
        AnyValue::Int64(number) => number.to_string(),
        AnyValue::UInt32(number) => number.to_string(),
        AnyValue::UInt64(number) => number.to_string(),
        _ => {
            let reason = format!(
                "holds {}, which has no form in CSV: cast it to numbers or texts, or drop it",
                column.dtype()
            );
            return Err(FrameError::Column { column: column.name().to_string(), reason });
        }
    })
}

/// A column of numbers, with what is empty as such. `wanted` is what they must be, in an error.
fn numbers(frame: &DataFrame, name: &str, wanted: &str) -> Result<Vec<Option<f64>>, FrameError> {
    let fault = |reason: String| FrameError::Column { column: name.into(), reason };
    let column = frame.column(name).map_err(|_| {
        let found = frame.get_column_names().into_iter().map(ToString::to_string);
        let found = found.collect::<Vec<_>>().join(", ");
        fault(format!("is missing: the columns are {found}"))
    })?;
    if !column.dtype().is_primitive_numeric() {
        return Err(fault(format!("holds {}, but must hold {wanted}", column.dtype())));
    }
    Ok(column.cast(&DataType::Float64)?.f64()?.iter().collect())
}

/// Each row of a column as what it must be; the first that is not is named.
fn each_row<T>(
    frame: &DataFrame,
    name: &str,
    wanted: [&str; 2],
    read: impl Fn(f64) -> Option<T>,
) -> Result<Vec<T>, FrameError> {
    let [all, one] = wanted;
    let rows = numbers(frame, name, all)?.into_iter().enumerate();
    let read = rows.map(|(row, number)| {
        number.and_then(&read).ok_or_else(|| {
            let given = number.map_or("empty".to_owned(), |number| number.to_string());
            let reason = format!("is {given} in row {row}, but must be {one}");
            FrameError::Column { column: name.into(), reason }
        })
    });
    read.collect()
}

/// A column of seconds as spans.
fn spans(frame: &DataFrame, name: &str) -> Result<Vec<Duration>, FrameError> {
    let wanted = ["seconds as numbers", "a number of seconds from 0 up"];
    each_row(frame, name, wanted, |seconds| Duration::try_from_secs_f64(seconds).ok())
}

/// A column of what was counted.
fn counts(frame: &DataFrame, name: &str) -> Result<Vec<u64>, FrameError> {
    let is_count = |number: f64| (0.0..=MOST_EXACT).contains(&number) && number.fract() == 0.0;
    each_row(frame, name, ["counts", "a whole number from 0 up"], |number| {
        is_count(number).then_some(number as u64)
    })
}

/// Up to here every whole number is one of an `f64`.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;
