//! Chance: where a run's random numbers come from, and what they are drawn for.
//!
//! - [`seed`]: one number repeats a whole run; every client and purpose has a stream of its own.
//! - [`delay`]: how long something takes: think time, work, latency, a pause.
//! - [`tail`]: how often something is longer than so long; quantiles and means.
//! - [`recording`]: lengths measured on real programs, to be drawn from.
//! - [`reported`]: pause figures that others have published.
//! - [`pause`]: when a client is paused, and when it crashes.

pub mod delay;
pub mod pause;
pub mod recording;
pub mod reported;
pub mod seed;
pub mod tail;
