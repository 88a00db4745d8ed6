//! `run` of a script that asks double-dummy tricks, and `run --solve`.

use std::io;

use fairdeal::Error;
use fairdeal::bridge::{Seat, Strain};
use fairdeal::language::Script;
use fairdeal::population::Listings;
use fairdeal::printable::{display_path, thousands, with_noun};
use fairdeal::report::{Stopped, TrickCounts};
use fairdeal::tasks::{SolvingReport, SolvingRequest, run_solved};

use super::{RunArguments, answers, summary};
use crate::cli::input::refuse_given;
use crate::cli::layout::{self, SummaryLayout, Tone};
use crate::cli::terminal::Terminal;
use crate::cli::{failure, json, log, output};

impl RunArguments {
    /// Deals, solves and asks the script, and returns the exit code.
    pub(super) fn solve_deals(
        &self,
        name: String,
        script: &Script,
        listings: &Listings,
    ) -> Result<u8, Error> {
        self.refuse_unused()?;
        let request = SolvingRequest {
            folder: self.folder(&name),
            name,
            on_conflict: self.on_conflict(),
            formats: self.tables.formats(),
            deals: self.deals,
            is_whole: self.solve,
            random: self.words.request(),
            threads: self.battery.request().threads,
            time: self.time,
            sampling: self.options.sampling(),
        };
        let terminal = Terminal::new(self.quiet);
        let report = run_solved(&request, script, listings, &terminal)?;
        if let Some(seed) = report.fresh_seed.as_ref().filter(|_| self.quiet) {
            log::tell(format!("seed {seed}"))?;
        }
        let out = &mut layout::stdout();
        let printed = match (self.json, self.quiet) {
            (true, _) => json::document(out, &report.document(&report.tables())),
            (false, true) => Ok(()),
            (false, false) => print(&mut SummaryLayout::new(out), &report),
        };
        output::unless_closed(printed)?;
        Ok(match report.record.stopped {
            None | Some(Stopped::TimeLimit) => 0,
            Some(Stopped::Interrupted) => failure::INTERRUPTED,
            Some(_) => failure::GAVE_UP,
        })
    }

    /// Rejects options for tests, which solved deals do not get.
    fn refuse_unused(&self) -> Result<(), Error> {
        let options = [
            ("--defect", self.defect.is_some()),
            ("--self-test", self.self_test.is_some()),
            ("--batch", self.batch.is_some()),
            ("--part", self.part.is_some()),
            ("--until", self.until.is_some()),
            ("--explain", self.explain),
            ("--exact", self.exact),
            ("--verdict", self.verdict),
            ("--target", self.battery.has_target()),
        ];
        refuse_given(&options, |option| {
            format!("{option} is not supported in a run whose deals are solved double-dummy")
        })
    }
}

/// Prints the number of deals, the answers, and the mean tricks.
fn print(layout: &mut SummaryLayout<'_>, report: &SolvingReport) -> io::Result<()> {
    let record = &report.record;
    let solved = with_noun(record.solved, "deal");
    let deals = match record.probability {
        Some(_) => format!("{} kept of {solved} solved", thousands(record.kept)),
        None => format!("{solved} solved"),
    };
    let deals = format!("{deals} in {}", output::seconds(record.seconds));
    let word = if record.stopped.is_some() {
        "STOPPED"
    } else {
        "DONE"
    };
    let seed = format!("seed {}", record.identity.seed);
    layout.headline(word, Tone::Neutral, &[record.name.clone(), deals, seed])?;
    if let Some(probability) = &record.probability {
        summary::probability(layout, probability, [record.kept, record.solved])?;
    }
    match (record.stopped, record.tried) {
        (None, _) => {}
        (Some(_), Some(tried)) => {
            let tried = thousands(tried);
            layout.more(&format!("no more deals among the {tried} tried"))?;
        }
        (Some(_), None) => layout.more("the same command with --resume goes on from here")?,
    }
    answers::print(layout, record.kept, &report.answered)?;
    if let Some(tricks) = report.tricks.as_ref().filter(|_| record.kept > 0) {
        print_means(layout, tricks)?;
    }
    layout.line("Solved", &display_path(&report.file).to_string())?;
    layout.report(&report.folder, "solved.json")
}

/// Prints the mean tricks of each declarer in each strain.
fn print_means(layout: &mut SummaryLayout<'_>, tricks: &TrickCounts) -> io::Result<()> {
    let row = |cells: [String; Strain::COUNT]| {
        let cells = cells.map(|cell| format!("{cell:>7}"));
        cells.concat()
    };
    let names = row(Strain::ALL.map(|strain| strain.name().to_owned()));
    layout.line("Tricks", &format!("mean  {names}"))?;
    for seat in Seat::ALL {
        let mean = |strain| tricks.mean(seat, strain).unwrap_or_default();
        let means = row(Strain::ALL.map(|strain| format!("{:.3}", mean(strain))));
        layout.more(&format!("{:<6}{means}", seat.name()))?;
    }
    Ok(())
}
