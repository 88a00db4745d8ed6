//! All counts for the tests, made in one pass.
//!
//! The number of a block or batch alone determines its counts. The tables, the seat of every card,
//! flatness and controls, overlaps, and deals kept for duplicates are counted everywhere.
//! Second-order sums are counted on an eighth of the blocks, or on the first eighth of each batch's
//! draws if these come in the order of their cases. Numbers of deals and equivalent deals are counted
//! on a 64th, squares of overlaps on the first blocks and a 64th, and hands of the first block are
//! kept. So the counts depend only on the deals, not on the workers.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::cases::{
    COMPARED_DRAWS, CaseTally, CaseTallying, CellTallying, CountedCases, DrawnCases,
};
use super::numbers::NumberTallying;
use super::spread::SpreadTallying;
use super::{
    DealNumbers, DuplicateDeals, FillingSums, Gram, GramTallying, HAND_DEALS, Hands, LAGS,
    MOST_KEPT, OverlapTallying, Overlaps, Spread, TableChoice, Tally, Tallying,
};
use crate::bridge::{Deal, Hand, Seat};
use crate::draw::{BLOCK_DEALS, EARLY_SHARE, Isa, MOST_DEALS, Packet, Portion};
use crate::filter::{Filter, FilterScratch};
use crate::kernels;
use crate::population::cases::Runs;
use crate::population::cells::CellGroups;
use crate::population::{Base, Population, Structure};

/// Number of groups of blocks or batches that are compared with each other.
pub const GROUPS: usize = 16;
/// Number of consecutive blocks of a group.
const GROUP_BLOCKS: u64 = 8;
/// The standard battery counts second-order sums on one in this number of blocks; of draws in the
/// order of their cases, on the first 65,536 and then on one in this number.
pub const CLOSE_SHARE: u64 = EARLY_SHARE;
/// The standard battery compares the draws of these first batches with each other, up to 2^25
/// deals, and then those of one batch in eight.
const COMPARED_BATCHES: u64 = 12;
const COMPARED_SHARE: u64 = 8;
/// The standard battery numbers the deals of one in this number of blocks.
pub const NUMBER_SHARE: u64 = 64;
/// Number of first blocks whose overlaps are also squared by pair of deals.
const SQUARED_BLOCKS: u64 = 4;

/// Each draw is in fewer sets of three than this squared, and 128 bits are enough for all of them.
const _: () = {
    let of_draw = (COMPARED_DRAWS as u128).pow(2);
    assert!((MOST_DEALS as u128).checked_mul(of_draw).is_some());
};

/// The depth of a battery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Only the tables, at full speed.
    Tables,
    /// Everything; the slowest counts on a fixed share of the blocks.
    Standard,
    /// Everything on every block, and products at all lags.
    Full,
}

impl Depth {
    /// All depths, the fastest first.
    pub const ALL: [Self; 3] = [Self::Tables, Self::Standard, Self::Full];

    /// Returns the name in `--battery` and in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tables => "tables",
            Self::Standard => "standard",
            Self::Full => "full",
        }
    }

    /// Returns the depth with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|depth| depth.name() == name)
    }
}

/// Which counts are made, chosen before the first deal.
#[derive(Debug)]
pub struct CountPlan<'p> {
    depth: Depth,
    structure: Structure,
    /// The cases, if deals are drawn from a listing.
    cases: Option<CountedCases<'p>>,
    /// The groups of cells, if deals are drawn from cells.
    cells: Option<CellGroups<'p>>,
    /// Cards that are interchangeable within their suits under the condition; `None` for
    /// unconstrained deals.
    alike: Option<Hand>,
    /// The condition to check; `None` for deals drawn under it.
    membership: Option<Filter>,
    kept: usize,
}

impl<'p> CountPlan<'p> {
    /// Plans the counts of draws from a population.
    pub fn of(population: &'p Population, depth: Depth) -> Self {
        let listed = population.listing();
        let plan = Self {
            structure: population.structure(),
            cases: listed.map(|listed| CountedCases::new(Runs::new(&listed.file))),
            cells: match population.base() {
                Base::Cells(cells) => Some(CellGroups::new(cells)),
                _ => None,
            },
            alike: population.exchangeable(),
            ..Self::unconstrained(depth)
        };
        debug_assert_eq!(plan.is_whole(), plan.alike.is_none());
        plan
    }

