//! Tests whether the played sessions are the wildest, or flattest, of several sets.
//!
//! A director who does not like the boards may deal them again. Under the null hypothesis, a
//! statistic of a session of n boards has an exact law with distribution function C; the largest of
//! k such sessions has C^k. The likelihood ratio of the two,
//!
//! (C(x)^k - C(x-)^k) / (C(x) - C(x-)) = sum over i < k of C(x)^i C(x-)^(k-1-i),
//!
//! has mean 1 exactly. The smallest of k has the same ratio with P(X >= x) and P(X > x). If only a
//! share w of the sessions was selected, the ratio is 1 - w + w r, which has mean 1 too. So its
//! product over independent sessions is an e-value, valid after every session. The test uses means
//! over k and both ends, with w = 100 %, which has most of the weight, 20 %, 5 % and 1 %.

use rayon::prelude::*;

use super::{Look, Measured, TestSubject};
use crate::small_sample_laws::SmallSampleLaws;
use crate::stats::elementary::{log10, powf};
use crate::stats::{Lattice, log10_sum};
use crate::tally::{SessionCounts, SessionSum};

/// Shares of the sessions that may have been selected, in percent, and the numbers of sets from which
/// they were, with the weight of each share.
const PICKED: [(u32, &[u32], f64); 4] = [
    (100, &[2, 3, 4, 5, 10], 0.91),
    (20, &[3, 10, 100, 1_000], 0.03),
    (5, &[3, 10, 100, 1_000], 0.03),
    (1, &[3, 10, 100, 1_000], 0.03),
];

/// Tests sessions by F.
pub(crate) fn flatness(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let laws = laws(look)?;
    let counts = look.collection.sessions.by(SessionSum::HalfFlatness);
    picked(counts, laws.half_flatness(), ["wildest", "flattest"])
}

/// Tests sessions by their voids.
pub(crate) fn voids(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let laws = laws(look)?;
    let counts = look.collection.sessions.by(SessionSum::Voids);
    picked(counts, &laws.voids, ["wildest", "flattest"])
}

/// Tests sessions by the points of north-south.
pub(crate) fn points(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let laws = laws(look)?;
    let counts = look.collection.sessions.by(SessionSum::SidePoints);
    let ends = ["best for north-south", "best for east-west"];
    picked(counts, &laws.side_points().lattice, ends)
}

/// Tests sessions by the longest suits of their boards.
pub(crate) fn longest(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let laws = laws(look)?;
    let counts = look.collection.sessions.by(SessionSum::Longest);
    picked(counts, &laws.longest, ["longest", "shortest"])
}

fn laws<'l>(look: &'l Look<'_>) -> Option<&'l SmallSampleLaws> {
    Some(&look.expected.unconstrained.as_ref()?.small_samples)
}

/// The position of a session in its law, at both ends.
#[derive(Clone, Copy)]
struct SessionPosition {
    /// P(X >= x) and P(X > x).
    from: [f64; 2],
    /// P(X <= x) and P(X < x).
    to: [f64; 2],
}

impl SessionPosition {
    fn new(law: &Lattice, boards: u64, value: u64) -> Self {
        let upper = |value| powf(10.0, law.upper_log10(boards, value));
        let lower = |value| powf(10.0, law.lower_log10(boards, value));
        Self {
            from: [upper(value), upper(value + 1)],
            to: [lower(value), value.checked_sub(1).map_or(0.0, lower)],
        }
    }

    /// Returns the ratio if the highest (or lowest) of `of` sets was selected.
    fn ratio(self, highest: bool, of: u32) -> f64 {
        let [with, without] = if highest { self.to } else { self.from };
        // Σ a^i b^(m-1-i), a^m and b^m for the leading bits m of the number of sets.
        let (mut sum, mut powers) = (0.0, [1.0, 1.0]);
        for bit in (0..u32::BITS - of.leading_zeros()).rev() {
            let [a, b]: [f64; 2] = powers;
            (sum, powers) = (sum * (a + b), [a * a, b * b]);
            if of >> bit & 1 == 1 {
                let [a, b] = powers;
                (sum, powers) = (with * sum + b, [with * a, without * b]);
            }
        }
        sum
    }
}

