//! Which tests are made, with which weights: decided before the first deal, from
//! what is known of the run alone.

use super::FIRST_LOOK;
use super::second_order::Contrast;
use crate::bridge::{Seat, Side, Suit};
use crate::population::Structure;
use crate::tally::{Depth, LAGS, LOW_CELLS, SPACED};

/// Least deals, or pairs of deals, of a chi-square with many degrees of freedom.
const LEAST_PAIRS: u64 = 1 << 14;
/// The same for products between deals: their degrees of freedom.
const LEAST_CROSS: u64 = 23_409;
/// Least deals, or pairs of deals, of a chi-square with its form's own three moments.
const LEAST_FITTED: u64 = 16;
/// Least deals of a chi-square whose sums have tails as light as its own.
const LEAST_LIGHT: u64 = 64;
/// Least deals of a sum that is normal by the limit theorem alone.
const LEAST_NORMAL: u64 = 1 << 10;
/// The same for products of such sums, with heavier tails.
pub(super) const LEAST_PRODUCTS: u64 = 1 << 12;
/// Deals after which the second group of blocks begins.
const GROUP_DEALS: u64 = 8 * crate::draw::BLOCK_DEALS;

/// What a battery knows of a run before its first deal.
#[derive(Clone, Debug)]
pub struct Terms {
    /// How much is looked at.
    pub depth: Depth,
    /// Deals of the run.
    pub deals: u64,
    /// Deals that PASS takes.
    pub target: u64,
    /// Of them, those whose pairs of cards are looked at.
    pub close: u64,
    /// Of them, those whose numbers are looked at.
    pub numbered: u64,
    /// Deals that are kept to find equal ones.
    pub kept: usize,
    /// Deals of the longest stretch in which deals follow each other.
    pub longest: u64,
    /// Pairs of draws of one batch that are compared with each other.
    pub compared: f64,
    /// Batches of the run.
    pub batches: u64,
    /// Deals of the smallest group of batches.
    pub smallest_group: u64,
    /// What is known of the population.
    pub structure: Structure,
    /// Sessions of boards that were played together, as metadata has them.
    pub sessions: u64,
    /// Boards that have the number of one of the session before.
    pub session_pairs: u64,
    /// Whether the first deals are looked for among those of known seeds.
    pub seeds: bool,
    /// Whether tests of too few deals for their laws are placed among perfect sets.
    pub referred: bool,
    /// Whether it is not known how many deals will come: `deals` is the most there can be.
    pub open: bool,
}

impl Terms {
    /// log10 of v_l, the share of a test's evidence that its look l counts for.
    ///
    /// v_l = 1 / (l (l + 1)), which sum to 1 over all looks; where there is but one
    /// look, it has all.
    pub(super) fn look_share_log10(&self, look: u32) -> f64 {
        if self.deals < FIRST_LOOK {
            return if look > 1 { f64::NEG_INFINITY } else { 0.0 };
        }
        let look = f64::from(look);
        -(look * (look + 1.0)).log10()
    }

    /// Deals that bounds are made for: how many were declared, or take a PASS.
    pub(super) fn declared(&self) -> u64 {
        if self.open { self.target } else { self.deals }
    }

    /// Pairs of deals at a lag, at least: those of whole stretches.
    fn pairs(&self, lag: usize) -> u64 {
        let stretches = self.deals / self.longest.max(1);
        stretches * self.longest.saturating_sub(lag as u64)
    }

    /// Tests that are not made, in words.
    pub(super) fn left_out(&self) -> Vec<String> {
        let mut left_out = Vec::new();
        if let Structure::Unknown(_) = self.structure {
            left_out.push(
                "everything that depends on the condition, which is not known: cases, tables, \
                 duplicates"
                    .to_owned(),
            );
            return left_out;
        }
        if self.depth == Depth::Tables {
            left_out.push(
                "everything but tables and the seat of single cards: pairs of cards, flatness, \
                 deals after each other, duplicates, numbers, cases (--battery standard)"
                    .to_owned(),
            );
        } else if self.structure == Structure::EveryDeal
            && self.close < LEAST_PAIRS
            && !self.referred
        {
            left_out.push("pairs of cards: too few deals".to_owned());
        }
        left_out
    }
}

