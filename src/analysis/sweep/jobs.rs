//! The runs of a sweep: which there are, spread over the cores, bounded in time.

use super::shard::Shard;
use super::{Cell, Sweep};
use crate::analysis::audit::Audit;
use crate::analysis::outcome::Outcome;
use crate::chance::seed::Seed;
use crate::simulation::run_rules;
use crate::simulation::scenario::{Rules, Scenario, ScenarioError};
use rayon::prelude::*;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The runs of a sweep. One repeat after the other, and in each all cells: if time is up, every
/// cell has about as many runs as the others.
pub(super) struct Jobs<'a> {
    sweep: &'a Sweep,
    /// The checked scenario of every cell.
    rules: Vec<(Rules, Scenario)>,
    seed: Seed,
    shard: Shard,
    progress: Progress,
}

impl Jobs<'_> {
    /// Checks every cell before anything runs.
    pub(super) fn of<'a>(
        sweep: &'a Sweep,
        cells: &[Cell],
        seed: Seed,
        shard: Shard,
    ) -> Result<Jobs<'a>, ScenarioError> {
        let rules = cells.iter().map(|cell| Ok((cell.scenario.check()?, cell.scenario.clone())));
        let rules = rules.collect::<Result<Vec<_>, ScenarioError>>()?;
        let runs = rules.len() * sweep.repeats as usize;
        let progress = Progress::new((0..runs).filter(|run| shard.has(*run)).count(), sweep.tell);
        Ok(Jobs { sweep, rules, seed, shard, progress })
    }

    /// Runs what there is time for, and gives every cell its outcomes.
    pub(super) fn run_into(&self, cells: &mut [Cell]) {
        let outcomes = match self.sweep.threads {
            Some(threads) => match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
                Ok(pool) => pool.install(|| self.run()),
                Err(_) => self.run(),
            },
            None => self.run(),
        };
        for (job, outcome) in outcomes.into_iter().enumerate() {
            cells[job % self.rules.len()].outcomes.extend(outcome);
        }
    }

    fn run(&self) -> Vec<Option<Outcome>> {
        let jobs = 0..self.rules.len() * self.sweep.repeats as usize;
        // One job at a time: runs of different cells differ in length.
        jobs.into_par_iter().with_max_len(1).map(|job| self.run_one(job)).collect()
    }

    fn run_one(&self, job: usize) -> Option<Outcome> {
        let (cell, repeat) = (job % self.rules.len(), job / self.rules.len());
        if !self.shard.has(cell * self.sweep.repeats as usize + repeat) {
            return None;
        }
        if self.sweep.at_most.is_some_and(|most| most <= self.progress.start.elapsed()) {
            return None;
        }
        let (rules, scenario) = &self.rules[cell];
        let seed = self.seed.repeat(repeat as u64);
        let mut audit = Audit::new(scenario.clients);
        let ended = run_rules(rules, seed, &mut scenario.new_store(), &mut audit);
        self.progress.one_more();
        Some(audit.outcome(scenario, seed, ended))
    }
}

/// How far a sweep is. Only what the reader sees of it and the bound on its time depend on a clock;
/// no outcome does.
struct Progress {
    start: Instant,
    all: usize,
    tell: fn(&str),
    done: Mutex<(usize, Instant)>,
}

impl Progress {
    fn new(all: usize, tell: fn(&str)) -> Progress {
        let start = Instant::now();
        Progress { start, all, tell, done: Mutex::new((0, start)) }
    }

    /// One more run is done. About every second one of them says so.
    fn one_more(&self) {
        let Ok(mut done) = self.done.lock() else { return };
        let (count, last_line) = &mut *done;
        *count += 1;
        if *count == self.all || last_line.elapsed() < Duration::from_secs(1) {
            return;
        }
        *last_line = Instant::now();
        let share = *count as f64 / self.all as f64;
        let left = self.start.elapsed().as_secs_f64() * (1.0 - share) / share;
        let percent = share * 100.0;
        (self.tell)(&format!("{percent:.0} % of {} runs done, about {left:.0} s left", self.all));
    }
}
