//! Summary of a run: the answers to the script, then the tests.

use std::io;

use fairdeal::battery::Level;
use fairdeal::draw::RandomSource;
use fairdeal::printable::{about_one_in, interval, rounded, three_digits};
use fairdeal::printable::{thousands, with_noun};
use fairdeal::report::{DealGenerator, ProbabilityRecord, RunRecord, Stopped};
use fairdeal::tasks::run::RunReport;
use fairdeal::theory::TheoryError;

use crate::cli::layout::{SummaryLayout, Tone};
use crate::cli::output;
use crate::cli::verdict::{self, Detail};

use super::answers;

/// Prints the summary of a run.
pub(in crate::cli) fn print(
    layout: &mut SummaryLayout<'_>,
    report: &RunReport,
    detail: Detail,
) -> io::Result<()> {
    headline(layout, report, detail)?;
    let record = &report.record;
    if let Some(probability) = &record.probability {
        let filter = record.filter.as_ref();
        let counts = filter.map_or([0, 0], |filter| [filter.kept, filter.drawn]);
        self::probability(layout, probability, counts)?;
    }
    stop(layout, report)?;
    let deals = report.counted.kept_counts.statistics.deals();
    answers::print(layout, deals, &report.answered)?;
    parts(layout, record)?;
    match &report.verdict {
        Some(found) => verdict::print(layout, found, detail)?,
        None => layout.line("Checked", &format!("not tested: {}", TheoryError::TooLong))?,
    }
    if detail.is_verbose {
        population(layout, report)?;
        speed(layout, report)?;
    }
    let folder = report.folder();
    if folder.as_os_str().is_empty() {
        return Ok(());
    }
    layout.report(folder, "report.html")
}

/// Prints the verdict, the run, and how to repeat it.
fn headline(layout: &mut SummaryLayout<'_>, report: &RunReport, detail: Detail) -> io::Result<()> {
    let (word, tone) = match report.level {
        Level::Inconclusive if !detail.is_verdict_asked => ("DONE", Tone::Neutral),
        level => (level.name(), level.into()),
    };
    let (record, dealt) = (&report.record, report.counted.counts.deals());
    let deals = match &record.filter {
        Some(filter) => format!(
            "{} kept of {} drawn",
            with_noun(filter.kept, "deal"),
            thousands(filter.drawn)
        ),
        None => with_noun(dealt, "deal"),
    };
    let generator = &record.identity.generator;
    let seed = match generator {
        DealGenerator::Fair(source) if *source == RandomSource::default() => {
            format!("seed {}", record.identity.seed)
        }
        _ => format!("seed {} ({generator})", record.identity.seed),
    };
    let deals = format!("{deals} in {}", output::seconds(record.common.seconds));
    let lowered = report.verdict.as_ref().and_then(verdict::lowered_target);
    let mut parts = vec![report.name.clone(), deals, seed];
    parts.extend(lowered.filter(|_| detail.is_verdict_asked));
    layout.headline(word, tone, &parts)
}

/// Prints the probability of the condition; an estimate is from `kept` deals of `drawn`.
pub(in crate::cli) fn probability(
    layout: &mut SummaryLayout<'_>,
    found: &ProbabilityRecord,
    [kept, drawn]: [u64; 2],
) -> io::Result<()> {
    match found.bounds {
        Some([_, high]) if kept == 0 => layout.more(&format!(
            "no deal satisfied the condition in {}; its probability is below {} (99.9 % confidence)",
            thousands(drawn),
            three_digits(high)
        )),
        Some(bounds) => layout.more(&format!(
            "{} satisfies the condition (probability {}; {} with 99.9 % confidence)",
            about_one_in("1 deal", found.value, bounds),
            three_digits(found.value),
            interval(bounds),
        )),
        // Probability 1 needs no line.
        None if found.value >= 1.0 => Ok(()),
        None => layout.more(&format!(
            "1 deal in {} satisfies the condition (probability {})",
            rounded(1.0 / found.value, 4),
            three_digits(found.value)
        )),
    }
}

fn parts(layout: &mut SummaryLayout<'_>, record: &RunRecord) -> io::Result<()> {
    if !record.parts.is_empty() {
        let parts = with_noun(record.parts.len() as u64, "part");
        let parts = match record.between_parts() {
            Some(words) => format!("{parts}, {words}"),
            None => parts,
        };
        layout.line("Merged", &parts)?;
    }
    match &record.part {
        None => Ok(()),
        Some(part) => layout.line(
            "Part",
            &format!(
                "{}: deals {} to {} of {}",
                part.part,
                thousands(part.first_deal + 1),
                thousands(part.first_deal + part.deals),
                thousands(record.identity.deals)
            ),
        ),
    }
}

fn population(layout: &mut SummaryLayout<'_>, report: &RunReport) -> io::Result<()> {
    let population = &report.prepared.population;
    layout.line("Sampler", &population.description())?;
    let filter = report.record.filter.as_ref();
    layout.lines(
        "Filter",
        filter
            .map_or(&[][..], |filter| &filter.terms)
            .iter()
            .cloned(),
    )
}

fn speed(layout: &mut SummaryLayout<'_>, report: &RunReport) -> io::Result<()> {
    let (record, dealt) = (&report.record, report.counted.counts.deals());
    let threads = with_noun(record.common.threads as u64, "thread");
    // Unfinished batches take time without being counted, and parts may have been dealt at the same
    // time.
    let rate = (record.stopped.is_none() && record.parts.is_empty()).then(|| {
        let rate = dealt as f64 / record.common.seconds.max(1e-9);
        format!("{} million deals a second", rounded(rate / 1e6, 3))
    });
    let latency = &report.counted.latency;
    let block = latency.ns_at(50.0).map(|median| {
        let slow = latency.ns_at(99.0).unwrap_or(median);
        format!(
            "{} ns a deal (median of blocks), {} ns (99th percentile)",
            three_digits(median),
            rounded(slow, 3)
        )
    });
    let parts = [rate, block, Some(format!("{threads}, {}", record.path))];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    layout.line("Speed", &parts.join("; "))
}

/// Prints why a run stopped before its end, and how to resume it.
fn stop(layout: &mut SummaryLayout<'_>, report: &RunReport) -> io::Result<()> {
    let (record, is_saved) = (&report.record, report.is_saved);
    let why = match record.stopped {
        None => return Ok(()),
        Some(Stopped::Verdict) => "verdict of --until",
        Some(stopped) => stopped.name(),
    };
    let dealt = record.dealt_of_asked();
    layout.line("Stopped", &format!("{why}; {dealt}, in whole batches"))?;
    layout.more(match (is_saved, record.processes) {
        (true, None) => "all deals are saved: continue with the same command and --resume",
        (true, Some(_)) => {
            "all complete turns are saved: continue with the same command and --resume, with any \
             number of processes"
        }
        (false, _) => {
            "this run cannot be resumed: its random words came from a stream or file that is not read again"
        }
    })
}
