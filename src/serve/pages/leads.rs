//! *Leads*: the best lead of a hand against a contract, or the best contract of a side.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Form, Query, State};
use axum::response::Response;
use serde::Deserialize;

use super::fields::{VULNERABLE, address, count, lines, named, seed, shortened};
use super::form_errors::FormErrors;
use super::job::to_begun_job;
use super::layout::Layout;
use crate::bridge::{Hand, Seat, Side, Vulnerable};
use crate::error::{Error, Remedy};
use crate::language::{Contract, Script};
use crate::printable::thousands;
use crate::report::CandidateTable;
use crate::report::page::candidate_result;
use crate::sampler::Sampling;
use crate::serve::app::App;
use crate::serve::conditions;
use crate::serve::examples::{EXAMPLES, Example};
use crate::serve::jobs::{Job, JobKind, JobOrder, JobResult};
use crate::serve::language_help::LANGUAGE_HELP;
use crate::serve::origin::Visit;
use crate::serve::watcher::JobWatcher;
use crate::tasks::RandomRequest;
use crate::tasks::candidates::{
    CandidateRequest, ContractCriterion, ContractQuestion, LeadCriterion, LeadQuestion,
    contract_table, lead_table,
};

/// The questions, with their words.
const QUESTIONS: [(&str, &str); 2] = [
    ("lead", "which lead is best against the contract"),
    ("contract", "which contract is best"),
];

/// The declarers: a seat, or the better one of a side on each deal.
const DECLARERS: [(&str, &str); 6] = [
    ("north", "north"),
    ("east", "east"),
    ("south", "south"),
    ("west", "west"),
    ("ns", "the better one of north and south"),
    ("ew", "the better one of east and west"),
];

/// The names of the sides in the list of declarers.
const SIDES: [(&str, Side); 2] = [("ns", Side::NorthSouth), ("ew", Side::EastWest)];

#[derive(Template)]
#[template(path = "leads.html", config = "src/serve/askama.toml")]
struct LeadsPage {
    layout: Layout,
    form: LeadForm,
    errors: FormErrors,
    /// Whether another page has filled in the form.
    is_foreign: bool,
    examples: &'static [Example],
    criteria: Vec<(&'static str, &'static str)>,
    most_deals: String,
    seconds: u64,
}

/// The form of a table.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct LeadForm {
    question: String,
    #[serde(deserialize_with = "lines")]
    condition: String,
    /// A known hand, and its seat.
    seat: String,
    hand: String,
    contract: String,
    declarer: String,
    vulnerable: String,
    best: String,
    deals: String,
    confidence: String,
    seed: String,
}

impl LeadForm {
    /// The address of the page with this form.
    fn address(&self) -> String {
        let values = [
            ("question", &*self.question),
            ("condition", &self.condition),
            ("seat", &self.seat),
            ("hand", &self.hand),
            ("contract", &self.contract),
            ("declarer", &self.declarer),
            ("vulnerable", &self.vulnerable),
            ("best", &self.best),
            ("deals", &self.deals),
            ("confidence", &self.confidence),
            ("seed", &self.seed),
        ];
        address("/leads", &values)
    }
}

impl LeadsPage {
    fn new(app: &App, mut form: LeadForm, errors: FormErrors) -> Self {
        for (field, usual) in [(&mut form.seat, "west"), (&mut form.declarer, "south")] {
            if field.is_empty() {
                usual.clone_into(field);
            }
        }
        let leads = LeadCriterion::ALL.map(|(_, name, words)| (name, words));
        let contracts = ContractCriterion::ALL.map(|(_, name, words)| (name, words));
        let only_contracts = contracts
            .into_iter()
            .filter(|(name, _)| leads.iter().all(|(of, _)| of != name));
        Self {
            layout: Layout::new("leads"),
            form,
            errors,
            is_foreign: false,
            examples: EXAMPLES,
            criteria: leads.into_iter().chain(only_contracts).collect(),
            most_deals: thousands(app.limits.solved_deals),
            seconds: app.limits.deal_time.as_secs(),
        }
    }
}

