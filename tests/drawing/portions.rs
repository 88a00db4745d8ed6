//! A slow reference implementation, with lists of cards and big integers, against the engine
//! with every instruction set of this processor.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use crate::common::{case_file, fast, folder, kinds, scenario};
use fairdeal::bridge::{Card, Deal, Hand, Seat, Suit};
use fairdeal::draw::{
    Block, DealScratch, Dealer, Generator, Isa, PACKET, Portion, RandomStream, RawWords,
    SeededGenerator, SplitNode, StreamId, StreamPurpose,
};
use fairdeal::language::HandCase;
use fairdeal::population::cases::{Case, CaseBytes, CaseFile};
use num_bigint::BigUint;

/// Where the batches of these nodes begin.
const FIRST_DEAL: u64 = 1 << 14;

/// n choose k by multiplication.
fn choose(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    (1..=k as u64).fold(1, |ways, i| ways * (n as u64 - k as u64 + i) / i)
}

/// In squashed order the subsets without the last card come before those with it.
fn nth_subset(cards: &[Card], take: usize, place: u64) -> Vec<Card> {
    let Some((&last, before)) = cards.split_last() else {
        return Vec::new();
    };
    let without = choose(before.len(), take);
    if place < without {
        return nth_subset(before, take, place);
    }
    let mut subset = nth_subset(before, take - 1, place - without);
    subset.push(last);
    subset
}

fn suit_cards(suit: Suit) -> Vec<Card> {
    Card::all().filter(|card| card.suit() == suit).collect()
}

/// The cards of these whose place has a set bit, lowest first.
fn by_bits(cards: &[Card], bits: u64) -> Vec<Card> {
    let places = cards.iter().enumerate();
    let taken = places.filter(|(place, _)| bits >> place & 1 == 1);
    taken.map(|(_, card)| *card).collect()
}

/// The next 26 cards that a stream of words gives.
fn next_side(stream: &mut RandomStream<'_>) -> Vec<Card> {
    loop {
        let word = stream.next_u64().unwrap();
        let mut cards: Vec<Card> = Vec::new();
        for (lane, suit) in [(1, Suit::Hearts), (2, Suit::Diamonds), (3, Suit::Clubs)] {
            cards.extend(by_bits(&suit_cards(suit), word >> (16 * lane) & 0x1FFF));
        }
        let Some(missing) = 26usize.checked_sub(cards.len()).filter(|n| *n <= 13) else {
            continue;
        };
        let number = word & 0xFFFF;
        if number < 38 * choose(13, missing) {
            cards.extend(nth_subset(&suit_cards(Suit::Spades), missing, number / 38));
            cards.sort();
            return cards;
        }
    }
}

/// Half words, the lower half of each word first.
struct Halves<'g> {
    stream: RandomStream<'g>,
    upper: Option<u64>,
}

impl<'g> Halves<'g> {
    fn new(generator: &'g dyn Generator, id: StreamId) -> Self {
        let stream = RandomStream::new(generator, id);
        Self {
            stream,
            upper: None,
        }
    }

    /// Thirteen of 26 cards by the next half word that is accepted.
    fn split(&mut self, cards: &[Card]) -> Hand {
        assert_eq!(cards.len(), 26);
        loop {
            let half = self.upper.take().unwrap_or_else(|| {
                let word = self.stream.next_u64().unwrap();
                self.upper = Some(word >> 32);
                word & 0xFFFF_FFFF
            });
            let mut taken = by_bits(&cards[..13], half & 0x1FFF);
            let missing = 13 - taken.len();
            if half >> 16 < 38 * choose(13, missing) {
                taken.extend(nth_subset(&cards[13..], missing, (half >> 16) / 38));
                return taken.into_iter().collect();
            }
        }
    }
}

fn cards_of(hand: Hand) -> Vec<Card> {
    hand.cards().collect()
}

