//! A case file laid beside the cells of its condition: two ways to the same cases.

use super::{CellCases, Cells, Unfactored};
use crate::bridge::Seat;
use crate::language::{Condition, ConditionError};
use crate::population::cases::{CaseFile, ListingError, VerifyError};

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
    #[error("the cells of its condition give T = {wanted}, but the header has {found}")]
    Total {
        /// The cells' T.
        wanted: u128,
        /// The header's.
        found: u128,
    },
    /// The cases, or what they weigh, are others.
    #[error("compared with the cells of its condition: {0}")]
    Cases(#[from] VerifyError),
}

/// What cells say of a case file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// T, and every case with its weight.
    Cases,
    /// T and the number of cases: one hand of two is listed by honours alone, which cells know
    /// without its patterns, and no listing is made of that.
    Counts,
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
pub fn agree<D: AsRef<[u8]> + Sync>(file: &CaseFile<D>) -> Result<Agreement, Disagreement> {
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
    file.verify_cases(&condition, &cases)?;
    Ok(Agreement::Cases)
}
