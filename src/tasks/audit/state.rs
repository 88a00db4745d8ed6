//! What an audit has read, without the tests: the part of its state that a checkpoint keeps.

use serde::{Deserialize, Serialize};

use super::planning::BoardsBefore;
use crate::audit::Auditor;
use crate::report::SeedSearchRecord;

/// Format of a file in an archive that has no deals.
pub(super) const NO_FORMAT: &str = "none";

/// What was read, without the tests: what a checkpoint keeps.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct ReadState {
    pub(super) auditor: Auditor,
    pub(super) files: Vec<ReadFile>,
    /// Files of folders and archives that contain no deals.
    pub(super) left_out: Vec<String>,
    pub(super) seeds: Option<SeedSearchRecord>,
    /// The boards read before the tests were planned.
    pub(super) planned: BoardsBefore,
    pub(super) place: ReadingPlace,
    /// Why the first file could not be read completely.
    pub(super) unread: Option<String>,
}

/// An input that was read.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ReadFile {
    pub(super) name: String,
    pub(super) format: String,
    /// BLAKE3 of its deals, in hex.
    pub(super) hash: String,
}

/// Place up to which the inputs are read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct ReadingPlace {
    /// Number of the path, or of the process.
    pub(super) path: u64,
    /// Number of the input among those of the path.
    pub(super) input: u64,
    /// Number of its entries that are read; `None` after its end.
    pub(super) entries: Option<u64>,
    /// Hash of the deals among these entries.
    pub(super) hash: [u8; 32],
}

impl ReadState {
    /// Adds the next part, all of whose deals are counted.
    pub(super) fn append(&mut self, part: Self) {
        self.auditor.append(part.auditor);
        self.files.extend(part.files);
        self.left_out.extend(part.left_out);
    }
}

impl ReadFile {
    pub(super) fn new(name: &str, format: &str) -> Self {
        Self {
            name: name.to_owned(),
            format: format.to_owned(),
            hash: String::new(),
        }
    }
}
