//! Poisson and binomial tails, summed outward from the observed count.
//!
//! Masses are Loader's saddle-point expansions (see `gamma`). Neighbouring masses follow by ratios,
//! and positive terms are added until they are negligible. Near the mean of a law with a standard
//! deviation of thousands, that takes too many terms. There the sum is replaced by the integral
//! from half a unit before the count, by Gauss-Legendre, plus the first correction of the midpoint
//! Euler-Maclaurin formula; the next correction is below 1e-13.

use std::f64::consts::{LN_10, PI};

use super::gamma::{deviance, stirling_error};
use super::{NEGLIGIBLE, ln_complement};
use crate::elementary::{exp, hypot, ln, ln_1p, log10};

/// Sums of more terms than this are integrated instead.
const MOST_TERMS: f64 = 20_000.0;

/// Sums and integrals end where the mass has decreased by a factor of e to this power.
const FALL: f64 = 42.0;

/// log10 P(X >= k) of a Poisson variable X with mean `lambda`.
///
/// Relative error below 1e-11; 0 for k = 0, minus infinity only if `lambda` = 0 < k.
/// At most about 50 microseconds.
///
/// # Panics
///
/// If `lambda` is negative, infinite or NaN.
pub fn poisson_upper_log10(k: u64, lambda: f64) -> f64 {
    ln_upper(&Poisson::new(lambda), k as f64) / LN_10
}

/// log10 P(X <= k) of a Poisson variable X with mean `lambda`.
///
/// Accuracy, cost and panics as for [`poisson_upper_log10`].
pub fn poisson_lower_log10(k: u64, lambda: f64) -> f64 {
    ln_lower(&Poisson::new(lambda), k as f64) / LN_10
}

/// P(X >= k) of a Poisson variable X, from which those of neighbouring counts follow without another
/// sum. Each step loses about as much accuracy as the tail changes.
#[derive(Clone, Copy, Debug)]
pub struct PoissonTail {
    lambda: f64,
    count: u64,
    ln_mass: f64,
    /// The tail divided by the mass at the count.
    sum: f64,
}

impl PoissonTail {
    /// The tail from a count on.
    ///
    /// # Panics
    ///
    /// If the count is not above `lambda`, or `lambda` is not above 0.
    pub fn new(count: u64, lambda: f64) -> Self {
        let (law, k) = (Poisson::new(lambda), count as f64);
        assert!(k > lambda && lambda > 0.0, "{count} must exceed {lambda}");
        Self {
            lambda,
            count,
            ln_mass: law.ln_mass(k, law.difference(k)),
            sum: tail_over_mass(&law, k, 1.0),
        }
    }

    /// Returns k.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns log10 P(X >= k).
    pub fn log10(&self) -> f64 {
        (self.ln_mass + ln(self.sum)).min(0.0) / LN_10
    }

    /// Returns the tail from the next count on.
    #[must_use]
    pub fn next(self) -> Self {
        let up = Poisson::new(self.lambda).up(self.count as f64);
        Self {
            count: self.count + 1,
            ln_mass: self.ln_mass + ln(up),
            sum: (self.sum - 1.0) / up,
            ..self
        }
    }

    /// Returns the tail from the previous count on; that of 0 is 1, and none is before it.
    #[must_use]
    pub fn previous(self) -> Self {
        if self.count == 0 {
            return self;
        }
        let down = Poisson::new(self.lambda).down(self.count as f64);
        Self {
            count: self.count - 1,
            ln_mass: self.ln_mass + ln(down),
            sum: 1.0 + self.sum / down,
            ..self
        }
    }
}

/// log10 P(X >= k) of a binomial variable X: `n` trials with probability `p`.
///
/// Relative error below 1e-11 for n up to 1e12 (the mean has more than 53 bits of precision); minus
/// infinity for k > n, and for p = 0 < k. At most about 50 microseconds.
///
/// # Panics
///
/// If p is not in [0, 1].
pub fn binomial_upper_log10(k: u64, n: u64, p: f64) -> f64 {
    if k > n {
        return f64::NEG_INFINITY;
    }
    ln_upper(&Binomial::new(n, p), k as f64) / LN_10
}

/// log10 P(X <= k) of a binomial variable X: `n` trials with probability `p`.
///
/// Accuracy, cost and panics as for [`binomial_upper_log10`].
pub fn binomial_lower_log10(k: u64, n: u64, p: f64) -> f64 {
    if k >= n {
        return 0.0;
    }
    ln_lower(&Binomial::new(n, p), k as f64) / LN_10
}

