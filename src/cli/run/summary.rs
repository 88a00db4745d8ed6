//! What a run says of itself on a terminal, before its verdict.

use std::io::{self, Write};

use fairdeal::population::Base;
use fairdeal::population::cases::{self, Recounted};
use fairdeal::printable::{printable, shown};
use fairdeal::report::{Answered, Found, RunRecord, counted, grouped};
use fairdeal::tasks::run::{End, RunReport};

use crate::cli::input;

/// Averages that are printed; all of them are in averages.csv.
const AVERAGES_PRINTED: usize = 20;

/// Prints how fast it was, what was listed and kept, and the averages.
pub(in crate::cli) fn print(out: &mut impl Write, report: &RunReport) -> io::Result<()> {
    let record = &report.record;
    print_speed(out, report)?;
    print_parts(out, record)?;
    if let Some(median) = report.surveyed.latency.ns_at(50.0) {
        let slow = report.surveyed.latency.ns_at(99.0).unwrap_or(median);
        writeln!(
            out,
            "a deal    {median:.1} ns (median of blocks), {slow:.1} ns (99th percentile), by {}",
            record.path
        )?;
    }
    print_population(out, report)?;
    if let Some(filter) = &record.filter {
        let rate = filter.kept as f64 / record.seconds.max(1e-9);
        for (place, term) in filter.terms.iter().enumerate() {
            let label = if place == 0 { "filter" } else { "" };
            writeln!(out, "{label:<10}{term}")?;
        }
        writeln!(
            out,
            "kept      {} deals, {}, {:.3} million a second",
            grouped(filter.kept),
            filter.share(),
            rate / 1e6
        )?;
    }
    writeln!(
        out,
        "seed      {} ({})",
        record.identity.seed,
        printable(&record.identity.generator)
    )?;
    writeln!(out, "report    {}", shown(report.folder()))?;
    let deals = report.surveyed.sifted.statistics.deals();
    averages(out, deals, &report.answered)
}

fn print_speed(out: &mut impl Write, report: &RunReport) -> io::Result<()> {
    let (record, count) = (&report.record, report.surveyed.survey.deals());
    // What was dealt of unfinished batches took its time too.
    let rate = match record.stopped {
        Some(_) => String::new(),
        // Many machines may have dealt at the same time.
        None if !record.parts.is_empty() => ", of all parts together".to_owned(),
        None => {
            let rate = count as f64 / record.seconds.max(1e-9);
            format!(", {:.2} million a second", rate / 1e6)
        }
    };
    let threads = counted(record.threads as u64, "thread");
    writeln!(
        out,
        "{}: {} in {:.2} s on {threads}{rate}",
        printable(&report.name),
        counted(count, "deal"),
        record.seconds
    )
}

fn print_parts(out: &mut impl Write, record: &RunRecord) -> io::Result<()> {
    if !record.parts.is_empty() {
        let parts = counted(record.parts.len() as u64, "part");
        match record.between_parts() {
            Some(words) => writeln!(out, "merged    {parts}, {words}")?,
            None => writeln!(out, "merged    {parts}")?,
        }
    }
    if let Some(part) = &record.part {
        writeln!(
            out,
            "part      {}: deals {} to {} of {}",
            part.part,
            grouped(part.first_deal + 1),
            grouped(part.first_deal + part.deals),
            grouped(record.identity.deals)
        )?;
    }
    Ok(())
}

fn print_population(out: &mut impl Write, report: &RunReport) -> io::Result<()> {
    let population = &report.prepared.population;
    match population.base() {
        Base::Listed(listed) => {
            let size = input::size_of(listed.file.cases(), listed.file.total());
            let order = population.order();
            writeln!(
                out,
                "cases     {size} ({order}), {}",
                printable(&listed.name())
            )?;
            if let Some(trusted) = trusted(listed.recounted, listed.file.cases()) {
                writeln!(out, "trusted   {trusted}")?;
            }
            Ok(())
        }
        Base::Factored(cells) => writeln!(out, "cells     {}", input::size_of_cells(cells)),
        Base::EveryDeal if population.is_exact() => {
            writeln!(out, "cases     none: every deal is allowed")
        }
        Base::EveryDeal => writeln!(out, "cases     none: deals are drawn from all there are"),
    }
}

/// What of a case file was not compared with its condition, if anything was not.
fn trusted(recounted: Recounted, cases: u64) -> Option<String> {
    let checked = cases::sample_size(cases);
    let not_counted = match recounted {
        Recounted::All => return None,
        Recounted::Totals => "",
        Recounted::Sample => "the number of cases and T",
    };
    let not_checked = match cases - checked {
        0 => String::new(),
        left => format!("{} cases", grouped(left)),
    };
    let and = match not_counted.is_empty() || not_checked.is_empty() {
        true => "",
        false => ", and ",
    };
    Some(format!(
        "{not_counted}{and}{not_checked}, not compared with the condition; `fairdeal cases verify` compares all"
    ))
}

/// Prints why a run stopped before its end, and how it goes on.
pub(super) fn print_stop(out: &mut impl Write, report: &RunReport) -> io::Result<()> {
    let (record, is_saved) = (&report.record, report.is_saved);
    let why = match report.end {
        End::Whole => return Ok(()),
        End::Time => "its time is over",
        End::Verdict => "the verdict is what it was to go on until",
        End::Interrupted => "interrupted",
    };
    let deals = record
        .part
        .as_ref()
        .map_or(record.identity.deals, |part| part.deals);
    let (dealt, deals) = (grouped(record.dealt), grouped(deals));
    writeln!(
        out,
        "stopped   {why}: this is of {dealt} deals of {deals}, in whole batches"
    )?;
    let next = match (is_saved, record.processes) {
        (true, None) => "all that was dealt is saved: the same command with --resume goes on",
        (true, Some(_)) => {
            "all turns that were whole are saved: the same command with --resume goes on, with any \
             number of processes"
        }
        (false, _) => "words that were read cannot be had again: this run cannot go on",
    };
    writeln!(out, "          {next}")
}

fn averages(out: &mut impl Write, deals: u64, answered: &[Answered]) -> io::Result<()> {
    let averages = answered
        .iter()
        .filter_map(|answered| match &answered.found {
            Found::Average(sums) => Some((answered, sums)),
            Found::Frequency(..) => None,
        });
    let averages: Vec<_> = averages.collect();
    for (answered, sums) in averages.iter().take(AVERAGES_PRINTED) {
        let Some(mean) = sums.mean(deals) else {
            writeln!(out, "average   {}: no deal", answered.label)?;
            continue;
        };
        write!(out, "average   {}: {mean:.6}", answered.label)?;
        if let Some(error) = sums.standard_error(deals) {
            write!(out, " +- {error:.6}")?;
        }
        match answered.exact() {
            Some(exact) => writeln!(out, ", exactly {exact:.9}")?,
            None => writeln!(out)?,
        }
    }
    if averages.len() > AVERAGES_PRINTED {
        let more = averages.len() - AVERAGES_PRINTED;
        writeln!(out, "          and {more} more in averages.csv")?;
    }
    let frequencies = answered.len() - averages.len();
    if frequencies > 0 {
        let frequencies = match frequencies {
            1 => "1 frequency".to_owned(),
            more => format!("{more} frequencies"),
        };
        writeln!(out, "          {frequencies} in frequencies.csv")?;
    }
    Ok(())
}