/// Tests whether sessions were selected by a sum over their boards, given the law of one board and
/// names of its ends; `None` without sessions.
///
/// The p-value is 1/e, which is valid by Markov's inequality.
fn picked(sessions: &SessionCounts, law: &Lattice, ends: [&str; 2]) -> Option<Measured> {
    let boards: u64 = sessions
        .iter()
        .map(|((boards, _), count)| boards * count)
        .sum();
    if boards == 0 {
        return None;
    }
    let places: Vec<(SessionPosition, f64)> = sessions
        .par_iter()
        .map(|(&(boards, value), &count)| (SessionPosition::new(law, boards, value), count as f64))
        .collect();
    let mut kinds = Vec::new();
    for (percent, sets, of_share) in PICKED {
        let share = f64::from(percent) / 100.0;
        let weight = log10(of_share / (ends.len() * sets.len()) as f64);
        for (highest, end) in [true, false].into_iter().zip(ends) {
            for &of in sets {
                let ratios = places.iter().map(|(place, count)| {
                    count * log10(1.0 - share + share * place.ratio(highest, of))
                });
                kinds.push((ratios.sum::<f64>(), weight, percent, end, of));
            }
        }
    }
    let exponents: Vec<f64> = kinds.iter().map(|kind| kind.0 + kind.1).collect();
    let log10_e = log10_sum(&exponents);
    let effect = match kinds.iter().max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((ratio, _, 100, end, of)) if *ratio > 0.0 => {
            format!("sessions resemble the {end} of {of} sets")
        }
        Some((ratio, _, percent, end, of)) if *ratio > 0.0 => {
            format!("{percent} % of the sessions resemble the {end} of {of} sets")
        }
        _ => "no session looks selected".to_owned(),
    };
    Some(Measured {
        log10_e: Some(log10_e),
        ..Measured::new(boards, log10_e, -log10_e).with_effect(effect)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Deal;
    use crate::defect::{Defect, Defective};
    use crate::small_sample_laws::SmallSampleLaws;
    use crate::tally::{Session, Sessions};
    use crate::test_support::{dealt, unconstrained_deals};

    /// A law with a gap.
    fn law() -> Lattice {
        Lattice::new(&[0.0, 0.4, 0.3, 0.0, 0.2, 0.1])
    }

    #[test]
    fn the_mean_of_every_ratio_is_one() {
        for boards in [1, 2, 5, 30, 200] {
            let law = law();
            let place = |value| SessionPosition::new(&law, boards, value);
            let places: Vec<_> = (0..=5 * boards).map(place).collect();
            for wildest in [true, false] {
                for of in [2, 3, 4, 5, 10, 100, 1_000] {
                    let ratio = |place: &SessionPosition| {
                        let mass = if place.to[0] < 0.5 {
                            place.to[0] - place.to[1]
                        } else {
                            place.from[0] - place.from[1]
                        };
                        mass * place.ratio(wildest, of)
                    };
                    let mean: f64 = places.iter().map(ratio).sum();
                    assert!((mean - 1.0).abs() < 1e-9, "{boards} {wildest} {of}: {mean}");
                }
            }
        }
    }

    #[test]
    fn the_ratio_is_that_of_the_largest_to_one() {
        // One board: C is 0.4, 0.7, 0.9, 1.
        let place = SessionPosition::new(&law(), 1, 4);
        let of_three = (0.9f64.powi(3) - 0.7f64.powi(3)) / 0.2;
        assert!((place.ratio(true, 3) - of_three).abs() < 1e-12);
        let of_two = (0.3f64.powi(2) - 0.1f64.powi(2)) / 0.2;
        assert!((place.ratio(false, 2) - of_two).abs() < 1e-12);
    }

    #[test]
    fn without_sessions_there_is_nothing_to_say() {
        let mut sessions = SessionCounts::default();
        assert_eq!(picked(&sessions, &law(), ["", ""]), None);
        sessions.insert((20, 20), 1);
        let found = picked(&sessions, &law(), ["", ""]);
        assert_eq!(found.map(|found| found.deals), Some(20));
    }

    /// Computes log10 of the e-values of the four sums for these deals, in sessions of 36 boards.
    fn session_evidence(laws: &SmallSampleLaws, deals: &[Deal]) -> impl Iterator<Item = f64> {
        let mut sessions = Sessions::default();
        for session in deals.chunks_exact(36) {
            sessions.add(&Session::of(session));
        }
        [
            (SessionSum::HalfFlatness, laws.half_flatness()),
            (SessionSum::Voids, &laws.voids),
            (SessionSum::SidePoints, &laws.side_points().lattice),
            (SessionSum::Longest, &laws.longest),
        ]
        .into_iter()
        .map(move |(sum, law)| picked(sessions.by(sum), law, ["", ""]))
        .map(|measured| measured.unwrap().log10_e.unwrap())
    }

    #[test]
    fn the_wildest_of_three_sessions_is_seen_after_some_fifty() {
        let defect = Defect::named("wildest-of-3-sessions").unwrap();
        let laws = SmallSampleLaws::unconstrained();
        // A session contributes 0.188 decimal digits: 51 sessions contribute 9.6, less one for the
        // ten kinds of selection that are tested.
        let evidence = |seed| {
            let source = Defective::<Vec<u8>>::new(defect, seed, None).unwrap();
            let deals = dealt(&source, 36 * 51);
            session_evidence(&laws, &deals).next().unwrap()
        };
        let mut evidence: Vec<f64> = (0..5).map(evidence).collect();
        evidence.sort_by(f64::total_cmp);
        assert!(evidence[2] >= 6.0, "{evidence:?}");
    }

    #[test]
    fn perfect_sessions_are_not_picked() {
        let deals = unconstrained_deals(36 * 160);
        let laws = SmallSampleLaws::unconstrained();
        for sessions in deals.chunks(36 * 40) {
            let evidence: Vec<f64> = session_evidence(&laws, sessions).collect();
            assert!(
                evidence.iter().all(|log10_e| *log10_e < 2.0),
                "{evidence:?}"
            );
        }
    }
}
