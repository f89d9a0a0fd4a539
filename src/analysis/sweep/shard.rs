//! Shards: a sweep shared out among machines that know nothing of one another.

use std::fmt;
use std::str::FromStr;

/// One of n shares of a sweep's runs, written `i/n` and counted from 1.
///
/// Runs are dealt out like cards: the first to shard 1, the next to shard 2, and after the last
/// shard to shard 1 again, cell by cell and in each repeat by repeat. So every shard gets runs of
/// about every cell, and all take about as long.
///
/// ```
/// use fencing::prelude::*;
///
/// let shard: Shard = "2/3".parse()?;
/// let runs: Vec<usize> = (0..8).filter(|run| shard.has(*run)).collect();
/// assert_eq!(runs, [1, 4, 7]);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// The whole sweep.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Shard `number` of `of`, counted from 1.
    ///
    /// # Errors
    /// One sentence, where `number` is not from 1 to `of`.
    pub fn new(number: usize, of: usize) -> Result<Shard, String> {
        if number == 0 || of < number {
            return Err(format!(
                "there is no shard {number} of {of}: shards are counted from 1, so the first of \
                 four is 1/4 and the last 4/4"
            ));
        }
        Ok(Shard { number, of })
    }

    /// Which it is, from 1.
    #[must_use]
    pub fn number(self) -> usize {
        self.number
    }

    /// Out of how many.
    #[must_use]
    pub fn of(self) -> usize {
        self.of
    }

    /// True if the run with this number is in it. Runs are counted from 0, cell by cell and in each
    /// repeat by repeat.
    #[must_use]
    pub fn has(self, run: usize) -> bool {
        run % self.of == self.number - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(number, of)| Some((number.trim().parse().ok()?, of.trim().parse().ok()?)));
        let Some((number, of)) = numbers else {
            return Err(format!("{text:?} is no shard: write which and of how many, such as 2/4"));
        };
        Shard::new(number, of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_in_exactly_one_shard() {
        for of in 1..=7 {
            let shards: Vec<Shard> =
                (1..=of).map(|number| Shard::new(number, of).expect("valid")).collect();
            for run in 0..50 {
                assert_eq!(shards.iter().filter(|shard| shard.has(run)).count(), 1, "{run}/{of}");
            }
        }
    }

    #[test]
    fn what_is_no_shard_is_refused_in_one_sentence() {
        for (text, part) in [
            ("0/4", "counted from 1"),
            ("5/4", "no shard 5 of 4"),
            ("0/0", "no shard 0 of 0"),
            ("4", "such as 2/4"),
            ("a/b", "such as 2/4"),
            ("-1/4", "such as 2/4"),
            ("", "such as 2/4"),
        ] {
            let error = text.parse::<Shard>().expect_err(text);
            assert!(error.contains(part), "{error}");
        }
        assert_eq!(" 2 / 4".parse::<Shard>().map(|shard| shard.to_string()), Ok("2/4".into()));
    }
}
