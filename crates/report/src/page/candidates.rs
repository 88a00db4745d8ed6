//! The page of leads or contracts that are compared.

use askama::Template;

use super::facts::{self, Fact, fact};
use super::figures::Plot;
use super::{STYLES, rendered};
use crate::formats::capital;
use crate::plots::{MeanBar, means};
use crate::printable::{thousands, with_noun};
use crate::{CandidateFinding, CandidateRow, CandidateTable, NumberForm};

#[derive(Template)]
#[template(path = "candidates.html", config = "src/page/askama.toml")]
struct CandidatePage<'t> {
    table: &'t CandidateTable,
    title: String,
    /// The finding, the picture, the table and the facts.
    result: String,
}

#[derive(Template)]
#[template(path = "candidate_result.html", config = "src/page/askama.toml")]
struct CandidateResult<'t> {
    table: &'t CandidateTable,
    level: &'static str,
    word: String,
    extent: String,
    plot: Plot,
    headings: Vec<String>,
    /// The candidates, and whether each may be the best.
    lines: Vec<(Vec<String>, bool)>,
    facts: Vec<Fact>,
    /// Where the table is: before its file name in the link.
    table_at: &'t str,
}

/// The page as HTML.
pub fn candidate_page(table: &CandidateTable) -> String {
    let result = candidate_result(table, "");
    let title = capital(&table.record.question);
    rendered(&CandidatePage {
        table,
        title,
        result,
    })
}

/// The part of the page below its title, as HTML.
pub fn candidate_result(table: &CandidateTable, table_at: &str) -> String {
    let record = &table.record;
    let (level, word) = match record.finding {
        CandidateFinding::Best | CandidateFinding::Equal => ("pass", record.best.join(", ")),
        CandidateFinding::Open => ("inconclusive", "Not decided".to_owned()),
    };
    let stopped = record
        .stopped
        .map(|stopped| format!(", stopped: {}", stopped.name()));
    let mut lines = table.lines().into_iter();
    let headings = lines.next().unwrap_or_default();
    let remain = table.rows.iter().map(|row| row.remains);
    rendered(&CandidateResult {
        table,
        level,
        word,
        extent: with_noun(record.compared, "deal") + &stopped.unwrap_or_default(),
        plot: plot(table),
        headings,
        lines: lines.zip(remain).collect(),
        facts: facts(table),
        table_at,
    })
}

/// The means of the criterion, with their limits.
fn plot(table: &CandidateTable) -> Plot {
    let criterion = &*table.record.criterion;
    let (unit, title) = match table.form() {
        NumberForm::Percent => (100.0, format!("{criterion}, %")),
        NumberForm::Decimals(_) => (1.0, criterion.to_owned()),
    };
    let bar = |row: &CandidateRow| MeanBar {
        name: row.name.clone(),
        mean: unit * table.value(row),
        limits: row.limits.map(|limit| unit * limit),
        is_excluded: !row.remains,
    };
    let bars: Vec<MeanBar> = table.rows.iter().map(bar).collect();
    let excluded = bars.iter().filter(|bar| bar.is_excluded).count();
    let best = bars.first().map_or_else(String::new, |bar| {
        let ([low, high], MeanBar { name, mean, .. }) = (bar.limits, bar);
        format!(" The largest: {name}, {mean:.2} ({low:.2} to {high:.2}).")
    });
    Plot {
        title: String::new(),
        alt: format!(
            "Mean of {title} of {}, {excluded} excluded as the best.{best}",
            with_noun(bars.len() as u64, table.first_column())
        ),
        svg: means(&bars, [table.first_column(), &title]),
    }
}

fn facts(table: &CandidateTable) -> Vec<Fact> {
    let record = &table.record;
    vec![
        fact("deals solved", thousands(record.compared)),
        fact("compared by", &*record.criterion),
        fact("equal within", record.within.to_string()),
        fact("confidence", record.confidence_percent()),
        fact("seed", &*record.identity.seed),
        fact("generator", record.identity.generator.to_string()),
        fact("time", facts::time(record.seconds)),
        fact("threads", thousands(record.threads as u64)),
        fact("program", &*record.program),
        fact("host", facts::host(&record.host)),
    ]
}
