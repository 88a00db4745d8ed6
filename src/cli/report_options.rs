//! Options of the commands that deal and write a report.

use std::path::{Path, PathBuf};

use clap::Args;

use fairdeal::report::{OnConflict, folders_beside};
use fairdeal::run::Part;

use super::output_options::PrintOptions;
use super::tables::TableOptions;

/// Where a report is written, and what is printed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(super) struct ReportOptions {
    /// Folder of the report [default: reports/runs/NAME]
    ///
    /// A part's report goes into a folder within it.
    #[arg(short, long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,

    /// Overwrite an existing report
    #[arg(long)]
    force: bool,

    /// Continue the unfinished run or audit in the report's folder
    ///
    /// Seed, deals, generator and tests are those of that run; if given, they must be the same.
    /// Files that were read are not read again, and the process that was read last is started again
    /// with its seed.
    #[arg(long, help_heading = "Stopping and resuming", conflicts_with = "force")]
    pub(super) resume: bool,

    #[command(flatten)]
    pub(super) print: PrintOptions,

    #[command(flatten)]
    pub(super) tables: TableOptions,
}

impl ReportOptions {
    /// Folder of the report of this name: with `--resume`, the last one that is unfinished.
    pub(super) fn folder(
        &self,
        name: &str,
        part: Option<Part>,
        is_unfinished: impl Fn(&Path) -> bool,
    ) -> PathBuf {
        let default = || {
            let mut path: PathBuf = ["reports", "runs", name].iter().collect();
            path.extend(part.map(|part| format!("part-{}-of-{}", part.number(), part.of())));
            path
        };
        match &self.out {
            Some(out) => out.clone(),
            None if self.resume && part.is_none() => resumable(&default(), is_unfinished),
            None => default(),
        }
    }

    /// How to treat a report in that folder.
    pub(super) fn on_conflict(&self, part: Option<Part>) -> OnConflict {
        match (self.resume, self.force, &self.out) {
            (true, ..) => OnConflict::Resume,
            (_, true, _) => OnConflict::Replace,
            // A part stays where `merge` and `--resume` look for it.
            (_, _, None) if part.is_none() => OnConflict::Beside,
            _ => OnConflict::Keep,
        }
    }
}

/// Of a folder and its numbered siblings, the last that is unfinished; without any, the last that
/// exists.
fn resumable(default: &Path, is_unfinished: impl Fn(&Path) -> bool) -> PathBuf {
    let there: Vec<PathBuf> = folders_beside(default)
        .take_while(|path| path.is_dir())
        .collect();
    let unfinished = there.iter().rfind(|path| is_unfinished(path));
    let found = unfinished.or(there.last());
    found.map_or_else(|| default.to_owned(), Clone::clone)
}
