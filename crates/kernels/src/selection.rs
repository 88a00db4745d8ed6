//! k of n cards, all sets equally likely, from one random word.
//!
//! The n places are taken in groups of thirteen, the last group smaller. C(n, k) is the sum over
//! all *splits* of k, so many from each group, of the products of the groups' binomials
//! (Vandermonde). A number below C(n, k) is therefore a split and a number below its product, whose
//! digits in mixed base are a subset for each group: every set of k has exactly one number. The
//! number is the upper half of word C(n, k), where the lower half is not below 2^64 mod C(n, k)
//! (Lemire); other words are rejected.

use std::sync::OnceLock;

use super::PACKET;
use super::lanes::Deposit;
use super::tables::SUBSETS;
use fairdeal_bridge::combinatorics::choose_u64;
use fairdeal_bridge::combinatorics::subset::{STARTS, SUIT};

/// Number of groups of places.
const GROUPS: usize = 4;
/// Maximum number of places.
const MOST_PLACES: usize = GROUPS * SUIT;
/// The upper bits of a word that say which splits its number may belong to.
const GUIDE_BITS: u32 = 7;
/// Number of bits of a split's numbers of cards, four for each group.
const COUNT_BITS: usize = 4 * GROUPS;

/// The sets of k of n cards.
#[derive(Clone, Debug)]
struct Selection {
    /// C(n, k).
    ways: u64,
    /// 2^64 mod C(n, k).
    rejected: u64,
    /// Number of places of each group.
    sizes: [u8; GROUPS],
    /// By the upper bits of a word: the first split that its number may belong to.
    guide: [u16; 1 << GUIDE_BITS],
    /// Each split as the first number of its sets, above the number of cards from each group. Splits
    /// with more sets come first. After the last is the number of all sets.
    splits: Vec<u64>,
}

/// The subsets of a group's places with a given number of members.
#[derive(Clone, Copy, Debug)]
struct GroupSubsets {
    /// 2^63 divided by the number of subsets, rounded up.
    inverse: u64,
    /// Number of subsets.
    ways: u32,
    /// Their start in [`SUBSETS`].
    start: u32,
}

/// By number of places and of members.
static GROUP_SUBSETS: [[GroupSubsets; 16]; 16] = {
    let none = GroupSubsets {
        inverse: 0,
        ways: 0,
        start: 0,
    };
    let mut all = [[none; 16]; 16];
    let mut size = 0;
    while size <= SUIT {
        let mut count = 0;
        while count <= size {
            let ways = choose_u64(size, count);
            all[size][count] = GroupSubsets {
                inverse: (1u64 << 63).div_ceil(ways),
                ways: ways as u32,
                start: STARTS[count] as u32,
            };
            count += 1;
        }
        size += 1;
    }
    all
};

const _: () = assert!(choose_u64(MOST_PLACES, SUIT) < 1 << 40);

impl GroupSubsets {
    /// Divides a number below 2^40 by the number of subsets. As the inverse is too large by less than
    /// 1, the quotient before rounding is too large by less than 2^-23, and no number of subsets
    /// exceeds 2^11.
    #[inline(always)]
    fn divide(&self, number: u64) -> u64 {
        ((u128::from(2 * number) * u128::from(self.inverse)) >> 64) as u64
    }
}

