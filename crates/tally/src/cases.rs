//! Counts of draws from a case file: the cases, and coincidences among them. Draws from cells have
//! counts of groups.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::add;
use super::case_counters::{CaseCounters, pairs_of, sorted_cases};
use crate::bridge::{Deal, Seat};
use crate::draw::{Isa, PACKET, Packet};
use crate::kernels::{self, Forms, HandFields};
use crate::population::cases::{Field, GroupIndex, Runs, WEIGHT_CLASSES, class_of};
use crate::population::cells::CellGroups;

/// Maximum size of a batch whose draws are compared.
pub(super) const COMPARED_DRAWS: u64 = 1 << 23;

/// Maximum number of cases per draw of a part whose draws are counted by case.
const DENSE: usize = 1;

/// Counts of draws from a case file or from cells.
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
    /// Draws of each [`WeightGroup`](crate::population::cases::WeightGroup), in their order; empty
    /// before the first batch.
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
    /// Creates empty counts of this number of runs or groups.
    fn of_runs(runs: usize) -> Self {
        Self {
            runs: vec![0; runs],
            classes: vec![0; WEIGHT_CLASSES],
            ..Self::default()
        }
    }

    /// Returns the number of deals with a case.
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// Returns the number of draws of each run or group; empty before the first deal.
    pub fn runs(&self) -> &[u64] {
        &self.runs
    }

    /// Returns the number of draws of each weight class, floor(log2 weight).
    pub fn classes(&self) -> &[u64] {
        &self.classes
    }

    /// Returns the draws with the same case, in batches that are compared.
    pub fn coincidences(&self) -> &Coincidences {
        &self.coincidences
    }

    /// Adds the counts of other draws.
    pub fn merge(&mut self, other: &Self) {
        if other.runs.is_empty() {
            return;
        }
        if self.runs.is_empty() {
            *self = Self::of_runs(other.runs.len());
        }
        self.deals += other.deals;
        add(&mut self.runs, &other.runs);
        add(&mut self.classes, &other.classes);
        self.coincidences.merge(&other.coincidences);
    }

    /// Returns whether the tables are empty or have this number of runs or groups.
    pub(super) fn fits(&self, runs: usize) -> bool {
        let lengths = (self.runs.len(), self.classes.len());
        lengths == (0, 0) || lengths == (runs, WEIGHT_CLASSES)
    }

    /// Adds the draws of one batch that were compared.
    pub(super) fn add_compared(&mut self, mut draws: ComparedDraws) {
        draws.shared.sort_unstable();
        for same in draws.shared.chunk_by(|a, b| a.0 == b.0) {
            draws.same += pairs_of(same.iter().map(|(_, count)| u64::from(*count)).sum());
        }
        let of_batch = draws.groups.into_iter().map(|draws| GroupDraws {
            pairs: pairs_of(draws),
            triples: pairs_of(draws) * u128::from(draws.saturating_sub(2)) / 3,
        });
        self.coincidences.merge(&Coincidences {
            same: draws.same,
            groups: of_batch.collect(),
        });
    }
}

/// The draws of one batch that are compared with each other.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct ComparedDraws {
    /// Draws of each group of cases of equal weight.
    groups: Vec<u64>,
    /// Pairs of draws of cases that are complete.
    same: u128,
    /// Cases that other draws of the batch may have too, with their numbers of draws.
    shared: Vec<(u32, u32)>,
}

impl ComparedDraws {
    /// Adds other draws of the batch.
    pub(super) fn merge(&mut self, mut other: Self) {
        let groups = self.groups.len().max(other.groups.len());
        self.groups.resize(groups, 0);
        other.groups.resize(groups, 0);
        add(&mut self.groups, &other.groups);
        self.same += other.same;
        self.shared.append(&mut other.shared);
    }
}

/// The draws by batch, of batches whose draws are compared.
pub(super) type DrawnCases = BTreeMap<u64, ComparedDraws>;

/// The cases of a listing, with the groups of equal weight by their weights.
#[derive(Clone, Debug)]
pub(super) struct CountedCases<'f> {
    pub(super) runs: Runs<'f>,
    groups: GroupIndex,
}

impl<'f> CountedCases<'f> {
    pub(super) fn new(runs: Runs<'f>) -> Self {
        let groups = GroupIndex::new(runs.weight_groups());
        Self { runs, groups }
    }
}

/// Counters of draws by run and by weight.
struct DrawCounters<'t> {
    cases: &'t CountedCases<'t>,
    runs: &'t mut [u64],
    /// Draws of cases that no other case shares its weight with.
    classes: &'t mut [u64],
    groups: &'t mut [u64],
}

