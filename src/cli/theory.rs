//! `fairdeal theory`

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use fairdeal::cards::{Seat, Shape, Suit};
use fairdeal::cases::{CaseBytes, CaseFile, ListingError};
use fairdeal::cells::{Cells, Unfactored};
use fairdeal::combinatorics::{DEALS, choose};
use fairdeal::condition::{Condition, Plan, PlanError};
use fairdeal::report::{Folder, PROGRAM, TheoryRecord, grouped, theory_tables};
use fairdeal::theory::{Distribution, Ratio, Theory, null_laws};

use super::input::{self, Input, ListingOptions, Source};
use super::tables::TableOptions;
use super::{json, output};
use fairdeal::Error;

/// Print or write the exact tables, without drawing a card
///
/// Every probability is an exact fraction of integers, of conditions on one to four hands; they
/// are not listed if they can be made of cells over suits. Without --out the tables of shapes, points
/// and suit lengths are printed; with it, all tables are written as CSV, with the fractions.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,

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
    let (_, source) = arguments.input.resolve()?;
    let (condition, deals) = match source {
        Source::CaseFile(path) => {
            arguments.options.refuse_order()?;
            let file = input::open_sound(&path, false)?.file;
            (file.header().condition.clone(), Deals::File(Box::new(file)))
        }
        Source::Script(script) => {
            let deals = Deals::of(&script.condition, arguments)?;
            (script.condition.text().to_owned(), deals)
        }
    };
    let clock = Instant::now();
    let theory = output::during("theory", arguments.quiet, || match &deals {
        Deals::Every => Ok(Theory::unconstrained()),
        Deals::File(file) => Theory::of_cases(file),
        Deals::Cells(cells, _) => Theory::of_cells(cells),
    })?;
    let (cases, seconds) = (deals.cases(), clock.elapsed().as_secs_f64());
    tracing::info!(target: "theory", cases, seconds, "theory made");
    let chance = deals.chance();
    let record = TheoryRecord {
        program: PROGRAM.to_owned(),
        condition,
        order: deals.order(),
        total: deals.total().to_string(),
        cases,
        chance: fraction(chance),
    };
    if let Some(out) = &arguments.out {
        let folder = Folder::for_theory(out, arguments.force)?;
        let folder = arguments.tables.apply(folder);
        folder.begin()?;
        let laws = matches!(deals, Deals::Every).then(null_laws);
        folder.write_tables(&theory_tables(&theory, laws.as_ref()))?;
        folder.write_theory(&record)?;
        let folder = out.display().to_string();
        tracing::info!(target: "theory", folder, "tables written");
    }
    if arguments.quiet {
        return Ok(());
    }
    let mut out = BufWriter::new(io::stdout().lock());
    if arguments.json {
        let folder = arguments.out.as_deref();
        let document = Document {
            record: &record,
            one_deal_in: 1.0 / chance.to_f64(),
            folder: folder.map(|folder| folder.display().to_string()),
            tables: folder.is_none().then(|| Tables::of(&theory)),
        };
        json::document(&mut out, &document)?;
        return Ok(out.flush()?);
    }
    match &deals {
        Deals::Every => writeln!(out, "every deal: {}", grouped(DEALS))?,
        _ => {
            match cases {
                Some(cases) => writeln!(out, "{}", input::size_of(cases, deals.total()))?,
                None => writeln!(out, "T = {}", grouped(deals.total()))?,
            }
            let one_in = 1.0 / chance.to_f64();
            writeln!(out, "one deal in {one_in:.6} has such hands")?;
        }
    }
    match &arguments.out {
        Some(folder) => writeln!(out, "tables    {}", folder.display())?,
        None => print(&mut out, &theory)?,
    }
    Ok(out.flush()?)
}

/// What theory is made of.
enum Deals {
    Every,
    File(Box<CaseFile<CaseBytes>>),
    /// Cells, and the hands in the order of the condition.
    Cells(Box<Cells>, String),
}

impl Deals {
    /// The cells of a condition, or its listing where it has none.
    fn of(condition: &Condition, arguments: &Arguments) -> Result<Self, Error> {
        let options = &arguments.options;
        let order = options.order.as_deref();
        let plan = Plan::new(condition, order);
        if matches!(plan, Ok(Plan::Unconstrained)) {
            return Ok(Self::Every);
        }
        let more_hands = matches!(plan, Err(PlanError::Condition(_))) && order.is_none();
        if plan.is_ok() || more_hands {
            match output::during("count", arguments.quiet, || Cells::new(condition)) {
                Ok(cells) => {
                    let order = match plan {
                        Ok(Plan::Listed { first, second }) => {
                            input::order_of((first.seat, second.map(|hand| hand.seat)))
                        }
                        _ => String::new(),
                    };
                    return Ok(Self::Cells(Box::new(cells), order));
                }
                Err(Unfactored::NoDeal) => return Err(ListingError::NoDeal.into()),
                Err(Unfactored::Arithmetic(error)) => {
                    return Err(condition.evaluation_error(&error).into());
                }
                Err(why) => tracing::debug!(target: "theory", %why, "no cells"),
            }
        }
        let listed = options.listed(condition, arguments.quiet, |_| Ok(()))?;
        Ok(Self::File(Box::new(listed.file)))
    }

