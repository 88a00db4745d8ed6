//! Predealt cards: cells, numbers and draws against an enumeration of all deals.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use crate::common::{case_file, condition, fast, folder};
use fairdeal::bridge::combinatorics::{choose, ways_to_deal};
use fairdeal::bridge::{Card, Deal, Hand, PatternIndex, Seat};
use fairdeal::draw::{
    Aes128Ctr, Dealer, Isa, Portion, RandomStream, Seeded, StreamId, StreamPurpose, below,
};
use fairdeal::language::{Condition, Plan, PlanError};
use fairdeal::number::cells::{CellNumbering, NotTheCondition};
use fairdeal::population::Population;
use fairdeal::population::cases::{self, CaseBytes, Listing, ListingError};
use fairdeal::population::cells::{Budget, Cells, CellsError};
use fairdeal::population::counting::DealCounter;
use fairdeal::run::{self, KeepFilter};
use fairdeal::tally::{CountPlan, Counts, Depth};
use fairdeal::theory::{Ratio, Theory};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// What is asked of hands A, B, C and D: patterns, honours or both, of one to four of them.
const TEMPLATES: [&str; 21] = [
    // One hand.
    "spades(A) % 2 == 0 || hearts(A) > 3",
    "hcp(A) % 3 != 0",
    "hcp(A) + 2 * clubs(A) > 15",
    "hascard(A, AS) || hascard(A, JD)",
    // Pattern and pattern.
    "spades(A) % 2 == 0 && hearts(B) % 3 != 1",
    "spades(A) + clubs(B) > 6",
    // Honours and honours.
    "hcp(A) % 2 == 0 && aces(B) != 1",
    "hcp(A) > hcp(B)",
    // Both and pattern.
    "hcp(A) + spades(A) > 9 && hearts(B) % 2 == 0",
    "hearts(A) % 2 == 1 && hcp(B) > 6",
    "controls(A) + diamonds(B) >= 4",
    // Both and honours.
    "losers(A) < 9 && hcp(B) % 2 == 1",
    "hcp(A) + losers(B) > 14",
    // Both and both.
    "losers(A) + losers(B) < 16",
    "losers(A) < 9 && hcp(B) > spades(B)",
    // Three hands, and four.
    "spades(A) % 2 == 0 && hearts(B) % 3 != 1 && clubs(C) > 1",
    "hcp(A) % 2 == 0 && hcp(B) + spades(C) > 4",
    "hcp(A) > 6 && hcp(B) < 20 && hcp(C) % 3 != 1",
    "spades(A) > 1 && hcp(B) + hcp(C) > 9 && hcp(D) % 2 == 1",
    "losers(A) < 9 && hearts(B) > 0 && aces(C) < 4 && clubs(D) % 2 == 1",
    // Nothing of any.
    "1",
];

/// Cards of every rank that are left to deal, and how many of them each seat lacks.
const LEFT: [(&str, [usize; 4]); 6] = [
    // Honours and spots of all suits.
    ("SAKT7 HJ4 D3 C2", [2, 3, 2, 1]),
    // Some seats have everything; the others little.
    ("SA9 HKQ54 DT3 CAJ2", [0, 7, 0, 4]),
    ("SQJ HA3 DAK2 C54", [5, 1, 3, 0]),
    ("HAKQJT98765432", [12, 1, 0, 0]),
    ("SKQ2 HQ62 DJ5 C9", [1, 1, 1, 6]),
    // No honour, no spot.
    ("ST9 H87 D65 C43", [2, 2, 2, 2]),
];

fn cards(holdings: &str) -> Hand {
    let mut hand = Hand::EMPTY;
    for holding in holdings.split(' ') {
        let (suit, ranks) = holding.split_at(1);
        for card in Card::all() {
            let name = card.to_string();
            if name.starts_with(suit) && ranks.contains(&name[1..]) {
                hand = hand.union(Hand::of(card));
            }
        }
    }
    hand
}

