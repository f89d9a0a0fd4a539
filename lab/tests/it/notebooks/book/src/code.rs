//! Code that a notebook links to.

/// One.
pub const ONE: i32 = 1;
