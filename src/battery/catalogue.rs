//! The catalogue: one row for every test of the battery, and the weights of the groups.
//!
//! Tests are planned in the order of the rows, which is also the order of tests.csv. To add a test,
//! add a row here, its functions in a file of `tests/`, and its name in docs/methodology.md. A
//! group's weight is divided equally among its planned tests, and a test's among its subjects.

use super::plan::Subject;
use super::row::Statistic::{Of, Table};
use super::row::{Knowledge, NullLaw, Reach, Row};
use super::tests::{
    card_table, cases, filling, flatness, interchange, seeds, sessions, t1_card_seat,
    t2_second_order, t3_lengths, t4_patterns, t5_points, t6_overlap, t7_cross, t8_duplicates,
    t9_numbers, t10_heterogeneity,
};
use crate::bridge::{Side, Suit};
use crate::tally::{Depth, LOW_CELLS, SPACED};

/// Tests that share a weight because they examine the same quantity.
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

/// The published weights for unconstrained deals, fixed before the first run.
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

/// The weights for constrained deals.
pub(super) const CONSTRAINED: [(Group, f64); 6] = [
    (Group::Cases, 0.25),
    (Group::Tables, 0.25),
    (Group::Filling, 0.20),
    (Group::Interchange, 0.10),
    (Group::CardTable, 0.15),
    (Group::Duplicates, 0.05),
];

/// Minimum deals, or pairs of deals, for a chi-square with many degrees of freedom.
const LEAST_PAIRS: u64 = 1 << 14;
/// Minimum pairs for products between deals: their degrees of freedom.
pub(super) const LEAST_CROSS: u64 = 23_409;
/// Minimum deals, or pairs of deals, for a chi-square fitted to three exact moments.
const LEAST_FITTED: u64 = 16;
/// Minimum deals for a chi-square whose sums have tails as light as its own.
const LEAST_LIGHT: u64 = 64;
/// Minimum deals for a sum that is normal by the limit theorem alone.
const LEAST_NORMAL: u64 = 1 << 10;
/// Minimum deals for products of such sums, which have heavier tails.
pub(super) const LEAST_PRODUCTS: u64 = 1 << 12;
/// Number of deals after which the second group of blocks begins.
const GROUP_DEALS: u64 = 8 * crate::draw::BLOCK_DEALS;

/// Defaults of most rows; the defaults of families follow.
const ROW: Row = Row {
    test: Test::Lengths,
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
    looks_at: "high-card points",
    subjects: Subject::seats,
    ..LENGTHS
};

/// Counts of all four seats.
const POOLED: Row = Row {
    least: LEAST_NORMAL,
    constrained: None,
    subjects: Subject::all,
    ..POINTS
};

const CARDS: Row = Row {
    looks_at: "cards by seat",
    depth: Depth::Tables,
    unconstrained: Some(Group::CardSeat),
    ..ROW
};

const GROUPS: Row = Row {
    looks_at: "consistency over the run",
    least: LEAST_NORMAL,
    depth: Depth::Tables,
    ..ROW
};

const FLATNESS: Row = Row {
    looks_at: "flatness of deals",
    unconstrained: Some(Group::Flatness),
    ..ROW
};

const SESSIONS: Row = Row {
    looks_at: "selected sessions",
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
    looks_at: "dependence between deals",
    unconstrained: Some(Group::Lags),
    ..ROW
};

const CROSS: Row = Row {
    least: LEAST_PRODUCTS,
    is_referred: true,
    reach: Reach::Close,
    ..LAGS
};

const DUPLICATES: Row = Row {
    looks_at: "duplicate deals",
    null_law: NullLaw::Bound,
    unconstrained: Some(Group::Duplicates),
    ..ROW
};

const NUMBERS: Row = Row {
    looks_at: "deal numbers",
    least: 20 * LOW_CELLS as u64,
    reach: Reach::Numbered,
    unconstrained: Some(Group::Numbers),
    ..ROW
};

const CASES: Row = Row {
    looks_at: "frequencies of cases",
    constrained: Some((Group::Cases, Knowledge::Cases)),
    ..ROW
};

/// Cards and seats that are interchangeable under the condition.
const ALIKE: Row = Row {
    looks_at: "interchangeable cards and seats",
    least: LEAST_LIGHT,
    is_referred: true,
    constrained: Some((Group::Interchange, Knowledge::Nothing)),
    ..ROW
};

/// Defines [`Test`] and its rows. A row consists of the test, its family, its name in reports, its
/// statistic, and the fields that differ from those of its family.
macro_rules! catalogue {
    ($($test:ident: $family:ident, $name:literal, $statistic:expr
        $(, $field:ident: $value:expr)*;)*) => {
        /// A test, named as in docs/methodology.md.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Test {
            $(#[doc = $name] $test,)*
        }

        /// All tests, in the order of tests.csv and of [`Test`].
        pub(super) static CATALOGUE: &[Row] = &[$(Row {
            test: Test::$test,
            name: $name,
            statistic: $statistic,
            $($field: $value,)*
            ..$family
        },)*];
    };
}

