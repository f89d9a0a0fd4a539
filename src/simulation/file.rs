//! Scenarios in files and on the command line: TOML and JSON, in and out.

use super::scenario::{Scenario, ScenarioError};
use std::path::Path;
use toml::{Table, Value};

impl Scenario {
    /// Reads a scenario from TOML. What is absent is as in the baseline.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// let scenario = Scenario::from_toml("lease = \"20s\"\nlook = \"own_clock\"")?;
    /// let expected = Scenario { lease: secs(20), look: Look::OwnClock, ..Scenario::baseline() };
    /// assert_eq!(scenario, expected);
    ///
    /// let error = Scenario::from_toml("leese = \"20s\"").unwrap_err();
    /// assert!(error.to_string().contains("did you mean `lease`?"));
    /// # Ok::<(), ScenarioError>(())
    /// ```
    ///
    /// # Errors
    /// [`ScenarioError::Text`] with the line, for a field that does not exist or a value of another
    /// kind.
    pub fn from_toml(text: &str) -> Result<Scenario, ScenarioError> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let line = error.span().map(|span| 1 + text[..span.start].matches('\n').count());
            text_error(line, error.message())
        })
    }

    /// Writes the scenario as TOML, every field.
    ///
    /// # Errors
    /// [`ScenarioError::Text`], where a recording's file name is not text.
    pub fn to_toml(&self) -> Result<String, ScenarioError> {
        toml::to_string(self).map_err(|error| text_error(None, &error.to_string()))
    }

    /// Reads a scenario from JSON. What is absent is as in the baseline.
    ///
    /// # Errors
    /// As [`Scenario::from_toml`].
    pub fn from_json(text: &str) -> Result<Scenario, ScenarioError> {
        serde_json::from_str(text).map_err(|error| {
            let message = error.to_string();
            let reason = message.split(" at line ").next().unwrap_or(&message);
            text_error(Some(error.line()), reason)
        })
    }

    /// Writes the scenario as JSON, every field.
    ///
    /// # Errors
    /// [`ScenarioError::Text`], where a recording's file name is not text.
    pub fn to_json(&self) -> Result<String, ScenarioError> {
        serde_json::to_string_pretty(self).map_err(|error| text_error(None, &error.to_string()))
    }

    /// Reads a scenario file: JSON where its name ends in `.json`, else TOML.
    ///
    /// # Errors
    /// [`ScenarioError::File`], where it cannot be read or is no scenario.
    pub fn read(file: impl AsRef<Path>) -> Result<Scenario, ScenarioError> {
        let file = file.as_ref();
        let error =
            |reason: String| ScenarioError::File { file: file.display().to_string(), reason };
        let text = std::fs::read_to_string(file)
            .map_err(|cause| error(format!("{cause}; name a scenario file that can be read")))?;
        let is_json = file.extension().is_some_and(|extension| extension == "json");
        let read = if is_json { Scenario::from_json } else { Scenario::from_toml };
        read(&text).map_err(|cause| error(cause.to_string()))
    }

    /// The scenario with one field changed: a dotted path and a TOML value, where a bare word is a
    /// text. Another distribution takes the place of the one that was there.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// let scenario = Scenario::baseline()
    ///     .with("look", "own_clock")?
    ///     .with("pauses.critical_section.probability", "0.5")?
    ///     .with("work.constant", "3s")?;
    /// assert_eq!(scenario.work, Delay::constant(secs(3)));
    /// # Ok::<(), ScenarioError>(())
    /// ```
    ///
    /// # Errors
    /// [`ScenarioError::Text`], where there is no such field, or the value is of another kind.
    pub fn with(&self, path: &str, value: &str) -> Result<Scenario, ScenarioError> {
        let mut root =
            Table::try_from(self).map_err(|error| text_error(None, &error.to_string()))?;
        let mut steps: Vec<&str> = path.split('.').map(str::trim).collect();
        let last = steps.pop().unwrap_or_default();
        let mut table = &mut root;
        for step in steps {
            make_room(table, step);
            let entry = table.entry(step).or_insert_with(|| Value::Table(Table::new()));
            if !entry.is_table() {
                *entry = Value::Table(Table::new());
            }
            let Value::Table(inner) = entry else { unreachable!("just made a table") };
            table = inner;
        }
        make_room(table, last);
        table.insert(last.to_owned(), value_of(value));
        root.try_into::<Scenario>().map_err(|error: toml::de::Error| {
            let ScenarioError::Text { reason } = text_error(None, error.message()) else {
                unreachable!("a text error")
            };
            ScenarioError::Text { reason: format!("`{path} = {value}`: {reason}") }
        })
    }
}

