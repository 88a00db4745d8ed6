//! The catalogue: one row for every test of the battery, and the weights of the groups.
//!
//! Tests are planned in the order of the rows, which is also the order of tests.csv. To add a test,
//! add a row here, its functions in a file of `tests/`, and its name in docs/methodology.md. A
//! group's weight is divided equally among its planned tests, and a test's among its subjects.

use super::row::Statistic::{Of, Table};
use super::row::{CatalogueRow, Knowledge, NullLaw, Reach, TestGroup};
use super::statistics::{
    card_seat, card_table, cases, cross, duplicates, filling, flatness, hands, heterogeneity,
    interchange, lengths, numbers, overlap, patterns, places, points, second_order, seeds,
    sessions,
};
use super::subject::{Contrast, TestSubject};
use crate::bridge::{Side, Suit};
use crate::tally::{Depth, HandValue, LOW_CELLS, SPACED};

/// The published weights for unconstrained deals, fixed before the first run.
pub(super) const UNCONSTRAINED: [(TestGroup, f64); 9] = [
    (TestGroup::Duplicates, 0.16),
    (TestGroup::CardSeat, 0.14),
    (TestGroup::SecondOrder, 0.10),
    (TestGroup::Lags, 0.17),
    (TestGroup::Flatness, 0.15),
    (TestGroup::Patterns, 0.11),
    (TestGroup::Points, 0.09),
    (TestGroup::Numbers, 0.05),
    (TestGroup::Places, 0.03),
];

/// The weights for constrained deals.
pub(super) const CONSTRAINED: [(TestGroup, f64); 6] = [
    (TestGroup::Cases, 0.25),
    (TestGroup::Tables, 0.25),
    (TestGroup::Filling, 0.20),
    (TestGroup::Interchange, 0.10),
    (TestGroup::CardTable, 0.15),
    (TestGroup::Duplicates, 0.05),
];

/// Minimum deals, or pairs of deals, for a chi-square with many degrees of freedom.
const LEAST_PAIRS: u64 = 1 << 14;
/// Minimum deals, or pairs of deals, for a chi-square fitted to three exact moments.
const LEAST_FITTED: u64 = 16;
/// Minimum deals for a chi-square whose sums have tails as light as its own.
const LEAST_LIGHT: u64 = 64;
/// Minimum deals for a sum that is normal by the limit theorem alone.
const LEAST_NORMAL: u64 = 1 << 10;
/// Minimum deals for products of such sums, which have heavier tails.
const LEAST_PRODUCTS: u64 = 1 << 12;
/// Number of deals after which the second group of blocks begins.
const GROUP_DEALS: u64 = 8 * crate::draw::BLOCK_DEALS;

/// Defaults of most rows; the defaults of families follow.
const ROW: CatalogueRow = CatalogueRow {
    name: "",
    looks_at: "",
    null_law: NullLaw::Other,
    least: 1,
    is_referred: false,
    reach: Reach::All,
    depth: Depth::Standard,
    unconstrained: None,
    constrained: None,
    subjects: TestSubject::all,
    allows: |_, _, _| true,
    statistic: Of(|_, _| None),
    cells: |_| None,
    bounds_departure: false,
    detectable: |_| None,
};

const LENGTHS: CatalogueRow = CatalogueRow {
    looks_at: "suit lengths",
    depth: Depth::Tables,
    unconstrained: Some(TestGroup::Points),
    constrained: Some((TestGroup::Tables, Knowledge::Tables)),
    ..ROW
};

const PATTERNS: CatalogueRow = CatalogueRow {
    looks_at: "patterns of hands",
    unconstrained: Some(TestGroup::Patterns),
    subjects: TestSubject::seats,
    ..LENGTHS
};

const POINTS: CatalogueRow = CatalogueRow {
    looks_at: "high-card points",
    subjects: TestSubject::seats,
    ..LENGTHS
};

/// Counts of all four seats.
const POOLED: CatalogueRow = CatalogueRow {
    least: LEAST_NORMAL,
    constrained: None,
    subjects: TestSubject::all,
    ..POINTS
};

const CARDS: CatalogueRow = CatalogueRow {
    looks_at: "cards by seat",
    depth: Depth::Tables,
    unconstrained: Some(TestGroup::CardSeat),
    ..ROW
};

const GROUPS: CatalogueRow = CatalogueRow {
    looks_at: "consistency over the run",
    least: LEAST_NORMAL,
    depth: Depth::Tables,
    ..ROW
};

