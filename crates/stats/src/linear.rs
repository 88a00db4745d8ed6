//! Matrices, and quadratic forms in the pseudo-inverse of a covariance.

use std::ops::{Index, IndexMut, Mul};

use crate::elementary::{atan2, sin_cos};

/// A matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    columns: usize,
    cells: Vec<f64>,
}

impl Matrix {
    /// A matrix with the cell of each row and column.
    pub fn from_fn(rows: usize, columns: usize, cell: impl Fn(usize, usize) -> f64) -> Self {
        let cells = (0..rows * columns).map(|place| cell(place / columns, place % columns));
        let cells = cells.collect();
        Self { columns, cells }
    }

    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self::from_fn(rows, columns, |_, _| 0.0)
    }

    /// The projection onto what is orthogonal to some vectors of one length.
    pub fn orthogonal_to(vectors: &[Vec<f64>]) -> Self {
        let size = vectors.first().map_or(0, Vec::len);
        let mut projection = Self::from_fn(size, size, |i, j| f64::from(u8::from(i == j)));
        for vector in vectors {
            let rest = &projection * &Self::from_fn(size, 1, |i, _| vector[i]);
            let square: f64 = rest.cells.iter().map(|part| part * part).sum();
            if square > 0.0 {
                let along = |i: usize, j: usize| rest.cells[i] * rest.cells[j] / square;
                projection = Self::from_fn(size, size, |i, j| projection[(i, j)] - along(i, j));
            }
        }
        projection
    }

    /// The matrix with rows and columns exchanged.
    pub fn transposed(&self) -> Self {
        Self::from_fn(self.columns, self.rows(), |i, j| self[(j, i)])
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.cells.len() / self.columns.max(1)
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    fn swap_rows(&mut self, one: usize, other: usize) {
        for column in 0..self.columns {
            self.cells
                .swap(one * self.columns + column, other * self.columns + column);
        }
    }

    fn swap_columns(&mut self, one: usize, other: usize) {
        for row in self.cells.chunks_exact_mut(self.columns) {
            row.swap(one, other);
        }
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.cells[row * self.columns + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.cells[row * self.columns + column]
    }
}

impl Mul for &Matrix {
    type Output = Matrix;

    fn mul(self, other: &Matrix) -> Matrix {
        Matrix::from_fn(self.rows(), other.columns, |i, j| {
            (0..self.columns)
                .map(|k| self[(i, k)] * other[(k, j)])
                .sum()
        })
    }
}

/// Pivots below this share of the largest count as 0: far above rounding errors, and far below any
/// pivot of a covariance of counts.
const NOTHING: f64 = 1e-9;

/// The sum of d' V^+ d over the columns d, and the rank of V.
///
/// A difference of counts lies in the range of their covariance V, so every generalised inverse
/// gives the same result. Pivoted Cholesky decomposition takes a tenth of the time of eigenvectors.
/// With P'VP = LL' on the first `rank` pivots, d' V^+ d is the sum of squares of the solution of
/// Ly = P'd.
pub fn quadratic(mut covariance: Matrix, differences: &Matrix) -> (f64, usize) {
    let size = covariance.rows();
    let mut order: Vec<usize> = (0..size).collect();
    let pivot_of = |covariance: &Matrix, from: usize| {
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
    for column in 0..differences.columns() {
        let mut solution = Vec::with_capacity(rank);
        for (row, &place) in order.iter().enumerate().take(rank) {
            let known = solution.iter().enumerate();
            let taken: f64 = known.map(|(k, y)| covariance[(row, k)] * y).sum();
            let value = (differences[(place, column)] - taken) / covariance[(row, row)];
            sum += value * value;
            solution.push(value);
        }
    }
    (sum, rank)
}

/// The eigenvalues of a symmetric matrix in ascending order, and its eigenvectors as columns: by
/// Jacobi's rotations, each of which makes one pair of cells 0.
///
/// A slow way to [`quadratic`], which tests compare with it.
pub fn symmetric_eigen(matrix: &Matrix) -> (Vec<f64>, Matrix) {
    let size = matrix.rows();
    let mut rest = matrix.clone();
    let mut vectors = Matrix::from_fn(size, size, |i, j| f64::from(u8::from(i == j)));
    for _ in 0..10 {
        for (p, q) in (0..size).flat_map(|p| (p + 1..size).map(move |q| (p, q))) {
            let angle = 0.5 * atan2(2.0 * rest[(p, q)], rest[(q, q)] - rest[(p, p)]);
            let (sin, cos) = sin_cos(angle);
            let turned = |one: f64, other: f64| (cos * one - sin * other, sin * one + cos * other);
            for i in 0..size {
                (rest[(i, p)], rest[(i, q)]) = turned(rest[(i, p)], rest[(i, q)]);
                (vectors[(i, p)], vectors[(i, q)]) = turned(vectors[(i, p)], vectors[(i, q)]);
            }
            for i in 0..size {
                (rest[(p, i)], rest[(q, i)]) = turned(rest[(p, i)], rest[(q, i)]);
            }
        }
    }
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&a, &b| rest[(a, a)].total_cmp(&rest[(b, b)]));
    let values = order.iter().map(|&place| rest[(place, place)]).collect();
    let sorted = Matrix::from_fn(size, size, |row, place| vectors[(row, order[place])]);
    (values, sorted)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// The same result by eigenvalues and eigenvectors.
    fn by_eigenvectors(covariance: &Matrix, differences: &Matrix) -> (f64, usize) {
        let (values, vectors) = symmetric_eigen(covariance);
        let largest = values.last().copied().unwrap_or(0.0);
        let along = &vectors.transposed() * differences;
        let (mut sum, mut rank) = (0.0, 0);
        for (place, value) in values.iter().enumerate() {
            if *value > NOTHING * largest {
                rank += 1;
                let squares = (0..along.columns()).map(|column| along[(place, column)].powi(2));
                sum += squares.sum::<f64>() / value;
            }
        }
        (sum, rank)
    }

    #[test]
    fn eigenvectors_are_orthonormal_and_scaled_by_their_values() {
        let known = Matrix::from_fn(2, 2, |i, j| if i == j { 2.0 } else { 1.0 });
        let (values, _) = symmetric_eigen(&known);
        assert!((values[0] - 1.0).abs() < 1e-12 && (values[1] - 3.0).abs() < 1e-12);
        let matrix = Matrix::from_fn(12, 12, |i, j| 1.0 / (1 + i + j) as f64);
        let (values, vectors) = symmetric_eigen(&matrix);
        let (scaled, dots) = (&matrix * &vectors, &vectors.transposed() * &vectors);
        for (i, j) in (0..12).flat_map(|i| (0..12).map(move |j| (i, j))) {
            assert!((scaled[(i, j)] - values[j] * vectors[(i, j)]).abs() < 1e-12);
            assert!((dots[(i, j)] - f64::from(u8::from(i == j))).abs() < 1e-12);
        }
    }

    #[test]
    fn a_projection_removes_its_vectors_and_keeps_what_is_orthogonal() {
        let along = [vec![1.0, 1.0, 1.0, 1.0], vec![2.0, 3.0, 5.0, 7.0]];
        let projection = Matrix::orthogonal_to(&along);
        let image = |of: [f64; 4]| &projection * &Matrix::from_fn(4, 1, |i, _| of[i]);
        for removed in [[1.0; 4], [2.0, 3.0, 5.0, 7.0]] {
            assert!(image(removed).cells.iter().all(|part| part.abs() < 1e-12));
        }
        // 2 a + 3 b + 5 c + 7 d = 0 and a + b + c + d = 0.
        let kept = [2.0, -3.0, 1.0, 0.0];
        let near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-12;
        assert!(image(kept).cells.iter().zip(&kept).all(near));
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
            for _ in 0..5 {
                let mut random = |rows: usize, columns: usize| {
                    let cells = (0..rows * columns).map(|_| words.random::<f64>() - 0.5);
                    let cells = cells.collect();
                    Matrix { columns, cells }
                };
                let (root, parts) = (random(size, rank), random(rank, 3));
                let (covariance, differences) = match rank {
                    // A matrix without columns has no number of rows.
                    0 => (Matrix::zeros(size, size), Matrix::zeros(size, 3)),
                    _ => (&root * &root.transposed(), &root * &parts),
                };
                let found = quadratic(covariance.clone(), &differences);
                let expected = by_eigenvectors(&covariance, &differences);
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
        let covariance = Matrix::from_fn(3, 3, |i, j| {
            n * (if i == j { p[i] } else { 0.0 } - p[i] * p[j])
        });
        let difference = [12.0, -20.0, 8.0];
        let pearson: f64 = difference.iter().zip(p).map(|(d, p)| d * d / (n * p)).sum();
        let (form, rank) = quadratic(covariance, &Matrix::from_fn(3, 1, |i, _| difference[i]));
        assert_eq!(rank, 2);
        assert!((form - pearson).abs() < 1e-9 * pearson);
    }
}
