//! The tests of a comparison with their weights.

use serde::Serialize;

use super::likeness::Likeness;
use super::power;
use super::statistic::{all_cards, two_by_many, two_means, worst_card};
use crate::stats::elementary::log10;
use crate::stats::{calibrated_log10, log10_sum};
use crate::{CountKind, CountTable, Sample, ScriptMean};

/// Minimum number of deals of either sample for a comparison of means by the normal law.
const FEWEST_MEAN_DEALS: u64 = 1 << 10;

/// The population of both samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Unconstrained deals.
    Whole,
    /// Deals of a condition, known or not.
    Condition,
}

/// A test of one subject.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HomogeneityRow {
    /// The compared table, or the label of an average or frequency.
    pub test: String,
    /// The seat, side or suit that is compared.
    pub subject: String,
    /// Chi-square, or z.
    pub statistic: f64,
    /// Degrees of freedom of a chi-square.
    pub dof: Option<f64>,
    /// log10 of the p-value.
    pub log10_p: f64,
    /// log10 of the e-value.
    pub log10_e: f64,
    /// Its weight in the mean.
    pub weight: f64,
    /// Whether the samples are too similar.
    pub is_even: bool,
    /// The largest difference.
    pub effect: String,
}

impl HomogeneityRow {
    /// log10 of its contribution to the mean of e-values.
    pub(crate) fn adds(&self) -> f64 {
        log10(self.weight) + self.log10_e
    }
}

/// The result of a comparison of two samples.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Homogeneity {
    /// The verdict.
    pub verdict: Likeness,
    /// S = log10 of the weighted mean of all e-values; `None` without any test.
    pub s: Option<f64>,
    /// Every test and subject.
    pub rows: Vec<HomogeneityRow>,
    /// Effects that a comparison detects with a probability of 0.9.
    pub detectable_effects: Vec<String>,
}

/// The groups of tests with their weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HomogeneityGroup {
    Cards,
    Patterns,
    Points,
    Lengths,
    Script,
}

impl HomogeneityGroup {
    const ALL: [(Self, f64); 5] = [
        (Self::Cards, 0.30),
        (Self::Patterns, 0.25),
        (Self::Points, 0.20),
        (Self::Lengths, 0.15),
        (Self::Script, 0.10),
    ];

    fn of(kind: CountKind) -> Self {
        match kind {
            CountKind::Cards => Self::Cards,
            CountKind::Patterns | CountKind::Shapes => Self::Patterns,
            CountKind::Hcp | CountKind::SideHcp => Self::Points,
            CountKind::SuitLengths | CountKind::Fits => Self::Lengths,
            CountKind::Frequency => Self::Script,
        }
    }
}

/// A test with its name and a row for each subject, still without weights.
type TestedSubjects = (HomogeneityGroup, String, Vec<HomogeneityRow>);

/// The tables that both samples have, in pairs.
pub(crate) fn common_tables<'s>(
    first: &'s Sample,
    second: &'s Sample,
) -> Vec<(&'s CountTable, &'s CountTable)> {
    let mut others: Vec<&CountTable> = second.tables.iter().collect();
    let tables = first.tables.iter().filter_map(|table| {
        // A script may have the same frequency twice: pair each with only one.
        let place = others.iter().position(|other| table.is_like(other))?;
        Some((table, others.remove(place)))
    });
    tables.collect()
}

/// The averages that both samples have, in pairs.
pub(crate) fn common_means<'s>(
    first: &'s Sample,
    second: &'s Sample,
) -> Vec<(&'s ScriptMean, &'s ScriptMean)> {
    let mut others: Vec<&ScriptMean> = second.means.iter().collect();
    let means = first.means.iter().filter_map(|mean| {
        let place = others.iter().position(|other| mean.label == other.label)?;
        Some((mean, others.remove(place)))
    });
    means.collect()
}

/// Compares two samples.
pub fn homogeneity(first: &Sample, second: &Sample, origin: Origin) -> Homogeneity {
    let deals = [first.deals, second.deals];
    let mut tested = Vec::new();
    for (table, other) in common_tables(first, second) {
        let rows = match table.kind {
            CountKind::Cards => cards([table, other], deals, origin),
            _ => multinomial([table, other]),
        };
        tested.push((HomogeneityGroup::of(table.kind), table.to_string(), rows));
    }
    for (mean, other) in common_means(first, second) {
        if deals.iter().all(|&deals| deals >= FEWEST_MEAN_DEALS) {
            let means = [mean, other].map(|mean| (mean.mean, mean.error));
            let row = of_subject("all", two_means(means, deals));
            let name = format!("average {}", mean.label);
            tested.push((HomogeneityGroup::Script, name, vec![row]));
        }
    }
    let rows = weighted(tested);
    let detectable_effects = power::caught([first, second], origin, &rows);
    judged(rows, detectable_effects)
}

