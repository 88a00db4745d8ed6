//! Good random numbers for defective dealers, decks of cards, and output in packets.

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use super::DealingOrder;
use crate::bridge::Hand;
use crate::draw::{
    Aes128Ctr, Block, DealScratch, Dealer, PACKET, Packet, Portion, RandomStream, StreamId,
    StreamPurpose, below_u64,
};

/// The cards of north, east and south, in the lanes of [`Hand`]; west has the rest.
pub(super) type ThreeHands = [u64; 3];

/// Each card as a hand of one card, in deck order.
pub(super) const CARDS: [u64; 52] = {
    let mut cards = [0; 52];
    let mut card = 0;
    while card < 52 {
        cards[card] = 1 << (16 * (card / 13) + card % 13);
        card += 1;
    }
    cards
};

const NEVER_END: &str = "computed words never end";

/// A stream of good random numbers: xoshiro256++, seeded for every block with the first four words
/// of its plain stream.
#[derive(Debug)]
pub(super) struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The numbers of a block.
    pub(super) fn of_block(seed: u128, block: Block) -> Self {
        let generator = Aes128Ctr::new(seed);
        let id = StreamId::new(block.first_deal, StreamPurpose::Plain, 0);
        let mut stream = RandomStream::new(&generator, id);
        let mut state = [0; 32];
        for bytes in state.as_chunks_mut::<8>().0 {
            *bytes = stream.next_u64().expect(NEVER_END).to_le_bytes();
        }
        Self(Xoshiro256PlusPlus::from_seed(state))
    }

    /// The numbers that all blocks of a run share.
    pub(super) fn of_run(seed: u128) -> Self {
        let whole = Block {
            first_deal: 0,
            deals: 0,
        };
        Self::of_block(seed, whole)
    }

    /// 64 random bits.
    pub(super) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number below the bound, which is not 0.
    pub(super) fn below(&mut self, bound: u32) -> usize {
        below(|| self.0.next_u64(), bound)
    }

    /// Returns true once in this number of times, at random.
    pub(super) fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// A random card of a hand that is not empty.
    pub(super) fn card_of(&mut self, hand: u64) -> u64 {
        let mut left = hand;
        for _ in 0..self.below(hand.count_ones()) {
            left &= left - 1;
        }
        left & left.wrapping_neg()
    }

    /// Deals thirteen of these 39 cards to each of two seats.
    pub(super) fn split_39(&mut self, cards: u64) -> [u64; 2] {
        let mut list = [0; 39];
        let mut left = cards;
        for place in &mut list {
            *place = left & left.wrapping_neg();
            left &= left.wrapping_sub(1);
        }
        let mut hands = [0; 2];
        for (dealt, hand) in [(0, 0), (13, 1)] {
            for place in dealt..dealt + 13 {
                let chosen = place + self.below(39 - place as u32);
                hands[hand] |= list[chosen];
                list[chosen] = list[place];
            }
        }
        hands
    }
}

/// A uniform number below the bound from uniform words.
fn below(mut word: impl FnMut() -> u64, bound: u32) -> usize {
    below_u64(|| Ok(word()), bound.into()).expect(NEVER_END) as usize
}

/// Shuffles a deck with the small generator SplitMix64, which suffices for one deal.
pub(super) fn deck_of_seed(seed: u64) -> ShuffledDeck {
    let mut sequence = SplitMix64::from_seed(seed.to_le_bytes());
    let mut deck = ShuffledDeck::SORTED;
    deck.fisher_yates(|cards| below(|| sequence.next_u64(), cards));
    deck
}

/// The 52 cards in some order, each as a hand of one card.
#[derive(Clone, Debug)]
pub(super) struct ShuffledDeck(pub(super) [u64; 52]);

impl ShuffledDeck {
    /// SA SK .. C2.
    pub(super) const SORTED: Self = Self(CARDS);

    /// A fairly shuffled deck.
    pub(super) fn fair(random: &mut Random) -> Self {
        let mut deck = Self::SORTED;
        deck.fisher_yates(|cards| random.below(cards));
        deck
    }

    /// Swaps each card, from the last, with one of the cards up to itself; `index` chooses among
    /// their number.
    pub(super) fn fisher_yates(&mut self, mut index: impl FnMut(u32) -> usize) {
        for last in (1..52).rev() {
            self.0.swap(last, index(last as u32 + 1));
        }
    }

    /// Swaps two random cards, which may be the same, this number of times.
    pub(super) fn transpose(&mut self, count: u32, random: &mut Random) {
        for _ in 0..count {
            let both = random.below(52 * 52);
            self.0.swap(both / 52, both % 52);
        }
    }

