//! The inner loops, on plain arrays of words, used for drawing and counting deals.
//!
//! Nothing here depends on seeds, files or threads. Every kernel exists in plain Rust
//! (`portable`). It is compiled again for processors with instructions that deposit bits and
//! count ones (`avx2`), and, where it pays, written with intrinsics of AVX-512 and NEON. All
//! versions return the same words: the tests compare each path that the machine has with the
//! portable one. A [`Isa`] is chosen once, when the program starts. Dispatch happens once per
//! packet of 128 deals.
//!
//! # Unsafe code
//!
//! Calling a function that is compiled for instructions that some processors lack is unsafe. The
//! macro below makes all such calls. They are sound because a [`Isa`] can only come from
//! [`Isa::available`], which asks the processor. `aes` does the same with keys that only such a
//! path can make, and bit deposit with a value that only exists where the instruction does. The
//! other unsafe blocks are loads and stores of whole arrays, gathers from tables with indices below
//! their length, and prefetches.

#[cfg(target_arch = "x86_64")]
mod aes;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod choices;
mod counters;
#[cfg(target_arch = "x86_64")]
mod deposit;
mod forms;
mod gram;
mod hands;
mod isa;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod overlap;
mod packet;
mod per_deal;
mod philox;
mod portable;
mod seeds;
mod selection;
mod steps;
mod tables;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vectors;

#[cfg(target_arch = "x86_64")]
pub use aes::{RoundKeys, counter_words};
pub use choices::SelectedColumns;
pub use counters::{
    BitPlanes, CONTROL_COUNT, Counters, EAST_WEST_BASE, EAST_WEST_CONTROLS, FIT_BASE,
    FLATNESS_COUNT, KEYS_END, NORTH_SOUTH_BASE, NORTH_SOUTH_CONTROLS, PATTERN_BASES, SPREAD_END,
};
pub use forms::{Forms, HandFields, HandForm, ItemLayout};
pub use gram::{GRAM_CHUNK, SIGN_ROWS, SignDifferences, SignRows};
pub use hands::{ListedHands, Wanted};
pub use isa::{Isa, PATH_VARIABLE};
#[cfg(target_arch = "aarch64")]
pub use neon::{NeonRoundKeys as RoundKeys, counter_words};
pub use overlap::{BEFORE, LAGS, OVERLAP_CHUNK, Overlap, OverlapHands, OverlapSquares};
pub use packet::Aligned;
pub use packet::Packet;
pub use per_deal::SuitMoments;
pub use seeds::{
    DrawKind, Engine, FirstState, IndexTriples, Indexing, Key, LowBit, NUMBERS, NumberRows, PAIRED,
    PCG, PLACES, SCATTERED, SEEDS, Series, divided_pair, java, lemire, murmur, pair, place, scaled,
    scattered,
};
pub use steps::{
    Answers, ColumnIndex, ColumnWork, HeavyWeight, MeasureWork, Pairing, PatternBits, RankPoints,
    Step, StepColumns, Steps, ValueWork, WordWork,
};

use counters::{FIRST_KEYS, LAST_KEYS, SPREAD_KEYS};
use isa::IsaKind;
use portable::ByTable;

/// Number of deals in a packet, the unit in which deals are made and counted.
pub const PACKET: usize = 128;

/// Number of random words taken from a stream at a time.
pub const CHUNK: usize = 128;

/// Capacity for waiting selections of sides: less than a packet, plus one chunk.
pub const SIDES_QUEUE: usize = PACKET + CHUNK;

/// Capacity for waiting selections of halves: less than two packets, plus one chunk.
pub const HALVES_QUEUE: usize = 2 * PACKET + 2 * CHUNK;

const _: () = assert!(SIDES_QUEUE.is_power_of_two() && HALVES_QUEUE.is_power_of_two());

/// The bits of a word that select three suits of a side directly. The low lane decides the fourth
/// suit.
const RAW_SUITS: u64 = 0x1FFF_1FFF_1FFF_0000;
const DECK: u64 = 0x1FFF_1FFF_1FFF_1FFF;
const SPOTS: u64 = 0x1FF0_1FF0_1FF0_1FF0;
const HONOURS: u64 = DECK & !SPOTS;

