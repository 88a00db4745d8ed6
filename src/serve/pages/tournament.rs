//! *Tournament*: a tournament of SquareDeal is prepared, gets its value, is dealt, and its hand
//! records are compared with its boards.
//!
//! The keys of a new tournament go to the browser and are not kept.

use std::io::{Cursor, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Form, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::form_errors::FormErrors;
use super::job::to_begun_job;
use super::layout::Layout;
use super::upload_form::{FactsResult, UploadForm, order};
use crate::error::Error;
use crate::formats::Format;
use crate::printable::{printable, thousands};
use crate::report::page::rendered;
use crate::serve::app::App;
use crate::serve::board_files::{
    FormatChoice, PackedFile, also_written, chosen_formats, packed_files,
};
use crate::serve::jobs::{Download, Job, JobFailure, JobKind, JobResult, header_name};
use crate::serve::origin::Visit;
use crate::serve::refusal::Refusal;
use crate::serve::uploads::Upload;
use crate::serve::watcher::JobWatcher;
use crate::squaredeal::{BoardRange, HandSet, Phase};
use crate::tasks::squaredeal::{
    DealtTournament, NewTournament, SessionChoice, TournamentFile, TournamentFiles,
    VerifiedTournament,
};

#[derive(Template)]
#[template(path = "tournament.html", config = "src/serve/askama.toml")]
struct TournamentPage {
    layout: Layout,
    form: UploadForm,
    new: NewForm,
    fields: DealFields,
    errors: FormErrors,
    most_megabytes: u64,
    also: Vec<FormatChoice>,
}

#[derive(Template)]
#[template(path = "tournament_result.html", config = "src/serve/askama.toml")]
struct TournamentResult<'r> {
    verified: &'r VerifiedTournament,
    /// The colour class of the result.
    level: &'static str,
}

/// The form of a new tournament.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct NewForm {
    event: String,
    name: String,
    value_name: String,
    /// A phase a line.
    phases: String,
}

/// The fields beside files, as they were filled in.
#[derive(Debug, Default)]
struct DealFields {
    value: String,
    phase: String,
    session: String,
    boards: String,
    reserve: String,
    format: String,
    also: Vec<String>,
}

impl DealFields {
    fn of(upload: &Upload) -> Self {
        let text = |name| upload.field(name).unwrap_or_default().to_owned();
        Self {
            value: text("value"),
            phase: text("phase"),
            session: text("session"),
            boards: text("boards"),
            reserve: text("reserve"),
            format: text("format"),
            also: upload.all("also"),
        }
    }
}

/// What is done with files of a tournament.
enum TournamentTask {
    /// A description gets its value.
    Value(TournamentFile, String),
    /// Sessions are dealt.
    Deal {
        files: TournamentFiles,
        choice: SessionChoice,
        set: HandSet,
        formats: Vec<Format>,
    },
    /// Hand records, with their names, are compared with the boards.
    Verify {
        files: TournamentFiles,
        records: Vec<(PathBuf, String)>,
    },
}

impl TournamentTask {
    fn of(upload: &Upload, fields: &DealFields) -> Result<Self, FormErrors> {
        let mut errors = FormErrors::default();
        let mut records = upload.files.clone();
        let task = match upload.field("do") {
            Some("value") => {
                let file = description(&records);
                let file = errors.value("files", file);
                if fields.value.is_empty() {
                    errors.add("value", "type the value");
                }
                file.map(|file| Self::Value(file, fields.value.clone()))
            }
            Some("deal") => {
                let files = errors.value("files", tournament(&mut records));
                let boards = match &*fields.boards {
                    "" => Ok(None),
                    text => text.parse::<BoardRange>().map(Some),
                };
                let formats = chosen_formats(&fields.format, &fields.also);
                let choice = SessionChoice {
                    phase: errors.value("phase", number(&fields.phase)).flatten(),
                    session: errors.value("session", number(&fields.session)).flatten(),
                    range: errors.value("boards", boards).flatten(),
                };
                let formats = errors.value("format", formats).unwrap_or_default();
                let set = match fields.reserve.is_empty() {
                    true => HandSet::Original,
                    false => HandSet::Reserve,
                };
                files.map(|files| Self::Deal {
                    files,
                    choice,
                    set,
                    formats,
                })
            }
            _ => {
                let files = tournament(&mut records).and_then(|files| match records.is_empty() {
                    true => Err("choose the hand records too".into()),
                    false => Ok(files),
                });
                let files = errors.value("files", files);
                files.map(|files| Self::Verify { files, records })
            }
        };
        match task {
            Some(task) if errors.is_empty() => Ok(task),
            _ => Err(errors),
        }
    }

