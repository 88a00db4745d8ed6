//! What `lead` and `contracts` share: options, and printing of their tables.

use std::io;
use std::time::Duration;

use clap::Args;

use fairdeal::Error;
use fairdeal::bridge::{Hand, Seat, Vulnerable};
use fairdeal::language::Script;
use fairdeal::observer::Observer;
use fairdeal::population::Listings;
use fairdeal::printable::with_noun;
use fairdeal::report::{
    CandidateFinding, CandidateRecord, CandidateTable, Folder, OnConflict, Stopped,
};
use fairdeal::run::DealCount;
use fairdeal::tasks::candidates::CandidateRequest;

use super::input::{InputOptions, SamplingOptions, script_of};
use super::layout::{SummaryLayout, Tone, bar, columns as columns_of, padded};
use super::output_options::OutputOptions;
use super::tables::TableOptions;
use super::terminal::Terminal;
use super::threads::ThreadOptions;
use super::words::WordsOptions;
use super::{cache, failure, output, values};

/// The deals, when to stop, and where the table goes.
#[derive(Args, Clone, Debug)]
pub(super) struct CandidateOptions {
    #[command(flatten)]
    input: InputOptions,

    /// The whole hand of a seat, such as west=AKQ.432.T98.7654; repeatable
    #[arg(long, value_name = "SEAT=HAND", help_heading = "Deals", value_parser = values::hand)]
    hand: Vec<(Seat, Hand)>,

    /// Vulnerable sides: none, ns, ew or all [default: the script's, or none]
    #[arg(long = "vul", alias = "vulnerable", value_name = "SIDES", help_heading = "Deals",
        value_parser = values::vulnerable)]
    vulnerable: Option<Vulnerable>,

    /// Solve this number of deals instead of stopping at a decision
    ///
    /// Without it, the table ends when one candidate is best or equal to the best, at the latest
    /// after the script's `produce`, or 100,000 deals.
    #[arg(short = 'n', long, value_name = "N", help_heading = "Stopping")]
    deals: Option<DealCount>,

    /// Stop after this time, such as 90s, 10m or 8h
    #[arg(long = "for", value_name = "TIME", help_heading = "Stopping",
        value_parser = values::duration)]
    time: Option<Duration>,

    /// Confidence of the decision and of the limits
    #[arg(long, value_name = "SHARE", help_heading = "Stopping", default_value = "99%",
        value_parser = values::confidence)]
    confidence: f64,

    /// Difference of the means below which candidates count as equal [default:
    /// 0.05 tricks, 1% of deals or matchpoints, 0.1 IMPs, 10 points]
    #[arg(long, value_name = "X", help_heading = "Stopping", value_parser = values::share)]
    within: Option<f64>,

    #[command(flatten)]
    words: WordsOptions,

    #[command(flatten)]
    threads: ThreadOptions,

    #[command(flatten)]
    output: OutputOptions,

    #[command(flatten)]
    tables: TableOptions,

    #[command(flatten)]
    sampling: SamplingOptions,
}

impl CandidateOptions {
    /// Makes a table of the deals of the input, writes and prints it.
    ///
    /// `question` is about the vulnerable sides, and `compare` answers it.
    pub(super) fn execute<Q: Copy + ToString>(
        &self,
        command: &str,
        question: impl Fn(Vulnerable) -> Q,
        compare: impl Fn(
            Q,
            &CandidateRequest,
            &Script,
            &Listings,
            &dyn Observer,
        ) -> Result<CandidateTable, Error>,
    ) -> Result<u8, Error> {
        self.words.refuse_same_source(&self.input)?;
        let (name, input) = self.input.resolve()?;
        let mut script = script_of(input, command)?;
        for (seat, hand) in &self.hand {
            let condition = script.condition.with_hand(*seat, *hand)?;
            script.condition = condition.ok_or_else(|| {
                Error::usage(format!(
                    "--hand {seat}={hand} contradicts other predealt cards"
                ))
            })?;
        }
        let vulnerable = self.vulnerable.or(script.vulnerable);
        let question = question(vulnerable.unwrap_or(Vulnerable::None));
        let words = question.to_string();
        let folder = self.output.out.as_ref().map(|out| {
            let subject = [&*words, script.condition.text()];
            Folder::take::<CandidateRecord>(out, subject, OnConflict::by_force(self.output.force))
        });
        let folder = folder.transpose()?;
        let folder = folder.map(|folder| folder.with_formats(&self.tables.formats()));
        let request = CandidateRequest {
            name,
            deals: self.deals,
            random: self.words.request(),
            threads: self.threads.number(),
            time: self.time,
            sampling: self.sampling.sampling(),
            confidence: self.confidence,
            within: self.within,
        };
        let terminal = Terminal::new(self.output.print.quiet);
        let table = compare(question, &request, &script, &cache::listings()?, &terminal)?;
        if let Some(folder) = &folder {
            table.write(folder)?;
        }
        let print = self.output.print;
        print.tell_seed(table.fresh_seed.as_deref())?;
        let tables = [table.table()];
        print.print(&table.document(&tables), |layout| {
            self.print(layout, &table)
        })?;
        Ok(match table.record.stopped {
            None | Some(Stopped::TimeLimit) => 0,
            Some(Stopped::Interrupted) => failure::INTERRUPTED,
            Some(_) => failure::GAVE_UP,
        })
    }

    /// Prints the finding and the table.
    fn print(&self, layout: &mut SummaryLayout<'_>, table: &CandidateTable) -> io::Result<()> {
        let record = &table.record;
        let deals = with_noun(record.compared, "deal");
        let deals = format!("{deals} in {}", output::seconds(record.seconds));
        let word = match record.stopped {
            Some(_) => "STOPPED",
            None => "DONE",
        };
        let seed = format!("seed {}", record.identity.seed);
        layout.headline(word, Tone::Neutral, &[record.name.clone(), deals, seed])?;
        layout.line("Question", &record.question)?;
        let undecided = match record.finding {
            CandidateFinding::Open => "not decided; ",
            CandidateFinding::Best | CandidateFinding::Equal => "",
        };
        layout.line("Answer", &format!("{undecided}{}", record.answer()))?;
        if !table.rows.is_empty() {
            print_rows(layout, table)?;
        }
        match &self.output.out {
            Some(out) => layout.report(out, "report.html"),
            None => Ok(()),
        }
    }
}

/// Prints a row for each candidate, with the limits of the criterion and a bar.
fn print_rows(layout: &mut SummaryLayout<'_>, table: &CandidateTable) -> io::Result<()> {
    let lines = table.lines();
    let widths = (0..lines[0].len()).map(|column| {
        let widths = lines.iter().map(|line| columns_of(&line[column]));
        widths.max().unwrap_or(0)
    });
    let widths: Vec<usize> = widths.collect();
    // The best is first.
    let value = |row| table.value(row);
    let [most, least] = [table.rows.first(), table.rows.last()].map(|row| row.map_or(0.0, value));
    let shares = table
        .rows
        .iter()
        .map(|row| (value(row) - least) / (most - least));
    layout.gap()?;
    for (line, share) in lines.iter().zip([0.0].into_iter().chain(shares)) {
        let mut text = padded(&line[0], widths[0]);
        for (cell, width) in line.iter().zip(&widths).skip(1) {
            text += &format!("  {cell:>width$}");
        }
        let room = layout.width().saturating_sub(columns_of(&text) + 2);
        layout.row(&format!("{text}  {}", bar(share, room)))?;
    }
    Ok(())
}
