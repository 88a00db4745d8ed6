//! Output of `--explain`.

use std::io::{self, Write};

use fairdeal::population::listing_size;
use fairdeal::printable::{printable, thousands};
use fairdeal::tasks::run::{Acceptance, Considered, Explanation};

/// Prints how a run would find its deals.
pub(in crate::cli) fn print(out: &mut impl Write, found: &Explanation) -> io::Result<()> {
    writeln!(out, "sampler     {}: {}", found.sampler, found.why)?;
    writeln!(out, "            chosen in {:.3} s", found.planning_seconds)?;
    print_base(out, found)?;
    if let Some(one_deal_in) = found.one_deal_in {
        let all = match found.predealt {
            false => "all deals",
            true => "all deals with the fixed cards",
        };
        writeln!(out, "population  one deal in {one_deal_in:.6} of {all}")?;
    }
    print_filter(out, found)?;
    for (place, considered) in found.considered.iter().enumerate() {
        let label = if place == 0 { "considered" } else { "" };
        writeln!(out, "{label:<12}{}", of_considered(considered))?;
    }
    Ok(())
}

fn print_filter(out: &mut impl Write, found: &Explanation) -> io::Result<()> {
    let Some(acceptance) = &found.acceptance else {
        writeln!(out, "filter      none")?;
        return writeln!(
            out,
            "acceptance  1, exactly: every deal drawn satisfies the condition"
        );
    };
    for (place, term) in found.filter.iter().enumerate() {
        let label = if place == 0 { "filter" } else { "" };
        writeln!(out, "{label:<12}{term}")?;
    }
    let &Acceptance {
        share,
        standard_error,
        kept,
        drawn,
    } = acceptance;
    match kept {
        0 => writeln!(out, "acceptance  none of {drawn} deals drawn was kept"),
        _ => writeln!(
            out,
            "acceptance  {share:.6} +- {standard_error:.6}: {kept} of {drawn} deals drawn were kept"
        ),
    }
}

/// Prints the listing or the cells that deals are drawn from.
fn print_base(out: &mut impl Write, found: &Explanation) -> io::Result<()> {
    match (&found.listed, &found.cells) {
        (None, Some(cells)) => {
            let text = match found.filter.is_empty() {
                true => "the whole condition",
                false => {
                    let text = &cells.condition;
                    text.strip_prefix("condition ").unwrap_or(text)
                }
            };
            writeln!(out, "cells       {}", text.replace('\n', "\n            "))?;
            writeln!(
                out,
                "            {} cells of {} shapes, for {} cases, T = {} ({})",
                thousands(cells.cells),
                thousands(cells.shapes as u64),
                thousands(cells.cases),
                thousands(cells.total),
                cells.hands.join(",")
            )?;
            writeln!(
                out,
                "            lists of {} bytes, made in {:.3} s",
                thousands(cells.bytes as u64),
                cells.seconds
            )?;
            write!(out, "prices      {:.0} ns a deal", cells.price.of_a_draw)?;
            if let Some(listing) = cells.price_of_listing {
                let (draw, before) = (listing.of_a_draw, listing.before / 1e9);
                write!(
                    out,
                    "; from a listing {draw:.0} ns, after {before:.3} s to write it"
                )?;
            }
            writeln!(out)?;
        }
        (None, None) => writeln!(out, "listed      nothing: every deal is drawn")?,
        (Some(listed), _) => {
            let text = &listed.condition;
            let text = if found.filter.is_empty() {
                "the whole condition"
            } else {
                text.strip_prefix("condition ").unwrap_or(text)
            };
            writeln!(out, "listed      {}", text.replace('\n', "\n            "))?;
            writeln!(
                out,
                "            {} ({}), {}",
                listing_size(listed.cases, listed.total),
                listed.order,
                printable(&listed.file)
            )?;
            writeln!(out, "price       {:.0} ns a deal", listed.price.of_a_draw)?;
        }
    }
    Ok(())
}

/// A considered sampler, on one line.
fn of_considered(considered: &Considered) -> String {
    let mut line = considered.sampler.to_owned();
    if !considered.hands.is_empty() {
        line += &format!(" of {}", considered.hands);
    }
    line += &format!(": {}", considered.outcome);
    match (considered.one_deal_in, considered.estimated_one_deal_in) {
        (Some(exact), _) => line += &format!(", one deal in {exact:.3}"),
        (None, Some(about)) => line += &format!(", about one deal in {about:.0}"),
        (None, None) => {}
    }
    if let (Some(steps), Some(granted)) = (considered.steps, considered.granted_steps) {
        line += &format!(" ({} of {} steps)", thousands(steps), thousands(granted));
    }
    line
}
