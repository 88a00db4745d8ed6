//! The shapes of all dealt hands that a condition permits, as pairs of halves.
//!
//! A **half** is spades with hearts, or diamonds with clubs. The shape of a half fixes the lengths
//! of both suits for hands with fixed patterns, and for other hands the number of honours in both
//! suits together. A **link** of two halves names the judge of their count vectors, and the number
//! of ways to deal the rest of the hands.

use std::collections::BTreeMap;

use crate::fixed_hash::Entry;

use super::budget::{Budget, Meter};
use super::suit::{Lengths, ways_with_honours, with_honours};
use super::terms::{ConditionTerms, Roles};
use super::{CellsError, MOST_SHAPES};
use crate::bridge::combinatorics::choose;
use crate::bridge::{Pattern, PatternIndex, Seat};
use crate::fixed_hash::FixedHashMap;
use crate::language::{HandCase, Measure, Term};

/// The shape of a half: the lengths of its suits. If the patterns of some hands are not fixed, it
/// has the lengths of every distribution with the same number of honours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HalfShape {
    pub(super) suits: Vec<[Lengths; 2]>,
}

impl HalfShape {
    /// The number of honours of each hand without a pattern, and of those with patterns together.
    pub(super) fn honours(&self, roles: &Roles) -> Lengths {
        let [first, second] = self.suits[0];
        let of = |role| match role < roles.by_pattern {
            true => 0,
            false => first[role] + second[role],
        };
        [0, 1, 2, 3].map(of)
    }
}

/// The relation of two compatible halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    /// The judge that accepts or rejects pairs of vectors of counts.
    pub(super) judge: u32,
    /// The number of honours of the dealt hands without patterns, by role; last, of those with
    /// patterns together.
    pub(super) honours: Lengths,
    /// The number of ways to deal the spots of hands without patterns.
    pub(super) ways: u128,
}

/// Two compatible halves and their link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) left: u32,
    pub(super) link: u32,
    pub(super) right: u32,
}

/// All permitted shapes.
#[derive(Debug)]
pub(super) struct Shapes {
    pub(super) halves: [Vec<HalfShape>; 2],
    pub(super) links: Vec<Link>,
    pub(super) pairs: Vec<Pair>,
    /// Patterns that represent each judge.
    pub(super) judges: Vec<[HandCase; 4]>,
}

impl Shapes {
    pub(super) fn new(terms: &ConditionTerms<'_>, budget: &Budget) -> Result<Self, CellsError> {
        let shapes = Patterns::new(terms, budget)?.all()?;
        match terms.roles.by_pattern < terms.roles.dealt {
            true => shapes.with_honours(&terms.roles, budget),
            false => Ok(shapes),
        }
    }

    /// Splits the shapes by the number of honours of the hands without patterns.
    fn with_honours(self, roles: &Roles, budget: &Budget) -> Result<Self, CellsError> {
        let shapes = (self.halves[0].len() + self.halves[1].len()) as u64;
        let ways = ways_with_honours(roles).pow(2);
        budget.spend(STEPS_OF_HONOURS * ways * shapes)?;
        budget.reserve(16 * ways * shapes)?;
        let mut halves = [Vec::new(), Vec::new()];
        // By half and unsplit shape, the indices of the split shapes.
        let numbers = [0, 1].map(|half| {
            let all = &mut halves[half];
            let of_shape = |shape: &HalfShape| {
                let start = all.len() as u32;
                all.extend(by_honours(roles, shape));
                start..all.len() as u32
            };
            self.halves[half].iter().map(of_shape).collect::<Vec<_>>()
        });
        let of_pair = |pair: &Pair| {
            let lefts = &numbers[0][pair.left as usize];
            (lefts.clone(), numbers[1][pair.right as usize].clone())
        };
        let tried = |pair: &Pair| {
            let (lefts, rights) = of_pair(pair);
            lefts.len() as u64 * rights.len() as u64
        };
        let tried: u64 = self.pairs.iter().map(tried).sum();
        budget.spend(STEPS_OF_JOINING * tried)?;
        let honours = halves.each_ref().map(|halves: &Vec<HalfShape>| {
            let honours = |shape: &HalfShape| shape.honours(roles);
            halves.iter().map(honours).collect::<Vec<_>>()
        });
        let (mut links, mut pairs) = (HonourLinks::new(*roles), Vec::new());
        for pair in &self.pairs {
            let (lefts, rights) = of_pair(pair);
            let judge = self.links[pair.link as usize].judge;
            for left in lefts {
                let one = honours[0][left as usize];
                for right in rights.clone() {
                    let link = links.of(judge, one, honours[1][right as usize]);
                    pairs.extend(link.map(|link| Pair { left, link, right }));
                }
            }
            if pairs.len() > MOST_SHAPES {
                return Err(TOO_MANY_SHAPES);
            }
        }
        reserve_pairs(budget, pairs.len())?;
        Ok(Self {
            halves,
            links: links.all,
            pairs,
            judges: self.judges,
        })
    }
}