macro_rules! kernels {
    ($($(#[$doc:meta])* $name:ident $(<$deposit:ident>)? ($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        $(#[$doc])*
        pub fn $name(isa: Isa, $($argument: $type),*) $(-> $result)? {
            match isa.kind() {
                IsaKind::Portable => portable::$name($($deposit::new(),)? $($argument),*),
                // SAFETY: a path of this kind exists only where the processor has the instructions
                // that the function is compiled for.
                #[cfg(target_arch = "x86_64")]
                #[allow(unsafe_code, reason = "the processor was asked")]
                IsaKind::Avx2 => unsafe { avx2::$name($($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                #[allow(unsafe_code, reason = "the processor was asked")]
                IsaKind::Avx512 => unsafe { avx512::$name($($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "aarch64")]
                #[allow(unsafe_code, reason = "the processor was asked")]
                IsaKind::Neon => unsafe { neon::$name($($argument),*) },
            }
        }
    )*};
}

kernels! {
    /// Appends selections of a side's 26 cards, for the words of a chunk that are accepted, and
    /// returns the new length.
    ///
    /// The raw bits give three suits with p cards in total. The low 16 bits r are accepted below
    /// 38 C(13, 26 - p), so that each set of 26 cards has 38 words of 2^55. In the place of r, a
    /// selection holds the index of the fourth suit's subset: r / 38 among those of its size.
    accept_sides(chunk: &[u64; CHUNK], queue: &mut [u64; SIDES_QUEUE], len: usize) -> usize;
    /// Appends selections of 13 of 26 places, for the half words that are accepted, and returns the
    /// new length. The lower half of each word comes first.
    ///
    /// The raw bits give 13 places with p cards. The high 16 bits r are accepted below
    /// 38 C(13, 13 - p), so that each set has 38 half words of 2^29. In the place of r, a selection
    /// holds the index of the other places' subset.
    accept_halves(chunk: &[u64; CHUNK], queue: &mut [u32; HALVES_QUEUE], len: usize) -> usize;
    /// Makes 128 deals from selections of sides and of halves (for north, east, north ..).
    expand<ByTable>(sides: &[u64; PACKET], halves: &[u32; 2 * PACKET], packet: &mut Packet);
    /// Selects 13 of the 26 cards that are in neither hand.
    split<ByTable>(halves: &[u32; PACKET], taken: [&[u64; PACKET]; 2], hands: &mut [u64; PACKET]);
    /// Assigns hands to north, east and south: 0 the lead, 1 the hand that follows, 2 the third, 3
    /// the remaining cards.
    seat(seats: [usize; 3], hands: &ListedHands, packet: &mut Packet);
    /// Reads a hand's forms from the upper halves of records.
    read_cases(fields: HandFields, cases: &[u64; PACKET], forms: &mut Forms);
    /// Reads the forms of some hands from items of both halves, spades and hearts first.
    read_items(layout: ItemLayout<'_>, items: [&[u32; PACKET]; 2], forms: &mut [Forms]);
    /// Finds the column of each list that a word selects, and prefetches it.
    find(
        lists: &[[u32; 2]], columns: &[[u32; 3]], which: &[u32; PACKET], words: &[u64; PACKET],
        found: &mut SelectedColumns
    );
    /// Takes an item of each column, and returns whether any choice is a tie.
    decide(columns: &[[u32; 3]], found: &SelectedColumns, items: &mut [u32; PACKET]) -> bool;
    /// Fills hands of these forms with random cards, and returns a set bit for each hand whose
    /// random bits were rejected. `by_both` means by pattern and honours, and not by pattern alone.
    ///
    /// For each suit, 16 bits r select one of C ways: r C / 2^16. They are rejected if r C mod 2^16
    /// is below 2^16 mod C, as in Lemire's method with 64 bits.
    fill(by_both: bool, forms: &Forms, bits: &[u64; PACKET], hands: &mut [u64; PACKET]) -> u128;
    /// [`fill`] with cards that are in neither hand.
    fill_next<ByTable>(
        by_both: bool, forms: &Forms, bits: &[u64; PACKET], taken: [&[u64; PACKET]; 2], hands: &mut [u64; PACKET]
    ) -> u128;
    /// Completes the held cards of each hand to thirteen by a set of its pool's cards that its word
    /// chooses. A set bit in the result means that the word is rejected, or that the pool has too
    /// few cards or the hand too many.
    select<ByTable>(
        words: &[u64; PACKET], held: &[u64; PACKET], pools: &[u64; PACKET], hands: &mut [u64; PACKET]
    ) -> u128;
    /// Returns whether the first `draws` hands have 13 cards each, and no card twice.
    are_hands(hands: &ListedHands, two: bool, draws: usize) -> bool;
    /// Finds the first record from `starts` on whose total exceeds the number, or `ends` if there
    /// is none before it. Totals are the 64 bits of the records from bit `shift` on.
    locate(totals: &[[u64; 2]], wanted: &Wanted, found: &mut [u32; PACKET]);
    /// Counts the patterns, fits and points of a packet's deals.
    count(packet: &Packet, with_fits: bool, counters: &mut Counters);
    /// Counts every card of a column of 128 hands.
    count_cards(hands: &[u64; PACKET], planes: &mut BitPlanes);
    /// Lays out the sign rows of the first deals of a chunk, from the high and the low bits of
    /// their cards. Missing deals are 0 in every row.
    lay_rows(high: &[u64; GRAM_CHUNK], low: &[u64; GRAM_CHUNK], deals: usize, rows: &mut SignRows);
    /// Counts how often each row of one set differs from each row of another. With `within`, both
    /// sets are the same, and only ordered pairs (and some others) are counted.
    count_differing(first: &SignRows, second: &SignRows, within: bool, differing: &mut SignDifferences);
    /// Counts the cards that three seats of each deal share with those of earlier deals. Hands
    /// beyond the deals are empty.
    count_overlap(hands: &OverlapHands, deals: usize, overlap: &mut Overlap);
    /// Sums, by lag, the squares of the table of 16 pairs of seats less 169, of which `before` deals
    /// precede the first.
    sum_squares(hands: &OverlapHands, before: usize, deals: usize, squares: &mut OverlapSquares);
    /// Returns the places of illegal deals. Legal deals have 13 cards per seat and no card twice.
    illegal(packet: &Packet) -> u128;
    /// Computes three 16-bit keys for each deal, lowest first: half the flatness, then 13 × north's
    /// controls + south's, then 13 × east's + west's, each from its base on.
    spread_keys(packet: &Packet, keys: &mut [u64; PACKET]);
    /// Mixes every deal into a word, the same word for equal deals. Returns the places of the deals
    /// whose words are not above `most`.
    mix(packet: &Packet, most: u64, mixed: &mut [u64; PACKET]) -> u128;
    /// Mixes every deal into a word, the same word for deals that are equal when seats are exchanged
    /// and suits renamed. Returns the places of the deals whose words are not above `most`.
    mix_equivalent(packet: &Packet, most: u64, mixed: &mut [u64; PACKET]) -> u128;
    /// Adds the moments of the cards of `pool` that the seats hold.
    add_moments(packet: &Packet, pool: u64, moments: &mut SuitMoments);
    /// Returns the places of hands that contradict the forms that [`read_cases`] reads with these
    /// fields.
    misfits(hands: &[u64; PACKET], forms: &Forms, fields: HandFields) -> u128;
    /// Runs the steps of a list in order, each for all deals of a packet.
    run_steps(steps: &Steps, answers: &dyn Answers, packet: &Packet, columns: &mut StepColumns);
    /// Computes the first numbers of a generator for consecutive seeds from `first` on.
    first_numbers(series: Series, first: u64, numbers: &mut NumberRows);
    /// Packs the indices of three numbers of every seed.
    places(indexing: Indexing, which: DrawKind, numbers: &NumberRows, places: &mut IndexTriples);
    /// Writes the words of 64 blocks of Philox4x32-10 with this key. The lowest number of the
    /// counter is `block` and counts up, wrapping around; the others are `high`. A block is two
    /// words, each with the lower number in its lower half.
    philox_words(key: [u32; 2], block: u32, high: [u32; 3], words: &mut [u64; CHUNK]);
}

/// [`fill_next`] for one hand; returns `None` if the random bits are rejected.
pub fn fill_one(by_both: bool, form: HandForm, bits: u64, taken: u64) -> Option<u64> {
    forms::fill_one(ByTable::new(), by_both, form, bits, taken)
}

/// Returns the places of the ones in a result, the lowest first.
#[inline]
pub fn set_bits(mut bits: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        place
    })
}

/// Returns [`mix_equivalent`] for the four hands of one deal.
#[inline]
pub fn mix_hands(hands: [u64; 4]) -> u64 {
    per_deal::mix_hands(hands)
}

/// Returns [`mix`] for the lower and upper bits of the seats of one deal.
#[inline]
pub fn mix_seats(low: u64, high: u64) -> u64 {
    per_deal::mix_seats(low, high)
}

/// [`select`] for one hand; returns `None` if the word is rejected, or if the pool has too few cards
/// or the hand too many.
pub fn select_one(word: u64, held: u64, pool: u64) -> Option<u64> {
    selection::select_one(ByTable::new(), word, held, pool)
}

/// Prefetches the cache line of this place, without waiting for it.
#[inline]
pub fn prefetch<T>(items: &[T], place: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if let Some(item) = items.get(place) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing that the program can see, and the place is within the
        // slice.
        #[allow(unsafe_code, reason = "there is no safe prefetch")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast());
        }
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    if let Some(item) = items.get(place) {
        // SAFETY: as above; the intrinsic is not stable.
        #[allow(unsafe_code, reason = "there is no safe prefetch")]
        unsafe {
            std::arch::asm!(
                "prfm pldl1keep, [{item}]",
                item = in(reg) std::ptr::from_ref(item),
                options(nostack, preserves_flags, readonly),
            );
        }
    }
    #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
    let _ = (items, place);
}
