//! The style sheet and the script of all pages.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

/// The style of reports, then what only these pages have.
const STYLE: &str = concat!(
    include_str!("../../report/page/page.css"),
    include_str!("../../report/page/plots.css"),
    include_str!("../assets/style.css")
);

const SCRIPT: &str = include_str!("../assets/script.js");

fn asset(media_type: &'static str, text: &'static str) -> Response {
    let headers = [
        (CONTENT_TYPE, media_type),
        // Another version of the program may answer at the same address.
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}

pub(super) async fn style() -> Response {
    asset("text/css; charset=utf-8", STYLE)
}

pub(super) async fn script() -> Response {
    asset("text/javascript; charset=utf-8", SCRIPT)
}
