//! The agenda: what happens next, and when.
//!
//! Three parts, each for what it holds: timers, which are moved and cancelled all the time, in a
//! tree with a place for each; messages on their way in a heap; messages that arrive at the instant
//! they are sent in a plain queue. Every entry has a number, counted up as they are scheduled,
//! which decides between entries of one instant.

use super::event::{Event, Timer};
use crate::protocol::lease::ClientId;
use crate::protocol::message::Message;
use crate::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What happens next, and when.
#[derive(Debug)]
pub(crate) struct Agenda {
    /// How many entries were scheduled so far.
    scheduled: u64,
    timers: EarliestTree,
    on_the_way: BinaryHeap<Reverse<Underway>>,
    arriving: AtOnce,
}

impl Agenda {
    /// An empty agenda for this many clients.
    pub(crate) fn new(clients: usize) -> Agenda {
        Agenda {
            scheduled: 0,
            timers: EarliestTree::new(place(Event::Due(ClientId(clients as u32), Timer::Step))),
            on_the_way: BinaryHeap::new(),
            arriving: AtOnce::default(),
        }
    }

    /// Sets a timer. One that was set already is moved.
    #[inline]
    pub(crate) fn set(&mut self, event: Event, at: Time) {
        let place = place(event);
        let order = Order::new(at, self.next_number(), place);
        self.timers.set(place, if at == Time::NEVER { Order::IDLE } else { order });
    }

    /// Stops a timer.
    #[inline]
    pub(crate) fn cancel(&mut self, event: Event) {
        self.timers.set(place(event), Order::IDLE);
    }

    /// When a timer is due, if it is set.
    pub(crate) fn due(&self, event: Event) -> Option<Time> {
        let order = self.timers.get(place(event));
        (order != Order::IDLE).then(|| order.time())
    }

    /// Sends a message that arrives at `arrives`.
    #[inline]
    pub(crate) fn send(&mut self, message: Message, now: Time, arrives: Time) {
        let number = self.next_number();
        if arrives == now {
            self.arriving.push(number, message);
        } else if arrives < Time::NEVER {
            self.on_the_way
                .push(Reverse(Underway { order: Order::new(arrives, number, 0), message }));
        }
    }

    /// Takes out what happens next, at `now` or later.
    #[inline]
    pub(crate) fn next(&mut self, now: Time) -> Option<(Time, Event)> {
        let timer = self.timers.first();
        let on_the_way = self.on_the_way.peek().map_or(Order::IDLE, |first| first.0.order);
        if let Some(number) = self.arriving.first() {
            let order = Order::new(now, number, 0);
            if order < timer && order < on_the_way {
                return Some((now, Event::Arrives(self.arriving.pop())));
            }
        }
        if on_the_way < timer {
            let Reverse(underway) = self.on_the_way.pop()?;
            return Some((on_the_way.time(), Event::Arrives(underway.message)));
        }
        if timer == Order::IDLE {
            return None;
        }
        self.timers.set(timer.place(), Order::IDLE);
        Some((timer.time(), event(timer.place())))
    }

    fn next_number(&mut self) -> u64 {
        self.scheduled += 1;
        self.scheduled
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

/// The place of a timer in the tree.
fn place(event: Event) -> usize {
    match event {
        Event::LeaseEnds => 0,
        Event::Script => 1,
        Event::Due(client, timer) => 2 + client.index() * Timer::ALL.len() + timer as usize,
        Event::Arrives(_) => unreachable!("a message has no timer"),
    }
}

/// The timer at a place of the tree.
fn event(place: usize) -> Event {
    match place {
        0 => Event::LeaseEnds,
        1 => Event::Script,
        _ => {
            let (client, timer) = ((place - 2) / Timer::ALL.len(), (place - 2) % Timer::ALL.len());
            Event::Due(ClientId(client as u32), Timer::ALL[timer])
        }
    }
}

/// A message on its way, ordered by its arrival.
#[derive(Debug)]
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
    messages: Vec<(u64, Message)>,
    /// The first that has not been taken out.
    head: usize,
}

impl AtOnce {
    fn push(&mut self, number: u64, message: Message) {
        self.messages.push((number, message));
    }