impl Scenario {
    /// What differs from the baseline, each as [`Scenario::with`] and `cargo lab simulate --set`
    /// take it.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// let scenario = Scenario { lease: secs(20), ..Scenario::baseline() };
    /// assert_eq!(scenario.settings(), ["lease = \"20s\""]);
    /// ```
    #[must_use]
    pub fn settings(&self) -> Vec<String> {
        let mut settings = Vec::new();
        if let (Ok(base), Ok(own)) = (Table::try_from(Scenario::baseline()), Table::try_from(self))
        {
            differences("", &base, &own, &mut settings);
        }
        settings
    }
}

/// Where `own` has all that `base` has, field by field; a table that lacks something as a whole.
fn differences(path: &str, base: &Table, own: &Table, found: &mut Vec<String>) {
    for (key, value) in own {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match (base.get(key), value) {
            (Some(old), new) if old == new => {}
            (Some(Value::Table(old)), Value::Table(new))
                if old.keys().all(|key| new.contains_key(key)) =>
            {
                differences(&path, old, new, found);
            }
            _ => found.push(format!("{path} = {value}")),
        }
    }
}

/// A distribution is a table with one key, its name: the new name takes the old one's place.
fn make_room(table: &mut Table, name: &str) {
    const DISTRIBUTIONS: [&str; 6] =
        ["constant", "uniform", "exponential", "log_normal", "pareto", "recorded"];
    if DISTRIBUTIONS.contains(&name) {
        table.retain(|key, _| key == name || !DISTRIBUTIONS.contains(&key));
    }
}

/// A TOML value; what is none is taken as text, so that quotes can be left out in a shell.
fn value_of(text: &str) -> Value {
    let parsed = toml::from_str::<Table>(&format!("value = {text}")).ok();
    parsed
        .and_then(|mut table| if table.len() == 1 { table.remove("value") } else { None })
        .unwrap_or_else(|| Value::String(text.to_owned()))
}

impl ScenarioError {
    /// One line with what is wrong in a text, for other files that hold scenarios.
    pub(crate) fn text(line: Option<usize>, message: &str) -> ScenarioError {
        text_error(line, message)
    }
}

/// One line with what is wrong; a name that does not exist gets the nearest that does.
fn text_error(line: Option<usize>, message: &str) -> ScenarioError {
    let mut reason = match line {
        Some(line) => format!("line {line}: {}", message.trim()),
        None => message.trim().to_owned(),
    };
    if let Some(nearest) = nearest_name(message) {
        reason.push_str(&format!("; did you mean `{nearest}`?"));
    }
    ScenarioError::Text { reason }
}

