//! `fairdeal run --explain`

use std::fmt;
use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use fairdeal::cards::Seat;
use fairdeal::cases::CaseBytes;
use fairdeal::cells::Cells;
use fairdeal::condition::{Fixed, Script};
use fairdeal::draw::{Dealer, Scratch, Seeded, Source as _};
use fairdeal::filter::{self, Filter};
use fairdeal::report::grouped;
use fairdeal::sampler::{Attempt, Outcome, Pilot};

use super::Arguments;
use crate::cli::deals::{Deals, need_of_run};
use crate::cli::input::{self, Source};
use crate::cli::json;
use crate::cli::words::Words;
use fairdeal::Error;

/// Deals that are drawn to estimate how many a filter keeps.
const PILOT: u64 = 1 << 20;

/// Listings that are printed.
const CANDIDATES_PRINTED: usize = 8;

/// What is listed, what every deal is asked, and how many are kept.
#[derive(Serialize)]
struct Explanation {
    /// How deals are found, and why so.
    sampler: &'static str,
    why: String,
    /// The cells that deals are drawn from.
    cells: Option<OfCells>,
    /// None if deals are drawn from all there are.
    listed: Option<Listed>,
    /// One deal in so many is drawn from; none where that was not counted.
    one_deal_in: Option<f64>,
    /// Whether that is of all with the fixed cards, and not of all there are.
    predealt: bool,
    /// The terms that are left to ask.
    filter: Vec<String>,
    /// None without a filter: every deal drawn is kept.
    acceptance: Option<Acceptance>,
    considered: Vec<Considered>,
}

/// What is listed, and where it is kept.
#[derive(Serialize)]
struct Listed {
    condition: String,
    order: String,
    cases: u64,
    #[serde(serialize_with = "json::text")]
    total: u128,
    file: String,
}

/// What cells deals are drawn from.
#[derive(Serialize)]
struct OfCells {
    condition: String,
    hands: Vec<&'static str>,
    shapes: usize,
    cells: u64,
    /// Those of a listing of the same hands.
    #[serde(serialize_with = "json::text")]
    cases: u128,
    #[serde(serialize_with = "json::text")]
    total: u128,
    /// Seconds to make the cells and the lists that draws choose from, and bytes of these.
    seconds: f64,
    bytes: usize,
}

impl OfCells {
    fn new(cells: &Cells, deals: &Deals) -> Result<Self, Error> {
        let clock = Instant::now();
        let again = Cells::new(cells.condition());
        let dealer = Dealer::<CaseBytes>::of_cells(again.as_ref().unwrap_or(cells));
        let bytes = dealer.map_err(|error| deals.failed(error))?.guide_bytes();
        let seconds = clock.elapsed().as_secs_f64();
        Ok(Self {
            condition: cells.condition().text().to_owned(),
            hands: cells.seats().iter().map(|seat| seat.name()).collect(),
            shapes: cells.shapes(),
            cells: cells.cells(),
            cases: cells.cases(),
            total: cells.total(),
            seconds,
            bytes,
        })
    }
}

/// How many of some deals a filter kept.
#[derive(Serialize)]
struct Acceptance {
    share: f64,
    standard_error: f64,
    kept: u64,
    drawn: u64,
}

/// A sampler that was considered.
#[derive(Serialize)]
struct Considered {
    sampler: &'static str,
    /// What is told of which hands.
    hands: String,
    /// What a few deals say, and what was counted: one deal in this many satisfies it.
    estimated_one_deal_in: Option<f64>,
    one_deal_in: Option<f64>,
    /// Steps, of about a nanosecond, that the search for it was granted and that it took.
    granted_steps: Option<u64>,
    steps: Option<u64>,
    /// The size, or why there is none.
    outcome: String,
}