    fn perform(self, app: &App, job: &Arc<Job>) -> Result<JobResult, Error> {
        let watcher = JobWatcher(Arc::clone(job));
        match self {
            Self::Value(file, typed) => {
                let (value, bytes) = file.with_value(&typed)?;
                let kept = app.uploads.file().map_err(Error::io)?;
                kept.as_file().write_all(&bytes).map_err(Error::io)?;
                let path = kept.into_temp_path();
                let media_type = "application/octet-stream";
                Ok(JobResult {
                    html: rendered(&FactsResult(vec![("Value", value)])),
                    download: Some(Download::new(&app.uploads, path, &file.name, media_type)?),
                    ..JobResult::default()
                })
            }
            Self::Deal {
                files,
                choice,
                set,
                formats,
            } => deal(app, &watcher, &files, (choice, set), formats),
            Self::Verify { files, records } => {
                let (records, labels): (Vec<_>, Vec<_>) = records.into_iter().unzip();
                let verified = files.verify(&records, &labels, None, &watcher)?;
                let page = TournamentResult {
                    verified: &verified,
                    level: match verified.found.agrees() {
                        true => "pass",
                        false => "fail",
                    },
                };
                Ok(JobResult {
                    html: rendered(&page),
                    ..JobResult::default()
                })
            }
        }
    }
}

/// Deals sessions in all formats, a file for each.
fn deal(
    app: &App,
    watcher: &JobWatcher,
    files: &TournamentFiles,
    (choice, set): (SessionChoice, HandSet),
    formats: Vec<Format>,
) -> Result<JobResult, Error> {
    let (tournament, keys) = files.read(watcher)?;
    let sessions = choice.of(&tournament)?;
    let boards: u64 = sessions.iter().map(|of| u64::from(of.range.boards())).sum();
    let most = match formats.contains(&Format::Html) {
        true => app.limits.sheet_boards,
        false => app.limits.boards,
    };
    if boards > most {
        let (boards, most) = (thousands(boards), thousands(most));
        return Err(Error::usage(format!(
            "these sessions have {boards} boards, and this page deals {most}: choose \
             a phase and a session"
        )));
    }
    let name = tournament.name.clone();
    let folder = app.uploads.folder().map_err(Error::io)?;
    let mut dealt = DealtTournament {
        tournament,
        keys,
        set,
        format: Format::Pbn,
    };
    let mut written = Vec::new();
    for format in formats {
        dealt.format = format;
        let (paths, _) = dealt.write_files(folder.path(), &sessions, false)?;
        written.extend(paths.into_iter().map(|path| (format, path)));
    }
    let packed = written.iter().map(|(format, path)| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        (name.into_owned(), *format, &**path)
    });
    let packed: Vec<PackedFile<'_>> = packed.collect();
    let facts = vec![
        ("Tournament", name.clone()),
        ("Sessions", thousands(sessions.len() as u64)),
        ("Boards", thousands(boards)),
        ("Files", thousands(packed.len() as u64)),
    ];
    Ok(JobResult {
        html: rendered(&FactsResult(facts)),
        download: Some(packed_files(app, &name, &packed)?),
        ..JobResult::default()
    })
}

/// The description among the files.
fn description(files: &[(PathBuf, String)]) -> Result<TournamentFile, JobFailure> {
    match files {
        [(path, name)] => Ok(TournamentFile {
            path: path.clone(),
            name: printable(name).into_owned(),
        }),
        _ => Err("choose the description (.sqd) alone".into()),
    }
}

/// The description and the keys, taken from the files.
fn tournament(files: &mut Vec<(PathBuf, String)>) -> Result<TournamentFiles, JobFailure> {
    let found = TournamentFiles::take_from(files)?;
    found.ok_or_else(|| "choose the description (.sqd) and the keys (.sqk) too".into())
}