/// Gives the cards that are not left to the seats, mixed up, up to what each lacks.
fn predealt(left: Hand, lacks: [usize; 4], seed: u64) -> [Hand; 4] {
    let mut cards: Vec<Card> = Hand::DECK.without(left).cards().collect();
    let generator = Aes128Ctr::new(seed.into());
    let mut stream = RandomStream::new(&generator, StreamId::new(0, StreamPurpose::Plain, 0));
    for last in (1..cards.len()).rev() {
        let chosen = below(&mut stream, last as u128 + 1).unwrap();
        cards.swap(last, chosen as usize);
    }
    let mut cards = cards.into_iter();
    let hands = lacks.map(|lacks| cards.by_ref().take(13 - lacks).collect::<Hand>());
    assert_eq!(cards.next(), None);
    hands
}

/// `predeal north SAK, H2 ..`
fn statement(hands: [Hand; 4]) -> String {
    let mut text = String::from("predeal");
    for (seat, hand) in Seat::ALL.into_iter().zip(hands) {
        let cards: Vec<String> = hand.cards().map(|card| card.to_string()).collect();
        if !cards.is_empty() {
            text += &format!(" {} {}", seat.name(), cards.join(", "));
        }
    }
    text
}

/// All deals in which these hands are completed.
fn all_deals(hands: [Hand; 4]) -> Vec<Deal> {
    fn go(left: &[Card], hands: [Hand; 4], deals: &mut Vec<Deal>) {
        let Some((card, rest)) = left.split_first() else {
            deals.push(Deal::new(hands).unwrap());
            return;
        };
        for seat in (0..4).filter(|&seat| hands[seat].len() < 13) {
            let mut hands = hands;
            hands[seat] = hands[seat].union(Hand::of(*card));
            go(rest, hands, deals);
        }
    }
    let fixed = hands.into_iter().fold(Hand::EMPTY, Hand::union);
    let left: Vec<Card> = Hand::DECK.without(fixed).cards().collect();
    let mut deals = Vec::new();
    go(&left, hands, &mut deals);
    deals
}

/// Every condition of these tests with every pair of seats that it speaks of.
fn each_condition(mut check: impl FnMut(&Condition, &[Deal])) {
    let pairs = [
        [Seat::North, Seat::South],
        [Seat::West, Seat::East],
        [Seat::East, Seat::North],
    ];
    for ((left, lacks), seed) in LEFT.into_iter().zip(1..) {
        let hands = predealt(cards(left), lacks, seed);
        let deals = all_deals(hands);
        for template in TEMPLATES {
            for [a, b] in pairs {
                let text = template.replace("(A", &format!("({}", a.name()));
                let text = text.replace("(B", &format!("({}", b.name()));
                let mut others = Seat::ALL.into_iter().filter(|seat| ![a, b].contains(seat));
                let [c, d] = [(); 2].map(|()| others.next().unwrap());
                let text = text.replace("(C", &format!("({}", c.name()));
                let text = text.replace("(D", &format!("({}", d.name()));
                let condition = condition(&format!("{}\ncondition {text}", statement(hands)));
                check(&condition, &deals);
            }
        }
    }
}

fn holds(condition: &Condition, deal: &Deal) -> bool {
    condition.expression().holds(deal).unwrap()
}

