//! Checks that tests that rely on a limit law are valid when few cases share the variance.
//!
//! Perfect draws come from spaces of 2 to 50 cases, at the minimum sample sizes of each test.
//! Weights are equal, decrease by 0.7 from case to case or from pair to pair, or have one dominant
//! case. The e-value of one look must reach 10^s with a probability of at most 10^-s. The number of
//! runs that reached it is tested against the Poisson law with that mean, at 99.9 %.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::homogeneity::{two_by_many_log10, two_means_log10};
use crate::battery::{TableLaw, coincidences_log10, filling_of, interchange_of};
use crate::stats::{
    GammaSum, Matrix, calibrated_log10, dirichlet_mixture_log10, pairs_in_a_cell,
    poisson_upper_log10,
};

/// Number of powers of ten that are counted.
const POWERS: usize = 6;

/// Counts of e-values that reached each power of ten, and the largest log10.
#[derive(Clone, Copy, Debug)]
struct Reached {
    runs: u64,
    counts: [u64; POWERS],
    largest: f64,
}

impl Reached {
    const NONE: Self = Self {
        runs: 0,
        counts: [0; POWERS],
        largest: f64::NEG_INFINITY,
    };

    fn count(&mut self, log10_e: f64) {
        self.runs += 1;
        for (power, count) in (1..).zip(&mut self.counts) {
            *count += u64::from(log10_e >= f64::from(power));
        }
        self.largest = self.largest.max(log10_e);
    }

    fn merge(mut self, other: Self) -> Self {
        self.runs += other.runs;
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
        self.largest = self.largest.max(other.largest);
        self
    }

    /// Returns whether every count is plausible (p > 0.001) for a test that is exactly valid.
    fn keeps_its_promise(&self) -> bool {
        (1..).zip(self.counts).all(|(power, count)| {
            poisson_upper_log10(count, self.runs as f64 * 0.1f64.powi(power)) > -3.0
        })
    }
}

/// The weights of a space's cases.
#[derive(Clone, Copy, Debug)]
enum Weights {
    Equal,
    /// Each is 0.7 of the previous one.
    Geometric,
    /// Geometric, with two cases of each weight.
    Pairs,
    /// One case of 0.99, the others equal.
    Dominant,
}

impl Weights {
    const ALL: [Self; 4] = [Self::Equal, Self::Geometric, Self::Pairs, Self::Dominant];

    /// Returns the weights of a space of `cases` cases, which sum to 1.
    fn of(self, cases: usize) -> Vec<f64> {
        let weight = |case: usize| match self {
            Self::Equal => 1.0,
            Self::Geometric => 0.7f64.powi(case as i32),
            Self::Pairs => 0.7f64.powi(case as i32 / 2),
            Self::Dominant if case == 0 => 99.0 * (cases - 1) as f64,
            Self::Dominant => 1.0,
        };
        let weights: Vec<f64> = (0..cases).map(weight).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }
}

/// Cases with their weights, drawn by cumulative sums.
struct CaseSpace {
    name: String,
    weights: Vec<f64>,
    cumulative: Vec<f64>,
}

impl CaseSpace {
    fn new(weights: Weights, cases: usize) -> Self {
        let name = format!("{cases} {weights:?}");
        let weights = weights.of(cases);
        let mut sum = 0.0;
        let up_to = weights.iter().map(|weight| {
            sum += weight;
            sum
        });
        Self {
            name,
            cumulative: up_to.collect(),
            weights,
        }
    }

    fn draw(&self, words: &mut Xoshiro256PlusPlus) -> usize {
        let point: f64 = words.random();
        let last = self.weights.len() - 1;
        self.cumulative
            .partition_point(|up_to| *up_to <= point)
            .min(last)
    }

    fn counts(&self, draws: u64, words: &mut Xoshiro256PlusPlus) -> Vec<u64> {
        let mut counts = vec![0; self.weights.len()];
        for _ in 0..draws {
            counts[self.draw(words)] += 1;
        }
        counts
    }
}

/// Measures the e-values of a test on perfect draws from a space. Every 1,000 runs use a random
/// stream of their own. A run in which the test does not apply counts as an e-value of 0.
fn measured(test: &SizedTest, space: &CaseSpace, place: u64, runs: u64) -> Reached {
    let length = 1_000;
    (0..runs.div_ceil(length))
        .into_par_iter()
        .map(|stretch| {
            let mut words = Xoshiro256PlusPlus::seed_from_u64(place << 32 | stretch);
            let mut reached = Reached::NONE;
            for _ in 0..length.min(runs - stretch * length) {
                let log10_e = (test.e_value)(space, &mut words);
                reached.count(log10_e.unwrap_or(f64::NEG_INFINITY));
            }
            reached
        })
        .reduce(|| Reached::NONE, Reached::merge)
}

