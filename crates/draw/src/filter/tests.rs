//! Comparison of columns with the tree, deal by deal.

use proptest::prelude::*;

use super::layout::ProgramUse;
use super::program::Program;
use super::*;
use crate::bridge::{Card, Hand, Rank, Seat, Strain, Suit, TrickTable};
use crate::kernels::Step;
use crate::language::{Condition, DealContext, Script, ScriptOptions};
use crate::language::{EvaluationError, Expression};
use crate::population::cases::CaseBytes;
use crate::{Aes128Ctr, Block, DealSource, Dealer, Portion, Seeded, WithDraws};
use crate::{DealsWithDraws, Isa, PACKET, Packet};

/// Returns `count` packets of random deals, with seeds for their draws.
fn packets(seed: u64, count: u64) -> Vec<Packet> {
    let mut packets = Vec::new();
    let portion = Portion::Block(Block {
        first_deal: 0,
        deals: count * PACKET as u64,
    });
    let dealer = Dealer::<CaseBytes>::unconstrained();
    let generator = Aes128Ctr::new(seed.into());
    let mut keep = |packet: &Packet| packets.push(packet.clone());
    let source = Seeded {
        dealer: &dealer,
        generator: &generator,
    };
    let source = WithDraws::new(&source, &generator, true);
    let dealt = source.deal(&portion, &mut Default::default(), &mut keep);
    dealt.unwrap();
    packets
}

fn expression(text: &str) -> Expression {
    let condition = Condition::parse("test", text);
    let condition = condition.unwrap_or_else(|error| panic!("{text}: {error}"));
    condition.expression().clone()
}

/// Returns the first deals of a packet.
fn shortened(packet: &Packet, deals: usize) -> Packet {
    let mut short = packet.clone();
    short.remove(!0 << deals);
    short
}

/// Returns the tree's value for each deal, up to the first error.
fn slowly<T>(
    packet: &Packet,
    say: impl Fn(&DealContext) -> Result<T, EvaluationError>,
) -> Result<Vec<T>, EvaluationError> {
    let deals = (0..packet.deals()).map(|i| packet.deal_with_draws(i));
    deals.map(|deal| say(&deal)).collect()
}

/// Compares filter and values on every path with the tree.
fn agree(expressions: &[Expression], packet: &Packet, scratch: &mut FilterScratch) {
    let expected_passes = slowly(packet, |deal| {
        expressions
            .iter()
            .try_fold(true, |holds, it| Ok(holds && it.holds(deal)?))
    });
    let expected_values = slowly(packet, |deal| {
        let values = expressions.iter().map(|it| it.value(deal));
        values.collect::<Result<Vec<i64>, _>>()
    });
    let (filter, values) = (Filter::new(expressions), CompiledValues::new(expressions));
    for &isa in Isa::available() {
        let accepted = filter.accept(isa, packet, scratch);
        let passes = accepted.map(|places| {
            assert!(packet.deals() == PACKET || places >> packet.deals() == 0);
            (0..packet.deals()).map(|i| places >> i & 1 == 1).collect()
        });
        assert_eq!(passes, expected_passes, "{isa}: {expressions:?}");
        if let Ok(accepted) = filter.accept(isa, packet, scratch) {
            assert_eq!(filter.accept_each(packet), accepted, "{expressions:?}");
        }
        let columns = values.columns(isa, packet, scratch).map(|columns| {
            let row = |i: usize| columns.iter().map(|column| column[i]).collect();
            (0..packet.deals()).map(row).collect()
        });
        assert_eq!(columns, expected_values, "{isa}: {expressions:?}");
    }
}

const SEATS: [&str; 4] = ["north", "east", "south", "west"];
const SUITS: [&str; 4] = ["spades", "hearts", "diamonds", "clubs"];

/// Generates a function of a hand.
fn measure() -> impl Strategy<Value = String> {
    let seat = || proptest::sample::select(&SEATS[..]);
    let suit = || proptest::sample::select(&SUITS[..]);
    let counts = [
        "hcp", "control", "tens", "jacks", "aces", "top3", "top5", "c13", "pt7", "losers", "ltc",
    ];
    let count = || proptest::sample::select(counts.to_vec());
    let shapes = [
        "any 4333 + any 4432 + any 5332",
        "5431",
        "any 7xxx - 7xxx",
        "xxxx",
        "54xx",
    ];
    let card = || (0..52usize).prop_map(|index| Card::all().nth(index));
    prop_oneof![
        3 => (suit(), seat()).prop_map(|(suit, seat)| format!("{suit}({seat})")),
        3 => (count(), seat()).prop_map(|(count, seat)| format!("{count}({seat})")),
        2 => (count(), seat(), suit()).prop_map(|(count, seat, suit)| format!("{count}({seat}, {suit})")),
        2 => (seat(), proptest::sample::select(shapes.to_vec()))
            .prop_map(|(seat, shape)| format!("shape({seat}, {shape})")),
        1 => (seat(), card()).prop_map(|(seat, card)| {
            let card = card.unwrap();
            format!("hascard({seat}, {}{})", card.suit().letter(), card.rank().letter())
        }),
        1 => seat().prop_map(|seat| format!("cccc({seat})")),
        1 => (1..200u32).prop_map(|sides| format!("rnd({sides})")),
        1 => (seat(), suit()).prop_map(|(seat, suit)| format!("quality({seat}, {suit})")),
    ]
}

