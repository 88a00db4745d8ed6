//! The random order of deals of several types.

use super::bounded::below;
use super::{Generator, RandomStream, StreamId, StreamPurpose, WordsError};
use crate::language::{Mix, RoundedShares};

/// How the numbers of deals of the types of a mix are decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shares {
    /// The shares of the mix, to the nearest deal, in random order. Types with equal fractions have
    /// the same probability of one deal more.
    #[default]
    Exact,
    /// As [`Shares::Exact`], in an order that brings each type before any type again, and spreads
    /// rare types over the set; random within these rounds.
    Interleaved,
    /// By chance: each deal has a type with the probability of its share.
    Random,
}

/// Numbers of deals of the types of a mix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeNumbers {
    /// The maximum number of each type.
    most: Vec<u64>,
    /// The parts of each type, if types are independent.
    parts: Option<Vec<u64>>,
    /// Whether the order goes in rounds.
    is_interleaved: bool,
}

impl TypeNumbers {
    /// Decides the numbers of each type among `deals`.
    ///
    /// # Errors
    ///
    /// [`WordsError`] if the random words end.
    pub fn new(
        mix: &Mix,
        deals: u64,
        shares: Shares,
        generator: &dyn Generator,
    ) -> Result<Self, WordsError> {
        let types = mix.types();
        Ok(match shares {
            Shares::Exact | Shares::Interleaved => {
                let id = StreamId::new(0, StreamPurpose::Types, 1);
                let mut stream = None;
                let below = |bound: u64| {
                    let stream = stream.get_or_insert_with(|| RandomStream::new(generator, id));
                    below(stream, bound.into())
                };
                Self {
                    most: with_ties_broken(mix.rounded(deals), below)?,
                    parts: None,
                    is_interleaved: shares == Shares::Interleaved,
                }
            }
            Shares::Random => Self {
                most: vec![deals; types.len()],
                parts: Some(types.iter().map(|of| of.parts).collect()),
                is_interleaved: false,
            },
        })
    }

    /// Maximum number of deals of each type; with [`Shares::Exact`], the number.
    pub fn most(&self) -> &[u64] {
        &self.most
    }

    /// Returns a random order of the types. Its words are not those of any deal of the generator.
    pub fn order<'g>(&self, generator: &'g dyn Generator) -> TypeOrder<'g> {
        let id = StreamId::new(0, StreamPurpose::Types, 0);
        let weights = self.parts.as_ref().unwrap_or(&self.most).clone();
        let rounds = self.is_interleaved.then(|| Rounds::new(&self.most));
        TypeOrder {
            stream: RandomStream::new(generator, id),
            weights: TypeWeights {
                weights: match &rounds {
                    Some(_) => vec![0; weights.len()],
                    None => weights,
                },
                are_used_up: self.parts.is_none(),
            },
            rounds,
        }
    }
}

/// Gives the remaining deals to types chosen among those that tie for them, each choice with the
/// same probability. `below` returns a uniform integer below its argument.
fn with_ties_broken<E>(
    shares: RoundedShares,
    mut below: impl FnMut(u64) -> Result<u128, E>,
) -> Result<Vec<u64>, E> {
    let RoundedShares {
        mut numbers,
        mut tied,
        rest,
    } = shares;
    for _ in 0..rest {
        let chosen = below(tied.len() as u64)? as usize;
        numbers[tied.swap_remove(chosen)] += 1;
    }
    Ok(numbers)
}

/// Draws the type of one deal after the other.
///
/// With fixed numbers, every order of the types has the same probability: the next deal has a type
/// with the probability of its share of the remaining deals. Otherwise the types are independent.
#[derive(Debug)]
pub struct TypeOrder<'g> {
    stream: RandomStream<'g>,
    /// Weights of the types of the next deal, or of the rest of a round.
    weights: TypeWeights,
    rounds: Option<Rounds>,
}