/// A number from 1 on, as it is typed; `None` if the field is empty.
fn number(text: &str) -> Result<Option<u32>, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    match (text, number) {
        ("", _) => Ok(None),
        (_, None) => Err(format!("`{text}` is not a number from 1 on")),
        (_, number) => Ok(number),
    }
}

pub(super) async fn show(State(app): State<App>) -> Response {
    let (form, fields) = (UploadForm::default(), DealFields::default());
    page(
        &app,
        NewForm::example(),
        form,
        fields,
        FormErrors::default(),
    )
}

fn page(
    app: &App,
    new: NewForm,
    form: UploadForm,
    mut fields: DealFields,
    errors: FormErrors,
) -> Response {
    if fields.format.is_empty() {
        fields.format = Format::Pbn.name().to_owned();
    }
    let page = TournamentPage {
        layout: Layout::new("tournament"),
        form,
        new,
        also: also_written(&fields.also),
        fields,
        errors,
        most_megabytes: app.limits.upload_bytes >> 20,
    };
    page.errors.answer(&page)
}

/// Answers with the description and the keys of a new tournament, which nothing here keeps.
pub(super) async fn prepare(State(app): State<App>, Form(new): Form<NewForm>) -> Response {
    match new.archive() {
        Ok((name, bytes)) => {
            let disposition = format!("attachment; filename=\"{name}.zip\"");
            let headers = [
                (CONTENT_TYPE, "application/zip".to_owned()),
                (CONTENT_DISPOSITION, disposition),
            ];
            (headers, bytes).into_response()
        }
        Err(errors) => {
            let (form, fields) = (UploadForm::default(), DealFields::default());
            page(&app, new, form, fields, errors)
        }
    }
}

impl NewForm {
    /// What the form suggests.
    fn example() -> Self {
        Self {
            event: "tournament".to_owned(),
            phases: "1:1-24:S#:Session #".to_owned(),
            ..Self::default()
        }
    }

    /// An archive of both files, and its name.
    fn archive(&self) -> Result<(String, Vec<u8>), FormErrors> {
        let mut errors = FormErrors::default();
        for (field, text) in [("name", &self.name), ("value_name", &self.value_name)] {
            if text.trim().is_empty() {
                errors.add(field, "this is needed");
            }
        }
        let phases = self.phases.lines().filter(|line| !line.trim().is_empty());
        let phases: Result<Vec<Phase>, String> = phases.map(str::parse).collect();
        let phases = errors.value("phases", phases);
        let (Some(phases), true) = (phases, errors.is_empty()) else {
            return Err(errors);
        };
        let event = match header_name(self.event.trim()) {
            event if event.is_empty() => "tournament".to_owned(),
            event => event,
        };
        let new = NewTournament::new(&self.name, &self.value_name, &phases);
        let packed = new.and_then(|new| {
            let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
            for (ending, text) in [("sqd", new.description), ("sqk", new.keys)] {
                let name = format!("{event}.{ending}");
                archive
                    .start_file(name, SimpleFileOptions::default())
                    .map_err(Error::io)?;
                archive.write_all(text.as_bytes()).map_err(Error::io)?;
            }
            Ok(archive.finish().map_err(Error::io)?.into_inner())
        });
        let bytes = errors.value("phases", packed);
        bytes.map(|bytes| (event, bytes)).ok_or(errors)
    }
}

/// Receives files and starts what the pressed button says.
pub(super) async fn start(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let upload = app.receive(request).await?;
    let fields = DealFields::of(&upload);
    let task = match TournamentTask::of(&upload, &fields) {
        Ok(task) => task,
        Err(errors) => {
            let form = UploadForm::of(&upload, &app).await;
            return Ok(page(&app, NewForm::example(), form, fields, errors));
        }
    };
    let order = order(JobKind::Verification, &upload, "/tournament", visit);
    // The upload is kept until its files are read.
    let job = app.submit(order, move |app, job| {
        let result = task.perform(app, job);
        drop(upload);
        result
    })?;
    Ok(to_begun_job(&app, &job).await)
}
