//! The pictures: what the sequence diagram tells, and that it can be read.

use crate::scenarios::any_scenario;
use expect_test::{expect, expect_file};
use fencing::figures::sequence::SequenceDiagram;
use fencing::prelude::*;
use proptest::option;
use proptest::prelude::*;
use roxmltree::{Document, Node};

fn incident() -> SequenceDiagram {
    diagram(&Scenario::incident())
}

fn diagram(scenario: &Scenario) -> SequenceDiagram {
    trace(scenario, Seed(1)).expect("the scenario can be run").sequence()
}

#[test]
fn the_incident_is_told_line_by_line() {
    expect_file!["incident.txt"].assert_eq(&format!("{}\n", incident()));
}

#[test]
fn the_incident_is_told_in_a_sentence() {
    let told = incident().description().replace("; ", ";\n");
    expect![[r#"
        A is granted the lock with token 33 and is paused for 11 s;
        its lease expires;
        B is granted the lock with token 34;
        A wakes;
        B writes;
        A's write is accepted by the store: a zombie write.
    "#]]
    .assert_eq(&format!("{told}\n"));
}

/// A copy that comes with its original is one more arrow, and each has its own name.
#[test]
fn a_copy_is_not_taken_for_its_original() {
    let at_once = Mishap { probability: 1.0, delay: Delay::ZERO };
    for twice in [at_once.clone(), Mishap { delay: Delay::constant(secs(1)), ..at_once }] {
        let network = Network { duplicate_writes: twice, ..Network::default() };
        let html = diagram(&Scenario { network, ..Scenario::incident() }).to_html();
        // As hover texts: the telling has both in any case.
        let (picture, _) = html.split_once("<details").expect("the telling comes after");
        for words in ["A sends its write", "the network makes a copy of A&#39;s write"] {
            assert!(picture.contains(words), "no {words}");
        }
    }
}

/// Without a lock nothing is said of a lock service, nor of a token that is none.
#[test]
fn without_a_lock_no_lock_service_is_drawn() {
    let lock = LockSetup { kind: LockKind::None, ..LockSetup::default() };
    let picture = diagram(&Scenario { lock, ..Scenario::incident() });
    let svg = picture.to_svg();
    assert!(svg.contains("takes its turn") && !svg.contains("lock service"), "{svg}");
    let told = picture.to_string();
    assert!(!told.contains("token 0") && !told.contains("believes"), "{told}");
}

/// What began before the part that is shown is told first.
#[test]
fn a_part_of_a_run_begins_with_what_is_already_so() {
    let part = incident().between(Time::START + secs(13), Time::START + millis(14_400));
    expect![[r#"
        13.000 s  A has believed that it holds the lock (token 33) since 2.2 s
        13.000 s  B has believed that it holds the lock (token 34) since 12.2 s
        13.000 s  A has been paused since 3 s, until 14 s
        14.000 s  A wakes, and goes on where it stopped
        14.400 s  B sends its write with token 34"#]]
    .assert_eq(&part.to_text());
}

#[test]
fn the_first_zombie_of_a_long_run_is_found_and_shown() {
    let run = trace(&Scenario::baseline(), Seed(1)).expect("the baseline can be run");
    let zombie = run.first_zombie_write().expect("the baseline has some");
    let around = run.sequence().around_first_zombie();
    assert!(around.to_text().contains("ZOMBIE WRITE"), "{around}");
    assert!(around.to_text().lines().count() < 80, "{around}");
    assert_eq!(marks(&around.to_svg()).iter().filter(|mark| *mark == "zombie").count(), 1);
    assert_eq!(around, run.sequence().around(zombie));
}

#[test]
fn where_there_is_no_zombie_the_diagram_says_so() {
    let checked = Scenario { token_check: TokenCheck::OnEveryRequest, ..Scenario::incident() };
    let none = diagram(&checked).around_first_zombie();
    assert_eq!(none.to_text(), "There is no zombie write in this run of 16 s (seed 1).");
    assert_eq!(none.to_html(), format!("<p>{none}</p>"));
}

/// A trace of 10,000 grants ends a cell as well as one of four: the picture is cut, and says so.
#[test]
fn a_long_run_is_cut() {
    let long = diagram(&Scenario::baseline());
    let text = long.to_text();
    assert!(text.contains("Shown is the part from 0 s to "), "{text}");
    assert!(text.lines().count() < 400);
    assert!(long.to_html().len() < 200_000);
    assert!(height(&long.to_svg()) < 1_500.0);
}

#[test]
fn the_incident_fits_on_a_screen() {
    let svg = incident().to_svg();
    assert!(height(&svg) <= 900.0, "{}", height(&svg));
    let wide = diagram(&Scenario { clients: 6, ..Scenario::incident() }).to_svg();
    let document = Document::parse(&wide).expect("XML");
    assert!(number(document.root_element(), "width") <= 800.0);
}

/// Words that find no place are left out; those that tell the story have one.
#[test]
fn the_words_of_the_incident_are_all_there() {
    let svg = incident().to_svg();
    let document = Document::parse(&svg).expect("XML");
    let texts = texts(&document);
    let story = ["ask", "granted 33", "read 33", "paused", "11 s", "expired", "granted 34"];
    let end = ["believes,", "lease over", "write 34", "34 accepted", "release 34", "write 33"];
    for word in story.iter().chain(&end).chain(&["33: zombie write", "lost update"]) {
        assert!(texts.iter().any(|text| text == word), "{word} is missing: {texts:?}");
    }
}

/// The same trace, the same text: an output that is committed does not change by itself. Without
/// ids two figures of one page cannot get into each other's way.
#[test]
fn a_figure_has_no_ids_and_no_chance_in_it() {
    let html = incident().to_html();
    assert_eq!(html, incident().to_html());
    for word in [" id=", "url(#", "<a ", "<script", "onclick"] {
        assert!(!html.contains(word), "{word}");
    }
}

#[test]
fn the_picture_is_named_and_its_parts_can_be_reached() {
    let html = incident().to_html();
    let document = Document::parse(&html).expect("XML");
    let svg = document.descendants().find(|node| node.has_tag_name(SVG)).expect("a picture");
    assert_eq!(svg.attribute("role"), Some("img"));
    assert_eq!(svg.attribute("aria-label"), Some(incident().description().as_str()));
    let events: Vec<Node<'_, '_>> =
        svg.descendants().filter(|node| node.attribute("tabindex") == Some("0")).collect();
    assert!(events.len() >= 25, "{}", events.len());
    for event in events {
        let told = event.attribute("aria-label").unwrap_or_default();
        assert!(told.contains(" s"), "{told:?} does not say when");
        assert!(event.descendants().any(|node| node.attribute("class") == Some("fz-tip")));
        let has_title = event.children().any(|node| node.has_tag_name((NAMESPACE, "title")));
        assert!(!has_title, "a browser shows it beside the tip");
    }
}

#[test]
fn the_still_picture_is_an_image_with_a_description() {
    let still = incident().titled("A <lease> & its \"end\"").still();
    let html = still.to_html();
    assert!(html.starts_with("<figure"), "{html}");
    assert!(html.contains("src=\"data:image/svg+xml;base64,"));
    assert!(html.contains(&format!("alt=\"{}\"", still.description.replace('\'', "&#39;"))));
    let document = Document::parse(&still.svg).expect("XML");
    assert!(texts(&document).contains(&"A <lease> & its \"end\"".to_owned()));
    assert!(!still.svg.contains("tabindex"), "an image has no hover texts");
}

/// Each of the two forms of a pause has an entry where it occurs, and nowhere else.
#[test]
fn the_legend_tells_a_pause_from_one_with_the_lease_over() {
    let entries = |pause| {
        let pauses = Pauses::script([ScriptedPause::new(0, secs(3), pause)]);
        let svg = diagram(&Scenario { pauses, ..Scenario::incident() }).to_svg();
        let document = Document::parse(&svg).expect("XML");
        let is_entry = |node: &Node<'_, '_>| node.attribute("class") == Some("fz-legend");
        let words = document.descendants().filter(is_entry).filter_map(|node| node.text());
        let pauses = words.filter(|words| words.starts_with("paused")).map(str::to_owned);
        pauses.collect::<Vec<_>>()
    };
    assert_eq!(entries(secs(11)), ["paused", "paused, lease over"]);
    assert_eq!(entries(secs(5)), ["paused"]);
}

#[test]
fn a_store_that_checks_shows_the_refused_write() {
    let checked = Scenario { token_check: TokenCheck::OnWrite, ..Scenario::incident() };
    let svg = diagram(&checked).to_svg();
    assert_eq!(marks(&svg).iter().filter(|mark| *mark != "read").count(), 2);
    assert!(marks(&svg).contains(&"refused".to_owned()));
    let document = Document::parse(&svg).expect("XML");
    assert!(texts(&document).contains(&"33 refused".to_owned()));
}

/// A is paused for so long that its write reaches the store together with B's.
#[test]
fn two_writes_at_one_instant_are_both_seen() {
    let pauses = Pauses::script([ScriptedPause::new(0, secs(3), secs(10))]);
    let svg = diagram(&Scenario { pauses, ..Scenario::incident() }).to_svg();
    assert_eq!(marks_of_writes(&svg).len(), 2);
    assert_eq!(verdicts(&svg), 2);
    can_be_read(&svg);
}

proptest! {
    #![proptest_config(crate::scenarios::cases(96))]

    /// Whatever happens in a run, its picture is well formed, shows every write with its mark and
    /// its word, keeps its words apart and stays within its edges.
    #[test]
    fn any_run_can_be_drawn(
        scenario in any_scenario(),
        seed in 0u64..1_000,
        latency in option::of(0u64..3),
        grants in 1u64..10,
    ) {
        let exponential = |latency| Delay::exponential(millis(latency * 150));
        let latency = latency.map_or(scenario.latency.clone(), exponential);
        let stop = Stop { grants: Some(grants), time: Some(secs(120)) };
        let scenario = Scenario { latency, stop, ..scenario };
        let run = trace(&scenario, Seed(seed)).expect("the scenario can be run");
        let diagram = run.sequence();
        let svg = diagram.to_svg();
        prop_assert_eq!(marks_of_writes(&svg), writes_until_cut(&run, &svg));
        prop_assert_eq!(verdicts(&svg), marks(&svg).iter().filter(|mark| *mark != "read").count());
        for picture in [svg, diagram.to_html(), run.sequence().around_first_zombie().to_svg()] {
            can_be_read(&picture);
        }
    }
}

#[test]
fn the_stories_can_be_read() {
    for scenario in [
        Scenario::incident(),
        Scenario { first_token: Token(1 << 60), ..Scenario::incident() },
        Scenario { clients: 6, latency: Delay::ZERO, ..Scenario::incident() },
        Scenario { clients: 40, stop: Stop::at_grants(30), ..Scenario::baseline() },
        Scenario {
            think: Delay::constant(secs(1_000_000)),
            stop: Stop::at_time(secs(2_000_100)),
            ..Scenario::incident()
        },
        Scenario { clients: 1, stop: Stop::at_grants(3), ..Scenario::baseline() },
    ] {
        can_be_read(&diagram(&scenario).to_svg());
        can_be_read(&diagram(&scenario).titled("words ".repeat(60)).to_html());
    }
}

// What the pictures are measured with. It is written anew here: a check that used the library's own
// idea of how wide words are would not find that idea wrong.

const NAMESPACE: &str = "http://www.w3.org/2000/svg";
const SVG: (&str, &str) = (NAMESPACE, "svg");

/// Left, top, right, bottom.
type Box4 = [f64; 4];

fn can_be_read(picture: &str) {
    let document = Document::parse(picture).expect("well-formed XML");
    let Some(svg) = document.descendants().find(|node| node.has_tag_name(SVG)) else { return };
    let page = [0.0, 0.0, number(svg, "width"), number(svg, "height")];
    let shapes: Vec<Node<'_, '_>> = svg.descendants().filter(Node::is_element).collect();
    for shape in &shapes {
        for (x, y) in points(*shape) {
            assert!(0.0 <= x && x <= page[2] && 0.0 <= y && y <= page[3], "{shape:?} at {x}, {y}");
        }
    }
    let words: Vec<(Box4, &str)> = shapes
        .iter()
        .filter(|node| node.has_tag_name((NAMESPACE, "text")) && !is_in_tip(**node))
        .map(|node| (text_box(*node), node.text().unwrap_or_default()))
        .collect();
    for (index, (area, text)) in words.iter().enumerate() {
        assert!(area[0] >= 0.0 && area[2] <= page[2], "{text:?} leaves the picture: {area:?}");
        for (other, beside) in &words[index + 1..] {
            assert!(!overlap(area, other), "{text:?} {area:?} covers {beside:?} {other:?}");
        }
    }
}

pub(crate) fn overlap(one: &Box4, other: &Box4) -> bool {
    one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}

fn is_in_tip(node: Node<'_, '_>) -> bool {
    node.ancestors().any(|above| above.attribute("class") == Some("fz-tip"))
}

/// The corners of a shape, as far as its attributes name them.
fn points(node: Node<'_, '_>) -> Vec<(f64, f64)> {
    let at = |x, y| (number(node, x), number(node, y));
    match node.tag_name().name() {
        "line" => vec![at("x1", "y1"), at("x2", "y2")],
        "circle" => vec![at("cx", "cy")],
        "text" => vec![at("x", "y")],
        "rect" => {
            let ((x, y), (width, height)) = (at("x", "y"), at("width", "height"));
            vec![(x, y), (x + width, y + height)]
        }
        "path" => {
            let d = node.attribute("d").unwrap_or_default();
            let numbers: Vec<f64> = d
                .split(['M', 'L', 'Z', ' '])
                .filter(|part| !part.is_empty())
                .map(|part| part.parse().expect("a number"))
                .collect();
            numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect()
        }
        _ => Vec::new(),
    }
}

fn text_box(node: Node<'_, '_>) -> Box4 {
    let class = node.attribute("class").unwrap_or_default();
    let is = |name: &str| class.split(' ').any(|class| class == name);
    let size = match class {
        _ if is("fz-title") => 15.0,
        _ if is("fz-head") => 13.0,
        _ if is("fz-alarm") => 12.0,
        _ if is("fz-minor") || is("fz-note") || is("fz-long-head") => 10.0,
        _ if is("fz-time") || is("fz-legend") || is("fz-small") => 10.5,
        _ => 11.0,
    };
    let is_bold = ["fz-title", "fz-head", "fz-alarm", "fz-refusal", "fz-turn", "fz-token"];
    let bold = if is_bold.into_iter().any(is) { 1.06 } else { 1.0 };
    let width: f64 = node.text().unwrap_or_default().chars().map(arial).sum::<f64>() * size * bold;
    let (x, y) = (number(node, "x"), number(node, "y"));
    let left = match node.attribute("text-anchor") {
        Some("middle") => x - width / 2.0,
        Some("end") => x - width,
        _ => x,
    };
    [left, y - 0.72 * size, left + width, y + 0.21 * size]
}

/// The widths of Arial's letters, in shares of the font size.
pub(crate) fn arial(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' => 0.222,
        't' | 'f' | ' ' | '.' | ',' | ':' | ';' | '/' => 0.278,
        'r' | '(' | ')' | '-' => 0.333,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' => 0.5,
        'w' => 0.722,
        'm' => 0.833,
        'A'..='Z' => 0.7,
        '…' => 1.0,
        _ => 0.556,
    }
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    let text = node.attribute(name).unwrap_or("0");
    text.parse().unwrap_or_else(|_| panic!("{name} is {text:?} in {node:?}"))
}

fn height(svg: &str) -> f64 {
    number(Document::parse(svg).expect("XML").root_element(), "height")
}

fn texts(document: &Document<'_>) -> Vec<String> {
    document.descendants().filter_map(|node| node.text().map(str::to_owned)).collect()
}

/// What the store does, in order, by the names of the marks.
fn marks(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).expect("XML");
    let marks = document.descendants().filter_map(|node| node.attribute("data-mark"));
    marks.filter(|mark| *mark != "crash").map(str::to_owned).collect()
}

fn marks_of_writes(svg: &str) -> Vec<String> {
    let is_write = |mark: &String| ["accepted", "refused", "zombie"].contains(&mark.as_str());
    marks(svg).into_iter().filter(is_write).collect()
}

/// How many marks have a word beside them.
fn verdicts(svg: &str) -> usize {
    let document = Document::parse(svg).expect("XML");
    let kinds = ["fz-verdict", "fz-refusal", "fz-alarm"];
    let classes = document.descendants().filter_map(|node| node.attribute("class"));
    classes.filter(|class| kinds.iter().any(|kind| class.ends_with(kind))).count()
}

/// The writes of a run as the marks should show them; where the picture was cut, those it has.
fn writes_until_cut(run: &Trace, svg: &str) -> Vec<String> {
    let zombies = run.zombie_writes();
    let mark = |entry: &Entry| match entry.happening {
        Happening::WriteAccepted { write, .. } => {
            let is_zombie = zombies.iter().any(|z| z.at == entry.at && z.token == write.token);
            Some(if is_zombie { "zombie" } else { "accepted" }.to_owned())
        }
        Happening::WriteRefused { .. } => Some("refused".to_owned()),
        _ => None,
    };
    let mut writes: Vec<String> = run.entries.iter().filter_map(mark).collect();
    if svg.contains("Shown is the part") {
        writes.truncate(marks_of_writes(svg).len());
    }
    writes
}
