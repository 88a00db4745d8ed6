//! C: the distribution of cases, for deals drawn from the cases of a listing or from cells.
//!
//! Draws from cells are counted by groups of cells, which take the place of runs; weight classes
//! and coincidences need the cases of a listing.
//!
//! - **Runs**: up to 65,536 runs of consecutive cases, joined in file order until each expects
//!   max(100, N / 4096) draws, by chi-square; the e-value uses 4,096 cells.
//! - **Halves**: the runs are halved recursively; the worst exact binomial, times the number of
//!   halvings.
//! - **Weight classes**: by floor(log2 weight), multinomial counts ([`MultinomialTest`]).
//! - **Largest run**: the most excessive run by its exact binomial, times the number of runs.
//! - **Coincidences**: pairs of draws of one batch with the same case. Given that n draws have one
//!   of the m cases of a weight, they are n balls in m cells; the moments of each weight's pairs
//!   are exact (docs/methodology.md, Coincidences).

use super::{
    CountProbabilities, Expected, Look, Measured, MultinomialTest, RunParameters, TableLaw,
    TestSubject, two_sided,
};
use crate::population::cases::WeightGroup;
use crate::stats::elementary::log10;
use crate::stats::{
    GammaSum, Moments, binomial_lower_log10, binomial_upper_log10, dirichlet_mixture_log10,
    pairs_in_a_cell,
};
use crate::tally::CaseTally;
use crate::theory::CaseLaw;

/// Approximate number of cells for the e-value of runs: neighbouring runs are combined.
const RUN_CELLS: usize = 1 << 12;

/// Minimum expected pairs of draws with the same case; with fewer, the test is not worth its
/// weight.
const LEAST_PAIRS: f64 = 1_000.0;

/// Minimum number of independent squares in the variance of coincidences for evidence from the
/// lower tail: with fewer cases, counts can equal their expectations by chance.
const EVEN_SQUARES: f64 = 64.0;

/// log10 of the smallest lower tail of coincidences: beyond it, the fit to three moments has not
/// been checked against exact laws.
const LEAST_LOWER_LOG10: f64 = -30.0;

/// Minimum expected draws of each half.
const LEAST_OF_HALF: f64 = 20.0;

/// Number of runs whose exact tails are compared for the largest.
const MOST_TAILS: usize = 64;

/// Consecutive cases, or groups of cells, that are counted together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaseGroup {
    /// Index of the first case, from 0.
    pub first_case: u64,
    /// Index of the last case, from 0.
    pub last_case: u64,
    /// Number of draws of these cases.
    pub observed: u64,
    /// Total weight of these cases as a share of T.
    pub probability: f64,
    /// Number of all draws.
    pub deals: u64,
}

impl CaseGroup {
    /// Returns the expected number of draws.
    pub fn expected(&self) -> f64 {
        self.deals as f64 * self.probability
    }
}

/// The laws of draws from a case file or from cells: runs or groups with their probabilities.
#[derive(Clone, Debug)]
pub(crate) struct CaseLaws {
    /// What runs consist of, in reports.
    unit: &'static str,
    probabilities: Vec<f64>,
    /// Ends of the cells for the e-value, as run indices.
    cells: Vec<usize>,
    classes: TableLaw,
    weight_groups: Vec<WeightGroup>,
    total: f64,
    names: Vec<(u64, u64)>,
}

/// Returns the laws if deals are drawn from cases.
pub(crate) fn laws<'l>(look: &'l Look<'_>) -> Option<&'l CaseLaws> {
    look.expected.cases.as_ref()
}

/// Returns the counts of the runs with their probabilities, as for the chi-square.
pub(crate) fn run_cells(look: &Look<'_>) -> Option<CountProbabilities> {
    let groups = laws(look)?.groups(&look.counts.cases).into_iter();
    let cell = |group: CaseGroup| (group.observed, group.probability);
    Some(groups.map(cell).collect())
}

/// The counts of weight classes.
pub(crate) const CLASSES: MultinomialTest = MultinomialTest {
    law: |expected, _| Some(expected.cases.as_ref()?.classes.clone()),
    counts: |look, _| {
        let counts = look.counts.cases.classes();
        (!counts.is_empty()).then(|| counts.to_vec())
    },
    cell: |_, class| format!("cases of weight 2^{class} to 2^{}", class + 1),
};

