//! The first page: files to test at once, and what the other pages are for.

use askama::Template;
use axum::extract::State;
use axum::response::Html;

use super::form_errors::FormErrors;
use super::layout::{Layout, html};
use super::upload_form::UploadForm;
use crate::serve::app::App;

#[derive(Template)]
#[template(path = "home.html", config = "src/serve/askama.toml")]
struct HomePage {
    layout: Layout,
    form: UploadForm,
    errors: FormErrors,
    most_megabytes: u64,
}

pub(super) async fn show(State(app): State<App>) -> Html<String> {
    html(&HomePage {
        layout: Layout::new(""),
        form: UploadForm::default(),
        errors: FormErrors::default(),
        most_megabytes: app.limits.upload_bytes >> 20,
    })
}
