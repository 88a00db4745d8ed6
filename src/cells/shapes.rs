//! Which shapes of all dealt hands a condition allows, as pairs of halves.
//!
//! A **half** is spades with hearts, or diamonds with clubs. What is fixed of the shape of
//! a half are the hands' lengths of both suits, and for hands whose pattern is not, how many
//! honours each has in both together. A **link** of two halves says how what is counted
//! of them is judged, and in how many ways the rest of the hands can be dealt.

use std::collections::BTreeMap;

use super::budget::{Budget, Meter};
use super::suit::{Lengths, with_honours};
use super::terms::{Roles, Terms};
use super::{MOST_SHAPES, Unfactored};
use crate::cards::{Pattern, PatternIndex, Seat};
use crate::combinatorics::choose;
use crate::condition::{Expression, HandCase, Term};

/// The shape of a half, by the lengths of its suits: those of one way, or, where no
/// pattern is fixed, of every way to have so many honours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HalfShape {
    pub(super) suits: Vec<[Lengths; 2]>,
}

impl HalfShape {
    /// How many honours each hand without pattern has, and those with patterns together.
    pub(super) fn honours(&self, roles: &Roles) -> Lengths {
        let [first, second] = self.suits[0];
        let of = |role| match role < roles.by_pattern {
            true => 0,
            false => first[role] + second[role],
        };
        [0, 1, 2, 3].map(of)
    }
}

/// How two halves go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    /// Which of the judges says which vectors of counts are wanted.
    pub(super) judge: u32,
    /// How many honours the dealt hands without patterns have, by role; last, those with.
    pub(super) honours: Lengths,
    /// In how many ways the spots of dealt hands without patterns can be dealt.
    pub(super) ways: u128,
}

/// Halves that go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) left: u32,
    pub(super) link: u32,
    pub(super) right: u32,
}

/// Every shape that is allowed.
#[derive(Debug)]
pub(super) struct Shapes {
    pub(super) halves: [Vec<HalfShape>; 2],
    pub(super) links: Vec<Link>,
    pub(super) pairs: Vec<Pair>,
    /// For each judge, patterns that stand for all that it sees.
    pub(super) judges: Vec<[HandCase; 4]>,
}

impl Shapes {
    pub(super) fn new(terms: &Terms<'_>, budget: &Budget) -> Result<Self, Unfactored> {
        let shapes = Patterns::new(terms, budget)?.all()?;
        match terms.roles.by_pattern < terms.roles.dealt {
            true => shapes.with_honours(&terms.roles, budget),
            false => Ok(shapes),
        }
    }

    /// The same shapes by how many honours the hands without patterns have.
    fn with_honours(self, roles: &Roles, budget: &Budget) -> Result<Self, Unfactored> {
        // Each of five numbers of honours for each hand without pattern, and for the others.
        let ways = 5u64.pow((roles.dealt - roles.by_pattern) as u32 + 1).pow(2);
        let shapes = self.halves[0].len() + self.halves[1].len();
        budget.spend(40 * ways * shapes as u64)?;
        budget.reserve(16 * ways * shapes as u64)?;
        let mut meter = Meter::new(budget);
        let mut halves = [Vec::new(), Vec::new()];
        // By half and shape without honours, those with.
        let numbers = [0, 1].map(|half| {
            let all = &mut halves[half];
            let of_shape = |shape: &HalfShape| {
                let mut by_honours: BTreeMap<Lengths, HalfShape> = BTreeMap::new();
                let [first, second] = shape.suits[0];
                for one in with_honours(roles, &first) {
                    for other in with_honours(roles, &second) {
                        let shape = HalfShape {
                            suits: vec![[one, other]],
                        };
                        let known = by_honours.entry(shape.honours(roles));
                        known
                            .and_modify(|known| known.suits.push([one, other]))
                            .or_insert(shape);
                    }
                }
                let start = all.len() as u32;
                all.extend(by_honours.into_values());
                start..all.len() as u32
            };
            self.halves[half].iter().map(of_shape).collect::<Vec<_>>()
        });
        let honours = halves.each_ref().map(|halves: &Vec<HalfShape>| {
            let honours = |shape: &HalfShape| shape.honours(roles);
            halves.iter().map(honours).collect::<Vec<_>>()
        });
        let (mut links, mut pairs) = (Vec::new(), Vec::new());
        let mut known = BTreeMap::new();
        for pair in &self.pairs {
            let [lefts, rights] = [
                &numbers[0][pair.left as usize],
                &numbers[1][pair.right as usize],
            ];
            meter.spend(60 * lefts.len() as u64 * rights.len() as u64)?;
            let judge = self.links[pair.link as usize].judge;
            for left in lefts.clone() {
                for right in rights.clone() {
                    let one = &honours[0][left as usize];
                    let other = &honours[1][right as usize];
                    let together = [0, 1, 2, 3].map(|role| one[role] + other[role]);
                    let ways = ways_of_spots(roles, &together);
                    if ways > 0 {
                        let link = *known.entry((judge, together)).or_insert_with(|| {
                            links.push(Link {
                                judge,
                                honours: together,
                                ways,
                            });
                            links.len() as u32 - 1
                        });
                        pairs.push(Pair { left, link, right });
                    }
                }
            }
            if pairs.len() > MOST_SHAPES {
                return Err(Unfactored::TooLarge("shapes of the hands together"));
            }
        }
        meter.settle()?;
        reserve_pairs(budget, pairs.len())?;
        Ok(Self {
            halves,
            links,
            pairs,
            judges: self.judges,
        })
    }
}