/// Returns whether there is more than one run.
pub(crate) fn allows_runs(expected: &Expected, _: TestSubject, _: &RunParameters) -> bool {
    let laws = expected.cases.as_ref();
    laws.is_some_and(|laws| laws.probabilities.iter().filter(|p| **p > 0.0).count() > 1)
}

/// Returns whether any two halves expect enough draws.
pub(crate) fn allows_halves(expected: &Expected, _: TestSubject, terms: &RunParameters) -> bool {
    let laws = expected.cases.as_ref();
    laws.is_some_and(|laws| !laws.splits(terms.deals).is_empty())
}

/// Returns whether enough coincidences are expected.
pub(crate) fn allows_coincidences(
    expected: &Expected,
    _: TestSubject,
    terms: &RunParameters,
) -> bool {
    let laws = expected.cases.as_ref();
    laws.is_some_and(|laws| laws.compares(terms.compared))
}

impl CaseLaws {
    pub(crate) fn new(law: &CaseLaw, unit: &'static str) -> Self {
        let total = law.total as f64;
        let of = |ways: &[u128]| ways.iter().map(|&w| w as f64 / total).collect::<Vec<f64>>();
        let probabilities = of(&law.runs);
        let each = law.runs.len().div_ceil(RUN_CELLS).max(1);
        let cells = (1..=law.runs.len().div_ceil(each)).map(|k| (k * each).min(law.runs.len()));
        Self {
            unit,
            cells: cells.collect(),
            probabilities,
            classes: TableLaw::of(of(&law.classes)),
            weight_groups: law.groups.clone(),
            total,
            names: law.cases.clone(),
        }
    }

    /// Joins runs in file order into the smallest groups that expect max(100, N / 4096) draws; the
    /// last group also gets the remainder.
    pub(crate) fn groups(&self, tally: &CaseTally) -> Vec<CaseGroup> {
        let n = tally.deals() as f64;
        let least = (n / 4_096.0).max(100.0);
        let mut groups: Vec<CaseGroup> = Vec::new();
        let mut open: Option<CaseGroup> = None;
        for (run, (count, p)) in tally.runs().iter().zip(&self.probabilities).enumerate() {
            let (first_case, last_case) = self.names[run];
            let group = open.get_or_insert(CaseGroup {
                first_case,
                last_case,
                observed: 0,
                probability: 0.0,
                deals: tally.deals(),
            });
            group.last_case = last_case;
            group.observed += count;
            group.probability += p;
            if group.expected() >= least {
                groups.extend(open.take());
            }
        }
        match (open, groups.last_mut()) {
            (Some(rest), Some(last)) => {
                last.last_case = rest.last_case;
                last.observed += rest.observed;
                last.probability += rest.probability;
            }
            (rest, _) => groups.extend(rest),
        }
        groups
    }

    /// Tests these groups by chi-square.
    pub(crate) fn runs(&self, tally: &CaseTally) -> Option<Measured> {
        let (deals, counts) = (tally.deals(), tally.runs());
        if counts.is_empty() {
            return None;
        }
        let groups = self.groups(tally);
        let term = |group: &CaseGroup| {
            (group.observed as f64 - group.expected()).powi(2) / group.expected()
        };
        let worst = groups.iter().max_by(|a, b| term(a).total_cmp(&term(b)))?;
        let mut cells = Vec::with_capacity(self.cells.len());
        let mut probabilities = Vec::with_capacity(self.cells.len());
        let mut start = 0;
        for &end in &self.cells {
            cells.push(counts[start..end].iter().sum());
            probabilities.push(self.probabilities[start..end].iter().sum());
            start = end;
        }
        let effect = format!(
            "{}s {} to {}: {} draws ({:.1} expected)",
            self.unit,
            worst.first_case + 1,
            worst.last_case + 1,
            worst.observed,
            worst.expected()
        );
        let measured = if groups.len() < 2 {
            Measured::new(deals, 0.0, 0.0)
        } else {
            let statistic: f64 = groups.iter().map(term).sum();
            Measured::two_sided_chi_square(deals, statistic, groups.len() as f64 - 1.0)
                .with_effect(effect)
        };
        Some(Measured {
            log10_e: Some(dirichlet_mixture_log10(&cells, &probabilities)),
            ..measured
        })
    }

