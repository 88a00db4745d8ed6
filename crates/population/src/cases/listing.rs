//! Enumerates the cases of a condition in the order of the essays.
//!
//! The first hand is outermost; within a hand, patterns come before honours. For each case of the
//! first hand and each pattern of the second, the weight is a product of four factors, one per
//! suit, each of which depends only on the second hand's honours in that suit. Impossible honours
//! have factor 0 (the essay's "lookup tables indexed thirdly by a suit's HCP bitmap"). Two tables
//! of 256 entries hold products of two factors, so that a case costs two lookups.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::joint::{self, Joint, MAX_PAIRS, number_of};
use super::source::{CHUNKS, CaseChunk, CaseSource};
use super::weight::{SuitCase, WholeCase, suit_factor, whole_factor};
use super::{Case, CaseRecord};
use crate::bridge::{Honours, PatternIndex, Seat, Suit};
use crate::error::Remedy;
use crate::language::{
    Condition, ConditionError, EvaluationError, Expression, HandCase, ListedHand, Measure, Plan,
    PlanError, Term,
};

/// The reason why a condition has no listing.
///
/// The memory of a listing is bounded for every condition. It holds the cases of each hand, at most
/// about ten million of 8 bytes; their features for the joint conditions, the same number of 8
/// bytes at a time; and the classes of these features: a few thousand for realistic conditions, and
/// at most as many as there are cases.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListingError {
    /// The condition cannot be planned: it mentions a third hand, or the order does not match.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The condition's arithmetic fails for some hands.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// The condition mentions no hand, and every deal satisfies it.
    #[error(
        "the condition mentions no hand, so every deal satisfies it and there is nothing to list"
    )]
    Unconstrained,
    /// No deal satisfies the condition.
    #[error("no deal satisfies the condition")]
    NoDeal,
    /// There is not enough memory to list one of the hands.
    #[error("not enough memory to list {hand}: {bytes} more bytes are needed")]
    Memory {
        /// The hand.
        hand: Seat,
        /// The number of bytes that could not be allocated.
        bytes: usize,
    },
    /// The cells to be listed fix one hand's pattern but not the other's.
    #[error("these cells determine the pattern of only one hand, so they have no listing")]
    Apart,
    /// The condition has more cases than allowed.
    #[error(
        "the condition has {cases} cases (T = {total}), more than the {max} allowed ({bytes} bytes on disk)"
    )]
    TooManyCases {
        /// The exact number of cases.
        cases: u64,
        /// The sum of their weights.
        total: u128,
        /// The maximum number of cases.
        max: u64,
        /// The size of all cases on disk in bytes.
        bytes: u128,
    },
}

/// The cases of one hand, which are kept in memory; pairs of hands are not. At most 560 patterns
/// times 65,399 honour maps, of which about ten million combinations are possible.
#[derive(Debug)]
pub(super) struct HandList {
    pub(super) hand: ListedHand,
    pub(super) slots: Vec<PatternSlot>,
    /// The number of cases before each slot.
    starts: Vec<u64>,
}

/// The cases of one hand that share a pattern, or all its cases if it is not listed by pattern.
#[derive(Debug)]
pub(super) struct PatternSlot {
    pub(super) pattern: Option<PatternIndex>,
    /// The honour maps; a single `None` if the hand is not listed by honours.
    pub(super) honours: Vec<Option<Honours>>,
    /// The class of each entry for the joint conditions; empty without joint conditions.
    pub(super) classes: Vec<u32>,
    /// Runs of entries with the same eight high bits: the bits, and the end of the run.
    runs: Vec<(u8, u32)>,
}

/// The version of the lister. Raise it whenever the listing of any condition changes in cases,
/// order or weights; stored listings are then not reused.
pub const LISTER_VERSION: u32 = 1;

/// A condition's hands, each listed separately; pairs of hands are enumerated later.
#[derive(Debug)]
pub struct Listing {
    pub(super) outer: Option<HandList>,
    pub(super) inner: HandList,
    pub(super) joint: Option<Joint>,
}

/// The result of listing hands by terms.
pub(super) enum Made {
    /// The listing.
    Whole(Box<Listing>),
    /// A term that mentions no hand is false.
    Nothing,
    /// Listing takes more steps than allowed.
    TooLong,
}

