//! `fairdeal run --explain`

use std::io::{self, Write};

use fairdeal::cards::Seat;
use fairdeal::condition::Fixed;
use fairdeal::draw::{Scratch, Seeded, Source as _};
use fairdeal::filter::{self, Filter};

use super::Arguments;
use crate::cli::deals::Deals;
use crate::cli::failure::Failure;
use crate::cli::input::{self, Source};
use crate::cli::words::Words;

/// Deals that are drawn to estimate how many a filter keeps.
const PILOT: u64 = 1 << 20;

/// Candidates that are printed.
const CANDIDATES_PRINTED: usize = 8;

pub(super) fn execute(arguments: &Arguments, source: Source, words: &Words) -> Result<u8, Failure> {
    let (options, copy) = (&arguments.options, arguments.no_mmap);
    let (deals, ()) = Deals::of(source, options, copy, false, |_| Ok(()))?;
    deals.warn()?;
    let mut out = io::stdout().lock();
    match &deals.file {
        None => writeln!(
            out,
            "listed      nothing: deals are drawn from all there are"
        )?,
        Some((path, file)) => {
            let text = &file.header().condition;
            let text = if deals.filter.is_empty() {
                "the whole condition"
            } else {
                text.strip_prefix("condition ").unwrap_or(text)
            };
            writeln!(out, "listed      {}", text.replace('\n', "\n            "))?;
            writeln!(
                out,
                "            {} ({}), {}",
                input::size_of(file.cases(), file.total()),
                deals.order,
                path.display()
            )?;
        }
    }
    if let Some(share) = deals.share {
        let all = match deals.script.condition.predeal().is_empty() {
            true => "all there are",
            false => "all with the fixed cards",
        };
        writeln!(out, "drawn from  one deal in {:.6} of {all}", 1.0 / share)?;
    }
    if deals.filter.is_empty() {
        writeln!(out, "filter      none")?;
        writeln!(
            out,
            "acceptance  1, exactly: every deal drawn satisfies the condition"
        )?;
    } else {
        for (place, term) in deals.filter.iter().enumerate() {
            let label = if place == 0 { "filter" } else { "" };
            writeln!(out, "{label:<12}{term}")?;
        }
        let kept = pilot(&deals, words)?;
        let share = kept as f64 / PILOT as f64;
        let error = (share * (1.0 - share) / PILOT as f64).sqrt();
        match kept {
            0 => writeln!(out, "acceptance  none of {PILOT} deals drawn was kept")?,
            _ => writeln!(
                out,
                "acceptance  {share:.6} +- {error:.6}: {kept} of {PILOT} deals drawn were kept"
            )?,
        }
    }
    for (place, candidate) in deals.considered.iter().take(CANDIDATES_PRINTED).enumerate() {
        let label = if place == 0 { "considered" } else { "" };
        writeln!(
            out,
            "{label:<12}{}: {}, one deal in {:.3}",
            hands(&candidate.fixed),
            input::size_of(candidate.census.cases, candidate.census.total),
            1.0 / candidate.share
        )?;
    }
    Ok(0)
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

/// How many of some deals the filter keeps.
fn pilot(deals: &Deals, words: &Words) -> Result<u64, Failure> {
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
    Ok(kept)
}
