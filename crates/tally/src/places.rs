//! What seats hold by their place after the dealer, and boards by their place in a session.

use serde::{Deserialize, Serialize};

use super::add;
use crate::bridge::{Deal, Hand, Seat, Side};

/// A quantity of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandValue {
    /// High-card points.
    Points,
    /// Sum of the squares of the suit lengths.
    Squares,
    /// Number of voids.
    Voids,
    /// Length of the longest suit.
    Longest,
}

impl HandValue {
    /// All values.
    pub const ALL: [Self; 4] = [Self::Points, Self::Squares, Self::Voids, Self::Longest];

    /// Returns the value of a hand.
    pub fn of(self, hand: Hand) -> u64 {
        match self {
            Self::Points => hand.hcp().into(),
            _ => self.of_lengths(hand.lengths()),
        }
    }

    /// Returns the value of a hand with these suit lengths and no points.
    pub fn of_lengths(self, lengths: [u8; 4]) -> u64 {
        let lengths = lengths.into_iter().map(u64::from);
        match self {
            Self::Points => 0,
            Self::Squares => lengths.map(|length| length * length).sum(),
            Self::Voids => lengths.filter(|length| *length == 0).count() as u64,
            Self::Longest => lengths.max().unwrap_or(0),
        }
    }
}

/// A quantity of a board by which a session may be in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardValue {
    /// Sum of the squares of the suit lengths of all hands.
    Flatness,
    /// Points of north-south.
    SidePoints,
}

impl BoardValue {
    /// Both values.
    pub const ALL: [Self; 2] = [Self::Flatness, Self::SidePoints];

    fn of(self, deal: &Deal) -> u64 {
        match self {
            Self::Flatness => {
                let hands = deal.hands().iter();
                hands.map(|hand| HandValue::Squares.of(*hand)).sum()
            }
            Self::SidePoints => side_points(deal, Side::NorthSouth),
        }
    }
}

/// Returns the points of a side.
pub(super) fn side_points(deal: &Deal, side: Side) -> u64 {
    let seats = match side {
        Side::NorthSouth => [Seat::North, Seat::South],
        Side::EastWest => [Seat::East, Seat::West],
    };
    let points = seats.map(|seat| HandValue::Points.of(deal.hand(seat)));
    points.iter().sum()
}

/// Three boards in a row, by the value of the middle one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbours {
    /// Three boards with different values.
    pub threes: u64,
    /// Those whose middle board is neither the highest nor the lowest.
    pub between: u64,
}

/// Boards that have one place in their sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamePlace {
    /// Number of boards.
    pub boards: u64,
    /// Sums of the two board values.
    pub sums: [u64; BoardValue::ALL.len()],
}

/// Maximum number of places in a session whose boards are counted apart.
const MOST_PLACES: usize = 64;

/// Sums over boards by place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places {
    /// Number of boards whose dealer is known.
    pub dealt: u64,
    /// Sums of the four hand values, by place after the dealer.
    seats: [[u64; 4]; HandValue::ALL.len()],
    /// Number of boards of sessions.
    pub halved: u64,
    /// Points of north-south in the first halves of sessions and of east-west in the second.
    pub half_points: u64,
    neighbours: [Neighbours; BoardValue::ALL.len()],
    /// The boards at each place in their sessions, at most [`MOST_PLACES`].
    in_sessions: Vec<SamePlace>,
}

impl Places {
    /// Adds a board of this dealer.
    pub fn add_board(&mut self, dealer: Seat, deal: &Deal) {
        self.dealt += 1;
        for (value, sums) in HandValue::ALL.into_iter().zip(&mut self.seats) {
            for (place, sum) in sums.iter_mut().enumerate() {
                *sum += value.of(deal.hands()[(dealer.index() + place) % 4]);
            }
        }
    }

    /// Adds the boards of a session, in order.
    pub fn add_session(&mut self, boards: &[&Deal]) {
        let (first, second) = boards.split_at(boards.len() / 2);
        self.halved += boards.len() as u64;
        for (half, side) in [(first, Side::NorthSouth), (second, Side::EastWest)] {
            let points = half.iter().map(|deal| side_points(deal, side));
            self.half_points += points.sum::<u64>();
        }
        let counted = &boards[..boards.len().min(MOST_PLACES)];
        self.reach(counted.len());
        for (same, deal) in self.in_sessions.iter_mut().zip(counted) {
            same.boards += 1;
            add(&mut same.sums, &BoardValue::ALL.map(|value| value.of(deal)));
        }
        for (value, neighbours) in BoardValue::ALL.into_iter().zip(&mut self.neighbours) {
            for boards in boards.as_chunks::<3>().0 {
                let [one, middle, other] = boards.map(|deal| value.of(deal));
                if one != middle && middle != other && one != other {
                    neighbours.threes += 1;
                    neighbours.between += u64::from((one < middle) == (middle < other));
                }
            }
        }
    }