/// serde names the unknown word and the known ones in backquotes, the unknown one first.
fn nearest_name(message: &str) -> Option<&str> {
    if !message.starts_with("unknown ") {
        return None;
    }
    let mut names = message.split('`').skip(1).step_by(2);
    let unknown = names.next()?;
    let (likeness, name) = names
        .map(|name| (strsim::jaro_winkler(unknown, name), name))
        .max_by(|one, other| one.0.total_cmp(&other.0))?;
    (0.7 < likeness).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// The example of the design, every field.
    const EVERY_FIELD: &str = r#"
        clients = 3
        think = { exponential = "100ms" }
        work = { exponential = "2s" }
        latency = { constant = "0s" }
        commit = { constant = "0s" }
        lease = "10s"
        renew_every = "5s"
        on_lost = "ignore"
        look = "never"
        token_check = "never"
        first_token = 1

        [pauses]
        critical_section.probability = 0.05
        critical_section.length = { log_normal = { median = "3s", sigma = 1.2 } }
        poisson = { every = "60s", length = { pareto = { at_least = "1s", shape = 1.5 } } }
        script = [{ client = 0, at = "5s", length = "12s" }]

        [crashes]
        every = "1h"
        restart_after = "30s"

        [stop]
        grants = 10000
        time = "1h"
    "#;

    #[test]
    fn every_field_is_read_and_written_in_both_forms() {
        let scenario = Scenario::from_toml(EVERY_FIELD).expect("the example is a scenario");
        assert_eq!(scenario.renew_every, Some(secs(5)));
        assert_eq!(scenario.stop.time, Some(secs(3_600)));
        assert_eq!(scenario.pauses.script, [ScriptedPause::new(0, secs(5), secs(12))]);
        for scenario in [scenario, Scenario::baseline(), Scenario::incident()] {
            let toml = scenario.to_toml().expect("a scenario is TOML");
            assert_eq!(Scenario::from_toml(&toml).as_ref(), Ok(&scenario), "{toml}");
            let json = scenario.to_json().expect("a scenario is JSON");
            assert_eq!(Scenario::from_json(&json), Ok(scenario), "{json}");
        }
    }

    #[test]
    fn what_is_absent_is_as_in_the_baseline() {
        assert_eq!(Scenario::from_toml(""), Ok(Scenario::baseline()));
        assert_eq!(Scenario::from_json("{}"), Ok(Scenario::baseline()));
        let none = Scenario::from_toml("[pauses]").expect("no pauses is a choice");
        assert_eq!(none.pauses, Pauses::none());
        assert_eq!(none.to_toml().and_then(|text| Scenario::from_toml(&text)), Ok(none));
    }

    #[test]
    fn mistakes_in_a_file_get_one_sentence_with_the_line() {
        for (text, part) in [
            ("clients = 3\nleese = \"10s\"", "line 2: unknown field `leese`"),
            ("lease = 10", "line 1: 10 is not a span of time: write a number and a unit"),
            ("lease = \"-10s\"", "cannot be negative"),
            ("clients = -1", "line 1: invalid value: integer `-1`"),
            ("look = \"own_clok\"", "did you mean `own_clock`?"),
            ("work = { expo = \"1s\" }", "unknown variant `expo`"),
            ("work = { recorded = 3 }", "expected a list of spans, or { file"),
            ("clients = three", "line 1: "),
        ] {
            let error = Scenario::from_toml(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
        let error = Scenario::from_json("{\"lease\": 10}").expect_err("no unit").to_string();
        assert!(error.contains("10 is not a span of time"), "{error}");
    }

    #[test]
    fn a_field_is_set_by_its_path() {
        let base = Scenario::baseline();
        let set = |path, value| base.with(path, value);
        assert_eq!(set("lease", "20s"), Ok(Scenario { lease: secs(20), ..base.clone() }));
        assert_eq!(set("lease", "\"20s\""), set("lease", "20s"));
        assert_eq!(set("renew_every", "5s").map(|s| s.renew_every), Ok(Some(secs(5))));
        let constant = Delay::constant(secs(1));
        assert_eq!(set("work", "{ constant = \"1s\" }").map(|s| s.work), Ok(constant.clone()));
        assert_eq!(set("work.constant", "1s").map(|s| s.work), Ok(constant));
        assert_eq!(
            set("pauses.critical_section.length.log_normal.sigma", "2").map(|s| s.pauses),
            Ok(Pauses::critical_section(0.05, Delay::log_normal(secs(3), 2.0)))
        );
        assert_eq!(
            set("pauses.critical_section.length.pareto", "{ at_least = \"1s\", shape = 1.5 }")
                .map(|s| s.pauses),
            Ok(Pauses::critical_section(0.05, Delay::pareto(secs(1), 1.5)))
        );
        for (path, value, part) in [
            ("leese", "20s", "did you mean `lease`?"),
            ("lease", "20", "20 is not a span"),
            ("lease.length", "20s", "a span of time in quotes"),
            ("", "1", "unknown field ``"),
            ("work.constant.x", "1", "a span of time in quotes"),
        ] {
            let error = set(path, value).expect_err(path).to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Scenario::read("no/such/scenario.toml").expect_err("no such file").to_string();
        assert!(error.starts_with("no/such/scenario.toml: No such file"), "{error}");
    }
}
