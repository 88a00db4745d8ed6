//! The deals of a condition by number.

use std::ops::Range;

use rayon::prelude::*;

use super::counter::{CountBy, DealCounter, PassedSuits};
use super::error::CountError;
use super::halves::{HalfKey, SuitPairs};
use super::seating::{HAND, Seating};
use super::trail::{Trail, subset_of};
use super::way_groups::WayGroups;
use crate::bridge::combinatorics::choose;
use crate::bridge::{Deal, Hand, Seat};
use crate::cells::Budget;
use crate::fixed_hash::FixedHashMap;
use crate::language::Condition;

/// Maximum number of pairs of suit states in a half, and of links.
const MOST_PAIRS: u64 = 1 << 24;
const MOST_LINKS: usize = 1 << 22;

/// Number of steps and of bytes to list a pair of suit states, and to find a link or a follower.
const STEPS_OF_PAIR: u64 = 30;
const BYTES_OF_PAIR: u64 = 40;
const STEPS_OF_LINK: u64 = 200;
const STEPS_OF_FOLLOWER: u64 = 10;

/// The deals of a condition, each with a number: the passes that count them are walked back.
///
/// A number selects a left half and its follower, in each half two states of suits, and in each
/// suit the holder of one card after the other, in proportion to the exact numbers of ways.
///
/// ```
/// use fairdeal_language::Condition;
/// use fairdeal_population::cells::Budget;
/// use fairdeal_population::counting::NumberedDeals;
///
/// let condition = Condition::parse("example", "hcp(north) + tens(north) == 0")?;
/// let deals = NumberedDeals::new(&condition, &Budget::unlimited())?;
/// let last = deals.deal(deals.total() - 1).expect("numbers are below the total");
/// assert!(condition.expression().holds(&last)?);
/// assert_eq!(deals.deal(deals.total()), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct NumberedDeals {
    counter: DealCounter,
    /// The number of deals, and of all deals with the predealt cards.
    probability: (u128, u128),
    seating: Seating,
    suits: [Trail; 4],
    halves: [NumberedHalf; 2],
    /// By key of a left half, the right halves that complete it.
    links: Vec<Vec<RightHalves>>,
    /// By left state: its key, and the deals with it and those before it.
    lefts: Vec<(u32, u128)>,
}

/// The states of a half.
#[derive(Debug)]
struct NumberedHalf {
    keys: Vec<(HalfKey, Range<usize>)>,
    states: Vec<NumberedState>,
    /// By state, the states of both suits.
    pairs: WayGroups<[u32; 2]>,
}

/// The class of a state of a half, and its ways.
#[derive(Clone, Copy, Debug)]
struct NumberedState {
    class: u32,
    ways: u64,
}

/// A key of right halves that completes one of left halves.
#[derive(Clone, Copy, Debug)]
struct RightHalves {
    right: u32,
    judge: u32,
    /// The number of ways to deal the pool and the seats that are not told apart.
    ways: u128,
}

impl NumberedHalf {
    /// Lists the pairs of a half with accepted numbers; `None` if they exceed the budget.
    fn new(joined: &SuitPairs, classes: &FixedHashMap<u64, u32>, budget: &Budget) -> Option<Self> {
        let (suits, products) = (&joined.suits, joined.products);
        budget.spend(STEPS_OF_PAIR * products).ok()?;
        budget.reserve(BYTES_OF_PAIR * products).ok()?;
        if products > MOST_PAIRS {
            return None;
        }
        let starts = suits.each_ref().map(|suit| {
            let next = |start: &mut u32, states: usize| {
                let own = *start;
                *start += states as u32;
                Some(own)
            };
            let states = suit.iter().map(|(_, states)| states.len());
            states.scan(0, next).collect::<Vec<u32>>()
        });
        let (mut keys, mut states) = (Vec::new(), Vec::new());
        let mut pairs = WayGroups::with_capacity(products as usize);
        let mut found: Vec<(u32, u64, [u32; 2])> = Vec::new();
        for (key, of_key) in &joined.pairs {
            found.clear();
            for &[one, other] in of_key {
                for (first, (number, ways)) in (starts[0][one]..).zip(&suits[0][one].1) {
                    for (second, (more, times)) in (starts[1][other]..).zip(&suits[1][other].1) {
                        if let Some(class) = classes.get(&(number + more)) {
                            found.push((*class, ways * times, [first, second]));
                        }
                    }
                }
            }
            found.sort_by_key(|(class, ..)| *class);
            let from = states.len();
            for of_class in found.chunk_by(|one, other| one.0 == other.0) {
                let items = of_class.iter().map(|(_, ways, pair)| (*ways, *pair));
                let ways = pairs.push(states.len() as u32, items);
                let class = of_class[0].0;
                states.push(NumberedState { class, ways });
            }
            keys.push((*key, from..states.len()));
        }
        pairs.shrink();
        Some(Self {
            keys,
            states,
            pairs,
        })
    }
}

