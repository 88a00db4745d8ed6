//! run.json: the record of a run, its host and its result.

use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::identity::{Identity, differences};
use super::number::fraction;
use crate::battery::Heterogeneity;
use crate::battery::{Level, LookRecord, Verdict};
use crate::bridge::Seat;
use crate::observer::Observer;
use crate::population::OpenListing;
use crate::population::cases::{self, Header};
use crate::population::cells::Cells;
use crate::printable::three_digits_log10;
use crate::printable::{thousands, with_noun};
use crate::run::{Pace, Part, PartRange};
use crate::sampler::Planning;
use crate::stats::binomial_interval;
use crate::stats::elementary::log10;
use fairdeal_theory::Ratio;

/// The program and its version, as written in records.
pub const PROGRAM: &str = concat!("fairdeal ", env!("CARGO_PKG_VERSION"));

/// Confidence of the bounds on a probability.
const CONFIDENCE: f64 = 0.999;

/// Why a run has fewer deals than requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stopped {
    /// The time limit was reached.
    #[serde(rename = "time limit")]
    TimeLimit,
    /// The requested verdict was reached.
    #[serde(rename = "verdict")]
    Verdict,
    /// A stop was requested.
    #[serde(rename = "interrupted")]
    Interrupted,
    /// The limit of deals to draw was reached.
    #[serde(rename = "no more deals")]
    NoMoreDeals,
    /// Its deals are still being solved, or the process was killed.
    #[serde(rename = "unfinished")]
    Unfinished,
}

impl Stopped {
    /// Why work ends now, if a stop is requested or its time is over.
    pub fn now(observer: &dyn Observer, deadline: Option<Instant>) -> Option<Self> {
        let is_over = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        match observer.is_stop_asked() {
            true => Some(Self::Interrupted),
            false => is_over().then_some(Self::TimeLimit),
        }
    }

    /// The reason in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TimeLimit => "time limit",
            Self::Verdict => "verdict",
            Self::Interrupted => "interrupted",
            Self::NoMoreDeals => "no more deals",
            Self::Unfinished => "unfinished",
        }
    }
}

/// What the records of a run and of an audit have in common.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CommonRecord {
    /// The program and its version.
    pub program: String,
    /// The case file, if deals were drawn from one, or are those of a condition.
    pub case_file: Option<CaseFileRecord>,
    /// T, or the number of all deals, in decimal.
    pub total: String,
    /// Number of threads.
    pub threads: usize,
    /// When it began, UTC.
    pub start: String,
    /// When its last deal was dealt or counted, UTC.
    pub end: String,
    /// Seconds of dealing, without the time between an interruption and `--resume`, or of reading.
    pub seconds: f64,
    /// The host.
    pub host: HostRecord,
    /// The verdict: `PASS`, `INCONCLUSIVE`, `SUSPICIOUS`, `VERY SUSPICIOUS`, `FAIL` or `INVALID`.
    pub verdict: Level,
    /// The evidence of the verdict; `None` if no deal was tested.
    pub evidence: Option<EvidenceRecord>,
    /// `exact`, or the reason why `expected`, `probability` and `z` are empty.
    pub expected: String,
}

/// The contents of run.json.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunRecord {
    /// The fields that audit.json has too.
    #[serde(flatten)]
    pub common: CommonRecord,
    /// The parameters that determine the counts.
    #[serde(flatten)]
    pub identity: Identity,
    /// The inputs of the choice of the sampler.
    pub planning: Planning,
    /// Number of cases; `None` without a listing.
    pub cases: Option<u64>,
    /// The cells, if deals were drawn from cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<CellsRecord>,
    /// The filter, with the deals drawn and kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<FilterRecord>,
    /// The probability that a deal with the predealt cards satisfies the condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<ProbabilityRecord>,
    /// The instruction set used: `portable`, `avx2`, `avx512` or `neon`.
    pub path: String,
    /// Deals by slice of time, since the run began or was last resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<Pace>,
    /// The number of deals in the report, drawn in complete batches.
    pub dealt: u64,
    /// The reason why there are fewer deals than requested: `time limit`, `verdict` or `interrupted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stopped>,
    /// How often the run was resumed.
    pub resumed: u32,
    /// The part of the run, if the report covers one part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<PartRecord>,
    /// Number of MPI processes, if there were several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<usize>,
    /// The parts of a merged report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<MergedPart>,
    /// Tests of differences between the parts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub between_parts: Vec<Heterogeneity>,
    /// The battery.
    pub battery: String,
}

