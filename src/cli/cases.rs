//! `fairdeal cases build | list | info | verify | prune`

use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::builder::TypedValueParser;
use clap::{Args, Subcommand};
use serde::Serialize;

use fairdeal::bridge::Seat;
use fairdeal::language::{Condition, Plan};
use fairdeal::population::cases::{self, ListingError, WriteError};
use fairdeal::population::cells::{self, Agreement, CellCases, Cells, CellsError, Disagreement};
use fairdeal::population::listing_size;
use fairdeal::population::{CountedListing, Pruned, order_of, write_cases};
use fairdeal::report::{ListingFormat, ListingRecord, ListingRowError, write_listing};
use fairdeal::tasks::ConditionInput;

use super::input::{InputOptions, ListingOptions};
use super::output_options::PrintOptions;
use super::terminal::Terminal;
use super::values::NameParser;
use super::{cache, json, output, values};
use fairdeal::Error;
use fairdeal::printable::{display_path, thousands};

const EXAMPLES: &str = "\
Examples:
  fairdeal cases list nine-spades --rows 1..10
  fairdeal cases build flat-three-suiter -o flat.cases
  fairdeal cases verify flat.cases
  fairdeal cases prune";

/// Make, print, describe and check case files
///
/// A case file lists the cases of a condition on one or two hands with their numbers of deals.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct CasesArguments {
    #[command(subcommand)]
    command: CasesCommand,
}

#[derive(Debug, Subcommand)]
enum CasesCommand {
    /// Write the case file of a condition
    Build(BuildArguments),
    /// Print cases with their weights and cumulative totals
    List(ListArguments),
    /// Describe a case file by its header
    Info {
        /// Case file
        file: PathBuf,
        /// Print the description as JSON
        #[arg(long)]
        json: bool,
    },
    /// Check a case file completely
    ///
    /// Checks every record, total and checksum, lists the condition again, and compares the file
    /// with the cells of its condition, if there are any.
    Verify {
        /// Case file
        file: PathBuf,
        #[command(flatten)]
        print: PrintOptions,
    },
    /// Empty the cache of listings
    Prune {
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args, Debug)]
struct BuildArguments {
    #[command(flatten)]
    input: InputOptions,
    /// Case file to write
    #[arg(
        short,
        long,
        alias = "output",
        value_name = "FILE",
        help_heading = "Output"
    )]
    out: PathBuf,
    /// Overwrite an existing file
    #[arg(long, help_heading = "Output")]
    force: bool,
    #[command(flatten)]
    options: ListingOptions,
    /// Make the cases from cells instead of listing the hands
    ///
    /// The file is the same.
    #[arg(long, help_heading = "Computation")]
    from_cells: bool,
    #[command(flatten)]
    print: PrintOptions,
}

#[derive(Args, Debug)]
struct ListArguments {
    #[command(flatten)]
    input: InputOptions,
    /// Format of the list
    #[arg(long, value_name = "NAME", help_heading = "Output", default_value = "table",
        value_parser = formats())]
    format: ListingFormat,
    /// Print a JSON object per case (same as --format json)
    #[arg(long, help_heading = "Output", conflicts_with = "format")]
    json: bool,
    /// Print only these cases, such as 1..30, 31.. or ..30
    ///
    /// Cases count from 1; both ends are included.
    #[arg(long, value_name = "A..B", help_heading = "Output", value_parser = values::rows)]
    rows: Option<RangeInclusive<u64>>,
    #[command(flatten)]
    options: ListingOptions,
}

fn formats() -> NameParser<impl TypedValueParser<Value = ListingFormat>> {
    values::described([
        (ListingFormat::Table, "table", "A table for people"),
        (ListingFormat::Csv, "csv", "Comma-separated values"),
        (ListingFormat::Json, "json", "A JSON object per line"),
    ])
}

pub(super) fn execute(arguments: &CasesArguments) -> Result<(), Error> {
    match &arguments.command {
        CasesCommand::Build(arguments) => build(arguments),
        CasesCommand::List(arguments) => list(arguments),
        CasesCommand::Info { file, json } => info(file, *json),
        CasesCommand::Verify { file, print } => verify(file, *print),
        CasesCommand::Prune { json } => prune(*json),
    }
}

