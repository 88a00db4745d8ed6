//! What a person can do about an error or a warning, without the words for it.
//!
//! The library says what is wrong. Each surface (the command line, the pages, Python) has a table
//! of its own with the words for each remedy that it offers, because each names its own controls.

/// What a person can do about an error or a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Write the report to another folder.
    WriteElsewhere,
    /// Write the report to another folder, or overwrite the one that is there.
    Overwrite,
    /// Write to a file of another name, or overwrite the one that is there.
    OverwriteFile,
    /// Resume the unfinished run, write to another folder, or overwrite it.
    ResumeOrOverwrite,
    /// Resume the run from its last checkpoint.
    Resume,
    /// Resume with the options of the saved run, write to another folder, or start again.
    ResumeTheSame,
    /// Write to another folder, or start the run again from its first deal.
    WriteElsewhereOrStartAgain,
    /// Start the run again from its first deal.
    StartAgain,
    /// Deal the part of a run again from its first deal.
    DealPartAgain,
    /// Name folders of parts of a run.
    NameParts,
    /// Name the case file of the run, or none.
    NameCaseFile,
    /// Put the case file of the run back, or name it.
    FindCaseFile,
    /// Use fewer threads, or allow the process more.
    FewerThreads,
    /// Use larger batches.
    LargerBatches,
    /// Use smaller batches for all parts, or fewer parts.
    SmallerBatches,
    /// Give the number of deals drawn.
    GiveDeals,
    /// Give a seed.
    GiveSeed,
    /// Give the whole hand that is on lead.
    GiveHand,
    /// Let the sampler be chosen.
    ChooseSampler,
    /// Give no order for the listing.
    NoOrder,
    /// Narrow the condition, or allow more cases.
    AllowCases,
    /// Compute the exact tables without a limit.
    NoLimit,
    /// Draw deals of the condition instead of computing its exact tables.
    DrawInstead,
    /// Name the format of the file.
    NameFormat,
    /// Choose one of the formats that can be read.
    ChooseReadFormat,
    /// Choose one of the formats that can be written.
    ChooseWrittenFormat,
    /// Decompress the file with this program.
    Decompress(&'static str),
    /// Name the numbering scheme of the file.
    NameNumbering,
    /// Check the format that was named.
    CheckFormat,
    /// Repeat the run so that all tricks of each deal are solved.
    SolveRun,
    /// Solve the deals of the file.
    SolveDeals,
    /// Print the script's output for deals, without a report.
    PrintOutput,
    /// Choose one type of the mix.
    ChooseType,
    /// Fix the numbers of each type of the mix.
    FixShares,
    /// Give the script parameter with this number.
    SetParameter(usize),
    /// Choose the dialect of this name.
    UseDialect(&'static str),
    /// Choose a dialect.
    ChooseDialect,
}

/// A surface's words for its remedies; `None` for a remedy that it does not offer.
pub type RemedyWords = fn(&Remedy) -> Option<String>;
