//! Report pages load nothing, escape names, link to existing files, and begin with the answers, the
//! verdict and its evidence. `scripts/browser.sh pages` opens them in a browser.

#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use std::fs;
use std::path::Path;

use crate::common::{code, fairdeal, folder, stdout};
use fairdeal::stats::elementary::{log10, powf};

/// The page in a folder, of which all that holds for every page was checked.
fn page(folder: &Path, name: &str) -> String {
    let html = fs::read_to_string(folder.join(name)).unwrap();
    assert!(html.len() < 1_500_000, "{} bytes", html.len());
    for loads in [
        "<script", "<link", "<img", "<iframe", "@import", "url(", " src=",
    ] {
        assert!(!html.contains(loads), "{loads}");
    }
    for address in ["http:", "https:"] {
        // But for the name of SVG's language, which nobody fetches.
        let others = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!others.contains(address), "{address}");
    }
    let links = html.split("href=\"").skip(1);
    let links: Vec<&str> = links.map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(links.len() > 5, "{links:?}");
    for link in links {
        match link.strip_prefix('#') {
            Some(id) => assert!(html.contains(&format!(" id=\"{id}\"")), "{link}"),
            None => assert!(folder.join(link).is_file(), "{link}"),
        }
    }
    let svgs = html.matches("<svg ").count();
    assert!(svgs > 0);
    assert_eq!(html.matches("role=\"img\" aria-label=\"").count(), svgs);
    html
}

#[test]
fn a_run_s_page_has_its_verdict_its_condition_and_all_its_tables() {
    let folder = folder();
    let at = folder.path();
    let run = [
        "run",
        "flannery-misfit",
        "--target=1",
        "--deals=200K",
        "--seed=1",
    ];
    assert_eq!(code(&fairdeal(at, &[&run[..], &["--out=r"]].concat())), 0);
    let html = page(&at.join("r"), "report.html");
    for told in [
        "<p class=\"word\">PASS</p>",
        "<li>South exactly 4♠</li>",
        "<td>200,000</td>",
        "spades(south) == 4 &amp;&amp; hearts(south) == 5",
        "fairdeal run flannery-misfit --sampler cells --deals 200000 --seed 0x1 --rng aes128ctr",
        "Sign of a flaw",
        "0.00191 (1 in 523.3), exact",
    ] {
        let html = html.replace("&#38;", "&amp;");
        assert!(html.contains(told), "{told}");
    }
    for entry in fs::read_dir(at.join("r")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".csv") {
            assert!(html.contains(&format!("href=\"{name}\"")), "{name}");
        }
    }
    // Four deals, of the condition.
    assert_eq!(html.matches("<article class=\"deal\">").count(), 4);
    assert_eq!(html.matches("<p class=\"seat\">South").count(), 4);
}

#[test]
fn a_defect_s_page_has_the_picture_of_its_evidence_first() {
    let folder = folder();
    let at = folder.path();
    let defect = "--defect=naive-shuffle-blocks";
    let run = [
        "run",
        "unconstrained",
        "--target=1",
        "--deals=100K",
        "--seed=1",
        defect,
    ];
    assert_eq!(code(&fairdeal(at, &[&run[..], &["--out=r"]].concat())), 2);
    let html = page(&at.join("r"), "report.html");
    assert!(html.contains("<p class=\"word\">FAIL</p>"));
    assert!(html.contains("These deals are not random."));
    let place = |text: &str| html.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(place("id=\"contents\"") < place("id=\"evidence\""));
    assert!(place("id=\"evidence\"") < place("<svg ") && place("<svg ") < place("id=\"meaning\""));
    // Sample deals would not have the defect, and bounds need a PASS.
    assert!(!html.contains("<article class=\"deal\">"));
    assert!(!html.contains("id=\"bounds\""));
}

