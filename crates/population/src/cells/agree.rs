//! Compares a case file with the cells of its condition, an independent way to compute the cases.

use super::{CellCases, Cells, CellsError};
use crate::bridge::Seat;
use crate::cases::{CaseFile, ListingError, VerifyError};
use crate::language::{Condition, ConditionError};

/// The reason why a case file and cells could not be compared, or how they differ.
#[derive(Debug, thiserror::Error)]
pub enum Disagreement {
    /// The condition cannot be represented by cells, so nothing was compared.
    #[error(transparent)]
    NotMade(#[from] CellsError),
    /// The file's condition cannot be parsed.
    #[error("the header's condition: {0}")]
    Condition(#[from] ConditionError),
    /// The file's hands are not those of its condition.
    #[error("the header's condition: {0}")]
    Listing(#[from] ListingError),
    /// T differs.
    #[error("the cells of its condition give T = {wanted}, but the header has {found}")]
    Total {
        /// The cells' T.
        wanted: u128,
        /// The header's T.
        found: u128,
    },
    /// The cases or their weights differ.
    #[error("compared with the cells of its condition: {0}")]
    Cases(#[from] VerifyError),
}

/// What was compared of a case file that agrees with its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// T, and every case with its weight.
    Cases,
    /// T and the number of cases. One of two hands is listed by honours alone, and such cells
    /// cannot be listed.
    Counts,
}

/// Compares T and every case of a file, with its weight and in its order, with the cells of
/// the condition in its header.
///
/// Unlike [`CaseFile::verify`], which lists the hands again, this does not use the lister. It does
/// not check checksums, the index or unused bits of the header.
///
/// # Errors
///
/// [`Disagreement::NotMade`] if the condition has no cells to compare with; any other variant
/// describes an error in the file.
pub fn agree<D: AsRef<[u8]> + Sync>(file: &CaseFile<D>) -> Result<Agreement, Disagreement> {
    let header = file.header();
    let condition = Condition::parse("condition of the case file", &header.condition)?;
    let found = file.total();
    let cells = Cells::new(&condition).map_err(|error| match error {
        CellsError::NoDeal => Disagreement::Total { wanted: 0, found },
        error => error.into(),
    })?;
    let wanted = cells.total();
    if wanted != found {
        return Err(Disagreement::Total { wanted, found });
    }
    let found = file.cases();
    let not_all = |wanted| Disagreement::from(VerifyError::NotAllCases { wanted, found });
    if cells.roles.is_apart() {
        return match cells.cases() == u128::from(found) {
            true => Ok(Agreement::Counts),
            false => Err(not_all(u64::try_from(cells.cases()).unwrap_or(u64::MAX))),
        };
    }
    let order = [Some(header.first), header.second];
    let order: Vec<Seat> = order.into_iter().flatten().collect();
    let cases = CellCases::new(&cells, Some(&order), found).map_err(|error| match error {
        ListingError::TooManyCases { cases: wanted, .. } => not_all(wanted),
        error => Disagreement::from(error),
    })?;
    file.verify_cases(&cases)?;
    Ok(Agreement::Cases)
}
