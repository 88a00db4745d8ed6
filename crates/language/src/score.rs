//! Scores and IMPs of duplicate bridge: dealer's functions `score` and `imps`.
//!
//! dealer has no doubled contracts, DealerV2_4 writes them `x4Sx` and `x4Sxx`. `score` was compared
//! with dealer's for every undoubled contract, vulnerability and number of tricks, and `imps` for
//! every difference of at most 10,000 points.

use std::fmt;

use crate::bridge::{Strain, Suit};

/// A contract.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contract {
    /// 1..=7.
    level: u8,
    strain: Strain,
    doubling: Doubling,
}

/// Whether a contract is doubled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Doubling {
    Undoubled,
    Doubled,
    Redoubled,
}

impl Doubling {
    #[cfg(test)]
    const ALL: [Self; 3] = [Self::Undoubled, Self::Doubled, Self::Redoubled];

    /// `x` for a doubled and `xx` for a redoubled contract.
    const fn suffix(self) -> &'static str {
        match self {
            Self::Undoubled => "",
            Self::Doubled => "x",
            Self::Redoubled => "xx",
        }
    }

    fn from_suffix(suffix: &str) -> Option<Self> {
        match suffix {
            "" => Some(Self::Undoubled),
            "x" => Some(Self::Doubled),
            "xx" => Some(Self::Redoubled),
            _ => None,
        }
    }

    /// The factor of the trick points.
    const fn factor(self) -> i64 {
        match self {
            Self::Undoubled => 1,
            Self::Doubled => 2,
            Self::Redoubled => 4,
        }
    }
}

/// Points for each trick from the seventh; the first trick in no-trumps counts ten more.
const fn trick_points(strain: Strain) -> i64 {
    match strain {
        Strain::Trumps(Suit::Clubs | Suit::Diamonds) => 20,
        Strain::Trumps(Suit::Hearts | Suit::Spades) | Strain::NoTrumps => 30,
    }
}

/// The strain of one of `C` `D` `H` `S` `N`.
fn strain_of_letter(letter: char) -> Option<Strain> {
    let is_named = |strain: &Strain| strain.name().starts_with(letter);
    Strain::ALL.into_iter().find(is_named)
}

impl Contract {
    /// An undoubled contract of this level, 1..=7.
    pub(crate) const fn new(level: u8, strain: Strain) -> Self {
        Self {
            level,
            strain,
            doubling: Doubling::Undoubled,
        }
    }

    /// Parses a contract in dealer's syntax, `x3N`, or in that of DealerV2_4, `z4Sx`.
    ///
    /// It is a lower-case `x` or `z`, a level 1-7, one of `C` `D` `H` `S` `N`, and `x` or `xx` for a
    /// doubled or redoubled contract, in one word. dealer rejects `X3N`, `x3n`, `x3NT`, `3N`, `x 3N`
    /// and `x8C`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix(['x', 'z'])?;
        let mut letters = text.chars();
        let level = letters.next()?.to_digit(10)? as u8;
        let strain = strain_of_letter(letters.next()?)?;
        let doubling = Doubling::from_suffix(letters.as_str())?;
        (1..=7).contains(&level).then_some(Self {
            level,
            strain,
            doubling,
        })
    }

    /// Parses a contract as players write it: `4S`, `3NT`, `5dx`, `2Hxx`.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_uppercase().replace("NT", "N");
        let bid = name.trim_end_matches('X');
        let suffix = name[bid.len()..].to_ascii_lowercase();
        Self::parse(&format!("x{bid}{suffix}"))
    }

    /// The undoubled contracts from one club to seven no-trumps.
    pub fn all() -> impl Iterator<Item = Self> {
        let strains = || Strain::ALL.into_iter().rev();
        (1..=7).flat_map(move |level| strains().map(move |strain| Self::new(level, strain)))
    }

    /// The strain.
    pub fn strain(self) -> Strain {
        self.strain
    }

    /// The tricks that make it, 7..=13.
    pub fn tricks(self) -> i64 {
        i64::from(self.level) + 6
    }

    /// The lowest game in the strain, undoubled.
    pub(super) fn game(self) -> Self {
        let levels = (1..=5).map(|level| Self::new(level, self.strain));
        let mut games = levels.filter(|contract| contract.points_bid() >= 100);
        games.next().expect("five of a minor is a game")
    }

    /// The small slam in the strain, undoubled.
    pub(super) fn small_slam(self) -> Self {
        Self::new(6, self.strain)
    }

    /// The name that players write: `4Sx`, `3NT`.
    pub fn name(self) -> String {
        format!("{}{}{}", self.level, self.strain, self.doubling.suffix())
    }

    /// Whether dealer has no such contract.
    pub(super) fn is_doubled(self) -> bool {
        self.doubling != Doubling::Undoubled
    }

    /// Trick points of the contract when just made, without bonuses: 100 is a game.
    fn points_bid(self) -> i64 {
        let first = if self.strain == Strain::NoTrumps {
            10
        } else {
            0
        };
        self.doubling.factor() * (first + i64::from(self.level) * trick_points(self.strain))
    }
}

