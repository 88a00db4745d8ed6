//! A case packed into 16 bytes.

use bytemuck::{Pod, Zeroable};

use crate::bridge::{Honours, PatternIndex};
use crate::language::HandCase;

const TOTAL_BITS: u32 = 73;
const FIRST_PATTERN: u32 = 73;
const SECOND_PATTERN: u32 = 83;
const FIRST_HONOURS: u32 = 93;
const SECOND_HONOURS: u32 = 109;
const USED_BITS: u32 = 125;
const PATTERN_OFF: u16 = 560;
const HONOURS_OFF: u16 = 0xFFFF;

/// A case and the cumulative total up to and including it, in the file's representation.
///
/// One little-endian `u128`: bits 0-72 are the total, 73-82 and 83-92 the first and second hand's
/// pattern (560 is off), 93-108 and 109-124 their honours (0xFFFF is off), 125-127 zero. This is
/// the record of the dealing-with-constraints essay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct CaseRecord(u128);

const _: () = assert!(size_of::<CaseRecord>() == 16);
const _: () = assert!(align_of::<CaseRecord>() == 16);

/// The listed hands of a record; the second is `None` if only one hand is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The first hand.
    pub first: HandCase,
    /// The second hand.
    pub second: Option<HandCase>,
}

/// A field of a record that can vary from one record to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The pattern of the first hand.
    FirstPattern,
    /// The pattern of the second hand.
    SecondPattern,
    /// The honours of the first hand.
    FirstHonours,
    /// The honours of the second hand.
    SecondHonours,
}

/// Bits that no valid listing contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DamagedRecord {
    /// The pattern number is above 560.
    #[error("pattern {0} is out of range: there are 560 patterns")]
    Pattern(u16),
    /// A hand has more than 13 honours.
    #[error("honours {0:#06x} do not fit in a hand")]
    Honours(u16),
    /// One of the three unused bits is set.
    #[error("an unused bit is set")]
    UnusedBit,
    /// The first hand has neither a pattern nor honours.
    #[error("the first hand has neither a pattern nor honours")]
    NoFirstHand,
    /// One hand is listed by pattern alone and the other by honours alone.
    #[error("one hand has only a pattern and the other only honours")]
    NoPlainWeight,
}

impl CaseRecord {
    /// Packs a case and its cumulative total.
    ///
    /// # Panics
    ///
    /// In debug builds, if the total does not fit in 73 bits.
    pub fn new(total: u128, case: Case) -> Self {
        debug_assert!(total >> TOTAL_BITS == 0);
        let second = case.second.unwrap_or_default();
        let bits = total
            | pattern_bits(case.first) << FIRST_PATTERN
            | pattern_bits(second) << SECOND_PATTERN
            | honours_bits(case.first) << FIRST_HONOURS
            | honours_bits(second) << SECOND_HONOURS;
        Self(bits.to_le())
    }

    /// The cumulative total up to and including this case.
    #[inline]
    pub const fn total(self) -> u128 {
        u128::from_le(self.0) & ((1 << TOTAL_BITS) - 1)
    }

    /// The record's upper half without the total: the bits that describe the hands.
    #[inline]
    pub const fn hands_bits(self) -> u64 {
        (u128::from_le(self.0) >> 64) as u64 & !((1 << (TOTAL_BITS - 64)) - 1)
    }

    /// The bits of [`CaseRecord::hands_bits`] that hold this field.
    #[inline]
    pub const fn mask(field: Field) -> u64 {
        match field {
            Field::FirstPattern => 0x3FF << (FIRST_PATTERN - 64),
            Field::SecondPattern => 0x3FF << (SECOND_PATTERN - 64),
            Field::FirstHonours => 0xFFFF << (FIRST_HONOURS - 64),
            Field::SecondHonours => 0xFFFF << (SECOND_HONOURS - 64),
        }
    }

    /// The value of this field in [`CaseRecord::hands_bits`] if it is off.
    pub(crate) const fn off(field: Field) -> u64 {
        let off = match field {
            Field::FirstPattern | Field::SecondPattern => PATTERN_OFF,
            Field::FirstHonours | Field::SecondHonours => HONOURS_OFF,
        };
        (off as u64) << Self::mask(field).trailing_zeros()
    }

    /// Whether this field is off.
    #[inline]
    pub const fn is_off(self, field: Field) -> bool {
        self.hands_bits() & Self::mask(field) == Self::off(field)
    }

    /// The position of a field's lowest bit in [`CaseRecord::hands_bits`]; `None` if it is off.
    #[inline]
    pub fn bit(self, field: Field) -> Option<u32> {
        (!self.is_off(field)).then(|| Self::mask(field).trailing_zeros())
    }

    /// A field's raw number.
    #[inline]
    pub const fn raw(self, field: Field) -> usize {
        let mask = Self::mask(field);
        ((self.hands_bits() & mask) >> mask.trailing_zeros()) as usize
    }

    /// The sort key of the hands in a case file: patterns ascending by number; honours ascending by
    /// HCP, and descending by bitmap within one HCP total; the first hand before the second.
    pub(super) const fn order_key(self) -> u64 {
        let first = Self::place(
            self.raw(Field::FirstPattern),
            self.raw(Field::FirstHonours) as u16,
        );
        let second = Self::place(
            self.raw(Field::SecondPattern),
            self.raw(Field::SecondHonours) as u16,
        );
        first << 32 | second
    }

