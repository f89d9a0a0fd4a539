//! All that can happen next: a closed list, so that one sees everything that can set the world in
//! motion.

use crate::protocol::lease::ClientId;
use crate::protocol::message::Message;

/// Something that becomes due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The current lease reaches its end.
    LeaseEnds,
    /// The next line of the script.
    Script,
    /// A timer of a client.
    Due(ClientId, Timer),
    /// A message reaches its receiver.
    Arrives(Message),
}

/// The timers of a client. Each can be set once at a time, so that setting one again moves it and
/// nothing stale is left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timer {
    /// Thinking, work or commit is over.
    Step,
    /// Time to renew the lease.
    Renew,
    /// The planned pause of this critical section begins.
    CriticalPause,
    /// A pause that can fall anywhere begins.
    PoissonPause,
    /// The pause is over.
    Resume,
    /// The process crashes, or starts again.
    CrashOrRestart,
}

impl Timer {
    /// Every timer, in the order of their numbers.
    pub(crate) const ALL: [Timer; 6] = [
        Timer::Step,
        Timer::Renew,
        Timer::CriticalPause,
        Timer::PoissonPause,
        Timer::Resume,
        Timer::CrashOrRestart,
    ];
}
