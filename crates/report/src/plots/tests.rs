//! Tests of plots of usual and of hostile data.

use super::palette::{
    ALARM, AXIS, BAND, BAND_INSIDE, DIVERGING, EXPECTED, GRID, INK, OBSERVED, PAPER, RgbColour,
    TREND,
};
use super::svg::hex;
use super::*;
use crate::stats::elementary::{exp, powf};
use std::collections::BTreeMap;

const CSS: &str = include_str!("../page/plots.css");

/// All colours except the diverging ones, with the names of their variables.
const NAMED: [(&str, RgbColour); 10] = [
    ("ink", INK),
    ("paper", PAPER),
    ("axis", AXIS),
    ("grid", GRID),
    ("observed", OBSERVED),
    ("expected", EXPECTED),
    ("trend", TREND),
    ("alarm", ALARM),
    ("band", BAND),
    ("band-inside", BAND_INSIDE),
];

/// Pseudorandom numbers that are the same in every run.
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// An approximately standard normal number.
fn normal(noise: &mut impl FnMut() -> f64) -> f64 {
    (0..12).map(|_| noise()).sum::<f64>() - 6.0
}

fn outcome(name: &str, observed: u64, expected: Option<f64>) -> BarOutcome {
    BarOutcome {
        name: name.to_owned(),
        observed,
        expected,
    }
}

fn bars_of(outcomes: Vec<BarOutcome>, outcome: &str, scale: AxisScale) -> Bars {
    Bars {
        outcomes,
        outcome: outcome.to_owned(),
        counted: "deals".to_owned(),
        scale,
    }
}

/// HCP 0 to 37 of a million hands, roughly.
fn points(scale: AxisScale) -> Bars {
    let mut noise = noise(1);
    let share = |hcp: f64| exp(-(hcp - 10.0) * (hcp - 10.0) / 34.0 - hcp / 40.0) * 0.12;
    let outcomes = (0..38).map(|hcp| {
        let expected = 1e6 * share(f64::from(hcp));
        let observed = expected + normal(&mut noise) * expected.sqrt();
        outcome(
            &hcp.to_string(),
            observed.max(0.0).round() as u64,
            Some(expected),
        )
    });
    bars_of(outcomes.collect(), "HCP", scale)
}

fn lengths(expected: bool) -> Bars {
    let ways = [
        127, 801, 2_059, 2_863, 2_386, 1_247, 416, 88, 12, 1, 0, 0, 0, 0,
    ];
    let outcomes = ways.iter().enumerate().map(|(length, &ways)| {
        outcome(
            &length.to_string(),
            ways * 97 + 31,
            expected.then_some(ways as f64 * 97.3),
        )
    });
    bars_of(outcomes.collect(), "spades", AxisScale::Linear)
}

/// Counts from 1 to the largest possible.
fn sizes() -> Bars {
    let outcomes = (0..16).map(|power| {
        let observed = 10u64.pow(power);
        outcome(&power.to_string(), observed, Some(observed as f64 / 3.0))
    });
    bars_of(outcomes.collect(), "power", AxisScale::Log)
}

/// The 39 shapes, with decreasing counts.
fn shapes() -> Bars {
    let mut outcomes = Vec::new();
    for first in (4..=13usize).rev() {
        for second in (0..=first.min(13 - first)).rev() {
            for third in (0..=second.min(13 - first - second)).rev() {
                let fourth = 13 - first - second - third;
                if fourth <= third {
                    let expected = 2e6 * exp(-1.9 * (first as f64 - 4.0) - fourth as f64 * 0.1);
                    let name = format!("{first}-{second}-{third}-{fourth}");
                    outcomes.push(outcome(&name, expected as u64, Some(expected * 1.02)));
                }
            }
        }
    }
    outcomes.reverse();
    assert_eq!(outcomes.len(), 39);
    bars_of(outcomes, "north's shape", AxisScale::Log)
}

/// A line by its points.
type Edge = Vec<(f64, f64)>;

