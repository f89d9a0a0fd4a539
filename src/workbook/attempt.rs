//! Running a reader's code.
//!
//! It may panic, never come to an end, or not be written yet; none of that may take the reader's
//! variables away. So a check runs on a thread of its own. A panic is caught there. A thread that
//! has not answered in time is left alone: nothing can end a thread from outside. It keeps one
//! processor busy until the kernel is restarted, and the verdict says so. What no thread can
//! contain is a recursion without end: it ends the process in which cells run.

use super::answer::Answer;
use super::exercise;
use super::progress;
use super::verdict::{Finding, Shortfall, Verdict};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The name of the thread that runs a reader's code. The kernel's panic hook says nothing of
/// panics there, since the verdict does.
pub const READERS_THREAD: &str = "exercise";

/// How long a check may take without getting on, on the reader's clock.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// A check that gets on, on a slow machine or with slow code, is waited for as often as this.
const ROUNDS: u32 = 4;
/// Enough for any recursion that ends.
const STACK_BYTES: usize = 64 << 20;

thread_local! {
    /// Whether the code that is being checked still is a starter.
    static IS_STARTER: Cell<bool> = const { Cell::new(false) };
    /// How far the check on this thread is.
    static BEATS: RefCell<Arc<AtomicU64>> = RefCell::default();
}

/// Marks code as a starter. Delete the line when you have written your own.
pub fn your_turn() {
    IS_STARTER.set(true);
}

/// Says that the check on this thread gets on.
pub(crate) fn beat() {
    BEATS.with_borrow(|beats| beats.fetch_add(1, Ordering::Relaxed));
}

/// Runs a check of a reader's code and notes its verdict.
pub(crate) fn of_code(id: &str, check: impl FnOnce() -> Finding + Send + 'static) -> Verdict {
    let (report, reports) = channel();
    let beats = Arc::new(AtomicU64::new(0));
    let its_beats = Arc::clone(&beats);
    let spawned = thread::Builder::new()
        .name(READERS_THREAD.to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            IS_STARTER.set(false);
            BEATS.set(its_beats);
            let finding = catch_unwind(AssertUnwindSafe(check))
                .unwrap_or_else(|payload| panicked(payload.as_ref()));
            // Nobody listens any more if this took too long.
            let _ = report.send((finding, IS_STARTER.get()));
        });
    let finding = match spawned.map(|_| wait(&reports, &beats)) {
        Ok(Ok((Finding::NotYet(_), true))) => Finding::NotAttempted(
            "The line `your_turn();` is still there. Delete it when you have written your own."
                .to_owned(),
        ),
        Ok(Ok((finding, _))) => finding,
        Ok(Err(RecvTimeoutError::Timeout)) => no_end(),
        Ok(Err(RecvTimeoutError::Disconnected)) => panicked(&"(no message)"),
        Err(error) => Finding::NotAttempted(format!("The check could not be started: {error}.")),
    };
    noted(id, finding)
}

/// Judges an answer that is a value, and notes the verdict.
pub(crate) fn of_value<T: Send + 'static>(
    id: &str,
    answer: impl Answer<T>,
    check: impl FnOnce(T) -> Finding + Send + 'static,
) -> Verdict {
    let Some(value) = answer.given() else {
        let how = "Write your answer in the place of YOUR_TURN, and run the cell again.";
        return noted(id, Finding::NotAttempted(how.to_owned()));
    };
    of_code(id, move || check(value))
}

/// Judges one of several choices, and notes the verdict. `letters` are those there are.
pub(crate) fn of_choice(
    id: &str,
    answer: impl Answer<String>,
    letters: &'static [&'static str],
    check: impl FnOnce(&str) -> Finding + Send + 'static,
) -> Verdict {
    of_value(id, answer, move |letter| {
        if letters.contains(&letter.as_str()) {
            return check(&letter);
        }
        Finding::NotAttempted(format!("Answer with one of the letters {}.", letters.join(", ")))
    })
}

/// Waits for a report for as long as the check gets on.
fn wait<T>(reports: &Receiver<T>, beats: &AtomicU64) -> Result<T, RecvTimeoutError> {
    let mut last = 0;
    for _ in 1..ROUNDS {
        let report = reports.recv_timeout(PATIENCE);
        let now = beats.load(Ordering::Relaxed);
        if !matches!(report, Err(RecvTimeoutError::Timeout)) || now == last {
            return report;
        }
        last = now;
    }
    reports.recv_timeout(PATIENCE)
}

fn noted(id: &str, finding: Finding) -> Verdict {
    let verdict = Verdict::new(exercise::known(id), finding);
    progress::note(&verdict);
    verdict
}

fn no_end() -> Finding {
    Finding::NotYet(Shortfall::new(
        "Your code does not come to an end.",
        format!(
            "It did not get on for {:.1} s, where a good answer takes a small part of that. Look \
             for a loop that nothing ends. The run that hangs cannot be stopped: it keeps one \
             processor busy until you choose Kernel → Restart Kernel. Your variables are still \
             there.",
            PATIENCE.as_secs_f64()
        ),
    ))
}

fn panicked(payload: &(dyn Any + Send)) -> Finding {
    let explanation = "Nothing is lost. Mend it and run the cell again.";
    Finding::NotYet(Shortfall::new(panic_sentence(payload), explanation))
}

/// What a panic said.
pub(crate) fn panic_sentence(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    format!("Your code panics: {}.", text.unwrap_or("(no message)").trim_end_matches('.'))
}