impl Considered {
    /// Every sampler that was considered for these deals.
    fn all(deals: &Deals) -> Vec<Self> {
        let rejection = deals.pilot.map(|pilot| Self {
            sampler: "reject",
            hands: String::new(),
            estimated_one_deal_in: Some(1.0 / pilot.rate()),
            one_deal_in: None,
            granted_steps: None,
            steps: None,
            outcome: format!(
                "{} of {} deals satisfy the condition",
                grouped(pilot.kept),
                grouped(pilot.drawn)
            ),
        });
        let cells = deals.attempts.iter().map(Self::of_attempt);
        let listings = deals.considered.iter().map(|candidate| Self {
            sampler: "cases",
            hands: hands(&candidate.fixed),
            estimated_one_deal_in: None,
            one_deal_in: Some(1.0 / candidate.share),
            granted_steps: None,
            steps: None,
            outcome: input::size_of(candidate.census.cases, candidate.census.total),
        });
        let listings = listings.take(CANDIDATES_PRINTED);
        rejection.into_iter().chain(cells).chain(listings).collect()
    }

    fn of_attempt(attempt: &Attempt) -> Self {
        let (one_deal_in, outcome) = match &attempt.outcome {
            Outcome::Made { share, cells } => {
                (Some(1.0 / share), format!("{} cells", grouped(*cells)))
            }
            Outcome::Failed(why) => (None, why.to_string()),
        };
        Self {
            sampler: "factored",
            hands: match attempt.is_whole {
                true => "the whole condition".to_owned(),
                false => hands(&attempt.fixed),
            },
            estimated_one_deal_in: attempt.estimate.map(|share| 1.0 / share),
            one_deal_in,
            granted_steps: Some(attempt.granted),
            steps: Some(attempt.spent),
            outcome,
        }
    }
}

impl fmt::Display for Considered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.sampler)?;
        if !self.hands.is_empty() {
            write!(f, " of {}", self.hands)?;
        }
        write!(f, ": {}", self.outcome)?;
        match (self.one_deal_in, self.estimated_one_deal_in) {
            (Some(exact), _) => write!(f, ", one deal in {exact:.3}")?,
            (None, Some(about)) => write!(f, ", about one deal in {about:.0}")?,
            (None, None) => {}
        }
        match (self.steps, self.granted_steps) {
            (Some(steps), Some(granted)) => {
                write!(f, " ({} of {} steps)", grouped(steps), grouped(granted))
            }
            _ => Ok(()),
        }
    }
}

pub(super) fn execute(arguments: &Arguments, source: Source, words: &Words) -> Result<u8, Error> {
    let need = |script: &Script| need_of_run(arguments.deals, script);
    let how = (arguments.no_mmap, false);
    let options = arguments.options.with_defect(arguments.defect);
    let mut deals = Deals::plan(source, &options, need, how)?;
    deals.list(how)?;
    deals.warn()?;
    let explanation = Explanation::new(&deals, words)?;
    let out = &mut io::stdout().lock();
    match arguments.json {
        true => json::document(out, &explanation)?,
        false => explanation.print(out)?,
    }
    Ok(0)
}

