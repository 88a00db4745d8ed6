//! *Theory*: exact tables of conditions.

use askama::Template;
use axum::response::Html;

use super::layout::{Layout, html};

#[derive(Template)]
#[template(path = "theory.html", config = "src/serve/askama.toml")]
struct TheoryPage {
    layout: Layout,
}

pub(super) async fn show() -> Html<String> {
    html(&TheoryPage {
        layout: Layout::new("theory"),
    })
}
