//! The first printed page of an audit: what a committee decides by.

use super::Shown;
use super::counts::table;
use super::facts::{Fact, fact, moment};
use super::words::{self, BoardList};
use crate::AuditRecord;
use crate::battery::{Level, strongest};
use crate::printable::{shortened_name, thousands, with_noun};
use crate::table::{Table, table_of};
use crate::{AnyRecord, TableName};

/// Files in the table.
const MOST_FILES: usize = 5;

/// Boards, tests and seeds in all lists, which share the page.
const MOST_NAMED: usize = 6;

/// What the first page says.
pub(super) struct AuditSummary {
    pub(super) facts: Vec<Fact>,
    pub(super) verdict: String,
    /// The comparison with a tournament of SquareDeal, in a sentence.
    pub(super) proof: Option<String>,
    /// What this number of boards can and cannot show.
    pub(super) power: Vec<String>,
    /// The evidence, by board where a test names boards.
    pub(super) evidence: Vec<BoardList>,
    pub(super) files: Table,
    /// Number of files that are not in the table.
    pub(super) other_files: usize,
}

impl AuditSummary {
    /// Returns `None` for a run.
    pub(super) fn new(shown: &Shown<'_>) -> Option<Self> {
        let AnyRecord::Audit(record) = shown.subject else {
            return None;
        };
        let heading = &record.heading;
        let tested_on = format!(
            "{}, by {}",
            moment(&record.common.start),
            record.common.program
        );
        let facts = [
            ("organiser", heading.organiser.clone()),
            ("date", heading.date.clone()),
            ("tested", Some(tested_on)),
        ];
        let facts = facts
            .into_iter()
            .filter_map(|(name, value)| Some(fact(name, value?)));
        Some(Self {
            facts: facts.collect(),
            verdict: words::plain_verdict(record.common.verdict, shown.subject),
            proof: record.squaredeal.as_ref().map(|proof| proof.words.clone()),
            power: match shown.detectable {
                Some(effects) => effects.in_plain_words(record.deals),
                None => vec!["No board was tested.".to_owned()],
            },
            evidence: evidence(shown, record),
            files: files(record),
            other_files: record.sources.len().saturating_sub(MOST_FILES),
        })
    }
}

/// The title of an audit: the given one, the tournament's name, or what the events of all its
/// sessions have in common.
pub(super) fn title(record: &AuditRecord, tables: &[Table]) -> Option<String> {
    let tournament = record.squaredeal.as_ref().map(|of| of.tournament.clone());
    let given = record.heading.title.clone().or(tournament);
    given.or_else(|| {
        let sessions = table(tables, TableName::Sessions)?.rows().iter();
        let mut events = sessions.map(|row| row[EVENT].to_text());
        let mut common = events.next()?;
        for event in events {
            let parts = common.split(", ").zip(event.split(", "));
            let equal = parts.take_while(|(one, other)| one == other);
            common = equal.map(|(part, _)| part).collect::<Vec<_>>().join(", ");
        }
        (!common.is_empty()).then_some(common)
    })
}

/// The column of a session's event.
const EVENT: usize = 2;

/// The evidence and the boards that were not tested.
fn evidence(shown: &Shown<'_>, record: &AuditRecord) -> Vec<BoardList> {
    let list = |title, all: Vec<String>, file: &str| BoardList {
        title,
        note: String::new(),
        others: 0,
        first: all,
        file: file.to_owned(),
    };
    let mut all = words::boards(shown.subject);
    let problems = table(shown.tables, TableName::Problems).map_or(&[][..], Table::rows);
    let problems = problems.iter().map(|row| {
        let [file, line, board, _, reason] = [0, 1, 2, 3, 4].map(|place| row[place].to_text());
        let board = match board.is_empty() {
            true => "a board".to_owned(),
            false => format!("board {board}"),
        };
        format!(
            "{board} of {} (line {line}): {reason}",
            shortened_name(&file)
        )
    });
    let problems = problems.collect();
    all.push(list("Not legal or incomplete", problems, "problems.csv"));
    if (Level::Suspicious..=Level::Fail).contains(&record.common.verdict) {
        let strongest = strongest(shown.tests).into_iter().map(|row| {
            let effect = match row.effect.as_str() {
                "" => String::new(),
                effect => format!(": {effect}"),
            };
            format!("{}{effect}", row.test.looks_at())
        });
        all.push(list("Strongest tests", strongest.collect(), "tests.csv"));
    }
    let seeds = record.seed_search.iter().flat_map(|search| &search.found);
    all.push(list("Seeds found", seeds.cloned().collect(), "audit.json"));
    all.retain(|list| !list.first.is_empty());
    let most = MOST_NAMED / all.len().max(1);
    for list in &mut all {
        list.others += list.first.len().saturating_sub(most) as u64;
        list.first.truncate(most);
    }
    all
}

/// The boards of the first files, and of all.
fn files(record: &AuditRecord) -> Table {
    let mut total = fairdeal_audit::BoardCounts::default();
    for source in &record.sources {
        total.add(&source.counts);
    }
    let all = with_noun(record.sources.len() as u64, "file");
    let shown = record.sources.iter().take(MOST_FILES);
    let rows = shown.map(|source| (shortened_name(&source.file), source.counts));
    let rows = rows.chain([(all, total)]);
    table_of!(TableName::Sources, rows, |(file, counts)| {
        text "file": file,
        printed "boards": thousands(counts.read),
        printed "tested": thousands(counts.tested()),
        printed "replays": thousands(counts.duplicate),
        printed "left out": thousands(counts.read - counts.tested() - counts.duplicate),
    })
}
