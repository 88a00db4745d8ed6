//! Conditions on three and four hands: a listing with a filter gives the same tables as plain
//! rejection.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::ops::ControlFlow;

use fairdeal::bridge::{Seat, Side, Suit};
use fairdeal::draw::{Aes128Ctr, DealSource, Dealer, Isa, Seeded};
use fairdeal::language::Script;
use fairdeal::population::cases::{self, CaseBytes, Division, Runs};
use fairdeal::run::{self, DealStream, KeepFilter, KeptCounts};
use fairdeal::tally::{Answer, CountPlan, Depth, ScriptQuestions, Tally};
use fairdeal::theory::ValueLaw;
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Conditions of every kind that leaves a filter, with the deals drawn by rejection.
const CONDITIONS: [&str; 7] = [
    // Three hands; the filter has a hand to itself.
    "shape(west, any 4333 + any 4432 + any 5332) && hcp(west) >= 15 && hcp(west) <= 17
     && hcp(north) >= 8 && spades(east) >= 5",
    // Four hands, one of them by a spot card.
    "hcp(north) >= 12 && hearts(south) >= 3 && hcp(east) < 10 && hascard(west, TS)",
    // Two hands together, and a third.
    "hcp(north) + hcp(south) >= 25 && spades(north) + spades(south) >= 8 && hcp(west) > 2",
    // Nothing that one hand implies but through `or`.
    "(spades(west) >= 6 && hcp(west) < 11) || (spades(west) == 5 && hcp(east) >= 12
     && spades(north) < 3)",
    // What no case tells.
    "cccc(south) > 1400 && hearts(south) >= 5 && tens(south) + tens(north) > 2",
    // A choice, and a remainder.
    "(hcp(west) > 11 ? spades(north) > 3 : hearts(east) % 2 == 1) && losers(south) < 8",
    // Shapes of all four.
    "shape(north, any 4432) && shape(east, any 5332 + any 5422) && shape(south, any 4333)
     && shape(west, xxxx - any 0xxx)",
];

/// Deals drawn from a listing, and from all there are.
const LISTED: u64 = 1 << 22;
const REJECTED: u64 = 1 << 25;

/// What is kept of so many deals drawn.
fn kept_counts(division: &Division, script: &Script, seed: u128, deals: u64) -> KeptCounts {
    let questions = ScriptQuestions::of(script.actions.as_deref().unwrap_or_default());
    let keep_filter = KeepFilter::new(&division.filter, questions, None);
    let generator = Aes128Ctr::new(seed);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part.cases");
    let file = division.listed.as_ref().map(|part| {
        let (condition, listing) = (&part.condition, &part.listing);
        cases::write(condition, listing, part.census, &path, &|_| ()).unwrap();
        cases::open(&path).unwrap()
    });
    let dealer = match &file {
        None => Dealer::<CaseBytes>::unconstrained(),
        Some(file) => Dealer::of_cases(file).unwrap(),
    };
    let source = Seeded {
        dealer: &dealer,
        generator: &generator,
    };
    let plan = match &file {
        None => CountPlan::unconstrained(Depth::Tables),
        Some(file) => CountPlan::of_cases(Depth::Tables, Runs::new(file)),
    };
    let counted = count(&source, &plan, &keep_filter, (deals, 1 << 22));
    assert_eq!(counted.counts.deals(), deals);
    counted.kept_counts
}

fn count(
    source: &dyn DealSource,
    plan: &CountPlan<'_>,
    keep_filter: &KeepFilter,
    size: (u64, u64),
) -> run::RunCounts {
    let go_on = &mut |_: &_| ControlFlow::Continue(());
    run::count(source, plan, keep_filter, size, &|_| (), go_on).unwrap()
}

