//! Any bytes as a case file: either an error, or a file on which every operation of a run ends.
//! Files that pass verification deal only deals that satisfy their condition.
//!
//! If the first byte is 0, the others are a whole file. Otherwise they are a header with a
//! condition and records, from which [`repaired`] makes a file.
#![no_main]

use std::ops::ControlFlow;
use std::sync::Arc;

use fairdeal::battery::{Battery, Expected};
use fairdeal::draw::{Aes128Ctr, Dealer, Isa, Seeded};
use fairdeal::language::{Condition, Plan};
use fairdeal::number::cases::CaseNumbering;
use fairdeal::population::cases::{CaseFile, Runs};
use fairdeal::run::{self, KeepFilter};
use fairdeal::tally::{CountPlan, Depth};
use fairdeal::theory::{CaseLaw, Theory};
use fairdeal_fuzz::{Aligned, repaired};
use libfuzzer_sys::fuzz_target;

/// Number of deals drawn from a file.
const DEALS: u64 = 200;

/// Maximum number of cases for which theory is computed.
const MOST_FOR_THEORY: u64 = 3_000;

fuzz_target!(|data: &[u8]| {
    let Some((&how, bytes)) = data.split_first() else {
        return;
    };
    let bytes = match how {
        0 => Aligned::of(bytes),
        how => Aligned::of(&repaired(how, bytes)),
    };
    match CaseFile::new(bytes) {
        Ok(file) => use_all_of(&file, how),
        Err(damage) => assert!(!damage.to_string().is_empty()),
    }
});

fn use_all_of(file: &CaseFile<Aligned>, how: u8) {
    assert!(file.checksums_match() || how == 0);
    let is_sound = is_light(file) && file.verify().is_ok();
    let runs = Runs::new(file);
    for run in 0..runs.count() {
        let (first, last) = runs.cases_of(run);
        assert!(first <= last && last < file.cases());
    }
    let law = CaseLaw::of(&runs);
    assert_eq!(law.runs.len(), runs.count());
    if file.cases() <= MOST_FOR_THEORY {
        let theory = Theory::of_cases(file);
        assert!(!is_sound || theory.is_ok());
    }
    number(file, is_sound);
    deal(file, is_sound, how);
}

/// Whether listing the file's condition again is fast.
fn is_light(file: &CaseFile<Aligned>) -> bool {
    let header = file.header();
    let Ok(condition) = Condition::parse("fuzz", &header.condition) else {
        return true;
    };
    let seats: Vec<_> = [Some(header.first), header.second]
        .into_iter()
        .flatten()
        .collect();
    match Plan::new(&condition, Some(&seats)) {
        Ok(Plan::Listed { first, second }) => {
            !first.by_honours && !second.is_some_and(|second| second.by_honours)
                || first.by_honours && !first.by_pattern && second.is_none()
        }
        _ => true,
    }
}

/// Checks the first numbers, one in the middle, the last, and one that is too large.
fn number(file: &CaseFile<Aligned>, is_sound: bool) {
    let numbering = CaseNumbering::new(file);
    let count = numbering.count();
    for number in [0, 1, count / 2, count.saturating_sub(1)] {
        match numbering.decode(number) {
            Ok(deal) => {
                let again = numbering.encode(&deal);
                assert!(!is_sound || again == Ok(number), "{number}: {again:?}");
            }
            Err(error) => assert!(!is_sound, "{number}: {error}"),
        }
    }
    assert!(numbering.decode(count).is_err());
}

/// Draws and checks deals with the instruction set that `how` chooses.
fn deal(file: &CaseFile<Aligned>, is_sound: bool, how: u8) {
    let dealer = match Dealer::of_cases(file) {
        Ok(dealer) => dealer,
        Err(error) => return assert!(!is_sound, "{error}"),
    };
    let sets = Isa::available();
    let dealer = dealer.with_isa(sets[usize::from(how >> 4) % sets.len()]);
    let generator = Aes128Ctr::new(how.into());
    let deals = match dealer.in_random_order(&generator, 0..DEALS) {
        Ok(deals) => deals,
        Err(error) => return assert!(!is_sound, "{error}"),
    };
    assert_eq!(deals.len() as u64, DEALS);
    count(file, &dealer, &generator);
    if is_sound {
        let condition = Condition::parse("fuzz", &file.header().condition);
        let condition = condition.expect("a file that verifies has a condition");
        let runs = Runs::new(file);
        for deal in &deals {
            assert_eq!(condition.expression().holds(deal), Ok(true), "{deal}");
            assert!(runs.case_of(deal).is_some(), "{deal}");
        }
    }
}

/// Counts and tests draws from a file, whatever its weights are.
fn count(file: &CaseFile<Aligned>, dealer: &Dealer<'_, Aligned>, generator: &Aes128Ctr) {
    if file.cases() > MOST_FOR_THEORY {
        return;
    }
    let (depth, expected) = match Expected::of_cases(file) {
        Ok(expected) => (Depth::Full, Some(Arc::new(expected))),
        Err(_) => (Depth::Tables, None),
    };
    let (plan, size) = (
        CountPlan::of_cases(depth, Runs::new(file)),
        (DEALS, 1 << 20),
    );
    let terms = run::terms(&plan, size.0, size.1, 1);
    let mut battery = expected.map(|expected| Battery::new(terms, expected));
    let mut look = |counts: &_| {
        if let Some(battery) = &mut battery {
            battery.look(counts);
        }
        ControlFlow::Continue(())
    };
    let source = Seeded { dealer, generator };
    let _ = run::count(
        &source,
        &plan,
        &KeepFilter::default(),
        size,
        &|_| (),
        &mut look,
    );
}
