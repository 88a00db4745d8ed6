//! The catalogue: every test of the battery, a row each, and the weights of their groups.
//!
//! Rows are in the order in which tests are planned, and so the order of tests.csv. A new test is
//! a row here, its functions in a file of `tests/`, and its name in METHODOLOGY.md. A group's
//! weight goes in equal parts to its tests that are made, a test's to its subjects.

use super::plan::Subject;
use super::test::Statistic::{Of, Table};
use super::test::{Knowledge, NullLaw, Reach, Row, Test};
use super::tests::{
    card_table, cases, filling, flatness, interchange, seeds, sessions, t1_card_seat,
    t2_second_order, t3_lengths, t4_patterns, t5_points, t6_overlap, t7_cross, t8_duplicates,
    t9_numbers, t10_heterogeneity,
};
use crate::bridge::{Side, Suit};
use crate::tally::{Depth, LOW_CELLS, SPACED};

/// Tests that share a weight, because they look at the same thing.
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
pub(super) const UNCONSTRAINED: [(Group, f64); 8] = [
    (Group::Duplicates, 0.15),
    (Group::CardSeat, 0.15),
    (Group::SecondOrder, 0.10),
    (Group::Lags, 0.17),
    (Group::Flatness, 0.15),
    (Group::Patterns, 0.12),
    (Group::Points, 0.10),
    (Group::Numbers, 0.06),
];

/// Those of constrained deals.
pub(super) const CONSTRAINED: [(Group, f64); 6] = [
    (Group::Cases, 0.25),
    (Group::Tables, 0.25),
    (Group::Filling, 0.20),
    (Group::Interchange, 0.10),
    (Group::CardTable, 0.15),
    (Group::Duplicates, 0.05),
];

/// Least deals, or pairs of deals, of a chi-square with many degrees of freedom.
const LEAST_PAIRS: u64 = 1 << 14;
/// The same for products between deals: their degrees of freedom.
pub(super) const LEAST_CROSS: u64 = 23_409;
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

/// What most rows have; below, what the rows of a family have.
const ROW: Row = Row {
    test: Test::CardSeat,
    name: "",
    looks_at: "",
    null_law: NullLaw::Other,
    least: 1,
    is_referred: false,
    reach: Reach::All,
    depth: Depth::Standard,
    unconstrained: None,
    constrained: None,
    subjects: Subject::all,
    allows: |_, _, _| true,
    statistic: Of(|_, _| None),
    cells: |_| None,
    bounds_departure: false,
    detectable: |_| None,
};

const LENGTHS: Row = Row {
    looks_at: "suit lengths",
    depth: Depth::Tables,
    unconstrained: Some(Group::Points),
    constrained: Some((Group::Tables, Knowledge::Tables)),
    ..ROW
};

const PATTERNS: Row = Row {
    looks_at: "patterns of hands",
    unconstrained: Some(Group::Patterns),
    subjects: Subject::seats,
    ..LENGTHS
};

const POINTS: Row = Row {
    looks_at: "points",
    subjects: Subject::seats,
    ..LENGTHS
};

const CARDS: Row = Row {
    looks_at: "who gets which card",
    depth: Depth::Tables,
    unconstrained: Some(Group::CardSeat),
    ..ROW
};

const GROUPS: Row = Row {
    looks_at: "stretches of the run beside each other",
    least: LEAST_NORMAL,
    depth: Depth::Tables,
    ..ROW
};

const FLATNESS: Row = Row {
    looks_at: "flat and wild deals",
    unconstrained: Some(Group::Flatness),
    ..ROW
};

const SESSIONS: Row = Row {
    looks_at: "sessions that were picked",
    null_law: NullLaw::Bound,
    subjects: |terms| Subject::all_if(terms.sessions > 0),
    ..FLATNESS
};

const PAIRS: Row = Row {
    looks_at: "pairs of cards",
    least: LEAST_PAIRS,
    is_referred: true,
    reach: Reach::Close,
    unconstrained: Some(Group::SecondOrder),
    ..ROW
};

const LAGS: Row = Row {
    looks_at: "a deal and one after it",
    unconstrained: Some(Group::Lags),
    ..ROW
};

const CROSS: Row = Row {
    is_referred: true,
    reach: Reach::Close,
    ..LAGS
};

const DUPLICATES: Row = Row {
    looks_at: "deals that come twice",
    null_law: NullLaw::Bound,
    unconstrained: Some(Group::Duplicates),
    ..ROW
};

const NUMBERS: Row = Row {
    looks_at: "deals as numbers",
    least: 20 * LOW_CELLS as u64,
    reach: Reach::Numbered,
    unconstrained: Some(Group::Numbers),
    ..ROW
};

const CASES: Row = Row {
    looks_at: "which cases come",
    constrained: Some((Group::Cases, Knowledge::Cases)),
    ..ROW
};