fn of_subject(subject: &str, row: HomogeneityRow) -> HomogeneityRow {
    let subject = subject.to_owned();
    HomogeneityRow { subject, ..row }
}

/// Tests each subject of a table separately.
pub(super) fn multinomial([table, other]: [&CountTable; 2]) -> Vec<HomogeneityRow> {
    let both = table.counts.iter().zip(&other.counts).enumerate();
    let open = both.filter(|(subject, _)| !table.kind.is_mirrored(*subject));
    let found = open.filter_map(|(subject, (a, b))| {
        let whose = table.subjects.get(subject).map_or("all", String::as_str);
        let found = two_by_many([a, b])?.found(|cell| table.cells[cell].clone());
        Some(of_subject(whose, found))
    });
    found.collect()
}

pub(super) fn cards(
    [table, other]: [&CountTable; 2],
    deals: [u64; 2],
    origin: Origin,
) -> Vec<HomogeneityRow> {
    let name = |seat: usize, card: usize| format!("{} {}", table.subjects[seat], table.cells[card]);
    let counts = [&table.counts[..], &other.counts[..]];
    let found = match origin {
        Origin::Whole => all_cards(counts, deals, name).map(|found| of_subject("all", found)),
        Origin::Condition => worst_card(counts, name).map(|found| of_subject("worst card", found)),
    };
    found.into_iter().collect()
}

/// Splits a group's weight equally among its tests, and a test's among its subjects. The weight of
/// groups without subjects goes to the others.
fn weighted(mut tested: Vec<TestedSubjects>) -> Vec<HomogeneityRow> {
    tested.retain(|(_, _, rows)| !rows.is_empty());
    let tests_of = |group| tested.iter().filter(|(of, ..)| *of == group).count();
    let groups = HomogeneityGroup::ALL.map(|(group, weight)| (group, weight, tests_of(group)));
    let used = groups.iter().filter(|(_, _, tests)| *tests > 0);
    let all: f64 = used.map(|group| group.1).sum();
    let share = |of: HomogeneityGroup| {
        let found = groups.iter().find(|(group, ..)| *group == of);
        found.map_or(0.0, |(_, weight, tests)| weight / all / *tests as f64)
    };
    let rows = tested.into_iter().flat_map(|(group, test, rows)| {
        let weight = share(group) / rows.len() as f64;
        rows.into_iter().map(move |row| HomogeneityRow {
            test: test.clone(),
            log10_e: calibrated_log10(row.log10_p),
            weight,
            ..row
        })
    });
    rows.collect()
}

/// Computes the weighted mean of the e-values and its verdict.
fn judged(rows: Vec<HomogeneityRow>, detectable_effects: Vec<String>) -> Homogeneity {
    let each: Vec<f64> = rows.iter().map(HomogeneityRow::adds).collect();
    let s = log10_sum(&each);
    let strongest = (0..rows.len()).max_by(|&a, &b| each[a].total_cmp(&each[b]));
    let verdict = match strongest.map(|place| rows[place].is_even) {
        None => Likeness::Inconclusive,
        Some(is_even) if s >= 9.0 => match is_even {
            true => Likeness::TooAlike,
            false => Likeness::Different,
        },
        Some(_) if s >= 6.0 => Likeness::VerySuspicious,
        Some(_) if s >= 3.0 => Likeness::Suspicious,
        // No difference of any size is detectable.
        Some(_) if detectable_effects.is_empty() => Likeness::Inconclusive,
        Some(_) => Likeness::Alike,
    };
    Homogeneity {
        verdict,
        s: strongest.map(|_| s),
        rows,
        detectable_effects,
    }
}

/// Returns the rows with a p-value of 0.1 or less, the largest contribution to the mean first.
pub(crate) fn strongest(rows: &[HomogeneityRow], count: usize) -> Vec<&HomogeneityRow> {
    let has_evidence = |row: &&HomogeneityRow| row.log10_p <= -1.0;
    let mut rows: Vec<&HomogeneityRow> = rows.iter().filter(has_evidence).collect();
    rows.sort_by(|a, b| b.adds().total_cmp(&a.adds()));
    rows.truncate(count);
    rows
}
