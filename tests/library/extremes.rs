//! A hunt for panics: every public request with extreme numbers and wrong combinations.
//!
//! A number outside its bounds is an error where it is made; whatever can be made gives a result or
//! an error. Work that would take long is stopped by its observer or its sink.

use std::path::Path;
use std::time::Duration;

use fairdeal::audit::SessionSize;
use fairdeal::bench::MeasuredRounds;
use fairdeal::bridge::Seat;
use fairdeal::defect::Defect;
use fairdeal::draw::{RandomSource, Rotation, SeededGenerator, Shares};
use fairdeal::language::Script;
use fairdeal::number::{LineCodec, Scheme};
use fairdeal::observer::{Observer, Silent, Stage, StageProgress};
use fairdeal::population::Listings;
use fairdeal::report::OnConflict;
use fairdeal::run::{BatchSize, DealCount, LevelCheckRuns, Part, SearchEvent};
use fairdeal::sampler::{SamplerMethod, Sampling, Workload};
use fairdeal::tally::{Depth, KeptCount};
use fairdeal::tasks::audit::{AuditCondition, AuditRequest, ReferenceSets, audit_given_deals};
use fairdeal::tasks::boards::{BoardLabels, BoardNumber, BoardRequest, Set};
use fairdeal::tasks::run::{ExactValues, RunRequest, Until, explain, run, run_in_memory};
use fairdeal::tasks::{
    BatteryRequest, ConditionInput, DealFiles, LevelCheckRequest, MergeRequest, Prepared,
    RandomRequest, SolvingRequest, TheoryRequest, ask_deal_files, level_check, merge, run_solved,
    theory,
};
use fairdeal::threads::Threads;
use fairdeal::{Deal, Error, Population};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::common::folder;

const MIX: &str =
    "balanced = shape(north, any 4333)\nrest = hcp(north) > 9\n#mix: balanced 2, rest 1";
const MOST: u64 = 10_000_000_000_000_000;

/// An observer that asks every task to stop.
struct Stopping;

impl Observer for Stopping {
    fn stage(&self, stage: Stage, length: Option<u64>) -> Box<dyn StageProgress> {
        Silent.stage(stage, length)
    }

    fn warn(&self, _: &str) {}

    fn note(&self, _: &str) {}

    fn is_stop_asked(&self) -> bool {
        true
    }
}

fn extreme() -> impl Strategy<Value = u64> {
    select(vec![0, 1, 2, 36, MOST, MOST + 1, u64::MAX - 1, u64::MAX])
}

fn seed() -> impl Strategy<Value = Option<u128>> {
    select(vec![
        None,
        Some(0),
        Some(1),
        Some(u128::MAX - 1),
        Some(u128::MAX),
    ])
}

fn time() -> impl Strategy<Value = Option<Duration>> {
    select(vec![None, Some(Duration::ZERO), Some(Duration::MAX)])
}

fn script() -> impl Strategy<Value = &'static str> {
    select(vec![
        "1",
        "hcp(north) >= 10 action average hcp(south), frequency (hcp(east), 0, 37)",
        "spades(west) == 13",
        "predeal north S2 condition hcp(north) > 40",
        "hcp(north) + hcp(south) > 40",
        "produce 18446744073709551615\n1",
        "generate 18446744073709551615\nstartboard 2147483647\nrnd(10) < 5",
        MIX,
    ])
}

fn parsed(text: &str) -> Box<Script> {
    Box::new(Script::parse("extreme", text).expect("the script is valid"))
}

fn sampling() -> impl Strategy<Value = Sampling> {
    let methods = vec![
        SamplerMethod::Auto,
        SamplerMethod::Rejection,
        SamplerMethod::Exact,
    ];
    let orders = vec![
        None,
        Some(vec![]),
        Some(vec![Seat::West]),
        Some(vec![Seat::West, Seat::West]),
        Some(Seat::ALL.to_vec()),
    ];
    // More cases would be listed.
    let cases = select(vec![0, 1, 2]);
    (select(methods), select(orders), cases).prop_map(|(method, order, max_cases)| Sampling {
        method,
        order,
        max_cases,
    })
}

prop_compose! {
    fn battery()(
        depth in option::of(select(vec![Depth::Tables, Depth::Standard])),
        target in option::of(extreme()),
        keep in option::of(extreme()),
        threads in option::of(extreme()),
    ) -> BatteryRequest {
        BatteryRequest {
            depth,
            target: target.and_then(|target| DealCount::new(target).ok()),
            keep: keep.and_then(|keep| KeptCount::new(keep).ok()),
            threads: threads.and_then(|threads| Threads::new(threads).ok()),
        }
    }
}

prop_compose! {
    fn random()(
        seed in seed(),
        source in select(vec![
            None,
            Some(RandomSource::Seeded(SeededGenerator::Philox4x32)),
            Some(RandomSource::File("/dev/null".into())),
        ]),
    ) -> RandomRequest {
        RandomRequest { seed, source }
    }
}

