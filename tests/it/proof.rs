//! The proof: what holds in every interleaving, and the shortest runs that break the rest.

use expect_test::expect_file;
use fencing::analysis::audit::{Judgement, WriteJudge};
use fencing::prelude::*;

fn sound() -> Proof {
    Proof::of(TokenCheck::OnEveryRequest)
}

fn check(proof: &Proof) -> Checked {
    proof.check().expect("the bounds are in range")
}

/// The properties that do not hold, each with the number of steps of its counterexample. A trace
/// has a second a step.
fn broken(checked: &Checked) -> Vec<(Property, u64)> {
    assert!(checked.is_complete());
    let steps = |trace: &Trace| (trace.end - Time::START).as_secs() - 1;
    let broken = |property: &Property| Some((*property, steps(checked.trace(*property)?)));
    Property::ALL.iter().filter_map(broken).collect()
}

fn counts(checked: &Checked) -> (u64, u64, u64) {
    (checked.states(), checked.steps(), checked.depth())
}

#[test]
fn with_a_check_on_every_request_everything_holds() {
    for (clients, turns, expected) in
        [(2, 1, (73, 152, 10)), (2, 2, (2_027, 6_287, 21)), (3, 2, (189_952, 846_545, 30))]
    {
        let checked = check(&sound().clients(clients).turns(turns));
        assert!(checked.all_hold(), "{checked}");
        assert_eq!(counts(&checked), expected, "{clients} clients, {turns} turns");
    }
}

/// The two weaker checks: on writes only, tokens never fall, and yet there are zombie writes.
#[test]
fn what_slips_through_a_weaker_check_is_found() {
    let on_write = check(&Proof::of(TokenCheck::OnWrite));
    let zombie_and_lost = [(Property::NoZombieWrite, 7), (Property::NoLostUpdate, 9)];
    assert_eq!(broken(&on_write), zombie_and_lost);
    assert_eq!(counts(&on_write), (3_222, 10_039, 22));
    let never = check(&Proof::of(TokenCheck::Never));
    let falls = (Property::TokensNeverFall, 9);
    assert_eq!(broken(&never), [&[falls], &zombie_and_lost[..]].concat());
    assert_eq!(counts(&never), (3_158, 9_947, 22));
}

#[test]
fn every_flaw_is_found() {
    use Property::{NewestIsServed, NoDeadlock, NoLostUpdate, NoZombieWrite, TokensNeverFall};
    let all_three = |falls, zombie, lost| {
        vec![(TokensNeverFall, falls), (NoZombieWrite, zombie), (NoLostUpdate, lost)]
    };
    for flaw in Flaw::ALL {
        let checked = check(&sound().broken(flaw));
        let expected = match flaw {
            Flaw::MarkIsForgotten => (all_three(10, 8, 10), (12_381, 40_421, 22)),
            Flaw::EqualIsRefused => (vec![(NewestIsServed, 4)], (1_146, 3_587, 19)),
            Flaw::CheckApart => (all_three(11, 8, 11), (6_104, 19_269, 26)),
            Flaw::MarkPerClient => (all_three(9, 7, 9), (3_242, 10_089, 22)),
            Flaw::RandomTokens => {
                (vec![(NoZombieWrite, 7), (NewestIsServed, 5)], (1_239, 3_821, 19))
            }
            Flaw::EndlessLease => (vec![(NoDeadlock, 4)], (118, 180, 20)),
        };
        assert_eq!((broken(&checked), counts(&checked)), expected, "{flaw:?}");
    }
}

/// What the model calls a zombie write or a lost update is one for the audit of the simulation as
/// well: in each counterexample the last write is the first that is.
#[test]
fn the_audit_judges_counterexamples_alike() {
    let proofs = [
        Proof::of(TokenCheck::Never),
        Proof::of(TokenCheck::OnWrite),
        sound().broken(Flaw::MarkIsForgotten),
        sound().broken(Flaw::CheckApart),
        sound().broken(Flaw::RandomTokens),
    ];
    let mut judged = 0;
    for checked in proofs.iter().map(check) {
        for (property, is_so) in [
            (Property::NoZombieWrite, (|judgement| judgement.is_zombie) as fn(&Judgement) -> bool),
            (Property::NoLostUpdate, |judgement| judgement.is_lost_update),
        ] {
            let Some(trace) = checked.trace(property) else { continue };
            let mut judge = WriteJudge::new(trace.scenario.clients);
            let judgements: Vec<bool> = (trace.entries.iter())
                .filter_map(|entry| judge.judge(&entry.happening))
                .map(|judgement| is_so(&judgement))
                .collect();
            let (last, before) = judgements.split_last().expect("a write");
            assert!(*last && !before.contains(&true), "{property}: {judgements:?}");
            judged += 1;
        }
    }
    assert_eq!(judged, 9);
}

