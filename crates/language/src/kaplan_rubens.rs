//! Kaplan and Rubens' count of a hand ("Four C's", The Bridge World, October 1982, pages
//! 21-23), in hundredths of a point, as `dealer` counts it.
//!
//! The count is the sum of the quality of the suits (their points, weighted by length), of the
//! points of protected honours, and of points for shape. Where the article is ambiguous, the
//! rule is that of dealer's `cccc` and `quality`, which was found by evaluating every holding in
//! every suit with dealer. Every term is a multiple of five hundredths: nothing is rounded, and
//! the order of additions does not matter.

use crate::bridge::{Hand, Holding, Suit};

/// The count of a hand in hundredths of a point, dealer's `cccc`.
///
/// It is -50..=3,560 for thirteen cards; a minimum opening bid is about 1,200. The same rule
/// applies to any other number of cards.
pub(crate) fn cccc(hand: Hand) -> i64 {
    let suits = Suit::ALL.map(|suit| hand.holding(suit));
    evaluation(
        suits.map(points).iter().sum(),
        suits.map(shortness).iter().sum(),
    )
}

/// The points of a suit, in hundredths.
pub(super) fn points(holding: Holding) -> i64 {
    let suit = OneSuit::new(holding);
    suit.quality() + suit.protected_honours()
}

/// The points for the shortness of a suit, in hundredths.
pub(super) fn shortness(holding: Holding) -> i64 {
    OneSuit::new(holding).shortness()
}

/// The count of a hand with these sums over its suits.
pub(super) fn evaluation(points: i64, shortness: i64) -> i64 {
    // The first 100 of shortness do not count; 4333 has no shortness and loses 50.
    points + if shortness == 0 { -50 } else { shortness - 100 }
}

/// The quality of one suit of a hand in hundredths of a point, 0..=1,300: dealer's `quality`.
pub(crate) fn quality(hand: Hand, suit: Suit) -> i64 {
    OneSuit::new(hand.holding(suit)).quality()
}

/// Value of a king in suits of 0, 1, and 2 or more cards, in hundredths.
const KING: [i64; 3] = [0, 50, 200];
/// Value of a queen in suits of 0, 1, 2, and 3 or more cards, in hundredths: first without the
/// ace and the king, then with one of them. Sources that describe the article disagree about
/// doubletons; these are dealer's values.
const QUEEN: [[i64; 2]; 4] = [[0, 0], [0, 0], [50, 75], [75, 100]];
/// Value of a jack with 0, 1, 2 and 3 higher honours, in hundredths.
const JACK: [i64; 4] = [0, 25, 50, 0];

/// One suit of a hand: each field for a card is 1 if the card is held, else 0.
struct OneSuit {
    /// 0..=13.
    length: i64,
    ace: i64,
    king: i64,
    queen: i64,
    jack: i64,
    ten: i64,
    nine: i64,
    eight: i64,
}

impl OneSuit {
    fn new(holding: Holding) -> Self {
        let cards = holding.bits();
        let held = |rank: u32| i64::from(cards >> rank & 1);
        Self {
            length: cards.count_ones().into(),
            ace: held(0),
            king: held(1),
            queen: held(2),
            jack: held(3),
            ten: held(4),
            nine: held(5),
            eight: held(6),
        }
    }

    /// Number of cards among A K Q J.
    fn honours(&self) -> i64 {
        self.ace + self.king + self.queen + self.jack
    }

    /// The suit's points times its length, divided by ten, in hundredths.
    ///
    /// The points are A=4 K=3 Q=2 J=1 and an addition: for tens and nines in up to six cards, for
    /// missing honours in longer suits.
    fn quality(&self) -> i64 {
        let high = 8 * self.ace + 6 * self.king + 4 * self.queen + 2 * self.jack;
        let more = if self.length <= 6 {
            self.tens_and_nines()
        } else {
            self.length_for_honours()
        };
        // 100 hundredths x half a point / 10
        5 * (high + more) * self.length
    }

    /// The addition for tens and nines in up to six cards, in half points, 0..=3.
    fn tens_and_nines(&self) -> i64 {
        let honours = self.honours();
        let strong_ten = (self.jack == 1) | (honours >= 2);
        // Exactly two honours: dealer adds nothing for the nine of AKQ9 and AKQJ9.
        let good_nine = (honours == 2) | (self.ten + self.eight > 0);
        self.ten * (1 + i64::from(strong_ten)) + self.nine * i64::from(good_nine)
    }

    /// The addition for a missing queen and jack in seven or more cards, in half points, 0..=6:
    /// the missing honours will often drop.
    fn length_for_honours(&self) -> i64 {
        let (no_queen, no_jack) = (1 - self.queen, 1 - self.jack);
        match self.length {
            7 => 2 * (no_queen | no_jack),
            8 => (4 * no_queen).max(2 * no_jack),
            _ => 4 * no_queen + 2 * no_jack,
        }
    }

    /// A=3 K=2 Q=1, less for unprotected kings and queens, plus jacks and tens with one or two
    /// higher honours (not three), in hundredths: 0..=600.
    fn protected_honours(&self) -> i64 {
        let up_to = |most: i64| self.length.min(most) as usize;
        let above_jack = (self.honours() - self.jack) as usize;
        let queen = QUEEN[up_to(3)][(self.ace | self.king) as usize];
        let good_ten = self.honours() == 2 || self.honours() + self.nine == 2;
        self.ace * 300
            + self.king * KING[up_to(2)]
            + self.queen * queen
            + self.jack * JACK[above_jack]
            + self.ten * 25 * i64::from(good_ten)
    }

    /// Void 3, singleton 2, doubleton 1, in hundredths.
    fn shortness(&self) -> i64 {
        100 * (3 - self.length).max(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::{Card, Rank};

    /// Written by `scripts/dealer.sh evaluation`.
    const DEALER: &str = include_str!("../../../fixtures/dealer/cccc.csv");

    /// The hand of the PBN text `S.H.D.C`.
    fn hand(text: &str) -> Hand {
        let suits = Suit::ALL.into_iter().zip(text.split('.'));
        suits
            .flat_map(|(suit, ranks)| ranks.chars().map(move |rank| (suit, rank)))
            .map(|(suit, rank)| Card::new(suit, Rank::from_letter(rank).unwrap()))
            .collect()
    }

    #[test]
    fn hands_count_what_dealer_counts() {
        let mut reader = csv::Reader::from_reader(DEALER.as_bytes());
        let mut hands = 0;
        for row in reader.records() {
            let row = row.unwrap();
            let hand = hand(&row[0]);
            assert_eq!(hand.len(), 13, "{row:?}");
            assert_eq!(cccc(hand).to_string(), row[1], "{row:?}");
            for suit in Suit::ALL {
                let quality = quality(hand, suit).to_string();
                assert_eq!(quality, row[2 + suit.index()], "{suit} of {row:?}");
            }
            hands += 1;
        }
        assert_eq!(hands, 2_000);
    }

    #[test]
    fn the_least_and_the_greatest_counts() {
        assert_eq!(cccc(hand("5432.543.543.543")), -50);
        assert_eq!(cccc(hand("AKQJ.AKQ.AKQ.AKQ")), 3_560);
        assert_eq!(quality(hand("AKQJT98765432..."), Suit::Spades), 1_300);
    }

    #[test]
    fn any_number_of_cards_is_counted() {
        assert_eq!(cccc(Hand::EMPTY), 4 * 300 - 100);
        assert_eq!(cccc(Hand::DECK), 4 * (1_300 + 600) - 50);
    }
}