const FLATNESS: CatalogueRow = CatalogueRow {
    looks_at: "flatness of deals",
    unconstrained: Some(TestGroup::Flatness),
    ..ROW
};

const SESSIONS: CatalogueRow = CatalogueRow {
    looks_at: "selected sessions",
    null_law: NullLaw::Bound,
    subjects: |terms| TestSubject::all_if(terms.sessions > 0),
    ..FLATNESS
};

const PLACES: CatalogueRow = CatalogueRow {
    looks_at: "hands and boards by place",
    unconstrained: Some(TestGroup::Places),
    subjects: places::seats,
    ..ROW
};

const PAIRS: CatalogueRow = CatalogueRow {
    looks_at: "pairs of cards",
    least: LEAST_PAIRS,
    is_referred: true,
    reach: Reach::Close,
    unconstrained: Some(TestGroup::SecondOrder),
    ..ROW
};

const LAGS: CatalogueRow = CatalogueRow {
    looks_at: "dependence between deals",
    unconstrained: Some(TestGroup::Lags),
    ..ROW
};

const CROSS: CatalogueRow = CatalogueRow {
    least: LEAST_PRODUCTS,
    is_referred: true,
    reach: Reach::Close,
    ..LAGS
};

const DUPLICATES: CatalogueRow = CatalogueRow {
    looks_at: "duplicate deals",
    null_law: NullLaw::Bound,
    unconstrained: Some(TestGroup::Duplicates),
    ..ROW
};

const HANDS: CatalogueRow = CatalogueRow {
    looks_at: "hands that return",
    reach: Reach::Numbered,
    ..DUPLICATES
};

const NUMBERS: CatalogueRow = CatalogueRow {
    looks_at: "deal numbers",
    least: 20 * LOW_CELLS as u64,
    reach: Reach::Numbered,
    unconstrained: Some(TestGroup::Numbers),
    ..ROW
};

const CASES: CatalogueRow = CatalogueRow {
    looks_at: "frequencies of cases",
    constrained: Some((TestGroup::Cases, Knowledge::Tables)),
    ..ROW
};

/// Tests that need the case of every deal, which draws from cells do not have.
const LISTED: CatalogueRow = CatalogueRow {
    constrained: Some((TestGroup::Cases, Knowledge::Cases)),
    ..CASES
};

/// Cards and seats that are interchangeable under the condition.
const ALIKE: CatalogueRow = CatalogueRow {
    looks_at: "interchangeable cards and seats",
    least: LEAST_LIGHT,
    is_referred: true,
    constrained: Some((TestGroup::Interchange, Knowledge::Nothing)),
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

        impl Test {
            /// All tests, in the order of tests.csv.
            pub(super) const ALL: &[Self] = &[$(Self::$test,)*];
        }

        /// The properties of the tests, in the same order.
        static CATALOGUE: &[CatalogueRow] = &[$(CatalogueRow {
            name: $name,
            statistic: $statistic,
            $($field: $value,)*
            ..$family
        },)*];
    };
}

