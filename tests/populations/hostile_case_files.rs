//! Malicious case files: wrong in any way, with valid checksums.
//!
//! Every operation on them ends, either with an error or with results that are wrong like the file;
//! nothing panics.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::common::{Aligned, KINDS, Numbers, case_file, condition, folder, parts_of, reseal};
use fairdeal::battery::{Battery, Expected};
use fairdeal::bridge::{Deal, Seat};
use fairdeal::draw::{
    Aes128Ctr, DealScratch, Dealer, Packet, Seeded, completions, deal_of_number, number_of_deal,
};
use fairdeal::population::cases::{self, CaseFile, Recounted, Runs};
use fairdeal::population::cells;
use fairdeal::run::{self, Sieve};
use fairdeal::tally::{Depth, SurveyPlan};
use fairdeal::theory::CaseLaw;
use rayon::prelude::*;

/// Deals that are drawn from each.
const DEALS: u64 = 3_000;

/// What could be done with a file.
#[derive(Default)]
struct Done {
    opened: bool,
    proved: bool,
    told: bool,
    dealt: bool,
}

/// Does everything with a file that a program does, and more.
fn use_up(bytes: &[u8], deals: &[Deal]) -> Done {
    let mut done = Done::default();
    let Ok(file) = CaseFile::new(Aligned::new(bytes)) else {
        return done;
    };
    done.opened = true;
    let file = &file;
    let _ = file.records_are_sound();
    done.proved = file.verify().is_ok();
    let recounted = cells::recount(file);
    // What a proof accepts is accepted, and what is compared whole is proved.
    assert!(!done.proved || recounted.is_ok(), "{recounted:?}");
    let is_whole = matches!(recounted, Ok(Recounted::All)) && file.records_are_sound();
    assert!(done.proved || !is_whole, "{:?}", file.verify());
    numbered(file, deals);
    let runs = Runs::new(file);
    for run in 0..runs.count() {
        let (first, last) = runs.cases_of(run);
        assert!(first <= last && last < file.cases());
        let _ = runs.weight(run);
    }
    for deal in deals {
        let _ = runs.case_of(deal);
    }
    let _ = CaseLaw::of(&runs);
    let expected = Expected::of_cases(file);
    done.told = expected.is_ok();
    let Ok(dealer) = Dealer::of_cases(file, DEALS) else {
        return done;
    };
    let generator = Aes128Ctr::new(17);
    let dealt = dealer.in_random_order(&generator, 0..DEALS);
    done.dealt = dealt.is_ok();
    if let Ok(portions) = dealer.portions(&generator, 0..DEALS) {
        for portion in portions {
            let sink = &mut |_: &Packet| ();
            let _ = dealer.deal(&generator, &portion, &mut DealScratch::default(), sink);
        }
    }
    let source = Seeded {
        dealer: &dealer,
        generator: &generator,
    };
    let (depth, expected) = match expected {
        Ok(expected) => (Depth::Full, Some(Arc::new(expected))),
        Err(_) => (Depth::Tables, None),
    };
    let plan = SurveyPlan::of_cases(depth, runs);
    let terms = run::terms(&plan, DEALS, 1 << 20, 1);
    let mut battery = expected.map(|expected| Battery::new(terms, expected));
    let idle = Sieve::default();
    let mut look = |survey: &_| {
        if let Some(battery) = &mut battery {
            battery.look(survey);
        }
        ControlFlow::Continue(())
    };
    let _ = run::survey(&source, &plan, &idle, (DEALS, 1 << 20), &|_| (), &mut look);
    done
}

/// Cases of numbers, and numbers of deals.
fn numbered(file: &CaseFile<Aligned>, deals: &[Deal]) {
    let index = file.load_index();
    let ways = completions(file);
    let total = file.total();
    for number in [0, 1, total / 3, total / 2, total - 1, total, u128::MAX] {
        let _ = file.locate(&index, number);
        for completion in [0, ways / 2, ways.saturating_sub(1), ways, u64::MAX] {
            let _ = deal_of_number(file, &index, number, completion);
        }
    }
    for deal in deals {
        for case in [0, 1, file.cases() / 2, file.cases() - 1, file.cases()] {
            let _ = number_of_deal(file, case, deal);
        }
    }
    let deck = file.deck();
    for record in file.records() {
        if let Ok(case) = record.case() {
            let _ = cases::weight(&deck, case.first, case.second);
        }
    }
}

