//! Proofs of the kernels that try every word, and comparison of every path of this processor with
//! the portable one.

use super::lanes::Deposit;
use super::*;
use fairdeal_bridge::Hand;
use fairdeal_bridge::combinatorics::{choose_u64, subset};

/// Returns a row of pseudorandom words.
pub(super) fn words<const N: usize>(seed: &mut u64) -> [u64; N] {
    std::array::from_fn(|_| {
        *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let word = (*seed ^ *seed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ word >> 31
    })
}

/// Number of random packets; fewer under Miri, which is slow.
const ROUNDS: usize = if cfg!(miri) { 1 } else { 2_000 };
/// Step between the cases of an exhaustive test; a few of them under Miri.
const CASE_STEP: usize = if cfg!(miri) { 13 } else { 1 };

/// Returns this number of low bits.
fn ones(count: u32) -> u64 {
    (1 << count) - 1
}

/// Returns cards of three suits, `count` in total.
fn raw_suits(count: u32) -> u64 {
    let suit = |before: u32| ones(count.saturating_sub(before).min(13));
    suit(0) << 16 | suit(13) << 32 | suit(26) << 48
}

#[test]
fn every_side_has_38_words_of_each_three_suits() {
    let steps = if cfg!(miri) { 4_099 } else { 1 };
    for &isa in Isa::available() {
        for raw in (0..=39).step_by(CASE_STEP) {
            let cards = raw_suits(raw);
            assert_eq!(cards.count_ones(), raw);
            let missing = 26u32.checked_sub(raw).filter(|missing| *missing <= 13);
            let ways = missing.map_or(0, |missing| choose_u64(13, missing as usize));
            let mut seen = vec![0u32; 1 << 13];
            let numbers: Vec<u64> = (0..1 << 16).step_by(steps).collect();
            for numbers in numbers.chunks(CHUNK) {
                let mut chunk = [cards | 0xFFFF; CHUNK];
                for (word, number) in chunk.iter_mut().zip(numbers) {
                    // The unused bits between the suits have no effect.
                    *word = cards | number | (number << 46 & 0xE000_E000_E000_0000);
                }
                let mut queue = [0; SIDES_QUEUE];
                let len = accept_sides(isa, &chunk, &mut queue, 0);
                let low = numbers.iter().filter(|number| **number < 38 * ways).count();
                assert_eq!(len, low, "{isa}, {raw} raw cards");
                let halves = [0; 2 * PACKET];
                let mut packet = Packet::default();
                expand(isa, queue.first_chunk().unwrap(), &halves, &mut packet);
                for (side, number) in packet.north_south.iter().zip(numbers).take(len) {
                    assert_eq!(side & RAW_SUITS, cards);
                    assert_eq!(side.count_ones(), 26);
                    assert_eq!(side & !DECK, 0);
                    let index = number / 38;
                    let fourth = missing.map(|missing| subset::unrank(index, 13, missing as usize));
                    assert_eq!(Some(side & 0xFFFF), fourth);
                    seen[(side & 0x1FFF) as usize] += 1;
                }
            }
            if steps == 1 {
                let reached: Vec<u32> = seen.into_iter().filter(|times| *times > 0).collect();
                assert_eq!(reached, vec![38; ways as usize]);
            }
        }
    }
}

#[test]
fn every_hand_has_38_half_words_of_each_thirteen_places() {
    let steps = if cfg!(miri) { 4_099 } else { 1 };
    for &isa in Isa::available() {
        for raw in (0..=13u32).step_by(CASE_STEP) {
            let ways = choose_u64(13, 13 - raw as usize);
            let mut seen = vec![0u32; 1 << 13];
            let numbers: Vec<u64> = (0..1 << 16).step_by(steps).collect();
            for numbers in numbers.chunks(2 * CHUNK) {
                let half = |place: usize| {
                    let number = numbers.get(place).copied().unwrap_or(0xFFFF);
                    number << 16 | ones(raw) | number << 13 & 0xE000
                };
                let chunk = std::array::from_fn(|i| half(2 * i) | half(2 * i + 1) << 32);
                let mut queue = [0; HALVES_QUEUE];
                let len = accept_halves(isa, &chunk, &mut queue, 0);
                let low = numbers.iter().filter(|number| **number < 38 * ways).count();
                assert_eq!(len, low, "{isa}, {raw} raw cards");
                for (halves, numbers) in queue[..len].chunks(PACKET).zip(numbers.chunks(PACKET)) {
                    let mut hands = [0; PACKET];
                    let mut row = [0; PACKET];
                    row[..halves.len()].copy_from_slice(halves);
                    let taken = [DECK & !0x1FFF_1FFF; PACKET];
                    split(isa, &row, [&taken; 2], &mut hands);
                    for (hand, number) in hands.iter().zip(numbers).take(halves.len()) {
                        assert_eq!(hand & 0x1FFF, ones(raw));
                        assert_eq!(hand.count_ones(), 13);
                        let index = number / 38;
                        assert_eq!(hand >> 16, subset::unrank(index, 13, 13 - raw as usize));
                        seen[(hand >> 16) as usize] += 1;
                    }
                }
            }
            if steps == 1 {
                let reached: Vec<u32> = seen.into_iter().filter(|times| *times > 0).collect();
                assert_eq!(reached, vec![38; ways as usize]);
            }
        }
    }
}

/// Fills two hands of records, each by pattern and honours or by pattern alone.
fn fill_both(
    isa: Isa,
    by_both: [bool; 2],
    cases: &[u64; PACKET],
    bits: &[[u64; PACKET]; 2],
    hands: &mut ListedHands,
) -> u128 {
    let mut forms = [Forms::default(), Forms::default()];
    for (hand, forms) in forms.iter_mut().enumerate() {
        let fields = HandFields {
            pattern: Some([9, 19][hand]),
            honours: by_both[hand].then_some([29, 45][hand]),
        };
        read_cases(isa, fields, cases, forms);
    }
    let ListedHands { lead, follow, .. } = hands;
    let rejected = fill(isa, by_both[0], &forms[0], &bits[0], lead);
    rejected | fill_next(isa, by_both[1], &forms[1], &bits[1], [lead, lead], follow)
}

/// Returns the index of a pattern.
fn pattern(lengths: [u8; 4]) -> u64 {
    let pattern = fairdeal_bridge::Pattern::new(lengths).unwrap();
    pattern.index().get() as u64
}

#[test]
fn every_subset_of_a_suit_has_as_many_numbers_as_any_other() {
    // Lead and follow hold the spades between them; the other suits have one way each.
    let steps = if cfg!(miri) { 8_191 } else { 1 };
    for &isa in Isa::available() {
        for lead in (0..=13u8).step_by(CASE_STEP) {
            for follow in [0, 1, 5, 13 - lead] {
                if lead + follow > 13 {
                    continue;
                }
                let [a, b] = [[lead, 13 - lead, 0, 0], [follow, 0, 13 - follow, 0]].map(pattern);
                let case = a << 9 | b << 19 | 0xFFFF << 29 | 0xFFFF << 45;
                let ways = [(13, lead), (13 - lead, follow)];
                let ways = ways.map(|(n, k)| choose_u64(n.into(), k.into()));
                let mut seen = vec![[0u32; 2]; 1 << 13];
                let numbers: Vec<u64> = (0..1 << 16).step_by(steps).collect();
                for numbers in numbers.chunks(PACKET) {
                    // The largest number is accepted for any number of ways.
                    let accepted = 0xFFFF_FFFF_FFFF_0000;
                    let number = |place: usize| numbers.get(place).copied().unwrap_or(0xFFFF);
                    let row = std::array::from_fn(|i| number(i) | accepted);
                    for hand in 0..2 {
                        let mut bits = [[u64::MAX; PACKET]; 2];
                        bits[hand] = row;
                        let mut hands = ListedHands::default();
                        let cases = [case; PACKET];
                        let rejected = fill_both(isa, [false; 2], &cases, &bits, &mut hands);
                        for (i, number) in numbers.iter().enumerate() {
                            let low = (number * ways[hand]) & 0xFFFF;
                            let is_rejected = low < (1 << 16) % ways[hand];
                            assert_eq!(rejected >> i & 1 == 1, is_rejected, "{isa}");
                            if !is_rejected {
                                let filled = [hands.lead[i], hands.follow[i]];
                                assert_eq!(filled.map(u64::count_ones), [13, 13]);
                                assert_eq!(filled[0] & filled[1], 0);
                                let filled = filled[hand];
                                seen[(filled & 0x1FFF) as usize][hand] += 1;
                            }
                        }
                    }
                }
                if steps == 1 {
                    for hand in 0..2 {
                        let reached = seen.iter().map(|times| times[hand]).filter(|n| *n > 0);
                        let share = ((1 << 16) / ways[hand]) as u32;
                        assert_eq!(
                            reached.collect::<Vec<_>>(),
                            vec![share; ways[hand] as usize]
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn honours_are_those_of_the_map_and_spots_fill_the_pattern() {
    let (a, b) = (pattern([4, 3, 3, 3]), pattern([4, 4, 4, 1]));
    let [lead_map, follow_map] = [0x8421u64, 0x4210];
    let case = a << 9 | b << 19 | lead_map << 29 | follow_map << 45;
    for &isa in Isa::available() {
        for round in 0..ROUNDS as u64 {
            let mut seed = round;
            let bits = [words(&mut seed), words(&mut seed)];
            let mut hands = ListedHands::default();
            let rejected = fill_both(isa, [true; 2], &[case; PACKET], &bits, &mut hands);
            for i in (0..PACKET).filter(|i| rejected >> i & 1 == 0) {
                let [lead, follow] = [hands.lead[i], hands.follow[i]].map(Hand::from_bits);
                assert_eq!(u64::from(lead.honours().bits()), lead_map);
                assert_eq!(u64::from(follow.honours().bits()), follow_map);
                assert_eq!(lead.lengths(), [4, 3, 3, 3]);
                assert_eq!(follow.lengths(), [4, 4, 4, 1]);
                assert!(lead.intersection(follow).is_empty());
            }
        }
    }
}

#[test]
fn every_path_makes_and_fills_the_same_hands() {
    let mut seed = 1;
    for _ in 0..ROUNDS {
        let (chunks, start) = (
            [words(&mut seed), words(&mut seed)],
            words::<1>(&mut seed)[0],
        );
        let plain = made(Isa::PORTABLE, &chunks, start as usize % PACKET);
        for &isa in Isa::available() {
            assert!(
                made(isa, &chunks, start as usize % PACKET) == plain,
                "{isa}"
            );
        }
        let bits = [words(&mut seed), words(&mut seed)];
        let cases: [u64; PACKET] = words::<PACKET>(&mut seed).map(|word| {
            // Any two patterns that fit each other, no honours.
            let (a, b) = (word % 560, (word >> 32) % 560);
            let lengths = |index: u64| {
                let index = fairdeal_bridge::PatternIndex::new(index as u16).unwrap();
                index.pattern().lengths()
            };
            let fit = lengths(a).iter().zip(lengths(b)).all(|(a, b)| a + b <= 13);
            let b = if fit { b } else { pattern([4, 3, 3, 3]) };
            let a = if fit { a } else { pattern([3, 4, 3, 3]) };
            a << 9 | b << 19
        });
        for by_both in [[false, false], [true, false]] {
            let filled = |isa| {
                let mut hands = ListedHands::default();
                let rejected = fill_both(isa, by_both, &cases, &bits, &mut hands);
                let hands = (0..PACKET).map(|i| (hands.lead[i], hands.follow[i]));
                let sound = |(lead, follow): &(u64, u64)| {
                    // A hand cannot take ten cards from nine spot cards; such cases are damaged.
                    lead.count_ones() == 13 && follow.count_ones() == 13
                };
                let accepted = hands.enumerate().filter(|(i, _)| rejected >> i & 1 == 0);
                accepted
                    .filter(|(_, hands)| sound(hands))
                    .collect::<Vec<_>>()
            };
            for &isa in Isa::available() {
                assert!(filled(isa) == filled(Isa::PORTABLE), "{isa}");
            }
        }
    }
}

/// Accepts and expands two chunks, starting with `before` entries in the queues.
fn made(isa: Isa, chunks: &[[u64; CHUNK]; 2], before: usize) -> (Vec<u64>, Vec<u32>, Vec<u64>) {
    let (mut sides, mut halves) = ([0x1234; SIDES_QUEUE], [0x1234; HALVES_QUEUE]);
    let side_len = accept_sides(isa, &chunks[0], &mut sides, before);
    let half_len = accept_halves(isa, &chunks[1], &mut halves, 2 * before);
    let mut packet = Packet::default();
    let half = halves.first_chunk().unwrap();
    expand(isa, sides.first_chunk().unwrap(), half, &mut packet);
    let sides_made = before.min(side_len)..side_len.min(PACKET);
    let mut hands: Vec<u64> = sides_made
        .flat_map(|i| [packet.north_south[i], packet.north[i], packet.east[i]])
        .collect();
    let mut column = [0; PACKET];
    let taken = [0x0000_00FF_00FF_FFFF; PACKET];
    split(isa, halves.first_chunk().unwrap(), [&taken; 2], &mut column);
    hands.extend(&column[before..(half_len / 2).min(PACKET).max(before)]);
    (
        sides[..side_len].to_vec(),
        halves[..half_len].to_vec(),
        hands,
    )
}

#[test]
fn every_path_finds_the_first_record_above_a_number() {
    let mut seed = 5;
    for records in [1, 2, 7, 8, 9, 15, 16, 17, 100, 1_000] {
        let (mut totals, mut shifted) = (Vec::new(), Vec::new());
        let mut total = 0u64;
        for word in words::<1_000>(&mut seed).into_iter().take(records) {
            total += (1 + word % 50) << 48;
            totals.push([total, word]);
            shifted.push([total << 9 | word >> 55, word << 9 | total >> 55]);
        }
        let (places, widths) = (words::<PACKET>(&mut seed), words::<PACKET>(&mut seed));
        let mut wanted = Wanted {
            draws: PACKET,
            ..Wanted::default()
        };
        let mut expected = [0; PACKET];
        for i in 0..PACKET {
            let number = places[i] % total;
            let place = totals
                .iter()
                .position(|[total, _]| *total > number)
                .unwrap();
            let spread = widths[i] as usize % 40;
            wanted.numbers[i] = number;
            wanted.starts[i] = place.saturating_sub(spread) as u32;
            wanted.ends[i] = (place + (widths[i] >> 32) as usize % 40).min(records - 1) as u32;
            expected[i] = place as u32;
        }
        for &isa in Isa::available() {
            for (shift, totals) in [(0, &totals), (9, &shifted)] {
                let mut found = [0; PACKET];
                wanted.shift = shift;
                locate(isa, totals, &wanted, &mut found);
                assert_eq!(found, expected, "{isa}, {records} records");
            }
        }
    }
}

#[test]
fn altered_records_are_never_read_beyond() {
    let totals = [[u64::MAX, 0]; 20];
    let zeros = [[0, 0]; 20];
    let mut wanted = Wanted {
        draws: PACKET,
        ..Wanted::default()
    };
    wanted.ends = [19; PACKET];
    for &isa in Isa::available() {
        for totals in [totals, zeros] {
            let mut found = [0; PACKET];
            locate(isa, &totals, &wanted, &mut found);
            assert!(found.iter().all(|&place| place <= 20));
        }
        // A record may contain any bits.
        let mut seed = 9;
        for lead_by_both in [false, true] {
            let (cases, bits) = (words(&mut seed), [words(&mut seed), words(&mut seed)]);
            let mut hands = ListedHands::default();
            let rejected = fill_both(isa, [lead_by_both; 2], &cases, &bits, &mut hands);
            assert!(rejected != 0 || !are_hands(isa, &hands, true, PACKET));
        }
    }
}

#[test]
fn hands_that_are_not_are_told_apart() {
    for &isa in Isa::available() {
        let mut hands = ListedHands {
            lead: [0x1FFF; PACKET],
            follow: [0x1FFF_0000; PACKET],
            third: [0; PACKET],
        };
        assert!(are_hands(isa, &hands, true, PACKET));
        assert!(!are_hands(isa, &hands, false, PACKET));
        hands.follow[100] = 0x1FFF;
        assert!(are_hands(isa, &hands, true, 100));
        assert!(!are_hands(isa, &hands, true, 101));
        hands.follow[100] = 0x2FFF_0000;
        assert!(!are_hands(isa, &hands, true, 101));
        hands.follow[100] = 0x0FFF_0000;
        assert!(!are_hands(isa, &hands, true, 101));
    }
}

#[test]
fn tables_deposit_as_card_after_card_does() {
    let mut seed = 7;
    for _ in 0..ROUNDS {
        let [cards, source] = words(&mut seed);
        let cards = cards & DECK;
        let source = source & ones(cards.count_ones());
        let slow = subset::deposit(source, Hand::from_bits(cards)).bits();
        assert_eq!(ByTable::new().deposit(source, cards), slow);
    }
    for cards in 0..1u64 << 13 {
        let cards = cards | cards << 16;
        let source = 0x1555 & ones(cards.count_ones());
        let slow = subset::deposit(source, Hand::from_bits(cards)).bits();
        assert_eq!(ByTable::new().deposit(source, cards), slow);
    }
}

#[test]
fn paths_are_known_by_their_names() {
    for &isa in Isa::available() {
        assert_eq!(Isa::named(isa.name()), Some(isa));
        assert_eq!(isa.to_string(), isa.name());
    }
    assert_eq!(Isa::named("sse9"), None);
    assert!(Isa::available().contains(&Isa::chosen()));
}

/// Returns a packet of random deals, some of them made illegal.
fn spoiled_packet() -> Packet {
    let mut packet = Packet {
        deals: 120,
        ..Packet::default()
    };
    let mut state = 7u64;
    for i in 0..packet.deals {
        let mut cards: Vec<u64> = (0..64).filter(|bit| DECK >> bit & 1 == 1).collect();
        for last in (1..52).rev() {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            cards.swap(last, (state >> 33) as usize % (last + 1));
        }
        let hand = |cards: &[u64]| cards.iter().fold(0, |hand, bit| hand | 1 << bit);
        packet.north[i] = hand(&cards[..13]);
        packet.north_south[i] = hand(&cards[..26]);
        packet.east[i] = hand(&cards[26..39]);
    }
    let card = packet.north[3] & packet.north[3].wrapping_neg();
    packet.north[3] ^= card;
    packet.north_south[11] ^= packet.north[11] & packet.north[11].wrapping_neg();
    packet.east[40] |= 1 << 15;
    packet.east[77] = packet.north[77];
    packet
}

#[test]
fn deals_that_are_none_are_told_from_the_others() {
    let packet = spoiled_packet();
    for isa in Isa::available() {
        let expected = 1 << 3 | 1 << 11 | 1 << 40 | 1u128 << 77;
        assert_eq!(illegal(*isa, &packet), expected, "{isa}");
    }
}

#[test]
fn flatness_controls_and_moments_are_counted_card_by_card() {
    let mut packet = spoiled_packet();
    let spoiled = illegal(Isa::available()[0], &packet);
    packet.remove(spoiled);
    for isa in Isa::available() {
        let mut keys = [0; PACKET];
        spread_keys(*isa, &packet, &mut keys);
        let mut moments = [SuitMoments::default(); 2];
        for (moments, pool) in moments.iter_mut().zip([DECK, SPOTS]) {
            add_moments(*isa, &packet, pool, moments);
            add_moments(*isa, &packet, pool, moments);
        }
        let mut expected = [SuitMoments::default(); 2];
        for (i, key) in keys.iter().enumerate().take(packet.deals) {
            let hands = *packet.deal(i).hands();
            let lengths = hands.map(|hand| hand.lengths().map(u64::from));
            let flatness: u64 = lengths.iter().flatten().map(|n| n * n).sum();
            let controls = hands.map(|hand| u64::from(hand.honours().weighted([2, 1, 0, 0])));
            assert_eq!(key & 0xFFFF, flatness / 2, "{isa}");
            let partners = NORTH_SOUTH_CONTROLS as u64 + 13 * controls[0] + controls[2];
            assert_eq!(key >> 16 & 0xFFFF, partners, "{isa}");
            let opponents = EAST_WEST_CONTROLS as u64 + 13 * controls[1] + controls[3];
            assert_eq!(key >> 32, opponents, "{isa}");
            for (expected, pool) in expected.iter_mut().zip([DECK, SPOTS]) {
                for suit in 0..4 {
                    let of = |seat: usize| {
                        let held = hands[seat].bits() & pool & 0x1FFF << (16 * suit);
                        2 * u64::from(held.count_ones())
                    };
                    let (n, e, s) = (of(0), of(1), of(2));
                    let products = [n * n, n * e, n * s, e * e, e * s, s * s].map(|p| p / 2);
                    for (sum, term) in expected
                        .iter_mut()
                        .zip([n, e, s].into_iter().chain(products))
                    {
                        sum[suit] += term;
                    }
                }
            }
        }
        assert_eq!(moments, expected, "{isa}");
    }
}

/// Compares, on every path, the forms of up to three hands with the description of their items.
#[test]
fn items_say_lengths_and_honours() {
    let mut seed = 21;
    for round in 0..ROUNDS as u32 {
        let (by_honours, dealt) =
            [(0, 1), (1, 1), (1, 2), (2, 2), (2, 3), (3, 3)][round as usize % 6];
        let holder_bits = [0, 8, 16, 16][by_honours];
        let shapes = words::<60>(&mut seed).map(|word| (word & 0xFF_FFFF) as u32);
        let layout = ItemLayout {
            holder_bits,
            by_honours,
            shapes: [&shapes[..40], &shapes[40..]],
        };
        let items = [40, 20].map(|shapes| {
            words::<PACKET>(&mut seed).map(|word| {
                let holders = (word >> 32) as u32 & ((1 << holder_bits) - 1);
                (word as u32 % shapes) << holder_bits | holders
            })
        });
        let slow = |role: usize, i: usize| {
            let (mut lengths, mut honours) = (0, 0);
            for suit in 0..4 {
                let (item, shapes) = (items[suit / 2][i], layout.shapes[suit / 2]);
                let shape = shapes[(item >> holder_bits) as usize];
                let length = shape >> (8 * role + 4 * (suit % 2)) & 0xF;
                lengths |= u64::from(length) << (16 * suit);
                // An honour's hand has a bit in each plane; aces are highest.
                for rank in 0..4 {
                    let place = 7 - 4 * (suit % 2) - rank;
                    let bit = |plane: usize| match 8 * plane < holder_bits as usize {
                        true => (item >> (8 * plane + place) & 1) as usize,
                        false => 0,
                    };
                    if role < by_honours && bit(0) + 2 * bit(1) == role {
                        honours |= 1 << (16 * suit + rank);
                    }
                }
            }
            (lengths, honours)
        };
        for &isa in Isa::available() {
            let mut forms = vec![Forms::default(); dealt];
            read_items(isa, layout, items.each_ref(), &mut forms);
            for (role, forms) in forms.iter().enumerate() {
                for i in 0..PACKET {
                    let form = forms.get(i);
                    assert_eq!((form.lengths, form.honours), slow(role, i), "{isa} {role}");
                }
            }
        }
    }
}

#[test]
fn every_path_chooses_the_same_of_lists() {
    let mut seed = 22;
    for round in 0..ROUNDS {
        // Lists of 1 to 2^6 columns, one after the other; and many columns.
        let sizes = words::<30>(&mut seed).map(|word| (word % 7) as u32);
        let mut lists = Vec::new();
        let mut start = if round % 50 == 0 { 1 << 15 } else { 0 };
        for bits in sizes {
            lists.push([start, bits]);
            start += 1 << bits;
        }
        let small = words::<PACKET>(&mut seed);
        let column = |i: u32| [small[i as usize % PACKET] as u32, 2 * i, 2 * i + 1];
        let columns: Vec<[u32; 3]> = (0..start).map(column).collect();
        let which = words::<PACKET>(&mut seed).map(|word| (word % 30) as u32);
        let mut row = words::<PACKET>(&mut seed);
        let is_tie = round % 3 == 0;
        if is_tie {
            let [start, bits] = lists[which[5] as usize];
            row[5] = u64::from(column(start)[0]) << 32 >> bits;
        }
        for &isa in Isa::available() {
            let (mut found, mut items) = (SelectedColumns::default(), [0; PACKET]);
            find(isa, &lists, &columns, &which, &row, &mut found);
            assert_eq!(decide(isa, &columns, &found, &mut items), is_tie, "{isa}");
            for i in 0..PACKET {
                let [start, bits] = lists[which[i] as usize];
                let word = u128::from(row[i]) << bits;
                let place = start + (word >> 64) as u32;
                let [threshold, own, alias] = columns[place as usize];
                let next = (word as u64 >> 32) as u32;
                let item = if next < threshold { own } else { alias };
                assert_eq!((found.places[i], found.next[i]), (place, next), "{isa}");
                assert_eq!(items[i], item, "{isa}");
            }
        }
    }
}

#[test]
fn one_hand_is_filled_as_a_packet_is() {
    let mut seed = 23;
    for round in 0..ROUNDS {
        let by_both = round % 2 == 0;
        let forms = Forms {
            lengths: words::<PACKET>(&mut seed).map(|word| {
                let index = fairdeal_bridge::PatternIndex::new((word % 560) as u16).unwrap();
                let lengths = index.pattern().lengths().map(u64::from);
                // Six spot cards of each suit are left, whatever is taken.
                let is_possible = lengths.iter().all(|length| *length <= 6);
                let [s, h, d, c] = if is_possible { lengths } else { [4, 3, 3, 3] };
                s | h << 16 | d << 32 | c << 48
            }),
            honours: [0; PACKET],
        };
        let bits = words(&mut seed);
        // The taken cards are a few low spot cards.
        let taken = words::<PACKET>(&mut seed).map(|word| word & 0x1C00_1C00_1C00_1C00);
        for &isa in Isa::available() {
            for (taken, is_first) in [([0; PACKET], true), (taken, false)] {
                let mut hands = [0; PACKET];
                let rejected = match is_first {
                    true => fill(isa, by_both, &forms, &bits, &mut hands),
                    false => fill_next(isa, by_both, &forms, &bits, [&taken; 2], &mut hands),
                };
                for i in 0..PACKET {
                    let one = fill_one(by_both, forms.get(i), bits[i], taken[i]);
                    let many = (rejected >> i & 1 == 0).then_some(hands[i]);
                    assert_eq!(one, many, "{isa}");
                }
            }
        }
    }
}

#[test]
fn every_path_seats_the_hands() {
    let mut seed = 24;
    let [lead, follow, third] = [words(&mut seed), words(&mut seed), words(&mut seed)];
    let hands = ListedHands {
        lead,
        follow,
        third,
    };
    for &isa in Isa::available() {
        for order in (0..64).step_by(CASE_STEP) {
            let seats = [order % 4, order / 4 % 4, order / 16];
            let mut packet = Packet::default();
            seat(isa, seats, &hands, &mut packet);
            for i in 0..PACKET {
                let all = [lead[i], follow[i], third[i]];
                let rest = DECK & !(all[0] | all[1] | all[2]);
                let [north, east, south] = seats.map(|seat| *all.get(seat).unwrap_or(&rest));
                let seated = (packet.north[i], packet.east[i], packet.north_south[i]);
                assert_eq!(seated, (north, east, north | south), "{isa}");
            }
        }
    }
}
