//! T9s: deals that known dealing programs produce from their seeds.
//!
//! A deal matches one of M seeds with a probability of at most M / D, with D possible deals.

use super::{Look, Measured, TestSubject};
use crate::stats::elementary::log10;

/// Tests the number of deals that match known seeds.
pub(crate) fn seeds(look: &Look<'_>, _: TestSubject) -> Option<Measured> {
    let (seeds, possible) = (&look.collection.seeds, look.expected.possible);
    debug_assert!(seeds.found <= seeds.deals);
    let log10_p = match seeds.found {
        0 => 0.0,
        _ => log10(seeds.tried as f64 / possible),
    };
    let effect = match seeds.found {
        0 => "no deal from a known seed".to_owned(),
        found => format!("{found} of {} deals from known seeds", seeds.deals),
    };
    Some(Measured::new(seeds.deals, seeds.found as f64, log10_p).with_effect(effect))
}
