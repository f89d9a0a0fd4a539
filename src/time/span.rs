//! Spans in files, written as people write them: `"10s"`, `"150ms"`, `"1h 30m"`.
//!
//! For serde's `with`: this module for a span, `optional` for one that may be absent, `list` for
//! several.

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::time::Duration;

/// Reads one span; the error says what a span looks like.
///
/// ```
/// use fencing::time::{secs, span};
///
/// assert_eq!(span::parse("1m 30s"), Ok(secs(90)));
/// assert!(span::parse("-1s").unwrap_err().contains("cannot be negative"));
/// ```
///
/// # Errors
/// One sentence, where `text` is not a number with a unit, or is negative.
pub fn parse(text: &str) -> Result<Duration, String> {
    if text.trim_start().starts_with('-') {
        return Err(format!("{text:?} cannot be negative: write a span such as \"10s\""));
    }
    humantime::parse_duration(text).map_err(|_| {
        format!(
            "{text:?} is not a span of time: write a number and a unit, such as \"150ms\", \
             \"10s\" or \"2m\""
        )
    })
}

/// A span as [`parse`] reads it.
#[must_use]
pub fn write(span: Duration) -> String {
    humantime::format_duration(span).to_string()
}

pub(crate) fn serialize<S: Serializer>(span: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&write(*span))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    Span::deserialize(from).map(|Span(span)| span)
}

/// A span that may be absent.
pub(crate) mod optional {
    use super::{Deserialize, Deserializer, Duration, Serialize, Serializer, Span};

    pub(crate) fn serialize<S: Serializer>(
        span: &Option<Duration>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        span.map(Span).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<Span>::deserialize(from)?.map(|Span(span)| span))
    }
}

/// Several spans.
pub(crate) mod list {
    use super::{Deserialize, Deserializer, Duration, Serializer, Span};

    pub(crate) fn serialize<S: Serializer>(spans: &[Duration], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(spans.iter().copied().map(Span))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<Duration>, D::Error> {
        let spans = Vec::<Span>::deserialize(from)?;
        Ok(spans.into_iter().map(|Span(span)| span).collect())
    }
}

/// What serde sees of a span.
struct Span(Duration);

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serialize(&self.0, to)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Span, D::Error> {
        from.deserialize_any(SpanVisitor)
    }
}

/// Takes a text; a bare number gets an answer of its own, since forgetting the unit is easy.
struct SpanVisitor;

impl Visitor<'_> for SpanVisitor {
    type Value = Span;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a span of time in quotes, such as \"10s\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Span, E> {
        parse(text).map(Span).map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Span, E> {
        Err(unit_missing(number))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Span, E> {
        Err(unit_missing(number))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Span, E> {
        Err(unit_missing(number))
    }
}

fn unit_missing<E: de::Error>(number: impl fmt::Display) -> E {
    E::custom(format!(
        "{number} is not a span of time: write a number and a unit in quotes, such as \"10s\""
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{millis, secs};

    #[test]
    fn what_is_written_is_read_back() {
        for span in
            [Duration::ZERO, millis(1), millis(2_500), secs(86_400), Duration::from_nanos(1)]
        {
            assert_eq!(parse(&write(span)), Ok(span));
        }
    }

    #[test]
    fn every_mistake_gets_a_sentence() {
        for (text, part) in [
            ("-3s", "cannot be negative"),
            ("10", "a number and a unit"),
            ("ten seconds", "a number and a unit"),
            ("", "a number and a unit"),
            ("NaN", "a number and a unit"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(part), "{error}");
        }
    }
}
