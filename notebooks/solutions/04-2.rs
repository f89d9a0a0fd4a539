let light_pauses = Pauses::critical_section(0.05, light.clone());
let tries = [20, 21, 22].map(secs);

let sweep = Sweep::of(&Scenario { pauses: light_pauses, ..Scenario::baseline() });
let sweep = sweep.lease(tries).repeats(100).grants(10_000).quiet().run(Seed(1))?;
for cell in &sweep.cells {
    let rate = Rate::a_grant(&cell.outcomes, |run| run.zombie_writes)?;
    println!("{} s: {rate}", cell.scenario.lease.as_secs());
}

check_04_2(secs(21))
