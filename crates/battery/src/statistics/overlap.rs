//! T6: the cards that seat s holds in a deal and seat t holds k deals later.
//!
//! The table is Q = Σ (O - 3.25 n)² / (n w) over 16 pairs of seats, with w = 169/51, for n pairs of
//! deals: a chi-square with 9 degrees of freedom. The trace, the number of cards that keep their
//! seat, has mean 13 n and variance n 169/17.
//!
//! Given the first deal of a pair, the table of the second always has the same law, so tables of
//! consecutive pairs are independent. It is the law of the table of seats by suits: |Y|² = F - 169,
//! where Y is the table less 13/4. Let v and μ3(F) be the variance and third moment of F, and m = E
//! Y11³, which determines the only third-moment tensor that is invariant under exchanges of seats.
//! Then Q has variance 18 (1 - 1/n) + v / n w² and third moment (n μ3(F) + 12 n (n-1) w v + 8
//! (C(n,2) (16 m)² / 36 + 54 C(n,3) w³)) / (n w)³. The law of a small sample is fitted to them; the
//! trace's tails are exact.
//!
//! The table of a single pair says whether hands stay together wherever they go: its squares sum to
//! a number with the law of F, given either deal. Their sum over pairs has exact tails too.

use super::{Look, Measured, RunParameters, TestSubject, flatness};
use crate::Test;
use crate::bridge::Seat;
use crate::printable::decimals;
use crate::sign_sums::square;
use crate::small_sample_laws::{SmallSampleLaws, exactly, fitted};
use crate::stats::GammaSum;
use crate::tally::{LAGS, Overlaps};

/// Returns the lags with enough pairs, and the previous session.
pub(crate) fn subjects(terms: &RunParameters, least: u64) -> Vec<TestSubject> {
    let enough = LAGS.into_iter().filter(|lag| terms.pairs(*lag) >= least);
    let mut subjects = TestSubject::lags(terms, enough);
    if terms.session_pairs >= least {
        subjects.push(TestSubject::SessionBefore);
    }
    subjects
}

/// Returns the overlaps of a subject and the index of its lag, with the laws of small samples if
/// there are few pairs.
fn overlaps_of<'l>(
    look: &'l Look<'_>,
    subject: TestSubject,
) -> Option<(&'l Overlaps, usize, Option<&'l SmallSampleLaws>)> {
    let (overlaps, place, deals) = match subject {
        TestSubject::Lag(lag) => {
            let place = LAGS.iter().position(|other| *other == lag)?;
            (&look.counts.overlaps, place, look.tally.deals())
        }
        TestSubject::SessionBefore => {
            let overlaps = &look.collection.session_overlaps;
            (overlaps, 0, overlaps.pairs(0))
        }
        _ => return None,
    };
    let laws = look.small_sample_laws(deals);
    (overlaps.pairs(place) > 0).then_some((overlaps, place, laws))
}

/// Tests the table of 16 pairs of seats.
pub(crate) fn table(look: &Look<'_>, subject: TestSubject) -> Option<Measured> {
    let (overlaps, place, laws) = overlaps_of(look, subject)?;
    let [table, _] = statistics(overlaps, place);
    Some(match laws {
        Some(laws) if table.deals >= Test::Overlap.least() => Measured {
            log10_p: small_sample_upper(laws, table.statistic, table.deals),
            ..table
        },
        _ => table,
    })
}

/// Tests the number of cards that keep their seat.
pub(crate) fn trace(look: &Look<'_>, subject: TestSubject) -> Option<Measured> {
    let (overlaps, place, laws) = overlaps_of(look, subject)?;
    let [_, trace] = statistics(overlaps, place);
    Some(match laws {
        Some(laws) => {
            let stayed = Seat::ALL.map(|seat| overlaps.cards(place, seat, seat));
            exactly(&laws.overlap, stayed.iter().sum(), trace)
        }
        None => trace,
    })
}

/// Tests the sum of squares of the tables of single pairs, whatever the seats: in the mean 3380/17.
pub(crate) fn squares(look: &Look<'_>, subject: TestSubject) -> Option<Measured> {
    let (overlaps, place, _) = overlaps_of(look, subject)?;
    let (pairs, sum) = overlaps.squares(place);
    if pairs == 0 {
        return None;
    }
    let measured = flatness::mean_of(pairs, sum, "mean square of shared cards");
    // The pairs of one sequence of deals; exact tails of seven lags take a tenth of a second.
    let deals = pairs + LAGS[place] as u64;
    Some(match look.small_sample_laws(deals) {
        Some(laws) => exactly(laws.half_flatness(), sum / 2, measured),
        None => measured,
    })
}

/// Tests table and trace by their limit laws, at the lag with this index.
fn statistics(overlaps: &Overlaps, lag: usize) -> [Measured; 2] {
    let pairs = overlaps.pairs(lag);
    let n = pairs as f64;
    let table = overlaps.table(lag);
    let mut statistic = 0.0;
    let mut stayed = 0.0;
    for (from, row) in table.iter().enumerate() {
        for (to, &cards) in row.iter().enumerate() {
            statistic += square(cards as f64 - 3.25 * n);
            if from == to {
                stayed += cards as f64;
            }
        }
    }
    let z = (stayed - 13.0 * n) / (n * 169.0 / 17.0).sqrt();
    let mean = stayed / n;
    let digits = decimals(mean - 13.0, 2).max(4);
    let effect = format!("{mean:.digits$} cards keep their seat (13 expected)");
    [
        Measured::two_sided_chi_square(pairs, statistic / (n * 169.0 / 51.0), 9.0)
            .with_effect(effect.clone()),
        Measured::normal(pairs, z).with_effect(effect),
    ]
}

