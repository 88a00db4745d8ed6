//! The smallest detectable differences.

use super::statistic::two_by_many;
use super::{HomogeneityRow, Origin};
use crate::battery::{needed, seen};
use crate::bridge::Seat;
use crate::printable::percent;
use crate::stats::elementary::log10;
use crate::{CountKind, Sample};

/// Shapes begin with 4-3-3-3 and 4-4-3-2.
const FOUR_FOUR: usize = 1;

/// Describes the differences between A and B for which S reaches 9 with a probability of 0.9, given
/// the frequencies of both samples combined.
pub(super) fn caught(
    samples: [&Sample; 2],
    origin: Origin,
    rows: &[HomogeneityRow],
) -> Vec<String> {
    let n = samples.map(|sample| sample.deals as f64);
    let deals = n[0] * n[1] / (n[0] + n[1]);
    let goal = |kind: CountKind| {
        let row = rows.iter().find(|row| row.test == kind.name());
        row.map(|row| needed(row.weight, 0.0))
    };
    let mut words = Vec::new();
    if let Some(goal) = goal(CountKind::Cards) {
        // If a card is more frequent at one seat by e (relative), phi^2 is (51/52) e^2 / 3 in the
        // sum over all cards, and e^2 p / (1 - p) for the card alone.
        let bias = match origin {
            Origin::Whole => (seen(153.0, goal) / deals * 3.0 * 52.0 / 51.0).sqrt(),
            Origin::Condition => (seen(3.0, goal - log10(52.0)) / deals * 3.0).sqrt(),
        };
        let which = match origin {
            Origin::Whole => "a card",
            Origin::Condition => "a card that a seat holds in a quarter of the deals",
        };
        if bias < 1.0 {
            words.push(format!(
                "{which} {} more frequent at one seat",
                percent(bias, 3)
            ));
        }
    }
    if let Some(bias) = goal(CountKind::Shapes).and_then(|goal| shape(samples, deals, goal))
        && bias < 1.0
    {
        words.push(format!(
            "4-4-3-2 hands {} more frequent at any seat",
            percent(bias, 3)
        ));
    }
    if let Some(shift) = goal(CountKind::Hcp).and_then(|goal| points(samples, deals, goal)) {
        words.push(format!("a mean {shift:.4} HCP higher at any seat"));
    }
    words
}

/// The sums of both samples' counts at every seat where the counts can differ, with the degrees of
/// freedom.
fn seats(samples: [&Sample; 2], kind: CountKind) -> Vec<(Vec<f64>, f64)> {
    let [Some(one), Some(two)] = samples.map(|sample| sample.table(kind)) else {
        return Vec::new();
    };
    let each = Seat::ALL.into_iter().filter_map(|seat| {
        let counts = [&one.counts[seat.index()][..], &two.counts[seat.index()][..]];
        let dof = two_by_many(counts)?.dof;
        let sums = counts[0].iter().zip(counts[1]);
        Some((sums.map(|(a, b)| *a as f64 + *b as f64).collect(), dof))
    });
    each.collect()
}

/// The largest over seats of the smallest detectable difference in the frequency of 4-4-3-2.
fn shape(samples: [&Sample; 2], deals: f64, goal: f64) -> Option<f64> {
    let each = seats(samples, CountKind::Shapes).into_iter();
    let bias = each.filter_map(|(sums, dof)| {
        let p = sums[FOUR_FOUR] / sums.iter().sum::<f64>();
        let bias = (seen(dof, goal) / deals * (1.0 - p) / p).sqrt();
        (p > 0.0 && p < 1.0).then_some(bias)
    });
    bias.max_by(f64::total_cmp)
}

/// The smallest detectable difference in mean HCP: phi^2 is at least the squared shift divided by
/// the variance.
fn points(samples: [&Sample; 2], deals: f64, goal: f64) -> Option<f64> {
    let each = seats(samples, CountKind::Hcp).into_iter();
    let shift = each.map(|(sums, dof)| {
        let n: f64 = sums.iter().sum();
        let moment = |power: i32| {
            let each = sums.iter().enumerate();
            each.map(|(hcp, count)| (hcp as f64).powi(power) * count)
                .sum::<f64>()
                / n
        };
        let variance = moment(2) - moment(1).powi(2);
        (seen(dof, goal) / deals * variance).sqrt()
    });
    shift.max_by(f64::total_cmp)
}
