//! Remedies of the library's errors and warnings in the words of Python.

use fairdeal::error::Remedy;

/// The words for a remedy, which follow the error.
pub(crate) fn words(remedy: &Remedy) -> Option<String> {
    let words = match remedy {
        Remedy::FewerThreads => "use fewer (`threads`), or allow more memory or processes",
        Remedy::GiveDeals => "give the number of deals drawn (`deals`)",
        Remedy::GiveHand => "give the whole hand with `hand`, such as \"AKQ.432.T98.7654\"",
        Remedy::ChooseSampler => "use sampler=\"auto\"",
        Remedy::AllowCases => "narrow it",
        Remedy::NameFormat | Remedy::CheckFormat | Remedy::NameNumbering => {
            "name the format with `format`"
        }
        Remedy::Decompress(_) => "decompress it first",
        Remedy::ChooseType => "use one type of the mix: `Mix.types` has them",
        Remedy::SetParameter(number) => {
            return Some(format!("write its value in place of `${number}`"));
        }
        _ => return None,
    };
    Some(words.to_owned())
}
