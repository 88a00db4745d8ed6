//! Groups of cells, in which draws are counted.

use std::sync::OnceLock;

use super::Cells;
use super::search::StateSearch;
use crate::bridge::Deal;

/// Maximum number of groups.
const MOST_GROUPS: usize = 1 << 16;

/// Runs of consecutive left halves beside runs of consecutive right halves: a group for each pair
/// of runs. If there are few halves, each group is one cell, or none.
#[derive(Clone, Copy, Debug)]
pub struct CellGrid {
    /// k for the left and the right half: a run has 2^k halves.
    bits: [u32; 2],
    /// Number of runs of each half.
    runs: [u32; 2],
}

impl CellGrid {
    /// Divides left and right halves into the shortest runs with at most 65,536 groups.
    fn new(halves: [usize; 2]) -> Self {
        let mut bits = [0; 2];
        let runs = |bits: [u32; 2]| [0, 1].map(|half| halves[half].div_ceil(1 << bits[half]));
        while runs(bits).iter().product::<usize>() > MOST_GROUPS {
            let [left, right] = runs(bits);
            bits[usize::from(right > left)] += 1;
        }
        let runs = runs(bits).map(|runs| runs as u32);
        Self { bits, runs }
    }

    /// Returns the number of groups.
    pub fn count(self) -> usize {
        self.runs.iter().map(|&runs| runs as usize).product()
    }

    /// Returns the group of a left half and its follower.
    #[inline]
    pub fn group(self, left: u32, right: u32) -> u32 {
        (left >> self.bits[0]) * self.runs[1] + (right >> self.bits[1])
    }
}

/// The groups of cells, and the search for the group of a deal.
#[derive(Debug)]
pub struct CellGroups<'c> {
    cells: &'c Cells,
    grid: CellGrid,
    /// Made for the first deal that was not drawn from the cells.
    search: OnceLock<StateSearch>,
}

impl<'c> CellGroups<'c> {
    /// Groups the cells.
    pub fn new(cells: &'c Cells) -> Self {
        Self {
            cells,
            grid: cells.grid(),
            search: OnceLock::new(),
        }
    }

    /// Returns the number of groups. Some may have no cell.
    pub fn count(&self) -> usize {
        self.grid.count()
    }

    /// Returns the group of a deal; `None` if it does not belong to a cell.
    pub fn group_of(&self, deal: &Deal) -> Option<u32> {
        let search = self.search.get_or_init(|| StateSearch::new(self.cells));
        let [left, right] = search.find(self.cells, deal)?.map(|(state, _)| state);
        self.cells.link_ways([left, right])?;
        Some(self.grid.group(left, right))
    }
}

impl Cells {
    /// Returns the grid of groups in which draws are counted.
    pub fn grid(&self) -> CellGrid {
        CellGrid::new([self.lefts.len(), self.rights.len()])
    }

    /// Returns the weight of each group: the number of ways to deal its cells.
    pub fn group_weights(&self) -> Vec<u128> {
        let grid = self.grid();
        let mut weights = vec![0; grid.count()];
        for (left, half) in (0..).zip(&self.lefts) {
            for (right, after) in self.followers(left) {
                weights[grid.group(left, right) as usize] += u128::from(half.ways) * after;
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_as_short_as_the_number_of_groups_permits() {
        for (halves, runs) in [
            ([1, 1], [1, 1]),
            ([256, 256], [256, 256]),
            ([257, 256], [129, 256]),
            ([70_000, 3], [17_500, 3]),
            ([1 << 22, 1 << 22], [256, 256]),
        ] {
            let grid = CellGrid::new(halves);
            assert_eq!(grid.runs, runs);
            let last = halves.map(|count| count as u32 - 1);
            assert_eq!(grid.group(last[0], last[1]) as usize, grid.count() - 1);
        }
    }
}