/// What two or more tests look at together, and share a weight for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Duplicates,
    CardSeat,
    SecondOrder,
    Lags,
    Flatness,
    Patterns,
    Points,
    Numbers,
    Cases,
    Tables,
    Filling,
    Interchange,
    CardTable,
}

/// The published weights of unconstrained deals, frozen before the first run.
const UNCONSTRAINED: [(Group, f64); 8] = [
    (Group::Duplicates, 0.15),
    (Group::CardSeat, 0.15),
    (Group::SecondOrder, 0.10),
    (Group::Lags, 0.17),
    (Group::Flatness, 0.15),
    (Group::Patterns, 0.12),
    (Group::Points, 0.10),
    (Group::Numbers, 0.06),
];

/// Those of draws from cases.
const CONSTRAINED: [(Group, f64); 6] = [
    (Group::Cases, 0.25),
    (Group::Tables, 0.25),
    (Group::Filling, 0.20),
    (Group::Interchange, 0.10),
    (Group::CardTable, 0.15),
    (Group::Duplicates, 0.05),
];

/// A test, by the names of the method (METHODOLOGY.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Test {
    /// T1: the seat of every card.
    CardSeat,
    /// T1max: the worst card and seat.
    WorstCard,
    /// T10: groups of deals against each other, by the seat of every card.
    Heterogeneity,
    /// T2a: pairs of cards in one hand.
    SameHand,
    /// T2b: pairs of cards, which hand they share.
    WhichHand,
    /// T2c: pairs of cards in different hands, symmetric.
    Symmetric,
    /// T2d: pairs of cards in different hands, antisymmetric.
    Antisymmetric,
    /// T2: the complete second order.
    SecondOrder,
    /// T2z: chosen pairs of cards in one hand.
    Contrast,
    /// F: the mean flatness.
    MeanFlatness,
    /// F: the flatness of deals.
    Flatness,
    /// F by sessions: whether they were picked.
    SessionFlatness,
    /// Voids by sessions: whether they were picked.
    SessionVoids,
    /// T3: the length of a suit.
    Lengths,
    /// T3: a side's length of a suit.
    Fits,
    /// T3: a side's longest suit.
    BestFits,
    /// T4: specific patterns.
    Patterns,
    /// T4: shapes.
    Shapes,
    /// T4p: shapes of all four seats.
    PooledShapes,
    /// T5: points.
    Points,
    /// T5: a side's points.
    SidePoints,
    /// T5: controls.
    Controls,
    /// T5p: points of all four seats.
    PooledPoints,
    /// T6: cards that keep their seat, by table.
    Overlap,
    /// T6: cards that keep their seat.
    Stayed,
    /// T7: all cards of two deals.
    Cross,
    /// T7h: points of two deals.
    PointsCross,
    /// T8: equal deals.
    Duplicates,
    /// T8c: deals that are images of each other.
    Images,
    /// T9: where numbers fall.
    NumberPlace,
    /// T9: the lowest bits of numbers.
    NumberLow,
    /// T9: numbers' largest distance from uniform.
    NumberDistance,
    /// T9b: birthday spacings.
    Spacings,
    /// T9s: deals of known seeds.
    Seeds,
    /// 4.2a: runs of cases.
    Runs,
    /// 4.2a: runs of cases by halves.
    RunTree,
    /// 4.2b: classes of weights.
    Classes,
    /// 4.2d: draws of the same case.
    Coincidences,
    /// 4.2e: the run that came too often.
    LargestRun,
    /// 4.4: how exchangeable cards fall.
    Filling,
    /// 4.5: seats that nothing tells apart.
    Interchange,
    /// The card table against its exact probabilities.
    CardTable,
    /// T10 of draws from cases: groups of batches against each other, by shapes.
    ShapeHeterogeneity,
}

