//! E-values against their definitions.

use super::super::evidence::dirichlet_ln;
use super::super::*;
use super::assert_near;
use crate::elementary::{ln_1p, log10};

#[test]
fn the_calibrator_runs_from_a_half_to_infinity() {
    assert_near(calibrated_log10(0.0), log10(0.5), 1e-15);
    assert_eq!(calibrated_log10(f64::NEG_INFINITY), f64::INFINITY);
    assert_near(
        calibrated_log10(-1e9),
        1e9 - 2.0 * log10(1e9 * LN_10),
        1e-15,
    );
    let joint = -1.0 / LN_10;
    assert_near(
        calibrated_log10(joint + 1e-15),
        calibrated_log10(joint - 1e-15),
        1e-13,
    );
}

/// ln of a (a + 1) .. (a + n - 1) / a^n.
fn ln_rising_excess(a: f64, n: u64) -> f64 {
    (0..n).map(|i| ln_1p(i as f64 / a)).sum()
}

/// ln of the e-value by its definition with rising factorials.
fn dirichlet_by_definition(counts: &[u64], probabilities: &[f64], kappa: f64) -> f64 {
    let cells = counts.iter().zip(probabilities).filter(|&(&n, _)| n > 0);
    let sum: f64 = cells.map(|(&n, p)| ln_rising_excess(kappa * p, n)).sum();
    sum - ln_rising_excess(kappa, counts.iter().sum())
}

#[test]
fn dirichlet_values_are_their_definition() {
    let probabilities = [0.5, 0.25, 0.2499, 0.0001, 0.0];
    for counts in [
        [0; 5],
        [1, 0, 0, 0, 0],
        [60, 20, 20, 0, 0],
        [700, 100, 2, 9, 0],
    ] {
        for kappa in [1e-3, 1.0, 100.0, 1e6] {
            let value = dirichlet_ln(&counts, &probabilities, kappa);
            let expected = dirichlet_by_definition(&counts, &probabilities, kappa);
            assert!(
                (value - expected).abs() < 1e-11 * expected.abs().max(1.0),
                "{counts:?} {kappa}"
            );
        }
    }
    assert_eq!(dirichlet_ln(&[1, 1], &[1.0, 0.0], 100.0), f64::INFINITY);
    assert_eq!(dirichlet_mixture_log10(&[1, 1], &[1.0, 0.0]), f64::INFINITY);
    assert!(dirichlet_mixture_log10(&[1, 0], &[0.5, 0.5]).abs() < 1e-13);
}

#[test]
fn weak_evidence_among_a_million_million_deals_keeps_its_digits() {
    let counts = [
        250_000_500_000,
        249_999_700_000,
        250_000_100_000,
        249_999_700_000,
    ];
    for (kappa, expected) in [
        (1e2, -33.671_275_879_136_53),
        (1e6, -19.843_269_658_940_966),
        (1e12, -0.599_720_818_840_050_4),
    ] {
        assert_near(dirichlet_ln(&counts, &[0.25; 4], kappa), expected, 1e-12);
    }
    assert_near(
        dirichlet_mixture_log10(&counts, &[0.25; 4]),
        -1.254_357_262_258_580_7,
        1e-12,
    );
    let probabilities = [0.5, 0.25, 0.25 - 1.0 / 1_048_576.0, 1.0 / 1_048_576.0];
    let with_empty = dirichlet_mixture_log10(&[5_002, 2_498, 2_500, 0], &probabilities);
    assert_near(with_empty, -0.111_870_459_216_477_5, 1e-12);
}
