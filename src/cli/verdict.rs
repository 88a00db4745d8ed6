//! A verdict as a player reads it.

use std::io::{self, Write};

use fairdeal::battery::{Bound, Level, Verdict};
use fairdeal::report::{counted, grouped};

/// Bounds of tables that are printed; all of them are in bounds.csv.
const BOUNDS_PRINTED: usize = 3;
/// Bounds beyond it say nothing.
const LARGEST_BOUND: f64 = 0.5;
/// Deals from which on it says something how many different ones there must be.
const FEWEST_OF_SPACE: u64 = 1 << 12;
/// log10 of the largest p-value that is worth naming.
const WORTH_NAMING: f64 = -1.0;

/// Prints the verdict, the strongest evidence, the bounds and what would have been caught.
pub(super) fn print(out: &mut impl Write, verdict: &Verdict) -> io::Result<()> {
    let looks = counted(verdict.looks as u64, "look");
    let (level, deals) = (verdict.level.name(), counted(verdict.deals, "deal"));
    match verdict.tests {
        0 => writeln!(out, "verdict   {level}  after {deals} (no test)")?,
        tests => writeln!(
            out,
            "verdict   {level}  S = {:.2} after {deals} ({looks}, {tests} tests)",
            verdict.largest
        )?,
    }
    writeln!(out, "          {}", meaning(verdict))?;
    let worth = verdict
        .strongest
        .iter()
        .filter(|evidence| evidence.log10_p <= WORTH_NAMING);
    for (place, evidence) in worth.clone().enumerate() {
        let label = if place == 0 { "strongest" } else { "" };
        let effect = match evidence.effect.as_str() {
            "" => String::new(),
            // A cell of many, which is not what the p-value is of.
            cell if cell.contains(": ") => format!(", furthest out {cell}"),
            effect => format!("; {effect}"),
        };
        writeln!(
            out,
            "{label:<10}{} ({}): {}{effect}",
            evidence.looks_at,
            evidence.test,
            chance(evidence.log10_p)
        )?;
    }
    if worth.count() == 0 && verdict.tests > 0 {
        writeln!(out, "strongest none has a p-value below 0.1")?;
    }
    if matches!(verdict.level, Level::Pass | Level::Inconclusive) {
        bounds(out, verdict)?;
    }
    if !verdict.caught.is_empty() && matches!(verdict.level, Level::Pass | Level::Inconclusive) {
        let words = match verdict.level {
            Level::Inconclusive => "could see",
            _ => "caught",
        };
        let would = match verdict.level {
            Level::Inconclusive => "",
            _ => "would have been: ",
        };
        writeln!(out, "{words:<10}{would}{}", verdict.caught.join("; "))?;
    }
    for left_out in &verdict.left_out {
        writeln!(out, "left out  {left_out}")?;
    }
    Ok(())
}

/// Prints what can still be wrong, as far as players can use it.
fn bounds(out: &mut impl Write, verdict: &Verdict) -> io::Result<()> {
    let is_space = |bound: &&Bound| bound.quantity.starts_with("deal space");
    let of_cells = verdict
        .bounds
        .iter()
        .filter(|bound| bound.value <= LARGEST_BOUND && !bound.quantity.starts_with("departure"));
    let space = verdict.bounds.iter().find(is_space);
    let space = space.filter(|_| verdict.deals >= FEWEST_OF_SPACE);
    let bounds = of_cells.take(BOUNDS_PRINTED).chain(space);
    for (place, bound) in bounds.enumerate() {
        let label = if place == 0 { "bounds" } else { "" };
        let sure = if place == 0 { " (99.9 % sure)" } else { "" };
        writeln!(out, "{label:<10}{}{sure}", bound.words)?;
    }
    Ok(())
}

/// The verdict in a sentence.
fn meaning(verdict: &Verdict) -> String {
    let odds = || {
        format!(
            "chance does this at most once in 10^{:.0} runs",
            verdict.largest.floor()
        )
    };
    let reached = || {
        verdict.reached.map_or_else(String::new, |deals| {
            format!(", first seen at {} deals", grouped(deals))
        })
    };
    match verdict.level {
        Level::Pass => {
            "nothing speaks against these deals; what could still be wrong is below".to_owned()
        }
        Level::Inconclusive if verdict.tests == 0 => {
            "nothing could be tested: there are too few deals, or nothing that has a law".to_owned()
        }
        Level::Inconclusive => format!(
            "nothing speaks against these deals, but PASS takes {} of them",
            grouped(verdict.target)
        ),
        Level::Suspicious => format!(
            "{}{}: look at others from the same source",
            odds(),
            reached()
        ),
        Level::VerySuspicious => format!(
            "{}{}: look at others from the same source, and keep this report",
            odds(),
            reached()
        ),
        Level::Fail => format!("these deals are not random: {}{}", odds(), reached()),
        Level::Invalid => verdict.invalid.clone().unwrap_or_default(),
    }
}

/// A p-value for people.
fn chance(log10_p: f64) -> String {
    if log10_p > -1.0 {
        format!("p = {:.2}", 10f64.powf(log10_p))
    } else if log10_p > -4.0 {
        let digits = (1.0 - log10_p.floor()) as usize;
        format!("p = {:.digits$}", 10f64.powf(log10_p))
    } else {
        format!("p = 10^{log10_p:.1}")
    }
}