impl Selection {
    /// Returns the sets of k of n cards, made when they are first needed. `None` if k is above 13 or
    /// n, or n above 52.
    #[inline(always)]
    fn of(n: u32, k: u32) -> Option<&'static Self> {
        static ALL: [[OnceLock<Selection>; SUIT + 1]; MOST_PLACES + 1] =
            [const { [const { OnceLock::new() }; SUIT + 1] }; MOST_PLACES + 1];
        let cell = ALL.get(n as usize)?.get(k as usize)?;
        (k <= n).then(|| cell.get_or_init(|| Self::new(n as usize, k as usize)))
    }

    #[cold]
    fn new(n: usize, k: usize) -> Self {
        let sizes = [0, 1, 2, 3].map(|group| n.saturating_sub(SUIT * group).min(SUIT));
        let mut splits = Vec::new();
        let counts = 0..=k;
        for a in counts.clone() {
            for b in counts.clone() {
                for c in counts.clone() {
                    let Some(d) = k.checked_sub(a + b + c) else {
                        continue;
                    };
                    let taken = [a, b, c, d];
                    let ways = (0..GROUPS).map(|group| choose_u64(sizes[group], taken[group]));
                    splits.push((ways.product::<u64>(), taken));
                }
            }
        }
        splits.retain(|(sets, _)| *sets > 0);
        splits.sort_by_key(|(sets, _)| std::cmp::Reverse(*sets));
        let ways = choose_u64(n, k);
        let mut start = 0;
        let mut splits: Vec<u64> = splits
            .into_iter()
            .map(|(sets, taken)| {
                let counts = (0..GROUPS).map(|group| (taken[group] as u64) << (4 * group));
                let split = start << COUNT_BITS | counts.sum::<u64>();
                start += sets;
                split
            })
            .collect();
        assert_eq!(start, ways, "the splits of {k} of {n} cards are all");
        splits.push(ways << COUNT_BITS);
        let guide = std::array::from_fn(|part| {
            let least = ((part as u128 * u128::from(ways)) >> GUIDE_BITS) as u64;
            (splits.partition_point(|split| split >> COUNT_BITS <= least) - 1) as u16
        });
        Self {
            ways,
            rejected: ways.wrapping_neg() % ways,
            sizes: sizes.map(|size| size as u8),
            guide,
            splits,
        }
    }

    /// Returns the set that a word draws, as low bits of n places; `None` if it is rejected.
    #[inline(always)]
    fn draw(&self, word: u64) -> Option<u64> {
        let product = u128::from(word) * u128::from(self.ways);
        let (number, low) = ((product >> 64) as u64, product as u64);
        let mut place = usize::from(self.guide[(word >> (64 - GUIDE_BITS)) as usize]);
        // Every number is below that of all sets, after the last split.
        while self.splits[place + 1] >> COUNT_BITS <= number {
            place += 1;
        }
        (low >= self.rejected).then(|| self.set(self.splits[place], number))
    }

    /// Returns the set with this number, which belongs to the split.
    #[inline(always)]
    fn set(&self, split: u64, number: u64) -> u64 {
        let mut digits = number - (split >> COUNT_BITS);
        let mut set = 0;
        for group in 0..GROUPS {
            let size = usize::from(self.sizes[group]);
            let count = (split >> (4 * group)) as usize;
            let subsets = &GROUP_SUBSETS[size % 16][count % 16];
            let rest = subsets.divide(digits);
            let digit = digits - rest * u64::from(subsets.ways);
            let place = digit as usize + subsets.start as usize;
            set |= u64::from(SUBSETS[place % SUBSETS.len()]) << (SUIT * group);
            digits = rest;
        }
        set
    }
}

/// See [`select_one`](super::select_one).
#[inline(always)]
pub(super) fn select_one<D: Deposit>(by: D, word: u64, held: u64, pool: u64) -> Option<u64> {
    Some(held | by.deposit(draw_set(word, held, pool)?, pool))
}

/// Returns the set that completes the held cards, as low bits of the pool's places.
#[inline(always)]
pub(super) fn draw_set(word: u64, held: u64, pool: u64) -> Option<u64> {
    let missing = (SUIT as u32).wrapping_sub(held.count_ones());
    Selection::of(pool.count_ones(), missing)?.draw(word)
}

