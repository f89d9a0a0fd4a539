//! All that can happen next: a closed list, so that one sees everything that can set the world in
//! motion.

use crate::protocol::lease::ClientId;
use crate::protocol::message::Message;

/// Something that becomes due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// Time for the lock service to look at its clock: the current lease reaches its end.
    LeaseEnds,
    /// The next line of the script.
    Script,
    /// A timer of the lock service or the store.
    Service(ServiceTimer),
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
    /// The answer to a write has not come: time to send it again.
    Retry,
    /// What it sends to the lock service does not arrive from now on.
    CutOff,
}

impl Timer {
    /// Every timer, in the order of their numbers.
    pub(crate) const ALL: [Timer; 8] = [
        Timer::Step,
        Timer::Renew,
        Timer::CriticalPause,
        Timer::PoissonPause,
        Timer::Resume,
        Timer::CrashOrRestart,
        Timer::Retry,
        Timer::CutOff,
    ];
}

/// The timers of the lock service and the store, for what happens to them by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ServiceTimer {
    /// The lock service stands still from now on.
    LockStalls,
    /// It goes on.
    LockGoesOn,
    /// Another server takes its place.
    LockFailsOver,
    /// Its counter of tokens starts again.
    LockForgetsNumbers,
    /// An instance of a majority is out of reach from now on.
    InstanceIsAway,
    /// The clock of an instance of a majority is set forward.
    InstanceClockIsSet,
    /// The store loses its mark.
    StoreForgets,
    /// A write that the store has checked is done.
    WriteLands,
}

impl ServiceTimer {
    /// Every timer, in the order of their numbers.
    pub(crate) const ALL: [ServiceTimer; 8] = [
        ServiceTimer::LockStalls,
        ServiceTimer::LockGoesOn,
        ServiceTimer::LockFailsOver,
        ServiceTimer::LockForgetsNumbers,
        ServiceTimer::InstanceIsAway,
        ServiceTimer::InstanceClockIsSet,
        ServiceTimer::StoreForgets,
        ServiceTimer::WriteLands,
    ];
}
