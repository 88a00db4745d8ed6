//! The record of an audit, and the tables that only audits have.

use super::table_name::TableName;
use serde::{Deserialize, Serialize};

use super::record::{CommonRecord, Stopped};
use super::table::{Table, table_of};
use crate::battery::{Level, PerfectSetPosition, TestRow};
use crate::run::Part;
use fairdeal_audit::{BoardCounts, BoardDifference, BoardPlace, Intake, SessionRow};
use fairdeal_theory::{Distribution, NullLaws};

/// The parameters that determine the counts of an audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditIdentity {
    /// The files, in the order in which they were read.
    pub files: Vec<String>,
    /// The program whose processes were read, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandIdentity>,
    /// The condition of every deal; empty for unconstrained deals.
    pub condition: String,
    /// The seats listed, first and second, separated by a comma; empty if none.
    pub order: String,
    /// The other options that determine the tests.
    #[serde(flatten)]
    pub options: AuditOptions,
}

/// A program that deals, and what determines its seeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandIdentity {
    /// The command as it was given.
    pub command: String,
    /// The number that determines the seeds of all processes.
    pub seed: u32,
    /// Number of boards that each process is asked for.
    pub boards: u64,
    /// The part of the audit, if it covers one part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
}

/// The options of an audit besides files and condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditOptions {
    /// Number of deals after which the audit ends, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// The requested format, if any.
    pub format: Option<String>,
    /// Whether the condition is unknown.
    pub any_condition: bool,
    /// Pairs of interchangeable seats.
    pub alike: Vec<String>,
    /// The requested battery.
    pub battery: String,
    /// Deals that a PASS requires.
    pub target: u64,
    /// Maximum number of deals kept to find duplicates.
    pub keep: u64,
    /// Number of perfect sets for reference.
    pub reference: u32,
    /// Boards per session, if given.
    pub session: Option<u64>,
    /// When two boards with the same number and cards are one board: if their events are
    /// `compatible`, always (all files are of the `same` event), or only in events of one file with
    /// the same name (`distinct`).
    pub events: String,
    /// Time limit of the seed search, in seconds.
    pub seed_search: Option<u64>,
}

/// The name of standard input among files.
pub const STANDARD_INPUT: &str = "standard input";

impl AuditIdentity {
    /// Whether the audit read what cannot be read again: standard input, or a caller's deals.
    pub(super) fn is_of_stream(&self) -> bool {
        let of_caller = self.files.is_empty() && self.command.is_none();
        of_caller || self.files.iter().any(|file| file == STANDARD_INPUT)
    }
}

/// What the page of an audit begins with, as far as it is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditHeading {
    /// The title; by default the name of the event in the files, or that of the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The organiser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organiser: Option<String>,
    /// The date of the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

impl AuditHeading {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The comparison of an audit's boards with a tournament of SquareDeal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SquareDealRecord {
    /// Name of the tournament.
    pub tournament: String,
    /// Whether the hash of the keys and all boards agree.
    pub agrees: bool,
    /// Whether every board of the tournament was given.
    pub complete: bool,
    /// The result in a sentence.
    pub words: String,
}

/// The contents of audit.json.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AuditRecord {
    /// The fields that run.json has too.
    #[serde(flatten)]
    pub common: CommonRecord,
    /// The identity of the audit.
    #[serde(flatten)]
    pub identity: AuditIdentity,
    /// The counts of boards by file.
    pub sources: Vec<SourceRecord>,
    /// Number of processes of the command that were read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<u64>,
    /// Deals that were tested.
    pub deals: u64,
    /// Sessions of boards.
    pub sessions: u64,
    /// Boards with another dealer than their number implies.
    pub odd_dealers: u64,
    /// Boards with the number and cards of a board of another event; they are not tested.
    pub undecided: u64,
    /// Boards that contradict another record of the same event; they are not tested.
    pub conflicts: NamedBoards,
    /// Tested boards with the cards of an earlier one.
    pub repeats: NamedBoards,
    /// The seed search, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_search: Option<SeedSearchRecord>,
    /// What the page begins with.
    #[serde(default, skip_serializing_if = "AuditHeading::is_empty")]
    pub heading: AuditHeading,
    /// The comparison with a tournament of SquareDeal, if one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squaredeal: Option<SquareDealRecord>,
    /// The battery that was run. It differs from the requested one if the tables have no exact law.
    pub depth: String,
    /// Why it stopped before the last board; `None` if it did not.
    pub stopped: Option<Stopped>,
    /// The parts of a merged report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<MergedAudit>,
}

