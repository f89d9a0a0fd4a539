//! Policies: a sweep's cells by what one of its knobs does not say.

use super::ChartError;
use super::value::At;
use super::words::spoken;
use crate::analysis::sweep::{Cell, SweepOutcome};

/// One knob of a sweep is the axis; the settings of the others together are a policy.
#[derive(Clone, Debug)]
pub(super) struct Split {
    axis: Option<usize>,
    others: Vec<usize>,
    /// The name of the knob on the axis.
    pub(super) axis_name: String,
    /// The names of the others.
    pub(super) policies_are: String,
}

impl Split {
    /// The knob of this name is the axis.
    pub(super) fn by(sweep: &SweepOutcome, knob: &str) -> Result<Split, ChartError> {
        match sweep.knobs.iter().position(|name| name == knob) {
            Some(axis) => Ok(Split::new(sweep, Some(axis))),
            None => {
                let (given, knobs) = (knob.to_owned(), sweep.knobs.clone());
                Err(ChartError::NoSuchKnob { given, knobs })
            }
        }
    }

    /// The first knob that varies a number is the axis; where there is none, the first.
    pub(super) fn by_first(sweep: &SweepOutcome) -> Split {
        let is_number =
            |knob: &usize| sweep.cells.iter().all(|cell| cell.settings[*knob].number.is_some());
        let all = 0..sweep.knobs.len();
        let varied = || all.clone().filter(|knob| is_varied(sweep, *knob));
        let axis = varied().find(is_number).or(varied().next()).or(all.clone().next());
        Split::new(sweep, axis)
    }

    fn new(sweep: &SweepOutcome, axis: Option<usize>) -> Split {
        let others: Vec<usize> = (0..sweep.knobs.len())
            .filter(|knob| Some(*knob) != axis && is_varied(sweep, *knob))
            .collect();
        let axis_name = axis.map_or_else(String::new, |knob| spoken(&sweep.knobs[knob]));
        let names: Vec<String> = others.iter().map(|knob| spoken(&sweep.knobs[*knob])).collect();
        Split { axis, others, axis_name, policies_are: names.join(", ") }
    }

    /// Where a cell stands on the axis.
    pub(super) fn at(&self, cell: &Cell) -> At {
        let setting = self.axis.map(|knob| &cell.settings[knob]);
        setting.map_or_else(|| At::from("as it is"), At::from)
    }

    /// The policy of a cell; empty where there is but one.
    pub(super) fn policy(&self, cell: &Cell) -> String {
        let settings = self.others.iter().map(|knob| At::from(&cell.settings[*knob]).words());
        settings.collect::<Vec<String>>().join(", ")
    }
}

fn is_varied(sweep: &SweepOutcome, knob: usize) -> bool {
    let mut labels = sweep.cells.iter().map(|cell| &cell.settings[knob].label);
    let first = labels.next();
    labels.any(|label| Some(label) != first)
}

/// What a chart says of a sweep that was cut short.
pub(super) fn missing(sweep: &SweepOutcome) -> Option<String> {
    let (missing, all) = (sweep.missing(), sweep.cells.len() * sweep.repeats as usize);
    let note = format!("Not complete: time was up before {missing} of {all} runs were made.");
    (missing > 0).then_some(note)
}
