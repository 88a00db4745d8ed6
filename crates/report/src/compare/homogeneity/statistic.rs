//! Two-sample statistics and their tails.

use super::HomogeneityRow;
use crate::battery::{TableLaw, two_shares, two_sided};
use crate::stats::elementary::{ln, log10};
use crate::stats::{chi_square_lower_log10, chi_square_upper_log10, normal_upper_log10};

/// Minimum degrees of freedom of a chi-square whose lower tail is evidence too, as in the battery.
const EVEN_DOF: f64 = 20.0;

/// Minimum number of deals of either sample for the sum over cards: its law holds from this number
/// on, as that of T1.
const FEWEST_CARD_DEALS: u64 = 16;

/// Two samples of one multinomial law.
pub(super) struct TwoByMany {
    /// Pearson's chi-square of homogeneity over pooled cells.
    pub(super) pearson: f64,
    /// Twice the log likelihood ratio over the same cells.
    likelihood_ratio: f64,
    pub(super) dof: f64,
    /// The amount by which Pearson's statistic could be smaller if counts were not integers.
    rounding: f64,
    /// The cell with the largest contribution, `None` for the rare cells combined, and its shares
    /// in both samples.
    worst: (Option<usize>, [f64; 2]),
}

/// Compares the counts of two samples; `None` if fewer than two cells have a sufficient
/// expectation.
///
/// Cells are pooled by the sums of both samples and by the sample sizes. Given these, the
/// assignment of deals to samples is random if both come from one source.
pub(super) fn two_by_many(counts: [&[u64]; 2]) -> Option<TwoByMany> {
    let sizes = counts.map(|counts| counts.iter().sum::<u64>());
    let n = sizes.map(|size| size as f64);
    let both = n[0] + n[1];
    let sums = counts[0].iter().zip(counts[1]);
    let shares = sums.map(|(a, b)| (*a as f64 + *b as f64) / both);
    let groups = TableLaw::of(shares.collect()).groups(sizes[0].min(sizes[1]));
    if sizes.contains(&0) || groups.len() < 2 {
        return None;
    }
    let (mut pearson, mut likelihood_ratio, mut rounding) = (0.0, 0.0, 0.0);
    let mut worst = (-1.0, None, [0.0; 2]);
    for group in &groups {
        let observed =
            counts.map(|counts| group.iter().map(|&cell| counts[cell]).sum::<u64>() as f64);
        let share = (observed[0] + observed[1]) / both;
        let mut adds = 0.0;
        for (observed, n) in observed.into_iter().zip(n) {
            let expected = n * share;
            adds += (observed - expected).powi(2) / expected;
            rounding += 0.25 / expected;
            if observed > 0.0 {
                likelihood_ratio += 2.0 * observed * ln(observed / expected);
            }
        }
        pearson += adds;
        if adds > worst.0 {
            let cell = (group.len() == 1).then(|| group[0]);
            worst = (adds, cell, [observed[0] / n[0], observed[1] / n[1]]);
        }
    }
    Some(TwoByMany {
        pearson,
        likelihood_ratio,
        dof: (groups.len() - 1) as f64,
        rounding,
        worst: (worst.1, worst.2),
    })
}

impl TwoByMany {
    /// The upper tail of the smaller of both statistics. Far out, Pearson's overstates the evidence
    /// of a cell in which the smaller sample has a small expectation.
    fn upper_log10(&self) -> f64 {
        chi_square_upper_log10(self.pearson.min(self.likelihood_ratio).max(0.0), self.dof)
    }

    /// The result from both tails, if there are enough degrees of freedom.
    pub(super) fn found(&self, name: impl Fn(usize) -> String) -> HomogeneityRow {
        let (cell, shares) = self.worst;
        let what = cell.map_or_else(|| "rare cells combined".to_owned(), name);
        with_tails(
            (self.pearson, self.dof),
            self.upper_log10(),
            self.rounding,
            effect(&what, shares),
        )
    }
}

/// A cell's share in each sample.
fn effect(what: &str, shares: [f64; 2]) -> String {
    let [a, b] = two_shares(shares);
    format!("{what}: {a} in A, {b} in B")
}

fn with_tails(
    (statistic, dof): (f64, f64),
    upper: f64,
    rounding: f64,
    effect: String,
) -> HomogeneityRow {
    let (log10_p, is_even) = if dof < EVEN_DOF {
        (upper, false)
    } else {
        let lower = chi_square_lower_log10(statistic.max(0.0) + rounding, dof);
        (two_sided(upper, lower), lower < upper)
    };
    let effect = match is_even {
        true => format!("too similar: chi-square {statistic:.1} with {dof} degrees of freedom"),
        false => effect,
    };
    HomogeneityRow {
        statistic,
        dof: Some(dof),
        log10_p: log10_p.min(0.0),
        is_even,
        effect,
        ..HomogeneityRow::default()
    }
}