/// Returns log10 of the table's upper tail.
fn small_sample_upper(laws: &SmallSampleLaws, statistic: f64, pairs: u64) -> f64 {
    small_sample_law(laws, pairs).upper_log10(statistic)
}

fn small_sample_law(laws: &SmallSampleLaws, pairs: u64) -> GammaSum {
    let n = pairs as f64;
    let w = 169.0 / 51.0;
    let variance = 18.0 * (1.0 - 1.0 / n) + laws.flatness_variance / (n * w * w);
    let alone = n * laws.flatness_third;
    let with_another = 12.0 * n * (n - 1.0) * w * laws.flatness_variance;
    let twice = n * (n - 1.0) / 2.0 * (16.0 * laws.length_third).powi(2) / 36.0;
    let triangles = 9.0 * n * (n - 1.0) * (n - 2.0) * w.powi(3);
    let third = (alone + with_another + 8.0 * (twice + triangles)) / (n * w).powi(3);
    fitted(9.0, variance, third)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Deal;
    use crate::test_support::{assert_moments, near, unconstrained, unconstrained_deals};

    /// Returns the number of cards that each seat holds and each seat holds `lag` deals later.
    fn cards(deals: &[Deal], lag: usize) -> [[f64; 4]; 4] {
        Seat::ALL.map(|from| {
            Seat::ALL.map(|to| {
                let pairs = deals.iter().zip(&deals[lag..]);
                let both = pairs.map(|(one, other)| one.hand(from).intersection(other.hand(to)));
                f64::from(both.map(|both| both.len()).sum::<u32>())
            })
        })
    }

    /// Computes the table's statistic by its definition.
    fn by_definition(cards: &[[f64; 4]; 4], n: f64) -> f64 {
        let squares = cards.iter().flatten().map(|o| (o - 3.25 * n).powi(2));
        squares.sum::<f64>() / (n * 169.0 / 51.0)
    }

    #[test]
    fn statistics_are_those_of_the_definitions() {
        let (deals, counts) = unconstrained(1_500);
        for (place, lag) in LAGS.into_iter().enumerate() {
            let (cards, n) = (cards(&deals, lag), (deals.len() - lag) as f64);
            let [table, trace] = statistics(&counts.overlaps, place);
            near(table.statistic, by_definition(&cards, n));
            let stayed: f64 = (0..4).map(|s| cards[s][s]).sum();
            near(
                trace.statistic,
                (stayed - 13.0 * n) / (n * 169.0 / 17.0).sqrt(),
            );
        }
    }

    #[test]
    fn squares_are_those_of_single_pairs() {
        let (deals, counts) = unconstrained(1_500);
        for (place, lag) in LAGS.into_iter().enumerate() {
            let pairs = deals.windows(lag + 1);
            let squares = pairs.map(|pair| cards(&[pair[0], pair[lag]], 1));
            let sum: f64 = squares.flatten().flatten().map(|cards| cards * cards).sum();
            let pairs = (deals.len() - lag) as u64;
            assert_eq!(counts.overlaps.squares(place), (pairs, sum as u64));
        }
    }

    #[test]
    fn squares_have_the_law_of_flatness() {
        // Every deal of two cards to each of three seats, against one of them and against suits.
        let deals: Vec<[u8; 3]> = (0..64u8)
            .flat_map(|one| (0..64u8).map(move |other| [one, other, 63 & !(one | other)]))
            .filter(|deal| deal.iter().all(|hand| hand.count_ones() == 2))
            .collect();
        assert_eq!(deals.len(), 90);
        let law = |other: [u8; 3]| {
            let squares = |deal: &[u8; 3]| -> u32 {
                let cells = deal.iter().flat_map(|hand| other.map(|set| hand & set));
                cells.map(|both| both.count_ones().pow(2)).sum()
            };
            let mut values: Vec<u32> = deals.iter().map(squares).collect();
            values.sort_unstable();
            values
        };
        let suits = law([0b11, 0b1100, 0b11_0000]);
        assert!(deals.iter().all(|deal| law(*deal) == suits));
    }

    #[test]
    fn two_pairs_have_the_moments_of_their_law() {
        let laws = SmallSampleLaws::unconstrained();
        let deals = unconstrained_deals(60_000);
        let statistic = |deals: &[Deal]| by_definition(&cards(deals, 1), 2.0);
        assert_moments(&small_sample_law(&laws, 2), &deals, statistic);
    }

    #[test]
    fn many_pairs_leave_the_plain_chi_square() {
        let law = small_sample_law(&SmallSampleLaws::unconstrained(), 1 << 40);
        assert!((law.dof() - 9.0).abs() < 1e-6, "{law:?}");
        assert!((law.mean() - 9.0).abs() < 1e-6, "{law:?}");
        assert!((law.variance() / 18.0 - 1.0).abs() < 1e-9, "{law:?}");
    }
}
