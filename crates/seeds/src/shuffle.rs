//! Shuffles of a deck as programs do them, the order of the deck before, and the dealing after.

use crate::bridge::{Card, Deal, Seat};

/// Cards by their number in a deck order, in the order of the shuffled deck.
pub(super) type ShuffledCards = [u8; Card::COUNT];

pub(super) const SORTED: ShuffledCards = {
    let mut order = [0; Card::COUNT];
    let mut place = 0;
    while place < Card::COUNT {
        order[place] = place as u8;
        place += 1;
    }
    order
};

/// A shuffling method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shuffle {
    /// Fisher and Yates from the last card down: card i is swapped with one of the cards up to it.
    /// Java's `Collections.shuffle`, Python's `random.shuffle`.
    LastDown,
    /// Fisher and Yates from the first card up: card i is swapped with one of the cards from it on.
    FirstUp,
    /// A card is taken out of the list, and the cards behind it close up.
    Remove,
    /// A card is taken out of the list, and the last card takes its place. Python's
    /// `random.sample`; also [`Shuffle::LastDown`] dealt from the end.
    RemoveFilling,
    /// From the second card up: card i is swapped with one of the cards up to it.
    /// `std::random_shuffle` of the GNU C++ library and, since GCC 11, with pairs of indices,
    /// `std::shuffle`.
    Growing,
    /// The same from the first card up, which takes one more number.
    GrowingFromFirst,
    /// Every card in turn is swapped with any card.
    AnyWithAny,
    /// Every card in turn gets a random key, and the deck is sorted by the keys: `OrderBy` of .NET,
    /// `argsort` of NumPy.
    Sorted,
}

/// Shuffles other than growing ones, which begin with small bounds.
pub(super) const DOWN: [Shuffle; 4] = [
    Shuffle::LastDown,
    Shuffle::FirstUp,
    Shuffle::Remove,
    Shuffle::RemoveFilling,
];

impl Shuffle {
    /// Returns a description of the shuffle.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::LastDown => "cards swapped from the last down",
            Self::FirstUp => "cards swapped from the first up",
            Self::Remove => "cards taken out of a list",
            Self::RemoveFilling => "cards taken out, the last in their place",
            Self::Growing => "cards swapped with those before, from the second up",
            Self::GrowingFromFirst => "cards swapped with those before, from the first up",
            Self::AnyWithAny => "every card swapped with any",
            Self::Sorted => "cards sorted by random keys",
        }
    }

    /// Returns the deck shuffled with indices from `below`. See [`sorted`] for sorting.
    pub(super) fn order(self, mut below: impl FnMut(u32) -> u32) -> ShuffledCards {
        let mut deck = SORTED;
        let mut draw = |n: usize| below(n as u32) as usize;
        match self {
            Self::LastDown => {
                for last in (1..52).rev() {
                    deck.swap(last, draw(last + 1));
                }
            }
            Self::FirstUp => {
                for place in 0..51 {
                    deck.swap(place, place + draw(52 - place));
                }
            }
            Self::Remove => {
                for place in 0..51 {
                    let taken = place + draw(52 - place);
                    deck[place..=taken].rotate_right(1);
                }
            }
            Self::RemoveFilling => {
                // The list is at the front, the cards taken out behind it, in reverse order.
                for last in (1..52).rev() {
                    deck.swap(last, draw(last + 1));
                }
                deck.reverse();
            }
            Self::Growing | Self::GrowingFromFirst => {
                let first = usize::from(self == Self::Growing);
                for place in first..52 {
                    deck.swap(place, draw(place + 1));
                }
            }
            Self::AnyWithAny => {
                for place in 0..52 {
                    deck.swap(place, draw(52));
                }
            }
            Self::Sorted => unreachable!("sorting draws keys, not indices"),
        }
        deck
    }

    /// Keeps the finishes in `left` that agree with the shuffled deck. Each card is checked as soon
    /// as it reaches its final place.
    ///
    /// `index` returns the index of a step, below the bound. Growing shuffles are run backwards, so
    /// their last step is step 0. As soon as an index is unknown, the finishes kept so far are
    /// returned.
    pub(super) fn leaves(
        self,
        mut left: u8,
        fits: &Fits,
        mut index: impl FnMut(usize, u32) -> Option<u32>,
    ) -> u8 {
        if self == Self::AnyWithAny {
            return any_leaves(left, fits, index);
        }
        let mut deck = SORTED;
        for step in 0..51 {
            let Some(drawn) = index(step, 52 - step as u32) else {
                return left;
            };
            left &= self.placed(&mut deck, step, drawn as usize, fits);
            if left == 0 {
                break;
            }
        }
        left
    }

    /// Takes the card, or the place, of a step by its index, as in [`leaves`](Self::leaves), and
    /// returns the finishes that agree with it. Places that are not read again are not written.
    pub(super) fn placed(
        self,
        deck: &mut ShuffledCards,
        step: usize,
        drawn: usize,
        fits: &Fits,
    ) -> u8 {
        let last = 51 - step;
        match self {
            Self::FirstUp => {
                let card = deck[step + drawn];
                deck[step + drawn] = deck[step];
                fits[step][usize::from(card)]
            }
            Self::Remove => fits[step][usize::from(take(deck, step, drawn))],
            _ => {
                let other = usize::from(deck[drawn]);
                deck[drawn] = deck[last];
                match self {
                    Self::LastDown => fits[last][other],
                    Self::RemoveFilling => fits[step][other],
                    // In reverse, the deck holds final places: card `last` ends at place `other`.
                    _ => fits[other][last],
                }
            }
        }
    }
}

