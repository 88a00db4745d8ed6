//! Counts of draws from a case file: the cases, and coincidences among them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bridge::Seat;
use crate::draw::{Isa, PACKET, Packet};
use crate::kernels::{self, HandFields};
use crate::population::cases::{Field, Runs, WEIGHT_CLASSES, class_of};

use super::add;

/// Maximum size of a batch whose draws are compared: four bytes per draw.
pub(super) const COMPARED_DRAWS: u64 = 1 << 23;

/// Number of draws to prefetch ahead.
const AHEAD: usize = 32;

/// Counts of draws from a case file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseTally {
    deals: u64,
    runs: Vec<u64>,
    classes: Vec<u64>,
    coincidences: Coincidences,
}

/// Pairs of draws of one batch with the same case, among cases that share their weight with others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coincidences {
    /// Number of pairs with the same case.
    pub same: u128,
    /// Draws of each group of [`EqualWeights`](crate::population::cases::EqualWeights), in its
    /// order; empty before the first batch.
    pub groups: Vec<GroupDraws>,
}

/// Pairs and triples of draws of cases with one weight. Each draw forms a pair with every other
/// draw of its batch, so 64 bits are not enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupDraws {
    /// Number of pairs of draws, summed over batches.
    pub pairs: u128,
    /// Number of sets of three draws, summed over batches.
    pub triples: u128,
}

impl GroupDraws {
    fn add(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.triples += other.triples;
    }
}

impl Coincidences {
    fn merge(&mut self, other: &Self) {
        self.same += other.same;
        self.groups.resize(
            self.groups.len().max(other.groups.len()),
            GroupDraws::default(),
        );
        for (mine, theirs) in self.groups.iter_mut().zip(&other.groups) {
            mine.add(*theirs);
        }
    }
}

impl CaseTally {
    /// Returns the number of deals with a case.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// Returns the number of draws of each run; empty before the first deal.
    #[must_use]
    pub(crate) fn runs(&self) -> &[u64] {
        &self.runs
    }

    /// Returns the number of draws of each weight class, floor(log2 weight).
    #[must_use]
    pub(crate) fn classes(&self) -> &[u64] {
        &self.classes
    }

    /// Returns the draws with the same case, in batches that are compared.
    #[must_use]
    pub(crate) fn coincidences(&self) -> &Coincidences {
        &self.coincidences
    }

    /// Adds the counts of other draws.
    pub(crate) fn merge(&mut self, other: &Self) {
        if other.runs.is_empty() {
            return;
        }
        if self.runs.is_empty() {
            self.runs = vec![0; other.runs.len()];
            self.classes = vec![0; WEIGHT_CLASSES];
        }
        self.deals += other.deals;
        add(&mut self.runs, &other.runs);
        add(&mut self.classes, &other.classes);
        self.coincidences.merge(&other.coincidences);
    }

    /// Returns whether the tables are empty or those of these runs.
    pub(super) fn fits(&self, runs: Option<&Runs<'_>>) -> bool {
        let lengths = (self.runs.len(), self.classes.len());
        lengths == (0, 0) || lengths == (runs.map_or(0, Runs::count), WEIGHT_CLASSES)
    }

    /// Counts the draws of one batch with the same case, by groups of equal weight.
    pub(super) fn add_coincidences(&mut self, mut cases: Vec<u32>, runs: &Runs<'_>) {
        cases.sort_unstable();
        let weights = runs.equal_weights();
        let mut draws = vec![0u64; weights.groups().len()];
        let mut place = 0;
        for same in cases.chunk_by(|a, b| a == b) {
            place += same.len();
            // The records of a large file are in no cache.
            if let Some(&later) = cases.get(place + AHEAD) {
                kernels::prefetch(runs.records(), later as usize);
            }
            let Some(group) = weights.group_of(runs.weight_of(same[0])) else {
                continue;
            };
            let count = same.len() as u64;
            draws[group] += count;
            self.coincidences.same += pairs_of(count);
        }
        let of_batch = draws.into_iter().map(|draws| GroupDraws {
            pairs: pairs_of(draws),
            triples: pairs_of(draws) * u128::from(draws.saturating_sub(2)) / 3,
        });
        self.coincidences.merge(&Coincidences {
            same: 0,
            groups: of_batch.collect(),
        });
    }
}

