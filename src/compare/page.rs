//! compare.html: two reports beside each other.

use std::path::Path;

use askama::Template;

use super::{Comparison, Relation, Side};
use crate::compare::{Likeness, Row};
use crate::report::page::facts::chance;
use crate::report::page::figures::{self, Figure};
use crate::report::page::{STYLES, rendered};
use crate::report::{counted, grouped};

/// Tests and cells that the page shows; the files have all.
const MOST_TESTS: usize = 10;
const MOST_CELLS: usize = 20;

/// The page of a comparison as HTML.
#[must_use]
pub(super) fn comparison_page(found: &Comparison) -> String {
    rendered(&Page::new(found))
}

#[derive(Template)]
#[template(path = "compare.html", config = "src/report/page/askama.toml")]
struct Page<'c> {
    found: &'c Comparison,
    /// What the two folders are called.
    names: [String; 2],
    verdict: &'static str,
    level: &'static str,
    headline: &'static str,
    extent: String,
    means: Vec<String>,
    sides: Vec<Beside>,
    strongest: Vec<Tested<'c>>,
    p_values: Option<Figure>,
    cells: Vec<Cell>,
    looked_at: String,
    chance_z: String,
    speed: Vec<Beside>,
    ratio: Option<String>,
}

/// A line about both.
struct Beside {
    what: String,
    a: String,
    b: String,
}

fn beside(what: &str, a: impl Into<String>, b: impl Into<String>) -> Beside {
    let (what, a, b) = (what.to_owned(), a.into(), b.into());
    Beside { what, a, b }
}

struct Tested<'c> {
    row: &'c Row,
    chance: String,
    evidence: String,
}

/// A cell that differs.
struct Cell {
    name: String,
    observed: [String; 2],
    shares: [String; 2],
    z: String,
    mark: &'static str,
}

impl<'c> Page<'c> {
    fn new(found: &'c Comparison) -> Self {
        let tests = counted(found.tests.len() as u64, "comparison");
        let s = found
            .s
            .map_or_else(String::new, |s| format!(", S = {s:.2}"));
        let cells = found.differences.largest.iter().take(MOST_CELLS);
        Self {
            found,
            names: [&found.a, &found.b].map(name),
            verdict: found.verdict.name(),
            level: class(found.verdict),
            headline: headline(found),
            extent: match &found.identical {
                Some(identical) => format!("{} tables of counts", identical.tables),
                None => format!("{tests} of tables and seats{s}"),
            },
            means: means(found),
            sides: sides(found),
            strongest: found
                .strongest(MOST_TESTS)
                .into_iter()
                .map(tested)
                .collect(),
            p_values: p_values(found),
            cells: cells
                .map(|cell| Cell {
                    name: format!("{} {} {}", cell.table, cell.subject, cell.cell),
                    observed: cell.observed.map(grouped),
                    shares: cell.shares.map(|share| format!("{:.6}", 100.0 * share)),
                    z: format!("{:+.2}", cell.z),
                    mark: if cell.is_beyond_chance { "yes" } else { "no" },
                })
                .collect(),
            looked_at: grouped(found.differences.cells as u64),
            chance_z: found
                .differences
                .chance_z
                .map_or_else(String::new, |z| format!("{z:.2}")),
            speed: speed(found),
            ratio: ratio(found),
        }
    }
}

/// The last part of a folder's path, which may say where somebody's home is.
fn name(side: &Side) -> String {
    let name = Path::new(&side.path).file_name();
    name.map_or_else(
        || side.path.clone(),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn class(verdict: Likeness) -> &'static str {
    match verdict {
        Likeness::Alike => "pass",
        Likeness::Inconclusive => "inconclusive",
        Likeness::Suspicious | Likeness::VerySuspicious => "suspicious",
        Likeness::Different | Likeness::TooAlike => "fail",
    }
}

fn headline(found: &Comparison) -> &'static str {
    match (found.verdict, &found.identical) {
        (Likeness::Alike, Some(_)) => "One run, made twice, came to the same counts.",
        (_, Some(_)) => "One run, made twice, came to different counts.",
        (Likeness::Alike, None) => "Nothing tells the two samples apart.",
        (Likeness::Inconclusive, None) => "There are too few deals to tell the samples apart.",
        (Likeness::Suspicious, None) => "The two samples may not be alike.",
        (Likeness::VerySuspicious, None) => "The two samples are very probably not alike.",
        (Likeness::Different, None) => {
            "The samples differ by more than independent deals of one source do."
        }
        (Likeness::TooAlike, None) => "The two samples are too alike to be of different deals.",
    }
}

