//! Theory of one or two hands that are dealt by cells.
//!
//! For a listing, sums come from its records; here they come from the cells, in which the honours
//! of both hands are known. The rest is the same as for a listing.

use super::lengths::{LengthWays, digits, patterns};
use super::summary::{BESIDE, CLASSES, CaseSums, ListedProperties, OFF};
use super::{Theory, TheoryError};
use crate::bridge::Honours;
use crate::bridge::combinatorics::choose_u64;
use crate::population::cells::{CellSums, DealtSuit, SumClass};

/// A set of hands, one bit for each role.
pub(super) type RoleSet = u8;

/// Returns the roles of a set of hands.
fn roles(hands: RoleSet) -> impl Iterator<Item = usize> {
    (0..4).filter(move |role| hands >> role & 1 == 1)
}

/// Returns the honours of a suit that these hands hold.
fn honours(dealt: &DealtSuit, hands: RoleSet) -> Honours {
    let held = roles(hands).fold(0, |held, role| held | dealt.honours[role]);
    Honours::of_suit(dealt.suit, held)
}

/// Returns the digit of a suit at its place, in the order of suits.
fn digit(base: usize, dealt: &DealtSuit, digit: usize) -> usize {
    base.pow(3 - dealt.suit.index() as u32) * digit
}

/// Returns the numbers of aces, kings, queens and jacks of these hands, as digits to base 5.
pub(super) fn ranks(hands: RoleSet) -> SumClass {
    let adds = move |dealt: &DealtSuit| honours(dealt, hands).weighted([125, 25, 5, 1]) as usize;
    SumClass::new(CLASSES, adds)
}

/// Returns the HCP of these hands.
pub(super) fn hcp(hands: RoleSet) -> SumClass {
    SumClass::new(41, move |dealt| honours(dealt, hands).hcp() as usize)
}

/// Returns the suit lengths of these hands, as digits to base 14.
pub(super) fn lengths(hands: RoleSet) -> SumClass {
    SumClass::new(14 * 14 * 14 * 14, move |dealt| {
        let length: u8 = roles(hands).map(|role| dealt.lengths[role]).sum();
        digit(14, dealt, usize::from(length))
    })
}

/// Returns the suit lengths of these hands if only the first `patterns` roles have fixed patterns.
/// The other hands take their spots from those that the fixed hands leave.
pub(super) fn lengths_by_spots(hands: RoleSet, patterns: usize) -> SumClass {
    SumClass::by_spots(14 * 14 * 14 * 14, hands, move |dealt| {
        let is_fixed = |role: &usize| *role < patterns;
        let fixed: u8 = roles(hands)
            .filter(is_fixed)
            .map(|role| dealt.lengths[role])
            .sum();
        let others: Vec<usize> = roles(hands).filter(|role| !is_fixed(role)).collect();
        let held = others
            .iter()
            .map(|role| dealt.honours[*role].count_ones() as usize)
            .sum::<usize>();
        let taken = (0..patterns).map(|role| {
            usize::from(dealt.lengths[role])
                .saturating_sub(dealt.honours[role].count_ones() as usize)
        });
        let left = 9usize.saturating_sub(taken.sum());
        let most = if others.is_empty() { 0 } else { left };
        let length = usize::from(fixed) + held;
        let each =
            (0..=most).map(|spots| (digit(14, dealt, length + spots), choose_u64(left, spots)));
        each.collect()
    })
}

/// Returns the numbers of honours of these hands by suit, as digits to base 5.
pub(super) fn counts(hands: RoleSet) -> SumClass {
    SumClass::new(CLASSES, move |dealt| count(dealt, hands))
}

fn count(dealt: &DealtSuit, hands: RoleSet) -> usize {
    digit(5, dealt, honours(dealt, hands).len() as usize)
}

/// Returns the first hand's HCP times 625, plus the ranks of both hands.
fn beside() -> SumClass {
    SumClass::new(BESIDE, |dealt| {
        let both = honours(dealt, 0b11).weighted([125, 25, 5, 1]);
        honours(dealt, 0b01).hcp() as usize * CLASSES + both as usize
    })
}

/// Returns the classes of honours by suit of both hands.
fn both_counts() -> SumClass {
    SumClass::new(CLASSES * CLASSES, |dealt| {
        count(dealt, 0b01) * CLASSES + count(dealt, 0b10)
    })
}

/// Selects the ways of each pattern from ways indexed by lengths as digits.
pub(super) fn by_pattern(lengths: &[u128]) -> Vec<u128> {
    let of_pattern = |pattern: &[u8; 4]| lengths[digits(pattern)];
    patterns().iter().map(of_pattern).collect()
}

/// Returns the ways in which each hand holds each honour, bit 0 first.
pub(super) fn held(suits: &[(DealtSuit, u128)]) -> [[u128; 16]; 4] {
    let mut held = [[0; 16]; 4];
    for (dealt, ways) in suits {
        for (role, held) in held.iter_mut().enumerate() {
            let honours = honours(dealt, 1 << role).bits();
            for (bit, sum) in held.iter_mut().enumerate() {
                if honours >> bit & 1 == 1 {
                    *sum += ways;
                }
            }
        }
    }
    held
}

/// Computes the theory of one or two hands with `total` ways to deal them.
pub(super) fn theory(sums: &CellSums<'_>, total: u128) -> Result<Theory, TheoryError> {
    let roles = sums.roles();
    let first = roles.seats[0];
    let second = (roles.dealt == 2).then_some(roles.seats[1]);
    let kind = ListedProperties {
        by_pattern: roles.by_pattern > 0,
        by_honours: true,
    };
    let mut summary = CaseSums::new(kind, second.map(|_| kind), total);
    let suits = sums.by_suit();
    let [one, two, ..] = held(&suits);
    summary.held = [one, two];

    // Each hand alone, and all listed hands together.
    let hands: &[RoleSet] = match second {
        None => &[0b01],
        Some(_) => &[0b01, 0b10, 0b11],
    };
    let mut classes: Vec<SumClass> = hands.iter().map(|&hands| ranks(hands)).collect();
    if roles.by_pattern > 0 {
        classes.extend(hands.iter().map(|&hands| lengths(hands)));
    } else {
        classes.push(both_counts());
    }
    if second.is_some_and(|second| second != first.partner()) {
        classes.push(beside());
    }
    let mut found = sums.by_class(&classes).into_iter();

    for (hand, ranks) in found.by_ref().take(hands.len()).enumerate() {
        summary.union.clone_from(&ranks);
        if hand < roles.dealt {
            summary.ranks[hand] = ranks;
        }
    }
    let lengths = if roles.by_pattern > 0 {
        let by_hand: Vec<Vec<u128>> = found.by_ref().take(hands.len()).collect();
        LengthWays::of_sums(&by_hand, &suits)
    } else {
        for (class, ways) in found.next().into_iter().flatten().enumerate() {
            if ways != 0 {
                let [one, two] = [class / CLASSES, class % CLASSES].map(|class| class as u16);
                summary.suit_groups.insert((OFF as u16, one, two), ways);
            }
        }
        LengthWays::new(&summary)?
    };
    summary.beside = found.next().unwrap_or_default();
    Theory::of_summary(&summary, &lengths, first, second)
}
