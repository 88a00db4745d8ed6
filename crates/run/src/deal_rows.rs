//! The first deals of a stream, written into the rows of an array.
//!
//! The deals are those of a [`DealStream`](super::DealStream) with the same dealer, generator and
//! filter. Unless they come from cases or need random draws, threads deal blocks side by side.

use std::collections::VecDeque;

use rayon::prelude::*;

use super::RunError;
use super::lookahead::{MOST_TRIES, most_tries};
use super::stream::{DealStream, SearchEvent};
use crate::bridge::{Card, Hand};
use crate::draw::{Aes128Ctr, BLOCK_DEALS, DealScratch, Dealer, DrawError, Packet};
use crate::error::Error;
use crate::filter::{Filter, FilterScratch};
use crate::kernels::set_bits;
use crate::language::Expression;
use crate::observer::{Observer, Stage};
use crate::population::Population;
use crate::population::cases::CaseBytes;

/// Deals from a stream between two calls of its caller.
const DEALS_OF_A_STEP: usize = 1 << 12;

/// A row of an array of deals.
pub trait DealRow {
    /// Returns the row of the deal with these hands, clockwise from north, as in [`Hand::bits`].
    fn of_hands(hands: [u64; 4]) -> Self;

    /// Returns the hands of the row, clockwise from north; an overlap or a missing card if the row
    /// is not a deal.
    fn hands(&self) -> [u64; 4];
}

/// The four hands, clockwise from north, as in [`Hand::bits`].
impl DealRow for [u64; 4] {
    #[inline]
    fn of_hands(hands: [u64; 4]) -> Self {
        hands
    }

    #[inline]
    fn hands(&self) -> [u64; 4] {
        *self
    }
}

/// The seat of each card in deck order: 0 is north, 3 is west.
impl DealRow for [u8; Card::COUNT] {
    #[inline]
    fn of_hands([_, east, south, west]: [u64; 4]) -> Self {
        // The two bits of a card's seat, in bytes of their own.
        let (low, high) = (in_deck_order(east | west), in_deck_order(south | west));
        let mut row = [0; Card::COUNT];
        for (place, cards) in row.chunks_mut(8).enumerate() {
            let seats = spread(low >> (8 * place)) | (spread(high >> (8 * place)) << 1);
            cards.copy_from_slice(&seats.to_le_bytes()[..cards.len()]);
        }
        row
    }

    fn hands(&self) -> [u64; 4] {
        let mut hands = [0; 4];
        for (card, seat) in self.iter().enumerate() {
            if let Some(hand) = hands.get_mut(usize::from(*seat)) {
                *hand |= 1 << (16 * (card / 13) + card % 13);
            }
        }
        hands
    }
}

/// Returns the cards of a hand as the bits 0 to 51, in deck order.
#[inline]
fn in_deck_order(hand: u64) -> u64 {
    let suit = |place: u32| (hand >> (16 * place) & 0x1FFF) << (13 * place);
    suit(0) | suit(1) | suit(2) | suit(3)
}

/// Returns the lowest eight bits as eight bytes of 0 or 1, the lowest first.
#[inline]
fn spread(bits: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Byte i keeps bit i of its copy. Adding 127 carries it into the byte's highest bit.
    let kept = ((bits & 0xFF) * ONES) & 0x8040_2010_0804_0201;
    (kept + 0x7F * ONES) >> 7 & ONES
}

/// Writes the first deals of a population into the rows, and returns their number: that of the rows,
/// unless the filter rejects [`most_tries`] deals in a row or the observer asks to stop.
///
/// # Errors
///
/// If the population cannot be drawn from, or its filter cannot be computed.
#[doc(hidden)]
pub fn fill_rows<R: DealRow + Send>(
    population: &Population,
    seed: u128,
    rows: &mut [R],
    observer: &dyn Observer,
) -> Result<usize, Error> {
    RowStream::new(population, seed)?.fill(rows, observer)
}

/// The deals of a population and a seed, written into the rows of one array after the other.
///
/// They are the deals of a [`DealStream`], however large the arrays are. Blocks of deals are dealt on
/// all threads of the current pool.
pub struct RowStream<'p> {
    population: &'p Population,
    source: RowSource<'p>,
}

