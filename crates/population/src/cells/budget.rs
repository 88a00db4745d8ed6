//! The budget of work and memory for making cells.
//!
//! Work is counted in steps of about a nanosecond on a common processor, and is never timed: the
//! same condition and budget give the same result on every machine and with any number of threads.
//! Work of a known size is paid for before it begins.

use std::sync::atomic::{AtomicU64, Ordering};

use super::CellsError;

/// The remaining steps and bytes.
#[derive(Debug)]
pub struct Budget {
    steps: AtomicU64,
    bytes: AtomicU64,
    /// Steps of the work that was paid for.
    spent: AtomicU64,
    /// Steps that would have covered the first work that was refused; 0 before a refusal.
    needed: AtomicU64,
}

impl Budget {
    /// Makes a budget of this many steps and bytes.
    pub fn new(steps: u64, bytes: u64) -> Self {
        Self {
            steps: AtomicU64::new(steps),
            bytes: AtomicU64::new(bytes),
            spent: AtomicU64::new(0),
            needed: AtomicU64::new(0),
        }
    }

    /// Makes a budget that no condition exhausts.
    pub fn unlimited() -> Self {
        Self::new(u64::MAX, u64::MAX)
    }

    /// Returns the steps spent so far, excluding work that the budget did not cover, which was not
    /// begun.
    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Returns the steps without which an exhausted budget would be exhausted again, or `None` if
    /// it lacked memory. The work after the refusal is not included.
    pub fn needed(&self) -> Option<u64> {
        let needed = self.needed.load(Ordering::Relaxed);
        (needed < u64::MAX).then_some(needed)
    }

    /// Pays for work that is about to begin. Work that exceeds the budget exhausts it.
    ///
    /// Only one thread may pay at a time, because the amount spent of an exhausted budget depends
    /// on the order of payments.
    pub(crate) fn spend(&self, steps: u64) -> Result<(), CellsError> {
        if !pay(&self.steps, steps) {
            return Err(self.refuse(self.spent().saturating_add(steps)));
        }
        self.spent.fetch_add(steps, Ordering::Relaxed);
        Ok(())
    }

    /// Checks that the budget covers these steps and bytes, without spending anything.
    pub(crate) fn covers(&self, steps: u64, bytes: u64) -> Result<(), CellsError> {
        let is_left = |left: &AtomicU64, needed| left.load(Ordering::Relaxed) >= needed;
        if !is_left(&self.bytes, bytes) {
            return Err(self.refuse(u64::MAX));
        }
        match is_left(&self.steps, steps) {
            true => Ok(()),
            false => Err(self.refuse(self.spent().saturating_add(steps))),
        }
    }

    /// Pays for memory. Memory is never refunded.
    pub(crate) fn reserve(&self, bytes: u64) -> Result<(), CellsError> {
        match pay(&self.bytes, bytes) {
            true => Ok(()),
            false => Err(self.refuse(u64::MAX)),
        }
    }

    /// Records the steps that would have covered the first refused work.
    fn refuse(&self, needed: u64) -> CellsError {
        let order = Ordering::Relaxed;
        let _ = self.needed.compare_exchange(0, needed, order, order);
        CellsError::OverBudget
    }
}

/// Returns whether the price was covered; otherwise nothing is left.
fn pay(left: &AtomicU64, price: u64) -> bool {
    let pay = |left: u64| Some(left.saturating_sub(price));
    let before = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, pay);
    matches!(before, Ok(left) if left >= price)
}

/// Accumulates small amounts of work and pays for them together.
#[derive(Debug)]
pub(crate) struct Meter<'b> {
    budget: &'b Budget,
    unpaid: u64,
}

impl<'b> Meter<'b> {
    /// Number of steps that are paid for at once.
    const INSTALMENT: u64 = 1 << 16;

    pub(crate) fn new(budget: &'b Budget) -> Self {
        Self { budget, unpaid: 0 }
    }

    pub(super) fn budget(&self) -> &'b Budget {
        self.budget
    }

    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), CellsError> {
        self.unpaid += steps;
        match self.unpaid < Self::INSTALMENT {
            true => Ok(()),
            false => self.settle(),
        }
    }

    /// Pays for the accumulated steps.
    pub(super) fn settle(&mut self) -> Result<(), CellsError> {
        self.budget.spend(std::mem::take(&mut self.unpaid))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exhausted_budget_stays_exhausted() {
        let budget = Budget::new(100, 10);
        assert_eq!(budget.spend(60), Ok(()));
        assert_eq!(budget.spend(41), Err(CellsError::OverBudget));
        assert_eq!(budget.spend(1), Err(CellsError::OverBudget));
        assert_eq!(budget.spent(), 60, "the work that was refused was not done");
        assert_eq!(budget.needed(), Some(101), "the first refusal counts");
        assert_eq!(budget.reserve(10), Ok(()));
        assert_eq!(budget.reserve(1), Err(CellsError::OverBudget));
        let budget = Budget::new(100, 10);
        assert_eq!(budget.covers(101, 11), Err(CellsError::OverBudget));
        assert_eq!(budget.needed(), None, "no number of steps replaces memory");
    }

    #[test]
    fn a_meter_pays_by_instalments_and_leaves_nothing_unpaid() {
        let budget = Budget::new(1 << 20, 0);
        let mut meter = Meter::new(&budget);
        for _ in 0..1_000 {
            meter.spend(100).unwrap();
        }
        assert!(budget.spent() < 100_000);
        meter.settle().unwrap();
        assert_eq!(budget.spent(), 100_000);
        assert_eq!(meter.spend(1 << 20), Err(CellsError::OverBudget));
    }
}