impl Explanation {
    fn new(deals: &Deals, words: &Words) -> Result<Self, Error> {
        let listed = deals.file.as_ref().map(|opened| Listed {
            condition: opened.file.header().condition.clone(),
            order: deals.order.clone(),
            cases: opened.file.cases(),
            total: opened.file.total(),
            file: opened.path.display().to_string(),
        });
        let acceptance = match deals.filter.is_empty() {
            true => None,
            false => Some(Acceptance::of(pilot(deals, words)?)),
        };
        let cells = deals.cells.as_ref();
        let cells = cells.map(|cells| OfCells::new(cells, deals)).transpose()?;
        Ok(Self {
            sampler: match (&cells, &listed, deals.filter.is_empty()) {
                (Some(_), ..) => "factored",
                (None, Some(_), _) => "cases",
                (None, None, false) => "reject",
                (None, None, true) => "every deal",
            },
            why: deals.why.clone(),
            cells,
            listed,
            one_deal_in: deals.share.map(|share| 1.0 / share),
            predealt: !deals.script.condition.predeal().is_empty(),
            filter: deals.filter.iter().map(ToString::to_string).collect(),
            acceptance,
            considered: Considered::all(deals),
        })
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "sampler     {}: {}", self.sampler, self.why)?;
        match (&self.listed, &self.cells) {
            (None, Some(cells)) => {
                let text = match self.filter.is_empty() {
                    true => "the whole condition",
                    false => {
                        let text = &cells.condition;
                        text.strip_prefix("condition ").unwrap_or(text)
                    }
                };
                writeln!(out, "cells       {}", text.replace('\n', "\n            "))?;
                writeln!(
                    out,
                    "            {} cells of {} shapes, for {} cases, T = {} ({})",
                    grouped(cells.cells),
                    grouped(cells.shapes as u64),
                    grouped(cells.cases),
                    grouped(cells.total),
                    cells.hands.join(",")
                )?;
                writeln!(
                    out,
                    "            made in {:.3} s, lists of {} bytes",
                    cells.seconds,
                    grouped(cells.bytes as u64)
                )?;
            }
            (None, None) => writeln!(
                out,
                "listed      nothing: deals are drawn from all there are"
            )?,
            (Some(listed), _) => {
                let text = &listed.condition;
                let text = if self.filter.is_empty() {
                    "the whole condition"
                } else {
                    text.strip_prefix("condition ").unwrap_or(text)
                };
                writeln!(out, "listed      {}", text.replace('\n', "\n            "))?;
                writeln!(
                    out,
                    "            {} ({}), {}",
                    input::size_of(listed.cases, listed.total),
                    listed.order,
                    listed.file
                )?;
            }
        }
        if let Some(one_deal_in) = self.one_deal_in {
            let all = match self.predealt {
                false => "all there are",
                true => "all with the fixed cards",
            };
            writeln!(out, "drawn from  one deal in {one_deal_in:.6} of {all}")?;
        }
        self.print_filter(out)?;
        for (place, considered) in self.considered.iter().enumerate() {
            let label = if place == 0 { "considered" } else { "" };
            writeln!(out, "{label:<12}{considered}")?;
        }
        Ok(())
    }

    fn print_filter(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(acceptance) = &self.acceptance else {
            writeln!(out, "filter      none")?;
            return writeln!(
                out,
                "acceptance  1, exactly: every deal drawn satisfies the condition"
            );
        };
        for (place, term) in self.filter.iter().enumerate() {
            let label = if place == 0 { "filter" } else { "" };
            writeln!(out, "{label:<12}{term}")?;
        }
        let &Acceptance {
            share,
            standard_error,
            kept,
            drawn,
        } = acceptance;
        match kept {
            0 => writeln!(out, "acceptance  none of {drawn} deals drawn was kept"),
            _ => writeln!(
                out,
                "acceptance  {share:.6} +- {standard_error:.6}: {kept} of {drawn} deals drawn were kept"
            ),
        }
    }
}

impl Acceptance {
    fn of(pilot: Pilot) -> Self {
        Self {
            share: pilot.share(),
            standard_error: pilot.standard_error(),
            kept: pilot.kept,
            drawn: pilot.drawn,
        }
    }
}

/// Which hands are listed, and how.
fn hands(fixed: &Fixed) -> String {
    let hand = |seat: Seat| {
        let how = match (fixed.patterns[seat.index()], fixed.honours[seat.index()]) {
            (true, true) => "by pattern and honours",
            (true, false) => "by pattern",
            (false, true) => "by honours",
            (false, false) => return None,
        };
        Some(format!("{seat} {how}"))
    };
    let hands: Vec<String> = Seat::ALL.into_iter().filter_map(hand).collect();
    hands.join(", ")
}

/// How many of a million deals the filter keeps.
fn pilot(deals: &Deals, words: &Words) -> Result<Pilot, Error> {
    let dealer = deals.dealer(PILOT)?;
    let source = Seeded {
        dealer: &dealer,
        generator: &*words.generator,
    };
    let filter = Filter::new(&deals.filter);
    let (mut scratch, mut filtering) = (Scratch::default(), filter::Scratch::default());
    let (mut kept, mut failed) = (0, Ok(()));
    for portion in source
        .portions(0..PILOT)
        .map_err(|error| deals.failed(error))?
    {
        let mut sink = |packet: &_| match filter.accept(source.path(), packet, &mut filtering) {
            Ok(passed) => kept += u64::from(passed.count_ones()),
            Err(error) => failed = Err(error),
        };
        let dealt = source.deal(&portion, &mut scratch, &mut sink);
        dealt.map_err(|error| deals.failed(error))?;
    }
    failed.map_err(|error| deals.unvalued(&error))?;
    Ok(Pilot { drawn: PILOT, kept })
}