    fn order(&self) -> String {
        match self {
            Self::Every => String::new(),
            Self::File(file) => input::order_of((file.header().first, file.header().second)),
            Self::Cells(_, order) => order.clone(),
        }
    }

    /// T, or the number of all deals.
    fn total(&self) -> u128 {
        match self {
            Self::Every => DEALS,
            Self::File(file) => file.total(),
            Self::Cells(cells, _) => cells.total(),
        }
    }

    /// Number of cases of a listing of one hand or two.
    fn cases(&self) -> Option<u64> {
        match self {
            Self::Every => None,
            Self::File(file) => Some(file.cases()),
            Self::Cells(_, order) if order.is_empty() => None,
            Self::Cells(cells, _) => u64::try_from(cells.cases()).ok(),
        }
    }

    /// The share of all deals.
    fn chance(&self) -> Ratio {
        let (ways, of) = match self {
            Self::Every => (1, 1),
            Self::File(file) => {
                let both = file.header().second.is_some();
                let second = if both { choose(39, 13) } else { 1 };
                (file.total(), choose(52, 13) * second)
            }
            Self::Cells(cells, _) => cells.chance(),
        };
        Ratio { ways, of }
    }
}

/// A fraction in lowest terms.
fn fraction(ratio: Ratio) -> String {
    let Ratio { ways, of } = ratio.reduced();
    format!("{ways}/{of}")
}

/// What is printed, in JSON.
#[derive(Serialize)]
struct Document<'d> {
    #[serde(flatten)]
    record: &'d TheoryRecord,
    /// One deal in so many has such hands.
    one_deal_in: f64,
    /// Where the tables were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    #[serde(flatten)]
    tables: Option<Tables>,
}

/// The tables that are printed, with the columns of the CSV of the same names.
#[derive(Serialize)]
struct Tables {
    shapes: Vec<Row>,
    hcp: Vec<Row>,
    hcp_mean: Vec<Mean>,
    suit_lengths: Vec<Row>,
}

/// An outcome that can come.
#[derive(Serialize)]
struct Row {
    seat: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    suit: Option<&'static str>,
    #[serde(flatten)]
    outcome: Outcome,
    probability: f64,
    fraction: String,
}

/// What comes, under the name of its column.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Shape(String),
    Hcp(usize),
    Length(usize),
}

/// The mean of a seat's HCP.
#[derive(Serialize)]
struct Mean {
    seat: &'static str,
    mean: f64,
    fraction: String,
}

impl Tables {
    fn of(theory: &Theory) -> Self {
        let names: Vec<String> = Shape::all().map(|shape| shape.to_string()).collect();
        let shape = |place: usize| Outcome::Shape(names[place].clone());
        let (mut shapes, mut hcp, mut suit_lengths) = (Vec::new(), Vec::new(), Vec::new());
        for seat in Seat::ALL {
            shapes.extend(rows(seat, None, &theory.shapes(seat), shape));
            hcp.extend(rows(seat, None, theory.hcp(seat), Outcome::Hcp));
            for suit in Suit::ALL {
                let lengths = theory.suit_lengths(seat, suit);
                suit_lengths.extend(rows(seat, Some(suit), &lengths, Outcome::Length));
            }
        }
        let hcp_mean = Seat::ALL.map(|seat| {
            let (sum, of) = theory.hcp(seat).mean();
            Mean {
                seat: seat.name(),
                mean: sum as f64 / of as f64,
                fraction: format!("{sum}/{of}"),
            }
        });
        Self {
            shapes,
            hcp,
            hcp_mean: hcp_mean.into(),
            suit_lengths,
        }
    }
}

/// The outcomes of a seat that can come.
fn rows(
    seat: Seat,
    suit: Option<Suit>,
    distribution: &Distribution,
    outcome: impl Fn(usize) -> Outcome,
) -> Vec<Row> {
    let ratios =
        (0..distribution.ways().len()).map(|place| (place, distribution.probability(place)));
    let possible = ratios.filter(|(_, ratio)| ratio.ways > 0);
    let row = |(place, ratio): (usize, Ratio)| Row {
        seat: seat.name(),
        suit: suit.map(Suit::name),
        outcome: outcome(place),
        probability: ratio.to_f64(),
        fraction: fraction(ratio),
    };
    possible.map(row).collect()
}

fn print(out: &mut impl Write, theory: &Theory) -> io::Result<()> {
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
