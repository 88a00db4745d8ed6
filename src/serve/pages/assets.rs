//! The style sheet and the script of all pages.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use crate::report::page::STYLES;

/// What only these pages have.
const STYLE: &str = include_str!("../assets/style.css");

const SCRIPT: &str = include_str!("../assets/script.js");

fn asset(media_type: &'static str, text: impl IntoResponse) -> Response {
    let headers = [
        (CONTENT_TYPE, media_type),
        // Another version of the program may answer at the same address.
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}

pub(super) async fn style() -> Response {
    // The style of reports is before it.
    asset("text/css; charset=utf-8", [STYLES, STYLE].concat())
}

pub(super) async fn script() -> Response {
    asset("text/javascript; charset=utf-8", SCRIPT)
}
