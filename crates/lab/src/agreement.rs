//! Chi-squares of large runs against exact theory, by scenario and instruction set.

use clap::Args;
use fairdeal::bridge::{Card, Seat, Side, Suit};
use fairdeal::draw::{Aes128Ctr, Isa};
use fairdeal::run;
use fairdeal::tally::Tally;
use fairdeal::theory::{Distribution, Theory};
use serde_json::json;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::sheet::{Column, Sheet, kept};
use crate::subject::Subject;
use crate::{Failure, count};

/// The runs.
#[derive(Args)]
pub(crate) struct Options {
    /// Deals of each scenario and instruction set
    #[arg(long, default_value = "256Mi", value_parser = count)]
    deals: u64,
    /// Scenarios and conditions
    #[arg(default_values = ["unconstrained", "club-length", "nine-spades", "flannery-misfit",
        "balanced-28-30", "flat-three-suiter"])]
    inputs: Vec<String>,
}

const COLUMNS: &[Column] = &[
    ("instructions", -12),
    ("input", -20),
    ("tables", 6),
    ("smallest p", 10),
    ("times tables", 12),
    ("of table", -24),
    ("promise", -7),
];

pub(crate) fn measure(options: &Options, sheet: &mut Sheet) -> Result<(), Failure> {
    let title = format!("{} deals of each, seeds 1001, 1002 ..", options.deals);
    sheet.section(&title, COLUMNS);
    for (set, &isa) in (1..).zip(Isa::available()) {
        for (place, input) in (1..).zip(&options.inputs) {
            let subject = Subject::named(input, options.deals)?;
            let generator = Aes128Ctr::with_isa(1_000 * set + place, isa);
            let dealer = subject.dealer()?.with_isa(isa);
            let batch = run::DEFAULT_BATCH;
            let counted = run::run(&dealer, &generator, options.deals, batch, &|_| ())?;
            let theory = subject.population.theory()?;
            let found = p_values(&counted.tally, &theory);
            let worst = found.iter().min_by(|a, b| a.1.total_cmp(&b.1));
            let (table, p) = worst.ok_or("no table has two outcomes")?;
            let of_all = (p * found.len() as f64).min(1.0);
            sheet.row(vec![
                json!(isa.to_string()),
                json!(input),
                json!(found.len()),
                json!(p),
                json!(of_all),
                json!(table),
                kept(of_all > 1e-5),
            ]);
        }
    }
    Ok(())
}

/// The p-value of every table that has at least two outcomes.
pub(crate) fn p_values(tally: &Tally, theory: &Theory) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    let mut compare = |name: String, observed: &[u64], law: &Distribution| {
        found.extend(p_value(observed, law).map(|p| (name, p)));
    };
    for seat in Seat::ALL {
        compare(
            format!("{seat}'s patterns"),
            tally.patterns(seat),
            theory.patterns(seat),
        );
        compare(
            format!("{seat}'s shapes"),
            &tally.shapes(seat),
            &theory.shapes(seat),
        );
        compare(format!("{seat}'s HCP"), tally.hcp(seat), theory.hcp(seat));
        for suit in Suit::ALL {
            let law = theory.suit_lengths(seat, suit);
            compare(
                format!("{seat}'s {suit}"),
                &tally.suit_lengths(seat, suit),
                &law,
            );
        }
    }
    for side in Side::ALL {
        compare(
            format!("{side}'s HCP"),
            &tally.side_hcp(side),
            &theory.side_hcp(side),
        );
        for suit in Suit::ALL {
            compare(
                format!("{side}'s {suit}"),
                &tally.fits(side, suit),
                &theory.fits(side, suit),
            );
        }
    }
    for card in Card::all() {
        let seats = Seat::ALL.map(|seat| tally.card(seat, card));
        compare(format!("the seat of {card}"), &seats, theory.card(card));
    }
    found
}

/// Pearson's test; outcomes below an expectation of 20 are pooled, smallest first. An impossible
/// outcome that occurred has p = 0.
fn p_value(observed: &[u64], law: &Distribution) -> Option<f64> {
    const SMALLEST: f64 = 20.0;
    let deals: u64 = observed.iter().sum();
    let outcomes = observed.iter().enumerate();
    let mut outcomes: Vec<(f64, f64)> = outcomes
        .map(|(outcome, &count)| {
            let expected = law.probability(outcome).to_f64() * deals as f64;
            (expected, count as f64)
        })
        .collect();
    if outcomes
        .iter()
        .any(|(expected, count)| *expected == 0.0 && *count > 0.0)
    {
        return Some(0.0);
    }
    outcomes.retain(|(expected, _)| *expected > 0.0);
    outcomes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut pooled: Vec<(f64, f64)> = Vec::new();
    for (expected, count) in outcomes {
        match pooled.last_mut() {
            Some(cell) if cell.0 < SMALLEST => *cell = (cell.0 + expected, cell.1 + count),
            _ => pooled.push((expected, count)),
        }
    }
    let statistic: f64 = pooled.iter().map(|(e, o)| (o - e).powi(2) / e).sum();
    let law = ChiSquared::new(pooled.len() as f64 - 1.0).ok()?;
    Some(law.sf(statistic))
}
