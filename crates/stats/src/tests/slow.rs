//! Tests against slow direct computation, and of each function for consistency.

use proptest::prelude::*;

use super::super::kolmogorov::kolmogorov_limit_upper;
use super::super::*;
use super::{assert_near, relative};
use crate::elementary::{log10, powf};

/// log10 of n!.
fn log10_factorial(n: u64) -> f64 {
    (2..=n).map(|i| log10(i as f64)).sum()
}

/// Returns the logarithms of the binomial masses, one by one.
fn binomial_masses(n: u64, p: f64) -> Vec<f64> {
    (0..=n)
        .map(|k| {
            log10_factorial(n) - log10_factorial(k) - log10_factorial(n - k)
                + k as f64 * log10(p)
                + (n - k) as f64 * log10(1.0 - p)
        })
        .collect()
}

#[test]
fn binomial_tails_are_sums_of_masses() {
    for (n, p) in [
        (1, 0.3),
        (2, 0.5),
        (37, 0.01),
        (500, 0.9),
        (2_000, 4.0 / 17.0),
    ] {
        let masses = binomial_masses(n, p);
        for k in (0..=n).step_by(1 + n as usize / 37) {
            let upper = log10_sum(&masses[k as usize..]);
            let lower = log10_sum(&masses[..=k as usize]);
            let allowed = |log10: f64| (1e-11 * log10.abs()).max(1e-11);
            assert!(
                (binomial_upper_log10(k, n, p) - upper).abs() <= allowed(upper),
                "{k} of {n}"
            );
            assert!(
                (binomial_lower_log10(k, n, p) - lower).abs() <= allowed(lower),
                "{k} of {n}"
            );
        }
    }
}

#[test]
fn poisson_tails_are_sums_of_masses() {
    for lambda in [1e-9, 0.7, 3.0, 40.0, 700.0] {
        let masses: Vec<f64> = (0..3_000)
            .map(|k| {
                let ten = k as f64 * log10(lambda) - lambda / LN_10;
                ten - log10_factorial(k)
            })
            .collect();
        for k in (0..1_400).step_by(61) {
            let upper = log10_sum(&masses[k..]);
            let lower = log10_sum(&masses[..=k]);
            let allowed = |log10: f64| (1e-11 * log10.abs()).max(1e-11);
            let found = poisson_upper_log10(k as u64, lambda);
            assert!((found - upper).abs() <= allowed(upper), "{k} of {lambda}");
            let found = poisson_lower_log10(k as u64, lambda);
            assert!((found - lower).abs() <= allowed(lower), "{k} of {lambda}");
        }
    }
}

#[test]
fn tails_of_counts_are_gamma_and_beta_tails() {
    // P(Poisson >= k) is the lower tail of chi-square with 2 k degrees of freedom at 2 lambda.
    for (k, lambda) in [
        (1u64, 0.5),
        (9, 4.0),
        (4_000_000, 4.003e6),
        (9_000_000, 9.001e6),
    ] {
        let gamma = chi_square_lower_log10(2.0 * lambda, 2.0 * k as f64);
        assert_near(poisson_upper_log10(k, lambda), gamma, 1e-11);
        let gamma = chi_square_upper_log10(2.0 * lambda, 2.0 * k as f64);
        assert_near(poisson_lower_log10(k - 1, lambda), gamma, 1e-11);
    }
}

#[test]
fn impossible_and_certain_events_are_so() {
    let never = f64::NEG_INFINITY;
    assert_eq!(
        (
            chi_square_upper_log10(0.0, 1.0),
            chi_square_lower_log10(0.0, 1.0)
        ),
        (0.0, never)
    );
    assert_eq!(
        (poisson_upper_log10(0, 3.0), poisson_upper_log10(1, 0.0)),
        (0.0, never)
    );
    assert_eq!(
        (poisson_lower_log10(0, 0.0), poisson_lower_log10(7, 0.0)),
        (0.0, 0.0)
    );
    assert_eq!(
        (
            binomial_upper_log10(5, 4, 0.5),
            binomial_lower_log10(4, 4, 0.5)
        ),
        (never, 0.0)
    );
    assert_eq!(
        (
            binomial_upper_log10(1, 4, 0.0),
            binomial_lower_log10(0, 4, 0.0)
        ),
        (never, 0.0)
    );
    assert_eq!(
        (
            binomial_upper_log10(4, 4, 1.0),
            binomial_lower_log10(3, 4, 1.0)
        ),
        (0.0, never)
    );
    assert_eq!(
        (
            kolmogorov_upper_log10(0.05, 10),
            kolmogorov_upper_log10(1.0, 10)
        ),
        (0.0, never)
    );
    assert_eq!(log10_sum(&[]), never);
    assert_eq!(log10_sum(&[never, never]), never);
    assert_eq!(log10_sum(&[f64::INFINITY, 3.0]), f64::INFINITY);
}

#[test]
fn chi_square_is_finite_for_huge_and_tiny_arguments() {
    for dof in [1.0, 2.0, 3.0, 559.0, 65_535.0, 1e7] {
        for x in [1e-300, 1e-9, 1.0, dof - 0.1, dof, dof + 0.1, 1e6, 1e12] {
            for tail in [
                chi_square_upper_log10(x, dof),
                chi_square_lower_log10(x, dof),
            ] {
                assert!(tail.is_finite() && tail <= 0.0, "{x}, {dof}: {tail}");
            }
        }
    }
    // P(X >= x) of two degrees of freedom is exp(-x / 2).
    assert_near(chi_square_upper_log10(1e12, 2.0), -0.5e12 / LN_10, 1e-15);
}

