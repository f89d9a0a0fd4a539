//! The agenda: what happens next, and when.
//!
//! Three parts, each for what it holds: timers, which are moved and cancelled all the time, in a
//! sorted list; messages on their way in a heap; messages that arrive at the instant they are sent
//! in a plain queue. Every entry has a number, counted up as they are scheduled, which decides
//! between entries of one instant.

use super::event::{Event, ServiceTimer, Timer};
use crate::protocol::lease::ClientId;
use crate::protocol::message::Message;
use crate::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What happens next, and when. The agenda is also the clock: time goes on as its entries are taken
/// out.
#[derive(Debug)]
pub(crate) struct Agenda {
    now: Time,
    /// What is due at this time or later does not happen any more.
    until: Time,
    /// How many entries were scheduled so far.
    scheduled: u64,
    /// The end of the current lease. It is set and cancelled with every grant and hardly ever the
    /// first, so it stays out of the list.
    lease_end: Order,
    timers: Timers,
    on_the_way: BinaryHeap<Reverse<Underway>>,
    arriving: AtOnce,
    /// Nothing is due before this. While it lies ahead, one comparison tells that a message which
    /// arrives at the instant it is sent is what happens next.
    quiet_until: Time,
}

impl Agenda {
    /// An empty agenda for this many clients, at the start of a run that ends at `until`.
    pub(crate) fn new(clients: usize, until: Time) -> Agenda {
        Agenda {
            now: Time::START,
            until,
            scheduled: 0,
            lease_end: Order::IDLE,
            timers: Timers::new(place(Event::Due(ClientId(clients as u32), Timer::Step))),
            on_the_way: BinaryHeap::new(),
            arriving: AtOnce::default(),
            quiet_until: Time::NEVER,
        }
    }

    #[inline]
    pub(crate) fn now(&self) -> Time {
        self.now
    }

    /// The end of the run has come: nothing is taken out any more.
    pub(crate) fn end(&mut self) {
        self.now = self.until;
    }

    /// Sets a timer. One that was set already is moved.
    #[inline(always)]
    pub(crate) fn set(&mut self, event: Event, at: Time) {
        self.cancel(event);
        if at == Time::NEVER {
            return;
        }
        let order = Order::new(at, self.next_number(), place(event));
        match event {
            Event::LeaseEnds => self.lease_end = order,
            _ => self.timers.set(order),
        }
        self.quiet_until = self.quiet_until.min(at);
    }

    /// Stops a timer.
    #[inline(always)]
    pub(crate) fn cancel(&mut self, event: Event) {
        match event {
            Event::LeaseEnds => self.lease_end = Order::IDLE,
            _ => self.timers.cancel(place(event)),
        }
    }

    /// When a timer is due; never, if it is not set.
    pub(crate) fn due(&self, event: Event) -> Time {
        match event {
            Event::LeaseEnds => self.lease_end.time(),
            _ => self.timers.due[place(event)],
        }
    }

    /// The place in the order of things for what is scheduled now. A timer takes one as it is set;
    /// a message may have taken one before it is handed over.
    #[inline]
    pub(crate) fn next_number(&mut self) -> u64 {
        self.scheduled += 1;
        self.scheduled
    }

    /// Sends a message that arrives at `arrives`.
    #[inline(never)]
    pub(crate) fn send(&mut self, number: u64, message: Message, arrives: Time) {
        if arrives == Time::NEVER {
            return;
        }
        let underway = Underway { order: Order::new(arrives, number, 0), message };
        if arrives == self.now {
            self.arriving.push(underway);
        } else {
            self.on_the_way.push(Reverse(underway));
        }
        self.quiet_until = self.quiet_until.min(arrives);
    }

    /// True if a message that arrives at `arrives` would be what happens next, were it sent now.
    #[inline]
    pub(crate) fn would_be_next(&self, arrives: Time) -> bool {
        arrives == self.now && self.now < self.quiet_until
    }

    /// Lets every message wait its turn until time goes on.
    pub(crate) fn disturb(&mut self) {
        self.quiet_until = self.now;
    }

