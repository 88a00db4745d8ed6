//! The figures of a page: plots with captions, and the signs of a flaw.

use super::counts::{PageCount, by_label, counts, is_of_two_values, table};
use crate::battery::{Test, TestRow, band, strongest};
use crate::formats::capital;
use crate::plots::{
    AxisScale, BarOutcome, Bars, Deviation, DeviationRatio, Funnel, HeatTable, Ratios, bars,
    evidence, funnel, half_range, heat_map, histogram, pace, percentiles, ratios,
};
use crate::printable::three_digits;
use crate::printable::{thousands, with_noun};
use crate::stats::elementary::powf;
use crate::table::{Table, table_of};
use crate::{AnyRecord, TableName};

/// Maximum number of rows in a table of largest deviations.
const MOST_EXTREME: usize = 5;
/// The smallest expected count of a ratio or a large deviation. For rarer outcomes, a single deal
/// may be many standard deviations.
const COMMON: f64 = 10.0;
/// Maximum number of frequencies with a figure.
const MOST_FREQUENCIES: usize = 12;
/// Maximum number of cells of a frequency with a figure.
const MOST_BARS: usize = 60;
/// Number of bins of p-values.
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
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Figure {
    pub(crate) title: String,
    pub(crate) plots: Vec<Plot>,
    /// Absolute counts, which the page shows on request.
    pub(crate) more: Vec<Plot>,
    /// The caption.
    pub(crate) shows: String,
    /// The sign of a flaw.
    pub(crate) flaw: &'static str,
    /// The file with the numbers.
    pub(crate) file: String,
    /// The largest deviations.
    pub(crate) extremes: Option<Table>,
    /// Whether the largest deviations are shown unfolded.
    pub(crate) extremes_open: bool,
}

/// A plot as inline SVG.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Its heading, if there are several.
    pub title: String,
    /// Its alternative text.
    pub alt: String,
    /// The plot as an element `svg`.
    pub svg: String,
}

/// S at every look.
pub(crate) fn over_deals(subject: &AnyRecord) -> Option<Figure> {
    let looks = &subject.common().evidence.as_ref()?.looks;
    let last = looks.iter().rev().find_map(|(_, s)| *s)?;
    let largest = looks.iter().filter_map(|(_, s)| *s).fold(last, f64::max);
    let alt = format!(
        "S at {}: {last:.2} at the last look, {largest:.2} at most. SUSPICIOUS begins at 3, FAIL \
         at 9.",
        with_noun(looks.len() as u64, "look")
    );
    let file = match subject {
        AnyRecord::Run(_) => "run.json",
        AnyRecord::Audit(_) => "audit.json",
    };
    Some(Figure {
        title: "Evidence by number of deals".to_owned(),
        plots: vec![plot("", alt, evidence(looks))],
        shows: "S, the evidence against fair dealing, at every look.".to_owned(),
        flaw: "S rises through the three lines; a larger flaw makes it rise faster. Under fair \
               dealing S stays near 0 or falls.",
        file: file.to_owned(),
        ..Figure::default()
    })
}

/// The picture of the strongest evidence: its table, and S over the run.
pub(crate) fn strongest_evidence(
    subject: &AnyRecord,
    tables: &[Table],
    tests: &[TestRow],
) -> Vec<Figure> {
    let first = strongest(tests).first().copied();
    let picture = first.and_then(|row| picture_of(tables, row));
    let picture = picture.map(|figure| Figure {
        extremes_open: true,
        more: Vec::new(),
        ..figure
    });
    picture.into_iter().chain(over_deals(subject)).collect()
}

/// The figure of the counts that a test examines, for its subject alone; `None` if no table has
/// them.
fn picture_of(tables: &[Table], row: &TestRow) -> Option<Figure> {
    let of_subject = |about: &About| {
        let mut counts = counts(tables, about.table);
        counts.retain(|count| row.subject == "all" || count.subject() == row.subject);
        ratio_figure(&counts, about)
    };
    match row.test {
        Test::CardSeat | Test::WorstCard | Test::CardTable => cards(tables),
        Test::Patterns => scatter(tables, &PATTERNS),
        Test::Shapes | Test::PooledShapes => of_subject(&SHAPES),
        Test::Lengths => of_subject(&LENGTHS),
        Test::Fits => of_subject(&FITS),
        Test::Points | Test::PooledPoints => of_subject(&POINTS),
        Test::SidePoints => of_subject(&SIDE_POINTS),
        _ => None,
    }
}