/// Generates any expression, including some that fail or exceed 32 bits.
fn any_expression() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        12 => (0..15i32).prop_map(|number| number.to_string()),
        1 => Just("2147483647".to_owned()),
        1 => Just("70000".to_owned()),
    ];
    let leaf = prop_oneof![3 => measure(), 2 => number];
    leaf.prop_recursive(5, 40, 3, |part| {
        let operators = [
            "&&", "||", "&&", "||", "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=",
        ];
        let contracts = ["vul, x3N", "nv, x4S", "vul, x6C", "nv, x7N"];
        prop_oneof![
            8 => (part.clone(), proptest::sample::select(operators.to_vec()), part.clone())
                .prop_map(|(left, operator, right)| format!("({left} {operator} {right})")),
            1 => part.clone().prop_map(|operand| format!("(!{operand})")),
            1 => part.clone().prop_map(|operand| format!("(-{operand})")),
            1 => (part.clone(), part.clone(), part.clone())
                .prop_map(|(test, yes, no)| format!("({test} ? {yes} : {no})")),
            1 => part.clone().prop_map(|operand| format!("imps({operand})")),
            1 => (proptest::sample::select(contracts.to_vec()), part)
                .prop_map(|(contract, tricks)| format!("score({contract}, {tricks})")),
        ]
    })
}

/// Generates a statement before an expression: points as usual, negative, or very many.
fn counts() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        3 => Just(""),
        1 => Just("pointcount 4 3 2 1 0 -1 -1 -1 altcount 7 5 5 5 5 5 5 5\n"),
        1 => Just("pointcount 1000000 900 -900000 900 1\n"),
        1 => Just("pointcount 2000 900 -900 900 1 1 1 altcount 7 0\n"),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_expression_has_the_values_of_its_tree(
        counts in counts(),
        texts in proptest::collection::vec(any_expression(), 1..4),
        seed in 0..50u64,
        deals in prop_oneof![3 => Just(PACKET), 1 => 0..=PACKET],
    ) {
        let parsed = texts.iter().map(|text| {
            let condition = Condition::parse("test", &format!("{counts} condition {text}"));
            condition.map(|condition| condition.expression().clone())
        });
        let parsed: Result<Vec<Expression>, _> = parsed.collect();
        prop_assert!(parsed.is_ok(), "{:?}", parsed);
        let packet = &packets(seed, 1)[0];
        let packet = if deals < PACKET { shortened(packet, deals) } else { packet.clone() };
        agree(&parsed.unwrap(), &packet, &mut FilterScratch::default());
    }
}

/// Cases that are easy to get wrong.
const CORNERS: [&str; 26] = [
    "1",
    "0",
    "7 / 2 == 3 && -7 / 2 == -3 && -7 % 3 == -1 && 7 % -3 == 1",
    "hcp(west) > 0 && 10 / hcp(west) > 2",
    "aces(west) == 0 || 12 / aces(west) == 4",
    "aces(west) ? 12 % aces(west) : 7",
    "10 / aces(west)",
    "(10 / aces(west) > 3) || hcp(north) > 20",
    "hcp(north) > 12 && 1 / (aces(west) - aces(east)) >= 0",
    "hcp(north) < 0 && 1 / 0",
    "hcp(north) >= 0 || 1 / 0",
    "1 / 0",
    "(1 / aces(south) && 0) + (0 && 1 / aces(south))",
    "hcp(west) * 2147483647 * 2 > 2147483647 * hcp(east)",
    "2147483647 * 2147483647 * hcp(west) > 0",
    "(2147483647 + hcp(west)) / 3 % 7",
    "-2147483647 - hcp(west)",
    "hcp(west) - hcp(west) == 0 && hcp(west) <= hcp(west) && !(hcp(west) < hcp(west))",
    "!(hcp(west) < hcp(east)) && !(spades(west) == hearts(west)) && !(aces(west) != 2)",
    "!!(hcp(west) - 10)",
    "hcp(west) >= 12 && hcp(west) <= 14 && !(hcp(west) >= 13 && hcp(west) < 14)",
    "shape(south, any 4333 + any 4432 + any 5332) && hcp(south) > 14",
    "imps(score(vul, x4S, spades(north) + spades(south)) - score(vul, x3N, 9))",
    "imps(hcp(west) * 5000 - 70000) + score(nv, x3N, hcp(west) * 1000 - 15000)",
    "(cccc(north) > 1500 || quality(north, hearts) > 400) && losers(north, clubs) < 3",
    "shape(north, xxxx) && shape(north, xxxx - xxxx) == 0",
];

