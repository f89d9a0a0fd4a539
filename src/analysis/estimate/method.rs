//! The method: how the interval of a rate is made.
//!
//! | what was counted | method |
//! |---|---|
//! | nothing, or nothing else | [`RuleOfThree`](Method::RuleOfThree) |
//! | up to ten events (or trials without one) | [`ClopperPearson`](Method::ClopperPearson) |
//! | more, in ten runs or more that saw it happen and not happen | [`Repeats`](Method::Repeats) |
//! | more, in fewer runs | [`Wilson`](Method::Wilson) |

use std::fmt;

/// How the interval of a rate was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// From how far so many runs lie apart, by Student's distribution and Wilson's formula. It does
    /// not mind if events within a run have to do with one another.
    Repeats(usize),
    /// Wilson's formula, for independent trials. Where events cluster it is somewhat too sure.
    Wilson,
    /// The exact formula of Clopper and Pearson, for few events in independent trials.
    ClopperPearson,
    /// No event, or nothing but events: the rule of three, for independent trials.
    RuleOfThree,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Repeats(runs) => write!(f, "Wilson, from how far {runs} runs lie apart"),
            Method::Wilson => f.write_str("Wilson, as if events were independent"),
            Method::ClopperPearson => f.write_str("Clopper–Pearson, exact for few events"),
            Method::RuleOfThree => f.write_str("rule of three"),
        }
    }
}
