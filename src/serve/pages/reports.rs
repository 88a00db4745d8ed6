//! Files of the reports on the shelf.

use axum::extract::{Path, State};
use axum::response::Response;

use super::job::sent;
use crate::serve::app::App;
use crate::serve::host::unblock;
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
    Ok(sent(opened, length, media_type, &disposition, is_page))
}
