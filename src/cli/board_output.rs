//! Where boards are written, and in which formats.

use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use clap::Args;

use fairdeal::Error;
use fairdeal::formats::{Format, Writer};
use fairdeal::printable::display_path;
use fairdeal::tasks::boards::{BoardBytes, BoardFiles, board_paths};

/// Formats and files of boards.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(super) struct BoardOutput {
    /// Formats of the boards, such as pbn,lin,dup; `--format help` lists them
    ///
    /// The default is the format of the ending of --out; without it, `deal` prints line. Several formats
    /// need --out.
    #[arg(long, value_name = "NAMES", hide_possible_values = true, value_delimiter = ',',
        value_parser = super::deal::formats(Format::written()))]
    format: Vec<Format>,

    /// Write to this file instead of standard output
    ///
    /// Without an ending, or with several formats, the ending of the format is added.
    #[arg(short, long, value_name = "OUT", group = "written")]
    out: Option<PathBuf>,

    /// Overwrite existing files
    #[arg(long, requires = "written")]
    pub(super) force: bool,
}

impl BoardOutput {
    /// The formats that are named, or that of the ending of the file; none if nothing names one.
    ///
    /// # Errors
    ///
    /// If no format has the ending, or several formats have no file.
    pub(super) fn formats(&self) -> Result<Vec<Format>, Error> {
        let ending = self.out.as_deref().and_then(Path::extension);
        match (&self.out, ending, &self.format[..]) {
            (Some(out), Some(ending), []) => {
                let named = ending.to_str().and_then(Format::of_ending);
                let unknown = || {
                    let message = "no format that is written has this ending: add --format";
                    Error::usage(message).context(display_path(out))
                };
                Ok(vec![named.ok_or_else(unknown)?])
            }
            (None, _, [_, _, ..]) => {
                let message = "several formats are written to files: add --out";
                Err(Error::usage(message))
            }
            (_, _, formats) => Ok(formats.to_vec()),
        }
    }

    /// Whether boards go to standard output.
    pub(super) fn is_printed(&self) -> bool {
        self.out.is_none()
    }

    /// Opens the files of these formats, in the same order.
    pub(super) fn open(
        &self,
        formats: &[Format],
        begin: &dyn Fn(BoardBytes, Format) -> Result<Writer<BoardBytes>, Error>,
    ) -> Result<BoardFiles, Error> {
        let Some(out) = &self.out else {
            let out = BufWriter::new(Box::new(io::stdout().lock()) as _);
            return Ok(BoardFiles::to_output(begin(out, formats[0])?));
        };
        let mut files = BoardFiles::default();
        let paths = board_paths(out, formats, self.force)?;
        for (path, &format) in paths.iter().zip(formats) {
            files.add(path, self.force, |out| begin(out, format))?;
        }
        Ok(files)
    }
}
