//! The plots of a page, each with what it shows and what a flaw would look like.

use super::Subject;
use super::counts::{Count, counts, table};
use super::deals::capital;
use crate::battery::{TestRow, band};
use crate::report::TableName;
use crate::report::number::{counted, grouped};
use crate::report::plots::{
    Bars, Block, Deviation, Funnel, Histogram, Looked, Outcome, Scale, bars, evidence, funnel,
    heat_map, histogram, pace, percentiles,
};
use crate::report::table::Table;

/// Rows of largest departures that are shown.
const MOST_EXTREME: usize = 5;
/// Of rarer counts, z says little: one that came once may be many standard deviations off.
const COMMON: f64 = 10.0;
/// Frequencies that are shown.
const MOST_FREQUENCIES: usize = 12;
/// Cells of a frequency that are shown as bars.
const MOST_BARS: usize = 60;
/// Bins of p-values.
const BINS: usize = 20;

/// Figures that belong together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Section {
    /// An anchor.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) figures: Vec<Figure>,
}

/// One or more plots with a caption.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figure {
    pub(crate) title: String,
    pub(crate) plots: Vec<Plot>,
    /// What is shown.
    pub(crate) shows: String,
    /// What a flaw would look like.
    pub(crate) flaw: &'static str,
    /// The file with the numbers.
    pub(crate) file: String,
    /// The largest departures.
    pub(crate) extremes: Vec<Extreme>,
}

/// A plot as inline SVG.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plot {
    /// Above it, where there are several.
    pub(crate) title: String,
    /// What it shows, for who cannot see it.
    pub(crate) alt: String,
    pub(crate) svg: String,
}

/// A count far from what was expected.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Extreme {
    pub(crate) name: String,
    pub(crate) observed: String,
    pub(crate) expected: String,
    pub(crate) z: String,
}

/// S at every look.
pub(crate) fn over_deals(subject: Subject<'_>) -> Option<Figure> {
    let looks = &subject.evidence()?.looks;
    let last = looks.iter().rev().find_map(|(_, s)| *s)?;
    let looked = looks.iter().map(|&(deals, s)| Looked { deals, s });
    let looked: Vec<Looked> = looked.collect();
    let largest = looks.iter().filter_map(|(_, s)| *s).fold(last, f64::max);
    let alt = format!(
        "S at {}: {last:.2} at the last, {largest:.2} at most; 3 would be suspicious, 9 a fail.",
        counted(looks.len() as u64, "look")
    );
    let file = match subject {
        Subject::Run(_) => "run.json",
        Subject::Audit(_) => "audit.json",
    };
    Some(Figure {
        title: "The evidence as deals came in".to_owned(),
        plots: vec![plot("", alt, evidence(&looked))],
        shows: "S, the weight of the evidence against the deals, at every look.".to_owned(),
        flaw: "Of random deals S stays near 0 or falls. A flaw makes it climb, the steeper the \
               larger the flaw, through the three lines.",
        file: file.to_owned(),
        extremes: Vec::new(),
    })
}

/// All that is plotted from tables.
pub(crate) fn sections(subject: Subject<'_>, tables: &[Table], tests: &[TestRow]) -> Vec<Section> {
    let all = [
        ("tests", "The tests together", vec![battery_p_values(tests)]),
        (
            "shapes",
            "Shapes and patterns",
            vec![shapes(tables), patterns(tables)],
        ),
        (
            "lengths",
            "Suit lengths and fits",
            vec![
                lengths(tables),
                scatter(tables, &LENGTHS),
                scatter(tables, &FITS),
            ],
        ),
        (
            "points",
            "High-card points",
            vec![
                points(tables),
                side_points(tables),
                scatter(tables, &POINTS),
            ],
        ),
        ("cards", "Who gets which card", vec![cards(tables)]),
        ("frequencies", "What the script asked", frequencies(tables)),
        ("speed", "Speed", vec![latency(tables), rate(subject)]),
    ];
    let sections = all.into_iter().map(|(id, title, figures)| Section {
        id,
        title,
        figures: figures.into_iter().flatten().collect(),
    });
    sections
        .filter(|section| !section.figures.is_empty())
        .collect()
}