/// Number of steps for each distribution of a half's honours in one shape, and for joining two
/// halves by their honours.
const STEPS_OF_HONOURS: u64 = 100;
const STEPS_OF_JOINING: u64 = 12;

/// Splits the shape of a half by its honours.
fn by_honours(roles: &Roles, shape: &HalfShape) -> impl Iterator<Item = HalfShape> + use<> {
    let mut by_honours: BTreeMap<Lengths, HalfShape> = BTreeMap::new();
    let [first, second] = shape.suits[0].map(|suit| with_honours(roles, &suit));
    for one in first {
        for other in &second {
            let suits = [one, *other];
            let shape = HalfShape { suits: vec![suits] };
            let known = by_honours.entry(shape.honours(roles));
            known
                .and_modify(|known| known.suits.push(suits))
                .or_insert(shape);
        }
    }
    by_honours.into_values()
}

/// The links of halves by their judge and the honours of both.
struct HonourLinks {
    roles: Roles,
    all: Vec<Link>,
    /// `None` for honours that are impossible.
    known: FixedHashMap<u64, Option<u32>>,
}

impl HonourLinks {
    fn new(roles: Roles) -> Self {
        Self {
            roles,
            all: Vec::new(),
            known: FixedHashMap::default(),
        }
    }

    fn of(&mut self, judge: u32, one: Lengths, other: Lengths) -> Option<u32> {
        let honours = [0, 1, 2, 3].map(|role| one[role] + other[role]);
        let key = u64::from(judge) << 32 | u64::from(u32::from_le_bytes(honours));
        let (roles, all) = (&self.roles, &mut self.all);
        *self.known.entry(key).or_insert_with(|| {
            let ways = ways_of_spots(roles, &honours);
            (ways > 0).then(|| {
                all.push(Link {
                    judge,
                    honours,
                    ways,
                });
                all.len() as u32 - 1
            })
        })
    }
}

/// Pays for the memory of pairs of halves and of data derived from them.
fn reserve_pairs(budget: &Budget, pairs: usize) -> Result<(), CellsError> {
    budget.reserve(bytes_of_pairs(pairs))
}

fn bytes_of_pairs(pairs: usize) -> u64 {
    4 * size_of::<Pair>() as u64 * pairs as u64
}

const TOO_MANY_SHAPES: CellsError = CellsError::TooLarge("combined shapes of the hands");

/// Returns the number of spots that hands with patterns and predealt cards leave if the hands have
/// these honours; `None` if that is impossible.
pub(super) fn spots_left(roles: &Roles, honours: &Lengths) -> Option<usize> {
    let taken = (13 * roles.by_pattern).checked_sub(usize::from(honours[3]))?;
    let elsewhere = (roles.by_pattern..4).map(|role| roles.predealt_spots(role));
    36usize.checked_sub(taken + elsewhere.sum::<usize>())
}

/// Returns the number of ways to deal the spots of hands without patterns from the spots that hands
/// with patterns leave, if the hands have these honours.
fn ways_of_spots(roles: &Roles, honours: &Lengths) -> u128 {
    let Some(mut spots) = spots_left(roles, honours) else {
        return 0;
    };
    let mut ways = 1;
    let others = honours.iter().enumerate().take(roles.dealt);
    for (role, &honours) in others.skip(roles.by_pattern) {
        let held = usize::from(honours) + roles.predealt_spots(role);
        let taken = 13usize.checked_sub(held);
        let Some(taken) = taken.filter(|taken| *taken <= spots) else {
            return 0;
        };
        ways *= choose(spots, taken);
        spots -= taken;
    }
    ways
}

/// The enumeration of the patterns of all dealt hands.
struct Patterns<'t, 'c> {
    terms: &'t ConditionTerms<'c>,
    meter: Meter<'t>,
    /// Number of steps for the terms of several hands, by role.
    steps_of_joint: [u64; 4],
    /// The patterns that a role's own terms permit, by role; for the fourth role, a flag by pattern
    /// index.
    allowed: [Vec<PatternIndex>; 3],
    last: Vec<bool>,
    /// The terms that can be evaluated once a role's pattern is chosen, by role.
    joint: [Vec<usize>; 4],
    numbers: ShapeNumbers,
    judges: Judges,
    shapes: Shapes,
}

