//! Exact numbers in records.

use serde::Serializer;

use fairdeal_theory::Ratio;

/// Serialises an integer as a JSON string, because readers keep only 53 bits.
pub fn decimal<S: Serializer>(number: &u128, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(number)
}

/// Formats a fraction in lowest terms.
pub fn fraction(ratio: Ratio) -> String {
    let Ratio { ways, of } = ratio.reduced();
    format!("{ways}/{of}")
}
