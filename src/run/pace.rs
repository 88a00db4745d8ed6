//! How fast a run went, slice of time by slice: what there is to tell the noise of its
//! throughput by.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Seconds of a slice at first.
const FIRST_SLICE_SECONDS: f64 = 1.0 / 64.0;
/// Most slices; a run that needs more takes them together in pairs.
const MOST_SLICES: usize = 128;
/// Slices of no clock: a thousandth less than the first, and longer than any run.
const LEAST_SLICE: f64 = FIRST_SLICE_SECONDS * 0.999;
const LONGEST_SLICE: f64 = 1e9;
/// Most slices that a standard error is made of: as long as they can be, because the
/// speed of a moment is like that of the moment before.
const MOST_GROUPS: usize = 16;
/// Fewest slices that say anything about noise.
const FEWEST_GROUPS: usize = 4;
/// Deals by slice of equal time, in whole slices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// Seconds of a slice.
    pub slice_seconds: f64,
    /// Deals that were done in each.
    pub deals: Vec<u64>,
}

impl Pace {
    /// Whether a run can have had it.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let seconds = self.slice_seconds;
        (LEAST_SLICE..=LONGEST_SLICE).contains(&seconds) && self.deals.len() <= MOST_SLICES
    }

    /// Deals a second; `None` if no slice was whole, or no deal was done in any.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        let deals: f64 = self.deals.iter().map(|&deals| deals as f64).sum();
        let rate = deals / (self.slice_seconds * self.deals.len() as f64);
        (rate.is_finite() && rate > 0.0).then_some(rate)
    }

    /// The relative standard error of the rate by batch means, and its degrees of freedom:
    /// slices are taken together to at most sixteen, as long ones as there can be. `None`
    /// of fewer than four slices.
    #[must_use]
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

/// The ratio of two rates with 95 % of confidence, the second to the first: its lower and
/// its upper end. `None` where either has no [`Pace::noise`].
///
/// The error of a logarithm is the relative error (the delta method); of the degrees of
/// freedom those of the pace that has fewer are taken, which makes the interval wider
/// than it need be.
#[must_use]
pub fn rate_interval(first: &Pace, second: &Pace) -> Option<(f64, f64)> {
    let (one, two) = (first.noise()?, second.noise()?);
    let ratio = second.rate()? / first.rate()?;
    let freedom = one.1.min(two.1) as f64;
    let law = StudentsT::new(0.0, 1.0, freedom).expect("there are degrees of freedom");
    // Exceeded, either way, once in twenty.
    let half = law.inverse_cdf(0.975) * one.0.hypot(two.0);
    Some((ratio * (-half).exp(), ratio * half.exp()))
}

/// A pace being taken, from all threads.
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
    /// Time begins now.
    #[must_use]
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

    /// So many deals are done.
    pub fn add(&self, deals: u64) {
        let mut pace = self
            .pace
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        pace.add(self.begun.elapsed(), deals);
    }

    /// The pace up to now, without the slice that has begun.
    #[must_use]
    pub fn end(self) -> Pace {
        let elapsed = self.begun.elapsed();
        let mut pace = self
            .pace
            .into_inner()
            .unwrap_or_else(|poison| poison.into_inner());
        pace.reach(elapsed);
        // The slice that is going on is the last of those reached.
        pace.deals.pop();
        pace
    }
}

impl Pace {
    fn add(&mut self, at: Duration, deals: u64) {
        let slice = self.reach(at);
        self.deals[slice] += deals;
    }

    /// The slice of a moment, made if it is not there.
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
        // A long rest has its slices too.
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
        // 64 slices in 16 groups of four: of 40 and 44 in turn.
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