enum RowSource<'p> {
    Blocks(Box<BlockRows<'p>>),
    /// Cases, and filters with random draws.
    Deals(Box<DealStream<'p, CaseBytes>>),
}

impl<'p> RowStream<'p> {
    /// Begins the deals of a seed.
    ///
    /// # Errors
    ///
    /// If the listing or the cells cannot be drawn from.
    pub fn new(population: &'p Population, seed: u128) -> Result<Self, Error> {
        let dealer = Dealer::new(population).map_err(|error| error.of(population))?;
        let has_draws = population.filter().iter().any(Expression::has_draws);
        let source = match dealer.deals_in_order() && !has_draws {
            true => RowSource::Blocks(Box::new(BlockRows::new(dealer, seed, population))),
            false => RowSource::Deals(Box::new(DealStream::of(population, Aes128Ctr::new(seed))?)),
        };
        Ok(Self { population, source })
    }

    /// Writes the next deals, and returns their number: that of the rows, unless the filter rejects
    /// [`most_tries`] deals in a row or the observer asks to stop.
    ///
    /// # Errors
    ///
    /// If the filter cannot be computed for a deal.
    pub fn fill<R: DealRow + Send>(
        &mut self,
        rows: &mut [R],
        observer: &dyn Observer,
    ) -> Result<usize, Error> {
        let stage = observer.stage(Stage::Deals, Some(rows.len() as u64));
        let mut proceed = |more: usize| {
            stage.advance(more as u64);
            !observer.is_stop_asked()
        };
        let filled = match &mut self.source {
            RowSource::Blocks(blocks) => blocks.fill(rows, &mut proceed),
            RowSource::Deals(stream) => fill_from_stream(stream, rows, &mut proceed),
        };
        filled.map_err(|error| error.of(self.population))
    }
}

/// Maximum number of blocks that are dealt without a filter between two calls of the caller.
const BLOCKS_OF_A_STEP: u64 = 64;

/// Maximum number of filtered blocks per thread that are dealt side by side.
const BLOCKS_A_THREAD: usize = 4;

/// Deals in blocks, which threads deal side by side.
struct BlockRows<'p> {
    dealer: Dealer<'p, CaseBytes>,
    generator: Aes128Ctr,
    filter: Option<Filter>,
    most_tries: u64,
    /// The next deal that is drawn; with a filter, the first of a block.
    start: u64,
    /// Number of blocks that are dealt side by side the next time.
    together: usize,
    /// Number of deals drawn up to the last that was written.
    hit: u64,
    waiting: VecDeque<FilteredBlock>,
    /// Whether too many deals in a row did not pass.
    gave_up: bool,
}

/// The deals of a block that pass.
struct FilteredBlock {
    /// The number of its last deal, plus 1.
    end: u64,
    /// The number and the hands of each.
    passed: VecDeque<(u64, [u64; 4])>,
    /// Why deals after these are unknown.
    failure: Option<RunError>,
}

impl<'p> BlockRows<'p> {
    fn new(dealer: Dealer<'p, CaseBytes>, seed: u128, population: &Population) -> Self {
        let filter = Filter::of(population);
        Self {
            dealer,
            generator: Aes128Ctr::new(seed),
            most_tries: filter.as_ref().map_or(MOST_TRIES, most_tries),
            filter,
            start: 0,
            together: 1,
            hit: 0,
            waiting: VecDeque::new(),
            gave_up: false,
        }
    }

    /// Fills rows. `proceed` receives the number of rows written since its last call.
    fn fill<R: DealRow + Send>(
        &mut self,
        rows: &mut [R],
        proceed: &mut dyn FnMut(usize) -> bool,
    ) -> Result<usize, RunError> {
        let mut written = 0;
        while written < rows.len() && !self.gave_up {
            let more = match self.filter {
                None => self.fill_unfiltered(&mut rows[written..])?,
                Some(_) => self.fill_filtered(&mut rows[written..])?,
            };
            written += more;
            if !proceed(more) {
                break;
            }
        }
        Ok(written)
    }

