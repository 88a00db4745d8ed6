//! *Theory*: exact tables and plots of a condition, or of two beside each other.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Query, State};
use axum::response::Response;
use serde::Deserialize;

use super::fields::{address, lines, shortened};
use super::form_errors::FormErrors;
use super::job::to_job;
use super::layout::Layout;
use crate::error::Error;
use crate::language::{Condition, Script};
use crate::printable::thousands;
use crate::printable::{one_in, percent, three_digits};
use crate::report::page::{TheoryFigure, rendered, theory_figures};
use crate::report::{ExactAnswer, fraction};
use crate::serve::app::App;
use crate::serve::conditions;
use crate::serve::examples::{EXAMPLES, Example, LESSONS};
use crate::serve::jobs::{Job, JobFailure, JobKind, JobOrder, JobResult};
use crate::serve::language_help::LANGUAGE_HELP;
use crate::serve::origin::Visit;
use crate::serve::watcher::JobWatcher;
use crate::tasks::{ExactTheory, TypeTheory, theory_within_budget};
use crate::theory::{Ratio, SeatQuantity, SeatTable};

/// Digits of a percentage, as the command prints it.
const DIGITS: usize = 4;

#[derive(Template)]
#[template(path = "theory.html", config = "src/serve/askama.toml")]
struct TheoryPage {
    layout: Layout,
    form: TheoryForm,
    errors: FormErrors,
    /// Whether another page has filled in the form.
    is_foreign: bool,
    examples: &'static [Example],
    /// Why there is no result.
    failure: Option<JobFailure>,
    /// The result as HTML.
    html: String,
}

#[derive(Template)]
#[template(path = "theory_result.html", config = "src/serve/askama.toml")]
struct TheoryResult {
    sides: Vec<TheorySide>,
}

/// The tables of a condition.
struct TheorySide {
    /// `a` or `b`, and the number of a type.
    id: String,
    condition: String,
    /// The types of a mix: names, shares of the mix, natural shares and these as fractions.
    types: Vec<[String; 4]>,
    notation: Vec<String>,
    /// What is known of the deals.
    given: Option<String>,
    probability: String,
    percent: String,
    one_in: String,
    fraction: String,
    deals: String,
    /// Names of the CSV files.
    files: Vec<String>,
    tables: Vec<SideTable>,
    figures: Vec<TheoryFigure>,
}

/// A table of distributions, one column for all seats with the same; or of a script's answers.
struct SideTable {
    title: String,
    caption: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
}

/// The conditions in the address.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TheoryForm {
    #[serde(deserialize_with = "lines")]
    condition: String,
    #[serde(deserialize_with = "lines")]
    other: String,
    /// What is known of the deals.
    #[serde(deserialize_with = "lines")]
    given: String,
    /// Anything to fill in the form only.
    fill: String,
}

pub(super) async fn show(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    Query(form): Query<TheoryForm>,
) -> Response {
    let is_asked = !form.condition.trim().is_empty() || !form.other.trim().is_empty();
    let is_begun = is_asked && visit.is_of_user() && form.fill.is_empty();
    let begun = is_begun.then(|| begin(&app, visit, &form));
    let mut page = TheoryPage {
        layout: Layout::new("theory"),
        form,
        errors: FormErrors::default(),
        is_foreign: is_asked && !visit.is_of_user(),
        examples: EXAMPLES,
        failure: None,
        html: String::new(),
    };
    match begun {
        None => {}
        Some(Err(errors)) => page.errors = errors,
        Some(Ok(job)) if !app.wait_for(&job).await => {
            return to_job(&job);
        }
        Some(Ok(job)) => {
            let html = job.result().map(|result| result.html.clone());
            (page.failure, page.html) = (job.failure().cloned(), html.unwrap_or_default());
        }
    }
    page.errors.answer(&page)
}

fn begin(app: &App, visit: Visit, form: &TheoryForm) -> Result<Arc<Job>, FormErrors> {
    let mut errors = FormErrors::default();
    let sides = [
        ("a", "condition", &form.condition),
        ("b", "other", &form.other),
    ];
    let sides = sides
        .into_iter()
        .filter(|(.., text)| !text.trim().is_empty());
    let asked = sides.filter_map(|(id, field, text)| {
        let (_, script) = errors.value(field, conditions::script(text))?;
        Some((id.to_owned(), shortened(text), script))
    });
    let asked: Vec<AskedSide> = asked.collect();
    let given = match form.given.trim().is_empty() {
        true => None,
        false => errors.value("given", conditions::script(&form.given)),
    };
    if !errors.is_empty() {
        return Err(errors);
    }
    let given = given.map(|(_, script)| (shortened(&form.given), script.condition));
    let subject: Vec<&str> = asked.iter().map(|(_, text, _)| text.as_str()).collect();
    let values = [
        ("fill", "1"),
        ("condition", &*form.condition),
        ("other", &form.other),
        ("given", &form.given),
    ];
    let (subject, form) = (subject.join("\n"), address("/theory", &values));
    let order = JobOrder::new(JobKind::Theory, subject, form, visit);
    Ok(app.submit(order, move |app, job| perform(app, job, asked, given))?)
}

/// A condition of the form: the name of its side, its text for the page, and its script.
type AskedSide = (String, String, Box<Script>);

/// Maximum number of types of a mix that have tables of their own.
const MOST_TYPES: usize = 12;

/// A condition, and the types of its mix.
fn with_types(asked: AskedSide) -> Result<Vec<AskedSide>, Error> {
    let (id, _, script) = &asked;
    let types = script
        .mix
        .iter()
        .flat_map(|mix| mix.types())
        .take(MOST_TYPES);
    let types = types.enumerate().map(|(place, of)| {
        let of_type = script.of_type(place)?;
        Ok((
            format!("{id}{}", place + 1),
            format!("Type {}", of.name),
            Box::new(of_type),
        ))
    });
    let types = types.collect::<Result<Vec<_>, Error>>()?;
    Ok([asked].into_iter().chain(types).collect())
}