fn plot(title: &str, alt: String, svg: String) -> Plot {
    let title = title.to_owned();
    Plot { title, alt, svg }
}

/// The counts farthest from what was expected, of those that are not rare.
fn extremes(counts: &[Count]) -> Vec<Extreme> {
    let mut far: Vec<(&Count, f64)> = counts
        .iter()
        .filter(|count| count.expected.is_some_and(|expected| expected >= COMMON))
        .filter_map(|count| Some((count, count.z?)))
        .collect();
    far.sort_by(|(_, one), (_, other)| other.abs().total_cmp(&one.abs()));
    let far = far.into_iter().take(MOST_EXTREME);
    far.map(|(count, z)| Extreme {
        name: count.name(),
        observed: grouped(count.observed),
        expected: count.expected.map_or_else(String::new, amount),
        z: format!("{z:+.2}"),
    })
    .collect()
}

/// An expected count for people.
fn amount(expected: f64) -> String {
    match expected {
        expected if expected >= 1e3 => grouped(expected.round() as u64),
        expected if expected >= 0.01 => format!("{expected:.2}"),
        0.0 => "0".to_owned(),
        _ => "less than 0.01".to_owned(),
    }
}

/// The outcome that came most often, and the one farthest from its expectation, in words.
fn most_frequent(counts: &[&Count]) -> String {
    let most = counts.iter().max_by_key(|count| count.observed);
    let Some(most) = most.filter(|most| most.observed > 0) else {
        return "Nothing was counted.".to_owned();
    };
    let name = most.names.last().map_or("", String::as_str);
    let expected = most.expected.map_or_else(String::new, |expected| {
        format!(", {} expected", amount(expected))
    });
    let farthest = counts.iter().filter_map(|count| Some((count.z?, count)));
    let farthest = farthest.max_by(|(one, _), (other, _)| one.abs().total_cmp(&other.abs()));
    let farthest = farthest.map_or_else(String::new, |(z, count)| {
        let name = count.names.last().map_or("", String::as_str);
        format!(" Farthest from its expectation: {name}, z = {z:.2}.")
    });
    let observed = counted(most.observed, "time");
    format!("Most frequent: {name}, {observed}{expected}.{farthest}")
}

/// Bars of every group of counts that has the same first names.
fn groups(counts: &[Count], outcome: &str, scale: Scale) -> Vec<Plot> {
    let mut plots = Vec::new();
    let is_one = |one: &Count, other: &Count| {
        one.names.split_last().map(|(_, first)| first)
            == other.names.split_last().map(|(_, first)| first)
    };
    for group in counts.chunk_by(is_one) {
        let names = group[0]
            .names
            .split_last()
            .map_or(&[][..], |(_, first)| first);
        let title = capital(&names.join(", "));
        let possible: Vec<&Count> = group.iter().filter(|count| is_possible(count)).collect();
        let outcomes = possible.iter().map(|count| Outcome {
            name: count.names.last().cloned().unwrap_or_default(),
            observed: count.observed,
            expected: count.expected,
        });
        let shown = Bars {
            outcomes: outcomes.collect(),
            outcome: outcome.to_owned(),
            counted: "deals".to_owned(),
            scale,
        };
        let alt = format!("{title}. {}", most_frequent(&possible));
        plots.push(plot(&title, alt, bars(&shown)));
    }
    plots
}

/// Whether anything was counted.
fn has_any(counts: &[Count]) -> bool {
    counts.iter().any(|count| count.observed > 0)
}