    /// Writes the deals of some blocks; a thread writes the rows of a block.
    fn fill_unfiltered<R: DealRow + Send>(&mut self, rows: &mut [R]) -> Result<usize, RunError> {
        let offset = self.start % BLOCK_DEALS;
        let most = (BLOCKS_OF_A_STEP * BLOCK_DEALS - offset).min(rows.len() as u64);
        let (first, rest) =
            rows[..most as usize].split_at_mut((BLOCK_DEALS - offset).min(most) as usize);
        let begin = self.start - offset;
        let blocks = [(begin, offset, first)].into_iter();
        let others = (1..).zip(rest.chunks_mut(BLOCK_DEALS as usize));
        let others = others.map(|(block, rows)| (begin + block * BLOCK_DEALS, 0, rows));
        let blocks: Vec<_> = blocks.chain(others).collect();
        let this = &*self;
        blocks
            .into_par_iter()
            .try_for_each_init(DealScratch::default, |scratch, (begin, offset, rows)| {
                this.deal_block(scratch, begin, offset, rows)
            })?;
        self.start += most;
        Ok(most as usize)
    }

    /// Writes the deals of a block from the deal at `offset` on.
    fn deal_block<R: DealRow>(
        &self,
        scratch: &mut DealScratch,
        begin: u64,
        offset: u64,
        rows: &mut [R],
    ) -> Result<(), RunError> {
        let wanted = begin + offset + rows.len() as u64;
        let (mut places, mut skipped) = (rows.iter_mut(), offset as usize);
        let end = self.dealer.end_of_order(begin, wanted);
        let portions = self.dealer.portions(&self.generator, begin..end);
        for portion in portions.map_err(DrawError::from)? {
            self.dealer
                .deal(&self.generator, &portion, scratch, &mut |packet| {
                    let first = skipped.min(packet.deals());
                    skipped -= first;
                    for (place, row) in (first..packet.deals()).zip(&mut places) {
                        *row = R::of_hands(hands_at(packet, place));
                    }
                })?;
        }
        Ok(())
    }

    /// Writes deals that wait, or those that pass in the next blocks.
    fn fill_filtered<R: DealRow>(&mut self, rows: &mut [R]) -> Result<usize, RunError> {
        if self.waiting.is_empty() {
            let blocks = (0..self.together as u64).into_par_iter();
            let this = &*self;
            let dealt = blocks.map_init(Default::default, |scratch, block| {
                this.filter_block(scratch, this.start + block * BLOCK_DEALS)
            });
            let dealt: Vec<FilteredBlock> = dealt.collect();
            self.waiting = dealt.into();
            self.start += self.together as u64 * BLOCK_DEALS;
            let most = BLOCKS_A_THREAD * rayon::current_num_threads();
            self.together = (2 * self.together).min(most);
        }
        self.take_waiting(rows)
    }

    fn filter_block(
        &self,
        (scratch, of_filter): &mut (DealScratch, FilterScratch),
        begin: u64,
    ) -> FilteredBlock {
        let mut block = FilteredBlock {
            end: begin + BLOCK_DEALS,
            passed: VecDeque::new(),
            failure: None,
        };
        let mut failure = None;
        let mut number = begin;
        let portions = self.dealer.portions(&self.generator, begin..block.end);
        let dealt = portions.map_err(DrawError::from).and_then(|portions| {
            portions.iter().try_for_each(|portion| {
                self.dealer
                    .deal(&self.generator, portion, scratch, &mut |packet| {
                        let first = number;
                        number += packet.deals() as u64;
                        let Some(filter) = self.filter.as_ref().filter(|_| failure.is_none())
                        else {
                            return;
                        };
                        match filter.accept(self.dealer.isa(), packet, of_filter) {
                            Ok(passed) => block.passed.extend(
                                set_bits(passed)
                                    .map(|place| (first + place as u64, hands_at(packet, place))),
                            ),
                            Err(error) => failure = Some(RunError::from(error)),
                        }
                    })
            })
        });
        block.failure = failure.or(dealt.err().map(RunError::from));
        block
    }

    /// Writes deals that wait.
    fn take_waiting<R: DealRow>(&mut self, rows: &mut [R]) -> Result<usize, RunError> {
        let mut written = 0;
        while let Some(block) = self.waiting.front_mut() {
            while written < rows.len()
                && let Some((number, hands)) = block.passed.pop_front()
            {
                if number - self.hit >= self.most_tries {
                    self.gave_up = true;
                    return Ok(written);
                }
                self.hit = number + 1;
                rows[written] = R::of_hands(hands);
                written += 1;
            }
            if written == rows.len() {
                break;
            }
            if let Some(failure) = block.failure.take() {
                return Err(failure);
            }
            self.gave_up = block.end - self.hit >= self.most_tries;
            if self.gave_up {
                break;
            }
            self.waiting.pop_front();
        }
        Ok(written)
    }
}

