//! Conditions and values of deals that stand in the rows of an array, by compiled filters.

use rayon::prelude::*;

use super::DealRow;
use crate::bridge::{Deal, Hand};
use crate::draw::{Isa, PACKET, Packet};
use crate::error::Error;
use crate::filter::{CompiledValues, Filter, FilterScratch};
use crate::kernels::set_bits;
use crate::language::{Condition, EvaluationError};
use crate::observer::{Observer, Stage};

/// Rows that a worker takes at a time, and between two calls of the observer.
const ROWS_OF_A_SHARE: usize = 128 * PACKET;
const ROWS_OF_A_STEP: usize = 1 << 22;

/// Sets `mask` to whether the deal of each row satisfies a condition, with its predealt cards.
///
/// # Errors
///
/// If a row is not a deal, the arithmetic of the condition fails for a deal, or the condition needs
/// random draws or double-dummy tricks.
#[doc(hidden)]
pub fn mask_rows<R: DealRow + Sync>(
    condition: &Condition,
    rows: &[R],
    mask: &mut [bool],
    observer: &dyn Observer,
) -> Result<(), Error> {
    refuse_more_than_cards(condition)?;
    let filter = Filter::new(&condition.whole_deck_terms());
    let isa = Isa::chosen();
    each_packet(condition, rows, mask, observer, &|packet, scratch, mask| {
        for place in set_bits(filter.accept(isa, packet, scratch)?) {
            mask[place] = true;
        }
        Ok(())
    })
}

/// Sets `values` to the value of a script's expression for the deal of each row.
///
/// # Errors
///
/// As [`mask_rows`], and if the script has predealt cards.
#[doc(hidden)]
pub fn values_of_rows<R: DealRow + Sync>(
    expression: &Condition,
    rows: &[R],
    values: &mut [i64],
    observer: &dyn Observer,
) -> Result<(), Error> {
    refuse_more_than_cards(expression)?;
    if !expression.predeal().is_empty() {
        return Err(Error::usage("an expression has no predealt cards"));
    }
    let compiled = CompiledValues::new(std::slice::from_ref(expression.expression()));
    let isa = Isa::chosen();
    each_packet(
        expression,
        rows,
        values,
        observer,
        &|packet, scratch, values| {
            let columns = compiled.columns(isa, packet, scratch)?;
            values.copy_from_slice(&columns[0][..values.len()]);
            Ok(())
        },
    )
}

/// Rejects a condition that the cards of a deal do not decide.
fn refuse_more_than_cards(condition: &Condition) -> Result<(), Error> {
    let (message, label) = (
        "only the cards of a row are known",
        "`rnd` is drawn for each deal",
    );
    if let Some(error) = condition.error_at_draw(message, label) {
        return Err(error.into());
    }
    match condition.asked_tricks() {
        Some(_) => Err(Error::condition(
            "`tricks` needs solved deals; a row has cards only",
        )),
        None => Ok(()),
    }
}

/// Computes an outcome for each row, packet by packet, on all threads of the current pool.
fn each_packet<R: DealRow + Sync, T: Default + Send>(
    condition: &Condition,
    rows: &[R],
    outcomes: &mut [T],
    observer: &dyn Observer,
    evaluate: &(impl Fn(&Packet, &mut FilterScratch, &mut [T]) -> Result<(), EvaluationError> + Sync),
) -> Result<(), Error> {
    let stage = observer.stage(Stage::Deals, Some(rows.len() as u64));
    let steps = rows
        .chunks(ROWS_OF_A_STEP)
        .zip(outcomes.chunks_mut(ROWS_OF_A_STEP));
    for (step, (rows, outcomes)) in steps.enumerate() {
        let shares = rows.par_chunks(ROWS_OF_A_SHARE);
        let shares = shares
            .zip(outcomes.par_chunks_mut(ROWS_OF_A_SHARE))
            .enumerate();
        let failure = shares.find_map_first(|(share, (rows, outcomes))| {
            let (mut packet, mut scratch) = (Packet::default(), FilterScratch::default());
            let packets = rows.chunks(PACKET).zip(outcomes.chunks_mut(PACKET));
            packets.enumerate().find_map(|(place, (rows, outcomes))| {
                let first = step * ROWS_OF_A_STEP + share * ROWS_OF_A_SHARE + place * PACKET;
                packet.clear();
                for (place, row) in rows.iter().enumerate() {
                    let hands = row.hands();
                    if !is_deal(hands) {
                        return Some(wrong_row(first + place, hands));
                    }
                    packet.push([hands[0], hands[1], hands[2]]);
                }
                outcomes.fill_with(T::default);
                let evaluated = evaluate(&packet, &mut scratch, outcomes);
                evaluated
                    .err()
                    .map(|error| condition.evaluation_error(&error).into())
            })
        });
        if let Some(failure) = failure {
            return Err(failure);
        }
        stage.advance(rows.len() as u64);
        if observer.is_stop_asked() {
            break;
        }
    }
    Ok(())
}

/// Whether four hands of thirteen cards are the deck.
#[inline]
fn is_deal(hands: [u64; 4]) -> bool {
    let all = hands[0] | hands[1] | hands[2] | hands[3];
    all == Hand::DECK.bits() && hands.iter().all(|hand| hand.count_ones() == 13)
}

fn wrong_row(row: usize, hands: [u64; 4]) -> Error {
    let deal = Deal::new(hands.map(|hand| Hand::from_bits(hand & Hand::DECK.bits())));
    let fault = match deal {
        Err(fault) => fault.to_string(),
        Ok(_) => "it has bits that are not cards".to_owned(),
    };
    Error::input(format!("row {row} is not a deal: {fault}"))
}
