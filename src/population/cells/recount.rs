//! Recounts a case file by the cells of its condition if the census takes too long.

use super::{Budget, Cells, CellsError};
use crate::bridge::Seat;
use crate::language::{Condition, Plan};
use crate::population::cases::{self, CaseFile, Census, Recounted, VerifyError};

/// Maximum number of steps to make the cells: about a tenth of a second.
const STEPS: u64 = 100_000_000;
const BYTES: u64 = 1 << 28;

/// Compares a case file with the listing of the condition in its header, within a budget of about a
/// tenth of a second. If the budget of [`cases::recount`] does not cover T and the number of cases,
/// they are compared with the cells of the condition. The checksum of the records is not checked.
///
/// # Errors
///
/// [`VerifyError`] with the first difference found.
pub fn recount<D: AsRef<[u8]> + Sync>(file: &CaseFile<D>) -> Result<Recounted, VerifyError> {
    let recounted = cases::recount(file)?;
    if recounted > Recounted::Sample {
        return Ok(recounted);
    }
    let header = file.header();
    let condition = Condition::parse("condition of the case file", &header.condition)?;
    let cells = match Cells::within(&condition, &Budget::new(STEPS, BYTES)) {
        Ok(cells) => cells,
        Err(CellsError::NoDeal) => return Err(VerifyError::NoListing),
        Err(_) => return Ok(recounted),
    };
    let total = cells.total();
    let cases = if cells.roles.is_apart() {
        u64::try_from(cells.cases()).ok()
    } else {
        let order = [Some(header.first), header.second];
        let order: Vec<Seat> = order.into_iter().flatten().collect();
        match Plan::new(&condition, Some(&order)) {
            Ok(Plan::Listed { first, second }) => {
                let census = cells.census([Some(first), second]);
                census.map(|census| census.cases)
            }
            _ => None,
        }
    };
    match cases {
        Some(cases) => {
            file.compare_totals(Census { cases, total })?;
            Ok(recounted.with_totals(file))
        }
        // Compare T alone.
        None if total != file.total() => {
            let (wanted, found) = (total, file.total());
            Err(VerifyError::WrongTotal { wanted, found })
        }
        None => Ok(recounted),
    }
}