/// Number of pairs of patterns of the first two hands that are sampled for an estimate.
const SAMPLED_PAIRS: usize = 256;

/// Factor by which an estimate must exceed the budget to be refused, because estimates have errors.
const CERTAIN: f64 = 2.0;

/// Number of steps to try a pattern, to keep a shape, and to classify it later.
const STEPS_OF_TRYING: u64 = 4;
const STEPS_OF_KEEPING: u64 = 40;
const STEPS_OF_PAIR: u64 = 100;

/// Number of steps to keep the patterns of a new judge.
const STEPS_OF_JUDGE: u64 = 150;

impl<'t, 'c> Patterns<'t, 'c> {
    fn new(terms: &'t ConditionTerms<'c>, budget: &'t Budget) -> Result<Self, CellsError> {
        let roles = &terms.roles;
        let steps = |term: &&Term| 20 + 5 * term.expression().steps();
        let alone: u64 = terms.alone.iter().flatten().map(steps).sum();
        let seen = terms.seen.len() as u64;
        budget.spend(560 * (40 + alone + 20 * seen))?;
        let of_role = |role: usize| -> Vec<PatternIndex> {
            let is_allowed = |index: &PatternIndex| {
                let mut hands = [HandCase::default(); 4];
                hands[roles.seats[role].index()].pattern = Some(*index);
                roles.allows(role, index.pattern())
                    && terms.alone[role].iter().all(|term| term.holds(&hands))
            };
            PatternIndex::all().filter(is_allowed).collect()
        };
        let mut last = vec![false; Pattern::all().count()];
        for index in of_role(3) {
            last[index.get()] = true;
        }
        let mut joint: [Vec<usize>; 4] = Default::default();
        for (place, term) in terms.joint.iter().enumerate() {
            let of = |(seat, _): &(Seat, _)| roles.of(*seat);
            let latest = term.expression().mentioned().iter().map(of).max();
            joint[latest.unwrap_or(3)].push(place);
        }
        let of_place = |place: &usize| steps(&terms.joint[*place]);
        let steps_of_joint = joint
            .each_ref()
            .map(|places| places.iter().map(of_place).sum());
        Ok(Self {
            terms,
            meter: Meter::new(budget),
            steps_of_joint,
            allowed: [of_role(0), of_role(1), of_role(2)],
            last,
            joint,
            numbers: ShapeNumbers::new(roles),
            judges: Judges::new(terms),
            shapes: Shapes {
                halves: [Vec::new(), Vec::new()],
                links: Vec::new(),
                pairs: Vec::new(),
                judges: Vec::new(),
            },
        })
    }

    fn all(mut self) -> Result<Shapes, CellsError> {
        if self.terms.roles.by_pattern == 3 {
            self.refuse_too_many()?;
        }
        self.choose(0, [13; 4], [[0; 4]; 3], &mut [HandCase::default(); 4])?;
        self.meter.settle()?;
        reserve_pairs(self.meter.budget(), self.shapes.pairs.len())?;
        if self.shapes.pairs.is_empty() {
            return Err(CellsError::NoDeal);
        }
        Ok(self.shapes)
    }

    /// Refuses three hands if an estimate shows that the budget does not cover their shapes,
    /// instead of enumerating them until the budget is exhausted.
    fn refuse_too_many(&mut self) -> Result<(), CellsError> {
        let [first, second, _] = self.allowed.each_ref().map(Vec::len);
        let pairs = first * second;
        let sampled = pairs.min(SAMPLED_PAIRS);
        let seats = self.terms.roles.seats;
        let (mut tried, mut kept) = (0u64, 0u64);
        for place in (0..sampled).map(|place| place * pairs / sampled) {
            let chosen = [place / second, scattered(place) % second];
            let mut hands = [HandCase::default(); 4];
            let mut left = Some([13; 4]);
            for (role, place) in chosen.into_iter().enumerate() {
                let index = self.allowed[role][place];
                hands[seats[role].index()].pattern = Some(index);
                left = left.and_then(|left| without(left, index));
            }
            let Some(left) = left else { continue };
            self.meter
                .spend(self.steps_of_joint[0] + self.steps_of_joint[1])?;
            if !self.holds(0, &hands) || !self.holds(1, &hands) {
                continue;
            }
            let (tried_here, kept_here) = self.thirds(left, &mut hands)?;
            tried += tried_here;
            kept += kept_here;
        }
        let scale = pairs as f64 / sampled.max(1) as f64 / CERTAIN;
        let steps_of_shape = STEPS_OF_KEEPING + STEPS_OF_PAIR;
        let steps = tried * (STEPS_OF_TRYING + self.steps_of_joint[2]) + kept * steps_of_shape;
        let budget = self.meter.budget();
        budget.covers((steps as f64 * scale) as u64, 0)?;
        let pairs = (kept as f64 * scale) as usize;
        budget.covers(0, bytes_of_pairs(pairs))?;
        match pairs > MOST_SHAPES {
            true => Err(TOO_MANY_SHAPES),
            false => Ok(()),
        }
    }

