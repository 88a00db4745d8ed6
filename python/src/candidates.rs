//! Tables of leads.

use fairdeal::bridge::{Hand, Seat, Vulnerable};
use fairdeal::language::Contract;
use fairdeal::population::Listings;
use fairdeal::tasks::candidates::{CandidateRequest, LeadCriterion, LeadQuestion, lead_table};
use fairdeal::tasks::{ConditionInput, RandomRequest};
use fairdeal::{Error, error::Remedy};
use pyo3::prelude::*;

use crate::error::UsageError;
use crate::report::limited;
use crate::script::{Script, sampling};
use crate::work::run;

/// Returns candidates.json and the table of leads against a contract; `hand` is the leader's, unless
/// the script predeals it.
#[pyfunction]
#[pyo3(signature = (script, contract, declarer, hand, best, vulnerable, deals, seed, confidence, within,
    sampler, progress = None))]
pub(crate) fn leads(
    py: Python<'_>,
    script: &Script,
    contract: &str,
    declarer: &str,
    hand: Option<&str>,
    best: &str,
    vulnerable: &str,
    deals: Option<u64>,
    seed: u128,
    confidence: f64,
    within: Option<f64>,
    sampler: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let wrong = |name: &str, what: &str, text: &str| {
        UsageError::new_err(format!("{name}: `{text}` is not {what}"))
    };
    let criterion = LeadCriterion::ALL
        .into_iter()
        .find(|(_, name, _)| *name == best);
    let vulnerabilities = [
        Vulnerable::None,
        Vulnerable::NorthSouth,
        Vulnerable::EastWest,
        Vulnerable::All,
    ];
    let is_named = |of: &Vulnerable| of.name().eq_ignore_ascii_case(vulnerable);
    let sides = vulnerabilities.into_iter().find(is_named);
    let seat = Seat::from_name(declarer);
    let question = LeadQuestion {
        contract: Contract::from_name(contract)
            .ok_or_else(|| wrong("contract", "a contract", contract))?,
        declarer: seat.ok_or_else(|| wrong("by", "north, east, south or west", declarer))?,
        vulnerable: sides.ok_or_else(|| wrong("vulnerable", "none, ns, ew or all", vulnerable))?,
        criterion: criterion
            .ok_or_else(|| wrong("best", "tricks, set, matchpoints or imps", best))?
            .0,
    };
    let request = CandidateRequest {
        name: "leads".to_owned(),
        deals: limited("deals", deals)?,
        random: RandomRequest::of_seed(seed),
        threads: None,
        time: None,
        sampling: sampling(sampler)?,
        confidence,
        within,
    };
    let leader = question.leader();
    let hand = hand.map(|text| Hand::parse(leader, text)).transpose();
    let hand = hand.map_err(|error| UsageError::new_err(format!("hand: {error}")))?;
    let input = script.input();
    run(py, progress.as_ref(), move |watch| {
        let ConditionInput::Script(mut script) = input else {
            return Err(Error::usage("a table of leads needs a condition"));
        };
        if let Some(hand) = hand {
            let condition = script.condition.with_hand(leader, hand)?;
            script.condition = condition.ok_or_else(|| {
                Error::usage(format!("{hand} contradicts other predealt cards"))
                    .with_remedy(Remedy::GiveHand)
            })?;
        }
        let table = lead_table(question, &request, &script, &Listings::in_memory(), watch)?;
        serde_json::to_string(&table.document(&[table.table()])).map_err(Error::io)
    })
}
