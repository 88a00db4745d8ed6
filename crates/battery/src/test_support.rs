//! Deals with their counts, and comparisons, for tests of several statistics.

use super::small_sample_laws::SmallSampleLaws;
use crate::bridge::{Card, Deal, Seat};
use crate::draw::{Aes128Ctr, DealScratch, DealSource, Dealer, Isa, Packet, Seeded};
use crate::language::Condition;
use crate::population::cases::{CaseBytes, CaseFile, Listing, Runs, census, list};
use crate::stats::GammaSum;
use crate::tally::{Batch, CountPlan, Counting, Counts, Depth};
use crate::theory::{Theory, null_laws};

/// Deals whole consecutive blocks, and returns them with their counts.
pub(crate) fn counted(
    plan: &CountPlan<'_>,
    source: &dyn DealSource,
    deals: u64,
) -> (Vec<Deal>, Counts) {
    let mut counts = plan.empty();
    let mut counting = Counting::new(plan, &counts.kept(), Isa::chosen());
    let batch = Batch { number: 0, deals };
    let mut list = Vec::new();
    for portion in source.portions(0..deals).unwrap() {
        counting.begin(batch, &portion);
        let mut sink = |packet: &Packet| {
            list.extend((0..packet.deals()).map(|i| packet.deal(i)));
            counting.count(packet);
        };
        source
            .deal(&portion, &mut DealScratch::default(), &mut sink)
            .unwrap();
        counting.end();
    }
    counts.add(vec![counting.finish()]);
    (list, counts)
}

/// Returns unconstrained deals and their counts.
pub(crate) fn unconstrained(deals: u64) -> (Vec<Deal>, Counts) {
    let dealer = Dealer::<Vec<u8>>::unconstrained();
    let source = Seeded {
        dealer: &dealer,
        generator: &Aes128Ctr::new(21),
    };
    counted(&CountPlan::unconstrained(Depth::Full), &source, deals)
}

/// Returns the deals of [`unconstrained`], which takes most of its time to count them.
pub(crate) fn unconstrained_deals(count: u64) -> Vec<Deal> {
    let dealer = Dealer::<Vec<u8>>::unconstrained();
    dealt(
        &Seeded {
            dealer: &dealer,
            generator: &Aes128Ctr::new(21),
        },
        count,
    )
}

/// Returns the first deals of a source.
pub(crate) fn dealt(source: &dyn DealSource, count: u64) -> Vec<Deal> {
    let mut deals = Vec::new();
    for portion in source.portions(0..count).unwrap() {
        let mut sink = |packet: &Packet| deals.extend((0..packet.deals()).map(|i| packet.deal(i)));
        source
            .deal(&portion, &mut DealScratch::default(), &mut sink)
            .unwrap();
    }
    deals
}

/// Returns the index of a card's seat.
pub(crate) fn seat_of(deal: &Deal, card: Card) -> usize {
    let holds = |seat: &Seat| deal.hand(*seat).contains(card);
    Seat::ALL.iter().position(holds).unwrap()
}

/// Asserts that a statistic equals the expected value up to rounding.
pub(crate) fn near(statistic: f64, expected: f64) {
    let scale = expected.abs().max(1.0);
    assert!(
        (statistic - expected).abs() < 1e-9 * scale,
        "{statistic} {expected}"
    );
}

/// Asserts that the statistics of every three deals have the first three moments of a law.
pub(crate) fn assert_moments(law: &GammaSum, deals: &[Deal], statistic: impl Fn(&[Deal]) -> f64) {
    let values: Vec<f64> = deals.chunks_exact(3).map(statistic).collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let central = |power| values.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / count;
    let expected = [law.mean(), law.variance(), law.third()];
    let found = [mean, central(2), central(3)];
    for ((found, expected), off) in found.iter().zip(expected).zip([0.01, 0.02, 0.2]) {
        assert!((found / expected - 1.0).abs() < off, "{found} {expected}");
    }
}

/// Returns the case file of the condition that west has nine spades and at least twelve points.
pub(crate) fn nine_spades() -> CaseFile<CaseBytes> {
    let condition = Condition::parse("test", "spades(west) == 9 && hcp(west) >= 12").unwrap();
    let listing = Listing::new(&condition, None).unwrap();
    let census = census(&condition, &listing).unwrap();
    list(&condition, &listing, census, &|_| ()).unwrap()
}

/// Returns the file of [`nine_spades`], draws from it and their counts.
pub(crate) fn draws_of_nine_spades() -> (CaseFile<CaseBytes>, Vec<Deal>, Counts) {
    let file = nine_spades();
    let dealer = Dealer::of_cases(&file).unwrap();
    let generator = &Aes128Ctr::new(5);
    let source = Seeded {
        dealer: &dealer,
        generator,
    };
    let plan = CountPlan::of_cases(Depth::Full, Runs::new(&file));
    let (deals, counts) = counted(&plan, &source, 4_000);
    (file, deals, counts)
}

impl SmallSampleLaws {
    /// Computes the laws of unconstrained deals.
    pub(crate) fn unconstrained() -> Self {
        Self::new(&null_laws(), &Theory::unconstrained())
    }
}
