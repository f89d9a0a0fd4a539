//! The integration tests of the library, in one binary.
//!
//! - `house`: the order of the floors, and the form of the source.
//! - `story`: what happens in the incident, event by event.
//! - `laws`: what holds in every run, whatever the scenario.
//! - `pinned`: the same seed gives the same run as in the last release.
//! - `sweep`: many scenarios with the same luck.
//! - `theory`: what has a closed form is met within stated errors.
//! - `estimate`: intervals of 95 % hold the truth as often as they say.
//! - `second_model`: another simulation of the same description agrees.
//! - `recordings`: the recorded pauses in data/ can be read.
//! - `figures`: the pictures.
//! - `readme`: what the README shows.
//! - `workbook`: the checks of the exercises.

mod estimate;
mod figures;
mod house;
mod laws;
mod memory;
mod pinned;
mod readme;
mod recordings;
mod scenarios;
mod second_model;
mod story;
mod sweep;
mod theory;
mod workbook;