/// A band that is wider at small expected counts: its lower and upper edges.
fn band(height: f64) -> (Edge, Edge) {
    let edge = |sign: f64| {
        let decades = (-10..=24).map(f64::from);
        decades
            .map(|quarter| powf(10.0, quarter / 4.0))
            .map(|expected| (expected, sign * height * (1.0 + 0.8 / (1.0 + expected))))
            .collect()
    };
    (edge(-1.0), edge(1.0))
}

/// A number of counts, the first of them with the deviations `off`.
fn deviations(count: usize, off: &[f64]) -> Funnel {
    let mut noise = noise(2);
    let mut points: Vec<Deviation> = (0..count)
        .map(|place| Deviation {
            expected: powf(10.0, noise() * 7.5 - 2.0),
            z: normal(&mut noise),
            name: format!("5=3=3={place}"),
            is_outside: false,
        })
        .collect();
    for (place, &z) in off.iter().enumerate() {
        points[place].z = z;
        points[place].expected = powf(10.0, 1.0 + place as f64 * 0.6);
        points[place].name = format!("north 4=3=3={place}");
    }
    for point in &mut points {
        point.is_outside = point.z.abs() > 4.2 * (1.0 + 0.8 / (1.0 + point.expected));
    }
    let (lower, upper) = band(4.2);
    Funnel {
        points,
        lower,
        upper,
    }
}

fn cards(shift: f64) -> Vec<HeatTable> {
    let mut noise = noise(3);
    let ranks = "AKQJT98765432".chars().map(String::from);
    let mut block = |seat: &str| HeatTable {
        title: seat.to_owned(),
        rows: ["♠", "♥", "♦", "♣"].map(String::from).to_vec(),
        columns: ranks.clone().collect(),
        z: (0..4)
            .map(|suit| {
                (0..13)
                    .map(|rank| {
                        Some(normal(&mut noise) + if (suit + rank) % 7 == 0 { shift } else { 0.0 })
                    })
                    .collect()
            })
            .collect(),
    };
    ["north", "east", "south", "west"].map(&mut block).to_vec()
}

fn looks(slope: f64) -> Vec<(u64, Option<f64>)> {
    let s = |power: u32| slope * f64::from(power - 14).powi(2) - 0.8 + f64::from(power % 3) * 0.2;
    let look = |power: u32| (1 << power, (power != 17).then(|| s(power)));
    (14..31).map(look).collect()
}

fn latencies(last: f64) -> Vec<(f64, f64)> {
    (0..60)
        .map(|step| {
            let percentile = 100.0 * (1.0 - powf(0.5, f64::from(step) / 3.0));
            (
                percentile,
                20.0 + (last - 20.0) * (f64::from(step) / 60.0).powi(6),
            )
        })
        .chain([(100.0, last)])
        .collect()
}

fn paces(seconds: f64, pace: f64) -> Vec<(f64, f64)> {
    let mut noise = noise(4);
    (0..200)
        .map(|step| {
            (
                seconds * f64::from(step) / 199.0,
                pace * (0.95 + 0.05 * noise()),
            )
        })
        .collect()
}

fn p_values() -> Vec<u64> {
    let mut noise = noise(5);
    let bins = (0..20).map(|_| (30.0 + 5.0 * normal(&mut noise)) as u64);
    bins.collect()
}

/// Ratios of outcomes with these deviations, half-widths and names.
fn ratios_of(outcomes: &[(f64, f64, &str)]) -> Ratios {
    let each = outcomes
        .iter()
        .map(|&(deviation, half, name)| DeviationRatio {
            name: name.to_owned(),
            deviation,
            low: deviation - half,
            high: deviation + half,
        });
    let outcomes: Vec<DeviationRatio> = each.collect();
    Ratios {
        half_range: half_range(&outcomes),
        outcomes,
        outcome: "shape".to_owned(),
    }
}

/// Ratios of the 39 shapes: the rarer, the wider the bars.
fn shape_ratios(flaw: f64) -> Ratios {
    let mut noise = noise(6);
    let shapes = shapes().outcomes;
    let each = shapes.iter().enumerate().map(|(place, outcome)| {
        let half = 4.5 / outcome.observed.max(10) as f64;
        let half = half.sqrt() * 2.1;
        let deviation = normal(&mut noise) * half / 4.5 + if place == 1 { flaw } else { 0.0 };
        (deviation, half, outcome.name.as_str())
    });
    ratios_of(&each.collect::<Vec<_>>())
}

