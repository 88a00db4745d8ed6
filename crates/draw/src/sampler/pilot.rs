//! Pilot samples: the acceptance rate of a condition, estimated from random deals.

use std::ops::Range;

use crate::bridge::{Card, Hand, Seat};
use crate::filter::{self, Filter};
use crate::language::{EvaluationError, Predeal};
use crate::population::cases::CaseBytes;
use crate::population::cells::Cells;
use crate::{
    Aes128Ctr, DealScratch, DealSource as _, Dealer, DrawError, Isa, PACKET, Packet, RandomStream,
    Seeded, StreamId, StreamPurpose, WordsError, below,
};

/// Size of the first sample, growth of later samples, and size of the last.
const FIRST: u64 = 1 << 11;
const GROWTH: u64 = 8;
const LAST: u64 = 1 << 23;

/// Number of accepted deals that is enough: the standard error is a sixth of the rate.
const ENOUGH: u64 = 36;

/// Number of deals kept to compare conditions.
const SAMPLE: u64 = 1 << 12;

/// Seed of the pilot's random words: the same in every request.
const SEED: u128 = 0x0070_696c_6f74;

/// The result of a pilot sample of a filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pilot {
    /// Sample size.
    pub drawn: u64,
    /// Number of accepted deals.
    pub kept: u64,
    /// The share of all deals that the sample was drawn from.
    pub of: f64,
}

impl Pilot {
    /// Returns the estimated acceptance rate of rejection. If no deal was accepted, it is the rate
    /// of half a deal.
    pub fn rate(&self) -> f64 {
        self.of * (self.kept as f64).max(0.5) / self.drawn.max(1) as f64
    }

    /// Returns the size of the next sample.
    pub(super) fn next_size(&self) -> u64 {
        (self.drawn * GROWTH).min(LAST)
    }

    /// Returns whether the sample is precise enough, or the largest.
    pub(super) fn is_enough(&self) -> bool {
        self.kept >= ENOUGH || self.drawn >= LAST
    }

    /// Returns the share of the sample that was accepted.
    pub fn share(&self) -> f64 {
        self.kept as f64 / self.drawn as f64
    }

    /// Returns the standard error of the share.
    pub fn standard_error(&self) -> f64 {
        let share = self.share();
        (share * (1.0 - share) / self.drawn as f64).sqrt()
    }
}

/// Deals for pilot samples, with the same predealt cards.
pub(super) struct PilotDeck<'p> {
    predeal: &'p Predeal,
    isa: Isa,
    /// Packets of the first deals, to compare conditions on.
    sample: Vec<Packet>,
}

impl<'p> PilotDeck<'p> {
    pub(super) fn new(predeal: &'p Predeal) -> Self {
        Self {
            predeal,
            isa: Isa::chosen(),
            sample: Vec::new(),
        }
    }

    /// Draws the next sample, the first or a larger one after `before`, from all deals or from
    /// cells.
    pub(super) fn sample(
        &mut self,
        filter: &Filter,
        before: Option<Pilot>,
        cells: Option<&Cells>,
    ) -> Result<Pilot, EvaluationError> {
        let mut pilot = before.unwrap_or(Pilot {
            drawn: 0,
            kept: 0,
            of: cells.map_or(1.0, Cells::share),
        });
        let end = match before {
            None => FIRST,
            Some(before) => before.next_size(),
        };
        let mut scratch = filter::FilterScratch::default();
        let mut failed = None;
        let (isa, sample) = (self.isa, &mut self.sample);
        let mut sink = |packet: &Packet| {
            if failed.is_some() {
                return;
            }
            if cells.is_none() && (sample.len() * PACKET) < SAMPLE as usize {
                sample.push(packet.clone());
            }
            match filter.accept(isa, packet, &mut scratch) {
                Ok(passed) => pilot.kept += u64::from(passed.count_ones()),
                Err(error) => failed = Some(error),
            }
        };
        let deals = pilot.drawn..end;
        let dealt = match cells {
            Some(cells) => {
                Dealer::of_cells(cells).and_then(|dealer| deal_from(&dealer, deals, &mut sink))
            }
            None if self.predeal.is_empty() => {
                deal_from(&Dealer::unconstrained(), deals, &mut sink)
            }
            None => deal_around(self.predeal, deals, &mut sink).map_err(Into::into),
        };
        dealt.expect("words of a seed neither end nor fail, and lists of cells were paid for");
        match failed {
            Some(error) => Err(error),
            None => Ok(Pilot {
                drawn: end,
                ..pilot
            }),
        }
    }

    /// Counts the first deals that a filter accepts. Packets in which its arithmetic fails count as
    /// rejected.
    pub(super) fn share(&self, filter: &Filter) -> Pilot {
        let mut scratch = filter::FilterScratch::default();
        let mut pilot = Pilot {
            drawn: 0,
            kept: 0,
            of: 1.0,
        };
        for packet in &self.sample {
            pilot.drawn += packet.deals() as u64;
            if let Ok(passed) = filter.accept(self.isa, packet, &mut scratch) {
                pilot.kept += u64::from(passed.count_ones());
            }
        }
        pilot
    }

    /// Returns the sample size of [`PilotDeck::share`].
    pub(super) fn sample_size(&self) -> u64 {
        self.sample.iter().map(|packet| packet.deals() as u64).sum()
    }
}

/// Deals from all deals, or from cells.
fn deal_from(
    dealer: &Dealer<'_, CaseBytes>,
    deals: Range<u64>,
    sink: &mut dyn FnMut(&Packet),
) -> Result<(), DrawError> {
    let generator = Aes128Ctr::new(SEED);
    let source = Seeded {
        dealer,
        generator: &generator,
    };
    let mut scratch = DealScratch::default();
    for portion in source.portions(deals)? {
        source.deal(&portion, &mut scratch, sink)?;
    }
    Ok(())
}

/// Deals around fixed cards, by a shuffle of the others.
fn deal_around(
    predeal: &Predeal,
    deals: Range<u64>,
    sink: &mut dyn FnMut(&Packet),
) -> Result<(), WordsError> {
    let generator = Aes128Ctr::new(SEED);
    let mut stream = RandomStream::new(
        &generator,
        StreamId::new(deals.start, StreamPurpose::Order, 0),
    );
    let fixed = Seat::ALL.map(|seat| predeal.hand(seat));
    let taken = fixed.into_iter().fold(Hand::EMPTY, Hand::union);
    let mut cards: Vec<Card> = Hand::DECK.without(taken).cards().collect();
    let mut packet = Packet::default();
    for place in deals.clone() {
        for end in (1..cards.len()).rev() {
            let chosen = below(&mut stream, end as u128 + 1)?;
            cards.swap(end, chosen as usize);
        }
        let mut left = cards.iter();
        let mut completed = fixed;
        for hand in &mut completed[..3] {
            let missing = 13 - hand.len() as usize;
            *hand = left
                .by_ref()
                .take(missing)
                .fold(*hand, |hand, card| hand.union(Hand::of(*card)));
        }
        packet.push([completed[0], completed[1], completed[2]].map(Hand::bits));
        if packet.deals() == PACKET || place + 1 == deals.end {
            sink(&packet);
            packet.clear();
        }
    }
    Ok(())
}
