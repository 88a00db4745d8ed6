//! Halves of deals: their ways by vector of counts, and their classes as seen by the other half.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::budget::{Budget, Meter};
use super::shapes::{HalfShape, Link, Shapes};
use super::suit::{Lengths, Placement, placements};
use super::terms::ConditionTerms;
use super::{CellsError, MOST_JUDGED};
use crate::bridge::Suit;
use crate::fixed_hash::FixedHashMap;

/// Vectors below this bound may have dense sums and dense classes.
const DENSE: u64 = 1 << 20;

/// Maximum number of products that are sorted if the sums are not dense.
const MOST_SORTED: u64 = 1 << 16;

/// Number of classes of shapes whose sums are computed at the same time, with any number of threads:
/// the memory that a condition needs is the same on every machine.
const CLASSES_AT_ONCE: usize = 16;

/// Number of steps to find the tables of two suits.
const STEPS_OF_TABLES: u64 = 60;

/// Number of steps for a product, and for a vector, of dense sums.
const STEPS_OF_DENSE: u64 = 2;

/// Number of steps for a product of sums that are sorted, and of sums in a hash map.
const STEPS_OF_SORTED: u64 = 25;
const STEPS_OF_SPARSE: u64 = 40;

/// The placements of each suit, by the hands' lengths.
#[derive(Debug)]
pub(super) struct SuitTables {
    suits: [BTreeMap<Lengths, SuitTable>; 4],
}

/// The placements of a suit, and their ways by vector.
#[derive(Debug)]
pub(super) struct SuitTable {
    pub(super) placements: Vec<Placement>,
    sums: Vec<VectorSum>,
}

/// Totals of everything with the same vector of counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VectorSum {
    pub(super) vector: u64,
    /// The number of ways, and the number of honour placements.
    pub(super) ways: u64,
    pub(super) cases: u64,
}

impl SuitTables {
    pub(super) fn new(
        terms: &ConditionTerms<'_>,
        shapes: &Shapes,
        budget: &Budget,
    ) -> Result<Self, CellsError> {
        let mut meter = Meter::new(budget);
        let steps_of_table = SuitTable::steps(terms);
        let mut suits: [BTreeMap<Lengths, SuitTable>; 4] = Default::default();
        for (half, halves) in shapes.halves.iter().enumerate() {
            for lengths in halves.iter().flat_map(|shape| &shape.suits) {
                for (place, lengths) in lengths.iter().enumerate() {
                    let suit = Suit::ALL[2 * half + place];
                    meter.spend(40)?;
                    let table = &mut suits[suit.index()];
                    if !table.contains_key(lengths) {
                        meter.spend(steps_of_table)?;
                        table.insert(*lengths, SuitTable::new(terms, suit, lengths));
                    }
                }
            }
        }
        meter.settle()?;
        Ok(Self { suits })
    }

    /// The tables of the two suits of a half with these lengths.
    pub(super) fn of(&self, half: usize, lengths: &[Lengths; 2]) -> [&SuitTable; 2] {
        [0, 1].map(|place| &self.suits[2 * half + place][&lengths[place]])
    }

    /// Like [`SuitTables::of`]; `None` if no shape has these lengths.
    pub(super) fn get(&self, half: usize, lengths: &[Lengths; 2]) -> Option<[&SuitTable; 2]> {
        let table = |place: usize| self.suits[2 * half + place].get(&lengths[place]);
        Some([table(0)?, table(1)?])
    }

    /// Returns the number of honour placements in a half for each of its shapes.
    pub(super) fn placements(
        &self,
        half: usize,
        shapes: &[HalfShape],
        budget: &Budget,
    ) -> Result<Vec<usize>, CellsError> {
        let suits: usize = shapes.iter().map(|shape| shape.suits.len()).sum();
        budget.spend(STEPS_OF_TABLES * suits as u64)?;
        let of_suits = |lengths: &[Lengths; 2]| {
            let [first, second] = self.of(half, lengths);
            first.placements.len() * second.placements.len()
        };
        let of_shape = |shape: &HalfShape| shape.suits.iter().map(of_suits).sum();
        Ok(shapes.iter().map(of_shape).collect())
    }

    /// Returns the number of vectors of a half of one shape, if the budget covers finding them. The
    /// result is a lower bound for all shapes together.
    pub(super) fn vectors(
        &self,
        half: usize,
        shape: &HalfShape,
        totals: u64,
        budget: &Budget,
    ) -> Result<u64, CellsError> {
        let shapes = || std::iter::once(shape);
        let (steps, bytes) = self.cost_of_sums(half, shapes(), totals);
        budget.covers(steps, bytes)?;
        Ok(self.sums(half, shapes(), totals).len() as u64)
    }

