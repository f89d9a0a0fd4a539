//! Values: what a point of a chart is made of.

use super::words::{length_mark, plain_number, spoken};
use crate::analysis::estimate::interval::Interval;
use crate::analysis::estimate::mean::Mean;
use crate::analysis::estimate::rate::Rate;
use crate::analysis::sweep::Setting;
use crate::time::span;
use std::time::Duration;

/// Where a point stands from left to right: at a span, a number or a name. Whatever is one of these
/// can be given as it is: `secs(10)`, `0.05`, `"never"`.
#[derive(Clone, Debug, PartialEq)]
pub enum At {
    /// A span, in seconds.
    Span(f64),
    /// A number.
    Number(f64),
    /// One of several choices, without an order.
    Name(String),
}

impl At {
    /// The number on an axis of numbers.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            At::Span(number) | At::Number(number) => Some(*number),
            At::Name(_) => None,
        }
    }

    /// As it is written.
    pub(super) fn words(&self) -> String {
        match self {
            At::Span(seconds) => length_mark(*seconds),
            At::Number(number) => plain_number(*number),
            At::Name(name) => name.clone(),
        }
    }
}

impl From<Duration> for At {
    fn from(span: Duration) -> At {
        At::Span(span.as_secs_f64())
    }
}

impl From<f64> for At {
    fn from(number: f64) -> At {
        At::Number(number)
    }
}

impl From<u32> for At {
    fn from(number: u32) -> At {
        At::Number(f64::from(number))
    }
}

impl From<&str> for At {
    fn from(name: &str) -> At {
        At::Name(name.to_owned())
    }
}

impl From<&Setting> for At {
    fn from(setting: &Setting) -> At {
        match setting.number {
            Some(number) if setting.label.parse::<f64>().is_ok() => At::Number(number),
            // A label such as `10s` is a span, and its number its seconds.
            Some(seconds) if span::parse(&setting.label).is_ok() => At::Span(seconds),
            Some(number) => At::Number(number),
            None => At::Name(spoken(&setting.label)),
        }
    }
}

/// How high a point stands: a value with its interval of 95 %. A [`Rate`], a [`Mean`] or a pair
/// (value, [`Interval`]) can be given as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The value; of a rate that was not seen once, the bound below which it lies with 95 %.
    pub(super) value: f64,
    pub(super) interval: Interval,
    /// It was not seen once.
    pub(super) is_bound: bool,
    /// As it is written in a table.
    pub(super) words: String,
}

impl From<&Rate> for Estimate {
    fn from(rate: &Rate) -> Estimate {
        let (interval, is_bound) = (rate.interval(), rate.events() == 0);
        let value = if is_bound { interval.high } else { rate.value() };
        Estimate { value, interval, is_bound, words: rate.to_string() }
    }
}

impl From<Rate> for Estimate {
    fn from(rate: Rate) -> Estimate {
        Estimate::from(&rate)
    }
}

impl From<Mean> for Estimate {
    fn from(mean: Mean) -> Estimate {
        let words = mean.to_string();
        Estimate { value: mean.value(), interval: mean.interval(), is_bound: false, words }
    }
}

/// A value of 0 with an interval from 0 on was not seen once.
impl From<(f64, Interval)> for Estimate {
    fn from((value, interval): (f64, Interval)) -> Estimate {
        let is_bound = value == 0.0 && interval.low == 0.0 && interval.high > 0.0;
        let words = format!("{}, 95 % {interval}", plain_number(value));
        let value = if is_bound { interval.high } else { value };
        Estimate { value, interval, is_bound, words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::secs;

    #[test]
    fn a_setting_stands_where_it_says() {
        let setting = |label: &str, number| Setting { label: label.to_owned(), number };
        assert_eq!(At::from(&setting("10s", Some(10.0))), At::from(secs(10)));
        assert_eq!(At::from(&setting("0.05", Some(0.05))), At::from(0.05));
        assert_eq!(At::from(&setting("0", Some(0.0))), At::from(0.0));
        assert_eq!(At::from(&setting("on_write", None)), At::from("on write"));
        assert_eq!(At::from(secs(10)).words(), "10 s");
    }

    #[test]
    fn what_was_not_seen_stands_at_its_bound() {
        let none = Estimate::from(Rate::of(0, 10_000).expect("valid"));
        assert!(none.is_bound && (none.value - 0.000_3).abs() < 1e-6, "{none:?}");
        let some = Rate::of(178, 10_000).expect("valid");
        let shown = Estimate::from(&some);
        assert!(!shown.is_bound && shown.value == 0.017_8);
        assert_eq!(shown.interval, some.interval());
        let zero = Estimate::from((0.0, Interval { low: 0.0, high: 0.1 }));
        assert!(zero.is_bound && zero.value == 0.1, "{zero:?}");
    }
}
