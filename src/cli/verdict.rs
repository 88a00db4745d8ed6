//! The verdict on the deals: tests, evidence and bounds.

use std::io;

use fairdeal::battery::{Bound, Evidence, Level, Verdict};
use fairdeal::printable::three_digits_log10;
use fairdeal::printable::{thousands, with_noun};
use fairdeal::run::DEFAULT_TARGET;
use fairdeal::stats::elementary::powf;

use super::layout::SummaryLayout;

/// How much of a summary is printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Detail {
    /// Whether a verdict was requested, so that INCONCLUSIVE is an answer.
    pub(super) is_verdict_asked: bool,
    /// Whether speed, sampler, looks and all bounds are printed too.
    pub(super) is_verbose: bool,
}

/// Maximum number of bounds printed with `--verbose`; bounds.csv has all of them.
const BOUNDS_PRINTED: usize = 3;
/// Bounds above this value are not informative and are not printed.
const LARGEST_BOUND: f64 = 0.5;
/// Minimum number of deals for an informative bound on the deal space.
const FEWEST_OF_SPACE: u64 = 1 << 12;

/// The target beside a verdict that depends on it, if it is lower than by default.
pub(super) fn lowered_target(verdict: &Verdict) -> Option<String> {
    let depends = matches!(verdict.level, Level::Pass | Level::Inconclusive);
    (depends && verdict.target < DEFAULT_TARGET)
        .then(|| format!("target lowered to {}", with_noun(verdict.needed(), "deal")))
}

/// Prints the tests made, the evidence and the bounds.
pub(super) fn print(
    layout: &mut SummaryLayout<'_>,
    verdict: &Verdict,
    detail: Detail,
) -> io::Result<()> {
    match verdict.level {
        Level::Pass | Level::Inconclusive => {
            layout.line("Checked", &checked(verdict, detail))?;
        }
        Level::Invalid => layout.line("Invalid", verdict.invalid.as_deref().unwrap_or_default())?,
        Level::Suspicious | Level::VerySuspicious | Level::Fail => {
            layout.lines("Evidence", evidence(verdict))?;
            layout.line("Meaning", &meaning(verdict))?;
        }
    }
    match (detail.is_verbose, verdict.level) {
        (true, _) => details(layout, verdict)?,
        // The detectable effects answer the request for a verdict on a small sample.
        (false, Level::Inconclusive) if detail.is_verdict_asked => {
            layout.lines("Detects", verdict.detectable.in_words())?;
        }
        (false, _) => {}
    }
    layout.lines("Left out", verdict.left_out.iter().cloned())
}

/// The number of tests, and the strongest remaining bound.
fn checked(verdict: &Verdict, detail: Detail) -> String {
    let tests = with_noun(verdict.tests as u64, "test");
    let mut words = match (verdict.level, verdict.tests) {
        (_, 0) => "no test was possible: there are too few deals, or no exact law".to_owned(),
        (Level::Inconclusive, _) if detail.is_verdict_asked && verdict.deals < verdict.needed() => {
            format!(
                "{tests}, no evidence against these deals; a verdict needs {} deals",
                thousands(verdict.needed())
            )
        }
        _ => format!("{tests}, no evidence against these deals"),
    };
    if let Some(bound) = useful_bounds(verdict).next() {
        words.push_str(&format!("; {} (99.9 % confidence)", bound.words));
    }
    words
}

/// The strongest evidence, one line each.
fn evidence(verdict: &Verdict) -> impl Iterator<Item = String> {
    verdict.strongest.iter().map(line_of)
}

fn line_of(evidence: &Evidence) -> String {
    let effect = match evidence.effect.as_str() {
        "" => String::new(),
        // One cell of many: the p-value belongs to the whole table, not to this cell.
        cell if cell.contains(": ") => format!("; largest deviation: {cell}"),
        effect => format!("; {effect}"),
    };
    let (looks_at, test) = (evidence.looks_at, &evidence.test);
    format!(
        "{looks_at} ({test}): p = {}{effect}",
        three_digits_log10(evidence.log10_p)
    )
}

/// Prints S, the looks, the informative bounds and the detectable effects.
fn details(layout: &mut SummaryLayout<'_>, verdict: &Verdict) -> io::Result<()> {
    if verdict.tests > 0 {
        let looks = with_noun(verdict.looks as u64, "look");
        let deals = with_noun(verdict.deals, "deal");
        let s = format!("S = {:.2} after {deals} ({looks})", verdict.largest);
        layout.line("Score", &s)?;
    }
    if matches!(verdict.level, Level::Pass | Level::Inconclusive) {
        let strongest: Vec<String> = evidence(verdict).collect();
        match strongest.is_empty() {
            true if verdict.tests > 0 => layout.line(
                "Strongest",
                "no test has an e-value above 1 and a p-value of at most 0.1",
            )?,
            _ => layout.lines("Strongest", strongest)?,
        }
        let is_space = |bound: &&Bound| bound.quantity.starts_with("deal space");
        let space = verdict.bounds.iter().find(is_space);
        let space = space.filter(|_| verdict.deals >= FEWEST_OF_SPACE);
        let bounds = useful_bounds(verdict).take(BOUNDS_PRINTED).chain(space);
        layout.lines("Bounds", bounds.map(|bound| bound.words.clone()))?;
        layout.lines("Detects", verdict.detectable.in_words())?;
    }
    Ok(())
}

/// Bounds of tables that are small enough to be informative.
fn useful_bounds(verdict: &Verdict) -> impl Iterator<Item = &Bound> {
    verdict
        .bounds
        .iter()
        .filter(|bound| bound.value <= LARGEST_BOUND && !bound.quantity.starts_with("departure"))
        .filter(|bound| !bound.quantity.starts_with("deal space"))
}

/// What evidence of this strength means.
fn meaning(verdict: &Verdict) -> String {
    let odds = format!(
        "fair dealing gives evidence this strong at most once in {} runs",
        power_of_ten(verdict.largest.floor())
    );
    let reached = verdict.reached.map_or_else(String::new, |deals| {
        format!("; first seen after {}", with_noun(deals, "deal"))
    });
    match verdict.level {
        Level::Fail => format!("these deals are not random: {odds}{reached}"),
        Level::VerySuspicious => {
            format!("{odds}{reached}. Check more deals of the same source, and keep this report")
        }
        _ => format!("{odds}{reached}. Check more deals of the same source"),
    }
}

/// 10^exponent: in digits up to a million, then with an exponent.
fn power_of_ten(exponent: f64) -> String {
    match exponent {
        ..=6.0 => thousands(powf(10.0, exponent) as u64),
        _ => format!("1e{exponent:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_are_read_aloud_as_long_as_they_can_be() {
        assert_eq!(power_of_ten(3.0), "1,000");
        assert_eq!(power_of_ten(721.0), "1e721");
    }
}