/// Returns the deck sorted by keys that are drawn for one card after the other.
pub(super) fn sorted(mut key: impl FnMut() -> u64) -> ShuffledCards {
    let keys = SORTED.map(|_| key());
    let mut deck = SORTED;
    deck.sort_by_key(|&card| keys[usize::from(card)]);
    deck
}

/// Keeps the finishes in `left` that agree with the whole deck.
pub(super) fn deck_leaves(mut left: u8, fits: &Fits, deck: &ShuffledCards) -> u8 {
    for (fits, &card) in fits.iter().zip(deck) {
        left &= fits[usize::from(card)];
    }
    left
}

/// By place, then by card: the finishes, one bit each, that deal the card with that number to its
/// seat from that place.
pub(super) type Fits = [[u8; Card::COUNT]; Card::COUNT];

fn any_leaves(left: u8, fits: &Fits, mut index: impl FnMut(usize, u32) -> Option<u32>) -> u8 {
    let mut deck = SORTED;
    for step in 0..52 {
        let Some(other) = index(step, 52) else {
            return left;
        };
        deck.swap(step, other as usize);
    }
    deck_leaves(left, fits, &deck)
}

/// Takes a card out of the cards that are left. The `count` cards taken before are at the front, in
/// increasing order.
fn take(taken: &mut ShuffledCards, count: usize, drawn: usize) -> u8 {
    let mut card = drawn as u8;
    let mut place = 0;
    while place < count && taken[place] <= card {
        card += 1;
        place += 1;
    }
    taken.copy_within(place..count, place + 1);
    taken[place] = card;
    card
}

/// The order of the cards before the shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeckOrder {
    /// SA SK .. S2 HA .. C2.
    SpadesDown,
    /// C2 C3 .. CA D2 .. SA.
    ClubsUp,
    /// S2 S3 .. SA H2 .. CA.
    SpadesUp,
    /// C2 D2 H2 S2 C3 .. SA.
    Ranks,
}

impl DeckOrder {
    /// All orders.
    pub(crate) const ALL: [Self; 4] =
        [Self::SpadesDown, Self::ClubsUp, Self::SpadesUp, Self::Ranks];

    /// Returns the first cards and the last.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::SpadesDown => "SA SK .. C2",
            Self::ClubsUp => "C2 C3 .. SA",
            Self::SpadesUp => "S2 S3 .. CA",
            Self::Ranks => "C2 D2 H2 S2 .. SA",
        }
    }

    /// Returns the index in this crate's deck order of the card with this number in `self`.
    pub(super) const fn card(self, number: usize) -> usize {
        match self {
            Self::SpadesDown => number,
            Self::ClubsUp => 51 - number,
            Self::SpadesUp => number / 13 * 13 + 12 - number % 13,
            Self::Ranks => (3 - number % 4) * 13 + 12 - number / 4,
        }
    }
}

/// The distribution of the shuffled deck to north, east, south and west.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dealing {
    /// Thirteen cards to each.
    Thirteen,
    /// One card to each in turn.
    One,
}

impl Dealing {
    /// Both dealings.
    pub(crate) const ALL: [Self; 2] = [Self::Thirteen, Self::One];

    /// Returns the number of cards dealt at a time, in words.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Thirteen => "thirteen at a time",
            Self::One => "one at a time",
        }
    }

    /// Returns the index of the seat that receives the card at this place.
    pub(super) const fn seat(self, place: usize) -> u8 {
        match self {
            Self::Thirteen => (place / 13) as u8,
            Self::One => (place % 4) as u8,
        }
    }
}

/// Returns the index of the seat of every card of a deal, by the card's number in an order.
pub(super) fn seats(deal: &Deal, order: DeckOrder) -> [u8; Card::COUNT] {
    let mut seats = [0; Card::COUNT];
    for seat in Seat::ALL {
        for card in deal.hand(seat).cards() {
            seats[card.index()] = seat as u8;
        }
    }
    std::array::from_fn(|number| seats[order.card(number)])
}
