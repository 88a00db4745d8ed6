//! Quadratic forms in the pseudo-inverse of a covariance.

use nalgebra::DMatrix;

/// Pivots below this share of the largest count as 0: far above rounding errors, and far below any
/// pivot of a covariance of counts.
const NOTHING: f64 = 1e-9;

/// The sum of d' V^+ d over the columns d, and the rank of V.
///
/// A difference of counts lies in the range of their covariance V, so every generalised inverse
/// gives the same result. Pivoted Cholesky decomposition takes a tenth of the time of eigenvectors.
/// With P'VP = LL' on the first `rank` pivots, d' V^+ d is the sum of squares of the solution of
/// Ly = P'd.
pub(crate) fn quadratic(mut covariance: DMatrix<f64>, differences: &DMatrix<f64>) -> (f64, usize) {
    let size = covariance.nrows();
    let mut order: Vec<usize> = (0..size).collect();
    let pivot_of = |covariance: &DMatrix<f64>, from: usize| {
        let largest = |a: &usize, b: &usize| covariance[(*a, *a)].total_cmp(&covariance[(*b, *b)]);
        (from..size).max_by(largest).unwrap_or(from)
    };
    let mut least = f64::INFINITY;
    let mut rank = 0;
    while rank < size {
        let pivot = pivot_of(&covariance, rank);
        let value = covariance[(pivot, pivot)];
        if rank == 0 {
            least = NOTHING * value;
        }
        if value.is_nan() || value <= least.max(0.0) {
            break;
        }
        covariance.swap_rows(rank, pivot);
        covariance.swap_columns(rank, pivot);
        order.swap(rank, pivot);
        let root = value.sqrt();
        covariance[(rank, rank)] = root;
        for row in rank + 1..size {
            covariance[(row, rank)] /= root;
        }
        for column in rank + 1..size {
            let factor = covariance[(column, rank)];
            for row in column..size {
                let taken = covariance[(row, rank)] * factor;
                covariance[(row, column)] -= taken;
                covariance[(column, row)] = covariance[(row, column)];
            }
        }
        rank += 1;
    }
    let mut sum = 0.0;
    for difference in differences.column_iter() {
        let mut solution = Vec::with_capacity(rank);
        for (row, &place) in order.iter().enumerate().take(rank) {
            let known = solution.iter().enumerate();
            let taken: f64 = known.map(|(k, y)| covariance[(row, k)] * y).sum();
            let value = (difference[place] - taken) / covariance[(row, row)];
            sum += value * value;
            solution.push(value);
        }
    }
    (sum, rank)
}

#[cfg(test)]
mod tests {
    use nalgebra::SymmetricEigen;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// The same result by eigenvalues and eigenvectors.
    fn by_eigenvectors(covariance: DMatrix<f64>, differences: &DMatrix<f64>) -> (f64, usize) {
        let eigen = SymmetricEigen::new(covariance);
        let largest = eigen.eigenvalues.max();
        let (mut sum, mut rank) = (0.0, 0);
        let pairs = eigen
            .eigenvalues
            .iter()
            .zip(eigen.eigenvectors.column_iter());
        for (value, vector) in pairs.filter(|(value, _)| **value > NOTHING * largest) {
            rank += 1;
            for difference in differences.column_iter() {
                sum += vector.dot(&difference).powi(2) / value;
            }
        }
        (sum, rank)
    }

    #[test]
    fn forms_of_any_rank_are_those_of_the_eigenvectors() {
        let mut words = Xoshiro256PlusPlus::seed_from_u64(7);
        for (size, rank) in [
            (1, 1),
            (4, 3),
            (4, 1),
            (12, 12),
            (52, 51),
            (52, 25),
            (39, 0),
        ] {
            for _ in 0..20 {
                let mut random = |rows, columns| {
                    DMatrix::from_fn(rows, columns, |_, _| words.random::<f64>() - 0.5)
                };
                let (root, parts) = (random(size, rank), random(rank, 3));
                let covariance = &root * root.transpose();
                let differences = &root * parts;
                let found = quadratic(covariance.clone(), &differences);
                let expected = by_eigenvectors(covariance, &differences);
                assert_eq!((found.1, expected.1), (rank, rank), "{size}");
                let off = (found.0 - expected.0).abs();
                assert!(
                    off <= 1e-6 * expected.0,
                    "{size} {rank}: {found:?} {expected:?}"
                );
            }
        }
    }

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
