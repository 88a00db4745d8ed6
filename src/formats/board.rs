//! A deal in its tray: number, dealer, vulnerability.

use crate::cards::{Deal, Seat, Vulnerable};

/// A board of duplicate bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// From 1; decides dealer and vulnerability.
    pub number: u64,
    /// The cards.
    pub deal: Deal,
}

impl Board {
    /// North on board 1, and on around the table.
    #[must_use]
    pub fn dealer(&self) -> Seat {
        Seat::ALL[(self.number.wrapping_sub(1) % 4) as usize]
    }

    /// In a cycle of sixteen boards: each four begin one further in none, north-south,
    /// east-west, both.
    #[must_use]
    pub fn vulnerable(&self) -> Vulnerable {
        let place = self.number.wrapping_sub(1) % 16;
        match (place + place / 4) % 4 {
            0 => Vulnerable::None,
            1 => Vulnerable::NorthSouth,
            2 => Vulnerable::EastWest,
            _ => Vulnerable::All,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::pavlicek;

    #[test]
    fn sixteen_boards_have_the_laws_dealers_and_vulnerabilities() {
        let deal = pavlicek::decode(0).unwrap();
        let boards = (1..=17).map(|number| Board { number, deal });
        let dealers: String = boards
            .clone()
            .map(|board| board.dealer().letter())
            .collect();
        assert_eq!(dealers, "NESWNESWNESWNESWN");
        let vulnerable = boards.map(|board| match board.vulnerable() {
            Vulnerable::None => '-',
            Vulnerable::NorthSouth => 'n',
            Vulnerable::EastWest => 'e',
            Vulnerable::All => 'b',
        });
        // Law 2: none on 1, 8, 11, 14; both on 4, 7, 10, 13.
        assert_eq!(vulnerable.collect::<String>(), "-nebneb-eb-nb-ne-");
    }
}