impl NumberedDeals {
    /// Numbers the deals of a condition.
    ///
    /// # Errors
    ///
    /// As [`DealCounter::new`] and [`DealCounter::probability`], and [`CountError::NoDeal`].
    pub fn new(condition: &Condition, budget: &Budget) -> Result<Self, CountError> {
        let counter = DealCounter::new(condition)?;
        let mut trails = Default::default();
        let passed = counter.passed(&CountBy::Deals, budget, Some(&mut trails))?;
        let (Some(passed), [Some(spades), Some(hearts), Some(diamonds), Some(clubs)]) =
            (passed, trails)
        else {
            return Err(CountError::NoDeal);
        };
        let deals = counter.count_passed(&CountBy::Deals, &passed, budget)?;
        let probability = counter.share(&deals);
        let Some(judged) = counter.judged().filter(|_| probability.0 > 0) else {
            return Err(CountError::NoDeal);
        };
        let too_large = || passed.seating.too_large(&passed.sums);
        let half =
            |side: usize| NumberedHalf::new(&passed.pairs(side), &judged.classes[side], budget);
        let halves = [
            half(0).ok_or_else(too_large)?,
            half(1).ok_or_else(too_large)?,
        ];
        let links = links(&counter, &passed, &halves, budget).ok_or_else(too_large)?;
        let mut deals = Self {
            probability,
            suits: [spades, hearts, diamonds, clubs],
            halves,
            links,
            lefts: Vec::new(),
            seating: passed.seating,
            counter,
        };
        deals.add_lefts();
        debug_assert_eq!(
            deals.lefts.last().map(|(_, upto)| *upto),
            Some(probability.0)
        );
        Ok(deals)
    }

    /// Adds up the deals of left states.
    fn add_lefts(&mut self) {
        let keys = self.halves[0].keys.par_iter().enumerate();
        let of_key = |(key, (_, states)): (usize, &(HalfKey, Range<usize>))| {
            let with = |left| {
                self.followers(key as u32, left)
                    .map(|(_, ways)| ways)
                    .sum::<u128>()
            };
            let of_state = |left: usize| {
                let own = u128::from(self.halves[0].states[left].ways);
                (key as u32, own * with(left))
            };
            states.clone().map(of_state).collect::<Vec<_>>()
        };
        let of_keys: Vec<Vec<(u32, u128)>> = keys.map(of_key).collect();
        let mut upto = 0;
        let add = |(key, deals)| {
            upto += deals;
            (key, upto)
        };
        self.lefts = of_keys.into_iter().flatten().map(add).collect();
    }

