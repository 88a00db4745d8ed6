//! What an audit leaves behind beside the tables and tests of a run.

use serde::{Deserialize, Serialize};

use super::evidence::write;
use super::folder::{Folder, ReportError};
use super::number::significant;
use super::record::{CaseFileRecord, EvidenceRecord, HostRecord};
use crate::audit::{Counts, Intake, SessionRow};
use crate::battery::{Placed, TestRow};
use crate::theory::{Distribution, NullLaws};

/// What decides what an audit counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditIdentity {
    /// The files, in the order in which they were read.
    pub files: Vec<String>,
    /// What every deal should satisfy, as a condition; empty if any deal may come.
    pub condition: String,
    /// The seats listed, first and second, separated by a comma; empty if none.
    pub order: String,
    /// What else decides what is tested.
    #[serde(flatten)]
    pub options: AuditOptions,
}

/// What was asked of an audit besides files and condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditOptions {
    /// The format that was named, if one was.
    pub format: Option<String>,
    /// Whether the condition is unknown.
    pub any_condition: bool,
    /// Pairs of seats that it treats alike.
    pub alike: Vec<String>,
    /// Which tests were asked for.
    pub battery: String,
    /// Deals that a PASS takes.
    pub target: u64,
    /// Deals that are kept to find equal ones.
    pub keep: u64,
    /// Perfect sets that statistics are placed among.
    pub reference: u32,
    /// Boards of a session, if that was told.
    pub session: Option<u64>,
    /// Seconds to look for seeds.
    pub seed_search: Option<u64>,
}

/// What standard input goes by among files.
pub const STANDARD_INPUT: &str = "standard input";

impl AuditIdentity {
    /// Whether some of it came on standard input.
    pub(super) fn is_of_stream(&self) -> bool {
        self.files.iter().any(|file| file == STANDARD_INPUT)
    }
}

/// The contents of audit.json.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AuditRecord {
    /// The program and its version.
    pub program: String,
    /// What was audited.
    #[serde(flatten)]
    pub identity: AuditIdentity,
    /// What became of the boards, file by file.
    pub sources: Vec<SourceRecord>,
    /// Deals that were tested.
    pub deals: u64,
    /// Sessions of boards.
    pub sessions: u64,
    /// Boards whose dealer is not the one that their number has.
    pub odd_dealers: u64,
    /// The case file, if a condition was given.
    pub case_file: Option<CaseFileRecord>,
    /// T, or the number of all deals, in decimal.
    pub total: String,
    /// The search for seeds, if one was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_search: Option<SeedSearchRecord>,
    /// Which tests were made, where tables have no law: others than were asked for.
    pub depth: String,
    /// Whether it was interrupted before the last board.
    pub interrupted: bool,
    /// Threads that counted.
    pub threads: usize,
    /// When it began, UTC.
    pub start: String,
    /// When the last deal was counted, UTC.
    pub end: String,
    /// Seconds from the first byte to the last.
    pub seconds: f64,
    /// Where it was done.
    pub host: HostRecord,
    /// The verdict, as in run.json.
    pub verdict: String,
    /// What the verdict rests on; none if no deal was tested.
    pub evidence: Option<EvidenceRecord>,
    /// Why `expected`, `probability` and `z` are empty, if they are.
    pub expected: String,
}

/// What became of the boards of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRecord {
    /// Its name.
    pub file: String,
    /// Its format.
    pub format: String,
    /// Boards, or what should be some.
    pub read: u64,
    /// Legal deals.
    pub valid: u64,
    /// Boards that lack cards.
    pub incomplete: u64,
    /// Boards that break the rules or cannot be read.
    pub invalid: u64,
    /// Legal deals of an event and a number that were read before.
    pub duplicate: u64,
    /// Places that the file does not use.
    pub unused: u64,
}

impl SourceRecord {
    /// Of a file by its name and format.
    #[must_use]
    pub fn new(file: &str, format: &str, counts: &Counts) -> Self {
        Self {
            file: file.to_owned(),
            format: format.to_owned(),
            read: counts.read,
            valid: counts.valid,
            incomplete: counts.incomplete,
            invalid: counts.invalid,
            duplicate: counts.duplicate,
            unused: counts.unused,
        }
    }
}

/// A search for the seeds of the first deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedSearchRecord {
    /// Deals that were looked for.
    pub deals: usize,
    /// Hypotheses that were tried: seeds times ways to deal times deals; in decimal.
    pub tried: String,
    /// Whether all seeds of the dictionary were.
    pub complete: bool,
    /// Seconds it took.
    pub seconds: f64,
    /// What was found, in words.
    pub found: Vec<String>,
}

