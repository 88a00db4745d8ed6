//! Proving a case file: every bit of it checked, and its listing made again.

use rayon::prelude::*;

use super::census::census;
use super::file::CaseFile;
use super::header::checksum;
use super::listing::{Listing, ListingError};
use super::record::DamagedRecord;
use super::source::{Chunk, Source};
use super::weight::weight;
use crate::language::{Condition, ConditionError};

/// What is wrong with a case file whose header is sound. Cases count from 1.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A record that no listing writes.
    #[error("case {case}: {damage}")]
    Record {
        /// Which case, from 1.
        case: u64,
        /// What is wrong with it.
        damage: DamagedRecord,
    },
    /// The record's hands are not those of the header.
    #[error("case {0}: it determines a different number of hands than the header names")]
    Hands(u64),
    /// The cumulative total does not rise.
    #[error("case {0}: the cumulative total does not increase")]
    NotRising(u64),
    /// The total does not rise by the case's weight.
    #[error("case {case}: the total increases by {found}, but the weight of the case is {wanted}")]
    Weight {
        /// Which case, from 1.
        case: u64,
        /// The case's weight.
        wanted: u64,
        /// What the totals say.
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
    /// An index entry is not the total before its record.
    #[error("index entry {0} does not equal the total before its record")]
    Index(usize),
    /// A checksum does not fit.
    #[error("the checksum of the {0} does not match")]
    Hash(&'static str),
    /// The header's condition cannot be read.
    #[error("the header's condition: {0}")]
    Condition(#[from] ConditionError),
    /// The header's condition cannot be listed.
    #[error("the header's condition: {0}")]
    Listing(#[from] ListingError),
    /// The header's condition has no listing of the header's seats.
    #[error("the header's condition has no listing of the header's seats")]
    NoListing,
    /// What the record fixes of its hands is not what the condition lists.
    #[error(
        "case {0}: it does not determine the features of its hands that the header's condition lists"
    )]
    Fixed(u64),
    /// Cases do not come in their order.
    #[error("case {0}: it is out of order")]
    Order(u64),
    /// The hands do not satisfy the condition.
    #[error("case {0}: its hands do not satisfy the header's condition")]
    Unwanted(u64),
    /// The condition has another T.
    #[error("the header's condition has T = {wanted}, but the file has {found}")]
    WrongTotal {
        /// The condition's T.
        wanted: u128,
        /// The header's.
        found: u128,
    },
    /// The condition has other cases than the file.
    #[error("case {0}: the header's condition has a different case here")]
    NotTheCondition(u64),
    /// The condition has more or fewer cases than the file.
    #[error("the header's condition has {wanted} cases, but the file has {found}")]
    NotAllCases {
        /// Cases of the condition.
        wanted: u64,
        /// Records of the file.
        found: u64,
    },
}

/// Records that a worker checks at a time.
const STRETCH: usize = 1 << 16;

impl<D: AsRef<[u8]> + Sync> CaseFile<D> {
    /// Checks everything: every record, rising totals, weights recomputed from
    /// pattern and honours, T, the index, the checksums, and that the cases are
    /// those of the header's condition, listed again.
    ///
    /// # Errors
    ///
    /// The first thing found wrong. A flipped bit anywhere is found.
    pub fn verify(&self) -> Result<(), VerifyError> {
        self.verify_records()?;
        self.verify_total()?;
        self.verify_index()?;
        if !self.records_are_sound() {
            return Err(VerifyError::Hash("records"));
        }
        self.verify_listing()
    }

    fn verify_records(&self) -> Result<(), VerifyError> {
        let records = self.records();
        let two_hands = self.header().second.is_some();
        let deck = self.deck();
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
                let wanted = weight(&deck, hands.first, hands.second);
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

    /// The last total is T.
    pub(super) fn verify_total(&self) -> Result<(), VerifyError> {
        let (wanted, found) = (self.total(), self.total_before(self.cases()));
        if wanted == found {
            Ok(())
        } else {
            Err(VerifyError::Total { wanted, found })
        }
    }

    /// Every index entry is the total before its record, and their checksum fits.
    pub(super) fn verify_index(&self) -> Result<(), VerifyError> {
        let interval = u64::from(self.header().interval);
        let wrong = self
            .index()
            .enumerate()
            .find(|&(entry, before)| before != self.total_before(entry as u64 * interval));
        if let Some((entry, _)) = wrong {
            return Err(VerifyError::Index(entry));
        }
        if checksum(self.index_bytes()) != self.header().index_hash {
            return Err(VerifyError::Hash("index"));
        }
        Ok(())
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
        self.verify_cases(&condition, &listing)
    }

    /// Compares all cases with those of the same condition from elsewhere, one by one.
    ///
    /// # Errors
    ///
    /// [`VerifyError::NotAllCases`], [`VerifyError::NotTheCondition`], or that the arithmetic
    /// of the condition fails.
    pub fn verify_cases(
        &self,
        condition: &Condition,
        source: &impl Source,
    ) -> Result<(), VerifyError> {
        let evaluation = |error| ListingError::from(condition.evaluation_error(&error));
        let chunks = source.chunks().map_err(evaluation)?;
        let wanted = chunks.iter().map(|chunk| chunk.cases).sum();
        if wanted != self.cases() {
            let found = self.cases();
            return Err(VerifyError::NotAllCases { wanted, found });
        }
        let records = self.records();
        let check = |chunk: &Chunk| {
            let mut wrong = None;
            let listed = source.records(chunk, |case, record| {
                if wrong.is_none() && records.get(case as usize) != Some(&record) {
                    wrong = Some(case + 1);
                }
            });
            listed.map_err(evaluation)?;
            wrong.map_or(Ok(()), |case| Err(VerifyError::NotTheCondition(case)))
        };
        let first_wrong = chunks.par_iter().find_map_first(|chunk| check(chunk).err());
        first_wrong.map_or(Ok(()), Err)
    }
}
