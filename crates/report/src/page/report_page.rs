//! The values of the page's template.

use askama::Template;

use super::super::record::EvidenceRecord;
use super::super::table::Table;
use super::answers::{CrossTable, Frequency};
use super::deals::Diagram;
use super::facts::Fact;
use super::figures::{Figure, Section};
use super::summary::{self, AuditSummary};
use super::words::PageWords;
use super::{answers, deals, facts, figures, words};
use crate::AnyRecord;
use crate::battery::{DetectableEffects, Level, TestRow};
use crate::bridge::Deal;
use crate::printable::printable;

/// The contents of a page.
#[derive(Clone, Debug)]
pub struct Shown<'s> {
    /// The name of the report: that of a scenario or a file.
    pub name: &'s str,
    /// The record.
    pub subject: &'s AnyRecord,
    /// All tables of the report.
    pub tables: &'s [Table],
    /// The tests, as in the table `tests`.
    pub tests: &'s [TestRow],
    /// The effects that the tests detect, if there were tests.
    pub detectable: Option<&'s DetectableEffects>,
    /// The terms of the condition in bridge notation; empty for unconstrained deals.
    pub condition: &'s [String],
    /// Some deals, each with its name.
    pub samples: &'s [(String, Deal)],
}

/// The page as HTML.
pub fn page(shown: &Shown<'_>) -> String {
    rendered(&ReportPage::new(shown))
}

/// Renders a template, with a line end after the last line.
pub fn rendered(template: &impl Template) -> String {
    let html = template.render();
    let html = html.expect("templates render, and writing to memory cannot fail");
    // Escape control characters, which file names may contain, but the tabs of scripts.
    let lines = html.split('\n').map(|line| {
        let texts = line.split('\t').map(printable);
        texts.collect::<Vec<_>>().join("\t")
    });
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
}

/// The values of the template.
#[derive(Template)]
#[template(path = "report.html", config = "src/page/askama.toml")]
struct ReportPage<'s> {
    title: String,
    is_audit: bool,
    /// The first printed page of an audit.
    summary: Option<AuditSummary>,
    program: &'s str,
    words: PageWords,
    /// Where the tables are: before their file names in links.
    tables_at: &'static str,
    level: &'static str,
    facts: Vec<Fact>,
    condition: &'s [String],
    source: &'s str,
    samples: Vec<Diagram>,
    samples_are: &'static str,
    key_facts: Vec<Fact>,
    /// Whether the script has averages or frequencies, which then come first.
    has_answers: bool,
    averages: Table,
    frequencies: Vec<Frequency>,
    cross_tables: Vec<CrossTable>,
    /// The frequencies that are not on the page.
    frequencies_left_out: Option<String>,
    evidence: Option<&'s EvidenceRecord>,
    /// Whether there is evidence against the deals, which then comes first.
    is_against: bool,
    /// Whether bounds come first.
    has_bounds: bool,
    /// The picture of the strongest evidence.
    pictures: Vec<Figure>,
    /// Figures of all tests.
    battery: Vec<Figure>,
    tests: Option<facts::EvidenceTable>,
    /// The largest S of all looks, if it is not that of the last.
    largest_s: Option<String>,
    /// The anchors and titles of the sections below the table of contents.
    contents: Vec<(&'static str, &'static str)>,
    bounds: Table,
    sources: Option<Table>,
    sections: Vec<Section>,
    files: Vec<facts::TableFile>,
    repeat: Option<String>,
}

