//! The deals of a case file by number: the fast version of [`reference`](super::reference).

use super::complete::{CompletionTable, DamagedCase};
use crate::bridge::Deal;
use crate::bridge::combinatorics::DEALS;
use crate::population::cases::CaseFile;

/// Returns the deal with a number below T and a completion.
///
/// # Errors
///
/// [`DamagedCase`] if the number or the completion is too large, or the file was modified after it
/// was opened.
pub fn deal_of_number<D: AsRef<[u8]>>(
    file: &CaseFile<D>,
    number: u128,
    completion: u64,
) -> Result<Deal, DamagedCase> {
    let found = file.locate(number);
    let found = found.ok_or(DamagedCase::NoCase(number))?;
    // A weight fits in 64 bits; a larger one means that the file is damaged.
    let weight = u64::try_from(found.weight).map_err(|_| DamagedCase::Weight)?;
    let table = CompletionTable::of(file);
    if completion >= table.completions() {
        return Err(DamagedCase::NoCompletion(completion));
    }
    let rest = found.rest as u64;
    table.deal(found.record.case()?, (rest, weight), completion)
}

/// Returns the number of a deal of this case: [`deal_of_number`]'s number times the number of
/// completions, plus the completion.
///
/// # Errors
///
/// [`DamagedCase`] if the deal does not belong to the case, or the file was modified after it was
/// opened.
pub fn number_of_deal<D: AsRef<[u8]>>(
    file: &CaseFile<D>,
    case: u64,
    deal: &Deal,
) -> Result<u128, DamagedCase> {
    let record = usize::try_from(case)
        .ok()
        .and_then(|case| file.records().get(case));
    let record = record.ok_or(DamagedCase::NoCase(case.into()))?;
    let table = CompletionTable::of(file);
    let completions = u128::from(table.completions());
    // Ensures that no number of the file reaches D, the number of all deals.
    if record.total() > file.total() || file.total() > DEALS / completions {
        return Err(DamagedCase::Totals);
    }
    let before = file.total_before(case);
    let weight = record.total().checked_sub(before);
    let weight = weight.and_then(|weight| u64::try_from(weight).ok());
    let weight = weight.ok_or(DamagedCase::Weight)?;
    let (rest, completion) = table.numbers(record.case()?, deal, weight)?;
    let place = before + u128::from(rest);
    Ok(place * completions + u128::from(completion))
}
