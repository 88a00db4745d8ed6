//! Boards of files in other formats: all of them (`convert`), or those that satisfy a condition
//! (`deal --from`).

use std::io::{self, IsTerminal};

use fairdeal::Error;
use fairdeal::draw::Rotation;
use fairdeal::formats::{Format, PageLayout, Writer};
use fairdeal::observer::Observer;
use fairdeal::printable::{thousands, with_noun};
use fairdeal::report::PROGRAM;
use fairdeal::tasks::boards::Conversion;

use super::DealArguments;
use crate::cli::board_output::BoardOutput;
use crate::cli::input::script_of;
use crate::cli::terminal::Terminal;
use crate::cli::{failure, log};

/// Boards of files, and where they are written.
pub(in crate::cli) struct FileConversion<'a> {
    pub(in crate::cli) conversion: Conversion<'a>,
    pub(in crate::cli) layout: PageLayout,
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
        conversion: Conversion {
            request,
            script,
            files,
            formats,
            labels: arguments.set_labels(),
            words: words.as_ref(),
        },
        layout: arguments.sets.layout(),
        output: &arguments.output,
        is_quiet: arguments.quiet,
    };
    conversion.execute()
}

impl FileConversion<'_> {
    pub(in crate::cli) fn execute(mut self) -> Result<u8, Error> {
        let conversion = &mut self.conversion;
        conversion.files.keeps_records = true;
        let wanted = conversion.wanted();
        let mut files = self.output.open(conversion.formats, &|out, format| {
            let file = Writer::new(out, format, wanted.unwrap_or(0), PROGRAM)?;
            let file = file.with_labels(conversion.labels.clone());
            Ok(file.with_layout(self.layout.clone()))
        })?;
        // Boards and a bar cannot share a terminal.
        let shares_terminal = self.output.is_printed() && io::stdout().is_terminal();
        let terminal = Terminal::new(self.is_quiet || shares_terminal);
        let done = conversion.write(&terminal, &mut |place, board, record| {
            files.write_record(place, board, record)
        })?;
        files.finish()?;
        for loss in &done.losses {
            terminal.warn(loss);
        }
        let (read, written) = (with_noun(done.read, "deal"), done.written.iter());
        let written = written.copied().min().unwrap_or(0);
        if let Some(wanted) = wanted.filter(|wanted| *wanted > written) {
            log::error(format!(
                "found {} of {} deals among the {read} of the files",
                thousands(written),
                thousands(wanted),
            ));
            return Ok(failure::GAVE_UP);
        }
        if written == 0 {
            log::warning(format!(
                "none of the {read} of the files satisfies the condition"
            ))?;
        }
        Ok(0)
    }
}
