//! SVG text, written element by element, and how much room a text takes in it.
//!
//! Pictures are text that a learner may want to read, so a small builder does: it escapes, rounds
//! to a tenth of a pixel, and knows nothing of what it draws.

use std::fmt::{self, Display, Write};

/// One element with its attributes and what is in it.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    name: &'static str,
    attributes: String,
    content: String,
}

impl Element {
    /// An empty element.
    pub(crate) fn new(name: &'static str) -> Element {
        Element { name, attributes: String::new(), content: String::new() }
    }

    /// An attribute that is a text.
    pub(crate) fn set(mut self, name: &str, value: impl Display) -> Element {
        // Writing to a String cannot fail.
        let _ = write!(self.attributes, " {name}=\"{}\"", escape(&value.to_string()));
        self
    }

    /// Attributes that are lengths, in pixels.
    pub(crate) fn lengths<const N: usize>(self, lengths: [(&str, f64); N]) -> Element {
        lengths.iter().fold(self, |element, (name, length)| element.set(name, number(*length)))
    }

    /// Another element in this one.
    pub(crate) fn with(mut self, child: impl Display) -> Element {
        let _ = write!(self.content, "{child}");
        self
    }

    /// Other elements in this one, in order.
    pub(crate) fn with_all<D: Display>(self, children: impl IntoIterator<Item = D>) -> Element {
        children.into_iter().fold(self, Element::with)
    }

    /// Text in this one.
    pub(crate) fn text(mut self, text: &str) -> Element {
        self.content.push_str(&escape(text));
        self
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Element { name, attributes, content } = self;
        if content.is_empty() {
            return write!(f, "<{name}{attributes}/>");
        }
        write!(f, "<{name}{attributes}>{content}</{name}>")
    }
}

/// A straight line.
pub(crate) fn line(from: (f64, f64), to: (f64, f64)) -> Element {
    Element::new("line").lengths([("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)])
}

/// A rectangle.
pub(crate) fn rect(area: Area) -> Element {
    let (width, height) = (area.width(), area.height());
    Element::new("rect").lengths([
        ("x", area.left),
        ("y", area.top),
        ("width", width),
        ("height", height),
    ])
}

/// A circle.
pub(crate) fn circle(centre: (f64, f64), radius: f64) -> Element {
    Element::new("circle").lengths([("cx", centre.0), ("cy", centre.1), ("r", radius)])
}

/// A path through these points; closed where it ends where it began.
pub(crate) fn path(strokes: &[Vec<(f64, f64)>]) -> Element {
    let mut d = String::new();
    for stroke in strokes {
        for (index, (x, y)) in stroke.iter().enumerate() {
            d.push(if index == 0 { 'M' } else { 'L' });
            let _ = write!(d, "{} {}", number(*x), number(*y));
        }
        if stroke.len() > 2 && stroke.first() == stroke.last() {
            d.push('Z');
        }
    }
    Element::new("path").set("d", d)
}

/// A line of text whose left, middle or right end (`start`, `middle`, `end`) stands at `x`, and
/// whose letters stand on `baseline`.
pub(crate) fn text(x: f64, baseline: f64, anchor: &str, words: &str) -> Element {
    let text = Element::new("text").lengths([("x", x), ("y", baseline)]);
    let text = if anchor == "start" { text } else { text.set("text-anchor", anchor) };
    text.text(words)
}

/// A text that is safe in an element and in an attribute.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(letter),
            // XML knows no other control characters, not even escaped.
            _ if letter.is_control() || matches!(letter, '\u{FFFE}' | '\u{FFFF}') => {
                safe.push('\u{FFFD}');
            }
            _ => safe.push(letter),
        }
    }
    safe
}

/// A length with at most one decimal.
pub(crate) fn number(length: f64) -> String {
    let tenths = (length * 10.0).round() / 10.0;
    // Adding zero turns a minus zero into a plain one.
    format!("{}", tenths + 0.0)
}

