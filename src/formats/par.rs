//! Par: the score of a deal if all four players see all cards, and bid and play without a mistake.

use crate::bridge::{Seat, Side, Strain, TrickTable, Vulnerable};
use crate::language::{Contract, score};

/// Number of bids: seven levels of five strains.
const BIDS: usize = 35;

/// Returns the score of north-south at par.
///
/// A side that has made the last bid plays it, doubled if it fails, unless the other side bids
/// higher and gains by it. Each side chooses its better declarer. If both sides gain by opening,
/// the dealer's side opens first.
#[must_use]
pub fn par(tricks: TrickTable, dealer: Seat, vulnerable: Vulnerable) -> i64 {
    // By side: the most that it can get, of its own score, with a bid above the current one.
    let mut best: [Option<i64>; 2] = [None; 2];
    for bid in (0..BIDS).rev() {
        let with_bid = Side::ALL.map(|side| {
            let played = played(tricks, bid, side, vulnerable.is_of(side));
            let answer = best[1 - side.index()];
            answer.map_or(played, |answer| played.min(-answer))
        });
        for side in Side::ALL {
            let known = &mut best[side.index()];
            let with_bid = with_bid[side.index()];
            *known = Some(known.map_or(with_bid, |known| known.max(with_bid)));
        }
    }
    let best = best.map(|best| best.expect("there are bids"));
    let side = dealer.side();
    let (opens, passes) = (best[side.index()], (-best[1 - side.index()]).min(0));
    let score = opens.max(passes);
    match side {
        Side::NorthSouth => score,
        Side::EastWest => -score,
    }
}

/// The score of a side that plays this bid, doubled if it fails.
fn played(tricks: TrickTable, bid: usize, side: Side, vulnerable: bool) -> i64 {
    let (level, strain) = (1 + (bid / Strain::COUNT) as u8, strain_of(bid));
    let declarers = Seat::ALL.into_iter().filter(|seat| seat.side() == side);
    let tricks = declarers.map(|declarer| tricks.tricks(declarer, strain));
    let tricks = tricks.max().expect("a side has two seats");
    match (level + 6).checked_sub(tricks).filter(|down| *down > 0) {
        Some(down) => -penalty(i64::from(down), vulnerable),
        None => score(vulnerable, Contract::new(level, strain), tricks.into()),
    }
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