impl DrawCounters<'_> {
    /// Counts draws of a case. Returns whether another case has its weight.
    #[inline(always)]
    fn add(&mut self, case: u32, draws: u64) -> bool {
        let CountedCases { runs, groups } = self.cases;
        self.runs[runs.run_of(case)] += draws;
        let weight = runs.weight_of(case);
        let group = groups.group_of(weight);
        match group {
            Some(group) => self.groups[group] += draws,
            None => self.classes[class_of(weight)] += draws,
        }
        group.is_some()
    }
}

/// Counts draws.
#[derive(Clone, Debug)]
pub(super) struct CaseTallying<'f> {
    cases: &'f CountedCases<'f>,
    listed: [(Option<Seat>, HandFields); 2],
    tally: CaseTally,
    /// The portion's draws of each group of cases of equal weight.
    by_group: Vec<u64>,
    /// The cases of the part's draws; unless the part is dense, only those of these groups.
    waiting: Vec<u32>,
    /// Whether the draws of a part are counted by case at its end: it is expected to have as few
    /// cases as the part before it.
    is_dense: bool,
    by_case: CaseCounters,
    drawn: DrawnCases,
    forms: Forms,
}

impl<'f> CaseTallying<'f> {
    pub(super) fn new(cases: &'f CountedCases<'f>) -> Self {
        let runs = &cases.runs;
        let (first, second) = runs.seats();
        let sample = runs.records().first();
        let bit = |field| sample.and_then(|record| record.bit(field));
        let fields = |pattern, honours| HandFields {
            pattern: bit(pattern),
            honours: bit(honours),
        };
        Self {
            cases,
            listed: [
                (
                    Some(first),
                    fields(Field::FirstPattern, Field::FirstHonours),
                ),
                (second, fields(Field::SecondPattern, Field::SecondHonours)),
            ],
            tally: CaseTally::of_runs(runs.count()),
            by_group: vec![0; cases.groups.count()],
            waiting: Vec::new(),
            is_dense: false,
            by_case: CaseCounters::default(),
            drawn: DrawnCases::new(),
            forms: Forms::default(),
        }
    }

    /// Returns the positions of deals without a case, or not of their case. Deals from elsewhere
    /// get their cases.
    pub(super) fn without_case(&mut self, isa: Isa, packet: &mut Cow<'_, Packet>) -> u128 {
        match packet.from_cases {
            true => self.misfits(isa, packet),
            false => search(packet.to_mut(), |deal| {
                self.cases.runs.case_of(deal).map(|case| case as u32)
            }),
        }
    }

    /// Counts a packet in which every deal has its case. `compared` is the number of the batch, if
    /// its draws are compared.
    pub(super) fn count(&mut self, packet: &Packet, compared: Option<u64>) {
        let cases = &packet.cases[..packet.deals()];
        self.tally.deals += cases.len() as u64;
        if self.is_dense {
            self.waiting.extend_from_slice(cases);
        } else {
            // The records are in the processor's cache now.
            let mut counters = self.counters();
            let (mut grouped, mut count) = ([0; PACKET], 0);
            for &case in cases {
                grouped[count] = case;
                count += usize::from(counters.add(case, 1));
            }
            self.waiting.extend_from_slice(&grouped[..count]);
        }
        if packet.ends_part {
            self.compare_part(compared);
        }
    }

