//! The portable kernels, compiled for processors with 256-bit vectors and with instructions that
//! deposit bits and count ones.

use std::arch::x86_64::_pdep_u64;

pub(super) use super::gram::avx2::count_differing;
use super::lanes::Deposit;
use super::portable;
use super::{
    Answers, CHUNK, Columns, Counters, Fields, Forms, Found, GRAM_CHUNK, HALVES_QUEUE, Hands,
    Indexing, ItemLayout, ListedHands, Moments, Numbers, Overlap, PACKET, Packet, Places, Planes,
    Rows, SIDES_QUEUE, Series, Steps, Wanted, Which, overlap,
};

/// Deposit by the processor's own instruction. A value exists only where the processor has it.
#[derive(Clone, Copy)]
pub(super) struct ByInstruction(());

impl ByInstruction {
    #[inline]
    #[target_feature(enable = "bmi2")]
    pub(super) fn new() -> Self {
        Self(())
    }
}

impl Deposit for ByInstruction {
    #[inline(always)]
    fn deposit(self, subset: u64, cards: u64) -> u64 {
        #[allow(
            unsafe_code,
            reason = "a trait's function cannot name its instructions"
        )]
        // SAFETY: a value of this type exists only where the processor has bmi2.
        unsafe {
            _pdep_u64(subset, cards)
        }
    }
}

macro_rules! compiled_for {
    ($features:literal: $($name:ident $(<$deposit:ident>)? ($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        #[target_feature(enable = $features)]
        pub(super) fn $name($($argument: $type),*) $(-> $result)? {
            portable::$name($($deposit::new(),)? $($argument),*)
        }
    )*};
}
pub(super) use compiled_for;

compiled_for! { "avx2,bmi1,bmi2,popcnt":
    accept_sides(chunk: &[u64; CHUNK], queue: &mut [u64; SIDES_QUEUE], len: usize) -> usize;
    accept_halves(chunk: &[u64; CHUNK], queue: &mut [u32; HALVES_QUEUE], len: usize) -> usize;
    expand<ByInstruction>(sides: &[u64; PACKET], halves: &[u32; 2 * PACKET], packet: &mut Packet);
    split<ByInstruction>(halves: &[u32; PACKET], taken: [&[u64; PACKET]; 2], hands: &mut [u64; PACKET]);
    seat(seats: [usize; 3], hands: &ListedHands, packet: &mut Packet);
    read_cases(fields: Fields, cases: &[u64; PACKET], forms: &mut Forms);
    read_items(layout: ItemLayout<'_>, items: [&[u32; PACKET]; 2], forms: &mut [Forms]);
    fill(by_both: bool, forms: &Forms, bits: &[u64; PACKET], hands: &mut [u64; PACKET]) -> u128;
    fill_next<ByInstruction>(
        by_both: bool, forms: &Forms, bits: &[u64; PACKET], taken: [&[u64; PACKET]; 2], hands: &mut [u64; PACKET]
    ) -> u128;
    find(
        lists: &[[u32; 2]], columns: &[[u32; 3]], which: &[u32; PACKET], words: &[u64; PACKET],
        found: &mut Found
    );
    decide(columns: &[[u32; 3]], found: &Found, items: &mut [u32; PACKET]) -> bool;
    locate(totals: &[[u64; 2]], wanted: &Wanted, found: &mut [u32; PACKET]);
    count(packet: &Packet, with_fits: bool, counters: &mut Counters);
    count_cards(hands: &[u64; PACKET], planes: &mut Planes);
    are_hands(hands: &ListedHands, two: bool, draws: usize) -> bool;
    illegal(packet: &Packet) -> u128;
    spread_keys(packet: &Packet, keys: &mut [u64; PACKET]);
    mix(packet: &Packet, mixed: &mut [u64; PACKET]) -> u64;
    add_moments(packet: &Packet, pool: u64, moments: &mut Moments);
    misfits(hands: &[u64; PACKET], cases: &[u64; PACKET], fields: Fields) -> u128;
    run_steps(steps: &Steps, answers: &dyn Answers, packet: &Packet, columns: &mut Columns);
    first_numbers(series: Series, first: u64, numbers: &mut Numbers);
    places(indexing: Indexing, which: Which, numbers: &Numbers, places: &mut Places);
    lay_rows(high: &[u64; GRAM_CHUNK], low: &[u64; GRAM_CHUNK], deals: usize, rows: &mut Rows);
}

/// Number of deals that plain loops take at a time.
const LANES: usize = 4;

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn count_overlap(hands: &Hands, deals: usize, overlap: &mut Overlap) {
    overlap::count_overlap::<LANES>(hands, deals, overlap);
}
