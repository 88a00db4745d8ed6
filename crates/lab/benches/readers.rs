//! Speed of reading files of deals from memory, on all threads of rayon.
//!
//! `cargo bench -p lab --bench readers` prints bytes per second for PBN as BigDeal writes it, for the same
//! with Windows line ends and compressed, and for deal strings and numbers, one per line. The deals
//! are checked before anything is timed.

use std::io::{Cursor, Write};
use std::ops::ControlFlow;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use fairdeal::bridge::Deal;
use fairdeal::bridge::combinatorics::DEALS;
use fairdeal::draw::{Aes128Ctr, RandomStream, StreamId, StreamPurpose, below};
use fairdeal::formats::read::{EntryKind, Input, read};
use fairdeal::formats::{Board, Format, Writer};
use fairdeal::number::pavlicek;

const BOARDS: u64 = 400_000;

fn deals() -> Vec<Deal> {
    let generator = Aes128Ctr::new(1);
    let mut stream = RandomStream::new(&generator, StreamId::new(0, StreamPurpose::Plain, 0));
    let mut number = || below(&mut stream, DEALS).expect("seeded words never end");
    (0..BOARDS)
        .map(|_| pavlicek::decode(number()).expect("it is below the count"))
        .collect()
}

fn written(format: Format, deals: &[Deal]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out, format, BOARDS, "bench").expect("room for all");
    for (number, deal) in (1..).zip(deals) {
        let board = Board::new(number, *deal);
        writer.write(&board).expect("memory takes all");
    }
    writer.finish().expect("memory takes all");
    out
}

/// Reads a file in memory and passes each deal to `sink`.
fn each_deal(file: &'static [u8], format: Format, sink: &mut dyn FnMut(Deal)) {
    let inputs = Input::of_reader("bench", Cursor::new(file)).expect("it is in memory");
    for input in inputs {
        let mut found = |found: fairdeal::formats::read::InputEntry<'_>| {
            match found.what {
                EntryKind::Deal(deal) => sink(deal),
                other => panic!("line {}: {other:?}", found.line),
            }
            ControlFlow::Continue(())
        };
        let mut watch = |_| ControlFlow::Continue(());
        read(input, Some(format), &mut found, &mut watch).expect("it is all right");
    }
}

fn readers(c: &mut Criterion) {
    let deals = deals();
    let pbn = written(Format::Pbn, &deals);
    let windows = String::from_utf8_lossy(&pbn)
        .replace('\n', "\r\n")
        .into_bytes();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&pbn).expect("memory takes all");
    let gzip = gzip.finish().expect("memory takes all");
    let plain = pbn.len();
    let line = written(Format::Line, &deals);
    let number = written(Format::Number(fairdeal::number::Scheme::Pavlicek), &deals);
    let by_number = Format::named("number").expect("a name of a format");
    let mut group = c.benchmark_group("readers");
    group.sample_size(10);
    for (name, file, format, bytes) in [
        ("pbn", pbn, Format::Pbn, plain),
        ("pbn, CR LF", windows.clone(), Format::Pbn, windows.len()),
        ("pbn, gzip", gzip, Format::Pbn, plain),
        ("line", line.clone(), Format::Line, line.len()),
        ("pavlicek", number.clone(), by_number, number.len()),
    ] {
        let file: &'static [u8] = Vec::leak(file);
        let mut expected = deals.iter();
        each_deal(file, format, &mut |deal| {
            assert_eq!(Some(&deal), expected.next());
        });
        assert_eq!(expected.next(), None, "{name}: all are read");
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut count = 0;
                each_deal(file, format, &mut |_| count += 1);
                assert_eq!(count, BOARDS);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, readers);
criterion_main!(benches);
