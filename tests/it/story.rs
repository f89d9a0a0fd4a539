//! The incident of the workbook, event by event.

use expect_test::expect;
use fencing::prelude::*;

/// Everything but the messages, a line an event.
pub(crate) fn story(scenario: &Scenario) -> String {
    let trace = trace(scenario, Seed(1)).expect("a valid scenario");
    let events = trace.entries.iter().filter(|entry| {
        !matches!(entry.happening, Happening::Sent { .. } | Happening::Commits { .. })
    });
    let line = |entry: &Entry| format!("{:>6} {}\n", entry.at.to_string(), short(&entry.happening));
    events.map(line).collect()
}

fn short(happening: &Happening) -> String {
    match *happening {
        Happening::Believes { client, token } => format!("{client} believes, token {token}"),
        Happening::StopsBelieving { client, ending, .. } => format!("{client} is done: {ending:?}"),
        Happening::Works { client, .. } => format!("{client} works"),
        Happening::Paused { client, until } => format!("{client} is paused until {until}"),
        Happening::Resumed { client } => format!("{client} resumes"),
        Happening::Granted { lease } => {
            format!("granted to {}, token {}", lease.holder, lease.token)
        }
        Happening::Released { lease } => format!("token {} is released", lease.token),
        Happening::Expired { lease } => format!("token {} expires", lease.token),
        Happening::Renewed { lease } => format!("token {} until {}", lease.token, lease.expires),
        Happening::ReadServed { client, record, .. } => {
            format!("{client} reads {} of version {}", record.value, record.version)
        }
        Happening::ReadRefused { client, refused, .. } => format!("{client}'s read is {refused}"),
        Happening::WriteAccepted { client, write, .. } => {
            format!("{client} writes {} over version {}", write.value, write.read_version)
        }
        Happening::WriteRefused { client, refused, .. } => format!("{client}'s write is {refused}"),
        Happening::Crashed { client, .. } => format!("{client} crashes"),
        Happening::Restarted { client } => format!("{client} starts again"),
        Happening::Sent { .. } | Happening::Commits { .. } => String::new(),
        ref mishap => short_of_a_mishap(mishap),
    }
}

/// What happens to services, clocks and messages.
fn short_of_a_mishap(happening: &Happening) -> String {
    match *happening {
        Happening::Lost { message } => {
            let body = match message.body {
                Body::Renew(..) => "renewal",
                Body::Release(_) => "release",
                Body::WriteAnswer(..) => "answer to its write",
                other => unreachable!("{other:?} is not lost"),
            };
            format!("{}: {body} lost", message.client)
        }
        Happening::Copied { message, arrives } => {
            format!("{}'s write is copied, to arrive at {arrives}", message.client)
        }
        Happening::CutOff { client, until } => format!("{client} is cut off until {until}"),
        Happening::LockStalls { until } => format!("the lock service stalls until {until}"),
        Happening::LockGoesOn => "the lock service goes on".to_owned(),
        Happening::LockFailsOver { forgotten } => format!("token {} is forgotten", forgotten.token),
        Happening::LockForgetsNumbers => "the counter starts again".to_owned(),
        Happening::ClockIsSet { client, by, way } => {
            let whose = client.map_or_else(|| "lock".to_owned(), |client| client.to_string());
            format!("the clock of {whose} is set {way:?} by {by:?}")
        }
        Happening::InstanceIsAway { instance, until } => {
            format!("instance {instance} is away until {until}")
        }
        Happening::InstanceClockIsSet { instance, by } => {
            format!("the clock of instance {instance} is set forward by {by:?}")
        }
        Happening::StoreForgets => "the store forgets".to_owned(),
        Happening::StoreRestarts => "the store restarts".to_owned(),
        Happening::WriteChecked { client, .. } => format!("{client}'s write is checked"),
        Happening::WriteRepeated { client, .. } => format!("{client}'s write is known"),
        _ => unreachable!("told by `short`"),
    }
}