impl Test {
    /// What it looks at, for players.
    #[must_use]
    pub fn looks_at(self) -> &'static str {
        match self {
            Self::CardSeat | Self::WorstCard | Self::CardTable => "who gets which card",
            Self::Heterogeneity | Self::ShapeHeterogeneity => {
                "stretches of the run beside each other"
            }
            Self::SameHand
            | Self::WhichHand
            | Self::Symmetric
            | Self::Antisymmetric
            | Self::SecondOrder
            | Self::Contrast => "pairs of cards",
            Self::MeanFlatness | Self::Flatness => "flat and wild deals",
            Self::SessionFlatness | Self::SessionVoids => "sessions that were picked",
            Self::Lengths | Self::Fits | Self::BestFits => "suit lengths",
            Self::Patterns | Self::Shapes | Self::PooledShapes => "patterns of hands",
            Self::Points | Self::SidePoints | Self::Controls | Self::PooledPoints => "points",
            Self::Overlap | Self::Stayed | Self::Cross | Self::PointsCross => {
                "a deal and one after it"
            }
            Self::Duplicates | Self::Images => "deals that come twice",
            Self::NumberPlace | Self::NumberLow | Self::NumberDistance | Self::Spacings => {
                "deals as numbers"
            }
            Self::Seeds => "seeds of known dealers",
            Self::Runs | Self::RunTree | Self::Classes | Self::Coincidences | Self::LargestRun => {
                "which cases come"
            }
            Self::Filling => "how the other cards fall",
            Self::Interchange => "hands that should be alike",
        }
    }

    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CardSeat => "T1 card-seat",
            Self::WorstCard => "T1max worst card",
            Self::Heterogeneity => "T10 heterogeneity",
            Self::SameHand => "T2a same hand",
            Self::WhichHand => "T2b which hand",
            Self::Symmetric => "T2c symmetric pairs",
            Self::Antisymmetric => "T2d antisymmetric pairs",
            Self::SecondOrder => "T2 second order",
            Self::Contrast => "T2z contrast",
            Self::MeanFlatness => "F mean flatness",
            Self::Flatness => "F flatness",
            Self::SessionFlatness => "F sessions picked",
            Self::SessionVoids => "voids sessions picked",
            Self::Lengths => "T3 suit length",
            Self::Fits => "T3 fit",
            Self::BestFits => "T3 best fit",
            Self::Patterns => "T4 patterns",
            Self::Shapes => "T4 shapes",
            Self::PooledShapes => "T4p pooled shapes",
            Self::Points => "T5 hcp",
            Self::SidePoints => "T5 side hcp",
            Self::Controls => "T5 controls",
            Self::PooledPoints => "T5p pooled hcp",
            Self::Overlap => "T6 overlap",
            Self::Stayed => "T6 trace",
            Self::Cross => "T7 cross",
            Self::PointsCross => "T7h hcp cross",
            Self::Duplicates => "T8 duplicates",
            Self::Images => "T8c images",
            Self::NumberPlace => "T9 deal number",
            Self::NumberLow => "T9 low bits",
            Self::NumberDistance => "T9 distance",
            Self::Spacings => "T9b birthday spacings",
            Self::Seeds => "T9s seed dictionary",
            Self::Runs => "C case runs",
            Self::RunTree => "C case halves",
            Self::Classes => "C weight classes",
            Self::Coincidences => "C coincidences",
            Self::LargestRun => "C largest run",
            Self::Filling => "C filling",
            Self::Interchange => "C interchange",
            Self::CardTable => "C card table",
            Self::ShapeHeterogeneity => "T10 shapes",
        }
    }

    /// Whether its statistic is a standard normal one.
    #[must_use]
    pub fn is_normal(self) -> bool {
        matches!(self, Self::Contrast | Self::MeanFlatness | Self::Stayed)
    }

    /// Whether its p-value is an upper bound: a smallest p-value times the number of tests, the
    /// exact tail of a small count, or the inverse of an e-value.
    #[must_use]
    pub fn has_bound(self) -> bool {
        matches!(
            self,
            Self::WorstCard
                | Self::CardTable
                | Self::Duplicates
                | Self::Images
                | Self::Seeds
                | Self::Spacings
                | Self::NumberDistance
                | Self::RunTree
                | Self::LargestRun
                | Self::SessionFlatness
                | Self::SessionVoids
        )
    }

    fn group(self, constrained: bool) -> Group {
        match self {
            Self::CardSeat | Self::WorstCard | Self::Heterogeneity => Group::CardSeat,
            Self::SameHand
            | Self::WhichHand
            | Self::Symmetric
            | Self::Antisymmetric
            | Self::SecondOrder => Group::SecondOrder,
            Self::Contrast
            | Self::MeanFlatness
            | Self::Flatness
            | Self::SessionFlatness
            | Self::SessionVoids => Group::Flatness,
            Self::ShapeHeterogeneity => Group::Tables,
            Self::Lengths
            | Self::Fits
            | Self::BestFits
            | Self::Points
            | Self::SidePoints
            | Self::Controls
            | Self::PooledPoints
                if !constrained =>
            {
                Group::Points
            }
            Self::Patterns | Self::Shapes | Self::PooledShapes if !constrained => Group::Patterns,
            Self::Lengths
            | Self::Fits
            | Self::BestFits
            | Self::Points
            | Self::SidePoints
            | Self::Controls
            | Self::PooledPoints
            | Self::Patterns
            | Self::Shapes
            | Self::PooledShapes => Group::Tables,
            Self::Overlap | Self::Stayed | Self::Cross | Self::PointsCross => Group::Lags,
            Self::Duplicates | Self::Images | Self::Seeds => Group::Duplicates,
            Self::NumberPlace | Self::NumberLow | Self::NumberDistance | Self::Spacings => {
                Group::Numbers
            }
            Self::Runs | Self::RunTree | Self::Classes | Self::Coincidences | Self::LargestRun => {
                Group::Cases
            }
            Self::Filling => Group::Filling,
            Self::Interchange => Group::Interchange,
            Self::CardTable => Group::CardTable,
        }
    }

    /// Whether fewer deals than its law takes are placed among perfect sets.
    fn is_referred(self) -> bool {
        matches!(
            self,
            Self::CardSeat
                | Self::SameHand
                | Self::WhichHand
                | Self::Symmetric
                | Self::Antisymmetric
                | Self::SecondOrder
                | Self::Contrast
                | Self::Overlap
                | Self::Cross
                | Self::PointsCross
                | Self::Filling
                | Self::Interchange
        )
    }

    /// Least deals or pairs at which the test may be looked at.
    pub(super) fn least(self) -> u64 {
        match self {
            Self::SameHand
            | Self::WhichHand
            | Self::Symmetric
            | Self::Antisymmetric
            | Self::SecondOrder => LEAST_PAIRS,
            Self::Cross => LEAST_CROSS,
            Self::NumberPlace | Self::NumberLow | Self::NumberDistance => 20 * LOW_CELLS as u64,
            Self::Spacings => SPACED as u64,
            Self::CardSeat | Self::Overlap => LEAST_FITTED,
            Self::Filling | Self::Interchange => LEAST_LIGHT,
            Self::Heterogeneity
            | Self::ShapeHeterogeneity
            | Self::PooledShapes
            | Self::PooledPoints
            | Self::Coincidences => LEAST_NORMAL,
            Self::Contrast | Self::PointsCross => LEAST_PRODUCTS,
            _ => 1,
        }
    }

    /// Deals that the test will have looked at in the end, if every deal counts.
    fn reach(self, terms: &Terms) -> u64 {
        match self {
            Self::SameHand
            | Self::WhichHand
            | Self::Symmetric
            | Self::Antisymmetric
            | Self::SecondOrder
            | Self::Contrast
            | Self::Cross
            | Self::PointsCross
            | Self::Interchange => terms.close,
            Self::NumberPlace
            | Self::NumberLow
            | Self::NumberDistance
            | Self::Spacings
            | Self::Images => terms.numbered,
            _ => terms.deals,
        }
    }
}