/// Returns the e-value of coincidences in one batch, by groups of equal weight, as the battery
/// does.
fn coincidences(space: &CaseSpace, draws: u64, words: &mut Xoshiro256PlusPlus) -> Option<f64> {
    let counts = space.counts(draws, words);
    let pairs = |n: u64| (n * n.saturating_sub(1) / 2) as f64;
    let (mut same, mut moments) = (0.0, Vec::new());
    let cases: Vec<(f64, u64)> = space.weights.iter().copied().zip(counts).collect();
    for group in cases.chunk_by(|a, b| (a.0 / b.0 - 1.0).abs() < 1e-9) {
        let n: u64 = group.iter().map(|(_, count)| count).sum();
        let triples = pairs(n) * (n as f64 - 2.0).max(0.0) / 3.0;
        if group.len() > 1 {
            same += group.iter().map(|(_, count)| pairs(*count)).sum::<f64>();
            moments.extend(pairs_in_a_cell(pairs(n), triples, group.len() as f64));
        }
    }
    if moments.is_empty() {
        return None;
    }
    let law = GammaSum::new(moments);
    Some(calibrated_log10(coincidences_log10(same, &law).0))
}

/// Returns the e-value of filling for interchangeable cards at seats with few different lengths.
fn filling(
    space: &CaseSpace,
    cards: usize,
    deals: u64,
    words: &mut Xoshiro256PlusPlus,
) -> Option<f64> {
    let mut held = Matrix::zeros(4, cards);
    let mut products = Matrix::zeros(4, 4);
    let mut sums = [0.0; 4];
    let mut order: Vec<usize> = (0..cards).collect();
    for _ in 0..deals {
        // Lengths by case: north's and east's rise with the case, south has one card, west the
        // rest.
        let case = space.draw(words);
        let north = case % (cards - 1);
        let east = (case / 3) % (cards - north);
        let south = usize::from(north + east < cards);
        let lengths = [north, east, south, cards - north - east - south];
        let mut next = 0;
        for (s, &length) in lengths.iter().enumerate() {
            sums[s] += length as f64;
            for (t, &other) in lengths.iter().enumerate() {
                products[(s, t)] += (length * other) as f64;
            }
            for _ in 0..length {
                let chosen = words.random_range(next..cards);
                order.swap(next, chosen);
                held[(s, order[next])] += 1.0;
                next += 1;
            }
        }
    }
    let found = filling_of(deals, sums, &products, &held)?;
    Some(calibrated_log10(found.log10_p))
}

/// Returns the e-value of interchange for two seats whose 26 cards form one of few sets.
fn interchange(space: &CaseSpace, deals: u64, words: &mut Xoshiro256PlusPlus) -> Option<f64> {
    let mut together = Matrix::zeros(52, 52);
    let mut difference = Matrix::zeros(52, 1);
    for _ in 0..deals {
        // The case number is the index of the first of its 26 cards.
        let case = space.draw(words);
        let mut cards: [usize; 26] = std::array::from_fn(|i| (case + i) % 52);
        for place in 0..13 {
            let chosen = words.random_range(place..26);
            cards.swap(place, chosen);
        }
        for (place, &card) in cards.iter().enumerate() {
            difference[(card, 0)] += if place < 13 { 1.0 } else { -1.0 };
            for &other in &cards {
                together[(card, other)] += 1.0;
            }
        }
    }
    let found = interchange_of(deals, &together, &difference)?;
    Some(calibrated_log10(found.log10_p))
}

/// Compares two groups of batches, as T10 does.
fn heterogeneity(
    space: &CaseSpace,
    sizes: [u64; 2],
    words: &mut Xoshiro256PlusPlus,
) -> Option<f64> {
    let counts = sizes.map(|size| space.counts(size, words));
    let cells = TableLaw::of(space.weights.clone());
    let found = cells.heterogeneity(&[&counts[0], &counts[1]])?;
    Some(calibrated_log10(found.log10_p))
}

/// Compares two samples, as `compare` does.
fn homogeneity(space: &CaseSpace, sizes: [u64; 2], words: &mut Xoshiro256PlusPlus) -> Option<f64> {
    let [one, other] = sizes.map(|size| space.counts(size, words));
    Some(calibrated_log10(two_by_many_log10([&one, &other])?))
}

