//! The states of a suit: its cards are passed one by one, and equal answers are merged.

use std::collections::BTreeMap;

use super::error::CountError;
use super::formula::{Formula, PartValue, SuitHands, SumOfSuits, SumPart};
use super::seating::{SeatLengths, Seating};
use super::trail::{Trail, TrailEnd};
use super::way_groups::WayGroups;
use crate::bridge::combinatorics::choose_u64;
use crate::bridge::{Hand, Rank, Seat, Suit};
use crate::cells::{Budget, Meter};
use crate::language::{Measurable, Measure, Predeal};

/// Maximum number of states while the cards of a suit are passed.
const MOST_STATES: usize = 1 << 22;

/// Number of steps to pass a card to a holder, and to evaluate a sum for hands of a suit.
const STEPS_OF_PASSING: u64 = 30;
const STEPS_OF_ADDING: u64 = 150;

/// Size of a step of the way back, in bytes, while it is made.
const BYTES_OF_MOVE: u64 = 60;

/// Number of holdings of a suit.
const HOLDINGS: usize = 1 << Rank::COUNT;

/// The states of a suit after all of its cards are passed.
#[derive(Debug, Default)]
pub(super) struct PassedSuit {
    pub(super) states: Vec<SuitState>,
    /// Different contributions to all sums.
    pub(super) added: Vec<Vec<i64>>,
}

/// All ways to deal a suit with the same lengths and the same contributions.
#[derive(Clone, Copy, Debug)]
pub(super) struct SuitState {
    pub(super) lengths: SeatLengths,
    /// The index of what the suit adds to the sums.
    pub(super) added: u32,
    pub(super) ways: u64,
}

/// A value of a hand's cards in one suit.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Leaf {
    seat: Seat,
    value: LeafValue,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum LeafValue {
    Measure(Measure),
    CardPoints,
    Shortness,
}

/// Values of the hands' cards in one suit.
struct LeafValues<'l> {
    leaves: &'l [Leaf],
    values: Vec<i64>,
}

impl LeafValues<'_> {
    fn get(&self, is_asked: impl Fn(&Leaf) -> bool) -> i64 {
        let place = self.leaves.iter().position(is_asked);
        place.map_or(0, |place| self.values[place])
    }
}

impl Measurable for LeafValues<'_> {
    fn measure(&self, seat: Seat, measure: &Measure) -> i64 {
        let is_asked = |leaf: &Leaf| {
            leaf.seat == seat && matches!(&leaf.value, LeafValue::Measure(own) if own == measure)
        };
        self.get(is_asked)
    }
}

impl SuitHands for LeafValues<'_> {
    fn card_points(&self, seat: Seat) -> i64 {
        self.get(|leaf| leaf.seat == seat && leaf.value == LeafValue::CardPoints)
    }

    fn shortness(&self, seat: Seat) -> i64 {
        self.get(|leaf| leaf.seat == seat && leaf.value == LeafValue::Shortness)
    }
}

/// The values that a condition asks of the cards of one suit.
#[derive(Debug)]
pub(super) struct AskedSuit {
    suit: Suit,
    leaves: Vec<Leaf>,
    /// By seat, the index of the values of each holding, and the values.
    of_holding: [Vec<u32>; 4],
    values: [Vec<Vec<i64>>; 4],
    /// The ranks that are passed one by one; the others are anonymous.
    named: Vec<usize>,
    anonymous: Vec<usize>,
    /// Ranks of named cards that can be exchanged, predealt ones apart.
    alike: Vec<Vec<usize>>,
}

impl AskedSuit {
    pub(super) fn new(formula: &Formula, sums: &[SumOfSuits], suit: Suit, fixed: &Predeal) -> Self {
        let mut asked = Self {
            suit,
            leaves: Vec::new(),
            of_holding: Default::default(),
            values: Default::default(),
            named: Vec::new(),
            anonymous: Vec::new(),
            alike: Vec::new(),
        };
        for fact in &formula.required[suit.index()] {
            for (seat, measure) in fact.mentioned() {
                asked.ask(seat, LeafValue::Measure(measure.clone()));
            }
        }
        for SumPart { value, .. } in sums.iter().flat_map(|sum| &sum.parts) {
            asked.ask_for(value);
        }
        for seat in Seat::ALL {
            asked.evaluate(seat);
        }
        let is_fixed = |rank: &usize| fixed.all().holding(suit).bits() >> rank & 1 == 1;
        asked.divide_ranks(is_fixed);
        asked
    }

