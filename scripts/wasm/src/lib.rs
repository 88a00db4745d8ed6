//! Solves published deals in WebAssembly.

use fairdeal::Deal;
use fairdeal::bridge::{Seat, Strain};
use fairdeal::language::AskedTricks;
use fairdeal::solver::Solver;

/// Deals with their tricks, from no-trumps to clubs, of north, east, south and west.
const PUBLISHED: &str = include_str!("../../../fixtures/solved/published.csv");

/// Solves the first deals, and returns how many of their numbers of tricks differ from the published.
#[unsafe(no_mangle)]
pub extern "C" fn differing(deals: u32) -> u32 {
    let mut solver = Solver::new();
    let mut differing = 0;
    for line in PUBLISHED.lines().skip(1).take(deals as usize) {
        let cells: Vec<&str> = line.split(',').collect();
        let deal: Deal = cells[1].parse().expect("a deal");
        let table = solver.table(&deal, &AskedTricks::All);
        let numbers = Strain::ALL.into_iter().flat_map(|strain| {
            let of_strain = move |seat| table.tricks(seat, strain);
            Seat::ALL.map(of_strain)
        });
        let published = cells[2]
            .chars()
            .map(|digit| digit.to_digit(16).expect("a number of tricks"));
        differing += numbers
            .zip(published)
            .filter(|(found, of)| u32::from(*found) != *of)
            .count();
    }
    differing as u32
}

/// Random bytes, of which a solver needs none.
#[unsafe(no_mangle)]
fn __getrandom_v03_custom(_: *mut u8, _: usize) -> Result<(), getrandom::Error> {
    Err(getrandom::Error::UNSUPPORTED)
}
