//! Tails of a sum of n independent variables of one law on 0, 1, .. m.
//!
//! The law is **tilted**: with K(t) = ln E e^(tX), q(x) = p(x) e^(tx - K(t)) is a law too. t is
//! chosen so that the mean of its sum is the observed s. Then
//!
//! P(S >= s) = e^(n K(t) - t s) sum over j >= 0 of e^(-t j) Q(S = s + j),
//!
//! where the first factor contains all of the smallness and the sum is of the order of 1. By
//! Fourier inversion the sum is the integral over -pi < u <= pi of
//! phi(u)^n e^(-ius) / (1 - e^(-(t + iu))) / 2 pi, where phi is the characteristic function of q.
//! This is the Lugannani-Rice integral of a lattice variable, before any approximation (Daniels
//! 1987, "Tail probability approximations"). The trapezoid rule with M nodes gives it except for
//! terms that are M, 2 M .. places off, which [`aliases`] bounds; it converges geometrically.
//!
//! For up to [`CONVOLVED`] variables the sum is computed by convolution instead, because laws with
//! gaps are not smooth yet. All terms of the convolution are positive.

use std::f64::consts::{LN_10, PI};

use super::ln_complement;
use crate::elementary::{self, atan2, exp, exp_m1, ln, sin_cos};

/// Maximum number of variables that are convolved.
const CONVOLVED: u64 = 16;

/// Aliases below e^-42 are negligible.
const NOTHING: f64 = 42.0;

/// Masses of the tilted law below this are dropped.
const SMALLEST: f64 = 1e-22;

/// Minimum tilt in standard deviations of the sum: the integral has a pole at 0.
const LEAST_TILT: f64 = 2.0;

/// Below this value of the integral, rounding leaves too few digits.
const CANCELLED: f64 = 1e-8;

/// The law of a variable on 0, 1, .. m, and the tails of its sums.
#[derive(Clone, Debug)]
pub struct Lattice {
    /// The smallest possible value.
    least: u64,
    /// Probabilities from the smallest to the largest possible value.
    upward: Vec<f64>,
    /// Probabilities from the largest to the smallest.
    downward: Vec<f64>,
}

impl Lattice {
    /// Creates the law with these probabilities of 0, 1, 2 ..
    ///
    /// # Panics
    ///
    /// If one is negative, or they do not sum to 1 up to rounding.
    pub fn new(probabilities: &[f64]) -> Self {
        assert!(
            probabilities.iter().all(|p| *p >= 0.0),
            "probabilities must not be negative"
        );
        let sum: f64 = probabilities.iter().sum();
        assert!(
            (sum - 1.0).abs() < 1e-9,
            "probabilities must sum to 1: {sum}"
        );
        let possible = |p: &f64| *p > 0.0;
        let least = probabilities.iter().position(possible).unwrap_or(0);
        let end = probabilities
            .iter()
            .rposition(possible)
            .map_or(0, |i| i + 1);
        let upward = probabilities[least..end].to_vec();
        Self {
            least: least as u64,
            downward: upward.iter().rev().copied().collect(),
            upward,
        }
    }

    /// log10 P(S >= `sum`) of the sum S of `n` such variables.
    ///
    /// Relative error below 1e-9 up to n of 16,384. Takes a few milliseconds there, and less than
    /// one for n of hundreds. If the sum is in a gap of the law with almost no mass beyond, the
    /// result is Chernoff's bound, which is at least the tail.
    pub fn upper_log10(&self, n: u64, sum: u64) -> f64 {
        match sum.checked_sub(n * self.least) {
            None | Some(0) => 0.0,
            Some(above) => ln_upper(&self.upward, &self.downward, n, above) / LN_10,
        }
    }

    /// log10 P(S <= `sum`) of the sum S of `n` such variables.
    ///
    /// Accuracy and cost as for [`Lattice::upper_log10`].
    pub fn lower_log10(&self, n: u64, sum: u64) -> f64 {
        let largest = n * (self.least + self.upward.len() as u64 - 1);
        if sum < n * self.least {
            return f64::NEG_INFINITY;
        }
        match largest.checked_sub(sum) {
            None | Some(0) => 0.0,
            Some(below) => ln_upper(&self.downward, &self.upward, n, below) / LN_10,
        }
    }
}