/// The p-value that two samples of counts have one law; rare outcomes together.
fn homogeneity(first: &[u64], second: &[u64]) -> Option<f64> {
    let (n, m) = (
        first.iter().sum::<u64>() as f64,
        second.iter().sum::<u64>() as f64,
    );
    let (mut statistic, mut cells, mut rest) = (0.0, 0, (0.0, 0.0));
    let mut add = |a: f64, b: f64| {
        let expected = (a + b) * n / (n + m);
        let other = (a + b) * m / (n + m);
        statistic += (a - expected).powi(2) / expected + (b - other).powi(2) / other;
        cells += 1;
    };
    for (a, b) in first.iter().zip(second) {
        let (a, b) = (*a as f64, *b as f64);
        if (a + b) * n.min(m) / (n + m) < 10.0 {
            rest = (rest.0 + a, rest.1 + b);
        } else {
            add(a, b);
        }
    }
    if rest.0 + rest.1 > 20.0 {
        add(rest.0, rest.1);
    }
    (cells > 1).then(|| ChiSquared::new(f64::from(cells - 1)).unwrap().sf(statistic))
}

/// The tables of a tally, by name.
fn tables(tally: &Tally) -> Vec<(String, Vec<u64>)> {
    let mut tables = Vec::new();
    for seat in Seat::ALL {
        tables.push((format!("{seat} patterns"), tally.patterns(seat).to_vec()));
        tables.push((format!("{seat} hcp"), tally.hcp(seat).to_vec()));
    }
    for side in Side::ALL {
        tables.push((format!("{side:?} hcp"), tally.side_hcp(side).to_vec()));
        for suit in Suit::ALL {
            tables.push((format!("{side:?} {suit}"), tally.fits(side, suit).to_vec()));
        }
    }
    tables
}

#[test]
#[ignore = "nightly"]
fn a_listing_and_a_filter_give_the_tables_of_plain_rejection() {
    let mut tests = 0;
    for (number, text) in (1..).zip(CONDITIONS) {
        let script = Script::parse("test", text).unwrap();
        let planned = cases::divide(&script.condition, None, 4 << 20).unwrap();
        // Where rejection is cheapest, a hand is listed all the same.
        let asked = || {
            let seats = Seat::ALL.into_iter();
            let each = seats
                .filter_map(|seat| cases::divide(&script.condition, Some(&[seat]), 4 << 20).ok());
            each.min_by(|a, b| a.share.total_cmp(&b.share)).unwrap()
        };
        let divided = match planned.listed {
            Some(_) => planned,
            None => asked(),
        };
        assert!(divided.listed.is_some(), "{text}");
        assert!(!divided.filter.is_empty(), "{text}");
        let plain = cases::reject(&script.condition);
        assert!(plain.listed.is_none());
        let listed = kept_counts(&divided, &script, number, LISTED);
        let rejected = kept_counts(&plain, &script, 1000 + number, REJECTED);
        let acceptance =
            |kept_counts: &KeptCounts, deals: u64| kept_counts.kept as f64 / deals as f64;
        let (of_listed, of_plain) = (
            acceptance(&listed, LISTED) * divided.share,
            acceptance(&rejected, REJECTED),
        );
        let relative = (1.0 / listed.kept as f64 + 1.0 / rejected.kept as f64).sqrt();
        let z = (of_listed - of_plain) / (of_plain * relative);
        let mut worst = (1.0, String::new());
        let theirs = tables(&rejected.tally);
        for ((name, first), (_, second)) in tables(&listed.tally).iter().zip(theirs) {
            if let Some(p) = homogeneity(first, &second) {
                tests += 1;
                if p < worst.0 {
                    worst = (p, name.clone());
                }
            }
        }
        assert!(z.abs() < 5.0, "{text}: {z}");
        assert!(worst.0 > 1e-7, "{text}: {worst:?}");
    }
    assert!(tests > 90);
}

