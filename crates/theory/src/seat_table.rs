//! Distributions of the four seats beside each other.

use std::fmt;

use super::{Distribution, Ratio, Theory};
use crate::bridge::{Seat, Shape, Side, Suit};

/// What a table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatQuantity {
    /// The shape of the hand.
    Shape,
    /// Its high-card points.
    Hcp,
    /// Its cards in a suit.
    Length(Suit),
    /// The high-card points of both hands of a side.
    SideHcp,
    /// Their cards in a suit, one column for each suit.
    Fit,
}

impl fmt::Display for SeatQuantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape => f.write_str("Shape"),
            Self::Hcp | Self::SideHcp => f.write_str("HCP"),
            Self::Fit => f.write_str("Together"),
            Self::Length(suit) => {
                let mut name = suit.name().to_owned();
                name[..1].make_ascii_uppercase();
                f.write_str(&name)
            }
        }
    }
}

/// The distributions of a quantity, one column for all seats with the same distribution.
#[derive(Clone, Debug)]
pub struct SeatTable {
    /// The quantity.
    pub quantity: SeatQuantity,
    /// The seats of each column (those with the same distribution), the side or the suit, and its
    /// distribution.
    pub columns: Vec<(String, Distribution)>,
    /// All values of the quantity.
    values: Vec<String>,
}

impl SeatTable {
    fn new(quantity: SeatQuantity, values: Vec<String>, seats: [&Distribution; 4]) -> Self {
        let columns = Distribution::by_seats(seats).into_iter();
        Self {
            quantity,
            columns: columns.map(|(seats, of)| (seats, of.clone())).collect(),
            values,
        }
    }

    /// The possible values, each with its probability by column.
    pub fn rows(&self) -> impl Iterator<Item = (&str, Vec<Ratio>)> {
        let all = self.values.iter().enumerate().map(|(place, value)| {
            let columns = self.columns.iter();
            let chances = columns.map(|(_, of)| of.probability(place));
            (value.as_str(), chances.collect::<Vec<Ratio>>())
        });
        all.filter(|(_, chances)| chances.iter().any(|chance| chance.ways > 0))
    }
}

impl Theory {
    /// The tables that are shown to people: shapes, points, and lengths of each suit.
    pub fn by_seat(&self) -> Vec<SeatTable> {
        let numbers = |count: usize| (0..count).map(|number| number.to_string()).collect();
        let shapes = Seat::ALL.map(|seat| self.shapes(seat));
        let names = Shape::all().map(|shape| shape.to_string()).collect();
        let points = Seat::ALL.map(|seat| self.hcp(seat));
        let mut tables = vec![
            SeatTable::new(SeatQuantity::Shape, names, shapes.each_ref()),
            SeatTable::new(SeatQuantity::Hcp, numbers(38), points),
        ];
        tables.extend(Suit::ALL.map(|suit| {
            let lengths = Seat::ALL.map(|seat| self.suit_lengths(seat, suit));
            SeatTable::new(SeatQuantity::Length(suit), numbers(14), lengths.each_ref())
        }));
        tables
    }

    /// The tables of both hands of a side: points, and lengths of the suits.
    pub fn of_side(&self, side: Side) -> [SeatTable; 2] {
        let table = |quantity, columns, most: usize| SeatTable {
            quantity,
            columns,
            values: (0..=most).map(|value| value.to_string()).collect(),
        };
        let points = vec![(format!("{side} together"), self.side_hcp(side))];
        let fits = Suit::ALL.map(|suit| (suit.name().to_owned(), self.fits(side, suit)));
        [
            table(SeatQuantity::SideHcp, points, 40),
            table(SeatQuantity::Fit, fits.into(), 13),
        ]
    }
}
