//! What each stage costs: random words, deals, counting, listing, finding a case.
//!
//! `cargo bench` prints medians. Machines differ and are noisy: compare stages
//! of one run, not runs.

use std::hint::black_box;
use std::path::PathBuf;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use fairdeal::cases::{self, CaseBytes, CaseFile, Listing, census};
use fairdeal::condition::{Condition, Scenario};
use fairdeal::draw::{Dealer, Generator, below};
use fairdeal::tally::Tallying;
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

fn words(c: &mut Criterion) {
    let generator = Generator::new(1);
    let mut group = c.benchmark_group("words");
    group.throughput(Throughput::Elements(1));
    let mut stream = generator.stream(0);
    group.bench_function("aes128ctr", |b| b.iter(|| stream.next_u64()));
    group.bench_function("below 1975438668829181472", |b| {
        b.iter(|| below(&mut stream, black_box(1_975_438_668_829_181_472)));
    });
    group.finish();
}

fn deals(c: &mut Criterion) {
    let generator = Generator::new(1);
    let mut group = c.benchmark_group("deals");
    group.throughput(Throughput::Elements(1));
    let mut bench = |name: &str, dealer: &Dealer<'_, CaseBytes>| {
        let mut stream = generator.stream(0);
        group.bench_function(name, |b| b.iter(|| dealer.deal(&mut stream)));
    };
    bench("unconstrained", &Dealer::Unconstrained);
    for name in ["nine-spades", "club-length", "flannery-misfit"] {
        bench(name, &Dealer::of_cases(&case_file(name)));
    }
    group.finish();
}

fn counting(c: &mut Criterion) {
    let generator = Generator::new(1);
    let mut stream = generator.stream(0);
    let deals: Vec<_> = (0..1024)
        .filter_map(|_| Dealer::<CaseBytes>::Unconstrained.deal(&mut stream).ok())
        .collect();
    let mut group = c.benchmark_group("counting");
    group.throughput(Throughput::Elements(deals.len() as u64));
    group.bench_function("every table", |b| {
        b.iter(|| {
            let mut tallying = Tallying::default();
            deals.iter().for_each(|deal| tallying.count(deal));
            tallying.finish()
        });
    });
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
        if name == "flannery-misfit" {
            group.bench_function(format!("writing {name}"), |b| b.iter(|| case_file(name)));
        }
    }
    group.finish();
}

/// The theory of the largest scenario beside one warm pass over its map.
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

criterion_group!(stages, words, deals, counting, listing, theory);
criterion_main!(stages);
