//! How long a deal takes: one sample a block, in an HDR histogram.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// Picoseconds a nanosecond: a block's share for one deal is a few of the latter.
const PS_PER_NS: f64 = 1_000.0;
/// An hour a deal; longer ones are recorded as an hour.
const LONGEST_PS: u64 = 3_600_000_000_000_000;

/// The time a deal took, by block.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<(u64, u64)>", into = "Vec<(u64, u64)>")]
pub struct Latency {
    picoseconds: Histogram<u64>,
}

impl Default for Latency {
    fn default() -> Self {
        let picoseconds = Histogram::new_with_bounds(1, LONGEST_PS, 3);
        Self {
            picoseconds: picoseconds.expect("these bounds and three digits are allowed"),
        }
    }
}

/// Samples, and how many there are of each.
impl From<Latency> for Vec<(u64, u64)> {
    fn from(latency: Latency) -> Self {
        let recorded = latency.picoseconds.iter_recorded();
        recorded
            .map(|samples| {
                (
                    samples.value_iterated_to(),
                    samples.count_since_last_iteration(),
                )
            })
            .collect()
    }
}

impl From<Vec<(u64, u64)>> for Latency {
    fn from(samples: Vec<(u64, u64)>) -> Self {
        let mut latency = Self::default();
        for (picoseconds, count) in samples {
            latency.picoseconds.saturating_record_n(picoseconds, count);
        }
        latency
    }
}

impl Latency {
    /// Records a block of so many deals.
    pub fn record(&mut self, elapsed: Duration, deals: u64) {
        let share = elapsed.as_nanos().saturating_mul(1_000) / u128::from(deals.max(1));
        self.picoseconds
            .saturating_record(u64::try_from(share).unwrap_or(LONGEST_PS).max(1));
    }

    /// Adds the samples of another.
    pub fn merge(&mut self, other: &Self) {
        let added = self.picoseconds.add(&other.picoseconds);
        added.expect("all have the same bounds");
    }

    /// Nanoseconds a deal at this percentile, 0 to 100; `None` before the first block.
    #[must_use]
    pub fn ns_at(&self, percentile: f64) -> Option<f64> {
        let any = !self.picoseconds.is_empty();
        any.then(|| self.picoseconds.value_at_percentile(percentile) as f64 / PS_PER_NS)
    }
}
