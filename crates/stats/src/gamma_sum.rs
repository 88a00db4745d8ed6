//! Sums of independent variables with three known moments.
//!
//! Each variable is approximated by a scaled and shifted chi-square, which has any mean, any
//! variance and any positive skewness (Pearson's type III). The tail of their sum is
//! Barndorff-Nielsen's r* (Daniels 1987, "Tail probability approximations"), from the cumulant
//! generating function K of the sum:
//!
//! ```text
//! K'(t) = x,  r = sign(t) sqrt(2 (t x - K(t))),  u = t sqrt(K''(t)),  P(X >= x) = P(Z >= r + ln(u / r) / r)
//! ```
//!
//! A term with a wide scale keeps its own, slower tail among many with narrow ones; a single fit to
//! the moments of the sum would lose it. A single term has its exact tail.

use super::{boundary, chi_square_lower_log10, chi_square_upper_log10, normal_upper_log10};
use crate::elementary::{ln, ln_1p};

/// Within this many standard deviations of the mean, r* is its limit at the mean.
const NEAR_MEAN: f64 = 1e-3;

/// The mean, the variance and the third central moment of a variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// The mean.
    pub mean: f64,
    /// The variance, above 0.
    pub variance: f64,
    /// The third central moment, above 0.
    pub third: f64,
}

impl Moments {
    /// Returns the scale of the chi-square with these moments.
    fn scale(self) -> f64 {
        self.third / (4.0 * self.variance)
    }

    /// Returns its degrees of freedom.
    fn dof(self) -> f64 {
        self.variance / (2.0 * self.scale().powi(2))
    }
}

/// The sum of independent variables with these moments.
#[derive(Clone, Debug)]
pub struct GammaSum {
    terms: Vec<Moments>,
    mean: f64,
    variance: f64,
    third: f64,
}

impl GammaSum {
    /// Creates the sum of variables with these moments.
    ///
    /// # Panics
    ///
    /// If there are no variables, or a variance or third moment is not positive and finite.
    pub fn new(terms: Vec<Moments>) -> Self {
        let is_fit = |term: &Moments| {
            let positive = |value: f64| value > 0.0 && value.is_finite();
            positive(term.variance) && positive(term.third)
        };
        assert!(
            !terms.is_empty() && terms.iter().all(is_fit),
            "variances and third moments must be positive and finite"
        );
        let sum = |of: fn(&Moments) -> f64| terms.iter().map(of).sum();
        Self {
            mean: sum(|term| term.mean),
            variance: sum(|term| term.variance),
            third: sum(|term| term.third),
            terms,
        }
    }

    /// Returns the mean of the sum.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Returns the variance of the sum.
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// Returns the third central moment of the sum.
    pub fn third(&self) -> f64 {
        self.third
    }

    /// Returns the degrees of freedom of a single chi-square with the three moments of the sum: the
    /// number of independent squares that share its variance.
    pub fn dof(&self) -> f64 {
        let (mean, variance, third) = (self.mean, self.variance, self.third);
        Moments {
            mean,
            variance,
            third,
        }
        .dof()
    }

    /// log10 P(X >= x). For a sum of chi-squares, p is correct to within a fifth, down to 10^-300.
    ///
    /// # Panics
    ///
    /// If x is NaN.
    pub fn upper_log10(&self, x: f64) -> f64 {
        match self.terms[..] {
            [term] => chi_square_upper_log10(standard(term, x), term.dof()),
            _ => normal_upper_log10(self.r_star(x)),
        }
    }

    /// log10 P(X <= x), as [`GammaSum::upper_log10`]; minus infinity below the smallest value of
    /// the fits.
    ///
    /// # Panics
    ///
    /// If x is NaN.
    pub fn lower_log10(&self, x: f64) -> f64 {
        match self.terms[..] {
            [term] => chi_square_lower_log10(standard(term, x), term.dof()),
            _ => normal_upper_log10(-self.r_star(x)),
        }
    }

    /// Returns the normal quantile with the sum's tail beyond x.
    fn r_star(&self, x: f64) -> f64 {
        assert!(!x.is_nan(), "x must not be NaN");
        let off = x - self.mean;
        let deviation = self.variance.sqrt();
        if (off / deviation).abs() < NEAR_MEAN {
            // To first order in off; the second order is smaller than the error of the fits.
            return off / deviation + self.third / (6.0 * deviation.powi(3));
        }
        let scales = self.terms.iter().map(|term| term.scale());
        let widest = scales.fold(0.0, f64::max);
        // K' - mean increases from the smallest value at minus infinity to infinity at 1 / (2
        // widest).
        let least: f64 = self
            .terms
            .iter()
            .map(|term| term.scale() * term.dof())
            .sum();
        if off <= -least {
            return f64::NEG_INFINITY;
        }
        let slope = |t: f64| -> f64 {
            let of_term = |term: &Moments| term.variance * t / (1.0 - 2.0 * term.scale() * t);
            self.terms.iter().map(of_term).sum()
        };
        let t = if off > 0.0 {
            boundary(0.0, 0.5 / widest, |t| slope(t) < off)
        } else {
            let mut low = 0.5 / widest;
            while slope(-low) > off && low < f64::MAX / 4.0 {
                low *= 2.0;
            }
            -boundary(0.0, low, |t| slope(-t) > off)
        };
        let (mut cumulant, mut curvature) = (0.0, 0.0);
        for term in &self.terms {
            let s = 2.0 * term.scale() * t;
            cumulant += term.dof() / 2.0 * excess(s);
            curvature += term.variance / (1.0 - s).powi(2);
        }
        let r = t.signum() * (2.0 * (t * off - cumulant)).max(0.0).sqrt();
        let u = t * curvature.sqrt();
        r + ln(u / r) / r
    }
}

