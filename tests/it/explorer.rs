//! The explorer: every state shows what its own run is, and nothing on the page is in the way of
//! another explorer.

use fencing::figures::explorer::MOST_STATES;
use fencing::prelude::*;
use roxmltree::{Document, Node};

fn explorer() -> Explorer {
    Explorer::of(&Scenario::incident(), Seed(1)).expect("the incident can be run")
}

/// The elements that are seen in a state, by its place in the grid of four controls.
fn seen<'a>(page: &'a Document<'a>, state: [usize; 4]) -> Vec<Node<'a, 'a>> {
    let [lease, renewal, check, pause] = state;
    let name = format!("fx-{lease}-{renewal}-{check}-{pause}");
    let has_class = |node: &Node<'_, '_>| {
        node.attribute("class").is_some_and(|classes| classes.split(' ').any(|class| class == name))
    };
    page.descendants().filter(has_class).collect()
}

/// All states of the usual controls, in the order of the grid.
fn places() -> impl Iterator<Item = [usize; 4]> {
    (0..48).map(|state| [state / 24, state / 12 % 2, state / 4 % 3, state % 4])
}

fn words(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

#[test]
fn every_state_counts_what_its_run_does() {
    let (explorer, html) = (explorer(), explorer().to_html());
    let page = Document::parse(&html).expect("well-formed");
    for (state, place) in explorer.states().iter().zip(places()) {
        let run = run(&state.scenario, Seed(1)).expect("it can be run");
        assert_eq!(state.outcomes, std::slice::from_ref(&run));
        let shown = seen(&page, place);
        assert_eq!(shown.len(), 3, "counts, picture and telling of {place:?}");
        let numbers = shown[0].descendants().filter(|node| node.has_tag_name("dd")).map(words);
        let counts = [
            run.grants,
            run.expiries,
            run.accepted_writes,
            run.refused_writes,
            run.zombie_writes,
            run.lost_updates,
        ];
        assert_eq!(numbers.collect::<Vec<_>>(), counts.map(|count| count.to_string()), "{place:?}");
    }
}

/// The first picture in a piece of HTML.
fn svg(html: &str) -> Option<&str> {
    let start = html.find("<svg")?;
    let end = start + html[start..].find("</svg>")? + "</svg>".len();
    Some(&html[start..end])
}

#[test]
fn every_state_shows_the_diagram_of_its_run() {
    let (explorer, html) = (explorer(), explorer().to_html());
    let page = Document::parse(&html).expect("well-formed");
    let pictures =
        html.split_once("fx-stage\"").expect("a stage").1.split("<div class=\"fx-state ");
    let pictures: Vec<(&str, &str)> = pictures
        .skip(1)
        .filter_map(|state| Some((state.split_once('"')?.0, svg(state)?)))
        .collect();
    for (state, place) in explorer.states().iter().zip(places()) {
        let diagram = trace(&state.scenario, Seed(1)).expect("it can be run").sequence();
        let alone = diagram.to_html();
        // The style sheet is on the page once, and not in every picture.
        let (before, rest) = alone.split_once("<style>").expect("it has a style sheet");
        let (_, after) = rest.split_once("</style>").expect("it ends");
        let alone = format!("{before}{after}");
        let picture = svg(&alone).expect("a picture");
        let name = place.map(|choice| choice.to_string()).join("-");
        let is_it = |(classes, _): &(&str, &str)| {
            classes.split(' ').any(|class| class == format!("fx-{name}"))
        };
        let (_, shown) = pictures.iter().find(|it| is_it(it)).expect("one of them");
        assert!(*shown == picture, "the picture of {place:?} is another");
        let shown = seen(&page, place);
        assert_eq!(words(shown[2]), diagram.to_text());
    }
}

/// The settings make the scenarios that their words say.
#[test]
fn the_usual_controls_tell_the_story_of_the_workbook() {
    let explorer = explorer();
    let verdicts = |lease: &str, renewal: &str, check: &str, pause: &str| {
        let wanted = [lease, renewal, check, pause];
        let is_it = |cell: &&Cell| cell.settings.iter().map(|s| s.label.as_str()).eq(wanted);
        let outcome = &explorer.states().iter().find(is_it).expect("a state").outcomes[0];
        (outcome.expiries, outcome.refused_writes, outcome.zombie_writes, outcome.lost_updates)
    };
    let (off, on) = ("off", "every half lease");
    assert_eq!(verdicts("10s", off, "never", "11s"), (1, 0, 1, 1), "the incident");
    assert_eq!(verdicts("10s", off, "never", "3s"), (0, 0, 0, 0), "a pause alone does no harm");
    assert_eq!(verdicts("10s", on, "never", "8s"), (0, 0, 0, 0), "renewal survives this one");
    assert_eq!(verdicts("10s", on, "never", "11s"), (1, 0, 1, 1), "and not this one");
    assert_eq!(verdicts("40s", off, "never", "11s"), (0, 0, 0, 0), "a longer lease survives it");
    assert_eq!(verdicts("40s", off, "never", "41s"), (1, 0, 1, 1), "and not a longer pause");
    assert_eq!(verdicts("10s", off, "on write", "8s"), (1, 0, 1, 1), "B has only read");
    assert_eq!(verdicts("10s", off, "on every request", "8s"), (1, 1, 0, 0));
    let always = explorer
        .states()
        .iter()
        .filter(|state| state.scenario.token_check == TokenCheck::OnEveryRequest);
    assert!(always.clone().all(|state| state.outcomes[0].zombie_writes == 0));
    assert_eq!(always.count(), 16);
}

/// Radio buttons of one name within one form are a group; no form sends anything.
#[test]
fn two_on_one_page_share_nothing() {
    let other = Explorer::of(&Scenario { lease: secs(5), ..Scenario::incident() }, Seed(1));
    let html = format!("<div>{}{}</div>", explorer().to_html(), other.expect("valid").to_html());
    let page = Document::parse(&html).expect("well-formed");
    let elements = || page.descendants().filter(Node::is_element);
    assert!(elements().all(|node| node.attribute("id").is_none()));
    assert!(elements().all(|node| !node.has_tag_name("script")));
    let forms: Vec<Node<'_, '_>> = elements().filter(|node| node.has_tag_name("form")).collect();
    assert_eq!(forms.len(), 2);
    for form in &forms {
        assert_eq!(form.attribute("method"), Some("dialog"));
        assert_eq!(form.descendants().filter(|node| node.has_tag_name("fieldset")).count(), 4);
        let checked = form.descendants().filter(|node| node.attribute("checked").is_some());
        assert_eq!(checked.count(), 4, "one of each control");
    }
    let in_forms = forms.iter().flat_map(Node::descendants);
    let inputs = |node: &Node<'_, '_>| node.has_tag_name("input");
    assert_eq!(in_forms.filter(inputs).count(), elements().filter(inputs).count());
}

/// So there is nothing to choose where the style sheet is not, and the first state is still there.
#[test]
fn without_a_style_sheet_the_first_state_is_seen() {
    let html = explorer().to_html();
    let page = Document::parse(&html).expect("well-formed");
    let is_hidden = |node: Node<'_, '_>| {
        node.ancestors().any(|above| {
            above.attribute("style").is_some_and(|style| style.contains("display:none"))
        })
    };
    let states = page
        .descendants()
        .filter(|node| node.attribute("class").is_some_and(|class| class.starts_with("fx-state")));
    let open: Vec<Node<'_, '_>> = states.filter(|state| !is_hidden(*state)).collect();
    let first = seen(&page, [0, 0, 0, 2]);
    assert_eq!(open, [first[0], first[2]], "the counts and the telling; the picture is an image");
    let form = page.descendants().find(|node| node.has_tag_name("form")).expect("a form");
    assert!(is_hidden(form));
    let image = page.descendants().find(|node| node.has_tag_name("img")).expect("an image");
    assert!(!is_hidden(image));
    assert!(image.attribute("alt").is_some_and(|alt| alt.ends_with("a zombie write.")));
}

#[test]
fn the_page_is_the_same_every_time_and_not_too_large() {
    let html = explorer().to_html();
    assert!(html == explorer().to_html());
    assert!((200_000..1_000_000).contains(&html.len()), "{} bytes", html.len());
}

#[test]
fn as_text_it_is_a_table_of_all_states() {
    let text = explorer().to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 49);
    let line = |start: &str| lines.iter().find(|line| line.trim_start().starts_with(start));
    let first = line("10 s  off               never              11 s").expect("the incident");
    let numbers: Vec<&str> = first.split_whitespace().skip(6).collect();
    assert_eq!(numbers, ["2", "1", "2", "0", "1", "1"]);
}

