//! DDS, by the crate dds-bridge.

use std::fmt;

use contract_bridge::deal::{Builder, FullDeal};
use contract_bridge::{Hand, Holding, Seat as DdsSeat, Strain as DdsStrain};
use dds_bridge::{Board, CurrentTrick, Objective, SolverConfig, Target};

use crate::bridge::{Deal, Seat, Strain, Suit, TrickTable};
use crate::error::Error;
use crate::language::AskedTricks;

/// Maximum size of the positions that a solver remembers, in MiB.
const MOST_MEMORY: u32 = 64;

/// A solver for one thread.
pub(super) struct Solver(dds_bridge::Solver);

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Solver")
    }
}

impl Solver {
    #[expect(
        clippy::unnecessary_wraps,
        reason = "a program without DDS has no solver"
    )]
    pub(super) fn new() -> Result<Self, Error> {
        let config = SolverConfig {
            tt_mem_maximum_mb: MOST_MEMORY,
            tt_mem_default_mb: MOST_MEMORY / 2,
            ..SolverConfig::default()
        };
        Ok(Self(dds_bridge::Solver::new(config)))
    }

    /// The tricks of a deal; those that are not asked are 0.
    pub(super) fn table(&mut self, deal: &Deal, asked: &AskedTricks) -> TrickTable {
        let table = match asked {
            AskedTricks::All => {
                let found = self.0.solve_deal(full_deal(deal));
                TrickTable::new(|seat, strain| found[dds_strain(strain)].get(dds_seat(seat)).get())
            }
            AskedTricks::Some(wanted) => {
                let board = full_deal(deal);
                let found: Vec<_> = wanted
                    .iter()
                    .map(|&(declarer, strain)| {
                        ((declarer, strain), self.tricks(board, declarer, strain))
                    })
                    .collect();
                TrickTable::new(|seat, strain| {
                    let of = found.iter().find(|(of, _)| *of == (seat, strain));
                    of.map_or(0, |(_, tricks)| *tricks)
                })
            }
        };
        table.expect("a solver finds 0 to 13 tricks")
    }

    /// The tricks of a declarer in a strain.
    fn tricks(&mut self, deal: FullDeal, declarer: Seat, strain: Strain) -> u8 {
        let trick = CurrentTrick::new(dds_strain(strain), dds_seat(declarer.turned(1)));
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

fn dds_seat(seat: Seat) -> DdsSeat {
    match seat {
        Seat::North => DdsSeat::North,
        Seat::East => DdsSeat::East,
        Seat::South => DdsSeat::South,
        Seat::West => DdsSeat::West,
    }
}

fn dds_strain(strain: Strain) -> DdsStrain {
    match strain {
        Strain::NoTrumps => DdsStrain::Notrump,
        Strain::Trumps(Suit::Spades) => DdsStrain::Spades,
        Strain::Trumps(Suit::Hearts) => DdsStrain::Hearts,
        Strain::Trumps(Suit::Diamonds) => DdsStrain::Diamonds,
        Strain::Trumps(Suit::Clubs) => DdsStrain::Clubs,
    }
}
