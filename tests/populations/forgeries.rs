//! Forged case files, with valid checksums but not the listing of their condition: no command
//! deals or computes from them.
//!
//! `scripts/forgeries.sh` prints the table of these tests.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]
#![allow(clippy::print_stdout, reason = "the script makes its table of it")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{
    Aligned, case_file, code, complaint, condition, fairdeal, folder, reseal, stderr, stdout,
};
use fairdeal::bridge::{Honours, PatternIndex, Seat};
use fairdeal::language::{HandCase, Predeal};
use fairdeal::population::cases::{self, Case, CaseFile, CaseRecord, Deck, Listing, Recounted};
use fairdeal::population::cells;

/// Both hands by pattern and by honours, with cases of many weights.
const CONDITION: &str =
    "hcp(west) >= 27 && spades(west) >= 8 && hcp(east) >= 8 && hearts(east) >= 8";
const WEAKER: &str = "hcp(west) >= 27 && spades(west) >= 8 && hcp(east) >= 8 && hearts(east) >= 7";
const STRONGER: &str =
    "hcp(west) >= 27 && spades(west) >= 8 && hcp(east) >= 8 && hearts(east) >= 9";
const OTHER: &str = "hcp(west) >= 27 && spades(west) >= 8 && hcp(east) >= 8 && clubs(east) >= 8";
const WITH_PREDEAL: &str = "predeal west S2\ncondition hcp(west) >= 27 && spades(west) >= 8 && hcp(east) >= 8 && hearts(east) >= 8";

/// A case file in parts, to be put together again under checksums that fit.
#[derive(Clone)]
struct Parts {
    first: Seat,
    second: Option<Seat>,
    text: String,
    cases: Vec<Case>,
    weights: Vec<u128>,
    /// Bits that no listing sets, by record.
    extra: Option<usize>,
    /// What the header's T is more than the sum of the weights.
    more: u128,
    /// What the header's number of cases is more than the records.
    more_cases: u64,
    /// What the second index entry is more than the total before its record.
    index_error: u128,
}

/// Index entries are rarer than the records of these files: as many as the format allows.
const INTERVAL: usize = 256;

impl Parts {
    fn of(text: &str, order: Option<&[Seat]>) -> Self {
        let folder = folder();
        let (_, file) = case_file(folder.path(), &condition(text), order);
        let weights = (0..file.cases()).map(|case| {
            let before = file.total_before(case);
            file.records()[case as usize].total() - before
        });
        Self {
            first: file.header().first,
            second: file.header().second,
            text: text.to_owned(),
            cases: file
                .records()
                .iter()
                .map(|record| record.case().unwrap())
                .collect(),
            weights: weights.collect(),
            extra: None,
            more: 0,
            more_cases: 0,
            index_error: 0,
        }
    }

    /// Gives every case its weight; the least where it has none.
    fn weigh(&mut self) {
        let mut bytes = self.bytes();
        reseal(&mut bytes);
        let file = CaseFile::new(Aligned::new(&bytes)).unwrap();
        let deck = file.deck();
        let weigh = |case: &Case| u128::from(cases::weight(&deck, case.first, case.second).max(1));
        self.weights = self.cases.iter().map(weigh).collect();
    }

    fn bytes(&self) -> Vec<u8> {
        let length = (160 + self.text.len()).next_multiple_of(4096);
        let mut bytes = vec![0; length];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        let total: u128 = self.weights.iter().sum();
        let index_offset = length + 16 * self.cases.len();
        put(0, b"FDCASES1");
        put(8, &1u32.to_le_bytes());
        put(12, &(length as u32).to_le_bytes());
        put(16, &(total + self.more).to_le_bytes());
        put(
            32,
            &(self.cases.len() as u64 + self.more_cases).to_le_bytes(),
        );
        put(
            40,
            &(index_offset as u64 + 16 * self.more_cases).to_le_bytes(),
        );
        put(48, &(INTERVAL as u32).to_le_bytes());
        put(
            52,
            &[self.first as u8, self.second.map_or(255, |seat| seat as u8)],
        );
        put(56, &(self.text.len() as u32).to_le_bytes());
        put(160, self.text.as_bytes());
        let (mut total, mut index) = (0, Vec::new());
        for (place, (case, weight)) in self.cases.iter().zip(&self.weights).enumerate() {
            if place.is_multiple_of(INTERVAL) {
                index.push(total);
            }
            total += weight;
            let mut record = u128::from_le_bytes(
                bytemuck::bytes_of(&CaseRecord::new(total, *case))
                    .try_into()
                    .unwrap(),
            );
            if self.extra == Some(place) {
                record |= 1 << 126;
            }
            bytes.extend(record.to_le_bytes());
        }
        index[1] += self.index_error;
        bytes.extend(index.into_iter().flat_map(u128::to_le_bytes));
        reseal(&mut bytes);
        bytes
    }