/// The hands of a packet's deal, clockwise from north.
#[inline]
fn hands_at(packet: &Packet, place: usize) -> [u64; 4] {
    let (both, north) = (packet.north_south[place], packet.north[place]);
    let east = packet.east[place];
    let west = Hand::DECK.bits() & !(both | east);
    [north, east, both & !north, west]
}

fn fill_from_stream<R: DealRow>(
    stream: &mut DealStream<'_, CaseBytes>,
    rows: &mut [R],
    proceed: &mut dyn FnMut(usize) -> bool,
) -> Result<usize, RunError> {
    let (mut written, mut reported) = (0, 0);
    while written < rows.len() {
        let is_due = match stream.next().transpose()? {
            Some(SearchEvent::Next(next)) => {
                rows[written] = R::of_hands(next.deal.hands().map(Hand::bits));
                written += 1;
                written - reported >= DEALS_OF_A_STEP || written == rows.len()
            }
            Some(SearchEvent::Misses(_)) => true,
            None => break,
        };
        if is_due && !proceed(written - std::mem::replace(&mut reported, written)) {
            break;
        }
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::{Deal, Seat};
    use crate::observer::Silent;
    use crate::population::Base;

    #[test]
    fn a_row_of_seats_has_the_seat_of_every_card_in_deck_order() {
        let text = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3";
        let deal: Deal = text.parse().unwrap();
        let row = <[u8; 52]>::of_hands(deal.hands().map(Hand::bits));
        for (card, seat) in Card::all().zip(row) {
            let seat = Seat::from_index(seat.into()).unwrap();
            assert!(deal.hand(seat).contains(card), "{card}");
        }
        let row = <[u64; 4]>::of_hands(deal.hands().map(Hand::bits));
        assert_eq!(row.map(Hand::from_bits), *deal.hands());
    }

    #[test]
    fn a_search_gives_up_after_exactly_so_many_tries() {
        let every_deal = Population::every_deal();
        let dealer = Dealer::new(&every_deal).unwrap();
        let mut blocks = BlockRows::new(dealer, 1, &every_deal);
        for (first, wanted) in [(MOST_TRIES - 1, 2), (MOST_TRIES, 0), (0, 2)] {
            (blocks.hit, blocks.gave_up) = (0, false);
            blocks.waiting = VecDeque::from([FilteredBlock {
                end: first + 10,
                passed: [(first, [0; 4]), (first + 3, [0; 4])].into(),
                failure: None,
            }]);
            let mut rows = [[0u64; 4]; 2];
            let written = blocks.take_waiting(&mut rows).unwrap();
            assert_eq!((written, blocks.gave_up), (wanted, wanted == 0), "{first}");
        }
    }

    #[test]
    fn rows_are_the_same_in_arrays_of_any_length() {
        let condition = crate::language::Condition::parse("test", "hcp(north) >= 20").unwrap();
        let terms = vec![condition.expression().clone()];
        let filtered = Population::new(condition, Base::EveryDeal, terms);
        // Some hundred deals of a block of 65,536 pass the filter.
        for (population, every) in [(Population::every_deal(), 1), (filtered, 50)] {
            let mut whole = vec![[0u64; 4]; 150_000 / every];
            let mut stream = RowStream::new(&population, 5).unwrap();
            let filled = stream.fill(&mut whole, &Silent).unwrap();
            assert_eq!(filled, whole.len());
            let mut stream = RowStream::new(&population, 5).unwrap();
            let mut start = 0;
            for length in [1, 127, 65_000, 70_000, 14_872].map(|length| length / every) {
                let mut rows = vec![[0u8; 52]; length];
                assert_eq!(stream.fill(&mut rows, &Silent).unwrap(), length);
                let hands = rows.iter().map(DealRow::hands);
                assert!(hands.eq(whole[start..start + length].iter().copied()));
                start += length;
            }
            let deals = DealStream::of(&population, Aes128Ctr::new(5)).unwrap();
            let nexts = deals.filter_map(|event| match event.unwrap() {
                SearchEvent::Next(next) => Some(next.deal.hands().map(Hand::bits)),
                SearchEvent::Misses(_) => None,
            });
            assert!(nexts.take(1_000).eq(whole[..1_000].iter().copied()));
        }
    }
}
