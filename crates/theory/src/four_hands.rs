//! Theory of four hands that are dealt by cells, with all cards known.
//!
//! If no pattern is fixed, a hand with h honours takes any 13 - h of the 36 spots, and two hands
//! with h honours take any 26 - h. If some patterns are fixed, the other hands take any of the
//! spots that those hands leave.

use super::TheoryError::{self, Inconsistent};
use super::cells::{by_pattern, counts, hcp, held, lengths, lengths_by_spots, ranks};
use super::lengths::{patterns_of_counts, spots_apart};
use super::points::{ACES, CONTROLS, HCP, PointScale, of_ranks};
use super::{Distribution, Theory, seats};
use crate::bridge::combinatorics::choose;
use crate::bridge::{Card, Honours, Pattern, Seat, Suit};
use crate::population::cells::{CellSums, DealtSuit, SumClass};

/// Factor of the denominator of the seats of cards, T times the number of spots.
const OF: u128 = 36;

/// Computes the theory of four hands with `total` ways to deal them.
pub(super) fn theory(sums: &CellSums<'_>, total: u128) -> Result<Theory, TheoryError> {
    let roles = sums.roles();
    let places = Seat::ALL.map(|seat| roles.of(seat));
    let [north, east, south, west] = places.map(|place| 1u8 << place);
    let seats = [north, east, south, west];
    let side = north | south;
    let mut classes: Vec<SumClass> = seats.map(ranks).into();
    classes.push(hcp(side));
    let (all_by_pattern, some) = (roles.by_pattern == 3, roles.by_pattern > 0);
    if all_by_pattern {
        classes.extend(seats.map(lengths));
    } else if some {
        let by_spots = |hands| lengths_by_spots(hands, roles.by_pattern);
        classes.extend(seats.map(by_spots));
        classes.push(by_spots(side));
    } else {
        classes.extend(seats.map(counts));
        classes.push(counts(side));
    }
    let found = sums.by_class(&classes);
    let ([by_ranks @ .., side_hcp], shapes) = found.split_at(5) else {
        return Err(Inconsistent);
    };
    let suits = sums.by_suit();

    let checked = |ways: Vec<u128>| Distribution::checked(ways, total).ok_or(Inconsistent);
    let points = |scale: PointScale| {
        each_seat(|seat| {
            let mut ways = of_ranks(scale, &by_ranks[seat]);
            ways.truncate(scale.of_hand);
            checked(ways)
        })
    };
    let fits = if all_by_pattern {
        Suit::ALL.map(|suit| Ok(fits_of_lengths(&suits, suit, [places[0], places[2]])))
    } else if some {
        let of_side = shapes.last().map_or(&[][..], |ways| ways);
        Suit::ALL.map(|suit| Ok(fits_of_digits(of_side, suit)))
    } else {
        let of_side = shapes.last().map_or(&[][..], |ways| ways);
        Suit::ALL.map(|suit| fits_of_counts(of_side, suit))
    };
    let fits = fits.map(|ways| ways.and_then(checked));
    let [spades, hearts, diamonds, clubs] = fits;
    let held = held(&suits);
    let patterns = each_seat(|seat| {
        checked(match some {
            true => by_pattern(&shapes[seat]),
            false => patterns_of_counts(&shapes[seat])?,
        })
    })?;
    let cards = Card::all().map(|card| {
        let of_seat = |(seat, &role): (usize, &usize)| match Honours::of_card(card) {
            Some(honour) => held[role][honour.bits().trailing_zeros() as usize] * OF,
            None if some => {
                let by_pattern = Pattern::all().zip(patterns[seat].ways());
                let length = |pattern: Pattern| u128::from(pattern.length(card.suit()));
                let cards: u128 = by_pattern
                    .map(|(pattern, ways)| length(pattern) * ways)
                    .sum();
                let honours = seats::in_suit(&held[role], card.suit());
                cards.saturating_sub(honours) * (OF / 9)
            }
            None => (13 * total).saturating_sub(held[role].iter().sum()),
        };
        let ways: Vec<u128> = places.iter().enumerate().map(of_seat).collect();
        Distribution::checked(ways, total * OF).ok_or(Inconsistent)
    });
    let cards = cards.collect::<Result<_, TheoryError>>()?;
    Ok(Theory {
        patterns,
        hcp: points(HCP)?,
        aces: points(ACES)?,
        controls: points(CONTROLS)?,
        north_south_hcp: checked(side_hcp.clone())?,
        north_south_lengths: [spades?, hearts?, diamonds?, clubs?],
        cards,
    })
}

/// Computes a table for every seat.
fn each_seat(
    table: impl Fn(usize) -> Result<Distribution, TheoryError>,
) -> Result<[Distribution; 4], TheoryError> {
    Ok([table(0)?, table(1)?, table(2)?, table(3)?])
}

/// Returns the combined lengths of a suit in the hands of two roles.
fn fits_of_lengths(suits: &[(DealtSuit, u128)], suit: Suit, roles: [usize; 2]) -> Vec<u128> {
    let mut fits = vec![0; 14];
    for (dealt, ways) in suits.iter().filter(|(dealt, _)| dealt.suit == suit) {
        let [one, other] = roles.map(|role| usize::from(dealt.lengths[role]));
        fits[one + other] += ways;
    }
    fits
}

/// Returns the combined lengths of a suit in two hands, from lengths of all suits as digits; the
/// lengths of 26 cards only.
fn fits_of_digits(lengths: &[u128], suit: Suit) -> Vec<u128> {
    let mut fits = vec![0; 14];
    for (number, ways) in lengths.iter().enumerate().filter(|(_, ways)| **ways > 0) {
        let digits = [
            number / 2744,
            number / 196 % 14,
            number / 14 % 14,
            number % 14,
        ];
        if digits.iter().sum::<usize>() == 26 {
            fits[digits[suit.index()]] += ways;
        }
    }
    fits
}

/// Returns the combined lengths of a suit in two hands, from their numbers of honours by suit.
fn fits_of_counts(counts: &[u128], suit: Suit) -> Result<Vec<u128>, TheoryError> {
    let mut fits = vec![0; 14];
    for (held, spots, each) in spots_apart(counts, 26) {
        let each = each?;
        let honours = usize::from(held[suit.index()]);
        for (taken, fit) in fits[honours..].iter_mut().enumerate().take(10) {
            let elsewhere = spots.checked_sub(taken).map_or(0, |rest| choose(27, rest));
            *fit += each * choose(9, taken) * elsewhere;
        }
    }
    Ok(fits)
}
