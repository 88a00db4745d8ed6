//! Valid and damaged case files.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use crate::common::{Numbers, case_file, condition, folder, scenario};
use fairdeal::draw::Aes128Ctr;
use fairdeal::population::cases::{self, CaseBytes, CaseFile, CaseRecord, OpenError};
use rayon::prelude::*;

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
#[ignore = "long"]
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

/// What proving these bytes says of them.
fn proof<D: AsRef<[u8]> + Sync>(bytes: D) -> Result<(), String> {
    let file = CaseFile::new(bytes).map_err(|damage| damage.to_string())?;
    file.verify().map_err(|damage| damage.to_string())
}

/// Each of these bits is found when it is flipped, and said in one line.
fn each_flip_is_found(sound: &[u8], bits: &[usize]) {
    bits.par_chunks(500).for_each(|bits| {
        let mut altered = Aligned::new(sound);
        for &bit in bits {
            altered.flip(bit);
            let message = proof(&altered).expect_err("an altered file was proved sound");
            assert!(!message.contains('\n'), "{message}");
            altered.flip(bit);
        }
    });
}

#[test]
fn any_flipped_bit_is_found() {
    let sound = bytes_of("east-5332-34");
    proof(Aligned::new(&sound)).unwrap();
    each_flip_is_found(&sound, &(0..sound.len() * 8).collect::<Vec<_>>());
}

/// A case file of 13,624 records.
fn larger() -> Vec<u8> {
    let folder = folder();
    let (path, _) = case_file(folder.path(), &condition("hcp(west) >= 25"), None);
    let bytes = std::fs::read(path).unwrap();
    let (header, end) = parts_of(&bytes);
    assert_eq!(end - header, 13_624 * 16);
    bytes
}

