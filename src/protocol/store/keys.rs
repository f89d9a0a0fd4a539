//! Idempotency keys: a client gives each operation a key, and every copy of it carries the same one.

use super::Refused;
use crate::time::Time;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The keys of operations that a store has answered, each with its answer, for as long as the store
/// remembers them.
///
/// They tell a repeat from a first time. Whether the first time comes too late they do not tell.
///
/// ```
/// use fencing::prelude::*;
/// use fencing::protocol::store::keys::Keys;
///
/// let mut keys = Keys::remembered_for(secs(60));
/// assert_eq!(keys.answer(7), None);
/// keys.note(7, Ok(()), Time::START);
/// assert_eq!(keys.answer(7), Some(Ok(())));
/// keys.note(8, Ok(()), Time::START + secs(61));
/// assert_eq!(keys.answer(7), None);
/// ```
#[derive(Clone, Debug)]
pub struct Keys {
    remembered_for: Duration,
    answers: BTreeMap<u64, Result<(), Refused>>,
    /// The keys in the order of their answers.
    order: VecDeque<(Time, u64)>,
}

impl Keys {
    /// No keys yet; each will be remembered for so long after its answer.
    #[must_use]
    pub fn remembered_for(span: Duration) -> Keys {
        Keys { remembered_for: span, answers: BTreeMap::new(), order: VecDeque::new() }
    }

    /// What the operation with this key was answered the first time.
    #[must_use]
    pub fn answer(&self, key: u64) -> Option<Result<(), Refused>> {
        self.answers.get(&key).copied()
    }

    /// The operation with this key is answered now. Keys that are too old are forgotten.
    pub fn note(&mut self, key: u64, answer: Result<(), Refused>, now: Time) {
        while self.order.front().is_some_and(|(at, _)| *at + self.remembered_for < now) {
            if let Some((_, old)) = self.order.pop_front() {
                self.answers.remove(&old);
            }
        }
        if self.answers.insert(key, answer).is_none() {
            self.order.push_back((now, key));
        }
    }

    /// All keys are lost.
    pub fn forget(&mut self) {
        self.answers.clear();
        self.order.clear();
    }
}
