//! The checks of notebook 07, proof.

use super::answer::Answer;
use super::attempt::{of_choice, of_code, of_value};
use super::proof_judge::judge;
use super::proof_questions::{Make, Question, gives_back, gives_what_it_holds, serves};
use super::store_under_test::Restart;
use super::verdict::{Finding, Shortfall, Verdict};
use crate::analysis::estimate::writing::with_commas;
use crate::figures::table::Table;
use crate::proof::{Checked, Flaw, Proof, ProofError, Property};
use crate::protocol::lease::Token;
use crate::protocol::store::{Record, Refused, Store, TokenCheck, Write};
use crate::simulation::trace::{Happening, Trace};
use crate::time::Time;
use std::fmt::Debug;
use std::hash::Hash;

/// Exercise 07-1: which properties hold with random tokens and a check on every request? All their
/// letters in one, such as `"bc"`.
pub fn check_07_1(answer: impl Answer<String>) -> Verdict {
    let proof = Proof::of(TokenCheck::OnEveryRequest).broken(Flaw::RandomTokens).turns(1);
    of_value("07-1", answer, move |letters| match proof.check() {
        Ok(checked) => which_hold(&letters, &checked),
        Err(error) => Finding::NotAttempted(error.to_string()),
    })
}

/// The letters of the properties, in the order of [`Property::ALL`].
const LETTERS: [char; Property::ALL.len()] = ['a', 'b', 'c', 'd', 'e'];

fn which_hold(letters: &str, checked: &Checked) -> Finding {
    let given = |letter: char| letters.contains(letter);
    let is_known = |letter: char| !letter.is_alphabetic() || LETTERS.contains(&letter);
    if !LETTERS.into_iter().any(given) || !letters.chars().all(is_known) {
        let how = "Answer with the letters of all that hold, such as \"bc\".";
        return Finding::NotAttempted(how.to_owned());
    }
    let lettered = Property::ALL.into_iter().zip(LETTERS);
    let wrong = lettered.filter(|(property, letter)| checked.holds(*property) != given(*letter));
    let Some((property, letter)) = wrong.min_by_key(|(property, _)| checked.holds(*property))
    else {
        return Finding::Solved(
            "The store does what it is there for: it lets no lower token in after a higher one, so \
             nobody writes between another one's read and write. But a lower token is no older \
             one here. An old grant passes if its token is the higher one, and the newest is \
             refused if it has drawn a lower one."
                .to_owned(),
        );
    };
    let explanation = match property {
        Property::TokensNeverFall => {
            "The mark is the highest token that was served, and whatever is below it is refused. \
             In which order the tokens were handed out plays no part in that."
        }
        Property::NoZombieWrite => {
            "What the store refuses is the lower token. Is that always the one of the older grant?"
        }
        Property::NoLostUpdate => {
            "An update is lost if somebody else writes between a client's read and its write, and \
             all three are served. No token may be lower than the one before it. What would these \
             three tokens have to be?"
        }
        Property::NewestIsServed => {
            "The newest grant may have drawn a lower token than one that was served before it."
        }
        Property::NoDeadlock => "Leases end, and whoever is refused starts over.",
    };
    let says = if checked.holds(property) { "holds" } else { "does not hold" };
    let shortfall = Shortfall::new(format!("({letter}) \"{property}\" {says}."), explanation);
    Finding::NotYet(match checked.counterexample(property) {
        Some(run) => shortfall.seen_in(run),
        None => shortfall.seen_from(checked.table_of(&[property])),
    })
}

/// Exercise 07-2: a store that serves every read, and with which every property holds.
pub fn check_07_2<S>(store: S) -> Verdict
where
    S: Store + Clone + Debug + Eq + Hash + Send + Sync + 'static,
{
    let proof = Proof::of_store(store.clone());
    let make: Make = Box::new(move || Box::new(store.clone()));
    of_code("07-2", move || {
        let checked = gives_back(&make)
            .and_then(|()| serves_every_read(&mut *make()))
            .and_then(|()| gives_what_it_holds(&make, false))
            .and_then(|()| judge(&proof, why_reads_matter));
        finding(checked, "It serves every read")
    })
}

