//! The drawing: a layout as SVG, from the back to the front.

use super::labels::{Ground, Label, line_height};
use super::layout::Layout;
use super::story::{Arrow, MarkKind};
use super::style::{CLASS, SHEET, STILL, colour, ink};
use super::{bars, legend, marks, signs, tips};
use crate::figures::svg::{Area, Element, line, path, rect, text, text_width};
use crate::protocol::message::{Body, Party};

/// The height of a line of the title.
pub(super) const TITLE_LINE: f64 = 20.0;

/// What stands around the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    /// Line by line.
    pub(super) title: &'a [String],
    pub(super) description: &'a str,
    pub(super) note: Option<&'a str>,
    pub(super) form: Form,
}

/// Where the picture will be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// In a page, in the page's colours and with hover texts.
    Inline,
    /// The same, where the page has the style sheet already.
    Unstyled,
    /// As an image, on white ground.
    Still,
}

/// A picture, and the room that it takes, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picture {
    pub(crate) svg: String,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// The whole picture.
pub(super) fn draw(layout: &Layout, frame: &Frame<'_>) -> Picture {
    let (legend, height) = legend::draw(layout, frame.note);
    let (width, height) = (layout.width.ceil(), height.ceil());
    let is_still = frame.form == Form::Still;
    let page = Area { left: 0.0, top: 0.0, right: width, bottom: height };
    let mut svg = Element::new("svg")
        .set("xmlns", "http://www.w3.org/2000/svg")
        .set("class", CLASS)
        .set("role", "img")
        .set("aria-label", frame.description)
        .set("viewBox", format!("0 0 {width} {height}"))
        .lengths([("width", width), ("height", height)]);
    if is_still {
        svg = svg.set("style", STILL);
    }
    if frame.form != Form::Unstyled {
        // It alone is written as it is: it is ours, and quotes in it must stay.
        svg = svg.with(format!("<style>{SHEET}</style>"));
    }
    if is_still {
        svg = svg.with(rect(page).set("rx", 8).set("fill", "#fff"));
    }
    let titles = frame.title.iter().zip(1_u8..).map(|(title, line)| {
        text(14.0, TITLE_LINE * f64::from(line), "start", title).set("class", "fz-title")
    });
    svg = svg.with_all(titles);
    svg = svg.with(times(layout)).with(lanes(layout)).with(arrows(layout));
    svg = svg.with(bars::draw(layout)).with(marks::draw(layout)).with(signs::draw(layout));
    svg = svg.with(words(layout)).with(legend);
    if !is_still {
        svg = svg.with(tips::draw(layout, &page));
    }
    Picture { svg: svg.to_string(), width, height }
}

fn group() -> Element {
    Element::new("g")
}

/// Marks in seconds, and a bracket around rows that are one instant.
fn times(layout: &Layout) -> Element {
    let mut times = group();
    let right = layout.x(Party::Store);
    for mark in &layout.time_marks {
        times = times.with(line((layout.times, mark.y), (right, mark.y)).set("class", "fz-grid"));
        if let Some(words) = &mark.words {
            let words = text(layout.times - 6.0, mark.y + 3.5, "end", words);
            times = times.with(words.set("class", "fz-time"));
        }
    }
    for (top, bottom) in layout.axis.instants() {
        let (x, end) = (layout.times + 1.0, layout.times + 5.0);
        let bracket = vec![(end, top), (x, top), (x, bottom), (end, bottom)];
        times = times.with(path(&[bracket]).set("class", "fz-instant"));
    }
    times
}

/// The lanes: a name, and a line as long as the party is there.
fn lanes(layout: &Layout) -> Element {
    let mut lanes = group();
    for lane in layout.lanes() {
        let x = layout.x(lane);
        for (top, bottom) in lifetimes(layout, lane) {
            lanes = lanes.with(line((x, top), (x, bottom)).set("class", "fz-life"));
        }
        lanes = lanes.with_all(head(layout, lane));
    }
    lanes
}