#[test]
fn a_paused_holder_wakes_up_and_overwrites_its_successor() {
    expect![[r#"
         2.1 s granted to A, token 33
         2.2 s A believes, token 33
         2.3 s A reads 0 of version 0
         2.4 s A works
           3 s A is paused until 14 s
        12.1 s token 33 expires
        12.1 s granted to B, token 34
        12.2 s B believes, token 34
        12.3 s B reads 0 of version 0
        12.4 s B works
          14 s A resumes
        14.5 s B writes 1 over version 0
        14.6 s B is done: Wrote
        14.7 s token 34 is released
        15.5 s A writes 1 over version 0
        15.6 s A is done: Wrote
    "#]]
    .assert_eq(&story(&Scenario::incident()));
}

#[test]
fn the_token_check_refuses_the_late_write_and_changes_nothing_else() {
    let without = story(&Scenario::incident());
    let with = story(&Scenario { token_check: TokenCheck::OnWrite, ..Scenario::incident() });
    let changed: Vec<(&str, &str)> =
        without.lines().zip(with.lines()).filter(|(one, other)| one != other).collect();
    expect![[r#"
        [
            (
                "15.5 s A writes 1 over version 0",
                "15.5 s A's write is refused: the store has seen token 34",
            ),
            (
                "15.6 s A is done: Wrote",
                "15.6 s A is done: WasRefused",
            ),
        ]
    "#]]
    .assert_debug_eq(&changed);
}

#[test]
fn renewal_carries_a_holder_through_a_short_pause() {
    let pauses = Pauses::script([ScriptedPause::new(0, secs(3), secs(6))]);
    let renews = Scenario {
        renew_every: Some(secs(5)),
        work: Delay::constant(secs(7)),
        pauses,
        ..Scenario::incident()
    };
    expect![[r#"
         2.1 s granted to A, token 33
         2.2 s A believes, token 33
         2.3 s A reads 0 of version 0
         2.4 s A works
           3 s A is paused until 9 s
           9 s A resumes
         9.1 s token 33 until 19.1 s
        14.1 s token 33 until 24.1 s
        15.5 s A writes 1 over version 0
        15.6 s A is done: Wrote
        15.7 s token 33 is released
        15.7 s granted to B, token 34
        15.8 s B believes, token 34
        15.9 s B reads 1 of version 1
    "#]]
    .assert_eq(&story(&renews));
}

#[test]
fn a_crashed_holder_blocks_the_lock_until_its_lease_expires() {
    let crashes = Crashes {
        restart_after: Some(secs(5)),
        ..Crashes::script([ScriptedCrash::new(0, secs(3))])
    };
    let crash = Scenario { pauses: Pauses::none(), crashes, ..Scenario::incident() };
    expect![[r#"
         2.1 s granted to A, token 33
         2.2 s A believes, token 33
         2.3 s A reads 0 of version 0
         2.4 s A works
           3 s A crashes
           8 s A starts again
        12.1 s token 33 expires
        12.1 s granted to B, token 34
        12.2 s B believes, token 34
        12.3 s B reads 0 of version 0
        12.4 s B works
        14.5 s B writes 1 over version 0
        14.6 s B is done: Wrote
        14.7 s token 34 is released
        14.7 s granted to A, token 35
        14.8 s A believes, token 35
        14.9 s A reads 1 of version 1
          15 s A works
    "#]]
    .assert_eq(&story(&crash));
}

/// A client that is told gives up as soon as it resumes; a look at the clock comes when the work is
/// over.
#[test]
fn a_holder_that_looks_at_its_clock_or_is_told_gives_up() {
    let looks = Scenario { look: Look::OwnClock, ..Scenario::incident() };
    let told =
        Scenario { on_lost: OnLost::GiveUp, renew_every: Some(secs(5)), ..Scenario::incident() };
    for (scenario, at) in [(looks, "15.4 s"), (told, "14.2 s")] {
        let story = story(&scenario);
        assert!(story.contains(&format!("{at} A is done: GaveUp")), "{story}");
        assert!(!story.contains("A writes"), "{story}");
    }
}
