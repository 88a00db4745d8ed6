//! The record of a run of a mix.

use serde::{Deserialize, Serialize};

use super::record::Stopped;
use crate::battery::Level;

/// The contents of mix.json: the verdict of each type of a mix, and that of the whole mix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixRecord {
    /// The program and its version.
    pub program: String,
    /// Name of the script.
    pub name: String,
    /// The seed of every type; `None` if random words were read.
    pub seed: Option<String>,
    /// Number of deals of all types.
    pub dealt: u64,
    /// The largest of the types' S + log10(share); `None` without tests.
    pub largest_s: Option<f64>,
    /// The verdict of the mix.
    pub verdict: Level,
    /// The types with deals, in the order of the script.
    pub types: Vec<MixTypeRecord>,
}

/// A type of a mix that was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixTypeRecord {
    /// The name that the script defines.
    pub name: String,
    /// The type's parts of the mix.
    pub parts: u64,
    /// The parts of all types.
    pub of: u64,
    /// Number of deals asked for.
    pub deals: u64,
    /// Number of deals.
    pub dealt: u64,
    /// Why the run ended before all deals, if it did.
    pub stopped: Option<Stopped>,
    /// The largest S of its tests; `None` without tests.
    pub largest_s: Option<f64>,
    /// The verdict.
    pub verdict: Level,
    /// Folder of its report, within the mix's folder.
    pub folder: String,
}

/// The properties by which two runs of a mix are the same.
#[derive(Clone, Copy, Debug)]
pub struct MixSubject<'m> {
    /// The names, parts and deals of its types.
    pub types: &'m [(&'m str, u64, u64)],
    /// The seed, if it is given.
    pub seed: Option<&'m str>,
    /// Whether a seed that is not given is that of the record.
    pub is_resumed: bool,
}
