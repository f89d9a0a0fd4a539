//! The tests of `cargo lab`, through the real program and the real kernel.
//!
//! They use the environment in `.lab/`, and set it up first if need be.

mod book;
mod environment;
mod exercises;
mod kernels;
mod recorder;
mod runner;
mod shards;
mod simulate;
mod steps;
