//! Cards in the order in which they are played, and in the columns of seats that PBN has.

use crate::bridge::{Card, Deal, Hand, Rank, Seat, Strain, Suit};

/// The cards of a trick by seat, in the order of [`Seat::ALL`].
pub(crate) type Trick = [Option<Card>; 4];

fn owner(deal: &Deal, card: Card) -> Option<Seat> {
    Seat::ALL
        .into_iter()
        .find(|seat| deal.hand(*seat).contains(card))
}

/// The tricks of cards in the order in which they are played; `None` if a card is played twice or
/// out of turn.
pub(crate) fn tricks(deal: &Deal, play: &[Card]) -> Option<Vec<Trick>> {
    let mut played = Hand::EMPTY;
    let tricks = play.chunks(4).map(|cards| {
        let leader = owner(deal, cards[0])?;
        let mut trick = Trick::default();
        for (place, &card) in cards.iter().enumerate() {
            let seat = owner(deal, card)?;
            if seat != leader.turned(place) || played.contains(card) {
                return None;
            }
            played = played.union(Hand::of(card));
            trick[seat.index()] = Some(card);
        }
        Some(trick)
    });
    tricks.collect()
}

/// The cards of tricks in the order in which they are played, from this seat's lead on; `None` if
/// that is not the order of a legal play.
pub(crate) fn in_order(
    deal: &Deal,
    tricks: &[Trick],
    leader: Seat,
    strain: Strain,
) -> Option<Vec<Card>> {
    let (mut leader, mut play) = (leader, Vec::with_capacity(4 * tricks.len()));
    for trick in tricks {
        let cards = (0..4).map_while(|place| trick[leader.turned(place).index()]);
        let cards: Vec<Card> = cards.collect();
        if cards.len() < trick.iter().flatten().count() {
            return None;
        }
        let Some(led) = cards.first().map(|card| card.suit()) else {
            continue;
        };
        let strength = |card: &Card| {
            let is_trump = strain == Strain::Trumps(card.suit());
            // Aces have the smallest index.
            (
                is_trump,
                card.suit() == led,
                std::cmp::Reverse(card.rank().index()),
            )
        };
        let best = (0..cards.len()).max_by_key(|&place| strength(&cards[place]));
        leader = leader.turned(best.unwrap_or_default());
        play.extend(cards);
    }
    self::tricks(deal, &play).is_some().then_some(play)
}

/// The card of a text such as `SA` or `h10`.
pub(crate) fn card(text: &[u8]) -> Option<Card> {
    let (&suit, rank) = text.split_first()?;
    let rank = match rank {
        b"10" => 'T',
        &[rank] => char::from(rank).to_ascii_uppercase(),
        _ => return None,
    };
    let is_suit = |of: &Suit| of.letter() == char::from(suit).to_ascii_uppercase();
    let suit = Suit::ALL.into_iter().find(is_suit)?;
    Some(Card::new(suit, Rank::from_letter(rank)?))
}