impl Listing {
    /// Lists each hand of the condition separately, in the condition's own order of hands or in
    /// `order`.
    ///
    /// # Errors
    ///
    /// [`ListingError`]. Only [`census`](super::census()) detects that no pair of hands satisfies
    /// the condition, or that its arithmetic fails for a pair of hands.
    pub fn new(condition: &Condition, order: Option<&[Seat]>) -> Result<Self, ListingError> {
        let listing = Self::with_limits(condition, order, (MAX_PAIRS, u64::MAX))?;
        Ok(listing.expect("no listing takes so many steps"))
    }

    /// Like [`Listing::new`], but returns `None` if it takes more than `most_steps`. A step is a
    /// test whether a pattern and an honour map are compatible; evaluations of a condition count as
    /// several.
    ///
    /// # Errors
    ///
    /// As [`Listing::new`].
    pub fn within(
        condition: &Condition,
        order: Option<&[Seat]>,
        most_steps: u64,
    ) -> Result<Option<Self>, ListingError> {
        Self::with_limits(condition, order, (MAX_PAIRS, most_steps))
    }

    fn with_limits(
        condition: &Condition,
        order: Option<&[Seat]>,
        (max_pairs, most_steps): (usize, u64),
    ) -> Result<Option<Self>, ListingError> {
        let (first, second) = match Plan::new(condition, order)? {
            Plan::Unconstrained => return Err(ListingError::Unconstrained),
            Plan::Impossible => return Err(ListingError::NoDeal),
            Plan::Listed { first, second } => (first, second),
        };
        let limits = (max_pairs, most_steps);
        let listing = match Self::of_terms(&condition.terms(), (first, second), limits)? {
            Made::Whole(listing) => *listing,
            Made::TooLong => return Ok(None),
            Made::Nothing => {
                // A term whose arithmetic fails may come before the term that is always false.
                let empty = Self::empty((first, second));
                empty.check_arithmetic(condition, most_steps)?;
                return Err(ListingError::NoDeal);
            }
        };
        let is_one_hand = listing.outer.is_none();
        let is_sound = !is_one_hand || listing.check_arithmetic(condition, most_steps)?;
        Ok(is_sound.then_some(listing))
    }

    /// Lists each hand by these terms, within `most_steps`.
    pub(super) fn of_terms(
        terms: &[Term],
        (first, second): (ListedHand, Option<ListedHand>),
        (max_pairs, most_steps): (usize, u64),
    ) -> Result<Made, ListingError> {
        // Constant terms do not depend on the hands.
        let nobody = [HandCase::default(); 4];
        let is_constant = |term: &&Term| term.expression().is_constant();
        if !terms
            .iter()
            .filter(is_constant)
            .all(|term| term.holds(&nobody))
        {
            return Ok(Made::Nothing);
        }
        let mentioning = |hand: ListedHand, mentions: (bool, bool)| -> Vec<Term> {
            let mentions_it = |term: &&Term| term.expression().mentions(hand.seat) == mentions;
            terms.iter().filter(mentions_it).cloned().collect()
        };
        let own = |hand| mentioning(hand, (true, false));
        let Some(second) = second else {
            let Some(inner) = HandList::new(first, &own(first), most_steps) else {
                return Ok(Made::TooLong);
            };
            return Ok(Made::Whole(Box::new(Self {
                outer: None,
                inner,
                joint: None,
            })));
        };
        let list = |hand| HandList::new(hand, &own(hand), most_steps);
        let Some((mut first_list, mut second_list)) = list(first).zip(list(second)) else {
            return Ok(Made::TooLong);
        };
        let both = mentioning(first, (true, true));
        let mut joint = None;
        if !both.is_empty() {
            let of_hands = [&first_list, &second_list].map(HandList::len);
            if of_hands.iter().sum::<u64>() > most_steps / STEPS_OF_A_CLASS {
                return Ok(Made::TooLong);
            }
            let representatives = [first_list.classify(&both)?, second_list.classify(&both)?];
            let [firsts, seconds] = representatives.each_ref().map(|all| all.len() as u64);
            if firsts.saturating_mul(seconds) > most_steps / STEPS_OF_AN_EVALUATION {
                return Ok(Made::TooLong);
            }
            let seats = [first.seat, second.seat];
            joint = Some(Joint::new(both, seats, representatives, max_pairs));
        }
        Ok(Made::Whole(Box::new(Self {
            outer: Some(first_list),
            inner: second_list,
            joint,
        })))
    }