/// What a test is of.
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
    /// Boards beside those of the same number in the session before.
    SessionBefore,
    Contrast(Contrast),
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
            Self::SessionBefore => f.write_str("same board, session before"),
            Self::Contrast(contrast) => f.write_str(contrast.name()),
        }
    }
}

/// A test of one subject, and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Planned {
    pub(super) test: Test,
    pub(super) subject: Subject,
    pub(super) weight: f64,
}

/// The tests of a run, with weights that sum to 1.
///
/// A group's weight goes in equal parts to its tests, a test's to its subjects;
/// groups without a test leave theirs to the others.
pub(super) fn planned(terms: &Terms) -> Vec<Planned> {
    let constrained = terms.structure != Structure::EveryDeal;
    let tests = tests(terms);
    let weights: &[(Group, f64)] = if constrained {
        &CONSTRAINED
    } else {
        &UNCONSTRAINED
    };
    let in_group = |group: Group| {
        let count = tests
            .iter()
            .filter(|(test, _)| test.group(constrained) == group);
        count.count()
    };
    let used = weights.iter().filter(|(group, _)| in_group(*group) > 0);
    let sum: f64 = used.map(|(_, weight)| weight).sum();
    let mut planned = Vec::new();
    for (test, subjects) in &tests {
        let group = test.group(constrained);
        let of_group = weights.iter().find(|(other, _)| *other == group);
        let weight = of_group.map_or(0.0, |(_, weight)| weight / sum);
        let weight = weight / in_group(group) as f64 / subjects.len() as f64;
        planned.extend(subjects.iter().map(|&subject| Planned {
            test: *test,
            subject,
            weight,
        }));
    }
    planned
}

