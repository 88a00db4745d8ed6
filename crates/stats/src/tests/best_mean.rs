//! The largest of several means, against its definition and by coverage.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::best_mean::{BestMean, Finding};
use crate::elementary::{exp, ln, ln_1p};

/// Samples of candidates with the values 0, 1 and 2, each better than the one before by a `step`.
fn samples(seed: u64, candidates: usize, step: f64) -> impl Iterator<Item = Vec<f64>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    std::iter::repeat_with(move || {
        let common: f64 = random.random();
        let value = |candidate| {
            let level = (common + random.random::<f64>()) / 2.0 + step * candidate as f64;
            (3.0 * level).floor().clamp(0.0, 2.0)
        };
        (0..candidates).map(value).collect()
    })
}

/// ln of the mean capital of bets on a variable whose values are `-bound` or more.
fn ln_capital(values: &[f64], bound: f64) -> f64 {
    let bets = (0..8).map(|halvings| 0.5f64.powi(halvings) / bound);
    let capital = bets.map(|bet| values.iter().map(|x| ln_1p(bet * x)).sum::<f64>());
    let sum: f64 = capital.map(exp).sum();
    ln(sum / 8.0)
}

#[test]
fn exclusion_and_equality_are_as_defined() {
    let (alpha, margin): (f64, f64) = (0.02, 0.4);
    for (seed, candidates, step) in [(1, 2, 0.1), (2, 3, 0.05), (3, 4, 0.0), (4, 1, 0.0)] {
        let mut found = BestMean::new(candidates, [0.0, 2.0], margin, alpha);
        let mut seen: Vec<Vec<f64>> = Vec::new();
        let mut excluded = vec![false; candidates];
        let mut is_close = vec![vec![false; candidates]; candidates];
        for sample in samples(seed, candidates, step).take(300) {
            found.add(&sample);
            seen.push(sample);
            let differences = |i: usize, j: usize| -> Vec<f64> {
                seen.iter().map(|sample| sample[i] - sample[j]).collect()
            };
            for j in 0..candidates {
                let mut sum = 0.0;
                for i in (0..candidates).filter(|i| *i != j) {
                    let differences = differences(i, j);
                    sum += exp(ln_capital(&differences, 2.0));
                    let rest: Vec<f64> = differences.iter().map(|x| margin - x).collect();
                    let needed = ln(candidates as f64 * 2.0 / alpha);
                    is_close[i][j] |= ln_capital(&rest, 2.0) >= needed;
                }
                let left = excluded.iter().filter(|excluded| !**excluded).count();
                let mean = sum / (candidates as f64 - 1.0);
                excluded[j] |= left > 1 && mean >= 2.0 / alpha;
            }
            let remaining: Vec<usize> = found.remaining().collect();
            let slow: Vec<usize> = (0..candidates).filter(|j| !excluded[*j]).collect();
            assert_eq!(remaining, slow, "seed {seed}");
            let is_equal = |j: usize| (0..candidates).all(|i| i == j || is_close[i][j]);
            match found.finding() {
                Finding::Best(best) => assert_eq!(slow, [best]),
                Finding::Equal(equal) => assert!(is_equal(equal)),
                Finding::Open => assert!(!(0..candidates).any(is_equal)),
            }
        }
        assert_ne!(found.finding(), Finding::Open, "seed {seed}");
    }
}

#[test]
fn limits_contain_the_means_and_close_in() {
    // The means of a long sample are known to three digits.
    let (candidates, long) = (3, 200_000);
    let mut means = vec![0.0; candidates];
    for sample in samples(5, candidates, 0.1).take(long) {
        for (mean, x) in means.iter_mut().zip(sample) {
            *mean += x / long as f64;
        }
    }
    let (mut outside, runs) = (0, 100);
    for seed in 0..runs {
        let mut found = BestMean::new(candidates, [0.0, 2.0], 0.1, 0.05);
        assert_eq!(found.limits(0), [0.0, 2.0]);
        let mut is_outside = false;
        for (number, sample) in (1..).zip(samples(100 + seed, candidates, 0.1).take(400)) {
            found.add(&sample);
            if number % 100 == 0 {
                for (candidate, mean) in means.iter().enumerate() {
                    let [low, high] = found.limits(candidate);
                    is_outside |= !(low..=high).contains(mean);
                    assert!(low <= found.mean(candidate) && found.mean(candidate) <= high);
                }
            }
        }
        let [low, high] = found.limits(0);
        assert!(high - low < 0.5, "{low} to {high}");
        outside += u32::from(is_outside);
    }
    assert!(outside <= 5, "{outside} of {runs}");
}

#[test]
fn constant_values_have_limits_beside_the_bound() {
    let mut found = BestMean::new(2, [0.0, 1.0], 0.01, 0.01);
    for _ in 0..5_000 {
        found.add(&[0.0, 1.0]);
    }
    assert_eq!(found.finding(), Finding::Best(1));
    let ([low, high], [low_1, high_1]) = (found.limits(0), found.limits(1));
    assert!(low == 0.0 && high < 0.01 && low_1 > 0.99 && high_1 == 1.0);
}
