//! Charts, drawn with plotters.
//!
//! - [`rate`]: how often something happens, against what was varied.
//! - [`trade_off`]: how soon the lock is free again after a death, against how often it goes wrong.
//! - [`tail`]: how often a pause is longer than so long.
//! - [`histogram`]: how long pauses are.
//! - [`reported`]: published pause figures side by side.
//!
//! All are made of the same parts. A `sheet` is the picture with its title, axes, key and notes; a
//! `plot` is where data are drawn; an `axis` puts numbers in their place; `marks` are what tells
//! one line from another, in colour and in grey; `labels` finds room for words; a `canvas` is what
//! plotters draws on. [`value`] is what a point is made of.

mod axis;
mod canvas;
pub mod histogram;
mod labels;
mod marks;
mod plot;
mod policy;
pub mod rate;
pub mod reported;
mod sheet;
pub mod tail;
pub mod trade_off;
pub mod value;
mod words;

use super::output::{Figure, debug_is_text};
use crate::analysis::estimate::EstimateError;
use std::fmt;

/// Why there is no chart: one sentence that says what to change.
#[derive(Clone, PartialEq)]
pub enum ChartError {
    /// The sweep has no knob of this name.
    NoSuchKnob {
        /// The name that was given.
        given: String,
        /// The knobs that there are.
        knobs: Vec<String>,
    },
    /// What was counted makes no rate or mean.
    Estimate(EstimateError),
}

impl From<EstimateError> for ChartError {
    fn from(error: EstimateError) -> ChartError {
        ChartError::Estimate(error)
    }
}

impl fmt::Display for ChartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChartError::NoSuchKnob { given, knobs } if knobs.is_empty() => {
                write!(f, "`{given}` cannot be an axis: the sweep varies nothing")
            }
            ChartError::NoSuchKnob { given, knobs } => {
                write!(f, "`{given}` cannot be an axis: the sweep varies {}", knobs.join(", "))
            }
            ChartError::Estimate(error) => error.fmt(f),
        }
    }
}

/// The same sentence: a cell that unwraps an error shows this form.
impl fmt::Debug for ChartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for ChartError {}

/// Every chart is a picture, and can stand beside others.
macro_rules! pictures {
    ($($chart:ty),*) => {$(
        impl $chart {
            /// Shows the chart in a notebook.
            pub fn evcxr_display(&self) {
                self.still().evcxr_display();
            }
        }

        impl Figure for $chart {
            fn html(&self) -> String {
                self.still().to_html()
            }

            fn is_picture(&self) -> bool {
                true
            }
        }

        debug_is_text!($chart);
    )*};
}
pictures!(
    histogram::Histogram,
    rate::RateChart,
    reported::ReportedPauseChart,
    tail::TailChart,
    trade_off::TradeOffChart
);
