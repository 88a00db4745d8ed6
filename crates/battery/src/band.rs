//! The band of standard deviations that contains all counts of a table under fair dealing.

use crate::stats::elementary::{log10, powf};
use crate::stats::{PoissonTail, normal_quantile_upper, poisson_upper_log10};

/// Probability that any count of fair deals leaves the band.
const ALPHA: f64 = 0.001;
/// Number of points of each edge.
const POINTS: usize = 96;
/// Expected count above which the law of a count is practically normal.
const MANY: f64 = 1e6;

/// A band of z by expected count. All counts of fair deals stay inside in at least 999 of 1,000
/// runs, whatever their dependence (Bonferroni). It applies to outcomes with a probability of 1/2
/// or less; for others, count the complements. The upper edge uses the Poisson law, which has the
/// longer upper tail; the lower edge uses the normal law, which has the longer lower tail.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// log10 of the probability of each tail of each count.
    tail_log10: f64,
    /// The z of that tail in the normal law.
    normal_edge: f64,
    /// Expected counts and z along the lower edge.
    pub lower: Vec<(f64, f64)>,
    /// Expected counts and z along the upper edge.
    pub upper: Vec<(f64, f64)>,
}

/// Returns the band for a number of counts with expectations from `least` to `most`; it is empty if
/// no expectation is above zero.
pub fn band(counts: usize, least: f64, most: f64) -> Band {
    let tail_log10 = log10(ALPHA / (2.0 * counts.max(1) as f64));
    let mut band = Band {
        tail_log10,
        normal_edge: normal_quantile_upper(tail_log10),
        lower: Vec::new(),
        upper: Vec::new(),
    };
    if !(least > 0.0 && most >= least && most.is_finite()) {
        return band;
    }
    let (first, last) = (log10(least), log10(most));
    for point in 0..POINTS {
        let share = point as f64 / (POINTS - 1) as f64;
        let expected = powf(10.0, first + share * (last - first));
        let (low, high) = band.edges(expected);
        band.lower.push((expected, low));
        band.upper.push((expected, high));
    }
    band
}

impl Band {
    /// Returns whether a count lies outside.
    ///
    /// Computes only the tail at this count, which tells whether the count is above the upper edge
    /// without finding the edge.
    pub fn is_outside(&self, expected: f64, z: f64) -> bool {
        let edge = self.normal_edge;
        if z < -edge {
            return true;
        }
        if expected >= MANY || z <= 0.0 {
            return z > edge;
        }
        let count = expected + z * expected.sqrt();
        let (below, tail) = (count.floor(), |count: f64| {
            poisson_upper_log10(count as u64, expected)
        });
        let (here, next) = (tail(below), tail(below + 1.0));
        here + (count - below) * (next - here) < self.tail_log10
    }

    /// Returns the smallest and the largest z inside the band, for an expected count.
    pub fn edges(&self, expected: f64) -> (f64, f64) {
        let z = self.normal_edge;
        if expected >= MANY {
            return (-z, z);
        }
        let highest = (self.highest(expected, z) - expected) / expected.sqrt();
        (-z, highest)
    }

    /// Returns the count at which the upper tail becomes small enough, interpolated between whole
    /// counts. The search starts at the Cornish-Fisher expansion, whose error is a count or two.
    fn highest(&self, expected: f64, z: f64) -> f64 {
        let guess = expected + z * expected.sqrt() + (z * z - 1.0) / 6.0;
        let mut first = PoissonTail::new(guess.max(expected + 1.0) as u64, expected);
        while first.log10() > self.tail_log10 {
            first = first.next();
        }
        loop {
            let before = first.previous();
            if before.log10() > self.tail_log10 {
                let (here, next) = (before.log10(), first.log10());
                return between(before.count(), here, next, self.tail_log10);
            }
            first = before;
        }
    }
}