#[test]
#[ignore = "long"]
fn cells_and_numbers_reach_every_deal_once() {
    let (mut made, mut empty, mut numbers) = (0, 0, 0);
    each_condition(|condition, deals| {
        let (wanted, others): (Vec<&Deal>, Vec<&Deal>) =
            deals.iter().partition(|deal| holds(condition, deal));
        let cells = match Cells::new(condition) {
            Err(CellsError::NoDeal) => {
                assert!(wanted.is_empty(), "{}", condition.text());
                empty += 1;
                return;
            }
            cells => cells.unwrap(),
        };
        let text = condition.text();
        let count = wanted.len() as u128;
        assert_eq!(cells.chance(), (count, deals.len() as u128), "{text}");
        let numbering = CellNumbering::new(&cells);
        assert_eq!(numbering.count(), count, "{text}");
        let mut reached = BTreeSet::new();
        for number in 0..count {
            let deal = numbering.decode(number).unwrap();
            assert_eq!(numbering.encode(&deal), Ok(number), "{text}");
            reached.insert(deal);
        }
        assert!(reached.into_iter().eq(sorted(&wanted)), "{text}");
        for deal in others.iter().take(20) {
            assert_eq!(numbering.encode(deal), Err(NotTheCondition));
        }
        assert!(numbering.decode(count).is_err());
        made += 1;
        numbers += count;
    });
    assert!(
        made > 250 && empty > 5 && numbers > 100_000,
        "{made} {empty} {numbers}"
    );
}

#[test]
#[ignore = "long"]
fn tables_are_those_of_all_deals() {
    let mut checked = 0;
    each_condition(|condition, deals| {
        let wanted: Vec<&Deal> = deals.iter().filter(|deal| holds(condition, deal)).collect();
        // Every eleventh condition, because tables take longer than deals.
        checked += 1;
        if wanted.is_empty() || checked % 11 != 0 {
            return;
        }
        let theory = Theory::of_cells(&Cells::new(condition).unwrap()).unwrap();
        let text = condition.text();
        let ways = |is_one: &dyn Fn(&Deal) -> bool| Ratio {
            ways: wanted.iter().filter(|deal| is_one(deal)).count() as u128,
            of: wanted.len() as u128,
        };
        for seat in Seat::ALL {
            for card in Card::all() {
                let held = ways(&|deal| deal.hand(seat).contains(card));
                let found = theory.card(card).probability(seat.index());
                assert_eq!(found.reduced(), held.reduced(), "{text}: {card}");
            }
            for hcp in 0..38 {
                let held = ways(&|deal| deal.hand(seat).hcp() == hcp);
                let found = theory.hcp(seat).probability(hcp as usize);
                assert_eq!(found.reduced(), held.reduced(), "{text}: {hcp}");
            }
            for index in PatternIndex::all().step_by(7) {
                let held = ways(&|deal| deal.hand(seat).pattern() == Some(index.pattern()));
                let found = theory.patterns(seat).probability(index.get());
                assert_eq!(found.reduced(), held.reduced(), "{text}: {index:?}");
            }
        }
    });
}

fn sorted(deals: &[&Deal]) -> Vec<Deal> {
    let mut deals: Vec<Deal> = deals.iter().map(|&&deal| deal).collect();
    deals.sort();
    deals
}

/// The population of a condition's cells.
fn population(condition: &Condition) -> Population {
    Population::of_cells(Cells::new(condition).unwrap())
}

/// The first deals that a dealer draws in these batches.
fn drawn(
    dealer: &Dealer<'_, CaseBytes>,
    generator: &Aes128Ctr,
    deals: std::ops::Range<u64>,
) -> Vec<Deal> {
    let portions: Vec<Portion> = dealer
        .portions(generator, deals)
        .unwrap()
        .into_iter()
        .collect();
    let dealt = portions.into_iter();
    dealt
        .flat_map(|portion| fast(dealer, generator, portion))
        .collect()
}

