//! compare.html: the page of a comparison.

use std::path::Path;

use askama::Template;

use super::{Comparison, Relation, ReportSide};
use crate::battery::two_shares;
use crate::compare::Likeness;
use crate::page::facts::EvidenceTable;
use crate::page::figures::{self, Figure};
use crate::page::{STYLES, class, rendered};
use crate::printable::{thousands, with_noun};
use crate::printable::{three_digits, three_digits_log10};
use crate::{Table, TableName, table_of};

/// Maximum numbers of tests and cells on the page; the files have all.
const MOST_TESTS: usize = 10;
const MOST_CELLS: usize = 20;

/// The page of a comparison as HTML.
pub(super) fn comparison_page(found: &Comparison) -> String {
    rendered(&ComparisonPage::new(found))
}

#[derive(Template)]
#[template(path = "compare.html", config = "src/page/askama.toml")]
struct ComparisonPage<'c> {
    found: &'c Comparison,
    /// The names of the two folders.
    names: [String; 2],
    verdict: &'static str,
    level: &'static str,
    headline: &'static str,
    extent: String,
    meaning: Vec<String>,
    /// Whether the differences come first.
    is_against: bool,
    contents: Vec<(&'static str, &'static str)>,
    sides: Vec<Beside>,
    evidence: Option<EvidenceTable>,
    /// Where the tables are: before their file names in links.
    tables_at: &'static str,
    p_values: Option<Figure>,
    cells: Table,
    looked_at: String,
    least_z: String,
    speed: Vec<Beside>,
    ratio: Option<String>,
}

/// A line of a table with both reports.
struct Beside {
    what: String,
    a: String,
    b: String,
}

fn beside(what: &str, a: impl Into<String>, b: impl Into<String>) -> Beside {
    let (what, a, b) = (what.to_owned(), a.into(), b.into());
    Beside { what, a, b }
}

impl<'c> ComparisonPage<'c> {
    fn new(found: &'c Comparison) -> Self {
        let tests = with_noun(found.tests.len() as u64, "test");
        let is_against =
            found.verdict != Likeness::Alike && found.verdict != Likeness::Inconclusive;
        let s = found
            .s
            .map_or_else(String::new, |s| format!(", S = {s:.2}"));
        let cells = found.differences.largest.iter().take(MOST_CELLS);
        Self {
            found,
            names: [&found.a, &found.b].map(name),
            verdict: found.verdict.name(),
            level: class(found.verdict.level()),
            headline: found.headline(),
            extent: match &found.identical {
                Some(identical) => with_noun(identical.tables as u64, "table"),
                None => format!("{tests}{s}"),
            },
            meaning: meaning(found),
            is_against,
            contents: contents(found, is_against),
            sides: sides(found),
            evidence: evidence(found),
            tables_at: "",
            p_values: p_values(found),
            cells: table_of!(TableName::Differences, cells, |cell| {
                text "cell": format!("{} {} {}", cell.table, cell.subject, cell.cell),
                printed "A": thousands(cell.observed[0]),
                printed "B": thousands(cell.observed[1]),
                printed "share in A": two_shares(cell.shares)[0].clone(),
                printed "share in B": two_shares(cell.shares)[1].clone(),
                printed "z": format!("{:+.2}", cell.z),
                text "significant": if cell.is_beyond_chance { "yes" } else { "no" },
            }),
            looked_at: thousands(found.differences.cells as u64),
            least_z: found
                .differences
                .chance_z
                .map_or_else(String::new, |z| format!("{z:.2}")),
            speed: speed(found),
            ratio: ratio(found),
        }
    }
}

/// The last part of a folder's path.
fn name(side: &ReportSide) -> String {
    let name = Path::new(&side.path).file_name();
    name.map_or_else(
        || side.path.clone(),
        |name| name.to_string_lossy().into_owned(),
    )
}

impl Comparison {
    /// The verdict in a sentence.
    pub fn headline(&self) -> &'static str {
        match (self.verdict, &self.identical) {
            (Likeness::Alike, Some(_)) => "Both runs have the same counts.",
            (_, Some(_)) => "The same run gave different counts.",
            (Likeness::Alike, None) => "No evidence of a difference between the samples.",
            (Likeness::Inconclusive, None) => "Too few deals to compare the samples.",
            (Likeness::Suspicious, None) => "Some evidence of a difference between the samples.",
            (Likeness::VerySuspicious, None) => {
                "Strong evidence of a difference between the samples."
            }
            (Likeness::Different, None) => "The samples come from different distributions.",
            (Likeness::TooAlike, None) => "The samples are too similar to be independent.",
        }
    }
}