/// Every kind of plot with its name.
fn all() -> Vec<(&'static str, String)> {
    vec![
        ("HCP", bars(&points(AxisScale::Linear))),
        ("HCP, logarithmic", bars(&points(AxisScale::Log))),
        ("Counts of any size", bars(&sizes())),
        ("Lengths", bars(&lengths(true))),
        ("Lengths without a law", bars(&lengths(false))),
        ("Shapes", bars(&shapes())),
        ("Ratios", ratios(&shape_ratios(0.05))),
        (
            "Ratios of numbers",
            ratios(&ratios_of(&[
                (0.02, 0.05, "0"),
                (-0.004, 0.01, "1"),
                (0.05, 0.01, "2"),
                (-0.3, 0.1, "3"),
                (0.4, 0.1, "13"),
            ])),
        ),
        (
            "Ratios of a small sample",
            ratios(&ratios_of(&[(0.4, 0.6, "4-4-3-2"), (-0.2, 0.9, "5-3-3-2")])),
        ),
        ("Funnel", funnel(&deviations(2_240, &[]))),
        (
            "Funnel with points outside",
            funnel(&deviations(
                2_240,
                &[6.1, 5.9, -7.4, 5.2, -300.0, 6.0, f64::INFINITY],
            )),
        ),
        ("p-values", histogram(&p_values())),
        ("Evidence of good deals", evidence(&looks(-0.002))),
        ("Evidence of bad deals", evidence(&looks(0.1))),
        ("Evidence of very bad deals", evidence(&looks(3.0))),
        ("Latency", percentiles(&latencies(60.0))),
        (
            "Latency with a long tail",
            percentiles(&latencies(90_000.0)),
        ),
        ("Pace", pace(&paces(42.0, 1.83e8))),
        ("Pace of an hour", pace(&paces(4_000.0, 9_200.0))),
        ("Cards", heat_map(&cards(0.0))),
        ("Cards of a defect", heat_map(&cards(4.0))),
    ]
}

/// Parses a plot as XML, and checks that all coordinates are numbers and no element has an id.
fn check(name: &str, svg: &str) {
    let read = roxmltree::Document::parse(svg);
    let document = read.unwrap_or_else(|error| panic!("{name}: {error}\n{svg}"));
    assert_eq!(document.root_element().tag_name().name(), "svg");
    let (width, height) = size(&document);
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        for attribute in node.attributes() {
            let value = attribute.value();
            assert!(
                !value.contains("NaN") && !value.contains("inf"),
                "{name}: {value}"
            );
            assert_ne!(attribute.name(), "id", "{name}");
        }
        if node.tag_name().name() == "text" {
            let number = |name| node.attribute(name).and_then(|value| value.parse().ok());
            let (x, y): (Option<f64>, Option<f64>) = (number("x"), number("y"));
            assert!(
                x.is_some_and(|x| (0.0..=width).contains(&x)),
                "{name}: {node:?}"
            );
            assert!(
                y.is_some_and(|y| (0.0..=height).contains(&y)),
                "{name}: {node:?}"
            );
        }
    }
}

fn size(document: &roxmltree::Document<'_>) -> (f64, f64) {
    let view = document.root_element().attribute("viewBox").unwrap_or("");
    let sides: Vec<f64> = view
        .split(' ')
        .filter_map(|side| side.parse().ok())
        .collect();
    (sides[2], sides[3])
}

fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
    texts
        .map(|node| node.text().unwrap_or("").to_owned())
        .collect()
}

#[test]
fn every_plot_is_xml_of_finite_numbers_with_texts_inside() {
    for (name, svg) in all() {
        check(name, &svg);
    }
}

/// The space of a text at its largest width: left, right, top, bottom, in units.
fn space_of(text: roxmltree::Node<'_, '_>) -> [f64; 4] {
    let number = |name| text.attribute(name).unwrap().parse::<f64>().unwrap() / 10.0;
    let width = f64::from(svg::text_width(text.text().unwrap_or("")));
    let left = match text.attribute("text-anchor") {
        Some("middle") => number("x") - width / 2.0,
        Some("end") => number("x") - width,
        _ => number("x"),
    };
    [left, left + width, number("y") - 9.0, number("y") + 2.0]
}

