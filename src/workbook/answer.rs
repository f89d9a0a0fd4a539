//! What a reader hands to a check where the answer is a value.

use std::time::Duration;

/// Stands where a reader's answer will stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YourTurn;

/// Stands where a reader's answer will stand: `check_03_1(YOUR_TURN)` is not attempted.
pub const YOUR_TURN: YourTurn = YourTurn;

/// An answer to an exercise that asks for a `T`: letters (`String`), a span, or a whole number.
///
/// In a notebook's error message the label is shown, and a note would not be.
#[diagnostic::on_unimplemented(
    message = "this exercise wants another kind of answer than `{Self}`",
    label = "letters stand in quotes, a span is a `Duration`, and a count is a whole number"
)]
pub trait Answer<T> {
    /// What the reader has written; nothing while it is [`YOUR_TURN`].
    fn given(self) -> Option<T>;
}

impl<T> Answer<T> for YourTurn {
    fn given(self) -> Option<T> {
        None
    }
}

/// One of several choices, or more than one, by their letters: `"a"`, `"b)"`, `"ac"`.
impl Answer<String> for &str {
    fn given(self) -> Option<String> {
        Some(self.trim().trim_end_matches(')').to_lowercase())
    }
}

impl Answer<String> for String {
    fn given(self) -> Option<String> {
        self.as_str().given()
    }
}

impl Answer<String> for char {
    fn given(self) -> Option<String> {
        self.to_string().given()
    }
}

impl Answer<Duration> for Duration {
    fn given(self) -> Option<Duration> {
        Some(self)
    }
}

/// A whole number of any kind; below zero is what it is, and no panic.
macro_rules! whole_numbers {
    ($($kind:ty),*) => {$(
        impl Answer<i128> for $kind {
            fn given(self) -> Option<i128> {
                Some(self as i128)
            }
        }
    )*};
}
whole_numbers!(i32, u32, i64, u64, usize);