    /// Returns a listing of these hands without cases.
    fn empty((first, second): (ListedHand, Option<ListedHand>)) -> Self {
        Self {
            outer: second.map(|_| HandList::of_slots(first, Vec::new())),
            inner: HandList::of_slots(second.unwrap_or(first), Vec::new()),
            joint: None,
        }
    }

    /// The first hand's seat, and the second's if two hands are listed.
    pub fn seats(&self) -> (Seat, Option<Seat>) {
        match &self.outer {
            Some(outer) => (outer.hand.seat, Some(self.inner.hand.seat)),
            None => (self.inner.hand.seat, None),
        }
    }

    /// Number of units: the smallest ranges of cases that can be enumerated separately.
    pub(super) fn units(&self) -> u64 {
        self.outer.as_ref().map_or(1, HandList::len) * self.rows()
    }

    /// Number of units for each case of the outer hand.
    pub(super) fn rows(&self) -> u64 {
        if self.inner.hand.by_honours {
            self.inner.slots.len() as u64
        } else {
            1
        }
    }

    /// The number of cases of the first hand, and an upper bound on the number of pairs.
    pub fn sizes(&self) -> (u64, u64) {
        let inner = self.inner.len();
        match &self.outer {
            None => (inner, inner),
            Some(outer) => (outer.len(), outer.len().saturating_mul(inner)),
        }
    }

    /// Visits all cases on the threads of the current rayon pool. Each chunk of cases is visited in
    /// order with an account of its own, and the accounts are merged.
    ///
    /// # Errors
    ///
    /// The first error of `visit` or `merge`.
    pub fn account<A: Default + Send, E: Send>(
        &self,
        visit: impl Fn(&mut A, Case, u64) -> Result<(), E> + Sync,
        merge: impl Fn(A, A) -> Result<A, E> + Sync + Send,
    ) -> Result<A, E> {
        let units = self.units();
        let size = units.div_ceil(CHUNKS).max(1);
        let stretch = |number: u64| {
            let (mut account, mut failed) = (A::default(), Ok(()));
            let units = number * size..units.min((number + 1) * size);
            self.for_each(units, |case, weight| {
                if failed.is_ok() {
                    failed = visit(&mut account, case, weight);
                }
            });
            failed.map(|()| account)
        };
        (0..units.div_ceil(size))
            .into_par_iter()
            .map(stretch)
            .try_reduce(A::default, merge)
    }

    /// Calls `visit` with every case of these units and its weight.
    pub(super) fn for_each(&self, units: Range<u64>, mut visit: impl FnMut(Case, u64)) {
        let mut narrowed = Narrowed::new(self.rows());
        for unit in units {
            self.visit_unit(unit, &mut narrowed, &mut visit);
        }
    }

    /// Calls `visit` with every case of a unit and its weight.
    pub(super) fn visit_unit(
        &self,
        unit: u64,
        narrowed: &mut Narrowed,
        mut visit: impl FnMut(Case, u64),
    ) {
        let rows = self.rows();
        let outer = self.outer.as_ref().map(|list| list.case(unit / rows));
        let case_of = |inner: HandCase| match outer {
            Some((first, _)) => Case {
                first,
                second: Some(inner),
            },
            None => Case {
                first: inner,
                second: None,
            },
        };
        let visit = |inner, weight| visit(case_of(inner), weight);
        if self.inner.hand.by_honours {
            let row = (unit % rows) as usize;
            let slot = &self.inner.slots[row];
            let class = outer.map_or(0, |(_, class)| class);
            let slot = match &self.joint {
                Some(joint) => narrowed.slot(row, slot, joint, class),
                None => slot,
            };
            self.honours_of(outer, slot, visit);
        } else {
            self.patterns_of(outer, visit);
        }
    }

    /// Whether the joint conditions hold, or there are none.
    fn jointly(&self, outer: Option<(HandCase, u32)>, inner: u32) -> bool {
        match (&self.joint, outer) {
            (Some(joint), Some((_, class))) => joint.holds(class, inner),
            _ => true,
        }
    }

