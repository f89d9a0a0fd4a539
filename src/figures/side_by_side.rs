//! Several figures in one output, since a cell shows only one.

use super::output::{Figure, debug_is_text, show};
use std::fmt;

/// Several figures in one row, which breaks where the page is narrow; as text, one after the other.
#[derive(Clone, PartialEq, Eq)]
pub struct SideBySide {
    places: Vec<Place>,
}

/// One of the figures, as it was when it was put there.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    html: String,
    text: String,
    is_picture: bool,
}

/// Puts figures side by side: an array of one kind, or a tuple of up to six of any kind. References
/// do as well.
///
/// ```
/// use fencing::prelude::*;
///
/// let story = |check| {
///     let scenario = Scenario { token_check: check, ..Scenario::incident() };
///     trace(&scenario, Seed(1)).map(|run| run.sequence())
/// };
/// let pair = side_by_side([story(TokenCheck::Never)?, story(TokenCheck::OnWrite)?]);
/// assert!(pair.to_string().contains("ZOMBIE WRITE"));
///
/// let outcome = run(&Scenario::incident(), Seed(1))?;
/// let mixed = side_by_side((story(TokenCheck::Never)?, &outcome));
/// assert!(mixed.to_string().ends_with(&outcome.to_string()));
/// # Ok::<(), ScenarioError>(())
/// ```
#[must_use]
pub fn side_by_side(figures: impl Figures) -> SideBySide {
    SideBySide { places: figures.each(|figure| Place::of(figure)) }
}

/// Some figures: an array or a list of one kind, or a tuple of several kinds.
pub trait Figures {
    /// What is made of each of them, in their order.
    fn each<T>(self, make: impl Fn(&dyn Figure) -> T) -> Vec<T>;
}

impl<F: Figure, const N: usize> Figures for [F; N] {
    fn each<T>(self, make: impl Fn(&dyn Figure) -> T) -> Vec<T> {
        self.iter().map(|figure| make(figure)).collect()
    }
}

impl<F: Figure> Figures for Vec<F> {
    fn each<T>(self, make: impl Fn(&dyn Figure) -> T) -> Vec<T> {
        self.iter().map(|figure| make(figure)).collect()
    }
}

macro_rules! tuples {
    ($(($($kind:ident $place:tt),+))+) => {$(
        impl<$($kind: Figure),+> Figures for ($($kind,)+) {
            fn each<T>(self, make: impl Fn(&dyn Figure) -> T) -> Vec<T> {
                vec![$(make(&self.$place)),+]
            }
        }
    )+};
}

tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
}

impl Place {
    fn of(figure: &dyn Figure) -> Place {
        Place { html: figure.html(), text: figure.to_string(), is_picture: figure.is_picture() }
    }

    /// All share the row evenly, but no picture gets so small that its words cannot be read.
    fn to_html(&self) -> String {
        let least = if self.is_picture { 480 } else { 320 };
        let style = format!("flex:1 1 {least}px;min-width:0;max-width:800px;overflow-x:auto");
        format!("<div style=\"{style}\">{}</div>", self.html)
    }
}

impl SideBySide {
    /// All figures as HTML.
    #[must_use]
    pub fn to_html(&self) -> String {
        let places: String = self.places.iter().map(Place::to_html).collect();
        format!(
            "<div style=\"display:flex;flex-wrap:wrap;gap:16px 24px;align-items:flex-start\">\
             {places}</div>"
        )
    }

    /// Shows the figures in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.to_html(), &self.to_string());
    }
}

debug_is_text!(SideBySide);

impl Figure for SideBySide {
    fn html(&self) -> String {
        self.to_html()
    }
}

/// One after the other, with an empty line between.
impl fmt::Display for SideBySide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<&str> = self.places.iter().map(|place| place.text.trim_end()).collect();
        f.write_str(&texts.join("\n\n"))
    }
}
