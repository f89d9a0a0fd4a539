//! What a page links to, and what it would load.
//!
//! A link waits until a reader follows it. What is loaded, a browser fetches by itself; of that a
//! page of the book has nothing but what it carries within itself (`data:` and `#`).

use html5gum::emitters::default::{DefaultEmitter, Token};
use html5gum::{HtmlString, Tokenizer};
use std::collections::BTreeSet;

/// What a page refers to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct References {
    /// The places in it that a link can point to.
    pub ids: BTreeSet<String>,
    /// Where its links point to.
    pub links: Vec<String>,
    /// What a browser would fetch when it shows the page, each in words.
    pub loads: Vec<String>,
}

/// Attributes whose value a browser fetches, on any element.
const LOADING: [&str; 6] = ["src", "srcset", "poster", "data", "background", "imagesrcset"];
/// Attributes with an address, which is followed on `a` and `area`, and fetched on others.
const ADDRESSES: [&str; 2] = ["href", "xlink:href"];
/// Attributes by which a form or a link sends something off.
const SENDING: [&str; 3] = ["action", "formaction", "ping"];

/// Words by which a script fetches something or goes elsewhere.
const FETCHING: [&str; 9] = [
    "fetch(",
    "XMLHttpRequest",
    "import(",
    "importScripts",
    "WebSocket(",
    "EventSource(",
    "sendBeacon",
    "require(",
    "requirejs",
];

/// Reads the references of a page.
#[must_use]
pub fn read(html: &str) -> References {
    let mut emitter = DefaultEmitter::default();
    // Otherwise the inside of a script would be taken for elements.
    emitter.naively_switch_states(true);
    let mut found = References::default();
    let mut inside = String::new();
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                inside = text(&tag.name);
                for (name, value) in &tag.attributes {
                    found.note_attribute(&inside, &text(name), &text(&value.value));
                }
            }
            Token::EndTag(_) => inside.clear(),
            Token::String(content) if inside == "style" => found.note_style(&text(&content.value)),
            Token::String(content) if inside == "script" => {
                found.note_script(&text(&content.value));
            }
            _ => {}
        }
    }
    found
}

fn text(bytes: &HtmlString) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl References {
    fn note_attribute(&mut self, element: &str, name: &str, value: &str) {
        let is_link = matches!(element, "a" | "area");
        let value = value.trim();
        if name == "id" || (name == "name" && is_link) {
            self.ids.insert(value.to_owned());
        } else if ADDRESSES.contains(&name) && is_link {
            self.links.push(value.to_owned());
        } else if name == "srcdoc" {
            self.loads.extend(read(value).loads);
        } else if LOADING.contains(&name) || ADDRESSES.contains(&name) {
            self.note_load(value, &format!("<{element} {name}=\"{}\">", short(value)));
        } else if SENDING.contains(&name) && !value.is_empty() {
            self.loads.push(format!("<{element} {name}=\"{}\">", short(value)));
        } else if name == "http-equiv" && value.eq_ignore_ascii_case("refresh") {
            self.loads.push("<meta http-equiv=\"refresh\">".to_owned());
        } else if name.starts_with("on") {
            self.note_script(value);
        } else {
            // Not only `style`: `fill` and `marker-end` take addresses as well.
            self.note_style(value);
        }
    }

    fn note_load(&mut self, address: &str, words: &str) {
        let carried = address.is_empty() || ["data:", "#"].iter().any(|it| address.starts_with(it));
        if !carried {
            self.loads.push(words.to_owned());
        }
    }

    fn note_style(&mut self, style: &str) {
        for (_, rest) in style.match_indices("url(").map(|(at, _)| style.split_at(at + 4)) {
            let address = rest.trim_start().trim_start_matches(['"', '\'']).trim_start();
            let end = address.find([')', '"', '\'']).unwrap_or(address.len());
            let address = &address[..end];
            self.note_load(address, &format!("url({})", short(address)));
        }
        if style.contains("@import") {
            self.loads.push("@import in a style sheet".to_owned());
        }
    }

    fn note_script(&mut self, script: &str) {
        let found = FETCHING.into_iter().filter(|word| script.contains(word));
        self.loads.extend(found.map(|word| format!("`{word}` in a script")));
    }
}

/// Enough of an address to know it by.
fn short(address: &str) -> String {
    const LETTERS: usize = 60;
    match address.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &address[..end]),
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_not_a_load() {
        let page = read("<a id=x href='https://a.example/'>a</a><p id=y><a href=b.html#c>b</a>");
        assert_eq!(page.links, ["https://a.example/", "b.html#c"]);
        assert!(page.ids.contains("x") && page.ids.contains("y"));
        assert!(page.loads.is_empty(), "{page:?}");
    }

    #[test]
    fn whatever_a_browser_would_fetch_is_named() {
        for html in [
            "<script src=https://a.example/x.js></script>",
            "<link rel=stylesheet href=//a.example/x.css>",
            "<img src=picture.png>",
            "<img srcset='a.png 2x'>",
            "<style>@import 'x.css';</style>",
            "<style>p { background: url( \"http://a.example/\" ) }</style>",
            "<p style='background:url(x.png)'>",
            "<svg><rect fill='url(other.svg#a)'/></svg>",
            "<svg><use xlink:href='other.svg#a'/></svg>",
            "<script>fetch('x')</script>",
            "<button onclick='new WebSocket(1)'>",
            "<iframe srcdoc='<img src=x.png>'></iframe>",
            "<meta http-equiv=Refresh content='0;url=x'>",
            "<form action=https://a.example/></form>",
        ] {
            assert!(!read(html).loads.is_empty(), "{html}");
        }
    }

    #[test]
    fn what_a_page_carries_is_no_load() {
        for html in [
            "<img src='data:image/svg+xml;base64,PHN2Zy8+'>",
            "<svg xmlns='http://www.w3.org/2000/svg'><rect fill='url(#a)'/><use href='#b'/></svg>",
            "<script>const a = '<img src=x.png>'; document.querySelector('b')</script>",
            "<style>p::after { content: url('data:image/png;base64,') }</style>",
            "<pre>fetch(&quot;https://a.example&quot;); @import</pre>",
        ] {
            assert_eq!(read(html).loads, Vec::<String>::new(), "{html}");
        }
    }
}
