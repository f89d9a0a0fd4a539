//! Figures: what a run looks like.
//!
//! - [`sequence`]: the sequence diagram of a trace, as a picture and told line by line.
//! - [`output`]: how a figure reaches a notebook.
//! - `svg`: a small builder for the pictures.

pub mod output;
pub mod sequence;
pub(crate) mod svg;
