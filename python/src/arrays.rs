//! Deals of NumPy arrays.

use fairdeal::bridge::Card;
use fairdeal::{Deal, Hand};
use numpy::{BorrowError, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::deal;
use crate::error::{InputError, UsageError};

/// An array of deals as Python gives it.
#[derive(FromPyObject)]
pub(crate) enum DealArray<'py> {
    /// Four hands a row.
    Hands(Bound<'py, PyArray2<u64>>),
    /// The seats of 52 cards a row.
    Seats(Bound<'py, PyArray2<u8>>),
}

/// Deals that Python gives together.
#[derive(FromPyObject)]
pub(crate) enum DealChunk<'py> {
    Array(DealArray<'py>),
    List(Vec<PyRef<'py, deal::Deal>>),
}

impl DealChunk<'_> {
    /// Returns the deals; `first` and `name` are those of [`DealArray::deals`].
    pub(crate) fn deals(&self, first: u64, name: &str) -> PyResult<Vec<Deal>> {
        match self {
            Self::Array(array) => array.deals(first, name),
            Self::List(list) => Ok(list.iter().map(|deal| deal.0).collect()),
        }
    }
}

impl DealArray<'_> {
    /// Returns the deals of all rows; `first` is the number of the first row in messages, and
    /// `name` that of the argument.
    pub(crate) fn deals(&self, first: u64, name: &str) -> PyResult<Vec<Deal>> {
        match self {
            Self::Hands(array) => {
                let array = array
                    .try_readonly()
                    .map_err(|error| unusable(name, &error))?;
                let rows = array.as_array();
                if rows.ncols() != 4 {
                    return Err(wrong_shape(name, rows.ncols()));
                }
                let deal = |(place, row): (u64, numpy::ndarray::ArrayView1<'_, u64>)| {
                    deal_of_hands([row[0], row[1], row[2], row[3]])
                        .map_err(|fault| wrong_row(name, first + place, &fault))
                };
                (0..).zip(rows.rows()).map(deal).collect()
            }
            Self::Seats(array) => {
                let array = array
                    .try_readonly()
                    .map_err(|error| unusable(name, &error))?;
                let rows = array.as_array();
                if rows.ncols() != Card::COUNT {
                    return Err(wrong_shape(name, rows.ncols()));
                }
                let deal = |(place, row): (u64, numpy::ndarray::ArrayView1<'_, u8>)| {
                    deal_of_seats(row.iter().copied())
                        .map_err(|fault| wrong_row(name, first + place, &fault))
                };
                (0..).zip(rows.rows()).map(deal).collect()
            }
        }
    }
}

/// The exception for an array that cannot be read or filled.
pub(crate) fn unusable(name: &str, error: &BorrowError) -> PyErr {
    UsageError::new_err(match error {
        BorrowError::AlreadyBorrowed => format!("the array `{name}` is in use by another call"),
        _ => format!("the array `{name}` is read-only: make a copy"),
    })
}

fn wrong_shape(name: &str, columns: usize) -> PyErr {
    UsageError::new_err(format!(
        "{name}: {columns} columns: an array of deals has 4 columns of type uint64 (hands) or 52 of type \
         uint8 (seats)"
    ))
}

pub(crate) fn wrong_row(name: &str, number: u64, fault: &str) -> PyErr {
    InputError::new_err(format!("{name}: row {number} is not a deal: {fault}"))
}

/// Returns the deal of four hands, clockwise from north.
pub(crate) fn deal_of_hands(hands: [u64; 4]) -> Result<Deal, String> {
    let deck = Hand::DECK.bits();
    if let Some(hand) = hands.iter().find(|hand| *hand & !deck != 0) {
        return Err(format!("{hand:#x} has bits that are not cards"));
    }
    Deal::new(hands.map(Hand::from_bits)).map_err(|fault| fault.to_string())
}

/// Returns the deal in which each card, in deck order, is held by this seat.
pub(crate) fn deal_of_seats(seats: impl Iterator<Item = u8>) -> Result<Deal, String> {
    let mut hands = [Hand::EMPTY; 4];
    for (card, seat) in Card::all().zip(seats) {
        let hand = hands.get_mut(usize::from(seat));
        let hand = hand.ok_or_else(|| format!("seat {seat} of {card} is not 0, 1, 2 or 3"))?;
        *hand = hand.union(Hand::of(card));
    }
    Deal::new(hands).map_err(|fault| fault.to_string())
}
