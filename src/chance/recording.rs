//! Recorded pauses: lengths that were measured on a real program.

use crate::time::span;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Lengths that were measured, listed here or in a file.
///
/// In a scenario file: `recorded = ["12ms", "3s"]` or
/// `recorded = { file = "data/pauses/jvm-g1.csv" }`.
///
/// The file is a table with the columns `start_s,length_ms`, one row a pause; lines that begin with
/// `#` say on what it was measured. `cargo lab record` writes one. A relative path is looked for
/// from the current folder, then from the workbook's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a list of spans, or { file = \"….csv\" }")]
pub enum Recording {
    /// The lengths themselves.
    Listed(#[serde(with = "span::list")] Vec<Duration>),
    /// A file of them.
    File {
        /// Where it is.
        file: PathBuf,
    },
}

impl From<Vec<Duration>> for Recording {
    fn from(lengths: Vec<Duration>) -> Recording {
        Recording::Listed(lengths)
    }
}

impl From<&[RecordedPause]> for Recording {
    fn from(stops: &[RecordedPause]) -> Recording {
        Recording::Listed(stops.iter().map(|stop| stop.length).collect())
    }
}

impl From<&Vec<RecordedPause>> for Recording {
    fn from(stops: &Vec<RecordedPause>) -> Recording {
        Recording::from(stops.as_slice())
    }
}

impl From<&str> for Recording {
    fn from(file: &str) -> Recording {
        Recording::File { file: file.into() }
    }
}

/// One recorded pause: when it began, and how long it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedPause {
    /// From the start of the recording.
    pub start: Duration,
    /// How long the program stood still.
    pub length: Duration,
}

/// Why a recording cannot be read: the file, the line where there is one, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingError {
    /// The file as it was given.
    pub file: PathBuf,
    /// Its line, from 1.
    pub line: Option<u64>,
    /// What is wrong and what to do.
    pub reason: String,
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for RecordingError {}

impl Recording {
    /// The lengths, in the order they were measured.
    ///
    /// # Errors
    /// As [`read_recording`].
    pub fn lengths(&self) -> Result<Vec<Duration>, RecordingError> {
        match self {
            Recording::Listed(lengths) => Ok(lengths.clone()),
            Recording::File { file } => {
                Ok(read_recording(file)?.into_iter().map(|stop| stop.length).collect())
            }
        }
    }
}

/// Reads a recording, a file with the columns `start_s,length_ms`.
///
/// # Errors
/// [`RecordingError`], where there is no such file, the columns have other names, a row does not
/// hold two numbers from 0 up, or a stop begins before the one above it.
pub fn read_recording(file: impl AsRef<Path>) -> Result<Vec<RecordedPause>, RecordingError> {
    let file = file.as_ref();
    let error = |line, reason: String| RecordingError { file: file.into(), line, reason };
    let text = std::fs::read_to_string(find(file)).map_err(|cause| {
        error(None, format!("{cause}; name a file with the columns start_s,length_ms"))
    })?;
    let mut table = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let headers = table.headers().map_err(|cause| error(Some(1), cause.to_string()))?;
    if headers.iter().ne(["start_s", "length_ms"]) {
        let found = headers.iter().collect::<Vec<_>>().join(",");
        let reason = format!("the columns are {found:?}, but must be \"start_s,length_ms\"");
        return Err(error(line_of(&text, headers.position()), reason));
    }
    let mut stops = Vec::new();
    for row in table.records() {
        let row = row.map_err(|cause| {
            let line = line_of(&text, cause.position());
            let reason = "the row must hold two numbers, start_s and length_ms, with a point for \
                          the decimals";
            error(line, reason.into())
        })?;
        let line = line_of(&text, row.position());
        let number = |column: usize, name: &str, per_s: f64| {
            let cell = &row[column];
            let seconds = cell.parse::<f64>().ok().map(|number| number / per_s);
            seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()).ok_or_else(|| {
                error(line, format!("{name} is {cell:?}, but must be a number from 0 up"))
            })
        };
        let start = number(0, "start_s", 1.0)?;
        if stops.last().is_some_and(|last: &RecordedPause| start < last.start) {
            let reason = format!(
                "start_s is {:?}, which is before the row above: sort the rows by start_s, and \
                 make one file of each recording",
                &row[0]
            );
            return Err(error(line, reason));
        }
        stops.push(RecordedPause { start, length: number(1, "length_ms", 1_000.0)? });
    }
    Ok(stops)
}