/// What is known of the deals: its text for the page, and the condition.
type GivenCondition = Option<(String, Condition)>;

fn perform(
    app: &App,
    job: &Arc<Job>,
    asked: Vec<AskedSide>,
    given: GivenCondition,
) -> Result<JobResult, Error> {
    let (known, given) = given.unzip();
    let watcher = JobWatcher(Arc::clone(job));
    let (mut sides, mut tables) = (Vec::new(), Vec::new());
    let asked = asked.into_iter().map(with_types);
    let asked = asked.collect::<Result<Vec<_>, Error>>()?;
    for (id, text, script) in asked.into_iter().flatten() {
        let notation = script.condition.in_bridge_notation();
        let most = app.limits.listing_cases;
        let found = theory_within_budget(&script, given.as_ref(), most, &app.listings, &watcher)?;
        let all = found.tables();
        let names = all
            .iter()
            .map(|table| format!("{id}-{}", table.name().name()));
        let names: Vec<String> = names.collect();
        let files = names
            .iter()
            .map(|name| format!("/jobs/{}/tables/{name}.csv", job.id));
        sides.push(TheorySide {
            files: files.collect(),
            given: known.clone(),
            ..TheorySide::new(id, text, notation, &found)
        });
        tables.extend(
            names
                .into_iter()
                .zip(all.iter().map(|table| table.to_csv())),
        );
    }
    Ok(JobResult {
        html: rendered(&TheoryResult { sides }),
        tables,
        ..JobResult::default()
    })
}

/// The row of a type of a mix.
fn type_row(of: &TypeTheory) -> [String; 4] {
    [
        of.name.clone(),
        percent(of.share.to_f64(), DIGITS),
        percent(of.natural_share.to_f64(), DIGITS),
        fraction(of.natural_share),
    ]
}

/// The reason why an exact value is missing.
fn reason(answer: &ExactAnswer) -> String {
    let why = answer.reason();
    why.map_or_else(String::new, |why| format!("no exact value: {why}"))
}

impl TheorySide {
    fn new(id: String, condition: String, notation: Vec<String>, found: &ExactTheory) -> Self {
        let (p, theory) = (found.probability.to_f64(), &found.theory);
        let mut tables = SideTable::of_answers(&found.answers);
        tables.extend(theory.by_seat().iter().map(SideTable::new));
        let together = found.partners.map(|side| theory.of_side(side));
        tables.extend(together.iter().flatten().map(SideTable::new));
        Self {
            id,
            condition,
            types: found.types.iter().map(type_row).collect(),
            notation,
            given: None,
            probability: three_digits(p),
            percent: percent(p, 3),
            one_in: one_in(p),
            fraction: fraction(found.probability),
            deals: thousands(found.total),
            files: Vec::new(),
            tables,
            figures: theory_figures(theory),
        }
    }
}

impl SideTable {
    fn new(table: &SeatTable) -> Self {
        let rows = table.rows().map(|(value, chances)| {
            let cells = chances.iter().map(|chance| match chance.ways {
                0 => "-".to_owned(),
                _ => percent(chance.to_f64(), DIGITS),
            });
            (value.to_owned(), cells.collect())
        });
        let title = match table.quantity {
            SeatQuantity::Shape => "Shapes".to_owned(),
            SeatQuantity::SideHcp => "HCP together".to_owned(),
            SeatQuantity::Fit => "Cards together".to_owned(),
            quantity => quantity.to_string(),
        };
        Self {
            caption: format!("{title}: probability"),
            title,
            rows: rows.collect(),
            columns: table
                .columns
                .iter()
                .map(|(seats, _)| seats.clone())
                .collect(),
        }
    }

    /// Tables of a script's averages and frequencies.
    fn of_answers(answers: &[ExactAnswer]) -> Vec<Self> {
        let averages = answers.iter().filter(|answer| answer.axes.is_none());
        let averages = averages.map(|answer| {
            let cells = match (answer.mean(), answer.mean_fraction()) {
                (Some(mean), Some(fraction)) => vec![format!("{mean:.6}"), fraction],
                _ => vec!["-".to_owned(), reason(answer)],
            };
            (answer.label.clone(), cells)
        });
        let averages = Self {
            title: "Averages".to_owned(),
            caption: "Averages over all deals of the condition".to_owned(),
            columns: ["exact mean", "fraction"].map(str::to_owned).into(),
            rows: averages.collect(),
        };
        let frequencies = answers.iter().filter(|answer| answer.axes.is_some());
        let frequencies = frequencies.map(Self::of_frequency);
        let tables = [averages].into_iter().chain(frequencies);
        tables.filter(|table| !table.rows.is_empty()).collect()
    }

    fn of_frequency(answer: &ExactAnswer) -> Self {
        let shares = answer.shares().unwrap_or_default().into_iter();
        let cells = answer.cells().into_iter().zip(shares);
        let possible = cells.filter(|(_, share)| share.ways > 0);
        let row = |(value, share): (String, Ratio)| {
            (
                value,
                vec![percent(share.to_f64(), DIGITS), fraction(share)],
            )
        };
        let mut rows: Vec<(String, Vec<String>)> = possible.map(row).collect();
        if rows.is_empty() {
            rows.push(("-".to_owned(), vec!["-".to_owned(), reason(answer)]));
        }
        Self {
            title: answer.label.clone(),
            caption: format!("{}: probability of each value", answer.label),
            columns: ["probability", "fraction"].map(str::to_owned).into(),
            rows,
        }
    }
}
