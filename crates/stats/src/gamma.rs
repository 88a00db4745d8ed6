//! The gamma function, and the errors of Stirling's formula.
//!
//! Masses of the gamma, Poisson and binomial laws are written in deviances and
//! Stirling errors, as in C. Loader, *Fast and accurate computation of binomial
//! probabilities* (2000): no large logarithms cancel.

use std::f64::consts::PI;

use crate::elementary::ln;

/// Stirling's error is computed by its series from here on.
const STIRLING_FROM: f64 = 16.0;

/// Unit deviances are computed by their series up to here.
const SERIES_TO: f64 = 0.25;

/// ln of the gamma function of x > 0.
///
/// Relative error about 1e-15 up to 1e300, including the neighbourhood of its zeros at 1 and 2.
///
/// # Panics
///
/// If x is not above 0.
pub fn ln_gamma(x: f64) -> f64 {
    assert!(x > 0.0, "x must be above 0: {x}");
    libm::lgamma(x)
}

/// ln gamma(x) - (x - 1/2) ln x + x - ln(2 pi) / 2, which is about 1 / (12 x).
///
/// Absolute error below 1e-14 times |ln x|, and 1e-17 from x = 16.
pub(super) fn stirling_error(x: f64) -> f64 {
    if x < STIRLING_FROM {
        return libm::lgamma(x) - (x - 0.5) * ln(x) + x - 0.5 * ln(2.0 * PI);
    }
    let inverse = x.recip();
    let square = inverse * inverse;
    let series = [
        -691.0 / 360_360.0,
        1.0 / 1188.0,
        -1.0 / 1680.0,
        1.0 / 1260.0,
        -1.0 / 360.0,
        1.0 / 12.0,
    ];
    inverse * horner(&series, square)
}

/// x - ln(1 + x) for |x| <= 1/4, to relative 1e-16.
///
/// With r = x / (2 + x), ln(1 + x) = 2 artanh r and x - 2 r = x r.
fn less_its_logarithm(x: f64) -> f64 {
    const ODD: [f64; 10] = [
        1.0 / 21.0,
        1.0 / 19.0,
        1.0 / 17.0,
        1.0 / 15.0,
        1.0 / 13.0,
        1.0 / 11.0,
        1.0 / 9.0,
        1.0 / 7.0,
        1.0 / 5.0,
        1.0 / 3.0,
    ];
    let r = x / (2.0 + x);
    let square = r * r;
    let terms: &[f64] = if square < 1e-4 { &ODD[6..] } else { &ODD };
    r * (x - 2.0 * square * horner(terms, square))
}

/// (1 + x) ln(1 + x) - x for x >= -1, to relative 2e-15.
pub(super) fn unit_deviance(x: f64) -> f64 {
    if x.abs() <= SERIES_TO {
        let less = less_its_logarithm(x);
        x * (x - less) - less
    } else if x > -1.0 {
        (1.0 + x) * ln(1.0 + x) - x
    } else {
        1.0
    }
}

/// x ln(x / mean) + mean - x, given x - `mean` as precisely as it is known; x >= 0 and mean >= 0,
/// not both 0.
pub(super) fn deviance(x: f64, mean: f64, difference: f64) -> f64 {
    if difference.abs() <= SERIES_TO * mean {
        return mean * unit_deviance(difference / mean);
    }
    if x == 0.0 {
        return mean;
    }
    let ratio = x / mean;
    let logarithm = if ratio.is_finite() && ratio > 0.0 {
        ln(ratio)
    } else {
        ln(x) - ln(mean)
    };
    x * logarithm - difference
}

/// The polynomial with these coefficients, highest power first.
fn horner(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, c| sum * x + c)
}