    /// Plans the counts of unconstrained deals in their true order.
    pub fn unconstrained(depth: Depth) -> Self {
        Self {
            depth,
            structure: Structure::EveryDeal,
            cases: None,
            cells: None,
            alike: None,
            membership: None,
            kept: MOST_KEPT,
        }
    }

    /// Plans the counts of draws from a case file.
    pub fn of_cases(depth: Depth, runs: Runs<'p>) -> Self {
        let (first, second) = runs.seats();
        Self {
            structure: Structure::Listing(first, second),
            alike: Some(runs.exchangeable()),
            cases: Some(CountedCases::new(runs)),
            ..Self::unconstrained(depth)
        }
    }

    /// Plans the counts of deals under a condition without exact laws, for which these cards are
    /// interchangeable within their suits, and the seats of each of these pairs.
    pub fn of_unknown(depth: Depth, exchangeable: Hand, alike: Vec<[Seat; 2]>) -> Self {
        Self {
            structure: Structure::Unknown(alike),
            alike: Some(exchangeable),
            ..Self::unconstrained(depth)
        }
    }

    /// Counts deals that do not satisfy a condition separately.
    #[must_use]
    pub fn checking(mut self, condition: Option<Filter>) -> Self {
        self.membership = condition;
        self
    }

    /// Returns the structure of the population that tests may use.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// Returns whether deals are unconstrained.
    pub fn is_whole(&self) -> bool {
        self.structure == Structure::EveryDeal
    }

    /// Sets the maximum number of deals kept to find duplicates, of about 30 bytes each. More
    /// kept deals detect rarer duplicates.
    #[must_use]
    pub fn keeping(mut self, kept: usize) -> Self {
        self.kept = kept.max(2);
        self
    }

    /// Returns the maximum number of deals kept.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// Creates counts of no deal.
    pub fn empty(&self) -> Counts {
        Counts::new(self.kept)
    }

    /// Returns the depth.
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// Returns whether a deal is counted: it satisfies the condition and has a case or a group.
    pub fn is_member(&self, deal: &Deal) -> bool {
        let is_satisfying = self.membership.as_ref();
        is_satisfying.is_none_or(|condition| condition.accepts(deal))
            && self.runs().is_none_or(|runs| runs.case_of(deal).is_some())
            && (self.cells.as_ref()).is_none_or(|cells| cells.group_of(deal).is_some())
    }

    /// Returns the runs of the case file, if deals are drawn from one.
    pub fn runs(&self) -> Option<&Runs<'p>> {
        self.cases.as_ref().map(|cases| &cases.runs)
    }

    /// Returns the number of runs or groups in which draws are counted.
    fn draw_groups(&self) -> usize {
        let of_cells = self.cells.as_ref().map_or(0, CellGroups::count);
        self.runs().map_or(of_cells, Runs::count)
    }

    /// Returns the lags at which products between deals are summed.
    pub(crate) fn product_lags(&self) -> &'static [usize] {
        match (self.depth, self.is_whole()) {
            (Depth::Tables, _) | (_, false) => &[],
            (Depth::Standard, true) => &LAGS[..1],
            (Depth::Full, true) => &LAGS,
        }
    }

    /// Returns whether the draws of a batch are compared with each other.
    pub fn is_compared(&self, batch: Batch) -> bool {
        let is_chosen = match self.depth {
            Depth::Tables => false,
            Depth::Standard => {
                batch.number < COMPARED_BATCHES || batch.number.is_multiple_of(COMPARED_SHARE)
            }
            Depth::Full => true,
        };
        is_chosen && batch.deals <= COMPARED_DRAWS
    }

    /// Returns the deals of a portion whose second-order sums are counted.
    fn close_deals(&self, portion: &Portion) -> CloseDeals {
        let (is_whole, rest) = match portion {
            Portion::Block(block) => {
                let number = block.first_deal / BLOCK_DEALS;
                (number.is_multiple_of(CLOSE_SHARE), CloseDeals::None)
            }
            Portion::Node(node) => (node.first_deal() < BLOCK_DEALS, CloseDeals::Early),
        };
        match self.depth {
            Depth::Tables => CloseDeals::None,
            Depth::Standard if !is_whole => rest,
            Depth::Standard | Depth::Full => CloseDeals::All,
        }
    }

    /// Returns the counts to make for a portion of a batch.
    fn scope(&self, batch: Batch, portion: &Portion) -> Scope {
        let (number, group, first_deal) = match (portion, &self.cases) {
            (Portion::Block(block), None) => {
                let number = block.first_deal / BLOCK_DEALS;
                (number, number / GROUP_BLOCKS, block.first_deal)
            }
            _ => (batch.number, batch.number, 0),
        };
        let share = |of: u64| match self.depth {
            Depth::Tables => false,
            Depth::Standard => number.is_multiple_of(of),
            Depth::Full => true,
        };
        Scope {
            group: (group % GROUPS as u64) as usize,
            close: self.close_deals(portion),
            squared: number < SQUARED_BLOCKS || share(NUMBER_SHARE),
            numbered: (share(NUMBER_SHARE) && self.is_whole()).then(|| match self.depth {
                Depth::Full => first_deal,
                _ => number / NUMBER_SHARE * BLOCK_DEALS + first_deal % BLOCK_DEALS,
            }),
            compared: self.is_compared(batch).then_some(batch.number),
        }
    }
}