/// Compares cards by seat of unconstrained deals. The statistic is (51/52) times the sum of the
/// squared differences of shares, divided by (1/4)(1/N1 + 1/N2). It is chi-square with 153 degrees
/// of freedom, because the cards by seat of a deal have the covariance
/// (52/51)(I - J/52) x (1/4)(I - J/4).
pub(super) fn all_cards(
    counts: [&[Vec<u64>]; 2],
    deals: [u64; 2],
    name: impl Fn(usize, usize) -> String,
) -> Option<HomogeneityRow> {
    if deals.iter().any(|&deals| deals < FEWEST_CARD_DEALS) {
        return None;
    }
    let n = deals.map(|deals| deals as f64);
    let mut sum = 0.0;
    let mut worst = (-1.0, 0, 0, [0.0; 2]);
    for (seat, both) in counts[0].iter().zip(counts[1]).enumerate() {
        for (card, (a, b)) in both.0.iter().zip(both.1).enumerate() {
            let shares = [*a as f64 / n[0], *b as f64 / n[1]];
            let square = (shares[0] - shares[1]).powi(2);
            sum += square;
            if square > worst.0 {
                worst = (square, seat, card, shares);
            }
        }
    }
    let unit = 51.0 / 52.0 * 4.0 / (1.0 / n[0] + 1.0 / n[1]);
    let (statistic, dof) = (unit * sum, 153.0);
    let upper = chi_square_upper_log10(statistic, dof);
    // Each of the 208 counts is rounded by at most one half.
    let rounding = unit * 208.0 * 0.25 * (1.0 / n[0].powi(2) + 1.0 / n[1].powi(2));
    let effect = effect(&name(worst.1, worst.2), worst.3);
    Some(with_tails((statistic, dof), upper, rounding, effect))
}

/// Compares cards by seat of deals of a condition. Each card is tested separately; the result is
/// the smallest p-value times the number of tested cards, those that more than one seat can hold.
pub(super) fn worst_card(
    counts: [&[Vec<u64>]; 2],
    name: impl Fn(usize, usize) -> String,
) -> Option<HomogeneityRow> {
    let cards = counts[0].first().map_or(0, Vec::len);
    let mut tested = 0;
    let mut worst: Option<(f64, usize, TwoByMany)> = None;
    for card in 0..cards {
        let seats = counts.map(|counts| counts.iter().map(|seat| seat[card]).collect::<Vec<_>>());
        let Some(found) = two_by_many([&seats[0], &seats[1]]) else {
            continue;
        };
        tested += 1;
        let upper = found.upper_log10();
        if worst.as_ref().is_none_or(|worst| upper < worst.0) {
            worst = Some((upper, card, found));
        }
    }
    let (upper, card, found) = worst?;
    let (seat, shares) = found.worst;
    let what = match seat {
        Some(seat) => name(seat, card),
        None => format!("{} at its rare seats", name(0, card)),
    };
    Some(HomogeneityRow {
        statistic: found.pearson,
        dof: Some(found.dof),
        log10_p: (upper + log10(f64::from(tested))).min(0.0),
        effect: effect(&what, shares),
        ..HomogeneityRow::default()
    })
}

/// Compares two means by their standard errors. It uses the larger of the separate error and the
/// error from the pooled variance, because either can be far too small if the averaged event is
/// rare.
pub(super) fn two_means(means: [(f64, f64); 2], deals: [u64; 2]) -> HomogeneityRow {
    let n = deals.map(|deals| deals as f64);
    let difference = means[0].0 - means[1].0;
    let apart = means[0].1.powi(2) + means[1].1.powi(2);
    let both = n[0] + n[1];
    let squares = |i: usize| n[i] * (means[i].1.powi(2) * (n[i] - 1.0));
    let between = n[0] * n[1] / both * difference.powi(2);
    let variance = (squares(0) + squares(1) + between) / both;
    let together = variance * (1.0 / n[0] + 1.0 / n[1]);
    let error = apart.max(together).sqrt();
    let z = if difference == 0.0 {
        0.0
    } else {
        difference / error
    };
    HomogeneityRow {
        statistic: z,
        log10_p: two_sided(normal_upper_log10(z.abs()), 0.0),
        effect: format!("{:.6} in A, {:.6} in B", means[0].0, means[1].0),
        ..HomogeneityRow::default()
    }
}
