//! Measures from how many deals on p-values hold, for `scripts/small-samples.sh`.
//!
//! Perfect deals are split into collections of N. Each collection gets the p-values of the battery,
//! and those below 10^-k are counted.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::catalogue::LEAST_PRODUCTS;
use super::expected::Expected;
use super::small_sample_laws::{SmallSampleLaws, tails};
use super::statistics::card_seat;
use super::statistics::overlap;
use super::subject::Contrast;
use super::table_law::two_sided;
use crate::bridge::{Card, Deal, Hand, Seat};
use crate::draw::{Aes128Ctr, BLOCK_DEALS, DealScratch, DealSource, Dealer, Packet, Seeded};
use crate::stats::{
    Lattice, calibrated_log10, chi_square_lower_log10, chi_square_upper_log10, normal_upper_log10,
    poisson_upper_log10,
};

/// Numbers of deals of the collections.
const SIZES: [usize; 8] = [16, 36, 64, 128, 250, 500, 1_000, 4_000];
/// Maximum number of collections of one size.
const MOST: usize = 2_000_000;
/// Number of deals in the collections of one size, within [`FEWEST`] to [`MOST`] collections.
const DEALS: usize = 100_000_000;
const FEWEST: usize = 200_000;
/// Number of collections for the tests of pooled seats.
const FEWEST_POOLED: usize = 50_000;
/// Number of powers of ten: p-values up to 10^-1 .. 10^-6 are counted.
const POWERS: usize = 6;
/// Number of powers that the tables of p-values show.
const SHOWN: usize = 4;
/// Number of collections, of the minimum deals of T2z and T7h, whose evidence is counted; the
/// environment variable FAIRDEAL_VALIDITY_RUNS overrides it.
const WITH_EVIDENCE: usize = 1_000_000;

/// Counts of tails that were at most each power of ten.
#[derive(Clone, Copy, Default)]
struct Below([u64; POWERS]);

impl Below {
    fn count(&mut self, log10_p: f64) {
        for (power, count) in (1..).zip(&mut self.0) {
            *count += u64::from(log10_p <= -f64::from(power));
        }
    }
}

type BelowByTest = BTreeMap<&'static str, Below>;

fn merged(mut one: BelowByTest, other: BelowByTest) -> BelowByTest {
    for (name, below) in other {
        let mine = one.entry(name).or_default();
        for (mine, theirs) in mine.0.iter_mut().zip(below.0) {
            *mine += theirs;
        }
    }
    one
}

/// The data of one deal.
#[derive(Clone, Copy)]
struct SampleDeal {
    hands: [u64; 4],
    points: [f64; 4],
}

/// Counts of 52 cards in bit planes: word i has bit i of every count.
#[derive(Clone, Copy, Default)]
struct CountPlanes([u64; 14]);