/// A batch of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Number of the batch, from 0.
    pub number: u64,
    /// Number of deals.
    pub deals: u64,
}

/// The deals of a portion whose second-order sums are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CloseDeals {
    None,
    /// The early draws of their batch ([`EARLY_SHARE`]).
    Early,
    All,
}

/// The counts to make for a portion.
#[derive(Clone, Copy, Debug)]
struct Scope {
    group: usize,
    close: CloseDeals,
    /// Whether to square the overlaps of single pairs of deals.
    squared: bool,
    /// Number of numbered deals of the run before this portion, if its deals are numbered.
    numbered: Option<u64>,
    /// Number of the batch, if its draws are compared with each other.
    compared: Option<u64>,
}

/// The counts for the tests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Counts {
    /// By group; groups without deals are empty.
    groups: [Tally; GROUPS],
    /// Number of illegal deals. A legal deal has every card once, thirteen at each seat.
    pub illegal: u64,
    /// Number of deals that do not satisfy the condition, have no case, or do not belong to the
    /// case they were drawn for.
    pub foreign: u64,
    /// Flatness and controls.
    pub spread: Spread,
    /// Cards that two deals at a lag give to the same seats.
    pub overlaps: Overlaps,
    /// Second-order sums, on the blocks that count them.
    pub gram: Option<Gram>,
    /// Deals kept to find duplicates.
    pub duplicates: DuplicateDeals,
    /// Deals kept to find equivalent deals.
    pub equivalents: DuplicateDeals,
    /// Hands of the first deals.
    pub hands: Hands,
    /// Numbers of deals.
    pub numbers: DealNumbers,
    /// Draws, by case or by group of cells.
    pub cases: CaseTally,
    /// Number of interchangeable cards at each seat.
    pub filling: FillingSums,
}

impl Counts {
    fn new(kept: usize) -> Self {
        Self {
            groups: Default::default(),
            illegal: 0,
            foreign: 0,
            spread: Spread::default(),
            overlaps: Overlaps::default(),
            gram: None,
            duplicates: DuplicateDeals::new(false, kept),
            equivalents: DuplicateDeals::new(true, kept),
            hands: Hands::default(),
            numbers: DealNumbers::default(),
            cases: CaseTally::default(),
            filling: FillingSums::default(),
        }
    }
}

impl Counts {
    /// Returns the tables of all groups together.
    pub fn tally(&self) -> Tally {
        let mut sum = Tally::default();
        for group in &self.groups {
            sum.merge(group);
        }
        sum
    }

    /// Returns the tables by group; groups without deals are empty.
    pub fn groups(&self) -> &[Tally] {
        &self.groups
    }

    /// Returns the number of counted deals.
    pub fn deals(&self) -> u64 {
        self.groups.iter().map(Tally::deals).sum()
    }

    /// Adds the counts of whole batches, in any order of workers.
    pub fn add(&mut self, shares: Vec<Share>) {
        let mut drawn = DrawnCases::new();
        for share in shares {
            self.merge(share, &mut drawn);
        }
        self.numbers.compare_spacings();
        for draws in drawn.into_values() {
            self.cases.add_compared(draws);
        }
    }

    /// Adds the counts of other whole batches of the same run.
    pub fn append(&mut self, other: Self) {
        let (counts, drawn) = (other, DrawnCases::new());
        self.merge(Share { counts, drawn }, &mut DrawnCases::new());
        self.numbers.compare_spacings();
    }