    /// Makes room for this number of places in a session.
    fn reach(&mut self, places: usize) {
        let places = places.max(self.in_sessions.len());
        self.in_sessions.resize(places, SamePlace::default());
    }

    /// Adds the sums of other boards.
    pub fn merge(&mut self, other: &Self) {
        self.dealt += other.dealt;
        add(self.seats.as_flattened_mut(), other.seats.as_flattened());
        self.halved += other.halved;
        self.half_points += other.half_points;
        for (mine, theirs) in self.neighbours.iter_mut().zip(other.neighbours) {
            mine.threes += theirs.threes;
            mine.between += theirs.between;
        }
        self.reach(other.in_sessions.len());
        for (mine, theirs) in self.in_sessions.iter_mut().zip(&other.in_sessions) {
            mine.boards += theirs.boards;
            add(&mut mine.sums, &theirs.sums);
        }
    }

    /// Returns the boards at each place in their sessions.
    pub fn in_sessions(&self) -> &[SamePlace] {
        &self.in_sessions
    }

    /// Returns the sum of a value over the hands at a place after the dealer.
    ///
    /// # Panics
    ///
    /// If the place is not below 4.
    pub fn at_seat(&self, value: HandValue, place: usize) -> u64 {
        self.seats[value as usize][place]
    }

    /// Returns the threes of boards by a value.
    pub fn neighbours(&self, value: BoardValue) -> Neighbours {
        self.neighbours[value as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A deal of four suits, north's first.
    fn suits(first: usize) -> Deal {
        let suit = |seat: usize| Hand::from_bits(0x1FFF << (16 * ((first + seat) % 4)));
        Deal::new(std::array::from_fn(suit)).unwrap()
    }

    /// North has the four aces and 5-5-2-1.
    fn aces() -> Deal {
        let lanes = |suits: [u64; 4]| {
            let each = suits.into_iter().enumerate();
            Hand::from_bits(each.map(|(lane, cards)| cards << (16 * lane)).sum())
        };
        let north = lanes([0x1F, 0x1F, 3, 1]);
        let east = lanes([0xFF << 5, 0x1F << 5, 0, 0]);
        let south = lanes([0, 7 << 10, 0x1FFC & 0x0FFC, 0]);
        Deal::new([
            north,
            east,
            south,
            Hand::DECK.without(north).without(east).without(south),
        ])
        .unwrap()
    }

    #[test]
    fn values_are_by_the_dealer() {
        let deal = aces();
        let mut places = Places::default();
        places.add_board(Seat::West, &deal);
        for value in HandValue::ALL {
            for place in 0..4 {
                let seat = (Seat::West.index() + place) % 4;
                assert_eq!(places.at_seat(value, place), value.of(deal.hands()[seat]));
            }
        }
        assert_eq!(places.at_seat(HandValue::Squares, 1), 25 + 25 + 4 + 1);
        assert_eq!(places.at_seat(HandValue::Longest, 2), 8);
        assert_eq!(places.at_seat(HandValue::Voids, 2), 2);
    }

    #[test]
    fn sessions_have_halves_and_threes() {
        let (suits, aces) = (suits(0), aces());
        let points = side_points(&aces, Side::NorthSouth);
        let mut places = Places::default();
        places.add_session(&[&aces, &suits, &suits, &aces, &aces]);
        assert_eq!(places.halved, 5);
        assert_eq!(places.half_points, points + 20 + 20 + 2 * (40 - points));
        assert_eq!(
            places.neighbours(BoardValue::Flatness),
            Neighbours::default()
        );
        places.add_session(&[&suits; 70]);
        assert_eq!(places.in_sessions().len(), MOST_PLACES);
        let first = places.in_sessions()[0];
        assert_eq!(first.boards, 2);
        let value = |value: BoardValue| value.of(&aces) + value.of(&suits);
        assert_eq!(first.sums, BoardValue::ALL.map(value));
        assert_eq!(places.in_sessions()[5].boards, 1);
    }
}
