//! The solver of one thread.

use std::fmt;

use contract_bridge::deal::{Builder, FullDeal};
use contract_bridge::{Hand, Holding, Seat as SolverSeat, Strain as SolverStrain};
use pons_dds::{Board, CurrentTrick, Objective, Target};

use crate::bridge::{Deal, Seat, Strain, Suit, TrickTable};
use crate::language::AskedTricks;

/// Memory for positions in MiB: what is kept between searches, and the most. The solver's own limits
/// (160, 256) gain 2 % of processor time over 100 deals one of which needs more, and otherwise nothing;
/// 96 costs 4 % and 64 a half more.
const MEMORY: [u32; 2] = [112, 128];

/// A solver for one thread, with the positions that it remembers. The search needs several MiB of
/// the caller's stack.
pub struct Solver(pub(super) pons_dds::Solver);

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Solver")
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// A solver that has seen no deal.
    pub fn new() -> Self {
        let [kept, most] = MEMORY;
        Self(pons_dds::Solver::with_memory(
            SolverStrain::Notrump,
            kept,
            most,
        ))
    }

    /// Returns the table of a deal. Tricks that are not asked are 0.
    pub fn table(&mut self, deal: &Deal, asked: &AskedTricks) -> TrickTable {
        let tricks = Strain::ALL.map(|strain| self.tricks(deal, strain, asked));
        trick_table(&tricks)
    }

    /// The tricks of each declarer in a strain.
    pub(super) fn tricks(&mut self, deal: &Deal, strain: Strain, asked: &AskedTricks) -> [u8; 4] {
        let declarers = Seat::ALL.into_iter();
        let declarers: Vec<Seat> = declarers.filter(|seat| asked.has(*seat, strain)).collect();
        let mut tricks = [0; 4];
        match *declarers {
            [] => {}
            [declarer] => tricks[declarer.index()] = self.single(deal, declarer, strain),
            // Four declarers who share what the solver remembers take as long as two who do not.
            _ => {
                self.0.set_strain(solver_strain(strain));
                let found = self.0.solve(full_deal(deal));
                for declarer in declarers {
                    tricks[declarer.index()] = found.get(solver_seat(declarer)).get();
                }
            }
        }
        tricks
    }

    /// The tricks of a declarer in a strain.
    fn single(&mut self, deal: &Deal, declarer: Seat, strain: Strain) -> u8 {
        let trick = CurrentTrick::new(solver_strain(strain), solver_seat(declarer.turned(1)));
        let board = Board::try_new(full_deal(deal).into(), trick);
        let board = board.expect("a deal before the first lead");
        let target = Target::Any(None);
        let found = self.0.solve_board(&Objective { board, target });
        let best = found.plays.first().expect("a card can be led");
        13 - best.score.get()
    }
}

/// The table of tricks by strain and declarer.
pub(super) fn trick_table(tricks: &[[u8; 4]; Strain::COUNT]) -> TrickTable {
    let table = TrickTable::new(|seat, strain| tricks[strain.index()][seat.index()]);
    table.expect("a solver finds 0 to 13 tricks")
}

pub(super) fn full_deal(deal: &Deal) -> FullDeal {
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

pub(super) fn solver_seat(seat: Seat) -> SolverSeat {
    match seat {
        Seat::North => SolverSeat::North,
        Seat::East => SolverSeat::East,
        Seat::South => SolverSeat::South,
        Seat::West => SolverSeat::West,
    }
}

pub(super) fn solver_strain(strain: Strain) -> SolverStrain {
    match strain {
        Strain::NoTrumps => SolverStrain::Notrump,
        Strain::Trumps(Suit::Spades) => SolverStrain::Spades,
        Strain::Trumps(Suit::Hearts) => SolverStrain::Hearts,
        Strain::Trumps(Suit::Diamonds) => SolverStrain::Diamonds,
        Strain::Trumps(Suit::Clubs) => SolverStrain::Clubs,
    }
}
