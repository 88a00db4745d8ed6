//! The leads of a known hand against a contract.

use std::fmt;

use super::dealing::{Candidates, Criterion, compare};
use super::request::CandidateRequest;
use crate::bridge::{Deal, Hand, Seat, Suit, Vulnerable};
use crate::error::{Error, Remedy};
use crate::language::{Contract, Script, imps, score};
use crate::observer::Observer;
use crate::population::Listings;
use crate::report::{CandidateTable, NumberForm, PrintedColumn, TableName};
use crate::solver::{Solver, touching};

/// The contract to lead against, and what counts.
#[derive(Clone, Copy, Debug)]
pub struct LeadQuestion {
    /// The contract.
    pub contract: Contract,
    /// Its declarer.
    pub declarer: Seat,
    /// The vulnerability.
    pub vulnerable: Vulnerable,
    /// The measure by which leads are compared.
    pub criterion: LeadCriterion,
}

/// The measure by which leads are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadCriterion {
    /// Tricks of the defence.
    Tricks,
    /// Whether the contract is set.
    Set,
    /// Matchpoints against the other leads.
    Matchpoints,
    /// IMPs against the other leads.
    Imps,
}

impl LeadCriterion {
    /// All, each with its name and its description.
    pub const ALL: [(Self, &str, &str); 4] = [
        (Self::Tricks, "tricks", "the most tricks on average"),
        (Self::Set, "set", "sets the contract most often"),
        (
            Self::Matchpoints,
            "matchpoints",
            "the most matchpoints against the other leads",
        ),
        (Self::Imps, "imps", "the most IMPs against the other leads"),
    ];
}

impl LeadQuestion {
    /// The seat on lead.
    pub fn leader(&self) -> Seat {
        self.declarer.turned(1)
    }
}

impl fmt::Display for LeadQuestion {
    /// Writes `lead of west against 4S by south, vulnerable: none`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (leader, contract) = (self.leader(), self.contract.name());
        let (declarer, vulnerable) = (self.declarer, self.vulnerable.word());
        write!(
            f,
            "lead of {leader} against {contract} by {declarer}, vulnerable: {vulnerable}"
        )
    }
}

