//! Exact choices by integer weights with one table lookup (Walker's alias method).
//!
//! There are 2^k columns, with the smallest k that gives each item a column of its own. W is the
//! sum of the weights. Each column has size W, and item i has 2^k w_i of the total 2^k W. A column
//! belongs to its own item up to a **limit** t out of W, and to one other item, its alias, beyond.
//!
//! A random word makes the choice. Its k high bits select the column, and the rest is a number U in
//! [0, 1): the own item is chosen if U < t / W. The table stores floor(2^32 t / W), which decides
//! unless it equals the next 32 bits of the word. In this case, once in 2^32 choices, the **tie**
//! is broken with the column's exact limit: the own item is chosen if a fresh number below W is
//! below 2^32 t mod W. Every item is therefore chosen with probability exactly w_i / W.

use std::ops::{Mul, Sub, SubAssign};

use bytemuck::{Pod, Zeroable};

/// A column of a table.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct AliasColumn {
    /// floor(2^32 t / W), or the largest number if the column belongs to its own item alone.
    pub threshold: u32,
    /// The item below the limit.
    pub own: u32,
    /// The item from the limit on.
    pub alias: u32,
}

/// The position of a list's columns.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct List {
    pub start: u32,
    /// The binary logarithm of the number of columns.
    pub bits: u32,
}

/// A column's exact limit out of W, and the index of the item beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit<T = u128> {
    pub(crate) limit: T,
    pub(crate) alias: u32,
}

/// An integer that holds the weights of a list and 2^k W.
trait ListWeight:
    Copy + Ord + Default + Sub<Output = Self> + SubAssign + Mul<Output = Self> + Into<u128>
{
}

impl ListWeight for u64 {}
impl ListWeight for u128 {}

/// Returns the limits of all columns for these weights. Their sum W must be below 2^96, and there
/// may be at most 2^24 weights.
pub(crate) fn limits(weights: &[u128]) -> Vec<Limit> {
    let total: u128 = weights.iter().sum();
    let columns = weights.len().next_power_of_two();
    debug_assert!(total >> 96 == 0 && columns <= 1 << 24);
    limits_in(weights.to_vec(), total, columns as u128)
}

/// Returns the limits of `columns` columns for these weights of sum `total`.
fn limits_in<T: ListWeight>(weights: Vec<T>, total: T, columns: T) -> Vec<Limit<T>> {
    let count = weights.len().next_power_of_two();
    let itself = |place| Limit {
        limit: total,
        alias: place,
    };
    let mut limits: Vec<Limit<T>> = (0..count as u32).map(itself).collect();
    let mut left = weights;
    for weight in &mut left {
        *weight = *weight * columns;
    }
    left.resize(count, T::default());
    let (mut small, mut large) = (Vec::new(), Vec::new());
    for (place, &weight) in (0u32..).zip(&left) {
        let list = if weight < total {
            &mut small
        } else {
            &mut large
        };
        list.push(place);
    }
    // Each small column is filled from a large one, which may become small.
    while let (Some(&low), Some(&high)) = (small.last(), large.last()) {
        small.pop();
        let (low, place) = (low as usize, high as usize);
        limits[low] = Limit {
            limit: left[low],
            alias: high,
        };
        let filled = total - left[low];
        left[place] -= filled;
        if left[place] < total {
            large.pop();
            small.push(high);
        }
    }
    // The weights are integers, so nothing is left of either.
    debug_assert!(small.is_empty());
    limits
}

/// Appends the columns of a list of items with these weights.
pub(crate) fn push(columns: &mut Vec<AliasColumn>, items: &[u32], weights: &[u128]) {
    debug_assert_eq!(items.len(), weights.len());
    let total: u128 = weights.iter().sum();
    let count = weights.len().next_power_of_two() as u64;
    // Most lists need only numbers of 64 bits.
    match u64::try_from(total) {
        Ok(total) if total.checked_mul(count).is_some() => {
            let weights = weights.iter().map(|weight| *weight as u64).collect();
            push_limits(columns, items, &limits_in(weights, total, count), total);
        }
        _ => push_limits(columns, items, &limits(weights), total),
    }
}

fn push_limits<T: ListWeight>(
    columns: &mut Vec<AliasColumn>,
    items: &[u32],
    limits: &[Limit<T>],
    total: T,
) {
    columns.extend(limits.iter().enumerate().map(|(place, column)| {
        let alias = items[column.alias as usize % items.len()];
        // Columns beyond the items have no item of their own.
        let own = items.get(place).copied().unwrap_or(alias);
        let threshold = match column.limit == total {
            true => u32::MAX,
            false => ((column.limit.into() << 32) / total.into()) as u32,
        };
        AliasColumn {
            threshold,
            own,
            alias,
        }
    }));
}

/// Returns the bound for breaking a tie: a number below W chooses the own item below this bound.
#[inline]
pub fn tie(limit: u128, total: u128) -> u128 {
    (limit << 32) % total
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernels::{self, Isa, PACKET, SelectedColumns};

    /// Returns the 32 bits of a word after those that choose one of 2^`bits` columns.
    fn next_bits(word: u64, bits: u32) -> u32 {
        (word << bits >> 32) as u32
    }

    /// Returns each item's part of 2^k W, by the columns' limits.
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
        #![proptest_config(ProptestConfig::with_cases(500))]

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

        /// Numbers of 64 bits give the same columns as numbers of 128 bits.
        #[test]
        fn small_weights_have_the_columns_of_large_ones(
            weights in prop::collection::vec(0u128..1 << 40, 1..50),
        ) {
            let mut weights = weights;
            weights[0] += 1;
            let items: Vec<u32> = (0..weights.len() as u32).collect();
            let [small, large] = [0, 50].map(|bits| {
                let weights: Vec<u128> = weights.iter().map(|weight| weight << bits).collect();
                let mut columns = Vec::new();
                push(&mut columns, &items, &weights);
                columns
            });
            prop_assert_eq!(small, large);
        }

        /// The 32 bits of the table and the tie are equivalent to the limit: of all 2^32 W numbers,
        /// those below 2^32 t select the column's own item.
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
                for &isa in Isa::available() {
                    let (mut found, mut items) = (SelectedColumns::default(), [0; PACKET]);
                    kernels::find(isa, &[[0, bits]], columns, &[0; PACKET], &words, &mut found);
                    let is_tie = kernels::decide(isa, columns, &found, &mut items);
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