/// The rounds of an interleaved order: as many as the most frequent type has deals. A type with fewer
/// deals is in the first round, and in others at equal distances.
#[derive(Clone, Debug)]
struct Rounds {
    numbers: Vec<u64>,
    done: u64,
}

impl Rounds {
    fn new(numbers: &[u64]) -> Self {
        Self {
            numbers: numbers.to_vec(),
            done: 0,
        }
    }

    /// The numbers of deals of the next round, each 0 or 1; `None` after the last.
    fn next(&mut self) -> Option<Vec<u64>> {
        let rounds = self.numbers.iter().copied().max().unwrap_or(0);
        if self.done == rounds {
            return None;
        }
        let until = |number: u64, round: u64| {
            let all = u128::from(number) * u128::from(round);
            all.div_ceil(rounds.into()) as u64
        };
        let round = self.done;
        self.done += 1;
        let numbers = self.numbers.iter();
        let of_round = numbers.map(|&number| until(number, round + 1) - until(number, round));
        Some(of_round.collect())
    }
}

/// Weights of the types of the next deal.
#[derive(Clone, Debug)]
struct TypeWeights {
    weights: Vec<u64>,
    /// Whether each deal takes one from the weight of its type.
    are_used_up: bool,
}

impl TypeOrder<'_> {
    /// Returns the type of the next deal; `None` if no deals remain.
    ///
    /// # Errors
    ///
    /// [`WordsError`] if the random words end.
    pub fn next_type(&mut self) -> Result<Option<usize>, WordsError> {
        if self.weights.total() == 0
            && let Some(round) = self.rounds.as_mut().and_then(Rounds::next)
        {
            self.weights.weights = round;
        }
        let total = self.weights.total();
        if total == 0 {
            return Ok(None);
        }
        let number = below(&mut self.stream, total)?;
        Ok(Some(self.weights.take(number)))
    }
}

impl TypeWeights {
    fn total(&self) -> u128 {
        self.weights.iter().map(|weight| u128::from(*weight)).sum()
    }

