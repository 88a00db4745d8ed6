//! Tests of draws from a case file: which cases came, and how their cards fell.

use nalgebra::DMatrix;

use super::second_order::{SIGNS, first_order, product};
use super::table_law::{Measured, TableLaw, randomised_log10, two_sided};
use crate::bridge::{Card, Hand, Seat, Suit};
use crate::population::cases::EqualWeights;
use crate::stats::quadratic;
use crate::stats::{
    GammaSum, Moments, binomial_lower_log10, binomial_upper_log10, dirichlet_mixture_log10,
    pairs_in_a_cell,
};
use crate::tally::{CaseTally, Filling, SecondOrder, Tally};
use crate::theory::CaseLaw;

/// About how many cells the e-value of runs has: neighbouring runs are taken together.
const RUN_CELLS: usize = 1 << 12;

/// Least expected pairs of draws of one case, for the test to be worth its weight.
const LEAST_PAIRS: f64 = 1_000.0;

/// Least independent squares that share the variance of coincidences for too few of them to be
/// evidence: the draws of fewer cases can meet their expectations exactly.
const EVEN_SQUARES: f64 = 64.0;

/// log10 of the smallest lower tail of coincidences: beyond it the fit to three moments is not
/// held against exact laws.
const LEAST_LOWER_LOG10: f64 = -30.0;

/// Least times that a seat has each of a suit's exchangeable cards.
const LEAST_OF_CARD: f64 = 10.0;

/// Least expected draws of either half of a stretch of cases.
const LEAST_OF_HALF: f64 = 20.0;

/// Cases in file order that are counted together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaseGroup {
    /// The first case, from 0.
    pub first_case: u64,
    /// The last case, from 0.
    pub last_case: u64,
    /// Draws of them.
    pub observed: u64,
    /// Their share of T.
    pub probability: f64,
    /// All draws.
    pub deals: u64,
}

impl CaseGroup {
    /// Draws that are expected.
    #[must_use]
    pub fn expected(&self) -> f64 {
        self.deals as f64 * self.probability
    }
}

/// The runs of a case file with their probabilities.
#[derive(Clone, Debug)]
pub(super) struct Frequencies {
    probabilities: Vec<f64>,
    /// Ends of the cells of the e-value.
    cells: Vec<usize>,
    classes: TableLaw,
    equal_weights: EqualWeights,
    total: f64,
    names: Vec<(u64, u64)>,
}

impl Frequencies {
    pub(super) fn new(law: &CaseLaw) -> Self {
        let total = law.total as f64;
        let of = |ways: &[u128]| ways.iter().map(|&w| w as f64 / total).collect::<Vec<f64>>();
        let probabilities = of(&law.runs);
        let each = law.runs.len().div_ceil(RUN_CELLS).max(1);
        let cells = (1..=law.runs.len().div_ceil(each)).map(|k| (k * each).min(law.runs.len()));
        Self {
            cells: cells.collect(),
            probabilities,
            classes: TableLaw::of(of(&law.classes)),
            equal_weights: law.equal_weights.clone(),
            total,
            names: law.cases.clone(),
        }
    }

