//! `fairdeal contracts`

use clap::Args;

use fairdeal::Error;
use fairdeal::bridge::{Seat, Side};
use fairdeal::language::Contract;
use fairdeal::tasks::candidates::{ContractCriterion, ContractQuestion, contract_table};

use super::candidates::CandidateOptions;
use super::values;

const EXAMPLES: &str = "\
Examples:
  fairdeal contracts --where 'hcp(north) >= 15 && spades(north) >= 5' \\
      --hand south=KQ4.J9652.T8.A43 --side ns --against 4S --vul ns
  fairdeal contracts auction.dl --side ns --by south -n 500

Exit codes: 0 done; 5 no more deals; 64 wrong usage; 65 bad input;
74 reading or writing failed; 130 interrupted.";

/// Compare the contracts of a side
///
/// Deals as the condition describes, solves each deal double-dummy, and stops when one contract is
/// best, or equal to the best, with the confidence asked. The declarer of a strain is the partner
/// who takes more tricks on the deal, or always the one of --by.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct ContractsArguments {
    /// The side that plays: ns or ew
    #[arg(long, value_name = "SIDE", value_parser = values::side)]
    side: Side,

    /// The declarer of every contract [default: the better one on each deal]
    #[arg(long, value_name = "SEAT", value_parser = values::seat)]
    by: Option<Seat>,

    /// The contract against which the others win IMPs, such as 4S
    #[arg(long, value_name = "CONTRACT", value_parser = values::contract)]
    against: Option<Contract>,

    /// What the best contract has most of [default: score; imps with --against]
    #[arg(long, value_name = "CRITERION",
        value_parser = values::described(ContractCriterion::ALL))]
    best: Option<ContractCriterion>,

    #[command(flatten)]
    options: CandidateOptions,
}

pub(super) fn execute(arguments: &ContractsArguments) -> Result<u8, Error> {
    let by_default = ContractCriterion::by_default(arguments.against);
    let question = |vulnerable| ContractQuestion {
        side: arguments.side,
        declarer: arguments.by,
        vulnerable,
        against: arguments.against,
        criterion: arguments.best.unwrap_or(by_default),
    };
    arguments
        .options
        .execute("contracts", question, contract_table)
}