#[test]
fn names_that_somebody_chose_are_text() {
    let folder = folder();
    let at = folder.path();
    let deals = fairdeal(at, "deal unconstrained -n 40 --seed 1");
    let name = "<b onload=x>&\"'.txt";
    fs::write(at.join(name), deals.stdout).unwrap();
    let audit = [
        "audit",
        name,
        "--where",
        "hcp(south) >= 0 && 1 < 2",
        "--reference=0",
        "--out=a",
    ];
    // Whatever the verdict: the names are what matters.
    assert!([4, 3].contains(&code(&fairdeal(at, &audit))));
    let html = page(&at.join("a"), "report.html");
    assert!(!html.contains("<b onload"));
    assert!(html.contains("onload=x"));
}

#[test]
#[ignore = "long"]
fn runs_of_any_kind_have_a_page() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("words"), vec![7u8; 1 << 20]).unwrap();
    let cases: [(&str, &[&str]); 6] = [
        ("one", &["run", "unconstrained", "--target=1", "--deals=1"]),
        (
            "filter",
            &[
                "run",
                "--where=hcp(west) + hcp(north) + hcp(east) >= 35",
                "--deals=50K",
            ],
        ),
        (
            "none",
            &[
                "run",
                "--where=hcp(west) + hcp(north) + hcp(east) >= 40 && hcp(south) > 0",
                "--deals=1K",
            ],
        ),
        ("predeal", &["run", "predeal.dl", "--deals=1K"]),
        (
            "tables",
            &[
                "run",
                "east-5332-34",
                "--target=1",
                "--deals=20K",
                "--battery=tables",
            ],
        ),
        (
            "raw",
            &[
                "run",
                "unconstrained",
                "--target=1",
                "--deals=1K",
                "--rng=file:words",
            ],
        ),
    ];
    fs::write(at.join("predeal.dl"), "predeal south SAKQ\nhcp(north) > 10").unwrap();
    for (name, arguments) in cases {
        let out = format!("--out={name}");
        let done = fairdeal(
            at,
            &[
                arguments,
                &["-q", &out, "--seed=1"][..if name == "raw" { 2 } else { 3 }],
            ]
            .concat(),
        );
        let code = code(&done);
        if code == 65 && name == "none" {
            continue;
        }
        assert!(
            code < 5,
            "{name}: {code} {}",
            String::from_utf8_lossy(&done.stderr)
        );
        let html = fs::read_to_string(at.join(name).join("report.html")).unwrap();
        assert!(html.contains("<p class=\"word\">"), "{name}");
        for nothing in ["NaN", "inf<", "None", "Some("] {
            assert!(!html.contains(nothing), "{name} has {nothing}");
        }
    }
}

#[test]
fn a_comparison_s_page_lays_both_beside_each_other() {
    let folder = folder();
    let at = folder.path();
    for (seed, out) in [
        ("--seed=1", "--out=one"),
        ("--seed=2", "--out=other"),
        ("--seed=1", "--out=again"),
    ] {
        let run = [
            "run",
            "nine-spades",
            "--target=1",
            "--deals=100K",
            seed,
            out,
            "-q",
        ];
        assert_eq!(code(&fairdeal(at, &run)), 0);
    }
    assert_eq!(code(&fairdeal(at, "compare one other --out=c")), 0);
    let html = page(&at.join("c"), "compare.html");
    assert!(html.contains("<p class=\"word\">ALIKE</p>"));
    assert!(html.contains("spades(west) == 9"));
    assert_eq!(code(&fairdeal(at, "compare one again --out=d")), 0);
    let html = fs::read_to_string(at.join("d/compare.html")).unwrap();
    assert!(html.contains("Both runs have the same counts."));
}

const SCRIPT: &str = "\
fit = spades(north) + spades(south)
action average \"North's HCP\" hcp(north), average \"HCP of both\" hcp(north) + hcp(south),
       frequency \"spades together\" (fit, 4, 10),
       frequency \"majors\" (spades(north), 2, 5, hearts(north), 2, 5)
