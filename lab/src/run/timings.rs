//! The two numbers that decide whether working with a notebook is a pleasure: how long a reader
//! waits for the first picture, and for the next one after a change.

use super::Report;
use super::client::Kernel;
use super::notebook::Cell;
use std::time::{Duration, Instant};

/// How often each cell is changed and run again.
const REPEATS: u32 = 3;

/// Runs every cell that gives a picture again, changed each time, and measures from running it to
/// its picture. Cells that give no picture when run again, because they use up what they need, are
/// left out.
pub async fn changed_cells(kernel: &mut Kernel, cells: &[Cell], limit: Duration) -> Vec<Duration> {
    let mut durations = Vec::new();
    for cell in cells {
        for repeat in 0..REPEATS {
            // A statement that was not there before, so that there is something to compile.
            let changed = format!("let _ = {repeat}_u32;\n{}", cell.source);
            let start = Instant::now();
            let (ran, stop) = kernel.execute(&changed, limit).await;
            if stop.is_some() {
                return durations;
            }
            let Some(at) = ran.picture_at else { break };
            durations.push(at.duration_since(start));
        }
    }
    durations
}

/// Prints what was measured.
pub fn print(name: &str, report: &Report, changed_cells_wanted: bool) {
    if !changed_cells_wanted {
        return;
    }
    match report.first_picture {
        Some(first) => {
            println!("{name}: from kernel start to first picture {:.2} s", first.as_secs_f64());
        }
        None => println!("{name}: no picture"),
    }
    let mut durations = report.changed_cells.clone();
    durations.sort();
    if let (Some(median), Some(longest)) = (durations.get(durations.len() / 2), durations.last()) {
        println!(
            "{name}: from running a changed cell to its picture, median {:.2} s, longest {:.2} s, \
             of {} runs",
            median.as_secs_f64(),
            longest.as_secs_f64(),
            durations.len()
        );
    }
}
