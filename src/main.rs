//! The `fairdeal` program: see the library's documentation and `fairdeal --help`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
