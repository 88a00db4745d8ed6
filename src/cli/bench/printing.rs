//! Prints measurements and comparisons as text and as JSON.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use fairdeal::bench::{BenchComparison, BenchRecord, BenchRow, ProcessMemory, SpeedChange};
use fairdeal::printable::{display_path, printable, thousands};

/// The JSON document of `--json`.
#[derive(Serialize)]
pub(super) struct BenchDocument<'a> {
    #[serde(flatten)]
    pub(super) record: &'a BenchRecord,
    pub(super) rows: &'a [BenchRow],
    pub(super) against: Option<&'a BenchComparison>,
    /// Folder of the saved measurement.
    pub(super) saved: Option<&'a Path>,
}

pub(super) fn print(
    out: &mut impl Write,
    document: &BenchDocument<'_>,
    memory: Option<ProcessMemory>,
) -> io::Result<()> {
    print_head(out, document.record, memory)?;
    print_rows(out, document.rows)?;
    if let Some(against) = document.against {
        print_against(out, against)?;
    }
    match document.saved {
        Some(path) => writeln!(out, "saved in {}", display_path(path)),
        None => Ok(()),
    }
}

fn print_head(
    out: &mut impl Write,
    record: &BenchRecord,
    memory: Option<ProcessMemory>,
) -> io::Result<()> {
    let host = &record.host;
    writeln!(
        out,
        "{} ({} processors, {})",
        host.processor, host.processors, host.os
    )?;
    writeln!(
        out,
        "{}, tables: {}, {} deals a measurement",
        printable(&record.subject.input),
        record.subject.tables,
        thousands(record.subject.deals)
    )?;
    if let Some(memory) = memory {
        writeln!(
            out,
            "memory: peak {:.1} MB, pages of files {:.1} MB",
            memory.peak_bytes as f64 / 1e6,
            memory.file_bytes as f64 / 1e6,
        )?;
    }
    if record.guide_bytes > 0 {
        writeln!(
            out,
            "guide: {:.1} MB, built in {:.0} ms of processor time (not included below)",
            record.guide_bytes as f64 / 1e6,
            record.guide_seconds * 1e3
        )?;
    }
    Ok(())
}

fn print_rows(out: &mut impl Write, rows: &[BenchRow]) -> io::Result<()> {
    writeln!(
        out,
        "{:<9} {:<11} {:<9} {:>7} {:>9} {:>7} {:>10} {:>7} {:>7} {:>7}",
        "program",
        "generator",
        "path",
        "threads",
        "cpu ns",
        "ratio",
        "M deals/s",
        "p50",
        "p90",
        "p99"
    )?;
    for row in rows {
        let percentile =
            |ns: Option<f64>| ns.map_or_else(|| "-".to_owned(), |ns| format!("{ns:.1}"));
        let path = if row.path.is_empty() { "-" } else { &row.path };
        writeln!(
            out,
            "{:<9} {:<11} {:<9} {:>7} {:>9.2} {:>7.1} {:>10.2} {:>7} {:>7} {:>7}",
            row.program,
            row.generator,
            path,
            row.threads,
            row.cpu_ns_per_deal,
            row.ratio_to_naive,
            row.deals_per_second / 1e6,
            percentile(row.block_ns_p50),
            percentile(row.block_ns_p90),
            percentile(row.block_ns_p99),
        )?;
    }
    Ok(())
}

fn print_against(out: &mut impl Write, against: &BenchComparison) -> io::Result<()> {
    match &against.saved[..] {
        [one] => writeln!(out, "\nagainst {}: noise between rounds", display_path(one))?,
        several => writeln!(
            out,
            "\nagainst {} saved measurements: {}",
            several.len(),
            match against.between {
                true => "noise between measurements",
                false => "noise between rounds",
            }
        )?,
    }
    if !against.between {
        writeln!(
            out,
            "this includes no noise between days: save three or more measurements to measure it"
        )?;
    }
    writeln!(
        out,
        "naive program: {:.1} ns then, {:.1} ns now; `change` compares ratios to it",
        against.naive_then_ns, against.naive_now_ns
    )?;
    writeln!(
        out,
        "{:>7} {:>9} {:>9} {:>9} {:>9} {:>9}  verdict",
        "threads", "then ns", "now ns", "change %", "noise %", "p"
    )?;
    for row in &against.rows {
        let noise = row.noise_percent;
        writeln!(
            out,
            "{:>7} {:>9.2} {:>9.2} {:>+9.1} {:>9} {:>9.2e}  {}",
            row.threads,
            row.then_cpu_ns,
            row.now_cpu_ns,
            row.change_percent,
            noise.map_or_else(|| "-".to_owned(), |noise| format!("{noise:.1}")),
            row.p,
            words(row),
        )?;
    }
    Ok(())
}

/// The verdict, with the detectable change or the rounds needed.
fn words(row: &SpeedChange) -> String {
    let verdict = row.verdict.name();
    match (row.noise_percent, row.rounds_needed) {
        (Some(noise), _) => format!("{verdict} (detectable: {noise:.1} % slower)"),
        (None, Some(rounds)) => format!("{verdict} (--rounds {rounds})"),
        (None, None) => verdict.to_owned(),
    }
}