    /// Returns [`SuitTables::sums`] of each of these classes of shapes, and pays for their memory.
    fn sums_of_classes<'s>(
        &self,
        half: usize,
        classes: &[impl Iterator<Item = &'s HalfShape> + Clone + Sync],
        totals: u64,
        budget: &Budget,
    ) -> Result<Vec<Vec<VectorSum>>, CellsError> {
        let sums = classes.par_iter().map(|shapes| {
            let sums = self.sums(half, shapes.clone(), totals);
            budget.reserve((size_of::<VectorSum>() * sums.len()) as u64)?;
            Ok(sums)
        });
        sums.collect()
    }

    /// Returns the steps and the working memory in bytes that [`SuitTables::sums`] takes for these
    /// shapes.
    fn cost_of_sums<'s>(
        &self,
        half: usize,
        shapes: impl Iterator<Item = &'s HalfShape>,
        totals: u64,
    ) -> (u64, u64) {
        let (mut lookups, mut products) = (0, 0);
        for lengths in shapes.flat_map(|shape| &shape.suits) {
            let [first, second] = self.of(half, lengths);
            products += first.sums.len() as u64 * second.sums.len() as u64;
            lookups += 1;
        }
        let steps = STEPS_OF_TABLES * lookups + VectorSums::steps(products, totals);
        (steps, 64 * products.min(totals))
    }

    /// Returns the total ways of several shapes of a half by vector, in ascending order.
    fn sums<'s>(
        &self,
        half: usize,
        shapes: impl Iterator<Item = &'s HalfShape>,
        totals: u64,
    ) -> Vec<VectorSum> {
        let suits = shapes.flat_map(|shape| &shape.suits);
        let suits: Vec<_> = suits.map(|lengths| self.of(half, lengths)).collect();
        let products =
            |[first, second]: &[&SuitTable; 2]| first.sums.len() as u64 * second.sums.len() as u64;
        let mut sums = VectorSums::new(suits.iter().map(products).sum(), totals);
        for [first, second] in suits {
            for one in &first.sums {
                for other in &second.sums {
                    sums.add(VectorSum {
                        vector: one.vector + other.vector,
                        ways: one.ways * other.ways,
                        cases: one.cases * other.cases,
                    });
                }
            }
        }
        sums.finish()
    }
}

impl SuitTable {
    /// Returns the number of steps to make a table.
    fn steps(terms: &ConditionTerms<'_>) -> u64 {
        let holders = match terms.roles.by_honours {
            0 => 1,
            hands => (hands as u64 + 1).pow(4),
        };
        300 + holders * (25 + 15 * terms.counts() as u64)
    }

    fn new(terms: &ConditionTerms<'_>, suit: Suit, lengths: &Lengths) -> Self {
        let placements = placements(terms, suit, lengths);
        let mut sums = VectorSums::new(placements.len() as u64, u64::MAX);
        for placement in &placements {
            sums.add(VectorSum {
                vector: placement.vector,
                ways: placement.ways,
                cases: 1,
            });
        }
        Self {
            placements,
            sums: sums.finish(),
        }
    }
}

/// Sums by vector.
enum VectorSums {
    Dense(Vec<(u64, u64)>),
    /// All products, which are sorted at the end.
    Sorted(Vec<VectorSum>),
    Sparse(FixedHashMap<u64, (u64, u64)>),
}

impl VectorSums {
    /// Makes empty sums for this many products of vectors below `totals`.
    fn new(products: u64, totals: u64) -> Self {
        if Self::is_dense(products, totals) {
            Self::Dense(vec![(0, 0); totals as usize])
        } else if products <= MOST_SORTED {
            Self::Sorted(Vec::with_capacity(products as usize))
        } else {
            Self::Sparse(FixedHashMap::default())
        }
    }

    /// Whether there are enough products for an array of all vectors.
    fn is_dense(products: u64, totals: u64) -> bool {
        let dense = STEPS_OF_DENSE.saturating_mul(totals.saturating_add(products));
        totals <= DENSE && dense <= STEPS_OF_SORTED * products
    }

    fn steps(products: u64, totals: u64) -> u64 {
        if Self::is_dense(products, totals) {
            STEPS_OF_DENSE * (totals + products)
        } else if products <= MOST_SORTED {
            STEPS_OF_SORTED * products
        } else {
            STEPS_OF_SPARSE * products
        }
    }

