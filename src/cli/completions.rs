//! `fairdeal completions`

use std::io::{self, Write};

use clap::Args;
use clap_complete::Shell;

use fairdeal::Error;

use super::values;

const EXAMPLES: &str = "\
Examples:
  fairdeal completions bash > ~/.local/share/bash-completion/completions/fairdeal
  fairdeal completions zsh > ~/.zfunc/_fairdeal
  fairdeal completions fish > ~/.config/fish/completions/fairdeal.fish";

/// Print a shell's completion script
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct CompletionsArguments {
    /// Shell: bash, elvish, fish, powershell or zsh
    #[arg(value_name = "SHELL", hide_possible_values = true,
        value_parser = values::choice::<Shell>())]
    shell: Shell,
}

pub(super) fn execute(arguments: &CompletionsArguments) -> Result<(), Error> {
    // In memory first: the generator panics if writing fails.
    let mut script = Vec::new();
    let mut command = super::program::command();
    clap_complete::generate(arguments.shell, &mut command, "fairdeal", &mut script);
    Ok(io::stdout().write_all(&script)?)
}
