//! How numbers are written: no longer than they are sure.

use super::interval::Interval;

/// Beyond this many decimals nothing is written.
const MOST_DECIMALS: i32 = 15;

/// Decimals that show two digits of the interval's width; of a value that is sure, four digits of
/// the value.
pub(super) fn decimals(interval: Interval) -> usize {
    let (size, digits) = match interval.width() {
        width if width > 0.0 => (width, 2),
        _ => (interval.high.abs(), 4),
    };
    if size == 0.0 || !size.is_finite() {
        return 0;
    }
    (digits - 1 - size.log10().floor() as i32).clamp(0, MOST_DECIMALS) as usize
}

/// A number with so many decimals, a comma between thousands, and a true minus sign.
pub(super) fn number(value: f64, decimals: usize) -> String {
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, rest) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let is_zero = plain.chars().all(|digit| "0.".contains(digit));
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    format!("{sign}{}{rest}", grouped(whole))
}

/// A count with a comma between thousands.
///
/// ```
/// use fencing::prelude::*;
///
/// assert_eq!(with_commas(189_952), "189,952");
/// ```
#[must_use]
pub fn with_commas(number: u64) -> String {
    grouped(&number.to_string())
}

fn grouped(digits: &str) -> String {
    let mut written = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_as_long_as_it_is_sure() {
        for (low, high, value, written) in [
            (0.017_23, 0.018_54, 0.017_8, "0.0178"),
            (0.013_5, 0.023, 0.017_8, "0.0178"),
            (0.2, 0.4, 0.317_8, "0.32"),
            (1_200.0, 1_400.0, 1_301.4, "1,301"),
            (-0.2, 0.01, -0.134_9, "−0.13"),
            (-0.2, 0.3, -0.001, "0.00"),
            (9.0, 9.0, 9.0, "9.000"),
            (0.0, 0.0, 0.0, "0"),
            (0.0, f64::INFINITY, 3.2, "3"),
        ] {
            assert_eq!(number(value, decimals(Interval { low, high })), written);
        }
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(with_commas), ["0", "999", "1,000", "1,234,567"]);
    }
}
