//! The charts: that they show what was measured, never show nothing seen as nothing, and can be
//! read.

use fencing::prelude::*;
use roxmltree::{Document, Node};

const CHECKS: [TokenCheck; 3] =
    [TokenCheck::Never, TokenCheck::OnWrite, TokenCheck::OnEveryRequest];
const LOOKS: [Look; 3] = [Look::Never, Look::OwnClock, Look::AskService];

fn baseline() -> Sweep {
    Sweep::of(&Scenario::baseline()).repeats(3).grants(500)
}

fn crashing() -> Sweep {
    let crashes = Crashes::with_restart(secs(100), secs(30));
    Sweep::of(&Scenario { crashes, ..Scenario::baseline() }).repeats(3).grants(500)
}

fn swept(sweep: &Sweep) -> SweepOutcome {
    sweep.run(Seed(1)).expect("a valid sweep")
}

fn zombies(sweep: &SweepOutcome) -> RateChart {
    sweep.rate_chart("zombie writes", |run| run.zombie_writes).expect("a rate")
}

fn leases(seconds: &[u64]) -> Vec<Duration> {
    seconds.iter().copied().map(secs).collect()
}

fn no_zombies() -> RateChart {
    let never_seen = baseline().lease(leases(&[5, 10, 20, 40])).token_check([CHECKS[2]]);
    zombies(&swept(&never_seen))
}

fn three_rates() -> RateChart {
    let rate = |events| Rate::of(events, 10_000).expect("valid");
    RateChart::new("How often?")
        .axes("lease", "zombie writes a grant")
        .point("", secs(10), rate(178))
        .point("", secs(5), rate(1_000))
        .point("", secs(20), rate(36))
}

#[test]
fn every_chart_can_be_read() {
    let eight = leases(&[2, 5, 10, 20, 40, 80, 160, 320]);
    let grid = swept(&baseline().lease(eight.clone()).token_check(CHECKS));
    let crashed = swept(&crashing().lease(eight).token_check(CHECKS));
    let nine = swept(&baseline().lease(leases(&[5, 10])).token_check(CHECKS).look(LOOKS));
    let long = "words that go on and on ".repeat(6);
    let one = Rate::of(1, 2).expect("valid");
    let pause = Delay::log_normal(secs(3), 1.2);
    let lengths = || pause.samples(Seed(1), 300).expect("valid");
    let reported = reported_pauses().expect("the table can be read");
    for picture in [
        zombies(&grid).still(),
        zombies(&grid).linear_y().linear_x().titled(&long).still(),
        zombies(&nine).still(),
        zombies(&swept(&baseline())).still(),
        zombies(&swept(&baseline().repeats(1).lease(leases(&[5, 10])).token_check(CHECKS))).still(),
        zombies(&swept(&baseline().token_check(CHECKS).look(LOOKS))).still(),
        no_zombies().still(),
        no_zombies().linear_y().still(),
        three_rates().theory(&long, |lease_s| 1.0 / lease_s).still(),
        RateChart::new("Nothing?").still(),
        RateChart::new(&long).axes(&*long, "y").point(&*long, 1.0, one.clone()).still(),
        RateChart::new("Wide?").point("", 1e-9, one.clone()).point("", 1e9, one).still(),
        crashed.trade_off_chart().expect("rates").still(),
        swept(&crashing().repeats(1)).trade_off_chart().expect("rates").still(),
        grid.trade_off_chart().expect("rates").still(),
        Histogram::of("Long?", lengths()).lease(secs(10)).still(),
        Histogram::of("Long?", lengths()).linear_x().still(),
        Histogram::of("Long?", [secs(1_000_000); 3]).still(),
        Histogram::of("None?", []).still(),
        TailChart::new(&long)
            .curve(&*long, lengths())
            .curve("b", lengths())
            .lease(secs(10))
            .still(),
        ReportedPauseChart::new("Long?", &reported).lease(secs(10)).still(),
    ] {
        can_be_read(&picture.svg);
        assert!(!picture.description.is_empty() && !picture.text.is_empty());
        assert!(!picture.svg.contains(" id="), "two charts of a page could disturb one another");
    }
}

