//! Every page as a person without scripts uses it: forms, and pages that load again.

use super::client::{Served, escaped};

/// Boards of PBN, the second of which has a card twice.
const BOARDS: &str = "% PBN 2.1\n\
[Event \"Club\"]\n[Board \"1\"]\n[Deal \"N:K862.T2.T9742.82 JT..853.AKQJT953 Q54.987653.Q6.76 A973.AKQJ4.AKJ.4\"]\n\n\
[Event \"Club\"]\n[Board \"2\"]\n[Deal \"N:K862.T2.T9742.82 JT..853.AKQJT953 Q54.987653.Q6.76 A973.AKQJ4.AKJ.2\"]\n\n";

#[test]
fn every_page_answers_with_its_headers() {
    let served = Served::start();
    for (path, title) in [
        ("/", "Are these hands random?"),
        ("/audit", "Audit"),
        ("/tournament", "Tournament"),
        ("/deal", "Deal"),
        ("/convert", "Convert"),
        ("/theory", "Theory"),
        ("/leads", "Leads"),
        ("/runs", "Runs"),
        ("/health", "State of the server"),
    ] {
        let page = served.get(path);
        assert_eq!(page.status, 200, "{path}");
        assert!(page.text().contains(&format!("<h1>{title}</h1>")), "{path}");
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"));
        assert_eq!(page.header("x-content-type-options"), "nosniff");
        assert_eq!(page.header("cache-control"), "no-store");
    }
    for (path, media_type) in [
        ("/assets/style.css", "text/css; charset=utf-8"),
        ("/assets/script.js", "text/javascript; charset=utf-8"),
        ("/health.json", "application/json"),
    ] {
        assert_eq!(served.get(path).header("content-type"), media_type);
    }
    assert_eq!(served.get("/nothing").status, 404);
}

#[test]
fn an_audit_shows_its_verdict_and_the_boards_that_are_no_deals() {
    let served = Served::start();
    let sent = served.upload(
        &[("../../club night.pbn", BOARDS.as_bytes())],
        &[("text", ""), ("condition", "")],
    );
    let (_, page) = served.finish(&sent);
    assert!(page.contains("INVALID"), "{page}");
    assert!(page.contains("club night.pbn") && !page.contains("../.."));
    assert!(page.contains("Boards that were not tested"));
    let link = page.split("/reports/").nth(1).expect("a report");
    let name = link.split('/').next().expect("a name");
    let report = served.get(&format!("/reports/{name}/report.html"));
    let back = "<nav aria-label=\"Back\"><a href=\"/runs\">";
    assert_eq!(report.text().matches(back).count(), 1, "a way back");
    assert_eq!(report.status, 200);
    assert!(report.text().contains("Audit report"));
    let policy = report.header("content-security-policy");
    assert!(policy.contains("style-src 'unsafe-inline'") && !policy.contains("script-src"));
    let problems = served.get(&format!("/reports/{name}/problems.csv")).text();
    assert!(problems.contains("club night.pbn,"), "{problems}");
    assert!(served.temporary_files().is_empty());
    let pasted = "N:K862.T2.T9742.82 JT..853.AKQJT953 Q54.987653.Q6.76 A973.AKQJ4.AKJ.4\n";
    // A browser sends a file without name and bytes if none is chosen.
    let (_, page) = served.finish(&served.upload(&[("", b"")], &[("text", pasted)]));
    assert!(page.contains("1 deal tested of 1 board read"), "{page}");
    assert!(served.get("/runs").text().contains("audit-pasted-deals-"));
}

#[test]
fn an_audit_without_deals_says_so() {
    let served = Served::start();
    let (_, page) = served.finish(&served.upload(&[("a.pbn", b"no deals here")], &[]));
    assert!(
        page.contains("role=\"alert\"") && page.contains("a.pbn"),
        "{page}"
    );
    // Nothing is left of it.
    let left = std::fs::read_dir(served.reports()).expect("the folder");
    let left = left.filter(|entry| {
        let name = entry.as_ref().expect("an entry").file_name();
        name.to_string_lossy().starts_with("audit-")
    });
    assert_eq!(left.count(), 0);
}

#[test]
fn a_condition_is_checked_with_line_column_and_probability() {
    let served = Served::start();
    let wrong = served.post("/check", &[("condition", "hcp(north) >=")]);
    assert_eq!(wrong.status, 200);
    assert!(
        wrong.text().contains("line 1, column 14"),
        "{}",
        wrong.text()
    );
    let right = served.post(
        "/check",
        &[("condition", "hearts(north) == 13"), ("samples", "1")],
    );
    let text = right.text();
    assert!(
        text.contains("1/635013559600") && text.contains("Board 4"),
        "{text}"
    );
    let scenario = served
        .post("/check", &[("condition", "nine-spades")])
        .text();
    assert!(scenario.contains("Exactly"), "{scenario}");
    assert_eq!(served.post("/check", &[("condition", " ")]).body, b"");
    let spot = served.post(
        "/check",
        &[(
            "condition",
            "hascard(north, 2C) && hcp(south) > 10 && rnd(2)",
        )],
    );
    assert!(spot.text().contains("from a sample"), "{}", spot.text());
    let prefilled = served.get(&format!(
        "/deal?condition={}",
        escaped("hearts(north) == 13")
    ));
    assert!(prefilled.text().contains("1/635013559600"));
}

