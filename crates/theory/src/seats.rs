//! The distribution of a card's seat, from a summary.

use super::TheoryError;
use super::lengths::LengthWays;
use super::summary::{CaseSums, ListedProperties, mixed_index};
use crate::bridge::{Card, Honours, Pattern, Suit};

/// A multiple of every number up to 13, times nine: the share of a pool of at most thirteen cards
/// is divided among nine spots.
const PARTS: u128 = 360_360 * 9;

/// The denominator of the ways is T times this. The last factor divides the cards outside the
/// listed hands among two or three others.
pub(super) const OF: u128 = PARTS * 6;

/// Returns for a card the ways of the first hand, of the second, and of each other hand, out of T
/// times [`OF`].
pub(super) fn of_card(
    card: Card,
    summary: &CaseSums,
    lengths: &LengthWays,
) -> Result<[u128; 3], TheoryError> {
    let listed = [Some(summary.first), summary.second];
    let mut parts = [0; 2];
    for hand in 0..2 {
        if let Some(kind) = listed[hand] {
            parts[hand] =
                of_listed(card, summary, lengths, hand, kind).ok_or(TheoryError::Inconsistent)?;
        }
    }
    let all = summary.total * PARTS;
    let rest = all
        .checked_sub(parts[0])
        .and_then(|rest| rest.checked_sub(parts[1]));
    let others = if summary.second.is_some() { 2 } else { 3 };
    let each = rest.ok_or(TheoryError::Inconsistent)? * 6 / others;
    Ok([parts[0] * 6, parts[1] * 6, each])
}

/// Returns the sum of ways times the number of honours of a suit held.
pub(super) fn in_suit(held: &[u128; 16], suit: Suit) -> u128 {
    let first = 12 - 4 * suit.index();
    held[first..first + 4].iter().sum()
}

/// Returns the ways, out of T times [`PARTS`], in which this listed hand holds the card.
fn of_listed(
    card: Card,
    summary: &CaseSums,
    lengths: &LengthWays,
    hand: usize,
    kind: ListedProperties,
) -> Option<u128> {
    let suit = card.suit();
    let by_pattern = Pattern::all().zip(&lengths.patterns[hand]);
    let cards: u128 = by_pattern
        .map(|(p, ways)| u128::from(p.length(suit)) * ways)
        .sum();
    if kind.by_honours {
        let held = &summary.held[hand];
        if let Some(honour) = Honours::of_card(card) {
            return Some(held[honour.bits().trailing_zeros() as usize] * PARTS);
        }
        // Its spots in the suit are any of nine.
        let honours = in_suit(held, suit);
        return Some(cards.checked_sub(honours)? * (PARTS / 9));
    }
    if summary.mixed_suits.is_empty() {
        // Its cards in the suit are any of thirteen.
        return Some(cards * (PARTS / 13));
    }
    // Its cards in the suit are any of those outside the other hand.
    let mut sum = 0;
    for both in 0..=13u8 {
        for other in 0..=13 - both {
            for nibble in 0..16u16 {
                let index = mixed_index(suit.index(), both, other, nibble);
                let ways = summary.mixed_suits[index];
                if ways == 0 || both == 13 {
                    continue;
                }
                let share = PARTS / u128::from(13 - both) * u128::from(other) * ways;
                sum += match Honours::of_card(card) {
                    Some(honour) if nibble & honour.suit(suit) != 0 => 0,
                    Some(_) => share,
                    // Of nine spots, those that the other hand does not hold.
                    None => {
                        let spots = u128::from(both).checked_sub(nibble.count_ones().into())?;
                        share / 9 * 9u128.checked_sub(spots)?
                    }
                };
            }
        }
    }
    Some(sum)
}
