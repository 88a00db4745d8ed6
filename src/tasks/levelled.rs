//! Levelled scripts: a mix for dealers that know no types.

use std::io::Write;
use std::path::Path;

use super::boards::refuse_existing;
use super::theory::type_shares;
use super::{ConditionInput, TypeTheory};
use crate::atomic_file::{begin_part, folder_of, publish, target_of};
use crate::error::Error;
use crate::language::{ROLLS, Script};
use crate::observer::Observer;
use crate::population::Listings;
use crate::printable::display_path;
use crate::sampler::Sampling;

/// A levelled script and what it deals.
#[derive(Clone, Debug)]
pub struct LevelledScript {
    /// The text.
    pub text: String,
    /// Its types.
    pub types: Vec<LevelledType>,
    /// Number of deals that satisfy the condition for each that is kept.
    pub effort: f64,
}

/// A type in a levelled script.
#[derive(Clone, Debug)]
pub struct LevelledType {
    /// Its shares.
    pub shares: TypeTheory,
    /// How many of [`ROLLS`] deals are kept.
    pub kept: u64,
    /// Its share of the deals that are kept.
    pub dealt: f64,
}

impl LevelledScript {
    /// Levels a script with a mix by its exact shares.
    ///
    /// # Errors
    ///
    /// If the script has no mix, its shares are not known exactly, or a type has no deals.
    pub fn of(
        script: &Script,
        sampling: &Sampling,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let name = script.condition.name();
        let input = ConditionInput::Script(Box::new(script.clone()));
        let shares = type_shares(input, sampling, listings, observer)?;
        if let Some(of) = shares.iter().find(|of| of.natural_share.ways == 0) {
            let message = format!("no deal is of the type `{}`", of.name);
            return Err(Error::condition(message));
        }
        let wanted = |of: &TypeTheory| of.share.to_f64() / of.natural_share.to_f64();
        let most = shares.iter().map(wanted).fold(0.0, f64::max);
        let kept = |of: &TypeTheory| {
            let kept = (ROLLS as f64 * wanted(of) / most).round() as u64;
            kept.clamp(1, ROLLS)
        };
        let passed = |of: &TypeTheory| of.natural_share.to_f64() * kept(of) as f64;
        let all: f64 = shares.iter().map(passed).sum();
        let types = shares.iter().map(|of| LevelledType {
            shares: of.clone(),
            kept: kept(of),
            dealt: passed(of) / all,
        });
        let types: Vec<LevelledType> = types.collect();
        let effort = ROLLS as f64 / all;
        let numbers: Vec<u64> = types.iter().map(|of| of.kept).collect();
        let text = script.levelled(&notes(&types, effort), &numbers);
        let text = text.ok_or_else(|| Error::usage(format!("{name} has no mix to level")))?;
        // What is written is read as it was meant.
        Script::parse(name, &text)?;
        Ok(Self {
            text,
            types,
            effort,
        })
    }

    /// Writes the script.
    ///
    /// # Errors
    ///
    /// If the file exists, unless it is to be overwritten, or cannot be written.
    pub fn write(&self, path: &Path, overwrites: bool) -> Result<(), Error> {
        if !overwrites {
            refuse_existing(path)?;
        }
        let write = || {
            let target = target_of(path)?;
            let mut part = begin_part(folder_of(&target))?;
            part.write_all(self.text.as_bytes())?;
            publish(part, &target)
        };
        write().map_err(|error| Error::of(display_path(path), error))
    }
}

/// The comments on the types.
fn notes(types: &[LevelledType], effort: f64) -> Vec<String> {
    let percent = |share: f64| format!("{:.6} %", 100.0 * share);
    let error = |of: &LevelledType| (of.dealt - of.shares.share.to_f64()).abs();
    let largest = types.iter().map(error).fold(0.0, f64::max);
    let mut notes = vec![
        "Written by fairdeal from exact shares; edit the script without this block.".to_owned(),
        format!("Kept: number of {ROLLS} deals of the type. One deal in {effort:.2} is kept."),
    ];
    notes.extend(types.iter().map(|of| {
        let TypeTheory {
            name,
            share,
            natural_share,
            ..
        } = &of.shares;
        format!(
            "{name}: natural {}/{}, asked {}/{}, kept {}, dealt {}",
            natural_share.ways,
            natural_share.of,
            share.ways,
            share.of,
            of.kept,
            percent(of.dealt)
        )
    }));
    notes.push(format!(
        "No share is off by more than {:.1e} percentage points.",
        100.0 * largest
    ));
    notes
}
