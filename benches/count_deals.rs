//! Deals unconstrained deals and fills all tables, with the instructions of `FAIRDEAL_PATH` on one
//! thread. `scripts/platforms.sh aarch64` counts the processor's instructions under emulation.

#![allow(clippy::print_stdout, reason = "a program of its own")]

use std::hint::black_box;

use fairdeal::draw::{Aes128Ctr, DealScratch, Dealer, Isa, Packet};
use fairdeal::population::cases::CaseBytes;
use fairdeal::tally::{TableChoice, Tallying};

fn main() {
    // `cargo bench` adds an argument of its own.
    let deals = std::env::args().find_map(|argument| argument.parse().ok());
    let deals: u64 = deals.unwrap_or(1_000_000);
    let generator = Aes128Ctr::new(1);
    let dealer = Dealer::<CaseBytes>::unconstrained();
    let mut tallying = Tallying::new(TableChoice::ALL, dealer.isa());
    let mut scratch = DealScratch::default();
    let portions = dealer.portions(&generator, 0..deals);
    for portion in portions.expect("seeded words never end") {
        let mut sink = |packet: &Packet| tallying.count(packet);
        let dealt = dealer.deal(&generator, &portion, &mut scratch, &mut sink);
        dealt.expect("seeded words never end");
    }
    black_box(&tallying);
    println!("{}: {deals} deals", Isa::chosen());
}
