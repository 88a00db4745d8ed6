//! Pages load nothing, escape what others wrote, link to files that are there, and say the
//! verdict. `scripts/page.sh` opens them in a browser.

#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use std::fs;
use std::path::Path;

use crate::common::{code, fairdeal, folder};

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
        assert!(folder.join(link).is_file(), "{link}");
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
    let run = ["run", "flannery-misfit", "--deals=200K", "--seed=1"];
    assert_eq!(code(&fairdeal(at, &[&run[..], &["--out=r"]].concat())), 0);
    let html = page(&at.join("r"), "report.html");
    for told in [
        "<p class=\"word\">PASS</p>",
        "<li>South exactly 4♠</li>",
        "<td>200,000</td>",
        "spades(south) == 4 &amp;&amp; hearts(south) == 5",
        "fairdeal run flannery-misfit --order south,north --deals 200000 --seed 0x1 --rng aes128ctr",
        "A flaw would look like this",
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
fn a_defect_s_page_says_what_is_wrong_first() {
    let folder = folder();
    let at = folder.path();
    let defect = "--defect=naive-shuffle-blocks";
    let run = ["run", "unconstrained", "--deals=100K", "--seed=1", defect];
    assert_eq!(code(&fairdeal(at, &[&run[..], &["--out=r"]].concat())), 2);
    let html = page(&at.join("r"), "report.html");
    assert!(html.contains("<p class=\"word\">FAIL</p>"));
    assert!(html.contains("These deals are not random."));
    // What is shown would have been dealt well, and limits say nothing of such deals.
    assert!(!html.contains("<article class=\"deal\">"));
    assert!(!html.contains("What can still be wrong"));
}

#[test]
fn names_that_somebody_chose_are_text() {
    let folder = folder();
    let at = folder.path();
    let deals = fairdeal(at, &["deal", "unconstrained", "-n", "40", "--seed", "1"]);
    let name = "<b onload=x>&\"'.txt";
    fs::write(at.join(name), deals.stdout).unwrap();
    let audit = [
        "audit",
        name,
        "--where",
        "hcp(south) >= 0 && 1 < 2",
        "--out=a",
    ];
    // Whatever the verdict: the names are what matters.
    assert!([4, 3].contains(&code(&fairdeal(at, &audit))));
    let html = page(&at.join("a"), "report.html");
    assert!(!html.contains("<b onload"));
    assert!(html.contains("onload=x"));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: cargo test --release")]
fn runs_of_any_kind_have_a_page() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("words"), vec![7u8; 1 << 20]).unwrap();
    let cases: [(&str, &[&str]); 6] = [
        ("one", &["run", "unconstrained", "--deals=1"]),
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
            &["run", "east-5332-34", "--deals=20K", "--battery=tables"],
        ),
        (
            "raw",
            &["run", "unconstrained", "--deals=1K", "--rng=file:words"],
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
        let run = ["run", "nine-spades", "--deals=100K", seed, out, "-q"];
        assert_eq!(code(&fairdeal(at, &run)), 0);
    }
    assert_eq!(
        code(&fairdeal(at, &["compare", "one", "other", "--out=c"])),
        0
    );
    let html = page(&at.join("c"), "compare.html");
    assert!(html.contains("<p class=\"word\">ALIKE</p>"));
    assert!(html.contains("spades(west) == 9"));
    assert_eq!(
        code(&fairdeal(at, &["compare", "one", "again", "--out=d"])),
        0
    );
    let html = fs::read_to_string(at.join("d/compare.html")).unwrap();
    assert!(html.contains("One run, made twice, came to the same counts."));
}
