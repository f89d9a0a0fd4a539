//! Sweeps in files: a scenario, the knobs with their values, how many repeats, and the seed.

use super::Sweep;
use crate::chance::recording::find;
use crate::chance::seed::Seed;
use crate::simulation::scenario::{Scenario, ScenarioError};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use std::fmt;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// More runs than this are a mistake in the file rather than a plan.
pub(super) const MOST_RUNS: u64 = 10_000_000;

/// A sweep as a file describes it, with the seed it is to be run with.
///
/// ```
/// use fencing::prelude::*;
///
/// let file = SweepFile::from_toml(r#"
///     seed = 1
///     repeats = 2
///     grants = 500                       # a run ends at; absent: as the scenario says
///
///     [scenario]                         # as a scenario file, or scenario = "FILE"
///     work = { exponential = "2s" }
///
///     [knobs]                            # fields of the scenario; the last changes fastest
///     lease = ["5s", "10s"]
///     pauses.critical_section.probability = [0.01, 0.05]
/// "#)?;
/// let sweep = file.sweep.run(file.seed)?;
/// assert_eq!(sweep.knobs, ["lease", "pauses.critical_section.probability"]);
/// assert_eq!(sweep.cells.len(), 4);
/// # Ok::<(), ScenarioError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SweepFile {
    /// The sweep.
    pub sweep: Sweep,
    /// The seed it is run with.
    pub seed: Seed,
}

/// The file, but for the knobs: their order counts, and a table of serde has none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    #[serde(default)]
    scenario: Base,
    repeats: Option<u32>,
    grants: Option<u64>,
    seed: Option<u64>,
    #[serde(default, rename = "knobs")]
    _knobs: de::IgnoredAny,
}

/// A scenario written out, or the name of its file.
enum Base {
    Written(Box<Scenario>),
    InFile(PathBuf),
}

impl Default for Base {
    fn default() -> Base {
        Base::Written(Box::default())
    }
}

impl SweepFile {
    /// Reads a sweep from TOML. Names of files in it are looked for from the current folder.
    ///
    /// # Errors
    /// [`ScenarioError`], one sentence with the line where there is one.
    pub fn from_toml(text: &str) -> Result<SweepFile, ScenarioError> {
        SweepFile::parse(text, Path::new(""))
    }

    /// Reads a sweep file; a relative path is looked for from the current folder, then from the
    /// workbook's. A scenario's file is looked for from the folder of the sweep's.
    ///
    /// # Errors
    /// [`ScenarioError::File`], where it cannot be read or is no sweep.
    pub fn read(file: impl AsRef<Path>) -> Result<SweepFile, ScenarioError> {
        let file = file.as_ref();
        let error =
            |reason: String| ScenarioError::File { file: file.display().to_string(), reason };
        let found = find(file);
        let text = std::fs::read_to_string(&found)
            .map_err(|cause| error(format!("{cause}; name a sweep file that can be read")))?;
        let folder = found.parent().unwrap_or(Path::new(""));
        SweepFile::parse(&text, folder).map_err(|cause| error(cause.to_string()))
    }

    fn parse(text: &str, folder: &Path) -> Result<SweepFile, ScenarioError> {
        let fields: Fields = toml::from_str(text).map_err(|error| toml_error(text, &error))?;
        let base = match fields.scenario {
            Base::Written(scenario) => *scenario,
            Base::InFile(file) => Scenario::read(folder.join(file))?,
        };
        let mut sweep = Sweep::of(&base);
        if let Some(grants) = fields.grants {
            sweep = sweep.grants(grants);
        }
        let repeats = match fields.repeats {
            Some(0) => return Err(ScenarioError::field("repeats", 0, "be 1 or more")),
            given => given.unwrap_or(sweep.repeats),
        };
        let mut runs = u64::from(repeats);
        for knob in knobs(text)? {
            runs = runs.saturating_mul(knob.values.len() as u64);
            if MOST_RUNS < runs {
                let allowed = format!("be at most {MOST_RUNS} of all cells and repeats together");
                return Err(ScenarioError::field("number of runs", runs, &allowed));
            }
            sweep = sweep
                .field(&knob.path, knob.values)
                .map_err(|error| at_line(text, knob.start, &error.to_string()))?;
        }
        Ok(SweepFile { sweep: sweep.repeats(repeats), seed: Seed(fields.seed.unwrap_or(1)) })
    }
}

/// A knob as it stands in the file.
struct KnobLine {
    /// Where it starts, in bytes.
    start: usize,
    path: String,
    values: Vec<String>,
}

/// The knobs in the order of the file.
fn knobs(text: &str) -> Result<Vec<KnobLine>, ScenarioError> {
    let file = DeTable::parse(text).map_err(|error| toml_error(text, &error))?;
    let mut found = Vec::new();
    if let Some(knobs) = file.get_ref().get("knobs") {
        match knobs.get_ref() {
            DeValue::Table(table) => find_knobs(text, "", table, &mut found)?,
            _ => {
                let reason = "`knobs` must be a table: write [knobs], and under it fields with \
                              lists of values, such as lease = [\"5s\", \"10s\"]";
                return Err(at_line(text, knobs.span().start, reason));
            }
        }
    }
    found.sort_by_key(|knob: &KnobLine| knob.start);
    Ok(found)
}