prop_compose! {
    fn run_request()(
        numbers in [option::of(extreme()), option::of(extreme())],
        part in [extreme(), extreme()],
        times in (time(), select(vec![Duration::ZERO, Duration::MAX])),
        random in random(),
        battery in battery(),
        sampling in sampling(),
        choices in (
            select(vec![OnConflict::Keep, OnConflict::Beside, OnConflict::Replace, OnConflict::Resume]),
            select(vec![None, Some(Until::Pass), Some(Until::Fail)]),
            select(vec![None, Defect::named("sattolo-blocks"), Defect::named("naive-shuffle")]),
            select(vec![ExactValues::Never, ExactValues::WithinBudget]),
        ),
    ) -> RunRequest {
        let [deals, batch] = numbers;
        RunRequest {
            deals: deals.and_then(|deals| DealCount::new(deals).ok()),
            batch: batch.and_then(|batch| BatchSize::new(batch).ok()),
            part: Part::new(part[0], part[1]).ok(),
            random,
            battery,
            sampling,
            time: times.0,
            checkpoint: times.1,
            on_conflict: choices.0,
            until: choices.1,
            defect: choices.2,
            exact: choices.3,
            ..RunRequest::new("extreme", "")
        }
    }
}

/// The first three boards of a set, unless one has to be searched for.
fn boards_of(request: BoardRequest, script: Box<Script>) -> Result<(), Error> {
    let (input, listings) = (ConditionInput::Script(script), Listings::in_memory());
    let set = Set::new(request, input, &listings, &Stopping)?;
    for event in set.boards(&Stopping)?.take(3) {
        match event? {
            SearchEvent::Next(_) => {}
            SearchEvent::Misses(_) => break,
        }
    }
    Ok(())
}

