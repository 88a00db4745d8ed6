//! The short form of the library: the same deals, counts and errors as the modules behind it.
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use std::collections::BTreeSet;
use std::fs;

use crate::common::{KINDS, condition};
use fairdeal::compare::{Comparison, Report};
use fairdeal::observer::{Observer, Silent, Stage, StageProgress};
use fairdeal::population::cases::{self, Listing};
use fairdeal::population::{Base, Listings};
use fairdeal::report::TableName;
use fairdeal::run::DealCount;
use fairdeal::sampler::{SamplerMethod, Sampling};
use fairdeal::tasks::run::{RunOutcome, RunRequest, run};
use fairdeal::tasks::{ConditionInput, Prepared, RandomRequest};
use fairdeal::{
    Card, Deal, Error, Hand, Level, Population, Script, Seat, Workload, audit, audit_files,
};

fn script(text: &str) -> Script {
    Script::parse("test", text).unwrap()
}

fn population_by(method: SamplerMethod, text: &str) -> Population {
    let workload = |_: &_| Workload::boards(100, None);
    let input = ConditionInput::Script(Box::new(script(text).into()));
    let listings = Listings::in_memory();
    let prepared = Prepared::new(input, &Sampling::by(method), workload, &listings, &Silent);
    prepared.unwrap().population.into()
}

fn first_deals(population: &Population, count: usize) -> Vec<Deal> {
    let deals = population.deals(11).unwrap().take(count);
    deals.collect::<Result<_, Error>>().unwrap()
}

#[test]
#[ignore = "long"]
fn a_listing_in_memory_has_the_bytes_of_its_file() {
    let folder = crate::common::folder();
    for text in KINDS {
        let condition = condition(text);
        let (path, _) = crate::common::case_file(folder.path(), &condition, None);
        let listing = Listing::new(&condition, None).unwrap();
        let census = cases::census(&condition, &listing).unwrap();
        let listed = cases::list(&condition, &listing, census, &|_| ()).unwrap();
        assert!(listed.bytes() == fs::read(path).unwrap(), "{text}");
        listed.verify().unwrap();
    }
}

#[test]
fn the_first_deals_of_a_seed_are_the_same_however_many_are_taken() {
    let text = "hcp(north) >= 22";
    let populations = [
        Population::every_deal(),
        population_by(SamplerMethod::Listing, text),
        population_by(SamplerMethod::Cells, text),
        population_by(SamplerMethod::Rejection, text),
    ];
    let kinds = populations.each_ref().map(|population| {
        let base = match population.base() {
            Base::EveryDeal => "every deal",
            Base::Listing(_) => "listing",
            Base::Cells(_) => "cells",
            Base::Numbered(_) => "numbers",
        };
        (base, population.is_exact())
    });
    let wanted = [
        ("every deal", true),
        ("listing", true),
        ("cells", true),
        ("every deal", false),
    ];
    assert_eq!(kinds, wanted);
    for population in &populations {
        let many = first_deals(population, 300);
        for count in [1, 2, 100] {
            assert_eq!(first_deals(population, count), many[..count]);
        }
        let different: BTreeSet<String> = many.iter().map(ToString::to_string).collect();
        assert_eq!(different.len(), many.len());
    }
    let wanted = condition(text);
    for population in &populations[1..] {
        for deal in first_deals(population, 300) {
            assert!(wanted.expression().holds(&deal).unwrap(), "{deal}");
        }
    }
}

#[test]
fn an_array_is_filled_with_the_deals_of_its_seed() {
    let text = "hcp(north) >= 24";
    let populations = [
        Population::every_deal(),
        population_by(SamplerMethod::Listing, text),
        population_by(SamplerMethod::Cells, text),
        population_by(SamplerMethod::Rejection, text),
        // Cells with a filter, a filter with random draws, and predealt cards.
        script("hcp(north) == 37 && hascard(south, 2C)")
            .population()
            .unwrap(),
        script("hearts(north) > rnd(14)").population().unwrap(),
        script("predeal north SAK condition hcp(south) >= 15")
            .population()
            .unwrap(),
    ];
    for population in &populations {
        for count in [0, 1, 127, 300, 70_000] {
            // The other samplers need a thousand times as long for the longest.
            if count > 300 && !population.is_exact() {
                continue;
            }
            let deals = first_deals(population, count);
            let mut hands = vec![[0u64; 4]; count];
            assert_eq!(population.fill(11, &mut hands).unwrap(), count);
            assert!(
                deals
                    .iter()
                    .zip(&hands)
                    .all(|(deal, row)| deal.hands().map(Hand::bits) == *row)
            );
            let mut seats = vec![[0u8; 52]; count];
            assert_eq!(population.fill(11, &mut seats).unwrap(), count);
            for (deal, row) in deals.iter().zip(&seats).step_by(1 + count / 300) {
                let holds = |(card, &seat): (Card, &u8)| {
                    deal.hand(Seat::ALL[usize::from(seat)]).contains(card)
                };
                assert!(Card::all().zip(row).all(holds), "{deal} {row:?}");
            }
        }
    }
}

#[test]
fn the_share_of_a_population_is_the_same_by_listing_and_by_cells() {
    for text in ["hcp(north) >= 30", "spades(west) == 9 && hcp(west) <= 9"] {
        let [listed, factored] = [SamplerMethod::Listing, SamplerMethod::Cells]
            .map(|method| population_by(method, text));
        let share = |population: &Population| {
            let (ways, of) = population.probability().unwrap();
            ways as f64 / of as f64
        };
        let (one, other) = (share(&listed), share(&factored));
        assert!((one / other - 1.0).abs() < 1e-12, "{text}: {one} {other}");
        let rejection = population_by(SamplerMethod::Rejection, text);
        assert_eq!(rejection.probability(), None);
        assert_eq!(
            rejection.theory().unwrap_err().to_string().lines().count(),
            1
        );
        assert_eq!(listed.theory().unwrap(), factored.theory().unwrap());
    }
}

