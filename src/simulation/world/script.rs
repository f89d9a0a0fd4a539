//! The script: what happens at given times, because a story says so.

use super::World;
use crate::protocol::lease::ClientId;
use crate::protocol::store::Store;
use crate::simulation::event::Event;
use crate::simulation::scenario::ScriptLine;
use crate::simulation::scenario::clocks::Way;
use crate::simulation::trace::{Happening, Observer};
use crate::time::nanos;
use std::time::Duration;

impl<S: Store, O: Observer> World<'_, S, O> {
    pub(super) fn script(&mut self) {
        match self.rules.script[self.script_line].1 {
            ScriptLine::Pause(client, length) => self.pause(client, nanos(length)),
            ScriptLine::Crash(client) => self.crash(client),
            ScriptLine::CutOff(client, length) => self.cut_off(client, length),
            ScriptLine::LockStalls(length) => self.lock_stalls(length),
            ScriptLine::LockFailsOver => self.lock_fails_over(),
            ScriptLine::LockForgetsNumbers => self.lock_forgets_numbers(),
            ScriptLine::StoreForgets => self.store_forgets(),
            ScriptLine::ClockIsSet(None, by, way) => self.lock_clock_is_set(by, way),
            ScriptLine::ClockIsSet(Some(client), by, way) => self.clock_is_set(client, by, way),
            ScriptLine::InstanceIsAway(number, length) => self.instance_is_away(number, length),
            ScriptLine::InstanceClockIsSet(number, by) => self.instance_clock_is_set(number, by),
        }
        self.script_line += 1;
        self.set_script_timer();
    }

    pub(super) fn set_script_timer(&mut self) {
        if let Some((at, _)) = self.rules.script.get(self.script_line) {
            self.agenda.set(Event::Script, *at);
        }
    }

    fn clock_is_set(&mut self, id: ClientId, by: Duration, way: Way) {
        let now = self.agenda.now();
        let clock = &mut self.clients[id.index()].clock;
        match way {
            Way::Forward => clock.set_forward(now, by),
            Way::Back => clock.set_back(now, by),
        }
        self.tell(Happening::ClockIsSet { client: Some(id), by, way });
    }
}
