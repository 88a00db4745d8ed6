//! Cost of a condition per deal, by columns and by its tree.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use fairdeal::draw::{Aes128Ctr, Block, DealScratch, Dealer, Isa, PACKET, Packet, Portion};
use fairdeal::filter::{self, CompiledValues, Filter};
use fairdeal::language::{Condition, Expression};
use fairdeal::population::cases::CaseBytes;

const CONDITIONS: [(&str, &str); 5] = [
    ("one comparison", "hcp(north) >= 15"),
    (
        "a notrump opening",
        "hcp(south) >= 15 && hcp(south) <= 17 && shape(south, any 4333 + any 4432 + any 5332)",
    ),
    // Every term is evaluated for every deal.
    (
        "ten comparisons, all asked",
        "hcp(north) < 38 + aces(south) && hcp(south) < 38 + aces(north) && spades(north) < 14 + hearts(north) \
         && aces(north) * 5 > aces(south) - 5 && hearts(south) <= 13 + spades(south) \
         && (shape(north, any 4333 + any 4432 + any 5332 + 5xxx) || hcp(north) > 5 || spades(north) < 9) \
         && (shape(south, any 4441) || clubs(south) < 9 + aces(south)) \
         && hcp(north) + hcp(south) < 60 - aces(north)",
    ),
    (
        "ten comparisons",
        "hcp(north) >= 12 && hcp(north) <= 16 && spades(north) >= 5 && hearts(north) <= 4 \
         && hcp(south) >= 6 && hcp(south) <= 10 && spades(south) >= 3 && aces(north) >= 2 \
         && aces(south) <= 1 && shape(north, any 5332 + any 5431 + any 5422)",
    ),
    (
        "losers and divisions",
        "losers(north) + losers(south) <= 15 && (aces(west) == 0 || hcp(west) / aces(west) > 5)",
    ),
];

fn expression(text: &str) -> Expression {
    let condition = Condition::parse("bench", text).expect("a condition");
    condition.expression().clone()
}

fn packets() -> Vec<Packet> {
    let mut packets = Vec::new();
    let mut keep = |packet: &Packet| packets.push(packet.clone());
    let portion = Portion::Block(Block {
        first_deal: 0,
        deals: 64 * PACKET as u64,
    });
    let dealer = Dealer::<CaseBytes>::unconstrained();
    let dealt = dealer.deal(
        &Aes128Ctr::new(1),
        &portion,
        &mut DealScratch::default(),
        &mut keep,
    );
    dealt.expect("seeded words never end");
    packets
}

fn filters(c: &mut Criterion) {
    let packets = packets();
    let mut scratch = filter::FilterScratch::default();
    let mut group = c.benchmark_group("filter");
    group.throughput(Throughput::Elements((packets.len() * PACKET) as u64));
    for (name, text) in CONDITIONS {
        let expression = expression(text);
        let filter = Filter::new(std::slice::from_ref(&expression));
        for &isa in Isa::available() {
            group.bench_function(format!("{name}, {isa}"), |b| {
                b.iter(|| {
                    for packet in &packets {
                        black_box(filter.accept(isa, packet, &mut scratch)).expect("no error");
                    }
                });
            });
        }
        let few = &packets[..4];
        group.throughput(Throughput::Elements((few.len() * PACKET) as u64));
        group.bench_function(format!("{name}, by the tree"), |b| {
            b.iter(|| {
                for packet in few {
                    for i in 0..packet.deals() {
                        black_box(expression.holds(&packet.deal(i))).expect("no error");
                    }
                }
            });
        });
        group.throughput(Throughput::Elements((packets.len() * PACKET) as u64));
    }
    group.finish();
}

fn values(c: &mut Criterion) {
    let packets = packets();
    let mut scratch = filter::FilterScratch::default();
    let mut group = c.benchmark_group("values");
    group.throughput(Throughput::Elements((packets.len() * PACKET) as u64));
    for (name, texts) in [
        (
            "two averages",
            &["hcp(north)", "spades(south) + hcp(south)"][..],
        ),
        ("an evaluation", &["cccc(north)"]),
        (
            "imps",
            &["imps(score(vul, x4S, spades(north) + spades(south)) - score(vul, x3N, 9))"],
        ),
    ] {
        let all: Vec<Expression> = texts.iter().map(|text| expression(text)).collect();
        let values = CompiledValues::new(&all);
        for &isa in Isa::available() {
            group.bench_function(format!("{name}, {isa}"), |b| {
                b.iter(|| {
                    for packet in &packets {
                        black_box(values.columns(isa, packet, &mut scratch)).expect("no error");
                    }
                });
            });
        }
    }
    for (name, places) in [
        (
            "moving one deal in two",
            0x5555_5555_5555_5555_5555_5555_5555_5555,
        ),
        (
            "moving one deal in sixteen",
            0x1001_0100_0010_0001_1000_0001_0010_0100,
        ),
    ] {
        let mut full = Packet::default();
        group.bench_function(name, |b| {
            b.iter(|| {
                for packet in &packets {
                    let left = full.append(packet, black_box(places));
                    if full.deals() == PACKET {
                        full = Packet::default();
                        full.append(packet, left);
                    }
                }
            });
        });
    }
    group.finish();
}

criterion_group!(filtering, filters, values);
criterion_main!(filtering);
