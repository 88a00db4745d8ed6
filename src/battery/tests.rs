//! Statistics the slow way: deal by deal, from the definitions.

use std::collections::BTreeMap;

use nalgebra::DMatrix;

use super::expected::{Expected, Whole};
use super::second_order::{self as pairs, Contrast};
use super::sessions::picked;
use super::table_law::Measured;
use super::{counts, drawn};
use crate::bridge::{Card, Deal, Hand, Rank, Seat, Suit};
use crate::defect::{Defect, Defective};
use crate::draw::{Aes128Ctr, Dealer, Packet, Path, Scratch, Seeded, Source};
use crate::language::Condition;
use crate::population::cases::{CaseBytes, CaseFile, Listing, Runs};
use crate::tally::{Batch, Depth, Session, Sessions, Survey, SurveyPlan, Surveying};
use crate::theory::{CaseLaw, Theory, null_laws};

/// Whole blocks of deals, one after the other, and their survey.
pub(crate) fn surveyed(
    plan: &SurveyPlan<'_>,
    source: &dyn Source,
    deals: u64,
) -> (Vec<Deal>, Survey) {
    let mut survey = plan.survey();
    let mut surveying = Surveying::new(plan, &survey.kept(), Path::chosen());
    let batch = Batch { number: 0, deals };
    let mut list = Vec::new();
    for portion in source.portions(0..deals).unwrap() {
        surveying.begin(batch, &portion);
        let mut sink = |packet: &Packet| {
            list.extend((0..packet.deals()).map(|i| packet.deal(i)));
            surveying.count(packet);
        };
        source
            .deal(&portion, &mut Scratch::default(), &mut sink)
            .unwrap();
        surveying.end();
    }
    survey.add(vec![surveying.finish()], plan);
    survey.settle();
    (list, survey)
}

pub(super) fn unconstrained(deals: u64) -> (Vec<Deal>, Survey) {
    let dealer = Dealer::<Vec<u8>>::unconstrained();
    let source = Seeded {
        dealer: &dealer,
        generator: &Aes128Ctr::new(21),
    };
    surveyed(&SurveyPlan::unconstrained(Depth::Full), &source, deals)
}

fn seat_of(deal: &Deal, card: Card) -> usize {
    let holds = |seat: &Seat| deal.hand(*seat).contains(card);
    Seat::ALL.iter().position(holds).unwrap()
}

fn near(measured: &Measured, expected: f64) {
    let scale = expected.abs().max(1.0);
    assert!(
        (measured.statistic - expected).abs() < 1e-9 * scale,
        "{} {expected}",
        measured.statistic
    );
}

