//! Mixes of types: natural shares against exact theory, and the order of types against the mix.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use fairdeal::Script;
use fairdeal::draw::{Aes128Ctr, Shares, TypeNumbers};
use fairdeal::tally::Answer;
use fairdeal::theory::Ratio;
use statrs::distribution::{ChiSquared, ContinuousCDF};

const CONDITIONS: [&str; 4] = [
    "condition 1",
    "hearts(north) >= 5 && hearts(south) >= 3 && hcp(north) >= 11",
    "shape(south, any 4333 + any 4432 + any 5332) && hcp(south) >= 15 && hcp(south) <= 17",
    "spades(north) + spades(south) >= 8",
];

/// Names, their definitions and the mix.
const MIXES: [&str; 5] = [
    "points = hcp(north) + hcp(south)
     game = points >= 25
     invitation = points >= 23
     pass = 1
     #mix: game 40%, invitation 40%, pass 20%",
    "long = spades(north) >= 6
     short = spades(north) <= 1
     #mix: long, short",
    "fit = hearts(north) + hearts(south) >= 9
     points = hcp(south)
     strong = points >= 16
     #mix: strong 3, fit 2",
    "major = spades(south) >= 5 || hearts(south) >= 5
     flat = shape(south, any 4333)
     rest = 1
     #mix: flat 12.5%, major 62.5%, rest 25%",
    "held = hascard(north, AS) + hascard(north, AH) + hascard(north, AD) + hascard(north, AC)
     none = held == 0
     one = held == 1
     more = held > 1
     #mix: more 1, one 1, none 1",
];

/// The probability of a chi-square this large. Outcomes without a probability must not occur.
fn p_value(counts: &[u64], shares: &[f64]) -> f64 {
    let all = counts.iter().sum::<u64>() as f64;
    let (mut statistic, mut outcomes) = (0.0, 0);
    for (count, share) in counts.iter().zip(shares) {
        if *share > 0.0 {
            statistic += (*count as f64 - all * share).powi(2) / (all * share);
            outcomes += 1;
        } else {
            assert_eq!(*count, 0);
        }
    }
    match outcomes {
        1 => 1.0,
        _ => ChiSquared::new(f64::from(outcomes - 1))
            .unwrap()
            .sf(statistic),
    }
}

fn value(ratio: Ratio) -> f64 {
    ratio.ways as f64 / ratio.of as f64
}

/// Every mix of every condition, or every fifth of them for few deals, with a question for the
/// place of the first type that holds.
fn for_each(deals: u64, check: impl Fn(&Script, &[u64])) {
    let step = if deals < 1_000_000 { 5 } else { 1 };
    for (number, condition) in CONDITIONS.iter().enumerate() {
        for (mix, text) in MIXES.iter().enumerate().skip(number % step).step_by(step) {
            let script = Script::parse("mix", &format!("{text}\n{condition}")).unwrap();
            let types = script.mix.as_ref().unwrap().types();
            let names = types.iter().map(|of| of.name.as_str());
            let places = names.enumerate().collect::<Vec<_>>();
            let last = types.len().to_string();
            let place = places.iter().rev().fold(last, |rest, (place, name)| {
                format!("{name} ? {place} : ({rest})")
            });
            let plain = text.replace("#mix", "# mix");
            let asked = format!(
                "{plain}\n{condition}\naction frequency \"type\" ({place}, 0, {})",
                types.len()
            );
            let asked = Script::parse("asked", &asked).unwrap();
            let report = asked.run(deals, (10 * number + mix) as u128).unwrap();
            let Answer::Frequency(counts) = &report.answered[0].found else {
                panic!("a frequency was asked for");
            };
            check(&script, &counts[1..=types.len() + 1]);
        }
    }
}

fn natural_shares_agree(deals: u64) {
    for_each(deals, |script, counts| {
        let theory = script.theory().unwrap();
        let mut shares: Vec<f64> = theory
            .types
            .iter()
            .map(|of| value(of.natural_share))
            .collect();
        // Deals of no type. The fractions of all types add up to 1 exactly if there are none.
        let rest = 1.0 - shares.iter().sum::<f64>();
        shares.push(if rest < 1e-12 { 0.0 } else { rest });
        let p = p_value(counts, &shares);
        assert!(
            p > 1e-6,
            "{p}: {counts:?} {shares:?} {}",
            script.condition.text()
        );
    });
}

#[test]
fn natural_shares_are_those_of_deals() {
    natural_shares_agree(4_000);
}

#[test]
#[ignore = "nightly"]
fn natural_shares_are_those_of_many_deals() {
    natural_shares_agree(10_000_000);
}

#[test]
fn shares_of_the_mix_are_exact_or_those_of_chance() {
    let deals = if cfg!(debug_assertions) {
        100_000
    } else {
        10_000_000
    };
    for (seed, text) in MIXES.iter().enumerate() {
        let script = Script::parse("mix", text).unwrap();
        let mix = script.mix.as_ref().unwrap();
        let generator = Aes128Ctr::new(seed as u128);
        let parts: Vec<u64> = mix.types().iter().map(|of| of.parts).collect();
        let shares: Vec<f64> = parts
            .iter()
            .map(|of| *of as f64 / mix.parts() as f64)
            .collect();
        let numbers = |shares| TypeNumbers::new(mix, deals, shares, &generator).unwrap();
        let mut order = numbers(Shares::Random).order(&generator);
        let mut counts = vec![0; parts.len()];
        for _ in 0..deals {
            counts[order.next_type().unwrap().unwrap()] += 1;
        }
        let p = p_value(&counts, &shares);
        assert!(p > 1e-6, "{p}: {counts:?} {text}");
        let numbers = numbers(Shares::Exact);
        let mut order = numbers.order(&generator);
        let mut counts = vec![0; parts.len()];
        // The first half has the shares by chance; the whole has them exactly.
        for place in 0..deals {
            if place == deals / 2 {
                let p = p_value(&counts, &shares);
                assert!(p > 1e-6, "{p}: {counts:?} {text}");
            }
            counts[order.next_type().unwrap().unwrap()] += 1;
        }
        assert_eq!(counts, numbers.most());
        assert_eq!(order.next_type().unwrap(), None);
    }
}

#[test]
fn a_mix_is_dealt_type_by_type() {
    let script = Script::parse("mix", MIXES[0]).unwrap();
    let error = script.population().unwrap_err();
    assert!(error.is_usage(), "{error}");
    let types = script.mix.as_ref().unwrap().types();
    for number in 0..types.len() {
        let script = Script::from(script.of_type(number).unwrap());
        for deal in script.population().unwrap().deals(1).unwrap().take(50) {
            let hands = deal.unwrap();
            let points = hands.hands()[0].hcp() + hands.hands()[2].hcp();
            let first = [points >= 25, points >= 23, true]
                .iter()
                .position(|holds| *holds);
            assert_eq!(first, Some(number));
        }
    }
}
