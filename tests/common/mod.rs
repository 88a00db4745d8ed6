//! What several tests need.
#![allow(dead_code, reason = "every test uses another part of it")]
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use std::path::{Path, PathBuf};

use fairdeal::cards::Seat;
use fairdeal::cases::{self, CaseBytes, CaseFile, Listing};
use fairdeal::condition::{Condition, Scenario};

/// A folder of this test's own, removed when the test ends.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
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
