//! Figures: what a run looks like.
//!
//! - [`sequence`]: the sequence diagram of a trace, as a picture and told line by line.
//! - `outcome`: the counts of a run as a table.
//! - `rows`: a sweep as a table, a line a cell.
//! - [`table`]: tables of words and numbers.
//! - `chart` (feature `plots`): charts of pauses.
//! - [`output`]: how a figure reaches a notebook.
//! - `svg`: a small builder for the pictures.

#[cfg(feature = "plots")]
pub mod chart;
mod outcome;
pub mod output;
mod rows;
pub mod sequence;
pub(crate) mod svg;
pub mod table;