#[test]
#[ignore = "long"]
fn draws_hit_every_deal_as_often_as_any_other() {
    let generator = Aes128Ctr::new(5);
    let (mut tested, mut least) = (0u32, 1.0f64);
    each_condition(|condition, deals| {
        let wanted: Vec<&Deal> = deals.iter().filter(|deal| holds(condition, deal)).collect();
        if wanted.len() < 2 {
            return;
        }
        let population = population(condition);
        let dealer = Dealer::new(&population).unwrap();
        let draws = 20 * wanted.len() as u64;
        let mut counts: BTreeMap<Deal, u64> =
            sorted(&wanted).into_iter().map(|deal| (deal, 0)).collect();
        // Batches differ by their first deal.
        let first_deal = u64::from(tested) << 32;
        for deal in drawn(&dealer, &generator, first_deal..first_deal + draws) {
            *counts.get_mut(&deal).expect("a deal of the condition") += 1;
        }
        let square = |count: &u64| (*count as f64 - 20.0).powi(2) / 20.0;
        let statistic: f64 = counts.values().map(square).sum();
        let p = ChiSquared::new(counts.len() as f64 - 1.0)
            .unwrap()
            .sf(statistic);
        let text = condition.text();
        // A few deals are often hit equally often.
        let is_too_even = counts.len() >= 30 && p > 1.0 - 1e-5;
        assert!(p > 1e-5 && !is_too_even, "{text}: p = {p}, {statistic}");
        least = least.min(p);
        tested += 1;
    });
    assert!(tested > 200, "{tested}");
    // The least of so many p-values.
    assert!(least * f64::from(tested) > 0.001, "{least} of {tested}");
}

#[test]
fn draws_have_the_predealt_cards_by_every_path() {
    let generator = &Aes128Ctr::new(33);
    for text in WRITTEN {
        let condition = condition(text);
        let population = population(&condition);
        let dealer = |isa| Dealer::new(&population).unwrap().with_isa(isa);
        let deals = drawn(&dealer(Isa::PORTABLE), generator, 0..130);
        assert_eq!(deals.len(), 130);
        for deal in &deals {
            assert!(condition.predeal().is_in(deal), "{text}: {deal}");
            assert!(holds(&condition, deal), "{text}: {deal}");
        }
        for &isa in Isa::available() {
            assert!(
                drawn(&dealer(isa), generator, 0..130) == deals,
                "{text}, {isa}"
            );
        }
    }
}

#[test]
fn counts_are_the_same_on_any_number_of_threads() {
    let population = population(&condition(WRITTEN[4]));
    let generator = &Aes128Ctr::new(33);
    let plan = CountPlan::of(&population, Depth::Full);
    let counted = |isa, threads| {
        let dealer = &Dealer::new(&population).unwrap().with_isa(isa);
        let source = Seeded { dealer, generator };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let go_on = &mut |_: &Counts| ControlFlow::Continue(());
        let done = pool.unwrap().install(|| {
            run::count(
                &source,
                &plan,
                &KeepFilter::default(),
                (DEALS, run::DEFAULT_BATCH),
                &|_| (),
                go_on,
            )
        });
        done.unwrap().counts
    };
    let counts = counted(Isa::PORTABLE, 1);
    assert_eq!((counts.foreign, counts.illegal), (0, 0));
    for &isa in Isa::available() {
        assert!(counted(isa, 3).tally() == counts.tally());
    }
}

const DEALS: u64 = 100_000;

/// Conditions as people write them.
const WRITTEN: [&str; 9] = [
    "predeal north SAKQJT98765432 condition hcp(west) >= 20",
    "predeal north SAK, H2 east DQ5, C7 south HA condition hcp(west) >= 12 && spades(east) == 4",
    "predeal south SAKQ42, HK53, D97, CA84 condition spades(north) >= 3 && losers(north) <= 7",
    "predeal west CA, C2 condition hearts(south) == 6 && hearts(north) == 3",
    "predeal east SA south HA condition hcp(east) + hcp(west) == 25",
    "predeal north S2 east S3 south S4, SA west S5 condition 1",
    "predeal north SAK42, HQ753, DJ2, CK south HT9, S85, DAT98, CQJ \
     condition spades(west) <= 3 && hearts(east) >= 2 && clubs(south) > 3",
    "predeal west DKJ3, C2 condition hcp(north) + hcp(south) >= 25 && spades(north) >= 5 && hcp(east) < 5",
    "predeal north SQ2 east HT condition hcp(north) > 12 && hcp(east) < 9 && hcp(south) > 9 && hcp(west) < 9",
];