    /// Takes out what happens next, and lets time go on to it.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<Event> {
        let first = self.first();
        if self.until <= first.time() {
            return None;
        }
        self.now = first.time();
        let event = if first == self.timers.first() {
            self.timers.take_first();
            event(first.place())
        } else if first == self.lease_end {
            self.lease_end = Order::IDLE;
            Event::LeaseEnds
        } else if first == self.arriving.first() {
            Event::Arrives(self.arriving.pop()?)
        } else {
            Event::Arrives(self.on_the_way.pop()?.0.message)
        };
        self.quiet_until = self.first_time();
        Some(event)
    }

    /// The order of what happens next.
    #[inline(always)]
    fn first(&self) -> Order {
        let timer = self.timers.first().min(self.lease_end);
        if self.arriving.is_empty() && self.on_the_way.is_empty() {
            return timer;
        }
        let on_the_way = self.on_the_way.peek().map_or(Order::IDLE, |first| first.0.order);
        timer.min(self.arriving.first()).min(on_the_way)
    }

    #[inline(always)]
    fn first_time(&self) -> Time {
        let timer = self.timers.first().time().min(self.lease_end.time());
        if self.arriving.is_empty() && self.on_the_way.is_empty() {
            return timer;
        }
        self.first().time()
    }
}

/// When something is due, and its number, in one integer that compares as the two do: 64 bits of
/// time, 48 of the number (enough for a year of simulating), and 16 for the place of a timer, which
/// come along so that the first of all says which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Order(u128);

impl Order {
    /// The order of what never happens.
    const IDLE: Order = Order(u128::MAX);

    fn new(at: Time, number: u64, place: usize) -> Order {
        Order(u128::from(at.as_nanos()) << 64 | u128::from(number) << 16 | place as u128)
    }

    fn time(self) -> Time {
        Time::from_nanos((self.0 >> 64) as u64)
    }

    fn place(self) -> usize {
        (self.0 & 0xffff) as usize
    }
}

/// The place of a timer among all: eight for each client, after sixteen for those that belong to no
/// client.
#[inline]
fn place(event: Event) -> usize {
    match event {
        Event::LeaseEnds => 0,
        Event::Script => 1,
        Event::Service(timer) => 8 + timer as usize,
        Event::Due(client, timer) => (client.index() + 2) * 8 + timer as usize,
        Event::Arrives(_) => unreachable!("a message has no timer"),
    }
}

/// The timer at a place.
#[inline]
fn event(place: usize) -> Event {
    match place {
        0 => Event::LeaseEnds,
        1 => Event::Script,
        8..16 => Event::Service(ServiceTimer::ALL[place % 8]),
        _ => Event::Due(ClientId((place / 8 - 2) as u32), Timer::ALL[place % 8]),
    }
}

/// A message on its way, ordered by its arrival.
#[derive(Clone, Copy, Debug)]
struct Underway {
    order: Order,
    message: Message,
}

impl PartialEq for Underway {
    fn eq(&self, other: &Underway) -> bool {
        self.order == other.order
    }
}

impl Eq for Underway {}

impl PartialOrd for Underway {
    fn partial_cmp(&self, other: &Underway) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Underway {
    fn cmp(&self, other: &Underway) -> std::cmp::Ordering {
        self.order.cmp(&other.order)
    }
}

/// Messages that arrive at the instant they are sent, first in, first out. They are few at any
/// instant, and all are gone before time goes on.
#[derive(Debug, Default)]
struct AtOnce {
    messages: Vec<Underway>,
    /// The first that has not been taken out.
    head: usize,
}

impl AtOnce {
    fn push(&mut self, underway: Underway) {
        self.messages.push(underway);
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    fn first(&self) -> Order {
        self.messages.get(self.head).map_or(Order::IDLE, |first| first.order)
    }

    /// Takes out the first.
    #[inline]
    fn pop(&mut self) -> Option<Message> {
        let first = self.messages.get(self.head)?.message;
        self.head += 1;
        if self.head == self.messages.len() {
            self.messages.clear();
            self.head = 0;
        }
        Some(first)
    }
}

/// The timers that are set, in a sorted list with the earliest last. Taking out the first costs
/// nothing, and one that is due soon is near its end: only what comes earlier still has to move.
#[derive(Debug)]
struct Timers {
    /// When each timer is due, by place; `NEVER` if it is not set.
    due: Vec<Time>,
    sorted: Vec<Order>,
}

impl Timers {
    fn new(places: usize) -> Timers {
        Timers { due: vec![Time::NEVER; places], sorted: Vec::new() }
    }

