//! A process ends with the one that started it.
//!
//! Jupyter starts the kernel, the kernel starts the process that runs cells, and each may be killed
//! at any moment without a chance to clean up. A cell in an endless loop would then go on for ever.
//! So each of them looks, a few times a second, whether its parent is still there.

use rustix::process::{Signal, getpid, kill_process};
use std::os::unix::process::parent_id;
use std::thread;
use std::time::Duration;

const HOW_OFTEN: Duration = Duration::from_millis(200);

/// Ends this process soon after `parent` has ended.
///
/// The parent's number comes from the parent itself: asking for it here could come too late.
pub fn end_with(parent: u32) {
    thread::spawn(move || {
        while parent_id() == parent {
            thread::sleep(HOW_OFTEN);
        }
        // Not `exit`: that would first run what cells have registered for the end of the process.
        let _ = kill_process(getpid(), Signal::KILL);
    });
}
