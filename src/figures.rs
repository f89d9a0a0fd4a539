//! Figures: what a run looks like.
//!
//! - [`sequence`]: the sequence diagram of a trace, as a picture and told line by line.
//! - [`explorer`]: a story under every choice of a few controls.
//! - [`side_by_side`]: several figures in one output.
//! - `outcome`, `sweep`, `estimates`: what was counted, as tables and in words.
//! - `rows`: the rows of a sweep that came from files, as a table.
//! - [`table`]: tables of words and numbers.
//! - `chart` (feature `plots`): charts of sweeps and of pauses.
//! - [`output`]: how a figure reaches a notebook.
//! - `svg`: a small builder for the pictures.

#[cfg(feature = "plots")]
pub mod chart;
mod estimates;
pub mod explorer;
mod outcome;
pub mod output;
mod rows;
pub mod sequence;
pub mod side_by_side;
pub(crate) mod svg;
mod sweep;
pub mod table;