impl RunRecord {
    /// Describes the number of deals in the report, beside the number asked for if that is larger
    /// and known: `1,048,576 of 10,485,760 deals`.
    pub fn dealt_of_asked(&self) -> String {
        let part = self.part.as_ref();
        let asked = part.map_or(self.identity.deals, |part| part.deals);
        match self.dealt == asked || self.identity.is_endless() {
            true => with_noun(self.dealt, "deal"),
            false => format!("{} of {}", thousands(self.dealt), with_noun(asked, "deal")),
        }
    }

    /// Describes whether the merged parts differ significantly; `None` if they were not compared.
    pub fn between_parts(&self) -> Option<String> {
        let all = &self.between_parts;
        let least = all.iter().min_by(|a, b| a.log10_p.total_cmp(&b.log10_p))?;
        let corrected = (least.log10_p + log10(all.len() as f64)).min(0.0);
        let p = three_digits_log10(corrected);
        let compared = with_noun(all.len() as u64, "comparison");
        let (what, whose) = (&least.quantity, &least.subject);
        Some(match corrected {
            corrected if corrected > -2.0 => {
                format!("consistent: smallest corrected p of {compared} is {p}")
            }
            _ => format!("DIFFERENT, most in {what} ({whose}): corrected p of {compared} is {p}"),
        })
    }
}

/// A part of a run, by its batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRecord {
    /// The number of this part, and the number of parts.
    #[serde(flatten)]
    pub part: Part,
    /// The number of its first batch, from 0.
    pub first_batch: u64,
    /// Number of batches.
    pub batches: u64,
    /// The number of its first deal, from 0.
    pub first_deal: u64,
    /// Number of deals.
    pub deals: u64,
}

impl PartRecord {
    /// The record of a part with these batches and deals.
    pub fn new(part: Part, range: &PartRange) -> Self {
        Self {
            part,
            first_batch: range.batches.start,
            batches: range.batches.end - range.batches.start,
            first_deal: range.deals.start,
            deals: range.count(),
        }
    }

    /// Returns its batches and deals; `None` if their numbers overflow.
    pub fn range(&self) -> Option<PartRange> {
        Some(PartRange {
            batches: self.first_batch..self.first_batch.checked_add(self.batches)?,
            deals: self.first_deal..self.first_deal.checked_add(self.deals)?,
        })
    }
}

/// A part of a merged report.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MergedPart {
    /// The part with its batches and deals.
    #[serde(flatten)]
    pub part: PartRecord,
    /// The folder of its report.
    pub path: String,
    /// Seconds from its first deal to its last.
    pub seconds: f64,
    /// When it began, UTC.
    pub start: String,
    /// How often it was resumed.
    pub resumed: u32,
    /// Number of threads; `None` if its report is missing.
    pub threads: Option<usize>,
    /// The host's name; empty if its report is missing.
    pub host: String,
    /// The verdict of its own report.
    pub verdict: Option<Level>,
}

/// The record of a run in its checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckpointRecord {
    /// The program and its version.
    pub program: String,
    /// The parameters that determine the counts.
    #[serde(flatten)]
    pub identity: Identity,
    /// The inputs of the choice of the sampler.
    pub planning: Planning,
    /// The case file, if deals are drawn from one.
    pub case_file: Option<CaseFileRecord>,
    /// The battery.
    pub battery: String,
    /// Deals that a PASS requires.
    pub target: u64,
    /// Maximum number of deals kept to find duplicates.
    pub keep: u64,
    /// The part of the run, if it covers one part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<PartRecord>,
    /// When the run began, UTC.
    pub start: String,
    /// Seconds so far.
    pub seconds: f64,
    /// Deals so far, including those of unfinished batches.
    pub dealt: u64,
    /// How often it was resumed.
    pub resumed: u32,
}

