//! Boards of files in other formats: all of them (`convert`), or those that satisfy a condition
//! (`deal --from`).

use std::io::{self, IsTerminal};

use fairdeal::Error;
use fairdeal::draw::Rotation;
use fairdeal::formats::{BoardRecord, Format, PageLayout, Writer};
use fairdeal::language::Script;
use fairdeal::observer::Observer;
use fairdeal::printable::{thousands, with_noun};
use fairdeal::report::PROGRAM;
use fairdeal::run::DealCount;
use fairdeal::tasks::boards::{BoardRequest, Conversion};
use fairdeal::tasks::{DealFiles, RandomWords};

use super::DealArguments;
use crate::cli::board_output::BoardOutput;
use crate::cli::input::script_of;
use crate::cli::terminal::Terminal;
use crate::cli::{failure, log};

/// Boards of files, to be written in one or several formats.
pub(in crate::cli) struct FileConversion<'a> {
    pub(in crate::cli) request: &'a BoardRequest,
    pub(in crate::cli) script: &'a Script,
    pub(in crate::cli) files: DealFiles,
    pub(in crate::cli) labels: BoardRecord,
    pub(in crate::cli) words: Option<&'a RandomWords>,
    pub(in crate::cli) layout: PageLayout,
    pub(in crate::cli) formats: &'a [Format],
    pub(in crate::cli) output: &'a BoardOutput,
    pub(in crate::cli) is_quiet: bool,
}

/// Writes the first deals of the files that satisfy the condition, with their double-dummy tricks;
/// with `--solve`, those that a file lacks are computed.
pub(super) fn execute(arguments: &DealArguments, formats: &[Format]) -> Result<u8, Error> {
    let is_random = arguments.sets.rotate.is_some_and(Rotation::is_random);
    let words = arguments.words.given().filter(|_| !is_random);
    if let Some(option) = words {
        let message = format!("--from takes deals from files: leave out {option}");
        return Err(Error::usage(message));
    }
    arguments.files.refuse_same_source(&arguments.input)?;
    arguments.words.refuse_same_source(&arguments.input)?;
    let (_, input) = arguments.input.clone().with_tables().resolve()?;
    let script = &*script_of(input, "--from")?;
    let mut files = arguments.files.request();
    files.deals = script.generate;
    let request = &arguments.request();
    let words = is_random.then(|| request.random.words()).transpose()?;
    if let Some(words) = words.as_ref().filter(|words| words.is_fresh) {
        log::tell(format!("seed {}", words.seed))?;
    }
    let conversion = FileConversion {
        request,
        script,
        files,
        labels: arguments.set_labels(),
        words: words.as_ref(),
        layout: arguments.sets.layout(),
        formats,
        output: &arguments.output,
        is_quiet: arguments.quiet,
    };
    conversion.execute()
}

impl FileConversion<'_> {
    /// Writes the boards, in each format on its own: what is a replay depends on the format.
    pub(in crate::cli) fn execute(self) -> Result<u8, Error> {
        let reads_stdin = self.files.files.iter().any(|file| file.as_os_str() == "-");
        if reads_stdin && self.formats.len() > 1 {
            let message = "standard input is read once: write one format, or name a file";
            return Err(Error::usage(message));
        }
        let mut code = 0;
        for place in 0..self.formats.len() {
            code = self.write(place)?;
            if code != 0 {
                break;
            }
        }
        Ok(code)
    }

    /// Writes the boards in the format at this place.
    fn write(&self, place: usize) -> Result<u8, Error> {
        let conversion = Conversion {
            request: self.request,
            script: self.script,
            files: DealFiles {
                keeps_records: true,
                ..self.files.clone()
            },
            format: self.formats[place],
            labels: self.labels.clone(),
            words: self.words,
        };
        let wanted = self.request.boards.map(DealCount::get);
        let wanted = wanted.or(self.script.produce);
        let mut files = self
            .output
            .open(self.formats, Some(place), &|out, format| {
                let file = Writer::new(out, format, wanted.unwrap_or(0), PROGRAM)?;
                let file = file.with_labels(self.labels.clone());
                Ok(file.with_layout(self.layout))
            })?;
        // Boards and a bar cannot share a terminal.
        let shares_terminal = self.output.is_printed() && io::stdout().is_terminal();
        let terminal = Terminal::new(self.is_quiet || shares_terminal);
        let done = conversion.write(&terminal, &mut |board, record| {
            files.write_record(board, record)
        })?;
        files.finish()?;
        for loss in &done.losses {
            terminal.warn(loss);
        }
        let read = with_noun(done.read, "deal");
        if let Some(wanted) = wanted.filter(|wanted| *wanted > done.written) {
            log::error(format!(
                "found {} of {} deals among the {read} of the files",
                thousands(done.written),
                thousands(wanted),
            ));
            return Ok(failure::GAVE_UP);
        }
        if done.written == 0 {
            log::warning(format!(
                "none of the {read} of the files satisfies the condition"
            ))?;
        }
        Ok(0)
    }
}