hcp(north) >= 15 && shape(north, any 4333 + any 4432 + any 5332)
";

/// A page as text: cells of a row are parted by bars, plots are their alternative texts.
fn text_of(html: &str) -> String {
    let mut rest = html.split_once("<body>").unwrap().1;
    let mut text = String::new();
    while let Some((before, tag_on)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, after) = tag_on.split_once('>').unwrap();
        rest = after;
        if tag.starts_with("svg ") {
            rest = after.split_once("</svg>").unwrap().1;
        } else if tag.starts_with("div class=\"plot\"") {
            let alt = tag.split_once("aria-label=\"").unwrap().1;
            text.extend(["[plot: ", alt.trim_end_matches('"'), "]"]);
        }
        let is_cell = ["/th", "/td", "/dt"].contains(&tag);
        let ends_row = !["<th", "<td", "<dd"]
            .iter()
            .any(|cell| rest.starts_with(cell));
        if is_cell && !ends_row {
            text.push_str(" | ");
        }
    }
    let text = text
        .replace("&#38;", "&")
        .replace("&#60;", "<")
        .replace("&#62;", ">")
        .replace("&#39;", "'")
        .replace("&#34;", "\"");
    let lines = text.lines().map(str::trim_end);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// Holds the text of a page against its snapshot, without times and machines.
fn hold(name: &str, html: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (pattern, stand_in) in [
        (
            r"(?m)^(speed|time|threads|program|host|start|tested) \| .*$",
            "$1 | [VARIES]",
        ),
        (r"(?m)^\[plot: Median of blocks.*$", "[plot: LATENCY]"),
        // A run that ends at once has no pace.
        (r"(?m)^Deals per second\n\[plot: Between .*\n.*\n", ""),
        (r"fairdeal \d+\.\d+\.\d+", "fairdeal [VERSION]"),
        (
            r"(?m)^(million deals per second|ns per deal \(median of blocks\)) \| .*$",
            "$1 | [VARIES]",
        ),
        (r"(?m)^Ratio B / A: .*$", "Ratio B / A: [VARIES]"),
        (r"(?m)^latency\.csv \| \d+ \| ", "latency.csv | [ROWS] | "),
    ] {
        settings.add_filter(pattern, stand_in);
    }
    let text = text_of(html);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn the_texts_of_pages_are_these() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("script.dl"), SCRIPT).unwrap();
    let records = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/records/sm0807.pbn");
    let run = |arguments: &[&str], out: &str, expected: i32| {
        let out = format!("--out={out}");
        let done = fairdeal(at, &[arguments, &["-q", &out]].concat());
        assert_eq!(code(&done), expected, "{arguments:?}");
    };
    let pass = [
        "run",
        "nine-spades",
        "--sampler=listing",
        "--deals=100K",
        "--target=50K",
        "--seed=1",
    ];
    run(&pass, "pass", 0);
    let defect = "--defect=naive-shuffle-round-robin";
    run(
        &[
            "run",
            "unconstrained",
            "--target=1",
            "--deals=100K",
            "--seed=1",
            defect,
        ],
        "fail",
        2,
    );
    // A short path: the page has it.
    fs::copy(records, at.join("sm0807.pbn")).unwrap();
    run(&["audit", "sm0807.pbn", "--reference=99"], "audit", 4);
    run(
        &[
            "run",
            "unconstrained",
            "--deals=100K",
            "--seed=1",
            "--target=50K",
        ],
        "fair",
        0,
    );
    for (name, out) in [("pass", "pass"), ("fail", "fail"), ("audit", "audit")] {
        hold(&format!("page_{name}"), &page(&at.join(out), "report.html"));
    }
    let script = [
        "run",
        "script.dl",
        "--deals=50K",
        "--target=1",
        "--seed=1",
        "-q",
        "--out=script",
    ];
    fairdeal(at, &script);
    let html = page(&at.join("script"), "report.html");
    let place = |text: &str| html.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(place("id=\"answers\"") < place("<p class=\"word\">"));
    hold("page_script", &html);
    let compared = fairdeal(at, "compare fair fail -q --out=compare");
    assert!([1, 2].contains(&code(&compared)));
    let html = page(&at.join("compare"), "compare.html");
    hold("page_comparison", &html);
}