/// A part of a merged audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MergedAudit {
    /// The number of the part, and the number of parts.
    #[serde(flatten)]
    pub part: Part,
    /// The folder of its report.
    pub path: String,
    /// Deals that were tested.
    pub deals: u64,
    /// Seconds of reading.
    pub seconds: f64,
    /// The host's name.
    pub host: String,
    /// The verdict of its own report.
    pub verdict: Level,
}

/// Maximum number of boards that a record and a summary name.
const MOST_NAMED: usize = 10;

/// A number of boards, the first of which are named.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedBoards {
    /// Number of boards.
    pub count: u64,
    /// The first ten in words: `board 4 of a.pbn has the cards of board 3 of b.pbn`.
    pub first: Vec<String>,
}

impl NamedBoards {
    /// The boards that contradict another record of the same event.
    pub fn conflicts(files: &[String], intake: &Intake) -> Self {
        let boards = intake.conflicts.iter().map(|it| it.in_words(files));
        Self::new(intake.conflict_count, boards)
    }

    /// The boards with the cards of an earlier one.
    pub fn repeats(files: &[String], intake: &Intake) -> Self {
        let boards = intake.repeats.iter().map(|it| it.in_words(files));
        Self::new(intake.repeat_count, boards)
    }

    fn new(count: u64, boards: impl Iterator<Item = String>) -> Self {
        let first = boards.take(MOST_NAMED).collect();
        Self { count, first }
    }

    /// Number of boards that are not named.
    pub fn others(&self) -> u64 {
        self.count - self.first.len() as u64
    }
}

/// The counts of boards of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRecord {
    /// Its name.
    pub file: String,
    /// Its format.
    pub format: String,
    /// BLAKE3 of its deals in the order read, each as the cards of north, east and south; in hex.
    pub blake3: String,
    /// Its boards.
    #[serde(flatten)]
    pub counts: BoardCounts,
}

/// A search for the seeds of the first deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedSearchRecord {
    /// Number of deals searched for.
    pub deals: usize,
    /// Hypotheses tried: seeds times dealing methods times deals, in decimal.
    pub tried: String,
    /// Whether all seeds of the dictionary were tried.
    pub complete: bool,
    /// Time taken, in seconds.
    pub seconds: f64,
    /// Descriptions of the deals found.
    pub found: Vec<String>,
}

/// `sources`: the counts of boards of every file.
pub fn sources_table(sources: &[SourceRecord]) -> Table {
    table_of!(TableName::Sources, sources, |source| {
        text "file": source.file.clone(),
        text "format": source.format.clone(),
        integer "read": source.counts.read,
        integer "valid": source.counts.valid,
        integer "incomplete": source.counts.incomplete,
        integer "invalid": source.counts.invalid,
        integer "duplicate": source.counts.duplicate,
        integer "conflict": source.counts.conflict,
        integer "unused": source.counts.unused,
        integer "text": source.counts.text,
    })
}

/// `problems`: every board that was not tested, up to 10,000 of them.
pub fn problems_table(files: &[String], intake: &Intake) -> Table {
    table_of!(TableName::Problems, &intake.problems, |problem| {
        text "file": file_of(files, problem.place),
        integer "line": problem.place.line,
        integer "board": problem.board,
        text "kind": problem.kind.name(),
        text "reason": problem.reason.clone(),
    })
}

