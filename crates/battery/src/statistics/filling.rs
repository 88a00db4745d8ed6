//! C filling: which cards of a suit each seat holds, given their number at each seat, among cards
//! that are interchangeable under the condition.
//!
//! For r such cards, of which seat s holds k_s, let p_s = k_s / r. A is the sum over deals of diag
//! p - p p', and O is the card's seats less the sum of p. Then (r - 1)/r tr(O A⁺ O') is a
//! chi-square with (r - 1) rank A degrees of freedom.

use super::{Expected, Look, Measured, RunParameters, TestSubject};
use crate::bridge::{Card, Hand, Seat, Suit};
use crate::stats::{Matrix, quadratic};
use crate::tally::{FillingSums, Tally};

/// Minimum number of times that a seat holds each of a suit's interchangeable cards.
const LEAST_OF_CARD: f64 = 10.0;

/// Tests the interchangeable cards of a suit.
pub(crate) fn filling(look: &Look<'_>, subject: TestSubject) -> Option<Measured> {
    let TestSubject::Suit(suit) = subject else {
        return None;
    };
    of_suit(&look.tally, &look.counts.filling, look.expected.pool, suit)
}

/// Returns whether the cards can be distributed in more than one way: seats that hold all or none
/// of them in every deal leave no choice.
pub(crate) fn allows(expected: &Expected, subject: TestSubject, _: &RunParameters) -> bool {
    let cards = expected.pool.cards();
    let mut cards = cards.filter(|card| TestSubject::Suit(card.suit()) == subject);
    cards.any(|card| {
        let law = expected.theory.card(card);
        law.ways().iter().all(|ways| *ways < law.of())
    })
}

/// Tests which interchangeable cards of a suit each seat holds, given their number at each seat.
fn of_suit(tally: &Tally, counted: &FillingSums, pool: Hand, suit: Suit) -> Option<Measured> {
    let cards: Vec<Card> = pool.cards().filter(|card| card.suit() == suit).collect();
    let r = cards.len() as f64;
    let n = counted.deals() as f64;
    let moment = |k: usize| counted.moments()[k][suit.index()] as f64;
    // North, east and south; west holds the rest of r.
    let mut sums = [moment(0), moment(1), moment(2), 0.0];
    sums[3] = n * r - sums[0] - sums[1] - sums[2];
    let product = |s: usize, t: usize| match (s.min(t), s.max(t)) {
        (0, 0) => moment(3),
        (0, 1) => moment(4),
        (0, 2) => moment(5),
        (1, 1) => moment(6),
        (1, 2) => moment(7),
        _ => moment(8),
    };
    let with_west = |s: usize| r * sums[s] - (0..3).map(|t| product(s, t)).sum::<f64>();
    let both = |s: usize, t: usize| match (s, t) {
        (3, 3) => r * sums[3] - (0..3).map(with_west).sum::<f64>(),
        (3, s) | (s, 3) => with_west(s),
        (s, t) => product(s, t),
    };
    let products = Matrix::from_fn(4, 4, both);
    let held = Matrix::from_fn(4, cards.len(), |s, c| {
        tally.card(Seat::ALL[s], cards[c]) as f64
    });
    filling_of(counted.deals(), sums, &products, &held)
}

/// Returns the same test from its sums over deals: the number of cards at each seat, products of
/// these numbers for two seats, and how often each seat holds each card.
pub fn filling_of(
    deals: u64,
    sums: [f64; 4],
    products: &Matrix,
    held: &Matrix,
) -> Option<Measured> {
    let r = held.columns() as f64;
    let a = Matrix::from_fn(4, 4, |s, t| {
        let diagonal = if s == t { sums[s] / r } else { 0.0 };
        diagonal - products[(s, t)] / (r * r)
    });
    let o = Matrix::from_fn(4, held.columns(), |s, c| held[(s, c)] - sums[s] / r);
    let together = taken_together(&sums, r);
    let (sum, rank) = quadratic(
        &(&together * &a) * &together.transposed(),
        &(&together * &o),
    );
    if rank == 0 || deals == 0 {
        return None;
    }
    let dof = (r - 1.0) * rank as f64;
    let statistic = (r - 1.0) / r * sum;
    Some(Measured::two_sided_chi_square(deals, statistic, dof).with_departure())
}

/// Combines seats into groups, one row each, so that each group holds every card often enough.
///
/// The choice depends only on the number of cards at each seat, which the law is conditional on.
fn taken_together(sums: &[f64; 4], r: f64) -> Matrix {
    let mut groups: Vec<(f64, Vec<usize>)> = (0..4).map(|seat| (sums[seat], vec![seat])).collect();
    loop {
        groups.sort_by(|a, b| b.0.total_cmp(&a.0));
        match groups.pop() {
            Some((sum, seats)) if sum < LEAST_OF_CARD * r && !groups.is_empty() => {
                if let Some(next) = groups.last_mut() {
                    next.0 += sum;
                    next.1.extend(seats);
                }
            }
            Some(group) => {
                groups.push(group);
                break;
            }
            None => break,
        }
    }
    Matrix::from_fn(groups.len(), 4, |group, seat| {
        f64::from(u8::from(groups[group].1.contains(&seat)))
    })
}

#[cfg(test)]
#[allow(clippy::needless_range_loop, reason = "definitions, index by index")]
mod tests {
    use super::*;
    use crate::population::cases::Runs;
    use crate::test_support::{draws_of_nine_spades, near, seat_of};

    #[test]
    fn the_statistic_is_that_of_the_definition() {
        let (file, deals, counts) = draws_of_nine_spades();
        let (runs, tally) = (Runs::new(&file), counts.tally());
        // Spot cards only, because west's honours are listed too.
        let pool = runs.exchangeable();
        assert_eq!(pool, Hand::SPOTS);
        for suit in Suit::ALL {
            let cards: Vec<Card> = Card::all()
                .filter(|c| c.suit() == suit && !c.rank().is_honour())
                .collect();
            let (mut a, mut o) = (Matrix::zeros(4, 4), Matrix::zeros(4, 9));
            for deal in &deals {
                let seats: Vec<usize> = cards.iter().map(|card| seat_of(deal, *card)).collect();
                let share: Vec<f64> = (0..4)
                    .map(|s| seats.iter().filter(|seat| **seat == s).count() as f64 / 9.0)
                    .collect();
                for s in 0..4 {
                    a[(s, s)] += share[s];
                    for t in 0..4 {
                        a[(s, t)] -= share[s] * share[t];
                    }
                    for c in 0..9 {
                        o[(s, c)] += f64::from(seats[c] == s) - share[s];
                    }
                }
            }
            let (sum, rank) = quadratic(a, &o);
            let filling = of_suit(&tally, &counts.filling, pool, suit).unwrap();
            near(filling.statistic, 8.0 / 9.0 * sum);
            assert_eq!(filling.dof, Some(8.0 * rank as f64));
        }
    }
}