    /// The first case, from the middle, that another can take the place of.
    fn replace(&mut self, other: impl Fn(&Case) -> Option<Case>) -> usize {
        let middle = self.cases.len() / 2;
        let (place, case) = (middle..self.cases.len())
            .find_map(|place| Some((place, other(&self.cases[place])?)))
            .unwrap();
        self.cases[place] = case;
        place
    }
}

/// The weight of a case of the condition.
fn weight(case: &Case) -> u64 {
    let deck = Deck::new(&Predeal::NONE, Seat::West, Some(Seat::East));
    cases::weight(&deck, case.first, case.second)
}

/// The same case with another first hand of any weight for which this holds.
fn with_first(
    case: &Case,
    firsts: impl Iterator<Item = HandCase>,
    holds: impl Fn(&Case) -> bool,
) -> Option<Case> {
    let mut all = firsts.map(|first| Case { first, ..*case });
    all.find(|other| other != case && weight(other) > 0 && holds(other))
}

fn patterns(case: &Case) -> impl Iterator<Item = HandCase> {
    let honours = case.first.honours;
    PatternIndex::all().map(move |pattern| HandCase {
        pattern: Some(pattern),
        honours,
    })
}

fn honours(case: &Case) -> impl Iterator<Item = HandCase> {
    let pattern = case.first.pattern;
    Honours::all().map(move |honours| HandCase {
        pattern,
        honours: Some(honours),
    })
}

fn points(case: &Case) -> u32 {
    case.first.honours.unwrap().hcp()
}

/// Every kind of forgery, and what it makes of a sound file.
fn forgeries() -> Vec<(&'static str, Vec<u8>)> {
    let sound = Parts::of(CONDITION, None);
    assert!(
        sound.cases.len() > 2 * INTERVAL,
        "{} cases",
        sound.cases.len()
    );
    let middle = sound.cases.len() / 2;
    let forged = |forge: &dyn Fn(&mut Parts)| {
        let mut parts = sound.clone();
        forge(&mut parts);
        parts.bytes()
    };
    let listed = |text: &str| {
        let mut parts = Parts::of(text, None);
        CONDITION.clone_into(&mut parts.text);
        parts.bytes()
    };
    let under = |text: &'static str| forged(&|parts| text.clone_into(&mut parts.text));
    vec![
        (
            "weight times 50",
            forged(&|parts| parts.weights[middle] *= 50),
        ),
        (
            "weights plus and minus 1, T kept",
            forged(&|parts| {
                let heavy = (0..middle).find(|&place| parts.weights[place] > 1).unwrap();
                parts.weights[heavy] -= 1;
                parts.weights[middle] += 1;
            }),
        ),
        (
            "rare case's weight moved to a common one",
            forged(&|parts| {
                let by_weight = |&place: &usize| parts.weights[place];
                let rare = (0..parts.cases.len()).filter(|&place| parts.weights[place] > 1);
                let rare = rare.min_by_key(by_weight).unwrap();
                let common = (0..parts.cases.len()).max_by_key(by_weight).unwrap();
                parts.weights[common] += parts.weights[rare] - 1;
                parts.weights[rare] = 1;
            }),
        ),
        (
            "weights all alike",
            forged(&|parts| {
                let mean = parts.weights.iter().sum::<u128>() / parts.weights.len() as u128;
                parts.weights.fill(mean);
            }),
        ),
        (
            "case twice",
            forged(&|parts| {
                parts.cases.insert(middle, parts.cases[middle]);
                parts.weights.insert(middle, parts.weights[middle]);
            }),
        ),
        (
            "case twice instead of another",
            forged(&|parts| {
                let twin =
                    (0..middle).find(|&place| parts.weights[place] == parts.weights[place + 1]);
                let twin = twin.unwrap();
                parts.cases[twin + 1] = parts.cases[twin];
            }),
        ),
        (
            "case left out",
            forged(&|parts| {
                parts.cases.remove(middle);
                parts.weights.remove(middle);
            }),
        ),
        (
            "cases in another order",
            forged(&|parts| {
                parts.cases.swap(middle, middle + 1);
                parts.weights.swap(middle, middle + 1);
            }),
        ),
        (
            "seats exchanged in the header",
            forged(&|parts| {
                (parts.first, parts.second) = (Seat::East, Some(Seat::West));
            }),
        ),
        (
            "other seats in the header",
            forged(&|parts| parts.second = Some(Seat::South)),
        ),
        (
            "hands of each case exchanged",
            forged(&|parts| {
                for case in &mut parts.cases {
                    *case = Case {
                        first: case.second.unwrap(),
                        second: Some(case.first),
                    };
                }
            }),
        ),
        (
            "listing in the other order",
            forged(&|parts| {
                let other = Parts::of(CONDITION, Some(&[Seat::East, Seat::West]));
                (parts.cases, parts.weights) = (other.cases, other.weights);
            }),
        ),
        ("text of another condition", under(OTHER)),
        ("text of a weaker condition", under(WEAKER)),
        ("text of a stronger condition", under(STRONGER)),
        ("listing of a weaker condition", listed(WEAKER)),
        ("text with predealt cards", under(WITH_PREDEAL)),
        ("text that mentions no hand", under("1 == 1")),
        ("text that is no condition", under("hcp(west")),
        (
            "pattern of equal weight",
            forged(&|parts| {
                parts.replace(|case| {
                    with_first(case, patterns(case), |other| weight(other) == weight(case))
                });
            }),
        ),
        (
            "honours of equal points and weight",
            forged(&|parts| {
                parts.replace(|case| {
                    with_first(case, honours(case), |other| {
                        points(other) == points(case) && weight(other) == weight(case)
                    })
                });
            }),
        ),
        (
            "honours of other points",
            forged(&|parts| {
                parts.replace(|case| {
                    with_first(case, honours(case), |other| points(other) > points(case))
                });
                parts.weigh();
            }),
        ),
        (
            "case outside of the condition, of equal weight",
            forged(&|parts| {
                parts.replace(|case| {
                    with_first(case, honours(case), |other| {
                        points(other) < 27 && weight(other) == weight(case)
                    })
                });
            }),
        ),
        (
            "second hand off in a case",
            forged(&|parts| {
                parts.cases[middle].second = None;
                parts.weigh();
            }),
        ),
        (
            "second hand off in all cases",
            forged(&|parts| {
                parts.second = None;
                for case in &mut parts.cases {
                    case.second = None;
                }
                parts.weigh();
            }),
        ),
        (
            "honours of a hand off",
            forged(&|parts| {
                for case in &mut parts.cases {
                    case.first.honours = None;
                }
                parts.weigh();
            }),
        ),
        ("unused bit", forged(&|parts| parts.extra = Some(middle))),
        ("index entry", forged(&|parts| parts.index_error = 1)),
        ("T more by one", forged(&|parts| parts.more = 1)),
        (
            "number of cases more by one",
            forged(&|parts| parts.more_cases = 1),
        ),
    ]
}