    /// Returns the counters of draws.
    fn counters(&mut self) -> DrawCounters<'_> {
        DrawCounters {
            cases: self.cases,
            runs: &mut self.tally.runs,
            classes: &mut self.tally.classes,
            groups: &mut self.by_group,
        }
    }

    /// Compares the draws that wait, which are from a part of [0, T): only the first and the last
    /// case may have draws of the parts beside it.
    fn compare_part(&mut self, compared: Option<u64>) {
        let mut waiting = std::mem::take(&mut self.waiting);
        let ends = |(least, most): (u32, u32), case: &u32| (least.min(*case), most.max(*case));
        let (least, most) = waiting.iter().fold((u32::MAX, 0), ends);
        if least <= most {
            let (mut same, mut ends) = (0, Vec::new());
            let mut by_case = std::mem::take(&mut self.by_case);
            if self.is_dense {
                let mut counters = self.counters();
                by_case.each_case(least..=most, &mut waiting, |case, count| {
                    match counters.add(case, count.into()) {
                        true if case == least || case == most => ends.push((case, count)),
                        true => same += pairs_of(count.into()),
                        false => {}
                    }
                });
            } else if compared.is_some() {
                same = by_case.inner_pairs(least..=most, &mut waiting, &mut ends);
            }
            self.by_case = by_case;
            self.is_dense = (most - least) as usize / DENSE < waiting.len();
            if let Some(batch) = compared {
                let draws = self.drawn.entry(batch).or_default();
                draws.same += same;
                draws.shared.append(&mut ends);
            }
        }
        waiting.clear();
        self.waiting = waiting;
    }

    /// Ends a portion. Draws that still wait may share their cases with any others.
    pub(super) fn end_portion(&mut self, compared: Option<u64>) {
        let mut waiting = std::mem::take(&mut self.waiting);
        let (mut shared, is_dense) = (Vec::new(), self.is_dense);
        let mut counters = self.counters();
        for (case, count) in sorted_cases(&mut waiting) {
            if !is_dense || counters.add(case, count.into()) {
                shared.push((case, count));
            }
        }
        waiting.clear();
        self.waiting = waiting;
        if let Some(batch) = compared {
            let draws = self.drawn.entry(batch).or_default();
            draws.groups.resize(self.by_group.len(), 0);
            add(&mut draws.groups, &self.by_group);
            draws.shared.append(&mut shared);
        }
        let groups = self.cases.runs.weight_groups();
        for (draws, group) in self.by_group.iter_mut().zip(groups) {
            self.tally.classes[class_of(group.weight())] += std::mem::take(draws);
        }
    }

    /// Returns the positions of deals that do not belong to their case.
    fn misfits(&mut self, isa: Isa, packet: &Packet) -> u128 {
        let records = self.cases.runs.records();
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
                kernels::read_cases(isa, *fields, &cases, &mut self.forms);
                places |= kernels::misfits(isa, &packet.hands(*seat), &self.forms, *fields);
            }
        }
        places & packet.places()
    }

    pub(super) fn finish(self) -> (CaseTally, DrawnCases) {
        (self.tally, self.drawn)
    }
}

/// Finds the cases or groups of deals from elsewhere, and returns the positions of deals without
/// one.
fn search(packet: &mut Packet, find: impl Fn(&Deal) -> Option<u32>) -> u128 {
    let mut places = 0;
    for i in 0..packet.deals() {
        match find(&packet.deal(i)) {
            Some(case) => packet.cases[i] = case,
            None => places |= 1 << i,
        }
    }
    places
}

/// Counts draws from cells by group.
#[derive(Clone, Debug)]
pub(super) struct CellTallying<'f> {
    groups: &'f CellGroups<'f>,
    tally: CaseTally,
}

impl<'f> CellTallying<'f> {
    pub(super) fn new(groups: &'f CellGroups<'f>) -> Self {
        let tally = CaseTally::of_runs(groups.count());
        Self { groups, tally }
    }

    /// Returns the positions of deals from elsewhere that do not belong to a cell. The others get
    /// their groups.
    pub(super) fn without_cell(&self, packet: &mut Cow<'_, Packet>) -> u128 {
        match packet.from_cases {
            true => 0,
            false => search(packet.to_mut(), |deal| self.groups.group_of(deal)),
        }
    }

    /// Counts a packet in which every deal has its group.
    pub(super) fn count(&mut self, packet: &Packet) {
        self.tally.deals += packet.deals() as u64;
        for &group in &packet.cases[..packet.deals()] {
            self.tally.runs[group as usize] += 1;
        }
    }

