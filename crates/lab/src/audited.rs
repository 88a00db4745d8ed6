//! Audits of perfect boards, as `fairdeal audit` makes them of files.

use fairdeal::audit::{AuditTests, Auditor, BATCH_DEALS, EventRule, SessionSize};
use fairdeal::battery::{Battery, RunParameters};
use fairdeal::draw::{Aes128Ctr, DealScratch, Packet};
use fairdeal::formats::read::{BoardDetails, EntryKind, EventName, InputEntry};
use fairdeal::run;
use fairdeal::tally::Depth;
use rayon::prelude::*;

use crate::Failure;
use crate::subject::{Reached, Subject};

/// Perfect sets that an audit compares with by default.
const REFERENCE_SETS: u32 = 999;

/// Boards of a session.
const SESSION: SessionSize = SessionSize::constant(12);

/// The levels of S in audits of this number of perfect boards.
pub(crate) fn audits(condition: &str, deals: u64, audits: u64) -> Result<Reached, Failure> {
    let subject = Subject::named(condition, deals)?;
    let plan = || subject.plan(Depth::Standard);
    let dealer = subject.dealer()?;
    let terms = RunParameters {
        referred: true,
        sessions: deals.div_ceil(SESSION.get()),
        dealt: deals,
        ..run::terms(&plan(), deals, BATCH_DEALS, run::DEFAULT_TARGET)
    };
    let battery = Battery::new(terms, subject.expected.clone());
    let sets = (REFERENCE_SETS, deals);
    let reference = run::reference(&dealer, &plan(), &battery, sets, &|_| ())?;
    let battery = battery.with_reference(reference);
    let event = EventName::default();
    let audit = |seed: u64| {
        let generator = Aes128Ctr::new((1 << 64) + u128::from(seed));
        let mut auditor = Auditor::new(Some(SESSION), EventRule::default());
        let mut line = 0;
        let mut take = |packet: &Packet| {
            for i in 0..packet.deals() {
                line += 1;
                auditor.take(&InputEntry {
                    line,
                    board: Some(line),
                    dealer: None,
                    tricks: None,
                    details: BoardDetails::default(),
                    record: None,
                    event: &event,
                    what: EntryKind::Deal(packet.deal(i)),
                });
            }
        };
        for portion in dealer.portions(&generator, 0..deals)? {
            dealer.deal(&generator, &portion, &mut DealScratch::default(), &mut take)?;
        }
        let mut tested = AuditTests::new(plan(), battery.clone());
        tested.count(&mut auditor, true)?;
        Ok(tested.battery().largest())
    };
    let largest = (0..audits).into_par_iter().map(audit);
    largest
        .try_fold(
            || Reached::NONE,
            |reached, s: Result<f64, Failure>| Ok(reached.and(s?)),
        )
        .try_reduce(|| Reached::NONE, |one, other| Ok(one.merge(other)))
}
