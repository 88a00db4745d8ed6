//! The record of solved deals, and the table of their double-dummy tricks.

use serde::{Deserialize, Serialize};

use super::identity::Identity;
use super::record::{HostRecord, ProbabilityRecord, Stopped};
use super::table::{Table, table_of};
use super::table_name::TableName;
use crate::bridge::{Seat, Strain, TrickTable};
use crate::sampler::Planning;

/// The contents of solved.json: a run whose deals are solved double-dummy.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SolvedRecord {
    /// The program and its version.
    pub program: String,
    /// Name of the script.
    pub name: String,
    /// The parameters that determine the deals; `deals` is the number wanted.
    #[serde(flatten)]
    pub identity: Identity,
    /// The inputs of the choice of the sampler.
    pub planning: Planning,
    /// The tricks that are solved: `all`, or declarers and strains.
    pub tricks: String,
    /// Number of deals drawn, if there are no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tried: Option<u64>,
    /// Number of deals solved.
    pub solved: u64,
    /// Number of them that satisfy the condition.
    pub kept: u64,
    /// The share of the deals solved that satisfy the condition; `None` if no term of it needs
    /// tricks.
    pub probability: Option<ProbabilityRecord>,
    /// Why the run ended before all deals were found, if it did.
    pub stopped: Option<Stopped>,
    /// Number of threads.
    pub threads: usize,
    /// Seconds from the first deal to the last, of all sessions.
    pub seconds: f64,
    /// The host.
    pub host: HostRecord,
}

/// Number of numbers of tricks, 0 to 13.
const NUMBERS: usize = 14;

/// Counts of tricks by declarer and strain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrickCounts([[[u64; NUMBERS]; Strain::COUNT]; 4]);

impl TrickCounts {
    /// Counts a deal.
    pub fn add(&mut self, tricks: TrickTable) {
        for seat in Seat::ALL {
            for strain in Strain::ALL {
                let number = tricks.tricks(seat, strain);
                self.0[seat.index()][strain.index()][usize::from(number)] += 1;
            }
        }
    }

    /// The mean number of tricks of a declarer in a strain; `None` without deals.
    pub fn mean(&self, seat: Seat, strain: Strain) -> Option<f64> {
        let counts = &self.0[seat.index()][strain.index()];
        let deals: u64 = counts.iter().sum();
        let tricks: u64 = (0..)
            .zip(counts)
            .map(|(number, count)| number * count)
            .sum();
        (deals > 0).then(|| tricks as f64 / deals as f64)
    }

    /// The table `tricks`: for each declarer, strain and number of tricks, the number of deals.
    pub fn table(&self) -> Table {
        let hands = Seat::ALL.into_iter();
        let contracts = hands.flat_map(|seat| Strain::ALL.map(|strain| (seat, strain)));
        let rows = contracts.flat_map(|(seat, strain)| {
            let counts = self.0[seat.index()][strain.index()].into_iter();
            counts.enumerate().map(move |of| (seat, strain, of))
        });
        table_of!(TableName::Tricks, rows, |(seat, strain, (tricks, observed))| {
            text "declarer": seat.name(),
            text "strain": strain.name(),
            integer "tricks": tricks,
            integer "observed": observed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_those_of_the_counts() {
        let mut counts = TrickCounts::default();
        assert_eq!(counts.mean(Seat::North, Strain::NoTrumps), None);
        for north in [3, 4, 4, 13] {
            let number = |seat, _| if seat == Seat::North { north } else { 0 };
            counts.add(TrickTable::new(number).expect("at most thirteen"));
        }
        assert_eq!(counts.mean(Seat::North, Strain::NoTrumps), Some(6.0));
        assert_eq!(counts.mean(Seat::East, Strain::NoTrumps), Some(0.0));
        assert_eq!(counts.table().rows().len(), 4 * 5 * 14);
    }
}
