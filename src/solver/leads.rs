//! The tricks of each lead, and results for many deals on all cores.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use contract_bridge::Suit as SolverSuit;
use contract_bridge::hand::{Card as SolverCard, Rank as SolverRank};
use pons_dds::{Board, CurrentTrick, Objective, Target};

use super::one_thread::{Solver, full_deal, solver_seat, solver_strain};
use super::team::STACK;
use crate::bridge::{Card, Deal, Hand, Seat, Strain, Suit};
use crate::error::Error;

impl Solver {
    /// The tricks that the defence takes after each of these leads against a declarer: the highest
    /// card of each group of touching cards of the leader ([`touching`]).
    pub(crate) fn leads(
        &mut self,
        deal: &Deal,
        (declarer, strain): (Seat, Strain),
        leads: &[Hand],
    ) -> Vec<u8> {
        let trick = CurrentTrick::new(solver_strain(strain), solver_seat(declarer.turned(1)));
        let board = Board::try_new(full_deal(deal).into(), trick);
        let board = board.expect("a deal before the first lead");
        let target = Target::Legal;
        let found = self.0.solve_board(&Objective { board, target });
        let tricks = leads.iter().map(|lead| {
            let top = lead.cards().next().map(solver_card);
            let play = found.plays.iter().find(|play| Some(play.card) == top);
            play.expect("every group is solved").score.get()
        });
        tricks.collect()
    }
}

/// The cards of a hand in groups of touching ones, such as a king and a queen, from the spades down.
/// The cards of a group take the same tricks.
#[must_use]
pub fn touching(hand: Hand) -> Vec<Hand> {
    let mut groups: Vec<Hand> = Vec::new();
    let mut last: Option<Card> = None;
    for card in hand.cards() {
        let follows =
            last.is_some_and(|last| last.suit() == card.suit() && last.index() + 1 == card.index());
        match groups.last_mut().filter(|_| follows) {
            Some(group) => *group = group.union(Hand::of(card)),
            None => groups.push(Hand::of(card)),
        }
        last = Some(card);
    }
    groups
}

fn solver_card(card: Card) -> SolverCard {
    let suit = match card.suit() {
        Suit::Spades => SolverSuit::Spades,
        Suit::Hearts => SolverSuit::Hearts,
        Suit::Diamonds => SolverSuit::Diamonds,
        Suit::Clubs => SolverSuit::Clubs,
    };
    SolverCard {
        suit,
        rank: SolverRank::new(14 - card.rank().index() as u8),
    }
}

/// Solvers that share deals among threads.
#[derive(Debug)]
pub(crate) struct Solvers(Vec<Solver>);

impl Solvers {
    /// A solver for each of these threads. Each takes at most 128 MiB for positions.
    pub(crate) fn new(threads: usize) -> Self {
        Self((0..threads.max(1)).map(|_| Solver::new()).collect())
    }

    /// The result of `solve` for each deal, in their order; once `is_stopped`, for the deals before
    /// the first that is not solved.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started.
    pub(crate) fn solve<T: Send>(
        &mut self,
        deals: &[Deal],
        solve: impl Fn(&mut Solver, &Deal) -> T + Sync,
        is_stopped: impl Fn() -> bool + Sync,
    ) -> Result<Vec<T>, Error> {
        let next = AtomicUsize::new(0);
        let results: Vec<Mutex<Option<T>>> = deals.iter().map(|_| Mutex::new(None)).collect();
        let work = |solver: &mut Solver| {
            while !is_stopped() {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(deal) = deals.get(place) else { break };
                let result = solve(solver, deal);
                *results[place]
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner) = Some(result);
            }
        };
        thread::scope(|scope| {
            let threads = self.0.iter_mut().map(|solver| {
                let thread = thread::Builder::new()
                    .name("solver".to_owned())
                    .stack_size(STACK);
                thread.spawn_scoped(scope, || work(solver))
            });
            // All are started before one is waited for.
            let threads: Vec<_> = threads.collect();
            for thread in threads {
                let thread = thread
                    .map_err(|error| Error::io(error).context("a thread cannot be started"))?;
                thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
            Ok::<(), Error>(())
        })?;
        let results = results.into_iter().map(|result| {
            let result = result.into_inner();
            result.unwrap_or_else(PoisonError::into_inner)
        });
        Ok(results.map_while(|result| result).collect())
    }
}

