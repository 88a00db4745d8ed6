//! Plans the tests of an audit, by what is known before any deal is looked at.

use std::sync::Arc;

use fairdeal::audit::{BATCH_DEALS, Intake, MOST_DEALS, Tested};
use fairdeal::battery::{Battery, Expected, Origin, Reference};
use fairdeal::cases::CaseBytes;
use fairdeal::draw::Dealer;
use fairdeal::run::{self, FIRST_LOOK};
use fairdeal::tally::{Depth, SurveyPlan};
use fairdeal::theory::TheoryError;

use super::Arguments;
use crate::cli::deals::Deals;
use crate::cli::output;
use fairdeal::Error;

/// Tests that were planned.
pub(super) struct Planned<'d> {
    pub(super) tested: Tested<'d>,
    /// How much is looked at.
    pub(super) depth: Depth,
}

/// Plans the tests: by how many deals there are, if all were read, and whether they are
/// boards of sessions.
pub(super) fn plan<'d>(
    arguments: &Arguments,
    condition: Option<&'d Deals>,
    intake: &Intake,
    known: Option<u64>,
) -> Result<Planned<'d>, Error> {
    let (options, is_unknown) = (&arguments.battery, arguments.condition.any_condition);
    let depth = match options.battery().depth() {
        // Tables have no law.
        Depth::Tables if is_unknown => Depth::Standard,
        depth => depth,
    };
    let (plan, expected) = match condition {
        Some(condition) => {
            let (plan, expected) = options.planned(condition, depth, arguments.quiet)?;
            (plan, expected.ok_or(TheoryError::Predeal)?)
        }
        None if is_unknown => {
            let plan = options.keeping(SurveyPlan::of_unknown(depth));
            (plan, Arc::new(Expected::of_unknown()))
        }
        None => options.unconstrained(depth),
    };
    let deals = known.unwrap_or(MOST_DEALS);
    let mut terms = run::terms(&plan, deals, BATCH_DEALS, options.target());
    terms.open = known.is_none();
    terms.seeds = arguments.seed_search.is_some();
    if let Origin::Unknown(alike) = &mut terms.origin {
        alike.clone_from(&arguments.condition.alike);
    }
    terms.sessions = intake.session_count();
    terms.session_pairs = intake.session_pairs();
    // Sets of an unknown condition cannot be dealt.
    let is_small = known.is_some_and(|deals| deals < FIRST_LOOK) && !is_unknown;
    let sets = if is_small { arguments.reference } else { 0 };
    terms.referred = sets > 0;
    let mut battery = Battery::new(terms, expected);
    if sets > 0 {
        let reference = refer(arguments, condition, &plan, &battery, (sets, deals))?;
        battery = battery.with_reference(reference);
    }
    let tested = Tested::new(plan, battery);
    Ok(Planned { tested, depth })
}

/// Statistics of perfect sets of as many deals.
fn refer(
    arguments: &Arguments,
    condition: Option<&Deals>,
    plan: &SurveyPlan<'_>,
    battery: &Battery,
    size: (u32, u64),
) -> Result<Reference, Error> {
    let bar = output::progress("sets", size.0.into(), arguments.quiet);
    let progress = |sets| bar.inc(sets);
    let found = match condition {
        Some(condition) => {
            let dealer = condition.dealer(size.1)?;
            run::reference(&dealer, plan, battery, size, &progress)
                .map_err(|error| condition.broken(error))
        }
        None => {
            let dealer = Dealer::<CaseBytes>::unconstrained();
            run::reference(&dealer, plan, battery, size, &progress).map_err(Error::input)
        }
    };
    bar.finish_and_clear();
    found
}
