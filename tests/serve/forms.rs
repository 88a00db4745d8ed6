//! A wrong value keeps the form: every field as it was filled in, and the message beside its field.

use super::client::{Answer, Served, escaped};

/// A script as a browser sends it.
const SCRIPT: &str = "x = hcp(north)\r\n\tcondition x >= 15 && \"<b>\" hearts(soth) >= 5";

/// A value in HTML.
fn in_html(value: &str) -> String {
    let lines = value.replace("\r\n", "\n").replace('&', "&#38;");
    let escaped = lines.replace('<', "&#60;").replace('>', "&#62;");
    escaped.replace('"', "&#34;")
}

/// Checks that a page has the form again, with a message beside this field that contains these words.
fn check(answer: &Answer, field: &str, words: &str) -> String {
    let page = answer.text();
    assert_eq!(answer.status, 422, "{field}: {page}");
    let message =
        format!("<div class=\"problem field-error\" id=\"{field}-error\" role=\"alert\">");
    let beside = page.split_once(&message).map(|(_, rest)| rest);
    let beside = beside.unwrap_or_else(|| panic!("no message beside {field}: {page}"));
    let beside = beside.split("</div>").next().expect("a message");
    assert!(beside.contains(words), "{field}: {beside}");
    let tag = page
        .split('<')
        .find(|tag| tag.contains(&format!("id=\"{field}\"")));
    let tag = tag.expect("the field");
    assert!(tag.contains(&format!("{field}-error\"")), "{tag}");
    assert!(tag.contains("aria-invalid=\"true\""), "{tag}");
    assert_eq!(page.matches("autofocus").count(), 1, "{page}");
    assert!(page.contains("<title>Error: "), "{page}");
    page
}

/// Checks that a page has these fields filled in.
fn is_filled(page: &str, values: &[(&str, &str)]) {
    for (field, value) in values {
        let value = in_html(value);
        let start = page.find(&format!("id=\"{field}\"")).expect("the field");
        let rest = &page[start..];
        let end = ["</select>", "</textarea>", "</div>", "</p>"].map(|end| rest.find(end));
        let rest = &rest[..end
            .into_iter()
            .flatten()
            .min()
            .expect("the end of the field")];
        let has = [
            rest.contains(&format!("value=\"{value}\" selected")),
            rest.contains(&format!("value=\"{value}\"")) && !rest.contains("<option"),
            rest.contains(&format!(">\n{value}")),
            rest.contains(&format!("<option selected>{value}<")),
        ];
        assert!(has.contains(&true), "{field}={value}: {rest}");
    }
}

#[test]
fn a_set_with_a_wrong_value_keeps_its_form() {
    let served = Served::start();
    let fields = [
        ("condition", "hcp(north) >= 20"),
        ("boards", "12"),
        ("seed", "7"),
        ("rotate", "random"),
        ("first", "5"),
        ("event", "Lesson"),
        ("names", "Ann,Bo,Cy,Dee"),
        ("per_page", "12"),
        ("paper", "letter"),
        ("types", "random"),
        ("dealer", "south"),
        ("vulnerable", "ns"),
    ];
    for (name, value, words) in [
        ("boards", "100001", "must be at most 100,000"),
        ("boards", "-1", "must be at least 1"),
        ("boards", "many", "many"),
        ("seed", "x", "`x` is not a number"),
        ("rotate", "x", "no such way"),
        ("event", "one\ntwo", "one line"),
        (
            "names",
            "Ann,Bo",
            "expected four names separated by commas, found 2",
        ),
        ("per_page", "19", "must be at most 18"),
        ("paper", "a3", "choose one of the list"),
        ("types", "x", "choose one of the list"),
        ("dealer", "x", "choose one of the list"),
        ("vulnerable", "x", "choose one of the list"),
        ("first", "0", "must be at least 1"),
        ("condition", "", "condition"),
        ("condition", SCRIPT, "line 2, column"),
    ] {
        let mut changed = fields;
        let place = changed.iter().position(|(of, _)| *of == name);
        changed[place.expect("a field")].1 = value;
        let page = check(&served.post("/deal", &changed), name, words);
        let chosen = changed
            .into_iter()
            .filter(|(of, _)| *of != name || ["boards", "seed", "names", "condition"].contains(of));
        is_filled(&page, &chosen.collect::<Vec<_>>());
        assert!(!page.contains("\\r") && !page.contains("\\t"), "{page}");
    }
    // All that is wrong at once.
    let wrong = [("condition", "hcp("), ("boards", "0"), ("seed", "y")];
    let page = served.post("/deal", &wrong);
    for field in ["condition", "boards", "seed"] {
        check(&page, field, "");
    }
    // Without scripts, the other button asks for the same form.
    let asked = format!("/deal?boards=9&condition={}", escaped(SCRIPT));
    is_filled(
        &check(&served.get(&asked), "condition", "line 2, column"),
        &[("condition", SCRIPT), ("boards", "9")],
    );
    let seed = served.get("/deal?condition=hcp(north)%3E%3D20&boards=9&seed=z");
    is_filled(
        &check(&seed, "seed", "`z` is not a number"),
        &[("boards", "9"), ("seed", "z")],
    );
}

