//! The choice of tests and weights, made before the first deal from the run's parameters alone.

use super::FIRST_LOOK;
use super::catalogue::{CATALOGUE, CONSTRAINED, Group, Test, UNCONSTRAINED};
use super::row::Row;
use super::tests::t2_second_order::Contrast;
use crate::bridge::{Seat, Side, Suit};
use crate::population::Structure;
use crate::tally::Depth;

/// The run parameters that a battery knows before the first deal.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Depth of the battery.
    pub depth: Depth,
    /// Number of deals.
    pub deals: u64,
    /// Number of deals that a PASS requires.
    pub target: u64,
    /// Number of deals whose pairs of cards are tested.
    pub close: u64,
    /// Number of deals whose numbers are tested.
    pub numbered: u64,
    /// Number of deals that are kept to find duplicates.
    pub kept: usize,
    /// Length of the longest sequence of consecutive deals.
    pub longest: u64,
    /// Number of pairs of draws that are compared within batches.
    pub compared: f64,
    /// Number of batches.
    pub batches: u64,
    /// Number of deals in the smallest group of batches.
    pub smallest_group: u64,
    /// Structure of the population.
    pub structure: Structure,
    /// Number of sessions of boards that were played together, from the metadata.
    pub sessions: u64,
    /// Number of boards that have the same number as a board of the previous session.
    pub session_pairs: u64,
    /// Whether the first deals are looked up among those of known seeds.
    pub seeds: bool,
    /// Whether tests with too few deals for their laws use perfect sets as reference.
    pub referred: bool,
    /// Whether the number of deals is open; then `deals` is the maximum.
    pub open: bool,
}

impl Terms {
    /// Returns log10 of v_l, the weight of look l in a test's evidence.
    ///
    /// v_l = 1 / (l (l + 1)), which sum to 1 over all looks; a single look has weight 1.
    pub(super) fn look_share_log10(&self, look: u32) -> f64 {
        if self.deals < FIRST_LOOK {
            return if look > 1 { f64::NEG_INFINITY } else { 0.0 };
        }
        let look = f64::from(look);
        -(look * (look + 1.0)).log10()
    }

    /// Returns the number of pairs of deals at a lag: a lower bound, which counts complete
    /// sequences only.
    pub(super) fn pairs(&self, lag: usize) -> u64 {
        let stretches = self.deals / self.longest.max(1);
        stretches * self.longest.saturating_sub(lag as u64)
    }

    /// Selects the lags at which most deals of a sequence have a predecessor.
    pub(super) fn reached(&self, lags: impl Iterator<Item = usize>) -> Vec<Subject> {
        let reached = lags.filter(|lag| self.longest > 2 * *lag as u64);
        reached.map(Subject::Lag).collect()
    }

    /// Describes the tests that are left out.
    pub(super) fn left_out(&self) -> Vec<String> {
        let mut left_out = Vec::new();
        if let Structure::Unknown(_) = self.structure {
            left_out.push(
                "tests that need exact tables of the condition: cases, tables, duplicates"
                    .to_owned(),
            );
            return left_out;
        }
        if self.depth == Depth::Tables {
            left_out.push(
                "pairs of cards, flatness, dependence between deals, duplicates, deal numbers, \
                 cases: `--battery standard` includes them"
                    .to_owned(),
            );
        } else if self.structure == Structure::EveryDeal
            && self.close < Test::SecondOrder.least()
            && !self.referred
        {
            left_out.push("pairs of cards: too few deals".to_owned());
        }
        left_out
    }
}

/// The subject of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Subject {
    All,
    Seat(Seat),
    Side(Side),
    SeatSuit(Seat, Suit),
    SideSuit(Side, Suit),
    Suit(Suit),
    Seats([Seat; 2]),
    Lag(usize),
    /// Boards with those of the same number in the previous session.
    SessionBefore,
    Contrast(Contrast),
}

impl Subject {
    /// Returns all deals as the only subject.
    pub(super) fn all(_: &Terms) -> Vec<Self> {
        vec![Self::All]
    }