    /// Halves the runs recursively, and returns the halvings with enough expected draws on both
    /// sides, as first run, middle and end. The choice depends on expectations only.
    fn splits(&self, deals: u64) -> Vec<(usize, usize, usize)> {
        let mut before = vec![0.0];
        let mut sum = 0.0;
        before.extend(self.probabilities.iter().map(|p| {
            sum += p;
            sum
        }));
        let expected = |start: usize, end: usize| deals as f64 * (before[end] - before[start]);
        let mut nodes = vec![(0, self.probabilities.len())];
        let mut splits = Vec::new();
        while let Some((start, end)) = nodes.pop() {
            if end - start < 2 || expected(start, end) < 2.0 * LEAST_OF_HALF {
                continue;
            }
            let middle = start.midpoint(end);
            if expected(start, middle).min(expected(middle, end)) >= LEAST_OF_HALF {
                splits.push((start, middle, end));
            }
            nodes.push((start, middle));
            nodes.push((middle, end));
        }
        splits
    }

    /// Tests the worst halving by an exact binomial, times the number of halvings.
    pub(crate) fn halves(&self, tally: &CaseTally) -> Option<Measured> {
        let counts = tally.runs();
        if counts.is_empty() {
            return None;
        }
        let mut drawn = vec![0];
        for count in counts {
            drawn.push(drawn[drawn.len() - 1] + count);
        }
        let splits = self.splits(tally.deals());
        let mut best: Option<(f64, usize, usize, f64)> = None;
        for &(start, middle, end) in &splits {
            let (n, hits) = (drawn[end] - drawn[start], drawn[middle] - drawn[start]);
            if n == 0 {
                continue;
            }
            let left: f64 = self.probabilities[start..middle].iter().sum();
            let right: f64 = self.probabilities[middle..end].iter().sum();
            let p = left / (left + right);
            let z = (hits as f64 - n as f64 * p) / (n as f64 * p * (1.0 - p)).sqrt();
            // The exact tail only if it can be the smallest.
            if best.is_some_and(|(most, ..)| z.abs() < most / 2.0) {
                continue;
            }
            let upper = binomial_upper_log10(hits, n, p);
            let lower = binomial_lower_log10(hits, n, p);
            let log10_p = two_sided(upper, lower);
            if best.is_none_or(|(.., least)| log10_p < least) {
                best = Some((z.abs(), start, middle, log10_p));
            }
        }
        let (z, start, middle, log10_p) = best?;
        let case = |run: usize| self.names.get(run).map_or(0, |(first, _)| first + 1);
        let (unit, first, last) = (self.unit, case(start), case(middle) - 1);
        let effect = format!("{unit}s {first} to {last}: z = {z:.2}");
        let log10_p = log10_p + log10(splits.len() as f64);
        Some(Measured::new(tally.deals(), z, log10_p).with_effect(effect))
    }

    /// Tests the most excessive run by its exact binomial tail, times the number of runs. With at
    /// most 65,536 cases, each case is a run.
    pub(crate) fn largest(&self, tally: &CaseTally) -> Option<Measured> {
        let deals = tally.deals();
        let n = deals as f64;
        let surplus = |(count, p): (&u64, &f64)| {
            (*count as f64 - n * p) / (n * p * (1.0 - p)).sqrt().max(1e-9)
        };
        let runs = tally.runs().iter().zip(&self.probabilities);
        let scored = runs
            .enumerate()
            .filter(|(_, (_, p))| **p > 0.0 && **p < 1.0);
        let mut scored: Vec<(f64, usize)> =
            scored.map(|(run, pair)| (surplus(pair), run)).collect();
        let tested = scored.len();
        // If runs have different probabilities, the largest z need not have the smallest tail, so
        // the 64 largest are compared.
        let largest_first =
            |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if scored.len() > MOST_TAILS {
            scored.select_nth_unstable_by(MOST_TAILS, largest_first);
            scored.truncate(MOST_TAILS);
        }
        scored.sort_unstable_by(largest_first);
        let tails = scored.iter().map(|&(_, run)| {
            let tail = binomial_upper_log10(tally.runs()[run], deals, self.probabilities[run]);
            (tail, run)
        });
        let (tail, run) = tails.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let (count, expected) = (tally.runs()[run], n * self.probabilities[run]);
        let first = self.names.get(run).map_or(0, |(first, _)| first + 1);
        let unit = self.unit;
        let effect = format!("run from {unit} {first}: {count} draws ({expected:.1} expected)");
        let log10_p = tail + log10(tested as f64);
        Some(
            Measured::new(deals, surplus((&count, &self.probabilities[run])), log10_p)
                .with_effect(effect),
        )
    }

