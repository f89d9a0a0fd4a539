//! Colours and strokes.
//!
//! One colour a client, quiet ones for all else, and red for the zombie write alone. What matters
//! also differs in shape, for readers who see no colours and for prints in grey. Text and thin
//! lines take the colour of the page's text, and the paper behind words that of the page, so the
//! picture suits a light page and a dark one.

use crate::protocol::lease::ClientId;

/// The class on every picture, to which its style is bound: a page shares one style sheet.
pub(super) const CLASS: &str = "fencing-sequence";

/// Fill of a client's bars and the colour of words on them, after Okabe and Ito.
const CLIENTS: [(&str, &str); 6] = [
    ("#0072B2", "#fff"),
    ("#E69F00", "#1a1a1a"),
    ("#009E73", "#1a1a1a"),
    ("#CC79A7", "#1a1a1a"),
    ("#56B4E9", "#1a1a1a"),
    ("#8C7A00", "#fff"),
];

/// The colour of a client.
pub(super) fn colour(client: ClientId) -> &'static str {
    CLIENTS[client.index() % CLIENTS.len()].0
}

/// The colour of words on a client's colour.
pub(super) fn ink(client: ClientId) -> &'static str {
    CLIENTS[client.index() % CLIENTS.len()].1
}

/// A picture in an image has no page around it: it brings its own.
pub(super) const STILL: &str = "color:#222;--jp-layout-color0:#fff";

/// The style sheet.
pub(crate) const SHEET: &str = "\
.fencing-sequence{--fz-red:#C92A2A;--fz-violet:#6B3FC0}\
[data-jp-theme-light=false] .fencing-sequence{--fz-red:#FF6B6B;--fz-violet:#B197FC}\
.fencing-sequence{max-width:100%;height:auto;display:block}\
.fencing-sequence text{font:11px 'Helvetica Neue',Arial,'Liberation Sans',sans-serif;\
fill:currentColor}\
.fencing-sequence .fz-title{font-size:15px;font-weight:bold}\
.fencing-sequence .fz-head{font-size:13px;font-weight:bold}\
.fencing-sequence .fz-long-head{font-size:10px}\
.fencing-sequence .fz-time{font-size:10.5px;opacity:.75}\
.fencing-sequence .fz-grid{stroke:currentColor;stroke-opacity:.1}\
.fencing-sequence .fz-instant{stroke:currentColor;stroke-opacity:.45;fill:none}\
.fencing-sequence .fz-life{stroke:currentColor;stroke-opacity:.35}\
.fencing-sequence .fz-arrow{stroke:currentColor;stroke-opacity:.75;stroke-width:1.2;fill:none}\
.fencing-sequence .fz-answer{stroke:currentColor;stroke-opacity:.35;fill:none}\
.fencing-sequence .fz-grave{stroke:var(--fz-red);stroke-width:2;fill:none}\
.fencing-sequence .fz-tip-of{fill:currentColor;fill-opacity:.75}\
.fencing-sequence .fz-tip-of-answer{fill:currentColor;fill-opacity:.35}\
.fencing-sequence .fz-tip-of-grave{fill:var(--fz-red)}\
.fencing-sequence .fz-paper{fill:var(--jp-layout-color0,Canvas)}\
.fencing-sequence .fz-cap{stroke:currentColor;stroke-width:3;stroke-linecap:round}\
.fencing-sequence .fz-mark{fill:currentColor}\
.fencing-sequence .fz-dot{fill:var(--jp-layout-color0,Canvas);stroke:currentColor;\
stroke-opacity:.6}\
.fencing-sequence .fz-refused{stroke:var(--fz-violet);stroke-width:2;\
fill:var(--jp-layout-color0,Canvas)}\
.fencing-sequence .fz-zombie{fill:#E03131;stroke:#E03131;stroke-width:2;stroke-linejoin:round}\
.fencing-sequence .fz-bang{stroke:#fff;stroke-width:2;stroke-linecap:round}\
.fencing-sequence .fz-cross-ground{stroke:var(--jp-layout-color0,Canvas);stroke-width:6;\
stroke-linecap:round}\
.fencing-sequence .fz-cross{stroke:currentColor;stroke-width:2.5;stroke-linecap:round}\
.fencing-sequence .fz-lost{stroke:currentColor;stroke-width:2;stroke-linecap:round}\
.fencing-sequence .fz-sign{fill:var(--jp-layout-color0,Canvas);stroke:currentColor;\
stroke-width:2;stroke-linejoin:round}\
.fencing-sequence .fz-word{paint-order:stroke;stroke:var(--jp-layout-color0,Canvas);\
stroke-width:2.5px;stroke-linejoin:round}\
.fencing-sequence .fz-alarm{font-size:12px;font-weight:bold;fill:var(--fz-red)}\
.fencing-sequence .fz-refusal{font-weight:bold;fill:var(--fz-violet)}\
.fencing-sequence .fz-turn,.fencing-sequence .fz-token{font-weight:bold}\
.fencing-sequence .fz-note,.fencing-sequence .fz-minor{font-size:10px}\
.fencing-sequence .fz-minor{fill-opacity:.8}\
.fencing-sequence .fz-legend{font-size:10.5px}\
.fencing-sequence .fz-small{font-size:10.5px;fill-opacity:.65}\
.fencing-sequence .fz-event{outline:none;cursor:help}\
.fencing-sequence .fz-hit{fill:currentColor;fill-opacity:0;stroke:currentColor;\
stroke-opacity:0;pointer-events:visible}\
.fencing-sequence .fz-event:hover .fz-hit,.fencing-sequence .fz-event:focus .fz-hit{\
fill-opacity:.08;stroke-opacity:.22}\
.fencing-sequence .fz-tip{visibility:hidden;pointer-events:none}\
.fencing-sequence .fz-event:hover .fz-tip,.fencing-sequence .fz-event:focus .fz-tip{\
visibility:visible}\
.fencing-sequence .fz-tip rect{fill:#222;stroke:#888}\
.fencing-sequence .fz-tip text{fill:#fff}";
