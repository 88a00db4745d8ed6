//! Theory of a condition whose deals are counted, with every card.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::points::{ACES, CONTROLS, HCP, PointScale};
use super::{Distribution, Theory};
use crate::bridge::{Card, Pattern, PatternIndex, Rank, Seat, Suit};
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
    let points = |scale: usize| {
        let of_seat = |points: &[Vec<u128>; 3]| Distribution::new(points[scale].clone(), total);
        seats.points.each_ref().map(of_seat)
    };
    let both =
        |measure: &Measure| [Seat::North, Seat::South].map(|seat| (1, seat, measure.clone()));
    let side_hcp = counter.by_sum(&both(&points_of(HCP)), SIDE_HCP, budget)?;
    let fits = |suit| {
        let found = counter.by_sum(&both(&Measure::Length(suit)), LENGTHS, budget);
        found.map(|ways| Distribution::new(ways, total))
    };
    let [spades, hearts, diamonds, clubs] = Suit::ALL.map(fits);
    Ok(Theory {
        hcp: points(0),
        aces: points(1),
        controls: points(2),
        north_south_hcp: Distribution::new(side_hcp, total),
        north_south_lengths: [spades?, hearts?, diamonds?, clubs?],
        cards: cards(counter, &seats, total, budget)?,
        patterns: seats.patterns.map(|ways| Distribution::new(ways, total)),
    })
}

/// The points of a whole hand.
fn points_of(scale: PointScale) -> Measure {
    let mut values = [0; Rank::COUNT];
    values[..4].copy_from_slice(&scale.values.map(|value| value as i32));
    Measure::Points {
        count: PointCount::Hcp,
        values: Arc::new(values),
        suit: None,
    }
}

/// The points that are counted one after the other, because a table of few outcomes costs little.
const SCALES: [PointScale; 3] = [HCP, ACES, CONTROLS];

/// The deals by pattern, and by points on each scale, of every seat.
struct SeatTables {
    patterns: [Vec<u128>; 4],
    points: [[Vec<u128>; 3]; 4],
}

impl SeatTables {
    fn new(counter: &DealCounter, budget: &Budget) -> Result<Self, CountError> {
        let mut tables = Self {
            patterns: Default::default(),
            points: Default::default(),
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
                tables.points[place] = tables.points[first.index()].clone();
                continue;
            }
            tables.patterns[place] = counter.by_pattern(seat, budget)?;
            for (points, scale) in tables.points[place].iter_mut().zip(SCALES) {
                *points = counter.by_sum(&[(1, seat, points_of(scale))], scale.of_hand, budget)?;
            }
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
    let (mut known, predeal) = (BTreeMap::new(), counter.condition().predeal());
    for (place, seat) in Seat::ALL.into_iter().enumerate() {
        let mut ways = [0; 4];
        ways[place] = total;
        known.extend(predeal.hand(seat).cards().map(|card| (card, ways)));
    }
    // Seats that the condition does not mention hold a card in equal shares.
    let alike = counter.condition().unmentioned();
    let others: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|seat| !alike.contains(seat))
        .collect();
    for groups in counter.interchangeable() {
        for group in groups.iter().skip(1) {
            let Some(card) = group.cards().next() else {
                continue;
            };
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
            known.extend(group.cards().map(|card| (card, ways)));
        }
    }
    let seat_of = |card: Card| {
        if let Some(ways) = known.get(&card) {
            return Distribution::new(ways.to_vec(), total);
        }
        // The other cards of the suit are held in equal shares.
        let suit = card.suit();
        let told = known.iter().filter(|(other, _)| other.suit() == suit);
        let others = Rank::COUNT as u128 - told.clone().count() as u128;
        let ways = Seat::ALL.map(|seat| {
            let told: u128 = told.clone().map(|(_, ways)| ways[seat.index()]).sum();
            seats.cards(seat, suit) - told
        });
        Distribution::new(ways.to_vec(), total * others)
    };
    Ok(Card::all().map(seat_of).collect())
}
