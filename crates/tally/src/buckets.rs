//! Large lists divided into buckets, to sort them, and the repeated items of lists.

/// Number of bits of a bucket. Buckets of a few million items fit in the nearest cache.
pub(super) const BUCKET_BITS: u32 = 11;

/// Puts items in the order of their buckets, and sorts each bucket.
///
/// # Panics
///
/// If a bucket is not below 2^[`BUCKET_BITS`].
pub(super) fn in_buckets(items: &[u64], bucket_of: impl Fn(u64) -> u64) -> Vec<u64> {
    let bucket_of = |item: u64| bucket_of(item) as usize;
    let mut ends = vec![0; 1 << BUCKET_BITS];
    for &item in items {
        ends[bucket_of(item)] += 1;
    }
    let mut end = 0;
    for bucket in &mut ends {
        (*bucket, end) = (end, end + *bucket);
    }
    let mut ordered = vec![0; items.len()];
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

/// Returns every item of several lists that equals an earlier one, in any order: an item that occurs
/// n times is returned n - 1 times.
///
/// Each item sets two bits of a filter. Only an item that finds both of them set can equal an earlier
/// one; about one in fifty different items does by chance.
pub(super) fn repeated<'a>(lists: impl Iterator<Item = &'a [u64]> + Clone) -> Vec<u64> {
    let length: usize = lists.clone().map(<[u64]>::len).sum();
    let (mut seen, mut suspects) = (BitFilter::new(8 * length), Vec::new());
    for list in lists.clone() {
        extend_where(&mut suspects, list, |item| seen.insert(item));
    }
    if suspects.is_empty() {
        return suspects;
    }
    // Few enough for the nearest cache.
    let mut suspected = BitFilter::new(16 * suspects.len());
    for item in suspects {
        suspected.insert(item);
    }
    let mut candidates = Vec::new();
    for list in lists {
        extend_where(&mut candidates, list, |item| suspected.contains(item));
    }
    let ordered = in_buckets(&candidates, |item| {
        spread(item) >> (u64::BITS - BUCKET_BITS)
    });
    let neighbours = ordered.windows(2).filter(|pair| pair[0] == pair[1]);
    neighbours.map(|pair| pair[0]).collect()
}

/// Adds the items for which the predicate is true.
fn extend_where(kept: &mut Vec<u64>, items: &[u64], mut holds: impl FnMut(u64) -> bool) {
    const RUN: usize = 256;
    let mut run = [0; RUN];
    for items in items.chunks(RUN) {
        // A branch for each item would often be predicted wrongly.
        let mut found = 0;
        for &item in items {
            run[found] = item;
            found += usize::from(holds(item));
        }
        kept.extend_from_slice(&run[..found]);
    }
}

/// Spreads items that differ in any bits over the upper ones.
fn spread(item: u64) -> u64 {
    // From the golden ratio.
    item.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Two bits for each item, in one word.
struct BitFilter {
    words: Vec<u64>,
    /// Number of bits of an item that do not select its word.
    shift: u32,
}

impl BitFilter {
    /// Creates an empty filter of at least this number of bits.
    fn new(bits: usize) -> Self {
        let words = bits.div_ceil(64).next_power_of_two().max(2);
        Self {
            words: vec![0; words],
            shift: u64::BITS - words.ilog2(),
        }
    }

    /// Returns the place of an item's word, and its bits.
    fn place(&self, item: u64) -> (usize, u64) {
        let spread = spread(item);
        let bits = 1 << (spread >> 20 & 63) | 1 << (spread >> 26 & 63);
        ((spread >> self.shift) as usize, bits)
    }

    /// Sets the bits of an item; returns whether they were set.
    fn insert(&mut self, item: u64) -> bool {
        let (word, bits) = self.place(item);
        let word = &mut self.words[word];
        let were_set = *word & bits == bits;
        *word |= bits;
        were_set
    }

    /// Returns whether the bits of an item are set.
    fn contains(&self, item: u64) -> bool {
        let (word, bits) = self.place(item);
        self.words[word] & bits == bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Items with few different values, and with many.
    fn lists() -> impl Iterator<Item = Vec<u64>> {
        [
            (0, 7),
            (1, 7),
            (1_000, 3),
            (1_000, 12),
            (20_000, 40),
            (20_000, 64),
        ]
        .into_iter()
        .map(|(length, bits)| {
            let mut word = 7u64;
            let words = std::iter::repeat_with(|| {
                word = word.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
                word >> (64 - bits) << (64 - bits)
            });
            words.take(length).collect()
        })
    }

    #[test]
    fn buckets_in_order_are_the_sorted_list() {
        for mut list in lists() {
            let ordered = in_buckets(&list, |item| item >> (u64::BITS - BUCKET_BITS));
            list.sort_unstable();
            assert_eq!(ordered, list);
        }
    }

    #[test]
    fn repeated_items_are_those_equal_to_their_neighbour_in_the_sorted_list() {
        for list in lists() {
            for parts in [1, 2, 300] {
                let length = list.len().div_ceil(parts).max(1);
                let mut found = repeated(list.chunks(length));
                found.sort_unstable();
                let mut sorted = list.clone();
                sorted.sort_unstable();
                let pairs = sorted.windows(2).filter(|pair| pair[0] == pair[1]);
                let expected: Vec<u64> = pairs.map(|pair| pair[0]).collect();
                assert_eq!(found, expected);
            }
        }
    }
}