/// The tests that a run allows, with their subjects.
fn tests(terms: &Terms) -> Vec<(Test, Vec<Subject>)> {
    let seats: Vec<Subject> = Seat::ALL.into_iter().map(Subject::Seat).collect();
    let all = || vec![Subject::All];
    let seat_suits = || {
        let suits = |seat| Suit::ALL.map(|suit| Subject::SeatSuit(seat, suit));
        Seat::ALL.into_iter().flat_map(suits).collect::<Vec<_>>()
    };
    let north_south = Side::NorthSouth;
    // East-west's lengths and points are what north-south leave.
    let fits = Suit::ALL.map(|suit| Subject::SideSuit(north_south, suit));
    let mut tests = vec![
        (Test::Lengths, seat_suits()),
        (Test::Fits, fits.to_vec()),
        (Test::Patterns, seats.clone()),
        (Test::Shapes, seats.clone()),
        (Test::Points, seats.clone()),
        (Test::SidePoints, vec![Subject::Side(north_south)]),
    ];
    let deeper = terms.depth != Depth::Tables;
    if deeper {
        tests.push((Test::Controls, seats));
        tests.push((Test::Duplicates, all()));
    }
    match &terms.structure {
        Structure::EveryDeal => unconstrained(terms, deeper, &mut tests),
        Structure::Listed(first, second) => {
            constrained(terms, (*first, *second), deeper, &mut tests);
        }
        Structure::Factored(rest) => {
            tests.push((Test::CardTable, all()));
            if deeper {
                unknown(&pairs_of(rest), &mut tests);
            }
        }
        Structure::Unknown(alike) => {
            tests.clear();
            unknown(alike, &mut tests);
        }
    }
    if terms.seeds {
        tests.push((Test::Seeds, all()));
    }
    retain(terms, tests)
}

/// Those tests that have a subject and deals enough for their laws, or for a place among
/// perfect sets.
fn retain(terms: &Terms, mut tests: Vec<(Test, Vec<Subject>)>) -> Vec<(Test, Vec<Subject>)> {
    tests.retain(|(test, subjects)| {
        let reach = test.reach(terms);
        let enough = reach >= test.least() || terms.referred && test.is_referred();
        !subjects.is_empty() && reach > 0 && enough
    });
    tests
}