/// Where tokens fall, they do so in the last write and not before.
#[test]
fn accepted_tokens_fall_at_the_end_of_their_counterexample() {
    let checked = check(&Proof::of(TokenCheck::Never));
    let trace = checked.trace(Property::TokensNeverFall).expect("a counterexample");
    let written = |entry: &Entry| match entry.happening {
        Happening::WriteAccepted { write, .. } => Some(write.token.0),
        _ => None,
    };
    assert_eq!(trace.entries.iter().filter_map(written).collect::<Vec<_>>(), [2, 1]);
}

/// A shortest run for each way to go wrong, line by line.
#[test]
fn counterexamples_are_told_as_every_run_is() {
    let told = |proof: Proof, property| {
        let run = check(&proof.turns(1)).counterexample(property);
        run.expect("a counterexample").to_text()
    };
    let all = [
        told(Proof::of(TokenCheck::OnWrite), Property::NoZombieWrite),
        told(Proof::of(TokenCheck::Never), Property::TokensNeverFall),
        told(Proof::of(TokenCheck::OnWrite), Property::NoLostUpdate),
        told(sound().broken(Flaw::MarkIsForgotten), Property::NoZombieWrite),
        told(sound().broken(Flaw::EqualIsRefused), Property::NewestIsServed),
        told(sound().broken(Flaw::CheckApart), Property::NoZombieWrite),
        told(sound().broken(Flaw::RandomTokens), Property::NoZombieWrite),
        told(sound().broken(Flaw::EndlessLease), Property::NoDeadlock),
    ];
    expect_file!["proof.txt"].assert_eq(&format!("{}\n", all.join("\n\n")));
}

#[test]
fn a_last_look_at_the_lock_service_does_not_close_the_window() {
    let checked = check(&Proof::of(TokenCheck::Never).look(Look::AskService).turns(1));
    let run = checked.counterexample(Property::NoZombieWrite).expect("a counterexample");
    let told = run.to_text();
    let place = |words: &str| told.find(words).expect(words);
    assert!(place("that token 1 is still current") < place("the lease of A (token 1) expires"));
    assert!(place("A is paused") < place("A wakes"), "{told}");
    assert!(check(&sound().look(Look::AskService)).all_hold());
}

/// A session keeps its id for the next turn, when others have had higher ones.
#[test]
fn tokens_that_are_kept_for_a_session_are_found_wanting() {
    let checked = check(&sound().tokens(TokenKind::SessionId));
    assert!(!checked.holds(Property::NewestIsServed), "{checked}");
}

/// A store of a reader's, with its mark on disk or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Own {
    record: Record,
    mark: Token,
    is_mark_on_disk: bool,
}

impl Own {
    fn new(is_mark_on_disk: bool) -> Own {
        Own { record: Record::default(), mark: Token::NONE, is_mark_on_disk }
    }

    fn admit(&mut self, token: Token) -> Result<(), Refused> {
        if token < self.mark {
            return Err(Refused { mark: self.mark });
        }
        self.mark = token;
        Ok(())
    }
}

impl Store for Own {
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        self.admit(token)?;
        Ok(self.record)
    }

    fn write(&mut self, write: Write) -> Result<(), Refused> {
        self.admit(write.token)?;
        self.record = Record { value: write.value, version: self.record.version + 1 };
        Ok(())
    }

    fn forget(&mut self) {
        if !self.is_mark_on_disk {
            self.mark = Token::NONE;
        }
    }
}

#[test]
fn a_store_of_ones_own_is_searched_in_the_same_way() {
    let (ours, own) = (check(&sound()), check(&Proof::of_store(Own::new(false))));
    assert!(own.all_hold());
    assert_eq!(counts(&own), counts(&ours));
    assert!(check(&Proof::of_store(Own::new(true)).restarts(1)).all_hold());
    let lost = check(&Proof::of_store(Own::new(false)).restarts(1));
    let flaw = check(&sound().broken(Flaw::MarkIsForgotten));
    assert_eq!(broken(&lost), broken(&flaw));
}

/// Without an end of leases nothing goes wrong, until somebody dies.
#[test]
fn a_lease_without_an_end_blocks_everybody_once_its_holder_is_dead() {
    let checked = check(&Proof::of(TokenCheck::Never).broken(Flaw::EndlessLease));
    assert_eq!(broken(&checked), [(Property::NoDeadlock, 4)]);
    let run = checked.counterexample(Property::NoDeadlock).expect("a counterexample").to_text();
    assert!(run.contains("A crashes"), "{run}");
    let alone = check(&Proof::of(TokenCheck::Never).broken(Flaw::EndlessLease).clients(1));
    assert!(alone.all_hold(), "nobody waits for a dead client to finish: {alone}");
}

