//! Spreading of bits over cards, two deals at a time.
//!
//! The low bits of a source go to the cards of a pool, the lowest first. A word is halved three
//! times: its lower half keeps the lowest bits, and its upper half gets the bits that follow those
//! for the cards of the lower half.
//!
//! Within a byte, the bit for a card is as many places below it as there are missing cards below
//! it, at most seven: three binary digits. The highest digit is applied first, for all places at
//! once: where it is 1, a place takes the bit four places below it; the next digit takes it from
//! two places below, the last from one. A card's bit arrives, because on its way down a card meets
//! its own higher digits: the place below a card with an odd number of missing cards has the same
//! number or one less, and the place two below a number 4 q + 2 or 4 q + 3 has at least 4 q. Bits
//! at other places are meaningless and are dropped at the end.
//!
//! Warren, *Hacker's Delight*, 7-5, has the idea; digits by products without carries are Wegner's
//! (zp7).

#[allow(clippy::wildcard_imports, reason = "twenty intrinsics")]
use std::arch::aarch64::*;

/// The cards that bits are spread over, of two deals.
#[derive(Clone, Copy)]
pub(in super::super) struct Pools {
    cards: uint8x16_t,
    /// Number of cards in each byte.
    ones: uint8x16_t,
    /// By binary digit, the lowest first: the digit of the number of places below each place, within
    /// its byte, that are not in the pool.
    digits: [uint8x16_t; 3],
}

impl Pools {
    #[inline]
    #[target_feature(enable = "neon")]
    pub(in super::super) fn new(cards: uint64x2_t) -> Self {
        let cards = vreinterpretq_u8_u64(cards);
        let others = vmvnq_u8(cards);
        let first = parity_below(others);
        // The places where a binary counter of the others carries to the next digit.
        let carries = vandq_u8(others, first);
        let second = parity_below(carries);
        let third = parity_below(vandq_u8(carries, second));
        Self {
            cards,
            ones: vcntq_u8(cards),
            digits: [first, second, third],
        }
    }

    /// Spreads the low bits of each word.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(in super::super) fn spread(&self, sources: uint64x2_t) -> uint64x2_t {
        let of_16 = vpaddlq_u8(self.ones);
        let of_32 = vpaddlq_u16(of_16);
        // Shifts take the lowest byte of each lane; to the right, it is negative.
        let right = vnegq_s64(vreinterpretq_s64_u32(of_32));
        let upper = vshlq_u64(sources, right);
        let sources = vreinterpretq_u32_u64(vsliq_n_u64::<32>(sources, upper));
        let right = vnegq_s32(vreinterpretq_s32_u16(of_16));
        let upper = vshlq_u32(sources, right);
        self.spread_in_suits(vreinterpretq_u16_u32(vsliq_n_u32::<16>(sources, upper)))
    }

    /// Spreads the low bits of each suit's lane over the cards of the suit.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(in super::super) fn spread_in_suits(&self, sources: uint16x8_t) -> uint64x2_t {
        let right = vnegq_s16(vreinterpretq_s16_u8(self.ones));
        let upper = vshlq_u16(sources, right);
        let bits = vreinterpretq_u8_u16(vsliq_n_u16::<8>(sources, upper));
        let [first, second, third] = self.digits;
        let bits = vbslq_u8(third, vshlq_n_u8::<4>(bits), bits);
        let bits = vbslq_u8(second, vshlq_n_u8::<2>(bits), bits);
        let bits = vbslq_u8(first, vshlq_n_u8::<1>(bits), bits);
        vreinterpretq_u64_u8(vandq_u8(bits, self.cards))
    }
}

/// Marks the bits of each byte that have an odd number of ones below them.
#[inline]
#[target_feature(enable = "neon")]
fn parity_below(bytes: uint8x16_t) -> uint8x16_t {
    // The product without carries by 2 + 4 + .. + 128 adds the bits below modulo 2.
    let product = vmulq_p8(vreinterpretq_p8_u8(bytes), vdupq_n_p8(0xFE));
    vreinterpretq_u8_p8(product)
}

#[cfg(test)]
mod tests {
    use super::super::super::Isa;
    use super::super::super::tests::words;
    use super::super::vectors::{load, store};
    use super::*;

    /// Spreads the low bits of a source card after card.
    fn spread_slowly(mut source: u64, cards: u64) -> u64 {
        let mut spread = 0;
        for bit in (0..64).filter(|bit| cards >> bit & 1 == 1) {
            spread |= (source & 1) << bit;
            source >>= 1;
        }
        spread
    }

    fn spread(sources: [u64; 2], cards: [u64; 2]) -> [u64; 2] {
        if Isa::named("neon").is_none() {
            return [0, 1].map(|i| spread_slowly(sources[i], cards[i]));
        }
        #[target_feature(enable = "neon")]
        fn spread(sources: [u64; 2], cards: [u64; 2]) -> [u64; 2] {
            let pools = Pools::new(vreinterpretq_u64_u8(load(&cards)));
            let spread = pools.spread(vreinterpretq_u64_u8(load(&sources)));
            let mut words = [0; 2];
            store(&mut words, vreinterpretq_u8_u64(spread));
            words
        }
        // SAFETY: the path exists only where the processor has the instructions.
        #[allow(unsafe_code, reason = "the processor was asked")]
        unsafe {
            spread(sources, cards)
        }
    }

    #[test]
    fn every_byte_is_spread_over_every_byte() {
        for cards in 0..=255u64 {
            for source in 0..=255u64 {
                // In one byte, and after bytes whose cards take some of the bits.
                let pools = [cards << 24, cards << 40 | 0x0123_4567];
                let sources = [source, source << 12 | 0xA5A];
                let expected = [0, 1].map(|i| spread_slowly(sources[i], pools[i]));
                assert_eq!(
                    spread(sources, pools),
                    expected,
                    "{source:x} over {cards:x}"
                );
            }
        }
    }

    #[test]
    fn every_word_is_spread_over_every_pool() {
        let mut seed = 31;
        for round in 0..20_000 {
            let [a, b, c, d] = words(&mut seed);
            // Pools of half the places, of few and of many.
            let pools = match round % 3 {
                0 => [a, b],
                1 => [a & b & c, a & c & d],
                _ => [a | b | c, u64::MAX],
            };
            // The lower half of a word takes the lower half of a source.
            let expected = [0, 1].map(|i| spread_slowly([c, d][i], pools[i]));
            assert_eq!(spread([c, d], pools), expected, "{pools:x?}");
        }
    }
}