    /// Runs in file order, as short as expect max(100, N / 4096) draws; the last is
    /// joined with what is left over.
    pub(super) fn groups(&self, tally: &CaseTally) -> Vec<CaseGroup> {
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

    /// 4.2a: those runs, by chi-square.
    pub(super) fn runs(&self, tally: &CaseTally) -> Option<Measured> {
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
            "cases {} to {}: {} draws instead of {:.1}",
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

    /// log10 of a p-value of the runs of [`Frequencies::runs`] whose law is exactly uniform.
    pub(super) fn randomised_runs(
        &self,
        tally: &CaseTally,
        uniform: &mut dyn FnMut() -> f64,
    ) -> Option<f64> {
        let groups = self.groups(tally);
        let cells = groups
            .iter()
            .map(|group| (group.observed, group.probability));
        randomised_log10(&cells.collect::<Vec<_>>(), uniform)
    }

    /// The same of the classes of weights.
    pub(super) fn randomised_classes(
        &self,
        tally: &CaseTally,
        uniform: &mut dyn FnMut() -> f64,
    ) -> Option<f64> {
        self.classes.randomised_log10(tally.classes(), uniform)
    }

    /// 4.2b: classes of weights by floor(log2).
    pub(super) fn classes(&self, tally: &CaseTally) -> Option<Measured> {
        if tally.classes().is_empty() {
            return None;
        }
        let name = |class| format!("cases that weigh 2^{class} to 2^{}", class + 1);
        self.classes.measure(tally.classes(), name)
    }

    /// The runs' halves, their halves and so on that expect enough on both sides, as
    /// first run, middle and end: by expectations alone.
    pub(super) fn splits(&self, deals: u64) -> Vec<(usize, usize, usize)> {
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

    /// 4.2a, refined: the worst of those halves by an exact binomial, times their number.
    pub(super) fn tree(&self, tally: &CaseTally) -> Option<Measured> {
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
            // The exact tail only where it can be the smallest.
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
        let effect = format!("cases {} to {}: z = {z:.2}", case(start), case(middle) - 1);
        let log10_p = log10_p + (splits.len() as f64).log10();
        Some(Measured::new(tally.deals(), z, log10_p).with_effect(effect))
    }

    /// 4.2e: the run that came too often, by its exact binomial tail, times their
    /// number. With at most 65,536 cases each is a run by itself.
    pub(super) fn largest(&self, tally: &CaseTally) -> Option<Measured> {
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
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        // Of runs with unlike probabilities the largest z need not have the
        // smallest tail: a few of them are looked at.
        let tails = scored.iter().take(64).map(|&(_, run)| {
            let tail = binomial_upper_log10(tally.runs()[run], deals, self.probabilities[run]);
            (tail, run)
        });
        let (tail, run) = tails.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let (count, expected) = (tally.runs()[run], n * self.probabilities[run]);
        let first = self.names.get(run).map_or(0, |(first, _)| first + 1);
        let effect = format!("cases from {first} on: {count} draws instead of {expected:.1}");
        let log10_p = tail + (scored.len() as f64).log10();
        Some(
            Measured::new(deals, surplus((&count, &self.probabilities[run])), log10_p)
                .with_effect(effect),
        )
    }

    /// Whether `pairs` pairs of draws are enough for [`Frequencies::coincidences`], by the number
    /// of coincidences that is expected.
    pub(super) fn compares(&self, pairs: f64) -> bool {
        let share =
            |(weight, cases): &(u128, u64)| (*weight as f64 / self.total).powi(2) * *cases as f64;
        let meetings: f64 = self.equal_weights.groups().iter().map(share).sum();
        pairs * meetings >= LEAST_PAIRS
    }

    /// 4.2d: pairs of draws that are of the same case, among cases of equal weight.
    ///
    /// Given how many draws fall into each group of cases of equal weight, the draws of a group
    /// are balls in equally likely cells, and the moments of its coincidences are exact. Their
    /// sum has the tail of a sum of chi-squares with those moments: exactly as many squares as
    /// a group has degrees of freedom where its cases are few, a skewed normal law where they
    /// are many.
    pub(super) fn coincidences(&self, tally: &CaseTally) -> Option<Measured> {
        let found = tally.coincidences();
        let groups = found.groups.iter().zip(self.equal_weights.groups());
        let moments = groups.filter_map(|(draws, (_, cases))| {
            pairs_in_a_cell(draws.pairs as f64, draws.triples as f64, *cases as f64)
        });
        let moments: Vec<Moments> = moments.collect();
        if moments.is_empty() {
            return None;
        }
        let law = GammaSum::new(moments);
        let (log10_p, is_even) = coincidences_log10(found.same as f64, &law);
        let (same, expected) = (found.same, law.mean());
        let z = (same as f64 - expected) / law.variance().sqrt();
        let effect = format!("{same} pairs of one case where {expected:.1} are expected");
        Some(Measured {
            is_even,
            ..Measured::new(tally.deals(), z, log10_p).with_effect(effect)
        })
    }
}

/// log10 of the p-value of `same` coincidences, and whether they are too few.
pub(super) fn coincidences_log10(same: f64, law: &GammaSum) -> (f64, bool) {
    let upper = law.upper_log10(same);
    if law.dof() < EVEN_SQUARES {
        return (upper, false);
    }
    let lower = law.lower_log10(same).max(LEAST_LOWER_LOG10);
    (two_sided(upper, lower), lower < upper)
}

/// 4.4: how a suit's exchangeable cards fall, given how many each seat has.
///
/// For r such cards and k_s of them with seat s, p_s = k_s / r: A is the sum over
/// deals of diag p - p p', O the card's seats less the sum of p, and
/// (r - 1)/r tr(O A^+ O') is chi-square with (r - 1) rank A degrees of freedom.
pub(super) fn filling(
    tally: &Tally,
    counted: &Filling,
    pool: Hand,
    suit: Suit,
) -> Option<Measured> {
    let cards: Vec<Card> = pool.cards().filter(|card| card.suit() == suit).collect();
    let r = cards.len() as f64;
    let n = counted.deals() as f64;
    let moment = |k: usize| counted.moments()[k][suit.index()] as f64;
    // North, east and south; west has what is left of r.
    let mut sums = [moment(0), moment(1), moment(2), 0.0];
    sums[3] = n * r - sums[0] - sums[1] - sums[2];
    let product = |s: usize, t: usize| match (s.min(t), s.max(t)) {
        (0, 0) => moment(3),
        (0, 1) => moment(4),
        (0, 2) => moment(5),
        (1, 1) => moment(6),
        (1, 2) => moment(7),
        _ => moment(8),
    };
    let with_west = |s: usize| r * sums[s] - (0..3).map(|t| product(s, t)).sum::<f64>();
    let both = |s: usize, t: usize| match (s, t) {
        (3, 3) => r * sums[3] - (0..3).map(with_west).sum::<f64>(),
        (3, s) | (s, 3) => with_west(s),
        (s, t) => product(s, t),
    };
    let products = DMatrix::from_fn(4, 4, both);
    let held = DMatrix::from_fn(4, cards.len(), |s, c| {
        tally.card(Seat::ALL[s], cards[c]) as f64
    });
    filling_of(counted.deals(), sums, &products, &held)
}

/// The same from sums over deals of how many of the cards each seat has, of products of these
/// of two seats, and from how often each seat has each card.
pub(super) fn filling_of(
    deals: u64,
    sums: [f64; 4],
    products: &DMatrix<f64>,
    held: &DMatrix<f64>,
) -> Option<Measured> {
    let r = held.ncols() as f64;
    let a = DMatrix::from_fn(4, 4, |s, t| {
        let diagonal = if s == t { sums[s] / r } else { 0.0 };
        diagonal - products[(s, t)] / (r * r)
    });
    let o = DMatrix::from_fn(4, held.ncols(), |s, c| held[(s, c)] - sums[s] / r);
    let together = taken_together(&sums, r);
    let (sum, rank) = quadratic(&together * a * together.transpose(), &(together * o));
    if rank == 0 || deals == 0 {
        return None;
    }
    let dof = (r - 1.0) * rank as f64;
    let statistic = (r - 1.0) / r * sum;
    let size = super::second_order::size(statistic, dof, deals);
    Some(Measured::two_sided_chi_square(deals, statistic, dof).with_effect(size))
}

/// Which seats are taken together so that each group has every card often enough; a row
/// a group.
///
/// Decided by how many cards each seat has, given which the statistic has its law.
fn taken_together(sums: &[f64; 4], r: f64) -> DMatrix<f64> {
    let mut groups: Vec<(f64, Vec<usize>)> = (0..4).map(|seat| (sums[seat], vec![seat])).collect();
    loop {
        groups.sort_by(|a, b| b.0.total_cmp(&a.0));
        match groups.pop() {
            Some((sum, seats)) if sum < LEAST_OF_CARD * r && !groups.is_empty() => {
                if let Some(next) = groups.last_mut() {
                    next.0 += sum;
                    next.1.extend(seats);
                }
            }
            Some(group) => {
                groups.push(group);
                break;
            }
            None => break,
        }
    }
    DMatrix::from_fn(groups.len(), 4, |group, seat| {
        f64::from(u8::from(groups[group].1.contains(&seat)))
    })
}

/// 4.5: two seats that nothing tells apart. Of the cards that either has, which are
/// whose: each is +1 with the first or -1 with the second.
///
/// Given the 26 cards, signs of two of them have covariance -1/25. How often two
/// cards are among the 26 follows from the products of the one sign that the two
/// seats share and the others do not.
pub(super) fn interchange(sums: &SecondOrder, seats: [Seat; 2]) -> Option<Measured> {
    let n = sums.pairs() as f64;
    let first_order = first_order(sums);
    let [one, other] = seats.map(Seat::index);
    // Two seats share one sign, and the others tell them apart.
    let shared = SIGNS.iter().position(|sign| sign[one] == sign[other])?;
    let apart = (0..3).find(|&i| i != shared)?;
    let third = 3 - shared - apart;
    let sign = SIGNS[shared][one];
    let in_union = |card: usize| (n + sign * first_order[shared][card]) / 2.0;
    // Deals with both cards among the 26.
    let together = DMatrix::from_fn(52, 52, |a, b| {
        if a == b {
            return in_union(a);
        }
        let m = &first_order[shared];
        (n + sign * (m[a] + m[b]) + product(sums, (shared, a), (shared, b))) / 4.0
    });
    // Z is +1 with the first seat and -1 with the second: another sign, on the union alone.
    let way = SIGNS[apart][one];
    // Z = v_apart (1 + sign v_shared) / 2, and v_apart v_shared = v_third.
    let difference = DMatrix::from_fn(52, 1, |card, _| {
        way * (first_order[apart][card] + sign * first_order[third][card]) / 2.0
    });
    interchange_of(sums.pairs(), &together, &difference)
}

/// The same from how often two cards are both among the 26, and from how much more often each
/// is with the first seat than with the second.
pub(super) fn interchange_of(
    deals: u64,
    together: &DMatrix<f64>,
    difference: &DMatrix<f64>,
) -> Option<Measured> {
    let covariance = DMatrix::from_fn(52, 52, |a, b| {
        together[(a, b)] * if a == b { 1.0 } else { -1.0 / 25.0 }
    });
    let (statistic, rank) = quadratic(covariance, difference);
    if rank == 0 {
        return None;
    }
    let dof = rank as f64;
    let size = super::second_order::size(statistic, dof, deals);
    Some(Measured::two_sided_chi_square(deals, statistic, dof).with_effect(size))
}

/// The seats that no case lists.
pub(super) fn unlisted(seats: (Seat, Option<Seat>)) -> Vec<Seat> {
    let others = Seat::ALL.into_iter();
    others
        .filter(|seat| *seat != seats.0 && Some(*seat) != seats.1)
        .collect()
}
