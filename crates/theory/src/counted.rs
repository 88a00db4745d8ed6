//! Theory of a condition whose deals are counted, with every card.

use std::sync::Arc;

use super::points::{ACES, CONTROLS, HCP, PointScale, of_ranks};
use super::summary::CLASSES;
use super::{Distribution, Theory};
use crate::bridge::{Card, Hand, Pattern, PatternIndex, Rank, Seat, Suit};
use crate::language::{Measure, PointCount};
use crate::population::cells::Budget;
use crate::population::counting::{CountError, DealCounter};

/// Number of outcomes of a side's HCP, and of a suit's length.
const SIDE_HCP: usize = 41;
const LENGTHS: usize = 14;

/// Computes the theory of a condition with this number of deals.
pub(super) fn theory(
    counter: &DealCounter,
    total: u128,
    budget: &Budget,
) -> Result<Theory, CountError> {
    let seats = SeatTables::new(counter, budget)?;
    let points = |scale: PointScale| {
        seats.ranks.each_ref().map(|ranks| {
            let mut ways = of_ranks(scale, ranks);
            ways.truncate(scale.of_hand);
            Distribution::new(ways, total)
        })
    };
    let both =
        |measure: &Measure| [Seat::North, Seat::South].map(|seat| (1, seat, measure.clone()));
    let side_hcp = counter.by_sum(&both(&points_of([4, 3, 2, 1])), SIDE_HCP, budget)?;
    let fits = |suit| {
        let found = counter.by_sum(&both(&Measure::Length(suit)), LENGTHS, budget);
        found.map(|ways| Distribution::new(ways, total))
    };
    let [spades, hearts, diamonds, clubs] = Suit::ALL.map(fits);
    Ok(Theory {
        hcp: points(HCP),
        aces: points(ACES),
        controls: points(CONTROLS),
        north_south_hcp: Distribution::new(side_hcp, total),
        north_south_lengths: [spades?, hearts?, diamonds?, clubs?],
        cards: cards(counter, &seats, total, budget)?,
        patterns: seats.patterns.map(|ways| Distribution::new(ways, total)),
    })
}

/// Points for honours in a whole hand.
fn points_of(honours: [i32; 4]) -> Measure {
    let mut values = [0; Rank::COUNT];
    values[..4].copy_from_slice(&honours);
    Measure::Points {
        count: PointCount::Hcp,
        values: Arc::new(values),
        suit: None,
    }
}

/// The deals by pattern, and by the ranks of honours, of every seat.
struct SeatTables {
    patterns: [Vec<u128>; 4],
    ranks: [Vec<u128>; 4],
}

impl SeatTables {
    fn new(counter: &DealCounter, budget: &Budget) -> Result<Self, CountError> {
        let mut tables = Self {
            patterns: Default::default(),
            ranks: Default::default(),
        };
        let alike = counter.condition().unmentioned();
        for seat in Seat::ALL {
            let place = seat.index();
            // Seats that the condition does not mention have equal tables.
            if let Some(first) = alike
                .first()
                .filter(|first| **first != seat && alike.contains(&seat))
            {
                tables.patterns[place] = tables.patterns[first.index()].clone();
                tables.ranks[place] = tables.ranks[first.index()].clone();
                continue;
            }
            let ranks = [(1, seat, points_of([125, 25, 5, 1]))];
            tables.patterns[place] = counter.by_pattern(seat, budget)?;
            tables.ranks[place] = counter.by_sum(&ranks, CLASSES, budget)?;
        }
        Ok(tables)
    }

    /// The sum of a seat's lengths of a suit over all deals.
    fn cards(&self, seat: Seat, suit: Suit) -> u128 {
        let length = |index: PatternIndex| u128::from(Pattern::length(index.pattern(), suit));
        let patterns = PatternIndex::all().zip(&self.patterns[seat.index()]);
        patterns.map(|(index, ways)| length(index) * ways).sum()
    }
}

/// The distributions of the seats that hold the cards.
fn cards(
    counter: &DealCounter,
    seats: &SeatTables,
    total: u128,
    budget: &Budget,
) -> Result<Vec<Distribution>, CountError> {
    let free = counter.anonymous();
    let told = Card::all().filter(|card| !free.contains(*card));
    // Seats that the condition does not mention hold a card in equal shares.
    let alike = counter.condition().unmentioned();
    let others: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|seat| !alike.contains(seat))
        .collect();
    let mut known: Vec<(Card, [u128; 4])> = Vec::new();
    for card in told {
        let holders = (1..).zip(&others);
        let holders = holders.map(|(place, seat)| (place, *seat, Measure::Holds(card)));
        let holders: Vec<(i64, Seat, Measure)> = holders.collect();
        let found = match &holders[..] {
            [] => vec![total],
            some => counter.by_sum(some, Seat::ALL.len() + 1, budget)?,
        };
        let ways = Seat::ALL.map(
            |seat| match others.iter().position(|other| *other == seat) {
                Some(place) => found[place + 1],
                None => found[0] / alike.len() as u128,
            },
        );
        known.push((card, ways));
    }
    let seat_of = |card: Card| {
        if let Some((_, ways)) = known.iter().find(|(other, _)| *other == card) {
            return Distribution::new(ways.to_vec(), total);
        }
        // The other cards of the suit are held in equal shares.
        let suit = card.suit();
        let others = u128::from(free.intersection(Hand::whole_suit(suit)).len());
        let ways = Seat::ALL.map(|seat| {
            let told = known.iter().filter(|(other, _)| other.suit() == suit);
            let told: u128 = told.map(|(_, ways)| ways[seat.index()]).sum();
            seats.cards(seat, suit) - told
        });
        Distribution::new(ways.to_vec(), total * others)
    };
    Ok(Card::all().map(seat_of).collect())
}
