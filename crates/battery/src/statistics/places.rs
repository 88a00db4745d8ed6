//! Hands by their place after the dealer, and boards by their place in a session.
//!
//! The values of hands at one place are independent from board to board, so their sums have exact
//! tails. Points of north-south and of east-west have one law, so the points of north-south in first
//! halves of sessions and of east-west in second halves are one such sum. Three boards are in any
//! order with equal probability, whatever their values, so the middle one of three different values
//! is between the others with probability 1/3.
//! The boards at one place of many sessions are independent, so that their sums have exact tails.

use super::{Look, Measured, RunParameters, TestSubject, two_sided};
use crate::small_sample_laws::SmallSampleLaws;
use crate::stats::elementary::log10;
use crate::stats::{binomial_lower_log10, binomial_upper_log10};
use crate::table_law::beside_expected;
use crate::tally::{BoardValue, HandValue, Places};

/// Returns the four places after the dealer, if dealers are known.
pub(crate) fn seats(terms: &RunParameters) -> Vec<TestSubject> {
    let places = if terms.dealt > 0 { 0..4 } else { 0..0 };
    places.map(TestSubject::AfterDealer).collect()
}

/// Returns the values by which sessions may be in order, if there are sessions.
pub(crate) fn orders(terms: &RunParameters) -> Vec<TestSubject> {
    let values = BoardValue::ALL.map(TestSubject::Board);
    values.into_iter().filter(|_| terms.sessions > 0).collect()
}

/// Returns the sums of a look and their laws.
fn places<'l>(look: &'l Look<'_>) -> Option<(&'l Places, &'l SmallSampleLaws)> {
    let laws = &look.expected.unconstrained.as_ref()?.small_samples;
    Some((&look.collection.places, laws))
}

/// Tests a value of the hands at a place after the dealer.
pub(crate) fn seat(look: &Look<'_>, subject: TestSubject, value: HandValue) -> Option<Measured> {
    let TestSubject::AfterDealer(place) = subject else {
        return None;
    };
    let (places, laws) = places(look)?;
    let name = match value {
        HandValue::Points => "HCP",
        HandValue::Squares => "sum of squared suit lengths",
        HandValue::Voids => "number of voids",
        HandValue::Longest => "longest suit",
    };
    let (n, sum) = (places.dealt, places.at_seat(value, place));
    (n > 0).then(|| laws.hands[value as usize].measure(n, sum, name))
}

/// Tests the points of the sides by halves of sessions.
pub(crate) fn halves(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let (places, laws) = places(look)?;
    let name = "HCP of north-south in first and of east-west in second halves";
    let (n, sum) = (places.halved, places.half_points);
    (n > 0).then(|| laws.side_points().measure(n, sum, name))
}

/// Tests whether the boards of a session are in order.
pub(crate) fn neighbours(look: &Look<'_>, subject: TestSubject) -> Option<Measured> {
    let TestSubject::Board(value) = subject else {
        return None;
    };
    let (places, _) = places(look)?;
    let found = places.neighbours(value);
    (found.threes > 0).then(|| between(found.threes, found.between))
}

/// Tests the value of the boards at each place in their sessions: the smallest p-value, times the
/// number of places.
pub(crate) fn in_sessions(look: &Look<'_>, subject: TestSubject) -> Option<Measured> {
    let TestSubject::Board(value) = subject else {
        return None;
    };
    let (places, laws) = places(look)?;
    let (name, unit) = match value {
        BoardValue::Flatness => ("half of the flatness", 2),
        BoardValue::SidePoints => ("HCP of north-south", 1),
    };
    let found = places.in_sessions();
    let each = (1..).zip(found).map(|(place, same)| {
        let sum = same.sums[value as usize] / unit;
        let measured = laws.boards[value as usize].measure(same.boards, sum, name);
        let effect = format!("board {place} of a session: {}", measured.effect);
        measured.with_effect(effect)
    });
    let least = each.min_by(|one, other| one.log10_p.total_cmp(&other.log10_p))?;
    Some(
        Measured::new(
            least.deals,
            least.statistic,
            least.log10_p + log10(found.len() as f64),
        )
        .with_effect(least.effect),
    )
}

/// Tests the share of middle boards between their neighbours.
fn between(threes: u64, between: u64) -> Measured {
    let share = 1.0 / 3.0;
    let upper = binomial_upper_log10(between, threes, share);
    let lower = binomial_lower_log10(between, threes, share);
    let found = between as f64 / threes as f64;
    let words = beside_expected(found, share);
    Measured::new(threes, between as f64, two_sided(upper, lower)).with_effect(format!(
        "middle of three boards between the others: {words}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Seat;
    use crate::stats::elementary::powf;
    use crate::test_support::{near, unconstrained_deals};

    #[test]
    fn the_middle_of_three_is_between_the_others_once_in_three_orders() {
        // Every order of the values of three and of six boards.
        let orders: Vec<[u64; 3]> = (0..27)
            .map(|i| [i / 9, i / 3 % 3, i % 3])
            .filter(|[a, b, c]| a != b && b != c && a != c)
            .collect();
        let is_between = |[a, b, c]: &[u64; 3]| (a < b) == (b < c);
        assert_eq!(orders.iter().filter(|order| is_between(order)).count(), 2);
        let mut tails = 0.0;
        for one in &orders {
            for other in &orders {
                let count = u64::from(is_between(one)) + u64::from(is_between(other));
                tails += powf(10.0, binomial_upper_log10(count, 2, 1.0 / 3.0)) / 36.0;
            }
        }
        // The mean of P(X >= x) is (1 + the sum of squared probabilities) / 2.
        near(tails, (1.0 + (16.0 + 16.0 + 1.0) / 81.0) / 2.0);
        near(
            between(2, 2).log10_p,
            two_sided(
                powf(10.0, 0.0).min(binomial_upper_log10(2, 2, 1.0 / 3.0)),
                0.0,
            ),
        );
    }

    #[test]
    fn sums_of_a_few_boards_have_the_tails_of_every_outcome() {
        // Two hands: the exact tail is a double sum.
        let laws = SmallSampleLaws::unconstrained();
        let deals = unconstrained_deals(2_000);
        for value in HandValue::ALL {
            let law = &laws.hands[value as usize];
            let values = deals.iter().map(|deal| value.of(deal.hand(Seat::East)));
            let measured = law.measure(2_000, values.sum(), "");
            assert!(measured.log10_p > -4.0, "{value:?} {measured:?}");
            let point = |x: u64| {
                let above = powf(10.0, law.lattice.upper_log10(1, x + 1));
                powf(10.0, law.lattice.upper_log10(1, x)) - above
            };
            let points: Vec<f64> = (0..170).map(point).collect();
            let most = points.iter().rposition(|point| *point > 1e-6).unwrap();
            let mut tail = 0.0;
            for one in 0..170 {
                for other in 0..170 {
                    if one + other >= most {
                        tail += points[one] * points[other];
                    }
                }
            }
            let exact = powf(10.0, law.lattice.upper_log10(2, most as u64));
            assert!(
                (exact / tail - 1.0).abs() < 1e-6,
                "{value:?}: {exact:e} {tail:e}"
            );
        }
    }
}
