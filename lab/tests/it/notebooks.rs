//! The workbook's notebooks, each from top to bottom through the real kernel.

use crate::environment::{all_text, cargo_lab, lab};
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

#[test]
fn every_notebook_runs_without_a_failure() {
    let mut notebooks: Vec<PathBuf> = fs::read_dir(lab().notebooks())
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(OsStr::new("ipynb")))
        .collect();
    notebooks.sort();
    if notebooks.is_empty() {
        return;
    }
    let output = cargo_lab([PathBuf::from("run")].iter().chain(&notebooks));
    assert!(output.status.success(), "{}", all_text(&output));
    print!("{}", all_text(&output));
}
