//! Quadratic forms in the pseudo-inverse of a covariance.

use nalgebra::{DMatrix, SymmetricEigen};

/// Eigenvalues below this share of the largest are 0: far above rounding, far
/// below any that a covariance of counts has.
const NOTHING: f64 = 1e-9;

/// d' V^+ d for each column d, and the rank of V.
pub(super) fn quadratic(covariance: DMatrix<f64>, differences: &DMatrix<f64>) -> (f64, usize) {
    let eigen = SymmetricEigen::new(covariance);
    let largest = eigen.eigenvalues.iter().copied().fold(0.0, f64::max);
    let (mut sum, mut rank) = (0.0, 0);
    for (value, vector) in eigen
        .eigenvalues
        .iter()
        .zip(eigen.eigenvectors.column_iter())
    {
        if *value > NOTHING * largest {
            rank += 1;
            for difference in differences.column_iter() {
                sum += vector.dot(&difference).powi(2) / value;
            }
        }
    }
    (sum, rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_multinomials_form_is_pearsons() {
        let (n, p) = (1_000.0, [0.2, 0.3, 0.5]);
        let covariance = DMatrix::from_fn(3, 3, |i, j| {
            n * (if i == j { p[i] } else { 0.0 } - p[i] * p[j])
        });
        let difference = [12.0, -20.0, 8.0];
        let pearson: f64 = difference.iter().zip(p).map(|(d, p)| d * d / (n * p)).sum();
        let (form, rank) = quadratic(covariance, &DMatrix::from_column_slice(3, 1, &difference));
        assert_eq!(rank, 2);
        assert!((form - pearson).abs() < 1e-9 * pearson);
    }
}
