//! The checks of the exercises: solutions are solved, wrong answers get the explanation that fits,
//! and nothing that a reader writes does any harm.

use fencing::prelude::*;
use fencing::workbook::verdict::{Evidence, Finding};
use rusqlite::{Connection, params};
use std::collections::BTreeMap;

/// A checker made of a closure with a memory.
struct Checks<F>(F);

impl<F: FnMut(&Request) -> bool> Admit for Checks<F> {
    fn admit(&mut self, request: &Request) -> bool {
        (self.0)(request)
    }
}

/// The verdict is "not yet", with a picture and with this in its explanation.
fn assert_not_yet(verdict: &Verdict, part: &str) {
    let Finding::NotYet(shortfall) = verdict.finding() else { panic!("{verdict}") };
    assert!(shortfall.explanation.contains(part), "{verdict}");
    assert!(matches!(shortfall.evidence, Some(Evidence::Run(_))), "{verdict}");
}

#[test]
fn the_stores_check_is_solved_by_a_mark_for_all_requests() {
    let verdict = check_03_2(|| {
        let mut mark = Token::NONE;
        Checks(move |request: &Request| {
            mark = mark.max(request.token);
            request.token == mark
        })
    });
    assert!(verdict.is_solved(), "{verdict}");
}

#[test]
fn a_starter_is_not_attempted() {
    let verdict = check_03_2(|| {
        Checks(|_: &Request| {
            your_turn();
            true
        })
    });
    assert_eq!(verdict.finding().name(), "not attempted", "{verdict}");
    assert_eq!(check_03_1(YOUR_TURN).finding().name(), "not attempted");
}

/// A wrong answer, and a part of the explanation that fits it.
type Wrong = (fn(&mut BTreeMap<u32, Token>, &Request) -> bool, &'static str);

#[test]
fn wrong_answers_get_the_explanation_that_fits() {
    /// The mark under this key; true and raised, if the token is good.
    fn raise(marks: &mut BTreeMap<u32, Token>, key: u32, token: Token) -> bool {
        let mark = marks.entry(key).or_default();
        let good = *mark <= token;
        *mark = token.max(*mark);
        good
    }
    let wrong: [Wrong; 10] = [
        (|_, _| true, "as if it were a new one"),
        (|_, _| false, "of no use"),
        (|marks, request| marks.insert(0, request.token) < Some(request.token), "with >="),
        (|marks, request| request.token == *marks.entry(0).or_insert(request.token), "equality"),
        (|_, request| request.current == Some(request.token), "lock service said"),
        (|marks, request| raise(marks, request.client.0, request.token), "one mark for all"),
        (
            |marks, request| request.kind == RequestKind::Read || raise(marks, 0, request.token),
            "must raise the mark",
        ),
        (|marks, request| marks.insert(0, request.token) <= Some(request.token), "goes down"),
        (|marks, request| marks.entry(0).or_default() <= &mut { request.token }, "raise the mark"),
        (|marks, request| raise(marks, 0, request.token) || request.token.0 % 2 == 0, "no write"),
    ];
    for (number, (admit, part)) in wrong.into_iter().enumerate() {
        let verdict = check_03_2(move || {
            let mut marks = BTreeMap::new();
            Checks(move |request: &Request| admit(&mut marks, request))
        });
        println!("{number}: {verdict}");
        assert_not_yet(&verdict, part);
    }
}

#[test]
fn a_panic_is_shown_with_the_run_that_leads_to_it() {
    let verdict = check_03_2(|| {
        let mut requests = 0;
        Checks(move |_: &Request| {
            requests += 1;
            assert!(requests < 3, "three is too many");
            true
        })
    });
    assert_not_yet(&verdict, "Nothing is lost");
    assert!(verdict.to_string().contains("Your code panics: three is too many."), "{verdict}");
}

#[test]
fn code_without_an_end_is_said_to_have_none() {
    let verdict = check_03_2(|| {
        Checks(|_: &Request| {
            loop {
                std::thread::sleep(millis(1));
            }
        })
    });
    assert!(verdict.to_string().contains("does not come to an end"), "{verdict}");
}

/// A gateway that passes and serves by two functions over one mark.
struct Gated<P, S>(Token, P, S);

impl<P, S> Gateway for Gated<P, S>
where
    P: FnMut(&mut Token, &Request) -> bool,
    S: FnMut(&mut Token, &Request) -> bool,
{
    fn pass(&mut self, request: &Request) -> bool {
        (self.1)(&mut self.0, request)
    }

    fn serve(&mut self, request: &Request) -> bool {
        (self.2)(&mut self.0, request)
    }
}

fn check(mark: &mut Token, request: &Request) -> bool {
    let good = *mark <= request.token;
    *mark = request.token.max(*mark);
    good
}

#[test]
fn a_gateways_check_comes_too_early() {
    let apart = check_03_4(|| Gated(Token::NONE, check, |_: &mut Token, _: &Request| true));
    assert_not_yet(&apart, "two steps");
    let together = check_03_4(|| Gated(Token::NONE, |_: &mut Token, _: &Request| true, check));
    assert!(together.is_solved(), "{together}");
    let both = check_03_4(|| Gated(Token::NONE, check, check));
    assert!(both.is_solved(), "{both}");
}

/// A store whose mark is on the disk, or is not.
struct Restarts<const KEPT: bool>((Register, Token));

impl<const KEPT: bool> Store for Restarts<KEPT> {
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        let (register, mark) = &mut self.0;
        let record = register.read(token)?;
        *mark = token;
        Ok(record)
    }

    fn write(&mut self, write: Write) -> Result<(), Refused> {
        let (register, mark) = &mut self.0;
        if write.token < *mark {
            return Err(Refused { mark: *mark });
        }
        *mark = write.token;
        register.write(write)
    }
}