impl<'s> ReportPage<'s> {
    fn new(shown: &Shown<'s>) -> Self {
        let subject = shown.subject;
        let (samples_are, repeat, sources) = match subject {
            AnyRecord::Run(record) => (
                "Dealt with the same condition and seed, as by `fairdeal deal`.",
                facts::command(shown.name, record),
                None,
            ),
            AnyRecord::Audit(record) => ("The first tested deals.", None, facts::boards(record)),
        };
        let is_against = (Level::Suspicious..=Level::Fail).contains(&subject.common().verdict);
        let bounds = facts::bounds(shown.tables);
        let p_values = figures::battery_p_values(shown.tests);
        let (pictures, battery) = match is_against {
            true => (
                figures::strongest_evidence(subject, shown.tables, shown.tests),
                p_values.into_iter().collect(),
            ),
            false => {
                let over_deals = figures::over_deals(subject);
                (Vec::new(), over_deals.into_iter().chain(p_values).collect())
            }
        };
        let averages = answers::averages(shown.tables);
        let frequencies = answers::frequencies(shown.tables);
        let cross_tables = answers::cross_tables(shown.tables);
        let of_frequencies = frequencies.len() + cross_tables.len();
        let frequencies_left_out = answers::left_out(shown.tables, of_frequencies);
        let sections = figures::sections(subject, shown.tables);
        let samples = deals::diagrams(shown.samples);
        let has_bounds = has_bounds(subject, &bounds);
        Self {
            contents: contents(
                subject,
                &sections,
                [is_against, has_bounds, !samples.is_empty()],
            ),
            has_answers: !averages.rows().is_empty()
                || of_frequencies > 0
                || frequencies_left_out.is_some(),
            largest_s: larger_s(subject),
            title: title(shown),
            is_audit: matches!(subject, AnyRecord::Audit(_)),
            summary: AuditSummary::new(shown),
            program: &subject.common().program,
            words: PageWords::new(subject),
            tables_at: "",
            level: words::class(subject.common().verdict),
            facts: facts::facts(subject),
            condition: shown.condition,
            source: subject.condition(),
            samples,
            samples_are,
            key_facts: answers::key_facts(shown),
            averages,
            frequencies,
            cross_tables,
            frequencies_left_out,
            evidence: subject.common().evidence.as_ref(),
            is_against,
            has_bounds,
            pictures,
            battery,
            tests: facts::evidence_table(shown.tests),
            bounds,
            sources,
            sections,
            files: facts::files(shown.tables),
            repeat,
        }
    }
}

/// The sections below the table of contents, by anchor and title.
pub(super) fn contents(
    subject: &AnyRecord,
    sections: &[Section],
    [is_against, has_bounds, has_samples]: [bool; 3],
) -> Vec<(&'static str, &'static str)> {
    let run = match subject {
        AnyRecord::Run(_) => "Run",
        AnyRecord::Audit(_) => "Audit",
    };
    let mut all = Vec::new();
    all.extend(is_against.then_some(("evidence", "Evidence")));
    all.extend(has_bounds.then_some(("bounds", "Confidence bounds")));
    all.push(("meaning", "Meaning and limits"));
    all.extend(
        subject
            .common()
            .evidence
            .as_ref()
            .map(|_| ("tests", "Tests")),
    );
    all.extend(sections.iter().map(|section| (section.id, section.title)));
    all.push(("run", run));
    all.extend(has_samples.then_some(("samples", "Sample deals")));
    all.push(("files", "Files"));
    all
}

/// The largest S of all looks, if it is not that of the last.
pub fn larger_s(subject: &AnyRecord) -> Option<String> {
    let evidence = subject.common().evidence.as_ref()?;
    let text = |s: f64| format!("{s:.2}");
    let largest = text(evidence.largest_s?);
    (Some(&largest) != evidence.s.map(text).as_ref()).then_some(largest)
}

/// Whether the verdict leaves bounds or detectable effects to show.
fn has_bounds(subject: &AnyRecord, bounds: &Table) -> bool {
    let detects = |evidence: &EvidenceRecord| !evidence.detectable_effects.is_empty();
    let is_any =
        !bounds.rows().is_empty() || subject.common().evidence.as_ref().is_some_and(detects);
    is_any && matches!(subject.common().verdict, Level::Pass | Level::Inconclusive)
}

/// The title: that of an audit's event, the name, or the condition if it has no name.
pub(super) fn title(shown: &Shown<'_>) -> String {
    let event = match shown.subject {
        AnyRecord::Audit(record) => summary::title(record, shown.tables),
        AnyRecord::Run(_) => None,
    };
    if let Some(event) = event {
        return printable(&event).into_owned();
    }
    match shown.name.starts_with(facts::UNNAMED) && !shown.condition.is_empty() {
        true => shown.condition.join(", "),
        false => printable(shown.name).into_owned(),
    }
}

/// The style sheet.
pub const STYLES: &str = concat!(include_str!("page.css"), include_str!("plots.css"));
