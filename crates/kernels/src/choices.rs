//! Choices from lists, one look-up each.
//!
//! A list is described by the place of its first column and by k, where it has 2^k columns. The k
//! high bits of a word select the column, which holds a threshold and two items. The next 32 bits
//! decide: the first item if they are below the threshold, the second if they are above it. If they
//! are equal, it is a tie.

use super::{PACKET, prefetch};

/// The columns that words select, and the 32 bits that decide.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct SelectedColumns {
    /// The column of each deal.
    pub places: [u32; PACKET],
    /// The 32 bits that decide between its two items.
    pub next: [u32; PACKET],
}

impl Default for SelectedColumns {
    fn default() -> Self {
        Self {
            places: [0; PACKET],
            next: [0; PACKET],
        }
    }
}

/// Up to this many columns are in a near cache anyway.
const NEAR: usize = 1 << 14;

/// Prefetches columns before they are read.
#[inline(always)]
fn fetch(columns: &[[u32; 3]], found: &SelectedColumns) {
    if columns.len() > NEAR {
        for &place in &found.places {
            prefetch(columns, place as usize);
        }
    }
}

/// See [`find`](super::find).
#[inline(always)]
pub(super) fn find(
    lists: &[[u32; 2]],
    columns: &[[u32; 3]],
    which: &[u32; PACKET],
    words: &[u64; PACKET],
    found: &mut SelectedColumns,
) {
    for i in 0..PACKET {
        let [start, bits] = lists[which[i] as usize];
        // The column is the top bits of the word, and 0 for a list of one.
        let column = (words[i] >> 1 >> (63 - bits % 64)) as u32;
        found.next[i] = (words[i] << (bits % 64) >> 32) as u32;
        found.places[i] = start + column;
    }
    fetch(columns, found);
}

/// See [`decide`](super::decide).
#[inline(always)]
pub(super) fn decide(
    columns: &[[u32; 3]],
    found: &SelectedColumns,
    items: &mut [u32; PACKET],
) -> bool {
    let mut ties = 0;
    for i in 0..PACKET {
        let [threshold, own, alias] = columns[found.places[i] as usize];
        items[i] = if found.next[i] < threshold {
            own
        } else {
            alias
        };
        ties += u32::from(found.next[i] == threshold);
    }
    ties > 0
}

#[cfg(target_arch = "x86_64")]
pub(super) mod avx512 {
    //! Eight choices at a time.

    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_cmpeq_epu32_mask, _mm256_cmpge_epu32_mask, _mm256_min_epu32,
        _mm256_set1_epi32, _mm512_add_epi64, _mm512_and_si512, _mm512_cvtepi64_epi32,
        _mm512_cvtepu32_epi64, _mm512_i32gather_epi64, _mm512_i64gather_epi32,
        _mm512_mask_blend_epi64, _mm512_min_epu64, _mm512_set1_epi64, _mm512_slli_epi64,
        _mm512_sllv_epi64, _mm512_srli_epi64, _mm512_srlv_epi64, _mm512_sub_epi64,
    };

    use super::super::PACKET;
    use super::super::vectors::{load, load_32, store_32};
    use super::{SelectedColumns, fetch};

    /// See [`find`](super::super::find).
    #[target_feature(enable = "avx512f,avx512vl,avx2")]
    pub(in super::super) fn find(
        lists: &[[u32; 2]],
        columns: &[[u32; 3]],
        which: &[u32; PACKET],
        words: &[u64; PACKET],
        found: &mut SelectedColumns,
    ) {
        assert!(!lists.is_empty(), "no lists to choose from");
        let places = found.places.as_chunks_mut::<8>().0.iter_mut();
        let stores = places.zip(found.next.as_chunks_mut::<8>().0);
        let loads = which
            .as_chunks::<8>()
            .0
            .iter()
            .zip(words.as_chunks::<8>().0);
        for ((places, nexts), (which, words)) in stores.zip(loads) {
            let words = load(words);
            let list = gather_lists(lists, load_32(which));
            let bits = _mm512_srli_epi64::<32>(list);
            let start = _mm512_and_si512(list, _mm512_set1_epi64(0xFFFF_FFFF));
            // A shift by 64 places makes a word 0.
            let column = _mm512_srlv_epi64(words, _mm512_sub_epi64(_mm512_set1_epi64(64), bits));
            let place = _mm512_add_epi64(start, column);
            store_32(places, _mm512_cvtepi64_epi32(place));
            let next = _mm512_srli_epi64::<32>(_mm512_sllv_epi64(words, bits));
            store_32(nexts, _mm512_cvtepi64_epi32(next));
        }
        fetch(columns, found);
    }

    /// See [`decide`](super::super::decide).
    #[target_feature(enable = "avx512f,avx512vl,avx2")]
    pub(in super::super) fn decide(
        columns: &[[u32; 3]],
        found: &SelectedColumns,
        items: &mut [u32; PACKET],
    ) -> bool {
        assert!(!columns.is_empty(), "no columns to choose from");
        let [first, second, third] = [0, 1, 2].map(|word| _mm512_set1_epi64(word));
        let mut ties = 0;
        let loads = found.places.as_chunks::<8>().0.iter();
        let loads = loads.zip(found.next.as_chunks::<8>().0);
        for (items, (places, next)) in items.as_chunks_mut::<8>().0.iter_mut().zip(loads) {
            let (places, next) = (load_32(places), load_32(next));
            let threshold = gather_words(columns, places, first);
            ties |= _mm256_cmpeq_epu32_mask(next, threshold);
            let is_alias = _mm256_cmpge_epu32_mask(next, threshold);
            let word = _mm512_mask_blend_epi64(is_alias, second, third);
            store_32(items, gather_words(columns, places, word));
        }
        ties != 0
    }

    /// Gathers eight lists; a place beyond the lists gives the last list.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl,avx2")]
    fn gather_lists(lists: &[[u32; 2]], which: __m256i) -> __m512i {
        let last = i32::try_from(lists.len() - 1).unwrap_or(i32::MAX);
        let which = _mm256_min_epu32(which, _mm256_set1_epi32(last));
        // SAFETY: every index is below the number of lists, each of eight bytes.
        #[allow(unsafe_code, reason = "gathers take pointers")]
        unsafe {
            _mm512_i32gather_epi64::<8>(which, lists.as_ptr().cast())
        }
    }

    /// Gathers word 0, 1 or 2 of eight columns; a place beyond the columns gives a word of the
    /// last.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn gather_words(columns: &[[u32; 3]], places: __m256i, word: __m512i) -> __m256i {
        let last = _mm512_set1_epi64((columns.len() - 1) as i64);
        let places = _mm512_min_epu64(_mm512_cvtepu32_epi64(places), last);
        let start = _mm512_add_epi64(places, _mm512_slli_epi64::<1>(places));
        let word = _mm512_min_epu64(word, _mm512_set1_epi64(2));
        // SAFETY: every index is below three times the number of columns, and each column is three
        // words of four bytes.
        #[allow(unsafe_code, reason = "gathers take pointers")]
        unsafe {
            _mm512_i64gather_epi32::<4>(_mm512_add_epi64(start, word), columns.as_ptr().cast())
        }
    }
}