fn head(layout: &Layout, lane: Party) -> Vec<Element> {
    let (x, y) = (layout.x(lane), layout.top - 26.0);
    let name = match lane {
        Party::LockService => "lock service".to_owned(),
        Party::Store => "store".to_owned(),
        Party::Client(client) => client.to_string(),
    };
    let name_in = |class: &str| text(x, y + 4.5, "middle", &name).set("class", class);
    let Party::Client(client) = lane else { return vec![name_in("fz-head")] };
    // Beyond Z clients have longer names, and lanes are narrow then.
    let (class, font) = if name.len() > 2 { ("fz-long-head", 10.0) } else { ("fz-head", 13.0) };
    let half_width = (text_width(&name, font) / 2.0 + 3.0).max(14.0);
    let chip = rect(Area::around((x, y), half_width, 11.0)).set("rx", 11);
    let style = format!("fill:{}", ink(client));
    vec![chip.set("fill", colour(client)), name_in(class).set("style", style)]
}

/// From where to where a lane's line goes: it is broken while a client is down.
fn lifetimes(layout: &Layout, lane: Party) -> Vec<(f64, f64)> {
    let mut top = layout.top - 12.0;
    let mut lifetimes = Vec::new();
    for outage in &layout.story.outages {
        if Party::Client(outage.client) == lane {
            lifetimes.push((top, layout.axis.row(outage.stretch.from)));
            top = match outage.stretch.ended {
                Some(_) => layout.axis.row(outage.stretch.to),
                None => return lifetimes,
            };
        }
    }
    lifetimes.push((top, layout.bottom));
    lifetimes
}

fn arrows(layout: &Layout) -> Element {
    let drawn = layout.story.arrows.iter().enumerate();
    group().with_all(drawn.map(|(index, arrow)| one_arrow(layout, index, arrow)))
}

fn one_arrow(layout: &Layout, index: usize, arrow: &Arrow) -> Element {
    let (from, to) = layout.arrows[index];
    let (class, tip) = match arrow.message.body {
        Body::ReadAnswer(..) | Body::WriteAnswer(..) | Body::Renewed(..) => {
            ("fz-answer", "fz-tip-of-answer")
        }
        Body::Write(_) if is_zombie(layout, arrow) => ("fz-grave", "fz-tip-of-grave"),
        _ => ("fz-arrow", "fz-tip-of"),
    };
    let shaft = group().with(line(from, to).set("class", class));
    if arrow.is_lost {
        return shaft.with(marks::lost(to));
    }
    if arrow.shown.1 < 1.0 {
        return shaft;
    }
    shaft.with(arrowhead(from, to).set("class", tip))
}

fn is_zombie(layout: &Layout, arrow: &Arrow) -> bool {
    layout.story.marks.iter().any(|mark| {
        mark.kind == MarkKind::ZombieWrite
            && mark.client == arrow.message.client
            && mark.row == arrow.to_row
    })
}

/// A triangle at the end of a line.
fn arrowhead((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Element {
    const LENGTH: f64 = 7.0;
    const HALF_WIDTH: f64 = 3.2;
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = dx.hypot(dy).max(0.1);
    let (ux, uy) = (dx / length, dy / length);
    let corner = |side: f64| {
        let (back, out) = (-LENGTH, side * HALF_WIDTH);
        (x2 + back * ux - out * uy, y2 + back * uy + out * ux)
    };
    path(&[vec![(x2, y2), corner(1.0), corner(-1.0), (x2, y2)]])
}

fn words(layout: &Layout) -> Element {
    group().with_all(layout.labels.iter().flat_map(label))
}

fn label(label: &Label) -> Vec<Element> {
    let (height, class) = (line_height(label.kind), label.kind.class());
    let draw = |(index, words): (usize, &String)| {
        let baseline = label.area.top + height * (index as f64 + 0.8);
        let drawn = text(label.x, baseline, label.anchor.name(), words);
        match label.ground {
            Ground::Paper | Ground::Hatched => drawn.set("class", format!("fz-word {class}")),
            Ground::Pale => drawn.set("class", class),
            Ground::Colour(client) => {
                drawn.set("class", class).set("style", format!("fill:{}", ink(client)))
            }
        }
    };
    label.lines.iter().enumerate().map(draw).collect()
}
