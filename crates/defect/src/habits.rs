//! Deals that depend on the previous one: poorly shuffled decks, repeated hands and deals, selected
//! sessions.

use std::collections::VecDeque;

use super::DealingOrder;
use super::play;
use super::random::{Fair, Random, ShuffledDeck, Task, ThreeHands, flatness, lengths, west};
use crate::bridge::Hand;
use crate::draw::Block;

/// Number of deals of a thread before the other one repeats them.
pub(super) const STRETCH: u64 = 1 << 14;

/// Boards of a session.
const SESSION: usize = 36;

/// Two threads with one seed: deal i is deal i - 2^14 where bit 14 of i is set.
///
/// The deals do not depend on the boundaries of blocks.
pub(super) fn two_threads(task: &mut Task<'_>) {
    let end = task.block.first_deal + task.block.deals;
    let mut number = task.block.first_deal;
    while number < end {
        let both = Block {
            first_deal: number & !(2 * STRETCH - 1),
            deals: 2 * STRETCH,
        };
        let mut fair = Fair::new(&mut Random::of_block(task.seed, both));
        let done = number % STRETCH;
        let deals = (STRETCH - done).min(end - number);
        for _ in 0..done {
            fair.deal();
        }
        for _ in 0..deals {
            task.push(fair.deal());
        }
        number += deals;
    }
}

/// Once in `one_in` deals, repeats an earlier deal of this block.
pub(super) fn reused(one_in: u32, task: &mut Task<'_>) {
    let mut fair = Fair::new(&mut task.random);
    let mut dealt: Vec<ThreeHands> = Vec::with_capacity(task.block.deals as usize);
    task.each(|random| {
        let again = random.once_in(one_in) && !dealt.is_empty();
        let hands = if again {
            dealt[random.below(dealt.len() as u32)]
        } else {
            fair.deal()
        };
        dealt.push(hands);
        hands
    });
}

/// Once in `one_in` deals, north has the hand of the previous deal; the other cards are dealt
/// fairly.
pub(super) fn north_again(one_in: u32, task: &mut Task<'_>) {
    let mut fair = Fair::new(&mut task.random);
    let mut north: Option<u64> = None;
    task.each(|random| {
        let mut hands = fair.deal();
        if let Some(north) = north
            && random.once_in(one_in)
        {
            let [east, south] = random.split_39(Hand::DECK.bits() & !north);
            hands = [north, east, south];
        }
        north = Some(hands[0]);
        hands
    });
}

/// Once in ten boards, a random seat has a random hand of one of the last `boards` boards; the other
/// cards are dealt fairly.
pub(super) fn returning_hand(boards: usize, task: &mut Task<'_>) {
    let mut fair = Fair::new(&mut task.random);
    let mut last: VecDeque<[u64; 4]> = VecDeque::with_capacity(boards + 1);
    task.each(|random| {
        let mut hands = four(fair.deal());
        if !last.is_empty() && random.once_in(10) {
            let again = last[random.below(last.len() as u32)][random.below(4)];
            hands = around(again, random.below(4), random);
        }
        last.push_back(hands);
        if last.len() > boards {
            last.pop_front();
        }
        three(hands)
    });
}

/// Board 17 of every session has the same hand, a seat further each time.
pub(super) fn travelling_hand(task: &mut Task<'_>) {
    let [hand, ..] = Fair::new(&mut Random::of_run(task.seed)).deal();
    let mut fair = Fair::new(&mut task.random);
    let mut board = task.block.first_deal;
    task.each(|random| {
        let (session, place) = (board / SESSION as u64, board % SESSION as u64);
        board += 1;
        match place {
            16 => three(around(hand, (session % 4) as usize, random)),
            _ => fair.deal(),
        }
    });
}

/// Deals the other cards around the hand of a seat.
fn around(hand: u64, seat: usize, random: &mut Random) -> [u64; 4] {
    let rest = Hand::DECK.bits() & !hand;
    let [one, other] = random.split_39(rest);
    let mut hands = [hand, one, other, rest & !(one | other)];
    hands.swap(0, seat);
    hands
}

