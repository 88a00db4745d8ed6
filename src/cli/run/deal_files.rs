//! `run --from`: a script asked of the deals of files.

use std::io;

use fairdeal::Error;
use fairdeal::printable::{thousands, with_noun};
use fairdeal::run::DealCount;
use fairdeal::tasks::{DealFiles, DealFilesAnswers, ask_deal_files};

use super::{RunArguments, answers, summary};
use crate::cli::input::script_of;
use crate::cli::layout::{SummaryLayout, Tone};
use crate::cli::terminal::Terminal;
use crate::cli::{failure, output};

impl RunArguments {
    /// Asks the script of the deals of files, and returns the exit code.
    pub(super) fn ask_files(&self) -> Result<u8, Error> {
        self.files.refuse_same_source(&self.input)?;
        let (name, input) = self.input.clone().with_tables().resolve()?;
        let script = script_of(input, "--from")?;
        let request = DealFiles {
            deals: self.deals.map(DealCount::get),
            threads: self.battery.request().threads,
            ..self.files.request()
        };
        let terminal = Terminal::new(self.report.print.quiet);
        let found = ask_deal_files(&name, &script, &request, &terminal)?;
        let (options, tables) = (self.report.print, found.tables());
        options.print(&found.document(&tables), |layout| print(layout, &found))?;
        Ok(match found.record.stopped {
            true => failure::INTERRUPTED,
            false => 0,
        })
    }
}

/// Prints the number of deals, the share that satisfies the condition, and the answers.
fn print(layout: &mut SummaryLayout<'_>, found: &DealFilesAnswers) -> io::Result<()> {
    let record = &found.record;
    let files = match &record.files[..] {
        [file] => file.clone(),
        files => with_noun(files.len() as u64, "file"),
    };
    let deals = match record.probability {
        Some(_) => format!(
            "{} of {} satisfy the condition",
            thousands(record.kept),
            with_noun(record.deals, "deal")
        ),
        None => with_noun(record.deals, "deal"),
    };
    let time = output::seconds(record.seconds);
    let parts = [
        record.name.clone(),
        format!("{deals}, of {files} in {time}"),
    ];
    let word = if record.stopped { "STOPPED" } else { "DONE" };
    layout.headline(word, Tone::Neutral, &parts)?;
    if let Some(probability) = &record.probability {
        summary::probability(layout, probability, [record.kept, record.deals])?;
    }
    answers::print(layout, record.kept, &found.answered)
}
