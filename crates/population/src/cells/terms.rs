//! Splits a condition into terms that depend on suits and shapes, and assigns roles to the hands.

use std::collections::BTreeMap;

use super::CellsError;
use super::predealt::PredealtSuit;
use crate::bridge::{Pattern, Seat, Suit};
use crate::language::{Condition, EvaluationError, HandCase, Measurable, Measure, Predeal, Term};

/// Maximum number of combined values of all counts of all hands.
const MOST_TOTALS: u64 = 1 << 48;

/// The hands that are dealt suit by suit: their order, and what is fixed of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roles {
    /// The seats: first those that are dealt, then those that have the rest.
    pub seats: [Seat; 4],
    /// The number of dealt hands, 1 to 3. With three, the fourth hand has the rest.
    pub dealt: usize,
    /// The number of dealt hands with fixed honours; these come first.
    pub by_honours: usize,
    /// The number of dealt hands with fixed patterns; these come first. If not all patterns are
    /// fixed, the honours of all dealt hands are.
    pub by_pattern: usize,
    /// Whether the condition mentions all four hands.
    pub(super) all_four: bool,
    /// The predealt cards, by suit.
    pub(super) predealt: [PredealtSuit; 4],
}

impl Roles {
    /// Whether the patterns of some dealt hands are fixed, and those of others are not.
    pub(crate) fn is_apart(&self) -> bool {
        self.by_pattern > 0 && self.by_pattern < self.dealt
    }

    /// The number of bits for the holders of two suits' honours: two planes of 8 bits, one plane
    /// for a single hand, or none if no honours are fixed.
    #[inline]
    pub fn holder_bits(&self) -> u32 {
        match self.by_honours {
            0 => 0,
            1 => 8,
            _ => 16,
        }
    }

    /// The number of spots that are predealt to a role.
    pub(super) fn predealt_spots(&self, role: usize) -> usize {
        let spots = self.predealt.iter().map(|suit| suit.spots[role]);
        spots.map(usize::from).sum()
    }

    /// Whether the predealt cards permit this pattern of a role.
    pub(super) fn allows(&self, role: usize, pattern: Pattern) -> bool {
        let mut suits = self.predealt.iter().zip(pattern.lengths());
        suits.all(|(suit, length)| suit.allows(role, length))
    }

    /// The role of a seat.
    #[inline]
    pub fn of(&self, seat: Seat) -> usize {
        let place = self.seats.iter().position(|&other| other == seat);
        place.expect("every seat has a role")
    }
}

/// A count of a hand that is a sum over the suits. It is one digit of the vectors, which hold the
/// counts of all hands.
#[derive(Debug)]
struct SuitSum<'c> {
    role: usize,
    measure: &'c Measure,
    /// The minimum that each suit adds.
    least: [i64; 4],
    /// The digit's weight, and its base.
    stride: u64,
    base: u64,
}

