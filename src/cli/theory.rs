//! `fairdeal theory`

use std::io::{self, BufWriter, Write};
use std::path::Path;

use clap::Args;

use fairdeal::Error;
use fairdeal::population::listing_size;
use fairdeal::printable::{
    about_one_in, interval, one_in, percent, probability, significant, three_digits,
};
use fairdeal::printable::{thousands, with_noun};
use fairdeal::report::{EstimateRecord, ExactAnswer, Folder, OnConflict, TheoryRecord, fraction};
use fairdeal::tasks::{ExactTheory, TheoryAnswer, TheoryRequest, theory, theory_or_estimate};
use fairdeal::theory::{NoLaw, Ratio, SeatQuantity, SeatTable};

use super::input::{InputOptions, ListingOptions};
use super::layout::{self, SummaryLayout, Tone, columns, fitting, padded};
use super::output_options::OutputOptions;
use super::tables::TableOptions;
use super::terminal::Terminal;
use super::{cache, json};

const EXAMPLES: &str = "\
Examples:
  fairdeal theory nine-spades
  fairdeal theory --where 'hcp(north) + hcp(south) >= 26'
  fairdeal theory --where 'spades(east) == 2' --given 'spades(north) + spades(south) == 9'
  fairdeal theory unconstrained --out tables";

/// Print or write exact probabilities, without dealing
///
/// Every probability is an exact fraction of integers. The condition may mention any cards of one
/// to four hands and predealt cards. Prints the tables of shapes, points and suit lengths; with
/// --out, writes all tables as CSV with the fractions. Where a condition has no exact tables,
/// estimates its probability from a sample.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct TheoryArguments {
    #[command(flatten)]
    input: InputOptions,

    /// What is known of the deals, as a condition: probabilities and tables are
    /// those among the deals that satisfy it
    #[arg(
        long,
        value_name = "CONDITION",
        allow_hyphen_values = true,
        conflicts_with = "order",
        help_heading = "Deals"
    )]
    given: Option<String>,

    #[command(flatten)]
    output: OutputOptions,

    /// Print all digits
    #[arg(long, help_heading = "Output", conflicts_with_all = ["quiet", "json"])]
    exact: bool,

    #[command(flatten)]
    tables: TableOptions,

    #[command(flatten)]
    options: ListingOptions,
}

pub(super) fn execute(arguments: &TheoryArguments) -> Result<(), Error> {
    let (_, input) = arguments.input.resolve_with_mix()?;
    let (listings, terminal) = (
        cache::listings()?,
        Terminal::new(arguments.output.print.quiet),
    );
    let given = arguments.given.as_ref();
    let given = given.map(|text| arguments.input.given(text)).transpose()?;
    let sampling = arguments.options.whole();
    let request = TheoryRequest {
        given: given.as_ref(),
        ..TheoryRequest::new(input, &sampling)
    };
    let found = match arguments.output.out {
        Some(_) => theory(request, &listings, &terminal)?,
        None => match theory_or_estimate(request, &listings, &terminal)? {
            TheoryAnswer::Exact(found) => *found,
            TheoryAnswer::Estimated(estimate) => return print_estimate(arguments, &estimate),
        },
    };
    if let Some(out) = &arguments.output.out {
        let folder = Folder::take::<TheoryRecord>(
            out,
            &found.record.condition,
            OnConflict::by_force(arguments.output.force),
        )?;
        let folder = folder.with_formats(&arguments.tables.formats());
        found.write(&folder)?;
    }
    if arguments.output.print.quiet && !arguments.output.print.json {
        return Ok(());
    }
    let mut out = BufWriter::new(layout::stdout());
    let folder = arguments.output.out.as_deref();
    match arguments.output.print.json {
        true => json::document(&mut out, &found.document(folder))?,
        false => print(
            &mut SummaryLayout::new(&mut out),
            &found,
            folder,
            arguments.exact,
        )?,
    }
    Ok(out.flush()?)
}

