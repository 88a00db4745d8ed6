//! The first deals of a stream, written into the rows of an array.
//!
//! The deals are those of a [`DealStream`](super::DealStream) with the same dealer, generator and
//! filter. Unless they come from cases or need random draws, packets are filtered and copied as
//! they are dealt, without a list of deals in between.

use super::RunError;
use super::lookahead::{Lookahead, MOST_TRIES, Search, most_tries};
use super::stream::{DealStream, SearchEvent};
use crate::bridge::{Card, Hand};
use crate::draw::{Aes128Ctr, DealScratch, Dealer, DrawError, Generator, Packet};
use crate::error::Error;
use crate::filter::{Filter, FilterScratch};
use crate::language::Expression;
use crate::observer::{Observer, Stage};
use crate::population::Population;

/// Deals from a stream between two calls of its caller.
const DEALS_OF_A_STEP: usize = 1 << 12;

/// A row of an array of deals.
pub trait DealRow {
    /// Returns the row of the deal with these hands, clockwise from north, as in [`Hand::bits`].
    fn of_hands(hands: [u64; 4]) -> Self;
}

/// The four hands, clockwise from north, as in [`Hand::bits`].
impl DealRow for [u64; 4] {
    #[inline]
    fn of_hands(hands: [u64; 4]) -> Self {
        hands
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

/// Rows of an array, and how many of them have been written.
struct DealRowWriter<'r, R> {
    rows: &'r mut [R],
    written: usize,
    /// Number of deals drawn.
    drawn: u64,
    /// Number of deals drawn up to the last that passed.
    hit: u64,
    /// Number of deals in a row without one that passes after which it gives up.
    most_tries: u64,
    /// Whether too many deals in a row did not pass.
    gave_up: bool,
}

impl<R: DealRow> DealRowWriter<'_, R> {
    fn is_over(&self) -> bool {
        self.written == self.rows.len() || self.gave_up
    }

    /// Writes all deals of a packet, as far as there are rows.
    fn add_all(&mut self, packet: &Packet) {
        let rows = self.rows[self.written..].iter_mut().take(packet.deals());
        let sides = packet.north_south.iter().zip(&packet.north);
        let columns = sides.zip(&packet.east);
        self.written += packet.deals().min(rows.len());
        for (row, ((&both, &north), &east)) in rows.zip(columns) {
            let west = Hand::DECK.bits() & !(both | east);
            *row = R::of_hands([north, east, both & !north, west]);
        }
    }

    /// Writes the deals of a packet at the set bits, as far as there are rows.
    fn add(&mut self, packet: &Packet, mut passed: u128) {
        while passed != 0 && !self.is_over() {
            let place = passed.trailing_zeros() as usize;
            passed &= passed - 1;
            let number = self.drawn + place as u64;
            if number - self.hit >= self.most_tries {
                self.gave_up = true;
                return;
            }
            self.hit = number + 1;
            let (both, north) = (packet.north_south[place], packet.north[place]);
            let east = packet.east[place];
            let west = Hand::DECK.bits() & !(both | east);
            self.rows[self.written] = R::of_hands([north, east, both & !north, west]);
            self.written += 1;
        }
        self.add_misses(packet.deals() as u64);
    }

    /// Adds deals after the last that passed.
    fn add_misses(&mut self, deals: u64) {
        self.drawn += deals;
        self.gave_up |= self.drawn - self.hit >= self.most_tries;
    }
}

