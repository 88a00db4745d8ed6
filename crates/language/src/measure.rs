//! Measures of one hand: of a case, which fixes some properties of a hand, or of thirteen cards.

use std::fmt;
use std::sync::Arc;

use super::draws::{DealContext, Draws};
use super::kaplan_rubens;
use super::par::{Par, par};
use crate::bridge::pattern::PATTERN_COUNT;
use crate::bridge::{
    Card, Deal, Hand, Holding, Honours, Pattern, PatternIndex, Rank, Seat, Side, Strain, Suit,
    TrickTable, Vulnerable,
};

/// The properties of one hand that a case fixes: its pattern, its honours, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HandCase {
    /// The pattern, if it is fixed.
    pub pattern: Option<PatternIndex>,
    /// The honours, if they are fixed.
    pub honours: Option<Honours>,
}

/// A measure of one hand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// Number of cards in a suit: `spades(west)`.
    Length(Suit),
    /// Whether the pattern is one of a set: `shape(west, any 4333)`.
    Pattern(Arc<PatternSet>),
    /// Points for cards, in the whole hand or one suit: `hcp`, `control`, `aces`, `c13` ..
    Points {
        /// The point count.
        count: PointCount,
        /// Values of the ranks, from the ace down.
        values: Arc<RankValues>,
        /// One suit, or all four.
        suit: Option<Suit>,
    },
    /// Whether the hand holds this card: `hascard(west, AS)`.
    Holds(Card),
    /// Losing tricks by dealer's rule, in the whole hand or one suit: `loser(west)`.
    Losers(Option<Suit>),
    /// A hundred times the losing tricks with halves, of DealerV2_4: `ltc(west)`.
    HalfLosers(Option<Suit>),
    /// A hundred times the evaluation of Kaplan and Rubens: `cccc(west)`.
    Evaluation,
    /// A hundred times the quality of a suit by Kaplan and Rubens: `quality(west, spades)`.
    Quality(Suit),
    /// Double-dummy tricks of the seat as declarer, `tricks(west, spades)`, from the deal's table.
    Tricks(Strain),
    /// The score of the seat's side at par, from the deal's table: `par(NS, ew)`. The side is the
    /// first to bid.
    Par(Vulnerable),
    /// A random draw of the deal, `rnd(100)`, independent of the hand.
    Random {
        /// Number of values, from 0; at least 1.
        sides: u32,
        /// Number of the draw: 1 for the first `rnd` of a script.
        number: u32,
    },
}

/// Values of the ranks in a count, from the ace down to the deuce.
pub type RankValues = [i32; Rank::COUNT];

/// The point counts of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PointCount {
    /// `hcp`, which `pointcount` sets.
    Hcp,
    /// `control`: 2 for an ace, 1 for a king.
    Controls,
    /// `pt0` to `pt9`, which `altcount` sets.
    Alternative(u8),
}

/// Names of `pt0` to `pt9` with their usual values.
pub(super) const COMMON_NAMES: [&str; 10] = [
    "tens", "jacks", "queens", "kings", "aces", "top2", "top3", "top4", "top5", "c13",
];

impl PointCount {
    /// The usual values of the ranks, without `pointcount` and `altcount`; 0 for numbers above 9.
    pub fn usual(self) -> RankValues {
        let upper: &[i32] = match self {
            Self::Hcp => &[4, 3, 2, 1],
            Self::Controls => &[2, 1],
            Self::Alternative(0) => &[0, 0, 0, 0, 1],
            Self::Alternative(1) => &[0, 0, 0, 1],
            Self::Alternative(2) => &[0, 0, 1],
            Self::Alternative(3) => &[0, 1],
            Self::Alternative(4) => &[1],
            Self::Alternative(5) => &[1, 1],
            Self::Alternative(6) => &[1, 1, 1],
            Self::Alternative(7) => &[1, 1, 1, 1],
            Self::Alternative(8) => &[1, 1, 1, 1, 1],
            Self::Alternative(9) => &[6, 4, 2, 1],
            Self::Alternative(_) => &[],
        };
        let mut values = [0; Rank::COUNT];
        values[..upper.len()].copy_from_slice(upper);
        values
    }

    /// The name of the count with its usual values, if it has one.
    pub(super) fn common_name(self) -> Option<&'static str> {
        let Self::Alternative(number) = self else {
            return None;
        };
        COMMON_NAMES.get(usize::from(number)).copied()
    }
}

impl fmt::Display for PointCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hcp => f.write_str("hcp"),
            Self::Controls => f.write_str("control"),
            Self::Alternative(number) => write!(f, "pt{number}"),
        }
    }
}

