//! `fairdeal deal --write-levelled` and `--check`: scripts for other dealers.

use std::io::Write;

use fairdeal::Error;
use fairdeal::language::{ROLLS, problems_at_bridge_base};
use fairdeal::printable::percent;
use fairdeal::tasks::{ConditionInput, LevelledScript};

use super::super::input::script_of;
use super::super::layout;
use super::super::terminal::Terminal;
use super::super::{cache, failure};
use super::DealArguments;

/// Lists what another dealer would refuse, or writes a levelled script.
pub(super) fn execute(arguments: &DealArguments, input: ConditionInput) -> Result<u8, Error> {
    let script = &*script_of(input, "a script for another dealer")?;
    let mut out = layout::stdout();
    if arguments.check.is_some() {
        let problems = problems_at_bridge_base(script);
        for problem in &problems {
            failure::warn(problem)?;
        }
        if problems.is_empty() {
            writeln!(out, "Bridge Base's dealer has all words of the script")?;
            return Ok(0);
        }
        return Ok(failure::INPUT);
    }
    let Some(path) = &arguments.write_levelled else {
        return Ok(0);
    };
    let (listings, terminal) = (cache::listings()?, Terminal::new(arguments.quiet));
    let sampling = arguments.options.sampling();
    let levelled = LevelledScript::of(script, &sampling, &listings, &terminal)?;
    levelled.write(path, arguments.output.force)?;
    if arguments.quiet {
        return Ok(0);
    }
    let name = levelled.types.iter().map(|of| of.shares.name.len()).max();
    let name = name.unwrap_or(0).max(4);
    writeln!(
        out,
        "{:<name$}  {:>10}  {:>10}  kept of {ROLLS}",
        "Type", "natural", "asked"
    )?;
    for of in &levelled.types {
        let [natural, asked] =
            [of.shares.natural_share, of.shares.share].map(|share| percent(share.to_f64(), 4));
        let (of_name, kept) = (&of.shares.name, of.kept);
        writeln!(out, "{of_name:<name$}  {natural:>10}  {asked:>10}  {kept}")?;
    }
    writeln!(
        out,
        "one deal in {} is kept",
        format_args!("{:.3}", levelled.effort)
    )?;
    Ok(0)
}
