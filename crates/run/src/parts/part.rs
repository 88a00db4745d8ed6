//! Parts of a run: consecutive complete batches for a separate process.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::draw::{DealCount, MOST_DEALS};
use crate::plan::BatchSize;
use crate::plan::{batch_start, batches_begun};

/// Maximum number of parts of a run.
pub(crate) const MOST_PARTS: u64 = 100_000;

/// A part's number and the number of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "SavedPart")]
pub struct Part {
    /// Number of the part, from 1.
    pub part: u64,
    /// Number of parts, at most `MOST_PARTS`.
    pub of: u64,
}

/// The fields of a part, before they are checked.
#[derive(Deserialize)]
struct SavedPart {
    part: u64,
    of: u64,
}

/// Consecutive batches of a run, and their deals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRange {
    /// Numbers of the batches.
    pub batches: Range<u64>,
    /// Their deals.
    pub deals: Range<u64>,
}

/// Error: a run has fewer batches than parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a run of {deals} deals in batches of at most {batch} has {batches}, fewer than {of} parts"
)]
pub struct TooFewBatches {
    deals: u64,
    batch: u64,
    batches: u64,
    of: u64,
}

/// Error: not a part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a part is I/N with I from 1 to N and N at most {MOST_PARTS}, such as 3/7")]
pub struct NoPart;

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

impl FromStr for Part {
    type Err = NoPart;

    fn from_str(text: &str) -> Result<Self, NoPart> {
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| NoPart);
        let (part, of) = text.split_once('/').ok_or(NoPart)?;
        Self::new(number(part)?, number(of)?)
    }
}

impl TryFrom<SavedPart> for Part {
    type Error = NoPart;

    fn try_from(saved: SavedPart) -> Result<Self, NoPart> {
        Self::new(saved.part, saved.of)
    }
}

impl PartRange {
    /// All batches of a run.
    ///
    /// # Panics
    ///
    /// If there are more deals than [`MOST_DEALS`].
    pub fn whole(deals: u64, batch_cap: u64) -> Self {
        assert!(deals <= MOST_DEALS, "a run deals at most {MOST_DEALS}");
        Self {
            batches: 0..batches_begun(deals, batch_cap),
            deals: 0..deals,
        }
    }

    /// Number of deals.
    pub fn count(&self) -> u64 {
        self.deals.end - self.deals.start
    }
}

impl Part {
    /// The part with this number, from 1, of `of` parts.
    ///
    /// # Errors
    ///
    /// If there is no such part, or there are too many.
    pub fn new(part: u64, of: u64) -> Result<Self, NoPart> {
        let is_one = (1..=MOST_PARTS).contains(&of) && (1..=of).contains(&part);
        is_one.then_some(Self { part, of }).ok_or(NoPart)
    }

    /// The number of the part, from 1.
    pub const fn number(self) -> u64 {
        self.part
    }

    /// The number of parts.
    pub const fn of(self) -> u64 {
        self.of
    }

    /// The part's share of a number of deals that are not those of batches.
    pub fn share(self, deals: u64) -> u64 {
        let until = |part: u64| u128::from(deals) * u128::from(part) / u128::from(self.of);
        (until(self.part) - until(self.part - 1)) as u64
    }

    /// The batches of each of `of` parts. Each part has consecutive complete batches, at least one,
    /// and the parts are as equal as the batches allow.
    ///
    /// # Errors
    ///
    /// [`TooFewBatches`] if there are fewer batches than parts.
    pub fn stretches(of: u64, deals: u64, batch_cap: u64) -> Result<Vec<PartRange>, TooFewBatches> {
        let batches = PartRange::whole(deals, batch_cap).batches.end;
        if batches < of {
            return Err(TooFewBatches {
                deals,
                batch: batch_cap,
                batches,
                of,
            });
        }
        // The end of a batch that is nearest to the part's share of the deals ..
        let nearest = |part: u64| {
            let deal = (u128::from(deals) * u128::from(part) / u128::from(of)) as u64;
            let after = batches_begun(deal, batch_cap);
            let end = batch_start(after, batch_cap).min(deals);
            let before = after.saturating_sub(1);
            match deal - batch_start(before, batch_cap).min(deal) < end - deal {
                true => before,
                false => after,
            }
        };
        let mut ends: Vec<u64> = (0..=of).map(nearest).collect();
        // .. but every part has a batch, and leaves one for each later part.
        for (part, i) in (0..=of).zip(0..) {
            let least = if i == 0 { 0 } else { ends[i - 1] + 1 };
            ends[i] = ends[i].max(least).min(batches - (of - part));
        }
        let first_deal = |batch| match batch == batches {
            true => deals,
            false => batch_start(batch, batch_cap),
        };
        let stretches = ends.windows(2).map(|ends| PartRange {
            batches: ends[0]..ends[1],
            deals: first_deal(ends[0])..first_deal(ends[1]),
        });
        Ok(stretches.collect())
    }