/// A set of patterns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PatternSet([bool; PATTERN_COUNT]);

impl PatternSet {
    pub(super) fn empty() -> Box<Self> {
        Box::new(Self([false; PATTERN_COUNT]))
    }

    pub(super) fn set(&mut self, index: PatternIndex, member: bool) {
        self.0[index.get()] = member;
    }

    /// Whether the set contains the pattern.
    #[inline]
    pub fn contains(&self, index: PatternIndex) -> bool {
        self.0[index.get()]
    }
}

/// Hands that can be measured: four cases, or the hands of a deal.
pub trait Measurable {
    /// The measure of one hand.
    ///
    /// # Panics
    ///
    /// If a case does not fix the properties that the measure needs.
    fn measure(&self, seat: Seat, measure: &Measure) -> i64;
}

/// The reason why double-dummy tricks have no value: only a script that is parsed for deals with
/// tables may use them.
const NO_TABLE: &str = "double-dummy tricks are known for deals with a table only";

impl Measurable for Deal {
    /// The measure of a hand; draws are derived from the cards (`Draws::of_cards`).
    ///
    /// # Panics
    ///
    /// If the measure is double-dummy tricks, which need a table.
    #[inline]
    fn measure(&self, seat: Seat, measure: &Measure) -> i64 {
        match measure {
            Measure::Random { sides, number } => {
                Draws::of_cards(self).value(*sides, *number).into()
            }
            _ => measure.of_hand(self.hand(seat)),
        }
    }
}

impl Measurable for DealContext {
    #[inline]
    fn measure(&self, seat: Seat, measure: &Measure) -> i64 {
        match measure {
            Measure::Random { sides, number } => self.draws.value(*sides, *number).into(),
            Measure::Tricks(strain) => self.table().tricks(seat, *strain).into(),
            Measure::Par(vulnerable) => match seat.side() {
                Side::NorthSouth => par(self.table(), seat, *vulnerable),
                Side::EastWest => -par(self.table(), seat, *vulnerable),
            },
            _ => measure.of_hand(self.deal.hand(seat)),
        }
    }
}

impl DealContext {
    /// The deal's table of double-dummy tricks.
    ///
    /// # Panics
    ///
    /// If it has none.
    #[inline]
    pub(crate) fn table(&self) -> TrickTable {
        match self.tricks {
            Some(table) => table,
            None => panic!("{NO_TABLE}"),
        }
    }
}

impl DealContext {
    /// The contract at par, if north-south bid first: `4H by NS`, or `pass`.
    ///
    /// # Panics
    ///
    /// If the deal has no table.
    pub fn par_contract(&self, vulnerable: Vulnerable) -> String {
        let found = Par::new(self.table(), Seat::North, vulnerable).contract;
        found.map_or_else(|| "pass".to_owned(), |contract| contract.to_string())
    }
}

impl Measurable for [HandCase; 4] {
    #[inline]
    fn measure(&self, seat: Seat, measure: &Measure) -> i64 {
        measure.of_case(self[seat.index()])
    }
}