    /// Returns all deals as the only subject, or no subject.
    pub(super) fn all_if(is_made: bool) -> Vec<Self> {
        is_made.then_some(Self::All).into_iter().collect()
    }

    /// Returns every seat.
    pub(super) fn seats(_: &Terms) -> Vec<Self> {
        Seat::ALL.map(Self::Seat).to_vec()
    }

    /// Returns every suit of every seat.
    pub(super) fn seat_suits(_: &Terms) -> Vec<Self> {
        let suits = |seat| Suit::ALL.map(|suit| Self::SeatSuit(seat, suit));
        Seat::ALL.into_iter().flat_map(suits).collect()
    }

    /// Returns the seat of a test of a single seat.
    pub(super) fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            _ => None,
        }
    }
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Seat(seat) => f.write_str(seat.name()),
            Self::Side(side) => f.write_str(side.name()),
            Self::SeatSuit(seat, suit) => write!(f, "{} {}", seat.name(), suit.name()),
            Self::SideSuit(side, suit) => write!(f, "{} {}", side.name(), suit.name()),
            Self::Suit(suit) => f.write_str(suit.name()),
            Self::Seats([one, other]) => write!(f, "{} and {}", one.name(), other.name()),
            Self::Lag(lag) => write!(f, "lag {lag}"),
            Self::SessionBefore => f.write_str("same board, previous session"),
            Self::Contrast(contrast) => f.write_str(contrast.name()),
        }
    }
}

/// A test of one subject and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Planned {
    pub(super) test: Test,
    pub(super) subject: Subject,
    pub(super) weight: f64,
}

/// Returns the tests of a run, with weights that sum to 1.
///
/// A group's weight is divided equally among its tests, and a test's weight among its subjects. The
/// weight of a group without tests is shared by the other groups.
pub(super) fn planned(terms: &Terms) -> Vec<Planned> {
    let tests: Vec<_> = CATALOGUE
        .iter()
        .filter_map(|row| made(row, terms))
        .collect();
    let weights: &[(Group, f64)] = match terms.structure {
        Structure::EveryDeal => &UNCONSTRAINED,
        _ => &CONSTRAINED,
    };
    let in_group = |group: Group| tests.iter().filter(|(_, of, _)| *of == group).count();
    let used = weights.iter().filter(|(group, _)| in_group(*group) > 0);
    let sum: f64 = used.map(|(_, weight)| weight).sum();
    let mut planned = Vec::new();
    for (test, group, subjects) in &tests {
        let of_group = weights.iter().find(|(other, _)| other == group);
        let weight = of_group.map_or(0.0, |(_, weight)| weight / sum);
        let weight = weight / in_group(*group) as f64 / subjects.len() as f64;
        planned.extend(subjects.iter().map(|&subject| Planned {
            test: *test,
            subject,
            weight,
        }));
    }
    planned
}

/// Returns a test with its group and subjects if the run allows it. It needs a subject, and enough
/// deals for its law or for a comparison with perfect sets.
fn made(row: &Row, terms: &Terms) -> Option<(Test, Group, Vec<Subject>)> {
    let (group, subjects) = (row.group(terms)?, (row.subjects)(terms));
    let reach = row.reached(terms);
    let is_enough = reach >= row.least || terms.referred && row.is_referred;
    let is_made = !subjects.is_empty() && reach > 0 && is_enough;
    is_made.then_some((row.test, group, subjects))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(depth: Depth, deals: u64, structure: &Structure) -> Terms {
        Terms {
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
            Structure::Listed(Seat::West, None),
            Structure::Listed(Seat::West, Some(Seat::East)),
            Structure::Factored(vec![Seat::North, Seat::South]),
            Structure::Factored(Vec::new()),
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
        let near = |test, weight: f64| assert!((of(test) - weight).abs() < 1e-12, "{test:?}");
        near(Test::Duplicates, 0.075);
        near(Test::CardSeat, 0.05);
        near(Test::SecondOrder, 0.02);
        near(Test::Overlap, 0.0425);
        near(Test::MeanFlatness, 0.05);
        near(Test::Patterns, 0.04);
        near(Test::PooledPoints, 0.1 / 7.0);
        near(Test::Spacings, 0.015);
    }
}
