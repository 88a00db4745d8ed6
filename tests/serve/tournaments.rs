//! Files that are converted, sets in several formats, and tournaments, by upload: the same bytes and
//! words as by the commands.

use std::fs;
use std::io::{Cursor, Read as _};
use std::path::Path;

use fairdeal::serve::Limits;

use super::client::Served;
use crate::common;

/// The files of a zip archive, by name.
fn unzipped(bytes: Vec<u8>) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("an archive");
    let files = (0..archive.len()).map(|place| {
        let mut file = archive.by_index(place).expect("a file");
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).expect("its bytes");
        (file.name().expect("a name").into_owned(), bytes)
    });
    files.collect()
}

fn ran(folder: &Path, arguments: &[&str]) {
    let done = common::fairdeal(folder, arguments);
    assert_eq!(common::code(&done), 0, "{}", common::stderr(&done));
}

/// Checks that an archive has the files of a folder that begin with `stem`, under another name.
fn assert_same_files(archive: Vec<u8>, name: &str, folder: &Path, stem: &str, count: usize) {
    let files = unzipped(archive);
    assert_eq!(files.len(), count);
    for (file, bytes) in files {
        let (of, ending) = file.split_once('.').expect("an ending");
        assert_eq!(of, name);
        let theirs = fs::read(folder.join(format!("{stem}.{ending}"))).expect("the command's");
        assert!(bytes == theirs, "{file}");
    }
}

#[test]
fn files_are_converted_as_by_the_command() {
    let (served, folder) = (Served::start(), common::folder());
    let club = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/records/sm0807.pbn");
    let bytes = fs::read(&club).expect("a file");
    fs::write(folder.path().join("club.pbn"), &bytes).expect("a copy");
    let formats = [
        ("format", "lin"),
        ("also", "dup"),
        ("also", "csv"),
        ("also", "lin"),
    ];
    let files = [("club.pbn", &bytes[..])];
    let sent = served.upload_to("/convert", &files, &formats);
    let (job, page) = served.finish(&sent);
    assert!(page.contains("108 boards"), "{page}");
    assert!(page.contains("the format dup does not store"), "{page}");
    assert!(!page.contains("class=\"deal\""), "{page}");
    let download = served.get(&format!("{job}/file"));
    assert_eq!(download.header("content-type"), "application/zip");
    ran(
        folder.path(),
        &[
            "convert",
            "club.pbn",
            "--format=lin,dup,csv",
            "--out=theirs",
            "-q",
        ],
    );
    assert_same_files(download.body, "boards", folder.path(), "theirs", 3);
    assert!(served.temporary_files().len() == 1, "the archive alone");
    // One format is not in an archive.
    let sent = served.upload_to("/convert", &files, &[("format", "dup")]);
    let (job, _) = served.finish(&sent);
    let download = served.get(&format!("{job}/file"));
    assert!(download.body == fs::read(folder.path().join("theirs.dup")).expect("a file"));
    let (_, page) = served.finish(&served.upload_to("/convert", &[("x.pbn", b"no deals")], &[]));
    assert!(
        page.contains("role=\"alert\"") && page.contains("x.pbn"),
        "{page}"
    );
    for (fields, beside, words) in [
        (
            [("format", "line"), ("also", "oneline")],
            "format",
            "both end in .txt",
        ),
        ([("format", "zrd"), ("also", "lin")], "format", "no format"),
        ([("from", "x"), ("format", "lin")], "from", "no format"),
    ] {
        let refused = served.upload_to("/convert", &files, &fields);
        assert_eq!(refused.status, 422);
        let page = refused.text();
        assert!(page.contains(words), "{words}: {page}");
        assert!(
            page.contains(&format!("id=\"{beside}-error\" role=\"alert\">")),
            "{page}"
        );
    }
    assert_eq!(served.upload_to("/convert", &[("", b"")], &[]).status, 422);
}

#[test]
fn more_boards_than_the_limit_are_not_converted() {
    let served = Served::with(Limits {
        boards: 26,
        ..Limits::default()
    });
    let club = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/records/sm0807.pbn");
    let bytes = fs::read(&club).expect("a file");
    let sent = served.upload_to("/convert", &[("a.pbn", &bytes)], &[("format", "lin")]);
    let (_, page) = served.finish(&sent);
    assert!(page.contains("more than 26 boards"), "{page}");
    assert!(served.temporary_files().is_empty());
}

