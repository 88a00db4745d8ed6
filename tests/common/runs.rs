//! Runs of every kind, small enough to be repeated a few times.

use std::path::Path;
use std::sync::Arc;

use fairdeal::battery::{Battery, Expected};
use fairdeal::draw::{Aes128Ctr, Dealer, Seeded};
use fairdeal::language::Script;
use fairdeal::population::cases::{self, CaseBytes, CaseFile, Runs};
use fairdeal::run::{self, KeepFilter, RunCounts, Running};
use fairdeal::tally::{CountPlan, Depth, ScriptQuestions};

use super::{case_file, condition};

/// What is dealt, and what is asked of it.
pub(crate) struct Kind {
    /// Listed; without it, all deals.
    pub(crate) listed: Option<CaseFile<CaseBytes>>,
    /// A condition that every deal is asked, and questions about those that pass.
    pub(crate) asked: Option<Script>,
    pub(crate) depth: Depth,
    /// Deals, and the cap on batches.
    pub(crate) size: (u64, u64),
}

impl Kind {
    pub(crate) fn unconstrained(depth: Depth, size: (u64, u64)) -> Self {
        Self {
            listed: None,
            asked: None,
            depth,
            size,
        }
    }

    /// A run of each kind, small enough to be gone through a few times.
    pub(crate) fn all(folder: &Path) -> Vec<Self> {
        let listed = |text| Some(case_file(folder, &condition(text), None).1);
        let asked = |text| Some(Script::parse("test", text).unwrap());
        let unconstrained = Self::unconstrained;
        vec![
            unconstrained(Depth::Tables, (3_000_000, 1 << 26)),
            // 2^22 deals are numbered, so that spacings are compared.
            unconstrained(Depth::Full, (4_500_000, 1 << 20)),
            unconstrained(Depth::Standard, (700_001, 100_000)),
            Self {
                listed: listed("hcp(west) >= 15 && spades(west) >= 10 && hcp(south) >= 12"),
                asked: asked("action average \"N\" hcp(north), frequency (hearts(east), 0, 9)"),
                ..unconstrained(Depth::Standard, (1_500_000, 1 << 17))
            },
            Self {
                asked: asked(
                    "condition hcp(north) + hcp(south) >= 25 && hearts(west) > 3
                     action average losers(south), frequency (spades(north), 0, 7, hcp(east), 0, 9)",
                ),
                ..unconstrained(Depth::Tables, (1_200_000, 300_000))
            },
        ]
    }

    pub(crate) fn plan(&self) -> (CountPlan<'_>, Arc<Expected>) {
        let (plan, expected) = match &self.listed {
            None => (CountPlan::unconstrained(self.depth), Expected::every_deal()),
            Some(file) => (
                CountPlan::of_cases(self.depth, Runs::new(file)),
                Expected::of_cases(file).unwrap(),
            ),
        };
        // So few that k rises.
        (plan.keeping(5000), Arc::new(expected))
    }

    pub(crate) fn keep_filter(&self) -> KeepFilter {
        let Some(script) = &self.asked else {
            return KeepFilter::default();
        };
        let filter = match &self.listed {
            None => cases::reject(&script.condition).filter,
            Some(_) => Vec::new(),
        };
        let actions = script.actions.as_deref().unwrap_or_default();
        KeepFilter::new(&filter, ScriptQuestions::of(actions), None)
    }

    /// Does something with such runs before their first deal, and their battery.
    pub(crate) fn with<R>(
        &self,
        work: impl for<'r> FnOnce(&dyn Fn() -> Running<'r, 'r>, Battery) -> R,
    ) -> R {
        let (dealer, generator) = (self.dealer(), Aes128Ctr::new(9));
        let source = Seeded {
            dealer: &dealer,
            generator: &generator,
        };
        let ((plan, expected), keep_filter) = (self.plan(), self.keep_filter());
        let terms = run::terms(&plan, self.size.0, self.size.1, 1);
        let running = || Running::new(&source, &plan, &keep_filter, self.size);
        work(&running, Battery::new(terms, expected))
    }

    pub(crate) fn dealer(&self) -> Dealer<'_, CaseBytes> {
        match &self.listed {
            None => Dealer::unconstrained(),
            Some(file) => Dealer::of_cases(file).unwrap(),
        }
    }
}

/// Everything that a report is made of, in words.
pub(crate) fn result(counted: &RunCounts, battery: &Battery) -> Vec<String> {
    let counts = &counted.counts;
    let numbers = &counts.numbers;
    let sets = [&counts.duplicates, &counts.equivalents];
    vec![
        format!("{:?}", counts.groups()),
        format!("{:?}", counts.spread),
        format!("{:?}", counts.overlaps),
        format!("{:?}", counts.gram),
        format!(
            "{:?}",
            sets.map(|set| (set.deals(), set.bits(), set.kept()))
        ),
        format!("{:?}", sets.map(|set| set.pairs())),
        format!("{:?}", (numbers.deals(), numbers.equal_spacings())),
        format!("{:?}", (numbers.places(), numbers.low())),
        format!("{:?}", counts.cases),
        format!("{:?}", counts.filling),
        format!(
            "{:?} {:?}",
            counted.kept_counts.tally, counted.kept_counts.statistics
        ),
        format!(
            "{} kept, {} illegal",
            counted.kept_counts.kept, counts.illegal
        ),
        format!("{:?} {:?}", battery.looks(), battery.rows()),
    ]
}
