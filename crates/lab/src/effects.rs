//! How often the effects that reports call detectable are detected: in at least nine of ten
//! collections of boards, S must reach 9.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use clap::Args;
use fairdeal::battery::{Battery, DetectableEffect, DetectableEffects, Outcome};
use fairdeal::bridge::{Card, Deal, Hand, Seat};
use fairdeal::draw::{
    Aes128Ctr, DealScratch, DealSource, Dealer, DrawError, Isa, PACKET, Packet, Portion,
};
use fairdeal::population::cases::CaseBytes;
use fairdeal::run;
use fairdeal::tally::Depth;
use rayon::prelude::*;
use serde_json::json;

use crate::sheet::{Column, Sheet, kept};
use crate::subject::{Subject, tested};
use crate::{Failure, count};

/// The collections.
#[derive(Args)]
pub(crate) struct Options {
    /// Boards of a collection
    #[arg(long, value_delimiter = ',', default_value = "16,36,200,1000,5000,20000", value_parser = count)]
    boards: Vec<u64>,
    /// Collections of each size; a quarter of them from 20,000 boards on
    #[arg(long, default_value = "400", value_parser = count)]
    collections: u64,
}

/// Number of fair deals that are dealt at once.
const DEALT_AT_ONCE: u64 = 128;
/// S of a detection.
const FAIL: f64 = 9.0;

const COLUMNS: &[Column] = &[
    ("boards", 7),
    ("collections", 11),
    ("S >= 9, %", 9),
    ("promise", -7),
    ("effect", -1),
];

pub(crate) fn measure(options: &Options, sheet: &mut Sheet) -> Result<(), Failure> {
    sheet.section(
        "collections with a planted effect that reach S = 9",
        COLUMNS,
    );
    let subject = Subject::every_deal()?;
    let shapes = subject.population.theory()?.shapes(Seat::North);
    let share = shapes.probability(1).to_f64();
    for &boards in &options.boards {
        let plan = subject.plan(Depth::Full);
        let terms = run::terms(&plan, boards, boards, 1_000_000);
        let fresh = Battery::new(terms, subject.expected.clone());
        let of = |deals: Vec<Deal>| -> Result<(f64, DetectableEffects), Failure> {
            let mut battery = fresh.clone();
            let goes_on = |_| ControlFlow::Continue(());
            let source = Planted(deals);
            let counts = tested(&source, &plan, &mut battery, (boards, boards), goes_on)?;
            Ok((battery.largest(), battery.verdict(&counts).detectable))
        };
        let collections = match boards {
            ..5_000 => options.collections,
            5_000..20_000 => options.collections.div_ceil(2),
            _ => options.collections.div_ceil(4),
        };
        let (_, detectable) = of(planted(Effect::Card(0.0), boards, 1, share))?;
        for (listed, words) in detectable.listed().zip(detectable.in_words()) {
            let effect = Effect::of(listed);
            let is_detected = |seed: u64| -> Result<u64, Failure> {
                Ok(u64::from(
                    of(planted(effect, boards, seed, share))?.0 >= FAIL,
                ))
            };
            let detected = (1..=collections).into_par_iter().map(is_detected);
            let detected = detected.try_reduce(|| 0, |one, other| Ok(one + other))?;
            let found = detected as f64 / collections as f64;
            // Three standard deviations below nine of ten.
            let least = 0.9 - 3.0 * (0.09 / collections as f64).sqrt();
            sheet.row(vec![
                json!(boards),
                json!(collections),
                json!(100.0 * found),
                kept(found >= least),
                json!(words),
            ]);
        }
    }
    Ok(())
}

/// Deals of a collection.
struct Planted(Vec<Deal>);

impl DealSource for Planted {
    fn deal(
        &self,
        portion: &Portion,
        _: &mut DealScratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        let Portion::Block(block) = portion else {
            return Err(DrawError::Portion);
        };
        let deals = &self.0[block.first_deal as usize..][..block.deals as usize];
        for deals in deals.chunks(PACKET) {
            let mut packet = Packet::default();
            for deal in deals {
                packet.push_deal(deal);
            }
            sink(&packet);
        }
        Ok(())
    }

