//! The solver of one thread.

use std::fmt;

use contract_bridge::deal::{Builder, FullDeal};
use contract_bridge::{Hand, Holding, Seat as SolverSeat, Strain as SolverStrain};
use pons_dds::{Board, CurrentTrick, Objective, Target, solve_deal_on};

use crate::bridge::{Deal, Seat, Strain, Suit, TrickTable};
use crate::language::AskedTricks;

/// A solver for one thread, with the positions that it remembers.
pub(super) struct Solver(pons_dds::Solver);

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Solver")
    }
}

impl Solver {
    pub(super) fn new() -> Self {
        Self(pons_dds::Solver::default())
    }

    /// The tricks of a deal; those that are not asked are 0.
    pub(super) fn table(&mut self, deal: &Deal, asked: &AskedTricks) -> TrickTable {
        let deal = full_deal(deal);
        let table = match asked {
            AskedTricks::All => {
                let found = solve_deal_on(&mut self.0, deal);
                TrickTable::new(|seat, strain| {
                    found[solver_strain(strain)].get(solver_seat(seat)).get()
                })
            }
            AskedTricks::Some(wanted) => {
                let mut tricks = [[0; 4]; Strain::COUNT];
                for &(declarer, strain) in wanted {
                    tricks[strain.index()][declarer.index()] = self.tricks(deal, declarer, strain);
                }
                TrickTable::new(|seat, strain| tricks[strain.index()][seat.index()])
            }
        };
        table.expect("a solver finds 0 to 13 tricks")
    }

    /// The tricks of a declarer in a strain.
    fn tricks(&mut self, deal: FullDeal, declarer: Seat, strain: Strain) -> u8 {
        let trick = CurrentTrick::new(solver_strain(strain), solver_seat(declarer.turned(1)));
        let board = Board::try_new(deal.into(), trick).expect("a deal before the first lead");
        let target = Target::Any(None);
        let found = self.0.solve_board(&Objective { board, target });
        let best = found.plays.first().expect("a card can be led");
        13 - best.score.get()
    }
}

fn full_deal(deal: &Deal) -> FullDeal {
    let hand = |seat| {
        let suits = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];
        let [clubs, diamonds, hearts, spades] = suits.map(|suit| {
            // From the ace down, bits 0 to 12; there from the deuce up, bits 2 to 14.
            let ranks = deal.hand(seat).holding(suit).bits();
            Holding::from_bits_truncate(ranks.reverse_bits() >> 1)
        });
        Hand::new(clubs, diamonds, hearts, spades)
    };
    let builder = Builder::new()
        .north(hand(Seat::North))
        .east(hand(Seat::East))
        .south(hand(Seat::South))
        .west(hand(Seat::West));
    builder.build_full().expect("a deal has 52 different cards")
}

fn solver_seat(seat: Seat) -> SolverSeat {
    match seat {
        Seat::North => SolverSeat::North,
        Seat::East => SolverSeat::East,
        Seat::South => SolverSeat::South,
        Seat::West => SolverSeat::West,
    }
}

fn solver_strain(strain: Strain) -> SolverStrain {
    match strain {
        Strain::NoTrumps => SolverStrain::Notrump,
        Strain::Trumps(Suit::Spades) => SolverStrain::Spades,
        Strain::Trumps(Suit::Hearts) => SolverStrain::Hearts,
        Strain::Trumps(Suit::Diamonds) => SolverStrain::Diamonds,
        Strain::Trumps(Suit::Clubs) => SolverStrain::Clubs,
    }
}
