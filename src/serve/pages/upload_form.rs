//! What the forms with files have in common.

use askama::Template;

use crate::formats::Format;
use crate::serve::app::App;
use crate::serve::jobs::{JobKind, JobOrder};
use crate::serve::origin::Visit;
use crate::serve::uploads::Upload;

/// What a job found, as named facts.
#[derive(Template)]
#[template(path = "facts_result.html", config = "src/serve/askama.toml")]
pub(super) struct FactsResult(pub(super) Vec<(&'static str, String)>);

/// Files, which a page cannot choose again, and pasted boards.
#[derive(Debug, Default)]
pub(super) struct UploadForm {
    pub(super) text: String,
    /// Whether files were chosen, which have to be chosen again.
    pub(super) had_files: bool,
}

impl UploadForm {
    pub(super) async fn of(upload: &Upload, app: &App) -> Self {
        Self {
            text: upload.pasted(app.limits.form_bytes as u64).await,
            had_files: upload.has_files(),
        }
    }
}

/// The format of this name that is read; `None` without one.
pub(super) fn read_format(name: Option<&str>) -> Result<Option<Format>, String> {
    let Some(name) = name else { return Ok(None) };
    let format = Format::named(name).filter(|format| Format::read().any(|of| of == *format));
    let unknown = || format!("no format `{name}`: choose one of the list");
    format.map(Some).ok_or_else(unknown)
}

/// A job from a form with files. Its subject is the names of the first files, and the number of the
/// others.
pub(super) fn order(kind: JobKind, upload: &Upload, form: &str, visit: Visit) -> JobOrder {
    let names = upload.files.iter().map(|(_, label)| label.as_str());
    let first: Vec<&str> = names.take(3).collect();
    let subject = match upload.files.len() - first.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    };
    JobOrder::new(kind, subject, form.to_owned(), visit)
}
