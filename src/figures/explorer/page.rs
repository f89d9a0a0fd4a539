//! All states as HTML, of which one is seen.
//!
//! No script: the controls are radio buttons, and the style sheet shows the state whose buttons are
//! checked. The buttons stand in a form of their own, which keeps their names apart from those of
//! any other explorer on the page; so nothing here needs to be unique.
//!
//! An untrusted notebook strips the style sheet and the pictures, but not the styles of single
//! elements. So all but the first state, and what needs the style sheet, is hidden there, and the
//! style sheet brings it back. In the place of the pictures there is an image of the first state,
//! which the style sheet hides.

use super::state::{Shown, diagram, verdict};
use super::style::{classes, sheet};
use super::{COUNTS, Explorer, label};
use crate::analysis::outcome::Outcome;
use crate::analysis::sweep::{Cell, Knob};
use crate::figures::svg::escape;

/// JupyterLab takes the arrow keys for itself, except from an element that says this.
const LEAVE_KEYS: &str = " data-lm-suppress-shortcuts=\"true\"";

/// No picture is shown higher than this, in pixels at full width: a higher one is made smaller.
const HIGHEST: f64 = 1_000.0;

/// The whole explorer.
pub(super) fn page(explorer: &Explorer) -> String {
    let shown: Vec<Shown> =
        explorer.states.iter().filter_map(|state| Shown::of(state, explorer.seed)).collect();
    let counts = each(explorer, |index| counts(&explorer.states[index].outcomes[0]), |_| 100.0);
    let tellings =
        each(explorer, |index| format!("<pre>{}</pre>", escape(&shown[index].telling)), |_| 100.0);
    format!(
        "<div class=\"fencing-explorer\"><style>{}</style>{}{}\
         <div class=\"fx-counts\" aria-live=\"polite\">{counts}</div>{}\
         <details><summary>Line by line</summary>{tellings}</details>\
         <details><summary>All {} states</summary><div style=\"overflow-x:auto\">{}</div>\
         </details></div>",
        sheet(&explorer.sizes()),
        controls(explorer),
        untrusted(explorer),
        stage(explorer, &shown),
        explorer.states.len(),
        explorer.table().to_html()
    )
}

/// The pictures, and the room that the largest of them takes, whatever the width of the page: so
/// nothing below moves.
fn stage(explorer: &Explorer, shown: &[Shown]) -> String {
    let scale = |state: &Shown| (HIGHEST / state.picture.height).min(1.0);
    let width = shown.iter().map(|state| state.picture.width).fold(1.0, f64::max);
    let height = shown.iter().map(|state| state.picture.height * scale(state)).fold(1.0, f64::max);
    let share = |index: usize| {
        let state: &Shown = &shown[index];
        100.0 * scale(state) * state.picture.width / width
    };
    let pictures = each(explorer, |index| shown[index].picture.svg.clone(), share);
    let size = format!("max-width:{width}px;aspect-ratio:{width}/{}", height.ceil());
    format!("<div class=\"fx-stage\" style=\"display:none;{size}\">{pictures}</div>")
}

/// One element for each state, with so many hundredths of the width; states with the same content
/// share one.
fn each(
    explorer: &Explorer,
    content: impl Fn(usize) -> String,
    share: impl Fn(usize) -> f64,
) -> String {
    let mut contents: Vec<(String, Vec<usize>)> = Vec::new();
    for state in 0..explorer.states.len() {
        let content = content(state);
        match contents.iter_mut().find(|(other, _)| *other == content) {
            Some((_, states)) => states.push(state),
            None => contents.push((content, vec![state])),
        }
    }
    let element = |(content, states): (String, Vec<usize>)| {
        let hidden = if states.contains(&explorer.first) { "" } else { "display:none;" };
        let (classes, share) = (classes(&explorer.sizes(), &states), share(states[0]));
        let style = format!("{hidden}max-width:{share:.1}%");
        format!("<div class=\"fx-state {classes}\" style=\"{style}\">{content}</div>")
    };
    contents.into_iter().map(element).collect()
}

fn controls(explorer: &Explorer) -> String {
    let controls = (0..explorer.knobs.len()).map(|knob| control(explorer, knob));
    // A form for a dialog sends nothing anywhere, whatever is pressed in it; and a browser must not
    // remember what was checked.
    format!(
        "<form method=\"dialog\" autocomplete=\"off\" style=\"display:none\">{}</form>",
        controls.collect::<String>()
    )
}

fn control(explorer: &Explorer, knob: usize) -> String {
    let control = &explorer.knobs[knob];
    let first = &explorer.first().settings[knob];
    let choices = control.settings().enumerate().map(|(choice, setting)| {
        let checked = if setting == first { " checked=\"checked\"" } else { "" };
        format!(
            "<label><input type=\"radio\" name=\"k{knob}\" class=\"fx-k{knob}-{choice}\"\
             {LEAVE_KEYS}{checked}/><span>{}</span></label>",
            escape(&label(setting))
        )
    });
    let choices: String = choices.collect();
    format!("<fieldset><legend>{}</legend>{choices}</fieldset>", escape(control.name()))
}

/// What is seen where the page has no style sheet.
fn untrusted(explorer: &Explorer) -> String {
    let first = explorer.first();
    let Some(diagram) = diagram(first, explorer.seed) else { return String::new() };
    let still = diagram.still().to_html();
    format!(
        "<div class=\"fx-untrusted\"><p>{} Run the cell again, or trust the notebook, to change \
         this.</p>{still}</div>",
        escape(&settings_of(explorer, first))
    )
}

/// The settings of a state, such as "lease 10s, renewal off.".
fn settings_of(explorer: &Explorer, state: &Cell) -> String {
    let names = explorer.knobs.iter().map(Knob::name);
    let settings =
        names.zip(&state.settings).map(|(name, setting)| format!("{name} {}", label(setting)));
    format!("{}.", settings.collect::<Vec<_>>().join(", "))
}

/// The verdict, and the counts that it rests on.
fn counts(outcome: &Outcome) -> String {
    let counts = COUNTS.iter().map(|count| {
        let number = (count.of)(outcome);
        let class = if number == 0 { "fx-none" } else { count.class };
        format!("<div class=\"{class}\"><dt>{}</dt><dd>{number}</dd></div>", count.name)
    });
    let counts: String = counts.collect();
    let class = if outcome.zombie_writes + outcome.lost_updates > 0 { "fx-bad" } else { "fx-good" };
    format!("<p class=\"{class}\">{}</p><dl>{counts}</dl>", escape(&verdict(outcome)))
}
