//! The central chi-square law: tails of the incomplete gamma function.
//!
//! With a = dof / 2 and y = x / 2: below the mean, the lower tail is summed by its power series.
//! Above it, the upper tail is summed by its recurrence downward in a, and at a <= 1 by Legendre's
//! continued fraction (Abramowitz and Stegun 6.5.29, 6.5.22 and 6.5.31). All terms are positive;
//! near the mean there are about 6 sqrt(dof) of them. The other tail is the complement.

use std::f64::consts::{LN_10, PI};

use super::gamma::{deviance, stirling_error};
use super::{NEGLIGIBLE, boundary, ln_complement};
use crate::elementary::ln;

/// The series is used up to here for any a, because the fraction converges slowly near 0.
const SERIES_TO: f64 = 1.5;

/// log10 P(X >= x) of a chi-square variable X with `dof` degrees of freedom.
///
/// Relative error below 1e-11 for x up to 1e12 and dof up to 1e7; 0 for x <= 0,
/// minus infinity for infinite x only. Costs about 4 ns times sqrt(dof).
///
/// # Panics
///
/// If x is NaN or `dof` is not positive and finite.
pub fn chi_square_upper_log10(x: f64, dof: f64) -> f64 {
    ln_upper(x, dof) / LN_10
}

/// log10 P(X <= x) of a chi-square variable X with `dof` degrees of freedom.
///
/// Accuracy, cost and panics as for [`chi_square_upper_log10`]; minus infinity
/// for x <= 0.
pub fn chi_square_lower_log10(x: f64, dof: f64) -> f64 {
    match tail(x, dof) {
        Tail::Lower(l) => l / LN_10,
        Tail::Upper(l) => ln_complement(l) / LN_10,
    }
}

/// The x with log10 P(X >= x) = `log10_p`, to relative 1e-12 or to the precision that the
/// probability allows.
///
/// 0 for `log10_p` = 0, infinite for minus infinity.
///
/// # Panics
///
/// If `log10_p` is NaN or above 0, or `dof` is not positive and finite.
pub fn chi_square_quantile_upper(log10_p: f64, dof: f64) -> f64 {
    assert!(log10_p <= 0.0, "log10_p must be at most 0: {log10_p}");
    if log10_p == 0.0 {
        return 0.0;
    }
    if log10_p == f64::NEG_INFINITY {
        return f64::INFINITY;
    }
    let reached = |x: f64| chi_square_upper_log10(x, dof) >= log10_p;
    let (mut low, mut high) = (dof, dof);
    while low > 0.0 && !reached(low) {
        high = low;
        low /= 2.0;
    }
    while reached(high) {
        low = high;
        high *= 2.0;
    }
    boundary(low, high, reached)
}

/// ln P(X >= x).
pub(super) fn ln_upper(x: f64, dof: f64) -> f64 {
    match tail(x, dof) {
        Tail::Lower(l) => ln_complement(l),
        Tail::Upper(l) => l,
    }
}

/// ln of the tail that is computed directly.
enum Tail {
    Lower(f64),
    Upper(f64),
}

fn tail(x: f64, dof: f64) -> Tail {
    assert!(!x.is_nan(), "x must not be NaN");
    assert!(
        dof > 0.0 && dof.is_finite(),
        "dof must be positive and finite: {dof}"
    );
    let (a, y) = (dof / 2.0, x / 2.0);
    if y <= 0.0 {
        Tail::Lower(f64::NEG_INFINITY)
    } else if y == f64::INFINITY {
        Tail::Upper(f64::NEG_INFINITY)
    } else if y < a || y < SERIES_TO {
        Tail::Lower((ln_density(a, y) + ln(lower_series(a, y))).min(0.0))
    } else {
        Tail::Upper((ln_density(a, y) + ln(a / y) + ln(upper_sum(a, y))).min(0.0))
    }
}

/// ln of y^a e^-y / gamma(a + 1).
pub(super) fn ln_density(a: f64, y: f64) -> f64 {
    -deviance(a, y, a - y) - stirling_error(a) - 0.5 * ln(2.0 * PI * a)
}

/// P(a, y) over the density: the sum of y^n / ((a + 1) .. (a + n)).
pub(super) fn lower_series(a: f64, y: f64) -> f64 {
    let (mut sum, mut term, mut n) = (1.0, 1.0, a);
    while term > sum * NEGLIGIBLE {
        n += 1.0;
        term *= y / n;
        sum += term;
    }
    sum
}

/// Q(a, y) over the density times a / y: the sum of (a - 1) .. (a - n) / y^n, and the remainder
/// when a - n is at most 1.
fn upper_sum(mut a: f64, y: f64) -> f64 {
    let (mut sum, mut term) = (0.0, 1.0);
    while a > 1.0 {
        sum += term;
        a -= 1.0;
        term *= a / y;
        if term <= sum * NEGLIGIBLE {
            return sum;
        }
    }
    sum + term * y * fraction(a, y)
}

/// 1/(y+1-a- 1(1-a)/(y+3-a- 2(2-a)/(y+5-a- ...))) for 0 < a <= 1, by Lentz's method.
fn fraction(a: f64, y: f64) -> f64 {
    let mut b = y + 1.0 - a;
    let (mut c, mut d) = (f64::INFINITY, b.recip());
    let mut value = d;
    for i in 1..10_000 {
        let i = f64::from(i);
        let numerator = -i * (i - a);
        b += 2.0;
        d = (numerator * d + b).recip();
        c = b + numerator / c;
        let factor = c * d;
        value *= factor;
        if (factor - 1.0).abs() < 1e-16 {
            break;
        }
    }
    value
}