    fn ask_for(&mut self, value: &PartValue) {
        match value {
            PartValue::Measure(seat, measure) => {
                self.ask(*seat, LeafValue::Measure(measure.clone()));
            }
            PartValue::CardPoints(seat) => self.ask(*seat, LeafValue::CardPoints),
            PartValue::Shortness(seat) => self.ask(*seat, LeafValue::Shortness),
            PartValue::Value(suit, expression) if *suit == self.suit => {
                for (seat, measure) in expression.mentioned() {
                    self.ask(seat, LeafValue::Measure(measure.clone()));
                }
            }
            PartValue::Facts(suit, _, facts) if *suit == self.suit => {
                for (seat, measure) in facts.iter().flat_map(|fact| fact.mentioned()) {
                    self.ask(seat, LeafValue::Measure(measure.clone()));
                }
            }
            PartValue::Value(..) | PartValue::Facts(..) => {}
        }
    }

    fn ask(&mut self, seat: Seat, value: LeafValue) {
        let leaf = Leaf { seat, value };
        if !self.leaves.contains(&leaf) {
            self.leaves.push(leaf);
        }
    }

    /// Computes the values of every holding of a hand.
    fn evaluate(&mut self, seat: Seat) {
        let own: Vec<&LeafValue> = self
            .leaves
            .iter()
            .filter(|leaf| leaf.seat == seat)
            .map(|leaf| &leaf.value)
            .collect();
        if own.is_empty() {
            self.of_holding[seat.index()] = vec![0; HOLDINGS];
            self.values[seat.index()] = vec![Vec::new()];
            return;
        }
        let mut known: BTreeMap<Vec<i64>, u32> = BTreeMap::new();
        let of_holding = (0..HOLDINGS as u64).map(|holding| {
            let hand = Hand::from_bits(holding << (16 * self.suit.index()));
            let value = |leaf: &&LeafValue| match leaf {
                LeafValue::Measure(measure) => measure.of_hand(hand),
                LeafValue::CardPoints => Measure::card_points(hand.holding(self.suit)),
                LeafValue::Shortness => Measure::shortness(hand.holding(self.suit)),
            };
            let next = known.len() as u32;
            *known.entry(own.iter().map(value).collect()).or_insert(next)
        });
        self.of_holding[seat.index()] = of_holding.collect();
        let mut values = vec![Vec::new(); known.len()];
        for (value, place) in known {
            values[place as usize] = value;
        }
        self.values[seat.index()] = values;
    }

    /// Whether two ranks can be exchanged in every holding.
    fn are_interchangeable(&self, one: usize, other: usize) -> bool {
        let both = 1 << one | 1 << other;
        let mut asked = self.of_holding.iter().zip(&self.values);
        asked.all(|(of_holding, values)| {
            let mut holdings = (0..HOLDINGS).filter(|holding| holding & both == 1 << one);
            let is_same = |holding: usize| of_holding[holding] == of_holding[holding ^ both];
            values.len() == 1 || holdings.all(is_same)
        })
    }

    /// Divides the ranks into named and anonymous ones: as many anonymous ones as possible.
    fn divide_ranks(&mut self, is_fixed: impl Fn(&usize) -> bool) {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for rank in (0..Rank::COUNT).filter(|rank| !is_fixed(rank)) {
            let place = groups
                .iter()
                .position(|group| self.are_interchangeable(group[0], rank));
            match place {
                Some(place) => groups[place].push(rank),
                None => groups.push(vec![rank]),
            }
        }
        groups.sort_by_key(Vec::len);
        self.anonymous = groups.pop().unwrap_or_default();
        self.alike = groups;
        let is_named = |rank: &usize| !self.anonymous.contains(rank);
        self.named = (0..Rank::COUNT).filter(is_named).collect();
    }