#[test]
fn numbers_outside_their_bounds_are_errors() {
    let script = fairdeal::Script::parse("test", "hcp(west) >= 20").unwrap();
    for wrong in [0, MOST + 1, 12_000_000_000_000_000, u64::MAX] {
        let error = script.run(wrong, 7).unwrap_err();
        assert!(error.is_usage());
        let bound = match wrong {
            0 => "the number of deals: must be at least 1",
            _ => "the number of deals: must be at most 10,000,000,000,000,000",
        };
        assert_eq!(error.to_string(), bound);
    }
    assert!(BatchSize::new(0).is_err() && BatchSize::new((1 << 36) + 1).is_err());
    assert!(SessionSize::new(0).is_err() && SessionSize::new(129).is_err());
    assert!(BoardNumber::new(0).is_err() && BoardNumber::new(u64::MAX).is_err());
    assert!(KeptCount::new(1_023).is_err() && LevelCheckRuns::new(9).is_err());
    assert!(MeasuredRounds::new(0).is_err() && MeasuredRounds::new(1_001).is_err());
    assert!(ReferenceSets::new(0).is_ok() && ReferenceSets::new(1_000_001).is_err());
    for (part, of) in [(0, 7), (8, 7), (1, 0), (1, 100_001), (u64::MAX, u64::MAX)] {
        assert!(Part::new(part, of).is_err(), "{part}/{of}");
        let saved = format!("{{\"part\":{part},\"of\":{of}}}");
        assert!(serde_json::from_str::<Part>(&saved).is_err(), "{saved}");
    }
    let board = Script::parse("test", "startboard 18446744073709551615\n1");
    let board = board.unwrap_err().to_string();
    assert!(board.contains("is too large"), "{board}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn runs_end_without_a_panic(mut request in run_request(), text in script()) {
        let folder = folder();
        request.folder = folder.path().join("report");
        let (input, listings) = (|| ConditionInput::Script(parsed(text)), Listings::in_memory());
        let _ = run(&request, input(), &listings, &Stopping);
        // The same again, beside or instead of what is there.
        let _ = run(&request, input(), &listings, &Stopping);
        let _ = explain(&request, input(), &listings, &Stopping);
        let workload = |_: &Script| Workload::statistics(1);
        if let Ok(prepared) = Prepared::new(input(), &request.sampling, workload, &listings, &Stopping) {
            let _ = run_in_memory(&request, prepared, &Stopping);
        }
    }

    #[test]
    fn sets_of_boards_end_without_a_panic(
        text in script(),
        numbers in [option::of(extreme()), option::of(extreme())],
        max_tries in extreme(),
        flags in any::<[bool; 5]>(),
        random in random(),
        sampling in sampling(),
        rotation in select(vec![
            None,
            Some(Rotation::Random),
            Some(Rotation::PartnerBoard),
        ]),
        defect in select(vec![None, Defect::named("sattolo-blocks"), Defect::named("naive-shuffle")]),
    ) {
        let request = BoardRequest {
            boards: numbers[0].and_then(|boards| DealCount::new(boards).ok()),
            labels: BoardLabels {
                first: numbers[1].and_then(|first| BoardNumber::new(first).ok()),
                ..BoardLabels::default()
            },
            max_tries: Some(max_tries),
            filter: None,
            solve: flags[0],
            defect,
            no_repeats: flags[1],
            has_comments: flags[2],
            has_actions: flags[3],
            shares: if flags[4] { Shares::Random } else { Shares::Exact },
            rotation,
            random,
            sampling,
        };
        let _ = boards_of(request, parsed(text));
    }

    #[test]
    fn audits_end_without_a_panic(
        deals in select(vec![0usize, 1, 2, 36]),
        battery in battery(),
        session in option::of(extreme()),
        reference in extreme(),
    ) {
        let request = AuditRequest {
            battery,
            session: session.and_then(|boards| SessionSize::new(boards).ok()),
            reference: ReferenceSets::new(reference).unwrap_or(ReferenceSets::LEAST),
            ..AuditRequest::new("extreme", "")
        };
        let every_deal = Population::every_deal();
        let dealt = every_deal.deals(5).unwrap().take(deals);
        let dealt: Vec<Deal> = dealt.collect::<Result<_, _>>().unwrap();
        let listings = Listings::in_memory();
        let _ = audit_given_deals(&request, AuditCondition::None, &listings, dealt, &Silent);
    }

    #[test]
    fn other_tasks_end_without_a_panic(
        text in script(),
        deals in extreme(),
        random in random(),
        battery in battery(),
        sampling in sampling(),
    ) {
        let listings = Listings::in_memory();
        let request = LevelCheckRequest {
            runs: LevelCheckRuns::LEAST,
            deals: Some(DealCount::new(deals.min(36)).unwrap_or(DealCount::LEAST)),
            batch: BatchSize::new(deals).ok(),
            random: random.clone(),
            battery: battery.clone(),
            sampling: sampling.clone(),
        };
        let _ = level_check(&request, ConditionInput::Script(parsed(text)), &listings, &Stopping);
        let folder = folder();
        let merged = MergeRequest {
            folders: vec![folder.path().to_owned(); (deals % 3) as usize],
            out: folder.path().join("merged"),
            cases: Some(folder.path().to_owned()),
            on_conflict: OnConflict::Keep,
            threads: battery.threads,
            formats: Vec::new(),
        };
        let _ = merge(&merged, &listings, &Stopping).unwrap_err();
        let library = DealFiles {
            files: vec![Path::new("/dev/null").to_owned(); (deals % 2) as usize],
            deals: Some(deals),
            threads: battery.threads,
            ..DealFiles::default()
        };
        let _ = ask_deal_files("extreme", &parsed(text), &library, &Stopping);
        let solving = SolvingRequest {
            name: "extreme".to_owned(),
            folder: folder.path().join("solved"),
            on_conflict: OnConflict::Resume,
            formats: Vec::new(),
            deals: DealCount::new(deals).ok(),
            is_whole: true,
            random,
            threads: battery.threads,
            time: Some(Duration::ZERO),
            sampling,
        };
        let _ = run_solved(&solving, &parsed(text), &listings, &Stopping);
    }

    #[test]
    fn numbers_of_deals_are_read_without_a_panic(
        number in select(vec![0, 1, u128::from(u64::MAX), 1 << 121, u128::MAX - 1, u128::MAX]),
        is_hex in any::<bool>(),
        is_one_based in any::<bool>(),
    ) {
        for scheme in Scheme::all() {
            let mut codec = LineCodec::of_scheme(scheme);
            if is_hex {
                codec = codec.in_hex();
            }
            if is_one_based {
                codec = codec.one_based();
            }
            let line = if is_hex { format!("0x{number:X}") } else { number.to_string() };
            if let Ok(deal) = codec.decode(&line) {
                prop_assert_eq!(codec.encode(&deal), Ok(line.clone()), "{:?}", scheme);
            }
        }
    }

    #[test]
    fn shares_of_a_mix_add_up(deals in extreme()) {
        let script = parsed(MIX);
        let mix = script.mix.as_ref().expect("a mix");
        let numbers = mix.rounded(deals).first();
        prop_assert_eq!(numbers.iter().map(|of| u128::from(*of)).sum::<u128>(), u128::from(deals));
    }
}

proptest! {
    // Each case takes half a second.
    #![proptest_config(ProptestConfig::with_cases(2))]

    #[test]
    fn populations_and_theory_end_without_a_panic(
        text in script(),
        needs in [extreme(), extreme()],
        sampling in sampling(),
        seed in seed(),
    ) {
        let (script, listings) = (fairdeal::Script::from(*parsed(text)), Listings::in_memory());
        let _ = script.run(needs[0].min(2), seed.unwrap_or(0));
        for workload in [Workload::boards(needs[0], Some(needs[1])), Workload::statistics(needs[0])] {
            if let Ok(population) = script.population_for(workload) {
                let _ = population.fill(seed.unwrap_or(1), &mut [[0u64; 4]; 0]);
            }
        }
        let input = ConditionInput::Script(Box::new(script.into()));
        let _ = theory(TheoryRequest::new(input, &sampling), &listings, &Stopping);
    }
}