/// Cells and a counter that passes card after card agree, for random cards and conditions.
#[test]
fn cells_have_as_many_deals_as_are_counted() {
    let generator = Aes128Ctr::new(58);
    let mut stream = RandomStream::new(&generator, StreamId::new(0, StreamPurpose::Plain, 0));
    let mut below = |most: u128| below(&mut stream, most).unwrap() as usize;
    let random = (0..TEMPLATES.len()).map(|seed| {
        let all: Vec<Card> = Card::all().collect();
        let left: Hand = all.iter().filter(|_| below(2) > 0).copied().collect();
        let mut lacks = [13; 4];
        for _ in 0..52 - left.len() {
            let most = lacks.iter().filter(|lacks| **lacks > 2).count();
            let seat = (0..4)
                .filter(|seat| lacks[*seat] > 2)
                .nth(below(most as u128))
                .unwrap();
            lacks[seat] -= 1;
        }
        let seats = [Seat::North, Seat::East, Seat::South, Seat::West];
        let first = below(4);
        let mut text = TEMPLATES[seed].to_owned();
        for (place, name) in ["(A", "(B", "(C", "(D"].into_iter().enumerate() {
            let seat = seats[(first + place) % 4].name();
            text = text.replace(name, &format!("({seat}"));
        }
        let fixed = statement(predealt(left, lacks, seed as u64));
        format!("{fixed}\ncondition {text}")
    });
    let random: Vec<String> = random.collect();
    for text in WRITTEN.into_iter().chain(random.iter().map(String::as_str)) {
        let condition = condition(text);
        let counter = DealCounter::new(&condition).unwrap();
        let (deals, of) = counter.probability(&Budget::unlimited()).unwrap();
        match Cells::new(&condition) {
            Ok(cells) => assert_eq!(cells.chance(), (deals, of), "{text}"),
            Err(why) => assert_eq!((why, deals), (CellsError::NoDeal, 0), "{text}"),
        }
    }
}

/// How many deals give seat A each value of one count and seat B each of another, by
/// adding card after card: [value of A][value of B].
fn counted(
    fixed: [Hand; 4],
    [a, b]: [(Seat, &dyn Fn(Card) -> usize); 2],
    most: [usize; 2],
) -> Vec<Vec<u128>> {
    let start = |(seat, value): (Seat, &dyn Fn(Card) -> usize)| -> usize {
        fixed[seat.index()].cards().map(value).sum()
    };
    // How many cards A, B and one of the others have, and the two values.
    let others: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|&seat| seat != a.0 && seat != b.0)
        .collect();
    let room = |seat: Seat| 13 - fixed[seat.index()].len() as usize;
    let rooms = [room(a.0), room(b.0), room(others[0]), room(others[1])];
    let mut ways: BTreeMap<([usize; 4], usize, usize), u128> = BTreeMap::new();
    ways.insert((rooms, start(a), start(b)), 1);
    let dealt = fixed.into_iter().fold(Hand::EMPTY, Hand::union);
    for card in Hand::DECK.without(dealt).cards() {
        let mut next = BTreeMap::new();
        for ((rooms, x, y), count) in ways {
            for to in (0..4).filter(|&to| rooms[to] > 0) {
                let mut rooms = rooms;
                rooms[to] -= 1;
                let x = x + if to == 0 { a.1(card) } else { 0 };
                let y = y + if to == 1 { b.1(card) } else { 0 };
                *next.entry((rooms, x, y)).or_default() += count;
            }
        }
        ways = next;
    }
    let mut table = vec![vec![0; most[1] + 1]; most[0] + 1];
    for ((_, x, y), count) in ways {
        table[x][y] += count;
    }
    table
}