fn means(found: &Comparison) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(identical) = &found.identical {
        all.push(match identical.unequal.is_empty() {
            true => "Condition, seed, generator and number of deals are the same, and so is every \
                     count: the two programs, or machines, agree."
                .to_owned(),
            false => "Condition, seed, generator and number of deals are the same, so that every \
                      count has to be; those below are not. One of the two programs or machines is \
                      wrong, or what deals are dealt from a seed was changed."
                .to_owned(),
        });
        return all;
    }
    match found.verdict {
        Likeness::Alike => all.push(
            "The counts of the two differ by no more than those of two samples of one source do. \
             That is not to say that the source is a good one: each report says that for itself."
                .to_owned(),
        ),
        Likeness::Inconclusive => {}
        Likeness::Suspicious | Likeness::VerySuspicious | Likeness::Different => all.push(
            "Which of the two is wrong, their own reports say. If the deals of one depend on each \
             other (deals that come again, a deck that is not shuffled from the start), that alone \
             makes samples of it differ."
                .to_owned(),
        ),
        Likeness::TooAlike => all.push(
            "Two samples of one source differ more than these do: they share deals, or one was \
             made to fit the other."
                .to_owned(),
        ),
    }
    if found.relation == Relation::Independent {
        all.push(
            "S is the weight of the evidence that the samples are not alike, in powers of ten: two \
             samples of one source, of deals that do not depend on each other, reach S = 3 at most \
             once in a thousand comparisons."
                .to_owned(),
        );
    }
    all
}

fn sides(found: &Comparison) -> Vec<Beside> {
    let (a, b) = (&found.a, &found.b);
    let s = |side: &Side| side.s.map_or_else(|| "-".to_owned(), |s| format!("{s:.2}"));
    let mut all = vec![
        beside("folder", &a.path, &b.path),
        beside("of", a.kind, b.kind),
        beside("deals", grouped(a.deals), grouped(b.deals)),
        beside("own verdict", &a.verdict, &b.verdict),
        beside("own S", s(a), s(b)),
    ];
    let differs = found.differs.iter().filter(|field| field.what != "deals");
    all.extend(differs.map(|field| beside(field.what, &field.a, &field.b)));
    all
}

fn tested(row: &Row) -> Tested<'_> {
    Tested {
        chance: chance(row.log10_p),
        evidence: format!("{:.2}", row.adds()),
        row,
    }
}

fn p_values(found: &Comparison) -> Option<Figure> {
    let values = found.tests.iter().map(|row| row.log10_p);
    figures::p_values(
        values,
        "How the p-values of all comparisons spread between 0 and 1. Of two samples of one source \
         every bin expects as many; tables of the same deals move together, so that the bins vary \
         more than independent ones would.",
        "A tall first bar: the samples differ where they should not. A tall last one: they differ \
         less than samples do that share no deals.",
        "homogeneity.csv",
    )
}

fn speed(found: &Comparison) -> Vec<Beside> {
    let (a, b) = (&found.speed.a, &found.speed.b);
    let millions = |rate: Option<f64>| {
        rate.map_or_else(|| "unknown".to_owned(), |rate| format!("{:.3}", rate / 1e6))
    };
    let ns = |ns: Option<f64>| ns.map_or_else(|| "unknown".to_owned(), |ns| format!("{ns:.1}"));
    vec![
        beside(
            "million deals a second",
            millions(a.deals_a_second),
            millions(b.deals_a_second),
        ),
        beside(
            "ns a deal (median of blocks)",
            ns(a.median_ns),
            ns(b.median_ns),
        ),
    ]
}

fn ratio(found: &Comparison) -> Option<String> {
    let ratio = found.speed.ratio?;
    let noise = found.speed.interval.zip(found.speed.finding());
    let noise = noise.map_or_else(
        || "whether that is noise cannot be told from these reports".to_owned(),
        |((low, high), finding)| {
            format!(
                "{low:.4} to {high:.4} with 95 %, by the noise within each run: {finding}. Noise \
                 between runs at other times is not in it"
            )
        },
    );
    Some(format!("B by A: {ratio:.4}; {noise}."))
}
