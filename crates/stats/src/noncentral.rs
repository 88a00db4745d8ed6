//! The noncentral chi-square law: a Poisson mixture of central ones.
//!
//! P(chi'^2_k(lambda) <= q) = sum_j e^-(lambda/2) (lambda/2)^j / j! P(chi^2_(k+2j) <= q). The sum
//! begins above the mode of the Poisson law, where its mass is negligible, and goes down. In this
//! direction both the mass and the central law follow by recurrences without subtraction.

use std::f64::consts::PI;

use super::NEGLIGIBLE;
use super::chi_square::{ln_density, lower_series};
use super::gamma::{deviance, stirling_error};
use crate::elementary::{exp, ln};

/// Central probabilities are kept below this by changing their unit.
const LARGE: f64 = 1e200;

/// P(X <= q) of a noncentral chi-square variable X with `dof` degrees of freedom
/// and noncentrality `lambda`.
///
/// Relative error below 1e-11 down to 1e-300. Costs about 10 ns times
/// sqrt(lambda) + sqrt(dof).
///
/// # Panics
///
/// If `dof` is not positive, `lambda` is negative, or one of the three is not finite.
pub fn noncentral_lower(q: f64, dof: f64, lambda: f64) -> f64 {
    assert!(
        dof > 0.0 && dof.is_finite(),
        "dof must be positive and finite: {dof}"
    );
    assert!(
        lambda >= 0.0 && lambda.is_finite(),
        "lambda must be finite and at least 0: {lambda}"
    );
    assert!(q.is_finite(), "q must be finite: {q}");
    if q <= 0.0 {
        return 0.0;
    }
    let (y, mean) = (q / 2.0, lambda / 2.0);
    let mut j = mean.floor();
    let mut weight = if j == 0.0 {
        exp(-mean)
    } else {
        exp(-deviance(j, mean, j - mean) - stirling_error(j)) / (2.0 * PI * j).sqrt()
    };
    let enough = weight * NEGLIGIBLE;
    loop {
        let next = weight * mean / (j + 1.0);
        if next <= enough {
            break;
        }
        (j, weight) = (j + 1.0, next);
    }
    // density and central are in units of e^ln_unit, which rarely changes.
    let mut a = dof / 2.0 + j;
    let mut ln_unit = ln_density(a, y);
    let (mut density, mut central) = (1.0, lower_series(a, y));
    let mut sum = 0.0;
    let mut one = exp(-ln_unit);
    loop {
        sum += weight * central;
        if j == 0.0 || weight * one < sum * NEGLIGIBLE {
            break;
        }
        weight *= j / mean;
        j -= 1.0;
        density *= a / y;
        a -= 1.0;
        central += density;
        if central > LARGE {
            density /= LARGE;
            central /= LARGE;
            sum /= LARGE;
            ln_unit += ln(LARGE);
            one = exp(-ln_unit);
        }
    }
    exp(ln_unit + ln(sum)).min(1.0)
}

/// The noncentrality lambda with P(X <= q) = `probability`: an upper confidence bound of level 1 -
/// `probability` for the noncentrality of a chi-square with value q.
///
/// 0 if the central law already gives at most `probability`. Relative error below 1e-9. Costs about
/// ten times as much as [`noncentral_lower`].
///
/// # Panics
///
/// If `probability` is not inside (0, 1), `dof` is not positive, or q or `dof` is not finite.
pub fn noncentral_bound(q: f64, dof: f64, probability: f64) -> f64 {
    assert!(
        probability > 0.0 && probability < 1.0,
        "probability must be inside (0, 1): {probability}"
    );
    let excess = |lambda: f64| ln(noncentral_lower(q, dof, lambda) / probability).max(-700.0);
    let (mut low, mut high) = (0.0, (q - dof).max(1.0));
    let (mut above, mut below) = (excess(low), excess(high));
    if above <= 0.0 {
        return 0.0;
    }
    while below > 0.0 {
        (low, above) = (high, below);
        high *= 2.0;
        below = excess(high);
    }
    // Regula falsi; an end that stays has its value halved (the Illinois rule).
    let mut last_was_low = None;
    for _ in 0..100 {
        let lambda = high - below * (high - low) / (below - above);
        let value = excess(lambda);
        if value.abs() < 1e-13 || high - low < 1e-11 * high {
            return lambda;
        }
        let is_low = value > 0.0;
        let again = last_was_low.replace(is_low) == Some(is_low);
        if is_low {
            (low, above) = (lambda, value);
            below /= if again { 2.0 } else { 1.0 };
        } else {
            (high, below) = (lambda, value);
            above /= if again { 2.0 } else { 1.0 };
        }
    }
    low + (high - low) / 2.0
}