impl fmt::Display for Contract {
    /// Writes `x3N` or `x4Sxx`, as [`Contract::parse`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = self.doubling.suffix();
        write!(f, "x{}{:.1}{suffix}", self.level, self.strain)
    }
}

/// Declarer's score for a contract and a number of tricks; negative if the contract is down.
///
/// This is dealer's `score(vul, x3N, tricks)`, with `nv` for not vulnerable. For 0..=13 tricks it
/// follows the Laws of Duplicate Bridge (law 77). Other numbers of tricks continue in the same
/// steps, as in dealer, and saturate at 64 bits; dealer's 32 bits overflow.
#[doc(hidden)]
pub fn score(vulnerable: bool, contract: Contract, tricks: i64) -> i64 {
    let either = |yes, no| if vulnerable { yes } else { no };
    let over = tricks.saturating_sub(i64::from(contract.level) + 6);
    // 1 for a doubled and 2 for a redoubled contract.
    let doubled = contract.doubling.factor() / 2;
    if over < 0 && doubled == 0 {
        return over.saturating_mul(either(100, 50));
    }
    if over < 0 {
        // 200 for the first trick and 300 for others if vulnerable. If not, 100 for the first, 200
        // for the second and third, and 300 for others.
        let over = i128::from(over);
        let points = match vulnerable || over < -3 {
            true => 300 * over + i128::from(either(100, 400)),
            false => 200 * over + 100,
        };
        let points = (points * i128::from(doubled)).max(i64::MIN.into());
        return points as i64;
    }
    let bid = contract.points_bid();
    let game = if bid < 100 { 50 } else { either(500, 300) };
    let slam = match contract.level {
        6 => either(750, 500),
        7 => either(1_500, 1_000),
        _ => 0,
    };
    let overtrick = match doubled {
        0 => trick_points(contract.strain),
        doubled => either(200, 100) * doubled,
    };
    let insult = 50 * doubled;
    over.saturating_mul(overtrick)
        .saturating_add(bid + game + slam + insult)
}

/// The largest differences that are worth 0, 1 .. 23 IMPs (law 78B).
const LIMITS: [u64; 24] = [
    10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590, 740, 890, 1_090, 1_290, 1_490, 1_740,
    1_990, 2_240, 2_490, 2_990, 3_490, 3_990,
];

