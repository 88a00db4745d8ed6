//! Tests whether the played sessions are the wildest, or flattest, of several sets.
//!
//! A director who does not like the boards may deal them again. Under the null hypothesis, a
//! statistic of a session of n boards has an exact law with distribution function C; the largest of
//! k such sessions has C^k. The likelihood ratio of the two,
//!
//! (C(x)^k - C(x-)^k) / (C(x) - C(x-)) = sum over i < k of C(x)^i C(x-)^(k-1-i),
//!
//! has mean 1 exactly. So its product over independent sessions is an e-value, valid after every
//! session. The smallest of k has the same ratio with P(X >= x) and P(X > x). The test uses the
//! mean over k = 2, 3, 4, 5, 10 and both ends.

use super::{Look, Measured, TestSubject};
use crate::stats::elementary::{log10, powf};
use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::stats::{Lattice, log10_sum};
use crate::tally::{Session, Sessions};

/// Numbers of sets from which a session may have been selected.
const PICKED_FROM: [i32; 5] = [2, 3, 4, 5, 10];

/// Tests sessions by F.
pub(crate) fn flatness(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let laws = &look.expected.unconstrained.as_ref()?.small_samples;
    let value = |session: &Session| session.flatness / 2;
    picked(&look.collection.sessions, &laws.half_flatness, value)
}

/// Tests sessions by their voids.
pub(crate) fn voids(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let laws = &look.expected.unconstrained.as_ref()?.small_samples;
    let value = |session: &Session| session.voids.into();
    picked(&look.collection.sessions, &laws.voids, value)
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

    /// Returns log10 of the ratio if the wildest (or flattest) of `of` sets was selected.
    fn log10_ratio(self, wildest: bool, of: i32) -> f64 {
        let [with, without] = if wildest { self.to } else { self.from };
        let term = |i| with.powi(i) * without.powi(of - 1 - i);
        log10((0..of).map(term).sum::<f64>())
    }
}

/// Tests whether sessions were selected by a sum over their boards, given the law of one board;
/// `None` without sessions.
///
/// The p-value is 1/e, which is valid by Markov's inequality.
fn picked(sessions: &Sessions, law: &Lattice, value: impl Fn(&Session) -> u64) -> Option<Measured> {
    let mut alike: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    for (session, count) in sessions.iter() {
        *alike
            .entry((session.boards.into(), value(session)))
            .or_default() += count;
    }
    let boards: u64 = alike
        .iter()
        .map(|((boards, _), count)| boards * count)
        .sum();
    if boards == 0 {
        return None;
    }
    let places: Vec<(SessionPosition, f64)> = alike
        .into_par_iter()
        .map(|((boards, value), count)| (SessionPosition::new(law, boards, value), count as f64))
        .collect();
    let mut ratios = Vec::new();
    for wildest in [true, false] {
        for of in PICKED_FROM {
            let each = places.iter();
            let ratio: f64 = each
                .map(|(place, count)| count * place.log10_ratio(wildest, of))
                .sum();
            ratios.push((ratio, wildest, of));
        }
    }
    let exponents: Vec<f64> = ratios.iter().map(|(ratio, ..)| *ratio).collect();
    let log10_e = log10_sum(&exponents) - log10(exponents.len() as f64);
    let effect = match ratios.iter().max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((ratio, wildest, of)) if *ratio > 0.0 => {
            let end = if *wildest { "wildest" } else { "flattest" };
            format!("sessions resemble the {end} of {of} sets")
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
    use crate::battery::small_sample_laws::SmallSampleLaws;
    use crate::battery::test_support::{counted, unconstrained};
    use crate::bridge::Deal;
    use crate::defect::{Defect, Defective};
    use crate::tally::{CountPlan, Depth};

    /// A law with a gap.
    fn law() -> Lattice {
        Lattice::new(&[0.0, 0.4, 0.3, 0.0, 0.2, 0.1])
    }

    #[test]
    fn the_mean_of_every_ratio_is_one() {
        for boards in [1, 2, 5, 30, 200] {
            for wildest in [true, false] {
                for of in PICKED_FROM {
                    let ratio = |value| {
                        let place = SessionPosition::new(&law(), boards, value);
                        let mass = if place.to[0] < 0.5 {
                            place.to[0] - place.to[1]
                        } else {
                            place.from[0] - place.from[1]
                        };
                        mass * powf(10.0, place.log10_ratio(wildest, of))
                    };
                    let mean: f64 = (0..=5 * boards).map(ratio).sum();
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
        assert!((place.log10_ratio(true, 3) - log10(of_three)).abs() < 1e-12);
        let of_two = (0.3f64.powi(2) - 0.1f64.powi(2)) / 0.2;
        assert!((place.log10_ratio(false, 2) - log10(of_two)).abs() < 1e-12);
    }

    #[test]
    fn without_sessions_there_is_nothing_to_say() {
        let mut sessions = Sessions::default();
        assert_eq!(picked(&sessions, &law(), |_| 0), None);
        sessions.add(Session {
            boards: 20,
            flatness: 0,
            voids: 20,
        });
        let found = picked(&sessions, &law(), |session| session.voids.into());
        assert_eq!(found.map(|found| found.deals), Some(20));
    }

    /// Returns log10 of the e-values of F and of voids for these deals, in sessions of 36 boards.
    fn session_evidence(laws: &SmallSampleLaws, deals: &[Deal]) -> [f64; 2] {
        let mut sessions = Sessions::default();
        for session in deals.chunks_exact(36) {
            sessions.add(Session::of(session));
        }
        let flatness = picked(&sessions, &laws.half_flatness, |s| s.flatness / 2);
        let voids = picked(&sessions, &laws.voids, |s| s.voids.into());
        [flatness, voids].map(|measured| measured.unwrap().log10_e.unwrap())
    }

    #[test]
    fn the_wildest_of_three_sessions_is_seen_after_some_fifty() {
        let defect = Defect::named("wildest-of-3-sessions").unwrap();
        let (plan, laws) = (
            CountPlan::unconstrained(Depth::Tables),
            SmallSampleLaws::unconstrained(),
        );
        // A session contributes 0.188 decimal digits: 51 sessions contribute 9.6, less one for the
        // ten kinds of selection that are tested.
        let evidence = |seed| {
            let source = Defective::<Vec<u8>>::new(defect, seed, None).unwrap();
            let (deals, _) = counted(&plan, &source, 36 * 51);
            session_evidence(&laws, &deals)[0]
        };
        let mut evidence: Vec<f64> = (0..15).map(evidence).collect();
        evidence.sort_by(f64::total_cmp);
        assert!(evidence[3] >= 6.0, "{evidence:?}");
    }

    #[test]
    fn perfect_sessions_are_not_picked() {
        let (deals, _) = unconstrained(36 * 400);
        let laws = SmallSampleLaws::unconstrained();
        for sessions in deals.chunks(36 * 40) {
            let evidence = session_evidence(&laws, sessions);
            assert!(
                evidence.iter().all(|log10_e| *log10_e < 2.0),
                "{evidence:?}"
            );
        }
    }
}