    pub(super) fn finish(self) -> CaseTally {
        self.tally
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "in a test, a failure to begin is a failure"
    )]

    use super::*;
    use crate::draw::{Aes128Ctr, DealScratch, Dealer};
    use crate::language::Condition;
    use crate::population::Population;
    use crate::population::cases::{CaseBytes, CaseFile, Listing, census, list};
    use crate::population::cells::Cells;
    use crate::{Batch, CountPlan, Counting, Depth};

    /// Returns the case file of the condition that west has nine spades and at least twelve points.
    fn nine_spades() -> CaseFile<CaseBytes> {
        let condition = Condition::parse("test", "spades(west) == 9 && hcp(west) >= 12").unwrap();
        let listing = Listing::new(&condition, None).unwrap();
        let census = census(&condition, &listing).unwrap();
        list(&condition, &listing, census, &|_| ()).unwrap()
    }

    /// Counts a batch by three workers that take portions in turn. Without `parts`, the packets do
    /// not tell where a part of the cases ends.
    fn tally_of(deals: u64, parts: bool) -> (CaseTally, Vec<u64>) {
        let file = nine_spades();
        let plan = CountPlan::of_cases(Depth::Standard, Runs::new(&file));
        let (dealer, generator) = (Dealer::of_cases(&file).unwrap(), Aes128Ctr::new(9));
        let isa = dealer.isa();
        let mut counts = plan.empty();
        let kept = counts.kept();
        let mut workers = [(); 3].map(|()| Counting::new(&plan, &kept, isa));
        let mut by_case = vec![0; file.cases() as usize];
        let batch = Batch { number: 0, deals };
        let portions = dealer.portions(&generator, 0..deals).unwrap();
        for (turn, portion) in portions.iter().enumerate() {
            let worker = &mut workers[turn % 3];
            worker.begin(batch, portion);
            let mut sink = |packet: &Packet| {
                let mut packet = packet.clone();
                packet.ends_part &= parts;
                worker.count(&packet);
                for case in &packet.cases[..packet.deals()] {
                    by_case[*case as usize] += 1;
                }
            };
            let scratch = &mut DealScratch::default();
            dealer
                .deal(&generator, portion, scratch, &mut sink)
                .unwrap();
            worker.end();
        }
        counts.add(workers.map(Counting::finish).into());
        assert_eq!(counts.foreign, 0);
        (counts.cases, by_case)
    }

    #[test]
    fn draws_of_many_leaves_are_compared_as_a_slow_loop_compares_them() {
        let file = nine_spades();
        let runs = Runs::new(&file);
        for deals in [1, 5_000, 140_000] {
            let (tally, by_case) = tally_of(deals, true);
            assert_eq!(tally.deals(), deals);
            assert_eq!(tally.runs(), by_case);
            let mut same = 0;
            let mut groups = BTreeMap::<u64, Vec<u64>>::new();
            for (case, count) in (0..).zip(&by_case) {
                groups.entry(runs.weight_of(case)).or_default().push(*count);
            }
            groups.retain(|_, counts| counts.len() > 1);
            let mut found = tally.coincidences().groups.iter();
            for counts in groups.values() {
                same += counts.iter().map(|n| pairs_of(*n)).sum::<u128>();
                let all = pairs_of(counts.iter().sum());
                assert_eq!(found.next().map(|group| group.pairs), Some(all));
            }
            assert_eq!(found.next(), None);
            assert_eq!(tally.coincidences().same, same);
            assert_eq!(tally_of(deals, false).0, tally);
        }
    }

    #[test]
    fn second_order_sums_are_those_of_the_early_draws() {
        let file = nine_spades();
        let plan = CountPlan::of_cases(Depth::Standard, Runs::new(&file));
        let (dealer, generator) = (Dealer::of_cases(&file).unwrap(), Aes128Ctr::new(3));
        let deals = 100_003;
        let (first, batch) = (1 << 16, Batch { number: 3, deals });
        let mut counts = plan.empty();
        let mut counting = Counting::new(&plan, &counts.kept(), dealer.isa());
        let mut early = 0;
        for portion in dealer.portions(&generator, first..first + deals).unwrap() {
            counting.begin(batch, &portion);
            let mut sink = |packet: &Packet| {
                early += packet.early as u64;
                counting.count(packet);
            };
            let scratch = &mut DealScratch::default();
            dealer
                .deal(&generator, &portion, scratch, &mut sink)
                .unwrap();
            counting.end();
        }
        counts.add(vec![counting.finish()]);
        assert_eq!(early, deals / 8);
        assert_eq!(counts.gram.map(|gram| gram.within.pairs()), Some(early));
    }

    #[test]
    fn draws_from_cells_are_counted_by_group_whoever_deals_them() {
        let condition = Condition::parse("test", "hcp(west) >= 20").unwrap();
        let population = Population::of_cells(Cells::new(&condition).unwrap());
        let plan = CountPlan::of(&population, Depth::Standard);
        let (dealer, generator) = (Dealer::new(&population).unwrap(), Aes128Ctr::new(5));
        let portions = dealer.portions(&generator, 0..70_000).unwrap();
        let tally_of = |workers: usize, are_drawn: bool| {
            let mut counts = plan.empty();
            let kept = counts.kept();
            let new = || Counting::new(&plan, &kept, dealer.isa());
            let mut workers: Vec<Counting<'_>> = (0..workers).map(|_| new()).collect();
            for (turn, portion) in portions.iter().enumerate() {
                let batch = Batch {
                    number: 0,
                    deals: 70_000,
                };
                let turn = turn % workers.len();
                let worker = &mut workers[turn];
                worker.begin(batch, portion);
                let mut sink = |packet: &Packet| {
                    let mut packet = packet.clone();
                    packet.from_cases = are_drawn;
                    worker.count(&packet);
                };
                let scratch = &mut DealScratch::default();
                dealer
                    .deal(&generator, portion, scratch, &mut sink)
                    .unwrap();
                worker.end();
            }
            counts.add(workers.into_iter().map(Counting::finish).collect());
            assert_eq!(counts.foreign, 0);
            counts.cases
        };
        let tally = tally_of(1, true);
        assert_eq!(tally.deals(), 70_000);
        assert_eq!(tally.runs().iter().sum::<u64>(), 70_000);
        assert_eq!(tally_of(2, true), tally);
        assert_eq!(tally_of(2, false), tally);
    }
}
