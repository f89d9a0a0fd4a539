//! What happens when nobody reads on, as in `cargo lab simulate | head -1`.

use std::panic;
use std::process;

/// What a shell reports of a program that a closed pipe has ended: 128 and the signal's number.
const CLOSED_PIPE: i32 = 141;

/// From now on the program ends, without a word, when what it prints goes to a closed pipe.
///
/// Rust's `println!` panics then, so that is where it is noticed: whoever prints, now or in a later
/// version, need not think of it. The code is that of other programs, so that a script which asks
/// for it is not told that all went well.
pub fn end_quietly_when_closed() {
    let other_panics = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>();
        if message.is_some_and(|message| is_closed_pipe(message)) {
            process::exit(CLOSED_PIPE);
        }
        other_panics(panic);
    }));
}

fn is_closed_pipe(message: &str) -> bool {
    message.starts_with("failed printing to std") && message.contains("Broken pipe")
}