/// Two random cards of a random hand stick together, so that one seat has both in the next deal.
pub(super) fn sticky_cards(task: &mut Task<'_>) {
    let mut fair = Fair::new(&mut task.random);
    let mut last: Option<[u64; 4]> = None;
    task.each(|random| {
        let mut hands = four(fair.deal());
        if let Some(last) = last {
            let hand = last[random.below(4)];
            let card = random.card_of(hand);
            let stuck = random.card_of(hand & !card);
            let at = |card: u64| (0..3).find(|seat| hands[*seat] & card != 0).unwrap_or(3);
            let (seat, from) = (at(card), at(stuck));
            if seat != from {
                let given = random.card_of(hands[seat] & !card);
                hands[seat] ^= given | stuck;
                hands[from] ^= given | stuck;
            }
        }
        last = Some(hands);
        three(hands)
    });
}

/// Once in ten boards, the dealer has the strongest hand.
pub(super) fn strong_dealer(task: &mut Task<'_>) {
    let mut fair = Fair::new(&mut task.random);
    let mut board = task.block.first_deal;
    task.each(|random| {
        let (mut hands, dealer) = (four(fair.deal()), (board % 4) as usize);
        board += 1;
        if random.once_in(10) {
            let points = |seat: &usize| Hand::from_bits(hands[*seat]).hcp();
            let strongest = (0..4).max_by_key(points).unwrap_or(dealer);
            hands.swap(dealer, strongest);
        }
        three(hands)
    });
}

/// Once in ten boards, the stronger pair sits north-south in the first half of a session, and
/// east-west in the second.
pub(super) fn favoured_halves(task: &mut Task<'_>) {
    let mut fair = Fair::new(&mut task.random);
    let mut board = task.block.first_deal;
    task.each(|random| {
        let [north, east, south, west] = four(fair.deal());
        let is_first = board % (SESSION as u64) < SESSION as u64 / 2;
        board += 1;
        let points = |one: u64, other: u64| Hand::from_bits(one | other).hcp();
        let is_stronger = points(north, south) > points(east, west);
        match is_stronger != is_first && random.once_in(10) {
            true => [east, north, west],
            false => [north, east, south],
        }
    });
}

/// On board 17 of every session, the stronger pair sits north-south.
pub(super) fn strong_board(task: &mut Task<'_>) {
    let mut fair = Fair::new(&mut task.random);
    let mut board = task.block.first_deal;
    task.each(|_| {
        let [north, east, south, west] = four(fair.deal());
        let is_chosen = board % SESSION as u64 == 16;
        board += 1;
        match is_chosen && side_points([north, east, south]) < 20 {
            true => [east, north, west],
            false => [north, east, south],
        }
    });
}

/// The boards of a session are dealt in the order of a value. A block may begin and end in the
/// middle of a session.
pub(super) fn ordered_sessions(value: fn(ThreeHands) -> u32, task: &mut Task<'_>) {
    sessions(task, |fair, _| {
        let mut session: [ThreeHands; SESSION] = std::array::from_fn(|_| fair.deal());
        session.sort_by_key(|hands| value(*hands));
        session
    });
}

/// The points of north and south.
pub(super) fn side_points([north, _, south]: ThreeHands) -> u32 {
    Hand::from_bits(north | south).hcp()
}

/// One session in twenty has no void.
pub(super) fn voids_removed(task: &mut Task<'_>) {
    sessions(task, |fair, random| {
        let is_picked = random.once_in(20);
        std::array::from_fn(|_| {
            let mut hands = fair.deal();
            while is_picked && has_void(hands) {
                hands = fair.deal();
            }
            hands
        })
    });
}

fn has_void(hands: ThreeHands) -> bool {
    let has_void = |hand: u64| (0..4).any(|lane| lengths(hand) >> (16 * lane) & 0xF == 0);
    four(hands).into_iter().any(has_void)
}

