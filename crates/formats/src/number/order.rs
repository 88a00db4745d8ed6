//! The two orders of the cards for numbering deals.
//!
//! Cards are a mask of 52 bits, with bit 0 for the first card of the order.

use crate::bridge::Hand;

/// Converts a hand to the order SA SK .. S2 HA .. C2.
pub(super) fn by_suits(hand: Hand) -> u64 {
    let bits = hand.bits();
    let lane = |suit: u32| bits >> (16 * suit) & 0x1FFF;
    lane(0) | lane(1) << 13 | lane(2) << 26 | lane(3) << 39
}

/// Inverts [`by_suits`].
pub(crate) fn from_suits(cards: u64) -> Hand {
    let lane = |suit: u32| (cards >> (13 * suit) & 0x1FFF) << (16 * suit);
    Hand::from_bits(lane(0) | lane(1) | lane(2) | lane(3))
}

/// Converts a hand to the order SA HA DA CA SK .. C2.
///
/// Bit 16 s + r moves to 4 r + s: of its six binary digits, the upper two become the lower two, by
/// two exchanges of two digits each.
pub(super) fn by_ranks(hand: Hand) -> u64 {
    let cards = exchange::<5, 3>(hand.bits());
    let cards = exchange::<4, 2>(cards);
    let cards = exchange::<3, 1>(cards);
    exchange::<2, 0>(cards)
}

/// Inverts [`by_ranks`].
pub(super) fn from_ranks(cards: u64) -> Hand {
    let cards = exchange::<2, 0>(cards);
    let cards = exchange::<3, 1>(cards);
    let cards = exchange::<4, 2>(cards);
    Hand::from_bits(exchange::<5, 3>(cards))
}

/// Packs the lower bit of each pair, the lowest pair first.
pub(crate) fn lower_bits(pairs: u128) -> u64 {
    let half = |pairs: u64| {
        let mut bits = pairs & 0x5555_5555_5555_5555;
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333;
        bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F;
        bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF;
        bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF;
        (bits | bits >> 16) & 0x0000_0000_FFFF_FFFF
    };
    half((pairs >> 64) as u64) << 32 | half(pairs as u64)
}

/// Moves every bit to the position with two binary digits exchanged.
const fn exchange<const A: u32, const B: u32>(bits: u64) -> u64 {
    let distance = (1 << A) - (1 << B);
    // Positions without digit A and with digit B are exchanged with those `distance` above.
    let lower = const { places(A, false) & places(B, true) };
    let moved = (bits ^ bits >> distance) & lower;
    bits ^ moved ^ moved << distance
}

/// Returns the positions whose binary digit has this value.
const fn places(digit: u32, value: bool) -> u64 {
    let mut mask = 0;
    let mut place = 0;
    while place < 64 {
        if (place >> digit & 1 == 1) == value {
            mask |= 1 << place;
        }
        place += 1;
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Card;

    #[test]
    fn every_card_has_its_place_in_either_order() {
        for card in Card::all() {
            let hand = Hand::of(card);
            let by_rank = 4 * card.rank().index() + card.suit().index();
            assert_eq!(by_suits(hand), 1 << card.index());
            assert_eq!(by_ranks(hand), 1 << by_rank);
            assert_eq!(from_suits(by_suits(hand)), hand);
            assert_eq!(from_ranks(by_ranks(hand)), hand);
        }
        assert_eq!(by_ranks(Hand::DECK), (1 << 52) - 1);
    }
}