#[test]
fn deals_of_two_hands_are_as_many_as_counting_card_by_card_finds() {
    let fixed = [
        cards("SAK HQ2"),
        cards("DQ5 C7"),
        cards("HA D2"),
        cards("CA C2 SQ ST"),
    ];
    let hcp = |card: Card| 4usize.saturating_sub(card.rank().index());
    let length = |name: char| move |card: Card| usize::from(card.to_string().starts_with(name));
    let (spades, clubs) = (length('S'), length('C'));
    let (west, east, north) = (Seat::West, Seat::East, Seat::North);
    let check = |table: &[Vec<u128>], text: &str, wanted: &dyn Fn(usize, usize) -> bool| {
        let condition = condition(&format!("{}\ncondition {text}", statement(fixed)));
        let all = table.iter().enumerate().flat_map(|(x, row)| {
            let row = row.iter().enumerate();
            row.map(move |(y, ways)| (x, y, *ways))
        });
        let ways: u128 = all
            .filter(|&(x, y, _)| wanted(x, y))
            .map(|(_, _, ways)| ways)
            .sum();
        let cells = Cells::new(&condition).unwrap();
        assert_eq!(cells.chance().0, ways, "{text}");
    };
    let patterns = counted(fixed, [(west, &clubs), (east, &spades)], [13, 13]);
    check(
        &patterns,
        "clubs(west) >= 6 && spades(east) == 3",
        &|x, y| x >= 6 && y == 3,
    );
    check(&patterns, "clubs(west) + spades(east) == 9", &|x, y| {
        x + y == 9
    });
    let honours = counted(fixed, [(north, &hcp), (west, &hcp)], [40, 40]);
    check(&honours, "hcp(north) == 20 && hcp(west) <= 6", &|x, y| {
        x == 20 && y <= 6
    });
    let mixed = counted(fixed, [(north, &hcp), (east, &spades)], [40, 13]);
    check(&mixed, "hcp(north) >= 24 && spades(east) == 4", &|x, y| {
        x >= 24 && y == 4
    });
}

#[test]
fn twenty_points_beside_a_whole_hand_are_as_many_as_binomials_say() {
    let north = cards("SAKQJT98765432");
    let text = "predeal north SAKQJT98765432 hcp(west) >= 20";
    let cells = Cells::new(&condition(text)).unwrap();
    let honours: Vec<Card> = Hand::HONOURS.without(north).cards().collect();
    let mut ways = 0;
    for held in 0..1u32 << honours.len() {
        let held = honours
            .iter()
            .enumerate()
            .filter(|(i, _)| held >> i & 1 == 1);
        let hand: Hand = held.map(|(_, card)| *card).collect();
        if hand.hcp() >= 20 {
            ways += choose(27, 13 - hand.len() as usize);
        }
    }
    assert_eq!(cells.total(), ways);
    assert_eq!(u128::from(cells.completions()), choose(26, 13));
    assert_eq!(cells.seats(), [Seat::West]);
}

#[test]
fn predealt_cards_alone_fix_the_pattern_of_the_hand_that_has_most_of_them() {
    let dealt = |text: &str| {
        let cells = Cells::new(&condition(text)).unwrap();
        let all = Seat::ALL.map(|seat| 13 - cells.predeal().hand(seat).len() as usize);
        assert_eq!(cells.chance(), (ways_to_deal(all), ways_to_deal(all)));
        (cells.seats().to_vec(), cells.total(), cells.completions())
    };
    let ways = |n, k| choose(n, k) as u64;
    assert_eq!(
        dealt("predeal east SA, SK south H2"),
        (
            vec![Seat::East],
            choose(49, 11),
            ways(38, 13) * ways(25, 12)
        )
    );
    assert_eq!(
        dealt("predeal west S2 south H2, H3 north D2, D3\ncondition 1"),
        (
            vec![Seat::North],
            choose(47, 11),
            ways(36, 13) * ways(23, 11)
        )
    );
    assert_eq!(
        dealt("predeal west SAKQJT98765432 condition 2 > 1"),
        (vec![Seat::West], 1, ways(39, 13) * ways(26, 13))
    );
    let never = condition("predeal west SA condition 0");
    assert_eq!(Cells::new(&never).unwrap_err(), CellsError::NoDeal);
}

