//! How often a table of leads is wrong: endings whose every deal is solved by a plain search, so that
//! the mean of each lead is known.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use fairdeal::bridge::{Card, Hand, Rank, Seat, Strain, Suit};
use fairdeal::stats::{BestMean, Finding};

/// A small generator, so that the test has no other randomness.
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((z ^ (z >> 31)) >> 32) as usize * bound) >> 32
    }
}

/// Tricks that east-west take from here, by trying every legal card. `trick` has the cards played to
/// the current trick, and `leader` led to it.
fn tricks(hands: [Hand; 4], leader: Seat, trick: &[Card], strain: Strain) -> u8 {
    if trick.len() == 4 {
        let beats = |card: &Card, best: &Card| match card.suit() == best.suit() {
            true => card.rank() < best.rank(),
            false => strain == Strain::Trumps(card.suit()),
        };
        let winner = (1..4).fold(0, |best, place| match beats(&trick[place], &trick[best]) {
            true => place,
            false => best,
        });
        let winner = leader.turned(winner);
        let won = u8::from(matches!(winner, Seat::East | Seat::West));
        return match hands[0].is_empty() {
            true => won,
            false => won + tricks(hands, winner, &[], strain),
        };
    }
    let seat = leader.turned(trick.len());
    let hand = hands[seat.index()];
    let follows = |card: &Card| trick.first().is_none_or(|led| led.suit() == card.suit());
    let can_follow = hand.cards().any(|card| follows(&card));
    let legal = hand.cards().filter(|card| !can_follow || follows(card));
    let after = legal.map(|card| {
        let mut hands = hands;
        hands[seat.index()] = hand.without(Hand::of(card));
        tricks(hands, leader, &[trick, &[card]].concat(), strain)
    });
    match seat {
        Seat::East | Seat::West => after.max().unwrap(),
        Seat::North | Seat::South => after.min().unwrap(),
    }
}

fn card(name: &str) -> Card {
    let suit = Suit::ALL
        .into_iter()
        .find(|suit| name.starts_with(suit.letter()));
    Card::new(
        suit.unwrap(),
        Rank::from_letter(name.chars().nth(1).unwrap()).unwrap(),
    )
}

/// The three cards of a hand among nine others, in each of the 1,680 deals: the tricks of each lead.
fn ending(west: [&str; 3], others: [&str; 9], strain: Strain) -> Vec<Vec<f64>> {
    let (west, others) = (west.map(card), others.map(card));
    let mut deals = Vec::new();
    for number in 0..3usize.pow(9) {
        let owners: Vec<usize> = (0..9).map(|place| number / 3usize.pow(place) % 3).collect();
        if (0..3).any(|owner| owners.iter().filter(|of| **of == owner).count() != 3) {
            continue;
        }
        let of = |owner: usize| -> Hand {
            let held = owners.iter().zip(others).filter(|(of, _)| **of == owner);
            held.map(|(_, card)| card).collect()
        };
        let leads = west.map(|lead| {
            let kept = west.into_iter().filter(|card| *card != lead).collect();
            let hands = [of(0), of(1), of(2), kept];
            f64::from(tricks(hands, Seat::West, &[lead], strain))
        });
        deals.push(leads.to_vec());
    }
    assert_eq!(deals.len(), 1_680);
    deals
}

/// Two endings: one with a best lead, and one whose leads are close.
fn endings() -> [Vec<Vec<f64>>; 2] {
    let others = ["SA", "SQ", "SJ", "ST", "HA", "HK", "HJ", "HT", "H9"];
    [
        ending(["SK", "S9", "HQ"], others, Strain::NoTrumps),
        ending(["SK", "S9", "HQ"], others, Strain::Trumps(Suit::Spades)),
    ]
}

fn mean(deals: &[Vec<f64>], lead: usize) -> f64 {
    deals.iter().map(|leads| leads[lead]).sum::<f64>() / deals.len() as f64
}

fn tables_are_seldom_wrong(tables: u64, most_wrong: u32) {
    const MARGIN: f64 = 0.1;
    for deals in endings() {
        let means: Vec<f64> = (0..3).map(|lead| mean(&deals, lead)).collect();
        let most = means.iter().copied().fold(0.0, f64::max);
        let [mut excluded, mut unequal, mut outside, mut decided] = [0; 4];
        for seed in 0..tables {
            let mut random = SplitMix(seed);
            let mut best = BestMean::new(3, [0.0, 3.0], MARGIN, 0.01);
            let [mut is_excluded, mut is_unequal] = [false; 2];
            for _ in 0..400 {
                best.add(&deals[random.below(deals.len())]);
                is_excluded |= (0..3).any(|lead| {
                    means[lead] == most && !best.remaining().any(|remains| remains == lead)
                });
                is_unequal |= match best.finding() {
                    Finding::Equal(lead) => most - means[lead] >= MARGIN,
                    Finding::Best(_) | Finding::Open => false,
                };
            }
            decided += u32::from(best.finding() != Finding::Open);
            excluded += u32::from(is_excluded);
            unequal += u32::from(is_unequal);
            outside += u32::from((0..3).any(|lead| {
                let [low, high] = best.limits(lead);
                !(low..=high).contains(&means[lead])
            }));
        }
        let wrong = [excluded, unequal, outside];
        assert!(
            wrong.iter().all(|wrong| *wrong <= most_wrong),
            "{means:?}: {wrong:?}"
        );
        assert!(decided >= tables as u32 / 5, "{means:?}: {decided}");
    }
}

#[test]
fn tables_of_solved_endings_exclude_the_best_lead_seldom() {
    tables_are_seldom_wrong(20, 0);
}

#[test]
#[ignore = "long: 1,000 tables"]
fn a_thousand_tables_of_solved_endings_exclude_the_best_lead_seldom() {
    tables_are_seldom_wrong(1_000, 10);
}
