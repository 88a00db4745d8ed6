//! Reference values from other programs, with more digits than a double.

use std::collections::BTreeMap;

use super::super::evidence::dirichlet_ln;
use super::super::kolmogorov::kolmogorov_limit_upper;
use super::super::*;
use super::relative;
use crate::elementary::log10;

const GOLDEN: &str = include_str!("../../fixtures/golden_pvalues.csv");
const FUNCTIONS: &str = include_str!("../../fixtures/special-functions.txt");

/// Parses a number, or a fraction of two.
fn number(text: &str) -> f64 {
    match text.split_once('/') {
        Some((above, below)) => number(above) / number(below),
        None => text.parse().unwrap(),
    }
}

/// Returns log10 of the value that a row requests, or the value itself with `false`.
fn golden(function: &str, arguments: &str) -> (f64, bool) {
    let named: BTreeMap<&str, &str> = (arguments.split(';'))
        .filter_map(|part| part.split_once('='))
        .collect();
    let real = |name: &str| number(named[name]);
    let whole = |name: &str| named[name].parse::<u64>().unwrap();
    let word = function.split(' ').next().unwrap();
    match word {
        "chi2_sf" => (chi_square_upper_log10(real("x"), real("dof")), true),
        "chi2_cdf" => (chi_square_lower_log10(real("x"), real("dof")), true),
        "normal_sf" => (normal_upper_log10(real("z")), true),
        "poisson" => (poisson_upper_log10(whole("k"), real("lambda")), true),
        "binomial" => (
            binomial_upper_log10(whole("k"), whole("n"), real("p")),
            true,
        ),
        "KS" => (kolmogorov_upper_log10(real("d"), whole("n")), true),
        "Kolmogorov" => (kolmogorov_limit_upper(real("x")), false),
        "p-to-e" => (calibrated_log10(log10(real("p"))), true),
        "Dirichlet-multinomial" => {
            let counts: Vec<u64> = named["counts"]
                .split('/')
                .map(|n| n.parse().unwrap())
                .collect();
            (
                dirichlet_ln(&counts, &[0.25; 4], real("kappa")) / LN_10,
                true,
            )
        }
        _ => (number(arguments), false),
    }
}

#[test]
fn every_golden_value_is_met() {
    let mut reader = csv::Reader::from_reader(GOLDEN.as_bytes());
    let mut worst: BTreeMap<String, f64> = BTreeMap::new();
    let mut rows = 0;
    for row in reader.records() {
        let row = row.unwrap();
        rows += 1;
        let (value, is_log10) = golden(&row[1], &row[2]);
        let note = row[4]
            .strip_prefix("log10=")
            .map(|note| note.split(';').next().unwrap());
        let expected = match note {
            Some(log10) if is_log10 => number(log10),
            _ => number(&row[3]),
        };
        let error = relative(value, expected);
        assert!(
            error <= 1e-10,
            "{}: {value:e} instead of {expected:e}",
            &row[0]
        );
        let kind = row[0].rsplit_once('-').unwrap().0.to_owned();
        let entry = worst.entry(kind).or_default();
        *entry = entry.max(error);
    }
    assert_eq!((rows, worst.len()), (110, 9));
}

#[test]
fn every_value_of_the_special_functions_is_met() {
    let mut worst: BTreeMap<&str, f64> = BTreeMap::new();
    for line in FUNCTIONS.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let arguments: Vec<f64> = fields[1..fields.len() - 1]
            .iter()
            .map(|x| number(x))
            .collect();
        let expected = number(fields[fields.len() - 1]);
        let (value, expected) = match (fields[0], &arguments[..]) {
            ("chi2sf", &[dof, x, _]) => (chi_square_upper_log10(x, dof), log10(expected)),
            ("normsf", &[z, _, _]) => (normal_upper_log10(z), log10(expected)),
            ("binsf", &[n, p, k]) => (binomial_upper_log10(k as u64, n as u64, p), log10(expected)),
            ("lngamma", &[x, _, _]) => (ln_gamma(x), expected),
            _ => panic!("{line}"),
        };
        // Near p = 1 the reference, read as f64, has few digits of 1 - p.
        let error = if expected.abs() < 1e-4 {
            (value - expected).abs() * 1e4
        } else {
            relative(value, expected)
        };
        assert!(error <= 1e-10, "{line}: {value:e} instead of {expected:e}");
        let entry = worst.entry(fields[0]).or_default();
        *entry = entry.max(error);
    }
    assert_eq!(worst.len(), 4);
}