fn slow_block(generator: &dyn Generator, block: Block) -> Vec<Deal> {
    let id = |purpose| StreamId::new(block.first_deal, purpose, 0);
    let mut sides = RandomStream::new(generator, id(StreamPurpose::Sides));
    let mut halves = Halves::new(generator, id(StreamPurpose::Halves));
    let deals = (0..block.deals).map(|_| {
        let north_south: Hand = next_side(&mut sides).into_iter().collect();
        let east_west = Hand::DECK.without(north_south);
        let north = halves.split(&cards_of(north_south));
        let east = halves.split(&cards_of(east_west));
        let hands = [
            north,
            east,
            north_south.without(north),
            east_west.without(east),
        ];
        Deal::new(hands).unwrap()
    });
    deals.collect()
}

/// The draws of a node, leaf after leaf.
fn slow_node(file: &CaseFile<CaseBytes>, generator: &dyn Generator, node: SplitNode) -> Vec<Deal> {
    if node.draws() == 0 {
        return Vec::new();
    }
    if node.draws() <= 4_096 || node.depth() == 27 {
        return slow_leaf(file, generator, node);
    }
    let mut bits = RandomStream::new(generator, node.stream(StreamPurpose::Split));
    let mut left = 0;
    let mut word = 0;
    for bit in 0..node.draws() {
        if bit % 64 == 0 {
            word = bits.next_u64().unwrap();
        }
        left += word >> (bit % 64) & 1;
    }
    let [_, other] = node.halves(generator).unwrap();
    assert_eq!(other.draws(), node.draws() - left);
    let half = |right: u64, draws| {
        SplitNode::new(
            FIRST_DEAL,
            node.depth() + 1,
            2 * node.index() + right,
            draws,
        )
        .unwrap()
    };
    let mut deals = slow_node(file, generator, half(0, left));
    deals.extend(slow_node(file, generator, half(1, node.draws() - left)));
    deals
}

/// floor(U T) for U = index / 2^depth, then the places, then what the stream
/// gives as long as it matters.
fn slow_number(total: u128, leaf: SplitNode, places: u64, more: &mut RandomStream<'_>) -> u128 {
    let mut u = (BigUint::from(leaf.index()) << 64) + places;
    let mut scale = leaf.depth() + 64;
    // Totals of 2^64 and more always take a second word.
    let mut words = if total >> 64 == 0 { 0 } else { 1 };
    loop {
        let low: BigUint = (&u * total) >> scale;
        // The largest U with these places lies just below the next.
        let high: BigUint = ((&u + 1u32) * total - 1u32) >> scale;
        if words == 0 && low == high {
            return low.try_into().unwrap();
        }
        u = (u << 64) + more.next_u64().unwrap();
        scale += 64;
        words = 0;
    }
}

/// The set of so many of these cards that a word selects, or the next word of the stream that is
/// accepted.
fn selected(cards: &[Card], count: usize, mut word: u64, more: &mut RandomStream<'_>) -> Hand {
    let groups: Vec<&[Card]> = cards.chunks(13).collect();
    let ways = choose(cards.len(), count);
    let mut number = loop {
        let product = BigUint::from(word) * ways;
        let low = u64::try_from(&product % (BigUint::from(1u32) << 64)).unwrap();
        if low >= ((1u128 << 64) % u128::from(ways)) as u64 {
            break u64::try_from(product >> 64).unwrap();
        }
        word = more.next_u64().unwrap();
    };
    // How many cards of each group, the first group's number slowest.
    let mut splits: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..4 {
        let longer = |split: Vec<usize>| {
            (0..=13).map(move |next| split.iter().copied().chain([next]).collect::<Vec<usize>>())
        };
        splits = splits.into_iter().flat_map(longer).collect();
    }
    splits.retain(|split| split.iter().sum::<usize>() == count);
    let size = |group: usize| groups.get(group).map_or(0, |cards| cards.len());
    let ways_of = |group: usize, taken: usize| choose(size(group), taken);
    let product = |split: &Vec<usize>| -> u64 {
        let each = split.iter().enumerate();
        each.map(|(group, taken)| ways_of(group, *taken)).product()
    };
    splits.sort_by_key(|split| std::cmp::Reverse(product(split)));
    for split in splits {
        let sets = product(&split);
        if number >= sets {
            number -= sets;
            continue;
        }
        let mut hand = Hand::EMPTY;
        for (group, taken) in split.into_iter().enumerate() {
            let ways = ways_of(group, taken);
            let cards = groups.get(group).copied().unwrap_or_default();
            let subset = nth_subset(cards, taken, number % ways);
            hand = hand.union(subset.into_iter().collect());
            number /= ways;
        }
        return hand;
    }
    unreachable!("the splits have all sets")
}