catalogue! {
    Lengths: LENGTHS, "T3 suit length", Table(lengths::LENGTHS), subjects: TestSubject::seat_suits,
        detectable: lengths::detectable;
    // The fits and points of east-west follow from those of north-south.
    Fits: LENGTHS, "T3 fit", Table(lengths::FITS),
        subjects: |_| Suit::ALL.map(|suit| TestSubject::SideSuit(Side::NorthSouth, suit)).to_vec();
    Patterns: PATTERNS, "T4 patterns", Table(patterns::PATTERNS);
    Shapes: PATTERNS, "T4 shapes", Table(patterns::SHAPES),
        detectable: patterns::detectable;
    Points: POINTS, "T5 hcp", Table(points::POINTS);
    SidePoints: POINTS, "T5 side hcp", Table(points::SIDE_POINTS),
        subjects: |_| vec![TestSubject::Side(Side::NorthSouth)];
    Controls: POINTS, "T5 controls", Table(points::CONTROLS), depth: Depth::Standard;
    Duplicates: DUPLICATES, "T8 duplicates", Of(duplicates::duplicates),
        constrained: Some((TestGroup::Duplicates, Knowledge::Tables)),
        allows: duplicates::allows,
        detectable: duplicates::detectable;
    CardSeat: CARDS, "T1 card-seat", Of(card_seat::card_seat),
        least: LEAST_FITTED,
        is_referred: true,
        bounds_departure: true;
    WorstCard: CARDS, "T1max worst card", Of(card_seat::worst_card),
        null_law: NullLaw::Bound,
        detectable: card_seat::detectable;
    PooledShapes: POOLED, "T4p pooled shapes", Of(patterns::pooled_shapes),
        looks_at: PATTERNS.looks_at,
        unconstrained: PATTERNS.unconstrained,
        allows: patterns::allows_pooled;
    PooledPoints: POOLED, "T5p pooled hcp", Of(points::pooled_points),
        allows: points::allows_pooled;
    BestFits: LENGTHS, "T3 best fit", Table(lengths::BEST_FITS),
        constrained: None,
        subjects: |_| Side::ALL.map(TestSubject::Side).to_vec();
    Heterogeneity: GROUPS, "T10 heterogeneity", Of(heterogeneity::cards),
        unconstrained: Some(TestGroup::CardSeat),
        subjects: |terms| TestSubject::all_if(terms.deals > GROUP_DEALS);
    MeanFlatness: FLATNESS, "F mean flatness", Of(flatness::mean_flatness),
        null_law: NullLaw::Normal;
    Flatness: FLATNESS, "F flatness", Table(flatness::FLATNESS);
    Overlap: LAGS, "T6 overlap", Of(overlap::table),
        least: LEAST_FITTED,
        is_referred: true,
        subjects: |terms| overlap::subjects(terms, LEAST_FITTED),
        bounds_departure: true;
    Stayed: LAGS, "T6 trace", Of(overlap::trace),
        null_law: NullLaw::Normal,
        subjects: |terms| overlap::subjects(terms, 1);
    Squares: LAGS, "T6 squares", Of(overlap::squares),
        null_law: NullLaw::Normal,
        subjects: |terms| overlap::subjects(terms, 1);
    SessionFlatness: SESSIONS, "F sessions picked", Of(sessions::flatness);
    SessionVoids: SESSIONS, "voids sessions picked", Of(sessions::voids);
    SessionPoints: SESSIONS, "hcp sessions picked", Of(sessions::points);
    SessionLongest: SESSIONS, "longest sessions picked", Of(sessions::longest);
    PlacePoints: PLACES, "place hcp",
        Of(|look, subject| places::seat(look, subject, HandValue::Points)),
        null_law: NullLaw::Normal;
    PlaceSquares: PLACES, "place shape",
        Of(|look, subject| places::seat(look, subject, HandValue::Squares)),
        null_law: NullLaw::Normal;
    PlaceVoids: PLACES, "place voids",
        Of(|look, subject| places::seat(look, subject, HandValue::Voids)),
        null_law: NullLaw::Normal;
    PlaceLongest: PLACES, "place longest",
        Of(|look, subject| places::seat(look, subject, HandValue::Longest)),
        null_law: NullLaw::Normal;
    PlaceHalves: PLACES, "place halves", Of(places::halves),
        null_law: NullLaw::Normal,
        subjects: |terms| TestSubject::all_if(terms.sessions > 0);
    PlaceNeighbours: PLACES, "place neighbours", Of(places::neighbours),
        subjects: places::orders;
    PlaceNumber: PLACES, "place number", Of(places::in_sessions),
        null_law: NullLaw::Bound,
        subjects: places::orders;
    Contrast: PAIRS, "T2z contrast", Of(second_order::chosen),
        null_law: NullLaw::Normal,
        least: LEAST_PRODUCTS,
        unconstrained: Some(TestGroup::Flatness),
        subjects: |_| Contrast::ALL.map(TestSubject::Contrast).to_vec();
    PointsCross: CROSS, "T7h hcp cross", Of(cross::points_cross), subjects: cross::lags;
    SameHand: PAIRS, "T2a same hand", Of(|look, _| second_order::part(look, 0));
    WhichHand: PAIRS, "T2b which hand", Of(|look, _| second_order::part(look, 1));
    Symmetric: PAIRS, "T2c symmetric pairs", Of(|look, _| second_order::part(look, 2));
    Antisymmetric: PAIRS, "T2d antisymmetric pairs", Of(|look, _| second_order::part(look, 3));
    SecondOrder: PAIRS, "T2 second order", Of(|look, _| second_order::part(look, 4)),
        bounds_departure: true;
    Cross: CROSS, "T7 cross", Of(cross::cross),
        least: cross::LEAST_PAIRS,
        subjects: cross::cross_lags,
        bounds_departure: true;
    Images: DUPLICATES, "T8c images", Of(duplicates::images), reach: Reach::Numbered;
    EqualHands: HANDS, "T8h equal hands", Of(hands::equal);
    RenamedHands: HANDS, "T8h renamed suits", Of(hands::renamed);
    NumberPlace: NUMBERS, "T9 deal number", Of(numbers::place);
    NumberLow: NUMBERS, "T9 low bits", Of(numbers::low_bits);
    NumberDistance: NUMBERS, "T9 distance", Of(numbers::distance), null_law: NullLaw::Bound;
    Spacings: NUMBERS, "T9b birthday spacings", Of(numbers::spacings),
        null_law: NullLaw::Bound,
        least: SPACED as u64;
    CardTable: CARDS, "C card table", Of(card_seat::worst_card),
        null_law: NullLaw::Bound,
        unconstrained: None,
        constrained: Some((TestGroup::CardTable, Knowledge::Tables)),
        allows: card_table::allows,
        detectable: card_table::detectable;
    ShapeHeterogeneity: GROUPS, "T10 shapes", Of(heterogeneity::shapes),
        constrained: Some((TestGroup::Tables, Knowledge::Cases)),
        subjects: |terms| if terms.batches > 1 { TestSubject::seats(terms) } else { Vec::new() },
        allows: heterogeneity::allows_shapes;
    Runs: CASES, "C case runs", Of(|look, _| cases::laws(look)?.runs(&look.counts.cases)),
        allows: cases::allows_runs,
        cells: cases::run_cells;
    RunTree: CASES, "C case halves",
        Of(|look, _| cases::laws(look)?.halves(&look.counts.cases)),
        null_law: NullLaw::Bound,
        allows: cases::allows_halves;
    Classes: LISTED, "C weight classes", Table(cases::CLASSES);
    LargestRun: CASES, "C largest run",
        Of(|look, _| cases::laws(look)?.largest(&look.counts.cases)),
        null_law: NullLaw::Bound,
        allows: cases::allows_runs;
    Coincidences: LISTED, "C coincidences",
        Of(|look, _| cases::laws(look)?.coincidences(&look.counts.cases)),
        least: LEAST_NORMAL,
        allows: cases::allows_coincidences;
    Filling: ALIKE, "C filling", Of(filling::filling),
        looks_at: "distribution of the other cards",
        constrained: Some((TestGroup::Filling, Knowledge::Nothing)),
        subjects: |_| Suit::ALL.map(TestSubject::Suit).to_vec(),
        allows: filling::allows;
    Interchange: ALIKE, "C interchange", Of(interchange::interchange),
        reach: Reach::Close,
        subjects: interchange::subjects;
    Seeds: DUPLICATES, "T9s seed dictionary", Of(seeds::seeds),
        looks_at: "seeds of known generators",
        depth: Depth::Tables,
        constrained: Some((TestGroup::Duplicates, Knowledge::Nothing)),
        subjects: |terms| TestSubject::all_if(terms.seeds);
}

