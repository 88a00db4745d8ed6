//! T8h: hands that an earlier deal had, at any seat, and up to renamed suits.
//!
//! The statistic R is the number of hands of the kept deals that an earlier one had. A hand of deal
//! j is uniform whatever the deals before. They have at most s (j - 1) hands, each with g equal ones
//! among the H possible hands (g = 1, or 24 up to renamed suits). So deal j has in the mean at most
//! m_j = s² g (j - 1) / H of the earlier hands, and at most q_j = C(s,2) (s g (j - 1))² / (H H') pairs
//! of them, where H' is the number of second hands given the first. For any number A of hands up to
//! s, (1 + c)^A <= 1 + c A + G C(A,2) with G = ((1 + c)^s - 1 - s c) / C(s,2). Therefore
//!
//! (1 + c)^R / Π_j (1 + c m_j + G q_j)
//!
//! has a mean of at most 1 after every deal, whatever the dependence between the hands of a deal. The
//! e-value is the mean over c = 1, 10 .. 10^5.

use super::{Look, Measured, TestSubject};
use crate::bridge::Seat;
use crate::bridge::combinatorics::choose;
use crate::printable::three_digits;
use crate::stats::elementary::{ln_1p, log10};
use crate::stats::log10_sum;

/// Number of hands that are equal up to renamed suits, at most.
const RENAMED: f64 = 24.0;

/// The values of c.
const STAKES: [f64; 6] = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5];

/// Tests equal hands.
pub(crate) fn equal(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    returned(look, 0, 1.0)
}

/// Tests hands that are equal up to renamed suits.
pub(crate) fn renamed(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    returned(look, 1, RENAMED)
}

fn returned(look: &Look<'_>, kind: usize, equals: f64) -> Option<Measured> {
    let hands = &look.counts.hands;
    let deals = hands.deals();
    let found = (deals > 0).then(|| hands.returned()[kind])?;
    let space = HandSpace {
        seats: Seat::ALL.len() as f64,
        hands: choose(52, 13) as f64,
        second: choose(39, 13) as f64,
        equals,
    };
    let log10_e = space.log10_e(deals, found);
    let expected = three_digits(space.mean(deals));
    Some(
        Measured {
            log10_e: Some(log10_e),
            ..Measured::new(deals, found as f64, -log10_e)
        }
        .with_effect(format!("{found} hands came before ({expected} expected)")),
    )
}

/// The hands of a deal.
struct HandSpace {
    seats: f64,
    /// Number of possible hands.
    hands: f64,
    /// Number of possible hands of a seat, given that of another.
    second: f64,
    /// Number of hands that are equal to a hand, at most.
    equals: f64,
}

impl HandSpace {
    /// Returns an upper bound of the mean of R.
    fn mean(&self, deals: u64) -> f64 {
        let n = deals as f64;
        self.seats * self.seats * self.equals / self.hands * n * (n - 1.0) / 2.0
    }

    /// Returns log10 of the e-value of R hands that came before.
    fn log10_e(&self, deals: u64, found: u64) -> f64 {
        let each = STAKES.map(|stake| self.log10_capital(stake, deals, found));
        log10_sum(&each) - log10(each.len() as f64)
    }

