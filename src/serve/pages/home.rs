//! The first page: what the others are for.

use askama::Template;
use axum::response::Html;

use super::layout::{Layout, html};

#[derive(Template)]
#[template(path = "home.html", config = "src/serve/askama.toml")]
struct HomePage {
    layout: Layout,
}

pub(super) async fn show() -> Html<String> {
    html(&HomePage {
        layout: Layout::new(""),
    })
}
