//! `deal --from`: the deals of files that satisfy a condition, in any format.

use std::io::{self, IsTerminal};

use fairdeal::Error;
use fairdeal::draw::Rotation;
use fairdeal::observer::Observer;
use fairdeal::printable::{thousands, with_noun};
use fairdeal::report::PROGRAM;
use fairdeal::run::DealCount;
use fairdeal::tasks::boards::Conversion;

use super::DealArguments;
use crate::cli::input::script_of;
use crate::cli::terminal::Terminal;
use crate::cli::{failure, log};

/// Writes the first deals of the files that satisfy the condition, with their double-dummy tricks;
/// with `--solve`, those that a file lacks are computed.
pub(super) fn execute(arguments: &DealArguments) -> Result<u8, Error> {
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
    let conversion = Conversion {
        request,
        script,
        files,
        format: arguments.format(),
        labels: arguments.set_labels(),
        words: words.as_ref(),
    };
    let wanted = arguments.deals.map(DealCount::get).or(script.produce);
    let mut file = arguments.file(wanted.unwrap_or(0), PROGRAM)?;
    // Boards and a bar cannot share a terminal.
    let terminal = Terminal::new(arguments.quiet || io::stdout().is_terminal());
    let done = conversion.write(&terminal, &mut |board, comment| {
        Ok(file.write_with(board, comment)?)
    })?;
    file.finish()?;
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
