//! Estimates: what was counted or measured, and how sure that is.
//!
//! - [`rate`]: how often something happens, out of so many trials.
//! - [`mean`]: how long or how much, on average.
//! - [`difference`]: what a change makes of it, run by run on the same luck.
//! - [`method`]: how the interval of a rate is chosen.
//! - [`interval`]: the formulas behind the three.
//!
//! Each carries an interval of 95 %: of all such intervals, made from other seeds, nineteen in
//! twenty hold the true value. What happens within one run hangs together: one pause can make
//! several zombie writes, and a long wait makes the next one long. So an estimate looks at how far
//! whole runs lie apart, wherever it is given more than one.

pub mod difference;
pub mod interval;
pub mod mean;
pub mod method;
pub mod rate;
pub(crate) mod writing;

use std::fmt;

/// Why there is no estimate: one sentence that says what to change.
#[derive(Clone, PartialEq)]
pub enum EstimateError {
    /// Nothing was tried, so nothing is known of how often it happens.
    NoTrials,
    /// More events than trials: what is counted is not in how many trials something happened.
    MoreEventsThanTrials {
        /// What was counted.
        events: u64,
        /// Out of how many.
        trials: u64,
    },
    /// One value alone does not say how far others would lie from it.
    TooFew {
        /// What there must be more of.
        what: &'static str,
        /// How many there are.
        given: usize,
        /// How many there must be.
        least: usize,
    },
    /// A value is infinite or not a number.
    NotANumber {
        /// The value.
        given: f64,
    },
    /// What is compared run by run does not have as many runs on both sides.
    NotPaired {
        /// Runs on one side.
        before: usize,
        /// Runs on the other.
        after: usize,
    },
}

impl fmt::Display for EstimateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EstimateError::NoTrials => {
                f.write_str("there are no trials: a rate needs one at least, such as 0 of 100")
            }
            EstimateError::MoreEventsThanTrials { events, trials } => write!(
                f,
                "{events} events in {trials} trials are too many for a rate, which counts the \
                 trials in which something happened: use Mean for how many there are a run"
            ),
            EstimateError::TooFew { what, given, least } => {
                write!(f, "there must be {least} {what} or more, and there are {given}")
            }
            EstimateError::NotANumber { given } => {
                write!(f, "a value is {given}: leave it out, since it has no mean")
            }
            EstimateError::NotPaired { before, after } => write!(
                f,
                "{before} runs cannot be compared with {after} run by run: use the same seeds for \
                 both"
            ),
        }
    }
}

/// The same sentence: a cell that unwraps an error shows this form.
impl fmt::Debug for EstimateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for EstimateError {}