/// Returns C(n, 2).
fn pairs_of(n: u64) -> u128 {
    u128::from(n) * u128::from(n.saturating_sub(1)) / 2
}

/// Counts draws.
#[derive(Clone, Debug)]
pub(super) struct CaseTallying<'f> {
    runs: &'f Runs<'f>,
    listed: [(Option<Seat>, HandFields); 2],
    tally: CaseTally,
    /// The cases of draws by batch, for batches that are compared.
    drawn: BTreeMap<u64, Vec<u32>>,
}

impl<'f> CaseTallying<'f> {
    pub(super) fn new(runs: &'f Runs<'f>) -> Self {
        let (first, second) = runs.seats();
        let sample = runs.records().first();
        let bit = |field| sample.and_then(|record| record.bit(field));
        let fields = |pattern, honours| HandFields {
            pattern: bit(pattern),
            honours: bit(honours),
        };
        Self {
            runs,
            listed: [
                (
                    Some(first),
                    fields(Field::FirstPattern, Field::FirstHonours),
                ),
                (second, fields(Field::SecondPattern, Field::SecondHonours)),
            ],
            tally: CaseTally {
                runs: vec![0; runs.count()],
                classes: vec![0; WEIGHT_CLASSES],
                ..CaseTally::default()
            },
            drawn: BTreeMap::new(),
        }
    }

    /// Returns the positions of deals without a case, or not of their case. Deals from elsewhere
    /// get their cases.
    pub(super) fn without_case(&self, isa: Isa, packet: &mut Cow<'_, Packet>) -> u128 {
        match packet.from_cases {
            true => self.misfits(isa, packet),
            false => self.search(packet.to_mut()),
        }
    }

    /// Counts a packet in which every deal has its case. `compared` is the number of the batch, if
    /// its draws are compared.
    pub(super) fn count(&mut self, packet: &Packet, compared: Option<u64>) {
        let cases = &packet.cases[..packet.deals()];
        for &case in cases {
            self.tally.runs[self.runs.run_of(case)] += 1;
            let weight = self.runs.weight_of(case);
            self.tally.classes[class_of(weight)] += 1;
        }
        if let Some(batch) = compared {
            self.drawn
                .entry(batch)
                .or_default()
                .extend_from_slice(cases);
        }
        self.tally.deals += cases.len() as u64;
    }

    /// Returns the positions of deals that do not belong to their case.
    fn misfits(&self, isa: Isa, packet: &Packet) -> u128 {
        let records = self.runs.records();
        let mut cases = [0; PACKET];
        let mut places = 0;
        for (i, case) in cases.iter_mut().enumerate().take(packet.deals()) {
            match records.get(packet.cases[i] as usize) {
                Some(record) => *case = record.hands_bits(),
                None => places |= 1 << i,
            }
        }
        for (seat, fields) in &self.listed {
            if let Some(seat) = seat {
                places |= kernels::misfits(isa, &packet.hands(*seat), &cases, *fields);
            }
        }
        let predeal = self.runs.predeal();
        if !predeal.is_empty() {
            for i in (0..packet.deals()).filter(|&i| !predeal.is_in(&packet.deal(i))) {
                places |= 1 << i;
            }
        }
        places & packet.places()
    }

    /// Finds the cases of deals from elsewhere, and returns the positions of deals without a case.
    fn search(&self, packet: &mut Packet) -> u128 {
        let mut places = 0;
        for i in 0..packet.deals() {
            match self.runs.case_of(&packet.deal(i)) {
                Some(case) => packet.cases[i] = case as u32,
                None => places |= 1 << i,
            }
        }
        places
    }

    pub(super) fn finish(self) -> (CaseTally, BTreeMap<u64, Vec<u32>>) {
        (self.tally, self.drawn)
    }
}