#[test]
fn a_set_in_all_formats_is_that_of_the_command_with_hidden_hands() {
    let (served, folder) = (Served::start(), common::folder());
    let fields = [
        ("condition", "hcp(north) >= 20"),
        ("boards", "12"),
        ("seed", "7"),
    ];
    let (job, page) = served.finish(&served.post("/deal", &fields));
    let (before, hands) = page.split_once("<details>").expect("hidden hands");
    assert!(!before.contains("class=\"deal\"") && hands.contains("class=\"deal\""));
    let download = served.get(&format!("{job}/files/12-boards.zip"));
    let options = [
        "--format=html,pbn,lin,dup,csv,json,rbn,line",
        "--out=theirs",
        "--seed=7",
        "-n12",
        "-q",
    ];
    let deal = [&["deal", "--where", "hcp(north) >= 20"], &options[..]].concat();
    ran(folder.path(), &deal);
    assert_same_files(download.body, "12-boards", folder.path(), "theirs", 8);
}

#[test]
fn tournaments_are_verified_as_by_the_command() {
    let (served, folder) = (Served::start(), common::folder());
    let at = folder.path();
    let new = [
        "--name=Spring <b>",
        "--value-name=a value",
        "--phase=2:1-8:S#:Session #",
    ];
    ran(at, &[&["squaredeal", "new", "spring"], &new[..]].concat());
    ran(at, &["squaredeal", "value", "spring.sqd", "12,345"]);
    ran(
        at,
        &[
            "squaredeal",
            "deal",
            "spring.sqd",
            "spring.sqk",
            "--format=lin",
        ],
    );
    let [sqd, sqk, one, two] = ["spring.sqd", "spring.sqk", "S1.lin", "S2.lin"]
        .map(|name| fs::read(at.join(name)).expect("a file"));
    let event = [("Spring.SQD", &sqd[..]), ("spring.sqk", &sqk[..])];
    let verified = |records: &[(&str, &[u8])]| {
        let files = [&event[..], records].concat();
        served
            .finish(&served.upload_to("/tournament", &files, &[]))
            .1
    };
    let page = verified(&[("S1.lin", &one), ("S2.lin", &two)]);
    for told in [
        "all boards agree",
        "Spring &#60;b&#62;",
        "16 of 16 agree",
        "16 boards in 2 files",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    let page = verified(&[("S1.lin", &one)]);
    assert!(
        page.contains("others are missing") && page.contains("S2"),
        "{page}"
    );
    // A board of another tournament.
    let other = b"N:K862.T2.T9742.82 JT..853.AKQJT953 Q54.987653.Q6.76 A973.AKQJ4.AKJ.4\n";
    let page = verified(&[("S1.lin", &one), ("club night.txt", other)]);
    assert!(
        page.contains("DIFFERENT") && page.contains("club night.txt:1"),
        "{page}"
    );
    assert!(served.temporary_files().is_empty());
    for (files, words) in [
        (&event[..1], "needs its keys"),
        (&event[1..], "need a description"),
        (&event, "choose the hand records"),
        (
            &[("S1.lin", &one[..])],
            "choose the description (.sqd) and the keys (.sqk)",
        ),
    ] {
        let refused = served.upload_to("/tournament", files, &[]);
        assert!(
            refused.status == 422 && refused.text().contains(words),
            "{words}"
        );
    }
    // An audit takes them too.
    let files = [&event[..], &[("S1.lin", &one[..])]].concat();
    let (_, page) = served.finish(&served.upload(&files, &[("organiser", "A Club")]));
    let link = page.split("/reports/").nth(1).expect("a report");
    let name = link.split('/').next().expect("a name");
    let report = served.get(&format!("/reports/{name}/report.html")).text();
    for told in [
        "A Club",
        "Spring &#60;b&#62; holds",
        "8 boards given are those",
    ] {
        assert!(report.contains(told), "{told}: {report}");
    }
}

#[test]
fn a_tournament_is_prepared_valued_dealt_and_verified_in_the_browser() {
    let (served, folder) = (Served::start(), common::folder());
    let at = folder.path();
    let fields = [
        ("event", "spring"),
        ("name", "Spring Pairs"),
        ("value_name", "a value"),
        ("phases", "2:1-8,9-16:S#:Session #\r\n0:?:F#:Final #\r\n"),
    ];
    let made = served.post("/tournament/new", &fields);
    assert_eq!(
        (made.status, made.header("content-type")),
        (200, "application/zip")
    );
    assert_eq!(made.header("cache-control"), "no-store");
    for (name, bytes) in unzipped(made.body) {
        fs::write(at.join(name), bytes).expect("a copy");
    }
    assert!(served.temporary_files().is_empty(), "the keys are not kept");
    let read = |name: &str| fs::read(at.join(name)).expect("a file");
    let (before, keys) = (read("spring.sqd"), read("spring.sqk"));
    let other = served.post("/tournament/new", &fields);
    assert!(unzipped(other.body)[1].1 != keys, "keys are random");
    // The value, as by the command.
    ran(at, &["squaredeal", "value", "spring.sqd", "12,345.6"]);
    let files = [("spring.sqd", &before[..])];
    let asked = [("do", "value"), ("value", "12,345.6")];
    let (job, page) = served.finish(&served.upload_to("/tournament", &files, &asked));
    assert!(page.contains("123456"), "{page}");
    let valued = served.get(&format!("{job}/file")).body;
    assert!(valued == read("spring.sqd"));
    // Both formats of the first phase, and one session of the second.
    let files = [("spring.sqd", &valued[..]), ("spring.sqk", &keys)];
    let dealt = |fields: &[(&str, &str)]| {
        let fields = [&[("do", "deal")], fields].concat();
        let (job, page) = served.finish(&served.upload_to("/tournament", &files, &fields));
        (served.get(&format!("{job}/file")), page)
    };
    let (archive, page) = dealt(&[("phase", "1"), ("format", "pbn"), ("also", "lin")]);
    assert!(page.contains("<dd>16</dd>"), "{page}");
    let event = ["spring.sqd", "spring.sqk"];
    for format in ["pbn", "lin"] {
        let deal = [
            "squaredeal",
            "deal",
            event[0],
            event[1],
            "--phase=1",
            "--format",
            format,
        ];
        ran(at, &deal);
    }
    let archive = unzipped(archive.body);
    assert_eq!(archive.len(), 4);
    for (name, bytes) in &archive {
        assert!(*bytes == read(name), "{name}");
    }
    let final_of = [
        ("phase", "2"),
        ("session", "3"),
        ("boards", "1-12"),
        ("reserve", "1"),
    ];
    let (file, _) = dealt(&[&final_of[..], &[("format", "dup")]].concat());
    let options = [
        "--phase=2",
        "--session=3",
        "--boards=1-12",
        "--reserve",
        "--format=dup",
    ];
    ran(
        at,
        &[&["squaredeal", "deal", event[0], event[1]], &options[..]].concat(),
    );
    assert!(file.body == read("F3-reserve.dup"));
    let records = [("S1.pbn", &archive[0].1[..])];
    let all = [&files[..], &records].concat();
    let (_, page) = served.finish(&served.upload_to("/tournament", &all, &[("do", "verify")]));
    assert!(page.contains("8 of 8 agree"), "{page}");
    let temporary = served.temporary_files();
    assert_eq!(temporary.len(), 3, "the downloads alone: {temporary:?}");
    // Wrong fields, each with a message beside it.
    for (path, fields, field) in [
        (
            "new",
            [("name", ""), ("value_name", "v"), ("phases", "1:4:f:d")],
            "name",
        ),
        (
            "new",
            [("name", "n"), ("value_name", ""), ("phases", "1:4:f:d")],
            "value_name",
        ),
        (
            "new",
            [("name", "n"), ("value_name", "v"), ("phases", "1:4")],
            "phases",
        ),
        (
            "new",
            [("name", "n"), ("value_name", "v"), ("phases", "")],
            "phases",
        ),
        ("", [("do", "value"), ("value", ""), ("x", "")], "value"),
        ("", [("do", "value"), ("value", "1"), ("x", "")], "files"),
        ("", [("do", "deal"), ("phase", "0"), ("x", "")], "phase"),
        ("", [("do", "deal"), ("session", "x"), ("x", "")], "session"),
        ("", [("do", "deal"), ("boards", "7-3"), ("x", "")], "boards"),
        ("", [("do", "deal"), ("format", "zrd"), ("x", "")], "format"),
    ] {
        let refused = match path {
            "new" => served.post("/tournament/new", &fields),
            _ => served.upload_to("/tournament", &files, &fields),
        };
        assert_eq!(refused.status, 422, "{fields:?}");
        let said = format!("id=\"{field}-error\" role=\"alert\">");
        assert!(refused.text().contains(&said), "{fields:?}");
    }
    // What only the files tell fails the job.
    for fields in [
        [("phase", "3"), ("session", "1")],
        [("phase", "2"), ("session", "")],
    ] {
        let fields = [&[("do", "deal")], &fields[..]].concat();
        let (_, page) = served.finish(&served.upload_to("/tournament", &files, &fields));
        assert!(
            page.contains("role=\"alert\"") && page.contains("phase"),
            "{page}"
        );
    }
}
