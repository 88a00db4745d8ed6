//! Cases and their weights: listed from a plan, stored in a file, located by number.
//!
//! ```text
//! plan --Listing--> records --write--> case file --map--> CaseFile --locate--> a case for a number
//! below T
//! ```
//!
//! A [`HandCase`] fixes the pattern, the honours or both of one hand. A case consists of one or two
//! of them, and its [`weight`] is the number of ways to complete those hands.
//! [`Listing`] enumerates the cases in the order of the essays, [`census()`] counts them without
//! enumerating them, and [`CaseFile`] reads the files that [`write()`] writes.
//! docs/reference/case-file.md specifies the format.
//!
//! [`HandCase`]: crate::language::HandCase

mod census;
mod divide;
mod failing;
mod file;
mod groups;
mod header;
mod joint;
mod listing;
mod map;
mod open_error;
mod record;
mod runs;
mod sections;
mod source;
mod stamp;
mod verify;
mod weight;
mod write;

pub use crate::atomic_file::{Parts, remove_abandoned_parts, target_of};
pub use census::{Census, DEFAULT_MAX_CASES, census};
pub use divide::{Candidate, DivideLimits, Division, ListedPart, divide, part, reject, whole};
pub use file::{CaseFile, LocatedCase};
pub use groups::WeightGroup;
pub use groups::{GroupIndex, class_of};
pub use header::WEIGHT_CLASSES;
pub use header::{DamagedFile, FORMAT_VERSION, Header};
pub use listing::{LISTER_VERSION, Listing, ListingError};
pub use map::{CaseBytes, leave_when_cut_short, open, read};
pub use open_error::OpenError;
pub use record::{Case, CaseRecord, DamagedRecord, Field};
pub use runs::Runs;
pub use source::{CaseChunk, CaseSource};
pub use stamp::FileStamp;
pub use verify::VerifyError;
pub use weight::weight;
pub use write::{WriteError, Written, list, write};