/// ln P(S >= s) for s >= 1, given a law and its mirror image.
fn ln_upper(law: &[f64], reversed: &[f64], n: u64, s: u64) -> f64 {
    let largest = n * (law.len() as u64 - 1);
    if s > largest {
        return f64::NEG_INFINITY;
    }
    if s as f64 > n as f64 * Tilted::new(law, 0.0).mean {
        ln_tail(law, n, s)
    } else {
        ln_complement(ln_tail(reversed, n, largest - s + 1))
    }
}

/// ln P(S >= s) for s above the mean.
fn ln_tail(law: &[f64], n: u64, s: u64) -> f64 {
    let highest = law.len() - 1;
    if s == n * highest as u64 {
        return n as f64 * ln(law[highest]);
    }
    let count = n as f64;
    let tilt = tilt_to(law, s as f64 / count);
    let (tilt, sum) = if n <= CONVOLVED {
        (tilt, convolved(&Tilted::new(law, tilt), tilt, n, s))
    } else {
        let deviation = (count * Tilted::new(law, 0.0).variance).sqrt();
        let tilt = tilt.max(LEAST_TILT / deviation);
        let nodes = nodes(law, tilt, n, s);
        (
            tilt,
            trapezoid(&Tilted::new(law, tilt), tilt, (n, s), nodes),
        )
    };
    let chernoff = count * Tilted::new(law, tilt).cumulant - tilt * s as f64;
    let least = if n <= CONVOLVED { 0.0 } else { CANCELLED };
    if sum > least {
        (chernoff + ln(sum)).min(0.0)
    } else {
        chernoff.min(0.0)
    }
}

/// A law after tilting.
struct Tilted {
    /// p(x) e^(tx - K(t)).
    masses: Vec<f64>,
    /// K(t).
    cumulant: f64,
    mean: f64,
    variance: f64,
}

impl Tilted {
    fn new(law: &[f64], tilt: f64) -> Self {
        let exponents = || {
            let each = (0..).map(f64::from).zip(law);
            each.map(|(x, p)| tilt * x + ln(*p))
        };
        let top = exponents().fold(f64::NEG_INFINITY, f64::max);
        let mut masses: Vec<f64> = exponents().map(|exponent| exp(exponent - top)).collect();
        let sum: f64 = masses.iter().sum();
        for mass in &mut masses {
            *mass /= sum;
        }
        let values = || (0..).map(f64::from).zip(&masses);
        let mean: f64 = values().map(|(x, q)| x * q).sum();
        let variance = values().map(|(x, q)| (x - mean).powi(2) * q).sum();
        Self {
            cumulant: top + ln(sum),
            mean,
            variance,
            masses,
        }
    }
}

