//! `run` of a script with a mix: a run of every type, and one verdict for all of them.

use std::io;
use std::path::Path;

use fairdeal::Error;
use fairdeal::language::Script;
use fairdeal::population::Listings;
use fairdeal::printable::with_noun;
use fairdeal::report::{Folder, MixTypeRecord};
use fairdeal::tasks::run::{self as task, MixReport, RunOutcome, RunRequest};

use super::RunArguments;
use crate::cli::failure;
use crate::cli::input::{needs_one_type, refuse_given};
use crate::cli::layout::SummaryLayout;
use crate::cli::terminal::Terminal;

impl RunArguments {
    /// Runs every type of a mix with its share of the deals, and returns the exit code.
    pub(super) fn run_mix(
        &self,
        name: &str,
        script: &Script,
        listings: &Listings,
    ) -> Result<u8, Error> {
        self.refuse_for_mix()?;
        if self.report.resume && self.deals.is_none() && self.time.is_none() {
            return Err(Error::usage(
                "to resume a mix, give the number of deals of all its types (--deals), or a time \
                 (--for) if it had no number",
            ));
        }
        let request = RunRequest {
            folder: self
                .report
                .folder(name, None, |path| !Folder::has_mix(path)),
            ..self.request(name.to_owned())
        };
        let mut tell = |outcome: &RunOutcome, folder: &Path| match self.report.print.json {
            true => Ok(()),
            false => self.tell(outcome, folder).map(|_| ()),
        };
        let terminal = Terminal::new(self.report.print.quiet);
        let report = task::run_mix(&request, script, listings, &terminal, &mut tell)?;
        let mut options = self.report.print;
        options.quiet |= report.is_interrupted;
        options.print(&report.record, |layout| print(layout, &report))?;
        Ok(match report.is_interrupted {
            true => failure::INTERRUPTED,
            false => self.exit_code(report.record.verdict),
        })
    }

    /// Rejects options that are for one run.
    fn refuse_for_mix(&self) -> Result<(), Error> {
        let options = [
            ("--explain", self.explain),
            ("--part", self.part.is_some()),
            ("--defect", self.defect.is_some()),
        ];
        refuse_given(&options, needs_one_type)
    }
}

/// Prints the verdict of the mix and of each type.
fn print(layout: &mut SummaryLayout<'_>, report: &MixReport) -> io::Result<()> {
    let record = &report.record;
    let types = with_noun(record.types.len() as u64, "type");
    let deals = with_noun(record.dealt, "deal");
    let mut parts = vec![record.name.clone(), format!("{deals} of {types}")];
    parts.extend(record.largest_s.map(|s| format!("S = {s:.2}")));
    layout.headline(record.verdict.name(), record.verdict.into(), &parts)?;
    let of_type = |of: &MixTypeRecord| {
        let stopped = of.stopped.as_ref();
        let stopped = stopped.map_or(String::new(), |why| format!(", stopped by {}", why.name()));
        format!(
            "{} {} ({}{stopped})",
            of.name,
            of.verdict.name(),
            with_noun(of.dealt, "deal")
        )
    };
    let types: Vec<String> = record.types.iter().map(of_type).collect();
    layout.line("Types", &types.join(", "))?;
    layout.report(&report.folder, "mix.json")
}
