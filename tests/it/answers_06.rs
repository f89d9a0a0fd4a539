//! The checks of notebook 06: any answer that works is solved, and wrong ones get the explanation
//! that fits.

use crate::verdicts::{assert_not_yet, assert_solved};
use fencing::prelude::*;
use fencing::workbook::verdict::Evidence;

#[test]
fn starters_are_not_attempted() {
    let starters = [
        check_06_1(YOUR_TURN),
        check_06_3(YOUR_TURN),
        check_06_2(|content, _, _| {
            your_turn();
            content
        }),
        check_06_4(|seen, write| {
            your_turn();
            seen.0 <= write.0 && seen.1 < write.1
        }),
    ];
    for verdict in starters {
        assert_eq!(verdict.finding().name(), "not attempted", "{verdict}");
    }
}

#[test]
fn under_a_condition_the_first_write_wins() {
    assert_solved(&check_06_1("b"));
    for (letter, part) in
        [("a", "does not know who holds the lock"), ("c", "comes first"), ("d", "a new version")]
    {
        let evidence = assert_not_yet(&check_06_1(letter), part);
        assert!(matches!(evidence, Some(Evidence::Run(_))));
    }
}

/// In any order and with any marks between them; and each wrong one is named for what it is.
#[test]
fn a_token_orders_grants_and_lets_no_newest_holder_be_refused() {
    for right in ["ad", "da", "a, d", "a d."] {
        assert_solved(&check_06_3(right));
    }
    for (wrong, part) in [
        ("abd", "fixed before its client queues"),
        ("acd", "which one is newer"),
        ("ade", "zombie writes pass"),
        ("adf", "After it has started again"),
        ("a", "not all that can"),
        ("d", "never start again"),
        ("abcdef", "With b"),
    ] {
        let evidence = assert_not_yet(&check_06_3(wrong), part);
        assert!(matches!(evidence, Some(Evidence::Numbers(_))));
    }
    for none in ["", "adx", "zookeeper"] {
        assert_eq!(check_06_3(none).finding().name(), "not attempted", "{none}");
    }
}

#[test]
fn a_tag_that_never_comes_back_is_right_however_it_is_made() {
    assert_solved(&check_06_2(|_, version, _| version));
    assert_solved(&check_06_2(|_, _, token| token.0));
    assert_solved(&check_06_2(|content, version, _| 1_000 * version + content));
    type Tag = Box<dyn Fn(u64, u64, Token) -> u64 + Send>;
    let at_once: [(Tag, &str); 4] = [
        (Box::new(|content, _, _| content), "alone"),
        (Box::new(|_, _, _| 7), "no change at all"),
        (Box::new(|_, version, _| version % 2), "comes back"),
        (Box::new(|_, _, token| token.0 % 2), "two tokens can give the same"),
    ];
    for (tag, part) in at_once {
        let evidence = assert_not_yet(&check_06_2(tag), part);
        assert!(matches!(evidence, Some(Evidence::Run(_))));
    }
    let after_many: [(Tag, &str); 2] = [
        (Box::new(|_, version, _| version % 256), "after 256 writes"),
        (Box::new(|_, _, token| token.0 % 1_000), "after 1000 writes"),
    ];
    for (tag, part) in after_many {
        assert_eq!(assert_not_yet(&check_06_2(tag), part), None);
    }
    assert_not_yet(&check_06_2(|_, _, _| panic!("no")), "panics: no");
}

#[test]
fn a_tag_that_is_another_one_each_time_refuses_who_is_in_the_right() {
    let asked = std::sync::atomic::AtomicU64::new(0);
    let verdict =
        check_06_2(move |_, _, _| asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst));
    assert_not_yet(&verdict, "one and the same tag");
}

#[test]
fn writes_are_in_order_by_token_and_then_by_count() {
    assert_solved(&check_06_4(|seen, write| seen < write));
    assert_solved(&check_06_4(|seen, write| {
        seen.0 < write.0 || seen.0 == write.0 && seen.1 < write.1
    }));
    type Accepts = Box<dyn Fn((Token, u64), (Token, u64)) -> bool + Send>;
    let wrong: [(Accepts, &str); 11] = [
        (Box::new(|seen, write| seen.0 <= write.0 && seen.1 < write.1), "one by one"),
        (Box::new(|seen, write| seen.0 <= write.0), "what the count is for"),
        (Box::new(|seen, write| seen.0 < write.0), "own later write"),
        (Box::new(|seen, write| seen <= write), "not sent after it"),
        (Box::new(|_, _| true), "A copy of the write that was accepted last"),
        (Box::new(|seen, write| seen != write), "late copy of an earlier write"),
        (Box::new(|seen, write| seen.0 != write.0 || seen.1 < write.1), "older holder"),
        (
            Box::new(|(seen, old), (token, new)| token > seen || token == seen && new == old + 1),
            "a higher count",
        ),
        (Box::new(|seen, write| 2 * seen.0.0 + seen.1 < 2 * write.0.0 + write.1), "one by one"),
        (Box::new(|seen, write| 100 * seen.0.0 + seen.1 < 100 * write.0.0 + write.1), "one by one"),
        (Box::new(|_, _| false), "very first write"),
    ];
    for (accepts, part) in wrong {
        let evidence = assert_not_yet(&check_06_4(accepts), part);
        assert!(matches!(evidence, Some(Evidence::Numbers(_))));
    }
}

/// A client that comes again under a number it had before: what runs is its new lease.
#[test]
fn a_picture_takes_the_lease_that_runs_for_the_one_that_is_believed_in() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/breakdowns/lock-session-ids.toml");
    let scenario = Scenario::read(file).expect("a scenario file");
    let picture = trace(&scenario, Seed(1)).expect("a valid scenario").sequence();
    assert!(!picture.to_svg().contains("lease over"), "nobody's lease is over in this story");
}
