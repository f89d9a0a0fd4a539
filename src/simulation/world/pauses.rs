//! Pauses and crashes: what happens to a client's process.

use super::process::Process;
use super::{World, set_by_chance};
use crate::protocol::lease::ClientId;
use crate::protocol::store::Store;
use crate::simulation::event::{Event, Timer};
use crate::simulation::trace::{Happening, Observer};
use std::time::Duration;

impl<S: Store, O: Observer> World<'_, S, O> {
    // Pauses.

    /// The process stops. Work and commit will end so much later, and so will the time to the next
    /// renewal if the clock stops too; all else that becomes due waits.
    pub(super) fn pause(&mut self, id: ClientId, length: u64) {
        let process = &mut self.clients[id.index()];
        let until = self.agenda.now().later(length);
        let stands_until = process.paused_until.unwrap_or(self.agenda.now());
        if !process.is_alive || until <= stands_until {
            return;
        }
        if process.paused_until.is_none() {
            process.paused_since = self.agenda.now();
        }
        process.paused_until = Some(until);
        let is_working = process.client.believes().is_some();
        let longer = until - stands_until;
        self.tell(Happening::Paused { client: id, until });
        self.agenda.set(Event::Due(id, Timer::Resume), until);
        if is_working {
            self.put_off(Event::Due(id, Timer::CriticalPause), longer);
            self.put_off(Event::Due(id, Timer::Step), longer);
            if self.rules.clocks.stand_still_in_pauses {
                self.put_off(Event::Due(id, Timer::Renew), longer);
            }
        }
    }

    pub(super) fn put_off(&mut self, event: Event, span: Duration) {
        let due = self.agenda.due(event);
        self.agenda.set(event, due + span);
    }

    /// The process goes on where it stopped, first with what has waited for it.
    pub(super) fn resume(&mut self, id: ClientId) {
        let now = self.agenda.now();
        let process = &mut self.clients[id.index()];
        process.paused_until = None;
        if self.rules.clocks.stand_still_in_pauses {
            process.clock.stood_still(process.paused_since, now);
        }
        self.tell(Happening::Resumed { client: id });
        // What is sent meanwhile comes after all that has waited.
        self.agenda.disturb();
        let mut waiting = std::mem::take(&mut self.clients[id.index()].waiting);
        for event in waiting.drain(..) {
            self.happen(event);
        }
        self.clients[id.index()].waiting = waiting;
    }

    pub(super) fn critical_section_pauses(&mut self, id: ClientId) {
        if let Some((_, length)) = self.clients[id.index()].section.pause {
            self.pause(id, length);
        }
    }

    pub(super) fn poisson_pauses(&mut self, id: ClientId) {
        if let Some((_, length)) = &self.rules.poisson {
            let length = length.nanos(&mut self.clients[id.index()].chance.poisson);
            self.pause(id, length);
        }
        self.set_poisson_timer(id);
    }

    pub(super) fn set_poisson_timer(&mut self, id: ClientId) {
        let every = self.rules.poisson.as_ref().map(|poisson| poisson.0);
        let (event, now) = (Event::Due(id, Timer::PoissonPause), self.agenda.now());
        let stream = &mut self.clients[id.index()].chance.poisson;
        set_by_chance(&mut self.agenda, event, now, every, stream);
    }

    // Crashes.

    pub(super) fn crash_or_restart(&mut self, id: ClientId) {
        if self.clients[id.index()].is_alive {
            self.crash(id);
        } else {
            self.restart(id);
        }
    }

    /// The process is gone with all it knew; what arrives while it is down is lost. The lock
    /// service does not learn of it: what it held stays held, and where it waited it still waits.
    pub(super) fn crash(&mut self, id: ClientId) {
        let process = &mut self.clients[id.index()];
        if !process.is_alive {
            return;
        }
        let token = process.client.believes();
        process.is_alive = false;
        process.paused_until = None;
        process.waiting.clear();
        process.client = Process::client(self.rules);
        let is_for_good = self.rules.restart_after.is_none();
        // The network does not notice: the next partition of a client that restarts stays due.
        for timer in Timer::ALL.into_iter().filter(|it| is_for_good || *it != Timer::CutOff) {
            self.agenda.cancel(Event::Due(id, timer));
        }
        self.tell(Happening::Crashed { client: id, token });
        if let Some(restart_after) = self.rules.restart_after {
            self.agenda
                .set(Event::Due(id, Timer::CrashOrRestart), self.agenda.now() + restart_after);
        }
    }

    pub(super) fn restart(&mut self, id: ClientId) {
        self.clients[id.index()].is_alive = true;
        self.tell(Happening::Restarted { client: id });
        self.set_poisson_timer(id);
        self.set_crash_timer(id);
        self.think(id);
    }

    pub(super) fn set_crash_timer(&mut self, id: ClientId) {
        let (event, now) = (Event::Due(id, Timer::CrashOrRestart), self.agenda.now());
        let stream = &mut self.clients[id.index()].chance.crash;
        set_by_chance(&mut self.agenda, event, now, self.rules.crash_every, stream);
    }
}