    /// Returns how many patterns of the third hand the remaining cards permit, and how many of
    /// these the condition accepts.
    fn thirds(
        &mut self,
        left: [u8; 4],
        hands: &mut [HandCase; 4],
    ) -> Result<(u64, u64), CellsError> {
        let (mut tried, mut kept) = (0, 0);
        let seat = self.terms.roles.seats[2].index();
        self.meter
            .spend(STEPS_OF_TRYING * self.allowed[2].len() as u64)?;
        for place in 0..self.allowed[2].len() {
            let index = self.allowed[2][place];
            let Some(rest) = without(left, index) else {
                continue;
            };
            tried += 1;
            hands[seat].pattern = Some(index);
            self.meter
                .spend(self.steps_of_joint[2] + self.steps_of_joint[3])?;
            kept += u64::from(self.holds(2, hands) && self.wants_rest(rest, hands));
        }
        Ok((tried, kept))
    }

    /// Enumerates the patterns of this role and of later roles, from the remaining cards.
    fn choose(
        &mut self,
        role: usize,
        left: [u8; 4],
        mut chosen: [[u8; 4]; 3],
        hands: &mut [HandCase; 4],
    ) -> Result<(), CellsError> {
        let roles = self.terms.roles;
        if role == roles.by_pattern {
            return self.add(left, &chosen, hands);
        }
        let seat = roles.seats[role].index();
        self.meter
            .spend(STEPS_OF_TRYING * self.allowed[role].len() as u64)?;
        for place in 0..self.allowed[role].len() {
            let index = self.allowed[role][place];
            let Some(after) = without(left, index) else {
                continue;
            };
            hands[seat].pattern = Some(index);
            self.meter.spend(4 + self.steps_of_joint[role])?;
            if self.holds(role, hands) {
                chosen[role] = index.pattern().lengths();
                self.choose(role + 1, after, chosen, hands)?;
            }
        }
        hands[seat].pattern = None;
        Ok(())
    }

    fn holds(&self, role: usize, hands: &[HandCase; 4]) -> bool {
        let mut places = self.joint[role].iter();
        places.all(|&place| self.terms.joint[place].holds(hands))
    }

    /// Whether the condition accepts the fourth hand, which has the remaining cards.
    fn wants_rest(&self, left: [u8; 4], hands: &mut [HandCase; 4]) -> bool {
        let roles = &self.terms.roles;
        if !roles.all_four || roles.by_pattern < 3 {
            return true;
        }
        let rest = Pattern::new(left).map(Pattern::index);
        let Some(rest) = rest.filter(|rest| self.last[rest.get()]) else {
            return false;
        };
        hands[roles.seats[3].index()].pattern = Some(rest);
        self.holds(3, hands)
    }

    /// Adds a shape if the condition accepts the fourth hand too.
    fn add(
        &mut self,
        left: [u8; 4],
        chosen: &[[u8; 4]; 3],
        hands: &mut [HandCase; 4],
    ) -> Result<(), CellsError> {
        self.meter.spend(self.steps_of_joint[3])?;
        if !self.wants_rest(left, hands) {
            return Ok(());
        }
        self.meter.spend(STEPS_OF_KEEPING)?;
        if self.shapes.pairs.len() == MOST_SHAPES {
            return Err(TOO_MANY_SHAPES);
        }
        let of_suit = |suit: usize| {
            let [a, b, c] = chosen.map(|lengths| lengths[suit]);
            [a, b, c, 0]
        };
        let [a, b] = [0, 2].map(|suit| [of_suit(suit), of_suit(suit + 1)]);
        let halves = &mut self.shapes.halves;
        let left = self.numbers.number(0, a, &mut halves[0]);
        let right = self.numbers.number(1, b, &mut halves[1]);
        let judges = self.shapes.judges.len();
        let link = self.judges.of(hands, &mut self.shapes);
        let added = self.shapes.judges.len() - judges;
        self.meter.spend(STEPS_OF_JUDGE * added as u64)?;
        self.shapes.pairs.push(Pair { left, link, right });
        Ok(())
    }
}