    #[inline]
    fn add(&mut self, sum: VectorSum) {
        let (ways, cases) = match self {
            Self::Sorted(sums) => return sums.push(sum),
            Self::Dense(sums) => &mut sums[sum.vector as usize],
            Self::Sparse(sums) => sums.entry(sum.vector).or_default(),
        };
        *ways += sum.ways;
        *cases += sum.cases;
    }

    fn finish(self) -> Vec<VectorSum> {
        let sum = |(vector, (ways, cases))| VectorSum {
            vector,
            ways,
            cases,
        };
        match self {
            Self::Dense(sums) => {
                let all = (0..).zip(sums).filter(|(_, (_, cases))| *cases > 0);
                all.map(sum).collect()
            }
            Self::Sorted(mut sums) => {
                sums.sort_unstable_by_key(|sum| sum.vector);
                sums.dedup_by(|next, sum| {
                    let is_same = next.vector == sum.vector;
                    if is_same {
                        sum.ways += next.ways;
                        sum.cases += next.cases;
                    }
                    is_same
                });
                sums.shrink_to_fit();
                sums
            }
            Self::Sparse(sums) => {
                let mut all: Vec<VectorSum> = sums.into_iter().map(sum).collect();
                all.sort_unstable_by_key(|sum| sum.vector);
                all
            }
        }
    }
}

/// Classes of a half's shapes and vectors that the other half does not distinguish.
#[derive(Debug)]
pub(super) struct HalfClasses {
    /// The class of each shape.
    pub(super) of_shape: Vec<u32>,
    /// The shapes of each class.
    pub(super) shapes: Vec<Vec<u32>>,
    /// The class of each vector.
    pub(super) of_vector: VectorClasses,
    /// For each class of shapes, the ways by class of vectors, in ascending order.
    pub(super) sums: Vec<Vec<VectorSum>>,
}

/// Classes of the vectors that occur and are accepted with at least one vector of the other half.
#[derive(Debug)]
pub(super) enum VectorClasses {
    Dense(Vec<u32>),
    Sparse(FixedHashMap<u64, u32>),
}

/// Marks vectors that are never accepted, and shapes without a class.
const NONE: u32 = u32::MAX;

impl VectorClasses {
    fn new(classes: FixedHashMap<u64, u32>, totals: u64) -> Self {
        if totals > DENSE {
            return Self::Sparse(classes);
        }
        let mut dense = vec![NONE; totals as usize];
        for (vector, class) in classes {
            dense[vector as usize] = class;
        }
        Self::Dense(dense)
    }

    /// The smallest vector of a class.
    pub(super) fn member(&self, class: u32) -> Option<u64> {
        match self {
            Self::Dense(classes) => {
                let place = classes.iter().position(|other| *other == class)?;
                Some(place as u64)
            }
            Self::Sparse(classes) => {
                let members = classes.iter().filter(|(_, other)| **other == class);
                members.map(|(vector, _)| *vector).min()
            }
        }
    }

    /// The class of a vector; `None` if the vector is never accepted.
    #[inline]
    pub(super) fn get(&self, vector: u64) -> Option<u32> {
        let class = match self {
            Self::Dense(classes) => classes.get(vector as usize),
            Self::Sparse(classes) => classes.get(&vector),
        };
        class.copied().filter(|class| *class != NONE)
    }
}

/// Both halves: their classes, and which classes are compatible.
#[derive(Debug)]
pub(super) struct Halves {
    pub(super) sides: [HalfClasses; 2],
    /// The compatible right shapes, by class of left shapes.
    pub(super) rows: CompatibleClasses,
    pub(super) links: Vec<Link>,
    /// By judge and class of left vectors, the accepted classes of right vectors as a bitmap.
    verdicts: Vec<Vec<Vec<u64>>>,
}

