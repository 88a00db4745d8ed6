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
fn a_set_in_several_formats_is_that_of_the_command_with_hidden_hands() {
    let (served, folder) = (Served::start(), common::folder());
    let fields = [
        ("condition", "hcp(north) >= 20"),
        ("boards", "12"),
        ("format", "pbn"),
        ("also", "lin"),
        ("also", "html"),
        ("seed", "7"),
    ];
    let (job, page) = served.finish(&served.post("/deal", &fields));
    let (before, hands) = page.split_once("<details>").expect("hidden hands");
    assert!(!before.contains("class=\"deal\"") && hands.contains("class=\"deal\""));
    let download = served.get(&format!("{job}/file"));
    let options = [
        "--format=pbn,lin,html",
        "--out=theirs",
        "--seed=7",
        "-n12",
        "-q",
    ];
    let deal = [&["deal", "--where", "hcp(north) >= 20"], &options[..]].concat();
    ran(folder.path(), &deal);
    assert_same_files(download.body, "12-boards", folder.path(), "theirs", 3);
    // Every format must hold the number of the first board.
    let wrong = [&fields[..5], &[("also", "line"), ("first", "9")]].concat();
    let refused = served.post("/deal", &wrong);
    assert!(
        refused.status == 422
            && refused
                .text()
                .contains("id=\"also-lin\" name=\"also\" type=\"checkbox\" value=\"lin\" checked")
    );
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