/// Pays for pairs of halves and what is made of them.
fn reserve_pairs(budget: &Budget, pairs: usize) -> Result<(), Unfactored> {
    budget.reserve(4 * size_of::<Pair>() as u64 * pairs as u64)
}

/// Spots that hands with patterns leave, if they have so many honours.
pub(super) fn spots_left(roles: &Roles, honours: &Lengths) -> Option<usize> {
    let taken = (13 * roles.by_pattern).checked_sub(usize::from(honours[3]))?;
    36usize.checked_sub(taken)
}

/// In how many ways the spots of hands without patterns can be dealt, after each other, from
/// those that hands with patterns leave; by their honours.
fn ways_of_spots(roles: &Roles, honours: &Lengths) -> u128 {
    let Some(mut spots) = spots_left(roles, honours) else {
        return 0;
    };
    let mut ways = 1;
    for &honours in &honours[roles.by_pattern..roles.dealt] {
        let taken = 13usize.checked_sub(usize::from(honours));
        let Some(taken) = taken.filter(|taken| *taken <= spots) else {
            return 0;
        };
        ways *= choose(spots, taken);
        spots -= taken;
    }
    ways
}

/// Going through the patterns of all dealt hands.
struct Patterns<'t, 'c> {
    terms: &'t Terms<'c>,
    meter: Meter<'t>,
    /// By role, steps of its terms of several hands.
    steps_of_joint: [u64; 4],
    /// By role, what its own terms allow; of the fourth, whether they do, by index.
    allowed: [Vec<PatternIndex>; 3],
    last: Vec<bool>,
    /// By role, the terms that can be asked when its pattern is chosen.
    joint: [Vec<usize>; 4],
    /// The number of each half's shape, by its lengths as digits to base 14.
    numbers: [Vec<u32>; 2],
    judges: BTreeMap<Vec<i64>, u32>,
    shapes: Shapes,
}

const UNKNOWN: u32 = u32::MAX;