/// What a flaw would look like beside marks, if there are any.
fn beside_marks(counts: &[Count], flaw: &'static str) -> &'static str {
    match has_law(counts) {
        true => flaw,
        false => "",
    }
}

/// Whether it came or might have come.
fn is_possible(count: &Count) -> bool {
    count.observed > 0 || count.probability.is_some_and(|p| p > 0.0)
}

fn has_law(counts: &[Count]) -> bool {
    counts.iter().any(|count| count.expected.is_some())
}

/// What bars show, with or without a law.
fn beside_expected(counts: &[Count], what: &str) -> String {
    match has_law(counts) {
        true => {
            format!(
                "{what}: the bars are what came, the marks across them what exact theory expects."
            )
        }
        false => format!("{what}. No exact law is known of these deals: there are only bars."),
    }
}

fn shapes(tables: &[Table]) -> Option<Figure> {
    let counts = counts(tables, TableName::Shapes);
    has_any(&counts).then(|| Figure {
        title: "Shapes of the four hands".to_owned(),
        plots: groups(&counts, "shape", Scale::Log),
        shows: beside_expected(
            &counts,
            "How often each seat held each shape, on a scale on which each step is ten times the last",
        ),
        flaw: beside_marks(&counts, "A dealer that makes flat hands too often has bars beyond their marks at the top \
               and short of them further down, at all seats alike."),
        file: "shapes.csv".to_owned(),
        extremes: extremes(&counts),
    })
}

fn patterns(tables: &[Table]) -> Option<Figure> {
    scatter(
        tables,
        &Scatter {
            table: TableName::Patterns,
            title: "Patterns against theory",
            what: "seats' patterns",
            flaw: "A lookup table with one wrong entry, or a dealer that prefers a suit, lifts some \
                   points out of the band: on the right first, where many were expected.",
        },
    )
}

/// A funnel of a table of counts.
struct Scatter {
    table: TableName,
    title: &'static str,
    what: &'static str,
    flaw: &'static str,
}

const LENGTHS: Scatter = Scatter {
    table: TableName::SuitLengths,
    title: "Suit lengths against theory",
    what: "lengths of suits at seats",
    flaw: "A deck that is not mixed well leaves suits too evenly or too unevenly dealt: points \
           far above the band at one end and far below at the other.",
};
const FITS: Scatter = Scatter {
    table: TableName::Fits,
    title: "Fits against theory",
    what: "lengths of suits that two partners hold together",
    flaw: "Partners' hands that are not independent of each other, as when a shuffle deals \
           neighbouring cards to a side, show here though every hand by itself is right.",
};
const POINTS: Scatter = Scatter {
    table: TableName::Hcp,
    title: "Points against theory",
    what: "point counts of seats",
    flaw: "Deals that were thrown away for want of points leave the low counts below the band \
           and lift the others.",
};

/// A count as a point; of what is more often so than not, how often it was not: the law of
/// the rarer of the two is the one that the band knows.
fn deviation(count: &Count) -> Option<Deviation> {
    let expected = count.expected.filter(|expected| *expected > 0.0)?;
    let (p, z) = (count.probability?, count.z?);
    Some(match p > 0.5 {
        false => Deviation {
            expected,
            z,
            name: count.name(),
        },
        true => Deviation {
            expected: expected * (1.0 - p) / p,
            z: -z,
            name: format!("not {}", count.name()),
        },
    })
}

fn scatter(tables: &[Table], scatter: &Scatter) -> Option<Figure> {
    let counts = counts(tables, scatter.table);
    let points = counts.iter().filter_map(deviation);
    let points: Vec<Deviation> = points.collect();
    if points.is_empty() {
        return None;
    }
    let reach = |fold: fn(f64, f64) -> f64, first: f64| {
        points.iter().map(|point| point.expected).fold(first, fold)
    };
    let band = band(
        points.len(),
        reach(f64::min, f64::INFINITY),
        reach(f64::max, 0.0),
    );
    let outside = points
        .iter()
        .filter(|point| band.is_outside(point.expected, point.z));
    let alt = format!(
        "{} counts, {} of them outside the band.",
        grouped(points.len() as u64),
        outside.count()
    );
    let shown = Funnel {
        points,
        lower: band.lower,
        upper: band.upper,
    };
    Some(Figure {
        title: scatter.title.to_owned(),
        plots: vec![plot("", alt, funnel(&shown))],
        shows: format!(
            "All {} of the {}: how many standard deviations each count is from its expectation, by \
             how many were expected. Of perfect deals all points stay in the band in 999 of 1,000 \
             runs.",
            grouped(shown.points.len() as u64),
            scatter.what
        ),
        flaw: scatter.flaw,
        file: format!("{}.csv", scatter.table),
        extremes: extremes(&counts),
    })
}

fn lengths(tables: &[Table]) -> Option<Figure> {
    let counts = counts(tables, TableName::SuitLengths);
    has_any(&counts).then(|| Figure {
        title: "Lengths of the suits".to_owned(),
        plots: groups(&counts, "cards", Scale::Linear),
        shows: beside_expected(&counts, "How many cards of each suit each seat held"),
        flaw: beside_marks(
            &counts,
            "Bars beyond their marks at 3 and 4 and short of them elsewhere: too flat, as \
               hand-dealt cards tend to be.",
        ),
        file: "suit_lengths.csv".to_owned(),
        extremes: extremes(&counts),
    })
}

fn points(tables: &[Table]) -> Option<Figure> {
    let counts = counts(tables, TableName::Hcp);
    has_any(&counts).then(|| Figure {
        title: "High-card points of the four hands".to_owned(),
        plots: groups(&counts, "HCP", Scale::Linear),
        shows: beside_expected(&counts, "How often each seat held how many points"),
        flaw: beside_marks(
            &counts,
            "One seat's bars to the right of their marks and another's to the left: honours \
               are not dealt evenly.",
        ),
        file: "hcp.csv".to_owned(),
        extremes: extremes(&counts),
    })
}

fn side_points(tables: &[Table]) -> Option<Figure> {
    let counts = counts(tables, TableName::SideHcp);
    has_any(&counts).then(|| Figure {
        title: "High-card points of the two sides".to_owned(),
        plots: groups(&counts, "HCP", Scale::Linear),
        shows: beside_expected(&counts, "How often each side held how many points"),
        flaw: beside_marks(
            &counts,
            "Too few deals in the middle, where nobody can make a game: somebody threw dull \
               deals away.",
        ),
        file: "side_hcp.csv".to_owned(),
        extremes: extremes(&counts),
    })
}

/// What a script counted of one value, a figure each.
fn frequencies(tables: &[Table]) -> Vec<Option<Figure>> {
    let counts = counts(tables, TableName::Frequencies);
    let of_one = counts.chunk_by(|one, other| one.names.first() == other.names.first());
    let shown = of_one.filter(|cells| cells.len() <= MOST_BARS && has_any(cells));
    let figures = shown.take(MOST_FREQUENCIES).map(|cells| {
        let label = cells[0].names.first().cloned().unwrap_or_default();
        let what = format!("How often each value of {label} came");
        Some(Figure {
            title: label,
            plots: groups(cells, "value", Scale::Linear),
            shows: beside_expected(cells, &what),
            flaw: "",
            file: "frequencies.csv".to_owned(),
            extremes: Vec::new(),
        })
    });
    figures.collect()
}

/// Ranks as columns, suits as rows, a block for each seat.
fn cards(tables: &[Table]) -> Option<Figure> {
    let counts = counts(tables, TableName::Cards);
    if !has_law(&counts) {
        return None;
    }
    let is_one = |one: &Count, other: &Count| one.names.first() == other.names.first();
    let blocks = counts.chunk_by(is_one).map(|seat| Block {
        title: capital(seat[0].names.first().map_or("", String::as_str)),
        rows: ["♠", "♥", "♦", "♣"].map(str::to_owned).into(),
        columns: "AKQJT98765432".chars().map(String::from).collect(),
        z: seat
            .chunks(13)
            .map(|suit| suit.iter().map(|count| count.z).collect())
            .collect(),
    });
    let blocks: Vec<Block> = blocks.collect();
    let large = counts
        .iter()
        .filter(|count| count.z.is_some_and(|z| z.abs() > 4.0));
    let open = counts.iter().filter(|count| count.is_open());
    let alt = format!(
        "{} cards at seats; {} more than four standard deviations from what was expected.",
        open.count(),
        large.count()
    );
    Some(Figure {
        title: "Every card at every seat".to_owned(),
        plots: vec![plot("", alt, heat_map(&blocks))],
        shows:
            "How many standard deviations more (orange) or less (blue) often than expected each \
                card came to each seat. A crossed cell is a card that cannot be there, or must."
                .to_owned(),
        flaw: "A row, a column or a patch of one colour: a bad shuffle leaves neighbours of the \
               sorted deck with the same seat. Of perfect deals one cell in 20 is beyond 2, \
               scattered, and one page in 75 has any beyond 4.",
        file: "cards.csv".to_owned(),
        extremes: extremes(&counts),
    })
}

/// The p-values of a battery's tests.
fn battery_p_values(tests: &[TestRow]) -> Option<Figure> {
    p_values(
        tests.iter().filter_map(|row| row.log10_p),
        "How the p-values of all tests spread between 0 and 1 at the last look. Of perfect deals \
         every bin expects as many; tests that look at the same cards move together, so that the \
         bins vary more than independent ones would. Bounds that are 1 are left out.",
        "A tall first bar: many tests find what should hardly ever be. A tall last one: the deals \
         are more even than chance makes them, as edited files are.",
        "tests.csv",
    )
}

/// A histogram of p-values that can be anything: bounds of p that are 1 say only that.
pub(crate) fn p_values(
    log10_p: impl Iterator<Item = f64>,
    shows: &str,
    flaw: &'static str,
    file: &str,
) -> Option<Figure> {
    let mut bins = vec![0; BINS];
    for log10_p in log10_p.filter(|log10_p| *log10_p < 0.0) {
        let bin = (10f64.powf(log10_p) * BINS as f64) as usize;
        bins[bin.min(BINS - 1)] += 1;
    }
    let all: u64 = bins.iter().sum();
    if all == 0 {
        return None;
    }
    let alt = format!(
        "{} in {BINS} bins; {} below 0.05.",
        counted(all, "p-value"),
        bins[0]
    );
    let shown = Histogram {
        expected: Some(all as f64 / BINS as f64),
        counted: "tests".to_owned(),
        bins,
    };
    Some(Figure {
        title: "The p-values of all tests".to_owned(),
        plots: vec![plot("", alt, histogram(&shown))],
        shows: shows.to_owned(),
        flaw,
        file: file.to_owned(),
        extremes: Vec::new(),
    })
}

fn latency(tables: &[Table]) -> Option<Figure> {
    let rows = table(tables, TableName::Latency)?.rows();
    let points = rows
        .iter()
        .filter_map(|row| Some((row[0].number()?, row[1].number()?)));
    let points: Vec<(f64, f64)> = points.collect();
    let at = |percentile: f64| {
        let point = points.iter().find(|point| point.0 == percentile);
        point.map_or_else(String::new, |(_, ns)| format!("{ns:.1} ns"))
    };
    let alt = format!(
        "Half of the blocks took {} a deal or less, 99 % took {} or less.",
        at(50.0),
        at(99.0)
    );
    (!points.is_empty()).then(|| Figure {
        title: "Time a deal takes".to_owned(),
        plots: vec![plot("", alt, percentiles(&points))],
        shows:
            "Nanoseconds a deal of one thread, block by block: how many blocks were at least so \
                fast."
                .to_owned(),
        flaw: "This says nothing of the deals. A line that climbs early means a machine that was \
               busy with other work.",
        file: "latency.csv".to_owned(),
        extremes: Vec::new(),
    })
}

/// Deals a second over the run.
fn rate(subject: Subject<'_>) -> Option<Figure> {
    let Subject::Run(record) = subject else {
        return None;
    };
    let run_pace = record.pace.as_ref()?;
    let seconds = run_pace.slice_seconds;
    let points = run_pace.deals.iter().enumerate();
    let points =
        points.map(|(slice, deals)| ((slice as f64 + 0.5) * seconds, *deals as f64 / seconds));
    let points: Vec<(f64, f64)> = points.collect();
    if points.len() < 2 {
        return None;
    }
    let rates = points.iter().map(|(_, rate)| *rate);
    let (least, most) = (
        rates.clone().fold(f64::INFINITY, f64::min),
        rates.fold(0.0, f64::max),
    );
    let alt = format!(
        "Between {:.2} and {:.2} million deals a second.",
        least / 1e6,
        most / 1e6
    );
    Some(Figure {
        title: "Deals a second over the run".to_owned(),
        plots: vec![plot("", alt, pace(&points))],
        shows:
            "How many deals a second were dealt, counted and looked at on all threads, since the \
                run began or went on."
                .to_owned(),
        flaw: "This says nothing of the deals. A line that falls means a processor that grew hot, or \
               other work on the machine.",
        file: "run.json".to_owned(),
        extremes: Vec::new(),
    })
}