/// The names of tests in a table of evidence, with their subjects, in its order.
fn names_in_page(html: &str) -> Vec<String> {
    let (_, table) = html.split_once("Strongest evidence, the largest").unwrap();
    let (_, rows) = table.split_once("<tbody>").unwrap();
    let rows = rows.split_once("</tbody>").unwrap().0;
    let names = rows.split("<th scope=\"row\">").skip(1);
    let names = names.map(|row| row.split_once("</th>").unwrap().0.to_owned());
    names.filter(|name| !name.contains("other test")).collect()
}

#[test]
fn the_strongest_evidence_has_one_order_everywhere_and_sums_to_s() {
    let folder = folder();
    let at = folder.path();
    for (defect, seed) in [
        ("naive-shuffle-round-robin", "--seed=3"),
        ("spade-ace-north-5-percent", "--seed=4"),
        ("none", "--seed=5"),
    ] {
        let planted = format!("--defect={defect}");
        let out = format!("--out={defect}");
        let mut run = vec![
            "run",
            "unconstrained",
            "--target=1",
            "--deals=40K",
            seed,
            &out,
            "--verbose",
        ];
        run.extend((defect != "none").then_some(&*planted));
        let printed = stdout(&fairdeal(at, &run));
        // Lines are wrapped to the width of the terminal.
        let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
        let report = at.join(defect);
        let page_names = names_in_page(&page(&report, "report.html"));
        assert!(!page_names.is_empty(), "{defect}");

        let record: serde_json::Value =
            serde_json::from_slice(&fs::read(report.join("run.json")).unwrap()).unwrap();
        let strongest = record["evidence"]["strongest"].as_array().unwrap();
        let json_names = strongest.iter().map(|words| {
            let words = words.as_str().unwrap();
            words.split_once(": ").unwrap().0.to_owned()
        });
        let json_names: Vec<String> = json_names.collect();
        assert_eq!(json_names, page_names[..json_names.len()]);

        // tests.csv: the same order, and contributions that fall and sum to E.
        let mut rows = csv::Reader::from_path(report.join("tests.csv")).unwrap();
        let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
        let name = |row: &csv::StringRecord| match &row[1] {
            "all" => row[0].to_owned(),
            subject => format!("{}, {subject}", &row[0]),
        };
        let csv_names = rows
            .iter()
            .map(name)
            .filter(|name| page_names.contains(name));
        assert_eq!(csv_names.collect::<Vec<_>>(), page_names);
        let number = |row: &csv::StringRecord, column: usize| row[column].parse::<f64>().ok();
        let contributions = rows
            .iter()
            .filter_map(|row| Some(number(row, 5)? + log10(number(row, 6)?)));
        let contributions: Vec<f64> = contributions.collect();
        assert!(contributions.is_sorted_by(|one, other| one >= other));
        let most = contributions[0];
        let sum: f64 = contributions
            .iter()
            .map(|log10| powf(10.0, log10 - most))
            .sum();
        let s = record["evidence"]["s"].as_f64().unwrap();
        assert!((most + log10(sum) - s).abs() < 1e-9, "{s}");

        // The terminal names tests below p = 0.1, in the same order.
        let named = json_names
            .iter()
            .filter_map(|name| printed.find(name.as_str()));
        let named: Vec<usize> = named.collect();
        assert!(named.is_sorted(), "{json_names:?} in {printed}");
        assert_eq!(named.len(), json_names.len(), "{json_names:?} in {printed}");
    }
}