/// A hand by its suits, from sixteen bits a suit; `None` if they are rejected.
fn by_suits(case: HandCase, used: Hand, bits: u64) -> Option<Hand> {
    let honours = case.honours.map(Hand::from_honours);
    let mut hand = honours.unwrap_or(Hand::EMPTY);
    let mut accepted = true;
    for suit in Suit::ALL {
        let held = hand.cards().filter(|card| card.suit() == suit).count();
        let take = usize::from(case.pattern.unwrap().pattern().length(suit)) - held;
        let open = |card: &Card| honours.is_none() || !card.rank().is_honour();
        let pool = suit_cards(suit).into_iter().filter(open);
        let pool: Vec<Card> = pool.filter(|card| !used.contains(*card)).collect();
        let ways = choose(pool.len(), take);
        let product = (bits >> (16 * suit.index()) & 0xFFFF) * ways;
        accepted &= product & 0xFFFF >= (1 << 16) % ways;
        let chosen = nth_subset(&pool, take, product >> 16);
        hand = hand.union(chosen.into_iter().collect());
    }
    accepted.then_some(hand)
}

/// Two hands of a case by their suits: both are drawn again if either was rejected.
fn pair_by_suits(
    [lead, follow]: [Option<HandCase>; 2],
    mut bits: [u64; 2],
    more: &mut RandomStream<'_>,
) -> [Hand; 2] {
    loop {
        let one = by_suits(lead.unwrap(), Hand::EMPTY, bits[0]);
        let filled = one.and_then(|one| match follow {
            None => Some([one, Hand::EMPTY]),
            Some(follow) => by_suits(follow, one, bits[1]).map(|other| [one, other]),
        });
        if let Some(hands) = filled {
            return hands;
        }
        bits = [more.next_u64().unwrap(), more.next_u64().unwrap()];
    }
}

/// One hand by itself: of its case if it has one.
fn one_hand(
    case: Option<HandCase>,
    used: Hand,
    mut word: u64,
    more: &mut RandomStream<'_>,
) -> Hand {
    match case {
        Some(case) if case.pattern.is_some() => loop {
            if let Some(hand) = by_suits(case, used, word) {
                return hand;
            }
            word = more.next_u64().unwrap();
        },
        _ => {
            let honours = case.and_then(|case| case.honours);
            let held = honours.map_or(Hand::EMPTY, Hand::from_honours);
            let pool = match honours {
                Some(_) => Hand::SPOTS,
                None => Hand::DECK,
            };
            let missing = 13 - held.len() as usize;
            held.union(selected(&cards_of(pool.without(used)), missing, word, more))
        }
    }
}

