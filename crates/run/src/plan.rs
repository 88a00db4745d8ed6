//! Batches: how the deals of a run are divided.

use std::ops::Range;

use crate::count::Count;
pub use crate::draw::{DealCount, MOST_DEALS};

/// Default number of deals of a run: the essay's batch.
pub const DEFAULT_DEALS: u64 = 10_485_760;

/// Default maximum batch size, in deals: 2^26.
pub const DEFAULT_BATCH: u64 = 1 << 26;

/// Largest maximum batch size: each node of a batch's split has a stream of 2^39 bits.
pub const LARGEST_BATCH: u64 = 1 << 36;

/// A maximum batch size, in deals.
pub type BatchSize = Count<1, LARGEST_BATCH>;

/// Deals of the first batch; the second ends at twice that, and so on.
const FIRST_BATCH: u64 = 1 << 14;

/// The batches of a run as ranges of deals: 2^14, 2^14, 2^15, 2^16 .. deals up to the cap. The cap
/// is from 1 to [`LARGEST_BATCH`]; the last batch has the remaining deals.
///
/// Every look of the battery, at 2^14, 2^15, 2^16 .. deals, ends a batch, and batches are as large
/// as the cap allows.
///
/// # Panics
///
/// If there are more than [`MOST_DEALS`].
pub fn batches(deals: u64, cap: u64) -> impl Iterator<Item = Range<u64>> {
    assert!(deals <= MOST_DEALS, "a run deals at most {MOST_DEALS}");
    batches_between(0, deals, cap)
}

/// The batches from `start` on, which must start a batch.
pub(super) fn batches_between(
    mut start: u64,
    deals: u64,
    cap: u64,
) -> impl Iterator<Item = Range<u64>> {
    std::iter::from_fn(move || {
        if start >= deals {
            return None;
        }
        let batch = batch_from(start, cap);
        let batch = batch.start..batch.end.min(deals);
        start = batch.end;
        Some(batch)
    })
}

/// Number of a run's [`batches`] before a deal, if the deal ends a batch or is the first.
pub(crate) fn batches_before(deal: u64, deals: u64, cap: u64) -> Option<u64> {
    let cap = cap.clamp(1, LARGEST_BATCH);
    // Between two looks, all batches but the last have the maximum size.
    let (mut start, mut look, mut before) = (0, FIRST_BATCH, 0);
    while look <= deal {
        before += (look - start).div_ceil(cap);
        (start, look) = (look, look.checked_mul(2)?);
    }
    let within = deal - start;
    let is_end = within.is_multiple_of(cap) || deal == deals;
    is_end.then(|| before + within.div_ceil(cap))
}

/// Number of batches that start before a deal.
pub(super) fn batches_begun(deal: u64, cap: u64) -> u64 {
    let cap = cap.clamp(1, LARGEST_BATCH);
    let (mut start, mut look, mut before) = (0, FIRST_BATCH, 0);
    while look < deal {
        before += (look - start).div_ceil(cap);
        (start, look) = (look, look.saturating_mul(2));
    }
    before + (deal - start).div_ceil(cap)
}

/// First deal of a batch in an endless run.
pub(super) fn batch_start(number: u64, cap: u64) -> u64 {
    let cap = cap.clamp(1, LARGEST_BATCH);
    let (mut start, mut look, mut before) = (0u64, FIRST_BATCH, 0);
    loop {
        let within = (look - start).div_ceil(cap);
        if number - before < within {
            return start.saturating_add((number - before).saturating_mul(cap));
        }
        before += within;
        (start, look) = (look, look.saturating_mul(2));
    }
}

/// The batch that starts at a deal, in an endless run.
pub fn batch_from(start: u64, cap: u64) -> Range<u64> {
    // The batch from 2^k on would end at 2^(k+1).
    let next_look = match start {
        0 => FIRST_BATCH,
        start => (start + 1).next_power_of_two().max(FIRST_BATCH),
    };
    start..start + (next_look - start).min(cap.clamp(1, LARGEST_BATCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(deals: u64, cap: u64) -> Vec<u64> {
        batches(deals, cap)
            .map(|batch| batch.end - batch.start)
            .collect()
    }

    #[test]
    fn batches_double_up_to_the_cap_and_the_last_holds_what_is_left() {
        let k = 1 << 14;
        assert!(lengths(0, DEFAULT_BATCH).is_empty());
        assert_eq!(lengths(1000, DEFAULT_BATCH), [1000]);
        assert_eq!(lengths(10 * k, DEFAULT_BATCH), [k, k, 2 * k, 4 * k, 2 * k]);
        assert_eq!(lengths(10 * k, 2 * k), [k, k, 2 * k, 2 * k, 2 * k, 2 * k]);
        assert_eq!(lengths(10, 3), [3, 3, 3, 1]);
    }

    #[test]
    fn batches_are_counted_without_going_through_them() {
        for (deals, cap) in [
            (1000, 300),
            (1 << 16, 1 << 14),
            (100_000, 30_000),
            (70_000, 1 << 26),
            (0, 1),
        ] {
            let mut ends = vec![0];
            ends.extend(batches(deals, cap).map(|batch| batch.end));
            for (number, start) in (0..).zip(&ends) {
                if *start < deals {
                    assert_eq!(batch_start(number, cap), *start, "{number} {cap}");
                }
            }
            for deal in 0..=deals {
                let begun = ends.iter().filter(|start| **start < deal).count();
                assert_eq!(batches_begun(deal, cap), begun as u64, "{deal} {cap}");
                let place = ends.binary_search(&deal).ok();
                let before = batches_before(deal, deals, cap);
                assert_eq!(
                    before,
                    place.map(|place| place as u64),
                    "{deal} {deals} {cap}"
                );
            }
        }
        assert_eq!(batches_before(u64::MAX, u64::MAX, 1), None);
    }

    #[test]
    fn the_longest_run_ends_with_its_last_deal() {
        let last = batches(MOST_DEALS, LARGEST_BATCH).last();
        assert_eq!(last.map(|batch| batch.end), Some(MOST_DEALS));
    }

    #[test]
    #[should_panic(expected = "a run deals at most 10000000000000000")]
    fn a_longer_run_is_refused() {
        _ = batches(MOST_DEALS + 1, DEFAULT_BATCH);
    }

    #[test]
    fn every_look_ends_a_batch_and_no_deal_is_missing() {
        for cap in [DEFAULT_BATCH, 100_000, 1 << 20] {
            let all: Vec<Range<u64>> = batches(DEFAULT_DEALS, cap).collect();
            assert_eq!(all[0].start, 0);
            assert_eq!(all.last().map(|batch| batch.end), Some(DEFAULT_DEALS));
            assert!(all.windows(2).all(|pair| pair[0].end == pair[1].start));
            for look in (14..24)
                .map(|k| 1 << k)
                .filter(|look| *look <= DEFAULT_DEALS)
            {
                assert!(all.iter().any(|batch| batch.end == look), "{look}");
            }
        }
    }
}
