//! Storage of the columns of steps.

use super::super::PACKET;
use super::Steps;

/// A column, on the heap so that it can change places with another.
#[derive(Clone, Debug)]
pub(super) struct StepColumn<T>(Box<ColumnCells<T>>);

#[derive(Clone, Debug)]
#[repr(align(64))]
struct ColumnCells<T>([T; PACKET]);

impl<T: Copy + Default> Default for StepColumn<T> {
    fn default() -> Self {
        Self(Box::new(ColumnCells([T::default(); PACKET])))
    }
}

/// Columns of one type, and a spare column to write to.
///
/// A step writes to the spare column, which then changes places with the target. A step can
/// therefore read the column it replaces, and no cell is copied.
#[derive(Clone, Debug)]
pub(super) struct Bank<T> {
    columns: Vec<StepColumn<T>>,
    spare: StepColumn<T>,
}

impl<T: Copy + Default> Default for Bank<T> {
    fn default() -> Self {
        Self {
            columns: Vec::new(),
            spare: StepColumn::default(),
        }
    }
}

impl<T: Copy + Default> Bank<T> {
    /// Ensures that there are `count` columns.
    fn grow(&mut self, count: usize) {
        if self.columns.len() < count {
            self.columns.resize_with(count, StepColumn::default);
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, place: usize) -> &[T; PACKET] {
        &self.columns[place].0.0
    }

    /// Returns the spare column, and the columns that can be read meanwhile.
    #[inline(always)]
    pub(super) fn split(&mut self) -> (&mut [T; PACKET], ColumnView<'_, T>) {
        (&mut self.spare.0.0, ColumnView(&self.columns))
    }

    /// Swaps the spare column with the column at this place.
    #[inline(always)]
    pub(super) fn put(&mut self, place: usize) {
        std::mem::swap(&mut self.columns[place], &mut self.spare);
    }
}

/// Read access to columns.
pub(super) struct ColumnView<'c, T>(&'c [StepColumn<T>]);

impl<'c, T> ColumnView<'c, T> {
    #[inline(always)]
    pub(super) fn get(&self, place: usize) -> &'c [T; PACKET] {
        &self.0[place].0.0
    }
}

/// The columns of a list of steps, and the results.
#[derive(Clone, Debug, Default)]
pub struct StepColumns {
    pub(super) words: Bank<u64>,
    pub(super) values: Bank<i32>,
    /// Deals that passed every `Pass` step.
    pub passed: u128,
    /// Deals whose cell failed at a `Pass` step while they were undecided.
    pub aside: u128,
    /// The result columns, in their order.
    pub given: Vec<[i64; PACKET]>,
    /// The failing cells of each result column.
    pub failing: Vec<u128>,
}

impl StepColumns {
    /// Makes room for a list. Memory is allocated the first time only.
    pub(super) fn prepare(&mut self, steps: &Steps) {
        self.words.grow(steps.words);
        self.values.grow(steps.values);
        if self.given.len() < steps.given {
            self.given.resize(steps.given, [0; PACKET]);
            self.failing.resize(steps.given, 0);
        }
    }
}
