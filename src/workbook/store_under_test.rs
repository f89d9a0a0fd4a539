//! What a reader may bring as the store, or as the part of it that checks tokens.
//!
//! Behind each of the reader's traits stands one private form, `Subject`, so that all are put to
//! the same runs. The code that runs them is compiled with the library: only thin adapters are
//! compiled in a cell.

use crate::protocol::lease::{ClientId, Token};
use crate::protocol::store::{Record, Refused, Store, Write};
use std::fmt;

/// A request as it reaches the store, with all that somebody might think of looking at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Who sent it.
    pub client: ClientId,
    /// The token of the lease under which it was sent.
    pub token: Token,
    /// Whether it is a read or a write.
    pub kind: RequestKind,
    /// The token that was current at the lock service when the client asked, just before: at the
    /// grant for a read, at the end of its work for a write. `None`: no lease was.
    pub current: Option<Token>,
}

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequestKind {
    /// The value.
    Read,
    /// Another value.
    Write,
}

/// The part of a store that decides which requests are served.
pub trait Admit {
    /// Whether this request is served. Called once for each request, in the order in which they
    /// reach the store.
    fn admit(&mut self, request: &Request) -> bool;
}

/// A gateway in front of a store. What it lets pass reaches the store a moment or some seconds
/// later, and not always in the same order.
pub trait Gateway {
    /// A request reaches the gateway: whether it is passed on.
    fn pass(&mut self, request: &Request) -> bool;
    /// A request that was passed on reaches the store: whether it is served.
    fn serve(&mut self, request: &Request) -> bool;
}

/// A store whose process may stop at any time and start again.
pub trait Restart: Store {
    /// What is on its disk, and so still there after a restart.
    type Disk: Clone;
    /// What is on the disk now. It is lent, so that it has to be a part of the store: what is only
    /// put together here was never saved.
    fn disk(&self) -> &Self::Disk;
    /// A new process starts with what it finds on the disk.
    fn start(disk: Self::Disk) -> Self;
}

/// What a reader has brought, in the form in which it is tried.
pub(crate) trait Subject {
    /// A request leaves its client; false if it is turned away on the way.
    fn passes(&mut self, _request: &Request) -> bool {
        true
    }
    /// A read reaches the store.
    fn read(&mut self, request: &Request) -> Result<Record, Refused>;
    /// A write reaches the store.
    fn write(&mut self, request: &Request, write: Write) -> Result<(), Refused>;
    /// The store's process stops and starts again.
    fn restart(&mut self) {}
}

/// Makes a new one for each run.
pub(crate) type Make = Box<dyn Fn() -> Box<dyn Subject> + Send>;

/// A store that asks the reader's part which requests it may serve, and keeps the value itself.
struct Asks<A> {
    readers: A,
    record: Record,
    /// The highest token that was served, to be named in a refusal.
    highest: Token,
}

impl<A> Asks<A> {
    fn new(readers: A) -> Asks<A> {
        Asks { readers, record: Record::default(), highest: Token::NONE }
    }

    fn answer(&mut self, request: &Request, is_served: bool) -> Result<(), Refused> {
        if !is_served {
            return Err(Refused { mark: self.highest });
        }
        self.highest = self.highest.max(request.token);
        Ok(())
    }

    fn written(&mut self, write: Write) {
        self.record = Record { value: write.value, version: self.record.version + 1 };
    }
}

impl<A: Admit + ?Sized> Subject for Asks<Box<A>> {
    fn read(&mut self, request: &Request) -> Result<Record, Refused> {
        let is_served = self.readers.admit(request);
        self.answer(request, is_served).map(|()| self.record)
    }

    fn write(&mut self, request: &Request, write: Write) -> Result<(), Refused> {
        let is_served = self.readers.admit(request);
        self.answer(request, is_served).map(|()| self.written(write))
    }
}

/// The same for a gateway.
struct Gated<G>(Asks<G>);

impl<G: Gateway + ?Sized> Subject for Gated<Box<G>> {
    fn passes(&mut self, request: &Request) -> bool {
        self.0.readers.pass(request)
    }

    fn read(&mut self, request: &Request) -> Result<Record, Refused> {
        let is_served = self.0.readers.serve(request);
        self.0.answer(request, is_served).map(|()| self.0.record)
    }

    fn write(&mut self, request: &Request, write: Write) -> Result<(), Refused> {
        let is_served = self.0.readers.serve(request);
        self.0.answer(request, is_served).map(|()| self.0.written(write))
    }
}

/// A whole store of the reader's.
struct Whole<S>(S);

impl<S: Store> Subject for Whole<S> {
    fn read(&mut self, request: &Request) -> Result<Record, Refused> {
        self.0.read(request.token)
    }

    fn write(&mut self, _request: &Request, write: Write) -> Result<(), Refused> {
        self.0.write(write)
    }
}

/// A whole store that can be restarted.
struct Restarts<S>(S);

impl<S: Restart> Subject for Restarts<S> {
    fn read(&mut self, request: &Request) -> Result<Record, Refused> {
        self.0.read(request.token)
    }

    fn write(&mut self, _request: &Request, write: Write) -> Result<(), Refused> {
        self.0.write(write)
    }

    fn restart(&mut self) {
        self.0 = S::start(self.0.disk().clone());
    }
}

pub(crate) fn of_admit<A: Admit + 'static>(make: impl Fn() -> A + Send + 'static) -> Make {
    Box::new(move || Box::new(Asks::<Box<dyn Admit>>::new(Box::new(make()))))
}

pub(crate) fn of_gateway<G: Gateway + 'static>(make: impl Fn() -> G + Send + 'static) -> Make {
    Box::new(move || Box::new(Gated(Asks::<Box<dyn Gateway>>::new(Box::new(make())))))
}

pub(crate) fn of_store<S: Store + 'static>(make: impl Fn() -> S + Send + 'static) -> Make {
    Box::new(move || Box::new(Whole(make())))
}

pub(crate) fn of_restart<S: Restart + 'static>(make: impl Fn() -> S + Send + 'static) -> Make {
    Box::new(move || Box::new(Restarts(make())))
}

impl fmt::Display for RequestKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RequestKind::Read => "read",
            RequestKind::Write => "write",
        })
    }
}
