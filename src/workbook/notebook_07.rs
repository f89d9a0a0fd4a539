//! The checks of notebook 07, proof.

use super::answer::Answer;
use super::attempt::{of_choice, of_code, of_value};
use super::proof_judge::{gives_back, judge};
use super::store_under_test::Restart;
use super::verdict::{Finding, Shortfall, Verdict};
use crate::analysis::estimate::writing::with_commas;
use crate::figures::table::Table;
use crate::proof::{Checked, Proof, ProofError, Property};
use crate::protocol::lease::Token;
use crate::protocol::store::{Record, Refused, Store, TokenCheck, Write};
use crate::simulation::trace::{Happening, Trace};
use crate::time::Time;
use std::fmt::Debug;
use std::hash::Hash;

/// Exercise 07-1: which properties hold with a check on writes only? All their letters in one, such
/// as `"bc"`.
pub fn check_07_1(answer: impl Answer<String>) -> Verdict {
    of_value("07-1", answer, |letters| match Proof::of(TokenCheck::OnWrite).turns(1).check() {
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
            "The store compares writes with writes, so accepted tokens never fall. It does not \
             hear of a newer grant until that one writes: an old write still passes, and what the \
             newer holder has read is out of date."
                .to_owned(),
        );
    };
    let explanation = match property {
        Property::TokensNeverFall => {
            "The mark is the highest token of a write that was accepted, and a write below it is \
             refused. How could the tokens of accepted writes fall?"
        }
        Property::NoZombieWrite | Property::NoLostUpdate => {
            "The read of a newer holder leaves no mark. What if an old write arrives just then?"
        }
        Property::NewestIsServed => {
            "Only a token below the mark is refused, and the mark is one that was served."
        }
        Property::NoDeadlock => "Leases end, and whoever is refused starts over.",
    };
    let says = if checked.holds(property) { "holds" } else { "does not hold" };
    let shortfall = Shortfall::new(format!("({letter}) \"{property}\" {says}."), explanation);
    Finding::NotYet(match checked.counterexample(property) {
        Some(run) => shortfall.seen_in(run),
        None => shortfall.seen_from(checked.table()),
    })
}

/// Exercise 07-2: a store that serves every read, and with which every property holds.
pub fn check_07_2<S>(store: S) -> Verdict
where
    S: Store + Clone + Debug + Eq + Hash + Send + Sync + 'static,
{
    let by_hand: [Box<dyn Store + Send>; 2] = [Box::new(store.clone()), Box::new(store.clone())];
    let proof = Proof::of_store(store);
    of_code("07-2", move || {
        let [mut first, mut second] = by_hand;
        let checked = gives_back(&mut *first)
            .and_then(|()| serves_every_read(&mut *second))
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
    let mut by_hand: Box<dyn Store + Send> = Box::new(store.clone());
    let proof = Proof::of_store(Restarting(store)).restarts(1);
    of_code("07-3", move || {
        let checked = gives_back(&mut *by_hand).and_then(|()| judge(&proof, why_the_disk_matters));
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
        self.0 = S::start(self.0.disk());
    }
}

fn why_the_disk_matters(property: Property, run: &Trace) -> &'static str {
    let restarts = run.entries.iter().any(|entry| entry.happening == Happening::StoreForgets);
    match (property, restarts) {
        (Property::NewestIsServed, true) => {
            "After a restart it refuses what it would have served before. A new process must go on \
             with the mark that the old one had: no lower, and no higher."
        }
        (Property::NewestIsServed, false) => {
            "Refuse only what is below the mark. An equal token is the holder's own, and a higher \
             one is a newer grant."
        }
        (_, true) => {
            "The mark that was saved is an older one: B's read has raised the mark since, and the \
             restart has lost that. What the store goes by must be on the disk before it answers."
        }
        (_, false) => {
            "It goes wrong without a restart. Every request that is served raises the mark, and no \
             late one lowers it again."
        }
    }
}

/// Exercise 07-4: a store whose mark has two bits. What are the smallest bounds that find it?
/// `"a"` 2 clients with 1 turn, `"b"` 3 with 1, `"c"` 2 with 2, `"d"` 3 with 2.
pub fn check_07_4(answer: impl Answer<String>) -> Verdict {
    of_choice("07-4", answer, &["a", "b", "c", "d"], |letter| {
        smallest_bounds(letter).unwrap_or_else(|error| Finding::NotAttempted(error.to_string()))
    })
}

/// The bounds to choose from, the smallest first.
const CHOICES: [(&str, u32, u32); 4] = [("a", 2, 1), ("b", 3, 1), ("c", 2, 2), ("d", 3, 2)];

fn smallest_bounds(letter: &str) -> Result<Finding, ProofError> {
    let columns = ["", "clients", "turns", "grants", "states", "steps to the fault"];
    let mut table = Table::new(columns);
    for (choice, clients, turns) in CHOICES {
        let checked = Proof::of_store(TwoBits::default()).clients(clients).turns(turns).check()?;
        let end = |property| Some(checked.trace(property)?.end - Time::START);
        let shortest = Property::ALL.into_iter().filter_map(end).min();
        let grants = clients * turns;
        let cells = [choice.to_owned(), clients.to_string(), turns.to_string(), grants.to_string()];
        let states = with_commas(checked.states());
        // There is a step a second, and one second at the end.
        let steps = shortest.map_or("none".to_owned(), |end| (end.as_secs() - 1).to_string());
        table = table.row(cells.into_iter().chain([states, steps]));
        if shortest.is_some() {
            return Ok(judged(letter, choice, grants, table));
        }
    }
    Ok(Finding::NotAttempted("It was not found at all.".to_owned()))
}

fn judged(letter: &str, right: &str, grants: u32, table: Table) -> Finding {
    if letter == right {
        return Finding::Solved(format!(
            "Two bits hold the tokens up to 3. It takes a world with {grants} grants to see token \
             4 come out as 0. A mark with 32 bits is found in the same way, in a world with four \
             billion grants."
        ));
    }
    let explanation = match letter {
        "d" => "That finds it, but a much smaller world does, too. How many grants does it take?",
        _ => {
            "Each turn is at most one grant. How many grants does it take until two bits are full?"
        }
    };
    let sentence = "Those are not the smallest bounds that find it.";
    Finding::NotYet(Shortfall::new(sentence, explanation).seen_from(table))
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