#[test]
fn statistics_of_pairs_are_those_of_the_definitions() {
    let (deals, survey) = unconstrained(3_000);
    let n = deals.len() as f64;
    let tally = survey.tally();
    let seats: Vec<[usize; 52]> = deals
        .iter()
        .map(|deal| std::array::from_fn(|c| seat_of(deal, Card::all().nth(c).unwrap())))
        .collect();

    // T1: (51/52) sum of (O - N/4)^2 / (N/4).
    let mut held = [[0.0; 4]; 52];
    for seats in &seats {
        for (card, seat) in seats.iter().enumerate() {
            held[card][*seat] += 1.0;
        }
    }
    let t1: f64 = held
        .iter()
        .flatten()
        .map(|o: &f64| (o - n / 4.0).powi(2))
        .sum();
    let worst = pairs::worst_card(&tally, |_, _| 0.25);
    near(
        &pairs::card_seat(&tally, &worst),
        51.0 / 52.0 * t1 / (n / 4.0),
    );

    // T2a: pairs in one hand have p = 4/17, variance 156/833 along the module.
    let within = &survey.gram.as_ref().unwrap().within;
    let mut together = vec![vec![0.0; 52]; 52];
    for seats in &seats {
        for a in 0..52 {
            for b in 0..a {
                together[a][b] += f64::from(seats[a] == seats[b]);
            }
        }
    }
    let square = |o: f64| (o - n * 4.0 / 17.0).powi(2) / (n * 156.0 / 833.0);
    let t2a: f64 = (0..52)
        .flat_map(|a| (0..a).map(move |b| (a, b)))
        .map(|(a, b)| square(together[a][b]))
        .sum();
    let parts = pairs::within_deals(within);
    near(&parts[0], t2a);
    near(
        &parts[4],
        parts[..4].iter().map(|part| part.statistic).sum(),
    );

    // F = 52 + 2 (pairs of one suit in one hand): from lengths and from pairs.
    let of_suits: f64 = (0..52)
        .flat_map(|a| (0..a).map(move |b| (a, b)))
        .filter(|(a, b)| a / 13 == b / 13)
        .map(|(a, b)| together[a][b])
        .sum();
    let flatness: u64 = (0..)
        .zip(survey.spread.flatness())
        .map(|(half, count)| 2 * half * count)
        .sum();
    assert_eq!(flatness as f64, 52.0 * n + 2.0 * of_suits);
    let z = (flatness as f64 - n * 3380.0 / 17.0) / (n * 2_530_944.0 / 14_161.0).sqrt();
    near(&counts::flatness_mean(survey.spread.flatness(), 3_000), z);

    // T2z, by pairs of one rank.
    let same_rank = pairs::contrast(within, Contrast::SameRank);
    let of_rank: f64 = (0..52)
        .flat_map(|a| (0..a).map(move |b| (a, b)))
        .filter(|(a, b)| a % 13 == b % 13)
        .map(|(a, b)| together[a][b])
        .sum();
    // Every card has three of its rank: nothing but the constant is projected away,
    // 3/25 less 156/2550 = 78 * 2 / (51 * 50).
    let projected = |w: f64| w - 6.0 / 50.0 + 156.0 / 2_550.0;
    let squares = 78.0 * projected(1.0).powi(2) + (1_326.0 - 78.0) * projected(0.0).powi(2);
    let all: f64 = together.iter().flatten().sum();
    let sum = projected(1.0) * of_rank + projected(0.0) * (all - of_rank);
    near(&same_rank, sum / (n * 156.0 / 833.0 * squares).sqrt());
}

#[test]
fn statistics_between_deals_are_those_of_the_definitions() {
    let (deals, survey) = unconstrained(1_500);
    let gram = survey.gram.as_ref().unwrap();
    for (place, lag) in crate::tally::LAGS.into_iter().enumerate() {
        let pairs_of = || deals.iter().zip(&deals[lag..]);
        let n = (deals.len() - lag) as f64;
        let mut cards = [[0.0; 4]; 4];
        let mut points = [[0.0; 4]; 4];
        for (first, second) in pairs_of() {
            for s in Seat::ALL {
                for t in Seat::ALL {
                    let (one, other) = (first.hand(s), second.hand(t));
                    cards[s.index()][t.index()] += f64::from(one.intersection(other).len());
                    points[s.index()][t.index()] +=
                        (f64::from(one.hcp()) - 10.0) * (f64::from(other.hcp()) - 10.0);
                }
            }
        }
        let [table, trace] = pairs::overlap(&survey.overlaps, place);
        let q: f64 = cards
            .iter()
            .flatten()
            .map(|o: &f64| (o - 3.25 * n).powi(2))
            .sum();
        near(&table, q / (n * 169.0 / 51.0));
        let stayed: f64 = (0..4).map(|s| cards[s][s]).sum();
        near(&trace, (stayed - 13.0 * n) / (n * 169.0 / 17.0).sqrt());

        let (_, sums) = gram.lags.iter().find(|(of, _)| *of == lag).unwrap();
        let q: f64 = points.iter().flatten().map(|a: &f64| a * a).sum();
        let scale = n * (290.0 / 17.0 * 4.0 / 3.0f64).powi(2);
        near(&pairs::points_cross(sums), q / scale);
    }
    // T7 once, from the indicators: (52/51)^2 is the variance of a centred product.
    let (_, sums) = &gram.lags[0];
    let n = (deals.len() - 1) as f64;
    let sign = |deal: &Deal, card: Card| {
        let seat = seat_of(deal, card);
        let (v1, v2) = (
            1.0 - (seat >> 1) as f64 * 2.0,
            1.0 - (seat & 1) as f64 * 2.0,
        );
        [v1, v2, v1 * v2]
    };
    let signs: Vec<Vec<[f64; 3]>> = deals
        .iter()
        .map(|deal| Card::all().map(|card| sign(deal, card)).collect())
        .collect();
    let mut q = 0.0;
    for a in 0..52 {
        for b in 0..52 {
            for i in 0..3 {
                for j in 0..3 {
                    let products = signs
                        .iter()
                        .zip(&signs[1..])
                        .map(|(x, y)| x[a][i] * y[b][j]);
                    q += products.sum::<f64>().powi(2);
                }
            }
        }
    }
    near(&pairs::cross(sums), (51.0f64 / 52.0).powi(2) * q / n);
}

