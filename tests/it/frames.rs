//! Data frames, as a reader uses them: filter, group, join; and back again.

use fencing::frame::polars::prelude::*;
use fencing::prelude::*;

fn sweep() -> SweepOutcome {
    Sweep::of(&Scenario::baseline())
        .lease([5, 10, 20].map(secs))
        .token_check([TokenCheck::Never, TokenCheck::OnEveryRequest])
        .grants(2_000)
        .repeats(4)
        .quiet()
        .run(Seed(3))
        .expect("a valid sweep")
}

#[test]
fn a_sweep_is_one_row_a_run() {
    let (sweep, frame) = (sweep(), sweep().frame().expect("a frame"));
    assert_eq!(frame.shape(), (24, 25));
    let names: Vec<String> =
        frame.get_column_names().into_iter().map(ToString::to_string).collect();
    assert_eq!(names, sweep.rows().columns());
    let zombies = frame.column("zombie_writes").expect("a column").u64().expect("counts");
    let runs = sweep.cells.iter().flat_map(|cell| &cell.outcomes);
    let expected: Vec<Option<u64>> = runs.map(|run| Some(run.zombie_writes)).collect();
    assert_eq!(zombies.iter().collect::<Vec<_>>(), expected);
    let lease = frame.column("lease_s").expect("a column").f64().expect("seconds");
    assert_eq!(lease.get(8), Some(10.0));
    let check = frame.column("token_check").expect("a column").str().expect("words");
    assert_eq!(check.get(4), Some("on_every_request"));
    // Nobody died, so there was no recovery.
    assert_eq!(frame.column("recovery_mean_s").expect("a column").null_count(), 24);
}

/// What a reader does with it: the runs without a check, by lease, with the zombie writes of each.
#[test]
fn a_frame_can_be_filtered_and_grouped() {
    let sweep = sweep();
    let runs = sweep.frame().expect("a frame");
    let never = runs.column("token_check").expect("a column").str().expect("words").equal("never");
    let unchecked = runs.filter(&never).expect("a mask of its length");
    assert_eq!(unchecked.height(), 12);
    let groups = unchecked.group_by_stable(["lease_s"]).expect("a column");
    let sums = groups
        .apply(|group| {
            let sum = |name| group.column(name)?.u64().map(|column| column.sum().unwrap_or(0));
            df!(
                "lease_s" => [group.column("lease_s")?.f64()?.get(0)],
                "rate" => [sum("zombie_writes")? as f64 / sum("grants")? as f64]
            )
        })
        .expect("a sum for each");
    let rates = sums.column("rate").expect("a column").f64().expect("numbers");
    for (lease, cell) in sweep.cells_with("token_check", "never").enumerate() {
        let rate = Rate::a_grant(&cell.outcomes, |run| run.zombie_writes).expect("grants");
        assert_eq!(rates.get(lease), Some(rate.value()));
    }
}

#[test]
fn the_cells_have_rates_with_both_ends() {
    let (sweep, cells) = (sweep(), sweep().summary_frame().expect("a frame"));
    assert_eq!(cells.height(), 6);
    let number = |name: &str, row| {
        cells.column(name).expect("a column").f64().expect("numbers").get(row).expect("a number")
    };
    for (row, cell) in sweep.cells.iter().enumerate() {
        let zombie = Rate::a_grant(&cell.outcomes, |run| run.zombie_writes).expect("grants");
        let lost = Rate::a_grant(&cell.outcomes, |run| run.lost_updates).expect("grants");
        for (name, rate) in [("zombie", zombie), ("lost_update", lost)] {
            assert_eq!(number(&format!("{name}_rate"), row), rate.value());
            assert_eq!(number(&format!("{name}_rate_low"), row), rate.interval().low);
            assert_eq!(number(&format!("{name}_rate_high"), row), rate.interval().high);
        }
    }
}

