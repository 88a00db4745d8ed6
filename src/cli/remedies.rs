//! Remedies of the library's errors and warnings in the words of the command line.

use fairdeal::error::Remedy;

/// The words for a remedy, which follow the error.
pub(super) fn words(remedy: &Remedy) -> Option<String> {
    let words = match remedy {
        Remedy::WriteElsewhere => "write the report to another folder (--out)",
        Remedy::OverwriteFile => "choose another name, or overwrite it with --force",
        Remedy::Overwrite => "choose another folder with --out, or overwrite it with --force",
        Remedy::ResumeOrOverwrite => {
            "resume it with --resume, choose another folder with --out, or overwrite it with \
             --force"
        }
        Remedy::Resume => "continue with the same command and --resume",
        Remedy::ResumeTheSame => {
            "resume with the same options, write to another folder (--out), or start again with \
             --force and without --resume"
        }
        Remedy::WriteElsewhereOrStartAgain => {
            "write to another folder (--out), or start again with --force and without --resume"
        }
        Remedy::StartAgain => "start again with --force and without --resume",
        Remedy::DealPartAgain => "deal the part again with --force and without --resume",
        Remedy::NameParts => "name folders that `fairdeal run --part` wrote",
        Remedy::NameCaseFile => "name that file, or leave out --cases",
        Remedy::FindCaseFile => "put it back at its old place, or name it with --cases",
        Remedy::FewerThreads => {
            "use fewer (--threads), or allow more memory or processes (ulimit -v, ulimit -u)"
        }
        Remedy::LargerBatches => "use a larger --batch",
        Remedy::SmallerBatches => "use a smaller --batch for all parts, or fewer parts",
        Remedy::GiveDeals => "give the number of deals drawn (--deals)",
        Remedy::GiveHand => {
            "give the hand with --hand, such as west=AKQ.432.T98.7654, or with `predeal`"
        }
        Remedy::GiveSeed => "give it with --seed",
        Remedy::ChooseSampler => "leave out --sampler",
        Remedy::NoOrder => "leave out --order",
        Remedy::AllowCases => "narrow it, or allow more with --max-cases",
        Remedy::DrawInstead => "draw its deals with `run`, or use `theory`, which has no limit",
        Remedy::NoLimit => "--exact lifts the limit",
        Remedy::NameFormat => "choose one with --format, or with --from-format for --from",
        Remedy::ChooseReadFormat => "`audit --format help` lists the formats it reads",
        Remedy::ChooseWrittenFormat => "`deal --format help` lists the formats",
        Remedy::NameNumbering => "name their numbering with --format pavlicek, bigdeal, andrews ..",
        Remedy::Decompress(program) => {
            return Some(format!(
                "decompress it in a pipe: `{program} -dc FILE | fairdeal audit -`"
            ));
        }
        Remedy::CheckFormat => "check --format",
        Remedy::SolveRun => "solve it again with --all",
        Remedy::SolveDeals => {
            "use a file that has them for every deal, as `deal --from FILE --solve` writes it"
        }
        Remedy::PrintOutput => "use `deal --dealer-output`",
        Remedy::ChooseType => "run one type, with --type NAME",
        Remedy::FixShares => "leave out --shares random",
        Remedy::SetParameter(number) => return Some(format!("--param {number}=VALUE sets it")),
        Remedy::UseDialect(name) => return Some(format!("use --dialect {name}")),
        Remedy::ChooseDialect => "--dialect sets the dialect",
    };
    Some(words.to_owned())
}
