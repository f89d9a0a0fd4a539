//! How lengths, shares and names are written on axes and in tables.

use crate::analysis::estimate::writing::with_commas;
use std::time::Duration;

/// A length as a mark on an axis: `10 ms`, `2 s`.
pub(super) fn length_mark(seconds: f64) -> String {
    let (number, unit) = match seconds {
        s if s < 0.999_999e-3 => (s * 1e6, "µs"),
        s if s < 0.999_999 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    if seconds == 0.0 {
        return "0 s".to_owned();
    }
    format!("{} {unit}", plain_number(number))
}

/// A length for a table, to three digits.
pub(super) fn length_text(length: Duration) -> String {
    let seconds = length.as_secs_f64();
    let (number, unit) = if seconds < 1.0 { (seconds * 1e3, "ms") } else { (seconds, "s") };
    let decimals = if number < 10.0 {
        2
    } else if number < 100.0 {
        1
    } else {
        0
    };
    format!("{number:.decimals$} {unit}")
}

/// A span as a mark on an axis.
pub(super) fn span(length: Duration) -> String {
    length_mark(length.as_secs_f64())
}

/// A number without zeros that say nothing, and with a comma between thousands.
pub(super) fn plain_number(number: f64) -> String {
    if number.abs() >= 1e3 && number.fract() == 0.0 && number.abs() < 1e15 {
        let sign = if number < 0.0 { "−" } else { "" };
        return format!("{sign}{}", with_commas(number.abs() as u64));
    }
    // Sums of a step such as 0.1 end in a digit that is not meant.
    let meant: f64 = format!("{number:.9e}").parse().unwrap_or(number);
    format!("{meant}").replace('-', "−")
}

/// A rate as a mark on an axis: `0.01`, and below a hundred thousandth `10⁻⁶`.
pub(super) fn rate_mark(rate: f64) -> String {
    if rate == 0.0 || rate.abs() >= 0.999_999e-5 {
        return plain_number(rate);
    }
    let power = rate.abs().log10().floor() as i32;
    let front = (rate / 10f64.powi(power)).round();
    let raised: String = power.abs().to_string().chars().map(raised_digit).collect();
    if front == 1.0 { format!("10⁻{raised}") } else { format!("{front}·10⁻{raised}") }
}

fn raised_digit(digit: char) -> char {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    digit.to_digit(10).map_or(digit, |digit| RAISED[digit as usize])
}

/// A share as people say it: `all`, `1 in 1,000`.
pub(super) fn one_in(share: f64) -> String {
    match (1.0 / share).round() as u64 {
        0 | 1 => "all".to_owned(),
        number => format!("1 in {}", with_commas(number)),
    }
}

/// The name of a knob or of one of its settings as people write it: `token check`, `on write`.
pub(super) fn spoken(name: &str) -> String {
    match name.strip_suffix("_s") {
        Some(name) => format!("{} (s)", name.replace('_', " ")),
        None => name.replace('_', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{micros, millis, secs};

    #[test]
    fn lengths_are_written_in_the_unit_that_fits() {
        let marks = [0.000_1, 0.001, 0.1, 1.0, 100.0, 6_000.0, 0.0].map(length_mark);
        assert_eq!(marks, ["100 µs", "1 ms", "100 ms", "1 s", "100 s", "6,000 s", "0 s"]);
        let texts = [micros(12_340), millis(950), millis(1_234), secs(54)].map(length_text);
        assert_eq!(texts, ["12.3 ms", "950 ms", "1.23 s", "54.0 s"]);
    }

    #[test]
    fn rates_are_written_without_needless_digits() {
        let marks = [0.0, 0.1 + 0.2, 0.01, 0.000_01, 2e-7, 1e-12, 1_500.0].map(rate_mark);
        assert_eq!(marks, ["0", "0.3", "0.01", "0.00001", "2·10⁻⁷", "10⁻¹²", "1,500"]);
    }

    #[test]
    fn names_are_written_as_people_write_them() {
        let names = ["token_check", "on_every_request", "pause_s", "lease"].map(spoken);
        assert_eq!(names, ["token check", "on every request", "pause (s)", "lease"]);
    }
}
