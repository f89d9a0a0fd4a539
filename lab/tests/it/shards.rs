//! `cargo lab sweep` and `cargo lab gather`, as a person, a script or a cluster calls them, and the
//! files of docs/many-machines.md.

use crate::environment::{PROGRAM, all_text, cargo_lab, fixture};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const SWEEP: &str = "seed = 3\nrepeats = 4\ngrants = 300\n\
                     [knobs]\nlease = [\"5s\", \"10s\"]\nlook = [\"never\", \"own_clock\"]\n";

/// A folder with a sweep file in it.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("sweep.toml"), SWEEP).expect("a sweep file");
    folder
}

fn lab(folder: &TempDir, command: &str) -> Output {
    let mut program = Command::new(PROGRAM);
    program.args(command.split_whitespace()).current_dir(folder.path());
    program.output().expect("the program starts")
}

fn good(folder: &TempDir, command: &str) -> Output {
    let output = lab(folder, command);
    assert!(output.status.success(), "{command}: {}", all_text(&output));
    output
}

fn read(folder: &TempDir, file: &str) -> String {
    fs::read_to_string(folder.path().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn shards_gathered_are_the_file_of_one_machine() {
    let folder = folder();
    good(&folder, "sweep sweep.toml --out one.csv --threads 1");
    good(&folder, "sweep sweep.toml --out two.csv --threads 2");
    assert_eq!(read(&folder, "one.csv"), read(&folder, "two.csv"));
    for shard in 1..=3 {
        good(&folder, &format!("sweep sweep.toml --shard {shard}/3 --out part-{shard}.csv"));
    }
    let output = good(&folder, "gather part-3.csv part-1.csv part-2.csv part-1.csv --out all.csv");
    assert_eq!(read(&folder, "all.csv"), read(&folder, "one.csv"));
    let text = all_text(&output);
    assert!(text.contains("note: shard 1/3 is there twice, in part-1.csv and in"), "{text}");
    assert!(output.stdout.is_empty(), "{text}");
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").flatten().collect();
    // The sweep file, two wholes, three parts, all: and nothing unfinished.
    assert_eq!(left.len(), 7, "{left:?}");
}

#[test]
fn without_a_file_there_is_a_table_of_the_cells_alone() {
    let folder = folder();
    let output = good(&folder, "sweep sweep.toml");
    let table = String::from_utf8(output.stdout).expect("it is text");
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("lease_s  look"), "{table}");
    assert_eq!(lines.len(), 5, "{table}");
    assert!(lines[1].contains("95 %"), "{table}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("16 runs in "));
    good(&folder, "sweep sweep.toml --out all.csv");
    let gathered = good(&folder, "gather all.csv");
    assert_eq!(String::from_utf8(gathered.stdout).expect("it is text"), table);
    let empty = good(&folder, "sweep sweep.toml --shard 17/17");
    assert_eq!(empty.stdout, b"no runs\n");
}

#[test]
fn a_part_that_is_there_is_kept_and_anything_else_is_not_touched() {
    let folder = folder();
    good(&folder, "sweep sweep.toml --shard 1/2 --out part.csv");
    let part = read(&folder, "part.csv");
    let again = all_text(&good(&folder, "sweep sweep.toml --shard 1/2 --out part.csv"));
    assert!(again.contains("part.csv has all these runs already: nothing to do"), "{again}");
    let refused = |command: &str| {
        let output = lab(&folder, command);
        assert!(!output.status.success(), "{command}");
        all_text(&output)
    };
    let other = refused("sweep sweep.toml --shard 2/2 --out part.csv");
    assert!(other.contains("part.csv is there already and holds shard 1/2"), "{other}");
    assert_eq!(read(&folder, "part.csv"), part);
    let notes = refused("sweep sweep.toml --out sweep.toml");
    assert!(notes.contains("sweep.toml is there already: name another file, or add --force"));
    assert_eq!(read(&folder, "sweep.toml"), SWEEP);
    good(&folder, "sweep sweep.toml --shard 2/2 --out other.csv");
    let into_part = refused("gather part.csv other.csv --out part.csv");
    assert!(into_part.contains("holds shard 1/2"), "{into_part}");
    good(&folder, "sweep sweep.toml --shard 2/2 --out part.csv --force");
    assert_eq!(read(&folder, "part.csv"), read(&folder, "other.csv"));
    // What was cut off is made again.
    let cut = read(&folder, "part.csv").lines().map(|l| l.to_owned() + "\n").collect::<Vec<_>>();
    fs::write(folder.path().join("part.csv"), cut[..cut.len() - 1].concat()).expect("a file");
    good(&folder, "sweep sweep.toml --shard 2/2 --out part.csv");
    assert_eq!(read(&folder, "part.csv"), cut.concat());
}

/// Each gets one sentence that says what to change, and nothing panics.
#[test]
fn mistakes_get_a_sentence() {
    let folder = folder();
    good(&folder, "sweep sweep.toml --shard 1/2 --out part-1.csv");
    fs::write(folder.path().join("other.toml"), SWEEP.replace("seed = 3", "seed = 4")).expect("ok");
    good(&folder, "sweep other.toml --shard 2/2 --out other-2.csv");
    fs::write(folder.path().join("bad.toml"), "repeats = 2\n\nleese = 3\n").expect("a file");
    for (command, part) in [
        ("sweep", "<FILE>"),
        ("sweep no-such.toml", "no-such.toml: No such file"),
        ("sweep bad.toml", "bad.toml: line 3: unknown field `leese`"),
        ("sweep sweep.toml --shard 0/4", "counted from 1"),
        ("sweep sweep.toml --shard 5/4", "there is no shard 5 of 4"),
        ("sweep sweep.toml --shard two", "such as 2/4"),
        ("sweep sweep.toml --threads 0", "0 is not in 1.."),
        ("sweep sweep.toml --force", "--out <FILE>"),
        ("sweep sweep.toml --out no/such/part.csv", "there is no folder no/such"),
        ("sweep sweep.toml --out .", "could not write .: it is a folder"),
        ("gather", "<PART>"),
        ("gather no-such.csv", "no-such.csv: No such file"),
        ("gather sweep.toml", "this is no part of a sweep"),
        ("gather part-1.csv", "8 of 16 runs are missing: shard 2/2 is not there"),
        ("gather part-1.csv other-2.csv", "the seed is 3 in the first and 4 in the second"),
    ] {
        let output = lab(&folder, command);
        let text = all_text(&output);
        assert!(!output.status.success(), "{command}: {text}");
        assert!(text.contains(part), "{command}: {text}");
        assert!(!text.contains("panicked"), "{command}: {text}");
    }
}

/// As in `cargo lab simulate | head -1`. The program ends with the code of a closed pipe.
#[test]
fn a_closed_pipe_ends_a_command_without_a_word() {
    cargo_lab(["setup"]);
    let folder = folder();
    let notebook = fixture("passing.ipynb");
    for arguments in [
        vec!["simulate"],
        vec!["simulate", "--format", "json"],
        vec!["sweep", "sweep.toml"],
        vec!["doctor"],
        vec!["setup"],
        vec!["run", notebook.to_str().expect("a path")],
    ] {
        let mut program = Command::new(PROGRAM);
        program.args(&arguments).current_dir(folder.path());
        let pipes = program.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let text = all_text(&output);
        assert!(!text.contains("panicked"), "{arguments:?}: {text}");
        assert_eq!(output.status.code(), Some(141), "{arguments:?}: {text}");
    }
}

fn page(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(file)
}

fn script(file: &str) -> String {
    fs::read_to_string(page("many-machines").join(file)).expect("a file of the page")
}

/// A folder that is to the scripts what a checkout is: with the program and the example.
fn checkout() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let file = "data/sweeps/lease-and-check.toml";
    for inner in ["target/debug", "data/sweeps", "parts"] {
        fs::create_dir_all(folder.path().join(inner)).expect("a folder");
    }
    fs::copy(page("..").join(file), folder.path().join(file)).expect("the example");
    std::os::unix::fs::symlink(PROGRAM, folder.path().join("target/debug/lab")).expect("a link");
    good(&folder, &format!("sweep {file} --out one-machine.csv"));
    folder
}

fn shell(folder: &TempDir, script: &str, variables: &[(&str, &str)]) -> Output {
    let mut shell = Command::new("bash");
    shell.args(["-euc", script]).current_dir(folder.path()).envs(variables.iter().copied());
    shell.output().expect("bash starts")
}

#[test]
fn the_page_shows_its_files_whole() {
    let text = fs::read_to_string(page("many-machines.md")).expect("the page");
    for file in ["parallel.sh", "slurm.sh", "Dockerfile", "kubernetes.yaml"] {
        assert!(text.contains(&format!("\n{}```\n", script(file))), "{file} is not on the page");
    }
    let example = fs::read_to_string(page("../data/sweeps/lease-and-check.toml")).expect("there");
    assert!(text.contains(&example), "the sweep file is not on the page");
}

/// Goal: the page's script does what it says, also when a shard fails and the script is called once
/// more. Method: at first the program is one that fails for shard 3.
#[test]
fn the_script_for_gnu_parallel_finishes_what_failed() {
    let found = Command::new("parallel").arg("--version").output();
    if !found.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("GNU parallel")) {
        let what = "there is no GNU parallel: on Debian and Ubuntu, apt-get install parallel";
        assert!(std::env::var_os("NOTHING_SKIPPED").is_none(), "{what}");
        eprintln!("NOT TESTED: the script for GNU parallel, since {what}");
        return;
    }
    let folder = checkout();
    let program = folder.path().join("target/debug/lab");
    fs::remove_file(&program).expect("the link");
    let failing =
        format!("#!/bin/sh\ncase \"$*\" in *3/8*) exit 7;; esac\nexec {PROGRAM} \"$@\"\n");
    fs::write(&program, failing).expect("a program");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&program, mode).expect("it is ours");
    let output = shell(&folder, &script("parallel.sh"), &[]);
    assert!(!output.status.success(), "{}", all_text(&output));
    assert!(!folder.path().join("all.csv").exists());
    assert!(!folder.path().join("parts/3.csv").exists());
    let before = fs::metadata(folder.path().join("parts/2.csv")).expect("it ran").modified();

    fs::remove_file(&program).expect("the program");
    std::os::unix::fs::symlink(PROGRAM, &program).expect("a link");
    let output = shell(&folder, &script("parallel.sh"), &[]);
    assert!(output.status.success(), "{}", all_text(&output));
    assert_eq!(read(&folder, "all.csv"), read(&folder, "one-machine.csv"));
    // Eight at first, one more now.
    let jobs = read(&folder, "parts/jobs.log").lines().count() - 1;
    assert_eq!(jobs, 9, "{}", read(&folder, "parts/jobs.log"));
    let after = fs::metadata(folder.path().join("parts/2.csv")).expect("it ran").modified();
    assert_eq!(before.expect("a time"), after.expect("a time"));
}

