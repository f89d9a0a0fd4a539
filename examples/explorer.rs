//! A page with two explorers of the incident, to be opened in any browser:
//!
//! ```text
//! cargo run -p fencing --example explorer > explorer.html
//! ```
//!
//! They work without a kernel and without scripts, and side by side without knowing of one another.

use fencing::prelude::*;

fn main() -> Result<(), ScenarioError> {
    let explorer = Explorer::of(&Scenario::incident(), Seed(1))?;
    let looks =
        Knob::of_names("look", [Look::Never, Look::OwnClock, Look::AskService], |it, look| {
            it.look = look;
        });
    let commits = Knob::of_spans("commit", [secs(0), secs(3)], |it, commit| {
        it.commit = Delay::constant(commit);
    });
    // A pause that ends before the lease does, so that the look sees nothing to worry about.
    let pauses = Pauses::script([ScriptedPause::new(0, secs(3), millis(7_500))]);
    let story = Scenario { pauses, stop: Stop::at_time(secs(20)), ..Scenario::incident() };
    let other = Explorer::of_knobs(&story, [looks, commits], Seed(1))?;
    println!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"/>\
         <title>Explorers of the incident</title></head>\
         <body style=\"margin:16px\"><h1>The usual controls</h1>{}\
         <h1>Controls of its own</h1>{}</body></html>",
        explorer.to_html(),
        other.to_html()
    );
    Ok(())
}