impl CheckpointRecord {
    /// Describes how the saved run differs from another; `None` if it does not.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if let Some(difference) = self.run_differs(other) {
            return Some(difference);
        }
        let parts = [self, other].map(|record| name_of_part(record.part.as_ref()));
        differences([("part", parts)]).next()
    }

    /// Describes how the saved run differs from another, without regard to parts; `None` if it does
    /// not.
    pub fn run_differs(&self, other: &Self) -> Option<String> {
        if let Some(difference) = self.identity.difference(&other.identity) {
            return Some(difference);
        }
        let records = [self, other];
        let hash = |record: &Self| {
            let file = record.case_file.as_ref();
            file.map_or_else(String::new, |file| file.records_blake3.clone())
        };
        let fields = [
            ("program", records.map(|record| record.program.clone())),
            ("case file", records.map(hash)),
            ("battery", records.map(|record| record.battery.clone())),
            ("target", records.map(|record| record.target.to_string())),
            ("deals kept", records.map(|record| record.keep.to_string())),
        ];
        let differing: Vec<String> = differences(fields).collect();
        (!differing.is_empty()).then(|| differing.join(", "))
    }
}

/// Returns the name of a part: `3/7`; empty for a run without parts.
pub(crate) fn name_of_part(part: Option<&PartRecord>) -> String {
    part.map_or_else(String::new, |record| record.part.to_string())
}

/// A filter, with the deals drawn and kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FilterRecord {
    /// Its terms. A kept deal satisfies all of them.
    pub terms: Vec<String>,
    /// Deals drawn.
    pub drawn: u64,
    /// Deals kept. The tables cover these deals; the verdict covers all deals drawn.
    pub kept: u64,
    /// Bounds on the acceptance rate, at 99.9 % confidence; `None` before any deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance: Option<[f64; 2]>,
}

impl FilterRecord {
    /// The record of a filter with these terms and counts.
    pub fn new(terms: Vec<String>, drawn: u64, kept: u64) -> Self {
        let bounds = || <[f64; 2]>::from(binomial_interval(kept, drawn, CONFIDENCE));
        Self {
            terms,
            drawn,
            kept,
            acceptance: (drawn > 0).then(bounds),
        }
    }

    /// Formats the acceptance rate with its bounds: `28.91 % of those drawn (28.44 to 29.39 %, 99.9
    /// % confidence)`.
    #[cfg(feature = "html")]
    pub(crate) fn share(&self) -> String {
        let percent = 100.0 * self.kept as f64 / self.drawn.max(1) as f64;
        match self.acceptance {
            None => format!("{percent:.4} % of those drawn"),
            Some([low, high]) => {
                let [low, high] = [low, high].map(|bound| 100.0 * bound);
                // Enough digits to tell the bounds apart.
                let digits = (1.0 - log10((high - low).max(1e-12)))
                    .ceil()
                    .clamp(2.0, 12.0) as usize;
                format!(
                    "{percent:.digits$} % of those drawn ({low:.digits$} to {high:.digits$} %, 99.9 % \
                     confidence)"
                )
            }
        }
    }
}

/// The probability that an unconstrained deal satisfies the condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProbabilityRecord {
    /// The probability, or its estimate from the deals drawn.
    pub value: f64,
    /// The exact fraction in lowest terms; `None` for an estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<String>,
    /// Bounds of an estimate at 99.9 % confidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[f64; 2]>,
}

impl ProbabilityRecord {
    /// An exact probability.
    pub fn exact(probability: Ratio) -> Self {
        Self {
            value: probability.to_f64(),
            fraction: Some(fraction(probability)),
            bounds: None,
        }
    }

    /// Estimates the probability from the number of deals that satisfy the condition.
    pub fn of_share(kept: u64, deals: u64) -> Self {
        Self {
            value: kept as f64 / deals as f64,
            fraction: None,
            bounds: Some(binomial_interval(kept, deals, CONFIDENCE).into()),
        }
    }

