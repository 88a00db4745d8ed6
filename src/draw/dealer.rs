//! Drawing deals: from every deal there is, or from a case file.

use super::Stream;
use super::bounded::below;
use super::complete::{self, DamagedCase};
use crate::cards::{Deal, Hand, Seat};
use crate::cases::{Case, CaseFile};
use crate::combinatorics::{choose, subset};

/// In how many ways the seats that are not listed can be dealt the rest:
/// C(26,13) beside two listed hands, C(39,13) C(26,13) beside one.
#[must_use]
pub fn completions(second: Option<Seat>) -> u64 {
    complete::completions_of(if second.is_some() { 26 } else { 39 })
}

/// Deals exactly uniformly what a condition allows.
#[derive(Debug)]
pub enum Dealer<'f, D> {
    /// Every deal.
    Unconstrained,
    /// The deals of a case file.
    Cases {
        /// The cases.
        file: &'f CaseFile<D>,
        /// Its index, in memory.
        index: Vec<u128>,
    },
}

impl<'f, D: AsRef<[u8]>> Dealer<'f, D> {
    /// A dealer of the file's deals.
    #[must_use]
    pub fn of_cases(file: &'f CaseFile<D>) -> Self {
        Self::Cases {
            file,
            index: file.load_index(),
        }
    }

    /// One deal. Nothing is allocated.
    ///
    /// Unconstrained: the hands of north, east and south at uniform places in
    /// the squashed orders of 13 of 52, 39 and 26 cards. Of cases: a uniform
    /// number below T selects the case, what is left of it fills the listed
    /// hands, and a second number deals the rest.
    ///
    /// # Errors
    ///
    /// [`DamagedCase`] if the case file was altered since it was opened.
    pub fn deal(&self, stream: &mut Stream<'_>) -> Result<Deal, DamagedCase> {
        match self {
            Self::Unconstrained => Ok(any_deal(stream)),
            Self::Cases { file, index } => {
                let number = below(stream, file.total());
                let completion = below(stream, completions(file.header().second).into());
                deal_of_number(file, index, number, completion as u64)
            }
        }
    }
}

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

fn any_deal(stream: &mut Stream<'_>) -> Deal {
    let mut left = Hand::DECK;
    let mut take = |cards: usize| {
        let place = below(stream, choose(cards, 13)) as u64;
        let hand = subset::deposit(subset::unrank(place, cards, 13), left);
        left = left.without(hand);
        hand
    };
    let (north, east, south) = (take(52), take(39), take(26));
    Deal::by_construction([north, east, south, left])
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
