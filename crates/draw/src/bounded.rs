//! Exactly uniform integers below a bound.

use super::generator::REJECTED_IN_A_ROW;
use super::{RandomStream, WordsError};

/// Returns an exactly uniform integer in [0, bound): all outcomes have the same probability.
///
/// For bounds below 2^64, uses Lemire's multiplication (the high half of word × bound; words whose
/// low half is below 2^64 mod bound are rejected). For larger bounds, draws numbers with the
/// bound's bit length and rejects those that are too large.
///
/// # Panics
///
/// If the bound is 0.
///
/// # Errors
///
/// [`WordsError`] if the stream has no more words.
pub fn below(stream: &mut RandomStream<'_>, bound: u128) -> Result<u128, WordsError> {
    assert!(bound > 0, "the bound must be positive");
    below_u128(|| stream.next_u64(), bound)
}

/// Returns [`below`] from uniform words. The bound must not be 0.
pub(crate) fn below_u128(
    mut word: impl FnMut() -> Result<u64, WordsError>,
    bound: u128,
) -> Result<u128, WordsError> {
    match u64::try_from(bound) {
        Ok(bound) => below_u64(word, bound).map(u128::from),
        Err(_) => {
            let unused = (bound - 1).leading_zeros();
            for _ in 0..REJECTED_IN_A_ROW {
                let high = u128::from(word()?) << 64;
                let number = (high | u128::from(word()?)) >> unused;
                if number < bound {
                    return Ok(number);
                }
            }
            Err(WordsError::Stuck)
        }
    }
}

/// Returns a uniform integer in [0, bound) from uniform words.
pub fn below_u64(
    mut word: impl FnMut() -> Result<u64, WordsError>,
    bound: u64,
) -> Result<u64, WordsError> {
    // The low and the high word.
    let mut product = || {
        let product = u128::from(word()?) * u128::from(bound);
        Ok((product as u64, (product >> 64) as u64))
    };
    let (mut low, mut high) = product()?;
    if low < bound {
        let rejected = bound.wrapping_neg() % bound;
        let mut tries = 0;
        while low < rejected {
            tries += 1;
            if tries == REJECTED_IN_A_ROW {
                return Err(WordsError::Stuck);
            }
            (low, high) = product()?;
        }
    }
    Ok(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Aes128Ctr, StreamId, StreamPurpose};

    /// The same method with one-byte words, so that the test can try every word.
    fn below_by_bytes(byte: u8, bound: u16) -> Option<u16> {
        let product = u16::from(byte) * bound;
        let rejected = 256 % bound;
        (product % 256 >= rejected).then_some(product / 256)
    }

    #[test]
    fn every_outcome_has_as_many_words_as_every_other() {
        for bound in 1..=255u16 {
            let mut counts = vec![0; usize::from(bound)];
            for byte in 0..=255 {
                if let Some(outcome) = below_by_bytes(byte, bound) {
                    counts[usize::from(outcome)] += 1;
                }
            }
            assert!(counts.iter().all(|&count| count == 256 / bound), "{bound}");
        }
    }

    #[test]
    fn words_in_the_first_2_to_the_64_mod_bound_are_rejected_and_no_others() {
        let bound = 0xC000_0000_0000_0001u64;
        // 2^64 mod bound is 0x3FFF_FFFF_FFFF_FFFF. The low half of word × bound is below it for
        // word 0, but not for word 1.
        let mut words = [0u64, 1, 7].into_iter();
        let mut word = || Ok(words.next().unwrap());
        assert_eq!(below_u64(&mut word, bound).unwrap(), 0);
        assert_eq!(word().unwrap(), 7);
        // A bound that is a power of two rejects no word.
        let of = |word| below_u64(|| Ok(word), 1 << 40).unwrap();
        assert_eq!([of(u64::MAX), of(0)], [(1 << 40) - 1, 0]);
        // A source whose words are always rejected is not random.
        let stuck = below_u64(|| Ok(0), 3);
        assert!(matches!(stuck, Err(WordsError::Stuck)));
    }

    #[test]
    fn bounds_beyond_64_bits_reach_both_ends() {
        let generator = Aes128Ctr::new(7);
        let mut stream = RandomStream::new(&generator, StreamId::new(0, StreamPurpose::Plain, 0));
        let bound = (1u128 << 64) + 1;
        let numbers = (0..2_000).map(|_| below(&mut stream, bound));
        let numbers: Vec<u128> = numbers.collect::<Result<_, _>>().unwrap();
        assert!(numbers.iter().all(|&number| number < bound));
        let upper = numbers.iter().filter(|&&number| number > bound / 2).count();
        assert!(
            (850..1150).contains(&upper),
            "{upper} of 2000 in the upper half"
        );
    }
}