/// Solves every lead of the leader's hand on deals of a script, until the best is known.
///
/// # Errors
///
/// If the leader's hand is not predealt, no deal satisfies the condition, or the request contradicts
/// itself.
pub fn lead_table(
    question: LeadQuestion,
    request: &CandidateRequest,
    script: &Script,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<CandidateTable, Error> {
    let leader = question.leader();
    let hand = script.condition.predeal().hand(leader);
    if hand.len() < 13 {
        let message = format!(
            "the leads are those of one hand, but only {} cards of {leader} are predealt",
            hand.len()
        );
        return Err(Error::usage(message).with_remedy(Remedy::GiveHand));
    }
    compare(
        Leads::new(question, hand),
        request,
        script,
        listings,
        observer,
    )
}

/// The leads of a hand.
struct Leads {
    question: LeadQuestion,
    /// Groups of touching cards.
    leads: Vec<Hand>,
    /// The score of the defence, by its tricks.
    scores: [i64; 14],
}

impl Leads {
    fn new(question: LeadQuestion, hand: Hand) -> Self {
        let vulnerable = question.vulnerable.is_of(question.declarer.side());
        let score = |tricks| -score(vulnerable, question.contract, 13 - tricks as i64);
        Self {
            question,
            leads: touching(hand),
            scores: std::array::from_fn(score),
        }
    }
}

impl Candidates for Leads {
    const TABLE: TableName = TableName::Leads;

    const MEASURES: &'static [&'static str] = &[
        "tricks",
        "set",
        "matchpoints",
        "imps",
        "overtricks",
        "undertricks",
    ];

    const PRINTED: &'static [PrintedColumn] = &[
        ("set", "set", NumberForm::Percent),
        ("tricks", "tricks", NumberForm::Decimals(3)),
        ("MP", "matchpoints", NumberForm::Percent),
        ("IMPs", "imps", NumberForm::Decimals(2)),
        ("over", "overtricks", NumberForm::Decimals(2)),
        ("under", "undertricks", NumberForm::Decimals(2)),
    ];

    fn question(&self) -> String {
        self.question.to_string()
    }

    fn names(&self) -> Vec<String> {
        let name = |lead: &Hand| {
            let suit = lead.cards().next().map_or(Suit::Spades, |card| card.suit());
            format!("{}{}", suit.letter(), lead.holding(suit))
        };
        self.leads.iter().map(name).collect()
    }

    fn criterion(&self) -> Criterion {
        let criterion = self.question.criterion;
        let place = LeadCriterion::ALL
            .iter()
            .position(|(of, ..)| *of == criterion);
        let place = place.unwrap_or_default();
        // More tricks never score less.
        let most = imps(self.scores[13] - self.scores[0]) as f64;
        let (range, within) = match criterion {
            LeadCriterion::Tricks => ([0.0, 13.0], 0.05),
            LeadCriterion::Set | LeadCriterion::Matchpoints => ([0.0, 1.0], 0.01),
            LeadCriterion::Imps => ([-most, most], 0.1),
        };
        Criterion {
            name: Self::MEASURES[place],
            place,
            range,
            within,
        }
    }

    fn solve(&self, solver: &mut Solver, deal: &Deal) -> Vec<u8> {
        let contract = (self.question.declarer, self.question.contract.strain());
        solver.leads(deal, contract, &self.leads)
    }

    /// The matchpoints and IMPs of a lead are its average over the other leads on the deal.
    fn measures(&self, tricks: &[u8]) -> Vec<Vec<f64>> {
        let scores: Vec<i64> = tricks
            .iter()
            .map(|tricks| self.scores[usize::from(*tricks)])
            .collect();
        let others = (tricks.len() - 1).max(1) as f64;
        let measures = tricks.iter().enumerate().map(|(lead, tricks)| {
            let over = 13 - i64::from(*tricks) - self.question.contract.tricks();
            let against = scores
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != lead);
            let differences = against.map(|(_, score)| scores[lead] - score);
            let [mut matchpoints, mut won] = [0.0; 2];
            for difference in differences {
                matchpoints += (difference.signum() + 1) as f64 / 2.0;
                won += imps(difference) as f64;
            }
            vec![
                f64::from(*tricks),
                f64::from(u8::from(over < 0)),
                matchpoints / others,
                won / others,
                over.max(0) as f64,
                (-over).max(0) as f64,
            ]
        });
        measures.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leads(contract: &str, vulnerable: Vulnerable) -> Leads {
        let question = LeadQuestion {
            contract: Contract::from_name(contract).expect("a contract"),
            declarer: Seat::South,
            vulnerable,
            criterion: LeadCriterion::Tricks,
        };
        let hand = Hand::parse(Seat::West, "KQ4.AJ952.T8.643").expect("a hand");
        Leads::new(question, hand)
    }

    #[test]
    fn touching_cards_are_one_lead() {
        let names = leads("4S", Vulnerable::None).names();
        let wanted = [
            "SKQ", "S4", "HA", "HJ", "H9", "H5", "H2", "DT", "D8", "C6", "C43",
        ];
        assert_eq!(names, wanted);
    }

    #[test]
    fn measures_are_those_of_the_other_leads_on_the_deal() {
        // 4S vulnerable: +100 for five tricks, -620 for three.
        let found = leads("4S", Vulnerable::All).measures(&[4, 3, 3]);
        assert_eq!(found[0], [4.0, 1.0, 1.0, 12.0, 0.0, 1.0]);
        assert_eq!(found[1], [3.0, 0.0, 0.25, -6.0, 0.0, 0.0]);
        // 3N doubled: +500 for seven tricks, -750 for three.
        let found = leads("3NX", Vulnerable::None).measures(&[7, 3]);
        assert_eq!(found[0], [7.0, 1.0, 1.0, 15.0, 0.0, 3.0]);
        assert_eq!(found[1], [3.0, 0.0, 0.0, -15.0, 1.0, 0.0]);
        assert_eq!(
            leads("1C", Vulnerable::None).measures(&[5])[0][2..4],
            [0.0, 0.0]
        );
    }

    #[test]
    fn imps_stay_within_the_range() {
        for contract in ["1C", "4S", "7NXX"] {
            let mut leads = leads(contract, Vulnerable::All);
            leads.question.criterion = LeadCriterion::Imps;
            let Criterion { range, place, .. } = leads.criterion();
            let most = leads.measures(&[13, 0, 0])[0][place];
            assert_eq!(range, [-most, most], "{contract}");
        }
    }
}
