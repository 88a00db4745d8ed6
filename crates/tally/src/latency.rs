//! Time per deal, with one sample per block, in an HDR histogram.
//!
//! Other modules use its samples, its moments, or an interval log in HdrHistogram's format; they do
//! not depend on the histogram.

use std::io;
use std::time::{Duration, SystemTime};

use hdrhistogram::Histogram;
use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{
    IntervalLogWriterBuilder, IntervalLogWriterError, Tag,
};
use serde::{Deserialize, Serialize};

/// Picoseconds per nanosecond. A block's time per deal is a few nanoseconds.
const PS_PER_NS: f64 = 1_000.0;
/// An hour per deal; longer samples are recorded as an hour.
const LONGEST_PS: u64 = 3_600_000_000_000_000;
/// Decimal digits of a sample's precision.
const DIGITS: u8 = 3;
/// Number of values in the first bucket: the power of two that is at least 2 * 10^[`DIGITS`].
const SUB_BUCKETS: u64 = 2_048;
const _: () = assert!(SUB_BUCKETS == (2 * 10u64.pow(DIGITS as u32)).next_power_of_two());

/// The time per deal, by block.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<(u64, u64)>", into = "Vec<(u64, u64)>")]
pub struct Latency {
    picoseconds: Histogram<u64>,
}

impl Default for Latency {
    fn default() -> Self {
        let picoseconds = Histogram::new_with_bounds(1, LONGEST_PS, DIGITS);
        Self {
            picoseconds: picoseconds.expect("these bounds and three digits are allowed"),
        }
    }
}

/// The samples with their numbers.
impl From<Latency> for Vec<(u64, u64)> {
    fn from(latency: Latency) -> Self {
        latency.recorded().collect()
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
    /// Records the time of a block of this number of deals.
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

    /// Returns nanoseconds per deal at this percentile, 0 to 100; `None` before the first block.
    pub fn ns_at(&self, percentile: f64) -> Option<f64> {
        let any = !self.picoseconds.is_empty();
        any.then(|| self.picoseconds.value_at_percentile(percentile) as f64 / PS_PER_NS)
    }

    /// Returns the number of samples.
    pub fn samples(&self) -> u64 {
        self.picoseconds.len()
    }

    /// Returns samples in picoseconds with their numbers, shortest first. Each stands for a range
    /// of times and is the longest of its range.
    pub fn recorded(&self) -> impl Iterator<Item = (u64, u64)> {
        let recorded = self.picoseconds.iter_recorded();
        recorded.map(|sample| {
            (
                sample.value_iterated_to(),
                sample.count_since_last_iteration(),
            )
        })
    }

    /// Returns mean and standard deviation of the samples in picoseconds; 0 before the first.
    pub fn moments(&self) -> (f64, f64) {
        (self.picoseconds.mean(), self.picoseconds.stdev())
    }

    /// Returns the number of buckets, and the number of values in the first one.
    pub fn buckets(&self) -> (u64, u64) {
        (self.picoseconds.buckets().into(), SUB_BUCKETS)
    }
}

/// Samples of an interval of time.
#[derive(Clone, Debug)]
pub struct Interval {
    /// Label without commas, spaces and line breaks.
    pub tag: String,
    /// Start of the interval, from the beginning of the log.
    pub start: Duration,
    /// Length of the interval.
    pub length: Duration,
    /// The samples.
    pub latency: Latency,
}

/// Writes an interval log in HdrHistogram's format: values are picoseconds, and the maximum of an
/// interval is in nanoseconds.
///
/// # Errors
///
/// If `to` cannot be written.
pub fn write_interval_log(
    to: &mut impl io::Write,
    began: SystemTime,
    intervals: impl IntoIterator<Item = Interval>,
) -> io::Result<()> {
    let mut serializer = V2DeflateSerializer::new();
    let mut log = IntervalLogWriterBuilder::new()
        .add_comment("[Histogram log format version 1.3]")
        .add_comment("[picoseconds a deal, one sample a block of deals]")
        .with_start_time(began)
        .with_base_time(began)
        .with_max_value_divisor(PS_PER_NS)
        .begin_log_with(to, &mut serializer)?;
    for interval in intervals {
        let (histogram, tag) = (&interval.latency.picoseconds, Tag::new(&interval.tag));
        log.write_histogram(histogram, interval.start, interval.length, tag)
            .map_err(|error| match error {
                IntervalLogWriterError::IoError(error) => error,
                IntervalLogWriterError::SerializeError(error) => io::Error::other(error),
            })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};

    use super::*;

    #[test]
    fn a_log_holds_every_interval_with_its_tag_and_times() {
        let mut latency = Latency::default();
        for deals in 1..100 {
            latency.record(Duration::from_micros(1), deals);
        }
        let intervals = (0..3u64).map(|round| Interval {
            tag: format!("threads={}", round + 1),
            start: Duration::from_millis(1_500 * round),
            length: Duration::from_millis(250),
            latency: latency.clone(),
        });
        let mut log = Vec::new();
        let began = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        write_interval_log(&mut log, began, intervals).unwrap();
        let mut found = Vec::new();
        for entry in IntervalLogIterator::new(&log) {
            match entry.unwrap() {
                LogEntry::StartTime(time) | LogEntry::BaseTime(time) => {
                    assert_eq!(time, Duration::from_secs(1_800_000_000));
                }
                LogEntry::Interval(interval) => {
                    assert!((interval.max() - 1_000.0).abs() < 1.0);
                    assert_eq!(interval.duration(), Duration::from_millis(250));
                    found.push((
                        interval.tag().unwrap().to_string(),
                        interval.start_timestamp().as_millis(),
                    ));
                }
            }
        }
        let expected = [(1, 0), (2, 1_500), (3, 3_000)];
        assert_eq!(
            found,
            expected.map(|(threads, start)| (format!("threads={threads}"), start))
        );
    }

    #[test]
    fn samples_that_are_kept_as_numbers_give_the_same_histogram() {
        let mut latency = Latency::default();
        for deals in 1..1_000 {
            latency.record(Duration::from_micros(deals * deals), deals);
        }
        let samples = Vec::from(latency.clone());
        assert_eq!(samples, latency.recorded().collect::<Vec<_>>());
        let again = Latency::from(samples);
        assert_eq!(again.picoseconds, latency.picoseconds);
        assert_eq!((again.samples(), again.buckets()), (999, (42, 2_048)));
    }
}
