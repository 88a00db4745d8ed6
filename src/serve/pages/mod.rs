//! The pages, one file each, and the routes to them.

mod assets;
mod audit;
mod check;
mod convert;
mod deal;
mod fields;
mod form_errors;
mod health;
mod home;
mod job;
pub(super) mod layout;
mod leads;
mod reports;
mod runs;
mod theory;
mod tournament;
mod upload_form;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

use super::app::{App, PagesRequest};
use super::guard::guard;
use super::host::IS_SERVER;
use super::origin::Access;
use super::refusal::Refusal;
use crate::error::Error;
use crate::population::Listings;

/// The pages without a socket: for a browser, and for tests.
///
/// # Errors
///
/// If the folder cannot be written, or threads cannot be started.
pub fn router(request: &PagesRequest, listings: Listings) -> Result<Router, Error> {
    Ok(routes(App::start(request, listings, Access::local())?))
}

/// All routes, behind the guard.
pub(super) fn routes(app: App) -> Router {
    let forms = DefaultBodyLimit::max(app.limits.form_bytes);
    let mut routes = Router::new()
        .route("/", get(home::show))
        .route("/assets/style.css", get(assets::style))
        .route("/assets/script.js", get(assets::script))
        .route(
            "/audit",
            get(audit::show).merge(post(audit::start).layer(DefaultBodyLimit::disable())),
        )
        .route(
            "/convert",
            get(convert::show).merge(post(convert::start).layer(DefaultBodyLimit::disable())),
        )
        .route(
            "/tournament",
            get(tournament::show).merge(post(tournament::start).layer(DefaultBodyLimit::disable())),
        )
        .route("/tournament/new", post(tournament::prepare))
        .route("/check", post(check::check))
        .route("/deal", get(deal::show).post(deal::start))
        .route("/theory", get(theory::show))
        .route("/leads", get(leads::show).post(leads::start))
        .route("/reports/{name}/{file}", get(reports::file))
        .route("/jobs/{id}", get(job::show))
        .route("/jobs/{id}/events", get(job::events))
        .route("/jobs/{id}/stop", post(job::stop))
        .route("/jobs/{id}/file", get(job::file))
        .route("/jobs/{id}/files/{name}", get(job::named_file))
        .route("/jobs/{id}/tables/{name}", get(job::table));
    if IS_SERVER {
        routes = routes
            .route("/runs", get(runs::show).post(runs::start))
            .route("/runs/{name}/resume", post(runs::resume))
            .route("/compare", post(runs::compare))
            .route("/health", get(health::show))
            .route("/health.json", get(health::json));
    }
    routes
        .fallback(missing)
        .layer(forms)
        .layer(from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

async fn missing() -> Refusal {
    Refusal::missing("page")
}
