//! Par: the score of a deal if all four players see all cards, and bid and play without a mistake.

use std::fmt;

use super::score::{Contract, score};
use crate::bridge::{Seat, Side, Strain, TrickTable, Vulnerable};

/// Number of bids: seven levels of five strains.
const BIDS: usize = 35;

/// The result of a deal at par.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Par {
    /// The score of north-south.
    pub score: i64,
    /// The lowest contract with this score above which the other side has no better one; `None` if
    /// all pass.
    pub contract: Option<ParContract>,
}

/// A contract at par.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParContract {
    /// 1..=7.
    pub level: u8,
    /// The strain.
    pub strain: Strain,
    /// Whether the contract is doubled, because it fails.
    pub is_doubled: bool,
    /// The declarers of one side who take the most tricks: one or both.
    pub declarers: Vec<Seat>,
}

impl fmt::Display for ParContract {
    /// Writes `4H by NS` or `5D* by W`, as DealerV2_4 does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strain = self.strain.name().chars().next().expect("a letter");
        let double = if self.is_doubled { "*" } else { "" };
        write!(f, "{}{strain}{double} by ", self.level)?;
        let mut seats = self.declarers.iter();
        seats.try_for_each(|seat| write!(f, "{}", seat.letter()))
    }
}

/// Returns the score of north-south at par.
///
/// A side that has made the last bid plays it, doubled if it fails, unless the other side bids
/// higher and gains by it. Each side chooses its better declarer. If both sides gain by opening,
/// the dealer's side opens first.
pub fn par(tricks: TrickTable, dealer: Seat, vulnerable: Vulnerable) -> i64 {
    Bidding::new(tricks, vulnerable).score(dealer)
}

impl Par {
    /// Finds the score of [`par`] and a contract.
    pub fn new(tricks: TrickTable, dealer: Seat, vulnerable: Vulnerable) -> Self {
        let bidding = Bidding::new(tricks, vulnerable);
        let score = bidding.score(dealer);
        let contracts = (0..BIDS).flat_map(|bid| Side::ALL.map(|side| (bid, side)));
        let is_par = |&(bid, side): &(usize, Side)| {
            let played = bidding.played[bid][side.index()];
            let higher = &bidding.played[bid + 1..];
            let is_outbid = higher.iter().any(|of| of[1 - side.index()] > -played);
            of_north_south(side, played) == score && !is_outbid
        };
        let found = contracts.into_iter().find(is_par).filter(|_| score != 0);
        let contract = found.map(|(bid, side)| {
            let strain = strain_of(bid);
            let of_side = || Seat::ALL.into_iter().filter(|seat| seat.side() == side);
            let most = of_side().map(|seat| tricks.tricks(seat, strain)).max();
            let is_best = |seat: &Seat| Some(tricks.tricks(*seat, strain)) == most;
            ParContract {
                level: level_of(bid),
                strain,
                is_doubled: bidding.played[bid][side.index()] < 0,
                declarers: of_side().filter(is_best).collect(),
            }
        });
        Self { score, contract }
    }
}

/// The scores of all bids.
struct Bidding {
    /// The score of each side if it plays each bid.
    played: [[i64; 2]; BIDS],
    /// By bid and side: the most that the side can get with this bid or a higher one.
    best: [[Option<i64>; 2]; BIDS + 1],
}

impl Bidding {
    fn new(tricks: TrickTable, vulnerable: Vulnerable) -> Self {
        let of_bid = |bid| Side::ALL.map(|side| played(tricks, bid, side, vulnerable.is_of(side)));
        let all: [[i64; 2]; BIDS] = std::array::from_fn(of_bid);
        let mut best = [[None; 2]; BIDS + 1];
        for bid in (0..BIDS).rev() {
            for side in Side::ALL.map(Side::index) {
                let answer: Option<i64> = best[bid + 1][1 - side];
                let with_bid = answer.map_or(all[bid][side], |it| all[bid][side].min(-it));
                best[bid][side] = best[bid + 1][side].max(Some(with_bid));
            }
        }
        Self { played: all, best }
    }

    fn score(&self, dealer: Seat) -> i64 {
        let best = self.best[0].map(|best| best.expect("there are bids"));
        let side = dealer.side();
        let (opens, passes) = (best[side.index()], (-best[1 - side.index()]).min(0));
        of_north_south(side, opens.max(passes))
    }
}