    /// Visits the inner hand's cases of one slot, by honours, for one outer case.
    fn honours_of(
        &self,
        outer: Option<(HandCase, u32)>,
        slot: &PatternSlot,
        mut visit: impl FnMut(HandCase, u64),
    ) {
        if slot.honours.is_empty() {
            return;
        }
        let tables = HonourTables::new(outer.map(|(case, _)| case), slot.pattern);
        let mut start = 0;
        for &(high, end) in &slot.runs {
            let entries = start..end as usize;
            start = end as usize;
            let high_factor = tables.high[usize::from(high)];
            if high_factor == 0 {
                continue;
            }
            for entry in entries {
                let Some(honours) = slot.honours[entry] else {
                    continue;
                };
                let factor = high_factor * tables.low[usize::from(honours.bits() as u8)];
                if factor == 0 {
                    continue;
                }
                let weight = factor * tables.whole[honours.len() as usize];
                if let Some(&class) = slot.classes.get(entry)
                    && !self.jointly(outer, class)
                {
                    continue;
                }
                let honours = Some(honours);
                let pattern = slot.pattern;
                visit(HandCase { pattern, honours }, weight);
            }
        }
    }

    /// Visits the inner hand's cases, by pattern alone, for one outer case.
    fn patterns_of(&self, outer: Option<(HandCase, u32)>, mut visit: impl FnMut(HandCase, u64)) {
        let mut factors = [[0u64; 14]; 4];
        for suit in Suit::ALL {
            for length in 0..=13u8 {
                let inner = SuitCase {
                    length: Some(length),
                    honours: None,
                };
                factors[suit.index()][usize::from(length)] =
                    pair_factor(outer.map(|(case, _)| case), suit, inner);
            }
        }
        for slot in &self.inner.slots {
            let Some(pattern) = slot.pattern else {
                continue;
            };
            let lengths = pattern.pattern().lengths();
            let weight: u64 = (0..4)
                .map(|s| factors[s][usize::from(lengths[s])])
                .product();
            if weight == 0 {
                continue;
            }
            let class = slot.classes.first().copied().unwrap_or(0);
            if !self.jointly(outer, class) {
                continue;
            }
            visit(
                HandCase {
                    pattern: Some(pattern),
                    honours: None,
                },
                weight,
            );
        }
    }
}

impl CaseSource for Listing {
    fn seats(&self) -> (Seat, Option<Seat>) {
        Self::seats(self)
    }

    fn chunks(&self) -> Vec<CaseChunk> {
        let mut chunks = CaseChunk::of_units(self.units())
            .into_par_iter()
            .map(|mut chunk| {
                self.for_each(chunk.units.clone(), |_, weight| {
                    chunk.cases += 1;
                    chunk.total += u128::from(weight);
                });
                chunk
            })
            .collect::<Vec<_>>();
        CaseChunk::add_up(&mut chunks);
        chunks
    }

    fn records(&self, chunk: &CaseChunk, mut visit: impl FnMut(u64, CaseRecord)) {
        let (mut case, mut total) = (chunk.first_case, chunk.total_before);
        self.for_each(chunk.units.clone(), |hands, weight| {
            total += u128::from(weight);
            visit(case, CaseRecord::new(total, hands));
            case += 1;
        });
    }
}

/// The inner hand's slots without the entries that the joint conditions exclude for the outer
/// hand's class. Outer cases of one class are mostly adjacent, so a narrowed slot is reused many
/// times.
pub(super) struct Narrowed {
    slots: Vec<Option<(u32, PatternSlot)>>,
}

impl Narrowed {
    pub(super) fn new(rows: u64) -> Self {
        Self {
            slots: (0..rows).map(|_| None).collect(),
        }
    }

    fn slot<'s>(
        &'s mut self,
        row: usize,
        whole: &'s PatternSlot,
        joint: &Joint,
        class: u32,
    ) -> &'s PatternSlot {
        let place = &mut self.slots[row];
        if place
            .as_ref()
            .is_none_or(|(narrowed, _)| *narrowed != class)
        {
            let mut honours = Vec::new();
            for (&map, &inner) in whole.honours.iter().zip(&whole.classes) {
                match joint.known(class, inner) {
                    Some(false) => {}
                    Some(true) => honours.push(map),
                    None => return whole,
                }
            }
            // Entries without classes are not checked again.
            *place = Some((class, PatternSlot::new(whole.pattern, honours)));
        }
        place.as_ref().map_or(whole, |(_, slot)| slot)
    }
}

