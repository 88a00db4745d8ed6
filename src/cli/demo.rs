//! `fairdeal demo`

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use fairdeal::Error;
use fairdeal::printable::display_path;

use super::{layout, output};

const EXAMPLES: &str = "\
Examples:
  fairdeal demo
  fairdeal demo --out /tmp/demo --no-open";

/// The steps: what a command shows, the command, the folder of its report, and its exit code.
const STEPS: [(&str, &str, Option<&str>, u8); 3] = [
    (
        "Deal two boards under a condition",
        "deal flannery-misfit -n 2 --seed 1",
        None,
        0,
    ),
    (
        "Deal a million of them, and test whether they are random",
        "run flannery-misfit --deals 1M --seed 1",
        Some("fair"),
        0,
    ),
    (
        "Catch a dealer with a bad shuffle",
        "run unconstrained --defect naive-shuffle-round-robin --deals 100K --seed 1",
        Some("broken"),
        2,
    ),
];

/// Show in a few seconds what fairdeal does
///
/// Prints and carries out commands that deal boards, test fair deals, and catch a broken dealer.
/// Then opens the last report in a browser, if the output is a terminal.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct DemoArguments {
    /// Folder of the reports; those of an earlier demo are overwritten
    #[arg(short, long, value_name = "DIR", default_value = "reports/runs/demo")]
    out: PathBuf,

    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
}

/// Carries out the steps by `carry_out`, which takes the words of a command.
pub(super) fn execute(
    arguments: &DemoArguments,
    carry_out: impl Fn(Vec<OsString>) -> Result<u8, Error>,
) -> Result<u8, Error> {
    let mut page = None;
    for (title, sentence, folder, expected) in STEPS {
        let mut command: Vec<OsString> = sentence.split(' ').map(OsString::from).collect();
        if let Some(folder) = folder {
            let folder = arguments.out.join(folder);
            page = Some(folder.join("report.html"));
            command.extend(["--force".into(), "--out".into(), folder.into()]);
        }
        tell(title, &command)?;
        let code = carry_out(command)?;
        if code != expected {
            return Ok(code);
        }
    }
    if let Some(page) = page.filter(|_| !arguments.no_open && io::stdout().is_terminal()) {
        open(&page);
    }
    Ok(0)
}

/// Prints a step and its command.
fn tell(title: &str, command: &[OsString]) -> Result<(), Error> {
    let words = command
        .iter()
        .map(|word| display_path(Path::new(word)).to_string());
    let words = shell_words::join(words);
    let mut out = layout::stdout();
    let printed = writeln!(out, "\n# {title}\n$ fairdeal {words}");
    Ok(output::unless_closed(printed.and_then(|()| out.flush()))?)
}

/// Opens a page in the user's browser, if there is one: its path has been printed.
fn open(page: &Path) {
    let has_screen = cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .into_iter()
            .any(|name| std::env::var_os(name).is_some());
    let opener = match std::env::consts::OS {
        "windows" => "explorer",
        "macos" => "open",
        _ => "xdg-open",
    };
    if let (true, Ok(page)) = (has_screen, std::path::absolute(page)) {
        let [input, output, errors] = std::array::from_fn(|_| Stdio::null());
        let mut command = Command::new(opener);
        command.arg(page).stdin(input).stdout(output).stderr(errors);
        let _ = command.spawn();
    }
}