/// The records of a file's bytes as numbers.
fn records(bytes: &[u8]) -> Vec<u128> {
    let (header, index) = parts_of(bytes);
    let records = bytes.get(header..index).unwrap_or(&bytes[4096..]);
    let (records, _) = records.as_chunks::<16>();
    records
        .iter()
        .map(|record| u128::from_le_bytes(*record))
        .collect()
}

/// Puts records in the place of a file's, and their last total in the place of T.
fn put_records(bytes: &mut [u8], records: &[u128]) {
    let (header, index) = parts_of(bytes);
    let header = if bytes.get(header..index).is_some() {
        header
    } else {
        4096
    };
    for (place, record) in bytes[header..]
        .as_chunks_mut::<16>()
        .0
        .iter_mut()
        .zip(records)
    {
        *place = record.to_le_bytes();
    }
    let total = records.last().unwrap() & TOTAL;
    if total > 0 {
        bytes[16..32].copy_from_slice(&total.to_le_bytes());
    }
}

const TOTAL: u128 = (1 << 73) - 1;

/// Gives every record the total that its case weighs, where it has a weight; otherwise one more.
fn weigh(bytes: &mut [u8]) {
    let mut altered = bytes.to_vec();
    reseal(&mut altered);
    let Ok(file) = CaseFile::new(Aligned::new(&altered)) else {
        return;
    };
    let deck = file.deck();
    let mut total = 0u128;
    let weighed = file
        .records()
        .iter()
        .zip(records(bytes))
        .map(|(record, bits)| {
            let weight = record
                .case()
                .map_or(0, |case| cases::weight(&deck, case.first, case.second));
            total = (total + u128::from(weight.max(1))) & TOTAL;
            bits & !TOTAL | total
        });
    let weighed: Vec<u128> = weighed.collect();
    put_records(bytes, &weighed);
}

/// Harms a file in one of many ways.
fn harm(bytes: &mut Vec<u8>, others: &[Vec<u8>], numbers: &mut Numbers<'_>) {
    let way = numbers.below(12);
    let mut cases = records(bytes);
    let count = cases.len();
    if count == 0 {
        return;
    }
    match way {
        // Fields of the header.
        0 => {
            for _ in 0..=numbers.below(3) {
                let at = 16 + numbers.below(48);
                bytes[at] = numbers.word() as u8;
            }
        }
        1 => {
            bytes[52] = numbers.below(4) as u8;
            bytes[53] = [0, 1, 2, 3, 255][numbers.below(5)];
        }
        2 => {
            let total = u128::from(numbers.word()) << numbers.below(10);
            bytes[16..32].copy_from_slice(&total.to_le_bytes());
        }
        3 => {
            // Interval and number of records that fit each other in other ways.
            let interval = [1, 2, u32::MAX, 3, 65_537][numbers.below(5)];
            bytes[48..52].copy_from_slice(&interval.to_le_bytes());
            bytes.truncate(parts_of(bytes).1);
            let entries = (count as u64).div_ceil(interval.into());
            for _ in 0..entries {
                bytes.extend(u128::from(numbers.word()).to_le_bytes());
            }
        }
        // The condition.
        4 => {
            let length = u32::from_le_bytes(bytes[56..60].try_into().unwrap());
            let at = 160 + numbers.below(length.clamp(1, 3_000) as usize);
            bytes[at] = b"0123456789 ()&|<>=+-*/?:%,abc"[numbers.below(29)];
        }
        // Bits of records, whatever that makes of them.
        5 => {
            for _ in 0..=numbers.below(20) {
                cases[numbers.below(count)] ^= 1 << numbers.below(128);
            }
            put_records(bytes, &cases);
        }
        // Hands that are other hands, their totals those of before.
        6 | 7 => {
            for _ in 0..=numbers.below(6) {
                cases[numbers.below(count)] ^= 1 << (73 + numbers.below(55));
            }
            put_records(bytes, &cases);
            if way == 7 {
                weigh(bytes);
            }
        }
        // Totals without any sense, in rising order or not.
        8 => {
            let mut totals: Vec<u128> = (0..count)
                .map(|_| (u128::from(numbers.word()) << 9 | u128::from(numbers.word())) & TOTAL)
                .collect();
            if numbers.below(4) > 0 {
                totals.sort_unstable();
            }
            for (case, total) in cases.iter_mut().zip(totals) {
                *case = *case & !TOTAL | total;
            }
            put_records(bytes, &cases);
        }
        // Records of nothing but chance.
        9 => {
            for case in &mut cases {
                *case = u128::from(numbers.word()) << 64 | u128::from(numbers.word());
            }
            if numbers.below(2) > 0 {
                cases.sort_unstable_by_key(|case| case & TOTAL);
            }
            put_records(bytes, &cases);
        }
        // Another file's hands.
        10 => {
            let others = records(&others[numbers.below(others.len())]);
            for (case, other) in cases.iter_mut().zip(others.iter().cycle()) {
                *case = *case & TOTAL | other & !TOTAL;
            }
            put_records(bytes, &cases);
            weigh(bytes);
        }
        // Cases in another order.
        _ => {
            for _ in 0..=numbers.below(10) {
                let (a, b) = (numbers.below(count), numbers.below(count));
                cases.swap(a, b);
            }
            put_records(bytes, &cases);
            weigh(bytes);
        }
    }
}