    /// The number of the first.
    fn first(&self) -> Option<u64> {
        self.messages.get(self.head).map(|(number, _)| *number)
    }

    /// Takes out the first, which must be there.
    fn pop(&mut self) -> Message {
        let (_, message) = self.messages[self.head];
        self.head += 1;
        if self.head == self.messages.len() {
            self.messages.clear();
            self.head = 0;
        }
        message
    }
}

/// A fixed number of places, each with an order; the earliest is known at once, and a change costs
/// one comparison a level. A binary tree in an array: the children of node n are 2n and 2n + 1, the
/// places are the leaves, and every inner node holds the earlier order of its two children.
#[derive(Debug)]
struct EarliestTree {
    nodes: Vec<Order>,
}

impl EarliestTree {
    fn new(places: usize) -> EarliestTree {
        EarliestTree { nodes: vec![Order::IDLE; 2 * places.next_power_of_two()] }
    }

    fn first(&self) -> Order {
        self.nodes[1]
    }

    fn get(&self, place: usize) -> Order {
        self.nodes[self.nodes.len() / 2 + place]
    }

    #[inline]
    fn set(&mut self, place: usize, order: Order) {
        let mut node = self.nodes.len() / 2 + place;
        let mut earliest = order;
        while self.nodes[node] != earliest {
            self.nodes[node] = earliest;
            if node == 1 {
                return;
            }
            earliest = earliest.min(self.nodes[node ^ 1]);
            node /= 2;
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

    /// Takes out all that is there, from `now` on.
    fn taken(agenda: &mut Agenda, mut now: Time) -> Vec<(Time, Event)> {
        let next = || {
            let (at, event) = agenda.next(now)?;
            now = at;
            Some((at, event))
        };
        std::iter::from_fn(next).collect()
    }

    fn message(client: u32) -> Message {
        Message { client: ClientId(client), body: Body::Ask }
    }

    #[test]
    fn at_one_instant_entries_come_in_the_order_they_were_scheduled() {
        let mut agenda = Agenda::new(2);
        let timer = Event::Due(ClientId(1), Timer::Renew);
        agenda.send(message(0), at(0), at(5));
        agenda.set(timer, at(5));
        agenda.send(message(1), at(0), at(5));
        agenda.set(Event::LeaseEnds, at(5));
        let arrives = Event::Arrives;
        assert_eq!(agenda.next(at(0)), Some((at(5), arrives(message(0)))));
        agenda.send(message(0), at(5), at(5));
        let order: Vec<Event> =
            taken(&mut agenda, at(5)).into_iter().map(|(_, event)| event).collect();
        let expected = [timer, arrives(message(1)), Event::LeaseEnds, arrives(message(0))];
        assert_eq!(order, expected);
    }

    #[test]
    fn what_never_happens_is_not_there() {
        let mut agenda = Agenda::new(1);
        agenda.set(Event::LeaseEnds, Time::NEVER);
        agenda.send(message(0), at(0), Time::NEVER);
        assert_eq!(agenda.due(Event::LeaseEnds), None);
        assert_eq!(agenda.next(at(0)), None);
    }

    proptest! {
        /// Whatever is set, moved, cancelled and sent: what comes out is what a sorted list gives.
        #[test]
        fn the_agenda_is_a_sorted_list(
            steps in prop::collection::vec((0u8..3, 0u32..4, 0u64..6), 1..80),
        ) {
            let mut agenda = Agenda::new(4);
            let mut list: Vec<((Time, u64), Event)> = Vec::new();
            for (number, (kind, client, second)) in steps.into_iter().enumerate() {
                let timer = Event::Due(ClientId(client), Timer::Step);
                let order = (at(second), number as u64);
                if kind == 0 {
                    agenda.send(message(client), at(0), at(second));
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
            prop_assert_eq!(taken(&mut agenda, at(0)), expected);
        }
    }
}
