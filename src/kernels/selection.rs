//! k of n cards, all sets equally likely, from one random word.
//!
//! The n places are taken in groups of thirteen, the last group smaller. C(n, k) is the sum over
//! all *splits* of k, so many from each group, of the products of the groups' binomials
//! (Vandermonde). A number below C(n, k) is therefore a split and a number below its product, whose
//! digits in mixed base are a subset for each group: every set of k has exactly one number. The
//! number is the upper half of word C(n, k), where the lower half is not below 2^64 mod C(n, k)
//! (Lemire); other words are rejected.

use super::PACKET;
use super::lanes::Deposit;
use super::tables::SUBSETS;
use crate::bridge::combinatorics::choose_u64;
use crate::bridge::combinatorics::subset::{STARTS, SUIT};

/// Number of groups of places.
const GROUPS: usize = 4;
/// The upper bits of a word that say which splits its number may belong to.
const GUIDE_BITS: u32 = 7;

/// The sets of k of n cards.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    /// C(n, k).
    ways: u64,
    /// 2^64 mod C(n, k).
    rejected: u64,
    /// By the upper bits of a word: the first split that its number may belong to.
    guide: [u16; (1 << GUIDE_BITS) + 1],
    /// The largest first.
    splits: Vec<Split>,
}

/// So many cards from each group.
#[derive(Clone, Copy, Debug)]
struct Split {
    /// The numbers of these sets: from `start`, below `end`.
    start: u64,
    end: u64,
    /// By group: number of subsets, and their start in [`SUBSETS`].
    ways: [u64; GROUPS],
    subsets: [u16; GROUPS],
}

impl Selection {
    /// The sets of k of n cards.
    ///
    /// # Panics
    ///
    /// If k is above 13 or n, or n above 52.
    pub(crate) fn new(n: usize, k: usize) -> Self {
        assert!(
            k <= SUIT && k <= n && n <= GROUPS * SUIT,
            "{k} of {n} cards"
        );
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
                    let ways: [_; GROUPS] =
                        std::array::from_fn(|group| choose_u64(sizes[group], taken[group]));
                    splits.push(Split {
                        start: 0,
                        end: ways.iter().product(),
                        ways,
                        subsets: taken.map(|count| STARTS[count]),
                    });
                }
            }
        }
        splits.retain(|split| split.end > 0);
        splits.sort_by_key(|split| std::cmp::Reverse(split.end));
        let mut sum = 0;
        for split in &mut splits {
            (split.start, split.end) = (sum, sum + split.end);
            sum = split.end;
        }
        let ways = choose_u64(n, k);
        assert_eq!(sum, ways, "the splits of {k} of {n} cards are all");
        let guide = std::array::from_fn(|part| {
            let least = (part as u128 * u128::from(ways)) >> GUIDE_BITS;
            splits.partition_point(|split| u128::from(split.end) <= least) as u16
        });
        Self {
            ways,
            rejected: ways.wrapping_neg() % ways,
            guide,
            splits,
        }
    }

    /// Returns the set that a word draws, as low bits of n places; `None` if it is rejected.
    #[inline(always)]
    pub(super) fn draw(&self, word: u64) -> Option<u64> {
        let product = u128::from(word) * u128::from(self.ways);
        let (number, low) = ((product >> 64) as u64, product as u64);
        let part = (word >> (64 - GUIDE_BITS)) as usize;
        let mut place = usize::from(self.guide[part]);
        let last = usize::from(self.guide[part + 1]).min(self.splits.len() - 1);
        while place < last && self.splits[place].end <= number {
            place += 1;
        }
        (low >= self.rejected).then(|| self.splits[place].set(number))
    }
}

impl Split {
    /// Returns the set of a number from `start`, below `end`.
    #[inline(always)]
    fn set(&self, number: u64) -> u64 {
        let mut digits = number - self.start;
        let mut set = 0;
        for group in 0..GROUPS {
            let ways = self.ways[group];
            let mut place = usize::from(self.subsets[group]);
            if ways > 1 {
                place += (digits % ways) as usize;
                digits /= ways;
            }
            let subset = SUBSETS[place % SUBSETS.len()];
            set |= u64::from(subset) << (SUIT * group);
        }
        set
    }
}

/// See [`select_one`](super::select_one).
#[inline(always)]
pub(super) fn select_one<D: Deposit>(
    by: D,
    selection: &Selection,
    word: u64,
    pool: u64,
) -> Option<u64> {
    let set = selection.draw(word)?;
    Some(by.deposit(set, pool))
}

/// See [`select`](super::select).
#[inline(always)]
pub(super) fn select<D: Deposit>(
    by: D,
    selections: &[&Selection; PACKET],
    words: &[u64; PACKET],
    pools: &[u64; PACKET],
    chosen: &mut [u64; PACKET],
) -> u128 {
    let mut rejected = 0;
    for i in 0..PACKET {
        match select_one(by, selections[i], words[i], pools[i]) {
            Some(set) => chosen[i] = set,
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
        let mut splits = selection.splits.iter();
        let split = splits.find(|split| number < split.end).unwrap();
        split.set(number)
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
            let mut end = 0;
            for split in &selection.splits {
                assert_eq!(split.start, end);
                end = split.end;
                assert_eq!(split.ways.iter().product::<u64>(), split.end - split.start);
                let mut base = 1;
                let lowest = split.set(split.start);
                counts.insert([0, 1, 2, 3].map(|g| group(lowest, g).count_ones()));
                for g in 0..GROUPS {
                    let mut subsets = BTreeSet::new();
                    for digit in 0..split.ways[g] {
                        let set = split.set(split.start + digit * base);
                        assert_eq!(set.count_ones() as usize, k);
                        assert_eq!(set >> n, 0);
                        let others =
                            |set: u64| (0..GROUPS).filter(|o| *o != g).map(move |o| group(set, o));
                        assert!(others(set).eq(others(lowest)));
                        subsets.insert(group(set, g));
                    }
                    assert_eq!(subsets.len() as u64, split.ways[g]);
                    base *= split.ways[g];
                }
            }
            assert_eq!(
                (end, counts.len()),
                (choose_u64(n, k), selection.splits.len())
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