impl<const KEPT: bool> Restart for Restarts<KEPT> {
    type Disk = (Register, Token);

    fn disk(&self) -> &(Register, Token) {
        &self.0
    }

    fn start((register, mark): (Register, Token)) -> Restarts<KEPT> {
        Restarts((register, if KEPT { mark } else { Token::NONE }))
    }
}

#[test]
fn a_mark_that_is_not_on_the_disk_is_lost() {
    let lost = check_03_3(|| Restarts::<false>((Register::new(TokenCheck::Never), Token::NONE)));
    assert_not_yet(&lost, "lost when the store restarts");
}

/// The store of notebook 03: one row in SQLite.
struct SqlStore {
    database: Connection,
    read: &'static str,
    write: &'static str,
}

impl SqlStore {
    fn open(read: &'static str, write: &'static str) -> SqlStore {
        let database = Connection::open_in_memory().expect("a database");
        let create = "CREATE TABLE account (id, value, version, token);
            INSERT INTO account VALUES (1, 0, 0, 0)";
        database.execute_batch(create).expect("a table");
        SqlStore { database, read, write }
    }

    fn refused(&self) -> Refused {
        let mark = self.database.query_row("SELECT token FROM account", [], |row| row.get(0));
        Refused { mark: Token(mark.expect("a mark")) }
    }
}

impl Store for SqlStore {
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        let mut statement = self.database.prepare(self.read).expect("a statement");
        let found = statement
            .query_row([token.0], |row| Ok(Record { value: row.get(0)?, version: row.get(1)? }));
        drop(statement);
        found.map_err(|_| self.refused())
    }

    fn write(&mut self, write: Write) -> Result<(), Refused> {
        let mut statement = self.database.prepare(self.write).expect("a statement");
        let changed = statement.execute(params![write.value, write.token.0]).expect("it runs");
        drop(statement);
        if changed == 1 { Ok(()) } else { Err(self.refused()) }
    }
}

const READ: &str = "UPDATE account SET token = ?1 WHERE id = 1 AND token <= ?1
    RETURNING value, version";

#[test]
fn the_check_can_be_one_statement_of_sql() {
    let begin = "UPDATE account SET value = ?1, version = version + 1, token = ?2 WHERE id = 1";
    let cases = [
        (" AND token <= ?2", None),
        ("", Some("as if it were a new one")),
        (" AND token < ?2", Some("with >=")),
        (" AND token = ?2", None),
    ];
    for (end, wrong) in cases {
        let statement: &'static str = format!("{begin}{end}").leak();
        let verdict = check_03_5(move || SqlStore::open(READ, statement));
        println!("{end}: {verdict}");
        match wrong {
            None => assert!(verdict.is_solved(), "{verdict}"),
            Some(part) => assert_not_yet(&verdict, part),
        }
    }
}

/// A lease near the right one is too short or too long, and the verdict says which.
#[test]
fn the_shortest_lease_is_told_from_its_neighbours() {
    let verdicts = [6_200, 6_300, 6_400].map(|lease| check_09_4(millis(lease)).to_string());
    let parts = ["A longer lease", "the longest of 555", "A shorter lease does, too"];
    for (verdict, part) in verdicts.iter().zip(parts) {
        assert!(verdict.contains(part), "{verdict}");
    }
    for no_lease in [secs(0), secs(3_601)] {
        let verdict = check_09_4(no_lease);
        assert_eq!(verdict.finding().name(), "not yet", "{verdict}");
    }
}