/// See [`select`](super::select).
#[inline(always)]
pub(super) fn select<D: Deposit>(
    by: D,
    words: &[u64; PACKET],
    held: &[u64; PACKET],
    pools: &[u64; PACKET],
    hands: &mut [u64; PACKET],
) -> u128 {
    let mut rejected = 0;
    for i in 0..PACKET {
        match select_one(by, words[i], held[i], pools[i]) {
            Some(hand) => hands[i] = hand,
            None => rejected |= 1 << i,
        }
    }
    rejected
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The set of each number, however it is found.
    fn set(selection: &Selection, number: u64) -> u64 {
        let is_before = |split: &u64| split >> COUNT_BITS <= number;
        let place = selection.splits.partition_point(is_before) - 1;
        selection.set(selection.splits[place], number)
    }

    #[test]
    fn inverses_divide_every_number_exactly() {
        const END: u64 = 1 << 40;
        let of_some = GROUP_SUBSETS.as_flattened().iter();
        for subsets in of_some.filter(|subsets| subsets.ways > 0) {
            let ways = u64::from(subsets.ways);
            let last = END / ways;
            // Quotients rise with the number: the first and the last number of each decide.
            for quotient in (1..last).step_by(1 + last as usize / 1_000).chain([last]) {
                assert_eq!(subsets.divide(quotient * ways), quotient);
                assert_eq!(subsets.divide(quotient * ways - 1), quotient - 1);
            }
        }
    }

    #[test]
    fn every_set_has_one_number() {
        for n in 0..=if cfg!(miri) { 6 } else { 18 } {
            for k in 0..=n.min(13) {
                let selection = Selection::new(n, k);
                assert_eq!(selection.ways, choose_u64(n, k));
                let sets: BTreeSet<u64> = (0..selection.ways)
                    .map(|number| set(&selection, number))
                    .collect();
                assert_eq!(sets.len() as u64, selection.ways, "{k} of {n}");
                let is_one = |set: &u64| set.count_ones() as usize == k && set >> n == 0;
                assert!(sets.iter().all(is_one), "{k} of {n}");
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "its sets take long, and nothing here is unsafe")]
    fn every_split_of_many_cards_has_its_sets_once() {
        // What two splits draw differs in some group's count; within one, digits are subsets.
        for (n, k) in [
            (26, 13),
            (30, 4),
            (36, 13),
            (39, 13),
            (47, 13),
            (52, 13),
            (52, 1),
        ] {
            let selection = Selection::new(n, k);
            let group = |set: u64, group: usize| set >> (SUIT * group) & 0x1FFF;
            let mut counts = BTreeSet::new();
            for pair in selection.splits.windows(2) {
                let (split, start, end) = (pair[0], pair[0] >> COUNT_BITS, pair[1] >> COUNT_BITS);
                let taken = [0, 1, 2, 3].map(|g| (split >> (4 * g)) as usize & 15);
                let size = |g: usize| usize::from(selection.sizes[g]);
                let ways = [0, 1, 2, 3].map(|g| choose_u64(size(g), taken[g]));
                assert_eq!(ways.iter().product::<u64>(), end - start);
                let mut base = 1;
                let lowest = selection.set(split, start);
                counts.insert([0, 1, 2, 3].map(|g| group(lowest, g).count_ones()));
                for (g, ways) in ways.into_iter().enumerate() {
                    let mut subsets = BTreeSet::new();
                    for digit in 0..ways {
                        let set = selection.set(split, start + digit * base);
                        assert_eq!(set.count_ones() as usize, k);
                        assert_eq!(set >> n, 0);
                        let others =
                            |set: u64| (0..GROUPS).filter(|o| *o != g).map(move |o| group(set, o));
                        assert!(others(set).eq(others(lowest)));
                        subsets.insert(group(set, g));
                    }
                    assert_eq!(subsets.len() as u64, ways);
                    base *= ways;
                }
            }
            assert_eq!(selection.splits[0] >> COUNT_BITS, 0);
            let end = selection.splits.last().unwrap() >> COUNT_BITS;
            assert_eq!(
                (end, counts.len()),
                (choose_u64(n, k), selection.splits.len() - 1)
            );
        }
    }

    #[test]
    fn words_are_shared_out_as_lemire_does() {
        let all = [(1, 1), (5, 2), (9, 3), (26, 13), (39, 13), (52, 13)];
        for (n, k) in all.into_iter().take(if cfg!(miri) { 2 } else { 6 }) {
            let selection = Selection::new(n, k);
            let ways = u128::from(selection.ways);
            let share = (1u128 << 64) / ways;
            let some = (0..selection.ways).step_by(1 + selection.ways as usize / 997);
            for number in some.chain([selection.ways - 1]).map(u128::from) {
                // The words of a number, and those that are rejected, are next to each other.
                let first = (number << 64).div_ceil(ways);
                let end = ((number + 1) << 64).div_ceil(ways);
                let drawn = |word: u128| selection.draw(word as u64);
                let rejected = (first..end)
                    .take_while(|word| drawn(*word).is_none())
                    .count();
                assert_eq!(end - first - rejected as u128, share, "{k} of {n}");
                let expected = Some(set(&selection, number as u64));
                assert_eq!(drawn(first + rejected as u128), expected);
                assert_eq!(drawn(end - 1), expected);
            }
        }
    }
}
