//! The integration tests of the library, in one binary.
//!
//! - `house`: the order of the floors, and the form of the source.
//! - `story`: what happens in the incident, event by event.
//! - `laws`: what holds in every run, whatever the scenario.
//! - `pinned`: the same seed gives the same run as in the last release.
//! - `shards`: sweeps in files, in shards, and gathered.
//! - `frames`: sweeps and pauses as data frames (feature `frames`).
//! - `proof`: every interleaving of a small model (feature `proof`).
//! - `sweep`: many scenarios with the same luck.
//! - `theory`: what has a closed form is met within stated errors.
//! - `explorer`: every state of an explorer, and figures side by side.
//! - `estimate`: intervals of 95 % hold the truth as often as they say.
//! - `second_model`: another simulation of the same description agrees.
//! - `recordings`: the recorded pauses in data/ can be read.
//! - `figures`: the pictures.
//! - `charts`: the charts show what was measured, and can be read.
//! - `readme`: what the README shows.
//! - `workbook`: the checks of the exercises of notebooks 00 to 03.
//! - `non_fixes`: those of notebooks 04 and 05.
//! - `answers_06`: those of notebook 06.
//! - `answers_07`: those of notebook 07 (feature `proof`).
//! - `verdicts`: what these say of a verdict.
//! - `breakdowns`: what goes wrong in stores, lock services, clocks and networks, told and counted.

mod answers_06;
#[cfg(feature = "proof")]
mod answers_07;
mod breakdowns;
mod charts;
mod estimate;
mod explorer;
mod figures;
#[cfg(feature = "frames")]
mod frames;
mod house;
mod laws;
mod memory;
mod non_fixes;
mod pinned;
#[cfg(feature = "proof")]
mod proof;
mod readme;
mod recordings;
mod scenarios;
mod second_model;
mod shards;
mod story;
mod sweep;
mod theory;
mod verdicts;
mod workbook;
