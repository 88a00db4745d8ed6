//! Any text that is a condition is sampled in two ways: by rejection, and from a listing with a
//! filter, or from cells around predealt cards. Every accepted deal satisfies the condition.
//!
//! Conditions that take long to list are sampled only by rejection: see [`is_light`].
#![no_main]

use fairdeal::draw::{Aes128Ctr, Dealer, Isa};
use fairdeal::filter::Filter;
use fairdeal::language::{Condition, Expression, Plan};
use fairdeal::population::Population;
use fairdeal::population::cases::{Division, divide, reject};
use fairdeal::population::cells::{Budget, Cells};
use fairdeal::run::{DealStream, RunError};
use libfuzzer_sys::fuzz_target;

/// Maximum number of listed cases.
const MOST_CASES: u64 = 2_000;

/// Steps and memory of cells.
const MOST_STEPS: u64 = 10_000_000;
const MOST_BYTES: u64 = 16 << 20;

/// Number of deals drawn, before the filter.
const DRAWN: u64 = 300;

/// Maximum length in bytes of the text, and of the text with its definitions expanded.
const LONGEST: usize = 400;

fuzz_target!(|text: &str| {
    if text.len() > LONGEST {
        return;
    }
    let Ok(condition) = Condition::parse("fuzz", text) else {
        return;
    };
    let expression = condition.expression().to_string();
    if expression.len() > LONGEST {
        return;
    }
    if !condition.predeal().is_empty() {
        return around_predealt(&condition, text.len());
    }
    deal(&condition, &reject(&condition), text.len());
    if is_light(&condition, &expression) {
        match divide(&condition, None, MOST_CASES) {
            Ok(division) => deal(&condition, &division, text.len()),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});

/// Draws deals around predealt cards, if the condition has few cells.
fn around_predealt(condition: &Condition, seed: usize) {
    let Ok(cells) = Cells::within(condition, &Budget::new(MOST_STEPS, MOST_BYTES)) else {
        return;
    };
    let population = Population::of_cells(cells);
    if let Ok(dealer) = Dealer::new(&population) {
        draw(condition, &[], dealer, seed);
    }
}

/// Names, with their brackets, of the functions of a hand's suit lengths alone.
const OF_LENGTHS: [&str; 5] = ["spades(", "hearts(", "diamonds(", "clubs(", "shape("];

/// Whether listing its hands is fast: no hand by pattern and honours together, which has
/// millions of cases, and no two hands of which one is listed by honours.
fn is_light(condition: &Condition, expression: &str) -> bool {
    let by_honours = |hand: fairdeal::language::ListedHand| hand.by_honours;
    match Plan::new(condition, None) {
        Ok(Plan::Listed {
            first,
            second: None,
        }) => !(first.by_honours && first.by_pattern),
        Ok(Plan::Listed {
            first,
            second: Some(second),
        }) => !by_honours(first) && !by_honours(second),
        Ok(_) => true,
        // A third hand, or spot cards: then all mentioned hands are counted alone and in pairs.
        Err(_) => calls(expression).all(|name| OF_LENGTHS.contains(&name)),
    }
}

/// The names before opening brackets, including the brackets.
fn calls(expression: &str) -> impl Iterator<Item = &str> {
    let ends = expression.match_indices('(').map(|(end, _)| end);
    ends.filter_map(|end| {
        let is_name = |c: char| c.is_ascii_alphanumeric();
        let name = expression[..end].trim_end_matches(is_name);
        (name.len() < end).then(|| &expression[name.len()..=end])
    })
}

/// Draws and checks a few hundred deals.
fn deal(condition: &Condition, division: &Division, seed: usize) {
    let Some(part) = &division.listed else {
        let dealer = Dealer::<Vec<u8>>::unconstrained();
        return draw(condition, &division.filter, dealer, seed);
    };
    if part.census.cases > MOST_CASES {
        return;
    }
    let file = fairdeal_fuzz::listed(&part.condition, &part.listing, part.census);
    match Dealer::of_cases(&file) {
        Ok(dealer) => draw(condition, &division.filter, dealer, seed),
        Err(error) => panic!("{error}"),
    }
}

fn draw<D: AsRef<[u8]> + Sync>(
    condition: &Condition,
    terms: &[Expression],
    dealer: Dealer<'_, D>,
    seed: usize,
) {
    let sets = Isa::available();
    let dealer = dealer.with_isa(sets[seed % sets.len()]);
    let filter = (!terms.is_empty()).then(|| Filter::new(terms));
    let generator = Aes128Ctr::new(seed as u128);
    let mut stream = DealStream::new(dealer, generator, filter, DRAWN);
    loop {
        match stream.next_deal() {
            Ok(Some(next)) => {
                let deal = next.deal;
                assert_eq!(condition.expression().holds(&deal), Ok(true), "{deal}");
                assert!(condition.predeal().is_in(&deal), "{deal}");
            }
            Ok(None) => return,
            // The arithmetic fails for some deal.
            Err(RunError::Evaluation(_)) => return,
            Err(error) => panic!("{error}"),
        }
    }
}