/// Prints an estimate, why it is one, and how to get more digits.
fn print_estimate(arguments: &TheoryArguments, estimate: &EstimateRecord) -> Result<(), Error> {
    let mut out = BufWriter::new(layout::stdout());
    if arguments.output.print.json {
        json::document(&mut out, estimate)?;
    } else if !arguments.output.print.quiet {
        let layout = &mut SummaryLayout::new(&mut out);
        let record = &estimate.probability;
        if let Some(fraction) = &record.fraction {
            layout.headline("Probability", Tone::Neutral, &[probability(record.value)])?;
            layout.line("Fraction", fraction)?;
            layout.line("No tables", &estimate.why)?;
            print_estimated_types(layout, estimate)?;
            return Ok(out.flush()?);
        }
        let [low, high] = record.bounds.unwrap_or([0.0, 1.0]);
        let words = match record.value {
            0.0 => format!("below {}", three_digits(high)),
            p => {
                let about = about_one_in("1", p, [low, high]);
                format!("about {} ({about})", three_digits(p))
            }
        };
        layout.headline("Probability", Tone::Neutral, &[words])?;
        let bounds = format!("{} at 99.9 % confidence", interval([low, high]));
        let drawn = format!("{} drawn", with_noun(estimate.drawn, "deal"));
        layout.line("Bounds", &format!("{bounds}, from {drawn}"))?;
        layout.line("Not exact", &estimate.why)?;
        let run = match estimate.given {
            None => "fairdeal run --deals 100M, with the same condition",
            Some(_) => {
                "fairdeal run --deals 100M --where GIVEN, with `action average` of the condition"
            }
        };
        layout.line("More", run)?;
        print_estimated_types(layout, estimate)?;
    }
    Ok(out.flush()?)
}

/// Prints the types of a mix without exact tables: what the mix asks of each, and what is known.
fn print_estimated_types(
    layout: &mut SummaryLayout<'_>,
    estimate: &EstimateRecord,
) -> io::Result<()> {
    let types = estimate.types.iter().map(|of| {
        let natural = of.natural_share.as_deref().unwrap_or("not exact");
        let known = of.probability.as_ref().map(|of| probability(of.value));
        [&of.name, &of.share, natural, &known.unwrap_or_default()].map(str::to_owned)
    });
    print_type_rows(
        layout,
        ["Type", "in the mix", "natural", "probability"],
        types,
    )
}

fn print(
    layout: &mut SummaryLayout<'_>,
    found: &ExactTheory,
    folder: Option<&Path>,
    is_exact: bool,
) -> io::Result<()> {
    let total = found.total;
    match found.is_unconstrained {
        true => {
            let parts = ["1".to_owned(), format!("every deal: {}", thousands(total))];
            layout.headline("Probability", Tone::Neutral, &parts)?;
        }
        false => {
            let p = found.probability.to_f64();
            let words = match is_exact {
                true => format!("{} ({})", significant(p), one_in(p)),
                false => probability(p),
            };
            layout.headline("Probability", Tone::Neutral, &[words])?;
            layout.line(
                "Fraction",
                found
                    .record
                    .probability
                    .fraction
                    .as_deref()
                    .unwrap_or_default(),
            )?;
            match found.record.cases {
                Some(cases) => layout.line("Cases", &listing_size(cases, total))?,
                None => layout.line("Total", &format!("T = {}", thousands(total)))?,
            }
        }
    }
    print_types(layout, found, is_exact)?;
    print_answers(layout, &found.answers, is_exact)?;
    match folder {
        Some(folder) => layout.line("Tables", &folder.display().to_string()),
        None => print_tables(layout, found, is_exact),
    }
}

/// Prints the types of a mix: the share of each in the mix, and in the deals of the condition.
fn print_types(
    layout: &mut SummaryLayout<'_>,
    found: &ExactTheory,
    is_exact: bool,
) -> io::Result<()> {
    let shown = |share: Ratio| match is_exact {
        true => format!("{} %", significant(100.0 * share.to_f64())),
        false => percent(share.to_f64(), 4),
    };
    let types = found.types.iter().map(|of| {
        let [mix, natural] = [of.share, of.natural_share].map(shown);
        [of.name.clone(), mix, natural, fraction(of.natural_share)]
    });
    print_type_rows(layout, ["Type", "in the mix", "natural", ""], types)
}

/// Prints a row for each type of a mix; nothing without a mix.
fn print_type_rows(
    layout: &mut SummaryLayout<'_>,
    heading: [&str; 4],
    types: impl Iterator<Item = [String; 4]>,
) -> io::Result<()> {
    let rows: Vec<[String; 4]> = [heading.map(str::to_owned)]
        .into_iter()
        .chain(types)
        .collect();
    if rows.len() == 1 {
        return Ok(());
    }
    let [name, mix, natural] = [0, 1, 2].map(|column| {
        let widths = rows.iter().map(|row| row[column].len());
        widths.max().unwrap_or(0)
    });
    layout.gap()?;
    for [of, share, natural_share, last] in &rows {
        let text = format!("{of:<name$}  {share:>mix$}  {natural_share:>natural$}  {last}");
        layout.whole_row(text.trim_end())?;
    }
    Ok(())
}

/// Maximum number of values of a frequency printed; frequencies.csv has all of them.
const VALUES_PRINTED: usize = 40;

