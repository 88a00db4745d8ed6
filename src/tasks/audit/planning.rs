//! Plans the tests of an audit before any deal is counted.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::perfect_sets::PerfectSets;
use super::{AuditRequest, Audited, ComparedLaws};
use crate::audit::{AuditTests, BATCH_DEALS, Intake, MOST_DEALS};
use crate::battery::Battery;
use crate::error::Error;
use crate::filter::Filter;
use crate::language::Condition;
use crate::observer::Observer;
use crate::run::{self, FIRST_LOOK};
use crate::tally::Depth;
use crate::theory::TheoryError;

/// The planned tests.
pub(super) struct PlannedTests<'d> {
    pub(super) tested: AuditTests<'d>,
    /// Depth of the tests.
    pub(super) depth: Depth,
}

/// What the choice of tests takes from the boards read before it.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct BoardsBefore {
    sessions: u64,
    session_pairs: u64,
    dealt: u64,
}

impl BoardsBefore {
    pub(super) fn of(intake: &Intake) -> Self {
        Self {
            sessions: intake.session_count(),
            session_pairs: intake.session_pairs(),
            dealt: intake.dealt(),
        }
    }
}

/// Plans the tests by the number of deals, if all are read, and by whether they are boards of
/// sessions. Small samples are compared with `reference` perfect sets.
pub(super) fn plan<'d>(
    request: &AuditRequest,
    audited: &Audited<'d>,
    before: BoardsBefore,
    known: Option<u64>,
    reference: u32,
    observer: &dyn Observer,
) -> Result<PlannedTests<'d>, Error> {
    let battery = &request.battery;
    let depth = battery.depth();
    let (plan, expected) = match &audited.laws {
        ComparedLaws::Exact(population, Some(expected)) => {
            (battery.plan(population, depth), Arc::clone(expected))
        }
        ComparedLaws::Exact(population, None) => {
            let (plan, expected) = battery.tests(population, depth, observer)?;
            (plan, expected.ok_or(TheoryError::TooLong)?)
        }
        ComparedLaws::Symmetry {
            exchangeable,
            alike,
            ..
        } => battery.tests_of_unknown(*exchangeable, alike.clone()),
    };
    let depth = plan.depth();
    let condition = audited.condition.map(|condition| {
        let terms = std::slice::from_ref(condition.expression());
        Filter::new(terms)
    });
    let plan = plan.checking(condition);
    let deals = known.unwrap_or(MOST_DEALS);
    let mut terms = run::terms(&plan, deals, BATCH_DEALS, battery.target());
    terms.open = known.is_none();
    terms.seeds = request.seed_search.is_some();
    terms.sessions = before.sessions;
    terms.session_pairs = before.session_pairs;
    terms.dealt = before.dealt;
    // Perfect sets of an unknown condition cannot be dealt.
    let is_small = known.is_some_and(|deals| deals < FIRST_LOOK);
    let known_population = audited.population().filter(|_| is_small && reference > 0);
    terms.referred = known_population.is_some();
    let mut battery = Battery::new(terms, expected);
    if let Some(population) = known_population {
        let condition = audited.condition.map_or("", Condition::text);
        let sets = PerfectSets {
            population,
            condition,
            plan: &plan,
            battery: &battery,
            size: (reference, deals),
        };
        let reference = sets.reference(audited.kept, observer)?;
        battery = battery.with_reference(reference);
    }
    let tested = AuditTests::new(plan, battery);
    Ok(PlannedTests { tested, depth })
}