    /// Deals it out.
    pub(super) fn hands(&self, dealt: DealingOrder) -> ThreeHands {
        let [mut north, mut east, mut south] = [0; 3];
        match dealt {
            DealingOrder::RoundRobin => {
                for cards in self.0.as_chunks::<4>().0 {
                    north |= cards[0];
                    east |= cards[1];
                    south |= cards[2];
                }
            }
            DealingOrder::Blocks => {
                for place in 0..13 {
                    north |= self.0[place];
                    east |= self.0[13 + place];
                    south |= self.0[26 + place];
                }
            }
        }
        [north, east, south]
    }
}

/// An unlimited sequence of fair deals from the program's own dealer.
pub(super) struct Fair {
    generator: Aes128Ctr,
    scratch: DealScratch,
    dealt: Vec<ThreeHands>,
    next: usize,
    first_deal: u64,
}

impl Fair {
    /// Number of deals made at a time.
    const AT_A_TIME: u64 = 1_024;

    /// Deals with a seed of two random words.
    pub(super) fn new(random: &mut Random) -> Self {
        let seed = u128::from(random.bits()) << 64 | u128::from(random.bits());
        Self {
            generator: Aes128Ctr::new(seed),
            scratch: DealScratch::default(),
            dealt: Vec::with_capacity(Self::AT_A_TIME as usize),
            next: 0,
            first_deal: 0,
        }
    }

    /// The next deal.
    pub(super) fn deal(&mut self) -> ThreeHands {
        if self.next == self.dealt.len() {
            self.refill();
        }
        self.next += 1;
        self.dealt[self.next - 1]
    }

    fn refill(&mut self) {
        let block = Block {
            first_deal: self.first_deal,
            deals: Self::AT_A_TIME,
        };
        self.first_deal += Self::AT_A_TIME;
        self.next = 0;
        self.dealt.clear();
        let dealt = &mut self.dealt;
        let mut sink = |packet: &Packet| {
            for place in 0..packet.deals {
                let [both, north, east] =
                    [&packet.north_south, &packet.north, &packet.east].map(|column| column[place]);
                dealt.push([north, east, both & !north]);
            }
        };
        let dealer = Dealer::<Vec<u8>>::unconstrained();
        let portion = Portion::Block(block);
        let done = dealer.deal(&self.generator, &portion, &mut self.scratch, &mut sink);
        done.expect(NEVER_END);
    }
}

/// The cards of west, which three hands leave.
pub(super) fn west(hands: ThreeHands) -> u64 {
    Hand::DECK.bits() & !(hands[0] | hands[1] | hands[2])
}

/// The lengths of a hand's suits, in the lanes.
pub(super) fn lengths(hand: u64) -> u64 {
    let pairs = hand - (hand >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    (bytes + (bytes >> 8)) & 0x00FF_00FF_00FF_00FF
}

/// F of a deal, the sum of the squares of its sixteen suit lengths.
pub(super) fn flatness(hands: ThreeHands) -> u32 {
    let [north, east, south] = hands;
    let mut flatness = 0;
    for hand in [north, east, south, west(hands)] {
        let lengths = lengths(hand);
        for lane in 0..4 {
            let length = (lengths >> (16 * lane)) as u32 & 0xF;
            flatness += length * length;
        }
    }
    flatness
}

/// A block of deals that goes to a sink in packets.
pub(super) struct Task<'a> {
    pub(super) seed: u128,
    pub(super) block: Block,
    /// The random numbers of the block.
    pub(super) random: Random,
    packet: Packet,
    sink: &'a mut dyn FnMut(&Packet),
}

impl<'a> Task<'a> {
    pub(super) fn new(seed: u128, block: Block, sink: &'a mut dyn FnMut(&Packet)) -> Self {
        Self {
            seed,
            block,
            random: Random::of_block(seed, block),
            packet: Packet::default(),
            sink,
        }
    }

    /// Adds a deal for each deal of the block.
    pub(super) fn each(&mut self, mut deal: impl FnMut(&mut Random) -> ThreeHands) {
        for _ in 0..self.block.deals {
            let hands = deal(&mut self.random);
            self.push(hands);
        }
    }

    /// Adds a deal.
    pub(super) fn push(&mut self, hands: ThreeHands) {
        self.packet.push(hands);
        if self.packet.deals == PACKET {
            (self.sink)(&self.packet);
            self.packet.clear();
        }
    }

    /// Passes on the last packet.
    pub(super) fn finish(self) {
        if self.packet.deals > 0 {
            (self.sink)(&self.packet);
        }
    }
}