/// A table in the table of knobs stands for the start of a path: `a.b = [...]` is one in TOML.
fn find_knobs(
    text: &str,
    path: &str,
    table: &DeTable<'_>,
    found: &mut Vec<KnobLine>,
) -> Result<(), ScenarioError> {
    for (key, value) in table {
        let name = key.get_ref();
        let path = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
        let start = key.span().start;
        match value.get_ref() {
            DeValue::Table(inner) => find_knobs(text, &path, inner, found)?,
            DeValue::Array(array) if !array.is_empty() => {
                let values = array.iter().map(|value| written(text, value));
                found.push(KnobLine { start, path, values: values.collect() });
            }
            _ => {
                let reason = format!(
                    "the knob `{path}` needs a list of values, such as \
                     {path} = [\"5s\", \"10s\"]"
                );
                return Err(at_line(text, start, &reason));
            }
        }
    }
    Ok(())
}

/// A value as it stands in the file; a text without its quotes.
fn written(text: &str, value: &Spanned<DeValue<'_>>) -> String {
    match value.get_ref() {
        DeValue::String(string) => string.to_string(),
        _ => text[value.span()].to_owned(),
    }
}

fn toml_error(text: &str, error: &toml::de::Error) -> ScenarioError {
    match error.span() {
        Some(span) => at_line(text, span.start, error.message()),
        None => ScenarioError::text(None, error.message()),
    }
}

fn at_line(text: &str, start: usize, message: &str) -> ScenarioError {
    ScenarioError::text(Some(1 + text[..start].matches('\n').count()), message)
}

impl<'de> Deserialize<'de> for Base {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Base, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Base;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a scenario, or the name of its file in quotes")
            }

            fn visit_str<E: de::Error>(self, file: &str) -> Result<Base, E> {
                Ok(Base::InFile(file.into()))
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Base, A::Error> {
                let scenario = Scenario::deserialize(MapAccessDeserializer::new(fields))?;
                Ok(Base::Written(Box::new(scenario)))
            }
        }

        from.deserialize_any(Either)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knobs_keep_the_order_of_the_file() {
        let text = "[knobs]\ntoken_check = [\"never\"]\n\"lease\" = [\"5s\", \"10s\"]\n\
                    pauses.critical_section.probability = [0.1]\nclients = [2, 3]\n\
                    work = [{ constant = \"1s\" }]\n";
        let grid = SweepFile::from_toml(text).expect("a sweep").sweep.grid();
        let labels = |cell: usize| {
            grid[cell].settings.iter().map(|setting| setting.label.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(labels(1), ["never", "5s", "0.1", "3", "{ constant = \"1s\" }"]);
        assert_eq!(grid.len(), 4);
    }

    #[test]
    fn what_is_absent_has_a_default() {
        let file = SweepFile::from_toml("").expect("a sweep of one cell");
        assert_eq!((file.seed, file.sweep.repeats), (Seed(1), 10));
        assert_eq!(file.sweep.grid()[0].scenario, Scenario::baseline());
    }

    #[test]
    fn mistakes_in_a_file_get_one_sentence_with_the_line() {
        for (text, part) in [
            ("seed = 1\nrepeat = 3", "line 2: unknown field `repeat`"),
            ("repeat = 3", "did you mean `repeats`?"),
            ("seed = -1", "line 1: invalid value: integer `-1`"),
            ("repeats = 0", "`repeats` is 0: it must be 1 or more"),
            ("[scenario]\nleese = \"5s\"", "line 2: unknown field `leese`"),
            ("scenario = 3", "a scenario, or the name of its file"),
            ("scenario = \"no-such.toml\"", "no-such.toml: "),
            ("knobs = 3", "line 1: `knobs` must be a table"),
            ("[knobs]\n\nlease = \"5s\"", "line 3: the knob `lease` needs a list"),
            ("[knobs]\nlease = []", "line 2: the knob `lease` needs a list"),
            ("[knobs]\nlease = [\"5s\", 10]", "line 2: `lease = 10`: 10 is not a span"),
            ("[knobs]\nleese = [\"5s\"]", "did you mean `lease`?"),
            ("[knobs]\na.b = [1]", "line 2: `a.b = 1`: unknown field `a`"),
            ("[knobs]\nlease = [\"5s\"", "line 2: "),
        ] {
            let error = SweepFile::from_toml(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
        let many = format!("clients = [{}]", "1, ".repeat(1_001));
        let error = SweepFile::from_toml(&format!("repeats = 10000\n[knobs]\n{many}"));
        assert!(error.expect_err("ten million runs").to_string().contains("at most 10000000"));
    }
}
