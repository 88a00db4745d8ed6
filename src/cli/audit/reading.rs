//! Reads the files of an audit, and counts and tests what is in them.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

use fairdeal::audit::{Auditor, BATCH_DEALS, Counts, Kind, MOST_DEALS, Tested};
use fairdeal::battery::{Battery, Expected, Level, Origin, Reference, Verdict};
use fairdeal::cases::CaseBytes;
use fairdeal::draw::Dealer;
use fairdeal::formats::read::{self, Found, InputFormat, ReadError, What};
use fairdeal::report::{STANDARD_INPUT, SeedSearchRecord, SourceRecord, grouped};
use fairdeal::run::{self, FIRST_LOOK};
use fairdeal::tally::{Depth, SurveyPlan};
use fairdeal::theory::TheoryError;

use super::Arguments;
use super::seeds;
use crate::cli::deals::Deals;
use crate::cli::failure::Failure;
use crate::cli::output;

/// Everything that was read and what came of it.
pub(super) struct Read<'d> {
    pub(super) auditor: Auditor,
    /// Counts and tests; none if there was no deal.
    pub(super) tested: Option<Tested<'d>>,
    /// Files and their formats.
    files: Vec<(String, &'static str)>,
    pub(super) seeds: Option<SeedSearchRecord>,
    pub(super) any_condition: bool,
    pub(super) stop: Option<Stop>,
}

/// Why not everything was read.
pub(super) enum Stop {
    /// A board was no deal, and `--strict` was given.
    Strict(String),
    /// Somebody interrupted.
    Interrupted,
}

/// Reads all files.
pub(super) fn read<'d>(
    arguments: &Arguments,
    condition: Option<&'d Deals>,
) -> Result<Read<'d>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        let flag = Arc::clone(&interrupted);
        signal_hook::flag::register(signal, flag).map_err(Failure::io)?;
    }
    let sizes = arguments.files.iter().map(std::fs::metadata);
    let bytes = sizes.map(|found| found.ok().map(|found| found.len()));
    let bar = output::reading(bytes.sum(), arguments.quiet);
    let mut reader = Reader {
        arguments,
        condition,
        failure: None,
        read: Read {
            auditor: Auditor::default(),
            tested: None,
            files: Vec::new(),
            seeds: None,
            any_condition: arguments.condition.any_condition,
            stop: None,
        },
    };
    let mut before = 0;
    'files: for path in &arguments.files {
        for input in open(path)? {
            let mut reached = before;
            reader.read.auditor.intake.begin();
            reader.read.files.push((input.name().to_owned(), ""));
            let found = read::read(
                input,
                arguments.format,
                &mut |found| reader.take(&found),
                &mut |bytes| {
                    reached = before + bytes;
                    bar.set_position(reached);
                    match interrupted.load(Ordering::Relaxed) {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                },
            );
            before = reached;
            if let Some(failure) = reader.failure.take() {
                return Err(failure);
            }
            let format = found.map_err(failure_of)?.format;
            if let Some(file) = reader.read.files.last_mut() {
                file.1 = format.map_or("", InputFormat::name);
            }
            if interrupted.load(Ordering::Relaxed) && reader.read.stop.is_none() {
                reader.read.stop = Some(Stop::Interrupted);
            }
            if reader.read.stop.is_some() {
                break 'files;
            }
        }
    }
    bar.finish_and_clear();
    if matches!(reader.read.stop, Some(Stop::Strict(_))) {
        return Ok(reader.read);
    }
    if reader.read.auditor.deals() > 0 {
        reader.count(true)?;
    }
    Ok(reader.read)
}

/// The inputs of a file, or standard input.
fn open(path: &Path) -> Result<Vec<read::Input>, Failure> {
    if path.as_os_str() == "-" {
        let input = read::Input::of_reader(STANDARD_INPUT, io::stdin()).map_err(failure_of)?;
        return Ok(input);
    }
    read::Input::open(path).map_err(failure_of)
}

fn failure_of(error: ReadError) -> Failure {
    match &error {
        ReadError::Io { source, .. } if source.kind() != io::ErrorKind::NotFound => {
            Failure::io(error)
        }
        _ => Failure::input(error),
    }
}

/// Takes boards as they are found.
struct Reader<'a, 'd> {
    arguments: &'a Arguments,
    condition: Option<&'d Deals>,
    read: Read<'d>,
    failure: Option<Failure>,
}