    /// The cards that can be exchanged, in groups, predealt ones apart: first those that are only
    /// counted.
    pub(super) fn interchangeable(&self) -> Vec<Hand> {
        let cards = |ranks: &Vec<usize>| {
            let ranks: u64 = ranks.iter().map(|rank| 1 << rank).sum();
            Hand::from_bits(ranks << (16 * self.suit.index()))
        };
        let groups = [&self.anonymous].into_iter().chain(&self.alike);
        groups.map(cards).collect()
    }

    /// Whether the values of a hand depend on the number of its anonymous cards.
    pub(super) fn counts_anonymous(&self, seat: Seat) -> bool {
        let of_holding = &self.of_holding[seat.index()];
        let Some(first) = self.anonymous.first() else {
            return false;
        };
        (0..HOLDINGS).any(|holding| of_holding[holding] != of_holding[holding | 1 << first])
    }

    /// Passes the cards of the suit, and keeps the way back in `trail`.
    pub(super) fn pass(
        &self,
        formula: &Formula,
        sums: &[SumOfSuits],
        table: &Seating,
        budget: &Budget,
        trail: Option<&mut Option<Trail>>,
    ) -> Result<PassedSuit, CountError> {
        let mut all_moves = trail.is_some().then(Vec::new);
        let machines: Vec<Machine> = table
            .seats
            .iter()
            .map(|seat| Machine::new(self, *seat))
            .collect();
        // The states of all seats, 16 bits each, with their ways.
        let mut states: Vec<(u64, u64)> = vec![(self.first(&machines), 1)];
        for (place, &rank) in self.named.iter().enumerate() {
            let holder = Seat::ALL
                .into_iter()
                .find(|seat| table.fixed.hand(*seat).holding(self.suit).bits() >> rank & 1 == 1);
            let holders = table.holders(holder);
            let steps = STEPS_OF_PASSING * (states.len() * holders.len()) as u64;
            if budget.spend(steps).is_err() || states.len() > MOST_STATES {
                return Err(table.too_large(sums));
            }
            let mut next = Vec::with_capacity(states.len() * holders.len());
            for &(state, ways) in &states {
                for holder in &holders {
                    next.push((step(&machines, place, state, *holder), ways));
                }
            }
            states = match &mut all_moves {
                None => merged(next),
                Some(all_moves) => {
                    let reserved = budget.reserve(BYTES_OF_MOVE * next.len() as u64);
                    reserved.map_err(|_| table.too_large(sums))?;
                    let after = merged(next.clone());
                    all_moves.push(moves(&next, &holders, &after));
                    after
                }
            };
        }
        let mut finish = Finish {
            asked: self,
            formula,
            sums,
            table,
            machines: &machines,
            known: BTreeMap::new(),
            found: Vec::new(),
            ends: trail.is_some().then(Vec::new),
            meter: Meter::new(budget),
        };
        for (place, (state, ways)) in (0..).zip(states) {
            finish.deal(place, state, ways)?;
        }
        let ends = finish.ends.take();
        let passed = finish.table();
        if let (Some(trail), Some(moves), Some(ends)) = (trail, all_moves, ends) {
            let key = |state: &SuitState| state_key(state.lengths, state.added);
            let reserved = budget.reserve(BYTES_OF_MOVE * ends.len() as u64);
            reserved.map_err(|_| table.too_large(sums))?;
            let keys: Vec<u64> = passed.states.iter().map(key).collect();
            let end = |(key, ways, end): (u64, u64, TrailEnd)| {
                (keys.partition_point(|other| *other < key) as u32, ways, end)
            };
            let ends = ends.into_iter().map(end).collect();
            let cards = [&*self.named, &*self.anonymous];
            *trail = Some(Trail::new(self.suit, cards, moves, ends));
        }
        Ok(passed)
    }

