//! What a step brings about: the messages of [`protocol`](crate::protocol) are handed to its
//! methods, as the simulation does it, and what these want done is done.

use super::property::{Properties, Property};
use super::rules::Rules;
use super::state::{Doing, Process, State, Step};
use crate::protocol::client::{Action, Ending, Look};
use crate::protocol::lease::{ClientId, Lease, Token};
use crate::protocol::lock::Ended;
use crate::protocol::message::{Body, Message, Party};
use crate::protocol::store::{Refused, Write};
use crate::simulation::trace::Happening;
use crate::time::Time;

/// Time stands still.
const NOW: Time = Time::START;

/// A state on its way to the next one.
pub(super) struct Scene<'a> {
    pub(super) state: State,
    rules: &'a Rules,
    /// Hears what happens. When a request arrives is not known as it leaves, so it is told to
    /// arrive never.
    tell: &'a mut dyn FnMut(Happening),
}

impl<'a> Scene<'a> {
    pub(super) fn new(
        state: State,
        rules: &'a Rules,
        tell: &'a mut dyn FnMut(Happening),
    ) -> Scene<'a> {
        Scene { state, rules, tell }
    }

    /// The single match over all that can happen.
    pub(super) fn happen(&mut self, step: Step) {
        self.state.broken = Properties::default();
        match step {
            Step::GoesOn(id) => self.goes_on(id),
            Step::Arrives(message) => {
                self.state.take_out(&message);
                self.arrives(message);
            }
            Step::LeaseEnds => {
                if let Some(Ended { over, next }) = self.state.lock.expire(NOW) {
                    self.tell(Happening::Expired { lease: over });
                    self.is_granted(next);
                }
            }
            Step::StoreRestarts => {
                self.state.restarts_left -= 1;
                self.state.store.get().forget();
                self.tell(self.rules.restart_is);
            }
            Step::Crashes(id) => self.crashes(id),
            Step::WriteLands(message) => self.write_lands(message),
        }
    }

    fn arrives(&mut self, message: Message) {
        let Message { client: id, grant, body } = message;
        let is_own = grant == self.process(id).grant;
        if message.to() == Party::Client(id) && !self.process(id).is_alive {
            return;
        }
        match body {
            Body::Ask => {
                let lease = self.state.lock.ask(id, NOW);
                self.is_granted(lease);
            }
            Body::Release(token) => {
                if let Some(Ended { over, next }) = self.state.lock.release(token, NOW) {
                    self.tell(Happening::Released { lease: over });
                    self.is_granted(next);
                }
            }
            Body::AskIfCurrent(token) => {
                let is_current = self.state.lock.is_current(token);
                self.send_at_once(id, grant, Body::IfCurrent(token, is_current));
            }
            Body::Read(token) => self.store_reads(id, grant, token),
            Body::Write(write) => self.store_writes(id, grant, write),
            Body::Granted(lease) => self.grant_is_heard(id, grant, lease),
            Body::IfCurrent(token, is_current) => {
                let action = self.process(id).client.told_if_current(token, is_current);
                self.act(id, action);
            }
            Body::ReadAnswer(token, answer) if is_own => {
                let action = self.process(id).client.read_answered(token, answer);
                self.act(id, action);
            }
            Body::WriteAnswer(token, answer) if is_own => {
                let action = self.process(id).client.write_answered(token, answer);
                self.act(id, action);
            }
            // An answer to a turn that is over is of no use. Nobody renews a lease here.
            Body::ReadAnswer(..) | Body::WriteAnswer(..) => {}
            Body::Renew(..) | Body::Renewed(..) | Body::Lost(_) => {}
        }
    }

    // At the lock service.

    fn is_granted(&mut self, lease: Option<Lease>) {
        let Some(lease) = lease else { return };
        self.state.grants += 1;
        self.tell(Happening::Granted { lease });
        self.send_at_once(lease.holder, self.state.grants, Body::Granted(lease));
    }

    // At the store.

    fn store_reads(&mut self, client: ClientId, grant: u64, token: Token) {
        let answer = self.state.store.get().read(client, token);
        match answer {
            Ok(record) => self.tell(Happening::ReadServed { client, token, grant, record }),
            Err(refused) => {
                self.refuses(grant);
                self.tell(Happening::ReadRefused { client, token, refused });
            }
        }
        self.send_at_once(client, grant, Body::ReadAnswer(token, answer));
    }

    fn store_writes(&mut self, client: ClientId, grant: u64, write: Write) {
        if !self.rules.is_check_apart {
            let answer = self.state.store.get().write(client, write);
            return self.answer_write(client, grant, write, answer);
        }
        if let Err(refused) = self.state.store.get().check(client, &write) {
            return self.answer_write(client, grant, write, Err(refused));
        }
        self.tell(Happening::WriteChecked { client, write });
        let landing = &mut self.state.landing;
        let place = landing.partition_point(|other| other.grant < grant);
        landing.insert(place, Message { client, grant, body: Body::Write(write) });
    }

    fn write_lands(&mut self, message: Message) {
        self.state.landing.retain(|other| *other != message);
        let Message { client, grant, body } = message;
        if let Body::Write(write) = body {
            let answer = self.state.store.get().put(client, write);
            self.answer_write(client, grant, write, answer);
        }
    }

    fn answer_write(
        &mut self,
        client: ClientId,
        grant: u64,
        write: Write,
        answer: Result<(), Refused>,
    ) {
        match answer {
            Ok(()) => {
                let highest = &mut self.state.highest_accepted;
                let falls = write.token < *highest;
                *highest = write.token.max(*highest);
                self.state.broken.add_if(Property::TokensNeverFall, falls);
                self.tell(Happening::WriteAccepted { client, grant, write });
            }
            Err(refused) => {
                self.refuses(grant);
                self.tell(Happening::WriteRefused { client, write, refused });
            }
        }
        self.send_at_once(client, grant, Body::WriteAnswer(write.token, answer));
    }

    /// The store turns away somebody who acts under this grant.
    fn refuses(&mut self, grant: u64) {
        let is_newest = self.state.judge.newest_served() <= grant;
        self.state.broken.add_if(Property::NewestIsServed, is_newest);
    }

    // At a client.

    fn goes_on(&mut self, id: ClientId) {
        let Process { client, doing, .. } = self.process(id);
        let action = match doing.take() {
            Some(Doing::Think) => client.think_over(),
            Some(Doing::Work) => client.work_over(NOW),
            Some(Doing::Commit) => client.commit_over(),
            None => Action::Nothing,
        };
        self.act(id, action);
    }

    fn grant_is_heard(&mut self, id: ClientId, grant: u64, lease: Lease) {
        let process = self.process(id);
        process.grant = grant;
        let action = process.client.granted(lease, NOW);
        self.tell(Happening::Believes { client: id, token: lease.token });
        self.act(id, action);
    }

    fn act(&mut self, id: ClientId, action: Action) {
        let grant = self.process(id).grant;
        match action {
            Action::Nothing => {}
            Action::Ask => self.send_at_once(id, grant, Body::Ask),
            Action::Read(token) => self.send(id, grant, Body::Read(token)),
            Action::Work => {
                self.process(id).doing = Some(Doing::Work);
                if let Some(token) = self.process(id).client.believes() {
                    self.tell(Happening::Works { client: id, token });
                }
            }
            Action::AskIfCurrent(token) => self.send(id, grant, Body::AskIfCurrent(token)),
            // Without a look there is nothing that a pause could come between.
            Action::Commit if self.rules.look == Look::Never => {
                let action = self.process(id).client.commit_over();
                self.act(id, action);
            }
            Action::Commit => {
                self.process(id).doing = Some(Doing::Commit);
                if let Some(token) = self.process(id).client.believes() {
                    self.tell(Happening::Commits { client: id, token });
                }
            }
            Action::Write(write) => self.send(id, grant, Body::Write(write)),
            Action::StartOver(token, ending) => self.starts_over(id, token, ending),
        }
    }

    /// A turn is over. What the client knew of it is of no use to the next one, so that it is best
    /// forgotten: states that differ in it alone are one.
    fn starts_over(&mut self, id: ClientId, token: Token, ending: Ending) {
        self.tell(Happening::StopsBelieving { client: id, token, ending });
        let client = self.rules.new_client();
        let process = self.process(id);
        let grant = process.grant;
        process.turns_left -= 1;
        process.doing = (process.turns_left > 0).then_some(Doing::Think);
        process.client = client;
        process.grant = 0;
        self.state.judge.forget(id);
        self.send(id, grant, Body::Release(token));
    }

    fn crashes(&mut self, id: ClientId) {
        self.state.crashes_left -= 1;
        let process = self.process(id);
        let token = process.client.believes();
        process.is_alive = false;
        process.doing = None;
        self.process(id).client = self.rules.new_client();
        self.tell(Happening::Crashed { client: id, token });
    }

    fn process(&mut self, id: ClientId) -> &mut Process {
        &mut self.state.clients[id.index()]
    }

    /// A request leaves, and may take any time.
    fn send(&mut self, client: ClientId, grant: u64, body: Body) {
        let message = Message { client, grant, body };
        self.tell(Happening::Sent { message, arrives: Time::NEVER });
        self.state.put_in_flight(message);
    }

    /// A message leaves that arrives at once: an answer, or the request for the lock.
    ///
    /// Nothing is lost by it. Whether an answer is late, or its receiver is paused, or what that
    /// sends next is late: lock service and store see the same. So it is enough to let one of them
    /// take any time, and there are fewer states. Before the request for the lock a client thinks
    /// for as long as it likes.
    fn send_at_once(&mut self, client: ClientId, grant: u64, body: Body) {
        let message = Message { client, grant, body };
        self.tell(Happening::Sent { message, arrives: NOW });
        self.arrives(message);
    }

    /// The judge hears what happens, and so does whoever retells it.
    fn tell(&mut self, happening: Happening) {
        let judgement = self.state.judge.judge(&happening).unwrap_or_default();
        self.state.broken.add_if(Property::NoZombieWrite, judgement.is_zombie);
        self.state.broken.add_if(Property::NoLostUpdate, judgement.is_lost_update);
        (self.tell)(happening);
    }
}
