//! Cost of each stage: random words, deals, counting, finding a case, listing.
//!
//! `cargo bench -p lab` prints medians. Machines differ and are noisy: compare the stages of one run, not
//! different runs.

use std::hint::black_box;
use std::path::PathBuf;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use fairdeal::draw::{
    Aes128Ctr, Block, CHUNK, DealScratch, Dealer, Generator, Isa, PACKET, Packet, Portion,
    RandomStream, SeededGenerator, StreamId, StreamPurpose, below,
};
use fairdeal::language::{Condition, Scenario};
use fairdeal::population::cases::{self, CaseBytes, CaseFile, Listing, census};
use fairdeal::population::cells::Cells;
use fairdeal::run;
use fairdeal::tally::{GramTallying, OverlapTallying, TableChoice, Tallying};
use fairdeal::theory::{Theory, null_laws};
use rayon::prelude::*;

fn condition(name: &str) -> Condition {
    Scenario::named(name).expect("a built-in name").condition()
}

fn case_file(name: &str) -> CaseFile<CaseBytes> {
    let condition = condition(name);
    let listing = Listing::new(&condition, None).expect("a listing");
    let census = census(&condition, &listing).expect("some cases");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-{name}.cases"));
    cases::write(&condition, &listing, census, &path, &|_| ()).expect("room on the disk");
    cases::open(&path).expect("a whole file")
}

fn cells(name: &str) -> Cells {
    Cells::new(&condition(name)).expect("some cells")
}

fn words(c: &mut Criterion) {
    let mut group = c.benchmark_group("words");
    group.throughput(Throughput::Elements(CHUNK as u64));
    let id = StreamId::new(0, StreamPurpose::Plain, 0);
    for kind in SeededGenerator::ALL {
        let generator = kind.with_seed(1);
        let mut words = generator.words(id);
        let mut chunk = [0; CHUNK];
        group.bench_function(kind.name(), |b| {
            b.iter(|| words.fill(black_box(&mut chunk)));
        });
    }
    let plain = Aes128Ctr::with_isa(1, Isa::PORTABLE);
    let mut words = plain.words(id);
    let mut chunk = [0; CHUNK];
    group.bench_function("aes128ctr by the crate", |b| {
        b.iter(|| words.fill(black_box(&mut chunk)));
    });
    group.finish();
}

/// Returns a block, or the same number of draws from the middle of a large batch.
fn portion(dealer: &Dealer<'_, CaseBytes>, generator: &dyn Generator) -> Portion {
    let portions = dealer
        .portions(generator, 0..1 << 24)
        .expect("seeded words never end");
    portions[portions.len() / 2]
}

fn deals(c: &mut Criterion) {
    let generator = Aes128Ctr::new(1);
    let mut group = c.benchmark_group("deals");
    let mut bench = |name: &str, dealer: Dealer<'_, CaseBytes>| {
        let mut scratch = DealScratch::default();
        let portion = portion(&dealer, &generator);
        group.throughput(Throughput::Elements(portion.deals()));
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut sink = |packet: &Packet| _ = black_box(packet);
                dealer.deal(&generator, &portion, &mut scratch, &mut sink)
            });
        });
    };
    for &isa in Isa::available() {
        bench(
            &format!("unconstrained, {isa}"),
            Dealer::unconstrained().with_isa(isa),
        );
    }
    for name in [
        "nine-spades",
        "club-length",
        "flannery-misfit",
        "flat-three-suiter",
    ] {
        let file = case_file(name);
        bench(name, Dealer::of_cases(&file).expect("cases"));
    }
    for name in [
        "nine-spades",
        "club-length",
        "flannery-misfit",
        "flat-three-suiter",
    ] {
        let cells = cells(name);
        let dealer = Dealer::of_cells(&cells).expect("lists");
        bench(&format!("{name} from cells"), dealer);
    }
    group.finish();
}

fn counting(c: &mut Criterion) {
    let generator = Aes128Ctr::new(1);
    let dealer = Dealer::<CaseBytes>::unconstrained();
    let mut packets: Vec<Packet> = Vec::new();
    let mut keep = |packet: &Packet| packets.push(packet.clone());
    let portion = Portion::Block(Block {
        first_deal: 0,
        deals: 64 * PACKET as u64,
    });
    let dealt = dealer.deal(&generator, &portion, &mut DealScratch::default(), &mut keep);
    dealt.expect("seeded words never end");
    let mut group = c.benchmark_group("counting");
    group.throughput(Throughput::Elements(portion.deals()));
    let some = TableChoice {
        fits: true,
        cards: false,
    };
    for (name, tables) in [
        ("every table", TableChoice::ALL),
        ("all but the cards", some),
    ] {
        for &isa in Isa::available() {
            let mut tallying = Tallying::new(tables, isa);
            group.bench_function(format!("{name}, {isa}"), |b| {
                b.iter(|| packets.iter().for_each(|packet| tallying.count(packet)));
            });
        }
    }
    group.bench_function("naive shuffle and every table", |b| {
        let mut rng = rand::rng();
        b.iter(|| run::shuffle(portion.deals(), TableChoice::ALL, &mut rng));
    });
    group.finish();
}

