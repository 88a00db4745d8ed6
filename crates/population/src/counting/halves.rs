//! Halves of deals, spades with hearts and diamonds with clubs, by lengths and sums.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::formula::ShapeSets;
use super::passes::{PassedSuit, merged};
use super::seating::{HAND, SeatLengths};
use crate::bridge::Pattern;
use crate::cells::Budget;
use crate::fixed_hash::FixedHashMap;

/// Number of lengths of a hand in one suit.
const LENGTHS: usize = 14;

/// Number of steps to multiply two suits' states, and to combine their lengths.
const STEPS_OF_PRODUCT: u64 = 2;
const STEPS_OF_LENGTHS: u64 = 40;

/// Size of a state of a half.
const BYTES_OF_STATE: u64 = 16;

/// Vectors below this bound are summed in an array.
const DENSE: u64 = 1 << 22;

/// Maximum number of products that are sorted.
const MOST_SORTED: u64 = 1 << 22;

/// The lengths of a half in every hand, and the classes of its shapes.
pub(super) type HalfKey = (SeatLengths, u32);

/// Sums as one number: its digits are the sums, and sums of suits are sums of numbers.
#[derive(Debug)]
pub(super) struct Digits {
    /// By sum: its least value in a deal, its unit, its weight and its base.
    digits: Vec<Digit>,
}

#[derive(Clone, Copy, Debug)]
struct Digit {
    /// The least value of each suit.
    least: [i64; 4],
    unit: i64,
    weight: u64,
    base: u64,
}

impl Digits {
    /// Makes the digits of these sums; `None` if they do not fit in 62 bits.
    pub(super) fn new(tables: &[PassedSuit; 4], sums: usize) -> Option<Self> {
        let (mut digits, mut weight) = (Vec::new(), 1u64);
        for sum in 0..sums {
            let of_suit = |table: &PassedSuit| {
                let values = table.added.iter().map(|added| added[sum]);
                let least = values.clone().min().unwrap_or(0);
                let most = values.clone().max().unwrap_or(0);
                let unit = values.fold(0, |unit, value| gcd(unit, value - least));
                (least, most - least, unit)
            };
            let [a, b, c, d] = tables.each_ref().map(of_suit);
            let unit = [a, b, c, d]
                .into_iter()
                .fold(0, |unit, of| gcd(unit, of.2))
                .max(1);
            let base = 1 + ((a.1 + b.1 + c.1 + d.1) / unit).cast_unsigned();
            digits.push(Digit {
                least: [a.0, b.0, c.0, d.0],
                unit,
                weight,
                base,
            });
            weight = weight
                .checked_mul(base)
                .filter(|weight| *weight < 1 << 62)?;
        }
        Some(Self { digits })
    }

    /// The number of different numbers.
    pub(super) fn len(&self) -> u64 {
        self.digits
            .last()
            .map_or(1, |digit| digit.weight * digit.base)
    }

    /// The number of these first sums alone, given the number of all of them.
    pub(super) fn first(&self, sums: usize) -> u64 {
        self.digits
            .get(sums)
            .map_or(self.len(), |digit| digit.weight)
    }

    /// The least value of a sum, and its unit.
    pub(super) fn outcomes(&self, sum: usize) -> (i64, i64) {
        let digit = self.digits.get(sum);
        digit.map_or((0, 1), |digit| (digit.least.iter().sum(), digit.unit))
    }

    fn of_suit(&self, suit: usize, added: &[i64]) -> u64 {
        let digits = self.digits.iter().zip(added);
        let value = digits.map(|(digit, added)| {
            ((added - digit.least[suit]) / digit.unit).cast_unsigned() * digit.weight
        });
        value.sum()
    }

    /// The sums of a deal.
    pub(super) fn sums(&self, number: u64) -> Vec<i64> {
        let value = |digit: &Digit| {
            let steps = number / digit.weight % digit.base;
            digit.least.iter().sum::<i64>() + digit.unit * steps.cast_signed()
        };
        self.digits.iter().map(value).collect()
    }
}

fn gcd(one: i64, other: i64) -> i64 {
    match other {
        0 => one,
        _ => gcd(other, one % other),
    }
}