    /// Adds the counts of one worker, except those that need a whole batch.
    fn merge(&mut self, share: Share, drawn: &mut DrawnCases) {
        let theirs = share.counts;
        for (mine, theirs) in self.groups.iter_mut().zip(&theirs.groups) {
            mine.merge(theirs);
        }
        self.illegal += theirs.illegal;
        self.foreign += theirs.foreign;
        self.spread.merge(&theirs.spread);
        self.overlaps.merge(&theirs.overlaps);
        match (&mut self.gram, theirs.gram) {
            (Some(mine), Some(theirs)) => mine.merge(&theirs),
            (mine @ None, theirs) => *mine = theirs,
            (Some(_), None) => {}
        }
        self.duplicates.merge(theirs.duplicates);
        self.equivalents.merge(theirs.equivalents);
        self.hands.merge(&theirs.hands);
        self.numbers.merge(&theirs.numbers);
        self.cases.merge(&theirs.cases);
        self.filling.merge(&theirs.filling);
        for (batch, draws) in share.drawn {
            drawn.entry(batch).or_default().merge(draws);
        }
    }

    /// Returns whether these counts have the shape of a plan's, so that others can be added.
    pub fn fits(&self, plan: &CountPlan<'_>) -> bool {
        let gram = self.gram.as_ref();
        gram.is_none_or(|gram| gram.fits(plan.product_lags()))
            && self.cases.fits(plan.draw_groups())
    }

    /// Returns empty lists of kept deals and kept equivalent deals, with the current hash classes.
    pub fn kept(&self) -> [DuplicateDeals; 2] {
        [self.duplicates.next(), self.equivalents.next()]
    }
}

impl Counts {
    /// Doubles all counts except the kept deals, as tests of the longest runs do.
    #[doc(hidden)]
    #[must_use]
    pub fn doubled(mut self) -> Self {
        let mut again = self.clone();
        (again.duplicates, again.equivalents) = (self.duplicates.next(), self.equivalents.next());
        again.hands = Hands::default();
        again.numbers.forget_waiting();
        self.append(again);
        self
    }
}

/// The counts of one worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Share {
    counts: Counts,
    drawn: DrawnCases,
}

impl Share {
    /// Adds the counts of another worker for the same batches.
    pub fn merge(&mut self, other: Self) {
        self.counts.merge(other, &mut self.drawn);
        self.counts.numbers.compare_spacings();
    }

    /// Checks the counts as [`Counts::fits`] does.
    pub fn fits(&self, plan: &CountPlan<'_>) -> bool {
        self.counts.fits(plan)
    }
}

/// Counts the portions that a worker deals.
#[derive(Debug)]
pub struct Counting<'f> {
    isa: Isa,
    plan: &'f CountPlan<'f>,
    counts: Counts,
    tallying: Tallying,
    spread: SpreadTallying,
    scope: Option<Scope>,
    overlaps: Option<OverlapTallying>,
    gram: Option<GramTallying>,
    numbers: NumberTallying,
    cases: Option<CaseTallying<'f>>,
    cells: Option<CellTallying<'f>>,
    scratch: FilterScratch,
}

impl<'f> Counting<'f> {
    /// Creates a counter for portions that follow counts with these kept deals ([`Counts::kept`]).
    pub fn new(plan: &'f CountPlan<'f>, kept: &[DuplicateDeals; 2], isa: Isa) -> Self {
        let any = plan.depth != Depth::Tables;
        let cases = plan.cases.as_ref().filter(|_| any);
        Self {
            isa,
            plan,
            counts: Counts {
                duplicates: kept[0].clone(),
                equivalents: kept[1].clone(),
                ..Counts::new(2)
            },
            tallying: Tallying::new(TableChoice::ALL, isa),
            spread: SpreadTallying::new(isa),
            scope: None,
            overlaps: (any && plan.is_whole()).then(|| OverlapTallying::new(isa)),
            gram: None,
            numbers: NumberTallying::default(),
            cases: cases.map(CaseTallying::new),
            cells: plan.cells.as_ref().filter(|_| any).map(CellTallying::new),
            scratch: FilterScratch::default(),
        }
    }

    /// Begins a portion of this batch, whose packets follow.
    pub fn begin(&mut self, batch: Batch, portion: &Portion) {
        let scope = self.plan.scope(batch, portion);
        if self.scope.is_some_and(|last| last.group != scope.group) {
            self.end_group();
        }
        if let Some(before) = scope.numbered {
            self.numbers.begin(before, portion.deals());
        }
        if scope.close != CloseDeals::None && self.gram.is_none() {
            let lags = self.plan.product_lags();
            self.gram = Some(GramTallying::new(self.isa, lags, true));
        }
        if let Some(overlaps) = &mut self.overlaps {
            overlaps.begin_block(scope.squared);
        }
        self.scope = Some(scope);
    }

