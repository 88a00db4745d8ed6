//! `fairdeal convert`

use std::path::PathBuf;

use clap::Args;

use fairdeal::Error;
use fairdeal::formats::{BoardRecord, Format, PageLayout};
use fairdeal::language::Script;
use fairdeal::tasks::DealFiles;
use fairdeal::tasks::boards::{BoardRequest, Conversion};

use super::board_output::BoardOutput;
use super::deal::FileConversion;

const EXAMPLES: &str = "\
Examples:
  fairdeal convert club.pbn -o club.lin
  fairdeal convert club.pbn --format dup,html -o tonight
  fairdeal convert vugraph.lin --format pbn > vugraph.pbn

Exit codes: 0 done; 64 wrong usage; 65 bad input; 74 reading or writing failed.";

/// Write the boards of files in other formats
///
/// Boards keep number, dealer, vulnerability, event, players, auction, contract, result, play and
/// comments wherever the format stores them; a warning for each kind says what it does not store.
/// Replays (the number and the cards of an earlier board) become one board, except in pbn and json,
/// which have the record of each table. `deal --from` takes the boards that satisfy a condition,
/// and changes labels.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct ConvertArguments {
    /// Files of boards, in any format that `audit` reads, plain, compressed or
    /// in archives; - is standard input
    #[arg(value_name = "IN", required = true)]
    files: Vec<PathBuf>,

    /// Format of the files [default: detected]
    #[arg(long, value_name = "NAME", hide_possible_values = true,
        value_parser = super::deal::formats(Format::read()))]
    from_format: Option<Format>,

    #[command(flatten)]
    output: BoardOutput,

    /// Print nothing but boards and errors
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

pub(super) fn execute(arguments: &ConvertArguments) -> Result<u8, Error> {
    let formats = arguments.output.formats()?;
    if formats.is_empty() {
        let message = "the format of the boards is not known: add --format, or an ending to --out";
        return Err(Error::usage(message));
    }
    let every_board = Script::parse("every board", "1")?;
    let conversion = FileConversion {
        conversion: Conversion {
            request: &BoardRequest::default(),
            script: &every_board,
            files: DealFiles {
                files: arguments.files.clone(),
                format: arguments.from_format,
                ..DealFiles::default()
            },
            formats: &formats,
            labels: BoardRecord::default(),
            words: None,
        },
        layout: PageLayout::default(),
        output: &arguments.output,
        is_quiet: arguments.quiet,
    };
    conversion.execute()
}