/// West has nine spades and twelve points.
pub(super) fn nine_spades() -> CaseFile<CaseBytes> {
    let condition = Condition::parse("test", "spades(west) == 9 && hcp(west) >= 12").unwrap();
    let listing = Listing::new(&condition, None).unwrap();
    let census = crate::population::cases::census(&condition, &listing).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.cases");
    crate::population::cases::write(&condition, &listing, census, &path, &|_| ()).unwrap();
    crate::population::cases::read(&path).unwrap()
}

#[test]
fn statistics_of_draws_are_those_of_the_definitions() {
    let file = nine_spades();
    let runs = Runs::new(&file);
    let dealer = Dealer::of_cases(&file, 4_000).unwrap();
    let source = Seeded {
        dealer: &dealer,
        generator: &Aes128Ctr::new(5),
    };
    let plan = SurveyPlan::of_cases(Depth::Full, runs);
    let (deals, survey) = surveyed(&plan, &source, 4_000);
    assert_eq!(survey.cases.foreign(), 0);
    let tally = survey.tally();

    // Every case by itself, found again by searching for the deal.
    let mut of_cases = vec![0u64; runs.count()];
    for deal in &deals {
        of_cases[runs.case_of(deal).unwrap() as usize] += 1;
    }
    assert_eq!(survey.cases.runs(), of_cases);
    // 4.2d from the counts: of cases whose weight no other has, there are none.
    let mut groups: BTreeMap<u128, Vec<u64>> = BTreeMap::new();
    for (case, count) in (0..).zip(&of_cases) {
        groups.entry(runs.weight_of(case)).or_default().push(*count);
    }
    groups.retain(|_, counts| counts.len() > 1);
    let pairs = |n: u64| u128::from(n * n.saturating_sub(1) / 2);
    let found = survey.cases.coincidences();
    let same = groups.values().flatten().map(|n| pairs(*n)).sum::<u128>();
    assert_eq!(found.same, same);
    let of_groups = groups.values().map(|counts| pairs(counts.iter().sum()));
    assert!(of_groups.eq(found.groups.iter().map(|group| group.pairs)));
    let weights = groups
        .iter()
        .map(|(weight, counts)| (*weight, counts.len() as u64));
    assert!(weights.eq(runs.equal_weights().groups().iter().copied()));
    let law = CaseLaw::of(&runs);
    assert_eq!(law.runs.iter().sum::<u128>(), file.total());
    assert_eq!(law.classes.iter().sum::<u128>(), file.total());

    // 4.4 from the deals: spots, because west is listed by honours too.
    let pool = runs.exchangeable();
    assert_eq!(pool, Hand::SPOTS);
    for suit in Suit::ALL {
        let cards: Vec<Card> = Card::all()
            .filter(|c| c.suit() == suit && !c.rank().is_honour())
            .collect();
        let (mut a, mut o) = (DMatrix::zeros(4, 4), DMatrix::zeros(4, 9));
        for deal in &deals {
            let seats: Vec<usize> = cards.iter().map(|card| seat_of(deal, *card)).collect();
            let share: Vec<f64> = (0..4)
                .map(|s| seats.iter().filter(|seat| **seat == s).count() as f64 / 9.0)
                .collect();
            for s in 0..4 {
                a[(s, s)] += share[s];
                for t in 0..4 {
                    a[(s, t)] -= share[s] * share[t];
                }
                for c in 0..9 {
                    o[(s, c)] += f64::from(seats[c] == s) - share[s];
                }
            }
        }
        let (sum, rank) = crate::stats::quadratic(a, &o);
        let filling = drawn::filling(&tally, &survey.filling, pool, suit).unwrap();
        near(&filling, 8.0 / 9.0 * sum);
        assert_eq!(filling.dof, Some(8.0 * rank as f64));
    }

    // 4.5 from the deals, for each two of the three seats that are alike.
    let within = &survey.gram.as_ref().unwrap().within;
    for seats in [
        [Seat::North, Seat::East],
        [Seat::North, Seat::South],
        [Seat::East, Seat::South],
    ] {
        let (mut v, mut d) = (DMatrix::zeros(52, 52), DMatrix::zeros(52, 1));
        for deal in &deals {
            let z: Vec<f64> = Card::all()
                .map(
                    |card| match seats.map(|seat| deal.hand(seat).contains(card)) {
                        [true, _] => 1.0,
                        [_, true] => -1.0,
                        _ => 0.0,
                    },
                )
                .collect();
            for a in 0..52 {
                d[(a, 0)] += z[a];
                for b in 0..52 {
                    let both = (z[a] * z[b]).abs();
                    v[(a, b)] += if a == b { both } else { -both / 25.0 };
                }
            }
        }
        let (sum, rank) = crate::stats::quadratic(v, &d);
        let interchange = drawn::interchange(within, seats).unwrap();
        near(&interchange, sum);
        assert_eq!((interchange.dof, rank), (Some(51.0), 51));
    }
}