#[test]
fn no_text_touches_another_or_leaves_its_plot() {
    for (name, svg) in all() {
        let document = roxmltree::Document::parse(&svg).unwrap();
        let (width, height) = size(&document);
        let texts: Vec<_> = document
            .descendants()
            .filter(|node| node.tag_name().name() == "text")
            .map(|node| (space_of(node), node.text().unwrap_or("")))
            .collect();
        for (place, ([left, right, top, bottom], text)) in texts.iter().enumerate() {
            let is_inside = *left >= -2.0 && *right <= width / 10.0 + 2.0;
            assert!(
                is_inside && *top >= -1.0 && *bottom <= height / 10.0,
                "{name}: {text}"
            );
            for (other, beside) in &texts[..place] {
                let is_apart = *left >= other[1] || other[0] >= *right;
                assert!(
                    is_apart || *top >= other[3] || other[2] >= *bottom,
                    "{name}: {text}, {beside}"
                );
            }
        }
    }
}

#[test]
fn plots_stay_small() {
    for (name, svg) in all() {
        let most = if name.starts_with("Funnel") {
            45_000
        } else {
            16_000
        };
        assert!(svg.len() < most, "{name}: {} bytes", svg.len());
    }
}

#[test]
fn no_data_make_a_plot_fail() {
    let wild = [
        0.0,
        -1.0,
        1.0,
        1e15,
        1e300,
        -1e300,
        5e-324,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    let pairs = || wild.iter().flat_map(|&x| wild.iter().map(move |&y| (x, y)));
    for scale in [AxisScale::Linear, AxisScale::Log] {
        check("no bars", &bars(&bars_of(Vec::new(), "", scale)));
        check(
            "one bar",
            &bars(&bars_of(
                vec![outcome("1", 1_000_000_000_000_000, None)],
                "HCP",
                scale,
            )),
        );
        check(
            "one row",
            &bars(&bars_of(
                vec![outcome("4-3-3-3", 0, Some(0.0))],
                "shape",
                scale,
            )),
        );
        for names in ["", "long names "] {
            for counts in [[0, 0], [1, u64::MAX], [0, 1_000_000_000_000_000]] {
                let all = wild.iter().enumerate().map(|(place, &expected)| {
                    outcome(
                        &format!("{names}{place}"),
                        counts[place % 2],
                        Some(expected),
                    )
                });
                check("wild bars", &bars(&bars_of(all.collect(), "HCP", scale)));
            }
        }
    }
    check("no ratios", &ratios(&ratios_of(&[])));
    for names in ["12", "long names"] {
        let each: Vec<(f64, f64, &str)> = pairs().map(|(x, y)| (x, y, names)).collect();
        check("wild ratios", &ratios(&ratios_of(&each)));
    }
    for bins in [vec![], vec![0; 20], vec![u64::MAX; 2], vec![1; 1_000]] {
        check("p-values", &histogram(&bins));
    }
    for count in [0, 1, wild.len() * wild.len()] {
        let some: Vec<(f64, f64)> = pairs().take(count).collect();
        check("latency", &percentiles(&some));
        check("pace", &pace(&some));
        let points = some.iter().map(|&(expected, z)| Deviation {
            expected,
            z,
            name: "a".repeat(300),
            is_outside: z.abs() > 4.0,
        });
        let points: Vec<Deviation> = points.collect();
        for (lower, upper) in [(vec![], vec![]), band(4.0), (some.clone(), some.clone())] {
            check(
                "funnel",
                &funnel(&Funnel {
                    points: points.clone(),
                    lower,
                    upper,
                }),
            );
        }
    }
    for &s in &wild {
        for deals in [0, 1, u64::MAX] {
            check("one look", &evidence(&[(deals, Some(s))]));
        }
        let map = HeatTable {
            title: String::new(),
            rows: vec![],
            columns: vec![],
            z: vec![vec![Some(s)], vec![], vec![None; 3]],
        };
        check("uneven map", &heat_map(&[map]));
    }
    check("no looks", &evidence(&[]));
    check("looks without evidence", &evidence(&[(5, None)]));
    check("no map", &heat_map(&[]));
}

#[test]
fn names_may_hold_anything() {
    for name in [
        "a<b",
        "x&y",
        "]]>",
        "\"'",
        "\u{0}\u{8}\n",
        "\u{fffe}",
        "♠♥♦♣ é 牌 𝔸",
    ] {
        let svg = bars(&bars_of(
            vec![outcome(name, 3, Some(2.0))],
            name,
            AxisScale::Linear,
        ));
        check(name, &svg);
        let is_kept = texts(&svg).iter().any(|text| text == name);
        assert!(
            is_kept || name.chars().any(char::is_control) || name == "\u{fffe}",
            "{svg}"
        );
        let points = vec![Deviation {
            expected: 10.0,
            z: 99.0,
            name: name.to_owned(),
            is_outside: true,
        }];
        let (lower, upper) = band(4.0);
        check(
            name,
            &funnel(&Funnel {
                points,
                lower,
                upper,
            }),
        );
    }
}

#[test]
fn a_funnel_names_the_five_farthest_points_outside_and_marks_what_is_beyond_its_edge() {
    let off = [6.1, 5.9, -7.4, 5.2, -300.0, 6.0, f64::INFINITY];
    let named = |funnel: &Funnel| -> Vec<String> {
        let texts = texts(&super::funnel(funnel)).into_iter();
        texts.filter(|text| text.starts_with("north")).collect()
    };
    let texts = named(&deviations(300, &off));
    assert_eq!(
        texts,
        [
            "north 4=3=3=6 +∞",
            "north 4=3=3=4 \u{2212}300.0",
            "north 4=3=3=2 \u{2212}7.4",
            "north 4=3=3=0 +6.1",
            "north 4=3=3=5 +6.0"
        ]
    );
    assert!(named(&deviations(300, &[1.0, -2.0])).is_empty());
    let alarms = |funnel: &Funnel| super::funnel(funnel).matches("#c2410d").count();
    // If no point is outside, only the key has the colour.
    assert_eq!(alarms(&deviations(300, &[1.0])), 1);
    assert!(alarms(&deviations(300, &off)) > 1);
}

#[test]
fn looks_without_evidence_are_skipped_and_the_last_has_its_value() {
    let mut looks = looks(0.1);
    let plot = evidence(&looks);
    looks.retain(|(_, s)| s.is_some());
    assert_eq!(evidence(&looks), plot);
    let texts = texts(&plot);
    for text in ["SUSPICIOUS", "VERY SUSPICIOUS", "FAIL", "S = 24.8"] {
        assert!(
            texts.iter().any(|written| written == text),
            "{text}: {texts:?}"
        );
    }
}

/// The places of a plot's diamonds, in units: x and y.
fn diamonds(svg: &str) -> Vec<(f64, f64)> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let alarms = document
        .descendants()
        .filter(|node| node.attribute("fill") == Some("#c2410d"));
    let paths = alarms.filter_map(|node| node.attribute("d"));
    let corners = paths.flat_map(|path| path.split('M').skip(1));
    // The first corner is the top, 4.5 units above the middle.
    let numbers = corners.map(|corner| {
        let end = corner.find(|c: char| c.is_ascii_alphabetic()).unwrap();
        let (x, y) = corner[..end].split_once(' ').unwrap();
        (x.parse::<f64>().unwrap(), y.parse::<f64>().unwrap() + 45.0)
    });
    numbers.map(|(x, y)| (x / 10.0, y / 10.0)).collect()
}