/// Returns what an outer case fixes in one suit.
fn suit_case(case: HandCase, suit: Suit) -> SuitCase {
    SuitCase {
        length: case.pattern.map(|index| index.pattern().length(suit)),
        honours: case.honours.map(|map| map.suit(suit).count_ones() as u8),
    }
}

fn pair_factor(outer: Option<HandCase>, suit: Suit, inner: SuitCase) -> u64 {
    match outer {
        Some(outer) => suit_factor(suit_case(outer, suit), Some(inner)),
        None => suit_factor(inner, None),
    }
}

/// Factors of the weight by the inner hand's honours, for one outer case and one inner pattern.
struct HonourTables {
    /// Factors of spades and hearts, by the map's high byte.
    high: [u64; 256],
    /// Factors of diamonds and clubs, by the map's low byte.
    low: [u64; 256],
    /// The whole-hand factor, by the number of honours.
    whole: [u64; 17],
}

impl HonourTables {
    fn new(outer: Option<HandCase>, pattern: Option<PatternIndex>) -> Self {
        let by_suit = Suit::ALL.map(|suit| {
            let taken = outer
                .and_then(|case| case.honours)
                .map_or(0, |map| map.suit(suit));
            let length = pattern.map(|index| index.pattern().length(suit));
            let by_count: [u64; 5] = std::array::from_fn(|count| {
                let honours = Some(count as u8);
                pair_factor(outer, suit, SuitCase { length, honours })
            });
            let of_nibble = |nibble: usize| {
                if nibble & usize::from(taken) == 0 {
                    by_count[nibble.count_ones() as usize]
                } else {
                    0
                }
            };
            std::array::from_fn::<u64, 16, _>(of_nibble)
        });
        let bytes = |upper: &[u64; 16], lower: &[u64; 16]| {
            std::array::from_fn(|byte| upper[byte >> 4] * lower[byte & 15])
        };
        let whole = |count: usize| {
            let inner = WholeCase {
                by_pattern: pattern.is_some(),
                honours: Some(count as u32),
            };
            match outer {
                _ if count > 13 => 0,
                None => whole_factor(inner, None),
                Some(case) => {
                    let outer = WholeCase {
                        by_pattern: case.pattern.is_some(),
                        honours: case.honours.map(Honours::len),
                    };
                    whole_factor(outer, Some(inner))
                }
            }
        };
        Self {
            high: bytes(&by_suit[0], &by_suit[1]),
            low: bytes(&by_suit[2], &by_suit[3]),
            whole: std::array::from_fn(whole),
        }
    }
}

/// Returns the number of pairs of a pattern and an honour map that the spot cards permit, which
/// depends only on the number of honours in each suit.
fn possible_pairs(patterns: &[Option<PatternIndex>], maps: &[Option<Honours>]) -> u64 {
    let mut alike: BTreeMap<Option<[u8; 4]>, (Option<Honours>, u64)> = BTreeMap::new();
    for honours in maps {
        let counts = honours.map(Honours::counts);
        alike.entry(counts).or_insert((*honours, 0)).1 += 1;
    }
    let with_pattern = |&pattern: &Option<PatternIndex>| -> u64 {
        let of_map = |&(honours, count): &(Option<Honours>, u64)| {
            u64::from(has_spots_for(HandCase { pattern, honours })) * count
        };
        alike.values().map(of_map).sum()
    };
    patterns.iter().map(with_pattern).sum()
}

/// Whether the spot cards permit a hand of this pattern with these honours: neither too few nor too
/// many.
fn has_spots_for(case: HandCase) -> bool {
    let (Some(pattern), Some(honours)) = (case.pattern, case.honours) else {
        return true;
    };
    let lengths = pattern.pattern().lengths().into_iter();
    let mut suits = lengths.zip(honours.counts());
    suits.all(|(length, held)| (held..=held + 9).contains(&length))
}

