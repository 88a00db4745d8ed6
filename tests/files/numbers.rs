//! Every numbering against other programs, against complete enumeration, and in both directions.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::collections::BTreeSet;
use std::fmt::Debug;

use crate::common::{case_file, folder, kinds};
use fairdeal::bridge::combinatorics::{DEALS, choose};
use fairdeal::bridge::{Card, Deal, Ending, Hand, Rank, Seat, Suit};
use fairdeal::draw::{
    Aes128Ctr, Dealer, RandomStream, StreamId, StreamPurpose, below, number_of_deal, reference,
};
use fairdeal::number::{
    OutOfRange, andrews, base5, bigdeal, cases, ending, ending_any, pavlicek, pavlicek_suits, zbs,
};
use fairdeal::population::cases::CaseBytes;

/// A numbering of deals.
#[derive(Clone, Copy)]
struct Scheme {
    name: &'static str,
    encode: fn(&Deal) -> u128,
    decode: fn(u128) -> Result<Deal, OutOfRange>,
}

const SCHEMES: [Scheme; 4] = [
    Scheme {
        name: "pavlicek",
        encode: pavlicek::encode,
        decode: pavlicek::decode,
    },
    Scheme {
        name: "pavlicek-suits",
        encode: pavlicek_suits::encode,
        decode: pavlicek_suits::decode,
    },
    Scheme {
        name: "andrews",
        encode: andrews::encode,
        decode: andrews::decode,
    },
    Scheme {
        name: "bigdeal",
        encode: bigdeal::encode,
        decode: bigdeal::decode,
    },
];