/// The place of the line of the expectation, in units: x and y of its first end.
fn line_of_expectation(svg: &str) -> (f64, f64) {
    let document = roxmltree::Document::parse(svg).unwrap();
    let line = document
        .descendants()
        .find(|node| node.attribute("stroke") == Some("#161718"))
        .unwrap();
    let path = line.attribute("d").unwrap().trim_start_matches('M');
    let end = path.find(|c: char| c.is_ascii_alphabetic()).unwrap();
    let (x, y) = path[..end].split_once(' ').unwrap();
    (
        x.parse::<f64>().unwrap() / 10.0,
        y.parse::<f64>().unwrap() / 10.0,
    )
}

#[test]
fn a_flaw_of_5_percent_is_far_from_the_line_whatever_is_beside_it() {
    let flaw = (0.05, 0.012, "4-4-3-2");
    let beside: [&[(f64, f64, &str)]; 4] = [
        &[],
        &[(0.001, 0.003, "5-3-3-2")],
        &[(0.8, 0.01, "5-4-2-2"), (-1.0, 0.02, "13-0-0-0")],
        &[(0.3, 1.5, "8-5-0-0"), (0.0, 0.09, "7-6-0-0")],
    ];
    for others in beside {
        let outcomes = [&[flaw], others].concat();
        let svg = ratios(&ratios_of(&outcomes));
        let line = line_of_expectation(&svg).0;
        // The key has a diamond too, in the row of the titles; the first row is the flaw's.
        let seen = diamonds(&svg).into_iter().filter(|(_, y)| *y > 20.0);
        let first = seen.min_by(|one, other| one.1.total_cmp(&other.1)).unwrap();
        assert!(first.0 - line > 50.0, "{} from {line}: {others:?}", first.0);
    }
    // Columns, with numbers as names.
    let svg = ratios(&ratios_of(&[(0.05, 0.012, "12"), (0.0, 0.05, "13")]));
    let line = line_of_expectation(&svg).1;
    let seen = diamonds(&svg).into_iter().filter(|(_, y)| *y > 20.0);
    let first = seen.min_by(|one, other| one.1.total_cmp(&other.1)).unwrap();
    assert!(line - first.1 > 30.0, "{} from {line}", first.1);
}