impl Halves {
    pub(super) fn new(
        terms: &ConditionTerms<'_>,
        shapes: &Shapes,
        tables: &SuitTables,
        budget: &Budget,
    ) -> Result<Self, CellsError> {
        let shape_count = shapes.pairs.len() + shapes.halves[0].len() + shapes.halves[1].len();
        budget.spend(100 * shape_count as u64)?;
        let (of_shape, rows) = equivalent_shapes(shapes);
        let members = [0, 1].map(|half| {
            let count = of_shape[half]
                .iter()
                .max()
                .map_or(0, |most| *most as usize + 1);
            let mut members = vec![Vec::new(); count];
            for (shape, class) in (0u32..).zip(&of_shape[half]) {
                members[*class as usize].push(shape);
            }
            members
        });
        let classes = [0, 1].map(|half| {
            let of_shape = move |shape: &u32| &shapes.halves[half][*shape as usize];
            let classes = members[half].iter();
            classes
                .map(|members| members.iter().map(of_shape))
                .collect::<Vec<_>>()
        });
        let sums = sums_of_halves(
            tables,
            &classes,
            terms.totals(),
            shapes.judges.len(),
            budget,
        )?;
        let sum_count: usize = sums.iter().flatten().map(Vec::len).sum();
        budget.spend(50 * sum_count as u64)?;
        let vectors = sums.each_ref().map(|sums| vectors_of(sums));
        let (of_vector, verdicts) = judged(terms, shapes, &vectors, budget)?;
        let mut sides = of_shape
            .into_iter()
            .zip(members)
            .zip(sums)
            .zip(of_vector)
            .map(|(((of_shape, shapes), sums), of_vector)| HalfClasses {
                of_shape,
                shapes,
                sums: sums.iter().map(|sums| by_class(sums, &of_vector)).collect(),
                of_vector: VectorClasses::new(of_vector, terms.totals()),
            });
        let (Some(left), Some(right)) = (sides.next(), sides.next()) else {
            return Err(CellsError::NoDeal);
        };
        Ok(Self {
            sides: [left, right],
            rows,
            links: shapes.links.clone(),
            verdicts,
        })
    }

    /// The number of classes of left vectors.
    pub(super) fn left_vectors(&self) -> u32 {
        self.verdicts
            .first()
            .map_or(0, |verdicts| verdicts.len() as u32)
    }

    /// The judge of a link.
    pub(super) fn judge(&self, link: u32) -> u32 {
        self.links[link as usize].judge
    }

    /// Whether this judge accepts these classes of left and right vectors together.
    pub(super) fn wants(&self, judge: u32, left: u32, right: u32) -> bool {
        let wanted = &self.verdicts[judge as usize][left as usize];
        wanted[right as usize / 64] >> (right % 64) & 1 == 1
    }
}

/// Returns the sums of each class of shapes of both halves. Refuses to go on once the vectors found
/// are too many to judge.
fn sums_of_halves<'s>(
    tables: &SuitTables,
    classes: &[Vec<impl Iterator<Item = &'s HalfShape> + Clone + Sync>; 2],
    totals: u64,
    judges: usize,
    budget: &Budget,
) -> Result<[Vec<Vec<VectorSum>>; 2], CellsError> {
    let mut steps = [Vec::new(), Vec::new()];
    for (half, (classes, steps)) in classes.iter().zip(&mut steps).enumerate() {
        let costs = classes
            .iter()
            .map(|shapes| tables.cost_of_sums(half, shapes.clone(), totals));
        let mut working: Vec<u64>;
        (*steps, working) = costs.unzip();
        working.sort_unstable_by(|one, other| other.cmp(one));
        let working = working.iter().take(CLASSES_AT_ONCE).sum();
        budget.covers(steps.iter().sum(), working)?;
    }
    let mut sums = [Vec::new(), Vec::new()];
    let most = classes.iter().map(Vec::len).max().unwrap_or(0);
    let (mut upto, mut checked) = (0, 1);
    while upto < most {
        for (half, (classes, sums)) in classes.iter().zip(&mut sums).enumerate() {
            let [from, to] = [upto, upto + CLASSES_AT_ONCE].map(|place| place.min(classes.len()));
            for steps in &steps[half][from..to] {
                budget.spend(*steps)?;
            }
            sums.extend(tables.sums_of_classes(half, &classes[from..to], totals, budget)?);
        }
        upto += CLASSES_AT_ONCE;
        // At every doubling, which counts each sum twice at most.
        if upto >= 2 * checked {
            checked = upto;
            let counts = sums.each_ref().map(|sums| vectors_of(sums).len() as u64);
            refuse_too_many(counts, judges, budget)?;
        }
    }
    Ok(sums)
}