catalogue! {
    Lengths: LENGTHS, "T3 suit length", Table(t3_lengths::LENGTHS), subjects: Subject::seat_suits;
    // The fits and points of east-west follow from those of north-south.
    Fits: LENGTHS, "T3 fit", Table(t3_lengths::FITS),
        subjects: |_| Suit::ALL.map(|suit| Subject::SideSuit(Side::NorthSouth, suit)).to_vec();
    Patterns: PATTERNS, "T4 patterns", Table(t4_patterns::PATTERNS);
    Shapes: PATTERNS, "T4 shapes", Table(t4_patterns::SHAPES),
        detectable: t4_patterns::detectable;
    Points: POINTS, "T5 hcp", Table(t5_points::POINTS);
    SidePoints: POINTS, "T5 side hcp", Table(t5_points::SIDE_POINTS),
        subjects: |_| vec![Subject::Side(Side::NorthSouth)];
    Controls: POINTS, "T5 controls", Table(t5_points::CONTROLS), depth: Depth::Standard;
    Duplicates: DUPLICATES, "T8 duplicates", Of(t8_duplicates::duplicates),
        constrained: Some((Group::Duplicates, Knowledge::Tables)),
        allows: t8_duplicates::allows,
        detectable: t8_duplicates::detectable;
    CardSeat: CARDS, "T1 card-seat", Of(t1_card_seat::card_seat),
        least: LEAST_FITTED,
        is_referred: true,
        bounds_departure: true,
        detectable: t1_card_seat::detectable;
    WorstCard: CARDS, "T1max worst card", Of(t1_card_seat::worst_card), null_law: NullLaw::Bound;
    PooledShapes: POOLED, "T4p pooled shapes", Of(t4_patterns::pooled_shapes),
        looks_at: PATTERNS.looks_at,
        unconstrained: PATTERNS.unconstrained,
        allows: t4_patterns::allows_pooled;
    PooledPoints: POOLED, "T5p pooled hcp", Of(t5_points::pooled_points),
        allows: t5_points::allows_pooled;
    BestFits: LENGTHS, "T3 best fit", Table(t3_lengths::BEST_FITS),
        constrained: None,
        subjects: |_| Side::ALL.map(Subject::Side).to_vec();
    Heterogeneity: GROUPS, "T10 heterogeneity", Of(t10_heterogeneity::cards),
        unconstrained: Some(Group::CardSeat),
        subjects: |terms| Subject::all_if(terms.deals > GROUP_DEALS);
    MeanFlatness: FLATNESS, "F mean flatness", Of(flatness::mean_flatness),
        null_law: NullLaw::Normal;
    Flatness: FLATNESS, "F flatness", Table(flatness::FLATNESS);
    Overlap: LAGS, "T6 overlap", Of(t6_overlap::table),
        least: LEAST_FITTED,
        is_referred: true,
        subjects: |terms| t6_overlap::subjects(terms, LEAST_FITTED),
        bounds_departure: true;
    Stayed: LAGS, "T6 trace", Of(t6_overlap::trace),
        null_law: NullLaw::Normal,
        subjects: |terms| t6_overlap::subjects(terms, 1);
    SessionFlatness: SESSIONS, "F sessions picked", Of(sessions::flatness);
    SessionVoids: SESSIONS, "voids sessions picked", Of(sessions::voids);
    Contrast: PAIRS, "T2z contrast", Of(t2_second_order::chosen),
        null_law: NullLaw::Normal,
        least: LEAST_PRODUCTS,
        unconstrained: Some(Group::Flatness),
        subjects: |_| t2_second_order::Contrast::ALL.map(Subject::Contrast).to_vec();
    PointsCross: CROSS, "T7h hcp cross", Of(t7_cross::points_cross), subjects: t7_cross::lags;
    SameHand: PAIRS, "T2a same hand", Of(|look, _| t2_second_order::part(look, 0));
    WhichHand: PAIRS, "T2b which hand", Of(|look, _| t2_second_order::part(look, 1));
    Symmetric: PAIRS, "T2c symmetric pairs", Of(|look, _| t2_second_order::part(look, 2));
    Antisymmetric: PAIRS, "T2d antisymmetric pairs", Of(|look, _| t2_second_order::part(look, 3));
    SecondOrder: PAIRS, "T2 second order", Of(|look, _| t2_second_order::part(look, 4)),
        bounds_departure: true;
    Cross: CROSS, "T7 cross", Of(t7_cross::cross),
        least: LEAST_CROSS,
        subjects: t7_cross::cross_lags,
        bounds_departure: true;
    Images: DUPLICATES, "T8c images", Of(t8_duplicates::images), reach: Reach::Numbered;
    NumberPlace: NUMBERS, "T9 deal number", Of(t9_numbers::place);
    NumberLow: NUMBERS, "T9 low bits", Of(t9_numbers::low_bits);
    NumberDistance: NUMBERS, "T9 distance", Of(t9_numbers::distance), null_law: NullLaw::Bound;
    Spacings: NUMBERS, "T9b birthday spacings", Of(t9_numbers::spacings),
        null_law: NullLaw::Bound,
        least: SPACED as u64;
    CardTable: CARDS, "C card table", Of(t1_card_seat::worst_card),
        null_law: NullLaw::Bound,
        unconstrained: None,
        constrained: Some((Group::CardTable, Knowledge::Tables)),
        allows: card_table::allows,
        detectable: card_table::detectable;
    ShapeHeterogeneity: GROUPS, "T10 shapes", Of(t10_heterogeneity::shapes),
        constrained: Some((Group::Tables, Knowledge::Cases)),
        subjects: |terms| if terms.batches > 1 { Subject::seats(terms) } else { Vec::new() },
        allows: t10_heterogeneity::allows_shapes;
    Runs: CASES, "C case runs", Of(|look, _| cases::laws(look)?.runs(&look.survey.cases)),
        allows: cases::allows_runs,
        cells: cases::run_cells;
    RunTree: CASES, "C case halves",
        Of(|look, _| cases::laws(look)?.halves(&look.survey.cases)),
        null_law: NullLaw::Bound,
        allows: cases::allows_halves;
    Classes: CASES, "C weight classes", Table(cases::CLASSES);
    LargestRun: CASES, "C largest run",
        Of(|look, _| cases::laws(look)?.largest(&look.survey.cases)),
        null_law: NullLaw::Bound,
        allows: cases::allows_runs;
    Coincidences: CASES, "C coincidences",
        Of(|look, _| cases::laws(look)?.coincidences(&look.survey.cases)),
        least: LEAST_NORMAL,
        allows: cases::allows_coincidences;
    Filling: ALIKE, "C filling", Of(filling::filling),
        looks_at: "distribution of the other cards",
        constrained: Some((Group::Filling, Knowledge::Nothing)),
        subjects: |_| Suit::ALL.map(Subject::Suit).to_vec(),
        allows: filling::allows;
    Interchange: ALIKE, "C interchange", Of(interchange::interchange),
        reach: Reach::Close,
        subjects: interchange::subjects;
    Seeds: DUPLICATES, "T9s seed dictionary", Of(seeds::seeds),
        looks_at: "seeds of known generators",
        depth: Depth::Tables,
        constrained: Some((Group::Duplicates, Knowledge::Nothing)),
        subjects: |terms| Subject::all_if(terms.seeds);
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    const METHODOLOGY: &str = include_str!("../../docs/methodology.md");

    /// Returns the rows of the table in a section, without the header.
    fn table(section: &str) -> Vec<Vec<&'static str>> {
        let (_, text) = METHODOLOGY.split_once(section).unwrap();
        let lines = text.lines().skip_while(|line| !line.starts_with('|'));
        let rows = lines.take_while(|line| line.starts_with('|')).skip(2);
        rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect())
            .collect()
    }

    /// Returns the name of a test in docs/methodology.md; tests of cases have no number.
    fn label(name: &'static str) -> &'static str {
        let word = name.split(' ').next();
        word.filter(|word| *word != "C").unwrap_or(name)
    }

    #[test]
    fn the_tests_are_those_of_the_methodology() {
        let any = table("## Tests of unconstrained deals");
        let from_cases = table("## Tests of draws from cases");
        let mut names = BTreeSet::new();
        for row in any.iter().chain(&from_cases) {
            if row[0] == "T0" || row[1].starts_with("as above") {
                continue;
            }
            let (label, each) = row[0].split_once(' ').unwrap();
            let each = each.split(", ").map(|name| format!("{label} {name}"));
            names.extend(each);
        }
        let ours = CATALOGUE.iter().map(|row| row.name.to_owned());
        assert_eq!(names, ours.collect());
    }

    #[test]
    fn the_weights_are_those_of_the_methodology() {
        let mut published = [BTreeMap::new(), BTreeMap::new()];
        for row in table("## Weights") {
            for (weights, pair) in published.iter_mut().zip(row.chunks(2)) {
                if let Ok(weight) = pair[1].parse::<f64>() {
                    let labels: BTreeSet<_> = pair[0].split(", ").collect();
                    weights.insert(labels, weight);
                }
            }
        }
        let of_group = |of: &dyn Fn(&Row) -> Option<Group>, group| -> BTreeSet<&str> {
            let rows = CATALOGUE.iter().filter(|row| of(row) == Some(group));
            rows.map(|row| label(row.name)).collect()
        };
        let any = |row: &Row| row.unconstrained;
        let any = UNCONSTRAINED.map(|(group, weight)| (of_group(&any, group), weight));
        let constrained = |row: &Row| row.constrained.map(|(group, _)| group);
        let constrained =
            CONSTRAINED.map(|(group, weight)| (of_group(&constrained, group), weight));
        assert_eq!(published, [any.into(), constrained.into()]);
    }
}
