//! The standard normal law: its square is chi-square with one degree of freedom.

use std::f64::consts::{LN_2, LN_10, LOG10_2};

use super::chi_square::{chi_square_quantile_upper, ln_upper};
use super::ln_complement;

/// log10 P(Z >= z) of a standard normal variable Z, for any z.
///
/// Relative error below 1e-13, including negative z, where p is near 1.
///
/// # Panics
///
/// If z is NaN.
pub fn normal_upper_log10(z: f64) -> f64 {
    let beyond = ln_upper(z * z, 1.0) - LN_2;
    let ln = if z > 0.0 {
        beyond
    } else {
        ln_complement(beyond)
    };
    ln / LN_10
}

/// The z with log10 P(Z >= z) = `log10_p`.
///
/// Relative error 1e-12, near z = 0 absolute 1e-15; infinite for 0 and minus infinity.
///
/// # Panics
///
/// If `log10_p` is NaN or above 0.
pub fn normal_quantile_upper(log10_p: f64) -> f64 {
    assert!(log10_p <= 0.0, "log10_p must be at most 0: {log10_p}");
    if log10_p <= -LOG10_2 {
        positive(log10_p)
    } else {
        -positive(ln_complement(log10_p * LN_10) / LN_10)
    }
}

/// Returns the quantile for a probability of at most 1/2.
fn positive(log10_p: f64) -> f64 {
    chi_square_quantile_upper((log10_p + LOG10_2).min(0.0), 1.0).sqrt()
}
