//! `run` of a script with a mix: a run of every type, and one verdict for all of them.

use std::io;

use fairdeal::Error;
use fairdeal::battery::Level;
use fairdeal::language::{Mix, Script};
use fairdeal::population::Listings;
use fairdeal::printable::counted;
use fairdeal::report::RunRecord;
use fairdeal::run::DEFAULT_DEALS;
use fairdeal::tasks::run::{self as task, End, RunOutcome};
use fairdeal::tasks::{ConditionInput, RandomSource};

use super::RunArguments;
use crate::cli::input::{needs_one_type, refuse_given};
use crate::cli::layout::{self, SummaryLayout};
use crate::cli::output;
use crate::cli::terminal::Terminal;

/// The verdicts of the types so far.
#[derive(Default)]
struct MixVerdict {
    deals: u64,
    levels: Vec<Level>,
    /// The largest S of any type, lessened by the logarithm of its share; `None` without tests.
    s: Option<f64>,
}

impl MixVerdict {
    /// Adds the verdict of a type with this share.
    fn add(&mut self, record: &RunRecord, level: Level, share: f64) {
        self.deals += record.dealt;
        self.levels.push(level);
        let evidence = record.evidence.as_ref();
        let largest = evidence.and_then(|evidence| evidence.largest_s);
        let s = largest.map(|s| s + share.log10());
        self.s = self.s.into_iter().chain(s).reduce(f64::max);
    }

    /// The level of the whole mix.
    ///
    /// Fair deals of a type with share w reach S = s + log10(1/w) at most once in 10^s / w runs, so
    /// any of the types does so at most once in 10^s.
    fn level(&self) -> Level {
        let has = |level: Level| self.levels.contains(&level);
        match Level::of_evidence(self.s.unwrap_or_default()) {
            _ if has(Level::Invalid) => Level::Invalid,
            Level::Pass if self.levels.iter().all(|level| *level == Level::Pass) => Level::Pass,
            Level::Pass => Level::Inconclusive,
            level => level,
        }
    }
}

impl RunArguments {
    /// Runs every type of a mix with its share of the deals, and returns the exit code.
    pub(super) fn run_mix(
        &self,
        name: &str,
        script: &Script,
        mix: &Mix,
        listings: &Listings,
    ) -> Result<u8, Error> {
        self.refuse_for_mix()?;
        if self.resume && self.deals.is_none() {
            return Err(Error::usage(
                "to resume a mix, give the number of deals of all its types: --deals",
            ));
        }
        if script.needs_tables() {
            return Err(Error::usage(format!(
                "{name} is a mix that asks double-dummy tricks: run one type, with --type NAME"
            )));
        }
        let limit = script.produce.into_iter().chain(script.generate).min();
        let numbers = mix.numbers(self.deals.or(limit).unwrap_or(DEFAULT_DEALS));
        let terminal = Terminal::new(self.quiet);
        let (mut verdict, mut random) = (MixVerdict::default(), self.words.request());
        for (place, (of, &deals)) in mix.types().iter().zip(&numbers).enumerate() {
            if deals == 0 {
                continue;
            }
            let mut request = self.request(format!("{name}-{}", of.name));
            if let Some(out) = &self.out {
                request.folder = out.join(&of.name);
            }
            (request.deals, request.random) = (Some(deals), random.clone());
            let input = ConditionInput::Script(Box::new(script.of_type(place)?));
            let outcome = task::run(&request, input, listings, &terminal);
            let outcome = outcome.map_err(|error| error.context(format!("type `{}`", of.name)))?;
            let code = self.tell(&outcome, &request.folder)?;
            let (record, level) = match &outcome {
                RunOutcome::Reported(report) if report.end == End::Interrupted => return Ok(code),
                RunOutcome::Reported(report) => (&report.record, report.level),
                RunOutcome::Finished { record, level } => (&**record, *level),
            };
            // A generated seed is that of all types.
            random.seed = random.seed.or(record.identity.seed_number());
            random
                .source
                .get_or_insert_with(|| RandomSource::Seeded(record.identity.generator.clone()));
            let share = of.parts as f64 / mix.parts() as f64;
            verdict.add(record, level, share);
        }
        let level = verdict.level();
        if !self.quiet {
            let out = &mut layout::stdout();
            output::unless_closed(print(&mut SummaryLayout::new(out), name, &verdict, level))?;
        }
        Ok(self.exit_code(level))
    }

    /// Rejects options that are for one run.
    fn refuse_for_mix(&self) -> Result<(), Error> {
        let options = [
            ("--json", self.json),
            ("--explain", self.explain),
            ("--part", self.part.is_some()),
            ("--solve", self.solve),
            ("--defect", self.defect.is_some()),
        ];
        refuse_given(&options, needs_one_type)
    }
}

/// Prints the verdict of the mix.
fn print(
    layout: &mut SummaryLayout<'_>,
    name: &str,
    verdict: &MixVerdict,
    level: Level,
) -> io::Result<()> {
    let types = counted(verdict.levels.len() as u64, "type");
    let deals = counted(verdict.deals, "deal");
    let mut parts = vec![name.to_owned(), format!("{deals} of {types}")];
    parts.extend(verdict.s.map(|s| format!("S = {s:.2}")));
    layout.headline(level.name(), level.into(), &parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(levels: &[Level], s: Option<f64>) -> Level {
        let verdict = MixVerdict {
            deals: 1,
            levels: levels.to_vec(),
            s,
        };
        verdict.level()
    }

    #[test]
    fn a_mix_passes_if_every_type_passes() {
        use Level as L;
        assert_eq!(of(&[L::Pass, L::Pass], Some(-0.3)), L::Pass);
        assert_eq!(of(&[L::Pass, L::Inconclusive], Some(-0.3)), L::Inconclusive);
        assert_eq!(of(&[L::Inconclusive], None), L::Inconclusive);
        // One type of ten with S = 3.5 says little about the mix.
        assert_eq!(of(&[L::Pass, L::Suspicious], Some(2.5)), L::Inconclusive);
        assert_eq!(of(&[L::Pass, L::Fail], Some(9.1)), L::Fail);
        assert_eq!(of(&[L::Pass, L::Invalid], Some(-0.3)), L::Invalid);
    }
}
