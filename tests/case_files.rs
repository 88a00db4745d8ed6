//! Case files that are whole, and case files that are not.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

mod common;

use common::{case_file, condition, folder, scenario};
use fairdeal::cases::{self, CaseBytes, CaseFile, CaseRecord, OpenError};

/// A case file's bytes in memory, aligned as a map's are.
fn in_memory(bytes: &[u8]) -> Result<CaseFile<CaseBytes>, OpenError> {
    let folder = folder();
    let path = folder.path().join("altered.cases");
    std::fs::write(&path, bytes).unwrap();
    cases::read(&path)
}

fn bytes_of(name: &str) -> Vec<u8> {
    let folder = folder();
    let (path, _) = case_file(folder.path(), &scenario(name), None);
    std::fs::read(path).unwrap()
}

fn message(bytes: &[u8]) -> String {
    match in_memory(bytes) {
        Err(error) => error.to_string(),
        Ok(file) => file
            .verify()
            .expect_err("an altered file was proved sound")
            .to_string(),
    }
}

#[test]
fn a_mapped_file_and_a_copy_of_it_read_the_same() {
    let folder = folder();
    let (path, mapped) = case_file(folder.path(), &scenario("north-2-south-0-1"), None);
    let copied = cases::read(&path).unwrap();
    assert_eq!(mapped.header(), copied.header());
    assert_eq!(mapped.records(), copied.records());
    copied.verify().unwrap();
}

#[test]
fn every_kind_of_listing_is_proved_sound() {
    let conditions = [
        "spades(west) >= 7",                                         // pattern alone
        "spades(west) >= 7 && hearts(east) >= 7",                    // pattern, pattern
        "hcp(west) >= 33",                                           // honours alone
        "aces(west) == 4 && hcp(east) >= 19",                        // honours, honours
        "hcp(west) >= 31 && spades(west) >= 5",                      // both alone
        "hcp(west) >= 33 && spades(west) >= 5 && spades(east) == 6", // both, pattern
        "spades(east) == 6 && hcp(west) >= 33 && spades(west) >= 5", // pattern, both
        "hcp(west) >= 30 && spades(west) >= 7 && hcp(east) >= 9",    // both, honours
        "hcp(east) >= 9 && hcp(west) >= 30 && spades(west) >= 7",    // honours, both
        "losers(west) <= 1 && hearts(west) == 7 && losers(east) <= 2 && hcp(east) <= 9", // both, both
        "hcp(west) + hcp(east) >= 39 && spades(west) >= 9", // and jointly
    ];
    for text in conditions {
        let folder = folder();
        let (_, file) = case_file(folder.path(), &condition(text), None);
        // Verification recomputes every weight by the plain formulas.
        file.verify()
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(file.cases() > 10, "{text} has {} cases", file.cases());
    }
}

#[test]
fn any_flipped_bit_is_found() {
    let sound = bytes_of("east-5332-34");
    assert_eq!(sound.len(), 4096 + 48 * 16 + 16);
    for bit in 0..sound.len() * 8 {
        // Every bit of the fields, records and index; every 7th of the padding.
        let in_padding = (400 * 8..4096 * 8).contains(&bit);
        if in_padding && bit % 7 != 0 {
            continue;
        }
        let mut altered = sound.clone();
        altered[bit / 8] ^= 1 << (bit % 8);
        let message = message(&altered);
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let sound = bytes_of("nine-spades");
    for length in (0..sound.len()).step_by(13).chain([sound.len() - 1]) {
        let refused = in_memory(&sound[..length]);
        assert!(
            matches!(refused, Err(OpenError::Damaged { .. })),
            "{length} bytes"
        );
    }
    let mut longer = sound.clone();
    longer.push(0);
    assert!(message(&longer).contains("4593 bytes long where its header calls for 4592"));
}

#[test]
fn what_is_no_case_file_of_this_version_is_named() {
    assert!(message(b"").contains("is empty"));
    assert!(message(b"spades(west) == 9\n").contains("is not a case file"));
    let mut other_version = bytes_of("nine-spades");
    other_version[8] = 2;
    assert!(message(&other_version).contains("format version 2"));
}

/// A file whose checksums fit although its records were altered.
fn resealed(mut bytes: Vec<u8>, records: std::ops::Range<usize>) -> Vec<u8> {
    let hash = |bytes: &[u8]| *blake3::hash(bytes).as_bytes();
    let record_hash = hash(&bytes[records]);
    bytes[64..96].copy_from_slice(&record_hash);
    bytes[128..160].fill(0);
    let header_hash = hash(&bytes[..4096]);
    bytes[128..160].copy_from_slice(&header_hash);
    bytes
}

#[test]
fn a_wrong_listing_under_right_checksums_is_found_too() {
    let sound = bytes_of("nine-spades");
    let records = 4096..4096 + 30 * 16;
    let file = in_memory(&sound).unwrap();

    // Case 2 replaced by case 1's hands, the totals untouched.
    let wrong_hands = CaseRecord::new(file.records()[1].total(), file.records()[0].case().unwrap());
    let mut altered = sound.clone();
    altered[4096 + 16..4096 + 32].copy_from_slice(bytemuck::bytes_of(&wrong_hands));
    let message_of = |bytes: Vec<u8>| message(&resealed(bytes, records.clone()));
    assert!(message_of(altered).contains("case 2: the total rises by 88516447699680"));

    // Another condition with as many cases: every record is sound, but not of this one.
    let mut altered = sound.clone();
    let at = sound
        .windows(6)
        .rposition(|window| window == b"(west)")
        .unwrap();
    altered[at + 1..at + 5].copy_from_slice(b"east");
    let message = message_of(altered);
    assert!(message.contains("condition"), "{message}");
}