/// A leaf's draws as docs/reference/streams.md has them.
pub(crate) fn slow_leaf(
    file: &CaseFile<CaseBytes>,
    generator: &dyn Generator,
    leaf: SplitNode,
) -> Vec<Deal> {
    let stream = |purpose| RandomStream::new(generator, leaf.stream(purpose));
    let (mut numbers, mut words) = (stream(StreamPurpose::Numbers), stream(StreamPurpose::Cards));
    let mut more = stream(StreamPurpose::More);
    let mut halves = Halves::new(generator, leaf.stream(StreamPurpose::Halves));
    let (first, second) = (file.header().first, file.header().second);
    let mut deals = Vec::new();
    while (deals.len() as u64) < leaf.draws() {
        let draws = (leaf.draws() as usize - deals.len()).min(PACKET);
        // A packet reads 128 words for each thing, whether it needs them or not.
        let row = |stream: &mut RandomStream<'_>| [(); PACKET].map(|()| stream.next_u64().unwrap());
        let places = row(&mut numbers);
        let cases: Vec<Case> = places[..draws]
            .iter()
            .map(|places| {
                let number = slow_number(file.total(), leaf, *places, &mut more);
                let mut records = file.records().iter();
                let record = records.find(|record| record.total() > number).unwrap();
                record.case().unwrap()
            })
            .collect();
        // A hand by both goes before the other.
        let by_both = |hand: HandCase| hand.pattern.is_some() && hand.honours.is_some();
        let swapped = cases[0]
            .second
            .is_some_and(|second| by_both(second) && !by_both(cases[0].first));
        let ordered = |case: &Case| {
            let pair = [Some(case.first), case.second];
            if swapped { [pair[1], pair[0]] } else { pair }
        };
        let next = |taken: &[Seat]| Seat::ALL.into_iter().find(|s| !taken.contains(s)).unwrap();
        let mut seats = vec![first, second.unwrap_or_else(|| next(&[first]))];
        if swapped {
            seats.reverse();
        }
        seats.push(next(&seats));
        seats.push(next(&seats));

        let by_pattern = |case: Option<HandCase>| case.is_none_or(|case| case.pattern.is_some());
        let all_by_pattern = ordered(&cases[0]).into_iter().all(by_pattern);
        let listed = 1 + usize::from(second.is_some());
        // By role: the hands of all deals.
        let mut hands = vec![[Hand::EMPTY; 4]; draws];
        if all_by_pattern {
            let mut bits = [[0; PACKET]; 2];
            for bits in bits.iter_mut().take(listed) {
                *bits = row(&mut words);
            }
            for (i, hands) in hands.iter_mut().enumerate() {
                let bits = [bits[0][i], bits[1][i]];
                let [one, other] = pair_by_suits(ordered(&cases[i]), bits, &mut more);
                (hands[0], hands[1]) = (one, other);
            }
        } else {
            for role in 0..listed {
                let bits = row(&mut words);
                for (i, hands) in hands.iter_mut().enumerate() {
                    let case = ordered(&cases[i])[role];
                    hands[role] = one_hand(case, hands[0], bits[i], &mut more);
                }
            }
        }
        // Hands of no case.
        if listed == 1 {
            let bits = row(&mut words);
            for (i, hands) in hands.iter_mut().enumerate() {
                hands[1] = one_hand(None, hands[0], bits[i], &mut more);
            }
        }
        for hands in &mut hands {
            let left = Hand::DECK.without(hands[0]).without(hands[1]);
            hands[2] = halves.split(&cards_of(left));
        }
        for mut hands in hands {
            let dealt = hands[..3].iter();
            hands[3] = dealt.fold(Hand::DECK, |left, hand| left.without(*hand));
            let place = |seat| seats.iter().position(|other| *other == seat).unwrap();
            deals.push(Deal::new(Seat::ALL.map(|seat| hands[place(seat)])).unwrap());
        }
    }
    deals
}

#[test]
fn blocks_are_dealt_as_slowly_by_every_path_and_generator() {
    for (kind, deals) in SeededGenerator::ALL.into_iter().zip([3_001, 500, 500, 500]) {
        let generator = &*kind.with_seed(0x5eed);
        for first_deal in [0, 1 << 40] {
            let block = Block { first_deal, deals };
            let slow = slow_block(generator, block);
            for &isa in Isa::available() {
                let dealer = Dealer::unconstrained().with_isa(isa);
                let fast = fast(&dealer, generator, Portion::Block(block));
                assert!(fast == slow, "{kind:?}, {isa}");
            }
        }
    }
}

#[test]
#[ignore = "long"]
fn nodes_are_dealt_as_slowly_by_every_path() {
    let generator = &*SeededGenerator::Aes128Ctr.with_seed(21);
    for (text, file) in kinds() {
        // The root with many draws is split; deep nodes have few cases, or parts of one.
        let nodes = [
            (0, 0, 300),
            (0, 0, 5_000),
            (2, 3, 400),
            (9, 100, 130),
            (26, 12_345_678, 20),
        ];
        for (depth, index, draws) in nodes {
            let node = SplitNode::new(FIRST_DEAL, depth, index, draws).unwrap();
            let slow = slow_node(file, generator, node);
            for &isa in Isa::available() {
                let dealer = Dealer::of_cases(file).unwrap().with_isa(isa);
                let fast = fast(&dealer, generator, Portion::Node(node));
                assert!(fast == slow, "{text}, {isa}, {node:?}");
            }
        }
    }
}

