//! The files of a set, one for each format.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::NamedTempFile;

use crate::atomic_file::{begin_part, folder_of, publish, publish_new, target_of};
use crate::error::{Error, Remedy};
use crate::formats::{Board, BoardRecord, Format, Writer};
use crate::printable::display_path;

/// The bytes of a file of boards, or of standard output.
pub type BoardBytes = BufWriter<Box<dyn Write>>;

/// The same boards in one file or several.
#[derive(Debug, Default)]
pub struct BoardFiles {
    files: Vec<BoardFile>,
}

struct BoardFile {
    writer: Writer<BoardBytes>,
    /// The file that is not published yet, and its path; `None` for standard output.
    part: Option<(NamedTempFile<Arc<File>>, PathBuf)>,
    /// Whether the file may exist.
    overwrites: bool,
}

impl std::fmt::Debug for BoardFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoardFile")
            .field("part", &self.part)
            .finish_non_exhaustive()
    }
}

/// The paths of files in these formats: `out` with the ending of each, or `out` itself for one
/// format if it has an ending.
///
/// # Errors
///
/// If two formats have the same ending, or a file exists and is not to be overwritten.
pub fn board_paths(
    out: &Path,
    formats: &[Format],
    overwrites: bool,
) -> Result<Vec<PathBuf>, Error> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for format in formats {
        let mut path = out.to_owned();
        if formats.len() > 1 || out.extension().is_none() {
            let mut name = OsString::from(out);
            name.push(format!(".{}", format.file_ending()));
            path = name.into();
        }
        if paths.contains(&path) {
            let message = "two of the formats would be written to this file: write one at a time";
            return Err(Error::usage(message).context(display_path(&path)));
        }
        if !overwrites {
            refuse_existing(&path)?;
        }
        paths.push(path);
    }
    Ok(paths)
}

/// Fails if there is something at this path, which is then to be overwritten or left.
pub(crate) fn refuse_existing(path: &Path) -> Result<(), Error> {
    match path.symlink_metadata() {
        Ok(_) => {
            let error = io::Error::from(io::ErrorKind::AlreadyExists);
            Err(Error::of(display_path(path), error).with_remedy(Remedy::OverwriteFile))
        }
        Err(_) => Ok(()),
    }
}

impl BoardFiles {
    /// Writes to standard output.
    pub fn to_output(writer: Writer<BoardBytes>) -> Self {
        let (part, overwrites) = (None, false);
        let file = BoardFile {
            writer,
            part,
            overwrites,
        };
        Self { files: vec![file] }
    }

    /// Begins another file, which gets its name when all are complete.
    ///
    /// # Errors
    ///
    /// If it cannot be begun.
    pub fn add(
        &mut self,
        path: &Path,
        overwrites: bool,
        begin: impl FnOnce(BoardBytes) -> Result<Writer<BoardBytes>, Error>,
    ) -> Result<(), Error> {
        let begun = || -> io::Result<(NamedTempFile, PathBuf)> {
            let target = target_of(path)?;
            Ok((begin_part(folder_of(&target))?, target))
        };
        let (part, target) = begun().map_err(|error| Error::of(display_path(path), error))?;
        let (file, place) = part.into_parts();
        // Not every system has a second handle of a file.
        let file = Arc::new(file);
        let writer = begin(BufWriter::new(Box::new(Arc::clone(&file))))?;
        let part = Some((NamedTempFile::from_parts(file, place), target));
        self.files.push(BoardFile {
            writer,
            part,
            overwrites,
        });
        Ok(())
    }

    /// Writes the next board with the labels of the files, a comment and the type of its deal.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`].
    pub fn write_with(
        &mut self,
        board: &Board,
        comment: &str,
        deal_type: &str,
    ) -> Result<(), Error> {
        for file in &mut self.files {
            file.writer.write_with(board, comment, deal_type)?;
        }
        Ok(())
    }

    /// Writes the next board of one file with its record.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`].
    pub fn write_record(
        &mut self,
        place: usize,
        board: &Board,
        record: &BoardRecord,
    ) -> Result<(), Error> {
        Ok(self.files[place].writer.write_record(board, record)?)
    }

    /// Writes out the boards so far, where the format allows it.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn flush(&mut self) -> io::Result<()> {
        self.files
            .iter_mut()
            .try_for_each(|file| file.writer.flush())
    }

    /// Ends all files, and gives them their names.
    ///
    /// # Errors
    ///
    /// If writing fails, or a file exists.
    pub fn finish(self) -> Result<(), Error> {
        let mut parts = Vec::new();
        for file in self.files {
            file.writer.finish()?;
            parts.extend(file.part.map(|part| (part, file.overwrites)));
        }
        for ((part, path), overwrites) in parts {
            let published = match overwrites {
                true => publish(part, &path),
                false => publish_new(part, &path),
            };
            published.map_err(|error| Error::of(display_path(&path), error))?;
        }
        Ok(())
    }
}