impl<'d> Reader<'_, 'd> {
    fn take(&mut self, found: &Found<'_>) -> ControlFlow<()> {
        if self.arguments.strict
            && let What::Invalid(fault) = &found.what
        {
            let name = self.read.files.last().map_or("", |(name, _)| name);
            let stop = format!("{name}:{}: {fault}", found.line);
            self.read.stop = Some(Stop::Strict(stop));
            return ControlFlow::Break(());
        }
        if self.read.auditor.take(found)
            && let Err(failure) = self.count(false)
        {
            self.failure = Some(failure);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Counts the batch, and looks at what was counted if it is time.
    fn count(&mut self, is_last: bool) -> Result<(), Failure> {
        if self.read.tested.is_none() {
            let known = is_last.then(|| self.read.auditor.deals());
            let tested = self.plan(known)?;
            self.read.tested = Some(tested);
        }
        let Some(tested) = &mut self.read.tested else {
            return Ok(());
        };
        let looked = tested.count(&mut self.read.auditor, is_last);
        let looked = looked.map_err(Failure::input)?;
        if let Some(s) = looked.filter(|_| self.arguments.stream) {
            let level = Level::of_evidence(tested.battery().largest());
            let deals = grouped(self.read.auditor.deals());
            let mut stdout = io::stdout().lock();
            writeln!(
                stdout,
                "{deals:>20} deals  S = {s:>8.2}  {}",
                level.so_far()
            )?;
            stdout.flush()?;
        }
        Ok(())
    }

    /// Plans the tests, by what is known before any deal is looked at: how many there
    /// are, if all were read, and whether they are boards of sessions.
    fn plan(&mut self, known: Option<u64>) -> Result<Tested<'d>, Failure> {
        let options = &self.arguments.battery;
        let is_small = known.is_some_and(|deals| deals < FIRST_LOOK);
        let depth = if is_small {
            Depth::Full
        } else {
            options.battery.depth()
        };
        let (plan, expected) = match self.condition {
            Some(condition) => {
                let (plan, expected) = options.planned(condition, depth)?;
                (plan, expected.ok_or(TheoryError::Predeal)?)
            }
            None if self.read.any_condition => {
                let plan = options.keeping(SurveyPlan::of_unknown(depth));
                (plan, Arc::new(Expected::of_unknown()))
            }
            None => options.unconstrained(depth),
        };
        let mut terms = run::terms(
            &plan,
            known.unwrap_or(MOST_DEALS),
            BATCH_DEALS,
            options.target,
        );
        terms.open = known.is_none();
        terms.seeds = self.arguments.seed_search.is_some();
        if let Origin::Unknown(alike) = &mut terms.origin {
            alike.clone_from(&self.arguments.condition.alike);
        }
        let intake = &self.read.auditor.intake;
        terms.sessions = intake.session_count();
        terms.session_pairs = intake.session_pairs();
        // Sets of an unknown condition cannot be dealt.
        let sets = match is_small && !self.read.any_condition {
            true => self.arguments.reference,
            false => 0,
        };
        terms.referred = sets > 0;
        let deals = terms.deals;
        let mut battery = Battery::new(terms, expected);
        if sets > 0 {
            let reference = self.refer(&plan, &battery, (sets, deals))?;
            battery = battery.with_reference(reference);
        }
        let mut tested = Tested::new(plan, battery);
        if let Some(limit) = self.arguments.seed_search {
            let (names, quiet) = (self.read.names(), self.arguments.quiet);
            let (record, found) = seeds::search(intake.first_deals(), &names, limit, quiet);
            self.read.seeds = Some(record);
            tested.found_seeds(found);
        }
        Ok(tested)
    }

    /// Statistics of perfect sets of as many deals.
    fn refer(
        &self,
        plan: &SurveyPlan<'_>,
        battery: &Battery,
        size: (u32, u64),
    ) -> Result<Reference, Failure> {
        let bar = output::progress("sets", size.0.into(), self.arguments.quiet);
        let progress = |sets| bar.inc(sets);
        let found = match self.condition {
            Some(condition) => {
                let dealer = condition.dealer(size.1)?;
                run::reference(&dealer, plan, battery, size, &progress)
                    .map_err(|error| condition.broken(error))
            }
            None => {
                let dealer = Dealer::<CaseBytes>::unconstrained();
                run::reference(&dealer, plan, battery, size, &progress).map_err(Failure::input)
            }
        };
        bar.finish_and_clear();
        found
    }
}

impl Read<'_> {
    /// The names of the files that were read.
    pub(super) fn names(&self) -> Vec<String> {
        self.files.iter().map(|(name, _)| name.clone()).collect()
    }

    /// What became of the boards of each file.
    pub(super) fn sources(&self) -> Vec<SourceRecord> {
        let each = self.files.iter().zip(self.auditor.intake.counts());
        each.map(|((name, format), counts)| SourceRecord::new(name, format, counts))
            .collect()
    }

    /// What became of all boards.
    pub(super) fn total(&self) -> Counts {
        let mut total = Counts::default();
        for counts in self.auditor.intake.counts() {
            total.add(counts);
        }
        total
    }

    /// The verdict; none if no deal was tested.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        let tested = self.tested.as_ref()?;
        let mut verdict = tested.battery().verdict(tested.survey());
        let (invalid, names) = (self.total().invalid, self.names());
        if invalid > 0 && verdict.invalid.is_none() {
            let problems = self.auditor.intake.problems();
            let first = problems
                .iter()
                .find(|problem| problem.kind == Kind::Invalid);
            let first = first.map_or_else(String::new, |problem| {
                let name = &names[problem.place.input as usize];
                format!(": {name}:{}: {}", problem.place.line, problem.reason)
            });
            verdict.level = Level::Invalid;
            verdict.invalid = Some(format!("{} boards are no deals{first}", grouped(invalid)));
        }
        Some(verdict)
    }
}