fn unconstrained(terms: &Terms, deeper: bool, tests: &mut Vec<(Test, Vec<Subject>)>) {
    let all = || vec![Subject::All];
    tests.extend([
        (Test::CardSeat, all()),
        (Test::WorstCard, all()),
        (Test::PooledShapes, all()),
        (Test::PooledPoints, all()),
        (Test::BestFits, Side::ALL.map(Subject::Side).to_vec()),
    ]);
    if terms.deals > GROUP_DEALS {
        tests.push((Test::Heterogeneity, all()));
    }
    if !deeper {
        return;
    }
    tests.push((Test::MeanFlatness, all()));
    tests.push((Test::Flatness, all()));
    // Of a stretch, the first deals have none so far before them: most have.
    let lags = |lags: &[usize]| -> Vec<Subject> {
        let reached = lags.iter().filter(|lag| terms.longest > 2 * **lag as u64);
        reached.map(|lag| Subject::Lag(*lag)).collect()
    };
    let enough = |test: Test| {
        let lags = LAGS.into_iter();
        lags.filter(move |lag| terms.pairs(*lag) >= test.least())
    };
    for test in [Test::Overlap, Test::Stayed] {
        let mut subjects = lags(&enough(test).collect::<Vec<usize>>());
        if terms.session_pairs >= test.least() {
            subjects.push(Subject::SessionBefore);
        }
        tests.push((test, subjects));
    }
    if terms.sessions > 0 {
        tests.push((Test::SessionFlatness, all()));
        tests.push((Test::SessionVoids, all()));
    }
    if terms.close > 0 {
        let contrasts = Contrast::ALL.map(Subject::Contrast).to_vec();
        tests.push((Test::Contrast, contrasts));
        let products: &[usize] = match terms.depth {
            Depth::Full => &LAGS,
            _ => &LAGS[..1],
        };
        tests.push((Test::PointsCross, lags(products)));
        for test in [
            Test::SameHand,
            Test::WhichHand,
            Test::Symmetric,
            Test::Antisymmetric,
            Test::SecondOrder,
        ] {
            tests.push((test, all()));
        }
        // Each stretch has as many pairs less as the lag is long.
        if terms.close >= 2 * LEAST_CROSS || terms.referred {
            tests.push((Test::Cross, lags(products)));
        }
    }
    for test in [
        Test::Images,
        Test::NumberPlace,
        Test::NumberLow,
        Test::NumberDistance,
        Test::Spacings,
    ] {
        tests.push((test, all()));
    }
}

fn constrained(
    terms: &Terms,
    listed: (Seat, Option<Seat>),
    deeper: bool,
    tests: &mut Vec<(Test, Vec<Subject>)>,
) {
    let all = || vec![Subject::All];
    tests.push((Test::CardTable, all()));
    if terms.batches > 1 {
        let seats = Seat::ALL.map(Subject::Seat).to_vec();
        tests.push((Test::ShapeHeterogeneity, seats));
    }
    if !deeper {
        return;
    }
    tests.extend([
        (Test::Runs, all()),
        (Test::RunTree, all()),
        (Test::Classes, all()),
        (Test::LargestRun, all()),
        (Test::Coincidences, all()),
    ]);
    unknown(&pairs_of(&super::drawn::unlisted(listed)), tests);
}

/// Every two of these seats.
fn pairs_of(alike: &[Seat]) -> Vec<[Seat; 2]> {
    let pairs = (0..alike.len()).flat_map(|a| (a + 1..alike.len()).map(move |b| (a, b)));
    pairs.map(|(a, b)| [alike[a], alike[b]]).collect()
}

/// What needs no knowledge of the condition but which seats it treats alike.
fn unknown(alike: &[[Seat; 2]], tests: &mut Vec<(Test, Vec<Subject>)>) {
    tests.push((Test::Filling, Suit::ALL.map(Subject::Suit).to_vec()));
    let pairs = alike.iter().map(|pair| Subject::Seats(*pair));
    tests.push((Test::Interchange, pairs.collect()));
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
