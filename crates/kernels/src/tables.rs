//! Small tables that all paths share.

use fairdeal_bridge::combinatorics::choose_u64;
use fairdeal_bridge::combinatorics::subset::{STARTS, SUIT};

/// All subsets of 13 places, in the order in which they are drawn.
pub(super) use fairdeal_bridge::combinatorics::subset::SUBSETS;

/// Number of 16-bit numbers that select each subset: floor(2^16 / C(13, 6)), so that there are
/// enough of them for every size.
pub(super) const SHARE: u16 = 38;

/// n / [`SHARE`] is n times this, shifted right by [`BY_SHARE_SHIFT`], for n below 2^16.
pub(super) const BY_SHARE: u32 = 55_189;
/// See [`BY_SHARE`].
pub(super) const BY_SHARE_SHIFT: u32 = 21;

const _: () = {
    assert!(SHARE as u32 == (1 << 16) / 1716);
    let mut n = 0u32;
    while n < 1 << 16 {
        assert!((n as u64 * BY_SHARE as u64) >> BY_SHARE_SHIFT == n as u64 / SHARE as u64);
        n += 1;
    }
};

/// Subsets that complete each number of raw cards to a fixed number of cards.
#[derive(Clone, Copy)]
pub(super) struct Completions<const N: usize> {
    /// 16-bit numbers below this limit are accepted: [`SHARE`] for each subset.
    pub(super) limits: [u16; N],
    /// Start of the subsets of the missing size in [`SUBSETS`].
    pub(super) starts: [u16; N],
}

impl<const N: usize> Completions<N> {
    const fn to(cards: usize) -> Self {
        let (mut limits, mut starts) = ([0; N], [0; N]);
        let mut raw = 0;
        while raw <= cards {
            if cards - raw <= SUIT && raw < N {
                limits[raw] = SHARE * choose_u64(SUIT, cards - raw) as u16;
                starts[raw] = STARTS[cards - raw];
            }
            raw += 1;
        }
        Self { limits, starts }
    }

    /// Returns whether the number is accepted with this number of raw cards.
    #[inline(always)]
    pub(super) fn accepts(&self, raw: usize, number: u32) -> bool {
        number < u32::from(self.limits[raw % N])
    }

    /// Returns the place in [`SUBSETS`] of the subset that a number below 2^16 selects to complete
    /// the raw cards.
    #[inline(always)]
    pub(super) fn index(&self, raw: usize, number: u32) -> u32 {
        u32::from(self.starts[raw % N]) + ((number * BY_SHARE) >> BY_SHARE_SHIFT)
    }
}

/// By the number of cards in three suits: the fourth suit, up to 26 cards. More than 26 raw cards,
/// or fewer than 13, are never accepted.
///
/// Processors look up 5 bits: 32 to 39 raw cards are found as 0 to 7, which are not accepted
/// either.
pub(super) static TO_A_SIDE: Completions<64> = Completions::to(26);
/// By the number of cards among the first 13 of 26: the others, up to 13 cards.
pub(super) static TO_A_HAND: Completions<32> = Completions::to(13);

/// Parameters for drawing a subset with 16 random bits.
#[derive(Clone, Copy)]
pub(super) struct Pick {
    /// Number of subsets; 0 where there are none.
    pub(super) ways: u16,
    /// 2^16 mod the number of subsets: low halves below this are rejected.
    pub(super) rejected: u16,
    /// Start of the subsets in [`SUBSETS`].
    pub(super) start: u16,
}

/// By 16 n + k: the subsets of k of n places.
pub(super) const PICKS: [Pick; 256] = {
    // Where there is no subset, every number is rejected.
    let none = Pick {
        ways: 0,
        rejected: 1,
        start: 0,
    };
    let mut picks = [none; 256];
    let mut n = 0;
    while n <= SUIT {
        let mut k = 0;
        while k <= n {
            let ways = choose_u64(n, k);
            picks[16 * n + k] = Pick {
                ways: ways as u16,
                rejected: ((1 << 16) % ways) as u16,
                start: STARTS[k],
            };
            k += 1;
        }
        n += 1;
    }
    picks
};

/// By 128 mask + bits: the lowest bits deposited in the set bits of the mask, and the following
/// bits in the unset ones.
pub(super) static DEPOSITS: [u8; 1 << 14] = {
    let mut deposits = [0; 1 << 14];
    let mut place = 0;
    while place < 1 << 14 {
        let (mask, bits): (usize, usize) = (place >> 7, place & 127);
        let (mut ones, mut zeros) = (0, mask.count_ones());
        let mut bit = 0;
        while bit < 7 {
            let next = if mask >> bit & 1 == 1 {
                &mut ones
            } else {
                &mut zeros
            };
            deposits[place] |= ((bits >> *next & 1) << bit) as u8;
            *next += 1;
            bit += 1;
        }
        place += 1;
    }
    deposits
};

/// Points of a suit's honours: bit 0 the ace .. bit 3 the jack.
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code, reason = "for shuffles of bytes")
)]
pub(super) const POINTS: [u8; 16] = {
    let mut points = [0; 16];
    let mut honours = 0;
    while honours < 16 {
        let (a, k, q, j) = (
            honours & 1,
            honours >> 1 & 1,
            honours >> 2 & 1,
            honours >> 3,
        );
        points[honours] = (4 * a + 3 * k + 2 * q + j) as u8;
        honours += 1;
    }
    points
};

/// Controls of a suit's honours, in the order of [`POINTS`].
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "for shuffles of bytes")
)]
pub(super) const CONTROLS: [u8; 16] = {
    let mut controls = [0; 16];
    let mut honours = 0;
    while honours < 16 {
        controls[honours] = (2 * (honours & 1) + (honours >> 1 & 1)) as u8;
        honours += 1;
    }
    controls
};

/// By pattern index: the four lengths in lanes; 0 beyond the 560 patterns.
pub(super) static LENGTHS: [u64; 1024] = {
    let mut lengths = [0; 1024];
    let mut index = 0;
    while index < 560 {
        let Some(pattern) = fairdeal_bridge::PatternIndex::new(index as u16) else {
            panic!("there are 560 patterns");
        };
        let [s, h, d, c] = pattern.pattern().lengths();
        lengths[index] = s as u64 | (h as u64) << 16 | (d as u64) << 32 | (c as u64) << 48;
        index += 1;
    }
    lengths
};

/// By half of an honour map, spades and hearts or diamonds and clubs: the cards in two lanes.
pub(super) static HONOUR_CARDS: [u32; 256] = {
    let mut cards = [0; 256];
    let mut half = 0;
    while half < 256 {
        let mut bit = 0;
        while bit < 8 {
            // Bit 7 is the higher suit's ace, bit 3 the lower's.
            if half >> (7 - bit) & 1 == 1 {
                cards[half] |= 1 << (bit % 4 + 16 * (bit / 4));
            }
            bit += 1;
        }
        half += 1;
    }
    cards
};