    fn first(&self, machines: &[Machine]) -> u64 {
        let starts = machines.iter().enumerate();
        starts
            .map(|(place, machine)| u64::from(machine.start) << (16 * place))
            .sum()
    }
}

/// Moves all hands over a card, which this hand holds.
fn step(machines: &[Machine], card: usize, state: u64, holder: Option<usize>) -> u64 {
    let moved = machines.iter().enumerate().map(|(place, machine)| {
        let own = (state >> (16 * place)) as u16;
        let next = machine.moves[card][usize::from(own)][usize::from(holder == Some(place))];
        u64::from(next) << (16 * place)
    });
    moved.sum()
}

/// The ways to reach each of the states after a card, from those before it.
fn moves(
    next: &[(u64, u64)],
    holders: &[Option<usize>],
    after: &[(u64, u64)],
) -> WayGroups<(u32, Option<u8>)> {
    let holder = holders.iter().map(|holder| holder.map(|place| place as u8));
    let from = (0..next.len() / holders.len()).flat_map(|before| {
        let holder = holder.clone();
        holder.map(move |holder| (before as u32, holder))
    });
    let moves = next.iter().zip(from).map(|((state, ways), from)| {
        let place = after.partition_point(|(other, _)| other < state);
        (place as u32, *ways, from)
    });
    WayGroups::new(moves.collect())
}

/// The lengths and contributions of a suit's state as one number.
fn state_key(lengths: SeatLengths, added: u32) -> u64 {
    u64::from(lengths.bits()) << 32 | u64::from(added)
}

/// Adds up the ways of equal states.
pub(super) fn merged(mut states: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    states.sort_unstable();
    states.dedup_by(|next, state| {
        let is_same = next.0 == state.0;
        state.1 += if is_same { next.1 } else { 0 };
        is_same
    });
    states
}

/// What is remembered of a hand while named cards are passed: holdings that lead to equal values
/// with any further cards are one state.
struct Machine {
    start: u16,
    /// By card and state, the next state without the card and with it.
    moves: Vec<Vec<[u16; 2]>>,
    /// By last state: the number of named cards, and the index of the values by the number of
    /// anonymous cards.
    last: Vec<(u8, Vec<u32>)>,
}

impl Machine {
    fn new(asked: &AskedSuit, seat: Seat) -> Self {
        let (named, anonymous) = (&asked.named, &asked.anonymous);
        let of_holding = &asked.of_holding[seat.index()];
        let mut known: BTreeMap<(u8, Vec<u32>), u16> = BTreeMap::new();
        let last = |held: usize| {
            let bits = |place: usize| (held >> place & 1) << named[place];
            let holding: usize = (0..named.len()).map(bits).sum();
            let more = (0..=anonymous.len()).map(|count| {
                let more: usize = anonymous[..count].iter().map(|rank| 1 << rank).sum();
                of_holding[holding | more]
            });
            (held.count_ones() as u8, more.collect())
        };
        let number = |held: usize| {
            let next = known.len() as u16;
            *known.entry(last(held)).or_insert(next)
        };
        let mut states: Vec<u16> = (0..1 << named.len()).map(number).collect();
        let mut rows = vec![Default::default(); known.len()];
        for (row, state) in known {
            rows[usize::from(state)] = row;
        }
        let mut moves = Vec::new();
        for place in (0..named.len()).rev() {
            let mut known: BTreeMap<[u16; 2], u16> = BTreeMap::new();
            let before = (0..1usize << place).map(|held| {
                let next = known.len() as u16;
                let pair = [states[held], states[held | 1 << place]];
                *known.entry(pair).or_insert(next)
            });
            states = before.collect();
            let mut of_card = vec![[0; 2]; known.len()];
            for (pair, state) in known {
                of_card[usize::from(state)] = pair;
            }
            moves.push(of_card);
        }
        moves.reverse();
        Self {
            start: states[0],
            moves,
            last: rows,
        }
    }
}

