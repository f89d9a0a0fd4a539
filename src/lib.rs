//! **Fencing** is a small simulation of a lock service, its clients and the store that the lock is
//! there to protect. It lets one see a distributed lock fail, measure how often, and mend it.
//!
//! A lock service hands out a lock as a lease, since a dead client must not block all others. A
//! lease ends by the clock of the lock service. A client that is paused meanwhile wakes up, still
//! believes that it holds the lock, and writes. Nothing crashed. What mends it is a fencing token:
//! a number that grows with every grant, and that the store remembers and checks.
//!
//! ```
//! use fencing::prelude::*;
//!
//! // A wakes up after its lease is over and overwrites what B wrote.
//! let unchecked = run(&Scenario::incident(), Seed(1))?;
//! assert_eq!((unchecked.zombie_writes, unchecked.lost_updates), (1, 1));
//!
//! // The same pause, the same expiry, the same late write; but the store has seen a higher token.
//! let check = TokenCheck::OnEveryRequest;
//! let checked = run(&Scenario { token_check: check, ..Scenario::incident() }, Seed(1))?;
//! assert_eq!((checked.zombie_writes, checked.refused_writes), (0, 1));
//! # Ok::<(), ScenarioError>(())
//! ```
//!
//! # Floors
//!
//! The modules are the floors of a house, from the ground up. A file uses only the floors below.
//!
//! | floor | what it is |
//! |---|---|
//! | [`time`] | moments and spans, in whole nanoseconds |
//! | [`chance`] | seeds, distributions, pauses, recordings |
//! | [`protocol`] | what lock service, client and store do; to be read from top to bottom |
//! | [`simulation`] | a scenario goes in, and what happens comes out |
//! | [`analysis`] | what a run amounts to |
//! | [`figures`] | what a notebook shows: sequence diagrams, charts, tables |
//! | `frame` | sweeps and pauses as polars data frames (feature `frames`, off by default) |
//! | `proof` | every interleaving of a small model (feature `proof`, off by default) |
//! | [`workbook`] | the exercises: checks that judge by simulating, hints, solutions |
//!
//! To understand the subject read [`protocol`]; to use the library read [`Scenario`], [`run`] and
//! [`trace`](fn@simulation::trace). The words are those of GLOSSARY.md.
//!
//! [`Scenario`]: simulation::scenario::Scenario
//! [`run`]: analysis::run

pub mod analysis;
pub mod chance;
pub mod figures;
#[cfg(feature = "frames")]
pub mod frame;
#[cfg(feature = "proof")]
pub mod proof;
pub mod protocol;
pub mod simulation;
pub mod time;
pub mod workbook;

