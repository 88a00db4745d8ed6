//! Tests of each statistic against its definition, and of its law over many pairs of samples.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::differences::two_sample_z;
use super::statistic::{all_cards, two_by_many, two_means};
use super::*;
use crate::bridge::Card;
use crate::defect::{Defect, Defective};
use crate::draw::{Aes128Ctr, Dealer};
use crate::language::Condition;
use crate::population::cases::{CaseBytes, Listing};
use crate::run::{self, KeepFilter, LARGEST_BATCH};
use crate::stats::{Matrix, quadratic};
use crate::tally::{CountPlan, Counts, Depth};
use crate::{CountKind, Sample, ScriptMean};

/// Number of pairs of samples whose statistics are compared with their laws.
const PAIRS: u64 = 200;
/// Deals of each sample.
const SIZES: [u64; 2] = [20_000, 9_000];

fn dealt(dealer: &Dealer<'_, CaseBytes>, seed: u128, deals: u64) -> Sample {
    let generator = Aes128Ctr::new(seed);
    let outcome = run::run(dealer, &generator, deals, 1 << 26, &|_| ()).unwrap();
    Sample::new(&outcome.tally, &[])
}

fn whole(seed: u128, deals: u64) -> Sample {
    dealt(&Dealer::unconstrained(), seed, deals)
}

fn cards_of(sample: &Sample) -> &[Vec<u64>] {
    &sample.table(CountKind::Cards).unwrap().counts
}

#[test]
fn chi_squares_are_those_of_the_definition() {
    let counts = [[310, 420, 95, 130], [161, 190, 66, 60u64]];
    let n = counts.map(|counts| counts.iter().sum::<u64>() as f64);
    // An equivalent formula: the sum over columns of (n2 a - n1 b)^2 / (n1 n2 (a + b)).
    let columns = counts[0].iter().zip(&counts[1]);
    let expected: f64 = columns
        .map(|(a, b)| (*a as f64, *b as f64))
        .map(|(a, b)| (n[1] * a - n[0] * b).powi(2) / (n[0] * n[1] * (a + b)))
        .sum();
    let found = two_by_many([&counts[0], &counts[1]]).unwrap();
    assert_eq!(found.dof, 3.0);
    assert!((found.pearson / expected - 1.0).abs() < 1e-12);
}

#[test]
fn cells_are_pooled_by_the_sums_of_both_samples() {
    // The smaller sample, with a quarter of the deals, expects 12.5 of the 50 deals in rare cells:
    // fewer than 20.
    let one: [u64; 5] = [3_000, 3_000, 30, 6, 0];
    let two: [u64; 5] = [1_000, 1_000, 10, 4, 0];
    assert_eq!(two_by_many([&one, &two]).unwrap().dof, 1.0);
    let two: [u64; 5] = [3_000, 3_000, 10, 4, 0];
    assert_eq!(two_by_many([&one, &two]).unwrap().dof, 2.0);
    assert!(two_by_many([&[30, 0], &[40, 0]]).is_none());
    assert!(two_by_many([&[0, 0], &[400, 300]]).is_none());
}

#[test]
fn a_rare_thing_in_a_small_sample_is_no_proof() {
    // 20 expected, 58 observed: Pearson's p is 10^-17, that of the Poisson tail 10^-11.4.
    let found = two_by_many([&[58, 9_942], &[2_000_000, 998_000_000]]).unwrap();
    let log10_p = found.found(|cell| cell.to_string()).log10_p;
    assert!((-12.0..-10.5).contains(&log10_p), "{log10_p}");
}

