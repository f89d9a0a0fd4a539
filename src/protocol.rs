//! The protocol: what a lock service, a client and a store do, and nothing else.
//!
//! No randomness, no event queue, no counters. Each method takes what it needs and returns what
//! happened, so each can be read beside the explanation and pasted into a cell. Read in this order:
//!
//! 1. [`lease`]: who is who: [`ClientId`](lease::ClientId), [`Token`](lease::Token),
//!    [`Lease`](lease::Lease).
//! 2. [`lock`]: the lock service grants, renews, releases and expires.
//! 3. [`client`]: the turn of a client, from asking for the lock to writing.
//! 4. [`store`]: the resource, with the token check that mends what the lock cannot.
//! 5. [`message`]: what they say to one another.

pub mod client;
pub mod lease;
pub mod lock;
pub mod message;
pub mod store;
