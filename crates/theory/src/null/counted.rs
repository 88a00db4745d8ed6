//! The laws counted from all matrices, and the file that keeps them.
//!
//! The **matrix** of a deal has each seat's length of each suit; its rows and columns sum to 13. D
//! is the sum over the 37,478,624 matrices of the product over suits of 13! / (n! e! s! w!). Sums
//! over matrices are computed for two suits at a time; two halves are joined if together they fill
//! every hand.

use super::super::lengths::{choices, less, patterns};
use super::super::summary::digits;
use super::{Distribution, LAWS, NullLaws, null_laws};
use crate::bridge::combinatorics::{DEALS, choose};
use crate::bridge::honours::HCP_COUNT;
use crate::bridge::pattern::SHAPE_COUNT;
use crate::bridge::{Honours, PatternIndex};

fn counted() -> NullLaws {
    NullLaws {
        joint_shapes: joint_shapes(),
        joint_hcp: joint_hcp(),
        flatness: Distribution::new(flatness(), DEALS),
        voids: Distribution::new(voids(), DEALS),
        overlap: Distribution::new(overlap(), DEALS),
        longest_suit: Distribution::new(longest_suit(), DEALS),
        longest_of_hand: longest_of_hand(),
        best_fit: best_fit(),
    }
}

/// Returns the laws in the file's format.
fn written(laws: &NullLaws) -> String {
    let mut text = String::from("law,outcome,ways\n");
    let mut add = |name: &str, law: &Distribution| {
        for (outcome, ways) in law.ways().iter().enumerate().filter(|(_, ways)| **ways > 0) {
            text += &format!("{name},{outcome},{ways}\n");
        }
    };
    add("joint shapes", &laws.joint_shapes);
    add("joint HCP", &laws.joint_hcp);
    add("flatness", &laws.flatness);
    add("voids", &laws.voids);
    add("overlap", &laws.overlap);
    add("longest suit", &laws.longest_suit);
    add("longest of hand", &laws.longest_of_hand);
    add("best fit", &laws.best_fit);
    text
}

/// `FAIRDEAL_BLESS=1` writes the file.
#[test]
fn the_file_has_the_laws_that_are_counted() {
    let laws = counted();
    let text = written(&laws);
    if std::env::var_os("FAIRDEAL_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/null/laws.csv");
        std::fs::write(path, &text).expect("the source folder is writable");
    }
    assert!(text == LAWS, "FAIRDEAL_BLESS=1 writes laws.csv again");
    assert_eq!(laws, null_laws());
}

/// Counts two seats' patterns: the product of C(13, n) C(13 - n, m).
fn joint_shapes() -> Distribution {
    let patterns = patterns();
    let shapes: Vec<usize> = PatternIndex::all()
        .map(|index| index.shape_index().get())
        .collect();
    let mut ways = vec![0; SHAPE_COUNT * SHAPE_COUNT];
    for (n, &first) in patterns.iter().zip(&shapes) {
        let of_first = choices(&[13; 4], n);
        let Some(left) = less(&[13; 4], n) else {
            continue;
        };
        for (m, &second) in patterns.iter().zip(&shapes) {
            ways[first * SHAPE_COUNT + second] += of_first * choices(&left, m);
        }
    }
    Distribution::new(ways, choose(52, 13) * choose(39, 13))
}

/// Counts two seats' HCP: sets of honours without common cards, with spots C(36, 13 - h) C(23 + h,
/// 13 - k).
fn joint_hcp() -> Distribution {
    // Sets of honours by number of each rank: multinomials of four suits for each rank.
    let mut ways = vec![0; HCP_COUNT * HCP_COUNT];
    let each: Vec<(u16, [u8; 4], usize, usize)> = (0..625u16)
        .map(|class| {
            let ranks = digits(class);
            let count = ranks.iter().map(|&n| usize::from(n)).sum();
            let points = ranks
                .iter()
                .zip([4, 3, 2, 1])
                .map(|(&n, v)| usize::from(n) * v)
                .sum();
            (class, ranks, count, points)
        })
        .filter(|&(_, _, count, _)| count <= 13)
        .collect();
    for &(_, first, h, first_points) in &each {
        let of_first = choices(&[4; 4], &first) * choose(36, 13 - h);
        let Some(left) = less(&[4; 4], &first) else {
            continue;
        };
        for &(_, second, k, second_points) in &each {
            let sets = choices(&left, &second);
            ways[first_points * HCP_COUNT + second_points] +=
                of_first * sets * choose(23 + h, 13 - k);
        }
    }
    debug_assert!(Honours::all().all(|map| map.hcp() < HCP_COUNT as u32));
    Distribution::new(ways, choose(52, 13) * choose(39, 13))
}

/// Ways of two suits, indexed by the number of cards that they give to each seat ([`place`]) and by
/// a statistic of both. Empty if no two suits give those numbers.
type Half = Vec<Vec<u128>>;