/// Writes sources.csv: what became of the boards of every file.
///
/// # Errors
///
/// [`ReportError::Io`] if it cannot be written.
pub fn write_sources(folder: &Folder, sources: &[SourceRecord]) -> Result<(), ReportError> {
    let header = [
        "file",
        "format",
        "read",
        "valid",
        "incomplete",
        "invalid",
        "duplicate",
        "unused",
    ];
    let rows = sources.iter().map(|source| {
        [
            source.file.clone(),
            source.format.clone(),
            source.read.to_string(),
            source.valid.to_string(),
            source.incomplete.to_string(),
            source.invalid.to_string(),
            source.duplicate.to_string(),
            source.unused.to_string(),
        ]
    });
    write(folder, "sources.csv", header, rows)
}

/// Writes problems.csv: every board that was not tested, up to 10,000 of them.
///
/// # Errors
///
/// As [`write_sources`].
pub fn write_problems(
    folder: &Folder,
    files: &[String],
    intake: &Intake,
) -> Result<(), ReportError> {
    let header = ["file", "line", "board", "kind", "reason"];
    let rows = intake.problems().iter().map(|problem| {
        [
            files[problem.place.input as usize].clone(),
            problem.place.line.to_string(),
            number(problem.board),
            problem.kind.name().to_owned(),
            problem.reason.clone(),
        ]
    });
    write(folder, "problems.csv", header, rows)
}

/// Writes repeats.csv: deals that are another board's too, the first hundred of them.
///
/// # Errors
///
/// As [`write_sources`].
pub fn write_repeats(
    folder: &Folder,
    files: &[String],
    intake: &Intake,
) -> Result<(), ReportError> {
    let header = ["file", "line", "first_file", "first_line"];
    let rows = intake.repeats().iter().map(|repeat| {
        [
            files[repeat.later.input as usize].clone(),
            repeat.later.line.to_string(),
            files[repeat.earlier.input as usize].clone(),
            repeat.earlier.line.to_string(),
        ]
    });
    write(folder, "repeats.csv", header, rows)
}

/// Writes reference.csv: every test's statistic among those of perfect sets.
///
/// # Errors
///
/// As [`write_sources`].
pub fn write_reference(
    folder: &Folder,
    rows: &[TestRow],
    placed: &[Option<Placed>],
) -> Result<(), ReportError> {
    let header = [
        "test",
        "subject",
        "statistic",
        "log10_p",
        "sets",
        "at_least",
        "at_most",
        "reference_log10_p",
    ];
    let each = rows.iter().zip(placed);
    let rows = each.filter_map(|(row, placed)| {
        let placed = (*placed)?;
        Some([
            row.test.name().to_owned(),
            row.subject.clone(),
            row.statistic.map_or_else(String::new, significant),
            row.log10_p.map_or_else(String::new, significant),
            placed.sets.to_string(),
            placed.at_least.to_string(),
            placed.at_most.to_string(),
            significant(placed.log10_p()),
        ])
    });
    write(folder, "reference.csv", header, rows)
}

/// Writes sessions.csv: how flat every session's boards are and how many voids they have,
/// beside what is expected where any deal may come.
///
/// # Errors
///
/// As [`write_sources`].
pub fn write_sessions(
    folder: &Folder,
    files: &[String],
    sessions: &[SessionRow],
    laws: Option<&NullLaws>,
) -> Result<(), ReportError> {
    let header = [
        "session",
        "file",
        "event",
        "first_board",
        "last_board",
        "boards",
        "mean_flatness",
        "flatness_z",
        "voids",
        "expected_voids",
        "voids_z",
    ];
    let [flatness, voids] = [
        laws.map(|laws| &laws.flatness),
        laws.map(|laws| &laws.voids),
    ]
    .map(|law| law.map(moments));
    let rows = sessions.iter().enumerate().map(|(place, row)| {
        let counted = row.counted;
        let boards = f64::from(counted.boards);
        let z = |sum: f64, law: Option<(f64, f64)>| {
            let z = law.map(|(mean, variance)| (sum - boards * mean) / (boards * variance).sqrt());
            z.map_or_else(String::new, significant)
        };
        let expected = voids.map(|(mean, _)| boards * mean);
        [
            (place + 1).to_string(),
            files[row.input].clone(),
            row.event.to_string(),
            row.first_board.to_string(),
            row.last_board.to_string(),
            counted.boards.to_string(),
            significant(counted.flatness as f64 / boards),
            z(counted.flatness as f64, flatness),
            counted.voids.to_string(),
            expected.map_or_else(String::new, significant),
            z(f64::from(counted.voids), voids),
        ]
    });
    write(folder, "sessions.csv", header, rows)
}

/// Mean and variance.
fn moments(law: &Distribution) -> (f64, f64) {
    let cells = 0..law.ways().len();
    let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
        let each = cells.clone();
        each.map(|cell| law.probability(cell).to_f64() * of(cell as f64))
            .sum()
    };
    let mean = sum(&|value| value);
    (mean, sum(&|value| (value - mean) * (value - mean)))
}

fn number(value: Option<u64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
