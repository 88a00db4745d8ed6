//! The choice of tests and weights, made before the first deal from the run's parameters alone.

use super::catalogue::{CONSTRAINED, Test, UNCONSTRAINED};
use super::parameters::RunParameters;
use super::row::TestGroup;
use super::subject::TestSubject;
use crate::population::Structure;
use crate::tally::Depth;

/// A test of one subject and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlannedTest {
    pub(super) test: Test,
    pub(super) subject: TestSubject,
    pub(super) weight: f64,
}

/// Returns the tests of a run, with weights that sum to 1.
///
/// A group's weight is divided equally among its tests, and a test's weight among its subjects. The
/// weight of a group without tests is shared by the other groups.
pub(super) fn planned(terms: &RunParameters) -> Vec<PlannedTest> {
    let tests = Test::ALL.iter().filter_map(|&test| made(test, terms));
    let tests: Vec<_> = tests.collect();
    let weights: &[(TestGroup, f64)] = match terms.structure {
        Structure::EveryDeal => &UNCONSTRAINED,
        _ => &CONSTRAINED,
    };
    let in_group = |group: TestGroup| tests.iter().filter(|(_, of, _)| *of == group).count();
    let used = weights.iter().filter(|(group, _)| in_group(*group) > 0);
    let sum: f64 = used.map(|(_, weight)| weight).sum();
    let mut planned = Vec::new();
    for (test, group, subjects) in &tests {
        let of_group = weights.iter().find(|(other, _)| other == group);
        let weight = of_group.map_or(0.0, |(_, weight)| weight / sum);
        let weight = weight / in_group(*group) as f64 / subjects.len() as f64;
        planned.extend(subjects.iter().map(|&subject| PlannedTest {
            test: *test,
            subject,
            weight,
        }));
    }
    planned
}

/// Returns a test with its group and subjects if the run allows it. It needs a subject, and enough
/// deals for its law or for a comparison with perfect sets.
fn made(test: Test, terms: &RunParameters) -> Option<(Test, TestGroup, Vec<TestSubject>)> {
    let row = test.row();
    let (group, subjects) = (row.group(terms)?, (row.subjects)(terms));
    let reach = row.reached(terms);
    let is_enough = reach >= row.least || terms.referred && row.is_referred;
    let is_made = !subjects.is_empty() && reach > 0 && is_enough;
    is_made.then_some((test, group, subjects))
}

/// Describes the tests that are left out.
pub(super) fn left_out(terms: &RunParameters) -> Vec<String> {
    let mut left_out = Vec::new();
    if let Structure::Unknown(_) = terms.structure {
        left_out.push(
            "tests that need exact tables of the condition: cases, tables, duplicates".to_owned(),
        );
        return left_out;
    }
    if terms.depth == Depth::Tables {
        left_out.push(
            "pairs of cards, flatness, dependence between deals, duplicates, deal numbers, \
             cases: the standard battery includes them"
                .to_owned(),
        );
    } else if terms.structure == Structure::EveryDeal
        && terms.close < Test::SecondOrder.least()
        && !terms.referred
    {
        left_out.push("pairs of cards: too few deals".to_owned());
    }
    left_out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Seat;

    fn terms(depth: Depth, deals: u64, structure: &Structure) -> RunParameters {
        RunParameters {
            depth,
            deals,
            target: 1 << 20,
            close: deals / 8,
            numbered: deals / 64,
            kept: 1 << 20,
            longest: deals.min(1 << 16),
            compared: 0.0,
            batches: 10,
            smallest_group: deals / 16,
            structure: structure.clone(),
            sessions: 0,
            dealt: 0,
            session_pairs: 0,
            seeds: false,
            referred: false,
            open: false,
        }
    }

    #[test]
    fn weights_sum_to_one_whatever_is_tested() {
        let structures = [
            Structure::EveryDeal,
            Structure::Listing(Seat::West, None),
            Structure::Listing(Seat::West, Some(Seat::East)),
            Structure::Cells(vec![Seat::North, Seat::South]),
            Structure::Cells(Vec::new()),
            Structure::Unknown(vec![[Seat::North, Seat::South]]),
        ];
        for depth in [Depth::Tables, Depth::Standard, Depth::Full] {
            for deals in [1, 100, 1 << 14, 1 << 20, 10_485_760, 1 << 30] {
                for structure in &structures {
                    let planned = planned(&terms(depth, deals, structure));
                    let sum: f64 = planned.iter().map(|planned| planned.weight).sum();
                    assert!(
                        planned.is_empty() || (sum - 1.0).abs() < 1e-12,
                        "{depth:?} {deals} {structure:?}: {sum}"
                    );
                    assert!(planned.iter().all(|planned| planned.weight > 0.0));
                }
            }
        }
    }

    #[test]
    fn the_published_weights_are_these() {
        let planned = planned(&terms(Depth::Full, 1 << 33, &Structure::EveryDeal));
        let of = |test: Test| {
            let of_test = planned.iter().filter(|planned| planned.test == test);
            of_test.map(|planned| planned.weight).sum::<f64>()
        };
        // A run has no dealers and sessions, and so no places.
        let near = |test, weight: f64| {
            assert!((of(test) - weight / 0.97).abs() < 1e-12, "{test:?}");
        };
        near(Test::Duplicates, 0.04);
        near(Test::CardSeat, 0.14 / 3.0);
        near(Test::SecondOrder, 0.02);
        near(Test::Overlap, 0.034);
        near(Test::MeanFlatness, 0.05);
        near(Test::Patterns, 0.11 / 3.0);
        near(Test::PooledPoints, 0.09 / 7.0);
        near(Test::Spacings, 0.0125);
    }
}