/// Returns the index in a [`Half`] of numbers of cards at the seats; the fourth seat's number
/// follows.
fn place(filled: &[u8; 4]) -> usize {
    let [a, b, c, _] = filled.map(usize::from);
    (a * 14 + b) * 14 + c
}

/// Counts the ways of two suits by a statistic: `both` combines the values of `each`, a function of
/// a suit's number and its four lengths.
fn half(
    suits: [usize; 2],
    each: impl Fn(usize, &[u8; 4]) -> usize,
    both: impl Fn(usize, usize) -> usize,
) -> Half {
    let patterns = patterns();
    let [firsts, seconds] = suits.map(|suit| {
        let of_suit = |lengths: &[u8; 4]| (*lengths, each(suit, lengths), arrangements(lengths));
        patterns.iter().map(of_suit).collect::<Vec<_>>()
    });
    let mut half = vec![Vec::new(); 14 * 14 * 14];
    for (first, a, of_first) in &firsts {
        for (second, b, of_second) in &seconds {
            let filled: [u8; 4] = std::array::from_fn(|seat| first[seat] + second[seat]);
            if filled.iter().any(|&cards| cards > 13) {
                continue;
            }
            let (sums, value) = (&mut half[place(&filled)], both(*a, *b));
            if sums.len() <= value {
                sums.resize(value + 1, 0);
            }
            sums[value] += of_first * of_second;
        }
    }
    half
}

/// Returns the number of ways to give a suit's thirteen cards to the seats with these lengths.
fn arrangements(lengths: &[u8; 4]) -> u128 {
    let [a, b, c, _] = lengths.map(usize::from);
    choose(13, a) * choose(13 - a, b) * choose(13 - a - b, c)
}

/// Joins two halves that together fill every hand.
fn joined(first: &Half, second: &Half, outcomes: usize) -> Vec<u128> {
    let mut ways = vec![0; outcomes];
    // Three hands' remaining cards have the index of full hands less their own index.
    let last = place(&[13; 4]);
    for (filled, sums) in first.iter().enumerate() {
        let others = &second[last - filled];
        for (a, x) in sums.iter().enumerate().filter(|(_, x)| **x != 0) {
            for (b, y) in others.iter().enumerate().filter(|(_, y)| **y != 0) {
                ways[a + b] += x * y;
            }
        }
    }
    ways
}

fn flatness() -> Vec<u128> {
    let square = |n: &u8| usize::from(*n) * usize::from(*n);
    let squares = |_: usize, lengths: &[u8; 4]| lengths.iter().map(square).sum();
    let two = half([0, 1], squares, |a, b| a + b);
    joined(&two, &two, 677)
}

fn voids() -> Vec<u128> {
    let empty = |_: usize, lengths: &[u8; 4]| lengths.iter().filter(|&&n| n == 0).count();
    let two = half([0, 1], empty, |a, b| a + b);
    joined(&two, &two, 13)
}

/// Counts the overlap. The second deal gives o_st cards of the first deal's seat s to seat t: the
/// same matrices, with the seats of the first deal instead of suits.
fn overlap() -> Vec<u128> {
    let same = |seat: usize, given: &[u8; 4]| usize::from(given[seat]);
    let [first, second] = [[0, 1], [2, 3]].map(|seats| half(seats, same, |a, b| a + b));
    joined(&first, &second, 53)
}

/// Counts deals by longest suit: deals within each bound, less those within the previous one.
fn longest_suit() -> Vec<u128> {
    let longest =
        |_: usize, lengths: &[u8; 4]| lengths.iter().fold(0, |most, &n| most.max(n.into()));
    let mut within = half([0, 1], longest, usize::max);
    for ways in &mut within {
        ways.resize(14, 0);
        for bound in 1..14 {
            ways[bound] += ways[bound - 1];
        }
    }
    let mut below = 0;
    (0..14)
        .map(|bound| {
            // As in `joined`: the halves that fill every hand are in opposite order.
            let halves = within.iter().zip(within.iter().rev());
            let up_to: u128 = halves.map(|(one, other)| one[bound] * other[bound]).sum();
            let exactly = up_to - below;
            below = up_to;
            exactly
        })
        .collect()
}

fn longest_of_hand() -> Distribution {
    let mut ways = vec![0; 14];
    for lengths in patterns() {
        let longest = lengths.iter().copied().max().unwrap_or(0);
        ways[usize::from(longest)] += choices(&[13; 4], &lengths);
    }
    Distribution::new(ways, choose(52, 13))
}

fn best_fit() -> Distribution {
    let mut ways = vec![0; 14];
    for s in 0..=13u8 {
        for h in 0..=13u8 {
            for d in 0..=13u8 {
                let Some(c) = 26u8.checked_sub(s + h + d).filter(|&c| c <= 13) else {
                    continue;
                };
                let lengths = [s, h, d, c];
                let longest = lengths.into_iter().max().unwrap_or(0);
                ways[usize::from(longest)] += choices(&[13; 4], &lengths);
            }
        }
    }
    Distribution::new(ways, choose(52, 26))
}