impl HandList {
    /// Lists one hand by the terms that mention it alone. Terms on the
    /// pattern alone and on the honours alone are evaluated first, once for each pattern and each
    /// map instead of once for each pair. `None` if that takes more than `most_steps`.
    fn new(hand: ListedHand, own: &[Term], most_steps: u64) -> Option<Self> {
        let needs = |term: &Expression| (term.needs_pattern(), term.needs_honours());
        let terms = |wanted: (bool, bool)| -> Vec<&Term> {
            let is_wanted = |term: &&Term| needs(term.expression()) == wanted;
            own.iter().filter(is_wanted).collect()
        };
        let holds = |terms: &[&Term], case: HandCase| {
            let hands = joint::at_table([(hand.seat, case)]);
            terms.iter().all(|term| term.holds(&hands))
        };
        let (of_pattern, of_honours) = (terms((true, false)), terms((false, true)));
        let of_both = terms((true, true));

        let mut patterns = vec![None];
        if hand.by_pattern {
            let of = |index| HandCase {
                pattern: Some(index),
                ..HandCase::default()
            };
            let listed = PatternIndex::all()
                .map(of)
                .filter(|case| holds(&of_pattern, *case));
            patterns = listed.map(|case| case.pattern).collect();
        }
        let mut maps = vec![None];
        if hand.by_honours {
            let of = |map| HandCase {
                honours: Some(map),
                ..HandCase::default()
            };
            let listed = Honours::all()
                .map(of)
                .filter(|case| holds(&of_honours, *case));
            maps = listed.map(|case| case.honours).collect();
        }
        let tests = (patterns.len() * maps.len()) as u64;
        let evaluations = match of_both.len() as u64 {
            0 => 0,
            terms => terms * possible_pairs(&patterns, &maps),
        };
        if tests + evaluations * STEPS_OF_AN_EVALUATION > most_steps {
            return None;
        }
        let slot = |pattern| {
            let is_listed = |&&honours: &&Option<Honours>| {
                let case = HandCase { pattern, honours };
                has_spots_for(case) && holds(&of_both, case)
            };
            PatternSlot::new(pattern, maps.iter().filter(is_listed).copied().collect())
        };
        let slots = patterns.into_par_iter().map(slot).collect();
        Some(Self::of_slots(hand, slots))
    }

    fn of_slots(hand: ListedHand, slots: Vec<PatternSlot>) -> Self {
        let starts = slots
            .iter()
            .scan(0, |before, slot| {
                let start = *before;
                *before += slot.honours.len() as u64;
                Some(start)
            })
            .collect();
        Self {
            hand,
            slots,
            starts,
        }
    }

    /// Divides the cases into classes by the features that the joint terms use, and returns one
    /// case of each class.
    ///
    /// Measures distinguish few patterns and honour maps, so the features are evaluated once for
    /// all cases that no measure distinguishes.
    ///
    /// # Errors
    ///
    /// [`ListingError::Memory`] if there is not enough memory.
    fn classify(&mut self, terms: &[Term]) -> Result<Vec<HandCase>, ListingError> {
        let features = joint::features(terms, self.hand.seat);
        let mut measures: Vec<&Measure> = Vec::new();
        for (_, measure) in features.iter().flat_map(|feature| feature.mentioned()) {
            if !measures.contains(&measure) {
                measures.push(measure);
            }
        }
        let mut patterns = BTreeMap::new();
        let mut look_of = |pattern: PatternIndex| {
            let seen = measures
                .iter()
                .map(|measure| measure.seen_of_pattern(pattern));
            number_of(&mut patterns, seen.collect::<Vec<u32>>()).0
        };
        let of_slots: Vec<u32> = self
            .slots
            .iter()
            .map(|slot| slot.pattern.map_or(0, &mut look_of))
            .collect();
        let mut maps = BTreeMap::new();
        let mut of_maps = vec![0u32; 1 << 16];
        if self.hand.by_honours {
            for map in Honours::all() {
                let seen = measures.iter().map(|measure| measure.seen_of_honours(map));
                of_maps[usize::from(map.bits())] =
                    number_of(&mut maps, seen.collect::<Vec<i64>>()).0;
            }
        }
        let width = maps.len().max(1);
        let places = patterns.len().max(1) * width;
        let room = |bytes| room_for(self.hand.seat, bytes);
        room(places * size_of::<Option<u32>>())?;
        let mut known: Vec<Option<u32>> = vec![None; places];
        let mut classes = BTreeMap::new();
        let mut representatives = Vec::new();
        for (slot, look) in self.slots.iter_mut().zip(of_slots) {
            let pattern = slot.pattern;
            for &honours in &slot.honours {
                let map = honours.map_or(0, |map| of_maps[usize::from(map.bits())]);
                let place = look as usize * width + map as usize;
                let class = match known[place] {
                    Some(class) => class,
                    None => {
                        let case = HandCase { pattern, honours };
                        let values = joint::values(&features, self.hand.seat, case);
                        let (class, new) = number_of(&mut classes, values);
                        if new {
                            representatives.push(case);
                            let count = representatives.len();
                            if count >= MANY_CLASSES && count.is_power_of_two() {
                                room(count * bytes_of_class(features.len()))?;
                            }
                        }
                        *known[place].insert(class)
                    }
                };
                slot.classes.push(class);
            }
        }
        Ok(representatives)
    }

