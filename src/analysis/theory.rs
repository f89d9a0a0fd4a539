//! Theory: what has a formula, to hold the simulation against.
//!
//! - [`renewal`]: which pauses a renewed lease survives.
//! - [`critical_section`]: how often work and pause together outlast a lease.
//!
//! How often a pause is longer than so long is known to the distribution itself:
//! [`Delay::survival`](crate::chance::delay::Delay::survival).
//!
//! A formula leaves out what makes it short: messages that take time, renewals that fail, clients
//! that crash. What it leaves out, it says.

pub mod critical_section;
pub mod renewal;

use quadrature::double_exponential;

/// The integral of `f` from `from` to `to`, cut at `bends`, where `f` is not smooth. By the double
/// exponential formula of Takahasi and Mori (1974), which copes with what is steep at the ends of a
/// piece. The absolute error is below 1e-9 for functions of size 1 over a range of size 1; the
/// tests of the formulas hold it against what can be integrated by hand.
fn integral(f: impl Fn(f64) -> f64, from: f64, to: f64, bends: &[f64]) -> f64 {
    const ERROR: f64 = 1e-12;
    let mut ends: Vec<f64> = bends.iter().copied().filter(|at| from < *at && *at < to).collect();
    ends.extend([from, to]);
    ends.sort_by(f64::total_cmp);
    let piece = |ends: &[f64]| double_exponential::integrate(&f, ends[0], ends[1], ERROR).integral;
    ends.windows(2).filter(|ends| ends[0] < ends[1]).map(piece).sum()
}