#[test]
fn what_was_not_seen_is_an_open_mark_with_an_arrow_and_never_at_zero() {
    for chart in [no_zombies(), no_zombies().log_y()] {
        let svg = chart.still().svg;
        let picture = Document::parse(&svg).expect("XML");
        let (open, arrows) = (open_marks(&picture), arrow_heads(&picture));
        assert_eq!((open.len(), arrows.len()), (4, 4));
        let plot = plot(&picture);
        for ((x, y), (arrow_x, tip)) in open.into_iter().zip(arrows) {
            assert!((x - arrow_x).abs() < 0.2 && tip > y + 15.0, "{x} {y} {arrow_x} {tip}");
            assert!(tip < plot[3], "the arrow ends in the plot");
            let bound = value_at(&picture, y);
            assert!((bound / (3.0 / 1_500.0) - 1.0).abs() < 0.02, "{bound} is not 3/n");
        }
    }
    assert!(no_zombies().to_string().contains("0 of 1,500, below 3/n = 0.002 with 95 %"));
}

/// The numbers are read off the picture by its own axis.
#[test]
fn marks_and_bars_stand_where_the_estimates_say() {
    let rates = [1_000, 178, 36].map(|events| Rate::of(events, 10_000).expect("valid"));
    for chart in [three_rates().linear_y(), three_rates().log_y()] {
        let svg = chart.still().svg;
        let picture = Document::parse(&svg).expect("XML");
        let marks = discs(&picture);
        assert_eq!(marks.len(), 3);
        for ((x, y), rate) in marks.into_iter().zip(&rates) {
            close(value_at(&picture, y), rate.value());
            let bar = uprights(&picture, x);
            assert_eq!(bar.len(), 1, "one bar a mark");
            close(value_at(&picture, bar[0].1), rate.interval().low);
            close(value_at(&picture, bar[0].0), rate.interval().high);
        }
    }
}

fn close(read: f64, expected: f64) {
    // A tenth of a pixel on each axis of these pictures is less than that.
    let error = (read - expected).abs();
    assert!(error < 0.01 * expected + 5e-5, "read {read}, expected {expected}");
}

#[test]
fn every_mark_stands_in_the_plot_and_every_label_outside() {
    let sweep = swept(&baseline().lease(leases(&[2, 5, 10, 20, 40, 80])).token_check(CHECKS));
    let crashed = swept(&crashing().lease(leases(&[5, 10, 20, 40])).token_check(CHECKS));
    let trade_off = crashed.trade_off_chart().expect("rates").still();
    for still in [zombies(&sweep).still(), zombies(&sweep).linear_y().still(), trade_off] {
        let picture = Document::parse(&still.svg).expect("XML");
        let [left, top, right, bottom] = plot(&picture);
        let marks = discs(&picture).into_iter().chain(polygons(&picture));
        let (within, beside): (Vec<_>, Vec<_>) = marks.partition(|(x, _)| *x <= right);
        assert!(within.len() >= 12, "{}", within.len());
        for (x, y) in within {
            assert!(left < x && top <= y && y < bottom, "a mark at {x}, {y} leaves the plot");
        }
        assert!(beside.len() >= 3, "each line has its mark beside its name");
        for name in ["never", "on write", "on every request"] {
            let (area, _) = words(&picture).into_iter().find(|(_, text)| text == name).expect(name);
            assert!(area[0] > right, "{name:?} stands before data");
        }
    }
}

#[test]
fn the_same_numbers_give_the_same_picture() {
    let still = || zombies(&swept(&baseline().lease(leases(&[5, 10])).token_check(CHECKS))).still();
    assert_eq!(still(), still());
}

