//! Pause figures that others have published, each with its source.

use super::recording::{RecordingError, find};
use serde::Deserialize;
use std::fmt;
use std::time::Duration;

/// Where the workbook keeps them.
const FILE: &str = "data/figures/pause-figures.csv";

/// A published figure of a pause. Some sources give what is typical, some the tail, some both.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportedPause {
    /// What pauses.
    pub cause: String,
    /// A typical length, with what the source says it is ("median", "mean").
    pub typical: Option<(Duration, String)>,
    /// A long one, with what the source says it is ("p99", "max").
    pub tail: Option<(Duration, String)>,
    /// Where it was published.
    pub source: String,
    /// How close the source is to what was measured.
    pub standing: Standing,
}

/// How close a source is to what was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Those who measured or run the thing say so.
    Primary,
    /// Somebody repeats it.
    Secondary,
    /// It was measured on a published log.
    Measured,
    /// Nobody was found who measured it.
    Assumed,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Standing::Primary => "primary",
            Standing::Secondary => "secondary",
            Standing::Measured => "measured",
            Standing::Assumed => "assumed",
        })
    }
}

/// A row of the file.
#[derive(Deserialize)]
struct Row {
    cause: String,
    typical_ms: Option<f64>,
    typical_kind: String,
    tail_ms: Option<f64>,
    tail_kind: String,
    source: String,
    standing: Standing,
}

/// The published figures in `data/figures/pause-figures.csv`.
///
/// ```
/// let reported = fencing::chance::reported::reported_pauses()?;
/// assert!(reported.iter().all(|pause| !pause.source.is_empty()));
/// # Ok::<(), fencing::chance::recording::RecordingError>(())
/// ```
///
/// # Errors
/// [`RecordingError`], where the file is missing or a row is not what it should be.
pub fn reported_pauses() -> Result<Vec<ReportedPause>, RecordingError> {
    let error = |line, reason| RecordingError { file: FILE.into(), line, reason };
    let mut table = csv::Reader::from_path(find(FILE.as_ref()))
        .map_err(|cause| error(None, cause.to_string()))?;
    let rows = table.deserialize().map(|row| {
        let row: Row = row.map_err(|cause| {
            error(cause.position().map(csv::Position::line), "the row is not complete".into())
        })?;
        Ok(ReportedPause {
            cause: row.cause,
            typical: length(row.typical_ms, row.typical_kind),
            tail: length(row.tail_ms, row.tail_kind),
            source: row.source,
            standing: row.standing,
        })
    });
    rows.collect()
}

fn length(ms: Option<f64>, kind: String) -> Option<(Duration, String)> {
    ms.and_then(|ms| Duration::try_from_secs_f64(ms / 1e3).ok()).map(|length| (length, kind))
}