#[test]
fn a_run_in_memory_is_the_run_of_a_folder() {
    let folder = crate::common::folder();
    let text = "spades(west) == 9 action average \"N\" hcp(north)";
    let script = script(text);
    let (deals, seed) = (20_000, 5);
    let mut in_memory = script.run(deals, seed).unwrap();
    let request = RunRequest {
        deals: Some(DealCount::constant(deals)),
        random: RandomRequest::of_seed(seed),
        ..RunRequest::new("test", folder.path().join("report"))
    };
    let input = ConditionInput::Script(Box::new(script.clone().into()));
    let listings = Listings::in_folder(folder.path().join("cache"));
    let RunOutcome::Reported(reported) = run(&request, input, &listings, &Silent).unwrap() else {
        panic!("nothing was dealt before");
    };
    let counts = |report: &fairdeal::tasks::run::RunReport| {
        let tables = report.tables().into_iter();
        let counts = tables.filter(|table| table.name() != TableName::Latency);
        counts.map(|table| table.to_csv()).collect::<Vec<_>>()
    };
    assert_eq!(counts(&in_memory), counts(&reported));
    assert_eq!(in_memory.level, reported.level);

    let place = folder.path().join("written");
    in_memory.write_to(&place).unwrap();
    for name in ["run.json", "hcp.csv"] {
        assert!(place.join(name).exists(), "{name}");
    }
    assert_eq!(place.join("report.html").exists(), cfg!(feature = "html"));
    let mut other = script.run(1_000, seed + 1).unwrap();
    let refused = other.write_to(&place).unwrap_err();
    assert!(refused.is_usage(), "{refused}");
}

#[test]
fn a_report_in_memory_is_compared_as_its_folder_is() {
    let folder = crate::common::folder();
    let text = "spades(west) == 9 action average \"N\" hcp(north)";
    let mut reports = [1, 2].map(|seed| script(text).run(5_000, seed).unwrap());
    let in_memory = reports.each_ref().map(|report| {
        let record = (&report.record).into();
        Report {
            path: "memory".into(),
            record,
            sample: report.counts(),
            median_ns: report.median_ns(),
        }
    });
    let [one, other] = &in_memory;
    let compared = Comparison::of(one, other).unwrap();
    let mut names = ["a", "b"].into_iter();
    let written = reports.each_mut().map(|report| {
        let path = folder.path().join(names.next().unwrap());
        report.write_to(&path).unwrap();
        Report::read(&path).unwrap()
    });
    for (memory, file) in in_memory.iter().zip(&written) {
        assert_eq!(memory.sample, file.sample);
        assert!(memory.median_ns.is_some());
    }
    let [one, other] = &written;
    assert_eq!(compared.tests, Comparison::of(one, other).unwrap().tests);
}

#[test]
fn errors_say_whose_fault_they_are() {
    let wrong = Error::from(Script::parse("test", "hcp(north) >").unwrap_err());
    assert!(wrong.is_condition(), "{wrong}");
    let impossible = script("hcp(north) + hcp(south) > 40")
        .population()
        .unwrap_err();
    assert!(impossible.is_condition(), "{impossible}");
    assert_eq!(impossible.to_string(), "no deal satisfies the condition");
    let missing = audit_files(["no such file"]).unwrap_err();
    assert!(missing.is_input(), "{missing}");
    let empty = audit(Vec::new()).unwrap_err();
    assert!(empty.is_input(), "{empty}");
    let drawn = script("rnd(4) == 0").theory().unwrap_err();
    assert!(drawn.is_condition(), "{drawn}");
}

#[test]
#[ignore = "long"]
fn deals_of_a_condition_are_audited_by_its_laws() {
    let text = "hcp(north) >= 20 && hcp(south) <= 5";
    let population = population_by(SamplerMethod::Cells, text);
    let fair = first_deals(&population, 3_000);
    let report = population.audit(fair.clone()).unwrap();
    assert_eq!(report.level, Level::Inconclusive);
    assert_eq!(report.record.deals, 3_000);
    // As deals of which any may be they are not fair.
    assert_eq!(audit(fair).unwrap().level, Level::Fail);
}

/// Remembers what it was warned of.
#[derive(Default)]
struct Warned(std::sync::Mutex<Vec<String>>);

impl Observer for Warned {
    fn stage(&self, stage: Stage, length: Option<u64>) -> Box<dyn StageProgress> {
        Silent.stage(stage, length)
    }

    fn warn(&self, warning: &str) {
        self.0.lock().unwrap().push(warning.to_owned());
    }

    fn note(&self, _: &str) {}
}

#[test]
fn where_the_cache_cannot_be_written_a_listing_is_made_in_memory_with_a_warning() {
    let folder = crate::common::folder();
    let blocked = folder.path().join("a file");
    fs::write(&blocked, "").unwrap();
    let (listings, warned) = (Listings::in_folder(blocked), Warned::default());
    let wanted = condition("spades(west) == 9");
    let listed = listings.listing(&wanted, None, 1_000, &warned).unwrap();
    assert_eq!((listed.path, listed.file.cases()), (None, 15));
    let warnings = warned.0.into_inner().unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("listed in memory"), "{warnings:?}");
}