/// All figures of the tables, by section.
pub(crate) fn sections(subject: &AnyRecord, tables: &[Table]) -> Vec<Section> {
    let ratios = |about: &About| ratio_figure(&counts(tables, about.table), about);
    let scatter = |about: &About| scatter(tables, about);
    let all = [
        (
            "shapes",
            "Shapes and patterns",
            vec![ratios(&SHAPES), scatter(&PATTERNS)],
        ),
        (
            "lengths",
            "Suit lengths and fits",
            vec![
                ratios(&LENGTHS),
                ratios(&FITS),
                scatter(&SCATTERED_LENGTHS),
                scatter(&SCATTERED_FITS),
            ],
        ),
        (
            "points",
            "High-card points",
            vec![
                ratios(&POINTS),
                ratios(&SIDE_POINTS),
                scatter(&SCATTERED_POINTS),
            ],
        ),
        ("cards", "Cards by seat", vec![cards(tables)]),
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

/// The counts with the largest |z|, without rare ones.
fn extremes(name: TableName, counts: &[PageCount]) -> Option<Table> {
    let mut far: Vec<(&PageCount, f64)> = counts
        .iter()
        .filter(|count| count.expected.is_some_and(|expected| expected >= COMMON))
        .filter_map(|count| Some((count, count.z?)))
        .collect();
    far.sort_by(|(_, one), (_, other)| other.abs().total_cmp(&one.abs()));
    let far = far.into_iter().take(MOST_EXTREME);
    let table = table_of!(name, far, |(count, z)| {
        text "outcome": count.name(),
        printed "observed": thousands(count.observed),
        printed "expected": count.expected.map_or_else(String::new, amount),
        printed "z": format!("{z:+.2}"),
    });
    (!table.rows().is_empty()).then_some(table)
}

/// Formats an expected count for people.
fn amount(expected: f64) -> String {
    match expected {
        expected if expected >= 1e3 => thousands(expected.round() as u64),
        expected => three_digits(expected),
    }
}

/// Names the most frequent outcome and the one with the largest |z|.
fn most_frequent(counts: &[&PageCount]) -> String {
    let most = counts.iter().max_by_key(|count| count.observed);
    let Some(most) = most.filter(|most| most.observed > 0) else {
        return "No deals.".to_owned();
    };
    let name = most.names.last().map_or("", String::as_str);
    let expected = most.expected.map_or_else(String::new, |expected| {
        format!(", {} expected", amount(expected))
    });
    let farthest = counts.iter().filter_map(|count| Some((count.z?, count)));
    let farthest = farthest.max_by(|(one, _), (other, _)| one.abs().total_cmp(&other.abs()));
    let farthest = farthest.map_or_else(String::new, |(z, count)| {
        let name = count.names.last().map_or("", String::as_str);
        format!(" Largest deviation: {name}, z = {z:.2}.")
    });
    let observed = with_noun(most.observed, "time");
    format!("Most frequent: {name}, {observed}{expected}.{farthest}")
}

/// Bar plots of counts, one for each subject.
fn groups(counts: &[PageCount], outcome: &str, scale: AxisScale) -> Vec<Plot> {
    let mut plots = Vec::new();
    for group in by_subject(counts) {
        let title = capital(&group[0].names[..group[0].names.len().saturating_sub(1)].join(", "));
        let possible: Vec<&PageCount> = group.iter().filter(|count| is_possible(count)).collect();
        let outcomes = possible.iter().map(|count| BarOutcome {
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

/// The counts of each subject: a seat, a suit of a seat.
fn by_subject(counts: &[PageCount]) -> impl Iterator<Item = &[PageCount]> {
    counts.chunk_by(|one, other| one.subject() == other.subject())
}

/// Plots of observed to expected counts, one for each subject; none if no outcome is common.
///
/// All bars of the figure hold jointly with 99.9 % confidence.
fn ratio_plots(counts: &[PageCount], outcome: &str) -> Vec<Plot> {
    let common = || counts.iter().filter_map(measured);
    let rarer = || common().map(|(_, _, rarer)| rarer);
    let band = band(
        common().count(),
        rarer().fold(f64::INFINITY, f64::min),
        rarer().fold(0.0, f64::max),
    );
    let ratio = |count: &PageCount| {
        let (z, scale, rarer) = measured(count)?;
        let (low, high) = match count.probability.is_some_and(|p| p > 0.5) {
            false => band.edges(rarer),
            true => {
                let (low, high) = band.edges(rarer);
                (-high, -low)
            }
        };
        Some(DeviationRatio {
            name: count.names.last().cloned().unwrap_or_default(),
            deviation: z * scale,
            low: (z - high) * scale,
            high: (z - low) * scale,
        })
    };
    let all: Vec<DeviationRatio> = counts.iter().filter_map(ratio).collect();
    let mut plots = Vec::new();
    for group in by_subject(counts) {
        let shown = Ratios {
            outcomes: group.iter().filter_map(ratio).collect(),
            outcome: outcome.to_owned(),
            half_range: half_range(&all),
        };
        if shown.outcomes.is_empty() {
            continue;
        }
        let title = capital(&group[0].names[..group[0].names.len().saturating_sub(1)].join(", "));
        let alt = format!("{title}. {}", ratios_in_words(&shown.outcomes));
        plots.push(plot(&title, alt, ratios(&shown)));
    }
    plots
}

/// Returns z, the standard deviation relative to the expectation, and the expected count of the
/// outcome or its complement, whichever is rarer. `None` if that is rare, or the outcome is certain
/// or impossible.
fn measured(count: &PageCount) -> Option<(f64, f64, f64)> {
    let (expected, p, z) = (count.expected?, count.probability?, count.z?);
    let rarer = match p > 0.5 {
        true => expected * (1.0 - p) / p,
        false => expected,
    };
    (rarer >= COMMON).then(|| (z, ((1.0 - p) / expected).sqrt(), rarer))
}

fn ratios_in_words(outcomes: &[DeviationRatio]) -> String {
    let outside = outcomes.iter().filter(|ratio| ratio.is_outside()).count();
    let reach = |ratio: &&DeviationRatio| (ratio.deviation / (ratio.high - ratio.low)).abs();
    let farthest = outcomes
        .iter()
        .max_by(|one, other| reach(one).total_cmp(&reach(other)));
    let farthest = farthest.map_or_else(String::new, |ratio| {
        let deviation = 100.0 * ratio.deviation;
        let sign = if deviation < 0.0 { "" } else { "+" };
        let deviation = three_digits(deviation);
        format!(" Largest deviation: {}, {sign}{deviation} %.", ratio.name)
    });
    let outcomes = with_noun(outcomes.len() as u64, "outcome");
    format!("{outcomes}, {outside} outside the confidence bars.{farthest}")
}

/// A figure of ratios, with absolute counts on request. If no law is known or the sample is small,
/// it shows only counts.
fn ratio_figure(counts: &[PageCount], about: &About) -> Option<Figure> {
    if !has_any(counts) {
        return None;
    }
    let &About { what, outcome, .. } = about;
    let ratios = ratio_plots(counts, outcome);
    let bars = groups(counts, outcome, about.scale);
    let (plots, more, shows, flaw) = match ratios.is_empty() {
        false => (
            ratios,
            bars,
            format!(
                "{what}: the relative deviation of each count from its expectation, with bars of \
                 99.9 % confidence for the whole figure. A bar that misses the line is evidence of \
                 a flaw. Outcomes with fewer than {COMMON:.0} expected deals are left out."
            ),
            about.flaw,
        ),
        true => (bars, Vec::new(), beside_expected(counts, what), ""),
    };
    Some(Figure {
        title: about.title.to_owned(),
        plots,
        more,
        shows,
        flaw,
        file: format!("{}.csv", about.table),
        extremes: extremes(about.table, counts),
        extremes_open: false,
    })
}

/// Whether anything was counted.
fn has_any(counts: &[PageCount]) -> bool {
    counts.iter().any(|count| count.observed > 0)
}

/// Whether the outcome occurred or has a positive probability.
fn is_possible(count: &PageCount) -> bool {
    count.observed > 0 || count.probability.is_some_and(|p| p > 0.0)
}

fn has_law(counts: &[PageCount]) -> bool {
    counts.iter().any(|count| count.expected.is_some())
}

/// The caption of bars, with or without a law.
fn beside_expected(counts: &[PageCount], what: &str) -> String {
    match counts.first().and_then(|count| count.no_exact.as_deref()) {
        _ if has_law(counts) => {
            format!("{what}: bars are observed counts, marks across them exact expectations.")
        }
        Some(why) => format!("{what}: observed counts. No exact value: {why}."),
        None => format!("{what}: observed counts. No exact law is known for these deals."),
    }
}

/// A figure of a table of counts: ratios, or a funnel of all counts.
struct About {
    table: TableName,
    title: &'static str,
    what: &'static str,
    flaw: &'static str,
    /// The kind of outcome, and the scale of the counts beside ratios.
    outcome: &'static str,
    scale: AxisScale,
}

const SHAPES: About = About {
    table: TableName::Shapes,
    title: "Shapes by seat",
    what: "Shapes",
    flaw: "Flat shapes at the top are too frequent and wild ones too rare, at all seats alike: a bad \
           shuffle or a wrong lookup table.",
    outcome: "shape",
    scale: AxisScale::Log,
};
const LENGTHS: About = About {
    table: TableName::SuitLengths,
    title: "Suit lengths by seat",
    what: "Suit lengths",
    flaw: "Lengths 3 and 4 too frequent, others too rare: flat deals, as from cards shuffled by hand.",
    outcome: "cards",
    scale: AxisScale::Linear,
};
const FITS: About = About {
    table: TableName::Fits,
    title: "Fits by side",
    what: "Combined suit lengths of two partners",
    flaw: "Fits deviate although single hands do not: partners' hands depend on each other.",
    ..LENGTHS
};
const POINTS: About = About {
    table: TableName::Hcp,
    title: "High-card points by seat",
    what: "High-card points",
    flaw: "One seat has high counts too often and another low ones: honours are not dealt evenly.",
    outcome: "HCP",
    ..LENGTHS
};
const SIDE_POINTS: About = About {
    table: TableName::SideHcp,
    title: "High-card points by side",
    what: "Combined high-card points of two partners",
    flaw: "Counts around 20, where neither side makes a game, are too rare: dull deals were \
           discarded.",
    ..POINTS
};
const PATTERNS: About = About {
    table: TableName::Patterns,
    title: "Patterns",
    what: "patterns by seat",
    flaw: "Some points leave the band, those with large expectations first: a wrong entry of a \
           lookup table, or a preference for a suit.",
    ..SHAPES
};
const SCATTERED_LENGTHS: About = About {
    title: "Suit lengths in standard deviations",
    what: "suit lengths by seat",
    flaw: "Points far above the band at one end and far below at the other: suits are dealt too \
           evenly or too unevenly, as from a deck that is not mixed well.",
    ..LENGTHS
};
const SCATTERED_FITS: About = About {
    title: "Fits in standard deviations",
    what: "fits by side",
    flaw: "Points outside although single hands are correct: partners' hands depend on each \
           other, as when a shuffle deals neighbouring cards to a side.",
    ..FITS
};
const SCATTERED_POINTS: About = About {
    title: "Points in standard deviations",
    what: "point counts by seat",
    flaw: "Low counts below the band and others above: deals with few points were discarded.",
    ..POINTS
};

/// A count as a point. An outcome with a probability above 1/2 is replaced by its complement, whose
/// law the band describes.
fn deviation(count: &PageCount) -> Option<Deviation> {
    let expected = count.expected.filter(|expected| *expected > 0.0)?;
    let (p, z) = (count.probability?, count.z?);
    let (expected, z, name) = match p > 0.5 {
        false => (expected, z, count.name()),
        true => (
            expected * (1.0 - p) / p,
            -z,
            format!("not {}", count.name()),
        ),
    };
    Some(Deviation {
        expected,
        z,
        name,
        is_outside: false,
    })
}

fn scatter(tables: &[Table], about: &About) -> Option<Figure> {
    let counts = counts(tables, about.table);
    let points = counts.iter().filter_map(deviation);
    let mut points: Vec<Deviation> = points.collect();
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
    for point in &mut points {
        point.is_outside = band.is_outside(point.expected, point.z);
    }
    let outside = points.iter().filter(|point| point.is_outside);
    let alt = format!(
        "{} counts, {} of them outside the band.",
        thousands(points.len() as u64),
        outside.count()
    );
    let shown = Funnel {
        points,
        lower: band.lower,
        upper: band.upper,
    };
    Some(Figure {
        title: about.title.to_owned(),
        plots: vec![plot("", alt, funnel(&shown))],
        shows: format!(
            "All {} {}: the deviation in standard deviations (z), by the expected count. The band \
             holds all points of fair deals with 99.9 % confidence.",
            thousands(shown.points.len() as u64),
            about.what
        ),
        flaw: about.flaw,
        file: format!("{}.csv", about.table),
        extremes: extremes(about.table, &counts),
        ..Figure::default()
    })
}

/// A script's frequencies of one value, a figure each.
pub(crate) fn frequencies(tables: &[Table]) -> Vec<Figure> {
    let counts = counts(tables, TableName::Frequencies);
    let is_shown = |cells: &&[PageCount]| {
        cells.len() <= MOST_BARS && has_any(cells) && !is_of_two_values(cells)
    };
    let shown = by_label(&counts).filter(is_shown).take(MOST_FREQUENCIES);
    let figures = shown.map(|cells| Figure {
        title: cells[0].names.first().cloned().unwrap_or_default(),
        plots: groups(cells, "value", AxisScale::Linear)
            .into_iter()
            .map(|plot| Plot {
                title: String::new(),
                ..plot
            })
            .collect(),
        shows: beside_expected(cells, "Deals by value"),
        file: "frequencies.csv".to_owned(),
        ..Figure::default()
    });
    figures.collect()
}

/// The heat map of cards: ranks as columns, suits as rows, a block for each seat.
fn cards(tables: &[Table]) -> Option<Figure> {
    let counts = counts(tables, TableName::Cards);
    if !has_law(&counts) {
        return None;
    }
    let is_one = |one: &PageCount, other: &PageCount| one.names.first() == other.names.first();
    let blocks = counts.chunk_by(is_one).map(|seat| HeatTable {
        title: capital(seat[0].names.first().map_or("", String::as_str)),
        rows: ["♠", "♥", "♦", "♣"].map(str::to_owned).into(),
        columns: "AKQJT98765432".chars().map(String::from).collect(),
        z: seat
            .chunks(13)
            .map(|suit| suit.iter().map(|count| count.z).collect())
            .collect(),
    });
    let blocks: Vec<HeatTable> = blocks.collect();
    let large = counts
        .iter()
        .filter(|count| count.z.is_some_and(|z| z.abs() > 4.0));
    let open = counts.iter().filter(|count| count.is_open());
    let alt = format!(
        "{} pairs of a card and a seat, {} of them more than four standard deviations from the \
         expectation.",
        open.count(),
        large.count()
    );
    Some(Figure {
        title: "Cards by seat".to_owned(),
        plots: vec![plot("", alt, heat_map(&blocks))],
        shows: "Deviations in standard deviations: orange cells are too frequent, blue ones too \
                rare. A crossed cell is impossible or certain."
            .to_owned(),
        flaw: "A row, a column or a patch of one colour: a bad shuffle leaves neighbours of the \
               sorted deck at one seat. Under fair dealing one cell in 20 is beyond 2, scattered, \
               and one report in 75 has a cell beyond 4.",
        file: "cards.csv".to_owned(),
        extremes: extremes(TableName::Cards, &counts),
        ..Figure::default()
    })
}

/// The p-values of a battery's tests.
pub(crate) fn battery_p_values(tests: &[TestRow]) -> Option<Figure> {
    p_values(
        tests.iter().filter_map(|row| row.log10_p),
        "The p-values of all tests at the last look. Under fair dealing all bins have the same \
         expectation. Tests of the same cards depend on each other, so bins vary more than \
         independent ones. Upper bounds of 1 are left out.",
        "A tall first bar: many tests deviate. A tall last bar: the deals are too uniform, as \
         edited files are.",
        "tests.csv",
    )
}

/// A histogram of p-values, without upper bounds of 1.
pub(crate) fn p_values(
    log10_p: impl Iterator<Item = f64>,
    shows: &str,
    flaw: &'static str,
    file: &str,
) -> Option<Figure> {
    let mut bins = vec![0; BINS];
    for log10_p in log10_p.filter(|log10_p| *log10_p < 0.0) {
        let bin = (powf(10.0, log10_p) * BINS as f64) as usize;
        bins[bin.min(BINS - 1)] += 1;
    }
    let all: u64 = bins.iter().sum();
    if all == 0 {
        return None;
    }
    let alt = format!(
        "{} in {BINS} bins; {} below 0.05.",
        with_noun(all, "p-value"),
        bins[0]
    );
    Some(Figure {
        title: "p-values".to_owned(),
        plots: vec![plot("", alt, histogram(&bins))],
        shows: shows.to_owned(),
        flaw,
        file: file.to_owned(),
        ..Figure::default()
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
        "Median of blocks: {} per deal; 99th percentile: {}.",
        at(50.0),
        at(99.0)
    );
    (!points.is_empty()).then(|| Figure {
        title: "Time per deal".to_owned(),
        plots: vec![plot("", alt, percentiles(&points))],
        shows: "Nanoseconds per deal on one thread, by percentile of blocks.".to_owned(),
        flaw: "",
        file: "latency.csv".to_owned(),
        ..Figure::default()
    })
}

/// Deals per second over the run.
fn rate(subject: &AnyRecord) -> Option<Figure> {
    let AnyRecord::Run(record) = subject else {
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
        "Between {:.2} and {:.2} million deals per second.",
        least / 1e6,
        most / 1e6
    );
    Some(Figure {
        title: "Deals per second".to_owned(),
        plots: vec![plot("", alt, pace(&points))],
        shows:
            "Deals per second on all threads, dealt, counted and tested, since the run began or \
                resumed."
                .to_owned(),
        flaw: "",
        file: "run.json".to_owned(),
        ..Figure::default()
    })
}
