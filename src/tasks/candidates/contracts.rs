//! The contracts of a side.

use std::fmt;

use super::dealing::{Candidates, Criterion, compare};
use super::request::CandidateRequest;
use crate::bridge::{Deal, Seat, Side, Strain, Vulnerable};
use crate::error::Error;
use crate::language::{AskedTricks, Contract, Script, imps, score};
use crate::observer::Observer;
use crate::population::Listings;
use crate::report::{CandidateTable, NumberForm, PrintedColumn, TableName};
use crate::solver::Solver;

/// The side that plays, and what counts.
#[derive(Clone, Copy, Debug)]
pub struct ContractQuestion {
    /// The side.
    pub side: Side,
    /// Its declarer; `None` for the one who takes more tricks on each deal.
    pub declarer: Option<Seat>,
    /// The vulnerability.
    pub vulnerable: Vulnerable,
    /// The contract that the others are compared with, by IMPs.
    pub against: Option<Contract>,
    /// The measure by which contracts are compared.
    pub criterion: ContractCriterion,
}

/// The measure by which contracts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContractCriterion {
    /// The score.
    Score,
    /// IMPs against one of the contracts.
    Imps,
}

impl ContractCriterion {
    /// All, each with its name and its description.
    pub const ALL: [(Self, &str, &str); 2] = [
        (Self::Score, "score", "the best score on average"),
        (Self::Imps, "imps", "the most IMPs against one contract"),
    ];

    /// The measure if none is asked: the IMPs, if there is a contract to win them against.
    pub fn by_default(against: Option<Contract>) -> Self {
        match against {
            Some(_) => Self::Imps,
            None => Self::Score,
        }
    }
}

impl fmt::Display for ContractQuestion {
    /// Writes `contract of north-south against 4S, vulnerable: none`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let declarer = self.declarer.map_or(self.side.name(), Seat::name);
        write!(f, "contract of {declarer}")?;
        if let Some(contract) = self.against {
            write!(f, " against {}", contract.name())?;
        }
        write!(f, ", vulnerable: {}", self.vulnerable.word())
    }
}

/// Solves every strain on deals of a script, until the best contract is known.
///
/// # Errors
///
/// If IMPs count without a contract to compare with, no deal satisfies the condition, or the request
/// contradicts itself.
pub fn contract_table(
    question: ContractQuestion,
    request: &CandidateRequest,
    script: &Script,
    listings: &Listings,
    observer: &dyn Observer,
) -> Result<CandidateTable, Error> {
    if question.criterion == ContractCriterion::Imps && question.against.is_none() {
        return Err(Error::usage("IMPs need a contract to compare with"));
    }
    if question
        .declarer
        .is_some_and(|declarer| declarer.side() != question.side)
    {
        let side = question.side;
        return Err(Error::usage(format!(
            "the declarer is not a seat of {side}"
        )));
    }
    compare(Contracts(question), request, script, listings, observer)
}

/// The contracts of a side, undoubled.
struct Contracts(ContractQuestion);

impl Contracts {
    /// The score of the side for a contract, and for all tricks of its strain.
    fn score(&self, contract: Contract, tricks: u8) -> i64 {
        let is_vulnerable = self.0.vulnerable.is_of(self.0.side);
        score(is_vulnerable, contract, tricks.into())
    }

    /// The seats that may declare.
    fn declarers(&self) -> Vec<Seat> {
        let is_one = |seat: &Seat| match self.0.declarer {
            Some(declarer) => declarer == *seat,
            None => seat.side() == self.0.side,
        };
        Seat::ALL.into_iter().filter(is_one).collect()
    }
}

impl Candidates for Contracts {
    const TABLE: TableName = TableName::Contracts;

    const MEASURES: &'static [&'static str] = &["score", "imps", "made", "tricks"];

    const PRINTED: &'static [PrintedColumn] = &[
        ("made", "made", NumberForm::Percent),
        ("tricks", "tricks", NumberForm::Decimals(3)),
        ("score", "score", NumberForm::Decimals(1)),
        ("IMPs", "imps", NumberForm::Decimals(2)),
    ];

    fn question(&self) -> String {
        self.0.to_string()
    }

    fn names(&self) -> Vec<String> {
        Contract::all().map(Contract::name).collect()
    }

    fn criterion(&self) -> Criterion {
        let contracts = Contract::all().chain(self.0.against);
        let scores: Vec<i64> = contracts
            .flat_map(|contract| [0, 13].map(|tricks| self.score(contract, tricks)))
            .collect();
        let [low, high] = [scores.iter().min(), scores.iter().max()];
        let [low, high] = [low, high].map(|score| score.copied().unwrap_or_default());
        let most = imps(high - low) as f64;
        let (place, range, within) = match self.0.criterion {
            ContractCriterion::Score => (0, [low as f64, high as f64], 10.0),
            ContractCriterion::Imps => (1, [-most, most], 0.1),
        };
        Criterion {
            name: Self::MEASURES[place],
            place,
            range,
            within,
        }
    }

    /// The tricks of each strain.
    fn solve(&self, solver: &mut Solver, deal: &Deal) -> Vec<u8> {
        let declarers = self.declarers();
        let asked = match self.0.declarer {
            Some(declarer) => AskedTricks::Some(Strain::ALL.map(|of| (declarer, of)).to_vec()),
            None => AskedTricks::All,
        };
        let table = solver.table(deal, &asked);
        let most = |strain| {
            let tricks = declarers.iter().map(|seat| table.tricks(*seat, strain));
            tricks.max().unwrap_or_default()
        };
        Strain::ALL.map(most).to_vec()
    }

    fn measures(&self, tricks: &[u8]) -> Vec<Vec<f64>> {
        let of = |contract: Contract| {
            let tricks = tricks[contract.strain().index()];
            (tricks, self.score(contract, tricks))
        };
        let against = self.0.against.map(|contract| of(contract).1);
        let measures = Contract::all().map(|contract| {
            let (tricks, score) = of(contract);
            vec![
                score as f64,
                against.map_or(f64::NAN, |against| imps(score - against) as f64),
                f64::from(u8::from(i64::from(tricks) >= contract.tricks())),
                f64::from(tricks),
            ]
        });
        measures.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contracts_score_and_win_imps_by_the_tricks_of_their_strain() {
        let contracts = Contracts(ContractQuestion {
            side: Side::NorthSouth,
            declarer: None,
            vulnerable: Vulnerable::NorthSouth,
            against: Contract::from_name("3NT"),
            criterion: ContractCriterion::Imps,
        });
        // No-trumps, spades, hearts, diamonds, clubs.
        let found = contracts.measures(&[8, 10, 7, 6, 6]);
        let place = |name: &str| contracts.names().iter().position(|of| of == name);
        let row = |name| found[place(name).expect("a contract")].clone();
        // 620 instead of -100.
        assert_eq!(row("4S"), [620.0, 12.0, 1.0, 10.0]);
        assert_eq!(row("3NT"), [-100.0, 0.0, 0.0, 8.0]);
        assert_eq!(row("1H"), [80.0, 5.0, 1.0, 7.0]);
        let Criterion { range, .. } = contracts.criterion();
        assert_eq!(range, [-23.0, 23.0]);
    }
}