#[test]
fn a_set_is_dealt_and_downloaded() {
    let served = Served::start();
    let fields = [
        ("condition", "hcp(north) >= 20"),
        ("boards", "12"),
        ("seed", "7"),
        ("rotate", "board"),
    ];
    let (job, page) = served.finish(&served.post("/deal", &fields));
    assert!(
        page.contains("12 boards") && page.contains("12-boards.html"),
        "{page}"
    );
    let archive = served.get(&format!("{job}/files/12-boards.zip"));
    assert_eq!(archive.header("content-type"), "application/zip");
    assert_eq!(served.get(&format!("{job}/files/other.pbn")).status, 404);
    let sheet = served.get(&format!("{job}/files/12-boards.html"));
    assert_eq!(sheet.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(
        sheet.header("content-disposition"),
        "inline; filename=\"12-boards.html\""
    );
    let rare = [
        ("condition", "hcp(north) == 37 && hcp(south) == 3"),
        ("boards", "5"),
    ];
    let (_, page) = served.finish(&served.post("/deal", &rare));
    assert!(page.contains("5 boards"), "{page}");
}

#[test]
fn theory_of_what_is_known_divides_by_its_probability() {
    let served = Served::start();
    let path = format!(
        "/theory?condition={}&given={}",
        escaped("spades(east) == 2"),
        escaped("spades(north) + spades(south) == 9")
    );
    let page = served.get(&path);
    let text = match page.status {
        303 => served.finish(&page).1,
        _ => page.text(),
    };
    for part in ["234/575", "<dt>Given</dt><dd>spades(north)"] {
        assert!(text.contains(part), "{part}");
    }
    let wrong = served.get("/theory?condition=nine-spades&given=spades(wset)");
    assert_eq!(wrong.status, 422);
    assert!(
        wrong.text().contains("id=\"given-error"),
        "{}",
        wrong.text()
    );
}

#[test]
fn two_conditions_stand_beside_each_other() {
    let served = Served::start();
    let path = format!(
        "/theory?condition={}&other={}",
        escaped("hcp(north) >= 20"),
        escaped("hearts(south) == 13")
    );
    let page = served.get(&path);
    let text = if page.status == 303 {
        served.finish(&page).1
    } else {
        page.text()
    };
    for part in [
        "a-fraction",
        "b-fraction",
        "1/635013559600",
        "<svg",
        "a-patterns.csv",
    ] {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn runs_are_started_stopped_resumed_and_compared() {
    let served = Served::start();
    let start = |deals: &str, seed: &str| {
        served.post(
            "/runs",
            &[
                ("condition", "nine-spades"),
                ("deals", deals),
                ("seed", seed),
                ("battery", "tables"),
            ],
        )
    };
    let (_, page) = served.finish(&start("20K", "1"));
    assert!(
        page.contains("20,000 deals") && page.contains("/reports/nine-spades/report.html"),
        "{page}"
    );
    let (_, page) = served.finish(&start("20K", "2"));
    assert!(
        page.contains("/reports/nine-spades-2/report.html"),
        "{page}"
    );
    let compared = served.post("/compare", &[("a", "nine-spades"), ("b", "nine-spades-2")]);
    let (_, page) = served.finish(&compared);
    assert!(
        page.contains("ALIKE") && page.contains("/compare.html"),
        "{page}"
    );
    let long = start("1T", "3");
    let job = long.header("location").to_owned();
    let events = served.get("/runs").text();
    assert!(events.contains(&job), "{events}");
    // The stream of events ends with the job.
    let stopper = std::thread::scope(|scope| {
        let watching = scope.spawn(|| served.get(&format!("{job}/events")).text());
        std::thread::sleep(std::time::Duration::from_millis(1_500));
        assert_eq!(served.post(&format!("{job}/stop"), &[]).status, 303);
        watching.join().expect("a stream")
    });
    assert!(
        stopper.contains("event: status") && stopper.contains("event: over"),
        "{stopper}"
    );
    let (_, page) = served.finish(&long);
    assert!(
        page.contains("Stopped before the end") && page.contains("/resume"),
        "{page}"
    );
    let stopped = served.get("/runs").text();
    assert!(stopped.contains("Resume nine-spades-3"), "{stopped}");
    let stopped_job = job;
    let resumed = served.post("/runs/nine-spades-3/resume", &[]);
    let job = resumed.header("location").to_owned();
    // No other job can resume it now, from the moment on at which it waits.
    let again = served.post("/runs/nine-spades-3/resume", &[]);
    assert_eq!((again.status, again.header("location")), (303, &*job));
    let page = served.get(&stopped_job).text();
    assert!(!page.contains("/resume"), "{page}");
    let active = served.get("/runs").text();
    assert!(!active.contains("Resume nine-spades-3"), "{active}");
    assert!(
        active.contains("<span class=\"note\">running</span>"),
        "{active}"
    );
    assert_eq!(served.post(&format!("{job}/stop"), &[]).status, 303);
    let (_, page) = served.finish(&resumed);
    // It may not have begun yet.
    assert!(page.contains("Stopped before"), "{page}");
    assert!(served.get(&stopped_job).text().contains("/resume"));
    assert_eq!(served.post("/runs/nine-spades/resume", &[]).status, 404);
    assert_eq!(served.post("/runs/../resume", &[]).status, 404);
}
