//! How estimates are shown: the value, how sure it is, and what it was made from.

use super::output::{Figure, show};
use super::svg::escape;
use crate::analysis::estimate::difference::Difference;
use crate::analysis::estimate::interval::Interval;
use crate::analysis::estimate::mean::Mean;
use crate::analysis::estimate::rate::Rate;

/// The estimate, and smaller what it was made from.
fn html(estimate: &str, origin: &str) -> String {
    let (estimate, origin) = (escape(estimate), escape(origin));
    let origin = match origin.is_empty() {
        true => origin,
        false => format!(" <span style=\"opacity:0.8\">({origin})</span>"),
    };
    format!("<div>{estimate}{origin}</div>")
}

impl Rate {
    /// The events and trials, and how the interval was made.
    fn origin(&self) -> String {
        let long = format!("{self:#}");
        let origin = long.strip_prefix(&self.to_string()).unwrap_or_default();
        origin.trim().trim_start_matches('(').trim_end_matches(')').to_owned()
    }

    /// Shows the rate in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.html(), &format!("{self:#}"));
    }
}

impl Figure for Rate {
    fn html(&self) -> String {
        html(&self.to_string(), &self.origin())
    }
}

impl Mean {
    /// Shows the mean in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.html(), &self.to_string());
    }
}

impl Figure for Mean {
    fn html(&self) -> String {
        html(&self.to_string(), &format!("from {} values", self.values()))
    }
}

impl Difference {
    /// What the interval says of the sign.
    fn standing(&self) -> &'static str {
        if self.interval().width() == 0.0 {
            "no spread"
        } else if self.is_clear() {
            "a clear difference"
        } else {
            "no clear difference"
        }
    }

    /// Shows the difference in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.html(), &self.to_string());
    }
}

impl Figure for Difference {
    fn html(&self) -> String {
        html(&self.to_string(), &format!("{}, {} pairs", self.standing(), self.pairs()))
    }
}

impl Interval {
    /// Shows the interval in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.html(), &self.to_string());
    }
}

impl Figure for Interval {
    fn html(&self) -> String {
        html(&self.to_string(), "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_shown_with_what_it_was_made_from() {
        let rate = Rate::of(178, 10_000).expect("valid");
        let expected = "<div>0.0178, 95 % 0.0154 to 0.0206 <span style=\"opacity:0.8\">\
             (178 of 10,000; Wilson, as if events were independent)</span></div>";
        assert_eq!(rate.html(), expected);
        let none = Rate::of(0, 10_000).expect("valid");
        assert!(none.html().starts_with("<div>0 of 10,000, below 3/n = 0.0003 with 95 % <span"));
        let mean = Mean::of_runs([1.0, 2.0, 3.0, 4.0, 5.0]).expect("valid");
        assert!(mean.html().contains("(from 5 values)"));
    }

    #[test]
    fn a_difference_says_whether_it_is_one() {
        let of = |pairs: &[(f64, f64)]| Difference::of_pairs(pairs.iter().copied());
        let clear = of(&[(3.0, 4.1), (9.0, 9.9), (5.0, 6.0)]).expect("valid");
        assert!(clear.html().contains("(a clear difference, 3 pairs)"), "{}", clear.html());
        let unclear = of(&[(3.0, 4.1), (9.0, 7.9), (5.0, 6.0)]).expect("valid");
        assert!(unclear.html().contains("(no clear difference, 3 pairs)"), "{}", unclear.html());
    }
}
