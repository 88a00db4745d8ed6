//! `fairdeal theory`

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use fairdeal::Error;
use fairdeal::bridge::{Seat, Shape, Suit};
use fairdeal::population::{Base, Listings};
use fairdeal::printable::shown;
use fairdeal::report::{Folder, TheoryDocument, grouped};
use fairdeal::tasks::{ExactTheory, theory};
use fairdeal::theory::{Distribution, Theory};

use super::input::{self, InputOptions, ListingOptions};
use super::json;
use super::tables::TableOptions;
use super::terminal::Terminal;

/// Print or write the exact tables, without drawing a card
///
/// Every probability is an exact fraction of integers, of conditions on one to four hands; they
/// are not listed if they can be made of cells over suits. Without --out the tables of shapes, points
/// and suit lengths are printed; with it, all tables are written as CSV, with the fractions.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: InputOptions,

    /// Write every table as CSV into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Replace the tables of a run, or other files of the same names
    #[arg(long, requires = "out")]
    force: bool,

    /// No progress and no summary
    #[arg(short, long)]
    quiet: bool,

    /// Print theory.json, and what is printed otherwise, as JSON
    #[arg(long, conflicts_with = "quiet")]
    json: bool,

    #[command(flatten)]
    tables: TableOptions,

    #[command(flatten)]
    options: ListingOptions,
}

pub(super) fn execute(arguments: &Arguments) -> Result<(), Error> {
    let (_, input) = arguments.input.resolve()?;
    let (listings, terminal) = (Listings::of_user()?, Terminal::new(arguments.quiet));
    let request = &arguments.options.whole();
    let found = theory(input, request, &listings, &terminal)?;
    if let Some(out) = &arguments.out {
        let folder = Folder::for_theory(out, arguments.force)?;
        let folder = folder.with_formats(&arguments.tables.formats());
        found.write(&folder)?;
    }
    if arguments.quiet {
        return Ok(());
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let folder = arguments.out.as_deref();
    match arguments.json {
        true => json::document(
            &mut out,
            &TheoryDocument::new(&found.record, found.probability, &found.theory, folder),
        )?,
        false => print(&mut out, &found, folder)?,
    }
    Ok(out.flush()?)
}

fn print(out: &mut impl Write, found: &ExactTheory, folder: Option<&Path>) -> io::Result<()> {
    let total = found.population.total();
    match found.population.base() {
        Base::EveryDeal => writeln!(out, "every deal: {}", grouped(total))?,
        _ => {
            match found.record.cases {
                Some(cases) => writeln!(out, "{}", input::size_of(cases, total))?,
                None => writeln!(out, "T = {}", grouped(total))?,
            }
            let one_in = 1.0 / found.probability.to_f64();
            writeln!(out, "one deal in {one_in:.6} has such hands")?;
        }
    }
    match folder {
        Some(folder) => writeln!(out, "tables    {}", shown(folder)),
        None => print_tables(out, &found.theory),
    }
}

fn print_tables(out: &mut impl Write, theory: &Theory) -> io::Result<()> {
    let shapes = Seat::ALL.map(|seat| theory.shapes(seat));
    let names: Vec<String> = Shape::all().map(|shape| shape.to_string()).collect();
    table(
        out,
        "SHAPE",
        &names,
        &shapes.each_ref().map(|shapes| shapes),
    )?;
    let hcp = Seat::ALL.map(|seat| theory.hcp(seat));
    let names: Vec<String> = (0..38).map(|hcp| hcp.to_string()).collect();
    table(out, "HCP", &names, &hcp)?;
    write!(out, "{:9}", "mean")?;
    for points in hcp {
        let (sum, of) = points.mean();
        write!(out, "  {:>21.12}", sum as f64 / of as f64)?;
    }
    writeln!(out)?;
    let names: Vec<String> = (0..14).map(|length| length.to_string()).collect();
    for suit in Suit::ALL {
        let lengths = Seat::ALL.map(|seat| theory.suit_lengths(seat, suit));
        let title = suit.name().to_uppercase();
        table(
            out,
            &title,
            &names,
            &lengths.each_ref().map(|lengths| lengths),
        )?;
    }
    Ok(())
}

/// A row for each outcome that some seat can have, in per cent.
fn table(
    out: &mut impl Write,
    title: &str,
    names: &[String],
    seats: &[&Distribution; 4],
) -> io::Result<()> {
    write!(out, "\n{title:9}")?;
    for seat in Seat::ALL {
        write!(out, "  {:>21}", seat.name())?;
    }
    writeln!(out)?;
    for (outcome, name) in names.iter().enumerate() {
        let chances = seats.map(|seat| seat.probability(outcome));
        if chances.iter().all(|chance| chance.ways == 0) {
            continue;
        }
        write!(out, "{name:9}")?;
        for chance in chances {
            match chance.ways {
                0 => write!(out, "  {:>21}", "-")?,
                _ => write!(out, "  {:>19.14} %", chance.times(100))?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
