//! Files of boards to download: one, or several formats in a zip archive.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use tempfile::TempPath;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::app::App;
use super::jobs::{Download, Job};
use crate::error::Error;
use crate::formats::Format;
use crate::tasks::boards::board_paths;

/// The formats that pages write: all that store no tricks.
pub(super) fn written_formats() -> impl Iterator<Item = Format> {
    Format::written().filter(|format| *format != Format::Zrd)
}

/// A format as a form shows it: its name, its description, and whether it is chosen.
pub(super) type FormatChoice = (&'static str, &'static str, bool);

/// The formats that a form can write besides the first, of which these are chosen.
pub(super) fn also_written(chosen: &[String]) -> Vec<FormatChoice> {
    let choice = |format: Format| {
        let is_chosen = chosen.iter().any(|name| name == format.name());
        (format.name(), format.description(), is_chosen)
    };
    written_formats().map(choice).collect()
}

/// The formats of these names, each once: the first, which is PBN without a name, and others.
pub(super) fn chosen_formats(first: &str, others: &[String]) -> Result<Vec<Format>, String> {
    let first = if first.is_empty() { "pbn" } else { first };
    let mut formats: Vec<Format> = Vec::new();
    for name in [first].into_iter().chain(others.iter().map(String::as_str)) {
        let format = Format::named(name).filter(|of| written_formats().any(|known| known == *of));
        let format = format.ok_or_else(|| format!("no format `{name}`: choose one of the list"))?;
        let is_like = |other: &&Format| other.file_ending() == format.file_ending();
        match formats.iter().find(is_like) {
            Some(other) if *other == format => {}
            Some(other) => {
                let (other, ending) = (other.name(), format.file_ending());
                return Err(format!(
                    "files of the formats {other} and {name} both end in .{ending}: choose one of them"
                ));
            }
            None => formats.push(format),
        }
    }
    Ok(formats)
}

/// The maximum number of boards in these formats.
pub(super) fn most_boards(app: &App, formats: &[Format]) -> u64 {
    let most = |format: &Format| match format {
        Format::Html => app.limits.sheet_boards,
        format => app.limits.boards.min(format.most_boards()),
    };
    let most = formats.iter().map(most).min();
    most.unwrap_or(app.limits.boards)
}

/// The paths of a job's files in these formats. The files are removed with the paths.
pub(super) fn temporary_paths(
    app: &App,
    job: &Job,
    formats: &[Format],
) -> Result<Vec<TempPath>, Error> {
    let paths = board_paths(&app.uploads.place(&job.id), formats, false)?;
    let paths = paths.into_iter().map(TempPath::try_from_path);
    paths.collect::<io::Result<_>>().map_err(Error::io)
}

/// A file to download: its name, its format, and where it is.
pub(super) type PackedFile<'f> = (String, Format, &'f Path);

/// The download of files in these formats, with this name and the ending of the format or `.zip`.
pub(super) fn packed(
    app: &App,
    name: &str,
    formats: &[Format],
    paths: &[TempPath],
) -> Result<Download, Error> {
    let files = formats.iter().zip(paths);
    let files = files.map(|(format, path)| {
        let name = format!("{name}.{}", format.file_ending());
        (name, *format, &**path)
    });
    packed_files(app, name, &files.collect::<Vec<_>>())
}

/// The download of one file, which is moved, or of an archive of this name.
pub(super) fn packed_files(
    app: &App,
    name: &str,
    files: &[PackedFile<'_>],
) -> Result<Download, Error> {
    let kept = app.uploads.file().map_err(Error::io)?;
    if let [(name, format, path)] = files {
        let kept = kept.into_temp_path();
        fs::rename(path, &kept).map_err(Error::io)?;
        let mut download = Download::new(&app.uploads, kept, name, format.media_type())?;
        download.is_page = *format == Format::Html;
        return Ok(download);
    }
    let file = kept.reopen().map_err(Error::io)?;
    archive(file, files).map_err(Error::io)?;
    let name = format!("{name}.zip");
    Download::new(
        &app.uploads,
        kept.into_temp_path(),
        &name,
        "application/zip",
    )
}

fn archive(file: File, files: &[PackedFile<'_>]) -> io::Result<()> {
    let mut archive = ZipWriter::new(BufWriter::new(file));
    for (name, _, path) in files {
        archive.start_file(name.as_str(), SimpleFileOptions::default())?;
        io::copy(&mut File::open(path)?, &mut archive)?;
    }
    archive.finish()?.flush()
}