/// Deals that could be audited.
fn deals(folder: &Path) {
    let dealt = fairdeal(
        folder,
        &["deal", "--where", CONDITION, "-n", "40", "--seed", "1"],
    );
    assert_eq!(code(&dealt), 0, "{}", stderr(&dealt));
    fs::write(folder.join("deals.pbn"), dealt.stdout).unwrap();
}

/// Every command that opens `x.cases`, by a short name.
const COMMANDS: [(&str, &[&str]); 7] = [
    (
        "run",
        &[
            "run", "x.cases", "--deals", "20000", "--seed", "1", "--quiet", "--force",
        ],
    ),
    ("deal", &["deal", "x.cases", "-n", "3", "--seed", "1"]),
    ("theory", &["theory", "x.cases", "--quiet"]),
    (
        "audit",
        &[
            "audit",
            "deals.pbn",
            "--condition",
            "x.cases",
            "--quiet",
            "--force",
        ],
    ),
    (
        "number",
        &[
            "number", "decode", "--scheme", "cases", "--cases", "x.cases", "0",
        ],
    ),
    (
        "bench",
        &["bench", "x.cases", "--deals", "64Ki", "--rounds", "2"],
    ),
    ("verify", &["cases", "verify", "x.cases", "--quiet"]),
];

/// A folder with the sound `x.cases`, which every command takes, and deals to audit.
fn folder_with_sound_file() -> tempfile::TempDir {
    let folder = folder();
    deals(folder.path());
    let sound = Parts::of(CONDITION, None).bytes();
    fs::write(folder.path().join("x.cases"), sound).unwrap();
    for (name, command) in COMMANDS {
        let output = fairdeal(folder.path(), command);
        assert!(
            [0, 4].contains(&code(&output)),
            "{name}: {}",
            stderr(&output)
        );
    }
    folder
}

/// The complaint of a command that refuses the forgery in `x.cases`.
fn refusal(folder: &Path, kind: &str, (name, command): (&str, &[&str])) -> String {
    let output = fairdeal(folder, command);
    assert_eq!(code(&output), 65, "{kind}, {name}: {}", stderr(&output));
    let said = complaint(&output);
    assert!(said.contains("x.cases "), "{kind}, {name}: {said}");
    assert!(said.contains("build"), "{kind}, {name}: {said}");
    said
}

