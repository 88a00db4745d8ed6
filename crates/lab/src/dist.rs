//! The artefacts of a release in packaging/artefacts.toml: built, and tried without Rust.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Failure;
use crate::program::{Finished, output_with};
use crate::sheet::{Column, Sheet};

/// Which artefacts, and where they go.
#[derive(Args)]
pub(crate) struct Options {
    /// Names of artefacts [default: all]
    names: Vec<String>,
    /// Folder of the artefacts
    #[arg(short, long, value_name = "DIR", default_value = "target/dist")]
    out: PathBuf,
    /// Print the artefacts, and build nothing
    #[arg(long)]
    list: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// Functions that all commands use.
    common: String,
    artefact: Vec<Artefact>,
}

/// Commands of bash, in an empty folder of the artefact: `$root` is the repository, `$out` the
/// folder of the artefacts, `$version` the version of the workspace.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Artefact {
    name: String,
    /// Checks or installs the tools; the artefact is not built if it fails.
    #[serde(default)]
    needs: String,
    /// Prints the artefact's path within `$out` as its last line.
    build: String,
    /// Uses the artefact, `$file`, without Rust; its last line says how.
    #[serde(default)]
    trial: String,
}

const COLUMNS: &[Column] = &[
    ("artefact", -16),
    ("bytes", 12),
    ("build cpu s", 11),
    ("trial cpu s", 11),
    ("file", -52),
    ("trial", 0),
];

pub(crate) fn measure(options: &Options, sheet: &mut Sheet) -> Result<(), Failure> {
    let table: Table = toml::from_str(&fs::read_to_string("packaging/artefacts.toml")?)?;
    let is_chosen = |name: &String| options.names.is_empty() || options.names.contains(name);
    for name in &options.names {
        if !table.artefact.iter().any(|artefact| artefact.name == *name) {
            return Err(format!("no artefact `{name}`: see --list").into());
        }
    }
    sheet.section("artefacts", COLUMNS);
    fs::create_dir_all(&options.out)?;
    let out = options.out.canonicalize()?;
    for artefact in table.artefact.iter().filter(|each| is_chosen(&each.name)) {
        let row = match options.list {
            true => row(artefact, None, None, "", "-"),
            false => made(artefact, &table.common, &out)?,
        };
        sheet.row(row);
    }
    Ok(())
}

/// Builds an artefact, tries it, and returns its row.
fn made(artefact: &Artefact, common: &str, out: &Path) -> Result<Vec<Value>, Failure> {
    let folder = tempfile::tempdir()?;
    let root = std::env::current_dir()?;
    let of = |path: &Path| path.display().to_string();
    let (root, out_path) = (of(&root), of(out));
    let carry_out = |command: &str, file: &str| -> Result<Finished, Failure> {
        let variables = [
            ("root", root.as_str()),
            ("out", &out_path),
            ("version", env!("CARGO_PKG_VERSION")),
            ("file", file),
        ];
        output_with(&format!("{common}\n{command}"), folder.path(), &variables)
    };
    if carry_out(&artefact.needs, "")?.code != 0 {
        return Ok(row(artefact, None, None, "", "NOT RUN: a tool is missing"));
    }
    let built = succeeded(artefact, carry_out(&artefact.build, "")?)?;
    let file = last_line(&built);
    let tried = succeeded(artefact, carry_out(&artefact.trial, &file)?)?;
    let trial = last_line(&tried);
    Ok(row(
        artefact,
        Some((&built, out)),
        Some(&tried),
        &file,
        &trial,
    ))
}

/// The command, if it ended with success; its messages otherwise.
fn succeeded(artefact: &Artefact, finished: Finished) -> Result<Finished, Failure> {
    match finished.code {
        0 => Ok(finished),
        code => {
            let Finished { stdout, stderr, .. } = finished;
            Err(format!("{}: exit code {code}\n{stdout}{stderr}", artefact.name).into())
        }
    }
}

fn last_line(finished: &Finished) -> String {
    finished.stdout.lines().last().unwrap_or("-").to_owned()
}

fn row(
    artefact: &Artefact,
    built: Option<(&Finished, &Path)>,
    tried: Option<&Finished>,
    file: &str,
    trial: &str,
) -> Vec<Value> {
    let seconds = |finished: &Finished| (finished.cpu_seconds * 10.0).round() / 10.0;
    vec![
        json!(artefact.name),
        json!(built.map(|(_, out)| bytes(&out.join(file)))),
        json!(built.map(|(finished, _)| seconds(finished))),
        json!(tried.map(seconds)),
        json!(file),
        json!(trial),
    ]
}

/// Bytes of a file, or of all files of a folder.
fn bytes(path: &Path) -> u64 {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().map(|entry| bytes(&entry.path())).sum(),
        Err(_) => fs::metadata(path).map_or(0, |file| file.len()),
    }
}