/// A part of the picture: an upright box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Area {
    /// The box around a point.
    pub(crate) fn around(centre: (f64, f64), half_width: f64, half_height: f64) -> Area {
        Area {
            left: centre.0 - half_width,
            top: centre.1 - half_height,
            right: centre.0 + half_width,
            bottom: centre.1 + half_height,
        }
    }

    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// The same with a margin all around.
    pub(crate) fn grown(&self, margin: f64) -> Area {
        Area {
            left: self.left - margin,
            top: self.top - margin,
            right: self.right + margin,
            bottom: self.bottom + margin,
        }
    }

    /// True if both share some room; a common edge is none.
    pub(crate) fn overlaps(&self, other: &Area) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// True if all of `other` is in this one.
    pub(crate) fn contains(&self, other: &Area) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }

    /// True if the straight line between two points touches it.
    pub(crate) fn meets_line(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        self.part_of_line(from, to).is_some()
    }

    /// The part of the straight line between two points that lies within: where it begins and
    /// ends, as shares of the line.
    pub(crate) fn part_of_line(&self, from: (f64, f64), to: (f64, f64)) -> Option<(f64, f64)> {
        // Cut the line down to the part within each pair of edges, by shares of its length.
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (start, end, low, high) in
            [(from.0, to.0, self.left, self.right), (from.1, to.1, self.top, self.bottom)]
        {
            let way = end - start;
            if way == 0.0 {
                if start < low || high < start {
                    return None;
                }
                continue;
            }
            let (enters, leaves) = ((low - start) / way, (high - start) / way);
            first = first.max(enters.min(leaves));
            last = last.min(enters.max(leaves));
        }
        (first <= last).then_some((first, last))
    }
}

/// How wide a text is, in pixels: letter by letter as in Arial and its kin, a little generous.
pub(crate) fn text_width(words: &str, font_size: f64) -> f64 {
    words.chars().map(letter_width).sum::<f64>() * font_size * 1.03
}

/// Breaks a text into lines that are at most so wide, between words where it can.
pub(crate) fn wrapped(words: &str, font_size: f64, width: f64) -> Vec<String> {
    let fits = |line: &str| text_width(line, font_size) <= width;
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if fits(&format!("{line} {word}")) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.extend(broken(word, fits)),
        }
    }
    lines
}

/// A word in as few pieces as fit, nearly always one.
fn broken(word: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    for letter in word.chars() {
        if !piece.is_empty() && !fits(&format!("{piece}{letter}")) {
            pieces.push(std::mem::take(&mut piece));
        }
        piece.push(letter);
    }
    pieces.push(piece);
    pieces
}

/// In shares of the font size.
fn letter_width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '\'' | '|' => 0.23,
        ' ' | ',' | '.' | ':' | ';' | 'f' | 't' | 'I' | '/' | '!' => 0.29,
        'r' | '(' | ')' | '-' => 0.34,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' | 'J' => 0.51,
        'm' | 'M' => 0.84,
        'w' => 0.73,
        'W' => 0.95,
        'A'..='Z' => 0.73,
        'a'..='z' | '0'..='9' => 0.56,
        _ if letter.is_ascii() => 0.6,
        '…' => 0.9,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_markup_is_escaped_in_text_and_attributes() {
        let element = Element::new("text").set("aria-label", "a \"b\" & c").text("<d>'\u{1}");
        let written = element.to_string();
        let expected = "<text aria-label=\"a &quot;b&quot; &amp; c\">&lt;d&gt;&#39;\u{FFFD}</text>";
        assert_eq!(written, expected);
    }

    #[test]
    fn lengths_have_one_decimal_at_most() {
        assert_eq!(number(1.0), "1");
        assert_eq!(number(-0.01), "0");
        assert_eq!(number(12.345), "12.3");
    }

    #[test]
    fn a_text_is_broken_between_words_and_a_long_word_anywhere() {
        assert_eq!(wrapped("one two three", 10.0, 50.0), ["one two", "three"]);
        let parts = wrapped("Donaudampfschiff", 10.0, 50.0);
        assert!(parts.len() > 1 && parts.concat() == "Donaudampfschiff", "{parts:?}");
        assert!(wrapped(" ", 10.0, 50.0).is_empty());
    }

    #[test]
    fn a_line_meets_an_area_it_passes_through_and_no_other() {
        let area = Area { left: 0.0, top: 0.0, right: 10.0, bottom: 10.0 };
        assert!(area.meets_line((-5.0, 5.0), (15.0, 6.0)));
        assert!(area.meets_line((2.0, 2.0), (3.0, 3.0)));
        assert!(!area.meets_line((-5.0, 12.0), (15.0, 11.0)));
        assert!(!area.meets_line((-5.0, 5.0), (-1.0, 5.0)));
    }
}