#[test]
fn a_table_with_a_wrong_value_keeps_its_form() {
    let served = Served::start();
    let fields = [
        ("question", "lead"),
        ("condition", "hcp(south) >= 15"),
        ("seat", "west"),
        ("hand", "KQ4.J9652.T8.643"),
        ("contract", "3NT"),
        ("declarer", "south"),
        ("vulnerable", "ns"),
        ("best", "set"),
        ("deals", "5"),
        ("confidence", "95"),
        ("seed", "7"),
    ];
    for (name, value, words) in [
        ("condition", "hcp(", "line 1"),
        ("hand", "KQ4.J9652.T8.64", "12 cards instead of 13"),
        ("hand", "KQ4.J9652.T8", "3 suits instead of 4"),
        (
            "contract",
            "8S",
            "not a contract such as 4S, 3NT or 5Dx: `8S`",
        ),
        ("contract", "", "fill in the contract"),
        ("declarer", "ns", "choose one seat"),
        ("declarer", "x", "choose one seat"),
        ("vulnerable", "x", "choose one of the list"),
        ("best", "score", "leads are compared by tricks"),
        ("deals", "10001", "must be at most 10,000"),
        ("confidence", "100", "not a confidence such as 99 %: `100`"),
        ("seed", "x", "`x` is not a number"),
    ] {
        let mut changed = fields;
        let place = changed.iter().position(|(of, _)| *of == name);
        changed[place.expect("a field")].1 = value;
        let page = check(&served.post("/leads", &changed), name, words);
        let kept = changed
            .into_iter()
            .filter(|(of, value)| *of != name || *value != "x" || name == "seed");
        is_filled(&page, &kept.collect::<Vec<_>>());
    }
    let mut contracts = fields;
    (contracts[0].1, contracts[7].1) = ("contract", "tricks");
    check(
        &served.post("/leads", &contracts),
        "best",
        "contracts are compared by",
    );
    (contracts[4].1, contracts[7].1) = ("", "imps");
    check(
        &served.post("/leads", &contracts),
        "contract",
        "IMPs need a contract",
    );
    contracts[5].1 = "";
    check(
        &served.post("/leads", &contracts),
        "declarer",
        "choose one of the list",
    );
    // The hand must be the leader's.
    let mut other = fields;
    other[2].1 = "north";
    let (_, page) = served.finish(&served.post("/leads", &other));
    assert!(
        page.contains("fill in the hand of the seat on lead"),
        "{page}"
    );
    assert!(
        page.contains("/leads?question=lead&#38;condition=hcp"),
        "{page}"
    );
}

// DUP showed boards 9 to 12 and held 1 to 4.
#[test]
fn a_format_that_cannot_hold_the_boards_is_left_out() {
    let served = Served::start();
    for (boards, first, has_dup) in [
        ("99", "1", true),
        ("4", "", true),
        ("4", "9", false),
        ("100", "", false),
    ] {
        let fields = [
            ("condition", "unconstrained"),
            ("boards", boards),
            ("first", first),
        ];
        let (_, page) = served.finish(&served.post("/deal", &fields));
        let link = format!("/files/{boards}-boards.dup");
        assert_eq!(page.contains(&link), has_dup, "{page}");
        let words = "No DUP file: it has at most 99 boards, numbered from 1.";
        assert_eq!(page.contains(words), !has_dup, "{page}");
        assert!(
            page.contains(&format!("/files/{boards}-boards.pbn")),
            "{page}"
        );
    }
    let (_, page) = served.finish(&served.post("/deal", &[("condition", "produce 1001")]));
    assert!(
        page.contains("No sheets to print: they have at most 1,000 boards."),
        "{page}"
    );
    check(
        &served.post("/deal", &[("condition", "produce 100001")]),
        "boards",
        "the script asks for 100,001 boards: at most 100,000",
    );
}

#[test]
fn a_run_with_a_wrong_value_keeps_its_form() {
    let served = Served::start();
    let fields = [
        ("condition", "hcp(north) >= 20"),
        ("deals", "20K"),
        ("seed", "7"),
        ("battery", "tables"),
    ];
    for (name, value, words) in [
        ("deals", "0", "must be at least 1"),
        ("deals", "1e13", "must be at most 1,000,000,000,000"),
        ("seed", "-2", "`-2` is not a number"),
        ("battery", "best", "no such tests"),
        ("condition", SCRIPT, "line 2, column"),
    ] {
        let mut changed = fields;
        let place = changed.iter().position(|(of, _)| *of == name);
        changed[place.expect("a field")].1 = value;
        let page = check(&served.post("/runs", &changed), name, words);
        let chosen = changed
            .into_iter()
            .filter(|(of, _)| *of != "battery" || *of != name);
        is_filled(&page, &chosen.collect::<Vec<_>>());
    }
}