    /// The right states that follow a left state of a key, each with the ways to deal it and the
    /// rest.
    fn followers(&self, key: u32, left: usize) -> impl Iterator<Item = (usize, u128)> + '_ {
        let [lefts, rights] = &self.halves;
        let class = lefts.states[left].class as usize;
        // Deals were counted, so there are verdicts.
        let verdicts = self.counter.judged().map(|judged| &judged.verdicts);
        self.links[key as usize].iter().flat_map(move |link| {
            let wanted = verdicts.map(|verdicts| &verdicts[link.judge as usize][class]);
            let states = rights.keys[link.right as usize].1.clone();
            let follower = move |right: usize| {
                let NumberedState { class, ways } = rights.states[right];
                let is_wanted = wanted.is_some_and(|wanted| wanted[class as usize]);
                is_wanted.then(|| (right, link.ways * u128::from(ways)))
            };
            states.filter_map(follower)
        })
    }

    /// The condition.
    pub fn condition(&self) -> &Condition {
        self.counter.condition()
    }

    /// The counts of the same deals.
    pub fn counter(&self) -> &DealCounter {
        &self.counter
    }

    /// The number of deals.
    pub fn total(&self) -> u128 {
        self.probability.0
    }

    /// The number of deals, and of all deals with the predealt cards.
    pub fn probability(&self) -> (u128, u128) {
        self.probability
    }

    /// [`NumberedDeals::probability`] as a floating-point number.
    pub fn share(&self) -> f64 {
        self.probability.0 as f64 / self.probability.1 as f64
    }

    /// Returns the deal with a number; `None` from the number of deals on.
    pub fn deal(&self, number: u128) -> Option<Deal> {
        let left = self.lefts.partition_point(|(_, upto)| *upto <= number);
        let before = left.checked_sub(1).map_or(0, |last| self.lefts[last].1);
        let (key, _) = *self.lefts.get(left)?;
        let [lefts, rights] = &self.halves;
        let (mut rest, of_left) = divided(number - before, lefts.states[left].ways);
        let (right, _) = self.followers(key, left).find(|(_, ways)| {
            let is_here = rest < *ways;
            rest -= if is_here { 0 } else { *ways };
            is_here
        })?;
        let (mut rest, of_right) = divided(rest, rights.states[right].ways);
        let mut by_place = [Hand::EMPTY; 4];
        let mut pool = Hand::EMPTY;
        let halves = [(left, of_left), (right, of_right)]
            .into_iter()
            .zip(&self.halves);
        for (((state, number), half), suits) in halves.zip(self.suits.chunks(2)) {
            let (pair, number) = half.pairs.select(state as u32, number)?;
            let ways = suits[0].ways(pair[0]);
            for ((suit, state), number) in
                suits.iter().zip(pair).zip([number % ways, number / ways])
            {
                pool = pool.union(suit.deal(state, number, &mut by_place)?);
            }
        }
        // The other cards: first those of the pool, and then the rest.
        let fixed = &self.seating.fixed;
        let mut hands = Seat::ALL.map(|seat| fixed.hand(seat));
        let mut complete = |hand: &mut Hand, cards: &mut Hand| {
            let missing = HAND.saturating_sub(hand.len()) as usize;
            let ways = choose(cards.len() as usize, missing);
            let chosen = subset_of(*cards, missing, (rest % ways) as u64);
            rest /= ways;
            *hand = hand.union(chosen);
            *cards = cards.without(chosen);
        };
        let mut all = fixed.all();
        let told = self.seating.seats.iter().zip(&self.seating.by_length);
        for ((seat, is_counted), mut hand) in told.zip(by_place) {
            if !is_counted {
                complete(&mut hand, &mut pool);
            }
            hands[seat.index()] = hand;
            all = all.union(hand);
        }
        let mut left = Hand::DECK.without(all);
        let is_told = |seat: &Seat| self.seating.seats.contains(seat);
        for seat in Seat::ALL.into_iter().filter(|seat| !is_told(seat)) {
            complete(&mut hands[seat.index()], &mut left);
        }
        Some(Deal::by_construction(hands))
    }
}

/// The quotient of a number and the remainder.
fn divided(number: u128, ways: u64) -> (u128, u64) {
    let ways = u128::from(ways);
    (number / ways, (number % ways) as u64)
}

/// Finds the right halves that complete left halves, by key; `None` if they exceed the budget.
fn links(
    counter: &DealCounter,
    passed: &PassedSuits,
    [lefts, rights]: &[NumberedHalf; 2],
    budget: &Budget,
) -> Option<Vec<Vec<RightHalves>>> {
    let judged = counter.judged()?;
    let joining = counter.joining(passed, budget);
    let others = counter.ways_of_others(&passed.seating);
    let by_length = joining.by_length(rights.keys.iter().map(|(key, _)| *key));
    let (mut links, mut all) = (Vec::new(), 0);
    for (left, states) in &lefts.keys {
        let mut followers = 0;
        let compatible = joining.compatible(*left, &by_length);
        let of_left = compatible.filter_map(|right| {
            let (key, of_right) = &rights.keys[right];
            let ways = left.0.ways_with(key.0, &passed.seating);
            let judge_of = joining.judge_of(left.1, key.1, judged);
            let (judge, _) = judge_of.filter(|_| ways > 0)?;
            followers += of_right.len() as u64;
            Some(RightHalves {
                right: right as u32,
                judge: judge as u32,
                ways: ways * others,
            })
        });
        let of_left: Vec<RightHalves> = of_left.collect();
        all += of_left.len();
        let steps = STEPS_OF_LINK * of_left.len() as u64
            + STEPS_OF_FOLLOWER * states.len() as u64 * followers;
        if all > MOST_LINKS || budget.spend(steps).is_err() {
            return None;
        }
        links.push(of_left);
    }
    Some(links)
}