/// Prints the script's averages with their fractions, and its frequencies.
fn print_answers(
    layout: &mut SummaryLayout<'_>,
    answers: &[ExactAnswer],
    is_exact: bool,
) -> io::Result<()> {
    let averages = || answers.iter().filter(|answer| answer.axes.is_none());
    if let Some(width) = averages().map(|answer| columns(&answer.label)).max() {
        let width = width.clamp(9, layout.width() / 2);
        layout.gap()?;
        layout.row("Average")?;
        for answer in averages() {
            let value = match (answer.mean(), answer.mean_fraction()) {
                (Some(mean), Some(fraction)) => match is_exact {
                    true => format!("{}  {fraction}", significant(mean)),
                    false => format!("{mean:.6}  {fraction}"),
                },
                _ => no_exact(answer),
            };
            let label = padded(&fitting(&answer.label, width), width);
            layout.whole_row(&format!("{label}  {value}"))?;
        }
    }
    for answer in answers.iter().filter(|answer| answer.axes.is_some()) {
        layout.gap()?;
        layout.row(&answer.label)?;
        let Some(shares) = answer.shares() else {
            layout.more(&no_exact(answer))?;
            continue;
        };
        let cells = answer.cells().into_iter().zip(shares);
        let possible: Vec<(String, Ratio)> = cells.filter(|(_, share)| share.ways > 0).collect();
        for (value, share) in possible.iter().take(VALUES_PRINTED) {
            let share = percentage(*share, is_exact);
            layout.row(&format!("{value:9}  {share:>11}"))?;
        }
        if possible.len() > VALUES_PRINTED {
            let more = with_noun((possible.len() - VALUES_PRINTED) as u64, "row");
            layout.more(&format!("{more} more in frequencies.csv (--out)"))?;
        }
    }
    Ok(())
}

/// The reason why a value is missing.
fn no_exact(answer: &ExactAnswer) -> String {
    let why = answer.reason().unwrap_or(NoLaw::NotComputed);
    let remedy = match why {
        NoLaw::Steps => "; raise it with --max-cases",
        _ => "",
    };
    format!("no exact value: {why}{remedy}")
}

/// A probability in per cent, with all digits on request.
fn percentage(share: Ratio, is_exact: bool) -> String {
    match is_exact {
        true => format!("{:.14} %", share.times(100)),
        false => percent(share.to_f64(), 4),
    }
}

fn print_tables(
    layout: &mut SummaryLayout<'_>,
    found: &ExactTheory,
    is_exact: bool,
) -> io::Result<()> {
    let together = found.partners.map(|side| found.theory.of_side(side));
    let tables = found.theory.by_seat().into_iter();
    for table in tables.chain(together.into_iter().flatten()) {
        let least = if is_exact { 19 } else { 11 };
        let names = table.columns.iter().map(|(seats, _)| seats.len());
        let width = names.fold(least, usize::max);
        print_table(layout, &table, width, is_exact)?;
        if matches!(table.quantity, SeatQuantity::Hcp | SeatQuantity::SideHcp) {
            print_means(layout, &table, width, is_exact)?;
        }
    }
    Ok(())
}

/// Prints a row for each possible value, in per cent.
fn print_table(
    layout: &mut SummaryLayout<'_>,
    table: &SeatTable,
    width: usize,
    is_exact: bool,
) -> io::Result<()> {
    let headings = table.columns.iter();
    let headings = headings.map(|(seats, _)| format!("  {seats:>width$}"));
    let title = table.quantity.to_string();
    layout.gap()?;
    layout.row(&format!("{title:9}{}", headings.collect::<String>()))?;
    for (value, chances) in table.rows() {
        let cells = chances.iter().map(|chance| match chance.ways {
            0 => format!("  {:>width$}", "-"),
            _ => format!("  {:>width$}", percentage(*chance, is_exact)),
        });
        let row = format!("{value:9}{}", cells.collect::<String>());
        match is_exact {
            true => layout.whole_row(&row)?,
            false => layout.row(&row)?,
        }
    }
    Ok(())
}

fn print_means(
    layout: &mut SummaryLayout<'_>,
    table: &SeatTable,
    width: usize,
    is_exact: bool,
) -> io::Result<()> {
    let means = table.columns.iter().map(|(_, seat)| {
        let (sum, of) = seat.mean();
        let mean = sum as f64 / of as f64;
        match is_exact {
            true => format!("  {mean:>width$.12}"),
            false => format!("  {mean:>0$.3}  ", width - 2),
        }
    });
    layout.row(&format!("{:9}{}", "mean", means.collect::<String>()))
}
