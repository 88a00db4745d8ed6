//! *Theory*: exact tables and plots of a condition, or of two beside each other.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::Deserialize;

use super::fields::shortened;
use super::layout::{Layout, html};
use crate::bridge::{Seat, Shape, Suit};
use crate::error::Error;
use crate::formats::capital;
use crate::language::Script;
use crate::printable::grouped;
use crate::report::page::{TheoryFigure, rendered, theory_figures};
use crate::report::{one_in, percent, rounded};
use crate::serve::app::App;
use crate::serve::conditions;
use crate::serve::examples::{EXAMPLES, Example};
use crate::serve::jobs::{Job, JobFailure, JobKind, JobResult};
use crate::serve::refusal::Refusal;
use crate::serve::watcher::JobWatcher;
use crate::tasks::{ExactTheory, theory_within_budget};
use crate::theory::Distribution;

/// Digits of a percentage, as the command prints it.
const DIGITS: usize = 4;

#[derive(Template)]
#[template(path = "theory.html", config = "src/serve/askama.toml")]
struct TheoryPage {
    layout: Layout,
    a: String,
    b: String,
    examples: &'static [Example],
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
    /// `a` or `b`.
    id: &'static str,
    condition: String,
    notation: Vec<String>,
    probability: String,
    one_in: String,
    fraction: String,
    deals: String,
    /// Names of the CSV files.
    files: Vec<String>,
    tables: Vec<SideTable>,
    figures: Vec<TheoryFigure>,
}

/// A table of distributions, one column for all seats with the same.
struct SideTable {
    title: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
}

/// The conditions in the address.
#[derive(Debug, Default, Deserialize)]
pub(super) struct TheoryQuery {
    #[serde(default)]
    condition: String,
    #[serde(default)]
    other: String,
}

pub(super) async fn show(
    State(app): State<App>,
    Query(asked): Query<TheoryQuery>,
) -> Result<Response, Refusal> {
    let page = |failure, result| TheoryPage {
        layout: Layout::new("theory"),
        a: asked.condition.clone(),
        b: asked.other.clone(),
        examples: EXAMPLES,
        failure,
        html: result,
    };
    let texts = [("a", &asked.condition), ("b", &asked.other)];
    let given = texts
        .into_iter()
        .filter(|(_, text)| !text.trim().is_empty());
    let given = given.map(|(id, text)| {
        let (_, script) = conditions::script(text)?;
        Ok((id, shortened(text), script))
    });
    let given: Vec<GivenSide> = match given.collect::<Result<_, Error>>() {
        Ok(given) => given,
        Err(error) => {
            return Ok(html(&page(Some(JobFailure::from(&error)), String::new())).into_response());
        }
    };
    if given.is_empty() {
        return Ok(html(&page(None, String::new())).into_response());
    }
    let subject: Vec<&str> = given.iter().map(|(_, text, _)| text.as_str()).collect();
    let subject = subject.join("\n");
    let of_work = app.clone();
    let work = move |job: &Arc<Job>| perform(&of_work, job, given);
    let job = app.submit(JobKind::Theory, subject, Box::new(work))?;
    if !app.wait_for(&job).await {
        return Ok(Redirect::to(&format!("/jobs/{}", job.id)).into_response());
    }
    let result = job.with_result(|result| result.html.clone());
    Ok(html(&page(job.failure(), result.unwrap_or_default())).into_response())
}

/// A condition of the form: the name of its side, its text for the page, and its script.
type GivenSide = (&'static str, String, Box<Script>);

fn perform(app: &App, job: &Arc<Job>, given: Vec<GivenSide>) -> Result<JobResult, Error> {
    let watcher = JobWatcher(Arc::clone(job));
    let (mut sides, mut tables) = (Vec::new(), Vec::new());
    for (id, text, script) in given {
        let notation = script.condition.in_bridge_notation();
        let most = app.limits().listing_cases;
        let found = theory_within_budget(script, most, app.listings(), &watcher)?;
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

impl TheorySide {
    fn new(
        id: &'static str,
        condition: String,
        notation: Vec<String>,
        found: &ExactTheory,
    ) -> Self {
        let (p, theory) = (found.probability.to_f64(), &found.theory);
        let shapes: Vec<String> = Shape::all().map(|shape| shape.to_string()).collect();
        let numbers = |count: usize| (0..count).map(|number| number.to_string());
        let (points, lengths) = (
            numbers(38).collect::<Vec<_>>(),
            numbers(14).collect::<Vec<_>>(),
        );
        let of_shapes = Seat::ALL.map(|seat| theory.shapes(seat));
        let mut tables = vec![
            SideTable::new("Shapes", &shapes, of_shapes.each_ref()),
            SideTable::new("HCP", &points, Seat::ALL.map(|seat| theory.hcp(seat))),
        ];
        for suit in Suit::ALL {
            let of_suit = Seat::ALL.map(|seat| theory.suit_lengths(seat, suit));
            let title = capital(suit.name());
            tables.push(SideTable::new(&title, &lengths, of_suit.each_ref()));
        }
        Self {
            id,
            condition,
            notation,
            probability: rounded(p, 3),
            one_in: one_in(p),
            fraction: found.record.chance.clone(),
            deals: grouped(found.population.total()),
            files: Vec::new(),
            tables,
            figures: theory_figures(theory),
        }
    }
}

impl SideTable {
    fn new(title: &str, names: &[String], seats: [&Distribution; 4]) -> Self {
        let columns = Distribution::by_seats(seats);
        let rows = names.iter().enumerate().filter_map(|(place, name)| {
            let chances = columns.iter().map(|(_, of)| of.probability(place));
            let chances: Vec<_> = chances.collect();
            let is_possible = chances.iter().any(|chance| chance.ways > 0);
            let cells = chances.iter().map(|chance| match chance.ways {
                0 => "-".to_owned(),
                _ => percent(chance.to_f64(), DIGITS),
            });
            is_possible.then(|| (name.clone(), cells.collect()))
        });
        Self {
            title: title.to_owned(),
            rows: rows.collect(),
            columns: columns.iter().map(|(seats, _)| seats.clone()).collect(),
        }
    }
}
