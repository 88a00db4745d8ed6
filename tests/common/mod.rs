//! Helpers shared by several tests.
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

pub(crate) mod runs;
pub(crate) mod team;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;

use fairdeal::bridge::{Deal, Seat};
use fairdeal::draw::{DealScratch, Dealer, Generator, Packet, Portion};
use fairdeal::language::{Condition, Scenario};
use fairdeal::population::cases::{self, CaseBytes, CaseFile, Listing};

/// Every command, by the words that name it.
pub(crate) const COMMANDS: [&[&str]; 33] = [
    &[],
    &["demo"],
    &["run"],
    &["audit"],
    &["night"],
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
    &["convert"],
    &["solve"],
    &["lead"],
    &["contracts"],
    &["number"],
    &["number", "encode"],
    &["number", "decode"],
    &["squaredeal"],
    &["squaredeal", "new"],
    &["squaredeal", "value"],
    &["squaredeal", "deal"],
    &["squaredeal", "verify"],
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
pub(crate) const SHORT_RUN: [&str; 5] = [
    "run",
    "nine-spades",
    "--deals=1000",
    "--seed=1",
    "--target=1",
];

/// The same from a listing.
pub(crate) const SHORT_LISTED_RUN: [&str; 6] = [
    "run",
    "nine-spades",
    "--deals=1000",
    "--seed=1",
    "--target=1",
    "--sampler=listing",
];

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

/// The case files of [`KINDS`], made once for all tests.
pub(crate) fn kinds() -> &'static [(&'static str, CaseFile<CaseBytes>)] {
    static FILES: LazyLock<Vec<(&str, CaseFile<CaseBytes>)>> = LazyLock::new(|| {
        let folder = folder();
        let file = |text| {
            let (path, _) = case_file(folder.path(), &condition(text), None);
            (text, cases::read(&path).unwrap())
        };
        KINDS.into_iter().map(file).collect()
    });
    &FILES
}

/// The words of a command: a sentence that is split at spaces, or words that may contain some.
pub(crate) trait Words {
    fn words(&self) -> Vec<&str>;
}

impl Words for str {
    fn words(&self) -> Vec<&str> {
        self.split_whitespace().collect()
    }
}

impl Words for [&str] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl<const N: usize> Words for [&str; N] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl Words for Vec<&str> {
    fn words(&self) -> Vec<&str> {
        self.clone()
    }
}

impl Words for String {
    fn words(&self) -> Vec<&str> {
        self.split_whitespace().collect()
    }
}

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_fairdeal");

/// A cache that all audits share: the perfect sets that they compare their boards with are dealt once
/// for each number of boards.
pub(crate) fn shared_cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("perfect-sets")
}

/// The program in a folder, with a cache of its own there unless it audits.
pub(crate) fn program(folder: &Path, command: &(impl Words + ?Sized)) -> Command {
    let mut program = Command::new(PROGRAM);
    let words = command.words();
    let cache = match words.first() {
        Some(&"audit") => shared_cache(),
        _ => folder.join("cache/fairdeal"),
    };
    program.args(words).current_dir(folder);
    program.env("FAIRDEAL_CACHE", cache);
    program.env("NO_COLOR", "1").env("COLUMNS", "120");
    program
}

/// Runs the program in a folder to its end.
pub(crate) fn fairdeal(folder: &Path, command: &(impl Words + ?Sized)) -> Output {
    program(folder, command).output().unwrap()
}

/// Starts the program in a folder, to be ended by a test.
pub(crate) fn start(folder: &Path, command: &(impl Words + ?Sized)) -> Child {
    let mut program = program(folder, command);
    program.stdin(Stdio::piped()).stdout(Stdio::piped());
    program.stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs the program in a folder with this standard input; it may end before it has read it.
pub(crate) fn fed(folder: &Path, command: &(impl Words + ?Sized), input: &[u8]) -> Output {
    let mut child = start(folder, command);
    _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// What the program prints that ends well.
pub(crate) fn printed(folder: &Path, command: &(impl Words + ?Sized)) -> String {
    let done = fairdeal(folder, command);
    assert_eq!(code(&done), 0, "{:?}: {}", command.words(), stderr(&done));
    stdout(&done)
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

/// Numbers that seem random and are always the same.
pub(crate) struct Numbers<'g>(fairdeal::draw::RandomStream<'g>);

impl<'g> Numbers<'g> {
    pub(crate) fn new(generator: &'g dyn Generator, which: u64) -> Self {
        let id = fairdeal::draw::StreamId::new(which, fairdeal::draw::StreamPurpose::Plain, 0);
        Self(fairdeal::draw::RandomStream::new(generator, id))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        fairdeal::draw::below(&mut self.0, bound as u128).unwrap() as usize
    }
}
