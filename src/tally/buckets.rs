//! Sorting by buckets.

/// Number of bits of a bucket. Buckets of a few million items fit in the nearest cache.
pub(super) const BUCKET_BITS: u32 = 11;

/// Puts items in the order of their buckets, and sorts each bucket.
///
/// # Panics
///
/// If a bucket is not below 2^[`BUCKET_BITS`].
pub(super) fn in_buckets<T: Copy + Default + Ord>(
    items: &[T],
    bucket_of: impl Fn(T) -> u64,
) -> Vec<T> {
    let bucket_of = |item: T| bucket_of(item) as usize;
    let mut ends = vec![0; 1 << BUCKET_BITS];
    for &item in items {
        ends[bucket_of(item)] += 1;
    }
    let mut end = 0;
    for bucket in &mut ends {
        (*bucket, end) = (end, end + *bucket);
    }
    let mut ordered = vec![T::default(); items.len()];
    for &item in items {
        let next = &mut ends[bucket_of(item)];
        ordered[*next] = item;
        *next += 1;
    }
    let mut rest = &mut ordered[..];
    let mut before = 0;
    for end in ends {
        let (bucket, others) = std::mem::take(&mut rest).split_at_mut(end - before);
        bucket.sort_unstable();
        (rest, before) = (others, end);
    }
    ordered
}