#[test]
fn a_search_that_is_cut_short_proves_nothing() {
    let checked = check(&sound().at_most(100));
    assert!(!checked.is_complete() && !checked.all_hold());
    assert_eq!(checked.counterexample(Property::NoZombieWrite), None);
    assert!(checked.to_string().contains("not shown: the search was cut short"), "{checked}");
}

/// To the step: the last one that there is makes the search complete.
#[test]
fn a_search_takes_as_many_steps_as_it_may() {
    for most in [1, 2, 100, 1_000, 2_000, 6_286] {
        let checked = check(&sound().at_most(most));
        assert_eq!((checked.steps(), checked.is_complete()), (most, false));
    }
    for most in [6_287, 6_288] {
        let checked = check(&sound().at_most(most));
        assert_eq!((counts(&checked), checked.is_complete()), ((2_027, 6_287, 21), true));
    }
    let zombie = |most| check(&Proof::of(TokenCheck::Never).at_most(most));
    let found = zombie(1_000).trace(Property::NoZombieWrite).cloned();
    assert!(found.is_some(), "it is found before the search is cut short");
    assert_eq!(found.as_ref(), zombie(1_000_000).trace(Property::NoZombieWrite));
}

/// A single client can have more grants than several.
#[test]
fn a_single_client_may_have_more_turns() {
    let states = |turns| check(&sound().clients(1).turns(turns)).states();
    assert_eq!([1, 4, 10].map(states), [10, 143, 9_719]);
    let error = sound().clients(1).turns(13).check().expect_err("out of range");
    assert!(error.to_string().starts_with("`turns` is 13, but it must be 1 to 12"), "{error}");
    assert!(sound().clients(2).turns(5).check().is_err());
}

#[test]
fn the_result_is_a_table_that_names_its_bounds() {
    let checked = check(&Proof::of(TokenCheck::OnWrite).turns(1).restarts(1));
    let text = checked.to_string();
    let bounds = "Every interleaving of 2 clients with 1 turn each, 1 restart of the store: ";
    assert!(text.starts_with(bounds), "{text}");
    assert!(text.contains("accepted tokens never fall  broken, in 10 steps\n"), "{text}");
    assert!(text.contains("no deadlock                 holds\n"), "{text}");
}

#[test]
fn bounds_that_are_out_of_range_are_named() {
    let sentence = |proof: Proof| proof.check().map(|_| ()).expect_err("out of range").to_string();
    assert_eq!(
        sentence(sound().clients(9)),
        "`clients` is 9, but it must be 1 to 4: with more there are too many states"
    );
    assert!(sentence(sound().turns(0)).contains("`turns` is 0"));
    assert!(sentence(sound().restarts(5)).contains("`restarts` is 5"));
    assert!(sentence(sound().look(Look::OwnClock)).contains("no time"));
}

/// A store that goes wrong in its own code: at the third request, or by what is not in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Faulty {
    inner: Register,
    requests: u32,
    is_whimsical: bool,
}

impl Faulty {
    fn new(is_whimsical: bool) -> Faulty {
        Faulty { inner: Register::new(TokenCheck::OnEveryRequest), requests: 0, is_whimsical }
    }
}

static CALLS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

impl Store for Faulty {
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        self.requests += u32::from(!self.is_whimsical);
        assert!(self.requests < 3, "three is too many");
        let calls = CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if self.is_whimsical && calls == 10 {
            return Err(Refused { mark: token });
        }
        self.inner.read(token)
    }

    fn write(&mut self, write: Write) -> Result<(), Refused> {
        self.requests += u32::from(!self.is_whimsical);
        self.inner.write(write)
    }
}

#[test]
fn a_store_that_panics_is_shown_with_the_run_that_leads_to_it() {
    let error = Proof::of_store(Faulty::new(false)).check().expect_err("it panics");
    assert_eq!(error.to_string(), "the store panics: three is too many");
    let run = error.run().expect("a run").to_text();
    assert_eq!(run.matches("the store").count(), 3, "two requests, and the title: {run}");
    let once = check(&Proof::of_store(Faulty::new(false)).clients(1).turns(1));
    assert!(once.all_hold(), "a client's two requests are not too many: {once}");
}

#[test]
fn a_store_that_goes_by_what_is_not_in_it_is_told_so() {
    let store = Faulty::new(true);
    let error = Proof::of_store(store).check().expect_err("it is whimsical");
    assert!(error.to_string().contains("the same thing twice"), "{error}");
}
