//! The workbook's exercises: checks that judge by simulating, hints, solutions, progress.
//!
//! - [`exercise`]: what there is to do: title, minutes, hints, solution.
//! - [`answer`]: what a reader hands to a check, or has not written yet.
//! - [`attempt`]: runs a reader's code, which may panic or never end.
//! - [`verdict`]: solved, not yet, not attempted; with the smallest run that shows why.
//! - [`progress`]: what has been solved, kept in a file.
//! - [`cards`]: what `hint`, `solution` and `progress` show.
//! - [`store_under_test`], `store_judge`, `store_faults`: a reader's store in many runs.
//! - `trials`: those runs, and the search for the smallest that fails.
//! - `bound_judge`, `recorded_lease`: a reader's bound for a rate, and lease for recorded pauses.
//! - `look_judge`, `renewal_judge`: a reader's look before the write, and renewing thread.
//! - `token_choice`, `tag_judge`, `copy_judge`: numbers chosen as tokens, a reader's entity tag,
//!   and a reader's store that gets copies.
//! - `proof_judge`, `proof_questions`: a reader's store in every interleaving, and asked by hand
//!   (feature `proof`).
//! - [`systems`]: locks and stores in production, as a table.
//! - [`update_judge`], `measure_choice`: a reader's update without a lock, and measures against
//!   reported incidents.
//! - [`follow_up`]: questions to answer in words, with another answer to compare.
//! - [`rehearsal`], `situations`, `cure`: designs drawn by a seed, safe or not for a reason.
//! - One file of checks a notebook: [`notebook_00`], [`notebook_01`], [`notebook_02`],
//!   [`notebook_03`], [`notebook_04`], [`notebook_05`], [`notebook_06`], `notebook_07` (feature
//!   `proof`), [`notebook_08`], [`notebook_09`].

pub mod answer;
pub mod attempt;
mod bound_judge;
pub mod cards;
mod copy_judge;
mod cure;
pub mod exercise;
pub mod follow_up;
mod look_judge;
mod measure_choice;
pub mod notebook_00;
pub mod notebook_01;
pub mod notebook_02;
pub mod notebook_03;
pub mod notebook_04;
pub mod notebook_05;
pub mod notebook_06;
#[cfg(feature = "proof")]
pub mod notebook_07;
pub mod notebook_08;
pub mod notebook_09;
pub mod progress;
#[cfg(feature = "proof")]
mod proof_judge;
#[cfg(feature = "proof")]
mod proof_questions;
mod recorded_lease;
pub mod rehearsal;
mod renewal_judge;
mod situations;
mod store_faults;
mod store_judge;
pub mod store_under_test;
pub mod systems;
mod tag_judge;
mod token_choice;
mod trials;
pub mod update_judge;
pub mod verdict;