    /// Returns whether `pairs` pairs of draws are enough for [`CaseLaws::coincidences`], by the
    /// expected number of coincidences.
    fn compares(&self, pairs: f64) -> bool {
        let share = |group: &WeightGroup| {
            (group.weight() as f64 / self.total).powi(2) * group.cases() as f64
        };
        let meetings: f64 = self.weight_groups.iter().map(share).sum();
        pairs * meetings >= LEAST_PAIRS
    }

    /// Tests the number of pairs of draws with the same case, among cases of equal weight.
    ///
    /// Given the number of draws of each group of cases of equal weight, the draws of a group are
    /// balls in equally likely cells, and the moments of their coincidences are exact. The sum has
    /// the tail of a sum of chi-squares with these moments. For a group of few cases, the squares
    /// number its degrees of freedom; for many cases the law is a skewed normal one.
    pub(crate) fn coincidences(&self, tally: &CaseTally) -> Option<Measured> {
        let found = tally.coincidences();
        let groups = found.groups.iter().zip(&self.weight_groups);
        let moments = groups.filter_map(|(draws, group)| {
            let cases = group.cases() as f64;
            pairs_in_a_cell(draws.pairs as f64, draws.triples as f64, cases)
        });
        let moments: Vec<Moments> = moments.collect();
        if moments.is_empty() {
            return None;
        }
        let law = GammaSum::new(moments);
        let (log10_p, is_even) = coincidences_log10(found.same as f64, &law);
        let (same, expected) = (found.same, law.mean());
        let z = (same as f64 - expected) / law.variance().sqrt();
        let effect = format!("{same} pairs of draws with the same case ({expected:.1} expected)");
        Some(Measured {
            is_even,
            ..Measured::new(tally.deals(), z, log10_p).with_effect(effect)
        })
    }
}

/// Returns log10 of the p-value of `same` coincidences, and whether they are too few.
pub fn coincidences_log10(same: f64, law: &GammaSum) -> (f64, bool) {
    let upper = law.upper_log10(same);
    if law.dof() < EVEN_SQUARES {
        return (upper, false);
    }
    let lower = law.lower_log10(same).max(LEAST_LOWER_LOG10);
    (two_sided(upper, lower), lower < upper)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::population::cases::Runs;
    use crate::test_support::draws_of_nine_spades;

    #[test]
    fn counts_are_those_of_the_definitions() {
        let (file, deals, counts) = draws_of_nine_spades();
        let runs = Runs::new(&file);
        assert_eq!(counts.foreign, 0);

        // Counts every case by finding it from the deal.
        let mut of_cases = vec![0u64; runs.count()];
        for deal in &deals {
            of_cases[runs.case_of(deal).unwrap() as usize] += 1;
        }
        assert_eq!(counts.cases.runs(), of_cases);
        // Coincidences from these counts; a case with a unique weight has none.
        let mut groups: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for (case, count) in (0..).zip(&of_cases) {
            groups.entry(runs.weight_of(case)).or_default().push(*count);
        }
        groups.retain(|_, counts| counts.len() > 1);
        let pairs = |n: u64| u128::from(n * n.saturating_sub(1) / 2);
        let found = counts.cases.coincidences();
        let same = groups.values().flatten().map(|n| pairs(*n)).sum::<u128>();
        assert_eq!(found.same, same);
        let of_groups = groups.values().map(|counts| pairs(counts.iter().sum()));
        assert!(of_groups.eq(found.groups.iter().map(|group| group.pairs)));
        let weights = groups
            .iter()
            .map(|(weight, counts)| (*weight, counts.len() as u64));
        let found = runs.weight_groups().iter();
        assert!(weights.eq(found.map(|group| (group.weight(), group.cases()))));
        let law = CaseLaw::of(&runs);
        assert_eq!(law.runs.iter().sum::<u128>(), file.total());
        assert_eq!(law.classes.iter().sum::<u128>(), file.total());
    }
}
