//! `cargo lab book`: pages that say what the notebooks say, and need nothing but themselves.

use crate::environment::{all_text, cargo_lab, fixture, lab};
use lab::book::chapter::Chapter;
use lab::book::exercises::Exercises;
use lab::book::{self, references};
use lab::run::notebook::Notebook;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    fixture("book/notebooks")
}

fn chapter(folder: &Path, name: &str, exercises: &Exercises) -> Chapter {
    let plain = Notebook::read(&folder.join(format!("{name}.ipynb"))).expect("a notebook");
    let solved = exercises.solve(&plain).expect("its exercises are there");
    Chapter { name: name.to_owned(), folder: folder.to_owned(), plain, solved }
}

/// The site of the notebooks in `folder`, with the outputs that they have, without a kernel.
fn write(folder: &Path, names: &[&str], out: &Path) -> anyhow::Result<usize> {
    let exercises = Exercises::read(folder)?;
    let chapters: Vec<Chapter> =
        names.iter().map(|name| chapter(folder, name, &exercises)).collect();
    book::write(lab(), &chapters, &exercises, out)
}

fn site() -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().expect("a folder");
    let out = place.path().join("site");
    write(&folder(), &["10_first", "11_second"], &out).expect("a site");
    (place, out)
}

fn page(site: &Path, name: &str) -> String {
    fs::read_to_string(site.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The fixture with other text in a file, in a folder of its own.
fn changed(file: &str, from: &str, to: &str) -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a folder");
    let from_folder = fixture("book");
    for name in ["WORDS.md", "dot.svg", "src/code.rs", "notebooks/10_first.ipynb"]
        .into_iter()
        .chain(["notebooks/11_second.ipynb", "notebooks/exercises.toml"])
        .chain(["notebooks/solutions/10-1.rs"])
    {
        let target = place.path().join(name);
        fs::create_dir_all(target.parent().expect("a folder")).expect("it can be made");
        let text = fs::read_to_string(from_folder.join(name)).expect("a text");
        let text = if name == file { text.replace(from, to) } else { text };
        fs::write(target, text).expect("it can be written");
    }
    let text = fs::read_to_string(place.path().join(file)).expect("a text");
    assert!(text.contains(to), "{file} has no `{from}`");
    place
}

fn fault(place: &tempfile::TempDir) -> String {
    let folder = place.path().join("notebooks");
    let result = write(&folder, &["10_first", "11_second"], &place.path().join("site"));
    format!("{:#}", result.expect_err("a fault"))
}

#[test]
fn outputs_are_in_the_page_byte_for_byte() {
    let (_place, site) = site();
    let notebook = fs::read_to_string(folder().join("10_first.ipynb")).expect("a notebook");
    let notebook: Value = serde_json::from_str(&notebook).expect("a notebook");
    let html = notebook["cells"][2]["outputs"][0]["data"]["text/html"].as_str().expect("HTML");
    let page = page(&site, "10_first.html");
    assert!(page.contains(html), "{page}");
    // A picture is shown as one, with the text beside it as its description.
    assert!(page.contains("alt=\"a circle\" src=\"data:image/svg+xml;base64,"), "{page}");
    // What was printed is text, whatever letters are in it, and an error is shown.
    assert!(page.contains("&lt;b&gt;\ntwo\n") && page.contains("careful"), "{page}");
    assert!(page.contains("cannot find `Sed`") && !page.contains("a figure"), "{page}");
}

#[test]
fn mathematics_is_mathml_and_code_is_not_mathematics() {
    let (_place, site) = site();
    let page = page(&site, "10_first.html");
    assert_eq!(page.matches("<math ").count(), 3, "{page}");
    assert!(page.contains("<mfrac>") && page.contains("display=\"block\""), "{page}");
    assert!(page.contains("$5 and $6") && !page.contains("$L"), "{page}");
}

#[test]
fn an_exercise_is_folded_and_so_are_its_hints_and_its_solution() {
    let (_place, site) = site();
    let plain = page(&site, "10_first.html");
    let (before, exercise) = plain.split_once("<details class=\"exercise\"").expect("a fold");
    let (exercise, after) = exercise.split_once("That was all.").expect("an end");
    assert!(!before.contains("Let <code>twice</code>") && !after.contains("twice"), "{plain}");
    let parts = [
        "id=\"exercise-10-1\"",
        "Twice",
        "3 min",
        "Let <code>twice</code> double",
        "not attempted",
        "<details class=\"hint\"><summary>Hint 1",
        "Hint 2",
        "<details class=\"solution\"><summary>Solution",
        "the number and the number",
    ];
    let mut rest = exercise;
    for part in parts {
        let place = rest.find(part).unwrap_or_else(|| panic!("no `{part}` in\n{rest}"));
        rest = &rest[place..];
    }
    assert!(!exercise.contains("<h3"), "its title is said once: {exercise}");
    assert_eq!(exercise.matches("<details").count(), exercise.matches("</details>").count() - 1);
}

#[test]
fn the_solved_page_has_the_solution_in_the_place_of_the_starter() {
    let (_place, site) = site();
    let solved = page(&site, "solved/10_first.html");
    let starter = "<span class=\"fm\">todo!</span>";
    assert!(page(&site, "10_first.html").contains(starter) && !solved.contains(starter));
    assert!(solved.contains("the number and the number"), "{solved}");
    assert!(!solved.contains("class=\"solution\""), "{solved}");
    // A notebook without exercises has one page, to which both lead, and each way leads back.
    assert!(!site.join("solved/11_second.html").exists());
    assert!(solved.contains("href=\"../11_second.html\""), "{solved}");
    assert!(solved.contains("href=\"../10_first.html\""), "{solved}");
}

#[test]
fn links_between_files_are_links_between_pages() {
    let (_place, site) = site();
    let references = references::read(&page(&site, "10_first.html"));
    for link in [
        "11_second.html",
        "11_second.html#A-place",
        "files/WORDS.md.html",
        "files/src/code.rs.html",
        "https://example.org/",
        "#Links",
        "index.html",
        "solved/10_first.html",
    ] {
        assert!(references.links.iter().any(|has| has == link), "no {link} in {references:?}");
    }
    assert_eq!(references.loads, Vec::<String>::new());
    let words = references::read(&page(&site, "files/WORDS.md.html"));
    assert!(words.links.contains(&"../10_first.html".to_owned()), "{words:?}");
}

#[test]
fn the_first_page_says_what_each_notebook_is_for() {
    let (_place, site) = site();
    let index = page(&site, "index.html");
    for part in ["10 · First", "tell a <em>link</em> from a load, in two lines.", "7 min"] {
        assert!(index.contains(part), "no `{part}` in\n{index}");
    }
    assert!(index.contains("7 min in all, and 3 for the exercises"), "{index}");
    assert!(index.contains("1 exercise, 3 min") && index.contains("href=\"solved/10_first.html\""));
}

#[test]
fn a_dead_link_is_named() {
    let no_file = fault(&changed("notebooks/10_first.ipynb", "../WORDS.md", "../NOWHERE.md"));
    assert!(no_file.contains("10_first.html has a dead link to ../NOWHERE.md"), "{no_file}");
    let no_place = fault(&changed("notebooks/10_first.ipynb", "#A-place", "#No-place"));
    let dead = "10_first.html has a dead link to 11_second.html#No-place";
    assert!(no_place.contains(dead), "{no_place}");
}

#[test]
fn what_would_come_from_a_network_is_named() {
    let fault = fault(&changed(
        "notebooks/10_first.ipynb",
        "<rect id",
        "<image href='https://example.org/a.png'/><rect id",
    ));
    let load = "10_first.html would load <image href=\"https://example.org/a.png\">";
    assert!(fault.contains(load), "{fault}");
}

#[test]
fn a_link_to_a_notebook_that_is_not_in_the_book_is_only_its_words() {
    let place = tempfile::tempdir().expect("a folder");
    let out = place.path().join("site");
    write(&folder(), &["10_first"], &out).expect("a site");
    let page = page(&out, "10_first.html");
    assert!(page.contains("To the second, to a place in it"), "{page}");
}

#[test]
fn an_exercise_that_is_not_in_the_list_is_named() {
    let place = changed("notebooks/exercises.toml", "10-1", "10-9");
    let error = Exercises::read(&place.path().join("notebooks")).expect_err("no solution");
    assert!(format!("{error:#}").contains("solution of exercise 10-9"), "{error:#}");
    let plain = Notebook::read(&folder().join("10_first.ipynb")).expect("a notebook");
    let error = Exercises::default().solve(&plain).expect_err("no such exercise");
    assert!(error.to_string().contains("no exercise 10-1"), "{error}");
}

#[test]
fn only_an_older_site_is_replaced() {
    let (_place, site) = site();
    write(&folder(), &["11_second"], &site).expect("a second site in the place of the first");
    assert!(!site.join("10_first.html").exists());
    fs::write(site.join("index.html"), "mine").expect("it can be written");
    let error = write(&folder(), &["11_second"], &site).expect_err("it is somebody's own");
    assert!(error.to_string().contains("is there already and is no book"), "{error}");
}

/// Through the real kernel, and the program as a person starts it.
#[test]
fn a_book_has_what_the_cells_give_and_a_failing_cell_ends_it() {
    let place = tempfile::tempdir().expect("a folder");
    let book = |notebook: &str| {
        let (out, notebook) = (place.path().join("site"), fixture(notebook));
        let [command, option] = ["book", "--out"].map(std::ffi::OsStr::new);
        cargo_lab([command, option, out.as_os_str(), notebook.as_os_str()])
    };
    let output = book("passing.ipynb");
    assert!(output.status.success(), "{}", all_text(&output));
    assert!(page(&place.path().join("site"), "passing.html").contains("<b>a picture</b>"));
    let output = book("failing.ipynb");
    let text = all_text(&output);
    assert!(!output.status.success() && text.contains("mismatched types"), "{text}");
}
