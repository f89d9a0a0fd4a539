//! At a client: what it hears, and what it wants done.

use super::World;
use super::process::{Process, Section, Step};
use crate::protocol::client::{Action, Ending};
use crate::protocol::lease::{ClientId, Lease, Token};
use crate::protocol::message::{Body, Message};
use crate::protocol::store::{Record, Refused, Store};
use crate::simulation::event::{Event, Timer};
use crate::simulation::trace::{Happening, Observer};
use crate::time::Time;

impl<S: Store, O: Observer> World<'_, S, O> {
    // What it hears.

    pub(super) fn grant_is_heard(&mut self, id: ClientId, grant: u64, lease: Lease) {
        let now = self.own_time(id);
        let action = self.client(id).granted(lease, now);
        if action != Action::Nothing {
            self.begin_critical_section(id, grant, lease.token);
        }
        self.act(id, action);
    }

    pub(super) fn extension_is_heard(&mut self, id: ClientId, lease: Lease, asked: Time) {
        self.client(id).renewed(lease, asked);
    }

    pub(super) fn loss_is_heard(&mut self, id: ClientId, token: Token) {
        if self.client(id).believes() == Some(token) {
            self.agenda.cancel(Event::Due(id, Timer::Renew));
        }
        let action = self.client(id).lost(token);
        self.act(id, action);
    }

    pub(super) fn look_is_answered(&mut self, id: ClientId, token: Token, is_current: bool) {
        let action = self.client(id).told_if_current(token, is_current);
        self.act(id, action);
    }

    pub(super) fn read_is_answered(
        &mut self,
        id: ClientId,
        token: Token,
        answer: Result<Record, Refused>,
    ) {
        let action = self.client(id).read_answered(token, answer);
        self.act(id, action);
    }

    pub(super) fn write_is_answered(
        &mut self,
        id: ClientId,
        token: Token,
        answer: Result<(), Refused>,
    ) {
        let action = self.client(id).write_answered(token, answer);
        self.act(id, action);
    }

    // What it wants done.

    #[inline(always)]
    pub(super) fn act(&mut self, id: ClientId, action: Action) {
        match action {
            Action::Nothing => {}
            Action::Ask if self.rules.lock.is_absent => self.go_ahead(id),
            Action::Ask => self.send_last(id, Body::Ask),
            Action::Read(token) => self.send_last(id, Body::Read(token)),
            Action::Work => self.work(id),
            Action::AskIfCurrent(token) => self.send_last(id, Body::AskIfCurrent(token)),
            Action::Commit => self.commit(id),
            Action::Write(write) => self.send_last(id, Body::Write(write)),
            Action::StartOver(token, ending) => self.start_over(id, token, ending),
        }
    }

    /// Where there is no lock, a turn gets a number all the same: an answer is then known from that
    /// of an earlier turn.
    fn go_ahead(&mut self, id: ClientId) {
        self.turns += 1;
        let action = self.client(id).go_ahead();
        self.begin_critical_section(id, self.turns, Token::NONE);
        self.act(id, action);
    }

    #[inline(always)]
    fn begin_critical_section(&mut self, id: ClientId, grant: u64, token: Token) {
        self.tell(Happening::Believes { client: id, token });
        let process = &mut self.clients[id.index()];
        process.grant = grant;
        process.section = process.chance.section(self.rules);
        if self.rules.renew_every.is_some() && !self.rules.lock.is_absent {
            self.set_renewal_timer(id);
        }
    }

    /// The next renewal is due R from now, as the client's clock counts.
    fn set_renewal_timer(&mut self, id: ClientId) {
        if let Some(every) = self.rules.renew_every {
            let clock = self.clients[id.index()].clock;
            let due = clock.when_it_shows(clock.shows(self.agenda.now()) + every);
            self.agenda.set(Event::Due(id, Timer::Renew), due);
        }
    }

    /// What the client's clock shows.
    fn own_time(&self, id: ClientId) -> Time {
        self.clients[id.index()].clock.shows(self.agenda.now())
    }

    pub(super) fn work(&mut self, id: ClientId) {
        let Section { work, commit, pause } = self.clients[id.index()].section;
        if let Some(token) = self.clients[id.index()].client.believes() {
            self.tell(Happening::Works { client: id, token });
        }
        // Work and commit of no length at all can still be paused, before the work is over.
        if let Some((after, _)) = pause.filter(|(after, _)| *after < work || work + commit == 0) {
            self.agenda.set(Event::Due(id, Timer::CriticalPause), self.agenda.now().later(after));
        }
        self.set_step(id, Step::Work, work);
    }

    pub(super) fn commit(&mut self, id: ClientId) {
        let Section { work, commit, pause } = self.clients[id.index()].section;
        if let Some(token) = self.clients[id.index()].client.believes() {
            self.tell(Happening::Commits { client: id, token });
        }
        if commit == 0 {
            // The write leaves at the very instant of the look: nothing can come between.
            return self.commit_is_over(id);
        }
        if let Some((after, _)) = pause.filter(|(after, _)| work <= *after) {
            self.agenda
                .set(Event::Due(id, Timer::CriticalPause), self.agenda.now().later(after - work));
        }
        self.set_step(id, Step::Commit, commit);
    }

    pub(super) fn start_over(&mut self, id: ClientId, token: Token, ending: Ending) {
        self.tell(Happening::StopsBelieving { client: id, token, ending });
        for timer in [Timer::Renew, Timer::CriticalPause] {
            self.agenda.cancel(Event::Due(id, timer));
        }
        if 0.0 < self.rules.network.lost_answers {
            self.agenda.cancel(Event::Due(id, Timer::Retry));
        }
        let Some((release, arrives)) = self.released(id, token) else {
            return self.rest(id, ending);
        };
        let number = self.agenda.next_number();
        self.rest(id, ending);
        if ending == Ending::Wrote && self.agenda.would_be_next(arrives) {
            self.arrives_next(release);
        } else {
            // Also where every client is refused at once: there one release leads to the next, and
            // what happens without the agenda must come to an end.
            self.agenda.send(number, release, arrives);
        }
    }

    /// The client lets go of the lock, if there is one. Says when the lock service hears of it.
    #[inline(always)]
    fn released(&mut self, id: ClientId, token: Token) -> Option<(Message, Time)> {
        if self.rules.lock.is_absent {
            return None;
        }
        self.leaves(id, None, Body::Release(token))
    }

    /// Between a turn and the next one.
    fn rest(&mut self, id: ClientId, ending: Ending) {
        let backoff = self.rules.backoff.as_ref().filter(|_| ending == Ending::WasRefused);
        let think = backoff.unwrap_or(&self.rules.think);
        let span = think.nanos(&mut self.clients[id.index()].chance.think);
        self.set_step(id, Step::Think, span);
    }

    pub(super) fn think(&mut self, id: ClientId) {
        let think = self.rules.think.nanos(&mut self.clients[id.index()].chance.think);
        self.set_step(id, Step::Think, think);
    }

    pub(super) fn set_step(&mut self, id: ClientId, step: Step, nanos: u64) {
        self.clients[id.index()].step = step;
        self.agenda.set(Event::Due(id, Timer::Step), self.agenda.now().later(nanos));
    }

    pub(super) fn step_is_over(&mut self, id: ClientId) {
        let now = self.agenda.now();
        let Process { client, step, clock, .. } = &mut self.clients[id.index()];
        match step {
            Step::Think => {
                let action = client.think_over();
                self.act(id, action);
            }
            Step::Work => {
                let action = client.work_over(clock.shows(now));
                self.act(id, action);
            }
            Step::Commit => self.commit_is_over(id),
        }
    }

    pub(super) fn commit_is_over(&mut self, id: ClientId) {
        let action = self.client(id).commit_over();
        self.act(id, action);
    }

    pub(super) fn renewal_is_due(&mut self, id: ClientId) {
        let believes = self.clients[id.index()].client.believes();
        if let Some(token) = believes {
            self.send(id, Body::Renew(token, self.own_time(id)));
            self.set_renewal_timer(id);
        }
    }

    pub(super) fn retry_is_due(&mut self, id: ClientId) {
        let action = self.client(id).try_again();
        self.act(id, action);
    }
}