#[test]
fn controls_can_be_changed() {
    let explorer = explorer().leases([5, 20].map(secs)).expect("valid");
    assert_eq!(explorer.states().len(), 48);
    assert_eq!(explorer.first().scenario.lease, secs(5), "none is the scenario as it was given");
    let explorer = explorer.without("renewal").expect("valid").pauses([secs(9)]).expect("valid");
    assert_eq!(explorer.states().len(), 6);
    let clients =
        Knob::of_numbers("clients", [2.0, 3.0], |scenario, n| scenario.clients = n as u32);
    let explorer = explorer.knob(clients).expect("valid");
    assert_eq!(explorer.states().len(), 12);
    Document::parse(&explorer.to_html()).expect("well-formed");
}

#[test]
fn too_many_states_are_refused() {
    let error = explorer().leases((1..=9).map(secs)).expect_err("216 states");
    let told = error.to_string();
    assert!(told.contains("216") && told.contains(&MOST_STATES.to_string()), "{told}");
    assert!(explorer().leases([]).is_err(), "no state");
    assert!(explorer().leases([secs(0)]).is_err(), "no lease of zero");
}

/// A long run is not drawn from its start, where there is nothing to see yet.
#[test]
fn of_a_long_run_the_first_zombie_write_is_shown() {
    let stop = Stop::at_grants(300);
    let knobs = [Knob::of_spans("lease", [secs(10)], |scenario, lease| scenario.lease = lease)];
    let long = Scenario { stop, ..Scenario::baseline() };
    let explorer = Explorer::of_knobs(&long, knobs, Seed(1)).expect("valid");
    assert!(explorer.first().outcomes[0].zombie_writes > 0);
    assert!(explorer.to_html().contains("ZOMBIE WRITE"));
}