/// All tests, in the order of tests.csv.
pub(super) static CATALOGUE: [Row; 43] = [
    Row {
        test: Test::Lengths,
        name: "T3 suit length",
        subjects: Subject::seat_suits,
        statistic: Table(t3_lengths::LENGTHS),
        ..LENGTHS
    },
    Row {
        test: Test::Fits,
        name: "T3 fit",
        subjects: |_| t3_lengths::fits(),
        statistic: Table(t3_lengths::FITS),
        ..LENGTHS
    },
    Row {
        test: Test::Patterns,
        name: "T4 patterns",
        statistic: Table(t4_patterns::PATTERNS),
        ..PATTERNS
    },
    Row {
        test: Test::Shapes,
        name: "T4 shapes",
        statistic: Table(t4_patterns::SHAPES),
        detectable: t4_patterns::detectable,
        ..PATTERNS
    },
    Row {
        test: Test::Points,
        name: "T5 hcp",
        statistic: Table(t5_points::POINTS),
        ..POINTS
    },
    Row {
        test: Test::SidePoints,
        name: "T5 side hcp",
        // East-west's are what north-south leave.
        subjects: |_| vec![Subject::Side(Side::NorthSouth)],
        statistic: Table(t5_points::SIDE_POINTS),
        ..POINTS
    },
    Row {
        test: Test::Controls,
        name: "T5 controls",
        depth: Depth::Standard,
        statistic: Table(t5_points::CONTROLS),
        ..POINTS
    },
    Row {
        test: Test::Duplicates,
        name: "T8 duplicates",
        constrained: Some((Group::Duplicates, Knowledge::Tables)),
        allows: t8_duplicates::allows,
        statistic: Of(t8_duplicates::duplicates),
        detectable: t8_duplicates::detectable,
        ..DUPLICATES
    },
    Row {
        test: Test::CardSeat,
        name: "T1 card-seat",
        least: LEAST_FITTED,
        is_referred: true,
        statistic: Of(t1_card_seat::card_seat),
        bounds_departure: true,
        detectable: t1_card_seat::detectable,
        ..CARDS
    },
    Row {
        test: Test::WorstCard,
        name: "T1max worst card",
        null_law: NullLaw::Bound,
        statistic: Of(t1_card_seat::worst_card),
        ..CARDS
    },
    Row {
        test: Test::PooledShapes,
        name: "T4p pooled shapes",
        least: LEAST_NORMAL,
        constrained: None,
        subjects: Subject::all,
        allows: t4_patterns::allows_pooled,
        statistic: Of(t4_patterns::pooled_shapes),
        ..PATTERNS
    },
    Row {
        test: Test::PooledPoints,
        name: "T5p pooled hcp",
        least: LEAST_NORMAL,
        constrained: None,
        subjects: Subject::all,
        allows: t5_points::allows_pooled,
        statistic: Of(t5_points::pooled_points),
        ..POINTS
    },
    Row {
        test: Test::BestFits,
        name: "T3 best fit",
        constrained: None,
        subjects: |_| Side::ALL.map(Subject::Side).to_vec(),
        statistic: Table(t3_lengths::BEST_FITS),
        ..LENGTHS
    },
    Row {
        test: Test::Heterogeneity,
        name: "T10 heterogeneity",
        unconstrained: Some(Group::CardSeat),
        subjects: |terms| Subject::all_if(terms.deals > GROUP_DEALS),
        statistic: Of(t10_heterogeneity::cards),
        ..GROUPS
    },
    Row {
        test: Test::MeanFlatness,
        name: "F mean flatness",
        null_law: NullLaw::Normal,
        statistic: Of(flatness::mean_flatness),
        ..FLATNESS
    },
    Row {
        test: Test::Flatness,
        name: "F flatness",
        statistic: Table(flatness::FLATNESS),
        ..FLATNESS
    },
    Row {
        test: Test::Overlap,
        name: "T6 overlap",
        least: LEAST_FITTED,
        is_referred: true,
        subjects: |terms| t6_overlap::subjects(terms, LEAST_FITTED),
        statistic: Of(t6_overlap::table),
        bounds_departure: true,
        ..LAGS
    },
    Row {
        test: Test::Stayed,
        name: "T6 trace",
        null_law: NullLaw::Normal,
        subjects: |terms| t6_overlap::subjects(terms, 1),
        statistic: Of(t6_overlap::trace),
        ..LAGS
    },
    Row {
        test: Test::SessionFlatness,
        name: "F sessions picked",
        statistic: Of(sessions::flatness),
        ..SESSIONS
    },
    Row {
        test: Test::SessionVoids,
        name: "voids sessions picked",
        statistic: Of(sessions::voids),
        ..SESSIONS
    },
    Row {
        test: Test::Contrast,
        name: "T2z contrast",
        null_law: NullLaw::Normal,
        least: LEAST_PRODUCTS,
        unconstrained: Some(Group::Flatness),
        subjects: |_| {
            t2_second_order::Contrast::ALL
                .map(Subject::Contrast)
                .to_vec()
        },
        statistic: Of(t2_second_order::chosen),
        ..PAIRS
    },
    Row {
        test: Test::PointsCross,
        name: "T7h hcp cross",
        least: LEAST_PRODUCTS,
        subjects: t7_cross::lags,
        statistic: Of(t7_cross::points_cross),
        ..CROSS
    },
    Row {
        test: Test::SameHand,
        name: "T2a same hand",
        statistic: Of(|look, _| t2_second_order::part(look, 0)),
        ..PAIRS
    },
    Row {
        test: Test::WhichHand,
        name: "T2b which hand",
        statistic: Of(|look, _| t2_second_order::part(look, 1)),
        ..PAIRS
    },
    Row {
        test: Test::Symmetric,
        name: "T2c symmetric pairs",
        statistic: Of(|look, _| t2_second_order::part(look, 2)),
        ..PAIRS
    },
    Row {
        test: Test::Antisymmetric,
        name: "T2d antisymmetric pairs",
        statistic: Of(|look, _| t2_second_order::part(look, 3)),
        ..PAIRS
    },
    Row {
        test: Test::SecondOrder,
        name: "T2 second order",
        statistic: Of(|look, _| t2_second_order::part(look, 4)),
        bounds_departure: true,
        ..PAIRS
    },
    Row {
        test: Test::Cross,
        name: "T7 cross",
        least: LEAST_CROSS,
        subjects: t7_cross::cross_lags,
        statistic: Of(t7_cross::cross),
        bounds_departure: true,
        ..CROSS
    },
    Row {
        test: Test::Images,
        name: "T8c images",
        reach: Reach::Numbered,
        statistic: Of(t8_duplicates::images),
        ..DUPLICATES
    },
    Row {
        test: Test::NumberPlace,
        name: "T9 deal number",
        statistic: Of(t9_numbers::place),
        ..NUMBERS
    },
    Row {
        test: Test::NumberLow,
        name: "T9 low bits",
        statistic: Of(t9_numbers::low_bits),
        ..NUMBERS
    },
    Row {
        test: Test::NumberDistance,
        name: "T9 distance",
        null_law: NullLaw::Bound,
        statistic: Of(t9_numbers::distance),
        ..NUMBERS
    },
    Row {
        test: Test::Spacings,
        name: "T9b birthday spacings",
        null_law: NullLaw::Bound,
        least: SPACED as u64,
        statistic: Of(t9_numbers::spacings),
        ..NUMBERS
    },
    Row {
        test: Test::CardTable,
        name: "C card table",
        null_law: NullLaw::Bound,
        unconstrained: None,
        constrained: Some((Group::CardTable, Knowledge::Tables)),
        allows: card_table::allows,
        statistic: Of(t1_card_seat::worst_card),
        detectable: card_table::detectable,
        ..CARDS
    },
    Row {
        test: Test::ShapeHeterogeneity,
        name: "T10 shapes",
        constrained: Some((Group::Tables, Knowledge::Cases)),
        subjects: t10_heterogeneity::seats,
        allows: t10_heterogeneity::allows_shapes,
        statistic: Of(t10_heterogeneity::shapes),
        ..GROUPS
    },
    Row {
        test: Test::Runs,
        name: "C case runs",
        allows: cases::allows_runs,
        statistic: Of(cases::runs),
        cells: cases::run_cells,
        ..CASES
    },
    Row {
        test: Test::RunTree,
        name: "C case halves",
        null_law: NullLaw::Bound,
        allows: cases::allows_halves,
        statistic: Of(cases::halves),
        ..CASES
    },
    Row {
        test: Test::Classes,
        name: "C weight classes",
        statistic: Table(cases::CLASSES),
        ..CASES
    },
    Row {
        test: Test::LargestRun,
        name: "C largest run",
        null_law: NullLaw::Bound,
        allows: cases::allows_runs,
        statistic: Of(cases::largest),
        ..CASES
    },
    Row {
        test: Test::Coincidences,
        name: "C coincidences",
        least: LEAST_NORMAL,
        allows: cases::allows_coincidences,
        statistic: Of(cases::coincidences),
        ..CASES
    },
    Row {
        test: Test::Filling,
        name: "C filling",
        looks_at: "how the other cards fall",
        least: LEAST_LIGHT,
        is_referred: true,
        constrained: Some((Group::Filling, Knowledge::Nothing)),
        subjects: |_| Suit::ALL.map(Subject::Suit).to_vec(),
        allows: filling::allows,
        statistic: Of(filling::filling),
        ..ROW
    },
    Row {
        test: Test::Interchange,
        name: "C interchange",
        looks_at: "hands that should be alike",
        least: LEAST_LIGHT,
        is_referred: true,
        reach: Reach::Close,
        constrained: Some((Group::Interchange, Knowledge::Nothing)),
        subjects: interchange::subjects,
        statistic: Of(interchange::interchange),
        ..ROW
    },
    Row {
        test: Test::Seeds,
        name: "T9s seed dictionary",
        looks_at: "seeds of known dealers",
        depth: Depth::Tables,
        constrained: Some((Group::Duplicates, Knowledge::Nothing)),
        subjects: |terms| Subject::all_if(terms.seeds),
        statistic: Of(seeds::seeds),
        ..DUPLICATES
    },
];