/// Deals whole sessions, which begin at multiples of their boards.
fn sessions(
    task: &mut Task<'_>,
    mut session: impl FnMut(&mut Fair, &mut Random) -> [ThreeHands; SESSION],
) {
    let mut fair = Fair::new(&mut task.random);
    let mut left = task.block.deals as usize;
    let mut begun = (task.block.first_deal % SESSION as u64) as usize;
    while left > 0 {
        let boards = session(&mut fair, &mut task.random);
        for &hands in boards.iter().skip(begun).take(left) {
            task.push(hands);
        }
        left = left.saturating_sub(SESSION - begun);
        begun = 0;
    }
}

/// All hands of a deal.
fn four(hands: ThreeHands) -> [u64; 4] {
    let [north, east, south] = hands;
    [north, east, south, west(hands)]
}

/// The hands of a deal without west's.
fn three([north, east, south, _]: [u64; 4]) -> ThreeHands {
    [north, east, south]
}

/// Shuffles the deck of the previous deal further, by too few swaps, instead of starting from a
/// sorted deck. The first deck is fair.
pub(super) fn deck_not_reset(transpositions: u32, task: &mut Task<'_>) {
    let mut deck = ShuffledDeck::fair(&mut task.random);
    task.each(|random| {
        let hands = deck.hands(DealingOrder::RoundRobin);
        deck.transpose(transpositions, random);
        hands
    });
}

/// Rubber bridge: the deck is collected after play, riffled and dealt one card at a time.
pub(super) fn rubber(riffles: u32, task: &mut Task<'_>) {
    let mut deck = ShuffledDeck::fair(&mut task.random);
    task.each(|random| {
        deck = play::collected(&deck, random);
        riffle(&mut deck, riffles, random);
        deck.hands(DealingOrder::RoundRobin)
    });
}

/// Tricks of random cards are stacked, riffled, cut at a random place and dealt one card at a time.
pub(super) fn stacked_tricks(riffles: u32, task: &mut Task<'_>) {
    let mut deck = ShuffledDeck::fair(&mut task.random);
    task.each(|random| {
        // Each seat's cards are in random order, and a random seat leads.
        let mut seats: [[u64; 13]; 4] = [[0; 13]; 4];
        for (place, card) in deck.0.into_iter().enumerate() {
            seats[place % 4][place / 4] = card;
        }
        for cards in &mut seats {
            for last in (1..13).rev() {
                cards.swap(last, random.below(last as u32 + 1));
            }
        }
        for (trick, cards) in deck.0.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let leader = random.below(4);
            *cards = std::array::from_fn(|turn| seats[(leader + turn) % 4][trick]);
        }
        riffle(&mut deck, riffles, random);
        deck.0.rotate_left(random.below(52));
        deck.hands(DealingOrder::RoundRobin)
    });
}

/// Duplicate: the four hands of a board are stacked, riffled and dealt.
pub(super) fn duplicate(riffles: u32, dealt: DealingOrder, task: &mut Task<'_>) {
    stacked_hands(dealt, task, |deck, random| riffle(deck, riffles, random));
}

/// The four hands of a board are stacked, passed overhand and dealt one card at a time.
pub(super) fn overhand(passes: u32, task: &mut Task<'_>) {
    stacked_hands(DealingOrder::RoundRobin, task, |deck, random| {
        pass_overhand(deck, passes, random);
    });
}

/// The four hands of a board are stacked, north's on top, each in the order in which it was dealt,
/// then shuffled and dealt.
fn stacked_hands(
    dealt: DealingOrder,
    task: &mut Task<'_>,
    shuffle: impl Fn(&mut ShuffledDeck, &mut Random),
) {
    let mut deck = ShuffledDeck::fair(&mut task.random);
    task.each(|random| {
        if dealt == DealingOrder::RoundRobin {
            deck = ShuffledDeck(std::array::from_fn(|place| {
                deck.0[4 * (place % 13) + place / 13]
            }));
        }
        shuffle(&mut deck, random);
        deck.hands(dealt)
    });
}

