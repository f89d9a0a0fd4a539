//! The workbook's notebooks, each from top to bottom through the real kernel.

use crate::environment::{all_text, cargo_lab, notebooks};
use std::path::PathBuf;

#[test]
fn every_notebook_runs_without_a_failure() {
    let output = cargo_lab([PathBuf::from("run")].iter().chain(&notebooks()));
    assert!(output.status.success(), "{}", all_text(&output));
    print!("{}", all_text(&output));
}
