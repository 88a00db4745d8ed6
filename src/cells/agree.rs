//! A case file laid beside the cells of its condition: two ways to the same cases.

use super::{CellCases, Cells, Unfactored};
use crate::cards::Seat;
use crate::cases::{CaseFile, ListingError, VerifyError};
use crate::condition::{Condition, ConditionError};

/// What cells cannot say of a case file, or say against it.
#[derive(Debug, thiserror::Error)]
pub enum Disagreement {
    /// No cells can be made of its condition: nothing was compared.
    #[error(transparent)]
    NotMade(#[from] Unfactored),
    /// Its condition cannot be read.
    #[error("the header's condition: {0}")]
    Condition(#[from] ConditionError),
    /// Its hands are not those of its condition.
    #[error("the header's condition: {0}")]
    Listing(#[from] ListingError),
    /// T is another.
    #[error("the cells of its condition come to T = {wanted}, and the header says {found}")]
    Total {
        /// The cells' T.
        wanted: u128,
        /// The header's.
        found: u128,
    },
    /// The cases, or what they weigh, are others.
    #[error("by the cells of its condition, {0}")]
    Cases(#[from] VerifyError),
}

/// Compares T and every case of a file, with its weight and in its order, with the cells of
/// the condition in its header.
///
/// Beside [`CaseFile::verify`], which lists the hands again, this shares none of the lister's
/// way to find cases. It does not look at checksums, the index or spare bits of the header.
///
/// # Errors
///
/// [`Disagreement::NotMade`] if there are no cells to compare it with; any other says
/// what is wrong with the file.
pub fn agree<D: AsRef<[u8]> + Sync>(file: &CaseFile<D>) -> Result<(), Disagreement> {
    let header = file.header();
    let condition = Condition::parse("condition of the case file", &header.condition)?;
    let found = file.total();
    let cells = Cells::new(&condition).map_err(|error| match error {
        Unfactored::NoDeal => Disagreement::Total { wanted: 0, found },
        error => error.into(),
    })?;
    let wanted = cells.total();
    if wanted != found {
        return Err(Disagreement::Total { wanted, found });
    }
    let order = [Some(header.first), header.second];
    let order: Vec<Seat> = order.into_iter().flatten().collect();
    let found = file.cases();
    let cases = CellCases::new(&cells, Some(&order), found).map_err(|error| match error {
        ListingError::TooManyCases { cases: wanted, .. } => {
            VerifyError::NotAllCases { wanted, found }.into()
        }
        error => Disagreement::from(error),
    })?;
    Ok(file.verify_cases(&condition, &cases)?)
}
