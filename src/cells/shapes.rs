//! Which shapes of all dealt hands a condition allows, as pairs of halves.
//!
//! A **half** is spades with hearts, or diamonds with clubs. What is fixed of the shape of
//! a half are the hands' lengths of both suits; or, where no pattern is fixed, how many
//! honours each has in both together. A **link** of two halves says how what is counted
//! of them is judged, and in how many ways the rest of the hands can be dealt.

use std::collections::BTreeMap;

use super::suit::{Lengths, honour_counts};
use super::terms::Terms;
use super::{MOST_SHAPES, Unfactored};
use crate::cards::{Pattern, PatternIndex, Seat};
use crate::combinatorics::choose;
use crate::condition::HandCase;

/// The shape of a half, by the lengths of its suits: those of one way, or, where no
/// pattern is fixed, of every way to have so many honours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HalfShape {
    pub(super) suits: Vec<[Lengths; 2]>,
}

impl HalfShape {
    /// The hands' lengths in both suits; where no pattern is fixed, how many honours they
    /// have in both together, twice.
    pub(super) fn lengths(&self) -> [Lengths; 2] {
        match self.suits[..] {
            [suits] => suits,
            _ => [self.honours(); 2],
        }
    }

    /// How many honours each hand has, where no pattern is fixed.
    pub(super) fn honours(&self) -> Lengths {
        let [first, second] = self.suits[0];
        [0, 1, 2].map(|role| first[role] + second[role])
    }
}

/// How two halves go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    /// Which of the judges says which vectors of counts are wanted.
    pub(super) judge: u32,
    /// In how many ways the dealt hands' spots can be dealt, if patterns are not fixed.
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
    pub(super) fn new(terms: &Terms<'_>) -> Result<Self, Unfactored> {
        if terms.roles.by_pattern {
            Patterns::new(terms)?.all()
        } else {
            Ok(of_honours(terms))
        }
    }
}

/// Pairs by how many honours each hand has.
fn of_honours(terms: &Terms<'_>) -> Shapes {
    let dealt = terms.roles.dealt;
    let of_suit = honour_counts(dealt, 4);
    let halves: Vec<HalfShape> = honour_counts(dealt, 8)
        .into_iter()
        .map(|honours| {
            let pair = |&first: &Lengths| {
                let mut second = [0; 3];
                for role in 0..3 {
                    second[role] = honours[role].checked_sub(first[role])?;
                }
                of_suit.contains(&second).then_some([first, second])
            };
            let suits = of_suit.iter().filter_map(pair).collect();
            HalfShape { suits }
        })
        .filter(|half: &HalfShape| !half.suits.is_empty())
        .collect();
    let (mut links, mut pairs) = (Vec::new(), Vec::new());
    let mut known = BTreeMap::new();
    for (left, one) in (0..).zip(&halves) {
        for (right, other) in (0..).zip(&halves) {
            let (one, other) = (one.honours(), other.honours());
            let (mut spots, mut ways) = (36usize, 1);
            for role in 0..dealt {
                let taken = 13usize.checked_sub(usize::from(one[role] + other[role]));
                let taken = taken.filter(|taken| *taken <= spots);
                ways *= taken.map_or(0, |taken| choose(spots, taken));
                spots -= taken.unwrap_or(0);
            }
            if ways > 0 {
                let link = *known.entry(ways).or_insert_with(|| {
                    links.push(Link { judge: 0, ways });
                    links.len() as u32 - 1
                });
                pairs.push(Pair { left, link, right });
            }
        }
    }
    Shapes {
        halves: [halves.clone(), halves],
        links,
        pairs,
        judges: vec![[HandCase::default(); 4]],
    }
}

/// Going through the patterns of all dealt hands.
struct Patterns<'t, 'c> {
    terms: &'t Terms<'c>,
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
    fn new(terms: &'t Terms<'c>) -> Result<Self, Unfactored> {
        let roles = &terms.roles;
        let of_role = |role: usize| -> Result<Vec<PatternIndex>, Unfactored> {
            let mut allowed = Vec::new();
            for index in PatternIndex::all() {
                let mut hands = [HandCase::default(); 4];
                hands[roles.seats[role].index()].pattern = Some(index);
                let mut holds = true;
                for term in &terms.alone[role] {
                    holds = holds && term.holds(&hands)?;
                }
                if holds {
                    allowed.push(index);
                }
            }
            Ok(allowed)
        };
        let mut last = vec![false; Pattern::all().count()];
        for index in of_role(3)? {
            last[index.get()] = true;
        }
        let mut joint: [Vec<usize>; 4] = Default::default();
        for (place, term) in terms.joint.iter().enumerate() {
            let of = |(seat, _): &(Seat, _)| roles.of(*seat);
            let latest = term.mentioned().iter().map(of).max();
            joint[latest.unwrap_or(3)].push(place);
        }
        let size = 196usize.pow(roles.dealt as u32);
        Ok(Self {
            terms,
            allowed: [of_role(0)?, of_role(1)?, of_role(2)?],
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
        if role == roles.dealt {
            return self.add(left, &chosen, hands);
        }
        let seat = roles.seats[role].index();
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
            if self.holds(role, hands)? {
                chosen[role] = lengths;
                self.choose(role + 1, after, chosen, hands)?;
            }
        }
        hands[seat].pattern = None;
        Ok(())
    }

    fn holds(&self, role: usize, hands: &[HandCase; 4]) -> Result<bool, Unfactored> {
        for &place in &self.joint[role] {
            if !self.terms.joint[place].holds(hands)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds a shape, if the fourth hand is wanted too.
    fn add(
        &mut self,
        left: [u8; 4],
        chosen: &[[u8; 4]; 3],
        hands: &mut [HandCase; 4],
    ) -> Result<(), Unfactored> {
        let roles = self.terms.roles;
        if roles.all_four {
            let rest = Pattern::new(left).map(Pattern::index);
            let Some(rest) = rest.filter(|rest| self.last[rest.get()]) else {
                return Ok(());
            };
            hands[roles.seats[3].index()].pattern = Some(rest);
            if !self.holds(3, hands)? {
                return Ok(());
            }
        }
        if self.shapes.pairs.len() == MOST_SHAPES {
            return Err(Unfactored::TooLarge("shapes of the hands together"));
        }
        let [a, b] = [0, 2]
            .map(|suit| [suit, suit + 1].map(|suit| [0, 1, 2].map(|role| chosen[role][suit])));
        let (left, right) = (self.number(0, a), self.number(1, b));
        let link = self.judge(hands);
        self.shapes.pairs.push(Pair { left, link, right });
        Ok(())
    }

    fn number(&mut self, half: usize, suits: [Lengths; 2]) -> u32 {
        let digits = suits
            .iter()
            .flat_map(|lengths| lengths.iter().take(self.terms.roles.dealt));
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
            shapes.links.push(Link { judge, ways: 1 });
            judge
        })
    }
}
