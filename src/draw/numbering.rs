//! The deals of a case file by number: the fast way of [`reference`](super::reference).

use super::complete::{self, DamagedCase};
use super::completions;
use crate::cards::{Deal, Hand, Seat};
use crate::cases::{Case, CaseFile};
use crate::combinatorics::DEALS;

/// The deal of a number below T and a number below the completions, the fast
/// way; `index` is [`CaseFile::load_index`]'s.
///
/// # Errors
///
/// [`DamagedCase`] if either number is too large, or the file was altered since
/// it was opened.
pub fn deal_of_number<D: AsRef<[u8]>>(
    file: &CaseFile<D>,
    index: &[u128],
    number: u128,
    completion: u64,
) -> Result<Deal, DamagedCase> {
    let found = file.locate(index, number);
    let found = found.ok_or(DamagedCase::NoCase(number))?;
    // A weight fits in 64 bits, so one that does not is damage.
    let weight = u64::try_from(found.weight).map_err(|_| DamagedCase::Weight)?;
    let seats = (file.header().first, file.header().second);
    if completion >= completions(seats.1) {
        return Err(DamagedCase::NoCompletion(completion));
    }
    deal_of(
        found.record.case()?,
        seats,
        (found.rest as u64, weight),
        completion,
    )
}

/// The deal of a case, a number below its weight and a number below the completions.
fn deal_of(
    case: Case,
    (first, second): (Seat, Option<Seat>),
    (rest, weight): (u64, u64),
    completion: u64,
) -> Result<Deal, DamagedCase> {
    let filled = complete::listed_hands(case, rest, weight)?;
    let mut hands = [Hand::EMPTY; 4];
    let mut listed = [false; 4];
    for (seat, hand) in [Some(first), second].into_iter().flatten().zip(filled) {
        if hand.len() != 13 {
            return Err(DamagedCase::Weight);
        }
        hands[seat.index()] = hand;
        listed[seat.index()] = true;
    }
    complete::remaining_hands(hands, listed, completion)
}

/// The number of a deal of this case: [`deal_of_number`]'s number times the completions
/// plus its completion.
///
/// # Errors
///
/// [`DamagedCase`] if the deal is not of the case, or the file was altered since it was
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
    let seats = (file.header().first, file.header().second);
    let completions = u128::from(completions(seats.1));
    // So that no number of the file reaches D.
    if record.total() > file.total() || file.total() > DEALS / completions {
        return Err(DamagedCase::Totals);
    }
    let before = file.total_before(case);
    let weight = record.total().checked_sub(before);
    let weight = weight.and_then(|weight| u64::try_from(weight).ok());
    let mut listed = [false; 4];
    let mut hands = [Hand::EMPTY; 2];
    for (hand, seat) in hands
        .iter_mut()
        .zip([Some(seats.0), seats.1].into_iter().flatten())
    {
        *hand = deal.hand(seat);
        listed[seat.index()] = true;
    }
    let weight = weight.ok_or(DamagedCase::Weight)?;
    let rest = complete::number_of_hands(record.case()?, hands, weight)?;
    let place = before + u128::from(rest);
    Ok(place * completions + u128::from(complete::completion_of(deal, listed)))
}
