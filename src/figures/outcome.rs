//! How an outcome is shown: what was counted, and what repeats the run.

use super::output::{Figure, show};
use super::svg::escape;
use super::table::Table;
use crate::analysis::estimate::writing::with_commas;
use crate::analysis::outcome::Outcome;
use crate::simulation::Ended;
use std::fmt;

impl Outcome {
    /// What was counted, as a table.
    #[must_use]
    pub fn table(&self) -> Table {
        let a_grant = |count: u64| match (count, self.grants) {
            (0, _) | (_, 0) => String::new(),
            (count, grants) => format!("{:.4}", count as f64 / grants as f64),
        };
        let mut counts = vec![
            ("grants", self.grants, String::new()),
            ("expiries", self.expiries, a_grant(self.expiries)),
            ("renewals", self.renewals, a_grant(self.renewals)),
            ("gave up", self.gave_up, a_grant(self.gave_up)),
            ("overlaps", self.overlaps, a_grant(self.overlaps)),
            ("crashes", self.crashes, a_grant(self.crashes)),
            ("accepted writes", self.accepted_writes, a_grant(self.accepted_writes)),
            ("refused writes", self.refused_writes, a_grant(self.refused_writes)),
            ("refused reads", self.refused_reads, a_grant(self.refused_reads)),
            ("zombie writes", self.zombie_writes, a_grant(self.zombie_writes)),
            ("lost updates", self.lost_updates, a_grant(self.lost_updates)),
        ];
        // Hardly any scenario has them.
        if self.false_conflicts > 0 {
            let a_grant = a_grant(self.false_conflicts);
            counts.push(("false conflicts", self.false_conflicts, a_grant));
        }
        let mut table = Table::new(["what", "how often or how long", "per grant"]);
        for (what, count, a_grant) in counts {
            table = table.row([what.to_owned(), with_commas(count), a_grant]);
        }
        for (what, measure) in self.measures() {
            table = table.row([what.to_owned(), measure]);
        }
        table
    }

    fn measures(&self) -> Vec<(&'static str, String)> {
        let mut measures = vec![("overlap time", seconds(self.overlap_s))];
        if let (Some(mean), Some(max)) = (self.recovery_mean_s, self.recovery_max_s) {
            measures.push(("recovery, mean", seconds(mean)));
            measures.push(("recovery, longest", seconds(max)));
        }
        if let (Some(mean), Some(p99)) = (self.wait_mean_s, self.wait_p99_s) {
            measures.push(("wait for the lock, mean", seconds(mean)));
            measures.push(("wait for the lock, 99 of 100 up to", seconds(p99)));
        }
        measures.push(("share of time the lock was held", format!("{:.3}", self.held_share)));
        measures.push(("accepted writes a second", format!("{:.3}", self.accepted_per_s())));
        measures.push(("simulated time", seconds(self.end_s)));
        measures
    }

    /// What repeats the run: the seed, and what differs from the baseline.
    fn origin(&self) -> String {
        let settings: Vec<String> =
            self.scenario.settings().iter().map(|setting| shortened(setting)).collect();
        let scenario = match settings.is_empty() {
            true => "the baseline".to_owned(),
            false => format!("the baseline with {}", settings.join(", ")),
        };
        let ended = match self.ended {
            Ended::AtGrants | Ended::AtTime => "",
            Ended::NothingLeft => "; it ended because nothing could happen any more",
            Ended::TooManyEvents => "; it was ended because it did not get anywhere",
        };
        format!("seed {}, {scenario}{ended}", self.seed)
    }

    /// The outcome as HTML: the table, the seed, and the whole scenario to fold out.
    #[must_use]
    pub fn to_html(&self) -> String {
        let toml = self.scenario.to_toml().unwrap_or_else(|error| error.to_string());
        format!(
            "<div>{}<div style=\"opacity:0.8\">{}</div><details><summary>the whole scenario\
             </summary><pre>{}</pre></details></div>",
            self.table().to_html(),
            escape(&self.origin()),
            escape(&toml)
        )
    }

    /// Shows the outcome in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.to_html(), &self.to_string());
    }
}

impl Figure for Outcome {
    fn html(&self) -> String {
        self.to_html()
    }
}

/// The table, and below it what repeats the run.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.table(), self.origin())
    }
}

/// A setting in which a long list, such as that of a recording, is named by its first values and
/// its length. The whole scenario has all of it.
fn shortened(setting: &str) -> String {
    const SHOWN: usize = 3;
    const FEW: usize = 10;
    let list = setting.split_once('[').and_then(|(before, rest)| {
        let (list, after) = rest.split_once(']')?;
        Some((before, list.split(", ").collect::<Vec<_>>(), after))
    });
    match list {
        Some((before, values, after)) if FEW < values.len() => {
            let first = values[..SHOWN].join(", ");
            format!("{before}[{first}, … {} in all]{after}", values.len())
        }
        _ => setting.to_owned(),
    }
}

fn seconds(seconds: f64) -> String {
    let thousandths = (seconds * 1e3).round() as u64;
    format!("{}.{:03} s", with_commas(thousandths / 1_000), thousandths % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::delay::Delay;
    use crate::chance::pause::Pauses;
    use crate::simulation::scenario::Scenario;
    use crate::time::millis;

    #[test]
    fn a_long_recording_is_named_by_its_first_stops() {
        let origin = |stops: u64| {
            let lengths: Vec<_> = (1..=stops).map(millis).collect();
            let pauses = Pauses::critical_section(0.05, Delay::recorded(lengths));
            shortened(&Scenario { pauses, ..Scenario::baseline() }.settings()[0])
        };
        let few = origin(3);
        assert!(few.ends_with(r#"{ recorded = ["1ms", "2ms", "3ms"] }"#), "{few}");
        let many = origin(555);
        let end = r#"{ recorded = ["1ms", "2ms", "3ms", … 555 in all] }"#;
        assert!(many.ends_with(end), "{many}");
    }
}