#[test]
fn the_sum_over_cards_is_the_quadratic_form_of_their_covariance() {
    let (one, two) = (whole(1, 3_000), whole(2, 1_000));
    let name = |_, _| String::new();
    let found = all_cards([cards_of(&one), cards_of(&two)], [3_000, 1_000], name).unwrap();
    let centred = |n: usize, i: usize, j: usize| f64::from(u8::from(i == j)) - 1.0 / n as f64;
    let scale = 52.0 / 51.0 / 4.0 * (1.0 / 3_000.0 + 1.0 / 1_000.0);
    let covariance = Matrix::from_fn(208, 208, |a, b| {
        scale * centred(52, a / 4, b / 4) * centred(4, a % 4, b % 4)
    });
    let difference = Matrix::from_fn(208, 1, |place, _| {
        let (card, seat) = (place / 4, place % 4);
        cards_of(&one)[seat][card] as f64 / 3_000.0 - cards_of(&two)[seat][card] as f64 / 1_000.0
    });
    let (expected, rank) = quadratic(covariance, &difference);
    assert!((found.statistic / expected - 1.0).abs() < 1e-9);
    assert_eq!(rank, 153);
    assert_eq!(found.dof, Some(153.0));
}

#[test]
fn two_means_differ_by_their_errors_or_by_those_of_both_together() {
    let values: [&[f64]; 2] = [&[1.0, 4.0, 2.0, 2.0, 8.0], &[3.0, 3.0, 9.0]];
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let squares = |values: &[f64]| {
        let middle = mean(values);
        values
            .iter()
            .map(|value| (value - middle).powi(2))
            .sum::<f64>()
    };
    let error = |values: &[f64]| {
        let n = values.len() as f64;
        (squares(values) / (n - 1.0) / n).sqrt()
    };
    let means = values.map(|values| (mean(values), error(values)));
    let z = two_means(means, [5, 3]).statistic;
    let together = squares(&values.concat()) / 8.0 * (1.0 / 5.0 + 1.0 / 3.0);
    let apart = error(values[0]).powi(2) + error(values[1]).powi(2);
    let expected = (means[0].0 - means[1].0) / together.max(apart).sqrt();
    assert!((z - expected).abs() < 1e-12);
    // A rare event that a small sample never had gives it no error, and is not evidence.
    let rare = [(0.0, 0.0), (1e-5, 1e-6)];
    assert!(two_means(rare, [2_000, 10_000_000]).statistic.abs() < 0.2);
    assert_eq!(two_means([(2.0, 0.0); 2], [2_000; 2]).log10_p, 0.0);
}

#[test]
fn weights_sum_to_one_whatever_is_there() {
    let mut both = [whole(3, 20_000), whole(4, 20_000)];
    let total = |both: &[Sample; 2], origin| -> f64 {
        let rows = homogeneity(&both[0], &both[1], origin).rows;
        rows.iter().map(|row| row.weight).sum()
    };
    assert!((total(&both, Origin::Whole) - 1.0).abs() < 1e-12);
    for sample in &mut both {
        sample.means.push(ScriptMean {
            label: "x".to_owned(),
            mean: 1.0,
            error: 0.01,
        });
    }
    assert!((total(&both, Origin::Condition) - 1.0).abs() < 1e-12);
    let rows = homogeneity(&both[0], &both[1], Origin::Condition).rows;
    let weight = |test: &str| -> f64 {
        let rows = rows.iter().filter(|row| row.test == test);
        rows.map(|row| row.weight).sum()
    };
    assert!((weight("average x") - 0.1).abs() < 1e-12);
    assert!((weight("cards") - 0.3).abs() < 1e-12);
    assert!((weight("patterns") - 0.125).abs() < 1e-12);
}

