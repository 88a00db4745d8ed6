//! Solves the deals on standard input, one in PBN per line, by the solver of the one feature that is
//! on. Prints for each a line of 20 tricks, from no trumps to clubs, of north, east, south and west;
//! with the argument `one`, south's tricks in spades.

use std::env;
use std::io;
#[cfg(feature = "ddss")]
use std::num::NonZero;

use contract_bridge::{FullDeal, Seat, Strain};
#[cfg(feature = "dds-bridge")]
use dds_bridge as solvers;
#[cfg(feature = "ddss")]
use ddss as solvers;
#[cfg(feature = "pons-dds")]
use pons_dds as solvers;
use solvers::{Board, CurrentTrick, Objective, Solver, Target};

const STRAINS: [Strain; 5] = [
    Strain::Notrump,
    Strain::Spades,
    Strain::Hearts,
    Strain::Diamonds,
    Strain::Clubs,
];
const SEATS: [Seat; 4] = [Seat::North, Seat::East, Seat::South, Seat::West];

fn main() {
    let is_one = env::args().nth(1).is_some_and(|argument| argument == "one");
    #[cfg(feature = "pons-dds")]
    let mut solver = Solver::default();
    #[cfg(feature = "ddss")]
    let solver = Solver::lock(NonZero::new(1));
    #[cfg(feature = "dds-bridge")]
    let mut solver = Solver::new(solvers::SolverConfig::default());
    for line in io::stdin().lines() {
        let deal: FullDeal = line.expect("text").parse().expect("a deal in PBN");
        if is_one {
            let trick = CurrentTrick::new(Strain::Spades, Seat::West);
            let board = Board::try_new(deal.into(), trick).expect("a deal before the first lead");
            let target = Target::Any(None);
            let found = solver.solve_board(&Objective { board, target });
            println!("{:x}", 13 - found.plays[0].score.get());
            continue;
        }
        #[cfg(feature = "pons-dds")]
        let table = solvers::solve_deal_on(&mut solver, deal);
        #[cfg(not(feature = "pons-dds"))]
        let table = solver.solve_deal(deal);
        for strain in STRAINS {
            for seat in SEATS {
                print!("{:x}", table[strain].get(seat).get());
            }
        }
        println!();
    }
}
