//! The record of an audit, and the tables that only audits have.

use super::table_name::TableName;
use serde::{Deserialize, Serialize};

use super::record::{CaseFileRecord, EvidenceRecord, HostRecord};
use super::table::{Cell, Table, TableColumn, integer, real, text};
use crate::audit::{BoardCounts, Difference, EventRule, Intake, NumberedBoard, SessionRow};
use crate::battery::{PerfectSetPosition, TestRow};
use crate::theory::{Distribution, NullLaws};

/// The parameters that determine the counts of an audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditIdentity {
    /// The files, in the order in which they were read.
    pub files: Vec<String>,
    /// The condition of every deal; empty for unconstrained deals.
    pub condition: String,
    /// The seats listed, first and second, separated by a comma; empty if none.
    pub order: String,
    /// The other options that determine the tests.
    #[serde(flatten)]
    pub options: AuditOptions,
}

/// The options of an audit besides files and condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditOptions {
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
    #[serde(default = "compatible_events")]
    pub events: String,
    /// Time limit of the seed search, in seconds.
    pub seed_search: Option<u64>,
}

/// The event rule of records that do not name one.
fn compatible_events() -> String {
    EventRule::Compatible.name().to_owned()
}

/// The name of standard input among files.
pub(crate) const STANDARD_INPUT: &str = "standard input";

impl AuditIdentity {
    /// Whether the audit read standard input.
    pub(super) fn is_of_stream(&self) -> bool {
        self.files.iter().any(|file| file == STANDARD_INPUT)
    }
}

/// The contents of audit.json.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AuditRecord {
    /// The program and its version.
    pub program: String,
    /// The identity of the audit.
    #[serde(flatten)]
    pub identity: AuditIdentity,
    /// The counts of boards by file.
    pub sources: Vec<SourceRecord>,
    /// Deals that were tested.
    pub deals: u64,
    /// Sessions of boards.
    pub sessions: u64,
    /// Boards with another dealer than their number implies.
    pub odd_dealers: u64,
    /// Boards with the number and cards of a board of another event; they are not tested.
    #[serde(default)]
    pub undecided: u64,
    /// Boards that contradict another record of the same event; they are not tested.
    #[serde(default)]
    pub conflicts: NamedBoards,
    /// Tested boards with the cards of an earlier one.
    #[serde(default)]
    pub repeats: NamedBoards,
    /// The case file, if a condition was given.
    pub case_file: Option<CaseFileRecord>,
    /// T, or the number of all deals, in decimal.
    pub total: String,
    /// The seed search, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_search: Option<SeedSearchRecord>,
    /// The battery that was run. It differs from the requested one if the tables have no exact law.
    pub depth: String,
    /// Whether it was interrupted before the last board.
    pub interrupted: bool,
    /// Number of threads.
    pub threads: usize,
    /// When it began, UTC.
    pub start: String,
    /// When the last deal was counted, UTC.
    pub end: String,
    /// Seconds from the first byte to the last.
    pub seconds: f64,
    /// The host.
    pub host: HostRecord,
    /// The verdict, as in run.json.
    pub verdict: String,
    /// The evidence of the verdict; `None` if no deal was tested.
    pub evidence: Option<EvidenceRecord>,
    /// Why `expected`, `probability` and `z` are empty, if they are.
    pub expected: String,
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
    #[must_use]
    pub(crate) fn conflicts(files: &[String], intake: &Intake) -> Self {
        let all = intake.conflicts().iter();
        Self {
            count: intake.conflict_count(),
            first: all.take(MOST_NAMED).map(|it| it.in_words(files)).collect(),
        }
    }

    /// The boards with the cards of an earlier one.
    #[must_use]
    pub(crate) fn repeats(files: &[String], intake: &Intake) -> Self {
        let all = intake.repeats().iter();
        Self {
            count: intake.repeat_count(),
            first: all.take(MOST_NAMED).map(|it| it.in_words(files)).collect(),
        }
    }

    /// Number of boards that are not named.
    #[must_use]
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
    /// Entries that are boards or should be boards.
    pub read: u64,
    /// Legal deals.
    pub valid: u64,
    /// Boards with missing cards.
    pub incomplete: u64,
    /// Boards that break the rules or cannot be read.
    pub invalid: u64,
    /// Legal deals whose event and board number were read before.
    pub duplicate: u64,
    /// Legal deals that contradict another record of the same event.
    #[serde(default)]
    pub conflict: u64,
    /// Places that the file does not use.
    pub unused: u64,
    /// Skipped lines that are not part of a board, such as text that a script prints.
    #[serde(default)]
    pub text: u64,
}