/// Deals the anonymous cards, and evaluates what the suit adds.
struct Finish<'p> {
    asked: &'p AskedSuit,
    formula: &'p Formula,
    sums: &'p [SumOfSuits],
    table: &'p Seating,
    machines: &'p [Machine],
    known: BTreeMap<Vec<i64>, u32>,
    found: Vec<(u64, u64)>,
    /// For the way back: the state, the ways and the end of each that is found.
    ends: Option<Vec<(u64, u64, TrailEnd)>>,
    meter: Meter<'p>,
}

impl Finish<'_> {
    fn deal(&mut self, index: u32, state: u64, ways: u64) -> Result<(), CountError> {
        let places = 0..self.machines.len();
        let last: Vec<usize> = places
            .map(|place| usize::from((state >> (16 * place)) as u16))
            .collect();
        let left = self.asked.anonymous.len();
        self.share((index, &last), &mut Vec::new(), left, ways)
    }

    /// Gives anonymous cards to the hands from this one on.
    fn share(
        &mut self,
        last: (u32, &[usize]),
        taken: &mut Vec<usize>,
        left: usize,
        ways: u64,
    ) -> Result<(), CountError> {
        let Some(is_counted) = self.table.by_length.get(taken.len()) else {
            if left == 0 || self.table.has_pool() {
                self.add(last, taken, left, ways)?;
            }
            return Ok(());
        };
        let most = if *is_counted { left } else { 0 };
        for count in 0..=most {
            taken.push(count);
            let ways = ways * choose_u64(left, count);
            self.share(last, taken, left - count, ways)?;
            taken.pop();
        }
        Ok(())
    }

    fn add(
        &mut self,
        (index, last): (u32, &[usize]),
        taken: &[usize],
        left: usize,
        ways: u64,
    ) -> Result<(), CountError> {
        let steps = STEPS_OF_ADDING * (1 + self.sums.len() as u64);
        if self.meter.spend(steps).is_err() || self.found.len() > 4 * MOST_STATES {
            return Err(self.table.too_large(self.sums));
        }
        let mut lengths = SeatLengths::default();
        let mut values = vec![0; self.asked.leaves.len()];
        for (place, (machine, seat)) in self.machines.iter().zip(&self.table.seats).enumerate() {
            let (named, rows) = &machine.last[last[place]];
            lengths = lengths.with(place, usize::from(*named) + taken[place]);
            let own = &self.asked.values[seat.index()][rows[taken[place]] as usize];
            let leaves = self.asked.leaves.iter().enumerate();
            let leaves = leaves.filter(|(_, leaf)| leaf.seat == *seat);
            for ((leaf, _), value) in leaves.zip(own) {
                values[leaf] = *value;
            }
        }
        if self.table.counts_pool() {
            lengths = lengths.with_pool(left);
        }
        let (suit, leaves) = (self.asked.suit, &self.asked.leaves);
        let hands = LeafValues { leaves, values };
        let mut required = self.formula.required[suit.index()].iter();
        if !required.all(|fact| fact.holds(&hands) == Ok(true)) {
            return Ok(());
        }
        let added = self.sums.iter().map(|sum| sum.of_suit(suit, &hands));
        let next = self.known.len() as u32;
        let added = *self.known.entry(added.collect()).or_insert(next);
        let key = state_key(lengths, added);
        self.found.push((key, ways));
        if let Some(ends) = &mut self.ends {
            let mut end = TrailEnd {
                state: index,
                ..TrailEnd::default()
            };
            for (place, count) in end.taken.iter_mut().zip(taken) {
                *place = *count as u8;
            }
            ends.push((key, ways, end));
        }
        Ok(())
    }

    fn table(self) -> PassedSuit {
        let mut added = vec![Vec::new(); self.known.len()];
        for (values, place) in self.known {
            added[place as usize] = values;
        }
        let state = |(state, ways): (u64, u64)| SuitState {
            lengths: SeatLengths::from_bits((state >> 32) as u32),
            added: state as u32,
            ways,
        };
        PassedSuit {
            states: merged(self.found).into_iter().map(state).collect(),
            added,
        }
    }
}