#[test]
fn the_script_for_slurm_makes_every_shard() {
    let folder = checkout();
    let place = folder.path().to_str().expect("a path").to_owned();
    for task in 1..=16 {
        let task = task.to_string();
        let variables = [
            ("SLURM_ARRAY_TASK_ID", task.as_str()),
            ("SLURM_CPUS_PER_TASK", "2"),
            ("SLURM_SUBMIT_DIR", &place),
        ];
        let output = shell(&folder, &script("slurm.sh"), &variables);
        assert!(output.status.success(), "{}", all_text(&output));
    }
    let output = shell(&folder, "target/debug/lab gather parts/*.csv --out all.csv", &[]);
    assert!(output.status.success(), "{}", all_text(&output));
    assert_eq!(read(&folder, "all.csv"), read(&folder, "one-machine.csv"));
}

/// The lines of the one literal block in the file, which is the pod's script.
#[test]
fn the_script_for_kubernetes_makes_every_shard() {
    let folder = checkout();
    let yaml = script("kubernetes.yaml");
    let block = yaml.split("- |\n").nth(1).expect("a literal block");
    let lines = block.lines().take_while(|line| line.starts_with(&" ".repeat(14)));
    let parts = folder.path().join("parts").display().to_string();
    let pod = lines.collect::<Vec<_>>().join("\n").replace("/parts", &parts);
    assert!(yaml.contains("command: [\"sh\", \"-euc\"]") && yaml.contains("completions: 16"));
    let path = format!(
        "{}:{}",
        folder.path().join("target/debug").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    for index in 0..16 {
        let index = index.to_string();
        let variables = [("JOB_COMPLETION_INDEX", index.as_str()), ("PATH", &path)];
        let output = shell(&folder, &pod, &variables);
        assert!(output.status.success(), "{}", all_text(&output));
    }
    let output = shell(&folder, "target/debug/lab gather parts/[0-9]*.csv --out all.csv", &[]);
    assert!(output.status.success(), "{}", all_text(&output));
    assert_eq!(read(&folder, "all.csv"), read(&folder, "one-machine.csv"));
}
