//! A verdict as a player reads it.

use std::io::{self, Write};

use fairdeal::battery::{Level, Verdict};
use fairdeal::report::grouped;

/// Bounds that are printed; all of them are in bounds.csv.
const BOUNDS_PRINTED: usize = 3;

/// Prints the verdict, the strongest evidence, the bounds and what would have been caught.
pub(super) fn print(out: &mut impl Write, verdict: &Verdict) -> io::Result<()> {
    let looks = match verdict.looks {
        1 => "1 look".to_owned(),
        looks => format!("{looks} looks"),
    };
    writeln!(
        out,
        "verdict   {}  S = {:.2} after {} deals ({looks}, {} tests)",
        verdict.level.name(),
        verdict.largest,
        grouped(verdict.deals),
        verdict.tests
    )?;
    writeln!(out, "          {}", meaning(verdict))?;
    for (place, evidence) in verdict.strongest.iter().enumerate() {
        let label = if place == 0 { "strongest" } else { "" };
        let effect = if evidence.effect.is_empty() {
            String::new()
        } else {
            format!(": {}", evidence.effect)
        };
        writeln!(
            out,
            "{label:<10}{} ({}){effect} ({})",
            evidence.looks_at,
            evidence.test,
            chance(evidence.log10_p)
        )?;
    }
    for (place, bound) in verdict.bounds.iter().take(BOUNDS_PRINTED).enumerate() {
        let label = if place == 0 { "bounds" } else { "" };
        let sure = if place == 0 { " (99.9 % sure)" } else { "" };
        writeln!(out, "{label:<10}{}{sure}", bound.words)?;
    }
    let mut others = verdict.bounds.iter().skip(BOUNDS_PRINTED);
    if let Some(space) = others.find(|bound| bound.quantity.starts_with("deal space")) {
        writeln!(out, "          {}", space.words)?;
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
        Level::Suspicious => format!("{}{}: run again with a fresh seed", odds(), reached()),
        Level::VerySuspicious => format!(
            "{}{}: run again with a fresh seed, and keep this report",
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
