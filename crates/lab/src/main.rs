//! The laboratory: measurements of fairdeal, which its tests leave out.
#![allow(clippy::print_stderr, reason = "a program")]

mod agreement;
mod audited;
mod cells;
mod defects;
mod dist;
mod effects;
mod exact;
mod large;
mod leads;
mod levelling;
mod perfect;
mod practice;
mod program;
mod random;
mod samples;
mod sheet;
mod speed;
mod subject;
mod validity;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::sheet::Sheet;

/// What a measurement may fail with.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Measures fairdeal: the promises of its statistics, when defects are found, and costs.
#[derive(Parser)]
#[command(version, disable_help_subcommand = false)]
struct Lab {
    #[command(subcommand)]
    measurement: Measurement,
    /// Print JSON instead of a table
    #[arg(long, global = true)]
    json: bool,
    /// Also write the table to reports/NAME/DATE.txt
    #[arg(long, global = true)]
    save: bool,
}

#[derive(Subcommand)]
enum Measurement {
    /// How often perfect runs, audits and self-tests look suspicious
    Validity(validity::Options),
    /// How often p-values and e-values of small perfect sets are small, by test
    Samples(samples::Options),
    /// Every statistic of many perfect runs, compared with its law
    Null(perfect::NullOptions),
    /// Verdicts on every scenario by good generators
    Perfect(perfect::Options),
    /// Chi-squares of large runs against exact theory, by scenario and instruction set
    Agreement(agreement::Options),
    /// Rejection compared with exact theory and with cells, for conditions on three and four hands
    Cells(cells::Options),
    /// Number of deals until each planted defect is found, in runs or in audits
    Defects(defects::Options),
    /// How often the effects that reports call detectable are detected
    Effects(effects::Options),
    /// Exact probabilities compared with an independent counter, and what they cost
    Exact(exact::Options),
    /// A case file larger than memory: listed, verified and dealt from
    Large(large::Options),
    /// Tables of leads compared with rejection and a search for each lead
    Leads(leads::Options),
    /// Sets levelled by a mix, by `rnd` and by spot cards, compared
    Levelling(levelling::Options),
    /// Cost of planning for the scripts of bridge teachers, compared with rejection
    Practice(practice::Options),
    /// The artefacts of a release, built and tried without Rust: size and seconds
    Dist(dist::Options),
    /// Processor time and memory of the commands in speed.toml, of one program or of two
    Speed(speed::Options),
}

impl Measurement {
    /// The name of its folder of reports.
    fn name(&self) -> String {
        let name = match self {
            Self::Validity(options) => options.name(),
            Self::Samples(_) => "samples",
            Self::Null(_) => "null",
            Self::Perfect(_) => "perfect",
            Self::Agreement(_) => "agreement",
            Self::Cells(options) => options.name(),
            Self::Defects(options) if options.audited => "defects-audited",
            Self::Defects(_) => "defects",
            Self::Effects(_) => "effects",
            Self::Exact(_) => "exact",
            Self::Large(options) => options.name(),
            Self::Leads(_) => "leads",
            Self::Levelling(_) => "levelling",
            Self::Practice(_) => "practice",
            Self::Dist(_) => "dist",
            Self::Speed(options) => return options.name(),
        };
        name.to_owned()
    }

    fn measure(&self, sheet: &mut Sheet) -> Result<(), Failure> {
        match self {
            Self::Validity(options) => validity::measure(options, sheet),
            Self::Samples(options) => samples::measure(options, sheet),
            Self::Null(options) => perfect::null(options, sheet),
            Self::Perfect(options) => perfect::measure(options, sheet),
            Self::Agreement(options) => agreement::measure(options, sheet),
            Self::Cells(options) => cells::measure(options, sheet),
            Self::Defects(options) => defects::measure(options, sheet),
            Self::Effects(options) => effects::measure(options, sheet),
            Self::Exact(options) => exact::measure(options, sheet),
            Self::Large(options) => large::measure(options, sheet),
            Self::Leads(options) => leads::measure(options, sheet),
            Self::Levelling(options) => levelling::measure(options, sheet),
            Self::Practice(options) => practice::measure(options, sheet),
            Self::Dist(options) => dist::measure(options, sheet),
            Self::Speed(options) => speed::measure(options, sheet),
        }
    }
}

/// Parses a number of deals or runs, such as `100k`; 0 leaves a part out.
fn count(text: &str) -> Result<u64, fairdeal::count::OutOfBounds> {
    fairdeal::count::count_between(text, 0..=fairdeal::run::MOST_DEALS)
}

fn main() -> ExitCode {
    let lab = Lab::parse();
    let measured = Sheet::new(lab.measurement.name(), lab.json, lab.save).and_then(|mut sheet| {
        lab.measurement.measure(&mut sheet)?;
        sheet.finish()
    });
    match measured {
        Ok(0) => ExitCode::SUCCESS,
        Ok(broken) => {
            eprintln!("{broken} measurements break a promise");
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(65)
        }
    }
}