#[test]
fn the_text_holds_every_number() {
    let sweep = swept(&baseline().lease(leases(&[5, 10, 20])).token_check(CHECKS));
    let text = zombies(&sweep).to_string();
    for cell in &sweep.cells {
        let rate = Rate::a_grant(&cell.outcomes, |run| run.zombie_writes).expect("a rate");
        let lease = format!("{} s", cell.scenario.lease.as_secs());
        let check = cell.settings[1].label.replace('_', " ");
        let is_row = |line: &&str| line.starts_with(&check) && line.contains(&format!(" {lease} "));
        let row = text.lines().find(is_row).expect("a row for each cell");
        assert!(row.ends_with(&rate.to_string()), "{row:?} lacks {rate}");
    }
    let crashed = swept(&crashing().lease(leases(&[5, 10])));
    let told = crashed.trade_off_chart().expect("rates").to_string();
    for cell in &crashed.cells {
        let means = cell.outcomes.iter().filter_map(|run| run.recovery_mean_s);
        let recovery = Mean::of_runs(means).expect("three runs").to_string();
        assert!(told.contains(&format!("{recovery} s")), "{told} lacks {recovery}");
    }
}

#[test]
fn a_logarithmic_axis_leaves_out_what_is_not_above_zero_and_says_so() {
    let some = || Rate::of(1, 10).expect("valid");
    let chart = RateChart::new("?").point("", 0.0, some()).point("", 3.0, some()).log_x();
    let still = chart.still();
    let picture = Document::parse(&still.svg).expect("XML");
    assert_eq!(discs(&picture).len(), 1);
    assert!(still.svg.contains("Left out, since a logarithmic axis has no zero"), "{}", still.svg);
    let zero = (0.0, Interval { low: -1.0, high: 1.0 });
    let chart = RateChart::new("?").point("", 1.0, zero).point("", 3.0, some()).log_y();
    let svg = chart.still().svg;
    assert_eq!(discs(&Document::parse(&svg).expect("XML")).len(), 1);
    assert!(svg.contains("Left out"), "{svg}");
}

#[test]
fn a_formula_is_drawn_and_asked_for_the_numbers_of_the_points() {
    let chart = three_rates().theory("one in", |lease_s| 1.0 / lease_s);
    let text = chart.to_string();
    assert!(
        text.lines().any(|line| line.starts_with(" 10 s") && line.ends_with("0.100")),
        "{text}"
    );
    let svg = chart.still().svg;
    assert!(svg.contains("one in"));
    let points =
        |node: Node<'_, '_>| node.attribute("points").map_or(0, |all| all.matches(',').count());
    let picture = Document::parse(&svg).expect("XML");
    assert!(elements(&picture, "polyline").any(|line| points(line) > 100), "a smooth line");
}

#[test]
fn another_knob_can_be_the_axis() {
    let sweep = swept(&baseline().lease(leases(&[5, 10])).token_check(CHECKS));
    let chart = |knob: &str| sweep.rate_chart_over(knob, "expiries", |run| run.expiries);
    let text = chart("token_check").expect("a knob").to_string();
    assert!(text.starts_with("How do expiries a grant depend on the token check?"), "{text}");
    let error = chart("leese").expect_err("no knob");
    let expected = "`leese` cannot be an axis: the sweep varies lease, token_check";
    assert_eq!(error.to_string(), expected);
    let error = sweep.rate_chart("grants", |run| 2 * run.grants).expect_err("no rate");
    assert!(error.to_string().contains("too many for a rate"), "{error}");
}

#[test]
fn a_chart_of_a_part_of_a_sweep_says_so() {
    let part = baseline().lease(leases(&[5, 10])).at_most(Duration::ZERO);
    let mut part = swept(&part);
    part.cells[0].outcomes.truncate(1);
    part.cells[1].outcomes.clear();
    let chart = zombies(&part);
    assert!(chart.to_string().contains("Not complete: time was up before "), "{chart}");
    assert!(chart.still().description.contains("Not complete"));
    assert!(chart.still().svg.contains("Not complete"));
}

#[test]
fn the_trade_off_names_each_lease_and_needs_deaths() {
    let crashed = swept(&crashing().lease(leases(&[5, 10, 20, 40])));
    let svg = crashed.trade_off_chart().expect("rates").still().svg;
    let picture = Document::parse(&svg).expect("XML");
    let plot = plot(&picture);
    for lease in ["5 s", "10 s", "20 s", "40 s"] {
        let is_within = |area: &Box4| area[1] >= plot[1] && area[3] <= plot[3];
        let labels = words(&picture).into_iter();
        let count = labels.filter(|(area, text)| text == lease && is_within(area)).count();
        assert_eq!(count, 1, "{lease}");
    }
    let without = swept(&baseline().lease(leases(&[5, 10]))).trade_off_chart().expect("rates");
    assert!(without.to_string().contains("no holder died in these runs. Set `crashes`"));
}

