//! How an explorer looks, and which of its states is seen.
//!
//! A style sheet holds for the whole page. So every name in it means the same in every explorer:
//! `fx-k1-0` is the first choice of the second control, `fx-0-2` the state with the first choice of
//! the first control and the third of the second.

use crate::figures::sequence::STYLE as SEQUENCE;

const SHEET: &str = "\
.fencing-explorer{--fx-red:#C92A2A;--fx-violet:#6B3FC0;max-width:800px;\
font:14px/1.45 'Helvetica Neue',Arial,'Liberation Sans',sans-serif}\
[data-jp-theme-light=false] .fencing-explorer{--fx-red:#FF6B6B;--fx-violet:#B197FC}\
.fencing-explorer form{display:flex!important;flex-wrap:wrap;gap:8px 24px;margin:4px 0 12px}\
.fencing-explorer fieldset{border:0;margin:0;padding:0;min-width:0}\
.fencing-explorer legend{padding:0;margin-bottom:3px;font-size:12px;opacity:.8}\
.fencing-explorer label{display:inline-flex;cursor:pointer}\
.fencing-explorer input{position:absolute;opacity:0;pointer-events:none}\
.fencing-explorer label span{border:1px solid;border-color:color-mix(in srgb,currentColor 35%,\
transparent);padding:2px 10px;margin-left:-1px}\
.fencing-explorer label:first-of-type span{border-radius:6px 0 0 6px}\
.fencing-explorer label:last-of-type span{border-radius:0 6px 6px 0}\
.fencing-explorer label:hover span{background:color-mix(in srgb,currentColor 8%,transparent)}\
.fencing-explorer input:checked+span{background:#1565C0;border-color:#1565C0;color:#fff}\
.fencing-explorer input:focus-visible+span{outline:3px solid #F59F00;outline-offset:1px;\
position:relative;z-index:1}\
.fencing-explorer .fx-counts{display:grid}\
.fencing-explorer .fx-counts p{margin:0 0 6px;padding-left:10px;border-left:4px solid;\
font-weight:bold}\
.fencing-explorer p.fx-good{border-color:#2B8A3E}\
.fencing-explorer p.fx-bad{border-color:var(--fx-red)}\
.fencing-explorer dl{display:flex;flex-wrap:wrap;gap:4px 26px;margin:0 0 10px;padding:0}\
.fencing-explorer dt,.fencing-explorer dd{margin:0;padding:0;float:none;width:auto}\
.fencing-explorer dt{font-size:12px;font-weight:normal}\
.fencing-explorer dd{font-size:20px;line-height:1.2;font-weight:bold}\
.fencing-explorer .fx-none{opacity:.65}\
.fencing-explorer dl .fx-bad{color:var(--fx-red)}\
.fencing-explorer dl .fx-refused{color:var(--fx-violet)}\
.fencing-explorer .fx-stage{display:block!important}\
.fencing-explorer .fx-untrusted{display:none!important}\
.fencing-explorer summary{cursor:pointer}";

/// What changes with the controls; for browsers that can tell which are checked.
const CHOICE: &str = "\
.fencing-explorer .fx-state{display:none!important}\
.fencing-explorer .fx-counts .fx-state{display:block!important;visibility:hidden;grid-area:1/1}";

/// The style sheet of an explorer whose controls have so many settings.
pub(super) fn sheet(settings: &[usize]) -> String {
    let rules: String = (0..settings.iter().product()).map(|state| rule(settings, state)).collect();
    format!("{SEQUENCE}{SHEET}@supports selector(:has(*)){{{CHOICE}{rules}}}")
}

/// Shows the state whose settings are checked.
fn rule(settings: &[usize], state: usize) -> String {
    let choices = choices(settings, state);
    let has = |(knob, choice): (usize, &usize)| format!(":has(.fx-k{knob}-{choice}:checked)");
    let checked: String = choices.iter().enumerate().map(has).collect();
    let name = name(&choices);
    // The counts are all laid out, so that the largest keeps the room of all: they are made visible
    // where the others are made to be there.
    format!(
        ".fencing-explorer{checked} .{name}.fx-state{{display:block!important;visibility:visible}}"
    )
}

/// The classes of an element that is seen in these states.
pub(super) fn classes(settings: &[usize], states: &[usize]) -> String {
    let names: Vec<String> = states.iter().map(|state| name(&choices(settings, *state))).collect();
    names.join(" ")
}

/// Which choice of every control makes a state; the last control changes fastest.
fn choices(settings: &[usize], state: usize) -> Vec<usize> {
    let mut rest = state;
    let mut choices: Vec<usize> = settings
        .iter()
        .rev()
        .map(|count| {
            let choice = rest % count;
            rest /= count;
            choice
        })
        .collect();
    choices.reverse();
    choices
}

fn name(choices: &[usize]) -> String {
    choices.iter().fold("fx".to_owned(), |name, choice| format!("{name}-{choice}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_control_changes_fastest() {
        let states: Vec<Vec<usize>> = (0..6).map(|state| choices(&[2, 3], state)).collect();
        assert_eq!(states, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
        assert_eq!(classes(&[2, 3], &[0, 5]), "fx-0-0 fx-1-2");
        assert!(sheet(&[2, 3]).contains(":has(.fx-k0-1:checked):has(.fx-k1-2:checked) .fx-1-2."));
    }
}
