//! Which of several bounded means is the largest, by betting: evidence that holds at every number of
//! samples, so that one may watch it and stop at any time.
//!
//! Each sample has a value for every candidate, on the same draw, and the differences are tested. If
//! the mean of a variable X >= -B is at most 0, the product of (1 + b X) over the samples is a
//! supermartingale for every bet 0 < b <= 1 / B: by Ville's inequality it ever reaches 1 / alpha with
//! probability alpha at most (Waudby-Smith and Ramdas 2024). So is the mean over several bets.

use std::collections::BTreeMap;

use super::boundary;
use crate::elementary::{exp, ln};

/// The bets, as shares of the largest that is allowed.
const BETS: [f64; 8] = [
    1.0,
    1.0 / 2.0,
    1.0 / 4.0,
    1.0 / 8.0,
    1.0 / 16.0,
    1.0 / 32.0,
    1.0 / 64.0,
    1.0 / 128.0,
];

/// The capital of each bet, which begins with 1.
type Capital = [f64; BETS.len()];

/// Samples of several candidates, and the evidence on their means so far.
#[derive(Clone, Debug)]
pub struct BestMean {
    /// The smallest and the largest possible value.
    range: [f64; 2],
    /// The difference of means below which two candidates count as equal.
    margin: f64,
    /// Probability of a wrong statement.
    alpha: f64,
    /// Capital of the bets that a mean is above another, of each pair of candidates.
    above: Vec<Capital>,
    /// Capital of the bets that a mean is less than the margin above another.
    close: Vec<Capital>,
    /// Whether a candidate does not have the largest mean.
    excluded: Vec<bool>,
    /// Whether a mean is less than the margin above another, of each pair.
    is_close: Vec<bool>,
    /// Number of samples of each value, by its bits, of each candidate.
    counts: Vec<BTreeMap<u64, u64>>,
}

/// What the samples show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// All candidates but this one are excluded.
    Best(usize),
    /// No mean is the margin or more above that of this candidate.
    Equal(usize),
    /// Neither so far.
    Open,
}

impl BestMean {
    /// Candidates whose values are within `range`. `alpha` is the probability of a wrong exclusion or
    /// a wrong equality, a half each.
    ///
    /// # Panics
    ///
    /// If there is no candidate, the range is empty, or the margin or alpha is not positive.
    pub fn new(candidates: usize, range: [f64; 2], margin: f64, alpha: f64) -> Self {
        assert!(candidates > 0 && range[0] < range[1] && margin > 0.0 && alpha > 0.0);
        let pairs = candidates * candidates;
        Self {
            range,
            margin,
            alpha,
            above: vec![[1.0; BETS.len()]; pairs],
            close: vec![[1.0; BETS.len()]; pairs],
            excluded: vec![false; candidates],
            is_close: vec![false; pairs],
            counts: vec![BTreeMap::new(); candidates],
        }
    }

    /// Adds a sample: the value of each candidate.
    ///
    /// # Panics
    ///
    /// If the number of values is not that of the candidates, or a value is out of range.
    pub fn add(&mut self, values: &[f64]) {
        let candidates = self.excluded.len();
        let [low, high] = self.range;
        assert!(values.len() == candidates && values.iter().all(|x| (low..=high).contains(x)));
        let largest = 1.0 / (high - low);
        for (i, x) in values.iter().enumerate() {
            for (j, y) in values.iter().enumerate() {
                let pair = i * candidates + j;
                bet(&mut self.above[pair], largest, x - y);
                bet(&mut self.close[pair], largest, self.margin - (x - y));
                self.is_close[pair] |=
                    i == j || mean(&self.close[pair]) >= candidates as f64 / (self.alpha / 2.0);
            }
            *self.counts[i].entry(x.to_bits()).or_default() += 1;
        }
        for j in 0..candidates {
            let others = (0..candidates).filter(|i| *i != j);
            let sum: f64 = others.map(|i| mean(&self.above[i * candidates + j])).sum();
            // One always remains.
            if self.remaining().count() > 1 {
                self.excluded[j] |= sum / (candidates - 1) as f64 >= 2.0 / self.alpha;
            }
        }
    }

