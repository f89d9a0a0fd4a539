//! How the rows of a sweep are shown: a line a cell, with how often it went wrong.

use super::output::show;
use super::table::Table;
use crate::analysis::estimate::EstimateError;
use crate::analysis::sweep::rows::SweepRows;

impl SweepRows {
    /// A line for each cell of the grid: its settings, and rates a grant with their intervals.
    ///
    /// # Errors
    /// [`EstimateError`], where a cell had no grant at all.
    pub fn table(&self) -> Result<Table, EstimateError> {
        let fixed = ["runs", "zombie writes a grant", "lost updates a grant"];
        let knobs = self.knobs.iter().map(String::as_str);
        let mut table = Table::new(knobs.chain(fixed));
        for cell in self.summary()? {
            let mut line = cell.settings;
            line.push(cell.runs.to_string());
            line.push(cell.zombie_writes.to_string());
            line.push(cell.lost_updates.to_string());
            table = table.row(line);
        }
        Ok(table)
    }

    /// Shows the table in a notebook.
    pub fn evcxr_display(&self) {
        match self.table() {
            Ok(table) => table.evcxr_display(),
            Err(error) => show(&error.to_string(), &error.to_string()),
        }
    }
}