    /// Counts a packet of the portion.
    ///
    /// # Panics
    ///
    /// If no portion was begun.
    pub fn count(&mut self, packet: &Packet) {
        let scope = self.scope.expect("a portion was begun");
        let isa = self.isa;
        let mut packet = Cow::Borrowed(packet);
        let illegal = kernels::illegal(isa, &packet);
        self.counts.illegal += removed(&mut packet, illegal);
        if let Some(condition) = &self.plan.membership {
            let outsiders = outsiders(condition, isa, &packet, &mut self.scratch);
            self.counts.foreign += removed(&mut packet, outsiders);
        }
        if let Some(cases) = &mut self.cases {
            let foreign = cases.without_case(isa, &mut packet);
            self.counts.foreign += removed(&mut packet, foreign);
            cases.count(&packet, scope.compared);
        }
        if let Some(cells) = &mut self.cells {
            let foreign = cells.without_cell(&mut packet);
            self.counts.foreign += removed(&mut packet, foreign);
            cells.count(&packet);
        }
        let packet = &*packet;
        if let Some(pool) = self.plan.alike.filter(|_| self.plan.depth != Depth::Tables) {
            self.counts.filling.count(isa, packet, pool);
        }
        self.tallying.count(packet);
        if self.plan.depth == Depth::Tables {
            return;
        }
        self.spread.count(packet);
        self.counts.duplicates.count(isa, packet);
        if let Some(overlaps) = &mut self.overlaps {
            overlaps.count(packet);
        }
        if let Some(gram) = &mut self.gram {
            let deals = match scope.close {
                CloseDeals::None => 0,
                CloseDeals::Early => packet.early,
                CloseDeals::All => packet.deals(),
            };
            gram.count(packet, deals);
        }
        if scope.numbered.is_some() {
            self.numbers.count(packet);
            self.counts.equivalents.count(isa, packet);
        }
        if scope.numbered.is_some_and(|before| before < HAND_DEALS) {
            self.counts.hands.count(packet);
        }
    }

    /// Ends the portion.
    pub fn end(&mut self) {
        if let Some(overlaps) = &mut self.overlaps {
            overlaps.end_block();
        }
        if let Some(gram) = &mut self.gram {
            gram.end_block();
        }
        if let Some(cases) = &mut self.cases {
            cases.end_portion(self.scope.and_then(|scope| scope.compared));
        }
        // At once: a worker that did this last would keep the others waiting.
        self.numbers.end_portion();
    }

    fn end_group(&mut self) {
        if let Some(scope) = self.scope {
            let next = Tallying::new(TableChoice::ALL, self.isa);
            let tallying = std::mem::replace(&mut self.tallying, next);
            self.counts.groups[scope.group].merge(&tallying.finish());
        }
    }

    /// Returns the counts.
    pub fn finish(mut self) -> Share {
        self.end_group();
        self.counts.spread = self.spread.finish();
        if let Some(overlaps) = self.overlaps {
            self.counts.overlaps = overlaps.finish();
        }
        self.counts.gram = self.gram.map(GramTallying::finish);
        self.counts.numbers = self.numbers.finish();
        let mut drawn = DrawnCases::new();
        if let Some(cases) = self.cases {
            (self.counts.cases, drawn) = cases.finish();
        }
        if let Some(cells) = self.cells {
            self.counts.cases = cells.finish();
        }
        let counts = self.counts;
        Share { counts, drawn }
    }
}

/// Removes deals from a packet; returns their number.
fn removed(packet: &mut Cow<'_, Packet>, places: u128) -> u64 {
    if places != 0 {
        packet.to_mut().remove(places);
    }
    places.count_ones().into()
}

/// Returns the deals of a packet that do not satisfy a condition, or for which its arithmetic
/// fails: bit i for deal i.
fn outsiders(condition: &Filter, isa: Isa, packet: &Packet, scratch: &mut FilterScratch) -> u128 {
    let accepted = condition
        .accept(isa, packet, scratch)
        .unwrap_or_else(|_| condition.accept_each(packet));
    packet.places() & !accepted
}