/// The line of a row. The position of one that comments stand before is that of the first comment.
fn line_of(text: &str, position: Option<&csv::Position>) -> Option<u64> {
    let line = position?.line();
    let lines = text.lines().skip(usize::try_from(line).ok()?.saturating_sub(1));
    let before = lines.take_while(|line| line.is_empty() || line.starts_with('#')).count();
    Some(line + before as u64)
}

/// Stops that are less than `gap` apart act as one: from the start of the first to the end of the
/// last. Takes stops in the order of their starts, as [`read_recording`] finds them in a recording.
///
/// ```
/// use fencing::prelude::*;
///
/// let stop = |start, length| RecordedPause { start: millis(start), length: millis(length) };
/// let merged = merge_close(&[stop(0, 100), stop(110, 50), stop(900, 10)], millis(50));
/// assert_eq!(merged, [stop(0, 160), stop(900, 10)]);
/// ```
#[must_use]
pub fn merge_close(stops: &[RecordedPause], gap: Duration) -> Vec<RecordedPause> {
    let mut merged: Vec<RecordedPause> = Vec::new();
    for stop in stops {
        match merged.last_mut() {
            Some(last) if stop.start < last.start + last.length + gap => {
                let end = (stop.start + stop.length).max(last.start + last.length);
                last.length = end - last.start;
            }
            _ => merged.push(*stop),
        }
    }
    merged
}

/// A relative path from the current folder where that leads to a file, else from the workbook's
/// folder: a notebook and a shell name a recording alike.
pub(crate) fn find(file: &Path) -> PathBuf {
    let in_workbook = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if !file.exists() && in_workbook.exists() { in_workbook } else { file.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{micros, millis, secs};

    fn read_text(name: &str, text: &str) -> Result<Vec<RecordedPause>, RecordingError> {
        let folder = std::env::temp_dir().join(format!("fencing-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        let file = folder.join("recording.csv");
        std::fs::write(&file, text).expect("a file for the test");
        let stops = read_recording(&file);
        std::fs::remove_dir_all(&folder).expect("the folder goes again");
        stops
    }

    #[test]
    fn comments_and_spaces_do_not_count() {
        let stops =
            read_text("good", "# made by hand\nstart_s,length_ms\n0.5, 12.25\n# more\n2,3000\n");
        let expected = [
            RecordedPause { start: millis(500), length: micros(12_250) },
            RecordedPause { start: secs(2), length: secs(3) },
        ];
        assert_eq!(stops.expect("a good file"), expected);
    }

    #[test]
    fn a_bad_file_is_refused_with_line_and_reason() {
        for (name, text, line, part) in [
            ("columns", "begin,length\n1,2\n", Some(1), "the columns are \"begin,length\""),
            (
                "other columns",
                "# x\n# y\nbegin;length\n",
                Some(3),
                "the columns are \"begin;length",
            ),
            ("later", "# x\nstart_s,length_ms\n1,2\n# y\n\n2,x\n", Some(6), "\"x\""),
            ("later short", "# x\nstart_s,length_ms\n1,2\n# y\n2\n", Some(5), "two numbers"),
            ("word", "start_s,length_ms\n1,2\n2,long\n", Some(3), "length_ms is \"long\""),
            ("negative", "# x\nstart_s,length_ms\n1,-2\n", Some(3), "from 0 up"),
            ("nan", "start_s,length_ms\nNaN,2\n", Some(2), "start_s is \"NaN\""),
            ("short", "start_s,length_ms\n1\n", Some(2), "two numbers"),
            ("comma", "start_s,length_ms\n0,5,12,25\n", Some(2), "two numbers"),
            ("back", "start_s,length_ms\n1,2\n3,4\n2,1\n", Some(4), "before the row above"),
        ] {
            let error = read_text(name, text).expect_err(name);
            assert_eq!(error.line, line, "{error}");
            assert!(error.reason.contains(part), "{error}");
        }
        let missing = read_recording("data/no-such-recording.csv").expect_err("no such file");
        assert!(missing.to_string().starts_with("data/no-such-recording.csv: "), "{missing}");
    }
}