/// Clopper-Pearson bounds on a probability, given `k` successes in `n` trials. They hold with at
/// least this confidence, which is below 1.
///
/// # Panics
///
/// If `k` exceeds `n`, or `n` is 0.
pub fn binomial_interval(k: u64, n: u64, confidence: f64) -> (f64, f64) {
    assert!(
        k <= n && n > 0,
        "k must be at most n, and n above 0: k = {k}, n = {n}"
    );
    let tail = log10((1.0 - confidence) / 2.0);
    // The largest p for which a tail that increases with p is below the limit.
    let largest = |is_below: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (ln(LEAST_PROBABILITY), 0.0);
        for _ in 0..BISECTIONS {
            let middle = f64::midpoint(low, high);
            match is_below(exp(middle)) {
                true => low = middle,
                false => high = middle,
            }
        }
        exp(f64::midpoint(low, high))
    };
    let low = match k {
        0 => 0.0,
        _ => largest(&|p| binomial_upper_log10(k, n, p) < tail),
    };
    let high = match n - k {
        0 => 1.0,
        _ => largest(&|p| binomial_lower_log10(k, n, p) > tail),
    };
    (low, high)
}

/// The smallest probability in the search for bounds, and the number of bisections of its
/// logarithm: 12 digits.
const LEAST_PROBABILITY: f64 = 1e-22;
const BISECTIONS: u32 = 48;

/// A law of counts whose mass is also defined between integers.
trait CountLaw {
    fn mean(&self) -> f64;
    fn variance(&self) -> f64;
    /// The largest count.
    fn most(&self) -> f64;
    /// k - mean.
    fn difference(&self, k: f64) -> f64;
    /// ln of the mass at k, given k - mean.
    fn ln_mass(&self, k: f64, difference: f64) -> f64;
    /// Mass at k + 1 over mass at k.
    fn up(&self, k: f64) -> f64;
    /// Mass at k - 1 over mass at k.
    fn down(&self, k: f64) -> f64;
    /// Derivative of `ln_mass`, up to 1/k^2.
    fn slope(&self, k: f64) -> f64;
}

struct Poisson {
    lambda: f64,
}

impl Poisson {
    fn new(lambda: f64) -> Self {
        assert!(
            lambda >= 0.0 && lambda.is_finite(),
            "lambda must be finite and at least 0: {lambda}"
        );
        Self { lambda }
    }
}

impl CountLaw for Poisson {
    fn mean(&self) -> f64 {
        self.lambda
    }

    fn variance(&self) -> f64 {
        self.lambda
    }

    fn most(&self) -> f64 {
        f64::INFINITY
    }

    fn difference(&self, k: f64) -> f64 {
        k - self.lambda
    }

    fn ln_mass(&self, k: f64, difference: f64) -> f64 {
        if k == 0.0 {
            return -self.lambda;
        }
        -deviance(k, self.lambda, difference) - stirling_error(k) - 0.5 * ln(2.0 * PI * k)
    }

    fn up(&self, k: f64) -> f64 {
        self.lambda / (k + 1.0)
    }

    fn down(&self, k: f64) -> f64 {
        k / self.lambda
    }

    fn slope(&self, k: f64) -> f64 {
        ln(self.lambda / k) - 0.5 / k
    }
}

struct Binomial {
    n: f64,
    p: f64,
    q: f64,
    mean: f64,
    /// Correction of `mean` to exactly n p.
    mean_low: f64,
}

impl Binomial {
    fn new(n: u64, p: f64) -> Self {
        assert!((0.0..=1.0).contains(&p), "p must be in [0, 1]: {p}");
        let n = n as f64;
        let mean = n * p;
        Self {
            n,
            p,
            q: 1.0 - p,
            mean,
            mean_low: n.mul_add(p, -mean),
        }
    }
}

impl CountLaw for Binomial {
    fn mean(&self) -> f64 {
        self.mean
    }

    fn variance(&self) -> f64 {
        self.mean * self.q
    }

    fn most(&self) -> f64 {
        self.n
    }

    fn difference(&self, k: f64) -> f64 {
        (k - self.mean) - self.mean_low
    }

    fn ln_mass(&self, k: f64, difference: f64) -> f64 {
        binomial_ln_mass(k, self.n, self.p, self.q, difference)
    }

    fn up(&self, k: f64) -> f64 {
        (self.n - k) * self.p / ((k + 1.0) * self.q)
    }

    fn down(&self, k: f64) -> f64 {
        k * self.q / ((self.n - k + 1.0) * self.p)
    }

    fn slope(&self, k: f64) -> f64 {
        let rest = self.n - k;
        ln(rest * self.p / (k * self.q)) - 0.5 / k + 0.5 / rest
    }
}

/// ln of the binomial mass at `k` of `n`, with q = 1 - p and `difference` = k - n p.
pub(super) fn binomial_ln_mass(k: f64, n: f64, p: f64, q: f64, difference: f64) -> f64 {
    if k == 0.0 {
        return n * if p < 0.5 { ln_1p(-p) } else { ln(q) };
    }
    let rest = n - k;
    if rest == 0.0 {
        return n * if q < 0.5 { ln_1p(-q) } else { ln(p) };
    }
    stirling_error(n)
        - stirling_error(k)
        - stirling_error(rest)
        - deviance(k, n * p, difference)
        - deviance(rest, n * q, -difference)
        - 0.5 * ln(2.0 * PI * k * (rest / n))
}

/// ln P(X >= k). Above the mean it is summed directly; below, P(X < k) is at most 1/2.
fn ln_upper(law: &impl CountLaw, k: f64) -> f64 {
    if k == 0.0 {
        0.0
    } else if k > law.mean() {
        outward(law, k, 1.0)
    } else {
        ln_complement(outward(law, k - 1.0, -1.0))
    }
}