fn finding(checked: Result<Checked, Shortfall>, did: &str) -> Finding {
    match checked {
        Ok(checked) => Finding::Solved(format!(
            "{did}, and every property holds in every interleaving of 3 clients with 1 turn each, \
             and of 2 with 2 turns: {} states, with {} steps between them, for these.",
            with_commas(checked.states()),
            with_commas(checked.steps())
        )),
        Err(shortfall) => Finding::NotYet(shortfall),
    }
}

/// Whether it serves reads in any order.
fn serves_every_read(store: &mut dyn Store) -> Result<(), Shortfall> {
    for token in [2, 1, 3, 2, 1] {
        if store.read(Token(token)).is_err() {
            return Err(Shortfall::new(
                format!("Your store refuses a read with token {token}."),
                "Here it must serve every read. A read changes nothing: what does harm is the \
                 write that may come of it. What must the store take note of?",
            ));
        }
    }
    Ok(())
}

fn why_reads_matter(property: Property, _run: &Trace) -> &'static str {
    match property {
        Property::NewestIsServed => {
            "Refuse a write only if its token is below the mark. An equal one is the holder's own, \
             since its read has raised the mark, and a higher one is a newer grant."
        }
        Property::NoDeadlock => "Whoever is refused must be able to start over.",
        _ => {
            "Look at who was served last before that write. Every request that is served raises \
             the mark, reads too; and a late one with a lower token must not lower it again."
        }
    }
}

/// Exercise 07-3: a store that may restart once, at any moment.
pub fn check_07_3<S>(store: S) -> Verdict
where
    S: Restart + Clone + Debug + Eq + Hash + Send + Sync + 'static,
{
    let proof = Proof::of_store(Restarting(store.clone())).restarts(1);
    let make: Make = Box::new(move || Box::new(Restarting(store.clone())));
    of_code("07-3", move || {
        let why = |property, run: &Trace| why_the_disk_matters(&make, property, run);
        let checked = gives_back(&make)
            .and_then(|()| gives_what_it_holds(&make, true))
            .and_then(|()| judge(&proof, why));
        finding(checked, "It may restart at any moment")
    })
}

/// A restart leaves it what is on the disk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Restarting<S>(S);

impl<S: Restart> Store for Restarting<S> {
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        self.0.read(token)
    }

    fn write(&mut self, write: Write) -> Result<(), Refused> {
        self.0.write(write)
    }

    fn forget(&mut self) {
        self.0 = S::start(self.0.disk().clone());
    }
}

fn why_the_disk_matters(make: &Make, property: Property, run: &Trace) -> &'static str {
    let restarts = run.entries.iter().any(|entry| entry.happening == Happening::StoreRestarts);
    match (property, restarts) {
        (Property::NewestIsServed, true) => {
            "After a restart it refuses what it would have served before. A new process must go on \
             with the mark that the old one had: no lower, and no higher."
        }
        (Property::NewestIsServed, false) => {
            "Refuse only what is below the mark. An equal token is the holder's own, and a higher \
             one is a newer grant."
        }
        (_, true) => why_the_mark_is_lower(make),
        (_, false) => {
            "It goes wrong without a restart. Every request that is served raises the mark, and no \
             late one lowers it again."
        }
    }
}

/// Why a store that was restarted serves what it would have refused before: a few questions tell.
fn why_the_mark_is_lower(make: &Make) -> &'static str {
    use Question::{Read, Restart, Write};
    if serves(make, &[Read(2), Write(2), Restart, Write(1)]) {
        "After a restart it serves even what is older than a write that was done before: the new \
         process goes by no mark, or not by the one that was saved. `start` must go on with what \
         the old process went by."
    } else if serves(make, &[Read(2), Restart, Write(1)]) {
        "The mark that was saved is an older one: a newer grant's read has raised the mark since, \
         and the restart has lost that. What the store goes by must be on the disk before it \
         answers."
    } else if serves(make, &[Read(2), Read(1), Restart, Write(1)])
        || serves(make, &[Read(2), Write(1), Restart, Write(1)])
    {
        "A late request was refused, and yet it has put its own lower token on the disk: that is \
         the mark after the restart. Compare first, and save what is served."
    } else {
        "After the restart it goes by a lower mark than before. What it goes by must be on the \
         disk before it answers."
    }
}

