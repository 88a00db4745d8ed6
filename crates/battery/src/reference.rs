//! Statistics of perfect sets of deals, for tests without a law for small samples.
//!
//! A statistic as large as the k-th largest of M perfect sets has a p-value of (k + 1) / (M + 1),
//! whatever its law. The p-value is at least 1 / (M + 1), so that it cannot decide a verdict by
//! itself.

use serde::{Deserialize, Serialize};

use super::table_law::Measured;
use crate::stats::elementary::log10;

/// The statistics of perfect sets, by test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    sets: u32,
    /// In the battery's order of tests; each ascending.
    statistics: Vec<Vec<f64>>,
}

/// The position of a statistic among those of perfect sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerfectSetPosition {
    /// Number of sets with an equal or larger statistic.
    pub at_least: u32,
    /// Number of sets with an equal or smaller statistic.
    pub at_most: u32,
    /// Number of sets.
    pub sets: u32,
}

impl Reference {
    /// Creates it from every test's statistic in every set; tests without a statistic have no
    /// reference.
    pub fn new(sets: &[Vec<Option<f64>>]) -> Self {
        let tests = sets.first().map_or(0, Vec::len);
        let of_test = |test: usize| {
            let mut statistics: Vec<f64> = sets.iter().filter_map(|set| set[test]).collect();
            statistics.sort_by(f64::total_cmp);
            if statistics.len() < sets.len() {
                statistics.clear();
            }
            statistics
        };
        Self {
            sets: sets.len() as u32,
            statistics: (0..tests).map(of_test).collect(),
        }
    }

    /// Returns all statistics.
    #[doc(hidden)]
    pub fn all(&self) -> impl Iterator<Item = f64> {
        self.statistics.iter().flatten().copied()
    }

    /// Returns the position of a test's statistic; `None` if perfect sets have none.
    pub(crate) fn place(&self, test: usize, statistic: f64) -> Option<PerfectSetPosition> {
        let statistics = self.statistics.get(test).filter(|all| !all.is_empty())?;
        let below = statistics.partition_point(|other| *other < statistic);
        let up_to = statistics.partition_point(|other| *other <= statistic);
        Some(PerfectSetPosition {
            at_least: self.sets - below as u32,
            at_most: up_to as u32,
            sets: self.sets,
        })
    }
}

impl PerfectSetPosition {
    /// Returns log10 of the two-sided p-value.
    pub fn log10_p(self) -> f64 {
        let fewest = self.at_least.min(self.at_most);
        let p = 2.0 * (f64::from(fewest) + 1.0) / (f64::from(self.sets) + 1.0);
        log10(p).min(0.0)
    }

    /// Returns the result with the p-value of this position.
    pub(super) fn measure(self, measured: Measured) -> Measured {
        Measured {
            log10_p: self.log10_p(),
            log10_e: None,
            is_even: self.at_most < self.at_least && measured.dof.is_some(),
            ..measured
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_counts_ties_on_both_sides() {
        let sets: Vec<_> = [1.0, 2.0, 2.0, 3.0].map(|x| vec![Some(x), None]).to_vec();
        let reference = Reference::new(&sets);
        let place = |x| reference.place(0, x).unwrap();
        assert_eq!((place(2.0).at_least, place(2.0).at_most), (3, 3));
        assert_eq!((place(5.0).at_least, place(5.0).at_most), (0, 4));
        assert!((place(5.0).log10_p() - log10(2f64 / 5.0)).abs() < 1e-12);
        assert_eq!(place(2.0).log10_p(), 0.0);
        assert_eq!(reference.place(1, 2.0), None);
    }
}