#[cfg(test)]
mod tests {
    use contract_bridge::Strain as SolverStrain;
    use contract_bridge::deal::Builder;

    use super::*;
    use crate::Population;
    use crate::language::AskedTricks;

    fn deals(count: usize) -> Vec<Deal> {
        let every = Population::every_deal();
        let deals = every.deals(63).expect("deals").take(count);
        deals.collect::<Result<_, _>>().expect("deals")
    }

    fn leads_agree_with_the_tricks_of_the_deal(count: usize) {
        let solve = |solver: &mut Solver, deal: &Deal| {
            let table = solver.table(deal, &AskedTricks::All);
            for (strain, declarer) in Strain::ALL.into_iter().zip(Seat::ALL.into_iter().cycle()) {
                for declarer in [declarer, declarer.turned(1)] {
                    let leads = touching(deal.hand(declarer.turned(1)));
                    let found = solver.leads(deal, (declarer, strain), &leads);
                    let best = found.iter().max().expect("a lead");
                    let tricks = table.tricks(declarer, strain);
                    assert_eq!(13 - best, tricks, "{deal} {declarer} {strain}");
                }
            }
        };
        let mut solvers = Solvers::new(2);
        let solved = solvers.solve(&deals(count), solve, || false);
        assert_eq!(solved.expect("threads").len(), count);
    }

    #[test]
    fn the_best_lead_holds_the_declarer_to_the_tricks_of_the_deal() {
        leads_agree_with_the_tricks_of_the_deal(4);
    }

    #[test]
    #[ignore = "long: 100 deals"]
    fn the_best_leads_of_100_deals_hold_declarers_to_their_tricks() {
        leads_agree_with_the_tricks_of_the_deal(100);
    }

    /// The tricks of the defence, by the position after the lead of a card.
    fn after_lead(
        solver: &mut Solver,
        deal: &Deal,
        (declarer, strain): (Seat, SolverStrain),
        card: Card,
    ) -> u8 {
        let leader = solver_seat(declarer.turned(1));
        let mut builder = Builder::from(full_deal(deal));
        builder[leader].remove(solver_card(card));
        let remaining = builder.build_partial().expect("51 cards");
        let trick = CurrentTrick::from_slice(strain, leader, &[solver_card(card)]);
        let board = Board::try_new(remaining, trick.expect("a card")).expect("a lead");
        let target = Target::Any(None);
        let found = solver.0.solve_board(&Objective { board, target });
        13 - found.plays[0].score.get()
    }

    #[test]
    fn the_tricks_of_each_card_are_those_of_the_position_after_it() {
        let mut solver = Solver::new();
        for (deal, strain) in deals(3).iter().zip(Strain::ALL) {
            let leads = touching(deal.hand(Seat::East));
            let found = solver.leads(deal, (Seat::North, strain), &leads);
            for (lead, tricks) in leads.iter().zip(found) {
                for card in lead.cards() {
                    let contract = (Seat::North, solver_strain(strain));
                    let after = after_lead(&mut solver, deal, contract, card);
                    assert_eq!(after, tricks, "{deal} {strain} {card}");
                }
            }
        }
    }

    #[test]
    fn touching_cards_form_groups() {
        let hand = Hand::parse(Seat::West, "KQJ9.A.32.T987654").expect("a hand");
        let groups = touching(hand).into_iter().map(|group| group.to_string());
        let groups: Vec<String> = groups.collect();
        assert_eq!(groups, ["KQJ...", "9...", ".A..", "..32.", "...T987654"]);
    }

    #[test]
    fn a_stop_keeps_the_deals_before_it() {
        let begun = AtomicUsize::new(0);
        let solve = |_: &mut Solver, _: &Deal| begun.fetch_add(1, Ordering::Relaxed);
        let solved = Solvers::new(1).solve(&deals(9), solve, || begun.load(Ordering::Relaxed) >= 4);
        assert_eq!(solved.expect("a thread"), [0, 1, 2, 3]);
    }
}
