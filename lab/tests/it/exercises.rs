//! The notebooks and exercises through the real kernel: what `cargo lab check` looks at, among it
//! every notebook from top to bottom, and what a reader sees.

use crate::environment::{all_text, cargo_lab, lab, notebooks};
use lab::run::client::Kernel;
use std::fs;
use std::process::Command;
use std::time::Duration;
use tokio::runtime::Runtime;

const LIMIT: Duration = Duration::from_secs(120);

#[test]
fn the_notebooks_keep_what_they_promise() {
    let numbers = notebooks().into_iter().map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name[..2].to_owned()
    });
    let output = cargo_lab(std::iter::once("check".to_owned()).chain(numbers));
    assert!(output.status.success(), "{}", all_text(&output));
    print!("{}", all_text(&output));
}

/// Goal: progress and hints outlive a kernel, and nothing that a check catches costs a variable.
#[test]
fn progress_and_hints_go_on_in_the_next_kernel() {
    let folder = tempfile::tempdir().expect("a folder for the progress");
    let file = folder.path().join("progress");
    let shown = |cells: &'static [&'static str]| {
        let runtime = Runtime::new().expect("a runtime starts");
        runtime.block_on(async {
            let notebooks = lab().notebooks();
            let start = Kernel::start_with(lab(), &notebooks, Some(&file));
            let mut kernel = start.await.expect("a kernel starts");
            kernel
                .execute(":dep fencing = { path = \"..\" }\nuse fencing::prelude::*;", LIMIT)
                .await;
            let mut texts = Vec::new();
            for cell in cells {
                let (ran, stop) = kernel.execute(cell, LIMIT).await;
                assert_eq!(stop, None, "{cell}: {ran:?}");
                let text = ran.outputs.iter().find_map(|output| output.shown("text/plain"));
                texts.push(text.unwrap_or_default().to_owned());
            }
            kernel.end().await;
            texts
        })
    };
    let first = shown(&[
        "let kept = 7;",
        "check_00_3(|_: &Trace| panic!(\"not today\"))",
        "check_03_1(\"b\")",
        "hint(\"03-2\")",
        "kept",
    ]);
    assert!(first[1].contains("Your code panics: not today."), "{first:?}");
    assert!(first[2].starts_with("Solved"), "{first:?}");
    assert!(first[3].contains("there are 2 more"), "{first:?}");
    assert_eq!(first[4], "7", "{first:?}");
    let second = shown(&["hint(\"03-2\")", "progress()", "hint(\"03-9\")"]);
    assert!(second[0].contains("2. Let the struct remember"), "{second:?}");
    assert!(second[1].contains("1 of "), "{second:?}");
    assert!(second[2].contains("did you mean `03-"), "{second:?}");
}

/// Goal: a reader gets a notebook back and loses nothing. Method: in a checkout of its own, since
/// the one that is tested must stay as it is.
#[test]
fn a_notebook_is_given_back_and_the_old_one_kept() {
    let folder = tempfile::tempdir().expect("a folder for a checkout");
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(folder.path()).args(arguments).output();
        let output = output.expect("git starts");
        assert!(output.status.success(), "{}", all_text(&output));
    };
    let notebooks = folder.path().join("notebooks");
    fs::create_dir(&notebooks).expect("a folder");
    let path = notebooks.join("03_some.ipynb");
    fs::write(&path, "as it was").expect("written");
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]);
    let checkout = lab::paths::Lab::at(folder.path().to_owned());
    let reset = |number: &str| {
        lab::reset::main(&checkout, &lab::reset::Options { number: number.to_owned() })
    };
    for (mine, aside) in [("one", "03_some.mine.ipynb"), ("two", "03_some.mine-2.ipynb")] {
        fs::write(&path, mine).expect("written");
        reset("3").expect("it is there");
        assert_eq!(fs::read_to_string(&path).expect("it is back"), "as it was");
        assert_eq!(fs::read_to_string(notebooks.join(aside)).expect("it is kept"), mine);
    }
    reset("03").expect("nothing to do");
    assert_eq!(fs::read_dir(&notebooks).expect("a folder").count(), 3);
    let error = reset("08").expect_err("there is none").to_string();
    assert!(error.contains("there is no notebook 08: there are 03"), "{error}");
}