#[test]
fn a_ratio_beyond_the_axis_is_an_arrowhead_in_the_colour_of_its_bar() {
    let inside = ratios(&ratios_of(&[(0.05, 0.08, "5-3-3-2")]));
    let key = inside.matches("#c2410d").count();
    assert_eq!(key, 1);
    let outside = ratios(&ratios_of(&[(0.7, 0.08, "5-3-3-2")]));
    assert!(outside.matches("#c2410d").count() > key, "{outside}");
}

#[test]
fn strong_cells_have_a_sign_besides_their_colour() {
    let map = |z: Option<f64>| {
        heat_map(&[HeatTable {
            title: String::new(),
            rows: vec![],
            columns: vec![],
            z: vec![vec![z]],
        }])
    };
    // The legend has two of each sign; PAPER is the colour of signs.
    let strokes = |svg: &str| {
        let document = roxmltree::Document::parse(svg).unwrap();
        let signs = document
            .descendants()
            .filter(|node| node.attribute("stroke") == Some("#fefefe"));
        let paths = signs.filter_map(|node| node.attribute("d"));
        paths.map(|path| path.matches('M').count()).sum::<usize>()
    };
    let legend = strokes(&map(Some(0.0)));
    assert_eq!(legend, 6);
    assert_eq!(strokes(&map(Some(2.9))), legend);
    assert_eq!(strokes(&map(Some(3.0))), legend + 2);
    assert_eq!(strokes(&map(Some(-3.0))), legend + 1);
    assert_eq!(strokes(&map(None)), legend);
}

/// The variables of a scheme. The dark scheme overrides those of the light one.
fn variables(dark: bool) -> BTreeMap<String, [f64; 3]> {
    let (light, rest) = CSS.split_once("@media screen").unwrap();
    let over = rest.split_once("@media print").unwrap().0;
    let texts = if dark { vec![light, over] } else { vec![light] };
    let declared = texts
        .into_iter()
        .flat_map(|text| text.split([';', '{', '}']));
    let pairs = declared.filter_map(|pair| pair.trim().strip_prefix("--")?.split_once(": #"));
    pairs
        .map(|(name, digits)| {
            let part =
                |from: usize| f64::from(u8::from_str_radix(&digits[from..from + 2], 16).unwrap());
            (name.to_owned(), [part(0), part(2), part(4)])
        })
        .collect()
}