    fn len(&self) -> u64 {
        match (self.starts.last(), self.slots.last()) {
            (Some(start), Some(slot)) => start + slot.honours.len() as u64,
            _ => 0,
        }
    }

    /// Returns the case at this position, and its class.
    fn case(&self, place: u64) -> (HandCase, u32) {
        let slot = self.starts.partition_point(|&start| start <= place) - 1;
        let entry = (place - self.starts[slot]) as usize;
        let slot = &self.slots[slot];
        let case = HandCase {
            pattern: slot.pattern,
            honours: slot.honours[entry],
        };
        (case, slot.classes.get(entry).copied().unwrap_or(0))
    }
}

/// Number of steps for one evaluation of a condition. A step is a test whether a pattern and an
/// honour map are compatible, and takes a few nanoseconds.
const STEPS_OF_AN_EVALUATION: u64 = 16;

/// Number of steps for finding a case's class.
const STEPS_OF_A_CLASS: u64 = 4;

/// Number of classes from which on memory for twice the number is checked at each power of two.
const MANY_CLASSES: usize = 1 << 16;

/// Returns the approximate memory of a class with this number of values, in bytes: the values, an
/// entry in a half-empty tree, and the hand.
fn bytes_of_class(values: usize) -> usize {
    values * size_of::<Result<i64, EvaluationError>>()
        + 2 * size_of::<(Vec<i64>, u32)>()
        + 2 * size_of::<HandCase>()
        + 32
}

/// Checks that this much memory can be allocated for listing a hand. Used before work that
/// allocates bit by bit, where a failed allocation would abort the process without a message.
pub(super) fn room_for(hand: Seat, bytes: usize) -> Result<(), ListingError> {
    let mut room: Vec<u8> = Vec::new();
    let reserved = room.try_reserve_exact(bytes);
    // Without this, the compiler may remove the allocation.
    std::hint::black_box(&mut room);
    reserved.map_err(|_| ListingError::Memory { hand, bytes })
}

impl PatternSlot {
    fn new(pattern: Option<PatternIndex>, honours: Vec<Option<Honours>>) -> Self {
        let mut runs: Vec<(u8, u32)> = Vec::new();
        for (entry, map) in honours.iter().enumerate() {
            let high = map.map_or(0, |map| (map.bits() >> 8) as u8);
            match runs.last_mut() {
                Some((same, end)) if *same == high => *end = entry as u32 + 1,
                _ => runs.push((high, entry as u32 + 1)),
            }
        }
        Self {
            pattern,
            honours,
            classes: Vec::new(),
            runs,
        }
    }
}

impl From<ListingError> for crate::error::Error {
    fn from(error: ListingError) -> Self {
        match error {
            ListingError::Plan(error) => error.into(),
            ListingError::Condition(error) => error.into(),
            ListingError::Memory { .. } => Self::io(error),
            ListingError::TooManyCases { .. } => {
                Self::condition(error).with_remedy(Remedy::AllowCases)
            }
            _ => Self::condition(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joint_conditions_list_the_same_cases_with_and_without_a_table() {
        let texts = [
            "spades(west) + spades(east) >= 11",
            "hcp(west) + hcp(east) == 40 && hcp(west) >= 30",
            "spades(west) == 9 && hcp(west) >= 24 && hcp(east) > spades(west) - 1",
        ];
        for text in texts {
            let condition = Condition::parse("test", text).unwrap();
            let records = |max_pairs| {
                let limits = (max_pairs, u64::MAX);
                let listing = Listing::with_limits(&condition, None, limits).unwrap();
                let listing = listing.unwrap();
                let mut records = Vec::new();
                for chunk in listing.chunks() {
                    listing.records(&chunk, |_, record| records.push(record));
                }
                records
            };
            let with_table = records(MAX_PAIRS);
            assert!(with_table.len() > 10, "{text}: {}", with_table.len());
            assert_eq!(records(0), with_table, "{text}");
        }
    }
}