/// The sets that a shape belongs to and its pattern; `None` if it is not permitted.
type ShapeVerdict = Option<(u32, usize)>;

/// The shapes of one hand, as pairs of the classes of its lengths in both halves.
#[derive(Debug)]
pub(super) struct ShapeClasses {
    /// By half and by the lengths of its suits, the class; `None` if no shape is permitted.
    of_half: [Vec<Option<u8>>; 2],
    /// By the classes of both halves: the sets that the shape belongs to, and the pattern if every
    /// pattern has classes of its own. `None` if the shape is not permitted.
    pairs: Vec<Vec<ShapeVerdict>>,
}

impl ShapeClasses {
    /// Classifies the lengths of a hand by these sets, or by every pattern.
    pub(super) fn new(sets: &ShapeSets, by_pattern: bool) -> Self {
        let lengths = || (0..LENGTHS).flat_map(|a| (0..LENGTHS).map(move |b| (a, b)));
        let verdict = |(a, b): (usize, usize), (c, d): (usize, usize)| -> ShapeVerdict {
            let pattern = Pattern::new([a, b, c, d].map(|length| length as u8))?;
            let index = pattern.index().get();
            if sets
                .required
                .as_ref()
                .is_some_and(|required| !required[index])
            {
                return None;
            }
            let belongs = sets.sets.iter().enumerate();
            let belongs = belongs.map(|(place, set)| u32::from(set[index]) << place);
            Some((belongs.sum(), if by_pattern { index } else { 0 }))
        };
        let classes = |is_left: bool| -> Vec<Option<u8>> {
            let mut known: BTreeMap<(usize, Vec<ShapeVerdict>), u8> = BTreeMap::new();
            let class = |own: (usize, usize)| {
                let cards = own.0 + own.1;
                let row = lengths()
                    .filter(|(one, other)| cards + one + other == HAND as usize)
                    .map(|other| match is_left {
                        true => verdict(own, other),
                        false => verdict(other, own),
                    });
                let row: Vec<ShapeVerdict> = row.collect();
                if row.iter().all(Option::is_none) {
                    return None;
                }
                let next = known.len() as u8;
                Some(*known.entry((cards, row)).or_insert(next))
            };
            lengths().map(class).collect()
        };
        let of_half = [classes(true), classes(false)];
        let classes = of_half.each_ref().map(|classes| {
            let most = classes.iter().flatten().max();
            most.map_or(0, |most| 1 + usize::from(*most))
        });
        let mut pairs = vec![vec![None; classes[1]]; classes[0]];
        for (left, own) in lengths().zip(&of_half[0]) {
            for (right, other) in lengths().zip(&of_half[1]) {
                if let (Some(own), Some(other), Some(verdict)) = (own, other, verdict(left, right))
                {
                    pairs[usize::from(*own)][usize::from(*other)] = Some(verdict);
                }
            }
        }
        Self { of_half, pairs }
    }

    fn of(&self, half: usize, lengths: [u32; 2]) -> Option<u8> {
        let [first, second] = lengths.map(|length| length as usize);
        self.of_half[half][first * LENGTHS + second]
    }

    /// The sets that a shape of these classes belongs to, and its pattern.
    pub(super) fn pair(&self, left: u8, right: u8) -> Option<(u32, usize)> {
        self.pairs[usize::from(left)][usize::from(right)]
    }
}

/// The numbers of a half with the same lengths and classes of shapes, with their ways.
pub(super) type HalfStates = Vec<(u64, u64)>;

/// The states of a half by key.
pub(super) type HalfTable = Vec<(HalfKey, HalfStates)>;

/// The states of two suits by lengths, and which of them are joined.
pub(super) struct SuitPairs {
    pub(super) suits: [Vec<(SeatLengths, HalfStates)>; 2],
    /// By key of the half, the places of lengths.
    pub(super) pairs: Vec<(HalfKey, Vec<[usize; 2]>)>,
    /// The number of pairs of states.
    pub(super) products: u64,
}

