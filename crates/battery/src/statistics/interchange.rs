//! C interchange: which of their 26 cards each of two interchangeable seats holds.
//!
//! Each of the cards has sign +1 at the first seat and -1 at the second. Given the 26 cards, the
//! signs of two of them have covariance -1/25, and Z' V⁺ Z is a chi-square with 51 degrees of
//! freedom.

use super::{Look, Measured, RunParameters, TestSubject};
use crate::bridge::Seat;
use crate::population::Structure;
use crate::sign_sums::{SIGNS, first_order, product};
use crate::stats::{Matrix, quadratic};
use crate::tally::SecondOrder;

/// Returns every pair of seats that are interchangeable under the condition.
pub(crate) fn subjects(terms: &RunParameters) -> Vec<TestSubject> {
    let alike = match &terms.structure {
        Structure::EveryDeal => Vec::new(),
        Structure::Listing(first, second) => {
            let unlisted = |seat: &Seat| *seat != *first && Some(*seat) != *second;
            Seat::pairs_of(&Seat::ALL.into_iter().filter(unlisted).collect::<Vec<_>>())
        }
        Structure::Cells(rest) => Seat::pairs_of(rest),
        Structure::Unknown(alike) => alike.clone(),
    };
    alike.into_iter().map(TestSubject::Seats).collect()
}

/// Tests which cards each of two interchangeable seats holds.
pub(crate) fn interchange(look: &Look<'_>, subject: TestSubject) -> Option<Measured> {
    let TestSubject::Seats(seats) = subject else {
        return None;
    };
    of_seats(look.within()?, seats)
}

/// Tests which cards each of two interchangeable seats holds, with sign +1 at the first and -1 at
/// the second.
///
/// Given their 26 cards, the signs of two of them have covariance -1/25. The number of deals in
/// which two cards are among the 26 follows from the products of the one sign that these two seats
/// share and that differs for the other two.
fn of_seats(sums: &SecondOrder, seats: [Seat; 2]) -> Option<Measured> {
    let n = sums.pairs() as f64;
    let first_order = first_order(sums);
    let [one, other] = seats.map(Seat::index);
    // Two seats have one sign in common and differ in the others.
    let shared = SIGNS.iter().position(|sign| sign[one] == sign[other])?;
    let apart = (0..3).find(|&i| i != shared)?;
    let third = 3 - shared - apart;
    let sign = SIGNS[shared][one];
    let in_union = |card: usize| (n + sign * first_order[shared][card]) / 2.0;
    // Number of deals with both cards among the 26.
    let together = Matrix::from_fn(52, 52, |a, b| {
        if a == b {
            return in_union(a);
        }
        let m = &first_order[shared];
        (n + sign * (m[a] + m[b]) + product(sums, (shared, a), (shared, b))) / 4.0
    });
    // Z is +1 at the first seat and -1 at the second: another sign, zero outside the 26 cards.
    let way = SIGNS[apart][one];
    // Z = v_apart (1 + sign v_shared) / 2, and v_apart v_shared = v_third.
    let difference = Matrix::from_fn(52, 1, |card, _| {
        way * (first_order[apart][card] + sign * first_order[third][card]) / 2.0
    });
    interchange_of(sums.pairs(), &together, &difference)
}

/// Returns the same test from the number of deals in which two cards are among the 26, and from the
/// surplus of each card at the first seat over the second.
pub fn interchange_of(deals: u64, together: &Matrix, difference: &Matrix) -> Option<Measured> {
    let covariance = Matrix::from_fn(52, 52, |a, b| {
        together[(a, b)] * if a == b { 1.0 } else { -1.0 / 25.0 }
    });
    let (statistic, rank) = quadratic(covariance, difference);
    if rank == 0 {
        return None;
    }
    let dof = rank as f64;
    Some(Measured::two_sided_chi_square(deals, statistic, dof).with_departure())
}

#[cfg(test)]
#[allow(clippy::needless_range_loop, reason = "definitions, index by index")]
mod tests {
    use super::*;
    use crate::bridge::Card;
    use crate::test_support::{draws_of_nine_spades, near};

    #[test]
    fn the_statistic_is_that_of_the_definition() {
        let (_, deals, counts) = draws_of_nine_spades();
        // Tests each pair of the three interchangeable seats.
        let within = &counts.gram.as_ref().unwrap().within;
        for seats in [
            [Seat::North, Seat::East],
            [Seat::North, Seat::South],
            [Seat::East, Seat::South],
        ] {
            let (mut v, mut d) = (Matrix::zeros(52, 52), Matrix::zeros(52, 1));
            for deal in &deals {
                let z: Vec<f64> = Card::all()
                    .map(
                        |card| match seats.map(|seat| deal.hand(seat).contains(card)) {
                            [true, _] => 1.0,
                            [_, true] => -1.0,
                            _ => 0.0,
                        },
                    )
                    .collect();
                for a in 0..52 {
                    d[(a, 0)] += z[a];
                    for b in 0..52 {
                        let both = (z[a] * z[b]).abs();
                        v[(a, b)] += if a == b { both } else { -both / 25.0 };
                    }
                }
            }
            let (sum, rank) = quadratic(v, &d);
            let interchange = of_seats(within, seats).unwrap();
            near(interchange.statistic, sum);
            assert_eq!((interchange.dof, rank), (Some(51.0), 51));
        }
    }
}