impl CountPlanes {
    fn add(&mut self, mut carry: u64) {
        for plane in &mut self.0 {
            if carry == 0 {
                return;
            }
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }

    fn of(&self, bit: u32) -> f64 {
        let digits = self.0.iter().enumerate();
        digits
            .map(|(i, plane)| ((plane >> bit & 1) << i) as f64)
            .sum()
    }
}

/// Counts the pairs of a contrast in a hand.
fn pairs_in_hand(contrast: Contrast, hand: u64) -> u32 {
    // Sixteen bits a suit: the last card of a suit and the first of the next are four bits apart.
    let lasts = 1 << 12 | 1 << 28 | 1 << 44;
    let neighbours = (hand & hand >> 1).count_ones();
    match contrast {
        Contrast::SuitNeighbours => neighbours,
        Contrast::DeckNeighbours => neighbours + (hand & lasts & hand >> 4).count_ones(),
        Contrast::SameRank => [16, 32, 48]
            .map(|suits| (hand & hand >> suits).count_ones())
            .iter()
            .sum(),
        Contrast::AcesAndKings => {
            let held = (hand & 0x0003_0003_0003_0003).count_ones();
            held * held.saturating_sub(1) / 2
        }
    }
}

/// Returns the number of pairs of a contrast, and the variance of the number of them that are in
/// one hand in a deal.
fn law_of(contrast: Contrast) -> (f64, f64) {
    let index = |card: usize| card / 13 * 16 + card % 13;
    let holds = |a, b| {
        let both = 1u64 << index(a) | 1 << index(b);
        f64::from(pairs_in_hand(contrast, both))
    };
    let rows: Vec<f64> = (0..52)
        .map(|a| (0..52).filter(|&b| b != a).map(|b| holds(a, b)).sum())
        .collect();
    let total: f64 = rows.iter().sum();
    let (mut chosen, mut squares) = (0.0, 0.0);
    for a in 0..52 {
        for b in a + 1..52 {
            let projected = holds(a, b) - (rows[a] + rows[b]) / 50.0 + total / (51.0 * 50.0);
            chosen += holds(a, b);
            squares += projected * projected;
        }
    }
    (chosen, 156.0 / 833.0 * squares)
}

/// Returns both tails of every sum of n variables, where they are between about 0.1 and 10^-7.
fn tails_of(law: &Lattice, n: u64, largest: u64, (mean, variance): (f64, f64)) -> Vec<[f64; 2]> {
    let count = n as f64;
    let of_sum = |sum: u64| {
        let z = (sum as f64 - count * mean) / (count * variance).sqrt();
        match z.abs() {
            0.0..1.0 => [0.0; 2],
            1.0..5.5 => tails(law, n, sum),
            _ if z > 0.0 => [f64::NEG_INFINITY, 0.0],
            _ => [0.0, f64::NEG_INFINITY],
        }
    };
    (0..=n * largest).into_par_iter().map(of_sum).collect()
}

/// The laws and sizes for measuring collections of one size.
struct Study<'e> {
    expected: &'e Expected,
    deals: usize,
    /// log10 p of T6's trace and of F by the sum, computed once.
    stayed_tails: Vec<[f64; 2]>,
    flatness_tails: Vec<[f64; 2]>,
    contrast_laws: [(f64, f64); 4],
}

const CONTRASTS: [[&str; 2]; 4] = [
    ["T2z suit neighbours, upper", "T2z suit neighbours, lower"],
    ["T2z same rank, upper", "T2z same rank, lower"],
    ["T2z deck neighbours, upper", "T2z deck neighbours, lower"],
    ["T2z aces and kings, upper", "T2z aces and kings, lower"],
];

impl<'e> Study<'e> {
    fn new(expected: &'e Expected, deals: usize) -> Self {
        let laws = &expected.unconstrained.as_ref().unwrap().small_samples;
        let half_flatness = (1_690.0 / 17.0, 632_736.0 / 14_161.0);
        Self {
            expected,
            deals,
            stayed_tails: tails_of(&laws.overlap, deals as u64 - 1, 52, (13.0, 169.0 / 17.0)),
            flatness_tails: tails_of(&laws.half_flatness, deals as u64, 338, half_flatness),
            contrast_laws: Contrast::ALL.map(law_of),
        }
    }

    fn measure(&self, deals: &[SampleDeal], found: &mut BelowByTest) {
        let mut tail = |name, log10_p| found.entry(name).or_default().count(log10_p);
        self.card_seat(deals, &mut tail);
        self.pairs_of_deals(deals, &mut tail);
        self.flatness(deals, &mut tail);
        self.contrasts(deals, &mut tail);
    }

    fn laws(&self) -> &SmallSampleLaws {
        &self.expected.unconstrained.as_ref().unwrap().small_samples
    }