/// Finds the lengths of two suits that are joined.
pub(super) fn suit_pairs(
    half: usize,
    tables: &[PassedSuit; 4],
    digits: &Digits,
    shapes: &[Option<ShapeClasses>],
) -> SuitPairs {
    let suits = [2 * half, 2 * half + 1].map(|suit| by_lengths(suit, &tables[suit], digits));
    let [first, second] = &suits;
    let mut targets: BTreeMap<HalfKey, Vec<[usize; 2]>> = BTreeMap::new();
    let mut products = 0u64;
    for (one, (lengths, states)) in first.iter().enumerate() {
        for (other, (more, others)) in second.iter().enumerate() {
            let Some(sum) = lengths.plus(*more) else {
                continue;
            };
            let class = |(place, shapes): (usize, &Option<ShapeClasses>)| match shapes {
                Some(shapes) => {
                    let class = shapes.of(half, [lengths.get(place), more.get(place)])?;
                    Some(u32::from(class) << (8 * place))
                }
                None => Some(0),
            };
            let classes = shapes.iter().enumerate().map(class).sum::<Option<u32>>();
            if let Some(classes) = classes {
                targets
                    .entry((sum, classes))
                    .or_default()
                    .push([one, other]);
                products += states.len() as u64 * others.len() as u64;
            }
        }
    }
    let pairs = targets.into_iter().collect();
    SuitPairs {
        suits,
        pairs,
        products,
    }
}

/// Joins two suits.
pub(super) fn half(joined: &SuitPairs, digits: &Digits, budget: &Budget) -> Option<HalfTable> {
    let SuitPairs {
        suits: [first, second],
        pairs,
        products,
    } = joined;
    let steps =
        STEPS_OF_PRODUCT * products + STEPS_OF_LENGTHS * (first.len() * second.len()) as u64;
    budget.spend(steps).ok()?;
    budget
        .covers(
            0,
            BYTES_OF_STATE * (*products).min(digits.len().saturating_mul(pairs.len() as u64)),
        )
        .ok()?;
    let joined = pairs.par_iter().map(|(key, pairs)| {
        let pairs = pairs.iter();
        let pairs = pairs.map(|[one, other]| [&first[*one].1, &second[*other].1]);
        (*key, products_of(&pairs.collect::<Vec<_>>(), digits.len()))
    });
    Some(joined.collect())
}

/// The states of a suit as numbers, by lengths.
fn by_lengths(suit: usize, table: &PassedSuit, digits: &Digits) -> Vec<(SeatLengths, HalfStates)> {
    let numbers = table.added.iter().map(|added| digits.of_suit(suit, added));
    let numbers: Vec<u64> = numbers.collect();
    let of_lengths = table
        .states
        .chunk_by(|one, other| one.lengths == other.lengths);
    let states = of_lengths.map(|states| {
        let own = states
            .iter()
            .map(|state| (numbers[state.added as usize], state.ways));
        (states[0].lengths, own.collect())
    });
    states.collect()
}

/// Adds up the products of pairs of states by the sum of their numbers, in ascending order.
fn products_of(pairs: &[[&HalfStates; 2]], numbers: u64) -> HalfStates {
    let products: u64 = pairs
        .iter()
        .map(|[one, other]| one.len() as u64 * other.len() as u64)
        .sum();
    let each = |add: &mut dyn FnMut(u64, u64)| {
        for [one, other] in pairs {
            for (number, ways) in *one {
                for (more, times) in *other {
                    add(number + more, ways * times);
                }
            }
        }
    };
    if numbers <= DENSE && numbers <= 4 * products {
        let mut sums = vec![0u64; numbers as usize];
        for [one, other] in pairs {
            for (number, ways) in *one {
                let sums = &mut sums[*number as usize..];
                for (more, times) in *other {
                    sums[*more as usize] += ways * times;
                }
            }
        }
        let all = (0..).zip(sums);
        return all.filter(|(_, ways)| *ways > 0).collect();
    }
    let mut sums: HalfStates = Vec::new();
    if products <= MOST_SORTED {
        each(&mut |number, ways| sums.push((number, ways)));
    } else {
        let mut known: FixedHashMap<u64, u64> = FixedHashMap::default();
        each(&mut |number, ways| *known.entry(number).or_default() += ways);
        sums.extend(known);
    }
    merged(sums)
}