#[test]
fn averages_of_what_is_kept_are_the_exact_ones_where_they_are_known() {
    let text = "hcp(west) >= 28 && spades(west) >= 5 && hearts(east) >= 4
                action average hcp(west), average hearts(west) - hearts(east),
                frequency (hearts(east), 4, 13)";
    let script = Script::parse("test", text).unwrap();
    let actions = script.actions.clone().unwrap();
    let law = |place: usize| {
        let values: Vec<_> = fairdeal::language::Action::values(&actions[place]).collect();
        ValueLaw::of(&script.condition, &values).unwrap()
    };
    // One case too few to list all of it leaves a filter.
    let whole = cases::divide(&script.condition, None, u64::MAX).unwrap();
    let cases = whole.listed.unwrap().census.cases;
    let divided = cases::divide(&script.condition, None, cases - 1).unwrap();
    assert!(!divided.filter.is_empty());
    let kept_counts = kept_counts(&divided, &script, 5, 1 << 18);
    assert_eq!(kept_counts.statistics.deals(), kept_counts.kept);
    for (place, answer) in kept_counts.statistics.answers().iter().enumerate() {
        let law = law(place);
        match answer {
            Answer::Average(sums) => {
                let mean = sums.mean(kept_counts.kept).unwrap();
                let error = sums.standard_error(kept_counts.kept).unwrap();
                let exact = law.mean().unwrap();
                assert!((mean - exact).abs() < 5.0 * error, "{mean} {exact} {error}");
            }
            Answer::Frequency(cells) => {
                assert_eq!(cells[0], 0);
                for (values, ratio) in law.ways() {
                    let (expected, p) = (ratio.times(kept_counts.kept), ratio.to_f64());
                    let observed = cells[(values[0] - 3) as usize] as f64;
                    let spread = (expected * (1.0 - p)).sqrt().max(1.0);
                    assert!((observed - expected).abs() < 6.0 * spread);
                }
            }
        }
    }
}

#[test]
fn counts_do_not_depend_on_the_number_of_threads_or_the_processor() {
    let script = Script::parse(
        "test",
        "hcp(north) > 12 && hcp(east) > 9 && cccc(south) > 300
         action average cccc(south), frequency (hcp(west), 0, 12)",
    )
    .unwrap();
    let questions = ScriptQuestions::of(script.actions.as_deref().unwrap());
    let division = cases::divide(&script.condition, Some(&[Seat::East]), 1 << 20).unwrap();
    let keep_filter = KeepFilter::new(&division.filter, questions, Some(9_000));
    let generator = Aes128Ctr::new(8);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part.cases");
    let part = division.listed.as_ref().unwrap();
    cases::write(&part.condition, &part.listing, part.census, &path, &|_| ()).unwrap();
    let file = cases::open(&path).unwrap();
    let counts = |threads: usize, isa: Isa| {
        let dealer = Dealer::of_cases(&file).unwrap().with_isa(isa);
        let source = Seeded {
            dealer: &dealer,
            generator: &generator,
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        let plan = CountPlan::of_cases(Depth::Tables, Runs::new(&file));
        let counted = pool.install(|| count(&source, &plan, &keep_filter, (1 << 22, 1 << 16)));
        let (kept_counts, drawn) = (counted.kept_counts, counted.counts.deals());
        (
            kept_counts.kept,
            kept_counts.statistics,
            kept_counts.tally,
            drawn,
        )
    };
    let alone = counts(1, Isa::chosen());
    assert!(alone.0 >= 9_000 && alone.3 < 1 << 22 && alone.3.is_power_of_two());
    for isa in Isa::available() {
        for threads in [1, 2, 5] {
            assert_eq!(counts(threads, *isa), alone, "{threads} threads by {isa}");
        }
    }
}

#[test]
fn a_stream_gives_what_passes_in_the_order_of_its_draws() {
    let script = Script::parse("test", "hcp(west) > 11 && cccc(south) > 1000").unwrap();
    let division = cases::reject(&script.condition);
    let generator = Aes128Ctr::new(21);
    let dealer = Dealer::<CaseBytes>::unconstrained();
    let all: Vec<_> = (0..3)
        .flat_map(|batch| {
            let batch = batch << 16..(batch + 1) << 16;
            dealer.in_random_order(&generator, batch).unwrap()
        })
        .collect();
    let wanted = all.iter().enumerate().filter(|(_, deal)| {
        let mut terms = division.filter.iter();
        terms.all(|term| term.holds(*deal).unwrap())
    });
    let filter = fairdeal::filter::Filter::new(&division.filter);
    let mut stream = DealStream::new(dealer, &generator, Some(filter), all.len() as u64);
    let mut count = 0;
    for (place, deal) in wanted {
        let next = stream.next_deal().unwrap();
        assert_eq!(next.map(|next| next.deal), Some(*deal));
        assert_eq!(stream.generated(), place as u64 + 1);
        count += 1;
    }
    assert!(count > 1_000);
    assert_eq!(stream.next_deal().unwrap(), None);
    assert_eq!(stream.generated(), all.len() as u64);
    assert_eq!(stream.next_deal().unwrap(), None);
}