    /// Returns log10 of the capital of a gambler with this stake c, who pays e^x instead of 1 + x.
    fn log10_capital(&self, stake: f64, deals: u64, found: u64) -> f64 {
        let (n, s) = (deals as f64, self.seats);
        let pairs = s * (s - 1.0) / 2.0;
        let squares = (n - 1.0) * n * (2.0 * n - 1.0) / 6.0;
        let of_two = pairs * (s * self.equals).powi(2) / (self.hands * self.second) * squares;
        let beyond = ((1.0 + stake).powi(s as i32) - 1.0 - s * stake) / pairs;
        let paid = stake * self.mean(deals) + beyond * of_two;
        (found as f64 * ln_1p(stake) - paid) / std::f64::consts::LN_10
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::stats::elementary::powf;
    use crate::test_support::unconstrained;

    /// Every deal of six cards, two to each of three seats, as masks.
    fn small_deals() -> Vec<[u8; 3]> {
        let is_hand = |hand: &u8| hand.count_ones() == 2;
        let mut deals = Vec::new();
        for one in (0..64).filter(is_hand) {
            for other in (0..64).filter(is_hand).filter(|other| one & other == 0) {
                deals.push([one, other, 63 ^ one ^ other]);
            }
        }
        deals
    }

    #[test]
    fn the_capital_of_every_stake_has_a_mean_of_at_most_one() {
        // Three deals, of which the first may be any: all 90² outcomes. Cards of the lower and the
        // upper three are two suits, so a hand has up to two equals.
        let deals = small_deals();
        assert_eq!(deals.len(), 90);
        let renamed = |hand: u8| hand.min(hand >> 3 | (hand & 7) << 3);
        for (equals, form) in [(1.0, (|hand| hand) as fn(u8) -> u8), (2.0, renamed)] {
            let space = HandSpace {
                seats: 3.0,
                hands: 15.0,
                second: 6.0,
                equals,
            };
            for stake in [0.01, 0.1, 1.0, 10.0] {
                for first in [[3, 12, 48], [9, 18, 36], [10, 17, 36]] {
                    let mut mean = 0.0;
                    for second in &deals {
                        for third in &deals {
                            let of_deal = |deal: &[u8; 3]| BTreeSet::from(deal.map(form));
                            let three = [&first, second, third].map(of_deal);
                            let all: usize = three.iter().map(BTreeSet::len).sum();
                            let different: BTreeSet<u8> = three.into_iter().flatten().collect();
                            let found = (all - different.len()) as u64;
                            mean += powf(10.0, space.log10_capital(stake, 3, found));
                        }
                    }
                    mean /= (deals.len() * deals.len()) as f64;
                    assert!(mean <= 1.0, "{equals} {stake}: {mean}");
                    if stake == 0.01 && equals == 1.0 {
                        assert!(mean > 0.98, "{mean}");
                    }
                }
            }
        }
    }

    #[test]
    fn hands_that_came_before_are_those_of_the_definition() {
        let (deals, counts) = unconstrained(3_000);
        let mut forms = [BTreeSet::new(), BTreeSet::new()];
        let mut all = [0; 2];
        for deal in &deals {
            let exact = deal.hands().map(|hand| hand.bits());
            let renamed = exact.map(|hand| {
                let mut suits = [0, 16, 32, 48].map(|lane| (hand >> lane & 0x1FFF) as u16);
                suits.sort_unstable();
                suits
                    .map(u64::from)
                    .into_iter()
                    .fold(0, |form, suit| form << 16 | suit)
            });
            for (kind, hands) in [exact, renamed].into_iter().enumerate() {
                let hands = BTreeSet::from(hands);
                all[kind] += hands.len();
                forms[kind].extend(hands);
            }
        }
        let returned = [0, 1].map(|kind| (all[kind] - forms[kind].len()) as u64);
        assert_eq!(counts.hands.returned(), returned);
    }

    #[test]
    fn four_hands_that_come_back_within_a_set_are_strong_evidence() {
        let space = HandSpace {
            seats: 4.0,
            hands: choose(52, 13) as f64,
            second: choose(39, 13) as f64,
            equals: 1.0,
        };
        let evidence = [0, 1, 2, 4].map(|found| space.log10_e(36, found));
        assert!(evidence[0] < 0.0 && evidence[1] > 2.5, "{evidence:?}");
        assert!(evidence[2] > 7.0 && evidence[3] > 15.0, "{evidence:?}");
        // Hands that come before are expected in a block, up to renamed suits.
        let renamed = HandSpace {
            equals: 24.0,
            ..space
        };
        let mean = renamed.mean(65_536);
        assert!((mean - 1.298).abs() < 0.001, "{mean}");
        assert!(renamed.log10_e(65_536, 1) < 0.5);
    }
}
