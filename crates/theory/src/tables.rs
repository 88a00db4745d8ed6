//! The exact tables of a population.

use super::lengths::LengthWays;
use super::points::{ACES, CONTROLS, HCP, PointScale, Points};
use super::summary::CaseSums;
use super::{Distribution, Ratio, cells, counted, four_hands, pass, points, seats, unconstrained};
use crate::bridge::combinatorics::choose;
use crate::bridge::pattern::SHAPE_COUNT;
use crate::bridge::{Card, PatternIndex, Seat, Side, Suit};
use crate::language::Condition;
use crate::population::cases::{CaseFile, DamagedRecord};
use crate::population::cells::{Budget, CellSums, Cells};
use crate::population::counting::{CountError, DealCounter};
use crate::population::{Base, Population};

/// An error for a case file whose records are not those of a listing, or that theory does not
/// support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TheoryError {
    /// A record that a listing cannot contain.
    #[error("case {case} is corrupted ({damage}); run `fairdeal cases verify`")]
    Record {
        /// Number of the case, from 1.
        case: u64,
        /// The damage.
        damage: DamagedRecord,
    },
    /// Weights that do not belong to a listing.
    #[error("the weights of the case file do not match its cases; run `fairdeal cases verify`")]
    Inconsistent,
    /// Too many deals around predealt cards, or of numbered deals, to count them by every table; a
    /// file itself is intact.
    #[error("exact tables of these deals take too long")]
    TooLong,
}

use TheoryError::Inconsistent;

/// Limits of cells whose sums are made instead of a pass over a listing: about a tenth of a second.
const QUICK_STEPS: u64 = 1 << 27;
const QUICK_BYTES: u64 = 64 << 20;

impl TheoryError {
    pub(super) fn at(case: u64, damage: DamagedRecord) -> Self {
        Self::Record { case, damage }
    }
}

/// Steps and bytes to count the deals around predealt cards by every table.
const STEPS_OF_PREDEALT: u64 = 20_000_000_000;
const BYTES_OF_PREDEALT: u64 = 256 << 20;

/// The exact distributions of the tables of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theory {
    pub(super) patterns: [Distribution; 4],
    pub(super) hcp: [Distribution; 4],
    pub(super) aces: [Distribution; 4],
    pub(super) controls: [Distribution; 4],
    pub(super) north_south_hcp: Distribution,
    pub(super) north_south_lengths: [Distribution; 4],
    /// For each card, the distribution of the seat that holds it.
    pub(super) cards: Vec<Distribution>,
}

impl Theory {
    /// Computes the theory of a population, without its filter.
    ///
    /// # Errors
    ///
    /// [`TheoryError`] if the listing is corrupted, or the deals around predealt cards are too many
    /// to count.
    pub fn of(population: &Population) -> Result<Self, TheoryError> {
        match population.base() {
            Base::EveryDeal => Ok(Self::unconstrained()),
            Base::Listing(listed) => Self::of_listing(&listed.file),
            Base::Cells(cells) => Self::of_cells(cells),
            Base::Numbered(deals) => Self::within_budget(deals.counter()),
        }
    }

    /// Computes the theory of a case file's deals: from the cells of its condition if they are
    /// summed at once and have the file's T, otherwise from its records. The tables are the same.
    ///
    /// # Errors
    ///
    /// As [`Theory::of_cases`].
    pub fn of_listing<D: AsRef<[u8]> + Sync>(file: &CaseFile<D>) -> Result<Self, TheoryError> {
        let header = file.header();
        let hands = match header.second {
            Some(_) => choose(52, 13) * choose(39, 13),
            None => choose(52, 13),
        };
        let of_cells = || {
            let condition = Condition::parse("condition of the case file", &header.condition);
            let budget = Budget::new(QUICK_STEPS, QUICK_BYTES);
            let (theory, chance) = Self::summed(&condition.ok()?, &budget)?;
            let chance = Ratio::from(chance).reduced();
            (chance == Ratio::from((header.total, hands)).reduced()).then_some(theory)
        };
        match of_cells() {
            Some(theory) => Ok(theory),
            None => Self::of_cases(file),
        }
    }

    /// Computes the theory of unconstrained deals.
    pub fn unconstrained() -> Self {
        unconstrained::theory()
    }

    /// Computes the theory of a case file's deals, in one pass over its records.
    ///
    /// # Errors
    ///
    /// [`TheoryError`] if the records are not those of a listing.
    pub fn of_cases<D: AsRef<[u8]> + Sync>(file: &CaseFile<D>) -> Result<Self, TheoryError> {
        let summary = pass::summarise(file)?;
        let lengths = LengthWays::new(&summary)?;
        Self::of_summary(
            &summary,
            &lengths,
            file.header().first,
            file.header().second,
        )
    }

