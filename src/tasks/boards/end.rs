//! Why the search for the boards of a set ended.

use super::BoardRequest;
use super::set::BoardType;
use crate::printable::{printable, thousands, three_digits};
use crate::stats::elementary::ln;

/// Why a search ended before all boards were found.
#[derive(Clone, Debug)]
pub struct SearchEnd {
    /// Whether it gave up, so that more tries could have found more boards; otherwise the limit of
    /// the script was reached.
    pub gave_up: bool,
    /// Number of deals tried in a row without a board if it gave up, and of all deals otherwise.
    pub tries: u64,
    /// The reason in words.
    pub message: String,
    /// The type of a mix that was searched for.
    pub deal_type: Option<String>,
}

impl SearchEnd {
    /// The end of a search for boards of a type, after this number of them was found.
    pub(super) fn new(
        request: &BoardRequest,
        of: &BoardType,
        found: u64,
        (gave_up, tries): (bool, u64),
    ) -> Self {
        let number = format!("found {} of {} deals", thousands(found), thousands(of.most));
        let tried = thousands(tries);
        let another = match found {
            0 => "one",
            _ if request.no_repeats => "a new one",
            _ => "another",
        };
        let mut message = match gave_up {
            true => format!("{number} and gave up after {tried} tries in a row without {another}"),
            false => format!("{number} among the {tried} that the script generates"),
        };
        if let Some(command) = &request.filter {
            message += &format!(" that `{}` accepts", printable(&command.text));
        } else if found == 0 || gave_up && !request.no_repeats {
            message += &format!("; {}", share_below(found, tries, of));
        }
        if let Some(name) = &of.name {
            message = format!("type `{name}`: {message}");
        }
        Self {
            gave_up,
            tries,
            message,
            deal_type: of.name.clone(),
        }
    }
}

/// Upper bound, at 99.9 % confidence, on the share of deals that satisfy the condition after this
/// many tries without one.
///
/// The confidence covers all `found` + 1 gaps, any of which might have been this long by chance.
fn share_below(found: u64, tries: u64, of: &BoardType) -> String {
    let prepared = &of.prepared;
    let bound = ln(1000.0 * (found + 1) as f64) / tries as f64;
    let share = bound.min(1.0) * prepared.reasons.share.unwrap_or(1.0);
    let deals = match prepared.script.condition.predeal().is_empty() {
        true => "of all deals",
        false => "of all deals with the predealt cards",
    };
    let share = three_digits(share);
    format!("below {share} {deals} satisfy the condition (99.9 % confidence)")
}
