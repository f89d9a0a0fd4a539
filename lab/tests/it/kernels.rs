//! Kernels beside one another, and kernels that are killed.

use crate::environment::lab;
use lab::run::client::{Kernel, Stop};
use lab::run::output::{Output, Ran};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

const LIMIT: Duration = Duration::from_secs(120);

fn runtime() -> Runtime {
    Runtime::new().expect("a runtime starts")
}

async fn start() -> Kernel {
    Kernel::start(lab(), &lab().notebooks()).await.expect("a kernel starts")
}

async fn run(kernel: &mut Kernel, source: &str) -> Ran {
    let (ran, stop) = kernel.execute(source, LIMIT).await;
    assert_eq!(stop, None, "`{source}` did not end: {ran:?}");
    ran
}

/// All that a cell printed.
fn printed(ran: &Ran) -> String {
    let printed = ran.outputs.iter().filter_map(|output| match output {
        Output::Stream { text, .. } => Some(text.as_str()),
        _ => None,
    });
    printed.collect()
}

fn has_error(ran: &Ran) -> bool {
    ran.outputs.iter().any(|output| matches!(output, Output::Error { .. }))
}

/// Goal: what a reader does in one notebook cannot be seen in another. Method: two kernels with the
/// same names for different things take turns, also to fail, and compile at the same time.
#[test]
fn two_kernels_do_not_disturb_each_other() {
    runtime().block_on(async {
        let (mut one, mut two) = tokio::join!(start(), start());
        tokio::join!(run(&mut one, "let shared = 1;"), run(&mut two, "let shared = \"two\";"));
        tokio::join!(
            run(&mut one, "fn double(n: i32) -> i32 { n * 2 }"),
            run(&mut two, "fn double(s: &str) -> String { format!(\"{s}{s}\") }")
        );
        let wrong = run(&mut one, "double(\"not a number\")").await;
        assert!(has_error(&wrong), "{wrong:?}");
        for round in 0..3 {
            let source = format!("println!(\"{round} {{}}\", double(shared));");
            let (first, second) = tokio::join!(run(&mut one, &source), run(&mut two, &source));
            assert_eq!(printed(&first), format!("{round} 2\n"), "{first:?}");
            assert_eq!(printed(&second), format!("{round} twotwo\n"), "{second:?}");
        }
        one.end().await;
        let after = run(&mut two, "println!(\"{shared}\");").await;
        assert_eq!(printed(&after), "two\n", "{after:?}");
        two.end().await;
    });
}

/// Every line in the cell that printed it, whole, whichever channel it was printed on.
#[test]
fn what_a_cell_prints_stays_in_that_cell() {
    runtime().block_on(async {
        let mut kernel = start().await;
        for round in 0..5 {
            let source = format!(
                "for i in 0..20 {{ eprintln!(\"error {round} {{i}}\"); }}\n\
                 println!(\"line {round}\"); eprint!(\"unfinished {round}\");"
            );
            let text = printed(&run(&mut kernel, &source).await);
            let mut expected: String = (0..20).map(|i| format!("error {round} {i}\n")).collect();
            expected.push_str(&format!("line {round}\nunfinished {round}\n"));
            assert_eq!(text, expected);
        }
        kernel.end().await;
    });
}

/// An interrupt ends the process that runs cells, and with it the panic hook.
#[test]
fn a_panic_shows_its_box_also_after_the_cells_process_was_lost() {
    runtime().block_on(async {
        let mut kernel = start().await;
        let (lost, stop) = kernel.execute("std::process::abort();", LIMIT).await;
        assert_eq!(stop, Some(Stop::CellsLost), "{lost:?}");
        let ran = run(&mut kernel, "let list: Vec<i32> = Vec::new();\nlist[3]").await;
        let boxes: Vec<_> = ran.outputs.iter().filter_map(|o| o.shown("text/html")).collect();
        assert!(boxes.iter().any(|html| html.contains("data-panic")), "{ran:?}");
        assert!(!printed(&ran).contains("stack backtrace"), "{ran:?}");
        kernel.end().await;
    });
}

#[test]
fn a_kernel_that_ends_removes_its_folder() {
    runtime().block_on(async {
        let kernel = start().await;
        let folder = folder_of(kernel.process_number().expect("it runs"));
        kernel.end().await;
        assert!(!folder.exists(), "{} is still there", folder.display());
    });
}

/// Goal: a kernel that is killed in the middle of an endless cell leaves no process, and no folder
/// after the next start. Method: kill the process that Jupyter knows, and only that one.
#[test]
fn a_killed_kernel_leaves_nothing_behind() {
    runtime().block_on(async {
        let mut kernel = start().await;
        let number = kernel.process_number().expect("it runs");
        let folder = folder_of(number);
        let (_, stop) = kernel.execute("loop {}", Duration::from_secs(3)).await;
        assert!(matches!(stop, Some(Stop::TooLong(_))), "{stop:?}");
        kill(number);
        wait_until("its processes have ended", || processes_in(&folder).is_empty());
        let next = start().await;
        assert!(!folder.exists(), "{} is still there", folder.display());
        next.end().await;
        drop(kernel);
    });
}

/// The folder of the kernel whose guard has this number.
fn folder_of(number: u32) -> PathBuf {
    let start = format!("{number}-");
    let entries = fs::read_dir(lab().kernels()).expect("there are kernels").flatten();
    let mut folders = entries.map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with(&start) && path.is_dir()
    });
    folders.next().expect("a running kernel has a folder")
}

fn kill(number: u32) {
    let number = i32::try_from(number).ok().and_then(rustix::process::Pid::from_raw);
    let signal = rustix::process::Signal::KILL;
    rustix::process::kill_process(number.expect("a process number"), signal).expect("it is ours");
}

/// The processes that work in a kernel's folder, by the variable that names it to them.
fn processes_in(folder: &Path) -> Vec<String> {
    let wanted = format!("EVCXR_TMPDIR={}", folder.display());
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter(|entry| {
            fs::read(entry.path().join("environ"))
                .is_ok_and(|bytes| bytes.split(|b| *b == 0).any(|v| v == wanted.as_bytes()))
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// Waits long enough for the busiest machine, and fails if it never happens.
fn wait_until(what: &str, mut happens: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happens() {
        assert!(start.elapsed() < Duration::from_secs(30), "waited in vain until {what}");
        thread::sleep(Duration::from_millis(50));
    }
}
