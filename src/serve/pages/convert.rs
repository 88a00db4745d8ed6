//! *Convert*: the boards of files in other formats.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;

use super::form_errors::FormErrors;
use super::job::to_begun_job;
use super::layout::Layout;
use super::upload_form::{FactsResult, UploadForm, order, read_format};
use crate::error::Error;
use crate::formats::{BoardRecord, Format, Writer};
use crate::language::Script;
use crate::observer::Observer as _;
use crate::printable::{thousands, with_noun};
use crate::report::PROGRAM;
use crate::report::page::rendered;
use crate::serve::app::App;
use crate::serve::board_files::{
    FormatChoice, also_written, chosen_formats, most_boards, packed, temporary_paths,
};
use crate::serve::jobs::{Job, JobKind, JobResult};
use crate::serve::origin::Visit;
use crate::serve::refusal::Refusal;
use crate::serve::uploads::Upload;
use crate::serve::watcher::JobWatcher;
use crate::tasks::DealFiles;
use crate::tasks::boards::{BoardFiles, BoardRequest, Conversion};

#[derive(Template)]
#[template(path = "convert.html", config = "src/serve/askama.toml")]
struct ConvertPage {
    layout: Layout,
    form: UploadForm,
    /// The format of the files, if it is not to be detected.
    from: String,
    /// The first format to be written.
    format: String,
    errors: FormErrors,
    most_megabytes: u64,
    read: Vec<(&'static str, &'static str)>,
    also: Vec<FormatChoice>,
}

/// What a form asks for beside its files.
struct ConvertOptions {
    from: Option<Format>,
    formats: Vec<Format>,
}

impl ConvertOptions {
    fn of(upload: &Upload) -> Result<Self, FormErrors> {
        let mut errors = FormErrors::default();
        if upload.files.is_empty() {
            errors.add(
                "files",
                "there are no boards: choose a file, or paste boards",
            );
        }
        let from = errors.value("from", read_format(upload.field("from")));
        let first = upload.field("format").unwrap_or_default();
        let formats = errors.value("format", chosen_formats(first, &upload.all("also")));
        match (from, formats) {
            (Some(from), Some(formats)) if errors.is_empty() => Ok(Self { from, formats }),
            _ => Err(errors),
        }
    }
}

pub(super) async fn show(State(app): State<App>) -> Response {
    page(&app, UploadForm::default(), None, FormErrors::default())
}

fn page(app: &App, form: UploadForm, upload: Option<&Upload>, errors: FormErrors) -> Response {
    let field = |name| {
        upload
            .and_then(|upload| upload.field(name))
            .map(str::to_owned)
    };
    let chosen = upload.map_or_else(Vec::new, |upload| upload.all("also"));
    let page = ConvertPage {
        layout: Layout::new("convert"),
        form,
        from: field("from").unwrap_or_default(),
        format: field("format").unwrap_or_else(|| Format::Pbn.name().to_owned()),
        errors,
        most_megabytes: app.limits.upload_bytes >> 20,
        read: Format::read()
            .map(|format| (format.name(), format.description()))
            .collect(),
        also: also_written(&chosen),
    };
    page.errors.answer(&page)
}

/// Receives files and starts their conversion.
pub(super) async fn start(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let upload = app.receive(request).await?;
    let options = match ConvertOptions::of(&upload) {
        Ok(options) => options,
        Err(errors) => {
            let form = UploadForm::of(&upload, &app).await;
            return Ok(page(&app, form, Some(&upload), errors));
        }
    };
    let order = order(JobKind::Conversion, &upload, "/convert", visit);
    let job = app.submit(order, move |app, job| perform(app, job, &upload, &options))?;
    Ok(to_begun_job(&app, &job).await)
}

fn perform(
    app: &App,
    job: &Arc<Job>,
    upload: &Upload,
    options: &ConvertOptions,
) -> Result<JobResult, Error> {
    let watcher = JobWatcher(Arc::clone(job));
    let (files, labels) = upload.files.iter().cloned().unzip();
    let files = DealFiles {
        files,
        labels,
        format: options.from,
        keeps_records: true,
        ..DealFiles::default()
    };
    let formats = &options.formats;
    let paths = temporary_paths(app, job, formats)?;
    let most = most_boards(app, formats);
    let conversion = Conversion {
        request: &BoardRequest::default(),
        script: &Script::parse("every board", "1")?,
        files,
        formats,
        labels: BoardRecord::default(),
        words: None,
    };
    let (mut written, mut boards) = (BoardFiles::default(), vec![0; formats.len()]);
    for (&format, path) in formats.iter().zip(&paths) {
        written.add(path, false, |out| Ok(Writer::new(out, format, 0, PROGRAM)?))?;
    }
    let done = conversion.write(&watcher, &mut |place, board, record| {
        boards[place] += 1;
        match boards[place] > most {
            true => Err(Error::input(format!(
                "there are more than {} boards, the most for the formats of this page",
                thousands(most)
            ))),
            false => written.write_record(place, board, record),
        }
    })?;
    written.finish()?;
    let read = with_noun(done.read, "board");
    if watcher.is_stop_asked() {
        return Err(Error::usage(format!("stopped after {read}")));
    }
    for loss in &done.losses {
        watcher.warn(loss);
    }
    let written = formats.iter().zip(&done.written);
    let written = written.map(|(format, boards)| (format.name(), with_noun(*boards, "board")));
    let facts = [("Read", read)].into_iter().chain(written);
    Ok(JobResult {
        html: rendered(&FactsResult(facts.collect())),
        download: Some(packed(app, "boards", formats, &paths)?),
        ..JobResult::default()
    })
}
