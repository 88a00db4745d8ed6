//! `fairdeal man`

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man;

use fairdeal::Error;
use fairdeal::printable::display_path;
use fairdeal::report::write_file;

const EXAMPLES: &str = "\
Examples:
  fairdeal man | man -l -
  fairdeal man --out ~/.local/share/man/man1";

/// Print or write the manual pages
///
/// Prints fairdeal(1). With --out, writes fairdeal.1 and a page for each command, such as
/// fairdeal-run.1.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct ManArguments {
    /// Write the pages of all commands into this folder
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn execute(arguments: &ManArguments) -> Result<(), Error> {
    let mut command = super::program::command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = &arguments.out else {
        return Ok(io::stdout().write_all(&rendered(command)?)?);
    };
    fs::create_dir_all(folder).map_err(|error| Error::of(display_path(folder), error))?;
    for (name, page) in pages(&command)? {
        write_file(&folder.join(name), &page)?;
    }
    Ok(())
}

/// Pages of a command and its subcommands, with their file names.
fn pages(command: &clap::Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let mut all = vec![(format!("{name}.1"), rendered(command.clone())?)];
    for below in command.get_subcommands() {
        all.extend(pages(below)?);
    }
    Ok(all)
}

fn rendered(command: clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}