/// Compares averages of two samples. The k-th case is worth k^4, which gives a long tail.
fn means(space: &CaseSpace, sizes: [u64; 2], words: &mut Xoshiro256PlusPlus) -> Option<f64> {
    let of_sample = |size: u64, words: &mut Xoshiro256PlusPlus| {
        let counts = space.counts(size, words);
        let n = size as f64;
        let value = |case: usize| (case as f64).powi(4);
        let cases = counts.iter().enumerate();
        let sum: f64 = cases.clone().map(|(case, k)| value(case) * *k as f64).sum();
        let mean = sum / n;
        let squares = cases.map(|(case, k)| (value(case) - mean).powi(2) * *k as f64);
        let error = (squares.sum::<f64>() / (n - 1.0) / n).sqrt();
        (mean, error)
    };
    let both = sizes.map(|size| of_sample(size, words));
    Some(calibrated_log10(two_means_log10(both, sizes)))
}

/// Returns the mixture's e-value, whose mean is 1 by construction, as a control.
fn mixture(space: &CaseSpace, draws: u64, words: &mut Xoshiro256PlusPlus) -> Option<f64> {
    let counts = space.counts(draws, words);
    Some(dirichlet_mixture_log10(&counts, &space.weights))
}

type EValue = Box<dyn Fn(&CaseSpace, &mut Xoshiro256PlusPlus) -> Option<f64> + Sync>;

/// A test at one sample size, with its name.
struct SizedTest {
    name: String,
    e_value: EValue,
}

impl SizedTest {
    fn new(
        name: String,
        e_value: impl Fn(&CaseSpace, &mut Xoshiro256PlusPlus) -> Option<f64> + Sync + 'static,
    ) -> Self {
        let e_value = Box::new(e_value);
        Self { name, e_value }
    }
}

/// Returns every test at its smallest sample sizes and at somewhat larger ones.
fn sized_tests() -> Vec<SizedTest> {
    let coincidences = [64, 1_024].map(|draws| {
        let name = format!("C coincidences, {draws} draws");
        SizedTest::new(name, move |space, words| coincidences(space, draws, words))
    });
    let filling = [(9, 64), (13, 64), (13, 256)].map(|(cards, deals)| {
        let name = format!("C filling of {cards}, {deals} deals");
        SizedTest::new(name, move |space, words| {
            filling(space, cards, deals, words)
        })
    });
    let both = |[one, other]: [u64; 2]| format!("{one} and {other}");
    let groups = [[64, 64], [1_024, 1_024], [128, 4_096]];
    let heterogeneity = groups.map(|sizes| {
        let name = format!("T10, {}", both(sizes));
        SizedTest::new(name, move |space, words| heterogeneity(space, sizes, words))
    });
    let homogeneity = groups.map(|sizes| {
        let name = format!("compare tables, {}", both(sizes));
        SizedTest::new(name, move |space, words| homogeneity(space, sizes, words))
    });
    let means = [[1_024, 1_024], [1_024, 8_192]].map(|sizes| {
        let name = format!("compare means, {}", both(sizes));
        SizedTest::new(name, move |space, words| means(space, sizes, words))
    });
    let name = "C weight classes, 64 draws".to_owned();
    let classes = SizedTest::new(name, |space, words| mixture(space, 64, words));
    let name = "C interchange, 64 deals".to_owned();
    let interchange = SizedTest::new(name, |space, words| interchange(space, 64, words));
    let tests = coincidences.into_iter().chain(filling).chain(heterogeneity);
    tests
        .chain(homogeneity)
        .chain(means)
        .chain([classes, interchange])
        .collect()
}

/// Measures every test on the spaces of these sizes, which share its runs equally. Returns the
/// tests that are invalid in one space or in all spaces together.
fn broken(cases: &[usize], runs: u64) -> Vec<String> {
    let spaces: Vec<CaseSpace> = cases
        .iter()
        .flat_map(|&cases| Weights::ALL.map(|weights| CaseSpace::new(weights, cases)))
        .collect();
    let mut broken = Vec::new();
    for test in sized_tests() {
        let mut pooled = Reached::NONE;
        let mut judge = |space: &str, reached: &Reached| {
            if !reached.keeps_its_promise() {
                broken.push(format!("{}, {space}: {reached:?}", test.name));
            }
        };
        let count = spaces.len() as u64;
        for (place, space) in (0..).zip(&spaces) {
            // The later spaces get the remainder.
            let share = runs * (place + 1) / count - runs * place / count;
            let reached = measured(&test, space, place, share);
            judge(&space.name, &reached);
            pooled = pooled.merge(reached);
        }
        judge("all spaces", &pooled);
    }
    broken
}

#[test]
#[ignore = "nightly"]
fn tests_with_limit_laws_keep_their_promise_in_small_spaces() {
    let broken = broken(&[2, 3, 5, 10, 20, 50], 100_000);
    assert!(broken.is_empty(), "{broken:?}");
}
