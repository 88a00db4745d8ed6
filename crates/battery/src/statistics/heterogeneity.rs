//! T10: compares groups of deals, and samples that were dealt separately, such as on several
//! machines or as parts of a run.
//!
//! The statistic is the sum of the groups' chi-squares less the chi-square of all deals. For T1 it
//! is a chi-square with 153 (B - 1) degrees of freedom for B groups; for a table, (cells - 1)(B -
//! 1).

use super::{
    Battery, Expected, Look, Measured, MultinomialTest, RunParameters, TableLaw, TestSubject,
};
use serde::{Deserialize, Serialize};

use super::card_seat;
use super::patterns::SHAPES;
use super::points::{POINTS, SIDE_POINTS};
use crate::bridge::{Seat, Side};
use crate::tally::Tally;

/// T10 for unconstrained deals, by the seat of every card.
pub(crate) fn cards(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    between_cards(look.counts.groups())
}

/// Returns the sum of the groups' card-seat statistics less the statistic of all deals.
fn between_cards(groups: &[Tally]) -> Option<Measured> {
    let dealt: Vec<&Tally> = groups.iter().filter(|group| group.deals() > 0).collect();
    if dealt.len() < 2 {
        return None;
    }
    let mut all = Tally::default();
    let mut sum = 0.0;
    for group in &dealt {
        all.merge(group);
        sum += card_seat::statistic(group);
    }
    let dof = 153.0 * (dealt.len() as f64 - 1.0);
    let statistic = sum - card_seat::statistic(&all);
    Some(Measured::chi_square(all.deals(), statistic, dof).with_departure())
}

/// T10 for constrained deals, by shapes of a seat.
pub(crate) fn shapes(look: &Look<'_>, subject: TestSubject) -> Option<Measured> {
    let seat = subject.seat()?;
    let groups = look.counts.groups().iter();
    let dealt = groups.filter(|group| group.deals() > 0);
    let counts: Vec<_> = dealt.map(|group| group.shapes(seat)).collect();
    let counts: Vec<&[u64]> = counts.iter().map(|counts| &counts[..]).collect();
    TableLaw::new(&look.expected.theory.shapes(seat)).heterogeneity(&counts)
}

/// Returns whether the smallest group of batches expects enough in two cells.
pub(crate) fn allows_shapes(
    expected: &Expected,
    subject: TestSubject,
    terms: &RunParameters,
) -> bool {
    let law = (SHAPES.law)(expected, subject);
    law.is_some_and(|law| law.groups(terms.smallest_group).len() > 1)
}

/// Minimum number of deals of each sample for comparing cards by chi-square.
const LEAST_DEALS: u64 = 1 << 14;

/// A comparison of samples: the sum of their chi-squares less the chi-square of all deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heterogeneity {
    /// The compared quantity.
    pub quantity: String,
    /// The subject: a seat, a side, `all` or `filter`.
    pub subject: String,
    /// The statistic.
    pub statistic: f64,
    /// Its degrees of freedom.
    pub dof: f64,
    /// log10 of the p-value.
    pub log10_p: f64,
}

impl Battery {
    /// Tests whether samples of the deals differ from each other. Empty if there are fewer than two
    /// samples, or if one has too few deals.
    ///
    /// The tests of their sum decide the run's verdict. These results do not change it; they show
    /// tables in which one sample is wrong.
    pub fn heterogeneity(&self, samples: &[Tally]) -> Vec<Heterogeneity> {
        let smallest = samples.iter().map(Tally::deals).min().unwrap_or(0);
        let mut found = Vec::new();
        let mut add = |quantity: &str, subject: &str, measured: Option<Measured>| {
            let Some((measured, dof)) = measured.and_then(|it| it.dof.map(|dof| (it, dof))) else {
                return;
            };
            found.push(Heterogeneity {
                quantity: quantity.to_owned(),
                subject: subject.to_owned(),
                statistic: measured.statistic,
                dof,
                log10_p: measured.log10_p,
            });
        };
        if self.expected.unconstrained.is_some() && smallest >= LEAST_DEALS {
            let measured = between_cards(samples);
            add("seats of cards", "all", measured);
        }
        let table = |table: MultinomialTest, subject, counts: &dyn Fn(&Tally) -> Vec<u64>| {
            let law = (table.law)(&self.expected, subject)?;
            let counts: Vec<Vec<u64>> = samples.iter().map(counts).collect();
            let counts: Vec<&[u64]> = counts.iter().map(|counts| &counts[..]).collect();
            law.heterogeneity(&counts)
        };
        for seat in Seat::ALL {
            let (name, subject) = (seat.name(), TestSubject::Seat(seat));
            let shapes = |tally: &Tally| tally.shapes(seat).to_vec();
            add("shapes", name, table(SHAPES, subject, &shapes));
            let points = |tally: &Tally| tally.hcp(seat).to_vec();
            add("HCP", name, table(POINTS, subject, &points));
        }
        // The points of the other side are the rest of forty.
        let side = Side::ALL[0];
        let points = |tally: &Tally| tally.side_hcp(side).to_vec();
        let measured = table(SIDE_POINTS, TestSubject::Side(side), &points);
        add("HCP", side.name(), measured);
        found
    }
}

/// Tests whether samples differ in the share of deals that a filter kept, by Pearson's chi-square.
/// `None` if a sample expects fewer than twenty kept, or twenty rejected deals.
pub fn kept_heterogeneity(samples: &[(u64, u64)]) -> Option<Heterogeneity> {
    let sum = |of: fn(&(u64, u64)) -> u64| samples.iter().map(of).sum::<u64>() as f64;
    let (drawn, kept) = (sum(|(drawn, _)| *drawn), sum(|(_, kept)| *kept));
    let smallest = samples.iter().map(|(drawn, _)| *drawn).min()?;
    let rate = kept / drawn;
    if samples.len() < 2 || smallest == 0 || smallest as f64 * rate.min(1.0 - rate) < 20.0 {
        return None;
    }
    let term = |(drawn, kept): &(u64, u64)| {
        let expected = *drawn as f64 * rate;
        (*kept as f64 - expected).powi(2) / (expected * (1.0 - rate))
    };
    let (statistic, dof) = (samples.iter().map(term).sum(), samples.len() as f64 - 1.0);
    let measured = Measured::chi_square(drawn as u64, statistic, dof);
    Some(Heterogeneity {
        quantity: "deals kept".to_owned(),
        subject: "filter".to_owned(),
        statistic,
        dof,
        log10_p: measured.log10_p,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_that_keeps_other_shares_is_found() {
        let alike = [(100_000, 5_040), (100_000, 4_990), (50_000, 2_480)];
        let found = kept_heterogeneity(&alike).unwrap();
        // Acceptance rates of 0.0504, 0.0499 and 0.0496, with 0.05004 overall.
        assert!(
            (found.statistic - 0.5175).abs() < 0.001,
            "{}",
            found.statistic
        );
        assert!(found.log10_p > -0.2 && found.dof == 2.0);
        let broken = [(100_000, 5_040), (100_000, 4_990), (100_000, 4_000)];
        assert!(kept_heterogeneity(&broken).unwrap().log10_p < -20.0);
        assert_eq!(kept_heterogeneity(&[(100, 100), (100, 100)]), None);
        assert_eq!(kept_heterogeneity(&[(1000, 10), (1000, 12)]), None);
        assert_eq!(kept_heterogeneity(&[(100_000, 5_040)]), None);
        assert_eq!(kept_heterogeneity(&[]), None);
    }
}
