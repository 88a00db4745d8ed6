//! Parts of the page as HTML, for pages that show a result before its report.

use askama::Template;

use super::deals::Diagram;
use super::facts::EvidenceTable;
use super::words::PageWords;

#[derive(Template)]
#[template(path = "verdict.html", config = "src/page/askama.toml")]
struct VerdictPart<'p> {
    words: &'p PageWords,
    level: &'p str,
}

#[derive(Template)]
#[template(path = "boards.html", config = "src/page/askama.toml")]
struct BoardsPart<'p> {
    words: &'p PageWords,
    tables_at: &'p str,
}

#[derive(Template)]
#[template(path = "evidence.html", config = "src/page/askama.toml")]
struct EvidencePart<'p> {
    tests: Option<&'p EvidenceTable>,
    largest_s: &'p Option<String>,
    tables_at: &'p str,
}

#[derive(Template)]
#[template(path = "deals.html", config = "src/page/askama.toml")]
struct DealsPart<'p> {
    samples: &'p [Diagram],
}

fn part(template: &impl Template) -> String {
    let html = template.render();
    html.expect("templates render, and writing to memory cannot fail")
}

impl PageWords {
    /// The verdict with its sentence, in the colours of a [`class`](super::class).
    pub fn verdict_html(&self, level: &str) -> String {
        part(&VerdictPart { words: self, level })
    }

    /// The lists of boards, whose tables are in the folder `tables_at`.
    pub fn boards_html(&self, tables_at: &str) -> String {
        part(&BoardsPart {
            words: self,
            tables_at,
        })
    }
}

impl EvidenceTable {
    /// The table of the strongest tests, if there are tests, and the largest S of all looks, if it is
    /// another than the last.
    pub fn html(tests: &Option<Self>, largest_s: &Option<String>, tables_at: &str) -> String {
        part(&EvidencePart {
            tests: tests.as_ref(),
            largest_s,
            tables_at,
        })
    }
}

impl Diagram {
    /// Diagrams of deals.
    pub fn html(samples: &[Self]) -> String {
        part(&DealsPart { samples })
    }
}