/// The score of north-south, given that of a side.
fn of_north_south(side: Side, score: i64) -> i64 {
    match side {
        Side::NorthSouth => score,
        Side::EastWest => -score,
    }
}

/// The score of a side that plays this bid, doubled if it fails.
fn played(tricks: TrickTable, bid: usize, side: Side, vulnerable: bool) -> i64 {
    let (level, strain) = (level_of(bid), strain_of(bid));
    let declarers = Seat::ALL.into_iter().filter(|seat| seat.side() == side);
    let tricks = declarers.map(|declarer| tricks.tricks(declarer, strain));
    let tricks = tricks.max().expect("a side has two seats");
    match (level + 6).checked_sub(tricks).filter(|down| *down > 0) {
        Some(down) => -penalty(i64::from(down), vulnerable),
        None => score(vulnerable, Contract::new(level, strain), tricks.into()),
    }
}

/// The level of a bid, 1..=7.
fn level_of(bid: usize) -> u8 {
    1 + (bid / Strain::COUNT) as u8
}

/// The strain of a bid; bids of a level rise from clubs to no-trumps.
fn strain_of(bid: usize) -> Strain {
    Strain::ALL[Strain::COUNT - 1 - bid % Strain::COUNT]
}

/// Points for this number of tricks below a doubled contract (law 77).
fn penalty(down: i64, vulnerable: bool) -> i64 {
    match (vulnerable, down) {
        (true, _) => 300 * down - 100,
        (false, 1) => 100,
        (false, 2) => 300,
        (false, _) => 300 * down - 400,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::bridge::Suit;

    /// An auction: the last bid with its side and whether it is doubled, the passes since the last
    /// call, and the seat to call.
    type Auction = (Option<(usize, Side, bool)>, usize, Seat);

    /// The score of north-south after an auction, by every call of every player in turn.
    fn slow_par(
        tricks: TrickTable,
        vulnerable: Vulnerable,
        auction: Auction,
        known: &mut BTreeMap<(usize, usize, bool, usize, usize), i64>,
    ) -> i64 {
        let (last, passes, seat) = auction;
        let key = last.map_or((BIDS, 0, false), |(bid, side, doubled)| {
            (bid, side.index(), doubled)
        });
        let key = (key.0, key.1, key.2, passes, seat.index());
        if let Some(known) = known.get(&key) {
            return *known;
        }
        let sign = |side| if side == Side::NorthSouth { 1 } else { -1 };
        let ended = match last {
            None if passes == 4 => Some(0),
            Some((bid, side, doubled)) if passes == 3 => {
                let score = played(tricks, bid, side, vulnerable.is_of(side));
                let score = match (score > 0, doubled) {
                    // A doubled contract that makes scores more; here it is enough that it does.
                    (true, true) => score + 50,
                    // Not doubled: half of it, or more, stays with the declaring side.
                    (false, false) => score / 2,
                    _ => score,
                };
                Some(sign(side) * score)
            }
            _ => None,
        };
        let score = ended.unwrap_or_else(|| {
            let next = seat.turned(1);
            let mut calls = vec![(last, passes + 1, next)];
            let above = last.map_or(0, |(bid, ..)| bid + 1);
            calls.extend((above..BIDS).map(|bid| (Some((bid, seat.side(), false)), 0, next)));
            if let Some((bid, side, false)) = last
                && side != seat.side()
            {
                calls.push((Some((bid, side, true)), 0, next));
            }
            let scores = calls
                .into_iter()
                .map(|auction| sign(seat.side()) * slow_par(tricks, vulnerable, auction, known));
            sign(seat.side()) * scores.max().expect("a pass is possible")
        });
        known.insert(key, score);
        score
    }

    /// A table of small or large numbers of tricks, by a seed.
    fn table(seed: &mut u64) -> TrickTable {
        let mut draw = |below: u64| {
            *seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 33) % below
        };
        let most = [4, 8, 14][draw(3) as usize];
        let mut tricks = [[0; Strain::COUNT]; 4];
        for row in &mut tricks {
            for place in row.iter_mut() {
                *place = (4 + draw(most)).min(13) as u8;
            }
        }
        TrickTable::new(|seat, strain| tricks[seat.index()][strain.index()]).unwrap()
    }

    const ALL_VULNERABLE: [Vulnerable; 4] = [
        Vulnerable::None,
        Vulnerable::NorthSouth,
        Vulnerable::EastWest,
        Vulnerable::All,
    ];

    /// The contract at par has the score, and neither side gains by any number of further bids.
    fn check_contract(tricks: TrickTable, dealer: Seat, vulnerable: Vulnerable, score: i64) {
        let Some(contract) = Par::new(tricks, dealer, vulnerable).contract else {
            return assert_eq!(score, 0, "{tricks:?}");
        };
        let side = contract.declarers[0].side();
        let bids = || (0..BIDS).map(|bid| (level_of(bid), strain_of(bid)));
        let bid = bids().position(|bid| bid == (contract.level, contract.strain));
        let bid = bid.expect("a bid");
        let of_contract = played(tricks, bid, side, vulnerable.is_of(side));
        assert_eq!(of_north_south(side, of_contract), score, "{tricks:?}");
        assert_eq!(contract.is_doubled, of_contract < 0);
        // Neither by one bid, nor by any auction after this bid: the other side is to call.
        let other = Side::ALL[1 - side.index()];
        for higher in bid + 1..BIDS {
            let outbid = played(tricks, higher, other, vulnerable.is_of(other));
            assert!(outbid <= -of_contract, "{tricks:?}");
        }
        let sign = of_north_south(side, 1);
        let other = contract.declarers[0].turned(1);
        let last = Some((bid, side, contract.is_doubled));
        let goes_on = slow_par(tricks, vulnerable, (last, 0, other), &mut BTreeMap::new());
        assert!(
            sign * goes_on >= of_contract.min(sign * score),
            "{tricks:?}"
        );
    }

    #[test]
    fn contracts_are_written_as_dealerv2_writes_them() {
        let written = |vulnerable| {
            let contract = Par::new(game(), Seat::North, vulnerable).contract;
            contract.expect("a contract").to_string()
        };
        assert_eq!(written(Vulnerable::EastWest), "4S by NS");
        assert_eq!(written(Vulnerable::None), "5H* by EW");
    }

    #[test]
    fn par_is_that_of_auctions_call_by_call() {
        let mut seed = 1;
        for _ in 0..30 {
            let tricks = table(&mut seed);
            for vulnerable in ALL_VULNERABLE {
                let mut known = BTreeMap::new();
                for dealer in Seat::ALL {
                    let slow = slow_par(tricks, vulnerable, (None, 0, dealer), &mut known);
                    assert_eq!(par(tricks, dealer, vulnerable), slow, "{tricks:?}");
                    check_contract(tricks, dealer, vulnerable, slow);
                }
            }
        }
    }

    /// North-south take ten tricks in spades and nine in no-trumps, east-west take nine in hearts.
    fn game() -> TrickTable {
        let table = TrickTable::new(|seat, strain| match (seat.side(), strain) {
            (Side::NorthSouth, Strain::Trumps(Suit::Spades)) => 10,
            (Side::NorthSouth, Strain::NoTrumps) => 9,
            (Side::EastWest, Strain::Trumps(Suit::Hearts)) => 9,
            (Side::NorthSouth, _) => 5,
            (Side::EastWest, _) => 4,
        });
        table.unwrap()
    }

    #[test]
    fn a_sacrifice_is_taken_where_it_is_cheaper() {
        let par = |vulnerable| par(game(), Seat::North, vulnerable);
        // Five hearts doubled is two down: 300 or 500 instead of 420 or 620.
        assert_eq!(par(Vulnerable::None), 300);
        assert_eq!(par(Vulnerable::NorthSouth), 300);
        assert_eq!(par(Vulnerable::EastWest), 420);
        assert_eq!(par(Vulnerable::All), 500);
    }

    #[test]
    fn the_dealer_opens_a_contract_that_both_sides_make() {
        let both = TrickTable::new(|_, strain| match strain {
            Strain::NoTrumps => 7,
            Strain::Trumps(_) => 6,
        });
        let both = both.unwrap();
        assert_eq!(par(both, Seat::North, Vulnerable::None), 90);
        assert_eq!(par(both, Seat::West, Vulnerable::None), -90);
        let none = TrickTable::new(|_, _| 6).unwrap();
        assert_eq!(par(none, Seat::South, Vulnerable::All), 0);
    }

    #[test]
    fn penalties_are_those_of_the_laws() {
        let points = |vulnerable| [1, 2, 3, 4, 13].map(|down| penalty(down, vulnerable));
        assert_eq!(points(false), [100, 300, 500, 800, 3500]);
        assert_eq!(points(true), [200, 500, 800, 1100, 3800]);
    }
}
