//! Full verification of a case file: checks every bit, and lists the condition again.

use rayon::prelude::*;

use super::census::census;
use super::file::CaseFile;
use super::listing::{Listing, ListingError};
use super::record::DamagedRecord;
use super::sections::Sections;
use super::source::{CaseChunk, CaseSource};
use super::weight::weight;
use crate::language::{Condition, ConditionError};

/// An error in a case file whose header is valid. Cases count from 1.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A record that no listing writes.
    #[error("case {case}: {damage}")]
    Record {
        /// The case's number, from 1.
        case: u64,
        /// The error in the record.
        damage: DamagedRecord,
    },
    /// The record does not have the number of hands that the header names.
    #[error("case {0}: it determines a different number of hands than the header names")]
    Hands(u64),
    /// The cumulative total does not increase.
    #[error("case {0}: the cumulative total does not increase")]
    NotRising(u64),
    /// The total does not increase by the case's weight.
    #[error("case {case}: the total increases by {found}, but the weight of the case is {wanted}")]
    Weight {
        /// The case's number, from 1.
        case: u64,
        /// The case's weight.
        wanted: u64,
        /// The difference of the totals.
        found: u128,
    },
    /// The last total is not T.
    #[error("the last total is {found}, but the header's T is {wanted}")]
    Total {
        /// The header's T.
        wanted: u128,
        /// The last record's total.
        found: u128,
    },
    /// A section does not follow from the records.
    #[error("the sections do not follow from the records")]
    Sections,
    /// A checksum does not match.
    #[error("the checksum does not match")]
    Hash,
    /// The header's condition cannot be parsed.
    #[error("the header's condition: {0}")]
    Condition(#[from] ConditionError),
    /// The header's condition cannot be listed.
    #[error("the header's condition: {0}")]
    Listing(#[from] ListingError),
    /// The condition has different cases.
    #[error("case {0}: the header's condition has a different case here")]
    NotTheCondition(u64),
    /// The condition has more or fewer cases than the file.
    #[error("the header's condition has {wanted} cases, but the file has {found}")]
    NotAllCases {
        /// Number of cases of the condition.
        wanted: u64,
        /// Number of records in the file.
        found: u64,
    },
}

/// Number of records that a worker checks at a time.
const STRETCH: usize = 1 << 16;

impl<D: AsRef<[u8]> + Sync> CaseFile<D> {
    /// Checks everything: every record, increasing totals, weights recomputed from pattern and
    /// honours, T, the sections, the checksums, and that the cases equal a new listing of the header's
    /// condition.
    ///
    /// # Errors
    ///
    /// [`VerifyError`] with the first error found. Any flipped bit is detected.
    pub fn verify(&self) -> Result<(), VerifyError> {
        self.verify_records()?;
        self.verify_total()?;
        self.verify_sections()?;
        if !self.checksums_match() {
            return Err(VerifyError::Hash);
        }
        self.verify_listing()
    }

    fn verify_records(&self) -> Result<(), VerifyError> {
        let records = self.records();
        let two_hands = self.header().second.is_some();
        let check = |(stretch, records): (usize, &[super::CaseRecord])| {
            let start = (stretch * STRETCH) as u64;
            let mut before = self.total_before(start);
            for (case, record) in (start + 1..).zip(records) {
                let hands = record
                    .case()
                    .map_err(|damage| VerifyError::Record { case, damage })?;
                if hands.second.is_some() != two_hands {
                    return Err(VerifyError::Hands(case));
                }
                if record.total() <= before {
                    return Err(VerifyError::NotRising(case));
                }
                let wanted = weight(hands.first, hands.second);
                let found = record.total() - before;
                if u128::from(wanted) != found {
                    return Err(VerifyError::Weight {
                        case,
                        wanted,
                        found,
                    });
                }
                before = record.total();
            }
            Ok(())
        };
        let stretches = records.par_chunks(STRETCH).enumerate();
        let first_wrong = stretches.find_map_first(|stretch| check(stretch).err());
        first_wrong.map_or(Ok(()), Err)
    }

    /// Checks that the last total is T.
    fn verify_total(&self) -> Result<(), VerifyError> {
        let (wanted, found) = (self.total(), self.total_before(self.cases()));
        if wanted == found {
            Ok(())
        } else {
            Err(VerifyError::Total { wanted, found })
        }
    }

    /// Makes the sections again and compares their bytes.
    fn verify_sections(&self) -> Result<(), VerifyError> {
        let read = |first: u64, records: &mut [super::CaseRecord]| {
            records.copy_from_slice(&self.records()[first as usize..][..records.len()]);
            Ok(())
        };
        let sections = Sections::of(self.header(), &read).expect("memory is read without an error");
        let mut rest = self.sections();
        for piece in sections.pieces() {
            rest = rest.strip_prefix(piece).ok_or(VerifyError::Sections)?;
        }
        match rest {
            [] => Ok(()),
            _ => Err(VerifyError::Sections),
        }
    }

    /// Lists the condition again and compares case by case.
    fn verify_listing(&self) -> Result<(), VerifyError> {
        let header = self.header();
        let condition = Condition::parse("condition of the case file", &header.condition)?;
        let order: Vec<_> = [Some(header.first), header.second]
            .into_iter()
            .flatten()
            .collect();
        let listing = Listing::new(&condition, Some(&order))?;
        let wanted = census(&condition, &listing)?.cases;
        if wanted != self.cases() {
            let found = self.cases();
            return Err(VerifyError::NotAllCases { wanted, found });
        }
        self.verify_cases(&listing)
    }

    /// Compares all cases one by one with those of another source of the same condition.
    ///
    /// # Errors
    ///
    /// [`VerifyError::NotAllCases`] or [`VerifyError::NotTheCondition`].
    pub(crate) fn verify_cases(&self, source: &impl CaseSource) -> Result<(), VerifyError> {
        let chunks = source.chunks();
        let wanted = chunks.iter().map(|chunk| chunk.cases).sum();
        if wanted != self.cases() {
            let found = self.cases();
            return Err(VerifyError::NotAllCases { wanted, found });
        }
        let records = self.records();
        let check = |chunk: &CaseChunk| {
            let mut wrong = None;
            source.records(chunk, |case, record| {
                if wrong.is_none() && records.get(case as usize) != Some(&record) {
                    wrong = Some(case + 1);
                }
            });
            wrong
        };
        let first_wrong = chunks.par_iter().find_map_first(check);
        first_wrong.map_or(Ok(()), |case| Err(VerifyError::NotTheCondition(case)))
    }
}