/// All that a notebook uses: `use fencing::prelude::*;`.
pub mod prelude {
    pub use crate::analysis::estimate::EstimateError;
    pub use crate::analysis::estimate::difference::Difference;
    pub use crate::analysis::estimate::interval::Interval;
    pub use crate::analysis::estimate::mean::Mean;
    pub use crate::analysis::estimate::method::Method;
    pub use crate::analysis::estimate::rate::{Rate, Repeat};
    pub use crate::analysis::estimate::writing::with_commas;
    pub use crate::analysis::outcome::Outcome;
    pub use crate::analysis::sweep::file::SweepFile;
    pub use crate::analysis::sweep::gather::{GatherError, Gathered, gather_files};
    pub use crate::analysis::sweep::part::{PartError, SweepPart};
    pub use crate::analysis::sweep::rows::{CellSummary, Counts, SweepRow, SweepRows};
    pub use crate::analysis::sweep::shard::Shard;
    pub use crate::analysis::sweep::{Cell, Knob, Setting, Sweep, SweepOutcome};
    pub use crate::analysis::theory::critical_section::outlives_lease;
    pub use crate::analysis::theory::renewal::{
        expected_lapses, share_that_survives, survives_renewal,
    };
    pub use crate::analysis::{run, run_with_store};
    pub use crate::chance::delay::{Delay, DelayError};
    pub use crate::chance::pause::{
        Crashes, CriticalSectionPause, Pauses, PoissonPause, ScriptedCrash, ScriptedPause,
    };
    pub use crate::chance::recording::{
        RecordedPause, Recording, RecordingError, merge_close, read_recording,
    };
    pub use crate::chance::reported::{ReportedPause, Standing, reported_pauses};
    pub use crate::chance::seed::Seed;
    #[cfg(feature = "plots")]
    pub use crate::figures::chart::{
        ChartError, histogram::Histogram, rate::RateChart, reported::ReportedPauseChart,
        tail::TailChart, trade_off::TradeOffChart,
    };
    pub use crate::figures::explorer::Explorer;
    pub use crate::figures::output::{Figure, Still};
    pub use crate::figures::sequence::{SequenceDiagram, ZombieWrite};
    pub use crate::figures::side_by_side::{Figures, SideBySide, side_by_side};
    pub use crate::figures::table::Table;
    #[cfg(feature = "frames")]
    pub use crate::frame::{Frame, FrameError, ToFrame};
    #[cfg(feature = "proof")]
    pub use crate::proof::{Checked, Flaw, Proof, ProofError, Property};
    pub use crate::protocol::client::{Look, Measure, OnLost};
    pub use crate::protocol::lease::{ClientId, Lease, Token};
    pub use crate::protocol::lock::LockService;
    pub use crate::protocol::lock::numbering::TokenKind;
    pub use crate::protocol::message::{Body, Message};
    pub use crate::protocol::store::register::Register;
    pub use crate::protocol::store::several::SeveralStores;
    pub use crate::protocol::store::{
        Condition, Reason, Record, Refused, Store, TokenCheck, Write,
    };
    pub use crate::simulation::scenario::clocks::{ClockSetup, ClockStep, Clocks, Way};
    pub use crate::simulation::scenario::lock::{LockKind, LockSetup, MajoritySetup};
    pub use crate::simulation::scenario::moments::{Moments, Spell, Spells};
    pub use crate::simulation::scenario::network::{Mishap, Network};
    pub use crate::simulation::scenario::store::{StoreKind, StoreSetup};
    pub use crate::simulation::scenario::{Scenario, ScenarioError, Stop};
    pub use crate::simulation::trace::{Entry, Happening, Observer, Trace};
    pub use crate::simulation::{observe, trace, trace_with_store};
    pub use crate::time::{Time, micros, millis, secs};
    pub use crate::workbook::answer::YOUR_TURN;
    pub use crate::workbook::attempt::your_turn;
    pub use crate::workbook::cards::{hint, progress, solution};
    pub use crate::workbook::follow_up::compare;
    pub use crate::workbook::notebook_00::{check_00_1, check_00_2, check_00_3};
    pub use crate::workbook::notebook_01::{check_01_1, check_01_2, check_01_3, check_01_4};
    pub use crate::workbook::notebook_02::{check_02_1, check_02_2, check_02_3, check_02_4};
    pub use crate::workbook::notebook_03::{
        check_03_1, check_03_2, check_03_3, check_03_4, check_03_5,
    };
    pub use crate::workbook::notebook_04::{check_04_1, check_04_2, check_04_3, check_04_4};
    pub use crate::workbook::notebook_05::{check_05_1, check_05_2, check_05_3, check_05_4};
    pub use crate::workbook::notebook_06::{check_06_1, check_06_2, check_06_3, check_06_4};
    #[cfg(feature = "proof")]
    pub use crate::workbook::notebook_07::{check_07_1, check_07_2, check_07_3, check_07_4};
    pub use crate::workbook::notebook_08::{check_08_1, check_08_2, check_08_3, check_08_4};
    pub use crate::workbook::notebook_09::{check_09_1, check_09_2, check_09_3, check_09_4};
    pub use crate::workbook::rehearsal::Rehearsal;
    pub use crate::workbook::store_under_test::{Admit, Gateway, Request, RequestKind, Restart};
    pub use crate::workbook::systems::{System, Systems, systems};
    pub use crate::workbook::update_judge::SharedCounter;
    pub use crate::workbook::verdict::Verdict;
    pub use std::time::Duration;
}