fn build(arguments: &BuildArguments) -> Result<(), Error> {
    let BuildArguments {
        input,
        out: output,
        options,
        print,
        ..
    } = arguments;
    let quiet = print.quiet;
    let (_, source) = input.resolve()?;
    let (condition, order) = match source {
        ConditionInput::Script(script) => (script.condition, None),
        // Rebuilt from its condition, in its own order unless `--order` is given.
        ConditionInput::CaseFile(path) => {
            let file = cases::open(&path)?;
            let header = file.header();
            let order = [Some(header.first), header.second]
                .into_iter()
                .flatten()
                .collect();
            let name = path.display().to_string();
            (Condition::parse(&name, &header.condition)?, Some(order))
        }
    };
    // A symbolic link named by the user is followed: writing would replace the link.
    let target = cases::target_of(output).map_err(|source| {
        let path = output.to_owned();
        Error::from(WriteError { path, source })
    })?;
    let order = options.order.clone().or(order);
    if !arguments.force {
        refuse_other(output, &condition, order.as_deref())?;
    }
    let written = if arguments.from_cells {
        write_from_cells(&condition, &target, options, order.as_deref(), quiet)?
    } else {
        let terminal = Terminal::new(quiet);
        let counted = output::during("count", quiet, || {
            CountedListing::new(&condition, order.as_deref(), options.max_cases)
        })?;
        let CountedListing { listing, census } = counted;
        write_cases(&condition, &listing, census, &target, &terminal)?
    };
    let (header, out) = (&written.header, &mut io::stdout().lock());
    if print.json {
        json::document(out, &ListingRecord::new(output, header, written.bytes))?;
    } else if !quiet {
        let size = listing_size(header.cases, header.total);
        let bytes = thousands(written.bytes);
        writeln!(out, "{}: {size}, {bytes} bytes", display_path(output))?;
    }
    Ok(())
}

/// Rejects a file that is not the case file of this condition in this order.
fn refuse_other(path: &Path, condition: &Condition, order: Option<&[Seat]>) -> Result<(), Error> {
    // Other kinds of files are rejected when they are written.
    if !path.is_file() {
        return Ok(());
    }
    let what = match cases::open(path) {
        Err(_) => "a file that is not a case file",
        Ok(file) if file.header().condition != condition.text() => {
            "the case file of a different condition"
        }
        Ok(file) => match Plan::new(condition, order).map_err(ListingError::from)? {
            Plan::Listed { first, second }
                if (first.seat, second.map(|hand| hand.seat))
                    != (file.header().first, file.header().second) =>
            {
                "the cases of the same condition in a different order"
            }
            _ => return Ok(()),
        },
    };
    Err(Error::usage(format!(
        "{} is {what}: choose another file with --out, or overwrite it with --force",
        display_path(path)
    )))
}

/// Writes the cases of a condition from its cells.
fn write_from_cells(
    condition: &Condition,
    path: &Path,
    options: &ListingOptions,
    order: Option<&[Seat]>,
    quiet: bool,
) -> Result<cases::Written, Error> {
    // Conditions that cannot be listed fail here with the same message as without cells.
    Plan::new(condition, order).map_err(ListingError::from)?;
    let made = output::during("cells", quiet, || Cells::listable(condition));
    let cells = made.map_err(|error| match error {
        CellsError::NoDeal => Error::from(ListingError::NoDeal),
        CellsError::Arithmetic(error) => condition.evaluation_error(&error).into(),
        error => Error::input(format!(
            "the condition has no cells: {error}; leave out --from-cells to list its hands"
        )),
    })?;
    let (cases, census) = output::during("count", quiet, || {
        let cases = CellCases::new(&cells, order, options.max_cases)?;
        let census = cases.census().within(options.max_cases)?;
        Ok::<_, ListingError>((cases, census))
    })?;
    write_cases(condition, &cases, census, path, &Terminal::new(quiet))
}

fn list(arguments: &ListArguments) -> Result<(), Error> {
    let options = &arguments.options;
    let format = match arguments.json {
        true => ListingFormat::Json,
        false => arguments.format,
    };
    let rows = arguments.rows.clone().unwrap_or(1..=u64::MAX);
    let listings = cache::listings()?;
    let listed = match arguments.input.resolve()?.1 {
        ConditionInput::CaseFile(path) => {
            options.whole().refuse_order()?;
            listings.open(&path)?
        }
        ConditionInput::Script(script) => {
            let (order, max_cases) = (options.order.as_deref(), options.max_cases);
            let terminal = Terminal::new(false);
            listings.listing(&script.condition, order, max_cases, &terminal)?
        }
    };
    let file = &listed.file;
    refuse_beyond(&rows, file.cases())?;
    let out = BufWriter::new(io::stdout().lock());
    write_listing(out, format, file, rows).map_err(|error| match error {
        ListingRowError::Io(error) => error.into(),
        damage => Error::input(format!("{damage}; run `fairdeal cases verify`")),
    })
}