/// D^-1/2 V D^-1/2 / 4 of the four seats' pooled counts: how much more they vary than
/// if hands were independent, direction by direction.
fn inflation(pooled: &counts::Pooled, p: &[f64]) -> Vec<f64> {
    let v = pooled.covariance();
    let scaled = DMatrix::from_fn(p.len(), p.len(), |i, j| {
        v[(i, j)] / 4.0 / (p[i] * p[j]).sqrt()
    });
    let mut values: Vec<f64> = scaled.symmetric_eigenvalues().iter().copied().collect();
    values.sort_by(f64::total_cmp);
    values
}

#[test]
fn pooling_four_hands_as_if_independent_is_off_by_a_third() {
    let (theory, laws) = (Theory::unconstrained(), null_laws());
    let shapes = theory.shapes(Seat::North);
    let p: Vec<f64> = (0..39).map(|i| shapes.probability(i).to_f64()).collect();
    let values = inflation(&counts::Pooled::new(&shapes, &laws.joint_shapes), &p);
    // The sum of all is fixed; wild against flat varies by 25/19 more, the rest hardly.
    assert!(values[0].abs() < 1e-9);
    assert!((values[38] - 25.0 / 19.0).abs() < 1e-9, "{values:?}");
    assert!(values[1] > 0.905 && values[37] < 1.027, "{values:?}");

    // What a naive test at each level really rejects in that direction.
    for (level, z, really) in [
        (1e-6, 4.891_638, 2.0e-5),
        (1e-3, 3.290_527, 4.1e-3),
        (0.05, 1.959_964, 0.088),
    ] {
        let log10_p = crate::stats::normal_upper_log10(z / (25.0f64 / 19.0).sqrt());
        let alpha = 2.0 * 10f64.powf(log10_p);
        assert!((alpha / really - 1.0).abs() < 0.03, "{level}: {alpha}");
    }

    // Points: both their number and their sum are fixed.
    let hcp = theory.hcp(Seat::North);
    let p: Vec<f64> = (0..38).map(|i| hcp.probability(i).to_f64()).collect();
    let values = inflation(&counts::Pooled::new(hcp, &laws.joint_hcp), &p);
    assert!(
        values[0].abs() < 1e-9 && values[1].abs() < 1e-9 && values[2] > 0.1,
        "{values:?}"
    );
    assert!((values[37] - 1.306).abs() < 1e-3, "{values:?}");
}