    /// The sort key of a hand: 10 bits of pattern, 6 of HCP, 16 of inverted honours.
    const fn place(pattern: usize, honours: u16) -> u64 {
        let points = Honours::from_bits(honours).hcp() as u64;
        (pattern as u64) << 22 | points << 16 | !honours as u64
    }

    #[inline]
    const fn field(self, shift: u32) -> u16 {
        (u128::from_le(self.0) >> shift) as u16
    }

    /// Unpacks the case.
    ///
    /// # Errors
    ///
    /// [`DamagedRecord`] for bits that no valid listing contains.
    #[inline]
    pub fn case(self) -> Result<Case, DamagedRecord> {
        if u128::from_le(self.0) >> USED_BITS != 0 {
            return Err(DamagedRecord::UnusedBit);
        }
        let first = self.hand(FIRST_PATTERN, FIRST_HONOURS)?;
        let second = self.hand(SECOND_PATTERN, SECOND_HONOURS)?;
        let first = first.ok_or(DamagedRecord::NoFirstHand)?;
        let mixed = |a: HandCase, b: HandCase| a.honours.is_none() && b.pattern.is_none();
        match second {
            Some(second) if mixed(first, second) || mixed(second, first) => {
                Err(DamagedRecord::NoPlainWeight)
            }
            _ => Ok(Case { first, second }),
        }
    }

    #[inline]
    fn hand(self, pattern: u32, honours: u32) -> Result<Option<HandCase>, DamagedRecord> {
        let pattern = match self.field(pattern) & 0x3FF {
            PATTERN_OFF => None,
            number => Some(PatternIndex::new(number).ok_or(DamagedRecord::Pattern(number))?),
        };
        let honours = match self.field(honours) {
            HONOURS_OFF => None,
            bits => Some(Honours::from_bits(bits)),
        };
        if let Some(map) = honours.filter(|map| !map.fits_in_a_hand()) {
            return Err(DamagedRecord::Honours(map.bits()));
        }
        let fixes_something = pattern.is_some() || honours.is_some();
        Ok(fixes_something.then_some(HandCase { pattern, honours }))
    }
}

fn pattern_bits(hand: HandCase) -> u128 {
    hand.pattern
        .map_or(u128::from(PATTERN_OFF), |index| index.get() as u128)
}

fn honours_bits(hand: HandCase) -> u128 {
    u128::from(hand.honours.map_or(HONOURS_OFF, Honours::bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_uses_125_of_its_128_bits() {
        let all_off = Case {
            first: HandCase::default(),
            second: None,
        };
        let honours = Honours::from_bits(0xFFF8);
        let pattern = PatternIndex::new(559);
        let full = HandCase {
            pattern,
            honours: Some(honours),
        };
        let case = Case {
            first: full,
            second: Some(full),
        };
        let record = CaseRecord::new((1 << 73) - 1, case);
        assert_eq!(record.total(), (1 << 73) - 1);
        assert_eq!(record.case(), Ok(case));
        let off = CaseRecord::new((1 << 73) - 1, all_off);
        assert_eq!(u128::from_le(off.0).leading_zeros(), 128 - USED_BITS);
        assert_eq!(off.case(), Err(DamagedRecord::NoFirstHand));
    }

    #[test]
    fn the_largest_total_needs_73_bits() {
        use crate::bridge::combinatorics::choose;
        let largest = choose(52, 13) * choose(39, 13);
        assert_eq!(128 - largest.leading_zeros(), TOTAL_BITS);
    }

    #[test]
    fn records_are_seen_as_bytes_and_as_words_without_copying() {
        let case = Case {
            first: HandCase {
                pattern: PatternIndex::new(7),
                honours: None,
            },
            second: None,
        };
        let totals = [1u128, 1 << 63, (1 << 72) + 5];
        let records = totals.map(|total| CaseRecord::new(total, case));
        let bytes: &[u8] = bytemuck::cast_slice(&records);
        assert_eq!(bytes.len(), 48);
        let again: &[CaseRecord] = bytemuck::cast_slice(bytes);
        assert_eq!(again, records);
        let words: &[[u64; 2]] = bytemuck::cast_slice(again);
        for ([low, high], (total, record)) in words.iter().zip(totals.iter().zip(&records)) {
            assert_eq!(u64::from_le(*low), *total as u64);
            assert_eq!(u64::from_le(*high) & !0x1FF, record.hands_bits());
        }
    }

    #[test]
    fn bits_that_no_listing_writes_are_refused() {
        let off = 560u128 << SECOND_PATTERN | 0xFFFF << SECOND_HONOURS;
        let record = |bits: u128| CaseRecord(bits.to_le()).case();
        let alone = off | 0xFFFF << FIRST_HONOURS;
        assert!(record(alone | 559 << FIRST_PATTERN).is_ok());
        assert_eq!(
            record(alone | 561 << FIRST_PATTERN),
            Err(DamagedRecord::Pattern(561))
        );
        assert_eq!(
            record(off | 560 << FIRST_PATTERN | 0xFFFE << FIRST_HONOURS),
            Err(DamagedRecord::Honours(0xFFFE))
        );
        assert_eq!(record(alone | 1 << 127), Err(DamagedRecord::UnusedBit));
        let second_by_honours = 0xFFFFu128 << FIRST_HONOURS | 560 << SECOND_PATTERN;
        assert_eq!(record(second_by_honours), Err(DamagedRecord::NoPlainWeight));
    }
}