#[test]
fn a_dealer_that_is_broken_is_found_and_named() {
    let defect = Defect::named("naive-shuffle-round-robin").unwrap();
    let broken = Defective::<Vec<u8>>::new(defect, 5, None).unwrap();
    let plan = CountPlan::unconstrained(Depth::Tables);
    let deals = 1 << 18;
    let size = (deals, LARGEST_BATCH);
    let (all, look) = (KeepFilter::default(), &mut |_: &Counts| {
        ControlFlow::Continue(())
    });
    let counted = run::count(&broken, &plan, &all, size, &|_| (), look);
    let broken = Sample::new(&counted.unwrap().counts.tally(), &[]);
    let good = whole(6, deals);
    let found = homogeneity(&broken, &good, Origin::Whole);
    assert_eq!(found.verdict, Likeness::Different);
    assert_eq!(strongest(&found.rows, 1)[0].test, "cards");
    let found = homogeneity(&whole(7, deals), &good, Origin::Whole);
    assert_eq!(found.verdict, Likeness::Alike);
    assert!(
        found.detectable_effects[0].starts_with("a card "),
        "{:?}",
        found.detectable_effects
    );
    assert_eq!(found.detectable_effects.len(), 3);
}

#[test]
fn samples_that_share_deals_are_too_alike() {
    // 50,000 of 60,000 deals are the same.
    let one = whole(8, 50_000);
    let (mut first, mut second) = (one.clone(), one);
    for (sample, seed) in [(&mut first, 9), (&mut second, 10)] {
        let more = whole(seed, 10_000);
        sample.deals += more.deals;
        for (table, more) in sample.tables.iter_mut().zip(&more.tables) {
            let counts = table.counts.iter_mut().flatten();
            counts
                .zip(more.counts.iter().flatten())
                .for_each(|(count, more)| *count += more);
        }
    }
    let found = homogeneity(&first, &second, Origin::Whole);
    assert_eq!(found.verdict, Likeness::TooAlike);
    assert!(strongest(&found.rows, 1)[0].is_even);
    // Identical deals give finite evidence too.
    let found = homogeneity(&first, &first, Origin::Whole);
    assert_eq!(found.verdict, Likeness::TooAlike);
    assert!(found.s.unwrap().is_finite());
}

#[test]
fn differences_are_named_with_what_chance_allows() {
    let (one, mut two) = (whole(11, 30_000), whole(12, 60_000));
    let chance = Differences::between(&one, &two);
    assert!(chance.cells > 2_000);
    let limit = chance.chance_z.unwrap();
    assert!((4.5..6.0).contains(&limit), "{limit}");
    assert!(chance.largest.iter().all(|found| !found.is_beyond_chance));
    let shapes = two
        .tables
        .iter_mut()
        .find(|table| table.kind == CountKind::Shapes)
        .unwrap();
    shapes.counts[2][1] += 2_000;
    shapes.counts[2][0] -= 2_000;
    let found = Differences::between(&one, &two);
    let worst = &found.largest[0];
    assert_eq!(
        (&*worst.table, &*worst.subject, &*worst.cell),
        ("shapes", "south", "4-3-3-3")
    );
    assert!(worst.is_beyond_chance && found.largest[1].is_beyond_chance);
    assert!(!found.largest[2].is_beyond_chance);
    assert_eq!(two_sample_z([0, 0], [10, 20]), None);
    let z = two_sample_z([30, 40], [100, 200]).unwrap();
    let p = 70.0 / 300.0f64;
    assert!((z - 0.1 / (p * (1.0 - p) * (0.01 + 0.005)).sqrt()).abs() < 1e-12);
}

/// Sums of values that are standardised by their law.
#[derive(Clone, Copy, Default)]
struct Moments {
    count: f64,
    sum: f64,
    squares: f64,
    /// The expected variance of the square: 2 + 12 / dof for chi-squares.
    spread: f64,
}

impl Moments {
    fn add(&mut self, statistic: f64, dof: f64) {
        let u = (statistic - dof) / (2.0 * dof).sqrt();
        self.count += 1.0;
        self.sum += u;
        self.squares += u * u;
        self.spread += 2.0 + 12.0 / dof;
    }

    fn merge(mut self, other: &Self) -> Self {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        self.spread += other.spread;
        self
    }

    /// The deviation of the mean of the standardised values from 0, and of their mean square from
    /// 1, in standard errors.
    fn z(&self) -> [f64; 2] {
        let mean = self.sum / self.count.sqrt();
        [mean, (self.squares - self.count) / self.spread.sqrt()]
    }
}

