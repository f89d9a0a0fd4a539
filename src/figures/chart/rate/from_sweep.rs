//! Rate charts of sweeps.

use super::super::ChartError;
use super::super::policy::{Split, missing};
use super::RateChart;
use crate::analysis::estimate::EstimateError;
use crate::analysis::estimate::rate::Rate;
use crate::analysis::outcome::Outcome;
use crate::analysis::sweep::SweepOutcome;

impl SweepOutcome {
    /// How often something happens a grant, over the first knob that varies a number, one line for
    /// each setting of the other knobs: see [`RateChart`]. `what` is its name, in the plural.
    ///
    /// ```
    /// use fencing::prelude::*;
    ///
    /// let sweep = Sweep::of(&Scenario::baseline()).lease([5, 10].map(secs)).grants(500);
    /// let sweep = sweep.run(Seed(1))?;
    /// let chart = sweep.rate_chart("zombie writes", |run| run.zombie_writes)?;
    /// assert!(chart.to_string().starts_with("How do zombie writes a grant depend on the lease?"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ChartError`], where more is counted than there are grants: that is no rate.
    pub fn rate_chart(
        &self,
        what: &str,
        events: impl Fn(&Outcome) -> u64,
    ) -> Result<RateChart, ChartError> {
        RateChart::of_split(self, &Split::by_first(self), what, events)
    }

    /// As [`rate_chart`](SweepOutcome::rate_chart), over the knob of this name.
    ///
    /// # Errors
    /// [`ChartError`], where there is no such knob, or more is counted than there are grants.
    pub fn rate_chart_over(
        &self,
        knob: &str,
        what: &str,
        events: impl Fn(&Outcome) -> u64,
    ) -> Result<RateChart, ChartError> {
        RateChart::of_split(self, &Split::by(self, knob)?, what, events)
    }
}

impl RateChart {
    fn of_split(
        sweep: &SweepOutcome,
        split: &Split,
        what: &str,
        events: impl Fn(&Outcome) -> u64,
    ) -> Result<RateChart, ChartError> {
        let y_title = format!("{what} a grant");
        let title = match split.axis_name.as_str() {
            "" => format!("How many {y_title}?"),
            knob => format!("How do {y_title} depend on the {knob}?"),
        };
        let mut chart = RateChart::new(title).axes(split.axis_name.clone(), y_title);
        chart.lines_are = split.policies_are.clone();
        for cell in &sweep.cells {
            match Rate::a_grant(&cell.outcomes, &events) {
                Ok(rate) => chart = chart.point(split.policy(cell), split.at(cell), rate),
                // Not run, or ended before the first grant: nothing is known.
                Err(EstimateError::NoTrials) => {}
                Err(error) => return Err(error.into()),
            }
        }
        chart.notes.extend(missing(sweep));
        Ok(chart)
    }
}