/// International match points for a difference between two scores: -24..=24, with its sign.
///
/// The Laws define multiples of ten only. As in dealer, a difference between two of them counts
/// as the larger one: 11 counts as 20.
///
/// It differs from dealer at 411..=420 and 1,191..=1,290. These are 9 and 15 IMPs by the Laws,
/// but 10 and 16 in dealer, whose table has 410 and 1,190 by mistake.
#[doc(hidden)]
pub fn imps(difference: i64) -> i64 {
    let points = difference.unsigned_abs();
    let imps = LIMITS.partition_point(|&limit| limit < points) as i64;
    difference.signum() * imps
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written by `scripts/dealer.sh evaluation`, as is `IMPS`.
    const SCORES: &str = include_str!("../../../fixtures/dealer/score.csv");
    const IMPS: &str = include_str!("../../../fixtures/dealer/imps.csv");

    fn contract(text: &str) -> Contract {
        Contract::parse(text).unwrap()
    }

    fn contracts() -> impl Iterator<Item = Contract> {
        let of = |level, strain| {
            Doubling::ALL.map(|doubling| Contract {
                level,
                strain,
                doubling,
            })
        };
        (1..=7).flat_map(move |level| Strain::ALL.map(move |strain| of(level, strain)).concat())
    }

    /// Law 77: doubled and redoubled contracts, made, with overtricks and down.
    #[test]
    fn doubled_contracts_score_by_the_laws() {
        for (text, vulnerable, tricks, points) in [
            ("x1Cx", false, 7, 140),
            ("x1Cxx", false, 7, 230),
            ("x2Hx", true, 8, 670),
            ("x2Hx", false, 8, 470),
            ("x2Dx", true, 8, 180),
            ("z3Nx", false, 10, 650),
            ("x3Nxx", true, 10, 1_400),
            ("x4Sx", true, 12, 1_190),
            ("x4Sxx", false, 10, 880),
            ("x6Cx", true, 12, 1_540),
            ("x7Nxx", true, 13, 2_980),
            ("x4Sx", false, 9, -100),
            ("x4Sx", false, 8, -300),
            ("x4Sx", false, 7, -500),
            ("x4Sx", false, 6, -800),
            ("x4Sx", true, 9, -200),
            ("x4Sx", true, 7, -800),
            ("x7Nx", false, 0, -3_500),
            ("x7Nx", true, 0, -3_800),
            ("x4Sxx", false, 7, -1_000),
            ("x4Sxx", true, 8, -1_000),
        ] {
            assert_eq!(
                score(vulnerable, contract(text), tricks),
                points,
                "{text} {tricks}"
            );
        }
    }

    /// The compiled filter relies on it.
    #[test]
    fn more_tricks_never_score_less() {
        for contract in contracts() {
            for vulnerable in [false, true] {
                let scores: Vec<i64> = (-5..20)
                    .map(|tricks| score(vulnerable, contract, tricks))
                    .collect();
                assert!(scores.is_sorted(), "{contract}: {scores:?}");
            }
        }
    }

    #[test]
    fn contracts_score_what_dealer_scores() {
        let mut reader = csv::Reader::from_reader(SCORES.as_bytes());
        let mut scores = 0;
        for row in reader.records() {
            let row = row.unwrap();
            let vulnerable = match &row[0] {
                "vul" => true,
                "nv" => false,
                other => panic!("{other}"),
            };
            for (tricks, points) in (0..).zip(row.iter().skip(2)) {
                let ours = score(vulnerable, contract(&row[1]), tricks);
                assert_eq!(ours.to_string(), points, "{tricks} tricks of {row:?}");
                scores += 1;
            }
        }
        assert_eq!(scores, 2 * 35 * 14);
    }

    #[test]
    fn any_number_of_tricks_scores() {
        assert_eq!(score(true, contract("x3N"), 15), 780);
        assert_eq!(score(true, contract("x3N"), -1), -1_000);
        for contract in contracts() {
            for vulnerable in [false, true] {
                assert_eq!(score(vulnerable, contract, i64::MIN), i64::MIN);
                assert_eq!(score(vulnerable, contract, i64::MAX), i64::MAX);
            }
        }
    }

    #[test]
    fn a_contract_is_written_as_it_is_read() {
        assert_eq!(contracts().count(), 3 * 35);
        for contract in contracts() {
            assert_eq!(Contract::parse(&contract.to_string()), Some(contract));
        }
        assert_eq!(contract("x3N").to_string(), "x3N");
        assert_eq!(contract("x7C").to_string(), "x7C");
    }

    #[test]
    fn players_write_contracts_in_several_ways() {
        for (name, text) in [
            ("4S", "x4S"),
            ("3nt", "x3N"),
            ("5DX", "x5Dx"),
            ("2hXx", "x2Hxx"),
        ] {
            assert_eq!(Contract::from_name(name), Contract::parse(text), "{name}");
        }
        for name in [
            "", "4", "S4", "8C", "4Sxxx", "4SxS", "x4S", "4\u{17f}", "3NTN", "pass",
        ] {
            assert_eq!(Contract::from_name(name), None, "{name}");
        }
        assert_eq!(Contract::all().count(), 35);
        let names: Vec<String> = Contract::all().take(6).map(Contract::name).collect();
        assert_eq!(names, ["1C", "1D", "1H", "1S", "1NT", "2C"]);
    }

    #[test]
    fn other_words_are_no_contracts() {
        for text in [
            "",
            "x",
            "x3",
            "3N",
            "X3N",
            "x3n",
            "x3NT",
            "x3NX",
            "x0N",
            "x8C",
            "x 3N",
            "x3 N",
            "x03N",
            "x10C",
            "x3T",
            "x3\u{274}",
            "x\u{663}N",
            " x3N",
            "x3N ",
        ] {
            assert_eq!(Contract::parse(text), None, "{text}");
        }
    }

    /// The two wrong limits in dealer's table of IMPs, each with the limit of the Laws.
    const SLIPS: [(u64, u64); 2] = [(410, 420), (1_190, 1_290)];

    #[test]
    fn dealers_imps_are_ours_but_for_two_slips() {
        let mut reader = csv::Reader::from_reader(IMPS.as_bytes());
        let mut limits: Vec<u64> = Vec::new();
        for (row, worth) in reader.records().zip(1..) {
            let row = row.unwrap();
            assert_eq!(row[1].parse(), Ok(worth), "{row:?}");
            limits.push(row[0].parse::<u64>().unwrap() - 1);
        }
        for (wrong, right) in SLIPS {
            let place = limits.iter().position(|&limit| limit == wrong).unwrap();
            limits[place] = right;
        }
        assert_eq!(limits, LIMITS);
    }

    #[test]
    fn imps_follow_the_table_of_the_laws() {
        // Law 78B: the smallest differences that are worth 1, 2 .. 24 IMPs.
        let laws = [
            20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1_100, 1_300, 1_500,
            1_750, 2_000, 2_250, 2_500, 3_000, 3_500, 4_000,
        ];
        for difference in (-10_000_i64..=10_000).step_by(10) {
            let worth = laws.iter().filter(|&&from| difference.abs() >= from);
            let worth = worth.count() as i64 * difference.signum();
            assert_eq!(imps(difference), worth, "{difference}");
        }
        assert_eq!([imps(10), imps(11), imps(-11)], [0, 1, -1]);
        assert_eq!([imps(i64::MAX), imps(i64::MIN)], [24, -24]);
    }
}