/// Returns the tilt at which the law has this mean, which is above its own and below its largest
/// value. The tilt is approximate; the result is exact for any tilt.
fn tilt_to(law: &[f64], mean: f64) -> f64 {
    let reached = |tilt: f64| Tilted::new(law, tilt).mean >= mean;
    let (mut low, mut high) = (0.0, 1e-3);
    while !reached(high) && high < 1e3 {
        low = high;
        high *= 2.0;
    }
    for _ in 0..30 {
        let middle = f64::midpoint(low, high);
        if reached(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// The sum over j >= 0 of e^(-t j) Q(S = s + j), by convolution.
fn convolved(tilted: &Tilted, tilt: f64, n: u64, s: u64) -> f64 {
    let law = &tilted.masses;
    let mut sums = vec![1.0];
    for _ in 0..n {
        let mut next = vec![0.0; sums.len() + law.len() - 1];
        for (x, q) in law.iter().enumerate().filter(|(_, q)| **q > 0.0) {
            for (sum, before) in next[x..].iter_mut().zip(&sums) {
                *sum += q * before;
            }
        }
        sums = next;
    }
    let beyond = sums.iter().skip(s as usize);
    let terms = (0..).map(f64::from).zip(beyond);
    terms.map(|(j, q)| exp(-tilt * j) * q).sum()
}

/// Returns an odd number of nodes for which the aliases of the trapezoid rule are negligible.
fn nodes(law: &[f64], tilt: f64, n: u64, s: u64) -> u64 {
    let mut nodes = (NOTHING / tilt).ceil() as u64 | 1;
    while aliases(law, tilt, (n, s), nodes as f64) {
        nodes += (nodes / 4 + 1) & !1;
    }
    nodes
}

/// Returns whether M nodes may leave more than e^-42 of terms that do not belong to the sum.
///
/// With M nodes, the rule gives the sum over all j >= 0 and all integers l of e^(-tj) Q(S = s + j +
/// lM). Terms with l > 0 sum to at most Q(S >= s + M) over 1 - e^(-tM), for which Chernoff's bound
/// is used. Terms with l < 0 belong to values s + d. For d >= 0 they are the sum's own terms times
/// e^(-tM). Below s, e^(-t(M + d)) Q(S = s + d) sums to at most e^(-tM) e^(ts - nK(t)), and also,
/// split at d = -M/2, to at most e^(-tM/2) + Q(S <= s - M/2).
fn aliases(law: &[f64], tilt: f64, (n, s): (u64, u64), nodes: f64) -> bool {
    let (count, s) = (n as f64, s as f64);
    let tilted = Tilted::new(law, tilt);
    let spread = count * tilted.variance;
    // ln of Chernoff's bound of Q(S beyond x): any step is valid; a good one is near that of the
    // normal law.
    let beyond = |x: f64| {
        let steps = [1.0, 0.5, 0.25].map(|part| part * (x - count * tilted.mean) / spread);
        let bounds = steps.map(|step| {
            let cumulant = Tilted::new(law, tilt + step).cumulant - tilted.cumulant;
            count * cumulant - step * x
        });
        bounds.into_iter().fold(f64::INFINITY, f64::min)
    };
    let largest = count * (law.len() - 1) as f64;
    let above = s + nodes > largest || beyond(s + nodes) <= -NOTHING;
    let below = tilt * nodes + count * tilted.cumulant - tilt * s >= NOTHING
        || tilt * nodes / 2.0 >= NOTHING
            && (s < nodes / 2.0 || beyond(s - nodes / 2.0) <= -NOTHING);
    !(above && below)
}

/// The sum over j >= 0 of e^(-t j) Q(S = s + j), by the trapezoid rule.
///
/// Multiples of the angle 2 pi / M are indexed by integers, and values are counted from s / n, so
/// that no phase is large.
fn trapezoid(tilted: &Tilted, tilt: f64, (n, s): (u64, u64), nodes: u64) -> f64 {
    let turn = |k: u64| sin_cos(2.0 * PI * k as f64 / nodes as f64);
    let turns: Vec<(f64, f64)> = (0..nodes).map(turn).collect();
    let masses: Vec<(u64, f64)> = (0..)
        .zip(tilted.masses.iter().copied())
        .filter(|(_, q)| *q > SMALLEST)
        .collect();
    let (centre, rest) = (s / n, s % n);
    let back = nodes - centre % nodes;
    let count = n as f64;
    let node = |k: u64| -> f64 {
        let (mut re, mut im) = (0.0, 0.0);
        for &(x, q) in &masses {
            let place = (x + back) % nodes * k % nodes;
            let (sin, cos) = turns[place as usize];
            re += q * cos;
            im += q * sin;
        }
        let size = exp(0.5 * count * ln(re * re + im * im));
        if size < SMALLEST {
            return 0.0;
        }
        let (sin, cos) = turns[(rest * k % nodes) as usize];
        let (phi_sin, phi_cos) = sin_cos(count * atan2(im, re));
        let (re, im) = (
            size * (phi_cos * cos + phi_sin * sin),
            size * (phi_sin * cos - phi_cos * sin),
        );
        // 1 - e^(-(t + iu)), without cancellation in its real part.
        let (sin, _) = turns[k as usize];
        let half = elementary::sin(PI * k as f64 / nodes as f64);
        let pole = (
            2.0 * exp(-tilt) * half * half - exp_m1(-tilt),
            exp(-tilt) * sin,
        );
        (re * pole.0 + im * pole.1) / (pole.0 * pole.0 + pole.1 * pole.1)
    };
    // Nodes above the middle are conjugates of those below.
    let others: f64 = (1..=nodes / 2).map(node).sum();
    (node(0) + 2.0 * others) / nodes as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementary::{ln_1p, log10, powf};
    use num_bigint::BigUint;

    /// Returns the ways of sums of n variables whose values have these ways.
    fn exact(ways: &[u32], n: u64) -> Vec<BigUint> {
        let mut sums = vec![BigUint::from(1u32)];
        for _ in 0..n {
            let mut next = vec![BigUint::ZERO; sums.len() + ways.len() - 1];
            for (x, way) in ways.iter().enumerate() {
                for (sum, before) in next[x..].iter_mut().zip(&sums) {
                    *sum += before * *way;
                }
            }
            sums = next;
        }
        sums
    }

    /// log10 of ways divided by all.
    fn share(ways: &BigUint, all: &BigUint) -> f64 {
        // Sixty digits after the point: more than a double has.
        let digits = |value: &BigUint| {
            let text = value.to_string();
            let head: f64 = text[..text.len().min(17)].parse().expect("digits");
            log10(head) + text.len().saturating_sub(17) as f64
        };
        if ways * BigUint::from(2u32) > *all {
            let rest = all - ways;
            if rest == BigUint::ZERO {
                return 0.0;
            }
            return ln_1p(-powf(10.0, digits(&rest) - digits(all))) / LN_10;
        }
        digits(ways) - digits(all)
    }

    fn near(found: f64, expected: f64, what: &str) {
        let off = (found - expected).abs();
        // The reference subtracts logarithms and loses 1e-13 of them.
        let allowed = 1e-9 * expected.abs() + 1e-15;
        assert!(
            found == expected || off <= allowed,
            "{what}: {found} instead of {expected}"
        );
    }

    fn law(ways: &[u32]) -> Lattice {
        let all: u32 = ways.iter().sum();
        let probabilities: Vec<f64> = ways
            .iter()
            .map(|w| f64::from(*w) / f64::from(all))
            .collect();
        Lattice::new(&probabilities)
    }

    /// Compares every tail of a sum with arbitrary-precision integers.
    fn agrees(ways: &[u32], n: u64) {
        let (law, sums) = (law(ways), exact(ways, n));
        let all: BigUint = sums.iter().sum();
        let mut below = BigUint::ZERO;
        for (s, ways) in (0..).zip(&sums) {
            let at_least = &all - &below;
            below += ways;
            let what = format!("{s} of {n}");
            if at_least == BigUint::ZERO {
                assert_eq!(law.upper_log10(n, s), f64::NEG_INFINITY, "{what}");
            } else {
                near(law.upper_log10(n, s), share(&at_least, &all), &what);
            }
            if below == BigUint::ZERO {
                assert_eq!(law.lower_log10(n, s), f64::NEG_INFINITY, "{what}");
            } else {
                near(law.lower_log10(n, s), share(&below, &all), &what);
            }
        }
    }

    #[test]
    fn every_tail_is_that_of_exact_integers() {
        for n in [1, 2, 3, 16, 17, 18, 40, 130] {
            agrees(&[1, 1], n);
            agrees(&[0, 5, 3, 2, 1], n);
            agrees(&[1, 7, 20, 45, 20, 6, 1], n);
            // All even, and skewed.
            agrees(&[30, 0, 10, 0, 1], n);
        }
    }

    #[test]
    fn one_variable_has_its_own_law() {
        let law = law(&[0, 0, 4, 0, 0, 1, 3]);
        for (s, upper, lower) in [
            (0, 8., 0.),
            (2, 8., 4.),
            (3, 4., 4.),
            (5, 4., 5.),
            (6, 3., 8.),
        ] {
            near(law.upper_log10(1, s), log10(upper / 8f64), "upper");
            near(law.lower_log10(1, s), log10(lower / 8f64), "lower");
        }
        assert_eq!(law.upper_log10(1, 7), f64::NEG_INFINITY);
        let certain = Lattice::new(&[0.0, 1.0]);
        assert_eq!(certain.upper_log10(20, 20), 0.0);
        assert_eq!(certain.upper_log10(20, 21), f64::NEG_INFINITY);
        assert_eq!(certain.lower_log10(20, 19), f64::NEG_INFINITY);
    }

    #[test]
    fn far_tails_of_many_are_those_of_exact_integers() {
        let (ways, n) = ([3, 9, 14, 9, 4, 1], 300);
        let (law, sums) = (law(&ways), exact(&ways, n));
        let all: BigUint = sums.iter().sum();
        for s in [
            0, 200, 450, 500, 602, 625, 650, 750, 1_000, 1_450, 1_499, 1_500,
        ] {
            let upper: BigUint = sums[s..].iter().sum();
            near(law.upper_log10(n, s as u64), share(&upper, &all), "upper");
        }
    }

    #[test]
    fn the_two_tails_leave_nothing() {
        let law = law(&[1, 7, 20, 45, 20, 6, 1]);
        for n in [100, 5_000, 16_384] {
            for s in [
                2 * n,
                3 * n - n / 50,
                3 * n - 1,
                3 * n,
                3 * n + 1,
                3 * n + n / 40,
            ] {
                let both =
                    powf(10.0, law.upper_log10(n, s)) + powf(10.0, law.lower_log10(n, s - 1));
                assert!((both - 1.0).abs() < 1e-10, "{n} {s}: {both}");
            }
        }
    }
}
