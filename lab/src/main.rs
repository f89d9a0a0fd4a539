//! The `lab` program; `cargo lab` runs it. All it does is in the library beside it, so that the
//! integration tests can use the same parts.

use std::process::ExitCode;

fn main() -> ExitCode {
    lab::main()
}