/// Returns a pseudo-random number for an index.
fn scattered(place: usize) -> usize {
    ((place as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize
}

/// Returns the cards left of each suit after a hand of this pattern; `None` if there are too few.
#[inline]
fn without(left: [u8; 4], pattern: PatternIndex) -> Option<[u8; 4]> {
    let taken = pattern.pattern().lengths();
    let fits = left.iter().zip(taken).all(|(left, taken)| *left >= taken);
    fits.then(|| [0, 1, 2, 3].map(|suit| left[suit] - taken[suit]))
}

/// Numbers the shapes of halves in the order of their first occurrence.
struct ShapeNumbers {
    by_pattern: usize,
    /// Indexed by the lengths of a suit as digits to base 14: their index among the possible
    /// lengths.
    of_suit: Vec<u16>,
    suits: usize,
    /// By half, and by the indices of both suits: the shape's number plus one, or 0 if it is new.
    known: [Vec<u32>; 2],
}

impl ShapeNumbers {
    fn new(roles: &Roles) -> Self {
        let by_pattern = roles.by_pattern;
        let mut suits = 0;
        let place = |digits: usize| {
            let cards: usize = (0..by_pattern as u32)
                .map(|role| digits / 14usize.pow(role) % 14)
                .sum();
            let place = suits;
            suits += u16::from(cards <= 13);
            place
        };
        let of_suit: Vec<u16> = (0..14usize.pow(by_pattern as u32)).map(place).collect();
        let suits = usize::from(suits);
        Self {
            by_pattern,
            of_suit,
            suits,
            known: [vec![0; suits * suits], vec![0; suits * suits]],
        }
    }

    fn number(&mut self, half: usize, suits: [Lengths; 2], shapes: &mut Vec<HalfShape>) -> u32 {
        let [first, second] = suits.map(|lengths| {
            let digits = lengths.iter().take(self.by_pattern);
            let place = digits.fold(0, |place, &length| place * 14 + usize::from(length));
            usize::from(self.of_suit[place])
        });
        let known = &mut self.known[half][first * self.suits + second];
        if *known == 0 {
            shapes.push(HalfShape { suits: vec![suits] });
            *known = shapes.len() as u32;
        }
        *known - 1
    }
}

/// Numbers the judges of patterns in the order of their first occurrence. Patterns that the mixed
/// terms do not distinguish have the same judge.
struct Judges {
    /// The hands whose patterns mixed terms use, with a number for each pattern. Patterns with the
    /// same measures have the same number.
    seen: Vec<(usize, Vec<u16>)>,
    known: FixedHashMap<u64, u32>,
}

impl Judges {
    fn new(terms: &ConditionTerms<'_>) -> Self {
        let of_seat = |seat: Seat| {
            let of_seat = terms.seen.iter().filter(|(other, _)| *other == seat);
            let measures: Vec<&Measure> = of_seat.map(|(_, measure)| *measure).collect();
            (!measures.is_empty()).then(|| {
                let mut known: BTreeMap<Vec<i64>, u16> = BTreeMap::new();
                let number = |index: PatternIndex| {
                    let hand = HandCase {
                        pattern: Some(index),
                        honours: None,
                    };
                    let values = measures.iter().map(|measure| measure.of_case(hand));
                    let next = known.len() as u16;
                    *known.entry(values.collect()).or_insert(next)
                };
                (seat.index(), PatternIndex::all().map(number).collect())
            })
        };
        Self {
            seen: Seat::ALL.into_iter().filter_map(of_seat).collect(),
            known: FixedHashMap::default(),
        }
    }

    /// Returns the link of a shape; there is one link per judge.
    fn of(&mut self, hands: &[HandCase; 4], shapes: &mut Shapes) -> u32 {
        let number = |(seat, numbers): &(usize, Vec<u16>)| {
            let pattern = hands[*seat].pattern;
            let pattern = pattern.expect("a hand whose lengths are asked is dealt by pattern");
            u64::from(numbers[pattern.get()])
        };
        let seen = self.seen.iter().map(number);
        let key = seen.fold(0, |key, number| key << 16 | number);
        match self.known.entry(key) {
            Entry::Occupied(known) => *known.get(),
            // Millions of judges are new: their entries, far apart in memory, are not read again.
            Entry::Vacant(new) => {
                let judge = shapes.judges.len() as u32;
                new.insert(judge);
                shapes.judges.push(*hands);
                shapes.links.push(Link {
                    judge,
                    honours: [0; 4],
                    ways: 1,
                });
                judge
            }
        }
    }
}