#[test]
fn corner_cases_have_the_values_of_their_trees() {
    let packets = packets(3, 20);
    let mut scratch = FilterScratch::default();
    for text in CORNERS {
        for packet in &packets {
            agree(&[expression(text)], packet, &mut scratch);
        }
    }
    for packet in &packets {
        let all = CORNERS.map(expression);
        agree(&all[3..7], packet, &mut scratch);
        agree(&all[18..], packet, &mut scratch);
        agree(&[], packet, &mut scratch);
    }
}

#[test]
fn every_card_and_every_length_is_measured() {
    let packet = &packets(5, 1)[0];
    for &suit in &Suit::ALL {
        for rank in Rank::all() {
            let (suit, rank) = (suit.letter(), rank.letter());
            let text = format!("hascard(south, {rank}{suit}) + 2 * hascard(west, {suit}{rank})");
            agree(&[expression(&text)], packet, &mut FilterScratch::default());
        }
    }
    let all = SEATS.map(|seat| {
        let each = SUITS.map(|suit| {
            format!("{suit}({seat}) + 20 * losers({seat}, {suit}) + 100 * hcp({seat}, {suit})")
        });
        expression(&each.join(" * 3 - "))
    });
    agree(&all, packet, &mut FilterScratch::default());
}

#[test]
fn a_deal_is_only_asked_what_the_tree_would_ask() {
    // The second conjunct fails for hands without aces, which the first rejects.
    let guarded = ["aces(west)", "12 / aces(west) > 3"].map(expression);
    let filter = Filter::new(&guarded);
    let turned = Filter::new(&[guarded[1].clone(), guarded[0].clone()]);
    let packet = &packets(1, 1)[0];
    let mut scratch = FilterScratch::default();
    for &isa in Isa::available() {
        let accepted = filter.accept(isa, packet, &mut scratch).unwrap();
        assert!(accepted.count_ones() > 50);
        let error = turned.accept(isa, packet, &mut scratch).unwrap_err();
        assert_eq!(error.to_string(), "division by zero for some hands");
    }
}

#[test]
fn what_is_said_twice_is_computed_once() {
    let makes = |texts: &[&str]| {
        let all: Vec<Expression> = texts.iter().map(|text| expression(text)).collect();
        let steps = Program::new(&all, ProgramUse::Give).steps;
        let made = steps.list.iter();
        let made = made.filter(|step| matches!(step, Step::Make { .. }));
        (made.count(), steps.words, steps.values)
    };
    // Hands, points by suit, points, comparison.
    assert_eq!(makes(&["hcp(west) >= 12"]), (4, 1, 1));
    assert_eq!(makes(&["12 <= hcp(west)", "hcp(west) > 11"]), (4, 1, 1));
    assert_eq!(
        makes(&["!(hcp(west) < 12)", "hcp(west) >= 3 * 4"]),
        (4, 1, 1)
    );
    assert_eq!(makes(&["hcp(west) >= 12 && hcp(west) <= 14"]), (4, 1, 1));
    assert_eq!(makes(&["hcp(west) >= 0 || aces(east) == 3"]), (1, 0, 1));
    assert_eq!(makes(&["spades(west) * spades(west)"]), (4, 1, 1));
    let many = "spades(west) + hearts(west) + clubs(west) + hcp(west) + aces(west) + losers(west)";
    let (_, words, values) = makes(&[many]);
    assert!(words <= 3 && values <= 2, "{words} {values}");
}

#[test]
fn draws_go_with_their_deals() {
    let packets = packets(9, 2);
    let text = "hcp(north) > 9 && rnd(100) < 50 && (rnd(3) || spades(west) > 4)";
    agree(
        &[expression(text)],
        &packets[0],
        &mut FilterScratch::default(),
    );
    let draws = |packet: &Packet| -> Vec<DealContext> {
        (0..packet.deals())
            .map(|i| packet.deal_with_draws(i))
            .collect()
    };
    let (first, second) = (draws(&packets[0]), draws(&packets[1]));
    let mut moved = Packet::default();
    moved.append(&packets[0], 0b1011 << 100);
    moved.append(&packets[1], 0b11);
    let expected = [first[100], first[101], first[103], second[0], second[1]];
    assert_eq!(draws(&moved), expected);
    moved.remove(0b10010);
    assert_eq!(draws(&moved), [first[100], first[103], second[0]]);
    // The draws differ from those of the cards, and differ from deal to deal.
    let all: std::collections::BTreeSet<_> = first
        .iter()
        .chain(&second)
        .map(|deal| deal.draws.seed())
        .collect();
    assert_eq!(all.len(), 2 * PACKET);
    let of_cards = first
        .iter()
        .filter(|it| it.draws == crate::language::Draws::of_cards(&it.deal));
    assert_eq!(of_cards.count(), 0);
}

