//! The tricks of each lead.

use contract_bridge::Suit as SolverSuit;
use contract_bridge::hand::{Card as SolverCard, Rank as SolverRank};
use pons_dds::{Board, CurrentTrick, Objective, Target};

use super::one_thread::{Solver, full_deal, solver_seat, solver_strain};
use crate::bridge::{Card, Deal, Hand, Seat, Strain, Suit};

impl Solver {
    /// The tricks that the defence takes after each of these leads against a declarer: the highest
    /// card of each group of touching cards of the leader ([`touching`]).
    pub fn leads(
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

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use contract_bridge::Strain as SolverStrain;
    use contract_bridge::deal::Builder;

    use super::super::threads::SolverThreads;
    use super::*;
    use crate::language::AskedTricks;
    use fairdeal_draw::{Aes128Ctr, DealScratch, DealSource, Dealer, Packet, Seeded};

    pub(crate) fn deals(count: usize) -> Vec<Deal> {
        let dealer = Dealer::<Vec<u8>>::unconstrained();
        let source = Seeded {
            dealer: &dealer,
            generator: &Aes128Ctr::new(63),
        };
        let mut dealt = Vec::new();
        for portion in source.portions(0..count as u64).expect("portions") {
            let mut sink = |packet: &Packet| {
                dealt.extend((0..packet.deals()).map(|place| packet.deal(place)));
            };
            let done = source.deal(&portion, &mut DealScratch::default(), &mut sink);
            done.expect("deals");
        }
        dealt
    }

    /// Long suits are solved in a moment, with leads that differ.
    fn long_suits() -> Deal {
        let text = "N:AKQJ9872.A2.32.4 T.KQJT9.AK4.KQJ5 654.8765.QJT.A32 3.43.98765.T9876";
        text.parse().expect("a deal")
    }

    fn leads_agree_with_the_tricks_of(deals: &[Deal]) {
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
        let threads = SolverThreads::start(2).expect("threads");
        let solved = threads.solve(deals, &Arc::new(solve), || false);
        assert_eq!(solved.len(), deals.len());
    }

    #[test]
    fn the_best_lead_holds_the_declarer_to_the_tricks_of_the_deal() {
        leads_agree_with_the_tricks_of(&[long_suits()]);
    }

    #[test]
    #[ignore = "long: 100 deals"]
    fn the_best_leads_of_100_deals_hold_declarers_to_their_tricks() {
        leads_agree_with_the_tricks_of(&deals(100));
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
        let deal = &long_suits();
        for strain in Strain::ALL {
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
}
