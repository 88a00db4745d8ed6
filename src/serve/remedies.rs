//! Remedies of the library's errors and warnings in the words of the pages.

use super::host::IS_SERVER;
use crate::error::Remedy;

/// The words for a remedy, which follow the error.
pub(super) fn words(remedy: &Remedy) -> Option<String> {
    let words = match remedy {
        Remedy::Resume => "choose Resume on the page of the report",
        Remedy::ResumeOrOverwrite => "choose Resume on the page of the report, or start a new run",
        Remedy::ResumeTheSame | Remedy::WriteElsewhereOrStartAgain | Remedy::StartAgain => {
            "start a new run on the page Runs"
        }
        Remedy::FewerThreads => "ask the operator for more memory or processes",
        Remedy::GiveHand => "fill in the hand of the seat on lead",
        Remedy::GiveDeals => "fill in the number of deals",
        Remedy::NameFormat | Remedy::CheckFormat => "choose its format on the form",
        Remedy::ChooseReadFormat | Remedy::ChooseWrittenFormat => {
            "choose another format on the form"
        }
        Remedy::Decompress(_) => "decompress it, or compress it by gzip or as a zip archive",
        Remedy::NameNumbering => "choose their numbering as the format on the form",
        Remedy::DrawInstead if IS_SERVER => {
            "the page Deal estimates its probability, and a run on the page Runs counts its deals"
        }
        Remedy::DrawInstead => "the page Deal estimates its probability",
        Remedy::AllowCases => "narrow it",
        Remedy::SetParameter(number) => {
            return Some(format!("write its value in place of `${number}`"));
        }
        Remedy::UseDialect(name) => {
            return Some(format!("write the condition in the language of {name}"));
        }
        Remedy::ChooseType => "keep one type of the mix",
        _ => return None,
    };
    Some(words.to_owned())
}