/// -ln(1 - s) - s for s < 1, to relative 1e-14.
fn excess(s: f64) -> f64 {
    if s.abs() > 0.05 {
        return -ln_1p(-s) - s;
    }
    // The sum of s^k / k from k = 2.
    let powers = (2..14).rev();
    s * s * powers.fold(0.0, |sum, k| sum * s + 1.0 / f64::from(k))
}

/// Converts a value to the scale of its term's chi-square.
fn standard(term: Moments, x: f64) -> f64 {
    ((x - term.mean) / term.scale() + term.dof()).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementary::powf;

    /// Moments of scale * chi-square with dof degrees of freedom.
    fn scaled(scale: f64, dof: f64) -> Moments {
        Moments {
            mean: scale * dof,
            variance: 2.0 * scale * scale * dof,
            third: 8.0 * scale.powi(3) * dof,
        }
    }

    #[test]
    fn one_term_is_its_chi_square() {
        let sum = GammaSum::new(vec![scaled(3.0, 7.0)]);
        let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} {b}");
        for x in [1.0, 20.0, 21.0, 60.0, 900.0] {
            near(sum.upper_log10(x), chi_square_upper_log10(x / 3.0, 7.0));
            near(sum.lower_log10(x), chi_square_lower_log10(x / 3.0, 7.0));
        }
        assert!((sum.dof() - 7.0).abs() < 1e-12);
    }

    #[test]
    fn terms_of_one_scale_are_one_chi_square() {
        for dof in [2.0, 10.0, 300.0, 1e7] {
            let halves = GammaSum::new(vec![scaled(0.5, dof / 2.0), scaled(0.5, dof / 2.0)]);
            for z in [-4.0, -1.0, 0.0, 0.5, 3.0, 8.0, 40.0] {
                let x = dof + z * (2.0 * dof).sqrt();
                if x <= 0.0 {
                    continue;
                }
                let near = |found: f64, exact: f64| {
                    let off = (found - exact).abs();
                    assert!(
                        off < 0.02 + 1e-3 * exact.abs(),
                        "{dof} {z}: {found} {exact}"
                    );
                };
                near(halves.upper_log10(x / 2.0), chi_square_upper_log10(x, dof));
                near(halves.lower_log10(x / 2.0), chi_square_lower_log10(x, dof));
            }
        }
    }

    #[test]
    fn a_wide_term_keeps_its_tail_among_many_narrow_ones() {
        // Far out, P(X >= x) is that of one wide square W beyond x - Y, averaged over the others Y:
        // E e^(Y/2) times P(W >= x - m) e^(-m/2), where m is the mean of Y after tilting by 1/2. A
        // single fit to the sum's moments is off by 10^6.
        let (narrow, many) = (0.05, 1_000.0);
        let sum = GammaSum::new(vec![scaled(1.0, 1.0), scaled(narrow, many)]);
        let m = many * narrow / (1.0 - narrow);
        let ln_tilted = -0.5 * many * ln(1.0f64 - narrow);
        for x in [150.0, 400.0, 2_000.0] {
            let others = (ln_tilted - m / 2.0) / std::f64::consts::LN_10;
            let exact = chi_square_upper_log10(x - m, 1.0) + others;
            let found = sum.upper_log10(x);
            assert!((found - exact).abs() < 0.08, "{x}: {found} {exact}");
        }
    }

    #[test]
    fn the_tails_leave_nothing_and_fall_steadily() {
        let terms = (0..40).map(|i| scaled(1.5f64.powi(-i), f64::from(1 + i * i)));
        let sum = GammaSum::new(terms.collect());
        let mut last = 0.0;
        for step in -30..200 {
            let x = sum.mean() + f64::from(step) * 0.05 * sum.variance().sqrt();
            let (upper, lower) = (sum.upper_log10(x), sum.lower_log10(x));
            let both = powf(10.0, upper) + powf(10.0, lower);
            assert!((both - 1.0).abs() < 1e-6, "{step}: {both}");
            assert!(upper <= last + 1e-6, "{step}: {upper} after {last}");
            last = upper;
        }
    }
}
