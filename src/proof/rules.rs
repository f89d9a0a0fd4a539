//! What is checked, and within which bounds.

use super::any_store::AnyStore;
use super::property::Properties;
use super::state::{Doing, Process, State};
use crate::analysis::audit::WriteJudge;
use crate::protocol::client::{Client, Look, OnLost};
use crate::protocol::lease::Token;
use crate::protocol::lock::LockService;
use crate::protocol::lock::numbering::{Numbering, TokenKind};
use crate::simulation::trace::Happening;
use std::time::Duration;

/// What is checked, and within which bounds.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) store: AnyStore,
    pub(super) clients: u32,
    /// Each client's.
    pub(super) turns: u32,
    pub(super) look: Look,
    pub(super) tokens: TokenKind,
    pub(super) leases_end: bool,
    pub(super) is_check_apart: bool,
    /// How often the store may restart.
    pub(super) restarts: u32,
    /// How a restart is told: our own store loses its mark, and what a reader's loses is not known.
    pub(super) restart_is: Happening,
    /// How many clients may crash.
    pub(super) crashes: u32,
}

/// Time stands still in the model: a lease has no length at all, so the lock service may end it at
/// any moment, and need never do so.
const LEASE: Duration = Duration::ZERO;

/// Random tokens are made from it. The second of them is lower than the first.
const RANDOM_KEY: u64 = 6;

impl Rules {
    /// The state that everything starts from: every client thinks.
    pub(super) fn start(&self) -> State {
        let numbering = Numbering::new(self.tokens, Token(1), RANDOM_KEY);
        let process = Process {
            client: self.new_client(),
            grant: 0,
            turns_left: self.turns,
            doing: Some(Doing::Think),
            is_alive: true,
        };
        State {
            lock: LockService::new(LEASE, Token(1)).with_numbering(numbering),
            store: self.store.clone(),
            clients: vec![process; self.clients as usize],
            in_flight: Vec::new(),
            landing: Vec::new(),
            grants: 0,
            restarts_left: self.restarts,
            crashes_left: self.crashes,
            judge: WriteJudge::new(self.clients),
            highest_accepted: Token::NONE,
            broken: Properties::default(),
            has_panicked: false,
        }
    }

    /// A client that knows nothing yet.
    pub(super) fn new_client(&self) -> Client {
        Client::new(LEASE, self.look, OnLost::Ignore)
    }
}