impl<'t, 'c> Patterns<'t, 'c> {
    fn new(terms: &'t Terms<'c>, budget: &'t Budget) -> Result<Self, Unfactored> {
        let roles = &terms.roles;
        let steps = |term: &Term<&Expression>| 20 + 5 * term.expression().steps();
        let alone: u64 = terms.alone.iter().flatten().map(steps).sum();
        budget.spend(560 * (40 + alone))?;
        let of_role = |role: usize| -> Vec<PatternIndex> {
            let is_allowed = |index: &PatternIndex| {
                let mut hands = [HandCase::default(); 4];
                hands[roles.seats[role].index()].pattern = Some(*index);
                terms.alone[role].iter().all(|term| term.holds(&hands))
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
        let size = 196usize.pow(roles.by_pattern as u32);
        Ok(Self {
            terms,
            meter: Meter::new(budget),
            steps_of_joint,
            allowed: [of_role(0), of_role(1), of_role(2)],
            last,
            joint,
            numbers: [vec![UNKNOWN; size], vec![UNKNOWN; size]],
            judges: BTreeMap::new(),
            shapes: Shapes {
                halves: [Vec::new(), Vec::new()],
                links: Vec::new(),
                pairs: Vec::new(),
                judges: Vec::new(),
            },
        })
    }

    fn all(mut self) -> Result<Shapes, Unfactored> {
        self.choose(0, [13; 4], [[0; 4]; 3], &mut [HandCase::default(); 4])?;
        self.meter.settle()?;
        reserve_pairs(self.meter.budget(), self.shapes.pairs.len())?;
        if self.shapes.pairs.is_empty() {
            return Err(Unfactored::NoDeal);
        }
        Ok(self.shapes)
    }

    /// Chooses the pattern of this role and those after it, from what is left of the suits.
    fn choose(
        &mut self,
        role: usize,
        left: [u8; 4],
        mut chosen: [[u8; 4]; 3],
        hands: &mut [HandCase; 4],
    ) -> Result<(), Unfactored> {
        let roles = self.terms.roles;
        if role == roles.by_pattern {
            return self.add(left, &chosen, hands);
        }
        let seat = roles.seats[role].index();
        self.meter.spend(4 * self.allowed[role].len() as u64)?;
        for place in 0..self.allowed[role].len() {
            let index = self.allowed[role][place];
            let lengths = index.pattern().lengths();
            let mut after = left;
            let fits = after.iter_mut().zip(lengths).all(|(left, length)| {
                let fits = *left >= length;
                *left = left.saturating_sub(length);
                fits
            });
            if !fits {
                continue;
            }
            hands[seat].pattern = Some(index);
            self.meter.spend(4 + self.steps_of_joint[role])?;
            if self.holds(role, hands) {
                chosen[role] = lengths;
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

    /// Adds a shape, if the fourth hand is wanted too.
    fn add(
        &mut self,
        left: [u8; 4],
        chosen: &[[u8; 4]; 3],
        hands: &mut [HandCase; 4],
    ) -> Result<(), Unfactored> {
        let roles = self.terms.roles;
        self.meter
            .spend(80 + self.steps_of_joint[3] + 20 * self.terms.seen.len() as u64)?;
        if roles.all_four && roles.by_pattern == 3 {
            let rest = Pattern::new(left).map(Pattern::index);
            let Some(rest) = rest.filter(|rest| self.last[rest.get()]) else {
                return Ok(());
            };
            hands[roles.seats[3].index()].pattern = Some(rest);
            if !self.holds(3, hands) {
                return Ok(());
            }
        }
        if self.shapes.pairs.len() == MOST_SHAPES {
            return Err(Unfactored::TooLarge("shapes of the hands together"));
        }
        let of_suit = |suit: usize| {
            let [a, b, c] = chosen.map(|lengths| lengths[suit]);
            [a, b, c, 0]
        };
        let [a, b] = [0, 2].map(|suit| [of_suit(suit), of_suit(suit + 1)]);
        let (left, right) = (self.number(0, a), self.number(1, b));
        let link = self.judge(hands);
        self.shapes.pairs.push(Pair { left, link, right });
        Ok(())
    }

    fn number(&mut self, half: usize, suits: [Lengths; 2]) -> u32 {
        let digits = suits
            .iter()
            .flat_map(|lengths| lengths.iter().take(self.terms.roles.by_pattern));
        let place = digits.fold(0, |place, &length| place * 14 + usize::from(length));
        let (number, halves) = (
            &mut self.numbers[half][place],
            &mut self.shapes.halves[half],
        );
        if *number == UNKNOWN {
            *number = halves.len() as u32;
            halves.push(HalfShape { suits: vec![suits] });
        }
        *number
    }

    /// The link of a shape: each judge has its own.
    fn judge(&mut self, hands: &[HandCase; 4]) -> u32 {
        let seen = self.terms.seen.iter();
        let seen: Vec<i64> = seen
            .map(|(seat, measure)| measure.of_case(hands[seat.index()]))
            .collect();
        let shapes = &mut self.shapes;
        *self.judges.entry(seen).or_insert_with(|| {
            shapes.judges.push(*hands);
            let judge = shapes.judges.len() as u32 - 1;
            shapes.links.push(Link {
                judge,
                honours: [0; 4],
                ways: 1,
            });
            judge
        })
    }
}