/// One row a cell; what was never seen is not shown as nothing; and what is missing is said.
#[test]
fn a_sweep_is_shown_as_a_table() {
    let checks = [TokenCheck::Never, TokenCheck::OnEveryRequest];
    let sweep = Sweep::of(&Scenario::baseline()).token_check(checks).repeats(3).grants(2_000);
    let mut outcome = sweep.run(Seed(1)).expect("valid");
    let rate = Rate::a_grant(&outcome.cells[0].outcomes, |run| run.zombie_writes).expect("valid");
    let text = outcome.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert_eq!(lines[0], "3 runs a cell, seed 1; how often a grant, with intervals of 95 %");
    assert!(lines[2].contains(&format!("({})", rate.interval())), "{text}");
    assert!(lines[3].contains("0 of 6,000, below 3/n = 0.0005"), "{text}");
    Document::parse(&outcome.html()).expect("well-formed");
    outcome.cells[1].outcomes.pop();
    assert!(outcome.to_string().contains("Not complete: 1 of 6 runs is missing"), "{outcome}");
}

#[test]
fn figures_stand_side_by_side() {
    let run = trace(&Scenario::incident(), Seed(1)).expect("valid");
    let outcome = fencing::prelude::run(&Scenario::incident(), Seed(1)).expect("valid");
    let rate = Rate::of(0, 100).expect("valid");
    let mixed = side_by_side((run.sequence(), outcome.clone(), rate.clone()));
    let html = mixed.to_html();
    let page = Document::parse(&html).expect("well-formed");
    let row: Vec<Node<'_, '_>> = page.root_element().children().collect();
    assert_eq!(row.len(), 3);
    let style = |node: &Node<'_, '_>| node.attribute("style").unwrap_or_default().to_owned();
    assert!(style(&row[0]).starts_with("flex:1 1 480px"), "a picture needs more room");
    assert!(style(&row[1]).starts_with("flex:1 1 320px"), "than a table does");
    assert_eq!(mixed.to_string(), format!("{}\n\n{outcome}\n\n{rate}", run.sequence()));
    let alike = side_by_side([rate.clone(), rate.clone()]);
    assert_eq!(alike, side_by_side(vec![rate.clone(), rate]));
}