    /// The candidates that may have the largest mean. With probability `1 - alpha / 2`, one that has
    /// it remains at every number of samples.
    pub fn remaining(&self) -> impl Iterator<Item = usize> {
        (0..self.excluded.len()).filter(|candidate| !self.excluded[*candidate])
    }

    /// What the samples show.
    pub fn finding(&self) -> Finding {
        let candidates = self.excluded.len();
        let is_equal = |j: &usize| (0..candidates).all(|i| self.is_close[i * candidates + j]);
        let by_mean = |i: &usize, j: &usize| self.mean(*i).total_cmp(&self.mean(*j));
        let mut remaining = self.remaining();
        match (remaining.next(), remaining.next()) {
            (Some(best), None) => Finding::Best(best),
            // Of equal means the first.
            _ => match (0..candidates).rev().filter(is_equal).max_by(by_mean) {
                Some(equal) => Finding::Equal(equal),
                None => Finding::Open,
            },
        }
    }

    /// The mean of a candidate's values; not a number without samples.
    pub fn mean(&self, candidate: usize) -> f64 {
        let values = self.counts[candidate].iter();
        let sums = values.fold([0.0; 2], |[sum, samples], (bits, count)| {
            let count = *count as f64;
            [sum + f64::from_bits(*bits) * count, samples + count]
        });
        sums[0] / sums[1]
    }

    /// The standard error of a candidate's mean; not a number with fewer than two samples.
    pub fn standard_error(&self, candidate: usize) -> f64 {
        let mean = self.mean(candidate);
        let values = self.counts[candidate].iter();
        let sums = values.fold([0.0; 2], |[sum, samples], (bits, count)| {
            let deviation = f64::from_bits(*bits) - mean;
            let count = *count as f64;
            [sum + deviation * deviation * count, samples + count]
        });
        (sums[0] / (sums[1] - 1.0) / sums[1]).sqrt()
    }

    /// Confidence limits of a mean. The limits of all candidates contain their means at every number
    /// of samples, all together, with probability `1 - alpha`.
    pub fn limits(&self, candidate: usize) -> [f64; 2] {
        let [low, high] = self.range;
        let counts = &self.counts[candidate];
        if counts.is_empty() {
            return self.range;
        }
        // Bets that the mean is above m, or for the mirrored values below.
        let needed = ln(2.0 * self.excluded.len() as f64 / self.alpha);
        let is_above = |m: f64, distance: &dyn Fn(f64) -> f64| {
            let capital = BETS.map(|share| {
                let terms = counts.iter().map(|(bits, count)| {
                    // The largest bet that is allowed here is 1 / m.
                    let relative = distance(f64::from_bits(*bits)) / m;
                    *count as f64 * ln(1.0 - share + share * relative)
                });
                terms.sum::<f64>()
            });
            let top = capital.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = capital.iter().map(|x| exp(x - top)).sum();
            top + ln(sum / BETS.len() as f64) >= needed
        };
        let mean = self.mean(candidate);
        let below = boundary(0.0, mean - low, |m| is_above(m, &|x| x - low));
        let above = boundary(0.0, high - mean, |m| is_above(m, &|x| high - x));
        [low + below, high - above]
    }
}

/// Multiplies the capital of each bet on a variable by its result. What exceeds the largest number,
/// or falls below the smallest, is evidence given away.
fn bet(capital: &mut Capital, largest: f64, x: f64) {
    for (capital, share) in capital.iter_mut().zip(BETS) {
        *capital = (*capital * (1.0 + share * largest * x).max(0.0)).min(f64::MAX);
    }
}

/// The capital of bets that share it equally.
fn mean(capital: &Capital) -> f64 {
    capital.iter().map(|x| x / BETS.len() as f64).sum()
}