    fn isa(&self) -> Isa {
        Isa::chosen()
    }
}

/// A printed effect.
#[derive(Clone, Copy, Debug)]
enum Effect {
    /// The queen of hearts is too frequent with north by this share.
    Card(f64),
    /// 4-4-3-2 is too frequent with north by this share.
    Shape(f64),
    /// The generator has this number of deals.
    Deals(u64),
}

impl Effect {
    /// The planted effect that a report calls detectable.
    fn of(effect: DetectableEffect) -> Self {
        match effect {
            DetectableEffect::Excess {
                outcome: Outcome::FourFourThreeTwo,
                excess,
                ..
            } => Self::Shape(excess),
            DetectableEffect::Excess { excess, .. } => Self::Card(excess),
            DetectableEffect::SeedBits(bits) => Self::Deals(1 << bits as u32),
        }
    }
}

/// Fair deals of a seed, without end.
struct FairDeals {
    seed: u64,
    block: u64,
    waiting: Vec<Deal>,
}

impl FairDeals {
    fn new(seed: u64) -> Self {
        let waiting = Vec::new();
        Self {
            seed,
            block: 0,
            waiting,
        }
    }

    fn next(&mut self) -> Deal {
        loop {
            if let Some(deal) = self.waiting.pop() {
                return deal;
            }
            let dealer = Dealer::<CaseBytes>::unconstrained();
            let generator = Aes128Ctr::new(u128::from(self.seed) << 32 | u128::from(self.block));
            self.block += 1;
            let dealt = dealer.in_random_order(&generator, 0..DEALT_AT_ONCE);
            self.waiting = dealt.expect("unconstrained deals have no case file that changes");
        }
    }
}

/// Uniform numbers.
struct Uniform(u64);

impl Uniform {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn is_below(&mut self, share: f64) -> bool {
        ((self.word() >> 11) as f64) < share * 2f64.powi(53)
    }
}

/// Gives a card to north, in exchange for a random one.
fn with_card(deal: &Deal, card: Card, uniform: &mut Uniform) -> Deal {
    let place = uniform.word() as usize % 13;
    let given = deal
        .hand(Seat::North)
        .cards()
        .nth(place)
        .expect("a legal hand");
    let (taken, given) = (Hand::of(card), Hand::of(given));
    let hands = Seat::ALL.map(|seat| {
        let hand = deal.hand(seat);
        match (seat, hand.contains(card)) {
            (Seat::North, _) => hand.without(given).union(taken),
            (_, true) => hand.without(taken).union(given),
            (_, false) => hand,
        }
    });
    Deal::new(hands).expect("a legal hand")
}

fn is_four_four(deal: &Deal) -> bool {
    let pattern = deal.hand(Seat::North).pattern().expect("a legal hand");
    pattern.index().shape_index().get() == 1
}

/// The deals of a collection with an effect.
fn planted(effect: Effect, boards: u64, seed: u64, p: f64) -> Vec<Deal> {
    let (mut fair, mut uniform) = (FairDeals::new(seed), Uniform(seed));
    let card: Card = Card::all().nth(15).expect("a legal hand");
    let mut of_generator: BTreeMap<u64, Deal> = BTreeMap::default();
    let mut next = || match effect {
        // A deal without the outcome gets it with this probability.
        Effect::Card(excess) => {
            let deal = fair.next();
            let is_given = uniform.is_below(excess / 3.0);
            match is_given && !deal.hand(Seat::North).contains(card) {
                true => with_card(&deal, card, &mut uniform),
                false => deal,
            }
        }
        Effect::Shape(excess) => {
            let is_given = uniform.is_below(excess * p / (1.0 - p));
            let mut deal = fair.next();
            while is_given && !is_four_four(&deal) {
                deal = fair.next();
            }
            deal
        }
        Effect::Deals(space) => {
            let place = uniform.word() % space;
            let deal = of_generator.entry(place).or_insert_with(|| fair.next());
            *deal
        }
    };
    (0..boards).map(|_| next()).collect()
}
