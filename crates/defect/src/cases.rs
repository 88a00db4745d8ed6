//! Faults in dealing from a case file: the deals satisfy the condition, but are not equally likely.

use super::DefectError;
use super::random::Task;
use crate::bridge::combinatorics::{choose, subset};
use crate::bridge::{Hand, Honours, Seat, Suit};
use crate::draw::{
    Aes128Ctr, Block, DamagedCase, DrawError, RandomStream, StreamId, StreamPurpose, below,
    completions, deal_of_number,
};
use crate::population::cases::CaseFile;

/// North 5=3=3=2 with 15-17 HCP.
pub(super) const HONOURS_SWAPPED: &str =
    "shape(north, 5332) && hcp(north) >= 15 && hcp(north) <= 17";

/// The scenario `nine-spades`.
pub(super) const CASE_WEIGHT: &str = "spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6";

/// Exchanges the honours of a case in spades and clubs wherever both fit in the lengths; spot cards
/// and the other hands are fair.
///
/// The remaining 39 cards are dealt fairly, so that the patterns and HCP of all seats keep their
/// laws. The honours in the five spades of a 5=3=3=2 hand do not. `other` is the error for cases
/// that do not list one hand by pattern and honours.
pub(super) fn honours_swapped<D: AsRef<[u8]>>(
    file: &CaseFile<D>,
    task: &mut Task<'_>,
    other: &DefectError,
) -> Result<(), DefectError> {
    let total = total(file)?;
    let generator = Aes128Ctr::new(task.seed);
    let mut stream = plain(&generator, task.block);
    let seat = file.header().first;
    let others: Vec<Seat> = Seat::ALL.into_iter().filter(|&one| one != seat).collect();
    for _ in 0..task.block.deals {
        let number = below(&mut stream, total)?;
        let found = file.locate(number);
        let case = found.ok_or(DamagedCase::NoCase(number))?.record.case();
        let case = case.map_err(DamagedCase::Record)?;
        let (None, Some(pattern), Some(honours)) =
            (case.second, case.first.pattern, case.first.honours)
        else {
            return Err(other.clone());
        };
        let lengths = pattern.pattern().lengths();
        let honours = swapped(honours, lengths);
        let mut hand = Hand::from_honours(honours);
        for (suit, held) in Suit::ALL.into_iter().zip(honours.counts()) {
            let take = lengths[suit.index()].checked_sub(held);
            let take = usize::from(take.ok_or(DamagedCase::Weight)?);
            let spots = Hand::SPOTS.intersection(Hand::whole_suit(suit));
            hand = hand.union(some_of(&mut stream, spots, take)?);
        }
        let mut hands = [Hand::EMPTY; 4];
        let mut left = Hand::DECK.without(hand);
        hands[seat.index()] = hand;
        for &seat in &others {
            hands[seat.index()] = some_of(&mut stream, left, 13)?;
            left = left.without(hands[seat.index()]);
        }
        let [north, east, south, _] = hands.map(Hand::bits);
        task.push([north, east, south]);
    }
    Ok(())
}

/// Returns the honours with spades and clubs exchanged, if they fit.
pub(super) fn swapped(honours: Honours, lengths: [u8; 4]) -> Honours {
    let counts = honours.counts();
    if counts[0] > lengths[3] || counts[3] > lengths[0] {
        return honours;
    }
    Suit::ALL.into_iter().fold(Honours::NONE, |map, suit| {
        let from = match suit {
            Suit::Spades => Suit::Clubs,
            Suit::Clubs => Suit::Spades,
            _ => suit,
        };
        map.union(Honours::of_suit(suit, honours.suit(from)))
    })
}

/// Deals the first of the heaviest cases with a weight that is 5 % too high.
pub(super) fn case_weight<D: AsRef<[u8]>>(
    file: &CaseFile<D>,
    task: &mut Task<'_>,
) -> Result<(), DefectError> {
    /// 1/20 is 5 %.
    const PARTS: u128 = 20;
    let total = total(file)?;
    let (mut heaviest, mut before) = (0..0, 0);
    for record in file.records() {
        let end = record.total();
        if end.saturating_sub(before) > heaviest.end - heaviest.start {
            heaviest = before..end;
        }
        before = end;
    }
    let weight = heaviest.end - heaviest.start;
    let completions = u128::from(completions(file));
    let generator = Aes128Ctr::new(task.seed);
    let mut stream = plain(&generator, task.block);
    for _ in 0..task.block.deals {
        let part = below(&mut stream, PARTS * total + weight)?;
        let number = match part.checked_sub(PARTS * total) {
            None => part / PARTS,
            Some(more) => heaviest.start + more,
        };
        let completion = below(&mut stream, completions)? as u64;
        let deal = deal_of_number(file, number, completion)?;
        let [north, east, south, _] = deal.hands().map(Hand::bits);
        task.push([north, east, south]);
    }
    Ok(())
}

fn total<D: AsRef<[u8]>>(file: &CaseFile<D>) -> Result<u128, DrawError> {
    match file.total() {
        0 => Err(DrawError::Cases(0)),
        total => Ok(total),
    }
}

fn plain(generator: &Aes128Ctr, block: Block) -> RandomStream<'_> {
    let id = StreamId::new(block.first_deal, StreamPurpose::Plain, 0);
    RandomStream::new(generator, id)
}

/// Draws `take` random cards of these.
fn some_of(stream: &mut RandomStream<'_>, cards: Hand, take: usize) -> Result<Hand, DefectError> {
    let count = cards.len() as usize;
    let ways = choose(count, take);
    if ways == 0 {
        return Err(DamagedCase::Weight.into());
    }
    let index = below(stream, ways)? as u64;
    Ok(subset::deposit(subset::unrank(index, count, take), cards))
}