/// The contrast of two colours by WCAG, 1 to 21.
fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let luminance = |colour: [f64; 3]| {
        let linear = colour.map(|part| {
            let part = part / 255.0;
            if part <= 0.04045 {
                part / 12.92
            } else {
                powf((part + 0.055) / 1.055, 2.4)
            }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The variables of the diverging classes, from far too few to far too many.
const CLASSES: [&str; 9] = [
    "less-4", "less-3", "less-2", "less-1", "level", "more-1", "more-2", "more-3", "more-4",
];

#[test]
fn the_style_sheet_replaces_every_colour_that_plots_have() {
    let light = variables(false);
    let diverging = CLASSES.into_iter().zip(DIVERGING);
    for (name, colour) in NAMED.into_iter().chain(diverging) {
        let RgbColour(red, green, blue) = colour;
        assert_eq!(light[name], [red, green, blue].map(f64::from), "{name}");
        let hex = hex(colour);
        for rule in ["fill", "stroke"] {
            let rule = format!("svg [{rule}=\"{hex}\"] {{ {rule}: var(--{name}); }}");
            assert!(CSS.contains(&rule), "{rule}");
        }
    }
    let known: Vec<String> = NAMED
        .iter()
        .map(|(_, colour)| *colour)
        .chain(DIVERGING)
        .map(hex)
        .collect();
    for (name, svg) in all() {
        let colours = svg
            .split("\"#")
            .skip(1)
            .map(|rest| format!("#{}", &rest[..6]));
        for colour in colours {
            assert!(known.contains(&colour), "{name}: {colour}");
        }
    }
}

#[test]
fn colours_stand_out_from_the_paper_in_light_and_in_dark() {
    for dark in [false, true] {
        let colours = variables(dark);
        let on_paper = |name: &str| contrast(colours[name], colours["paper"]);
        assert!(on_paper("ink") >= 4.5);
        for name in [
            "axis", "observed", "expected", "trend", "alarm", "band", "less-3", "less-4", "more-3",
            "more-4",
        ] {
            assert!(
                on_paper(name) >= 3.0,
                "{name} {}: {:.2}",
                if dark { "dark" } else { "light" },
                on_paper(name)
            );
        }
        // Marks cross bars, and points are on the inside of a band.
        assert!(contrast(colours["expected"], colours["observed"]) >= 3.0);
        for name in ["observed", "alarm", "band", "axis"] {
            let seen = contrast(colours[name], colours["band-inside"]);
            assert!(seen >= 2.7, "{name} on the band: {seen:.2}");
        }
        // Outwards from the middle, contrast grows visibly with every class.
        for outwards in [[4, 3, 2, 1, 0], [4, 5, 6, 7, 8]] {
            for pair in outwards.windows(2) {
                let (inner, outer) = (CLASSES[pair[0]], CLASSES[pair[1]]);
                let step = on_paper(outer) / on_paper(inner);
                assert!(step >= 1.15, "{inner} to {outer}, dark {dark}: {step:.2}");
            }
        }
    }
}

/// If FAIRDEAL_PLOTS is a path, writes a page of all plots there, for inspection and for
/// scripts/browser.sh.
#[test]
fn a_page_of_all_plots() {
    let figures: String = all()
        .into_iter()
        .map(|(name, svg)| {
            format!(
                "<figure><figcaption>{name}</figcaption>\
                 <div class=\"plot\" role=\"img\" aria-label=\"{name}: sample\">{svg}</div></figure>\n"
            )
        })
        .collect();
    let page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>All plots</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <style>\n:root {{ color-scheme: light dark; }}\n\
         body {{ font: 1rem/1.4 system-ui, sans-serif; color: var(--ink); background: var(--paper); \
         max-width: 70rem; margin: 0 auto; padding: 1rem; }}\nfigure {{ margin: 0; }}\n\
         @media print {{ :root {{ color-scheme: light; }} body {{ padding: 0; }} @page {{ size: A4; margin: 15mm; }} }}\n\
         {CSS}</style></head>\n<body><main><h1>All plots</h1>\n\
         <div class=\"plots\">\n{figures}</div>\n</main></body></html>\n"
    );
    assert!(page.len() < 300_000, "{} bytes", page.len());
    if let Some(path) = std::env::var_os("FAIRDEAL_PLOTS") {
        std::fs::write(path, page).unwrap();
    }
}