/// `repeats`: deals that an earlier board has, the first hundred.
pub fn repeats_table(files: &[String], intake: &Intake) -> Table {
    table_of!(TableName::Repeats, &intake.repeats, |pair| {
        text "file": file_of(files, pair.later.place),
        integer "line": pair.later.place.line,
        integer "board": pair.later.number,
        text "first_file": file_of(files, pair.earlier.place),
        integer "first_line": pair.earlier.place.line,
        integer "first_board": pair.earlier.number,
    })
}

/// `conflicts`: boards that contradict another record of the same event, up to 10,000 of them;
/// `None` if there are none.
pub fn conflicts_table(files: &[String], intake: &Intake) -> Option<Table> {
    let conflicts = &intake.conflicts;
    let difference = |of: BoardDifference| match of {
        BoardDifference::Number => ("number", 0),
        BoardDifference::Cards(cards) => ("cards", cards),
    };
    let table = || {
        table_of!(TableName::Conflicts, conflicts, |pair| {
            text "file": file_of(files, pair.later.place),
            integer "line": pair.later.place.line,
            integer "board": pair.later.number,
            text "first_file": file_of(files, pair.earlier.place),
            integer "first_line": pair.earlier.place.line,
            integer "first_board": pair.earlier.number,
            text "difference": difference(pair.difference).0,
            integer "cards": difference(pair.difference).1,
        })
    };
    (!conflicts.is_empty()).then(table)
}

/// The name of a board's file.
fn file_of(files: &[String], place: BoardPlace) -> String {
    files[place.input as usize].clone()
}

/// `reference`: the rank of each test's statistic among those of perfect sets; `None` if no test
/// was ranked.
pub fn reference_table(rows: &[TestRow], placed: &[Option<PerfectSetPosition>]) -> Option<Table> {
    let each = rows.iter().zip(placed);
    let ranked = each.filter_map(|(row, placed)| Some((row, (*placed)?)));
    let table = table_of!(TableName::Reference, ranked, |(row, placed)| {
        text "test": row.test.name(),
        text "subject": row.subject.clone(),
        real "statistic": row.statistic,
        real "log10_p": row.log10_p,
        integer "sets": placed.sets,
        integer "at_least": placed.at_least,
        integer "at_most": placed.at_most,
        real "reference_log10_p": placed.log10_p(),
    });
    (!table.rows().is_empty()).then_some(table)
}

/// `sessions`: the mean flatness and the voids of each session, with the values expected of
/// unconstrained deals; `None` if there are no sessions.
pub fn sessions_table(
    files: &[String],
    sessions: &[SessionRow],
    laws: Option<&NullLaws>,
) -> Option<Table> {
    let [flatness, voids] = [
        laws.map(|laws| &laws.flatness),
        laws.map(|laws| &laws.voids),
    ]
    .map(|law| law.map(moments));
    let z = |sum: f64, boards: u32, law: Option<(f64, f64)>| {
        let boards = f64::from(boards);
        law.map(|(mean, variance)| (sum - boards * mean) / (boards * variance).sqrt())
    };
    let rows = sessions.iter().enumerate();
    let rows = rows.map(|(place, row)| (place, row, row.counted));
    let table = table_of!(TableName::Sessions, rows, |(place, row, counted)| {
        integer "session": place + 1,
        text "file": files[row.input].clone(),
        text "event": row.event.to_string(),
        integer "first_board": row.first_board,
        integer "last_board": row.last_board,
        integer "boards": counted.boards,
        real "mean_flatness": counted.flatness as f64 / f64::from(counted.boards),
        real "flatness_z": z(counted.flatness as f64, counted.boards, flatness),
        integer "voids": counted.voids,
        real "expected_voids": voids.map(|(mean, _)| f64::from(counted.boards) * mean),
        real "voids_z": z(f64::from(counted.voids), counted.boards, voids),
    });
    (!table.rows().is_empty()).then_some(table)
}

/// Returns the mean and the variance of a distribution.
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
