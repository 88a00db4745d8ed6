//! *Deal*: a condition, its probability, and a set of boards.

use askama::Template;
use axum::response::Html;

use super::layout::{Layout, html};

#[derive(Template)]
#[template(path = "deal.html", config = "src/serve/askama.toml")]
struct DealPage {
    layout: Layout,
}

pub(super) async fn show() -> Html<String> {
    html(&DealPage {
        layout: Layout::new("deal"),
    })
}