impl Measure {
    /// Writes the measure of a seat's hand.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, seat: Seat) -> fmt::Result {
        let function =
            |f: &mut fmt::Formatter<'_>, name: &dyn fmt::Display, suit: &Option<Suit>| match suit {
                Some(suit) => write!(f, "{name}({seat}, {suit})"),
                None => write!(f, "{name}({seat})"),
            };
        match self {
            Self::Length(suit) => function(f, suit, &None),
            Self::Pattern(set) => write!(f, "shape({seat}, {set})"),
            Self::Points {
                count,
                values,
                suit,
            } => match count.common_name().filter(|_| **values == count.usual()) {
                Some(name) => function(f, &name, suit),
                None => function(f, count, suit),
            },
            Self::Holds(card) => write!(f, "hascard({seat}, {})", RankFirst(*card)),
            Self::Losers(suit) => function(f, &"losers", suit),
            Self::HalfLosers(suit) => function(f, &"ltc", suit),
            Self::Evaluation => function(f, &"cccc", &None),
            Self::Quality(suit) => function(f, &"quality", &Some(*suit)),
            Self::Tricks(Strain::Trumps(suit)) => function(f, &"tricks", &Some(*suit)),
            Self::Tricks(Strain::NoTrumps) => write!(f, "tricks({seat}, notrumps)"),
            Self::Par(vulnerable) => {
                let side = seat.side().letters();
                write!(f, "par({side}, {})", vulnerable.word())
            }
            Self::Random { sides, number } => write!(f, "rnd({sides}, {number})"),
        }
    }

    /// The least and the greatest value of any hand.
    pub fn bounds(&self) -> [i64; 2] {
        match self {
            Self::Length(_) => [0, 13],
            Self::Pattern(_) | Self::Holds(_) => [0, 1],
            Self::Points { values, suit, .. } => [
                -most_points(&values.map(|value| -value), *suit),
                most_points(values, *suit),
            ],
            Self::Losers(None) => [0, 12],
            Self::Losers(Some(_)) => [0, 3],
            Self::HalfLosers(None) => [0, 1_200],
            Self::HalfLosers(Some(_)) => [0, 300],
            // Hundredths, of evaluations well below a hundred.
            Self::Evaluation | Self::Quality(_) => [-10_000, 10_000],
            Self::Tricks(_) => [0, 13],
            // Thirteen tricks below a doubled contract.
            Self::Par(_) => [-3_800, 3_800],
            Self::Random { sides, .. } => [0, i64::from(*sides) - 1],
        }
    }

    /// Whether the value depends on the suit lengths.
    pub fn needs_pattern(&self) -> bool {
        match self {
            Self::Length(_)
            | Self::Pattern(_)
            | Self::Losers(_)
            | Self::HalfLosers(_)
            | Self::Evaluation
            | Self::Quality(_)
            | Self::Tricks(_)
            | Self::Par(_) => true,
            Self::Points { .. } | Self::Holds(_) | Self::Random { .. } => false,
        }
    }

    /// Whether the value depends on the honours.
    pub fn needs_honours(&self) -> bool {
        match self {
            Self::Points { .. }
            | Self::Holds(_)
            | Self::Losers(_)
            | Self::HalfLosers(_)
            | Self::Evaluation
            | Self::Quality(_)
            | Self::Tricks(_)
            | Self::Par(_) => true,
            Self::Length(_) | Self::Pattern(_) | Self::Random { .. } => false,
        }
    }

    /// Whether a case determines the value: it depends on suit lengths and honours only.
    pub fn is_listable(&self) -> bool {
        match self {
            Self::Length(_) | Self::Pattern(_) | Self::Losers(_) => true,
            Self::Points { values, .. } => values[4..].iter().all(|&value| value == 0),
            Self::Holds(card) => card.rank().is_honour(),
            Self::HalfLosers(_)
            | Self::Evaluation
            | Self::Quality(_)
            | Self::Tricks(_)
            | Self::Par(_)
            | Self::Random { .. } => false,
        }
    }

    /// Whether the value depends on the deal's table of double-dummy tricks.
    pub fn needs_table(&self) -> bool {
        matches!(self, Self::Tricks(_) | Self::Par(_))
    }

    /// Whether the value is drawn at random, and not a function of the hand.
    pub fn is_random(&self) -> bool {
        matches!(self, Self::Random { .. })
    }

    /// The cards that the value distinguishes from others of their suit.
    pub(crate) fn distinguished_cards(&self) -> Hand {
        let is_told = |card: &Card| match self {
            Self::Length(_) | Self::Pattern(_) | Self::Random { .. } => false,
            Self::Losers(_) => card.rank().index() < 3,
            // Down to the ten, because of KJT and AJT.
            Self::HalfLosers(_) => card.rank().index() < 5,
            Self::Points { values, .. } => values[card.rank().index()] != 0,
            Self::Holds(held) => card == held,
            Self::Evaluation | Self::Quality(_) | Self::Tricks(_) | Self::Par(_) => true,
        };
        Hand::DECK
            .cards()
            .filter(is_told)
            .map(Hand::of)
            .fold(Hand::EMPTY, Hand::union)
    }

    /// The part of a pattern that the value depends on: patterns with equal results have equal
    /// values.
    #[inline]
    pub fn seen_of_pattern(&self, pattern: PatternIndex) -> u32 {
        let lengths = pattern.pattern();
        // A suit of three or more cards has at most three losers.
        let at_most_three = |suit: Suit| u32::from(lengths.length(suit).min(3));
        match self {
            Self::Length(suit) => lengths.length(*suit).into(),
            Self::Pattern(set) => set.contains(pattern).into(),
            Self::Losers(Some(suit)) => at_most_three(*suit),
            Self::Losers(None) => Suit::ALL
                .into_iter()
                .fold(0, |seen, suit| seen << 2 | at_most_three(suit)),
            Self::Points { .. } | Self::Holds(_) | Self::Random { .. } => 0,
            Self::HalfLosers(_)
            | Self::Evaluation
            | Self::Quality(_)
            | Self::Tricks(_)
            | Self::Par(_) => pattern.get() as u32,
        }
    }

    /// The part of an honour map that the value depends on.
    #[inline]
    pub fn seen_of_honours(&self, honours: Honours) -> i64 {
        match self {
            Self::Points { .. } | Self::Holds(_) => self.of_case(HandCase {
                pattern: None,
                honours: Some(honours),
            }),
            // Aces, kings and queens.
            Self::Losers(Some(suit)) => i64::from(honours.suit(*suit) & 0xE),
            Self::Losers(None) => i64::from(honours.bits() & 0xEEEE),
            Self::Length(_) | Self::Pattern(_) | Self::Random { .. } => 0,
            Self::HalfLosers(_)
            | Self::Evaluation
            | Self::Quality(_)
            | Self::Tricks(_)
            | Self::Par(_) => honours.bits().into(),
        }
    }

    /// The contribution of one suit to a listable measure of honours (points, held cards, losers).
    /// The value of the measure is the sum over the suits.
    #[inline]
    pub fn in_suit(&self, suit: Suit, length: u8, honours: u16) -> i64 {
        let counts = |wanted: &Option<Suit>| wanted.is_none_or(|wanted| wanted == suit);
        let held = || honours_of(Honours::of_suit(suit, honours));
        match self {
            Self::Points {
                values,
                suit: wanted,
                ..
            } => match counts(wanted) {
                true => points(values, None, held()),
                false => 0,
            },
            Self::Holds(card) => i64::from(held().contains(*card)),
            Self::Losers(wanted) => match counts(wanted) {
                true => losers_in_suit(length.into(), held().holding(suit).bits()),
                false => 0,
            },
            // Not sums of honours over the suits.
            Self::Length(_)
            | Self::Pattern(_)
            | Self::HalfLosers(_)
            | Self::Evaluation
            | Self::Quality(_)
            | Self::Tricks(_)
            | Self::Par(_)
            | Self::Random { .. } => 0,
        }
    }

    /// The value for a case.
    ///
    /// # Panics
    ///
    /// If the case does not fix the properties that the measure needs.
    #[inline]
    pub fn of_case(&self, hand: HandCase) -> i64 {
        let pattern = || {
            hand.pattern
                .expect("a hand whose lengths are mentioned is listed by pattern")
        };
        let honours = || {
            hand.honours
                .expect("a hand whose honours are mentioned is listed by honours")
        };
        match self {
            Self::Length(suit) => i64::from(pattern().pattern().length(*suit)),
            Self::Pattern(set) => i64::from(set.contains(pattern())),
            Self::Points { values, suit, .. } => points(values, *suit, honours_of(honours())),
            Self::Holds(card) => i64::from(honours_of(honours()).contains(*card)),
            Self::Losers(suit) => {
                let (pattern, held) = (pattern().pattern(), honours_of(honours()));
                losers(*suit, |suit| {
                    (u32::from(pattern.length(suit)), held.holding(suit).bits())
                })
            }
            Self::HalfLosers(_)
            | Self::Evaluation
            | Self::Quality(_)
            | Self::Tricks(_)
            | Self::Par(_)
            | Self::Random { .. } => {
                panic!("a case fixes neither every card nor the random draws")
            }
        }
    }

    /// The points that a suit has in [`Measure::Evaluation`], in hundredths.
    pub fn card_points(holding: Holding) -> i64 {
        kaplan_rubens::points(holding)
    }

    /// The shortness of a suit in [`Measure::Evaluation`], in hundredths.
    pub fn shortness(holding: Holding) -> i64 {
        kaplan_rubens::shortness(holding)
    }

    /// [`Measure::Evaluation`] of the sums of points and of shortness over the suits.
    pub fn evaluation(points: i64, shortness: i64) -> i64 {
        kaplan_rubens::evaluation(points, shortness)
    }

    /// The value for thirteen cards; a random draw is derived from the cards.
    #[inline]
    pub fn of_hand(&self, hand: Hand) -> i64 {
        let length = |suit| hand.holding(suit).bits().count_ones();
        match self {
            Self::Length(suit) => i64::from(length(*suit)),
            Self::Pattern(set) => {
                let index = hand.pattern().map(Pattern::index);
                i64::from(index.is_some_and(|index| set.contains(index)))
            }
            Self::Points { values, suit, .. } => points(values, *suit, hand),
            Self::Holds(card) => i64::from(hand.contains(*card)),
            Self::Losers(suit) => losers(*suit, |suit| (length(suit), hand.holding(suit).bits())),
            Self::HalfLosers(Some(suit)) => half_losers(hand.holding(*suit)),
            Self::HalfLosers(None) => {
                let suits = Suit::ALL.into_iter();
                suits.map(|suit| half_losers(hand.holding(suit))).sum()
            }
            Self::Evaluation => kaplan_rubens::cccc(hand),
            Self::Quality(suit) => kaplan_rubens::quality(hand, *suit),
            Self::Tricks(_) | Self::Par(_) => panic!("{NO_TABLE}"),
            Self::Random { sides, number } => {
                Draws::new([hand.bits(), 0]).value(*sides, *number).into()
            }
        }
    }
}