/// Rejects rows beyond the end of the listing.
fn refuse_beyond(rows: &RangeInclusive<u64>, cases: u64) -> Result<(), Error> {
    match *rows.start() <= cases {
        true => Ok(()),
        false => Err(Error::usage(format!(
            "the listing has {} rows",
            thousands(cases)
        ))),
    }
}

fn info(path: &Path, is_json: bool) -> Result<(), Error> {
    let file = cases::open(path)?;
    let (header, bytes) = (file.header(), file.bytes().len() as u64);
    let hex = |hash: &[u8; 32]| blake3::Hash::from_bytes(*hash).to_hex();
    let mut out = io::stdout().lock();
    if is_json {
        let record = ListingRecord::new(path, header, bytes);
        return Ok(json::document(&mut out, &record)?);
    }
    writeln!(out, "format version  {}", cases::FORMAT_VERSION)?;
    writeln!(
        out,
        "hands           {}",
        order_of((header.first, header.second))
    )?;
    writeln!(out, "cases           {}", thousands(header.cases))?;
    writeln!(out, "T               {}", thousands(header.total))?;
    writeln!(out, "bytes           {}", thousands(bytes))?;
    writeln!(out, "records BLAKE3  {}", hex(&header.records_hash))?;
    writeln!(out, "section BLAKE3  {}", hex(&header.sections_hash))?;
    writeln!(out, "condition")?;
    for line in header.condition.lines() {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}

/// Result of a verification; a corrupted file is an error instead.
#[derive(Serialize)]
struct Proved {
    sound: bool,
    /// Whether the cells of the condition agree; false if it has none.
    cells: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_no_cells: Option<String>,
    #[serde(flatten)]
    listing: ListingRecord,
}

fn verify(path: &Path, print: PrintOptions) -> Result<(), Error> {
    let quiet = print.quiet;
    let file = cases::open(path)?;
    let (clock, cases, total) = (Instant::now(), file.cases(), file.total());
    let damaged = |error: &dyn std::fmt::Display| {
        Error::input(format!(
            "{} is corrupted: {error}; rebuild it with `fairdeal cases build`",
            display_path(path)
        ))
    };
    let verified = output::during("verify", quiet, || file.verify());
    verified.map_err(|error| damaged(&error))?;
    let (agreed, why_no_cells) = match output::during("cells", quiet, || cells::agree(&file)) {
        Ok(Agreement::Cases) => ("T, and every case with its weight", None),
        Ok(Agreement::Counts) => ("T, and the number of cases", None),
        Err(Disagreement::NotMade(why)) => ("", Some(why.to_string())),
        Err(error) => return Err(damaged(&error)),
    };
    let (name, seconds) = (display_path(path), clock.elapsed().as_secs_f64());
    tracing::info!(target: "cases", file = name, cases, total, seconds, "case file verified");
    let out = &mut io::stdout().lock();
    if print.json {
        let record = Proved {
            sound: true,
            cells: why_no_cells.is_none(),
            why_no_cells,
            listing: ListingRecord::new(path, file.header(), file.bytes().len() as u64),
        };
        json::document(out, &record)?;
    } else if !quiet {
        let size = listing_size(file.cases(), file.total());
        writeln!(
            out,
            "{}: sound. {size}; every record, weight, total and checksum is correct, and the condition has exactly these cases",
            display_path(path)
        )?;
        match why_no_cells {
            None => writeln!(out, "cells  agree: {agreed}")?,
            Some(why) => writeln!(out, "cells  not made: {why}")?,
        }
    }
    Ok(())
}

/// Result of pruning the cache folder.
#[derive(Serialize)]
struct PrunedRecord {
    folder: String,
    #[serde(flatten)]
    pruned: Pruned,
}

fn prune(is_json: bool) -> Result<(), Error> {
    let listings = cache::listings()?;
    let pruned = listings.prune()?;
    let folder = listings.folder().map(Path::display);
    let folder = folder.map_or_else(String::new, |folder| folder.to_string());
    if is_json {
        let pruned = PrunedRecord { folder, pruned };
        return Ok(json::document(&mut io::stdout().lock(), &pruned)?);
    }
    let being_written = match pruned.being_written {
        0 => String::new(),
        left => format!("; {} being written, kept", thousands(left)),
    };
    writeln!(
        io::stdout(),
        "{folder}: {} case files removed, {} bytes{being_written}",
        thousands(pruned.files),
        thousands(pruned.bytes)
    )?;
    Ok(())
}