fn meaning(found: &Comparison) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(identical) = &found.identical {
        all.push(match identical.unequal.is_empty() {
            true => "Condition, seed, generator and number of deals are the same, and so are all \
                     counts: the two programs or machines agree."
                .to_owned(),
            false => "Condition, seed, generator and number of deals are the same, so all counts \
                      must be equal. One of the two programs or machines is wrong, or the random \
                      stream has changed."
                .to_owned(),
        });
        return all;
    }
    match found.verdict {
        Likeness::Alike => all.push(
            "The samples differ by no more than two samples of one source. Each report shows \
             whether its own source is fair."
                .to_owned(),
        ),
        Likeness::Inconclusive => {}
        Likeness::Suspicious | Likeness::VerySuspicious | Likeness::Different => all.push(
            "The two reports show which of the samples is wrong. Deals that depend on each other, \
             such as repeated deals or a deck that is not reset, make samples of one source \
             differ too."
                .to_owned(),
        ),
        Likeness::TooAlike => all.push(
            "Two independent samples differ more than these: the samples share deals, or one was \
             fitted to the other."
                .to_owned(),
        ),
    }
    if found.relation == Relation::Independent {
        all.push(
            "S is the decimal logarithm of the evidence that the samples differ. Two independent \
             samples of one source reach S = 3 with a probability of at most 0.001."
                .to_owned(),
        );
    }
    all
}

/// The sections in their order, by anchor and title.
fn contents(found: &Comparison, is_against: bool) -> Vec<(&'static str, &'static str)> {
    let unequal = found.identical.as_ref();
    let is_unequal = unequal.is_some_and(|identical| !identical.unequal.is_empty());
    let has_cells = !found.differences.largest.is_empty();
    let has_detectable = !found.detectable_effects.is_empty();
    let (cells, detectable) = (
        ("cells", "Largest differences"),
        ("detectable", "Detectable differences"),
    );
    let all = [
        (is_unequal, ("unequal", "Unequal counts")),
        (is_against && has_cells, cells),
        (!is_against && has_detectable, detectable),
        (true, ("meaning", "Meaning")),
        (is_against && has_detectable, detectable),
        (!found.tests.is_empty(), ("tests", "Tests")),
        (!is_against && has_cells, cells),
        (true, ("sides", "Reports")),
        (true, ("speed", "Speed")),
        (true, ("files", "Files")),
    ];
    let shown = all.into_iter().filter(|(is_shown, _)| *is_shown);
    shown.map(|(_, section)| section).collect()
}

/// The strongest tests, and the sum over all.
fn evidence(found: &Comparison) -> Option<EvidenceTable> {
    let all: Vec<_> = found.tests.iter().map(|row| (row.adds(), row)).collect();
    let shown = found.strongest(MOST_TESTS);
    EvidenceTable::new(&all, &shown, "No test below p = 0.1", |shown| {
        table_of!(TableName::Homogeneity, shown, |row| {
            text "test": row.test.clone(),
            text "subject": row.subject.clone(),
            text "largest difference": row.effect.clone(),
            printed "p": three_digits_log10(row.log10_p),
            printed "weight × e-value": three_digits_log10(row.adds()),
        })
    })
}

fn sides(found: &Comparison) -> Vec<Beside> {
    let (a, b) = (&found.a, &found.b);
    let s = |side: &ReportSide| side.s.map_or_else(|| "-".to_owned(), |s| format!("{s:.2}"));
    let mut all = vec![
        beside("folder", &a.path, &b.path),
        beside("kind", a.kind, b.kind),
        beside("deals", thousands(a.deals), thousands(b.deals)),
        beside("verdict of the report", &a.verdict, &b.verdict),
        beside("S of the report", s(a), s(b)),
    ];
    let differs = found.differs.iter().filter(|field| field.what != "deals");
    all.extend(differs.map(|field| beside(field.what, &field.a, &field.b)));
    all
}

fn p_values(found: &Comparison) -> Option<Figure> {
    let values = found.tests.iter().map(|row| row.log10_p);
    figures::p_values(
        values,
        "The p-values of all tests. For two samples of one source all bins have the same \
         expectation. Tables of the same deals depend on each other, so bins vary more than \
         independent ones.",
        "A tall first bar: the samples differ. A tall last bar: they are too similar to be \
         independent.",
        "homogeneity.csv",
    )
}

fn speed(found: &Comparison) -> Vec<Beside> {
    let (a, b) = (&found.speed.a, &found.speed.b);
    let millions = |rate: Option<f64>| {
        rate.map_or_else(|| "unknown".to_owned(), |rate| three_digits(rate / 1e6))
    };
    let ns = |ns: Option<f64>| ns.map_or_else(|| "unknown".to_owned(), three_digits);
    vec![
        beside(
            "million deals per second",
            millions(a.deals_a_second),
            millions(b.deals_a_second),
        ),
        beside(
            "ns per deal (median of blocks)",
            ns(a.median_ns),
            ns(b.median_ns),
        ),
    ]
}

fn ratio(found: &Comparison) -> Option<String> {
    let ratio = found.speed.ratio?;
    let noise = found.speed.interval.zip(found.speed.finding());
    let noise = noise.map_or_else(
        || "its significance cannot be computed from these reports".to_owned(),
        |((low, high), finding)| {
            format!(
                "95 % confidence {low:.3} to {high:.3} from the noise within each run: {finding}. \
                 Noise between runs is not included"
            )
        },
    );
    Some(format!("Ratio B / A: {ratio:.3}; {noise}."))
}
