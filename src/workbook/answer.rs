//! What a reader hands to a check where the answer is a value.

use std::time::Duration;

/// Stands where a reader's answer will stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YourTurn;

/// Stands where a reader's answer will stand: `check_03_1(YOUR_TURN)` is not attempted.
pub const YOUR_TURN: YourTurn = YourTurn;

/// A reader's answer, or none yet.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<T> {
    /// What the reader has written.
    Given(T),
    /// Nothing yet.
    YourTurn,
}

impl<T> From<YourTurn> for Answer<T> {
    fn from(_: YourTurn) -> Answer<T> {
        Answer::YourTurn
    }
}

/// One of several choices, by its letter: `"a"`, `"b"`, …
impl From<&str> for Answer<String> {
    fn from(letter: &str) -> Answer<String> {
        Answer::Given(letter.trim().trim_end_matches(')').to_lowercase())
    }
}

impl From<char> for Answer<String> {
    fn from(letter: char) -> Answer<String> {
        Answer::from(letter.to_string().as_str())
    }
}

impl From<Duration> for Answer<Duration> {
    fn from(span: Duration) -> Answer<Duration> {
        Answer::Given(span)
    }
}

/// A whole number of any kind; below zero is what it is, and no panic.
macro_rules! whole_numbers {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Answer<i128> {
            fn from(number: $kind) -> Answer<i128> {
                Answer::Given(number as i128)
            }
        }
    )*};
}
whole_numbers!(i32, u32, i64, u64, usize);