/// Returns the place of a value between a count and the next, by linear interpolation of `here` and
/// `next`.
fn between(count: u64, here: f64, next: f64, value: f64) -> f64 {
    count as f64 + (value - here) / (next - here)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::elementary::{exp, ln};
    use crate::stats::log10_sum;

    /// Computes log10 P(X >= k) term by term.
    fn upper(k: u64, lambda: f64) -> f64 {
        let term = |n: u64| {
            let ln_factorial: f64 = (1..=n).map(|i| ln(i as f64)).sum();
            (n as f64 * ln(lambda) - lambda - ln_factorial) / std::f64::consts::LN_10
        };
        log10_sum(&(k..k + 200).map(term).collect::<Vec<f64>>())
    }

    #[test]
    fn above_a_whole_count_is_outside_exactly_where_its_tail_is_small() {
        for expected in [0.003, 0.4, 3.0, 17.0, 60.0] {
            let band = band(500, expected, 2.0 * expected);
            let level = log10(ALPHA / 1_000.0);
            for count in (0..200).filter(|count| *count as f64 > expected) {
                let z = (count as f64 - expected) / expected.sqrt();
                let is_high = upper(count, expected) <= level;
                assert_eq!(
                    band.is_outside(expected, z),
                    is_high,
                    "{count} of {expected}"
                );
            }
        }
    }

    #[test]
    fn a_count_is_outside_where_it_is_beyond_the_edges() {
        for expected in [0.003, 0.4, 3.7, 60.0, 1_234.5, 98_765.4, 3e6] {
            let band = band(300, expected, 2.0 * expected);
            let (low, high) = band.edges(expected);
            for step in -400..=4_000 {
                let z = f64::from(step) / 40.0;
                let is_outside = z < low || z > high;
                assert_eq!(
                    band.is_outside(expected, z),
                    is_outside,
                    "{z} of {expected}"
                );
            }
        }
    }

    #[test]
    fn the_upper_edge_is_the_first_count_of_all_whose_tail_is_small() {
        for expected in [0.003, 0.4, 3.7, 60.0, 1_234.5] {
            let band = band(300, expected, 2.0 * expected);
            let is_small = |count: &u64| poisson_upper_log10(*count, expected) <= band.tail_log10;
            let first = (0..).find(is_small).expect("tails fall");
            let highest = band.highest(expected, band.normal_edge);
            assert!(
                highest > first as f64 - 1.0 && highest <= first as f64,
                "{highest} {first} of {expected}"
            );
        }
    }

    /// Computes P(X <= k) of a binomial variable term by term.
    fn binomial_lower(k: u64, n: u64, p: f64) -> f64 {
        let choose = |i: u64| -> f64 { (0..i).map(|j| ln((n - j) as f64 / (i - j) as f64)).sum() };
        let term = |i: u64| choose(i) + i as f64 * ln(p) + (n - i) as f64 * ln(1.0 - p);
        (0..=k).map(|i| exp(term(i))).sum()
    }

    #[test]
    fn below_and_above_counts_of_any_share_up_to_a_half_leave_the_band_as_rarely_as_it_says() {
        let level = ALPHA / 400.0;
        for (n, p) in [
            (40, 0.5),
            (200, 0.5),
            (1_000, 0.4),
            (1_000, 0.1),
            (3_000, 0.01),
        ] {
            let (mean, spread) = (n as f64 * p, (n as f64 * p * (1.0 - p)).sqrt());
            let band = band(200, mean, 2.0 * mean);
            let outside = |k: &u64| band.is_outside(mean, (*k as f64 - mean) / spread);
            let low = (0..n).take_while(outside).last();
            let low = low.map_or(0.0, |k| binomial_lower(k, n, p));
            let high = (0..=n).rev().take_while(outside).last();
            let high = high.map_or(0.0, |k| binomial_lower(n - k, n, 1.0 - p));
            assert!(
                low <= level && high <= level,
                "{n} {p}: {low} {high} {level}"
            );
        }
    }

    #[test]
    fn of_many_counts_the_band_is_the_normal_law_s() {
        let band = band(100, 1e5, 1e9);
        let z = normal_quantile_upper(log10(0.001f64 / 200.0));
        let (expected, first) = band.upper[0];
        assert!((first - z).abs() < 0.02, "{expected}: {first} {z}");
        assert_eq!(band.upper[POINTS - 1].1, z);
        assert_eq!(band.lower[POINTS - 1].1, -z);
    }

    #[test]
    fn nothing_expected_has_no_band() {
        for (least, most) in [(0.0, 1.0), (f64::INFINITY, 0.0), (f64::NAN, 1.0)] {
            assert!(band(3, least, most).upper.is_empty());
        }
    }
}