fn honours_of(honours: Honours) -> Hand {
    Hand::from_honours(honours)
}

/// The points of a suit or a whole hand.
fn points(values: &RankValues, suit: Option<Suit>, hand: Hand) -> i64 {
    let counted = match suit {
        Some(suit) => hand.intersection(Hand::whole_suit(suit)),
        None => hand,
    };
    const RANK: u64 = 0x0001_0001_0001_0001;
    let of_rank = |(rank, &value): (usize, &i32)| {
        i64::from(value) * i64::from((counted.bits() & RANK << rank).count_ones())
    };
    values.iter().enumerate().map(of_rank).sum()
}

/// Number of losers in a suit or in all four, by length and holding.
fn losers(suit: Option<Suit>, held: impl Fn(Suit) -> (u32, u16)) -> i64 {
    let of_suit = |suit| {
        let (length, holding) = held(suit);
        losers_in_suit(length, holding)
    };
    suit.map_or_else(|| Suit::ALL.into_iter().map(of_suit).sum(), of_suit)
}

/// Number of losers in a suit.
///
/// Three cards or more: 3, minus 1 for each of A, K, Q. A doubleton: 2, minus 1 for each of A, K.
/// A singleton: 1, unless it is the ace.
fn losers_in_suit(length: u32, holding: u16) -> i64 {
    let counted = match length {
        0 => 0,
        1 => 0b001,
        2 => 0b011,
        _ => 0b111,
    };
    i64::from(length.min(3)) - i64::from((holding & counted).count_ones())
}