pub(super) async fn show(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    Query(form): Query<LeadForm>,
) -> Response {
    let is_foreign = !form.condition.trim().is_empty() && !visit.is_of_user();
    let page = LeadsPage {
        is_foreign,
        ..LeadsPage::new(&app, form, FormErrors::default())
    };
    page.errors.answer(&page)
}

pub(super) async fn start(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    Form(form): Form<LeadForm>,
) -> Response {
    match begin(&app, visit, &form) {
        Ok(job) => to_begun_job(&app, &job).await,
        Err(errors) => {
            let page = LeadsPage::new(&app, form, errors);
            page.errors.answer(&page)
        }
    }
}

fn begin(app: &App, visit: Visit, form: &LeadForm) -> Result<Arc<Job>, FormErrors> {
    let wanted = WantedTable::of(form, app)?;
    let subject = format!(
        "{}\n{}",
        wanted.question.words(),
        shortened(&form.condition)
    );
    let order = JobOrder::new(JobKind::Candidates, subject, form.address(), visit);
    Ok(app.submit(order, move |app, job| perform(app, job, &wanted))?)
}

/// What is compared.
enum CandidateQuestion {
    Leads(LeadQuestion),
    Contracts(ContractQuestion),
}

impl CandidateQuestion {
    fn words(&self) -> String {
        match self {
            Self::Leads(question) => question.to_string(),
            Self::Contracts(question) => question.to_string(),
        }
    }
}

/// A table that is asked for.
struct WantedTable {
    question: CandidateQuestion,
    script: Box<Script>,
    request: CandidateRequest,
}

impl WantedTable {
    fn of(form: &LeadForm, app: &App) -> Result<Self, FormErrors> {
        let mut errors = FormErrors::default();
        let script = errors.value("condition", conditions::script(&form.condition));
        let known = errors
            .value("hand", known_hand(&form.seat, &form.hand))
            .flatten();
        let script = script.and_then(|(name, script)| {
            let script = errors.value("hand", with_hand(script, known))?;
            Some((name, script))
        });
        let question = question_of(form, &mut errors);
        let most = app.limits.solved_deals;
        let deals = errors.value("deals", count(&form.deals, most)).flatten();
        let confidence = errors.value("confidence", confidence_of(&form.confidence));
        let seed = errors.value("seed", seed(&form.seed)).flatten();
        match (script, question, confidence) {
            (Some((name, script)), Some(question), Some(confidence)) if errors.is_empty() => {
                Ok(Self {
                    question,
                    script,
                    request: CandidateRequest {
                        name,
                        deals,
                        random: RandomRequest { seed, source: None },
                        threads: Some(app.threads),
                        time: Some(app.limits.deal_time),
                        sampling: Sampling::default(),
                        confidence,
                        within: None,
                    },
                })
            }
            _ => Err(errors),
        }
    }
}