#[test]
fn a_comparison_with_a_wrong_choice_keeps_its_form() {
    let served = Served::start();
    for seed in ["1", "2"] {
        let fields = [
            ("condition", "nine-spades"),
            ("deals", "2K"),
            ("seed", seed),
            ("battery", "tables"),
        ];
        served.finish(&served.post("/runs", &fields));
    }
    let same = [("a", "nine-spades"), ("b", "nine-spades")];
    let page = check(
        &served.post("/compare", &same),
        "b",
        "a report is always like itself",
    );
    is_filled(&page, &same);
    let gone = [("a", "nine-spades"), ("b", "..")];
    let page = check(&served.post("/compare", &gone), "b", "no such report");
    is_filled(&page, &gone[..1]);
}

#[test]
fn an_audit_with_a_wrong_value_keeps_its_form() {
    let served = Served::start();
    let deals = "N:K862.T2.T9742.82 JT..853.AKQJT953 Q54.987653.Q6.76 A973.AKQJ4.AKJ.4\n";
    let fields = [
        ("text", deals),
        ("condition", "hcp(south) >= 1"),
        ("format", "pbn"),
        ("session", "36"),
        ("events", "same"),
    ];
    for (name, value, words) in [
        ("condition", SCRIPT, "line 2, column"),
        ("format", "html", "no format `html`"),
        ("session", "129", "must be at most 128"),
        ("session", "1", "must be at least 2"),
        ("events", "x", "no such rule"),
    ] {
        let mut changed = fields;
        let place = changed.iter().position(|(of, _)| *of == name);
        changed[place.expect("a field")].1 = value;
        for files in [&[][..], &[("a.pbn", deals.as_bytes())]] {
            let page = check(&served.upload(files, &changed), name, words);
            assert!(page.contains("<details class=\"field\" open>"), "{page}");
            assert_eq!(page.contains("Choose the files again"), !files.is_empty());
            let chosen = changed
                .into_iter()
                .filter(|(of, _)| *of == "condition" || *of != name);
            is_filled(&page, &chosen.collect::<Vec<_>>());
        }
    }
    let nothing = served.upload(&[("", b"")], &[("text", ""), ("session", "12")]);
    is_filled(
        &check(&nothing, "files", "choose a file"),
        &[("session", "12")],
    );
    assert!(served.temporary_files().is_empty());
}

#[test]
fn theory_of_a_wrong_condition_keeps_its_form() {
    let served = Served::start();
    let asked = format!(
        "/theory?condition={}&other={}",
        escaped("hcp(north) >= 20"),
        escaped(SCRIPT)
    );
    let page = check(&served.get(&asked), "other", "line 2, column");
    is_filled(
        &page,
        &[("condition", "hcp(north) >= 20"), ("other", SCRIPT)],
    );
}

#[test]
fn a_failed_job_leads_back_to_its_form() {
    let served = Served::start();
    let impossible = "hcp(north) + hcp(south) >= 41";
    let fields = [("condition", impossible), ("boards", "3"), ("seed", "5")];
    let (_, page) = served.finish(&served.post("/deal", &fields));
    let link = page
        .split("<a href=\"")
        .find(|link| link.starts_with("/deal?"));
    let link = link
        .and_then(|link| link.split('"').next())
        .expect("a link");
    let form = served.get(&link.replace("&#38;", "&")).text();
    let filled = [
        ("condition", "hcp(north) + hcp(south) >= 41"),
        ("boards", "3"),
        ("seed", "5"),
    ];
    is_filled(&form, &filled);
}

#[test]
fn a_full_queue_keeps_the_form() {
    let served = Served::with(fairdeal::serve::Limits {
        waiting: 0,
        ..fairdeal::serve::Limits::default()
    });
    let fields = [("condition", "nine-spades"), ("boards", "3"), ("seed", "5")];
    let busy = served.post("/deal", &fields);
    assert_eq!((busy.status, busy.header("retry-after")), (503, "10"));
    let page = busy.text();
    assert!(page.contains("too many jobs are waiting"), "{page}");
    is_filled(&page, &fields);
}

#[test]
fn advice_names_pages_and_fields() {
    let served = Served::start();
    let asked = format!(
        "/theory?condition={}",
        escaped("rnd(2) == 1 && hcp(north) > 10")
    );
    let answer = served.get(&asked);
    let page = match answer.status {
        303 => served.finish(&answer).1,
        _ => answer.text(),
    };
    let said = "no exact tables within the budget: `rnd` is drawn for each deal, and not a property of \
                its cards; the page Deal estimates its probability, and a run on the page Runs counts \
                its deals";
    assert!(page.contains(said), "{page}");
    let (_, page) = served.finish(&served.upload(&[("a.txt", b"no deals here")], &[]));
    assert!(page.contains("choose its format on the form"), "{page}");
    let words = page.replace("<!--", "");
    assert!(!words.contains(" --"), "{words}");
}
