//! Follow-up questions, as they are asked in an interview or a design review: the reader writes an
//! answer first, and then sees another one beside it.
//!
//! Nobody is judged. What an answer should not leave out is listed, to be ticked off.

use super::cards::Card;
use crate::figures::svg::escape;
use serde::Deserialize;

/// A question, with an answer and what it should not leave out.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FollowUp {
    /// The question.
    pub question: String,
    /// A short answer.
    pub answer: String,
    /// What an answer should not leave out, each with the notebook that shows it.
    pub points: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    follow_up: Vec<FollowUp>,
}

/// All follow-up questions, in their order.
///
/// # Panics
/// Where `follow_ups.toml` is no such list; a test sees to it that it is.
#[must_use]
pub fn follow_ups() -> Vec<FollowUp> {
    let list: Result<List, _> = toml::from_str(include_str!("../../notebooks/follow_ups.toml"));
    list.expect("notebooks/follow_ups.toml is a list of questions").follow_up
}

/// A reader's own answer to the follow-up question of this number beside another one:
/// `compare(1, "…")`. Without an answer the question alone is shown.
///
/// ```
/// use fencing::prelude::*;
///
/// assert!(compare(1, "").to_string().contains("Write your answer first"));
/// assert!(compare(1, "With a token.").to_string().contains("With a token."));
/// ```
#[must_use]
pub fn compare(number: usize, own: &str) -> Card {
    let all = follow_ups();
    let Some(FollowUp { question, answer, points }) =
        number.checked_sub(1).and_then(|index| all.get(index))
    else {
        let text = format!("There is no question {number}: there are 1 to {}.", all.len());
        return Card::of("unknown", escape(&text), text);
    };
    let heading = format!("<strong>{}</strong>", escape(question));
    if own.trim().is_empty() {
        let how = "Write your answer first, between the quotes, and run the cell again.";
        return Card::of(
            "question",
            format!("{heading}<p>{how}</p>"),
            format!("{question}\n{how}"),
        );
    }
    let part = |title: &str, words: &str| {
        format!(
            "<p style=\"margin:.6em 0 .2em\"><em>{title}</em></p><p style=\"margin:0\">{}</p>",
            escape(words)
        )
    };
    let ticks = points.iter().map(|point| format!("<li>{}</li>", escape(point)));
    let html = format!(
        "{heading}{}{}<p style=\"margin:.6em 0 .2em\"><em>Does yours say this?</em></p><ul \
         style=\"margin:0\">{}</ul>",
        part("Yours", own.trim()),
        part("Another", answer.trim()),
        ticks.collect::<String>()
    );
    let list: String = points.iter().map(|point| format!("- {point}\n")).collect();
    let text = format!(
        "{question}\nYours: {}\nAnother: {}\nDoes yours say this?\n{list}",
        own.trim(),
        answer.trim()
    );
    Card::of("answer", html, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_questions_are_whole() {
        let all = follow_ups();
        assert_eq!(all.len(), 4);
        for FollowUp { question, answer, points } in all {
            assert!(question.ends_with('?'), "{question}");
            assert!((20..=110).contains(&answer.split_whitespace().count()), "{question}: short");
            assert!((3..=5).contains(&points.len()), "{question}");
        }
    }

    #[test]
    fn an_answer_is_shown_as_it_was_written_and_only_then_another() {
        let card = compare(2, "  a < b & c ");
        assert!(card.to_html().contains("a &lt; b &amp; c"));
        let answer = follow_ups()[1].answer.clone();
        assert!(card.to_string().contains(answer.trim()));
        assert!(!compare(2, " ").to_string().contains(answer.trim()));
        assert!(compare(9, "x").to_string().contains("1 to 4"));
    }
}