/// Returns the vectors of these sums, in ascending order.
fn vectors_of(sums: &[Vec<VectorSum>]) -> Vec<u64> {
    let mut all: Vec<u64> = sums.iter().flatten().map(|sum| sum.vector).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Adds up sums by class of vectors.
fn by_class(sums: &[VectorSum], classes: &FixedHashMap<u64, u32>) -> Vec<VectorSum> {
    let mut all: BTreeMap<u32, VectorSum> = BTreeMap::new();
    for sum in sums {
        if let Some(&class) = classes.get(&sum.vector) {
            let mine = all.entry(class).or_insert(VectorSum {
                vector: class.into(),
                ways: 0,
                cases: 0,
            });
            mine.ways += sum.ways;
            mine.cases += sum.cases;
        }
    }
    all.into_values().collect()
}

/// By class of left shapes, the compatible classes of right shapes and their links.
type CompatibleClasses = Vec<Vec<(u32, u32)>>;

/// Groups the shapes of either half that are compatible with the same shapes of the other half into
/// classes. Also returns the compatible right classes of each left class.
fn equivalent_shapes(shapes: &Shapes) -> ([Vec<u32>; 2], CompatibleClasses) {
    let mut pairs = shapes.pairs.clone();
    pairs.par_sort_unstable();
    let mut left = vec![NONE; shapes.halves[0].len()];
    let mut rows: CompatibleClasses = Vec::new();
    let mut known: FixedHashMap<Vec<(u32, u32)>, u32> = FixedHashMap::default();
    for of_one in pairs.chunk_by(|a, b| a.left == b.left) {
        let row: Vec<(u32, u32)> = of_one.iter().map(|pair| (pair.right, pair.link)).collect();
        let next = rows.len() as u32;
        let class = *known.entry(row).or_insert_with_key(|row| {
            rows.push(row.clone());
            next
        });
        left[of_one[0].left as usize] = class;
    }
    drop(known);
    // Predealt cards may leave no deal of a half's shape: a class without a row.
    if left.contains(&NONE) {
        let unpaired = rows.len() as u32;
        rows.push(Vec::new());
        for class in left.iter_mut().filter(|class| **class == NONE) {
            *class = unpaired;
        }
    }
    // The same for the right shapes, by the classes of the left shapes.
    let mut columns: Vec<Vec<(u32, u32)>> = vec![Vec::new(); shapes.halves[1].len()];
    for (class, row) in (0..).zip(&rows) {
        for &(right, link) in row {
            columns[right as usize].push((class, link));
        }
    }
    let mut known: FixedHashMap<&[(u32, u32)], u32> = FixedHashMap::default();
    let right: Vec<u32> = columns
        .iter()
        .map(|column| {
            let next = known.len() as u32;
            *known.entry(column).or_insert(next)
        })
        .collect();
    for row in &mut rows {
        for (of_right, _) in row.iter_mut() {
            *of_right = right[*of_right as usize];
        }
        row.sort_unstable();
        row.dedup();
    }
    ([left, right], rows)
}

/// Number of steps to look up the sum of two vectors twice, and to record a judge's verdict.
const STEPS_OF_LOOKING_UP: u64 = 10;
const STEPS_OF_PLACING: u64 = 2;

/// The sums of pairs of vectors, judged by the terms of counts alone.
struct CountedPairs {
    /// The accepted sums, and the index of each sum among them; `None` if it is rejected.
    wanted: Vec<u64>,
    places: FixedHashMap<u64, Option<u32>>,
}

impl CountedPairs {
    fn new(terms: &ConditionTerms<'_>, [lefts, rights]: &[Vec<u64>; 2]) -> Self {
        let mut counted = Self {
            wanted: Vec::new(),
            places: FixedHashMap::default(),
        };
        for left in lefts {
            for right in rights {
                let (total, wanted) = (left + right, &mut counted.wanted);
                counted.places.entry(total).or_insert_with(|| {
                    terms.holds_of_counts(total).then(|| {
                        wanted.push(total);
                        wanted.len() as u32 - 1
                    })
                });
            }
        }
        counted
    }

    fn place(&self, total: u64) -> Option<usize> {
        self.places[&total].map(|place| place as usize)
    }
}

/// The classes of the vectors of both halves, and the accepted right classes for each judge and
/// left class.
type HalfVerdicts = ([FixedHashMap<u64, u32>; 2], Vec<Vec<Vec<u64>>>);

/// Refuses to judge at least this many vectors of both halves if that exceeds the fixed limit or
/// the budget.
pub(super) fn refuse_too_many(
    [lefts, rights]: [u64; 2],
    judges: usize,
    budget: &Budget,
) -> Result<(), CellsError> {
    let pairs = lefts * rights;
    let judged = pairs.saturating_mul(judges as u64);
    if judged > MOST_JUDGED {
        return Err(CellsError::TooLarge("pairs of count vectors"));
    }
    let steps = STEPS_OF_LOOKING_UP * pairs + STEPS_OF_PLACING * judged;
    budget.covers(steps, judged / 4)
}

/// Judges every pair of vectors, and groups vectors with the same verdicts into classes.
fn judged(
    terms: &ConditionTerms<'_>,
    shapes: &Shapes,
    vectors: &[Vec<u64>; 2],
    budget: &Budget,
) -> Result<HalfVerdicts, CellsError> {
    let [lefts, rights] = vectors;
    let judges = shapes.judges.len();
    let pairs = lefts.len() as u64 * rights.len() as u64;
    refuse_too_many(
        vectors.each_ref().map(|all| all.len() as u64),
        judges,
        budget,
    )?;
    let totals = pairs.min(terms.totals());
    budget.spend(STEPS_OF_LOOKING_UP * pairs + terms.steps_of_judging() * totals)?;
    budget.covers(0, pairs * judges as u64 / 4 + 40 * totals)?;
    let counted = CountedPairs::new(terms, vectors);
    let of_judge =
        STEPS_OF_PLACING * pairs + terms.steps_of_patterns() * counted.wanted.len() as u64;
    budget.spend(of_judge.saturating_mul(judges as u64))?;
    let known = counted.wanted.len() as u64;
    budget.covers(
        0,
        pairs * judges as u64 / 4 + 40 * totals + known * judges as u64,
    )?;
    let verdicts = shapes.judges.iter().map(|patterns| -> Vec<bool> {
        let holds = |total: &u64| terms.holds_with(*total, patterns);
        counted.wanted.iter().map(holds).collect()
    });
    let verdicts: Vec<Vec<bool>> = verdicts.collect();
    // By left vector and judge, the accepted right vectors.
    let words = rights.len().div_ceil(64);
    let mut wanted = vec![vec![0u64; words * judges]; lefts.len()];
    for (row, left) in wanted.iter_mut().zip(lefts) {
        for (place, right) in rights.iter().enumerate() {
            let Some(known) = counted.place(left + right) else {
                continue;
            };
            for (judge, verdicts) in verdicts.iter().enumerate() {
                row[judge * words + place / 64] |= u64::from(verdicts[known]) << (place % 64);
            }
        }
    }
    let (left, rows) = classes(&wanted, lefts);
    let bits = (rights.len() * judges) as u64 * rows.len() as u64;
    budget.spend(4 * bits)?;
    // The right vectors, by the classes of the left vectors.
    let columns: Vec<Vec<u64>> = (0..rights.len())
        .map(|place| {
            let mut column = vec![0u64; (rows.len() * judges).div_ceil(64)];
            for (class, row) in rows.iter().enumerate() {
                for judge in 0..judges {
                    let bit = row[judge * words + place / 64] >> (place % 64) & 1;
                    let at = class * judges + judge;
                    column[at / 64] |= bit << (at % 64);
                }
            }
            column
        })
        .collect();
    let (right, columns) = classes(&columns, rights);
    budget.reserve((columns.len() * rows.len() * judges) as u64 / 8)?;
    let verdicts = (0..judges).map(|judge| {
        let of_left = (0..rows.len()).map(|class| {
            let at = class * judges + judge;
            let mut bits = vec![0u64; columns.len().div_ceil(64)];
            for (place, column) in columns.iter().enumerate() {
                bits[place / 64] |= (column[at / 64] >> (at % 64) & 1) << (place % 64);
            }
            bits
        });
        of_left.collect()
    });
    let verdicts = verdicts.collect();
    Ok(([left, right], verdicts))
}

/// Groups vectors by what is accepted with them. Returns the class of each vector that is accepted
/// with anything, and the accepted bitmap of each class.
fn classes(wanted: &[Vec<u64>], vectors: &[u64]) -> (FixedHashMap<u64, u32>, Vec<Vec<u64>>) {
    let mut known: FixedHashMap<&Vec<u64>, u32> = FixedHashMap::default();
    let (mut of_vector, mut all) = (FixedHashMap::default(), Vec::new());
    for (vector, wanted) in vectors.iter().zip(wanted) {
        if wanted.iter().all(|bits| *bits == 0) {
            continue;
        }
        let class = *known.entry(wanted).or_insert_with(|| {
            all.push(wanted.clone());
            all.len() as u32 - 1
        });
        of_vector.insert(*vector, class);
    }
    (of_vector, all)
}