#[test]
fn totals_of_more_than_64_bits_are_dealt_as_slowly() {
    let generator = &*SeededGenerator::Aes128Ctr.with_seed(22);
    let folder = folder();
    let (_, file) = case_file(folder.path(), &scenario("club-length"), None);
    assert!(file.total() >> 64 > 0);
    for (depth, index, draws) in [(0, 0, 100), (5, 17, 200), (14, 9_999, 100)] {
        let node = SplitNode::new(FIRST_DEAL, depth, index, draws).unwrap();
        let slow = slow_node(&file, generator, node);
        for &isa in Isa::available() {
            let dealer = Dealer::of_cases(&file).unwrap().with_isa(isa);
            assert!(
                fast(&dealer, generator, Portion::Node(node)) == slow,
                "{isa}"
            );
        }
    }
}

#[test]
fn raw_words_are_dealt_alike_by_every_path_until_they_end() {
    let mut bytes = Vec::new();
    let mut words = RandomStream::new(
        &*Box::leak(SeededGenerator::ChaCha8.with_seed(1)),
        StreamId::new(0, StreamPurpose::Plain, 0),
    );
    for _ in 0..20_000 {
        bytes.extend(words.next_u64().unwrap().to_le_bytes());
    }
    let folder = folder();
    let (_, file) = case_file(folder.path(), &scenario("nine-spades"), None);
    let dealt = |isa, cases: bool| {
        let generator = RawWords::new("file:test", std::io::Cursor::new(bytes.clone()));
        let dealer = if cases {
            Dealer::of_cases(&file).unwrap()
        } else {
            Dealer::unconstrained()
        };
        let dealer = dealer.with_isa(isa);
        let mut deals = Vec::new();
        let mut ended = None;
        for batch in [0..2_000, 2_000..4_000, 4_000..20_000] {
            for portion in dealer.portions(&generator, batch).unwrap() {
                let mut sink = |packet: &fairdeal::draw::Packet| {
                    deals.extend((0..packet.deals()).map(|i| packet.deal(i)));
                };
                let scratch = &mut DealScratch::default();
                let done = dealer.deal(&generator, &portion, scratch, &mut sink);
                ended = done.err().map(|error| error.to_string());
            }
        }
        (deals, ended.unwrap())
    };
    for cases in [false, true] {
        let (deals, ended) = dealt(Isa::PORTABLE, cases);
        assert!(deals.len() > 4_000);
        assert!(ended.starts_with("file:test ended after "), "{ended}");
        for &isa in Isa::available() {
            assert!(dealt(isa, cases) == (deals.clone(), ended.clone()), "{isa}");
        }
    }
}

#[test]
fn deals_in_random_order_are_those_in_order() {
    let generator = &*SeededGenerator::Aes128Ctr.with_seed(23);
    let folder = folder();
    let (_, file) = case_file(folder.path(), &scenario("flannery-misfit"), None);
    let dealer = Dealer::of_cases(&file).unwrap();
    let mut in_order = Vec::new();
    for portion in dealer.portions(generator, 0..40_000).unwrap() {
        in_order.extend(fast(&dealer, generator, portion));
    }
    let random = dealer.in_random_order(generator, 0..40_000).unwrap();
    // The listing begins with south's first pattern and ends with the last.
    let patterns = |deals: &[Deal]| {
        let patterns = deals
            .iter()
            .map(|deal| deal.hand(Seat::South).pattern().unwrap());
        patterns
            .map(|pattern| pattern.index().get())
            .collect::<Vec<_>>()
    };
    let rises = |deals: &[Deal]| {
        let (first, last) = (patterns(&deals[..4_000]), patterns(&deals[36_000..]));
        first.iter().max() < last.iter().min()
    };
    assert!(rises(&in_order));
    assert!(!rises(&random));
    let sorted = |mut deals: Vec<Deal>| {
        deals.sort();
        deals
    };
    assert!(sorted(random) == sorted(in_order));
}
