//! How a figure reaches a notebook.
//!
//! The kernel shows whatever a cell's value prints in `evcxr_display` between two marker lines, one
//! block a kind of content; the notebook picks the richest kind that it can show.

use super::svg::escape;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt;

/// Prints a figure for the kernel: as HTML, and as text where HTML cannot be shown.
pub(crate) fn show(html: &str, text: &str) {
    // One write, so that nothing that another thread prints can come between.
    print!("{}{}", block("text/html", html), block("text/plain", text));
}

fn block(kind: &str, content: &str) -> String {
    format!("EVCXR_BEGIN_CONTENT {kind}\n{content}\nEVCXR_END_CONTENT\n")
}

/// What a cell can show, as HTML and, by `Display`, as text. All figures are of this kind, so that
/// [`side_by_side`](super::side_by_side::side_by_side) can take any of them.
pub trait Figure: fmt::Display {
    /// What a notebook and an export show.
    fn html(&self) -> String;

    /// True for a picture, which becomes smaller where there is less room; words are broken.
    fn is_picture(&self) -> bool {
        false
    }
}

impl<F: Figure + ?Sized> Figure for &F {
    fn html(&self) -> String {
        (**self).html()
    }

    fn is_picture(&self) -> bool {
        (**self).is_picture()
    }
}

/// A still picture: an image with a description, that needs nothing of the page around it. So it
/// can be seen in an untrusted notebook, in a README and in an export, in any theme. It has no
/// hover texts.
#[derive(Clone, PartialEq, Eq)]
pub struct Still {
    /// What the picture tells, in words, for readers who cannot see it.
    pub description: String,
    /// The picture: a whole SVG file.
    pub svg: String,
    /// What is told where no picture can be shown.
    pub text: String,
}

impl Still {
    /// The picture as HTML.
    #[must_use]
    pub fn to_html(&self) -> String {
        let (description, data) = (escape(&self.description), STANDARD.encode(&self.svg));
        format!(
            "<figure style=\"margin:0\"><img alt=\"{description}\" style=\"max-width:100%\" \
             src=\"data:image/svg+xml;base64,{data}\"/></figure>"
        )
    }

    /// Shows the picture in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.to_html(), &self.text);
    }
}

/// The debug form of a figure is its text. evcxr shows it where the last line of a cell uses up a
/// variable, and in the place of a picture a reader should find words, not its insides.
macro_rules! debug_is_text {
    ($figure:ty) => {
        impl std::fmt::Debug for $figure {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}
pub(crate) use debug_is_text;

debug_is_text!(Still);

impl Figure for Still {
    fn html(&self) -> String {
        self.to_html()
    }

    fn is_picture(&self) -> bool {
        true
    }
}

impl fmt::Display for Still {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