    /// Returns the type of this number, which is below the total.
    fn take(&mut self, mut number: u128) -> usize {
        let mut place = 0;
        while number >= u128::from(self.weights[place]) {
            number -= u128::from(self.weights[place]);
            place += 1;
        }
        if self.are_used_up {
            self.weights[place] -= 1;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::Aes128Ctr;
    use crate::language::Script;

    /// Adds every order that some numbers below the totals lead to.
    fn add_orders(weights: &TypeWeights, order: &[usize], seen: &mut BTreeMap<Vec<usize>, u64>) {
        if weights.total() == 0 {
            *seen.entry(order.to_vec()).or_default() += 1;
        }
        for number in 0..weights.total() {
            let mut next = weights.clone();
            let mut order = order.to_vec();
            order.push(next.take(number));
            add_orders(&next, &order, seen);
        }
    }

    #[test]
    fn every_order_of_fixed_numbers_comes_from_as_many_draws() {
        let weights = TypeWeights {
            weights: vec![3, 0, 1, 2],
            are_used_up: true,
        };
        let mut seen = BTreeMap::new();
        add_orders(&weights, &[], &mut seen);
        // 6! / (3! 1! 2!) orders, each from 3! 1! 2! of the 6! draws.
        assert_eq!(seen.len(), 60);
        assert!(seen.values().all(|draws| *draws == 12));
    }

    #[test]
    fn independent_types_have_probabilities_of_their_parts() {
        let mut weights = TypeWeights {
            weights: vec![2, 0, 3, 1],
            are_used_up: false,
        };
        let types: Vec<usize> = (0..6).map(|number| weights.take(number)).collect();
        assert_eq!(types, [0, 0, 2, 2, 2, 3]);
        assert_eq!(weights.total(), 6);
    }

    /// Counts the numbers of each type that all sequences of integers below the bounds lead to.
    fn all_numbers(shares: &RoundedShares) -> BTreeMap<Vec<u64>, u64> {
        let mut seen = BTreeMap::new();
        let mut open = vec![Vec::new()];
        while let Some(integers) = open.pop() {
            let mut given = integers.iter();
            let numbers =
                with_ties_broken(shares.clone(), |bound| given.next().copied().ok_or(bound));
            match numbers {
                Ok(numbers) => *seen.entry(numbers).or_default() += 1,
                Err(bound) => open.extend((0..bound).map(|integer| {
                    let mut longer = integers.clone();
                    longer.push(u128::from(integer));
                    longer
                })),
            }
        }
        seen
    }

    #[test]
    fn tied_types_have_one_deal_more_equally_often() {
        let shares = |rest| RoundedShares {
            numbers: vec![2, 7, 2, 2, 2],
            tied: vec![0, 2, 3, 4],
            rest,
        };
        let one: Vec<_> = all_numbers(&shares(1)).into_iter().collect();
        let expected = [
            (vec![2, 7, 2, 2, 3], 1),
            (vec![2, 7, 2, 3, 2], 1),
            (vec![2, 7, 3, 2, 2], 1),
            (vec![3, 7, 2, 2, 2], 1),
        ];
        assert_eq!(one, expected);
        // Each of the six pairs in 2 of 12 ways.
        let two = all_numbers(&shares(2));
        assert_eq!((two.len(), two.values().sum::<u64>()), (6, 12));
        assert!(two.values().all(|ways| *ways == 2), "{two:?}");
    }

    #[test]
    fn one_deal_of_three_equal_types_is_of_each_equally_often_over_seeds() {
        let text = "a = 1 b = 1 c = 1\n#mix: a, b, c\n";
        let mix = Script::parse("mix", text).unwrap().mix.unwrap();
        let mut counts = [0; 3];
        for seed in 0..3_000 {
            let generator = Aes128Ctr::new(seed);
            let numbers = TypeNumbers::new(&mix, 1, Shares::Exact, &generator).unwrap();
            let again = TypeNumbers::new(&mix, 1, Shares::Exact, &generator).unwrap();
            assert_eq!(numbers, again);
            let place = numbers.order(&generator).next_type().unwrap().unwrap();
            assert_eq!(numbers.most()[place], 1);
            counts[place] += 1;
            let round = TypeNumbers::new(&mix, 6, Shares::Exact, &generator).unwrap();
            assert_eq!(round.most(), [2, 2, 2]);
        }
        // Hoeffding: any of the counts is off by 200 with a probability below 6 exp(-2 * 200^2 /
        // 3000) = 2e-11.
        assert!(
            counts.iter().all(|count| (800..=1200).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn an_order_has_the_numbers_of_each_type_and_ends() {
        let generator = Aes128Ctr::new(3);
        let numbers = TypeNumbers {
            most: vec![15, 14, 7],
            parts: None,
            is_interleaved: false,
        };
        let mut order = numbers.order(&generator);
        let mut counts = [0; 3];
        while let Some(place) = order.next_type().unwrap() {
            counts[place] += 1;
        }
        assert_eq!(counts, [15, 14, 7]);
    }

    #[test]
    fn an_interleaved_order_has_all_types_before_any_again() {
        let generator = Aes128Ctr::new(3);
        let most = vec![5, 2, 5, 1, 0];
        let numbers = TypeNumbers {
            most: most.clone(),
            parts: None,
            is_interleaved: true,
        };
        let mut order = numbers.order(&generator);
        let types: Vec<usize> = std::iter::from_fn(|| order.next_type().unwrap()).collect();
        let first: std::collections::BTreeSet<usize> = types[..4].iter().copied().collect();
        assert_eq!(first.len(), 4);
        for (place, number) in most.iter().enumerate() {
            assert_eq!(
                types.iter().filter(|of| **of == place).count() as u64,
                *number
            );
        }
        // The second of two deals comes in the third of five rounds: 4 + 2 boards come before.
        let last = types.iter().rposition(|of| *of == 1).unwrap();
        assert!((6..9).contains(&last), "{types:?}");
    }
}