fn rows(file: &str) -> Vec<csv::StringRecord> {
    let path = format!(
        "{}/fixtures/reference/numbers/{file}",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.records().collect::<Result<_, _>>().unwrap()
}

#[test]
fn deals_have_the_numbers_that_other_programs_give_them() {
    // By source: rows, and how many numbers they hold.
    let mut counts = std::collections::BTreeMap::new();
    for row in rows("deals.csv") {
        let scheme = SCHEMES.into_iter().find(|scheme| scheme.name == &row[1]);
        let (encode, decode) = scheme.map(|scheme| (scheme.encode, scheme.decode)).unwrap();
        let number: u128 = row[2].parse().unwrap();
        let deal: Deal = row[3].parse().unwrap();
        assert_eq!(encode(&deal), number, "{row:?}");
        assert_eq!(decode(number), Ok(deal), "{row:?}");
        *counts.entry(row[0].to_owned()).or_insert(0) += 1;
    }
    let counts: Vec<(&str, i32)> = counts
        .iter()
        .map(|(name, count)| (&**name, *count))
        .collect();
    let expected = [
        ("bigdeal", 2_000),
        ("hammond-decode", 186 * 2),
        ("hammond-encode", 186 * 3),
        ("impossible-bridge-book", 310),
        ("impossible-bridge-book-encode", 208 * 2),
        ("wwdeal", 115),
    ];
    assert_eq!(counts, expected);
}

#[test]
fn andrews_examples_and_their_hands_have_the_essays_numbers() {
    let indexes = [583_839_532_664, 4_808_237_581, 4_057_152];
    let [north, east, south] = indexes;
    let number = (north * choose(39, 13) + east) * choose(26, 13) + south;
    let owners = "WSSSSENSWWWWSNNNENWWWSENESNEENSESWNWSWEWSEENEENSENWN";
    let deal = deal_of_owners(owners, |place| place);
    assert_eq!(number, 49_321_653_299_255_886_550_697_095_352);
    assert_eq!(andrews::encode(&deal), number);
    assert_eq!(
        pavlicek::encode(&deal),
        40_958_565_147_961_533_588_277_623_299
    );
    assert_eq!(
        pavlicek_suits::encode(&deal),
        49_396_184_872_049_253_508_808_625_505
    );
    let owners = "EEWESNWSEESEEWSNWWSEWNNSESNWWWWSSNNWNESSEWNWEESNSNNN";
    let deal = deal_of_owners(owners, |place| place);
    assert_eq!(
        andrews::encode(&deal),
        53_428_723_727_766_779_292_308_009_061
    );
    assert_eq!(
        pavlicek::encode(&deal),
        23_939_930_605_182_617_974_284_286_262
    );
}

/// Cards by the letter of who holds them, `-` nobody; the order says which card stands where.
fn ending_of_owners(owners: &str, order: impl Fn(usize) -> usize) -> Ending {
    let mut hands = [Hand::EMPTY; 4];
    for (place, owner) in owners.chars().enumerate() {
        if let Some(seat) = "NESW".find(owner) {
            let card = Card::all().nth(order(place)).unwrap();
            hands[seat] = hands[seat].union(Hand::of(card));
        }
    }
    Ending::new(hands).unwrap()
}

fn deal_of_owners(owners: &str, order: impl Fn(usize) -> usize) -> Deal {
    ending_of_owners(owners, order).try_into().unwrap()
}

/// The card at a place of the order SA HA DA CA SK .. C2.
fn by_ranks(place: usize) -> usize {
    13 * (place % 4) + place / 4
}

#[test]
fn endings_have_the_numbers_of_the_essays_algorithm() {
    let rows = rows("endings.csv");
    assert_eq!(rows.len(), 108);
    for row in rows {
        let number: u128 = row[0].parse().unwrap();
        let ending = ending_of_owners(&row[2], by_ranks);
        assert_eq!(ending.sizes(), [row[1].parse::<u8>().unwrap(); 4]);
        assert_eq!(ending::encode(&ending), Ok(number), "{row:?}");
        assert_eq!(ending::decode(number), Ok(ending), "{row:?}");
        let number: u128 = row[3].parse().unwrap();
        assert_eq!(base5::encode(&ending), number, "{row:?}");
        assert_eq!(base5::decode(number), Ok(ending), "{row:?}");
    }
}

#[test]
fn the_essays_table_of_endings_and_its_totals_are_right() {
    let table: [u128; 14] = [
        0,
        6_497_400,
        1_896_396_138_000,
        76_277_828_779_152_000,
        653_534_134_886_878_245_000,
        1_478_262_843_475_644_020_034_240,
        984_413_552_803_410_351_119_097_600,
        201_474_727_133_525_966_905_424_640_000,
        12_544_162_796_020_587_447_287_356_785_000,
        222_319_044_340_995_870_807_891_151_800_000,
        971_089_585_681_469_963_688_868_551_062_400,
        787_961_497_021_778_783_459_036_840_832_000,
        63_839_473_138_338_558_845_060_855_160_000,
        53_644_737_765_488_792_839_237_440_000,
    ];
    assert_eq!(ending::OF_SIZE, table);
    assert_eq!(ending::COUNT, 2_058_009_868_335_972_036_308_496_616_883_640);
    assert_eq!(ending::COUNT, 0x6577_BC87_87C3_6425_0B71_123D_85B8);
    let any = 1_068_380_067_768_858_063_542_620_835_042_803_325;
    assert_eq!(ending_any::COUNT, any);
    assert_eq!(ending_any::COUNT, 0xCD_C334_4730_7D3E_53F6_746B_564F_BE7D);
    let sizes = |left: &mut dyn Iterator<Item = [usize; 4]>| -> u128 {
        left.map(|[n, e, s, w]| {
            choose(52, n) * choose(52 - n, e) * choose(52 - n - e, s) * choose(52 - n - e - s, w)
        })
        .sum()
    };
    assert_eq!(sizes(&mut tuples()), any);
    assert_eq!(base5::COUNT, 0x01AB_A471_4957_D300_D0E5_4920_8B31_ADB1);
    assert_eq!(zbs::SUIT_COUNT, 1_220_703_125);
    assert_eq!(DEALS, 0xAD55_E315_634D_DA65_8BF4_9200);
}

/// The sizes of hands in the order of `ending-any`.
fn tuples() -> impl Iterator<Item = [usize; 4]> {
    (0..38_416)
        .rev()
        .map(|at| [at / 2_744, at / 196 % 14, at / 14 % 14, at % 14])
}

#[test]
fn the_first_and_the_last_deal_are_the_essays() {
    let suits = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432";
    let in_turn = |owners: &str, order: fn(usize) -> usize| {
        let owners: String = owners.chars().flat_map(|owner| [owner; 13]).collect();
        deal_of_owners(&owners, order)
    };
    assert_eq!(in_turn("NESW", |place| place), suits.parse().unwrap());
    for scheme in SCHEMES {
        let order: fn(usize) -> usize = match scheme.name {
            "pavlicek" => by_ranks,
            _ => |place| place,
        };
        assert_eq!(
            (scheme.decode)(0),
            Ok(in_turn("NESW", order)),
            "{}",
            scheme.name
        );
        let last = (scheme.decode)(DEALS - 1).unwrap();
        assert_eq!(last, in_turn("WSEN", order), "{}", scheme.name);
        let beyond = OutOfRange {
            number: DEALS,
            count: DEALS,
        };
        assert_eq!((scheme.decode)(DEALS), Err(beyond));
        assert!((scheme.decode)(u128::MAX).is_err());
    }
    let first = Ending::from(in_turn("NESW", by_ranks));
    assert_eq!(
        (ending::decode(0), ending_any::decode(0)),
        (Ok(first), Ok(first))
    );
    let none = Ending::default();
    assert_eq!((base5::encode(&none), base5::decode(0)), (0, Ok(none)));
    assert_eq!(ending_any::encode(&none), Ok(ending_any::COUNT - 1));
    assert_eq!(zbs::encode(&none), [zbs::FLAG; 4]);
    let ace_to_west = ending_of_owners("W", by_ranks);
    assert_eq!(base5::encode(&ace_to_west), 4);
    assert_eq!(
        zbs::encode(&ace_to_west),
        [zbs::FLAG + 4, zbs::FLAG, zbs::FLAG, zbs::FLAG]
    );
}

/// Random numbers below a count, the same every time.
fn random(seed: u64) -> impl FnMut(u128) -> u128 {
    let generator = Box::leak(Box::new(Aes128Ctr::new(6)));
    let mut stream = RandomStream::new(generator, StreamId::new(seed, StreamPurpose::Plain, 0));
    move |count| below(&mut stream, count).unwrap()
}

/// A million numbers below the count, both ends, and both sides of the boundaries.
fn numbers(count: u128, boundaries: &[u128]) -> impl Iterator<Item = u128> {
    let mut random = random(1);
    let ends = (0..1_000).chain(count - 1_000..count);
    let beside = boundaries
        .iter()
        .flat_map(|&at| at.saturating_sub(2)..=at + 2);
    let beside: Vec<u128> = beside.filter(|&number| number < count).collect();
    ends.chain(beside)
        .chain((0..1_000_000).map(move |_| random(count)))
}

fn back_and_forth<T: Debug + PartialEq, E: Debug>(
    number: u128,
    decode: impl Fn(u128) -> Result<T, OutOfRange>,
    encode: impl Fn(&T) -> Result<u128, E>,
) {
    let decoded = decode(number).unwrap();
    assert_eq!(encode(&decoded).unwrap(), number, "{decoded:?}");
}

#[test]
#[ignore = "long"]
fn a_million_numbers_of_each_scheme_of_deals_come_back() {
    for scheme in SCHEMES {
        let parts = [DEALS / 4, DEALS / 2, choose(39, 13) * choose(26, 13)];
        for number in numbers(DEALS, &parts) {
            let encode = |deal: &Deal| Ok::<_, ()>((scheme.encode)(deal));
            back_and_forth(number, scheme.decode, encode);
        }
    }
}

#[test]
#[ignore = "long"]
fn a_million_deals_come_back_from_each_scheme() {
    let dealer = Dealer::<CaseBytes>::unconstrained();
    let generator = Aes128Ctr::new(60);
    for batch in 0..20 {
        let deals = dealer.in_random_order(&generator, batch * 50_000..(batch + 1) * 50_000);
        for deal in deals.unwrap() {
            for scheme in SCHEMES {
                assert_eq!(
                    (scheme.decode)((scheme.encode)(&deal)),
                    Ok(deal),
                    "{}",
                    scheme.name
                );
            }
            let ending = Ending::from(deal);
            // A deal is an ending too, and has the same number.
            let number = pavlicek::encode(&deal);
            assert_eq!(ending::encode(&ending), Ok(number));
            assert_eq!(ending_any::encode(&ending), Ok(number));
        }
    }
}

#[test]
#[ignore = "long"]
fn a_million_numbers_of_each_scheme_of_endings_come_back() {
    let mut boundary = 0;
    let boundaries = ending::OF_SIZE.iter().rev().map(|size| {
        boundary += size;
        boundary
    });
    let boundaries: Vec<u128> = boundaries.collect();
    for number in numbers(ending::COUNT, &boundaries) {
        back_and_forth(number, ending::decode, ending::encode);
    }
    for number in numbers(ending_any::COUNT, &[]) {
        back_and_forth(number, ending_any::decode, ending_any::encode);
    }
    for number in numbers(base5::COUNT, &[base5::COUNT / 5]) {
        back_and_forth(number, base5::decode, |ending| {
            Ok::<_, ()>(base5::encode(ending))
        });
        let ending = base5::decode(number).unwrap();
        assert_eq!(zbs::decode(zbs::encode(&ending)), Ok(ending));
    }
    for count in [ending::COUNT, ending_any::COUNT, base5::COUNT] {
        let decode = match count {
            ending::COUNT => ending::decode,
            ending_any::COUNT => ending_any::decode,
            _ => base5::decode,
        };
        assert_eq!(
            decode(count),
            Err(OutOfRange {
                number: count,
                count
            })
        );
    }
}

#[test]
fn every_tuple_of_sizes_begins_where_the_one_before_ends() {
    let mut begin = 0;
    for sizes in tuples() {
        let [n, e, s, w] = sizes;
        let count =
            choose(52, n) * choose(52 - n, e) * choose(52 - n - e, s) * choose(52 - n - e - s, w);
        for number in [begin, begin + count - 1] {
            let ending = ending_any::decode(number).unwrap();
            assert_eq!(ending.sizes().map(usize::from), sizes);
            assert_eq!(ending_any::encode(&ending), Ok(number));
        }
        // The first of a size has its cards in turn.
        let owners: String = "NESW"
            .chars()
            .zip(sizes)
            .flat_map(|(seat, size)| vec![seat; size])
            .collect();
        assert_eq!(
            ending_any::decode(begin),
            Ok(ending_of_owners(&owners, by_ranks))
        );
        begin += count;
    }
    assert_eq!(begin, ending_any::COUNT);
}

#[test]
#[ignore = "long"]
fn each_of_the_6497400_one_card_endings_has_its_number() {
    // Card by card in the order of the essay: north's changes last.
    let cards: Vec<Hand> = (0..52)
        .map(|place| Hand::of(Card::new(suit(place % 4), rank(place / 4))))
        .collect();
    let balanced = ending::COUNT - 6_497_400;
    let before: u128 = tuples()
        .take_while(|sizes| *sizes != [1; 4])
        .map(|[n, e, s, w]| {
            choose(52, n) * choose(52 - n, e) * choose(52 - n - e, s) * choose(52 - n - e - s, w)
        })
        .sum();
    let mut owners: Vec<([usize; 4], [u8; 52])> = Vec::new();
    for n in 0..52 {
        for e in (0..52).filter(|&e| e != n) {
            for s in (0..52).filter(|&s| s != n && s != e) {
                for w in (0..52).filter(|&w| w != n && w != e && w != s) {
                    let mut at = [4; 52];
                    for (seat, card) in [n, e, s, w].into_iter().enumerate() {
                        at[card] = seat as u8;
                    }
                    owners.push(([n, e, s, w], at));
                }
            }
        }
    }
    // The essay's order is that of the strings of owners, nobody last.
    owners.sort_unstable_by_key(|(_, at)| *at);
    assert_eq!(owners.len(), 6_497_400);
    for (at, (places, _)) in (0..).zip(&owners) {
        let expected = Ending::new(places.map(|place| cards[place])).unwrap();
        assert_eq!(ending::decode(balanced + at), Ok(expected));
        assert_eq!(ending::encode(&expected), Ok(balanced + at));
        assert_eq!(ending_any::decode(before + at), Ok(expected));
        assert_eq!(ending_any::encode(&expected), Ok(before + at));
    }
}

fn suit(index: usize) -> Suit {
    Suit::ALL[index]
}

fn rank(index: usize) -> Rank {
    Rank::all().nth(index).unwrap()
}

#[test]
fn numbers_of_a_case_file_are_those_of_the_slow_way_and_come_back() {
    let mut random = random(2);
    for (text, file) in kinds() {
        let numbering = cases::CaseNumbering::new(file);
        let count = numbering.count();
        for at in 0..400 {
            let number = match at {
                0..5 => at,
                5..10 => count - 1 - (at - 5),
                _ => random(count),
            };
            let deal = numbering.decode(number).unwrap();
            assert_eq!(numbering.encode(&deal), Ok(number), "{text}");
            if at < 40 {
                assert_eq!(
                    reference::deal_of_number(file, number),
                    Some(deal),
                    "{text}"
                );
            }
        }
        for _ in 0..1_000 {
            let number = random(count);
            let deal = numbering.decode(number).unwrap();
            assert_eq!(numbering.encode(&deal), Ok(number), "{text}");
        }
        let beyond = cases::DecodeError::OutOfRange(OutOfRange {
            number: count,
            count,
        });
        assert_eq!(numbering.decode(count), Err(beyond));
        let other = pavlicek::decode(0).unwrap();
        assert_eq!(
            numbering.encode(&other),
            Err(cases::EncodeError::NoCase),
            "{text}"
        );
    }
}

#[test]
fn a_small_case_files_numbers_are_all_its_hands_one_after_the_other() {
    // 756 hands for east: each is as many consecutive numbers as there are completions.
    let folder = folder();
    let (_, file) = case_file(
        folder.path(),
        &crate::common::scenario("east-5332-34"),
        None,
    );
    let numbering = cases::CaseNumbering::new(&file);
    let completions = choose(39, 13) * choose(26, 13);
    assert_eq!(numbering.count(), 756 * completions);
    let mut hands = BTreeSet::new();
    for hand in 0..756 {
        let first = numbering.decode(hand * completions).unwrap();
        let last = numbering.decode((hand + 1) * completions - 1).unwrap();
        let east = first.hand(Seat::East);
        assert_eq!(last.hand(Seat::East), east);
        assert!(hands.insert(east));
        // North's thirteen are the first that are left, then south's; or the last.
        let left: Vec<Card> = Hand::DECK.without(east).cards().collect();
        assert!(
            first
                .hand(Seat::North)
                .cards()
                .eq(left[..13].iter().copied())
        );
        assert!(
            first
                .hand(Seat::South)
                .cards()
                .eq(left[13..26].iter().copied())
        );
        assert!(
            last.hand(Seat::North)
                .cards()
                .eq(left[26..].iter().copied())
        );
        assert!(
            last.hand(Seat::South)
                .cards()
                .eq(left[13..26].iter().copied())
        );
    }
}

#[test]
fn a_damaged_case_file_gives_no_number_beyond_its_count() {
    let folder = folder();
    let (path, file) = case_file(
        folder.path(),
        &crate::common::scenario("east-5332-34"),
        None,
    );
    let deals: Vec<Deal> = {
        let numbering = cases::CaseNumbering::new(&file);
        let hands = (0..756)
            .step_by(17)
            .map(|hand| hand * (numbering.count() / 756));
        hands
            .map(|number| numbering.decode(number).unwrap())
            .collect()
    };
    let whole = std::fs::read(&path).unwrap();
    // Where the records end.
    let end = u64::from_le_bytes(whole[40..48].try_into().unwrap()) as usize;
    let (mut opened, mut refused) = (0, 0);
    for bit in (0..8 * 400).step_by(7) {
        let mut bytes = whole.clone();
        bytes[end - 1 - bit / 8] ^= 1 << (bit % 8);
        let path = folder.path().join("damaged.cases");
        std::fs::write(&path, bytes).unwrap();
        let Ok(file) = fairdeal::population::cases::read(&path) else {
            continue;
        };
        opened += 1;
        let numbering = cases::CaseNumbering::new(&file);
        for deal in &deals {
            match numbering.encode(deal) {
                Ok(number) => assert!(number < numbering.count(), "bit {bit}: {number}"),
                Err(_) => refused += 1,
            }
        }
        for number in [
            0,
            numbering.count() / 2,
            numbering.count().saturating_sub(1),
        ] {
            _ = numbering.decode(number);
        }
    }
    assert!(opened > 10 && refused > 100, "{opened} {refused}");
}

#[test]
fn totals_beyond_all_deals_give_no_numbers() {
    // The totals have 73 bits, times 80 bits of completions.
    let folder = folder();
    let (path, file) = case_file(
        folder.path(),
        &crate::common::scenario("east-5332-34"),
        None,
    );
    let numbering = cases::CaseNumbering::new(&file);
    let deal = numbering.decode(numbering.count() - 1).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let records: Vec<u8> = file
        .records()
        .iter()
        .flat_map(bytemuck::bytes_of)
        .copied()
        .collect();
    let start = bytes
        .windows(records.len())
        .position(|window| window == records)
        .unwrap();
    let last = start + records.len() - 16;
    // The 73rd bit of the last two totals.
    bytes[last + 9] |= 1;
    bytes[last - 16 + 9] |= 1;
    std::fs::write(&path, bytes).unwrap();
    let file = fairdeal::population::cases::read(&path).unwrap();
    let numbering = cases::CaseNumbering::new(&file);
    assert!(matches!(
        numbering.encode(&deal),
        Err(cases::EncodeError::Damaged(_))
    ));
}

#[test]
fn a_deal_is_refused_by_every_case_but_its_own() {
    let mut random = random(3);
    for (text, file) in kinds() {
        let numbering = cases::CaseNumbering::new(file);
        let step = 1 + file.cases() as usize / 60;
        for _ in 0..20 {
            let number = random(numbering.count());
            let deal = numbering.decode(number).unwrap();
            let cases = (0..file.cases()).step_by(step);
            let taken: Vec<u128> = cases
                .filter_map(|case| number_of_deal(file, case, &deal).ok())
                .collect();
            assert!(taken.is_empty() || taken == [number], "{text}: {taken:?}");
        }
    }
}

#[test]
fn words_of_which_the_last_lacks_its_flag_are_read() {
    let deal: Ending = andrews::decode(DEALS / 7).unwrap().into();
    let mut words = zbs::encode(&deal);
    words[3] &= !zbs::FLAG;
    assert_eq!(zbs::decode(words), Ok(deal));
    words[0] &= !zbs::FLAG;
    assert!(zbs::decode(words).is_err());
}