    /// Estimates the probability from a filter's acceptance rate, for deals drawn from this part of
    /// all deals.
    ///
    /// Returns `None` before any deal.
    pub fn estimated(part: Ratio, filter: &FilterRecord) -> Option<Self> {
        let part = part.to_f64();
        let bounds = filter.acceptance?;
        Some(Self {
            value: part * filter.kept as f64 / filter.drawn as f64,
            fraction: None,
            bounds: Some(bounds.map(|bound| part * bound)),
        })
    }
}

/// The evidence of a verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EvidenceRecord {
    /// S = log10 E* at the end; `None` before there is any evidence.
    pub s: Option<f64>,
    /// The largest S of any look, which decides the verdict.
    pub largest_s: Option<f64>,
    /// Deals and S at every look.
    pub looks: Vec<(u64, Option<f64>)>,
    /// Deals at the first look that reached the level of the verdict.
    pub reached: Option<u64>,
    /// Number of tests.
    pub tests: usize,
    /// Deals that a PASS requires.
    pub target: u64,
    /// Maximum number of deals kept to find duplicates.
    pub kept: u64,
    /// Why the deals are invalid, if they are.
    pub invalid: Option<String>,
    /// Descriptions of the strongest evidence, in the order of
    /// [`strongest`](crate::battery::strongest).
    pub strongest: Vec<String>,
    /// Descriptions of the effects that the tests detect with a probability of 0.9.
    pub detectable_effects: Vec<String>,
    /// Tests that were left out.
    pub left_out: Vec<String>,
}

impl EvidenceRecord {
    /// The evidence of a battery's verdict.
    pub fn new(verdict: &Verdict, looks: &[LookRecord], kept: u64) -> Self {
        // JSON has no infinities.
        let finite = |s: f64| s.is_finite().then_some(s);
        let strongest = verdict.strongest.iter();
        let words = strongest.map(|evidence| {
            let p = three_digits_log10(evidence.log10_p);
            format!("{}: {} (p = {p})", evidence.test, evidence.effect)
        });
        Self {
            s: finite(verdict.s),
            largest_s: finite(verdict.largest),
            looks: looks
                .iter()
                .map(|look| (look.deals, finite(look.s)))
                .collect(),
            reached: verdict.reached,
            tests: verdict.tests,
            target: verdict.target,
            kept,
            invalid: verdict.invalid.clone(),
            strongest: words.collect(),
            detectable_effects: verdict.detectable.in_words(),
            left_out: verdict.left_out.clone(),
        }
    }
}

/// The contents of theory.json.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TheoryRecord {
    /// The program and its version.
    pub program: String,
    /// The condition's source.
    pub condition: String,
    /// The seats listed, first and second, separated by a comma; empty if none.
    pub order: String,
    /// T, or the number of all deals, in decimal.
    pub total: String,
    /// Number of cases; `None` without a listing.
    pub cases: Option<u64>,
    /// The condition that the deals are known to satisfy (`--given`); `None` for all deals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
    /// The probability of the condition among these deals.
    pub probability: ProbabilityRecord,
    /// The types of a mix; empty without a mix.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<TypeRecord>,
}

/// The probability of a condition, or its estimate, where exact tables are not available.
#[derive(Clone, Debug, Serialize)]
pub struct EstimateRecord {
    /// The program and its version.
    pub program: String,
    /// The condition's source.
    pub condition: String,
    /// The condition that the deals are known to satisfy (`--given`); `None` for all deals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
    /// The probability; an estimate has bounds.
    pub probability: ProbabilityRecord,
    /// Number of deals drawn; 0 if the probability is exact.
    pub drawn: u64,
    /// The types of a mix; empty without a mix.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<TypeRecord>,
    /// Why there are no exact tables.
    pub why: String,
}