#[test]
fn the_normal_tail_is_accurate_on_the_wrong_side() {
    assert_near(normal_upper_log10(-8.0), -2.701_728_849_543_913e-16, 1e-13);
    assert_eq!(normal_upper_log10(-60.0), 0.0);
    assert_near(normal_upper_log10(1e9), -2.171_472_409_516_259e17, 1e-14);
}

#[test]
fn quantiles_invert_the_tails() {
    for log10_p in [-1e-9, -0.1, -0.301, -3.0, -6.0, -300.0, -1e6] {
        for dof in [1.0, 9.0, 153.0, 23_409.0] {
            let x = chi_square_quantile_upper(log10_p, dof);
            assert_near(chi_square_upper_log10(x, dof), log10_p, 1e-11);
        }
        assert_near(
            normal_upper_log10(normal_quantile_upper(log10_p)),
            log10_p,
            1e-11,
        );
    }
    assert_near(chi_square_quantile_upper(-6.0, 2.0), 12.0 * LN_10, 1e-14);
    assert_eq!(normal_quantile_upper(0.0), f64::NEG_INFINITY);
}

#[test]
fn noncentral_bounds_are_the_powers_of_the_method() {
    let table = [
        (1.0, 38.1),
        (9.0, 54.8),
        (153.0, 134.6),
        (11_469.0, 943.4),
        (23_409.0, 1335.2),
    ];
    for (dof, expected) in table {
        let critical = chi_square_quantile_upper(-6.0, dof);
        let lambda = noncentral_bound(critical, dof, 0.1);
        assert!((lambda - expected).abs() < 0.051, "{dof}: {lambda}");
        assert_near(noncentral_lower(critical, dof, lambda), 0.1, 1e-9);
    }
    for q in [10.0, 120.0, 153.0, 200.0, 3e4, 1e6] {
        let lambda = noncentral_bound(q, 9.0, 0.001);
        assert!(
            lambda == 0.0 || relative(noncentral_lower(q, 9.0, lambda), 0.001) < 1e-9,
            "{q}"
        );
    }
    assert_eq!(noncentral_bound(1.0, 153.0, 0.001), 0.0);
}

#[test]
fn one_degree_of_freedom_is_a_shifted_square() {
    // P((Z + m)^2 <= q) = P(Z >= m - sqrt(q)) - P(Z >= m + sqrt(q)).
    for (q, m) in [(0.5, 1.0), (9.0, 0.0), (30.0, 9.0), (4.0, 20.0)] {
        let above = |z: f64| powf(10.0, normal_upper_log10(z));
        let expected = above(m - f64::sqrt(q)) - above(m + f64::sqrt(q));
        assert_near(noncentral_lower(q, 1.0, m * m), expected, 1e-11);
    }
}

#[test]
fn the_expansion_for_large_samples_joins_the_exact_law() {
    // Sizes up to 10,000 use the matrix, larger ones the expansion.
    for z in [0.4, 1.0] {
        let at = |n: u64| kolmogorov_upper_log10(z / (n as f64).sqrt(), n);
        let step = at(10_001) - at(10_002);
        let jump = at(10_000) - at(10_001);
        assert!(
            (jump - step).abs() < 1e-8 * at(10_000).abs().max(0.1),
            "{z}: {step:e} {jump:e}"
        );
    }
}

#[test]
fn kolmogorovs_law_tends_to_its_limit() {
    for x in [0.3, 0.999, 1.001, 1.5, 3.0] {
        let exact = powf(10.0, kolmogorov_upper_log10(x * 1e-6, 1_000_000_000_000));
        assert_near(exact, kolmogorov_limit_upper(x), 1e-5);
    }
    assert_near(
        kolmogorov_limit_upper(1.0 - 1e-15),
        kolmogorov_limit_upper(1.0),
        1e-13,
    );
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn tails_of_chi_square_make_1(dof in 1.0..3e4f64, z in -6.0..6.0f64) {
        let x = (dof + z * f64::sqrt(2.0 * dof)).max(0.01);
        let (lower, upper) = (chi_square_lower_log10(x, dof), chi_square_upper_log10(x, dof));
        prop_assert!(log10_sum(&[lower, upper]).abs() < 1e-12);
        prop_assert!(chi_square_upper_log10(x * 1.001, dof) < upper);
    }

    #[test]
    fn tails_of_counts_make_1(n in 1u64..1_000_000_000_000, p in 0.0..1.0f64, z in -6.0..6.0f64) {
        let mean = n as f64 * p;
        let k = (mean + z * (mean * (1.0 - p)).sqrt()).clamp(1.0, n as f64).ceil() as u64;
        let upper = binomial_upper_log10(k, n, p);
        prop_assert!(log10_sum(&[binomial_lower_log10(k - 1, n, p), upper]).abs() < 1e-11);
        prop_assert!(k == n || binomial_upper_log10(k + 1, n, p) < upper);
        let upper = poisson_upper_log10(k, mean);
        prop_assert!(log10_sum(&[poisson_lower_log10(k - 1, mean), upper]).abs() < 1e-11);
    }

    #[test]
    fn tails_of_the_normal_law_make_1(z in -8.0..8.0) {
        let sum = log10_sum(&[normal_upper_log10(z), normal_upper_log10(-z)]);
        prop_assert!(sum.abs() < 1e-14);
    }

    #[test]
    fn kolmogorovs_tail_falls(n in 1u64..60, d in 0.01..0.98) {
        let (here, beyond) = (kolmogorov_upper_log10(d, n), kolmogorov_upper_log10(d + 0.01, n));
        prop_assert!(beyond <= here && here <= 0.0);
        prop_assert!(relative(here, beyond) > 1e-9 || here > -1e-9);
    }
}