#[test]
fn predealt_cards_are_not_listed() {
    let condition = condition(WRITTEN[0]);
    assert_eq!(Plan::new(&condition, None).unwrap_err(), PlanError::Predeal);
    let refused = Listing::new(&condition, None).unwrap_err();
    assert_eq!(refused, ListingError::Plan(PlanError::Predeal));
    for order in [None, Some(&[Seat::West][..])] {
        assert!(cases::divide(&condition, order, 1 << 20).is_err());
    }
}

#[test]
fn hands_that_cannot_be_dealt_do_not_fail_a_condition() {
    // West has a spade, and east's hearts are not all of them.
    let text = "predeal west SA, H2 12 / spades(west) > 3 && 6 / (13 - hearts(east)) >= 1";
    assert!(Cells::new(&condition(text)).is_ok());
    // Points that a hand without the ace cannot have.
    assert!(Cells::new(&condition("predeal west SA 5 / hcp(west) >= 1")).is_ok());
    let failing = Cells::new(&condition("predeal west SA 5 / hcp(east) >= 1"));
    assert!(matches!(failing, Err(CellsError::Arithmetic(_))));
}

#[test]
fn theory_follows_predealt_cards() {
    let cells = Cells::new(&condition(WRITTEN[3])).unwrap();
    let theory = Theory::of_cells(&cells).unwrap();
    for seat in Seat::ALL {
        for card in cells.predeal().hand(seat).cards() {
            let holder = theory.card(card).probability(seat.index());
            assert_eq!(holder.reduced(), Ratio { ways: 1, of: 1 }, "{card}");
        }
    }
}

#[test]
fn a_file_around_predealt_cards_is_refused() {
    let folder = folder();
    let (path, _) = case_file(
        folder.path(),
        &condition("hcp(west) >= 30 // predeal"),
        None,
    );
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(2).position(|two| two == b"//").unwrap();
    bytes[at..at + 2].copy_from_slice(b"  ");
    let reseal = |mut bytes: Vec<u8>| {
        bytes[128..160].fill(0);
        let hash = *blake3::hash(&bytes[..4096]).as_bytes();
        bytes[128..160].copy_from_slice(&hash);
        std::fs::write(&path, bytes).unwrap();
        cases::open(&path)
    };
    let refused = reseal(bytes.clone()).unwrap_err().to_string();
    assert!(
        refused.contains("its condition predeals cards"),
        "{refused}"
    );
    // Without the word a text need not be read, to deal from the file.
    let at = bytes.windows(2).position(|two| two == b"pr").unwrap();
    bytes[at..at + 2].copy_from_slice(b"??");
    assert!(reseal(bytes).is_ok());
}

#[test]
fn the_first_deals_of_seed_0_never_change() {
    // Fixed for ever: a change here needs a heading in CHANGELOG.md and another version of the streams.
    let population = population(&condition(WRITTEN[1]));
    let dealer: Dealer<'_, CaseBytes> = Dealer::new(&population).unwrap();
    let deals = dealer.in_random_order(&Aes128Ctr::new(0), 0..1_000);
    let first: Vec<String> = deals.unwrap().iter().take(2).map(Deal::to_string).collect();
    assert_eq!(first, SEED_0);
}

const SEED_0: [&str; 2] = [
    "N:AK742.T82.AJT6.9 T863.96.Q975.873 Q5.AJ5.432.QJT65 J9.KQ743.K8.AK42",
    "N:AKQ83.42.K864.T8 T965.KQ.Q52.J752 J74.AJT98.JT7.43 2.7653.A93.AKQ96",
];
