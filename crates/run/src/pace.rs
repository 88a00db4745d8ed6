//! The speed of a run, by slices of time, from which the noise of its throughput is estimated.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::stats::elementary::{exp, hypot};

/// Initial length of a slice, in seconds.
const FIRST_SLICE_SECONDS: f64 = 1.0 / 64.0;
/// Maximum number of slices; a longer run joins them in pairs.
const MOST_SLICES: usize = 128;
/// Bounds of a plausible slice: 0.1 % below the first, and longer than any run.
const LEAST_SLICE: f64 = FIRST_SLICE_SECONDS * 0.999;
const LONGEST_SLICE: f64 = 1e9;
/// Maximum number of groups of slices for a standard error. Groups are as long as possible, because
/// consecutive speeds are correlated.
const MOST_GROUPS: usize = 16;
/// Minimum number of groups for an estimate of the noise.
const FEWEST_GROUPS: usize = 4;
/// Number of deals in each slice of equal time, in complete slices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// Length of a slice, in seconds.
    pub slice_seconds: f64,
    /// Number of deals in each slice.
    pub deals: Vec<u64>,
}

impl Pace {
    /// Whether these values are plausible.
    pub fn is_sound(&self) -> bool {
        let seconds = self.slice_seconds;
        (LEAST_SLICE..=LONGEST_SLICE).contains(&seconds) && self.deals.len() <= MOST_SLICES
    }

    /// Deals per second; `None` without a complete slice or without a deal.
    pub fn rate(&self) -> Option<f64> {
        let deals: f64 = self.deals.iter().map(|&deals| deals as f64).sum();
        let rate = deals / (self.slice_seconds * self.deals.len() as f64);
        (rate.is_finite() && rate > 0.0).then_some(rate)
    }

    /// Relative standard error of the rate by batch means, and its degrees of freedom. Slices are
    /// joined into at most sixteen groups of equal length. `None` with fewer than four groups.
    pub fn noise(&self) -> Option<(f64, usize)> {
        let together = self.deals.len().div_ceil(MOST_GROUPS).max(1);
        let groups = self.deals.chunks_exact(together);
        let rates: Vec<f64> = groups
            .map(|slices| slices.iter().sum::<u64>() as f64)
            .collect();
        let count = rates.len();
        if count < FEWEST_GROUPS {
            return None;
        }
        let mean = rates.iter().sum::<f64>() / count as f64;
        let squares: f64 = rates.iter().map(|rate| (rate - mean).powi(2)).sum();
        let error = (squares / (count * (count - 1)) as f64).sqrt() / mean;
        error.is_finite().then_some((error, count - 1))
    }
}

/// 95 % confidence interval of the ratio of two rates, the second to the first. `None` if either
/// has no [`Pace::noise`].
///
/// The standard error of a logarithm is the relative error (delta method). The degrees of freedom
/// are the smaller of the two, which makes the interval conservative.
pub fn rate_interval(first: &Pace, second: &Pace) -> Option<(f64, f64)> {
    let (one, two) = (first.noise()?, second.noise()?);
    let ratio = second.rate()? / first.rate()?;
    let freedom = one.1.min(two.1) as f64;
    let law = StudentsT::new(0.0, 1.0, freedom).expect("there are degrees of freedom");
    // Exceeded in either direction once in twenty times.
    let half = law.inverse_cdf(0.975) * hypot(one.0, two.0);
    Some((ratio * exp(-half), ratio * exp(half)))
}

/// Records a pace, from all threads.
#[derive(Debug)]
pub struct Pacing {
    begun: Instant,
    pace: Mutex<Pace>,
}

impl Default for Pacing {
    fn default() -> Self {
        Self::begin()
    }
}

impl Pacing {
    /// Starts the clock.
    pub fn begin() -> Self {
        let pace = Pace {
            slice_seconds: FIRST_SLICE_SECONDS,
            deals: Vec::new(),
        };
        Self {
            begun: Instant::now(),
            pace: Mutex::new(pace),
        }
    }

    /// Records finished deals.
    pub fn add(&self, deals: u64) {
        let mut pace = self
            .pace
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        pace.add(self.begun.elapsed(), deals);
    }

    /// Returns the pace so far, without the current slice.
    pub fn end(self) -> Pace {
        let elapsed = self.begun.elapsed();
        let mut pace = self
            .pace
            .into_inner()
            .unwrap_or_else(|poison| poison.into_inner());
        pace.reach(elapsed);
        // The last slice reached is the incomplete one.
        pace.deals.pop();
        pace
    }
}

impl Pace {
    fn add(&mut self, at: Duration, deals: u64) {
        let slice = self.reach(at);
        self.deals[slice] += deals;
    }

    /// Returns the slice of a moment; adds slices as needed.
    fn reach(&mut self, at: Duration) -> usize {
        loop {
            let slice = (at.as_secs_f64() / self.slice_seconds) as usize;
            if slice < MOST_SLICES {
                if self.deals.len() <= slice {
                    self.deals.resize(slice + 1, 0);
                }
                return slice;
            }
            let pairs = self.deals.chunks(2);
            self.deals = pairs.map(|pair| pair.iter().sum()).collect();
            self.slice_seconds *= 2.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_taken_together_when_there_are_too_many() {
        let mut pace = Pace {
            slice_seconds: FIRST_SLICE_SECONDS,
            deals: Vec::new(),
        };
        for slice in 0..1_000u64 {
            let at = (slice as f64 + 0.5) * FIRST_SLICE_SECONDS;
            pace.add(Duration::from_secs_f64(at), slice);
        }
        assert_eq!(pace.slice_seconds, 8.0 * FIRST_SLICE_SECONDS);
        assert_eq!(pace.deals.len(), 125);
        assert_eq!(pace.deals.iter().sum::<u64>(), 999 * 500);
        assert_eq!(pace.deals[3], (24..32).sum::<u64>());
        // A long pause has slices too.
        pace.add(Duration::from_secs(60), 1);
        assert_eq!(pace.slice_seconds, 0.5);
        assert_eq!(pace.deals.len(), 121);
    }

    #[test]
    fn a_pace_has_whole_slices_alone() {
        let pacing = Pacing::begin();
        pacing.add(7);
        let pace = pacing.end();
        assert!(pace.is_sound());
        assert!(pace.deals.iter().sum::<u64>() == 7 || pace.deals.is_empty());
    }

    #[test]
    fn noise_is_that_of_batch_means() {
        let pace = |deals: Vec<u64>| Pace {
            slice_seconds: 0.5,
            deals,
        };
        // 64 slices in 16 groups of four, with 40 and 44 deals alternating.
        let deals: Vec<u64> = (0..64).map(|slice| 10 + (slice / 4) % 2).collect();
        let (error, freedom) = pace(deals).noise().unwrap();
        assert_eq!(freedom, 15);
        assert!((error - (4.0 / 15.0f64).sqrt() / 42.0).abs() < 1e-12);
        assert_eq!(pace(vec![1, 2, 3]).noise(), None);
        assert_eq!(pace(vec![0; 8]).noise(), None);
        assert_eq!(pace(vec![8, 12, 8, 12]).rate(), Some(20.0));
        let (low, high) = rate_interval(&pace(vec![10; 16]), &pace(vec![20; 16])).unwrap();
        assert_eq!((low, high), (2.0, 2.0));
    }
}
