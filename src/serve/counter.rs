//! Numbers of things that are open, such as connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of open things of a kind.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenCounter(Arc<AtomicUsize>);

/// Counts as open until it is dropped.
#[derive(Debug)]
pub(super) struct Open(OpenCounter);

impl OpenCounter {
    /// The number now.
    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Opens one more.
    pub(super) fn open(&self) -> Open {
        self.0.fetch_add(1, Ordering::Relaxed);
        Open(self.clone())
    }

    /// Opens one more; `None` if `most` are open.
    pub(super) fn open_within(&self, most: usize) -> Option<Open> {
        let open = self.open();
        (self.count() <= most).then_some(open)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_free_again() {
        let counter = OpenCounter::default();
        let (first, second) = (counter.open_within(2), counter.open_within(2));
        assert!(first.is_some() && second.is_some() && counter.open_within(2).is_none());
        assert_eq!(counter.count(), 2);
        drop(first);
        assert!(counter.open_within(2).is_some());
        assert_eq!(counter.count(), 1);
    }
}