/// Whether the library takes a file for the listing of its condition.
fn is_taken(bytes: &[u8]) -> bool {
    CaseFile::new(Aligned::new(bytes)).is_ok_and(|file| cells::recount(&file).is_ok())
}

#[test]
#[ignore = "long"]
fn forgeries_are_refused() {
    // A listing with right checksums and wrong weights was dealt from, and passed.
    assert!(is_taken(&Parts::of(CONDITION, None).bytes()));
    let folder = folder_with_sound_file();
    // Every command refuses some kinds, and every kind is refused by some command; the others
    // check files by the same call.
    for ((kind, bytes), command) in forgeries().into_iter().zip(COMMANDS.into_iter().cycle()) {
        assert!(!is_taken(&bytes), "{kind}");
        fs::write(folder.path().join("x.cases"), bytes).unwrap();
        refusal(folder.path(), kind, command);
    }
}

/// What scripts measure, which `cargo test` leaves out.
mod measurements {
    use super::*;

    #[test]
    #[ignore = "a table of hundreds of program starts: scripts/forgeries.sh"]
    fn forgeries_are_refused_by_every_command() {
        let folder = folder_with_sound_file();
        for (kind, bytes) in forgeries() {
            fs::write(folder.path().join("x.cases"), bytes).unwrap();
            let mut said = String::new();
            for command in COMMANDS {
                said = refusal(folder.path(), kind, command);
                println!("forgery | {kind} | {} | refused", command.0);
            }
            let said = said.trim_end().trim_start_matches("error: ");
            println!("forgery | {kind} | says | {said}");
        }
    }
}

/// The one case file of a cache.
fn kept(folder: &Path) -> PathBuf {
    let files = fs::read_dir(folder.join("cache/fairdeal")).unwrap();
    let mut cases = files
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "cases"));
    let path = cases.next().unwrap();
    assert!(cases.next().is_none());
    path
}

#[test]
#[ignore = "long"]
fn forgeries_in_the_cache_are_listed_again() {
    // Whoever could write to the cache decided what was dealt.
    let folder = folder();
    let deal = "deal -n 20 --seed 1 --sampler cases --where";
    let deal: Vec<&str> = deal.split(' ').chain([CONDITION]).collect();
    let dealt = fairdeal(folder.path(), &deal);
    assert_eq!(code(&dealt), 0, "{}", stderr(&dealt));
    let path = kept(folder.path());
    let sound = fs::read(&path).unwrap();
    for (kind, bytes) in forgeries() {
        fs::write(&path, bytes).unwrap();
        let again = fairdeal(folder.path(), &deal);
        assert_eq!(code(&again), 0, "{kind}: {}", stderr(&again));
        let said = stderr(&again);
        assert_eq!(said.lines().count(), 1, "{kind}: {said}");
        assert!(said.starts_with("warning: "), "{kind}: {said}");
        assert!(
            said.contains("listing the condition again"),
            "{kind}: {said}"
        );
        assert_eq!(stdout(&again), stdout(&dealt), "{kind}");
        assert_eq!(fs::read(kept(folder.path())).unwrap(), sound, "{kind}");
        println!("forgery | {kind} | cache | listed again");
    }
}

#[test]
#[ignore = "long"]
fn sound_files_of_every_kind_are_accepted() {
    // A check that refuses what is sound is no check.
    // Each is listed in both orders, so that those of these two are tested with another kind.
    let is_repeated = |text: &&str| {
        text.starts_with("spades(east) == 6 &&") || text.starts_with("hcp(south) >= 12 &&")
    };
    for text in crate::common::KINDS
        .into_iter()
        .filter(|text| !is_repeated(text))
        .chain([CONDITION, WEAKER, STRONGER, OTHER, WITH_PREDEAL])
    {
        let condition = condition(text);
        let seats = Listing::new(&condition, None).unwrap().seats();
        let own = [Some(seats.0), seats.1]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>();
        let reversed: Vec<Seat> = own.iter().rev().copied().collect();
        for order in [own, reversed] {
            let folder = folder();
            let (_, file) = case_file(folder.path(), &condition, Some(&order));
            let recounted = cells::recount(&file).unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
            // Listing this one takes too long; the others are compared whole.
            let is_long = text.contains("hcp(south) + hcp(east)");
            assert!(
                recounted == Recounted::All || is_long && recounted == Recounted::Totals,
                "{text}: {recounted:?}"
            );
        }
    }
}