/// A condition, split into terms by what they depend on.
#[derive(Debug)]
pub(super) struct ConditionTerms<'c> {
    pub(super) roles: Roles,
    counts: Vec<SuitSum<'c>>,
    /// The measures in the expression that are counts, identified by their address, with the index
    /// of the count.
    asked: Vec<(&'c Measure, usize)>,
    /// Terms on one hand's pattern, by role.
    pub(super) alone: [Vec<&'c Term>; 4],
    /// Terms on several hands' patterns.
    pub(super) joint: Vec<&'c Term>,
    /// Terms on counts alone.
    of_counts: Vec<&'c Term>,
    /// Mixed terms on counts and patterns, and the pattern measures in them.
    mixed: Vec<&'c Term>,
    pub(super) seen: Vec<(Seat, &'c Measure)>,
}

impl<'c> ConditionTerms<'c> {
    /// Splits these terms for deals with these predealt cards. With `apart`, patterns that the
    /// condition does not use are not fixed, as far as possible.
    pub(super) fn new(
        asked: &'c [Term],
        predeal: &Predeal,
        apart: bool,
    ) -> Result<Self, CellsError> {
        let mentioned = asked.iter().flat_map(|term| term.expression().mentioned());
        let mentioned: Vec<(Seat, &Measure)> = mentioned.collect();
        Self::of(asked, roles(&mentioned, predeal, apart)?)
    }

    /// Splits these terms for hands with these roles.
    #[inline]
    pub(super) fn of(asked: &'c [Term], roles: Roles) -> Result<Self, CellsError> {
        let mut terms = Self {
            roles,
            counts: Vec::new(),
            asked: Vec::new(),
            alone: Default::default(),
            joint: Vec::new(),
            of_counts: Vec::new(),
            mixed: Vec::new(),
            seen: Vec::new(),
        };
        let mentioned = asked.iter().flat_map(|term| term.expression().mentioned());
        for (seat, measure) in mentioned {
            if measure.needs_honours() {
                let count = terms.count(roles.of(seat), measure)?;
                terms.asked.push((measure, count));
            }
        }
        for term in asked {
            terms.sort_in(term)?;
        }
        Ok(terms)
    }

    /// Returns the index of a count, and adds it if it is new.
    fn count(&mut self, role: usize, measure: &'c Measure) -> Result<usize, CellsError> {
        let same = |count: &SuitSum<'_>| count.role == role && count.measure == measure;
        if let Some(place) = self.counts.iter().position(same) {
            return Ok(place);
        }
        let (mut least, mut base) = ([0; 4], 1);
        for suit in Suit::ALL {
            let all = (0..=13).flat_map(|length| {
                (0..16u16)
                    .filter(move |honours| honours.count_ones() <= u32::from(length))
                    .map(move |honours| measure.in_suit(suit, length, honours))
            });
            let (low, high) = all.fold((i64::MAX, i64::MIN), |(low, high), value| {
                (low.min(value), high.max(value))
            });
            least[suit.index()] = low;
            base += low.abs_diff(high);
        }
        let stride = self.totals();
        let totals = stride.checked_mul(base);
        if totals.is_none_or(|totals| totals > MOST_TOTALS) {
            return Err(CellsError::TooLarge("combined values of the counts"));
        }
        self.counts.push(SuitSum {
            role,
            measure,
            least,
            stride,
            base,
        });
        Ok(self.counts.len() - 1)
    }

    /// The number of counts in a vector.
    pub(super) fn counts(&self) -> usize {
        self.counts.len()
    }

    /// The upper bound (exclusive) of the vectors of a deal.
    pub(super) fn totals(&self) -> u64 {
        self.counts
            .last()
            .map_or(1, |count| count.stride * count.base)
    }

    /// Returns the vector that a suit adds, from the hands' lengths and honours by role.
    pub(super) fn vector(&self, suit: Suit, lengths: &[u8], honours: [u16; 4]) -> u64 {
        let digit = |count: &SuitSum<'_>| {
            let length = lengths.get(count.role).copied().unwrap_or(0);
            let value = count.measure.in_suit(suit, length, honours[count.role]);
            value.abs_diff(count.least[suit.index()]) * count.stride
        };
        self.counts.iter().map(digit).sum()
    }

    fn sort_in(&mut self, term: &'c Term) -> Result<(), CellsError> {
        let mentioned = term.expression().mentioned();
        let of_pattern = |measure: &Measure| !measure.needs_honours();
        let counts = mentioned.iter().any(|(_, measure)| !of_pattern(measure));
        let patterns = mentioned.iter().any(|(_, measure)| of_pattern(measure));
        match (patterns, counts) {
            (false, false) => {
                if !term.holds(&[HandCase::default(); 4]) {
                    return Err(CellsError::NoDeal);
                }
            }
            (true, false) => {
                let first = mentioned[0].0;
                if mentioned.iter().all(|(seat, _)| *seat == first) {
                    self.alone[self.roles.of(first)].push(term);
                } else {
                    self.joint.push(term);
                }
            }
            (false, true) => self.of_counts.push(term),
            (true, true) => {
                let seen = mentioned.into_iter();
                self.seen
                    .extend(seen.filter(|(_, measure)| of_pattern(measure)));
                self.mixed.push(term);
            }
        }
        Ok(())
    }

    /// Returns the number of steps to judge one vector by the terms on counts alone.
    pub(super) fn steps_of_judging(&self) -> u64 {
        self.steps_of(&self.of_counts)
    }

    /// Returns the number of steps to judge one vector by the mixed terms.
    pub(super) fn steps_of_patterns(&self) -> u64 {
        match &self.mixed[..] {
            [] => 2,
            mixed => self.steps_of(mixed),
        }
    }

    fn steps_of(&self, terms: &[&Term]) -> u64 {
        let nodes: u64 = terms.iter().map(|term| term.expression().steps()).sum();
        20 + 2 * self.counts.len() as u64 + 2 * nodes
    }

    /// Whether the terms on counts alone accept these counts of a deal.
    pub(super) fn holds_of_counts(&self, total: u64) -> bool {
        self.all_hold(&self.of_counts, total, &[HandCase::default(); 4])
    }

    /// Whether the mixed terms accept these counts of a deal with these patterns.
    pub(super) fn holds_with(&self, total: u64, patterns: &[HandCase; 4]) -> bool {
        self.all_hold(&self.mixed, total, patterns)
    }

    fn all_hold(&self, terms: &[&Term], total: u64, patterns: &[HandCase; 4]) -> bool {
        if terms.is_empty() {
            return true;
        }
        let values = self.values(total);
        let hands = self.counted(&values, patterns);
        terms.iter().all(|term| term.holds(&hands))
    }

    /// Returns the error that these counts and patterns cause in the term made to find failures.
    pub(super) fn failure(&self, total: u64, patterns: &[HandCase; 4]) -> Option<EvaluationError> {
        let values = self.values(total);
        let hands = self.counted(&values, patterns);
        let of_patterns = self.alone.iter().flatten().chain(&self.joint);
        let mut terms = of_patterns.chain(&self.of_counts).chain(&self.mixed);
        terms.find_map(|term| term.failure(&hands))
    }

    fn values(&self, total: u64) -> Vec<i64> {
        let value = |count: &SuitSum<'_>| {
            let digit = total / count.stride % count.base;
            digit.cast_signed() + count.least.iter().sum::<i64>()
        };
        self.counts.iter().map(value).collect()
    }

    fn counted<'t>(
        &'t self,
        values: &'t [i64],
        patterns: &'t [HandCase; 4],
    ) -> CountedHands<'t, 'c> {
        let asked = &self.asked;
        CountedHands {
            patterns,
            asked,
            values,
        }
    }
}

