//! Cost of converting one deal to a number, and one number to a deal, by every scheme.
//!
//! `cargo bench -p lab --bench numbers` prints medians for 1,000 conversions. The first is the loop of
//! Pavlicek's essay as published, with 128-bit divisions: compare results of one run only.

use std::hint::black_box;
use std::path::PathBuf;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use fairdeal::bridge::combinatorics::DEALS;
use fairdeal::bridge::{Deal, Ending};
use fairdeal::draw::{Aes128Ctr, RandomStream, StreamId, StreamPurpose, below};
use fairdeal::language::Scenario;
use fairdeal::number::cases::CaseNumbering;
use fairdeal::number::{
    andrews, base5, bigdeal, ending, ending_any, pavlicek, pavlicek_suits, zbs,
};
use fairdeal::population::cases::{self, Listing, census};

const COUNT: usize = 1_000;

/// Lines 1 to 6 of the essay: the owner of each card.
fn plain_loop(mut number: u128) -> [u8; 52] {
    let mut left = [13u128; 4];
    let mut space = DEALS;
    let mut owners = [0; 52];
    for (owner, cards) in owners.iter_mut().zip((1..=52).rev()) {
        for (seat, left) in (0..).zip(&mut left) {
            let part = space * *left / cards;
            if number < part {
                (*owner, space) = (seat, part);
                *left -= 1;
                break;
            }
            number -= part;
        }
    }
    owners
}

fn schemes(c: &mut Criterion) {
    let generator = Aes128Ctr::new(1);
    let mut stream = RandomStream::new(&generator, StreamId::new(0, StreamPurpose::Plain, 0));
    let mut random = |count| -> Vec<u128> {
        let number = |_| below(&mut stream, count).expect("seeded words never end");
        (0..COUNT).map(number).collect()
    };
    let mut group = c.benchmark_group("numbers");
    group.throughput(Throughput::Elements(COUNT as u64));
    let numbers = random(DEALS);
    group.bench_function("the plain loop of pavlicek, decode", |b| {
        b.iter(|| {
            for &number in &numbers {
                black_box(plain_loop(black_box(number)));
            }
        });
    });
    macro_rules! bench {
        ($name:expr, $decode:expr, $encode:expr, $numbers:expr) => {
            let decoded: Vec<_> = $numbers.iter().map(|&number| $decode(number)).collect();
            let back = decoded.iter().map(|one| $encode(one));
            assert!(back.zip(&$numbers).all(|(back, &number)| back == number));
            group.bench_function(concat!($name, ", decode"), |b| {
                b.iter(|| {
                    for &number in &$numbers {
                        black_box($decode(black_box(number)));
                    }
                });
            });
            group.bench_function(concat!($name, ", encode"), |b| {
                b.iter(|| {
                    for one in &decoded {
                        black_box($encode(black_box(one)));
                    }
                });
            });
        };
    }
    let below = "it is below the count";
    macro_rules! deals {
        ($name:expr, $scheme:ident) => {
            let decode = |number| $scheme::decode(number).expect(below);
            bench!($name, decode, $scheme::encode, numbers);
        };
    }
    deals!("pavlicek", pavlicek);
    deals!("pavlicek-suits", pavlicek_suits);
    deals!("andrews", andrews);
    deals!("bigdeal", bigdeal);
    let numbers = random(ending::COUNT);
    let encode = |one: &Ending| ending::encode(one).expect("it has a number");
    bench!(
        "ending",
        |i| ending::decode(i).expect(below),
        encode,
        numbers
    );
    let numbers = random(ending_any::COUNT);
    let encode = |one: &Ending| ending_any::encode(one).expect("it has a number");
    bench!(
        "ending-any",
        |i| ending_any::decode(i).expect(below),
        encode,
        numbers
    );
    let numbers = random(base5::COUNT);
    bench!(
        "base5",
        |i| base5::decode(i).expect(below),
        base5::encode,
        numbers
    );
    let words: Vec<[u32; 4]> = numbers
        .iter()
        .map(|&number| zbs::encode(&base5::decode(number).expect(below)))
        .collect();
    bench!(
        "zbs",
        |words| zbs::decode(words).expect("they are words"),
        zbs::encode,
        words
    );

    let condition = Scenario::named("flannery-misfit")
        .expect("a built-in name")
        .condition();
    let listing = Listing::new(&condition, None).expect("a listing");
    let census = census(&condition, &listing).expect("some cases");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("numbers.cases");
    cases::write(&condition, &listing, census, &path, &|_| ()).expect("room on the disk");
    let file = cases::open(&path).expect("a whole file");
    let numbering = CaseNumbering::new(&file);
    let numbers = random(numbering.count());
    let encode = |one: &Deal| numbering.encode(one).expect("it is one of them");
    let decode = |number| numbering.decode(number).expect(below);
    bench!("cases of flannery-misfit", decode, encode, numbers);
    group.finish();
}

criterion_group!(numbers, schemes);
criterion_main!(numbers);