/// A type of a mix.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeRecord {
    /// Its name.
    pub name: String,
    /// Its share of the mix, as an exact fraction.
    pub share: String,
    /// Its share of the deals that satisfy the condition, as an exact fraction, if both are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub natural_share: Option<String>,
    /// Its probability among the same deals, if it is counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<ProbabilityRecord>,
    /// Why it is not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The case file of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseFileRecord {
    /// Its path; empty for a listing in memory.
    pub path: String,
    /// BLAKE3 of the checksums of its records, in hex.
    pub records_blake3: String,
}

impl CaseFileRecord {
    /// The record of a listing that deals are drawn from.
    pub fn new(listed: &OpenListing) -> Self {
        let path = listed.path.as_ref();
        let hash = listed.file.header().records_hash;
        Self {
            path: path.map_or_else(String::new, |path| path.display().to_string()),
            records_blake3: blake3::Hash::from_bytes(hash).to_string(),
        }
    }
}

/// The cells of a run. They represent `total` times `completions` deals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellsRecord {
    /// The names of the seats that are dealt by cells, in the order of the cells.
    pub hands: Vec<String>,
    /// Number of cells.
    pub cells: u64,
    /// T, the number of ways to deal these hands, in decimal.
    pub total: String,
    /// The number of ways to deal the remaining hands, in decimal; 1 if the cells cover three
    /// seats.
    pub completions: String,
}

impl CellsRecord {
    /// The record of these cells.
    pub fn new(cells: &Cells) -> Self {
        Self {
            hands: cells
                .seats()
                .iter()
                .map(|seat| seat.name().to_owned())
                .collect(),
            cells: cells.cells(),
            total: cells.total().to_string(),
            completions: cells.completions().to_string(),
        }
    }
}

/// A case file by its header, as `fairdeal cases` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListingRecord {
    /// Its path.
    pub file: String,
    /// Version of the format.
    pub format_version: u32,
    /// The seats listed, first and second, separated by a comma.
    pub order: String,
    /// Number of cases.
    pub cases: u64,
    /// T, in decimal.
    pub total: String,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// BLAKE3 of the checksums of the records, in hex.
    pub records_blake3: String,
    /// BLAKE3 of the other sections, in hex.
    pub sections_blake3: String,
    /// The condition's source.
    pub condition: String,
}

impl ListingRecord {
    /// The record of a case file with this header and length in bytes.
    pub fn new(path: &Path, header: &Header, bytes: u64) -> Self {
        let hex = |hash| blake3::Hash::from_bytes(hash).to_string();
        let seats = [Some(header.first), header.second];
        let names: Vec<&str> = seats.into_iter().flatten().map(Seat::name).collect();
        Self {
            file: path.display().to_string(),
            format_version: cases::FORMAT_VERSION,
            order: names.join(","),
            cases: header.cases,
            total: header.total.to_string(),
            bytes,
            records_blake3: hex(header.records_hash),
            sections_blake3: hex(header.sections_hash),
            condition: header.condition.clone(),
        }
    }
}

/// The machine of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HostRecord {
    /// Its name.
    pub name: String,
    /// Its operating system.
    pub os: String,
    /// Its processor family.
    pub arch: String,
    /// The name of its processor; empty if unknown.
    pub processor: String,
    /// Number of processors that the program may use.
    pub processors: usize,
}

impl HostRecord {
    /// The record of this machine.
    pub fn here() -> Self {
        Self {
            name: host_name(),
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            processor: processor().unwrap_or_default(),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// The name of this machine; empty where a system has none.
pub fn host_name() -> String {
    #[cfg(any(unix, windows))]
    return gethostname::gethostname().to_string_lossy().into_owned();
    #[cfg(not(any(unix, windows)))]
    String::new()
}

impl HostRecord {
    /// Returns the processor, architecture and system, which determine speed. The machine's name
    /// replaces the processor's if that is unknown.
    pub fn model(&self) -> String {
        let processor = match self.processor.as_str() {
            "" => &self.name,
            processor => processor,
        };
        format!("{} ({}, {})", processor, self.arch, self.os)
    }
}

/// Reads the processor's name from Linux's `/proc/cpuinfo`.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