    /// Counts the deals of cells around predealt cards, card by card.
    fn around_predealt(cells: &Cells) -> Result<Self, TheoryError> {
        let counter = DealCounter::new(cells.condition()).map_err(|_| Inconsistent)?;
        Self::within_budget(&counter)
    }

    fn within_budget(counter: &DealCounter) -> Result<Self, TheoryError> {
        let budget = Budget::new(STEPS_OF_PREDEALT, BYTES_OF_PREDEALT);
        Self::of_counted(counter, &budget).map_err(|error| match error {
            CountError::TooLarge(_) => TheoryError::TooLong,
            _ => Inconsistent,
        })
    }

    /// Computes the theory of a condition made of cells, without a listing. If the condition can be
    /// listed, the result is the same. Deals around predealt cards are counted instead.
    ///
    /// ```
    /// use fairdeal_bridge::Seat;
    /// use fairdeal_population::cells::Cells;
    /// use fairdeal_language::Condition;
    /// use fairdeal_theory::Theory;
    ///
    /// let text = "hcp(north) >= 12 && hcp(south) >= 12 && hcp(east) == 9";
    /// let cells = Cells::new(&Condition::parse("example", text)?)?;
    /// let theory = Theory::of_cells(&cells)?;
    /// assert_eq!(theory.hcp(Seat::East).mean(), (9, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TheoryError::TooLong`] if the deals around predealt cards are too many to count;
    /// [`TheoryError::Inconsistent`] if the ways of a table do not sum to their total, which is
    /// impossible for valid cells.
    pub fn of_cells(cells: &Cells) -> Result<Self, TheoryError> {
        if !cells.predeal().is_empty() {
            return Self::around_predealt(cells);
        }
        if cells.are_summed_together() {
            let together = Cells::listable(cells.condition()).map_err(|_| Inconsistent)?;
            return Self::of_sums(&together);
        }
        Self::of_sums(cells)
    }

    /// Computes the theory of the deals of any condition on cards, around its predealt cards.
    ///
    /// # Errors
    ///
    /// [`CountError`] if no deal satisfies the condition, its arithmetic fails, or it takes more than
    /// the budget.
    pub fn of_counted(counter: &DealCounter, budget: &Budget) -> Result<Self, CountError> {
        match counter.probability(budget)? {
            (0, _) => Err(CountError::NoDeal),
            (total, _) => counted::theory(counter, total, budget),
        }
    }

    /// Computes the theory of a condition whose cells can be made and summed, or whose deals can be
    /// counted, within a budget; `None` for other conditions.
    pub fn within(condition: &Condition, budget: &Budget) -> Option<Self> {
        let counted = || {
            let counter = DealCounter::new(condition).ok()?;
            Self::of_counted(&counter, budget).ok()
        };
        let is_summed = condition.predeal().is_empty();
        let summed = is_summed.then(|| Self::summed(condition, budget)).flatten();
        summed.map(|(theory, _)| theory).or_else(counted)
    }

    /// Computes the theory of a condition whose cells can be made and summed within a budget, and
    /// its probability.
    fn summed(condition: &Condition, budget: &Budget) -> Option<(Self, (u128, u128))> {
        let mut cells = Cells::within(condition, budget).ok()?;
        if cells.are_summed_together() {
            cells = Cells::listable_within(condition, budget).ok()?;
        }
        cells.pay_for_sums(budget).ok()?;
        Some((Self::of_sums(&cells).ok()?, cells.chance()))
    }

    fn of_sums(cells: &Cells) -> Result<Self, TheoryError> {
        let roles = cells.roles();
        let sums = CellSums::new(cells).map_err(|_| Inconsistent)?;
        if roles.dealt == 3 {
            four_hands::theory(&sums, cells.total())
        } else {
            cells::theory(&sums, cells.total())
        }
    }