/// A hundred times the losing tricks in a suit by the rule of DealerV2_4, which looks at the three
/// highest cards.
///
/// An ace, king or queen without the cards above it is worth more or less than in [`losers`]:
/// AQ and a singleton king have half a loser, as have AKJ and AQJ; AJT and KJT have one and a half,
/// and a queen without ace, king and jack, in three cards or more, two and a half.
fn half_losers(holding: Holding) -> i64 {
    let bits = holding.bits();
    let length = bits.count_ones();
    // The honours A K Q J T, as bits 0 to 4; the three highest cards decide.
    let has = |ranks: u16| bits & ranks == ranks;
    const ACE: u16 = 1;
    const KING: u16 = 2;
    const QUEEN: u16 = 4;
    const JACK: u16 = 8;
    const TEN: u16 = 16;
    let whole = 100 * losers_in_suit(length, bits);
    let lacks = |ranks: u16| bits & ranks == 0;
    match length {
        1 if has(KING) => 50,
        2 if has(ACE | QUEEN) => 50,
        0..=2 => whole,
        _ if has(ACE | KING | JACK) && lacks(QUEEN) => 50,
        _ if has(ACE | QUEEN | JACK) && lacks(KING) => 50,
        _ if has(ACE | JACK | TEN) && lacks(KING | QUEEN) => 150,
        _ if has(KING | JACK | TEN) && lacks(ACE | QUEEN) => 150,
        _ if has(QUEEN) && lacks(ACE | KING | JACK) => 250,
        _ => whole,
    }
}

/// A card as dealer writes it: `AS`.
struct RankFirst(Card);

impl fmt::Display for RankFirst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0.rank().letter(), self.0.suit().letter())
    }
}

/// Maximum number of points in a hand, or in one suit of a hand.
fn most_points(values: &RankValues, suit: Option<Suit>) -> i64 {
    let values = values.map(i64::from);
    match suit {
        // All cards with positive values: a hand has room for a whole suit.
        Some(_) => values.into_iter().filter(|value| *value > 0).sum(),
        None => {
            let mut cards: Vec<i64> = values.iter().flat_map(|value| [*value; 4]).collect();
            cards.sort_unstable_by(|a, b| b.cmp(a));
            cards[..13].iter().sum()
        }
    }
}