/// Figures that others have published, beside the leases that their tails outlive.
#[test]
fn frames_can_be_joined() {
    let reported = reported_pauses().expect("the figures").frame().expect("a frame");
    let standing = df!(
        "standing" => ["primary", "secondary", "measured", "assumed"],
        "trust" => [3_i32, 1, 3, 0]
    );
    let standing = standing.expect("a frame");
    let joined = reported.inner_join(&standing, ["standing"], ["standing"]).expect("a join");
    assert_eq!(joined.height(), reported.height());
    assert_eq!(joined.width(), reported.width() + 1);

    let (runs, cells) = (sweep().frame(), sweep().summary_frame());
    let (runs, cells) = (runs.expect("a frame"), cells.expect("a frame"));
    let rates = cells.select(["cell", "zombie_rate"]).expect("columns");
    let with_rates = runs.left_join(&rates, ["cell"], ["cell"]).expect("a join");
    assert_eq!(with_rates.column("zombie_rate").expect("a column").len(), 24);
    let outer =
        rates.join(&runs.head(Some(4)), ["cell"], ["cell"], JoinArgs::new(JoinType::Full), None);
    assert_eq!(outer.expect("a join").height(), 4 + 5);
}

#[test]
fn a_join_that_is_compiled_already_is_that_of_polars() {
    let (runs, cells) = (sweep().frame(), sweep().summary_frame());
    let (runs, cells) = (runs.expect("a frame"), cells.expect("a frame").head(Some(4)));
    let cells = cells.select(["cell", "zombie_rate"]).expect("columns");
    let of_polars = runs.left_join(&cells, ["cell"], ["cell"]).expect("a join");
    let ours = runs.join_on(&cells, &["cell"], JoinType::Left).expect("a join");
    assert!(ours.equals_missing(&of_polars));
    let inner = runs.join_on(&cells, &["cell"], JoinType::Inner).expect("a join");
    assert_eq!((inner.height(), ours.height()), (16, 24));
    let error = runs.join_on(&cells, &["sell"], JoinType::Inner).expect_err("no such column");
    assert!(error.to_string().contains("sell"), "{error}");
    assert!(runs.fresh().equals_missing(&runs));
}

#[test]
fn pauses_become_a_frame_and_come_back() {
    let stops = read_recording("data/pauses/jvm-g1.csv").expect("a recording");
    let frame = stops.frame().expect("a frame");
    assert_eq!(frame.get_column_names(), ["start_s", "pause_s"]);
    assert_eq!(frame.pauses().expect("pauses"), stops);

    let long =
        frame.filter(&frame.column("pause_s").expect("a column").f64().expect("f").gt(0.001));
    let long = long.expect("a mask").pauses().expect("pauses");
    let expected: Vec<RecordedPause> =
        stops.iter().copied().filter(|stop| millis(1) < stop.length).collect();
    assert!(!long.is_empty() && long.len() < stops.len());
    assert_eq!(long, expected);
    let drawn = Delay::recorded(&long).samples(Seed(1), 100).expect("they can be drawn from");
    assert!(drawn.iter().all(|length| millis(1) < *length));

    let whole_seconds = df!("pause_s" => [1_i64, 3]).expect("a frame").pauses();
    let lengths: Vec<Duration> =
        whole_seconds.expect("pauses").iter().map(|pause| pause.length).collect();
    assert_eq!(lengths, [secs(1), secs(3)]);
}

