//! Figures: what a run looks like.
//!
//! - [`sequence`]: the sequence diagram of a trace, as a picture and told line by line.
//! - `outcome`: the counts of a run as a table.
//! - [`table`]: tables of words and numbers.
//! - `chart` (feature `plots`): charts of sweeps and of pauses.
//! - [`output`]: how a figure reaches a notebook.
//! - `svg`: a small builder for the pictures.

#[cfg(feature = "plots")]
pub mod chart;
mod outcome;
pub mod output;
pub mod sequence;
pub(crate) mod svg;
pub mod table;
