//! Measures how often S reaches 9 for each detectable effect that is printed, for
//! `scripts/detectable-effects.sh`.

use std::sync::Arc;

use rayon::prelude::*;

use super::test_support::surveyed;
use super::{Battery, Expected};
use crate::bridge::{Card, Deal, Hand, Seat};
use crate::draw::{Aes128Ctr, DealScratch, DealSource, Dealer, DrawError, Isa, Packet, Portion};
use crate::draw::{PACKET, Seeded};
use crate::fixed_hash::FixedHashMap;
use crate::population::Population;
use crate::run;
use crate::tally::{Depth, SurveyPlan};

/// Numbers of boards, and of collections of each.
const SIZES: [(u64, u64); 6] = [
    (16, 400),
    (36, 400),
    (200, 400),
    (1_000, 400),
    (5_000, 200),
    (20_000, 100),
];
/// Number of fair deals that are dealt at once.
const DEALT_AT_ONCE: u64 = 128;
/// S of a detection.
const FAIL: f64 = 9.0;

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
                let [north, east, south, _] = deal.hands().map(Hand::bits);
                packet.push([north, east, south]);
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
    /// Reads the sentence of a report.
    fn of(sentence: &str) -> Self {
        let words = sentence.split_whitespace();
        let number = words
            .filter_map(|word| word.parse::<f64>().ok())
            .next_back();
        let number = number.unwrap();
        match sentence {
            _ if sentence.starts_with("a card") => Self::Card(number / 100.0),
            _ if sentence.starts_with("4-4-3-2") => Self::Shape(number / 100.0),
            _ if sentence.contains("bits") => Self::Deals(1 << number as u32),
            _ => Self::Deals(number as u64),
        }
    }
}

/// Fair deals of a seed, without end.
struct FairDeals {
    seed: u128,
    block: u64,
    waiting: Vec<Deal>,
}

impl FairDeals {
    fn new(seed: u128) -> Self {
        let waiting = Vec::new();
        Self {
            seed,
            block: 0,
            waiting,
        }
    }

    fn next(&mut self) -> Deal {
        if let Some(deal) = self.waiting.pop() {
            return deal;
        }
        let dealer = Dealer::<Vec<u8>>::unconstrained();
        let generator = Aes128Ctr::new(self.seed << 32 | u128::from(self.block));
        self.block += 1;
        let source = Seeded {
            dealer: &dealer,
            generator: &generator,
        };
        let portions = source.portions(0..DEALT_AT_ONCE).unwrap();
        for portion in &portions {
            let mut sink = |packet: &Packet| {
                self.waiting
                    .extend((0..packet.deals()).map(|i| packet.deal(i)));
            };
            source
                .deal(portion, &mut DealScratch::default(), &mut sink)
                .unwrap();
        }
        self.waiting.pop().unwrap()
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
    let given = deal.hand(Seat::North).cards().nth(place).unwrap();
    let (taken, given) = (Hand::of(card), Hand::of(given));
    let hands = Seat::ALL.map(|seat| {
        let hand = deal.hand(seat);
        match (seat, hand.contains(card)) {
            (Seat::North, _) => hand.without(given).union(taken),
            (_, true) => hand.without(taken).union(given),
            (_, false) => hand,
        }
    });
    Deal::new(hands).unwrap()
}

fn is_four_four(deal: &Deal) -> bool {
    let pattern = deal.hand(Seat::North).pattern().unwrap();
    pattern.index().shape_index().get() == 1
}

/// The deals of a collection with an effect.
fn planted(effect: Effect, boards: u64, seed: u64, p: f64) -> Vec<Deal> {
    let (mut fair, mut uniform) = (FairDeals::new(seed.into()), Uniform(seed));
    let card: Card = Card::all().nth(15).unwrap();
    let mut of_generator: FixedHashMap<u64, Deal> = FixedHashMap::default();
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

#[test]
#[ignore = "a measurement of minutes, for scripts/detectable-effects.sh"]
#[allow(clippy::print_stdout, reason = "output for the script")]
fn printed_effects_are_detected_in_nine_of_ten_collections() {
    let expected = Arc::new(Expected::of(&Population::every_deal()).unwrap());
    let p = expected
        .theory()
        .shapes(Seat::North)
        .probability(1)
        .to_f64();
    println!("boards  effect  collections  S >= 9, %");
    for (boards, collections) in SIZES {
        let plan = SurveyPlan::unconstrained(Depth::Full);
        let tested = |deals: Vec<Deal>| {
            let (_, survey) = surveyed(&plan, &Planted(deals), boards);
            let terms = run::terms(&plan, boards, boards, 1_000_000);
            let mut battery = Battery::new(terms, Arc::clone(&expected));
            let s = battery.look(&survey);
            (s, battery.verdict(&survey).detectable)
        };
        let (_, effects) = tested(planted(Effect::Card(0.0), boards, 1, p));
        if effects.is_empty() {
            println!("{boards}  none is printed");
        }
        for sentence in effects {
            let effect = Effect::of(&sentence);
            let is_detected = |seed: &u64| tested(planted(effect, boards, *seed, p)).0 >= FAIL;
            let detected = (1..=collections)
                .into_par_iter()
                .filter(is_detected)
                .count();
            let share = detected as f64 / collections as f64;
            println!("{boards}  {sentence}  {collections}  {:.1}", 100.0 * share);
            // Three standard deviations below nine of ten.
            let least = 0.9 - 3.0 * (0.09 / collections as f64).sqrt();
            assert!(share >= least, "{boards} boards, {sentence}: {share}");
        }
    }
}
