//! Boards: deals with a number, a dealer and a vulnerability.

use crate::bridge::{Deal, Seat, TrickTable, Vulnerable};

/// A board of duplicate bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// The board number, from 1.
    pub number: u64,
    /// The cards.
    pub deal: Deal,
    /// The dealer.
    pub dealer: Seat,
    /// The vulnerability.
    pub vulnerable: Vulnerable,
    /// The double-dummy tricks, if they are known.
    pub tricks: Option<TrickTable>,
}

impl Board {
    /// A board with this number, and its dealer and vulnerability by the Laws.
    ///
    /// North deals board 1, east board 2 and so on. The vulnerability repeats every sixteen
    /// boards: each group of four begins one step later in the cycle none, north-south,
    /// east-west, both.
    pub fn new(number: u64, deal: Deal) -> Self {
        let place = number.wrapping_sub(1) % 16;
        Self {
            number,
            deal,
            dealer: Self::dealer_of(number),
            vulnerable: match (place + place / 4) % 4 {
                0 => Vulnerable::None,
                1 => Vulnerable::NorthSouth,
                2 => Vulnerable::EastWest,
                _ => Vulnerable::All,
            },
            tricks: None,
        }
    }

    /// The dealer of the board with this number, by the Laws.
    pub fn dealer_of(number: u64) -> Seat {
        Seat::ALL[(number.wrapping_sub(1) % 4) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::pavlicek;

    #[test]
    fn sixteen_boards_have_the_laws_dealers_and_vulnerabilities() {
        let deal = pavlicek::decode(0).unwrap();
        let boards = (1..=17).map(|number| Board::new(number, deal));
        let dealers: String = boards.clone().map(|board| board.dealer.letter()).collect();
        assert_eq!(dealers, "NESWNESWNESWNESWN");
        let vulnerable = boards.map(|board| match board.vulnerable {
            Vulnerable::None => '-',
            Vulnerable::NorthSouth => 'n',
            Vulnerable::EastWest => 'e',
            Vulnerable::All => 'b',
        });
        // Law 2: none on boards 1, 8, 11, 14; both on boards 4, 7, 10, 13.
        assert_eq!(vulnerable.collect::<String>(), "-nebneb-eb-nb-ne-");
    }
}