/// ln P(X <= k).
fn ln_lower(law: &impl CountLaw, k: f64) -> f64 {
    if k < law.mean() {
        outward(law, k, -1.0)
    } else {
        ln_complement(outward(law, k + 1.0, 1.0))
    }
}

/// ln of the mass from k on, away from the mean: upward for `sign` 1, downward for -1.
fn outward(law: &impl CountLaw, k: f64, sign: f64) -> f64 {
    let sum = tail_over_mass(law, k, sign);
    (law.ln_mass(k, law.difference(k)) + ln(sum)).min(0.0)
}

/// The same mass over the mass at k.
fn tail_over_mass(law: &impl CountLaw, k: f64, sign: f64) -> f64 {
    let deviation = law.variance().sqrt();
    let distance = law.difference(k).abs();
    // The t with t distance / variance + t^2 / (2 variance) = FALL.
    let z = distance / deviation;
    let reach = 2.0 * FALL * deviation / (z + hypot(z, (2.0 * FALL).sqrt()));
    if reach <= MOST_TERMS || deviation == 0.0 {
        summed(law, k, sign)
    } else {
        integrated(law, k, sign, reach)
    }
}

/// Mass from `k` on over mass at `k`, by ratios.
fn summed(law: &impl CountLaw, mut k: f64, sign: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    while term > sum * NEGLIGIBLE {
        term *= if sign > 0.0 { law.up(k) } else { law.down(k) };
        k += sign;
        sum += term;
    }
    sum
}

/// The same sum by integration, up to `reach` from `k`.
fn integrated(law: &impl CountLaw, k: f64, sign: f64, reach: f64) -> f64 {
    /// Half of the abscissas and weights of the eight-point rule on [-1, 1].
    const RULE: [(f64, f64); 4] = [
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_3),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
        (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
    ];
    const PANELS: u32 = 20;
    let start = law.difference(k);
    let at_k = law.ln_mass(k, start);
    let mass = |t: f64| exp(law.ln_mass(k + sign * t, start + sign * t) - at_k);
    let room = if sign > 0.0 { law.most() - k } else { k };
    let half = (reach * 1.02).min(room) / f64::from(2 * PANELS);
    let mut sum = 0.0;
    for panel in 0..PANELS {
        let centre = half * f64::from(2 * panel + 1) - 0.5;
        for (x, weight) in RULE {
            sum += weight * (mass(centre - half * x) + mass(centre + half * x));
        }
    }
    sum * half + sign * mass(-0.5) * law.slope(k - sign * 0.5) / 24.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementary::powf;

    #[test]
    fn bounds_on_a_share_are_those_of_clopper_and_pearson() {
        // For 0 or n successes, the bounds have a closed form.
        for n in [1, 10, 10_485_760] {
            let most = 1.0 - powf(0.0005, 1.0 / n as f64);
            let (low, high) = binomial_interval(0, n, 0.999);
            assert_eq!(low, 0.0);
            assert!((high / most - 1.0).abs() < 1e-9, "{n}: {high} {most}");
            let (low, high) = binomial_interval(n, n, 0.999);
            assert_eq!(high, 1.0);
            assert!((low - (1.0 - most)).abs() < 1e-9, "{n}: {low}");
        }
        // 5 of 10 at 95 %: a tabulated value.
        let (low, high) = binomial_interval(5, 10, 0.95);
        assert!(
            (low - 0.187_086).abs() < 1e-6 && (high - 0.812_914).abs() < 1e-6,
            "{low} {high}"
        );
    }

    #[test]
    fn tails_of_neighbouring_counts_follow_from_each_other() {
        for lambda in [0.003f64, 0.4, 3.7, 60.0, 98_765.4, 3e6] {
            let first = (lambda + 4.0 * lambda.sqrt() + 1.0) as u64;
            let (mut up, mut down) = (
                PoissonTail::new(first, lambda),
                PoissonTail::new(first, lambda),
            );
            for _ in 0..3 {
                (up, down) = (up.next(), down.previous());
                for tail in [up, down] {
                    let direct = poisson_upper_log10(tail.count(), lambda);
                    assert!((tail.log10() - direct).abs() < 1e-6, "{lambda}: {tail:?}");
                }
            }
        }
    }

    #[test]
    fn integrals_are_sums() {
        for (n, p) in [
            (30_000_000, 0.5),
            (1_000_000_000_000, 0.1),
            (400_000_000_000, 4.0 / 17.0),
        ] {
            let law = Binomial::new(n, p);
            for z in [-3.0, -0.5, 0.0, 0.001, 1.0, 4.0, 30.0] {
                let k = (law.mean() + z * law.variance().sqrt()).round();
                let sign = if z > 0.0 { 1.0 } else { -1.0 };
                let sum = ln(summed(&law, k, sign)) + law.ln_mass(k, law.difference(k));
                assert!(
                    (outward(&law, k, sign) / sum - 1.0).abs() < 5e-11,
                    "{n} {p} {z}"
                );
            }
        }
    }
}
