//! A deck as thirteen tricks leave it, before it is shuffled.
//!
//! Players follow suit but have no other strategy: the leader plays a random card of the longest
//! suit, and the others play a random card of that suit, or any card if they have none. There are
//! no trumps. Each side piles up its tricks, and one pile is put on the other.

use super::DealingOrder;
use super::random::{Random, ShuffledDeck, lengths, west};

const SUIT: u64 = 0x1FFF;

/// Deals the deck one card at a time, plays the deal and collects the tricks.
pub(super) fn collected(deck: &ShuffledDeck, random: &mut Random) -> ShuffledDeck {
    let three = deck.hands(DealingOrder::RoundRobin);
    let mut hands = [three[0], three[1], three[2], west(three)];
    let mut piles = [[0; 52]; 2];
    let mut cards = [0; 2];
    let mut leader = random.below(4);
    for _ in 0..13 {
        let suit = longest(hands[leader]);
        let mut trick = [0; 4];
        let mut winner = leader;
        // Aces are the lowest bits, and no card of another suit is in the mask.
        let mut best = 0;
        for (turn, played) in trick.iter_mut().enumerate() {
            let seat = (leader + turn) % 4;
            let follows = hands[seat] & suit;
            let choice = if follows == 0 { hands[seat] } else { follows };
            let card = random.card_of(choice);
            hands[seat] ^= card;
            *played = card;
            if card & suit != 0 && (best == 0 || card < best) {
                (best, winner) = (card, seat);
            }
        }
        let side = winner % 2;
        piles[side][cards[side]..cards[side] + 4].copy_from_slice(&trick);
        cards[side] += 4;
        leader = winner;
    }
    let [mut all, east_west] = piles;
    all[cards[0]..].copy_from_slice(&east_west[..cards[1]]);
    ShuffledDeck(all)
}

/// All cards of the hand's longest suit; the first of equals.
fn longest(hand: u64) -> u64 {
    let lengths = lengths(hand);
    let length = |suit: &u32| lengths >> (16 * suit) & 0xF;
    let suit = (0..4).rev().max_by_key(length).unwrap_or(0);
    SUIT << (16 * suit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_played_and_tricks_follow_suit() {
        let mut random = Random::of_run(5);
        let mut of_one_suit = 0;
        for _ in 0..200 {
            let deck = ShuffledDeck::fair(&mut random);
            let played = collected(&deck, &mut random);
            let mut sorted = played.0;
            sorted.sort_unstable();
            assert_eq!(sorted, ShuffledDeck::SORTED.0);
            let suit = |card: &u64| card.trailing_zeros() / 16;
            let tricks = played.0.as_chunks::<4>().0.iter();
            of_one_suit += tricks
                .filter(|trick| trick.iter().all(|card| suit(card) == suit(&trick[0])))
                .count();
        }
        // Of 2,600 tricks of random cards, 27 would be of one suit.
        assert!(of_one_suit > 700, "{of_one_suit} tricks");
    }

    #[test]
    fn the_longest_suit_is_led() {
        assert_eq!(longest(0x0003_0007_0001_0001), SUIT << 32);
        assert_eq!(longest(0x1000_0001_0001_0000), SUIT << 16);
    }
}
