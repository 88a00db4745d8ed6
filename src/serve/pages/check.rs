//! Checks of a condition as it is typed, and what forms show of it without scripts.

use std::time::Duration;

use askama::Template;
use axum::extract::{Form, State};
use axum::response::Html;
use serde::Deserialize;

use super::fields::{lines, seed};
use super::layout::html;
use crate::error::Error;
use crate::report::page::{Diagram, diagrams, rendered};
use crate::serve::app::App;
use crate::serve::conditions::{self, Checked};
use crate::serve::host::unblock;
use crate::serve::jobs::JobFailure;
use crate::serve::refusal::Refusal;

/// Time to wait for a place, and time for a check; slower conditions are left to jobs.
const WAITING: Duration = Duration::from_millis(500);
const PATIENCE: Duration = Duration::from_millis(3_000);

/// The seed of sample deals, unless another is asked for.
const SAMPLE_SEED: u128 = 1;

/// A condition that is being typed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CheckForm {
    #[serde(deserialize_with = "lines")]
    condition: String,
    seed: String,
    /// `1` to show sample deals.
    samples: String,
}

#[derive(Default, Template)]
#[template(path = "check.html", config = "src/serve/askama.toml")]
struct CheckResult {
    failure: Option<JobFailure>,
    /// Warnings about the condition, even if no deal satisfies it.
    warnings: Vec<String>,
    checked: Option<Checked>,
    samples: Vec<Diagram>,
    /// Whether sample deals were asked for and none was found at once.
    is_rare: bool,
    seed: String,
}

pub(super) async fn check(
    State(app): State<App>,
    Form(form): Form<CheckForm>,
) -> Result<Html<String>, Refusal> {
    let seed = seed(&form.seed).map_err(Refusal::bad)?;
    let wants_samples = form.samples == "1";
    if form.condition.trim().is_empty() {
        return Ok(Html(String::new()));
    }
    Ok(Html(
        fragment(&app, form.condition, seed, wants_samples).await?,
    ))
}

/// The result of a check as a part of a page.
pub(super) async fn fragment(
    app: &App,
    condition: String,
    seed: Option<u128>,
    wants_samples: bool,
) -> Result<String, Refusal> {
    let busy = || Refusal::busy("the server is busy: the condition was not checked");
    let places = app.checks.clone();
    let place = tokio::time::timeout(WAITING, places.acquire_owned()).await;
    let place = place.map_err(|_| busy())?.map_err(|_| busy())?;
    let work = unblock(move || {
        let _place = place;
        rendered(&of(&condition, seed.unwrap_or(SAMPLE_SEED), wants_samples))
    });
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(Some(fragment)) => Ok(fragment),
        Ok(None) => Err(Refusal::from(Error::io("the check failed"))),
        // It goes on; its place is free when it ends.
        Err(_) => Ok(html(&CheckResult::default()).0),
    }
}

fn of(condition: &str, seed: u128, wants_samples: bool) -> CheckResult {
    let script = conditions::script(condition);
    let read = script.as_ref().ok();
    let warnings = read.map_or_else(Vec::new, |(_, script)| conditions::warnings(script));
    let checked = script.and_then(|(_, script)| Ok((conditions::check(&script)?, script)));
    let (checked, samples) = match checked {
        Ok((checked, script)) if wants_samples => {
            (Some(checked), conditions::samples(script, seed))
        }
        Ok((checked, _)) => (Some(checked), Ok(Vec::new())),
        Err(error) => (None, Err(error)),
    };
    let failure = samples.as_ref().err().map(JobFailure::from);
    let samples = samples.unwrap_or_default();
    CheckResult {
        is_rare: wants_samples && checked.is_some() && failure.is_none() && samples.is_empty(),
        failure,
        warnings,
        checked,
        samples: diagrams(&samples),
        seed: format!("{seed}"),
    }
}