/// Writes the first deals of a population into the rows, and returns their number: that of the rows,
/// unless the filter rejects [`most_tries`] deals in a row or the observer asks to stop.
///
/// # Errors
///
/// If the population cannot be drawn from, or its filter cannot be computed.
#[doc(hidden)]
pub fn fill_rows<R: DealRow>(
    population: &Population,
    seed: u128,
    rows: &mut [R],
    observer: &dyn Observer,
) -> Result<usize, Error> {
    let wanted = rows.len() as u64;
    let dealer = Dealer::new(population).map_err(|error| error.of(population))?;
    let (generator, filter) = (Aes128Ctr::new(seed), Filter::of(population));
    let has_draws = population.filter().iter().any(Expression::has_draws);
    let stage = observer.stage(Stage::Deals, Some(wanted));
    let mut proceed = |more: usize| {
        stage.advance(more as u64);
        !observer.is_stop_asked()
    };
    let filled = match dealer.deals_in_order() && !has_draws {
        true => fill_from_packets(&dealer, &generator, filter.as_ref(), rows, &mut proceed),
        false => {
            let stream = DealStream::new(dealer, &generator, filter, u64::MAX);
            fill_from_stream(stream.with_draws(has_draws), rows, &mut proceed)
        }
    };
    filled.map_err(|error| error.of(population))
}

/// Fills rows from packets. `proceed` receives the number of rows written since its last call, after
/// every few thousand deals.
fn fill_from_packets<R: DealRow, D: AsRef<[u8]> + Sync>(
    dealer: &Dealer<'_, D>,
    generator: &dyn Generator,
    filter: Option<&Filter>,
    rows: &mut [R],
    proceed: &mut dyn FnMut(usize) -> bool,
) -> Result<usize, RunError> {
    let limit = filter.map_or(rows.len() as u64, |_| u64::MAX);
    let (mut scratch, mut of_filter) = (DealScratch::default(), FilterScratch::default());
    let (mut start, mut reported) = (0, 0);
    let mut writer = DealRowWriter {
        rows,
        written: 0,
        drawn: 0,
        hit: 0,
        most_tries: filter.map_or(MOST_TRIES, most_tries),
        gave_up: false,
    };
    let mut ahead = Lookahead::default();
    while !writer.is_over() {
        if let Some(filter) = filter {
            let search = Search {
                dealer,
                generator,
                filter,
                has_draws: false,
            };
            let misses = writer.drawn - writer.hit;
            let skipped = ahead.skip(&search, (start, misses), writer.most_tries - misses);
            if skipped > 0 {
                start += skipped;
                writer.add_misses(skipped);
                if !proceed(0) {
                    break;
                }
                continue;
            }
        }
        let end = dealer.end_of_order(start, limit);
        let portions = dealer.portions(generator, start..end);
        for portion in portions.map_err(DrawError::from)? {
            let mut failure = None;
            dealer.deal(
                generator,
                &portion,
                &mut scratch,
                &mut |packet| match filter.filter(|_| failure.is_none() && !writer.is_over()) {
                    None if filter.is_none() => writer.add_all(packet),
                    None => {}
                    Some(filter) => match filter.accept(dealer.isa(), packet, &mut of_filter) {
                        Ok(passed) => writer.add(packet, passed),
                        Err(error) => failure = Some(error),
                    },
                },
            )?;
            if let Some(error) = failure {
                return Err(error.into());
            }
        }
        start = end;
        let more = writer.written - std::mem::replace(&mut reported, writer.written);
        if !proceed(more) {
            break;
        }
    }
    Ok(writer.written)
}

fn fill_from_stream<R: DealRow, D: AsRef<[u8]> + Sync>(
    mut stream: DealStream<'_, D>,
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
    use crate::draw::PACKET;

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
        let mut rows = [[0u64; 4]; 3];
        let mut packet = Packet::default();
        let text = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3";
        for _ in 0..PACKET {
            packet.push_deal(&text.parse().unwrap());
        }
        for (drawn, wanted) in [(MOST_TRIES - 3, 3), (MOST_TRIES - 2, 0), (0, 3)] {
            let mut writer = DealRowWriter {
                rows: &mut rows[..],
                written: 0,
                drawn,
                hit: 0,
                most_tries: MOST_TRIES,
                gave_up: false,
            };
            writer.add(&packet, 0b100100);
            writer.add(&packet, 1);
            assert_eq!(
                (writer.written, writer.gave_up),
                (wanted, wanted == 0),
                "{drawn}"
            );
        }
    }
}
