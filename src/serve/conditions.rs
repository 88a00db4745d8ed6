//! Conditions of forms: scenarios by name, or texts in dealer's language; what is wrong with one,
//! its probability and sample deals.

use std::time::{Duration, Instant};

use super::remedies;
use crate::bridge::Deal;
use crate::error::Error;
use crate::language::{MixType, Scenario, Script, ScriptOptions};
use crate::observer::Silent;
use crate::population::Listings;
use crate::printable::{about_one_in, interval, percent, three_digits};
use crate::report::fraction;
use crate::run::{DealCount, SearchEvent};
use crate::stats::binomial_interval;
use crate::stats::elementary::ln;
use crate::tasks::boards::{BoardRequest, Set};
use crate::tasks::{
    ConditionInput, Likelihood, RandomRequest, likelihood, no_condition, unnamed_script,
};

/// The name of a form's condition in messages.
const NAME: &str = "condition";

/// Returns a text with `\n` at the ends of its lines: browsers send CR LF.
pub(super) fn with_plain_lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The first characters of a text, with dots if there are more.
pub(super) fn beginning(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Reads a condition; returns the name of its report too.
pub(super) fn script(text: &str) -> Result<(String, Box<Script>), Error> {
    let trimmed = text.trim();
    if let Some(scenario) = Scenario::named(trimmed) {
        let script = Script::parse(scenario.name, scenario.text)?;
        return Ok((scenario.name.to_owned(), Box::new(script)));
    }
    if trimmed.is_empty() {
        return Err(no_condition("the form"));
    }
    let (name, script) = unnamed_script(NAME, text, &ScriptOptions::default())?;
    if script.is_bare() && !script.has_condition() {
        return Err(no_condition("the form"));
    }
    // Two conditions are one with a missing `&&`, as with `--where`.
    let loss = script.warnings.iter().find(|warning| warning.is_loss());
    match loss {
        Some(loss) => Err(loss.clone().into_error().into()),
        None => Ok((name, script)),
    }
}

/// Reads a condition as the input of a task.
pub(super) fn input(text: &str) -> Result<(String, ConditionInput), Error> {
    let (name, script) = script(text)?;
    Ok((name, ConditionInput::Script(script)))
}

/// Reads the condition of a saved run.
pub(super) fn saved_input(text: &str) -> Result<(String, ConditionInput), Error> {
    let (name, script) = match Scenario::of_text(text) {
        Some(known) => {
            let script = Script::parse(known.name, text)?;
            (known.name.to_owned(), Box::new(script))
        }
        None => unnamed_script(NAME, text, &ScriptOptions::default())?,
    };
    Ok((name, ConditionInput::Script(script)))
}

/// What is known of a condition after a part of a second.
#[derive(Debug)]
pub(super) struct Checked {
    /// The program whose language it is in.
    pub(super) dialect: &'static str,
    /// The terms in bridge notation.
    pub(super) notation: Vec<String>,
    /// The probability in words, such as `0.105 (1 in 9.479)`.
    pub(super) probability: String,
    /// The exact fraction; empty for an estimate.
    pub(super) fraction: String,
    /// The types of a mix.
    pub(super) types: Vec<CheckedType>,
}

/// What is known of a type of a mix.
#[derive(Debug)]
pub(super) struct CheckedType {
    pub(super) name: String,
    /// Its share of the mix in per cent, in words, and rounded.
    pub(super) asked: String,
    pub(super) asked_percent: u8,
    /// Its share of the deals of the condition; empty if it is not known in a moment.
    pub(super) natural: String,
    pub(super) natural_percent: u8,
}

impl CheckedType {
    /// The types of a mix whose condition has this probability.
    fn all(script: &Script, of_mix: Likelihood) -> Result<Vec<Self>, Error> {
        let Some(mix) = &script.mix else {
            return Ok(Vec::new());
        };
        let begun = Instant::now();
        let of_type = |(place, of): (usize, &MixType)| {
            let asked = of.parts as f64 / mix.parts() as f64;
            let natural = match begun.elapsed() < PATIENCE && share(of_mix) > 0.0 {
                true => Some(likelihood(&script.of_type(place)?, &Silent)),
                false => None,
            };
            let natural = natural.transpose();
            let natural = natural.map_err(|error| error.context(format!("type `{}`", of.name)))?;
            let share_of = natural.map(|found| (share(found) / share(of_mix)).min(1.0));
            let is_exact = |of: &Likelihood| matches!(of, Likelihood::Exact(_));
            let about = match natural.iter().chain([&of_mix]).all(is_exact) {
                true => "",
                false => "about ",
            };
            Ok(Self {
                name: of.name.clone(),
                asked: percent(asked, 3),
                asked_percent: (100.0 * asked).round() as u8,
                natural: share_of
                    .map_or_else(String::new, |of| format!("{about}{}", percent(of, 3))),
                natural_percent: share_of.map_or(0, |of| (100.0 * of).round() as u8),
            })
        };
        mix.types().iter().enumerate().map(of_type).collect()
    }
}

/// Time for the shares of a mix; further types have none.
const PATIENCE: Duration = Duration::from_millis(800);

/// The share of all deals.
fn share(of: Likelihood) -> f64 {
    match of {
        Likelihood::Exact(ratio) => ratio.to_f64(),
        Likelihood::Estimated { kept, drawn } => kept as f64 / drawn as f64,
    }
}

/// The warnings of a condition, with their places.
pub(super) fn warnings(script: &Script) -> Vec<String> {
    let is_scenario = Scenario::of_text(script.condition.text()).is_some();
    let warnings = script.warnings.iter().filter(|_| !is_scenario);
    let words = warnings.map(|warning| warning.told(false, remedies::words));
    words.collect()
}

/// Checks a condition and computes its probability.
pub(super) fn check(script: &Script) -> Result<Checked, Error> {
    let found = likelihood(script, &Silent)?;
    let types = CheckedType::all(script, found)?;
    let (probability, fraction) = probability(found);
    Ok(Checked {
        dialect: script.dialect.name(),
        notation: script.condition.in_bridge_notation(),
        probability,
        fraction,
        types,
    })
}

/// A probability in words, and its exact fraction.
fn probability(found: Likelihood) -> (String, String) {
    match found {
        Likelihood::Exact(ratio) => {
            let p = ratio.to_f64();
            (crate::printable::probability(p), fraction(ratio))
        }
        Likelihood::Estimated { kept: 0, drawn } => {
            let most = ln(1000.0) / drawn as f64;
            let words = format!("below {} (99.9 % confidence)", three_digits(most));
            (words, String::new())
        }
        Likelihood::Estimated { kept, drawn } => {
            let p = kept as f64 / drawn as f64;
            let (low, high) = binomial_interval(kept, drawn, 0.999);
            let about = about_one_in("1", p, [low, high]);
            let (p, bounds) = (three_digits(p), interval([low, high]));
            let words = format!("{p} ({about}), {bounds} with 99.9 % confidence, from a sample");
            (words, String::new())
        }
    }
}

/// Number of sample deals.
const SAMPLES: DealCount = DealCount::constant(4);

/// Tries for sample deals: a part of a second.
const SAMPLE_TRIES: u64 = 1 << 19;

/// The first boards of a set with this seed, as many as are found at once.
pub(super) fn samples(script: Box<Script>, seed: u128) -> Result<Vec<(String, Deal)>, Error> {
    let request = BoardRequest {
        boards: Some(SAMPLES),
        max_tries: Some(SAMPLE_TRIES),
        random: RandomRequest::of_seed(seed),
        ..BoardRequest::default()
    };
    let (input, listings) = (ConditionInput::Script(script), Listings::in_memory());
    let set = Set::new(request, input, &listings, &Silent)?;
    let mut samples = Vec::new();
    // Nobody waits for deals that have to be solved.
    if !set.is_solved() {
        for event in set.boards(&Silent)? {
            if let SearchEvent::Next(found) = event? {
                let board = found.board;
                samples.push((format!("Board {}", board.number), board.deal));
            }
        }
    }
    Ok(samples)
}
