//! How much work and memory making cells may take.
//!
//! Work is counted in steps of about a nanosecond on a common processor, and never timed: the
//! same condition and budget give the same answer on every machine and with any number of
//! threads. Work of a known size is paid for before it begins.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Unfactored;

/// Steps and bytes that are left.
#[derive(Debug)]
pub struct Budget {
    steps: AtomicU64,
    bytes: AtomicU64,
    /// Steps at the beginning.
    granted: u64,
}

impl Budget {
    /// A budget of this many steps and bytes.
    #[must_use]
    pub fn new(steps: u64, bytes: u64) -> Self {
        Self {
            steps: AtomicU64::new(steps),
            bytes: AtomicU64::new(bytes),
            granted: steps,
        }
    }

    /// A budget that no condition exhausts.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(u64::MAX, u64::MAX)
    }

    /// Returns the steps spent so far: all of them once the budget is exhausted.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.granted - self.steps.load(Ordering::Relaxed)
    }

    /// Pays for work. What exceeds the budget exhausts it, so that the outcome does not depend
    /// on the order in which threads pay.
    pub(super) fn spend(&self, steps: u64) -> Result<(), Unfactored> {
        pay(&self.steps, steps)
    }

    /// Pays for memory, which is not given back.
    pub(super) fn reserve(&self, bytes: u64) -> Result<(), Unfactored> {
        pay(&self.bytes, bytes)
    }
}

fn pay(left: &AtomicU64, price: u64) -> Result<(), Unfactored> {
    let pay = |left: u64| Some(left.saturating_sub(price));
    let before = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, pay);
    match before {
        Ok(left) if left >= price => Ok(()),
        _ => Err(Unfactored::OverBudget),
    }
}

/// Small amounts of work, paid for together.
#[derive(Debug)]
pub(super) struct Meter<'b> {
    budget: &'b Budget,
    unpaid: u64,
}

impl<'b> Meter<'b> {
    /// Steps that are paid for at once.
    const INSTALMENT: u64 = 1 << 16;

    pub(super) fn new(budget: &'b Budget) -> Self {
        Self { budget, unpaid: 0 }
    }

    pub(super) fn budget(&self) -> &'b Budget {
        self.budget
    }

    #[inline]
    pub(super) fn spend(&mut self, steps: u64) -> Result<(), Unfactored> {
        self.unpaid += steps;
        match self.unpaid < Self::INSTALMENT {
            true => Ok(()),
            false => self.settle(),
        }
    }

    /// Pays for what was counted.
    pub(super) fn settle(&mut self) -> Result<(), Unfactored> {
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
        assert_eq!(budget.spend(41), Err(Unfactored::OverBudget));
        assert_eq!(budget.spend(1), Err(Unfactored::OverBudget));
        assert_eq!(budget.spent(), 100);
        assert_eq!(budget.reserve(10), Ok(()));
        assert_eq!(budget.reserve(1), Err(Unfactored::OverBudget));
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
        assert_eq!(meter.spend(1 << 20), Err(Unfactored::OverBudget));
    }
}