#[test]
fn no_reported_pause_stands_on_the_edge() {
    let reported = reported_pauses().expect("the table can be read");
    let svg = ReportedPauseChart::new("Long?", &reported).still().svg;
    let picture = Document::parse(&svg).expect("XML");
    let [left, top, right, bottom] = plot(&picture);
    let in_rows = |(_, y): &(f64, f64)| *y < bottom;
    for (x, y) in discs(&picture).into_iter().chain(polygons(&picture)).filter(in_rows) {
        assert!(left + 5.0 < x && x < right - 5.0 && top < y, "{x} {y}");
    }
}

/// In the key as in the plot.
#[test]
fn the_lease_is_dashed_wherever_it_is_drawn() {
    let chart = || TailChart::new("Long?").curve("a", [secs(1), secs(2)]);
    let dashes = |chart: TailChart| {
        let svg = chart.still().svg;
        let picture = Document::parse(&svg).expect("XML");
        let bottom = plot(&picture)[3] + 6.0;
        let lines = elements(&picture, "polyline").map(points);
        lines.filter(|line| line.iter().all(|(_, y)| *y > bottom)).count()
    };
    assert!(dashes(chart().lease(secs(10))) >= dashes(chart()) + 2);
}

// What the pictures are measured with. A picture is drawn at ten units a pixel.

/// Left, top, right, bottom.
type Box4 = [f64; 4];

const FINE: f64 = 10.0;
const WHITE: &str = "#FFFFFF";
/// The first line of a chart.
const BLUE: &str = "#0072B2";
const INK: &str = "#282828";

fn elements<'a>(
    picture: &'a Document<'a>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'a>> {
    picture.descendants().filter(move |node| node.tag_name().name() == name)
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    let text = node.attribute(name).unwrap_or("0");
    text.parse::<f64>().unwrap_or_else(|_| panic!("{name} is {text:?} in {node:?}")) / FINE
}

fn points(node: Node<'_, '_>) -> Vec<(f64, f64)> {
    let all = node.attribute("points").unwrap_or_default().split_whitespace();
    let pair = |pair: &str| {
        let (x, y) = pair.split_once(',').expect("a pair");
        let pixel = |text: &str| text.parse::<f64>().expect("a number") / FINE;
        (pixel(x), pixel(y))
    };
    all.map(pair).collect()
}

/// The middles of the round marks.
fn discs(picture: &Document<'_>) -> Vec<(f64, f64)> {
    let shown = elements(picture, "circle").filter(|node| node.attribute("fill") != Some(WHITE));
    shown.map(|node| (number(node, "cx"), number(node, "cy"))).collect()
}

fn open_marks(picture: &Document<'_>) -> Vec<(f64, f64)> {
    let holes = elements(picture, "circle").filter(|node| node.attribute("fill") == Some(WHITE));
    holes.map(|node| (number(node, "cx"), number(node, "cy"))).collect()
}

/// The middles of the marks with corners, and of the heads of arrows.
fn polygons(picture: &Document<'_>) -> Vec<(f64, f64)> {
    let middle = |corners: Vec<(f64, f64)>| {
        let sum = corners.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
        (sum.0 / corners.len() as f64, sum.1 / corners.len() as f64)
    };
    elements(picture, "polygon").map(|node| middle(points(node))).collect()
}

/// The tips of the arrows of the first line.
fn arrow_heads(picture: &Document<'_>) -> Vec<(f64, f64)> {
    let heads = elements(picture, "polygon").filter(|node| node.attribute("fill") == Some(BLUE));
    heads.map(|node| points(node)[0]).collect()
}

