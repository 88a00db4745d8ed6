//! Exact choices by integer weights, with one look into a table (Walker's alias method).
//!
//! 2^k columns, k the least for which each item has one, share the weights W equally: item
//! i's weight w_i is 2^k w_i of 2^k W. A column is its own item's up to a **limit** t of W,
//! and one other item's beyond. A word chooses: its k high bits the column, and the rest a
//! number U in [0, 1): own if U < t / W. The table has floor(2^32 t / W), which decides
//! unless it equals the next 32 bits of the word. Then, once in four thousand million
//! choices, the **tie** is broken with the column's exact limit: own if a fresh number
//! below W is below 2^32 t mod W. So every item comes with probability w_i / W exactly.

use bytemuck::{Pod, Zeroable};

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Column {
    /// floor(2^32 t / W), or the largest number if the column is all its own.
    pub(crate) threshold: u32,
    /// What it holds below the limit.
    pub(crate) own: u32,
    /// What it holds from there on.
    pub(crate) alias: u32,
}

/// Where a list's columns are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct List {
    pub(crate) start: u32,
    /// There are 2^bits columns.
    pub(crate) bits: u32,
}

/// A column's exact limit, of W, and the place of the item that has what is beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    pub(crate) limit: u128,
    pub(crate) alias: u32,
}

/// The limits of all columns for these weights, of which W < 2^96 is the sum, and there are
/// 2^24 at most.
pub(crate) fn limits(weights: &[u128]) -> Vec<Limit> {
    let columns = weights.len().next_power_of_two();
    let total: u128 = weights.iter().sum();
    debug_assert!(total >> 96 == 0 && columns <= 1 << 24);
    let itself = |place| Limit {
        limit: total,
        alias: place,
    };
    let mut limits: Vec<Limit> = (0..columns as u32).map(itself).collect();
    let mut left: Vec<u128> = weights
        .iter()
        .map(|weight| weight * columns as u128)
        .collect();
    left.resize(columns, 0);
    let (mut small, mut large) = (Vec::new(), Vec::new());
    for (place, &weight) in left.iter().enumerate() {
        let list = if weight < total {
            &mut small
        } else {
            &mut large
        };
        list.push(place);
    }
    // Each small column is filled up from a large one, which may become small by that.
    while let (Some(&low), Some(&high)) = (small.last(), large.last()) {
        small.pop();
        limits[low] = Limit {
            limit: left[low],
            alias: high as u32,
        };
        left[high] -= total - left[low];
        if left[high] < total {
            large.pop();
            small.push(high);
        }
    }
    // Weights are integers: what is left of both is nothing.
    debug_assert!(small.is_empty());
    limits
}

/// Appends the columns of a list of items with these weights.
pub(crate) fn push(columns: &mut Vec<Column>, items: &[u32], weights: &[u128]) {
    debug_assert_eq!(items.len(), weights.len());
    let total: u128 = weights.iter().sum();
    let limits = limits(weights);
    columns.extend(limits.iter().enumerate().map(|(place, column)| {
        let alias = items[column.alias as usize % items.len()];
        // Columns beyond the items have none of their own.
        let own = items.get(place).copied().unwrap_or(alias);
        let threshold = match column.limit == total {
            true => u32::MAX,
            false => ((column.limit << 32) / total) as u32,
        };
        Column {
            threshold,
            own,
            alias,
        }
    }));
}

/// Breaks a tie: the number below W from which on a column is its alias's.
pub(crate) fn tie(limit: u128, total: u128) -> u128 {
    (limit << 32) % total
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernels::{self, Found, PACKET, Path};

    /// The 32 bits of a word after those that choose one of 2^`bits` columns.
    fn next_bits(word: u64, bits: u32) -> u32 {
        (word << bits >> 32) as u32
    }

    /// What each item has of 2^k W, by the columns' limits.
    fn shares(weights: &[u128]) -> Vec<u128> {
        let total: u128 = weights.iter().sum();
        let mut shares = vec![0; weights.len().next_power_of_two()];
        for (place, column) in limits(weights).iter().enumerate() {
            shares[place] += column.limit;
            shares[column.alias as usize] += total - column.limit;
        }
        shares
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: if cfg!(miri) { 4 } else { 500 },
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn every_item_has_exactly_its_weight(
            weights in prop::collection::vec(0u128..1 << 90, 1..50),
            one: bool,
        ) {
            let mut weights = weights;
            weights[0] += u128::from(one || weights.iter().all(|w| *w == 0));
            let columns = weights.len().next_power_of_two() as u128;
            let mut wanted: Vec<u128> = weights.iter().map(|weight| weight * columns).collect();
            wanted.resize(columns as usize, 0);
            prop_assert_eq!(shares(&weights), wanted);
        }

        /// The 32 bits of the table and the tie behind them say what the limit says: of all
        /// 2^32 W numbers, those below 2^32 t are the column's own.
        #[test]
        fn thresholds_and_ties_are_the_limit(
            weights in prop::collection::vec(1u128..1000, 1..9),
            word: u64,
        ) {
            let total: u128 = weights.iter().sum();
            let items: Vec<u32> = (0..weights.len() as u32).map(|i| 100 + i).collect();
            let mut columns = Vec::new();
            push(&mut columns, &items, &weights);
            let bits = columns.len().ilog2();
            let place = word.checked_shr(64 - bits).unwrap_or(0);
            let exact = limits(&weights)[place as usize];
            let column = columns[place as usize];
            for next in [next_bits(word, bits), column.threshold, column.threshold.saturating_sub(1)] {
                let word = (u128::from(place) << 64 | u128::from(next) << 32) >> bits;
                let words = [word as u64; PACKET];
                let columns: &[[u32; 3]] = bytemuck::cast_slice(&columns);
                for &path in Path::available() {
                    let (mut found, mut items) = (Found::default(), [0; PACKET]);
                    kernels::find(path, &[[0, bits]], columns, &[0; PACKET], &words, &mut found);
                    let is_tie = kernels::decide(path, columns, &found, &mut items);
                    prop_assert_eq!(u64::from(found.places[7]), place);
                    prop_assert_eq!(found.next[7], next);
                    for fresh in 0..total {
                        let own = u128::from(next) * total + fresh < exact.limit << 32;
                        let wanted = match own {
                            true => 100 + place as u32,
                            false => 100 + exact.alias,
                        };
                        let found = match is_tie {
                            false => items[7],
                            true if fresh < tie(exact.limit, total) => column.own,
                            true => column.alias,
                        };
                        prop_assert_eq!(found, wanted);
                    }
                }
            }
        }
    }

    #[test]
    fn a_word_is_a_column_and_what_follows() {
        let word = 0x1234_5678_9ABC_DEF0;
        assert_eq!(
            [0, 8, 24].map(|bits| next_bits(word, bits)),
            [0x1234_5678, 0x3456_789A, 0x789A_BCDE]
        );
    }
}