type Laws = BTreeMap<(String, String), Moments>;

/// Compares pairs of samples of one perfect source and collects the statistics by test and subject.
/// For cards under a condition, each card is a subject.
fn calibration(
    dealer: &Dealer<'_, CaseBytes>,
    origin: Origin,
    pairs: u64,
    sizes: [u64; 2],
) -> Laws {
    let one = |pair: u64| {
        let seed = 2 * u128::from(pair) + 1_000;
        let (first, second) = (
            dealt(dealer, seed, sizes[0]),
            dealt(dealer, seed + 1, sizes[1]),
        );
        let mut laws = Laws::new();
        let found = homogeneity(&first, &second, origin);
        for row in found
            .rows
            .into_iter()
            .filter(|row| row.subject != "worst card")
        {
            let moments = laws.entry((row.test, row.subject)).or_default();
            moments.add(row.statistic, row.dof.unwrap());
        }
        if origin == Origin::Condition {
            for card in 0..52 {
                let [a, b] = [&first, &second]
                    .map(|sample| cards_of(sample).iter().map(|s| s[card]).collect::<Vec<_>>());
                if let Some(found) = two_by_many([&a, &b]) {
                    let name = Card::all().nth(card).unwrap().to_string();
                    let moments = laws.entry(("cards".to_owned(), name)).or_default();
                    moments.add(found.pearson, found.dof);
                }
            }
        }
        laws
    };
    // Run the pairs in sequence: each run uses all cores.
    (0..pairs).map(one).fold(Laws::new(), |mut all, laws| {
        for (name, moments) in laws {
            let mine = all.entry(name).or_default();
            *mine = mine.merge(&moments);
        }
        all
    })
}

/// The laws for deals with 15-17 HCP and five spades at west, listed by one hand.
fn condition_laws(pairs: u64, sizes: [u64; 2]) -> Laws {
    let condition = Condition::parse(
        "test",
        "hcp(west) >= 15 && hcp(west) <= 17 && spades(west) == 5",
    );
    let condition = condition.unwrap();
    let listing = Listing::new(&condition, None).unwrap();
    let census = crate::population::cases::census(&condition, &listing).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.cases");
    crate::population::cases::write(&condition, &listing, census, &path, &|_| ()).unwrap();
    let file = crate::population::cases::open(&path).unwrap();
    let dealer = Dealer::of_cases(&file).unwrap();
    calibration(&dealer, Origin::Condition, pairs, sizes)
}

fn assert_lawful(laws: &Laws) {
    // With several dozen rows, a value beyond 4.5 would be very unlikely.
    for ((test, subject), moments) in laws {
        let [mean, variance] = moments.z();
        assert!(
            mean.abs() < 4.5 && variance.abs() < 4.5,
            "{test} {subject}: {mean} {variance}"
        );
    }
}

#[test]
fn statistics_of_any_deals_have_their_laws() {
    let laws = calibration(&Dealer::unconstrained(), Origin::Whole, PAIRS, SIZES);
    assert_eq!(laws.len(), 1 + 4 + 4 + 16 + 4 + 4 + 1);
    assert_lawful(&laws);
}

#[test]
fn statistics_of_deals_of_a_condition_have_their_laws() {
    let laws = condition_laws(PAIRS, SIZES);
    assert!(laws.len() > 52 + 25);
    assert_lawful(&laws);
}

/// log10 of the p-value of two samples of one multinomial law.
pub(crate) fn two_by_many_log10(counts: [&[u64]; 2]) -> Option<f64> {
    Some(two_by_many(counts)?.found(|cell| cell.to_string()).log10_p)
}

/// log10 of the p-value of two means with their errors.
pub(crate) fn two_means_log10(means: [(f64, f64); 2], deals: [u64; 2]) -> f64 {
    two_means(means, deals).log10_p
}