#[test]
fn what_is_no_pause_is_refused_in_one_sentence() {
    for (frame, part) in [
        (df!("length" => [1.0]), "the column `pause_s` is missing: the columns are length"),
        (df!("pause_s" => ["1s"]), "`pause_s` holds str, but must hold seconds"),
        (df!("pause_s" => [1.0, -1.0]), "`pause_s` is -1 in row 1, but must be"),
        (df!("pause_s" => [Some(1.0), None]), "`pause_s` is empty in row 1"),
        (df!("pause_s" => [f64::NAN]), "`pause_s` is NaN in row 0"),
        (df!("pause_s" => [1.0], "start_s" => [-1.0]), "`start_s` is -1 in row 0"),
    ] {
        let error = frame.expect("a frame").pauses().expect_err(part);
        assert!(error.to_string().contains(part), "{error}");
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}

/// The CSV of a frame of a sweep is read back as that sweep.
#[test]
fn csv_has_all_digits() {
    let rows = sweep().rows();
    let csv = rows.frame().expect("a frame").to_csv().expect("CSV");
    assert_eq!(SweepRows::from_csv(&csv).as_ref(), Ok(&rows));
    let frame = df!("a, \"b\"" => [Some("x,y"), None], "sure" => [true, false]);
    let csv = frame.expect("a frame").to_csv().expect("CSV");
    assert_eq!(csv, "\"a, \"\"b\"\"\",sure\n\"x,y\",true\n,false\n");

    let file = std::env::temp_dir().join(format!("fencing-{}-frame.csv", std::process::id()));
    rows.frame().expect("a frame").write_csv(&file).expect("a file");
    assert_eq!(SweepRows::read(&file), Ok(rows.clone()));
    std::fs::remove_file(&file).expect("it was there");
    let error = rows.frame().expect("a frame").write_csv("no/such/folder.csv").expect_err("none");
    assert!(error.to_string().starts_with("no/such/folder.csv: "), "{error}");
}

#[test]
fn a_table_shows_the_first_rows_and_says_so() {
    let frame = df!(
        "who" => ["A & B", "C", "D"],
        "span_s" => [Some(0.000_012_345_6), None, Some(12_345.678)],
        "writes" => [7_u64, 8, 9]
    );
    let table = frame.expect("a frame").table(2);
    assert_eq!(
        table.to_string(),
        "the first 2 of 3 rows\n\
         who         span_s  writes\n\
         A & B  0.000012346       7\n\
         C                        8\n"
    );
    assert!(table.to_html().contains("A &amp; B"));
}

/// Of twenty, nineteen do not exceed the nineteenth: the same as the chart of the tail has it.
#[test]
fn quantiles_are_numbers_of_the_column() {
    let twenty: Vec<f64> = (1..=20).rev().map(f64::from).collect();
    let frame = df!("pause_s" => &twenty).expect("a frame");
    let quantiles = frame.quantiles("pause_s", &[0.0, 0.5, 0.95, 0.951, 1.0]).expect("quantiles");
    let expected = df!(
        "share" => [0.0, 0.5, 0.95, 0.951, 1.0],
        "pause_s" => [1.0, 10.0, 19.0, 20.0, 20.0]
    );
    assert_eq!(quantiles, expected.expect("a frame"));
    let with_gaps = df!("n" => [Some(3_i32), None, Some(1)]).expect("a frame");
    let median = with_gaps.quantiles("n", &[0.5]).expect("one");
    assert_eq!(median, df!("share" => [0.5], "n" => [1.0]).expect("a frame"));
}

#[test]
fn quantiles_and_rates_say_what_is_wrong() {
    let none: [f64; 0] = [];
    for (frame, share, part) in [
        (df!("m" => [1.0]), 0.5, "the column `n` is missing: the columns are m"),
        (df!("n" => ["1"]), 0.5, "`n` holds str, but must hold numbers"),
        (df!("n" => none), 0.5, "`n` holds no number"),
        (df!("n" => [1.0]), 99.0, "`n` has no quantile 99: a share is from 0 to 1"),
        (df!("n" => [1.0]), f64::NAN, "`n` has no quantile NaN"),
    ] {
        let error = frame.expect("a frame").quantiles("n", &[share]).expect_err(part);
        assert!(error.to_string().contains(part), "{error}");
    }
    for (events, part) in [
        (1.5, "`n` is 1.5 in row 0, but must be a whole number from 0 up"),
        (-1.0, "`n` is -1 in row 0"),
        (30.0, "30 events in 10 trials"),
    ] {
        let frame = df!("n" => [events], "trials" => [10_u64]).expect("a frame");
        let error = frame.rate("n", "trials").expect_err(part);
        assert!(error.to_string().contains(part), "{error}");
    }
}

/// Goal: the rate of a filtered frame, or of a group, has the interval of its own rows, and a fault
/// in a group comes out of it in words.
#[test]
fn a_rate_of_rows_is_that_of_their_runs() {
    let (sweep, runs) = (sweep(), sweep().frame().expect("a frame"));
    let rates = |group: DataFrame| {
        let rate = group.rate("zombie_writes", "grants")?;
        df!("rate" => [rate.value()], "high" => [rate.interval().high])
    };
    let groups = runs.group_by_stable(["cell"]).expect("a column").apply(rates).expect("rates");
    for (row, cell) in sweep.cells.iter().enumerate() {
        let rate = Rate::a_grant(&cell.outcomes, |run| run.zombie_writes).expect("grants");
        let number = |name| groups.column(name).expect("it is there").f64().expect("f").get(row);
        assert_eq!(number("rate"), Some(rate.value()));
        assert_eq!(number("high"), Some(rate.interval().high));
    }
    let fault = runs.group_by_stable(["cell"]).expect("a column").apply(|group| {
        group.rate("grants", "zombie_writes")?;
        Ok(group)
    });
    assert!(fault.expect_err("more events than trials").to_string().contains("events in"));
}
