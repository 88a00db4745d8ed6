//! `deal --from`: the deals of files that satisfy a condition, in any format.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;

use fairdeal::Error;
use fairdeal::draw::Aes128Ctr;
use fairdeal::formats::Writer;
use fairdeal::observer::Observer;
use fairdeal::printable::{thousands, with_noun};
use fairdeal::report::PROGRAM;
use fairdeal::run::DealCount;
use fairdeal::tasks::boards::{Conversion, Labelling};
use fairdeal::tasks::{LibraryDeal, LibrarySink, deals_of_library, solved_deals_of_library};

use super::{DealArguments, Out};
use crate::cli::input::LibraryOptions;
use crate::cli::run::library::script_of;
use crate::cli::terminal::Terminal;
use crate::cli::{failure, log};

/// Writes the first deals of the files that satisfy the condition, with their double-dummy tricks;
/// with `--solve`, those that a file lacks are computed.
pub(super) fn execute(arguments: &DealArguments) -> Result<u8, Error> {
    let rotation = arguments.sets.rotation();
    let is_random = rotation.is_some_and(|rotation| rotation.is_random);
    let words = arguments.words.given().filter(|_| !is_random);
    LibraryOptions::refuse(&[
        (words.unwrap_or_default(), words.is_some()),
        ("--defect", arguments.defect.is_some()),
        ("--dealer-output", arguments.dealer_output),
        ("--explain", arguments.explain),
        ("--shares", arguments.shares.is_some()),
        ("--max-tries", arguments.max_tries.is_some()),
    ])?;
    LibraryOptions::refuse(&arguments.options.given())?;
    arguments.library.refuse_same_source(&arguments.input)?;
    arguments.words.refuse_same_source(&arguments.input)?;
    let (_, input) = arguments.input.clone().with_tables().resolve()?;
    let script = &*script_of(input)?;
    let mut request = arguments.library.request();
    request.deals = script.generate;
    let random = is_random
        .then(|| arguments.words.request().words())
        .transpose()?;
    if let Some(words) = random.as_ref().filter(|words| words.is_fresh) {
        log::tell(format!("seed {}", words.seed))?;
    }
    let unused = Aes128Ctr::new(0);
    let generator = random
        .as_ref()
        .map_or(&unused as _, |words| &*words.generator);
    let of_boards = arguments.request();
    let wanted = arguments.deals.map(DealCount::get).or(script.produce);
    let set_labels = arguments.sets.labels(arguments.labels.event.as_ref());
    let mut boards = ConvertedBoards {
        conversion: Conversion::new(&of_boards, arguments.format(), set_labels),
        labels: Labelling::new(&of_boards, script, generator),
        file: arguments.file(wanted.unwrap_or(0), PROGRAM)?,
        found: 0,
        wanted,
    };
    // Boards and a bar cannot share a terminal.
    let terminal = Terminal::new(arguments.quiet || io::stdout().is_terminal());
    let read = match arguments.solve {
        true => {
            let most = wanted.unwrap_or(u64::MAX);
            solved_deals_of_library(script, &request, most, &terminal, &mut boards)
        }
        false => deals_of_library(script, &request, &terminal, &mut boards),
    }?;
    let found = boards.found;
    boards.file.finish()?;
    for loss in boards.conversion.losses() {
        terminal.warn(&loss);
    }
    match wanted.filter(|wanted| *wanted > found) {
        None => {
            if found == 0 {
                let deals = with_noun(read, "deal");
                log::warning(format!(
                    "none of the {deals} of the files satisfies the condition"
                ))?;
            }
            Ok(0)
        }
        Some(wanted) => {
            log::error(format!(
                "found {} of {} deals among the {} of the files",
                thousands(found),
                thousands(wanted),
                with_noun(read, "deal")
            ));
            Ok(failure::GAVE_UP)
        }
    }
}

/// Labels the boards of files and writes them.
struct ConvertedBoards<'a> {
    conversion: Conversion<'a>,
    labels: Labelling<'a>,
    file: Writer<Out>,
    found: u64,
    wanted: Option<u64>,
}

impl LibrarySink for ConvertedBoards<'_> {
    fn admits(&mut self, deal: &LibraryDeal) -> Result<bool, Error> {
        let is_repeat = self.conversion.is_repeat(&deal.dealt.deal, &deal.source)?;
        Ok(!is_repeat)
    }

    fn take(&mut self, deal: &LibraryDeal) -> Result<ControlFlow<()>, Error> {
        self.found += 1;
        let (board, comment) = self
            .labels
            .next_from(&deal.source, self.found, &deal.dealt)?;
        self.file.write_with(&board, &comment)?;
        self.conversion.wrote(&board, &deal.source);
        Ok(match self.wanted == Some(self.found) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }
}