    /// Computes the theory of one or two hands from a summary.
    pub(super) fn of_summary(
        summary: &CaseSums,
        lengths: &LengthWays,
        first: Seat,
        second: Option<Seat>,
    ) -> Result<Self, TheoryError> {
        let (total, unlisted) = (
            summary.total,
            summary.total * choose(lengths.cards_left, 13),
        );
        let checked = |ways: Vec<u128>, of| Distribution::checked(ways, of).ok_or(Inconsistent);
        // Selects the table of the first hand, the second, or any other hand by seat.
        let by_seat = |listed: &[Vec<u128>; 2], other: &[u128], outcomes: usize| {
            let table = |seat: Seat| {
                let (ways, of) = if seat == first {
                    (&listed[0][..], total)
                } else if Some(seat) == second {
                    (&listed[1][..], total)
                } else {
                    (other, unlisted)
                };
                checked(ways[..outcomes.min(ways.len())].to_vec(), of)
            };
            let [north, east, south, west] = Seat::ALL.map(table);
            Ok::<_, TheoryError>([north?, east?, south?, west?])
        };
        let points = |scale: PointScale| {
            let points = Points::new(scale, summary, lengths)?;
            by_seat(&points.listed, &points.unlisted, scale.of_hand)
        };

        // The side of the first hand, with the second hand or with an unlisted one.
        let together = second == Some(first.partner());
        let of_side = if together { total } else { unlisted };
        let seen = |ways: Vec<u128>| Ok(checked(ways, of_side)?.for_side(first.side()));
        let side_lengths = |suit: Suit| {
            seen(if together {
                lengths.of_both(suit.index())
            } else {
                lengths.with_unlisted(suit.index())
            })
        };
        let side_hcp = if together {
            points::of_both(summary, lengths)?
        } else {
            points::of_first_and_unlisted(summary, lengths)?
        };
        let [spades, hearts, diamonds, clubs] = Suit::ALL.map(side_lengths);
        let seat_of = |card: Card| {
            let [one, two, other] = seats::of_card(card, summary, lengths)?;
            let ways = Seat::ALL.map(|seat| match seat {
                _ if seat == first => one,
                _ if Some(seat) == second => two,
                _ => other,
            });
            checked(ways.to_vec(), total * seats::OF)
        };
        Ok(Self {
            patterns: by_seat(&lengths.patterns, &lengths.unlisted_patterns(), 560)?,
            hcp: points(HCP)?,
            aces: points(ACES)?,
            controls: points(CONTROLS)?,
            north_south_hcp: seen(side_hcp)?,
            north_south_lengths: [spades?, hearts?, diamonds?, clubs?],
            cards: Card::all()
                .map(seat_of)
                .collect::<Result<_, TheoryError>>()?,
        })
    }

    /// Returns the patterns of a seat, by [`PatternIndex`].
    pub fn patterns(&self, seat: Seat) -> &Distribution {
        &self.patterns[seat.index()]
    }

    /// Returns the shapes of a seat, by shape index.
    pub fn shapes(&self, seat: Seat) -> Distribution {
        let shape = |index: PatternIndex| index.shape_index().get();
        self.grouped_patterns(seat, SHAPE_COUNT, shape)
    }

    /// Returns the lengths of a suit at a seat, 0..=13.
    pub fn suit_lengths(&self, seat: Seat, suit: Suit) -> Distribution {
        let length = |index: PatternIndex| usize::from(index.pattern().length(suit));
        self.grouped_patterns(seat, 14, length)
    }

    fn grouped_patterns(
        &self,
        seat: Seat,
        groups: usize,
        group: impl Fn(PatternIndex) -> usize,
    ) -> Distribution {
        let patterns = self.patterns(seat);
        let mut sums = vec![0; groups];
        for (index, ways) in PatternIndex::all().zip(patterns.ways()) {
            sums[group(index)] += ways;
        }
        Distribution::new(sums, patterns.of())
    }

    /// Returns the lengths of a suit for a side, 0..=13.
    pub fn fits(&self, side: Side, suit: Suit) -> Distribution {
        self.north_south_lengths[suit.index()].for_side(side)
    }

    /// Returns the points of a seat, 0..=37.
    pub fn hcp(&self, seat: Seat) -> &Distribution {
        &self.hcp[seat.index()]
    }

    /// Returns the aces of a seat, 0..=4.
    pub fn aces(&self, seat: Seat) -> &Distribution {
        &self.aces[seat.index()]
    }

    /// Returns the controls of a seat (A=2, K=1), 0..=12.
    pub fn controls(&self, seat: Seat) -> &Distribution {
        &self.controls[seat.index()]
    }

    /// Returns the points of a side, 0..=40.
    pub fn side_hcp(&self, side: Side) -> Distribution {
        self.north_south_hcp.for_side(side)
    }

    /// Returns the seat that holds a card, north to west.
    pub fn card(&self, card: Card) -> &Distribution {
        &self.cards[card.index()]
    }
}

impl From<TheoryError> for crate::error::Error {
    fn from(error: TheoryError) -> Self {
        Self::input(error)
    }
}