    fn card_seat(&self, deals: &[SampleDeal], tail: &mut dyn FnMut(&'static str, f64)) {
        let n = deals.len() as f64;
        let mut planes = [CountPlanes::default(); 3];
        for deal in deals {
            let [north, east, south, _] = deal.hands;
            for (planes, held) in planes
                .iter_mut()
                .zip([north | east, north | south, east | south])
            {
                planes.add(held);
            }
        }
        let cards = (0..52).map(|card| card / 13 * 16 + card % 13);
        let signs = cards.flat_map(|bit| planes.map(|planes| n - 2.0 * planes.of(bit)));
        let t1 = 51.0 / 52.0 / n * signs.map(|m| m * m).sum::<f64>();
        tail("T1 chi-square, upper", chi_square_upper_log10(t1, 153.0));
        tail("T1 chi-square, lower", chi_square_lower_log10(t1, 153.0));
        let tails = card_seat::small_sample_tails(self.laws(), t1, deals.len() as u64);
        tail("T1 fitted, upper", tails[0]);
    }

    fn pairs_of_deals(&self, deals: &[SampleDeal], tail: &mut dyn FnMut(&'static str, f64)) {
        let mut cards = [[0u32; 4]; 4];
        for pair in deals.windows(2) {
            for from in 0..4 {
                for to in 0..4 {
                    cards[from][to] += (pair[0].hands[from] & pair[1].hands[to]).count_ones();
                }
            }
        }
        let pairs = deals.len() as f64 - 1.0;
        let square = |cards: &u32| (f64::from(*cards) - 3.25 * pairs).powi(2);
        let t6 = cards.iter().flatten().map(square).sum::<f64>() / (pairs * 169.0 / 51.0);
        tail("T6 chi-square", chi_square_upper_log10(t6, 9.0));
        let fitted = overlap::small_sample_upper(self.laws(), t6, deals.len() as u64 - 1);
        tail("T6 fitted", fitted);
        self.points_cross(deals, tail);

        let stayed: u32 = (0..4).map(|seat| cards[seat][seat]).sum();
        let [upper, lower] = self.stayed_tails[stayed as usize];
        tail("T6 trace exact, upper", upper);
        tail("T6 trace exact, lower", lower);
        let z = (f64::from(stayed) - 13.0 * pairs) / (pairs * 169.0 / 17.0).sqrt();
        tail("T6 trace normal, upper", normal_upper_log10(z));
        tail("T6 trace normal, lower", normal_upper_log10(-z));
    }

    /// Counts the e-values of T2z and T7h at one look, as the battery computes them.
    fn evidence(&self, deals: &[SampleDeal], found: &mut BelowByTest) {
        let mut evidence = |name, log10_p| {
            found
                .entry(name)
                .or_default()
                .count(-calibrated_log10(log10_p));
        };
        let mut contrasts: BTreeMap<&'static str, f64> = BTreeMap::new();
        self.contrasts(deals, &mut |name, log10_p| {
            contrasts.insert(name, log10_p);
        });
        for [upper, lower] in CONTRASTS {
            evidence(upper, two_sided(contrasts[upper], contrasts[lower]));
        }
        self.points_cross(deals, &mut evidence);
    }

    fn points_cross(&self, deals: &[SampleDeal], tail: &mut dyn FnMut(&'static str, f64)) {
        let mut points = [[0.0; 4]; 4];
        for pair in deals.windows(2) {
            for from in 0..4 {
                for to in 0..4 {
                    points[from][to] += pair[0].points[from] * pair[1].points[to];
                }
            }
        }
        let pairs = deals.len() as f64 - 1.0;
        let t7h = points.iter().flatten().map(|sum| sum * sum).sum::<f64>();
        let t7h = t7h / (pairs * (290.0f64 / 17.0 * 4.0 / 3.0).powi(2));
        tail("T7h chi-square", chi_square_upper_log10(t7h, 9.0));
    }

    fn flatness(&self, deals: &[SampleDeal], tail: &mut dyn FnMut(&'static str, f64)) {
        let n = deals.len() as f64;
        let lengths = |hand: u64| [0, 16, 32, 48].map(|suit| (hand >> suit & 0x1FFF).count_ones());
        let squares = |hand: &u64| lengths(*hand).map(|n| n * n).iter().sum::<u32>();
        let flatness: u32 = deals
            .iter()
            .flat_map(|deal| deal.hands.iter().map(squares))
            .sum();
        let [upper, lower] = self.flatness_tails[flatness as usize / 2];
        tail("F mean exact, upper", upper);
        tail("F mean exact, lower", lower);
        let z = (f64::from(flatness) - n * 3_380.0 / 17.0) / (n * 2_530_944.0 / 14_161.0).sqrt();
        tail("F mean normal, upper", normal_upper_log10(z));
        tail("F mean normal, lower", normal_upper_log10(-z));
    }

    fn contrasts(&self, deals: &[SampleDeal], tail: &mut dyn FnMut(&'static str, f64)) {
        let n = deals.len() as f64;
        let laws = Contrast::ALL.iter().zip(self.contrast_laws).zip(CONTRASTS);
        for ((contrast, (chosen, variance)), [upper, lower]) in laws {
            let hands = deals.iter().flat_map(|deal| deal.hands);
            let met: u32 = hands.map(|hand| pairs_in_hand(*contrast, hand)).sum();
            let z = (f64::from(met) - n * chosen * 4.0 / 17.0) / (n * variance).sqrt();
            tail(upper, normal_upper_log10(z));
            tail(lower, normal_upper_log10(-z));
        }
    }

    /// Measures T4p and T5p, which take longer.
    fn measure_pooled(&self, deals: &[SampleDeal], found: &mut BelowByTest) {
        let laws = self.expected.unconstrained.as_ref().unwrap();
        let (mut shapes, mut points) = ([0; 39], [0; 38]);
        for deal in deals {
            for (hand, of_hand) in deal.hands.iter().zip(deal.points) {
                let pattern = Hand::from_bits(*hand).pattern().unwrap();
                shapes[pattern.index().shape_index().get()] += 1;
                points[(of_hand + 10.0) as usize] += 1;
            }
        }
        let n = deals.len() as u64;
        let names = [
            ("T4p chi-square, upper", "T4p chi-square, lower"),
            ("T5p chi-square, upper", "T5p chi-square, lower"),
        ];
        let measured = [
            laws.shapes.measure(&shapes, n, false),
            laws.points.measure(&points, n, true),
        ];
        for ((upper, lower), measured) in names.into_iter().zip(measured) {
            if let Some((q, dof)) = measured.and_then(|m| Some((m.statistic, m.dof?))) {
                found
                    .entry(upper)
                    .or_default()
                    .count(chi_square_upper_log10(q, dof));
                found
                    .entry(lower)
                    .or_default()
                    .count(chi_square_lower_log10(q, dof));
            }
        }
    }
}

/// Passes `count` collections of this size to `take`, and merges the results.
fn collections(
    size: usize,
    count: usize,
    take: impl Fn(&[SampleDeal], &mut BelowByTest) + Sync,
) -> BelowByTest {
    let dealer = Dealer::<Vec<u8>>::unconstrained();
    let generator = Aes128Ctr::new(36);
    let source = Seeded {
        dealer: &dealer,
        generator: &generator,
    };
    let points = Card::all().map(|card| {
        let bit = 1u64 << (card.index() / 13 * 16 + card.index() % 13);
        (bit, 4.0 - (card.index() % 13).min(4) as f64)
    });
    let points: Vec<(u64, f64)> = points.filter(|(_, points)| *points > 0.0).collect();
    let seen = |deal: &Deal| {
        let hands = Seat::ALL.map(|seat| deal.hand(seat).bits());
        let of_hand = |hand: u64| -> f64 {
            let held = points.iter().filter(|(bit, _)| hand & bit != 0);
            held.map(|(_, points)| points).sum::<f64>() - 10.0
        };
        SampleDeal {
            hands,
            points: hands.map(of_hand),
        }
    };
    let each = BLOCK_DEALS as usize / size;
    let blocks = count.div_ceil(each) as u64;
    let portions = source.portions(0..blocks * BLOCK_DEALS).unwrap();
    portions
        .par_iter()
        .map(|portion| {
            let mut deals = Vec::with_capacity(BLOCK_DEALS as usize);
            let mut sink = |packet: &Packet| {
                deals.extend((0..packet.deals()).map(|i| seen(&packet.deal(i))));
            };
            source
                .deal(portion, &mut DealScratch::default(), &mut sink)
                .unwrap();
            let mut found = BelowByTest::new();
            for collection in deals.chunks_exact(size) {
                take(collection, &mut found);
            }
            found.entry("collections").or_default().0[0] += (deals.len() / size) as u64;
            found
        })
        .reduce(BelowByTest::new, merged)
}

#[test]
#[ignore = "takes minutes; run by scripts/small-samples.sh"]
#[allow(clippy::print_stdout, reason = "output for the script")]
fn how_often_p_values_of_few_deals_are_small() {
    let expected = Expected::every_deal();
    for deals in SIZES {
        let study = Study::new(&expected, deals);
        let count = (DEALS / deals).clamp(FEWEST, MOST);
        let light = collections(deals, count, |deals, found| study.measure(deals, found));
        let pooled = if deals >= 128 {
            collections(deals, FEWEST_POOLED, |deals, found| {
                study.measure_pooled(deals, found);
            })
        } else {
            BelowByTest::new()
        };
        for found in [light, pooled] {
            let Some(all) = found.get("collections").map(|all| all.0[0]) else {
                continue;
            };
            if found.len() > 1 {
                println!("N = {}, {all} collections", study.deals);
            }
            for (name, below) in found.iter().filter(|(name, _)| **name != "collections") {
                print!("{name:<28}");
                for (power, count) in (1..).zip(below.0).take(SHOWN) {
                    let ratio = count as f64 / all as f64 * 10f64.powi(power);
                    print!(
                        " {ratio:>8.3} +- {:<6.3}",
                        (count as f64).sqrt() / all as f64 * 10f64.powi(power)
                    );
                }
                println!();
            }
        }
    }
}

#[test]
#[ignore = "takes minutes; run by scripts/validity.sh laws"]
#[allow(clippy::print_stdout, reason = "output for the script")]
fn evidence_from_the_least_deals_keeps_its_promise() {
    let expected = Expected::every_deal();
    let study = Study {
        stayed_tails: Vec::new(),
        flatness_tails: Vec::new(),
        ..Study::new(&expected, 1)
    };
    let deals = LEAST_PRODUCTS as usize;
    let asked = std::env::var("FAIRDEAL_VALIDITY_RUNS").ok();
    let asked = asked.and_then(|runs| runs.parse().ok());
    let found = collections(deals, asked.unwrap_or(WITH_EVIDENCE), |deals, found| {
        study.evidence(deals, found);
    });
    let all = found["collections"].0[0];
    let mut broken = Vec::new();
    for (name, reached) in found.iter().filter(|(name, _)| **name != "collections") {
        let name = name.trim_end_matches(", upper");
        let counts = reached.0.map(|count| format!("{count:>8}")).concat();
        let is_kept = (1..).zip(reached.0).all(|(power, count)| {
            poisson_upper_log10(count, all as f64 * 0.1f64.powi(power)) > -3.0
        });
        let word = if is_kept { "kept" } else { "BROKEN" };
        println!(
            "{name:<32}{:<14}{all:>8}{counts}{:>7}  {word}",
            format!("{deals} deals"),
            "-"
        );
        if !is_kept {
            broken.push(name);
        }
    }
    assert!(broken.is_empty(), "{broken:?}");
}