/// From top to bottom: the upright lines of the first line at this place.
fn uprights(picture: &Document<'_>, x: f64) -> Vec<(f64, f64)> {
    let own = elements(picture, "polyline").filter(|node| node.attribute("stroke") == Some(BLUE));
    let ends = own.map(points).filter(|line| line.len() == 2);
    let here = ends.filter(|line| (line[0].0 - x).abs() < 0.2 && (line[1].0 - x).abs() < 0.2);
    here.map(|line| (line[0].1.min(line[1].1), line[0].1.max(line[1].1))).collect()
}

/// The longest level line in ink is the axis; the plot goes up to the first words above it.
fn plot(picture: &Document<'_>) -> Box4 {
    let own = elements(picture, "polyline").filter(|node| node.attribute("stroke") == Some(INK));
    let level = own.map(points).filter(|line| line.len() == 2 && line[0].1 == line[1].1);
    let axis = level
        .max_by(|one, other| (one[1].0 - one[0].0).total_cmp(&(other[1].0 - other[0].0)))
        .expect("an axis");
    [axis[0].0, 30.0, axis[1].0, axis[0].1]
}

/// What the upright axis says of this height, by two of its marks.
fn value_at(picture: &Document<'_>, y: f64) -> f64 {
    let [left, _, _, bottom] = plot(picture);
    let ticks: Vec<(f64, f64)> = words(picture)
        .into_iter()
        .filter(|(area, _)| area[2] < left && area[1] < bottom)
        .filter_map(|(area, text)| Some((foot(&area) - 4.0, text.parse::<f64>().ok()?)))
        .collect();
    let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
    let share = (y - first.0) / (last.0 - first.0);
    let differences: Vec<f64> = ticks.windows(2).map(|pair| pair[1].1 - pair[0].1).collect();
    let is_linear = differences.iter().all(|d| (d / differences[0] - 1.0).abs() < 1e-6);
    if is_linear && ticks.len() > 2 {
        first.1 + share * (last.1 - first.1)
    } else {
        first.1 * (last.1 / first.1).powf(share)
    }
}

fn foot(area: &Box4) -> f64 {
    area[3] - 0.21 * (area[3] - area[1]) / 0.93
}

fn words(picture: &Document<'_>) -> Vec<(Box4, String)> {
    elements(picture, "text").map(|node| (text_box(node), said(node))).collect()
}

fn said(node: Node<'_, '_>) -> String {
    node.text().unwrap_or_default().trim().to_owned()
}

/// The box of a text whose letters stand 0.76 of its size below its point.
fn text_box(node: Node<'_, '_>) -> Box4 {
    assert_eq!(node.attribute("dy"), Some("0.76em"));
    let size = number(node, "font-size");
    let bold = if node.attribute("font-weight") == Some("bold") { 1.06 } else { 1.0 };
    let width: f64 = said(node).chars().map(crate::figures::arial).sum::<f64>() * size * bold;
    let (x, baseline) = (number(node, "x"), number(node, "y") + 0.76 * size);
    let left = match node.attribute("text-anchor") {
        Some("middle") => x - width / 2.0,
        Some("end") => x - width,
        _ => x,
    };
    [left, baseline - 0.72 * size, left + width, baseline + 0.21 * size]
}

fn can_be_read(svg: &str) {
    let picture = Document::parse(svg).expect("well-formed XML");
    let root = picture.root_element();
    let page = [number(root, "width") * FINE, number(root, "height") * FINE];
    for node in picture.descendants() {
        let centre = node.has_attribute("cx").then(|| (number(node, "cx"), number(node, "cy")));
        for (x, y) in points(node).into_iter().chain(centre) {
            let is_within = 0.0 <= x && x <= page[0] && 0.0 <= y && y <= page[1];
            assert!(is_within, "{node:?} leaves the picture at {x}, {y}");
        }
    }
    let words = words(&picture);
    for (index, (area, text)) in words.iter().enumerate() {
        let is_within = area[0] >= 0.0 && area[2] <= page[0] && area[3] <= page[1];
        assert!(is_within, "{text:?} leaves the picture: {area:?}");
        for (other, beside) in &words[index + 1..] {
            let overlaps = crate::figures::overlap(area, other);
            assert!(!overlaps, "{text:?} {area:?} covers {beside:?} {other:?}");
        }
    }
}