/// Refuses conditions that use something that is not a sum over the suits.
pub(super) fn check(condition: &Condition) -> Result<(), CellsError> {
    let mentioned = condition.expression().mentioned();
    match mentioned.iter().find(|(_, measure)| !measure.is_listable()) {
        Some((_, measure)) if measure.is_random() => Err(CellsError::Draws),
        Some((seat, _)) => Err(CellsError::Cards(*seat)),
        None => Ok(()),
    }
}

/// Patterns and counts, as hands to evaluate terms on.
struct CountedHands<'a, 'c> {
    patterns: &'a [HandCase; 4],
    asked: &'a [(&'c Measure, usize)],
    values: &'a [i64],
}

impl Measurable for CountedHands<'_, '_> {
    fn measure(&self, seat: Seat, measure: &Measure) -> i64 {
        let mut asked = self.asked.iter();
        match asked.find(|(other, _)| std::ptr::eq(*other, measure)) {
            Some((_, count)) => self.values[*count],
            None => self.patterns.measure(seat, measure),
        }
    }
}

/// Chooses the dealt hands and their order: hands with more fixed come first. If no hand is
/// mentioned, the one with the most predealt cards is dealt, by its pattern.
fn roles(
    mentioned: &[(Seat, &Measure)],
    predeal: &Predeal,
    apart: bool,
) -> Result<Roles, CellsError> {
    let mut seats: Vec<Seat> = Vec::new();
    let mut needs: BTreeMap<usize, (bool, bool)> = BTreeMap::new();
    for (seat, measure) in mentioned {
        if !seats.contains(seat) {
            seats.push(*seat);
        }
        let (pattern, honours) = needs.entry(seat.index()).or_default();
        *pattern |= measure.needs_pattern();
        *honours |= measure.needs_honours();
    }
    if seats.is_empty() {
        if predeal.is_empty() {
            return Err(CellsError::Unconstrained);
        }
        seats.push(predeal.longest());
        needs.insert(seats[0].index(), (true, false));
    }
    let needs = |seat: &Seat| needs[&seat.index()];
    let by_pattern = |seat: &Seat| needs(seat).0;
    let by_honours = |seat: &Seat| needs(seat).1;
    // Spots of hands by honours alone come from one pool, which the cards of hands by pattern alone
    // would change. For two hands, patterns are fixed as in a listing.
    let apart = apart && (seats.len() > 2 || seats.iter().all(by_honours));
    let patterns = seats.iter().filter(|seat| by_pattern(seat)).count();
    let patterns = match patterns {
        0 => 0,
        some if apart => some,
        _ => seats.len(),
    };
    match patterns < seats.len() {
        true => seats.sort_by_key(|seat| !by_pattern(seat)),
        false => seats.sort_by_key(|seat| !by_honours(seat)),
    }
    let with_honours = match patterns < seats.len() {
        true => seats.len(),
        false => seats.iter().filter(|seat| by_honours(seat)).count(),
    };
    let dealt = seats.len().min(3);
    let all_four = seats.len() == 4;
    let others = Seat::ALL.into_iter().filter(|seat| !seats.contains(seat));
    let order: Vec<Seat> = seats.iter().copied().chain(others).collect();
    let seats = [order[0], order[1], order[2], order[3]];
    let predealt = seats.map(|seat| predeal.hand(seat));
    Ok(Roles {
        seats,
        predealt: Suit::ALL.map(|suit| PredealtSuit::new(suit, predealt)),
        dealt,
        by_honours: with_honours.min(dealt),
        by_pattern: patterns.min(dealt),
        all_four,
    })
}