/// A file of each kind, short enough to be harmed often.
fn files() -> Vec<Vec<u8>> {
    let small = [
        "spades(west) == 11",
        "spades(west) == 11 && diamonds(east) == 9",
        "hcp(west) >= 35",
        "hcp(north) == 1 && hcp(south) == 0",
        "shape(east, any 5332) && hcp(east) == 34",
        "hcp(west) >= 33 && spades(west) == 6 && spades(east) == 6",
        "spades(east) == 6 && hcp(west) >= 33 && spades(west) == 6",
        "spades(west) == 7 && hcp(west) >= 29 && hcp(east) >= 9",
        "hcp(east) >= 9 && spades(west) == 7 && hcp(west) >= 29",
        "hcp(north) >= 28 && hearts(north) >= 8 && hcp(east) >= 8 && clubs(east) >= 8",
        "hcp(south) + hcp(east) >= 40 && spades(south) >= 12",
        "predeal west SAKQJT98, H2\ncondition spades(west) >= 9 && hcp(west) >= 20",
    ];
    let folder = folder();
    let build = |text: &&str| {
        let (path, _) = case_file(folder.path(), &condition(text), None);
        std::fs::read(path).unwrap()
    };
    small.iter().map(build).collect()
}

#[test]
#[ignore = "long"]
fn nothing_panics_on_a_file_that_was_made_to_harm() {
    let files = files();
    let generator = Aes128Ctr::new(0xBAD);
    let deals = Dealer::<Aligned>::unconstrained()
        .in_random_order(&Aes128Ctr::new(1), 0..20)
        .unwrap();
    for sound in &files {
        let done = use_up(sound, &deals);
        assert!(done.opened && done.proved && done.dealt);
    }
    let rounds = std::env::var("FAIRDEAL_HOSTILE_ROUNDS").map_or(25, |n| n.parse().unwrap());
    let sums = (0..files.len() as u64 * rounds)
        .into_par_iter()
        .map(|round| {
            let numbers = &mut Numbers::new(&generator, round);
            let mut bytes = files[(round % files.len() as u64) as usize].clone();
            for _ in 0..=numbers.below(2) {
                harm(&mut bytes, &files, numbers);
            }
            reseal(&mut bytes);
            let done = use_up(&bytes, &deals);
            [done.opened, done.proved, done.told, done.dealt].map(usize::from)
        });
    let sums = sums.reduce(|| [0; 4], |a, b| std::array::from_fn(|i| a[i] + b[i]));
    // Those that get far are the ones that could harm.
    let [opened, proved, told, dealt] = sums;
    assert!(
        opened > rounds as usize && proved > 0 && told > 20 && dealt > 20,
        "{sums:?}"
    );
}

#[test]
#[ignore = "long"]
fn the_kinds_of_listings_are_all_that_there_are() {
    // What is harmed above should be of every kind that there is.
    let kinds = |bytes: &[u8]| {
        let file = CaseFile::new(Aligned::new(bytes)).unwrap();
        let case = file.records()[0].case().unwrap();
        [Some(case.first), case.second]
            .map(|hand| hand.map(|hand| (hand.pattern.is_some(), hand.honours.is_some())))
    };
    let harmed: Vec<_> = files().iter().map(|bytes| kinds(bytes)).collect();
    for text in KINDS {
        let folder = folder();
        let (path, file) = case_file(folder.path(), &condition(text), None);
        assert!(file.header().first != Seat::South || file.cases() > 0);
        let kind = kinds(&std::fs::read(path).unwrap());
        assert!(harmed.contains(&kind), "{text}: {kind:?}");
    }
}