#[test]
fn pooled_counts_that_lean_to_the_wild_are_weighed_by_their_true_variance() {
    let (theory, laws) = (Theory::unconstrained(), null_laws());
    let shapes = theory.shapes(Seat::North);
    let pooled = counts::Pooled::new(&shapes, &laws.joint_shapes);
    let p: Vec<f64> = (0..39).map(|i| shapes.probability(i).to_f64()).collect();
    let v = pooled.covariance();
    let scaled = DMatrix::from_fn(39, 39, |i, j| v[(i, j)] / 4.0 / (p[i] * p[j]).sqrt());
    let eigen = scaled.symmetric_eigen();
    let wildest = eigen.eigenvalues.imax();
    let deals = 1u64 << 40;
    let n = deals as f64;
    // So many counts that rounding them is nothing.
    let lean = |i: usize| 10.0 * eigen.eigenvectors[(i, wildest)] * (4.0 * n * p[i]).sqrt();
    let counts: Vec<u64> = (0..39)
        .map(|i| (4.0 * n * p[i] + lean(i)).round().max(0.0) as u64)
        .collect();
    let naive: f64 = (0..39)
        .map(|i| (counts[i] as f64 - 4.0 * n * p[i]).powi(2) / (4.0 * n * p[i]))
        .sum();
    let measured = pooled.measure(&counts, deals, false).unwrap();
    assert!(
        (measured.statistic / naive - 19.0 / 25.0).abs() < 0.02,
        "{measured:?} {naive}"
    );
}

#[test]
fn ranks_of_the_signs_are_those_of_the_deck() {
    // The statistics above count cards as 13 suit + rank, aces first.
    let ace = Card::all().next().unwrap();
    assert_eq!(
        (ace.suit(), ace.rank()),
        (Suit::Spades, Rank::all().next().unwrap())
    );
}

/// log10 of the e-values of F and of voids in these deals, by sessions of 36 boards.
fn session_evidence(whole: &Whole, deals: &[Deal]) -> [f64; 2] {
    let mut sessions = Sessions::default();
    for session in deals.chunks_exact(36) {
        sessions.add(Session::of(session));
    }
    let flatness = picked(&sessions, &whole.few.half_flatness, |s| s.flatness / 2);
    let voids = picked(&sessions, &whole.few.voids, |s| s.voids.into());
    [flatness, voids].map(|measured| measured.unwrap().log10_e.unwrap())
}

fn whole() -> Whole {
    let expected = Expected::every_deal();
    expected.whole.unwrap()
}

#[test]
fn the_wildest_of_three_sessions_is_seen_after_some_fifty() {
    let defect = Defect::named("wildest-of-3-sessions").unwrap();
    let (plan, whole) = (SurveyPlan::unconstrained(Depth::Tables), whole());
    // A session is worth 0.188 decimal digits: 51 of them 9.6, less one for the ten ways
    // to pick that are tried.
    let evidence = |seed| {
        let source = Defective::<Vec<u8>>::new(defect, seed, None).unwrap();
        let (deals, _) = surveyed(&plan, &source, 36 * 51);
        session_evidence(&whole, &deals)[0]
    };
    let mut evidence: Vec<f64> = (0..15).map(evidence).collect();
    evidence.sort_by(f64::total_cmp);
    assert!(evidence[3] >= 6.0, "{evidence:?}");
}

#[test]
fn perfect_sessions_are_not_picked() {
    let (deals, _) = unconstrained(36 * 400);
    let whole = whole();
    for sessions in deals.chunks(36 * 40) {
        let evidence = session_evidence(&whole, sessions);
        assert!(
            evidence.iter().all(|log10_e| *log10_e < 2.0),
            "{evidence:?}"
        );
    }
}