/// A script's expression for deals with tables.
fn of_tables(text: &str) -> Expression {
    let options = ScriptOptions {
        has_tables: true,
        ..ScriptOptions::default()
    };
    let script = Script::parse_with("test", text, &options);
    let script = script.unwrap_or_else(|error| panic!("{text}: {error}"));
    script.condition.expression().clone()
}

#[test]
fn tricks_are_those_of_the_tree_and_move_with_their_deals() {
    let mut packets = packets(5, 2);
    for (number, packet) in packets.iter_mut().enumerate() {
        packet.tricks = (0..PACKET)
            .map(|i| {
                let tricks = |seat: Seat, strain: Strain| {
                    (31 * number + 7 * i + 3 * seat.index() + strain.index()) % 14
                };
                TrickTable::new(|seat, strain| tricks(seat, strain) as u8).unwrap()
            })
            .collect();
    }
    let texts = [
        "tricks(north, spades) >= 10",
        "tricks(south, notrumps) - tricks(west, nt) > 3 && hcp(north) > 8",
        "tricks(east, clubs) * spades(east) == 12 || tricks(north, heart) < 4",
        "score(vul, x3N, tricks(north, notrump)) > 0",
        "12 / tricks(west, diamonds) == 1",
    ];
    let expressions = texts.map(of_tables);
    let scratch = &mut FilterScratch::default();
    for packet in &packets {
        agree(&expressions[..4], packet, scratch);
        agree(&expressions[2..], packet, scratch);
        agree(&expressions[..2], &shortened(packet, 77), scratch);
    }
    let mut moved = Packet::default();
    moved.append(&packets[0], 0b1011 << 100);
    moved.append(&packets[1], 0b11);
    let expected = [100, 101, 103].map(|i| packets[0].tricks[i]);
    assert_eq!(moved.tricks[..3], expected);
    assert_eq!(moved.tricks[3..], packets[1].tricks[..2]);
    moved.remove(0b10010);
    assert_eq!(moved.tricks[..2], [expected[0], expected[2]]);
    assert_eq!(moved.deal_with_draws(1).tricks, Some(expected[2]));
    agree(&expressions[..4], &moved, scratch);
}

#[test]
fn deals_are_moved_in_their_order_until_a_packet_is_full() {
    let packets = packets(9, 3);
    let mut full = Packet::default();
    assert_eq!(full.append(&packets[0], 0), 0);
    assert_eq!(full.append(&packets[0], 0b1011 << 100), 0);
    assert_eq!(full.append(&packets[1], u128::MAX >> 27), 0);
    assert_eq!(full.deals(), 104);
    assert_eq!(full.append(&packets[2], u128::MAX), u128::MAX << 24);
    let expected = [100, 101, 103].map(|i| packets[0].deal(i)).into_iter();
    let expected = expected.chain((0..101).map(|i| packets[1].deal(i)));
    let expected = expected.chain((0..24).map(|i| packets[2].deal(i)));
    assert!(expected.eq((0..PACKET).map(|i| full.deal(i))));
    assert_eq!(full.append(&packets[2], 1), 1);
    let hands = full.deal(0).hands().map(Hand::bits);
    assert_eq!(hands.iter().sum::<u64>(), Hand::DECK.bits());
}

#[test]
fn a_deep_tree_is_compiled() {
    let sum = vec!["hcp(west)"; 900].join(" + ");
    let brackets = format!("{}spades(north){}", "!".repeat(60), " + 1".repeat(850));
    let packet = &packets(2, 1)[0];
    agree(
        &[expression(&sum), expression(&brackets)],
        packet,
        &mut FilterScratch::default(),
    );
}

#[test]
fn a_deal_without_a_result_is_not_accepted() {
    let filter = Filter::new(&[expression("12 / spades(north) >= 4")]);
    let packet = &packets(7, 1)[0];
    let scratch = &mut FilterScratch::default();
    assert!(filter.accept(Isa::chosen(), packet, scratch).is_err());
    let accepted = filter.accept_each(packet);
    for i in 0..PACKET {
        let spades = packet.deal(i).hand(crate::bridge::Seat::North).cards();
        let spades = spades.filter(|card| card.suit() == Suit::Spades).count();
        assert_eq!(accepted >> i & 1 == 1, (1..=3).contains(&spades));
    }
}
