//! report.html: what a run or an audit came to, for people who would rather look than read.
//!
//! One file, made of the report's record and tables and of nothing else: nothing is loaded,
//! nothing is computed that CSV does not have but bands and the words around the numbers.

mod counts;
mod deals;
pub(crate) mod facts;
pub(crate) mod figures;
mod words;

use askama::Template;

use super::audit::AuditRecord;
use super::record::{EvidenceRecord, RunRecord};
use super::table::Table;
use crate::battery::{Level, TestRow};
use crate::bridge::Deal;
use crate::printable::printable;
use deals::Diagram;
use facts::Fact;
use figures::{Figure, Section};
use words::Words;

/// Whose report it is.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'r> {
    /// A run's.
    Run(&'r RunRecord),
    /// An audit's.
    Audit(&'r AuditRecord),
}

impl<'r> Subject<'r> {
    fn evidence(self) -> Option<&'r EvidenceRecord> {
        match self {
            Self::Run(record) => record.evidence.as_ref(),
            Self::Audit(record) => record.evidence.as_ref(),
        }
    }

    fn verdict(self) -> Level {
        let name = match self {
            Self::Run(record) => record.verdict.as_deref(),
            Self::Audit(record) => Some(record.verdict.as_str()),
        };
        name.and_then(Level::named).unwrap_or(Level::Inconclusive)
    }

    /// Deals that were tested.
    fn deals(self) -> u64 {
        match self {
            Self::Run(record) => record.dealt,
            Self::Audit(record) => record.deals,
        }
    }

    fn program(self) -> &'r str {
        match self {
            Self::Run(record) => &record.program,
            Self::Audit(record) => &record.program,
        }
    }
}

/// What the page shows.
#[derive(Clone, Debug)]
pub struct Shown<'s> {
    /// What the report goes by: a scenario's name, a file's.
    pub name: &'s str,
    /// The record.
    pub subject: Subject<'s>,
    /// Every table that is written beside the page.
    pub tables: &'s [Table],
    /// What was tested, as in the table `tests`.
    pub tests: &'s [TestRow],
    /// The condition, a term each, as bridge players write it; empty if any deal may come.
    pub condition: &'s [String],
    /// A few deals, with what each is called.
    pub samples: &'s [(String, Deal)],
}

/// The page as HTML.
#[must_use]
pub fn page(shown: &Shown<'_>) -> String {
    rendered(&Page::new(shown))
}

/// The text of a template, which askama gives without the end of its last line.
pub(crate) fn rendered(template: &impl Template) -> String {
    let html = template.render();
    let html = html.expect("templates have what they name, and memory takes all");
    // A file may have any name: what is left between lines is no command to a terminal.
    let lines = html.split('\n').map(printable);
    lines.flat_map(|line| [line, "\n".into()]).collect()
}

/// What the template fills in.
#[derive(Template)]
#[template(path = "report.html", config = "src/report/page/askama.toml")]
struct Page<'s> {
    title: String,
    is_audit: bool,
    program: &'s str,
    words: Words,
    level: &'static str,
    facts: Vec<Fact>,
    condition: &'s [String],
    source: &'s str,
    samples: Vec<Diagram>,
    samples_are: &'static str,
    evidence: Option<&'s EvidenceRecord>,
    /// Whether it is worth saying what is not wrong.
    has_limits: bool,
    is_against: bool,
    over_deals: Option<Figure>,
    strongest: Vec<facts::Strong>,
    bounds: Vec<facts::Limit>,
    averages: Vec<facts::Mean>,
    sources: Vec<facts::Boards<'s>>,
    sections: Vec<Section>,
    files: Vec<facts::Listed>,
    repeat: Option<String>,
}

impl<'s> Page<'s> {
    fn new(shown: &Shown<'s>) -> Self {
        let subject = shown.subject;
        let (source, samples_are) = match subject {
            Subject::Run(record) => (
                record.identity.condition.as_str(),
                "Dealt to the same condition from the same seed, as fairdeal deal does it.",
            ),
            Subject::Audit(record) => (
                record.identity.condition.as_str(),
                "The first that were tested.",
            ),
        };
        let repeat = match subject {
            Subject::Run(record) => facts::command(shown.name, record),
            Subject::Audit(_) => None,
        };
        let sources = match subject {
            Subject::Run(_) => Vec::new(),
            Subject::Audit(record) => facts::boards(record),
        };
        Self {
            title: title(shown),
            is_audit: matches!(subject, Subject::Audit(_)),
            program: subject.program(),
            words: Words::new(subject),
            level: words::class(subject.verdict()),
            facts: facts::facts(subject),
            condition: shown.condition,
            source,
            samples: deals::diagrams(shown.samples),
            samples_are,
            evidence: subject.evidence(),
            has_limits: matches!(subject.verdict(), Level::Pass | Level::Inconclusive),
            is_against: (Level::Suspicious..=Level::Fail).contains(&subject.verdict()),
            over_deals: figures::over_deals(subject),
            strongest: facts::strongest(shown.tests),
            bounds: facts::bounds(shown.tables),
            averages: facts::averages(shown.tables),
            sources,
            sections: figures::sections(subject, shown.tables, shown.tests),
            files: facts::files(shown.tables),
            repeat,
        }
    }
}

/// What the page is called: of a condition without a name, what it says.
fn title(shown: &Shown<'_>) -> String {
    match shown.name.starts_with(facts::UNNAMED) && !shown.condition.is_empty() {
        true => shown.condition.join(", "),
        false => printable(shown.name).into_owned(),
    }
}

/// Styles, which no template has to escape.
pub(crate) const STYLES: &str = concat!(include_str!("page.css"), include_str!("plots.css"));