#[test]
#[ignore = "long"]
fn flipped_bits_of_every_part_are_found_in_larger_files_too() {
    let generator = Aes128Ctr::new(0xF11);
    let files = [bytes_of("nine-spades"), bytes_of("north-3-hcp"), larger()];
    for (which, sound) in (0..).zip(&files) {
        proof(Aligned::new(sound)).unwrap();
        let mut numbers = Numbers::new(&generator, which);
        let (header, index) = parts_of(sound);
        let text = u32::from_le_bytes(sound[56..60].try_into().unwrap()) as usize;
        let fields = 0..160 * 8;
        let condition = 160 * 8..(160 + text) * 8;
        let padding = (160 + text) * 8..header * 8;
        let mut bits: Vec<usize> = fields.chain(condition).collect();
        for _ in 0..200 {
            let byte = padding.start / 8 + numbers.below(padding.len() / 8);
            bits.extend(byte * 8..byte * 8 + 8);
        }
        for part in [header * 8..index * 8, index * 8..sound.len() * 8] {
            if part.len() <= 10_000 {
                bits.extend(part);
            } else {
                bits.extend((0..10_000).map(|_| part.start + numbers.below(part.len())));
            }
        }
        each_flip_is_found(sound, &bits);
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let generator = Aes128Ctr::new(0xC07);
    let files = [bytes_of("nine-spades"), bytes_of("north-3-hcp"), larger()];
    for (which, sound) in (0..).zip(&files) {
        let mut numbers = Numbers::new(&generator, which);
        let aligned = Aligned::new(sound);
        let chosen = (0..200).map(|_| numbers.below(sound.len()));
        for length in chosen.chain([0, 1, 159, 160, 4095, 4096, sound.len() - 1]) {
            let refused = CaseFile::new(&aligned.bytes()[..length]);
            assert!(refused.is_err(), "{length} bytes of {}", sound.len());
        }
    }
    let sound = &files[0];
    for length in (0..sound.len()).step_by(137) {
        let refused = in_memory(&sound[..length]);
        assert!(
            matches!(refused, Err(OpenError::Damaged { .. })),
            "{length} bytes"
        );
    }
    let mut longer = sound.clone();
    longer.push(0);
    let length = sound.len();
    let wanted = format!("has {} bytes but its header requires {length}", length + 1);
    assert!(message(&longer).contains(&wanted));
}

#[test]
fn no_memory_is_taken_for_what_a_file_only_claims() {
    let folder = folder();
    let path = folder.path().join("claims.cases");
    let refusals = || {
        [cases::open(&path), cases::read(&path)].map(|refused| {
            let refused = refused.map(|file| file.cases());
            refused.unwrap_err().to_string()
        })
    };
    let stretched_to = |bytes: &[u8], length: u64| {
        std::fs::write(&path, bytes).unwrap();
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_len(length)
    };
    let sound = bytes_of("nine-spades");
    // A tebibyte of nothing, by itself and after a case file's end.
    if stretched_to(&[], 1 << 40).is_ok() {
        assert!(
            refusals()
                .iter()
                .all(|text| text.contains("is not a case file"))
        );
    }
    if stretched_to(&sound, 1 << 40).is_ok() {
        let wanted = format!(
            "has 1099511627776 bytes but its header requires {}",
            sound.len()
        );
        assert!(refusals().iter().all(|text| text.contains(&wanted)));
    }
    // As many records as there would be in 2^48 bytes, under a checksum that fits.
    let mut claims = sound.clone();
    let cases = 1u64 << 44;
    // A checksum for every 65,536 records, 65,536 runs, the classes and no group.
    let sections = (32 << 28) + (16 << 16) + 16 * 64;
    let length = 4096 + cases * 16 + sections;
    claims[32..40].copy_from_slice(&cases.to_le_bytes());
    claims[40..48].copy_from_slice(&(4096 + cases * 16).to_le_bytes());
    claims[48..52].fill(0);
    reseal(&mut claims);
    assert!(stretched_to(&claims, sound.len() as u64).is_ok());
    assert!(
        refusals()
            .iter()
            .all(|text| text.contains(&format!("has {} bytes but its header", sound.len())))
    );
    if stretched_to(&claims, length).is_ok() {
        let texts = refusals();
        assert!(
            texts
                .iter()
                .all(|text| text.starts_with("not enough memory for the")),
            "{texts:?}"
        );
    }
}

#[test]
fn what_is_no_case_file_of_this_version_is_named() {
    assert!(message(b"").contains("is empty"));
    assert!(message(b"spades(west) == 9\n").contains("is not a case file"));
    let mut other_version = bytes_of("nine-spades");
    other_version[8] = 1;
    let refused = message(&other_version);
    assert!(refused.contains("format version 1") && refused.contains("rebuild it"));
    assert!(!refused.contains('\n'), "{refused}");
}

#[test]
fn wrong_sections_under_right_checksums_are_found() {
    for sound in [bytes_of("nine-spades"), larger()] {
        let (_, end) = parts_of(&sound);
        let checksums = 32;
        // Runs, classes, groups, the guide and the zeros after it.
        let (first, last) = (end + checksums, sound.len() - 1);
        let step = ((last - first) / 100).max(1);
        for at in (first..last).step_by(step).chain([last]) {
            let mut altered = sound.clone();
            altered[at] ^= 1;
            reseal(&mut altered);
            let message = message(&altered);
            assert!(
                message.ends_with("the sections do not follow from the records"),
                "{at} of {last}: {message}"
            );
        }
    }
}

#[test]
fn a_wrong_listing_under_right_checksums_is_found_too() {
    let sound = bytes_of("nine-spades");
    let file = in_memory(&sound).unwrap();

    // Case 2 replaced by case 1's hands, the totals untouched.
    let wrong_hands = CaseRecord::new(file.records()[1].total(), file.records()[0].case().unwrap());
    let mut altered = sound.clone();
    altered[4096 + 16..4096 + 32].copy_from_slice(bytemuck::bytes_of(&wrong_hands));
    let message_of = |mut bytes: Vec<u8>| {
        reseal(&mut bytes);
        message(&bytes)
    };
    assert!(message_of(altered).contains("case 2: the total increases by 88516447699680"));

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

/// Bytes that begin where a map's or a copy's do.
pub(crate) struct Aligned {
    words: Vec<u128>,
    length: usize,
}

impl Aligned {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let mut words = vec![0; bytes.len().div_ceil(16)];
        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        let length = bytes.len();
        Self { words, length }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.length]
    }

    pub(crate) fn flip(&mut self, bit: usize) {
        bytemuck::cast_slice_mut::<_, u8>(&mut self.words)[bit / 8] ^= 1 << (bit % 8);
    }
}

impl AsRef<[u8]> for Aligned {
    fn as_ref(&self) -> &[u8] {
        self.bytes()
    }
}

/// Where a case file's parts begin: the header's length, and the end of the records.
pub(crate) fn parts_of(file: &[u8]) -> (usize, usize) {
    let header = u32::from_le_bytes(file[12..16].try_into().unwrap());
    let index = u64::from_le_bytes(file[40..48].try_into().unwrap());
    (header as usize, index as usize)
}

/// Makes the checksums of a case file's bytes right, where its header lets them be found.
pub(crate) fn reseal(file: &mut [u8]) {
    let hash = |bytes: &[u8]| *blake3::hash(bytes).as_bytes();
    let (header, end) = parts_of(file);
    if let Some(records) = file.get(header..end) {
        let sums: Vec<[u8; 32]> = records.chunks(1 << 20).map(hash).collect();
        let sums = sums.as_flattened();
        file[end..end + sums.len()].copy_from_slice(sums);
        let hashes = [hash(sums), hash(&file[end + sums.len()..])];
        file[64..128].copy_from_slice(hashes.as_flattened());
    }
    file[128..160].fill(0);
    if let Some(whole) = file.get(..header) {
        let whole = hash(whole);
        file[128..160].copy_from_slice(&whole);
    }
}