impl SourceRecord {
    /// The record of a file with this name and format.
    #[must_use]
    pub(crate) fn new(file: &str, format: &str, counts: &BoardCounts) -> Self {
        Self {
            file: file.to_owned(),
            format: format.to_owned(),
            read: counts.read,
            valid: counts.valid,
            incomplete: counts.incomplete,
            invalid: counts.invalid,
            duplicate: counts.duplicate,
            conflict: counts.conflict,
            unused: counts.unused,
            text: counts.text,
        }
    }
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
#[must_use]
pub(crate) fn sources_table(sources: &[SourceRecord]) -> Table {
    let columns = [
        text("file"),
        text("format"),
        integer("read"),
        integer("valid"),
        integer("incomplete"),
        integer("invalid"),
        integer("duplicate"),
        integer("conflict"),
        integer("unused"),
        integer("text"),
    ];
    let rows = sources.iter().map(|source| {
        [
            source.file.clone().into(),
            source.format.clone().into(),
            source.read.into(),
            source.valid.into(),
            source.incomplete.into(),
            source.invalid.into(),
            source.duplicate.into(),
            source.conflict.into(),
            source.unused.into(),
            source.text.into(),
        ]
    });
    Table::of(TableName::Sources, columns, rows)
}

/// `problems`: every board that was not tested, up to 10,000 of them.
#[must_use]
pub(crate) fn problems_table(files: &[String], intake: &Intake) -> Table {
    let columns = [
        text("file"),
        integer("line"),
        integer("board"),
        text("kind"),
        text("reason"),
    ];
    let rows = intake.problems().iter().map(|problem| {
        [
            files[problem.place.input as usize].clone().into(),
            problem.place.line.into(),
            problem.board.into(),
            problem.kind.name().into(),
            problem.reason.clone().into(),
        ]
    });
    Table::of(TableName::Problems, columns, rows)
}

/// `repeats`: deals that an earlier board has, the first hundred.
#[must_use]
pub(crate) fn repeats_table(files: &[String], intake: &Intake) -> Table {
    let repeats = intake.repeats().iter();
    let rows = repeats.map(|repeat| pair_cells(files, repeat.later, repeat.earlier));
    Table::of(TableName::Repeats, pair_columns(), rows)
}

/// `conflicts`: boards that contradict another record of the same event, up to 10,000 of them;
/// `None` if there are none.
#[must_use]
pub(crate) fn conflicts_table(files: &[String], intake: &Intake) -> Option<Table> {
    if intake.conflicts().is_empty() {
        return None;
    }
    let of_difference = [text("difference"), integer("cards")];
    let columns = [&pair_columns()[..], &of_difference].concat();
    let mut table = Table::new(TableName::Conflicts, &columns);
    for conflict in intake.conflicts() {
        let (difference, cards) = match conflict.difference {
            Difference::Number => ("number", 0),
            Difference::Cards(cards) => ("cards", cards),
        };
        let mut row = pair_cells(files, conflict.later, conflict.earlier).to_vec();
        row.extend([difference.into(), cards.into()]);
        table.push(row);
    }
    Some(table)
}

/// Columns of a board and the earlier one that it is compared with.
fn pair_columns() -> [TableColumn; 6] {
    [
        text("file"),
        integer("line"),
        integer("board"),
        text("first_file"),
        integer("first_line"),
        integer("first_board"),
    ]
}

fn pair_cells(files: &[String], later: NumberedBoard, earlier: NumberedBoard) -> [Cell; 6] {
    let [file, line, board] = place_cells(files, later);
    let [first_file, first_line, first_board] = place_cells(files, earlier);
    [file, line, board, first_file, first_line, first_board]
}

/// File, line and number of a board.
fn place_cells(files: &[String], board: NumberedBoard) -> [Cell; 3] {
    [
        files[board.place.input as usize].clone().into(),
        board.place.line.into(),
        board.number.into(),
    ]
}

/// `reference`: the rank of each test's statistic among those of perfect sets; `None` if no test
/// was ranked.
#[must_use]
pub(crate) fn reference_table(
    rows: &[TestRow],
    placed: &[Option<PerfectSetPosition>],
) -> Option<Table> {
    let columns = [
        text("test"),
        text("subject"),
        real("statistic"),
        real("log10_p"),
        integer("sets"),
        integer("at_least"),
        integer("at_most"),
        real("reference_log10_p"),
    ];
    let each = rows.iter().zip(placed);
    let rows = each.filter_map(|(row, placed)| {
        let placed = (*placed)?;
        Some([
            row.test.name().into(),
            row.subject.clone().into(),
            row.statistic.into(),
            row.log10_p.into(),
            placed.sets.into(),
            placed.at_least.into(),
            placed.at_most.into(),
            placed.log10_p().into(),
        ])
    });
    let table = Table::of(TableName::Reference, columns, rows);
    (!table.rows().is_empty()).then_some(table)
}

/// `sessions`: the mean flatness and the voids of each session, with the values expected of
/// unconstrained deals; `None` if there are no sessions.
#[must_use]
pub(crate) fn sessions_table(
    files: &[String],
    sessions: &[SessionRow],
    laws: Option<&NullLaws>,
) -> Option<Table> {
    let columns = [
        integer("session"),
        text("file"),
        text("event"),
        integer("first_board"),
        integer("last_board"),
        integer("boards"),
        real("mean_flatness"),
        real("flatness_z"),
        integer("voids"),
        real("expected_voids"),
        real("voids_z"),
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
            law.map(|(mean, variance)| (sum - boards * mean) / (boards * variance).sqrt())
        };
        let expected = voids.map(|(mean, _)| boards * mean);
        [
            (place + 1).into(),
            files[row.input].clone().into(),
            row.event.to_string().into(),
            row.first_board.into(),
            row.last_board.into(),
            counted.boards.into(),
            (counted.flatness as f64 / boards).into(),
            z(counted.flatness as f64, flatness).into(),
            counted.voids.into(),
            expected.into(),
            z(f64::from(counted.voids), voids).into(),
        ]
    });
    let table = Table::of(TableName::Sessions, columns, rows);
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
