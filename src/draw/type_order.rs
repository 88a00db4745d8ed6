//! The random order of deals of several types.

use super::bounded::below;
use super::{Generator, RandomStream, StreamId, StreamPurpose, WordsError};

/// Draws the type of one deal after the other.
///
/// With fixed numbers, every order of the types has the same probability: the next deal has a type
/// with the probability of its share of the remaining deals. Otherwise the types are independent.
pub struct TypeOrder<'g> {
    stream: RandomStream<'g>,
    weights: TypeWeights,
}

/// Weights of the types of the next deal.
#[derive(Clone, Debug)]
struct TypeWeights {
    weights: Vec<u64>,
    /// Whether each deal takes one from the weight of its type.
    are_used_up: bool,
}

impl std::fmt::Debug for TypeOrder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TypeOrder")
            .field("weights", &self.weights)
            .finish_non_exhaustive()
    }
}

impl<'g> TypeOrder<'g> {
    /// Returns a uniform order of this number of deals of each type. Its words are not those of any
    /// deal of the generator.
    #[must_use]
    pub fn of_numbers(generator: &'g dyn Generator, numbers: Vec<u64>) -> Self {
        Self::new(generator, numbers, true)
    }

    /// Returns independent types, each with a probability proportional to its parts.
    #[must_use]
    pub fn of_parts(generator: &'g dyn Generator, parts: Vec<u64>) -> Self {
        Self::new(generator, parts, false)
    }

    fn new(generator: &'g dyn Generator, weights: Vec<u64>, are_used_up: bool) -> Self {
        let id = StreamId::new(0, StreamPurpose::Types, 0);
        Self {
            stream: RandomStream::new(generator, id),
            weights: TypeWeights {
                weights,
                are_used_up,
            },
        }
    }

    /// Returns the type of the next deal; `None` if no deals remain.
    ///
    /// # Errors
    ///
    /// [`WordsError`] if the random words end.
    pub fn next_type(&mut self) -> Result<Option<usize>, WordsError> {
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
    use crate::draw::Aes128Ctr;

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

    #[test]
    fn an_order_has_the_numbers_of_each_type_and_ends() {
        let generator = Aes128Ctr::new(3);
        let mut order = TypeOrder::of_numbers(&generator, vec![15, 14, 7]);
        let mut counts = [0; 3];
        while let Some(place) = order.next_type().unwrap() {
            counts[place] += 1;
        }
        assert_eq!(counts, [15, 14, 7]);
    }
}
