//! Special functions in log space: tails of the laws that the tests need, and evidence from them.
//!
//! A tail is returned as log10 of a probability, so that 10^-2170168 is as valid a result as 0.5.
//! It is computed on the side where it is small, and never exponentiated before. Unless a function
//! states otherwise, its relative error in log10 p is below 1e-10 and mostly near 1e-14.
//!
//! | module | contents |
//! |---|---|
//! | `elementary` | logarithms, exponentials and powers that are the same on every system |
//! | `gamma` | ln gamma, Stirling's error, deviances |
//! | `chi_square`, `noncentral` | central and noncentral chi-square |
//! | `normal` | the normal tail |
//! | `counts` | Poisson and binomial tails |
//! | `lattice` | sums of identically distributed variables on integers |
//! | `gamma_sum` | sums of variables with three known moments |
//! | `occupancy` | pairs of balls in the same of equally likely cells |
//! | `linear` | matrices, quadratic forms of a pseudo-inverse |
//! | `kolmogorov` | the Kolmogorov-Smirnov statistic |
//! | `evidence` | e-values from p-values and from multinomial counts |
//! | `best_mean` | which of several means is the largest, by betting, at any number of samples |
//!
//! This crate contains no tables, no random numbers and no bridge terms.

mod best_mean;
mod chi_square;
mod counts;
pub mod elementary;
mod evidence;
mod gamma;
mod gamma_sum;
mod kolmogorov;
mod lattice;
mod linear;
mod noncentral;
mod normal;
mod occupancy;
#[cfg(test)]
mod tests;

use std::f64::consts::{LN_2, LN_10};

pub use best_mean::{BestMean, Finding};
pub use chi_square::{chi_square_lower_log10, chi_square_quantile_upper, chi_square_upper_log10};
pub use counts::{
    PoissonTail, binomial_interval, binomial_lower_log10, binomial_upper_log10,
    poisson_lower_log10, poisson_upper_log10,
};
pub use evidence::{STRENGTHS, calibrated_log10, dirichlet_mixture_log10};
pub use gamma::ln_gamma;
pub use gamma_sum::{GammaSum, Moments};
pub use kolmogorov::kolmogorov_upper_log10;
pub use lattice::Lattice;
pub use linear::{Matrix, quadratic, symmetric_eigen};
pub use noncentral::{noncentral_bound, noncentral_lower};
pub use normal::{normal_quantile_upper, normal_upper_log10};
pub use occupancy::{EXACT_BELOW, equal_pairs_upper_log10, pairs_in_a_cell};

use elementary::{exp, exp_m1, ln, ln_1p, powf};

/// Terms below this fraction of a sum of positive terms are negligible.
const NEGLIGIBLE: f64 = 1e-17;

/// log10 of the sum of 10^x over the `exponents`, without leaving log space.
///
/// Minus infinity (the sum 0) for no exponents, plus infinity if an exponent is. Absolute error
/// 1e-15 plus the rounding of the result.
pub fn log10_sum(exponents: &[f64]) -> f64 {
    let order = |&i: &usize, &j: &usize| exponents[i].total_cmp(&exponents[j]);
    let Some(largest) = (0..exponents.len()).max_by(order) else {
        return f64::NEG_INFINITY;
    };
    let top = exponents[largest];
    if top.is_infinite() {
        return top;
    }
    let others: f64 = (exponents.iter().enumerate())
        .filter(|&(i, _)| i != largest)
        .map(|(_, x)| powf(10.0, x - top))
        .sum();
    top + ln_1p(others) / LN_10
}

/// ln(1 - e^l): ln of the complement of a tail whose ln is `l` <= 0.
fn ln_complement(l: f64) -> f64 {
    if l >= 0.0 {
        f64::NEG_INFINITY
    } else if l > -LN_2 {
        ln(-exp_m1(l))
    } else {
        ln_1p(-exp(l))
    }
}

/// Returns the boundary between `low`, where `holds` is true, and `high`, where it is false, to
/// almost full precision.
fn boundary(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high || high - low <= 1e-15 * high {
            break;
        }
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low + (high - low) / 2.0
}
