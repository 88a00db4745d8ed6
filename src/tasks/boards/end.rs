//! Why the search for the boards of a set ended.

use super::super::Prepared;
use super::{BoardRequest, BoardStream};
use crate::printable::{thousands, three_digits};

/// Why a search ended before all deals were found.
#[derive(Clone, Copy, Debug)]
pub enum SearchEnd {
    /// This many consecutive deals did not satisfy the condition.
    GaveUp(u64),
    /// This many consecutive deals did not satisfy the condition or were repeats.
    NoNewDeal(u64),
    /// The script's `generate` limit, in deals.
    ScriptLimit(u64),
}

impl SearchEnd {
    /// Why a stream of deals ended after this number of them.
    pub(super) fn of(request: &BoardRequest, stream: &BoardStream<'_, '_>, found: u64) -> Self {
        match stream.gave_up() {
            true if request.no_repeats && found > 0 => Self::NoNewDeal(stream.misses()),
            true => Self::GaveUp(stream.misses()),
            false => Self::ScriptLimit(stream.tried()),
        }
    }

    /// Whether more tries could have found more deals.
    #[must_use]
    pub fn is_by_tries(self) -> bool {
        !matches!(self, Self::ScriptLimit(_))
    }

    /// The reason in words, after this number of deals was found.
    pub(super) fn message(self, found: u64, wanted: u64, prepared: &Prepared) -> String {
        let found_of = format!("found {} of {} deals", thousands(found), thousands(wanted));
        match self {
            Self::GaveUp(tries) => {
                let tried = thousands(tries);
                let share = share_below(found, tries, prepared);
                let again = if found == 0 { "one" } else { "another" };
                format!(
                    "{found_of} and gave up after {tried} tries in a row without {again}; \
                     {share}"
                )
            }
            Self::NoNewDeal(tries) => format!(
                "{found_of} and gave up after {} tries in a row without a new one",
                thousands(tries)
            ),
            Self::ScriptLimit(tried) if found == 0 => {
                let share = share_below(found, tried, prepared);
                let tried = thousands(tried);
                format!("{found_of} among the {tried} that the script generates; {share}")
            }
            Self::ScriptLimit(tried) => {
                format!(
                    "{found_of} among the {} that the script generates",
                    thousands(tried)
                )
            }
        }
    }
}

/// Upper bound, at 99.9 % confidence, on the share of deals that satisfy the condition after this
/// many tries without one.
///
/// The confidence covers all `found` + 1 gaps, any of which might have been this long by chance.
fn share_below(found: u64, tries: u64, prepared: &Prepared) -> String {
    let bound = (1000.0 * (found + 1) as f64).ln() / tries as f64;
    let share = bound.min(1.0) * prepared.reasons.share.unwrap_or(1.0);
    let deals = match prepared.script.condition.predeal().is_empty() {
        true => "of all deals",
        false => "of all deals with the predealt cards",
    };
    let share = three_digits(share);
    format!("below {share} {deals} satisfy the condition (99.9 % confidence)")
}
