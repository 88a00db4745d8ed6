//! Files of the reports on the shelf.

use std::fs::File;
use std::io::Read as _;

use axum::extract::{Path, State};
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::{Html, IntoResponse as _, Response};

use super::job::sent;
use crate::serve::app::App;
use crate::serve::guard::PAGE_POLICY;
use crate::serve::host::{IS_SERVER, unblock};
use crate::serve::refusal::Refusal;

/// The media type of a report's file, and whether browsers show it.
fn media_type(file: &str) -> (&'static str, bool) {
    match file.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => ("text/html; charset=utf-8", true),
        Some("csv") => ("text/csv; charset=utf-8", false),
        Some("json") => ("application/json", true),
        _ => ("application/octet-stream", false),
    }
}

/// Maximum size of a page that gets a way back, in bytes.
const MOST_PAGE_BYTES: u64 = 4 << 20;

/// The page of a report with a link to the pages of the server: in its file, it has none.
fn with_way_back(mut page: File) -> Option<String> {
    let mut text = String::new();
    page.read_to_string(&mut text).ok()?;
    let (place, name) = match IS_SERVER {
        true => ("/runs", "Reports"),
        false => ("/", "Start"),
    };
    let link = format!("<body>\n<nav aria-label=\"Back\"><a href=\"{place}\">← {name}</a></nav>\n");
    Some(text.replacen("<body>\n", &link, 1))
}

pub(super) async fn file(
    State(app): State<App>,
    Path((name, file)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let (shelf, asked) = (app.shelf.clone(), file.clone());
    let found = unblock(move || shelf.file(&name, &asked)).await.flatten();
    let (opened, length) = found.ok_or_else(|| Refusal::missing("file of a report"))?;
    let (media_type, is_shown) = media_type(&file);
    let how = if is_shown { "inline" } else { "attachment" };
    let disposition = format!("{how}; filename=\"{file}\"");
    let is_page = media_type.starts_with("text/html");
    if is_page && length <= MOST_PAGE_BYTES {
        let page = unblock(move || with_way_back(opened)).await.flatten();
        let page = page.ok_or_else(|| Refusal::missing("file of a report"))?;
        let mut response = Html(page).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_SECURITY_POLICY, PAGE_POLICY);
        return Ok(response);
    }
    Ok(sent(opened, length, media_type, &disposition, is_page))
}
