//! Helpers shared by several tests.
#![allow(dead_code, reason = "every test uses another part of it")]
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

pub(crate) mod runs;
pub(crate) mod team;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use fairdeal::bridge::{Deal, Seat};
use fairdeal::draw::{DealScratch, Dealer, Generator, Packet, Portion};
use fairdeal::language::{Condition, Scenario};
use fairdeal::population::cases::{self, CaseBytes, CaseFile, Listing};

/// The program; none where it is not built, without the feature `cli`.
const PROGRAM: Option<&str> = option_env!("CARGO_BIN_EXE_fairdeal");

/// Every command, by the words that name it.
pub(crate) const COMMANDS: [&[&str]; 23] = [
    &[],
    &["run"],
    &["audit"],
    &["compare"],
    &["merge"],
    &["cases"],
    &["cases", "build"],
    &["cases", "list"],
    &["cases", "info"],
    &["cases", "verify"],
    &["cases", "prune"],
    &["theory"],
    &["deal"],
    &["solve"],
    &["number"],
    &["number", "encode"],
    &["number", "decode"],
    &["scenarios"],
    &["bench"],
    &["self-test"],
    &["serve"],
    &["completions"],
    &["man"],
];

/// A folder of this test's own, removed when the test ends.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// A run of a short listing that takes a moment.
pub(crate) const SHORT_RUN: [&str; 6] = ["run", "nine-spades", "--deals", "1000", "--seed", "1"];

/// The same from a listing.
pub(crate) const SHORT_LISTED_RUN: [&str; 8] = [
    "run",
    "nine-spades",
    "--deals",
    "1000",
    "--seed",
    "1",
    "--sampler",
    "listing",
];

/// A self-test of `runs` runs of 1,024 deals of a condition.
pub(crate) fn self_test(folder: &Path, condition: &str, runs: u32) -> Output {
    let runs = runs.to_string();
    let test = [
        "self-test",
        "--runs",
        &runs,
        "--deals",
        "1024",
        "--seed",
        "1",
        "--json",
    ];
    fairdeal(folder, &[&test[..], &["--where", condition]].concat())
}

pub(crate) fn scenario(name: &str) -> Condition {
    Scenario::named(name).unwrap().condition()
}

pub(crate) fn condition(text: &str) -> Condition {
    Condition::parse("test", text).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn census(condition: &Condition, order: Option<&[Seat]>) -> cases::Census {
    let listing = Listing::new(condition, order).unwrap();
    cases::census(condition, &listing).unwrap()
}

/// The case file of a condition, written into the folder.
pub(crate) fn case_file(
    folder: &Path,
    condition: &Condition,
    order: Option<&[Seat]>,
) -> (PathBuf, CaseFile<CaseBytes>) {
    let listing = Listing::new(condition, order).unwrap();
    let census = cases::census(condition, &listing).unwrap();
    let path = folder.join("test.cases");
    cases::write(condition, &listing, census, &path, &|_| ()).unwrap();
    let file = cases::open(&path).unwrap();
    (path, file)
}

/// Every kind of pair of hands, by what is listed of the first and the second.
pub(crate) const KINDS: [&str; 12] = [
    "spades(west) == 9",
    "spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6",
    "hcp(north) == 3",
    "hcp(north) == 2 && hcp(south) <= 1",
    "shape(east, any 5332) && hcp(east) == 34",
    "hcp(west) >= 33 && spades(west) >= 5 && spades(east) == 6",
    "spades(east) == 6 && hcp(west) >= 33 && spades(west) >= 5",
    "hcp(west) >= 15 && spades(west) >= 10 && hcp(south) >= 12",
    "hcp(south) >= 12 && hcp(west) >= 15 && spades(west) >= 10",
    "hcp(north) >= 28 && hearts(north) >= 8 && hcp(east) >= 8 && clubs(east) >= 6",
    "hcp(south) + hcp(east) >= 39 && spades(south) >= 9",
    "shape(west, 4333) && spades(east) >= 6",
];

/// Runs the program in a folder, with a cache of its own there; a run may pass with
/// any number of deals.
pub(crate) fn fairdeal(folder: &Path, arguments: &[&str]) -> Output {
    let has = |option: &str| {
        arguments
            .iter()
            .any(|argument| argument.starts_with(option))
    };
    let is_run = arguments.first() == Some(&"run");
    // Deals of files are not tested.
    let is_run = is_run && !has("--target") && !has("--from");
    let target: &[&str] = if is_run { &["--target", "1"] } else { &[] };
    Command::new(PROGRAM.unwrap())
        .args(arguments)
        .args(target)
        .current_dir(folder)
        .env("FAIRDEAL_CACHE", folder.join("cache/fairdeal"))
        .env("NO_COLOR", "1")
        .env("COLUMNS", "120")
        .output()
        .unwrap()
}

/// Starts the program in a folder, as [`fairdeal`] runs it, to be ended by a test.
pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(PROGRAM.unwrap())
        .args(arguments)
        .args(["--target", "1"])
        .current_dir(folder)
        .env("FAIRDEAL_CACHE", folder.join("cache/fairdeal"))
        .env("NO_COLOR", "1")
        .env("COLUMNS", "120")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// What went wrong, in one line.
pub(crate) fn complaint(output: &Output) -> String {
    let text = stderr(output);
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("error: "), "{text}");
    text
}

/// The rows of a CSV file, by column.
pub(crate) fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

/// What the engine deals of a portion.
pub(crate) fn fast(
    dealer: &Dealer<'_, CaseBytes>,
    generator: &dyn Generator,
    portion: Portion,
) -> Vec<Deal> {
    let mut deals = Vec::new();
    let mut sink = |packet: &Packet| {
        deals.extend((0..packet.deals()).map(|i| packet.deal(i)));
    };
    let scratch = &mut DealScratch::default();
    dealer
        .deal(generator, &portion, scratch, &mut sink)
        .unwrap();
    deals
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

/// Numbers that seem random and are always the same.
pub(crate) struct Numbers<'g>(fairdeal::draw::RandomStream<'g>);

impl<'g> Numbers<'g> {
    pub(crate) fn new(generator: &'g dyn Generator, which: u64) -> Self {
        let id = fairdeal::draw::StreamId::new(which, fairdeal::draw::StreamPurpose::Plain, 0);
        Self(fairdeal::draw::RandomStream::new(generator, id))
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0.next_u64().unwrap()
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        fairdeal::draw::below(&mut self.0, bound as u128).unwrap() as usize
    }
}

/// The bytes of a checkpoint with checksums that are right again.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let hash = *blake3::hash(&bytes[96..]).as_bytes();
    bytes[32..64].copy_from_slice(&hash);
    let hash = *blake3::hash(&bytes[..64]).as_bytes();
    bytes[64..96].copy_from_slice(&hash);
    bytes
}