    #[inline]
    fn first(&self) -> Order {
        self.sorted.last().copied().unwrap_or(Order::IDLE)
    }

    #[inline]
    fn take_first(&mut self) {
        if let Some(first) = self.sorted.pop() {
            self.due[first.place()] = Time::NEVER;
        }
    }

    /// Sets a timer that is not set.
    fn set(&mut self, order: Order) {
        self.due[order.place()] = order.time();
        self.sorted.push(order);
        let mut at = self.sorted.len() - 1;
        while 0 < at && self.sorted[at - 1] < order {
            self.sorted.swap(at - 1, at);
            at -= 1;
        }
    }

    #[inline]
    fn cancel(&mut self, place: usize) {
        if self.due[place] < Time::NEVER {
            self.take(place);
        }
    }

    #[inline(never)]
    fn take(&mut self, place: usize) {
        self.due[place] = Time::NEVER;
        if let Some(at) = self.sorted.iter().rposition(|order| order.place() == place) {
            self.sorted.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::message::Body;
    use crate::time::secs;
    use proptest::prelude::*;

    fn at(seconds: u64) -> Time {
        Time::START + secs(seconds)
    }

    /// Takes out all that is there.
    fn taken(agenda: &mut Agenda) -> Vec<(Time, Event)> {
        std::iter::from_fn(|| agenda.next().map(|event| (agenda.now(), event))).collect()
    }

    fn message(client: u32) -> Message {
        Message { client: ClientId(client), grant: 0, body: Body::Ask }
    }

    fn send(agenda: &mut Agenda, message: Message, arrives: Time) {
        let number = agenda.next_number();
        agenda.send(number, message, arrives);
    }

    #[test]
    fn at_one_instant_entries_come_in_the_order_they_were_scheduled() {
        let mut agenda = Agenda::new(2, Time::NEVER);
        let timer = Event::Due(ClientId(1), Timer::Renew);
        send(&mut agenda, message(0), at(5));
        agenda.set(timer, at(5));
        send(&mut agenda, message(1), at(5));
        agenda.set(Event::LeaseEnds, at(5));
        let arrives = Event::Arrives;
        assert_eq!(agenda.next(), Some(arrives(message(0))));
        send(&mut agenda, message(0), at(5));
        let order: Vec<Event> = taken(&mut agenda).into_iter().map(|(_, event)| event).collect();
        let expected = [timer, arrives(message(1)), Event::LeaseEnds, arrives(message(0))];
        assert_eq!(order, expected);
    }

    #[test]
    fn what_never_happens_is_not_there() {
        let mut agenda = Agenda::new(1, Time::NEVER);
        agenda.set(Event::LeaseEnds, Time::NEVER);
        send(&mut agenda, message(0), Time::NEVER);
        assert_eq!(agenda.due(Event::LeaseEnds), Time::NEVER);
        assert_eq!(agenda.next(), None);
    }

    proptest! {
        /// Whatever is set, moved, cancelled and sent: what comes out is what a sorted list gives.
        #[test]
        fn the_agenda_is_a_sorted_list(
            steps in prop::collection::vec((0u8..3, 0u32..4, 0u64..6), 1..80),
        ) {
            let mut agenda = Agenda::new(4, Time::NEVER);
            let mut list: Vec<((Time, u64), Event)> = Vec::new();
            for (number, (kind, client, second)) in steps.into_iter().enumerate() {
                let timer = Event::Due(ClientId(client), Timer::Step);
                let order = (at(second), number as u64);
                if kind == 0 {
                    send(&mut agenda, message(client), at(second));
                    list.push((order, Event::Arrives(message(client))));
                } else {
                    list.retain(|(_, event)| *event != timer);
                    if kind == 1 {
                        agenda.set(timer, at(second));
                        list.push((order, timer));
                    } else {
                        agenda.cancel(timer);
                    }
                }
            }
            list.sort_by_key(|(order, _)| *order);
            let expected: Vec<_> = list.into_iter().map(|((at, _), event)| (at, event)).collect();
            prop_assert_eq!(taken(&mut agenda), expected);
        }
    }
}