    /// The batches of this part.
    ///
    /// # Errors
    ///
    /// As `Part::stretches`.
    pub fn range(self, deals: DealCount, batch: BatchSize) -> Result<PartRange, TooFewBatches> {
        let stretches = Self::stretches(self.of, deals.get(), batch.get())?;
        let place = usize::try_from(self.part - 1).expect("parts are few");
        Ok(stretches[place].clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DEFAULT_BATCH, DEFAULT_DEALS, batches};

    #[test]
    fn parts_have_every_batch_once_and_none_is_empty() {
        for (deals, cap) in [
            (DEFAULT_DEALS, DEFAULT_BATCH),
            (DEFAULT_DEALS, 1 << 20),
            (100_000, 30_000),
            (1_000_003, 1),
            (1, 1),
            (MOST_DEALS, DEFAULT_BATCH),
        ] {
            let all = PartRange::whole(deals, cap);
            for of in [1, 2, 3, 5, 7, 11, 64, 1000] {
                if all.batches.end < of {
                    let error = Part::stretches(of, deals, cap).unwrap_err();
                    assert!(error.to_string().contains("fewer than"), "{error}");
                    continue;
                }
                let stretches = Part::stretches(of, deals, cap).unwrap();
                assert_eq!(stretches.len() as u64, of);
                assert_eq!(stretches[0].deals.start, 0);
                let last = stretches.last().unwrap();
                assert_eq!((last.batches.end, last.deals.end), (all.batches.end, deals));
                for pair in stretches.windows(2) {
                    assert_eq!(pair[0].batches.end, pair[1].batches.start);
                    assert_eq!(pair[0].deals.end, pair[1].deals.start);
                }
                assert!(stretches.iter().all(|range| !range.batches.is_empty()));
                assert!(stretches.iter().all(|range| range.count() > 0));
                for (range, part) in stretches.iter().zip(1..).take(8) {
                    let size = (DealCount::constant(deals), BatchSize::constant(cap));
                    let part = Part::new(part, of).unwrap();
                    assert_eq!(&part.range(size.0, size.1).unwrap(), range);
                }
            }
        }
    }

    #[test]
    fn parts_end_where_batches_do() {
        let (deals, cap) = (10_000_000, 1 << 18);
        let ends: Vec<u64> = batches(deals, cap).map(|batch| batch.end).collect();
        for range in Part::stretches(7, deals, cap).unwrap() {
            assert_eq!(ends[range.batches.end as usize - 1], range.deals.end);
        }
    }

    #[test]
    fn shares_are_about_equal_and_add_up() {
        for (deals, of) in [(0, 3), (2, 7), (1_000_003, 1_000), (u64::MAX, MOST_PARTS)] {
            let shares = (1..=of).map(|part| Part { part, of }.share(deals));
            assert_eq!(shares.clone().sum::<u64>(), deals);
            assert!(shares.clone().max().unwrap() - shares.min().unwrap() <= 1);
        }
    }

    #[test]
    fn small_batches_divide_well() {
        let stretches = Part::stretches(7, 1 << 40, DEFAULT_BATCH).unwrap();
        let fair = (1u64 << 40) / 7;
        for range in stretches {
            assert!(range.count().abs_diff(fair) <= DEFAULT_BATCH);
        }
    }

    #[test]
    fn a_part_is_read_as_it_is_written() {
        for text in ["1/1", "3/7", "100000/100000"] {
            assert_eq!(text.parse::<Part>().unwrap().to_string(), text);
        }
        for text in [
            "0/7", "8/7", "3", "3/", "/7", "-1/7", "1/100001", "1/0", "a/b",
        ] {
            assert_eq!(text.parse::<Part>(), Err(NoPart), "{text}");
        }
    }
}