/// Riffles the deck this number of times.
fn riffle(deck: &mut ShuffledDeck, riffles: u32, random: &mut Random) {
    for _ in 0..riffles {
        *deck = riffled(deck, random);
    }
}

/// Passes the deck from hand to hand this number of times: packets of five cards on average, which
/// end after each card once in five times, come to lie in the opposite order (Pemantle 1989).
fn pass_overhand(deck: &mut ShuffledDeck, passes: u32, random: &mut Random) {
    for _ in 0..passes {
        let before = deck.0;
        let mut first = 0;
        for end in 1..=52 {
            if end == 52 || random.once_in(5) {
                deck.0[52 - end..52 - first].copy_from_slice(&before[first..end]);
                first = end;
            }
        }
    }
}

/// A riffle by the model of Gilbert, Shannon and Reeds: 52 fair bits choose the packet from which
/// each card falls, and so the sizes of the packets.
fn riffled(deck: &ShuffledDeck, random: &mut Random) -> ShuffledDeck {
    let bits = random.bits() >> 12;
    // The place of the next card of each packet.
    let mut packets = [0, 52 - bits.count_ones() as usize];
    ShuffledDeck(std::array::from_fn(|place| {
        let packet = &mut packets[(bits >> place & 1) as usize];
        *packet += 1;
        deck.0[*packet - 1]
    }))
}

/// Deals three sessions and plays the wildest. A block begins with a new session and may end in the
/// middle of one.
pub(super) fn wildest_session(task: &mut Task<'_>) {
    let mut fair = Fair::new(&mut task.random);
    let mut left = task.block.deals as usize;
    while left > 0 {
        let sessions: [[ThreeHands; SESSION]; 3] =
            std::array::from_fn(|_| std::array::from_fn(|_| fair.deal()));
        let wildness = |session: &&[ThreeHands; SESSION]| {
            session.iter().map(|&hands| flatness(hands)).sum::<u32>()
        };
        if let Some(wildest) = sessions.iter().max_by_key(wildness) {
            for &hands in wildest.iter().take(left) {
                task.push(hands);
            }
        }
        left = left.saturating_sub(SESSION);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_riffle_keeps_each_packet_in_order() {
        let mut random = Random::of_run(1);
        for _ in 0..100 {
            let deck = riffled(&ShuffledDeck::SORTED, &mut random);
            let falls = deck.0.windows(2).filter(|pair| pair[0] > pair[1]).count();
            let mut sorted = deck.0;
            sorted.sort_unstable();
            assert_eq!(sorted, ShuffledDeck::SORTED.0);
            // The inverse of a riffle has at most one descent: two rising sequences.
            let place = |card| deck.0.iter().position(|&other| other == card);
            let rising = ShuffledDeck::SORTED.0.windows(2);
            let breaks = rising.filter(|pair| place(pair[0]) > place(pair[1]));
            assert!(breaks.count() <= 1 && falls > 0);
        }
    }

    #[test]
    fn an_overhand_pass_reverses_the_order_of_packets() {
        let mut random = Random::of_run(2);
        let mut packets = 0;
        for _ in 0..100 {
            let mut deck = ShuffledDeck::SORTED;
            pass_overhand(&mut deck, 1, &mut random);
            let places = deck
                .0
                .map(|card| ShuffledDeck::SORTED.0.iter().position(|&c| c == card));
            let places = places.map(Option::unwrap);
            let of_pass: Vec<&[usize]> = places.chunk_by(|a, b| a + 1 == *b).collect();
            assert!(
                of_pass
                    .windows(2)
                    .all(|pair| pair[1][pair[1].len() - 1] + 1 == pair[0][0])
            );
            packets += of_pass.len();
        }
        // 1 + 51 / 5 a pass.
        assert!((1_050..1_190).contains(&packets), "{packets}");
    }
}
