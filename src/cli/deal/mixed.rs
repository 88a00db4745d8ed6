//! `deal` of a script with a mix: boards of several types in random order.

use fairdeal::Error;
use fairdeal::language::{Mix, Script};
use fairdeal::report::PROGRAM;
use fairdeal::tasks::RandomWords;
use fairdeal::tasks::boards::{BoardSolving, MixedSet};

use super::{BoardSearch, DealArguments, exit_code};
use crate::cli::input::{needs_one_type, refuse_given};
use crate::cli::terminal::Terminal;
use crate::cli::{cache, log, output};

/// Deals boards of each type from its own population and random streams, and returns the exit code.
pub(super) fn execute(
    arguments: &DealArguments,
    script: &Script,
    mix: &Mix,
    words: &RandomWords,
) -> Result<u8, Error> {
    refuse(arguments)?;
    let request = arguments.request();
    let (listings, terminal) = (cache::listings()?, Terminal::new(arguments.quiet));
    let set = MixedSet::new(&request, script, mix, words, &listings, &terminal)?;
    let team = BoardSolving::team(set.solving())?;
    if words.is_fresh {
        log::tell(format!("seed {}", words.seed))?;
    }
    let dealers = output::during("guides", arguments.quiet, || set.dealers())?;
    let wanted = request.wanted(script);
    let file = arguments.file(wanted, PROGRAM)?;
    let mut search = BoardSearch::new(arguments, file, wanted, set.is_exact());
    let ended = set.deal(&request, &dealers, team, &mut search)?;
    search.finish()?;
    if ended.is_none() {
        set.check_unchanged()?;
    }
    Ok(exit_code(ended))
}

/// Rejects options that are for one population.
fn refuse(arguments: &DealArguments) -> Result<(), Error> {
    let options = [
        ("--dealer-output", arguments.dealer_output),
        ("--defect", arguments.defect.is_some()),
        ("--explain", arguments.explain),
    ];
    refuse_given(&options, needs_one_type)
}