/// Second-order sums and overlaps, over a whole block.
fn correlating(c: &mut Criterion) {
    let generator = Aes128Ctr::new(1);
    let dealer = Dealer::<CaseBytes>::unconstrained();
    let mut packets: Vec<Packet> = Vec::new();
    let mut keep = |packet: &Packet| packets.push(packet.clone());
    let portion = portion(&dealer, &generator);
    let dealt = dealer.deal(&generator, &portion, &mut DealScratch::default(), &mut keep);
    dealt.expect("seeded words never end");
    let mut group = c.benchmark_group("correlating");
    group.sample_size(20);
    group.throughput(Throughput::Elements(portion.deals()));
    let choices: [(&str, &[usize], bool); 4] = [
        ("products within deals", &[], true),
        ("products over one lag", &[1], false),
        ("products over four lags", &[1, 2, 3, 4], false),
        ("products within deals and over one lag", &[1], true),
    ];
    for &isa in Isa::available() {
        for (name, lags, within) in choices {
            let mut tallying = GramTallying::new(isa, lags, within);
            group.bench_function(format!("{name}, {isa}"), |b| {
                b.iter(|| {
                    packets
                        .iter()
                        .for_each(|packet| tallying.count(packet, packet.deals()));
                    tallying.end_block();
                });
            });
        }
        let mut tallying = OverlapTallying::new(isa);
        group.bench_function(format!("overlaps of seven lags, {isa}"), |b| {
            b.iter(|| {
                packets.iter().for_each(|packet| tallying.count(packet));
                tallying.end_block();
            });
        });
    }
    group.finish();
}

/// Finding cases one by one, as for a given number.
fn finding(c: &mut Criterion) {
    let generator = Aes128Ctr::new(1);
    let mut group = c.benchmark_group("finding");
    for name in ["flannery-misfit", "flat-three-suiter"] {
        let file = case_file(name);
        let mut stream = RandomStream::new(&generator, StreamId::new(0, StreamPurpose::Plain, 0));
        group.throughput(Throughput::Elements(1));
        group.bench_function(format!("one case of {name}"), |b| {
            b.iter(|| {
                let number = below(&mut stream, file.total()).expect("seeded words never end");
                file.locate(number)
            });
        });
    }
    group.finish();
}

fn listing(c: &mut Criterion) {
    let mut group = c.benchmark_group("listing");
    group.sample_size(10);
    for name in ["flannery-misfit", "flat-three-suiter"] {
        let scenario = Scenario::named(name).expect("a built-in name");
        let condition = scenario.condition();
        let listing = Listing::new(&condition, None).expect("a listing");
        group.throughput(Throughput::Elements(scenario.cases.unwrap_or(0)));
        group.bench_function(format!("census of {name}"), |b| {
            b.iter(|| census(&condition, &listing));
        });
        group.bench_function(format!("cells of {name}"), |b| b.iter(|| cells(name)));
        let cells = cells(name);
        group.bench_function(format!("lists of cells of {name}"), |b| {
            b.iter(|| Dealer::<CaseBytes>::of_cells(&cells).is_ok());
        });
        if name == "flannery-misfit" {
            group.bench_function(format!("writing {name}"), |b| b.iter(|| case_file(name)));
        }
    }
    group.finish();
}

/// The theory of the largest scenario, compared with one warm pass over its map.
fn theory(c: &mut Criterion) {
    let file = case_file("flat-three-suiter");
    let pass = |file: &CaseFile<CaseBytes>| -> u128 {
        let stretches = file.records().par_chunks(1 << 16);
        stretches
            .map(|records| records.iter().fold(0, |sum, r| sum ^ r.total()))
            .sum()
    };
    let mut group = c.benchmark_group("theory");
    group.sample_size(10);
    group.throughput(Throughput::Bytes(file.bytes().len() as u64));
    group.bench_function("one pass over flat-three-suiter", |b| {
        b.iter(|| pass(&file));
    });
    group.bench_function("theory of flat-three-suiter", |b| {
        b.iter(|| Theory::of_cases(&file));
    });
    group.bench_function("theory of every deal", |b| b.iter(Theory::unconstrained));
    group.bench_function("null laws", |b| b.iter(null_laws));
    group.finish();
}

criterion_group!(
    stages,
    words,
    deals,
    counting,
    correlating,
    finding,
    listing,
    theory
);
criterion_main!(stages);
