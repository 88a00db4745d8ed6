//! `fairdeal lead`

use clap::Args;

use fairdeal::Error;
use fairdeal::bridge::Seat;
use fairdeal::language::Contract;
use fairdeal::tasks::candidates::{LeadCriterion, LeadQuestion, lead_table};

use super::candidates::CandidateOptions;
use super::values;

const EXAMPLES: &str = "\
Examples:
  fairdeal lead --where 'hcp(south) >= 15 && hcp(north) >= 10' \\
      --hand west=KQ4.J9652.T8.643 --contract 3NT --by south
  fairdeal lead auction.dl --contract 4S --by south --best set
  fairdeal lead auction.dl --contract 4Sx --by south -n 1000 --out leads

Exit codes: 0 done; 5 no more deals; 64 wrong usage; 65 bad input;
74 reading or writing failed; 130 interrupted.";

/// Compare the opening leads of a hand against a contract
///
/// Deals the other three hands as the condition describes them, solves each deal double-dummy
/// after every lead, and stops when one lead is best, or equal to the best, with the confidence
/// asked. Touching cards are one lead. Matchpoints and IMPs are those against the other leads, on
/// average over the deals.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct LeadArguments {
    /// The contract, such as 4S, 3NT or 5Dx
    #[arg(long, value_name = "CONTRACT", value_parser = values::contract)]
    contract: Contract,

    /// The declarer
    #[arg(long, value_name = "SEAT", value_parser = values::seat)]
    by: Seat,

    /// The seat on lead [default: the one after the declarer]
    #[arg(long, value_name = "SEAT", value_parser = values::seat)]
    leader: Option<Seat>,

    /// What the best lead has most of
    #[arg(long, value_name = "CRITERION", default_value = "tricks",
        value_parser = values::described(LeadCriterion::ALL))]
    best: LeadCriterion,

    #[command(flatten)]
    options: CandidateOptions,
}

pub(super) fn execute(arguments: &LeadArguments) -> Result<u8, Error> {
    let question = |vulnerable| LeadQuestion {
        contract: arguments.contract,
        declarer: arguments.by,
        vulnerable,
        criterion: arguments.best,
    };
    let leader = arguments.by.turned(1);
    if let Some(other) = arguments.leader.filter(|other| *other != leader) {
        let declarer = arguments.by;
        return Err(Error::usage(format!(
            "against {declarer}, {leader} leads, not {other}: leave out --leader"
        )));
    }
    arguments.options.execute("lead", question, lead_table)
}