/// Exercise 07-4: a store whose mark has two bits. Which are the smallest of these bounds that find
/// it? `"a"` 2 clients with 1 turn, `"b"` 3 with 1, `"c"` 2 with 2, `"d"` 3 with 2.
pub fn check_07_4(answer: impl Answer<String>) -> Verdict {
    of_choice("07-4", answer, &["a", "b", "c", "d"], |letter| {
        smallest_bounds(letter).unwrap_or_else(|error| Finding::NotAttempted(error.to_string()))
    })
}

/// The bounds to choose from, the smallest first.
const CHOICES: [(&str, u32, u32); 4] = [("a", 2, 1), ("b", 3, 1), ("c", 2, 2), ("d", 3, 2)];
/// The fault is found long before.
const MOST_STEPS: u64 = 100_000;

fn smallest_bounds(letter: &str) -> Result<Finding, ProofError> {
    let mut is_found_before = false;
    for (choice, clients, turns) in CHOICES {
        let proof = Proof::of_store(TwoBits::default()).clients(clients).turns(turns);
        let shortest = steps_to_a_fault(&proof.at_most(MOST_STEPS).check()?);
        if choice == letter {
            return Ok(match (shortest, is_found_before) {
                (Some(_), false) => Finding::Solved(enough(clients * turns)),
                (found, _) => Finding::NotYet(another(clients, turns, found)),
            });
        }
        is_found_before |= shortest.is_some();
    }
    Ok(Finding::NotAttempted("It was not found at all.".to_owned()))
}

fn steps_to_a_fault(checked: &Checked) -> Option<u64> {
    let end = |property| Some(checked.trace(property)?.end - Time::START);
    // There is a step a second, and one second at the end.
    Property::ALL.into_iter().filter_map(end).min().map(|end| end.as_secs() - 1)
}

fn enough(grants: u32) -> String {
    format!(
        "Two bits hold the tokens up to 3. It takes a world with {grants} grants to see token 4 \
         come out as 0. A mark with 32 bits is found in the same way, in a world with four billion \
         grants."
    )
}

/// Why others are the smallest: with what was found in these alone, or the answer would be seen.
fn another(clients: u32, turns: u32, found: Option<u64>) -> Shortfall {
    let explanation = match found {
        Some(_) => "That finds it, but a smaller world does, too. How many grants does it take?",
        None => {
            "Each turn is at most one grant. How many grants does it take until two bits are full?"
        }
    };
    let steps = found.map_or("none is found".to_owned(), |steps| steps.to_string());
    let row = [clients.to_string(), turns.to_string(), (clients * turns).to_string(), steps];
    let table = Table::new(["clients", "turns each", "grants at most", "steps to a fault"]);
    let sentence = "Those are not the smallest bounds that find it.";
    Shortfall::new(sentence, explanation).seen_from(table.row(row))
}

/// A register with a mark of two bits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct TwoBits {
    record: Record,
    mark: u64,
}

impl TwoBits {
    fn admit(&mut self, token: Token) -> Result<(), Refused> {
        let bits = token.0 % 4;
        if bits < self.mark {
            return Err(Refused { mark: Token(self.mark) });
        }
        self.mark = bits;
        Ok(())
    }
}

impl Store for TwoBits {
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        self.admit(token)?;
        Ok(self.record)
    }

    fn write(&mut self, write: Write) -> Result<(), Refused> {
        self.admit(write.token)?;
        self.record = Record { value: write.value, version: self.record.version + 1 };
        Ok(())
    }
}