impl Test {
    /// Returns the test's row of the catalogue.
    pub(super) fn row(self) -> &'static CatalogueRow {
        &CATALOGUE[self as usize]
    }

    /// Returns the quantity that the test examines, in players' words.
    pub fn looks_at(self) -> &'static str {
        self.row().looks_at
    }

    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns whether the statistic is standard normal.
    pub fn is_normal(self) -> bool {
        self.row().null_law == NullLaw::Normal
    }

    /// Returns whether the p-value is an upper bound: the smallest p-value times the number of
    /// tests, the exact tail of a small count, or the inverse of an e-value.
    pub fn has_bound(self) -> bool {
        self.row().null_law == NullLaw::Bound
    }

    /// Returns the minimum number of deals, or pairs of deals, for a look at the test.
    pub(super) fn least(self) -> u64 {
        self.row().least
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    const METHODOLOGY: &str = include_str!("../../../docs/methodology.md");

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
        let of_group = |of: &dyn Fn(&CatalogueRow) -> Option<TestGroup>, group| -> BTreeSet<&str> {
            let rows = CATALOGUE.iter().filter(|row| of(row) == Some(group));
            rows.map(|row| label(row.name)).collect()
        };
        let any = |row: &CatalogueRow| row.unconstrained;
        let any = UNCONSTRAINED.map(|(group, weight)| (of_group(&any, group), weight));
        let constrained = |row: &CatalogueRow| row.constrained.map(|(group, _)| group);
        let constrained =
            CONSTRAINED.map(|(group, weight)| (of_group(&constrained, group), weight));
        assert_eq!(published, [any.into(), constrained.into()]);
    }
}
