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