fn question_of(form: &LeadForm, errors: &mut FormErrors) -> Option<CandidateQuestion> {
    let vulnerable = match &*form.vulnerable {
        "" => Ok(Vulnerable::None),
        name => named(&VULNERABLE, name),
    };
    let vulnerable = errors.value("vulnerable", vulnerable);
    let contract = errors.value("contract", contract_of(&form.contract));
    let declarer = Seat::from_name(&form.declarer);
    let side = SIDES.iter().find(|(name, _)| *name == form.declarer);
    let side = declarer.map(Seat::side).or(side.map(|(_, side)| *side));
    match &*form.question {
        "contract" => {
            let side = errors.value("declarer", side.ok_or("choose one of the list"));
            let best = match &*form.best {
                "" => Ok(ContractCriterion::by_default(contract.flatten())),
                name => named(&ContractCriterion::ALL, name)
                    .map_err(|_| "contracts are compared by score or imps"),
            };
            let best = errors.value("best", best);
            if best == Some(ContractCriterion::Imps) && contract == Some(None) {
                errors.add("contract", "IMPs need a contract to compare with");
            }
            Some(CandidateQuestion::Contracts(ContractQuestion {
                side: side?,
                declarer,
                vulnerable: vulnerable?,
                against: contract?,
                criterion: best?,
            }))
        }
        _ => {
            let declarer = errors.value("declarer", declarer.ok_or("choose one seat"));
            if contract == Some(None) {
                errors.add("contract", "fill in the contract, such as 4S, 3NT or 5Dx");
            }
            let best = match &*form.best {
                "" => Ok(LeadCriterion::Tricks),
                name => named(&LeadCriterion::ALL, name)
                    .map_err(|_| "leads are compared by tricks, set, matchpoints or imps"),
            };
            let best = errors.value("best", best);
            Some(CandidateQuestion::Leads(LeadQuestion {
                contract: contract??,
                declarer: declarer?,
                vulnerable: vulnerable?,
                criterion: best?,
            }))
        }
    }
}

/// A contract as it is typed; `None` if the field is empty.
fn contract_of(text: &str) -> Result<Option<Contract>, String> {
    match text.trim() {
        "" => Ok(None),
        text => match Contract::from_name(text) {
            None => Err(format!("not a contract such as 4S, 3NT or 5Dx: `{text}`")),
            contract => Ok(contract),
        },
    }
}

/// The hand of a seat; `None` if the field is empty.
fn known_hand(seat: &str, hand: &str) -> Result<Option<(Seat, Hand)>, String> {
    let hand = hand.trim().to_uppercase();
    if hand.is_empty() {
        return Ok(None);
    }
    let seat = Seat::from_name(seat).ok_or("choose the seat of the hand")?;
    let hand = Hand::parse(seat, &hand).map_err(|error| error.to_string())?;
    match hand.len() {
        13 => Ok(Some((seat, hand))),
        cards => Err(format!(
            "{cards} cards instead of 13, such as AKQ.432.T98.7654"
        )),
    }
}

/// A script whose deals have a known hand.
fn with_hand(mut script: Box<Script>, known: Option<(Seat, Hand)>) -> Result<Box<Script>, Error> {
    if let Some((seat, hand)) = known {
        let condition = script.condition.with_hand(seat, hand)?;
        script.condition =
            condition.ok_or_else(|| Error::usage("this hand contradicts other predealt cards"))?;
    }
    Ok(script)
}

/// A confidence in per cent; 99 % if the field is empty.
fn confidence_of(text: &str) -> Result<f64, String> {
    match text.trim().trim_end_matches('%').trim_end() {
        "" => Ok(0.99),
        digits => {
            let number = digits.parse::<f64>().ok().map(|number| number / 100.0);
            let number = number.filter(|number| *number > 0.0 && *number < 1.0);
            number.ok_or_else(|| format!("not a confidence such as 99 %: `{text}`"))
        }
    }
}

fn perform(app: &App, job: &Arc<Job>, wanted: &WantedTable) -> Result<JobResult, Error> {
    let WantedTable {
        question,
        script,
        request,
    } = wanted;
    if script.mix.is_some() {
        let mixed = Error::usage("a table needs one kind of deals, and the script mixes several");
        return Err(mixed.with_remedy(Remedy::ChooseType));
    }
    let (watcher, listings) = (JobWatcher(Arc::clone(job)), &app.listings);
    let table: CandidateTable = match question {
        CandidateQuestion::Leads(question) => {
            lead_table(*question, request, script, listings, &watcher)
        }
        CandidateQuestion::Contracts(question) => {
            contract_table(*question, request, script, listings, &watcher)
        }
    }?;
    let report = table.table();
    let table_at = format!("/jobs/{}/tables/", job.id);
    Ok(JobResult {
        html: candidate_result(&table, &table_at),
        tables: vec![(report.name().to_string(), report.to_csv())],
        ..JobResult::default()
    })
}
